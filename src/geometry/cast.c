// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shape casts by conservative advancement (Mirtich 1996): each iteration moves the shape by the distance
// divided by the approach speed along the current normal, which cannot skip a hit.
#include "cast.h"

#include "bounds.h"
#include "distance.h"
#include "face_walk.h"

/// Grazing casts converge slowly; the result after this many iterations is accepted if it is close enough.
#define MAX_CAST_ITERATIONS 48
/// Distance at which a cast counts as a hit: this fraction of the size of both shapes plus a minimum, in
/// metres.
#define CAST_TOLERANCE 1.0e-5f
#define MIN_CAST_TOLERANCE 1.0e-6f
/// Distance that still counts as a hit after MAX_CAST_ITERATIONS, in tolerances.
#define GRAZING_TOLERANCES 100.0f
/// Margin of the swept box in the search for triangles, in metres: covers the rounding of the box.
#define BOX_MARGIN 1.0e-4f

static void TranslateConvex(tdConvex* convex, tdVec3 by)
{
    convex->origin = tdAdd(convex->origin, by);
    for (int i = 0; i < 3; ++i)
    {
        convex->points[i] = tdAdd(convex->points[i], by);
    }
}

/// Largest extent along the x and y axes, radius included.
static float EstimateSize(const tdConvex* convex)
{
    tdVec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    float a = tdDot(x, tdSub(tdConvex_Support(convex, x), tdConvex_Support(convex, tdNegate(x))));
    float b = tdDot(y, tdSub(tdConvex_Support(convex, y), tdConvex_Support(convex, tdNegate(y))));
    return tdMaxFloat(a, b) + convex->radius;
}

/// @param moving at the start of the cast
static bool CastConvex(const tdConvex* moving, tdVec3 translation, float maxFraction, const tdConvex* target,
                       tdCastHit* hit)
{
    float tolerance = CAST_TOLERANCE * (EstimateSize(moving) + EstimateSize(target)) + MIN_CAST_TOLERANCE;
    tdConvex current = *moving;
    float fraction = 0.0f;
    for (int i = 0; i < MAX_CAST_ITERATIONS; ++i)
    {
        tdDistanceResult nearest = tdConvexDistance(target, &current, INFINITY, NULL);
        float speed = -tdDot(translation, nearest.normal);
        if (nearest.distance <= tolerance)
        {
            // Shapes that touch at the start and separate are no hit.
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
        TranslateConvex(&current, tdScale(fraction, translation));
    }
    // A grazing cast that has not converged is a hit if the remaining distance is small.
    tdDistanceResult nearest = tdConvexDistance(target, &current, INFINITY, NULL);
    hit->fraction = fraction;
    hit->point = nearest.pointA;
    hit->normal = nearest.normal;
    return nearest.distance <= GRAZING_TOLERANCES * tolerance;
}

/// Casts at the triangles of a mesh or sheet, in the frame of the target shape.
/// @param start box of the moving set at the start
static bool CastAtTriangles(const tdConvex* convex, tdAabb start, tdVec3 translation, float maxFraction,
                            const tdShapeGeometry* target, tdCastHit* best)
{
    tdVec3 way = tdScale(maxFraction, translation);
    tdAabb end = {tdAdd(start.lower, way), tdAdd(start.upper, way)};
    tdFaceWalk walk;
    tdFaceWalk_Init(&walk, target, tdGrowAabb(tdUnionAabb(start, end), BOX_MARGIN));
    bool isHit = false, isDouble = tdShape_IsDoubleSided(target);
    tdVec3 p[3];
    while (tdFaceWalk_Next(&walk, p))
    {
        tdVec3 normal = tdNormalize(tdCross(tdSub(p[1], p[0]), tdSub(p[2], p[0])));
        if (!isDouble && tdDot(normal, translation) >= 0.0f)
        {
            continue; // back face
        }
        tdConvex triangle = tdMakeTriangleConvex(p[0], p[1], p[2]);
        tdCastHit hit = {0};
        if (CastConvex(convex, translation, isHit ? best->fraction : maxFraction, &triangle, &hit) &&
            (!isHit || hit.fraction < best->fraction))
        {
            *best = hit;
            best->triangle = walk.source;
            isHit = true;
        }
    }
    return isHit;
}

/// Casts at an unbounded plane, in the frame of the plane.
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

/// Casts at a mesh, sheet or unbounded plane, in the frame of the target shape.
static bool CastAtFaces(const tdConvex* convex, tdAabb box, tdVec3 translation, float maxFraction,
                        const tdShapeGeometry* target, tdCastHit* hit)
{
    return tdShape_IsUnbounded(target) ? CastAtPlane(convex, translation, maxFraction, target, hit)
                                       : CastAtTriangles(convex, box, translation, maxFraction, target, hit);
}

/// Casts a mesh or plane at a convex shape: casts the convex shape backwards instead.
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

/// Casts each triangle of a mesh or sheet at a mesh, sheet or plane.
static bool CastFacesAtFaces(const tdShapeGeometry* moving, tdTransform movingPose, tdVec3 translation,
                             float maxFraction, const tdShapeGeometry* target, tdCastHit* best)
{
    if (tdShape_IsUnbounded(moving))
    {
        return false; // two planes never hit; tdCastShape casts a mesh at a moving plane backwards
    }
    tdShapeGeometry unplaced = *moving;
    unplaced.local = tdTransform_identity;
    tdTransform frame = tdInvMulTransform(target->local, tdMulTransform(movingPose, moving->local));
    tdVec3 way = tdInvRotate(target->local.rotation, translation);
    tdFaceWalk walk;
    tdFaceWalk_Init(&walk, moving, tdShape_ComputeAabb(&unplaced, tdTransform_identity));
    tdVec3 p[3];
    bool isHit = false;
    while (tdFaceWalk_Next(&walk, p))
    {
        for (int i = 0; i < 3; ++i)
        {
            p[i] = tdTransformPoint(frame, p[i]);
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
        if (tdShape_IsUnbounded(moving) && !tdShape_IsUnbounded(target))
        {
            // Casts the mesh backwards at the plane.
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
