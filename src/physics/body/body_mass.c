// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mass properties of a body from its shapes, with overrides, as KHR_physics_rigid_bodies defines them
// ("Motions"):
//
//   mass given       the computed inertia is scaled to it
//   centre given     the computed inertia is used about the given centre, without a shift
//   inertia given    used as is, about the centre of mass
//   no volume        mass 1 kg unless given, inertia mass * DEFAULT_RADIUS^2 about every axis
#include "physics/body/body_mass.h"

#include "geometry/bounds.h"
#include "geometry/mass.h"
#include "physics/data/call_log.h"
#include "physics/data/id.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/contact_activation.h"
#include "physics/joint/joint.h"

#include <math.h>

/// Radius of gyration of a body without volume, m.
#define DEFAULT_RADIUS 1.0f
/// Upper limit of body radii, m; unbounded planes have no finite radius.
#define MAX_BODY_RADIUS 1.0e6f

static float InvertOrZero(float value)
{
    return value > 0.0f && isfinite(value) ? 1.0f / value : 0.0f;
}

static float InvertOrInfinity(float inverse)
{
    return inverse > 0.0f ? 1.0f / inverse : INFINITY;
}

void tdWorld_UpdateRadii(tdWorld* world, int body)
{
    tdBodySim* sim = tdWorld_GetBodySim(world, body);
    float outer = 0.0f, inner = MAX_BODY_RADIUS;
    sim->flags &= ~(uint32_t)TD_BODY_HAS_SURFACE;
    for (int i = world->bodies.data[body].shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        const tdShape* shape = &world->shapes.data[i];
        outer = tdMaxFloat(outer, tdShape_ComputeOuterRadius(&shape->geometry, sim->localCenter));
        bool isTrigger = (shape->flags & TD_SHAPE_TRIGGER) != 0;
        inner = isTrigger ? inner : tdMinFloat(inner, shape->innerRadius);
        if (isTrigger || shape->geometry.kind == TD_SHAPE_MESH)
        {
            sim->flags |= TD_BODY_HAS_SURFACE;
        }
    }
    sim->outerRadius = tdMinFloat(outer, MAX_BODY_RADIUS);
    sim->innerRadius = inner;
}

void tdWorld_GrowRadii(tdWorld* world, int index)
{
    const tdShape* shape = &world->shapes.data[index];
    tdBodySim* sim = tdWorld_GetBodySim(world, shape->body);
    float outer = tdShape_ComputeOuterRadius(&shape->geometry, sim->localCenter);
    sim->outerRadius = tdMinFloat(tdMaxFloat(sim->outerRadius, outer), MAX_BODY_RADIUS);
    bool isTrigger = (shape->flags & TD_SHAPE_TRIGGER) != 0;
    sim->innerRadius = isTrigger ? sim->innerRadius : tdMinFloat(sim->innerRadius, shape->innerRadius);
    if (isTrigger || shape->geometry.kind == TD_SHAPE_MESH)
    {
        sim->flags |= TD_BODY_HAS_SURFACE;
    }
}

static void SetBodyInertia(tdBodySim* sim, tdVec3 inverse, tdQuat orientation)
{
    sim->invInertiaDiagonal = inverse;
    sim->inertiaOrientation = orientation;
    bool isRound = inverse.x == inverse.y && inverse.y == inverse.z;
    sim->flags = (sim->flags & ~(uint32_t)TD_BODY_GYROSCOPIC) | (isRound ? 0u : (uint32_t)TD_BODY_GYROSCOPIC);
    sim->invInertia = tdComputeWorldInvInertia(sim);
}

static void SetBodyCenter(tdWorld* world, int body, tdVec3 localCenter)
{
    tdBodySim* sim = tdWorld_GetBodySim(world, body);
    bool isMoved = localCenter.x != sim->localCenter.x || localCenter.y != sim->localCenter.y ||
                   localCenter.z != sim->localCenter.z;
    sim->localCenter = localCenter;
    sim->center = tdTransformPoint(sim->transform, localCenter);
    sim->startCenter = sim->center;
    sim->startRotation = sim->transform.rotation;
    if (isMoved)
    {
        tdWorld_InvalidateContacts(world, body); // anchors are relative to the centre of mass
    }
}

void tdWorld_UpdateMass(tdWorld* world, int index)
{
    tdBody* body = &world->bodies.data[index];
    tdBodySim* sim = tdWorld_GetBodySim(world, index);
    tdWorld_MarkJointTreesStale(world, index);
    if (body->motion == TD_MOTION_STATIC)
    {
        sim->invMass = 0.0f;
        SetBodyInertia(sim, tdVec3_zero, tdQuat_identity);
        SetBodyCenter(world, index, tdVec3_zero);
        tdWorld_UpdateRadii(world, index);
        return;
    }
    tdMassData total = {0.0f, tdVec3_zero, tdMat3_zero};
    for (int i = body->shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        const tdShape* shape = &world->shapes.data[i];
        if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
        {
            continue;
        }
        tdMassData parts[2] = {total, tdComputeMassData(&shape->geometry, shape->density)};
        if (parts[1].mass > 0.0f && isfinite(parts[1].mass))
        {
            total = total.mass > 0.0f ? tdCombineMassData(parts, 2) : parts[1];
        }
    }
    float mass = body->hasMass ? body->mass : (total.mass > 0.0f ? total.mass : 1.0f);
    tdVec3 center = body->hasCenter ? body->givenCenter : total.center;
    tdVec3 inverse;
    tdQuat orientation = tdQuat_identity;
    if (body->hasInertia)
    {
        tdVec3 given = body->givenInertia;
        inverse = (tdVec3){InvertOrZero(given.x), InvertOrZero(given.y), InvertOrZero(given.z)};
        orientation = body->givenOrientation;
    }
    else if (total.mass > 0.0f)
    {
        float scale = isfinite(mass) ? mass / total.mass : 1.0f;
        tdVec3 diagonal;
        tdDiagonalize(tdScaleMat3(scale, total.inertia), &orientation, &diagonal);
        inverse = (tdVec3){InvertOrZero(diagonal.x), InvertOrZero(diagonal.y), InvertOrZero(diagonal.z)};
    }
    else
    {
        float value = InvertOrZero((isfinite(mass) ? mass : 1.0f) * DEFAULT_RADIUS * DEFAULT_RADIUS);
        inverse = (tdVec3){value, value, value};
    }
    if (body->motion == TD_MOTION_KINEMATIC)
    {
        sim->invMass = 0.0f;
        inverse = tdVec3_zero;
    }
    else
    {
        sim->invMass = InvertOrZero(mass);
    }
    SetBodyInertia(sim, inverse, orientation);
    SetBodyCenter(world, index, center);
    tdWorld_UpdateRadii(world, index);
}

tdBodyMass tdBody_GetMass(const tdWorld* world, tdBodyId id)
{
    const tdBodySim* sim = tdWorld_GetBodySim(world, tdWorld_GetBodyIndex(world, id));
    tdVec3 inverse = sim->invInertiaDiagonal;
    return (tdBodyMass){
        .mass = InvertOrInfinity(sim->invMass),
        .centerOfMass = sim->localCenter,
        .inertiaDiagonal = {InvertOrInfinity(inverse.x), InvertOrInfinity(inverse.y),
                            InvertOrInfinity(inverse.z)},
        .inertiaOrientation = sim->inertiaOrientation,
    };
}

static bool IsValidMass(tdBodyMass mass)
{
    tdVec3 inertia = mass.inertiaDiagonal; // INFINITY is valid, in the mass too
    return mass.mass > 0.0f && tdIsFiniteVec3(mass.centerOfMass) && !isnan(inertia.x) && !isnan(inertia.y) &&
           !isnan(inertia.z) && tdIsFiniteQuat(mass.inertiaOrientation);
}

void tdBody_SetMass(tdWorld* world, tdBodyId id, tdBodyMass mass)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_MASS, id, mass);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    if (!TD_ACCEPT(world, IsValidMass(mass)))
    {
        return;
    }
    tdBody* body = &world->bodies.data[index];
    body->hasMass = true;
    body->mass = mass.mass;
    body->hasCenter = true;
    body->givenCenter = mass.centerOfMass;
    body->hasInertia = true;
    body->givenInertia = mass.inertiaDiagonal;
    body->givenOrientation = tdNormalizeQuat(mass.inertiaOrientation);
    tdWorld_WakeBody(world, index);
    tdWorld_UpdateMass(world, index);
}

void tdBody_ComputeMass(tdWorld* world, tdBodyId id)
{
    TD_LOG_LONE_CALL(world->calls, TD_CALL_BODY_COMPUTE_MASS, id);
    TD_ASSERT(!world->isLocked);
    tdWorld_UpdateMass(world, tdWorld_GetBodyIndex(world, id));
}
