// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs and sub-steps of piles. The sag of a contact that carries n bodies is n g / (2 pi f)^2 with the
// frequency f of its spring, for any size: for bodies of 5 cm it is 20 times as large, relative to them, as
// for bodies of 1 m. The frequency is bounded by the rate of the sub-steps, so twice as many of them divide
// the sag by four.
#include "physics/world/pile.h"

#include "physics/data/contact_data.h"
#include "physics/data/joint_data.h"
#include "physics/joint/joint_block.h"
#include "physics/solver/solver_data.h"

/// Frequency of contact springs, Hz, and its bound as a share of the rate of sub-steps. Found by trial;
/// test_stability and test_determinism notice a change.
#define CONTACT_HERTZ 30.0f
#define MAX_HERTZ_SHARE 0.125f
/// Share of a frequency that rates of sub-steps reach in spite of rounding.
#define ROUNDING_SHARE 0.99f
/// Sag, relative to the inner radius of a body, with which piles stand. Found by trial; test_pile notices a
/// change. A pyramid of 60 rows of 1 m has 0.02.
#define SOFT_SAG 0.025f
/// Share of the loaded manifolds of an island that must need stiffer springs. In walls and pyramids whose
/// contacts sag, most do; in heaps a few carry a large part of the load, and those do not buckle. Once the
/// springs are stiff, the worst contacts decide. Found by trial; test_pile notices a change.
#define FIRST_SHARE 0.2f
#define NEXT_SHARE 0.02f
/// Part of that share for which the springs stay: a manifold that asked for them still needs them.
#define STAY_PART 0.5f
/// Share of manifolds with moving bodies up to which an island rests. Where bodies are poured onto each other
/// nearly all move, and their impacts ask for springs that they do not need later.
#define MAX_MOVING 0.3f
/// Share of its inner radius whose fall gives the speed from which on a body moves.
#define MOVING_SHARE 0.05f
/// Steps from one count of the manifolds to the next.
#define COUNT_STEPS 4
/// Most by which the frequency changes per step: springs that become stiff at once throw the bodies that
/// overlap.
#define HERTZ_GROWTH 1.08f
/// Steps after which springs that may be softer are.
#define FIRM_STEPS 120

/// Frequency of the springs without stiffening.
static float GetBaseHertz(const tdWorld* world, float timeStep)
{
    float subStep = timeStep / (float)world->subStepCount;
    float invSubStep = subStep > 0.0f ? 1.0f / subStep : 0.0f;
    return tdMinFloat(CONTACT_HERTZ, MAX_HERTZ_SHARE * invSubStep);
}

float tdWorld_GetContactHertz(const tdWorld* world, float timeStep)
{
    float subStep = timeStep / (float)tdWorld_GetSubStepCount(world);
    float invSubStep = subStep > 0.0f ? 1.0f / subStep : 0.0f;
    return tdMinFloat(world->hertzScale * GetBaseHertz(world, timeStep), MAX_HERTZ_SHARE * invSubStep);
}

float tdWorld_GetSoftSag(const tdWorld* world)
{
    // The springs are stiff enough if the sag will be small when they have their frequency.
    float ratio = (float)world->springScale / world->hertzScale;
    return SOFT_SAG * ratio * ratio;
}

/// Impulses of the warm start are those of a sub-step.
static void ScaleContactImpulses(const tdWorld* world, float ratio)
{
    for (int i = 0; i < world->contacts.count; ++i)
    {
        const tdContact* contact = &world->contacts.data[i];
        if (contact->kind != TD_CONTACT_TOUCHING)
        {
            continue;
        }
        const tdTouchingContact* touching =
            contact->denseIndex >= 0 ? &world->touchingContacts.data[contact->denseIndex] : NULL;
        int first = touching != NULL ? touching->firstManifold : contact->firstManifold;
        int count = touching != NULL ? touching->manifoldCount : contact->manifoldCount;
        for (int j = 0; j < count; ++j)
        {
            tdContactManifold* manifold = &world->manifolds[first + j];
            manifold->frictionImpulse = tdScale(ratio, manifold->frictionImpulse);
            manifold->twistImpulse *= ratio;
            for (int k = 0; k < manifold->pointCount; ++k)
            {
                manifold->points[k].normalImpulse *= ratio;
            }
        }
    }
}

static void ScaleJointImpulses(const tdWorld* world, float ratio)
{
    const tdJointSet* set = world->joints;
    for (int i = 0; i < set->joints.count; ++i)
    {
        const tdJoint* joint = &set->joints.data[i];
        for (int b = 0; joint->isLive && b < joint->blockCount; ++b)
        {
            tdJointBlock* block = &joint->blocks[b];
            for (int k = 0; k < 3; ++k)
            {
                block->impulse[k] *= ratio;
            }
            block->last[0] *= ratio;
            block->last[1] *= ratio;
        }
    }
}

/// Least factor of the sub-steps, a power of two, that the frequency of the springs needs.
static int FindSubStepScale(const tdWorld* world)
{
    float rate = (float)world->subStepCount / world->timeStep;
    float hertz = (float)world->springScale * GetBaseHertz(world, world->timeStep);
    int scale = 1;
    while (scale < world->springScale && MAX_HERTZ_SHARE * rate * (float)scale < ROUNDING_SHARE * hertz)
    {
        scale *= 2;
    }
    return scale;
}

/// True if the bodies of a contact approach, part or slide.
static bool AreBodiesMoving(const tdWorld* world, const tdTouchingContact* touching)
{
    int a = tdMaxInt(touching->simA, 0), b = tdMaxInt(touching->simB, 0);
    tdVec3 velocity = tdSub(world->states[b].linearVelocity, world->states[a].linearVelocity);
    float radiusA = world->tilts[a].pileRadius, radiusB = world->tilts[b].pileRadius;
    bool areBoth = radiusA > 0.0f && radiusB > 0.0f;
    float radius = areBoth ? tdMinFloat(radiusA, radiusB) : tdMaxFloat(radiusA, radiusB);
    return tdDot(velocity, velocity) > 2.0f * tdLength(world->gravity) * MOVING_SHARE * radius;
}

/// Counts the loaded manifolds of each island by the springs that they need; finds the largest need.
static tdSpringNeed FindNeed(tdWorld* world)
{
    for (int i = 0; i < world->islands.count; ++i)
    {
        tdIsland* island = &world->islands.data[i];
        island->loadedManifolds = island->softManifolds = island->keptManifolds = island->movingManifolds = 0;
    }
    for (int i = 0; i < world->touchingContacts.count; ++i)
    {
        const tdTouchingContact* touching = &world->touchingContacts.data[i];
        tdIsland* island = tdWorld_FindContactIsland(world, touching);
        if (island == NULL)
        {
            continue;
        }
        island->movingManifolds += AreBodiesMoving(world, touching) ? touching->manifoldCount : 0;
        for (int j = 0; j < touching->manifoldCount; ++j)
        {
            const tdContactManifold* manifold = &world->manifolds[touching->firstManifold + j];
            island->loadedManifolds += manifold->totalImpulse > 0.0f;
            island->softManifolds += manifold->springNeed == TD_SPRINGS_STIFFER;
            island->keptManifolds += manifold->springNeed != TD_SPRINGS_ANY;
        }
    }
    tdSpringNeed need = TD_SPRINGS_ANY;
    for (int i = 0; i < world->islands.count; ++i)
    {
        const tdIsland* island = &world->islands.data[i];
        float loaded = (float)island->loadedManifolds;
        float soft = (float)island->softManifolds, kept = (float)island->keptManifolds;
        bool isResting = (float)island->movingManifolds <= MAX_MOVING * loaded;
        if (isResting && soft > 0.0f && soft >= (world->springScale > 1 ? NEXT_SHARE : FIRST_SHARE) * loaded)
        {
            return TD_SPRINGS_STIFFER;
        }
        if (kept > 0.0f && kept >= STAY_PART * (world->springScale > 2 ? NEXT_SHARE : FIRST_SHARE) * loaded)
        {
            need = TD_SPRINGS_KEPT;
        }
    }
    return need;
}

void tdWorld_StiffenPiles(tdWorld* world)
{
    tdSolver* solver = world->solver;
    if (world->awakeCount <= 1 || !(world->timeStep > 0.0f))
    {
        return;
    }
    bool isNeeded = atomic_exchange_explicit(&solver->needsSprings, 0, memory_order_relaxed) != 0;
    tdSpringNeed need = isNeeded && world->stepIndex % COUNT_STEPS == 0 ? FindNeed(world) : TD_SPRINGS_ANY;
    world->firmSteps = need != TD_SPRINGS_ANY || world->springScale == 1 ? 0 : world->firmSteps + 1;
    if (need == TD_SPRINGS_STIFFER && world->springScale < TD_MAX_SPRING_SCALE)
    {
        world->springScale *= 2;
    }
    if (world->firmSteps >= FIRM_STEPS)
    {
        world->springScale /= 2;
        world->firmSteps = 0;
    }
    world->hertzScale = tdClampFloat((float)world->springScale, world->hertzScale / HERTZ_GROWTH,
                                     world->hertzScale * HERTZ_GROWTH);
    int old = world->subStepScale;
    world->subStepScale = FindSubStepScale(world);
    if (world->subStepScale != old)
    {
        float ratio = (float)old / (float)world->subStepScale;
        ScaleContactImpulses(world, ratio);
        ScaleJointImpulses(world, ratio);
    }
}
