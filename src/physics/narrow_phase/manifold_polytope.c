// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Two polytopes by the separating axis theorem: the faces of both, then the pairs of edges that intersect on
// the Gauss map (Gregorius, GDC 2013: only those form a face of the Minkowski difference), then clipping.
// Decision: docs/decisions/050-narrow-phase.md.
//
// Cache: words[0] is the kind of the last axis (tdAxisKind), words[1] and words[2] its face or edges. A
// contact keeps its face while no other axis is clearly better. words[5..7]: the last separating direction.
#include "physics/narrow_phase/manifold_polytope.h"

#include "base/sse2.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/separating_axis.h"

#include <string.h>

// Thresholds. physics/manifold fails with 3 times CULL_RADIUS. The tests of behaviour pass with 3 to 20 times
// the others; physics/determinism pins their bits.

/// Squared sine of the angle between two face normals above which the maximum on their arc is computed.
#define MIN_ARC_SINE_SQUARED 1.0e-6f
/// Share of the inner radius by which edges are culled; below 1, so that rounding culls no edge of the
/// contact axis.
#define CULL_RADIUS 0.99f
/// Depth that clipping may lose, relative to the depth and to the margin, before the deepest vertex is added.
#define VERTEX_DEPTH_LOSS 0.05f
#define VERTEX_MARGIN_LOSS 0.05f
/// Preference for the face of A in a new contact, in TD_AXIS_GAIN.
#define FIRST_FACE_BIAS 0.1f

/// Lanes of the edges of a polytope, whole groups of four.
#define EDGE_ROOM ((TD_POLYTOPE_MAX_EDGES + 3) / 4 * 4)

typedef enum tdAxisKind
{
    AXIS_NONE,
    AXIS_FACE_A,
    AXIS_FACE_B,
    AXIS_EDGES,
} tdAxisKind;

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
static const tdHullFullEdge boxFullEdges[12] = {
    {0, 1, 3, 0, 5}, {1, 3, 7, 0, 2}, {2, 7, 5, 0, 4}, {3, 5, 1, 0, 3},  {4, 0, 4, 1, 3},  {5, 4, 6, 1, 4},
    {6, 6, 2, 1, 2}, {7, 2, 0, 1, 5}, {9, 6, 7, 2, 4}, {11, 3, 2, 2, 5}, {12, 0, 1, 3, 5}, {14, 5, 4, 3, 4},
};

bool tdCanBePolytope(const tdShapeGeometry* shape)
{
    return !shape->hasMatrix &&
           (shape->kind == TD_SHAPE_BOX ||
            (shape->kind == TD_SHAPE_HULL && shape->hull->vertexCount <= TD_POLYTOPE_MAX_VERTICES));
}

static void MakeBoxPolytope(tdPolytope* polytope, tdVec3 h, const tdMat3* m, tdVec3 o)
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
        MakeBoxPolytope(polytope, shape->box.halfSize, &m, o);
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
        // Hulls repeat their first vertex after the last one.
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
    // A minimum does not depend on the order, so both paths give the same bits.
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
    int index, other; // a face and -1, or edges of A and B
} tdAxisQuery;

static float GetPolytopeFaceSeparation(const tdPolytope* a, int face, const tdPolytope* b)
{
    return tdPolytope_FindLowest(b, a->normals[face]) - a->offsets[face];
}

/// Heights of the centre of `b` above the faces of `a`.
/// @return the face with the largest one
static int ComputeFaceHeights(const tdPolytope* a, const tdPolytope* b, float* heights)
{
    int highest = 0;
    for (int i = 0; i < a->faceCount; ++i)
    {
        heights[i] = tdDot(a->normals[i], b->center) - a->offsets[i];
        highest = heights[i] > heights[highest] ? i : highest;
    }
    return highest;
}

/// The face of `a` with the largest separation, the first of equal ones. Writes the heights of the centre of
/// `b` above all faces.
static tdAxisQuery QueryFaces(const tdPolytope* a, const tdPolytope* b, float* heights)
{
    // The highest face is likely to be the best one, so that the test below skips most others.
    int highest = ComputeFaceHeights(a, b, heights);
    tdAxisQuery best = {GetPolytopeFaceSeparation(a, highest, b), highest, -1};
    for (int i = 0; i < a->faceCount; ++i)
    {
        // B extends at least its inner radius below its centre: faces that cannot be the best are skipped.
        if (heights[i] - b->innerRadius < best.separation || i == highest)
        {
            continue;
        }
        float separation = GetPolytopeFaceSeparation(a, i, b);
        if (separation > best.separation || (separation == best.separation && i < best.index))
        {
            best = (tdAxisQuery){separation, i, -1};
        }
    }
    return best;
}

/// Separation along the cross product of two edges, which points out of A; -INFINITY if they are parallel.
static float GetPolytopeEdgeSeparation(const tdPolytope* a, int edgeA, const tdPolytope* b, int edgeB,
                                       tdVec3* axis)
{
    const tdHullEdge *ea = a->edges + edgeA, *eb = b->edges + edgeB;
    tdVec3 p = tdPolytope_GetVertex(a, ea->origin), q = tdPolytope_GetVertex(b, eb->origin);
    tdVec3 u = tdSub(tdPolytope_GetVertex(a, a->edges[ea->twin].origin), p),
           v = tdSub(tdPolytope_GetVertex(b, b->edges[eb->twin].origin), q);
    tdVec3 n = tdCross(u, v);
    float squared = tdLengthSquared(n);
    *axis = tdVec3_zero;
    if (squared < TD_PARALLEL_SINE_SQUARED * tdLengthSquared(u) * tdLengthSquared(v) || !(squared > 0.0f))
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

/// True if the height of a point above an edge of a polytope, along some unit vector between the normals n
/// and m of its faces, is larger than `limit`. With the heights a and b above the faces and c = dot(n, m),
/// the largest one between the normals is sqrt((a^2 + b^2 - 2 a b c) / (1 - c^2)) if a > b c and b > a c.
static bool IsAboveEdge(float a, float b, tdVec3 n, tdVec3 m, float limit)
{
    float c = tdDot(n, m), squared = 1.0f - c * c;
    if (!(a > c * b) || !(b > c * a) || !(squared > MIN_ARC_SINE_SQUARED))
    {
        return false;
    }
    return limit < 0.0f || a * a + b * b - 2.0f * c * a * b > limit * limit * squared;
}

/// Lists the edges of `a` that can belong to an axis with a separation above `atLeast`. The inner ball of B
/// bounds the separation along every normal of an edge.
/// @param heights of the centre of B above the faces
/// @return number of edges
static int ListEdges(const tdPolytope* a, const tdPolytope* b, const float* heights, float atLeast,
                     uint16_t* list)
{
    int count = 0;
    float limit = atLeast + CULL_RADIUS * b->innerRadius;
    for (int i = 0; i < a->fullEdgeCount; ++i)
    {
        int face = a->fullEdges[i].face, other = a->fullEdges[i].otherFace;
        float first = heights[face], second = heights[other];
        // Between the normals the height is at most max(first, second) unless their sum is positive.
        if (tdMaxFloat(first, second) > limit ||
            (first + second > 0.0f && IsAboveEdge(first, second, a->normals[face], a->normals[other], limit)))
        {
            list[count++] = (uint16_t)i;
        }
    }
    return count;
}

/// The edges of a polytope that are tested, by coordinates: normals of both faces and the direction.
typedef struct tdEdgeList
{
    int count;
    uint16_t edges[TD_POLYTOPE_MAX_EDGES]; // indices into fullEdges
    _Alignas(16) float nx[EDGE_ROOM], ny[EDGE_ROOM], nz[EDGE_ROOM];
    _Alignas(16) float mx[EDGE_ROOM], my[EDGE_ROOM], mz[EDGE_ROOM];
    _Alignas(16) float vx[EDGE_ROOM], vy[EDGE_ROOM], vz[EDGE_ROOM];
} tdEdgeList;

static tdVec3 GetEdgeVector(const tdPolytope* polytope, const tdHullFullEdge* edge)
{
    return tdSub(tdPolytope_GetVertex(polytope, edge->end), tdPolytope_GetVertex(polytope, edge->origin));
}

/// Fills the coordinates; the last group of four is padded by zeros, which no edge intersects.
static void FillEdgeList(tdEdgeList* list, const tdPolytope* polytope)
{
    for (int i = 0; i < ((list->count + 3) & ~3); ++i)
    {
        tdVec3 n = tdVec3_zero, m = tdVec3_zero, v = tdVec3_zero;
        if (i < list->count)
        {
            const tdHullFullEdge* edge = polytope->fullEdges + list->edges[i];
            n = polytope->normals[edge->face];
            m = polytope->normals[edge->otherFace];
            v = GetEdgeVector(polytope, edge);
        }
        list->nx[i] = n.x;
        list->ny[i] = n.y;
        list->nz[i] = n.z;
        list->mx[i] = m.x;
        list->my[i] = m.y;
        list->mz[i] = m.z;
        list->vx[i] = v.x;
        list->vy[i] = v.y;
        list->vz[i] = v.z;
    }
}

#if defined(TD_SSE2)
static inline __m128 DotLanes(const float* x, const float* y, const float* z, tdVec3 d)
{
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(_mm_load_ps(x), _mm_set1_ps(d.x)),
                                 _mm_mul_ps(_mm_load_ps(y), _mm_set1_ps(d.y))),
                      _mm_mul_ps(_mm_load_ps(z), _mm_set1_ps(d.z)));
}
#endif

/// Which of four edges of B from `first` on intersect an edge of A with the direction u and the normals n, m.
/// On the Gauss map the arcs (n, m) and (-nb, -mb) intersect if the ends of each lie on both sides of the
/// other's great circle and both are in the same hemisphere. The poles of the circles are the edge
/// directions.
/// @return a bit per edge
static unsigned FindCrossedEdges(const tdEdgeList* list, int first, tdVec3 u, tdVec3 n, tdVec3 m)
{
#if defined(TD_SSE2)
    __m128 cba = DotLanes(list->nx + first, list->ny + first, list->nz + first, u),
           dba = DotLanes(list->mx + first, list->my + first, list->mz + first, u), zero = _mm_setzero_ps();
    __m128 crossed = _mm_cmplt_ps(_mm_mul_ps(cba, dba), zero);
    if (_mm_movemask_ps(crossed) == 0)
    {
        return 0;
    }
    __m128 adc = DotLanes(list->vx + first, list->vy + first, list->vz + first, n),
           bdc = DotLanes(list->vx + first, list->vy + first, list->vz + first, m);
    crossed = _mm_and_ps(crossed, _mm_cmplt_ps(_mm_mul_ps(adc, bdc), zero));
    crossed = _mm_and_ps(crossed, _mm_cmplt_ps(_mm_mul_ps(cba, bdc), zero));
    return (unsigned)_mm_movemask_ps(crossed);
#else
    unsigned bits = 0;
    for (int i = first; i < first + 4; ++i)
    {
        float cba = list->nx[i] * u.x + list->ny[i] * u.y + list->nz[i] * u.z;
        float dba = list->mx[i] * u.x + list->my[i] * u.y + list->mz[i] * u.z;
        float adc = list->vx[i] * n.x + list->vy[i] * n.y + list->vz[i] * n.z;
        float bdc = list->vx[i] * m.x + list->vy[i] * m.y + list->vz[i] * m.z;
        bits |= cba * dba < 0.0f && adc * bdc < 0.0f && cba * bdc < 0.0f ? 1u << (i - first) : 0u;
    }
    return bits;
#endif
}

/// The pair of edges with the largest separation; the search stops at the first one above `margin`.
/// @param heightsA of the centre of B above the faces of A; heightsB the other way round
/// @param atLeast pairs with a smaller separation may be skipped
static tdAxisQuery QueryEdgePairs(const tdPolytope* a, const tdPolytope* b, const float* heightsA,
                                  const float* heightsB, float margin, float atLeast)
{
    tdAxisQuery best = {-INFINITY, -1, -1};
    uint16_t edgesA[TD_POLYTOPE_MAX_EDGES];
    tdEdgeList listB;
    int countA = ListEdges(a, b, heightsA, atLeast, edgesA);
    listB.count = countA > 0 ? ListEdges(b, a, heightsB, atLeast, listB.edges) : 0;
    FillEdgeList(&listB, b);
    for (int i = 0; i < countA && listB.count > 0; ++i)
    {
        const tdHullFullEdge* edge = a->fullEdges + edgesA[i];
        tdVec3 u = GetEdgeVector(a, edge), n = a->normals[edge->face], m = a->normals[edge->otherFace];
        for (int first = 0; first < listB.count; first += 4)
        {
            unsigned crossed = FindCrossedEdges(&listB, first, u, n, m);
            for (int j = first; crossed != 0; ++j, crossed >>= 1)
            {
                if ((crossed & 1u) == 0)
                {
                    continue;
                }
                int other = b->fullEdges[listB.edges[j]].edge;
                tdVec3 axis;
                float separation = GetPolytopeEdgeSeparation(a, edge->edge, b, other, &axis);
                if (separation > best.separation)
                {
                    best = (tdAxisQuery){separation, edge->edge, other};
                    if (separation > margin)
                    {
                        return best;
                    }
                }
            }
        }
    }
    return best;
}

/// Clips the incident face of `b` to a reference face of `a`. Positions are midway between the surfaces.
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
    float separation = GetPolytopeEdgeSeparation(a, query->index, b, query->other, &n);
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

/// Adds the deepest vertex of `b` if the clipped incident face does not contain it.
/// @return number of points
static int AddDeepestVertex(const tdPolytope* a, int face, const tdPolytope* b, float separation,
                            float margin, tdClipPoint* points, int count)
{
    float deepest = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        deepest = tdMinFloat(deepest, points[i].separation);
    }
    if (!(deepest - separation > VERTEX_DEPTH_LOSS * tdAbsFloat(separation) + VERTEX_MARGIN_LOSS * margin) ||
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
    // Only above the face: beside it another axis has the contact.
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

/// @param isFlipped the reference face belongs to B
/// @return number of points; -1: no point is within the margin
static int CollideReferenceFace(const tdPolytope* a, const tdPolytope* b, bool isFlipped, int face,
                                float separation, float margin, tdManifold* manifold)
{
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    int count = isFlipped ? ClipToFace(b, face, a, margin, points) : ClipToFace(a, face, b, margin, points);
    count = isFlipped ? AddDeepestVertex(b, face, a, separation, margin, points, count)
                      : AddDeepestVertex(a, face, b, separation, margin, points, count);
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

static void StoreAxis(tdManifoldCache* cache, tdAxisKind kind, int index, int other)
{
    if (cache != NULL)
    {
        cache->words[0] = (uint32_t)kind;
        cache->words[1] = (uint32_t)index;
        cache->words[2] = (uint32_t)other;
    }
}

/// Stores the separating direction, which the next call tests first.
/// @return 0, the number of points
static int StoreSeparation(tdManifoldCache* cache, tdVec3 normal, float separation)
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
    uint32_t last = cache != NULL ? cache->words[0] : AXIS_NONE;
    int lastIndex = cache != NULL ? (int)cache->words[1] : 0;
    float lastSeparation = last == AXIS_FACE_A   ? GetPolytopeFaceSeparation(a, lastIndex, b)
                           : last == AXIS_FACE_B ? GetPolytopeFaceSeparation(b, lastIndex, a)
                                                 : -INFINITY;
    if (lastSeparation > margin)
    {
        return StoreSeparation(cache,
                               last == AXIS_FACE_A ? a->normals[lastIndex] : tdNegate(b->normals[lastIndex]),
                               lastSeparation);
    }
    float gain = TD_AXIS_GAIN * tdMinFloat(a->innerRadius, b->innerRadius);
    float heightsA[TD_POLYTOPE_MAX_FACES], heightsB[TD_POLYTOPE_MAX_FACES];
    tdAxisQuery faceA = QueryFaces(a, b, heightsA);
    if (faceA.separation > margin)
    {
        return StoreSeparation(cache, a->normals[faceA.index], faceA.separation);
    }
    tdAxisQuery faceB = QueryFaces(b, a, heightsB);
    if (faceB.separation > margin)
    {
        return StoreSeparation(cache, tdNegate(b->normals[faceB.index]), faceB.separation);
    }
    // The last reference face stays the reference while no other face is better by the gain.
    if (last == AXIS_FACE_A && lastSeparation + gain > faceA.separation)
    {
        faceA = (tdAxisQuery){lastSeparation, lastIndex, -1};
    }
    else if (last == AXIS_FACE_B && lastSeparation + gain > faceB.separation)
    {
        faceB = (tdAxisQuery){lastSeparation, lastIndex, -1};
    }
    float bias = last == AXIS_FACE_A ? gain : (last == AXIS_FACE_B ? -gain : FIRST_FACE_BIAS * gain);
    bool isFlipped = faceB.separation > faceA.separation + bias;
    float bestFace = isFlipped ? faceB.separation : faceA.separation;
    // Edges must be better than the face by more than this, or separate the polytopes.
    float hysteresis = last == AXIS_EDGES ? TD_EDGE_HYSTERESIS : 1.0f;
    float atLeast =
        bestFace + hysteresis * (TD_EDGE_DEPTH_GAIN * tdAbsFloat(bestFace) + TD_EDGE_GAINS * gain);
    tdAxisQuery edge = QueryEdgePairs(a, b, heightsA, heightsB, margin, tdMinFloat(atLeast, margin));
    if (edge.separation > margin)
    {
        tdVec3 axis;
        GetPolytopeEdgeSeparation(a, edge.index, b, edge.other, &axis);
        return StoreSeparation(cache, axis, edge.separation);
    }
    if (edge.index >= 0 && edge.separation > atLeast)
    {
        StoreAxis(cache, AXIS_EDGES, edge.index, edge.other);
        return CollideEdgePair(a, b, &edge, margin, manifold);
    }
    int face = isFlipped ? faceB.index : faceA.index;
    StoreAxis(cache, isFlipped ? AXIS_FACE_B : AXIS_FACE_A, face, 0);
    return CollideReferenceFace(a, b, isFlipped, face, bestFace, margin, manifold);
}
