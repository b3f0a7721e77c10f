// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Four floats in one register, by the vector types that gcc and clang share: every platform does the same
// operations lane by lane, so results are the same bits as those of scalar code in the same order.
#pragma once

#include "tendon/vecmath.h"

#include <stdint.h>
#include <string.h>

typedef float tdQuad __attribute__((vector_size(16)));
typedef int32_t tdQuadBits __attribute__((vector_size(16)));

/// From anywhere, aligned or not.
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

/// The first three lanes, then +0.
static inline tdQuad tdQuad_ClearLast(tdQuad quad)
{
    return (tdQuad)((tdQuadBits)quad & (tdQuadBits){-1, -1, -1, 0});
}

/// Lanes a, b, c, d of a quad in a new order; the numbers are constants.
#define TD_QUAD_PICK(quad, a, b, c, d) __builtin_shufflevector(quad, quad, a, b, c, d)
/// One lane in all four places.
#define TD_QUAD_ALL(quad, lane) TD_QUAD_PICK(quad, lane, lane, lane, lane)
