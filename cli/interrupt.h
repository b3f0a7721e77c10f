// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The ways a run can end early, none of which is a signal to the caller: Ctrl-C (130), a bug in Tendon (4).
#pragma once

/// To be called first in main.
void InstallHandlers(void);

/// A file that is being written under another name; removed if the run is interrupted. NULL: none.
void SetUnfinishedFile(const char* path);

/// Between the two calls Ctrl-C waits: the library is writing a file and leaves none half-done.
void BeginWriting(void);
void EndWriting(void);
