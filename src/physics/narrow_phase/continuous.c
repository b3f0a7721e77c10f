// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Continuous collision (docs/decisions/053-continuous-collision.md). A fast body, which moved farther in a
// step than the speculative margin and its thickness allow, is swept and placed at its first impact; the next
// step solves the contact. All fast bodies are swept against static and kinematic shapes. Bullets, which
// moved farther than their inner radius, are also swept against dynamic shapes. A body that hits a moving
// body moves on with it, so that a fast wall carries the bodies it hits. Two bullets that hit each other both
// stop. A fast kinematic body also sweeps slow and sleeping bodies.
//
// Sweeps read the poses of the solved step and write only their own results, which are applied at the end.
// The results therefore depend neither on the order nor on the number of workers.
#include "physics/narrow_phase/continuous.h"

#include "geometry/bounds.h"
#include "geometry/cast.h"
#include "geometry/time_of_impact.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/proxy.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"

// Thresholds. The tests of behaviour pass with 3 times each of them; physics/determinism pins their bits.

/// Distance of the surfaces at the impact, in metres.
#define IMPACT_DISTANCE TD_LINEAR_SLOP
/// Radius of the core relative to the inner radius (manifold_mesh.c has the same), the factor for the next
/// smaller core if it touches at the start, and the lower limit of the loop.
#define CORE_START 0.5f
#define CORE_SHRINK 0.25f
#define CORE_END 0.1f
/// Least radius of a core, in slops.
#define MIN_CORE_SLOPS 0.25f
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

/// Casts the core of the fast shape, a ball about its centre, at a target that the shape touches at the
/// start.
/// @param from,to poses of the fast body in the frame of the target's body
static bool CastCore(float limit, const tdShape* fast, const tdShape* target, tdTransform from,
                     tdTransform to, tdCastHit* hit)
{
    tdVec3 center = tdShape_GetCenter(&fast->geometry);
    tdTransform start = {tdTransformPoint(from, center), tdQuat_identity};
    tdVec3 translation = tdSub(tdTransformPoint(to, center), start.position);
    for (float share = CORE_START; share > CORE_END; share *= CORE_SHRINK)
    {
        float radius = tdMaxFloat(share * fast->innerRadius, MIN_CORE_SLOPS * TD_LINEAR_SLOP);
        tdShapeGeometry core = {.kind = TD_SHAPE_SPHERE, .local = tdTransform_identity, .sphere = {radius}};
        if (!tdCastShape(&core, start, translation, limit, &target->geometry, hit))
        {
            return false;
        }
        if (hit->fraction > 0.0f)
        {
            return tdDot(hit->normal, translation) < 0.0f;
        }
    }
    return false;
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

/// Time of impact of the fast shape with a target. Both of two bullets get the same result.
static tdImpact FindImpact(const FastQuery* query, const tdShape* fast, int target, const tdSweep* otherSweep)
{
    const tdShape* other = &query->world->shapes.data[target];
    float limit = query->found->fraction;
    if (query->targetFast < 0 || query->shape < target)
    {
        return tdTimeOfImpact(&fast->geometry, &query->sweep, &other->geometry, otherSweep, limit,
                              IMPACT_DISTANCE);
    }
    tdImpact impact =
        tdTimeOfImpact(&other->geometry, otherSweep, &fast->geometry, &query->sweep, limit, IMPACT_DISTANCE);
    impact.normal = tdNegate(impact.normal);
    impact.isMiddle = false;
    return impact;
}

static bool IsSmaller(const FastQuery* query, const tdShape* fast, int target)
{
    float other = query->world->shapes.data[target].outerRadius;
    return fast->outerRadius < other || (!(other < fast->outerRadius) && query->shape < target);
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
    // Bodies that move together are slow relative to each other. A dynamic target has an inner radius too.
    tdTransform from = tdInvMulTransform(otherStart, query->start);
    tdTransform to = tdInvMulTransform(otherSim->transform, query->end);
    float turned =
        2.0f * tdLength(tdQuatVector(tdInvMulQuat(from.rotation, to.rotation))) * fast->outerRadius;
    float allowed =
        SLOW_DISPLACEMENT * fast->innerRadius + (isDynamic ? SLOW_DISPLACEMENT * other->innerRadius : 0.0f);
    if (tdDistance(from.position, to.position) + turned < tdMaxFloat(allowed, TD_SPECULATIVE_MARGIN))
    {
        return true;
    }
    tdSweep otherSweep = tdMakeSweep(otherStart, otherSim->transform, otherSim->localCenter);
    tdImpact impact = FindImpact(query, fast, target, &otherSweep);
    float fraction = impact.fraction;
    bool isHit = impact.state == TD_IMPACT_HIT && fraction < found->fraction;
    // The solver handles grazing impacts and contacts that exist at the start, unless the core would pass the
    // target.
    bool isShallow =
        isHit && ComputeEndDepth(&query->sweep, &otherSweep, &impact) < SHALLOW_DEPTH * fast->innerRadius;
    bool isDeep = isHit && impact.isMiddle;
    tdVec3 normal = tdNegate(impact.normal), point = impact.point;
    // The sweep of a mesh ignores faces that touch at the start, so its core may hit first.
    bool isMesh = fast->geometry.kind == TD_SHAPE_MESH;
    bool isGraze = impact.state == TD_IMPACT_INITIAL || (isShallow && !isDeep);
    if (isGraze || isMesh)
    {
        tdCastHit hit;
        // Of two bullets only the smaller one casts its core.
        bool hasCore = (!isMesh || fast->innerRadius > 0.0f) &&
                       (query->targetFast < 0 || IsSmaller(query, fast, target));
        float limit = isHit && !isGraze ? fraction : found->fraction;
        bool isCore = hasCore && CastCore(limit, fast, other, from, to, &hit);
        isHit = isCore || (isHit && !isGraze);
        isDeep = isCore || (isDeep && !isGraze);
        if (isCore)
        {
            fraction = hit.fraction;
            normal = tdRotate(otherSim->transform.rotation, hit.normal);
            point = tdTransformPoint(tdSweep_At(&otherSweep, fraction), hit.point);
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
                       .found = found,
                       .targetFast = -1};
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
        for (int j = world->bodies.data[sim->body].shapeHead; j >= 0; j = world->shapes.data[j].next)
        {
            const tdShape* shape = &world->shapes.data[j];
            if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
            {
                continue;
            }
            query.shape = j;
            tdAabb box =
                ComputeSweptBox(&shape->geometry, GetStartPose(sim), sim->transform, sim->localCenter);
            found->box = found->box.lower.x <= found->box.upper.x ? tdUnionAabb(found->box, box) : box;
            tdAabbTree_Query(&world->trees[TD_AABB_TREE_STATIC], box, VisitTarget, &query);
            tdAabbTree_Query(&world->trees[TD_AABB_TREE_KINEMATIC], box, VisitTarget, &query);
            for (int k = 0; k < world->unbounded.count; ++k)
            {
                VisitTarget(&query, world->unbounded.data[k]);
            }
        }
    }
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
    tdSweep sweep = MakeBodySweep(sim);
    sim->transform = tdSweep_At(&sweep, fraction);
    if (isCarried)
    {
        sim->transform = CarryBody(world, found, sim->transform);
    }
    sim->transform.rotation = tdNormalizeQuat(sim->transform.rotation);
    sim->center = tdTransformPoint(sim->transform, sim->localCenter);
    sim->invInertia = tdComputeWorldInvInertia(sim);
    tdWorld_RefreshBoxes(world, found->simIndex, tdVec3_zero);
    // A body stopped by its core was in contact before: the approach velocity that the contacts left is
    // removed, or gravity would accelerate the body in place.
    if (found->isDeep)
    {
        tdBodyState* state = &world->states[found->simIndex];
        float speed = tdDot(tdSub(state->linearVelocity, found->velocity), found->normal);
        state->linearVelocity = tdMulSub(state->linearVelocity, tdMinFloat(speed, 0.0f), found->normal);
    }
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
    if (!world->enableContinuous)
    {
        return;
    }
    world->fastBodies.count = 0;
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
}
