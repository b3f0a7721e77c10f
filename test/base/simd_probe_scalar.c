// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The probe of the vector layer in scalar C.
#include "simd_probe.h"

#include "base/simd_scalar.h"

#define PROBE ProbeScalar
#include "simd_probe.inl"
