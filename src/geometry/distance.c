// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// GJK (Gilbert, Johnson, Keerthi 1988): a simplex of points of the Minkowski difference A - B approaches the
// origin. It works on the cores; the radii are subtracted at the end, so that spheres and capsules are exact
// and need EPA only when their cores overlap. The simplex is in double precision (vec3d.h).
#include "distance.h"

#include "hull.h"
#include "penetration.h"
#include "triangles.h"

/// Curved shapes converge slowest. The result after the limit is still an upper bound of the distance.
#define MAX_GJK_ITERATIONS 40
/// Squared sine below which the fourth point of a tetrahedron lies in the plane of the other three.
#define FLAT_TETRAHEDRON_SQUARED 1.0e-20
/// Squared length in m^2 below which the start direction is replaced by +Y.
#define MIN_DIRECTION_SQUARED 1.0e-24f
/// Squared distance below which the cores count as overlapping, because the direction of a shorter vector is
/// rounding noise: relative to the largest |A - B|^2, and relative to the squared size of curved cores, whose
/// support points are computed in float.
#define OVERLAP_SQUARED 1.0e-24
#define CURVED_OVERLAP_SQUARED 1.0e-10
/// Convergence: relative gap between the squared distance and its lower bound, and the gap that rounding
/// leaves, relative to the largest |A - B| and to the size of curved cores (2.5 float ulp).
#define GJK_TOLERANCE 1.0e-6
#define GJK_ROUNDING 1.0e-15
#define CURVED_ROUNDING 3.0e-7
/// A stalled search with a larger relative gap restarts from its newest point, at most MAX_RESTARTS times.
#define RESTART_GAP 1.0e-3
#define MAX_RESTARTS 2

typedef struct tdSimplex
{
    tdDifferencePoint points[4];
    double weights[3]; // of the closest point to the origin; a simplex of four points contains the origin
    int count;
} tdSimplex;

/// Point, edge or triangle of a simplex that is closest to the origin.
typedef struct NearestPart
{
    tdVec3d closest;
    double squared; // length of `closest`
    double weights[3];
    int indices[3]; // of the points of the simplex
    int count;
} NearestPart;

static NearestPart MakePart(const tdSimplex* simplex, int count, int i, int j, int k, double u, double v,
                            double w)
{
    NearestPart part = {{0.0, 0.0, 0.0}, 0.0, {u, v, w}, {i, j, k}, count};
    for (int n = 0; n < count; ++n)
    {
        part.closest = tdMulAddD(part.closest, part.weights[n], simplex->points[part.indices[n]].w);
    }
    part.squared = tdDotD(part.closest, part.closest);
    return part;
}

static NearestPart SolveLine(const tdSimplex* simplex, int i, int j)
{
    tdVec3d a = simplex->points[i].w, b = simplex->points[j].w;
    tdVec3d d = tdSubD(b, a);
    double t = -tdDotD(a, d), squared = tdDotD(d, d);
    if (t <= 0.0 || !(squared > 0.0))
    {
        return MakePart(simplex, 1, i, i, i, 1.0, 0.0, 0.0);
    }
    if (t >= squared)
    {
        return MakePart(simplex, 1, j, j, j, 1.0, 0.0, 0.0);
    }
    t /= squared;
    return MakePart(simplex, 2, i, j, j, 1.0 - t, t, 0.0);
}

/// Voronoi regions of the triangle (i, j, k) (Ericson 2005, 5.1.5).
static NearestPart SolveTriangle(const tdSimplex* simplex, int i, int j, int k)
{
    tdVec3d a = simplex->points[i].w, b = simplex->points[j].w, c = simplex->points[k].w;
    tdVec3d ab = tdSubD(b, a), ac = tdSubD(c, a);
    double d1 = -tdDotD(ab, a), d2 = -tdDotD(ac, a);
    if (d1 <= 0.0 && d2 <= 0.0)
    {
        return MakePart(simplex, 1, i, i, i, 1.0, 0.0, 0.0);
    }
    double d3 = -tdDotD(ab, b), d4 = -tdDotD(ac, b);
    if (d3 >= 0.0 && d4 <= d3)
    {
        return MakePart(simplex, 1, j, j, j, 1.0, 0.0, 0.0);
    }
    double d5 = -tdDotD(ab, c), d6 = -tdDotD(ac, c);
    if (d6 >= 0.0 && d5 <= d6)
    {
        return MakePart(simplex, 1, k, k, k, 1.0, 0.0, 0.0);
    }
    tdVec3d n = tdCrossD(ab, ac);
    double nc = tdDotD(n, tdCrossD(a, b)), nb = tdDotD(n, tdCrossD(c, a)), na = tdDotD(n, tdCrossD(b, c));
    if (nc > 0.0 && nb > 0.0 && na > 0.0)
    {
        double s = 1.0 / (na + nb + nc);
        return MakePart(simplex, 3, i, j, k, s * na, s * nb, s * nc);
    }
    // Takes the nearest of the three edges: sign tests choose the wrong region for thin triangles.
    NearestPart best = SolveLine(simplex, i, j), other = SolveLine(simplex, j, k);
    best = other.squared < best.squared ? other : best;
    other = SolveLine(simplex, k, i);
    return other.squared < best.squared ? other : best;
}

/// @return the nearest part, or one of no points if the origin is inside
static NearestPart SolveTetrahedron(const tdSimplex* simplex)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    NearestPart best = {.squared = (double)INFINITY};
    for (int f = 0; f < 4; ++f)
    {
        tdVec3d a = simplex->points[faces[f][0]].w, b = simplex->points[faces[f][1]].w;
        tdVec3d c = simplex->points[faces[f][2]].w, d = simplex->points[faces[f][3]].w;
        tdVec3d n = tdCrossD(tdSubD(b, a), tdSubD(c, a));
        tdVec3d ad = tdSubD(d, a);
        double side = tdDotD(n, ad), origin = -tdDotD(n, a);
        // The origin is outside this face if the fourth point is on the other side, or if the tetrahedron has
        // no volume and signs are rounding noise.
        bool hasVolume = side * side > FLAT_TETRAHEDRON_SQUARED * tdDotD(n, n) * tdDotD(ad, ad);
        if (hasVolume && side * origin > 0.0)
        {
            continue;
        }
        NearestPart part = SolveTriangle(simplex, faces[f][0], faces[f][1], faces[f][2]);
        if (part.squared < best.squared || best.count == 0)
        {
            best = part;
        }
    }
    return best;
}

/// Part of the simplex that is closest to the origin; it has no points if the origin is inside.
static NearestPart FindNearestPart(const tdSimplex* simplex)
{
    switch (simplex->count)
    {
    case 1:
        return MakePart(simplex, 1, 0, 0, 0, 1.0, 0.0, 0.0);
    case 2:
        return SolveLine(simplex, 0, 1);
    case 3:
        return SolveTriangle(simplex, 0, 1, 2);
    default:
        return SolveTetrahedron(simplex);
    }
}

/// Reduces the simplex to one of its parts.
static void KeepPart(tdSimplex* simplex, const NearestPart* part)
{
    tdDifferencePoint points[3];
    for (int i = 0; i < part->count; ++i)
    {
        points[i] = simplex->points[part->indices[i]];
        simplex->weights[i] = part->weights[i];
    }
    for (int i = 0; i < part->count; ++i)
    {
        simplex->points[i] = points[i];
    }
    simplex->count = part->count;
}

static bool ContainsPoint(const tdSimplex* simplex, tdVec3d w)
{
    for (int i = 0; i < simplex->count; ++i)
    {
        tdVec3d p = simplex->points[i].w;
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
    double radii = (double)a->radius + (double)b->radius, reach = (double)limit + radii;
    tdVec3 offset = tdSub(tdConvex_GetCenter(a), tdConvex_GetCenter(b));
    tdVec3 start = cache != NULL && tdLengthSquared(cache->direction) > 0.0f ? cache->direction : offset;
    if (!(tdLengthSquared(start) > MIN_DIRECTION_SQUARED))
    {
        start = (tdVec3){0.0f, 1.0f, 0.0f};
    }
    tdSimplex simplex;
    simplex.points[0] = tdSupportDifference(a, b, tdNegate(start));
    simplex.count = 1;
    simplex.weights[0] = 1.0;
    tdVec3d v = simplex.points[0].w;
    double size = tdDotD(v, v), curved = tdGetCurvedSize(a, b, &simplex.points[0]);
    bool isInside = false;
    tdSimplex best;
    double bestSquared = (double)INFINITY;
    int restarts = 0;
    for (int i = 0; i < MAX_GJK_ITERATIONS; ++i)
    {
        double squared = tdDotD(v, v);
        if (isInside || squared <= OVERLAP_SQUARED * size + CURVED_OVERLAP_SQUARED * curved * curved)
        {
            isInside = true;
            break;
        }
        double length = sqrt(squared);
        tdVec3 towardsB = tdNarrow(tdScaleD(-1.0 / length, v));
        tdDifferencePoint point = tdSupportDifference(a, b, towardsB);
        double bound = tdDotD(v, point.w);
        if (bound > 0.0 && bound * bound > squared * reach * reach && reach >= 0.0)
        {
            // The plane through point.w proves a distance above the limit.
            tdDistanceResult separated;
            separated.normal = towardsB;
            separated.distance = (float)(bound / length - radii);
            separated.pointA = tdMulAdd(point.a, a->radius, separated.normal);
            separated.pointB = tdMulSub(point.b, b->radius, separated.normal);
            if (cache != NULL)
            {
                cache->direction = tdNegate(separated.normal);
            }
            return separated;
        }
        double pointSquared = tdDotD(point.w, point.w), pointCurved = tdGetCurvedSize(a, b, &point);
        size = tdMaxDouble(size, pointSquared);
        curved = tdMaxDouble(curved, pointCurved);
        double rounding = GJK_ROUNDING * sqrt(size) + CURVED_ROUNDING * curved;
        if (squared - bound <= GJK_TOLERANCE * squared + rounding * length ||
            ContainsPoint(&simplex, point.w))
        {
            break;
        }
        simplex.points[simplex.count++] = point;
        NearestPart next = FindNearestPart(&simplex);
        isInside = next.count == 0;
        if (isInside ? bound > 0.0 : !(next.squared < squared))
        {
            // Rounding prevents progress, or a sliver contains the origin although the last plane separates
            // the two. Keeps the better simplex.
            isInside = false;
            simplex.count -= 1;
            if (squared < bestSquared)
            {
                bestSquared = squared;
                best = simplex;
            }
            // Far from converged: restarts from the newest point, which takes another path.
            if (restarts < MAX_RESTARTS && squared - bound > RESTART_GAP * squared)
            {
                restarts += 1;
                simplex.points[0] = point;
                simplex.weights[0] = 1.0;
                simplex.count = 1;
                v = point.w;
                continue;
            }
            break;
        }
        if (!isInside)
        {
            KeepPart(&simplex, &next);
        }
        v = next.closest;
    }
    if (!isInside && bestSquared < tdDotD(v, v))
    {
        simplex = best;
        NearestPart nearest = FindNearestPart(&simplex);
        KeepPart(&simplex, &nearest);
        v = nearest.closest;
    }
    double length = tdLengthD(v);
    tdVec3 towardsB = isInside ? tdVec3_zero : tdNarrow(tdScaleD(-1.0 / length, v));
    if (cache != NULL)
    {
        cache->direction = tdNegate(towardsB);
    }
    if (isInside && !needsDepth)
    {
        return (tdDistanceResult){(float)-radii, tdVec3_zero, simplex.points[0].a, simplex.points[0].b};
    }
    if (isInside)
    {
        tdVec3 guess = tdNormalize(tdNegate(offset));
        guess = tdLengthSquared(guess) > 0.0f ? guess : (tdVec3){0.0f, 1.0f, 0.0f};
        return SolveOverlap(a, b, &simplex, guess);
    }
    tdVec3d pointA = {0.0, 0.0, 0.0}, pointB = pointA;
    for (int i = 0; i < simplex.count; ++i)
    {
        pointA = tdMulAddD(pointA, simplex.weights[i], tdWiden(simplex.points[i].a));
        pointB = tdMulAddD(pointB, simplex.weights[i], tdWiden(simplex.points[i].b));
    }
    tdDistanceResult result;
    result.normal = towardsB;
    result.distance = (float)(length - radii);
    result.pointA = tdMulAdd(tdNarrow(pointA), a->radius, result.normal);
    result.pointB = tdMulSub(tdNarrow(pointB), b->radius, result.normal);
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

bool tdTestConvexOverlap(const tdConvex* a, const tdConvex* b)
{
    return SolveGjk(a, b, 0.0f, NULL, false).distance <= 0.0f;
}
