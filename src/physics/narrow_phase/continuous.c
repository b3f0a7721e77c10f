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

#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/proxy.h"
#include "physics/broad_phase/tree_query.h"
#include "physics/island/body_activation.h"
#include "physics/narrow_phase/fast_impact.h"
#include "physics/narrow_phase/fast_query.h"
#include "physics/narrow_phase/stopped_body.h"

#include <float.h>

// Thresholds. The tests of behaviour pass with 3 times each of them; physics/determinism pins their bits.

/// Distance of the surfaces at each further impact of a step, relative to that of the impact before: the body
/// starts at the distance of the last impact and must not count as touching.
#define NEXT_IMPACT_SHARE 0.5f
/// Impacts of a body that are solved in a step; from the last one it moves with its target.
#define MAX_IMPACTS 6
/// Least bodies per parallel range: a sweep is expensive.
#define MIN_SWEEP_RANGE 4

static tdSweep MakeBodySweep(const tdBodySim* sim)
{
    return tdMakeSweep(tdBodySim_GetStartPose(sim), sim->transform, sim->localCenter);
}

/// Targets in the tree of dynamic shapes except bullets, which SweepBullets handles with its sorted list.
static bool VisitDynamic(void* context, int target)
{
    tdFastQuery* query = context;
    int simIndex = query->world->bodies.data[query->world->shapes.data[target].body].simIndex;
    bool isBullet = simIndex > 0 && (query->world->marks[simIndex] & TD_MARK_BULLET) != 0;
    return isBullet || tdFastQuery_VisitTarget(context, target);
}

/// Simulates the rest of the step after the first impact of a body.
static void FollowImpacts(tdWorld* world, tdFastBody* found, tdFastQuery* query)
{
    const tdBodySim* sim = &world->sims[found->simIndex];
    const tdBodyState* state = &world->states[found->simIndex];
    const tdStartVelocity* before = &world->startVelocities[found->simIndex];
    tdVec3 gravity = tdScale(sim->gravityFactor, world->gravity);
    // Positions advance with the velocity at the end of a sub-step: the velocity of a falling body on its
    // path is half a sub-step of gravity ahead of the stored one.
    tdVec3 ahead = tdScale(0.5f * world->timeStep / (float)tdWorld_GetSubStepCount(world), gravity);
    tdMotionSegment segment = {{query->start, tdAdd(before->linear, ahead), before->angular},
                               {query->end, tdAdd(state->linearVelocity, ahead), state->angularVelocity}};
    tdFastBody impact = *found;
    float time = 0.0f, share = query->share;
    bool hasBounced = false;
    for (int i = 0; i < MAX_IMPACTS && impact.fraction < 1.0f; ++i)
    {
        query->found = &impact;
        segment.start = tdMotionSegment_At(&segment, &query->sweep, impact.fraction);
        time += impact.fraction * (1.0f - time);
        tdTransform targetEnd = tdWorld_GetBodySim(world, impact.targetBody)->transform;
        if (impact.isDeep)
        {
            tdMotionSegment_SlideAlong(&impact, targetEnd, sim->localCenter, &segment);
        }
        else
        {
            float impulse =
                tdSolveFastImpact(world, &impact, tdFastQuery_GetImpactDistance(query, impact.targetShape),
                                  segment.start.pose, &segment.start);
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
            segment.end.pose = tdMoveFreely(&segment.start, sim->localCenter, gravity, left);
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
        *query = tdMakeFastQuery(world, &impact, segment.start.pose, segment.end.pose);
        query->time = time;
        query->share = share;
        tdAabb path = tdFastQuery_Sweep(query, false);
        found->sweptPairs += impact.sweptPairs;
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
        tdFastQuery query = tdMakeFastQuery(world, found, tdBodySim_GetStartPose(sim), sim->transform);
        found->box = tdFastQuery_Sweep(&query, false);
        tdPartTree* tree = query.tree;
        bool isWhole = query.isTreeSwept;
        // Joints would pull a body back that moves on alone, and a body of infinite mass does not bounce.
        if (found->fraction < 1.0f && world->bodies.data[sim->body].jointCount == 0 && sim->invMass > 0.0f)
        {
            FollowImpacts(world, found, &query);
            isWhole = false;
        }
        if (tree != NULL)
        {
            tree->isSwept = isWhole;
        }
    }
}

/// The first bullet whose box may reach a box, by bisection: `reach` never decreases.
static int FindFirstBullet(const tdWorld* world, tdAabb box)
{
    float lower = tdGetComponent(box.lower, world->bulletAxis);
    int first = 0, end = world->bullets.count;
    while (first < end)
    {
        int middle = first + (end - first) / 2;
        if (world->bullets.data[middle].reach < lower)
        {
            first = middle + 1;
        }
        else
        {
            end = middle;
        }
    }
    return first;
}

/// The next bullet from index `k` on whose box overlaps a box; -1: none.
static int FindBullet(const tdWorld* world, tdAabb box, int k)
{
    float upper = tdGetComponent(box.upper, world->bulletAxis);
    for (; k < world->bullets.count && !(world->bullets.data[k].start > upper); ++k)
    {
        if (tdOverlapAabb(world->bullets.data[k].box, box))
        {
            return k;
        }
    }
    return -1;
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
    tdWorld_QueryTree(world, TD_AABB_TREE_DYNAMIC, found->path, VisitPathShape, &query);
    for (int k = FindBullet(world, found->path, FindFirstBullet(world, found->path));
         k >= 0 && !query.isBlocked; k = FindBullet(world, found->path, k + 1))
    {
        query.isBlocked = &world->fastBodies.data[world->bullets.data[k].fast] != found;
    }
    return query.isBlocked;
}

/// Visits a leaf of the tree of dynamic shapes except bullets, for a compound body.
static bool VisitDynamicOfTree(void* context, int leaf)
{
    tdFastQuery* query = context;
    const tdWorld* world = query->world;
    int body = leaf >= 0 ? world->shapes.data[leaf].body : ~leaf;
    int simIndex = world->bodies.data[body].simIndex;
    bool isBullet = simIndex > 0 && (world->marks[simIndex] & TD_MARK_BULLET) != 0;
    if (isBullet || body == world->sims[query->simIndex].body)
    {
        return true;
    }
    if (leaf >= 0)
    {
        return tdFastQuery_VisitTargetOfTree(context, leaf);
    }
    tdFastQuery_PrepareTarget(query, body);
    const tdPartTree* other = tdWorld_GetPartTree(world, body);
    for (int i = 0; i < other->count && !tdFastQuery_IsBodySlow(query);)
    {
        const tdPartNode* node = &other->nodes[i];
        if (!tdOverlapAabb(other->fat[i], query->found->box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            tdFastQuery_VisitParts(query, node->shape, other->fat[i]);
        }
        ++i;
    }
    return true;
}

/// Tests query->shape against the shapes of another bullet.
/// @param box of the path of the shape
static void VisitBulletParts(tdFastQuery* query, const tdFastBody* target, tdAabb box)
{
    tdWorld* world = query->world;
    int body = world->sims[target->simIndex].body;
    const tdPartTree* tree = tdWorld_GetPartTree(world, body);
    for (int i = world->bodies.data[body].shapeHead; i >= 0 && tree == NULL; i = world->shapes.data[i].next)
    {
        tdFastQuery_VisitTarget(query, i);
    }
    for (int i = 0; tree != NULL && i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (!tdOverlapAabb(tree->swept[i], box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            tdFastQuery_VisitTarget(query, node->shape);
        }
        ++i;
    }
}

/// Tests the parts of a compound bullet against the shapes of another bullet.
static void VisitBulletOfTree(tdFastQuery* query, const tdFastBody* target)
{
    const tdPartTree* tree = query->tree;
    tdFastQuery_PrepareTarget(query, query->world->sims[target->simIndex].body);
    if (tdFastQuery_IsBodySlow(query))
    {
        return;
    }
    tdFastQuery_SweepTree(query);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (!tdOverlapAabb(tree->swept[i], target->box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            query->shape = node->shape;
            VisitBulletParts(query, target, tree->swept[i]);
        }
        ++i;
    }
}

/// Visits the other bullets whose boxes overlap that of a bullet, in their order.
/// @param box part of the path to test
static void VisitBullets(tdFastQuery* query, const tdFastBody* found, tdAabb box)
{
    const tdWorld* world = query->world;
    for (int k = FindBullet(world, box, FindFirstBullet(world, box)); k >= 0;
         k = FindBullet(world, box, k + 1))
    {
        query->targetFast = world->bullets.data[k].fast;
        const tdFastBody* target = &world->fastBodies.data[query->targetFast];
        if (target == found)
        {
            continue;
        }
        if (query->tree != NULL)
        {
            VisitBulletOfTree(query, target);
        }
        else
        {
            VisitBulletParts(query, target, box);
        }
    }
}

static tdFastQuery MakeBulletQuery(tdWorld* world, tdFastBody* found)
{
    const tdBodySim* sim = &world->sims[found->simIndex];
    tdFastQuery query = tdMakeFastQuery(world, found, tdBodySim_GetStartPose(sim), sim->transform);
    query.tree = tdWorld_GetPartTree(world, sim->body);
    return query;
}

/// The query of the bullet that a task works on. Only this task reads and writes the flag of its tree.
static tdFastQuery MakeOwnBulletQuery(tdWorld* world, tdFastBody* found)
{
    tdFastQuery query = MakeBulletQuery(world, found);
    query.isTreeSwept = query.tree != NULL && query.tree->isSwept;
    return query;
}

/// Sweeps the trees of compound bullets that other bullets will read: those with another bullet near them
/// that moves relative to them.
static void PrepareBullets(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        tdFastBody* found = &world->fastBodies.data[world->bullets.data[i].fast];
        tdFastQuery query = MakeOwnBulletQuery(world, found);
        int first = query.tree != NULL ? FindFirstBullet(world, found->box) : world->bullets.count;
        for (int k = FindBullet(world, found->box, first); k >= 0 && !query.isTreeSwept;
             k = FindBullet(world, found->box, k + 1))
        {
            tdFastBody* target = &world->fastBodies.data[world->bullets.data[k].fast];
            if (target == found)
            {
                continue;
            }
            tdFastQuery other = MakeBulletQuery(world, target);
            tdFastQuery_PrepareTarget(&query, world->sims[target->simIndex].body);
            tdFastQuery_PrepareTarget(&other, world->sims[found->simIndex].body);
            if (other.tree == NULL || !tdFastQuery_IsBodySlow(&query) || !tdFastQuery_IsBodySlow(&other))
            {
                tdFastQuery_SweepTree(&query);
            }
        }
        if (query.tree != NULL)
        {
            query.tree->isSwept = query.isTreeSwept;
        }
    }
}

static void SweepBullets(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        tdFastBody* found = &world->fastBodies.data[world->bullets.data[i].fast];
        const tdBodySim* sim = &world->sims[found->simIndex];
        tdFastQuery query = MakeOwnBulletQuery(world, found);
        if (query.tree != NULL)
        {
            tdAabbTree_QueryLeaves(&world->trees[TD_AABB_TREE_DYNAMIC], found->box, VisitDynamicOfTree,
                                   &query);
            VisitBullets(&query, found, found->box);
        }
        for (int j = world->bodies.data[sim->body].shapeHead; j >= 0 && query.tree == NULL;
             j = world->shapes.data[j].next)
        {
            const tdShape* shape = &world->shapes.data[j];
            if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
            {
                continue;
            }
            query.shape = j;
            query.targetFast = -1;
            // The box of a single shape is that of the body, which SweepBodies has computed.
            tdAabb box =
                world->bodies.data[sim->body].shapeCount == 1
                    ? found->box
                    : tdShape_ComputeSweptAabb(&shape->geometry, query.start, query.end, sim->localCenter);
            tdWorld_QueryTree(world, TD_AABB_TREE_DYNAMIC, box, VisitDynamic, &query);
            VisitBullets(&query, found, box);
        }
        found->isBlocked = found->isFollowed && IsPathBlocked(world, found);
    }
}

/// Moves a body with its target from the impact to the end of the step. A dynamic target must not carry it
/// through static shapes.
static tdTransform CarryBody(tdWorld* world, const tdFastBody* found, tdTransform pose)
{
    tdTransform end = tdWorld_GetBodySim(world, found->targetBody)->transform;
    if (!(world->sims[found->simIndex].invMass > 0.0f))
    {
        tdVec3 to = tdTransformPoint(end, tdInvTransformPoint(found->targetPose, found->point));
        return tdRotateWithPoint(&world->sims[found->simIndex], found->point, to, pose);
    }
    end = tdMulTransform(end, tdInvMulTransform(found->targetPose, pose));
    end.rotation = tdNormalizeQuat(end.rotation);
    if (world->bodies.data[found->targetBody].motion != TD_MOTION_DYNAMIC)
    {
        return end;
    }
    tdFastBody check = {.simIndex = found->simIndex, .fraction = 1.0f};
    tdFastQuery query = tdMakeFastQuery(world, &check, pose, end);
    tdFastQuery_Sweep(&query, true);
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
                bool isCarried = moves && !isMutual && !found->isHeldUp && !(target >= 0 && isLarger);
                StopBody(world, found, fraction, isCarried);
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
        tdAabb box = tdShape_ComputeSweptAabb(&shape->geometry, tdBodySim_GetStartPose(&sim), sim.transform,
                                              sim.localCenter);
        if ((shape->flags & (TD_SHAPE_ENLARGED | TD_SHAPE_QUEUED)) == 0)
        {
            shape->previousAabb = shape->fatAabb;
        }
        shape->fatAabb = tdUnionAabb(shape->fatAabb, box);
        shape->flags |= TD_SHAPE_ENLARGED;
        world->marks[simIndex] |= TD_MARK_ENLARGED;
        if ((shape->flags & TD_SHAPE_MEMBER) == 0)
        {
            tdAabbTree_Enlarge(&world->trees[shape->tree], shape->proxy, shape->fatAabb);
        }
        tdWorld_QueryTree(world, TD_AABB_TREE_DYNAMIC, box, VisitSweptShape, world);
    }
    tdWorld_RefitParts(world, sim.body);
}

/// True if bullet `a` comes before `b`.
static bool IsBefore(const tdBullet* a, const tdBullet* b)
{
    return a->start < b->start || (!(b->start < a->start) && a->fast < b->fast);
}

/// Sorts the bullets along the axis along which they are spread farthest (Shellsort).
static void SortBullets(tdWorld* world)
{
    int count = world->bullets.count;
    tdBullet* list = world->bullets.data;
    tdVec3 least = list[0].box.lower, most = least;
    for (int i = 1; i < count; ++i)
    {
        least = tdMin(least, list[i].box.lower);
        most = tdMax(most, list[i].box.lower);
    }
    tdVec3 spread = tdSub(most, least);
    int axis = spread.x >= spread.y ? (spread.x >= spread.z ? 0 : 2) : (spread.y >= spread.z ? 1 : 2);
    world->bulletAxis = axis;
    for (int i = 0; i < count; ++i)
    {
        list[i].start = tdGetComponent(list[i].box.lower, axis);
    }
    for (int gap = count / 2; gap > 0; gap /= 2)
    {
        for (int i = gap; i < count; ++i)
        {
            tdBullet item = list[i];
            int k = i;
            for (; k >= gap && IsBefore(&item, &list[k - gap]); k -= gap)
            {
                list[k] = list[k - gap];
            }
            list[k] = item;
        }
    }
    float reach = -FLT_MAX;
    for (int i = 0; i < count; ++i)
    {
        reach = tdMaxFloat(reach, tdGetComponent(list[i].box.upper, axis));
        list[i].reach = reach;
    }
}

/// Collects the bullets: fast bodies whose farthest point moved farther than their inner radius. Bodies with
/// joints are no bullets, because stopping them would violate the joints; they are still targets.
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
            world->bullets.data[world->bullets.count++] =
                (tdBullet){.box = world->fastBodies.data[i].box, .fast = i};
        }
    }
    if (world->bullets.count > 0)
    {
        SortBullets(world);
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
    int fastCount = world->fastBodies.count;
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
        if (world->partTrees != NULL)
        {
            tdTasks_For(world->tasks, PrepareBullets, world, world->bullets.count, 4);
        }
        tdTasks_For(world->tasks, SweepBullets, world, world->bullets.count, 4);
        tdWorld_StopFollowers(world, fastCount);
    }
    StopBodies(world);
    for (int i = 0; i < world->fastBodies.count; ++i)
    {
        tdWorld_RubSpinningBody(world, world->fastBodies.data[i].simIndex);
        world->stats.sweptPairCount += world->fastBodies.data[i].sweptPairs;
    }
}
