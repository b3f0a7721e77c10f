// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The direct solution of the contacts of a stack. With the velocities v of its bodies, rows J of the contacts
// that hold, their residuals r = J v + b, and a stiffness w of each row, the impulses P of a sub-step change by
//
//   dP = -w (r + J dv),   (M + sum w J^T J) dv = -sum w r J^T
//
// This is a step of the method of multipliers: with w many times the mass of a row, one step makes r almost
// zero, and the impulses that are left over from the sub-step before make up for the rest. Rows may depend on
// each other, as the four points of a face do. The matrix has a 6 x 6 block per body and per pair of touching
// bodies. It is factored once per step, in the order of least degree.
//
// Which points hold is found in rounds: points whose impulse would be negative are released, released points
// that would approach hold again, and friction beyond its cone slides. Most sub-steps need one round and no
// new factor. If the rounds do not end, the impulses are clamped; the step d that is left decreases the
// kinetic energy of the residuals by  -(r d) t - (d A d) t^2 / 2  with A = J M^-1 J^T, so it is shortened to
// the minimum over 0 <= t <= 1: it never adds energy. The pass over the contacts follows in any case.
//
// All numbers are doubles and all sums have a fixed order, so the result does not depend on vector width or
// workers.
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
#include <math.h>
#include <string.h>

/// Load, in weights of the lighter body, above which a contact makes its island a stack, and above which a
/// stack stays one.
#define STACK_LOAD 8.0f
#define KEEP_LOAD 2.0f
/// Least acceleration that counts as weight, m/s^2: without gravity impulses of pushed bodies are compared
/// with it.
#define LEAST_ACCELERATION 0.1f
/// Ratio of the masses of two touching bodies above which their island is a stack at once.
#define STACK_MASS_RATIO 8.0f
/// An island is a stack from this many loaded steps on, so that a single impact does not count. Steps without
/// load count down.
#define STACK_STEPS 2
#define MAX_STACK_STEPS 8
/// Largest stack, bodies. Most blocks per body, and most products of blocks per body: denser stacks cost more
/// than passes.
#define MAX_STACK_BODIES 128
#define MAX_BLOCKS_PER_BODY 6
#define MAX_PRODUCTS_PER_BODY 24
/// Manifolds per body for which memory is reserved.
#define CONTACTS_PER_BODY 4
/// Overlap that contacts keep, in inner radii of the smaller body: while all points of a face overlap, all of
/// them carry load, and nothing rattles. Rate at which larger overlap decays, 1/s.
#define SLOP_SHARE 1.0e-3
#define PUSH_RATE 12.0f
/// Most rounds of a sub-step.
#define MAX_ROUNDS 12
/// Rounds in which released points may hold again, so that the rounds end.
#define HOLD_ROUNDS 6
/// Approach of a released point above which it holds again, m/s.
#define HOLD_SPEED 1.0e-5
/// Bodies for which memory is reserved in any case, so that a stack that forms in a warm step finds it.
#define LEAST_STACK_MEMORY 256
/// Stiffness of rows in their masses.
#define STACK_STIFFNESS 1.0e5

#define DOF TD_STACK_DOF

/// The next power of two: the number of stacks varies from step to step, and memory should not grow each time.
static int RoundUp(int count)
{
    int power = 1;
    while (power < count && power <= INT_MAX / 2)
    {
        power *= 2;
    }
    return tdMaxInt(power, count);
}

bool tdStackSet_Reserve(tdStackSet* stacks, tdWorld* world, int contactCount)
{
    int islands = 0, bodies = 0, pairs = 0;
    for (int i = 0; i < world->islands.count && world->loadedIslandCount > 0; ++i)
    {
        const tdIsland* island = &world->islands.data[i];
        if (island->isAwake && island->loadedSteps > 0 && island->bodyCount <= MAX_STACK_BODIES)
        {
            islands += 1;
            bodies += island->bodyCount;
            pairs += island->bodyCount * island->bodyCount;
        }
    }
    // Islands may merge before the step uses this memory.
    int most = world->bodyCapacity;
    stacks->bodyLimit = islands > 0 ? tdMinInt(bodies + MAX_STACK_BODIES, most) : 0;
    stacks->pairLimit = islands > 0 ? tdMinInt(pairs + MAX_STACK_BODIES * MAX_STACK_BODIES,
                                               tdMinInt(most, MAX_STACK_BODIES) * stacks->bodyLimit)
                                    : 0;
    stacks->stackLimit = islands;
    stacks->contactLimit = CONTACTS_PER_BODY * stacks->bodyLimit;
    stacks->blockLimit = MAX_BLOCKS_PER_BODY * stacks->bodyLimit;
    int least = tdMinInt(LEAST_STACK_MEMORY, most);
    return tdWorld_GrowScratch(world, (void**)&stacks->items, &stacks->capacity, 0,
                               RoundUp(tdMaxInt(islands, least / 2)), sizeof(tdStack)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->bodies, &stacks->bodyCapacity, 0,
                               RoundUp(tdMaxInt(stacks->bodyLimit, least)), sizeof(tdStackBody)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->contacts, &stacks->contactCapacity, 0,
                               RoundUp(tdMaxInt(stacks->contactLimit, CONTACTS_PER_BODY * least)),
                               sizeof(tdStackContact)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->blocks, &stacks->blockCapacity, 0,
                               RoundUp(tdMaxInt(stacks->blockLimit, MAX_BLOCKS_PER_BODY * least)),
                               sizeof(tdStackBlock)) &&
           tdWorld_GrowScratch(world, (void**)&stacks->lookup, &stacks->lookupCapacity, 0,
                               RoundUp(tdMaxInt(stacks->pairLimit, least * MAX_STACK_BODIES)),
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
        bool isSmall = island->bodyCount >= 2 && island->bodyCount <= MAX_STACK_BODIES && island->isAwake;
        steps = load > 0 ? tdMinInt(steps + load, MAX_STACK_STEPS) : tdMaxInt(steps - 1, 0);
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
    double given[6] = {inv->xx, inv->yy, inv->zz, inv->xy, inv->xz, inv->yz};
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
    if (stacks->stackLimit == 0)
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
        if (island->loadedSteps >= STACK_STEPS)
        {
            AddStack(world, island);
        }
    }
}

/// Index of a dynamic body of a contact.
static int GetDynamicStackBody(const tdWorld* world, const tdTouchingContact* touching)
{
    bool isA = touching->simA > 0 && (world->sims[touching->simA].flags & TD_BODY_DYNAMIC) != 0;
    return world->sims[isA ? touching->simA : touching->simB].body;
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
    float weight = tdMaxFloat(tdLength(world->gravity), LEAST_ACCELERATION) * step->timeStep;
    bool isUneven = impulse > 0.0f && invMassHeavy > 0.0f && invMass > STACK_MASS_RATIO * invMassHeavy;
    if (!isUneven && !(impulse * invMass > KEEP_LOAD * weight))
    {
        return;
    }
    tdIsland* island = &world->islands.data[world->bodies.data[GetDynamicStackBody(world, touching)].island];
    float least = island->loadedSteps >= STACK_STEPS ? KEEP_LOAD : STACK_LOAD;
    if (island->bodyCount <= MAX_STACK_BODIES && (isUneven || impulse * invMass > least * weight))
    {
        RaiseLoad(&island->load, isUneven ? STACK_STEPS : 1);
    }
}

bool tdStackSet_HasBody(const tdStackSet* stacks, int sim)
{
    return stacks->count > 0 && stacks->local[sim] >= 0;
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
        *contact = (tdStackContact){
            .stack = stacks->stackOf[a >= 0 ? touching->simA : touching->simB],
            .contactRows = group->firstRow + i,
            .lane = lane,
            .a = a,
            .b = b,
            .slotA = group->bodyA[lane],
            .slotB = group->bodyB[lane],
            .slop = SLOP_SHARE * (double)ComputeThickness(step, group, lane, touching),
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
    memset(stacks->places, -1, (size_t)contactCount * sizeof(int));
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

// Order of elimination.

/// Find the order of least degree and the blocks of the factor: on return order[p] is the body at position p,
/// and lookup has a block index for each pair of positions (later, earlier), -1 for none.
/// @return false if the factor has too many blocks
static bool OrderBodies(const tdStackSet* stacks, tdStack* stack, int16_t* order)
{
    int n = stack->bodyCount, products = 0;
    int16_t* touches = stacks->lookup + stack->firstPair; // by pair of bodies: 1 if adjacent
    memset(touches, 0, (size_t)(n * n) * sizeof(int16_t));
    int16_t degree[MAX_STACK_BODIES] = {0};
    int16_t position[MAX_STACK_BODIES];
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        if (contact->a >= 0 && contact->b >= 0 && touches[contact->a * n + contact->b] == 0)
        {
            touches[contact->a * n + contact->b] = touches[contact->b * n + contact->a] = 1;
            degree[contact->a] += 1;
            degree[contact->b] += 1;
        }
    }
    for (int i = 0; i < n; ++i)
    {
        position[i] = -1;
    }
    stack->blockCount = 0;
    for (int p = 0; p < n; ++p)
    {
        int pivot = -1;
        for (int i = 0; i < n; ++i)
        {
            if (position[i] < 0 && (pivot < 0 || degree[i] < degree[pivot]))
            {
                pivot = i;
            }
        }
        int neighbours[MAX_STACK_BODIES], count = 0;
        for (int i = 0; i < n; ++i)
        {
            if (position[i] < 0 && touches[pivot * n + i] != 0)
            {
                neighbours[count++] = i;
            }
        }
        stack->blockCount += count;
        products += count * count;
        if (stack->blockCount > stack->blockLimit || products > MAX_PRODUCTS_PER_BODY * n)
        {
            return false;
        }
        for (int i = 0; i < count; ++i)
        {
            degree[neighbours[i]] -= 1;
            for (int k = 0; k < count; ++k)
            {
                if (k != i && touches[neighbours[i] * n + neighbours[k]] == 0)
                {
                    touches[neighbours[i] * n + neighbours[k]] = 1;
                    degree[neighbours[i]] += 1;
                }
            }
        }
        position[pivot] = (int16_t)p;
        order[p] = (int16_t)pivot;
    }
    return true;
}

/// Move bodies, contacts and the pattern of the blocks to the order of elimination.
static void ApplyOrder(const tdStackSet* stacks, tdStack* stack, const int16_t* order)
{
    int n = stack->bodyCount, block = 0;
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    int16_t position[MAX_STACK_BODIES];
    const int16_t* touches = stacks->lookup + stack->firstPair;
    for (int p = 0; p < n; ++p)
    {
        position[order[p]] = (int16_t)p;
    }
    for (int p = 0; p < n; ++p)
    {
        tdStackBody* body = &bodies[p];
        body->firstBlock = stack->firstBlock + block;
        for (int q = p + 1; q < n; ++q)
        {
            if (touches[order[p] * n + order[q]] != 0)
            {
                stacks->blocks[stack->firstBlock + block].row = q;
                block += 1;
            }
        }
        body->blockCount = stack->firstBlock + block - body->firstBlock;
    }
    int16_t* lookup = stacks->lookup + stack->firstPair;
    memset(lookup, -1, (size_t)(n * n) * sizeof(int16_t));
    for (int p = 0; p < n; ++p)
    {
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            int at = bodies[p].firstBlock + k;
            lookup[stacks->blocks[at].row * n + p] = (int16_t)(at - stack->firstBlock);
        }
    }
    for (int i = 0; i < stack->contactCount; ++i)
    {
        tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        contact->a = contact->a >= 0 ? position[contact->a] : -1;
        contact->b = contact->b >= 0 ? position[contact->b] : -1;
    }
}

// Rows.

#define AT(array) ((double)(array)[at])
#define VEC_AT(array)                                                                                        \
    {                                                                                                        \
        AT((array)[0]), AT((array)[1]), AT((array)[2])                                                       \
    }

static void SetStackRow(tdStackRow* row, const double* linear, const double* rA, const double* rB,
                        double mass)
{
    for (int i = 0; i < 3; ++i)
    {
        row->a[i] = -linear[i];
        row->a[3 + i] = -rA[i];
        row->b[i] = linear[i];
        row->b[3 + i] = rB[i];
    }
    row->weight = STACK_STIFFNESS * mass;
}

static tdContactRow* GetContactRow(const tdSolverStep* step, const tdStackContact* contact)
{
    return &step->rows[contact->contactRows].part[contact->lane / TD_ROW_LANES];
}

static void MakeStackRows(const tdSolverStep* step, tdStackContact* contact)
{
    const tdContactRow* row = GetContactRow(step, contact);
    tdStackRow* rows = contact->rows;
    int at = contact->lane % TD_ROW_LANES, count = 0;
    double n[3] = VEC_AT(row->normal);
    for (int k = 0; k < TD_MAX_MANIFOLD_POINTS; ++k)
    {
        const tdPointRow* point = &row->points[k];
        double rA[3] = VEC_AT(point->rAn), rB[3] = VEC_AT(point->rBn);
        if (k < row->pointCount && point->mass[at] > 0.0f)
        {
            SetStackRow(&rows[count++], n, rA, rB, AT(point->mass));
        }
    }
    contact->pointCount = count;
    if (row->inv11[at] > 0.0f && row->twistMass[at] > 0.0f)
    {
        double t1[3] = VEC_AT(row->tangent1), zero[3] = {0.0, 0.0, 0.0};
        double t2[3] = {n[1] * t1[2] - n[2] * t1[1], n[2] * t1[0] - n[0] * t1[2],
                        n[0] * t1[1] - n[1] * t1[0]};
        double rA1[3] = VEC_AT(row->rAt1), rB1[3] = VEC_AT(row->rBt1);
        double rA2[3] = VEC_AT(row->rAt2), rB2[3] = VEC_AT(row->rBt2);
        double mass = 0.5 * (AT(row->inv11) + AT(row->inv22));
        SetStackRow(&rows[count++], t1, rA1, rB1, mass);
        SetStackRow(&rows[count++], t2, rA2, rB2, mass);
        SetStackRow(&rows[count++], zero, n, n, AT(row->twistMass));
    }
    contact->rowCount = count;
}

/// Friction of a contact: impulses, and their bounds by given normal impulses.
typedef struct StackFriction
{
    double impulse[3]; // tangents and twist
    double bound, twistBound;
} StackFriction;

static StackFriction GetFriction(const tdContactRow* row, const tdStackContact* contact, const double* normal)
{
    int at = contact->lane % TD_ROW_LANES;
    double sum = 0.0, leverSum = 0.0;
    for (int k = 0; k < contact->pointCount; ++k)
    {
        sum += normal[k];
        leverSum += normal[k] * AT(row->points[k].lever);
    }
    double coefficient = AT(row->staticFriction);
    return (StackFriction){
        {AT(row->friction1), AT(row->friction2), AT(row->twist)}, coefficient * sum, coefficient * leverSum};
}

static bool IsInCone(const StackFriction* friction)
{
    const double* f = friction->impulse;
    return f[0] * f[0] + f[1] * f[1] < friction->bound * friction->bound && fabs(f[2]) < friction->twistBound;
}

/// Rows that hold at first: points with an impulse, and friction that is not at its bound.
static uint32_t FindHeldRows(const tdSolverStep* step, const tdStackContact* contact)
{
    const tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    uint32_t held = 0;
    double normal[TD_MAX_MANIFOLD_POINTS];
    for (int k = 0; k < contact->pointCount; ++k)
    {
        normal[k] = AT(row->points[k].impulse);
        held |= normal[k] > 0.0 ? 1u << k : 0u;
    }
    StackFriction friction = GetFriction(row, contact, normal);
    bool hasFriction = contact->rowCount > contact->pointCount;
    return held | (hasFriction && IsInCone(&friction) ? TD_STACK_FRICTION : 0u);
}

/// True if row i of a contact is in the matrix.
static bool IsHeld(const tdStackContact* contact, int i)
{
    return i < contact->pointCount ? (contact->held >> i & 1u) != 0
                                   : (contact->held & TD_STACK_FRICTION) != 0;
}

// Blocks of 6 x 6, row by row.

/// Add w * x y^T.
static void AddProduct(double* block, double w, const double* x, const double* y)
{
    for (int i = 0; i < DOF; ++i)
    {
        double f = w * x[i];
        for (int k = 0; k < DOF; ++k)
        {
            block[DOF * i + k] += f * y[k];
        }
    }
}

/// Subtract p q^T.
static void SubtractBlockProduct(double* block, const double* p, const double* q)
{
    for (int i = 0; i < DOF; ++i)
    {
        for (int k = 0; k < DOF; ++k)
        {
            double sum = 0.0;
            for (int j = 0; j < DOF; ++j)
            {
                sum += p[DOF * i + j] * q[DOF * k + j];
            }
            block[DOF * i + k] -= sum;
        }
    }
}

/// Replace the lower triangle of a block by its Cholesky factor, the diagonal inverted.
static bool FactorBlock(double* m)
{
    for (int k = 0; k < DOF; ++k)
    {
        double d = m[DOF * k + k];
        for (int j = 0; j < k; ++j)
        {
            d -= m[DOF * k + j] * m[DOF * k + j];
        }
        if (!(d > 0.0))
        {
            return false;
        }
        double inverse = 1.0 / sqrt(d);
        m[DOF * k + k] = inverse;
        for (int i = k + 1; i < DOF; ++i)
        {
            double sum = m[DOF * i + k];
            for (int j = 0; j < k; ++j)
            {
                sum -= m[DOF * i + j] * m[DOF * k + j];
            }
            m[DOF * i + k] = sum * inverse;
        }
    }
    return true;
}

/// x := L^-1 x
static void SolveLower(const double* m, double* x)
{
    for (int i = 0; i < DOF; ++i)
    {
        double sum = x[i];
        for (int j = 0; j < i; ++j)
        {
            sum -= m[DOF * i + j] * x[j];
        }
        x[i] = sum * m[DOF * i + i];
    }
}

/// x := L^-T x
static void SolveUpper(const double* m, double* x)
{
    for (int i = DOF - 1; i >= 0; --i)
    {
        double sum = x[i];
        for (int j = i + 1; j < DOF; ++j)
        {
            sum -= m[DOF * j + i] * x[j];
        }
        x[i] = sum * m[DOF * i + i];
    }
}

static void SetMassBlock(double* block, const tdStackBody* body)
{
    memset(block, 0, TD_STACK_BLOCK * sizeof(double));
    const double* m = body->mass.inertia;
    double angular[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    for (int i = 0; i < 3; ++i)
    {
        block[DOF * i + i] = body->mass.mass;
        for (int k = 0; k < 3; ++k)
        {
            block[DOF * (3 + i) + 3 + k] = angular[i][k];
        }
    }
}

static void AssembleStack(const tdStackSet* stacks, const tdStack* stack)
{
    int n = stack->bodyCount;
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    const int16_t* lookup = stacks->lookup + stack->firstPair;
    for (int p = 0; p < n; ++p)
    {
        SetMassBlock(bodies[p].diagonal, &bodies[p]);
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            tdStackBlock* block = &stacks->blocks[bodies[p].firstBlock + k];
            memset(block->value, 0, sizeof(block->value));
        }
    }
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        const tdStackRow* rows = contact->rows;
        int a = contact->a, b = contact->b;
        for (int k = 0; k < contact->rowCount; ++k)
        {
            if (!IsHeld(contact, k))
            {
                continue;
            }
            if (a >= 0)
            {
                AddProduct(bodies[a].diagonal, rows[k].weight, rows[k].a, rows[k].a);
            }
            if (b >= 0)
            {
                AddProduct(bodies[b].diagonal, rows[k].weight, rows[k].b, rows[k].b);
            }
            if (a >= 0 && b >= 0)
            {
                tdStackBlock* block =
                    &stacks->blocks[stack->firstBlock + lookup[tdMaxInt(a, b) * n + tdMinInt(a, b)]];
                AddProduct(block->value, rows[k].weight, a > b ? rows[k].a : rows[k].b,
                           a > b ? rows[k].b : rows[k].a);
            }
        }
    }
}

/// Right-looking Cholesky factorization.
static bool FactorStack(const tdStackSet* stacks, const tdStack* stack)
{
    int n = stack->bodyCount;
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    const int16_t* lookup = stacks->lookup + stack->firstPair;
    for (int p = 0; p < n; ++p)
    {
        if (!FactorBlock(bodies[p].diagonal))
        {
            return false;
        }
        tdStackBlock* column = stacks->blocks + bodies[p].firstBlock;
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            for (int i = 0; i < DOF; ++i)
            {
                SolveLower(bodies[p].diagonal, column[k].value + DOF * i);
            }
        }
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            SubtractBlockProduct(bodies[column[k].row].diagonal, column[k].value, column[k].value);
            for (int j = 0; j < k; ++j)
            {
                int later = column[k].row, earlier = column[j].row;
                SubtractBlockProduct(stacks->blocks[stack->firstBlock + lookup[later * n + earlier]].value,
                                     column[k].value, column[j].value);
            }
        }
    }
    return true;
}

/// Move masses and slots from the order of the island to that of elimination.
static void SortBodies(tdStackBody* bodies, int count, const int16_t* order)
{
    tdStackMass masses[MAX_STACK_BODIES];
    int slots[MAX_STACK_BODIES];
    for (int i = 0; i < count; ++i)
    {
        masses[i] = bodies[i].mass;
        slots[i] = bodies[i].slot;
    }
    for (int p = 0; p < count; ++p)
    {
        bodies[p].slot = slots[order[p]];
        bodies[p].mass = masses[order[p]];
    }
}

/// Take the springs from a contact: the passes keep what the direct solution found.
static void MakeRigid(const tdSolverStep* step, const tdStackContact* contact)
{
    tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    row->biasRate[at] = 0.0f;
    row->massScale[at] = 1.0f;
    row->impulseScale[at] = 0.0f;
}

void tdStacks_Factor(const tdSolverStep* step, int start, int end)
{
    const tdStackSet* stacks = &step->world->solver->stacks;
    for (int s = start; s < end; ++s)
    {
        tdStack* stack = &stacks->items[s];
        bool isSplit = false;
        for (int i = 0; i < stack->contactCount; ++i)
        {
            tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
            MakeStackRows(step, contact);
            contact->held = FindHeldRows(step, contact);
            isSplit = isSplit || contact->isSplit;
        }
        int16_t order[MAX_STACK_BODIES];
        stack->isFactored = stack->isFactored && !isSplit && OrderBodies(stacks, stack, order);
        if (stack->isFactored)
        {
            ApplyOrder(stacks, stack, order);
            SortBodies(stacks->bodies + stack->firstBody, stack->bodyCount, order);
            AssembleStack(stacks, stack);
            stack->isFactored = FactorStack(stacks, stack);
        }
        for (int i = 0; i < stack->contactCount && stack->isFactored; ++i)
        {
            MakeRigid(step, &stacks->contacts[stack->firstContact + i]);
        }
    }
}

// The step of a sub-step.

static double DotRow(const double* row, const double* v)
{
    return row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3] + row[4] * v[4] + row[5] * v[5];
}

static void LoadVelocity(const tdSolverStep* step, int slot, double* v)
{
    const tdBodyState* state = (const tdBodyState*)(const void*)step->states + slot;
    v[0] = state->linearVelocity.x;
    v[1] = state->linearVelocity.y;
    v[2] = state->linearVelocity.z;
    v[3] = state->angularVelocity.x;
    v[4] = state->angularVelocity.y;
    v[5] = state->angularVelocity.z;
}

/// Displacement since the start of the step: of the centre, and the rotation vector.
static void LoadDisplacement(const tdBodyState* state, double* d)
{
    d[0] = state->deltaPosition.x;
    d[1] = state->deltaPosition.y;
    d[2] = state->deltaPosition.z;
    d[3] = 2.0 * (double)state->deltaRotation.x;
    d[4] = 2.0 * (double)state->deltaRotation.y;
    d[5] = 2.0 * (double)state->deltaRotation.z;
}

/// Separation of a point now, m.
static double ComputeSeparation(const tdSolverStep* step, const tdStackContact* contact,
                                const tdStackRow* row, double start)
{
    const tdBodyState* a = (const tdBodyState*)(const void*)step->states + contact->slotA;
    const tdBodyState* b = (const tdBodyState*)(const void*)step->states + contact->slotB;
    double dA[DOF], dB[DOF];
    LoadDisplacement(a, dA);
    LoadDisplacement(b, dB);
    return start + DotRow(row->a, dA) + DotRow(row->b, dB);
}

static void AddImpulse(double* target, const double* row, double impulse)
{
    for (int i = 0; i < DOF; ++i)
    {
        target[i] += impulse * row[i];
    }
}

/// Add the impulse of a row to the right-hand side.
static void AddRowImpulse(const tdStackContact* contact, const tdStackRow* row, double impulse,
                          tdStackBody* bodies)
{
    if (contact->a >= 0)
    {
        AddImpulse(bodies[contact->a].value, row->a, impulse);
    }
    if (contact->b >= 0)
    {
        AddImpulse(bodies[contact->b].value, row->b, impulse);
    }
}

/// Residuals of all rows of a contact.
static void ComputeResiduals(const tdSolverStep* step, tdStackContact* contact)
{
    const tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    double vA[DOF], vB[DOF];
    LoadVelocity(step, contact->slotA, vA);
    LoadVelocity(step, contact->slotB, vB);
    for (int i = 0; i < contact->rowCount; ++i)
    {
        tdStackRow* target = &contact->rows[i];
        target->residual = DotRow(target->a, vA) + DotRow(target->b, vB);
        if (i < contact->pointCount)
        {
            double s = ComputeSeparation(step, contact, target, AT(row->points[i].separation));
            target->residual += s > 0.0 ? s * (double)step->invSubStep : 0.0;
        }
    }
}

static void SolveFactored(const tdStackSet* stacks, const tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        SolveLower(bodies[p].diagonal, bodies[p].value);
        const tdStackBlock* column = stacks->blocks + bodies[p].firstBlock;
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            double* target = bodies[column[k].row].value;
            for (int i = 0; i < DOF; ++i)
            {
                target[i] -= DotRow(column[k].value + DOF * i, bodies[p].value);
            }
        }
    }
    for (int p = stack->bodyCount - 1; p >= 0; --p)
    {
        const tdStackBlock* column = stacks->blocks + bodies[p].firstBlock;
        double* x = bodies[p].value;
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            const double* y = bodies[column[k].row].value;
            for (int i = 0; i < DOF; ++i)
            {
                for (int j = 0; j < DOF; ++j)
                {
                    x[j] -= column[k].value[DOF * i + j] * y[i];
                }
            }
        }
        SolveUpper(bodies[p].diagonal, x);
    }
}

/// Impulse of a row before the step.
static double GetImpulse(const tdContactRow* row, const tdStackContact* contact, int i)
{
    int at = contact->lane % TD_ROW_LANES;
    if (i < contact->pointCount)
    {
        return AT(row->points[i].impulse);
    }
    return i == contact->pointCount ? AT(row->friction1)
                                    : (i == contact->pointCount + 1 ? AT(row->friction2) : AT(row->twist));
}

/// Impulse changes of the rows of a contact from the solution of the round, and the rows that hold in the
/// next round.
/// @param mayHold released points may hold again
/// @return true if those are the same as in this one
static bool FinishRound(const tdSolverStep* step, tdStackContact* contact, const tdStackBody* bodies,
                        bool mayHold)
{
    const tdContactRow* row = GetContactRow(step, contact);
    tdStackRow* rows = contact->rows;
    uint32_t held = contact->held;
    int points = contact->pointCount;
    double normal[TD_MAX_MANIFOLD_POINTS];
    for (int i = 0; i < contact->rowCount; ++i)
    {
        double residual = rows[i].residual;
        residual += contact->a >= 0 ? DotRow(rows[i].a, bodies[contact->a].value) : 0.0;
        residual += contact->b >= 0 ? DotRow(rows[i].b, bodies[contact->b].value) : 0.0;
        if (IsHeld(contact, i))
        {
            rows[i].change = -rows[i].weight * residual;
        }
        if (i >= points)
        {
            continue;
        }
        double old = GetImpulse(row, contact, i);
        bool pulls = IsHeld(contact, i) ? old + rows[i].change < 0.0 : !mayHold || !(residual < -HOLD_SPEED);
        held = pulls ? held & ~(1u << i) : held | 1u << i;
        rows[i].change = pulls ? -old : (IsHeld(contact, i) ? rows[i].change : -old);
        normal[i] = old + rows[i].change;
    }
    if (contact->rowCount > points)
    {
        StackFriction friction = GetFriction(row, contact, normal);
        double* f = friction.impulse;
        double old[3] = {f[0], f[1], f[2]};
        for (int i = 0; i < 3; ++i)
        {
            f[i] += rows[points + i].change;
        }
        double length = sqrt(f[0] * f[0] + f[1] * f[1]);
        double scale = length > friction.bound ? friction.bound / length : 1.0;
        double limit = friction.twistBound, twist = f[2] > limit ? limit : (f[2] < -limit ? -limit : f[2]);
        if (scale < 1.0 || twist != f[2])
        {
            held &= ~TD_STACK_FRICTION;
        }
        rows[points].change = scale * f[0] - old[0];
        rows[points + 1].change = scale * f[1] - old[1];
        rows[points + 2].change = twist - old[2];
    }
    bool isSame = held == contact->held;
    contact->held = held;
    return isSame;
}

/// Add a share of the impulse changes to the rows of a contact.
static void ApplyChanges(const tdSolverStep* step, const tdStackContact* contact, double share)
{
    tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    for (int i = 0; i < contact->rowCount; ++i)
    {
        double impulse = GetImpulse(row, contact, i) + share * contact->rows[i].change;
        if (i < contact->pointCount)
        {
            row->points[i].impulse[at] = impulse > 0.0 ? (float)impulse : 0.0f;
            continue;
        }
        float* target = i == contact->pointCount
                            ? row->friction1
                            : (i == contact->pointCount + 1 ? row->friction2 : row->twist);
        target[at] = (float)impulse;
    }
}

/// Replace an impulse on a body by the change of its velocity.
/// @return the product of both
static double DivideByMass(const tdStackMass* mass, double* x)
{
    const double* m = mass->invInertia;
    double v[DOF] = {x[0] / mass->mass,
                     x[1] / mass->mass,
                     x[2] / mass->mass,
                     m[0] * x[3] + m[3] * x[4] + m[4] * x[5],
                     m[3] * x[3] + m[1] * x[4] + m[5] * x[5],
                     m[4] * x[3] + m[5] * x[4] + m[2] * x[5]};
    double product = DotRow(x, v);
    memcpy(x, v, sizeof(v));
    return product;
}

static void ChangeVelocity(const tdSolverStep* step, const tdStackBody* body, double share)
{
    tdBodyState* state = (tdBodyState*)(void*)step->states + body->slot;
    const double* v = body->value;
    state->linearVelocity.x = (float)((double)state->linearVelocity.x + share * v[0]);
    state->linearVelocity.y = (float)((double)state->linearVelocity.y + share * v[1]);
    state->linearVelocity.z = (float)((double)state->linearVelocity.z + share * v[2]);
    state->angularVelocity.x = (float)((double)state->angularVelocity.x + share * v[3]);
    state->angularVelocity.y = (float)((double)state->angularVelocity.y + share * v[4]);
    state->angularVelocity.z = (float)((double)state->angularVelocity.z + share * v[5]);
}

static void ClearValues(tdStackBody* bodies, int count)
{
    for (int i = 0; i < count; ++i)
    {
        memset(bodies[i].value, 0, sizeof(bodies[i].value));
    }
}

/// One round: the solution for the rows that hold. Rows that do not hold lose their impulse or keep the change
/// that the round before gave them.
/// @return true if the same rows hold after it
static bool RunRound(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack, bool mayHold)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    tdStackContact* contacts = stacks->contacts + stack->firstContact;
    ClearValues(bodies, stack->bodyCount);
    for (int i = 0; i < stack->contactCount; ++i)
    {
        for (int k = 0; k < contacts[i].rowCount; ++k)
        {
            const tdStackRow* row = &contacts[i].rows[k];
            AddRowImpulse(&contacts[i], row,
                          IsHeld(&contacts[i], k) ? -row->weight * row->residual : row->change, bodies);
        }
    }
    SolveFactored(stacks, stack);
    bool isSame = true;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        isSame = FinishRound(step, &contacts[i], bodies, mayHold) && isSame;
    }
    return isSame;
}

static void SolveStack(const tdSolverStep* step, const tdStackSet* stacks, tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    tdStackContact* contacts = stacks->contacts + stack->firstContact;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        tdStackContact* contact = &contacts[i];
        const tdContactRow* row = GetContactRow(step, contact);
        ComputeResiduals(step, contact);
        for (int k = 0; k < contact->rowCount; ++k)
        {
            contact->rows[k].change =
                k < contact->pointCount && !IsHeld(contact, k) ? -GetImpulse(row, contact, k) : 0.0;
        }
    }
    for (int round = 0; round < MAX_ROUNDS && !RunRound(step, stacks, stack, round < HOLD_ROUNDS); ++round)
    {
        AssembleStack(stacks, stack);
        if (!FactorStack(stacks, stack))
        {
            stack->isFactored = false;
            return;
        }
    }
    ClearValues(bodies, stack->bodyCount);
    double slope = 0.0, curvature = 0.0;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        for (int k = 0; k < contacts[i].rowCount; ++k)
        {
            const tdStackRow* row = &contacts[i].rows[k];
            slope += row->residual * row->change;
            AddRowImpulse(&contacts[i], row, row->change, bodies);
        }
    }
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        curvature += DivideByMass(&bodies[p].mass, bodies[p].value);
    }
    if (!(slope < 0.0) || !(curvature > 0.0))
    {
        return;
    }
    double share = -slope / curvature < 1.0 ? -slope / curvature : 1.0;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        ApplyChanges(step, &contacts[i], share);
    }
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        ChangeVelocity(step, &bodies[p], share);
    }
}

/// Remove a share of the overlap of the points that hold.
static void PushStack(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    double most = 0.0;
    ClearValues(bodies, stack->bodyCount);
    for (int i = 0; i < stack->contactCount; ++i)
    {
        tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        const tdContactRow* row = GetContactRow(step, contact);
        int at = contact->lane % TD_ROW_LANES;
        for (int k = 0; k < contact->pointCount; ++k)
        {
            double s = ComputeSeparation(step, contact, &contact->rows[k], AT(row->points[k].separation));
            s += contact->slop;
            if (IsHeld(contact, k) && s < 0.0)
            {
                double share = (double)tdMinFloat(PUSH_RATE * step->timeStep, 0.5f) * s;
                double limit = -(double)(step->maxPushSpeed * step->timeStep);
                AddRowImpulse(contact, &contact->rows[k],
                              -contact->rows[k].weight * (share > limit ? share : limit), bodies);
                most = s < most ? s : most;
            }
        }
    }
    if (!(most < 0.0))
    {
        return;
    }
    SolveFactored(stacks, stack);
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        tdBodyState* state = (tdBodyState*)(void*)step->states + bodies[p].slot;
        const double* d = bodies[p].value;
        state->deltaPosition = tdAdd(state->deltaPosition, (tdVec3){(float)d[0], (float)d[1], (float)d[2]});
        tdQuat turn = {(float)(0.5 * d[3]), (float)(0.5 * d[4]), (float)(0.5 * d[5]), 1.0f};
        state->deltaRotation = tdNormalizeQuat(tdMulQuat(turn, state->deltaRotation));
    }
}

void tdStacks_Push(const tdSolverStep* step, int start, int end)
{
    const tdStackSet* stacks = &step->world->solver->stacks;
    for (int s = start; s < end; ++s)
    {
        if (stacks->items[s].isFactored)
        {
            PushStack(step, stacks, &stacks->items[s]);
        }
    }
}

void tdStacks_Solve(const tdSolverStep* step, int start, int end)
{
    const tdStackSet* stacks = &step->world->solver->stacks;
    for (int s = start; s < end; ++s)
    {
        if (stacks->items[s].isFactored)
        {
            SolveStack(step, stacks, &stacks->items[s]);
        }
    }
}
