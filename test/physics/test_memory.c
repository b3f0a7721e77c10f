// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of allocation failure: every allocation of the creation of a world and of its steps fails once. All
// created objects are released, a failed step leaves the state unchanged, and a retried step gives the
// bit-identical saved state.
#include "harness.h"
#include "joints.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define STEP_COUNT 18

typedef struct Scene
{
    const char* name;
    void (*fill)(tdWorld* world, tdGeometry* waves, tdGeometry* rock);
} Scene;

static void AddMixed(tdWorld* world, int count, tdVec3 corner, tdVec3 velocity)
{
    for (int i = 0; i < count; ++i)
    {
        tdBodyDef def = tdDefaultBodyDef();
        def.motion = TD_MOTION_DYNAMIC;
        def.transform.position = tdAdd(corner, V(0.5 * (i % 3), 0.45 * (i / 9), 0.5 * (i / 3 % 3)));
        def.transform.rotation = Turn(0.6, 0.0, 0.8, 0.3 * i);
        def.linearVelocity = velocity;
        tdBodyId body = tdCreateBody(world, &def);
        switch (i % 4)
        {
        case 0:
            tdCreateSphere(world, body, NULL, 0.25f);
            break;
        case 1:
            tdCreateBox(world, body, NULL, V(0.5, 0.4, 0.3));
            break;
        case 2:
            tdCreateCapsule(world, body, NULL, 0.3f, 0.15f, 0.15f);
            break;
        default:
            tdCreateCylinder(world, body, NULL, 0.4f, 0.2f, 0.2f);
            break;
        }
    }
}

static tdBodyId AddFloor(tdWorld* world)
{
    tdBodyDef def = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &def);
    tdShapeDef shape = tdDefaultShapeDef();
    shape.local.position.y = -0.5f;
    tdCreateBox(world, ground, &shape, V(40.0, 1.0, 40.0));
    return ground;
}

// Falling onto each other and onto a turning bar, through a trigger.
static void FillHeap(tdWorld* world, tdGeometry* waves, tdGeometry* rock)
{
    (void)waves;
    (void)rock;
    tdBodyId ground = AddFloor(world);
    tdShapeDef trigger = tdDefaultShapeDef();
    trigger.local.position.y = 1.0f;
    trigger.isTrigger = true;
    trigger.enableContactEvents = true;
    tdCreateBox(world, ground, &trigger, V(3.0, 1.0, 3.0));
    tdBodyDef bar = tdDefaultBodyDef();
    bar.motion = TD_MOTION_KINEMATIC;
    bar.transform.position.y = 0.3f;
    bar.angularVelocity.y = 1.0f;
    tdCreateBox(world, tdCreateBody(world, &bar), NULL, V(4.0, 0.3, 0.3));
    AddMixed(world, 14, V(-0.6, 0.7, -0.6), V(0.0, -1.0, 0.0));
}

// On triangles, and meshes that move.
static void FillMesh(tdWorld* world, tdGeometry* waves, tdGeometry* rock)
{
    tdBodyDef def = tdDefaultBodyDef();
    tdCreateMesh(world, tdCreateBody(world, &def), NULL, waves);
    AddMixed(world, 9, V(-0.6, 0.7, -0.6), V(1.0, -1.0, 0.0));
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 3; ++i)
    {
        def.transform.position = V(1.6, 0.6 + 0.5 * i, 0.1 * i);
        tdCreateMesh(world, tdCreateBody(world, &def), NULL, rock);
    }
}

// A chain that swings into a pile, and a hinge with a stop.
static void FillJoints(tdWorld* world, tdGeometry* waves, tdGeometry* rock)
{
    (void)waves;
    (void)rock;
    tdBodyId ground = AddFloor(world);
    tdBodyId last = ground;
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 6; ++i)
    {
        def.transform.position = V(-1.1 - 0.3 * i, 2.0, 0.0);
        tdBodyId link = tdCreateBody(world, &def);
        tdCreateBox(world, link, NULL, V(0.28, 0.1, 0.1));
        JoinHinge(world, last, link, V(-0.95 - 0.3 * i, 2.0, 0.0), i == 2 ? -0.2 : -PI, i == 2 ? 0.2 : PI);
        last = link;
    }
    AddMixed(world, 9, V(-0.6, 0.5, -0.6), V(0.0, -1.0, 0.0));
}

// Bullets from both sides into a thin wall, into each other and into resting bodies.
static void FillBullets(tdWorld* world, tdGeometry* waves, tdGeometry* rock)
{
    (void)waves;
    AddFloor(world);
    tdBodyDef wall = tdDefaultBodyDef();
    wall.transform.position = V(0.0, 1.0, -2.0);
    tdCreateBox(world, tdCreateBody(world, &wall), NULL, V(4.0, 2.0, 0.01));
    AddMixed(world, 6, V(-0.6, 0.5, -0.6), V(0.0, 0.0, 0.0));
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 6; ++i)
    {
        double side = i % 2 == 0 ? 1.0 : -1.0;
        def.transform.position = V(-0.6 + 0.2 * i, 0.6 + 0.05 * i, side * (9.0 + 3.0 * i));
        def.linearVelocity = V(0.0, 0.0, -150.0 * side);
        tdBodyId body = tdCreateBody(world, &def);
        if (i % 3 == 0)
        {
            tdCreateSphere(world, body, NULL, 0.05f);
        }
        else if (i % 3 == 1)
        {
            tdCreateBox(world, body, NULL, V(0.1, 0.1, 0.1));
        }
        else
        {
            tdCreateMesh(world, body, NULL, rock);
        }
    }
}

static const Scene scenes[] = {
    {"heap", FillHeap}, {"mesh", FillMesh}, {"joints", FillJoints}, {"bullets", FillBullets}};

#define SIDE 12

static tdGeometry* MakeWaves(void)
{
    tdVec3 positions[(SIDE + 1) * (SIDE + 1)];
    uint32_t indices[6 * SIDE * SIDE];
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
    {
        int x = i % (SIDE + 1), z = i / (SIDE + 1);
        positions[i] = V(0.4 * (x - SIDE / 2), 0.1 * ((x * x + 3 * z) % 4), 0.4 * (z - SIDE / 2));
    }
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        uint32_t a = (uint32_t)(i / SIDE * (SIDE + 1) + i % SIDE), c = a + SIDE + 1;
        uint32_t quad[6] = {a, c, a + 1, a + 1, c, c + 1};
        memcpy(indices + (size_t)6 * (size_t)i, quad, sizeof(quad));
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = (SIDE + 1) * (SIDE + 1);
    def.indices = indices;
    def.indexCount = 6 * SIDE * SIDE;
    return tdCreateMeshGeometry(&def, NULL);
}

// An octahedron.
static tdGeometry* MakeRock(void)
{
    static const tdVec3 positions[6] = {{0.2f, 0.0f, 0.0f},  {-0.2f, 0.0f, 0.0f}, {0.0f, 0.15f, 0.0f},
                                        {0.0f, -0.2f, 0.0f}, {0.0f, 0.0f, 0.2f},  {0.0f, 0.0f, -0.2f}};
    static const uint32_t indices[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                         2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = 6;
    def.indices = indices;
    def.indexCount = 24;
    return tdCreateMeshGeometry(&def, NULL);
}

static char* Save(const tdWorld* world, size_t* size)
{
    *size = tdWorld_SaveState(world, NULL, 0);
    char* data = malloc(*size);
    tdWorld_SaveState(world, data, *size);
    return data;
}

TEST(EveryAllocationOfACreationMayFail)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdWorldDef def = tdDefaultWorldDef();
    def.allocator = &allocator;
    bool isWhole = false;
    int tried = 0;
    for (int64_t n = 0; !isWhole; ++n)
    {
        ++tried;
        allocator = tdFailingAllocator_Make(&state, n);
        tdWorld* world = tdCreateWorld(&def);
        if (world != NULL)
        {
            // Creating functions return null ids without other effects.
            tdBodyDef bodyDef = tdDefaultBodyDef();
            bodyDef.motion = TD_MOTION_DYNAMIC;
            tdBodyId body = tdCreateBody(world, &bodyDef);
            if (body.index1 != 0)
            {
                isWhole = tdCreateSphere(world, body, NULL, 1.0f).index1 != 0;
            }
            ENSURE(isWhole || tdWorld_GetStatus(world) == TD_STATUS_OUT_OF_MEMORY);
            tdDestroyWorld(world);
        }
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(tried > 10);
}

// The undisturbed run, then one for each allocation of its steps.
static void FailInEveryStep(const Scene* scene, tdGeometry* waves, tdGeometry* rock)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdWorldDef def = tdDefaultWorldDef();
    def.allocator = &allocator;
    tdWorld* world = tdCreateWorld(&def);
    scene->fill(world, waves, rock);
    int64_t built = state.count;
    uint64_t hashes[STEP_COUNT];
    for (int i = 0; i < STEP_COUNT; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        hashes[i] = tdWorld_GetStateHash(world);
    }
    int64_t total = state.count;
    size_t size;
    char* saved = Save(world, &size);
    tdDestroyWorld(world);
    ENSURE(total > built + 25);
    for (int64_t n = built; n < total; ++n)
    {
        allocator = tdFailingAllocator_Make(&state, -1);
        world = tdCreateWorld(&def);
        scene->fill(world, waves, rock);
        state.failAt = n;
        int failures = 0;
        bool isSame = true;
        for (int i = 0; i < STEP_COUNT;)
        {
            uint64_t before = tdWorld_GetStateHash(world);
            if (tdWorld_Step(world, (float)STEP))
            {
                isSame = isSame && tdWorld_GetStateHash(world) == hashes[i];
                ++i;
                continue;
            }
            failures += 1;
            ENSURE(tdWorld_GetStatus(world) == TD_STATUS_OUT_OF_MEMORY);
            ENSURE(tdWorld_GetStateHash(world) == before);
            state.failAt = -1; // all memory is released
        }
        ENSURE_EQUAL_INT(failures, 1);
        size_t againSize;
        char* again = Save(world, &againSize);
        isSame = isSame && againSize == size && memcmp(again, saved, size) == 0;
        if (!isSame)
        {
            printf("%s: allocation %d\n", scene->name, (int)(n - built));
        }
        ENSURE(isSame);
        free(again);
        tdDestroyWorld(world);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    free(saved);
}

TEST(ARetriedStepIsBitIdentical)
{
    tdGeometry *waves = MakeWaves(), *rock = MakeRock();
    for (int i = 0; i < (int)(sizeof(scenes) / sizeof(scenes[0])); ++i)
    {
        FailInEveryStep(&scenes[i], waves, rock);
    }
    tdDestroyGeometry(waves);
    tdDestroyGeometry(rock);
}

TEST_MAIN(RUN(EveryAllocationOfACreationMayFail) RUN(ARetriedStepIsBitIdentical))
