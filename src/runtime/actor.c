// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and destruction of actors, their plays, and the values that the application sets.
#include "actor.h"

#include "actor_springs.h"
#include "bind.h"
#include "claims.h"
#include "face.h"
#include "physics_binding.h"
#include "tracks.h"

#include "anim/rig.h"
#include "base/def.h"
#include "base/report.h"
#include "constraint/pose_group.h"
#include "physics/data/call_log.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"
#include "scene/physics_scene.h"

#include "tendon/pose.h"
#include "tendon/spring.h"

#include <string.h>

/// Bytes of a cache line. Memory that a step writes starts on a line of its own, because actors that are
/// neighbours in memory may run on different threads. See docs/decisions/031.
#define CACHE_LINE 64

tdActorDef tdDefaultActorDef(void)
{
    return (tdActorDef){.scene = -1,
                        .placement = tdTransform_identity,
                        .enableConstraints = true,
                        .enablePhysics = true,
                        .enableSprings = true,
                        .cookie = TD_DEF_COOKIE};
}

tdPlayDef tdDefaultPlayDef(void)
{
    return (tdPlayDef){.speed = 1.0f, .weight = 1.0f, .cookie = TD_DEF_COOKIE};
}

static bool InitConstraints(tdActor* actor)
{
    const tdConstraintList* list = actor->scene->constraints;
    tdStage* stage = actor->stage;
    actor->groupWidth = tdPoseGroup_GetWidth(list, &actor->scene->nodes, stage->simd);
    if (list == NULL)
    {
        return true;
    }
    size_t scratch = tdPoseGroup_GetScratchSize(list, actor->groupWidth);
    if (actor->groupWidth > 1 && stage->actors.count + 1 >= actor->groupWidth && scratch > 0 &&
        !tdStage_ReserveGroupScratch(stage, (scratch + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1)))
    {
        return false;
    }
    actor->wantedWeights = tdArena_NewArray(&actor->arena, float, list->count);
    actor->constraintWeights = tdArena_NewArray(&actor->arena, float, list->count);
    actor->constraintPlaces = tdArena_NewArray(&actor->arena, int, list->count);
    actor->constraintFollows = tdArena_NewArray(&actor->arena, bool, list->count);
    if (actor->wantedWeights == NULL || actor->constraintWeights == NULL || actor->constraintPlaces == NULL ||
        actor->constraintFollows == NULL)
    {
        return false;
    }
    for (int i = 0; i < list->count; ++i)
    {
        actor->wantedWeights[i] = list->items[i].weight;
    }
    return true;
}

// Rest rotation of a node in model space.
static tdQuat ComputeModelRest(const tdNodeTree* nodes, int node)
{
    tdQuat world = tdQuat_identity;
    for (int above = node; above >= 0; above = nodes->parents[above])
    {
        world = tdMulQuat(nodes->locals[above].rotation, world);
    }
    return tdNormalizeQuat(world);
}

// Constants that turn a normalised eye rotation N into a local one: L W^-1 N W, where L is the local and W
// the model-space rest rotation of the eye's node. The frame of the gaze is that of the head turned back by
// the head's rest rotation.
static void InitEyes(tdActor* actor)
{
    const tdHumanoid* humanoid = actor->scene->humanoid;
    const tdNodeTree* nodes = &actor->scene->nodes;
    tdQuat half =
        humanoid != NULL && humanoid->isHalfTurned ? (tdQuat){0.0f, 1.0f, 0.0f, 0.0f} : tdQuat_identity;
    actor->headNode = humanoid != NULL ? humanoid->nodes[TD_BONE_HEAD] : -1;
    actor->gazeTurn = actor->headNode >= 0
                          ? tdMulQuat(tdConjugate(half), ComputeModelRest(nodes, actor->headNode))
                          : tdQuat_identity;
    for (int side = 0; side < 2; ++side)
    {
        int node = humanoid != NULL ? humanoid->nodes[side == 0 ? TD_BONE_LEFT_EYE : TD_BONE_RIGHT_EYE] : -1;
        actor->eyes[side].node = node;
        if (node < 0)
        {
            continue;
        }
        tdQuat world = ComputeModelRest(nodes, node);
        actor->eyes[side].left = tdMulQuat(tdMulQuat(nodes->locals[node].rotation, tdConjugate(world)), half);
        actor->eyes[side].right = tdMulQuat(tdConjugate(half), world);
    }
}

// Expressions start from 0 on every target of a node that they bind, so the rest weights of its mesh never
// show (docs/spec/expressions.md 2).
static bool InitBaseWeights(tdActor* actor, int weightCount)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    const tdHumanoid* humanoid = actor->scene->humanoid;
    actor->baseWeights = nodes->weights;
    if (humanoid == NULL || humanoid->expressionCount == 0 || weightCount == 0)
    {
        return true;
    }
    const tdAllocator* allocator = &actor->stage->allocator;
    float* base = tdArena_NewArray(&actor->arena, float, weightCount);
    bool* isBound = tdAllocateZeroed(allocator, (size_t)nodes->count, 1); // by node; its targets are 0
    if (base == NULL || isBound == NULL)
    {
        tdRelease(allocator, isBound, (size_t)nodes->count);
        return false;
    }
    memcpy(base, nodes->weights, (size_t)weightCount * sizeof(float));
    for (int i = 0; i < humanoid->expressionCount; ++i)
    {
        const tdExpression* expression = &humanoid->expressions[i];
        for (int k = 0; k < expression->bindCount; ++k)
        {
            int node = expression->binds[k].node, start = nodes->weightStarts[node];
            if (!isBound[node])
            {
                isBound[node] = true;
                memset(base + start, 0, (size_t)(nodes->weightStarts[node + 1] - start) * sizeof(float));
            }
        }
    }
    tdRelease(allocator, isBound, (size_t)nodes->count);
    actor->baseWeights = base;
    return true;
}

static bool InitFace(tdActor* actor)
{
    const tdHumanoid* humanoid = actor->scene->humanoid;
    InitEyes(actor);
    actor->modelExpressionCount = humanoid != NULL ? humanoid->expressionCount : 0;
    if (!tdActor_ReserveFace(actor, actor->modelExpressionCount))
    {
        return false;
    }
    for (int i = 0; humanoid != NULL && i < humanoid->expressionCount; ++i)
    {
        actor->face.data[actor->face.count++] = (tdFaceEntry){.name = humanoid->expressions[i].name};
        tdNameTable_Add(&actor->faceTable, i);
    }
    const tdScene* scene = actor->scene;
    int valueCount = scene->materialValueCount;
    actor->materialValues = tdArena_NewArray(&actor->arena, float, 4 * (size_t)valueCount);
    for (int i = 0; i < valueCount && actor->materialValues != NULL; ++i)
    {
        memcpy(actor->materialValues + 4 * i, scene->materialValues[i].base, 4 * sizeof(float));
    }
    return actor->materialValues != NULL;
}

static bool InitActor(tdActor* actor, const tdActorDef* def, tdReport* report)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    int weightCount = nodes->weightStarts != NULL ? nodes->weightStarts[nodes->count] : 0;
    if (!tdNodePose_Init(&actor->pose, nodes, def->placement, &actor->arena))
    {
        return false;
    }
    actor->writers = tdArena_NewArray(&actor->arena, tdNodeWriters, nodes->count);
    actor->weights = tdArena_NewArray(&actor->arena, float, weightCount);
    if (actor->writers == NULL || actor->weights == NULL || !InitConstraints(actor) ||
        !InitBaseWeights(actor, weightCount) || !InitFace(actor) || !tdActorSprings_Create(actor, def))
    {
        return false;
    }
    if (weightCount > 0)
    {
        memcpy(actor->weights, nodes->weights, (size_t)weightCount * sizeof(float));
    }
    tdNodePose_Sweep(&actor->pose);
    return !def->enablePhysics ||
           (tdPhysicsBinding_CreateActor(actor) && tdActor_ReportClaims(actor, report));
}

static void FreeActor(tdActor* actor)
{
    const tdAllocator* allocator = &actor->stage->allocator;
    tdPhysicsBinding_DestroyActor(actor);
    for (int i = 0; i < actor->plays.count; ++i)
    {
        tdPlay* play = &actor->plays.data[i];
        if (play->clip != NULL)
        {
            tdRelease(allocator, play->cursors, (size_t)play->clip->channelCount * sizeof(int));
        }
    }
    tdArray_Free(allocator, &actor->plays);
    tdArray_Free(allocator, &actor->knownClips);
    tdArray_Free(allocator, &actor->tracks);
    tdArray_Free(allocator, &actor->inputs);
    tdArray_Free(allocator, &actor->face);
    tdRelease(allocator, actor->faceTable.slots, (size_t)actor->faceTable.slotCount * sizeof(int));
    tdRelease(allocator, actor->values, 2 * (size_t)actor->valueWidth * sizeof(float));
    tdArena_Free(&actor->arena);
    tdRelease(allocator, actor, sizeof(tdActor));
}

tdCallLog* tdActor_GetCalls(const tdActor* actor)
{
    return actor != NULL ? actor->stage->world->calls : NULL;
}

static void LogActor(tdActor* actor, const tdActorDef* def)
{
    const tdStageRecorder* recorder = actor->stage->recorder;
    recorder->noteActor(recorder->context, actor);
    uint32_t asset = recorder->noteAsset(recorder->context, actor->asset);
    int32_t scene = def->scene;
    uint8_t flags[5] = {def->enableConstraints, def->enablePhysics, def->enableSprings, def->springsHitStage,
                        def->overrideBoneGaze};
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_CREATE_ACTOR, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(asset), TD_CALL_PART(scene), TD_CALL_PART(flags), TD_CALL_PART(def->placement));
}

tdActor* tdCreateActor(tdStage* stage, const tdAsset* asset, const tdActorDef* def, tdReport* report)
{
    if (stage == NULL || asset == NULL)
    {
        return NULL;
    }
    tdActorDef defaults = tdDefaultActorDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    if (!TD_ACCEPT(stage->world, tdIsFiniteTransform(def->placement)))
    {
        return NULL;
    }
    const tdPhysicsScene* physics = tdScene_GetPhysics(tdAsset_GetScene(asset), def->scene);
    if (def->enablePhysics && physics != NULL && !physics->isCooked)
    {
        tdReport_Add(report, TD_DIAG_ASSET_NOT_COOKED, NULL);
        return NULL;
    }
    tdCallLog* calls = stage->world->calls;
    tdCallLog_Pause(calls);
    tdActor* actor = tdAsset_HasUsableScene(asset)
                         ? tdAllocateZeroed(&stage->allocator, sizeof(tdActor), CACHE_LINE)
                         : NULL;
    if (actor != NULL)
    {
        actor->stage = stage;
        actor->asset = asset;
        actor->scene = &asset->scene;
        actor->physicsScene = physics;
        actor->enableConstraints = def->enableConstraints;
        actor->enablePhysics = def->enablePhysics;
        actor->enableSprings = def->enableSprings;
        actor->overrideBoneGaze = def->overrideBoneGaze;
        tdArena_Init(&actor->arena, &stage->allocator, 0);
    }
    if (actor == NULL || !InitActor(actor, def, report) ||
        !tdArray_Push(&stage->allocator, &stage->actors, actor))
    {
        if (actor != NULL)
        {
            FreeActor(actor);
        }
        tdCallLog_Resume(calls);
        tdStage_ReportMemory(stage, report, "making an actor");
        return NULL;
    }
    tdCallLog_Resume(calls);
    stage->springActorCount += actor->springs != NULL;
    if (tdCallLog_IsOn(calls))
    {
        LogActor(actor, def);
    }
    return actor;
}

void tdDestroyActor(tdActor* actor)
{
    if (actor == NULL)
    {
        return;
    }
    // Keeps the order of the others, because results depend on it.
    tdStage* stage = actor->stage;
    int place = 0;
    while (stage->actors.data[place] != actor)
    {
        place += 1;
    }
    memmove(stage->actors.data + place, stage->actors.data + place + 1,
            (size_t)(stage->actors.count - place - 1) * sizeof(tdActor*));
    stage->actors.count -= 1;
    stage->springActorCount -= actor->springs != NULL;
    TD_LOG_CALL(stage->world->calls, TD_CALL_DESTROY_ACTOR, TD_CALL_PART(actor->recordNumber));
    tdCallLog_Pause(stage->world->calls);
    FreeActor(actor);
    tdCallLog_Resume(stage->world->calls);
}

const tdAsset* tdActor_GetAsset(const tdActor* actor)
{
    return actor != NULL ? actor->asset : NULL;
}

tdStage* tdActor_GetStage(const tdActor* actor)
{
    return actor != NULL ? actor->stage : NULL;
}

// Plays

static tdPlay* FindPlay(const tdActor* actor, tdPlayId id)
{
    if (actor == NULL || id.index1 == 0 || id.index1 > (uint32_t)actor->plays.count)
    {
        return NULL;
    }
    tdPlay* play = &actor->plays.data[id.index1 - 1];
    return play->clip != NULL && play->generation == id.generation ? play : NULL;
}

// Reserves everything that tdActor_Bind needs, so that a step never allocates for it.
static bool ReserveForClip(tdActor* actor, const tdClip* clip)
{
    int channels = clip->channelCount, expressions = actor->modelExpressionCount + clip->expressionCount;
    int width = tdMaxInt(actor->valueWidth, 4);
    for (int i = 0; i < actor->plays.count; ++i)
    {
        const tdClip* other = actor->plays.data[i].clip;
        channels += other != NULL ? other->channelCount : 0;
        expressions += other != NULL ? other->expressionCount : 0;
    }
    for (int i = 0; i < clip->channelCount; ++i)
    {
        width = tdMaxInt(width, clip->channels[i].width);
    }
    return tdActor_ReserveTracks(actor, channels, expressions, width);
}

bool tdActor_ReserveTracks(tdActor* actor, int channelCount, int expressionCount, int width)
{
    const tdAllocator* allocator = &actor->stage->allocator;
    if (!tdArray_Reserve(allocator, &actor->tracks, channelCount) ||
        !tdArray_Reserve(allocator, &actor->inputs, channelCount) ||
        !tdActor_ReserveFace(actor, expressionCount))
    {
        return false;
    }
    if (width > actor->valueWidth)
    {
        float* values = tdAllocate(allocator, 2 * (size_t)width * sizeof(float), CACHE_LINE);
        if (values == NULL)
        {
            return false;
        }
        tdRelease(allocator, actor->values, 2 * (size_t)actor->valueWidth * sizeof(float));
        actor->values = values;
        actor->valueWidth = width;
    }
    return true;
}

// Lists a clip that plays, once. A clip at the address of a destroyed one takes its place.
static bool NoteClip(tdActor* actor, const tdClip* clip)
{
    tdKnownClip known = {clip, tdClip_ComputeFingerprint(clip)};
    for (int i = 0; i < actor->knownClips.count; ++i)
    {
        if (actor->knownClips.data[i].clip == clip)
        {
            actor->knownClips.data[i] = known;
            return true;
        }
    }
    return tdArray_Push(&actor->stage->allocator, &actor->knownClips, known);
}

void tdActor_ForgetClip(tdActor* actor, const tdClip* clip)
{
    if (clip != NULL && tdCallLog_IsOn(tdActor_GetCalls(actor)))
    {
        const tdStageRecorder* recorder = actor->stage->recorder;
        uint32_t number = recorder->noteClip(recorder->context, clip);
        TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_FORGET_CLIP, TD_CALL_PART(actor->recordNumber),
                    TD_CALL_PART(number));
    }
    for (int i = actor != NULL ? actor->knownClips.count - 1 : -1; i >= 0; --i)
    {
        if (actor->knownClips.data[i].clip == clip)
        {
            tdArray_RemoveSwap(&actor->knownClips, i);
        }
    }
}

static bool AddPlay(tdActor* actor)
{
    int count = actor->plays.count;
    if (count == actor->plays.capacity &&
        !tdArray_Grow(&actor->stage->allocator, (void**)&actor->plays.data, &actor->plays.capacity, count,
                      count + 1, sizeof(tdPlay), CACHE_LINE))
    {
        return false;
    }
    actor->plays.data[actor->plays.count++] = (tdPlay){0};
    return true;
}

static void LogPlay(tdActor* actor, const tdClip* clip, const tdPlayDef* def, tdPlayId id)
{
    const tdStageRecorder* recorder = actor->stage->recorder;
    uint32_t number = recorder->noteClip(recorder->context, clip);
    float values[3] = {def->start, def->speed, def->weight};
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_PLAY, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(number), TD_CALL_PART(id), TD_CALL_PART(values), TD_CALL_PART(def->loop));
}

tdPlayId tdActor_Play(tdActor* actor, const tdClip* clip, const tdPlayDef* def)
{
    tdPlayId none = {0, 0};
    if (actor == NULL || clip == NULL)
    {
        return none;
    }
    TD_ASSERT(clip->asset == actor->asset);
    tdPlayDef defaults = tdDefaultPlayDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    if (!TD_ACCEPT(actor->stage->world,
                   isfinite(def->start) && isfinite(def->speed) && isfinite(def->weight)))
    {
        return none;
    }
    const tdAllocator* allocator = &actor->stage->allocator;

    int slot = 0;
    while (slot < actor->plays.count && actor->plays.data[slot].clip != NULL)
    {
        slot += 1;
    }
    if (!NoteClip(actor, clip) || !ReserveForClip(actor, clip) ||
        (slot == actor->plays.count && !AddPlay(actor)))
    {
        return none;
    }
    size_t size = (size_t)clip->channelCount * sizeof(int);
    int* cursors = size > 0 ? tdAllocateZeroed(allocator, size, CACHE_LINE) : NULL;
    if (size > 0 && cursors == NULL)
    {
        return none;
    }
    tdPlay* play = &actor->plays.data[slot];
    *play = (tdPlay){
        .clip = clip,
        .generation = play->generation + 1,
        .startTime = tdStage_GetTime(actor->stage),
        .start = (double)def->start,
        .speed = def->speed,
        .weight = def->weight,
        .loop = def->loop,
        .cursors = cursors,
    };
    actor->isBound = false;
    tdPlayId id = {(uint32_t)slot + 1, play->generation};
    if (tdCallLog_IsOn(tdActor_GetCalls(actor)))
    {
        LogPlay(actor, clip, def, id);
    }
    return id;
}

void tdActor_Stop(tdActor* actor, tdPlayId id)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_STOP, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(id));
    tdPlay* play = FindPlay(actor, id);
    if (play != NULL)
    {
        tdRelease(&actor->stage->allocator, play->cursors, (size_t)play->clip->channelCount * sizeof(int));
        play->clip = NULL;
        play->cursors = NULL;
        actor->isBound = false;
        tdActor_ForgetClipFace(actor); // the entries borrow names from the clip
    }
}

/// A clip that jumps further than this, in s, is not motion: springs start at rest. Shorter jumps are those
/// of applications that set the time in every frame.
#define SEEK_SECONDS 0.25

void tdActor_SetPlay(tdActor* actor, tdPlayId id, float time, float speed, float weight)
{
    float values[3] = {time, speed, weight};
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_PLAY, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(id), TD_CALL_PART(values));
    tdPlay* play = FindPlay(actor, id);
    if (play != NULL && TD_ACCEPT(actor->stage->world, isfinite(time) && isfinite(speed) && isfinite(weight)))
    {
        double jump = (double)time - tdPlay_GetClipTime(play, tdStage_GetTime(actor->stage));
        if (jump > SEEK_SECONDS || jump < -SEEK_SECONDS)
        {
            tdActor_ResetSprings(actor);
        }
        play->startTime = tdStage_GetTime(actor->stage);
        play->start = (double)time;
        play->speed = speed;
        play->weight = weight;
    }
}

float tdActor_GetPlayTime(const tdActor* actor, tdPlayId id)
{
    const tdPlay* play = FindPlay(actor, id);
    return play != NULL ? (float)tdPlay_GetClipTime(play, tdStage_GetTime(actor->stage)) : 0.0f;
}

const tdClip* tdActor_GetPlayClip(const tdActor* actor, tdPlayId id)
{
    const tdPlay* play = FindPlay(actor, id);
    return play != NULL ? play->clip : NULL;
}

int tdActor_GetPlays(const tdActor* actor, tdPlayId* plays, int capacity)
{
    int count = 0;
    for (int i = 0; actor != NULL && i < actor->plays.count; ++i)
    {
        const tdPlay* play = &actor->plays.data[i];
        if (play->clip == NULL)
        {
            continue;
        }
        if (plays != NULL && count < capacity)
        {
            plays[count] = (tdPlayId){(uint32_t)i + 1, play->generation};
        }
        count += 1;
    }
    return count;
}

float tdActor_GetPlaySpeed(const tdActor* actor, tdPlayId id)
{
    const tdPlay* play = FindPlay(actor, id);
    return play != NULL ? play->speed : 0.0f;
}

float tdActor_GetPlayWeight(const tdActor* actor, tdPlayId id)
{
    const tdPlay* play = FindPlay(actor, id);
    return play != NULL ? play->weight : 0.0f;
}

bool tdActor_IsPlaying(const tdActor* actor, tdPlayId id)
{
    const tdPlay* play = FindPlay(actor, id);
    return play != NULL && !tdPlay_IsFinished(play, tdStage_GetTime(actor->stage));
}

// Values that the application sets

bool tdActor_ReserveSetLocals(tdActor* actor)
{
    if (actor->setLocals == NULL)
    {
        int count = actor->scene->nodes.count;
        uint8_t* masks = tdArena_NewArray(&actor->arena, uint8_t, count);
        int* nodes = tdArena_NewArray(&actor->arena, int, count);
        tdTrs* locals = tdArena_NewArray(&actor->arena, tdTrs, count);
        if (masks == NULL || nodes == NULL || locals == NULL)
        {
            return false;
        }
        actor->setMasks = masks;
        actor->setNodes = nodes;
        actor->setLocals = locals;
    }
    return true;
}

static bool IsFiniteTrs(tdTrs trs)
{
    return tdIsFiniteVec3(trs.translation) && tdIsFiniteVec3(trs.scale) && tdIsFiniteQuat(trs.rotation);
}

void tdActor_SetLocal(tdActor* actor, int node, unsigned properties, tdTrs local)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_LOCAL, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(node), TD_CALL_PART(properties), TD_CALL_PART(local));
    properties &= TD_LOCAL_ALL;
    if (actor == NULL || node < 0 || node >= actor->scene->nodes.count || properties == 0 ||
        !TD_ACCEPT(actor->stage->world, IsFiniteTrs(local)))
    {
        return;
    }
    if (!tdActor_ReserveSetLocals(actor))
    {
        actor->stage->isOutOfMemory = true;
        return;
    }
    tdTrs* set = &actor->setLocals[node];
    set->translation = properties & TD_LOCAL_TRANSLATION ? local.translation : set->translation;
    set->rotation = properties & TD_LOCAL_ROTATION ? tdNormalizeQuat(local.rotation) : set->rotation;
    set->scale = properties & TD_LOCAL_SCALE ? local.scale : set->scale;
    unsigned mask = actor->setMasks[node];
    if ((mask | properties) != mask)
    {
        if (mask == 0)
        {
            actor->setNodes[actor->setCount++] = node;
        }
        actor->setMasks[node] = (uint8_t)(mask | properties);
        actor->isBound = false;
    }
}

void tdActor_ClearLocal(tdActor* actor, int node, unsigned properties)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_CLEAR_LOCAL, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(node), TD_CALL_PART(properties));
    if (actor == NULL || actor->setMasks == NULL || node < 0 || node >= actor->scene->nodes.count ||
        (actor->setMasks[node] & properties) == 0)
    {
        return;
    }
    actor->setMasks[node] = (uint8_t)(actor->setMasks[node] & ~properties);
    for (int i = 0; i < actor->setCount && actor->setMasks[node] == 0; ++i)
    {
        if (actor->setNodes[i] == node)
        {
            actor->setNodes[i] = actor->setNodes[--actor->setCount];
        }
    }
    actor->isBound = false;
}

unsigned tdActor_GetLocal(const tdActor* actor, int node, tdTrs* local)
{
    bool isThere = actor != NULL && actor->setMasks != NULL && node >= 0 && node < actor->scene->nodes.count;
    unsigned properties = isThere ? actor->setMasks[node] : 0;
    if (local != NULL)
    {
        local->translation =
            properties & TD_LOCAL_TRANSLATION ? actor->setLocals[node].translation : tdVec3_zero;
        local->rotation = properties & TD_LOCAL_ROTATION ? actor->setLocals[node].rotation : tdQuat_identity;
        local->scale = properties & TD_LOCAL_SCALE ? actor->setLocals[node].scale : tdVec3_one;
    }
    return properties;
}

void tdActor_SetPlacement(tdActor* actor, tdTransform placement)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_PLACEMENT, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(placement));
    if (actor != NULL && TD_ACCEPT(actor->stage->world, tdIsFiniteTransform(placement)))
    {
        placement.rotation = tdNormalizeQuat(placement.rotation);
        tdNodePose_SetPlacement(&actor->pose, placement);
    }
}

tdTransform tdActor_GetPlacement(const tdActor* actor)
{
    return actor != NULL ? actor->pose.placement : tdTransform_identity;
}

// Constraints

void tdActor_EnableConstraints(tdActor* actor, bool enable)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_ENABLE_CONSTRAINTS, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(enable));
    if (actor != NULL && actor->enableConstraints != enable)
    {
        actor->enableConstraints = enable;
        actor->isBound = false;
    }
}

bool tdActor_AreConstraintsEnabled(const tdActor* actor)
{
    return actor != NULL && actor->enableConstraints;
}

static int FindConstraint(const tdActor* actor, int node)
{
    if (actor == NULL || actor->scene->constraints == NULL || node < 0 || node >= actor->scene->nodes.count)
    {
        return -1;
    }
    return actor->scene->constraints->byNode[node];
}

void tdActor_SetConstraintWeight(tdActor* actor, int node, float weight)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_CONSTRAINT_WEIGHT,
                TD_CALL_PART(actor->recordNumber), TD_CALL_PART(node), TD_CALL_PART(weight));
    int place = FindConstraint(actor, node);
    if (place >= 0 && TD_ACCEPT(actor->stage->world, isfinite(weight)))
    {
        bool isWide = actor->scene->constraints->isWide;
        actor->wantedWeights[place] =
            tdClampFloat(weight, isWide ? -TD_MAX_WIDE_WEIGHT : 0.0f, isWide ? TD_MAX_WIDE_WEIGHT : 1.0f);
        if (actor->constraintWeights[place] != TD_CONSTRAINT_OVERRULED)
        {
            actor->constraintWeights[place] = actor->wantedWeights[place];
        }
        actor->isPoseStale = true;
    }
}

float tdActor_GetConstraintWeight(const tdActor* actor, int node)
{
    int place = FindConstraint(actor, node);
    return place >= 0 ? actor->wantedWeights[place] : 0.0f;
}

// Results

const tdTrs* tdActor_GetLocals(const tdActor* actor)
{
    return actor != NULL ? actor->pose.locals : NULL;
}

const tdMat4* tdActor_GetGlobals(const tdActor* actor)
{
    return actor != NULL ? actor->pose.globals : NULL;
}

const float* tdActor_GetMorphWeights(const tdActor* actor, int node, int* count)
{
    int found = 0;
    const float* weights = NULL;
    if (actor != NULL && node >= 0 && node < actor->scene->nodes.count &&
        actor->scene->nodes.weightStarts != NULL)
    {
        const int* starts = actor->scene->nodes.weightStarts;
        found = starts[node + 1] - starts[node];
        weights = actor->weights + starts[node];
    }
    if (count != NULL)
    {
        *count = found;
    }
    return weights;
}

void tdActor_SetPose(tdActor* actor, const tdRig* rig, const tdPose* pose)
{
    if (actor == NULL || rig == NULL || pose == NULL)
    {
        return;
    }
    TD_ASSERT(rig->asset == actor->asset);
    if (!tdActor_ReserveSetLocals(actor))
    {
        actor->stage->isOutOfMemory = true;
        return;
    }
    // The pose is written into the application's locals first, then set bone by bone.
    tdRig_ApplyPose(rig, pose, actor->setLocals);
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        int node = rig->bones[i].node;
        if (node >= 0)
        {
            unsigned properties =
                i == TD_BONE_HIPS ? TD_LOCAL_TRANSLATION | TD_LOCAL_ROTATION : TD_LOCAL_ROTATION;
            tdTrs local = actor->setLocals[node];
            local.scale = tdVec3_one;
            local.translation = i == TD_BONE_HIPS ? local.translation : tdVec3_zero;
            tdActor_SetLocal(actor, node, properties, local);
        }
    }
}

double tdActor_GetSecondsLeft(const tdActor* actor, double time)
{
    double longest = 0.0;
    for (int i = 0; i < actor->plays.count; ++i)
    {
        const tdPlay* play = &actor->plays.data[i];
        if (play->clip != NULL)
        {
            double left = (double)play->clip->duration - tdPlay_GetClipTime(play, time);
            longest = left > longest ? left : longest;
        }
    }
    return longest > 0.0 ? longest : TD_DEFAULT_SECONDS;
}
