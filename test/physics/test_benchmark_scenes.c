// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the accuracy of the benchmark scenes, without which their times mean nothing. No body is lost, the
// pyramid stands, overlap and joint errors stay within their limits, a warm step allocates nothing, and two
// workers give the bits of one.
//
// Labels: soak threads
#include "harness.h"

#include "base/platform.h"
#include "scenes/joint_drift.h"
#include "scenes/penetration.h"

#include <stdlib.h>

typedef struct Count
{
    size_t bytes;
} Count;

static void* Allocate(void* context, size_t size, size_t alignment)
{
    ((Count*)context)->bytes += size;
    alignment = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    return tdPlatform_Allocate(size, alignment);
}

static void Release(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    tdPlatform_Free(memory);
}

typedef struct Bounds
{
    const char* name;
    double p99;                 // m
    double jointMean, jointMax; // m
    double topHeight;           // of the highest body, at least
} Bounds;

static void RunScene(const Bounds* bounds)
{
    tdSetup* setup = tdCreateSetup(bounds->name);
    Count count = {0};
    const tdAllocator allocator = {Allocate, Release, &count};
    tdWorldDef def = tdDefaultWorldDef();
    def.allocator = &allocator;
    tdSetupWorld instance = tdInstantiateSetup(setup, &def);
    tdTransform* poses = malloc((size_t)setup->bodyCount * sizeof(tdTransform));
    tdJointErrors errors = {0, 0, 0};
    size_t warm = 0;
    for (int step = 0; step <= setup->stepCount; ++step)
    {
        if (step == setup->windowStart)
        {
            warm = count.bytes;
        }
        if (step == setup->stepCount || (step >= setup->windowStart && (step - setup->windowStart) % 20 == 0))
        {
            for (int i = 0; i < setup->bodyCount; ++i)
            {
                poses[i] = tdBody_GetTransform(instance.world, instance.bodies[i]);
            }
            tdMeasureJointErrors(setup, poses, &errors);
        }
        if (step < setup->stepCount)
        {
            tdSetupWorld_Step(&instance);
        }
    }
    int lost = 0;
    double top = -HUGE_VAL;
    for (int i = 0; i < setup->bodyCount; ++i)
    {
        bool isDynamic = setup->bodies[i].motion == TD_MOTION_DYNAMIC;
        lost += isDynamic && !(poses[i].position.y > setup->floorHeight);
        top = isDynamic ? fmax(top, (double)poses[i].position.y) : top;
    }
    tdPenetration penetration = tdMeasurePenetration(setup, poses);
    double mean = errors.count > 0 ? errors.sum / errors.count : 0;
    printf("%s: overlap p50 %.1f p99 %.1f max %.1f mm, joints %.2f (%.1f) mm, %zu bytes in warm steps\n",
           bounds->name, 1e3 * penetration.p50, 1e3 * penetration.p99, 1e3 * penetration.max, 1e3 * mean,
           1e3 * errors.max, count.bytes - warm);
    ENSURE_EQUAL_INT(lost, 0);
    ENSURE(penetration.p99 <= bounds->p99);
    ENSURE(mean <= bounds->jointMean);
    ENSURE(errors.max <= bounds->jointMax);
    ENSURE(top >= bounds->topHeight);
    ENSURE_EQUAL_INT(count.bytes - warm, 0);
    tdDestroySetupWorld(&instance);
    free(poses);
    tdDestroySetup(setup);
}

// Limits: the results of the most accurate engine of the same method on the same scene (docs/benchmarks.md).
TEST(PyramidStandsWithinItsBounds)
{
    RunScene(&(Bounds){"pyramid", 0.010, 0, 0, 59});
}

TEST(PileStaysWithinItsBounds)
{
    RunScene(&(Bounds){"pile", 0.024, 0, 0, 1});
}

TEST(JointGridStaysWithinItsBounds)
{
    RunScene(&(Bounds){"jointgrid", 0, 0.002, 0.010, -100});
}

TEST(RagdollsStayWithinTheirBounds)
{
    RunScene(&(Bounds){"ragdolls", 0.009, 0.00025, 0.005, -1});
}

TEST(WasherStaysWithinItsBounds)
{
    RunScene(&(Bounds){"washer", 0.049, 0, 0, -8});
}

TEST(TwoWorkersGiveTheBitsOfOne)
{
    const char* const names[3] = {"pyramid", "ragdolls", "washer"};
    const tdTasks* threads = tdCreateThreads(2);
    for (int i = 0; i < 3; ++i)
    {
        tdSetup* setup = tdCreateSetup(names[i]);
        setup->stepCount = 60;
        tdWorldDef def = tdDefaultWorldDef();
        uint64_t one = tdRunSetup(setup, &def);
        def.tasks = threads;
        ENSURE(tdRunSetup(setup, &def) == one);
        def.tasks = NULL;
        def.simd = TD_SIMD_SSE2;
        ENSURE(tdRunSetup(setup, &def) == one);
        tdDestroySetup(setup);
    }
    tdDestroyThreads(threads);
}

TEST_MAIN(RUN(PyramidStandsWithinItsBounds) RUN(PileStaysWithinItsBounds) RUN(JointGridStaysWithinItsBounds)
              RUN(RagdollsStayWithinTheirBounds) RUN(WasherStaysWithinItsBounds)
                  RUN(TwoWorkersGiveTheBitsOfOne))
