// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of the body arrays, the bounds of speed, and the world-space inertia of a body.
#include "physics/data/body_data.h"

#include "physics/data/world_data.h"

#include <math.h>
#include <string.h>

/// Components are clamped to this before a length is computed, so that their squares are finite. m/s, rad/s
#define MAX_COMPONENT 1.0e18f
/// A clamped speed is a little below its bound, so that rounding does not leave it above.
#define CLAMPED_FRACTION 0.999999f

static void* CopyToLarger(tdWorld* world, const void* old, int oldCount, int newCount, size_t size)
{
    void* memory = tdAllocateZeroed(&world->allocator, (size_t)newCount * size, 64);
    if (memory != NULL && oldCount > 0)
    {
        memcpy(memory, old, (size_t)oldCount * size);
    }
    return memory;
}

bool tdWorld_ReserveBodies(tdWorld* world, int count)
{
    if (count + 1 <= world->bodyCapacity)
    {
        return true;
    }
    int old = world->bodyCapacity;
    int capacity = tdMaxInt(count + 1, old + old / 2 + 8);
    tdBodySim* restSims = CopyToLarger(world, world->restSims, old, capacity, sizeof(tdBodySim));
    tdBodySim* sims = CopyToLarger(world, world->sims, old, capacity, sizeof(tdBodySim));
    tdBodyState* states = CopyToLarger(world, world->states, old, capacity, sizeof(tdBodyState));
    tdTilt* tilts = CopyToLarger(world, world->tilts, old, capacity, sizeof(tdTilt));
    uint32_t* displacements = CopyToLarger(world, world->displacements, old, capacity, sizeof(uint32_t));
    uint32_t* predictedDisplacements =
        CopyToLarger(world, world->predictedDisplacements, old, capacity, sizeof(uint32_t));
    tdStartVelocity* startVelocities =
        CopyToLarger(world, world->startVelocities, old, capacity, sizeof(tdStartVelocity));
    uint8_t* marks = CopyToLarger(world, world->marks, old, capacity, sizeof(uint8_t));
    if (restSims == NULL || sims == NULL || states == NULL || tilts == NULL || displacements == NULL ||
        predictedDisplacements == NULL || startVelocities == NULL || marks == NULL)
    {
        tdRelease(&world->allocator, restSims, (size_t)capacity * sizeof(tdBodySim));
        tdRelease(&world->allocator, sims, (size_t)capacity * sizeof(tdBodySim));
        tdRelease(&world->allocator, states, (size_t)capacity * sizeof(tdBodyState));
        tdRelease(&world->allocator, tilts, (size_t)capacity * sizeof(tdTilt));
        tdRelease(&world->allocator, displacements, (size_t)capacity * sizeof(uint32_t));
        tdRelease(&world->allocator, predictedDisplacements, (size_t)capacity * sizeof(uint32_t));
        tdRelease(&world->allocator, startVelocities, (size_t)capacity * sizeof(tdStartVelocity));
        tdRelease(&world->allocator, marks, (size_t)capacity);
        return false;
    }
    tdRelease(&world->allocator, world->restSims, (size_t)old * sizeof(tdBodySim));
    tdRelease(&world->allocator, world->sims, (size_t)old * sizeof(tdBodySim));
    tdRelease(&world->allocator, world->states, (size_t)old * sizeof(tdBodyState));
    tdRelease(&world->allocator, world->tilts, (size_t)old * sizeof(tdTilt));
    tdRelease(&world->allocator, world->displacements, (size_t)old * sizeof(uint32_t));
    tdRelease(&world->allocator, world->predictedDisplacements, (size_t)old * sizeof(uint32_t));
    tdRelease(&world->allocator, world->startVelocities, (size_t)old * sizeof(tdStartVelocity));
    tdRelease(&world->allocator, world->marks, (size_t)old);
    world->restSims = restSims;
    world->sims = sims;
    world->states = states;
    world->tilts = tilts;
    world->displacements = displacements;
    world->predictedDisplacements = predictedDisplacements;
    world->startVelocities = startVelocities;
    world->marks = marks;
    world->bodyCapacity = capacity;
    if (old == 0)
    {
        world->awakeCount = 1; // slot 0, the identity body
        sims[0].transform = tdTransform_identity;
        sims[0].inertiaOrientation = tdQuat_identity;
        sims[0].startRotation = tdQuat_identity;
        sims[0].body = -1;
        states[0].deltaRotation = tdQuat_identity;
        tilts[0] = (tdTilt){tdVec3_zero, 0.0f};
    }
    return true;
}

// @return whether the vector changed
static bool ClampLength(tdVec3* v, float bound)
{
    if (tdDot(*v, *v) <= bound * bound)
    {
        return false;
    }
    if (isnan(v->x) || isnan(v->y) || isnan(v->z))
    {
        *v = tdVec3_zero;
        return true;
    }
    tdVec3 finite = {tdClampFloat(v->x, -MAX_COMPONENT, MAX_COMPONENT),
                     tdClampFloat(v->y, -MAX_COMPONENT, MAX_COMPONENT),
                     tdClampFloat(v->z, -MAX_COMPONENT, MAX_COMPONENT)};
    *v = tdScale(CLAMPED_FRACTION * bound / tdLength(finite), finite);
    return true;
}

bool tdBodyState_ClampSpeeds(tdBodyState* state)
{
    bool isLinear = ClampLength(&state->linearVelocity, TD_MAX_LINEAR_SPEED);
    bool isAngular = ClampLength(&state->angularVelocity, TD_MAX_ANGULAR_SPEED);
    return isLinear || isAngular;
}

tdSym3 tdComputeWorldInvInertia(const tdBodySim* sim)
{
    // R diag R^T, R from principal axes to world.
    tdMat3 r = tdMat3FromQuat(tdMulQuat(sim->transform.rotation, sim->inertiaOrientation));
    tdVec3 d = sim->invInertiaDiagonal;
    tdVec3 x = tdScale(d.x, r.cx), y = tdScale(d.y, r.cy), z = tdScale(d.z, r.cz);
    return (tdSym3){
        .xx = x.x * r.cx.x + y.x * r.cy.x + z.x * r.cz.x,
        .yy = x.y * r.cx.y + y.y * r.cy.y + z.y * r.cz.y,
        .zz = x.z * r.cx.z + y.z * r.cy.z + z.z * r.cz.z,
        .xy = x.x * r.cx.y + y.x * r.cy.y + z.x * r.cz.y,
        .xz = x.x * r.cx.z + y.x * r.cy.z + z.x * r.cz.z,
        .yz = x.y * r.cx.z + y.y * r.cy.z + z.y * r.cz.z,
    };
}
