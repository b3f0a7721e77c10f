// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of soft limits with a free range, a spring beyond either end and no force between them, against the
// closed form.
#include "harness.h"

#include "physics/joints.h"

TEST(SoftLimitsPushBackFromBothEnds)
{
    // Free between -0.1 and 0.1 m, a spring outside: m x'' = -k (x - end). From rest at 0.3 the mass crosses
    // the free range at the speed sqrt(k / m) 0.2 and reverses at -0.3; the period is that of the spring plus
    // twice the time in the free range.
    const double mass = 2, stiffness = 50, end = 0.1, out = 0.2;
    for (int run = 0; run < 4; ++run)
    {
        // With the other axes locked the joint is solved directly, alone it is iterated.
        int side = run % 2 == 0 ? -1 : 1, limitCount = run < 2 ? 1 : 3;
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId ball = AddBallMass(world, V(0, 0, 0), mass, 0.2);
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_X, (float)-end, (float)end),
                                  tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        limits[0].stiffness = (float)stiffness;
        JoinAt(world, theWorld, ball, V(0, 0, 0), noTurn, limits, limitCount, NULL, 0);
        tdBody_SetTransform(world, ball, (tdTransform){V(side * (end + out), 0, 0), noTurn});
        double rate = sqrt(stiffness / mass), speed = rate * out;
        double quarter = 0.5 * PI / rate, free = 2 * end / speed;
        for (int i = 1; i <= 60; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            double t = i * STEP, x = 0;
            if (t < quarter)
            {
                x = end + out * cos(rate * t);
            }
            else if (t < quarter + free)
            {
                x = end - speed * (t - quarter);
            }
            else if (t < 3 * quarter + free)
            {
                x = -end - out * sin(rate * (t - quarter - free));
            }
            else
            {
                break;
            }
            ENSURE_NEAR(Position(world, ball).x, side * x, 0.02);
        }
        tdDestroyWorld(world);
    }
}

TEST_MAIN(RUN(SoftLimitsPushBackFromBothEnds))
