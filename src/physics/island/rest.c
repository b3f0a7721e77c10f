// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rest test. Sleep must not change motion, and a slow body is not a body at rest: a turntable, a door
// closer or a drift in free space is slow for ever. So two tests decide. A body rests while it is slow or
// jitters about a point, which is cheap and starts the clock. An island whose bodies have all rested long
// enough sleeps only if none of them gets anywhere: rest time is divided into windows, and the displacement
// over the last two of them must be at the noise level of the solver. See docs/decisions/044.
#include "physics/island/rest.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"

#include <math.h>

// Thresholds of the rest clock, found by trial on piles and stacks. test_sleep and test_wake_links notice a
// change of the sleep speed, test_soak one of the jitter thresholds, test_determinism both.
// Bodies of a smaller outer radius than SLEEP_RADIUS have proportionally smaller thresholds.
#define SLEEP_RADIUS 0.02f    // m
#define SLEEP_SPEED 0.05f     // m/s of the fastest point: slower bodies are at rest
#define JITTER_SPEED 0.5f     // m/s of the fastest point: faster bodies are never at rest
#define JITTER_DISTANCE 0.01f // m: a body that stays this close to its anchor pose only jitters
#define JITTER_TIME 0.5f      // s of rest after which the anchor pose moves along

// Thresholds of the displacement test. test_still_motion notices looser ones, test_soak tighter ones.

/// Windows of rest per second. Two of them end before TD_TIME_TO_SLEEP.
#define WINDOW_RATE 10.0f
/// Noise of a lone body in a window, in s^2 times gravity: 0.02 mm under 9.81 m/s^2. A body that starts from
/// rest with 5e-5 of gravity is beyond it when TD_TIME_TO_SLEEP has passed. The residual velocities of the
/// solver are proportional to the velocity that gravity adds in a sub-step.
#define NOISE_TIME_SQUARED 2.0e-6f
/// The same in an island with springs or drives: they move bodies slowly over large distances.
#define DRIVEN_NOISE 0.1f
/// The same in an island without contacts: joints alone make little noise, and a balance on a hinge that is
/// almost even tips slowly.
#define JOINED_NOISE 0.01f
/// The same of a body that static friction holds: it cannot get anywhere, and contacts that settle move it.
#define HELD_NOISE 50.0f
/// Largest share of the static friction that such a body needs.
#define HELD_FRICTION 0.9f
/// Mean displacement of the bodies of an island, in noise levels of a lone body. Bodies of a pile move in
/// different directions; those of a pile that slides do not.
#define MEAN_NOISE 2.0f
/// A window's displacement along gravity that is at most this share of the previous one is a body that sinks
/// into its contacts. It stops by itself.
#define SETTLING_SHARE 0.75f
/// Distance, m, that such a body may still have to go.
#define SETTLING_DISTANCE 0.001f
/// Least cosine between gravity and the normal of a contact that supports a body.
#define SUPPORT_COSINE 0.5f
/// Resolution of coordinates: two units in the last place of a float, relative.
#define RESOLUTION 2.4e-7f
/// Radius, m, of a body without shapes: it has the inertia of its mass at this distance.
#define SHAPELESS_RADIUS 1.0f

/// Thresholds of small bodies are smaller.
static float GetSizeScale(const tdBodySim* sim)
{
    // A body without shapes has no size.
    return sim->outerRadius > 0.0f ? tdMinFloat(sim->outerRadius * (1.0f / SLEEP_RADIUS), 1.0f) : 1.0f;
}

// Bodies that are jammed into each other may jitter without end: renewed contacts push them to and fro by
// less than a millimetre, faster than SLEEP_SPEED. So a body that stays near its anchor pose is at rest too.
// Bodies with joints are tested by speed alone, because a slow swing stays near its anchor.
static bool IsBodyAtRest(tdWorld* world, const tdBodySim* sim)
{
    tdTransform* anchor = &world->restSims[sim->body].transform;
    float scale = GetSizeScale(sim);
    if (sim->sleepSpeed < scale * SLEEP_SPEED)
    {
        if (sim->sleepTime >= JITTER_TIME)
        {
            *anchor = sim->transform;
        }
        return true;
    }
    if (sim->sleepSpeed < scale * JITTER_SPEED && world->bodies.data[sim->body].jointCount == 0)
    {
        tdQuat turn = tdInvMulQuat(anchor->rotation, sim->transform.rotation);
        float turned = 2.0f * tdLength(tdQuatVector(turn)) * sim->outerRadius;
        if (tdDistance(anchor->position, sim->transform.position) + turned < scale * JITTER_DISTANCE)
        {
            return true;
        }
    }
    *anchor = sim->transform;
    return false;
}

// While a body is awake, its rest record (body_data.h, invariant 2) is free and holds the track of its rest:
//
//   transform                   anchor pose of the jitter test
//   startCenter, startRotation  pose at the start of the current window
//   force                       m, displacement of the centre of mass in the last complete window
//   torque                      m, the same in the window before it
//   sleepTime, sleepSpeed       m, displacement of the farthest point by rotation, likewise

static void BeginTrack(tdWorld* world, const tdBodySim* sim)
{
    tdBodySim* track = &world->restSims[sim->body];
    track->startCenter = sim->center;
    track->startRotation = sim->transform.rotation;
    track->force = track->torque = (tdVec3){INFINITY, INFINITY, INFINITY};
    track->sleepTime = track->sleepSpeed = INFINITY;
}

static void EndWindow(tdWorld* world, const tdBodySim* sim)
{
    tdBodySim* track = &world->restSims[sim->body];
    float radius = sim->outerRadius > 0.0f ? sim->outerRadius : SHAPELESS_RADIUS;
    tdQuat turn = tdInvMulQuat(track->startRotation, sim->transform.rotation);
    track->torque = track->force;
    track->sleepSpeed = track->sleepTime;
    track->force = tdSub(sim->center, track->startCenter);
    track->sleepTime = 2.0f * tdLength(tdQuatVector(turn)) * radius;
    track->startCenter = sim->center;
    track->startRotation = sim->transform.rotation;
}

static int CountWindows(float restTime)
{
    // The sum of 60 Hz steps may be short of a window's end by rounding.
    return (int)(restTime * WINDOW_RATE + 0.001f);
}

void tdWorld_UpdateRest(tdWorld* world, tdBodySim* sim, float timeStep)
{
    if (!IsBodyAtRest(world, sim) || (sim->flags & TD_BODY_NO_SLEEP) != 0)
    {
        sim->sleepTime = 0.0f;
        return;
    }
    if (sim->sleepTime == 0.0f)
    {
        BeginTrack(world, sim);
    }
    float restTime = sim->sleepTime + timeStep;
    if (CountWindows(restTime) > CountWindows(sim->sleepTime))
    {
        EndWindow(world, sim);
    }
    sim->sleepTime = restTime;
}

static bool IsTouching(const tdWorld* world, int body)
{
    bool isTouching = false;
    for (int key = world->bodies.data[body].contactHead; key >= 0 && !isTouching;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        isTouching = contact->kind == TD_CONTACT_TOUCHING;
        key = contact->edges[key & 1].next;
    }
    return isTouching;
}

/// Smallest displacement, m, that the coordinates of a body can show: those of its centre far from the
/// origin, and those of its farthest point when its rotation is rounded.
static float GetResolution(const tdBodySim* sim)
{
    return RESOLUTION * (tdLength(sim->center) + sim->outerRadius);
}

/// The part of a displacement that the coordinates of the centre can show, axis by axis.
static tdVec3 RemoveRounding(tdVec3 displacement, tdVec3 center)
{
    return (tdVec3){
        tdMaxFloat(tdAbsFloat(displacement.x) - RESOLUTION * tdAbsFloat(center.x), 0.0f),
        tdMaxFloat(tdAbsFloat(displacement.y) - RESOLUTION * tdAbsFloat(center.y), 0.0f),
        tdMaxFloat(tdAbsFloat(displacement.z) - RESOLUTION * tdAbsFloat(center.z), 0.0f),
    };
}

/// Whether the last two displacements of a body without contacts are at most `level`, m. Far from the origin,
/// contacts pass the rounding of one coordinate on to the others and to the rotation. Without them a body
/// turns, and moves along the other axes, as exactly as anywhere.
static bool IsStillExactly(const tdBodySim* sim, const tdBodySim* track, float level)
{
    float radius = sim->outerRadius > 0.0f ? sim->outerRadius : SHAPELESS_RADIUS;
    float limit = level + RESOLUTION * radius;
    return track->sleepTime <= limit && track->sleepSpeed <= limit &&
           tdLength(RemoveRounding(track->force, sim->center)) <= limit &&
           tdLength(RemoveRounding(track->torque, sim->center)) <= limit;
}

/// Whether a spring or a drive of the joint can move its bodies.
static bool IsDriven(const tdJoint* joint)
{
    bool isDriven = false;
    for (int i = 0; i < joint->driveCount; ++i)
    {
        const tdJointDrive* drive = &joint->drives[i];
        isDriven |= (drive->stiffness > 0.0f || drive->damping > 0.0f) && drive->maxForce > 0.0f;
    }
    for (int i = 0; i < joint->limitCount; ++i)
    {
        isDriven |= joint->limits[i].stiffness > 0.0f && isfinite(joint->limits[i].stiffness);
    }
    return isDriven;
}

static bool HasDrivenJoint(const tdWorld* world, const tdBody* body)
{
    for (int key = body->jointHead; key >= 0;)
    {
        const tdJoint* joint = &world->joints->joints.data[key >> 1];
        if (!joint->isBroken && IsDriven(joint))
        {
            return true;
        }
        key = joint->next[key & 1];
    }
    return false;
}

/// Whether a displacement along gravity is that of a body that sinks into its contacts and stops soon.
static bool IsSettling(float last, float previous)
{
    float share = last / previous;
    return share >= 0.0f && share <= SETTLING_SHARE &&
           tdAbsFloat(last) * share <= SETTLING_DISTANCE * (1.0f - share);
}

/// The part of a displacement at right angles to gravity.
static tdVec3 RemoveAlong(tdVec3 displacement, tdVec3 down)
{
    return tdMulAdd(displacement, -tdDot(displacement, down), down);
}

/// Whether static friction holds a body: the pressed points of one contact span a surface, and no manifold
/// needs all of its friction. Such a body cannot slide, roll or tip.
static bool IsHeld(const tdWorld* world, int body)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TOUCHING || contact->denseIndex < 0)
        {
            continue;
        }
        const tdTouchingContact* touching = &world->touchingContacts.data[contact->denseIndex];
        int pointCount = 0;
        bool isSticking = true;
        for (int i = 0; i < touching->manifoldCount; ++i)
        {
            const tdContactManifold* manifold = &world->manifolds[touching->firstManifold + i];
            float pressure = 0.0f;
            for (int j = 0; j < manifold->pointCount; ++j)
            {
                float impulse = manifold->points[j].normalImpulse;
                pointCount += impulse > 0.0f ? 1 : 0;
                pressure += impulse;
            }
            float most = HELD_FRICTION * manifold->staticFriction * pressure;
            isSticking = isSticking && (pressure == 0.0f || tdLength(manifold->frictionImpulse) < most);
        }
        if (isSticking && pointCount >= 3)
        {
            return true;
        }
    }
    return false;
}

/// Whether a contact presses on the body along gravity.
static bool IsSupported(const tdWorld* world, const tdBodySim* sim, tdVec3 down)
{
    for (int key = world->bodies.data[sim->body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TOUCHING || contact->denseIndex < 0)
        {
            continue;
        }
        const tdTouchingContact* touching = &world->touchingContacts.data[contact->denseIndex];
        tdQuat a = tdWorld_GetSim(world, touching->simA)->transform.rotation,
               b = tdWorld_GetSim(world, touching->simB)->transform.rotation;
        for (int i = 0; i < touching->manifoldCount; ++i)
        {
            const tdContactManifold* manifold = &world->manifolds[touching->firstManifold + i];
            float cosine = tdDot(tdContactManifold_GetNormal(manifold, a, b), down);
            if (manifold->totalImpulse > 0.0f && tdAbsFloat(cosine) >= SUPPORT_COSINE)
            {
                return true;
            }
        }
    }
    return false;
}

/// Whether the displacements of a body in its last two windows are at most `noise`, m.
static bool IsStill(const tdWorld* world, const tdBodySim* sim, float noise, bool isDriven, tdVec3 down)
{
    const tdBodySim* track = &world->restSims[sim->body];
    float level = noise * GetSizeScale(sim), limit = level + GetResolution(sim);
    tdVec3 last = track->force, previous = track->torque;
    if (!(track->sleepTime <= limit && track->sleepSpeed <= limit))
    {
        return false;
    }
    if ((isDriven || !IsTouching(world, sim->body)) && !IsStillExactly(sim, track, level))
    {
        return false;
    }
    if (tdLength(last) <= limit && tdLength(previous) <= limit)
    {
        return true;
    }
    return tdLength(RemoveAlong(last, down)) <= limit && tdLength(RemoveAlong(previous, down)) <= limit &&
           IsSettling(tdDot(last, down), tdDot(previous, down)) && IsSupported(world, sim, down);
}

/// Noise level of a body of an island in a window, m, and the direction in which its bodies may still sink.
static float ComputeNoise(const tdWorld* world, const tdIsland* island, bool* isDriven, tdVec3* down)
{
    float weight = 0.0f; // largest gravity factor
    *isDriven = false;
    for (int body = island->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        const tdBody* record = &world->bodies.data[body];
        weight = tdMaxFloat(weight, tdAbsFloat(record->gravityFactor));
        *isDriven = *isDriven || HasDrivenJoint(world, record);
    }
    float gravity = tdLength(world->gravity);
    *down = gravity > 0.0f && !*isDriven ? tdScale(1.0f / gravity, world->gravity) : tdVec3_zero;
    return NOISE_TIME_SQUARED * gravity * weight * (*isDriven ? DRIVEN_NOISE : 1.0f);
}

static int CountTouchingBodies(const tdWorld* world, const tdIsland* island)
{
    int count = 0;
    for (int body = island->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        count += IsTouching(world, body) ? 1 : 0;
    }
    return count;
}

bool tdWorld_WouldIslandStay(const tdWorld* world, int island)
{
    const tdIsland* record = &world->islands.data[island];
    bool isDriven;
    tdVec3 down;
    float noise = ComputeNoise(world, record, &isDriven, &down);
    // Bodies that press on each other pass their noise on.
    int touchingCount = CountTouchingBodies(world, record);
    float count = isDriven ? 1.0f : (float)tdMaxInt(touchingCount, 1);
    noise *= touchingCount == 0 ? JOINED_NOISE : 1.0f;
    float crowdNoise = noise * count * sqrtf(sqrtf(count));
    tdVec3 sum = tdVec3_zero;
    float resolution = 0.0f;
    for (int body = record->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        const tdBodySim* sim = &world->sims[world->bodies.data[body].simIndex];
        bool isHeld = !isDriven && IsHeld(world, body);
        float bodyNoise = isHeld ? tdMaxFloat(crowdNoise, HELD_NOISE * noise) : crowdNoise;
        if (!IsStill(world, sim, bodyNoise, isDriven, down))
        {
            return false;
        }
        sum = isHeld ? sum : tdAdd(sum, RemoveAlong(world->restSims[body].force, down));
        resolution += GetResolution(sim);
    }
    return tdLength(sum) <= MEAN_NOISE * noise * (float)record->bodyCount + resolution;
}
