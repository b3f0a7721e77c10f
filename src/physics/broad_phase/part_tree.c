// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Part trees. A tree is built by splitting the parts at the middle of their centres along the longest axis:
// n log n for n parts of similar size.
#include "physics/broad_phase/part_tree.h"

#include "geometry/bounds.h"
#include "physics/data/world_data.h"

/// Depth from which parts are split in halves whatever their places: bounds the recursion.
#define MAX_PART_DEPTH 40

typedef struct PartBuilder
{
    const int* shapes;   // by part
    const tdAabb* boxes; // by part, in the frame of the body
    tdPartNode* nodes;
    int count;
} PartBuilder;

// Split parts at the middle of their centres along the longest axis.
// @return number of parts on the left; 0 < result < count
static int SplitParts(const PartBuilder* builder, int* parts, int count, int depth)
{
    const tdAabb* boxes = builder->boxes;
    tdVec3 center = tdAdd(boxes[parts[0]].lower, boxes[parts[0]].upper);
    tdAabb centers = {center, center};
    for (int i = 1; i < count; ++i)
    {
        center = tdAdd(boxes[parts[i]].lower, boxes[parts[i]].upper);
        centers = (tdAabb){tdMin(centers.lower, center), tdMax(centers.upper, center)};
    }
    tdVec3 size = tdSub(centers.upper, centers.lower);
    int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    float middle = 0.5f * (tdGetComponent(centers.lower, axis) + tdGetComponent(centers.upper, axis));
    int left = 0;
    for (int i = 0; i < count && depth < MAX_PART_DEPTH; ++i)
    {
        int part = parts[i];
        if (tdGetComponent(boxes[part].lower, axis) + tdGetComponent(boxes[part].upper, axis) < middle)
        {
            parts[i] = parts[left];
            parts[left++] = part;
        }
    }
    return left > 0 && left < count ? left : count / 2;
}

static int BuildPartNode(PartBuilder* builder, int* parts, int count, int depth)
{
    int index = builder->count++;
    if (count == 1)
    {
        builder->nodes[index] =
            (tdPartNode){builder->boxes[parts[0]], builder->count, builder->shapes[parts[0]], 0.0f};
        return index;
    }
    int left = SplitParts(builder, parts, count, depth);
    int one = BuildPartNode(builder, parts, left, depth + 1);
    int two = BuildPartNode(builder, parts + left, count - left, depth + 1);
    tdAabb box = tdUnionAabb(builder->nodes[one].box, builder->nodes[two].box);
    builder->nodes[index] = (tdPartNode){box, builder->count, -1, 0.0f};
    return index;
}

static float GetBoxSize(tdAabb box)
{
    tdVec3 d = tdSub(box.upper, box.lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

// Open the largest node until TD_TOP_PARTS nodes cover the tree.
static void ChooseTops(tdPartTree* tree)
{
    tree->tops[0] = 0;
    tree->topCount = 1;
    while (tree->topCount < TD_TOP_PARTS)
    {
        int largest = -1;
        for (int i = 0; i < tree->topCount; ++i)
        {
            const tdPartNode* node = &tree->nodes[tree->tops[i]];
            if (node->shape < 0 &&
                (largest < 0 || GetBoxSize(node->box) > GetBoxSize(tree->nodes[tree->tops[largest]].box)))
            {
                largest = i;
            }
        }
        if (largest < 0)
        {
            return;
        }
        int one = tree->tops[largest] + 1;
        tree->tops[largest] = one;
        tree->tops[tree->topCount++] = tree->nodes[one].escape;
    }
}

static void FreePartNodes(const tdAllocator* allocator, tdPartTree* tree)
{
    tdRelease(allocator, tree->nodes, (size_t)tree->capacity * sizeof(tdPartNode));
    tdRelease(allocator, tree->fat, (size_t)tree->capacity * sizeof(tdAabb));
    tdRelease(allocator, tree->swept, (size_t)tree->capacity * sizeof(tdAabb));
    *tree = (tdPartTree){.leaf = -1};
}

static bool ReservePartNodes(const tdAllocator* allocator, tdPartTree* tree, int capacity)
{
    if (capacity <= tree->capacity)
    {
        return true;
    }
    tdPartNode* nodes = tdAllocate(allocator, (size_t)capacity * sizeof(tdPartNode), _Alignof(tdPartNode));
    tdAabb* fat = tdAllocate(allocator, (size_t)capacity * sizeof(tdAabb), _Alignof(tdAabb));
    tdAabb* swept = tdAllocate(allocator, (size_t)capacity * sizeof(tdAabb), _Alignof(tdAabb));
    if (nodes == NULL || fat == NULL || swept == NULL)
    {
        tdRelease(allocator, nodes, (size_t)capacity * sizeof(tdPartNode));
        tdRelease(allocator, fat, (size_t)capacity * sizeof(tdAabb));
        tdRelease(allocator, swept, (size_t)capacity * sizeof(tdAabb));
        return false;
    }
    FreePartNodes(allocator, tree);
    *tree = (tdPartTree){
        .nodes = nodes, .fat = fat, .swept = swept, .capacity = capacity, .leaf = -1, .isStale = true};
    return true;
}

void tdWorld_FreePartTrees(tdWorld* world)
{
    tdPartTrees* all = world->partTrees;
    if (all == NULL)
    {
        return;
    }
    for (int i = 0; i < all->trees.count; ++i)
    {
        FreePartNodes(&world->allocator, &all->trees.data[i]);
    }
    tdArray_Free(&world->allocator, &all->trees);
    tdArray_Free(&world->allocator, &all->byBody);
    tdArray_Free(&world->allocator, &all->stale);
    tdArray_Free(&world->allocator, &all->freeTrees);
    tdArray_Free(&world->allocator, &all->scratch);
    tdRelease(&world->allocator, all, sizeof(tdPartTrees));
    world->partTrees = NULL;
}

bool tdWorld_ReservePartTree(tdWorld* world, int body, int shapeCount)
{
    if (shapeCount < TD_MIN_TREE_PARTS)
    {
        return true;
    }
    const tdAllocator* allocator = &world->allocator;
    if (world->partTrees == NULL)
    {
        world->partTrees = tdAllocateZeroed(allocator, sizeof(tdPartTrees), _Alignof(tdPartTrees));
    }
    tdPartTrees* all = world->partTrees;
    if (all == NULL || !tdArray_Reserve(allocator, &all->byBody, body + 1) ||
        !tdArray_Reserve(allocator, &all->trees, all->trees.count + 1) ||
        !tdArray_Reserve(allocator, &all->stale, all->trees.capacity) ||
        !tdArray_Reserve(allocator, &all->freeTrees, all->trees.capacity))
    {
        return false;
    }
    for (; all->byBody.count <= body; ++all->byBody.count)
    {
        all->byBody.data[all->byBody.count] = 0;
    }
    return true;
}

// Remove the leaf of a body from the world's tree. Its parts have no proxy then.
static void RemoveBodyLeaf(tdWorld* world, tdPartTree* tree)
{
    tdAabbTree* worldTree = &world->trees[tree->kind];
    tdAabbTree_Remove(worldTree, tree->leaf);
    tree->leaf = -1;
    for (int i = 0; i < tree->count; ++i)
    {
        if (tree->nodes[i].shape >= 0)
        {
            tdShape* shape = &world->shapes.data[tree->nodes[i].shape];
            shape->flags &= (uint8_t)~TD_SHAPE_MEMBER;
            shape->proxy = -1;
        }
    }
    worldTree->hiddenCount -= tree->count / 2; // count is 2 n - 1
}

// Give each part a leaf of its own.
static void SplitBodyLeaf(tdWorld* world, tdPartTree* tree)
{
    RemoveBodyLeaf(world, tree);
    for (int i = 0; i < tree->count; ++i)
    {
        if (tree->nodes[i].shape >= 0)
        {
            tdShape* shape = &world->shapes.data[tree->nodes[i].shape];
            shape->proxy = tdAabbTree_Insert(&world->trees[tree->kind], shape->fatAabb, tree->nodes[i].shape);
        }
    }
}

static void RefitFatBoxes(const tdWorld* world, tdPartTree* tree)
{
    for (int i = tree->count - 1; i >= 0; --i)
    {
        const tdPartNode* node = &tree->nodes[i];
        tree->fat[i] = node->shape >= 0 ? world->shapes.data[node->shape].fatAabb
                                        : tdUnionAabb(tree->fat[i + 1], tree->fat[tree->nodes[i + 1].escape]);
    }
}

// Replace the leaves of the parts by one of the body.
static void MergeLeaves(tdWorld* world, int body, tdPartTree* tree)
{
    tree->kind =
        world->bodies.data[body].motion == TD_MOTION_DYNAMIC ? TD_AABB_TREE_DYNAMIC : TD_AABB_TREE_KINEMATIC;
    tdAabbTree* worldTree = &world->trees[tree->kind];
    for (int i = 0; i < tree->count; ++i)
    {
        if (tree->nodes[i].shape >= 0)
        {
            tdShape* shape = &world->shapes.data[tree->nodes[i].shape];
            TD_ASSERT(shape->tree == (uint8_t)tree->kind); // the motion type of the body decides
            tdAabbTree_Remove(worldTree, shape->proxy);
            shape->flags |= TD_SHAPE_MEMBER;
            shape->proxy = i;
        }
    }
    RefitFatBoxes(world, tree);
    tree->leaf = tdAabbTree_Insert(worldTree, tree->fat[0], ~body);
    worldTree->hiddenCount += tree->count / 2;
}

static tdPartTree* FindPartTree(const tdWorld* world, int body)
{
    const tdPartTrees* all = world->partTrees;
    bool hasTree = all != NULL && body < all->byBody.count && all->byBody.data[body] > 0;
    return hasTree ? &all->trees.data[all->byBody.data[body] - 1] : NULL;
}

static void MarkPartTreeStale(tdPartTrees* all, tdPartTree* tree, int body)
{
    if (!tree->isStale)
    {
        tree->isStale = true;
        all->stale.data[all->stale.count++] = body;
    }
}

// Give a body an entry without a tree. Memory must have been reserved.
static tdPartTree* AddPartTree(tdPartTrees* all, int body)
{
    TD_ASSERT(all->freeTrees.count > 0 || all->trees.count < all->trees.capacity);
    int index = all->freeTrees.count > 0 ? all->freeTrees.data[--all->freeTrees.count] : all->trees.count++;
    all->byBody.data[body] = index + 1;
    all->trees.data[index] = (tdPartTree){.leaf = -1};
    return &all->trees.data[index];
}

void tdWorld_InvalidatePartTree(tdWorld* world, int body)
{
    tdPartTrees* all = world->partTrees;
    if (all == NULL || body >= all->byBody.count)
    {
        return;
    }
    tdPartTree* tree = FindPartTree(world, body);
    if (tree == NULL)
    {
        if (world->bodies.data[body].shapeCount < TD_MIN_TREE_PARTS ||
            world->bodies.data[body].motion == TD_MOTION_STATIC)
        {
            return;
        }
        tree = AddPartTree(all, body);
    }
    if (tree->leaf >= 0)
    {
        SplitBodyLeaf(world, tree);
    }
    MarkPartTreeStale(all, tree, body);
}

void tdWorld_RemoveParts(tdWorld* world, int body)
{
    tdPartTree* tree = FindPartTree(world, body);
    if (tree != NULL && tree->leaf >= 0)
    {
        RemoveBodyLeaf(world, tree);
    }
}

// @return number of shapes in the scratch memory; 0 if the body needs no tree
static int CollectParts(const tdWorld* world, int body, int* parts)
{
    int count = 0;
    for (int i = world->bodies.data[body].shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        uint8_t flags = world->shapes.data[i].flags;
        if ((flags & TD_SHAPE_UNBOUNDED) != 0)
        {
            return 0;
        }
        if ((flags & TD_SHAPE_TRIGGER) == 0)
        {
            parts[count++] = i;
        }
    }
    return count >= TD_MIN_TREE_PARTS ? count : 0;
}

// @return false if memory ran out; a body that needs no tree loses its entry
static bool BuildPartTree(tdWorld* world, int body)
{
    tdPartTrees* all = world->partTrees;
    tdPartTree* tree = FindPartTree(world, body);
    int count = 0;
    if (body < world->bodies.count && world->bodies.data[body].motion > TD_MOTION_STATIC)
    {
        int shapeCount = world->bodies.data[body].shapeCount;
        if (!tdArray_Reserve(&world->allocator, &all->scratch, 2 * shapeCount))
        {
            return false;
        }
        count = CollectParts(world, body, all->scratch.data);
    }
    if (count == 0)
    {
        FreePartNodes(&world->allocator, tree);
        all->freeTrees.data[all->freeTrees.count++] = all->byBody.data[body] - 1;
        all->byBody.data[body] = 0;
        return true;
    }
    if (!ReservePartNodes(&world->allocator, tree, 2 * count - 1) || tree->nodes == NULL ||
        tree->swept == NULL)
    {
        return false;
    }
    int *shapes = all->scratch.data, *parts = all->scratch.data + count;
    for (int i = 0; i < count; ++i)
    {
        parts[i] = i;
        tree->swept[i] = tdShape_ComputeAabb(&world->shapes.data[shapes[i]].geometry, tdTransform_identity);
    }
    PartBuilder builder = {shapes, tree->swept, tree->nodes, 0};
    BuildPartNode(&builder, parts, count, 0);
    tree->count = builder.count;
    for (int i = 0; i < tree->count; ++i)
    {
        tdPartNode* node = &tree->nodes[i];
        if (node->shape >= 0)
        {
            tdVec3 middle = tdScale(0.5f, tdAdd(node->box.lower, node->box.upper));
            node->radius = tdShape_ComputeOuterRadius(&world->shapes.data[node->shape].geometry, middle);
        }
    }
    ChooseTops(tree);
    tree->isStale = false;
    tree->isSwept = false;
    return true;
}

bool tdWorld_UpdatePartTrees(tdWorld* world)
{
    tdPartTrees* all = world->partTrees;
    while (all != NULL && all->stale.count > 0)
    {
        int body = all->stale.data[all->stale.count - 1];
        if (!BuildPartTree(world, body))
        {
            return false;
        }
        all->stale.count -= 1;
        tdPartTree* tree = FindPartTree(world, body);
        if (tree != NULL)
        {
            MergeLeaves(world, body, tree);
        }
    }
    return true;
}

// Build the tree of a body whose parts are members in a loaded state.
static bool RestorePartTree(tdWorld* world, int body)
{
    AddPartTree(world->partTrees, body);
    if (!BuildPartTree(world, body))
    {
        return false;
    }
    tdPartTree* tree = FindPartTree(world, body);
    for (int i = 0; tree != NULL && i < tree->count; ++i)
    {
        if (tree->nodes[i].shape >= 0)
        {
            tdShape* shape = &world->shapes.data[tree->nodes[i].shape];
            shape->proxy = i;
            tree->kind = (tdAabbTreeKind)shape->tree;
        }
    }
    if (tree != NULL)
    {
        RefitFatBoxes(world, tree);
    }
    return tree != NULL;
}

// Whether the parts of a body are members. Triggers never are.
static bool HasMembers(const tdWorld* world, int body)
{
    bool hasMembers = false;
    for (int i = world->bodies.data[body].shapeHead; i >= 0 && !hasMembers; i = world->shapes.data[i].next)
    {
        hasMembers = (world->shapes.data[i].flags & TD_SHAPE_MEMBER) != 0;
    }
    return hasMembers;
}

bool tdWorld_ResetPartTrees(tdWorld* world)
{
    tdWorld_FreePartTrees(world);
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        if (body->motion < 0 || body->shapeCount < TD_MIN_TREE_PARTS)
        {
            continue;
        }
        if (!tdWorld_ReservePartTree(world, i, body->shapeCount))
        {
            return false;
        }
        if (!HasMembers(world, i))
        {
            tdWorld_InvalidatePartTree(world, i);
        }
        else if (!RestorePartTree(world, i))
        {
            return false;
        }
    }
    for (int kind = 0; kind < TD_AABB_TREE_COUNT; ++kind)
    {
        const tdAabbTree* worldTree = &world->trees[kind];
        for (int i = 0; i < worldTree->nodes.count; ++i)
        {
            const tdAabbTreeNode* node = &worldTree->nodes.data[i];
            if (node->height == 0 && node->child2 < 0)
            {
                tdPartTree* tree = FindPartTree(world, ~node->child2);
                if (tree == NULL)
                {
                    return false;
                }
                tree->leaf = i;
            }
        }
    }
    return true;
}

tdPartTree* tdWorld_GetPartTree(const tdWorld* world, int body)
{
    tdPartTree* tree = FindPartTree(world, body);
    return tree == NULL || tree->isStale ? NULL : tree;
}

void tdWorld_RefitParts(tdWorld* world, int body)
{
    tdPartTree* tree = FindPartTree(world, body);
    if (tree != NULL && tree->leaf >= 0)
    {
        RefitFatBoxes(world, tree);
        tdAabbTree_Enlarge(&world->trees[tree->kind], tree->leaf, tree->fat[0]);
    }
}

void tdWorld_EnlargePart(tdWorld* world, int shape)
{
    const tdShape* record = &world->shapes.data[shape];
    tdPartTree* tree = FindPartTree(world, record->body);
    for (int i = 0; i != record->proxy;)
    {
        tree->fat[i] = tdUnionAabb(tree->fat[i], record->fatAabb);
        int second = tree->nodes[i + 1].escape;
        i = record->proxy < second ? i + 1 : second;
    }
    tree->fat[record->proxy] = record->fatAabb;
    tdAabbTree_Enlarge(&world->trees[tree->kind], tree->leaf, tree->fat[0]);
}

tdAabb tdWorld_GetLeafBox(const tdWorld* world, int shape)
{
    const tdShape* record = &world->shapes.data[shape];
    return (record->flags & TD_SHAPE_MEMBER) != 0 ? FindPartTree(world, record->body)->fat[record->proxy]
                                                  : world->trees[record->tree].nodes.data[record->proxy].box;
}

tdPartMotion tdMakePartMotion(tdTransform start, tdTransform end, float margin)
{
    return (tdPartMotion){tdMat3FromQuat(start.rotation), tdMat3FromQuat(end.rotation), start.position,
                          end.position, margin};
}

static tdAabb PlaceBox(const tdMat3* m, tdVec3 origin, tdVec3 center, tdVec3 half)
{
    tdVec3 c = tdAdd(origin, tdMulMat3Vec3(*m, center));
    tdVec3 extent = tdAdd(tdAbs(tdScale(half.x, m->cx)),
                          tdAdd(tdAbs(tdScale(half.y, m->cy)), tdAbs(tdScale(half.z, m->cz))));
    return (tdAabb){tdSub(c, extent), tdAdd(c, extent)};
}

static tdAabb SweepBox(const tdPartMotion* motion, tdAabb box)
{
    tdVec3 center = tdScale(0.5f, tdAdd(box.lower, box.upper)),
           half = tdScale(0.5f, tdSub(box.upper, box.lower));
    tdAabb start = PlaceBox(&motion->start, motion->startOrigin, center, half);
    tdAabb end = PlaceBox(&motion->end, motion->endOrigin, center, half);
    return tdGrowAabb(tdUnionAabb(start, end), motion->margin);
}

tdAabb tdPartTree_BoundMotion(const tdPartTree* tree, const tdPartMotion* motion)
{
    tdAabb box = SweepBox(motion, tree->nodes[tree->tops[0]].box);
    for (int i = 1; i < tree->topCount; ++i)
    {
        box = tdUnionAabb(box, SweepBox(motion, tree->nodes[tree->tops[i]].box));
    }
    return box;
}

void tdPartTree_Sweep(tdPartTree* tree, const tdPartMotion* motion)
{
    // Leaves first: a parent is the union of its children, which is tighter than its own box in motion.
    for (int i = tree->count - 1; i >= 0; --i)
    {
        const tdPartNode* node = &tree->nodes[i];
        tree->swept[i] = node->shape >= 0
                             ? SweepBox(motion, node->box)
                             : tdUnionAabb(tree->swept[i + 1], tree->swept[tree->nodes[i + 1].escape]);
    }
}
