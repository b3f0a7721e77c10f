// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// BVH by the surface area heuristic over 16 bins along the longest axis of the centres: O(n log n). Where
// bins do not separate (equal centres) or the tree gets deep, the run is cut in half, so that the depth stays
// bounded.
#include "bvh.h"

#include "base/assert.h"

#define TD_BVH_BINS 16
#define TD_BVH_HALVING_DEPTH 40 // from here on halve: 2^24 triangles more fit below

typedef struct tdBvhTask
{
    int start, end, parent; // parent -1 for left children: they follow their parent
    int depth;
} tdBvhTask;

typedef struct tdBvhBin
{
    tdAabb box;
    int count;
} tdBvhBin;

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

/// The best border between bins: items in bins below the result go left. 0: no split found.
static int ChooseSplit(const tdBvhItem* items, int start, int end, int axis, float lower, float scale)
{
    tdBvhBin bins[TD_BVH_BINS];
    for (int i = 0; i < TD_BVH_BINS; ++i)
    {
        bins[i] = (tdBvhBin){emptyBox, 0};
    }
    for (int i = start; i < end; ++i)
    {
        tdBvhBin* bin = &bins[BinOf(items + i, axis, lower, scale)];
        bin->count += 1;
        bin->box = tdUnionAabb(bin->box, (tdAabb){items[i].lower, items[i].upper});
    }
    float rightCost[TD_BVH_BINS];
    tdAabb box = emptyBox;
    int count = 0;
    for (int i = TD_BVH_BINS - 1; i > 0; --i)
    {
        box = tdUnionAabb(box, bins[i].box);
        count += bins[i].count;
        rightCost[i] = count > 0 ? (float)count * HalfArea(box) : INFINITY;
    }
    box = emptyBox;
    count = 0;
    int best = 0;
    float bestCost = INFINITY;
    for (int i = 1; i < TD_BVH_BINS; ++i)
    {
        box = tdUnionAabb(box, bins[i - 1].box);
        count += bins[i - 1].count;
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

static int Split(tdBvhItem* items, int start, int end, int depth)
{
    tdAabb centers = emptyBox;
    for (int i = start; i < end; ++i)
    {
        tdVec3 center = tdAdd(items[i].lower, items[i].upper);
        centers.lower = tdMin(centers.lower, center);
        centers.upper = tdMax(centers.upper, center);
    }
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

int tdBuildBvh(tdBvhItem* items, int count, tdBvhNode* nodes)
{
    tdBvhTask stack[TD_BVH_MAX_DEPTH + 2];
    int depth = 0, nodeCount = 0;
    stack[depth++] = (tdBvhTask){0, count, -1, 0};
    while (depth > 0)
    {
        tdBvhTask task = stack[--depth];
        int index = nodeCount++;
        if (task.parent >= 0)
        {
            nodes[task.parent].next = (uint32_t)index;
        }
        tdAabb box = emptyBox;
        for (int i = task.start; i < task.end; ++i)
        {
            box = tdUnionAabb(box, (tdAabb){items[i].lower, items[i].upper});
        }
        int size = task.end - task.start;
        if (size <= TD_BVH_LEAF_SIZE)
        {
            nodes[index] = (tdBvhNode){box.lower, (uint32_t)task.start, box.upper, (uint32_t)size};
            continue;
        }
        nodes[index] = (tdBvhNode){box.lower, 0, box.upper, 0};
        int middle = Split(items, task.start, task.end, task.depth);
        TD_ASSERT(depth + 2 <= TD_BVH_MAX_DEPTH + 2);
        stack[depth++] = (tdBvhTask){middle, task.end, index, task.depth + 1};
        stack[depth++] = (tdBvhTask){task.start, middle, -1, task.depth + 1};
    }
    return nodeCount;
}
