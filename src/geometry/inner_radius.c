// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inner radius of a closed mesh, which is that of the largest ball about its centroid inside the mesh, and
// other balls inside the mesh.
#include "inner_radius.h"

#include "shape_distance.h"

#include <math.h>

/// Factor by which two distances may differ and still count as equal, so that all triangles that meet in the
/// nearest point are compared.
#define EQUAL_DISTANCE 1.0001f

/// Triangles at which balls are tried, most.
#define MAX_CANDIDATES 64
/// Steps of the ball that shrinks until it fits; it halves at least every other step where walls are thin.
#define SHRINK_STEPS 10
/// Share of its radius by which a ball may reach out of the mesh before it shrinks.
#define FIT_TOLERANCE 0.02f
/// Least radius of a core and least distance from the others, relative to the largest radius. Found by trial:
/// the arms of an L have one or two each. physics/concave_throws notices a coarser set.
#define MIN_CORE_RADIUS 0.3f
#define MIN_CORE_DISTANCE 1.5f

float tdTriangles_ComputeInnerRadius(const tdTriangles* mesh)
{
    if (!mesh->isClosed)
    {
        return 0.0f;
    }
    tdVec3 center = mesh->volume.centroid;
    tdShapeGeometry shape = {.kind = TD_SHAPE_MESH, .local = tdTransform_identity, .mesh = mesh};
    float radius = tdShape_FindClosestPoint(&shape, center).distance;
    float reach = EQUAL_DISTANCE * radius;
    tdVec3 pad = {reach, reach, reach};
    tdTriangleQuery query;
    tdTriangleQuery_Init(&query, mesh, (tdAabb){tdSub(center, pad), tdAdd(center, pad)});
    tdConvex point = tdMakePointConvex(center);
    // Several triangles can meet in the nearest point. The one whose plane is farthest from the centroid
    // decides whether the centroid is inside.
    float facing = 0.0f;
    for (int i = tdTriangleQuery_Next(&query); i >= 0; i = tdTriangleQuery_Next(&query))
    {
        tdVec3 corners[3];
        tdTriangles_GetCorners(mesh, i, corners);
        tdConvex triangle = tdMakeTriangleConvex(corners[0], corners[1], corners[2]);
        float height = tdDot(mesh->normals[i], tdSub(center, corners[0]));
        if (tdAbsFloat(height) > tdAbsFloat(facing) &&
            tdConvexDistance(&triangle, &point, INFINITY, NULL).distance <= reach)
        {
            facing = height;
        }
    }
    return facing < 0.0f ? radius : 0.0f;
}

/// The largest ball inside the mesh that touches a triangle in its middle. A radius of 0: none.
static tdMeshCore FitBall(const tdTriangles* mesh, int triangle)
{
    tdShapeGeometry shape = {.kind = TD_SHAPE_MESH, .local = tdTransform_identity, .mesh = mesh};
    tdVec3 corners[3];
    tdTriangles_GetCorners(mesh, triangle, corners);
    tdVec3 touched = tdScale(1.0f / 3.0f, tdAdd(tdAdd(corners[0], corners[1]), corners[2]));
    tdVec3 inward = tdNegate(mesh->normals[triangle]);
    float radius = 0.5f * tdDistance(mesh->aabb.lower, mesh->aabb.upper);
    for (int i = 0; i < SHRINK_STEPS && radius > 0.0f; ++i)
    {
        tdVec3 center = tdMulAdd(touched, radius, inward);
        tdClosestPoint nearest = tdShape_FindClosestPoint(&shape, center);
        if (nearest.distance >= (1.0f - FIT_TOLERANCE) * radius)
        {
            return (tdMeshCore){center, nearest.distance};
        }
        // The ball that touches the triangle and the nearest point.
        tdVec3 way = tdSub(nearest.point, touched);
        float rise = tdDot(way, inward);
        radius = rise > 0.0f ? tdMinFloat(0.5f * tdLengthSquared(way) / rise, radius) : 0.0f;
    }
    return (tdMeshCore){tdVec3_zero, 0.0f};
}

void tdTriangles_FindCores(tdTriangles* mesh)
{
    mesh->coreCount = 0;
    if (!mesh->isClosed)
    {
        return;
    }
    tdMeshCore balls[MAX_CANDIDATES];
    float distances[MAX_CANDIDATES]; // from the nearest core
    int count = tdMinInt(mesh->triangleCount, MAX_CANDIDATES);
    float largest = mesh->innerRadius;
    for (int i = 0; i < count; ++i)
    {
        balls[i] = FitBall(mesh, (int)((int64_t)i * mesh->triangleCount / count));
        distances[i] =
            mesh->innerRadius > 0.0f ? tdDistance(balls[i].center, mesh->volume.centroid) : INFINITY;
        largest = tdMaxFloat(largest, balls[i].radius);
    }
    while (mesh->coreCount < TD_MAX_MESH_CORES)
    {
        // The largest ball if there is no core, then the one that is farthest from all cores.
        int best = -1;
        for (int i = 0; i < count; ++i)
        {
            bool isBetter = best < 0 || distances[i] > distances[best] ||
                            (!(distances[i] < distances[best]) && balls[i].radius > balls[best].radius);
            if (balls[i].radius >= MIN_CORE_RADIUS * largest && balls[i].radius > 0.0f &&
                distances[i] > MIN_CORE_DISTANCE * largest && isBetter)
            {
                best = i;
            }
        }
        if (best < 0)
        {
            return;
        }
        mesh->cores[mesh->coreCount++] = balls[best];
        for (int i = 0; i < count; ++i)
        {
            distances[i] = tdMinFloat(distances[i], tdDistance(balls[i].center, balls[best].center));
        }
    }
}

void tdTriangles_MapCores(tdTriangles* copy, const tdTriangles* source, tdMat3 map)
{
    tdShapeGeometry shape = {.kind = TD_SHAPE_MESH, .local = tdTransform_identity, .mesh = copy};
    copy->coreCount = source->coreCount;
    for (int i = 0; i < source->coreCount; ++i)
    {
        tdVec3 center = tdMulMat3Vec3(map, source->cores[i].center);
        copy->cores[i] = (tdMeshCore){center, tdShape_FindClosestPoint(&shape, center).distance};
    }
}
