// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The writing side of tdProgress: numbers that another thread may read at any time. NULL: nobody looks.
#pragma once

#include "tendon/base.h"

/// A triangle is counted when it is collected, twice when it gets into the tree, and when it has neighbours.
#define TD_PROGRESS_TRIANGLE 4

/// @param total 0: not known
void tdProgress_Start(tdProgress* progress, tdProgressStage stage, uint64_t total);
/// May be called from any thread.
void tdProgress_Add(tdProgress* progress, uint64_t amount);
