// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures queries in a scene at rest: rays one by one and as a batch, shape casts, overlaps, closest points.
//
//     tendon_bench_queries [SCENE [STEPS [COUNT [THREADS]]]]
//
// Rays start on a grid above the scene (coherent) or at random places and go in random directions. Each line
// has the least time per query of five repetitions and the number of hits.
#include "scenes/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPEATS 5

static uint32_t randomState = 1;

static float NextFloat(float low, float high)
{
    randomState = randomState * 1664525u + 1013904223u;
    return low + (high - low) * (float)(randomState >> 8) / 16777216.0f;
}

// CPU time on one thread: other programs on the machine disturb it less than the clock.
static clockid_t clockKind = CLOCK_PROCESS_CPUTIME_ID;

static double ReadTime(void)
{
    struct timespec time;
    clock_gettime(clockKind, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

typedef struct QueryBench
{
    tdWorld* world;
    tdRay* rays;
    tdQueryHit *hits, *batch;
    int count;
    tdVec3 lower, upper; // of the scene
} QueryBench;

static void MakeRays(QueryBench* bench, bool isCoherent)
{
    tdVec3 a = bench->lower, b = bench->upper;
    int side = 1;
    while (side * side < bench->count)
    {
        side += 1;
    }
    for (int i = 0; i < bench->count; ++i)
    {
        tdRay* ray = &bench->rays[i];
        float u = ((float)(i % side) + 0.5f) / (float)side, v = ((float)(i / side) + 0.5f) / (float)side;
        if (isCoherent)
        {
            ray->origin = (tdVec3){a.x + (b.x - a.x) * u, b.y + 5.0f, a.z + (b.z - a.z) * v};
            ray->translation = (tdVec3){0.3f, -(b.y - a.y) - 10.0f, 0.2f};
        }
        else
        {
            ray->origin = (tdVec3){NextFloat(a.x, b.x), NextFloat(a.y, b.y + 1.0f), NextFloat(a.z, b.z)};
            ray->translation =
                (tdVec3){NextFloat(-20.0f, 20.0f), NextFloat(-6.0f, 6.0f), NextFloat(-20.0f, 20.0f)};
        }
    }
}

typedef int RunFcn(QueryBench* bench);

static int CastSingleRays(QueryBench* bench)
{
    int found = 0;
    for (int i = 0; i < bench->count; ++i)
    {
        found += tdWorld_CastRay(bench->world, bench->rays[i], NULL, &bench->hits[i]) ? 1 : 0;
    }
    return found;
}

static int CastRayBatch(QueryBench* bench)
{
    tdWorld_CastRays(bench->world, bench->rays, bench->count, NULL, bench->batch);
    int found = 0;
    for (int i = 0; i < bench->count; ++i)
    {
        found += bench->batch[i].shape.index1 != 0 ? 1 : 0;
    }
    return found;
}

static int CastSpheres(QueryBench* bench)
{
    int found = 0;
    tdQueryShape ball = tdMakeSphereQuery(0.2f);
    for (int i = 0; i < bench->count; ++i)
    {
        tdQueryHit hit;
        tdTransform start = {bench->rays[i].origin, {0.0f, 0.0f, 0.0f, 1.0f}};
        found +=
            tdWorld_CastShape(bench->world, &ball, start, bench->rays[i].translation, NULL, &hit) ? 1 : 0;
    }
    return found;
}

static int OverlapBoxes(QueryBench* bench)
{
    int found = 0;
    tdQueryShape box = tdMakeBoxQuery((tdVec3){0.8f, 0.8f, 0.8f});
    for (int i = 0; i < bench->count; ++i)
    {
        tdShapeId shapes[64];
        tdTransform place = {bench->rays[i].origin, {0.0f, 0.0f, 0.0f, 1.0f}};
        found += tdWorld_OverlapShape(bench->world, &box, place, NULL, shapes, 64);
    }
    return found;
}

static int FindPoints(QueryBench* bench)
{
    int found = 0;
    for (int i = 0; i < bench->count; ++i)
    {
        tdQueryPoint point;
        found += tdWorld_FindClosestPoint(bench->world, bench->rays[i].origin, 2.0f, NULL, &point) ? 1 : 0;
    }
    return found;
}

static void Measure(QueryBench* bench, const char* name, RunFcn* run)
{
    double least = 0.0;
    int found = 0;
    for (int i = 0; i < REPEATS; ++i)
    {
        double start = ReadTime();
        found = run(bench);
        double time = ReadTime() - start;
        least = i == 0 || time < least ? time : least;
    }
    printf("%-24s %8.1f ns  %d hits of %d\n", name, least / bench->count, found, bench->count);
}

int main(int argc, char** argv)
{
    const char* name = argc > 1 ? argv[1] : "pile";
    int steps = argc > 2 ? atoi(argv[2]) : 300, count = argc > 3 ? atoi(argv[3]) : 100000;
    int threads = argc > 4 ? atoi(argv[4]) : 1;
    clockKind = threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    tdSetup* setup = tdCreateSetup(name);
    if (setup == NULL || count < 1)
    {
        fprintf(stderr, "usage: %s [SCENE [STEPS [COUNT [THREADS]]]]\n", argv[0]);
        return 2;
    }
    const tdTasks* tasks = threads > 1 ? tdCreateThreads(threads) : NULL;
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    tdSetupWorld scene = tdInstantiateSetup(setup, &def);
    for (int i = 0; i < steps; ++i)
    {
        tdSetupWorld_Step(&scene);
    }
    size_t size = (size_t)count;
    QueryBench bench = {.world = scene.world,
                        .rays = malloc(size * sizeof(tdRay)),
                        .hits = malloc(size * sizeof(tdQueryHit)),
                        .batch = malloc(size * sizeof(tdQueryHit)),
                        .count = count};
    if (bench.rays == NULL || bench.hits == NULL || bench.batch == NULL)
    {
        return 1;
    }
    bench.lower = bench.upper = tdBody_GetTransform(scene.world, scene.bodies[setup->bodyCount - 1]).position;
    for (int i = 0; i < setup->bodyCount; ++i)
    {
        tdVec3 p = tdBody_GetTransform(scene.world, scene.bodies[i]).position;
        if (setup->bodies[i].motion == TD_MOTION_DYNAMIC)
        {
            bench.lower =
                (tdVec3){p.x < bench.lower.x ? p.x : bench.lower.x, p.y < bench.lower.y ? p.y : bench.lower.y,
                         p.z < bench.lower.z ? p.z : bench.lower.z};
            bench.upper =
                (tdVec3){p.x > bench.upper.x ? p.x : bench.upper.x, p.y > bench.upper.y ? p.y : bench.upper.y,
                         p.z > bench.upper.z ? p.z : bench.upper.z};
        }
    }
    for (int i = 0; i < 2; ++i)
    {
        MakeRays(&bench, i == 0);
        printf("%s, %s rays, %d threads\n", name, i == 0 ? "coherent" : "random", threads);
        Measure(&bench, "rays, single", CastSingleRays);
        Measure(&bench, "rays, batch", CastRayBatch);
        if (memcmp(bench.hits, bench.batch, size * sizeof(tdQueryHit)) != 0)
        {
            printf("the batch differs from the single calls\n");
            return 1;
        }
    }
    bench.count = count / 10 > 0 ? count / 10 : 1;
    Measure(&bench, "sphere casts", CastSpheres);
    Measure(&bench, "box overlaps", OverlapBoxes);
    Measure(&bench, "closest points", FindPoints);
    free(bench.rays);
    free(bench.hits);
    free(bench.batch);
    tdDestroySetupWorld(&scene);
    tdDestroySetup(setup);
    if (tasks != NULL)
    {
        tdDestroyThreads(tasks);
    }
    return 0;
}
