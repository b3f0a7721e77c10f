// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of hulls and meshes after a state is loaded: every shape has its original geometry, compared by size
// and not by hash.
#include "harness.h"

#include "physics/bodies.h"

#include <stdlib.h>

#define COUNT 6

/// A cube of edge 1 + i / 4: hulls for even i, meshes for odd.
static tdGeometry* MakeCube(int i)
{
    double half = 0.5 * (1 + 0.25 * i);
    tdVec3 corners[8];
    for (int k = 0; k < 8; ++k)
    {
        corners[k] = V(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half);
    }
    if (i % 2 == 0)
    {
        return tdCreateHullGeometry(corners, 8, NULL, NULL);
    }
    static const uint32_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = corners;
    def.positionCount = 8;
    def.indices = indices;
    def.indexCount = 36;
    return tdCreateMeshGeometry(&def, NULL);
}

static tdWorld* MakeCubes(tdGeometry* const* cubes, tdBodyId* bodies)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    for (int i = 0; i < COUNT; ++i)
    {
        bodies[i] = AddBody(world, TD_MOTION_STATIC, V(4.0 * i, 0, 0), noTurn);
        tdShapeId id = i % 2 == 0 ? tdCreateHull(world, bodies[i], NULL, cubes[i])
                                  : tdCreateMesh(world, bodies[i], NULL, cubes[i]);
        ENSURE(id.index1 != 0);
    }
    return world;
}

static void EnsureSizes(const tdWorld* world)
{
    for (int i = 0; i < COUNT; ++i)
    {
        tdQueryHit hit;
        tdRay ray = {V(4.0 * i + 0.1, 5, 0.2), V(0, -10, 0)};
        if (ENSURE(tdWorld_CastRay(world, ray, NULL, &hit)))
        {
            ENSURE_NEAR(hit.point.y, 0.5 * (1 + 0.25 * i), 1e-5);
        }
    }
}

TEST(LoadedShapesKeepTheirGeometry)
{
    tdGeometry* cubes[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        cubes[i] = MakeCube(i);
        ENSURE(cubes[i] != NULL);
    }
    tdBodyId bodies[COUNT], others[COUNT];
    tdWorld* world = MakeCubes(cubes, bodies);
    EnsureSizes(world);
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(size);
    ENSURE_EQUAL_INT(tdWorld_SaveState(world, block, size), size);
    // Into the same world, after all bodies were moved.
    for (int i = 0; i < COUNT; ++i)
    {
        tdBody_SetTransform(world, bodies[i], (tdTransform){V(0, -50.0 - i, 0), noTurn});
    }
    ENSURE(tdWorld_LoadState(world, block, size));
    EnsureSizes(world);
    // Into another world that was built by the same calls.
    tdWorld* twin = MakeCubes(cubes, others);
    ENSURE(tdWorld_LoadState(twin, block, size));
    EnsureSizes(twin);
    tdWorld_Step(twin, (float)STEP);
    EnsureSizes(twin);
    free(block);
    tdDestroyWorld(twin);
    tdDestroyWorld(world);
    for (int i = 0; i < COUNT; ++i)
    {
        tdDestroyGeometry(cubes[i]);
    }
}

TEST(StatesWithMoreGeometriesAreRefused)
{
    tdGeometry* cubes[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        cubes[i] = MakeCube(i);
    }
    tdBodyId bodies[COUNT];
    tdWorld* world = MakeCubes(cubes, bodies);
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(size);
    tdWorld_SaveState(world, block, size);
    // A world without the last geometry refuses that state.
    tdWorld* poorer = MakeWorld(V(0, 0, 0), true);
    for (int i = 0; i < COUNT - 1; ++i)
    {
        tdBodyId body = AddBody(poorer, TD_MOTION_STATIC, V(4.0 * i, 0, 0), noTurn);
        tdShapeId id = i % 2 == 0 ? tdCreateHull(poorer, body, NULL, cubes[i])
                                  : tdCreateMesh(poorer, body, NULL, cubes[i]);
        ENSURE(id.index1 != 0);
    }
    ENSURE(!tdWorld_LoadState(poorer, block, size));
    free(block);
    tdDestroyWorld(poorer);
    tdDestroyWorld(world);
    for (int i = 0; i < COUNT; ++i)
    {
        tdDestroyGeometry(cubes[i]);
    }
}

TEST_MAIN(RUN(LoadedShapesKeepTheirGeometry) RUN(StatesWithMoreGeometriesAreRefused))
