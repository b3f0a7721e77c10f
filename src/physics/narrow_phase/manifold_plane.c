// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Unbounded planes. The normal is known: the manifold consists of the points near or below the plane.
#include "physics/narrow_phase/manifold_plane.h"

#include "geometry/bounds.h"
#include "geometry/hull.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

/// Height by which the support point must be below the feature to be added as a point of its own, relative to
/// its distance from the centre.
#define LOWER_POINT 1.0e-4f
/// Feature id of that support point; features of round shapes have smaller ids.
#define ID_LOWEST 99u

/// Adds a point of the core if it is within the margin of the plane.
static int AddPlanePoint(tdClipPoint* points, int count, tdVec3 core, float radius, float side, float margin,
                         uint32_t id)
{
    float separation = side * core.y - radius;
    if (separation <= margin && count < TD_MAX_CLIP_POINTS)
    {
        float y = side * (0.5f * separation);
        points[count++] = (tdClipPoint){{core.x, y, core.z}, separation, id};
    }
    return count;
}

/// Adds the core if it overlaps.
static void AddPlaneCore(const tdConvex* b, float side, tdManifold* manifold)
{
    float deepest = 0.0f;
    for (int i = 0; i < manifold->pointCount; ++i)
    {
        deepest = tdMinFloat(deepest, manifold->points[i].separation);
    }
    if (!(deepest < 0.0f))
    {
        return;
    }
    tdVec3 center = tdConvex_GetCenter(b);
    float core = TD_CORE_SHARE * (b->shape != NULL ? tdShape_ComputeInnerRadius(b->shape) : b->radius);
    if (side * center.y < core)
    {
        tdManifold_AddCore(manifold, center, manifold->normal, side * center.y, core);
    }
}

int tdCollidePlane(const tdShapeGeometry* plane, const tdConvex* b, float margin, tdManifold* manifold)
{
    manifold->pointCount = 0;
    // A double-sided plane pushes to the side of the convex set's centre.
    float side = plane->plane.isDoubleSided && tdConvex_GetCenter(b).y < 0.0f ? -1.0f : 1.0f;
    tdVec3 normal = {0.0f, side, 0.0f};
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    int count = 0;
    tdShapeKind kind = b->shape != NULL ? b->shape->kind : TD_SHAPE_SPHERE;
    if (b->shape == NULL)
    {
        for (int i = 0; i < b->pointCount; ++i)
        {
            count = AddPlanePoint(points, count, b->points[i], b->radius, side, margin, (uint32_t)i);
        }
    }
    else if (kind == TD_SHAPE_BOX)
    {
        tdVec3 h = b->shape->box.halfSize;
        for (uint32_t i = 0; i < 8; ++i)
        {
            tdVec3 corner = {(i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z};
            tdVec3 p = tdAdd(b->origin, tdMulMat3Vec3(b->linear, corner));
            count = AddPlanePoint(points, count, p, 0.0f, side, margin, i);
        }
    }
    else if (kind == TD_SHAPE_HULL && b->shape->hull->vertexCount <= TD_MAX_CLIP_POINTS)
    {
        const tdHull* hull = b->shape->hull;
        for (int i = 0; i < hull->vertexCount; ++i)
        {
            tdVec3 p = tdAdd(b->origin, tdMulMat3Vec3(b->linear, tdHull_GetVertex(hull, i)));
            count = AddPlanePoint(points, count, p, 0.0f, side, margin, (uint32_t)i);
        }
    }
    else
    {
        tdVec3 feature[TD_MAX_FEATURE_POINTS];
        uint32_t ids[TD_MAX_FEATURE_POINTS];
        int featureCount = tdConvex_GetFeature(b, tdNegate(normal), feature, ids);
        for (int i = 0; i < featureCount; ++i)
        {
            count = AddPlanePoint(points, count, feature[i], b->radius, side, margin, ids[i]);
        }
        // The support point is always among the points.
        tdVec3 lowest = tdConvex_Support(b, tdNegate(normal));
        float found = INFINITY;
        for (int i = 0; i < featureCount; ++i)
        {
            found = tdMinFloat(found, side * feature[i].y);
        }
        if (side * lowest.y < found - LOWER_POINT * tdDistance(lowest, tdConvex_GetCenter(b)))
        {
            count = AddPlanePoint(points, count, lowest, b->radius, side, margin, ID_LOWEST);
        }
    }
    if (count > 0)
    {
        tdFillManifold(manifold, normal, points, count);
        AddPlaneCore(b, side, manifold);
    }
    return manifold->pointCount;
}
