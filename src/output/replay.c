// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Repeats recordings and compares every step with the recorded one.
#include "replay.h"

#include "replay_assets.h"
#include "replay_calls.h"

#include "base/def.h"
#include "base/report.h"
#include "physics/data/world_data.h"

#include <string.h>

/// Fixed steps that one variable step may take, so that a recording cannot keep a program busy for hours.
#define MAX_VARIABLE_STEPS 100000.0

tdReplayDef tdDefaultReplayDef(void)
{
    return (tdReplayDef){.cookie = TD_DEF_COOKIE};
}

tdReplay* tdCreateReplay(const tdRecording* recording, const tdReplayDef* def, tdReport* report)
{
    tdReplayDef defaults = tdDefaultReplayDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    tdReplay* replay =
        recording != NULL ? tdAllocateZeroed(&allocator, sizeof(tdReplay), _Alignof(tdReplay)) : NULL;
    if (replay == NULL)
    {
        return NULL;
    }
    replay->recording = recording;
    replay->allocator = allocator;
    replay->tasks = def->tasks;
    replay->limits = def->limits;
    replay->report = report;
    replay->part = 1;
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.tasks = def->tasks;
    stageDef.limits = def->limits;
    stageDef.stepRate = recording->info.stepRate;
    stageDef.world.allocator = &allocator;
    stageDef.world.gravity = recording->stage.gravity;
    stageDef.world.subStepCount = recording->stage.subStepCount;
    stageDef.world.maxPairs = recording->stage.maxPairs;
    stageDef.world.maxContacts = recording->stage.maxContacts;
    stageDef.world.enableSleep = recording->stage.enableSleep != 0;
    stageDef.world.enableContinuous = recording->stage.enableContinuous != 0;
    replay->stage = tdCreateStage(&stageDef);
    if (replay->stage == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "starting a replay");
        tdDestroyReplay(replay);
        return NULL;
    }
    replay->stage->world->refusesQuietly = true;
    return replay;
}

void tdDestroyReplay(tdReplay* replay)
{
    if (replay == NULL)
    {
        return;
    }
    tdAllocator allocator = replay->allocator;
    tdDestroyStage(replay->stage);
    for (int i = 0; i < replay->clips.count; ++i)
    {
        tdDestroyClip(replay->clips.data[i]);
    }
    for (int i = 0; i < replay->assets.count; ++i)
    {
        tdDestroyAsset(replay->assets.data[i]->asset);
        tdRelease(&allocator, replay->assets.data[i], sizeof(tdReplayAsset));
    }
    for (int i = 0; i < replay->geometries.count; ++i)
    {
        tdDestroyGeometry(replay->geometries.data[i]);
    }
    tdArray_Free(&allocator, &replay->geometries);
    tdArray_Free(&allocator, &replay->clips);
    tdArray_Free(&allocator, &replay->assets);
    tdArray_Free(&allocator, &replay->actors);
    tdArray_Free(&allocator, &replay->actorDefs);
    tdArray_Free(&allocator, &replay->tracks);
    tdRelease(&allocator, replay, sizeof(tdReplay));
}

// Gives the first body whose transform differs. The recorded bodies are those that moved there; the repeated
// ones are searched, too, for one that moved only here.
static void FindDifference(tdReplay* replay, const int* recorded, uint32_t recordedCount,
                           tdBodyDifference* difference)
{
    const tdWorld* world = replay->stage->world;
    int first = INT32_MAX, count = 0;
    for (uint32_t i = 0; i < recordedCount; ++i)
    {
        int body = recorded[i];
        tdTransform a = tdBodyTracks_Get(&replay->tracks, body), b = tdTransform_identity;
        bool isThere = body < world->bodies.count && world->bodies.data[body].motion >= 0;
        b = isThere ? tdWorld_GetBodySim(world, body)->transform : b;
        if (body < first && memcmp(&a, &b, sizeof(a)) != 0)
        {
            first = body;
            difference->a = a;
            difference->b = b;
        }
    }
    const tdMovedBody* moved = tdWorld_GetMovedBodies(world, &count);
    for (int i = 0; i < count; ++i)
    {
        int body = (int)moved[i].body.index1 - 1;
        tdTransform a = tdBodyTracks_Get(&replay->tracks, body);
        if (body < first && memcmp(&a, &moved[i].transform, sizeof(a)) != 0)
        {
            first = body;
            difference->a = a;
            difference->b = moved[i].transform;
        }
    }
    difference->body = first < INT32_MAX ? first : -1;
}

// Reads the recorded bodies of a step and compares.
static tdReplayResult CompareStep(tdReplay* replay, tdRecordReader* reader, const tdRecordedStep* recorded,
                                  tdBodyDifference* difference)
{
    bool isSame = tdStage_GetStateHash(replay->stage) == recorded->hash;
    size_t size = (size_t)recorded->bodyCount * sizeof(int);
    int* bodies = isSame ? NULL : tdAllocate(&replay->allocator, size, _Alignof(int));
    bool hasMemory = isSame || bodies != NULL || size == 0;
    int body = 0;
    for (uint32_t i = 0; i < recorded->bodyCount && hasMemory; ++i)
    {
        hasMemory = tdBodyTracks_Read(&replay->tracks, &replay->allocator, reader, &body);
        if (bodies != NULL)
        {
            bodies[i] = body;
        }
    }
    if (!hasMemory)
    {
        tdReport_Add(replay->report, TD_DIAG_OUT_OF_MEMORY, NULL, "replaying");
        replay->failed = true;
    }
    else if (!isSame)
    {
        tdBodyDifference found = {.step = replay->step};
        FindDifference(replay, bodies, recorded->bodyCount, &found);
        tdRecording_NameBody(replay->recording, &found);
        *difference = found;
    }
    tdRelease(&replay->allocator, bodies, isSame ? 0 : size);
    return !hasMemory ? TD_REPLAY_FAILED : isSame ? TD_REPLAY_SAME : TD_REPLAY_DIFFERS;
}

static tdReplayResult MakeStep(tdReplay* replay, const tdRecordPart* part, tdBodyDifference* difference)
{
    tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
    tdRecordedStep recorded = tdReadRecordedStep(&reader);
    if (recorded.seconds * replay->stage->stepRate > MAX_VARIABLE_STEPS)
    {
        tdReport_Add(replay->report, TD_DIAG_RECORDING_CALL, NULL, (long long)replay->step + 1,
                     "tdStage_StepVariable", "the time is too long");
        replay->failed = true;
        return TD_REPLAY_FAILED;
    }
    bool isMade = recorded.seconds > 0.0 ? tdStage_StepVariable(replay->stage, recorded.seconds)
                                         : tdStage_Step(replay->stage);
    if (!isMade)
    {
        tdStage_ReportMemory(replay->stage, replay->report, "replaying");
        replay->failed = true;
        return TD_REPLAY_FAILED;
    }
    replay->step += 1;
    return CompareStep(replay, &reader, &recorded, difference);
}

tdReplayResult tdReplay_Step(tdReplay* replay, tdBodyDifference* difference)
{
    tdBodyDifference unused;
    difference = difference != NULL ? difference : &unused;
    if (replay == NULL || replay->failed)
    {
        return TD_REPLAY_FAILED;
    }
    while (replay->part < replay->recording->parts.count)
    {
        const tdRecordPart* part = &replay->recording->parts.data[replay->part++];
        if (part->tag == TD_RECORD_STEP)
        {
            return MakeStep(replay, part, difference);
        }
        replay->failed = (part->tag == TD_RECORD_ASST && !tdReplay_LoadAsset(replay, part)) ||
                         (part->tag == TD_RECORD_CLIP && !tdReplay_MakeClip(replay, part)) ||
                         (part->tag == TD_RECORD_GEOM && !tdReplay_CookGeometry(replay, part)) ||
                         (part->tag == TD_RECORD_CALL && !tdReplay_MakeCalls(replay, part));
        if (replay->failed)
        {
            return TD_REPLAY_FAILED;
        }
    }
    return TD_REPLAY_END;
}

int64_t tdReplay_GetStep(const tdReplay* replay)
{
    return replay != NULL ? replay->step : 0;
}

tdStage* tdReplay_GetStage(tdReplay* replay)
{
    return replay != NULL ? replay->stage : NULL;
}

tdActor* tdReplay_GetActor(tdReplay* replay, int index)
{
    return replay != NULL && index >= 0 && index < replay->actors.count ? replay->actors.data[index] : NULL;
}

int tdReplay_GetActorCount(const tdReplay* replay)
{
    return replay != NULL ? replay->actors.count : 0;
}

tdActorDef tdReplay_GetActorDef(const tdReplay* replay, int index)
{
    return replay != NULL && index >= 0 && index < replay->actorDefs.count ? replay->actorDefs.data[index]
                                                                           : tdDefaultActorDef();
}
