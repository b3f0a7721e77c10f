// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Levels by the longest chain of dependencies, cycles by Tarjan's algorithm. Everything is linear in the size
// of the file and the number of pairs of joint and collider, which is bounded.
#include "spring_plan.h"

#include "base/heap_sort.h"

#include <string.h>

// The plan during its construction. Joints that are inert are left out of everything.
typedef struct Builder
{
    tdSpringList* list;
    const tdNodeTree* nodes;
    tdArena* arena;
    tdArena* scratch;
    int* above;     // by node: nearest joint at or above it; -1: none
    int* component; // by joint: strongly connected component
    int* order;     // joints, components in order of dependency
    int* levels;    // by joint
    int orderCount; // joints that move
    int levelCount;
    int* lateColliders;  // by collider: place of the instance that waits for the joints above; 0: none
    int* earlyColliders; // by collider: place of the instance that does not
    bool* isRefreshed;   // by node
    tdSpringPlan* plan;
} Builder;

static bool Moves(const Builder* builder, int joint)
{
    return joint >= 0 && !builder->list->joints[joint].isInert;
}

static int GetJointAbove(const Builder* builder, int joint)
{
    int parent = builder->nodes->parents[builder->list->joints[joint].node];
    return parent >= 0 ? builder->above[parent] : -1;
}

static void FindJointsAbove(Builder* builder)
{
    const tdNodeTree* nodes = builder->nodes;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], own = builder->list->jointOfNode[node], parent = nodes->parents[node];
        builder->above[node] = Moves(builder, own) ? own : (parent >= 0 ? builder->above[parent] : -1);
    }
}

// Walks the colliders of a joint in the order of the file.
typedef struct ColliderWalk
{
    const tdSpringList* list;
    const tdSpring* spring;
    int group, place, left;
} ColliderWalk;

static ColliderWalk StartColliders(const tdSpringList* list, int joint)
{
    return (ColliderWalk){.list = list,
                          .spring = &list->springs[list->joints[joint].spring],
                          .left = list->joints[joint].colliderCount};
}

// The next collider; -1 at the end.
static int NextCollider(ColliderWalk* walk)
{
    if (walk->left == 0)
    {
        return -1;
    }
    walk->left -= 1;
    const tdSpringColliderGroup* group = &walk->list->groups[walk->spring->groups[walk->group]];
    while (walk->place >= group->colliderCount)
    {
        walk->place = 0;
        walk->group += 1;
        group = &walk->list->groups[walk->spring->groups[walk->group]];
    }
    return group->colliders[walk->place++];
}

// Tarjan's algorithm without recursion

typedef struct Visit
{
    int joint;
    int edge; // 0: the joint above; then the colliders
    ColliderWalk walk;
} Visit;

typedef struct Search
{
    int* index;  // by joint; 0: not visited
    int* lowest; // by joint
    bool* isOpen;
    int* open;
    Visit* path;
    int openCount, pathCount, nextIndex, componentCount;
} Search;

// The next dependency of the joint on top of the path; -2 at the end, -1: none for this edge.
static int NextDependency(const Builder* builder, Visit* visit)
{
    if (visit->edge++ == 0)
    {
        return GetJointAbove(builder, visit->joint);
    }
    int collider = NextCollider(&visit->walk);
    return collider < 0 ? -2 : builder->above[builder->list->colliders[collider].node];
}

static void Enter(const Builder* builder, Search* search, int joint)
{
    search->index[joint] = search->lowest[joint] = ++search->nextIndex;
    search->open[search->openCount++] = joint;
    search->isOpen[joint] = true;
    search->path[search->pathCount++] = (Visit){.joint = joint, .walk = StartColliders(builder->list, joint)};
}

static void CloseComponent(Builder* builder, Search* search, int joint)
{
    int member;
    do
    {
        member = search->open[--search->openCount];
        search->isOpen[member] = false;
        builder->component[member] = search->componentCount;
    } while (member != joint);
    search->componentCount += 1;
}

static void SearchFrom(Builder* builder, Search* search, int start)
{
    Enter(builder, search, start);
    while (search->pathCount > 0)
    {
        Visit* visit = &search->path[search->pathCount - 1];
        int joint = visit->joint, next = NextDependency(builder, visit);
        if (next == -2)
        {
            search->pathCount -= 1;
            if (search->pathCount > 0)
            {
                int before = search->path[search->pathCount - 1].joint;
                search->lowest[before] = tdMinInt(search->lowest[before], search->lowest[joint]);
            }
            if (search->lowest[joint] == search->index[joint])
            {
                CloseComponent(builder, search, joint);
            }
        }
        else if (next >= 0 && search->index[next] == 0)
        {
            Enter(builder, search, next);
        }
        else if (next >= 0 && search->isOpen[next])
        {
            search->lowest[joint] = tdMinInt(search->lowest[joint], search->index[next]);
        }
    }
}

static bool FindComponents(Builder* builder)
{
    int count = builder->list->jointCount;
    Search search = {.index = tdArena_NewArray(builder->scratch, int, count),
                     .lowest = tdArena_NewArray(builder->scratch, int, count),
                     .isOpen = tdArena_NewArray(builder->scratch, bool, count),
                     .open = tdArena_NewArray(builder->scratch, int, count),
                     .path = tdArena_NewArray(builder->scratch, Visit, count)};
    if (search.index == NULL || search.lowest == NULL || search.isOpen == NULL || search.open == NULL ||
        search.path == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        if (Moves(builder, i) && search.index[i] == 0)
        {
            SearchFrom(builder, &search, i);
        }
    }
    return true;
}

// Dependencies first: components are numbered in that order, and within one, parents come first.
static bool IsVisitedBefore(const void* left, const void* right, const void* context)
{
    const Builder* builder = context;
    int a = *(const int*)left, b = *(const int*)right;
    if (builder->component[a] != builder->component[b])
    {
        return builder->component[a] < builder->component[b];
    }
    const int* positions = builder->nodes->positions;
    return positions[builder->list->joints[a].node] < positions[builder->list->joints[b].node];
}

static void ComputeLevels(Builder* builder)
{
    const tdSpringList* list = builder->list;
    for (int i = 0; i < list->jointCount; ++i)
    {
        if (Moves(builder, i))
        {
            builder->order[builder->orderCount++] = i;
        }
    }
    tdHeapSort(builder->order, builder->orderCount, sizeof(int), IsVisitedBefore, builder);
    for (int i = 0; i < builder->orderCount; ++i)
    {
        int joint = builder->order[i], above = GetJointAbove(builder, joint);
        int level = above >= 0 ? builder->levels[above] + 1 : 0;
        ColliderWalk walk = StartColliders(list, joint);
        for (int c = NextCollider(&walk); c >= 0; c = NextCollider(&walk))
        {
            int mover = builder->above[list->colliders[c].node];
            bool waits = mover >= 0 && builder->component[mover] != builder->component[joint];
            level = waits ? tdMaxInt(level, builder->levels[mover] + 1) : level;
        }
        builder->levels[joint] = level;
        builder->levelCount = tdMaxInt(builder->levelCount, level + 1);
    }
}

// Levels first. Lanes of one group do the work of the lane with most colliders, so joints with similar
// numbers of colliders are neighbours.
static bool RunsBefore(const void* left, const void* right, const void* context)
{
    const Builder* builder = context;
    int a = *(const int*)left, b = *(const int*)right;
    const tdSpringJoint *first = &builder->list->joints[a], *second = &builder->list->joints[b];
    if (builder->levels[a] != builder->levels[b])
    {
        return builder->levels[a] < builder->levels[b];
    }
    if (first->colliderCount != second->colliderCount)
    {
        return first->colliderCount > second->colliderCount;
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

static void FillLane(const Builder* builder, tdSpringGroup* group, int lane, int joint)
{
    const tdSpringJoint* item = &builder->list->joints[joint];
    tdQuat rest = builder->nodes->locals[item->node].rotation;
    tdVec3 axis = tdNormalize(item->child), restAxis = tdRotate(rest, axis);
    group->joints[lane] = joint;
    group->nodes[lane] = item->node;
    group->positions[lane] = builder->nodes->positions[item->node];
    group->parents[lane] = builder->nodes->parents[item->node];
    SetLane(group->rest, lane, &rest.x, 4);
    SetLane(group->axis, lane, &axis.x, 3);
    SetLane(group->child, lane, &item->child.x, 3);
    SetLane(group->restAxis, lane, &restAxis.x, 3);
    group->colliderCount = tdMaxInt(group->colliderCount, item->colliderCount);
}

static bool MakeSpringGroups(Builder* builder, tdSpringLevel* levels)
{
    int* slots = tdArena_NewArray(builder->arena, int, builder->list->jointCount);
    // Every level ends with at most one group that is not full.
    int most = builder->orderCount / TD_SPRING_LANES + builder->levelCount;
    tdSpringGroup* groups = tdArena_AllocateArray(builder->arena, (size_t)most, sizeof(tdSpringGroup), 32);
    tdSpringLaneParameters* parameters =
        tdArena_AllocateArray(builder->arena, (size_t)most, sizeof(tdSpringLaneParameters), 32);
    uint64_t* turned = tdArena_NewArray(builder->arena, uint64_t, (builder->nodes->count + 63) / 64);
    if (slots == NULL || groups == NULL || parameters == NULL || turned == NULL)
    {
        return false;
    }
    memset(slots, 0xff, (size_t)builder->list->jointCount * sizeof(int));
    tdHeapSort(builder->order, builder->orderCount, sizeof(int), RunsBefore, builder);
    tdSpringPlan* plan = builder->plan;
    for (int i = 0; i < builder->orderCount; ++i)
    {
        int joint = builder->order[i], level = builder->levels[joint];
        bool isFirst = i == 0 || builder->levels[builder->order[i - 1]] != level;
        if (isFirst)
        {
            levels[level].groupStart = plan->groupCount;
        }
        if (isFirst || groups[plan->groupCount - 1].count == TD_SPRING_LANES)
        {
            tdSpringGroup* group = &groups[plan->groupCount++];
            for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
            {
                FillLane(builder, group, lane, joint);
            }
        }
        tdSpringGroup* group = &groups[plan->groupCount - 1];
        int position = builder->nodes->positions[builder->list->joints[joint].node];
        turned[position >> 6] |= UINT64_C(1) << (position & 63);
        slots[joint] = (plan->groupCount - 1) * TD_SPRING_LANES + group->count;
        FillLane(builder, group, group->count, joint);
        if (builder->list->joints[joint].limit.kind != TD_SPRING_LIMIT_NONE)
        {
            group->limited = (uint8_t)(group->limited | 1u << group->count);
        }
        group->count += 1;
        levels[level].groupEnd = plan->groupCount;
    }
    plan->groups = groups;
    plan->turnedBits = turned;
    plan->slots = slots;
    plan->parameters = parameters;
    for (int i = 0; i < builder->orderCount; ++i)
    {
        int joint = builder->order[i];
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
    int* centers = tdArena_NewArray(builder->arena, int, builder->orderCount + 1);
    if (places == NULL || stamps == NULL || centers == NULL)
    {
        return false;
    }
    centers[0] = -1;
    plan->centerCount = 1;
    for (int level = 0; level < builder->levelCount; ++level)
    {
        levels[level].centerStart = plan->centerCount;
        for (int g = levels[level].groupStart; g < levels[level].groupEnd; ++g)
        {
            tdSpringGroup* group = &plan->groups[g];
            for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
            {
                int center = builder->list->springs[builder->list->joints[group->joints[lane]].spring].center;
                if (center >= 0 && stamps[center] != level + 1)
                {
                    stamps[center] = level + 1;
                    places[center] = plan->centerCount;
                    centers[plan->centerCount++] = center;
                }
                group->centers[lane] = center >= 0 ? places[center] : 0;
                group->hasCenter = group->hasCenter || center >= 0;
            }
        }
        levels[level].centerEnd = plan->centerCount;
    }
    plan->centers = centers;
    return true;
}

// Colliders. Each is computed once, at the first level at which it is final. One that depends on a joint
// which it stops has a second instance, computed before any joint turns.

// Place of the instance of a collider that a joint meets.
static int* FindColliderPlace(const Builder* builder, int joint, int collider, int* level)
{
    int mover = builder->above[builder->list->colliders[collider].node];
    bool isEarly = mover >= 0 && builder->component[mover] == builder->component[joint];
    *level = mover >= 0 && !isEarly ? builder->levels[mover] + 1 : 0;
    return isEarly ? &builder->earlyColliders[collider] : &builder->lateColliders[collider];
}

static bool MakeColliders(Builder* builder, tdSpringLevel* levels)
{
    const tdSpringList* list = builder->list;
    tdSpringPlan* plan = builder->plan;
    int* counts = tdArena_NewArray(builder->scratch, int, builder->levelCount + 1);
    int* colliders = tdArena_NewArray(builder->arena, int, 2 * (size_t)list->colliderCount + 1);
    builder->lateColliders = tdArena_NewArray(builder->scratch, int, list->colliderCount);
    builder->earlyColliders = tdArena_NewArray(builder->scratch, int, list->colliderCount);
    if (counts == NULL || colliders == NULL || builder->lateColliders == NULL ||
        builder->earlyColliders == NULL)
    {
        return false;
    }
    // Count the instances of each level, then give them places level by level.
    colliders[0] = -1;
    plan->colliderCount = 1;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int i = 0; i < builder->orderCount; ++i)
        {
            int joint = builder->order[i];
            ColliderWalk walk = StartColliders(list, joint);
            for (int c = NextCollider(&walk); c >= 0; c = NextCollider(&walk))
            {
                int level, *place = FindColliderPlace(builder, joint, c, &level);
                if (pass == 0 && *place == 0)
                {
                    *place = -1;
                    counts[level] += 1;
                }
                else if (pass == 1 && *place < 0)
                {
                    *place = levels[level].colliderEnd++;
                    colliders[*place] = c;
                }
            }
        }
        for (int level = 0; level < builder->levelCount && pass == 0; ++level)
        {
            levels[level].colliderStart = levels[level].colliderEnd = plan->colliderCount;
            plan->colliderCount += counts[level];
        }
    }
    plan->colliders = colliders;
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
    uint8_t* specialKinds = tdArena_NewArray(builder->arena, uint8_t, rows);
    if (lanes == NULL || specialKinds == NULL)
    {
        return false;
    }
    for (int g = 0; g < plan->groupCount; ++g)
    {
        const tdSpringGroup* group = &plan->groups[g];
        for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
        {
            int at = group->colliderStart, level;
            ColliderWalk walk = StartColliders(builder->list, group->joints[lane]);
            for (int c = NextCollider(&walk); c >= 0; c = NextCollider(&walk), at += TD_SPRING_LANES)
            {
                lanes[at + lane] = *FindColliderPlace(builder, group->joints[lane], c, &level);
                tdSpringShape shape = builder->list->colliders[c].shape;
                bool isSpecial = shape == TD_SPRING_PLANE || tdSpringShape_IsInside(shape);
                specialKinds[at / TD_SPRING_LANES] |= isSpecial ? 1 : 0;
            }
        }
    }
    plan->laneColliders = lanes;
    plan->specialKinds = specialKinds;
    return true;
}

// Refreshed nodes

typedef struct RefreshList
{
    int* nodes;
    int count;
} RefreshList;

// Adds the nodes from below the nearest joint down to `node`.
static void AddRefreshPath(Builder* builder, RefreshList* list, int node)
{
    int start = list->count;
    for (; node >= 0 && builder->above[node] >= 0 && !builder->isRefreshed[node] &&
           !Moves(builder, builder->list->jointOfNode[node]);
         node = builder->nodes->parents[node])
    {
        builder->isRefreshed[node] = true;
        list->nodes[list->count++] = node;
    }
    for (int low = start, high = list->count - 1; low < high; ++low, --high)
    {
        int swapped = list->nodes[low];
        list->nodes[low] = list->nodes[high];
        list->nodes[high] = swapped;
    }
}

static bool MakeRefreshLists(Builder* builder, tdSpringLevel* levels)
{
    tdSpringPlan* plan = builder->plan;
    // Every node once as a path, and every center that is a joint of its own level once.
    RefreshList list = {.nodes = tdArena_NewArray(builder->arena, int,
                                                  (size_t)builder->nodes->count + (size_t)plan->centerCount)};
    builder->isRefreshed = tdArena_NewArray(builder->scratch, bool, builder->nodes->count);
    if (list.nodes == NULL || builder->isRefreshed == NULL)
    {
        return false;
    }
    for (int i = 0; i < builder->levelCount; ++i)
    {
        tdSpringLevel* level = &levels[i];
        level->refreshStart = list.count;
        for (int g = level->groupStart; g < level->groupEnd; ++g)
        {
            for (int lane = 0; lane < plan->groups[g].count; ++lane)
            {
                AddRefreshPath(builder, &list, plan->groups[g].parents[lane]);
            }
        }
        for (int c = level->colliderStart; c < level->colliderEnd; ++c)
        {
            // Level 0 reads globals that no joint has changed.
            AddRefreshPath(builder, &list, i > 0 ? builder->list->colliders[plan->colliders[c]].node : -1);
        }
        for (int c = level->centerStart; c < level->centerEnd; ++c)
        {
            int own = builder->list->jointOfNode[plan->centers[c]];
            AddRefreshPath(builder, &list, plan->centers[c]);
            if (i > 0 && Moves(builder, own) && builder->levels[own] == i)
            {
                list.nodes[list.count++] = ~plan->centers[c];
            }
        }
        level->refreshEnd = list.count;
    }
    plan->refreshNodes = list.nodes;
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
                       .above = tdArena_NewArray(scratch, int, nodes->count),
                       .component = tdArena_NewArray(scratch, int, list->jointCount),
                       .order = tdArena_NewArray(scratch, int, list->jointCount),
                       .levels = tdArena_NewArray(scratch, int, list->jointCount),
                       .plan = tdArena_New(arena, tdSpringPlan)};
    if (builder.above == NULL || builder.component == NULL || builder.order == NULL ||
        builder.levels == NULL || builder.plan == NULL)
    {
        return false;
    }
    FindJointsAbove(&builder);
    if (!FindComponents(&builder))
    {
        return false;
    }
    ComputeLevels(&builder);
    if (builder.orderCount == 0)
    {
        return true;
    }
    tdSpringLevel* levels = tdArena_NewArray(arena, tdSpringLevel, builder.levelCount);
    if (levels == NULL || !MakeSpringGroups(&builder, levels) || !MakeCenters(&builder, levels) ||
        !MakeColliders(&builder, levels) || !MakeLaneColliders(&builder) ||
        !MakeRefreshLists(&builder, levels))
    {
        return false;
    }
    builder.plan->levels = levels;
    builder.plan->levelCount = builder.levelCount;
    list->plan = builder.plan;
    return true;
}
