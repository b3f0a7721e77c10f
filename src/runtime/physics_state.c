// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saved state of bound bodies, colliders, joint frames, triggers and animated properties. Records keep their
// places, because a block is loaded only by a stage with the same actors; ids must be those of the block.
#include "physics_state.h"

#include "body_drive.h"
#include "collider_drive.h"
#include "physics_binding.h"

#include "physics/data/world_data.h"

#include "tendon/joint.h"

/// Bound on a count of parts of a compound trigger that a visitor is in, and on the list of visitors.
#define MAX_VISITORS (1 << 24)

/// Streams an id that never changes. The block must have the same one.
static void StreamFixedId(tdStateStream* stream, uint32_t index1, uint32_t generation)
{
    uint32_t given[2] = {index1, generation & UINT32_C(0xffffff)}, saved[2] = {given[0], given[1]};
    bool isCheck = stream->isCheck;
    stream->isCheck = false;
    tdState_Bytes(stream, saved, sizeof(saved));
    stream->isCheck = isCheck;
    stream->failed = stream->failed || saved[0] != given[0] || saved[1] != given[1];
}

static void StreamFixedBody(tdStateStream* stream, const tdWorld* world, tdBodyId id)
{
    StreamFixedId(stream, id.index1, id.generation);
    stream->failed = stream->failed || (stream->isCheck && id.index1 != 0 && !tdBody_IsValid(world, id));
}

/// Streams the id of a body that may be missing.
static void StreamBodyId(tdStateStream* stream, const tdWorld* world, tdBodyId* id)
{
    tdBodyId saved = *id;
    bool isCheck = stream->isCheck;
    stream->isCheck = false;
    tdState_Value(stream, &saved);
    stream->isCheck = isCheck;
    if (stream->mode != TD_STATE_READ || stream->failed)
    {
        return;
    }
    saved.generation = saved.index1 != 0 ? tdWorld_MakeGeneration(world, saved.generation) : 0;
    stream->failed = isCheck && saved.index1 != 0 && !tdBody_IsValid(world, saved);
    if (tdState_Stores(stream))
    {
        *id = saved;
    }
}

static void StreamBody(tdStateStream* stream, const tdWorld* world, tdBoundBody* body)
{
    int motion = (int)body->motion;
    StreamFixedBody(stream, world, body->id);
    tdState_Int(stream, &motion, TD_MOTION_STATIC, TD_MOTION_DYNAMIC);
    body->motion = (tdMotion)motion;
    tdState_Bool(stream, &body->isDriven);
    tdState_Bool(stream, &body->wasDriven);
    tdState_Value(stream, &body->movedStep);
    tdState_Value(stream, &body->previous);
    tdState_Value(stream, &body->current);
    tdState_Value(stream, &body->drivenVelocity);
    tdState_Value(stream, &body->drivenSpin);
    tdState_Value(stream, &body->centerOfMass);
    tdState_Bool(stream, &body->isMovedFromAbove);
    tdState_Bool(stream, &body->isScaledFromAbove);
    tdState_Value(stream, &body->stretch);
    tdState_Bool(stream, &body->isStretched);
    tdState_Bool(stream, &body->isMassStale);
    tdState_Bool(stream, &body->isCarryingTop);
    tdState_Value(stream, &body->tops);
    tdState_Value(stream, &body->base);
    tdState_Value(stream, &body->animated);
    tdState_Value(stream, &body->mass);
    tdState_Value(stream, &body->center);
    tdState_Value(stream, &body->inertia);
    tdState_Value(stream, &body->orientation);
}

static void StreamShape(tdStateStream* stream, const tdWorld* world, tdBoundShape* shape)
{
    StreamFixedId(stream, shape->id.index1, shape->id.generation);
    stream->failed = stream->failed || (stream->isCheck && !tdShape_IsValid(world, shape->id));
    StreamFixedBody(stream, world, shape->staticBody);
    tdState_Bool(stream, &shape->isHidden);
    tdState_Value(stream, &shape->stretch);
    if (shape->body < 0)
    {
        tdState_Bool(stream, &shape->isStaticMoving);
        tdState_Bool(stream, &shape->movedLastStep);
        tdState_Value(stream, &shape->lastTravel);
        tdState_Value(stream, &shape->lastGlobal);
    }
}

static void StreamFrame(tdStateStream* stream, const tdWorld* world, tdBoundFrame* frame)
{
    if (frame->node >= 0 && frame->body < 0)
    {
        StreamBodyId(stream, world, &frame->attachment);
        tdState_Value(stream, &frame->lastGlobal);
        tdState_Value(stream, &frame->lastTravel);
        tdState_Bool(stream, &frame->movedLastStep);
        tdState_Bool(stream, &frame->excludesCollider);
    }
}

/// Visitors of a compound trigger. The check reserves their memory.
static void StreamVisitors(tdStateStream* stream, const tdActor* actor, tdBoundTrigger* trigger)
{
    const tdStage* stage = actor->stage;
    int count = tdState_Count(stream, trigger->visitors.count, MAX_VISITORS);
    if (stream->mode == TD_STATE_READ && !stream->failed)
    {
        size_t room = (stream->size - stream->at) / sizeof(tdVisitor);
        stream->failed = (size_t)count > room ||
                         (stream->isCheck && !tdArray_Reserve(&stage->allocator, &trigger->visitors, count));
        trigger->visitors.count = tdState_Stores(stream) ? count : trigger->visitors.count;
    }
    for (int i = 0; i < count && !stream->failed; ++i)
    {
        bool isStored = stream->mode != TD_STATE_READ || tdState_Stores(stream);
        tdVisitor unused = {.count = 0};
        tdVisitor* visitor = isStored ? &trigger->visitors.data[i] : &unused;
        tdState_Value(stream, &visitor->shape);
        tdState_Int(stream, &visitor->count, 1, MAX_VISITORS);
        if (tdState_Stores(stream))
        {
            visitor->shape.generation = tdWorld_MakeGeneration(stage->world, visitor->shape.generation);
        }
    }
}

/// Values that clips drive. Nothing changes them in a file whose clips drive no physics.
static void StreamProperties(tdStateStream* stream, tdActorPhysics* physics)
{
    const tdPhysicsScene* scene = physics->scene;
    for (int i = 0; i < physics->pendingCount; ++i)
    {
        tdPendingProperty* entry = &physics->pending[i];
        tdState_Value(stream, &entry->values);
        tdState_Value(stream, &entry->applied);
        tdState_Value(stream, &entry->sampledStep);
        tdState_Bool(stream, &entry->isApplied);
    }
    for (int i = 0; i < scene->materialCount && physics->pendingCount > 0; ++i)
    {
        tdState_Value(stream, &physics->materials[i].staticFriction);
        tdState_Value(stream, &physics->materials[i].dynamicFriction);
        tdState_Value(stream, &physics->materials[i].restitution);
    }
    for (int i = 0; i < scene->shapeCount && physics->pendingCount > 0; ++i)
    {
        tdState_Value(stream, &physics->parameters[i].values);
    }
    int limitCount = physics->pendingCount > 0 ? physics->limitStarts[scene->jointDescCount] : 0;
    for (int i = 0; i < limitCount; ++i)
    {
        tdJointLimit* limit = &physics->limits[i];
        tdState_Value(stream, &limit->min);
        tdState_Value(stream, &limit->max);
        tdState_Value(stream, &limit->stiffness);
        tdState_Value(stream, &limit->damping);
    }
}

/// Only nodes with a body of their own may follow one.
static void CheckDrivenBits(const tdActor* actor, tdStateStream* stream, size_t start)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    for (int word = 0; word < actor->pose.wordCount && !stream->failed; ++word)
    {
        uint64_t bits;
        memcpy(&bits, stream->bytes + start + (size_t)word * sizeof(bits), sizeof(bits));
        for (int k = 0; k < 64 && !stream->failed; ++k)
        {
            int position = 64 * word + k;
            if ((bits >> k & 1) != 0)
            {
                int node = position < nodes->count ? nodes->order[position] : -1;
                int body = node >= 0 ? actor->physics->scene->bodyOfNode[node] : -1;
                stream->failed = body < 0 || actor->physics->bodies[body].node != node;
            }
        }
    }
}

void tdActorPhysics_Stream(tdActor* actor, tdStateStream* stream, const tdWorld* world)
{
    tdActorPhysics* physics = actor->physics;
    if (physics == NULL)
    {
        return;
    }
    const tdPhysicsScene* scene = physics->scene;
    for (int i = 0; i < scene->bodyCount && !stream->failed; ++i)
    {
        StreamBody(stream, world, &physics->bodies[i]);
    }
    for (int i = 0; i < scene->colliderCount && !stream->failed; ++i)
    {
        StreamShape(stream, world, &physics->shapes[i]);
    }
    for (int i = 0; i < scene->jointCount && !stream->failed; ++i)
    {
        StreamFixedId(stream, physics->joints[i].index1, physics->joints[i].generation);
        stream->failed = stream->failed || (stream->isCheck && !tdJoint_IsValid(world, physics->joints[i]));
        StreamFrame(stream, world, &physics->frames[2 * i]);
        StreamFrame(stream, world, &physics->frames[2 * i + 1]);
    }
    for (int i = 0; i < scene->triggerCount && !stream->failed; ++i)
    {
        StreamVisitors(stream, actor, &physics->triggers[i]);
    }
    for (int i = 0; i < physics->movingAncestorCount; ++i)
    {
        tdState_Value(stream, &physics->movingAncestors[i].local);
        tdState_Bool(stream, &physics->movingAncestors[i].hasMoved);
    }
    StreamProperties(stream, physics);
    tdState_Int(stream, &physics->movingAncestorChecks, 0, 2);
    tdState_Int(stream, &physics->stretchChecks, 0, 2);
    tdState_Bool(stream, &physics->hasStarted);
    tdState_Bool(stream, &physics->needsStart);
    tdState_Value(stream, &physics->poseStep);
    tdState_Value(stream, &physics->followFraction);
    size_t start = stream->at;
    tdState_Bytes(stream, physics->driven, (size_t)actor->pose.wordCount * sizeof(uint64_t));
    if (stream->isCheck && !stream->failed)
    {
        CheckDrivenBits(actor, stream, start);
    }
    for (int i = 0; i < scene->colliderCount && tdState_Stores(stream); ++i)
    {
        tdColliderDrive_RestoreMesh(actor, i);
    }
}
