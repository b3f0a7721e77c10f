// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Two polytopes by the separating axis theorem: faces of both, then pairs of edges that meet on the Gauss map
// (Gregorius, GDC 2013: only those build a face of the Minkowski difference), then clipping.
//
// Cache: words[0] = 0 nothing, 1 face of A, 2 face of B, 3 pair of edges; words[1], words[2] which ones. A
// contact keeps its face while no other axis is clearly better. words[5..7]: a direction that parted the two.
#include "physics/narrow_phase/manifold_polytope.h"

#include "base/sse2.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

#include <string.h>

#define TD_BOX_FACE(first)                                                                                   \
    {                                                                                                        \
        {0.0f, 0.0f, 0.0f}, 0.0f, first, 4                                                                   \
    }

// Vertex i of a box has +x if bit 0 is set, +y for bit 1, +z for bit 2. Faces: +x -x +y -y +z -z.
static const tdHullFace boxFaces[6] = {TD_BOX_FACE(0),  TD_BOX_FACE(4),  TD_BOX_FACE(8),
                                       TD_BOX_FACE(12), TD_BOX_FACE(16), TD_BOX_FACE(20)};
static const tdHullEdge boxEdges[24] = {
    {1, 22, 0}, {3, 10, 0}, {7, 17, 0}, {5, 13, 0}, {0, 15, 1}, {4, 19, 1}, {6, 8, 1},  {2, 20, 1},
    {2, 6, 2},  {6, 18, 2}, {7, 1, 2},  {3, 21, 2}, {0, 23, 3}, {1, 3, 3},  {5, 16, 3}, {4, 4, 3},
    {4, 14, 4}, {5, 2, 4},  {7, 9, 4},  {6, 5, 4},  {0, 7, 5},  {2, 11, 5}, {3, 0, 5},  {1, 12, 5},
};
static const uint16_t boxFullEdges[12] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 14};

bool tdCanBePolytope(const tdShapeGeometry* shape)
{
    return !shape->hasMatrix &&
           (shape->kind == TD_SHAPE_BOX ||
            (shape->kind == TD_SHAPE_HULL && shape->hull->vertexCount <= TD_POLYTOPE_MAX_VERTICES));
}

static void MakeBox(tdPolytope* polytope, tdVec3 h, const tdMat3* m, tdVec3 o)
{
    polytope->vertexCount = 8;
    polytope->faceCount = 6;
    polytope->fullEdgeCount = 12;
    polytope->topology = boxFaces;
    polytope->edges = boxEdges;
    polytope->fullEdges = boxFullEdges;
    polytope->center = o;
    polytope->innerRadius = tdMinFloat(h.x, tdMinFloat(h.y, h.z));
    tdVec3 x = tdScale(h.x, m->cx), y = tdScale(h.y, m->cy), z = tdScale(h.z, m->cz);
    polytope->paddedCount = 8;
    for (int i = 0; i < 8; ++i)
    {
        tdVec3 p = (i & 1) ? tdAdd(o, x) : tdSub(o, x);
        p = (i & 2) ? tdAdd(p, y) : tdSub(p, y);
        p = (i & 4) ? tdAdd(p, z) : tdSub(p, z);
        polytope->x[i] = p.x;
        polytope->y[i] = p.y;
        polytope->z[i] = p.z;
    }
    tdVec3 axes[3] = {m->cx, m->cy, m->cz};
    float halves[3] = {h.x, h.y, h.z};
    for (int i = 0; i < 3; ++i)
    {
        float along = tdDot(axes[i], o);
        polytope->normals[2 * i] = axes[i];
        polytope->offsets[2 * i] = halves[i] + along;
        polytope->normals[2 * i + 1] = tdNegate(axes[i]);
        polytope->offsets[2 * i + 1] = halves[i] - along;
    }
}

void tdMakePolytope(tdPolytope* polytope, const tdShapeGeometry* shape, tdTransform pose)
{
    tdTransform placed = tdMulTransform(pose, shape->local);
    tdMat3 m = tdMat3FromQuat(placed.rotation);
    tdVec3 o = placed.position;
    if (shape->kind == TD_SHAPE_BOX)
    {
        MakeBox(polytope, shape->box.halfSize, &m, o);
        return;
    }
    const tdHull* hull = shape->hull;
    polytope->vertexCount = hull->vertexCount;
    polytope->faceCount = hull->faceCount;
    polytope->fullEdgeCount = hull->edgeCount / 2;
    polytope->topology = hull->faces;
    polytope->edges = hull->edges;
    polytope->fullEdges = hull->fullEdges;
    polytope->center = tdAdd(o, tdMulMat3Vec3(m, hull->volume.centroid));
    polytope->innerRadius = hull->innerRadius;
    polytope->paddedCount = (hull->vertexCount + 3) & ~3;
    for (int i = 0; i < polytope->paddedCount; ++i)
    {
        // The hull repeats its first vertex beyond the last.
        tdVec3 p = tdAdd(o, tdMulMat3Vec3(m, tdHull_GetVertex(hull, i)));
        polytope->x[i] = p.x;
        polytope->y[i] = p.y;
        polytope->z[i] = p.z;
    }
    for (int i = 0; i < hull->faceCount; ++i)
    {
        tdVec3 n = tdMulMat3Vec3(m, hull->faces[i].normal);
        polytope->normals[i] = n;
        polytope->offsets[i] = hull->faces[i].offset + tdDot(n, o);
    }
}

float tdPolytope_FindLowest(const tdPolytope* polytope, tdVec3 direction)
{
    // The least of a set does not depend on the order, so both paths give the same bits.
#if defined(TD_SSE2)
    __m128 dx = _mm_set1_ps(direction.x), dy = _mm_set1_ps(direction.y), dz = _mm_set1_ps(direction.z);
    __m128 least = _mm_set1_ps(INFINITY);
    for (int i = 0; i < polytope->paddedCount; i += 4)
    {
        __m128 dot = _mm_add_ps(_mm_add_ps(_mm_mul_ps(_mm_load_ps(polytope->x + i), dx),
                                           _mm_mul_ps(_mm_load_ps(polytope->y + i), dy)),
                                _mm_mul_ps(_mm_load_ps(polytope->z + i), dz));
        least = _mm_min_ps(dot, least);
    }
    least = _mm_min_ps(least, _mm_movehl_ps(least, least));
    least = _mm_min_ps(least, _mm_shuffle_ps(least, least, 1));
    return _mm_cvtss_f32(least);
#else
    float least = INFINITY;
    for (int i = 0; i < polytope->vertexCount; ++i)
    {
        float dot =
            polytope->x[i] * direction.x + polytope->y[i] * direction.y + polytope->z[i] * direction.z;
        least = tdMinFloat(dot, least);
    }
    return least;
#endif
}

int tdPolytope_FindFace(const tdPolytope* polytope, tdVec3 direction)
{
    int best = 0;
    float bestDot = tdDot(polytope->normals[0], direction);
    for (int i = 1; i < polytope->faceCount; ++i)
    {
        float dot = tdDot(polytope->normals[i], direction);
        if (dot > bestDot)
        {
            bestDot = dot;
            best = i;
        }
    }
    return best;
}

int tdPolytope_GetFace(const tdPolytope* polytope, int face, tdClipPoint* points)
{
    const tdHullFace* topology = polytope->topology + face;
    int count = tdMinInt(topology->edgeCount, TD_MAX_FEATURE_POINTS);
    for (int i = 0; i < count; ++i)
    {
        int vertex = polytope->edges[topology->firstEdge + i * topology->edgeCount / count].origin;
        points[i] = (tdClipPoint){tdPolytope_GetVertex(polytope, vertex), 0.0f, (uint32_t)vertex};
    }
    return count;
}

typedef struct tdAxisQuery
{
    float separation;
    int index, other; // face; or edge of A and of B
} tdAxisQuery;

static float GetFaceSeparation(const tdPolytope* a, int face, const tdPolytope* b)
{
    return tdPolytope_FindLowest(b, a->normals[face]) - a->offsets[face];
}

static tdAxisQuery QueryFaces(const tdPolytope* a, const tdPolytope* b)
{
    tdAxisQuery best = {-INFINITY, -1, -1};
    for (int i = 0; i < a->faceCount; ++i)
    {
        // B reaches at least its inner radius deeper than its middle: faces that cannot win are passed over.
        if (tdDot(a->normals[i], b->center) - a->offsets[i] - b->innerRadius < best.separation)
        {
            continue;
        }
        float separation = GetFaceSeparation(a, i, b);
        if (separation > best.separation)
        {
            best = (tdAxisQuery){separation, i, -1};
        }
    }
    return best;
}

/// Separation along the cross product of two edges, pointing out of A. -INFINITY when they are parallel.
static float GetEdgeSeparation(const tdPolytope* a, int edgeA, const tdPolytope* b, int edgeB, tdVec3* axis)
{
    const tdHullEdge *ea = a->edges + edgeA, *eb = b->edges + edgeB;
    tdVec3 p = tdPolytope_GetVertex(a, ea->origin), q = tdPolytope_GetVertex(b, eb->origin);
    tdVec3 u = tdSub(tdPolytope_GetVertex(a, a->edges[ea->twin].origin), p),
           v = tdSub(tdPolytope_GetVertex(b, b->edges[eb->twin].origin), q);
    tdVec3 n = tdCross(u, v);
    float squared = tdLengthSquared(n);
    *axis = tdVec3_zero;
    if (squared < 1.0e-4f * tdLengthSquared(u) * tdLengthSquared(v) || !(squared > 0.0f))
    {
        return -INFINITY;
    }
    n = tdScale(1.0f / sqrtf(squared), n);
    if (tdDot(n, tdSub(p, a->center)) < 0.0f)
    {
        n = tdNegate(n);
    }
    *axis = n;
    return tdDot(n, tdSub(q, p));
}

/// Most that dot(n, d) can be for unit n on the arc between two normals.
static float BoundOnArc(tdVec3 from, tdVec3 to, tdVec3 d)
{
    float a = tdDot(from, d), b = tdDot(to, d), c = tdDot(from, to);
    float squared = 1.0f - c * c;
    if (a > c * b && b > c * a && squared > 1.0e-6f)
    {
        return sqrtf(tdMaxFloat(a * a + b * b - 2.0f * c * a * b, 0.0f) / squared);
    }
    return tdMaxFloat(a, b);
}

/// Edges of `a` that can be part of an axis with a gap above `atLeast`: along any normal of its own, an edge
/// has the ball inside of B in the way.
static int ListEdges(const tdPolytope* a, const tdPolytope* b, float atLeast, uint16_t* list)
{
    int count = 0;
    for (int i = 0; i < a->fullEdgeCount; ++i)
    {
        const tdHullEdge* edge = a->edges + a->fullEdges[i];
        tdVec3 d = tdSub(b->center, tdPolytope_GetVertex(a, edge->origin));
        float most = BoundOnArc(a->normals[edge->face], a->normals[a->edges[edge->twin].face], d);
        if (most - 0.99f * b->innerRadius > atLeast)
        {
            list[count++] = a->fullEdges[i];
        }
    }
    return count;
}

/// @param atLeast gaps below this are of no interest
static tdAxisQuery QueryEdges(const tdPolytope* a, const tdPolytope* b, float margin, float atLeast)
{
    tdAxisQuery best = {-INFINITY, -1, -1};
    uint16_t edgesA[TD_POLYTOPE_MAX_EDGES], edgesB[TD_POLYTOPE_MAX_EDGES];
    int countA = ListEdges(a, b, atLeast, edgesA);
    int countB = countA > 0 ? ListEdges(b, a, atLeast, edgesB) : 0;
    for (int i = 0; i < countA && countB > 0; ++i)
    {
        const tdHullEdge* ea = a->edges + edgesA[i];
        const tdHullEdge* ta = a->edges + ea->twin;
        tdVec3 p = tdPolytope_GetVertex(a, ea->origin), u = tdSub(tdPolytope_GetVertex(a, ta->origin), p);
        tdVec3 na = a->normals[ea->face], ma = a->normals[ta->face];
        for (int j = 0; j < countB; ++j)
        {
            const tdHullEdge* eb = b->edges + edgesB[j];
            const tdHullEdge* tb = b->edges + eb->twin;
            // On the sphere of normals the arcs (na, ma) and (-nb, -mb) cross if the ends of each lie on both
            // sides of the other's great circle and both are in the same half. The circles' poles are the
            // edges' directions.
            float cba = tdDot(b->normals[eb->face], u), dba = tdDot(b->normals[tb->face], u);
            if (cba * dba >= 0.0f)
            {
                continue;
            }
            tdVec3 v = tdSub(tdPolytope_GetVertex(b, tb->origin), tdPolytope_GetVertex(b, eb->origin));
            float adc = tdDot(na, v), bdc = tdDot(ma, v);
            if (adc * bdc >= 0.0f || cba * bdc >= 0.0f)
            {
                continue;
            }
            tdVec3 axis;
            float separation = GetEdgeSeparation(a, edgesA[i], b, edgesB[j], &axis);
            if (separation > best.separation)
            {
                best = (tdAxisQuery){separation, edgesA[i], edgesB[j]};
                if (separation > margin)
                {
                    return best;
                }
            }
        }
    }
    return best;
}

/// Face of `a` as reference. Positions midway; normals and ids are the caller's.
static int ClipToFace(const tdPolytope* a, int face, const tdPolytope* b, float margin, tdClipPoint* points)
{
    tdVec3 n = a->normals[face];
    int incident = tdPolytope_FindFace(b, tdNegate(n));
    int count = tdPolytope_GetFace(b, incident, points);
    tdClipPoint corners[TD_MAX_FEATURE_POINTS];
    int sides = tdPolytope_GetFace(a, face, corners);
    tdVec3 reference[TD_MAX_FEATURE_POINTS];
    uint32_t ids[TD_MAX_FEATURE_POINTS];
    for (int i = 0; i < sides; ++i)
    {
        reference[i] = corners[i].position;
        ids[i] = corners[i].id;
    }
    count = tdClipToPrism(reference, ids, sides, n, points, count);
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        float separation = tdDot(n, points[i].position) - a->offsets[face];
        if (separation <= margin)
        {
            points[kept].position = tdMulSub(points[i].position, 0.5f * separation, n);
            points[kept].separation = separation;
            points[kept].id = points[i].id ^ ((uint32_t)face << 20);
            kept += 1;
        }
    }
    return kept;
}

static int CollideEdgePair(const tdPolytope* a, const tdPolytope* b, const tdAxisQuery* query, float margin,
                           tdManifold* manifold)
{
    tdVec3 n;
    float separation = GetEdgeSeparation(a, query->index, b, query->other, &n);
    if (!(separation <= margin) || separation == -INFINITY)
    {
        return 0;
    }
    const tdHullEdge *ea = a->edges + query->index, *eb = b->edges + query->other;
    tdVec3 p = tdPolytope_GetVertex(a, ea->origin), q = tdPolytope_GetVertex(b, eb->origin);
    tdVec3 u = tdSub(tdPolytope_GetVertex(a, a->edges[ea->twin].origin), p),
           v = tdSub(tdPolytope_GetVertex(b, b->edges[eb->twin].origin), q);
    tdVec3 d = tdSub(q, p);
    float uu = tdDot(u, u), vv = tdDot(v, v), uv = tdDot(u, v), ud = tdDot(u, d), vd = tdDot(v, d);
    float determinant = uu * vv - uv * uv;
    float s = tdClampFloat((ud * vv - uv * vd) / determinant, 0.0f, 1.0f);
    float t = tdClampFloat((uv * ud - vd * uu) / determinant, 0.0f, 1.0f);
    tdVec3 onA = tdMulAdd(p, s, u), onB = tdMulAdd(q, t, v);
    manifold->normal = n;
    manifold->pointCount = 1;
    manifold->points[0] =
        (tdManifoldPoint){tdLerp(onA, onB, 0.5f), separation,
                          0x40000000u | ((uint32_t)query->index << 12) | (uint32_t)query->other};
    return 1;
}

/// The face that looks at the reference most squarely need not hold the vertex that reaches deepest.
static int AddDeepest(const tdPolytope* a, int face, const tdPolytope* b, float separation, float margin,
                      tdClipPoint* points, int count)
{
    float deepest = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        deepest = tdMinFloat(deepest, points[i].separation);
    }
    if (!(deepest - separation > 0.05f * tdAbsFloat(separation) + 0.05f * margin) ||
        count == TD_MAX_CLIP_POINTS)
    {
        return count;
    }
    tdVec3 n = a->normals[face];
    int lowest = 0;
    float height = INFINITY;
    for (int i = 0; i < b->vertexCount; ++i)
    {
        float h = tdDot(n, tdPolytope_GetVertex(b, i));
        lowest = h < height ? i : lowest;
        height = tdMinFloat(height, h);
    }
    // Over the face only; beyond it another axis is the right one.
    tdVec3 vertex = tdPolytope_GetVertex(b, lowest);
    tdClipPoint corners[TD_MAX_FEATURE_POINTS];
    int sides = tdPolytope_GetFace(a, face, corners);
    for (int i = 0; i < sides; ++i)
    {
        tdVec3 from = corners[i].position, to = corners[i + 1 < sides ? i + 1 : 0].position;
        if (tdDot(tdCross(tdSub(to, from), n), tdSub(vertex, from)) > 0.0f)
        {
            return count;
        }
    }
    float gap = height - a->offsets[face];
    points[count] =
        (tdClipPoint){tdMulSub(vertex, 0.5f * gap, n), gap, (uint32_t)lowest ^ ((uint32_t)face << 20)};
    return count + 1;
}

static int FinishFaces(const tdPolytope* a, const tdPolytope* b, bool isFlipped, int face, float separation,
                       float margin, tdManifold* manifold)
{
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    int count = isFlipped ? ClipToFace(b, face, a, margin, points) : ClipToFace(a, face, b, margin, points);
    count = isFlipped ? AddDeepest(b, face, a, separation, margin, points, count)
                      : AddDeepest(a, face, b, separation, margin, points, count);
    if (count == 0)
    {
        return -1;
    }
    tdVec3 normal = isFlipped ? tdNegate(b->normals[face]) : a->normals[face];
    for (int i = 0; i < count; ++i)
    {
        points[i].id |= isFlipped ? 0x80000000u : 0u;
    }
    tdFillManifold(manifold, normal, points, count);
    return manifold->pointCount;
}

static void Remember(tdManifoldCache* cache, uint32_t kind, int index, int other)
{
    if (cache != NULL)
    {
        cache->words[0] = kind;
        cache->words[1] = (uint32_t)index;
        cache->words[2] = (uint32_t)other;
    }
}

/// Parted along `normal`: next time that direction is asked first.
static int Part(tdManifoldCache* cache, tdVec3 normal, float separation)
{
    if (cache != NULL)
    {
        cache->separation = separation;
        memcpy(&cache->words[5], &normal, sizeof(normal));
    }
    return 0;
}

int tdCollidePolytopes(const tdPolytope* a, const tdPolytope* b, float margin, tdManifoldCache* cache,
                       tdManifold* manifold)
{
    manifold->pointCount = 0;
    uint32_t last = cache != NULL ? cache->words[0] : 0;
    int lastIndex = cache != NULL ? (int)cache->words[1] : 0;
    float lastSeparation = last == 1   ? GetFaceSeparation(a, lastIndex, b)
                           : last == 2 ? GetFaceSeparation(b, lastIndex, a)
                                       : -INFINITY;
    if (lastSeparation > margin)
    {
        return Part(cache, last == 1 ? a->normals[lastIndex] : tdNegate(b->normals[lastIndex]),
                    lastSeparation);
    }
    float better = 2.0e-3f * tdMinFloat(a->innerRadius, b->innerRadius);
    tdAxisQuery faceA = QueryFaces(a, b);
    if (faceA.separation > margin)
    {
        return Part(cache, a->normals[faceA.index], faceA.separation);
    }
    tdAxisQuery faceB = QueryFaces(b, a);
    if (faceB.separation > margin)
    {
        return Part(cache, tdNegate(b->normals[faceB.index]), faceB.separation);
    }
    // Last time's reference face keeps its place while it is as good within the tolerance.
    if (last == 1 && lastSeparation + better > faceA.separation)
    {
        faceA = (tdAxisQuery){lastSeparation, lastIndex, -1};
    }
    else if (last == 2 && lastSeparation + better > faceB.separation)
    {
        faceB = (tdAxisQuery){lastSeparation, lastIndex, -1};
    }
    float bias = last == 1 ? better : (last == 2 ? -better : 0.1f * better);
    bool isFlipped = faceB.separation > faceA.separation + bias;
    float bestFace = isFlipped ? faceB.separation : faceA.separation;
    tdAxisQuery edge = QueryEdges(a, b, margin, bestFace);
    if (edge.separation > margin)
    {
        tdVec3 axis;
        GetEdgeSeparation(a, edge.index, b, edge.other, &axis);
        return Part(cache, axis, edge.separation);
    }
    // As with boxes: a pair of edges must be clearly shallower, the more so the deeper they are.
    float hysteresis = last == 3 ? 0.5f : 1.0f;
    if (edge.index >= 0 &&
        edge.separation > bestFace + hysteresis * (0.1f * tdAbsFloat(bestFace) + 5.0f * better))
    {
        Remember(cache, 3, edge.index, edge.other);
        return CollideEdgePair(a, b, &edge, margin, manifold);
    }
    Remember(cache, isFlipped ? 2 : 1, isFlipped ? faceB.index : faceA.index, 0);
    return FinishFaces(a, b, isFlipped, isFlipped ? faceB.index : faceA.index, bestFace, margin, manifold);
}
