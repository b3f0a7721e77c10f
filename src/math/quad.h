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

/// Lanes of two vectors of the same width by constant indices, those of the second after those of the first.
/// gcc has the first form since version 12.
#if defined(__clang__) || !defined(__GNUC__) || __GNUC__ >= 12
#define TD_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TD_SHUFFLE(a, b, ...)                                                                                \
    __builtin_shuffle(a, b, (int32_t __attribute__((vector_size(sizeof(a))))){__VA_ARGS__})
#endif

/// Lanes a, b, c, d of a quad; the indices are constants.
#define TD_QUAD_PICK(quad, a, b, c, d) TD_SHUFFLE(quad, quad, a, b, c, d)
/// One lane of a quad in all four lanes.
#define TD_QUAD_ALL(quad, lane) TD_QUAD_PICK(quad, lane, lane, lane, lane)
