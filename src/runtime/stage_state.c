// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash, save and load of the state of a stage. A block is a header, the meshes that colliders scaled, the
// world's block, and the stage's own part: clock, actors, events.
//
// A load reads twice: the first pass validates everything and reserves memory, the second one stores. Between
// them nothing can fail, so a refused block changes nothing. See docs/decisions/170.
#include "stage_state.h"

#include "actor_state.h"
#include "collider_drive.h"
#include "physics_binding.h"

#include "base/hash.h"
#include "physics/data/call_log.h"
#include "physics/data/id.h"
#include "physics/data/state_stream.h"
#include "physics/data/world_data.h"
#include "physics/world/state.h"
#include "physics/world/state_pack.h"

#include "tendon/stage.h"

#include <string.h>

#define STAGE_MAGIC UINT32_C(0x54645367) // "TdSg"
#define STAGE_VERSION 3

/// Steps of a block, at most: a double has all numbers up to here.
#define MAX_STEP_INDEX (INT64_C(1) << 53)

/// Start of a block. The checksum is that of all bytes after the header.
typedef struct StageHeader
{
    tdBlockHead head;
    uint64_t fingerprint;
    uint64_t size;      // bytes, header included
    uint64_t worldSize; // bytes of the world's block
    uint64_t checksum;
} StageHeader;

/// Hash of the step rate and the content of all actors.
static uint64_t ComputeStageFingerprint(const tdStage* stage)
{
    uint64_t hash = tdHash(TD_HASH_INIT, &stage->stepRate, sizeof(stage->stepRate));
    for (int i = 0; i < stage->actors.count; ++i)
    {
        uint64_t actor = tdActor_ComputeFingerprint(stage->actors.data[i]);
        hash = tdHash(hash, &actor, sizeof(actor));
    }
    return hash;
}

static int FindActorPlace(const tdActor* actor)
{
    return actor != NULL ? actor->place : -1;
}

static void NumberActors(tdStage* stage)
{
    for (int i = 0; i < stage->actors.count; ++i)
    {
        stage->actors.data[i]->place = i;
    }
}

/// Streams an actor of an event and a node of it.
static void StreamEnd(tdStage* stage, tdStateStream* stream, tdActor** actor, int* node)
{
    int place = stream->mode != TD_STATE_READ ? FindActorPlace(*actor) : -1;
    bool isCheck = stream->isCheck;
    stream->isCheck = false; // the place is local
    tdState_Int(stream, &place, -1, stage->actors.count - 1);
    stream->isCheck = isCheck;
    if (stream->failed)
    {
        return;
    }
    tdActor* owner = place >= 0 ? stage->actors.data[place] : NULL;
    tdState_Int(stream, node, -1, owner != NULL ? owner->scene->nodes.count - 1 : -1);
    if (tdState_Stores(stream))
    {
        *actor = owner;
    }
}

static void StreamContactEvent(tdStage* stage, tdStateStream* stream, tdContactEvent* event)
{
    StreamEnd(stage, stream, &event->actorA, &event->nodeA);
    StreamEnd(stage, stream, &event->actorB, &event->nodeB);
    tdState_Value(stream, &event->point);
    tdState_Value(stream, &event->normal);
    tdState_Value(stream, &event->impulse);
    tdState_Bool(stream, &event->began);
}

static void StreamTriggerEvent(tdStage* stage, tdStateStream* stream, tdTriggerEvent* event)
{
    StreamEnd(stage, stream, &event->trigger, &event->triggerNode);
    StreamEnd(stage, stream, &event->visitor, &event->visitorNode);
    tdState_Int(stream, &event->visitorBodyNode, -1, INT32_MAX);
    tdState_Bool(stream, &event->entered);
}

/// Events of the last step. The check reserves their memory.
static void StreamEvents(tdStage* stage, tdStateStream* stream)
{
    bool isReading = stream->mode == TD_STATE_READ;
    int most = isReading
                   ? (int)(stream->size - stream->at < INT32_MAX ? stream->size - stream->at : INT32_MAX)
                   : INT32_MAX;
    int contacts = tdState_Count(stream, stage->contacts.count, most);
    int triggers = tdState_Count(stream, stage->triggers.count, most);
    if (stream->isCheck && !stream->failed)
    {
        stream->failed = !tdArray_Reserve(&stage->allocator, &stage->contacts, contacts) ||
                         !tdArray_Reserve(&stage->allocator, &stage->triggers, triggers);
    }
    for (int i = 0; i < contacts && !stream->failed; ++i)
    {
        tdContactEvent unused = {.actorA = NULL};
        StreamContactEvent(stage, stream, stream->isCheck ? &unused : &stage->contacts.data[i]);
    }
    for (int i = 0; i < triggers && !stream->failed; ++i)
    {
        tdTriggerEvent unused = {.trigger = NULL};
        StreamTriggerEvent(stage, stream, stream->isCheck ? &unused : &stage->triggers.data[i]);
    }
    if (tdState_Stores(stream))
    {
        stage->contacts.count = contacts;
        stage->triggers.count = triggers;
    }
}

/// The part of the stage, without the world.
/// @param world of the state: the stage's, or the one that was read
static void StreamStage(tdStage* stage, tdStateStream* stream, const tdWorld* world)
{
    int64_t step = stage->stepIndex;
    bool isCheck = stream->isCheck;
    stream->isCheck = false; // local
    tdState_Value(stream, &step);
    stream->isCheck = isCheck;
    stream->failed = stream->failed || step < 0 || step > MAX_STEP_INDEX;
    double variableTime = stage->variableTime;
    isCheck = stream->isCheck;
    stream->isCheck = false; // local
    tdState_Value(stream, &variableTime);
    stream->isCheck = isCheck;
    // A variable step ends at or before the last fixed one; otherwise the next would take steps without end.
    stream->failed = stream->failed || !(variableTime <= (double)step / stage->stepRate);
    if (tdState_Stores(stream))
    {
        stage->stepIndex = step;
        stage->variableTime = variableTime;
    }
    tdState_Bool(stream, &stage->isVariable);
    int nextCursors = 0;
    for (int i = 0; i < stage->actors.count && !stream->failed; ++i)
    {
        tdActor_Stream(stage->actors.data[i], stream, world, &nextCursors);
    }
    StreamEvents(stage, stream);
}

/// True if the world's shape of a collider uses the collider's own mesh.
static bool UsesScaledMesh(const tdStage* stage, const tdBoundShape* shape)
{
    const tdShape* record = shape->scaledMesh != NULL
                                ? &stage->world->shapes.data[tdWorld_GetShapeIndex(stage->world, shape->id)]
                                : NULL;
    return record != NULL && record->geometry.mesh == shape->scaledMesh;
}

/// Writes the colliders that use a mesh of their own: place of the actor, collider, index of the geometry.
static void WriteMeshes(tdStage* stage, tdStateStream* stream)
{
    for (int pass = 0, count = 0; pass < 2; ++pass)
    {
        if (pass == 1)
        {
            tdState_Count(stream, count, INT32_MAX);
        }
        for (int a = 0; a < stage->actors.count; ++a)
        {
            const tdActor* actor = stage->actors.data[a];
            int colliders = actor->physics != NULL ? actor->physics->scene->colliderCount : 0;
            for (int i = 0; i < colliders; ++i)
            {
                const tdBoundShape* shape = &actor->physics->shapes[i];
                if (!UsesScaledMesh(stage, shape))
                {
                    continue;
                }
                count += pass == 0;
                int index = tdWorld_GetShapeIndex(stage->world, shape->id);
                int32_t entry[3] = {a, i, stage->world->shapes.data[index].geometryIndex};
                if (pass == 1)
                {
                    tdState_Value(stream, &entry);
                }
            }
        }
    }
}

/// Gives the world the meshes that the shapes of a block refer to, at the same indices. Meshes that are there
/// already stay, and additional ones do no harm if the block is refused later.
static void ReadMeshes(tdStage* stage, tdStateStream* stream)
{
    int count = tdState_Count(stream, 0, INT32_MAX);
    size_t start = stream->at;
    if (stream->failed || (size_t)count > (stream->size - start) / (3 * sizeof(int32_t)))
    {
        stream->failed = true;
        return;
    }
    stream->at += (size_t)count * 3 * sizeof(int32_t);
    tdWorld* world = stage->world;
    bool isChanged = true;
    for (int missing = count; missing > 0 && isChanged && !stream->failed;)
    {
        missing = 0;
        isChanged = false;
        for (int i = 0; i < count && !stream->failed; ++i)
        {
            int32_t entry[3];
            memcpy(entry, stream->bytes + start + (size_t)i * sizeof(entry), sizeof(entry));
            tdActor* actor = tdIsIndex(entry[0], stage->actors.count) ? stage->actors.data[entry[0]] : NULL;
            bool isThere = actor != NULL && actor->physics != NULL &&
                           tdIsIndex(entry[1], actor->physics->scene->colliderCount) && entry[2] >= 0 &&
                           tdColliderDrive_CopyMesh(actor, entry[1]);
            const tdTriangles* mesh = isThere ? actor->physics->shapes[entry[1]].scaledMesh : NULL;
            if (isThere && entry[2] == world->geometries.count)
            {
                isThere = tdArray_Push(&world->allocator, &world->geometries, mesh);
                isChanged = true;
            }
            bool isLater = entry[2] >= world->geometries.count;
            missing += isLater;
            stream->failed = !isThere || (!isLater && world->geometries.data[entry[2]] != mesh);
        }
        stream->failed = stream->failed || (missing > 0 && !isChanged);
    }
}

static size_t WriteStage(const tdStage* given, void* data, size_t size, bool hasChecksum)
{
    // Nothing changes but fingerprints, which become final, and the places of actors.
    tdStage* stage = (tdStage*)(uintptr_t)given;
    if (stage == NULL)
    {
        return 0;
    }
    NumberActors(stage);
    tdStateStream counter = {.mode = TD_STATE_COUNT, .at = sizeof(StageHeader)};
    WriteMeshes(stage, &counter);
    StreamStage(stage, &counter, stage->world);
    size_t worldSize = tdWorld_WriteState(stage->world, NULL, 0, false);
    size_t total = counter.at + worldSize;
    if (data == NULL || size < total)
    {
        return total;
    }
    tdStateStream writer = {.mode = TD_STATE_WRITE, .bytes = data, .at = sizeof(StageHeader), .size = total};
    WriteMeshes(stage, &writer);
    tdBlockHead head = {STAGE_MAGIC, STAGE_VERSION, writer.at + TD_SECTIONS_OFFSET};
    tdWorld_WriteState(stage->world, writer.bytes + writer.at, worldSize, false);
    writer.at += worldSize;
    StreamStage(stage, &writer, stage->world);
    StageHeader header = {
        .head = head, .fingerprint = ComputeStageFingerprint(stage), .size = total, .worldSize = worldSize};
    header.checksum =
        hasChecksum ? tdHash(TD_HASH_INIT, writer.bytes + sizeof(header), total - sizeof(header)) : 0;
    memcpy(data, &header, sizeof(header));
    return total;
}

static bool IsBlockOfStage(const tdStage* stage, const uint8_t* bytes, size_t size, bool isTrusted,
                           StageHeader* header)
{
    if (bytes == NULL || size < sizeof(*header))
    {
        return false;
    }
    memcpy(header, bytes, sizeof(*header));
    return header->head.magic == STAGE_MAGIC && header->head.version == STAGE_VERSION &&
           header->size == size && header->worldSize < size - sizeof(*header) &&
           header->fingerprint == ComputeStageFingerprint(stage) &&
           (isTrusted ||
            header->checksum == tdHash(TD_HASH_INIT, bytes + sizeof(*header), size - sizeof(*header)));
}

/// A recording contains the loaded state, with a checksum.
static void LogLoad(const tdStage* stage)
{
    tdCallLog* calls = stage->world->calls;
    size_t size = WriteStage(stage, NULL, 0, true);
    void* block = tdAllocate(&calls->allocator, size, TD_MAX_ALIGNMENT);
    uint32_t blockSize = (uint32_t)size;
    if (block == NULL || blockSize != size)
    {
        calls->isOutOfMemory = true;
    }
    else
    {
        WriteStage(stage, block, size, true);
        TD_LOG_CALL(calls, TD_CALL_STAGE_LOAD, TD_CALL_PART(blockSize), {block, size});
    }
    tdRelease(&calls->allocator, block, size);
}

static bool ReadStage(tdStage* stage, const void* data, size_t size, bool isTrusted)
{
    StageHeader header;
    if (stage == NULL || !IsBlockOfStage(stage, data, size, isTrusted, &header))
    {
        return false;
    }
    NumberActors(stage);
    tdStateStream reader = {
        .mode = TD_STATE_READ, .bytes = (uint8_t*)(uintptr_t)data, .at = sizeof(StageHeader), .size = size};
    ReadMeshes(stage, &reader);
    bool hasWorld = !reader.failed && header.worldSize <= size - reader.at &&
                    header.head.sectionsAt == reader.at + TD_SECTIONS_OFFSET;
    tdWorld* twin = hasWorld
                        ? tdWorld_ReadState(stage->world, reader.bytes + reader.at, (size_t)header.worldSize,
                                            isTrusted ? TD_BLOCK_OWN : TD_BLOCK_WHOLE)
                        : NULL;
    if (twin == NULL)
    {
        return false;
    }
    reader.at += (size_t)header.worldSize;
    tdStateStream check = reader;
    check.isCheck = true;
    StreamStage(stage, &check, twin);
    bool isGood = !check.failed && check.at == size;
    if (isGood)
    {
        tdWorld_AdoptState(stage->world, twin);
        StreamStage(stage, &reader, stage->world);
        stage->isOutOfMemory = false;
        TD_ASSERT(!reader.failed && reader.at == size);
    }
    else
    {
        tdDestroyWorld(twin);
        for (int i = 0; i < stage->loadedCursors.count; ++i)
        {
            const tdCursorBlock* block = &stage->loadedCursors.data[i];
            tdRelease(&stage->allocator, block->cursors, block->size);
        }
    }
    stage->loadedCursors.count = 0; // the plays have them
    if (isGood && tdCallLog_IsOn(stage->world->calls))
    {
        LogLoad(stage);
    }
    return isGood;
}

size_t tdStage_Save(const tdStage* stage, void* data, size_t size)
{
    return WriteStage(stage, data, size, true);
}

bool tdStage_Load(tdStage* stage, const void* data, size_t size)
{
    return ReadStage(stage, data, size, false);
}

size_t tdStage_SaveTrusted(const tdStage* stage, void* data, size_t size)
{
    return WriteStage(stage, data, size, false);
}

bool tdStage_LoadTrusted(tdStage* stage, const void* data, size_t size)
{
    return ReadStage(stage, data, size, true);
}

uint64_t tdStage_GetStateHash(const tdStage* stage)
{
    if (stage == NULL)
    {
        return 0;
    }
    uint64_t hash = tdWorld_GetStateHash(stage->world);
    hash = tdHash(hash, &stage->stepIndex, sizeof(stage->stepIndex));
    for (int i = 0; i < stage->actors.count; ++i)
    {
        hash = tdActor_HashPose(stage->actors.data[i], hash);
    }
    return hash;
}
