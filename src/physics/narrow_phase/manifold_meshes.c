// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mesh against mesh, sheet or unbounded plane. A pair of faces has three kinds of axes: the normals of both
// faces and the cross products of sharp edges. The axis of least overlap has the contact, so that a shallow
// overlap at a rim is not taken for a deep one of the face beside it. Decision: docs/decisions/051-meshes.md.
#include "physics/narrow_phase/manifold_meshes.h"

#include "geometry/bounds.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/manifold_face.h"
#include "physics/narrow_phase/separating_axis.h"

// Thresholds. With 3 times the value physics/one_sided notices BEHIND_DEPTH, and physics/manifold_mesh
// notices SAME_SIDE_COSINE and EDGE_SHARE.

/// Depth up to which a face collides with a mesh whose centre is behind the face, in depth limits.
#define BEHIND_DEPTH 0.1f
/// Cosine between the normals of two faces above which they cannot face each other: 60 degrees.
#define SAME_SIDE_COSINE 0.5f
/// Separation of a pair of edges, relative to that of the faces, from which it has the contact; and the
/// depth, in depth limits, from which edges are tested: faces give more points.
#define EDGE_SHARE 0.5f
#define EDGE_MIN_DEPTH 0.01f
/// Distance of points that are merged: relative to the size of B, and the maximum in metres.
#define WELD_SIZE 1.0e-3f
#define MAX_WELD 0.01f
/// Feature ids: bits of the kinds of contact.
#define ID_SHARP_EDGES 0x400u
#define ID_SECOND_REFERENCE 0x800u

typedef struct tdFacePair
{
    const tdFace *a, *b; // both in the frame of A
    tdVec3 centerA, centerB;
    float deepest; // deeper overlaps belong to the far side of a mesh and are no contacts, m
    float margin;
    tdClusters* clusters;
} tdFacePair;

/// Height of the lowest corner of `face` above the plane of another face.
static float GetHeightOver(const tdFace* plane, const tdFace* face)
{
    float lowest = INFINITY;
    for (int i = 0; i < face->count; ++i)
    {
        lowest = tdMinFloat(lowest, tdDot(plane->normal, face->points[i]));
    }
    return lowest - plane->offset;
}

static uint32_t MakePairId(const tdFacePair* pair, uint32_t id)
{
    uint32_t hash = (pair->a->index + 1u) * 2654435761u ^ (pair->b->index + 1u) * 2246822519u;
    return (hash & 0xFFFFF000u) ^ (id & 0xFFFu);
}

/// Clips the incident face to the reference face and adds the points.
static void AddTrianglePoints(const tdFacePair* pair, const tdFace* reference, const tdFace* incident,
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
                (tdClipPoint){position, separation,
                              MakePairId(pair, points[i].id ^ (isFlipped ? ID_SECOND_REFERENCE : 0u))};
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
    return face->isActive[e] && face->cosines[e] < TD_SHARP_COSINE;
}

/// True if the unit vector `n` lies between the normals of the two faces at edge e.
static bool IsNormalOfEdge(const tdFace* face, tdVec3 along, int e, tdVec3 n)
{
    return tdDot(n, face->normal) >= tdMaxFloat(face->cosines[e], 0.0f) - TD_COSINE_SLACK &&
           tdDot(n, tdCross(along, face->normal)) >= 0.0f;
}

/// Finds the pair of sharp edges with the largest separation above best->separation.
static void QuerySharpEdges(const tdFacePair* pair, tdEdgeAxis* best)
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
            if (squared < TD_PARALLEL_SINE_SQUARED * uu * vv)
            {
                continue;
            }
            n = tdScale(1.0f / sqrtf(squared), n);
            n = tdDot(n, tdSub(a->normal, b->normal)) < 0.0f ? tdNegate(n) : n;
            if (!IsNormalOfEdge(a, u, i, n) || !IsNormalOfEdge(b, v, j, tdNegate(n)))
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
            best->id = ID_SHARP_EDGES | (uint32_t)(4 * i + j);
        }
    }
}

/// Least separation of a contact on a face: small if the centre of the other mesh is behind the face.
static float GetDepthLimit(const tdFacePair* pair, const tdFace* face, tdVec3 center)
{
    bool isInFront = tdDot(face->normal, center) >= face->offset;
    return isInFront ? -pair->deepest : -BEHIND_DEPTH * pair->deepest;
}

static void CollideFacePair(const tdFacePair* pair)
{
    const tdFace *a = pair->a, *b = pair->b;
    float overB = GetHeightOver(b, a), overA = GetHeightOver(a, b);
    if (overB > pair->margin || overA > pair->margin || tdDot(a->normal, b->normal) > SAME_SIDE_COSINE)
    {
        return;
    }
    tdEdgeAxis edge = {.separation = EDGE_SHARE * tdMaxFloat(overA, overB)};
    if (edge.separation < -EDGE_MIN_DEPTH * pair->deepest)
    {
        QuerySharpEdges(pair, &edge);
        if (edge.id != 0)
        {
            if (edge.separation <= pair->margin)
            {
                tdClipPoint point = {edge.position, edge.separation, MakePairId(pair, edge.id)};
                tdClusters_Add(pair->clusters, edge.normal, &point, 1);
            }
            return;
        }
    }
    // The shallower face has the contact, if it is within its depth limit and internal edges allow its
    // normal.
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
        AddTrianglePoints(pair, a, b, false);
    }
    else if (canB)
    {
        AddTrianglePoints(pair, b, a, true);
    }
}

/// Transforms a face into another frame.
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

/// Bounding box of a face in another frame.
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
    return tdGrowAabb(box, margin);
}

/// Bounding box of a shape in another frame; `pose` replaces its local transform.
static tdAabb BoundShape(const tdShapeGeometry* shape, tdTransform pose, float margin)
{
    tdShapeGeometry unplaced = *shape;
    unplaced.local = tdTransform_identity;
    return tdGrowAabb(tdShape_ComputeAabb(&unplaced, pose), margin);
}

/// All vertices of the mesh near or below an unbounded plane, in the frame of the plane.
/// @param bInA transform from the frame of the mesh to that of the plane
static int CollideHalfSpace(const tdShapeGeometry* plane, const tdTriangles* mesh, tdTransform bInA,
                            float margin, tdManifold* manifold)
{
    // The height above the plane is dot(up, p) + base in the coordinates of the mesh.
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

int tdCollideMeshes(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, float margin,
                    tdManifold* manifolds, int capacity)
{
    if (a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_PLANE)
    {
        return 0; // planes do not collide with each other
    }
    if (tdShape_IsUnbounded(a))
    {
        return capacity > 0 ? CollideHalfSpace(a, b->mesh, bInA, margin, manifolds) : 0;
    }
    tdTransform aInB = tdInvTransform(bInA);
    if (tdShape_IsUnbounded(b))
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
    clusters.limit = INFINITY; // GetDepthLimit limits each face
    tdAabb boxB = BoundShape(b, bInA, margin);
    tdVec3 size = tdSub(boxB.upper, boxB.lower);
    clusters.weld = tdMinFloat(WELD_SIZE * tdMaxFloat(size.x, tdMaxFloat(size.y, size.z)), MAX_WELD);
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
            tdFace_FlipTowards(&faceA, centerB);
        }
        tdFace_FindEdges(&faceA);
        tdFaceSource sourceB;
        tdFaceSource_Init(&sourceB, b, BoundFace(&faceA, &aInB, margin));
        tdFace faceB, placed;
        while (tdFaceSource_Next(&sourceB, &faceB))
        {
            if (sourceB.isDoubleSided)
            {
                tdFace_FlipTowards(&faceB, tdTransformPoint(aInB, centerA));
            }
            PlaceFace(&faceB, &bInA, &placed);
            tdFacePair pair = {&faceA, &placed, centerA, centerB, deepest, margin, &clusters};
            CollideFacePair(&pair);
        }
    }
    return tdClusters_Finish(&clusters, manifolds, capacity);
}
