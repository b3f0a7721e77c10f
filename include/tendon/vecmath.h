// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// vecmath.h: vectors, quaternions, transforms and matrices. Passed and returned by value; memory layout as in
// glTF. Nothing here allocates. Operations run in the order written, so results are bit-identical wherever
// the compiler neither contracts nor reorders them (-ffp-contract=off, no -ffast-math).
#pragma once

#include "base.h"

#include <math.h>

/// Vector or point.
typedef struct tdVec3
{
    float x, y, z;
} tdVec3;

/// Unit quaternion in glTF component order.
typedef struct tdQuat
{
    float x, y, z, w;
} tdQuat;

/// Rigid transform: rotation, then translation. The physics engine has no scale.
typedef struct tdTransform
{
    tdVec3 position;
    tdQuat rotation;
} tdTransform;

/// Local transform of a glTF node: scale, then rotation, then translation.
typedef struct tdTrs
{
    tdVec3 translation;
    tdQuat rotation;
    tdVec3 scale;
} tdTrs;

/// Column-major 4 x 4 matrix. Global transforms are matrices: a rotation under a non-uniform scale shears,
/// and a tdTrs cannot express shear.
typedef struct tdMat4
{
    float m[16];
} tdMat4;

static const tdVec3 tdVec3_zero = {0.0f, 0.0f, 0.0f};
static const tdVec3 tdVec3_one = {1.0f, 1.0f, 1.0f};
static const tdQuat tdQuat_identity = {0.0f, 0.0f, 0.0f, 1.0f};
static const tdTransform tdTransform_identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
static const tdTrs tdTrs_identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};

/// Shortest vector that has a direction, and shortest quaternion, squared: their squares are above the
/// denormals.
#define TD_MIN_LENGTH 1.0e-20f
#define TD_MIN_QUAT_SQUARED 1.0e-30f

// Vectors

/// a + b
static inline tdVec3 tdAdd(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.x + b.x, a.y + b.y, a.z + b.z};
    return result;
}

/// a - b
static inline tdVec3 tdSub(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.x - b.x, a.y - b.y, a.z - b.z};
    return result;
}

/// Component-wise product.
static inline tdVec3 tdMul(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.x * b.x, a.y * b.y, a.z * b.z};
    return result;
}

/// s * a
static inline tdVec3 tdScale(float s, tdVec3 a)
{
    tdVec3 result = {s * a.x, s * a.y, s * a.z};
    return result;
}

/// a + s * b
static inline tdVec3 tdMulAdd(tdVec3 a, float s, tdVec3 b)
{
    tdVec3 result = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return result;
}

/// a - s * b
static inline tdVec3 tdMulSub(tdVec3 a, float s, tdVec3 b)
{
    tdVec3 result = {a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
    return result;
}

/// -a
static inline tdVec3 tdNegate(tdVec3 a)
{
    tdVec3 result = {-a.x, -a.y, -a.z};
    return result;
}

/// Dot product.
static inline float tdDot(tdVec3 a, tdVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Cross product.
static inline tdVec3 tdCross(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return result;
}

/// Squared length.
static inline float tdLengthSquared(tdVec3 a)
{
    return tdDot(a, a);
}

/// Length.
static inline float tdLength(tdVec3 a)
{
    return sqrtf(tdDot(a, a));
}

/// Distance of two points.
static inline float tdDistance(tdVec3 a, tdVec3 b)
{
    return tdLength(tdSub(b, a));
}

/// Unit vector of the same direction; zero if `a` is too short to have one.
static inline tdVec3 tdNormalize(tdVec3 a)
{
    float length = tdLength(a);
    return length > TD_MIN_LENGTH ? tdScale(1.0f / length, a) : tdVec3_zero;
}

/// Linear interpolation from a (t = 0) to b (t = 1).
static inline tdVec3 tdLerp(tdVec3 a, tdVec3 b, float t)
{
    tdVec3 result = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    return result;
}

// Quaternions

/// Product of two rotations: applies b, then a.
static inline tdQuat tdMulQuat(tdQuat a, tdQuat b)
{
    tdQuat result = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return result;
}

/// Inverse of a unit quaternion.
static inline tdQuat tdConjugate(tdQuat q)
{
    tdQuat result = {-q.x, -q.y, -q.z, q.w};
    return result;
}

/// inverse(a) * b
static inline tdQuat tdInvMulQuat(tdQuat a, tdQuat b)
{
    return tdMulQuat(tdConjugate(a), b);
}

/// Dot product of two quaternions.
static inline float tdDotQuat(tdQuat a, tdQuat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// -q, the same rotation.
static inline tdQuat tdNegateQuat(tdQuat q)
{
    tdQuat result = {-q.x, -q.y, -q.z, -q.w};
    return result;
}

/// Vector part of a quaternion.
static inline tdVec3 tdQuatVector(tdQuat q)
{
    tdVec3 result = {q.x, q.y, q.z};
    return result;
}

/// Rotate a vector.
static inline tdVec3 tdRotate(tdQuat q, tdVec3 v)
{
    // v + 2 u x (u x v + w v)
    tdVec3 u = tdQuatVector(q);
    tdVec3 t = tdMulAdd(tdCross(u, v), q.w, v);
    return tdMulAdd(v, 2.0f, tdCross(u, t));
}

/// Rotate a vector by the inverse.
static inline tdVec3 tdInvRotate(tdQuat q, tdVec3 v)
{
    tdVec3 u = tdQuatVector(q);
    tdVec3 t = tdMulSub(tdCross(u, v), q.w, v);
    return tdMulAdd(v, 2.0f, tdCross(u, t));
}

/// Unit quaternion; identity if `q` is too short or too long to have a direction.
static inline tdQuat tdNormalizeQuat(tdQuat q)
{
    float squared = tdDotQuat(q, q);
    if (!(squared > TD_MIN_QUAT_SQUARED && squared < INFINITY))
    {
        return tdQuat_identity;
    }
    float s = 1.0f / sqrtf(squared);
    tdQuat result = {s * q.x, s * q.y, s * q.z, s * q.w};
    return result;
}

/// Normalised linear interpolation along the shorter arc.
static inline tdQuat tdNlerp(tdQuat a, tdQuat b, float t)
{
    if (tdDotQuat(a, b) < 0.0f)
    {
        b = tdNegateQuat(b);
    }
    tdQuat q = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z), a.w + t * (b.w - a.w)};
    return tdNormalizeQuat(q);
}

/// Spherical linear interpolation along the shorter arc; normalised lerp if the rotations are close.
TD_API tdQuat tdSlerp(tdQuat a, tdQuat b, float t);

/// Rotation about a unit axis.
/// @param angle rad
TD_API tdQuat tdQuatFromAxisAngle(tdVec3 unitAxis, float angle);

/// Smallest rotation that carries the unit vector `from` onto the unit vector `to`; half a turn about some
/// perpendicular axis if they are opposite.
TD_API tdQuat tdQuatFromTo(tdVec3 from, tdVec3 to);

// Transforms

/// Transform a point.
static inline tdVec3 tdTransformPoint(tdTransform t, tdVec3 p)
{
    return tdAdd(t.position, tdRotate(t.rotation, p));
}

/// Transform a point by the inverse.
static inline tdVec3 tdInvTransformPoint(tdTransform t, tdVec3 p)
{
    return tdInvRotate(t.rotation, tdSub(p, t.position));
}

/// Product of two transforms: applies b, then a.
static inline tdTransform tdMulTransform(tdTransform a, tdTransform b)
{
    tdTransform result = {tdTransformPoint(a, b.position), tdMulQuat(a.rotation, b.rotation)};
    return result;
}

/// Inverse of a transform.
static inline tdTransform tdInvTransform(tdTransform t)
{
    tdTransform result = {tdNegate(tdInvRotate(t.rotation, t.position)), tdConjugate(t.rotation)};
    return result;
}

/// inverse(a) * b
static inline tdTransform tdInvMulTransform(tdTransform a, tdTransform b)
{
    tdTransform result = {tdInvTransformPoint(a, b.position), tdInvMulQuat(a.rotation, b.rotation)};
    return result;
}

// Matrices

/// Matrix of a local transform.
TD_API tdMat4 tdMat4FromTrs(tdTrs trs);

/// Product of two matrices: applies b, then a.
TD_API tdMat4 tdMulMat4(tdMat4 a, tdMat4 b);

/// Inverse of an affine matrix (last row 0 0 0 1); identity if it is singular.
TD_API tdMat4 tdInverseAffine(tdMat4 m);

/// Transform a point by an affine matrix.
TD_API tdVec3 tdMat4Point(tdMat4 m, tdVec3 p);

/// Transform a direction by an affine matrix, without its translation.
TD_API tdVec3 tdMat4Direction(tdMat4 m, tdVec3 v);
