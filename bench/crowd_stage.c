// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds and times stages full of actors.
#include "crowd_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEPS_PER_TURN 6
#define MIN_TURNS 8

tdCrowdOptions tdReadCrowdOptions(int argc, char** argv)
{
    tdCrowdOptions options = {.actorCount = 1000, .threads = 2};
    for (int i = 1; i + 1 < argc; i += 2)
    {
        options.actorCount = strcmp(argv[i], "--actors") == 0 ? atoi(argv[i + 1]) : options.actorCount;
        options.threads = strcmp(argv[i], "--threads") == 0 ? atoi(argv[i + 1]) : options.threads;
        options.folder = strcmp(argv[i], "--write") == 0 ? argv[i + 1] : options.folder;
    }
    return options;
}

double tdBenchNow(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool tdWriteBenchAsset(const tdAsset* asset, const char* folder, const char* name)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    size_t size = 0;
    void* data = tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, &size, NULL);
    FILE* file = data != NULL ? fopen(path, "wb") : NULL;
    bool written = file != NULL && fwrite(data, 1, size, file) == size;
    written = file != NULL && fclose(file) == 0 && written;
    tdFreeSaved(data, size, NULL);
    return written;
}

tdStage* tdMakeCrowdStage(const tdAsset* avatar, const tdClip* clip, int actorCount, const tdTasks* tasks,
                          bool enableConstraints)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.tasks = tasks;
    tdStage* stage = tdCreateStage(&stageDef);
    tdActorDef def = tdDefaultActorDef();
    def.enableConstraints = enableConstraints;
    def.enablePhysics = false;
    for (int i = 0; i < actorCount; ++i)
    {
        tdPlayDef play = tdDefaultPlayDef();
        play.loop = true;
        play.start = 0.001f * (float)(i % 1000);
        tdActor_Play(tdCreateActor(stage, avatar, &def, NULL), clip, &play);
    }
    return stage;
}

void tdMeasureStages(tdStage* const* stages, int count, double budget, double* seconds)
{
    double end = tdBenchNow() + budget;
    for (int turn = 0; turn < MIN_TURNS || tdBenchNow() < end; ++turn)
    {
        for (int s = 0; s < count; ++s)
        {
            seconds[s] = turn == 0 ? 1e9 : seconds[s];
            for (int i = 0; i < STEPS_PER_TURN; ++i)
            {
                double start = tdBenchNow();
                tdStage_Step(stages[s]);
                double passed = tdBenchNow() - start;
                seconds[s] = i > 0 && passed < seconds[s] ? passed : seconds[s];
            }
        }
    }
}
