// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mesh against mesh, mesh against sheet, and mesh against unbounded plane. Pairs of faces meet like convex
// pieces with three kinds of axes: the one's normal, the other's, and crossings of edges that are allowed to
// stick out. The axis of least overlap wins, so that a thin overlap at a rim is not taken for a deep one
// through the face beside it.
#include "physics/narrow_phase/manifold_meshes.h"

#include "geometry/bounds.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/manifold_face.h"

typedef struct tdFacePair
{
    const tdFace *a, *b; // both in the frame of A
    tdVec3 centerA, centerB;
    float deepest; // overlaps beyond this are not contacts but faces that happen to be on the far side
    float margin;
    tdClusters* clusters;
} tdFacePair;

static float HeightOver(const tdFace* plane, const tdFace* face)
{
    float lowest = INFINITY;
    for (int i = 0; i < face->count; ++i)
    {
        lowest = tdMinFloat(lowest, tdDot(plane->normal, face->points[i]));
    }
    return lowest - plane->offset;
}

static uint32_t PairId(const tdFacePair* pair, uint32_t id)
{
    uint32_t hash = (pair->a->index + 1u) * 2654435761u ^ (pair->b->index + 1u) * 2246822519u;
    return (hash & 0xFFFFF000u) ^ (id & 0xFFFu);
}

/// Points of `incident` over `reference`.
static void AddFacePoints(const tdFacePair* pair, const tdFace* reference, const tdFace* incident,
                          bool isFlipped)
{
    static const uint32_t tags[4] = {1, 2, 3, 4};
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    for (int i = 0; i < incident->count; ++i)
    {
        points[i] = (tdClipPoint){incident->points[i], 0.0f, (uint32_t)i};
    }
    int count =
        tdClipToPrism(reference->points, tags, reference->count, reference->normal, points, incident->count);
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        float separation = points[i].separation;
        if (separation <= pair->margin)
        {
            tdVec3 position = tdMulSub(points[i].position, 0.5f * separation, reference->normal);
            points[kept++] =
                (tdClipPoint){position, separation, PairId(pair, points[i].id ^ (isFlipped ? 0x800u : 0u))};
        }
    }
    tdClusters_Add(pair->clusters, isFlipped ? tdNegate(reference->normal) : reference->normal, points, kept);
}

typedef struct tdEdgeAxis
{
    float separation;
    tdVec3 normal, position;
    uint32_t id;
} tdEdgeAxis;

static bool IsSharpEdge(const tdFace* face, int e)
{
    return face->isActive[e] && face->cosines[e] < 0.98f;
}

/// Does the unit direction `n` lie between the face's normal and what is beyond its edge e?
static bool LeavesOverEdge(const tdFace* face, tdVec3 along, int e, tdVec3 n)
{
    return tdDot(n, face->normal) >= tdMaxFloat(face->cosines[e], 0.0f) - 0.01f &&
           tdDot(n, tdCross(along, face->normal)) >= 0.0f;
}

static void QueryEdges(const tdFacePair* pair, tdEdgeAxis* best)
{
    const tdFace *a = pair->a, *b = pair->b;
    for (int i = 0; i < a->count; ++i)
    {
        if (!IsSharpEdge(a, i))
        {
            continue;
        }
        tdVec3 p = a->points[i], u = tdSub(a->points[i + 1 < a->count ? i + 1 : 0], p);
        for (int j = 0; j < b->count; ++j)
        {
            if (!IsSharpEdge(b, j))
            {
                continue;
            }
            tdVec3 q = b->points[j], v = tdSub(b->points[j + 1 < b->count ? j + 1 : 0], q);
            tdVec3 n = tdCross(u, v);
            float squared = tdLengthSquared(n), uu = tdDot(u, u), vv = tdDot(v, v);
            if (squared < 1.0e-4f * uu * vv)
            {
                continue;
            }
            n = tdScale(1.0f / sqrtf(squared), n);
            n = tdDot(n, tdSub(a->normal, b->normal)) < 0.0f ? tdNegate(n) : n;
            if (!LeavesOverEdge(a, u, i, n) || !LeavesOverEdge(b, v, j, tdNegate(n)))
            {
                continue;
            }
            tdVec3 d = tdSub(q, p);
            float separation = tdDot(n, d);
            float uv = tdDot(u, v), ud = tdDot(u, d), vd = tdDot(v, d), determinant = uu * vv - uv * uv;
            float s = (ud * vv - uv * vd) / determinant, t = (uv * ud - vd * uu) / determinant;
            if (separation <= best->separation || s < 0.0f || s > 1.0f || t < 0.0f || t > 1.0f)
            {
                continue;
            }
            best->separation = separation;
            best->normal = n;
            best->position = tdLerp(tdMulAdd(p, s, u), tdMulAdd(q, t, v), 0.5f);
            best->id = 0x400u | (uint32_t)(4 * i + j);
        }
    }
}

/// A face pushes what has its middle in front of it; what has it behind only near the surface.
static float GetDepthLimit(const tdFacePair* pair, const tdFace* face, tdVec3 middle)
{
    bool isInFront = tdDot(face->normal, middle) >= face->offset;
    return isInFront ? -pair->deepest : -0.1f * pair->deepest;
}

static void CollideFacePair(const tdFacePair* pair)
{
    const tdFace *a = pair->a, *b = pair->b;
    float overB = HeightOver(b, a), overA = HeightOver(a, b);
    if (overB > pair->margin || overA > pair->margin || tdDot(a->normal, b->normal) > 0.5f)
    {
        return;
    }
    // A pair of edges must be clearly shallower than the faces, which carry more points.
    tdEdgeAxis edge = {.separation = 0.5f * tdMaxFloat(overA, overB)};
    if (edge.separation < -0.01f * pair->deepest)
    {
        QueryEdges(pair, &edge);
        if (edge.id != 0)
        {
            if (edge.separation <= pair->margin)
            {
                tdClipPoint point = {edge.position, edge.separation, PairId(pair, edge.id)};
                tdClusters_Add(pair->clusters, edge.normal, &point, 1);
            }
            return;
        }
    }
    // The shallower wins, if it can be a contact at all and inner edges do not forbid its normal.
    bool canA = overA >= GetDepthLimit(pair, a, pair->centerB),
         canB = overB >= GetDepthLimit(pair, b, pair->centerA);
    if (canA && canB)
    {
        bool allowsA = tdFace_AllowsNormal(b, tdNegate(a->normal)),
             allowsB = tdFace_AllowsNormal(a, tdNegate(b->normal));
        canA = allowsA || !allowsB;
        canB = allowsB || !allowsA;
    }
    if (canA && (overA >= overB || !canB))
    {
        AddFacePoints(pair, a, b, false);
    }
    else if (canB)
    {
        AddFacePoints(pair, b, a, true);
    }
}

static void PlaceFace(tdFace* face, const tdTransform* pose, tdFace* placed)
{
    tdFace_FindEdges(face);
    *placed = *face;
    for (int i = 0; i < face->count; ++i)
    {
        placed->points[i] = tdTransformPoint(*pose, face->points[i]);
    }
    placed->normal = tdRotate(pose->rotation, face->normal);
    placed->offset = tdDot(placed->normal, placed->points[0]);
}

static tdAabb BoundFace(const tdFace* face, const tdTransform* pose, float margin)
{
    tdVec3 p = tdTransformPoint(*pose, face->points[0]);
    tdAabb box = {p, p};
    for (int i = 1; i < face->count; ++i)
    {
        p = tdTransformPoint(*pose, face->points[i]);
        box.lower = tdMin(box.lower, p);
        box.upper = tdMax(box.upper, p);
    }
    tdVec3 pad = {margin, margin, margin};
    return (tdAabb){tdSub(box.lower, pad), tdAdd(box.upper, pad)};
}

/// Box of a shape's own frame as seen in another frame.
static tdAabb BoundIn(const tdShapeGeometry* shape, tdTransform pose, float margin)
{
    tdShapeGeometry unplaced = *shape;
    unplaced.local = tdTransform_identity;
    tdAabb box = tdShape_ComputeAabb(&unplaced, pose);
    tdVec3 pad = {margin, margin, margin};
    return (tdAabb){tdSub(box.lower, pad), tdAdd(box.upper, pad)};
}

/// All corners of the mesh near or below an unbounded plane. `bInA` places the mesh in the frame of the
/// plane.
static int CollideHalfSpace(const tdShapeGeometry* plane, const tdTriangles* mesh, tdTransform bInA,
                            float margin, tdManifold* manifold)
{
    // Height over the plane as a function of the mesh's own coordinates.
    tdMat3 rotation = tdMat3FromQuat(bInA.rotation);
    tdVec3 up = {rotation.cx.y, rotation.cy.y, rotation.cz.y};
    float base = bInA.position.y;
    tdVec3 middle = tdScale(0.5f, tdAdd(mesh->aabb.lower, mesh->aabb.upper));
    float side = plane->plane.isDoubleSided && tdDot(up, middle) + base < 0.0f ? -1.0f : 1.0f;
    up = tdScale(side, up);
    base *= side;
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    int count = 0, depth = 0;
    uint32_t stack[TD_BVH_MAX_DEPTH];
    tdVec3 normal = {0.0f, side, 0.0f};
    stack[depth++] = 0;
    while (depth > 0)
    {
        uint32_t index = stack[--depth];
        const tdBvhNode* node = mesh->nodes + index;
        tdVec3 lowest = {up.x > 0.0f ? node->lower.x : node->upper.x,
                         up.y > 0.0f ? node->lower.y : node->upper.y,
                         up.z > 0.0f ? node->lower.z : node->upper.z};
        if (tdDot(up, lowest) + base > margin)
        {
            continue;
        }
        if (node->count == 0)
        {
            stack[depth++] = node->next;
            stack[depth++] = index + 1;
            continue;
        }
        for (uint32_t k = 3 * node->next; k < 3 * (node->next + node->count); ++k)
        {
            uint32_t vertex = mesh->indices[k];
            float separation = tdDot(up, mesh->vertices[vertex]) + base;
            bool isNew = separation <= margin;
            for (int i = 0; i < count && isNew; ++i)
            {
                isNew = points[i].id != vertex;
            }
            if (isNew)
            {
                if (count == TD_MAX_CLIP_POINTS)
                {
                    count = tdReducePoints(points, count, normal);
                }
                tdVec3 p = tdTransformPoint(bInA, mesh->vertices[vertex]);
                p.y = 0.5f * side * separation;
                points[count++] = (tdClipPoint){p, separation, vertex};
            }
        }
    }
    if (count == 0)
    {
        return 0;
    }
    tdFillManifold(manifold, normal, points, count);
    return 1;
}

static bool IsUnbounded(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_PLANE && shape->plane.halfX == INFINITY && shape->plane.halfZ == INFINITY;
}

int tdCollideMeshes(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, float margin,
                    tdManifold* manifolds, int capacity)
{
    if (a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_PLANE)
    {
        return 0; // no plane stands on another
    }
    if (IsUnbounded(a))
    {
        return capacity > 0 ? CollideHalfSpace(a, b->mesh, bInA, margin, manifolds) : 0;
    }
    tdTransform aInB = tdInvTransform(bInA);
    if (IsUnbounded(b))
    {
        int count = capacity > 0 ? CollideHalfSpace(b, a->mesh, aInB, margin, manifolds) : 0;
        for (int i = 0; i < count; ++i)
        {
            manifolds[i].normal = tdNegate(tdRotate(bInA.rotation, manifolds[i].normal));
            for (int k = 0; k < manifolds[i].pointCount; ++k)
            {
                manifolds[i].points[k].position = tdTransformPoint(bInA, manifolds[i].points[k].position);
            }
        }
        return count;
    }
    tdClusters clusters;
    clusters.count = 0;
    clusters.limit = INFINITY; // told by deepest, per face
    tdAabb boxB = BoundIn(b, bInA, margin);
    tdVec3 size = tdSub(boxB.upper, boxB.lower);
    clusters.weld = tdMinFloat(1.0e-3f * tdMaxFloat(size.x, tdMaxFloat(size.y, size.z)), 0.01f);
    tdFaceSource sourceA;
    tdFaceSource_Init(&sourceA, a, boxB);
    tdVec3 centerA = tdVec3_zero, centerB = bInA.position;
    if (a->kind == TD_SHAPE_MESH)
    {
        centerA = tdScale(0.5f, tdAdd(a->mesh->aabb.lower, a->mesh->aabb.upper));
    }
    if (b->kind == TD_SHAPE_MESH)
    {
        centerB = tdTransformPoint(bInA, tdScale(0.5f, tdAdd(b->mesh->aabb.lower, b->mesh->aabb.upper)));
    }
    float deepest = tdMaxFloat(tdMinFloat(tdGetThickness(a), tdGetThickness(b)), margin);
    tdFace faceA;
    while (tdFaceSource_Next(&sourceA, &faceA))
    {
        if (sourceA.isDoubleSided)
        {
            tdFace_TurnTowards(&faceA, centerB);
        }
        tdFace_FindEdges(&faceA);
        tdFaceSource sourceB;
        tdFaceSource_Init(&sourceB, b, BoundFace(&faceA, &aInB, margin));
        tdFace faceB, placed;
        while (tdFaceSource_Next(&sourceB, &faceB))
        {
            if (sourceB.isDoubleSided)
            {
                tdFace_TurnTowards(&faceB, tdTransformPoint(aInB, centerA));
            }
            PlaceFace(&faceB, &bInA, &placed);
            tdFacePair pair = {&faceA, &placed, centerA, centerB, deepest, margin, &clusters};
            CollideFacePair(&pair);
        }
    }
    return tdClusters_Finish(&clusters, manifolds, capacity);
}
