// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Vectors in double precision for GJK and EPA. The support points of a large shape lie far from the contact
// with a small one; in float their differences would lose the contact.
#pragma once

#include "math/vecmath.h"

typedef struct tdVec3d
{
    double x, y, z;
} tdVec3d;

static inline double tdMaxDouble(double a, double b)
{
    return a > b ? a : b;
}

static inline double tdMinDouble(double a, double b)
{
    return a < b ? a : b;
}

static inline tdVec3d tdWiden(tdVec3 v)
{
    return (tdVec3d){(double)v.x, (double)v.y, (double)v.z};
}

static inline tdVec3 tdNarrow(tdVec3d v)
{
    return (tdVec3){(float)v.x, (float)v.y, (float)v.z};
}

static inline tdVec3d tdAddD(tdVec3d a, tdVec3d b)
{
    return (tdVec3d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tdVec3d tdSubD(tdVec3d a, tdVec3d b)
{
    return (tdVec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tdVec3d tdScaleD(double s, tdVec3d v)
{
    return (tdVec3d){s * v.x, s * v.y, s * v.z};
}

/// a + s b
static inline tdVec3d tdMulAddD(tdVec3d a, double s, tdVec3d b)
{
    return (tdVec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double tdDotD(tdVec3d a, tdVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tdVec3d tdCrossD(tdVec3d a, tdVec3d b)
{
    return (tdVec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double tdLengthD(tdVec3d v)
{
    return sqrt(tdDotD(v, v));
}

/// The zero vector stays zero.
static inline tdVec3d tdNormalizeD(tdVec3d v)
{
    double length = tdLengthD(v);
    return length > 0.0 ? tdScaleD(1.0 / length, v) : (tdVec3d){0.0, 0.0, 0.0};
}

static inline tdVec3d tdNegateD(tdVec3d v)
{
    return (tdVec3d){-v.x, -v.y, -v.z};
}
