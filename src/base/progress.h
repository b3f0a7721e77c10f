// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The writing side of tdProgress. Another thread may read the numbers at any time. All functions accept NULL
// and then do nothing.
#pragma once

#include "tendon/base.h"

/// Units per triangle of TD_PROGRESS_COOKING: one when it is collected, two when it is in the BVH, one when
/// its neighbours are known.
#define TD_PROGRESS_TRIANGLE 4

/// Units per second of TD_PROGRESS_SIMULATING.
#define TD_PROGRESS_SECOND 1000000

/// Items between two calls of tdProgress_Add in a cooking loop: rare enough to cost no time, frequent enough
/// for a smooth progress line.
#define TD_PROGRESS_STEP 65536

/// Starts a stage.
/// @param total 0: not known
void tdProgress_Start(tdProgress* progress, tdProgressStage stage, uint64_t total);
/// Sets the counter of the current stage, in its unit, and calls the update function.
/// @return false if the function stops the call
bool tdProgress_Update(tdProgress* progress, uint64_t done);
/// Adds to the counter of the current stage, from any thread.
void tdProgress_Add(tdProgress* progress, uint64_t amount);
