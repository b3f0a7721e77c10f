// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which islands are stacks, and their bodies and contacts. stack_solve.c solves them.
#include "physics/solver/stack.h"

#include "physics/data/color.h"
#include "physics/data/contact_data.h"
#include "physics/data/island_data.h"
#include "physics/data/joint_data.h"
#include "physics/data/scratch.h"
#include "physics/data/world_data.h"
#include "physics/solver/solver_data.h"

#include <float.h>
#include <limits.h>
#include <string.h>

/// Load, in weights of the lighter body, above which a contact makes its island a stack, and above which a
/// stack stays one.
#define STACK_LOAD 8.0f
#define KEEP_LOAD 2.0f
/// The same for faces of bodies so small that their springs would sag too much under less: two leaning boxes
/// of 5 cm fall at 0.98 of their limit on springs (`test_stack`). Less than the weight of one body, because a
/// body on a larger one carries only itself.
#define KEEP_FACE_LOAD 0.9f
/// Share of the load under which springs sag too much, above which a face keeps its stack: two leaning boxes
/// carry only 2 weights. Found by trial; `tendon_stability "2 leaning"` notices a change.
#define KEEP_FACE_SHARE 0.5f
/// Points from which on a manifold is a face.
#define LOADED_FACE_POINTS 3
/// Acceleration that counts as weight without gravity, m/s^2.
#define NO_GRAVITY_ACCELERATION 0.1f
/// Ratio of the masses of two touching bodies above which their island is a stack at once.
#define STACK_MASS_RATIO 8.0f
/// An island is a stack from this many loaded steps on, so that a single impact does not count. Steps without
/// load count down.
#define STACK_STEPS 2
#define MAX_STACK_STEPS 8
/// Value of tdIsland.load of a stack whose rounds do not settle, and the steps without load until it may be a
/// stack again.
#define UNSETTLED_LOAD 255
#define WAIT_STEPS 60
/// Bodies of a stack move by less than this per step relative to their mean, in outer radii and in the fall
/// of a step: direct solutions of impacts need many rounds, and what collides does not buckle.
#define CALM_RADII 0.05f
#define CALM_FALLS 2.0f
/// Most blocks of the matrix per body: denser stacks cost more than passes.
#define MAX_BLOCKS_PER_BODY 6
/// Manifolds per body for which memory is reserved.
#define CONTACTS_PER_BODY 4
/// Overlap that contacts keep, in inner radii of the smaller body: while all points of a face overlap, all of
/// them carry load, and nothing rattles.
#define SLOP_SHARE 1.0e-3
/// Gap up to which rigid points touch, in inner radii of the smaller body.
#define REACH_SHARE 1.0e-5f
/// Bodies of new stacks for which memory is reserved in any case.
#define NEW_STACK_BODIES 256

/// The next power of two: the number of stacks varies from step to step, and memory should not grow each
/// time.
static int RoundUp(int count)
{
    int power = 1;
    while (power < count && power <= INT_MAX / 2)
    {
        power *= 2;
    }
    return tdMaxInt(power, count);
}

/// True if the bodies of an island move slowly relative to each other.
static bool IsCalm(const tdWorld* world, const tdIsland* island)
{
    tdVec3 sum = tdVec3_zero;
    for (int body = island->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        sum = tdAdd(sum, world->states[world->bodies.data[body].simIndex].linearVelocity);
    }
    tdVec3 mean = tdScale(1.0f / (float)island->bodyCount, sum);
    float fall = CALM_FALLS * world->timeStep * tdLength(world->gravity);
    for (int body = island->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        int sim = world->bodies.data[body].simIndex;
        float limit = fall + CALM_RADII * world->sims[sim].outerRadius / world->timeStep;
        tdVec3 v = tdSub(world->states[sim].linearVelocity, mean);
        if (!(tdDot(v, v) < limit * limit))
        {
            return false;
        }
    }
    return true;
}

bool tdStackSet_Reserve(tdStackSet* stacks, tdWorld* world, int contactCount)
{
    int islands = 0, bodies = 0, pairs = 0;
    for (int i = 0; i < world->islands.count && world->loadedIslandCount > 0; ++i)
    {
        const tdIsland* island = &world->islands.data[i];
        if (island->isAwake && island->loadedSteps > 0 && island->bodyCount <= TD_MAX_STACK_BODIES &&
            IsCalm(world, island))
        {
            islands += 1;
            bodies += island->bodyCount;
            pairs += island->bodyCount * island->bodyCount;
        }
    }
    // Islands that form or merge before the step uses this memory need some too, so that a new stack is rigid
    // from its first step on. The limits must not depend on capacities: a loaded world may have others.
    int most = world->bodyCapacity, live = world->liveBodyCount;
    stacks->bodyLimit = tdMinInt(bodies + NEW_STACK_BODIES, live);
    stacks->pairLimit = tdMinInt(pairs + NEW_STACK_BODIES * TD_MAX_STACK_BODIES,
                                 tdMinInt(live, TD_MAX_STACK_BODIES) * stacks->bodyLimit);
    stacks->stackLimit = tdMinInt(islands + NEW_STACK_BODIES / 2, live);
    stacks->contactLimit = CONTACTS_PER_BODY * stacks->bodyLimit;
    stacks->blockLimit = MAX_BLOCKS_PER_BODY * stacks->bodyLimit;
    int least = tdMinInt(NEW_STACK_BODIES, most);
    return tdWorld_GrowScratch(world, (void**)&stacks->items, &stacks->capacity, 0,
                               RoundUp(tdMaxInt(stacks->stackLimit, least / 2)), sizeof(tdStack)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->bodies, &stacks->bodyCapacity, 0,
                               RoundUp(tdMaxInt(stacks->bodyLimit, least)), sizeof(tdStackBody)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->contacts, &stacks->contactCapacity, 0,
                               RoundUp(tdMaxInt(stacks->contactLimit, CONTACTS_PER_BODY * least)),
                               sizeof(tdStackContact)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->blocks, &stacks->blockCapacity, 0,
                               RoundUp(tdMaxInt(stacks->blockLimit, MAX_BLOCKS_PER_BODY * least)),
                               sizeof(tdStackBlock)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->lookup, &stacks->lookupCapacity, 0,
                               RoundUp(tdMaxInt(stacks->pairLimit, least * TD_MAX_STACK_BODIES)),
                               sizeof(int16_t)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->local, &stacks->localCapacity, 0, most, sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->stackOf, &stacks->stackOfCapacity, 0, most,
                               sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->places, &stacks->placeCapacity, 0, contactCount,
                               sizeof(int));
}

void tdStackSet_Free(tdStackSet* stacks, const tdAllocator* allocator)
{
    tdRelease(allocator, stacks->items, (size_t)stacks->capacity * sizeof(tdStack));
    tdRelease(allocator, stacks->bodies, (size_t)stacks->bodyCapacity * sizeof(tdStackBody));
    tdRelease(allocator, stacks->contacts, (size_t)stacks->contactCapacity * sizeof(tdStackContact));
    tdRelease(allocator, stacks->blocks, (size_t)stacks->blockCapacity * sizeof(tdStackBlock));
    tdRelease(allocator, stacks->lookup, (size_t)stacks->lookupCapacity * sizeof(int16_t));
    tdRelease(allocator, stacks->local, (size_t)stacks->localCapacity * sizeof(int));
    tdRelease(allocator, stacks->stackOf, (size_t)stacks->stackOfCapacity * sizeof(int));
    tdRelease(allocator, stacks->places, (size_t)stacks->placeCapacity * sizeof(int));
    *stacks = (tdStackSet){0};
}

/// Update the load history of all islands by the step before.
static void UpdateLoads(tdWorld* world)
{
    world->loadedIslandCount = world->smallIslandCount = 0;
    for (int i = 0; i < world->islands.count; ++i)
    {
        tdIsland* island = &world->islands.data[i];
        int load = atomic_load_explicit(&island->load, memory_order_relaxed), steps = island->loadedSteps;
        bool isSmall = island->bodyCount >= 2 && island->bodyCount <= TD_MAX_STACK_BODIES && island->isAwake;
        if (load == UNSETTLED_LOAD)
        {
            steps = MAX_STACK_STEPS + WAIT_STEPS;
        }
        else if (load == 0 || steps <= MAX_STACK_STEPS)
        {
            steps = load > 0 ? tdMinInt(steps + load, MAX_STACK_STEPS) : tdMaxInt(steps - 1, 0);
        }
        if (load > 0)
        {
            atomic_store_explicit(&island->load, 0, memory_order_relaxed);
        }
        island->loadedSteps = (uint8_t)(isSmall ? steps : 0);
        world->loadedIslandCount += island->loadedSteps > 0 ? 1 : 0;
        world->smallIslandCount += isSmall ? 1 : 0;
    }
}

/// Invert a symmetric matrix xx yy zz xy xz yz.
/// @return false if it is almost singular
static bool InvertSymmetric(const double* m, double* inverse)
{
    double xx = m[1] * m[2] - m[5] * m[5], xy = m[4] * m[5] - m[3] * m[2], xz = m[3] * m[5] - m[4] * m[1];
    double determinant = m[0] * xx + m[3] * xy + m[4] * xz, scale = m[0] * m[1] * m[2];
    if (!(scale > 0.0) || !(determinant > 1.0e-9 * scale))
    {
        return false;
    }
    double d = 1.0 / determinant;
    inverse[0] = d * xx;
    inverse[1] = d * (m[0] * m[2] - m[4] * m[4]);
    inverse[2] = d * (m[0] * m[1] - m[3] * m[3]);
    inverse[3] = d * xy;
    inverse[4] = d * xz;
    inverse[5] = d * (m[3] * m[4] - m[0] * m[5]);
    return true;
}

/// Copy mass and inertia of a body.
/// @return false if it cannot move or turn freely
static bool SetStackMass(tdStackMass* mass, const tdBodySim* sim)
{
    const tdSym3* inv = &sim->invInertia;
    double given[6] = {(double)inv->xx, (double)inv->yy, (double)inv->zz,
                       (double)inv->xy, (double)inv->xz, (double)inv->yz};
    mass->mass = sim->invMass > 0.0f ? 1.0 / (double)sim->invMass : 0.0;
    memcpy(mass->invInertia, given, sizeof(given));
    return mass->mass > 0.0 && InvertSymmetric(given, mass->inertia);
}

/// Add an island to the stacks unless a body of it has no free mass.
static void AddStack(tdWorld* world, const tdIsland* island)
{
    tdStackSet* stacks = &world->solver->stacks;
    int index = stacks->count, pairs = island->bodyCount * island->bodyCount;
    if (index >= stacks->stackLimit || stacks->bodyCount + island->bodyCount > stacks->bodyLimit ||
        stacks->pairCount + pairs > stacks->pairLimit)
    {
        return;
    }
    int count = 0;
    for (int body = island->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        int sim = world->bodies.data[body].simIndex;
        tdStackBody* target = &stacks->bodies[stacks->bodyCount + count];
        target->slot = sim;
        count += 1;
        if (sim <= 0 || world->bodies.data[body].jointCount > 0 ||
            !SetStackMass(&target->mass, &world->sims[sim]))
        {
            return;
        }
    }
    for (int i = 0; i < count; ++i)
    {
        int sim = stacks->bodies[stacks->bodyCount + i].slot;
        stacks->local[sim] = i;
        stacks->stackOf[sim] = index;
    }
    stacks->items[index] = (tdStack){
        .firstBody = stacks->bodyCount,
        .bodyCount = count,
        .firstPair = stacks->pairCount,
        .island = (int)(island - world->islands.data),
    };
    stacks->count += 1;
    stacks->bodyCount += count;
    stacks->pairCount += pairs;
}

void tdStackSet_LayOut(tdWorld* world)
{
    tdStackSet* stacks = &world->solver->stacks;
    stacks->count = stacks->bodyCount = stacks->contactCount = stacks->pairCount = 0;
    UpdateLoads(world);
    if (world->loadedIslandCount == 0)
    {
        return;
    }
    for (int i = 0; i < world->awakeCount; ++i)
    {
        stacks->local[i] = -1;
    }
    for (int i = 0; i < world->islands.count; ++i)
    {
        const tdIsland* island = &world->islands.data[i];
        bool isWaiting = island->loadedSteps > MAX_STACK_STEPS;
        if (island->loadedSteps >= STACK_STEPS && !isWaiting && IsCalm(world, island))
        {
            AddStack(world, island);
        }
    }
}

/// Raise a value to at least `load`; several workers may do so at once.
static void RaiseLoad(atomic_uchar* target, unsigned char load)
{
    unsigned char old = atomic_load_explicit(target, memory_order_relaxed);
    while (old < load && !atomic_compare_exchange_weak_explicit(target, &old, load, memory_order_relaxed,
                                                                memory_order_relaxed))
    {
    }
}

/// Load, in weights of the lighter body, under which the springs of a contact sag too much. They sag by the
/// same distance under bodies of any size, so small bodies bear less.
static float FindSpringLoad(const tdWorld* world, const tdTouchingContact* touching)
{
    float a = touching->simA > 0 ? world->sims[touching->simA].innerRadius : FLT_MAX;
    float b = touching->simB > 0 ? world->sims[touching->simB].innerRadius : FLT_MAX;
    float sag = tdGetSagPerWeight(world), most = TD_STACK_SAG * tdMinFloat(a, b);
    return most < STACK_LOAD * sag ? most / sag : STACK_LOAD;
}

void tdStackSet_NoteLoad(const tdSolverStep* step, const tdTouchingContact* touching, float invMassA,
                         float invMassB)
{
    tdWorld* world = step->world;
    if (world->smallIslandCount == 0)
    {
        return;
    }
    float impulse = 0.0f, invMass = tdMaxFloat(invMassA, invMassB),
          invMassHeavy = tdMinFloat(invMassA, invMassB);
    for (int i = 0; i < touching->manifoldCount; ++i)
    {
        impulse += world->manifolds[touching->firstManifold + i].totalImpulse;
    }
    float gravity = tdLength(world->gravity);
    float weight = (gravity > 0.0f ? gravity : NO_GRAVITY_ACCELERATION) * step->timeStep;
    if (!(impulse * invMass > KEEP_FACE_LOAD * weight))
    {
        return;
    }
    bool isFace = world->manifolds[touching->firstManifold].pointCount >= LOADED_FACE_POINTS;
    float bearable = FindSpringLoad(world, touching),
          keep = isFace ? tdClampFloat(KEEP_FACE_SHARE * bearable, KEEP_FACE_LOAD, KEEP_LOAD) : KEEP_LOAD;
    if (!(impulse * invMass > keep * weight))
    {
        return;
    }
    bool isUneven = invMassHeavy > 0.0f && invMass > STACK_MASS_RATIO * invMassHeavy;
    tdIsland* island = tdWorld_FindContactIsland(world, touching); // whose body has an impulse
    float least = island->loadedSteps >= STACK_STEPS ? keep : tdMaxFloat(bearable, keep);
    if (island->bodyCount <= TD_MAX_STACK_BODIES && (isUneven || impulse * invMass > least * weight))
    {
        RaiseLoad(&island->load, isUneven ? STACK_STEPS : 1);
    }
}

void tdStack_Refuse(const tdStack* stack, const tdWorld* world)
{
    RaiseLoad(&world->islands.data[stack->island].load, UNSETTLED_LOAD);
}

bool tdStackSet_HasBody(const tdStackSet* stacks, int sim)
{
    return stacks->count > 0 && stacks->local[sim] >= 0;
}

bool tdStackSet_SolvesBody(const tdStackSet* stacks, int sim)
{
    return tdStackSet_HasBody(stacks, sim) && stacks->items[stacks->stackOf[sim]].isFactored;
}

/// The position of a body in its stack; -1: not a dynamic body of a stack.
static int GetPosition(const tdStackSet* stacks, int reference, bool isDynamic)
{
    return isDynamic ? stacks->local[reference] : -1;
}

/// Inner radius of the smaller dynamic body of a contact, m.
static float ComputeThickness(const tdSolverStep* step, const tdContactGroup* group, int lane,
                              const tdTouchingContact* touching)
{
    float a = (group->writeA >> lane & 1u) != 0 ? step->sims[touching->simA].innerRadius : FLT_MAX;
    float b = (group->writeB >> lane & 1u) != 0 ? step->sims[touching->simB].innerRadius : FLT_MAX;
    return tdMinFloat(a, b);
}

/// Add the manifolds of a lane to a stack whose contacts are listed last.
static bool AddStackContact(const tdSolverStep* step, int groupIndex, int lane)
{
    const tdContactGroup* group = step->groups + groupIndex;
    const tdTouchingContact* touching = step->touchingContacts + group->touching[lane];
    tdStackSet* stacks = &step->world->solver->stacks;
    int a = GetPosition(stacks, touching->simA, (group->writeA >> lane & 1u) != 0);
    int b = GetPosition(stacks, touching->simB, (group->writeB >> lane & 1u) != 0);
    if (a < 0 && b < 0)
    {
        return true;
    }
    for (int i = 0; i < touching->manifoldCount && i < group->rowCount; ++i)
    {
        if (stacks->contactCount >= stacks->contactLimit)
        {
            return false;
        }
        tdStackContact* contact = &stacks->contacts[stacks->contactCount++];
        float thickness = ComputeThickness(step, group, lane, touching);
        *contact = (tdStackContact){
            .stack = stacks->stackOf[a >= 0 ? touching->simA : touching->simB],
            .contactRows = group->firstRow + i,
            .lane = lane,
            .a = a,
            .b = b,
            .slotA = group->bodyA[lane],
            .slotB = group->bodyB[lane],
            .slop = SLOP_SHARE * (double)thickness,
            .reach = REACH_SHARE * thickness,
            .sag = step->manifolds[touching->firstManifold + i].sag,
            .isSplit = (group->piecesA | group->piecesB) != 0,
        };
        stacks->items[contact->stack].contactCount += 1;
    }
    return true;
}

static void SwapContacts(tdStackContact* a, tdStackContact* b)
{
    tdStackContact swap = *a;
    *a = *b;
    *b = swap;
}

void tdStacks_Collect(const tdSolverStep* step, int start, int end)
{
    (void)start;
    (void)end;
    const tdSolver* solver = step->world->solver;
    tdStackSet* stacks = &step->world->solver->stacks;
    const tdPartition* shared = &solver->partitions.items[0];
    bool isComplete = true;
    int contactCount = step->world->touchingContacts.count;
    for (int i = 0; i < contactCount; ++i)
    {
        stacks->places[i] = -1;
    }
    for (int g = shared->firstGroup; g < shared->firstGroup + shared->groupCount; ++g)
    {
        for (int i = 0; i < step->groups[g].contactCount; ++i)
        {
            stacks->places[step->groups[g].touching[i]] = g * TD_LANES + i;
        }
    }
    // In the order of the touching contacts: that of the groups depends on workers.
    for (int i = 0; i < contactCount && isComplete; ++i)
    {
        int place = stacks->places[i];
        isComplete = place < 0 || AddStackContact(step, place / TD_LANES, place % TD_LANES);
    }
    int first = 0;
    for (int i = 0; i < stacks->count; ++i)
    {
        tdStack* stack = &stacks->items[i];
        stack->firstContact = stack->contactEnd = first;
        first += stack->contactCount;
        stack->isFactored = isComplete;
    }
    // Sort by stack, in place: each contact moves to the end of the sorted part of its stack.
    for (int i = 0; i < stacks->count; ++i)
    {
        tdStack* stack = &stacks->items[i];
        while (stack->contactEnd < stack->firstContact + stack->contactCount)
        {
            tdStackContact* contact = &stacks->contacts[stack->contactEnd];
            tdStack* owner = &stacks->items[contact->stack];
            if (owner != stack)
            {
                SwapContacts(contact, &stacks->contacts[owner->contactEnd]);
            }
            owner->contactEnd += 1;
        }
    }
    for (int i = 0, block = 0; i < stacks->count; ++i)
    {
        tdStack* stack = &stacks->items[i];
        stack->firstBlock = block;
        stack->blockLimit = tdMinInt(MAX_BLOCKS_PER_BODY * stack->bodyCount, stacks->blockLimit - block);
        block += stack->blockLimit;
        for (int k = 0; k < stack->bodyCount; ++k)
        {
            tdStackBody* body = &stacks->bodies[stack->firstBody + k];
            body->slot = solver->slots != NULL ? solver->slots[body->slot] : body->slot;
        }
    }
}
