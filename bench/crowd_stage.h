// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages full of actors that play one clip, and their timing; shared by bench_constraints and bench_humanoid.
#pragma once

#include "tendon/stage.h"

/// Options of both programs: [--actors N] [--threads N] [--write FOLDER].
typedef struct tdCrowdOptions
{
    int actorCount;     // 1000
    int threads;        // 2
    const char* folder; // NULL: write nothing
} tdCrowdOptions;

tdCrowdOptions tdReadCrowdOptions(int argc, char** argv);

/// Seconds of a monotonic clock.
double tdBenchNow(void);

/// Writes an asset as FOLDER/NAME, a GLB file.
bool tdWriteBenchAsset(const tdAsset* asset, const char* folder, const char* name);

/// A stage of actors without physics, each at its own time of the looping clip.
tdStage* tdMakeCrowdStage(const tdAsset* avatar, const tdClip* clip, int actorCount, const tdTasks* tasks,
                          bool enableConstraints);

/// Seconds of the fastest step of each stage. The stages take turns, so that disturbances affect all of them;
/// a turn is a few steps, so that threads and caches are warm in all but its first.
/// @param budget seconds after which no more turns begin
void tdMeasureStages(tdStage* const* stages, int count, double budget, double* seconds);
