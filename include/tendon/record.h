// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// record.h: recordings of a stage (.tdrec): every call that changes it, with the assets and clips it uses,
// and after every step the state hash and the transforms of the bodies that moved. A recording is replayed
// and verified anywhere, or compared with another one (docs/time.md).
#pragma once

#include "trace.h"

/// Version of the format. Recordings of other versions are refused.
#define TD_RECORDING_VERSION 2

/// Writes a recording of a stage. Used by the thread that uses the stage.
typedef struct tdRecorder tdRecorder;

/// Settings of a recorder. Start from tdDefaultRecorderDef.
typedef struct tdRecorderDef
{
    const char* build;            // text that identifies the program, copied; default NULL: none
    int64_t maximumAssetBytes;    // of a file with the files it refers to; default 256 MiB
    const tdAllocator* allocator; // copied, its context must outlive the recorder; default NULL: malloc
    uint32_t cookie;              // internal: set by tdDefaultRecorderDef
} tdRecorderDef;

/// Default settings of a recorder. Does not allocate.
TD_API tdRecorderDef tdDefaultRecorderDef(void);

/// Start to record a stage. The inputs of a step are written before the step is made, so a recording that a
/// crash cuts off can be replayed up to it. Recording does not change the motion.
/// @param stage without actors, bodies and steps; must outlive the recorder, as must the assets of its actors
/// @param def NULL for the defaults
/// @param write receives the bytes of the recording; once it returns false, nothing more is written
/// @param report receives the findings until the recorder is destroyed; may be NULL
/// @return the recorder, to be freed with tdDestroyRecorder; NULL if the stage is NULL, recorded already or
///         not new, the writer stopped, or memory ran out
TD_API tdRecorder* tdCreateRecorder(tdStage* stage, const tdRecorderDef* def, tdWriteFcn* write,
                                    void* context, tdReport* report);

/// Write the end of the recording. The stage is no longer recorded.
/// @return false if the recording is incomplete: the writer stopped, memory ran out, or an asset could not be
///         recorded (reported)
TD_API bool tdRecorder_Finish(tdRecorder* recorder);

/// Destroy a recorder. Without tdRecorder_Finish, the recording has no end and counts as cut off.
/// @param recorder may be NULL
TD_API void tdDestroyRecorder(tdRecorder* recorder);

/// A recording in memory. Immutable.
typedef struct tdRecording tdRecording;

/// Facts about a recording.
typedef struct tdRecordingInfo
{
    tdVersion version;  // of the library that recorded
    const char* build;  // tdRecorderDef.build, "" if none; belongs to the recording
    double stepRate;    // Hz
    int64_t stepCount;  // steps with a state hash
    int bodyCount;      // bodies that moved, counted by the greatest index
    int64_t assetBytes; // of all assets
    bool isComplete;    // false: it was cut off
} tdRecordingInfo;

/// Whether bytes start like a recording of any version.
TD_API bool tdIsRecording(const void* data, size_t size);

/// Load a recording. Everything but assets and the arguments of calls is validated. A recording that was cut
/// off is accepted up to its last complete part, with a warning.
/// @param data copied
/// @param allocator copied, its context must outlive the recording; NULL for malloc
/// @param report receives the findings; may be NULL
/// @return the recording, to be freed with tdDestroyRecording; NULL if it is damaged, of another version, or
///         memory ran out
TD_API tdRecording* tdLoadRecording(const void* data, size_t size, const tdAllocator* allocator,
                                    tdReport* report);

/// Destroy a recording. Destroy its replays first.
/// @param recording may be NULL
TD_API void tdDestroyRecording(tdRecording* recording);

/// Facts about a recording; zeros for NULL.
TD_API tdRecordingInfo tdRecording_GetInfo(const tdRecording* recording);

/// Number of files of actors in a recording.
TD_API int tdRecording_GetAssetCount(const tdRecording* recording);

/// Visit the file of an asset, with its name, then the files it refers to, with their URIs.
/// @param asset number of the asset, from 0
/// @return false if there is no such asset, its part of the recording is invalid, or `visit` returned false
TD_API bool tdRecording_VisitFiles(const tdRecording* recording, int asset, tdVisitFileFcn* visit,
                                   void* context);

/// First difference of a body between two runs.
typedef struct tdBodyDifference
{
    int64_t step; // of the recording, from 1
    int body;     // index of the body; -1: the states differ, but no body's transform does
    int actor,
        node; // of the body, actors counted in the order of their creation; -1: made by the application
    const char* name; // of the node, "" if unknown; belongs to the first recording
    tdTransform a, b; // last transforms in both runs
} tdBodyDifference;

/// Result of a comparison.
typedef struct tdRecordingComparison
{
    int64_t stepCount;   // compared: the lesser number
    int64_t inputStep;   // first step whose inputs differ; 0: none
    int64_t stateStep;   // first step whose state hashes differ; 0: none
    int differenceCount; // bodies that differ
} tdRecordingComparison;

/// Compare two recordings step by step. Allocates.
/// @param differences receives the first difference of at most `capacity` bodies, in the order in which they
///        occur; may be NULL if that is 0
/// @return false if a recording is NULL or memory ran out
TD_API bool tdCompareRecordings(const tdRecording* a, const tdRecording* b, tdBodyDifference* differences,
                                int capacity, tdRecordingComparison* comparison);

/// Repeats a recording. One thread at a time may use it.
typedef struct tdReplay tdReplay;

/// Settings of a replay. Start from tdDefaultReplayDef.
typedef struct tdReplayDef
{
    const tdAllocator* allocator; // copied, its context must outlive the replay; default NULL: malloc
    const tdTasks* tasks;         // must outlive the replay; default NULL: the caller's thread
    tdLimits limits;              // of assets and stage, default {0}: limits.h
    uint32_t cookie;              // internal: set by tdDefaultReplayDef
} tdReplayDef;

/// Default settings of a replay. Does not allocate.
TD_API tdReplayDef tdDefaultReplayDef(void);

/// Create a replay before the first step. Recordings may come from anywhere.
/// @param recording must outlive the replay
/// @param def NULL for the defaults
/// @param report receives the findings until the replay is destroyed; may be NULL
/// @return the replay, to be freed with tdDestroyReplay; NULL if the recording is NULL or memory ran out
TD_API tdReplay* tdCreateReplay(const tdRecording* recording, const tdReplayDef* def, tdReport* report);

/// Destroy a replay with its stage, actors and assets.
/// @param replay may be NULL
TD_API void tdDestroyReplay(tdReplay* replay);

/// Outcome of tdReplay_Step.
typedef enum tdReplayResult
{
    TD_REPLAY_SAME,    // the step was repeated to the bit
    TD_REPLAY_DIFFERS, // the step was repeated, and its state differs
    TD_REPLAY_END,     // there are no more steps
    TD_REPLAY_FAILED,  // the step could not be repeated (reported); the replay ends here
} tdReplayResult;

/// Apply the inputs of the next step and make it.
/// @param difference receives the first body that differs (a: recorded, b: repeated) with TD_REPLAY_DIFFERS;
///        may be NULL
TD_API tdReplayResult tdReplay_Step(tdReplay* replay, tdBodyDifference* difference);

/// Steps made so far.
TD_API int64_t tdReplay_GetStep(const tdReplay* replay);

/// Stage of a replay. It belongs to the replay.
TD_API tdStage* tdReplay_GetStage(tdReplay* replay);

/// An actor of the replay, counted in the order of creation; NULL if it does not exist (yet, or any more).
TD_API tdActor* tdReplay_GetActor(tdReplay* replay, int index);

/// Number of actors that were created so far, destroyed ones included.
TD_API int tdReplay_GetActorCount(const tdReplay* replay);

/// Settings with which an actor was created; the defaults if it does not exist (yet).
TD_API tdActorDef tdReplay_GetActorDef(const tdReplay* replay, int index);
