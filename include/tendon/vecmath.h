// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// vecmath.h: value types. Passed and returned by value; the layout is that of glTF.
#pragma once

#include "base.h"

typedef struct tdVec3
{
    float x, y, z;
} tdVec3;

/// Unit quaternion in glTF component order.
typedef struct tdQuat
{
    float x, y, z, w;
} tdQuat;

/// Rigid transform. What the physics engine knows: no scale.
typedef struct tdTransform
{
    tdVec3 position;
    tdQuat rotation;
} tdTransform;

/// Local transform of a glTF node.
typedef struct tdTrs
{
    tdVec3 translation;
    tdQuat rotation;
    tdVec3 scale;
} tdTrs;

/// Column-major matrix. Global transforms are matrices, because a rotation under a
/// non-uniform scale shears and no tdTrs can say that.
typedef struct tdMat4
{
    float m[16];
} tdMat4;
