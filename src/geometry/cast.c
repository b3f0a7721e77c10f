// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shape casts by conservative advancement (Mirtich 1996): each iteration moves the shape by a lower bound
// of the distance divided by the approach speed along the normal of the separating plane, which cannot skip
// a hit. GJK stops at the first plane that separates the shapes by more than the tolerance.
#include "cast.h"

#include "bounds.h"
#include "distance.h"
#include "face_walk.h"
#include "triangles.h"

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
/// Slack of the slab test, relative and in fractions: a few ulp, so that rounding never misses a box.
#define CAST_SLACK 1.0e-6f
/// Smallest component of a translation that is inverted, m. The inverse stays finite, which avoids 0 *
/// infinity where the box lies on the plane of a slab.
#define MIN_CAST_COMPONENT 1.0e-18f

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
    tdDistanceCache cache = {{0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < MAX_CAST_ITERATIONS; ++i)
    {
        tdDistanceResult nearest = tdConvexDistance(target, &current, tolerance, &cache);
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

/// Fraction at which a moving box enters the box of a node, a little early; INFINITY for a miss.
static float EnterCastNode(tdAabb start, tdVec3 inverse, tdVec3 lower, tdVec3 upper, float limit)
{
    float x0 = (lower.x - start.upper.x) * inverse.x, x1 = (upper.x - start.lower.x) * inverse.x;
    float y0 = (lower.y - start.upper.y) * inverse.y, y1 = (upper.y - start.lower.y) * inverse.y;
    float z0 = (lower.z - start.upper.z) * inverse.z, z1 = (upper.z - start.lower.z) * inverse.z;
    float enter = tdMaxFloat(tdMaxFloat(tdMinFloat(x0, x1), tdMinFloat(y0, y1)), tdMinFloat(z0, z1));
    float leave = tdMinFloat(tdMinFloat(tdMaxFloat(x0, x1), tdMaxFloat(y0, y1)), tdMaxFloat(z0, z1));
    enter -= CAST_SLACK * tdAbsFloat(enter) + CAST_SLACK;
    leave += CAST_SLACK * tdAbsFloat(leave) + CAST_SLACK;
    return enter <= leave && leave >= 0.0f && enter <= limit ? enter : INFINITY;
}

static float InvertCastComponent(float x)
{
    float tiny = MIN_CAST_COMPONENT;
    return 1.0f / (tdAbsFloat(x) > tiny ? x : (x < 0.0f ? -tiny : tiny));
}

/// A cast at the triangles of a mesh.
typedef struct MeshCast
{
    const tdConvex* convex;
    const tdTriangles* mesh;
    tdAabb start; // box of the moving set at the start, with a margin
    tdVec3 translation, inverse;
    float limit; // largest fraction of interest
    bool isHit;
    uint32_t triangle; // of the best hit
    tdCastHit* best;
} MeshCast;

static void CastAtTriangle(MeshCast* cast, uint32_t triangle)
{
    tdVec3 p[3];
    tdTriangles_GetCorners(cast->mesh, (int)triangle, p);
    tdVec3 lower = tdMin(p[0], tdMin(p[1], p[2])), upper = tdMax(p[0], tdMax(p[1], p[2]));
    tdVec3 normal = tdCross(tdSub(p[1], p[0]), tdSub(p[2], p[0]));
    if ((!cast->mesh->isDoubleSided && tdDot(tdNormalize(normal), cast->translation) >= 0.0f) || // back face
        EnterCastNode(cast->start, cast->inverse, lower, upper, cast->limit) > cast->limit)
    {
        return;
    }
    tdConvex convex = tdMakeTriangleConvex(p[0], p[1], p[2]);
    tdCastHit hit = {0};
    if (!CastConvex(cast->convex, cast->translation, cast->limit, &convex, &hit))
    {
        return;
    }
    // Of two triangles at the same fraction the first one in the mesh counts, whatever the order of the walk.
    if (!cast->isHit || hit.fraction < cast->best->fraction ||
        (hit.fraction == cast->best->fraction && triangle < cast->triangle))
    {
        *cast->best = hit;
        cast->best->triangle = cast->mesh->sources[triangle];
        cast->triangle = triangle;
        cast->isHit = true;
        cast->limit = hit.fraction;
    }
}

/// Casts at the triangles of a mesh, front to back, in the frame of the mesh.
static bool CastAtMesh(const tdConvex* convex, tdAabb start, tdVec3 translation, float maxFraction,
                       const tdTriangles* mesh, tdCastHit* best)
{
    MeshCast cast = {.convex = convex,
                     .mesh = mesh,
                     .start = tdGrowAabb(start, BOX_MARGIN),
                     .translation = translation,
                     .inverse = {InvertCastComponent(translation.x), InvertCastComponent(translation.y),
                                 InvertCastComponent(translation.z)},
                     .limit = maxFraction,
                     .best = best};
    struct
    {
        uint32_t node;
        float fraction;
    } stack[TD_BVH_MAX_DEPTH];
    int depth = 0;
    uint32_t index = 0;
    const tdBvhNode* nodes = mesh->nodes;
    float entry = EnterCastNode(cast.start, cast.inverse, nodes[0].lower, nodes[0].upper, maxFraction);
    for (;;)
    {
        if (entry <= cast.limit)
        {
            const tdBvhNode* node = &nodes[index];
            if (node->count == 0)
            {
                uint32_t left = index + 1, right = node->next;
                float a =
                    EnterCastNode(cast.start, cast.inverse, nodes[left].lower, nodes[left].upper, cast.limit);
                float b = EnterCastNode(cast.start, cast.inverse, nodes[right].lower, nodes[right].upper,
                                        cast.limit);
                stack[depth].node = a <= b ? right : left;
                stack[depth].fraction = a <= b ? b : a;
                depth += stack[depth].fraction <= cast.limit ? 1 : 0;
                index = a <= b ? left : right;
                entry = a <= b ? a : b;
                continue;
            }
            for (uint32_t i = 0; i < node->count; ++i)
            {
                CastAtTriangle(&cast, node->next + i);
            }
        }
        if (depth == 0)
        {
            return cast.isHit;
        }
        index = stack[--depth].node;
        entry = stack[depth].fraction;
    }
}

/// Casts at the triangles of a mesh or sheet, in the frame of the target shape.
/// @param start box of the moving set at the start
static bool CastAtTriangles(const tdConvex* convex, tdAabb start, tdVec3 translation, float maxFraction,
                            const tdShapeGeometry* target, tdCastHit* best)
{
    if (target->kind == TD_SHAPE_MESH)
    {
        return CastAtMesh(convex, start, translation, maxFraction, target->mesh, best);
    }
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
