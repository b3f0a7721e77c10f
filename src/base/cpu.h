// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Vector width of the processor, and the pause of spin loops.
#pragma once

#include "tendon/base.h"

/// The widest vectors that the processor and its operating system support. Never TD_SIMD_AUTO.
tdSimd tdCpu_GetSimd(void);
/// The width to run. Unsupported widths fall back to the next narrower one; TD_SIMD_AUTO gives the widest.
tdSimd tdCpu_ResolveSimd(tdSimd requested);
/// One iteration of a spin loop: a pause instruction, or now and then a yield of the processor.
/// @param spinCount iterations so far; 0: never yields
void tdCpu_Pause(int spinCount);
