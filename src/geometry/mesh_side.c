// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sides of a mesh.
//
// The side of a shell is the side of its face nearest to the point. Where two faces meet in the nearest
// point, the face that the point sees more steeply decides: the other one may have the point behind its
// plane, beyond the edge.
#include "mesh_side.h"

/// Squared distances that differ by less than this share are equal: the nearest point is on a common edge.
#define SAME_DISTANCE 1.0e-4f
/// Distance by which a segment may pass beside a face and still passes it, relative to the size of the face:
/// faces have no gaps between them.
#define EDGE_TOLERANCE 1.0e-5f

void tdMeshSides_Init(tdMeshSides* sides, const tdTriangles* mesh, tdAabb box, tdVec3 point)
{
    sides->mesh = mesh;
    sides->box = box;
    sides->point = point;
    sides->count = 0;
    sides->hasChanged = false;
}

void tdMeshSides_Remember(tdMeshSides* sides, uint32_t shell, int side)
{
    sides->list[0] = (tdShellSide){.shell = shell, .side = (int8_t)side, .isRemembered = true};
    sides->count = 1;
}

/// Closest point of a triangle to p.
static tdVec3 FindClosestOnTriangle(const tdVec3* corners, tdVec3 normal, tdVec3 p)
{
    tdVec3 inside = tdMulSub(p, tdDot(normal, tdSub(p, corners[0])), normal), best = inside;
    float bestSquared = INFINITY;
    bool isOutside = false;
    for (int e = 0; e < 3; ++e)
    {
        tdVec3 a = corners[e], d = tdSub(corners[e < 2 ? e + 1 : 0], a), toPoint = tdSub(inside, a);
        if (tdDot(tdCross(d, normal), toPoint) > 0.0f)
        {
            isOutside = true;
            float t = tdClampFloat(tdDot(toPoint, d) / tdDot(d, d), 0.0f, 1.0f);
            tdVec3 q = tdMulAdd(a, t, d);
            float squared = tdLengthSquared(tdSub(q, inside));
            best = squared < bestSquared ? q : best;
            bestSquared = tdMinFloat(squared, bestSquared);
        }
    }
    return isOutside ? best : inside;
}

int tdMeshSides_Find(const tdMeshSides* sides, uint32_t shell)
{
    const tdTriangles* mesh = sides->mesh;
    float nearest = INFINITY, steepest = 0.0f;
    int side = 1;
    tdTriangleQuery query;
    tdTriangleQuery_Init(&query, mesh, sides->box);
    int triangle;
    while ((triangle = tdTriangleQuery_Next(&query)) >= 0)
    {
        uint32_t bits = mesh->shells[triangle];
        if (bits >> TD_SHELL_SHIFT != shell)
        {
            continue;
        }
        tdVec3 normal = mesh->normals[triangle];
        tdVec3 delta = tdSub(sides->point, FindClosestOnTriangle(query.corners, normal, sides->point));
        float squared = tdLengthSquared(delta), height = tdDot(normal, delta);
        height = (bits & TD_SHELL_REVERSED) != 0 ? -height : height;
        // The height is the distance times the sine of the angle to the face.
        bool isEqual = squared < nearest * (1.0f + SAME_DISTANCE) && tdAbsFloat(height) > steepest;
        if (squared < nearest * (1.0f - SAME_DISTANCE) || isEqual)
        {
            nearest = tdMinFloat(squared, nearest);
            steepest = tdAbsFloat(height);
            side = height >= 0.0f ? 1 : -1;
        }
    }
    return side;
}

/// True if an edge of a triangle is a border.
static bool IsAtBorder(const tdTriangles* mesh, uint32_t triangle)
{
    unsigned kinds = mesh->edgeKinds[triangle] & 0x3Fu;
    return (kinds & kinds >> 1 & 0x15u) != 0; // TD_EDGE_BORDER is 3
}

int tdMeshSides_Choose(tdMeshSides* sides, uint32_t triangle, float height)
{
    uint32_t bits = sides->mesh->shells[triangle], shell = bits >> TD_SHELL_SHIFT;
    bool isReversed = (bits & TD_SHELL_REVERSED) != 0;
    float own = isReversed ? -height : height;
    int seen = own >= 0.0f ? 1 : -1, at = 0;
    while (at < sides->count && sides->list[at].shell != shell)
    {
        at += 1;
    }
    if (at == TD_MAX_NEAR_SHELLS)
    {
        return height >= 0.0f ? 1 : -1;
    }
    tdShellSide* known = &sides->list[at];
    if (at == sides->count)
    {
        *known = (tdShellSide){.shell = shell, .side = (int8_t)seen};
        sides->count += 1;
    }
    if (known->side != seen && !known->isSure && (!known->isRemembered || IsAtBorder(sides->mesh, triangle)))
    {
        // Around a border a point comes to the other side without passing a face.
        int side = tdMeshSides_Find(sides, shell);
        known->isSure = true;
        sides->hasChanged = sides->hasChanged || side != known->side;
        known->side = (int8_t)side;
    }
    return known->side != seen ? 0 : (isReversed ? -seen : seen);
}

int tdMeshSides_Orient(tdMeshSides* sides, uint32_t triangle, float height)
{
    int side = tdMeshSides_Choose(sides, triangle, height);
    return side != 0 ? side : (height >= 0.0f ? -1 : 1);
}

/// Fraction of the segment at which it passes a triangle; INFINITY: it does not.
static float FindPass(const tdVec3* corners, tdVec3 normal, tdVec3 start, tdVec3 end)
{
    float before = tdDot(normal, tdSub(start, corners[0])), after = tdDot(normal, tdSub(end, corners[0]));
    if ((before >= 0.0f) == (after >= 0.0f))
    {
        return INFINITY;
    }
    float t = before / (before - after);
    tdVec3 p = tdLerp(start, end, t);
    for (int e = 0; e < 3; ++e)
    {
        tdVec3 a = corners[e], d = tdSub(corners[e < 2 ? e + 1 : 0], a);
        if (tdDot(tdCross(d, normal), tdSub(p, a)) > EDGE_TOLERANCE * tdLengthSquared(d))
        {
            return INFINITY;
        }
    }
    return t;
}

bool tdTriangles_FindPassed(const tdTriangles* mesh, tdVec3 start, tdVec3 end, tdPassedFace* passed)
{
    tdTriangleQuery query;
    tdTriangleQuery_Init(&query, mesh, (tdAabb){tdMin(start, end), tdMax(start, end)});
    float first = INFINITY;
    int triangle;
    while ((triangle = tdTriangleQuery_Next(&query)) >= 0)
    {
        tdVec3 normal = mesh->normals[triangle];
        float t = FindPass(query.corners, normal, start, end);
        if (t < first)
        {
            first = t;
            bool isBehind = tdDot(normal, tdSub(start, query.corners[0])) < 0.0f;
            passed->normal = isBehind ? tdNegate(normal) : normal;
            passed->offset = tdDot(passed->normal, query.corners[0]);
            uint32_t bits = mesh->shells[triangle];
            passed->shell = bits >> TD_SHELL_SHIFT;
            passed->side = ((bits & TD_SHELL_REVERSED) != 0) == isBehind ? 1 : -1;
        }
    }
    return first < INFINITY;
}
