// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Generates random scenes, runs them and counts what must not happen, per category.
//
//   tendon_generator [--seed N] [--scenes N] [--category NAME] [--threads N] [--limit N] [--permit N]
//   tendon_generator --replay CATEGORY/SEED
//
// --scenes is the number per category, --limit that of printed scenes. A scene depends on its category and
// seed alone, so --replay repeats one of a longer run. Exits with 1 if a body escaped, tunnelled or was lost,
// a number is not finite or a state depends on threads or vector width (hard faults), or if more than
// --permit scenes (default 0) have any fault.
#include "categories.h"
#include "judge.h"

#include "base/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of this many scenes of a category one runs again with another thread count and vector width.
#define SCENES_PER_HASH 8

typedef struct Run
{
    const Category* category;
    uint32_t seed;
    Verdict verdict;
} Run;

typedef struct Options
{
    uint32_t seed;
    int sceneCount, threadCount, lineLimit;
    int permitted; // scenes that may have a soft fault
    const char* category;
    const char* replay;
} Options;

static uint32_t MixSeed(uint32_t seed, uint32_t category, uint32_t index)
{
    uint32_t h = seed * 0x9e3779b1u ^ (category + 1u) * 0x85ebca6bu ^ (index + 1u) * 0xc2b2ae35u;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

static void RunRange(void* task, int start, int end, int worker)
{
    (void)worker;
    Run* runs = task;
    tdWorldDef def = tdDefaultWorldDef();
    Scene* scene = malloc(sizeof(Scene));
    for (int i = start; i < end && scene != NULL; ++i)
    {
        CreateScene(runs[i].category, runs[i].seed, &def, scene);
        runs[i].verdict = JudgeScene(scene, false);
        DestroyScene(scene);
    }
    free(scene);
}

// Run some scenes again on two threads with the narrowest vectors.
static void CompareHashes(Run* runs, int count)
{
    const tdTasks* threads = tdCreateThreads(2);
    tdWorldDef def = tdDefaultWorldDef();
    def.simd = TD_SIMD_SCALAR;
    def.tasks = threads;
    Scene* scene = malloc(sizeof(Scene));
    for (int i = 0; i < count && scene != NULL; i += SCENES_PER_HASH)
    {
        CreateScene(runs[i].category, runs[i].seed, &def, scene);
        uint64_t hash = JudgeScene(scene, false).hash;
        DestroyScene(scene);
        if (hash != runs[i].verdict.hash)
        {
            runs[i].verdict.counts[FAULT_HASH] = 1;
            runs[i].verdict.steps[FAULT_HASH] = 0;
        }
    }
    free(scene);
    tdDestroyThreads(threads);
}

static void PrintRun(const Run* run)
{
    const Verdict* v = &run->verdict;
    printf("  %s/%08x:", run->category->name, (unsigned)run->seed);
    for (int i = 0; i < FAULT_COUNT; ++i)
    {
        if (v->counts[i] > 0)
        {
            const char* kind = v->kinds[i] != NULL ? v->kinds[i] : "";
            printf(" %s %d (step %d%s%s)", faultNames[i], v->counts[i], v->steps[i], kind[0] != 0 ? ", " : "",
                   kind);
        }
    }
    if (v->counts[FAULT_ENERGY] > 0)
    {
        printf("; gains %.3g J of %.3g J", v->energyGain, v->energyStart);
    }
    if (v->counts[FAULT_JOINT] > 0)
    {
        printf("; joint open by %.3g of the body", v->jointError);
    }
    printf("; fastest %.3g m/s\n", v->fastest);
}

// Whether a body was lost or a result is wrong, not only inaccurate.
static bool HasHardFault(const Verdict* verdict)
{
    static const Fault hard[] = {FAULT_ESCAPE, FAULT_TUNNEL, FAULT_LOST, FAULT_NAN, FAULT_HASH};
    int count = 0;
    for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); ++i)
    {
        count += verdict->counts[hard[i]];
    }
    return count > 0;
}

// @return number of scenes with a fault
static int PrintRuns(const Run* runs, int count, const Options* options)
{
    int badTotal = 0;
    printf("%-14s %6s %6s", "category", "scenes", "bad");
    for (int i = 0; i < FAULT_COUNT; ++i)
    {
        printf(" %8s", faultNames[i]);
    }
    printf("\n");
    for (int c = 0; c < CATEGORY_COUNT; ++c)
    {
        int sums[FAULT_COUNT] = {0}, scenes = 0, bad = 0;
        for (int i = 0; i < count; ++i)
        {
            if (runs[i].category != &categories[c])
            {
                continue;
            }
            scenes += 1;
            bad += Verdict_IsBad(&runs[i].verdict) ? 1 : 0;
            for (int k = 0; k < FAULT_COUNT; ++k)
            {
                sums[k] += runs[i].verdict.counts[k];
            }
        }
        if (scenes == 0)
        {
            continue;
        }
        printf("%-14s %6d %6d", categories[c].name, scenes, bad);
        for (int k = 0; k < FAULT_COUNT; ++k)
        {
            printf(" %8d", sums[k]);
        }
        printf("\n");
        badTotal += bad;
    }
    for (int c = 0; c < CATEGORY_COUNT; ++c)
    {
        int lines = 0;
        for (int i = 0; i < count && lines < options->lineLimit; ++i)
        {
            if (runs[i].category == &categories[c] && Verdict_IsBad(&runs[i].verdict))
            {
                PrintRun(&runs[i]);
                lines += 1;
            }
        }
    }
    return badTotal;
}

static int RunAll(const Options* options)
{
    Run* runs = calloc((size_t)(CATEGORY_COUNT * options->sceneCount), sizeof(Run));
    int count = 0;
    for (int c = 0; c < CATEGORY_COUNT && runs != NULL; ++c)
    {
        if (options->category != NULL && strcmp(options->category, categories[c].name) != 0)
        {
            continue;
        }
        for (int i = 0; i < options->sceneCount; ++i)
        {
            runs[count++] =
                (Run){.category = &categories[c], .seed = MixSeed(options->seed, (uint32_t)c, (uint32_t)i)};
        }
    }
    if (count == 0)
    {
        fprintf(stderr, "tendon_generator: no memory, or no category of that name\n");
        free(runs);
        return 2;
    }
    const tdTasks* threads = tdCreateThreads(options->threadCount);
    tdTasks_For(threads, RunRange, runs, count, 1);
    tdDestroyThreads(threads);
    CompareHashes(runs, count);
    printf("seed %u, %d scenes\n", (unsigned)options->seed, count);
    int bad = PrintRuns(runs, count, options);
    int hard = 0;
    for (int i = 0; i < count; ++i)
    {
        hard += HasHardFault(&runs[i].verdict) ? 1 : 0;
    }
    printf("%d of %d scenes have a fault, %d of them a hard one; %d soft ones are permitted\n", bad, count,
           hard, options->permitted);
    free(runs);
    return hard > 0 || bad > options->permitted ? 1 : 0;
}

static int ReplayScene(const char* name)
{
    const char* slash = strchr(name, '/');
    for (int c = 0; c < CATEGORY_COUNT && slash != NULL; ++c)
    {
        if (strlen(categories[c].name) != (size_t)(slash - name) ||
            strncmp(categories[c].name, name, (size_t)(slash - name)) != 0)
        {
            continue;
        }
        Run run = {.category = &categories[c], .seed = (uint32_t)strtoul(slash + 1, NULL, 16)};
        tdWorldDef def = tdDefaultWorldDef();
        Scene* scene = malloc(sizeof(Scene));
        if (scene == NULL)
        {
            return 2;
        }
        CreateScene(run.category, run.seed, &def, scene);
        printf("%s: %s; %d bodies, %d joints, %d steps of %.4g s, %d sub-steps\n", name,
               run.category->purpose, scene->bodyCount, scene->jointCount, scene->stepCount, scene->timeStep,
               scene->subStepCount);
        run.verdict = JudgeScene(scene, true);
        DestroyScene(scene);
        free(scene);
        CompareHashes(&run, 1);
        PrintRun(&run);
        return Verdict_IsBad(&run.verdict) ? 1 : 0;
    }
    fprintf(stderr, "tendon_generator: --replay takes CATEGORY/SEED, such as net/1a2b3c4d\n");
    return 2;
}

int main(int argc, char** argv)
{
    Options options = {.seed = 1, .sceneCount = 20, .threadCount = 2, .lineLimit = 10};
    for (int i = 1; i < argc; i += 2)
    {
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--seed") == 0)
        {
            options.seed = (uint32_t)strtoul(value, NULL, 0);
        }
        else if (strcmp(argv[i], "--scenes") == 0 && atoi(value) > 0)
        {
            options.sceneCount = atoi(value);
        }
        else if (strcmp(argv[i], "--threads") == 0)
        {
            options.threadCount = atoi(value);
        }
        else if (strcmp(argv[i], "--limit") == 0)
        {
            options.lineLimit = atoi(value);
        }
        else if (strcmp(argv[i], "--permit") == 0)
        {
            options.permitted = atoi(value);
        }
        else if (strcmp(argv[i], "--category") == 0)
        {
            options.category = value;
        }
        else if (strcmp(argv[i], "--replay") == 0)
        {
            options.replay = value;
        }
        else
        {
            fprintf(stderr, "usage: tendon_generator [--seed N] [--scenes N] [--category NAME] [--threads N] "
                            "[--limit N] [--permit N] [--replay CATEGORY/SEED]\n");
            return 2;
        }
    }
    return options.replay != NULL ? ReplayScene(options.replay) : RunAll(&options);
}
