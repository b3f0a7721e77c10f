// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The pair search of a step. Each shape in the move buffer queries the trees; workers share the queries. The
// pairs are sorted by (index in the move buffer, other shape), so that the result depends neither on the
// number of workers nor on the shape of the trees. See docs/decisions/064.
#include "physics/broad_phase/broad_phase.h"

#include "base/sse2.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/data/world_data.h"

#include <string.h>

typedef struct PairQuery
{
    tdWorld* world;
    tdPairBuffer* buffer;
    int shape, moveIndex;
    bool isFresh;
    tdAabb previous; // if not fresh: all pairs of this box exist
} PairQuery;

static void AddCandidate(const PairQuery* query, int other)
{
    const tdWorld* world = query->world;
    int shape = query->shape;
    if (tdWorld_ShouldCollide(world, shape, other) &&
        tdPairSet_Find(&world->pairs, tdMakePairKey(shape, other)) == NULL)
    {
        tdPairBuffer* buffer = query->buffer;
        if (buffer->count < buffer->capacity)
        {
            buffer->keys[buffer->count] = (uint64_t)(uint32_t)query->moveIndex << 32 | (uint32_t)other;
        }
        buffer->count += 1;
    }
}

// Visit a shape whose box overlaps. If the boxes overlapped before, the pair has a contact or must not
// collide.
static void VisitLeaf(const PairQuery* query, int other, tdAabb box)
{
    const tdShape* record = &query->world->shapes.data[other];
    if ((record->flags & TD_SHAPE_QUEUED) != 0)
    {
        // If both shapes moved, the one with the lower index finds the pair.
        if (other <= query->shape)
        {
            return;
        }
        box = record->previousAabb;
    }
    if (query->isFresh || (record->flags & TD_SHAPE_FRESH) != 0 || !tdOverlapAabb(box, query->previous))
    {
        AddCandidate(query, other);
    }
}

#if defined(TD_SSE2)
typedef struct QueryBox
{
    __m128 lower, upper;
} QueryBox;

static QueryBox MakeQueryBox(tdAabb box)
{
    return (QueryBox){_mm_setr_ps(box.lower.x, box.lower.y, box.lower.z, 0.0f),
                      _mm_setr_ps(box.upper.x, box.upper.y, box.upper.z, 0.0f)};
}

static bool OverlapsTreeNode(const tdAabbTreeNode* node, QueryBox box)
{
    // Loads four floats per corner; the fourth is ignored.
    __m128 a = _mm_cmple_ps(_mm_loadu_ps(&node->box.lower.x), box.upper);
    __m128 b = _mm_cmple_ps(box.lower, _mm_loadu_ps(&node->box.upper.x));
    return (_mm_movemask_ps(_mm_and_ps(a, b)) & 7) == 7;
}
#else
typedef tdAabb QueryBox;

static QueryBox MakeQueryBox(tdAabb box)
{
    return box;
}

static bool OverlapsTreeNode(const tdAabbTreeNode* node, QueryBox box)
{
    return tdOverlapAabb(node->box, box);
}
#endif

static void FindPairsInTree(const PairQuery* query, const tdAabbTree* tree, tdAabb box)
{
    const tdAabbTreeNode* nodes = tree->nodes.data;
    QueryBox wide = MakeQueryBox(box);
    int stack[TD_AABB_TREE_MAX_HEIGHT], count = 0;
    int index = tree->root;
    if (index < 0 || !OverlapsTreeNode(&nodes[index], wide))
    {
        return;
    }
    for (;;)
    {
        // The node at `index` overlaps.
        const tdAabbTreeNode* node = &nodes[index];
        if (node->child1 >= 0)
        {
            bool overlaps1 = OverlapsTreeNode(&nodes[node->child1], wide);
            bool overlaps2 = OverlapsTreeNode(&nodes[node->child2], wide);
            if (overlaps1 || overlaps2)
            {
                stack[count] = node->child2;
                count += overlaps1 && overlaps2 ? 1 : 0;
                index = overlaps1 ? node->child1 : node->child2;
                continue;
            }
        }
        else
        {
            VisitLeaf(query, node->child2, node->box);
        }
        if (count == 0)
        {
            return;
        }
        index = stack[--count];
    }
}

static void FindPairsOfMoved(void* task, int start, int end, int worker)
{
    tdWorld* world = task;
    PairQuery query = {.world = world, .buffer = &world->pairBuffers[worker]};
    for (int i = start; i < end; ++i)
    {
        int shape = world->moved.data[i];
        const tdShape* record = &world->shapes.data[shape];
        query.shape = shape;
        query.moveIndex = i;
        query.isFresh = (record->flags & TD_SHAPE_FRESH) != 0;
        query.previous = record->previousAabb;
        bool isTrigger = (record->flags & TD_SHAPE_TRIGGER) != 0;
        bool isDynamic = world->bodies.data[record->body].motion == TD_MOTION_DYNAMIC;
        for (int tree = 0; tree < TD_AABB_TREE_COUNT; ++tree)
        {
            // A kinematic solid collides with nothing static, and in the kinematic tree only with triggers.
            if (isDynamic || isTrigger || tree != TD_AABB_TREE_STATIC)
            {
                FindPairsInTree(&query, &world->trees[tree], record->fatAabb);
            }
        }
        for (int j = 0; j < world->unbounded.count; ++j)
        {
            int other = world->unbounded.data[j];
            bool findsPair = (world->shapes.data[other].flags & TD_SHAPE_QUEUED) != 0 && other <= shape;
            if (other != shape && !findsPair && tdWorld_TestFatBoxes(world, shape, other))
            {
                AddCandidate(&query, other);
            }
        }
    }
}

// The box of an unbounded plane is infinite, so its query finds every leaf. Remove pairs whose box does not
// reach the plane.
static int RemoveFarPairs(const tdWorld* world, uint64_t* keys, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        int shape = world->moved.data[keys[i] >> 32], other = (int)(uint32_t)keys[i];
        if ((world->shapes.data[shape].flags & TD_SHAPE_UNBOUNDED) == 0 ||
            tdWorld_TestFatBoxes(world, shape, other))
        {
            keys[kept++] = keys[i];
        }
    }
    return kept;
}

static bool FindPairs(tdWorld* world)
{
    for (;;)
    {
        for (int i = 0; i < world->workerCount; ++i)
        {
            world->pairBuffers[i].count = 0;
        }
        tdTasks_For(world->tasks, FindPairsOfMoved, world, world->moved.count, 32);
        bool isComplete = true;
        for (int i = 0; i < world->workerCount; ++i)
        {
            tdPairBuffer* buffer = &world->pairBuffers[i];
            if (buffer->count > buffer->capacity)
            {
                isComplete = false;
                int capacity = 2 * buffer->count + 64;
                uint64_t* keys =
                    tdAllocate(&world->allocator, (size_t)capacity * sizeof(uint64_t), _Alignof(uint64_t));
                if (keys == NULL)
                {
                    return false;
                }
                tdRelease(&world->allocator, buffer->keys, (size_t)buffer->capacity * sizeof(uint64_t));
                buffer->keys = keys;
                buffer->capacity = capacity;
            }
        }
        if (isComplete)
        {
            return true;
        }
    }
}

// Radix sort, least significant byte first. Bytes that are equal in all keys are skipped.
static void SortPairKeys(uint64_t* keys, uint64_t* scratch, int count)
{
    uint64_t different = 0;
    for (int i = 1; i < count; ++i)
    {
        different |= keys[i] ^ keys[0];
    }
    uint64_t *from = keys, *to = scratch;
    for (int shift = 0; shift < 64; shift += 8)
    {
        if ((different >> shift & 255) == 0)
        {
            continue;
        }
        int starts[256] = {0};
        for (int i = 0; i < count; ++i)
        {
            starts[from[i] >> shift & 255] += 1;
        }
        for (int i = 0, sum = 0; i < 256; ++i)
        {
            int n = starts[i];
            starts[i] = sum;
            sum += n;
        }
        for (int i = 0; i < count; ++i)
        {
            to[starts[from[i] >> shift & 255]++] = from[i];
        }
        uint64_t* swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
    {
        memcpy(keys, from, (size_t)count * sizeof(uint64_t));
    }
}

static bool ReserveNewContacts(tdWorld* world, int added, int triggers)
{
    int count = world->liveContactCount + added;
    return tdArray_Reserve(&world->allocator, &world->contacts, count) &&
           tdArray_Reserve(&world->allocator, &world->separatedContacts, count) &&
           tdArray_Reserve(&world->allocator, &world->triggers, world->triggerTotal + triggers) &&
           tdPairSet_Reserve(&world->pairs, &world->allocator, count);
}

bool tdWorld_UpdatePairs(tdWorld* world)
{
    world->stats.movedProxyCount = world->moved.count;
    if (world->moved.count == 0)
    {
        return true;
    }
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        // With fewer enlarged leaves a rebuild costs more than it saves.
        if (3 * world->trees[i].enlargedCount > 2 * world->trees[i].leafCount)
        {
            tdAabbTree_Rebuild(&world->trees[i], false);
        }
    }
    if (!FindPairs(world))
    {
        return false;
    }
    int total = 0;
    for (int i = 0; i < world->workerCount; ++i)
    {
        total += world->pairBuffers[i].count;
    }
    if (!tdArray_Reserve(&world->allocator, &world->newPairs, total) ||
        !tdArray_Reserve(&world->allocator, &world->newPairScratch, total))
    {
        return false;
    }
    uint64_t* keys = world->newPairs.data;
    int count = 0;
    for (int i = 0; i < world->workerCount; ++i)
    {
        const tdPairBuffer* buffer = &world->pairBuffers[i];
        if (buffer->count > 0)
        {
            memcpy(keys + count, buffer->keys, (size_t)buffer->count * sizeof(uint64_t));
            count += buffer->count;
        }
    }
    count = RemoveFarPairs(world, keys, count);
    SortPairKeys(keys, world->newPairScratch.data, count);
    int triggers = 0;
    for (int i = 0; i < count; ++i)
    {
        uint8_t flags = world->shapes.data[world->moved.data[keys[i] >> 32]].flags |
                        world->shapes.data[(uint32_t)keys[i]].flags;
        triggers += (flags & TD_SHAPE_TRIGGER) != 0 ? 1 : 0;
    }
    if (!ReserveNewContacts(world, count, triggers))
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        int shape = world->moved.data[keys[i] >> 32], other = (int)(uint32_t)keys[i];
        if (i == 0 || keys[i] != keys[i - 1])
        {
            tdWorld_CreateContact(world, tdMinInt(shape, other), tdMaxInt(shape, other));
        }
    }
    for (int i = 0; i < world->moved.count; ++i)
    {
        world->shapes.data[world->moved.data[i]].flags &= (uint8_t) ~(TD_SHAPE_QUEUED | TD_SHAPE_FRESH);
    }
    world->moved.count = 0;
    return true;
}
