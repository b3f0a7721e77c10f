// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Orders node constraints by what they read. Roll and rotation read the local rotation of their source, so
// they depend on a constraint of that node. Aim reads positions, so it depends on every constraint above its
// source and above its destination.
//
// Listing the dependencies of aims takes (aims x depth) edges. Instead each node x gets a vertex V(x), "all
// constraints at or above x have run", which depends on V(parent of x) and on the constraint of x. An aim
// depends on V(parent of source) and V(parent of destination). So no vertex has more than two edges, and the
// work is linear in nodes and constraints for every file.
#include "constraint_list.h"

#include "constraint_plan.h"

#include <string.h>

typedef struct ConstraintGraph
{
    int nodeCount, count; // vertices: V(0) … V(nodeCount - 1), then the constraints
    int (*edges)[2];      // dependencies of a vertex, -1: none
    const tdNodeConstraint* items;
} ConstraintGraph;

static void LinkVertices(ConstraintGraph* graph, const tdNodeTree* nodes, const int* byNode)
{
    int n = graph->nodeCount;
    for (int i = 0; i < n; ++i)
    {
        graph->edges[i][0] = nodes->parents[i];
        graph->edges[i][1] = byNode[i] >= 0 ? n + byNode[i] : -1;
    }
    for (int i = 0; i < graph->count; ++i)
    {
        const tdNodeConstraint* item = &graph->items[i];
        int* edges = graph->edges[n + i];
        if (item->kind == TD_CONSTRAINT_AIM)
        {
            edges[0] = nodes->parents[item->source];
            edges[1] = nodes->parents[item->destination];
        }
        else
        {
            edges[0] = byNode[item->source] >= 0 ? n + byNode[item->source] : -1;
            edges[1] = -1;
        }
    }
}

// Tarjan's strongly connected components, with an explicit call stack. A constraint is in a cycle if its
// component has more than one vertex; no vertex has an edge to itself.
static void MarkCycles(const ConstraintGraph* graph, int* cycles, int* scratch)
{
    int total = graph->nodeCount + graph->count;
    int* number = scratch;            // order of discovery from 1; 0: not seen yet
    int* low = scratch + total;       // least number reachable
    int* open = scratch + 2 * total;  // vertices of unfinished components
    int* calls = scratch + 3 * total; // path from the start vertex
    int* next = scratch + 4 * total;  // edge to follow next; 3: component finished
    memset(scratch, 0, (size_t)total * 5 * sizeof(int));
    int discovered = 0, openCount = 0, cycleCount = 0;
    for (int start = graph->nodeCount; start < total; ++start)
    {
        if (number[start] != 0)
        {
            continue;
        }
        int depth = 0;
        calls[depth++] = start;
        while (depth > 0)
        {
            int vertex = calls[depth - 1];
            if (number[vertex] == 0)
            {
                number[vertex] = low[vertex] = ++discovered;
                open[openCount++] = vertex;
            }
            if (next[vertex] < 2)
            {
                int target = graph->edges[vertex][next[vertex]];
                if (target >= 0 && number[target] == 0)
                {
                    calls[depth++] = target; // returns to this edge
                    continue;
                }
                if (target >= 0 && next[target] != 3 && low[target] < low[vertex])
                {
                    low[vertex] = low[target];
                }
                next[vertex] += 1;
                continue;
            }
            if (low[vertex] == number[vertex])
            {
                bool isCycle = open[openCount - 1] != vertex;
                int member;
                do
                {
                    member = open[--openCount];
                    next[member] = 3;
                    if (member >= graph->nodeCount)
                    {
                        cycles[member - graph->nodeCount] = isCycle ? cycleCount : -1;
                    }
                } while (member != vertex);
                cycleCount += isCycle;
            }
            depth -= 1;
        }
    }
}

// A heap of constraints with the smallest destination node on top.
static void PushHeap(int* heap, int* count, const tdNodeConstraint* items, int item)
{
    int place = (*count)++;
    while (place > 0 && items[heap[(place - 1) / 2]].destination > items[item].destination)
    {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = item;
}

static int PopHeap(int* heap, int* count, const tdNodeConstraint* items)
{
    int top = heap[0];
    int last = heap[--(*count)];
    int place = 0;
    for (;;)
    {
        int child = 2 * place + 1;
        if (child >= *count)
        {
            break;
        }
        if (child + 1 < *count && items[heap[child + 1]].destination < items[heap[child]].destination)
        {
            child += 1;
        }
        if (items[heap[child]].destination >= items[last].destination)
        {
            break;
        }
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = last;
    return top;
}

typedef struct VertexSorter
{
    const ConstraintGraph* graph;
    int* waiting; // by vertex: dependencies that are not done
    int* starts;  // users of vertex v: [starts[v], starts[v + 1])
    int* users;
    int* free; // V() vertices that are ready
    int* heap; // constraints that are ready
    int freeCount, heapCount;
} VertexSorter;

static void ReleaseVertex(VertexSorter* sorter, int vertex)
{
    if (vertex < sorter->graph->nodeCount)
    {
        sorter->free[sorter->freeCount++] = vertex;
    }
    else
    {
        PushHeap(sorter->heap, &sorter->heapCount, sorter->graph->items, vertex - sorter->graph->nodeCount);
    }
}

static void LinkUsers(VertexSorter* sorter, const int* cycles)
{
    const ConstraintGraph* graph = sorter->graph;
    int n = graph->nodeCount, total = n + graph->count;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int v = 0; v < total; ++v)
        {
            if (v >= n && cycles[v - n] >= 0)
            {
                continue; // stays at rest, so it has no dependencies
            }
            for (int e = 0; e < 2; ++e)
            {
                int target = graph->edges[v][e];
                if (target >= 0 && pass == 0)
                {
                    sorter->waiting[v] += 1;
                    sorter->starts[target + 1] += 1;
                }
                else if (target >= 0)
                {
                    sorter->users[sorter->free[target]++] = v; // `free` holds the fill positions
                }
            }
        }
        for (int v = 0; v < total && pass == 0; ++v)
        {
            sorter->starts[v + 1] += sorter->starts[v];
            sorter->free[v] = sorter->starts[v];
        }
    }
}

// Kahn's algorithm. Writes the constraints' indices in order of evaluation, members of cycles first.
static void SortVertices(const ConstraintGraph* graph, const int* cycles, int* order, int* scratch)
{
    int n = graph->nodeCount, total = n + graph->count, done = 0;
    memset(scratch, 0, (size_t)(2 * total + 1) * sizeof(int));
    VertexSorter sorter = {.graph = graph, .waiting = scratch, .starts = scratch + total};
    sorter.users = sorter.starts + total + 1;
    sorter.free = sorter.users + 2 * total;
    sorter.heap = sorter.free + total;
    LinkUsers(&sorter, cycles);

    for (int i = 0; i < graph->count; ++i)
    {
        if (cycles[i] >= 0)
        {
            PushHeap(sorter.heap, &sorter.heapCount, graph->items, i);
        }
    }
    while (sorter.heapCount > 0)
    {
        int item = PopHeap(sorter.heap, &sorter.heapCount, graph->items);
        order[done++] = item;
        for (int u = sorter.starts[n + item]; u < sorter.starts[n + item + 1]; ++u)
        {
            sorter.waiting[sorter.users[u]] -= 1;
        }
    }
    for (int v = 0; v < total; ++v)
    {
        if (sorter.waiting[v] == 0 && (v < n || cycles[v - n] < 0))
        {
            ReleaseVertex(&sorter, v);
        }
    }
    while (sorter.freeCount > 0 || sorter.heapCount > 0)
    {
        int vertex;
        if (sorter.freeCount > 0)
        {
            vertex = sorter.free[--sorter.freeCount];
        }
        else
        {
            int item = PopHeap(sorter.heap, &sorter.heapCount, graph->items);
            order[done++] = item;
            vertex = n + item;
        }
        for (int u = sorter.starts[vertex]; u < sorter.starts[vertex + 1]; ++u)
        {
            int user = sorter.users[u];
            sorter.waiting[user] -= 1;
            if (sorter.waiting[user] == 0)
            {
                ReleaseVertex(&sorter, user);
            }
        }
    }
}

static tdConstraintStep PrepareStep(const tdNodeTree* nodes, const tdNodeConstraint* item)
{
    tdQuat restD = nodes->locals[item->destination].rotation;
    tdQuat restS = nodes->locals[item->source].rotation;
    tdConstraintStep step = {
        .kind = item->kind,
        .destination = item->destination,
        .source = item->source,
        .destinationParent = nodes->parents[item->destination],
        .sourceParent = nodes->parents[item->source],
        .destinationSlot = -1,
        .sourceSlot = -1,
        .isInCycle = item->isInCycle,
        .rest = restD,
        .left = tdQuat_identity,
        .right = tdQuat_identity,
        .axis = item->axis,
    };
    switch (item->kind)
    {
    case TD_CONSTRAINT_ROTATION:
        step.left = tdMulQuat(restD, tdConjugate(restS));
        break;
    case TD_CONSTRAINT_ROLL:
        step.left = tdConjugate(restD);
        step.right = tdInvMulQuat(restS, restD);
        break;
    case TD_CONSTRAINT_AIM:
        step.axis = tdNormalize(tdRotate(restD, item->axis));
        break;
    }
    return step;
}

// Merges two chains, each topmost first, by depth. Parents stay before children, and the chains alternate, so
// that consecutive updates do not depend on each other.
static void MergeByDepth(const int* depths, int* list, int middle, int count, int* scratch)
{
    memcpy(scratch, list, (size_t)count * sizeof(int));
    for (int i = 0, a = 0, b = middle; i < count; ++i)
    {
        bool takesFirst = b == count || (a < middle && depths[scratch[a]] <= depths[scratch[b]]);
        list[i] = takesFirst ? scratch[a++] : scratch[b++];
    }
}

// Appends `node` and its ancestors up to the first one that is listed already, topmost first.
static void AppendChain(const tdNodeTree* nodes, int node, bool* isListed, int* list, int* count)
{
    int start = *count;
    for (; node >= 0 && !isListed[node]; node = nodes->parents[node])
    {
        isListed[node] = true;
        list[(*count)++] = node;
    }
    for (int i = start, k = *count - 1; i < k; ++i, --k)
    {
        int swapped = list[i];
        list[i] = list[k];
        list[k] = swapped;
    }
}

// Finds the parents of refreshed nodes in refreshNodes, so that running the list does not read the tree.
static void FillSlots(tdConstraintList* list, const tdNodeTree* nodes, tdConstraintStep* steps,
                      int* refreshParents, uint64_t* refreshBits, int* slots)
{
    for (int i = 0; i < nodes->count; ++i)
    {
        slots[i] = -1;
    }
    for (int i = 0; i < list->refreshCount; ++i)
    {
        int node = list->refreshNodes[i], parent = nodes->parents[node], position = nodes->positions[node];
        slots[node] = i;
        refreshParents[i] = parent >= 0 ? slots[parent] : -1;
        refreshBits[position >> 6] |= UINT64_C(1) << (position & 63);
    }
    for (int i = 0; i < list->count; ++i)
    {
        if (steps[i].kind == TD_CONSTRAINT_AIM)
        {
            int source = steps[i].sourceParent, destination = steps[i].destinationParent;
            steps[i].sourceSlot = source >= 0 ? slots[source] : -1;
            steps[i].destinationSlot = destination >= 0 ? slots[destination] : -1;
        }
    }
}

static bool FillList(tdConstraintList* list, const tdNodeTree* nodes, const tdNodeConstraint* given,
                     tdArena* arena, tdArena* scratch)
{
    int n = nodes->count, count = list->count;
    size_t total = (size_t)n + (size_t)count;
    tdNodeConstraint* items = tdArena_NewArray(arena, tdNodeConstraint, count);
    tdConstraintStep* steps = tdArena_NewArray(arena, tdConstraintStep, count);
    int* byNode = tdArena_NewArray(arena, int, n);
    int* refreshNodes = tdArena_NewArray(arena, int, n);
    int* refreshParents = tdArena_NewArray(arena, int, n);
    uint64_t* refreshBits = tdArena_NewArray(arena, uint64_t, n / 64 + 1);
    ConstraintGraph graph = {.nodeCount = n, .count = count, .items = given};
    graph.edges = tdArena_AllocateArray(scratch, total, sizeof(int[2]), _Alignof(int));
    int* numbers = tdArena_NewArray(scratch, int, 6 * total + 1);
    int* cycles = tdArena_NewArray(scratch, int, count);
    bool* isListed = tdArena_NewArray(scratch, bool, n);
    int* order = tdArena_NewArray(scratch, int, count);
    int* depths = tdArena_NewArray(scratch, int, n);
    int* merged = tdArena_NewArray(scratch, int, n);
    if (items == NULL || steps == NULL || byNode == NULL || refreshNodes == NULL || refreshParents == NULL ||
        refreshBits == NULL || graph.edges == NULL || numbers == NULL || cycles == NULL || isListed == NULL ||
        order == NULL || depths == NULL || merged == NULL)
    {
        return false;
    }
    for (int i = 0; i < n; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        depths[node] = parent >= 0 ? depths[parent] + 1 : 0;
        byNode[i] = -1;
    }
    for (int i = 0; i < count; ++i)
    {
        byNode[given[i].destination] = i;
    }
    LinkVertices(&graph, nodes, byNode);
    MarkCycles(&graph, cycles, numbers);
    SortVertices(&graph, cycles, order, numbers);

    for (int place = 0; place < count; ++place)
    {
        items[place] = given[order[place]];
        items[place].cycle = cycles[order[place]];
        items[place].isInCycle = items[place].cycle >= 0;
        byNode[items[place].destination] = place;
        steps[place] = PrepareStep(nodes, &items[place]);
        steps[place].refreshStart = list->refreshCount;
        if (items[place].kind == TD_CONSTRAINT_AIM && !items[place].isInCycle)
        {
            list->hasAim = true;
            int start = list->refreshCount;
            AppendChain(nodes, steps[place].sourceParent, isListed, refreshNodes, &list->refreshCount);
            int middle = list->refreshCount - start;
            AppendChain(nodes, steps[place].destinationParent, isListed, refreshNodes, &list->refreshCount);
            MergeByDepth(depths, refreshNodes + start, middle, list->refreshCount - start, merged);
        }
        steps[place].refreshEnd = list->refreshCount;
    }
    list->items = items;
    list->steps = steps;
    list->byNode = byNode;
    list->refreshNodes = refreshNodes;
    FillSlots(list, nodes, steps, refreshParents, refreshBits, merged);
    list->refreshParents = refreshParents;
    list->refreshBits = refreshBits;
    return true;
}

tdConstraintList* tdConstraintList_Build(const tdNodeTree* nodes, const tdNodeConstraint* items, int count,
                                         tdArena* arena)
{
    tdConstraintList* list = tdArena_New(arena, tdConstraintList);
    if (list == NULL)
    {
        return NULL;
    }
    list->count = count;
    tdArena scratch;
    tdArena_Init(&scratch, &arena->allocator, 0);
    bool filled = FillList(list, nodes, items, arena, &scratch);
    tdArena_Free(&scratch);
    list->plan = filled ? tdConstraintPlan_Build(list, nodes, arena) : NULL;
    return list->plan != NULL ? list : NULL;
}

bool tdConstraintList_FindWideCycles(const tdConstraintList* list, const tdNodeTree* nodes, bool* isInCycle,
                                     tdArena* scratch)
{
    int n = nodes->count, count = list->count;
    size_t total = (size_t)n + (size_t)count;
    ConstraintGraph graph = {.nodeCount = n, .count = count, .items = list->items};
    graph.edges = tdArena_AllocateArray(scratch, total, sizeof(int[2]), _Alignof(int));
    int* numbers = tdArena_NewArray(scratch, int, 5 * total);
    int* cycles = tdArena_NewArray(scratch, int, count);
    if (graph.edges == NULL || numbers == NULL || cycles == NULL)
    {
        return false;
    }
    LinkVertices(&graph, nodes, list->byNode);
    for (int i = 0; i < count; ++i)
    {
        graph.edges[n + i][0] = list->items[i].source;
        graph.edges[n + i][1] = -1;
    }
    MarkCycles(&graph, cycles, numbers);
    for (int i = 0; i < count; ++i)
    {
        isInCycle[i] = cycles[i] >= 0;
    }
    return true;
}

static void AddConstraintsAbove(const tdConstraintList* list, const tdNodeTree* nodes, int node, int* out,
                                int capacity, int* count)
{
    for (int above = nodes->parents[node]; above >= 0; above = nodes->parents[above])
    {
        int place = list->byNode[above];
        bool isKnown = place < 0;
        for (int i = 0; i < *count && i < capacity && !isKnown; ++i)
        {
            isKnown = out[i] == place;
        }
        if (isKnown)
        {
            continue;
        }
        // Insertion sort, as far as there is room.
        int at = tdMinInt(*count, capacity);
        *count += 1;
        if (at == capacity)
        {
            continue;
        }
        for (; at > 0 && out[at - 1] > place; --at)
        {
            out[at] = out[at - 1];
        }
        out[at] = place;
    }
}

int tdConstraintList_GetDependencies(const tdConstraintList* list, const tdNodeTree* nodes, int place,
                                     int* out, int capacity)
{
    int count = 0;
    const tdNodeConstraint* item = &list->items[place];
    if (item->kind != TD_CONSTRAINT_AIM)
    {
        int other = list->byNode[item->source];
        if (other >= 0)
        {
            count = 1;
            if (capacity > 0)
            {
                out[0] = other;
            }
        }
        return count;
    }
    AddConstraintsAbove(list, nodes, item->source, out, capacity, &count);
    AddConstraintsAbove(list, nodes, item->destination, out, capacity, &count);
    return count;
}
