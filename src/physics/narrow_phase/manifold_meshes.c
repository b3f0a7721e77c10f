// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mesh against mesh, sheet or unbounded plane. A pair of faces has three kinds of axes: the normals of both
// faces and the cross products of sharp edges. The axis of least overlap has the contact, so that a shallow
// overlap at a rim is not taken for a deep one of the face beside it. Decision: docs/decisions/051-meshes.md.
#include "physics/narrow_phase/manifold_meshes.h"

#include "geometry/bounds.h"
#include "geometry/mesh_side.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/manifold_face.h"
#include "physics/narrow_phase/manifold_mesh.h"
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
#define ID_MESH_CORES 0xC00u

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

/// The sides of two meshes. The larger one has the smaller one, as a point, on a side of each of its shells.
/// The smaller one has the larger one outside of its closed shells; its open shells turn towards each face.
typedef struct MeshPair
{
    const tdShapeGeometry *a, *b;
    tdTransform bInA, aInB;
    tdAabb boxB; // in the frame of A
    float margin, deepest;
    tdVec3 centerA, centerB; // in the frame of A
    bool isLargeA;
    bool isContained; // the smaller one may be inside closed shells of the larger one
    bool hasSides;    // of the larger one
    bool isHeld;
    tdVec3 point;  // of the smaller one, in the frame of the larger one
    tdVec3 origin; // on the side it came from
    tdMeshSides sides;
    tdClusters* clusters;
} MeshPair;

static bool HasTwoSides(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_MESH && !shape->mesh->isOneSided;
}

/// True for rings and other closed meshes that do not enclose their centre.
static bool IsHollow(const tdTriangles* mesh)
{
    return (mesh->shells[0] & TD_SHELL_CLOSED) != 0 && !(mesh->innerRadius > 0.0f);
}

static float GetLargestExtent(const tdShapeGeometry* shape)
{
    if (shape->kind != TD_SHAPE_MESH)
    {
        return INFINITY;
    }
    tdVec3 size = tdSub(shape->mesh->aabb.upper, shape->mesh->aabb.lower);
    return tdMaxFloat(size.x, tdMaxFloat(size.y, size.z));
}

/// Turns a face of the larger shape to the side of the smaller one.
static void TurnLargeFace(MeshPair* pair, const tdShapeGeometry* large, tdFace* face)
{
    if (large->kind != TD_SHAPE_MESH)
    {
        if (large->plane.isDoubleSided)
        {
            tdFace_FlipTowards(face, pair->point);
        }
        return;
    }
    if (!pair->hasSides)
    {
        return;
    }
    uint32_t bits = large->mesh->shells[face->index];
    int side = (bits & TD_SHELL_REVERSED) != 0 ? -1 : 1;
    if ((bits & TD_SHELL_CLOSED) == 0 || pair->isContained)
    {
        tdVec3 point = pair->isHeld ? pair->origin : pair->point;
        side = tdMeshSides_Orient(&pair->sides, face->index, tdDot(face->normal, point) - face->offset);
    }
    if (side < 0)
    {
        tdFace_Flip(face);
    }
}

/// Turns a face of a closed shell of the smaller mesh outward.
/// @return true if the face belongs to an open shell with two sides, which turns towards each face
static bool TurnSmallFace(const tdShapeGeometry* small, tdFace* face)
{
    if (!HasTwoSides(small))
    {
        return false;
    }
    uint32_t bits = small->mesh->shells[face->index];
    if ((bits & TD_SHELL_CLOSED) == 0)
    {
        return true;
    }
    if ((bits & TD_SHELL_REVERSED) != 0)
    {
        tdFace_Flip(face);
    }
    return false;
}

/// Collides all pairs of faces that are near each other. False: a side has changed, and they must be visited
/// again.
static bool CollideFacePairs(MeshPair* pair)
{
    tdFaceSource sourceA;
    tdFaceSource_Init(&sourceA, pair->a, pair->boxB);
    tdFace faceA;
    tdVec3 centerA = pair->centerA, centerB = pair->centerB;
    if (pair->isHeld && pair->isLargeA)
    {
        centerB = pair->origin;
    }
    else if (pair->isHeld)
    {
        centerA = tdTransformPoint(pair->bInA, pair->origin);
    }
    while (tdFaceSource_Next(&sourceA, &faceA))
    {
        bool turnsA = false;
        if (pair->isLargeA)
        {
            TurnLargeFace(pair, pair->a, &faceA);
        }
        else
        {
            turnsA = TurnSmallFace(pair->a, &faceA);
        }
        tdFace_FindEdges(&faceA);
        tdFaceSource sourceB;
        tdFaceSource_Init(&sourceB, pair->b, BoundFace(&faceA, &pair->aInB, pair->margin));
        tdFace faceB, placed;
        while (tdFaceSource_Next(&sourceB, &faceB))
        {
            bool turnsB = false;
            if (pair->isLargeA)
            {
                turnsB = TurnSmallFace(pair->b, &faceB);
            }
            else
            {
                TurnLargeFace(pair, pair->b, &faceB);
            }
            if (pair->hasSides && pair->sides.hasChanged)
            {
                pair->sides.hasChanged = false;
                return false;
            }
            bool isSameSide = tdDot(faceA.normal, tdRotate(pair->bInA.rotation, faceB.normal)) > 0.0f;
            if (turnsB && isSameSide)
            {
                tdFace_Flip(&faceB);
            }
            tdFace turned = faceA;
            if (turnsA && isSameSide)
            {
                tdFace_Flip(&turned);
                tdFace_FindEdges(&turned);
            }
            PlaceFace(&faceB, &pair->bInA, &placed);
            tdFacePair faces = {&turned,       &placed,      centerA,       centerB,
                                pair->deepest, pair->margin, pair->clusters};
            CollideFacePair(&faces);
        }
    }
    return true;
}

/// A ball inside the smaller mesh against a face of the larger one. The ball is on the side of its centre,
/// which continuous collision keeps in front of every face.
static void CollideBallFace(MeshPair* pair, const tdMeshCore* ball, const tdVec3* corners, uint32_t id)
{
    tdVec3 normal = tdNormalize(tdCross(tdSub(corners[1], corners[0]), tdSub(corners[2], corners[0])));
    float height = tdDot(normal, tdSub(ball->center, corners[0]));
    if (!(tdAbsFloat(height) < ball->radius))
    {
        return;
    }
    for (int i = 0; i < 3; ++i)
    {
        tdVec3 a = corners[i], b = corners[i < 2 ? i + 1 : 0];
        if (tdDot(tdCross(tdSub(b, a), tdSub(ball->center, a)), normal) < 0.0f)
        {
            return;
        }
    }
    normal = height < 0.0f ? tdNegate(normal) : normal;
    float separation = tdAbsFloat(height) - ball->radius;
    tdVec3 position = tdMulSub(ball->center, ball->radius + 0.5f * separation, normal);
    if (!pair->isLargeA)
    {
        position = tdTransformPoint(pair->bInA, position);
        normal = tdNegate(tdRotate(pair->bInA.rotation, normal));
    }
    tdClipPoint point = {position, separation, id};
    tdClusters_Add(pair->clusters, normal, &point, 1);
}

/// The balls inside the smaller mesh against the larger one. A body that is deep in a wall has its contacts
/// there: its surface is beyond the depth limit of faces.
static void CollideCores(MeshPair* pair, const tdShapeGeometry* large, const tdTriangles* small)
{
    tdTransform pose = pair->isLargeA ? pair->bInA : pair->aInB;
    for (int i = 0; i < small->coreCount; ++i)
    {
        tdMeshCore ball = {tdTransformPoint(pose, small->cores[i].center),
                           TD_CORE_SHARE * small->cores[i].radius};
        tdVec3 reach = {ball.radius, ball.radius, ball.radius};
        tdTriangleQuery query;
        tdTriangleQuery_Init(&query, large->mesh,
                             (tdAabb){tdSub(ball.center, reach), tdAdd(ball.center, reach)});
        int triangle;
        while ((triangle = tdTriangleQuery_Next(&query)) >= 0)
        {
            uint32_t id = ((uint32_t)triangle + 1u) * 2654435761u;
            CollideBallFace(pair, &ball, query.corners, (id & 0xFFFFF000u) ^ (ID_MESH_CORES | (uint32_t)i));
        }
    }
}

/// The middle of a box, half its size.
static tdAabb ShrinkBox(tdAabb box)
{
    tdVec3 quarter = tdScale(0.25f, tdSub(box.upper, box.lower));
    return (tdAabb){tdAdd(box.lower, quarter), tdSub(box.upper, quarter)};
}

static bool IsBoxInside(tdAabb inner, tdAabb outer)
{
    return inner.lower.x >= outer.lower.x && inner.lower.y >= outer.lower.y &&
           inner.lower.z >= outer.lower.z && inner.upper.x <= outer.upper.x &&
           inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}

/// Decides on which side of the larger mesh the smaller one is, and whether it has passed a face since the
/// last test.
static void StartPairSides(MeshPair* pair, const tdManifoldCache* cache)
{
    const tdTriangles* mesh = pair->isLargeA ? pair->a->mesh : pair->b->mesh;
    tdAabb box = pair->isLargeA ? pair->boxB : BoundShape(pair->a, pair->aInB, pair->margin);
    tdSideMemory memory = tdLoadSideMemory(cache);
    bool isKnown = (memory.flags & TD_SIDE_KNOWN) != 0;
    tdPassedFace passed;
    tdMeshSides_Init(&pair->sides, mesh, box, pair->point);
    bool isHollow = IsHollow(pair->isLargeA ? pair->b->mesh : pair->a->mesh); // a vertex may overlap a face
    if (isKnown && !isHollow && tdTriangles_FindPassed(mesh, memory.origin, pair->point, &passed) &&
        tdIsOnOtherSide(&pair->sides, &passed, &memory))
    {
        tdVec3 n = passed.normal;
        tdVec3 top = {n.x > 0.0f ? box.upper.x : box.lower.x, n.y > 0.0f ? box.upper.y : box.lower.y,
                      n.z > 0.0f ? box.upper.z : box.lower.z};
        pair->isHeld = isKnown = tdDot(n, top) > passed.offset;
        pair->origin = memory.origin;
        // Half the thickness is where the far side begins; a held mesh is known to be on this one.
        pair->deepest *= pair->isHeld ? 2.0f : 1.0f;
        pair->sides.point = pair->isHeld ? pair->origin : pair->point;
    }
    tdAabb middle = isHollow ? ShrinkBox(box) : (tdAabb){pair->point, pair->point};
    pair->isContained = isKnown || IsBoxInside(middle, mesh->aabb);
    if (isKnown)
    {
        tdMeshSides_Remember(&pair->sides, memory.shell, (memory.flags & TD_SIDE_BACK) != 0 ? -1 : 1);
    }
}

static void StorePairSides(const MeshPair* pair, tdManifoldCache* cache)
{
    tdSideMemory memory = {.origin = pair->isHeld ? pair->origin : pair->point};
    if (pair->sides.count > 0)
    {
        memory.flags = TD_SIDE_KNOWN | (pair->sides.list[0].side < 0 ? TD_SIDE_BACK : 0u);
        memory.shell = pair->sides.list[0].shell;
        memory.flags |= pair->isHeld ? TD_SIDE_HELD : 0u;
    }
    tdStoreSideMemory(cache, memory);
}

/// Point that stands for a mesh: its centre if the mesh encloses it, else that of a core, else a vertex. The
/// centre of a ring may be inside of another one.
static tdVec3 GetMeshPoint(const tdTriangles* mesh)
{
    if (IsHollow(mesh))
    {
        return mesh->coreCount > 0 ? mesh->cores[0].center : mesh->vertices[0];
    }
    return tdScale(0.5f, tdAdd(mesh->aabb.lower, mesh->aabb.upper));
}

int tdCollideMeshes(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, float margin,
                    tdManifoldCache* cache, tdManifold* manifolds, int capacity)
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
    MeshPair pair = {.a = a,
                     .b = b,
                     .bInA = bInA,
                     .aInB = aInB,
                     .boxB = boxB,
                     .margin = margin,
                     .deepest = deepest,
                     .centerA = centerA,
                     .centerB = centerB,
                     .isLargeA = GetLargestExtent(a) >= GetLargestExtent(b),
                     .clusters = &clusters};
    const tdShapeGeometry *large = pair.isLargeA ? a : b, *small = pair.isLargeA ? b : a;
    pair.point = tdTransformPoint(pair.isLargeA ? bInA : aInB, GetMeshPoint(small->mesh));
    pair.hasSides = HasTwoSides(large);
    if (pair.hasSides)
    {
        StartPairSides(&pair, cache);
    }
    while (!CollideFacePairs(&pair))
    {
        clusters.count = 0;
    }
    if (large->kind == TD_SHAPE_MESH)
    {
        CollideCores(&pair, large, small->mesh);
    }
    if (pair.hasSides)
    {
        StorePairSides(&pair, cache);
    }
    return tdClusters_Finish(&clusters, manifolds, capacity);
}
