// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The probe of the vector layer with one lane at a time.
#define TD_SIMD_WIDTH 1
#include "simd_probe.h"

#include "base/simd_scalar.h"

#define PROBE ProbeSingle
#include "simd_probe.inl"
