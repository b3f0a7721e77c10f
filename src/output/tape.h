// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The tape: a log of the changes of an actor's pose between captures. Nodes at rest take no memory.
#pragma once

#include "base/array.h"
#include "scene/scene.h"

#include "tendon/bake.h"

typedef enum tdTrackKind
{
    TD_TRACK_TRANSLATION,
    TD_TRACK_ROTATION,
    TD_TRACK_SCALE,
    TD_TRACK_WEIGHTS,
    TD_TRACK_MATERIAL, // a material value of the humanoid; the others are properties of nodes
    TD_TRACK_KIND_COUNT
} tdTrackKind;

/// From frame `frame` on, `node` (or a material value) has this value. Weights are logged in `weightLog` from
/// `weightStart`.
typedef struct tdTapeEntry
{
    int node;
    int frame;
    union
    {
        float value[4];
        int weightStart;
    };
} tdTapeEntry;

struct tdTape
{
    tdAllocator allocator;
    const tdActor* actor;
    tdBakeDef def; // with the name below
    char* name;
    size_t nameSize;
    tdArray(float) times; // s from the first capture
    double startTime;
    tdArray(tdTapeEntry) logs[TD_TRACK_KIND_COUNT]; // in order of capture
    tdArray(float) weightLog;
    tdTrs* first; // pose of the first frame, by node
    tdTrs* last;  // pose of the last frame, by node
    float* firstWeights;
    float* lastWeights;
    float* firstMaterials; // four floats per material value
    float* lastMaterials;
    int nodeCount, weightCount;
    int materialCount; // material values; 0 unless tdBakeDef.animateMaterials
    bool failed;       // memory ran out: earlier frames are complete, no more are captured
};

/// Makes room for as many frames in total, if they change as much as those captured so far. Without memory
/// for it, room is made as frames are captured.
void tdTape_ExpectFrames(tdTape* tape, double frames);
/// Captures a given pose instead of the pose of the actor.
/// @param materials four floats per material value
bool tdTape_CapturePose(tdTape* tape, double time, const tdTrs* locals, const float* weights,
                        const float* materials);
