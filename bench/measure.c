// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs an engine on a scene and reports times and accuracy. The time of a step index is the minimum over the
// repetitions, because a step does the same work in each; the result is the median over the scene's window.
//
// See docs/decisions/080-measurement.md.
#include "measure.h"

#include "scenes/joint_drift.h"
#include "scenes/penetration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JOINT_SAMPLE_INTERVAL 20
/// Steps of a window of the whole run, and most windows that are printed.
#define WINDOW_STEPS 60
#define MAX_WINDOWS 20

typedef struct Result
{
    const char* simd;
    char simdText[16];
    int steps, dynamicBodies;
    double median, least, firstStep, buildTime; // ms
    double cpuMedian;                           // ms of CPU time, all threads
    double awake, asleep;                       // ms, of scenes with sleeping
    double wholeRun, slowest;                   // ms of all steps, and of the slowest one
    double windows[MAX_WINDOWS];                // ms per step in each window
    int windowCount;
    double destroyTime; // ms
    uint64_t liveBytes; // at the end of the run; 0: unknown
    uint64_t bytesInSteps, bytesWarmUp, hash;
    bool isRepeatable;
    double jointMean, jointMax; // m
    int lostBodies;
    double topHeight; // of the highest body's origin at the end
    tdPenetration penetration;
} Result;

static double ReadClock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static int CompareDoubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

// Median of values[from .. to).
static double Median(const double* values, int from, int to)
{
    if (to <= from)
    {
        return 0;
    }
    size_t count = (size_t)(to - from);
    double* sorted = malloc(count * sizeof(double));
    if (sorted == NULL)
    {
        abort();
    }
    memcpy(sorted, values + from, count * sizeof(double));
    qsort(sorted, count, sizeof(double), CompareDoubles);
    double median = count % 2 == 1 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
    free(sorted);
    return median;
}

static uint64_t HashPoses(const tdTransform* poses, int count)
{
    const unsigned char* bytes = (const unsigned char*)poses;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < (size_t)count * sizeof(tdTransform); ++i)
    {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static bool RunOnce(const tdBenchEngine* engine, const tdSetup* setup, const tdBenchOptions* options,
                    int repetition, double* times, double* cpuTimes, tdTransform* poses, Result* result)
{
    int steps = result->steps, windowStart = setup->windowStart < steps ? setup->windowStart : steps / 2;
    double start = ReadClock(CLOCK_MONOTONIC);
    void* instance = engine->create(setup, options);
    if (instance == NULL)
    {
        return false;
    }
    double built = ReadClock(CLOCK_MONOTONIC) - start;
    result->buildTime = repetition == 0 ? built : fmin(built, result->buildTime);
    tdJointErrors errors = {0, 0, 0};
    uint64_t bytesAtStart = 0, bytesAtWindow = 0;
    if (engine->getAllocatedBytes != NULL)
    {
        bytesAtStart = engine->getAllocatedBytes(instance);
    }
    for (int step = 0; step < steps; ++step)
    {
        if (step == windowStart && engine->getAllocatedBytes != NULL)
        {
            bytesAtWindow = engine->getAllocatedBytes(instance);
        }
        double cpuBefore = ReadClock(CLOCK_PROCESS_CPUTIME_ID);
        double before = ReadClock(CLOCK_MONOTONIC);
        engine->step(instance);
        double time = ReadClock(CLOCK_MONOTONIC) - before;
        double cpuTime = ReadClock(CLOCK_PROCESS_CPUTIME_ID) - cpuBefore;
        times[step] = repetition == 0 ? time : fmin(time, times[step]);
        cpuTimes[step] = repetition == 0 ? cpuTime : fmin(cpuTime, cpuTimes[step]);
        if (repetition == 0 && step >= windowStart && (step - windowStart) % JOINT_SAMPLE_INTERVAL == 0 &&
            setup->jointCount > 0)
        {
            engine->getPoses(instance, poses);
            tdMeasureJointErrors(setup, poses, &errors);
        }
    }
    engine->getPoses(instance, poses);
    uint64_t hash =
        engine->getStateHash != NULL ? engine->getStateHash(instance) : HashPoses(poses, setup->bodyCount);
    if (repetition == 0)
    {
        snprintf(result->simdText, sizeof(result->simdText), "%s", engine->getSimd(instance));
        result->simd = result->simdText;
        result->hash = hash;
        result->isRepeatable = true;
        result->jointMean = errors.count > 0 ? errors.sum / errors.count : 0;
        result->jointMax = errors.max;
        if (engine->getAllocatedBytes != NULL)
        {
            result->bytesWarmUp = bytesAtWindow - bytesAtStart;
            result->bytesInSteps = engine->getAllocatedBytes(instance) - bytesAtWindow;
        }
    }
    result->isRepeatable = result->isRepeatable && hash == result->hash;
    result->liveBytes = engine->getLiveBytes != NULL ? engine->getLiveBytes(instance) : 0;
    start = ReadClock(CLOCK_MONOTONIC);
    engine->destroy(instance);
    double destroyed = ReadClock(CLOCK_MONOTONIC) - start;
    result->destroyTime = repetition == 0 ? destroyed : fmin(destroyed, result->destroyTime);
    return true;
}

// Sums of the whole run and of its windows. On one thread they are CPU time, which other programs on the
// machine disturb less than the clock.
static void MeasureWholeRun(const double* times, Result* result)
{
    result->windowCount = (result->steps + WINDOW_STEPS - 1) / WINDOW_STEPS;
    result->windowCount = result->windowCount < MAX_WINDOWS ? result->windowCount : MAX_WINDOWS;
    for (int i = 0; i < result->steps; ++i)
    {
        int window = i / WINDOW_STEPS;
        result->wholeRun += times[i];
        result->slowest = fmax(result->slowest, times[i]);
        if (window < result->windowCount)
        {
            int left = result->steps - window * WINDOW_STEPS;
            result->windows[window] += times[i] / (left < WINDOW_STEPS ? left : WINDOW_STEPS);
        }
    }
}

static void CountBodies(const tdSetup* setup, const tdTransform* poses, Result* result)
{
    result->topHeight = -HUGE_VAL;
    for (int i = 0; i < setup->bodyCount; ++i)
    {
        if (setup->bodies[i].motion == TD_MOTION_DYNAMIC)
        {
            double height = (double)poses[i].position.y;
            result->dynamicBodies += 1;
            result->lostBodies += height < (double)setup->floorHeight || !isfinite(height);
            result->topHeight = fmax(result->topHeight, height);
        }
    }
}

static bool RunScene(const tdBenchEngine* engine, const tdSetup* setup, const tdBenchOptions* options,
                     Result* result)
{
    *result = (Result){.steps = options->steps > 0 ? options->steps : setup->stepCount};
    double* times = calloc((size_t)result->steps, sizeof(double));
    double* cpuTimes = calloc((size_t)result->steps, sizeof(double));
    tdTransform* poses = calloc((size_t)setup->bodyCount + 1, sizeof(tdTransform));
    if (times == NULL || cpuTimes == NULL || poses == NULL)
    {
        abort();
    }
    bool ran = true;
    for (int i = 0; i < options->repeat && ran; ++i)
    {
        ran = RunOnce(engine, setup, options, i, times, cpuTimes, poses, result);
    }
    if (ran)
    {
        int windowStart = setup->windowStart < result->steps ? setup->windowStart : result->steps / 2;
        result->median = Median(times, windowStart, result->steps);
        result->cpuMedian = Median(cpuTimes, windowStart, result->steps);
        result->least = times[windowStart];
        for (int i = windowStart; i < result->steps; ++i)
        {
            result->least = fmin(result->least, times[i]);
        }
        result->firstStep = times[0];
        MeasureWholeRun(options->threads == 1 ? cpuTimes : times, result);
        if (setup->enableSleep && result->steps >= 420)
        {
            result->awake = Median(times, 5, 25);
            result->asleep = Median(times, 360, 420);
        }
        CountBodies(setup, poses, result);
        if (!options->isQuick && !options->isWhole)
        {
            result->penetration = tdMeasurePenetration(setup, poses);
        }
    }
    free(times);
    free(cpuTimes);
    free(poses);
    return ran;
}

static void PrintJson(const tdBenchEngine* engine, const tdSetup* setup, const tdBenchOptions* options,
                      const Result* r)
{
    printf(
        "{\"engine\":\"%s\",\"version\":\"%s\",\"scene\":\"%s\",\"threads\":%d,\"simd\":\"%s\",\"bodies\":%d,"
        "\"joints\":%d,\"steps\":%d,\"repeat\":%d,\"ms_per_step_median\":%.5f,\"ms_per_step_min\":%.5f,\"ms_"
        "cpu_median\":%.5f,"
        "\"ms_first_step\":%.3f,\"ms_build\":%.3f,",
        engine->name, engine->version, setup->name, options->threads, r->simd, r->dynamicBodies,
        setup->jointCount, r->steps, options->repeat, r->median, r->least, r->cpuMedian, r->firstStep,
        r->buildTime);
    printf("\"bytes_live\":%" PRIu64 ",", r->liveBytes);
    printf("\"ms_destroy\":%.3f,\"ms_whole_run\":%.3f,\"ms_slowest_step\":%.3f,\"ms_windows\":[",
           r->destroyTime, r->wholeRun, r->slowest);
    for (int i = 0; i < r->windowCount; ++i)
    {
        printf("%s%.4f", i > 0 ? "," : "", r->windows[i]);
    }
    printf("],");
    if (r->awake > 0)
    {
        printf("\"ms_awake\":%.5f,\"ms_asleep\":%.5f,", r->awake, r->asleep);
    }
    if (engine->getAllocatedBytes != NULL)
    {
        printf("\"bytes_allocated_in_steps\":%" PRIu64 ",\"bytes_allocated_warm_up\":%" PRIu64 ",",
               r->bytesInSteps, r->bytesWarmUp);
    }
    else
    {
        printf("\"bytes_allocated_in_steps\":null,");
    }
    printf("\"state_hash\":\"%016" PRIx64 "\",\"repeatable\":%s,", r->hash,
           r->isRepeatable ? "true" : "false");
    if (!options->isQuick)
    {
        printf("\"touching_pairs\":%d,\"penetration_p50\":%.6f,\"penetration_p99\":%.6f,\"penetration_max\":%"
               ".6f,",
               r->penetration.pairCount, r->penetration.p50, r->penetration.p99, r->penetration.max);
    }
    printf("\"joint_error_mean\":%.6f,\"joint_error_max\":%.6f,\"lost_bodies\":%d,\"top_height\":%.4f}\n",
           r->jointMean, r->jointMax, r->lostBodies, r->topHeight);
}

static void PrintLine(const tdBenchEngine* engine, const tdSetup* setup, const tdBenchOptions* options,
                      const Result* r)
{
    printf("%-8s %-10s %dT %-6s  %9.3f ms (cpu %.3f, min %.3f, first %.1f)", engine->name, setup->name,
           options->threads, r->simd, r->median, r->cpuMedian, r->least, r->firstStep);
    if (r->awake > 0)
    {
        printf("  awake %.2f asleep %.4f", r->awake, r->asleep);
    }
    printf("  pen %.1f/%.1f (%.1f) mm", 1e3 * r->penetration.p50, 1e3 * r->penetration.p99,
           1e3 * r->penetration.max);
    if (setup->jointCount > 0)
    {
        printf("  drift %.2f (%.1f) mm", 1e3 * r->jointMean, 1e3 * r->jointMax);
    }
    printf("  lost %d  top %.2f  +%" PRIu64 " B  %016" PRIx64 "%s\n", r->lostBodies, r->topHeight,
           r->bytesInSteps, r->hash, r->isRepeatable ? "" : "  NOT REPEATABLE");
}

// The whole run: build, sum of all steps, slowest step, mean of each window, destruction.
static void PrintWholeRun(const tdBenchEngine* engine, const tdSetup* setup, const Result* r)
{
    printf(
        "%-8s %-12s build %.1f  run %.1f  slowest %.2f  destroy %.1f  lost %d  ms per step in windows of %d:",
        engine->name, setup->name, r->buildTime, r->wholeRun, r->slowest, r->destroyTime, r->lostBodies,
        WINDOW_STEPS);
    for (int i = 0; i < r->windowCount; ++i)
    {
        printf(" %.3f", r->windows[i]);
    }
    if (r->liveBytes > 0 && r->dynamicBodies > 0)
    {
        printf("  %.2f kB per body", 1e-3 * (double)r->liveBytes / r->dynamicBodies);
    }
    printf("  %016" PRIx64 "\n", r->hash);
}

static void PrintUsage(FILE* out, const char* program)
{
    fprintf(out,
            "usage: %s [--list] [--scene NAME] [--file PATH] [--threads N] [--repeat N] [--steps N] [--json] "
            "[--quick] [--whole]\n"
            "       [--set first|second] [--simd scalar|sse2|avx2]\n"
            "Runs the benchmark scenes and prints one line per run: time per step, accuracy and state hash.\n"
            "  --list       list the scenes\n"
            "  --scene      run one scene, benchmark or small test scene\n"
            "  --file       run a scene in text form (bench/README.md)\n"
            "  --threads    number of workers, default 1\n"
            "  --repeat     runs per scene, default 3; the minimum time of each step counts\n"
            "  --steps      number of steps, default from the scene\n"
            "  --whole      print build, whole run, slowest step and windows of 60 steps instead\n"
            "  --set        run all scenes of a set: first (S1 to S7, default) or second\n"
            "  --quick      skip the measurement of penetration\n"
            "  --simd       select a vector width\n"
            "  --json       print JSON lines\n",
            program);
}

static bool ParsePositive(const char* text, int* value)
{
    char* end = NULL;
    long number = text != NULL ? strtol(text, &end, 10) : 0;
    *value = (int)number;
    return text != NULL && end != text && *end == '\0' && number >= 1 && number <= 100000;
}

static bool ParseOptions(int argc, char** argv, tdBenchOptions* options, bool* list, bool* help)
{
    for (int i = 1; i < argc; ++i)
    {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool known = true, takesValue = true;
        if (strcmp(name, "--scene") == 0)
        {
            options->scene = value;
        }
        else if (strcmp(name, "--file") == 0)
        {
            options->file = value;
        }
        else if (strcmp(name, "--simd") == 0)
        {
            options->simd = value;
            known = value != NULL && (strcmp(value, "scalar") == 0 || strcmp(value, "sse2") == 0 ||
                                      strcmp(value, "avx2") == 0);
        }
        else if (strcmp(name, "--set") == 0)
        {
            options->isSecondSet = value != NULL && strcmp(value, "second") == 0;
            known = value != NULL && (options->isSecondSet || strcmp(value, "first") == 0);
        }
        else if (strcmp(name, "--threads") == 0)
        {
            known = ParsePositive(value, &options->threads);
        }
        else if (strcmp(name, "--repeat") == 0)
        {
            known = ParsePositive(value, &options->repeat);
        }
        else if (strcmp(name, "--steps") == 0)
        {
            known = ParsePositive(value, &options->steps);
        }
        else
        {
            takesValue = false;
            *list = *list || strcmp(name, "--list") == 0;
            *help = *help || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
            options->json = options->json || strcmp(name, "--json") == 0;
            options->isQuick = options->isQuick || strcmp(name, "--quick") == 0;
            options->isWhole = options->isWhole || strcmp(name, "--whole") == 0;
            known = strcmp(name, "--whole") == 0 || strcmp(name, "--list") == 0 ||
                    strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "--json") == 0 ||
                    strcmp(name, "--quick") == 0;
        }
        if (!known || (takesValue && value == NULL))
        {
            fprintf(stderr, "%s: invalid argument: %s%s%s\n", argv[0], name, value != NULL ? " " : "",
                    value != NULL ? value : "");
            return false;
        }
        i += takesValue;
    }
    return true;
}

static bool RunAndPrint(const tdBenchEngine* engine, tdSetup* setup, const tdBenchOptions* options)
{
    Result result;
    bool ran = RunScene(engine, setup, options, &result);
    if (!ran)
    {
        fprintf(stderr, "%s cannot run %s with these options\n", engine->name, setup->name);
    }
    else if (options->isWhole)
    {
        PrintWholeRun(engine, setup, &result);
    }
    else if (options->json)
    {
        PrintJson(engine, setup, options, &result);
    }
    else
    {
        PrintLine(engine, setup, options, &result);
    }
    fflush(stdout);
    return ran && result.isRepeatable;
}

int tdRunBench(const tdBenchEngine* engine, int argc, char** argv)
{
    tdBenchOptions options = {.threads = 1, .repeat = 3};
    bool list = false, help = false, fine = true;
    if (!ParseOptions(argc, argv, &options, &list, &help))
    {
        PrintUsage(stderr, argv[0]);
        return 2;
    }
    if (help)
    {
        PrintUsage(stdout, argv[0]);
        return 0;
    }
    if (list)
    {
        const tdSetupEntry* lists[] = {tdBenchmarkSetups, tdSecondSetups, tdSmallSetups};
        for (int i = 0; i < 3; ++i)
        {
            for (const tdSetupEntry* entry = lists[i]; entry->name != NULL; ++entry)
            {
                printf("%-12s %s\n", entry->name, entry->purpose);
            }
        }
        return 0;
    }
    if (options.scene == NULL && options.file == NULL)
    {
        for (const tdSetupEntry* entry = options.isSecondSet ? tdSecondSetups : tdBenchmarkSetups;
             entry->name != NULL; ++entry)
        {
            tdSetup* setup = tdCreateSetup(entry->name);
            fine = RunAndPrint(engine, setup, &options) && fine;
            tdDestroySetup(setup);
        }
        return fine ? 0 : 1;
    }
    tdSetup* setup = options.file != NULL ? tdReadSetup(options.file) : tdCreateSetup(options.scene);
    if (setup == NULL)
    {
        fprintf(stderr, "%s: no scene %s; --list shows them\n", argv[0],
                options.file != NULL ? options.file : options.scene);
        return 2;
    }
    fine = RunAndPrint(engine, setup, &options);
    tdDestroySetup(setup);
    return fine ? 0 : 1;
}
