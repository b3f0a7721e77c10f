// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Cycles by Tarjan's algorithm, ranks by a topological sort that prefers the order of the file, levels by the
// longest chain of dependencies. The work is linear in the size of the file and the number of pairs of joint
// and collider, which is bounded, but for logarithms.
#include "spring_order.h"

#include "base/heap_sort.h"

bool tdSpringOrder_Moves(const tdSpringOrder* order, int joint)
{
    return joint >= 0 && !order->list->joints[joint].isInert;
}

static int GetJointAbove(const tdSpringOrder* order, int joint)
{
    int parent = order->nodes->parents[order->list->joints[joint].node];
    return parent >= 0 ? order->above[parent] : -1;
}

static void FindJointsAbove(tdSpringOrder* order)
{
    const tdNodeTree* nodes = order->nodes;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], own = order->list->jointOfNode[node], parent = nodes->parents[node];
        order->above[node] =
            tdSpringOrder_Moves(order, own) ? own : (parent >= 0 ? order->above[parent] : -1);
    }
}

tdSpringColliderWalk tdStartSpringColliders(const tdSpringList* list, int joint)
{
    return (tdSpringColliderWalk){.list = list,
                                  .spring = &list->springs[list->joints[joint].spring],
                                  .left = list->joints[joint].colliderCount};
}

int tdNextSpringCollider(tdSpringColliderWalk* walk)
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
    tdSpringColliderWalk walk;
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
static int NextDependency(const tdSpringOrder* order, Visit* visit)
{
    if (visit->edge++ == 0)
    {
        return GetJointAbove(order, visit->joint);
    }
    int collider = tdNextSpringCollider(&visit->walk);
    return collider < 0 ? -2 : order->above[order->list->colliders[collider].node];
}

static void Enter(const tdSpringOrder* order, Search* search, int joint)
{
    search->index[joint] = search->lowest[joint] = ++search->nextIndex;
    search->open[search->openCount++] = joint;
    search->isOpen[joint] = true;
    search->path[search->pathCount++] =
        (Visit){.joint = joint, .walk = tdStartSpringColliders(order->list, joint)};
}

static void CloseComponent(tdSpringOrder* order, Search* search, int joint)
{
    int member;
    do
    {
        member = search->open[--search->openCount];
        search->isOpen[member] = false;
        order->component[member] = search->componentCount;
    } while (member != joint);
    search->componentCount += 1;
}

static void SearchFrom(tdSpringOrder* order, Search* search, int start)
{
    Enter(order, search, start);
    while (search->pathCount > 0)
    {
        Visit* visit = &search->path[search->pathCount - 1];
        int joint = visit->joint, next = NextDependency(order, visit);
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
                CloseComponent(order, search, joint);
            }
        }
        else if (next >= 0 && search->index[next] == 0)
        {
            Enter(order, search, next);
        }
        else if (next >= 0 && search->isOpen[next])
        {
            search->lowest[joint] = tdMinInt(search->lowest[joint], search->index[next]);
        }
    }
}

static bool FindComponents(tdSpringOrder* order, tdArena* scratch)
{
    int count = order->list->jointCount;
    Search search = {.index = tdArena_NewArray(scratch, int, count),
                     .lowest = tdArena_NewArray(scratch, int, count),
                     .isOpen = tdArena_NewArray(scratch, bool, count),
                     .open = tdArena_NewArray(scratch, int, count),
                     .path = tdArena_NewArray(scratch, Visit, count)};
    if (search.index == NULL || search.lowest == NULL || search.isOpen == NULL || search.open == NULL ||
        search.path == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        if (tdSpringOrder_Moves(order, i) && search.index[i] == 0)
        {
            SearchFrom(order, &search, i);
        }
    }
    return true;
}

// Ranks

// Joints that may turn next: a heap with the first of the file on top.
typedef struct ReadyJoints
{
    int* joints;
    int count;
} ReadyJoints;

static void AddReady(ReadyJoints* ready, int joint)
{
    int at = ready->count++;
    for (; at > 0 && ready->joints[(at - 1) / 2] > joint; at = (at - 1) / 2)
    {
        ready->joints[at] = ready->joints[(at - 1) / 2];
    }
    ready->joints[at] = joint;
}

static int TakeReady(ReadyJoints* ready)
{
    int first = ready->joints[0], last = ready->joints[--ready->count], at = 0;
    for (int child = 1; child < ready->count; child = 2 * at + 1)
    {
        child += child + 1 < ready->count && ready->joints[child + 1] < ready->joints[child];
        if (ready->joints[child] >= last)
        {
            break;
        }
        ready->joints[at] = ready->joints[child];
        at = child;
    }
    ready->joints[at] = last;
    return first;
}

// Dependencies first: components are numbered in that order.
static bool IsOfEarlierComponent(const void* left, const void* right, const void* context)
{
    const tdSpringOrder* order = context;
    int a = *(const int*)left, b = *(const int*)right;
    return order->component[a] != order->component[b] ? order->component[a] < order->component[b] : a < b;
}

static bool ComputeRanks(tdSpringOrder* order, tdArena* scratch)
{
    int count = order->list->jointCount;
    int* sorted = tdArena_NewArray(scratch, int, count);
    int* firstBelow = tdArena_NewArray(scratch, int, count); // by joint: joint + 1 of the same component
    int* nextBelow = tdArena_NewArray(scratch, int, count);  // by joint: the next of its list
    ReadyJoints ready = {.joints = tdArena_NewArray(scratch, int, count)};
    if (sorted == NULL || firstBelow == NULL || nextBelow == NULL || ready.joints == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        if (tdSpringOrder_Moves(order, i))
        {
            sorted[order->jointCount++] = i;
        }
    }
    tdHeapSort(sorted, order->jointCount, sizeof(int), IsOfEarlierComponent, order);
    for (int start = 0, end = 0, rank = 0; start < order->jointCount; start = end)
    {
        int component = order->component[sorted[start]];
        for (; end < order->jointCount && order->component[sorted[end]] == component; ++end)
        {
            int joint = sorted[end], above = GetJointAbove(order, joint);
            if (above >= 0 && order->component[above] == component)
            {
                nextBelow[joint] = firstBelow[above];
                firstBelow[above] = joint + 1;
            }
            else
            {
                AddReady(&ready, joint);
            }
        }
        while (ready.count > 0)
        {
            int joint = TakeReady(&ready);
            order->joints[rank] = joint;
            order->ranks[joint] = rank++;
            for (int below = firstBelow[joint]; below > 0; below = nextBelow[below - 1])
            {
                AddReady(&ready, below - 1);
            }
        }
    }
    return true;
}

// Each joint has a pointer to a joint above it. The lengths of the jumps are those of the digits of a skew
// binary number, so that any joint above is reached in logarithmic time.
static void ComputeJumps(tdSpringOrder* order)
{
    for (int i = 0; i < order->jointCount; ++i)
    {
        int joint = order->joints[i], above = GetJointAbove(order, joint);
        if (above < 0)
        {
            order->jumps[joint] = joint;
            continue;
        }
        int jump = order->jumps[above], next = order->jumps[jump];
        bool isDouble =
            order->depths[above] - order->depths[jump] == order->depths[jump] - order->depths[next];
        order->depths[joint] = order->depths[above] + 1;
        order->jumps[joint] = isDouble ? next : above;
    }
}

int tdSpringOrder_FindTurned(const tdSpringOrder* order, int joint, int collider)
{
    int found = order->above[order->list->colliders[collider].node], rank = order->ranks[joint];
    while (found >= 0 && order->ranks[found] >= rank)
    {
        int jump = order->jumps[found];
        found = jump != found && order->ranks[jump] >= rank ? jump : GetJointAbove(order, found);
    }
    return found;
}

static void ComputeLevels(tdSpringOrder* order)
{
    for (int i = 0; i < order->jointCount; ++i)
    {
        int joint = order->joints[i], above = GetJointAbove(order, joint);
        int level = above >= 0 ? order->levels[above] + 1 : 0;
        tdSpringColliderWalk walk = tdStartSpringColliders(order->list, joint);
        for (int c = tdNextSpringCollider(&walk); c >= 0; c = tdNextSpringCollider(&walk))
        {
            int turned = tdSpringOrder_FindTurned(order, joint, c);
            level = turned >= 0 ? tdMaxInt(level, order->levels[turned] + 1) : level;
        }
        order->levels[joint] = level;
        order->levelCount = tdMaxInt(order->levelCount, level + 1);
    }
}

bool tdSpringOrder_Build(tdSpringOrder* order, const tdSpringList* list, const tdNodeTree* nodes,
                         tdArena* scratch)
{
    *order = (tdSpringOrder){.list = list,
                             .nodes = nodes,
                             .above = tdArena_NewArray(scratch, int, nodes->count),
                             .component = tdArena_NewArray(scratch, int, list->jointCount),
                             .joints = tdArena_NewArray(scratch, int, list->jointCount),
                             .ranks = tdArena_NewArray(scratch, int, list->jointCount),
                             .levels = tdArena_NewArray(scratch, int, list->jointCount),
                             .depths = tdArena_NewArray(scratch, int, list->jointCount),
                             .jumps = tdArena_NewArray(scratch, int, list->jointCount)};
    if (order->above == NULL || order->component == NULL || order->joints == NULL || order->ranks == NULL ||
        order->levels == NULL || order->depths == NULL || order->jumps == NULL)
    {
        return false;
    }
    FindJointsAbove(order);
    if (!FindComponents(order, scratch) || !ComputeRanks(order, scratch))
    {
        return false;
    }
    ComputeJumps(order);
    ComputeLevels(order);
    return true;
}
