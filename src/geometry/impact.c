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

/// The pair as the advancement sees it: A convex or a triangle of A, B convex, a triangle of B, or an
/// unbounded plane.
typedef struct tdAdvance
{
    const tdShapeGeometry *a, *b;
    const tdSweep *sweepA, *sweepB;
    const tdVec3* triangleA; // in the frame of A's body; NULL: all of A
    const tdVec3* triangle;  // in the frame of B's body; NULL: all of B
    tdVec3 spinA, spinB;     // world
    float radiusA, radiusB;  // about the centres of mass
    tdVec3 middle;           // of A, in the frame of its body: decides on which side of a face A is
    float target, maxFraction;
} tdAdvance;

static tdConvex PlaceTriangle(const tdVec3* corners, tdTransform pose)
{
    return tdMakeTriangleConvex(tdTransformPoint(pose, corners[0]), tdTransformPoint(pose, corners[1]),
                                tdTransformPoint(pose, corners[2]));
}

static tdVec3 FindLowest(const tdShapeGeometry* shape, tdTransform pose, tdVec3 up)
{
    tdTransform placed = tdMulTransform(pose, shape->local);
    tdVec3 local = tdInvRotate(placed.rotation, up), lowest = shape->mesh->vertices[0];
    for (int i = 1; i < shape->mesh->vertexCount; ++i)
    {
        tdVec3 vertex = shape->mesh->vertices[i];
        lowest = tdDot(vertex, local) < tdDot(lowest, local) ? vertex : lowest;
    }
    return tdTransformPoint(placed, lowest);
}

static tdDistanceResult Evaluate(const tdAdvance* job, float fraction)
{
    tdTransform poseA = tdSweep_At(job->sweepA, fraction), poseB = tdSweep_At(job->sweepB, fraction);
    tdConvex a = job->triangleA != NULL ? PlaceTriangle(job->triangleA, poseA) : tdMakeConvex(job->a, poseA);
    if (job->triangle != NULL)
    {
        tdConvex b = PlaceTriangle(job->triangle, poseB);
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
        tdVec3 lowest = job->a->kind == TD_SHAPE_MESH
                            ? FindLowest(job->a, poseA, up)
                            : tdMulSub(tdConvex_Support(&a, tdNegate(up)), a.radius, up);
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

#define SAMPLES 4

/// The sweep at a few moments, and how far A can bulge in between, seen from B's shape.
typedef struct tdSampledSweep
{
    tdTransform poses[SAMPLES + 1]; // of A's body in the frame of B's shape
    float pad;
    float fraction; // up to which
} tdSampledSweep;

static tdSampledSweep SampleSweep(const tdAdvance* job)
{
    tdSampledSweep sampled = {.fraction = job->maxFraction};
    float arm = 0.0f;
    for (int i = 0; i <= SAMPLES; ++i)
    {
        float t = job->maxFraction * (float)i / (float)SAMPLES;
        tdTransform shapeB = tdMulTransform(tdSweep_At(job->sweepB, t), job->b->local);
        sampled.poses[i] = tdInvMulTransform(shapeB, tdSweep_At(job->sweepA, t));
        arm = tdMaxFloat(arm, tdDistance(tdLerp(job->sweepA->startCenter, job->sweepA->endCenter, t),
                                         tdLerp(job->sweepB->startCenter, job->sweepB->endCenter, t)));
    }
    // Sagitta of an arc of a quarter of the angle; seen from B, A moves on arcs about B's centre too, and its
    // straight way bends by the product of way and angle.
    float partA = tdLength(job->spinA) / (float)SAMPLES, partB = tdLength(job->spinB) / (float)SAMPLES;
    float way = tdDistance(tdSub(job->sweepA->endCenter, job->sweepB->endCenter),
                           tdSub(job->sweepA->startCenter, job->sweepB->startCenter));
    sampled.pad = 0.125f * (job->radiusA * (partA + partB) * (partA + partB) + arm * partB * partB) +
                  0.25f * way / (float)SAMPLES * partB + 2.0f * job->target;
    return sampled;
}

static tdAabb GrowBox(tdAabb box, float pad)
{
    tdVec3 grow = {pad, pad, pad};
    return (tdAabb){tdSub(box.lower, grow), tdAdd(box.upper, grow)};
}

static const tdAabb nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/// Where A passes, in the frame of B's shape.
static tdAabb BoundSweep(const tdAdvance* job, const tdSampledSweep* sampled)
{
    tdAabb box = nothing;
    for (int i = 0; i <= SAMPLES; ++i)
    {
        box = tdUnionAabb(box, tdShape_ComputeAabb(job->a, sampled->poses[i]));
    }
    return GrowBox(box, sampled->pad);
}

static tdAabb BoundTriangle(const tdSampledSweep* sampled, const tdVec3 corners[3])
{
    tdAabb box = nothing;
    for (int i = 0; i <= SAMPLES; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            tdVec3 p = tdTransformPoint(sampled->poses[i], corners[k]);
            box = (tdAabb){tdMin(box.lower, p), tdMax(box.upper, p)};
        }
    }
    return GrowBox(box, sampled->pad);
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

static bool IsDoubleSided(const tdShapeGeometry* shape)
{
    return shape->kind == TD_SHAPE_MESH ? shape->mesh->isDoubleSided : shape->plane.isDoubleSided;
}

static tdImpact AdvanceOverFaces(tdAdvance* job)
{
    tdImpact best = {.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
    tdSampledSweep sampled = SampleSweep(job);
    tdAabb box = BoundSweep(job, &sampled);
    bool isDouble = IsDoubleSided(job->b);
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
            impact.point = tdTransformPoint(tdSweep_At(job->sweepB, fraction), MiddleAt(job, fraction));
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

static tdVec3 FaceNormal(const tdVec3 corners[3])
{
    return tdNormalize(tdCross(tdSub(corners[1], corners[0]), tdSub(corners[2], corners[0])));
}

/// Do the fronts of the two faces look at each other when they meet along `normal`, from A to B? Edge on
/// counts too.
static bool MeetsFronts(const tdAdvance* job, const tdImpact* impact)
{
    const float edgeOn = 0.02f;
    tdQuat turnA = tdSweep_At(job->sweepA, impact->fraction).rotation;
    tdQuat turnB = tdSweep_At(job->sweepB, impact->fraction).rotation;
    float facingA = tdDot(tdRotate(turnA, FaceNormal(job->triangleA)), impact->normal);
    float facingB = -tdDot(tdRotate(turnB, FaceNormal(job->triangle)), impact->normal);
    return (facingA > -edgeOn || IsDoubleSided(job->a)) && (facingB > -edgeOn || IsDoubleSided(job->b));
}

/// Pairs of faces that one sweep looks at. Two meshes of thousands of faces that cross a scene in a step
/// would ask for millions; what these pairs miss is left to the core of the mesh.
#define MAX_FACE_PAIRS 16384

/// A is a mesh, B a mesh or a sheet: each face of A against those of B in its way. Faces that touch at the
/// start belong to the contacts.
static tdImpact AdvanceOverPairs(tdAdvance* job)
{
    tdImpact best = {.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
    tdSampledSweep sampled = SampleSweep(job);
    // Only what is in the way of A as a whole, and only those faces of A that come there.
    tdAabb box = BoundSweep(job, &sampled), way = nothing;
    tdTriangleQuery query;
    int sheetPiece = 0;
    if (job->b->kind == TD_SHAPE_MESH)
    {
        tdTriangleQuery_Init(&query, job->b->mesh, box);
        while (tdTriangleQuery_Next(&query) >= 0)
        {
            for (int i = 0; i < 3; ++i)
            {
                way = (tdAabb){tdMin(way.lower, query.corners[i]), tdMax(way.upper, query.corners[i])};
            }
        }
    }
    else
    {
        way = box;
    }
    int pairCount = 0;
    for (int t = 0; t < job->a->mesh->triangleCount && pairCount < MAX_FACE_PAIRS; ++t)
    {
        tdVec3 cornersA[3], corners[3];
        tdTriangles_GetCorners(job->a->mesh, t, cornersA);
        for (int i = 0; i < 3; ++i)
        {
            cornersA[i] = tdTransformPoint(job->a->local, cornersA[i]);
        }
        box = BoundTriangle(&sampled, cornersA);
        if (!tdOverlapAabb(box, way))
        {
            continue;
        }
        job->triangleA = cornersA;
        job->triangle = corners;
        sheetPiece = 0;
        if (job->b->kind == TD_SHAPE_MESH)
        {
            tdTriangleQuery_Init(&query, job->b->mesh, box);
        }
        while (pairCount < MAX_FACE_PAIRS && GetTriangle(job, &query, &sheetPiece, box, corners))
        {
            pairCount += 1;
            job->maxFraction = best.fraction;
            tdImpact impact = Advance(job);
            if (impact.state == TD_IMPACT_HIT && MeetsFronts(job, &impact))
            {
                best = impact;
            }
        }
        if (best.fraction < 0.5f * sampled.fraction)
        {
            job->maxFraction = best.fraction; // the way that is left is shorter
            sampled = SampleSweep(job);
        }
    }
    return best;
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
    bool arePieces = !tdShape_IsConvex(a);
    if (arePieces && a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_PLANE)
    {
        return (tdImpact){.state = TD_IMPACT_NONE, .fraction = maxFraction};
    }
    // The one with fewer faces comes first, planes last.
    if (arePieces && (a->kind == TD_SHAPE_PLANE ||
                      (b->kind == TD_SHAPE_MESH && b->mesh->triangleCount < a->mesh->triangleCount)))
    {
        tdImpact impact = tdTimeOfImpact(b, sweepB, a, sweepA, maxFraction, target);
        impact.normal = tdNegate(impact.normal);
        return impact;
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
    job.middle = tdShape_GetMiddle(a);
    // An unbounded plane that does not turn needs no radius; one that does is taken at the distance of A.
    bool isUnbounded = b->kind == TD_SHAPE_PLANE && b->plane.halfX == INFINITY && b->plane.halfZ == INFINITY;
    if (tdLengthSquared(job.spinB) > 0.0f)
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
    return arePieces ? AdvanceOverPairs(&job) : AdvanceOverFaces(&job);
}
