// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Groups of the joints of a level, the centers and colliders that they read, and the nodes to refresh before.
// Everything is linear in the size of the file, the number of pairs of joint and collider, and the number of
// nodes refreshed within cycles, which are bounded.
#include "spring_plan.h"

#include "spring_order.h"

#include "base/heap_sort.h"

#include <math.h>
#include <string.h>

// The plan during its construction.
typedef struct Builder
{
    tdSpringList* list;
    const tdNodeTree* nodes;
    tdArena* arena;
    tdArena* scratch;
    tdSpringOrder order;
    int* sorted;       // joints in the order of their lanes
    int* heights;      // by joint: joints of the next levels below it, each the parent of the next
    int* firstPairs;   // by joint: the first of its pairs of joint and collider
    int* pairPlaces;   // by pair: place of the instance of the collider
    int* turnedJoints; // by place of an instance: tdSpringOrder_FindTurned
    int pathCount;     // nodes that are refreshed within cycles, with repetitions
    bool* isRefreshed; // by node
    int* pathStamps;   // by node: level + 1 of the last path within a cycle
    tdSpringPlan* plan;
} Builder;

// The joint that turns the parent of a joint's node itself, one level above; -1: none.
static int GetJointOfParent(const Builder* builder, int joint)
{
    int parent = builder->nodes->parents[builder->list->joints[joint].node];
    int above = parent >= 0 ? builder->list->jointOfNode[parent] : -1;
    const int* levels = builder->order.levels;
    return tdSpringOrder_Moves(&builder->order, above) && levels[above] + 1 == levels[joint] ? above : -1;
}

static void ComputeHeights(Builder* builder)
{
    for (int i = builder->order.jointCount - 1; i >= 0; --i)
    {
        int joint = builder->order.joints[i], above = GetJointOfParent(builder, joint);
        if (above >= 0)
        {
            builder->heights[above] = tdMaxInt(builder->heights[above], builder->heights[joint] + 1);
        }
    }
}

// Levels first. Lanes of one group do the work of the lane with most colliders, so joints with similar
// numbers of colliders are neighbours. Chains that go on come before those that end, so that chains keep
// their lanes.
static bool RunsBefore(const void* left, const void* right, const void* context)
{
    const Builder* builder = context;
    int a = *(const int*)left, b = *(const int*)right;
    const tdSpringJoint *first = &builder->list->joints[a], *second = &builder->list->joints[b];
    const int* levels = builder->order.levels;
    if (levels[a] != levels[b])
    {
        return levels[a] < levels[b];
    }
    if (first->colliderCount != second->colliderCount)
    {
        return first->colliderCount > second->colliderCount;
    }
    if (builder->heights[a] != builder->heights[b])
    {
        return builder->heights[a] > builder->heights[b];
    }
    return a < b;
}

// Groups

static void SetLane(tdSpringLanes* lanes, int lane, const float* values, int count)
{
    for (int i = 0; i < count; ++i)
    {
        lanes[i][lane] = values[i];
    }
}

static void FillLane(const Builder* builder, int g, int lane, int joint)
{
    tdSpringGroup* group = &builder->plan->groups[g];
    tdSpringGroupInfo* info = &builder->plan->infos[g];
    const tdSpringJoint* item = &builder->list->joints[joint];
    const tdTrs* local = &builder->nodes->locals[item->node];
    info->joints[lane] = joint;
    info->nodes[lane] = item->node;
    info->positions[lane] = builder->nodes->positions[item->node];
    int parent = builder->nodes->parents[item->node];
    info->parents[lane] = parent;
    group->hasRoot = group->hasRoot || parent < 0;
    group->parentPlaces[lane] = (uint32_t)tdMaxInt(parent, 0) * (uint32_t)(sizeof(tdMat4) / sizeof(float));
    group->localPlaces[lane] = (uint32_t)item->node * (uint32_t)(sizeof(tdTrs) / sizeof(float));
    group->globalPlaces[lane] = (uint32_t)item->node * (uint32_t)(sizeof(tdMat4) / sizeof(float));
    tdQuat rest = tdNormalizeQuat(local->rotation);
    tdVec3 scale = local->scale, axis = tdNormalize(item->child), restAxis = tdRotate(rest, axis);
    tdVec3 restTail = tdRotate(rest, tdMul(scale, item->child));
    bool isEven = scale.x > 0.0f && scale.y == scale.x && scale.z == scale.x;
    group->restScale[lane] = isEven ? scale.x : NAN;
    unsigned bit = 1u << lane;
    group->unevenScales = (uint8_t)(isEven ? group->unevenScales & ~bit : group->unevenScales | bit);
    SetLane(group->scale, lane, &scale.x, 3);
    SetLane(group->translation, lane, &local->translation.x, 3);
    SetLane(group->rest, lane, &rest.x, 4);
    SetLane(group->restTail, lane, &restTail.x, 3);
    SetLane(group->restAxis, lane, &restAxis.x, 3);
    SetLane(info->axis, lane, &axis.x, 3);
    SetLane(info->child, lane, &item->child.x, 3);
    group->colliderCount = tdMaxInt(group->colliderCount, item->colliderCount);
}

// The group whose lanes turn the parents of a group, lane by lane; -1: none.
static int FindParentGroup(const Builder* builder, int g)
{
    int found = -1;
    for (int lane = 0; lane < builder->plan->groups[g].count; ++lane)
    {
        int above = GetJointOfParent(builder, builder->plan->infos[g].joints[lane]);
        int slot = above >= 0 ? builder->plan->slots[above] : -1;
        if (slot < 0 || slot % TD_SPRING_LANES != lane || (lane > 0 && slot / TD_SPRING_LANES != found))
        {
            return -1;
        }
        found = slot / TD_SPRING_LANES;
    }
    return found;
}

// Globals are kept for two levels: the one that runs and the one above it.
static void PlaceFrames(Builder* builder, const tdSpringLevel* levels)
{
    tdSpringPlan* plan = builder->plan;
    int most = 0;
    for (int level = 0; level < builder->order.levelCount; ++level)
    {
        most = tdMaxInt(most, levels[level].groupEnd - levels[level].groupStart);
    }
    plan->frameCount = 2 * most;
    for (int level = 0; level < builder->order.levelCount; ++level)
    {
        for (int g = levels[level].groupStart; g < levels[level].groupEnd; ++g)
        {
            int parent = FindParentGroup(builder, g);
            plan->groups[g].frames = level % 2 * most + g - levels[level].groupStart;
            // Packs of as many joints have the same lanes.
            bool isKept = level > 0 && parent >= levels[level - 1].groupStart &&
                          plan->groups[parent].count == plan->groups[g].count;
            plan->groups[g].parentFrames = isKept ? plan->groups[parent].frames : -1;
        }
    }
}

static bool MakeSpringGroups(Builder* builder, tdSpringLevel* levels)
{
    int* slots = tdArena_NewArray(builder->arena, int, builder->list->jointCount);
    // Every level ends with at most one group that is not full.
    int most = builder->order.jointCount / TD_SPRING_LANES + builder->order.levelCount;
    tdSpringGroup* groups =
        tdArena_AllocateArray(builder->arena, (size_t)most, sizeof(tdSpringGroup), TD_SPRING_ALIGNMENT);
    tdSpringLaneParameters* parameters = tdArena_AllocateArray(
        builder->arena, (size_t)most, sizeof(tdSpringLaneParameters), TD_SPRING_ALIGNMENT);
    uint64_t* turned = tdArena_NewArray(builder->arena, uint64_t, (builder->nodes->count + 63) / 64);
    tdSpringGroupInfo* infos = tdArena_NewArray(builder->arena, tdSpringGroupInfo, most);
    uint64_t* moved = tdArena_NewArray(builder->arena, uint64_t, (builder->nodes->count + 63) / 64);
    if (slots == NULL || moved == NULL || infos == NULL || groups == NULL || parameters == NULL ||
        turned == NULL)
    {
        return false;
    }
    memset(slots, 0xff, (size_t)builder->list->jointCount * sizeof(int));
    memcpy(builder->sorted, builder->order.joints, (size_t)builder->order.jointCount * sizeof(int));
    tdHeapSort(builder->sorted, builder->order.jointCount, sizeof(int), RunsBefore, builder);
    tdSpringPlan* plan = builder->plan;
    plan->groups = groups;
    plan->infos = infos;
    for (int i = 0; i < builder->order.jointCount; ++i)
    {
        int joint = builder->sorted[i], level = builder->order.levels[joint];
        bool isFirst = i == 0 || builder->order.levels[builder->sorted[i - 1]] != level;
        if (isFirst)
        {
            levels[level].groupStart = plan->groupCount;
        }
        if (isFirst || groups[plan->groupCount - 1].count == TD_SPRING_LANES)
        {
            for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
            {
                FillLane(builder, plan->groupCount, lane, joint);
            }
            plan->groupCount += 1;
        }
        tdSpringGroup* group = &groups[plan->groupCount - 1];
        int position = builder->nodes->positions[builder->list->joints[joint].node];
        turned[position >> 6] |= UINT64_C(1) << (position & 63);
        slots[joint] = (plan->groupCount - 1) * TD_SPRING_LANES + group->count;
        FillLane(builder, plan->groupCount - 1, group->count, joint);
        if (builder->list->joints[joint].limit.kind != TD_SPRING_LIMIT_NONE)
        {
            group->limited = (uint8_t)(group->limited | 1u << group->count);
        }
        group->count += 1;
        levels[level].groupEnd = plan->groupCount;
    }
    for (int position = 0; position < builder->nodes->count; ++position)
    {
        bool isMoved = builder->order.above[builder->nodes->order[position]] >= 0;
        moved[position >> 6] |= (uint64_t)isMoved << (position & 63);
    }
    plan->turnedBits = turned;
    plan->movedBits = moved;
    plan->slots = slots;
    plan->parameters = parameters;
    PlaceFrames(builder, levels);
    for (int i = 0; i < builder->order.jointCount; ++i)
    {
        int joint = builder->sorted[i];
        tdSpringPlan_SetParameters(plan, slots[joint], &builder->list->joints[joint].parameters, parameters);
    }
    return true;
}

// Centers

static bool MakeCenters(Builder* builder, tdSpringLevel* levels)
{
    tdSpringPlan* plan = builder->plan;
    int* places = tdArena_NewArray(builder->scratch, int, builder->nodes->count); // by node, of this level
    int* stamps = tdArena_NewArray(builder->scratch, int, builder->nodes->count);
    int* centers = tdArena_NewArray(builder->arena, int, builder->order.jointCount + 1);
    if (places == NULL || stamps == NULL || centers == NULL)
    {
        return false;
    }
    centers[0] = -1;
    plan->centerCount = 1;
    for (int level = 0; level < builder->order.levelCount; ++level)
    {
        levels[level].centerStart = plan->centerCount;
        for (int g = levels[level].groupStart; g < levels[level].groupEnd; ++g)
        {
            tdSpringGroup* group = &plan->groups[g];
            tdSpringGroupInfo* info = &plan->infos[g];
            for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
            {
                int center = builder->list->springs[builder->list->joints[info->joints[lane]].spring].center;
                if (center >= 0 && stamps[center] != level + 1)
                {
                    stamps[center] = level + 1;
                    places[center] = plan->centerCount;
                    centers[plan->centerCount++] = center;
                }
                info->centers[lane] = center >= 0 ? places[center] : 0;
                group->hasCenter = group->hasCenter || center >= 0;
            }
        }
        levels[level].centerEnd = plan->centerCount;
    }
    plan->centers = centers;
    return true;
}

// Colliders. Each is computed once, at the first level at which it is final. One whose joints turn in a cycle
// has an instance for each of them that its readers find turned.

// The instances during their construction.
typedef struct Instances
{
    int* colliders; // by instance
    int* turned;    // by instance
    int count;
    int* stamps;  // by collider: turned joint + 2 of its last instance
    int* last;    // by collider: its last instance
    int* atStart; // by collider: its instance as of the start of the step + 1; 0: none
} Instances;

static int AddInstance(Instances* instances, int collider, int turned)
{
    instances->colliders[instances->count] = collider;
    instances->turned[instances->count] = turned;
    return instances->count++;
}

// Counts the nodes of a path that joints of later levels turn once more.
static bool CountPath(Builder* builder, int node, int turned)
{
    int stamp = builder->order.levels[turned] + 2, count = 0;
    int last = node;
    for (; builder->order.above[last] != turned && builder->pathStamps[last] != stamp;
         last = builder->nodes->parents[last])
    {
        count += 1;
        if (builder->pathCount + count > TD_MAX_SPRING_PATHS)
        {
            return false;
        }
    }
    for (; node != last; node = builder->nodes->parents[node])
    {
        builder->pathStamps[node] = stamp;
    }
    builder->pathCount += count;
    return true;
}

// The instance of a collider that is read when the joint `turned` (-1: none) is the last above it that has
// turned.
static int FindInstance(Builder* builder, Instances* instances, int collider, int turned)
{
    if (instances->stamps[collider] == turned + 2)
    {
        return instances->last[collider];
    }
    bool isFollowed = turned < 0 || CountPath(builder, builder->list->colliders[collider].node, turned);
    builder->plan->cutsCycles = builder->plan->cutsCycles || !isFollowed;
    if (turned < 0 || !isFollowed)
    {
        if (instances->atStart[collider] == 0)
        {
            instances->atStart[collider] = AddInstance(instances, collider, -1) + 1;
        }
        return instances->atStart[collider] - 1;
    }
    instances->stamps[collider] = turned + 2;
    return instances->last[collider] = AddInstance(instances, collider, turned);
}

// Sorts the pairs by the joint that their instance depends on, so that instances are found in linear time.
static bool SortPairs(const Builder* builder, int count, int* sorted, int* colliders, int* turned)
{
    int* starts = tdArena_NewArray(builder->scratch, int, builder->list->jointCount + 2);
    if (starts == NULL)
    {
        return false;
    }
    int pair = 0;
    for (int i = 0; i < builder->order.jointCount; ++i)
    {
        int joint = builder->order.joints[i];
        builder->firstPairs[joint] = pair;
        tdSpringColliderWalk walk = tdStartSpringColliders(builder->list, joint);
        for (int c = tdNextSpringCollider(&walk); c >= 0; c = tdNextSpringCollider(&walk), ++pair)
        {
            colliders[pair] = c;
            turned[pair] = tdSpringOrder_FindTurned(&builder->order, joint, c);
            starts[turned[pair] + 2] += 1;
        }
    }
    for (int i = 1; i <= builder->list->jointCount + 1; ++i)
    {
        starts[i] += starts[i - 1];
    }
    for (int i = 0; i < count; ++i)
    {
        sorted[starts[turned[i] + 1]++] = i;
    }
    return true;
}

static bool MakeInstances(Builder* builder, Instances* instances)
{
    size_t count = 0, colliderCount = (size_t)builder->list->colliderCount;
    for (int i = 0; i < builder->order.jointCount; ++i)
    {
        count += (size_t)builder->list->joints[builder->order.joints[i]].colliderCount;
    }
    int* sorted = tdArena_NewArray(builder->scratch, int, count);
    int* colliders = tdArena_NewArray(builder->scratch, int, count);
    int* turned = tdArena_NewArray(builder->scratch, int, count);
    builder->firstPairs = tdArena_NewArray(builder->scratch, int, builder->list->jointCount);
    builder->pairPlaces = tdArena_NewArray(builder->scratch, int, count);
    builder->pathStamps = tdArena_NewArray(builder->scratch, int, builder->nodes->count);
    *instances = (Instances){.colliders = tdArena_NewArray(builder->scratch, int, count),
                             .turned = tdArena_NewArray(builder->scratch, int, count),
                             .stamps = tdArena_NewArray(builder->scratch, int, colliderCount),
                             .last = tdArena_NewArray(builder->scratch, int, colliderCount),
                             .atStart = tdArena_NewArray(builder->scratch, int, colliderCount)};
    if (sorted == NULL || colliders == NULL || turned == NULL || builder->firstPairs == NULL ||
        builder->pairPlaces == NULL || builder->pathStamps == NULL || instances->colliders == NULL ||
        instances->turned == NULL || instances->stamps == NULL || instances->last == NULL ||
        instances->atStart == NULL || !SortPairs(builder, (int)count, sorted, colliders, turned))
    {
        return false;
    }
    for (size_t i = 0; i < count; ++i)
    {
        int pair = sorted[i];
        builder->pairPlaces[pair] = FindInstance(builder, instances, colliders[pair], turned[pair]);
    }
    for (size_t i = 0; i < count; ++i)
    {
        builder->pairPlaces[i] += 1; // the first place is that of the sentinel
    }
    return true;
}

static bool MakeColliders(Builder* builder, tdSpringLevel* levels)
{
    tdSpringPlan* plan = builder->plan;
    Instances instances;
    if (!MakeInstances(builder, &instances))
    {
        return false;
    }
    size_t count = (size_t)instances.count + 1;
    int* places = tdArena_NewArray(builder->scratch, int, count);
    int* colliders = tdArena_NewArray(builder->arena, int, count);
    builder->turnedJoints = tdArena_NewArray(builder->scratch, int, count);
    if (places == NULL || colliders == NULL || builder->turnedJoints == NULL)
    {
        return false;
    }
    // Count the instances of each level, then give them places level by level.
    for (int i = 0; i < instances.count; ++i)
    {
        int turned = instances.turned[i], level = turned >= 0 ? builder->order.levels[turned] + 1 : 0;
        levels[level].colliderEnd += 1;
    }
    plan->colliderCount = 1;
    for (int i = 0; i < builder->order.levelCount; ++i)
    {
        levels[i].colliderStart = plan->colliderCount;
        plan->colliderCount += levels[i].colliderEnd;
        levels[i].colliderEnd = levels[i].colliderStart;
    }
    colliders[0] = -1;
    for (int i = 0; i < instances.count; ++i)
    {
        int turned = instances.turned[i], level = turned >= 0 ? builder->order.levels[turned] + 1 : 0;
        int place = levels[level].colliderEnd++;
        places[i + 1] = place;
        colliders[place] = instances.colliders[i];
        builder->turnedJoints[place] = turned;
    }
    plan->colliders = colliders;
    for (int i = 0; i < builder->order.jointCount; ++i)
    {
        int joint = builder->order.joints[i], first = builder->firstPairs[joint];
        for (int k = 0; k < builder->list->joints[joint].colliderCount; ++k)
        {
            builder->pairPlaces[first + k] = places[builder->pairPlaces[first + k]];
        }
    }
    return true;
}

static bool IsSharedRow(const int* row, int count)
{
    for (int lane = 1; lane < count; ++lane)
    {
        if (row[lane] != row[0])
        {
            return false;
        }
    }
    return true;
}

static bool MakeLaneColliders(Builder* builder)
{
    tdSpringPlan* plan = builder->plan;
    size_t rows = 0;
    for (int g = 0; g < plan->groupCount; ++g)
    {
        plan->groups[g].colliderStart = (int)rows * TD_SPRING_LANES;
        rows += (size_t)plan->groups[g].colliderCount;
    }
    int* lanes = tdArena_NewArray(builder->arena, int, rows* TD_SPRING_LANES); // 0: the sentinel
    uint8_t* kinds = tdArena_NewArray(builder->arena, uint8_t, rows);
    if (lanes == NULL || kinds == NULL)
    {
        return false;
    }
    for (int g = 0; g < plan->groupCount; ++g)
    {
        const tdSpringGroup* group = &plan->groups[g];
        for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
        {
            int at = group->colliderStart, joint = plan->infos[g].joints[lane];
            for (int k = 0; k < builder->list->joints[joint].colliderCount; ++k, at += TD_SPRING_LANES)
            {
                int place = builder->pairPlaces[builder->firstPairs[joint] + k];
                lanes[at + lane] = place;
                tdSpringShape shape = builder->list->colliders[plan->colliders[place]].shape;
                bool isSpecial = shape == TD_SPRING_PLANE || tdSpringShape_IsInside(shape);
                kinds[at / TD_SPRING_LANES] |= isSpecial ? TD_SPRING_ROW_SPECIAL : 0;
            }
        }
        for (int i = 0; i < group->colliderCount; ++i)
        {
            int at = group->colliderStart + i * TD_SPRING_LANES;
            kinds[at / TD_SPRING_LANES] |= IsSharedRow(lanes + at, group->count) ? TD_SPRING_ROW_SHARED : 0;
        }
    }
    plan->laneColliders = lanes;
    plan->rowKinds = kinds;
    return true;
}

// Refreshed nodes

typedef struct RefreshList
{
    int* nodes;
    int count;
} RefreshList;

// Turns the nodes from `start` on around: parents come first.
static void ReversePath(RefreshList* list, int start)
{
    for (int low = start, high = list->count - 1; low < high; ++low, --high)
    {
        int swapped = list->nodes[low];
        list->nodes[low] = list->nodes[high];
        list->nodes[high] = swapped;
    }
}

// Adds the nodes from below the nearest joint down to `node`.
static void AddRefreshPath(Builder* builder, RefreshList* list, int node)
{
    int start = list->count;
    for (; node >= 0 && builder->order.above[node] >= 0 && !builder->isRefreshed[node] &&
           !tdSpringOrder_Moves(&builder->order, builder->list->jointOfNode[node]);
         node = builder->nodes->parents[node])
    {
        builder->isRefreshed[node] = true;
        list->nodes[list->count++] = node;
    }
    ReversePath(list, start);
}

// Adds the nodes from below the joint `turned` down to `node`. Joints between them turn later.
static void AddColliderPath(Builder* builder, RefreshList* list, int node, int turned)
{
    int stamp = builder->order.levels[turned] + 2, top = node;
    while (builder->order.above[top] != turned && builder->pathStamps[top] != stamp)
    {
        top = builder->nodes->parents[top];
    }
    if (builder->order.above[top] == turned)
    {
        AddRefreshPath(builder, list, top);
    }
    int start = list->count;
    for (; node != top; node = builder->nodes->parents[node])
    {
        builder->pathStamps[node] = stamp;
        builder->plan->readsMovedNodes = true;
        list->nodes[list->count++] = ~node;
    }
    ReversePath(list, start);
}

static bool MakeRefreshLists(Builder* builder, tdSpringLevel* levels)
{
    tdSpringPlan* plan = builder->plan;
    // Every node once as a path, the paths within cycles, and every center that is a joint of its own level
    // once.
    size_t most = (size_t)builder->nodes->count + (size_t)builder->pathCount + (size_t)plan->centerCount;
    RefreshList list = {.nodes = tdArena_NewArray(builder->arena, int, most)};
    builder->isRefreshed = tdArena_NewArray(builder->scratch, bool, builder->nodes->count);
    if (list.nodes == NULL || builder->isRefreshed == NULL)
    {
        return false;
    }
    memset(builder->pathStamps, 0, (size_t)builder->nodes->count * sizeof(int));
    for (int i = 0; i < builder->order.levelCount; ++i)
    {
        tdSpringLevel* level = &levels[i];
        level->refreshStart = list.count;
        for (int g = level->groupStart; g < level->groupEnd; ++g)
        {
            for (int lane = 0; lane < plan->groups[g].count; ++lane)
            {
                AddRefreshPath(builder, &list, plan->infos[g].parents[lane]);
            }
        }
        for (int c = level->colliderStart; c < level->colliderEnd; ++c)
        {
            int node = builder->list->colliders[plan->colliders[c]].node;
            if (i > 0)
            {
                AddColliderPath(builder, &list, node, builder->turnedJoints[c]);
            }
            else
            {
                // Level 0 reads globals that no joint has changed.
                plan->readsMovedNodes = plan->readsMovedNodes || builder->order.above[node] >= 0;
            }
        }
        for (int c = level->centerStart; c < level->centerEnd; ++c)
        {
            int own = builder->list->jointOfNode[plan->centers[c]];
            plan->readsMovedNodes =
                plan->readsMovedNodes || (i == 0 && builder->order.above[plan->centers[c]] >= 0);
            AddRefreshPath(builder, &list, plan->centers[c]);
            if (i > 0 && tdSpringOrder_Moves(&builder->order, own) && builder->order.levels[own] == i)
            {
                plan->readsMovedNodes = true;
                list.nodes[list.count++] = ~plan->centers[c];
            }
        }
        level->refreshEnd = list.count;
        level->isPlain = level->refreshStart == level->refreshEnd && level->centerStart == level->centerEnd &&
                         level->colliderStart == level->colliderEnd;
    }
    plan->refreshNodes = list.nodes;
    return true;
}

// Tips

// The order of operations is that of ComposeFrame, so that globals have the same bits.
static void FillTip(const tdTrs* local, int lane, tdSpringTips* tips)
{
    tdQuat q = local->rotation;
    tdVec3 s = local->scale;
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, yz = q.y * z2, zx = q.z * x2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    float columns[9] = {(1.0f - (yy + zz)) * s.x, (xy + wz) * s.x,          (zx - wy) * s.x,
                        (xy - wz) * s.y,          (1.0f - (xx + zz)) * s.y, (yz + wx) * s.y,
                        (zx + wy) * s.z,          (yz - wx) * s.z,          (1.0f - (xx + yy)) * s.z};
    SetLane(tips->translation, lane, &local->translation.x, 3);
    SetLane(tips->columns, lane, columns, 9);
}

// The first child of each joint that is no joint. A node whose matrix has a shear is left to the sweep.
static bool FindTips(const Builder* builder)
{
    tdSpringPlan* plan = builder->plan;
    const tdNodeTree* nodes = builder->nodes;
    size_t words = ((size_t)nodes->count + 63) / 64;
    uint64_t* fresh = tdArena_NewArray(builder->arena, uint64_t, words);
    tdSpringTips* tips = tdArena_AllocateArray(builder->arena, (size_t)plan->groupCount, sizeof(tdSpringTips),
                                               TD_SPRING_ALIGNMENT);
    if (fresh == NULL || tips == NULL)
    {
        return false;
    }
    memcpy(fresh, plan->turnedBits, words * sizeof(uint64_t));
    for (int position = 0; position < nodes->count; ++position)
    {
        int node = nodes->order[position], parent = nodes->parents[node];
        int joint = parent >= 0 ? builder->list->jointOfNode[parent] : -1;
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[node];
        if (!tdSpringOrder_Moves(&builder->order, joint) || isSheared ||
            tdSpringOrder_Moves(&builder->order, builder->list->jointOfNode[node]))
        {
            continue;
        }
        tdSpringGroup* group = &plan->groups[plan->slots[joint] / TD_SPRING_LANES];
        int lane = plan->slots[joint] % TD_SPRING_LANES;
        if ((group->tips >> lane & 1) == 0)
        {
            group->tips = (uint8_t)(group->tips | 1u << lane);
            group->tipPlaces[lane] = (uint32_t)node * (uint32_t)(sizeof(tdMat4) / sizeof(float));
            FillTip(&nodes->locals[node], lane, &tips[plan->slots[joint] / TD_SPRING_LANES]);
            fresh[position >> 6] |= UINT64_C(1) << (position & 63);
        }
    }
    plan->tips = tips;
    plan->freshBits = fresh;
    plan->coversMoved = memcmp(fresh, plan->movedBits, words * sizeof(uint64_t)) == 0;
    return true;
}

// Packs

static void CopyLane(tdSpringLanes* to, int lane, const tdSpringLanes* from, int source, size_t size)
{
    for (size_t i = 0; i < size / sizeof(tdSpringLanes); ++i)
    {
        to[i][lane] = from[i][source];
    }
}

static void FillPack(const tdSpringGroup* group, int vector, tdSpringGroup* pack)
{
    *pack = *group;
    pack->limited = pack->tips = pack->unevenScales = 0;
    for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
    {
        int place = vector * TD_SPRING_LANES + lane, source = place % group->count;
        pack->laneJoints[lane] = (uint8_t)source;
        pack->laneRuns[lane] = (uint8_t)(place / group->count);
        CopyLane(pack->rest, lane, group->rest, source, sizeof(group->rest));
        pack->restScale[lane] = group->restScale[source];
        CopyLane(pack->scale, lane, group->scale, source, sizeof(group->scale));
        CopyLane(pack->translation, lane, group->translation, source, sizeof(group->translation));
        CopyLane(pack->restTail, lane, group->restTail, source, sizeof(group->restTail));
        CopyLane(pack->restAxis, lane, group->restAxis, source, sizeof(group->restAxis));
        pack->localPlaces[lane] = group->localPlaces[source];
        pack->globalPlaces[lane] = group->globalPlaces[source];
        pack->parentPlaces[lane] = group->parentPlaces[source];
        pack->tipPlaces[lane] = group->tipPlaces[source];
        pack->tips = (uint8_t)(pack->tips | (group->tips >> source & 1u) << lane);
        pack->limited = (uint8_t)(pack->limited | (group->limited >> source & 1u) << lane);
        pack->unevenScales = (uint8_t)(pack->unevenScales | (group->unevenScales >> source & 1u) << lane);
    }
}

void tdSpringPlan_PackParameters(const tdSpringLaneParameters* from, int source, int lane,
                                 tdSpringLaneParameters* pack)
{
    pack->hitRadius[lane] = from->hitRadius[source];
    pack->stiffness[lane] = from->stiffness[source];
    pack->keep[lane] = from->keep[source];
    CopyLane(pack->gravity, lane, from->gravity, source, sizeof(from->gravity));
}

static bool MakePacks(const Builder* builder)
{
    tdSpringPlan* plan = builder->plan;
    size_t vectors = 0;
    uint8_t* bits = tdArena_NewArray(builder->arena, uint8_t, plan->groupCount);
    if (bits == NULL)
    {
        return false;
    }
    for (int g = 0; g < plan->groupCount; ++g)
    {
        bits[g] = (uint8_t)((1u << plan->groups[g].count) - 1u);
        bool isFull = plan->groups[g].count == TD_SPRING_LANES;
        plan->groups[g].packStart = isFull ? -1 : (int)vectors;
        vectors += isFull ? 0 : (size_t)plan->groups[g].count;
    }
    tdSpringGroup* packs =
        tdArena_AllocateArray(builder->arena, vectors, sizeof(tdSpringGroup), TD_SPRING_ALIGNMENT);
    tdSpringLaneParameters* parameters =
        tdArena_AllocateArray(builder->arena, vectors, sizeof(tdSpringLaneParameters), TD_SPRING_ALIGNMENT);
    tdSpringTips* tips =
        tdArena_AllocateArray(builder->arena, vectors, sizeof(tdSpringTips), TD_SPRING_ALIGNMENT);
    if (vectors > 0 && (packs == NULL || parameters == NULL || tips == NULL))
    {
        return false;
    }
    for (int g = 0; g < plan->groupCount; ++g)
    {
        const tdSpringGroup* group = &plan->groups[g];
        for (int v = 0; v < group->count && group->packStart >= 0; ++v)
        {
            tdSpringGroup* pack = &packs[group->packStart + v];
            FillPack(group, v, pack);
            for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
            {
                int source = pack->laneJoints[lane];
                tdSpringPlan_PackParameters(&plan->parameters[g], source, lane,
                                            &parameters[group->packStart + v]);
                CopyLane(tips[group->packStart + v].translation, lane, plan->tips[g].translation, source,
                         sizeof(tips->translation));
                CopyLane(tips[group->packStart + v].columns, lane, plan->tips[g].columns, source,
                         sizeof(tips->columns));
            }
        }
    }
    plan->jointBits = bits;
    plan->packs = packs;
    plan->packTips = tips;
    plan->packParameters = parameters;
    return true;
}

void tdSpringPlan_SetParameters(const tdSpringPlan* plan, int slot, const tdSpringParameters* parameters,
                                tdSpringLaneParameters* groups)
{
    const tdSpringGroup* group = &plan->groups[slot / TD_SPRING_LANES];
    tdSpringLaneParameters* out = &groups[slot / TD_SPRING_LANES];
    tdVec3 gravity = tdScale(parameters->gravityPower, parameters->gravityDir);
    int own = slot % TD_SPRING_LANES;
    for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
    {
        if (lane == own || (own == 0 && lane >= group->count))
        {
            out->hitRadius[lane] = parameters->hitRadius;
            out->stiffness[lane] = parameters->stiffness;
            out->keep[lane] = 1.0f - parameters->dragForce;
            SetLane(out->gravity, lane, &gravity.x, 3);
        }
    }
}

bool tdSpringPlan_Build(tdSpringList* list, const tdNodeTree* nodes, tdArena* arena, tdArena* scratch)
{
    Builder builder = {.list = list,
                       .nodes = nodes,
                       .arena = arena,
                       .scratch = scratch,
                       .sorted = tdArena_NewArray(scratch, int, list->jointCount),
                       .heights = tdArena_NewArray(scratch, int, list->jointCount),
                       .plan = tdArena_New(arena, tdSpringPlan)};
    if (builder.sorted == NULL || builder.heights == NULL || builder.plan == NULL ||
        !tdSpringOrder_Build(&builder.order, list, nodes, scratch))
    {
        return false;
    }
    ComputeHeights(&builder);
    if (builder.order.jointCount == 0)
    {
        return true;
    }
    tdSpringLevel* levels = tdArena_NewArray(arena, tdSpringLevel, builder.order.levelCount);
    if (levels == NULL || !MakeSpringGroups(&builder, levels) || !MakeCenters(&builder, levels) ||
        !MakeColliders(&builder, levels) || !MakeLaneColliders(&builder) ||
        !MakeRefreshLists(&builder, levels) || !FindTips(&builder) || !MakePacks(&builder))
    {
        return false;
    }
    builder.plan->levels = levels;
    builder.plan->levelCount = builder.order.levelCount;
    list->plan = builder.plan;
    return true;
}
