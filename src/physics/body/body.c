// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The public API of bodies: creation, destruction, motion type, pose, velocity, forces, sleep.
#include "base/def.h"
#include "physics/body/body_mass.h"
#include "physics/body/shape.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/data/call_log.h"
#include "physics/data/fingerprint.h"
#include "physics/data/id.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/contact_activation.h"
#include "physics/island/island.h"
#include "physics/joint/joint.h"

#include <math.h>
#include <string.h>

tdBodyDef tdDefaultBodyDef(void)
{
    return (tdBodyDef){
        .motion = TD_MOTION_STATIC,
        .transform = tdTransform_identity,
        .inertiaOrientation = tdQuat_identity,
        .gravityFactor = 1.0f,
        .enableSleep = true,
        .enableContinuous = true,
        .isAwake = true,
        .cookie = TD_DEF_COOKIE,
    };
}

static uint32_t GetMotionFlags(const tdBody* body)
{
    uint32_t flags = body->motion == TD_MOTION_DYNAMIC ? TD_BODY_DYNAMIC : 0;
    flags |= body->motion == TD_MOTION_KINEMATIC ? TD_BODY_KINEMATIC : 0;
    flags |= body->enableSleep ? 0 : TD_BODY_NO_SLEEP;
    flags |= body->enableContinuous ? 0 : TD_BODY_NO_CONTINUOUS;
    return flags;
}

#define CONFIGURED_FLAGS (TD_BODY_DYNAMIC | TD_BODY_KINEMATIC | TD_BODY_NO_SLEEP | TD_BODY_NO_CONTINUOUS)

static void RefreshFlags(tdWorld* world, int body)
{
    tdBodySim* sim = tdWorld_GetBodySim(world, body);
    sim->flags = (sim->flags & ~(uint32_t)CONFIGURED_FLAGS) | GetMotionFlags(&world->bodies.data[body]);
}

static bool HasValidNumbers(const tdBodyDef* def)
{
    tdVec3 inertia = def->inertiaDiagonal; // INFINITY is valid
    return tdIsFiniteTransform(def->transform) && tdIsFiniteVec3(def->linearVelocity) &&
           tdIsFiniteVec3(def->angularVelocity) && def->mass >= 0.0f && tdIsFiniteVec3(def->centerOfMass) &&
           !isnan(inertia.x) && !isnan(inertia.y) && !isnan(inertia.z) &&
           tdIsFiniteQuat(def->inertiaOrientation) && isfinite(def->gravityFactor);
}

static int AllocateBody(tdWorld* world)
{
    if (world->freeBody >= 0)
    {
        int index = world->freeBody;
        world->freeBody = world->bodies.data[index].nextFree;
        return index;
    }
    world->bodies.data[world->bodies.count] = (tdBody){0};
    return world->bodies.count++;
}

tdBodyId tdCreateBody(tdWorld* world, const tdBodyDef* def)
{
    TD_ASSERT(!world->isLocked);
    tdBodyDef defaults = tdDefaultBodyDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    if (!TD_ACCEPT(world, HasValidNumbers(def)))
    {
        return (tdBodyId){0};
    }
    TD_ASSERT(tdDotQuat(def->transform.rotation, def->transform.rotation) > 0.5f);
    int bodyCount = world->bodies.count + 1;
    if (!tdArray_Reserve(&world->allocator, &world->bodies, bodyCount) ||
        !tdWorld_ReserveBodies(world, world->bodies.capacity) ||
        !tdArray_Reserve(&world->allocator, &world->islands, world->bodies.capacity) ||
        !tdArray_Reserve(&world->allocator, &world->islandScratch, 3 * world->bodies.capacity) ||
        !tdArray_Reserve(&world->allocator, &world->islandRoots, world->bodies.capacity))
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return (tdBodyId){0};
    }
    int index = AllocateBody(world);
    tdBody* body = &world->bodies.data[index];
    uint32_t generation = body->generation + 1;
    bool hasInertia =
        def->inertiaDiagonal.x != 0.0f || def->inertiaDiagonal.y != 0.0f || def->inertiaDiagonal.z != 0.0f;
    *body = (tdBody){
        .generation = generation,
        .motion = (int)def->motion,
        .shapeHead = -1,
        .contactHead = -1,
        .jointHead = -1,
        .island = -1,
        .islandPrevious = -1,
        .islandNext = -1,
        .enableSleep = def->enableSleep,
        .enableContinuous = def->enableContinuous,
        .hasMass = def->mass > 0.0f,
        .hasCenter = def->hasCenterOfMass,
        .hasInertia = hasInertia,
        .mass = def->mass,
        .givenCenter = def->centerOfMass,
        .givenInertia = def->inertiaDiagonal,
        .givenOrientation = tdNormalizeQuat(def->inertiaOrientation),
        .gravityFactor = def->gravityFactor,
        .userData = def->userData,
    };
    tdTransform transform = {def->transform.position, tdNormalizeQuat(def->transform.rotation)};
    world->restSims[index] = (tdBodySim){
        .transform = transform,
        .center = transform.position,
        .gravityFactor = def->gravityFactor,
        .inertiaOrientation = tdQuat_identity,
        .flags = GetMotionFlags(body),
        .body = index,
        .startCenter = transform.position,
        .startRotation = transform.rotation,
    };
    world->liveBodyCount += 1;
    tdWorld_NoteCreation(world, TD_CREATED_BODY, body->motion, index, -1, transform);
    if (def->motion != TD_MOTION_STATIC && (def->isAwake || !world->enableSleep))
    {
        tdWorld_ActivateBody(world, index);
        world->states[body->simIndex].linearVelocity = def->linearVelocity;
        world->states[body->simIndex].angularVelocity = def->angularVelocity;
    }
    if (def->motion == TD_MOTION_DYNAMIC)
    {
        tdWorld_CreateIsland(world, index);
    }
    tdWorld_UpdateMass(world, index);
    tdBodyId id = tdWorld_MakeBodyId(world, index);
    if (tdCallLog_IsOn(world->calls))
    {
        tdCallLog_AddBody(world->calls, def, id);
    }
    return id;
}

void tdDestroyBody(tdWorld* world, tdBodyId id)
{
    TD_LOG_LONE_CALL(world->calls, TD_CALL_DESTROY_BODY, id);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    tdWorld_DestroyJointsOf(world, index);
    tdWorld_DestroyContactsOf(world, index, -1, true);
    tdBody* body = &world->bodies.data[index];
    tdWorld_RemoveParts(world, index);
    while (body->shapeHead >= 0)
    {
        tdWorld_RemoveShape(world, body->shapeHead, true);
    }
    if (body->exclusionCount > 0)
    {
        tdWorld_ForgetExclusions(world, (tdPairSide){index, -1});
    }
    if (body->island >= 0)
    {
        tdWorld_RemoveFromIsland(world, index);
    }
    tdWorld_DeactivateBody(world, index);
    body->motion = -1;
    body->nextFree = world->freeBody;
    world->freeBody = index;
    world->liveBodyCount -= 1;
}

tdMotion tdBody_GetMotion(const tdWorld* world, tdBodyId body)
{
    return (tdMotion)world->bodies.data[tdWorld_GetBodyIndex(world, body)].motion;
}

bool tdBody_SetMotion(tdWorld* world, tdBodyId id, tdMotion motion)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_MOTION, id, motion);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    tdBody* body = &world->bodies.data[index];
    if (body->motion == (int)motion)
    {
        return true;
    }
    tdAabbTreeKind kinds[2] = {TD_AABB_TREE_TRIGGER, motion == TD_MOTION_STATIC    ? TD_AABB_TREE_STATIC
                                                     : motion == TD_MOTION_DYNAMIC ? TD_AABB_TREE_DYNAMIC
                                                                                   : TD_AABB_TREE_KINEMATIC};
    for (int i = 0; i < 2; ++i)
    {
        tdAabbTree* tree = &world->trees[kinds[i]];
        if (!tdAabbTree_Reserve(tree, &world->allocator, tree->leafCount + body->shapeCount) ||
            !tdWorld_ReservePartTree(world, index, body->shapeCount))
        {
            world->status = TD_STATUS_OUT_OF_MEMORY;
            return false;
        }
    }
    tdWorld_WakeBody(world, index);
    tdWorld_DetachJointsOf(world, index);
    tdWorld_DestroySolidContactsOf(world, index);
    if (body->island >= 0)
    {
        tdWorld_RemoveFromIsland(world, index);
    }
    tdVec3 velocity = tdBody_GetLinearVelocity(world, id), spin = tdBody_GetAngularVelocity(world, id);
    tdWorld_DeactivateBody(world, index);
    body->motion = (int)motion;
    tdWorld_InvalidatePartTree(world, index);
    RefreshFlags(world, index);
    if (motion != TD_MOTION_STATIC)
    {
        tdWorld_ActivateBody(world, index);
        world->states[body->simIndex].linearVelocity = velocity;
        world->states[body->simIndex].angularVelocity = spin;
    }
    if (motion == TD_MOTION_DYNAMIC)
    {
        tdWorld_CreateIsland(world, index);
    }
    for (int shape = body->shapeHead; shape >= 0; shape = world->shapes.data[shape].next)
    {
        tdWorld_RefreshProxy(world, shape);
    }
    tdWorld_UpdateMass(world, index);
    tdWorld_InvalidateContacts(world, index);
    tdWorld_AttachJointsOf(world, index);
    return true;
}

tdTransform tdBody_GetTransform(const tdWorld* world, tdBodyId body)
{
    return tdWorld_GetBodySim(world, tdWorld_GetBodyIndex(world, body))->transform;
}

void tdBody_SetTransform(tdWorld* world, tdBodyId id, tdTransform transform)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_TRANSFORM, id, transform);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    if (!TD_ACCEPT(world, tdIsFiniteTransform(transform)))
    {
        return;
    }
    transform.rotation = tdNormalizeQuat(transform.rotation);
    tdWorld_WakeTouching(world, index);
    tdWorld_WakeBody(world, index);
    tdBodySim* sim = tdWorld_GetBodySim(world, index);
    sim->transform = transform;
    sim->center = tdTransformPoint(transform, sim->localCenter);
    sim->startCenter = sim->center;
    sim->startRotation = transform.rotation;
    sim->invInertia = tdComputeWorldInvInertia(sim);
    sim->flags &= ~(uint32_t)(TD_BODY_HAS_TARGET);
    for (int shape = world->bodies.data[index].shapeHead; shape >= 0; shape = world->shapes.data[shape].next)
    {
        tdWorld_RefreshProxy(world, shape);
        tdWorld_WakeNear(world, shape);
    }
    tdWorld_RefitParts(world, index);
    tdWorld_InvalidateContacts(world, index);
    tdWorld_MoveJointsOf(world, index);
}

void tdBody_SetTarget(tdWorld* world, tdBodyId id, tdTransform target)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_TARGET, id, target);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    tdBody* body = &world->bodies.data[index];
    TD_ASSERT(body->motion == TD_MOTION_KINEMATIC);
    if (!TD_ACCEPT(world, tdIsFiniteTransform(target)))
    {
        return;
    }
    target.rotation = tdNormalizeQuat(target.rotation);
    if (body->simIndex == 0 && memcmp(&target, &world->restSims[index].transform, sizeof(target)) == 0)
    {
        return; // at rest there already
    }
    if (body->simIndex == 0)
    {
        tdWorld_WakeBody(world, index);
    }
    if (memcmp(&target, &world->sims[body->simIndex].transform, sizeof(target)) != 0)
    {
        tdWorld_WakeJointsOf(world, index);
    }
    body->target = target;
    world->sims[body->simIndex].flags |= TD_BODY_HAS_TARGET;
}

bool tdBody_GetTarget(const tdWorld* world, tdBodyId id, tdTransform* target)
{
    const tdBody* body = &world->bodies.data[tdWorld_GetBodyIndex(world, id)];
    if (body->simIndex == 0 || (world->sims[body->simIndex].flags & TD_BODY_HAS_TARGET) == 0)
    {
        return false;
    }
    *target = body->target;
    return true;
}

tdVec3 tdBody_GetLinearVelocity(const tdWorld* world, tdBodyId body)
{
    int simIndex = world->bodies.data[tdWorld_GetBodyIndex(world, body)].simIndex;
    return simIndex > 0 ? world->states[simIndex].linearVelocity : tdVec3_zero;
}

tdVec3 tdBody_GetAngularVelocity(const tdWorld* world, tdBodyId body)
{
    int simIndex = world->bodies.data[tdWorld_GetBodyIndex(world, body)].simIndex;
    return simIndex > 0 ? world->states[simIndex].angularVelocity : tdVec3_zero;
}

static bool IsZero(tdVec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// Wake a body to set a velocity.
// @return its state; NULL for a static body, a sleeping one that keeps velocity 0, or a refused value
static tdBodyState* GetStateToSet(tdWorld* world, tdBodyId id, tdVec3 value)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    tdBody* body = &world->bodies.data[index];
    if (!TD_ACCEPT(world, tdIsFiniteVec3(value)) || body->motion == TD_MOTION_STATIC ||
        (body->simIndex == 0 && IsZero(value)))
    {
        return NULL;
    }
    if (!IsZero(value) || body->simIndex == 0)
    {
        tdWorld_WakeBody(world, index);
    }
    world->sims[body->simIndex].flags &= ~(uint32_t)(TD_BODY_HAS_TARGET | TD_BODY_TARGET_DONE);
    return &world->states[body->simIndex];
}

void tdBody_SetLinearVelocity(tdWorld* world, tdBodyId body, tdVec3 velocity)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_LINEAR_VELOCITY, body, velocity);
    tdBodyState* state = GetStateToSet(world, body, velocity);
    if (state != NULL)
    {
        state->linearVelocity = velocity;
    }
}

void tdBody_SetAngularVelocity(tdWorld* world, tdBodyId body, tdVec3 velocity)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_ANGULAR_VELOCITY, body, velocity);
    tdBodyState* state = GetStateToSet(world, body, velocity);
    if (state != NULL)
    {
        state->angularVelocity = velocity;
    }
}

tdVec3 tdBody_GetPointVelocity(const tdWorld* world, tdBodyId body, tdVec3 point)
{
    int index = tdWorld_GetBodyIndex(world, body);
    int simIndex = world->bodies.data[index].simIndex;
    if (simIndex == 0)
    {
        return tdVec3_zero;
    }
    const tdBodyState* state = &world->states[simIndex];
    return tdAdd(state->linearVelocity,
                 tdCross(state->angularVelocity, tdSub(point, world->sims[simIndex].center)));
}

// Wake a dynamic body to apply a force or impulse.
// @return its awake index; 0 for other bodies, for a sleeping one with a zero force, and for refused values
static int WakeForForce(tdWorld* world, tdBodyId id, tdVec3 value, tdVec3 point)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    if (!TD_ACCEPT(world, tdIsFiniteVec3(value) && tdIsFiniteVec3(point)) ||
        world->bodies.data[index].motion != TD_MOTION_DYNAMIC)
    {
        return 0;
    }
    if (!IsZero(value))
    {
        tdWorld_WakeBody(world, index);
    }
    return world->bodies.data[index].simIndex;
}

// Add to the force and torque of the next step, unless a sum overflows.
static void AddForce(tdWorld* world, int simIndex, tdVec3 force, tdVec3 torque)
{
    tdBodySim* sim = &world->sims[simIndex];
    tdVec3 sums[2] = {tdAdd(sim->force, force), tdAdd(sim->torque, torque)};
    if (TD_ACCEPT(world, tdIsFiniteVec3(sums[0]) && tdIsFiniteVec3(sums[1])))
    {
        sim->force = sums[0];
        sim->torque = sums[1];
    }
}

void tdBody_ApplyForce(tdWorld* world, tdBodyId body, tdVec3 force, tdVec3 point)
{
    tdVec3 values[2] = {force, point};
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_APPLY_FORCE, body, values);
    int index = WakeForForce(world, body, force, point);
    if (index > 0)
    {
        AddForce(world, index, force, tdCross(tdSub(point, world->sims[index].center), force));
    }
}

void tdBody_ApplyForceToCenter(tdWorld* world, tdBodyId body, tdVec3 force)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_APPLY_FORCE_TO_CENTER, body, force);
    int index = WakeForForce(world, body, force, tdVec3_zero);
    if (index > 0)
    {
        AddForce(world, index, force, tdVec3_zero);
    }
}

void tdBody_ApplyTorque(tdWorld* world, tdBodyId body, tdVec3 torque)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_APPLY_TORQUE, body, torque);
    int index = WakeForForce(world, body, torque, tdVec3_zero);
    if (index > 0)
    {
        AddForce(world, index, tdVec3_zero, torque);
    }
}

static tdVec3 MulSym3(tdSym3 m, tdVec3 v)
{
    return (tdVec3){m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                    m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

// Change the velocities by impulses, unless one of them overflows.
static void AddImpulse(tdWorld* world, int simIndex, tdVec3 linear, tdVec3 angular)
{
    const tdBodySim* sim = &world->sims[simIndex];
    tdBodyState* state = &world->states[simIndex];
    tdVec3 velocity = tdMulAdd(state->linearVelocity, sim->invMass, linear);
    tdVec3 spin = tdAdd(state->angularVelocity, MulSym3(sim->invInertia, angular));
    if (TD_ACCEPT(world, tdIsFiniteVec3(velocity) && tdIsFiniteVec3(spin)))
    {
        state->linearVelocity = velocity;
        state->angularVelocity = spin;
    }
}

void tdBody_ApplyImpulse(tdWorld* world, tdBodyId body, tdVec3 impulse, tdVec3 point)
{
    tdVec3 values[2] = {impulse, point};
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_APPLY_IMPULSE, body, values);
    int index = WakeForForce(world, body, impulse, point);
    if (index > 0)
    {
        AddImpulse(world, index, impulse, tdCross(tdSub(point, world->sims[index].center), impulse));
    }
}

void tdBody_ApplyImpulseToCenter(tdWorld* world, tdBodyId body, tdVec3 impulse)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_APPLY_IMPULSE_TO_CENTER, body, impulse);
    int index = WakeForForce(world, body, impulse, tdVec3_zero);
    if (index > 0)
    {
        AddImpulse(world, index, impulse, tdVec3_zero);
    }
}

void tdBody_ApplyAngularImpulse(tdWorld* world, tdBodyId body, tdVec3 impulse)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_APPLY_ANGULAR_IMPULSE, body, impulse);
    int index = WakeForForce(world, body, impulse, tdVec3_zero);
    if (index > 0)
    {
        AddImpulse(world, index, tdVec3_zero, impulse);
    }
}

tdVec3 tdBody_GetWorldCenterOfMass(const tdWorld* world, tdBodyId body)
{
    return tdWorld_GetBodySim(world, tdWorld_GetBodyIndex(world, body))->center;
}

float tdBody_GetGravityFactor(const tdWorld* world, tdBodyId body)
{
    return world->bodies.data[tdWorld_GetBodyIndex(world, body)].gravityFactor;
}

void tdBody_SetGravityFactor(tdWorld* world, tdBodyId id, float factor)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_GRAVITY_FACTOR, id, factor);
    int index = tdWorld_GetBodyIndex(world, id);
    if (TD_ACCEPT(world, isfinite(factor)) && world->bodies.data[index].gravityFactor != factor)
    {
        tdWorld_WakeBody(world, index);
        world->bodies.data[index].gravityFactor = factor;
        tdWorld_GetBodySim(world, index)->gravityFactor = factor;
    }
}

bool tdBody_IsAwake(const tdWorld* world, tdBodyId body)
{
    return world->bodies.data[tdWorld_GetBodyIndex(world, body)].simIndex > 0;
}

void tdBody_SetAwake(tdWorld* world, tdBodyId id, bool isAwake)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_AWAKE, id, isAwake);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetBodyIndex(world, id);
    tdBody* body = &world->bodies.data[index];
    if (isAwake)
    {
        tdWorld_WakeBody(world, index);
    }
    else if (body->simIndex > 0 && body->motion == TD_MOTION_KINEMATIC)
    {
        tdWorld_DeactivateBody(world, index);
    }
    else if (body->simIndex > 0)
    {
        tdWorld_SleepIsland(world, body->island);
    }
}

void tdBody_EnableSleep(tdWorld* world, tdBodyId id, bool enable)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_ENABLE_SLEEP, id, enable);
    int index = tdWorld_GetBodyIndex(world, id);
    world->bodies.data[index].enableSleep = enable;
    RefreshFlags(world, index);
    if (!enable)
    {
        tdWorld_WakeBody(world, index);
    }
}

bool tdBody_IsSleepEnabled(const tdWorld* world, tdBodyId body)
{
    return world->bodies.data[tdWorld_GetBodyIndex(world, body)].enableSleep;
}

void tdBody_EnableContinuous(tdWorld* world, tdBodyId id, bool enable)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_ENABLE_CONTINUOUS, id, enable);
    int index = tdWorld_GetBodyIndex(world, id);
    world->bodies.data[index].enableContinuous = enable;
    RefreshFlags(world, index);
}

bool tdBody_IsContinuousEnabled(const tdWorld* world, tdBodyId body)
{
    return world->bodies.data[tdWorld_GetBodyIndex(world, body)].enableContinuous;
}

uint64_t tdBody_GetUserData(const tdWorld* world, tdBodyId body)
{
    return world->bodies.data[tdWorld_GetBodyIndex(world, body)].userData;
}

void tdBody_SetUserData(tdWorld* world, tdBodyId body, uint64_t userData)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_BODY_SET_USER_DATA, body, userData);
    world->bodies.data[tdWorld_GetBodyIndex(world, body)].userData = userData;
}

int tdBody_GetShapes(const tdWorld* world, tdBodyId id, tdShapeId* shapes, int capacity)
{
    int count = 0;
    int shape = world->bodies.data[tdWorld_GetBodyIndex(world, id)].shapeHead;
    for (; shape >= 0; shape = world->shapes.data[shape].next)
    {
        if (count < capacity)
        {
            shapes[count] = tdWorld_MakeShapeId(world, shape);
        }
        count += 1;
    }
    return count;
}
