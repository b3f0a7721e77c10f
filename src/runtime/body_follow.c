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
/// Under non-uniform scale each iteration reduces the error of the local rotation; extreme scales stop here.
#define MAX_ROTATION_ITERATIONS 12
/// 1 - |w| of the remaining error, about 1e-3 rad: float resolution of w next to 1.
#define ROTATION_ERROR 1.0e-7f

static bool IsSimilarity(tdMat3 m)
{
    float xx = tdDot(m.cx, m.cx), yy = tdDot(m.cy, m.cy), zz = tdDot(m.cz, m.cz);
    float tolerance = SIMILARITY_TOLERANCE * (xx + yy + zz);
    return tdAbsFloat(xx - yy) <= tolerance && tdAbsFloat(yy - zz) <= tolerance &&
           tdAbsFloat(tdDot(m.cx, m.cy)) <= tolerance && tdAbsFloat(tdDot(m.cy, m.cz)) <= tolerance &&
           tdAbsFloat(tdDot(m.cz, m.cx)) <= tolerance && tdDeterminant(m) > 0.0f;
}

/// Local rotation whose world rotation, under `above` and with the node's scale, is `wanted`. Closed form
/// unless the ancestors scale non-uniformly; then iterative.
static tdQuat FindLocalRotation(tdMat3 above, tdVec3 scale, tdQuat wanted)
{
    tdQuat aboveRotation = tdComputePolar(above).rotation;
    tdQuat local = tdInvMulQuat(aboveRotation, wanted);
    if (IsSimilarity(above))
    {
        return tdNormalizeQuat(local);
    }
    for (int i = 0; i < MAX_ROTATION_ITERATIONS; ++i)
    {
        tdMat3 turned = tdMat3FromQuat(local);
        tdMat3 linear = tdMulMat3(above, (tdMat3){tdScale(scale.x, turned.cx), tdScale(scale.y, turned.cy),
                                                  tdScale(scale.z, turned.cz)});
        tdQuat reached = tdComputePolar(linear).rotation;
        tdQuat error = tdMulQuat(wanted, tdConjugate(reached));
        if (tdAbsFloat(error.w) > 1.0f - ROTATION_ERROR)
        {
            break;
        }
        tdQuat inside = tdMulQuat(tdInvMulQuat(aboveRotation, error), aboveRotation);
        local = tdNormalizeQuat(tdMulQuat(inside, local));
    }
    return local;
}

/// Sets local = inverse(parent's global) * body's pose, keeping the scale of the node. A tdDriveNodeFcn.
static void FollowBody(void* context, tdNodePose* pose, int node)
{
    const tdActor* actor = context;
    const tdActorPhysics* physics = actor->physics;
    const tdBoundBody* body = &physics->bodies[physics->scene->bodyOfNode[node]];
    tdTransform world = GetShownPose(physics, body);
    int parent = pose->nodes->parents[node];
    if (parent < 0 && !pose->isPlaced)
    {
        tdNodePose_SetTranslation(pose, node, world.position);
        tdNodePose_SetRotation(pose, node, world.rotation);
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
