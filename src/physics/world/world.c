// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation, destruction and settings of a world.
#include "physics/world/world.h"

#include "base/compiler.h"
#include "base/cpu.h"
#include "base/def.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/data/call_log.h"
#include "physics/data/joint_data.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/joint/joint.h"
#include "physics/solver/solver.h"

#include <string.h>

tdWorldDef tdDefaultWorldDef(void)
{
    return (tdWorldDef){
        .gravity = {0.0f, -9.81f, 0.0f},
        .subStepCount = 4,
        .enableSleep = true,
        .enableContinuous = true,
        .cookie = TD_DEF_COOKIE,
    };
}

// Reserve step memory for the capacities of the definition, assuming that half of the contacts touch with one
// manifold and one event each.
static bool ReserveCapacities(tdWorld* world, int bodies, int contacts)
{
    const tdAllocator* allocator = &world->allocator;
    int touchingContacts = contacts / 2;
    for (int i = 0; i < world->workerCount && contacts > 0; ++i)
    {
        tdPairBuffer* buffer = &world->pairBuffers[i];
        buffer->keys = tdAllocate(allocator, (size_t)touchingContacts * sizeof(uint64_t), _Alignof(uint64_t));
        buffer->capacity = buffer->keys != NULL ? touchingContacts : 0;
        if (buffer->keys == NULL)
        {
            return false;
        }
    }
    return tdArray_Reserve(allocator, &world->contacts, contacts) &&
           tdArray_Reserve(allocator, &world->separatedContacts, contacts) &&
           tdArray_Reserve(allocator, &world->pairFlags, contacts) &&
           tdPairSet_Reserve(&world->pairs, allocator, contacts) &&
           tdArray_Reserve(allocator, &world->newPairs, touchingContacts) &&
           tdArray_Reserve(allocator, &world->newPairScratch, touchingContacts) &&
           tdArray_Reserve(allocator, &world->pairChanges, touchingContacts) &&
           tdArray_Reserve(allocator, &world->touchingContacts, touchingContacts) &&
           tdArray_Reserve(allocator, &world->touchingFlags, touchingContacts) &&
           tdArray_Reserve(allocator, &world->wantRoom, touchingContacts) &&
           tdArray_Reserve(allocator, &world->contactEvents, touchingContacts) &&
           tdManifoldPool_Reserve(world, touchingContacts) &&
           tdArray_Reserve(allocator, &world->movedBodies, bodies) &&
           tdArray_Reserve(allocator, &world->fastBodies, bodies) &&
           tdArray_Reserve(allocator, &world->bullets, bodies) &&
           tdSolver_Reserve(world, bodies, touchingContacts, touchingContacts) && tdJointSet_Reserve(world);
}

static bool InitWorld(tdWorld* world, const tdWorldDef* def)
{
    world->workerCount = tdTasks_GetWorkerCount(def->tasks);
    world->freeBody = world->freeShape = world->freeContact = world->freeIsland = -1;
    for (int i = 0; i < TD_MANIFOLD_CLASSES; ++i)
    {
        world->freeManifolds[i] = -1;
    }
    world->trees =
        tdAllocateZeroed(&world->allocator, TD_AABB_TREE_COUNT * sizeof(tdAabbTree), _Alignof(tdAabbTree));
    if (world->trees == NULL)
    {
        return false;
    }
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        tdAabbTree_Init(&world->trees[i]);
    }
    size_t bufferSize = (size_t)world->workerCount * sizeof(tdPairBuffer);
    world->pairBuffers = tdAllocateZeroed(&world->allocator, bufferSize, _Alignof(tdPairBuffer));
    int bodies = tdMaxInt(def->bodyCapacity, 0), contacts = tdMaxInt(def->contactCapacity, 0);
    const tdAllocator* allocator = &world->allocator;
    return world->pairBuffers != NULL && tdFilterTable_Init(&world->filters, allocator) &&
           tdArray_Reserve(allocator, &world->bodies, bodies) &&
           tdWorld_ReserveBodies(world, world->bodies.capacity) &&
           tdArray_Reserve(allocator, &world->islands, world->bodies.capacity) &&
           tdArray_Reserve(allocator, &world->islandScratch, 3 * world->bodies.capacity) &&
           tdArray_Reserve(allocator, &world->islandRoots, world->bodies.capacity) &&
           tdArray_Reserve(allocator, &world->shapes, bodies) &&
           tdArray_Reserve(allocator, &world->moved, bodies) &&
           tdAabbTree_Reserve(&world->trees[TD_AABB_TREE_DYNAMIC], allocator, bodies) &&
           tdSolver_Create(world) && tdJointSet_Create(world) && ReserveCapacities(world, bodies, contacts);
}

// Worlds are numbered 1 to 255, round and round: a wrong world is detected unless 254 others were made in
// between. The number is in ids alone, so results do not depend on it.
static uint32_t MakeWorldNumber(void)
{
    static atomic_uint worldCount;
    return 1 + atomic_fetch_add_explicit(&worldCount, 1, memory_order_relaxed) % 255;
}

static tdWorld* MakeWorld(const tdWorldDef* def, uint32_t number)
{
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    tdWorld* world = tdAllocateZeroed(&allocator, sizeof(tdWorld), _Alignof(tdWorld));
    if (world == NULL)
    {
        return NULL;
    }
    world->number = number;
    world->allocator = allocator;
    world->tasks = def->tasks;
    world->gravity = def->gravity;
    world->subStepCount = def->subStepCount;
    world->springScale = world->subStepScale = 1;
    world->hertzScale = 1.0f;
    world->enableSleep = def->enableSleep;
    world->enableContinuous = def->enableContinuous;
    world->def = *def;
    if (!InitWorld(world, def))
    {
        tdDestroyWorld(world);
        return NULL;
    }
    return world;
}

tdWorld* tdCreateWorld(const tdWorldDef* def)
{
    tdWorldDef defaults = tdDefaultWorldDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    TD_ASSERT(def->subStepCount > 0);
    TD_ASSERT(tdIsFiniteVec3(def->gravity));
    if (!tdIsFiniteVec3(def->gravity))
    {
        return NULL;
    }
    return MakeWorld(def, MakeWorldNumber());
}

tdWorld* tdCreateEmptyTwin(const tdWorld* world)
{
    tdWorldDef def = world->def;
    def.allocator = &world->allocator;
    def.tasks = world->tasks;
    return MakeWorld(&def, world->number);
}

void tdDestroyWorld(tdWorld* world)
{
    if (world == NULL)
    {
        return;
    }
    tdAllocator allocator = world->allocator;
    tdJointSet_Destroy(world);
    tdSolver_Destroy(world);
    for (int i = 0; i < TD_AABB_TREE_COUNT && world->trees != NULL; ++i)
    {
        tdAabbTree_Free(&world->trees[i], &allocator);
    }
    tdWorld_FreePartTrees(world);
    tdRelease(&allocator, world->trees, TD_AABB_TREE_COUNT * sizeof(tdAabbTree));
    for (int i = 0; i < world->workerCount && world->pairBuffers != NULL; ++i)
    {
        tdPairBuffer* buffer = &world->pairBuffers[i];
        tdRelease(&allocator, buffer->keys, (size_t)buffer->capacity * sizeof(uint64_t));
    }
    tdRelease(&allocator, world->pairBuffers, (size_t)world->workerCount * sizeof(tdPairBuffer));
    tdFilterTable_Free(&world->filters, &allocator);
    tdPairSet_Free(&world->exclusions, &allocator);
    tdPairSet_Free(&world->pairs, &allocator);
    size_t bodies = (size_t)world->bodyCapacity;
    tdRelease(&allocator, world->restSims, bodies * sizeof(tdBodySim));
    tdRelease(&allocator, world->sims, bodies * sizeof(tdBodySim));
    tdRelease(&allocator, world->states, bodies * sizeof(tdBodyState));
    tdRelease(&allocator, world->tilts, bodies * sizeof(tdTilt));
    tdRelease(&allocator, world->displacements, bodies * sizeof(uint32_t));
    tdRelease(&allocator, world->predictedDisplacements, bodies * sizeof(uint32_t));
    tdRelease(&allocator, world->startVelocities, bodies * sizeof(tdStartVelocity));
    tdRelease(&allocator, world->marks, bodies);
    tdRelease(&allocator, world->manifolds, (size_t)world->manifoldCapacity * sizeof(tdContactManifold));
    tdArray_Free(&allocator, &world->bodies);
    tdArray_Free(&allocator, &world->shapes);
    tdArray_Free(&allocator, &world->unbounded);
    tdArray_Free(&allocator, &world->geometries);
    tdArray_Free(&allocator, &world->moved);
    tdArray_Free(&allocator, &world->contacts);
    tdArray_Free(&allocator, &world->separatedContacts);
    tdArray_Free(&allocator, &world->triggers);
    tdArray_Free(&allocator, &world->touchingContacts);
    tdArray_Free(&allocator, &world->islands);
    tdArray_Free(&allocator, &world->contactEvents);
    tdArray_Free(&allocator, &world->triggerEvents);
    tdArray_Free(&allocator, &world->movedBodies);
    tdArray_Free(&allocator, &world->pendingContactEvents);
    tdArray_Free(&allocator, &world->pendingTriggerEvents);
    tdArray_Free(&allocator, &world->pairFlags);
    tdArray_Free(&allocator, &world->triggerFlags);
    tdArray_Free(&allocator, &world->touchingFlags);
    tdArray_Free(&allocator, &world->pairChanges);
    tdArray_Free(&allocator, &world->wantRoom);
    tdArray_Free(&allocator, &world->islandScratch);
    tdArray_Free(&allocator, &world->islandRoots);
    tdArray_Free(&allocator, &world->fastBodies);
    tdArray_Free(&allocator, &world->bullets);
    tdArray_Free(&allocator, &world->travellers);
    tdArray_Free(&allocator, &world->passages);
    tdArray_Free(&allocator, &world->newPairs);
    tdArray_Free(&allocator, &world->newPairScratch);
    tdRelease(&allocator, world, sizeof(tdWorld));
}

tdStatus tdWorld_GetStatus(const tdWorld* world)
{
    return world->status;
}

tdSimd tdWorld_GetSimd(const tdWorld* world)
{
    return tdCpu_ResolveSimd(world->def.simd);
}

tdVec3 tdWorld_GetGravity(const tdWorld* world)
{
    return world->gravity;
}

static void WakeAllBodies(tdWorld* world)
{
    for (int i = 0; i < world->bodies.count; ++i)
    {
        if (world->bodies.data[i].motion == TD_MOTION_DYNAMIC)
        {
            tdWorld_WakeBody(world, i);
        }
    }
}

void tdWorld_SetGravity(tdWorld* world, tdVec3 gravity)
{
    TD_LOG_CALL(world->calls, TD_CALL_WORLD_SET_GRAVITY, TD_CALL_PART(gravity));
    TD_ASSERT(!world->isLocked);
    if (TD_ACCEPT(world, tdIsFiniteVec3(gravity)) && memcmp(&gravity, &world->gravity, sizeof(gravity)) != 0)
    {
        world->gravity = gravity;
        WakeAllBodies(world);
    }
}

void tdWorld_EnableSleep(tdWorld* world, bool enable)
{
    TD_LOG_CALL(world->calls, TD_CALL_WORLD_ENABLE_SLEEP, TD_CALL_PART(enable));
    TD_ASSERT(!world->isLocked);
    world->enableSleep = enable;
    if (!enable)
    {
        WakeAllBodies(world);
    }
}

bool tdWorld_IsSleepEnabled(const tdWorld* world)
{
    return world->enableSleep;
}

void tdWorld_EnableContinuous(tdWorld* world, bool enable)
{
    TD_LOG_CALL(world->calls, TD_CALL_WORLD_ENABLE_CONTINUOUS, TD_CALL_PART(enable));
    TD_ASSERT(!world->isLocked);
    world->enableContinuous = enable;
}

bool tdWorld_IsContinuousEnabled(const tdWorld* world)
{
    return world->enableContinuous;
}

tdStepStats tdWorld_GetStats(const tdWorld* world)
{
    tdStepStats stats = world->stats;
    stats.bodyCount = world->liveBodyCount;
    stats.awakeBodyCount = world->awakeCount > 0 ? world->awakeCount - 1 : 0;
    stats.shapeCount = world->liveShapeCount;
    stats.contactCount = world->liveContactCount;
    stats.touchCount = world->touchingContacts.count;
    stats.awakeIslandCount = world->awakeIslandCount;
    int islands = world->islands.count;
    for (int i = world->freeIsland; i >= 0; i = world->islands.data[i].nextFree)
    {
        islands -= 1;
    }
    stats.islandCount = islands;
    return stats;
}
