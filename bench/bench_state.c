// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures saved states of worlds: bytes per body and contact point, packed ones and differences from the
// step before and from 8 steps before, and the time of a save, a load, a step, packing and unpacking.
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

static size_t Measure(const void* block, size_t size, const void* base, size_t baseSize, double* pack,
                      double* unpack)
{
    size_t packedSize = tdPackState(block, size, base, baseSize, NULL, 0);
    void *packed = malloc(packedSize), *back = malloc(size);
    for (int i = 0; i < 3 && packed != NULL && back != NULL; ++i)
    {
        double start = ReadMicroseconds();
        tdPackState(block, size, base, baseSize, packed, packedSize);
        double middle = ReadMicroseconds();
        if (tdUnpackState(packed, packedSize, base, baseSize, back, size) != size ||
            memcmp(back, block, size) != 0)
        {
            printf("unpacking failed\n");
        }
        double end = ReadMicroseconds();
        *pack = i == 0 || middle - start < *pack ? middle - start : *pack;
        *unpack = i == 0 || end - middle < *unpack ? end - middle : *unpack;
    }
    free(packed);
    free(back);
    return packedSize;
}

// Sizes of packed states, as shares of 200 B per body and 60 B per contact point, and of 80 and 16 B for
// differences.
static void MeasurePacked(tdSetupWorld* instance, double bound)
{
    tdWorld* world = instance->world;
    void* blocks[3] = {NULL, NULL, NULL}; // 8 steps ago, 1 step ago, now
    size_t sizes[3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < (i == 0 ? 0 : i == 1 ? 7 : 1); ++k)
        {
            tdSetupWorld_Step(instance);
        }
        sizes[i] = tdWorld_SaveState(world, NULL, 0);
        blocks[i] = malloc(sizes[i]);
        tdWorld_SaveState(world, blocks[i], blocks[i] != NULL ? sizes[i] : 0);
    }
    double least = 80.0 * tdWorld_GetStats(world).awakeBodyCount + 16.0 * CountPoints(instance);
    double pack = 0.0, unpack = 0.0;
    size_t whole = Measure(blocks[2], sizes[2], NULL, 0, &pack, &unpack);
    printf("           packed %9zu B (%.2f)  pack %7.0f  unpack %7.0f us", whole, (double)whole / bound, pack,
           unpack);
    for (int i = 1; i >= 0; --i)
    {
        size_t size = Measure(blocks[2], sizes[2], blocks[i], sizes[i], &pack, &unpack);
        printf("  %d step%s %9zu B (%.2f)  pack %7.0f  unpack %7.0f us", i == 1 ? 1 : 8, i == 1 ? "" : "s",
               size, (double)size / least, pack, unpack);
    }
    printf("\n");
    for (int i = 0; i < 3; ++i)
    {
        free(blocks[i]);
    }
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
    MeasurePacked(&instance, bound);
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
