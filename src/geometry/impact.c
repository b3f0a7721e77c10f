// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Time of impact of two shapes on moving, turning bodies by conservative advancement. With the normal n of
// the moment, no point of A goes towards B along n faster than dot(v, n) + |w x n| r, with r the farthest
// point from the centre of mass and w the largest angular velocity of the sweep; so the gap along n allows a
// step that cannot miss anything. The rotation is a normalised lerp: about a fixed axis, its rate at most 4
// tan(angle / 4) per unit of fraction.
#include "bounds.h"
#include "cast.h"
#include "triangles.h"

#define TD_IMPACT_MAX_ITERATIONS 64

tdSweep tdMakeSweep(tdTransform start, tdTransform end, tdVec3 localCenter)
{
    return (tdSweep){localCenter, tdTransformPoint(start, localCenter), tdTransformPoint(end, localCenter),
                     start.rotation, end.rotation};
}

tdTransform tdSweep_At(const tdSweep* sweep, float fraction)
{
    tdTransform pose;
    pose.rotation = tdNlerp(sweep->startRotation, sweep->endRotation, fraction);
    tdVec3 center = tdLerp(sweep->startCenter, sweep->endCenter, fraction);
    pose.position = tdSub(center, tdRotate(pose.rotation, sweep->localCenter));
    return pose;
}

/// Axis times the largest rate, per unit of fraction.
static tdVec3 GetSpin(const tdSweep* sweep)
{
    tdQuat turn = tdMulQuat(sweep->endRotation, tdConjugate(sweep->startRotation));
    turn = turn.w < 0.0f ? tdNegateQuat(turn) : turn;
    // turn.w is the cosine of half the angle; tan(angle / 4)^2 = (1 - w) / (1 + w).
    float w = tdMinFloat(turn.w, 1.0f);
    float rate = 4.0f * sqrtf((1.0f - w) / (1.0f + w));
    return tdScale(rate, tdNormalize(tdQuatVector(turn)));
}

/// The pair as the advancement sees it: A convex, B convex, a triangle of B, or an unbounded plane.
typedef struct tdAdvance
{
    const tdShapeGeometry *a, *b;
    const tdSweep *sweepA, *sweepB;
    const tdVec3* triangle; // in the frame of B's body; NULL: all of B
    tdVec3 spinA, spinB;    // world
    float radiusA, radiusB; // about the centres of mass
    tdVec3 middle;          // of A, in the frame of its body: decides on which side of a face A is
    float target, maxFraction;
} tdAdvance;

static tdDistanceResult Evaluate(const tdAdvance* job, float fraction)
{
    tdTransform poseA = tdSweep_At(job->sweepA, fraction), poseB = tdSweep_At(job->sweepB, fraction);
    tdConvex a = tdMakeConvex(job->a, poseA);
    if (job->triangle != NULL)
    {
        tdConvex b = tdMakeTriangleConvex(tdTransformPoint(poseB, job->triangle[0]),
                                          tdTransformPoint(poseB, job->triangle[1]),
                                          tdTransformPoint(poseB, job->triangle[2]));
        return tdConvexDistance(&a, &b, INFINITY, NULL);
    }
    if (job->b->kind == TD_SHAPE_PLANE)
    {
        tdTransform plane = tdMulTransform(poseB, job->b->local);
        tdVec3 up = tdRotate(plane.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
        if (job->b->plane.isDoubleSided)
        {
            // The side where A was at the start.
            tdTransform startB = tdMulTransform(tdSweep_At(job->sweepB, 0.0f), job->b->local);
            tdVec3 middle = tdTransformPoint(tdSweep_At(job->sweepA, 0.0f), job->middle);
            up = tdInvTransformPoint(startB, middle).y < 0.0f ? tdNegate(up) : up;
        }
        tdVec3 lowest = tdMulSub(tdConvex_Support(&a, tdNegate(up)), a.radius, up);
        float height = tdDot(up, tdSub(lowest, plane.position));
        return (tdDistanceResult){height, tdNegate(up), lowest, tdMulSub(lowest, height, up)};
    }
    tdConvex b = tdMakeConvex(job->b, poseB);
    return tdConvexDistance(&a, &b, INFINITY, NULL);
}

static tdImpact Advance(const tdAdvance* job)
{
    tdImpact impact = {.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
    tdVec3 velocity = tdSub(tdSub(job->sweepA->endCenter, job->sweepA->startCenter),
                            tdSub(job->sweepB->endCenter, job->sweepB->startCenter));
    float fraction = 0.0f;
    for (int i = 0; i < TD_IMPACT_MAX_ITERATIONS; ++i)
    {
        tdDistanceResult nearest = Evaluate(job, fraction);
        tdVec3 n = nearest.normal;
        bool isLast = i + 1 == TD_IMPACT_MAX_ITERATIONS;
        if (nearest.distance <= 1.25f * job->target || isLast)
        {
            impact.state = i == 0 ? TD_IMPACT_INITIAL : TD_IMPACT_HIT;
            impact.fraction = fraction;
            impact.point = tdLerp(nearest.pointA, nearest.pointB, 0.5f);
            impact.normal = n;
            return impact;
        }
        float speed = tdDot(velocity, n) + tdLength(tdCross(job->spinA, n)) * job->radiusA +
                      tdLength(tdCross(job->spinB, n)) * job->radiusB;
        if (!(speed > 0.0f))
        {
            return impact;
        }
        fraction += (nearest.distance - job->target) / speed;
        if (!(fraction < job->maxFraction))
        {
            return impact;
        }
    }
    return impact;
}

/// The middle of A at a moment, in the frame of B's body.
static tdVec3 MiddleAt(const tdAdvance* job, float fraction)
{
    tdVec3 middle = tdTransformPoint(tdSweep_At(job->sweepA, fraction), job->middle);
    return tdInvTransformPoint(tdSweep_At(job->sweepB, fraction), middle);
}

/// A triangle that A touches at the start belongs to the contacts, as long as A's middle stays in front of
/// it: the same middle by which the contacts tell front from back. When it goes through, stop it while a
/// quarter of the inner radius is left.
static bool MiddlePasses(const tdAdvance* job, const tdVec3* corners, tdVec3 normal, float innerRadius,
                         float* fraction)
{
    tdVec3 from = MiddleAt(job, 0.0f), to = MiddleAt(job, 1.0f);
    float offset = tdDot(normal, corners[0]);
    float before = tdDot(normal, from) - offset, after = tdDot(normal, to) - offset;
    if (!(before >= 0.0f && after < 0.0f))
    {
        return false;
    }
    tdVec3 p = tdLerp(from, to, before / (before - after));
    for (int i = 0; i < 3; ++i)
    {
        tdVec3 a = corners[i], b = corners[i < 2 ? i + 1 : 0];
        if (tdDot(tdCross(tdSub(b, a), tdSub(p, a)), normal) < 0.0f)
        {
            return false;
        }
    }
    float stop = tdMinFloat(before, 0.25f * innerRadius);
    *fraction = (before - stop) / (before - after);
    // The middle of a turning body goes on an arc and may be lower than its chord.
    for (int i = 0; i < 6 && tdDot(normal, MiddleAt(job, *fraction)) - offset < 0.5f * stop; ++i)
    {
        *fraction = i < 5 ? 0.5f * *fraction : 0.0f;
    }
    return *fraction < job->maxFraction;
}

/// Where A passes, in the frame of B's shape: its box at a few moments, and how far it can bulge in between.
static tdAabb BoundSweep(const tdAdvance* job, float angleA, float angleB)
{
    enum
    {
        SAMPLES = 4
    };
    tdAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    float arm = 0.0f;
    for (int i = 0; i <= SAMPLES; ++i)
    {
        float t = job->maxFraction * (float)i / (float)SAMPLES;
        tdTransform poseA = tdSweep_At(job->sweepA, t);
        tdTransform shapeB = tdMulTransform(tdSweep_At(job->sweepB, t), job->b->local);
        box = tdUnionAabb(box, tdShape_ComputeAabb(job->a, tdInvMulTransform(shapeB, poseA)));
        arm = tdMaxFloat(arm, tdDistance(tdLerp(job->sweepA->startCenter, job->sweepA->endCenter, t),
                                         tdLerp(job->sweepB->startCenter, job->sweepB->endCenter, t)));
    }
    // Sagitta of an arc of a quarter of the angle; seen from B, A moves on arcs about B's centre too, and its
    // straight way bends by the product of way and angle.
    float partA = angleA / (float)SAMPLES, partB = angleB / (float)SAMPLES;
    float way = tdDistance(tdSub(job->sweepA->endCenter, job->sweepB->endCenter),
                           tdSub(job->sweepA->startCenter, job->sweepB->startCenter));
    float pad = 0.125f * (job->radiusA * (partA + partB) * (partA + partB) + arm * partB * partB) +
                0.25f * way / (float)SAMPLES * partB + 2.0f * job->target;
    tdVec3 grow = {pad, pad, pad};
    return (tdAabb){tdSub(box.lower, grow), tdAdd(box.upper, grow)};
}

/// Corners in the frame of B's body, from the walk over a mesh, or of one half of a sheet.
static bool GetTriangle(const tdAdvance* job, tdTriangleQuery* query, int* sheetPiece, tdAabb box,
                        tdVec3 corners[3])
{
    if (job->b->kind == TD_SHAPE_MESH)
    {
        int triangle = tdTriangleQuery_Next(query);
        if (triangle < 0)
        {
            return false;
        }
        tdTriangles_GetCorners(job->b->mesh, triangle, corners);
    }
    else
    {
        float x0 = tdMaxFloat(-job->b->plane.halfX, box.lower.x - 1.0f);
        float x1 = tdMinFloat(job->b->plane.halfX, box.upper.x + 1.0f);
        float z0 = tdMaxFloat(-job->b->plane.halfZ, box.lower.z - 1.0f);
        float z1 = tdMinFloat(job->b->plane.halfZ, box.upper.z + 1.0f);
        if (*sheetPiece == 2 || !(x0 < x1 && z0 < z1))
        {
            return false;
        }
        corners[0] = (tdVec3){x0, 0.0f, z0};
        corners[1] = *sheetPiece == 0 ? (tdVec3){x0, 0.0f, z1} : (tdVec3){x1, 0.0f, z1};
        corners[2] = *sheetPiece == 0 ? (tdVec3){x1, 0.0f, z1} : (tdVec3){x1, 0.0f, z0};
        *sheetPiece += 1;
    }
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = tdTransformPoint(job->b->local, corners[i]);
    }
    return true;
}

static tdImpact AdvanceOverFaces(tdAdvance* job, float angleA, float angleB)
{
    tdImpact best = {.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
    tdAabb box = BoundSweep(job, angleA, angleB);
    bool isDouble = job->b->kind == TD_SHAPE_MESH ? job->b->mesh->isDoubleSided : job->b->plane.isDoubleSided;
    float innerRadius = tdShape_ComputeInnerRadius(job->a);
    tdVec3 center = MiddleAt(job, 0.0f);
    tdTriangleQuery query;
    if (job->b->kind == TD_SHAPE_MESH)
    {
        tdTriangleQuery_Init(&query, job->b->mesh, box);
    }
    int sheetPiece = 0;
    tdVec3 corners[3];
    while (GetTriangle(job, &query, &sheetPiece, box, corners))
    {
        tdVec3 normal = tdNormalize(tdCross(tdSub(corners[1], corners[0]), tdSub(corners[2], corners[0])));
        float side = tdDot(normal, tdSub(center, corners[0]));
        if (side < 0.0f)
        {
            if (!isDouble)
            {
                continue; // from behind
            }
            normal = tdNegate(normal);
            tdVec3 corner = corners[1];
            corners[1] = corners[2];
            corners[2] = corner;
        }
        job->triangle = corners;
        job->maxFraction = best.fraction;
        tdImpact impact = Advance(job);
        if (impact.state == TD_IMPACT_INITIAL)
        {
            float fraction;
            if (!MiddlePasses(job, corners, normal, innerRadius, &fraction))
            {
                continue;
            }
            impact.state = TD_IMPACT_HIT;
            impact.isMiddle = true;
            impact.fraction = fraction;
            impact.normal = tdNegate(tdRotate(tdSweep_At(job->sweepB, fraction).rotation, normal));
        }
        if (impact.state == TD_IMPACT_HIT &&
            (best.state == TD_IMPACT_NONE || impact.fraction < best.fraction))
        {
            best = impact;
        }
    }
    return best;
}

/// A ball about the centre of a mesh that moves: it keeps the mesh from passing through things as a whole.
static tdShapeGeometry MakeCore(const tdShapeGeometry* mesh)
{
    tdVec3 half = tdScale(0.5f, tdSub(mesh->mesh->aabb.upper, mesh->mesh->aabb.lower));
    tdShapeGeometry core = {.kind = TD_SHAPE_SPHERE, .local = mesh->local};
    core.local.position =
        tdTransformPoint(mesh->local, tdScale(0.5f, tdAdd(mesh->mesh->aabb.lower, mesh->mesh->aabb.upper)));
    core.sphere.radius = 0.5f * tdMinFloat(half.x, tdMinFloat(half.y, half.z));
    return core;
}

tdImpact tdTimeOfImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                        const tdSweep* sweepB, float maxFraction, float target)
{
    if (!tdShape_IsConvex(a) && tdShape_IsConvex(b))
    {
        tdImpact impact = tdTimeOfImpact(b, sweepB, a, sweepA, maxFraction, target);
        impact.normal = tdNegate(impact.normal);
        return impact;
    }
    tdShapeGeometry core;
    if (!tdShape_IsConvex(a))
    {
        if (a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_PLANE)
        {
            return (tdImpact){.state = TD_IMPACT_NONE, .fraction = maxFraction};
        }
        if (a->kind == TD_SHAPE_PLANE)
        {
            tdImpact impact = tdTimeOfImpact(b, sweepB, a, sweepA, maxFraction, target);
            impact.normal = tdNegate(impact.normal);
            return impact;
        }
        core = MakeCore(a);
        a = &core;
    }
    tdAdvance job = {.a = a,
                     .b = b,
                     .sweepA = sweepA,
                     .sweepB = sweepB,
                     .spinA = GetSpin(sweepA),
                     .spinB = GetSpin(sweepB),
                     .target = target,
                     .maxFraction = maxFraction};
    job.radiusA = tdShape_ComputeOuterRadius(a, sweepA->localCenter);
    tdConvex convex = tdMakeConvex(a, tdTransform_identity);
    job.middle = tdConvex_GetCenter(&convex);
    float angleA = tdLength(job.spinA), angleB = tdLength(job.spinB);
    // An unbounded plane that does not turn needs no radius; one that does is taken at the distance of A.
    bool isUnbounded = b->kind == TD_SHAPE_PLANE && b->plane.halfX == INFINITY && b->plane.halfZ == INFINITY;
    if (angleB > 0.0f)
    {
        float reach = tdDistance(sweepA->startCenter, sweepB->startCenter) +
                      tdDistance(sweepA->startCenter, sweepA->endCenter) +
                      tdDistance(sweepB->startCenter, sweepB->endCenter) + job.radiusA;
        // No point of B farther out than A can meet A.
        job.radiusB =
            isUnbounded ? reach : tdMinFloat(tdShape_ComputeOuterRadius(b, sweepB->localCenter), reach);
    }
    if (tdShape_IsConvex(b) || isUnbounded)
    {
        return Advance(&job);
    }
    return AdvanceOverFaces(&job, angleA, angleB);
}
