// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs every operation of the vector layer on given inputs, once per width (simd_probe.inl).
#pragma once

#include <stdint.h>

#define PROBE_VECTORS 23

/// @param states 64-byte records; floats 4..7 are gathered, floats 8..11 scattered for the lanes of the bit
/// set; by their addresses floats 0..3 are gathered and 12..15 scattered
/// @param out PROBE_VECTORS vectors of eight
typedef void ProbeFcn(const float* a, const float* b, const float* c, float* states, const int32_t* index,
                      unsigned lanes, float* out, unsigned* bits);

ProbeFcn ProbeScalar, ProbeSingle, ProbeQuad, ProbeSse2, ProbeAvx2;
