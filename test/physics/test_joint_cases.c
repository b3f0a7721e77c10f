// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joints in mechanisms and special cases: linkages with loops, bodies with a locked rotation axis,
// frames far away or separated, half turns, stops, reactions. References are kinematics and statics computed
// here.
#include "harness.h"
#include "joints.h"

static tdWorld* MakeStill(double gravity)
{
    return MakeWorld(V(0, -gravity, 0), false);
}

/// A rod from p to q in the plane z = 0, mass 1 kg per metre.
static tdBodyId AddRod(tdWorld* world, tdVec3 p, tdVec3 q, double width)
{
    double length = Length(tdSub(q, p)), m = length, i = m * length * length / 12 + width;
    tdBodyId body = AddMass(world, tdScale(0.5f, tdAdd(p, q)), m, V(width, i, i));
    double angle = atan2((double)(q.y - p.y), (double)(q.x - p.x));
    tdBody_SetTransform(world, body, (tdTransform){Position(world, body), Turn(0, 0, 1, angle)});
    return body;
}

TEST(AFourBarLinkageFollowsItsGeometry)
{
    // Ground 1 m, crank 0.3, coupler 0.9, rocker 0.7: a crank rocker (0.3 + 1 < 0.9 + 0.7). All four joints
    // are hinges, two rows more than a planar mechanism can use. The crank is driven; the rocker's end is the
    // intersection of two circles.
    tdWorld* world = MakeStill(GRAVITY);
    double crank = 0.3, coupler = 0.9, rocker = 0.7, ground = 1.0, start = 1.0;
    tdVec3 o = V(0, 0, 0), a = V(crank * cos(start), crank * sin(start), 0), d = V(ground, 0, 0);
    tdVec3 ad = tdSub(d, a);
    double r = Length(ad), along = (r * r + coupler * coupler - rocker * rocker) / (2 * r);
    double height = sqrt(coupler * coupler - along * along);
    tdVec3 u = tdScale((float)(1 / r), ad), n = V(-(double)u.y, (double)u.x, 0);
    tdVec3 b = tdAdd(a, tdAdd(tdScale((float)along, u), tdScale((float)height, n)));
    tdBodyId bodies[3] = {AddRod(world, o, a, 0.01), AddRod(world, a, b, 0.01), AddRod(world, b, d, 0.01)};
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
    tdJointDrive motor = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Z);
    motor.velocityTarget = 4;
    motor.damping = 50;
    tdJointId joints[4] = {JoinAt(world, theWorld, bodies[0], o, noTurn, limits, 2, &motor, 1),
                           JoinAt(world, bodies[0], bodies[1], a, noTurn, limits, 2, NULL, 0),
                           JoinAt(world, bodies[1], bodies[2], b, noTurn, limits, 2, NULL, 0),
                           JoinAt(world, theWorld, bodies[2], d, noTurn, limits, 2, NULL, 0)};
    double worst = 0, gap = 0;
    tdVec3 rockerArm = tdSub(b, d);
    double rockerStart = atan2((double)rockerArm.y, (double)rockerArm.x);
    for (int i = 0; i < 300; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        double angle = start + (double)tdJoint_GetDriveValue(world, joints[0], 0);
        a = V(crank * cos(angle), crank * sin(angle), 0);
        ad = tdSub(d, a);
        r = Length(ad);
        along = (r * r + coupler * coupler - rocker * rocker) / (2 * r);
        height = sqrt(coupler * coupler - along * along);
        u = tdScale((float)(1 / r), ad);
        n = V(-(double)u.y, (double)u.x, 0);
        b = tdAdd(a, tdAdd(tdScale((float)along, u), tdScale((float)height, n)));
        rockerArm = tdSub(b, d);
        double expected = atan2((double)rockerArm.y, (double)rockerArm.x) - rockerStart;
        // The rocker's frame B has no rotation at the start.
        tdQuat frame = tdMulQuat(tdBody_GetTransform(world, bodies[2]).rotation,
                                 tdJoint_GetFrameB(world, joints[3]).rotation);
        double measured = 2 * atan2((double)frame.z, (double)frame.w);
        double error = fmod(fabs(measured - expected) + PI, 2 * PI) - PI; // the shorter way round
        worst = fmax(worst, fabs(error));
        for (int k = 0; k < 4; ++k)
        {
            gap = fmax(gap, (double)tdJoint_GetLimitValue(world, joints[k], 0));
        }
    }
    ENSURE((double)tdJoint_GetDriveValue(world, joints[0], 0) > 2 * PI); // it completed a turn
    ENSURE(worst < 0.01);
    ENSURE(gap < 2e-3);
    tdDestroyWorld(world);
}

TEST(CoupledWheelsTurnAsOne)
{
    // Two wheels whose cranks are connected by two rods a quarter turn apart, equivalent to gears of ratio
    // one; the second rod closes a loop and carries the first over its dead points.
    tdWorld* world = MakeStill(0);
    tdBodyId wheels[2];
    tdJointId axles[2];
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
    tdJointDrive motor = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
    motor.velocityTarget = 3;
    motor.damping = 20;
    for (int i = 0; i < 2; ++i)
    {
        wheels[i] = AddMass(world, V(i, 0, 0), 3, V(0.1, 0.1, 0.15));
        axles[i] = JoinAt(world, theWorld, wheels[i], V(i, 0, 0), noTurn, limits, 2, &motor, i == 0 ? 1 : 0);
    }
    for (int i = 0; i < 2; ++i)
    {
        tdVec3 pin = i == 0 ? V(0.3, 0, 0.05) : V(0, 0.3, -0.05);
        tdBodyId rod = AddMass(world, tdAdd(pin, V(0.5, 0, 0)), 0.5, V(0.01, 0.04, 0.04));
        JoinBall(world, wheels[0], rod, pin);
        JoinBall(world, rod, wheels[1], tdAdd(pin, V(1, 0, 0)));
    }
    double worst = 0;
    for (int i = 0; i < 360; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        tdQuat a = tdBody_GetTransform(world, wheels[0]).rotation,
               b = tdBody_GetTransform(world, wheels[1]).rotation;
        tdQuat q = tdInvMulQuat(a, b);
        worst = fmax(worst, 2 * atan2(fabs((double)q.z), fabs((double)q.w)));
    }
    ENSURE_NEAR(tdJoint_GetDriveValue(world, axles[0], 0), 3 * 6.0, 0.6);
    ENSURE(worst < 0.01);
    tdDestroyWorld(world);
}

TEST(AnAxisWithInfiniteInertiaDoesNotTurn)
{
    // A rod hinged about its locked rotation axis does not move, and the hinge carries its weight; about
    // another axis it swings normally. Alone, and with a load that makes it part of a joint tree.
    for (int i = 0; i < 4; ++i)
    {
        bool isHeld = i % 2 == 0, hasLoad = i >= 2;
        tdWorld* world = MakeStill(GRAVITY);
        double inertia = 0.1;
        tdBodyId rod =
            AddMass(world, V(0.5, 0, 0), 1, V(inertia, inertia, isHeld ? (double)INFINITY : inertia));
        tdJointId joint = JoinHinge(world, theWorld, rod, V(0, 0, 0), -PI, PI);
        tdBodyId load = theWorld;
        if (hasLoad)
        {
            load = AddBallMass(world, V(1, -0.5, 0), 20, 0.1);
            JoinBall(world, rod, load, V(1, 0, 0));
        }
        StepFor(world, 0.25);
        if (isHeld)
        {
            double weight = hasLoad ? 21 * GRAVITY : GRAVITY;
            ENSURE_NEAR(Position(world, rod).y, 0, 1e-3);
            StepFor(world, 1);
            ENSURE_NEAR(Position(world, rod).y, 0, 2e-3);
            ENSURE_NEAR(tdJoint_GetForce(world, joint).y, weight, 0.01 * weight);
        }
        else if (!hasLoad)
        {
            // Falls with m g l / (I + m l^2) at first, within 2 % over a quarter of a second.
            double rate = GRAVITY * 0.5 / (inertia + 0.25), angle = 0.5 * rate * 0.0625;
            ENSURE_NEAR(-asin((double)Position(world, rod).y / 0.5), angle, 0.05 * angle);
        }
        else
        {
            ENSURE(Position(world, rod).y < -0.1f);
        }
        tdDestroyWorld(world);
    }
}

TEST(FramesMayBeFarFromTheirBodies)
{
    // A pivot 100 m away, released from horizontal: a lever of that length, a = g m l^2 / (I + m l^2).
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeStill(GRAVITY);
        tdBodyId ball = AddBallMass(world, V(100, 0, 0), 2, 0.5);
        tdJointId joint = i == 0 ? JoinBall(world, theWorld, ball, V(0, 0, 0))
                                 : JoinHinge(world, theWorld, ball, V(0, 0, 0), -PI, PI);
        StepFor(world, 1);
        ENSURE_NEAR(Position(world, ball).y, -0.5 * GRAVITY * (1 + SUB_STEP), 0.01 * 0.5 * GRAVITY);
        ENSURE(tdJoint_GetLimitValue(world, joint, 0) < 2e-3f); // a float resolves 100 m to 8 um
        tdDestroyWorld(world);
    }
}

TEST(HalfTurnsAreHeld)
{
    // A hinge held by its drive at and around a quarter and half a turn, disturbed about the locked axes: it
    // keeps its axis and its angle. As a two-axis lock and as two one-axis locks.
    const double angles[6] = {0.5 * PI, -0.5 * PI, PI, -PI, 0.98 * PI, 3 * PI};
    for (int i = 0; i < 12; ++i)
    {
        tdWorld* world = MakeStill(0);
        tdBodyId wheel = AddMass(world, V(0, 0, 0), 1, V(0.1, 0.15, 0.2));
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(i < 6 ? TD_AXIS_X | TD_AXIS_Y : TD_AXIS_X, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Y, 0, 0)};
        tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
        drive.positionTarget = (float)angles[i % 6];
        drive.stiffness = 20;
        drive.damping = 4;
        tdJointId joint =
            JoinAt(world, theWorld, wheel, V(0, 0, 0), noTurn, limits, i < 6 ? 2 : 3, &drive, 1);
        double worst = 1;
        for (int n = 0; n < 360; ++n)
        {
            if (n > 180 && n % 20 == 0)
            {
                tdBody_ApplyAngularImpulse(world, wheel, V(0.3, -0.2, 0));
            }
            tdWorld_Step(world, (float)STEP);
            tdVec3 z = RotateBy(tdBody_GetTransform(world, wheel).rotation, V(0, 0, 1));
            worst = fmin(worst, (double)z.z);
        }
        ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), angles[i % 6], 0.01);
        ENSURE(worst > cos(0.02));
        tdDestroyWorld(world);
    }
    // Cones up to almost a half turn, a total-angle limit at a quarter turn: reached, held, not passed.
    const double bounds[4] = {0.5 * PI, 0.9 * PI, 0.98 * PI, 0.5 * PI};
    for (int i = 0; i < 4; ++i)
    {
        tdWorld* world = MakeStill(0);
        tdBodyId ball = AddMass(world, V(0, 0, 0), 1, V(0.1, 0.1, 0.1));
        tdJointLimit limits[2] = {
            tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
            tdMakeAngularLimit(i == 3 ? TD_AXIS_ALL : TD_AXIS_Y | TD_AXIS_Z, 0, (float)bounds[i])};
        tdJointId joint = JoinAt(world, theWorld, ball, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
        double highest = 0;
        for (int n = 0; n < 240; ++n)
        {
            tdBody_ApplyTorque(world, ball, V(0, 0, 0.3));
            tdWorld_Step(world, (float)STEP);
            highest = fmax(highest, (double)tdJoint_GetLimitValue(world, joint, 1));
        }
        ENSURE_NEAR(highest, bounds[i], 0.01);
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), bounds[i], 2e-3);
        ENSURE_NEAR(tdLength(tdJoint_GetLimitReaction(world, joint, 1)), 0.3, 0.003);
        tdDestroyWorld(world);
    }
}

TEST(StopsRemoveAllSpeed)
{
    // Every metric that can have a stop, at several speeds, between the world and a body and between two
    // bodies: the rate is zero after the hit, and the value stays at the bound.
    const unsigned axes[3] = {TD_AXIS_X, TD_AXIS_X | TD_AXIS_Y, TD_AXIS_ALL};
    for (int i = 0; i < 24; ++i)
    {
        bool isLinear = i % 2 == 0, hasTwo = i / 2 % 2 == 1;
        int kind = i / 4 % 3;
        double speed = i < 12 ? 1.3 : 6.1;
        tdWorld* world = MakeStill(0);
        tdBodyId other = hasTwo ? AddMass(world, V(0, 0, 0), 4, V(0.4, 0.4, 0.4)) : theWorld;
        tdBodyId body = AddMass(world, V(0, 0, 0), 2, V(0.2, 0.2, 0.2));
        tdJointLimit limits[2] = {isLinear ? tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)
                                           : tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  isLinear ? tdMakeLinearLimit(axes[kind], kind == 0 ? -1.0f : 0.0f, 1)
                                           : tdMakeAngularLimit(axes[kind], kind == 0 ? -1.0f : 0.0f, 1)};
        tdJointId joint = JoinAt(world, other, body, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
        tdVec3 rate = V(speed, 0, 0);
        if (isLinear)
        {
            tdBody_SetLinearVelocity(world, body, rate);
        }
        else
        {
            tdBody_SetAngularVelocity(world, body, rate);
        }
        double highest = 0;
        for (int n = 0; n < 120; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            highest = fmax(highest, (double)tdJoint_GetLimitValue(world, joint, 1));
        }
        tdVec3 after =
            isLinear ? tdBody_GetLinearVelocity(world, body) : tdBody_GetAngularVelocity(world, body);
        // Two bodies continue together with a third of the speed.
        ENSURE_NEAR(after.x, hasTwo ? speed / 3 : 0, 0.01 * speed);
        ENSURE_NEAR(highest, 1, 5e-3);
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), 1, 5e-3);
        tdDestroyWorld(world);
    }
}

TEST(ReactionsAreTheStaticOnes)
{
    // A cantilever: welded at the wall, with its weight as force and m g l as torque, each under its own
    // limit, and with separate limits on each axis.
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeStill(GRAVITY);
        tdBodyId beam = AddMass(world, V(0.8, 0, 0), 5, V(0.1, 1, 1));
        tdJointLimit limits[6] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        for (unsigned axis = 0; i == 1 && axis < 3; ++axis)
        {
            limits[axis] = tdMakeLinearLimit(1u << axis, 0, 0);
            limits[3 + axis] = tdMakeAngularLimit(1u << axis, 0, 0);
        }
        tdJointId joint = JoinAt(world, theWorld, beam, V(0, 0, 0), noTurn, limits, i == 0 ? 2 : 6, NULL, 0);
        StepFor(world, 2);
        double weight = 5 * GRAVITY, torque = weight * 0.8;
        ENSURE_NEAR(tdJoint_GetForce(world, joint).y, weight, 0.005 * weight);
        ENSURE_NEAR(tdJoint_GetTorque(world, joint).z, torque, 0.005 * torque);
        ENSURE_NEAR(tdJoint_GetLimitReaction(world, joint, i == 0 ? 0 : 1).y, weight, 0.005 * weight);
        ENSURE_NEAR(tdJoint_GetLimitReaction(world, joint, i == 0 ? 1 : 5).z, torque, 0.005 * torque);
        for (int k = 0; i == 1 && k < 6; ++k)
        {
            ENSURE(k == 1 || k == 5 ||
                   tdLength(tdJoint_GetLimitReaction(world, joint, k)) < 0.01f * (float)torque);
        }
        ENSURE_NEAR(Position(world, beam).y, 0, 2e-3);
        tdDestroyWorld(world);
    }
}

TEST(AngularSpringsAreStableFromWeakToStiff)
{
    // Undamped and damped torsion springs, 0.01 to 1e9 N m/rad, on a wheel at 5 rad/s: the amplitude never
    // exceeds that of the initial energy.
    for (double k = 0.01; k <= 1.0e9; k *= 10)
    {
        for (int i = 0; i < 2; ++i)
        {
            tdWorld* world = MakeStill(0);
            tdBodyId wheel = AddMass(world, V(0, 0, 0), 1, V(0.1, 0.15, 0.2));
            tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                      tdMakeAngularLimit(i == 0 ? TD_AXIS_Z : TD_AXIS_ALL, 0, 0)};
            limits[1].stiffness = (float)k;
            limits[1].damping = i == 0 ? 0.0f : (float)(0.1 * sqrt(k));
            tdJointId joint = JoinAt(world, theWorld, wheel, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
            tdBody_SetAngularVelocity(world, wheel, V(0, 0, 5));
            double fastest = 0, widest = 0, most = 5 * sqrt(0.2 / k);
            for (int n = 0; n < 120; ++n)
            {
                tdWorld_Step(world, (float)STEP);
                fastest = fmax(fastest, Length(tdBody_GetAngularVelocity(world, wheel)));
                widest = fmax(widest, fabs((double)tdJoint_GetLimitValue(world, joint, 1)));
            }
            ENSURE(fastest < 5.25);
            // Below a sub-step the amplitude is one sub-step of motion. Weak springs let the twist exceed pi.
            ENSURE(most > 2 || widest < 1.05 * most + 5 * SUB_STEP);
            tdDestroyWorld(world);
        }
    }
}

TEST_MAIN(RUN(AFourBarLinkageFollowsItsGeometry) RUN(CoupledWheelsTurnAsOne)
              RUN(AnAxisWithInfiniteInertiaDoesNotTurn) RUN(FramesMayBeFarFromTheirBodies)
                  RUN(HalfTurnsAreHeld) RUN(StopsRemoveAllSpeed) RUN(ReactionsAreTheStaticOnes)
                      RUN(AngularSpringsAreStableFromWeakToStiff))
