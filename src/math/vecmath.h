// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Vectors, quaternions, matrices, rigid transforms and boxes, passed by value, beyond those of
// tendon/vecmath.h. All functions use + - * / and sqrt in a fixed order, so that results have the same bits
// on every platform. tdMat3 stores columns; tdMat4 is column-major, as in glTF. The quaternion product a * b
// applies b first.
#pragma once

#include "tendon/vecmath.h"

#include <math.h>

#define TD_PI 3.14159265358979323846f

/// Three columns.
typedef struct tdMat3
{
    tdVec3 cx, cy, cz;
} tdMat3;

typedef struct tdAabb
{
    tdVec3 lower, upper;
} tdAabb;

static const tdMat3 tdMat3_identity = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
static const tdMat3 tdMat3_zero = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
static const tdMat4 tdMat4_identity = {
    {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f}};

// Scalars. Minimum and maximum are compare-and-select: fminf and fmaxf treat NaN and signed zeros differently
// from platform to platform.

static inline float tdMinFloat(float a, float b)
{
    return a < b ? a : b;
}

static inline float tdMaxFloat(float a, float b)
{
    return a > b ? a : b;
}

static inline float tdClampFloat(float x, float lower, float upper)
{
    return x < lower ? lower : (x > upper ? upper : x);
}

static inline float tdAbsFloat(float x)
{
    return x < 0.0f ? -x : x;
}

static inline int tdMinInt(int a, int b)
{
    return a < b ? a : b;
}

static inline int tdMaxInt(int a, int b)
{
    return a > b ? a : b;
}

// Vectors.

static inline tdVec3 tdMin(tdVec3 a, tdVec3 b)
{
    return (tdVec3){tdMinFloat(a.x, b.x), tdMinFloat(a.y, b.y), tdMinFloat(a.z, b.z)};
}

static inline tdVec3 tdMax(tdVec3 a, tdVec3 b)
{
    return (tdVec3){tdMaxFloat(a.x, b.x), tdMaxFloat(a.y, b.y), tdMaxFloat(a.z, b.z)};
}

static inline tdVec3 tdAbs(tdVec3 a)
{
    return (tdVec3){tdAbsFloat(a.x), tdAbsFloat(a.y), tdAbsFloat(a.z)};
}

static inline float tdGetComponent(tdVec3 a, int axis)
{
    return axis == 0 ? a.x : (axis == 1 ? a.y : a.z);
}

/// A unit vector perpendicular to the unit vector `a`. Equal arguments give equal results.
static inline tdVec3 tdPerpendicular(tdVec3 a)
{
    tdVec3 absolute = tdAbs(a);
    tdVec3 other = {0.0f, 0.0f, 0.0f};
    if (absolute.x <= absolute.y && absolute.x <= absolute.z)
    {
        other.x = 1.0f;
    }
    else if (absolute.y <= absolute.z)
    {
        other.y = 1.0f;
    }
    else
    {
        other.z = 1.0f;
    }
    return tdNormalize(tdCross(a, other));
}

static inline bool tdIsFiniteVec3(tdVec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline bool tdIsFiniteQuat(tdQuat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

static inline bool tdIsFiniteTransform(tdTransform a)
{
    return tdIsFiniteVec3(a.position) && tdIsFiniteQuat(a.rotation);
}

// 3 x 3 matrices.

static inline tdMat3 tdMat3FromQuat(tdQuat q)
{
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float xw = q.x * q.w, yw = q.y * q.w, zw = q.z * q.w;
    return (tdMat3){
        {1.0f - 2.0f * (yy + zz), 2.0f * (xy + zw), 2.0f * (xz - yw)},
        {2.0f * (xy - zw), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + xw)},
        {2.0f * (xz + yw), 2.0f * (yz - xw), 1.0f - 2.0f * (xx + yy)},
    };
}

static inline tdVec3 tdMulMat3Vec3(tdMat3 m, tdVec3 v)
{
    return (tdVec3){
        m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z,
        m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z,
        m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z,
    };
}

static inline tdMat3 tdTranspose(tdMat3 m)
{
    return (tdMat3){{m.cx.x, m.cy.x, m.cz.x}, {m.cx.y, m.cy.y, m.cz.y}, {m.cx.z, m.cy.z, m.cz.z}};
}

static inline tdMat3 tdMulMat3(tdMat3 a, tdMat3 b)
{
    return (tdMat3){tdMulMat3Vec3(a, b.cx), tdMulMat3Vec3(a, b.cy), tdMulMat3Vec3(a, b.cz)};
}

static inline tdMat3 tdAddMat3(tdMat3 a, tdMat3 b)
{
    return (tdMat3){tdAdd(a.cx, b.cx), tdAdd(a.cy, b.cy), tdAdd(a.cz, b.cz)};
}

static inline tdMat3 tdScaleMat3(float s, tdMat3 m)
{
    return (tdMat3){tdScale(s, m.cx), tdScale(s, m.cy), tdScale(s, m.cz)};
}

static inline tdMat3 tdDiagonal(tdVec3 d)
{
    return (tdMat3){{d.x, 0.0f, 0.0f}, {0.0f, d.y, 0.0f}, {0.0f, 0.0f, d.z}};
}

static inline float tdDeterminant(tdMat3 m)
{
    return tdDot(m.cx, tdCross(m.cy, m.cz));
}

/// Inverse; the zero matrix if `m` is singular.
static inline tdMat3 tdInverse(tdMat3 m)
{
    tdVec3 yz = tdCross(m.cy, m.cz);
    float determinant = tdDot(m.cx, yz);
    if (determinant == 0.0f)
    {
        return tdMat3_zero;
    }
    float s = 1.0f / determinant;
    tdMat3 rows = {tdScale(s, yz), tdScale(s, tdCross(m.cz, m.cx)), tdScale(s, tdCross(m.cx, m.cy))};
    return tdTranspose(rows);
}

// Boxes.

static inline tdAabb tdUnionAabb(tdAabb a, tdAabb b)
{
    return (tdAabb){tdMin(a.lower, b.lower), tdMax(a.upper, b.upper)};
}

static inline bool tdOverlapAabb(tdAabb a, tdAabb b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static inline bool tdContainsAabb(tdAabb outer, tdAabb inner)
{
    return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y &&
           outer.lower.z <= inner.lower.z && inner.upper.x <= outer.upper.x &&
           inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}

/// The box, larger by `margin` on all six sides.
static inline tdAabb tdGrowAabb(tdAabb box, float margin)
{
    tdVec3 grow = {margin, margin, margin};
    return (tdAabb){tdSub(box.lower, grow), tdAdd(box.upper, grow)};
}

// Longer functions, in vecmath.c.

/// Quaternion of a rotation matrix (orthonormal columns, determinant 1).
tdQuat tdQuatFromMat3(tdMat3 rotation);
/// Angle between two rotations, 0 to pi rad, without cancellation for small angles.
float tdAngleBetween(tdQuat a, tdQuat b);

tdVec3 tdMat4Translation(tdMat4 m);
tdMat3 tdMat4Linear(tdMat4 m);

/// Polar decomposition m = rotation * stretch. The rotation is the nearest orthogonal matrix. If the
/// determinant is negative it is minus that matrix, and `isMirrored` is set. A singular matrix gives a
/// rotation that maximises trace(R^T m).
typedef struct tdPolar
{
    tdQuat rotation;
    tdMat3 stretch; // symmetric; negative definite when mirrored
    bool isMirrored;
} tdPolar;
tdPolar tdComputePolar(tdMat3 m);
/// The rotation part alone (docs/contracts.md 2: the world rotation of a node).
tdQuat tdRotationOfMat4(tdMat4 m);

/// Eigenvectors (the columns of a rotation R) and eigenvalues of a symmetric matrix: m = R diag(values) R^T.
void tdDiagonalize(tdMat3 symmetric, tdQuat* rotation, tdVec3* values);
