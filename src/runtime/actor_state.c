// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saved state of an actor: pose, plays, values that the application set, constraints, face and springs.
// Tracks and expressions of clips are derived from the plays again.
#include "actor_state.h"

#include "actor_springs.h"
#include "bind.h"
#include "body_drive.h"
#include "face.h"
#include "physics_binding.h"
#include "physics_state.h"

#include "base/hash.h"
#include "constraint/constraint_list.h"

#include <string.h>

/// Bound on the slots for plays of an actor in a block.
#define MAX_PLAYS (1 << 20)

uint64_t tdActor_ComputeFingerprint(tdActor* actor)
{
    if (actor->fingerprint != 0)
    {
        return actor->fingerprint;
    }
    const tdScene* scene = actor->scene;
    const tdPhysicsScene* physics = actor->physics != NULL ? actor->physics->scene : NULL;
    size_t count = (size_t)scene->nodes.count;
    const int32_t facts[] = {
        scene->nodes.count,
        scene->nodes.weightStarts != NULL ? scene->nodes.weightStarts[count] : 0,
        scene->constraints != NULL ? scene->constraints->count : 0,
        scene->springs != NULL ? scene->springs->jointCount : 0,
        actor->modelExpressionCount,
        scene->materialValueCount,
        physics != NULL ? physics->bodyCount : -1,
        physics != NULL ? physics->colliderCount : -1,
        physics != NULL ? physics->jointCount : -1,
        physics != NULL ? physics->triggerCount : -1,
        physics != NULL ? actor->physics->pendingCount : -1,
        actor->springs != NULL && actor->springs->hitsStage,
        actor->overrideBoneGaze,
    };
    uint64_t hash = tdHash(TD_HASH_INIT, facts, sizeof(facts));
    hash = count > 0 ? tdHash(hash, scene->nodes.parents, count * sizeof(int)) : hash;
    hash = count > 0 ? tdHash(hash, scene->nodes.locals, count * sizeof(tdTrs)) : hash;
    for (int i = 0; physics != NULL && i < physics->colliderCount; ++i)
    {
        const tdPhysicsCollider* collider = &physics->colliders[i];
        const int32_t parts[] = {(int32_t)collider->geometry.kind, collider->node, collider->body};
        hash = tdHash(hash, parts, sizeof(parts));
    }
    for (int i = 0; scene->constraints != NULL && i < scene->constraints->count; ++i)
    {
        const tdNodeConstraint* item = &scene->constraints->items[i];
        const int32_t parts[] = {(int32_t)item->kind, item->source, item->destination};
        hash = tdHash(hash, parts, sizeof(parts));
    }
    actor->fingerprint = hash != 0 ? hash : 1;
    return actor->fingerprint;
}

uint64_t tdActor_HashPose(const tdActor* actor, uint64_t hash)
{
    const int* starts = actor->scene->nodes.weightStarts;
    size_t count = (size_t)actor->scene->nodes.count;
    hash = count > 0 ? tdHash(hash, actor->pose.locals, count * sizeof(tdTrs)) : hash;
    hash = starts != NULL && starts[count] > 0
               ? tdHash(hash, actor->weights, (size_t)starts[count] * sizeof(float))
               : hash;
    return hash;
}

static const tdKnownClip* FindKnownClip(const tdActor* actor, const tdClip* clip, uint64_t fingerprint)
{
    for (int i = actor->knownClips.count - 1; i >= 0; --i)
    {
        const tdKnownClip* known = &actor->knownClips.data[i];
        if (clip != NULL ? known->clip == clip : known->fingerprint == fingerprint)
        {
            return known;
        }
    }
    return NULL;
}

/// Streams bits by position, of which a block may have none behind the last node.
static void StreamBits(tdStateStream* stream, const tdActor* actor, uint64_t* bits)
{
    int wordCount = actor->pose.wordCount, rest = actor->scene->nodes.count & 63;
    tdState_Bytes(stream, bits, (size_t)wordCount * sizeof(uint64_t));
    if (tdState_Stores(stream) && rest != 0)
    {
        bits[wordCount - 1] &= (UINT64_C(1) << rest) - 1;
    }
}

static void StreamPose(tdActor* actor, tdStateStream* stream)
{
    tdNodePose* pose = &actor->pose;
    size_t count = (size_t)actor->scene->nodes.count;
    tdTransform placement = pose->placement;
    tdState_Value(stream, &placement);
    if (tdState_Stores(stream))
    {
        tdNodePose_SetPlacement(pose, placement);
    }
    tdState_Bytes(stream, pose->locals, count * sizeof(tdTrs));
    tdState_Bytes(stream, pose->globals, count * sizeof(tdMat4));
    StreamBits(stream, actor, pose->dirty);
    StreamBits(stream, actor, pose->fresh);
    tdState_Bool(stream, &pose->isDirty);
    if (tdState_Stores(stream))
    {
        tdNodePose_AdoptLocals(pose);
    }
}

/// Streams one play. `clip` is that of the play, or receives that of the block.
static void StreamPlay(tdActor* actor, tdStateStream* stream, tdPlay* play, const tdClip** clip)
{
    const tdKnownClip* known = *clip != NULL ? FindKnownClip(actor, *clip, 0) : NULL;
    uint64_t fingerprint = known != NULL   ? known->fingerprint
                           : *clip != NULL ? tdClip_ComputeFingerprint(*clip)
                                           : 0;
    bool isCheck = stream->isCheck;
    stream->isCheck = false; // the clip steers the stream
    tdState_Value(stream, &fingerprint);
    stream->isCheck = isCheck;
    tdState_Value(stream, &play->generation);
    if (stream->mode == TD_STATE_READ)
    {
        known = fingerprint != 0 && !stream->failed ? FindKnownClip(actor, NULL, fingerprint) : NULL;
        stream->failed = stream->failed || (known == NULL && fingerprint != 0);
        *clip = known != NULL ? known->clip : NULL;
    }
    if (*clip != NULL)
    {
        tdState_Value(stream, &play->startTime);
        tdState_Value(stream, &play->start);
        tdState_Value(stream, &play->speed);
        tdState_Value(stream, &play->weight);
        tdState_Bool(stream, &play->loop);
        tdState_Value(stream, &play->clipTime);
    }
}

/// Memory for the cursors of a play that a block has and the actor has not, or has with other channels.
static bool NeedsCursors(const tdActor* actor, int slot, const tdClip* clip)
{
    const tdPlay* old = slot < actor->plays.count ? &actor->plays.data[slot] : NULL;
    bool isSame = old != NULL && old->clip != NULL && old->clip->channelCount == clip->channelCount;
    return !isSame && clip->channelCount > 0;
}

static void CheckPlays(tdActor* actor, tdStateStream* stream, int count)
{
    tdStage* stage = actor->stage;
    int channels = 0, expressions = actor->modelExpressionCount, width = 4;
    if (count > actor->plays.capacity &&
        !tdArray_Grow(&stage->allocator, (void**)&actor->plays.data, &actor->plays.capacity,
                      actor->plays.count, count, sizeof(tdPlay), TD_MAX_ALIGNMENT))
    {
        stream->failed = true;
    }
    for (int i = 0; i < count && !stream->failed; ++i)
    {
        tdPlay unused = {.generation = 0};
        const tdClip* clip = NULL;
        StreamPlay(actor, stream, &unused, &clip);
        if (clip == NULL || stream->failed)
        {
            continue;
        }
        channels = channels > INT32_MAX - clip->channelCount ? INT32_MAX : channels + clip->channelCount;
        expressions += clip->expressionCount;
        for (int k = 0; k < clip->channelCount; ++k)
        {
            width = tdMaxInt(width, clip->channels[k].width);
        }
        if (NeedsCursors(actor, i, clip))
        {
            size_t size = (size_t)clip->channelCount * sizeof(int);
            int* cursors = tdAllocateZeroed(&stage->allocator, size, TD_MAX_ALIGNMENT);
            if (cursors == NULL ||
                !tdArray_Push(&stage->allocator, &stage->loadedCursors, (tdCursorBlock){cursors, size}))
            {
                tdRelease(&stage->allocator, cursors, size);
                stream->failed = true;
            }
        }
    }
    stream->failed = stream->failed || !tdActor_ReserveTracks(actor, channels, expressions, width);
}

static void FreeCursors(const tdActor* actor, tdPlay* play)
{
    if (play->clip != NULL)
    {
        tdRelease(&actor->stage->allocator, play->cursors, (size_t)play->clip->channelCount * sizeof(int));
    }
    play->clip = NULL;
    play->cursors = NULL;
}

static void LoadPlays(tdActor* actor, tdStateStream* stream, int count, int* nextCursors)
{
    for (int i = count; i < actor->plays.count; ++i)
    {
        FreeCursors(actor, &actor->plays.data[i]);
    }
    for (int i = actor->plays.count; i < count; ++i)
    {
        actor->plays.data[i] = (tdPlay){0};
    }
    for (int i = 0; i < count; ++i)
    {
        tdPlay* play = &actor->plays.data[i];
        const tdClip* clip = NULL;
        StreamPlay(actor, stream, play, &clip);
        bool isNew = clip != NULL && NeedsCursors(actor, i, clip);
        if (clip == NULL || isNew || clip->channelCount == 0)
        {
            FreeCursors(actor, play);
        }
        play->cursors = isNew ? actor->stage->loadedCursors.data[(*nextCursors)++].cursors : play->cursors;
        play->clip = clip;
    }
    actor->plays.count = count;
}

static void StreamPlays(tdActor* actor, tdStateStream* stream, int* nextCursors)
{
    // Each slot has a fingerprint and a generation at least.
    size_t room = (stream->size - stream->at) / (sizeof(uint64_t) + sizeof(uint32_t));
    int count = tdState_Count(stream, actor->plays.count, MAX_PLAYS);
    if (stream->mode == TD_STATE_READ)
    {
        stream->failed = stream->failed || (size_t)count > room;
        if (stream->failed)
        {
            return;
        }
        if (stream->isCheck)
        {
            CheckPlays(actor, stream, count);
            return;
        }
        LoadPlays(actor, stream, count, nextCursors);
        return;
    }
    for (int i = 0; i < count; ++i)
    {
        const tdClip* clip = actor->plays.data[i].clip;
        StreamPlay(actor, stream, &actor->plays.data[i], &clip);
    }
}

/// Locals that the application set, in the order in which they are applied.
static void StreamSetLocals(tdActor* actor, tdStateStream* stream)
{
    int count = tdState_Count(stream, actor->setCount, actor->scene->nodes.count);
    bool isReading = stream->mode == TD_STATE_READ;
    if (isReading && count > 0 && !tdActor_ReserveSetLocals(actor))
    {
        stream->failed = true;
    }
    if (tdState_Stores(stream) && actor->setMasks != NULL)
    {
        memset(actor->setMasks, 0, (size_t)actor->scene->nodes.count);
    }
    int stored = 0;
    // The arrays exist if there is a local.
    for (int i = 0; i < count && actor->setMasks != NULL && !stream->failed; ++i)
    {
        int node = isReading ? 0 : actor->setNodes[i];
        int mask = isReading ? 0 : actor->setMasks[node];
        bool isCheck = stream->isCheck;
        stream->isCheck = false; // these two are local
        tdState_Int(stream, &node, 0, actor->scene->nodes.count - 1);
        tdState_Int(stream, &mask, 1, TD_LOCAL_ALL);
        stream->isCheck = isCheck;
        if (stream->failed)
        {
            return;
        }
        tdState_Value(stream, &actor->setLocals[node]);
        if (tdState_Stores(stream))
        {
            // A forged list may have a node twice; setNodes must not.
            actor->setNodes[stored] = node;
            stored += actor->setMasks[node] == 0;
            actor->setMasks[node] = (uint8_t)mask;
        }
    }
    actor->setCount = tdState_Stores(stream) ? stored : actor->setCount;
}

static void StreamConstraints(tdActor* actor, tdStateStream* stream)
{
    const tdConstraintList* list = actor->scene->constraints;
    tdState_Bool(stream, &actor->enableConstraints);
    if (list == NULL)
    {
        return;
    }
    size_t count = (size_t)list->count;
    tdState_Bytes(stream, actor->wantedWeights, count * sizeof(float));
    tdState_Bytes(stream, actor->constraintWeights, count * sizeof(float));
    for (size_t i = 0; i < count; ++i)
    {
        tdState_Int(stream, &actor->constraintPlaces[i], 0, list->count - 1);
        tdState_Bool(stream, &actor->constraintFollows[i]);
    }
    int before = tdState_Count(stream, actor->constraintsBefore, list->count);
    int after = tdState_Count(stream, actor->constraintsAfter, list->count - before);
    tdState_Int(stream, &actor->constraintIterations, 0, 1 << 10);
    if (tdState_Stores(stream))
    {
        actor->constraintsBefore = before;
        actor->constraintsAfter = after;
    }
}

static void StreamWriters(tdActor* actor, tdStateStream* stream)
{
    size_t size = (size_t)actor->scene->nodes.count * sizeof(tdNodeWriters), start = stream->at;
    tdState_Bytes(stream, actor->writers, size);
    for (size_t i = 0; i < size && stream->isCheck && !stream->failed; ++i)
    {
        stream->failed = stream->bytes[start + i] > TD_WRITER_BODY;
    }
}

static void StreamGaze(tdActor* actor, tdStateStream* stream)
{
    int source = (int)actor->gazeSource, nodeCount = actor->scene->nodes.count;
    tdState_Bool(stream, &actor->hasClipGaze);
    tdState_Value(stream, &actor->clipGaze);
    tdState_Int(stream, &source, TD_GAZE_CLIPS, nodeCount > 0 ? TD_GAZE_NODE : TD_GAZE_POINT);
    actor->gazeSource = tdState_Stores(stream) ? (tdGazeSource)source : actor->gazeSource;
    tdState_Value(stream, &actor->gazePoint);
    tdState_Int(stream, &actor->gazeNode, 0, tdMaxInt(nodeCount - 1, 0));
    tdState_Value(stream, &actor->setYaw);
    tdState_Value(stream, &actor->setPitch);
    tdState_Bool(stream, &actor->isGazeAimed);
    tdState_Bool(stream, &actor->isGazing);
}

static void StreamFaceValues(tdStateStream* stream, tdFaceEntry* entry)
{
    tdState_Bool(stream, &entry->isAnimated);
    tdState_Bool(stream, &entry->isSet);
    tdState_Value(stream, &entry->clipWeight);
    tdState_Value(stream, &entry->setWeight);
    tdState_Value(stream, &entry->output);
}

/// Expressions of the model by place, those of clips by the hash of their names.
static void StreamFace(tdActor* actor, tdStateStream* stream)
{
    for (int i = 0; i < actor->modelExpressionCount; ++i)
    {
        StreamFaceValues(stream, &actor->face.data[i]);
    }
    int added = tdState_Count(stream, actor->face.count - actor->modelExpressionCount, INT32_MAX);
    for (int i = 0; i < added && !stream->failed; ++i)
    {
        tdFaceEntry unused = {.name = ""};
        tdFaceEntry* entry = &unused;
        uint64_t name = 0;
        if (stream->mode != TD_STATE_READ)
        {
            entry = &actor->face.data[actor->modelExpressionCount + i];
            name = tdHash(TD_HASH_INIT, entry->name, strlen(entry->name));
        }
        tdState_Value(stream, &name);
        for (int k = actor->modelExpressionCount; k < actor->face.count && tdState_Stores(stream); ++k)
        {
            const char* other = actor->face.data[k].name;
            entry = tdHash(TD_HASH_INIT, other, strlen(other)) == name ? &actor->face.data[k] : entry;
        }
        StreamFaceValues(stream, entry);
    }
}

static void StreamValues(tdActor* actor, tdStateStream* stream)
{
    const int* starts = actor->scene->nodes.weightStarts;
    int weightCount = starts != NULL ? starts[actor->scene->nodes.count] : 0;
    int valueCount = actor->scene->materialValueCount;
    tdState_Bytes(stream, actor->weights, (size_t)weightCount * sizeof(float));
    tdState_Bytes(stream, actor->materialValues, 4 * (size_t)valueCount * sizeof(float));
}

void tdActor_Stream(tdActor* actor, tdStateStream* stream, const tdWorld* world, int* nextCursors)
{
    StreamPose(actor, stream);
    StreamPlays(actor, stream, nextCursors);
    StreamSetLocals(actor, stream);
    if (stream->failed)
    {
        return;
    }
    if (tdState_Stores(stream))
    {
        tdActor_BindTracks(actor);
    }
    StreamFace(actor, stream);
    StreamGaze(actor, stream);
    StreamValues(actor, stream);
    StreamConstraints(actor, stream);
    StreamWriters(actor, stream);
    tdActorPhysics_Stream(actor, stream, world);
    tdActorSprings_Stream(actor, stream);
    tdState_Bool(stream, &actor->isBound);
    tdState_Bool(stream, &actor->isPoseStale);
    tdState_Bool(stream, &actor->enableSprings);
    if (tdState_Stores(stream))
    {
        tdActorSprings_Bind(actor);
        if (actor->physics != NULL)
        {
            tdBodyDrive_FindTracks(actor);
        }
    }
}
