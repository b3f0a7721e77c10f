// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash, save and load of the state of a world. A saved state contains everything the next steps depend on,
// including the order of the dense arrays. It does not contain filters and geometries, which the loading
// world must have, the pair set, which is rebuilt from the contacts, and scratch memory.
//
// A block may come from anywhere. It is read into an empty world, which is validated and then takes the place
// of the old contents: a block that is refused changes nothing (docs/decisions/125).
#include "physics/world/state.h"

#include "base/hash.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/data/call_log.h"
#include "physics/data/fingerprint.h"
#include "physics/data/joint_data.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/state_stream.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_state.h"
#include "physics/solver/constraint_graph.h"
#include "physics/world/state_check.h"
#include "physics/world/state_pack.h"
#include "physics/world/world.h"

#include <stddef.h>
#include <string.h>

#define STATE_MAGIC UINT32_C(0x54645374) // "TdSt"
#define STATE_VERSION 7

/// Start of a block. The checksum is that of all bytes after the header: the sections, then the contents.
typedef struct StateHeader
{
    tdBlockHead head;
    uint32_t sizes[6]; // of the records, which differ between builds
    uint32_t filterCount, geometryCount;
    uint64_t fingerprint, filterHash; // of the world
    uint64_t size;                    // bytes, header included
    uint64_t checksum;
} StateHeader;

_Static_assert(sizeof(StateHeader) == TD_SECTIONS_OFFSET, "packing relies on it");

/// Offset of the contents in a block.
#define CONTENTS_OFFSET (sizeof(StateHeader) + sizeof(tdStateSections))

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
        world->triggerShapeCount = 0;
    }
    tdState_NoteSection(stream, (size_t)count, sizeof(tdShape), TD_SECTION_PLAIN);
    for (int i = 0; i < count && !stream->failed; ++i)
    {
        tdShape shape = world->shapes.data[i];
        bool hasPointer = shape.geometry.kind == TD_SHAPE_HULL || shape.geometry.kind == TD_SHAPE_MESH;
        if (stream->mode != TD_STATE_READ && hasPointer)
        {
            memset(shape.geometry.space, 0, sizeof(shape.geometry.space));
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
            world->triggerShapeCount += shape.body >= 0 && (shape.flags & TD_SHAPE_TRIGGER) != 0 ? 1 : 0;
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
    tdState_Records(stream, world->restSims, (size_t)bodyCount, sizeof(tdBodySim), TD_SECTION_SIMS);
    tdState_Records(stream, world->sims, awake, sizeof(tdBodySim), TD_SECTION_SIMS);
    tdState_Records(stream, world->states, awake, sizeof(tdBodyState), TD_SECTION_PLAIN);
    tdState_Records(stream, world->tilts, awake, sizeof(tdTilt), TD_SECTION_PLAIN);
    tdState_Records(stream, world->displacements, awake, sizeof(uint32_t), TD_SECTION_PLAIN);
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
    tdState_Records(stream, world->manifolds, (size_t)count, sizeof(tdContactManifold), TD_SECTION_PLAIN);
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
    // The counts are not validated yet; the records that they count are here.
    if (world->liveContactCount < 0 || world->liveContactCount > world->contacts.count ||
        world->touchingTotal < 0 || world->touchingTotal > world->contacts.count)
    {
        stream->failed = true;
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
        bool isLive = contact->kind != TD_CONTACT_FREE;
        uint64_t key = isLive ? tdMakePairKey(contact->shapeA, contact->shapeB) : 0;
        if (isLive && (key == 0 || world->pairs.count >= world->liveContactCount ||
                       tdPairSet_Find(&world->pairs, key) != NULL))
        {
            stream->failed = true; // more contacts than counted, or two of one pair
            return;
        }
        if (isLive)
        {
            tdPairSet_Add(&world->pairs, key, i);
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
    tdState_Records(stream, set->entries, (size_t)capacity, sizeof(tdPairEntry), TD_SECTION_PLAIN);
    set->count = count;
}

static void StreamTrees(tdWorld* world, tdStateStream* stream)
{
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        tdAabbTree* tree = &world->trees[i];
        if (stream->mode == TD_STATE_READ)
        {
            tdAabbTree_MarkChanged(tree);
        }
        tdState_Array(stream, &world->allocator, &tree->nodes);
        tdState_Value(stream, &tree->root);
        tdState_Value(stream, &tree->freeNode);
        tdState_Value(stream, &tree->leafCount);
        tdState_Value(stream, &tree->hiddenCount);
        if (stream->mode == TD_STATE_READ && !stream->failed &&
            (tree->leafCount < 0 || tree->leafCount > tree->nodes.count || tree->hiddenCount < 0 ||
             tree->hiddenCount > world->shapes.count ||
             !tdAabbTree_Reserve(tree, &world->allocator, tree->leafCount)))
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

// A 32-bit x86 has no padding at the end of these records, so each is streamed up to its last member.
static void StreamPendingTriggers(tdWorld* world, tdStateStream* stream)
{
    size_t least = offsetof(tdWorldTriggerEvent, entered) + 1;
    int count = world->pendingTriggerEvents.count;
    tdState_Value(stream, &count);
    if (stream->mode == TD_STATE_READ)
    {
        if (stream->failed || count < 0 || (size_t)count > (stream->size - stream->at) / least ||
            !tdArray_Reserve(&world->allocator, &world->pendingTriggerEvents, count))
        {
            stream->failed = true;
            return;
        }
        world->pendingTriggerEvents.count = count;
    }
    for (int i = 0; i < count; ++i)
    {
        tdWorldTriggerEvent* event = &world->pendingTriggerEvents.data[i];
        tdState_Bytes(stream, event, offsetof(tdWorldTriggerEvent, entered));
        tdState_Bool(stream, &event->entered);
    }
}

static void StreamPendingEvents(tdWorld* world, tdStateStream* stream)
{
    tdState_Array(stream, &world->allocator, &world->pendingContactEvents);
    StreamPendingTriggers(world, stream);
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
    tdState_Value(stream, &world->gravity);
    tdState_Value(stream, &world->stepIndex);
    tdState_Value(stream, &world->springScale);
    tdState_Value(stream, &world->subStepScale);
    tdState_Value(stream, &world->firmSteps);
    tdState_Value(stream, &world->hertzScale);
    tdState_Value(stream, &world->enableSleep);
    tdState_Value(stream, &world->enableContinuous);
    tdState_Value(stream, &world->isPairLimitReached);
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

// The header of a world's blocks, without size and checksum.
static StateHeader MakeHeader(const tdWorld* world, int filterCount, int geometryCount)
{
    StateHeader header;
    memset(&header, 0, sizeof(header)); // padding is saved, too
    header.head = (tdBlockHead){STATE_MAGIC, STATE_VERSION, TD_SECTIONS_OFFSET};
    const size_t sizes[6] = {sizeof(tdShape),           sizeof(tdBody),  sizeof(tdContact),
                             sizeof(tdTouchingContact), sizeof(tdJoint), sizeof(tdIsland)};
    for (int i = 0; i < 6; ++i)
    {
        header.sizes[i] = (uint32_t)sizes[i];
    }
    header.filterCount = (uint32_t)filterCount;
    header.geometryCount = (uint32_t)geometryCount;
    header.fingerprint = world->fingerprint;
    header.filterHash = tdWorld_HashFilters(world, filterCount);
    return header;
}

size_t tdWorld_WriteState(const tdWorld* world, void* data, size_t size, bool hasChecksum)
{
    TD_ASSERT(!world->isLocked);
    // Counting and writing change nothing but the fingerprint, which becomes final.
    tdWorld* source = (tdWorld*)(uintptr_t)world;
    tdWorld_FixFingerprint(source);
    tdStateStream counter = {.mode = TD_STATE_COUNT, .at = CONTENTS_OFFSET};
    StreamWorld(source, &counter);
    if (data != NULL && size >= counter.at)
    {
        StateHeader header = MakeHeader(world, world->filters.filters.count, world->geometries.count);
        tdStateSections sections = {0};
        tdStateStream writer = {.mode = TD_STATE_WRITE,
                                .bytes = data,
                                .at = CONTENTS_OFFSET,
                                .size = counter.at,
                                .sections = &sections};
        StreamWorld(source, &writer);
        memcpy(writer.bytes + TD_SECTIONS_OFFSET, &sections, sizeof(sections));
        header.size = counter.at;
        header.checksum =
            hasChecksum ? tdHash(TD_HASH_INIT, writer.bytes + sizeof(header), counter.at - sizeof(header))
                        : 0;
        memcpy(data, &header, sizeof(header));
    }
    return counter.at;
}

size_t tdWorld_SaveState(const tdWorld* world, void* data, size_t size)
{
    return tdWorld_WriteState(world, data, size, true);
}

// Whether a block is complete and belongs to this world. The world may have more filters and geometries than
// the saved one, but not fewer.
static bool IsBlockOfWorld(const tdWorld* world, const uint8_t* bytes, size_t size, tdBlockOrigin origin)
{
    StateHeader header;
    if (bytes == NULL || size < CONTENTS_OFFSET)
    {
        return false;
    }
    memcpy(&header, bytes, sizeof(header));
    if (header.filterCount > (uint32_t)world->filters.filters.count ||
        header.geometryCount > (uint32_t)world->geometries.count || header.size != size)
    {
        return false;
    }
    StateHeader expected = MakeHeader(world, (int)header.filterCount, (int)header.geometryCount);
    if (world->fingerprint == 0 && !world->isFingerprintFixed)
    {
        expected.fingerprint = header.fingerprint; // a new world, which has nothing of its own yet
    }
    expected.size = size;
    expected.checksum = origin != TD_BLOCK_UNKNOWN
                            ? header.checksum
                            : tdHash(TD_HASH_INIT, bytes + sizeof(header), size - sizeof(header));
    return memcmp(&header, &expected, sizeof(header)) == 0;
}

// Exchanges the contents of two worlds of the same settings. Filters, geometries and the memory of events and
// steps stay where they are.
static void SwapContents(tdWorld* world, tdWorld* twin)
{
    tdWorld old = *world;
    *world = *twin;
    *twin = old;
#define STAY(member)                                                                                         \
    do                                                                                                       \
    {                                                                                                        \
        memcpy(&twin->member, &world->member, sizeof(world->member));                                        \
        memcpy(&world->member, &old.member, sizeof(old.member));                                             \
    } while (0)
    STAY(def);
    STAY(calls);
    STAY(refusesQuietly);
    STAY(status);
    STAY(subStepCount);
    STAY(fingerprint);
    STAY(isFingerprintFixed);
    STAY(filters);
    STAY(geometries);
    STAY(contactEvents);
    STAY(triggerEvents);
    STAY(movedBodies);
    STAY(pairFlags);
    STAY(triggerFlags);
    STAY(touchingFlags);
    STAY(pairChanges);
    STAY(fastBodies);
    STAY(bullets);
    STAY(travellers);
    STAY(passages);
    STAY(pairBuffers);
    STAY(newPairs);
    STAY(newPairScratch);
#undef STAY
}

tdWorld* tdWorld_ReadState(tdWorld* world, const void* data, size_t size, tdBlockOrigin origin)
{
    TD_ASSERT(!world->isLocked);
    if (!IsBlockOfWorld(world, data, size, origin))
    {
        return NULL;
    }
    // Limits of the solver depend on the capacity for bodies, so the twin has the same.
    tdWorld* twin = tdCreateEmptyTwin(world);
    if (twin == NULL || !tdArray_Reserve(&twin->allocator, &twin->bodies, world->bodies.capacity) ||
        !tdWorld_ReserveBodies(twin, world->bodyCapacity - 1))
    {
        tdDestroyWorld(twin);
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return NULL;
    }
    // The twin borrows filters and geometries.
    tdFilterTable ownFilters = twin->filters;
    twin->filters = world->filters;
    memcpy(&twin->geometries, &world->geometries, sizeof(world->geometries));
    tdStateStream reader = {
        .mode = TD_STATE_READ, .bytes = (uint8_t*)(uintptr_t)data, .at = CONTENTS_OFFSET, .size = size};
    bool isLoaded = StreamWorld(twin, &reader) && reader.at == size &&
                    (origin == TD_BLOCK_OWN || tdWorld_IsSound(twin)) && tdWorld_ResetPartTrees(twin);
    twin->filters = ownFilters;
    memset(&twin->geometries, 0, sizeof(twin->geometries));
    memcpy(&twin->fingerprint, (const uint8_t*)data + offsetof(StateHeader, fingerprint),
           sizeof(twin->fingerprint));
    if (!isLoaded)
    {
        tdDestroyWorld(twin);
        return NULL;
    }
    return twin;
}

void tdWorld_AdoptState(tdWorld* world, tdWorld* twin)
{
    uint64_t fingerprint = twin->fingerprint;
    SwapContents(world, twin);
    world->contactEvents.count = 0;
    world->triggerEvents.count = 0;
    world->movedBodies.count = 0;
    world->status = TD_STATUS_OK;
    world->fingerprint = fingerprint;
    tdWorld_FixFingerprint(world);
    tdDestroyWorld(twin);
}

bool tdWorld_LoadState(tdWorld* world, const void* data, size_t size)
{
    tdWorld* twin = tdWorld_ReadState(world, data, size, TD_BLOCK_UNKNOWN);
    if (twin != NULL)
    {
        TD_LOG_CALL(world->calls, TD_CALL_WORLD_STEP, {NULL, 0});
        tdWorld_AdoptState(world, twin);
    }
    return twin != NULL;
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
        uint32_t bits[13];
        memcpy(bits, &sim->transform, sizeof(sim->transform));
        memcpy(bits + 7, &state->linearVelocity, sizeof(tdVec3));
        memcpy(bits + 10, &state->angularVelocity, sizeof(tdVec3));
        hash = tdHashNumbers(hash, bits, 7);
        hash = tdHashNumbers(hash, bits + 7, 3);
        hash = tdHashNumbers(hash, bits + 10, 3);
        hash = tdHashByte(hash, body->simIndex > 0);
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
            hash = tdHashByte(hash, world->manifolds[first + j].isSticking);
        }
    }
    return tdWorld_HashJoints(world, hash);
}
