// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of locked axes: they reach their values and stay there, with coordinates away from zero, and hinges
// tilted about either of their two locked axes.
#include "harness.h"

#include "physics/joints.h"

TEST(CoordinatesAreHeldWhereTheyAreLocked)
{
    // Every pair of axes, at different values; along the third the body slides freely.
    static const double values[3] = {0.05, -0.03, 0.04};
    for (int slide = 0; slide < 3; ++slide)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId ball = AddBallMass(world, V(0, 0, 0), 1, 0.2);
        int a = (slide + 1) % 3, b = (slide + 2) % 3;
        const tdJointLimit limits[3] = {tdMakeLinearLimit(1u << a, (float)values[a], (float)values[a]),
                                        tdMakeLinearLimit(1u << b, (float)values[b], (float)values[b]),
                                        tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        tdJointId joint = JoinAt(world, theWorld, ball, V(0, 0, 0), noTurn, limits, 3, NULL, 0);
        tdVec3 velocity = V(slide == 0 ? 0.5 : 0, slide == 1 ? 0.5 : 0, slide == 2 ? 0.5 : 0);
        tdBody_SetLinearVelocity(world, ball, velocity);
        StepFor(world, 2);
        tdVec3 p = Position(world, ball);
        const float* coordinates = &p.x;
        ENSURE_NEAR(coordinates[a], values[a], 1e-3);
        ENSURE_NEAR(coordinates[b], values[b], 1e-3);
        ENSURE_NEAR(coordinates[slide], 1.0, 1e-3);
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 0), values[a], 1e-3);
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), values[b], 1e-3);
        tdDestroyWorld(world);
    }
}

TEST(TiltedHingesStraighten)
{
    // Hinges about Z that start tilted by 15 mrad about any perpendicular direction, alone and with a motor.
    for (int run = 0; run < 16; ++run)
    {
        double direction = run / 2 * PI / 4;
        bool hasMotor = run % 2 == 1;
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(0.02, 0.03, 0.04));
        const tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                        tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
        tdJointDrive motor = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Z);
        motor.velocityTarget = 1.0f;
        motor.damping = 20.0f;
        tdJointId joint =
            JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 2, &motor, hasMotor ? 1 : 0);
        tdQuat lean = Turn(cos(direction), sin(direction), 0, 0.015);
        tdBody_SetTransform(world, body, (tdTransform){V(0, 0, 0), lean});
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), 0.015, 1e-4);
        double last = 0.015;
        for (int i = 0; i < 60; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            double now = (double)tdJoint_GetLimitValue(world, joint, 1);
            ENSURE(now <= last + 1e-4);
            last = now;
        }
        ENSURE_NEAR(last, 0, 1e-3);
        ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).z, hasMotor ? 1 : 0, 0.02);
        tdDestroyWorld(world);
    }
}

TEST_MAIN(RUN(CoordinatesAreHeldWhereTheyAreLocked) RUN(TiltedHingesStraighten))
