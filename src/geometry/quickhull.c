// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Quickhull (Barber, Dobkin, Huhdanpaa 1996) on triangles, in double. The inputs are floats, so planes are
// exact far below the input resolution and slivers keep reliable normals. hull.c merges coplanar triangles
// afterwards.
//
// Faces are processed first in, first out, each with its farthest point, so that a hull that reaches the
// vertex limit is a coarse version of the whole point set. Decision: docs/decisions/052-hulls.md.
#include "quickhull.h"

/// A point this far beyond a face, relative to the extent, is outside: a quarter of a float ulp of the
/// extent.
#define OUTSIDE_TOLERANCE 3.0e-8
/// Thickness, relative to the extent, below which a point set is flat.
#define FLAT_TOLERANCE 1.0e-6
/// Cross product, relative to the squared longest side, below which three points have no plane.
#define MIN_PLANE_AREA 1.0e-11
/// Largest coordinate in metres; its square is a finite float.
#define MAX_COORDINATE 1.0e18f

/// Thickness, relative to the extent, above which a point set has a hull for certain: far above the
/// tolerances of the build. geometry/hull builds hulls of point sets on both sides of it.
#define FULL_THICKNESS 0.01

static double GetPlaneDistance(const tdQuickFace* face, tdVec3 p)
{
    return face->normal[0] * (double)p.x + face->normal[1] * (double)p.y + face->normal[2] * (double)p.z -
           face->offset;
}

/// Computes the plane of a face. False: the three points are collinear.
static bool SetPlane(const tdQuickHull* hull, tdQuickFace* face)
{
    tdVec3 a = hull->points[face->vertices[0]], b = hull->points[face->vertices[1]];
    tdVec3 c = hull->points[face->vertices[2]];
    double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
    double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    double length = sqrt(nx * nx + ny * ny + nz * nz);
    double longest = ux * ux + uy * uy + uz * uz;
    double other = vx * vx + vy * vy + vz * vz;
    longest = other > longest ? other : longest;
    if (!(length > MIN_PLANE_AREA * longest) || !(length > 0.0))
    {
        return false;
    }
    face->normal[0] = nx / length;
    face->normal[1] = ny / length;
    face->normal[2] = nz / length;
    face->offset =
        face->normal[0] * (double)a.x + face->normal[1] * (double)a.y + face->normal[2] * (double)a.z;
    return true;
}

/// Puts a point on the list of the first face from `first` on that it is outside of.
static void AssignPoint(tdQuickHull* hull, int point, int first)
{
    for (int i = first; i < hull->faces.count; ++i)
    {
        tdQuickFace* face = hull->faces.data + i;
        double distance = face->isAlive ? GetPlaneDistance(face, hull->points[point]) : -1.0;
        if (distance > hull->tolerance)
        {
            hull->next[point] = face->outside;
            face->outside = point;
            if (distance > face->distance)
            {
                face->distance = distance;
                face->farthest = point;
            }
            return;
        }
    }
}

static tdQuickFace MakeFace(int a, int b, int c)
{
    return (tdQuickFace){
        .vertices = {a, b, c}, .neighbors = {-1, -1, -1}, .outside = -1, .farthest = -1, .isAlive = true};
}

static tdGeometryStatus CheckPoints(const tdVec3* points, int count)
{
    for (int i = 0; i < count; ++i)
    {
        tdVec3 p = tdAbs(points[i]);
        if (!(p.x < MAX_COORDINATE && p.y < MAX_COORDINATE && p.z < MAX_COORDINATE))
        {
            return TD_GEOMETRY_NOT_FINITE;
        }
    }
    return TD_GEOMETRY_OK;
}

/// Finds four points that span a volume: two extremes, the point farthest from their line, and the point
/// farthest from the plane of these three.
static tdGeometryStatus FindSimplex(tdQuickHull* hull, int simplex[4])
{
    const tdVec3* points = hull->points;
    int lowest[3] = {0, 0, 0}, highest[3] = {0, 0, 0};
    for (int i = 1; i < hull->pointCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            float value = tdGetComponent(points[i], axis);
            lowest[axis] = value < tdGetComponent(points[lowest[axis]], axis) ? i : lowest[axis];
            highest[axis] = value > tdGetComponent(points[highest[axis]], axis) ? i : highest[axis];
        }
    }
    hull->extent = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double width = (double)tdGetComponent(points[highest[axis]], axis) -
                       (double)tdGetComponent(points[lowest[axis]], axis);
        if (width > hull->extent)
        {
            hull->extent = width;
            simplex[0] = lowest[axis];
            simplex[1] = highest[axis];
        }
    }
    if (!(hull->extent > 0.0))
    {
        return TD_GEOMETRY_TOO_FEW;
    }
    hull->tolerance = OUTSIDE_TOLERANCE * hull->extent;
    double flat = FLAT_TOLERANCE * hull->extent;
    tdVec3 a = points[simplex[0]], b = points[simplex[1]];
    double dx = (double)b.x - (double)a.x, dy = (double)b.y - (double)a.y, dz = (double)b.z - (double)a.z;
    double length = sqrt(dx * dx + dy * dy + dz * dz);
    double best = 0.0;
    simplex[2] = simplex[3] = -1;
    for (int i = 0; i < hull->pointCount; ++i)
    {
        double px = (double)points[i].x - (double)a.x, py = (double)points[i].y - (double)a.y;
        double pz = (double)points[i].z - (double)a.z;
        double cx = dy * pz - dz * py, cy = dz * px - dx * pz, cz = dx * py - dy * px;
        double distance = sqrt(cx * cx + cy * cy + cz * cz) / length;
        if (distance > best)
        {
            best = distance;
            simplex[2] = i;
        }
    }
    if (!(best > flat))
    {
        return TD_GEOMETRY_FLAT;
    }
    tdQuickFace face = MakeFace(simplex[0], simplex[1], simplex[2]);
    if (!SetPlane(hull, &face))
    {
        return TD_GEOMETRY_FLAT;
    }
    best = 0.0;
    for (int i = 0; i < hull->pointCount; ++i)
    {
        double distance = GetPlaneDistance(&face, points[i]);
        if (fabs(distance) > fabs(best))
        {
            best = distance;
            simplex[3] = i;
        }
    }
    if (!(fabs(best) > flat))
    {
        return TD_GEOMETRY_FLAT;
    }
    if (best > 0.0)
    {
        int swap = simplex[0];
        simplex[0] = simplex[1];
        simplex[1] = swap;
    }
    return TD_GEOMETRY_OK;
}

static bool AddSimplex(tdQuickHull* hull, const int s[4])
{
    // The normal of face 0 points away from s[3]; each other face has one edge of face 0 and s[3].
    tdQuickFace faces[4] = {MakeFace(s[0], s[1], s[2]), MakeFace(s[1], s[0], s[3]),
                            MakeFace(s[2], s[1], s[3]), MakeFace(s[0], s[2], s[3])};
    static const int neighbors[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    for (int i = 0; i < 4; ++i)
    {
        SetPlane(hull, &faces[i]);
        for (int e = 0; e < 3; ++e)
        {
            faces[i].neighbors[e] = neighbors[i][e];
        }
        if (!tdArray_Push(hull->allocator, &hull->faces, faces[i]))
        {
            return false;
        }
    }
    for (int i = 0; i < hull->pointCount; ++i)
    {
        AssignPoint(hull, i, 0);
    }
    hull->vertexCount = 4;
    return true;
}

static int FindEdgeToFace(const tdQuickFace* face, int neighbor)
{
    return face->neighbors[0] == neighbor ? 0 : (face->neighbors[1] == neighbor ? 1 : 2);
}

/// Finds the faces visible from the point and the edges around them. False: out of memory.
static bool FindHorizon(tdQuickHull* hull, int start, tdVec3 point, int mark)
{
    hull->visible.count = hull->stack.count = hull->horizon.count = 0;
    hull->faces.data[start].mark = mark;
    if (!tdArray_Push(hull->allocator, &hull->visible, start) ||
        !tdArray_Push(hull->allocator, &hull->stack, start))
    {
        return false;
    }
    while (hull->stack.count > 0)
    {
        int index = hull->stack.data[--hull->stack.count];
        for (int e = 0; e < 3; ++e)
        {
            int beyond = hull->faces.data[index].neighbors[e];
            tdQuickFace* other = hull->faces.data + beyond;
            if (other->mark == mark)
            {
                continue;
            }
            if (GetPlaneDistance(other, point) > hull->tolerance)
            {
                other->mark = mark;
                if (!tdArray_Push(hull->allocator, &hull->visible, beyond) ||
                    !tdArray_Push(hull->allocator, &hull->stack, beyond))
                {
                    return false;
                }
            }
        }
    }
    for (int i = 0; i < hull->visible.count; ++i)
    {
        const tdQuickFace* face = hull->faces.data + hull->visible.data[i];
        for (int e = 0; e < 3; ++e)
        {
            int beyond = face->neighbors[e];
            if (hull->faces.data[beyond].mark != mark &&
                (!tdArray_Push(hull->allocator, &hull->horizon, beyond) ||
                 !tdArray_Push(hull->allocator, &hull->horizon,
                               FindEdgeToFace(hull->faces.data + beyond, hull->visible.data[i]))))
            {
                return false;
            }
        }
    }
    return true;
}

/// Sorts the horizon so that each edge starts where the one before it ends. False: it is not one simple loop.
static bool OrderHorizon(tdQuickHull* hull)
{
    int count = hull->horizon.count / 2;
    int* pairs = hull->horizon.data;
    for (int i = 0; i < count; ++i)
    {
        // Around the hole the edge runs from vertex e + 1 of the face beyond it to vertex e.
        const tdQuickFace* face = hull->faces.data + pairs[2 * i];
        int end = face->vertices[pairs[2 * i + 1]];
        int wanted = i + 1;
        int found = -1, matches = 0;
        for (int j = (i + 1 < count ? i + 1 : 0); j < count; ++j)
        {
            const tdQuickFace* other = hull->faces.data + pairs[2 * j];
            if (other->vertices[(pairs[2 * j + 1] + 1) % 3] == end)
            {
                found = j;
                matches += 1;
            }
            if (i + 1 == count)
            {
                break;
            }
        }
        if (matches != 1)
        {
            return false;
        }
        if (i + 1 < count)
        {
            int face2 = pairs[2 * found], edge2 = pairs[2 * found + 1];
            pairs[2 * found] = pairs[2 * wanted];
            pairs[2 * found + 1] = pairs[2 * wanted + 1];
            pairs[2 * wanted] = face2;
            pairs[2 * wanted + 1] = edge2;
        }
    }
    return count >= 3;
}

/// Replaces the faces visible from the point by a cone of new faces. A point that would make a degenerate
/// face is discarded instead.
/// @return false: out of memory
static bool InsertPoint(tdQuickHull* hull, int start, int point, int mark)
{
    if (!FindHorizon(hull, start, hull->points[point], mark))
    {
        return false;
    }
    int count = hull->horizon.count / 2, first = hull->faces.count;
    bool isSound = OrderHorizon(hull);
    for (int i = 0; i < count && isSound; ++i)
    {
        int beyond = hull->horizon.data[2 * i], edge = hull->horizon.data[2 * i + 1];
        const tdQuickFace* other = hull->faces.data + beyond;
        tdQuickFace face = MakeFace(other->vertices[(edge + 1) % 3], other->vertices[edge], point);
        face.neighbors[0] = beyond;
        face.neighbors[1] = first + (i + 1 < count ? i + 1 : 0);
        face.neighbors[2] = first + (i > 0 ? i - 1 : count - 1);
        isSound = SetPlane(hull, &face);
        if (isSound && !tdArray_Push(hull->allocator, &hull->faces, face))
        {
            return false;
        }
    }
    if (!isSound)
    {
        // Removes the point from the list of its face.
        hull->faces.count = first;
        tdQuickFace* face = hull->faces.data + start;
        int* link = &face->outside;
        face->farthest = -1;
        face->distance = 0.0;
        while (*link >= 0)
        {
            int current = *link;
            if (current == point)
            {
                *link = hull->next[current];
                continue;
            }
            double distance = GetPlaneDistance(face, hull->points[current]);
            if (distance > face->distance)
            {
                face->distance = distance;
                face->farthest = current;
            }
            link = &hull->next[current];
        }
        return true;
    }
    for (int i = 0; i < count; ++i)
    {
        hull->faces.data[hull->horizon.data[2 * i]].neighbors[hull->horizon.data[2 * i + 1]] = first + i;
    }
    for (int i = 0; i < hull->visible.count; ++i)
    {
        hull->faces.data[hull->visible.data[i]].isAlive = false;
    }
    for (int i = 0; i < hull->visible.count; ++i)
    {
        int current = hull->faces.data[hull->visible.data[i]].outside;
        while (current >= 0)
        {
            int next = hull->next[current];
            if (current != point)
            {
                AssignPoint(hull, current, first);
            }
            current = next;
        }
    }
    hull->vertexCount += 1;
    return true;
}

bool tdIsFullDimensional(const tdVec3* points, int count, tdAabb* box)
{
    tdQuickHull hull = {.points = points, .pointCount = count};
    int simplex[4] = {0, 0, 0, 0};
    if (count < 4 || CheckPoints(points, count) != TD_GEOMETRY_OK ||
        FindSimplex(&hull, simplex) != TD_GEOMETRY_OK)
    {
        return false;
    }
    tdQuickFace face = MakeFace(simplex[0], simplex[1], simplex[2]);
    double height = SetPlane(&hull, &face) ? GetPlaneDistance(&face, points[simplex[3]]) : 0.0;
    tdVec3 a = points[simplex[0]];
    tdVec3 across = tdCross(tdSub(points[simplex[1]], a), tdSub(points[simplex[2]], a));
    *box = (tdAabb){a, a};
    for (int i = 0; i < count; ++i)
    {
        box->lower = tdMin(box->lower, points[i]);
        box->upper = tdMax(box->upper, points[i]);
    }
    double least = FULL_THICKNESS * hull.extent;
    return fabs(height) > least && (double)tdLength(across) > least * hull.extent;
}

tdGeometryStatus tdQuickHull_Build(tdQuickHull* hull, const tdVec3* points, int count, int maxVertices,
                                   const tdAllocator* allocator)
{
    *hull = (tdQuickHull){.allocator = allocator, .points = points, .pointCount = count};
    if (count < 4)
    {
        return TD_GEOMETRY_TOO_FEW;
    }
    int simplex[4] = {0, 0, 0, 0};
    tdGeometryStatus status = CheckPoints(points, count);
    status = status == TD_GEOMETRY_OK ? FindSimplex(hull, simplex) : status;
    if (status != TD_GEOMETRY_OK)
    {
        return status;
    }
    hull->next = tdAllocate(allocator, (size_t)count * sizeof(int), _Alignof(int));
    if (hull->next == NULL || !AddSimplex(hull, simplex))
    {
        return TD_GEOMETRY_OUT_OF_MEMORY;
    }
    int mark = 0;
    for (int i = 0; i < hull->faces.count; ++i)
    {
        while (hull->faces.data[i].isAlive && hull->faces.data[i].farthest >= 0)
        {
            if (hull->vertexCount >= maxVertices)
            {
                return TD_GEOMETRY_OK;
            }
            mark += 1;
            if (!InsertPoint(hull, i, hull->faces.data[i].farthest, mark))
            {
                return TD_GEOMETRY_OUT_OF_MEMORY;
            }
        }
    }
    return TD_GEOMETRY_OK;
}

void tdQuickHull_Free(tdQuickHull* hull)
{
    tdRelease(hull->allocator, hull->next, (size_t)hull->pointCount * sizeof(int));
    tdArray_Free(hull->allocator, &hull->faces);
    tdArray_Free(hull->allocator, &hull->visible);
    tdArray_Free(hull->allocator, &hull->stack);
    tdArray_Free(hull->allocator, &hull->horizon);
}
