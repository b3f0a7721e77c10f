// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Any two convex sets: GJK and EPA find the direction, the features that face it give the points. Round
// shapes stay round: their features are taken where the direction says, not at facets.
#include "physics/narrow_phase/manifold_convex.h"

#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

// Faces that lean more than this against the contact normal (cosine) do not carry several points.
#define TD_FACING_COSINE 0.95f
// A face normal this near (about 1.8 degrees) may replace the found one.
#define TD_SNAP_COSINE 0.9995f

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
            // A triangle seen from behind.
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

float tdSeparationAlong(const tdConvex* a, const tdConvex* b, tdVec3 normal)
{
    tdVec3 pointA = tdConvex_Support(a, normal), pointB = tdConvex_Support(b, tdNegate(normal));
    return tdDot(normal, tdSub(pointB, pointA)) - a->radius - b->radius;
}

static int SinglePoint(const tdDistanceResult* nearest, uint32_t id, float margin, tdManifold* manifold)
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

/// Two edges that run side by side give the ends of their common stretch.
static int CollideEdges(const tdConvex* a, const tdConvex* b, const tdFeature* featureA,
                        const tdFeature* featureB, const tdDistanceResult* nearest, float margin,
                        tdManifold* manifold)
{
    uint32_t id = 0x40000000u | (featureA->ids[0] << 16) | (featureB->ids[0] << 4);
    tdVec3 n = nearest->normal;
    tdVec3 u = tdSub(featureA->points[1], featureA->points[0]),
           v = tdSub(featureB->points[1], featureB->points[0]);
    u = tdMulSub(u, tdDot(u, n), n);
    v = tdMulSub(v, tdDot(v, n), n);
    float uu = tdDot(u, u), vv = tdDot(v, v), uv = tdDot(u, v);
    // Parallel within about 2 degrees.
    if (!(uu > 0.0f) || !(vv > 0.0f) || uv * uv < 0.999f * uu * vv)
    {
        return SinglePoint(nearest, id, margin, manifold);
    }
    tdVec3 start = tdSub(featureB->points[0], featureA->points[0]);
    float t0 = tdDot(start, u) / uu, t1 = t0 + uv / uu;
    float low = tdMaxFloat(0.0f, tdMinFloat(t0, t1)), high = tdMinFloat(1.0f, tdMaxFloat(t0, t1));
    if (!(high > low))
    {
        return SinglePoint(nearest, id, margin, manifold);
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
    // Edges that lean (they are features within some degrees) may have the nearest point outside of the
    // stretch, or the stretch may be deeper than that point.
    float deepest = count > 0 ? points[0].separation : INFINITY;
    deepest = count > 1 ? tdMinFloat(deepest, points[1].separation) : deepest;
    if (!(tdAbsFloat(deepest - nearest->distance) <= 0.05f * tdAbsFloat(nearest->distance) + 0.1f * margin))
    {
        return SinglePoint(nearest, id, margin, manifold);
    }
    tdFillManifold(manifold, n, points, count);
    return count;
}

/// One polygon at least. `isFlipped`: the reference is B's.
static int CollideFaces(const tdConvex* a, const tdConvex* b, const tdFeature* reference,
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
    // Along the normal of the contact, so that what is over the face also meets it there when that leans.
    int count =
        tdClipToPrism(reference->points, reference->ids, reference->count, outward, points, incident->count);
    float lean = tdDot(reference->normal, outward);
    float referenceRadius = isFlipped ? b->radius : a->radius,
          incidentRadius = isFlipped ? a->radius : b->radius;
    uint32_t flag = isFlipped ? 0x80000000u : 0u;
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
        // From the incident core inwards to its surface, and half of the rest.
        tdVec3 position = tdMulSub(points[i].position, incidentRadius + 0.5f * separation, outward);
        deepest = tdMinFloat(deepest, separation);
        points[kept++] = (tdClipPoint){position, separation, points[i].id ^ flag};
    }
    if (kept == 0)
    {
        return SinglePoint(nearest, 0x20000000u, margin, manifold);
    }
    // Rims are polygons and long faces are thinned: never lose the deepest point to that.
    float loss = deepest - nearest->distance;
    if (loss > 0.05f * tdAbsFloat(nearest->distance) + 0.005f * margin && kept < TD_MAX_CLIP_POINTS)
    {
        points[kept++] =
            (tdClipPoint){tdLerp(nearest->pointA, nearest->pointB, 0.5f), nearest->distance, 0x20000000u};
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
        // A point against a face: the face's normal is the cleaner one.
        return SinglePoint(&nearest, (featureA.ids[0] << 8) ^ featureB.ids[0] ^ 0x10000000u, margin,
                           manifold);
    }
    if (featureA.count == 2 && featureB.count == 2)
    {
        return CollideEdges(a, b, &featureA, &featureB, &nearest, margin, manifold);
    }
    float leanA = featureA.count >= 3 ? tdDot(featureA.normal, nearest.normal) : -1.0f;
    float leanB = featureB.count >= 3 ? -tdDot(featureB.normal, nearest.normal) : -1.0f;
    bool isFlipped = leanB > leanA + 1.0e-3f;
    float lean = isFlipped ? leanB : leanA;
    if (lean < TD_FACING_COSINE)
    {
        return SinglePoint(&nearest, (featureA.ids[0] << 8) ^ featureB.ids[0] ^ 0x30000000u, margin,
                           manifold);
    }
    if (lean > TD_SNAP_COSINE)
    {
        // The face's own normal, unless it is a worse axis than the one found.
        tdVec3 snapped = isFlipped ? tdNegate(featureB.normal) : featureA.normal;
        float separation = tdSeparationAlong(a, b, snapped);
        if (separation >= nearest.distance - 0.01f * tdAbsFloat(nearest.distance) - 0.005f * margin)
        {
            nearest.normal = snapped;
            nearest.distance = separation;
        }
    }
    return isFlipped ? CollideFaces(a, b, &featureB, &featureA, true, &nearest, margin, manifold)
                     : CollideFaces(a, b, &featureA, &featureB, false, &nearest, margin, manifold);
}
