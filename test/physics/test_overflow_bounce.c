// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of restitution in overflow groups: more balls bounce off one plate than there are colours, and
// restitution acts as in any colour.
#include "harness.h"

#include "physics/bodies.h"
#include "physics/data/color.h"
#include "physics/data/world_data.h"
#include "physics/solver/solver_data.h"

#define SIDE 12
#define COUNT (SIDE * SIDE)
#define PITCH 0.11

TEST(EveryBallBouncesByTheLawOfRestitution)
{
    // Newton: v' - V' = e v for each ball, and momentum: n m v' + M V' = -n m v. So V' = -n m v (1 + e) / (n
    // m + M).
    const double speed = 2, bounce = 0.5;
    const Material material = {0.0f, 0.0f, (float)bounce, 1000.0f};
    const Material heavy = {0.0f, 0.0f, (float)bounce, 20000.0f};
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId plate =
        AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(SIDE * PITCH, 0.1, SIDE * PITCH), heavy);
    tdBodyId balls[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        tdVec3 p = V(PITCH * (i % SIDE - 0.5 * (SIDE - 1)), 0.12, PITCH * (i / SIDE - 0.5 * (SIDE - 1)));
        balls[i] = AddSphere(world, TD_MOTION_DYNAMIC, p, 0.05, material);
        tdBody_SetLinearVelocity(world, balls[i], V(0, -speed, 0));
    }
    double ballMass = COUNT * (double)tdBody_GetMass(world, balls[0]).mass;
    double plateMass = (double)tdBody_GetMass(world, plate).mass;
    int most = 0;
    for (int i = 0; i < 12; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        int overflow = world->solver->overflowCount;
        most = overflow > most ? overflow : most;
    }
    ENSURE(most >= COUNT - TD_COLOR_COUNT);
    double plateSpeed = -ballMass * speed * (1 + bounce) / (ballMass + plateMass);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, plate).y, plateSpeed, 0.03 * speed);
    for (int i = 0; i < COUNT; ++i)
    {
        ENSURE_NEAR(tdBody_GetLinearVelocity(world, balls[i]).y, plateSpeed + bounce * speed, 0.03 * speed);
    }
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(EveryBallBouncesByTheLawOfRestitution))
