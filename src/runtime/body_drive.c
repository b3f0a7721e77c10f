// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nodes to bodies before a step.
//
// A body is either simulated (its node follows it) or driven (it follows its node). A dynamic body is driven
// while a clip moves its own node, a kinematic body while any writer moves its node or an ancestor. Driven
// bodies are kinematic in the world and reach the pose of their node at the end of the step, so that they
// push other bodies.
#include "body_drive.h"

#include "collider_drive.h"
#include "frame_drive.h"
#include "physics_binding.h"
#include "physics_properties.h"
#include "tracks.h"

#include <string.h>

/// A clip that ends within this part of a step moves its body too little to give a velocity; the body keeps
/// that of the step before.
#define MIN_DRIVEN_PART 0.05f

/// Sine of half the turn of a step below which angle / sine is 2.
#define MIN_TURN_SINE 1.0e-9f

static bool HasWriter(const tdNodeWriters* writers)
{
    return writers->translation != TD_WRITER_REST || writers->rotation != TD_WRITER_REST ||
           writers->scale != TD_WRITER_REST;
}

/// True if a play that has not finished drives the track at `time`.
static bool IsTrackAlive(const tdActor* actor, int track, double time)
{
    if (track < 0)
    {
        return false;
    }
    const tdTrack* t = &actor->tracks.data[track];
    for (int i = 0; i < t->inputCount; ++i)
    {
        const tdPlay* play = &actor->plays.data[actor->inputs.data[t->firstInput + i].play];
        if (play->clip != NULL && !tdPlay_IsFinished(play, time))
        {
            return true;
        }
    }
    return false;
}

/// Updates one of the counters movingAncestorChecks and stretchChecks.
static void UpdateChecks(int* checks, bool isWritten)
{
    *checks = isWritten ? 2 : (*checks == 2 ? 1 : *checks);
}

/// Marks bodies whose node or ancestor has a writer. Goes through subtrees once, so it takes linear time.
static void FindMovedBodies(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdNodeTree* nodes = &actor->scene->nodes;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        physics->bodies[i].isMovedFromAbove = false;
    }
    for (int position = 0; position < nodes->count;)
    {
        // A written node moves its whole subtree: mark the bodies there, then skip the subtree.
        int node = nodes->order[position];
        if (!HasWriter(&actor->writers[node]))
        {
            position += 1;
            continue;
        }
        for (; position < nodes->subtreeEnds[nodes->positions[node]]; ++position)
        {
            int below = nodes->order[position];
            int body = physics->scene->bodyOfNode[below];
            if (body >= 0 && physics->bodies[body].node == below)
            {
                physics->bodies[body].isMovedFromAbove = true;
            }
        }
    }
    bool canMove = false;
    for (int i = 0; i < physics->movingAncestorCount && !canMove; ++i)
    {
        canMove = HasWriter(&actor->writers[physics->movingAncestors[i].node]);
    }
    UpdateChecks(&physics->movingAncestorChecks, canMove);
}

/// Marks bodies at or below a node whose scale has a writer.
static void FindScaledBodies(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdNodeTree* nodes = &actor->scene->nodes;
    bool areAnyScaled = false;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        physics->bodies[i].isScaledFromAbove = false;
    }
    for (int position = 0; position < nodes->count;)
    {
        int node = nodes->order[position];
        if (actor->writers[node].scale == TD_WRITER_REST)
        {
            position += 1;
            continue;
        }
        for (; position < nodes->subtreeEnds[nodes->positions[node]]; ++position)
        {
            int below = nodes->order[position];
            int body = physics->scene->bodyOfNode[below];
            if (body >= 0 && physics->bodies[body].node == below)
            {
                physics->bodies[body].isScaledFromAbove = areAnyScaled = true;
            }
        }
    }
    UpdateChecks(&physics->stretchChecks, areAnyScaled);
}

static bool WantsDrive(const tdActor* actor, const tdBoundBody* body, double time)
{
    if (IsTrackAlive(actor, body->driveTracks[0], time) || IsTrackAlive(actor, body->driveTracks[1], time))
    {
        return true;
    }
    return body->motion != TD_MOTION_DYNAMIC && body->isMovedFromAbove;
}

void tdBodyDrive_FindTracks(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        physics->bodies[i].driveTracks[0] = physics->bodies[i].driveTracks[1] = -1;
    }
    for (int i = 0; i < actor->tracks.count; ++i)
    {
        const tdProperty* target = &actor->tracks.data[i].target;
        if (target->kind != TD_PROPERTY_TRANSLATION && target->kind != TD_PROPERTY_ROTATION)
        {
            continue;
        }
        int body = physics->scene->bodyOfNode[target->object];
        if (body >= 0 && physics->bodies[body].node == target->object)
        {
            physics->bodies[body].driveTracks[target->kind == TD_PROPERTY_ROTATION ? 1 : 0] = i;
        }
    }
}

/// Whether a body that is not driven determines the pose of its node. The node of a static body below another
/// body keeps its place when that one moves; other nodes of static bodies stand still anyway.
static bool HoldsNode(const tdActorPhysics* physics, int body)
{
    return physics->bodies[body].motion != TD_MOTION_STATIC || physics->scene->bodies[body].isNested;
}

void tdBodyDrive_Bind(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    if (physics == NULL)
    {
        return;
    }
    tdBodyDrive_FindTracks(actor);
    FindMovedBodies(actor);
    FindScaledBodies(actor);
    physics->needsStart = true;
    memset(physics->driven, 0, sizeof(uint64_t) * (size_t)actor->pose.wordCount);
    double time = tdStage_GetTime(actor->stage);
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBoundBody* body = &physics->bodies[i];
        body->isDriven = WantsDrive(actor, body, time);
    }
    // In a second pass, because WantsDrive must not take a body for a writer of the bodies below it.
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        const tdBoundBody* body = &physics->bodies[i];
        if (body->isDriven || !HoldsNode(physics, i))
        {
            continue;
        }
        actor->writers[body->node].translation = TD_WRITER_BODY;
        actor->writers[body->node].rotation = TD_WRITER_BODY;
        int position = actor->scene->nodes.positions[body->node];
        physics->driven[position >> 6] |= UINT64_C(1) << (position & 63);
    }
}

bool tdBodyDrive_HasBodyBelow(const tdActor* actor, int node)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    int position = nodes->positions[node] + 1, end = nodes->subtreeEnds[position - 1];
    while (actor->physics != NULL && position < end)
    {
        uint64_t bits = actor->physics->driven[position >> 6] >> (position & 63);
        for (; (bits & 1) == 0 && bits != 0; bits >>= 1)
        {
            position += 1;
        }
        if (bits != 0)
        {
            return position < end;
        }
        position = (position | 63) + 1;
    }
    return false;
}

bool tdBodyDrive_IsMoved(const tdActor* actor, int node)
{
    if (actor->physics == NULL)
    {
        return false;
    }
    int body = actor->physics->scene->bodyOfNode[node];
    return body >= 0 && !actor->physics->bodies[body].isDriven && HoldsNode(actor->physics, body);
}

/// Computes the velocity of a body that goes from one pose to another in `step` seconds.
static void ComputeDrivenVelocity(tdBoundBody* body, tdTransform from, tdTransform to, float step)
{
    tdVec3 before = tdTransformPoint(from, body->centerOfMass);
    tdVec3 after = tdTransformPoint(to, body->centerOfMass);
    body->drivenVelocity = tdScale(1.0f / step, tdSub(after, before));
    tdQuat turn = tdMulQuat(to.rotation, tdConjugate(from.rotation));
    turn = turn.w < 0.0f ? tdNegateQuat(turn) : turn;
    tdVec3 axis = tdQuatVector(turn);
    float sine = tdLength(axis);
    float angle = tdAngleBetween(from.rotation, to.rotation);
    body->drivenSpin =
        sine > MIN_TURN_SINE ? tdScale(angle / (sine * step), axis) : tdScale(2.0f / step, axis);
}

/// Places the simulated bodies below animated nodes at the pose before the first step, with the velocity of
/// the file in the space of the node.
static void StartSimulated(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBoundBody* body = &physics->bodies[i];
        const tdPhysicsBody* source = &physics->scene->bodies[i];
        if (body->isDriven || !body->isMovedFromAbove || body->motion == TD_MOTION_STATIC)
        {
            continue;
        }
        body->previous = body->current = tdPhysicsBinding_GetNodeFrame(actor, body->node);
        tdQuat rotation = body->current.rotation;
        tdBody_SetTransform(world, body->id, body->current);
        tdBody_SetLinearVelocity(world, body->id, tdRotate(rotation, source->fileLinearVelocity));
        tdBody_SetAngularVelocity(world, body->id, tdRotate(rotation, source->fileAngularVelocity));
    }
}

void tdBodyDrive_StartDriven(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    if (!physics->hasStarted)
    {
        physics->hasStarted = true;
        StartSimulated(actor);
    }
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBoundBody* body = &physics->bodies[i];
        if (!body->isDriven || body->wasDriven)
        {
            continue;
        }
        // A teleport: the body gets no velocity from it.
        body->previous = body->current = tdPhysicsBinding_GetNodeFrame(actor, body->node);
        tdBody_SetTransform(actor->stage->world, body->id, body->current);
    }
    tdColliderDrive_Apply(actor, true, false);
    tdFrameDrive_Apply(actor, true, false);
    physics->needsStart = false;
}

bool tdBodyDrive_NeedsBinding(const tdActor* actor, double time)
{
    const tdActorPhysics* physics = actor->physics;
    if (!actor->isBound || physics->needsStart)
    {
        return true;
    }
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        const tdBoundBody* body = &physics->bodies[i];
        bool hasTrack = body->driveTracks[0] >= 0 || body->driveTracks[1] >= 0;
        if (hasTrack && WantsDrive(actor, body, time) != body->isDriven)
        {
            return true;
        }
    }
    return false;
}

/// Seconds of the step in which clips still drive the body's own node.
static float GetDrivenTime(const tdActor* actor, const tdBoundBody* body)
{
    double after = tdStage_GetTime(actor->stage);
    double step = 1.0 / actor->stage->stepRate, longest = 0.0;
    if (WantsDrive(actor, body, after))
    {
        return (float)step;
    }
    for (int k = 0; k < 2; ++k)
    {
        const tdTrack* track = body->driveTracks[k] >= 0 ? &actor->tracks.data[body->driveTracks[k]] : NULL;
        for (int i = 0; track != NULL && i < track->inputCount; ++i)
        {
            const tdPlay* play = &actor->plays.data[actor->inputs.data[track->firstInput + i].play];
            if (play->clip != NULL)
            {
                double left = tdPlay_GetEnd(play) - (after - step);
                longest = left > longest ? left : longest;
            }
        }
    }
    return (float)(longest < step ? longest : step);
}

/// True if a looping clip wraps around in the step. Then nodes may jump.
static bool HasWrapped(const tdActor* actor)
{
    double after = tdStage_GetTime(actor->stage), before = after - 1.0 / actor->stage->stepRate;
    for (int i = 0; i < actor->plays.count; ++i)
    {
        const tdPlay* play = &actor->plays.data[i];
        bool isForward = play->speed >= 0.0f;
        if (play->clip != NULL && play->loop && play->speed != 0.0f &&
            (tdPlay_GetClipTime(play, after) < tdPlay_GetClipTime(play, before)) == isForward)
        {
            return true;
        }
    }
    return false;
}

static void DriveBody(tdActor* actor, tdBoundBody* body, bool hasWrapped)
{
    tdWorld* world = actor->stage->world;
    if (!body->isDriven)
    {
        if (body->wasDriven)
        {
            tdBody_SetMotion(world, body->id, body->motion);
            tdBody_SetLinearVelocity(world, body->id, body->drivenVelocity);
            tdBody_SetAngularVelocity(world, body->id, body->drivenSpin);
            body->wasDriven = false;
        }
        return;
    }
    if (!body->wasDriven)
    {
        tdBody_SetMotion(world, body->id, TD_MOTION_KINEMATIC);
        body->wasDriven = true;
    }
    tdTransform target = tdPhysicsBinding_GetNodeFrame(actor, body->node);
    bool isMoving = memcmp(&target, &body->current, sizeof(target)) != 0;
    float lastTravel =
        (tdLength(body->drivenVelocity) + tdLength(body->drivenSpin)) * tdStage_GetStepSeconds(actor->stage);
    if (hasWrapped && tdIsTeleport(tdComputePoseTravel(body->current, target), lastTravel))
    {
        body->previous = body->current = target;
        tdBody_SetTransform(world, body->id, target);
        tdBody_SetTarget(world, body->id, target);
        return;
    }
    // Where a clip ends within the step, the velocity is that of the part in which it moves the body.
    float drivenTime = GetDrivenTime(actor, body);
    if (drivenTime > MIN_DRIVEN_PART * tdStage_GetStepSeconds(actor->stage))
    {
        ComputeDrivenVelocity(body, body->current, target, drivenTime);
    }
    if (isMoving || tdLengthSquared(body->drivenVelocity) > 0.0f)
    {
        tdBody_SetTarget(world, body->id, target);
    }
}

void tdBodyDrive_Apply(tdStage* stage)
{
    for (int a = 0; a < stage->actors.count && stage->bodyActorCount > 0; ++a)
    {
        tdActor* actor = stage->actors.data[a];
        tdActorPhysics* physics = actor->physics;
        if (physics == NULL)
        {
            continue;
        }
        tdPhysicsProperties_Apply(actor);
        bool hasWrapped = HasWrapped(actor);
        for (int i = 0; i < physics->scene->bodyCount; ++i)
        {
            DriveBody(actor, &physics->bodies[i], hasWrapped);
        }
        tdColliderDrive_Apply(actor, false, hasWrapped);
        tdFrameDrive_Apply(actor, false, hasWrapped);
    }
}
