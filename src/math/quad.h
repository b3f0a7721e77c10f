// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Four floats in one register, with the vector extension of gcc and clang. Operations work lane by lane, so
// the results have the bits of scalar code with the same order of operations.
#pragma once

#include "tendon/vecmath.h"

#include <stdint.h>
#include <string.h>

typedef float tdQuad __attribute__((vector_size(16)));
typedef int32_t tdQuadBits __attribute__((vector_size(16)));

/// Loads four floats; the address needs no alignment.
static inline tdQuad tdQuad_Load(const float* from)
{
    tdQuad quad;
    memcpy(&quad, from, sizeof(quad));
    return quad;
}

static inline void tdQuad_Store(float* to, tdQuad quad)
{
    memcpy(to, &quad, sizeof(quad));
}

static inline tdQuad tdQuad_Splat(float x)
{
    return (tdQuad){x, x, x, x};
}

/// Sets the last lane to +0.
static inline tdQuad tdQuad_ClearLast(tdQuad quad)
{
    return (tdQuad)((tdQuadBits)quad & (tdQuadBits){-1, -1, -1, 0});
}

/// Lanes a, b, c, d of a quad; the indices are constants.
#define TD_QUAD_PICK(quad, a, b, c, d) __builtin_shufflevector(quad, quad, a, b, c, d)
/// One lane of a quad in all four lanes.
#define TD_QUAD_ALL(quad, lane) TD_QUAD_PICK(quad, lane, lane, lane, lane)
