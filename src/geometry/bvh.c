// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// BVH construction with the surface area heuristic over 16 bins along the longest axis of the centres:
// O(n log n). Runs with equal centres and runs deep in the tree are split at the median, which bounds the
// depth.
//
// With several workers the top levels are split first, all runs of a level in parallel. Then each run below
// is built in a buffer of its own and moved to its place in the depth-first order. The split of a run depends
// only on its items, so the tree equals the tree that a single worker builds.
#include "bvh.h"

#include "base/assert.h"
#include "base/progress.h"
#include "base/sse2.h"
#include "base/tasks.h"

#include <string.h>

#define BVH_BINS 16
/// From this depth on, runs are split at the median: 2^(80 - 40) items fit below, more than an int counts.
#define MEDIAN_SPLIT_DEPTH 40
/// Scale of the bins: keeps the largest centre in the last bin in spite of rounding.
#define BIN_SCALE 0.9999f

/// Items of the shortest run that is split by a worker of its own; shorter runs take less time than the
/// wake-up.
#define MIN_SHARED_RUN 4096
#define MAX_TOP_LEVELS 7  // 128 runs, 255 nodes
#define RUNS_PER_WORKER 8 // balances runs of different cost

typedef struct tdBvhTask
{
    int start, end, parent; // parent -1 for left children: they follow their parent
    int depth;
} tdBvhTask;

static const tdAabb emptyBvhBox = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static float GetBoxHalfArea(tdAabb box)
{
    tdVec3 d = tdSub(box.upper, box.lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static float GetDoubleCenter(const tdBvhItem* item, int axis)
{
    return tdGetComponent(item->lower, axis) + tdGetComponent(item->upper, axis);
}

static int GetBin(const tdBvhItem* item, int axis, float lower, float scale)
{
    int bin = (int)(scale * (GetDoubleCenter(item, axis) - lower));
    return bin < 0 ? 0 : (bin >= BVH_BINS ? BVH_BINS - 1 : bin);
}

#if defined(TD_SSE2)
// Four floats at a time; the fourth is the index of the triangle and is ignored.
typedef struct BoxSum
{
    __m128 lower, upper;
} BoxSum;

static BoxSum MakeEmptySum(void)
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

static BoxSum MakeEmptySum(void)
{
    return emptyBvhBox;
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

/// The bin border of least cost: items in bins below it go to the left child. 0: no border has items on both
/// sides.
static int ChooseSplit(const tdBvhItem* items, int start, int end, int axis, float lower, float scale)
{
    BoxSum sums[BVH_BINS];
    int counts[BVH_BINS] = {0};
    for (int i = 0; i < BVH_BINS; ++i)
    {
        sums[i] = MakeEmptySum();
    }
    for (int i = start; i < end; ++i)
    {
        int bin = GetBin(items + i, axis, lower, scale);
        counts[bin] += 1;
        sums[bin] = AddItem(sums[bin], items + i);
    }
    tdAabb boxes[BVH_BINS];
    for (int i = 0; i < BVH_BINS; ++i)
    {
        boxes[i] = GetBox(sums[i]);
    }
    float rightCost[BVH_BINS];
    tdAabb box = emptyBvhBox;
    int count = 0;
    for (int i = BVH_BINS - 1; i > 0; --i)
    {
        box = tdUnionAabb(box, boxes[i]);
        count += counts[i];
        rightCost[i] = count > 0 ? (float)count * GetBoxHalfArea(box) : INFINITY;
    }
    box = emptyBvhBox;
    count = 0;
    int best = 0;
    float bestCost = INFINITY;
    for (int i = 1; i < BVH_BINS; ++i)
    {
        box = tdUnionAabb(box, boxes[i - 1]);
        count += counts[i - 1];
        float cost = count > 0 ? (float)count * GetBoxHalfArea(box) + rightCost[i] : INFINITY;
        if (cost < bestCost)
        {
            bestCost = cost;
            best = i;
        }
    }
    return best;
}

/// Moves the item with the middle centre of [start, end) to index `middle`, smaller ones before it
/// (quickselect).
static void SelectMiddle(tdBvhItem* items, int start, int end, int middle, int axis)
{
    int low = start, high = end - 1;
    while (low < high)
    {
        float pivot = GetDoubleCenter(items + (low + (high - low) / 2), axis);
        int i = low, j = high;
        while (i <= j)
        {
            while (GetDoubleCenter(items + i, axis) < pivot)
            {
                ++i;
            }
            while (GetDoubleCenter(items + j, axis) > pivot)
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
    BoxSum boxSum = MakeEmptySum(), centerSum = MakeEmptySum();
    for (int i = start; i < end; ++i)
    {
        boxSum = AddItem(boxSum, items + i);
        centerSum = AddCenter(centerSum, items + i);
    }
    *box = GetBox(boxSum);
    *centers = GetBox(centerSum);
}

/// Partitions a run.
/// @return index of the first item of the right child
static int SplitRun(tdBvhItem* items, int start, int end, int depth, tdAabb centers)
{
    tdVec3 width = tdSub(centers.upper, centers.lower);
    int axis = width.x >= width.y && width.x >= width.z ? 0 : (width.y >= width.z ? 1 : 2);
    float lower = tdGetComponent(centers.lower, axis), extent = tdGetComponent(width, axis);
    int middle = start + (end - start) / 2;
    int border = 0;
    float scale = extent > 0.0f ? BIN_SCALE * (float)BVH_BINS / extent : INFINITY;
    if (depth < MEDIAN_SPLIT_DEPTH && isfinite(scale))
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
        if (GetBin(items + i, axis, lower, scale) < border)
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

/// Builds the nodes of [start, end), depth first; child indices are relative to the first of them.
/// @return number of nodes
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
            if (uncounted >= TD_PROGRESS_STEP)
            {
                tdProgress_Add(progress, (uint64_t)uncounted);
                uncounted = 0;
            }
            continue;
        }
        nodes[index] = (tdBvhNode){box.lower, 0, box.upper, 0};
        int middle = SplitRun(items, task.start, task.end, task.depth, centers);
        TD_ASSERT(depth + 2 <= TD_BVH_MAX_DEPTH + 2);
        stack[depth++] = (tdBvhTask){middle, task.end, index, task.depth + 1};
        stack[depth++] = (tdBvhTask){task.start, middle, -1, task.depth + 1};
    }
    tdProgress_Add(progress, (uint64_t)uncounted);
    return nodeCount;
}

/// A run of the top levels. A run without children becomes a subtree built by one worker.
typedef struct TopRun
{
    int start, end, depth;
    int child;     // index of the first of two child runs, -1: none
    int nodeCount; // of a run without children: nodes of its subtree
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
        if (run->end - run->start >= MIN_SHARED_RUN)
        {
            MeasureRun(build->items, run->start, run->end, &run->box, &centers);
            run->middle = SplitRun(build->items, run->start, run->end, run->depth, centers);
        }
    }
}

/// Nodes in which a run is built; always behind the final place of the run.
static tdBvhNode* GetBuildNodes(const TopBuild* build, const TopRun* run)
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
            run->nodeCount = BuildRun(build->items, run->start, run->end, run->depth,
                                      GetBuildNodes(build, run), build->progress);
        }
    }
}

/// Moves the nodes into depth-first order, run by run in the order of the items, so that no node is
/// overwritten before it is moved.
/// @return index after the last node of the run
static int AssembleNodes(TopBuild* build, int runIndex, int at)
{
    const TopRun* run = &build->runs[runIndex];
    tdBvhNode* nodes = build->nodes + at;
    if (run->child < 0)
    {
        memmove(nodes, GetBuildNodes(build, run), (size_t)run->nodeCount * sizeof(tdBvhNode));
        for (int i = 0; i < run->nodeCount; ++i)
        {
            nodes[i].next += nodes[i].count == 0 ? (uint32_t)at : 0;
        }
        return at + run->nodeCount;
    }
    int right = AssembleNodes(build, run->child, at + 1);
    nodes[0] = (tdBvhNode){run->box.lower, (uint32_t)right, run->box.upper, 0};
    return AssembleNodes(build, run->child + 1, right);
}

int tdBuildBvh(tdBvhItem* items, int count, tdBvhNode* nodes, const tdTasks* tasks, tdProgress* progress)
{
    int workers = tdTasks_GetWorkerCount(tasks), levels = 0;
    while (workers > 1 && levels < MAX_TOP_LEVELS && (1 << levels) < RUNS_PER_WORKER * workers)
    {
        levels += 1;
    }
    if (levels == 0 || count < 2 * MIN_SHARED_RUN)
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
            if (run->end - run->start >= MIN_SHARED_RUN)
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
    return AssembleNodes(&build, 0, 0);
}
