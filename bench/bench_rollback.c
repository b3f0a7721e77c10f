// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures rollback: the cost of undoing and repeating some steps, compared with as many plain ones.
//
//     tendon_bench_rollback [SCENE [STEPS [REPEATS]]]
//
// SCENE is a setup of test/scenes without hulls and filters, "all" for three of them (default). The stage
// runs 120 steps first. Then STEPS (default 8) plain steps, and STEPS steps that are undone and repeated with
// states kept, alternate REPEATS times (default 10) from the same state; times are the least of them.
#include "scenes/setup.h"

#include "tendon/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double ReadMicroseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

// A stage whose world is that of a setup. An empty world takes any block.
static tdStage* MakeStage(const tdSetup* setup)
{
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    size_t size = tdWorld_SaveState(instance.world, NULL, 0);
    void* block = malloc(size);
    tdStage* stage = tdCreateStage(NULL);
    bool isMade = block != NULL && tdWorld_SaveState(instance.world, block, size) == size &&
                  tdWorld_LoadState(tdStage_GetWorld(stage), block, size);
    free(block);
    tdDestroySetupWorld(&instance);
    if (!isMade)
    {
        tdDestroyStage(stage);
        stage = NULL;
    }
    return stage;
}

static void MeasureScene(const char* name, int steps, int repeats)
{
    tdSetup* setup = tdCreateSetup(name);
    tdStage* stage = setup != NULL ? MakeStage(setup) : NULL;
    if (stage == NULL)
    {
        printf("%s: no such scene, or it has hulls, meshes or filters\n", name);
        tdDestroySetup(setup);
        return;
    }
    for (int i = 0; i < 120; ++i)
    {
        tdStage_Step(stage);
    }
    tdHistory* history = tdCreateHistory(stage, 2 * steps);
    double plain = 1e30, rollback = 1e30;
    bool isGood = true;
    for (int i = 0; i < repeats && isGood; ++i)
    {
        for (int k = 0; k < steps; ++k)
        {
            isGood = isGood && tdHistory_Step(history, NULL, NULL);
        }
        double start = ReadMicroseconds();
        isGood = isGood && tdHistory_Rollback(history, steps, NULL, NULL);
        double end = ReadMicroseconds();
        rollback = end - start < rollback ? end - start : rollback;
        isGood = isGood && tdHistory_Undo(history, steps);
        start = ReadMicroseconds();
        for (int k = 0; k < steps; ++k)
        {
            isGood = isGood && tdStage_Step(stage);
        }
        end = ReadMicroseconds();
        plain = end - start < plain ? end - start : plain;
    }
    printf("%-10s %4d bodies  %d plain steps %9.1f us  rollback %9.1f us  ratio %.3f%s\n", name,
           tdWorld_GetStats(tdStage_GetWorld(stage)).bodyCount, steps, plain, rollback, rollback / plain,
           isGood ? "" : "  FAILED");
    tdDestroyHistory(history);
    tdDestroyStage(stage);
    tdDestroySetup(setup);
}

int main(int argc, char** argv)
{
    const char* name = argc > 1 ? argv[1] : "all";
    int steps = argc > 2 ? atoi(argv[2]) : 8, repeats = argc > 3 ? atoi(argv[3]) : 10;
    static const char* const names[3] = {"pyramid", "explosions", "motorrails"};
    for (int i = 0; i < 3; ++i)
    {
        if (strcmp(name, "all") == 0)
        {
            MeasureScene(names[i], steps, repeats);
        }
    }
    if (strcmp(name, "all") != 0)
    {
        MeasureScene(name, steps, repeats);
    }
    return 0;
}
