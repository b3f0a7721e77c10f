// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs a scene with or without a recorder, for measuring what recording costs, and prints the size of the
// recording.
//
//     tendon_bench_record SCENE STEPS on|off
//
// SCENE is a setup of test/scenes without hulls and filters. Count the instructions of both runs and of one
// with 0 steps: (on - off) / (off - off of 0 steps) is the part of a step that recording adds.
#include "scenes/setup.h"

#include "tendon/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool CountBytes(void* context, const char* bytes, size_t size)
{
    (void)bytes;
    *(size_t*)context += size;
    return true;
}

// Gives the world of a stage the state of a setup. An empty world takes any block.
static bool LoadSetup(tdStage* stage, const tdSetup* setup)
{
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    size_t size = tdWorld_SaveState(instance.world, NULL, 0);
    void* block = malloc(size);
    bool isMade = block != NULL && tdWorld_SaveState(instance.world, block, size) == size &&
                  tdWorld_LoadState(tdStage_GetWorld(stage), block, size);
    free(block);
    tdDestroySetupWorld(&instance);
    return isMade;
}

int main(int argc, char** argv)
{
    tdSetup* setup = argc == 4 ? tdCreateSetup(argv[1]) : NULL;
    int steps = argc == 4 ? atoi(argv[2]) : 0;
    size_t byteCount = 0;
    tdStage* stage = tdCreateStage(NULL);
    bool isOn = argc == 4 && strcmp(argv[3], "on") == 0;
    tdRecorder* recorder = isOn ? tdCreateRecorder(stage, NULL, CountBytes, &byteCount, NULL) : NULL;
    bool isGood = setup != NULL && LoadSetup(stage, setup);
    double moved = 0.0;
    for (int i = 0; i < steps && isGood; ++i)
    {
        int count = 0;
        isGood = tdStage_Step(stage);
        tdWorld_GetMovedBodies(tdStage_GetWorld(stage), &count);
        moved += count;
    }
    printf("%s: %d steps, %.0f bodies moved per step, %zu bytes, %.1f per moved body\n",
           isGood ? argv[1] : "usage: tendon_bench_record SCENE STEPS on|off", steps,
           steps > 0 ? moved / steps : 0.0, byteCount, moved > 0.0 ? (double)byteCount / moved : 0.0);
    tdRecorder_Finish(recorder);
    tdDestroyRecorder(recorder);
    tdDestroyStage(stage);
    tdDestroySetup(setup);
    return isGood ? 0 : 1;
}
