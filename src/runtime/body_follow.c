// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies to nodes: the local transform that puts a node where its simulated body is, at the end of the last
// step or at a time between the last two.
#include "body_follow.h"

#include "physics_binding.h"

/// Pose of a body at followFraction of the last step.
static tdTransform GetShownPose(const tdActorPhysics* physics, const tdBoundBody* body)
{
    if (physics->followFraction >= 1.0 || body->movedStep != physics->poseStep)
    {
        return body->current;
    }
    if (physics->followFraction <= 0.0)
    {
        return body->previous;
    }
    float t = (float)physics->followFraction;
    return (tdTransform){tdLerp(body->previous.position, body->current.position, t),
                         tdSlerp(body->previous.rotation, body->current.rotation, t)};
}

/// Error of the rows of a similarity, relative to the sum of its squared columns, that rounding explains.
#define SIMILARITY_TOLERANCE 1.0e-5f

/// True for a rotation times a uniform scale, mirrored or not.
static bool IsSimilarity(tdMat3 m)
{
    float xx = tdDot(m.cx, m.cx), yy = tdDot(m.cy, m.cy), zz = tdDot(m.cz, m.cz);
    float tolerance = SIMILARITY_TOLERANCE * (xx + yy + zz);
    return tdAbsFloat(xx - yy) <= tolerance && tdAbsFloat(yy - zz) <= tolerance &&
           tdAbsFloat(tdDot(m.cx, m.cy)) <= tolerance && tdAbsFloat(tdDot(m.cy, m.cz)) <= tolerance &&
           tdAbsFloat(tdDot(m.cz, m.cx)) <= tolerance;
}

/// Appends the world rotation of the signs of a scale: F = diag(signs), or -diag(signs) if that is mirrored.
/// F is the identity or a half-turn about the axis whose sign differs from the other two, and its own
/// inverse. A zero takes the sign that mirrors nothing. The half-turn permutes components, so it is exact.
static tdQuat AppendSigns(tdQuat q, tdVec3 scale)
{
    bool x = scale.x < 0.0f, y = scale.y < 0.0f, z = scale.z < 0.0f;
    x = scale.x == 0.0f ? y != z : x;
    y = scale.y == 0.0f ? x != z : y;
    z = scale.z == 0.0f ? x != y : z;
    if (x != y && x != z)
    {
        return (tdQuat){q.w, q.z, -q.y, -q.x};
    }
    if (y != x && y != z)
    {
        return (tdQuat){-q.z, q.w, q.x, -q.y};
    }
    return z != x ? (tdQuat){q.y, -q.x, q.w, -q.z} : q;
}

/// Transposed cofactors: determinant times inverse. Exists for singular matrices.
static tdMat3 ComputeAdjugate(tdMat3 m)
{
    return tdTranspose((tdMat3){tdCross(m.cy, m.cz), tdCross(m.cz, m.cx), tdCross(m.cx, m.cy)});
}

/// Least size of a scale component, relative to the largest, that takes part in the rotation.
#define MIN_SCALE_RATIO 1.0e-3f

/// Local rotation R whose world rotation, under the matrix A above and with the node's scale S, is W. Where A
/// is not a rotation times a uniform scale, A R S = +-W P with P symmetric and positive gives
///   R = rotation of (A^-1 W |S|) F,    F the signs of S as a rotation,
/// with the world rotation of a matrix in the sense of tdRotationOfMat4.
static tdQuat FindLocalRotation(tdMat3 above, tdVec3 scale, tdQuat wanted)
{
    if (IsSimilarity(above))
    {
        tdQuat local = tdInvMulQuat(tdComputePolar(above).rotation, wanted);
        return AppendSigns(tdNormalizeQuat(local), scale);
    }
    tdVec3 sizes = {tdAbsFloat(scale.x), tdAbsFloat(scale.y), tdAbsFloat(scale.z)};
    float least = MIN_SCALE_RATIO * tdMaxFloat(sizes.x, tdMaxFloat(sizes.y, sizes.z));
    least = least > 0.0f ? least : 1.0f;
    tdMat3 turned = tdMulMat3(ComputeAdjugate(above), tdMat3FromQuat(wanted));
    turned.cx = tdScale(tdMaxFloat(sizes.x, least), turned.cx);
    turned.cy = tdScale(tdMaxFloat(sizes.y, least), turned.cy);
    turned.cz = tdScale(tdMaxFloat(sizes.z, least), turned.cz);
    return AppendSigns(tdComputePolar(turned).rotation, scale);
}

/// Sets local = inverse(parent's global) * body's pose, keeping the scale of the node. A tdDriveNodeFcn.
static void FollowBody(void* context, tdNodePose* pose, int node)
{
    const tdActor* actor = context;
    const tdActorPhysics* physics = actor->physics;
    const tdBoundBody* body = &physics->bodies[physics->scene->bodyOfNode[node]];
    if (!physics->hasStarted && body->isMovedFromAbove)
    {
        return; // the body starts where its node is
    }
    tdTransform world = GetShownPose(physics, body);
    int parent = pose->nodes->parents[node];
    if (parent < 0 && !pose->isPlaced)
    {
        tdNodePose_SetTranslation(pose, node, world.position);
        tdNodePose_SetRotation(pose, node, AppendSigns(world.rotation, pose->locals[node].scale));
        return;
    }
    tdMat4 above = parent >= 0 ? pose->globals[parent] : pose->placementMatrix;
    tdNodePose_SetTranslation(pose, node, tdMat4Point(tdInverseAffine(above), world.position));
    tdNodePose_SetRotation(pose, node,
                           FindLocalRotation(tdMat4Linear(above), pose->locals[node].scale, world.rotation));
}

void tdBodyFollow_Start(tdActor* actor, double time)
{
    tdActorPhysics* physics = actor->physics;
    double stepRate = actor->stage->stepRate;
    double behind = (double)physics->poseStep - time * stepRate; // in steps
    physics->followFraction = behind <= 0.0 ? 1.0 : (behind >= 1.0 ? 0.0 : 1.0 - behind);
    actor->pose.driven = physics->driven;
    actor->pose.drive = FollowBody;
    actor->pose.driveContext = actor;
}
