// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Continuous collision. A body that moved farther in a step than the speculative margin and its own thickness
// allow is swept against static and kinematic shapes and put where it first meets one; the contact is solved
// in the next step. Against a kinematic body the place is kept relative to it, so that a fast wall carries
// what it hits. A fast kinematic body also sweeps over slow and sleeping ones.
#include "contact.h"
#include "shape.h"
#include "step.h"
#include "world.h"

#include "geometry/bounds.h"
#include "geometry/cast.h"

#define IMPACT_DISTANCE TD_LINEAR_SLOP

typedef struct FastQuery
{
    tdWorld* world;
    int simIndex, shape;
    tdSweep sweep;
    float fraction;    // of the first impact so far
    bool isDeep;       // it is the core that would get through
    tdVec3 normal;     // of that: unit, out of what was hit
    tdVec3 velocity;   // of what was hit, at the core
    tdTransform carry; // motion of what was hit from the impact to the end of the step
} FastQuery;

static tdTransform GetStart(const tdBodySim* sim)
{
    tdVec3 position = tdSub(sim->startCenter, tdRotate(sim->startRotation, sim->localCenter));
    return (tdTransform){position, sim->startRotation};
}

static tdSweep MakeSweep(const tdBodySim* sim)
{
    return tdMakeSweep(GetStart(sim), sim->transform, sim->localCenter);
}

static tdAabb SweptBox(const tdShapeGeometry* shape, const tdBodySim* sim)
{
    // A turning shape stays within its ball about the centre of mass; two boxes suffice when it hardly turns.
    tdTransform start = GetStart(sim);
    tdAabb box = tdUnionAabb(tdShape_ComputeAabb(shape, start), tdShape_ComputeAabb(shape, sim->transform));
    tdQuat turn = tdMulQuat(sim->transform.rotation, tdConjugate(sim->startRotation));
    float radius = tdShape_ComputeOuterRadius(shape, sim->localCenter);
    // Between the two poses a point strays from its chord by at most r (1 - cos(angle / 2)) <= r sin^2(angle
    // / 2).
    float stray = radius * tdMinFloat(tdLengthSquared(tdQuatVector(turn)), 1.0f) + TD_SPECULATIVE_MARGIN;
    tdVec3 margin = {stray, stray, stray};
    return (tdAabb){tdSub(box.lower, margin), tdAdd(box.upper, margin)};
}

// When the shapes touched already at the start, look whether the core of the fast one, a ball about its middle,
// gets through all the same. `from` and `to` are the poses of its body in that of the target.
static bool CastCore(const FastQuery* query, const tdShape* fast, const tdShape* target, tdTransform from,
                     tdTransform to, tdCastHit* hit)
{
    tdConvex convex = tdMakeConvex(&fast->geometry, tdTransform_identity);
    tdVec3 middle = tdConvex_GetCenter(&convex);
    float radius = tdMaxFloat(0.5f * tdShape_ComputeInnerRadius(&fast->geometry), 0.25f * TD_LINEAR_SLOP);
    tdShapeGeometry core = {.kind = TD_SHAPE_SPHERE, .local = tdTransform_identity, .sphere = {radius}};
    tdTransform start = {tdTransformPoint(from, middle), tdQuat_identity};
    tdVec3 translation = tdSub(tdTransformPoint(to, middle), start.position);
    return tdCastShape(&core, start, translation, query->fraction, &target->geometry, hit) &&
           hit->fraction > 0.0f && tdDot(hit->normal, translation) < 0.0f;
}

// How far the surfaces would go into each other from the impact to the end of the step.
static float ComputeDepth(const tdSweep* fast, const tdSweep* other, const tdImpact* impact)
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

static bool VisitTarget(void* context, int target)
{
    FastQuery* query = context;
    tdWorld* world = query->world;
    const tdShape* other = &world->shapes.data[target];
    if ((other->flags & TD_SHAPE_TRIGGER) != 0 || !tdWorld_ShouldCollide(world, query->shape, target))
    {
        return true;
    }
    const tdShape* fast = &world->shapes.data[query->shape];
    const tdBodySim* otherSim = tdWorld_GetBodySim(world, other->body);
    // Relative to this one it may hardly have moved: riding along is not fast.
    tdTransform from = tdInvMulTransform(GetStart(otherSim), GetStart(&world->sims[query->simIndex]));
    tdTransform to = tdInvMulTransform(otherSim->transform, world->sims[query->simIndex].transform);
    float turned =
        2.0f * tdLength(tdQuatVector(tdInvMulQuat(from.rotation, to.rotation))) * fast->outerRadius;
    if (tdDistance(from.position, to.position) + turned <
        tdMaxFloat(0.5f * fast->innerRadius, TD_SPECULATIVE_MARGIN))
    {
        return true;
    }
    tdSweep otherSweep = MakeSweep(otherSim);
    tdImpact impact = tdTimeOfImpact(&fast->geometry, &query->sweep, &other->geometry, &otherSweep,
                                     query->fraction, IMPACT_DISTANCE);
    float fraction = impact.fraction;
    bool isHit = impact.state == TD_IMPACT_HIT && fraction < query->fraction;
    // A graze, or contact from the start: the solver deals with that, unless the core gets to the other side.
    bool isShallow = isHit && ComputeDepth(&query->sweep, &otherSweep, &impact) < 0.5f * fast->innerRadius;
    bool isDeep = isHit && impact.isMiddle;
    tdVec3 normal = tdNegate(impact.normal);
    if (impact.state == TD_IMPACT_INITIAL || (isShallow && !isDeep))
    {
        tdCastHit hit;
        isHit = isDeep = fast->geometry.kind != TD_SHAPE_MESH && CastCore(query, fast, other, from, to, &hit);
        if (isHit)
        {
            fraction = hit.fraction;
            normal = tdRotate(otherSim->transform.rotation, hit.normal);
        }
    }
    if (isHit)
    {
        query->fraction = fraction;
        query->isDeep = isDeep;
        query->normal = normal;
        query->velocity = GetVelocityAt(world, other->body, world->sims[query->simIndex].center);
        tdTransform then = tdSweep_At(&otherSweep, fraction);
        query->carry = world->bodies.data[other->body].motion == TD_MOTION_STATIC
                           ? tdTransform_identity
                           : tdMulTransform(otherSim->transform, tdInvTransform(then));
    }
    return true;
}

static void SweepBodies(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        int simIndex = world->fastBodies.data[i];
        tdBodySim* sim = &world->sims[simIndex];
        FastQuery query = {.world = world, .simIndex = simIndex, .sweep = MakeSweep(sim), .fraction = 1.0f};
        for (int j = world->bodies.data[sim->body].shapeHead; j >= 0; j = world->shapes.data[j].next)
        {
            const tdShape* shape = &world->shapes.data[j];
            if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
            {
                continue;
            }
            query.shape = j;
            tdAabb box = SweptBox(&shape->geometry, sim);
            tdTree_Query(&world->trees[TD_TREE_STATIC], box, VisitTarget, &query);
            tdTree_Query(&world->trees[TD_TREE_KINEMATIC], box, VisitTarget, &query);
            for (int k = 0; k < world->unbounded.count; ++k)
            {
                VisitTarget(&query, world->unbounded.data[k]);
            }
        }
        if (query.fraction < 1.0f)
        {
            // Only this body's own record is written; others read its shapes and the poses of bodies that are
            // not dynamic.
            sim->transform = tdMulTransform(query.carry, tdSweep_At(&query.sweep, query.fraction));
            sim->transform.rotation = tdNormalizeQuat(sim->transform.rotation);
            sim->center = tdTransformPoint(sim->transform, sim->localCenter);
            sim->invInertia = tdComputeWorldInvInertia(sim);
            tdWorld_RefreshBoxes(world, simIndex, tdVec3_zero);
            // Held by its core, it was in contact already: what the contacts did not stop ends here, or it would
            // go on falling where it is.
            if (query.isDeep)
            {
                tdBodyState* state = &world->states[simIndex];
                float speed = tdDot(tdSub(state->linearVelocity, query.velocity), query.normal);
                state->linearVelocity =
                    tdMulSub(state->linearVelocity, tdMinFloat(speed, 0.0f), query.normal);
            }
        }
    }
}

static bool VisitSwept(void* context, int shape)
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
            world->fastBodies.data[world->fastBodies.count++] = simIndex;
        }
    }
    return true;
}

// The shapes of a kinematic body that moved far: their leaves must cover the whole way, and what lies there
// is looked at too.
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
        tdAabb box = SweptBox(&shape->geometry, &sim);
        shape->fatAabb = tdUnionAabb(shape->fatAabb, box);
        shape->flags |= TD_SHAPE_ENLARGED;
        world->marks[simIndex] |= TD_MARK_ENLARGED;
        tdTree_Enlarge(&world->trees[shape->tree], shape->proxy, shape->fatAabb);
        tdTree_Query(&world->trees[TD_TREE_DYNAMIC], box, VisitSwept, world);
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
            world->fastBodies.data[world->fastBodies.count++] = i;
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
}
