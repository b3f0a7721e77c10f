// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which pair goes where. Convex pairs work in the frame of A's body; boxes, planes and meshes in that of the
// shape they start from, and the results are carried over.
//
// Cache of convex pairs: words[5..7] a direction, in A's frame, that parted the two. It is tried before
// anything else.
#include "physics/narrow_phase/manifold.h"

#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_box.h"
#include "physics/narrow_phase/manifold_convex.h"
#include "physics/narrow_phase/manifold_mesh.h"
#include "physics/narrow_phase/manifold_meshes.h"
#include "physics/narrow_phase/manifold_plane.h"
#include "physics/narrow_phase/manifold_polytope.h"
#include "physics/narrow_phase/manifold_round.h"

#include <string.h>

static void CarryOver(tdManifold* manifolds, int count, tdTransform pose, bool isFlipped)
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

static bool IsIdentity(tdTransform t)
{
    return t.position.x == 0.0f && t.position.y == 0.0f && t.position.z == 0.0f && t.rotation.w == 1.0f;
}

static bool IsUnboundedPlane(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_PLANE && shape->plane.halfX == INFINITY && shape->plane.halfZ == INFINITY;
}

static int CollideBoxPair(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                          float margin, tdManifoldCache* cache, tdManifold* manifold)
{
    tdTransform bInBody = IsIdentity(b->local) ? bodyBInA : tdMulTransform(bodyBInA, b->local);
    bool isPlaced = !IsIdentity(a->local);
    tdTransform bInA = isPlaced ? tdInvMulTransform(a->local, bInBody) : bInBody;
    int count = tdCollideBoxes(a->box.halfSize, b->box.halfSize, bInA, margin, cache, manifold) > 0 ? 1 : 0;
    if (isPlaced)
    {
        CarryOver(manifold, count, a->local, false);
    }
    return count;
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
            float separation = tdSeparationAlong(&convexA, &convexB, direction.direction);
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
    // GJK walks against the direction it is given; ours points from A to B.
    tdDistanceCache start = {tdNegate(direction.direction)};
    // No limit: when they are apart the exact distance tells how long they need not be looked at again.
    tdDistanceResult nearest = tdConvexDistance(&convexA, &convexB, INFINITY, &start);
    if (cache != NULL)
    {
        cache->separation = nearest.distance;
        memcpy(&cache->words[5], &nearest.normal, sizeof(nearest.normal));
    }
    return tdBuildManifold(&convexA, &convexB, &nearest, margin, manifold) > 0 ? 1 : 0;
}

/// Plane or mesh first, convex second; the result is in the frame of the first shape's body.
static int CollideMixed(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                        float margin, tdVec3 velocity, tdManifoldCache* cache, tdManifold* manifolds,
                        int capacity)
{
    bool isPlaced = !IsIdentity(a->local);
    tdTransform pose = isPlaced ? tdInvMulTransform(a->local, bodyBInA) : bodyBInA;
    int count;
    if (IsUnboundedPlane(a))
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
        tdVec3 turned = isPlaced ? tdInvRotate(a->local.rotation, velocity) : velocity;
        count = tdCollideMesh(a, b, pose, margin, turned, manifolds, capacity);
    }
    if (isPlaced)
    {
        CarryOver(manifolds, count, a->local, false);
    }
    return count;
}

int tdComputeManifolds(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA, float margin,
                       tdVec3 velocityBInA, tdManifoldCache* cache, tdManifold* manifolds, int capacity)
{
    if (capacity <= 0)
    {
        return 0;
    }
    if (cache != NULL)
    {
        cache->separation = margin; // meshes know no better bound than that nothing is nearer
    }
    bool isConvexA = tdShape_IsConvex(a), isConvexB = tdShape_IsConvex(b);
    if (isConvexA && isConvexB)
    {
        return CollideConvexPair(a, b, bodyBInA, margin, cache, manifolds);
    }
    if (isConvexB)
    {
        return CollideMixed(a, b, bodyBInA, margin, velocityBInA, cache, manifolds, capacity);
    }
    if (isConvexA)
    {
        tdVec3 velocity = tdNegate(tdInvRotate(bodyBInA.rotation, velocityBInA));
        int count =
            CollideMixed(b, a, tdInvTransform(bodyBInA), margin, velocity, cache, manifolds, capacity);
        CarryOver(manifolds, count, bodyBInA, true);
        return count;
    }
    tdTransform bInA = tdInvMulTransform(a->local, tdMulTransform(bodyBInA, b->local));
    int count = tdCollideMeshes(a, b, bInA, margin, manifolds, capacity);
    CarryOver(manifolds, count, a->local, false);
    return count;
}

bool tdTestOverlap(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                   tdManifoldCache* cache)
{
    tdManifold manifolds[2];
    if (tdShape_IsConvex(a) && tdShape_IsConvex(b))
    {
        tdConvex convexA = tdMakeConvex(a, tdTransform_identity), convexB = tdMakeConvex(b, bodyBInA);
        float distance = tdConvexDistanceOrZero(&convexA, &convexB);
        if (cache != NULL)
        {
            cache->separation = distance;
        }
        return distance <= 0.0f;
    }
    bool isTouching = tdComputeManifolds(a, b, bodyBInA, 0.0f, tdVec3_zero, cache, manifolds, 2) > 0;
    if (cache != NULL && isTouching)
    {
        cache->separation = 0.0f;
    }
    return isTouching;
}
