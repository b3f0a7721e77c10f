// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Values of a channel at a time: STEP, LINEAR, CUBICSPLINE as glTF 2.0 ("Animations", Appendix C) defines
// them. Before the first and after the last key the value is that of the key. The caller keeps one cursor per
// channel: sampling forward costs O(1), seeking O(log keys).
#pragma once

#include "scene/scene.h"

/// The last key at or before `time`; 0 when there is none.
/// @param cursor key of the last call, any value in [0, keyCount)
int tdFindKey(const float* times, int keyCount, double time, int cursor);

/// Writes channel->width floats. Rotations come out with unit length.
void tdSampleChannel(const tdChannel* channel, double time, int* cursor, float* out);
