// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of compound bodies: fast ones stop at walls and at each other, the number of tested pairs grows
// slower than the square of the parts, and changed or loaded bodies behave like new ones.
#include "bodies.h"
#include "harness.h"

#include <stdlib.h>

#define PART_SIZE 0.2f

// A plate of side x side boxes across the x axis, about its origin.
static tdBodyId AddPlate(tdWorld* world, int side, tdVec3 position, tdVec3 velocity)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = position;
    def.linearVelocity = velocity;
    def.gravityFactor = 0.0f;
    tdBodyId body = tdCreateBody(world, &def);
    for (int i = 0; i < side * side; ++i)
    {
        tdShapeDef part = tdDefaultShapeDef();
        part.local.position = V(0.0, (double)PART_SIZE * (i % side - 0.5 * (side - 1)),
                                (double)PART_SIZE * (i / side - 0.5 * (side - 1)));
        part.deferMass = true;
        tdCreateBox(world, body, &part, (tdVec3){PART_SIZE, PART_SIZE, PART_SIZE});
    }
    tdBody_ComputeMass(world, body);
    return body;
}

static void AddWall(tdWorld* world)
{
    tdBodyId body = tdCreateBody(world, NULL);
    tdCreateBox(world, body, NULL, (tdVec3){0.01f, 40.0f, 40.0f});
}

TEST(StopsAtThinWall)
{
    for (int side = 2; side <= 12; side += 5)
    {
        for (int spin = 0; spin < 4; ++spin)
        {
            tdWorld* world = MakeWorld(V(0, 0, 0), false);
            AddWall(world);
            tdBodyId body = AddPlate(world, side, V(-7.3, 0.1, 0.2), V(250, 3, -2));
            tdBody_SetAngularVelocity(world, body, V(2.0 * spin, 0.7 * spin, 9.0 * spin));
            for (int i = 0; i < 30; ++i)
            {
                ENSURE(tdWorld_Step(world, (float)STEP));
            }
            ENSURE(tdBody_GetTransform(world, body).position.x < 0.0f);
            tdDestroyWorld(world);
        }
    }
}

TEST(StopsAtPlane)
{
    tdWorld* world = MakeWorld(V(0, -9.81, 0), false);
    tdCreatePlane(world, tdCreateBody(world, NULL), NULL, INFINITY, INFINITY, false);
    tdBodyId body = AddPlate(world, 6, V(0, 9.7, 0), V(0, -200, 1));
    tdBody_SetAngularVelocity(world, body, V(1, 2, 3));
    for (int i = 0; i < 60; ++i)
    {
        ENSURE(tdWorld_Step(world, (float)STEP));
        ENSURE(tdBody_GetTransform(world, body).position.y > 0.0f);
    }
    tdDestroyWorld(world);
}

TEST(BulletsDoNotPass)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId left = AddPlate(world, 5, V(-4.1, 0, 0), V(54, 0, 0));
    tdBodyId right = AddPlate(world, 5, V(4.3, 0.1, 0.15), V(-45, 0, 0));
    for (int i = 0; i < 8; ++i)
    {
        ENSURE(tdWorld_Step(world, (float)STEP));
        ENSURE(tdBody_GetTransform(world, left).position.x < tdBody_GetTransform(world, right).position.x);
    }
    tdDestroyWorld(world);
}

// Pairs of shapes that two plates of side x side boxes test in the step in which they meet.
static int CountSweptPairs(int side)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    AddPlate(world, side, V(-1.0, 0, 0), V(60, 0, 0));
    AddPlate(world, side, V(1.0, 0.03, 0.07), V(-60, 0, 0));
    int most = 0;
    for (int i = 0; i < 4; ++i)
    {
        ENSURE(tdWorld_Step(world, (float)STEP));
        int count = tdWorld_GetStats(world).sweptPairCount;
        most = count > most ? count : most;
    }
    tdDestroyWorld(world);
    return most;
}

TEST(SweptPairsGrowWithTheParts)
{
    int before = CountSweptPairs(3); // 9 parts: 81 pairs and more without trees
    for (int side = 6; side <= 24; side *= 2)
    {
        int count = CountSweptPairs(side);
        ENSURE(count > 0);
        // Four times the parts: at most 4.8 times the pairs, n log n. All pairs would be 16 times as many.
        ENSURE(count < 5 * before + 50);
        before = count;
    }
    // A body that meets nothing tests nothing.
    tdWorld* world = MakeWorld(V(0, -9.81, 0), false);
    AddWall(world);
    AddPlate(world, 10, V(-30, 0, 0), V(60, 0, 0));
    ENSURE(tdWorld_Step(world, (float)STEP));
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).continuousCount, 1);
    ENSURE_EQUAL_INT(tdWorld_GetStats(world).sweptPairCount, 0);
    tdDestroyWorld(world);
}

// Plates that fall over each other onto a floor.
static tdWorld* MakePile(void)
{
    tdWorld* world = MakeWorld(V(0, -9.81, 0), false);
    tdBodyDef def = tdDefaultBodyDef();
    def.transform.position = V(0, -1, 0);
    tdCreateBox(world, tdCreateBody(world, &def), NULL, (tdVec3){40.0f, 2.0f, 40.0f});
    for (int i = 0; i < 12; ++i)
    {
        tdBodyId body = AddPlate(world, 3, V(0.1 * (i % 3), 1.0 + 0.9 * i, 0.07 * (i % 5)), V(0, -12, 0));
        tdBody_SetGravityFactor(world, body, 1.0f);
        tdBody_SetAngularVelocity(world, body, V(0.3 * i, 1, -0.2 * i));
    }
    return world;
}

static void StepWorld(tdWorld* world, int count)
{
    for (int i = 0; i < count; ++i)
    {
        ENSURE(tdWorld_Step(world, (float)STEP));
    }
}

TEST(LoadedStateContinuesEqually)
{
    tdWorld *world = MakePile(), *loaded = MakePile();
    StepWorld(world, 25);
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* data = malloc(size);
    ENSURE(data != NULL);
    ENSURE(tdWorld_SaveState(world, data, size) == size);
    ENSURE(tdWorld_LoadState(loaded, data, size));
    StepWorld(world, 60);
    StepWorld(loaded, 60);
    ENSURE(tdWorld_GetStateHash(world) == tdWorld_GetStateHash(loaded));
    // Back to the earlier state.
    ENSURE(tdWorld_LoadState(world, data, size));
    StepWorld(world, 60);
    ENSURE(tdWorld_GetStateHash(world) == tdWorld_GetStateHash(loaded));
    free(data);
    tdDestroyWorld(world);
    tdDestroyWorld(loaded);
}

TEST(ChangedShapesCollide)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    AddWall(world);
    tdBodyId body = AddPlate(world, 4, V(-5, 0, 0), V(0, 0, 0));
    StepWorld(world, 2);
    // A part ahead of the plate hits first.
    tdShapeDef part = tdDefaultShapeDef();
    part.local.position = V(2, 0, 0);
    tdShapeId tip = tdCreateBox(world, body, &part, (tdVec3){PART_SIZE, PART_SIZE, PART_SIZE});
    tdBody_SetLinearVelocity(world, body, V(200, 0, 0));
    StepWorld(world, 20);
    ENSURE(tdBody_GetTransform(world, body).position.x < -1.9f);
    // Without it the plate itself reaches the wall, and as static body it stays.
    tdDestroyShape(world, tip);
    tdBody_SetAngularVelocity(world, body, V(0, 0, 0));
    tdBody_SetTransform(world, body, (tdTransform){V(-5, 0, 0), noTurn});
    tdBody_SetLinearVelocity(world, body, V(200, 0, 0));
    StepWorld(world, 3);
    float x = tdBody_GetTransform(world, body).position.x;
    ENSURE(x > -1.0f && x < 0.0f);
    tdBody_SetMotion(world, body, TD_MOTION_STATIC);
    StepWorld(world, 2);
    tdBody_SetMotion(world, body, TD_MOTION_KINEMATIC);
    tdBody_SetLinearVelocity(world, body, V(-30, 0, 0));
    StepWorld(world, 2);
    tdBody_SetMotion(world, body, TD_MOTION_DYNAMIC);
    tdBody_SetLinearVelocity(world, body, V(200, 0, 0));
    StepWorld(world, 20);
    ENSURE(tdBody_GetTransform(world, body).position.x < 0.0f);
    tdDestroyBody(world, body);
    StepWorld(world, 2);
    tdDestroyWorld(world);
}

// The same boxes as parts of bodies and as bodies of their own.
static tdWorld* MakeScattered(bool isCompound)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    for (int i = 0; i < 6; ++i)
    {
        tdVec3 place = V(1.3 * i - 3.0, 0.4 * (i % 3), 0.7 * (i % 2));
        tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, place, noTurn);
        for (int k = 0; k < 20; ++k)
        {
            tdShapeDef part = tdDefaultShapeDef();
            tdVec3 offset = V(0.3 * (k % 4), 0.35 * (k / 4 % 3), 0.4 * (k / 12));
            part.local.position = isCompound ? offset : V(0, 0, 0);
            part.userData = (uint64_t)(20 * i + k);
            if (!isCompound && k > 0)
            {
                body = AddBody(world, TD_MOTION_DYNAMIC, place, noTurn);
            }
            if (!isCompound)
            {
                tdBody_SetTransform(
                    world, body,
                    (tdTransform){{place.x + offset.x, place.y + offset.y, place.z + offset.z}, noTurn});
            }
            tdCreateBox(world, body, &part, (tdVec3){0.2f, 0.15f, 0.25f});
        }
    }
    ENSURE(tdWorld_Step(world, 0.0f));
    return world;
}

TEST(QueriesFindParts)
{
    tdWorld *compounds = MakeScattered(true), *singles = MakeScattered(false);
    int hits = 0;
    for (int i = 0; i < 400; ++i)
    {
        tdRay ray = {V(-6.0 + 0.03 * i, 2.0 - 0.011 * i, -3.0), V(6.0 - 0.025 * i, -1.0 + 0.01 * i, 7.0)};
        tdQueryHit a, b;
        bool isHitA = tdWorld_CastRay(compounds, ray, NULL, &a),
             isHitB = tdWorld_CastRay(singles, ray, NULL, &b);
        ENSURE(isHitA == isHitB);
        if (isHitA && isHitB)
        {
            ENSURE_NEAR(a.fraction, b.fraction, 1.0e-5);
            ENSURE(tdShape_GetUserData(compounds, a.shape) == tdShape_GetUserData(singles, b.shape));
            hits += 1;
        }
        tdQueryShape ball = tdMakeSphereQuery(0.3f);
        tdTransform place = {ray.origin, noTurn};
        ENSURE(tdWorld_CastShape(compounds, &ball, place, ray.translation, NULL, &a) ==
               tdWorld_CastShape(singles, &ball, place, ray.translation, NULL, &b));
        place.position.z = 0.01f * (float)(i % 100);
        tdShapeId shapes[1];
        ENSURE_EQUAL_INT(tdWorld_OverlapShape(compounds, &ball, place, NULL, shapes, 1),
                         tdWorld_OverlapShape(singles, &ball, place, NULL, shapes, 1));
        tdQueryPoint p, q;
        ENSURE(tdWorld_FindClosestPoint(compounds, place.position, 1.0f, NULL, &p) ==
               tdWorld_FindClosestPoint(singles, place.position, 1.0f, NULL, &q));
        ENSURE_NEAR(p.distance, q.distance, 1.0e-5);
    }
    ENSURE(hits > 20);
    tdDestroyWorld(compounds);
    tdDestroyWorld(singles);
}

TEST_MAIN(RUN(StopsAtThinWall) RUN(StopsAtPlane) RUN(BulletsDoNotPass) RUN(SweptPairsGrowWithTheParts)
              RUN(LoadedStateContinuesEqually) RUN(ChangedShapesCollide) RUN(QueriesFindParts))
