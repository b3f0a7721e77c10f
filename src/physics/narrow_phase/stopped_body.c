// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Velocities of bodies that continuous collision stops at a moving body.
#include "physics/narrow_phase/stopped_body.h"

#include "math/trig.h"

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
