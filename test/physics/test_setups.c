// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the benchmark scenes: counts as documented, and bit-identical to the text form that other engines
// are measured with, where its generator is next to the project.
#include "harness.h"

#include "scenes/setup.h"

#include <stdlib.h>

TEST(CountsAreThoseOfTheDocumentedScenes)
{
    const struct
    {
        const char* name;
        int shapes, bodies, joints, steps, windowStart;
    } expected[] = {
        {"pyramid", 2, 1831, 0, 300, 100},      {"pile", 8, 2001, 0, 450, 300},
        {"jointgrid", 1, 3025, 5940, 300, 100}, {"ragdolls", 8, 1101, 1000, 600, 300},
        {"washer", 42, 1730, 0, 600, 300},      {"rain", 5, 10001, 0, 300, 150},
        {"sleepers", 2, 10001, 0, 420, 300},
    };
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); ++i)
    {
        tdSetup* setup = tdCreateSetup(expected[i].name);
        if (ENSURE(setup != NULL))
        {
            ENSURE_EQUAL_INT(setup->shapeCount, expected[i].shapes);
            ENSURE_EQUAL_INT(setup->bodyCount, expected[i].bodies);
            ENSURE_EQUAL_INT(setup->jointCount, expected[i].joints);
            ENSURE_EQUAL_INT(setup->stepCount, expected[i].steps);
            ENSURE_EQUAL_INT(setup->windowStart, expected[i].windowStart);
            tdDestroySetup(setup);
        }
    }
    ENSURE(tdCreateSetup("no such scene") == NULL);
}

// Bytes are compared, except that -0 and 0 are equal: the text form has both.
static bool SameFloats(const void* a, const void* b, size_t count)
{
    const float *x = a, *y = b;
    for (size_t i = 0; i < count; ++i)
    {
        if (memcmp(&x[i], &y[i], sizeof(float)) != 0 && !(x[i] == 0.0f && y[i] == 0.0f))
        {
            printf("float %zu: %.9g and %.9g\n", i, (double)x[i], (double)y[i]);
            return false;
        }
    }
    return true;
}

static void CompareShapes(const tdSetup* a, const tdSetup* b)
{
    for (int i = 0; i < a->shapeCount; ++i)
    {
        const tdSetupShape *x = &a->shapes[i], *y = &b->shapes[i];
        ENSURE(x->kind == y->kind && x->pointCount == y->pointCount && x->triangleCount == y->triangleCount);
        ENSURE(SameFloats(&x->size, &y->size, 3));
    }
    ENSURE_EQUAL_INT(a->pointCount, b->pointCount);
    ENSURE_EQUAL_INT(a->triangleCount, b->triangleCount);
    ENSURE(a->pointCount != b->pointCount || SameFloats(a->points, b->points, 3 * (size_t)a->pointCount));
    ENSURE(a->triangleCount != b->triangleCount || a->triangleCount == 0 ||
           memcmp(a->triangles, b->triangles, (size_t)a->triangleCount * sizeof(a->triangles[0])) == 0);
}

static void CompareBodies(const tdSetup* a, const tdSetup* b)
{
    bool same = a->partCount == b->partCount;
    for (int i = 0; i < a->bodyCount && same; ++i)
    {
        const tdSetupBody *x = &a->bodies[i], *y = &b->bodies[i];
        same = x->motion == y->motion && x->category == y->category && x->mask == y->mask &&
               x->firstPart == y->firstPart && x->partCount == y->partCount &&
               SameFloats(&x->density, &y->density, 4) && SameFloats(&x->transform, &y->transform, 7) &&
               SameFloats(&x->linearVelocity, &y->linearVelocity, 6);
        ENSURE(same);
    }
    for (int i = 0; i < a->partCount && same; ++i)
    {
        same =
            a->parts[i].shape == b->parts[i].shape && SameFloats(&a->parts[i].local, &b->parts[i].local, 7);
        ENSURE(same);
    }
}

static void CompareJoints(const tdSetup* a, const tdSetup* b)
{
    bool same = true;
    for (int i = 0; i < a->jointCount && same; ++i)
    {
        const tdSetupJoint *x = &a->joints[i], *y = &b->joints[i];
        same = x->kind == y->kind && x->bodyA == y->bodyA && x->bodyB == y->bodyB &&
               SameFloats(&x->frameA, &y->frameA, 14) && SameFloats(&x->cone, &y->cone, 3);
        ENSURE(same);
    }
}

TEST(ScenesEqualTheirTextFormBitForBit)
{
#if !defined(_WIN32) // runs a script
    FILE* generator = fopen("../shared/scenes/gen.py", "rb");
    if (generator == NULL)
    {
        printf("no generator beside the project: text forms not compared\n");
        return;
    }
    fclose(generator);
    char folder[] = "/tmp/tendon_setups_XXXXXX", command[256];
    if (!ENSURE(mkdtemp(folder) != NULL))
    {
        return;
    }
    snprintf(command, sizeof(command), "python3 ../shared/scenes/gen.py %s > %s/log", folder, folder);
    if (ENSURE_EQUAL_INT(system(command), 0))
    {
        for (const tdSetupEntry* entry = tdBenchmarkSetups; entry->name != NULL; ++entry)
        {
            char path[256];
            snprintf(path, sizeof(path), "%s/%s.txt", folder, entry->name);
            tdSetup *ours = tdCreateSetup(entry->name), *read = tdReadSetup(path);
            if (ENSURE(read != NULL) && ENSURE_EQUAL_INT(ours->shapeCount, read->shapeCount) &&
                ENSURE_EQUAL_INT(ours->bodyCount, read->bodyCount) &&
                ENSURE_EQUAL_INT(ours->jointCount, read->jointCount))
            {
                ENSURE_EQUAL_TEXT(ours->name, read->name);
                ENSURE(SameFloats(&ours->timeStep, &read->timeStep, 4));
                ENSURE(ours->stepCount == read->stepCount && ours->windowStart == read->windowStart);
                ENSURE(ours->enableSleep == read->enableSleep);
                CompareShapes(ours, read);
                CompareBodies(ours, read);
                CompareJoints(ours, read);
            }
            tdDestroySetup(ours);
            tdDestroySetup(read);
        }
    }
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ENSURE_EQUAL_INT(system(command), 0);
#endif
}

TEST_MAIN(RUN(CountsAreThoseOfTheDocumentedScenes) RUN(ScenesEqualTheirTextFormBitForBit))
