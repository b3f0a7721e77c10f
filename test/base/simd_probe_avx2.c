// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The probe of the vector layer with AVX2.
#if defined(__AVX2__)
#include "base/simd_avx2.h"
#else
#include "base/simd_scalar.h"
#endif

#include "simd_probe.h"

#define PROBE ProbeAvx2
#include "simd_probe.inl"
