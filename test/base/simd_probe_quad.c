// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The probe of the vector layer with four lanes at a time.
#include "base/sse2.h"

#if defined(TD_SSE2)
#include "base/simd_quad.h"
#else
#include "base/simd_scalar.h"
#endif

#include "simd_probe.h"

#define PROBE ProbeQuad
#include "simd_probe.inl"
