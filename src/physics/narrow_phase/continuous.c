// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Continuous collision (docs/decisions/053-continuous-collision.md, 026). A fast body, which moved farther in
// a step than the speculative margin and its thickness allow, is swept. At its first impact with a static or
// kinematic shape, the impact is solved and the rest of the step simulated, up to MAX_IMPACTS times. Bullets,
// which moved farther than their inner radius, are also swept against dynamic shapes. A body that hits a
// moving body moves on with it, so that a fast wall carries the bodies it hits. Two bullets that hit each
// other both stop; the next step solves their contact. A fast kinematic body also sweeps slow and sleeping
// bodies.
//
// Sweeps read the poses of the solved step and write only their own results, which are applied at the end.
// The results therefore depend neither on the order nor on the number of workers.
#include "physics/narrow_phase/continuous.h"

#include "geometry/bounds.h"
#include "geometry/time_of_impact.h"
#include "math/trig.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/proxy.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/narrow_phase/manifold.h"
#include "physics/narrow_phase/material.h"
#include "physics/narrow_phase/stopped_body.h"

// Thresholds. The tests of behaviour pass with 3 times each of them; physics/determinism pins their bits.

/// Distance of the surfaces at the impact, in speculative margins of the smaller body.
#define IMPACT_SHARE 0.25f
/// The same for each further impact of a step, relative to that of the impact before: the body starts at the
/// distance of the last impact and must not count as touching. A body that touches at the start of the step
/// is swept with RETRY_SHARE of the distance.
#define NEXT_IMPACT_SHARE 0.5f
#define RETRY_SHARE 0.1f
/// Impacts of a body that are solved in a step; from the last one it moves with its target.
#define MAX_IMPACTS 6
/// Distance of the core from the surface at an impact, in core radii.
#define CORE_DISTANCE 0.1f
/// Distance, in impact distances, up to which points of the two shapes take part in an impact: the surfaces
/// are between 1 and 1.25 apart.
#define IMPACT_REACH 2.0f
/// Most manifolds of an impact, and passes over their points. A flat landing has one manifold of four points
/// and converges in a few passes; fewer passes leave some approach speed to the next step.
#define MAX_IMPACT_MANIFOLDS 4
#define IMPACT_PASSES 12
/// Approach speed below which an impact does not bounce, m/s: as in the solver.
#define MIN_BOUNCE_SPEED 0.25f
/// Rotation in a sub-step, rad, from which RubSpinningBody acts: that of MAX_ARM_TURN in narrow_phase.c.
#define MAX_RUB_TURN 0.75f
/// Largest rotation of a body after an impact of a step, rad: the sweep takes the shorter way.
#define MAX_PATH_TURN 2.5f
/// Relative displacement below which a body is not fast relative to the target, in inner radii.
#define SLOW_DISPLACEMENT 0.5f
/// Depth at the end of the step below which the solver handles the impact, in inner radii.
#define SHALLOW_DEPTH 0.5f
/// Least bodies per parallel range: a sweep is expensive.
#define MIN_SWEEP_RANGE 4

typedef struct FastQuery
{
    tdWorld* world;
    int simIndex, shape;
    tdTransform start, end; // of its body
    tdSweep sweep;
    float time;  // of `start`, as a fraction of the step
    float share; // distance of the surfaces at the impact, in speculative margins
    tdFastBody* found;
    int targetFast; // if the target is a bullet: its index among the fast bodies; else -1
} FastQuery;

/// Pose of the body at the start of the step.
static tdTransform GetStartPose(const tdBodySim* sim)
{
    tdVec3 position = tdSub(sim->startCenter, tdRotate(sim->startRotation, sim->localCenter));
    return (tdTransform){position, sim->startRotation};
}

static tdSweep MakeBodySweep(const tdBodySim* sim)
{
    return tdMakeSweep(GetStartPose(sim), sim->transform, sim->localCenter);
}

static tdAabb ComputeSweptBox(const tdShapeGeometry* shape, tdTransform start, tdTransform end, tdVec3 center)
{
    tdAabb box = tdUnionAabb(tdShape_ComputeAabb(shape, start), tdShape_ComputeAabb(shape, end));
    tdQuat turn = tdMulQuat(end.rotation, tdConjugate(start.rotation));
    float radius = tdShape_ComputeOuterRadius(shape, center);
    // Between the two poses a point deviates from its chord by at most r (1 - cos(angle / 2)), which is at
    // most r sin^2(angle / 2).
    float stray = radius * tdMinFloat(tdLengthSquared(tdQuatVector(turn)), 1.0f) + TD_SPECULATIVE_MARGIN;
    return tdGrowAabb(box, stray);
}

/// Sweeps the core of a fast shape, a ball about its centre, at a target that the shape touches at the start.
/// A core that touches too must not come closer.
static bool SweepCore(const FastQuery* query, const tdShape* fast, const tdShape* target,
                      const tdSweep* targetSweep, float limit, tdImpact* impact)
{
    float radius = TD_CORE_SHARE * fast->innerRadius;
    tdShapeGeometry core = {.kind = TD_SHAPE_SPHERE, .local = tdTransform_identity, .sphere = {radius}};
    core.local.position = tdShape_GetCenter(&fast->geometry);
    *impact =
        tdTimeOfImpact(&core, &query->sweep, &target->geometry, targetSweep, limit, CORE_DISTANCE * radius);
    if (impact->state != TD_IMPACT_INITIAL)
    {
        return impact->state == TD_IMPACT_HIT;
    }
    if (impact->distance < -radius)
    {
        return false; // the centre is inside: contacts push it out
    }
    tdTransform from = tdInvMulTransform(tdSweep_At(targetSweep, 0.0f), query->start);
    tdTransform to = tdInvMulTransform(tdSweep_At(targetSweep, 1.0f), query->end);
    tdVec3 way =
        tdSub(tdTransformPoint(to, core.local.position), tdTransformPoint(from, core.local.position));
    impact->fraction = 0.0f;
    return tdDot(way, tdInvRotate(targetSweep->startRotation, impact->normal)) > 0.0f;
}

/// Penetration depth at the end of the step without the impact.
static float ComputeEndDepth(const tdSweep* fast, const tdSweep* other, const tdImpact* impact)
{
    tdVec3 a = tdInvTransformPoint(tdSweep_At(fast, impact->fraction), impact->point);
    tdVec3 b = tdInvTransformPoint(tdSweep_At(other, impact->fraction), impact->point);
    tdVec3 endA = tdTransformPoint(tdSweep_At(fast, 1.0f), a),
           endB = tdTransformPoint(tdSweep_At(other, 1.0f), b);
    return tdDot(tdSub(endA, endB), impact->normal);
}

static tdVec3 GetVelocityAt(const tdWorld* world, int body, tdVec3 point)
{
    int simIndex = world->bodies.data[body].simIndex;
    if (simIndex <= 0)
    {
        return tdVec3_zero;
    }
    const tdBodyState* state = &world->states[simIndex];
    tdVec3 arm = tdSub(point, world->sims[simIndex].center);
    return tdAdd(state->linearVelocity, tdCross(state->angularVelocity, arm));
}

/// Distance of the surfaces at an impact, m.
static float GetImpactDistance(const FastQuery* query, int target)
{
    float radius = query->world->sims[query->simIndex].outerRadius;
    float other = tdWorld_GetBodySim(query->world, query->world->shapes.data[target].body)->outerRadius;
    return query->share * tdGetSpeculativeMargin(tdMinFloat(radius, other));
}

/// Time of impact of the fast shape with a target. Both of two bullets get the same result.
static tdImpact FindImpact(const FastQuery* query, const tdShape* fast, int target, const tdSweep* otherSweep)
{
    const tdShape* other = &query->world->shapes.data[target];
    float limit = query->found->fraction, distance = GetImpactDistance(query, target);
    if (query->targetFast < 0 || query->shape < target)
    {
        tdImpact impact =
            tdTimeOfImpact(&fast->geometry, &query->sweep, &other->geometry, otherSweep, limit, distance);
        if (impact.state == TD_IMPACT_INITIAL)
        {
            impact = tdTimeOfImpact(&fast->geometry, &query->sweep, &other->geometry, otherSweep, limit,
                                    RETRY_SHARE * distance);
        }
        return impact;
    }
    tdImpact impact =
        tdTimeOfImpact(&other->geometry, otherSweep, &fast->geometry, &query->sweep, limit, distance);
    impact.normal = tdNegate(impact.normal);
    impact.isMiddle = false;
    return impact;
}

static bool IsSmaller(const FastQuery* query, const tdShape* fast, int target)
{
    float other = query->world->shapes.data[target].outerRadius;
    return fast->outerRadius < other || (!(other < fast->outerRadius) && query->shape < target);
}

/// True if the points of a possible impact move apart.
static bool IsSeparating(const FastQuery* query, const tdSweep* otherSweep, const tdImpact* impact)
{
    return ComputeEndDepth(&query->sweep, otherSweep, impact) <= 0.0f;
}

static bool VisitTarget(void* context, int target)
{
    FastQuery* query = context;
    tdWorld* world = query->world;
    tdFastBody* found = query->found;
    const tdShape* other = &world->shapes.data[target];
    if ((other->flags & TD_SHAPE_TRIGGER) != 0 || !tdWorld_ShouldCollide(world, query->shape, target))
    {
        return true;
    }
    const tdShape* fast = &world->shapes.data[query->shape];
    const tdBodySim *sim = &world->sims[query->simIndex], *otherSim = tdWorld_GetBodySim(world, other->body);
    bool isDynamic = world->bodies.data[other->body].motion == TD_MOTION_DYNAMIC;
    bool isAwake = world->bodies.data[other->body].simIndex > 0;
    tdTransform otherStart = isAwake ? GetStartPose(otherSim) : otherSim->transform;
    if (isAwake && query->time > 0.0f)
    {
        tdSweep whole = tdMakeSweep(otherStart, otherSim->transform, otherSim->localCenter);
        otherStart = tdSweep_At(&whole, query->time);
    }
    // Bodies that move together are slow relative to each other. A dynamic target has an inner radius too.
    tdTransform from = tdInvMulTransform(otherStart, query->start);
    tdTransform to = tdInvMulTransform(otherSim->transform, query->end);
    float turned =
        2.0f * tdLength(tdQuatVector(tdInvMulQuat(from.rotation, to.rotation))) * fast->outerRadius;
    float allowed =
        SLOW_DISPLACEMENT * fast->innerRadius + (isDynamic ? SLOW_DISPLACEMENT * other->innerRadius : 0.0f);
    allowed = allowed > 0.0f ? allowed : tdBodySim_GetSlowDistance(sim);
    if (tdDistance(from.position, to.position) + turned < allowed)
    {
        return true;
    }
    tdSweep otherSweep = tdMakeSweep(otherStart, otherSim->transform, otherSim->localCenter);
    tdImpact impact = FindImpact(query, fast, target, &otherSweep);
    float fraction = impact.fraction;
    bool isHit = impact.state == TD_IMPACT_HIT && fraction < found->fraction;
    bool isMissed = isHit && impact.isUnresolved && IsSeparating(query, &otherSweep, &impact);
    // The solver handles grazing impacts and contacts that exist at the start, unless the core would pass the
    // target.
    bool isShallow =
        isHit && ComputeEndDepth(&query->sweep, &otherSweep, &impact) < SHALLOW_DEPTH * fast->innerRadius;
    bool isDeep = isHit && impact.isMiddle;
    tdVec3 normal = tdNegate(impact.normal), point = impact.point;
    // The sweep of a mesh ignores faces that touch at the start, so its core may hit first.
    bool isMesh = fast->geometry.kind == TD_SHAPE_MESH;
    bool isGraze = impact.state == TD_IMPACT_INITIAL || isMissed || (isShallow && !isDeep);
    if (isGraze || isMesh)
    {
        tdImpact core;
        // Of two bullets only the smaller one casts its core.
        bool hasCore = (!isMesh || fast->innerRadius > 0.0f) &&
                       (query->targetFast < 0 || IsSmaller(query, fast, target));
        float limit = isHit && !isGraze ? fraction : found->fraction;
        bool isCore = hasCore && SweepCore(query, fast, other, &otherSweep, limit, &core);
        isHit = isCore || (isHit && !isGraze);
        isDeep = isCore || (isDeep && !isGraze);
        if (isCore)
        {
            fraction = core.fraction;
            normal = tdNegate(core.normal);
            point = core.point;
        }
    }
    if (isHit)
    {
        found->fraction = fraction;
        found->isDeep = isDeep;
        found->point = point;
        found->normal = normal;
        found->velocity = GetVelocityAt(world, other->body, sim->center);
        found->targetBody = other->body;
        found->shape = query->shape;
        found->targetShape = target;
        found->isFollowed = false;
        found->targetFast = query->targetFast;
        found->targetPose = tdSweep_At(&otherSweep, fraction);
    }
    return true;
}

/// Targets in the tree of dynamic shapes except bullets, which SweepBullets handles with its sorted list.
static bool VisitDynamic(void* context, int target)
{
    FastQuery* query = context;
    int simIndex = query->world->bodies.data[query->world->shapes.data[target].body].simIndex;
    bool isBullet = simIndex > 0 && (query->world->marks[simIndex] & TD_MARK_BULLET) != 0;
    return isBullet || VisitTarget(context, target);
}

static FastQuery MakeQuery(tdWorld* world, tdFastBody* found, tdTransform start, tdTransform end)
{
    const tdBodySim* sim = &world->sims[found->simIndex];
    return (FastQuery){.world = world,
                       .simIndex = found->simIndex,
                       .start = start,
                       .end = end,
                       .sweep = tdMakeSweep(start, end, sim->localCenter),
                       .share = IMPACT_SHARE,
                       .found = found,
                       .targetFast = -1};
}

// Impacts.

typedef struct ImpactPoint
{
    tdVec3 arm, normal; // from the centre of mass; unit, out of the target
    tdVec3 velocity;    // of the target there, m/s
    tdVec3 turn;        // inverse inertia times (arm x normal)
    float mass;         // kg, of the normal row
    float approach;     // speed along the normal before the impact, m/s; negative: approaching
    float impulse;      // N s
} ImpactPoint;

static tdVec3 MulSymmetric(const tdSym3* m, tdVec3 v)
{
    return (tdVec3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                    m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

static float GetNormalSpeed(const ImpactPoint* point, tdVec3 v, tdVec3 w)
{
    return tdDot(point->normal, tdSub(tdAdd(v, tdCross(w, point->arm)), point->velocity));
}

/// Points of an impact: those of the manifolds at that pose, or the point of the sweep.
static int CollectImpactPoints(const FastQuery* query, const tdBodySim* sim, ImpactPoint* points)
{
    const tdWorld* world = query->world;
    const tdFastBody* found = query->found;
    const tdShape *fast = &world->shapes.data[found->shape],
                  *target = &world->shapes.data[found->targetShape];
    int count = 0;
    if (!found->isDeep)
    {
        tdManifold manifolds[MAX_IMPACT_MANIFOLDS];
        float reach = IMPACT_REACH * GetImpactDistance(query, found->targetShape);
        int manifoldCount = tdComputeManifolds(&fast->geometry, &target->geometry,
                                               tdInvMulTransform(sim->transform, found->targetPose), reach,
                                               NULL, manifolds, MAX_IMPACT_MANIFOLDS);
        for (int i = 0; i < manifoldCount; ++i)
        {
            for (int k = 0; k < manifolds[i].pointCount; ++k)
            {
                tdVec3 place = tdTransformPoint(sim->transform, manifolds[i].points[k].position);
                points[count].normal = tdNegate(tdRotate(sim->transform.rotation, manifolds[i].normal));
                points[count++].arm = tdSub(place, sim->center);
            }
        }
    }
    if (count == 0)
    {
        points[count].normal = found->normal;
        points[count++].arm = tdSub(found->point, sim->center);
    }
    return count;
}

/// Friction at the centre of the impulses, at most `limit`.
static void RubImpact(const tdBodySim* sim, const ImpactPoint* points, int count, float friction,
                      tdBodyMotion* motion)
{
    tdVec3 arm = tdVec3_zero, normal = tdVec3_zero, velocity = tdVec3_zero;
    float sum = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        arm = tdMulAdd(arm, points[i].impulse, points[i].arm);
        normal = tdMulAdd(normal, points[i].impulse, points[i].normal);
        velocity = tdMulAdd(velocity, points[i].impulse, points[i].velocity);
        sum += points[i].impulse;
    }
    if (!(sum > 0.0f))
    {
        return;
    }
    arm = tdScale(1.0f / sum, arm);
    normal = tdNormalize(normal);
    tdVec3 slip = tdSub(tdAdd(motion->linearVelocity, tdCross(motion->angularVelocity, arm)),
                        tdScale(1.0f / sum, velocity));
    slip = tdMulSub(slip, tdDot(slip, normal), normal);
    float speed = tdLength(slip);
    if (!(speed > 0.0f))
    {
        return;
    }
    tdVec3 along = tdScale(1.0f / speed, slip), turn = MulSymmetric(&sim->invInertia, tdCross(arm, along));
    float inverse = sim->invMass + tdDot(tdCross(arm, along), turn);
    float impulse = tdMinFloat(friction * sum, speed / inverse);
    motion->linearVelocity = tdMulSub(motion->linearVelocity, impulse * sim->invMass, along);
    motion->angularVelocity = tdMulSub(motion->angularVelocity, impulse, turn);
}

/// Solves the impact of a body with a static or kinematic shape. The impulses that stop all points are scaled
/// by 1 + restitution (Poisson), which never adds energy: with the change K p of the speeds u it is
/// s p u + s^2 p K p / 2 for a factor s, so s is at most -2 p u / (p K p).
/// @return the sum of the impulses if the body bounces, else 0
static float SolveImpact(const FastQuery* query, tdTransform pose, tdBodyMotion* motion)
{
    const tdWorld* world = query->world;
    const tdFastBody* found = query->found;
    const tdShape *fast = &world->shapes.data[found->shape],
                  *target = &world->shapes.data[found->targetShape];
    tdBodySim sim = world->sims[query->simIndex];
    sim.transform = pose;
    sim.center = tdTransformPoint(pose, sim.localCenter);
    sim.invInertia = tdComputeWorldInvInertia(&sim);
    ImpactPoint points[MAX_IMPACT_MANIFOLDS * TD_MAX_MANIFOLD_POINTS];
    int count = CollectImpactPoints(query, &sim, points);
    tdVec3 v = motion->linearVelocity, w = motion->angularVelocity;
    float fastest = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        ImpactPoint* point = &points[i];
        tdVec3 lever = tdCross(point->arm, point->normal);
        point->turn = MulSymmetric(&sim.invInertia, lever);
        float inverse = sim.invMass + tdDot(lever, point->turn);
        point->mass = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        point->velocity = GetVelocityAt(world, found->targetBody, tdAdd(sim.center, point->arm));
        point->approach = GetNormalSpeed(point, v, w);
        point->impulse = 0.0f;
        fastest = tdMinFloat(fastest, point->approach);
    }
    if (!(fastest < 0.0f))
    {
        return 0.0f;
    }
    for (int pass = 0; pass < IMPACT_PASSES; ++pass)
    {
        for (int i = 0; i < count; ++i)
        {
            ImpactPoint* point = &points[i];
            float impulse = tdMaxFloat(point->impulse - point->mass * GetNormalSpeed(point, v, w), 0.0f);
            float delta = impulse - point->impulse;
            point->impulse = impulse;
            v = tdMulAdd(v, delta * sim.invMass, point->normal);
            w = tdMulAdd(w, delta, point->turn);
        }
    }
    float stopped = 0.0f, changed = 0.0f, sum = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        stopped += points[i].impulse * points[i].approach;
        changed += points[i].impulse * (GetNormalSpeed(&points[i], v, w) - points[i].approach);
        sum += points[i].impulse;
    }
    float restitution = 0.0f;
    if (!found->isDeep && fastest < -MIN_BOUNCE_SPEED)
    {
        restitution = tdCombineMaterial(fast->restitution, (tdCombine)fast->restitutionCombine,
                                        target->restitution, (tdCombine)target->restitutionCombine);
    }
    float factor = 1.0f + restitution;
    factor = changed > 0.0f ? tdMinFloat(factor, tdMaxFloat(-2.0f * stopped / changed, 1.0f)) : factor;
    motion->linearVelocity = tdMulAdd(motion->linearVelocity, factor, tdSub(v, motion->linearVelocity));
    motion->angularVelocity = tdMulAdd(motion->angularVelocity, factor, tdSub(w, motion->angularVelocity));
    for (int i = 0; i < count; ++i)
    {
        points[i].impulse *= factor;
    }
    RubImpact(&sim, points, count,
              tdCombineMaterial(fast->dynamicFriction, (tdCombine)fast->frictionCombine,
                                target->dynamicFriction, (tdCombine)target->frictionCombine),
              motion);
    return restitution > 0.0f ? factor * sum : 0.0f;
}

/// A part of the motion of a body in a step, with the velocities at its start and at its end.
typedef struct Segment
{
    tdBodyMotion start, end;
} Segment;

/// Motion at a fraction of a segment. The angular velocity is interpolated in the frame of the body, where
/// its energy is a fixed quadratic form: the energy is at most that of the start or of the end.
static tdBodyMotion GetMotionAt(const Segment* segment, const tdSweep* sweep, float fraction)
{
    const tdBodyMotion *from = &segment->start, *to = &segment->end;
    tdBodyMotion motion = {.pose = tdSweep_At(sweep, fraction)};
    motion.linearVelocity = tdLerp(from->linearVelocity, to->linearVelocity, fraction);
    motion.angularVelocity =
        tdRotate(motion.pose.rotation, tdLerp(tdInvRotate(from->pose.rotation, from->angularVelocity),
                                              tdInvRotate(to->pose.rotation, to->angularVelocity), fraction));
    return motion;
}

/// Pose of a body that moves freely for a time in seconds.
static tdTransform MoveFreely(const tdBodyMotion* motion, tdVec3 localCenter, tdVec3 gravity, float time)
{
    tdVec3 velocity = tdMulAdd(motion->linearVelocity, 0.5f * time, gravity);
    tdVec3 center = tdMulAdd(tdTransformPoint(motion->pose, localCenter), time, velocity);
    float rate = tdLength(motion->angularVelocity);
    tdSinCos half = tdComputeSinCos(0.5f * tdMinFloat(rate * time, MAX_PATH_TURN));
    tdVec3 axis = tdScale(rate > 0.0f ? half.sine / rate : 0.0f, motion->angularVelocity);
    tdQuat turn = {axis.x, axis.y, axis.z, half.cosine};
    tdTransform pose = {center, tdNormalizeQuat(tdMulQuat(turn, motion->pose.rotation))};
    pose.position = tdSub(center, tdRotate(pose.rotation, localCenter));
    return pose;
}

/// Sweeps all shapes of a body against static and kinematic shapes.
/// @return swept box
static tdAabb SweepSegment(FastQuery* query)
{
    tdWorld* world = query->world;
    const tdBodySim* sim = &world->sims[query->simIndex];
    tdAabb path = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int i = world->bodies.data[sim->body].shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        const tdShape* shape = &world->shapes.data[i];
        if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
        {
            continue;
        }
        query->shape = i;
        tdAabb box = ComputeSweptBox(&shape->geometry, query->start, query->end, sim->localCenter);
        path = path.lower.x <= path.upper.x ? tdUnionAabb(path, box) : box;
        tdAabbTree_Query(&world->trees[TD_AABB_TREE_STATIC], box, VisitTarget, query);
        tdAabbTree_Query(&world->trees[TD_AABB_TREE_KINEMATIC], box, VisitTarget, query);
        for (int k = 0; k < world->unbounded.count; ++k)
        {
            VisitTarget(query, world->unbounded.data[k]);
        }
    }
    return path;
}

/// Removes the velocity into a surface that moves with `velocity`.
static tdVec3 RemoveApproach(tdVec3 v, tdVec3 velocity, tdVec3 normal)
{
    return tdMulSub(v, tdMinFloat(tdDot(tdSub(v, velocity), normal), 0.0f), normal);
}

/// A body whose core meets a surface that the body touches already: contacts act on it, so it keeps the rest
/// of its motion as solved, except for the part into the surface.
static void SlideAlong(const tdFastBody* impact, tdTransform targetEnd, tdVec3 localCenter, Segment* segment)
{
    tdVec3 normal = impact->normal;
    tdTransform carried =
        tdMulTransform(targetEnd, tdInvMulTransform(impact->targetPose, segment->start.pose));
    tdVec3 way =
        tdSub(tdTransformPoint(segment->end.pose, localCenter), tdTransformPoint(carried, localCenter));
    segment->end.pose.position =
        tdMulSub(segment->end.pose.position, tdMinFloat(tdDot(way, normal), 0.0f), normal);
    segment->start.linearVelocity = RemoveApproach(segment->start.linearVelocity, impact->velocity, normal);
    segment->end.linearVelocity = RemoveApproach(segment->end.linearVelocity, impact->velocity, normal);
}

/// Simulates the rest of the step after the first impact of a body.
static void FollowImpacts(tdWorld* world, tdFastBody* found, FastQuery* query)
{
    const tdBodySim* sim = &world->sims[found->simIndex];
    const tdBodyState* state = &world->states[found->simIndex];
    const tdStartVelocity* before = &world->startVelocities[found->simIndex];
    tdVec3 gravity = tdScale(sim->gravityFactor, world->gravity);
    // Positions advance with the velocity at the end of a sub-step: the velocity of a falling body on its
    // path is half a sub-step of gravity ahead of the stored one.
    tdVec3 ahead = tdScale(0.5f * world->timeStep / (float)world->subStepCount, gravity);
    Segment segment = {{query->start, tdAdd(before->linear, ahead), before->angular},
                       {query->end, tdAdd(state->linearVelocity, ahead), state->angularVelocity}};
    tdFastBody impact = *found;
    float time = 0.0f, share = query->share;
    bool hasBounced = false;
    for (int i = 0; i < MAX_IMPACTS && impact.fraction < 1.0f; ++i)
    {
        query->found = &impact;
        segment.start = GetMotionAt(&segment, &query->sweep, impact.fraction);
        time += impact.fraction * (1.0f - time);
        tdTransform targetEnd = tdWorld_GetBodySim(world, impact.targetBody)->transform;
        if (impact.isDeep)
        {
            SlideAlong(&impact, targetEnd, sim->localCenter, &segment);
        }
        else
        {
            float impulse = SolveImpact(query, segment.start.pose, &segment.start);
            if (impulse > 0.0f && !hasBounced)
            {
                hasBounced = true;
                found->impulse = impulse;
                found->point = impact.point;
                found->normal = impact.normal;
                found->shape = impact.shape;
                found->targetShape = impact.targetShape;
            }
            float left = (1.0f - time) * world->timeStep;
            segment.end = segment.start;
            segment.end.pose = MoveFreely(&segment.start, sim->localCenter, gravity, left);
            segment.end.linearVelocity = tdMulAdd(segment.end.linearVelocity, left, gravity);
        }
        if (i == 0)
        {
            found->atImpact = segment.start;
        }
        if (i + 1 == MAX_IMPACTS)
        {
            segment.end = segment.start;
            segment.end.pose =
                tdMulTransform(targetEnd, tdInvMulTransform(impact.targetPose, segment.start.pose));
            break;
        }
        impact = (tdFastBody){.simIndex = found->simIndex, .fraction = 1.0f, .targetFast = -1};
        share *= NEXT_IMPACT_SHARE;
        *query = MakeQuery(world, &impact, segment.start.pose, segment.end.pose);
        query->time = time;
        query->share = share;
        tdAabb path = SweepSegment(query);
        found->path = i > 0 ? tdUnionAabb(found->path, path) : path;
    }
    found->isFollowed = true;
    found->atEnd = segment.end;
    found->atEnd.linearVelocity = tdSub(found->atEnd.linearVelocity, ahead);
    found->atImpact.linearVelocity = tdSub(found->atImpact.linearVelocity, ahead);
}

static void SweepBodies(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        tdFastBody* found = &world->fastBodies.data[i];
        const tdBodySim* sim = &world->sims[found->simIndex];
        FastQuery query = MakeQuery(world, found, GetStartPose(sim), sim->transform);
        found->box = SweepSegment(&query);
        // Joints would pull a body back that moves on alone, and a body of infinite mass does not bounce.
        if (found->fraction < 1.0f && world->bodies.data[sim->body].jointCount == 0 && sim->invMass > 0.0f)
        {
            FollowImpacts(world, found, &query);
        }
    }
}

typedef struct PathQuery
{
    const tdWorld* world;
    int body;
    bool isBlocked;
} PathQuery;

static bool VisitPathShape(void* context, int shape)
{
    PathQuery* query = context;
    const tdShape* other = &query->world->shapes.data[shape];
    query->isBlocked =
        query->isBlocked || (other->body != query->body && (other->flags & TD_SHAPE_TRIGGER) == 0);
    return !query->isBlocked;
}

/// True if another dynamic body is near the path of a body after its impact.
static bool IsPathBlocked(tdWorld* world, const tdFastBody* found)
{
    PathQuery query = {world, world->sims[found->simIndex].body, false};
    tdAabbTree_Query(&world->trees[TD_AABB_TREE_DYNAMIC], found->path, VisitPathShape, &query);
    for (int i = 0; i < world->bullets.count && !query.isBlocked; ++i)
    {
        const tdFastBody* other = &world->fastBodies.data[world->bullets.data[i]];
        query.isBlocked = other != found && tdOverlapAabb(other->box, found->path);
    }
    return query.isBlocked;
}

static void SweepBullets(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        tdFastBody* found = &world->fastBodies.data[world->bullets.data[i]];
        const tdBodySim* sim = &world->sims[found->simIndex];
        FastQuery query = MakeQuery(world, found, GetStartPose(sim), sim->transform);
        for (int j = world->bodies.data[sim->body].shapeHead; j >= 0; j = world->shapes.data[j].next)
        {
            const tdShape* shape = &world->shapes.data[j];
            if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
            {
                continue;
            }
            query.shape = j;
            query.targetFast = -1;
            tdAabbTree_Query(
                &world->trees[TD_AABB_TREE_DYNAMIC],
                ComputeSweptBox(&shape->geometry, GetStartPose(sim), sim->transform, sim->localCenter),
                VisitDynamic, &query);
            for (int k = 0; k < world->bullets.count; ++k)
            {
                query.targetFast = world->bullets.data[k];
                const tdFastBody* target = &world->fastBodies.data[query.targetFast];
                if (target->box.lower.x > found->box.upper.x)
                {
                    break;
                }
                if (k == i || !tdOverlapAabb(target->box, found->box))
                {
                    continue;
                }
                int other = world->sims[target->simIndex].body;
                for (int m = world->bodies.data[other].shapeHead; m >= 0; m = world->shapes.data[m].next)
                {
                    VisitTarget(&query, m);
                }
            }
        }
        found->isBlocked = found->isFollowed && IsPathBlocked(world, found);
    }
}

/// Rotates a body of infinite mass about its centre, about its free axes, so that the point of impact follows
/// the target.
static tdTransform RotateWithPoint(const tdBodySim* sim, tdVec3 from, tdVec3 to, tdTransform pose)
{
    tdVec3 center = tdTransformPoint(pose, sim->localCenter);
    tdVec3 a = tdNormalize(tdSub(from, center)), b = tdNormalize(tdSub(to, center));
    tdQuat frame = tdMulQuat(pose.rotation, sim->inertiaOrientation);
    tdVec3 axis = tdInvRotate(frame, tdCross(a, b));
    axis.x = sim->invInertiaDiagonal.x > 0.0f ? axis.x : 0.0f;
    axis.y = sim->invInertiaDiagonal.y > 0.0f ? axis.y : 0.0f;
    axis.z = sim->invInertiaDiagonal.z > 0.0f ? axis.z : 0.0f;
    // Proportional to the sine and cosine of half the angle.
    axis = tdRotate(frame, axis);
    tdQuat turn = tdNormalizeQuat((tdQuat){axis.x, axis.y, axis.z, 1.0f + tdMaxFloat(tdDot(a, b), 0.0f)});
    pose.rotation = tdNormalizeQuat(tdMulQuat(turn, pose.rotation));
    pose.position = tdSub(center, tdRotate(pose.rotation, sim->localCenter));
    return pose;
}

/// Moves a body with its target from the impact to the end of the step. A dynamic target must not carry it
/// through static shapes.
static tdTransform CarryBody(tdWorld* world, const tdFastBody* found, tdTransform pose)
{
    tdTransform end = tdWorld_GetBodySim(world, found->targetBody)->transform;
    if (!(world->sims[found->simIndex].invMass > 0.0f))
    {
        tdVec3 to = tdTransformPoint(end, tdInvTransformPoint(found->targetPose, found->point));
        return RotateWithPoint(&world->sims[found->simIndex], found->point, to, pose);
    }
    end = tdMulTransform(end, tdInvMulTransform(found->targetPose, pose));
    end.rotation = tdNormalizeQuat(end.rotation);
    if (world->bodies.data[found->targetBody].motion != TD_MOTION_DYNAMIC)
    {
        return end;
    }
    tdFastBody check = {.simIndex = found->simIndex, .fraction = 1.0f};
    FastQuery query = MakeQuery(world, &check, pose, end);
    const tdBodySim* sim = &world->sims[found->simIndex];
    for (int j = world->bodies.data[sim->body].shapeHead; j >= 0; j = world->shapes.data[j].next)
    {
        const tdShape* shape = &world->shapes.data[j];
        if ((shape->flags & TD_SHAPE_TRIGGER) == 0)
        {
            query.shape = j;
            tdAabbTree_Query(&world->trees[TD_AABB_TREE_STATIC],
                             ComputeSweptBox(&shape->geometry, pose, end, sim->localCenter), VisitTarget,
                             &query);
            for (int k = 0; k < world->unbounded.count; ++k)
            {
                int plane = world->unbounded.data[k];
                if (world->bodies.data[world->shapes.data[plane].body].motion == TD_MOTION_STATIC)
                {
                    VisitTarget(&query, plane);
                }
            }
        }
    }
    return tdSweep_At(&query.sweep, check.fraction);
}

static void StopBody(tdWorld* world, const tdFastBody* found, float fraction, bool isCarried)
{
    tdBodySim* sim = &world->sims[found->simIndex];
    tdBodyState* state = &world->states[found->simIndex];
    const tdBodySim before = *sim;
    tdSweep sweep = MakeBodySweep(sim);
    sim->transform = tdSweep_At(&sweep, fraction);
    if (found->isFollowed)
    {
        const tdBodyMotion* motion = found->isBlocked ? &found->atImpact : &found->atEnd;
        sim->transform = motion->pose;
        state->linearVelocity = motion->linearVelocity;
        state->angularVelocity = motion->angularVelocity;
    }
    if (isCarried && (!found->isFollowed || found->isBlocked))
    {
        sim->transform = CarryBody(world, found, sim->transform);
    }
    sim->transform.rotation = tdNormalizeQuat(sim->transform.rotation);
    sim->center = tdTransformPoint(sim->transform, sim->localCenter);
    sim->invInertia = tdComputeWorldInvInertia(sim);
    tdWorld_RefreshBoxes(world, found->simIndex, tdVec3_zero);
    if (!found->isFollowed)
    {
        tdKeepStoppedEnergy(world, sim, &before, state);
        if (found->isDeep)
        {
            tdRemoveDeepApproach(world, found);
        }
    }
}

/// Slows a body that turns too fast for the friction of its contacts (ReleaseSpinningBodies in
/// narrow_phase.c): the friction of their impulses acts on half of the outer radius against the spin. It
/// cannot reverse it.
static void RubSpinningBody(tdWorld* world, int simIndex)
{
    const tdBodySim* sim = &world->sims[simIndex];
    tdBodyState* state = &world->states[simIndex];
    float rate = tdLength(state->angularVelocity);
    if (!(rate * world->timeStep > MAX_RUB_TURN * (float)world->subStepCount))
    {
        return;
    }
    float friction = 0.0f; // N s
    int body = sim->body;
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TOUCHING || contact->denseIndex < 0)
        {
            continue;
        }
        const tdTouchingContact* touching = &world->touchingContacts.data[contact->denseIndex];
        const tdShape *a = &world->shapes.data[contact->shapeA], *b = &world->shapes.data[contact->shapeB];
        float coefficient = tdCombineMaterial(a->dynamicFriction, (tdCombine)a->frictionCombine,
                                              b->dynamicFriction, (tdCombine)b->frictionCombine);
        for (int i = 0; i < touching->manifoldCount; ++i)
        {
            const tdContactManifold* manifold = &world->manifolds[touching->firstManifold + i];
            bool isReleased = !(manifold->dynamicFriction > 0.0f);
            friction += isReleased ? coefficient * manifold->totalImpulse : 0.0f;
        }
    }
    // The energy falls with the square of the factor.
    tdVec3 axis = tdScale(1.0f / rate, state->angularVelocity);
    float slowed = friction * 0.5f * sim->outerRadius * tdDot(axis, MulSymmetric(&sim->invInertia, axis));
    state->angularVelocity = tdScale(tdMaxFloat(1.0f - slowed / rate, 0.0f), state->angularVelocity);
}

/// Applies the results. Two bullets that hit each other stop there. A body that hit a bullet with another
/// fate follows that bullet and is handled in the second pass.
static void StopBodies(tdWorld* world)
{
    const tdFastBody* list = world->fastBodies.data;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int i = 0; i < world->fastBodies.count; ++i)
        {
            const tdFastBody* found = &list[i];
            int target = found->targetFast;
            bool isMutual = target >= 0 && list[target].fraction < 1.0f && list[target].targetFast == i;
            bool isLast = target >= 0 && !isMutual;
            if (found->fraction < 1.0f && isLast == (pass == 1))
            {
                bool moves = world->bodies.data[found->targetBody].simIndex > 0;
                // One may stop by its surface and the other by its core: both stop at the earlier fraction.
                float fraction =
                    isMutual ? tdMinFloat(found->fraction, list[target].fraction) : found->fraction;
                // The smaller body follows the larger one.
                bool isLarger = world->sims[found->simIndex].outerRadius >
                                tdWorld_GetBodySim(world, found->targetBody)->outerRadius;
                StopBody(world, found, fraction, moves && !isMutual && !(target >= 0 && isLarger));
            }
        }
    }
}

static void AddFastBody(tdWorld* world, int simIndex)
{
    world->fastBodies.data[world->fastBodies.count++] =
        (tdFastBody){.simIndex = simIndex,
                     .fraction = 1.0f,
                     .targetFast = -1,
                     .box = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}};
}

/// Wakes a body in the path of a kinematic body and adds it to the fast bodies.
static bool VisitSweptShape(void* context, int shape)
{
    tdWorld* world = context;
    int body = world->shapes.data[shape].body;
    if ((world->shapes.data[shape].flags & TD_SHAPE_TRIGGER) == 0)
    {
        tdWorld_WakeBody(world, body);
        const tdBodySim* sim = tdWorld_GetBodySim(world, body);
        int simIndex = world->bodies.data[body].simIndex;
        if ((world->marks[simIndex] & TD_MARK_FAST) == 0 && (sim->flags & TD_BODY_NO_CONTINUOUS) == 0)
        {
            world->marks[simIndex] |= TD_MARK_FAST;
            AddFastBody(world, simIndex);
        }
    }
    return true;
}

/// Enlarges the fat boxes of a fast kinematic body to its whole path and visits the dynamic shapes there.
static void SweepKinematic(tdWorld* world, int simIndex)
{
    const tdBodySim sim = world->sims[simIndex];
    for (int i = world->bodies.data[sim.body].shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        tdShape* shape = &world->shapes.data[i];
        if ((shape->flags & (TD_SHAPE_TRIGGER | TD_SHAPE_UNBOUNDED)) != 0)
        {
            continue;
        }
        tdAabb box = ComputeSweptBox(&shape->geometry, GetStartPose(&sim), sim.transform, sim.localCenter);
        shape->fatAabb = tdUnionAabb(shape->fatAabb, box);
        shape->flags |= TD_SHAPE_ENLARGED;
        world->marks[simIndex] |= TD_MARK_ENLARGED;
        tdAabbTree_Enlarge(&world->trees[shape->tree], shape->proxy, shape->fatAabb);
        tdAabbTree_Query(&world->trees[TD_AABB_TREE_DYNAMIC], box, VisitSweptShape, world);
    }
}

/// Collects the bullets: fast bodies whose farthest point moved farther than their inner radius. Bodies with
/// joints are no bullets, because stopping them would violate the joints; they are still targets. The list is
/// sorted by the lower x of their boxes, then by index (Shellsort).
static void CollectBullets(tdWorld* world)
{
    world->bullets.count = 0;
    for (int i = 0; i < world->fastBodies.count; ++i)
    {
        int simIndex = world->fastBodies.data[i].simIndex;
        const tdBodySim* sim = &world->sims[simIndex];
        tdQuat turn = tdMulQuat(sim->transform.rotation, tdConjugate(sim->startRotation));
        float moved = tdDistance(sim->center, sim->startCenter) +
                      2.0f * tdLength(tdQuatVector(turn)) * sim->outerRadius;
        if (moved > sim->innerRadius && world->bodies.data[sim->body].jointCount == 0)
        {
            world->marks[simIndex] |= TD_MARK_BULLET;
            world->bullets.data[world->bullets.count++] = i;
        }
    }
    int count = world->bullets.count;
    int* list = world->bullets.data;
    for (int gap = count / 2; gap > 0; gap /= 2)
    {
        for (int i = gap; i < count; ++i)
        {
            int item = list[i], k = i;
            float left = world->fastBodies.data[item].box.lower.x;
            while (k >= gap &&
                   (world->fastBodies.data[list[k - gap]].box.lower.x > left ||
                    (!(world->fastBodies.data[list[k - gap]].box.lower.x < left) && list[k - gap] > item)))
            {
                list[k] = list[k - gap];
                k -= gap;
            }
            list[k] = item;
        }
    }
}

void tdWorld_SolveContinuous(tdWorld* world)
{
    world->fastBodies.count = 0;
    if (!world->enableContinuous)
    {
        return;
    }
    int awakeCount = world->awakeCount;
    for (int i = 1; i < awakeCount; ++i)
    {
        if ((world->marks[i] & TD_MARK_FAST) != 0)
        {
            AddFastBody(world, i);
        }
    }
    for (int i = 1; i < awakeCount; ++i)
    {
        if ((world->marks[i] & TD_MARK_SWEEPS) != 0)
        {
            SweepKinematic(world, i);
        }
    }
    world->stats.continuousCount = world->fastBodies.count;
    tdTasks_For(world->tasks, SweepBodies, world, world->fastBodies.count, 4);
    CollectBullets(world);
    if (world->bullets.count > 0)
    {
        tdTasks_For(world->tasks, SweepBullets, world, world->bullets.count, 4);
    }
    StopBodies(world);
    for (int i = 0; i < world->fastBodies.count; ++i)
    {
        RubSpinningBody(world, world->fastBodies.data[i].simIndex);
    }
}
