// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of warm starting: contacts that are recreated in every step start with the impulses of the previous
// step. On frictionless ground a sliding tower stands like a resting one (Galilean invariance), although its
// lowest contact is new in each step.
#include "harness.h"

#include "physics/bodies.h"

#define MOST 8

/// Heights of the boxes of a tower that slides at `speed`, after a second. The top one is ten times as heavy.
/// @return the number of recreated manifolds
static int SlideTower(double speed, int count, double* heights)
{
    const Material smooth = {0.0f, 0.0f, 0.0f, 1000.0f};
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(100, 2, 10), smooth);
    tdBodyId bodies[MOST];
    for (int i = 0; i < count; ++i)
    {
        Material material = i == 0 ? smooth : plain;
        material.density *= i == count - 1 ? 10.0f : 1.0f;
        bodies[i] =
            AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.1 + 0.2 * i, 0), noTurn, V(0.4, 0.2, 0.4), material);
        tdBody_SetLinearVelocity(world, bodies[i], V(speed, 0, 0));
    }
    int made = 0;
    for (int k = 0; k < 60; ++k)
    {
        tdWorld_Step(world, (float)STEP);
        made += tdWorld_GetStats(world).manifoldsMade;
    }
    for (int i = 0; i < count; ++i)
    {
        heights[i] = (double)Position(world, bodies[i]).y;
    }
    tdDestroyWorld(world);
    return made;
}

TEST(SlidingTowersStandLikeRestingOnes)
{
    static const double speeds[2] = {0.3, 3};
    for (int count = 1; count <= MOST; ++count)
    {
        double resting[MOST], sliding[MOST];
        int least = SlideTower(0, count, resting);
        for (int i = 0; i < 2; ++i)
        {
            ENSURE(SlideTower(speeds[i], count, sliding) > least + 10);
            for (int k = 0; k < count; ++k)
            {
                ENSURE_NEAR(sliding[k], resting[k], 1e-4);
            }
        }
    }
}

TEST_MAIN(RUN(SlidingTowersStandLikeRestingOnes))
