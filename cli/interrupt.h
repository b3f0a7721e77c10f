// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Early exits with an exit code instead of a signal: Ctrl-C (130), a bug in Tendon (4).
#pragma once

#include <stdint.h>

/// Installs the handlers; call it first in main.
void InstallHandlers(void);

/// Sets the temporary file to remove when the run is interrupted. NULL: none.
void SetUnfinishedFile(const char* path);

/// Between the two calls Ctrl-C is deferred, so that the library completes the file it writes. Main thread
/// only.
void BeginWriting(void);
void EndWriting(void);

/// Registers a worker process in a slot below INTERRUPT_CHILDREN; process 0 clears the slot. Interrupts are
/// passed to the workers, and the program ends after them.
#define INTERRUPT_CHILDREN 64
void RememberChild(int slot, intptr_t process);
/// Call it in a new worker: it forgets the slots and prints nothing when interrupted.
void BecomeChild(void);
/// Between the two calls interrupts are blocked, so that every started worker and created file is registered.
/// Threads started between them inherit the block; the main thread handles interrupts.
void HoldInterrupts(void);
void AllowInterrupts(void);
