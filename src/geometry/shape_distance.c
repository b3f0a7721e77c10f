// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Distances and closest points of shapes of any kind. Convex pairs use GJK directly; a mesh or sheet is the
// minimum over its triangles, found through the BVH.
#include "shape_distance.h"

#include "bounds.h"
#include "face_walk.h"

/// Squared distance between the box of a BVH node and `box`; 0 if they overlap.
static float GetBoxDistanceSquared(const tdBvhNode* node, tdAabb box)
{
    tdVec3 gap = tdMax(tdMax(tdSub(node->lower, box.upper), tdSub(box.lower, node->upper)), tdVec3_zero);
    return tdLengthSquared(gap);
}

/// Triangle of a mesh or sheet nearest to a convex set inside `box`, all in the frame of the shape.
static tdDistanceResult FindNearestTriangle(const tdShapeGeometry* shape, const tdConvex* convex, tdAabb box)
{
    tdDistanceResult best = {INFINITY, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (shape->kind != TD_SHAPE_MESH)
    {
        // The walk is cut to the box, which need not be over the sheet.
        box.lower.x = tdMinFloat(box.lower.x, shape->plane.halfX);
        box.lower.z = tdMinFloat(box.lower.z, shape->plane.halfZ);
        box.upper.x = tdMaxFloat(box.upper.x, -shape->plane.halfX);
        box.upper.z = tdMaxFloat(box.upper.z, -shape->plane.halfZ);
        tdFaceWalk walk;
        tdVec3 corners[3];
        tdFaceWalk_Init(&walk, shape, box);
        while (tdFaceWalk_Next(&walk, corners))
        {
            tdConvex triangle = tdMakeTriangleConvex(corners[0], corners[1], corners[2]);
            tdDistanceResult result = tdConvexDistance(&triangle, convex, INFINITY, NULL);
            best = result.distance < best.distance ? result : best;
        }
        return best;
    }
    const tdTriangles* mesh = shape->mesh;
    uint32_t stack[TD_BVH_MAX_DEPTH];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0)
    {
        uint32_t index = stack[--depth];
        const tdBvhNode* node = mesh->nodes + index;
        float limit = tdMaxFloat(best.distance, 0.0f);
        if (!(GetBoxDistanceSquared(node, box) <= limit * limit))
        {
            continue;
        }
        if (node->count == 0)
        {
            bool isLeftFirst = GetBoxDistanceSquared(mesh->nodes + index + 1, box) <=
                               GetBoxDistanceSquared(mesh->nodes + node->next, box);
            stack[depth++] = isLeftFirst ? node->next : index + 1;
            stack[depth++] = isLeftFirst ? index + 1 : node->next;
            continue;
        }
        for (uint32_t i = 0; i < node->count; ++i)
        {
            tdVec3 p[3];
            tdTriangles_GetCorners(mesh, (int)(node->next + i), p);
            tdConvex triangle = tdMakeTriangleConvex(p[0], p[1], p[2]);
            tdDistanceResult result = tdConvexDistance(&triangle, convex, limit, NULL);
            best = result.distance < best.distance ? result : best;
        }
    }
    return best;
}

/// Transforms a result into another frame.
/// @param isFlipped A and B change places
static void TransformResult(tdDistanceResult* result, tdTransform pose, bool isFlipped)
{
    tdVec3 a = tdTransformPoint(pose, result->pointA), b = tdTransformPoint(pose, result->pointB);
    tdVec3 normal = tdRotate(pose.rotation, result->normal);
    result->pointA = isFlipped ? b : a;
    result->pointB = isFlipped ? a : b;
    result->normal = isFlipped ? tdNegate(normal) : normal;
}

/// A is a plane, sheet or mesh and B is convex. The result is in the frame of A's body.
static tdDistanceResult ComputeFacesToConvex(const tdShapeGeometry* a, const tdShapeGeometry* b,
                                             tdTransform bodyBInA)
{
    tdTransform pose = tdInvMulTransform(a->local, bodyBInA);
    tdConvex convex = tdMakeConvex(b, pose);
    tdDistanceResult result;
    if (tdShape_IsUnbounded(a))
    {
        float side = a->plane.isDoubleSided && tdConvex_GetCenter(&convex).y < 0.0f ? -1.0f : 1.0f;
        tdVec3 normal = {0.0f, side, 0.0f};
        tdVec3 lowest = tdMulSub(tdConvex_Support(&convex, tdNegate(normal)), convex.radius, normal);
        result = (tdDistanceResult){side * lowest.y, normal, {lowest.x, 0.0f, lowest.z}, lowest};
    }
    else
    {
        result = FindNearestTriangle(a, &convex, tdShape_ComputeAabb(b, pose));
    }
    TransformResult(&result, a->local, false);
    return result;
}

/// A is a mesh and B a mesh, sheet or plane: every triangle of A against B. The distance between two planes
/// is infinite.
static tdDistanceResult ComputeFacesToFaces(const tdShapeGeometry* a, const tdShapeGeometry* b,
                                            tdTransform bodyBInA)
{
    tdDistanceResult best = {INFINITY, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    tdTransform aInB = tdInvMulTransform(b->local, tdMulTransform(tdInvTransform(bodyBInA), a->local));
    tdShapeGeometry unplaced = *a;
    unplaced.local = tdTransform_identity;
    if (a->kind == TD_SHAPE_PLANE || b->kind == TD_SHAPE_PLANE)
    {
        if (a->kind == b->kind || a->kind == TD_SHAPE_PLANE)
        {
            return best;
        }
    }
    tdFaceWalk walk;
    tdVec3 p[3];
    tdFaceWalk_Init(&walk, a, tdShape_ComputeAabb(&unplaced, tdTransform_identity));
    while (tdFaceWalk_Next(&walk, p))
    {
        for (int i = 0; i < 3; ++i)
        {
            p[i] = tdTransformPoint(aInB, p[i]);
        }
        tdConvex triangle = tdMakeTriangleConvex(p[0], p[1], p[2]);
        tdAabb box = {tdMin(p[0], tdMin(p[1], p[2])), tdMax(p[0], tdMax(p[1], p[2]))};
        tdDistanceResult result;
        if (tdShape_IsUnbounded(b))
        {
            tdVec3 down = {0.0f, -1.0f, 0.0f};
            tdVec3 lowest = tdConvex_Support(&triangle, down);
            result = (tdDistanceResult){lowest.y, tdNegate(down), {lowest.x, 0.0f, lowest.z}, lowest};
        }
        else
        {
            result = FindNearestTriangle(b, &triangle, box);
        }
        best = result.distance < best.distance ? result : best;
    }
    TransformResult(&best, tdMulTransform(bodyBInA, b->local), true);
    return best;
}

tdDistanceResult tdShapeDistance(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA)
{
    bool isConvexA = tdShape_IsConvex(a), isConvexB = tdShape_IsConvex(b);
    if (isConvexA && isConvexB)
    {
        tdConvex convexA = tdMakeConvex(a, tdTransform_identity), convexB = tdMakeConvex(b, bodyBInA);
        return tdConvexDistance(&convexA, &convexB, INFINITY, NULL);
    }
    tdDistanceResult result;
    if (isConvexB)
    {
        return ComputeFacesToConvex(a, b, bodyBInA);
    }
    if (isConvexA)
    {
        result = ComputeFacesToConvex(b, a, tdInvTransform(bodyBInA));
        TransformResult(&result, bodyBInA, true);
        return result;
    }
    if (a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_MESH)
    {
        result = ComputeFacesToFaces(b, a, tdInvTransform(bodyBInA));
        TransformResult(&result, bodyBInA, true);
        return result;
    }
    return ComputeFacesToFaces(a, b, bodyBInA);
}

tdClosestPoint tdShape_FindClosestPoint(const tdShapeGeometry* shape, tdVec3 point)
{
    tdConvex probe = tdMakePointConvex(point);
    if (tdShape_IsConvex(shape))
    {
        tdConvex convex = tdMakeConvex(shape, tdTransform_identity);
        tdDistanceResult result = tdConvexDistance(&convex, &probe, INFINITY, NULL);
        return result.distance <= 0.0f ? (tdClosestPoint){point, 0.0f}
                                       : (tdClosestPoint){result.pointA, result.distance};
    }
    tdVec3 local = tdInvTransformPoint(shape->local, point);
    if (shape->kind == TD_SHAPE_PLANE)
    {
        if (tdShape_IsHalfSpace(shape) && local.y <= 0.0f)
        {
            return (tdClosestPoint){point, 0.0f};
        }
        tdVec3 nearest = {tdClampFloat(local.x, -shape->plane.halfX, shape->plane.halfX), 0.0f,
                          tdClampFloat(local.z, -shape->plane.halfZ, shape->plane.halfZ)};
        return (tdClosestPoint){tdTransformPoint(shape->local, nearest), tdDistance(nearest, local)};
    }
    probe = tdMakePointConvex(local);
    tdDistanceResult result = FindNearestTriangle(shape, &probe, (tdAabb){local, local});
    return (tdClosestPoint){tdTransformPoint(shape->local, result.pointA), tdMaxFloat(result.distance, 0.0f)};
}
