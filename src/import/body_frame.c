// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Facing and handedness of a skeleton. Left and right give the side, hips and head the up direction, and
// their cross product the direction in which the body faces. The feet are independent evidence: they point
// forward.
#include "body_frame.h"

#include "math/trig.h"

#include <string.h>

/// Cosine of 5 degrees. Hip joints of careless rigs are a few degrees off; a body that is turned on purpose
/// is turned by more.
#define AXIS_COSINE 0.99619470f

/// Cosine below which the feet contradict left and right. Feet that point sideways say nothing.
#define FEET_AGREEMENT 0.5f

typedef struct BodyJoints
{
    const tdHumanoid* humanoid;
    const tdVec3* positions;
} BodyJoints;

static bool FindJointPosition(const BodyJoints* joints, tdBone bone, tdVec3* position)
{
    int node = joints->humanoid->nodes[bone];
    *position = node >= 0 ? joints->positions[node] : tdVec3_zero;
    return node >= 0;
}

// The middle of a left and a right joint.
static bool FindMiddle(const BodyJoints* joints, tdBone left, tdBone right, tdVec3* middle)
{
    tdVec3 a = tdVec3_zero, b = tdVec3_zero;
    bool isFound = FindJointPosition(joints, left, &a) && FindJointPosition(joints, right, &b);
    *middle = tdScale(0.5f, tdAdd(a, b));
    return isFound;
}

static bool FindUp(const BodyJoints* joints, tdVec3* up)
{
    tdVec3 bottom, top;
    bool hasTop = FindJointPosition(joints, TD_BONE_HEAD, &top) ||
                  FindJointPosition(joints, TD_BONE_NECK, &top) ||
                  FindMiddle(joints, TD_BONE_LEFT_UPPER_ARM, TD_BONE_RIGHT_UPPER_ARM, &top);
    bool hasBottom = FindJointPosition(joints, TD_BONE_HIPS, &bottom);
    if (!hasTop && hasBottom)
    {
        top = bottom;
        hasTop = true;
        hasBottom = FindMiddle(joints, TD_BONE_LEFT_FOOT, TD_BONE_RIGHT_FOOT, &bottom);
    }
    *up = tdSub(top, bottom);
    return hasTop && hasBottom && tdLengthSquared(*up) > 0.0f;
}

// The sum over pairs of joints that a pose cannot exchange. Legs first: the hips carry both.
static bool FindSide(const BodyJoints* joints, tdVec3* side)
{
    static const tdBone pairs[][2] = {{TD_BONE_LEFT_UPPER_LEG, TD_BONE_RIGHT_UPPER_LEG},
                                      {TD_BONE_LEFT_SHOULDER, TD_BONE_RIGHT_SHOULDER},
                                      {TD_BONE_LEFT_UPPER_ARM, TD_BONE_RIGHT_UPPER_ARM}};
    *side = tdVec3_zero;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
    {
        tdVec3 left, right;
        if (FindJointPosition(joints, pairs[i][0], &left) && FindJointPosition(joints, pairs[i][1], &right))
        {
            *side = tdAdd(*side, tdSub(left, right));
        }
    }
    return tdLengthSquared(*side) > 0.0f;
}

// The dominant axis of a vector with its sign.
static tdVec3 FindDominantAxis(tdVec3 v)
{
    tdVec3 a = tdAbs(v);
    if (a.x >= a.y && a.x >= a.z)
    {
        return (tdVec3){v.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f};
    }
    if (a.y >= a.z)
    {
        return (tdVec3){0.0f, v.y < 0.0f ? -1.0f : 1.0f, 0.0f};
    }
    return (tdVec3){0.0f, 0.0f, v.z < 0.0f ? -1.0f : 1.0f};
}

// The direction of a foot: to its toes, or to the farthest of its children, such as an end site.
static tdVec3 FindFootDirection(const BodyJoints* joints, const tdNodeTree* nodes, tdBone foot, tdBone toes,
                                tdVec3 up)
{
    tdVec3 ankle, best = tdVec3_zero;
    if (!FindJointPosition(joints, foot, &ankle))
    {
        return best;
    }
    int node = joints->humanoid->nodes[foot], toeNode = joints->humanoid->nodes[toes];
    for (int i = nodes->positions[node] + 1; i < nodes->subtreeEnds[nodes->positions[node]]; ++i)
    {
        int child = nodes->order[i];
        tdVec3 v = tdSub(joints->positions[child], ankle);
        v = tdMulSub(v, tdDot(v, up), up);
        bool counts = toeNode >= 0 ? child == toeNode : nodes->parents[child] == node;
        if (counts && tdLengthSquared(v) > tdLengthSquared(best))
        {
            best = v;
        }
    }
    return tdNormalize(best);
}

tdBodyFrame tdFindBodyFrame(const tdHumanoid* humanoid, const tdNodeTree* nodes, const tdVec3* positions)
{
    BodyJoints joints = {humanoid, positions};
    tdBodyFrame frame = {.rotation = tdQuat_identity};
    tdVec3 up, side;
    if (!FindUp(&joints, &up) || !FindSide(&joints, &side))
    {
        return frame;
    }
    up = FindDominantAxis(up);
    side = tdNormalize(tdMulSub(side, tdDot(side, up), up));
    if (!(tdLengthSquared(side) > 0.5f))
    {
        return frame;
    }
    tdVec3 axis = FindDominantAxis(side);
    side = tdDot(axis, side) >= AXIS_COSINE ? axis : side;
    tdVec3 forward = tdCross(side, up);
    frame.isFound = true;
    frame.rotation = tdQuatFromMat3((tdMat3){side, up, forward});
    tdVec3 left = FindFootDirection(&joints, nodes, TD_BONE_LEFT_FOOT, TD_BONE_LEFT_TOES, up);
    tdVec3 right = FindFootDirection(&joints, nodes, TD_BONE_RIGHT_FOOT, TD_BONE_RIGHT_TOES, up);
    frame.isMirrored = tdDot(left, forward) < -FEET_AGREEMENT && tdDot(right, forward) < -FEET_AGREEMENT;
    frame.hasFeet =
        frame.isMirrored || (tdDot(left, forward) > FEET_AGREEMENT && tdDot(right, forward) > FEET_AGREEMENT);
    return frame;
}

tdQuat tdMakeBodyFrame(tdFacing facing, tdVec3 up)
{
    static const tdVec3 directions[] = {
        [TD_FACING_AUTO] = {0, 0, 1},    [TD_FACING_PLUS_Z] = {0, 0, 1},   [TD_FACING_MINUS_Z] = {0, 0, -1},
        [TD_FACING_PLUS_X] = {1, 0, 0},  [TD_FACING_MINUS_X] = {-1, 0, 0}, [TD_FACING_PLUS_Y] = {0, 1, 0},
        [TD_FACING_MINUS_Y] = {0, -1, 0}};
    tdVec3 forward = directions[facing];
    if (tdAbsFloat(tdDot(forward, up)) > 0.5f)
    {
        // A body cannot face along its spine.
        up = forward.y != 0.0f ? (tdVec3){0.0f, 0.0f, 1.0f} : (tdVec3){0.0f, 1.0f, 0.0f};
    }
    return tdQuatFromMat3((tdMat3){tdCross(up, forward), up, forward});
}

const char* tdDescribeDirection(tdVec3 direction, char text[48])
{
    tdVec3 axis = FindDominantAxis(direction);
    const char* name = axis.x != 0.0f   ? (axis.x > 0.0f ? "+X" : "-X")
                       : axis.y != 0.0f ? (axis.y > 0.0f ? "+Y" : "-Y")
                                        : (axis.z > 0.0f ? "+Z" : "-Z");
    float angle = tdAcos(tdDot(axis, direction)) * (180.0f / TD_PI);
    memcpy(text, name, 3);
    int tenths = (int)(angle * 10.0f + 0.5f); // below 548: the dominant axis is the nearest one
    if (tenths > 0)
    {
        // No snprintf: it would bring a file system into the WebAssembly module.
        memcpy(text + 2, ", 00.0 degrees off", 19);
        char* digits = text + 4;
        digits[0] = (char)('0' + tenths / 100);
        digits[1] = (char)('0' + tenths / 10 % 10);
        digits[3] = (char)('0' + tenths % 10);
        if (tenths < 100)
        {
            memmove(digits, digits + 1, 16);
        }
    }
    return text;
}
