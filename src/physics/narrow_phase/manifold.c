// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Dispatch of pairs to the algorithm of their kinds (docs/decisions/050-narrow-phase.md). Convex pairs use
// the frame of A's body. Boxes, planes and meshes use the frame of their shape; the results are then
// transformed.
//
// Cache of convex pairs: words[5..7] hold the last separating direction, in A's frame. It is tested first.
// Cache of meshes: tdSideMemory.
#include "physics/narrow_phase/manifold.h"

#include "geometry/bounds.h"
#include "geometry/face_walk.h"
#include "geometry/shape_distance.h"
#include "geometry/triangles.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_box.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/manifold_convex.h"
#include "physics/narrow_phase/manifold_mesh.h"
#include "physics/narrow_phase/manifold_meshes.h"
#include "physics/narrow_phase/manifold_plane.h"
#include "physics/narrow_phase/manifold_polytope.h"
#include "physics/narrow_phase/manifold_round.h"

#include <string.h>

/// Transforms manifolds into another frame.
/// @param isFlipped A and B change places
static void TransformManifolds(tdManifold* manifolds, int count, tdTransform pose, bool isFlipped)
{
    for (int i = 0; i < count; ++i)
    {
        tdManifold* manifold = &manifolds[i];
        tdVec3 normal = tdRotate(pose.rotation, manifold->normal);
        manifold->normal = isFlipped ? tdNegate(normal) : normal;
        for (int k = 0; k < manifold->pointCount; ++k)
        {
            manifold->points[k].position = tdTransformPoint(pose, manifold->points[k].position);
        }
    }
}

static bool IsIdentityPose(tdTransform t)
{
    return t.position.x == 0.0f && t.position.y == 0.0f && t.position.z == 0.0f && t.rotation.w == 1.0f;
}

static int CollideBoxPair(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                          float margin, tdManifoldCache* cache, tdManifold* manifold)
{
    tdTransform bInBody = IsIdentityPose(b->local) ? bodyBInA : tdMulTransform(bodyBInA, b->local);
    bool isPlaced = !IsIdentityPose(a->local);
    tdTransform bInA = isPlaced ? tdInvMulTransform(a->local, bInBody) : bInBody;
    int count = tdCollideBoxes(a->box.halfSize, b->box.halfSize, bInA, margin, cache, manifold) > 0 ? 1 : 0;
    if (isPlaced)
    {
        TransformManifolds(manifold, count, a->local, false);
    }
    return count;
}

/// Deep overlaps: the centre of the smaller shape decides the side on which it leaves the larger one, and its
/// core is a contact of its own.
static void CorrectDeepManifold(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                                float margin, tdManifold* manifold)
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
    float innerA = tdShape_ComputeInnerRadius(a), innerB = tdShape_ComputeInnerRadius(b);
    if (deepest > -TD_CORE_SHARE * tdMinFloat(innerA, innerB))
    {
        return;
    }
    tdConvex convexA = tdMakeConvex(a, tdTransform_identity), convexB = tdMakeConvex(b, bodyBInA);
    bool isSmallA = tdShape_ComputeOuterRadius(a, tdShape_GetCenter(a)) <
                    tdShape_ComputeOuterRadius(b, tdShape_GetCenter(b));
    const tdConvex *large = isSmallA ? &convexB : &convexA, *small = isSmallA ? &convexA : &convexB;
    float coreRadius = TD_CORE_SHARE * (isSmallA ? innerA : innerB);
    tdVec3 center = tdConvex_GetCenter(small);
    tdVec3 outward = isSmallA ? tdNegate(manifold->normal) : manifold->normal;
    float height = tdDot(outward, tdSub(center, tdConvex_Support(large, outward))) - large->radius;
    if (height < 0.0f)
    {
        tdConvex point = tdMakePointConvex(center);
        tdDistanceResult nearest = tdConvexDistance(large, &point, INFINITY, NULL);
        if (nearest.distance > 0.0f)
        {
            outward = nearest.normal;
            height = nearest.distance;
            tdVec3 normal = isSmallA ? tdNegate(outward) : outward;
            tdVec3 onA = tdMulAdd(tdConvex_Support(&convexA, normal), convexA.radius, normal),
                   onB = tdMulSub(tdConvex_Support(&convexB, tdNegate(normal)), convexB.radius, normal);
            tdDistanceResult found = {tdDot(normal, tdSub(onB, onA)), normal, onA, onB};
            tdBuildManifold(&convexA, &convexB, &found, margin, manifold);
        }
    }
    if (height < coreRadius)
    {
        tdManifold_AddCore(manifold, center, outward, height, coreRadius);
    }
}

static int CollideConvexPair(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                             float margin, tdManifoldCache* cache, tdManifold* manifold)
{
    if (a->kind == TD_SHAPE_BOX && b->kind == TD_SHAPE_BOX && !a->hasMatrix && !b->hasMatrix)
    {
        return CollideBoxPair(a, b, bodyBInA, margin, cache, manifold);
    }
    tdConvex convexA = tdMakeConvex(a, tdTransform_identity), convexB = tdMakeConvex(b, bodyBInA);
    if (convexA.shape == NULL && convexB.shape == NULL)
    {
        return tdCollideRound(&convexA, &convexB, margin, cache, manifold) > 0 ? 1 : 0;
    }
    tdDistanceCache direction = {{0.0f, 0.0f, 0.0f}};
    if (cache != NULL)
    {
        memcpy(&direction.direction, &cache->words[5], sizeof(direction.direction));
        if (tdLengthSquared(direction.direction) > 0.0f)
        {
            float separation = tdGetSeparationAlong(&convexA, &convexB, direction.direction);
            if (separation > margin)
            {
                cache->separation = separation;
                return 0;
            }
        }
    }
    if (tdCanBePolytope(a) && tdCanBePolytope(b))
    {
        tdPolytope polytopeA, polytopeB;
        tdMakePolytope(&polytopeA, a, tdTransform_identity);
        tdMakePolytope(&polytopeB, b, bodyBInA);
        int count = tdCollidePolytopes(&polytopeA, &polytopeB, margin, cache, manifold);
        if (count >= 0)
        {
            return count > 0 ? 1 : 0;
        }
    }
    // The cache of GJK points from B to A, the normal from A to B.
    tdDistanceCache start = {tdNegate(direction.direction)};
    // Without a limit: the exact distance of a separated pair bounds how long it needs no test.
    tdDistanceResult nearest = tdConvexDistance(&convexA, &convexB, INFINITY, &start);
    if (cache != NULL)
    {
        cache->separation = nearest.distance;
        memcpy(&cache->words[5], &nearest.normal, sizeof(nearest.normal));
    }
    return tdBuildManifold(&convexA, &convexB, &nearest, margin, manifold) > 0 ? 1 : 0;
}

/// A is a plane, sheet or mesh and B is convex. The result is in the frame of A's body.
static int CollideFacesWithConvex(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                                  float margin, tdManifoldCache* cache, tdManifold* manifolds, int capacity)
{
    bool isPlaced = !IsIdentityPose(a->local);
    tdTransform pose = isPlaced ? tdInvMulTransform(a->local, bodyBInA) : bodyBInA;
    int count;
    if (tdShape_IsUnbounded(a))
    {
        tdConvex convex = tdMakeConvex(b, pose);
        count = tdCollidePlane(a, &convex, margin, manifolds) > 0 ? 1 : 0;
        if (count == 0 && cache != NULL)
        {
            tdVec3 up = {0.0f, 1.0f, 0.0f};
            float below = tdConvex_Support(&convex, tdNegate(up)).y - convex.radius;
            float above = -tdConvex_Support(&convex, up).y - convex.radius;
            cache->separation = a->plane.isDoubleSided ? tdMaxFloat(below, above) : below;
        }
    }
    else
    {
        count = tdCollideMesh(a, b, pose, margin, cache, manifolds, capacity);
    }
    if (isPlaced)
    {
        TransformManifolds(manifolds, count, a->local, false);
    }
    return count;
}

int tdComputeManifolds(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA, float margin,
                       tdManifoldCache* cache, tdManifold* manifolds, int capacity)
{
    if (capacity <= 0)
    {
        return 0;
    }
    if (cache != NULL)
    {
        cache->separation = margin; // the bound of meshes: no manifold means no point within the margin
    }
    bool isConvexA = tdShape_IsConvex(a), isConvexB = tdShape_IsConvex(b);
    if (isConvexA && isConvexB)
    {
        int count = CollideConvexPair(a, b, bodyBInA, margin, cache, manifolds);
        if (count > 0)
        {
            CorrectDeepManifold(a, b, bodyBInA, margin, manifolds);
        }
        return count;
    }
    if (isConvexB)
    {
        return CollideFacesWithConvex(a, b, bodyBInA, margin, cache, manifolds, capacity);
    }
    if (isConvexA)
    {
        int count =
            CollideFacesWithConvex(b, a, tdInvTransform(bodyBInA), margin, cache, manifolds, capacity);
        TransformManifolds(manifolds, count, bodyBInA, true);
        return count;
    }
    tdTransform bInA = tdInvMulTransform(a->local, tdMulTransform(bodyBInA, b->local));
    int count = tdCollideMeshes(a, b, bInA, margin, cache, manifolds, capacity);
    TransformManifolds(manifolds, count, a->local, false);
    return count;
}

/// True if a face of a mesh meets a face of a mesh or sheet.
/// @param bInA transform from the frame of B to that of A
static bool DoFacesMeet(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA)
{
    if (a->kind != TD_SHAPE_MESH ||
        (b->kind == TD_SHAPE_MESH && a->mesh->triangleCount < b->mesh->triangleCount))
    {
        return DoFacesMeet(b, a, tdInvTransform(bInA));
    }
    tdShapeGeometry unplaced = *a;
    unplaced.local = tdTransform_identity;
    tdFaceWalk walk;
    tdFaceWalk_Init(&walk, b, tdShape_ComputeAabb(&unplaced, tdInvTransform(bInA)));
    tdVec3 p[3];
    while (tdFaceWalk_Next(&walk, p))
    {
        tdAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int k = 0; k < 3; ++k)
        {
            p[k] = tdTransformPoint(bInA, p[k]);
            box = (tdAabb){tdMin(box.lower, p[k]), tdMax(box.upper, p[k])};
        }
        tdConvex face = tdMakeTriangleConvex(p[0], p[1], p[2]);
        tdTriangleQuery query;
        tdTriangleQuery_Init(&query, a->mesh, box);
        while (tdTriangleQuery_Next(&query) >= 0)
        {
            tdConvex other = tdMakeTriangleConvex(query.corners[0], query.corners[1], query.corners[2]);
            if (tdConvexDistanceOrZero(&face, &other) <= 0.0f)
            {
                return true;
            }
        }
    }
    return false;
}

bool tdTestOverlap(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                   tdManifoldCache* cache)
{
    bool isConvexA = tdShape_IsConvex(a), isConvexB = tdShape_IsConvex(b);
    float distance = 0.0f;
    bool isTouching;
    if (isConvexA && isConvexB)
    {
        tdConvex convexA = tdMakeConvex(a, tdTransform_identity), convexB = tdMakeConvex(b, bodyBInA);
        distance = tdConvexDistanceOrZero(&convexA, &convexB);
        isTouching = distance <= 0.0f;
    }
    else if (tdShape_IsUnbounded(a) || tdShape_IsUnbounded(b))
    {
        tdManifold manifolds[2];
        isTouching = tdComputeManifolds(a, b, bodyBInA, 0.0f, cache, manifolds, 2) > 0;
        distance = cache != NULL && !isTouching ? cache->separation : 0.0f;
    }
    // Contacts of meshes and sheets have a side and a largest depth, an overlap has neither.
    else if (isConvexA || isConvexB)
    {
        distance = tdMaxFloat(tdShapeDistance(a, b, bodyBInA).distance, 0.0f);
        isTouching = distance <= 0.0f;
    }
    else
    {
        tdTransform bInA = tdInvMulTransform(a->local, tdMulTransform(bodyBInA, b->local));
        bool areSheets = a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_PLANE;
        isTouching = !areSheets && DoFacesMeet(a, b, bInA);
    }
    if (cache != NULL)
    {
        if (!isConvexA || !isConvexB)
        {
            tdStoreSideMemory(cache, (tdSideMemory){0});
        }
        cache->separation = distance;
    }
    return isTouching;
}
