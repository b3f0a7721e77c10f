// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of shapes: combine rules, every type at rest on a floor at the height of its size, local transforms,
// matrices.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/body/shape.h"
#include "physics/narrow_phase/material.h"

#include "tendon/physics.h"

#include <string.h>

#define STEP (1.0f / 60.0f)

TEST(CombineFollowsThePriorities)
{
    const float a = 0.2f, b = 0.8f;
    const float results[5] = {0.5f, 0.5f, 0.2f, 0.8f,
                              0.16f}; // of each mode alone; unspecified alone is average
    for (int i = 0; i < 5; ++i)
    {
        for (int j = 0; j < 5; ++j)
        {
            // Average wins over minimum, maximum and multiply in this order; unspecified has the lowest
            // priority.
            int mode = i == 0 ? j : j == 0 ? i : i < j ? i : j;
            ENSURE_NEAR(tdCombineMaterial(a, (tdCombine)i, b, (tdCombine)j), results[mode], 1e-6);
        }
    }
}

static tdBodyId MakeBody(tdWorld* world, tdVec3 position)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = position;
    return tdCreateBody(world, &def);
}

// Each type stands on an infinite plane, with a known height of its origin. The slop of 5 mm is allowed
// overlap.
TEST(EveryKindRestsAtItsHeight)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef groundDef = tdDefaultBodyDef();
    tdCreatePlane(world, tdCreateBody(world, &groundDef), NULL, INFINITY, INFINITY, false);
    tdVec3 corners[8];
    uint32_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                            2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int i = 0; i < 8; ++i)
    {
        corners[i] =
            (tdVec3){(i & 1) != 0 ? 0.4f : -0.4f, (i & 2) != 0 ? 0.3f : -0.3f, (i & 4) != 0 ? 0.5f : -0.5f};
    }
    tdGeometry* hull = tdCreateHullGeometry(corners, 8, NULL, NULL);
    tdMeshGeometryDef meshDef = tdDefaultMeshGeometryDef();
    meshDef.positions = corners;
    meshDef.positionCount = 8;
    meshDef.indices = indices;
    meshDef.indexCount = 36;
    tdGeometry* mesh = tdCreateMeshGeometry(&meshDef, NULL);
    ENSURE(hull != NULL && mesh != NULL);
    float heights[10] = {0.5f, 0.3f, 0.6f, 0.6f, 0.4f, 0.4f, 0.3f, 0.3f, 1.0f, 0.45f};
    tdBodyId bodies[10];
    for (int i = 0; i < 10; ++i)
    {
        bodies[i] = MakeBody(world, (tdVec3){3.0f * (float)i, heights[i] + 0.05f, 0.0f});
        tdShapeDef def = tdDefaultShapeDef();
        switch (i)
        {
        case 0:
            tdCreateSphere(world, bodies[i], NULL, 0.5f);
            break;
        case 1:
            tdCreateBox(world, bodies[i], NULL, (tdVec3){1.0f, 0.6f, 1.0f});
            break;
        case 2:
            tdCreateCapsule(world, bodies[i], NULL, 0.4f, 0.4f, 0.4f);
            tdBody_EnableSleep(world, bodies[i], false);
            break;
        case 3: // tapered: heavy end below
            tdCreateCapsule(world, bodies[i], NULL, 0.4f, 0.4f, 0.1f);
            break;
        case 4:
            tdCreateCylinder(world, bodies[i], NULL, 0.8f, 0.5f, 0.5f);
            break;
        case 5:
            tdCreateCylinder(world, bodies[i], NULL, 0.8f, 0.5f, 0.0f);
            break;
        case 6:
            tdCreateHull(world, bodies[i], NULL, hull);
            break;
        case 7:
            tdCreateMesh(world, bodies[i], NULL, mesh);
            break;
        case 8: // a sphere stretched to an ellipsoid of half height 0.5, half a metre up in its body
            def.hasMatrix = true;
            def.matrix[0].x = 2.0f;
            def.matrix[2].z = 2.0f;
            def.local.position.y = -0.5f;
            tdCreateSphere(world, bodies[i], &def, 0.5f);
            break;
        default: // two boxes as feet
            def.local.position = (tdVec3){-0.5f, -0.25f, 0.0f};
            tdCreateBox(world, bodies[i], &def, (tdVec3){0.2f, 0.4f, 0.8f});
            def.local.position.x = 0.5f;
            tdCreateBox(world, bodies[i], &def, (tdVec3){0.2f, 0.4f, 0.8f});
            break;
        }
    }
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    for (int i = 0; i < 10; ++i)
    {
        if (!ENSURE_NEAR(tdBody_GetTransform(world, bodies[i]).position.y, heights[i], 0.0065f))
        {
            printf("  kind %d\n", i);
        }
    }
    // An ellipsoid 2 x 1 x 2 has four times the volume of the ball.
    ENSURE_NEAR(tdBody_GetMass(world, bodies[8]).mass, 4.0f * tdBody_GetMass(world, bodies[0]).mass, 1.0f);
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
    tdDestroyGeometry(mesh);
}

TEST(LocalMayMove)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef groundDef = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &groundDef);
    tdShapeId floorShape = tdCreateBox(world, ground, NULL, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyId box = MakeBody(world, (tdVec3){0.0f, 1.0f, 0.0f});
    tdShapeId shape = tdCreateBox(world, box, NULL, (tdVec3){1.0f, 1.0f, 1.0f});
    float mass = tdBody_GetMass(world, box).mass;
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(!tdBody_IsAwake(world, box));
    tdShape_SetLocal(world, floorShape, (tdTransform){{0.0f, -1.0f, 0.0f}, tdQuat_identity});
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, 0.0f, 0.0065f);
    tdShape_SetLocal(world, shape, (tdTransform){{0.0f, 0.25f, 0.0f}, tdQuat_identity});
    ENSURE_NEAR(tdBody_GetMass(world, box).mass, mass, 0.0f); // stays as it is
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, box).position.y, -0.25f, 0.0065f);
    tdDestroyWorld(world);
}

TEST(ManyShapesOnOneBody)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef groundDef = tdDefaultBodyDef();
    tdCreateBox(world, tdCreateBody(world, &groundDef), NULL, (tdVec3){40.0f, 2.0f, 40.0f});
    tdBodyId body = MakeBody(world, (tdVec3){0.0f, 2.0f, 0.0f});
    tdShapeDef def = tdDefaultShapeDef();
    for (int i = 0; i < 100; ++i)
    {
        def.local.position =
            (tdVec3){0.25f * (float)(i % 10) - 1.125f, 0.0f, 0.25f * (float)(i / 10) - 1.125f};
        tdCreateSphere(world, body, &def, 0.1f);
    }
    tdShapeId shapes[100];
    ENSURE_EQUAL_INT(tdBody_GetShapes(world, body, shapes, 100), 100);
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, body).position.y, 1.1f, 0.0065f);
    for (int i = 0; i < 100; i += 2)
    {
        tdDestroyShape(world, shapes[i]);
        ENSURE(!tdShape_IsValid(world, shapes[i]));
    }
    ENSURE_EQUAL_INT(tdBody_GetShapes(world, body, NULL, 0), 50);
    tdWorld_Step(world, STEP);
    tdDestroyWorld(world);
}

// Many shapes on one body: the final mass equals the incrementally accumulated mass bit for bit, and the body
// moves identically.
TEST(DeferredMassIsTheSame)
{
    enum
    {
        COUNT = 300
    };
    uint64_t hashes[2];
    tdBodyMass masses[2];
    for (int deferred = 0; deferred < 2; ++deferred)
    {
        tdWorld* world = tdCreateWorld(NULL);
        tdBodyDef groundDef = tdDefaultBodyDef();
        tdCreateBox(world, tdCreateBody(world, &groundDef), NULL, (tdVec3){40.0f, 2.0f, 40.0f});
        tdBodyId body = MakeBody(world, (tdVec3){0.0f, 1.4f, 0.0f});
        tdShapeDef def = tdDefaultShapeDef();
        def.deferMass = deferred != 0;
        for (int i = 0; i < COUNT; ++i)
        {
            def.local.position =
                (tdVec3){0.2f * (float)(i % 20), 0.03f * (float)(i % 7), 0.2f * (float)(i / 20)};
            tdCreateBox(world, body, &def, (tdVec3){0.15f, 0.1f + 0.01f * (float)(i % 3), 0.15f});
        }
        if (deferred != 0)
        {
            tdBody_ComputeMass(world, body);
        }
        masses[deferred] = tdBody_GetMass(world, body);
        for (int i = 0; i < 10; ++i)
        {
            tdWorld_Step(world, STEP);
        }
        hashes[deferred] = tdWorld_GetStateHash(world);
        tdDestroyWorld(world);
    }
    ENSURE(masses[0].mass > 300 * 1000 * 0.15f * 0.15f * 0.1f);
    ENSURE(memcmp(&masses[0], &masses[1], sizeof(tdBodyMass)) == 0);
    ENSURE(hashes[0] == hashes[1]);
}

TEST_MAIN(RUN(DeferredMassIsTheSame) RUN(CombineFollowsThePriorities) RUN(EveryKindRestsAtItsHeight)
              RUN(LocalMayMove) RUN(ManyShapesOnOneBody))
