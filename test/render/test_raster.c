// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of rasterisation: triangles that share edges cover every sample once, and clipping keeps what is
// inside.
#include "harness.h"

#include "render/raster.h"

#include <float.h>

enum
{
    SIDE = 64
};

static float depths[SIDE * SIDE];
static int counts[SIDE * SIDE];

// Counts how often each sample is covered; refusing it keeps the depth test out of the way.
static bool CountSample(const void* context, const tdScreenTriangle* triangle, int x, int y)
{
    (void)context;
    (void)triangle;
    counts[y * SIDE + x] += 1;
    return false;
}

static tdScreenTriangles MakeTriangles(void)
{
    return (tdScreenTriangles){.width = SIDE, .height = SIDE, .nearest = 0.1f};
}

static void FreeTriangles(tdScreenTriangles* triangles, const tdAllocator* allocator)
{
    tdArray_Free(allocator, &triangles->list);
    tdArray_Free(allocator, &triangles->cuts);
}

static void Clear(void)
{
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        depths[i] = -FLT_MAX;
    }
}

// A fan around points, also ones that lie on samples, covers the picture without gaps or overlaps.
TEST(FansCoverEverySampleOnce)
{
    static const float centres[][2] = {
        {0.013f, -0.21f}, {0.0f, 0.0f}, {1.0f / 64, -1.0f / 64}, {0.5f, 0.25f}};
    static const float corners[][2] = {{-1.5f, -1.25f}, {1.5f, -1.5f}, {1.25f, 1.5f}, {-1.5f, 1.5f}};
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (int c = 0; c < 4; ++c)
    {
        tdScreenTriangles triangles = MakeTriangles();
        for (int i = 0; i < 4; ++i)
        {
            const float *a = corners[i], *b = corners[(i + 1) % 4];
            tdViewVertex vertices[3] = {{centres[c][0], centres[c][1], 1.0f, 0.0f},
                                        {a[0], a[1], 1.0f, 0.0f},
                                        {b[0], b[1], 1.0f, 0.0f}};
            ENSURE(tdScreenTriangles_Add(&triangles, &allocator, vertices, (uint32_t)i, false));
        }
        Clear();
        tdRasterize(&triangles, 0, SIDE, depths, NULL, CountSample, NULL);
        int wrong = 0;
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            wrong += counts[i] != 1 ? 1 : 0;
        }
        ENSURE_EQUAL_INT(wrong, 0);
        FreeTriangles(&triangles, &allocator);
    }
}

TEST(BacksAreCulled)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdScreenTriangles triangles = MakeTriangles();
    tdViewVertex back[3] = {{0.0f, 0.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 1.0f, 0.0f}, {1.0f, 0.0f, 1.0f, 0.0f}};
    ENSURE(tdScreenTriangles_Add(&triangles, &allocator, back, 0, false));
    ENSURE_EQUAL_INT(triangles.list.count, 0);
    ENSURE(tdScreenTriangles_Add(&triangles, &allocator, back, 0, true));
    ENSURE_EQUAL_INT(triangles.list.count, 1);
    FreeTriangles(&triangles, &allocator);
}

// A plane below the camera that reaches far behind it and to the horizon covers the lower half, and its
// depth and corner weights are right.
TEST(LargeTrianglesAreCut)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdScreenTriangles triangles = MakeTriangles();
    const float far = 1.0e6f;
    // View space: y = -1, w along the view.
    tdViewVertex plane[3] = {{-far, -1.0f, -far, 0.0f}, {far, -1.0f, -far, 0.0f}, {0.0f, -1.0f, far, 0.0f}};
    ENSURE(tdScreenTriangles_Add(&triangles, &allocator, plane, 7, true));
    ENSURE(triangles.list.count >= 1);
    uint32_t ids[SIDE * SIDE] = {0};
    Clear();
    tdRasterize(&triangles, 0, SIDE, depths, ids, NULL, NULL);
    int covered = 0;
    for (int y = 0; y < SIDE; ++y)
    {
        covered += ids[y * SIDE + SIDE / 2] != 0 ? 1 : 0;
    }
    ENSURE_EQUAL_INT(covered, SIDE / 2);
    int x = 40, y = 50;
    double down = -(1.0 - 2.0 * (y + 0.5) / SIDE); // y / w of the sample
    ENSURE_NEAR(depths[y * SIDE + x], down, 1e-3);
    const tdScreenTriangle* triangle = &triangles.list.data[ids[y * SIDE + x] - 1];
    tdVec3 weights = tdGetCornerWeights(&triangles, triangle, x, y);
    ENSURE_NEAR(weights.x + weights.y + weights.z, 1.0, 1e-4);
    ENSURE_NEAR(weights.z, 0.5, 1e-3);
    ENSURE_EQUAL_INT(triangle->triangle, 7);
    FreeTriangles(&triangles, &allocator);
}

// The nearer triangle wins, whatever the order.
TEST(NearerTrianglesWin)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (int order = 0; order < 2; ++order)
    {
        tdScreenTriangles triangles = MakeTriangles();
        for (int i = 0; i < 2; ++i)
        {
            float w = (i == 0) == (order == 0) ? 1.0f : 2.0f;
            tdViewVertex corners[3] = {
                {-3 * w, -3 * w, w, 0.0f}, {3 * w, -3 * w, w, 0.0f}, {0.0f, 3 * w, w, 0.0f}};
            tdScreenTriangles_Add(&triangles, &allocator, corners, w == 1.0f ? 1 : 2, false);
        }
        uint32_t ids[SIDE * SIDE] = {0};
        Clear();
        tdRasterize(&triangles, 0, SIDE, depths, ids, NULL, NULL);
        ENSURE(ids[32 * SIDE + 32] > 0 && triangles.list.data[ids[32 * SIDE + 32] - 1].triangle == 1);
        FreeTriangles(&triangles, &allocator);
    }
}

TEST_MAIN(RUN(FansCoverEverySampleOnce) RUN(BacksAreCulled) RUN(LargeTrianglesAreCut) RUN(NearerTrianglesWin))
