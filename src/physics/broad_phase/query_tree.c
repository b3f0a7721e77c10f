// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Construction of query trees: binned surface-area splits from the top, two or three per node.
#include "physics/broad_phase/query_tree.h"

#include "geometry/bounds.h"
#include "physics/data/world_data.h"

/// Bins of a split.
#define QUERY_BIN_COUNT 12
/// Depth from which items are split in halves: bounds the height of the tree.
#define MAX_AREA_DEPTH 24
/// Building costs about as much as this many queries per leaf, found by trial with tendon_bench_queries; only
/// speed depends on it.
#define QUERIES_PER_LEAF 0.5f
/// Room around tight boxes, relative to their coordinates: more than the rounding of the tests of shapes.
#define QUERY_BOX_ROOM 1.0e-5f

tdAabb tdWorld_ComputeQueryBox(const tdWorld* world, int shape)
{
    const tdShape* record = &world->shapes.data[shape];
    tdAabb box = tdShape_ComputeAabb(&record->geometry, tdWorld_GetBodySim(world, record->body)->transform);
    tdVec3 far = tdMax(tdAbs(box.lower), tdAbs(box.upper));
    float room = QUERY_BOX_ROOM * tdMaxFloat(far.x, tdMaxFloat(far.y, far.z));
    return tdGrowAabb(box, room);
}

static float MeasureHalfArea(tdAabb box)
{
    tdVec3 d = tdSub(box.upper, box.lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static tdAabb BoundItems(const tdQueryItem* items, int count)
{
    tdAabb box = items[0].box;
    for (int i = 1; i < count; ++i)
    {
        box = tdUnionAabb(box, items[i].box);
    }
    return box;
}

static float GetTwiceItemCenter(const tdQueryItem* item, int axis)
{
    return tdGetComponent(item->box.lower, axis) + tdGetComponent(item->box.upper, axis);
}

typedef struct QueryBin
{
    tdAabb box;
    int count;
} QueryBin;

// The border between bins with the least surface area on both sides.
// @return 0: none
static int ChooseBorder(const QueryBin* bins, int count)
{
    const tdAabb empty = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    float rightCosts[QUERY_BIN_COUNT];
    tdAabb box = empty;
    int total = 0;
    for (int i = QUERY_BIN_COUNT - 1; i > 0; --i)
    {
        box = tdUnionAabb(box, bins[i].box);
        total += bins[i].count;
        rightCosts[i] = total > 0 ? MeasureHalfArea(box) * (float)total : 0.0f;
    }
    box = empty;
    total = 0;
    float best = FLT_MAX;
    int border = 0;
    for (int i = 1; i < QUERY_BIN_COUNT; ++i)
    {
        box = tdUnionAabb(box, bins[i - 1].box);
        total += bins[i - 1].count;
        float cost = total > 0 ? MeasureHalfArea(box) * (float)total + rightCosts[i] : FLT_MAX;
        if (total < count && cost < best)
        {
            best = cost;
            border = i;
        }
    }
    return border;
}

// Partition items by surface area along the axis in which their centres extend most.
// @return number of items on the left; 0 < result < count
static int SplitQueryItems(tdQueryItem* items, int count, int depth)
{
    tdVec3 center = tdAdd(items[0].box.lower, items[0].box.upper);
    tdAabb centers = {center, center};
    for (int i = 1; i < count; ++i)
    {
        center = tdAdd(items[i].box.lower, items[i].box.upper);
        centers = (tdAabb){tdMin(centers.lower, center), tdMax(centers.upper, center)};
    }
    tdVec3 size = tdSub(centers.upper, centers.lower);
    int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    float lower = tdGetComponent(centers.lower, axis), width = tdGetComponent(size, axis);
    float scale = (float)QUERY_BIN_COUNT / width;
    if (depth >= MAX_AREA_DEPTH || !(width > 0.0f) || !(scale < FLT_MAX))
    {
        return count / 2;
    }
    QueryBin bins[QUERY_BIN_COUNT];
    for (int i = 0; i < QUERY_BIN_COUNT; ++i)
    {
        bins[i] = (QueryBin){{{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}}, 0};
    }
    for (int i = 0; i < count; ++i)
    {
        int bin = (int)((GetTwiceItemCenter(&items[i], axis) - lower) * scale);
        bin = tdMinInt(bin, QUERY_BIN_COUNT - 1);
        bins[bin].box = tdUnionAabb(bins[bin].box, items[i].box);
        bins[bin].count += 1;
    }
    int border = ChooseBorder(bins, count), left = 0;
    for (int i = 0, end = count; i < end;)
    {
        int bin = (int)((GetTwiceItemCenter(&items[i], axis) - lower) * scale);
        if (tdMinInt(bin, QUERY_BIN_COUNT - 1) < border)
        {
            ++i;
            ++left;
        }
        else
        {
            tdQueryItem other = items[--end];
            items[end] = items[i];
            items[i] = other;
        }
    }
    return left > 0 && left < count ? left : count / 2;
}

typedef struct QueryRun
{
    int start, count;
    tdAabb box;
} QueryRun;

// Split the run with the largest box until there are four or all have one item.
// @return number of runs
static int SplitRuns(tdQueryItem* items, int count, int depth, QueryRun runs[4])
{
    runs[0] = (QueryRun){0, count, BoundItems(items, count)};
    int runCount = 1;
    while (runCount < 4)
    {
        int largest = -1;
        for (int i = 0; i < runCount; ++i)
        {
            if (runs[i].count > 1 &&
                (largest < 0 || MeasureHalfArea(runs[i].box) > MeasureHalfArea(runs[largest].box)))
            {
                largest = i;
            }
        }
        if (largest < 0)
        {
            break;
        }
        QueryRun run = runs[largest];
        int left = SplitQueryItems(items + run.start, run.count, depth);
        int middle = run.start + left;
        runs[largest] = (QueryRun){run.start, left, BoundItems(items + run.start, left)};
        runs[runCount++] = (QueryRun){middle, run.count - left, BoundItems(items + middle, run.count - left)};
    }
    return runCount;
}

static void SetChildBox(tdQueryNode* node, int lane, tdAabb box)
{
    node->bounds[0][lane] = box.lower.x;
    node->bounds[1][lane] = box.lower.y;
    node->bounds[2][lane] = box.lower.z;
    node->bounds[3][lane] = box.upper.x;
    node->bounds[4][lane] = box.upper.y;
    node->bounds[5][lane] = box.upper.z;
}

static int BuildQueryNode(tdAabbTree* tree, tdQueryItem* items, int count, int depth)
{
    TD_ASSERT(tree->queryNodes.count < tree->queryNodes.capacity);
    int index = tree->queryNodes.count++;
    QueryRun runs[4];
    int childCount = SplitRuns(items, count, depth, runs);
    tdQueryNode* node = &tree->queryNodes.data[index];
    *node = (tdQueryNode){.childCount = childCount};
    for (int i = 0; i < 4; ++i)
    {
        SetChildBox(node, i, runs[i < childCount ? i : 0].box);
    }
    for (int i = 0; i < childCount; ++i)
    {
        tdQueryItem* run = items + runs[i].start;
        node->children[i] =
            runs[i].count == 1 ? 2 * run->leaf + 1 : 2 * BuildQueryNode(tree, run, runs[i].count, depth + 1);
    }
    return index;
}

static void BuildQueryTree(const tdWorld* world, tdAabbTree* tree)
{
    TD_ASSERT(tree->leafCount <= tree->queryItems.capacity);
    int count = 0;
    for (int i = 0; i < tree->nodes.count; ++i)
    {
        const tdAabbTreeNode* node = &tree->nodes.data[i];
        if (node->height == 0)
        {
            int leaf = node->child2;
            tree->queryItems.data[count++] =
                (tdQueryItem){leaf >= 0 ? tdWorld_ComputeQueryBox(world, leaf) : node->box, leaf};
        }
    }
    TD_ASSERT(count == tree->leafCount);
    tree->queryNodes.count = 0;
    BuildQueryNode(tree, tree->queryItems.data, count, 0);
}

bool tdWorld_PrepareQueryTree(const tdWorld* world, tdAabbTreeKind kind, int count)
{
    tdAabbTree* tree = &world->trees[kind];
    int state = atomic_load_explicit(&tree->queryState, memory_order_acquire);
    if (state < 0)
    {
        return state == TD_QUERY_TREE_READY;
    }
    bool pays = (float)state + (float)count >= QUERIES_PER_LEAF * (float)tree->leafCount;
    int next = pays ? TD_QUERY_TREE_BUILDING : state + count;
    // A thread that loses the exchange is not counted.
    if (!atomic_compare_exchange_strong_explicit(&tree->queryState, &state, next, memory_order_acquire,
                                                 memory_order_relaxed) ||
        !pays)
    {
        return false;
    }
    BuildQueryTree(world, tree);
    atomic_store_explicit(&tree->queryState, TD_QUERY_TREE_READY, memory_order_release);
    return true;
}
