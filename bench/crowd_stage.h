// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What bench_constraints and bench_humanoid share: stages full of actors that play one clip, timed beside
// each other.
#pragma once

#include "tendon/stage.h"

/// What both programs take: [--actors N] [--threads N] [--write FOLDER].
typedef struct tdCrowdOptions
{
    int actorCount;     // 1000
    int threads;        // 2
    const char* folder; // NULL: write nothing
} tdCrowdOptions;

tdCrowdOptions tdReadCrowdOptions(int argc, char** argv);

/// Seconds of a clock that never goes back.
double tdBenchNow(void);

/// Writes an asset as FOLDER/NAME, a GLB.
bool tdWriteBenchAsset(const tdAsset* asset, const char* folder, const char* name);

/// A stage of actors without physics, each at its own time of the looping clip.
tdStage* tdMakeCrowdStage(const tdAsset* avatar, const tdClip* clip, int actorCount, const tdTasks* tasks,
                          bool enableConstraints);

/// Seconds of the fastest step of each stage. The stages take turns, so that what disturbs one disturbs all;
/// a turn is a few steps, so that threads and caches are warm in all but its first.
/// @param budget seconds after which no more turns begin
void tdMeasureStages(tdStage* const* stages, int count, double budget, double* seconds);
