// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of hundreds of bodies, shapes and joints that are created and destroyed between steps: the linked
// lists for constant-time removal stay consistent, nothing is left behind, and the same sequence gives the
// same bits.
//
// Labels: threads
#include "harness.h"

#include "physics/bodies.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/data/contact_data.h"
#include "physics/data/shape_data.h"
#include "physics/data/world_data.h"

#include "tendon/joint.h"

#define BODY_COUNT 120
#define ROUND_COUNT 40

static uint32_t randomState;

static int Random(int count)
{
    randomState = randomState * 1664525u + 1013904223u;
    return (int)((uint64_t)(randomState >> 8) * (uint64_t)count >> 24);
}

typedef struct Crowd
{
    tdBodyId bodies[BODY_COUNT]; // index1 0: none
    tdShapeId extra[BODY_COUNT]; // a second shape
    tdBodyId floorBody;
    tdShapeId tiles[100]; // of the floor
} Crowd;

// The move buffer contains exactly the queued shapes; shape lists are consistent in both directions.
static void CheckLists(const tdWorld* world)
{
    int queued = 0, live = 0, leaves = 0;
    for (int i = 0; i < world->shapes.count; ++i)
    {
        const tdShape* shape = &world->shapes.data[i];
        if (shape->body < 0)
        {
            continue;
        }
        live += 1;
        if ((shape->flags & TD_SHAPE_QUEUED) != 0)
        {
            queued += 1;
            ENSURE(shape->moveIndex >= 0 && shape->moveIndex < world->moved.count);
            ENSURE_EQUAL_INT(world->moved.data[shape->moveIndex], i);
        }
    }
    ENSURE_EQUAL_INT(world->moved.count, queued);
    ENSURE_EQUAL_INT(world->liveShapeCount, live);
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        leaves += world->trees[i].leafCount;
    }
    ENSURE_EQUAL_INT(leaves, live);
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        int count = 0, previous = -1;
        for (int shape = (int)body->motion >= 0 ? body->shapeHead : -1; shape >= 0;
             shape = world->shapes.data[shape].next)
        {
            ENSURE_EQUAL_INT(world->shapes.data[shape].body, i);
            ENSURE_EQUAL_INT(world->shapes.data[shape].previous, previous);
            previous = shape;
            count += 1;
        }
        ENSURE((int)body->motion < 0 || body->shapeCount == count);
    }
}

static void AddSome(tdWorld* world, Crowd* crowd, int at, int round)
{
    // Next to each other on the tiles and stacked.
    tdVec3 place =
        V(0.5 * (at % 10) - 2.2, 0.2 + 0.4 * (at / 10 % 4) + 0.005 * (round % 7), 0.6 * (at / 40) - 0.5);
    crowd->bodies[at] = AddBox(world, TD_MOTION_DYNAMIC, place, noTurn, V(0.5, 0.4, 0.6), plain);
    crowd->extra[at] = (tdShapeId){0};
    if (Random(3) == 0)
    {
        crowd->extra[at] = tdCreateSphere(world, crowd->bodies[at], NULL, 0.28f);
    }
    int other = Random(BODY_COUNT);
    if (Random(4) == 0 && other != at && crowd->bodies[other].index1 != 0)
    {
        tdJointDef joint = tdDefaultJointDef();
        joint.bodyA = crowd->bodies[other];
        joint.bodyB = crowd->bodies[at];
        tdCreateJoint(world, &joint);
    }
}

static void ChangeSome(tdWorld* world, Crowd* crowd, int round)
{
    for (int i = 0; i < BODY_COUNT; ++i)
    {
        int at = Random(BODY_COUNT), choice = Random(4);
        if (crowd->bodies[at].index1 == 0)
        {
            AddSome(world, crowd, at, round);
        }
        else if (choice == 0)
        {
            tdDestroyBody(world, crowd->bodies[at]);
            crowd->bodies[at] = (tdBodyId){0};
        }
        else if (choice == 1 && crowd->extra[at].index1 != 0)
        {
            tdDestroyShape(world, crowd->extra[at]);
            crowd->extra[at] = (tdShapeId){0};
        }
    }
    // Some tiles of the floor are removed, others return.
    for (int i = 0; i < 10; ++i)
    {
        int at = Random(100);
        if (crowd->tiles[at].index1 != 0)
        {
            tdDestroyShape(world, crowd->tiles[at]);
            crowd->tiles[at] = (tdShapeId){0};
            continue;
        }
        tdShapeDef def = tdDefaultShapeDef();
        def.local.position = V(at % 10 - 4.5, -0.5, at / 10 - 4.5);
        crowd->tiles[at] = tdCreateBox(world, crowd->floorBody, &def, V(1, 1, 1));
    }
}

static uint64_t Run(const tdTasks* tasks)
{
    static Crowd crowd;
    crowd = (Crowd){0};
    randomState = 4711;
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    tdWorld* world = tdCreateWorld(&def);
    tdBodyDef floorDef = tdDefaultBodyDef();
    crowd.floorBody = tdCreateBody(world, &floorDef);
    uint64_t hash = 0;
    int touchingContacts = 0;
    for (int round = 0; round < ROUND_COUNT; ++round)
    {
        ChangeSome(world, &crowd, round);
        CheckLists(world);
        // Every fifth round has no step, so that objects are created and destroyed twice between two steps.
        if (round % 5 != 0)
        {
            tdWorld_Step(world, (float)STEP);
            touchingContacts += tdWorld_GetStats(world).contactCount;
            CheckLists(world);
        }
        hash = 31 * hash + tdWorld_GetStateHash(world);
    }
    ENSURE(touchingContacts > 100 * ROUND_COUNT); // removals did destroy contacts
    for (int i = 0; i < BODY_COUNT; ++i)
    {
        if (crowd.bodies[i].index1 != 0)
        {
            tdDestroyBody(world, crowd.bodies[i]);
        }
    }
    tdDestroyBody(world, crowd.floorBody);
    CheckLists(world);
    ENSURE_EQUAL_INT(world->liveShapeCount, 0);
    ENSURE_EQUAL_INT(world->liveBodyCount, 0);
    ENSURE_EQUAL_INT(world->liveContactCount, 0);
    ENSURE_EQUAL_INT(world->liveManifolds, 0);
    ENSURE_EQUAL_INT(world->awakeCount, 1);
    ENSURE_EQUAL_INT(world->awakeIslandCount, 0);
    ENSURE_EQUAL_INT(world->touchingContacts.count + world->separatedContacts.count, 0);
    ENSURE(tdWorld_Step(world, (float)STEP));
    tdDestroyWorld(world);
    return hash;
}

TEST(CreationAndDestructionLeaveNothingBehind)
{
    uint64_t hash = Run(NULL);
    ENSURE(Run(NULL) == hash);
    const tdTasks* tasks = tdCreateThreads(2);
    ENSURE(Run(tasks) == hash);
    tdDestroyThreads(tasks);
}

TEST_MAIN(RUN(CreationAndDestructionLeaveNothingBehind))
