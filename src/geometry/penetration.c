// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Expanding polytope algorithm (van den Bergen 2001): a polytope inside A - B that contains the origin grows
// at its nearest face until the support mapping finds no point beyond that face. The number of points is
// bounded, so it terminates on every input. Decision: docs/decisions/050-narrow-phase.md.
#include "penetration.h"

/// Points of the polytope; curved pairs can reach the limit, which costs accuracy only. A closed surface of V
/// points has 2 V - 4 triangles and at most that many horizon edges.
#define MAX_EPA_POINTS 72
#define MAX_EPA_FACES 144
#define MAX_EPA_HORIZON 144
/// All lengths below are relative to the grain of the pair: the size of its curved cores plus this part of
/// the largest |w|. A small body on a large one has a small grain.
#define GRAIN_SHARE 1.0e-5
/// A face whose cross product is shorter than this (relative to grain times the largest |w|) has no normal.
#define MIN_FACE_AREA 1.0e-11
/// The absolute minimum of the same, in m^2, against denormal products.
#define MIN_FACE_AREA_ABSOLUTE 1.0e-30
/// Distance from the point, line or plane of the current simplex at which a point adds a dimension.
#define SIMPLEX_TOLERANCE 1.0e-5
/// A point sees a face from this height above it.
#define VISIBLE_TOLERANCE 1.0e-7
/// The search ends when the support point is at most this far beyond the nearest face.
#define EPA_TOLERANCE 3.0e-6
/// Faces this much farther than the nearest one belong to the same flat part of A - B.
#define COPLANAR_TOLERANCE 1.0e-5
/// Squared miss of the deepest points from depth * normal above which other faces are tried.
#define WITNESS_MISS_SQUARED 1.0e-4
/// Least cosine of a face that the normal can leave through, and slack of its barycentric weights.
#define MIN_EXIT_COSINE 0.1
#define WEIGHT_TOLERANCE 1.0e-4
/// Length of the guess across a segment below which it gives no direction.
#define MIN_ACROSS 1.0e-3

typedef struct tdEpaFace
{
    tdVec3d normal;
    double distance;
    uint8_t v[3];
} tdEpaFace;

typedef struct tdEpa
{
    tdDifferencePoint points[MAX_EPA_POINTS];
    int pointCount;
    tdEpaFace faces[MAX_EPA_FACES];
    int faceCount;
    double size;   // largest |w| so far
    double curved; // tdGetCurvedSize
} tdEpa;

static double GetGrain(const tdEpa* epa)
{
    return epa->curved + GRAIN_SHARE * epa->size;
}

static void MeasurePoint(tdEpa* epa, const tdConvex* a, const tdConvex* b, const tdDifferencePoint* point)
{
    epa->size = tdMaxDouble(epa->size, tdLengthD(point->w));
    epa->curved = tdMaxDouble(epa->curved, tdGetCurvedSize(a, b, point));
}

static bool AddEpaFace(tdEpa* epa, int a, int b, int c)
{
    if (epa->faceCount == MAX_EPA_FACES)
    {
        return false;
    }
    tdVec3d p = epa->points[a].w, q = epa->points[b].w, r = epa->points[c].w;
    tdVec3d n = tdCrossD(tdSubD(q, p), tdSubD(r, p));
    double length = tdLengthD(n);
    tdEpaFace* face = &epa->faces[epa->faceCount++];
    face->v[0] = (uint8_t)a;
    face->v[1] = (uint8_t)b;
    face->v[2] = (uint8_t)c;
    if (length > MIN_FACE_AREA * GetGrain(epa) * epa->size && length > MIN_FACE_AREA_ABSOLUTE)
    {
        face->normal = tdScaleD(1.0 / length, n);
        // The mean over the corners has a smaller rounding error on thin triangles than a single corner.
        face->distance = (tdDotD(face->normal, p) + tdDotD(face->normal, q) + tdDotD(face->normal, r)) / 3.0;
    }
    else
    {
        face->normal = (tdVec3d){0.0, 0.0, 0.0};
        face->distance = (double)INFINITY; // never the nearest face, never visible
    }
    return true;
}

/// Adds the support point in a direction if it adds a dimension to the simplex.
static bool TryPoint(tdEpa* epa, const tdConvex* a, const tdConvex* b, tdVec3d direction)
{
    tdDifferencePoint point = tdSupportDifference(a, b, tdNarrow(direction));
    MeasurePoint(epa, a, b, &point);
    double tolerance = SIMPLEX_TOLERANCE * GetGrain(epa);
    tdVec3d p0 = epa->points[0].w;
    tdVec3d d = tdSubD(point.w, p0);
    double measure = tdLengthD(d);
    if (epa->pointCount == 2)
    {
        tdVec3d line = tdNormalizeD(tdSubD(epa->points[1].w, p0));
        measure = tdLengthD(tdCrossD(line, d));
    }
    else if (epa->pointCount == 3)
    {
        tdVec3d n = tdNormalizeD(tdCrossD(tdSubD(epa->points[1].w, p0), tdSubD(epa->points[2].w, p0)));
        measure = fabs(tdDotD(n, d));
    }
    if (!(measure > tolerance))
    {
        return false;
    }
    epa->points[epa->pointCount++] = point;
    return true;
}

/// Extends the simplex to a tetrahedron with volume. False: A - B is flat.
static bool MakeTetrahedron(tdEpa* epa, const tdConvex* a, const tdConvex* b,
                            const tdDifferencePoint* simplex, int count)
{
    static const tdVec3d axes[6] = {{1.0, 0.0, 0.0},  {0.0, 1.0, 0.0},  {0.0, 0.0, 1.0},
                                    {-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
    epa->points[0] = simplex[0];
    epa->pointCount = 1;
    epa->size = epa->curved = 0.0;
    for (int i = 0; i < count; ++i)
    {
        MeasurePoint(epa, a, b, &simplex[i]);
    }
    for (int i = 1; i < count; ++i)
    {
        // The measures of TryPoint, on the points of the simplex.
        tdVec3d d = tdSubD(simplex[i].w, epa->points[0].w);
        double measure = tdLengthD(d);
        if (epa->pointCount == 2)
        {
            tdVec3d line = tdNormalizeD(tdSubD(epa->points[1].w, epa->points[0].w));
            measure = tdLengthD(tdCrossD(line, d));
        }
        else if (epa->pointCount == 3)
        {
            tdVec3d n = tdNormalizeD(tdCrossD(tdSubD(epa->points[1].w, epa->points[0].w),
                                              tdSubD(epa->points[2].w, epa->points[0].w)));
            measure = fabs(tdDotD(n, d));
        }
        if (measure > SIMPLEX_TOLERANCE * GetGrain(epa))
        {
            epa->points[epa->pointCount++] = simplex[i];
        }
    }
    for (int i = 0; i < 6 && epa->pointCount == 1; ++i)
    {
        TryPoint(epa, a, b, axes[i]);
    }
    if (epa->pointCount == 2)
    {
        tdVec3d line = tdNormalizeD(tdSubD(epa->points[1].w, epa->points[0].w));
        tdVec3d u = tdWiden(tdPerpendicular(tdNarrow(line))), v = tdCrossD(line, u);
        tdVec3d directions[4] = {u, tdNegateD(u), v, tdNegateD(v)};
        for (int i = 0; i < 4 && epa->pointCount == 2; ++i)
        {
            TryPoint(epa, a, b, directions[i]);
        }
    }
    if (epa->pointCount == 3)
    {
        tdVec3d n = tdNormalizeD(
            tdCrossD(tdSubD(epa->points[1].w, epa->points[0].w), tdSubD(epa->points[2].w, epa->points[0].w)));
        if (!TryPoint(epa, a, b, tdDotD(n, epa->points[0].w) > 0.0 ? tdNegateD(n) : n))
        {
            TryPoint(epa, a, b, tdDotD(n, epa->points[0].w) > 0.0 ? n : tdNegateD(n));
        }
    }
    return epa->pointCount == 4;
}

static void StartPolytope(tdEpa* epa)
{
    tdVec3d p0 = epa->points[0].w;
    tdVec3d n = tdCrossD(tdSubD(epa->points[1].w, p0), tdSubD(epa->points[2].w, p0));
    bool isFlipped = tdDotD(n, tdSubD(epa->points[3].w, p0)) > 0.0;
    int one = isFlipped ? 2 : 1, two = isFlipped ? 1 : 2;
    AddEpaFace(epa, 0, one, two); // away from point 3
    AddEpaFace(epa, one, 0, 3);
    AddEpaFace(epa, two, one, 3);
    AddEpaFace(epa, 0, two, 3);
}

static int FindNearestFace(const tdEpa* epa)
{
    int best = -1;
    double distance = (double)INFINITY;
    for (int i = 0; i < epa->faceCount; ++i)
    {
        if (epa->faces[i].distance < distance)
        {
            distance = epa->faces[i].distance;
            best = i;
        }
    }
    return best;
}

/// True if each corner of the horizon is the start of exactly one edge and the end of exactly one.
static bool IsSimpleLoop(const uint8_t (*horizon)[2], int count)
{
    for (int i = 0; i < count; ++i)
    {
        int starts = 0, ends = 0;
        for (int k = 0; k < count; ++k)
        {
            starts += horizon[k][0] == horizon[i][0] ? 1 : 0;
            ends += horizon[k][1] == horizon[i][0] ? 1 : 0;
        }
        if (starts != 1 || ends != 1)
        {
            return false;
        }
    }
    return count >= 3;
}

/// Adds the last point to the polytope: removes the faces visible from it and connects it with the horizon.
/// @return false, with the polytope unchanged, if there is no room or if the horizon is not a simple loop
/// because of rounding
static bool ExpandPolytope(tdEpa* epa, int nearest)
{
    int added = epa->pointCount - 1;
    tdVec3d w = epa->points[added].w;
    uint8_t horizon[MAX_EPA_HORIZON][2];
    bool isSeen[MAX_EPA_FACES];
    int count = 0, removed = 0;
    double tolerance = VISIBLE_TOLERANCE * GetGrain(epa);
    for (int i = 0; i < epa->faceCount; ++i)
    {
        const tdEpaFace* face = &epa->faces[i];
        isSeen[i] = i == nearest || tdDotD(face->normal, w) - face->distance > tolerance;
        if (!isSeen[i])
        {
            continue;
        }
        removed += 1;
        for (int e = 0; e < 3; ++e)
        {
            uint8_t from = face->v[e], to = face->v[(e + 1) % 3];
            int twin = -1;
            for (int k = 0; k < count; ++k)
            {
                if (horizon[k][0] == to && horizon[k][1] == from)
                {
                    twin = k;
                    break;
                }
            }
            if (twin >= 0)
            {
                count -= 1;
                horizon[twin][0] = horizon[count][0];
                horizon[twin][1] = horizon[count][1];
            }
            else if (count < MAX_EPA_HORIZON)
            {
                horizon[count][0] = from;
                horizon[count++][1] = to;
            }
            else
            {
                return false;
            }
        }
    }
    if (epa->faceCount - removed + count > MAX_EPA_FACES ||
        !IsSimpleLoop((const uint8_t(*)[2])horizon, count))
    {
        return false;
    }
    int kept = 0;
    for (int i = 0; i < epa->faceCount; ++i)
    {
        if (!isSeen[i])
        {
            epa->faces[kept++] = epa->faces[i];
        }
    }
    epa->faceCount = kept;
    for (int i = 0; i < count; ++i)
    {
        AddEpaFace(epa, horizon[i][0], horizon[i][1], added);
    }
    return true;
}

/// Barycentric weights of the point `o` in the plane of a face.
static void ComputeWeights(const tdEpa* epa, const tdEpaFace* face, tdVec3d o, double weights[3])
{
    tdVec3d p = epa->points[face->v[0]].w, q = epa->points[face->v[1]].w, r = epa->points[face->v[2]].w;
    tdVec3d n = tdCrossD(tdSubD(q, p), tdSubD(r, p));
    double s = tdDotD(n, n);
    s = s > 0.0 ? 1.0 / s : 0.0;
    weights[0] = s * tdDotD(n, tdCrossD(tdSubD(r, q), tdSubD(o, q)));
    weights[1] = s * tdDotD(n, tdCrossD(tdSubD(p, r), tdSubD(o, r)));
    weights[2] = 1.0 - weights[0] - weights[1];
}

/// Barycentric weights of the projection of the origin onto a face.
static void ComputeOriginWeights(const tdEpa* epa, const tdEpaFace* face, double weights[3])
{
    ComputeWeights(epa, face, tdScaleD(face->distance, face->normal), weights);
}

static void SetWitness(const tdEpa* epa, const tdEpaFace* face, const double weights[3],
                       tdPenetration* result)
{
    const tdDifferencePoint *p = &epa->points[face->v[0]], *q = &epa->points[face->v[1]];
    const tdDifferencePoint* r = &epa->points[face->v[2]];
    double u = tdMinDouble(tdMaxDouble(weights[0], 0.0), 1.0);
    double v = tdMinDouble(tdMaxDouble(weights[1], 0.0), 1.0 - u), t = 1.0 - u - v;
    tdVec3d onA = tdMulAddD(tdScaleD(u, tdWiden(p->a)), v, tdWiden(q->a)),
            onB = tdMulAddD(tdScaleD(u, tdWiden(p->b)), v, tdWiden(q->b));
    result->pointA = tdNarrow(tdMulAddD(onA, t, tdWiden(r->a)));
    result->pointB = tdNarrow(tdMulAddD(onB, t, tdWiden(r->b)));
}

/// Finds the deepest points of A and B. A flat part of A - B consists of several faces at the same distance;
/// the face that contains the projection of the origin has the points.
static void FindWitness(const tdEpa* epa, const tdEpaFace* nearest, tdPenetration* result)
{
    const tdEpaFace* face = nearest;
    double best[3];
    ComputeOriginWeights(epa, nearest, best);
    double bestLeast = tdMinDouble(best[0], tdMinDouble(best[1], best[2]));
    for (int i = 0; i < epa->faceCount && bestLeast < 0.0; ++i)
    {
        const tdEpaFace* other = &epa->faces[i];
        if (other->distance < nearest->distance + COPLANAR_TOLERANCE * GetGrain(epa))
        {
            double weights[3];
            ComputeOriginWeights(epa, other, weights);
            double least = tdMinDouble(weights[0], tdMinDouble(weights[1], weights[2]));
            if (least > bestLeast)
            {
                bestLeast = least;
                face = other;
                best[0] = weights[0];
                best[1] = weights[1];
                best[2] = weights[2];
            }
        }
    }
    SetWitness(epa, face, best, result);
    // The best normal may belong to a removed face that does not contain the projection of the origin. Then
    // the two points do not lie along the normal, and the face through which the normal leaves the polytope
    // has the right ones.
    tdVec3d n = nearest->normal;
    tdVec3d miss = tdMulAddD(tdSubD(tdWiden(result->pointA), tdWiden(result->pointB)), -nearest->distance, n);
    double grain = GetGrain(epa);
    if (bestLeast >= 0.0 || !(tdDotD(miss, miss) > WITNESS_MISS_SQUARED * grain * grain))
    {
        return;
    }
    for (int i = 0; i < epa->faceCount; ++i)
    {
        const tdEpaFace* other = &epa->faces[i];
        double cosine = tdDotD(other->normal, n);
        if (cosine > MIN_EXIT_COSINE)
        {
            // The `distance` of a face that could not be expanded is infinite, hence the dot product.
            double weights[3], distance = tdDotD(other->normal, epa->points[other->v[0]].w);
            ComputeWeights(epa, other, tdScaleD(distance / cosine, n), weights);
            if (tdMinDouble(weights[0], tdMinDouble(weights[1], weights[2])) >= -WEIGHT_TOLERANCE)
            {
                SetWitness(epa, other, weights, result);
                return;
            }
        }
    }
}

tdPenetration tdComputePenetration(const tdConvex* a, const tdConvex* b, const tdDifferencePoint* simplex,
                                   int count, tdVec3 guess)
{
    tdPenetration result = {guess, 0.0f, simplex[0].a, simplex[0].b};
    tdEpa epa;
    epa.faceCount = 0;
    if (!MakeTetrahedron(&epa, a, b, simplex, count))
    {
        // A - B is a point, a segment or flat: the normal is perpendicular to it.
        tdVec3d p0 = epa.points[0].w, normal = tdWiden(guess);
        if (epa.pointCount == 3)
        {
            normal = tdNormalizeD(tdCrossD(tdSubD(epa.points[1].w, p0), tdSubD(epa.points[2].w, p0)));
        }
        else if (epa.pointCount == 2)
        {
            tdVec3d line = tdNormalizeD(tdSubD(epa.points[1].w, p0));
            tdVec3d across = tdMulAddD(normal, -tdDotD(normal, line), line);
            normal = tdLengthD(across) > MIN_ACROSS ? tdNormalizeD(across)
                                                    : tdWiden(tdPerpendicular(tdNarrow(line)));
        }
        normal = tdDotD(normal, tdWiden(guess)) < 0.0 ? tdNegateD(normal) : normal;
        result.normal = tdNarrow(normal);
        tdDifferencePoint point = tdSupportDifference(a, b, result.normal);
        result.depth = (float)tdMaxDouble(tdDotD(point.w, normal), 0.0);
        result.pointA = point.a;
        result.pointB = point.b;
        return result;
    }
    StartPolytope(&epa);
    // Every support query proves that moving B by `reach` along that normal separates the cores. The result
    // is the least of these bounds, so that early termination can only overestimate the depth.
    tdEpaFace best = epa.faces[0];
    double least = (double)INFINITY;
    while (epa.pointCount < MAX_EPA_POINTS)
    {
        int index = FindNearestFace(&epa);
        if (index < 0 || epa.faces[index].distance >= least)
        {
            break;
        }
        tdEpaFace face = epa.faces[index];
        tdDifferencePoint point = tdSupportDifference(a, b, tdNarrow(face.normal));
        double reach = tdDotD(point.w, face.normal);
        MeasurePoint(&epa, a, b, &point);
        if (reach < least)
        {
            least = reach;
            best = face;
        }
        if (!(reach - face.distance > EPA_TOLERANCE * GetGrain(&epa)))
        {
            break;
        }
        epa.points[epa.pointCount] = point;
        epa.pointCount += 1;
        if (!ExpandPolytope(&epa, index))
        {
            // Excludes that face and continues with the next nearest one.
            epa.pointCount -= 1;
            epa.faces[index].distance = (double)INFINITY;
        }
    }
    if (least < (double)INFINITY)
    {
        FindWitness(&epa, &best, &result);
        result.normal = tdNarrow(best.normal);
        result.depth = (float)tdMaxDouble(least, 0.0);
    }
    return result;
}
