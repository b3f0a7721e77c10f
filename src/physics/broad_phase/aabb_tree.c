// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The dynamic bounding-volume tree. A leaf is inserted where it adds the least surface area. An enlarged box
// marks the path to the root. A rebuild keeps unmarked subtrees and builds new nodes above them by binned
// surface-area splits. The shape of the tree only affects speed: queries report all overlaps, and callers
// sort where the order matters.
//
// See docs/decisions/067-creation-and-destruction.md.
#include "physics/broad_phase/aabb_tree.h"

#include "base/prefetch.h"
#include "base/sse2.h"

#include <float.h>

/// Largest difference in height of two siblings before a rotation.
#define MAX_HEIGHT_DIFFERENCE 4
/// Bins of a surface-area split.
#define TREE_BIN_COUNT 8

/// Smallest component of a translation that is inverted, m. The inverse stays finite, which avoids 0 *
/// infinity where the origin lies on the plane of a slab.
#define MIN_RAY_COMPONENT 1.0e-18f

void tdAabbTree_Init(tdAabbTree* tree)
{
    *tree = (tdAabbTree){.root = -1, .freeNode = -1};
}

void tdAabbTree_Free(tdAabbTree* tree, const tdAllocator* allocator)
{
    tdArray_Free(allocator, &tree->nodes);
    tdArray_Free(allocator, &tree->scratch);
    tdArray_Free(allocator, &tree->queryNodes);
    tdArray_Free(allocator, &tree->queryItems);
    tdAabbTree_Init(tree);
}

bool tdAabbTree_Reserve(tdAabbTree* tree, const tdAllocator* allocator, int leafCount)
{
    leafCount += tree->hiddenCount;
    // A query node of at least four leaves has four children, so n leaves need at most (2 n - 1) / 3 nodes.
    int queryNodes = 2 * (leafCount / 3) + 2;
    if (queryNodes > tree->queryNodes.capacity)
    {
        tdAabbTree_MarkChanged(tree);
        if (!tdArray_Grow(allocator, (void**)&tree->queryNodes.data, &tree->queryNodes.capacity, 0,
                          queryNodes, sizeof(tdQueryNode), TD_CACHE_LINE))
        {
            return false;
        }
    }
    return tdArray_Reserve(allocator, &tree->nodes, 2 * leafCount) &&
           tdArray_Reserve(allocator, &tree->scratch, 2 * leafCount) &&
           tdArray_Reserve(allocator, &tree->queryItems, leafCount);
}

static int AllocateNode(tdAabbTree* tree)
{
    int index = tree->freeNode;
    if (index >= 0)
    {
        tree->freeNode = tree->nodes.data[index].parent;
        return index;
    }
    TD_ASSERT(tree->nodes.count < tree->nodes.capacity);
    return tree->nodes.count++;
}

static void FreeNode(tdAabbTree* tree, int index)
{
    tree->nodes.data[index].parent = tree->freeNode;
    tree->nodes.data[index].height = -1;
    tree->freeNode = index;
}

// Half the surface area of a box, m^2.
static float ComputeHalfArea(tdAabb box)
{
    tdVec3 d = tdSub(box.upper, box.lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static void RefitNode(tdAabbTree* tree, int index)
{
    tdAabbTreeNode* node = &tree->nodes.data[index];
    const tdAabbTreeNode *one = &tree->nodes.data[node->child1], *two = &tree->nodes.data[node->child2];
    node->box = tdUnionAabb(one->box, two->box);
    node->height = (int16_t)(1 + tdMaxInt(one->height, two->height));
    node->enlarged = (uint16_t)(one->enlarged | two->enlarged);
}

static void RefitAncestors(tdAabbTree* tree, int index)
{
    for (; index >= 0; index = tree->nodes.data[index].parent)
    {
        RefitNode(tree, index);
    }
}

static void ReplaceChild(tdAabbTree* tree, int parent, int child, int by)
{
    tdAabbTreeNode* nodes = tree->nodes.data;
    nodes[by].parent = parent;
    *(parent < 0                      ? &tree->root
      : nodes[parent].child1 == child ? &nodes[parent].child1
                                      : &nodes[parent].child2) = by;
}

// Rotate a node if one child is much higher than the other. Without rotations, inserting sorted boxes would
// give a list.
static int BalanceNode(tdAabbTree* tree, int index)
{
    tdAabbTreeNode *nodes = tree->nodes.data, *node = &nodes[index];
    int difference = nodes[node->child1].height - nodes[node->child2].height;
    if (difference >= -MAX_HEIGHT_DIFFERENCE && difference <= MAX_HEIGHT_DIFFERENCE)
    {
        return index;
    }
    int high = difference > 0 ? node->child1 : node->child2,
        low = difference > 0 ? node->child2 : node->child1;
    tdAabbTreeNode* raised = &nodes[high];
    bool isFirst = nodes[raised->child1].height > nodes[raised->child2].height;
    int kept = isFirst ? raised->child1 : raised->child2, moved = isFirst ? raised->child2 : raised->child1;
    ReplaceChild(tree, node->parent, index, high);
    node->child1 = low;
    node->child2 = moved;
    node->parent = high;
    nodes[moved].parent = index;
    raised->child1 = index;
    raised->child2 = kept;
    RefitNode(tree, index);
    RefitNode(tree, high);
    return high;
}

// Descend while inserting into a child adds less surface area than a new parent of this node.
static int FindSibling(const tdAabbTree* tree, tdAabb box)
{
    const tdAabbTreeNode* nodes = tree->nodes.data;
    int index = tree->root;
    while (nodes[index].child1 >= 0)
    {
        float here = ComputeHalfArea(tdUnionAabb(nodes[index].box, box));
        float grown = here - ComputeHalfArea(nodes[index].box);
        int children[2] = {nodes[index].child1, nodes[index].child2};
        float costs[2];
        for (int i = 0; i < 2; ++i)
        {
            const tdAabbTreeNode* child = &nodes[children[i]];
            float joined = ComputeHalfArea(tdUnionAabb(child->box, box));
            costs[i] = grown + (child->child1 < 0 ? joined : joined - ComputeHalfArea(child->box));
        }
        if (here < costs[0] && here < costs[1])
        {
            break;
        }
        index = costs[0] <= costs[1] ? children[0] : children[1];
    }
    return index;
}

static void AttachLeaf(tdAabbTree* tree, int leaf)
{
    tdAabbTree_MarkChanged(tree);
    tree->leafCount += 1;
    tree->nodes.data[leaf].parent = -1;
    if (tree->root < 0)
    {
        tree->root = leaf;
        return;
    }
    int sibling = FindSibling(tree, tree->nodes.data[leaf].box);
    int top = AllocateNode(tree);
    tdAabbTreeNode* nodes = tree->nodes.data;
    int parent = nodes[sibling].parent;
    nodes[top] = (tdAabbTreeNode){.parent = parent, .child1 = sibling, .child2 = leaf};
    nodes[leaf].parent = top;
    ReplaceChild(tree, parent, sibling, top);
    nodes[sibling].parent = top;
    for (int index = top; index >= 0; index = nodes[index].parent)
    {
        RefitNode(tree, index);
        index = BalanceNode(tree, index);
    }
    if (nodes[tree->root].height > TD_AABB_TREE_MAX_HEIGHT / 2)
    {
        tdAabbTree_Rebuild(tree, true);
    }
}

static void DetachLeaf(tdAabbTree* tree, int leaf)
{
    tdAabbTree_MarkChanged(tree);
    tree->leafCount -= 1;
    tdAabbTreeNode* nodes = tree->nodes.data;
    int parent = nodes[leaf].parent;
    if (parent < 0)
    {
        tree->root = -1;
        return;
    }
    int sibling = nodes[parent].child1 == leaf ? nodes[parent].child2 : nodes[parent].child1;
    int grandparent = nodes[parent].parent;
    nodes[sibling].parent = grandparent;
    FreeNode(tree, parent);
    if (grandparent < 0)
    {
        tree->root = sibling;
        return;
    }
    if (nodes[grandparent].child1 == parent)
    {
        nodes[grandparent].child1 = sibling;
    }
    else
    {
        nodes[grandparent].child2 = sibling;
    }
    RefitAncestors(tree, grandparent);
}

int tdAabbTree_Insert(tdAabbTree* tree, tdAabb box, int shape)
{
    int leaf = AllocateNode(tree);
    tree->nodes.data[leaf] = (tdAabbTreeNode){.box = box, .parent = -1, .child1 = -1, .child2 = shape};
    AttachLeaf(tree, leaf);
    return leaf;
}

void tdAabbTree_Remove(tdAabbTree* tree, int leaf)
{
    TD_ASSERT(tree->nodes.data[leaf].child1 < 0 && tree->nodes.data[leaf].height == 0);
    DetachLeaf(tree, leaf);
    FreeNode(tree, leaf);
}

void tdAabbTree_Move(tdAabbTree* tree, int leaf, tdAabb box)
{
    DetachLeaf(tree, leaf);
    tree->nodes.data[leaf].box = box;
    tree->nodes.data[leaf].enlarged = 0;
    AttachLeaf(tree, leaf);
}

void tdAabbTree_Enlarge(tdAabbTree* tree, int leaf, tdAabb box)
{
    tdAabbTree_MarkChanged(tree);
    tdAabbTreeNode* nodes = tree->nodes.data;
    tree->enlargedCount += nodes[leaf].enlarged == 0 ? 1 : 0;
    nodes[leaf].box = box;
    nodes[leaf].enlarged = 1;
    int index = nodes[leaf].parent;
    for (; index >= 0 && !tdContainsAabb(nodes[index].box, box); index = nodes[index].parent)
    {
        nodes[index].box = tdUnionAabb(nodes[index].box, box);
        nodes[index].enlarged = 1;
    }
    for (; index >= 0 && nodes[index].enlarged == 0; index = nodes[index].parent)
    {
        nodes[index].enlarged = 1;
    }
}

static tdVec3 GetTwiceCenter(tdAabb box)
{
    return tdAdd(box.lower, box.upper);
}

typedef struct TreeBin
{
    tdAabb box;
    int count;
} TreeBin;

// Partition the items by surface area, over bins along the axis in which their centres extend most; in
// halves if the bins do not separate them.
// @return number of items on the left
static int PartitionItems(const tdAabbTree* tree, int* items, int count)
{
    if (count <= 2)
    {
        return count / 2;
    }
    const tdAabbTreeNode* nodes = tree->nodes.data;
    tdAabb centers = {GetTwiceCenter(nodes[items[0]].box), GetTwiceCenter(nodes[items[0]].box)};
    for (int i = 1; i < count; ++i)
    {
        tdVec3 center = GetTwiceCenter(nodes[items[i]].box);
        centers = (tdAabb){tdMin(centers.lower, center), tdMax(centers.upper, center)};
    }
    tdVec3 size = tdSub(centers.upper, centers.lower);
    int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    float lower = tdGetComponent(centers.lower, axis), width = tdGetComponent(size, axis);
    if (!(width > 0.0f))
    {
        return count / 2;
    }
    const tdAabb empty = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    TreeBin bins[TREE_BIN_COUNT];
    for (int i = 0; i < TREE_BIN_COUNT; ++i)
    {
        bins[i] = (TreeBin){empty, 0};
    }
    float scale = (float)TREE_BIN_COUNT / width;
    for (int i = 0; i < count; ++i)
    {
        float offset = (tdGetComponent(GetTwiceCenter(nodes[items[i]].box), axis) - lower) * scale;
        int bin = tdMinInt((int)offset, TREE_BIN_COUNT - 1);
        bins[bin].box = tdUnionAabb(bins[bin].box, nodes[items[i]].box);
        bins[bin].count += 1;
    }
    // A split beside an empty bin costs the same as the one before it.
    float rightCosts[TREE_BIN_COUNT], cost = 0.0f;
    tdAabb box = empty;
    int total = 0;
    for (int i = TREE_BIN_COUNT - 1; i > 0; --i)
    {
        if (bins[i].count > 0)
        {
            box = tdUnionAabb(box, bins[i].box);
            total += bins[i].count;
            cost = ComputeHalfArea(box) * (float)total;
        }
        rightCosts[i] = cost;
    }
    box = empty;
    total = 0;
    float best = FLT_MAX;
    int split = 0;
    for (int i = 0; i + 1 < TREE_BIN_COUNT; ++i)
    {
        if (bins[i].count == 0)
        {
            continue;
        }
        box = tdUnionAabb(box, bins[i].box);
        total += bins[i].count;
        cost = ComputeHalfArea(box) * (float)total + rightCosts[i + 1];
        if (total < count && cost < best)
        {
            best = cost;
            split = i + 1;
        }
    }
    int left = 0;
    for (int i = 0, end = count; i < end;)
    {
        float offset = (tdGetComponent(GetTwiceCenter(nodes[items[i]].box), axis) - lower) * scale;
        if (tdMinInt((int)offset, TREE_BIN_COUNT - 1) < split)
        {
            ++i;
            ++left;
        }
        else
        {
            int other = items[--end];
            items[end] = items[i];
            items[i] = other;
        }
    }
    return left > 0 && left < count ? left : count / 2;
}

static int BuildSubtree(tdAabbTree* tree, int* items, int count, int depth)
{
    if (count == 1)
    {
        return items[0];
    }
    int left = depth < TD_AABB_TREE_MAX_HEIGHT / 4 ? PartitionItems(tree, items, count) : count / 2;
    int index = AllocateNode(tree);
    int child1 = BuildSubtree(tree, items, left, depth + 1);
    int child2 = BuildSubtree(tree, items + left, count - left, depth + 1);
    tree->nodes.data[index] = (tdAabbTreeNode){.parent = -1, .child1 = child1, .child2 = child2};
    tree->nodes.data[child1].parent = index;
    tree->nodes.data[child2].parent = index;
    RefitNode(tree, index);
    tree->nodes.data[index].enlarged = 0;
    return index;
}

void tdAabbTree_Rebuild(tdAabbTree* tree, bool all)
{
    tdAabbTreeNode* nodes = tree->nodes.data;
    if (tree->root < 0 || nodes[tree->root].child1 < 0 || (!all && nodes[tree->root].enlarged == 0))
    {
        return;
    }
    tree->enlargedCount = 0;
    // Items fill the scratch memory from its start, the stack from its end: together at most 2 leafCount
    // entries.
    int* items = tree->scratch.data;
    int* stack = tree->scratch.data + tree->scratch.capacity;
    int count = 0;
    *--stack = tree->root;
    while (stack != tree->scratch.data + tree->scratch.capacity)
    {
        int index = *stack++;
        if (nodes[index].child1 < 0 || (!all && nodes[index].enlarged == 0))
        {
            nodes[index].enlarged = 0;
            items[count++] = index;
            continue;
        }
        *--stack = nodes[index].child2;
        *--stack = nodes[index].child1;
        FreeNode(tree, index);
    }
    tree->root = BuildSubtree(tree, items, count, 0);
    nodes[tree->root].parent = -1;
    if (!all && nodes[tree->root].height > TD_AABB_TREE_MAX_HEIGHT / 2)
    {
        tdAabbTree_Rebuild(tree, true);
    }
}

void tdAabbTree_QueryLeaves(const tdAabbTree* tree, tdAabb box, tdAabbTreeVisitFcn* visit, void* context)
{
    int stack[TD_AABB_TREE_MAX_HEIGHT];
    int count = 0;
    if (tree->root >= 0)
    {
        stack[count++] = tree->root;
    }
    while (count > 0)
    {
        const tdAabbTreeNode* node = &tree->nodes.data[stack[--count]];
        if (!tdOverlapAabb(node->box, box))
        {
            continue;
        }
        if (node->child1 < 0)
        {
            if (!visit(context, node->child2))
            {
                return;
            }
            continue;
        }
        stack[count++] = node->child2;
        stack[count++] = node->child1;
    }
}

static float InvertComponent(float x)
{
    float tiny = MIN_RAY_COMPONENT;
    return 1.0f / (tdAbsFloat(x) > tiny ? x : (x < 0.0f ? -tiny : tiny));
}

tdBoxCast tdMakeBoxCast(tdVec3 origin, tdVec3 halfSize, tdVec3 translation)
{
    tdVec3 lowest = tdSub(origin, halfSize), highest = tdAdd(origin, halfSize);
    return (tdBoxCast){
        {lowest.x, lowest.y, lowest.z, 0.0f},
        {highest.x, highest.y, highest.z, 0.0f},
        {InvertComponent(translation.x), InvertComponent(translation.y), InvertComponent(translation.z)}};
}

typedef struct CastEntry
{
    int node;
    float fraction;
} CastEntry;

// tdBoxCast_Enter for the boxes of two nodes.
static void EnterTwoNodes(const tdBoxCast* cast, const tdAabbTreeNode* one, const tdAabbTreeNode* two,
                          float maxFraction, float fractions[2])
{
#if defined(TD_SSE2)
    // Loads four floats per corner; the fourth is ignored.
    __m128 lowest = _mm_loadu_ps(cast->lowest), highest = _mm_loadu_ps(cast->highest);
    __m128 inverse = _mm_setr_ps(cast->inverse.x, cast->inverse.y, cast->inverse.z, 0.0f);
    __m128 a0 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&one->box.lower.x), highest), inverse);
    __m128 a1 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&one->box.upper.x), lowest), inverse);
    __m128 b0 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&two->box.lower.x), highest), inverse);
    __m128 b1 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&two->box.upper.x), lowest), inverse);
    __m128 a = _mm_min_ps(a0, a1), b = _mm_min_ps(b0, b1);
    __m128 xy = _mm_unpacklo_ps(a, b);
    __m128 enter = _mm_max_ps(_mm_max_ps(xy, _mm_movehl_ps(xy, xy)), _mm_unpackhi_ps(a, b));
    a = _mm_max_ps(a0, a1);
    b = _mm_max_ps(b0, b1);
    xy = _mm_unpacklo_ps(a, b);
    __m128 leave = _mm_min_ps(_mm_min_ps(xy, _mm_movehl_ps(xy, xy)), _mm_unpackhi_ps(a, b));
    __m128 sign = _mm_set1_ps(-0.0f), slack = _mm_set1_ps(TD_CAST_SLACK),
           least = _mm_set1_ps(TD_MIN_CAST_SLACK);
    enter = _mm_sub_ps(enter, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, enter)), least));
    leave = _mm_add_ps(leave, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, leave)), least));
    __m128 isHit = _mm_and_ps(_mm_and_ps(_mm_cmple_ps(enter, leave), _mm_cmpge_ps(leave, _mm_setzero_ps())),
                              _mm_cmple_ps(enter, _mm_set1_ps(maxFraction)));
    enter = _mm_or_ps(_mm_and_ps(isHit, enter), _mm_andnot_ps(isHit, _mm_set1_ps(FLT_MAX)));
    fractions[0] = _mm_cvtss_f32(enter);
    fractions[1] = _mm_cvtss_f32(_mm_shuffle_ps(enter, enter, 1));
#else
    fractions[0] = tdBoxCast_Enter(cast, &one->box, maxFraction);
    fractions[1] = tdBoxCast_Enter(cast, &two->box, maxFraction);
#endif
}

float tdAabbTree_CastLeaves(const tdAabbTree* tree, const tdBoxCast* cast, float maxFraction,
                            tdAabbTreeCastFcn* visit, void* context)
{
    if (tree->root < 0)
    {
        return maxFraction;
    }
    const tdAabbTreeNode* nodes = tree->nodes.data;
    CastEntry stack[TD_AABB_TREE_MAX_HEIGHT];
    int count = 0;
    CastEntry entry = {tree->root, tdBoxCast_Enter(cast, &nodes[tree->root].box, maxFraction)};
    for (;;)
    {
        if (entry.fraction <= maxFraction)
        {
            const tdAabbTreeNode* node = &nodes[entry.node];
            if (node->child1 >= 0)
            {
                float fractions[2];
                EnterTwoNodes(cast, &nodes[node->child1], &nodes[node->child2], maxFraction, fractions);
                CastEntry one = {node->child1, fractions[0]}, two = {node->child2, fractions[1]};
                bool isFirst = one.fraction <= two.fraction;
                // The nearer child is next; the stack has the other one if it is hit at all.
                stack[count] = isFirst ? two : one;
                count += stack[count].fraction <= maxFraction ? 1 : 0;
                entry = isFirst ? one : two;
                continue;
            }
            float limit = visit(context, node->child2, maxFraction);
            if (limit < 0.0f)
            {
                return limit;
            }
            maxFraction = tdMinFloat(maxFraction, limit);
        }
        if (count == 0)
        {
            return maxFraction;
        }
        entry = stack[--count];
    }
}

float tdGetDistanceSquared(tdAabb box, tdVec3 point)
{
    tdVec3 outside = tdMax(tdMax(tdSub(box.lower, point), tdSub(point, box.upper)), tdVec3_zero);
    return tdLengthSquared(outside);
}

void tdAabbTree_FindNearLeaves(const tdAabbTree* tree, tdVec3 point, float maxDistanceSquared,
                               tdAabbTreeNearFcn* visit, void* context)
{
    const tdAabbTreeNode* nodes = tree->nodes.data;
    int stack[TD_AABB_TREE_MAX_HEIGHT];
    int count = 0;
    if (tree->root >= 0)
    {
        stack[count++] = tree->root;
    }
    while (count > 0)
    {
        const tdAabbTreeNode* node = &nodes[stack[--count]];
        if (tdGetDistanceSquared(node->box, point) > maxDistanceSquared)
        {
            continue;
        }
        if (node->child1 < 0)
        {
            maxDistanceSquared =
                tdMinFloat(maxDistanceSquared, visit(context, node->child2, maxDistanceSquared));
            continue;
        }
        bool isFirstNearer = tdGetDistanceSquared(nodes[node->child1].box, point) <=
                             tdGetDistanceSquared(nodes[node->child2].box, point);
        stack[count++] = isFirstNearer ? node->child2 : node->child1;
        stack[count++] = isFirstNearer ? node->child1 : node->child2;
    }
}
