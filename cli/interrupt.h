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

/// Processes that work for this one, by a number of the caller's below INTERRUPT_CHILDREN: an interrupt is
/// handed on to them, and the program ends after they have. 0: none.
#define INTERRUPT_CHILDREN 64
void RememberChild(int slot, int process);
/// In a new child: it has none itself.
void ForgetChildren(void);
/// Between the two calls interrupts wait, so that no child is started unseen.
void HoldInterrupts(void);
void AllowInterrupts(void);
