// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Time of impact of two shapes on moving, rotating bodies by conservative advancement. Along the current
// normal n no point of A approaches B faster than dot(v, n) + |w x n| r, where r is the outer radius about
// the centre of mass and w the largest angular velocity of the sweep. The distance divided by that speed is a
// step that cannot miss a hit. The rotation is a normalised lerp about a fixed axis; its rate is at most 4
// tan(angle / 4) per unit of fraction. Decision: docs/decisions/053-continuous-collision.md.
#include "time_of_impact.h"

#include "bounds.h"
#include "distance.h"
#include "face_walk.h"
#include "mesh_side.h"

/// A pair that has not converged after this many iterations counts as a hit at the fraction it has reached.
#define MAX_IMPACT_ITERATIONS 64
/// Distance that ends the advancement, in targets: the tolerance is a quarter of the target.
#define IMPACT_TOLERANCE 1.25f
/// Height above a face at which a centre that would pass the face is stopped, in inner radii of the shape:
/// the core (half the inner radius) still overlaps the face and gets a contact in the next step.
#define STOP_HEIGHT 0.25f
/// The centre of a rotating body moves on an arc below its chord. The stop is halved until the centre is at
/// least this part of the stop height above the face, at most STOP_HALVINGS times; then it is 0.
#define STOP_ARC_HEIGHT 0.5f
#define STOP_HALVINGS 6
/// Sine of the angle beyond edge-on up to which a face still counts as a front: about 1 degree.
#define EDGE_ON_COSINE 0.02f
/// Pairs of faces that one sweep tests. Two meshes of thousands of faces that cross a scene within a step
/// would need millions; the core of the mesh covers the pairs beyond the limit.
#define MAX_FACE_PAIRS 16384
/// Target distance of faces that touch at the start but do not overlap, relative to their distance there.
#define TOUCHING_SHARE 0.5f
/// Overlap of two faces at the end of the step up to which contacts handle it: relative to the outer radius
/// of the smaller mesh, and to the inner radius of a mesh that has one; the maximum in metres.
#define SHALLOW_SIZE 1.6e-3f
#define SHALLOW_INNER 0.25f
#define MAX_SHALLOW 5.0e-3f
/// Directions that continue an advancement, the longest part of the step along one of them, and its halvings.
#define MAX_AXES 64
#define MAX_AXIS_STEP 0.125f
#define AXIS_HALVINGS 12
/// Largest sin^2 of half a rotation for which the bound of GetDeviation holds.
#define MAX_SWEEP_BEND 0.1f
/// Rounding error of a gap along an axis, relative to the distance of its points from the origin.
#define GAP_ROUNDING 1.0e-6f
/// Poses at which the sweep is sampled for its bounding box.
#define SWEEP_SAMPLES 4
/// The sweep is sampled again when the remaining fraction has shrunk by this factor.
#define RESAMPLE_FRACTION 0.5f

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

/// Rotation axis times the largest angular rate, in radians per unit of fraction.
static tdVec3 GetSpin(const tdSweep* sweep)
{
    tdQuat turn = tdMulQuat(sweep->endRotation, tdConjugate(sweep->startRotation));
    turn = turn.w < 0.0f ? tdNegateQuat(turn) : turn;
    // turn.w is the cosine of half the angle; tan(angle / 4)^2 = (1 - w) / (1 + w).
    float w = tdMinFloat(turn.w, 1.0f);
    float rate = 4.0f * sqrtf((1.0f - w) / (1.0f + w));
    return tdScale(rate, tdNormalize(tdQuatVector(turn)));
}

/// Bound on the distance of the points of a shape from the straight motion between two poses of a sweep.
/// It is r sin^2(angle / 2) for a normalised lerp up to MAX_SWEEP_BEND, with r the distance from the centre
/// of mass. Rotation about its own axis does not move a shape of revolution.
static float GetDeviation(const tdShapeGeometry* shape, const tdSweep* sweep, tdVec3 spin, float radius)
{
    float rate = tdLength(spin), tangent = 0.25f * rate; // of a quarter of the angle
    if (!(rate > 0.0f))
    {
        return 0.0f;
    }
    float sine = 2.0f * tangent / (1.0f + tangent * tangent), bend = sine * sine;
    bool isRound = (shape->kind == TD_SHAPE_CYLINDER || shape->kind == TD_SHAPE_CAPSULE) && !shape->hasMatrix;
    if (bend > MAX_SWEEP_BEND)
    {
        return INFINITY;
    }
    if (!isRound)
    {
        return bend * radius;
    }
    tdVec3 axis = tdRotate(shape->local.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    float offset = tdLength(tdCross(axis, tdSub(shape->local.position, sweep->localCenter)));
    float tilt = tdLength(tdCross(tdRotate(sweep->startRotation, axis), spin)) / rate; // sine
    return bend * offset + tdMinFloat(bend, 4.0f * tilt * sine) * radius;
}

/// A pair in the advancement: A is convex or one triangle of A; B is convex, one triangle of B or an
/// unbounded plane.
typedef struct tdAdvance
{
    const tdShapeGeometry *a, *b;
    const tdSweep *sweepA, *sweepB;
    tdTransform startA, startB, endA, endB; // poses of the bodies
    tdConvex startConvex, endConvex;        // A there, if it is convex
    const tdVec3* triangleA;                // corners in the frame of A's body; NULL: all of A
    const tdVec3* triangle;                 // corners in the frame of B's body; NULL: all of B
    tdVec3 spinA, spinB;                    // GetSpin, in the world
    float radiusA, radiusB;                 // outer radii about the centres of mass
    float deviation;                        // GetDeviation of A plus that of B
    tdVec3 center;                          // tdShape_GetCenter of A
    float target, maxFraction;
    float shallow;  // m, overlap of faces that is no impact; -INFINITY: every overlap is one
    bool isOverlap; // faces are hit from both sides
} tdAdvance;

static tdTransform GetPoseA(const tdAdvance* job, float fraction)
{
    return fraction == 0.0f ? job->startA
                            : (fraction == 1.0f ? job->endA : tdSweep_At(job->sweepA, fraction));
}

static tdTransform GetPoseB(const tdAdvance* job, float fraction)
{
    return fraction == 0.0f ? job->startB
                            : (fraction == 1.0f ? job->endB : tdSweep_At(job->sweepB, fraction));
}

static tdConvex PlaceTriangle(const tdVec3* corners, tdTransform pose)
{
    return tdMakeTriangleConvex(tdTransformPoint(pose, corners[0]), tdTransformPoint(pose, corners[1]),
                                tdTransformPoint(pose, corners[2]));
}

/// Vertex of a mesh that is lowest along `up`, in the world.
static tdVec3 FindLowestVertex(const tdShapeGeometry* shape, tdTransform pose, tdVec3 up)
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

/// @param limit of tdConvexDistance
static tdDistanceResult ComputePairDistance(const tdAdvance* job, float fraction, float limit)
{
    tdTransform poseA = GetPoseA(job, fraction), poseB = GetPoseB(job, fraction);
    tdConvex a = job->triangleA != NULL ? PlaceTriangle(job->triangleA, poseA)
                                        : (fraction == 0.0f ? job->startConvex : tdMakeConvex(job->a, poseA));
    if (job->triangle != NULL)
    {
        tdConvex b = PlaceTriangle(job->triangle, poseB);
        return tdConvexDistance(&a, &b, limit, NULL);
    }
    if (job->b->kind == TD_SHAPE_PLANE)
    {
        tdTransform plane = tdMulTransform(poseB, job->b->local);
        tdVec3 up = tdRotate(plane.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
        if (job->b->plane.isDoubleSided)
        {
            // The side on which A starts.
            tdTransform startB = tdMulTransform(job->startB, job->b->local);
            tdVec3 middle = tdTransformPoint(job->startA, job->center);
            up = tdInvTransformPoint(startB, middle).y < 0.0f ? tdNegate(up) : up;
        }
        tdVec3 lowest = job->a->kind == TD_SHAPE_MESH
                            ? FindLowestVertex(job->a, poseA, up)
                            : tdMulSub(tdConvex_Support(&a, tdNegate(up)), a.radius, up);
        float height = tdDot(up, tdSub(lowest, plane.position));
        return (tdDistanceResult){height, tdNegate(up), lowest, tdMulSub(lowest, height, up)};
    }
    tdConvex b = tdMakeConvex(job->b, poseB);
    return tdConvexDistance(&a, &b, limit, NULL);
}

/// Largest speed at which points of A and B approach each other along a direction from A to B, per unit of
/// fraction.
static float GetApproachSpeed(const tdAdvance* job, tdVec3 n)
{
    tdVec3 velocity = tdSub(tdSub(job->sweepA->endCenter, job->sweepA->startCenter),
                            tdSub(job->sweepB->endCenter, job->sweepB->startCenter));
    return tdDot(velocity, n) + tdLength(tdCross(job->spinA, n)) * job->radiusA +
           tdLength(tdCross(job->spinB, n)) * job->radiusB;
}

/// Distance along an axis above which StaysApart may be true.
static float GetLeastGap(const tdAdvance* job)
{
    return IMPACT_TOLERANCE * job->target + job->deviation;
}

/// True if a pair that is apart by `distance` along a direction from A to B stays apart along it until the
/// end of the step. The advancement would find no impact, with many more distances.
static bool StaysApart(const tdAdvance* job, tdVec3 axis, float distance)
{
    float least = GetLeastGap(job);
    if (!(distance > least) || (job->triangle == NULL && job->b->kind == TD_SHAPE_PLANE))
    {
        return false;
    }
    tdConvex a = job->triangleA != NULL ? PlaceTriangle(job->triangleA, job->endA) : job->endConvex;
    tdConvex b =
        job->triangle != NULL ? PlaceTriangle(job->triangle, job->endB) : tdMakeConvex(job->b, job->endB);
    tdVec3 ahead = tdConvex_Support(&a, axis), behind = tdConvex_Support(&b, tdNegate(axis));
    float rounding = GAP_ROUNDING * (tdLength(ahead) + tdLength(behind));
    return tdDot(axis, tdSub(behind, ahead)) - a.radius - b.radius > least + rounding;
}

static tdImpact AdvancePair(const tdAdvance* job)
{
    tdImpact impact = {.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
    // The first plane between the two often stays between them.
    float least = GetLeastGap(job), fraction = 0.0f;
    tdDistanceResult nearest = ComputePairDistance(job, 0.0f, least);
    if (nearest.distance > least)
    {
        float reach = job->maxFraction * GetApproachSpeed(job, nearest.normal);
        if (nearest.distance - IMPACT_TOLERANCE * job->target > reach ||
            StaysApart(job, nearest.normal, nearest.distance))
        {
            return impact;
        }
        nearest = ComputePairDistance(job, 0.0f, INFINITY);
    }
    for (int i = 0; i < MAX_IMPACT_ITERATIONS; ++i)
    {
        nearest = i > 0 ? ComputePairDistance(job, fraction, INFINITY) : nearest;
        tdVec3 n = nearest.normal;
        bool isLast = i + 1 == MAX_IMPACT_ITERATIONS;
        if (nearest.distance <= IMPACT_TOLERANCE * job->target || isLast)
        {
            impact.state = i == 0 ? TD_IMPACT_INITIAL : TD_IMPACT_HIT;
            impact.fraction = fraction;
            impact.distance = nearest.distance;
            impact.isUnresolved = nearest.distance > IMPACT_TOLERANCE * job->target;
            impact.point = tdLerp(nearest.pointA, nearest.pointB, 0.5f);
            impact.normal = n;
            return impact;
        }
        float speed = GetApproachSpeed(job, n);
        if (!(speed > 0.0f))
        {
            return impact;
        }
        fraction += (nearest.distance - job->target) / speed;
        if (!(fraction < job->maxFraction) || StaysApart(job, n, nearest.distance))
        {
            return impact;
        }
    }
    return impact;
}

/// Centre of A at a fraction of the step, in the frame of B's body.
static tdVec3 GetCenterAt(const tdAdvance* job, float fraction)
{
    tdVec3 middle = tdTransformPoint(GetPoseA(job, fraction), job->center);
    return tdInvTransformPoint(GetPoseB(job, fraction), middle);
}

/// Contacts handle a triangle that A touches at the start while the centre of A stays in front of it. If the
/// centre would pass the triangle, the impact is where it is STOP_HEIGHT above the plane.
/// @return true if the centre passes the triangle before job->maxFraction; sets `fraction`
static bool FindCenterPass(const tdAdvance* job, const tdVec3* corners, tdVec3 normal, float innerRadius,
                           float* fraction)
{
    tdVec3 from = GetCenterAt(job, 0.0f), to = GetCenterAt(job, 1.0f);
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
    float stop = tdMinFloat(before, STOP_HEIGHT * innerRadius);
    *fraction = (before - stop) / (before - after);
    for (int i = 0;
         i < STOP_HALVINGS && tdDot(normal, GetCenterAt(job, *fraction)) - offset < STOP_ARC_HEIGHT * stop;
         ++i)
    {
        *fraction = i < STOP_HALVINGS - 1 ? 0.5f * *fraction : 0.0f;
    }
    return *fraction < job->maxFraction;
}

/// Poses of a sweep, and a margin for the motion between them, in the frame of B's shape.
typedef struct tdSampledSweep
{
    tdTransform poses[SWEEP_SAMPLES + 1]; // of A's body in the frame of B's shape
    float pad;                            // m
    float fraction;                       // of the last pose
} tdSampledSweep;

static tdSampledSweep SampleSweep(const tdAdvance* job)
{
    tdSampledSweep sampled = {.fraction = job->maxFraction};
    float arm = 0.0f;
    for (int i = 0; i <= SWEEP_SAMPLES; ++i)
    {
        float t = job->maxFraction * (float)i / (float)SWEEP_SAMPLES;
        tdTransform shapeB = tdMulTransform(GetPoseB(job, t), job->b->local);
        sampled.poses[i] = tdInvMulTransform(shapeB, GetPoseA(job, t));
        arm = tdMaxFloat(arm, tdDistance(tdLerp(job->sweepA->startCenter, job->sweepA->endCenter, t),
                                         tdLerp(job->sweepB->startCenter, job->sweepB->endCenter, t)));
    }
    // The sagitta of an arc is 1/8 of radius times angle squared. In the frame of B, A also moves on arcs
    // about the centre of B, and its straight path bends by 1/4 of path times angle.
    float partA = tdLength(job->spinA) / (float)SWEEP_SAMPLES,
          partB = tdLength(job->spinB) / (float)SWEEP_SAMPLES;
    float way = tdDistance(tdSub(job->sweepA->endCenter, job->sweepB->endCenter),
                           tdSub(job->sweepA->startCenter, job->sweepB->startCenter));
    sampled.pad = 0.125f * (job->radiusA * (partA + partB) * (partA + partB) + arm * partB * partB) +
                  0.25f * way / (float)SWEEP_SAMPLES * partB + 2.0f * job->target;
    return sampled;
}

static const tdAabb emptyAabb = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/// Bounding box of the sweep of A, in the frame of B's shape.
static tdAabb BoundSweep(const tdAdvance* job, const tdSampledSweep* sampled)
{
    tdAabb box = emptyAabb;
    for (int i = 0; i <= SWEEP_SAMPLES; ++i)
    {
        box = tdUnionAabb(box, tdShape_ComputeAabb(job->a, sampled->poses[i]));
    }
    return tdGrowAabb(box, sampled->pad);
}

/// Bounding box of the sweep of a triangle of A, in the frame of B's shape.
static tdAabb BoundTriangleSweep(const tdSampledSweep* sampled, const tdVec3 corners[3])
{
    tdAabb box = emptyAabb;
    for (int i = 0; i <= SWEEP_SAMPLES; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            tdVec3 p = tdTransformPoint(sampled->poses[i], corners[k]);
            box = (tdAabb){tdMin(box.lower, p), tdMax(box.upper, p)};
        }
    }
    return tdGrowAabb(box, sampled->pad);
}

/// Corners of the next triangle of B in the frame of B's body.
static bool GetNextTriangle(const tdAdvance* job, tdFaceWalk* walk, tdVec3 corners[3])
{
    if (!tdFaceWalk_Next(walk, corners))
    {
        return false;
    }
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = tdTransformPoint(job->b->local, corners[i]);
    }
    return true;
}

static tdVec3 ComputeFaceNormal(const tdVec3 corners[3])
{
    return tdNormalize(tdCross(tdSub(corners[1], corners[0]), tdSub(corners[2], corners[0])));
}

/// A is convex, B a mesh or sheet: A against each triangle of B in its path.
static tdImpact AdvanceOverFaces(tdAdvance* job)
{
    float maxFraction = job->maxFraction;
    tdImpact best = {.state = TD_IMPACT_NONE, .fraction = maxFraction};
    tdSampledSweep sampled = SampleSweep(job);
    tdAabb box = BoundSweep(job, &sampled);
    bool hasSides = job->b->kind == TD_SHAPE_MESH && tdShape_HasTwoSides(job->b) && !job->isOverlap;
    float innerRadius = tdShape_ComputeInnerRadius(job->a);
    tdVec3 center = GetCenterAt(job, 0.0f);
    tdFaceWalk walk;
    tdFaceWalk_Init(&walk, job->b, box);
    tdMeshSides sides;
    if (hasSides)
    {
        tdMeshSides_Init(&sides, job->b->mesh, box, tdInvTransformPoint(job->b->local, center));
    }
    tdVec3 corners[3];
    while (GetNextTriangle(job, &walk, corners))
    {
        tdVec3 normal = ComputeFaceNormal(corners);
        float height = tdDot(normal, tdSub(center, corners[0]));
        int side = height >= 0.0f ? 1 : (tdShape_HasTwoSides(job->b) || job->isOverlap ? -1 : 0);
        if (hasSides)
        {
            side = tdMeshSides_Choose(&sides, (uint32_t)walk.triangle, height);
            if (sides.hasChanged)
            {
                sides.hasChanged = false;
                best = (tdImpact){.state = TD_IMPACT_NONE, .fraction = maxFraction};
                tdFaceWalk_Init(&walk, job->b, box);
                continue;
            }
        }
        if (side == 0)
        {
            continue; // a back face, or beyond an edge
        }
        if (side < 0)
        {
            normal = tdNegate(normal);
            tdVec3 corner = corners[1];
            corners[1] = corners[2];
            corners[2] = corner;
        }
        job->triangle = corners;
        job->maxFraction = best.fraction;
        tdImpact impact = AdvancePair(job);
        if (impact.state == TD_IMPACT_INITIAL)
        {
            float fraction;
            if (job->isOverlap || !FindCenterPass(job, corners, normal, innerRadius, &fraction))
            {
                continue;
            }
            impact.state = TD_IMPACT_HIT;
            impact.isMiddle = true;
            impact.fraction = fraction;
            impact.point = tdTransformPoint(tdSweep_At(job->sweepB, fraction), GetCenterAt(job, fraction));
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

/// Overlap of the two triangles along a fixed direction from A to B at a fraction of the step, m; negative:
/// apart.
static float GetFaceOverlap(const tdAdvance* job, tdVec3 axis, float fraction)
{
    tdTransform poseA = GetPoseA(job, fraction), poseB = GetPoseB(job, fraction);
    float ahead = -INFINITY, behind = INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        ahead = tdMaxFloat(ahead, tdDot(axis, tdTransformPoint(poseA, job->triangleA[i])));
        behind = tdMinFloat(behind, tdDot(axis, tdTransformPoint(poseB, job->triangle[i])));
    }
    return ahead - behind;
}

/// True if the two triangles, which are apart along the normal of an impact, overlap by less than
/// job->shallow until the end of the step.
static bool IsHarmless(const tdAdvance* job, const tdImpact* impact)
{
    return GetFaceOverlap(job, impact->normal, 1.0f) < job->shallow &&
           GetFaceOverlap(job, impact->normal, 0.5f + 0.5f * impact->fraction) < job->shallow;
}

/// True if the two triangles stay apart by job->target along a fixed direction between two fractions.
static bool AreApartAlong(const tdAdvance* job, tdVec3 axis, float from, float to)
{
    return GetFaceOverlap(job, axis, to) < -job->target &&
           GetFaceOverlap(job, axis, 0.5f * (from + to)) < -job->target;
}

/// Continues an advancement that ran out of iterations. The bound on the speed is that of the fastest point:
/// a triangle that turns about a corner near the other one hardly advances. Along the normal of the nearest
/// points it may be apart for longer.
static tdImpact ContinueAlongAxes(const tdAdvance* job, tdImpact impact)
{
    for (int i = 0; i < MAX_AXES; ++i)
    {
        float from = impact.fraction, to = tdMinFloat(from + MAX_AXIS_STEP, job->maxFraction);
        for (int k = 0; k < AXIS_HALVINGS && !AreApartAlong(job, impact.normal, from, to); ++k)
        {
            to = k + 1 < AXIS_HALVINGS ? 0.5f * (from + to) : from;
        }
        if (!(to > from))
        {
            return impact;
        }
        if (!(to < job->maxFraction))
        {
            return (tdImpact){.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
        }
        tdDistanceResult nearest = ComputePairDistance(job, to, INFINITY);
        impact.fraction = to;
        impact.distance = nearest.distance;
        impact.point = tdLerp(nearest.pointA, nearest.pointB, 0.5f);
        impact.normal = nearest.normal;
        if (nearest.distance <= IMPACT_TOLERANCE * job->target)
        {
            impact.isUnresolved = false;
            return impact;
        }
    }
    return impact;
}

static tdImpact AdvanceFully(const tdAdvance* job)
{
    tdImpact impact = AdvancePair(job);
    return impact.state == TD_IMPACT_HIT && impact.isUnresolved ? ContinueAlongAxes(job, impact) : impact;
}

/// Impact of two triangles. Contacts handle triangles that overlap at the start, and overlaps that stay
/// shallow.
static tdImpact AdvanceTriangles(tdAdvance* job)
{
    tdImpact impact = AdvanceFully(job);
    if (impact.state == TD_IMPACT_INITIAL && impact.distance > 0.0f && !IsHarmless(job, &impact))
    {
        float target = job->target;
        job->target = TOUCHING_SHARE * impact.distance;
        impact = AdvanceFully(job);
        job->target = target;
    }
    if (impact.state == TD_IMPACT_HIT && IsHarmless(job, &impact))
    {
        impact.state = TD_IMPACT_NONE;
    }
    return impact;
}

/// True if two faces meet with their fronts, or edge on. Faces with two sides have two fronts.
static bool AreFrontsFacing(const tdAdvance* job, const tdImpact* impact)
{
    tdQuat turnA = tdSweep_At(job->sweepA, impact->fraction).rotation;
    tdQuat turnB = tdSweep_At(job->sweepB, impact->fraction).rotation;
    float facingA = tdDot(tdRotate(turnA, ComputeFaceNormal(job->triangleA)), impact->normal);
    float facingB = -tdDot(tdRotate(turnB, ComputeFaceNormal(job->triangle)), impact->normal);
    return (facingA > -EDGE_ON_COSINE || tdShape_HasTwoSides(job->a)) &&
           (facingB > -EDGE_ON_COSINE || tdShape_HasTwoSides(job->b));
}

/// A is a mesh, B a mesh or a sheet: each face of A against the faces of B in its path. Contacts handle faces
/// that touch at the start.
static tdImpact AdvanceOverPairs(tdAdvance* job)
{
    tdImpact best = {.state = TD_IMPACT_NONE, .fraction = job->maxFraction};
    tdSampledSweep sampled = SampleSweep(job);
    // Bounds of the faces of B in the path of A: faces of A that do not reach them are skipped.
    tdAabb box = BoundSweep(job, &sampled), way = emptyAabb;
    tdFaceWalk walk;
    if (job->b->kind == TD_SHAPE_MESH)
    {
        tdTriangleQuery query;
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
        box = BoundTriangleSweep(&sampled, cornersA);
        if (!tdOverlapAabb(box, way))
        {
            continue;
        }
        job->triangleA = cornersA;
        job->triangle = corners;
        tdFaceWalk_Init(&walk, job->b, box);
        while (pairCount < MAX_FACE_PAIRS && GetNextTriangle(job, &walk, corners))
        {
            pairCount += 1;
            job->maxFraction = best.fraction;
            tdImpact impact = AdvanceTriangles(job);
            if (impact.state == TD_IMPACT_HIT && (job->isOverlap || AreFrontsFacing(job, &impact)))
            {
                best = impact;
            }
        }
        if (best.fraction < RESAMPLE_FRACTION * sampled.fraction)
        {
            job->maxFraction = best.fraction;
            sampled = SampleSweep(job);
        }
    }
    return best;
}

static float GetShallowOverlap(const tdShapeGeometry* a, const tdShapeGeometry* b)
{
    float radius = tdShape_ComputeOuterRadius(a, tdShape_GetCenter(a)), inner = a->mesh->innerRadius;
    if (b->kind == TD_SHAPE_MESH)
    {
        radius = tdMinFloat(radius, tdShape_ComputeOuterRadius(b, tdShape_GetCenter(b)));
    }
    float shallow = tdMaxFloat(SHALLOW_SIZE * radius, SHALLOW_INNER * inner);
    return tdMinFloat(shallow, MAX_SHALLOW);
}

typedef enum ImpactKind
{
    IMPACT_ANY,     // every touch from the front
    IMPACT_DEEP,    // without overlaps that contacts handle
    IMPACT_OVERLAP, // every touch, from either side
} ImpactKind;

static tdImpact FindTimeOfImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                                 const tdSweep* sweepB, float maxFraction, float target, ImpactKind kind)
{
    if (!tdShape_IsConvex(a) && tdShape_IsConvex(b))
    {
        tdImpact impact = FindTimeOfImpact(b, sweepB, a, sweepA, maxFraction, target, kind);
        impact.normal = tdNegate(impact.normal);
        return impact;
    }
    bool areFaces = !tdShape_IsConvex(a);
    if (areFaces && a->kind == TD_SHAPE_PLANE && b->kind == TD_SHAPE_PLANE)
    {
        return (tdImpact){.state = TD_IMPACT_NONE, .fraction = maxFraction};
    }
    // The mesh with fewer faces is A; a plane is B.
    if (areFaces && (a->kind == TD_SHAPE_PLANE ||
                     (b->kind == TD_SHAPE_MESH && b->mesh->triangleCount < a->mesh->triangleCount)))
    {
        tdImpact impact = FindTimeOfImpact(b, sweepB, a, sweepA, maxFraction, target, kind);
        impact.normal = tdNegate(impact.normal);
        return impact;
    }
    tdAdvance job = {.a = a,
                     .b = b,
                     .sweepA = sweepA,
                     .sweepB = sweepB,
                     .spinA = GetSpin(sweepA),
                     .spinB = GetSpin(sweepB),
                     .startA = tdSweep_At(sweepA, 0.0f),
                     .startB = tdSweep_At(sweepB, 0.0f),
                     .endA = tdSweep_At(sweepA, 1.0f),
                     .endB = tdSweep_At(sweepB, 1.0f),
                     .target = target,
                     .maxFraction = maxFraction,
                     .isOverlap = kind == IMPACT_OVERLAP};
    if (!areFaces)
    {
        job.startConvex = tdMakeConvex(a, job.startA);
        job.endConvex = tdMakeConvex(a, job.endA);
    }
    job.radiusA = tdShape_ComputeOuterRadius(a, sweepA->localCenter);
    job.center = tdShape_GetCenter(a);
    // An unbounded plane that does not rotate needs no radius; one that rotates has the distance of A as
    // radius.
    bool isUnbounded = tdShape_IsUnbounded(b);
    if (tdLengthSquared(job.spinB) > 0.0f)
    {
        float reach = tdDistance(sweepA->startCenter, sweepB->startCenter) +
                      tdDistance(sweepA->startCenter, sweepA->endCenter) +
                      tdDistance(sweepB->startCenter, sweepB->endCenter) + job.radiusA;
        // Points of B beyond the reach of A cannot hit A.
        job.radiusB =
            isUnbounded ? reach : tdMinFloat(tdShape_ComputeOuterRadius(b, sweepB->localCenter), reach);
    }
    job.deviation =
        GetDeviation(a, sweepA, job.spinA, job.radiusA) + GetDeviation(b, sweepB, job.spinB, job.radiusB);
    if (tdShape_IsConvex(b) || isUnbounded)
    {
        return AdvancePair(&job);
    }
    if (!areFaces)
    {
        return AdvanceOverFaces(&job);
    }
    job.shallow = kind == IMPACT_DEEP ? GetShallowOverlap(a, b) : -INFINITY;
    return AdvanceOverPairs(&job);
}

tdImpact tdTimeOfImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                        const tdSweep* sweepB, float maxFraction, float target)
{
    return FindTimeOfImpact(a, sweepA, b, sweepB, maxFraction, target, IMPACT_ANY);
}

tdImpact tdTimeOfDeepImpact(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                            const tdSweep* sweepB, float maxFraction, float target)
{
    return FindTimeOfImpact(a, sweepA, b, sweepB, maxFraction, target, IMPACT_DEEP);
}

tdImpact tdTimeOfOverlap(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                         const tdSweep* sweepB, float maxFraction, float target)
{
    return FindTimeOfImpact(a, sweepA, b, sweepB, maxFraction, target, IMPACT_OVERLAP);
}
