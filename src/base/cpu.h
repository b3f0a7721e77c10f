// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which vector width this processor has, and what a spinning thread does while it waits.
#pragma once

#include "tendon/base.h"

/// The widest the processor and its operating system support. Never TD_SIMD_AUTO.
tdSimd tdCpu_GetSimd(void);
/// What to run for a wish: the wish itself if the processor can, else the widest below it.
tdSimd tdCpu_ResolveSimd(tdSimd wish);
/// A short rest inside a spin loop; after many rests in a row the thread offers its core to others.
void tdCpu_Pause(int spinCount);
