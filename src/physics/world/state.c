// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash, save and load of the state of a world. A saved state contains everything the next steps depend on,
// including the order of the dense arrays. It does not contain filters and geometries, which the loading
// world must have, the pair set, which is rebuilt from the contacts, and scratch memory.
#include "base/hash.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/state_stream.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_state.h"
#include "physics/solver/constraint_graph.h"

#include <string.h>

#define STATE_MAGIC UINT32_C(0x54645331) // "TdS1"

// A shape points to its hull or mesh; the saved state has the index in world->geometries instead.
static void StreamShapes(tdWorld* world, tdStateStream* stream)
{
    int count = world->shapes.count;
    tdState_Value(stream, &count);
    if (stream->mode == TD_STATE_READ)
    {
        if (stream->failed || count < 0 || (size_t)count > (stream->size - stream->at) / sizeof(tdShape) ||
            !tdArray_Reserve(&world->allocator, &world->shapes, count) ||
            !tdArray_Reserve(&world->allocator, &world->moved, count))
        {
            stream->failed = true;
            return;
        }
        world->shapes.count = count;
    }
    for (int i = 0; i < count && !stream->failed; ++i)
    {
        tdShape shape = world->shapes.data[i];
        bool hasPointer = shape.geometry.kind == TD_SHAPE_HULL || shape.geometry.kind == TD_SHAPE_MESH;
        if (stream->mode != TD_STATE_READ && hasPointer)
        {
            shape.geometry.hull = NULL;
        }
        tdState_Value(stream, &shape);
        if (stream->mode == TD_STATE_READ)
        {
            hasPointer = shape.geometry.kind == TD_SHAPE_HULL || shape.geometry.kind == TD_SHAPE_MESH;
            if (hasPointer && (shape.geometryIndex < 0 || shape.geometryIndex >= world->geometries.count))
            {
                stream->failed = true;
                return;
            }
            if (shape.geometry.kind == TD_SHAPE_HULL)
            {
                shape.geometry.hull = world->geometries.data[shape.geometryIndex];
            }
            else if (shape.geometry.kind == TD_SHAPE_MESH)
            {
                shape.geometry.mesh = world->geometries.data[shape.geometryIndex];
            }
            world->shapes.data[i] = shape;
        }
    }
}

static void StreamBodies(tdWorld* world, tdStateStream* stream)
{
    tdState_Array(stream, &world->allocator, &world->bodies);
    tdState_Value(stream, &world->awakeCount);
    int bodyCount = world->bodies.count;
    if (stream->mode == TD_STATE_READ &&
        (stream->failed || !tdWorld_ReserveBodies(world, world->bodies.capacity) ||
         !tdArray_Reserve(&world->allocator, &world->islands, world->bodies.capacity) ||
         !tdArray_Reserve(&world->allocator, &world->islandScratch, 3 * world->bodies.capacity) ||
         !tdArray_Reserve(&world->allocator, &world->islandRoots, world->bodies.capacity) ||
         world->awakeCount < 1 || world->awakeCount > bodyCount + 1))
    {
        stream->failed = true;
        return;
    }
    size_t awake = (size_t)world->awakeCount;
    tdState_Bytes(stream, world->restSims, (size_t)bodyCount * sizeof(tdBodySim));
    tdState_Bytes(stream, world->sims, awake * sizeof(tdBodySim));
    tdState_Bytes(stream, world->states, awake * sizeof(tdBodyState));
    tdState_Bytes(stream, world->displacements, awake * sizeof(uint32_t));
    tdState_Value(stream, &world->awakeKinematicCount);
}

static void StreamManifolds(tdWorld* world, tdStateStream* stream)
{
    int count = world->manifoldCount;
    tdState_Value(stream, &count);
    if (stream->mode == TD_STATE_READ)
    {
        if (stream->failed || count < 0 ||
            (size_t)count > (stream->size - stream->at) / sizeof(tdContactManifold) ||
            !tdManifoldPool_Reserve(world, tdMaxInt(count - world->manifoldCount, 0)))
        {
            stream->failed = true;
            return;
        }
        world->manifoldCount = count;
    }
    tdState_Bytes(stream, world->manifolds, (size_t)count * sizeof(tdContactManifold));
    tdState_Value(stream, &world->freeManifolds);
    tdState_Value(stream, &world->freeManifoldCounts);
    tdState_Value(stream, &world->liveManifolds);
}

static void StreamContacts(tdWorld* world, tdStateStream* stream)
{
    const tdAllocator* allocator = &world->allocator;
    tdState_Array(stream, allocator, &world->contacts);
    tdState_Value(stream, &world->freeContact);
    tdState_Value(stream, &world->liveContactCount);
    tdState_Value(stream, &world->touchingTotal);
    tdState_Value(stream, &world->triggerTotal);
    tdState_Array(stream, allocator, &world->separatedContacts);
    tdState_Array(stream, allocator, &world->triggers);
    tdState_Array(stream, allocator, &world->touchingContacts);
    tdState_Array(stream, allocator, &world->wantRoom);
    StreamManifolds(world, stream);
    if (stream->mode != TD_STATE_READ || stream->failed)
    {
        return;
    }
    if (!tdArray_Reserve(allocator, &world->separatedContacts, world->liveContactCount) ||
        !tdArray_Reserve(allocator, &world->touchingContacts, world->touchingTotal) ||
        !tdArray_Reserve(allocator, &world->triggers, world->liveContactCount) ||
        !tdPairSet_Reserve(&world->pairs, allocator, world->liveContactCount))
    {
        stream->failed = true;
        return;
    }
    memset(world->pairs.entries, 0, (size_t)world->pairs.capacity * sizeof(tdPairEntry));
    world->pairs.count = 0;
    for (int i = 0; i < world->contacts.count; ++i)
    {
        const tdContact* contact = &world->contacts.data[i];
        if (contact->kind != TD_CONTACT_FREE)
        {
            tdPairSet_Add(&world->pairs, tdMakePairKey(contact->shapeA, contact->shapeB), i);
        }
    }
}

// The hash table is saved as it is, which needs no sort and restores it exactly.
static void StreamExclusions(tdWorld* world, tdStateStream* stream)
{
    tdPairSet* set = &world->exclusions;
    int capacity = set->capacity, count = set->count;
    tdState_Value(stream, &capacity);
    tdState_Value(stream, &count);
    if (stream->mode == TD_STATE_READ && !stream->failed && capacity != set->capacity)
    {
        tdPairSet_Free(set, &world->allocator);
        if (capacity < 0 || (size_t)capacity > (stream->size - stream->at) / sizeof(tdPairEntry) ||
            (capacity > 0 && !tdPairSet_Reserve(set, &world->allocator, capacity / 2)) ||
            set->capacity != capacity)
        {
            stream->failed = true;
            return;
        }
    }
    tdState_Bytes(stream, set->entries, (size_t)capacity * sizeof(tdPairEntry));
    set->count = count;
}

static void StreamTrees(tdWorld* world, tdStateStream* stream)
{
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        tdAabbTree* tree = &world->trees[i];
        tdState_Array(stream, &world->allocator, &tree->nodes);
        tdState_Value(stream, &tree->root);
        tdState_Value(stream, &tree->freeNode);
        tdState_Value(stream, &tree->leafCount);
        if (stream->mode == TD_STATE_READ && !stream->failed &&
            !tdAabbTree_Reserve(tree, &world->allocator, tree->leafCount))
        {
            stream->failed = true;
        }
    }
}

// Ids in a block of another world become ids of this one.
static void AdoptGeneration(const tdWorld* world, uint32_t* generation)
{
    *generation = tdWorld_MakeGeneration(world, *generation);
}

static void StreamPendingEvents(tdWorld* world, tdStateStream* stream)
{
    tdState_Array(stream, &world->allocator, &world->pendingContactEvents);
    tdState_Array(stream, &world->allocator, &world->pendingTriggerEvents);
    if (stream->mode != TD_STATE_READ || stream->failed)
    {
        return;
    }
    for (int i = 0; i < world->pendingContactEvents.count; ++i)
    {
        tdWorldContactEvent* event = &world->pendingContactEvents.data[i];
        AdoptGeneration(world, &event->shapeA.generation);
        AdoptGeneration(world, &event->shapeB.generation);
        AdoptGeneration(world, &event->bodyA.generation);
        AdoptGeneration(world, &event->bodyB.generation);
    }
    for (int i = 0; i < world->pendingTriggerEvents.count; ++i)
    {
        tdWorldTriggerEvent* event = &world->pendingTriggerEvents.data[i];
        AdoptGeneration(world, &event->trigger.generation);
        AdoptGeneration(world, &event->visitor.generation);
        AdoptGeneration(world, &event->triggerBody.generation);
        AdoptGeneration(world, &event->visitorBody.generation);
    }
}

static bool StreamWorld(tdWorld* world, tdStateStream* stream)
{
    uint32_t header[6] = {STATE_MAGIC,
                          (uint32_t)sizeof(tdShape),
                          (uint32_t)sizeof(tdBody),
                          (uint32_t)sizeof(tdContact),
                          (uint32_t)sizeof(tdTouchingContact),
                          (uint32_t)world->filters.filters.count};
    uint32_t expected[6];
    memcpy(expected, header, sizeof(header));
    tdState_Value(stream, &header);
    // The loading world may have more filters than the saved one, but not fewer.
    if (stream->mode == TD_STATE_READ &&
        (stream->failed || memcmp(header, expected, 5 * sizeof(uint32_t)) != 0 || header[5] > expected[5]))
    {
        return false;
    }
    tdState_Value(stream, &world->gravity);
    tdState_Value(stream, &world->stepIndex);
    tdState_Value(stream, &world->enableSleep);
    tdState_Value(stream, &world->enableContinuous);
    tdState_Value(stream, &world->freeBody);
    tdState_Value(stream, &world->liveBodyCount);
    tdState_Value(stream, &world->freeShape);
    tdState_Value(stream, &world->liveShapeCount);
    StreamBodies(world, stream);
    StreamShapes(world, stream);
    tdState_Array(stream, &world->allocator, &world->unbounded);
    tdState_Array(stream, &world->allocator, &world->moved);
    tdState_Array(stream, &world->allocator, &world->islands);
    tdState_Value(stream, &world->freeIsland);
    tdState_Value(stream, &world->awakeIslandCount);
    tdState_Value(stream, &world->loadedIslandCount);
    tdState_Value(stream, &world->smallIslandCount);
    StreamExclusions(world, stream);
    StreamTrees(world, stream);
    StreamContacts(world, stream);
    StreamPendingEvents(world, stream);
    return !stream->failed && tdConstraintGraph_Stream(world, stream) &&
           tdWorld_StreamJoints(world, stream) && !stream->failed;
}

size_t tdWorld_SaveState(const tdWorld* world, void* data, size_t size)
{
    TD_ASSERT(!world->isLocked);
    // Counting and writing do not change the world.
    tdWorld* source = (tdWorld*)(uintptr_t)world;
    tdStateStream counter = {.mode = TD_STATE_COUNT};
    StreamWorld(source, &counter);
    if (data != NULL && size >= counter.at)
    {
        tdStateStream writer = {.mode = TD_STATE_WRITE, .bytes = data, .size = size};
        StreamWorld(source, &writer);
    }
    return counter.at;
}

bool tdWorld_LoadState(tdWorld* world, const void* data, size_t size)
{
    TD_ASSERT(!world->isLocked);
    tdStateStream reader = {.mode = TD_STATE_READ, .bytes = (uint8_t*)(uintptr_t)data, .size = size};
    bool isLoaded = StreamWorld(world, &reader);
    world->contactEvents.count = 0;
    world->triggerEvents.count = 0;
    world->movedBodies.count = 0;
    world->status = isLoaded ? TD_STATUS_OK : world->status;
    return isLoaded;
}

uint64_t tdWorld_GetStateHash(const tdWorld* world)
{
    uint64_t hash = TD_HASH_INIT;
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        if (body->motion < 0)
        {
            continue;
        }
        const tdBodySim* sim = tdWorld_GetBodySim(world, i);
        const tdBodyState* state = &world->states[body->simIndex];
        hash = tdHash(hash, &sim->transform, sizeof(sim->transform));
        hash = tdHash(hash, &state->linearVelocity, sizeof(tdVec3));
        hash = tdHash(hash, &state->angularVelocity, sizeof(tdVec3));
        uint8_t isAwake = body->simIndex > 0;
        hash = tdHash(hash, &isAwake, 1);
    }
    for (int i = 0; i < world->contacts.count; ++i)
    {
        const tdContact* contact = &world->contacts.data[i];
        if (contact->kind != TD_CONTACT_TOUCHING)
        {
            continue;
        }
        bool isDense = contact->denseIndex >= 0;
        const tdTouchingContact* touching =
            isDense ? &world->touchingContacts.data[contact->denseIndex] : NULL;
        int first = isDense ? touching->firstManifold : contact->firstManifold;
        int count = isDense ? touching->manifoldCount : contact->manifoldCount;
        for (int j = 0; j < count; ++j)
        {
            uint8_t isSticking = world->manifolds[first + j].isSticking;
            hash = tdHash(hash, &isSticking, 1);
        }
    }
    return tdWorld_HashJoints(world, hash);
}
