// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The ways a run can end early, none of which is a signal to the caller: Ctrl-C (130), a bug in Tendon (4).
#pragma once

/// To be called first in main.
void InstallHandlers(void);

/// A file that is being written under another name; removed if the run is interrupted. NULL: none.
void SetUnfinishedFile(const char* path);

/// Between the two calls Ctrl-C waits: the library is writing a file and leaves none half-done. From the main
/// thread.
void BeginWriting(void);
void EndWriting(void);

/// Processes that work for this one, by a number of the caller's below INTERRUPT_CHILDREN: an interrupt is
/// handed on to them, and the program ends after they have. 0: none.
#define INTERRUPT_CHILDREN 64
void RememberChild(int slot, int process);
/// In a new child: it has none itself, and is silent when interrupted.
void BecomeChild(void);
/// Between the two calls interrupts wait, so that no child is started and no file made unseen. Threads
/// started between them never take one: the main thread does.
void HoldInterrupts(void);
void AllowInterrupts(void);
