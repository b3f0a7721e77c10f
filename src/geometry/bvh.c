// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// BVH by the surface area heuristic over 16 bins along the longest axis of the centres: O(n log n). Where
// bins do not separate (equal centres) or the tree gets deep, the run is cut in half, so that the depth stays
// bounded.
//
// With several workers the top levels are split first, the runs of a level side by side; then each run below
// is built where there is room for it and moved to its place in the depth-first order. A run is split by what
// is in it alone, so the tree is the one a single worker builds.
#include "bvh.h"

#include "base/assert.h"
#include "base/progress.h"
#include "base/sse2.h"
#include "base/tasks.h"

#include <string.h>

#define TD_BVH_BINS 16
#define TD_BVH_HALVING_DEPTH 40 // from here on halve: 2^24 triangles more fit below

/// Runs shorter than this are not worth a worker.
#define LEAST_SHARED_RUN 4096
#define MAX_TOP_LEVELS 7 // 128 runs, 255 nodes

#define PROGRESS_STEP 65536

typedef struct tdBvhTask
{
    int start, end, parent; // parent -1 for left children: they follow their parent
    int depth;
} tdBvhTask;

static const tdAabb emptyBox = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static float HalfArea(tdAabb box)
{
    tdVec3 d = tdSub(box.upper, box.lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static float Center2(const tdBvhItem* item, int axis)
{
    return tdGetComponent(item->lower, axis) + tdGetComponent(item->upper, axis);
}

static int BinOf(const tdBvhItem* item, int axis, float lower, float scale)
{
    int bin = (int)(scale * (Center2(item, axis) - lower));
    return bin < 0 ? 0 : (bin >= TD_BVH_BINS ? TD_BVH_BINS - 1 : bin);
}

#if defined(TD_SSE2)
// Four floats at a time; the fourth is the item's number and is ignored.
typedef struct BoxSum
{
    __m128 lower, upper;
} BoxSum;

static BoxSum EmptySum(void)
{
    return (BoxSum){_mm_set1_ps(INFINITY), _mm_set1_ps(-INFINITY)};
}

static BoxSum AddItem(BoxSum sum, const tdBvhItem* item)
{
    return (BoxSum){_mm_min_ps(sum.lower, _mm_loadu_ps(&item->lower.x)),
                    _mm_max_ps(sum.upper, _mm_loadu_ps(&item->upper.x))};
}

static BoxSum AddCenter(BoxSum sum, const tdBvhItem* item)
{
    __m128 center = _mm_add_ps(_mm_loadu_ps(&item->lower.x), _mm_loadu_ps(&item->upper.x));
    return (BoxSum){_mm_min_ps(sum.lower, center), _mm_max_ps(sum.upper, center)};
}

static tdAabb GetBox(BoxSum sum)
{
    float lower[4], upper[4];
    _mm_storeu_ps(lower, sum.lower);
    _mm_storeu_ps(upper, sum.upper);
    return (tdAabb){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}
#else
typedef tdAabb BoxSum;

static BoxSum EmptySum(void)
{
    return emptyBox;
}

static BoxSum AddItem(BoxSum sum, const tdBvhItem* item)
{
    return tdUnionAabb(sum, (tdAabb){item->lower, item->upper});
}

static BoxSum AddCenter(BoxSum sum, const tdBvhItem* item)
{
    tdVec3 center = tdAdd(item->lower, item->upper);
    return (BoxSum){tdMin(sum.lower, center), tdMax(sum.upper, center)};
}

static tdAabb GetBox(BoxSum sum)
{
    return sum;
}
#endif

/// The best border between bins: items in bins below the result go left. 0: no split found.
static int ChooseSplit(const tdBvhItem* items, int start, int end, int axis, float lower, float scale)
{
    BoxSum sums[TD_BVH_BINS];
    int counts[TD_BVH_BINS] = {0};
    for (int i = 0; i < TD_BVH_BINS; ++i)
    {
        sums[i] = EmptySum();
    }
    for (int i = start; i < end; ++i)
    {
        int bin = BinOf(items + i, axis, lower, scale);
        counts[bin] += 1;
        sums[bin] = AddItem(sums[bin], items + i);
    }
    tdAabb boxes[TD_BVH_BINS];
    for (int i = 0; i < TD_BVH_BINS; ++i)
    {
        boxes[i] = GetBox(sums[i]);
    }
    float rightCost[TD_BVH_BINS];
    tdAabb box = emptyBox;
    int count = 0;
    for (int i = TD_BVH_BINS - 1; i > 0; --i)
    {
        box = tdUnionAabb(box, boxes[i]);
        count += counts[i];
        rightCost[i] = count > 0 ? (float)count * HalfArea(box) : INFINITY;
    }
    box = emptyBox;
    count = 0;
    int best = 0;
    float bestCost = INFINITY;
    for (int i = 1; i < TD_BVH_BINS; ++i)
    {
        box = tdUnionAabb(box, boxes[i - 1]);
        count += counts[i - 1];
        float cost = count > 0 ? (float)count * HalfArea(box) + rightCost[i] : INFINITY;
        if (cost < bestCost)
        {
            bestCost = cost;
            best = i;
        }
    }
    return best;
}

/// Bring the middle element of [start, end) by centre to its place, smaller ones before it (quickselect).
static void SelectMiddle(tdBvhItem* items, int start, int end, int middle, int axis)
{
    int low = start, high = end - 1;
    while (low < high)
    {
        float pivot = Center2(items + (low + (high - low) / 2), axis);
        int i = low, j = high;
        while (i <= j)
        {
            while (Center2(items + i, axis) < pivot)
            {
                ++i;
            }
            while (Center2(items + j, axis) > pivot)
            {
                --j;
            }
            if (i <= j)
            {
                tdBvhItem item = items[i];
                items[i++] = items[j];
                items[j--] = item;
            }
        }
        if (middle <= j)
        {
            high = j;
        }
        else if (middle >= i)
        {
            low = i;
        }
        else
        {
            return;
        }
    }
}

static void MeasureRun(const tdBvhItem* items, int start, int end, tdAabb* box, tdAabb* centers)
{
    BoxSum boxSum = EmptySum(), centerSum = EmptySum();
    for (int i = start; i < end; ++i)
    {
        boxSum = AddItem(boxSum, items + i);
        centerSum = AddCenter(centerSum, items + i);
    }
    *box = GetBox(boxSum);
    *centers = GetBox(centerSum);
}

static int Split(tdBvhItem* items, int start, int end, int depth, tdAabb centers)
{
    tdVec3 width = tdSub(centers.upper, centers.lower);
    int axis = width.x >= width.y && width.x >= width.z ? 0 : (width.y >= width.z ? 1 : 2);
    float lower = tdGetComponent(centers.lower, axis), extent = tdGetComponent(width, axis);
    int middle = start + (end - start) / 2;
    int border = 0;
    float scale = extent > 0.0f ? 0.9999f * (float)TD_BVH_BINS / extent : INFINITY;
    if (depth < TD_BVH_HALVING_DEPTH && isfinite(scale))
    {
        border = ChooseSplit(items, start, end, axis, lower, scale);
    }
    if (border == 0)
    {
        SelectMiddle(items, start, end, middle, axis);
        return middle;
    }
    int i = start, j = end - 1;
    while (i <= j)
    {
        if (BinOf(items + i, axis, lower, scale) < border)
        {
            ++i;
        }
        else
        {
            tdBvhItem item = items[i];
            items[i] = items[j];
            items[j--] = item;
        }
    }
    return i > start && i < end ? i : middle;
}

/// The nodes of [start, end), depth first; children are counted from the first of them.
static int BuildRun(tdBvhItem* items, int start, int end, int startDepth, tdBvhNode* nodes,
                    tdProgress* progress)
{
    int uncounted = 0;
    tdBvhTask stack[TD_BVH_MAX_DEPTH + 2];
    int depth = 0, nodeCount = 0;
    stack[depth++] = (tdBvhTask){start, end, -1, startDepth};
    while (depth > 0)
    {
        tdBvhTask task = stack[--depth];
        int index = nodeCount++;
        if (task.parent >= 0)
        {
            nodes[task.parent].next = (uint32_t)index;
        }
        tdAabb box, centers;
        MeasureRun(items, task.start, task.end, &box, &centers);
        int size = task.end - task.start;
        if (size <= TD_BVH_LEAF_SIZE)
        {
            nodes[index] = (tdBvhNode){box.lower, (uint32_t)task.start, box.upper, (uint32_t)size};
            uncounted += 2 * size;
            if (uncounted >= PROGRESS_STEP)
            {
                tdProgress_Add(progress, (uint64_t)uncounted);
                uncounted = 0;
            }
            continue;
        }
        nodes[index] = (tdBvhNode){box.lower, 0, box.upper, 0};
        int middle = Split(items, task.start, task.end, task.depth, centers);
        TD_ASSERT(depth + 2 <= TD_BVH_MAX_DEPTH + 2);
        stack[depth++] = (tdBvhTask){middle, task.end, index, task.depth + 1};
        stack[depth++] = (tdBvhTask){task.start, middle, -1, task.depth + 1};
    }
    tdProgress_Add(progress, (uint64_t)uncounted);
    return nodeCount;
}

/// A run of the top levels. If it has children they are split further, else it is built as a whole.
typedef struct TopRun
{
    int start, end, depth;
    int child;     // the first of two, -1: none
    int nodeCount; // without children: nodes below
    tdAabb box;
    int middle;
} TopRun;

typedef struct TopBuild
{
    tdBvhItem* items;
    tdBvhNode* nodes;
    tdProgress* progress;
    TopRun runs[2 << MAX_TOP_LEVELS];
    int count, levelStart;
} TopBuild;

static void SplitTopRange(void* task, int startIndex, int endIndex, int worker)
{
    (void)worker;
    TopBuild* build = task;
    for (int i = startIndex; i < endIndex; ++i)
    {
        TopRun* run = &build->runs[build->levelStart + i];
        tdAabb centers;
        if (run->end - run->start >= LEAST_SHARED_RUN)
        {
            MeasureRun(build->items, run->start, run->end, &run->box, &centers);
            run->middle = Split(build->items, run->start, run->end, run->depth, centers);
        }
    }
}

/// Where a run is built: always behind its place in the end.
static tdBvhNode* GetRoom(const TopBuild* build, const TopRun* run)
{
    return build->nodes + TD_BVH_SPARE_NODES + 2 * (size_t)run->start;
}

static void BuildTopRange(void* task, int startIndex, int endIndex, int worker)
{
    (void)worker;
    TopBuild* build = task;
    for (int i = startIndex; i < endIndex; ++i)
    {
        TopRun* run = &build->runs[i];
        if (run->child < 0)
        {
            run->nodeCount = BuildRun(build->items, run->start, run->end, run->depth, GetRoom(build, run),
                                      build->progress);
        }
    }
}

/// Bring the nodes into depth-first order. Runs come in the order of their items, so nothing is overwritten
/// that is still needed.
static int Assemble(TopBuild* build, int runIndex, int at)
{
    const TopRun* run = &build->runs[runIndex];
    tdBvhNode* nodes = build->nodes + at;
    if (run->child < 0)
    {
        memmove(nodes, GetRoom(build, run), (size_t)run->nodeCount * sizeof(tdBvhNode));
        for (int i = 0; i < run->nodeCount; ++i)
        {
            nodes[i].next += nodes[i].count == 0 ? (uint32_t)at : 0;
        }
        return at + run->nodeCount;
    }
    int right = Assemble(build, run->child, at + 1);
    nodes[0] = (tdBvhNode){run->box.lower, (uint32_t)right, run->box.upper, 0};
    return Assemble(build, run->child + 1, right);
}

int tdBuildBvh(tdBvhItem* items, int count, tdBvhNode* nodes, const tdTasks* tasks, tdProgress* progress)
{
    int workers = tdTasks_GetWorkerCount(tasks), levels = 0;
    while (workers > 1 && levels < MAX_TOP_LEVELS && (1 << levels) < 8 * workers)
    {
        levels += 1;
    }
    if (levels == 0 || count < 2 * LEAST_SHARED_RUN)
    {
        return BuildRun(items, 0, count, 0, nodes, progress);
    }
    TopBuild build = {.items = items, .nodes = nodes, .progress = progress, .count = 1};
    build.runs[0] = (TopRun){.end = count, .child = -1};
    for (int level = 0; level < levels; ++level)
    {
        int levelEnd = build.count;
        tdTasks_For(tasks, SplitTopRange, &build, levelEnd - build.levelStart, 1);
        for (int i = build.levelStart; i < levelEnd; ++i)
        {
            TopRun* run = &build.runs[i];
            if (run->end - run->start >= LEAST_SHARED_RUN)
            {
                run->child = build.count;
                build.runs[build.count++] =
                    (TopRun){.start = run->start, .end = run->middle, .depth = level + 1, .child = -1};
                build.runs[build.count++] =
                    (TopRun){.start = run->middle, .end = run->end, .depth = level + 1, .child = -1};
            }
        }
        build.levelStart = levelEnd;
    }
    tdTasks_For(tasks, BuildTopRange, &build, build.count, 1);
    return Assemble(&build, 0, 0);
}
