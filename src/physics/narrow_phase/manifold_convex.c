// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of any two convex sets: GJK and EPA give the normal, the features that face it give the points.
// Round shapes are not tessellated: their features are computed for the normal
// (docs/decisions/050-narrow-phase.md).
#include "physics/narrow_phase/manifold_convex.h"

#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

// Thresholds. physics/manifold fails with 20 times SNAP_DEPTH_LOSS and with 3 times CLIP_DEPTH_LOSS. The
// tests of behaviour pass with 3 to 20 times the others; physics/determinism pins their bits.

/// Cosine of the angle between face and contact normal up to which a face gives several points: about 18
/// degrees.
#define FACING_COSINE 0.95f
/// Cosine of the angle up to which the normal of a face may replace the contact normal: about 1.8 degrees.
/// The exact normal of a face keeps resting contacts from jittering.
#define SNAP_COSINE 0.9995f
/// Separation that the replacing normal may lose, relative to the depth and to the margin.
#define SNAP_DEPTH_LOSS 0.01f
#define SNAP_MARGIN_LOSS 0.005f
/// Cosine by which the face of B must be better aligned to be the reference face, so that equal faces do not
/// alternate.
#define REFERENCE_BIAS 1.0e-3f
/// Squared cosine above which two edges are parallel: about 2 degrees.
#define PARALLEL_COSINE_SQUARED 0.999f
/// Difference between the points of parallel edges and the closest points, relative to the depth and to the
/// margin, up to which the edges replace the closest points.
#define EDGE_DEPTH_DIFFERENCE 0.05f
#define EDGE_MARGIN_DIFFERENCE 0.1f
/// Depth that clipping may lose, relative to the depth and to the margin, before the deepest point is added.
#define CLIP_DEPTH_LOSS 0.05f
#define CLIP_MARGIN_LOSS 0.005f
/// Feature ids: flags of the kinds of contact, so that points of different kinds never match.
#define ID_VERTEX 0x10000000u
#define ID_DEEPEST 0x20000000u
#define ID_TILTED_FACE 0x30000000u
#define ID_EDGES 0x40000000u
#define ID_FLIPPED 0x80000000u

typedef struct tdFeature
{
    tdVec3 points[TD_MAX_FEATURE_POINTS];
    uint32_t ids[TD_MAX_FEATURE_POINTS];
    int count;
    tdVec3 normal; // of a polygon, outward
} tdFeature;

static void FindFeature(const tdConvex* convex, tdVec3 direction, tdFeature* feature)
{
    feature->count = tdConvex_GetFeature(convex, direction, feature->points, feature->ids);
    feature->normal = direction;
    if (feature->count >= 3)
    {
        tdVec3 sum = tdVec3_zero, o = feature->points[0];
        for (int i = 2; i < feature->count; ++i)
        {
            sum = tdAdd(sum, tdCross(tdSub(feature->points[i - 1], o), tdSub(feature->points[i], o)));
        }
        tdVec3 normal = tdNormalize(sum);
        if (tdDot(normal, direction) < 0.0f)
        {
            // The direction is behind the polygon (a triangle): reverses it.
            normal = tdNegate(normal);
            for (int i = 0, j = feature->count - 1; i < j; ++i, --j)
            {
                tdVec3 point = feature->points[i];
                feature->points[i] = feature->points[j];
                feature->points[j] = point;
                uint32_t id = feature->ids[i];
                feature->ids[i] = feature->ids[j];
                feature->ids[j] = id;
            }
        }
        feature->normal = normal;
    }
}

float tdGetSeparationAlong(const tdConvex* a, const tdConvex* b, tdVec3 normal)
{
    tdVec3 pointA = tdConvex_Support(a, normal), pointB = tdConvex_Support(b, tdNegate(normal));
    return tdDot(normal, tdSub(pointB, pointA)) - a->radius - b->radius;
}

/// Makes a manifold of the closest points alone.
static int MakeSinglePoint(const tdDistanceResult* nearest, uint32_t id, float margin, tdManifold* manifold)
{
    if (nearest->distance > margin)
    {
        manifold->pointCount = 0;
        return 0;
    }
    manifold->normal = nearest->normal;
    manifold->pointCount = 1;
    manifold->points[0].position = tdLerp(nearest->pointA, nearest->pointB, 0.5f);
    manifold->points[0].separation = nearest->distance;
    manifold->points[0].feature = id;
    return 1;
}

/// Two parallel edges give the ends of their overlap along the edge; other edges give their closest points.
static int CollideParallelEdges(const tdConvex* a, const tdConvex* b, const tdFeature* featureA,
                                const tdFeature* featureB, const tdDistanceResult* nearest, float margin,
                                tdManifold* manifold)
{
    uint32_t id = ID_EDGES | (featureA->ids[0] << 16) | (featureB->ids[0] << 4);
    tdVec3 n = nearest->normal;
    tdVec3 u = tdSub(featureA->points[1], featureA->points[0]),
           v = tdSub(featureB->points[1], featureB->points[0]);
    u = tdMulSub(u, tdDot(u, n), n);
    v = tdMulSub(v, tdDot(v, n), n);
    float uu = tdDot(u, u), vv = tdDot(v, v), uv = tdDot(u, v);
    if (!(uu > 0.0f) || !(vv > 0.0f) || uv * uv < PARALLEL_COSINE_SQUARED * uu * vv)
    {
        return MakeSinglePoint(nearest, id, margin, manifold);
    }
    tdVec3 start = tdSub(featureB->points[0], featureA->points[0]);
    float t0 = tdDot(start, u) / uu, t1 = t0 + uv / uu;
    float low = tdMaxFloat(0.0f, tdMinFloat(t0, t1)), high = tdMinFloat(1.0f, tdMaxFloat(t0, t1));
    if (!(high > low))
    {
        return MakeSinglePoint(nearest, id, margin, manifold);
    }
    tdClipPoint points[2];
    int count = 0;
    for (int i = 0; i < 2; ++i)
    {
        float s = i == 0 ? low : high;
        float r = (s - t0) / (t1 - t0);
        tdVec3 onA = tdLerp(featureA->points[0], featureA->points[1], s);
        tdVec3 onB = tdLerp(featureB->points[0], featureB->points[1], r);
        float separation = tdDot(n, tdSub(onB, onA)) - a->radius - b->radius;
        if (separation <= margin)
        {
            tdVec3 surfaceA = tdMulAdd(onA, a->radius, n), surfaceB = tdMulSub(onB, b->radius, n);
            points[count++] =
                (tdClipPoint){tdLerp(surfaceA, surfaceB, 0.5f), separation, id | (uint32_t)(i + 1)};
        }
    }
    // Edges are features up to a tilt of some degrees. The closest point of tilted edges may lie outside
    // their overlap, or the overlap may be deeper than that point.
    float deepest = count > 0 ? points[0].separation : INFINITY;
    deepest = count > 1 ? tdMinFloat(deepest, points[1].separation) : deepest;
    if (!(tdAbsFloat(deepest - nearest->distance) <=
          EDGE_DEPTH_DIFFERENCE * tdAbsFloat(nearest->distance) + EDGE_MARGIN_DIFFERENCE * margin))
    {
        return MakeSinglePoint(nearest, id, margin, manifold);
    }
    tdFillManifold(manifold, n, points, count);
    return count;
}

/// Clips the incident feature to the reference polygon.
/// @param isFlipped the reference polygon belongs to B
static int CollideFeatures(const tdConvex* a, const tdConvex* b, const tdFeature* reference,
                           const tdFeature* incident, bool isFlipped, const tdDistanceResult* nearest,
                           float margin, tdManifold* manifold)
{
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    for (int i = 0; i < incident->count; ++i)
    {
        points[i] = (tdClipPoint){incident->points[i], 0.0f, incident->ids[i]};
    }
    tdVec3 n = nearest->normal;
    tdVec3 outward = isFlipped ? tdNegate(n) : n;
    // The prism runs along the contact normal, so that points above a tilted face meet the face.
    int count =
        tdClipToPrism(reference->points, reference->ids, reference->count, outward, points, incident->count);
    float lean = tdDot(reference->normal, outward);
    float referenceRadius = isFlipped ? b->radius : a->radius,
          incidentRadius = isFlipped ? a->radius : b->radius;
    uint32_t flag = isFlipped ? ID_FLIPPED : 0u;
    int kept = 0;
    float deepest = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        float gap = tdDot(reference->normal, tdSub(points[i].position, reference->points[0])) / lean;
        float separation = gap - referenceRadius - incidentRadius;
        if (separation > margin)
        {
            continue;
        }
        // Midway between the surfaces: from the incident core by its radius and half of the separation.
        tdVec3 position = tdMulSub(points[i].position, incidentRadius + 0.5f * separation, outward);
        deepest = tdMinFloat(deepest, separation);
        points[kept++] = (tdClipPoint){position, separation, points[i].id ^ flag};
    }
    if (kept == 0)
    {
        return MakeSinglePoint(nearest, ID_DEEPEST, margin, manifold);
    }
    // Rims are polygons and large faces are thinned out: the deepest point may not be among their points.
    float loss = deepest - nearest->distance;
    if (loss > CLIP_DEPTH_LOSS * tdAbsFloat(nearest->distance) + CLIP_MARGIN_LOSS * margin &&
        kept < TD_MAX_CLIP_POINTS)
    {
        points[kept++] =
            (tdClipPoint){tdLerp(nearest->pointA, nearest->pointB, 0.5f), nearest->distance, ID_DEEPEST};
    }
    tdFillManifold(manifold, n, points, kept);
    return manifold->pointCount;
}

int tdBuildManifold(const tdConvex* a, const tdConvex* b, const tdDistanceResult* found, float margin,
                    tdManifold* manifold)
{
    tdDistanceResult nearest = *found;
    manifold->pointCount = 0;
    if (!(nearest.distance <= margin))
    {
        return 0;
    }
    tdFeature featureA, featureB;
    FindFeature(a, nearest.normal, &featureA);
    FindFeature(b, tdNegate(nearest.normal), &featureB);
    if (featureA.count == 1 || featureB.count == 1)
    {
        return MakeSinglePoint(&nearest, (featureA.ids[0] << 8) ^ featureB.ids[0] ^ ID_VERTEX, margin,
                               manifold);
    }
    if (featureA.count == 2 && featureB.count == 2)
    {
        return CollideParallelEdges(a, b, &featureA, &featureB, &nearest, margin, manifold);
    }
    float leanA = featureA.count >= 3 ? tdDot(featureA.normal, nearest.normal) : -1.0f;
    float leanB = featureB.count >= 3 ? -tdDot(featureB.normal, nearest.normal) : -1.0f;
    bool isFlipped = leanB > leanA + REFERENCE_BIAS;
    float lean = isFlipped ? leanB : leanA;
    if (lean < FACING_COSINE)
    {
        return MakeSinglePoint(&nearest, (featureA.ids[0] << 8) ^ featureB.ids[0] ^ ID_TILTED_FACE, margin,
                               manifold);
    }
    if (lean > SNAP_COSINE)
    {
        // The normal of the face replaces the contact normal unless it is a worse axis.
        tdVec3 snapped = isFlipped ? tdNegate(featureB.normal) : featureA.normal;
        float separation = tdGetSeparationAlong(a, b, snapped);
        if (separation >=
            nearest.distance - SNAP_DEPTH_LOSS * tdAbsFloat(nearest.distance) - SNAP_MARGIN_LOSS * margin)
        {
            nearest.normal = snapped;
            nearest.distance = separation;
        }
    }
    return isFlipped ? CollideFeatures(a, b, &featureB, &featureA, true, &nearest, margin, manifold)
                     : CollideFeatures(a, b, &featureA, &featureB, false, &nearest, margin, manifold);
}
