// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joints with more locked rows than are solved together: the rows of the last lock are solved
// separately and must hold too. Two limits that lock the rotation fill the six places, the point lock comes
// after them.
#include "harness.h"

#include "physics/joints.h"

static tdJointId JoinTwice(tdWorld* world, tdBodyId a, tdBodyId b, tdVec3 point)
{
    const tdJointLimit limits[3] = {tdMakeAngularLimit(TD_AXIS_ALL, 0, 0),
                                    tdMakeAngularLimit(TD_AXIS_ALL, 0, 0),
                                    tdMakeLinearLimit(TD_AXIS_ALL, 0, 0)};
    return JoinAt(world, a, b, point, noTurn, limits, 3, NULL, 0);
}

TEST(UncoupledLocksCarryTheirLoad)
{
    // A weight on a weightless arm of half a metre: force m g, torque m g / 2, and nothing moves.
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId ball = AddBallMass(world, V(0.5, 1, 0), 2, 0.2);
    tdJointId joint = JoinTwice(world, theWorld, ball, V(0, 1, 0));
    StepFor(world, 2);
    tdVec3 p = Position(world, ball);
    // Point and rotation alternate, so the arm yields slightly before both converge.
    ENSURE_NEAR(p.x, 0.5, 1e-3);
    ENSURE_NEAR(p.y, 1.0, 5e-3);
    ENSURE_NEAR(Length(tdBody_GetLinearVelocity(world, ball)), 0, 1e-3);
    ENSURE_NEAR(tdJoint_GetForce(world, joint).y, 2 * GRAVITY, 0.02 * 2 * GRAVITY);
    ENSURE_NEAR(tdJoint_GetLimitReaction(world, joint, 2).y, 2 * GRAVITY, 0.02 * 2 * GRAVITY);
    tdDestroyWorld(world);
}

TEST(UncoupledLocksStopRelativeMotion)
{
    // Two equal bodies, joined at the midpoint between them; one gets an impulse. They continue as one body
    // of twice the mass and of its inertia, by conservation of angular momentum.
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    const double mass = 1.5, radius = 0.3, arm = 0.5, speed = 3;
    tdBodyId a = AddBallMass(world, V(-arm, 0, 0), mass, radius),
             b = AddBallMass(world, V(arm, 0, 0), mass, radius);
    JoinTwice(world, a, b, V(0, 0, 0));
    tdBody_SetLinearVelocity(world, b, V(0, speed, 0));
    tdWorld_Step(world, (float)STEP);
    double inertia = 2 * (0.4 * mass * radius * radius + mass * arm * arm);
    double spin = mass * speed * arm / inertia;
    for (int i = 0; i < 30; ++i)
    {
        tdVec3 va = tdBody_GetLinearVelocity(world, a), vb = tdBody_GetLinearVelocity(world, b);
        ENSURE_NEAR(0.5 * ((double)va.y + (double)vb.y), 0.5 * speed, 1e-3); // momentum
        ENSURE_NEAR(tdBody_GetAngularVelocity(world, a).z, spin, 0.02 * spin);
        ENSURE_NEAR(tdBody_GetAngularVelocity(world, b).z, spin, 0.02 * spin);
        ENSURE_NEAR(Length(tdSub(Position(world, a), Position(world, b))), 2 * arm, 2e-3);
        tdWorld_Step(world, (float)STEP);
    }
    tdDestroyWorld(world);
}

TEST(UncoupledLocksPullFramesTogether)
{
    // The frames start 5 cm apart and close: the error decreases monotonically and vanishes within a second.
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId ball = AddBallMass(world, V(0, 0, 0), 1, 0.2);
    JoinTwice(world, theWorld, ball, V(0, 0, 0));
    tdBody_SetTransform(world, ball, (tdTransform){V(0.03, 0.04, 0), noTurn});
    double last = 0.05;
    for (int i = 0; i < 60; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        double error = Length(Position(world, ball));
        ENSURE(error <= last + 1e-5);
        last = error;
    }
    ENSURE_NEAR(last, 0, 1e-3);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(UncoupledLocksCarryTheirLoad) RUN(UncoupledLocksStopRelativeMotion)
              RUN(UncoupledLocksPullFramesTogether))
