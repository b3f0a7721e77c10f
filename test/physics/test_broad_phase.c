// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the dynamic tree and the pair set against brute force.
#include "harness.h"

#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/data/world_data.h"

#define LEAF_COUNT 500

static uint32_t randomState = 1;

static float Random(float lower, float upper)
{
    randomState = randomState * 1664525u + 1013904223u;
    return lower + (upper - lower) * ((float)(randomState >> 8) / 16777216.0f);
}

static tdAabb RandomBox(void)
{
    tdVec3 lower = {Random(-10.0f, 10.0f), Random(-10.0f, 10.0f), Random(-10.0f, 10.0f)};
    tdVec3 size = {Random(0.1f, 2.0f), Random(0.1f, 2.0f), Random(0.1f, 2.0f)};
    return (tdAabb){lower, tdAdd(lower, size)};
}

// Every parent contains its children, heights are right, every leaf is reached once.
static int CheckNode(const tdAabbTree* tree, int index, int parent)
{
    const tdAabbTreeNode* node = &tree->nodes.data[index];
    ENSURE_EQUAL_INT(node->parent, parent);
    if (node->child1 < 0)
    {
        ENSURE_EQUAL_INT(node->height, 0);
        return 1;
    }
    const tdAabbTreeNode *one = &tree->nodes.data[node->child1], *two = &tree->nodes.data[node->child2];
    ENSURE(tdContainsAabb(node->box, one->box) && tdContainsAabb(node->box, two->box));
    ENSURE_EQUAL_INT(node->height, 1 + tdMaxInt(one->height, two->height));
    return CheckNode(tree, node->child1, index) + CheckNode(tree, node->child2, index);
}

typedef struct Found
{
    int counts[LEAF_COUNT];
} Found;

static bool Count(void* context, int shape)
{
    ((Found*)context)->counts[shape] += 1;
    return true;
}

static void CheckQueries(const tdAabbTree* tree, const tdAabb* boxes, const bool* isThere)
{
    for (int i = 0; i < 50; ++i)
    {
        tdAabb box = RandomBox();
        Found found = {{0}};
        tdAabbTree_QueryLeaves(tree, box, Count, &found);
        for (int j = 0; j < LEAF_COUNT; ++j)
        {
            ENSURE_EQUAL_INT(found.counts[j], isThere[j] && tdOverlapAabb(box, boxes[j]) ? 1 : 0);
        }
    }
}

TEST(TreeQueriesEqualBruteForce)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdAabbTree tree;
    tdAabbTree_Init(&tree);
    ENSURE(tdAabbTree_Reserve(&tree, &allocator, LEAF_COUNT));
    tdAabb boxes[LEAF_COUNT];
    int leaves[LEAF_COUNT];
    bool isThere[LEAF_COUNT];
    for (int i = 0; i < LEAF_COUNT; ++i)
    {
        boxes[i] = RandomBox();
        isThere[i] = true;
        leaves[i] = tdAabbTree_Insert(&tree, boxes[i], i);
    }
    ENSURE_EQUAL_INT(CheckNode(&tree, tree.root, -1), LEAF_COUNT);
    CheckQueries(&tree, boxes, isThere);
    for (int round = 0; round < 5; ++round)
    {
        int count = 0;
        for (int i = 0; i < LEAF_COUNT; ++i)
        {
            float choice = Random(0.0f, 1.0f);
            if (choice < 0.2f && isThere[i])
            {
                tdAabbTree_Remove(&tree, leaves[i]);
                isThere[i] = false;
            }
            else if (choice < 0.4f && !isThere[i])
            {
                boxes[i] = RandomBox();
                leaves[i] = tdAabbTree_Insert(&tree, boxes[i], i);
                isThere[i] = true;
            }
            else if (choice < 0.6f && isThere[i])
            {
                boxes[i] = RandomBox();
                tdAabbTree_Move(&tree, leaves[i], boxes[i]);
            }
            else if (choice < 0.9f && isThere[i])
            {
                boxes[i] = tdUnionAabb(boxes[i], RandomBox());
                tdAabbTree_Enlarge(&tree, leaves[i], boxes[i]);
            }
            count += isThere[i] ? 1 : 0;
        }
        CheckQueries(&tree, boxes, isThere);
        tdAabbTree_Rebuild(&tree, round % 2 == 1);
        ENSURE_EQUAL_INT(CheckNode(&tree, tree.root, -1), count);
        ENSURE_EQUAL_INT(tree.leafCount, count);
        CheckQueries(&tree, boxes, isThere);
    }
    tdAabbTree_Free(&tree, &allocator);
}

// Minimum number of leaves of a tree of the given height, if sibling heights differ by at most four levels.
static double CountLeastLeaves(int height)
{
    double counts[64] = {1.0};
    for (int i = 1; i <= height; ++i)
    {
        counts[i] = counts[i - 1] + (i > 5 ? counts[i - 5] : 1.0);
    }
    return counts[height];
}

// Boxes inserted in spatial order. Without rebalancing the tree would degenerate to a list, and insertion
// would take linear time or constant rebuilding. Growing gaps, a row, and a floor of tiles row by row.
TEST(SortedInsertionStaysShallow)
{
    for (int kind = 0; kind < 3; ++kind)
    {
        tdAllocator allocator = tdAllocator_Resolve(NULL);
        tdAabbTree tree;
        tdAabbTree_Init(&tree);
        ENSURE(tdAabbTree_Reserve(&tree, &allocator, 3000));
        for (int i = 0; i < 3000; ++i)
        {
            float x = kind == 0 ? (float)(i * i) : (float)(kind == 1 ? i : i % 60);
            float z = kind == 2 ? (float)(i / 60) : 0.0f;
            tdAabbTree_Insert(&tree, (tdAabb){{x, 0.0f, z}, {x + 1.0f, 1.0f, z + 1.0f}}, i % LEAF_COUNT);
            int height = tree.nodes.data[tree.root].height;
            if (!ENSURE(height < 64 && CountLeastLeaves(height) <= i + 1))
            {
                break;
            }
        }
        ENSURE_EQUAL_INT(CheckNode(&tree, tree.root, -1), 3000);
        tdAabbTree_Free(&tree, &allocator);
    }
}

typedef struct FirstHit
{
    const tdAabb* boxes;
    float fraction;
    tdRay ray;
} FirstHit;

static float BoxFraction(tdAabb box, tdRay ray)
{
    float enter = 0.0f, leave = 1.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        float o = tdGetComponent(ray.origin, axis), d = tdGetComponent(ray.translation, axis);
        float a = (tdGetComponent(box.lower, axis) - o) / d, b = (tdGetComponent(box.upper, axis) - o) / d;
        enter = tdMaxFloat(enter, tdMinFloat(a, b));
        leave = tdMinFloat(leave, tdMaxFloat(a, b));
    }
    return enter <= leave ? enter : 2.0f;
}

static float VisitRay(void* context, int shape, float maxFraction)
{
    FirstHit* hit = context;
    float fraction = BoxFraction(hit->boxes[shape], hit->ray);
    hit->fraction = tdMinFloat(hit->fraction, fraction);
    return tdMinFloat(maxFraction, fraction);
}

static float VisitNear(void* context, int shape, float maxSquared)
{
    FirstHit* hit = context;
    tdAabb box = hit->boxes[shape];
    tdVec3 p = hit->ray.origin;
    tdVec3 outside = tdMax(tdMax(tdSub(box.lower, p), tdSub(p, box.upper)), tdVec3_zero);
    hit->fraction = tdMinFloat(hit->fraction, tdLengthSquared(outside));
    return tdMinFloat(maxSquared, hit->fraction);
}

TEST(CastsAndNearestEqualBruteForce)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdAabbTree tree;
    tdAabbTree_Init(&tree);
    ENSURE(tdAabbTree_Reserve(&tree, &allocator, LEAF_COUNT));
    tdAabb boxes[LEAF_COUNT];
    for (int i = 0; i < LEAF_COUNT; ++i)
    {
        boxes[i] = RandomBox();
        tdAabbTree_Insert(&tree, boxes[i], i);
    }
    for (int i = 0; i < 100; ++i)
    {
        tdRay ray = {{Random(-15.0f, 15.0f), Random(-15.0f, 15.0f), Random(-15.0f, 15.0f)},
                     {Random(-20.0f, 20.0f), Random(-20.0f, 20.0f), Random(-20.0f, 20.0f)}};
        FirstHit hit = {boxes, 2.0f, ray};
        tdBoxCast cast = tdMakeBoxCast(ray.origin, tdVec3_zero, ray.translation);
        tdAabbTree_CastLeaves(&tree, &cast, 1.0f, VisitRay, &hit);
        FirstHit near = {boxes, 1.0e30f, ray};
        tdAabbTree_FindNearLeaves(&tree, ray.origin, 1.0e30f, VisitNear, &near);
        float expected = 2.0f;
        FirstHit all = {boxes, 1.0e30f, ray};
        for (int j = 0; j < LEAF_COUNT; ++j)
        {
            expected = tdMinFloat(expected, BoxFraction(boxes[j], ray));
            VisitNear(&all, j, 0.0f);
        }
        ENSURE(hit.fraction == expected);
        ENSURE(near.fraction == all.fraction);
    }
    tdAabbTree_Free(&tree, &allocator);
}

TEST(PairSetEqualsBruteForce)
{
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdPairSet set = {0};
    static int values[60][60];
    memset(values, -1, sizeof(values));
    ENSURE(tdPairSet_Reserve(&set, &allocator, 1800));
    for (int round = 0; round < 20000; ++round)
    {
        int a = (int)Random(0.0f, 59.9f), b = (int)Random(0.0f, 59.9f);
        int low = tdMinInt(a, b), high = tdMaxInt(a, b);
        uint64_t key = tdMakePairKey(a, b);
        int* found = tdPairSet_Find(&set, key);
        ENSURE((found != NULL) == (values[low][high] >= 0));
        if (found != NULL)
        {
            ENSURE_EQUAL_INT(*found, values[low][high]);
            tdPairSet_Remove(&set, key);
            values[low][high] = -1;
        }
        else if (set.count < 1700)
        {
            tdPairSet_Add(&set, key, round);
            values[low][high] = round;
        }
    }
    tdPairSet_Free(&set, &allocator);
}

// Random bodies in a world: after each step every pair of solid shapes of different bodies whose tight boxes
// overlap has a contact (except static against static).
TEST(NoPairIsMissed)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.gravity = tdVec3_zero;
    tdWorld* world = tdCreateWorld(&worldDef);
    tdBodyDef def = tdDefaultBodyDef();
    for (int i = 0; i < 60; ++i)
    {
        def.motion = i % 6 == 0 ? TD_MOTION_STATIC : i % 6 == 1 ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC;
        def.transform.position = (tdVec3){Random(-4.0f, 4.0f), Random(-4.0f, 4.0f), Random(-4.0f, 4.0f)};
        def.linearVelocity = (tdVec3){Random(-6.0f, 6.0f), Random(-6.0f, 6.0f), Random(-6.0f, 6.0f)};
        tdCreateSphere(world, tdCreateBody(world, &def), NULL, Random(0.1f, 0.5f));
    }
    for (int step = 0; step < 30; ++step)
    {
        // The narrow phase of a step sees the poses at the start of the step.
        static tdAabb tight[60];
        for (int i = 0; i < 60; ++i)
        {
            tdVec3 center = tdWorld_GetBodySim(world, i)->transform.position;
            float r = world->shapes.data[i].geometry.sphere.radius;
            tight[i] = (tdAabb){tdSub(center, (tdVec3){r, r, r}), tdAdd(center, (tdVec3){r, r, r})};
        }
        ENSURE(tdWorld_Step(world, 1.0f / 60.0f));
        for (int i = 0; i < 60; ++i)
        {
            for (int j = i + 1; j < 60; ++j)
            {
                bool isDynamic = world->bodies.data[i].motion == TD_MOTION_DYNAMIC ||
                                 world->bodies.data[j].motion == TD_MOTION_DYNAMIC;
                if (isDynamic && tdOverlapAabb(tight[i], tight[j]))
                {
                    ENSURE(tdPairSet_Find(&world->pairs, tdMakePairKey(i, j)) != NULL);
                }
            }
        }
    }
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(TreeQueriesEqualBruteForce) RUN(SortedInsertionStaysShallow) RUN(CastsAndNearestEqualBruteForce)
              RUN(PairSetEqualsBruteForce) RUN(NoPairIsMissed))
