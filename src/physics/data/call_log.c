// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Appends calls to a log. output/replay_calls.c reads them.
#include "physics/data/call_log.h"

#include <string.h>

void tdCallLog_Add(tdCallLog* log, tdCall call, const tdCallPart* parts, int partCount)
{
    size_t size = 1;
    for (int i = 0; i < partCount; ++i)
    {
        size += parts[i].size;
    }
    uint8_t* at = size <= (size_t)(INT32_MAX - log->bytes.count)
                      ? tdArray_Add(&log->allocator, &log->bytes, (int)size)
                      : NULL;
    if (at == NULL)
    {
        log->isOutOfMemory = true;
        return;
    }
    *at++ = (uint8_t)call;
    for (int i = 0; i < partCount; ++i)
    {
        if (parts[i].size > 0)
        {
            memcpy(at, parts[i].data, parts[i].size);
        }
        at += parts[i].size;
    }
}

// An id of a recording: index + 1 and the generation of the record.
typedef struct CallId
{
    uint32_t index1, generation;
} CallId;

static CallId MakeCallId(uint32_t index1, uint32_t generation)
{
    return (CallId){index1, generation & TD_CALL_GENERATION_MASK};
}

void tdCallLog_AddOnId(tdCallLog* log, tdCall call, uint32_t index1, uint32_t generation, const void* value,
                       size_t size)
{
    CallId id = MakeCallId(index1, generation);
    const tdCallPart parts[] = {TD_CALL_PART(id), {value, size}};
    tdCallLog_Add(log, call, parts, 2);
}

void tdCallLog_AddBody(tdCallLog* log, const tdBodyDef* def, tdBodyId made)
{
    CallId id = MakeCallId(made.index1, made.generation);
    uint8_t motion = (uint8_t)def->motion;
    uint8_t flags[4] = {def->hasCenterOfMass, def->enableSleep, def->enableContinuous, def->isAwake};
    const tdCallPart parts[] = {
        TD_CALL_PART(id),
        TD_CALL_PART(motion),
        TD_CALL_PART(flags),
        TD_CALL_PART(def->transform),
        TD_CALL_PART(def->linearVelocity),
        TD_CALL_PART(def->angularVelocity),
        TD_CALL_PART(def->mass),
        TD_CALL_PART(def->centerOfMass),
        TD_CALL_PART(def->inertiaDiagonal),
        TD_CALL_PART(def->inertiaOrientation),
        TD_CALL_PART(def->gravityFactor),
        TD_CALL_PART(def->userData),
    };
    tdCallLog_Add(log, TD_CALL_CREATE_BODY, parts, (int)(sizeof(parts) / sizeof(parts[0])));
}

void tdCallLog_AddFilter(tdCallLog* log, const tdFilterDef* def, tdFilterId made)
{
    uint32_t counts[3] = {(uint32_t)def->collisionSystemCount, (uint32_t)def->collideWithCount,
                          (uint32_t)def->notCollideWithCount};
    const tdCallPart parts[] = {
        TD_CALL_PART(made.index1),
        TD_CALL_PART(counts),
        {def->collisionSystems, counts[0] * sizeof(uint32_t)},
        {def->collideWith, counts[1] * sizeof(uint32_t)},
        {def->notCollideWith, counts[2] * sizeof(uint32_t)},
    };
    tdCallLog_Add(log, TD_CALL_CREATE_FILTER, parts, 5);
}

void tdCallLog_AddShape(tdCallLog* log, tdCall call, tdBodyId body, const tdShapeDef* def, tdCallPart sizes,
                        tdShapeId made)
{
    CallId ids[2] = {MakeCallId(made.index1, made.generation), MakeCallId(body.index1, body.generation)};
    uint8_t flags[6] = {def->hasMatrix,
                        def->isTrigger,
                        def->enableContactEvents,
                        def->deferMass,
                        (uint8_t)def->frictionCombine,
                        (uint8_t)def->restitutionCombine};
    const tdCallPart parts[] = {
        TD_CALL_PART(ids),
        TD_CALL_PART(flags),
        TD_CALL_PART(def->local),
        TD_CALL_PART(def->matrix),
        TD_CALL_PART(def->density),
        TD_CALL_PART(def->staticFriction),
        TD_CALL_PART(def->dynamicFriction),
        TD_CALL_PART(def->restitution),
        TD_CALL_PART(def->filter.index1),
        TD_CALL_PART(def->userData),
        sizes,
    };
    tdCallLog_Add(log, call, parts, (int)(sizeof(parts) / sizeof(parts[0])));
}

void tdCallLog_AddJoint(tdCallLog* log, const tdJointDef* def, tdJointId made)
{
    CallId ids[3] = {MakeCallId(made.index1, made.generation),
                     MakeCallId(def->bodyA.index1, def->bodyA.generation),
                     MakeCallId(def->bodyB.index1, def->bodyB.generation)};
    uint32_t counts[2] = {(uint32_t)(def->presetLimitCount + def->limitCount), (uint32_t)def->driveCount};
    uint8_t enableCollision = def->enableCollision;
    const tdCallPart parts[] = {
        TD_CALL_PART(ids),
        TD_CALL_PART(counts),
        TD_CALL_PART(enableCollision),
        TD_CALL_PART(def->frameA),
        TD_CALL_PART(def->frameB),
        TD_CALL_PART(def->breakForce),
        TD_CALL_PART(def->breakTorque),
        TD_CALL_PART(def->userData),
        {def->presetLimits, (size_t)def->presetLimitCount * sizeof(tdJointLimit)},
        {def->limits, (size_t)def->limitCount * sizeof(tdJointLimit)},
        {def->drives, (size_t)def->driveCount * sizeof(tdJointDrive)},
    };
    tdCallLog_Add(log, TD_CALL_CREATE_JOINT, parts, (int)(sizeof(parts) / sizeof(parts[0])));
}

const char* tdCall_GetName(int call)
{
    static const char* const names[TD_CALL_COUNT] = {
#define TD_CALL(id, name) name,
#include "physics/data/calls.def"
#undef TD_CALL
    };
    return call >= 0 && call < TD_CALL_COUNT ? names[call] : "";
}
