// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// vecmath.h: vectors, quaternions and transforms. Passed and returned by value; memory layout as in glTF.
#pragma once

#include "base.h"

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
