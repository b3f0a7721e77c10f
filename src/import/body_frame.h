// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The frame of a body: which way a skeleton stands and faces, found from the positions of its joints.
#pragma once

#include "scene/humanoid.h"

typedef struct tdBodyFrame
{
    bool isFound;    // there are joints for the up direction and for left and right
    bool isMirrored; // the feet point against the cross product of left and up: left-handed axes, or names of
                     // the wrong side
    bool hasFeet;    // both feet point forward or both against it
    tdQuat rotation; // takes left +X, up +Y, forward +Z to the axes of the skeleton
} tdBodyFrame;

/// Finds the frame of a body. The up direction is an axis of coordinates. A forward direction within 5
/// degrees of an axis is that axis, so that rounding does not change a well-made file.
/// @param positions by node, in one space
tdBodyFrame tdFindBodyFrame(const tdHumanoid* humanoid, const tdNodeTree* nodes, const tdVec3* positions);

/// Frame of a body that stands along an axis and faces another.
/// @param facing not TD_FACING_AUTO
/// @param up unit vector
tdQuat tdMakeBodyFrame(tdFacing facing, tdVec3 up);

/// "+Z", "-X", or an angle about the up direction such as "30 degrees from +Z".
/// @return text
const char* tdDescribeDirection(tdVec3 direction, char text[48]);
