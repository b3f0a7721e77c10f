// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Poses between nodes and bodies, step by step, and events by node.
//
// A body is either simulated (its node follows it) or driven (it follows its node): a dynamic body while a
// clip moves its own node, a kinematic one while anything moves its node or a node above it. Driven bodies
// are kinematic in the world and reach their node's pose at the end of the step, so that they push what is in
// the way.
#include "bridge_actor.h"

#include <string.h>

static bool HasWriter(const tdNodeWriters* writers)
{
    return writers->translation != TD_WRITER_REST || writers->rotation != TD_WRITER_REST ||
           writers->scale != TD_WRITER_REST;
}

/// Whether a play still moves this track at `time`; one that reached its end for good does not.
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

/// Marks bodies whose node, or one above it, somebody writes. Parents first, so that it takes linear time.
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
        // A written node moves everything below it: mark the bodies of its subtree, then go on behind it.
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
    for (int i = 0; i < physics->carrierCount && !canMove; ++i)
    {
        canMove = HasWriter(&actor->writers[physics->carriers[i].node]);
    }
    physics->carrierChecks = canMove ? 2 : (physics->carrierChecks == 2 ? 1 : physics->carrierChecks);
}

static bool WantsDrive(const tdActor* actor, const tdBridgeBody* body, double time)
{
    if (IsTrackAlive(actor, body->driveTracks[0], time) || IsTrackAlive(actor, body->driveTracks[1], time))
    {
        return true;
    }
    return body->motion != TD_MOTION_DYNAMIC && body->isMovedFromAbove;
}

/// Which of the actor's tracks move a body's own node.
static void FindDriveTracks(tdActor* actor)
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

void tdBridge_Bind(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    if (physics == NULL)
    {
        return;
    }
    FindDriveTracks(actor);
    FindMovedBodies(actor);
    memset(physics->driven, 0, sizeof(uint64_t) * (size_t)actor->pose.wordCount);
    double time = tdStage_GetTime(actor->stage);
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBridgeBody* body = &physics->bodies[i];
        body->isDriven = WantsDrive(actor, body, time);
    }
    // After all decisions, since a body's own mark must not look like a writer to the bodies below it.
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        const tdBridgeBody* body = &physics->bodies[i];
        if (body->isDriven || body->motion == TD_MOTION_STATIC)
        {
            continue;
        }
        actor->writers[body->node].translation = TD_WRITER_BODY;
        actor->writers[body->node].rotation = TD_WRITER_BODY;
        int position = actor->scene->nodes.positions[body->node];
        physics->driven[position >> 6] |= UINT64_C(1) << (position & 63);
    }
}

bool tdBridge_HasBodyBelow(const tdActor* actor, int node)
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

bool tdBridge_IsMoved(const tdActor* actor, int node)
{
    if (actor->physics == NULL)
    {
        return false;
    }
    int body = actor->physics->scene->bodyOfNode[node];
    return body >= 0 && !actor->physics->bodies[body].isDriven &&
           actor->physics->bodies[body].motion != TD_MOTION_STATIC;
}

/// Pose of a body at the fraction of the last step that is being shown.
static tdTransform GetShownPose(const tdActorPhysics* physics, const tdBridgeBody* body)
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
    const tdBridgeBody* body = &physics->bodies[physics->scene->bodyOfNode[node]];
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

void tdBridge_Follow(tdActor* actor, double time)
{
    tdActorPhysics* physics = actor->physics;
    double stepRate = actor->stage->stepRate;
    double behind = (double)physics->poseStep - time * stepRate; // in steps
    physics->followFraction = behind <= 0.0 ? 1.0 : (behind >= 1.0 ? 0.0 : 1.0 - behind);
    actor->pose.driven = physics->driven;
    actor->pose.drive = FollowBody;
    actor->pose.driveContext = actor;
}

static float GetStep(const tdStage* stage)
{
    return (float)(1.0 / stage->stepRate);
}

/// Velocity of a body that goes from one pose to another in a step; of its centre of mass.
static void ComputeDrivenVelocity(tdBridgeBody* body, tdTransform from, tdTransform to, float step)
{
    tdVec3 before = tdTransformPoint(from, body->centerOfMass);
    tdVec3 after = tdTransformPoint(to, body->centerOfMass);
    body->drivenVelocity = tdScale(1.0f / step, tdSub(after, before));
    tdQuat turn = tdMulQuat(to.rotation, tdConjugate(from.rotation));
    turn = turn.w < 0.0f ? tdNegateQuat(turn) : turn;
    tdVec3 axis = tdQuatVector(turn);
    float sine = tdLength(axis);
    float angle = tdAngleBetween(from.rotation, to.rotation);
    body->drivenSpin = sine > 1.0e-9f ? tdScale(angle / (sine * step), axis) : tdScale(2.0f / step, axis);
}

void tdBridge_StartDriven(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBridgeBody* body = &physics->bodies[i];
        if (!body->isDriven || body->wasDriven)
        {
            continue;
        }
        // The node says where the body is; no velocity comes of getting there.
        body->previous = body->current = tdBridge_GetNodeFrame(actor, body->node);
        tdBody_SetTransform(actor->stage->world, body->id, body->current);
    }
}

bool tdBridge_NeedsBinding(const tdActor* actor, double time)
{
    const tdActorPhysics* physics = actor->physics;
    if (!actor->isBound)
    {
        return true;
    }
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        const tdBridgeBody* body = &physics->bodies[i];
        bool hasTrack = body->driveTracks[0] >= 0 || body->driveTracks[1] >= 0;
        if (hasTrack && WantsDrive(actor, body, time) != body->isDriven)
        {
            return true;
        }
    }
    return false;
}

/// How long of the step that ends now the clips of a body's own node still run.
static float GetDrivenTime(const tdActor* actor, const tdBridgeBody* body)
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

/// Whether a clip went from its end to its start in the step that ends now. Then things may jump.
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

static float GetTravel(tdTransform from, tdTransform to)
{
    return tdDistance(from.position, to.position) + tdAngleBetween(from.rotation, to.rotation);
}

/// A loop that does not end where it begins: what it moves jumps back, instead of rushing through the scene.
static bool IsJump(float travel, float lastTravel)
{
    return travel > 3.0f * lastTravel + 0.02f;
}

static void DriveBody(tdActor* actor, tdBridgeBody* body, bool hasWrapped)
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
    tdTransform target = tdBridge_GetNodeFrame(actor, body->node);
    bool isMoving = memcmp(&target, &body->current, sizeof(target)) != 0;
    float lastTravel = (tdLength(body->drivenVelocity) + tdLength(body->drivenSpin)) * GetStep(actor->stage);
    if (hasWrapped && IsJump(GetTravel(body->current, target), lastTravel))
    {
        body->previous = body->current = target;
        tdBody_SetTransform(world, body->id, target);
        tdBody_SetTarget(world, body->id, target);
        return;
    }
    // Where a clip ends within the step, the velocity is that of the part it moved the body in; of a sliver
    // of a step, the velocity before is the better one.
    float drivenTime = GetDrivenTime(actor, body);
    if (drivenTime > 0.05f * GetStep(actor->stage))
    {
        ComputeDrivenVelocity(body, body->current, target, drivenTime);
    }
    if (isMoving || tdLengthSquared(body->drivenVelocity) > 0.0f)
    {
        tdBody_SetTarget(world, body->id, target);
    }
}

/// Where a collider is now: rigidly on its node's frame, as it was at load.
static tdTransform GetColliderFrame(const tdActor* actor, const tdBridgeShape* shape)
{
    tdTransform pose = tdMulTransform(tdBridge_GetNodeFrame(actor, shape->node), shape->offset);
    pose.rotation = tdNormalizeQuat(pose.rotation);
    return pose;
}

/// A static collider whose node moved becomes kinematic and pushes.
static void DriveStatic(tdActor* actor, tdBridgeShape* shape, bool hasWrapped)
{
    const tdMat4* global = &actor->pose.globals[shape->node];
    bool moved = memcmp(&shape->lastGlobal, global, sizeof(tdMat4)) != 0;
    if (!moved && !shape->movedLastStep)
    {
        return;
    }
    tdWorld* world = actor->stage->world;
    if (!shape->isStaticMoving)
    {
        shape->isStaticMoving = tdBody_SetMotion(world, shape->staticBody, TD_MOTION_KINEMATIC);
    }
    tdTransform target = GetColliderFrame(actor, shape);
    float travel = GetTravel(tdBody_GetTransform(world, shape->staticBody), target);
    if (hasWrapped && IsJump(travel, shape->lastTravel))
    {
        tdBody_SetTransform(world, shape->staticBody, target);
        travel = shape->lastTravel;
    }
    tdBody_SetTarget(world, shape->staticBody, target);
    shape->lastTravel = travel;
    shape->lastGlobal = *global;
    shape->movedLastStep = moved;
}

/// Which nodes between bodies and colliders moved.
static void FindMovedCarriers(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->carrierCount; ++i)
    {
        tdCarrier* carrier = &physics->carriers[i];
        const tdTrs* local = &actor->pose.locals[carrier->node];
        bool hasChanged = memcmp(local, &carrier->local, sizeof(tdTrs)) != 0;
        carrier->local = *local;
        carrier->hasMoved =
            hasChanged || (carrier->parent >= 0 && physics->carriers[carrier->parent].hasMoved);
    }
}

/// A collider that moved inside its body.
static void DriveCollider(tdActor* actor, const tdBridgeShape* shape)
{
    if (actor->physics->carriers[shape->carrier].hasMoved)
    {
        tdTransform body = tdBridge_GetNodeFrame(actor, actor->physics->bodies[shape->body].node);
        tdTransform local = tdInvMulTransform(body, GetColliderFrame(actor, shape));
        local.rotation = tdNormalizeQuat(local.rotation);
        tdShape_SetLocal(actor->stage->world, shape->id, local);
    }
}

void tdBridge_Drive(tdStage* stage)
{
    for (int a = 0; a < stage->actors.count && stage->bodyActorCount > 0; ++a)
    {
        tdActor* actor = stage->actors.data[a];
        tdActorPhysics* physics = actor->physics;
        if (physics == NULL)
        {
            continue;
        }
        tdBridge_ApplyProperties(actor);
        bool hasWrapped = HasWrapped(actor);
        for (int i = 0; i < physics->scene->bodyCount; ++i)
        {
            DriveBody(actor, &physics->bodies[i], hasWrapped);
        }
        bool lookAtCarriers = physics->carrierChecks > 0;
        if (lookAtCarriers)
        {
            FindMovedCarriers(actor);
            physics->carrierChecks -= physics->carrierChecks == 1 ? 1 : 0;
        }
        for (int i = 0; i < physics->scene->colliderCount; ++i)
        {
            tdBridgeShape* shape = &physics->shapes[i];
            if (shape->body < 0)
            {
                DriveStatic(actor, shape, hasWrapped);
            }
            else if (lookAtCarriers && shape->carrier >= 0)
            {
                DriveCollider(actor, shape);
            }
        }
    }
}

bool tdBridge_Step(tdStage* stage)
{
    if (!tdWorld_Step(stage->world, GetStep(stage)))
    {
        return false;
    }
    for (int a = 0; a < stage->actors.count && stage->bodyActorCount > 0; ++a)
    {
        if (stage->actors.data[a]->physics != NULL)
        {
            stage->actors.data[a]->physics->poseStep = stage->stepIndex;
        }
    }
    int count;
    const tdMovedBody* moved = tdWorld_GetMovedBodies(stage->world, &count);
    for (int i = 0; i < count; ++i)
    {
        tdBridgeBody* body = tdBridge_FindBody(stage, moved[i].body);
        if (body != NULL)
        {
            body->previous = body->current;
            body->current = moved[i].transform;
            body->movedStep = stage->stepIndex;
        }
    }
    return true;
}

/// Adds an event; when memory runs out it is lost and the next step says so.
static void AddTriggerEvent(tdStage* stage, const tdBridgeShape* trigger, int triggerNode,
                            const tdBridgeShape* visitor, bool entered)
{
    int body = visitor != NULL ? visitor->body : -1;
    tdTriggerEvent event = {
        .trigger = trigger->actor,
        .visitor = visitor != NULL ? visitor->actor : NULL,
        .triggerNode = triggerNode,
        .visitorNode = visitor != NULL ? visitor->node : -1,
        .visitorBodyNode = body >= 0 ? visitor->actor->physics->bodies[body].node : -1,
        .entered = entered,
    };
    if (!tdArray_Push(&stage->allocator, &stage->triggers, event))
    {
        stage->isOutOfMemory = true;
    }
}

/// Counts a visitor of a compound trigger; true when it entered the whole or left it.
static bool CountVisitor(tdStage* stage, tdBridgeTrigger* trigger, tdShapeId shape, bool entered)
{
    for (int i = 0; i < trigger->visitors.count; ++i)
    {
        tdVisitor* visitor = &trigger->visitors.data[i];
        if (!tdIsSameShape(visitor->shape, shape))
        {
            continue;
        }
        visitor->count += entered ? 1 : -1;
        if (visitor->count > 0)
        {
            return false;
        }
        tdArray_RemoveSwap(&trigger->visitors, i);
        return true;
    }
    if (entered && !tdArray_Push(&stage->allocator, &trigger->visitors, (tdVisitor){shape, 1}))
    {
        stage->isOutOfMemory = true;
    }
    return entered;
}

/// True for a trigger whose node is itself a compound with this shape among its parts (OMI: shape beside
/// nodes); the compound speaks for it.
static bool IsPartOfItsOwnNode(const tdActorPhysics* physics, const tdBridgeShape* trigger)
{
    const int* compounds = physics->triggersOfShape[trigger->index];
    for (; compounds != NULL && *compounds >= 0; ++compounds)
    {
        if (physics->scene->triggers[*compounds].node == trigger->node)
        {
            return true;
        }
    }
    return false;
}

static void CollectTriggers(tdStage* stage, const tdWorldEvents* events)
{
    for (int i = 0; i < events->triggerCount; ++i)
    {
        const tdWorldTriggerEvent* event = &events->triggers[i];
        tdBridgeShape* trigger = tdBridge_FindShape(stage, event->trigger);
        tdBridgeShape* visitor = tdBridge_FindShape(stage, event->visitor);
        if (trigger == NULL)
        {
            continue; // of the application's own
        }
        tdActorPhysics* physics = trigger->actor->physics;
        const int* compounds = physics->triggersOfShape[trigger->index];
        if (!IsPartOfItsOwnNode(physics, trigger))
        {
            AddTriggerEvent(stage, trigger, trigger->node, visitor, event->entered);
        }
        for (; compounds != NULL && *compounds >= 0; ++compounds)
        {
            // A compound that is entered or left is a part of the one above it.
            for (int c = *compounds; c >= 0; c = physics->scene->triggers[c].parent)
            {
                if (!CountVisitor(stage, &physics->triggers[c], event->visitor, event->entered))
                {
                    break;
                }
                AddTriggerEvent(stage, trigger, physics->scene->triggers[c].node, visitor, event->entered);
            }
        }
    }
}

static void CollectContacts(tdStage* stage, const tdWorldEvents* events)
{
    for (int i = 0; i < events->contactCount; ++i)
    {
        const tdWorldContactEvent* event = &events->contacts[i];
        const tdBridgeShape* a = tdBridge_FindShape(stage, event->shapeA);
        const tdBridgeShape* b = tdBridge_FindShape(stage, event->shapeB);
        if (a == NULL && b == NULL)
        {
            continue;
        }
        tdContactEvent contact = {
            .actorA = a != NULL ? a->actor : NULL,
            .actorB = b != NULL ? b->actor : NULL,
            .nodeA = a != NULL ? a->node : -1,
            .nodeB = b != NULL ? b->node : -1,
            .point = event->point,
            .normal = event->normal,
            .impulse = event->impulse,
            .began = event->began,
        };
        if (contact.actorA == contact.actorB && contact.nodeA > contact.nodeB)
        {
            int node = contact.nodeA;
            contact.nodeA = contact.nodeB;
            contact.nodeB = node;
            contact.normal = tdNegate(contact.normal);
        }
        if (!tdArray_Push(&stage->allocator, &stage->contacts, contact))
        {
            stage->isOutOfMemory = true;
        }
    }
}

void tdBridge_CollectEvents(tdStage* stage)
{
    stage->contacts.count = 0;
    stage->triggers.count = 0;
    tdWorldEvents events = tdWorld_GetEvents(stage->world);
    CollectTriggers(stage, &events);
    CollectContacts(stage, &events);
}
