// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The probe of the vector layer, sse2.
#if defined(__SSE2__)
#include "base/simd_sse2.h"
#else
#include "base/simd_scalar.h"
#endif

#include "simd_probe.h"

#define PROBE ProbeSse2
#include "simd_probe.inl"
