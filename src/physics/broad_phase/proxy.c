// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Proxies: the fat box of each shape, its leaf in a tree, and its entry in the move buffer.
#include "physics/broad_phase/proxy.h"

#include "geometry/bounds.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/broad_phase/tree_query.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"

#include <math.h>

/// Room around a tight box, as a fraction of its largest side, with an upper limit in m. Larger boxes leave
/// their leaf less often but give more pairs. Found by trial with tendon_bench; only speed depends
/// on it.
#define FAT_BOX_FRACTION 0.125f
#define MAX_FAT_BOX_ROOM 0.05f
/// Steps of the current motion that a fat box contains. Found likewise.
#define PREDICTED_STEPS 2.0f

static tdAabbTreeKind ChooseTreeKind(const tdWorld* world, int shape)
{
    const tdShape* record = &world->shapes.data[shape];
    if ((record->flags & TD_SHAPE_TRIGGER) != 0)
    {
        return TD_AABB_TREE_TRIGGER;
    }
    switch (world->bodies.data[record->body].motion)
    {
    case TD_MOTION_DYNAMIC:
        return TD_AABB_TREE_DYNAMIC;
    case TD_MOTION_KINEMATIC:
        return TD_AABB_TREE_KINEMATIC;
    default:
        return TD_AABB_TREE_STATIC;
    }
}

static void QueueMovedShape(tdWorld* world, int shape)
{
    tdShape* record = &world->shapes.data[shape];
    if ((record->flags & TD_SHAPE_QUEUED) == 0)
    {
        TD_ASSERT(world->moved.count < world->moved.capacity);
        record->flags |= TD_SHAPE_QUEUED;
        record->moveIndex = world->moved.count;
        world->moved.data[world->moved.count++] = shape;
    }
}

static void QueueShape(tdWorld* world, int shape)
{
    QueueMovedShape(world, shape);
    world->shapes.data[shape].flags |= TD_SHAPE_FRESH;
}

static tdAabb MakeFatAabb(tdAabb tight, float margin, tdVec3 displacement)
{
    // The room in the direction of motion keeps a fast body in its box for several steps. It is limited by
    // the size of the box.
    tdVec3 size = tdSub(tight.upper, tight.lower);
    float largest = tdMaxFloat(size.x, tdMaxFloat(size.y, size.z));
    float room = margin + tdMinFloat(FAT_BOX_FRACTION * largest, MAX_FAT_BOX_ROOM);
    tdVec3 pad = {room, room, room};
    tdAabb fat = {tdSub(tight.lower, pad), tdAdd(tight.upper, pad)};
    tdVec3 limit = tdScale(0.5f, size);
    tdVec3 ahead = tdScale(PREDICTED_STEPS, displacement);
    ahead = tdMax(tdMin(ahead, limit), tdNegate(limit));
    fat.lower = tdAdd(fat.lower, tdMin(ahead, tdVec3_zero));
    fat.upper = tdAdd(fat.upper, tdMax(ahead, tdVec3_zero));
    return fat;
}

void tdWorld_RefreshProxy(tdWorld* world, int shape)
{
    tdShape* record = &world->shapes.data[shape];
    const tdBodySim* sim = tdWorld_GetBodySim(world, record->body);
    tdAabb tight = tdShape_ComputeAabb(&record->geometry, sim->transform);
    if ((record->flags & TD_SHAPE_UNBOUNDED) != 0)
    {
        record->fatAabb = tight;
        QueueShape(world, shape);
        return;
    }
    bool isStatic = world->bodies.data[record->body].motion == TD_MOTION_STATIC;
    float margin = tdGetSpeculativeMargin(sim->outerRadius);
    record->fatAabb = isStatic ? tight : MakeFatAabb(tight, margin, tdVec3_zero);
    tdAabbTreeKind kind = ChooseTreeKind(world, shape);
    if ((record->flags & TD_SHAPE_MEMBER) != 0)
    {
        tdWorld_EnlargePart(world, shape);
    }
    else if (record->proxy >= 0 && record->tree == kind)
    {
        tdAabbTree_Move(&world->trees[kind], record->proxy, record->fatAabb);
    }
    else
    {
        if (record->proxy >= 0)
        {
            tdAabbTree_Remove(&world->trees[record->tree], record->proxy);
        }
        record->tree = (uint8_t)kind;
        record->proxy = tdAabbTree_Insert(&world->trees[kind], record->fatAabb, shape);
    }
    QueueShape(world, shape);
}

bool tdWorld_TestPlaneBox(const tdWorld* world, const tdShape* plane, tdAabb box)
{
    tdTransform pose =
        tdMulTransform(tdWorld_GetBodySim(world, plane->body)->transform, plane->geometry.local);
    tdVec3 normal = tdRotate(pose.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    tdVec3 center = tdScale(0.5f, tdAdd(box.lower, box.upper));
    float reach = tdDot(tdAbs(normal), tdScale(0.5f, tdSub(box.upper, box.lower))) + TD_SPECULATIVE_MARGIN;
    float height = tdDot(normal, tdSub(center, pose.position));
    bool isHalfSpace = !plane->geometry.plane.isDoubleSided && isinf(plane->geometry.plane.halfX) &&
                       isinf(plane->geometry.plane.halfZ);
    return height <= reach && (isHalfSpace || height >= -reach);
}

bool tdWorld_TestFatBoxes(const tdWorld* world, int shapeA, int shapeB)
{
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    if (!tdOverlapAabb(a->fatAabb, b->fatAabb))
    {
        return false;
    }
    bool unboundedA = (a->flags & TD_SHAPE_UNBOUNDED) != 0, unboundedB = (b->flags & TD_SHAPE_UNBOUNDED) != 0;
    return (!unboundedA || unboundedB || tdWorld_TestPlaneBox(world, a, b->fatAabb)) &&
           (!unboundedB || unboundedA || tdWorld_TestPlaneBox(world, b, a->fatAabb));
}

static bool WakeBodyOfShape(void* context, int shape)
{
    tdWorld* world = context;
    int body = world->shapes.data[shape].body;
    if (world->bodies.data[body].motion == TD_MOTION_DYNAMIC)
    {
        tdWorld_WakeBody(world, body);
    }
    return true;
}

void tdWorld_WakeNear(tdWorld* world, int shape)
{
    tdAabb box = world->shapes.data[shape].fatAabb;
    tdWorld_QueryTree(world, TD_AABB_TREE_TRIGGER, box, WakeBodyOfShape, world);
    tdWorld_QueryTree(world, TD_AABB_TREE_DYNAMIC, box, WakeBodyOfShape, world);
}

static float GetLargestComponent(tdVec3 v)
{
    return tdMaxFloat(v.x, tdMaxFloat(v.y, v.z));
}

void tdWorld_RefreshBoxes(tdWorld* world, int simIndex, tdVec3 displacement)
{
    tdBodySim* sim = &world->sims[simIndex];
    float margin = tdGetSpeculativeMargin(sim->outerRadius);
    const tdVec3 speculative = {margin, margin, margin};
    // The narrow phase predicts motion up to this distance.
    float most = 0.5f * sim->innerRadius;
    tdVec3 limit = {most, most, most};
    tdVec3 ahead = tdMax(tdMin(displacement, limit), tdNegate(limit));
    float room = TD_DISPLACEMENT_MAX_SLACK;
    for (int i = world->bodies.data[sim->body].shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        tdShape* shape = &world->shapes.data[i];
        tdAabb tight = tdShape_ComputeAabb(&shape->geometry, sim->transform);
        if ((shape->flags & TD_SHAPE_UNBOUNDED) != 0)
        {
            shape->fatAabb = tight;
            shape->flags |= TD_SHAPE_ENLARGED;
            world->marks[simIndex] |= TD_MARK_ENLARGED;
            room = 0.0f;
            continue;
        }
        tdAabb needed = {tdAdd(tdSub(tight.lower, speculative), tdMin(ahead, tdVec3_zero)),
                         tdAdd(tdAdd(tight.upper, speculative), tdMax(ahead, tdVec3_zero))};
        if (!tdContainsAabb(shape->fatAabb, needed))
        {
            if ((shape->flags & (TD_SHAPE_ENLARGED | TD_SHAPE_QUEUED)) == 0)
            {
                shape->previousAabb = shape->fatAabb;
            }
            shape->fatAabb = tdUnionAabb(MakeFatAabb(tight, margin, displacement), needed);
            shape->flags |= TD_SHAPE_ENLARGED;
            world->marks[simIndex] |= TD_MARK_ENLARGED;
        }
        float used = tdMaxFloat(GetLargestComponent(tdSub(shape->fatAabb.lower, needed.lower)),
                                GetLargestComponent(tdSub(needed.upper, shape->fatAabb.upper)));
        room = tdMinFloat(room, -used);
    }
    sim->boxRoom = room;
}

void tdWorld_RefitTrees(tdWorld* world)
{
    if (world->awakeCount > 1)
    {
        // Bodies move without leaving their fat boxes; query trees have tight ones.
        tdAabbTree_MarkChanged(&world->trees[TD_AABB_TREE_KINEMATIC]);
        tdAabbTree_MarkChanged(&world->trees[TD_AABB_TREE_DYNAMIC]);
    }
    for (int i = 1; i < world->awakeCount; ++i)
    {
        if ((world->marks[i] & TD_MARK_ENLARGED) == 0)
        {
            continue;
        }
        const tdBodySim* sim = &world->sims[i];
        bool hasMembers = false;
        for (int j = world->bodies.data[sim->body].shapeHead; j >= 0; j = world->shapes.data[j].next)
        {
            tdShape* shape = &world->shapes.data[j];
            if ((shape->flags & TD_SHAPE_ENLARGED) != 0)
            {
                shape->flags &= (uint8_t)~TD_SHAPE_ENLARGED;
                if ((shape->flags & TD_SHAPE_MEMBER) != 0)
                {
                    hasMembers = true;
                }
                else if (shape->proxy >= 0)
                {
                    tdAabbTree_Enlarge(&world->trees[shape->tree], shape->proxy, shape->fatAabb);
                }
                if ((shape->flags & TD_SHAPE_UNBOUNDED) != 0)
                {
                    QueueShape(world, j);
                }
                else
                {
                    QueueMovedShape(world, j);
                }
            }
        }
        if (hasMembers)
        {
            tdWorld_RefitParts(world, sim->body);
        }
    }
}
