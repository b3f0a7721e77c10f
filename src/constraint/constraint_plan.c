// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds constraint groups. Nodes to refresh form strands: paths without branches and without constrained
// nodes, so that one lane can refresh a whole strand. The level of a strand or constraint is one more than
// the highest level of its inputs; items of one level do not depend on each other. Within a level,
// constraints of one kind and strands of similar length form groups. See docs/decisions/032.
#include "constraint_plan.h"

#include "constraint_list.h"

#include <stdlib.h>
#include <string.h>

/// A strand or a constraint.
typedef struct PlanItem
{
    int level;
    tdConstraintGroupKind kind;
    int length; // of a strand; 1 for a constraint
    int index;  // first place of the strand in `path`, or place in the list
} PlanItem;

typedef struct Planner
{
    const tdConstraintList* list;
    const tdNodeTree* nodes;
    tdArena* arena;
    int* childCounts; // by node: refreshed children
    int* strandOf;    // by node: item
    int* levels;      // by place: of constraints
    PlanItem* items;
    int itemCount;
    int* path; // refreshed nodes, strand after strand
    tdConstraintGroup* groups;
    int groupCount;
} Planner;

// Adds a refreshed node to its parent's strand, or starts a strand with it.
static void AddNode(Planner* planner, int node)
{
    int parent = planner->nodes->parents[node], place = planner->list->byNode[node];
    if (parent >= 0 && planner->childCounts[parent] == 1 && place < 0)
    {
        planner->strandOf[node] = planner->strandOf[parent];
        planner->items[planner->strandOf[node]].length += 1;
        return;
    }
    int above = parent >= 0 ? planner->items[planner->strandOf[parent]].level : -1;
    int own = place >= 0 ? planner->levels[place] : -1;
    planner->strandOf[node] = planner->itemCount;
    planner->items[planner->itemCount++] =
        (PlanItem){.level = 1 + tdMaxInt(above, own), .kind = TD_CONSTRAINT_GROUP_REFRESH, .length = 1};
}

static void AddConstraint(Planner* planner, int place)
{
    const tdConstraintStep* step = &planner->list->steps[place];
    int level = 0;
    tdConstraintGroupKind kind = TD_CONSTRAINT_GROUP_ANY;
    if (!step->isInCycle && step->kind == TD_CONSTRAINT_AIM)
    {
        int ends[2] = {step->sourceParent, step->destinationParent};
        bool hasRoot = ends[0] < 0 || ends[1] < 0;
        kind = hasRoot ? TD_CONSTRAINT_GROUP_ANY : TD_CONSTRAINT_GROUP_AIM;
        for (int i = 0; i < 2; ++i)
        {
            level =
                ends[i] >= 0 ? tdMaxInt(level, 1 + planner->items[planner->strandOf[ends[i]]].level) : level;
        }
    }
    else if (!step->isInCycle)
    {
        int other = planner->list->byNode[step->source];
        kind = step->kind == TD_CONSTRAINT_ROLL ? TD_CONSTRAINT_GROUP_ROLL : TD_CONSTRAINT_GROUP_ROTATION;
        level = other >= 0 ? 1 + planner->levels[other] : 0;
    }
    planner->levels[place] = level;
    planner->items[planner->itemCount++] =
        (PlanItem){.level = level, .kind = kind, .length = 1, .index = place};
}

// The list is in order of dependency, so the inputs of an item have their level already.
static void MakeItems(Planner* planner)
{
    const tdConstraintList* list = planner->list;
    for (int i = 0; i < list->refreshCount; ++i)
    {
        int parent = planner->nodes->parents[list->refreshNodes[i]];
        if (parent >= 0)
        {
            planner->childCounts[parent] += 1;
        }
    }
    for (int place = 0; place < list->count; ++place)
    {
        for (int i = list->steps[place].refreshStart; i < list->steps[place].refreshEnd; ++i)
        {
            AddNode(planner, list->refreshNodes[i]);
        }
        AddConstraint(planner, place);
    }
    // Nodes of a strand, one after the other.
    int used = 0;
    for (int i = 0; i < planner->itemCount; ++i)
    {
        if (planner->items[i].kind == TD_CONSTRAINT_GROUP_REFRESH)
        {
            planner->items[i].index = used;
            used += planner->items[i].length;
        }
    }
    for (int i = 0; i < list->refreshCount; ++i) // parents come first; `index` is the fill position
    {
        int node = list->refreshNodes[i];
        planner->path[planner->items[planner->strandOf[node]].index++] = node;
    }
    for (int i = 0; i < planner->itemCount; ++i)
    {
        planner->items[i].index -=
            planner->items[i].kind == TD_CONSTRAINT_GROUP_REFRESH ? planner->items[i].length : 0;
    }
}

static int ComparePlanItems(const void* left, const void* right)
{
    const PlanItem *a = left, *b = right;
    if (a->level != b->level)
    {
        return a->level < b->level ? -1 : 1;
    }
    if (a->kind != b->kind)
    {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->length != b->length)
    {
        return a->length > b->length ? -1 : 1;
    }
    return a->index < b->index ? -1 : (a->index > b->index ? 1 : 0);
}

static int* AddGroup(Planner* planner, tdConstraintGroupKind kind, int width, int count, int length)
{
    int* numbers = tdArena_NewArray(planner->arena, int, (size_t)width*(size_t)length);
    planner->groups[planner->groupCount++] = (tdConstraintGroup){kind, width, count, length, numbers, NULL};
    return numbers;
}

// Adds nodes [start, length) of some strands as single nodes. The strands alternate, so that consecutive
// updates do not depend on each other.
static bool AddSingleNodes(Planner* planner, const PlanItem* items, int count, int start)
{
    int total = 0, used = 0, longest = 0;
    for (int i = 0; i < count; ++i)
    {
        total += items[i].length - start;
        longest = tdMaxInt(longest, items[i].length);
    }
    if (total == 0)
    {
        return true;
    }
    int* numbers = AddGroup(planner, TD_CONSTRAINT_GROUP_REFRESH, 1, 1, total);
    for (int depth = start; depth < longest && numbers != NULL; ++depth)
    {
        for (int i = 0; i < count; ++i)
        {
            if (depth < items[i].length)
            {
                numbers[used++] = planner->path[items[i].index + depth];
            }
        }
    }
    return numbers != NULL;
}

// Adds strands of one level, longest first. A group holds strands at least half as long as its first, and at
// least three of them: four lanes cost as much as two or three single nodes (tendon_bench_constraints).
static bool AddStrands(Planner* planner, const PlanItem* items, int count)
{
    for (int i = 0; i < count;)
    {
        int alike = 1;
        while (alike < 8 && i + alike < count && 2 * items[i + alike].length >= items[i].length)
        {
            alike += 1;
        }
        int width = alike > 4 ? 8 : (alike > 2 ? 4 : 1), shortest = items[i + alike - 1].length;
        if (width > 1)
        {
            int* numbers = AddGroup(planner, TD_CONSTRAINT_GROUP_REFRESH, width, alike, shortest);
            if (numbers == NULL)
            {
                return false;
            }
            for (int k = 0; k < shortest * width; ++k)
            {
                const PlanItem* item = &items[i + (k % width < alike ? k % width : 0)];
                numbers[k] = planner->path[item->index + k / width];
            }
        }
        if (!AddSingleNodes(planner, items + i, alike, width > 1 ? shortest : 0))
        {
            return false;
        }
        i += alike;
    }
    return true;
}

static bool FillLanes(Planner* planner, const PlanItem* items, int* numbers)
{
    tdConstraintGroup* group = &planner->groups[planner->groupCount - 1];
    int width = group->width;
    float* constants = group->kind != TD_CONSTRAINT_GROUP_ANY
                           ? tdArena_NewArray(planner->arena, float, (size_t)(TD_CONSTANT_ROWS * width))
                           : NULL;
    if (numbers == NULL || (constants == NULL && group->kind != TD_CONSTRAINT_GROUP_ANY))
    {
        return false;
    }
    group->constants = constants;
    for (int lane = 0; lane < width; ++lane)
    {
        int place = items[lane < group->count ? lane : 0].index;
        const tdConstraintStep* step = &planner->list->steps[place];
        const float rows[TD_CONSTANT_ROWS] = {
            step->rest.x,  step->rest.y,  step->rest.z, step->rest.w,  step->left.x,
            step->left.y,  step->left.z,  step->left.w, step->right.x, step->right.y,
            step->right.z, step->right.w, step->axis.x, step->axis.y,  step->axis.z,
        };
        const int all[TD_NUMBER_ROWS] = {place, step->destination, step->source, step->destinationParent,
                                         step->sourceParent};
        for (int i = 0; i < TD_NUMBER_ROWS; ++i)
        {
            numbers[i * width + lane] = all[i];
        }
        for (int i = 0; i < TD_CONSTANT_ROWS && constants != NULL; ++i)
        {
            constants[i * width + lane] = rows[i];
        }
    }
    return true;
}

// Adds constraints of one level and kind.
static bool AddConstraints(Planner* planner, const PlanItem* items, int count)
{
    for (int i = 0; i < count;)
    {
        int left = count - i;
        int width = items[i].kind == TD_CONSTRAINT_GROUP_ANY || left == 1 ? 1 : (left > 4 ? 8 : 4);
        int taken = left < width ? left : width;
        tdConstraintGroupKind kind = width == 1 ? TD_CONSTRAINT_GROUP_ANY : items[i].kind;
        int* numbers = AddGroup(planner, kind, width, taken, TD_NUMBER_ROWS);
        if (!FillLanes(planner, items + i, numbers))
        {
            return false;
        }
        i += taken;
    }
    return true;
}

static bool MakeGroups(Planner* planner)
{
    // An item makes at most two groups: one of lanes, one of the remaining nodes of longer strands.
    planner->groups = tdArena_NewArray(planner->arena, tdConstraintGroup, 2 * (size_t)planner->itemCount);
    if (planner->groups == NULL)
    {
        return false;
    }
    qsort(planner->items, (size_t)planner->itemCount, sizeof(PlanItem), ComparePlanItems);
    bool isGood = true;
    for (int start = 0, end; start < planner->itemCount && isGood; start = end)
    {
        const PlanItem* first = &planner->items[start];
        end = start + 1;
        while (end < planner->itemCount && planner->items[end].level == first->level &&
               planner->items[end].kind == first->kind)
        {
            end += 1;
        }
        isGood = first->kind == TD_CONSTRAINT_GROUP_REFRESH ? AddStrands(planner, first, end - start)
                                                            : AddConstraints(planner, first, end - start);
    }
    return isGood;
}

tdConstraintPlan* tdConstraintPlan_Build(const tdConstraintList* list, const tdNodeTree* nodes,
                                         tdArena* arena)
{
    tdArena scratch;
    tdArena_Init(&scratch, &arena->allocator, 0);
    Planner planner = {.list = list, .nodes = nodes, .arena = arena};
    planner.childCounts = tdArena_NewArray(&scratch, int, nodes->count);
    planner.strandOf = tdArena_NewArray(&scratch, int, nodes->count);
    planner.levels = tdArena_NewArray(&scratch, int, list->count);
    planner.items = tdArena_NewArray(&scratch, PlanItem, (size_t)list->count + (size_t)list->refreshCount);
    planner.path = tdArena_NewArray(&scratch, int, list->refreshCount);
    tdConstraintPlan* plan = tdArena_New(arena, tdConstraintPlan);
    bool isGood = plan != NULL && planner.childCounts != NULL && planner.strandOf != NULL &&
                  planner.levels != NULL && planner.items != NULL && planner.path != NULL;
    if (isGood)
    {
        MakeItems(&planner);
        isGood = MakeGroups(&planner);
        plan->groups = planner.groups;
        plan->count = planner.groupCount;
    }
    tdArena_Free(&scratch);
    return isGood ? plan : NULL;
}
