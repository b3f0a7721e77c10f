// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Recordings of stages and their replay.
#include "exports.h"

#include <stdlib.h>
#include <string.h>

/// A recorder with the bytes that were not taken yet.
typedef struct Recorder
{
    tdRecorder* recorder;
    tdReport* report;
    uint8_t* bytes;
    size_t size, capacity;
} Recorder;

static bool KeepBytes(void* context, const char* bytes, size_t size)
{
    Recorder* recorder = context;
    if (size > recorder->capacity - recorder->size)
    {
        size_t capacity = recorder->size + size + recorder->size / 2 + 4096;
        uint8_t* grown = realloc(recorder->bytes, capacity);
        if (grown == NULL)
        {
            return false;
        }
        recorder->bytes = grown;
        recorder->capacity = capacity;
    }
    memcpy(recorder->bytes + recorder->size, bytes, size);
    recorder->size += size;
    return true;
}

void EXPORT(td_recorder_destroy)(Recorder* recorder)
{
    tdDestroyRecorder(recorder->recorder);
    tdDestroyReport(recorder->report);
    free(recorder->bytes);
    free(recorder);
}

/// NULL when the stage is not new or memory ran out.
Recorder* EXPORT(td_recorder_create)(tdStage* stage, const char* build, double maximumAssetBytes)
{
    Recorder* recorder = calloc(1, sizeof(Recorder));
    if (recorder == NULL)
    {
        return NULL;
    }
    tdRecorderDef def = tdDefaultRecorderDef();
    def.build = build;
    def.maximumAssetBytes = (int64_t)maximumAssetBytes;
    recorder->report = tdCreateReport(NULL);
    recorder->recorder = tdCreateRecorder(stage, &def, KeepBytes, recorder, recorder->report);
    if (recorder->report == NULL || recorder->recorder == NULL)
    {
        td_recorder_destroy(recorder);
        return NULL;
    }
    return recorder;
}

/// Writes the end. False if the recording is incomplete; its findings are those of the last call then.
bool EXPORT(td_recorder_finish)(Recorder* recorder)
{
    bool isComplete = tdRecorder_Finish(recorder->recorder);
    tdDestroyRecorder(recorder->recorder);
    recorder->recorder = NULL;
    AdoptReport(recorder->report);
    recorder->report = NULL;
    return isComplete;
}

/// Bytes since the last td_recorder_clear; leaves their number in the Size record.
const uint8_t* EXPORT(td_recorder_bytes)(const Recorder* recorder)
{
    GET_RECORD(Size)->size = (double)recorder->size;
    return recorder->bytes;
}

void EXPORT(td_recorder_clear)(Recorder* recorder)
{
    recorder->size = 0;
}

// Recordings

tdRecording* EXPORT(td_recording_load)(const void* data, size_t size)
{
    tdReport* report = NewReport();
    return report != NULL ? tdLoadRecording(data, size, NULL, report) : NULL;
}

void EXPORT(td_recording_destroy)(tdRecording* recording)
{
    tdDestroyRecording(recording);
}

void EXPORT(td_recording_describe)(const tdRecording* recording)
{
    RecordingRecord* r = GET_RECORD(Recording);
    tdRecordingInfo info = tdRecording_GetInfo(recording);
    r->version[0] = info.version.major;
    r->version[1] = info.version.minor;
    r->version[2] = info.version.patch;
    r->build = PutAddress(info.build);
    r->stepRate = info.stepRate;
    r->stepCount = (double)info.stepCount;
    r->bodyCount = info.bodyCount;
    r->isComplete = info.isComplete;
    r->assetCount = tdRecording_GetAssetCount(recording);
}

static int wantedFile; // of td_recording_file; counts down

static bool PickFile(void* context, const char* uri, const void* data, size_t size)
{
    static char name[4096];
    (void)context;
    RecordedFileRecord* r = GET_RECORD(RecordedFile);
    strncpy(name, uri, sizeof(name) - 1);
    r->name = PutAddress(name);
    r->data = PutAddress(data);
    r->size = (double)size;
    return wantedFile-- > 0;
}

/// Leaves a file of an asset in the RecordedFile record: 0 is the asset itself. False if there is none.
bool EXPORT(td_recording_file)(const tdRecording* recording, int asset, int file)
{
    wantedFile = file;
    tdRecording_VisitFiles(recording, asset, PickFile, NULL);
    return wantedFile < 0;
}

// Replays

/// A replay with its report.
typedef struct Replay
{
    tdReplay* replay;
    tdReport* report;
} Replay;

void EXPORT(td_replay_destroy)(Replay* replay)
{
    tdDestroyReplay(replay->replay);
    tdDestroyReport(replay->report);
    free(replay);
}

Replay* EXPORT(td_replay_create)(const tdRecording* recording)
{
    Replay* replay = calloc(1, sizeof(Replay));
    if (replay == NULL)
    {
        return NULL;
    }
    tdReplayDef def = tdDefaultReplayDef();
    def.limits = GetNextLimits();
    replay->report = tdCreateReport(NULL);
    replay->replay = tdCreateReplay(recording, &def, replay->report);
    if (replay->report == NULL || replay->replay == NULL)
    {
        td_replay_destroy(replay);
        return NULL;
    }
    return replay;
}

tdStage* EXPORT(td_replay_stage)(const Replay* replay)
{
    return tdReplay_GetStage(replay->replay);
}

/// Makes a step. After a failure its findings are those of the last call; a difference is in the
/// BodyDifference record.
int EXPORT(td_replay_step)(Replay* replay)
{
    tdBodyDifference difference = {0};
    tdReplayResult result = tdReplay_Step(replay->replay, &difference);
    if (result == TD_REPLAY_FAILED && replay->report != NULL)
    {
        // A replay that failed reports nothing more.
        AdoptReport(replay->report);
        replay->report = NULL;
    }
    if (result == TD_REPLAY_DIFFERS)
    {
        BodyDifferenceRecord* r = GET_RECORD(BodyDifference);
        r->step = (double)difference.step;
        r->body = difference.body;
        r->actor = difference.actor;
        r->node = difference.node;
        r->name = PutAddress(difference.name);
        PutVec3(r->recordedPosition, difference.a.position);
        PutQuat(r->recordedRotation, difference.a.rotation);
        PutVec3(r->repeatedPosition, difference.b.position);
        PutQuat(r->repeatedRotation, difference.b.rotation);
    }
    return result;
}

int EXPORT(td_replay_actor_count)(const Replay* replay)
{
    return tdReplay_GetActorCount(replay->replay);
}

/// Address of an actor, as events have it; NULL if it was destroyed.
const tdActor* EXPORT(td_replay_actor)(const Replay* replay, int index)
{
    return tdReplay_GetActor(replay->replay, index);
}

/// The asset of an actor that exists. It belongs to the replay.
const tdAsset* EXPORT(td_replay_asset)(const Replay* replay, int index)
{
    return tdActor_GetAsset(tdReplay_GetActor(replay->replay, index));
}

/// Makes the record of an actor that exists, to be freed with td_actor_free. NULL when memory ran out.
Actor* EXPORT(td_replay_wrap_actor)(const Replay* replay, int index)
{
    tdActorDef def = tdReplay_GetActorDef(replay->replay, index);
    return WrapActor(tdReplay_GetActor(replay->replay, index), def.scene, def.enablePhysics);
}
