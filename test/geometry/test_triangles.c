// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of cooked meshes: refusals, welding and neighbours, edge types, the BVH against testing every
// triangle, allocation failure, several workers, and a large mesh.
//
// Labels: threads
#include "harness.h"
#include "reference.h"

#include "base/memory.h"
#include "geometry/triangles.h"

#include <stdlib.h>

/// (n - 1)^2 quads with random heights.
static tdTriangles* CookGrid(int n, float bump, const tdAllocator* allocator, tdGeometryStatus* status)
{
    tdVec3* positions = malloc(sizeof(tdVec3) * (size_t)(n * n));
    uint32_t* indices = malloc(sizeof(uint32_t) * 6u * (size_t)((n - 1) * (n - 1)));
    for (int i = 0; i < n * n; ++i)
    {
        positions[i] = (tdVec3){(float)(i % n), RefBetween(0.0f, bump), (float)(i / n)};
    }
    int count = 0;
    for (int z = 0; z < n - 1; ++z)
    {
        for (int x = 0; x < n - 1; ++x)
        {
            uint32_t a = (uint32_t)(z * n + x), b = a + 1, c = a + (uint32_t)n, d = c + 1;
            uint32_t quad[6] = {a, c, b, b, c, d};
            memcpy(indices + count, quad, sizeof(quad));
            count += 6;
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = n * n;
    def.indices = indices;
    def.indexCount = count;
    def.allocator = allocator;
    tdTriangles* mesh = tdCookTriangles(&def, status);
    free(positions);
    free(indices);
    return mesh;
}

TEST(RefusesBadMeshes)
{
    tdVec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {2, 0, 0}};
    uint32_t indices[6] = {0, 1, 2, 0, 1, 3};
    tdMeshGeometryDef def = {.positions = positions, .positionCount = 4, .indices = indices, .indexCount = 0};
    tdGeometryStatus status;
    ENSURE(tdCookTriangles(&def, &status) == NULL && status == TD_GEOMETRY_TOO_FEW);
    def.indexCount = 5;
    ENSURE(tdCookTriangles(&def, &status) == NULL && status == TD_GEOMETRY_BAD_INDEX);
    def.indexCount = 6;
    indices[5] = 4;
    ENSURE(tdCookTriangles(&def, &status) == NULL && status == TD_GEOMETRY_BAD_INDEX);
    indices[5] = 3;
    positions[1].z = NAN;
    ENSURE(tdCookTriangles(&def, &status) == NULL && status == TD_GEOMETRY_NOT_FINITE);
    positions[1].z = 0.0f;
    // The second triangle has no area: it is dropped, the first one stays.
    tdTriangles* mesh = tdCookTriangles(&def, &status);
    ENSURE(status == TD_GEOMETRY_OK && mesh != NULL && mesh->triangleCount == 1 && mesh->sources[0] == 0);
    tdFreeTriangles(mesh, NULL);
    uint32_t line[3] = {0, 1, 3};
    def.indices = line;
    def.indexCount = 3;
    ENSURE(tdCookTriangles(&def, &status) == NULL && status == TD_GEOMETRY_TOO_FEW);
    def.indices = NULL;
    def.indexCount = 6;
    ENSURE(tdCookTriangles(&def, &status) == NULL && status == TD_GEOMETRY_BAD_INDEX);
    // Through the public handle.
    def.indices = indices;
    tdGeometry* geometry = tdCreateMeshGeometry(&def, &status);
    ENSURE(geometry != NULL && !tdGeometry_IsHull(geometry) && !tdGeometry_IsClosed(geometry));
    ENSURE_EQUAL_INT(tdGeometry_GetFaceCount(geometry), 1);
    tdDestroyGeometry(geometry);
    tdDestroyGeometry(NULL);
}

TEST(EdgesHaveTheirNeighbours)
{
    // A roof, a valley and a flat strip as separate triangles with coincident corners: x = 0..4, folded along
    // z.
    const float heights[5] = {0.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    tdVec3 corners[24];
    int count = 0;
    for (int i = 0; i < 4; ++i)
    {
        tdVec3 a = {(float)i, heights[i], 0}, b = {(float)i + 1, heights[i + 1], 0},
               c = {(float)i, heights[i], 1};
        tdVec3 d = {(float)i + 1, heights[i + 1], 1};
        tdVec3 quad[6] = {a, c, b, b, c, d};
        memcpy(corners + count, quad, sizeof(quad));
        count += 6;
    }
    tdMeshGeometryDef def = {.positions = corners, .positionCount = count, .indexCount = count};
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    ENSURE_EQUAL_INT(mesh->vertexCount, 10);
    ENSURE(!mesh->isClosed);
    int kinds[4] = {0};
    for (int t = 0; t < mesh->triangleCount; ++t)
    {
        for (int e = 0; e < 3; ++e)
        {
            uint32_t neighbor = mesh->neighbors[3 * t + e];
            tdEdgeKind kind = tdTriangles_GetEdgeKind(mesh, t, e);
            kinds[kind] += 1;
            ENSURE((neighbor == TD_NO_TRIANGLE) == (kind == TD_EDGE_BORDER));
            if (neighbor != TD_NO_TRIANGLE)
            {
                bool isMutual = false;
                for (int k = 0; k < 3; ++k)
                {
                    isMutual = isMutual || mesh->neighbors[3 * neighbor + (uint32_t)k] == (uint32_t)t;
                }
                ENSURE(isMutual);
            }
            // The fold at x = 1 is convex, that at x = 2 concave, x = 3 and diagonals are flat.
            tdVec3 p = mesh->vertices[mesh->indices[3 * t + e]],
                   q = mesh->vertices[mesh->indices[3 * t + (e + 1) % 3]];
            if (p.x == q.x && kind != TD_EDGE_BORDER)
            {
                ENSURE_EQUAL_INT(kind, p.x == 1.0f ? TD_EDGE_CONVEX
                                                   : (p.x == 2.0f ? TD_EDGE_CONCAVE : TD_EDGE_FLAT));
            }
        }
        ENSURE_NEAR(tdLength(mesh->normals[t]), 1.0f, 1.0e-6f);
        ENSURE((mesh->edgeKinds[t] & TD_TRIANGLE_SHARP) != 0); // all touch the border
    }
    ENSURE_EQUAL_INT(kinds[TD_EDGE_CONVEX], 2);
    ENSURE_EQUAL_INT(kinds[TD_EDGE_CONCAVE], 2);
    ENSURE_EQUAL_INT(kinds[TD_EDGE_FLAT], 2 * 4 + 2);
    ENSURE_EQUAL_INT(kinds[TD_EDGE_BORDER], 10);
    tdFreeTriangles(mesh, NULL);
    // Three triangles on one edge: none is a neighbour there.
    tdVec3 fan[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    uint32_t indices[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    def = (tdMeshGeometryDef){.positions = fan, .positionCount = 5, .indices = indices, .indexCount = 9};
    mesh = tdCookTriangles(&def, NULL);
    for (int i = 0; i < 9; ++i)
    {
        ENSURE_EQUAL_INT(mesh->neighbors[i], TD_NO_TRIANGLE);
    }
    tdFreeTriangles(mesh, NULL);
}

TEST(QueryEqualsEveryTriangle)
{
    refRandomState = 9;
    tdTriangles* mesh = CookGrid(30, 1.5f, NULL, NULL);
    for (int round = 0; round < 60; ++round)
    {
        tdVec3 center = {RefBetween(-2, 31), RefBetween(-1, 2), RefBetween(-2, 31)};
        tdVec3 half = {RefBetween(0.01f, 3), RefBetween(0.01f, 1), RefBetween(0.01f, 3)};
        tdAabb box = {tdSub(center, half), tdAdd(center, half)};
        bool isFound[29 * 29 * 2] = {false};
        tdTriangleQuery query;
        tdTriangleQuery_Init(&query, mesh, box);
        for (int t = tdTriangleQuery_Next(&query); t >= 0; t = tdTriangleQuery_Next(&query))
        {
            ENSURE(!isFound[t]);
            isFound[t] = true;
            tdVec3 p[3];
            tdTriangles_GetCorners(mesh, t, p);
            ENSURE(memcmp(p, query.corners, sizeof(p)) == 0);
        }
        for (int t = 0; t < mesh->triangleCount; ++t)
        {
            tdVec3 p[3];
            tdTriangles_GetCorners(mesh, t, p);
            tdAabb own = {tdMin(p[0], tdMin(p[1], p[2])), tdMax(p[0], tdMax(p[1], p[2]))};
            ENSURE(isFound[t] == tdOverlapAabb(own, box));
        }
    }
    tdFreeTriangles(mesh, NULL);
}

// Neighbours in random triangle soups against a comparison of all edge pairs: edges shared by two or more
// triangles, in either direction.
TEST(NeighboursOfSoupsAreThoseOfEveryPair)
{
    tdVec3 positions[12];
    for (int i = 0; i < 12; ++i)
    {
        positions[i] = (tdVec3){RefBetween(-1.0f, 1.0f), RefBetween(-1.0f, 1.0f), RefBetween(-1.0f, 1.0f)};
    }
    for (int round = 0; round < 50; ++round)
    {
        uint32_t indices[3 * 20];
        for (int i = 0; i < 20; ++i)
        {
            uint32_t first = (uint32_t)RefBetween(0.0f, 11.9f) % 12;
            indices[3 * i] = first;
            indices[3 * i + 1] = (first + 1 + (uint32_t)RefBetween(0.0f, 4.9f)) % 12;
            indices[3 * i + 2] = (first + 7 + (uint32_t)RefBetween(0.0f, 3.9f)) % 12;
        }
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = positions;
        def.positionCount = 12;
        def.indices = indices;
        def.indexCount = 60;
        tdTriangles* mesh = tdCookTriangles(&def, NULL);
        ENSURE(mesh != NULL);
        for (int a = 0; a < 3 * mesh->triangleCount; ++a)
        {
            uint32_t a0 = mesh->indices[a], a1 = mesh->indices[a % 3 == 2 ? a - 2 : a + 1];
            uint32_t neighbor = TD_NO_TRIANGLE;
            int count = 0;
            for (int b = 0; b < 3 * mesh->triangleCount; ++b)
            {
                uint32_t b0 = mesh->indices[b], b1 = mesh->indices[b % 3 == 2 ? b - 2 : b + 1];
                if (a != b && ((a0 == b0 && a1 == b1) || (a0 == b1 && a1 == b0)))
                {
                    neighbor = (uint32_t)(b / 3);
                    count += 1;
                }
            }
            ENSURE_EQUAL_INT(mesh->neighbors[a], count == 1 ? neighbor : TD_NO_TRIANGLE);
        }
        tdFreeTriangles(mesh, NULL);
    }
}

// All triangles of a fan meet in one vertex, and all of a book in one edge: cooking stays linear.
TEST(FansAndBooksCookInLinearTime)
{
    enum
    {
        LEAVES = 20000
    };
    tdVec3* positions = malloc(sizeof(tdVec3) * (LEAVES + 2));
    uint32_t* indices = malloc(sizeof(uint32_t) * 3 * LEAVES);
    for (int kind = 0; kind < 2; ++kind)
    {
        positions[0] = (tdVec3){0.0f, 1.0f, 0.0f};
        positions[1] = (tdVec3){0.0f, -1.0f, 0.0f};
        for (uint32_t i = 0; i < LEAVES; ++i)
        {
            float t = 1.0f + 0.001f * (float)i;
            positions[i + 2] = (tdVec3){t, 0.0f, 0.5f * t * (float)(i % 7)};
            uint32_t leaf[3] = {0, kind == 0 ? 2 + (i + 1) % LEAVES : 1, i + 2};
            memcpy(indices + (size_t)3 * i, leaf, sizeof(leaf));
        }
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = positions;
        def.positionCount = LEAVES + 2;
        def.indices = indices;
        def.indexCount = 3 * LEAVES;
        tdTriangles* mesh = tdCookTriangles(&def, NULL);
        ENSURE(mesh != NULL && mesh->triangleCount > LEAVES / 2 && !mesh->isClosed);
        tdFreeTriangles(mesh, NULL);
    }
    free(positions);
    free(indices);
}

TEST(WorkersBuildTheSameMesh)
{
    enum
    {
        SIDE = 120
    };
    tdVec3 positions[SIDE * SIDE];
    static uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)];
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        positions[i] = (tdVec3){(float)(i % SIDE), RefBetween(0.0f, 3.0f), (float)(i / SIDE)};
    }
    int count = 0;
    for (int i = 0; i < (SIDE - 1) * (SIDE - 1); ++i)
    {
        uint32_t a = (uint32_t)(i / (SIDE - 1) * SIDE + i % (SIDE - 1)), c = a + SIDE;
        uint32_t quad[6] = {a, c, a + 1, a + 1, c, c + 1};
        memcpy(indices + count, quad, sizeof(quad));
        count += 6;
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = SIDE * SIDE;
    def.indices = indices;
    def.indexCount = count;
    tdTriangles* one = tdCookTriangles(&def, NULL);
    size_t triangles = (size_t)one->triangleCount;
    for (int workers = 2; workers <= 5; ++workers)
    {
        const tdTasks* tasks = tdCreateThreads(workers);
        def.tasks = tasks;
        tdTriangles* many = tdCookTriangles(&def, NULL);
        ENSURE_EQUAL_INT(many->nodeCount, one->nodeCount);
        ENSURE(memcmp(many->nodes, one->nodes, (size_t)one->nodeCount * sizeof(tdBvhNode)) == 0);
        ENSURE(memcmp(many->sources, one->sources, triangles * sizeof(uint32_t)) == 0);
        ENSURE(memcmp(many->neighbors, one->neighbors, 3 * triangles * sizeof(uint32_t)) == 0);
        ENSURE(memcmp(many->normals, one->normals, triangles * sizeof(tdVec3)) == 0);
        ENSURE(memcmp(many->edgeKinds, one->edgeKinds, triangles) == 0);
        tdFreeTriangles(many, NULL);
        tdDestroyThreads(tasks);
    }
    tdFreeTriangles(one, NULL);
}

TEST(SurvivesEveryAllocationFailure)
{
    for (int64_t n = 0;; ++n)
    {
        refRandomState = 2;
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, n);
        tdGeometryStatus status;
        tdTriangles* mesh = CookGrid(5, 1.0f, &allocator, &status);
        if (mesh != NULL)
        {
            tdFreeTriangles(mesh, &allocator);
            ENSURE_EQUAL_INT(state.liveBlocks, 0);
            ENSURE(n > 2);
            break;
        }
        ENSURE_EQUAL_INT(status, TD_GEOMETRY_OUT_OF_MEMORY);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
}

TEST(LargeAndDegenerateTreesStayShallow)
{
    // No plane separates many equal triangles: halving keeps the tree shallow.
    enum
    {
        COPIES = 3000
    };
    static tdVec3 corners[3 * COPIES];
    for (int i = 0; i < COPIES; ++i)
    {
        corners[3 * i] = (tdVec3){0, 0, 0};
        corners[3 * i + 1] = (tdVec3){1, 0, 0};
        corners[3 * i + 2] = (tdVec3){0, 0, 1};
    }
    tdMeshGeometryDef def = {.positions = corners, .positionCount = 3 * COPIES, .indexCount = 3 * COPIES};
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    ENSURE(mesh != NULL && mesh->triangleCount == COPIES);
    tdTriangleQuery query;
    tdTriangleQuery_Init(&query, mesh, mesh->aabb);
    int found = 0;
    while (tdTriangleQuery_Next(&query) >= 0)
    {
        found += 1;
    }
    ENSURE_EQUAL_INT(found, COPIES);
    tdFreeTriangles(mesh, NULL);
#if defined(NDEBUG)
    int size = 708; // 1,000,000 triangles
#else
    int size = 120;
#endif
    refRandomState = 4;
    mesh = CookGrid(size, 1.0f, NULL, NULL);
    ENSURE_EQUAL_INT(mesh->triangleCount, 2 * (size - 1) * (size - 1));
    int deepest = 0, depth = 0;
    struct
    {
        uint32_t node;
        int depth;
    } stack[TD_BVH_MAX_DEPTH + 1];
    stack[depth].node = 0;
    stack[depth++].depth = 1;
    int triangles = 0;
    while (depth > 0)
    {
        depth -= 1;
        uint32_t index = stack[depth].node;
        int level = stack[depth].depth;
        deepest = level > deepest ? level : deepest;
        const tdBvhNode* node = mesh->nodes + index;
        triangles += (int)node->count;
        if (node->count == 0)
        {
            stack[depth].node = node->next;
            stack[depth++].depth = level + 1;
            stack[depth].node = index + 1;
            stack[depth++].depth = level + 1;
        }
    }
    ENSURE_EQUAL_INT(triangles, mesh->triangleCount);
    ENSURE(deepest <= 40);
    tdFreeTriangles(mesh, NULL);
}

// A ring of square cross-section about y: radius of its centre line and half side length.
static tdTriangles* CookRing(float ring, float half)
{
    enum
    {
        COUNT = 24
    };
    tdVec3 positions[4 * COUNT];
    uint32_t indices[24 * COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        float angle = 6.2831853f * (float)i / COUNT;
        for (int k = 0; k < 4; ++k)
        {
            float r = ring + (k == 0 || k == 3 ? -half : half), y = k < 2 ? -half : half;
            positions[4 * i + k] = (tdVec3){r * cosf(angle), y, r * sinf(angle)};
            uint32_t a = (uint32_t)(4 * i + k), b = (uint32_t)(4 * i + (k + 1) % 4);
            uint32_t c = (a + 4) % (4 * COUNT), d = (b + 4) % (4 * COUNT);
            uint32_t quad[6] = {a, b, c, b, d, c};
            memcpy(indices + 6 * (4 * i + k), quad, sizeof(quad));
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = 4 * COUNT;
    def.indices = indices;
    def.indexCount = 24 * COUNT;
    return tdCookTriangles(&def, NULL);
}

TEST(CoreSpheresAreInside)
{
    // Random hulls as meshes: the smallest distance of the centroid to the face planes. A ring and an open
    // grid have no core sphere.
    refRandomState = 61;
    for (int round = 0; round < 40; ++round)
    {
        tdHull* hull = RefRandomHull(20, 1.0f);
        uint32_t indices[3 * 64];
        int count = 0;
        tdVec3 positions[64];
        for (int i = 0; i < hull->vertexCount; ++i)
        {
            positions[i] = tdHull_GetVertex(hull, i);
        }
        // Triangles of the hull by brute force: three corners with all others behind them.
        for (int a = 0; a < hull->vertexCount; ++a)
        {
            for (int b = 0; b < hull->vertexCount; ++b)
            {
                for (int c = 0; c < hull->vertexCount; ++c)
                {
                    if (a == b || b == c || a == c || a > b || a > c)
                    {
                        continue;
                    }
                    tdVec3 n = tdCross(tdSub(positions[b], positions[a]), tdSub(positions[c], positions[a]));
                    bool isFace = true;
                    for (int d = 0; d < hull->vertexCount && isFace; ++d)
                    {
                        bool isCorner = d == a || d == b || d == c;
                        isFace = isCorner || tdDot(n, tdSub(positions[d], positions[a])) < 0.0f;
                    }
                    if (isFace)
                    {
                        uint32_t corners[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
                        memcpy(indices + count, corners, sizeof(corners));
                        count += 3;
                    }
                }
            }
        }
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = positions;
        def.positionCount = hull->vertexCount;
        def.indices = indices;
        def.indexCount = count;
        tdTriangles* mesh = tdCookTriangles(&def, NULL);
        if (ENSURE(mesh != NULL && mesh->isClosed))
        {
            float least = INFINITY;
            for (int i = 0; i < mesh->triangleCount; ++i)
            {
                tdVec3 corners[3];
                tdTriangles_GetCorners(mesh, i, corners);
                float height = tdDot(mesh->normals[i], tdSub(corners[0], mesh->volume.centroid));
                least = tdMinFloat(least, height);
            }
            ENSURE_NEAR(mesh->innerRadius, least, 1.0e-5f);
        }
        tdFreeTriangles(mesh, NULL);
        tdFreeHull(hull, NULL);
    }
    tdTriangles* ring = CookRing(1.0f, 0.2f);
    ENSURE(ring != NULL && ring->isClosed);
    ENSURE(ring->innerRadius == 0.0f);
    tdFreeTriangles(ring, NULL);
    tdTriangles* grid = CookGrid(5, 0.5f, NULL, NULL);
    ENSURE(grid->innerRadius == 0.0f);
    tdFreeTriangles(grid, NULL);
}

TEST(MeasuresWhatItWouldCook)
{
    tdTriangles* sources[2] = {CookRing(1.0f, 0.2f), CookGrid(30, 1.5f, NULL, NULL)};
    for (int i = 0; i < 2; ++i)
    {
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = sources[i]->vertices;
        def.positionCount = sources[i]->vertexCount;
        def.indices = sources[i]->indices;
        def.indexCount = 3 * sources[i]->triangleCount;
        tdTriangles* cooked = tdCookTriangles(&def, NULL);
        for (int withVolume = 0; withVolume < 2; ++withVolume)
        {
            tdGeometryStatus status = TD_GEOMETRY_OUT_OF_MEMORY;
            for (int64_t n = 0; status == TD_GEOMETRY_OUT_OF_MEMORY; ++n)
            {
                tdFailingAllocator state;
                tdAllocator allocator = tdFailingAllocator_Make(&state, n);
                def.allocator = &allocator;
                tdTriangles* measured = tdMeasureTriangles(&def, withVolume != 0, &status);
                if (measured != NULL)
                {
                    ENSURE_EQUAL_INT(measured->triangleCount, cooked->triangleCount);
                    ENSURE(memcmp(&measured->aabb, &cooked->aabb, sizeof(tdAabb)) == 0);
                    ENSURE(measured->nodes == NULL && measured->vertices == NULL);
                    bool isSame = measured->vertexCount == cooked->vertexCount &&
                                  measured->isClosed == cooked->isClosed &&
                                  memcmp(&measured->volume, &cooked->volume, sizeof(tdVolumeData)) == 0;
                    ENSURE(isSame || withVolume == 0);
                }
                tdFreeTriangles(measured, &allocator);
                ENSURE_EQUAL_INT(state.liveBlocks, 0);
            }
            ENSURE_EQUAL_INT(status, TD_GEOMETRY_OK);
        }
        tdFreeTriangles(cooked, NULL);
        tdFreeTriangles(sources[i], NULL);
    }
    tdMeshGeometryDef bad = tdDefaultMeshGeometryDef();
    tdGeometryStatus status;
    ENSURE(tdMeasureTriangles(&bad, true, &status) == NULL && status == TD_GEOMETRY_TOO_FEW);
    bad.indexCount = 4;
    ENSURE(tdMeasureTriangles(&bad, true, &status) == NULL && status == TD_GEOMETRY_BAD_INDEX);
}

/// Boxes whose edges are paired in different ways: apart, sharing an edge, coincident twice, with a triangle
/// that is turned, missing, or there twice, and with a triangle and its back.
TEST(MeasuresOnlyClosedMeshesAsClosed)
{
    static const uint32_t box[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                     2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    static const tdVec3 shifts[6] = {{5.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f},
                                     {5.0f, 0.0f, 0.0f}, {5.0f, 0.0f, 0.0f}, {5.0f, 0.0f, 0.0f}};
    static const bool isClosed[6] = {true};
    for (int kind = 0; kind < 6; ++kind)
    {
        tdVec3 positions[16];
        uint32_t indices[81];
        int count = 72;
        for (uint32_t i = 0; i < 16; ++i)
        {
            tdVec3 corner = {(float)(i & 1), (float)(i >> 1 & 1), -(float)(i >> 2 & 1)};
            positions[i] = i < 8 ? corner : tdAdd(corner, shifts[kind]);
        }
        for (uint32_t i = 0; i < 72; ++i)
        {
            indices[i] = box[i % 36] + 8 * (i / 36);
        }
        if (kind == 3)
        {
            indices[70] = box[35] + 8;
            indices[71] = box[34] + 8;
        }
        else if (kind == 4)
        {
            count = 69;
        }
        else if (kind == 5)
        {
            for (int i = 0; i < 9; ++i)
            {
                indices[72 + i] = box[i < 6 ? i % 3 : 8 - i]; // the first triangle twice more, then its back
            }
            count = 81;
        }
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = positions;
        def.positionCount = 16;
        def.indices = indices;
        def.indexCount = count;
        tdGeometryStatus status;
        tdTriangles* cooked = tdCookTriangles(&def, NULL);
        tdTriangles* measured = tdMeasureTriangles(&def, true, &status);
        ENSURE_EQUAL_INT(measured->isClosed, isClosed[kind]);
        ENSURE_EQUAL_INT(measured->isClosed, cooked->isClosed);
        ENSURE_EQUAL_INT(measured->vertexCount, cooked->vertexCount);
        ENSURE_EQUAL_INT(measured->triangleCount, cooked->triangleCount);
        ENSURE(memcmp(&measured->volume, &cooked->volume, sizeof(tdVolumeData)) == 0);
        ENSURE(memcmp(&measured->aabb, &cooked->aabb, sizeof(tdAabb)) == 0);
        tdFreeTriangles(cooked, NULL);
        tdFreeTriangles(measured, NULL);
    }
}

/// Cooks the triangles of a mesh after a linear map; a mirrored one with two corners swapped.
static tdTriangles* CookMapped(const tdTriangles* source, tdMat3 map)
{
    size_t count = 3 * (size_t)source->triangleCount;
    tdVec3* positions = malloc(sizeof(tdVec3) * (size_t)source->vertexCount);
    uint32_t* indices = malloc(sizeof(uint32_t) * count);
    for (int i = 0; i < source->vertexCount; ++i)
    {
        positions[i] = tdMulMat3Vec3(map, source->vertices[i]);
    }
    bool isMirrored = tdDeterminant(map) < 0.0f;
    for (size_t i = 0; i < count; ++i)
    {
        size_t corner = i % 3 == 0 || !isMirrored ? i : (i % 3 == 1 ? i + 1 : i - 1);
        indices[i] = source->indices[corner];
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = source->vertexCount;
    def.indices = indices;
    def.indexCount = (int)count;
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    free(positions);
    free(indices);
    return mesh;
}

TEST(ScaledCopiesAreCookedMeshes)
{
    static const tdMat3 maps[] = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}},
                                  {{1, 0, 0}, {0, 3, 0}, {0, 0, 0.5f}},
                                  {{-1, 0, 0}, {0, 1, 0}, {0, 0, 2}},
                                  {{1, 0.3f, 0}, {0.2f, 1, -0.4f}, {0, 0.1f, -2}}};
    tdTriangles* source = CookGrid(9, 1.0f, NULL, NULL);
    tdTriangles* copy = tdCopyTriangles(source, NULL);
    for (int m = 0; m < 4; ++m)
    {
        tdScaleTriangles(copy, source, maps[m]);
        tdTriangles* cooked = CookMapped(source, maps[m]);
        ENSURE_EQUAL_INT(cooked->triangleCount, copy->triangleCount);
        ENSURE_NEAR(tdDistance(cooked->aabb.lower, copy->aabb.lower), 0.0, 1e-5);
        ENSURE_NEAR(tdDistance(cooked->aabb.upper, copy->aabb.upper), 0.0, 1e-5);
        ENSURE_NEAR(cooked->volume.volume / copy->volume.volume, 1.0, 1e-4);
        ENSURE_NEAR(tdDistance(cooked->volume.centroid, copy->volume.centroid), 0.0, 1e-3);
        for (int i = 0; i < cooked->triangleCount; ++i)
        {
            int own = (int)cooked->sources[i]; // the cooked mesh was given the triangles of the copy
            ENSURE_NEAR(tdDistance(cooked->normals[i], copy->normals[own]), 0.0, 1e-4);
            for (int e = 0; e < 3; ++e)
            {
                uint32_t neighbor = cooked->neighbors[3 * i + e];
                uint32_t expected = neighbor == TD_NO_TRIANGLE ? TD_NO_TRIANGLE : cooked->sources[neighbor];
                ENSURE_EQUAL_INT(copy->neighbors[3 * own + e], expected);
                ENSURE_EQUAL_INT(tdTriangles_GetEdgeKind(copy, own, e),
                                 tdTriangles_GetEdgeKind(cooked, i, e));
            }
        }
        // Queries find the triangles at their new places.
        for (int i = 0; i < copy->triangleCount; ++i)
        {
            tdVec3 corners[3];
            tdTriangles_GetCorners(copy, i, corners);
            tdTriangleQuery query;
            tdTriangleQuery_Init(&query, copy, (tdAabb){corners[0], corners[0]});
            bool isFound = false;
            for (int hit = tdTriangleQuery_Next(&query); hit >= 0; hit = tdTriangleQuery_Next(&query))
            {
                isFound = isFound || hit == i;
            }
            ENSURE(isFound);
        }
        tdFreeTriangles(cooked, NULL);
    }
    tdFreeTriangles(copy, NULL);
    tdFreeTriangles(source, NULL);
}

TEST_MAIN(RUN(RefusesBadMeshes) RUN(EdgesHaveTheirNeighbours) RUN(QueryEqualsEveryTriangle)
              RUN(NeighboursOfSoupsAreThoseOfEveryPair) RUN(FansAndBooksCookInLinearTime)
                  RUN(WorkersBuildTheSameMesh) RUN(SurvivesEveryAllocationFailure)
                      RUN(LargeAndDegenerateTreesStayShallow) RUN(CoreSpheresAreInside)
                          RUN(MeasuresWhatItWouldCook) RUN(MeasuresOnlyClosedMeshesAsClosed)
                              RUN(ScaledCopiesAreCookedMeshes))
