// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Swept test of triggers. Overlaps are tested at the end of a step, so a fast body can pass a thin trigger
// between two tests, and a fast trigger a small body. Bodies that moved farther than their thickness
// (TD_MARK_TRAVELS) are swept along their path: a line, or two lines with the first impact of continuous
// collision between them. The order of the reports is that of the shapes and depends on no tree. The work of
// a step is bounded by the limit of pairs.
#include "physics/narrow_phase/trigger_sweep.h"

#include "base/heap_sort.h"
#include "geometry/bounds.h"
#include "geometry/shape_distance.h"
#include "geometry/time_of_impact.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/broad_phase.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/tree_query.h"
#include "physics/contact/event.h"
#include "physics/data/world_data.h"
#include "physics/narrow_phase/fast_query.h"
#include "physics/narrow_phase/manifold.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/// Distance at which two shapes count as overlapping on the way, in speculative margins of the smaller one:
/// at most 0.1 mm.
#define PASSAGE_SHARE 0.005f
/// The same when the shapes are that close at the start without an overlap, in their distance.
#define CLOSE_PASSAGE_SHARE 0.5f

/// Distance at the end of the step up to which the passage counts for the next step, in those of the way:
/// above the tolerance of the time of impact.
#define END_SHARE 1.5f

/// Flag of a passage that ends inside of the trigger.
#define ENTERS_ONLY (UINT64_C(1) << 63)

/// Work of a step for each pair that the world may have, in comparisons of boxes: bounds the time of fast
/// shapes in one place.
#define SWEEP_VISITS_PER_PAIR 256
/// Work of a swept test in the same unit: four tests for each pair.
#define SWEEP_VISITS_PER_TEST 64

/// Most lines of a path.
#define MAX_PATH_LINES 2

/// Way of a body in the step.
typedef struct TravelPath
{
    tdTransform poses[MAX_PATH_LINES + 1];
    int lineCount;
} TravelPath;

typedef struct TravelQuery
{
    tdWorld* world;
    int sortedFastCount; // fast bodies in front of the list whose indices ascend
    int64_t* room;       // work that is left
    int simIndex, shape;
    TravelPath path;
} TravelQuery;

static bool BendsPath(const tdFastBody* fast, int simIndex)
{
    return fast->simIndex == simIndex && fast->isFollowed && !fast->isBlocked;
}

/// The entry of a body whose path bends at its first impact; NULL: its path is a line.
static const tdFastBody* FindPathBend(const tdWorld* world, int sortedFastCount, int simIndex)
{
    const tdFastBody* list = world->fastBodies.data;
    for (int i = world->fastBodies.count - 1; i >= sortedFastCount; --i)
    {
        if (BendsPath(&list[i], simIndex))
        {
            return &list[i];
        }
    }
    int from = 0, to = sortedFastCount;
    while (from < to)
    {
        int middle = from + (to - from) / 2;
        from = list[middle].simIndex < simIndex ? middle + 1 : from;
        to = list[middle].simIndex < simIndex ? to : middle;
    }
    return from < sortedFastCount && BendsPath(&list[from], simIndex) ? &list[from] : NULL;
}

static TravelPath FindTravelPath(const tdWorld* world, int sortedFastCount, int simIndex)
{
    const tdBodySim* sim = &world->sims[simIndex];
    TravelPath path = {{tdBodySim_GetStartPose(sim), sim->transform, sim->transform}, 1};
    const tdFastBody* fast = FindPathBend(world, sortedFastCount, simIndex);
    if (fast != NULL)
    {
        path.poses[1] = fast->atImpact.pose;
        path.lineCount = 2;
    }
    return path;
}

/// The line of the other body: sampled at equal fractions of the step where the path of the first one bends.
static tdSweep MakeTravelSweep(const tdBodySim* sim, const TravelPath* path, int line, int lineCount)
{
    int count = path->lineCount;
    int from = count == lineCount ? line : 0, to = count == lineCount ? line + 1 : count;
    return tdMakeSweep(path->poses[from], path->poses[to], sim->localCenter);
}

/// Whether the two shapes overlap at the start of the sweeps.
static bool OverlapAtStart(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                           const tdSweep* sweepB)
{
    tdTransform pose = tdInvMulTransform(tdSweep_At(sweepA, 0.0f), tdSweep_At(sweepB, 0.0f));
    tdManifoldCache cache = {0};
    return tdTestOverlap(a, b, pose, &cache);
}

/// True for a mesh or a sheet. Their time of overlap ignores faces that touch at the start.
static bool HasFaces(const tdShapeGeometry* shape)
{
    return !tdShape_IsConvex(shape) && !tdShape_IsUnbounded(shape);
}

static bool IsConvexWithFaces(const tdShapeGeometry* a, const tdShapeGeometry* b)
{
    return (HasFaces(a) && tdShape_IsConvex(b)) || (HasFaces(b) && tdShape_IsConvex(a));
}

/// Whether the two shapes come together along one line of the path without an overlap at its start.
static bool PassesOnLine(const tdShapeGeometry* a, const tdSweep* sweepA, const tdShapeGeometry* b,
                         const tdSweep* sweepB, float target)
{
    if (IsConvexWithFaces(a, b))
    {
        tdTransform pose = tdInvMulTransform(tdSweep_At(sweepA, 0.0f), tdSweep_At(sweepB, 0.0f));
        target = tdMinFloat(target, CLOSE_PASSAGE_SHARE * tdShapeDistance(a, b, pose).distance);
        return target > 0.0f && tdTimeOfOverlap(a, sweepA, b, sweepB, 1.0f, target).state == TD_IMPACT_HIT;
    }
    tdImpact impact = tdTimeOfOverlap(a, sweepA, b, sweepB, 1.0f, target);
    if (impact.state == TD_IMPACT_INITIAL && impact.distance > 0.0f)
    {
        impact = tdTimeOfOverlap(a, sweepA, b, sweepB, 1.0f, CLOSE_PASSAGE_SHARE * impact.distance);
    }
    // The sweep of faces ignores those that touch at the start, and may hit others on the way out.
    bool hasFaces = HasFaces(a) || HasFaces(b);
    return impact.state == TD_IMPACT_HIT && !(hasFaces && OverlapAtStart(a, sweepA, b, sweepB));
}

/// Where a shape that reached a trigger is at the end of the step.
typedef enum PassageEnd
{
    PASSAGE_BEYOND, // outside again: it passed
    PASSAGE_INSIDE, // inside, and no contact reported it: the boxes did not meet before this step
    PASSAGE_KNOWN,  // inside and reported, or so close that the next step decides
} PassageEnd;

static PassageEnd FindPassageEnd(const tdWorld* world, int shapeA, int shapeB, float target)
{
    const int* contact = tdPairSet_Find(&world->pairs, tdMakePairKey(shapeA, shapeB));
    if (contact != NULL && (world->contacts.data[*contact].flags & TD_CONTACT_BEGAN) != 0)
    {
        return PASSAGE_KNOWN;
    }
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    const tdBodySim *simA = tdWorld_GetBodySim(world, a->body), *simB = tdWorld_GetBodySim(world, b->body);
    tdTransform pose = tdInvMulTransform(simA->transform, simB->transform);
    tdManifoldCache cache = {0};
    if (contact == NULL && tdTestOverlap(&a->geometry, &b->geometry, pose, &cache))
    {
        return PASSAGE_INSIDE;
    }
    bool areBounded = !tdShape_IsUnbounded(&a->geometry) && !tdShape_IsUnbounded(&b->geometry);
    if (areBounded && (HasFaces(&a->geometry) || HasFaces(&b->geometry)))
    {
        float distance = tdShapeDistance(&a->geometry, &b->geometry, pose).distance;
        return distance > target ? PASSAGE_BEYOND : PASSAGE_KNOWN;
    }
    tdSweep sweepA = tdMakeSweep(simA->transform, simA->transform, simA->localCenter),
            sweepB = tdMakeSweep(simB->transform, simB->transform, simB->localCenter);
    tdImpact impact = tdTimeOfOverlap(&a->geometry, &sweepA, &b->geometry, &sweepB, 1.0f, target);
    return impact.state == TD_IMPACT_NONE ? PASSAGE_BEYOND : PASSAGE_KNOWN;
}

static void TestPassage(const TravelQuery* query, int other)
{
    tdWorld* world = query->world;
    const tdShape *a = &world->shapes.data[query->shape], *b = &world->shapes.data[other];
    bool triggerA = (a->flags & TD_SHAPE_TRIGGER) != 0, triggerB = (b->flags & TD_SHAPE_TRIGGER) != 0;
    *query->room -= 1;
    if (triggerA == triggerB || !tdWorld_ShouldCollide(world, query->shape, other))
    {
        return;
    }
    *query->room -= SWEEP_VISITS_PER_TEST;
    int otherIndex = world->bodies.data[b->body].simIndex;
    const tdBodySim *simA = &world->sims[query->simIndex], *simB = tdWorld_GetBodySim(world, b->body);
    TravelPath pathB = {{simB->transform, simB->transform, simB->transform}, 1};
    if (otherIndex > 0)
    {
        pathB = FindTravelPath(world, query->sortedFastCount, otherIndex);
    }
    float target = PASSAGE_SHARE * tdGetSpeculativeMargin(tdMinFloat(a->outerRadius, b->outerRadius));
    // Two bodies with impacts of their own are swept along the lines from start to end.
    int lineCount = pathB.lineCount == 1 || otherIndex <= 0 ? query->path.lineCount : 1;
    for (int line = 0; line < lineCount; ++line)
    {
        tdSweep sweepA = lineCount == 1
                             ? tdMakeSweep(query->path.poses[0], simA->transform, simA->localCenter)
                             : MakeTravelSweep(simA, &query->path, line, lineCount);
        tdSweep sweepB = MakeTravelSweep(simB, &pathB, line, lineCount);
        if (!PassesOnLine(&a->geometry, &sweepA, &b->geometry, &sweepB, target))
        {
            continue;
        }
        PassageEnd end = FindPassageEnd(world, query->shape, other, END_SHARE * target);
        if (end != PASSAGE_KNOWN)
        {
            uint64_t trigger = (uint64_t)(triggerA ? query->shape : other),
                     visitor = (uint64_t)(triggerA ? other : query->shape);
            uint64_t key = trigger << 32 | visitor | (end == PASSAGE_INSIDE ? ENTERS_ONLY : 0);
            bool isKept = tdArray_Push(&world->allocator, &world->passages, key);
            world->status = isKept ? world->status : TD_STATUS_OUT_OF_MEMORY;
        }
    }
}

static bool VisitNearShape(void* context, int other)
{
    const TravelQuery* query = context;
    const tdWorld* world = query->world;
    int simIndex = world->bodies.data[world->shapes.data[other].body].simIndex;
    // Two bodies that both travel may have passed each other: SweepTravellers tests them.
    if (simIndex <= 0 || (world->marks[simIndex] & TD_MARK_TRAVELS) == 0)
    {
        TestPassage(query, other);
    }
    return *query->room > 0;
}

/// Box around the motion of a shape along one line of its path.
static tdAabb ComputeLineBox(const tdShapeGeometry* shape, tdTransform start, tdTransform end, tdVec3 center)
{
    if (isfinite(tdShape_ComputeOuterRadius(shape, center)))
    {
        return tdShape_ComputeSweptAabb(shape, start, end, center);
    }
    // Planes and strips: any rotation sweeps everything.
    tdQuat turn = tdMulQuat(end.rotation, tdConjugate(start.rotation));
    bool isTurning = tdLengthSquared(tdQuatVector(turn)) > 0.0f;
    tdAabb box = tdUnionAabb(tdShape_ComputeAabb(shape, start), tdShape_ComputeAabb(shape, end));
    return tdGrowAabb(box, isTurning ? TD_UNBOUNDED : TD_SPECULATIVE_MARGIN);
}

static tdAabb ComputePathBox(const tdWorld* world, int simIndex, const tdShape* shape, const TravelPath* path)
{
    tdVec3 center = world->sims[simIndex].localCenter;
    tdAabb box = ComputeLineBox(&shape->geometry, path->poses[0], path->poses[1], center);
    if (path->lineCount == 2)
    {
        box = tdUnionAabb(box, ComputeLineBox(&shape->geometry, path->poses[1], path->poses[2], center));
    }
    return box;
}

/// Tests a travelling shape with all shapes that do not travel.
static void SweepTraveller(TravelQuery* query)
{
    tdWorld* world = query->world;
    const tdShape* shape = &world->shapes.data[query->shape];
    tdAabb box = ComputePathBox(world, query->simIndex, shape, &query->path);
    for (int tree = 0; tree < TD_AABB_TREE_COUNT; ++tree)
    {
        // Triggers meet solids, and of two solids neither visits the other here.
        bool hasTriggers = tree == TD_AABB_TREE_TRIGGER;
        if (hasTriggers != ((shape->flags & TD_SHAPE_TRIGGER) != 0))
        {
            tdWorld_QueryTree(world, (tdAabbTreeKind)tree, box, VisitNearShape, query);
        }
    }
    for (int i = 0; i<world->unbounded.count&& * query->room> 0; ++i)
    {
        VisitNearShape(query, world->unbounded.data[i]);
    }
}

/// Tests the triggers of a travelling body with the shapes of another one.
static void SweepTriggersOf(TravelQuery* query, int simIndex, int otherIndex)
{
    tdWorld* world = query->world;
    query->simIndex = simIndex;
    query->path = FindTravelPath(world, query->sortedFastCount, simIndex);
    int first = world->bodies.data[world->sims[otherIndex].body].shapeHead;
    for (query->shape = world->bodies.data[world->sims[simIndex].body].shapeHead; query->shape >= 0;
         query->shape = world->shapes.data[query->shape].next)
    {
        bool isTrigger = (world->shapes.data[query->shape].flags & TD_SHAPE_TRIGGER) != 0;
        for (int other = first; isTrigger && other >= 0 && *query->room > 0;
             other = world->shapes.data[other].next)
        {
            TestPassage(query, other);
        }
    }
}

/// Tests the triggers of each of two travelling bodies with the solid shapes of the other one.
static void SweepPair(TravelQuery* query, const tdTraveller* a, const tdTraveller* b)
{
    if (a->hasTrigger && b->hasSolid)
    {
        SweepTriggersOf(query, a->simIndex, b->simIndex);
    }
    if (b->hasTrigger && a->hasSolid)
    {
        SweepTriggersOf(query, b->simIndex, a->simIndex);
    }
}

static bool IsTravellerBefore(const void* a, const void* b, const void* context)
{
    const tdTraveller *x = a, *y = b;
    int axis = *(const int*)context;
    float lowerX = tdGetComponent(x->box.lower, axis), lowerY = tdGetComponent(y->box.lower, axis);
    return lowerX < lowerY || (!(lowerY < lowerX) && x->simIndex < y->simIndex);
}

/// The axis along which the travellers spread farthest.
static int FindTravelAxis(const tdTraveller* list, int count)
{
    tdVec3 lower = list[0].box.lower, upper = lower;
    for (int i = 1; i < count; ++i)
    {
        lower = tdMin(lower, list[i].box.lower);
        upper = tdMax(upper, list[i].box.lower);
    }
    tdVec3 spread = tdSub(upper, lower);
    int axis = spread.y > spread.x ? 1 : 0;
    return spread.z > tdGetComponent(spread, axis) ? 2 : axis;
}

/// Tests the triggers of travelling bodies with the other bodies that travel: those whose boxes of the whole
/// way overlap.
static void SweepTravellers(TravelQuery* query)
{
    tdWorld* world = query->world;
    tdTraveller* list = world->travellers.data;
    int count = world->travellers.count, axis = FindTravelAxis(list, count);
    tdHeapSort(list, count, sizeof list[0], IsTravellerBefore, &axis);
    for (int i = 0; i<count&& * query->room> 0; ++i)
    {
        float end = tdGetComponent(list[i].box.upper, axis);
        for (int k = i + 1; k < count && !(tdGetComponent(list[k].box.lower, axis) > end); ++k)
        {
            *query->room -= 1;
            bool canVisit =
                (list[i].hasTrigger && list[k].hasSolid) || (list[k].hasTrigger && list[i].hasSolid);
            if (canVisit && tdOverlapAabb(list[i].box, list[k].box))
            {
                SweepPair(query, &list[i], &list[k]);
            }
        }
    }
}

/// Box of the whole way of a travelling body, and the kinds of its shapes.
static tdTraveller MakeTraveller(TravelQuery* query)
{
    const tdWorld* world = query->world;
    tdTraveller traveller = {.simIndex = query->simIndex};
    traveller.box = (tdAabb){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    tdVec3 center = world->sims[query->simIndex].localCenter;
    const TravelPath* path = &query->path;
    for (int i = world->bodies.data[world->sims[query->simIndex].body].shapeHead; i >= 0;
         i = world->shapes.data[i].next)
    {
        const tdShape* shape = &world->shapes.data[i];
        tdAabb box = ComputePathBox(world, query->simIndex, shape, path);
        // Two bodies with impacts of their own are swept along the lines from start to end.
        box = tdUnionAabb(box, ComputeLineBox(&shape->geometry, path->poses[0], path->poses[2], center));
        traveller.box = tdUnionAabb(traveller.box, box);
        bool isTrigger = (shape->flags & TD_SHAPE_TRIGGER) != 0;
        traveller.hasTrigger = traveller.hasTrigger || isTrigger;
        traveller.hasSolid = traveller.hasSolid || !isTrigger;
    }
    // Shapes count as overlapping at a distance.
    traveller.box = tdGrowAabb(traveller.box, TD_SPECULATIVE_MARGIN);
    return traveller;
}

static int CountSortedFast(const tdWorld* world)
{
    int count = tdMinInt(world->fastBodies.count, 1);
    while (count < world->fastBodies.count &&
           world->fastBodies.data[count - 1].simIndex < world->fastBodies.data[count].simIndex)
    {
        count += 1;
    }
    return count;
}

/// Finds the passages of the step.
static void CollectPassages(tdWorld* world)
{
    int64_t room = SWEEP_VISITS_PER_PAIR * (int64_t)tdWorld_GetPairLimit(world);
    TravelQuery query = {.world = world, .sortedFastCount = CountSortedFast(world), .room = &room};
    bool haveTriggers = false, haveSolids = false;
    for (int i = 1; i < world->awakeCount && room > 0; ++i)
    {
        if ((world->marks[i] & TD_MARK_TRAVELS) == 0)
        {
            continue;
        }
        query.simIndex = i;
        query.path = FindTravelPath(world, query.sortedFastCount, i);
        for (query.shape = world->bodies.data[world->sims[i].body].shapeHead; query.shape >= 0 && room > 0;
             query.shape = world->shapes.data[query.shape].next)
        {
            SweepTraveller(&query);
        }
        tdTraveller traveller = MakeTraveller(&query);
        haveTriggers = haveTriggers || traveller.hasTrigger;
        haveSolids = haveSolids || traveller.hasSolid;
        world->travellers.data[world->travellers.count++] = traveller;
    }
    if (haveTriggers && haveSolids)
    {
        SweepTravellers(&query);
    }
    if (room <= 0)
    {
        world->status = TD_STATUS_PAIR_LIMIT;
    }
}

static int ComparePassages(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

void tdWorld_SweepTriggers(tdWorld* world)
{
    if (world->triggerShapeCount == 0)
    {
        return;
    }
    world->travellers.count = world->passages.count = 0;
    CollectPassages(world);
    if (world->passages.count > 1)
    {
        qsort(world->passages.data, (size_t)world->passages.count, sizeof(uint64_t), ComparePassages);
    }
    for (int i = 0; i < world->passages.count; ++i)
    {
        uint64_t key = world->passages.data[i];
        int trigger = (int)((key & ~ENTERS_ONLY) >> 32), visitor = (int)(uint32_t)key;
        if ((key & ENTERS_ONLY) == 0)
        {
            tdWorld_ReportPassage(world, trigger, visitor);
        }
        else if (!tdWorld_CreateTriggerPair(world, trigger, visitor))
        {
            world->status = TD_STATUS_OUT_OF_MEMORY;
        }
    }
}
