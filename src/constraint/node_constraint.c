// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The three formulas of VRMC_node_constraint, with constants folded (see tdConstraintStep). Since
// slerp(L, L x, w) = L slerp(1, x, w) and slerp(L, x L, w) = slerp(1, x, w) L, one power of a rotation serves
// all.
//
// Choice: the specification leaves these open.
// - aim, source and destination closer than 1e-9 m, or not finite: rest.
// - aim, opposite direction: half a turn about tdPerpendicular of the rest direction.
// - roll, axis turned by half a turn: no twist, that is rest.
#include "node_constraint.h"

#include "math/trig.h"

// One Newton step towards unit length, for quaternions that are off by rounding alone.
static tdQuat Renormalize(tdQuat q)
{
    float s = 1.5f - 0.5f * tdDotQuat(q, q);
    return (tdQuat){s * q.x, s * q.y, s * q.z, s * q.w};
}

tdQuat tdComputeTwist(tdQuat rotation, tdVec3 axis)
{
    float along = rotation.x * axis.x + rotation.y * axis.y + rotation.z * axis.z;
    float squared = along * along + rotation.w * rotation.w; // (1 + cos(swing)) / 2
    if (!(squared > 5.0e-7f))
    {
        return tdQuat_identity;
    }
    float s = 1.0f / sqrtf(squared);
    float v = s * along;
    return (tdQuat){v * axis.x, v * axis.y, v * axis.z, s * rotation.w};
}

tdQuat tdQuatPower(tdQuat rotation, float weight)
{
    if (rotation.w < 0.0f)
    {
        rotation = tdNegateQuat(rotation);
    }
    float sine = tdLength(tdQuatVector(rotation));
    if (!(sine > 1.0e-6f))
    {
        // sin(w x) / sin(x) is w up to x^2
        tdVec3 v = tdScale(weight, tdQuatVector(rotation));
        return (tdQuat){v.x, v.y, v.z, 1.0f};
    }
    tdSinCos part = tdComputeSinCos(weight * tdAtan2(sine, rotation.w));
    tdVec3 v = tdScale(part.sine / sine, tdQuatVector(rotation));
    return (tdQuat){v.x, v.y, v.z, part.cosine};
}

static tdQuat ComputeRotation(const tdConstraintStep* step, float weight, const tdNodePose* pose)
{
    tdQuat target = tdMulQuat(step->left, pose->locals[step->source].rotation);
    if (weight < 1.0f)
    {
        target = tdMulQuat(step->rest, tdQuatPower(tdInvMulQuat(step->rest, target), weight));
    }
    return Renormalize(target);
}

static tdQuat ComputeRoll(const tdConstraintStep* step, float weight, const tdNodePose* pose)
{
    tdQuat delta = tdMulQuat(tdMulQuat(step->left, pose->locals[step->source].rotation), step->right);
    tdQuat twist = tdComputeTwist(delta, step->axis);
    if (weight < 1.0f)
    {
        twist = tdQuatPower(twist, weight);
    }
    return Renormalize(tdMulQuat(step->rest, twist));
}

static tdVec3 ComputePosition(const tdNodePose* pose, int node, int parent)
{
    tdVec3 t = pose->locals[node].translation;
    if (parent < 0)
    {
        return pose->isPlaced ? tdTransformPoint(pose->placement, t) : t;
    }
    return tdMat4Point(pose->globals[parent], t);
}

static tdQuat ComputeAim(const tdConstraintStep* step, float weight, const tdNodePose* pose)
{
    tdVec3 from = ComputePosition(pose, step->destination, step->destinationParent);
    tdVec3 to = ComputePosition(pose, step->source, step->sourceParent);
    tdVec3 direction = tdSub(to, from);
    float squared = tdLengthSquared(direction);
    if (!(squared >= 1.0e-18f && squared <= 3.0e38f))
    {
        return step->rest;
    }
    tdQuat above =
        step->destinationParent >= 0 ? pose->rotations[step->destinationParent] : pose->placement.rotation;
    tdVec3 local = tdInvRotate(above, tdScale(1.0f / sqrtf(squared), direction));
    tdVec3 cross = tdCross(step->axis, local);
    float sum = 1.0f + tdDot(step->axis, local);
    tdQuat turn;
    if (sum < 1.0e-6f)
    {
        tdVec3 half = tdPerpendicular(step->axis);
        turn = (tdQuat){half.x, half.y, half.z, 0.0f};
    }
    else
    {
        turn = tdNormalizeQuat((tdQuat){cross.x, cross.y, cross.z, sum});
    }
    if (weight < 1.0f)
    {
        turn = tdQuatPower(turn, weight);
    }
    return Renormalize(tdMulQuat(turn, step->rest));
}

void tdRunConstraints(const tdConstraintList* list, const int* places, int count, const float* weights,
                      tdNodePose* pose)
{
    for (int i = 0; i < count; ++i)
    {
        const tdConstraintStep* step = &list->steps[places[i]];
        float weight = weights[places[i]];
        for (int k = step->refreshStart; k < step->refreshEnd; ++k)
        {
            tdNodePose_Refresh(pose, list->refreshNodes[k]);
        }
        if (weight < 0.0f)
        {
            continue; // overruled
        }
        tdQuat rotation = step->rest;
        if (weight > 0.0f && !step->isInCycle)
        {
            switch (step->kind)
            {
            case TD_CONSTRAINT_ROTATION:
                rotation = ComputeRotation(step, weight, pose);
                break;
            case TD_CONSTRAINT_ROLL:
                rotation = ComputeRoll(step, weight, pose);
                break;
            case TD_CONSTRAINT_AIM:
                rotation = ComputeAim(step, weight, pose);
                break;
            }
        }
        tdNodePose_SetRotation(pose, step->destination, rotation);
    }
}
