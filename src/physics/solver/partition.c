// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Search and layout of partitions and regions. partition.h describes them.
#include "physics/solver/partition.h"

#include "physics/data/color.h"
#include "physics/data/joint_data.h"
#include "physics/data/scratch.h"
#include "physics/data/union_find.h"
#include "physics/data/world_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/solver_data.h"

#include <string.h>

/// Target size of a partition, bodies: its rows then fit the level-2 cache of a core (512 KB). Found by
/// trial; results do not depend on it.
#define PARTITION_BODIES 256
#define LEAST_PARTITION_BODIES 32
/// Least numbers of contacts for which partitions pay off: with several workers they save barriers, on one
/// worker cache misses.
#define LEAST_CONTACTS_SHARED 128
#define LEAST_CONTACTS_ALONE 1024
/// Longest pause after searches without result, steps.
#define LONGEST_PAUSE 32
/// Partition numbers are 16-bit; UINT16_MAX is taken.
#define MAX_PARTITIONS 60000
/// Regions are computed again after this many steps, or when the number of awake bodies changed.
#define REGION_STEPS 16
#define MAX_REGIONS 8
/// Bins along the axis of the regions: a bin number fits a byte.
#define REGION_BINS 256
/// Sort key of a contact: (colour * regions of its partition + region) * TD_SIZE_KEY_COUNT + size. Contacts
/// with the same colour and region are a run; a group has contacts of one run.
#define SORT_KEY_COUNT ((TD_COLOR_COUNT + 1) * TD_SIZE_KEY_COUNT)
#define KEY_BOUNCES 0x80000000u
#define KEY_MASK 0x7fffffffu

bool tdPartitionSet_Reserve(tdPartitionSet* partitions, tdWorld* world, int contactCount)
{
    int bodies = world->bodyCapacity;
    int partitionCount = tdMinInt(bodies / LEAST_PARTITION_BODIES + 3, MAX_PARTITIONS + 3);
    return tdWorld_GrowScratch(world, (void**)&partitions->items, &partitions->capacity, 0, partitionCount,
                               sizeof(tdPartition)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->roots, &partitions->rootCapacity, 0, bodies,
                               sizeof(atomic_int)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->shared, &partitions->sharedCapacity, 0, bodies,
                               sizeof(atomic_uchar)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->sizes, &partitions->sizeCapacity, 0, bodies,
                               sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->partitionOf, &partitions->partitionOfCapacity, 0,
                               bodies, sizeof(uint16_t)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->bodies, &partitions->bodiesCapacity, 0,
                               bodies + TD_LANES * partitionCount, sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->regions, &partitions->regionCapacity, 0, bodies,
                               sizeof(uint8_t)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->regionOrder, &partitions->regionOrderCapacity, 0,
                               bodies, sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->slots, &partitions->slotCapacity, 0, bodies,
                               sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->regionSizes, &partitions->regionSizeCapacity, 0,
                               tdMinInt(world->workerCount, MAX_REGIONS) * SORT_KEY_COUNT, sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->contactPartitions,
                               &partitions->contactPartitionCapacity, 0, contactCount, sizeof(uint16_t)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->keys, &partitions->keyCapacity, 0, contactCount,
                               sizeof(uint32_t)) &&
           tdWorld_GrowScratch(world, (void**)&partitions->byPartition, &partitions->byPartitionCapacity, 0,
                               contactCount, sizeof(int));
}

void tdPartitionSet_Free(tdPartitionSet* partitions, const tdAllocator* allocator)
{
    tdRelease(allocator, partitions->items, (size_t)partitions->capacity * sizeof(tdPartition));
    tdRelease(allocator, partitions->roots, (size_t)partitions->rootCapacity * sizeof(atomic_int));
    tdRelease(allocator, partitions->shared, (size_t)partitions->sharedCapacity * sizeof(atomic_uchar));
    tdRelease(allocator, partitions->sizes, (size_t)partitions->sizeCapacity * sizeof(int));
    tdRelease(allocator, partitions->partitionOf, (size_t)partitions->partitionOfCapacity * sizeof(uint16_t));
    tdRelease(allocator, partitions->bodies, (size_t)partitions->bodiesCapacity * sizeof(int));
    tdRelease(allocator, partitions->regions, (size_t)partitions->regionCapacity * sizeof(uint8_t));
    tdRelease(allocator, partitions->regionOrder, (size_t)partitions->regionOrderCapacity * sizeof(int));
    tdRelease(allocator, partitions->slots, (size_t)partitions->slotCapacity * sizeof(int));
    tdRelease(allocator, partitions->regionSizes, (size_t)partitions->regionSizeCapacity * sizeof(int));
    tdRelease(allocator, partitions->contactPartitions,
              (size_t)partitions->contactPartitionCapacity * sizeof(uint16_t));
    tdRelease(allocator, partitions->keys, (size_t)partitions->keyCapacity * sizeof(uint32_t));
    tdRelease(allocator, partitions->byPartition, (size_t)partitions->byPartitionCapacity * sizeof(int));
    *partitions = (tdPartitionSet){0};
}

// Regions.

static float GetComponent(tdVec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static bool IsDynamicReference(const tdWorld* world, int reference)
{
    return reference > 0 &&
           (world->awakeKinematicCount == 0 || (world->sims[reference].flags & TD_BODY_DYNAMIC) != 0);
}

/// A dynamic body of the contact; 0: none.
static int GetDynamicBody(const tdWorld* world, const tdTouchingContact* touching)
{
    return IsDynamicReference(world, touching->simA) ? touching->simA : tdMaxInt(touching->simB, 0);
}

/// Combine bins of bodies to regions with about equal numbers of contacts.
static void AssignBinsToRegions(const tdWorld* world, int regionCount, uint8_t* bins)
{
    int counts[REGION_BINS] = {0}, before = 0;
    uint8_t regionOfBin[REGION_BINS];
    for (int i = 0; i < world->touchingContacts.count; ++i)
    {
        counts[bins[GetDynamicBody(world, &world->touchingContacts.data[i])]] += 1;
    }
    for (int i = 0; i < REGION_BINS; ++i)
    {
        int64_t middle = 2 * (int64_t)before + counts[i];
        int region = (int)(middle * regionCount / (2 * (int64_t)world->touchingContacts.count));
        regionOfBin[i] = (uint8_t)tdMinInt(region, regionCount - 1);
        before += counts[i];
    }
    for (int i = 1; i < world->awakeCount; ++i)
    {
        bins[i] = regionOfBin[bins[i]];
    }
}

static int CountContactsAcross(const tdWorld* world, const uint8_t* regions)
{
    int count = 0;
    for (int i = 0; i < world->touchingContacts.count; ++i)
    {
        const tdTouchingContact* touching = &world->touchingContacts.data[i];
        count +=
            touching->simA > 0 && touching->simB > 0 && regions[touching->simA] != regions[touching->simB];
    }
    return count;
}

/// Compute regions along the axis in which the awake bodies extend most.
static void ComputeSpaceRegions(const tdWorld* world, int regionCount, uint8_t* regions)
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
    float scale = extent > 0.0f ? (float)REGION_BINS / extent : 0.0f;
    regions[0] = 0;
    for (int i = 1; i < awakeCount; ++i)
    {
        float at = (GetComponent(sims[i].center, axis) - start) * scale;
        regions[i] = (uint8_t)(at >= 0.0f && at < (float)REGION_BINS ? (int)at : REGION_BINS - 1); // NaN too
    }
    AssignBinsToRegions(world, regionCount, regions);
}

/// Compute regions of consecutive indices.
static void ComputeIndexRegions(const tdWorld* world, int regionCount, uint8_t* regions)
{
    regions[0] = 0;
    for (int i = 1; i < world->awakeCount; ++i)
    {
        regions[i] = (uint8_t)((int64_t)(i - 1) * REGION_BINS / (world->awakeCount - 1));
    }
    AssignBinsToRegions(world, regionCount, regions);
}

static void ComputeRegions(const tdWorld* world, int regionCount)
{
    tdPartitionSet* partitions = &world->solver->partitions;
    int awakeCount = world->awakeCount;
    ComputeSpaceRegions(world, regionCount, partitions->regions);
    int across = CountContactsAcross(world, partitions->regions);
    // Bodies that were created consecutively are often neighbours, and their data is contiguous in all
    // arrays.
    ComputeIndexRegions(world, regionCount, partitions->regions);
    if (CountContactsAcross(world, partitions->regions) > across + across / 2 + 16)
    {
        ComputeSpaceRegions(world, regionCount, partitions->regions);
    }
    partitions->slots[0] = 0;
    // The order of each region starts at a different body, so that workers do not write to the same cache
    // lines of arrays by body at the same time.
    int count = 0;
    for (int region = 0; region < regionCount; ++region)
    {
        int body = 1 + (int)((int64_t)(awakeCount - 1) * region / regionCount);
        for (int i = 1; i < awakeCount; ++i)
        {
            if (partitions->regions[body] == region)
            {
                partitions->regionOrder[count++] = body;
                partitions->slots[body] = count;
            }
            body = body + 1 < awakeCount ? body + 1 : 1;
        }
    }
}

static void UpdateRegions(tdWorld* world)
{
    tdPartitionSet* partitions = &world->solver->partitions;
    int regionCount = tdMinInt(world->workerCount, MAX_REGIONS);
    if (world->touchingContacts.count < LEAST_CONTACTS_SHARED || regionCount == 1)
    {
        partitions->regionCount = 1;
        partitions->regionBodies = 0;
        return;
    }
    partitions->regionCount = regionCount;
    partitions->regionAge += 1;
    if (partitions->regionBodies != world->awakeCount || partitions->regionAge >= REGION_STEPS)
    {
        ComputeRegions(world, regionCount);
        partitions->regionBodies = world->awakeCount;
        partitions->regionAge = 0;
    }
}

// Connected components.

static void InitComponentRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    tdPartitionSet* partitions = &world->solver->partitions;
    bool hasJoints = world->joints->liveCount > 0;
    for (int i = start; i < end; ++i)
    {
        bool isShared = hasJoints && i > 0 && world->bodies.data[world->sims[i].body].jointCount > 0;
        isShared = isShared || (world->sims[i].flags & TD_BODY_DYNAMIC) == 0;
        isShared = isShared || tdStackSet_HasBody(&world->solver->stacks, i);
        atomic_init(&partitions->roots[i], i);
        atomic_init(&partitions->shared[i], isShared ? 1 : 0);
        partitions->sizes[i] = 0;
    }
}

static void UniteTouchingRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    tdPartitionSet* partitions = &world->solver->partitions;
    for (int i = start; i < end; ++i)
    {
        const tdTouchingContact* touching = world->touchingContacts.data + i;
        bool isDynamicA = IsDynamicReference(world, touching->simA),
             isDynamicB = IsDynamicReference(world, touching->simB);
        if (isDynamicA && isDynamicB)
        {
            tdUnionFind_Unite(partitions->roots, touching->simA, touching->simB);
        }
        else if (touching->simA > 0 && touching->simB > 0)
        {
            // The kinematic body moves in every sub-step, with all workers.
            int dynamic = isDynamicA ? touching->simA : touching->simB;
            atomic_store_explicit(&partitions->shared[dynamic], 1, memory_order_relaxed);
        }
    }
}

/// Assign components of bodies to partitions.
/// @return false if partition 0 or one component has most of the bodies
static bool AssignBodiesToPartitions(tdWorld* world)
{
    tdPartitionSet* partitions = &world->solver->partitions;
    int awakeCount = world->awakeCount, bodyCount = awakeCount - 1, workers = world->workerCount;
    for (int i = 1; i < awakeCount; ++i)
    {
        int root = tdUnionFind_FindRoot(partitions->roots, i);
        atomic_store_explicit(&partitions->roots[i], root, memory_order_relaxed);
        partitions->sizes[root] += 1;
        if (atomic_load_explicit(&partitions->shared[i], memory_order_relaxed) != 0)
        {
            atomic_store_explicit(&partitions->shared[root], 1, memory_order_relaxed);
        }
    }
    int target = tdMaxInt(tdMinInt(bodyCount / (8 * workers), PARTITION_BODIES), LEAST_PARTITION_BODIES);
    target = tdMaxInt(target, bodyCount / MAX_PARTITIONS + 1);
    int most = workers > 1 ? tdMaxInt(bodyCount / (2 * workers), target) : bodyCount;
    int largest = 0;
    partitions->items[0] = (tdPartition){0};
    partitions->count = 1;
    // Large components first, so that small ones balance the load.
    for (int i = 1; i < awakeCount; ++i)
    {
        if (atomic_load_explicit(&partitions->roots[i], memory_order_relaxed) != i)
        {
            continue;
        }
        bool isShared = atomic_load_explicit(&partitions->shared[i], memory_order_relaxed) != 0;
        largest = tdMaxInt(largest, partitions->sizes[i]);
        if (isShared || partitions->sizes[i] > most)
        {
            partitions->partitionOf[i] = 0;
            partitions->items[0].bodyCount += partitions->sizes[i];
        }
        else if (partitions->sizes[i] >= target)
        {
            partitions->partitionOf[i] = (uint16_t)partitions->count;
            partitions->items[partitions->count++] = (tdPartition){.bodyCount = partitions->sizes[i]};
        }
        else
        {
            partitions->partitionOf[i] = UINT16_MAX;
        }
    }
    if (tdMaxInt(partitions->items[0].bodyCount, largest) > bodyCount - bodyCount / 4)
    {
        return false;
    }
    int open = 0;
    for (int i = 1; i < awakeCount; ++i)
    {
        int root = atomic_load_explicit(&partitions->roots[i], memory_order_relaxed);
        if (root == i && partitions->partitionOf[i] == UINT16_MAX)
        {
            if (open == 0 || partitions->items[open].bodyCount >= target)
            {
                open = partitions->count++;
                partitions->items[open] = (tdPartition){0};
            }
            partitions->partitionOf[i] = (uint16_t)open;
            partitions->items[open].bodyCount += partitions->sizes[i];
        }
        partitions->partitionOf[i] = partitions->partitionOf[root];
    }
    TD_ASSERT(partitions->count <= partitions->capacity);
    return true;
}

/// Sort bodies by partition; each partition begins a row.
static void SortBodiesByPartition(tdWorld* world)
{
    tdPartitionSet* partitions = &world->solver->partitions;
    int rows = 0;
    for (int p = 0; p < partitions->count; ++p)
    {
        tdPartition* partition = &partitions->items[p];
        partition->firstBodyRow = rows;
        partition->bodyRowCount = (partition->bodyCount + TD_LANES - 1) / TD_LANES;
        rows += partition->bodyRowCount;
        for (int i = partition->bodyCount; i < TD_LANES * partition->bodyRowCount; ++i)
        {
            partitions->bodies[TD_LANES * partition->firstBodyRow + i] = 0;
        }
        partition->bodyCount = 0; // counted again below
    }
    for (int i = 1; i < world->awakeCount; ++i)
    {
        int body = partitions->regionCount > 1 ? partitions->regionOrder[i - 1] : i;
        tdPartition* partition = &partitions->items[partitions->partitionOf[body]];
        partitions->bodies[TD_LANES * partition->firstBodyRow + partition->bodyCount] = body;
        partition->bodyCount += 1;
    }
}

/// Compute partition and sort key of each contact. The order inside the overflow colour matters, so it has no
/// regions.
static void ComputeContactKeyRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    tdPartitionSet* partitions = &world->solver->partitions;
    int leastSize = TD_SIZE_KEY_COUNT;
    const uint16_t* partitionOf = partitions->isWhole ? NULL : partitions->partitionOf;
    uint16_t* contactPartitions = partitions->contactPartitions;
    uint32_t* keys = partitions->keys;
    for (int i = start; i < end; ++i)
    {
        const tdTouchingContact* touching = world->touchingContacts.data + i;
        TD_ASSERT(touching->manifoldCount > 0);
        int body = GetDynamicBody(world, touching);
        int partition = partitionOf != NULL && body > 0 ? partitionOf[body] : 0;
        int regionCount = partition == 0 ? partitions->regionCount : 1;
        int region = regionCount > 1 && body > 0 && touching->color != TD_COLOR_OVERFLOW
                         ? partitions->regions[body]
                         : 0;
        uint32_t key = (uint32_t)((touching->color * regionCount + region) * TD_SIZE_KEY_COUNT) +
                       (uint32_t)touching->sizeKey;
        leastSize = tdMinInt(leastSize, touching->sizeKey);
        contactPartitions[i] = (uint16_t)partition;
        keys[i] = key | ((touching->flags & TD_TOUCHING_BOUNCES) != 0 ? KEY_BOUNCES : 0u);
    }
    int least = atomic_load_explicit(&partitions->leastSize, memory_order_relaxed);
    while (leastSize < least &&
           !atomic_compare_exchange_weak_explicit(&partitions->leastSize, &least, leastSize,
                                                  memory_order_relaxed, memory_order_relaxed))
    {
    }
}

static void ComputeContactKeys(tdWorld* world)
{
    atomic_store_explicit(&world->solver->partitions.leastSize, TD_SIZE_KEY_COUNT, memory_order_relaxed);
    tdTasks_For(world->tasks, ComputeContactKeyRange, world, world->touchingContacts.count, 512);
}

static void SortContactsByPartition(tdWorld* world)
{
    tdPartitionSet* partitions = &world->solver->partitions;
    int contactCount = world->touchingContacts.count;
    ComputeContactKeys(world);
    for (int i = 0; i < contactCount; ++i)
    {
        partitions->items[partitions->contactPartitions[i]].contactCount += 1;
    }
    int first = 0;
    for (int p = 0; p < partitions->count; ++p)
    {
        tdPartition* partition = &partitions->items[p];
        partition->firstContact = first;
        first += partition->contactCount;
        partition->contactCount = 0; // counted again below
    }
    for (int i = 0; i < contactCount; ++i)
    {
        tdPartition* partition = &partitions->items[partitions->contactPartitions[i]];
        partitions->byPartition[partition->firstContact + partition->contactCount] = i;
        partition->contactCount += 1;
    }
}

// The overflow colour.

/// The hub of a contact of the overflow colour: its dynamic body, of two the one with more contacts. All
/// contacts of a hub are in one partition, so its groups do not depend on the partitions.
static int GetHub(const tdWorld* world, int index)
{
    const tdTouchingContact* touching = world->touchingContacts.data + index;
    int a = touching->simA, b = touching->simB;
    if (!IsDynamicReference(world, a) || !IsDynamicReference(world, b))
    {
        return GetDynamicBody(world, touching);
    }
    const tdBody* bodies = world->bodies.data;
    int countA = bodies[world->sims[a].body].contactCount, countB = bodies[world->sims[b].body].contactCount;
    return countA >= countB ? a : b;
}

/// Number of contacts from `at` on that form one group.
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

/// Sort the contacts of the overflow colour, which begin at `start`, by hub, keeping the order of sizes.
/// Counts groups and rows.
static void SortOverflow(const tdWorld* world, tdPartition* partition, int start)
{
    const tdSolver* solver = world->solver;
    int* sorted = solver->sorted;
    int* copy = solver->partitions.byPartition; // its entries of this partition are no longer used
    int* places = solver->partitions.sizes;
    int end = partition->firstContact + partition->contactCount;
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
        if (*place < 0) // first contact of this hub
        {
            next -= *place;
            *place = next + *place;
        }
        sorted[(*place)++] = copy[i];
    }
    while (start < end)
    {
        int size = world->touchingContacts.data[sorted[start]].sizeKey;
        start += CountOverflowGroup(world, start, end);
        partition->groupCount += 1;
        partition->overflowCount += 1;
        partition->rowCount += tdMaxInt(TD_MAX_CONTACT_MANIFOLDS - size, 1);
    }
}

/// Sort the contacts of a partition by key into tdSolver.sorted. Counts its groups and rows.
/// @param sizes scratch: SORT_KEY_COUNT per region
static void SortPartition(const tdWorld* world, tdPartition* partition, int* sizes)
{
    const tdSolver* solver = world->solver;
    const uint32_t* keys = solver->partitions.keys;
    const int* order =
        solver->partitions.isWhole ? NULL : solver->partitions.byPartition + partition->firstContact;
    int* sorted = solver->sorted;
    int contactCount = partition->contactCount, regionCount = partition->regionCount;
    int leastSize = atomic_load_explicit(&solver->partitions.leastSize, memory_order_relaxed);
    memset(sizes, 0, (size_t)(regionCount * SORT_KEY_COUNT) * sizeof(int));
    uint32_t flags = 0;
    for (int i = 0; i < contactCount; ++i)
    {
        uint32_t key = keys[order != NULL ? order[i] : i];
        sizes[key & KEY_MASK] += 1;
        flags |= key;
    }
    partition->bounces = (flags & KEY_BOUNCES) != 0;
    int total = partition->firstContact, end = total + contactCount;
    partition->groupCount = partition->rowCount = partition->overflowCount = 0;
    int overflow = end;
    for (int run = 0; total < end; ++run)
    {
        bool isOverflow = run / regionCount == TD_COLOR_OVERFLOW;
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
            // A group has as many rows as its first contact has manifolds.
            int groups = (filled + count + TD_LANES - 1) / TD_LANES - (filled + TD_LANES - 1) / TD_LANES;
            filled += count;
            partition->groupCount += groups;
            partition->rowCount += groups * tdMaxInt(TD_MAX_CONTACT_MANIFOLDS - key, 1);
        }
    }
    for (int i = 0; i < contactCount; ++i)
    {
        int index = order != NULL ? order[i] : i;
        sorted[sizes[keys[index] & KEY_MASK]++] = index;
    }
    if (overflow < end)
    {
        SortOverflow(world, partition, overflow);
    }
}

static void SortPartitionRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const tdWorld* world = task;
    const tdPartitionSet* partitions = &world->solver->partitions;
    int sizes[SORT_KEY_COUNT];
    for (int p = start; p < end; ++p)
    {
        partitions->items[p].regionCount = p == 0 ? partitions->regionCount : 1;
        SortPartition(world, &partitions->items[p], p == 0 ? partitions->regionSizes : sizes);
    }
}

static void SortWholeWorld(tdWorld* world)
{
    tdPartitionSet* partitions = &world->solver->partitions;
    ComputeContactKeys(world);
    partitions->items[0].regionCount = partitions->regionCount;
    SortPartition(world, &partitions->items[0], partitions->regionSizes);
}

static void LayOutWholeWorld(tdWorld* world)
{
    tdSolver* solver = world->solver;
    solver->partitions.isWhole = true;
    solver->partitions.count = 1;
    int bodyCount = world->awakeCount - 1;
    solver->partitions.items[0] = (tdPartition){
        .contactCount = world->touchingContacts.count,
        .bodyCount = bodyCount,
        .bodyRowCount = (bodyCount + TD_LANES - 1) / TD_LANES,
    };
    const int most[2] = {solver->groupLimit, solver->rowLimit};
    tdPartition* partition = &solver->partitions.items[0];
    SortWholeWorld(world);
    if (partition->regionCount > 1 && (partition->groupCount > most[0] || partition->rowCount > most[1]))
    {
        solver->partitions.regionCount = 1; // regions have more partly filled groups
        SortWholeWorld(world);
    }
    if (partition->groupCount > most[0] || partition->rowCount > most[1])
    {
        // The contacts differ in size more than the limits allow: skip the smallest contacts of the last
        // colours.
        partition->groupCount = tdMinInt(partition->groupCount, most[0]);
        partition->rowCount = tdMinInt(partition->rowCount, most[1]);
        memset(world->touchingFlags.data, 0, (size_t)world->touchingContacts.count);
    }
}

/// Find partitions.
/// @return false if the world should stay in partition 0
static bool FindPartitions(tdWorld* world)
{
    tdSolver* solver = world->solver;
    tdPartitionSet* partitions = &solver->partitions;
    int least = world->workerCount > 1 ? LEAST_CONTACTS_SHARED : LEAST_CONTACTS_ALONE;
    if (world->touchingContacts.count < least)
    {
        return false;
    }
    if (partitions->pause > 0)
    {
        partitions->pause -= 1;
        return false;
    }
    tdTasks_For(world->tasks, InitComponentRange, world, world->awakeCount, 512);
    tdTasks_For(world->tasks, UniteTouchingRange, world, world->touchingContacts.count, 256);
    if (!AssignBodiesToPartitions(world))
    {
        partitions->nextPause = tdMinInt(2 * partitions->nextPause + 1, LONGEST_PAUSE);
        partitions->pause = partitions->nextPause;
        return false;
    }
    partitions->nextPause = 0;
    partitions->isWhole = false;
    SortBodiesByPartition(world);
    SortContactsByPartition(world);
    tdTasks_For(world->tasks, SortPartitionRange, world, partitions->count, 1);
    int groups = 0, rows = 0;
    for (int p = 0; p < partitions->count; ++p)
    {
        tdPartition* partition = &partitions->items[p];
        partition->firstGroup = groups;
        partition->firstRow = rows;
        groups += partition->groupCount;
        rows += partition->rowCount;
    }
    return groups <= solver->groupLimit && rows <= solver->rowLimit;
}

void tdPartitionSet_LayOut(tdWorld* world)
{
    UpdateRegions(world);
    if (!FindPartitions(world))
    {
        LayOutWholeWorld(world);
    }
}

void tdPartition_WriteGroups(const tdWorld* world, const tdPartition* partition, int* colorStart)
{
    const tdSolver* solver = world->solver;
    const uint32_t* keys = solver->partitions.keys;
    const int* sorted = solver->sorted;
    int group = partition->firstGroup, row = partition->firstRow, at = partition->firstContact;
    int end = partition->firstContact + partition->contactCount, color = 0, cost = 0;
    int groupEnd = partition->firstGroup + partition->groupCount,
        rowEnd = partition->firstRow + partition->rowCount;
    while (at < end && group < groupEnd && row < rowEnd)
    {
        uint32_t key = keys[sorted[at]] & KEY_MASK, run = key / TD_SIZE_KEY_COUNT;
        uint32_t runStart = run * TD_SIZE_KEY_COUNT;
        int firstColor = (int)run / partition->regionCount;
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
        target->firstContact = at;
        target->contactCount = count;
        target->firstRow = row;
        // The first contact has the most manifolds.
        int rows = tdMaxInt(TD_MAX_CONTACT_MANIFOLDS - (int)(key - runStart), 1);
        target->rowCount = tdMinInt(rows, rowEnd - row);
        if (colorStart != NULL)
        {
            // An estimate: friction and body access cost as much as three points.
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

void tdPartitionSet_GetBodies(const tdPartitionSet* partitions, int row, int awakeCount, int32_t* bodies)
{
    for (int i = 0; i < TD_LANES; ++i)
    {
        int at = TD_LANES * row + i;
        if (!partitions->isWhole)
        {
            bodies[i] = partitions->bodies[at];
            continue;
        }
        bodies[i] = at + 1 < awakeCount ? at + 1 : 0;
        if (bodies[i] > 0 && partitions->regionCount > 1)
        {
            bodies[i] = partitions->regionOrder[at];
        }
    }
}
