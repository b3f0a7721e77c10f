// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Expanding polytope (van den Bergen 2001): a polytope inside A - B that holds the origin grows towards the
// nearest face until the support mapping finds nothing beyond it. Bounded in points, so it ends on any input.
#include "penetration.h"

#define TD_EPA_MAX_POINTS 72
#define TD_EPA_MAX_FACES 144
#define TD_EPA_MAX_HORIZON 144

typedef struct tdEpaFace
{
    tdVec3 normal;
    float distance;
    uint8_t v[3];
} tdEpaFace;

typedef struct tdEpa
{
    tdDifferencePoint points[TD_EPA_MAX_POINTS];
    int pointCount;
    tdEpaFace faces[TD_EPA_MAX_FACES];
    int faceCount;
    float size; // largest |w| so far
} tdEpa;

static bool AddFace(tdEpa* epa, int a, int b, int c)
{
    if (epa->faceCount == TD_EPA_MAX_FACES)
    {
        return false;
    }
    tdVec3 p = epa->points[a].w, q = epa->points[b].w, r = epa->points[c].w;
    tdVec3 n = tdCross(tdSub(q, p), tdSub(r, p));
    float length = tdLength(n);
    tdEpaFace* face = &epa->faces[epa->faceCount++];
    face->v[0] = (uint8_t)a;
    face->v[1] = (uint8_t)b;
    face->v[2] = (uint8_t)c;
    if (length > 1.0e-12f * epa->size * epa->size && length > 1.0e-30f)
    {
        face->normal = tdScale(1.0f / length, n);
        // The mean of the three is kinder to thin triangles than any one corner.
        face->distance = (tdDot(face->normal, p) + tdDot(face->normal, q) + tdDot(face->normal, r)) / 3.0f;
    }
    else
    {
        face->normal = tdVec3_zero;
        face->distance = INFINITY; // never chosen, never seen
    }
    return true;
}

static bool TryPoint(tdEpa* epa, const tdConvex* a, const tdConvex* b, tdVec3 direction)
{
    // Distinct enough from the others, measured by what it adds to the current simplex.
    tdDifferencePoint point = tdSupportDifference(a, b, direction);
    epa->size = tdMaxFloat(epa->size, tdLength(point.w));
    float tolerance = 1.0e-5f * epa->size;
    tdVec3 p0 = epa->points[0].w;
    tdVec3 d = tdSub(point.w, p0);
    float measure = tdLength(d);
    if (epa->pointCount == 2)
    {
        tdVec3 line = tdNormalize(tdSub(epa->points[1].w, p0));
        measure = tdLength(tdCross(line, d));
    }
    else if (epa->pointCount == 3)
    {
        tdVec3 n = tdNormalize(tdCross(tdSub(epa->points[1].w, p0), tdSub(epa->points[2].w, p0)));
        measure = tdAbsFloat(tdDot(n, d));
    }
    if (!(measure > tolerance))
    {
        return false;
    }
    epa->points[epa->pointCount++] = point;
    return true;
}

/// Four points with a volume, holding what the simplex gave. False if A - B is flat here.
static bool MakeTetrahedron(tdEpa* epa, const tdConvex* a, const tdConvex* b,
                            const tdDifferencePoint* simplex, int count)
{
    static const tdVec3 axes[6] = {{1.0f, 0.0f, 0.0f},  {0.0f, 1.0f, 0.0f},  {0.0f, 0.0f, 1.0f},
                                   {-1.0f, 0.0f, 0.0f}, {0.0f, -1.0f, 0.0f}, {0.0f, 0.0f, -1.0f}};
    epa->points[0] = simplex[0];
    epa->pointCount = 1;
    epa->size = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        epa->size = tdMaxFloat(epa->size, tdLength(simplex[i].w));
    }
    for (int i = 1; i < count; ++i)
    {
        // The same measures as above, on points that are already there.
        tdVec3 d = tdSub(simplex[i].w, epa->points[0].w);
        float measure = tdLength(d);
        if (epa->pointCount == 2)
        {
            tdVec3 line = tdNormalize(tdSub(epa->points[1].w, epa->points[0].w));
            measure = tdLength(tdCross(line, d));
        }
        else if (epa->pointCount == 3)
        {
            tdVec3 n = tdNormalize(tdCross(tdSub(epa->points[1].w, epa->points[0].w),
                                           tdSub(epa->points[2].w, epa->points[0].w)));
            measure = tdAbsFloat(tdDot(n, d));
        }
        if (measure > 1.0e-5f * epa->size)
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
        tdVec3 line = tdNormalize(tdSub(epa->points[1].w, epa->points[0].w));
        tdVec3 u = tdPerpendicular(line), v = tdCross(line, u);
        tdVec3 directions[4] = {u, tdNegate(u), v, tdNegate(v)};
        for (int i = 0; i < 4 && epa->pointCount == 2; ++i)
        {
            TryPoint(epa, a, b, directions[i]);
        }
    }
    if (epa->pointCount == 3)
    {
        tdVec3 n = tdNormalize(
            tdCross(tdSub(epa->points[1].w, epa->points[0].w), tdSub(epa->points[2].w, epa->points[0].w)));
        if (!TryPoint(epa, a, b, tdDot(n, epa->points[0].w) > 0.0f ? tdNegate(n) : n))
        {
            TryPoint(epa, a, b, tdDot(n, epa->points[0].w) > 0.0f ? n : tdNegate(n));
        }
    }
    return epa->pointCount == 4;
}

static void StartPolytope(tdEpa* epa)
{
    tdVec3 p0 = epa->points[0].w;
    tdVec3 n = tdCross(tdSub(epa->points[1].w, p0), tdSub(epa->points[2].w, p0));
    bool isFlipped = tdDot(n, tdSub(epa->points[3].w, p0)) > 0.0f;
    int one = isFlipped ? 2 : 1, two = isFlipped ? 1 : 2;
    AddFace(epa, 0, one, two); // away from point 3
    AddFace(epa, one, 0, 3);
    AddFace(epa, two, one, 3);
    AddFace(epa, 0, two, 3);
}

static int FindNearestFace(const tdEpa* epa)
{
    int best = -1;
    float distance = INFINITY;
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

/// Each corner of the hole is the start of one edge and the end of one.
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

/// Add the last point: remove what it sees, close the hole. False, and nothing changed, if there is no room
/// or rounding has torn the hole.
static bool Expand(tdEpa* epa, int nearest)
{
    int added = epa->pointCount - 1;
    tdVec3 w = epa->points[added].w;
    uint8_t horizon[TD_EPA_MAX_HORIZON][2];
    bool isSeen[TD_EPA_MAX_FACES];
    int count = 0, removed = 0;
    float tolerance = 1.0e-7f * epa->size;
    for (int i = 0; i < epa->faceCount; ++i)
    {
        const tdEpaFace* face = &epa->faces[i];
        isSeen[i] = i == nearest || tdDot(face->normal, w) - face->distance > tolerance;
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
            else if (count < TD_EPA_MAX_HORIZON)
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
    if (epa->faceCount - removed + count > TD_EPA_MAX_FACES ||
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
        AddFace(epa, horizon[i][0], horizon[i][1], added);
    }
    return true;
}

/// A point in the plane of a face as weights of its corners.
static void FindWeightsOf(const tdEpa* epa, const tdEpaFace* face, tdVec3 o, float weights[3])
{
    tdVec3 p = epa->points[face->v[0]].w, q = epa->points[face->v[1]].w, r = epa->points[face->v[2]].w;
    tdVec3 n = tdCross(tdSub(q, p), tdSub(r, p));
    float s = tdDot(n, n);
    s = s > 0.0f ? 1.0f / s : 0.0f;
    weights[0] = s * tdDot(n, tdCross(tdSub(r, q), tdSub(o, q)));
    weights[1] = s * tdDot(n, tdCross(tdSub(p, r), tdSub(o, r)));
    weights[2] = 1.0f - weights[0] - weights[1];
}

/// Where the origin projects onto a face.
static void FindWeights(const tdEpa* epa, const tdEpaFace* face, float weights[3])
{
    FindWeightsOf(epa, face, tdScale(face->distance, face->normal), weights);
}

static void SetWitness(const tdEpa* epa, const tdEpaFace* face, const float weights[3], tdPenetration* result)
{
    const tdDifferencePoint *p = &epa->points[face->v[0]], *q = &epa->points[face->v[1]];
    const tdDifferencePoint* r = &epa->points[face->v[2]];
    float u = tdClampFloat(weights[0], 0.0f, 1.0f), v = tdClampFloat(weights[1], 0.0f, 1.0f - u),
          t = 1.0f - u - v;
    result->pointA = tdAdd(tdScale(u, p->a), tdAdd(tdScale(v, q->a), tdScale(t, r->a)));
    result->pointB = tdAdd(tdScale(u, p->b), tdAdd(tdScale(v, q->b), tdScale(t, r->b)));
}

/// Deepest points of A and B. Flat parts of A - B are many faces at one distance: the one over the origin
/// counts.
static void FindWitness(const tdEpa* epa, const tdEpaFace* nearest, tdPenetration* result)
{
    const tdEpaFace* face = nearest;
    float best[3];
    FindWeights(epa, nearest, best);
    float bestLeast = tdMinFloat(best[0], tdMinFloat(best[1], best[2]));
    for (int i = 0; i < epa->faceCount && bestLeast < 0.0f; ++i)
    {
        const tdEpaFace* other = &epa->faces[i];
        if (other->distance < nearest->distance + 1.0e-5f * epa->size)
        {
            float weights[3];
            FindWeights(epa, other, weights);
            float least = tdMinFloat(weights[0], tdMinFloat(weights[1], weights[2]));
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
    // The best normal may be that of a face which has gone since, with the origin beside it: then the two
    // points do not face each other along the normal. The face that the normal leaves through has those that
    // do.
    tdVec3 n = nearest->normal;
    tdVec3 miss = tdSub(tdSub(result->pointA, result->pointB), tdScale(nearest->distance, n));
    if (bestLeast >= 0.0f || !(tdLengthSquared(miss) > 1.0e-4f * epa->size * epa->size))
    {
        return;
    }
    for (int i = 0; i < epa->faceCount; ++i)
    {
        const tdEpaFace* other = &epa->faces[i];
        float cosine = tdDot(other->normal, n);
        if (cosine > 0.1f)
        {
            // Not its `distance`: that is infinite if the face could not be expanded.
            float weights[3], distance = tdDot(other->normal, epa->points[other->v[0]].w);
            FindWeightsOf(epa, other, tdScale(distance / cosine, n), weights);
            if (tdMinFloat(weights[0], tdMinFloat(weights[1], weights[2])) >= -1.0e-4f)
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
        // A - B is a point, a segment or flat: perpendicular to it nothing is in the way.
        tdVec3 p0 = epa.points[0].w;
        if (epa.pointCount == 3)
        {
            result.normal = tdNormalize(tdCross(tdSub(epa.points[1].w, p0), tdSub(epa.points[2].w, p0)));
        }
        else if (epa.pointCount == 2)
        {
            tdVec3 line = tdNormalize(tdSub(epa.points[1].w, p0));
            tdVec3 across = tdMulSub(guess, tdDot(guess, line), line);
            result.normal = tdLength(across) > 1.0e-3f ? tdNormalize(across) : tdPerpendicular(line);
        }
        result.normal = tdDot(result.normal, guess) < 0.0f ? tdNegate(result.normal) : result.normal;
        tdDifferencePoint point = tdSupportDifference(a, b, result.normal);
        result.depth = tdMaxFloat(tdDot(point.w, result.normal), 0.0f);
        result.pointA = point.a;
        result.pointB = point.b;
        return result;
    }
    StartPolytope(&epa);
    // Every support query gives a true bound: B is out after moving by `reach` along that normal. The least
    // of them is the answer, so that an early end costs accuracy but never a way out that is too short.
    tdEpaFace best = epa.faces[0];
    float least = INFINITY;
    while (epa.pointCount < TD_EPA_MAX_POINTS)
    {
        int index = FindNearestFace(&epa);
        if (index < 0 || epa.faces[index].distance >= least)
        {
            break;
        }
        tdEpaFace face = epa.faces[index];
        tdDifferencePoint point = tdSupportDifference(a, b, face.normal);
        float reach = tdDot(point.w, face.normal);
        epa.size = tdMaxFloat(epa.size, tdLength(point.w));
        if (reach < least)
        {
            least = reach;
            best = face;
        }
        if (!(reach - face.distance > 3.0e-6f * epa.size))
        {
            break;
        }
        epa.points[epa.pointCount] = point;
        epa.pointCount += 1;
        if (!Expand(&epa, index))
        {
            // Leave that face out and go on with the next.
            epa.pointCount -= 1;
            epa.faces[index].distance = INFINITY;
        }
    }
    if (least < INFINITY)
    {
        FindWitness(&epa, &best, &result);
        result.normal = best.normal;
        result.depth = tdMaxFloat(least, 0.0f);
    }
    return result;
}
