// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of convex hulls: refusals, invariants of the half-edges, containment and brute-force facets, coplanar
// merging, and libqhull as an oracle where it is installed.
#include "harness.h"
#include "reference.h"

#include "base/memory.h"
#include "geometry/hull.h"
#include "geometry/quickhull.h"

#include <stdlib.h>

#if defined(__has_include)
#if __has_include(<libqhull_r/qhull_ra.h>) && defined(TD_HAVE_QHULL)
#include <libqhull_r/qhull_ra.h>
#define HAS_QHULL 1
#endif
#endif

/// Checks the numbered invariants of hull.h, and that every point is inside.
static void CheckHull(const tdHull* hull, const tdVec3* points, int count, float tolerance)
{
    ENSURE_EQUAL_INT(hull->vertexCount - hull->edgeCount / 2 + hull->faceCount, 2);
    int edges = 0;
    for (int f = 0; f < hull->faceCount; ++f)
    {
        const tdHullFace* face = hull->faces + f;
        ENSURE_EQUAL_INT(face->firstEdge, edges);
        ENSURE(face->edgeCount >= 3);
        edges += face->edgeCount;
        ENSURE_NEAR(tdLength(face->normal), 1.0f, 1.0e-5f);
        for (int i = 0; i < face->edgeCount; ++i)
        {
            int e = face->firstEdge + i, next = face->firstEdge + (i + 1) % face->edgeCount;
            const tdHullEdge* edge = hull->edges + e;
            ENSURE_EQUAL_INT(edge->face, f);
            ENSURE_EQUAL_INT(hull->edges[edge->twin].twin, e);
            ENSURE_EQUAL_INT(hull->edges[edge->twin].origin, hull->edges[next].origin);
            tdVec3 p = tdHull_GetVertex(hull, edge->origin);
            ENSURE_NEAR(tdDot(face->normal, p), face->offset, tolerance);
        }
        for (int i = 0; i < count; ++i)
        {
            if (tdDot(face->normal, points[i]) > face->offset + tolerance)
            {
                ENSURE_NEAR(tdDot(face->normal, points[i]), face->offset, tolerance);
                break;
            }
        }
    }
    ENSURE_EQUAL_INT(edges, hull->edgeCount);
    for (int i = 0; i < hull->edgeCount / 2; ++i)
    {
        const tdHullFullEdge* full = &hull->fullEdges[i];
        const tdHullEdge *edge = &hull->edges[full->edge], *twin = &hull->edges[edge->twin];
        ENSURE(full->edge < edge->twin);
        ENSURE(full->origin == edge->origin && full->end == twin->origin);
        ENSURE(full->face == edge->face && full->otherFace == twin->face);
    }
    for (int i = 0; i < hull->vertexCount; ++i)
    {
        ENSURE_EQUAL_INT(hull->edges[hull->vertexEdges[i]].origin, i);
    }
    for (int i = hull->vertexCount; i < hull->paddedCount; ++i)
    {
        ENSURE(hull->x[i] == hull->x[0] && hull->y[i] == hull->y[0] && hull->z[i] == hull->z[0]);
    }
}

TEST(RefusesDegenerateInput)
{
    tdGeometryStatus status;
    tdVec3 points[20];
    for (int i = 0; i < 20; ++i)
    {
        points[i] = (tdVec3){1, 2, 3};
    }
    ENSURE(tdCookHull(points, 0, NULL, &status) == NULL && status == TD_GEOMETRY_TOO_FEW);
    ENSURE(tdCookHull(points, 3, NULL, &status) == NULL && status == TD_GEOMETRY_TOO_FEW);
    ENSURE(tdCookHull(points, 20, NULL, &status) == NULL && status == TD_GEOMETRY_TOO_FEW);
    for (int i = 0; i < 20; ++i)
    {
        points[i] = (tdVec3){(float)i, 2.0f * (float)i, -(float)i};
    }
    ENSURE(tdCookHull(points, 20, NULL, &status) == NULL && status == TD_GEOMETRY_FLAT);
    for (int i = 0; i < 20; ++i)
    {
        points[i] = (tdVec3){(float)(i % 5), (float)(i / 5), 0.3f * (float)(i % 5) + 0.1f * (float)(i / 5)};
    }
    ENSURE(tdCookHull(points, 20, NULL, &status) == NULL && status == TD_GEOMETRY_FLAT);
    points[3].y = NAN;
    ENSURE(tdCookHull(points, 20, NULL, &status) == NULL && status == TD_GEOMETRY_NOT_FINITE);
    points[3].y = INFINITY;
    ENSURE(tdCookHull(points, 20, NULL, &status) == NULL && status == TD_GEOMETRY_NOT_FINITE);
    points[3].y = 1.0e30f;
    ENSURE(tdCookHull(points, 20, NULL, &status) == NULL && status == TD_GEOMETRY_NOT_FINITE);
}

TEST(MergesCoplanarFaces)
{
    // A grid of points on the faces of a box, rotated so that no coordinate is exact: 6 faces, 8 vertices
    // remain.
    tdVec3 points[600];
    int count = 0;
    tdQuat turn = tdNormalizeQuat((tdQuat){0.2f, -0.4f, 0.3f, 0.7f});
    for (int x = 0; x <= 8; ++x)
    {
        for (int y = 0; y <= 8; ++y)
        {
            for (int z = 0; z <= 8; ++z)
            {
                if (x % 8 == 0 || y % 8 == 0 || z % 8 == 0)
                {
                    tdVec3 p = {(float)x - 4.0f, (float)y - 4.0f, (float)z - 4.0f};
                    points[count++] = tdRotate(turn, tdScale(0.25f, p));
                }
            }
        }
    }
    tdHull* hull = tdCookHull(points, count, NULL, NULL);
    if (ENSURE(hull != NULL))
    {
        ENSURE_EQUAL_INT(hull->faceCount, 6);
        ENSURE_EQUAL_INT(hull->vertexCount, 8);
        ENSURE_NEAR(hull->volume.volume, 8.0f, 1.0e-5f);
        ENSURE_NEAR(hull->innerRadius, 1.0f, 1.0e-5f);
        ENSURE_NEAR(hull->outerRadius, sqrtf(3.0f), 1.0e-5f);
        CheckHull(hull, points, count, 1.0e-5f);
        tdFreeHull(hull, NULL);
    }
    // A prism: two 16-gons and 16 quads.
    count = 0;
    for (int i = 0; i < 16; ++i)
    {
        float c = (float)cos(0.39269908169872414 * i), s = (float)sin(0.39269908169872414 * i);
        points[count++] = (tdVec3){0.25f * c, -0.2f, 0.25f * s};
        points[count++] = (tdVec3){0.25f * c, 0.2f, 0.25f * s};
    }
    hull = tdCookHull(points, count, NULL, NULL);
    if (ENSURE(hull != NULL))
    {
        ENSURE_EQUAL_INT(hull->faceCount, 18);
        ENSURE_EQUAL_INT(hull->vertexCount, 32);
        CheckHull(hull, points, count, 1.0e-6f);
        tdFreeHull(hull, NULL);
    }
}

TEST(RandomPointsOfAllSizes)
{
    refRandomState = 17;
    static tdVec3 points[2000];
    for (int round = 0; round < 24; ++round)
    {
        float size = round % 3 == 0 ? 1.0e-3f : (round % 3 == 1 ? 1.0f : 1.0e3f);
        int count = round < 12 ? 4 + round * 6 : 300 + 60 * (round - 12);
        float flatness = round % 4 == 3 ? 0.01f : 1.0f;
        tdVec3 offset = round % 5 == 4 ? (tdVec3){3.0f * size, -2.0f * size, size} : tdVec3_zero;
        for (int i = 0; i < count; ++i)
        {
            tdVec3 p = RefRandomVec(size);
            if (round % 2 == 1) // on a ball: every point is a vertex
            {
                p = tdScale(size, tdNormalize(p));
            }
            points[i] = tdAdd(offset, (tdVec3){p.x, flatness * p.y, p.z});
        }
        tdGeometryStatus status;
        tdHull* hull = tdCookHull(points, count, NULL, &status);
        if (!ENSURE(hull != NULL))
        {
            printf("   round %d status %d\n", round, (int)status);
            continue;
        }
        // Merging accepts points within 1e-5 of the extent (2 sizes); the mean plane can be as far off again.
        CheckHull(hull, points, count, 6.0e-5f * size);
        for (int i = 0; i < 20; ++i)
        {
            tdVec3 d = RefRandomVec(1.0f);
            float best = -INFINITY;
            for (int k = 0; k < count; ++k)
            {
                best = tdMaxFloat(best, tdDot(points[k], d));
            }
            ENSURE_NEAR(tdDot(tdHull_GetVertex(hull, tdHull_FindSupport(hull, d)), d), best, 6.0e-5f * size);
        }
        tdFreeHull(hull, NULL);
    }
    // All of many points on a sphere are kept.
    for (int i = 0; i < 2000; ++i)
    {
        RefVec d = RefSpiral(i, 2000);
        points[i] = (tdVec3){(float)d.x, (float)d.y, (float)d.z};
    }
    tdHull* hull = tdCookHull(points, 1000, NULL, NULL);
    tdFreeHull(hull, NULL);
    for (int i = 0; i < 400; ++i)
    {
        RefVec d = RefSpiral(i, 400);
        points[i] = (tdVec3){(float)d.x, (float)d.y, (float)d.z};
    }
    hull = tdCookHull(points, 400, NULL, NULL);
    ENSURE_EQUAL_INT(hull->vertexCount, 400);
    tdFreeHull(hull, NULL);
}

TEST(SurvivesEveryAllocationFailure)
{
    refRandomState = 23;
    tdVec3 points[60];
    for (int i = 0; i < 60; ++i)
    {
        points[i] = RefRandomVec(1.0f);
    }
    for (int64_t n = 0;; ++n)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, n);
        tdGeometryStatus status;
        tdHull* hull = tdCookHull(points, 60, &allocator, &status);
        if (hull != NULL)
        {
            ENSURE_EQUAL_INT(status, TD_GEOMETRY_OK);
            tdFreeHull(hull, &allocator);
            ENSURE_EQUAL_INT(state.liveBlocks, 0);
            ENSURE(n > 2);
            break;
        }
        ENSURE_EQUAL_INT(status, TD_GEOMETRY_OUT_OF_MEMORY);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
}

TEST(VertexSetAndVolumeOfQhull)
{
#if defined(HAS_QHULL)
    refRandomState = 41;
    for (int round = 0; round < 8; ++round)
    {
        enum
        {
            N = 300
        };
        tdVec3 points[N];
        coordT coordinates[3 * N];
        for (int i = 0; i < N; ++i)
        {
            tdVec3 p = RefRandomVec(1.0f);
            points[i] = round % 2 == 0 ? p : tdNormalize(p);
            coordinates[3 * i] = (double)points[i].x;
            coordinates[3 * i + 1] = (double)points[i].y;
            coordinates[3 * i + 2] = (double)points[i].z;
        }
        tdHull* hull = tdCookHull(points, N, NULL, NULL);
        qhT memory;
        qhT* qh = &memory;
        qh_zero(qh, stderr);
        char command[] = "qhull FA Pp";
        FILE* sink = fopen("/dev/null", "w");
        int failed = qh_new_qhull(qh, 3, N, coordinates, 0, command, sink, stderr);
        ENSURE_EQUAL_INT(failed, 0);
        qh_getarea(qh, qh->facet_list);
        ENSURE_NEAR(hull->volume.volume, qh->totvol, 1.0e-4);
        // Vertices of Qhull that stick out by more than the merge tolerance are in the hull, and it has no
        // others.
        int theirs = 0;
        vertexT* vertex;
        FORALLvertices
        {
            theirs += 1;
            double nearest = 1.0;
            for (int i = 0; i < hull->vertexCount; ++i)
            {
                double dx = vertex->point[0] - (double)hull->x[i], dy = vertex->point[1] - (double)hull->y[i];
                double dz = vertex->point[2] - (double)hull->z[i];
                double d = sqrt(dx * dx + dy * dy + dz * dz);
                nearest = d < nearest ? d : nearest;
            }
            ENSURE_NEAR(nearest, 0.0, 0.0);
        }
        ENSURE_EQUAL_INT(theirs, hull->vertexCount);
        qh_freeqhull(qh, !qh_ALL);
        int left, total;
        qh_memfreeshort(qh, &left, &total);
        fclose(sink);
        tdFreeHull(hull, NULL);
    }
#else
    printf("skipped: libqhull is not installed (libqhull-dev)\n");
#endif
}

TEST(PointsFarFromFlatHaveAHull)
{
    refRandomState = 29;
    static tdVec3 points[200];
    int certain = 0, uncertain = 0;
    for (int round = 0; round < 600; ++round)
    {
        // From balls to sheets and needles far below the threshold.
        float y = powf(10.0f, -0.01f * (float)(round % 300)), z = round % 2 == 0 ? 1.0f : y;
        int count = 4 + round % 197;
        for (int i = 0; i < count; ++i)
        {
            tdVec3 p = RefRandomVec(10.0f);
            p = round % 3 == 0 ? (tdVec3){roundf(p.x), roundf(p.y), roundf(p.z)} : p; // many in one plane
            points[i] = (tdVec3){p.x, y * p.y, z * p.z};
        }
        tdAabb box;
        bool isCertain = tdIsFullDimensional(points, count, &box);
        tdHull* hull = tdCookHull(points, count, NULL, NULL);
        ENSURE(!isCertain || hull != NULL);
        if (isCertain && hull != NULL)
        {
            ENSURE(memcmp(&box, &hull->aabb, sizeof(box)) == 0);
        }
        certain += isCertain ? 1 : 0;
        uncertain += isCertain ? 0 : 1;
        tdFreeHull(hull, NULL);
    }
    ENSURE(certain > 100 && uncertain > 100);
    tdAabb box;
    tdVec3 bad[4] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, INFINITY}};
    ENSURE(!tdIsFullDimensional(bad, 4, &box) && !tdIsFullDimensional(bad, 3, &box));
}

TEST_MAIN(RUN(RefusesDegenerateInput) RUN(MergesCoplanarFaces) RUN(RandomPointsOfAllSizes)
              RUN(SurvivesEveryAllocationFailure) RUN(VertexSetAndVolumeOfQhull)
                  RUN(PointsFarFromFlatHaveAHull))
