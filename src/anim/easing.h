// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Functions that limit and smooth values without jolts.
#pragma once

/// 0 to 1 for t from 0 to 1, with no speed and no acceleration at the ends.
float tdFadeIn(float t);
/// Raises x to 0 or more, smoothly within `range` of 0.
float tdRaiseAboveZero(float x, float range);
/// Smooths values so that the result never falls below them: the largest value of a window that is as
/// wide as the filters after it, then two means over 2 * half + 1 samples.
/// @param scratch as many values
void tdSmoothPeaks(float* values, float* scratch, int count, int half);
