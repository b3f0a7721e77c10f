// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Summaries: a few numbers per body and joint, updated every step.
#include "tendon/summary.h"

#include "base/array.h"
#include "runtime/physics_binding.h"
#include "runtime/stage.h"

#include "tendon/joint.h"

#define MOST_SAMPLES 4096

struct tdSummary
{
    tdAllocator allocator;
    const tdActor* actor;
    tdBodySummary* bodies;
    tdVec3* centers; // of the bodies, at the last update
    int bodyCount;
    tdJointSummary* joints;
    int jointCount;
    tdArray(tdEnergySample) energy;
    int64_t lookCount;
    int64_t clampedCount;
    int64_t stride; // updates per kept sample
};

static const tdPhysicsScene* GetScene(const tdActor* actor)
{
    return actor->physics != NULL ? actor->physics->scene : NULL;
}

tdSummary* tdCreateSummary(const tdActor* actor)
{
    if (actor == NULL)
    {
        return NULL;
    }
    tdAllocator allocator = tdAllocator_Resolve(&actor->asset->outerAllocator);
    tdSummary* summary = tdAllocateZeroed(&allocator, sizeof(tdSummary), _Alignof(tdSummary));
    if (summary == NULL)
    {
        return NULL;
    }
    const tdPhysicsScene* scene = GetScene(actor);
    summary->allocator = allocator;
    summary->actor = actor;
    summary->stride = 1;
    summary->bodyCount = scene != NULL ? scene->bodyCount : 0;
    summary->jointCount = scene != NULL ? scene->jointCount : 0;
    summary->bodies = tdAllocateZeroed(&allocator, sizeof(tdBodySummary) * (size_t)summary->bodyCount,
                                       _Alignof(tdBodySummary));
    summary->centers =
        tdAllocateZeroed(&allocator, sizeof(tdVec3) * (size_t)summary->bodyCount, _Alignof(tdVec3));
    summary->joints = tdAllocateZeroed(&allocator, sizeof(tdJointSummary) * (size_t)summary->jointCount,
                                       _Alignof(tdJointSummary));
    if (summary->bodies == NULL || summary->centers == NULL || summary->joints == NULL)
    {
        tdDestroySummary(summary);
        return NULL;
    }
    for (int i = 0; i < summary->bodyCount; ++i)
    {
        summary->bodies[i].node = scene->bodies[i].node;
        summary->bodies[i].asleepSince = -1.0;
    }
    for (int i = 0; i < summary->jointCount; ++i)
    {
        summary->joints[i].node = scene->joints[i].node;
    }
    return summary;
}

void tdDestroySummary(tdSummary* summary)
{
    if (summary == NULL)
    {
        return;
    }
    tdAllocator allocator = summary->allocator;
    tdRelease(&allocator, summary->bodies, sizeof(tdBodySummary) * (size_t)summary->bodyCount);
    tdRelease(&allocator, summary->centers, sizeof(tdVec3) * (size_t)summary->bodyCount);
    tdRelease(&allocator, summary->joints, sizeof(tdJointSummary) * (size_t)summary->jointCount);
    tdArray_Free(&allocator, &summary->energy);
    tdRelease(&allocator, summary, sizeof(tdSummary));
}

// Kinetic energy, ½ m v² + ½ w·I w in the principal axes, and potential energy.
static void AddEnergy(tdEnergySample* sample, const tdWorld* world, tdBodyId body, tdQuat rotation,
                      tdVec3 center)
{
    tdBodyMass mass = tdBody_GetMass(world, body);
    tdVec3 v = tdBody_GetLinearVelocity(world, body);
    tdQuat axes = tdMulQuat(rotation, mass.inertiaOrientation);
    tdVec3 w = tdRotate(tdConjugate(axes), tdBody_GetAngularVelocity(world, body));
    const float inertia[3] = {mass.inertiaDiagonal.x, mass.inertiaDiagonal.y, mass.inertiaDiagonal.z};
    const float spin[3] = {w.x, w.y, w.z};
    for (int i = 0; i < 3; ++i)
    {
        sample->kinetic += isfinite(inertia[i]) ? 0.5f * inertia[i] * spin[i] * spin[i] : 0.0f;
    }
    if (isfinite(mass.mass))
    {
        float weight = mass.mass * tdBody_GetGravityFactor(world, body);
        sample->kinetic += 0.5f * mass.mass * tdDot(v, v);
        sample->potential -= weight * tdDot(tdWorld_GetGravity(world), center);
    }
}

static void LookAtBody(tdSummary* summary, const tdWorld* world, int index, double time,
                       tdEnergySample* sample)
{
    tdBodySummary* body = &summary->bodies[index];
    tdBodyId id = tdActor_GetBody(summary->actor, body->node);
    if (!tdBody_IsValid(world, id))
    {
        return;
    }
    tdVec3 center = tdBody_GetWorldCenterOfMass(world, id);
    tdVec3 velocity = tdBody_GetLinearVelocity(world, id);
    if (summary->lookCount > 0)
    {
        body->distance += (double)tdLength(tdSub(center, summary->centers[index]));
    }
    summary->centers[index] = center;
    body->speed = tdLength(velocity);
    if (body->speed > body->maxSpeed)
    {
        body->maxSpeed = body->speed;
        body->maxSpeedTime = time;
    }
    body->pose = tdBody_GetTransform(world, id);
    body->isDynamic = tdBody_GetMotion(world, id) == TD_MOTION_DYNAMIC;
    bool isAwake = tdBody_IsAwake(world, id);
    body->asleepSince = isAwake ? -1.0 : body->asleepSince >= 0.0 ? body->asleepSince : time;
    if (body->isDynamic)
    {
        AddEnergy(sample, world, id, body->pose.rotation, center);
    }
}

static void LookAtJoint(tdSummary* summary, const tdWorld* world, int index)
{
    tdJointSummary* joint = &summary->joints[index];
    tdJointId id = summary->actor->physics->joints[index];
    if (!tdJoint_IsValid(world, id))
    {
        return;
    }
    joint->isBroken = tdJoint_IsBroken(world, id);
    for (int i = 0; i < tdJoint_GetLimitCount(world, id) && !joint->isBroken; ++i)
    {
        tdJointLimit limit = tdJoint_GetLimit(world, id, i);
        float value = tdJoint_GetLimitValue(world, id, i);
        float error = value < limit.min ? limit.min - value : value > limit.max ? value - limit.max : 0.0f;
        float* most = limit.linearAxes != 0 ? &joint->maxLinearError : &joint->maxAngularError;
        if (isinf(limit.stiffness) && error > *most)
        {
            *most = error;
        }
    }
}

static bool KeepSample(tdSummary* summary, tdEnergySample sample)
{
    if (summary->lookCount % summary->stride != 0)
    {
        return true;
    }
    if (summary->energy.count == MOST_SAMPLES)
    {
        for (int i = 0; 2 * i < MOST_SAMPLES; ++i)
        {
            summary->energy.data[i] = summary->energy.data[2 * i];
        }
        summary->energy.count = MOST_SAMPLES / 2;
        summary->stride *= 2;
    }
    return tdArray_Push(&summary->allocator, &summary->energy, sample);
}

bool tdSummary_AddSample(tdSummary* summary)
{
    if (summary == NULL)
    {
        return false;
    }
    const tdWorld* world = summary->actor->stage->world;
    double time = tdStage_GetTime(summary->actor->stage);
    tdEnergySample sample = {.time = time};
    for (int i = 0; i < summary->bodyCount && world != NULL; ++i)
    {
        LookAtBody(summary, world, i, time, &sample);
    }
    for (int i = 0; i < summary->jointCount && world != NULL; ++i)
    {
        LookAtJoint(summary, world, i);
    }
    if (world != NULL && summary->lookCount > 0)
    {
        summary->clampedCount += tdWorld_GetStats(world).clampedCount;
    }
    bool isKept = KeepSample(summary, sample);
    summary->lookCount += 1;
    return isKept;
}

int tdSummary_GetBodyCount(const tdSummary* summary)
{
    return summary != NULL ? summary->bodyCount : 0;
}

tdBodySummary tdSummary_GetBody(const tdSummary* summary, int index)
{
    TD_ASSERT(index >= 0 && index < tdSummary_GetBodyCount(summary));
    return summary->bodies[index];
}

int tdSummary_GetJointCount(const tdSummary* summary)
{
    return summary != NULL ? summary->jointCount : 0;
}

tdJointSummary tdSummary_GetJoint(const tdSummary* summary, int index)
{
    TD_ASSERT(index >= 0 && index < tdSummary_GetJointCount(summary));
    return summary->joints[index];
}

const tdEnergySample* tdSummary_GetEnergy(const tdSummary* summary, int* count)
{
    *count = summary != NULL ? summary->energy.count : 0;
    return *count > 0 ? summary->energy.data : NULL;
}

int64_t tdSummary_GetClampedCount(const tdSummary* summary)
{
    return summary != NULL ? summary->clampedCount : 0;
}
