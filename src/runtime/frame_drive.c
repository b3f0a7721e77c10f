// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joint frames follow their nodes.
//
// A frame at or below a body moves within the body when a node between them moves. A frame without a motion
// above it is fixed in the world, or in the static collider that its side does not collide with, until its
// node moves otherwise. Then the joint is attached to a kinematic body without shapes that the node drives.
#include "frame_drive.h"

#include "collider_drive.h"
#include "physics_binding.h"

#include "physics/broad_phase/exclusion.h"
#include "physics/data/id.h"
#include "physics/joint/joint.h"

#include <string.h>

/// Travel of a frame within its static collider, in m + rad, that rounding explains.
#define FIXED_TRAVEL 1.0e-5f

void tdFrameDrive_Prepare(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsScene* scene = physics->scene;
    for (int i = 0; i < scene->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &scene->joints[i];
        const int bodies[2] = {joint->bodyA, joint->bodyB};
        const int colliders[2] = {joint->staticColliderA, joint->staticColliderB};
        const int nodes[2] = {joint->fileNode, joint->connectedNode < 0 ? -1
                                               : joint->hasTwoFrames    ? joint->connectedNode
                                                                        : joint->fileNode};
        for (int side = 0; side < 2; ++side)
        {
            // The one node of an early OMI joint is below at most one of its bodies: the other keeps the
            // frame that it has at load.
            int node = nodes[side];
            node = node >= 0 && scene->bodyOfNode[node] == bodies[side] ? node : -1;
            physics->frames[2 * i + side] = (tdBoundFrame){
                .node = node,
                .body = bodies[side],
                .staticCollider = colliders[side],
                .movingAncestor = -1,
                .lastGlobal = actor->pose.globals[node >= 0 ? node : 0],
            };
        }
    }
}

static tdBodyId GetJoinedBody(const tdActor* actor, int joint, int side)
{
    const tdWorld* world = actor->stage->world;
    tdJointId id = actor->physics->joints[joint];
    return side == 0 ? tdJoint_GetBodyB(world, id) : tdJoint_GetBodyA(world, id);
}

/// Excludes the body at the other end from collisions with the static collider, as the joint did while it was
/// attached to the collider.
static void SetColliderExclusion(tdActor* actor, int joint, int side, bool isExcluded)
{
    tdBoundFrame* frame = &actor->physics->frames[2 * joint + side];
    tdBodyId other = GetJoinedBody(actor, joint, side);
    if (frame->staticCollider < 0 || other.index1 == 0 || frame->excludesCollider == isExcluded)
    {
        return;
    }
    tdWorld* world = actor->stage->world;
    tdBodyId fixed = actor->physics->shapes[frame->staticCollider].staticBody;
    tdPairSide a = {tdWorld_GetBodyIndex(world, fixed), -1}, b = {tdWorld_GetBodyIndex(world, other), -1};
    frame->excludesCollider = isExcluded;
    if (!isExcluded)
    {
        tdWorld_RemovePairExclusion(world, a, b);
    }
    else if (!tdWorld_AddPairExclusion(world, a, b))
    {
        frame->excludesCollider = false;
        atomic_store_explicit(&actor->stage->isOutOfMemory, true, memory_order_relaxed);
    }
}

void tdFrameDrive_SetEnableCollision(tdActor* actor, int joint, bool enable)
{
    for (int side = 0; side < 2; ++side)
    {
        if (actor->physics->frames[2 * joint + side].attachment.index1 != 0)
        {
            SetColliderExclusion(actor, joint, side, !enable);
        }
    }
}

/// Attaches one side of a joint to a kinematic body of its own.
/// @return false when memory ran out; the next step fails
static bool Attach(tdActor* actor, int joint, int side, tdTransform pose)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    tdBoundFrame* frame = &physics->frames[2 * joint + side];
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_KINEMATIC;
    def.transform = pose;
    frame->attachment = tdCreateBody(world, &def);
    bool isGood = frame->attachment.index1 != 0 && tdJoint_SetSide(world, physics->joints[joint], side,
                                                                   frame->attachment, tdTransform_identity);
    if (!isGood)
    {
        atomic_store_explicit(&actor->stage->isOutOfMemory, true, memory_order_relaxed);
        return false;
    }
    SetColliderExclusion(actor, joint, side, !tdJoint_GetEnableCollision(world, physics->joints[joint]));
    return true;
}

/// Whether the frame is where the static collider takes it.
static bool IsCarried(const tdActor* actor, int joint, int side, tdTransform pose)
{
    const tdActorPhysics* physics = actor->physics;
    const tdWorld* world = actor->stage->world;
    const tdBoundFrame* frame = &physics->frames[2 * joint + side];
    if (frame->staticCollider < 0)
    {
        return false;
    }
    tdBodyId carrier = physics->shapes[frame->staticCollider].staticBody;
    tdJointId id = physics->joints[joint];
    tdTransform local = side == 0 ? tdJoint_GetFrameA(world, id) : tdJoint_GetFrameB(world, id);
    tdTransform target = tdBody_GetTransform(world, carrier);
    tdBody_GetTarget(world, carrier, &target);
    return tdComputePoseTravel(tdMulTransform(target, local), pose) <= FIXED_TRAVEL;
}

/// Moves a frame without a motion above its node.
static void DriveFixedFrame(tdActor* actor, int joint, int side, bool isStart, bool hasWrapped)
{
    tdWorld* world = actor->stage->world;
    tdBoundFrame* frame = &actor->physics->frames[2 * joint + side];
    const tdMat4* global = &actor->pose.globals[frame->node];
    bool moved = memcmp(&frame->lastGlobal, global, sizeof(tdMat4)) != 0;
    if (!moved && (isStart || !frame->movedLastStep))
    {
        return;
    }
    tdTransform target = tdPhysicsBinding_GetNodeFrame(actor, frame->node);
    bool isAttached = frame->attachment.index1 != 0;
    if (!isAttached && !IsCarried(actor, joint, side, target))
    {
        tdTransform from = {tdMat4Translation(frame->lastGlobal), tdRotationOfMat4(frame->lastGlobal)};
        isAttached = Attach(actor, joint, side, isStart ? target : from);
    }
    frame->lastGlobal = *global;
    if (!isAttached)
    {
        return;
    }
    if (isStart)
    {
        tdBody_SetTransform(world, frame->attachment, target);
        frame->lastTravel = 0.0f;
        return;
    }
    float travel = tdComputePoseTravel(tdBody_GetTransform(world, frame->attachment), target);
    if (hasWrapped && tdIsTeleport(travel, frame->lastTravel))
    {
        tdBody_SetTransform(world, frame->attachment, target);
        travel = frame->lastTravel;
    }
    tdBody_SetTarget(world, frame->attachment, target);
    frame->lastTravel = travel;
    frame->movedLastStep = moved;
}

/// Moves a frame within its body.
static void DriveBodyFrame(tdActor* actor, int joint, int side)
{
    const tdActorPhysics* physics = actor->physics;
    const tdBoundFrame* frame = &physics->frames[2 * joint + side];
    const tdBoundBody* body = &physics->bodies[frame->body];
    bool hasMoved = physics->movingAncestorChecks > 0 && frame->movingAncestor >= 0 &&
                    physics->movingAncestors[frame->movingAncestor].hasMoved;
    if (hasMoved || (body->isStretched && frame->node != body->node))
    {
        tdMat4 matrix = tdColliderDrive_GetMatrixInBody(actor, frame->node, frame->body);
        tdTransform local = {tdMat4Translation(matrix), tdRotationOfMat4(matrix)};
        tdJoint_SetSide(actor->stage->world, physics->joints[joint], side, body->id, local);
    }
}

void tdFrameDrive_Apply(tdActor* actor, bool isStart, bool hasWrapped)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < 2 * physics->scene->jointCount; ++i)
    {
        const tdBoundFrame* frame = &physics->frames[i];
        bool isBroken = tdJoint_IsBroken(actor->stage->world, physics->joints[i / 2]);
        if (frame->node < 0 || isBroken)
        {
            continue;
        }
        if (frame->body >= 0)
        {
            DriveBodyFrame(actor, i / 2, i % 2);
        }
        else
        {
            DriveFixedFrame(actor, i / 2, i % 2, isStart, hasWrapped);
        }
    }
    physics->movingAncestorChecks -= !isStart && physics->movingAncestorChecks == 1 ? 1 : 0;
    physics->stretchChecks -= !isStart && physics->stretchChecks == 1 ? 1 : 0;
}
