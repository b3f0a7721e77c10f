// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Moving shapes, closest points and distances between shapes of any kind. Convex sets move by conservative
// advancement (Mirtich 1996): go on by the distance over the speed at which the two can approach along the
// current normal.
#include "cast.h"

#include "bounds.h"
#include "triangles.h"

#define TD_CAST_MAX_ITERATIONS 48

// Faces: triangles of a mesh, or a sheet as two of them.

typedef struct tdPiece
{
    tdVec3 points[3];
    tdVec3 normal;
    uint32_t source;
} tdPiece;

typedef struct tdPieceWalk
{
    const tdShapeGeometry* shape;
    tdTriangleQuery query;
    tdAabb box;
    int sheetPieces;
} tdPieceWalk;

/// Pieces near `box`, which is in the frame of the shape itself (not of its body).
static void StartPieces(tdPieceWalk* walk, const tdShapeGeometry* shape, tdAabb box)
{
    walk->shape = shape;
    walk->box = box;
    walk->sheetPieces = 0;
    if (shape->kind == TD_SHAPE_MESH)
    {
        tdTriangleQuery_Init(&walk->query, shape->mesh, box);
    }
}

static bool NextPiece(tdPieceWalk* walk, tdPiece* piece)
{
    if (walk->shape->kind == TD_SHAPE_MESH)
    {
        int triangle = tdTriangleQuery_Next(&walk->query);
        if (triangle < 0)
        {
            return false;
        }
        tdTriangles_GetCorners(walk->shape->mesh, triangle, piece->points);
        piece->source = walk->shape->mesh->sources[triangle];
    }
    else
    {
        float x0 = tdMaxFloat(-walk->shape->plane.halfX, walk->box.lower.x - 1.0f);
        float x1 = tdMinFloat(walk->shape->plane.halfX, walk->box.upper.x + 1.0f);
        float z0 = tdMaxFloat(-walk->shape->plane.halfZ, walk->box.lower.z - 1.0f);
        float z1 = tdMinFloat(walk->shape->plane.halfZ, walk->box.upper.z + 1.0f);
        if (walk->sheetPieces == 2 || !(x0 < x1 && z0 < z1))
        {
            return false;
        }
        piece->points[0] = (tdVec3){x0, 0.0f, z0};
        piece->points[1] = walk->sheetPieces == 0 ? (tdVec3){x0, 0.0f, z1} : (tdVec3){x1, 0.0f, z1};
        piece->points[2] = walk->sheetPieces == 0 ? (tdVec3){x1, 0.0f, z1} : (tdVec3){x1, 0.0f, z0};
        piece->source = 0;
        walk->sheetPieces += 1;
    }
    piece->normal = tdNormalize(
        tdCross(tdSub(piece->points[1], piece->points[0]), tdSub(piece->points[2], piece->points[0])));
    return true;
}

static bool IsDoubleSided(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_MESH ? shape->mesh->isDoubleSided : shape->plane.isDoubleSided;
}

static bool IsUnbounded(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_PLANE && shape->plane.halfX == INFINITY && shape->plane.halfZ == INFINITY;
}

static tdAabb Grow(tdAabb box, float by)
{
    tdVec3 pad = {by, by, by};
    return (tdAabb){tdSub(box.lower, pad), tdAdd(box.upper, pad)};
}

static void Move(tdConvex* convex, tdVec3 by)
{
    convex->origin = tdAdd(convex->origin, by);
    for (int i = 0; i < 3; ++i)
    {
        convex->points[i] = tdAdd(convex->points[i], by);
    }
}

static float SizeOf(const tdConvex* convex)
{
    tdVec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    float a = tdDot(x, tdSub(tdConvex_Support(convex, x), tdConvex_Support(convex, tdNegate(x))));
    float b = tdDot(y, tdSub(tdConvex_Support(convex, y), tdConvex_Support(convex, tdNegate(y))));
    return tdMaxFloat(a, b) + convex->radius;
}

/// @param moving at the start; the hit's normal points out of the target
static bool CastConvex(const tdConvex* moving, tdVec3 translation, float maxFraction, const tdConvex* target,
                       tdCastHit* hit)
{
    float tolerance = 1.0e-5f * (SizeOf(moving) + SizeOf(target)) + 1.0e-6f;
    tdConvex current = *moving;
    float fraction = 0.0f;
    for (int i = 0; i < TD_CAST_MAX_ITERATIONS; ++i)
    {
        tdDistanceResult nearest = tdConvexDistance(target, &current, INFINITY, NULL);
        float speed = -tdDot(translation, nearest.normal);
        if (nearest.distance <= tolerance)
        {
            // Touching already but going away is no hit.
            if (i == 0 && nearest.distance > 0.0f && speed <= 0.0f)
            {
                return false;
            }
            hit->fraction = fraction;
            hit->point = nearest.pointA;
            hit->normal = i == 0 && nearest.distance <= 0.0f ? tdVec3_zero : nearest.normal;
            return true;
        }
        if (!(speed > 0.0f))
        {
            return false;
        }
        fraction += (nearest.distance - 0.5f * tolerance) / speed;
        if (fraction > maxFraction)
        {
            return false;
        }
        current = *moving;
        Move(&current, tdScale(fraction, translation));
    }
    // Grazing: what is left is less than the body's own size times the last step; take it as a hit.
    tdDistanceResult nearest = tdConvexDistance(target, &current, INFINITY, NULL);
    hit->fraction = fraction;
    hit->point = nearest.pointA;
    hit->normal = nearest.normal;
    return nearest.distance <= 100.0f * tolerance;
}

/// In the frame of the target shape itself; `start` is the box of the moving set.
static bool CastAtPieces(const tdConvex* convex, tdAabb start, tdVec3 translation, float maxFraction,
                         const tdShapeGeometry* target, tdCastHit* best)
{
    tdVec3 way = tdScale(maxFraction, translation);
    tdAabb end = {tdAdd(start.lower, way), tdAdd(start.upper, way)};
    tdPieceWalk walk;
    StartPieces(&walk, target, Grow(tdUnionAabb(start, end), 1.0e-4f));
    bool isHit = false, isDouble = IsDoubleSided(target);
    tdPiece piece;
    while (NextPiece(&walk, &piece))
    {
        if (!isDouble && tdDot(piece.normal, translation) >= 0.0f)
        {
            continue; // from behind
        }
        tdConvex triangle = tdMakeTriangleConvex(piece.points[0], piece.points[1], piece.points[2]);
        tdCastHit hit = {0};
        if (CastConvex(convex, translation, isHit ? best->fraction : maxFraction, &triangle, &hit) &&
            (!isHit || hit.fraction < best->fraction))
        {
            *best = hit;
            best->triangle = piece.source;
            isHit = true;
        }
    }
    return isHit;
}

/// Unbounded plane, in its own frame.
static bool CastAtPlane(const tdConvex* convex, tdVec3 translation, float maxFraction,
                        const tdShapeGeometry* plane, tdCastHit* hit)
{
    float side = plane->plane.isDoubleSided && tdConvex_GetCenter(convex).y < 0.0f ? -1.0f : 1.0f;
    tdVec3 normal = {0.0f, side, 0.0f};
    tdVec3 lowest = tdMulSub(tdConvex_Support(convex, tdNegate(normal)), convex->radius, normal);
    float height = side * lowest.y, speed = -side * translation.y;
    hit->triangle = 0;
    if (height <= 0.0f)
    {
        hit->fraction = 0.0f;
        hit->point = (tdVec3){lowest.x, 0.0f, lowest.z};
        hit->normal = tdVec3_zero;
        return true;
    }
    if (!(speed > 0.0f) || height > speed * maxFraction)
    {
        return false;
    }
    hit->fraction = height / speed;
    hit->point = tdMulAdd(lowest, hit->fraction, translation);
    hit->normal = normal;
    return true;
}

/// At a mesh, sheet or unbounded plane, in its own frame.
static bool CastAtFaces(const tdConvex* convex, tdAabb box, tdVec3 translation, float maxFraction,
                        const tdShapeGeometry* target, tdCastHit* hit)
{
    return IsUnbounded(target) ? CastAtPlane(convex, translation, maxFraction, target, hit)
                               : CastAtPieces(convex, box, translation, maxFraction, target, hit);
}

/// A mesh or plane that moves towards something convex: the other one comes to it.
static bool CastFacesAtConvex(const tdShapeGeometry* moving, tdTransform movingPose, tdVec3 translation,
                              float maxFraction, const tdShapeGeometry* target, tdCastHit* hit)
{
    tdTransform frame = tdMulTransform(movingPose, moving->local), pose = tdInvTransform(frame);
    tdConvex convex = tdMakeConvex(target, pose);
    tdVec3 way = tdNegate(tdInvRotate(frame.rotation, translation));
    if (!CastAtFaces(&convex, tdShape_ComputeAabb(target, pose), way, maxFraction, moving, hit))
    {
        return false;
    }
    hit->point = tdMulAdd(tdTransformPoint(frame, hit->point), hit->fraction, translation);
    hit->normal = tdNegate(tdRotate(frame.rotation, hit->normal));
    hit->triangle = 0;
    return true;
}

/// Faces against faces: each piece of the moving one is a convex set.
static bool CastFacesAtFaces(const tdShapeGeometry* moving, tdTransform movingPose, tdVec3 translation,
                             float maxFraction, const tdShapeGeometry* target, tdCastHit* best)
{
    if (IsUnbounded(moving))
    {
        return false; // planes have no distance to one another, and a mesh that waits is asked the other way
                      // round
    }
    tdShapeGeometry unplaced = *moving;
    unplaced.local = tdTransform_identity;
    tdTransform frame = tdInvMulTransform(target->local, tdMulTransform(movingPose, moving->local));
    tdVec3 way = tdInvRotate(target->local.rotation, translation);
    tdPieceWalk walk;
    StartPieces(&walk, moving, tdShape_ComputeAabb(&unplaced, tdTransform_identity));
    tdPiece piece;
    bool isHit = false;
    while (NextPiece(&walk, &piece))
    {
        tdVec3 p[3];
        for (int i = 0; i < 3; ++i)
        {
            p[i] = tdTransformPoint(frame, piece.points[i]);
        }
        tdConvex triangle = tdMakeTriangleConvex(p[0], p[1], p[2]);
        tdAabb box = {tdMin(p[0], tdMin(p[1], p[2])), tdMax(p[0], tdMax(p[1], p[2]))};
        tdCastHit hit = {0};
        if (CastAtFaces(&triangle, box, way, isHit ? best->fraction : maxFraction, target, &hit) &&
            (!isHit || hit.fraction < best->fraction))
        {
            *best = hit;
            isHit = true;
        }
    }
    if (isHit)
    {
        best->point = tdTransformPoint(target->local, best->point);
        best->normal = tdRotate(target->local.rotation, best->normal);
    }
    return isHit;
}

bool tdCastShape(const tdShapeGeometry* moving, tdTransform movingPose, tdVec3 translation, float maxFraction,
                 const tdShapeGeometry* target, tdCastHit* hit)
{
    hit->triangle = 0;
    if (!tdShape_IsConvex(moving))
    {
        if (tdShape_IsConvex(target))
        {
            return CastFacesAtConvex(moving, movingPose, translation, maxFraction, target, hit);
        }
        if (IsUnbounded(moving) && !IsUnbounded(target))
        {
            // The mesh comes to the plane instead.
            tdTransform pose = tdInvTransform(movingPose);
            tdVec3 way = tdNegate(tdInvRotate(movingPose.rotation, translation));
            if (!CastFacesAtFaces(target, pose, way, maxFraction, moving, hit))
            {
                return false;
            }
            hit->point = tdMulAdd(tdTransformPoint(movingPose, hit->point), hit->fraction, translation);
            hit->normal = tdNegate(tdRotate(movingPose.rotation, hit->normal));
            return true;
        }
        return CastFacesAtFaces(moving, movingPose, translation, maxFraction, target, hit);
    }
    if (tdShape_IsConvex(target))
    {
        tdConvex a = tdMakeConvex(moving, movingPose), b = tdMakeConvex(target, tdTransform_identity);
        return CastConvex(&a, translation, maxFraction, &b, hit);
    }
    tdTransform pose = tdInvMulTransform(target->local, movingPose);
    tdVec3 way = tdInvRotate(target->local.rotation, translation);
    tdConvex convex = tdMakeConvex(moving, pose);
    bool isHit = CastAtFaces(&convex, tdShape_ComputeAabb(moving, pose), way, maxFraction, target, hit);
    if (isHit)
    {
        hit->point = tdTransformPoint(target->local, hit->point);
        hit->normal = tdRotate(target->local.rotation, hit->normal);
    }
    return isHit;
}

/// Squared distance from a point to a node's box.
static float BoxDistanceSquared(const tdBvhNode* node, tdAabb box)
{
    tdVec3 gap = tdMax(tdMax(tdSub(node->lower, box.upper), tdSub(box.lower, node->upper)), tdVec3_zero);
    return tdLengthSquared(gap);
}

/// Nearest triangle of a mesh or sheet to a convex set that lies within `box`, all in the frame of the shape.
static tdDistanceResult NearestPiece(const tdShapeGeometry* shape, const tdConvex* convex, tdAabb box)
{
    tdDistanceResult best = {INFINITY, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (shape->kind != TD_SHAPE_MESH)
    {
        tdPieceWalk walk;
        StartPieces(&walk, shape, box);
        tdPiece piece;
        while (NextPiece(&walk, &piece))
        {
            tdConvex triangle = tdMakeTriangleConvex(piece.points[0], piece.points[1], piece.points[2]);
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
        if (!(BoxDistanceSquared(node, box) <= limit * limit))
        {
            continue;
        }
        if (node->count == 0)
        {
            bool isLeftFirst = BoxDistanceSquared(mesh->nodes + index + 1, box) <=
                               BoxDistanceSquared(mesh->nodes + node->next, box);
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

static void PlaceResult(tdDistanceResult* result, tdTransform pose, bool isFlipped)
{
    tdVec3 a = tdTransformPoint(pose, result->pointA), b = tdTransformPoint(pose, result->pointB);
    tdVec3 normal = tdRotate(pose.rotation, result->normal);
    result->pointA = isFlipped ? b : a;
    result->pointB = isFlipped ? a : b;
    result->normal = isFlipped ? tdNegate(normal) : normal;
}

/// Plane, sheet or mesh against convex, in the frame of the first shape's body.
static tdDistanceResult MixedDistance(const tdShapeGeometry* a, const tdShapeGeometry* b,
                                      tdTransform bodyBInA)
{
    tdTransform pose = tdInvMulTransform(a->local, bodyBInA);
    tdConvex convex = tdMakeConvex(b, pose);
    tdDistanceResult result;
    if (IsUnbounded(a))
    {
        float side = a->plane.isDoubleSided && tdConvex_GetCenter(&convex).y < 0.0f ? -1.0f : 1.0f;
        tdVec3 normal = {0.0f, side, 0.0f};
        tdVec3 lowest = tdMulSub(tdConvex_Support(&convex, tdNegate(normal)), convex.radius, normal);
        result = (tdDistanceResult){side * lowest.y, normal, {lowest.x, 0.0f, lowest.z}, lowest};
    }
    else
    {
        result = NearestPiece(a, &convex, tdShape_ComputeAabb(b, pose));
    }
    PlaceResult(&result, a->local, false);
    return result;
}

/// Both are meshes or sheets: every piece of A against B. Planes have no distance to one another.
static tdDistanceResult MeshDistance(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA)
{
    tdDistanceResult best = {INFINITY, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    tdTransform aInB = tdInvMulTransform(b->local, tdMulTransform(tdInvTransform(bodyBInA), a->local));
    tdPieceWalk walk;
    tdShapeGeometry unplaced = *a;
    unplaced.local = tdTransform_identity;
    if (a->kind == TD_SHAPE_PLANE || b->kind == TD_SHAPE_PLANE)
    {
        if (a->kind == b->kind || a->kind == TD_SHAPE_PLANE)
        {
            return best;
        }
    }
    StartPieces(&walk, a, tdShape_ComputeAabb(&unplaced, tdTransform_identity));
    tdPiece piece;
    while (NextPiece(&walk, &piece))
    {
        tdVec3 p[3];
        for (int i = 0; i < 3; ++i)
        {
            p[i] = tdTransformPoint(aInB, piece.points[i]);
        }
        tdConvex triangle = tdMakeTriangleConvex(p[0], p[1], p[2]);
        tdAabb box = {tdMin(p[0], tdMin(p[1], p[2])), tdMax(p[0], tdMax(p[1], p[2]))};
        tdDistanceResult result;
        if (IsUnbounded(b))
        {
            tdVec3 down = {0.0f, -1.0f, 0.0f};
            tdVec3 lowest = tdConvex_Support(&triangle, down);
            result = (tdDistanceResult){lowest.y, tdNegate(down), {lowest.x, 0.0f, lowest.z}, lowest};
        }
        else
        {
            result = NearestPiece(b, &triangle, box);
        }
        best = result.distance < best.distance ? result : best;
    }
    PlaceResult(&best, tdMulTransform(bodyBInA, b->local), true);
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
        return MixedDistance(a, b, bodyBInA);
    }
    if (isConvexA)
    {
        result = MixedDistance(b, a, tdInvTransform(bodyBInA));
        PlaceResult(&result, bodyBInA, true);
        return result;
    }
    if (a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_MESH)
    {
        result = MeshDistance(b, a, tdInvTransform(bodyBInA));
        PlaceResult(&result, bodyBInA, true);
        return result;
    }
    return MeshDistance(a, b, bodyBInA);
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
    tdDistanceResult result = NearestPiece(shape, &probe, (tdAabb){local, local});
    return (tdClosestPoint){tdTransformPoint(shape->local, result.pointA), tdMaxFloat(result.distance, 0.0f)};
}
