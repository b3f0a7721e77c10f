// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A replay: the stage, assets, clips and actors that a recording makes.
#pragma once

#include "recording.h"

#include "anim/clip.h"
#include "runtime/stage.h"

/// An asset of a recording. It reads the files it refers to from the recording.
typedef struct tdReplayAsset
{
    tdAsset* asset;
    tdRecordReader files; // names, sizes and bytes
} tdReplayAsset;

struct tdReplay
{
    const tdRecording* recording;
    tdAllocator allocator;
    const tdTasks* tasks;
    tdLimits limits;
    tdReport* report;
    tdStage* stage;
    tdArray(tdReplayAsset*) assets;  // by number
    tdArray(tdClip*) clips;          // likewise
    tdArray(tdGeometry*) geometries; // likewise
    tdArray(tdActor*) actors;        // likewise; NULL: destroyed
    tdArray(tdActorDef) actorDefs;   // likewise
    int part;                        // next part of the recording
    int64_t step;                    // steps made
    tdBodyTracks tracks;             // recorded transforms
    bool failed;
};
