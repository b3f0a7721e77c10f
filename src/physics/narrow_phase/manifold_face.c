// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Faces of meshes and sheets, and clusters of their contacts. The rules for internal edges are here: a flat
// or concave edge allows no normal but those of its faces, a convex edge only normals between them. Bodies
// therefore slide over internal edges without bumps. Decision: docs/decisions/051-meshes.md.
#include "physics/narrow_phase/manifold_face.h"

#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/separating_axis.h"

// Thresholds. The tests of behaviour pass with 3 to 20 times each of them; physics/determinism pins their
// bits.

/// Cosine of the angle up to which normals belong to one cluster: 5 degrees.
#define CLUSTER_COSINE 0.9962f
/// Cosine above which a normal is the face normal: 0.8 degrees.
#define FACE_NORMAL_COSINE 0.9999f
/// Height, relative to the size of the face and the sine of the tilt, up to which a corner belongs to the
/// part of the face that is farthest along a normal.
#define TOP_TOLERANCE 0.02f
/// Deviation of the depth of points on a line from that of its ends, in weld distances, up to which the ends
/// alone hold the line.
#define LINE_DEPTH 0.1f
/// Extent, relative to the largest one, below which a mesh is flat.
#define FLAT_MESH 1.0e-3f
/// Bit of the ids of clipped points; corners of the convex shape do not have it.
#define ID_CLIPPED 0x80000000u

void tdFaceSource_Init(tdFaceSource* source, const tdShapeGeometry* shape, tdAabb box)
{
    source->shape = shape;
    source->isDone = false;
    if (shape->kind == TD_SHAPE_MESH)
    {
        source->isDoubleSided = false;
        tdTriangleQuery_Init(&source->query, shape->mesh, box);
    }
    else
    {
        source->isDoubleSided = shape->plane.isDoubleSided;
        source->query.box = box;
    }
}

/// Cuts a sheet to the box plus its size on all sides; the cut edges are no borders.
static bool MakeSheet(const tdFaceSource* source, tdFace* face)
{
    const tdShapeGeometry* shape = source->shape;
    tdAabb box = source->query.box;
    tdVec3 pad = tdSub(box.upper, box.lower);
    float halfX = shape->plane.halfX, halfZ = shape->plane.halfZ;
    float x0 = tdMaxFloat(-halfX, box.lower.x - pad.x), x1 = tdMinFloat(halfX, box.upper.x + pad.x);
    float z0 = tdMaxFloat(-halfZ, box.lower.z - pad.z), z1 = tdMinFloat(halfZ, box.upper.z + pad.z);
    if (!(x0 < x1 && z0 < z1) || box.lower.y > 0.0f || box.upper.y < 0.0f)
    {
        return false;
    }
    face->points[0] = (tdVec3){x0, 0.0f, z0};
    face->points[1] = (tdVec3){x0, 0.0f, z1};
    face->points[2] = (tdVec3){x1, 0.0f, z1};
    face->points[3] = (tdVec3){x1, 0.0f, z0};
    face->isInner[0] = x0 != -halfX;
    face->isInner[1] = z1 != halfZ;
    face->isInner[2] = x1 != halfX;
    face->isInner[3] = z0 != -halfZ;
    face->count = 4;
    face->normal = (tdVec3){0.0f, 1.0f, 0.0f};
    face->offset = 0.0f;
    face->index = 0;
    face->mesh = NULL;
    face->isFlipped = face->hasEdges = false;
    return true;
}

bool tdFaceSource_Next(tdFaceSource* source, tdFace* face)
{
    if (source->shape->kind != TD_SHAPE_MESH)
    {
        bool isFirst = !source->isDone;
        source->isDone = true;
        return isFirst && MakeSheet(source, face);
    }
    int triangle = tdTriangleQuery_Next(&source->query);
    if (triangle < 0)
    {
        return false;
    }
    const tdTriangles* mesh = source->shape->mesh;
    face->points[0] = source->query.corners[0];
    face->points[1] = source->query.corners[1];
    face->points[2] = source->query.corners[2];
    face->count = 3;
    face->normal = mesh->normals[triangle];
    face->offset = tdDot(face->normal, face->points[0]);
    face->index = (uint32_t)triangle;
    face->mesh = mesh;
    face->isInner[0] = face->isInner[1] = face->isInner[2] = false;
    face->isFlipped = face->hasEdges = false;
    return true;
}

/// Edge of a face before it was flipped: edge i of the flipped face runs from old corner n - 1 - i to old
/// corner n - 2 - i, which is old edge n - 2 - i.
static int GetFlippedEdge(const tdFace* face, int edge)
{
    return (2 * face->count - 2 - edge) % face->count;
}

void tdFace_Flip(tdFace* face)
{
    tdVec3 points[4];
    bool isInner[4];
    for (int i = 0; i < face->count; ++i)
    {
        points[i] = face->points[face->count - 1 - i];
        isInner[i] = face->isInner[GetFlippedEdge(face, i)];
    }
    for (int i = 0; i < face->count; ++i)
    {
        face->points[i] = points[i];
        face->isInner[i] = isInner[i];
    }
    face->normal = tdNegate(face->normal);
    face->offset = -face->offset;
    face->isFlipped = !face->isFlipped;
    face->hasEdges = false;
}

void tdFace_FlipTowards(tdFace* face, tdVec3 point)
{
    if (tdDot(face->normal, point) < face->offset)
    {
        tdFace_Flip(face);
    }
}

uint32_t tdFace_GetVertex(const tdFace* face, int corner)
{
    int source = face->isFlipped ? face->count - 1 - corner : corner;
    return face->mesh->indices[3 * (size_t)face->index + (size_t)source];
}

/// Kind of an edge of a mesh as seen from the side of the face.
/// @param source the edge of the triangle
static tdEdgeKind GetSeenKind(const tdFace* face, int edge, int* source)
{
    *source = face->isFlipped ? GetFlippedEdge(face, edge) : edge;
    tdEdgeKind kind = tdTriangles_GetEdgeKind(face->mesh, (int)face->index, *source);
    if (!face->isFlipped || kind == TD_EDGE_FLAT || kind == TD_EDGE_BORDER)
    {
        return kind;
    }
    return kind == TD_EDGE_CONVEX ? TD_EDGE_CONCAVE : TD_EDGE_CONVEX;
}

bool tdFace_GetNeighborNormal(const tdFace* face, int edge, tdVec3* normal)
{
    const tdTriangles* mesh = face->mesh;
    int source;
    if (mesh == NULL || GetSeenKind(face, edge, &source) != TD_EDGE_CONVEX)
    {
        return false;
    }
    tdVec3 m = mesh->isMixed ? tdTriangles_GetNeighborNormal(mesh, (int)face->index, source)
                             : mesh->normals[mesh->neighbors[3 * (size_t)face->index + (size_t)source]];
    *normal = face->isFlipped ? tdNegate(m) : m;
    return true;
}

void tdFace_FindEdges(tdFace* face)
{
    if (face->hasEdges)
    {
        return;
    }
    face->hasEdges = true;
    face->isSharp = false;
    for (int e = 0; e < face->count; ++e)
    {
        face->isActive[e] = false;
        face->cosines[e] = 1.0f;
        if (face->mesh == NULL)
        {
            face->isActive[e] = !face->isInner[e];
            face->cosines[e] = 0.0f;
        }
        else
        {
            int source;
            tdEdgeKind kind = GetSeenKind(face, e, &source);
            tdVec3 neighbor;
            if (kind == TD_EDGE_CONVEX && tdFace_GetNeighborNormal(face, e, &neighbor))
            {
                face->isActive[e] = true;
                face->cosines[e] = tdDot(face->normal, neighbor);
            }
            else if (kind == TD_EDGE_BORDER)
            {
                face->isActive[e] = true;
                face->cosines[e] = 0.0f;
            }
        }
        face->isSharp = face->isSharp || (face->isActive[e] && face->cosines[e] < TD_SHARP_COSINE);
    }
}

bool tdFace_IsSharp(tdFace* face)
{
    // Cooking has found the sharp triangles of a mesh.
    unsigned sharp = face->isFlipped ? TD_TRIANGLE_SHARP_BACK : TD_TRIANGLE_SHARP;
    if (face->mesh != NULL && !face->hasEdges && (face->mesh->edgeKinds[face->index] & sharp) == 0)
    {
        return false;
    }
    tdFace_FindEdges(face);
    return face->isSharp;
}

bool tdFace_AllowsNormal(const tdFace* face, tdVec3 normal)
{
    float cosine = tdDot(normal, face->normal);
    if (cosine > FACE_NORMAL_COSINE)
    {
        return true;
    }
    float best = -INFINITY, size = 0.0f;
    float heights[4];
    for (int i = 0; i < face->count; ++i)
    {
        tdVec3 p = tdSub(face->points[i], face->points[0]);
        heights[i] = tdDot(normal, p);
        best = tdMaxFloat(best, heights[i]);
        size = tdMaxFloat(size, tdLengthSquared(p));
    }
    float sine = sqrtf(tdMaxFloat(0.0f, 1.0f - cosine * cosine));
    float tolerance = TOP_TOLERANCE * sqrtf(size) * sine;
    int last = face->count - 1;
    bool isTop[4];
    for (int i = 0; i < face->count; ++i)
    {
        isTop[i] = heights[i] >= best - tolerance;
    }
    for (int e = 0; e < face->count; ++e)
    {
        int next = e < last ? e + 1 : 0;
        if (isTop[e] && isTop[next])
        {
            return face->isActive[e] && cosine >= face->cosines[e] - TD_COSINE_SLACK;
        }
    }
    for (int i = 0; i < face->count; ++i)
    {
        if (isTop[i])
        {
            int before = i > 0 ? i - 1 : last;
            return (face->isActive[i] || face->isActive[before]) && cosine >= -TD_COSINE_SLACK;
        }
    }
    return false;
}

/// Keeps the deepest point and the outermost points in eight directions.
static void ThinOutPoints(tdCluster* cluster)
{
    tdVec3 u = tdPerpendicular(cluster->normal), v = tdCross(cluster->normal, u);
    tdVec3 diagonal = tdAdd(u, v), other = tdSub(u, v);
    tdVec3 directions[8] = {u,        tdNegate(u),        v,     tdNegate(v),
                            diagonal, tdNegate(diagonal), other, tdNegate(other)};
    bool isKept[TD_CLUSTER_MAX_POINTS] = {false};
    int deepest = 0;
    for (int i = 1; i < cluster->count; ++i)
    {
        deepest = cluster->points[i].separation < cluster->points[deepest].separation ? i : deepest;
    }
    isKept[deepest] = true;
    for (int k = 0; k < 8; ++k)
    {
        int best = 0;
        for (int i = 1; i < cluster->count; ++i)
        {
            float gain =
                tdDot(directions[k], tdSub(cluster->points[i].position, cluster->points[best].position));
            best = gain > 0.0f ? i : best;
        }
        isKept[best] = true;
    }
    int kept = 0;
    for (int i = 0; i < cluster->count; ++i)
    {
        if (isKept[i])
        {
            cluster->points[kept++] = cluster->points[i];
        }
    }
    cluster->count = kept;
}

/// Adds a point, or merges it with a point closer than `weld`; the deeper one of two equal kinds stays.
static void AddClusterPoint(tdCluster* cluster, const tdClipPoint* point, float weld)
{
    for (int i = 0; i < cluster->count; ++i)
    {
        if (tdLengthSquared(tdSub(cluster->points[i].position, point->position)) < weld * weld)
        {
            // Corners of the convex shape win over clipped points, because their features persist.
            bool isCorner = (point->id & ID_CLIPPED) == 0,
                 wasCorner = (cluster->points[i].id & ID_CLIPPED) == 0;
            if (isCorner == wasCorner ? point->separation < cluster->points[i].separation : isCorner)
            {
                cluster->points[i] = *point;
            }
            return;
        }
    }
    if (cluster->count == TD_CLUSTER_MAX_POINTS)
    {
        ThinOutPoints(cluster);
    }
    cluster->points[cluster->count++] = *point;
}

float tdGetThickness(const tdShapeGeometry* shape)
{
    if (shape->kind != TD_SHAPE_MESH)
    {
        return INFINITY;
    }
    tdVec3 size = tdSub(shape->mesh->aabb.upper, shape->mesh->aabb.lower);
    float largest = tdMaxFloat(size.x, tdMaxFloat(size.y, size.z)),
          least = tdMinFloat(size.x, tdMinFloat(size.y, size.z));
    return least > FLAT_MESH * largest ? 0.5f * least : 0.5f * largest;
}

void tdClusters_Add(tdClusters* clusters, tdVec3 normal, tdClipPoint* points, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        if (points[i].separation >= -clusters->limit)
        {
            points[kept++] = points[i];
        }
    }
    count = kept;
    if (count == 0)
    {
        return;
    }
    tdCluster* target = clusters->list;
    float best = -INFINITY;
    for (int i = 0; i < clusters->count; ++i)
    {
        float cosine = tdDot(clusters->list[i].seed, normal);
        if (cosine > best)
        {
            best = cosine;
            target = &clusters->list[i];
        }
    }
    if (best < CLUSTER_COSINE && clusters->count < TD_FACE_MAX_CLUSTERS)
    {
        target = &clusters->list[clusters->count++];
        target->seed = target->normal = normal;
        target->deepest = INFINITY;
        target->count = 0;
    }
    for (int i = 0; i < count; ++i)
    {
        if (points[i].separation < target->deepest)
        {
            target->deepest = points[i].separation;
            target->normal = normal;
        }
        AddClusterPoint(target, &points[i], clusters->weld);
    }
}

/// Index of the point that is farthest from `from`.
static int FindFarthestPoint(const tdCluster* cluster, tdVec3 from)
{
    int farthest = 0;
    float best = -1.0f;
    for (int i = 0; i < cluster->count; ++i)
    {
        float squared = tdLengthSquared(tdSub(cluster->points[i].position, from));
        if (squared > best)
        {
            best = squared;
            farthest = i;
        }
    }
    return farthest;
}

/// True if all points of a cluster lie on the line between two of them, in space and in depth.
static bool IsLine(const tdCluster* cluster, const tdClipPoint* start, const tdClipPoint* end, float weld)
{
    tdVec3 along = tdSub(end->position, start->position);
    float squared = tdLengthSquared(along);
    bool isLine = squared > 0.0f;
    for (int i = 0; i < cluster->count && isLine; ++i)
    {
        tdVec3 offset = tdSub(cluster->points[i].position, start->position);
        float share = tdDot(offset, along) / squared;
        float depth = start->separation + share * (end->separation - start->separation);
        isLine = tdLengthSquared(tdMulSub(offset, share, along)) < weld * weld &&
                 tdAbsFloat(cluster->points[i].separation - depth) < LINE_DEPTH * weld;
    }
    return isLine;
}

void tdClusters_JoinLines(tdClusters* clusters)
{
    for (int i = 0; i < clusters->count; ++i)
    {
        tdCluster* cluster = &clusters->list[i];
        if (cluster->count <= 2)
        {
            continue;
        }
        tdClipPoint start = cluster->points[FindFarthestPoint(cluster, cluster->points[0].position)];
        tdClipPoint end = cluster->points[FindFarthestPoint(cluster, start.position)];
        if (IsLine(cluster, &start, &end, clusters->weld))
        {
            cluster->points[0] = start;
            cluster->points[1] = end;
            cluster->count = 2;
        }
    }
}

int tdClusters_Finish(tdClusters* clusters, tdManifold* manifolds, int capacity)
{
    int written = 0;
    bool isTaken[TD_FACE_MAX_CLUSTERS] = {false};
    while (written < capacity)
    {
        int best = -1;
        for (int i = 0; i < clusters->count; ++i)
        {
            if (!isTaken[i] && (best < 0 || clusters->list[i].deepest < clusters->list[best].deepest))
            {
                best = i;
            }
        }
        if (best < 0)
        {
            break;
        }
        isTaken[best] = true;
        tdCluster* cluster = &clusters->list[best];
        tdFillManifold(&manifolds[written++], cluster->normal, cluster->points, cluster->count);
    }
    return written;
}
