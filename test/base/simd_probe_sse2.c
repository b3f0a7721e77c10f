// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The probe of the vector layer with SSE2.
#include "base/sse2.h"

#if defined(TD_SSE2)
#include "base/simd_sse2.h"
#else
#include "base/simd_scalar.h"
#endif

#include "simd_probe.h"

#define PROBE ProbeSse2
#include "simd_probe.inl"
