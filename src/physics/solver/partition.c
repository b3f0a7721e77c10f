// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Finding and laying out parts. See part.h.
#include "physics/solver/partition.h"

#include "physics/joint/joint.h"
#include "physics/solver/solver_data.h"

#include <string.h>

/// Bodies a part should have: its rows then fit into the 512 KB or more a core has for itself.
#define PART_BODIES 256
#define LEAST_PART_BODIES 32
/// With fewer touches than this there is nothing to gain: barriers, if there are several workers, or misses.
#define LEAST_TOUCHES_SHARED 128
#define LEAST_TOUCHES_ALONE 1024
/// Longest pause after searches that found little, in steps.
#define LONGEST_PAUSE 32
#define MAX_PARTS 60000
/// Slabs are found anew after so many steps, or when bodies came or went.
#define SLAB_STEPS 16
#define MAX_SLABS 8
#define SLAB_BINS 256
/// Key of a touch: (colour * slabs of its part + slab) * sizes + size. Touches with the same quotient by the
/// number of sizes are a run: their lanes may be filled with each other.
#define SIZE_COUNT ((TD_COLOR_COUNT + 1) * TD_SIZE_KEY_COUNT)
#define KEY_BOUNCES 0x80000000u
#define KEY_MASK 0x7fffffffu

bool tdParts_Reserve(tdParts* parts, tdWorld* world, int touchCount)
{
    int bodies = world->bodyCapacity;
    int partCount = tdMinInt(bodies / LEAST_PART_BODIES + 3, MAX_PARTS + 3);
    return tdSolver_Grow(world, (void**)&parts->parts, &parts->capacity, 0, partCount, sizeof(tdPart)) &&
           tdSolver_Grow(world, (void**)&parts->roots, &parts->rootCapacity, 0, bodies, sizeof(atomic_int)) &&
           tdSolver_Grow(world, (void**)&parts->shared, &parts->sharedCapacity, 0, bodies,
                         sizeof(atomic_uchar)) &&
           tdSolver_Grow(world, (void**)&parts->sizes, &parts->sizeCapacity, 0, bodies, sizeof(int)) &&
           tdSolver_Grow(world, (void**)&parts->partOf, &parts->partOfCapacity, 0, bodies,
                         sizeof(uint16_t)) &&
           tdSolver_Grow(world, (void**)&parts->bodies, &parts->bodiesCapacity, 0,
                         bodies + TD_LANES * partCount, sizeof(int)) &&
           tdSolver_Grow(world, (void**)&parts->slabs, &parts->slabCapacity, 0, bodies, sizeof(uint8_t)) &&
           tdSolver_Grow(world, (void**)&parts->slabOrder, &parts->slabOrderCapacity, 0, bodies,
                         sizeof(int)) &&
           tdSolver_Grow(world, (void**)&parts->slots, &parts->slotCapacity, 0, bodies, sizeof(int)) &&
           tdSolver_Grow(world, (void**)&parts->slabSizes, &parts->slabSizeCapacity, 0,
                         tdMinInt(world->workerCount, MAX_SLABS) * SIZE_COUNT, sizeof(int)) &&
           tdSolver_Grow(world, (void**)&parts->touchParts, &parts->touchPartCapacity, 0, touchCount,
                         sizeof(uint16_t)) &&
           tdSolver_Grow(world, (void**)&parts->keys, &parts->keyCapacity, 0, touchCount, sizeof(uint32_t)) &&
           tdSolver_Grow(world, (void**)&parts->byPart, &parts->byPartCapacity, 0, touchCount, sizeof(int));
}

void tdParts_Free(tdParts* parts, const tdAllocator* allocator)
{
    tdRelease(allocator, parts->parts, (size_t)parts->capacity * sizeof(tdPart));
    tdRelease(allocator, parts->roots, (size_t)parts->rootCapacity * sizeof(atomic_int));
    tdRelease(allocator, parts->shared, (size_t)parts->sharedCapacity * sizeof(atomic_uchar));
    tdRelease(allocator, parts->sizes, (size_t)parts->sizeCapacity * sizeof(int));
    tdRelease(allocator, parts->partOf, (size_t)parts->partOfCapacity * sizeof(uint16_t));
    tdRelease(allocator, parts->bodies, (size_t)parts->bodiesCapacity * sizeof(int));
    tdRelease(allocator, parts->slabs, (size_t)parts->slabCapacity * sizeof(uint8_t));
    tdRelease(allocator, parts->slabOrder, (size_t)parts->slabOrderCapacity * sizeof(int));
    tdRelease(allocator, parts->slots, (size_t)parts->slotCapacity * sizeof(int));
    tdRelease(allocator, parts->slabSizes, (size_t)parts->slabSizeCapacity * sizeof(int));
    tdRelease(allocator, parts->touchParts, (size_t)parts->touchPartCapacity * sizeof(uint16_t));
    tdRelease(allocator, parts->keys, (size_t)parts->keyCapacity * sizeof(uint32_t));
    tdRelease(allocator, parts->byPart, (size_t)parts->byPartCapacity * sizeof(int));
    *parts = (tdParts){0};
}

// Slabs of space.

static float GetComponent(tdVec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static bool IsDynamic(const tdWorld* world, int reference)
{
    return reference > 0 &&
           (world->awakeKinematicCount == 0 || (world->sims[reference].flags & TD_BODY_DYNAMIC) != 0);
}

/// A dynamic body of the touch, 0 if there is none.
static int GetOwner(const tdWorld* world, const tdTouch* touch)
{
    return IsDynamic(world, touch->simA) ? touch->simA : tdMaxInt(touch->simB, 0);
}

/// From bins of bodies to slabs that have about as many touches.
static void CutBins(const tdWorld* world, int slabCount, uint8_t* bins)
{
    int counts[SLAB_BINS] = {0}, before = 0;
    uint8_t slabOfBin[SLAB_BINS];
    for (int i = 0; i < world->touches.count; ++i)
    {
        counts[bins[GetOwner(world, &world->touches.data[i])]] += 1;
    }
    for (int i = 0; i < SLAB_BINS; ++i)
    {
        int64_t middle = 2 * (int64_t)before + counts[i];
        int slab = (int)(middle * slabCount / (2 * (int64_t)world->touches.count));
        slabOfBin[i] = (uint8_t)tdMinInt(slab, slabCount - 1);
        before += counts[i];
    }
    for (int i = 1; i < world->awakeCount; ++i)
    {
        bins[i] = slabOfBin[bins[i]];
    }
}

static int CountAcross(const tdWorld* world, const uint8_t* slabs)
{
    int count = 0;
    for (int i = 0; i < world->touches.count; ++i)
    {
        const tdTouch* touch = &world->touches.data[i];
        count += touch->simA > 0 && touch->simB > 0 && slabs[touch->simA] != slabs[touch->simB];
    }
    return count;
}

/// Slabs across the axis in which the awake bodies extend farthest.
static void CutSpace(const tdWorld* world, int slabCount, uint8_t* slabs)
{
    const tdBodySim* sims = world->sims;
    int awakeCount = world->awakeCount;
    tdVec3 lower = sims[1].center, upper = lower;
    for (int i = 2; i < awakeCount; ++i)
    {
        lower = tdMin(lower, sims[i].center);
        upper = tdMax(upper, sims[i].center);
    }
    tdVec3 size = tdSub(upper, lower);
    int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    float start = GetComponent(lower, axis), extent = GetComponent(size, axis);
    float scale = extent > 0.0f ? (float)SLAB_BINS / extent : 0.0f;
    slabs[0] = 0;
    for (int i = 1; i < awakeCount; ++i)
    {
        float at = (GetComponent(sims[i].center, axis) - start) * scale;
        slabs[i] = (uint8_t)(at >= 0.0f && at < (float)SLAB_BINS ? (int)at : SLAB_BINS - 1); // or no number
    }
    CutBins(world, slabCount, slabs);
}

/// Slabs of neighbouring indices.
static void CutIndices(const tdWorld* world, int slabCount, uint8_t* slabs)
{
    slabs[0] = 0;
    for (int i = 1; i < world->awakeCount; ++i)
    {
        slabs[i] = (uint8_t)((int64_t)(i - 1) * SLAB_BINS / (world->awakeCount - 1));
    }
    CutBins(world, slabCount, slabs);
}

static void FindSlabs(const tdWorld* world, int slabCount)
{
    tdParts* parts = &world->solver->parts;
    int awakeCount = world->awakeCount;
    CutSpace(world, slabCount, parts->slabs);
    int across = CountAcross(world, parts->slabs);
    // Bodies made one after the other are often neighbours, and all arrays have them in that order.
    CutIndices(world, slabCount, parts->slabs);
    if (CountAcross(world, parts->slabs) > across + across / 2 + 16)
    {
        CutSpace(world, slabCount, parts->slabs);
    }
    parts->slots[0] = 0;
    // Each begins elsewhere, so that the workers are not at neighbouring bodies at the same time: arrays by
    // body have several bodies to a cache line.
    int count = 0;
    for (int slab = 0; slab < slabCount; ++slab)
    {
        int body = 1 + (int)((int64_t)(awakeCount - 1) * slab / slabCount);
        for (int i = 1; i < awakeCount; ++i)
        {
            if (parts->slabs[body] == slab)
            {
                parts->slabOrder[count++] = body;
                parts->slots[body] = count;
            }
            body = body + 1 < awakeCount ? body + 1 : 1;
        }
    }
}

static void UpdateSlabs(tdWorld* world)
{
    tdParts* parts = &world->solver->parts;
    int slabCount = tdMinInt(world->workerCount, MAX_SLABS);
    if (world->touches.count < LEAST_TOUCHES_SHARED || slabCount == 1)
    {
        parts->slabCount = 1;
        parts->slabBodies = 0;
        return;
    }
    parts->slabCount = slabCount;
    parts->slabAge += 1;
    if (parts->slabBodies != world->awakeCount || parts->slabAge >= SLAB_STEPS)
    {
        FindSlabs(world, slabCount);
        parts->slabBodies = world->awakeCount;
        parts->slabAge = 0;
    }
}

// Who is connected. Trees of bodies, each under one of lower index; several workers may join trees at once.
// The root is the least index in the end, whatever the order was.

static int FindRoot(atomic_int* roots, int index)
{
    int parent = atomic_load_explicit(&roots[index], memory_order_relaxed);
    while (parent != index)
    {
        int above = atomic_load_explicit(&roots[parent], memory_order_relaxed);
        if (above != parent)
        {
            // Any ancestor will do, so it does not matter who writes last.
            atomic_store_explicit(&roots[index], above, memory_order_relaxed);
        }
        index = parent;
        parent = above;
    }
    return index;
}

static void Unite(atomic_int* roots, int a, int b)
{
    for (;;)
    {
        a = FindRoot(roots, a);
        b = FindRoot(roots, b);
        if (a == b)
        {
            return;
        }
        int upper = tdMaxInt(a, b), expected = upper;
        if (atomic_compare_exchange_strong_explicit(&roots[upper], &expected, tdMinInt(a, b),
                                                    memory_order_relaxed, memory_order_relaxed))
        {
            return;
        }
    }
}

static void BeginRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    tdParts* parts = &world->solver->parts;
    bool hasJoints = tdJointSet_GetCount(world) > 0;
    for (int i = start; i < end; ++i)
    {
        bool isShared = hasJoints && i > 0 && world->bodies.data[world->sims[i].body].jointCount > 0;
        isShared = isShared || (world->sims[i].flags & TD_BODY_DYNAMIC) == 0;
        atomic_init(&parts->roots[i], i);
        atomic_init(&parts->shared[i], isShared ? 1 : 0);
        parts->sizes[i] = 0;
    }
}

static void UniteRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    tdParts* parts = &world->solver->parts;
    for (int i = start; i < end; ++i)
    {
        const tdTouch* touch = world->touches.data + i;
        bool isDynamicA = IsDynamic(world, touch->simA), isDynamicB = IsDynamic(world, touch->simB);
        if (isDynamicA && isDynamicB)
        {
            Unite(parts->roots, touch->simA, touch->simB);
        }
        else if (touch->simA > 0 && touch->simB > 0)
        {
            // The kinematic one moves in every sub-step.
            int dynamic = isDynamicA ? touch->simA : touch->simB;
            atomic_store_explicit(&parts->shared[dynamic], 1, memory_order_relaxed);
        }
    }
}

/// @return false if little would be gained: too much in part 0, or in one part
static bool AssignBodies(tdWorld* world)
{
    tdParts* parts = &world->solver->parts;
    int awakeCount = world->awakeCount, bodyCount = awakeCount - 1, workers = world->workerCount;
    for (int i = 1; i < awakeCount; ++i)
    {
        int root = FindRoot(parts->roots, i);
        atomic_store_explicit(&parts->roots[i], root, memory_order_relaxed);
        parts->sizes[root] += 1;
        if (atomic_load_explicit(&parts->shared[i], memory_order_relaxed) != 0)
        {
            atomic_store_explicit(&parts->shared[root], 1, memory_order_relaxed);
        }
    }
    int target = tdMaxInt(tdMinInt(bodyCount / (8 * workers), PART_BODIES), LEAST_PART_BODIES);
    target = tdMaxInt(target, bodyCount / MAX_PARTS + 1);
    int most = workers > 1 ? tdMaxInt(bodyCount / (2 * workers), target) : bodyCount;
    int largest = 0;
    parts->parts[0] = (tdPart){0};
    parts->count = 1;
    // Large ones first, so that the small ones even out the workers' load.
    for (int i = 1; i < awakeCount; ++i)
    {
        if (atomic_load_explicit(&parts->roots[i], memory_order_relaxed) != i)
        {
            continue;
        }
        bool isShared = atomic_load_explicit(&parts->shared[i], memory_order_relaxed) != 0;
        largest = tdMaxInt(largest, parts->sizes[i]);
        if (isShared || parts->sizes[i] > most)
        {
            parts->partOf[i] = 0;
            parts->parts[0].bodyCount += parts->sizes[i];
        }
        else if (parts->sizes[i] >= target)
        {
            parts->partOf[i] = (uint16_t)parts->count;
            parts->parts[parts->count++] = (tdPart){.bodyCount = parts->sizes[i]};
        }
        else
        {
            parts->partOf[i] = UINT16_MAX;
        }
    }
    if (tdMaxInt(parts->parts[0].bodyCount, largest) > bodyCount - bodyCount / 4)
    {
        return false;
    }
    int open = 0;
    for (int i = 1; i < awakeCount; ++i)
    {
        int root = atomic_load_explicit(&parts->roots[i], memory_order_relaxed);
        if (root == i && parts->partOf[i] == UINT16_MAX)
        {
            if (open == 0 || parts->parts[open].bodyCount >= target)
            {
                open = parts->count++;
                parts->parts[open] = (tdPart){0};
            }
            parts->partOf[i] = (uint16_t)open;
            parts->parts[open].bodyCount += parts->sizes[i];
        }
        parts->partOf[i] = parts->partOf[root];
    }
    TD_ASSERT(parts->count <= parts->capacity);
    return true;
}

/// Bodies in order of their parts; each part begins a row.
static void OrderBodies(tdWorld* world)
{
    tdParts* parts = &world->solver->parts;
    int rows = 0;
    for (int p = 0; p < parts->count; ++p)
    {
        tdPart* part = &parts->parts[p];
        part->firstBodyRow = rows;
        part->bodyRowCount = (part->bodyCount + TD_LANES - 1) / TD_LANES;
        rows += part->bodyRowCount;
        for (int i = part->bodyCount; i < TD_LANES * part->bodyRowCount; ++i)
        {
            parts->bodies[TD_LANES * part->firstBodyRow + i] = 0;
        }
        part->bodyCount = 0; // counted again below
    }
    for (int i = 1; i < world->awakeCount; ++i)
    {
        int body = parts->slabCount > 1 ? parts->slabOrder[i - 1] : i;
        tdPart* part = &parts->parts[parts->partOf[body]];
        parts->bodies[TD_LANES * part->firstBodyRow + part->bodyCount] = body;
        part->bodyCount += 1;
    }
}

/// Part and key of each touch. In the overflow colour order counts, so it knows no slabs.
static void AssignTouchRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    tdParts* parts = &world->solver->parts;
    int leastSize = TD_SIZE_KEY_COUNT;
    const uint16_t* partOf = parts->isWhole ? NULL : parts->partOf;
    uint16_t* touchParts = parts->touchParts;
    uint32_t* keys = parts->keys;
    for (int i = start; i < end; ++i)
    {
        const tdTouch* touch = world->touches.data + i;
        TD_ASSERT(touch->manifoldCount > 0);
        int body = GetOwner(world, touch);
        int part = partOf != NULL && body > 0 ? partOf[body] : 0;
        int slabCount = part == 0 ? parts->slabCount : 1;
        int slab = slabCount > 1 && body > 0 && touch->color != TD_COLOR_OVERFLOW ? parts->slabs[body] : 0;
        uint32_t key =
            (uint32_t)((touch->color * slabCount + slab) * TD_SIZE_KEY_COUNT) + (uint32_t)touch->sizeKey;
        leastSize = tdMinInt(leastSize, touch->sizeKey);
        touchParts[i] = (uint16_t)part;
        keys[i] = key | ((touch->flags & TD_TOUCH_BOUNCES) != 0 ? KEY_BOUNCES : 0u);
    }
    int least = atomic_load_explicit(&parts->leastSize, memory_order_relaxed);
    while (leastSize < least &&
           !atomic_compare_exchange_weak_explicit(&parts->leastSize, &least, leastSize, memory_order_relaxed,
                                                  memory_order_relaxed))
    {
    }
}

static void AssignTouches(tdWorld* world)
{
    atomic_store_explicit(&world->solver->parts.leastSize, TD_SIZE_KEY_COUNT, memory_order_relaxed);
    tdTasks_For(world->tasks, AssignTouchRange, world, world->touches.count, 512);
}

static void OrderTouches(tdWorld* world)
{
    tdParts* parts = &world->solver->parts;
    int touchCount = world->touches.count;
    AssignTouches(world);
    for (int i = 0; i < touchCount; ++i)
    {
        parts->parts[parts->touchParts[i]].touchCount += 1;
    }
    int first = 0;
    for (int p = 0; p < parts->count; ++p)
    {
        tdPart* part = &parts->parts[p];
        part->firstTouch = first;
        first += part->touchCount;
        part->touchCount = 0; // counted again below
    }
    for (int i = 0; i < touchCount; ++i)
    {
        tdPart* part = &parts->parts[parts->touchParts[i]];
        parts->byPart[part->firstTouch + part->touchCount] = i;
        part->touchCount += 1;
    }
}

// The overflow colour.

/// The body that a touch beyond the colours is grouped by: of two that move that with more contacts. All
/// touches of it are in one part, so groups of one hub are the same however the world is cut.
static int GetHub(const tdWorld* world, int index)
{
    const tdTouch* touch = world->touches.data + index;
    int a = touch->simA, b = touch->simB;
    if (!IsDynamic(world, a) || !IsDynamic(world, b))
    {
        return GetOwner(world, touch);
    }
    const tdBody* bodies = world->bodies.data;
    int countA = bodies[world->sims[a].body].contactCount, countB = bodies[world->sims[b].body].contactCount;
    return countA >= countB ? a : b;
}

/// How many of the touches from `at` on have a group together.
static int CountOverflowGroup(const tdWorld* world, int at, int end)
{
    const int* sorted = world->solver->sorted;
    int hub = GetHub(world, sorted[at]), count = 1;
    while (count < TD_LANES && at + count < end && GetHub(world, sorted[at + count]) == hub)
    {
        count += 1;
    }
    return count;
}

/// Touches of a part from `start` on are those beyond the colours, in order of their sizes. Put those of a
/// hub together, in the same order; count groups and rows.
static void SortOverflow(const tdWorld* world, tdPart* part, int start)
{
    const tdSolver* solver = world->solver;
    int* sorted = solver->sorted;
    int* copy = solver->parts.byPart; // the place of this part in it has served
    int* places = solver->parts.sizes;
    int end = part->firstTouch + part->touchCount;
    for (int i = start; i < end; ++i)
    {
        copy[i] = sorted[i];
        places[GetHub(world, sorted[i])] = 0;
    }
    for (int i = start; i < end; ++i)
    {
        places[GetHub(world, copy[i])] -= 1;
    }
    int next = start;
    for (int i = start; i < end; ++i)
    {
        int* place = &places[GetHub(world, copy[i])];
        if (*place < 0) // its first touch
        {
            next -= *place;
            *place = next + *place;
        }
        sorted[(*place)++] = copy[i];
    }
    while (start < end)
    {
        int size = world->touches.data[sorted[start]].sizeKey;
        start += CountOverflowGroup(world, start, end);
        part->groupCount += 1;
        part->overflowCount += 1;
        part->rowCount += tdMaxInt(TD_MAX_CONTACT_MANIFOLDS - size, 1);
    }
}

/// The touches of a part by their keys into tdSolver.sorted; counts its groups and rows.
/// @param sizes SIZE_COUNT per slab: scratch
static void SortPart(const tdWorld* world, tdPart* part, int* sizes)
{
    const tdSolver* solver = world->solver;
    const uint32_t* keys = solver->parts.keys;
    const int* order = solver->parts.isWhole ? NULL : solver->parts.byPart + part->firstTouch;
    int* sorted = solver->sorted;
    int touchCount = part->touchCount, slabCount = part->slabCount;
    int leastSize = atomic_load_explicit(&solver->parts.leastSize, memory_order_relaxed);
    memset(sizes, 0, (size_t)(slabCount * SIZE_COUNT) * sizeof(int));
    uint32_t flags = 0;
    for (int i = 0; i < touchCount; ++i)
    {
        uint32_t key = keys[order != NULL ? order[i] : i];
        sizes[key & KEY_MASK] += 1;
        flags |= key;
    }
    part->bounces = (flags & KEY_BOUNCES) != 0;
    int total = part->firstTouch, end = total + touchCount;
    part->groupCount = part->rowCount = part->overflowCount = 0;
    int overflow = end;
    for (int run = 0; total < end; ++run)
    {
        bool isOverflow = run / slabCount == TD_COLOR_OVERFLOW;
        int filled = 0;
        overflow = isOverflow ? tdMinInt(overflow, total) : overflow;
        for (int key = leastSize; key < TD_SIZE_KEY_COUNT; ++key)
        {
            int* slot = &sizes[run * TD_SIZE_KEY_COUNT + key];
            int count = *slot;
            if (count == 0)
            {
                continue;
            }
            *slot = total;
            total += count;
            if (isOverflow)
            {
                continue;
            }
            // Groups that begin with a touch of this size have as many rows as it has manifolds.
            int groups = (filled + count + TD_LANES - 1) / TD_LANES - (filled + TD_LANES - 1) / TD_LANES;
            filled += count;
            part->groupCount += groups;
            part->rowCount += groups * tdMaxInt(TD_MAX_CONTACT_MANIFOLDS - key, 1);
        }
    }
    for (int i = 0; i < touchCount; ++i)
    {
        int index = order != NULL ? order[i] : i;
        sorted[sizes[keys[index] & KEY_MASK]++] = index;
    }
    if (overflow < end)
    {
        SortOverflow(world, part, overflow);
    }
}

static void SortRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    const tdParts* parts = &world->solver->parts;
    int sizes[SIZE_COUNT];
    for (int p = start; p < end; ++p)
    {
        parts->parts[p].slabCount = p == 0 ? parts->slabCount : 1;
        SortPart(world, &parts->parts[p], p == 0 ? parts->slabSizes : sizes);
    }
}

static void SortWhole(tdWorld* world)
{
    tdParts* parts = &world->solver->parts;
    AssignTouches(world);
    parts->parts[0].slabCount = parts->slabCount;
    SortPart(world, &parts->parts[0], parts->slabSizes);
}

static void LayOutWhole(tdWorld* world)
{
    tdSolver* solver = world->solver;
    solver->parts.isWhole = true;
    solver->parts.count = 1;
    int bodyCount = world->awakeCount - 1;
    solver->parts.parts[0] = (tdPart){
        .touchCount = world->touches.count,
        .bodyCount = bodyCount,
        .bodyRowCount = (bodyCount + TD_LANES - 1) / TD_LANES,
    };
    const int most[2] = {solver->groupLimit, solver->rowLimit};
    tdPart* part = &solver->parts.parts[0];
    SortWhole(world);
    if (part->slabCount > 1 && (part->groupCount > most[0] || part->rowCount > most[1]))
    {
        solver->parts.slabCount = 1; // slabs have more groups that are not full
        SortWhole(world);
    }
    if (part->groupCount > most[0] || part->rowCount > most[1])
    {
        // Far more unequal contacts than were made room for: the smallest of the last colours have to wait.
        part->groupCount = tdMinInt(part->groupCount, most[0]);
        part->rowCount = tdMinInt(part->rowCount, most[1]);
        memset(world->touchFlags.data, 0, (size_t)world->touches.count);
    }
}

/// @return false if the world is better left whole
static bool Cut(tdWorld* world)
{
    tdSolver* solver = world->solver;
    tdParts* parts = &solver->parts;
    int least = world->workerCount > 1 ? LEAST_TOUCHES_SHARED : LEAST_TOUCHES_ALONE;
    if (world->touches.count < least)
    {
        return false;
    }
    if (parts->pause > 0)
    {
        parts->pause -= 1;
        return false;
    }
    tdTasks_For(world->tasks, BeginRange, world, world->awakeCount, 512);
    tdTasks_For(world->tasks, UniteRange, world, world->touches.count, 256);
    if (!AssignBodies(world))
    {
        parts->nextPause = tdMinInt(2 * parts->nextPause + 1, LONGEST_PAUSE);
        parts->pause = parts->nextPause;
        return false;
    }
    parts->nextPause = 0;
    parts->isWhole = false;
    OrderBodies(world);
    OrderTouches(world);
    tdTasks_For(world->tasks, SortRange, world, parts->count, 1);
    int groups = 0, rows = 0;
    for (int p = 0; p < parts->count; ++p)
    {
        tdPart* part = &parts->parts[p];
        part->firstGroup = groups;
        part->firstRow = rows;
        groups += part->groupCount;
        rows += part->rowCount;
    }
    return groups <= solver->groupLimit && rows <= solver->rowLimit;
}

void tdParts_LayOut(tdWorld* world)
{
    UpdateSlabs(world);
    if (!Cut(world))
    {
        LayOutWhole(world);
    }
}

void tdPart_WriteGroups(const tdWorld* world, const tdPart* part, int* colorStart)
{
    const tdSolver* solver = world->solver;
    const uint32_t* keys = solver->parts.keys;
    const int* sorted = solver->sorted;
    int group = part->firstGroup, row = part->firstRow, at = part->firstTouch;
    int end = part->firstTouch + part->touchCount, color = 0, cost = 0;
    int groupEnd = part->firstGroup + part->groupCount, rowEnd = part->firstRow + part->rowCount;
    while (at < end && group < groupEnd && row < rowEnd)
    {
        uint32_t key = keys[sorted[at]] & KEY_MASK, run = key / TD_SIZE_KEY_COUNT;
        uint32_t runStart = run * TD_SIZE_KEY_COUNT;
        int firstColor = (int)run / part->slabCount;
        int count = 1;
        while (count < TD_LANES && at + count < end &&
               (keys[sorted[at + count]] & KEY_MASK) - runStart < TD_SIZE_KEY_COUNT)
        {
            count += 1;
        }
        if (firstColor == TD_COLOR_OVERFLOW)
        {
            count = CountOverflowGroup(world, at, end);
        }
        while (colorStart != NULL && color <= firstColor)
        {
            colorStart[color++] = group;
        }
        tdContactGroup* target = solver->groups + group;
        target->firstTouch = at;
        target->touchCount = count;
        target->firstRow = row;
        // Its first touch has the most manifolds.
        int rows = tdMaxInt(TD_MAX_CONTACT_MANIFOLDS - (int)(key - runStart), 1);
        target->rowCount = tdMinInt(rows, rowEnd - row);
        if (colorStart != NULL)
        {
            // Roughly: friction and access to the bodies take as long as three points.
            int points = tdMinInt(TD_MAX_CONTACT_MANIFOLDS + TD_MAX_MANIFOLD_POINTS - (int)(key - runStart),
                                  TD_MAX_MANIFOLD_POINTS);
            solver->groupCosts[group] = cost;
            cost += target->rowCount * (3 + points);
        }
        row += target->rowCount;
        group += 1;
        at += count;
    }
    if (colorStart != NULL)
    {
        solver->groupCosts[group] = cost;
    }
    while (colorStart != NULL && color <= TD_COLOR_COUNT + 1)
    {
        colorStart[color++] = group;
    }
}

void tdParts_GetBodies(const tdParts* parts, int row, int awakeCount, int32_t* bodies)
{
    for (int i = 0; i < TD_LANES; ++i)
    {
        int at = TD_LANES * row + i;
        if (!parts->isWhole)
        {
            bodies[i] = parts->bodies[at];
            continue;
        }
        bodies[i] = at + 1 < awakeCount ? at + 1 : 0;
        if (bodies[i] > 0 && parts->slabCount > 1)
        {
            bodies[i] = parts->slabOrder[at];
        }
    }
}
