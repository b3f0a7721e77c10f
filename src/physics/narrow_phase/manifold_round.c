// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Spheres and straight capsules, in closed form.
#include "physics/narrow_phase/manifold_round.h"

#include "physics/data/manifold_data.h"

// Thresholds. physics/manifold fails with lines up to 29 degrees (LINE_COSINE_SQUARED 0.76) and with 20 times
// LINE_DIFFERENCE. The tests of behaviour pass with 20 times the others; physics/determinism pins their bits.

/// Squared sine below which two segments are parallel in the computation of their closest points.
#define PARALLEL_SEGMENT_SINE_SQUARED 1.0e-6f
/// Distance of the axes, relative to the radii, below which its direction is rounding noise.
#define MIN_AXIS_DISTANCE 1.0e-6f
/// Squared cosine above which two capsules touch along a line: about 10 degrees.
#define LINE_COSINE_SQUARED 0.97f
/// Squared length of the line, relative to the squared radii, below which one point suffices: a tenth of the
/// radii.
#define MIN_LINE_LENGTH_SQUARED 0.01f
/// Difference between the line and the closest point, relative to the radii, up to which the line replaces
/// it.
#define LINE_DIFFERENCE 0.01f

/// Closest points of two segments (Ericson 2005, 5.1.9), as fractions along the segments.
static void FindClosestOnSegments(tdVec3 p, tdVec3 u, tdVec3 q, tdVec3 v, float* outS, float* outT)
{
    tdVec3 r = tdSub(p, q);
    float uu = tdDot(u, u), vv = tdDot(v, v), uv = tdDot(u, v), ur = tdDot(u, r), vr = tdDot(v, r);
    float s = 0.0f, t = 0.0f;
    if (uu > 0.0f)
    {
        float determinant = uu * vv - uv * uv;
        if (determinant > PARALLEL_SEGMENT_SINE_SQUARED * uu * vv)
        {
            s = tdClampFloat((uv * vr - ur * vv) / determinant, 0.0f, 1.0f);
        }
        else if (vv > 0.0f)
        {
            s = 0.5f; // parallel: the midpoint, corrected below
        }
        else
        {
            s = tdClampFloat(-ur / uu, 0.0f, 1.0f);
        }
    }
    if (vv > 0.0f)
    {
        t = (uv * s + vr) / vv;
        float clamped = tdClampFloat(t, 0.0f, 1.0f);
        if (t != clamped)
        {
            t = clamped;
            s = uu > 0.0f ? tdClampFloat((uv * t - ur) / uu, 0.0f, 1.0f) : 0.0f;
        }
    }
    *outS = s;
    *outT = t;
}

static tdVec3 ChooseNormal(const tdConvex* a, const tdConvex* b, tdVec3 delta, float length)
{
    if (length > MIN_AXIS_DISTANCE * (a->radius + b->radius) && length > TD_MIN_LENGTH)
    {
        return tdScale(1.0f / length, delta);
    }
    // The axes intersect: the normal is perpendicular to both, or to the only one, towards the centre of B.
    tdVec3 u = tdSub(a->points[a->pointCount - 1], a->points[0]),
           v = tdSub(b->points[b->pointCount - 1], b->points[0]);
    tdVec3 n = tdNormalize(tdCross(u, v));
    if (!(tdLengthSquared(n) > 0.0f))
    {
        tdVec3 axis = tdNormalize(tdLengthSquared(u) >= tdLengthSquared(v) ? u : v);
        n = tdLengthSquared(axis) > 0.0f ? tdPerpendicular(axis) : (tdVec3){0.0f, 1.0f, 0.0f};
    }
    tdVec3 between = tdSub(tdConvex_GetCenter(b), tdConvex_GetCenter(a));
    return tdDot(between, n) < 0.0f ? tdNegate(n) : n;
}

int tdCollideRound(const tdConvex* a, const tdConvex* b, float margin, tdManifoldCache* cache,
                   tdManifold* manifold)
{
    manifold->pointCount = 0;
    tdVec3 p = a->points[0], q = b->points[0];
    tdVec3 u = a->pointCount == 2 ? tdSub(a->points[1], p) : tdVec3_zero;
    tdVec3 v = b->pointCount == 2 ? tdSub(b->points[1], q) : tdVec3_zero;
    float s, t;
    FindClosestOnSegments(p, u, q, v, &s, &t);
    tdVec3 onA = tdMulAdd(p, s, u), onB = tdMulAdd(q, t, v);
    tdVec3 delta = tdSub(onB, onA);
    float radii = a->radius + b->radius, reach = radii + margin;
    float squared = tdLengthSquared(delta);
    if (!(squared <= reach * reach))
    {
        if (cache != NULL)
        {
            cache->separation = sqrtf(squared) - radii;
        }
        return 0;
    }
    float length = sqrtf(squared);
    tdVec3 n = ChooseNormal(a, b, delta, length);
    float separation = tdDot(delta, n) - radii;
    manifold->normal = n;
    manifold->pointCount = 1;
    manifold->points[0].position = tdMulAdd(onA, a->radius + 0.5f * separation, n);
    manifold->points[0].separation = separation;
    manifold->points[0].feature = 0;

    // Parallel capsules touch along a line.
    float uu = tdDot(u, u), vv = tdDot(v, v), uv = tdDot(u, v);
    if (uu > 0.0f && vv > 0.0f && uv * uv > LINE_COSINE_SQUARED * uu * vv)
    {
        float t0 = tdDot(tdSub(q, p), u) / uu, t1 = t0 + uv / uu;
        float low = tdMaxFloat(0.0f, tdMinFloat(t0, t1)), high = tdMinFloat(1.0f, tdMaxFloat(t0, t1));
        if ((high - low) * (high - low) * uu > MIN_LINE_LENGTH_SQUARED * radii * radii)
        {
            tdManifold line;
            line.normal = n;
            line.pointCount = 0;
            for (int i = 0; i < 2; ++i)
            {
                float at = i == 0 ? low : high;
                tdVec3 pointA = tdMulAdd(p, at, u), pointB = tdMulAdd(q, (at - t0) / (t1 - t0), v);
                float gap = tdDot(tdSub(pointB, pointA), n) - radii;
                if (gap <= margin)
                {
                    tdVec3 position = tdMulAdd(pointA, a->radius + 0.5f * gap, n);
                    line.points[line.pointCount++] = (tdManifoldPoint){position, gap, (uint32_t)(i + 1)};
                }
            }
            float first = line.pointCount > 0 ? line.points[0].separation : INFINITY;
            float second = line.pointCount > 1 ? line.points[1].separation : INFINITY;
            // Only if the line contains the closest point. The closest point of crossed capsules lies between
            // the ends, and where an end is closest the line would be too deep.
            if (tdAbsFloat(tdMinFloat(first, second) - separation) <= LINE_DIFFERENCE * radii)
            {
                *manifold = line;
            }
        }
    }
    return manifold->pointCount;
}
