// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies to nodes: the local transform that puts a node where its simulated body is, at the end of the last
// step or at a time between the last two. Decision: docs/decisions/023-animated-bodies.md.
#include "body_follow.h"

#include "physics_binding.h"

/// Pose of a body at the fraction of the last step that is being shown.
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

static bool IsSimilarity(tdMat3 m)
{
    float xx = tdDot(m.cx, m.cx), yy = tdDot(m.cy, m.cy), zz = tdDot(m.cz, m.cz);
    float tolerance = 1.0e-5f * (xx + yy + zz);
    return tdAbsFloat(xx - yy) <= tolerance && tdAbsFloat(yy - zz) <= tolerance &&
           tdAbsFloat(tdDot(m.cx, m.cy)) <= tolerance && tdAbsFloat(tdDot(m.cy, m.cz)) <= tolerance &&
           tdAbsFloat(tdDot(m.cz, m.cx)) <= tolerance && tdDeterminant(m) > 0.0f;
}

/// Local rotation whose world rotation, under `above` and with the node's scale, is `wanted`. Exact at once
/// unless the parents scale unevenly; then the error is taken out step by step.
static tdQuat FindLocalRotation(tdMat3 above, tdVec3 scale, tdQuat wanted)
{
    tdQuat aboveRotation = tdComputePolar(above).rotation;
    tdQuat local = tdInvMulQuat(aboveRotation, wanted);
    if (IsSimilarity(above))
    {
        return tdNormalizeQuat(local);
    }
    for (int i = 0; i < 12; ++i)
    {
        tdMat3 turned = tdMat3FromQuat(local);
        tdMat3 linear = tdMulMat3(above, (tdMat3){tdScale(scale.x, turned.cx), tdScale(scale.y, turned.cy),
                                                  tdScale(scale.z, turned.cz)});
        tdQuat reached = tdComputePolar(linear).rotation;
        tdQuat error = tdMulQuat(wanted, tdConjugate(reached));
        if (tdAbsFloat(error.w) > 1.0f - 1.0e-7f)
        {
            break;
        }
        tdQuat inside = tdMulQuat(tdInvMulQuat(aboveRotation, error), aboveRotation);
        local = tdNormalizeQuat(tdMulQuat(inside, local));
    }
    return local;
}

/// local = inverse(parent's world) * body's world, the node's own scale kept.
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
