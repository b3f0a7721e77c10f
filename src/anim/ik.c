// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inverse kinematics: two bones by the law of cosines, chains by passes from both ends, gazes by yaw and
// pitch.
#include "tendon/ik.h"

#include "rig.h"

#include "base/def.h"
#include "math/trig.h"

/// Weight of the pole in the hinge axis of a limb. A straight limb has no axis of its own; this share keeps
/// the axis continuous while the limb passes through straight.
#define POLE_SHARE 0.05f

/// Squared length, relative to the limb, below which a direction is undefined.
#define NO_DIRECTION 1.0e-12f

tdTwoBoneDef tdDefaultTwoBoneDef(void)
{
    return (tdTwoBoneDef){.maxAngle = TD_PI, .cookie = TD_DEF_COOKIE};
}

tdChainDef tdDefaultChainDef(void)
{
    return (tdChainDef){.pole = {0.0f, 0.0f, 1.0f},
                        .maxBend = TD_PI,
                        .tolerance = 1.0e-4f,
                        .maxIterations = 64,
                        .cookie = TD_DEF_COOKIE};
}

tdLookAtDef tdDefaultLookAtDef(void)
{
    return (tdLookAtDef){.forward = {0.0f, 0.0f, 1.0f},
                         .up = {0.0f, 1.0f, 0.0f},
                         .maxYaw = TD_PI,
                         .maxPitch = 0.5f * TD_PI,
                         .cookie = TD_DEF_COOKIE};
}

// The part of a vector that is perpendicular to a unit vector.
static tdVec3 RejectVector(tdVec3 v, tdVec3 unit)
{
    return tdMulSub(v, tdDot(v, unit), unit);
}

// Length of the third side of a triangle with two sides and the angle between them.
static float ComputeSide(float a, float b, float angle)
{
    float square = a * a + b * b - 2.0f * a * b * tdCos(angle);
    return square > 0.0f ? tdSqrt(square) : 0.0f;
}

// Distance from root to end: that of the target, damped near full extension, within the limits of the angle.
static float LimitReach(const tdTwoBoneDef* def, float upper, float lower, float wanted)
{
    float nearest = ComputeSide(upper, lower, tdClampFloat(def->minAngle, 0.0f, TD_PI));
    float farthest = ComputeSide(upper, lower, tdClampFloat(def->maxAngle, 0.0f, TD_PI));
    float range = tdClampFloat(def->softness, 0.0f, 1.0f) * farthest;
    float start = farthest - range;
    if (range > 0.0f && wanted > start)
    {
        float x = (wanted - start) / range;
        wanted = start + range * (x / (1.0f + x)); // slope 1 at the start, full reach at infinity
    }
    return tdClampFloat(wanted, nearest, tdMaxFloat(nearest, farthest));
}

// Rotation from one pair of perpendicular unit vectors to another.
static tdQuat TurnFrame(tdVec3 fromAxis, tdVec3 fromNormal, tdVec3 toAxis, tdVec3 toNormal)
{
    tdMat3 from = {fromAxis, fromNormal, tdCross(fromAxis, fromNormal)};
    tdMat3 to = {toAxis, toNormal, tdCross(toAxis, toNormal)};
    return tdNormalizeQuat(tdQuatFromMat3(tdMulMat3(to, tdTranspose(from))));
}

// A unit vector perpendicular to an axis, near a wanted direction.
static tdVec3 FindPerpendicular(tdVec3 wanted, tdVec3 axis)
{
    tdVec3 v = RejectVector(wanted, axis);
    return tdLengthSquared(v) > NO_DIRECTION ? tdNormalize(v) : tdNormalize(tdPerpendicular(axis));
}

tdTwoBoneResult tdSolveTwoBone(const tdTwoBoneDef* def)
{
    TD_ASSERT_DEF(def);
    tdVec3 first = tdSub(def->middle, def->root), second = tdSub(def->end, def->middle);
    float upper = tdLength(first), lower = tdLength(second);
    float scale = upper + lower;
    tdTwoBoneResult result = {.rootTurn = tdQuat_identity,
                              .middleTurn = tdQuat_identity,
                              .middle = def->middle,
                              .end = def->end,
                              .distance = tdDistance(def->end, def->target)};
    if (!(upper > 0.0f) || !(lower > 0.0f) || !tdIsFiniteVec3(def->target) || !isfinite(scale))
    {
        return result;
    }
    tdVec3 old = tdSub(def->end, def->root), wanted = tdSub(def->target, def->root);
    tdVec3 oldAxis =
        tdLengthSquared(old) > NO_DIRECTION * scale * scale ? tdNormalize(old) : tdNormalize(first);
    tdVec3 axis = tdLengthSquared(wanted) > NO_DIRECTION * scale * scale ? tdNormalize(wanted) : oldAxis;
    tdVec3 bend = RejectVector(first, oldAxis);
    bool hasPole = tdLengthSquared(def->pole) > NO_DIRECTION;
    bool isBent = tdLengthSquared(bend) > NO_DIRECTION * scale * scale;
    // Without a pole, the bend turns with the line from root to end.
    tdVec3 ownPole = isBent ? bend : tdPerpendicular(oldAxis);
    tdVec3 pole = hasPole ? def->pole : tdRotate(tdQuatFromTo(oldAxis, axis), ownPole);
    tdVec3 side = FindPerpendicular(pole, axis);
    float reach = LimitReach(def, upper, lower, tdLength(wanted));
    float along = reach > 0.0f ? (upper * upper + reach * reach - lower * lower) / (2.0f * reach) : 0.0f;
    along = tdClampFloat(along, -upper, upper);
    float away = tdSqrt(tdMaxFloat(upper * upper - along * along, 0.0f));
    tdVec3 newFirst = tdAdd(tdScale(along, axis), tdScale(away, side));
    result.middle = tdAdd(def->root, newFirst);
    result.end = tdMulAdd(def->root, reach, axis);
    tdVec3 newSecond = tdSub(result.end, result.middle);
    // The hinge axis: perpendicular to both bones, with a share of the pole where they are in line.
    tdVec3 hinge = tdScale(1.0f / (upper * lower), tdCross(first, second));
    tdVec3 oldSide = FindPerpendicular(hasPole ? def->pole : ownPole, oldAxis);
    hinge = tdMulAdd(hinge, POLE_SHARE, tdCross(oldSide, oldAxis));
    tdVec3 newHinge = tdCross(side, axis);
    tdVec3 oldUpper = tdNormalize(first), oldLower = tdNormalize(second);
    tdVec3 newUpper = tdNormalize(newFirst), newLower = tdNormalize(newSecond);
    result.rootTurn = TurnFrame(oldUpper, FindPerpendicular(hinge, oldUpper), newUpper,
                                FindPerpendicular(newHinge, newUpper));
    result.middleTurn = TurnFrame(oldLower, FindPerpendicular(hinge, oldLower), newLower,
                                  FindPerpendicular(newHinge, newLower));
    result.distance = tdDistance(result.end, def->target);
    return result;
}

// Chains

/// Joints of a chain whose lengths fit on the stack; further ones move rigidly with the last of them.
#define MAX_CHAIN 64

// Places a joint at a distance from another, in its present direction, at most `maxBend` away from `before`.
static tdVec3 PlaceJoint(tdVec3 from, tdVec3 joint, float length, tdVec3 before, float maxBend)
{
    tdVec3 direction = tdNormalize(tdSub(joint, from));
    bool hasBefore = tdLengthSquared(before) > 0.5f;
    if (tdLengthSquared(direction) < 0.5f)
    {
        direction = hasBefore ? before : (tdVec3){0.0f, 1.0f, 0.0f};
    }
    float cosine = tdDot(direction, before);
    if (hasBefore && maxBend < TD_PI && cosine < tdCos(maxBend))
    {
        tdVec3 side = FindPerpendicular(direction, before);
        tdSinCos angle = tdComputeSinCos(maxBend);
        direction = tdAdd(tdScale(angle.cosine, before), tdScale(angle.sine, side));
    }
    return tdMulAdd(from, length, direction);
}

// Bends a straight chain whose target is on its line, where the passes would only shift joints along it.
static void BreakLine(tdVec3* positions, int count, const float* lengths, const tdChainDef* def)
{
    tdVec3 axis = tdNormalize(tdSub(positions[count - 1], positions[0]));
    tdVec3 toTarget = tdSub(def->target, positions[0]);
    float spread = tdLengthSquared(RejectVector(toTarget, axis));
    for (int i = 1; i < count; ++i)
    {
        spread += tdLengthSquared(RejectVector(tdSub(positions[i], positions[0]), axis));
    }
    if (spread > 1.0e-8f * tdLengthSquared(toTarget) + 1.0e-12f)
    {
        return;
    }
    tdVec3 side = FindPerpendicular(def->pole, axis);
    for (int i = 1; i + 1 < count; ++i)
    {
        positions[i] = tdMulAdd(positions[i], 0.1f * lengths[i - 1], side);
    }
}

float tdSolveChain(const tdChainDef* def, tdVec3* positions, int count, tdQuat* turns)
{
    TD_ASSERT_DEF(def);
    if (positions == NULL || count < 2)
    {
        return count == 1 && positions != NULL ? tdDistance(positions[0], def->target) : 0.0f;
    }
    int used = tdMinInt(count, MAX_CHAIN);
    tdVec3 start[MAX_CHAIN];
    float lengths[MAX_CHAIN], total = 0.0f;
    tdVec3 root = positions[0];
    for (int i = 0; i < used; ++i)
    {
        start[i] = positions[i];
        lengths[i] = i + 1 < used ? tdDistance(positions[i], positions[i + 1]) : 0.0f;
        total += lengths[i];
    }
    bool isFinite = isfinite(total) && tdIsFiniteVec3(def->target);
    bool isFar = isFinite && def->maxBend >= TD_PI && tdDistance(root, def->target) >= total;
    if (isFar)
    {
        tdVec3 direction = tdNormalize(tdSub(def->target, root));
        for (int i = 1; i < used; ++i)
        {
            positions[i] = tdMulAdd(positions[i - 1], lengths[i - 1], direction);
        }
    }
    else if (isFinite && tdDistance(positions[used - 1], def->target) > def->tolerance)
    {
        BreakLine(positions, used, lengths, def);
    }
    for (int pass = 0; pass < def->maxIterations && isFinite && !isFar; ++pass)
    {
        if (tdDistance(positions[used - 1], def->target) <= def->tolerance)
        {
            break;
        }
        positions[used - 1] = def->target;
        for (int i = used - 2; i >= 0; --i)
        {
            positions[i] = PlaceJoint(positions[i + 1], positions[i], lengths[i], tdVec3_zero, TD_PI);
        }
        positions[0] = root;
        tdVec3 before = tdVec3_zero;
        for (int i = 1; i < used; ++i)
        {
            positions[i] = PlaceJoint(positions[i - 1], positions[i], lengths[i - 1], before, def->maxBend);
            before = tdNormalize(tdSub(positions[i], positions[i - 1]));
        }
    }
    tdQuat turn = tdQuat_identity;
    for (int i = 0; i + 1 < used; ++i)
    {
        tdVec3 from = tdNormalize(tdSub(start[i + 1], start[i]));
        tdVec3 to = tdNormalize(tdSub(positions[i + 1], positions[i]));
        turn = tdQuatFromTo(from, to);
        if (turns != NULL)
        {
            turns[i] = turn;
        }
    }
    for (int i = used; i < count; ++i)
    {
        tdVec3 offset = tdSub(positions[i], start[used - 1]);
        positions[i] = tdAdd(positions[used - 1], tdRotate(turn, offset));
        if (turns != NULL)
        {
            turns[i - 1] = turn;
        }
    }
    return tdDistance(positions[used - 1], def->target);
}

// Gazes

tdQuat tdSolveLookAt(const tdLookAtDef* def)
{
    TD_ASSERT_DEF(def);
    tdVec3 up = def->up, forward = FindPerpendicular(def->forward, up), side = tdCross(up, forward);
    float x = tdDot(def->target, side), y = tdDot(def->target, up), z = tdDot(def->target, forward);
    float level = tdSqrt(x * x + z * z);
    if (!(level + tdAbsFloat(y) > 0.0f) || !isfinite(level + y))
    {
        return tdQuat_identity;
    }
    float yaw = level > 0.0f ? tdAtan2(x, z) : 0.0f;
    float pitch = tdAtan2(-y, level); // positive is down: the rotation about `side` takes forward to -up
    yaw = tdClampFloat(yaw, -def->maxYaw, def->maxYaw);
    pitch = tdClampFloat(pitch, -def->maxPitch, def->maxPitch);
    return tdNormalizeQuat(tdMulQuat(tdQuatFromAxisAngle(up, yaw), tdQuatFromAxisAngle(side, pitch)));
}

// Limbs of an avatar

static tdVec3 ComputePosition(const tdRig* rig, const tdTrs* locals, int node)
{
    const int* parents = rig->asset->scene.nodes.parents;
    tdVec3 p = tdVec3_zero;
    for (; node >= 0; node = parents[node])
    {
        const tdTrs* local = &locals[node];
        p = tdAdd(local->translation, tdRotate(local->rotation, tdMul(local->scale, p)));
    }
    return p;
}

static tdQuat ComputeGlobalRotation(const tdRig* rig, const tdTrs* locals, int node)
{
    const int* parents = rig->asset->scene.nodes.parents;
    tdQuat rotation = tdQuat_identity;
    for (; node >= 0; node = parents[node])
    {
        rotation = tdMulQuat(locals[node].rotation, rotation);
    }
    return tdNormalizeQuat(rotation);
}

tdVec3 tdRig_FindBonePosition(const tdRig* rig, const tdTrs* locals, int bone)
{
    int node = tdRig_GetNode(rig, bone);
    return node >= 0 && locals != NULL ? ComputePosition(rig, locals, node) : tdVec3_zero;
}

float tdRig_MoveLimb(const tdRig* rig, tdTrs* locals, int bone, const tdTwoBoneDef* def)
{
    static const tdBone limbs[4][3] = {
        {TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND},
        {TD_BONE_RIGHT_UPPER_ARM, TD_BONE_RIGHT_LOWER_ARM, TD_BONE_RIGHT_HAND},
        {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT},
        {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT},
    };
    int nodes[3] = {-1, -1, -1};
    for (int i = 0; i < 4 && rig != NULL && locals != NULL && def != NULL; ++i)
    {
        for (int k = 0; k < 3 && (int)limbs[i][2] == bone; ++k)
        {
            nodes[k] = rig->bones[limbs[i][k]].node;
        }
    }
    if (nodes[0] < 0 || nodes[1] < 0 || nodes[2] < 0)
    {
        return -1.0f;
    }
    const int* parents = rig->asset->scene.nodes.parents;
    tdTwoBoneDef limb = *def;
    limb.root = ComputePosition(rig, locals, nodes[0]);
    limb.middle = ComputePosition(rig, locals, nodes[1]);
    limb.end = ComputePosition(rig, locals, nodes[2]);
    tdTwoBoneResult result = tdSolveTwoBone(&limb);
    tdQuat above = ComputeGlobalRotation(rig, locals, parents[nodes[0]]);
    tdQuat upper = tdMulQuat(above, locals[nodes[0]].rotation);
    tdQuat middleParent = ComputeGlobalRotation(rig, locals, parents[nodes[1]]);
    tdQuat lower = tdMulQuat(middleParent, locals[nodes[1]].rotation);
    tdQuat endParent = ComputeGlobalRotation(rig, locals, parents[nodes[2]]);
    tdQuat end = tdMulQuat(endParent, locals[nodes[2]].rotation);
    locals[nodes[0]].rotation = tdNormalizeQuat(tdInvMulQuat(above, tdMulQuat(result.rootTurn, upper)));
    locals[nodes[1]].rotation = tdNormalizeQuat(
        tdInvMulQuat(tdMulQuat(result.rootTurn, middleParent), tdMulQuat(result.middleTurn, lower)));
    locals[nodes[2]].rotation = tdNormalizeQuat(tdInvMulQuat(tdMulQuat(result.middleTurn, endParent), end));
    return result.distance;
}
