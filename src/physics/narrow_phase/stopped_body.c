// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Velocities of bodies that continuous collision stops at a moving body, and the bodies that touch them.
#include "physics/narrow_phase/stopped_body.h"

#include "math/trig.h"

#include <float.h>

void tdRemoveDeepApproach(tdWorld* world, const tdFastBody* found)
{
    tdBodyState* state = &world->states[found->simIndex];
    int targetIndex = world->bodies.data[found->targetBody].simIndex;
    float invMass = world->sims[found->simIndex].invMass, targetInvMass = 0.0f;
    tdVec3 velocity = found->velocity;
    if (targetIndex > 0 && world->bodies.data[found->targetBody].motion == TD_MOTION_DYNAMIC)
    {
        velocity = world->states[targetIndex].linearVelocity;
        targetInvMass = world->sims[targetIndex].invMass;
    }
    float speed = tdDot(tdSub(state->linearVelocity, velocity), found->normal);
    if (!(speed < 0.0f && invMass > 0.0f))
    {
        return;
    }
    float impulse = speed / (invMass + targetInvMass);
    state->linearVelocity = tdMulSub(state->linearVelocity, impulse * invMass, found->normal);
    if (targetInvMass > 0.0f)
    {
        tdBodyState* target = &world->states[targetIndex];
        target->linearVelocity = tdMulAdd(target->linearVelocity, impulse * targetInvMass, found->normal);
    }
}

void tdKeepStoppedEnergy(const tdWorld* world, const tdBodySim* sim, const tdBodySim* before,
                         tdBodyState* state)
{
    tdQuat from = before->transform.rotation, to = sim->transform.rotation;
    state->angularVelocity = tdRotate(to, tdInvRotate(from, state->angularVelocity));
    float fall = sim->gravityFactor * tdDot(world->gravity, tdSub(sim->center, before->center));
    float square = tdLengthSquared(state->linearVelocity);
    if (fall < 0.0f && square > 0.0f)
    {
        float scale = tdSqrt(tdMaxFloat(1.0f + 2.0f * fall / square, 0.0f));
        state->linearVelocity = tdScale(scale, state->linearVelocity);
    }
}

/// The fast body of a sim reference, NULL if there is none.
/// @param count fast bodies from the first one on that are in the order of their references
static tdFastBody* FindFastBody(const tdWorld* world, int count, int sim)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (world->fastBodies.data[middle].simIndex < sim)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low < count && world->fastBodies.data[low].simIndex == sim ? &world->fastBodies.data[low] : NULL;
}

/// Fraction of the step at which a body runs into another one that stops.
/// @param contact index of a touching contact between them, side that of the body
/// @param stop fraction at which the other one stops
static float FindBlockedFraction(const tdWorld* world, int contact, int side, float stop)
{
    const tdTouchingContact* touching = &world->touchingContacts.data[contact];
    const tdBodySim *a = &world->sims[touching->simA], *b = &world->sims[touching->simB];
    const tdContactManifold* manifold = &world->manifolds[touching->firstManifold];
    tdVec3 normal = tdContactManifold_GetNormal(manifold, a->startRotation, b->startRotation), armA, armB;
    tdVec3 moveA = tdSub(a->center, a->startCenter), moveB = tdSub(b->center, b->startCenter);
    float gap = FLT_MAX, approach = tdDot(tdSub(moveA, moveB), normal);
    float own = side == 0 ? tdDot(moveA, normal) : -tdDot(moveB, normal);
    for (int k = 0; k < manifold->pointCount; ++k)
    {
        tdContactManifold_GetPoint(manifold, k, a->startRotation, b->startRotation, &armA, &armB);
        tdVec3 between = tdSub(tdAdd(b->startCenter, armB), tdAdd(a->startCenter, armA));
        gap = tdMinFloat(gap, tdDot(between, normal));
    }
    gap = tdMaxFloat(gap - stop * approach, 0.0f);
    return own * (1.0f - stop) > gap ? stop + gap / own : 1.0f;
}

/// Stops the fast bodies that touch one that stops and run into it.
/// @return true if one of them stops earlier than it would have
static bool StopTouchingBodies(tdWorld* world, int count, const tdFastBody* stopped)
{
    bool isAny = false;
    int body = world->sims[stopped->simIndex].body;
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int side = 1 - (key & 1), other = world->bodies.data[contact->edges[side].body].simIndex;
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TOUCHING || contact->denseIndex < 0 || other <= 0 ||
            (world->marks[other] & TD_MARK_BULLET) == 0)
        {
            continue;
        }
        tdFastBody* found = FindFastBody(world, count, other);
        float fraction = FindBlockedFraction(world, contact->denseIndex, side, stopped->fraction);
        if (found != NULL && fraction < found->fraction)
        {
            found->fraction = fraction;
            found->targetBody = body;
            found->targetFast = -1;
            found->isDeep = found->isFollowed = found->isBlocked = false;
            found->impulse = 0.0f;
            found->isHeldUp = isAny = true;
        }
    }
    return isAny;
}

void tdWorld_StopFollowers(tdWorld* world, int count)
{
    // A column of n bodies needs n rounds, or one if they are listed in its order.
    bool isAny = true;
    for (int round = 0; round < count && isAny; ++round)
    {
        isAny = false;
        for (int i = 0; i < count; ++i)
        {
            const tdFastBody* found = &world->fastBodies.data[i];
            bool isDynamic =
                found->fraction < 1.0f && world->bodies.data[found->targetBody].motion == TD_MOTION_DYNAMIC;
            bool stops = isDynamic || (found->isFollowed && found->isBlocked);
            if (stops && found->fraction < 1.0f)
            {
                isAny = StopTouchingBodies(world, count, found) || isAny;
            }
        }
    }
}
