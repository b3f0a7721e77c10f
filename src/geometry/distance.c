// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// GJK (Gilbert, Johnson, Keerthi 1988): a simplex of points of the Minkowski difference A - B approaches the
// origin. It works on the cores; the radii are subtracted at the end, so that spheres and capsules are exact
// and need EPA only when their cores overlap.
#include "distance.h"

#include "hull.h"
#include "penetration.h"
#include "triangles.h"

/// Curved shapes converge slowest. The result after the limit is still an upper bound of the distance.
#define MAX_GJK_ITERATIONS 40
/// Squared sine below which the fourth point of a tetrahedron lies in the plane of the other three.
#define FLAT_TETRAHEDRON_SQUARED 1.0e-10f
/// Squared length in m^2 below which the start direction is replaced by +Y.
#define MIN_DIRECTION_SQUARED 1.0e-24f
/// Squared distance, relative to the largest |A - B|^2, below which the cores count as overlapping: the
/// direction of a shorter vector is rounding noise.
#define OVERLAP_SQUARED 1.0e-10f
/// Convergence: relative gap between the squared distance and its lower bound, and the gap that rounding of
/// the support points leaves: 2.5 float ulp of their size.
#define GJK_TOLERANCE 1.0e-6f
#define GJK_ROUNDING 3.0e-7f
/// A stalled search with a larger relative gap restarts from its newest point, at most MAX_RESTARTS times.
#define RESTART_GAP 1.0e-3f
#define MAX_RESTARTS 2

typedef struct tdSimplex
{
    tdDifferencePoint points[4];
    float weights[4];
    int count;
} tdSimplex;

/// Reduces the simplex to the first `count` of the points i, j, k, with weights u, v, w.
static void KeepPoints(tdSimplex* simplex, int count, int i, int j, int k, float u, float v, float w)
{
    tdDifferencePoint p = simplex->points[i], q = simplex->points[j], r = simplex->points[k];
    simplex->points[0] = p;
    simplex->points[1] = q;
    simplex->points[2] = r;
    simplex->weights[0] = u;
    simplex->weights[1] = v;
    simplex->weights[2] = w;
    simplex->count = count;
}

static void SolveLine(tdSimplex* simplex)
{
    tdVec3 a = simplex->points[0].w, b = simplex->points[1].w;
    tdVec3 d = tdSub(b, a);
    float t = -tdDot(a, d), squared = tdDot(d, d);
    if (t <= 0.0f || !(squared > 0.0f))
    {
        KeepPoints(simplex, 1, 0, 0, 0, 1.0f, 0.0f, 0.0f);
    }
    else if (t >= squared)
    {
        KeepPoints(simplex, 1, 1, 1, 1, 1.0f, 0.0f, 0.0f);
    }
    else
    {
        t /= squared;
        KeepPoints(simplex, 2, 0, 1, 1, 1.0f - t, t, 0.0f);
    }
}

/// Voronoi regions of the triangle (i, j, k) (Ericson 2005, 5.1.5).
static void SolveTriangle(tdSimplex* simplex, int i, int j, int k)
{
    tdVec3 a = simplex->points[i].w, b = simplex->points[j].w, c = simplex->points[k].w;
    tdVec3 ab = tdSub(b, a), ac = tdSub(c, a);
    float d1 = -tdDot(ab, a), d2 = -tdDot(ac, a);
    if (d1 <= 0.0f && d2 <= 0.0f)
    {
        KeepPoints(simplex, 1, i, i, i, 1.0f, 0.0f, 0.0f);
        return;
    }
    float d3 = -tdDot(ab, b), d4 = -tdDot(ac, b);
    if (d3 >= 0.0f && d4 <= d3)
    {
        KeepPoints(simplex, 1, j, j, j, 1.0f, 0.0f, 0.0f);
        return;
    }
    float d5 = -tdDot(ab, c), d6 = -tdDot(ac, c);
    if (d6 >= 0.0f && d5 <= d6)
    {
        KeepPoints(simplex, 1, k, k, k, 1.0f, 0.0f, 0.0f);
        return;
    }
    tdVec3 n = tdCross(ab, ac);
    float nc = tdDot(n, tdCross(a, b)), nb = tdDot(n, tdCross(c, a)), na = tdDot(n, tdCross(b, c));
    float best = INFINITY;
    bool isInside = nc > 0.0f && nb > 0.0f && na > 0.0f;
    if (isInside)
    {
        float s = 1.0f / (na + nb + nc);
        KeepPoints(simplex, 3, i, j, k, s * na, s * nb, s * nc);
        return;
    }
    // Takes the nearest of the three edges: sign tests choose the wrong region for thin triangles.
    tdSimplex source = *simplex;
    const int edges[3][2] = {{i, j}, {j, k}, {k, i}};
    for (int e = 0; e < 3; ++e)
    {
        tdSimplex line = source;
        line.points[0] = source.points[edges[e][0]];
        line.points[1] = source.points[edges[e][1]];
        line.count = 2;
        SolveLine(&line);
        tdVec3 v = tdScale(line.weights[0], line.points[0].w);
        if (line.count == 2)
        {
            v = tdMulAdd(v, line.weights[1], line.points[1].w);
        }
        float squared = tdLengthSquared(v);
        if (squared < best)
        {
            best = squared;
            *simplex = line;
        }
    }
}

/// True if the origin is inside.
static bool SolveTetrahedron(tdSimplex* simplex)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    tdSimplex source = *simplex;
    float best = INFINITY;
    bool isInside = true;
    for (int f = 0; f < 4; ++f)
    {
        tdVec3 a = source.points[faces[f][0]].w, b = source.points[faces[f][1]].w;
        tdVec3 c = source.points[faces[f][2]].w, d = source.points[faces[f][3]].w;
        tdVec3 n = tdCross(tdSub(b, a), tdSub(c, a));
        tdVec3 ad = tdSub(d, a);
        float side = tdDot(n, ad), origin = -tdDot(n, a);
        // The origin is outside this face if the fourth point is on the other side, or if the tetrahedron has
        // no volume and signs are rounding noise.
        bool hasVolume = side * side > FLAT_TETRAHEDRON_SQUARED * tdLengthSquared(n) * tdLengthSquared(ad);
        if (hasVolume && side * origin > 0.0f)
        {
            continue;
        }
        isInside = false;
        tdSimplex face = source;
        SolveTriangle(&face, faces[f][0], faces[f][1], faces[f][2]);
        tdVec3 v = tdVec3_zero;
        for (int i = 0; i < face.count; ++i)
        {
            v = tdMulAdd(v, face.weights[i], face.points[i].w);
        }
        float squared = tdLengthSquared(v);
        if (squared < best)
        {
            best = squared;
            *simplex = face;
        }
    }
    return isInside;
}

/// Closest point of the simplex to the origin. True if the origin is inside.
static bool SolveSimplex(tdSimplex* simplex, tdVec3* closest)
{
    bool isInside = false;
    switch (simplex->count)
    {
    case 1:
        simplex->weights[0] = 1.0f;
        break;
    case 2:
        SolveLine(simplex);
        break;
    case 3:
        SolveTriangle(simplex, 0, 1, 2);
        break;
    default:
        isInside = SolveTetrahedron(simplex);
        break;
    }
    tdVec3 v = tdVec3_zero;
    for (int i = 0; i < simplex->count && !isInside; ++i)
    {
        v = tdMulAdd(v, simplex->weights[i], simplex->points[i].w);
    }
    *closest = v;
    return isInside;
}

static bool ContainsPoint(const tdSimplex* simplex, tdVec3 w)
{
    for (int i = 0; i < simplex->count; ++i)
    {
        tdVec3 p = simplex->points[i].w;
        if (p.x == w.x && p.y == w.y && p.z == w.z)
        {
            return true;
        }
    }
    return false;
}

static tdDistanceResult SolveOverlap(const tdConvex* a, const tdConvex* b, const tdSimplex* simplex,
                                     tdVec3 guess)
{
    tdPenetration out = tdComputePenetration(a, b, simplex->points, simplex->count, guess);
    tdDistanceResult result;
    result.normal = out.normal;
    result.distance = -out.depth - a->radius - b->radius;
    result.pointA = tdMulAdd(out.pointA, a->radius, out.normal);
    result.pointB = tdMulSub(out.pointB, b->radius, out.normal);
    return result;
}

/// @param needsDepth false: overlapping cores give the distance -radii, without EPA
static tdDistanceResult SolveGjk(const tdConvex* a, const tdConvex* b, float limit, tdDistanceCache* cache,
                                 bool needsDepth)
{
    float radii = a->radius + b->radius;
    tdVec3 offset = tdSub(tdConvex_GetCenter(a), tdConvex_GetCenter(b));
    tdVec3 v = cache != NULL && tdLengthSquared(cache->direction) > 0.0f ? cache->direction : offset;
    if (!(tdLengthSquared(v) > MIN_DIRECTION_SQUARED))
    {
        v = (tdVec3){0.0f, 1.0f, 0.0f};
    }
    tdSimplex simplex;
    simplex.points[0] = tdSupportDifference(a, b, tdNegate(v));
    simplex.count = 1;
    simplex.weights[0] = 1.0f;
    v = simplex.points[0].w;
    float size = tdLengthSquared(v);
    bool isInside = false;
    tdSimplex best;
    float bestSquared = INFINITY;
    int restarts = 0;
    for (int i = 0; i < MAX_GJK_ITERATIONS; ++i)
    {
        float squared = tdLengthSquared(v);
        if (isInside || squared <= OVERLAP_SQUARED * size)
        {
            isInside = true;
            break;
        }
        tdDifferencePoint point = tdSupportDifference(a, b, tdNegate(v));
        float bound = tdDot(v, point.w);
        if (bound > 0.0f && bound * bound > squared * (limit + radii) * (limit + radii) &&
            limit + radii >= 0.0f)
        {
            // The plane through point.w proves a distance above the limit.
            float length = sqrtf(squared);
            tdDistanceResult separated;
            separated.normal = tdScale(-1.0f / length, v);
            separated.distance = bound / length - radii;
            separated.pointA = tdMulAdd(point.a, a->radius, separated.normal);
            separated.pointB = tdMulSub(point.b, b->radius, separated.normal);
            if (cache != NULL)
            {
                cache->direction = v;
            }
            return separated;
        }
        size = tdMaxFloat(size, tdLengthSquared(point.w));
        if (squared - bound <= GJK_TOLERANCE * squared + GJK_ROUNDING * sqrtf(squared * size) ||
            ContainsPoint(&simplex, point.w))
        {
            break;
        }
        tdSimplex before = simplex;
        simplex.points[simplex.count++] = point;
        tdVec3 next;
        isInside = SolveSimplex(&simplex, &next);
        float nextSquared = tdLengthSquared(next);
        if (isInside ? bound > 0.0f : !(nextSquared < squared))
        {
            // Rounding prevents progress, or a sliver contains the origin although the last plane separates
            // the two. Keeps the better simplex.
            isInside = false;
            if (squared < bestSquared)
            {
                bestSquared = squared;
                best = before;
            }
            // Far from converged: restarts from the newest point, which takes another path.
            if (restarts < MAX_RESTARTS && squared - bound > RESTART_GAP * squared)
            {
                restarts += 1;
                simplex.points[0] = point;
                simplex.weights[0] = 1.0f;
                simplex.count = 1;
                v = point.w;
                continue;
            }
            simplex = before;
            break;
        }
        v = next;
    }
    if (!isInside && bestSquared < tdLengthSquared(v))
    {
        simplex = best;
        SolveSimplex(&simplex, &v);
    }
    if (cache != NULL)
    {
        cache->direction = isInside ? tdVec3_zero : v;
    }
    if (isInside && !needsDepth)
    {
        return (tdDistanceResult){-radii, tdVec3_zero, simplex.points[0].a, simplex.points[0].b};
    }
    if (isInside)
    {
        tdVec3 guess = tdNormalize(tdNegate(offset));
        guess = tdLengthSquared(guess) > 0.0f ? guess : (tdVec3){0.0f, 1.0f, 0.0f};
        return SolveOverlap(a, b, &simplex, guess);
    }
    tdVec3 pointA = tdVec3_zero, pointB = tdVec3_zero;
    for (int i = 0; i < simplex.count; ++i)
    {
        pointA = tdMulAdd(pointA, simplex.weights[i], simplex.points[i].a);
        pointB = tdMulAdd(pointB, simplex.weights[i], simplex.points[i].b);
    }
    float length = tdLength(v);
    tdDistanceResult result;
    result.normal = tdScale(-1.0f / length, v);
    result.distance = length - radii;
    result.pointA = tdMulAdd(pointA, a->radius, result.normal);
    result.pointB = tdMulSub(pointB, b->radius, result.normal);
    return result;
}

tdDistanceResult tdConvexDistance(const tdConvex* a, const tdConvex* b, float limit, tdDistanceCache* cache)
{
    return SolveGjk(a, b, limit, cache, true);
}

float tdConvexDistanceOrZero(const tdConvex* a, const tdConvex* b)
{
    return SolveGjk(a, b, INFINITY, NULL, false).distance;
}
