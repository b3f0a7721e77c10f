// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The three formulas of VRMC_node_constraint with folded constants (see tdConstraintStep). Because
// slerp(L, L x, w) = L slerp(1, x, w) and slerp(L, x L, w) = slerp(1, x, w) L, all three take a power of a
// rotation. See docs/decisions/030 and 033.
//
// Choices where the specification is silent:
// - aim with source and destination closer than 1e-9 m, or not finite: rest.
// - aim in the opposite direction: half a turn about tdPerpendicular of the rest direction.
// - roll with the axis turned by half a turn: no twist, that is rest.
#include "node_constraint.h"

#include "math/slerp.h"

// One Newton step towards unit length, enough for rounding errors.
static tdQuat RenormalizeQuat(tdQuat q)
{
    float s = 1.5f - 0.5f * tdDotQuat(q, q);
    return (tdQuat){s * q.x, s * q.y, s * q.z, s * q.w};
}

tdQuat tdComputeTwist(tdQuat rotation, tdVec3 axis)
{
    float along = rotation.x * axis.x + rotation.y * axis.y + rotation.z * axis.z;
    float squared = along * along + rotation.w * rotation.w; // (1 + cos(swing)) / 2
    if (!(squared > TD_MIN_TWIST))
    {
        return tdQuat_identity;
    }
    float s = 1.0f / sqrtf(squared);
    float v = s * along;
    return (tdQuat){v * axis.x, v * axis.y, v * axis.z, s * rotation.w};
}

// rotation ^ weight along the shorter arc, for any weight.
static tdQuat TakeRotationPart(tdQuat rotation, float weight)
{
    if (weight >= 0.0f && weight <= 1.0f)
    {
        return weight < 1.0f ? tdQuatPart(rotation, weight) : rotation;
    }
    float size = tdAbsFloat(weight), whole = floorf(size);
    rotation = rotation.w < 0.0f ? tdNegateQuat(rotation) : rotation;
    tdQuat result = tdQuatPart(rotation, size - whole);
    for (int i = 0; i < (int)whole; ++i)
    {
        result = tdMulQuat(result, rotation);
    }
    return tdNormalizeQuat(weight < 0.0f ? tdConjugate(result) : result);
}

static tdQuat ComputeRotationConstraint(const tdConstraintStep* step, float weight, const tdNodePose* pose)
{
    tdQuat target = tdMulQuat(step->left, pose->locals[step->source].rotation);
    if (weight > 0.0f && weight < 1.0f)
    {
        return tdSlerpSeries(step->rest, target, weight);
    }
    if (weight != 1.0f)
    {
        tdQuat change = tdNormalizeQuat(tdInvMulQuat(step->rest, target));
        return RenormalizeQuat(tdMulQuat(step->rest, TakeRotationPart(change, weight)));
    }
    return RenormalizeQuat(target);
}

static tdQuat ComputeRollConstraint(const tdConstraintStep* step, float weight, const tdNodePose* pose)
{
    tdQuat delta = tdMulQuat(tdMulQuat(step->left, pose->locals[step->source].rotation), step->right);
    tdQuat twist = TakeRotationPart(tdComputeTwist(delta, step->axis), weight);
    return RenormalizeQuat(tdMulQuat(step->rest, twist));
}

tdVec3 tdComputePosition(const tdNodePose* pose, int node, int parent)
{
    tdVec3 t = pose->locals[node].translation;
    if (parent < 0)
    {
        return pose->isPlaced ? tdTransformPoint(pose->placement, t) : t;
    }
    const float* m = pose->globals[parent].m;
    return (tdVec3){m[0] * t.x + m[4] * t.y + m[8] * t.z + m[12],
                    m[1] * t.x + m[5] * t.y + m[9] * t.z + m[13],
                    m[2] * t.x + m[6] * t.y + m[10] * t.z + m[14]};
}

// Q^-1 direction, where Q is the product of the local rotations. If the parent's matrix is a rotation times a
// uniform scale, that rotation is Q, and the columns of the matrix are enough. The product is needed only
// under non-uniform scale, shear or mirroring. Two mirrors make a matrix that is a rotation other than Q, so
// mirrors are counted in the locals.
tdVec3 tdTurnIntoParent(const tdNodePose* pose, int parent, tdVec3 direction)
{
    if (parent < 0)
    {
        return tdInvRotate(pose->placement.rotation, direction);
    }
    const float* m = pose->globals[parent].m;
    tdVec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    float xx = tdDot(x, x), yy = tdDot(y, y), zz = tdDot(z, z);
    float limit = TD_UNIFORM_TOLERANCE * xx;
    bool isUniform = tdAbsFloat(yy - xx) <= limit && tdAbsFloat(zz - xx) <= limit &&
                     tdAbsFloat(tdDot(x, y)) <= limit && tdAbsFloat(tdDot(y, z)) <= limit &&
                     tdAbsFloat(tdDot(z, x)) <= limit && tdDot(tdCross(x, y), z) > 0.0f &&
                     pose->mirrorCount == 0;
    if (isUniform)
    {
        return (tdVec3){tdDot(x, direction), tdDot(y, direction), tdDot(z, direction)}; // scaled uniformly
    }
    return tdInvRotate(tdNodePose_ComputeRotation(pose, parent), direction);
}

static tdQuat ComputeAimConstraint(const tdConstraintStep* step, float weight, const tdNodePose* pose)
{
    tdVec3 from = tdComputePosition(pose, step->destination, step->destinationParent);
    tdVec3 to = tdComputePosition(pose, step->source, step->sourceParent);
    tdVec3 direction = tdSub(to, from);
    float squared = tdLengthSquared(direction);
    if (!(squared >= TD_MIN_AIM_SQUARED && squared <= TD_MAX_AIM_SQUARED))
    {
        return step->rest;
    }
    tdVec3 local = tdTurnIntoParent(pose, step->destinationParent, direction);
    // fromTo(axis, local / |local|) = normalize(axis x local, |local| + axis . local)
    float length = sqrtf(tdLengthSquared(local));
    float sum = length + tdDot(step->axis, local);
    tdQuat turn;
    if (!(sum >= TD_OPPOSITE_TOLERANCE * length && length > 0.0f))
    {
        tdVec3 half = tdPerpendicular(step->axis);
        turn = (tdQuat){half.x, half.y, half.z, 0.0f};
    }
    else
    {
        tdVec3 cross = tdCross(step->axis, local);
        // |axis x local|^2 + sum^2 = 2 |local| sum
        float scale = 1.0f / sqrtf(2.0f * length * sum);
        turn = (tdQuat){scale * cross.x, scale * cross.y, scale * cross.z, scale * sum};
    }
    return RenormalizeQuat(tdMulQuat(TakeRotationPart(turn, weight), step->rest));
}

void tdRunConstraint(const tdConstraintStep* step, float weight, tdNodePose* pose)
{
    if (weight == TD_CONSTRAINT_OVERRULED)
    {
        return;
    }
    tdQuat rotation = step->rest;
    if (weight != 0.0f && !step->isInCycle)
    {
        switch (step->kind)
        {
        case TD_CONSTRAINT_ROTATION:
            rotation = ComputeRotationConstraint(step, weight, pose);
            break;
        case TD_CONSTRAINT_ROLL:
            rotation = ComputeRollConstraint(step, weight, pose);
            break;
        case TD_CONSTRAINT_AIM:
            rotation = ComputeAimConstraint(step, weight, pose);
            break;
        }
    }
    tdNodePose_SetRotation(pose, step->destination, rotation);
}

void tdRunConstraints(const tdConstraintList* list, const int* places, int count, const float* weights,
                      tdNodePose* pose)
{
    for (int i = 0; i < count; ++i)
    {
        const tdConstraintStep* step = &list->steps[places[i]];
        if (step->refreshEnd > step->refreshStart)
        {
            tdNodePose_Refresh(pose, list->refreshNodes + step->refreshStart,
                               step->refreshEnd - step->refreshStart);
        }
        tdRunConstraint(step, weights[places[i]], pose);
    }
}
