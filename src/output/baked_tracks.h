// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tracks: animation curves made from the log of a tape, one per node property that leaves its rest value,
// with as few keys as the tolerances allow.
#pragma once

#include "tape.h"

#include "base/arena.h"

/// Keys of one node property or material value. Times and values belong to the arena they were made in.
typedef struct tdBakedTrack
{
    int node; // or material value
    tdTrackKind kind;
    int width;    // floats per value
    int keyCount; // at least 1
    float* times;
    float* values;
} tdBakedTrack;

typedef struct tdBakedTracks
{
    tdBakedTrack* tracks; // by node, then by kind; material values last
    int count;
    int sampleCount; // values before the reduction
} tdBakedTracks;

/// A property gets a track if somewhere on the tape it is farther from the file's rest value than the
/// tolerance. Runs on `tasks` (may be NULL); the result does not depend on it.
/// @return false when memory ran out
bool tdTape_MakeTracks(const tdTape* tape, const tdTasks* tasks, tdArena* arena, tdBakedTracks* list);
/// Reports the material values that change on a tape and that no animation pointer can name.
void tdTape_ReportUnwrittenMaterials(const tdTape* tape, tdReport* report);
