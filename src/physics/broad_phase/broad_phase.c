// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The pair search of a step. Each shape in the move buffer queries the trees; workers share the queries. The
// pairs are sorted by (index in the move buffer, other shape), so that the result depends neither on the
// number of workers nor on the shape of the trees. See docs/decisions/064.
//
// If more pairs are found than the world may have, the search is repeated shape by shape in the order of
// the move buffer and ends when the bound is reached, with the default bound already after 65,536 pairs.
// The shapes that were not searched stay in the buffer. See docs/decisions/145-limits.md.
#include "physics/broad_phase/broad_phase.h"

#include "base/sse2.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/contact/event.h"
#include "physics/data/world_data.h"

#include <string.h>

// Defaults of tdWorldDef.maxPairs. Dense piles of boxes have about 12 pairs a shape.
#define MAX_PAIRS_BASE 65536
#define MAX_PAIRS_PER_SHAPE 24
// Pairs that a step creates if its search exceeds the default. Contacts take about 1 kB each, and two
// cylinders around one centre up to 0.1 ms: a step of shapes in one place stays within 25 MB and 2 s.
#define MAX_PAIRS_OVERFLOW 16384

// Overlapping boxes that a search may visit for each pair that the world may have: bounds the time of
// shapes in one place whose filters refuse each other.
#define VISITS_PER_PAIR 256

int tdWorld_GetPairLimit(const tdWorld* world)
{
    int64_t limit = MAX_PAIRS_BASE + (int64_t)MAX_PAIRS_PER_SHAPE * world->liveShapeCount;
    limit = world->def.maxPairs > 0 ? world->def.maxPairs : limit;
    return limit < INT32_MAX ? (int)limit : INT32_MAX;
}

// Number of pairs that may be created.
static int GetPairRoom(const tdWorld* world)
{
    return tdMaxInt(tdWorld_GetPairLimit(world) - world->liveContactCount, 0);
}

typedef struct PairQuery
{
    tdWorld* world;
    tdPairBuffer* buffer;
    int shape, moveIndex;
    bool isFresh;
    tdAabb previous;          // if not fresh: all pairs of this box exist
    int64_t visited;          // overlapping boxes, with or without a pair
    int firstMoved, endMoved; // range of the move buffer that is searched for one compound body
} PairQuery;

static void AddCandidate(PairQuery* query, int other)
{
    const tdWorld* world = query->world;
    int shape = query->shape;
    query->visited += 1;
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
static void VisitLeaf(PairQuery* query, int other, tdAabb box)
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

// Visit the parts of a compound body whose boxes overlap.
static void VisitPartLeaves(PairQuery* query, int body, tdAabb box)
{
    if (body == query->world->shapes.data[query->shape].body)
    {
        return;
    }
    const tdPartTree* tree = tdWorld_GetPartTree(query->world, body);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (!tdOverlapAabb(tree->fat[i], box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            VisitLeaf(query, node->shape, tree->fat[i]);
        }
        ++i;
    }
}

static void SetQueryShape(PairQuery* query, int moveIndex)
{
    int shape = query->world->moved.data[moveIndex];
    const tdShape* record = &query->world->shapes.data[shape];
    query->shape = shape;
    query->moveIndex = moveIndex;
    query->isFresh = (record->flags & TD_SHAPE_FRESH) != 0;
    query->previous = record->previousAabb;
}

// A leaf that overlaps the box of a compound: visit it for each part that moved.
static void VisitLeafForParts(PairQuery* query, const tdPartTree* parts, const tdAabbTreeNode* leaf)
{
    for (int i = 0; i < parts->count;)
    {
        const tdPartNode* node = &parts->nodes[i];
        if (!tdOverlapAabb(parts->fat[i], leaf->box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            const tdShape* record = &query->world->shapes.data[node->shape];
            if ((record->flags & TD_SHAPE_QUEUED) != 0 && record->moveIndex >= query->firstMoved &&
                record->moveIndex < query->endMoved)
            {
                SetQueryShape(query, record->moveIndex);
                if (leaf->child2 < 0)
                {
                    VisitPartLeaves(query, ~leaf->child2, parts->fat[i]);
                }
                else
                {
                    VisitLeaf(query, leaf->child2, leaf->box);
                }
            }
        }
        ++i;
    }
}

// @param parts NULL: for query->shape; else for the moved parts of this tree
static void FindPairsInTree(PairQuery* query, const tdAabbTree* tree, tdAabb box, const tdPartTree* parts)
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
        else if (parts != NULL)
        {
            if (index != parts->leaf || tree != &query->world->trees[parts->kind])
            {
                VisitLeafForParts(query, parts, node);
            }
        }
        else if (node->child2 < 0)
        {
            VisitPartLeaves(query, ~node->child2, box);
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

static void FindUnboundedPairs(PairQuery* query)
{
    const tdWorld* world = query->world;
    int shape = query->shape;
    for (int j = 0; j < world->unbounded.count; ++j)
    {
        int other = world->unbounded.data[j];
        bool findsPair = (world->shapes.data[other].flags & TD_SHAPE_QUEUED) != 0 && other <= shape;
        if (other != shape && !findsPair && tdWorld_TestFatBoxes(world, shape, other))
        {
            AddCandidate(query, other);
        }
    }
}

typedef struct PairSearch
{
    tdWorld* world;
    int room; // pairs that may be created
    int64_t maxVisits;
    atomic_int found; // candidates of all workers; those of unbounded planes need not be pairs
    atomic_llong visited;
} PairSearch;

static bool IsSearchTooLarge(PairSearch* search)
{
    return atomic_load(&search->found) > search->room || atomic_load(&search->visited) > search->maxVisits;
}

// Whether a shape can have pairs with the shapes of a tree. A kinematic solid collides with dynamic bodies
// and triggers, a trigger with all solids.
static bool SearchesTree(const tdWorld* world, const tdShape* shape, int tree)
{
    if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
    {
        return tree != TD_AABB_TREE_TRIGGER;
    }
    bool isDynamic = world->bodies.data[shape->body].motion == TD_MOTION_DYNAMIC;
    return isDynamic || (tree != TD_AABB_TREE_STATIC && tree != TD_AABB_TREE_KINEMATIC);
}

static void FindPairsOfMoved(void* task, int start, int end, int worker)
{
    PairSearch* search = task;
    tdWorld* world = search->world;
    PairQuery query = {.world = world, .buffer = &world->pairBuffers[worker]};
    int counted = query.buffer->count;
    for (int i = start; i < end && !IsSearchTooLarge(search);)
    {
        const tdShape* record = &world->shapes.data[world->moved.data[i]];
        bool isMember = (record->flags & TD_SHAPE_MEMBER) != 0;
        const tdPartTree* parts = isMember ? tdWorld_GetPartTree(world, record->body) : NULL;
        // The moved parts of a body are consecutive, and the trees are searched once for all of them.
        query.firstMoved = i;
        query.endMoved = i + 1;
        tdAabb box = record->fatAabb;
        for (int j = i + 1; j < end && isMember; ++j)
        {
            const tdShape* next = &world->shapes.data[world->moved.data[j]];
            if (next->body != record->body || (next->flags & TD_SHAPE_MEMBER) == 0)
            {
                break;
            }
            box = tdUnionAabb(box, next->fatAabb);
            query.endMoved = j + 1;
        }
        SetQueryShape(&query, i);
        for (int tree = 0; tree < TD_AABB_TREE_COUNT; ++tree)
        {
            if (SearchesTree(world, record, tree))
            {
                FindPairsInTree(&query, &world->trees[tree], box, parts);
            }
        }
        for (; i < query.endMoved; ++i)
        {
            SetQueryShape(&query, i);
            FindUnboundedPairs(&query);
        }
        if (query.buffer->count > counted)
        {
            atomic_fetch_add(&search->found, query.buffer->count - counted);
            counted = query.buffer->count;
        }
        atomic_fetch_add(&search->visited, query.visited);
        query.visited = 0;
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

static bool ReservePairBuffer(tdWorld* world, tdPairBuffer* buffer, int capacity)
{
    if (capacity <= buffer->capacity)
    {
        return true;
    }
    uint64_t* keys = tdAllocate(&world->allocator, (size_t)capacity * sizeof(uint64_t), _Alignof(uint64_t));
    if (keys == NULL)
    {
        return false;
    }
    if (buffer->count > 0)
    {
        memcpy(keys, buffer->keys, (size_t)buffer->count * sizeof(uint64_t));
    }
    tdRelease(&world->allocator, buffer->keys, (size_t)buffer->capacity * sizeof(uint64_t));
    buffer->keys = keys;
    buffer->capacity = capacity;
    return true;
}

// Search the moved shapes one by one until there are more than `room` pairs or too many visits.
// @param searched receives the number of shapes in the move buffer whose pairs are all found
static bool FindFirstPairs(tdWorld* world, int room, int64_t maxVisits, int* searched)
{
    for (int i = 1; i < world->workerCount; ++i)
    {
        world->pairBuffers[i].count = 0;
    }
    tdPairBuffer* buffer = &world->pairBuffers[0];
    buffer->count = 0;
    PairQuery query = {.world = world, .buffer = buffer};
    for (*searched = 0; *searched < world->moved.count; *searched += 1)
    {
        // One query finds every other shape at most once, and each unbounded one a second time.
        int64_t capacity = (int64_t)buffer->count + world->liveShapeCount + world->unbounded.count;
        int64_t grown = capacity > buffer->capacity ? capacity + capacity / 2 : capacity;
        if (grown > INT32_MAX / 2 || !ReservePairBuffer(world, buffer, (int)grown))
        {
            return false;
        }
        SetQueryShape(&query, *searched);
        const tdShape* record = &world->shapes.data[query.shape];
        int before = buffer->count;
        for (int tree = 0; tree < TD_AABB_TREE_COUNT; ++tree)
        {
            if (SearchesTree(world, record, tree))
            {
                FindPairsInTree(&query, &world->trees[tree], record->fatAabb, NULL);
            }
        }
        FindUnboundedPairs(&query);
        buffer->count = before + RemoveFarPairs(world, buffer->keys + before, buffer->count - before);
        if (buffer->count > room)
        {
            return true;
        }
        if (query.visited > maxVisits)
        {
            *searched += 1; // this search is complete, so that the next step goes on behind it
            return true;
        }
    }
    return true;
}

// @param room number of pairs that may be created; a search that finds more lowers it
static bool FindPairs(tdWorld* world, int* room, int* searched)
{
    *searched = world->moved.count;
    for (;;)
    {
        for (int i = 0; i < world->workerCount; ++i)
        {
            world->pairBuffers[i].count = 0;
        }
        PairSearch search = {.world = world,
                             .room = *room,
                             .maxVisits = VISITS_PER_PAIR * (int64_t)tdWorld_GetPairLimit(world)};
        atomic_init(&search.found, 0);
        atomic_init(&search.visited, 0);
        tdTasks_For(world->tasks, FindPairsOfMoved, &search, world->moved.count, 32);
        if (IsSearchTooLarge(&search))
        {
            *room = world->def.maxPairs > 0 ? *room : tdMinInt(*room, MAX_PAIRS_OVERFLOW);
            return FindFirstPairs(world, *room, search.maxVisits, searched);
        }
        bool isComplete = true;
        for (int i = 0; i < world->workerCount; ++i)
        {
            tdPairBuffer* buffer = &world->pairBuffers[i];
            if (buffer->count > buffer->capacity)
            {
                isComplete = false;
                int needed = buffer->count;
                buffer->count = 0; // incomplete keys are not kept
                if (!ReservePairBuffer(world, buffer, 2 * needed + 64))
                {
                    return false;
                }
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

static int RemoveEqualKeys(uint64_t* keys, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        if (kept == 0 || keys[i] != keys[kept - 1])
        {
            keys[kept++] = keys[i];
        }
    }
    return kept;
}

// Empty the move buffer of the shapes before `searched`. The others count as new, so that their next search
// finds all of their pairs.
static void KeepUnsearched(tdWorld* world, int searched)
{
    for (int i = 0; i < searched; ++i)
    {
        world->shapes.data[world->moved.data[i]].flags &= (uint8_t) ~(TD_SHAPE_QUEUED | TD_SHAPE_FRESH);
    }
    for (int i = searched; i < world->moved.count; ++i)
    {
        int shape = world->moved.data[i];
        world->moved.data[i - searched] = shape;
        world->shapes.data[shape].moveIndex = i - searched;
        world->shapes.data[shape].flags |= TD_SHAPE_FRESH;
    }
    world->moved.count -= searched;
    world->isPairLimitReached = world->moved.count > 0;
}

static bool ReserveNewContacts(tdWorld* world, int added, int triggers)
{
    int count = world->liveContactCount + added;
    return tdArray_Reserve(&world->allocator, &world->contacts, count) &&
           tdArray_Reserve(&world->allocator, &world->separatedContacts, count) &&
           tdArray_Reserve(&world->allocator, &world->triggers, world->triggerTotal + triggers) &&
           tdPairSet_Reserve(&world->pairs, &world->allocator, count);
}

bool tdWorld_CreateTriggerPair(tdWorld* world, int trigger, int visitor)
{
    if (tdPairSet_Find(&world->pairs, tdMakePairKey(trigger, visitor)) != NULL)
    {
        return true; // two lines of a path led inside
    }
    if (GetPairRoom(world) == 0)
    {
        world->status = TD_STATUS_PAIR_LIMIT;
        return true;
    }
    if (!ReserveNewContacts(world, 1, 1))
    {
        return false;
    }
    int contact = tdWorld_CreateContact(world, tdMinInt(trigger, visitor), tdMaxInt(trigger, visitor));
    tdWorld_ReportTriggerEnter(world, contact);
    return true;
}

bool tdWorld_UpdatePairs(tdWorld* world)
{
    world->stats.movedProxyCount = world->moved.count;
    if (world->moved.count == 0)
    {
        world->isPairLimitReached = false;
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
    int room = GetPairRoom(world), searched = 0;
    if (!FindPairs(world, &room, &searched))
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
    count = tdMinInt(RemoveEqualKeys(keys, count), room);
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
        tdWorld_CreateContact(world, tdMinInt(shape, other), tdMaxInt(shape, other));
    }
    KeepUnsearched(world, searched);
    return true;
}
