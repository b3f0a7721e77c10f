// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joints at extremes: every field changed on sleeping bodies, many turns, minimum distances, cones
// near half a turn, springs of all strengths on all masses, locked rotation axes, joints without a movable
// body, and contradictory limits.
#include "harness.h"
#include "joints.h"

static tdWorld* MakeStill(double gravity)
{
    return MakeWorld(V(0, -gravity, 0), false);
}

TEST(EveryFieldWakesSleepers)
{
    // A body held softly by one limit and one drive goes to sleep; then one field changes, the body wakes and
    // moves to `value` (position or rotation) by the given time.
    enum
    {
        FIELDS = 15
    };
    for (int field = 0; field < FIELDS; ++field)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        tdBodyId body = AddMass(world, V(0, 0, 0), 2, V(0.2, 0.2, 0.2));
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_Y, -0.1f, 0.5f),
                                  tdMakeAngularLimit(TD_AXIS_Y, -0.2f, 0.2f)};
        limits[0].stiffness = 400;
        limits[0].damping = 60;
        tdJointDrive drives[2] = {MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_FORCE, TD_AXIS_X),
                                  MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z)};
        drives[0].stiffness = 100;
        drives[0].damping = 28; // critical: 2 sqrt(k m)
        drives[0].positionTarget = 0.2f;
        drives[0].maxForce = 50;
        drives[1].damping = 2;
        tdJointId joint = JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 2, drives, 2);
        double sag = 2 * GRAVITY / 400;
        StepFor(world, 4);
        ENSURE_NEAR(Position(world, body).y, -0.1 - sag, 0.01 * sag);
        ENSURE_NEAR(Position(world, body).x, 0.2, 2e-3);
        ENSURE(!tdBody_IsAwake(world, body));
        double x = 0.2, y = -0.1 - sag, time = 3;
        bool hasLimit = field < 8, isSecond = field == 6 || field == 7;
        switch (field)
        {
        case 0:
            limits[0].min = 0.3f;
            y = 0.3 - sag;
            break;
        case 1:
            limits[0].max = -0.3f; // pressed down to it, and nothing supports it from below: it falls
            limits[0].min = -INFINITY;
            break;
        case 2:
            limits[0].stiffness = 1000;
            y = -0.1 - 2 * GRAVITY / 1000;
            break;
        case 3:
            limits[0].damping = 1000; // no change at rest
            break;
        case 4:
            limits[0].linearAxes = TD_AXIS_ALL; // a distance of at most 0.5: a sphere in which the body hangs
            limits[0].min = -INFINITY;
            y = -sqrt(0.25 - x * x);
            break;
        case 5:
            limits[0].stiffness = INFINITY;
            y = -0.1;
            break;
        case 6:
            limits[1].min = limits[1].max = 1;
            break;
        case 7:
            limits[1].angularAxes = TD_AXIS_X;
            limits[1].min = limits[1].max = 0.5f;
            break;
        case 8:
            drives[0].positionTarget = 0.6f;
            x = 0.6;
            break;
        case 9:
            drives[0].velocityTarget = 1; // 100 (0.2 - x) + 28 (1 - 0) = 0
            x = 0.48;
            break;
        case 10:
            drives[0].stiffness = 0; // stays where it is
            break;
        case 11:
            drives[0].axis = TD_AXIS_Z;
            break;
        case 12:
            drives[0].mode = TD_DRIVE_ACCELERATION; // no change at rest
            break;
        case 13:
            drives[0].positionTarget = 5;
            drives[0].maxForce = 2;
            time = 0.5; // x = F t^2 / 2 m
            x = 0.2 + 0.5 * 2 / 2.0 * 0.25;
            break;
        default:
            drives[0].type = TD_DRIVE_ANGULAR; // about x, to 0.2 rad
            drives[0].damping = 10;
            break;
        }
        if (hasLimit)
        {
            tdJoint_SetLimit(world, joint, isSecond ? 1 : 0, limits[isSecond ? 1 : 0]);
        }
        else
        {
            tdJoint_SetDrive(world, joint, 0, drives[0]);
        }
        ENSURE(tdBody_IsAwake(world, body));
        StepFor(world, time);
        if (field == 1)
        {
            ENSURE(Position(world, body).y < -5.0f);
        }
        else if (field == 4)
        {
            // Held by a spring of 400 N/m outside of 0.5 m, and pulled to x = 0.2.
            double far = Length(Position(world, body)), force = 400 * (far - 0.5);
            ENSURE_NEAR(force * -(double)Position(world, body).y / far, 2 * GRAVITY, 0.02 * 2 * GRAVITY);
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 0), far, 1e-4);
        }
        else if (field == 7)
        {
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), 0.5, 2e-3);
        }
        else if (field == 14)
        {
            ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), 0.2, 2e-3);
        }
        else
        {
            ENSURE_NEAR(Position(world, body).x, x, 3e-3);
            ENSURE_NEAR(Position(world, body).y, y, 3e-3);
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), field == 6 ? 1 : 0, 2e-3);
        }
        tdDestroyWorld(world);
    }
}

TEST(JointsThatMayCollideAgainWakeTheirBodies)
{
    // Two overlapping boxes sleep; when they may collide they push each other out.
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId a = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(1, 1, 1), plain);
    tdBodyId b = AddBox(world, TD_MOTION_DYNAMIC, V(0.8, 0, 0), noTurn, V(1, 1, 1), plain);
    tdJointLimit rope = tdMakeLinearLimit(TD_AXIS_ALL, 0, 5);
    tdJointId joint = JoinAt(world, a, b, V(0, 0, 0), noTurn, &rope, 1, NULL, 0);
    StepFor(world, 2);
    ENSURE(!tdBody_IsAwake(world, a) && !tdBody_IsAwake(world, b));
    tdJoint_SetEnableCollision(world, joint, true);
    StepFor(world, 1);
    ENSURE(Length(tdSub(Position(world, b), Position(world, a))) > 0.98);
    tdDestroyWorld(world);
}

TEST(TurnsAreCountedBothWays)
{
    // A wheel spins up to 20 rad/s, reverses, and then gets targets of many turns on either side; changes of
    // other limits and drives must not lose the count of turns. The reference is the sum of rotations.
    tdWorld* world = MakeStill(0);
    tdBodyId wheel = AddMass(world, V(0, 0, 0), 1, V(0.1, 0.1, 0.1));
    tdJointLimit limits[20];
    limits[0] = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0);
    limits[1] = tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0);
    for (int i = 2; i < 20; ++i)
    {
        limits[i] = tdMakeLinearLimit(TD_AXIS_ALL, 0, (float)i); // ropes that never act
    }
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Z);
    drive.velocityTarget = 20;
    drive.damping = 20;
    tdJointId joint = JoinAt(world, theWorld, wheel, V(0, 0, 0), noTurn, limits, 20, &drive, 1);
    double angle = 0;
    tdQuat before = noTurn;
    for (int n = 0; n < 600; ++n)
    {
        if (n == 200)
        {
            drive.velocityTarget = -20;
            tdJoint_SetDrive(world, joint, 0, drive);
        }
        if (n % 50 == 49)
        {
            limits[2].max = (float)n;
            tdJoint_SetLimit(world, joint, 2, limits[2]);
        }
        tdWorld_Step(world, (float)STEP);
        tdQuat now = tdBody_GetTransform(world, wheel).rotation, q = tdInvMulQuat(before, now);
        angle += 2 * atan2((double)q.z * (q.w < 0 ? -1 : 1), fabs((double)q.w));
        before = now;
        ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), angle, 1e-3);
    }
    ENSURE(angle < -8 * PI);
    const double targets[3] = {-31 * PI, 17.3 * PI, 0};
    for (int i = 0; i < 3; ++i)
    {
        drive.velocityTarget = 0;
        drive.positionTarget = (float)targets[i];
        drive.stiffness = 25;
        drive.damping = 10;
        tdJoint_SetDrive(world, joint, 0, drive);
        StepFor(world, 4);
        ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), targets[i], 2e-3);
        tdQuat q = tdBody_GetTransform(world, wheel).rotation;
        double shown = 2 * atan2((double)q.z, (double)q.w), off = fmod(shown - targets[i], 2 * PI);
        ENSURE_NEAR(fabs(off) > PI ? 2 * PI - fabs(off) : fabs(off), 0, 3e-3);
    }
    tdDestroyWorld(world);
}

TEST(ForbiddenRangesKeepBodiesOut)
{
    // Thrown directly at the centre of a forbidden range, and slightly past it: distance to a point, to a
    // line, angle between axes, total angle. All stop at min; a body that starts inside is pushed out.
    for (int i = 0; i < 16; ++i)
    {
        bool isLinear = i % 2 == 0, isPair = i / 2 % 2 == 1, isInside = i / 4 % 2 == 1;
        double aside = i < 8 ? 0 : 0.05, start = isInside ? 0 : 1.2, core = 0.7, speed = isInside ? 0 : 3;
        unsigned axes = isPair ? TD_AXIS_X | TD_AXIS_Y : TD_AXIS_ALL;
        tdWorld* world = MakeStill(0);
        tdBodyId body = AddBallMass(world, V(0, 0, 0), 1, 0.3);
        tdJointLimit limits[2] = {isLinear ? tdMakeLinearLimit(axes, (float)core, INFINITY)
                                           : tdMakeAngularLimit(axes, (float)core, INFINITY),
                                  isLinear ? tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)
                                           : tdMakeLinearLimit(TD_AXIS_ALL, 0, 0)};
        tdJointId joint = JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
        tdBody_SetTransform(world, body,
                            isLinear ? (tdTransform){V(start, aside, 0), noTurn}
                                     : (tdTransform){V(0, 0, 0), Turn(1, 0, 0, start)});
        if (isLinear)
        {
            tdBody_SetLinearVelocity(world, body, V(-speed, 0, 0));
        }
        else
        {
            tdBody_SetAngularVelocity(world, body, V(-speed, aside * 10, 0));
        }
        double least = HUGE_VAL;
        for (int n = 0; n < 120; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            least = fmin(least, (double)tdJoint_GetLimitValue(world, joint, 0));
        }
        ENSURE(isInside || least > core - 5e-3);
        ENSURE((double)tdJoint_GetLimitValue(world, joint, 0) > core - 5e-3);
        tdDestroyWorld(world);
    }
}

TEST(ConesAndAnglesNearHalfATurn)
{
    // Cones and total angles, held (min = max) and as stops, up to 179 degrees: released with some spin they
    // stay in range and gain no energy.
    const double angles[5] = {0.3, 0.5 * PI, 0.9 * PI, 175 * PI / 180, 179 * PI / 180};
    for (int i = 0; i < 40; ++i)
    {
        bool isCone = i % 2 == 0, isHeld = i / 2 % 2 == 0, hasPartner = i >= 20;
        double angle = angles[i / 4 % 5];
        tdWorld* world = MakeStill(0);
        tdBodyId other = hasPartner ? AddMass(world, V(0, 0, 0), 2, V(0.2, 0.25, 0.3)) : theWorld;
        tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(0.1, 0.1, 0.1));
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(isCone ? TD_AXIS_X | TD_AXIS_Y : TD_AXIS_ALL,
                                                     isHeld ? (float)angle : 0.0f, (float)angle)};
        tdJointId joint = JoinAt(world, other, body, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
        tdBody_SetTransform(world, body, (tdTransform){V(0, 0, 0), Turn(0.6, 0.8, 0, 0.98 * angle)});
        tdVec3 spin = V(1.2, 0.4, 0.5);
        StepFor(world, 0.5); // held ones turn to their angle
        tdBody_SetAngularVelocity(world, body, spin);
        double start = Energy(world, body) + (hasPartner ? Energy(world, other) : 0), most = 0, off = 0;
        for (int n = 0; n < 180; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            double value = (double)tdJoint_GetLimitValue(world, joint, 1);
            most = fmax(most, Energy(world, body) + (hasPartner ? Energy(world, other) : 0));
            off = fmax(off, isHeld ? fabs(value - angle) : value - angle);
        }
        ENSURE(off < 0.02);
        ENSURE(most < 1.01 * start);
        tdDestroyWorld(world);
    }
}

TEST(SpringsHoldAllMasses)
{
    // k from 0.01 to 1e9 N/m on 1 g to 100 t, undamped and damped, released 0.1 m from rest: the amplitude
    // never exceeds the start, and stiff damped ones rest at m g / k.
    for (double mass = 1e-3; mass <= 1e5; mass *= 100)
    {
        for (double k = 0.01; k <= 1e9; k *= 100)
        {
            for (int i = 0; i < 2; ++i)
            {
                tdWorld* world = MakeStill(0);
                tdBodyId ball = AddBallMass(world, V(0.1, 0, 0), mass, 0.3);
                tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_X, 0, 0),
                                          tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
                limits[0].stiffness = (float)k;
                limits[0].damping = i == 0 ? 0.0f : (float)(2 * sqrt(k * mass));
                tdJointDef def = tdDefaultJointDef();
                def.bodyB = ball;
                def.limits = limits;
                def.limitCount = 2;
                tdCreateJoint(world, &def);
                double widest = 0, w = sqrt(k / mass), time = 0.5;
                for (int n = 0; n < 30; ++n)
                {
                    tdWorld_Step(world, (float)STEP);
                    widest = fmax(widest, fabs((double)Position(world, ball).x));
                }
                // Explicit by half a sub-step where the spring is soft: (w h)^2 / 8 of the amplitude.
                double step = fmin(w * SUB_STEP, 1);
                ENSURE(widest <= 0.1 * (1 + 0.25 * step * step + 1e-5));
                // Critically damped: x = x0 (1 + w t) exp(-w t).
                double expected = 0.1 * (1 + w * time) * exp(-w * time);
                ENSURE(i == 0 || fabs((double)Position(world, ball).x - expected) < 0.1 * 0.02);
                tdDestroyWorld(world);
            }
        }
    }
}

TEST(DrivesLeaveAxesThatCannotTurnAlone)
{
    // Force and acceleration drives about an axis of infinite inertia have no effect; those about the other
    // axes act normally. A linear drive on a body of infinite mass has no effect.
    for (int i = 0; i < 4; ++i)
    {
        tdWorld* world = MakeStill(0);
        double inertia = 0.3;
        tdBodyId wheel = AddMass(world, V(0, 0, 0), 2, V((double)INFINITY, inertia, (double)INFINITY));
        tdDriveMode mode = i % 2 == 0 ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION;
        tdJointDrive drives[2] = {MakeDrive(TD_DRIVE_ANGULAR, mode, i < 2 ? TD_AXIS_X : TD_AXIS_Z),
                                  MakeDrive(TD_DRIVE_ANGULAR, mode, TD_AXIS_Y)};
        drives[0].velocityTarget = drives[1].velocityTarget = 2;
        drives[0].damping = drives[1].damping = 1;
        drives[0].stiffness = 3;
        drives[0].positionTarget = 1;
        tdJointLimit limit = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0);
        JoinAt(world, theWorld, wheel, V(0, 0, 0), noTurn, &limit, 1, drives, 2);
        StepFor(world, 1);
        tdVec3 w = tdBody_GetAngularVelocity(world, wheel);
        double expected = 2 * (1 - exp(-1 / (i % 2 == 0 ? inertia : 1)));
        ENSURE_NEAR(w.y, expected, 0.01 * expected);
        ENSURE_NEAR(w.x, 0, 1e-6);
        ENSURE_NEAR(w.z, 0, 1e-6);
        tdDestroyWorld(world);
    }
}

TEST(JointsWithNothingToMoveDoNothing)
{
    // Two kinematic bodies, a kinematic one and the world, static ones, a body and itself; all limits and
    // drives at once. A dynamic body joined to itself moves freely.
    for (int i = 0; i < 6; ++i)
    {
        tdWorld* world = MakeStill(GRAVITY);
        tdMotion motion = i < 3 ? TD_MOTION_KINEMATIC : (i == 3 ? TD_MOTION_STATIC : TD_MOTION_DYNAMIC);
        tdBodyId a = AddBody(world, motion, V(0, 0, 0), noTurn), b = theWorld;
        tdBody_SetMass(world, a,
                       (tdBodyMass){.mass = 1, .inertiaDiagonal = V(1, 1, 1), .inertiaOrientation = noTurn});
        b = i == 1 || i == 3 ? AddBody(world, motion, V(3, 0, 0), Turn(1, 0, 0, 1)) : b;
        b = i >= 4 ? a : b;
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeLinearLimit(TD_AXIS_X, 1, 2)};
        limits[2].stiffness = 100;
        tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_ACCELERATION, TD_AXIS_Y);
        drive.stiffness = drive.damping = 10;
        drive.positionTarget = 4;
        tdJointDef def = tdDefaultJointDef();
        def.bodyA = a;
        def.bodyB = b;
        def.frameB.position = i == 5 ? V(0, 0, 0) : V(0.5, 0, 0);
        def.limits = limits;
        def.limitCount = 3;
        def.drives = &drive;
        def.driveCount = 1;
        tdJointId joint = tdCreateJoint(world, &def);
        if (i < 3)
        {
            tdBody_SetLinearVelocity(world, a, V(1, 0, 0));
        }
        StepFor(world, 1);
        double fall = -0.5 * GRAVITY * (1 + SUB_STEP);
        tdVec3 expected = i < 3 ? V(1, 0, 0) : (i == 3 ? V(0, 0, 0) : V(0, fall, 0));
        ENSURE_NEAR(Length(tdSub(Position(world, a), expected)), 0, 1e-3);
        ENSURE(i >= 4 || tdLength(tdJoint_GetForce(world, joint)) == 0.0f);
        tdJoint_SetLimit(world, joint, 2, limits[0]);
        tdJoint_SetDrive(world, joint, 0, drive);
        StepFor(world, 0.1);
        tdDestroyJoint(world, joint);
        tdDestroyWorld(world);
    }
}

TEST(ContradictoryLimitsComeToRest)
{
    // min above max, disjoint ranges, two locks at different positions, hard and soft: the body comes to rest
    // between them and gains no energy.
    for (int i = 0; i < 12; ++i)
    {
        bool isLinear = i % 2 == 0, isSoft = i >= 6;
        tdJointLimit limits[3] = {isLinear ? tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)
                                           : tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeLinearLimit(TD_AXIS_X, 0, 0), tdMakeLinearLimit(TD_AXIS_X, 0, 0)};
        double low[3][2] = {{0.1, 0.1}, {-0.5, 0.1}, {-0.1, 0.1}},
               high[3][2] = {{-0.1, 0.4}, {-0.1, 0.5}, {-0.1, 0.1}};
        int kind = i / 2 % 3;
        for (int k = 0; k < 2; ++k)
        {
            float min = (float)low[kind][k], max = (float)high[kind][k];
            limits[1 + k] =
                isLinear ? tdMakeLinearLimit(TD_AXIS_X, min, max) : tdMakeAngularLimit(TD_AXIS_X, min, max);
            limits[1 + k].stiffness = isSoft ? 500.0f : INFINITY;
            limits[1 + k].damping = 20;
        }
        tdWorld* world = MakeStill(0);
        tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(0.5, 0.5, 0.5));
        tdJointId joint =
            JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, kind == 0 ? 2 : 3, NULL, 0);
        if (isLinear)
        {
            tdBody_SetLinearVelocity(world, body, V(1, 0, 0));
        }
        else
        {
            tdBody_SetAngularVelocity(world, body, V(1, 0, 0));
        }
        double start = Energy(world, body), most = 0;
        for (int n = 0; n < 240; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            most = fmax(most, Energy(world, body));
        }
        ENSURE(most < 1.01 * start + (isSoft ? 0.5 * 2 * 500 * 0.01 : 0)); // the energy of the springs
        // A single limit from 0.1 to -0.1 holds the middle; several limits share.
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), 0, kind == 0 ? 1e-3 : 0.11);
        ENSURE(Energy(world, body) < 1e-2 * start);
        tdDestroyWorld(world);
    }
}

TEST(EachLimitReportsItsOwnPart)
{
    // Off-centre, rotated frames, two bodies: the upper one is attached to the world, the lower one to the
    // upper. Every joint carries everything below it, and its torque is that of the lever to its attachment.
    tdWorld* world = MakeStill(GRAVITY);
    double upperMass = 3, lowerMass = 5, weight = (upperMass + lowerMass) * GRAVITY;
    tdBodyId upper = AddMass(world, V(0.4, -0.2, 0.1), upperMass, V(0.3, 0.4, 0.5)),
             lower = AddMass(world, V(0.9, -0.5, -0.3), lowerMass, V(0.5, 0.4, 0.3));
    tdJointLimit weld[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    tdQuat turn = Turn(0.6, 0, 0.8, 1.1);
    tdVec3 first = V(-0.2, 0.1, 0), second = V(0.7, -0.1, 0.4);
    tdJointId joints[2] = {JoinAt(world, theWorld, upper, first, turn, weld, 2, NULL, 0),
                           JoinAt(world, lower, upper, second, turn, weld, 2, NULL, 0)}; // B is the upper one
    StepFor(world, 3);
    tdVec3 arm = tdSub(Position(world, lower), second);
    tdVec3 load = V(0, -lowerMass * GRAVITY, 0);
    // The weight of the lower body acts on B, the upper body.
    ENSURE_NEAR(Length(tdSub(tdJoint_GetForce(world, joints[1]), load)), 0, 0.01 * weight);
    ENSURE_NEAR(Length(tdSub(tdJoint_GetTorque(world, joints[1]), tdCross(arm, load))), 0, 0.01 * weight);
    tdVec3 all = V(0, weight, 0), moment = tdCross(arm, load);
    moment = tdAdd(tdCross(tdSub(Position(world, upper), first), V(0, -upperMass * GRAVITY, 0)),
                   tdCross(tdSub(Position(world, lower), first), load));
    ENSURE_NEAR(Length(tdSub(tdJoint_GetForce(world, joints[0]), all)), 0, 0.01 * weight);
    ENSURE_NEAR(Length(tdAdd(tdJoint_GetTorque(world, joints[0]), moment)), 0, 0.01 * weight);
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(tdDistance(tdJoint_GetLimitReaction(world, joints[i], 0), tdJoint_GetForce(world, joints[i])) <
               1e-3f * (float)weight);
        ENSURE(tdDistance(tdJoint_GetLimitReaction(world, joints[i], 1),
                          tdJoint_GetTorque(world, joints[i])) < 1e-3f * (float)weight);
    }
    tdDestroyWorld(world);
}

TEST(TwoLimitsOnOneAxisReportTheirOwnForces)
{
    // A weight on a soft limit and a hard stop below it, on one axis: the spring carries k times its excess,
    // the stop the rest. Also with a spring, a drive and a stop.
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeStill(GRAVITY);
        double mass = 4, weight = mass * GRAVITY, k = 100, depth = 0.15;
        tdBodyId cart = AddBallMass(world, V(0, 0, 0), mass, 0.2);
        tdJointLimit limits[4] = {tdMakeLinearLimit(TD_AXIS_Y, -0.05f, INFINITY),
                                  tdMakeLinearLimit(TD_AXIS_Y, (float)-depth, INFINITY),
                                  tdMakeLinearLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        limits[0].stiffness = (float)k;
        limits[0].damping = 20;
        tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_FORCE, TD_AXIS_Y);
        drive.stiffness = 50;
        drive.damping = 10;
        tdJointId joint =
            JoinAt(world, theWorld, cart, V(0, 0, 0), noTurn, limits, 4, &drive, i == 0 ? 0 : 1);
        StepFor(world, 3);
        double spring = k * (depth - 0.05), driven = i == 0 ? 0 : 50 * depth;
        ENSURE_NEAR(Position(world, cart).y, -depth, 2e-3);
        ENSURE_NEAR(tdJoint_GetLimitReaction(world, joint, 0).y, spring, 0.02 * weight);
        ENSURE_NEAR(tdJoint_GetLimitReaction(world, joint, 1).y, weight - spring - driven, 0.02 * weight);
        ENSURE(i == 0 || fabs((double)tdJoint_GetDriveReaction(world, joint, 0).y - driven) < 0.02 * weight);
        ENSURE_NEAR(tdJoint_GetForce(world, joint).y, weight, 0.01 * weight);
        ENSURE(tdLength(tdJoint_GetLimitReaction(world, joint, 2)) < 0.01f * (float)weight);
        tdDestroyWorld(world);
    }
}

TEST(DegenerateLimitsHaveAJointClass)
{
    tdJointLimit point = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0);
    tdJointLimit limits[6] = {point, tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
    // Several ranges on one axis: their intersection.
    limits[2] = tdMakeAngularLimit(TD_AXIS_Z, -1, 0.5f);
    limits[3] = tdMakeAngularLimit(TD_AXIS_Z, -0.25f, 2);
    tdJointClass found = tdClassifyJoint(limits, 4);
    ENSURE(found.type == TD_JOINT_HINGE && found.axis == 2);
    ENSURE(found.angularMin == -0.25f && found.angularMax == 0.5f);
    // One common value, none, min above max: no rotation remains.
    limits[3] = tdMakeAngularLimit(TD_AXIS_Z, 0.5f, 2);
    ENSURE(tdClassifyJoint(limits, 4).type == TD_JOINT_FIXED);
    limits[3] = tdMakeAngularLimit(TD_AXIS_Z, 1, 2);
    ENSURE(tdClassifyJoint(limits, 4).type == TD_JOINT_FIXED);
    limits[2] = tdMakeAngularLimit(TD_AXIS_Z, 0.5f, -0.5f);
    ENSURE(tdClassifyJoint(limits, 3).type == TD_JOINT_FIXED);
    // Soft ones leave it a hinge.
    limits[2].stiffness = 10;
    found = tdClassifyJoint(limits, 3);
    ENSURE(found.type == TD_JOINT_HINGE && found.isSoft);
    // Open ends, and lengths without an upper or lower bound: no limit at all.
    limits[2] = tdMakeAngularLimit(TD_AXIS_Z, -INFINITY, INFINITY);
    found = tdClassifyJoint(limits, 3);
    ENSURE(found.type == TD_JOINT_HINGE && found.limitedAngular == 0 && found.angularMax == INFINITY);
    tdJointLimit far = tdMakeLinearLimit(TD_AXIS_ALL, 0, INFINITY);
    ENSURE(tdClassifyJoint(&far, 1).type == TD_JOINT_FREE);
    far.min = 1;
    found = tdClassifyJoint(&far, 1);
    ENSURE(found.type == TD_JOINT_DISTANCE && found.linearMin == 1.0f && found.linearMax == INFINITY);
    // A half-open range.
    limits[2] = tdMakeAngularLimit(TD_AXIS_Z, 0, INFINITY);
    found = tdClassifyJoint(limits, 3);
    ENSURE(found.type == TD_JOINT_HINGE && found.angularMin == 0.0f && found.limitedAngular == TD_AXIS_Z);
    // The same lock twice, and no axes at all.
    limits[2] = limits[3] = tdMakeAngularLimit(TD_AXIS_Z, 0, 0);
    limits[4] = tdMakeLinearLimit(0, 0, 0);
    limits[5] = point;
    ENSURE(tdClassifyJoint(limits, 6).type == TD_JOINT_FIXED);
}

TEST_MAIN(RUN(EveryFieldWakesSleepers) RUN(JointsThatMayCollideAgainWakeTheirBodies)
              RUN(TurnsAreCountedBothWays) RUN(ForbiddenRangesKeepBodiesOut) RUN(ConesAndAnglesNearHalfATurn)
                  RUN(SpringsHoldAllMasses) RUN(DrivesLeaveAxesThatCannotTurnAlone)
                      RUN(JointsWithNothingToMoveDoNothing) RUN(ContradictoryLimitsComeToRest)
                          RUN(EachLimitReportsItsOwnPart) RUN(TwoLimitsOnOneAxisReportTheirOwnForces)
                              RUN(DegenerateLimitsHaveAJointClass))
