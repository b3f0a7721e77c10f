// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Polygon clipping (Sutherland and Hodgman 1974) and the reduction to four points
// (docs/decisions/050-narrow-phase.md).
#include "physics/narrow_phase/manifold_clip.h"

#include "base/assert.h"
#include "physics/data/manifold_data.h"

// Thresholds. physics/manifold_mesh fails with 20 times either of them.

/// Points this close to the deepest separation, relative to the width of the contact, are equally deep.
/// Rounding of a flat contact stays below it.
#define LEVEL_TOLERANCE 1.0e-3f
/// Area that a further point must add, relative to the squared length of the contact; smaller areas are
/// noise.
#define MIN_AREA_GAIN 1.0e-4f

int tdClipPolygon(const tdClipPoint* in, int count, tdVec3 normal, float offset, uint32_t tag,
                  tdClipPoint* out)
{
    int kept = 0;
    float previous = tdDot(normal, in[count - 1].position) - offset;
    for (int i = 0; i < count; ++i)
    {
        const tdClipPoint* from = in + (i > 0 ? i - 1 : count - 1);
        const tdClipPoint* to = in + i;
        float current = tdDot(normal, to->position) - offset;
        // A segment is a polygon of two points with a single edge.
        bool isEdge = count > 2 || i == 1;
        if (isEdge && ((previous < 0.0f && current > 0.0f) || (previous > 0.0f && current < 0.0f)))
        {
            float t = previous / (previous - current);
            out[kept].position = tdLerp(from->position, to->position, t);
            out[kept].separation = 0.0f;
            out[kept].id = ((from->id & 0xFFFu) << 12) ^ ((to->id & 0xFFFu) << 4) ^ ((tag + 1u) << 24);
            kept += 1;
        }
        if (current <= 0.0f)
        {
            out[kept++] = *to;
        }
        previous = current;
    }
    return kept;
}

int tdClipToPrism(const tdVec3* reference, const uint32_t* referenceIds, int referenceCount,
                  tdVec3 faceNormal, tdClipPoint* points, int count)
{
    tdClipPoint buffer[TD_MAX_CLIP_POINTS];
    tdClipPoint *from = points, *to = buffer;
    for (int i = 0; i < referenceCount && count > 0; ++i)
    {
        tdVec3 start = reference[i], end = reference[i + 1 < referenceCount ? i + 1 : 0];
        tdVec3 side = tdCross(tdSub(end, start), faceNormal);
        count = tdClipPolygon(from, count, side, tdDot(side, start), referenceIds[i], to);
        tdClipPoint* swap = from;
        from = to;
        to = swap;
    }
    float offset = tdDot(faceNormal, reference[0]);
    for (int i = 0; i < count; ++i)
    {
        points[i] = from[i];
        points[i].separation = tdDot(faceNormal, points[i].position) - offset;
    }
    return count;
}

int tdReducePoints(tdClipPoint* points, int count, tdVec3 normal)
{
    if (count <= TD_MAX_MANIFOLD_POINTS)
    {
        return count;
    }
    // The deepest point always stays. Of equally deep points it is the outermost one in a fixed direction, so
    // that a flat contact has the same corners in every step.
    int chosen[4] = {0, -1, -1, -1};
    float width = 0.0f;
    for (int i = 1; i < count; ++i)
    {
        chosen[0] = points[i].separation < points[chosen[0]].separation ? i : chosen[0];
        width = tdMaxFloat(width, tdLengthSquared(tdSub(points[i].position, points[0].position)));
    }
    float level = points[chosen[0]].separation + LEVEL_TOLERANCE * sqrtf(width);
    tdVec3 direction = {0.8f, 0.36f, 0.48f}; // unit, along no axis or diagonal
    for (int i = 0, first = 1; i < count; ++i)
    {
        if (points[i].separation <= level &&
            (first || tdDot(points[i].position, direction) > tdDot(points[chosen[0]].position, direction)))
        {
            chosen[0] = i;
            first = 0;
        }
    }
    tdVec3 a = points[chosen[0]].position;
    // The second point is the farthest from the first in the contact plane.
    float best = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        float squared = tdLengthSquared(tdCross(normal, tdSub(points[i].position, a)));
        if (i != chosen[0] && squared > best)
        {
            best = squared;
            chosen[1] = i;
        }
    }
    if (chosen[1] < 0)
    {
        points[0] = points[chosen[0]];
        return 1;
    }
    // The third and fourth are the farthest to either side of the line between the two.
    tdVec3 across = tdCross(normal, tdSub(points[chosen[1]].position, a));
    float left = MIN_AREA_GAIN * best, right = -left;
    for (int i = 0; i < count; ++i)
    {
        float area = tdDot(across, tdSub(points[i].position, a));
        if (i == chosen[0] || i == chosen[1])
        {
            continue;
        }
        if (area > left)
        {
            left = area;
            chosen[2] = i;
        }
        if (area < right)
        {
            right = area;
            chosen[3] = i;
        }
    }
    if ((chosen[2] < 0) != (chosen[3] < 0))
    {
        // All points are on one side: the fourth is the one that adds most area to the triangle.
        int third = chosen[2] >= 0 ? chosen[2] : chosen[3];
        tdVec3 corners[3] = {a, points[chosen[1]].position, points[third].position};
        float sign = chosen[2] >= 0 ? 1.0f : -1.0f;
        float bestGain = MIN_AREA_GAIN * best;
        int fourth = -1;
        for (int i = 0; i < count; ++i)
        {
            if (i == chosen[0] || i == chosen[1] || i == third)
            {
                continue;
            }
            for (int k = 1; k < 3; ++k)
            {
                // Area outside edge (k, k + 1), one of the two edges at the third point.
                tdVec3 from = corners[k], to = corners[(k + 1) % 3];
                float gain = -sign * tdDot(tdCross(normal, tdSub(to, from)), tdSub(points[i].position, from));
                if (gain > bestGain)
                {
                    bestGain = gain;
                    fourth = i;
                }
            }
        }
        chosen[2] = third;
        chosen[3] = fourth;
    }
    tdClipPoint kept[4];
    int keptCount = 0;
    for (int i = 0; i < 4; ++i)
    {
        if (chosen[i] >= 0)
        {
            kept[keptCount++] = points[chosen[i]];
        }
    }
    for (int i = 0; i < keptCount; ++i)
    {
        points[i] = kept[i];
    }
    return keptCount;
}

void tdFillManifold(tdManifold* manifold, tdVec3 normal, tdClipPoint* points, int count)
{
    count = tdReducePoints(points, count, normal);
    TD_ASSERT(count <= TD_MAX_MANIFOLD_POINTS);
    manifold->normal = normal;
    manifold->pointCount = count;
    for (int i = 0; i < count; ++i)
    {
        manifold->points[i].position = points[i].position;
        manifold->points[i].separation = points[i].separation;
        manifold->points[i].feature = points[i].id;
    }
}

void tdManifold_AddCore(tdManifold* manifold, tdVec3 center, tdVec3 outward, float height, float coreRadius)
{
    int target = manifold->pointCount;
    if (target == TD_MAX_MANIFOLD_POINTS)
    {
        target = 0;
        for (int i = 1; i < manifold->pointCount; ++i)
        {
            target = manifold->points[i].separation > manifold->points[target].separation ? i : target;
        }
    }
    else
    {
        manifold->pointCount += 1;
    }
    float separation = height - coreRadius;
    manifold->points[target] = (tdManifoldPoint){tdMulSub(center, coreRadius + 0.5f * separation, outward),
                                                 separation, TD_CORE_FEATURE};
}
