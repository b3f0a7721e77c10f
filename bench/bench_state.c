// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures saved states of worlds: bytes per body and contact point, and the time of a save, a load, a step.
//
//     tendon_bench_state [SCENE [STEPS [REPEATS]]]
//
// SCENE is a setup of test/scenes, "all" for S1 to S7 (default). The state is that after STEPS steps (default
// 120). Times are the least of REPEATS repetitions (default 20), which alternate.
#include "scenes/setup.h"

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

// Every contact is listed at both of its bodies.
static int CountPoints(const tdSetupWorld* instance)
{
    int points = 0;
    for (int i = 0; i < instance->setup->bodyCount; ++i)
    {
        int count = tdBody_GetContacts(instance->world, instance->bodies[i], NULL, 0);
        tdContactData* contacts = malloc((size_t)count * sizeof(tdContactData) + 1);
        tdBody_GetContacts(instance->world, instance->bodies[i], contacts, contacts != NULL ? count : 0);
        for (int j = 0; j < count && contacts != NULL; ++j)
        {
            points += contacts[j].pointCount;
        }
        free(contacts);
    }
    return points / 2;
}

static void MeasureScene(const char* name, int steps, int repeats)
{
    tdSetup* setup = tdCreateSetup(name);
    if (setup == NULL)
    {
        printf("no scene %s\n", name);
        return;
    }
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    for (int i = 0; i < steps; ++i)
    {
        tdSetupWorld_Step(&instance);
    }
    tdWorld* world = instance.world;
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(size);
    double save = 1e30, load = 1e30, step = 1e30;
    for (int i = 0; i < repeats && block != NULL; ++i)
    {
        double start = ReadMicroseconds();
        tdWorld_SaveState(world, block, size);
        double saved = ReadMicroseconds();
        tdSetupWorld_Step(&instance);
        double stepped = ReadMicroseconds();
        bool isLoaded = tdWorld_LoadState(world, block, size);
        double loaded = ReadMicroseconds();
        if (!isLoaded)
        {
            printf("%s: load failed\n", name);
            save = load = step = 0.0;
            break;
        }
        save = saved - start < save ? saved - start : save;
        step = stepped - saved < step ? stepped - saved : step;
        load = loaded - stepped < load ? loaded - stepped : load;
    }
    tdStepStats stats = tdWorld_GetStats(world);
    int points = CountPoints(&instance);
    double bound = 200.0 * stats.bodyCount + 60.0 * points;
    printf("%-10s %6d bodies %6d contacts %6d touching %6d points %9zu B (%.2f of 200 B per body + 60 B per "
           "point)"
           "  save %7.1f  load %7.1f  step %7.1f us\n",
           name, stats.bodyCount, stats.contactCount, stats.touchCount, points, size, (double)size / bound,
           save, load, step);
    free(block);
    tdDestroySetupWorld(&instance);
    tdDestroySetup(setup);
}

int main(int argc, char** argv)
{
    const char* name = argc > 1 ? argv[1] : "all";
    int steps = argc > 2 ? atoi(argv[2]) : 120, repeats = argc > 3 ? atoi(argv[3]) : 20;
    if (strcmp(name, "all") != 0)
    {
        MeasureScene(name, steps, repeats);
        return 0;
    }
    for (const tdSetupEntry* entry = tdBenchmarkSetups; entry->name != NULL; ++entry)
    {
        MeasureScene(entry->name, steps, repeats);
    }
    return 0;
}
