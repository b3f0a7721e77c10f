// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joints while the world runs: sleeping and waking through joints, collision of joined bodies,
// breaking, changes of every field, and kinematic partners.
#include "harness.h"
#include "joints.h"

static tdWorld* MakeStill(double gravity)
{
    return MakeWorld(V(0, -gravity, 0), false);
}

TEST(IslandsSleepAndWakeThroughJoints)
{
    // A damped pendulum comes to rest, and all its links sleep. A new target, a new limit, a push at the far
    // end, a new joint or a destroyed joint wakes it.
    for (int way = 0; way < 5; ++way)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        tdBodyId links[3];
        tdJointId joints[3];
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Z, -1, 1)};
        tdJointDrive brake = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
        brake.damping = 3;
        for (int i = 0; i < 3; ++i)
        {
            links[i] = AddMass(world, V(0, -0.25 - 0.5 * i, 0), 1, V(0.02, 0.02, 0.02));
            joints[i] = JoinAt(world, i == 0 ? theWorld : links[i - 1], links[i], V(0, -0.5 * i, 0), noTurn,
                               limits, 3, &brake, 1);
        }
        StepFor(world, 3);
        ENSURE(!tdBody_IsAwake(world, links[0]) && !tdBody_IsAwake(world, links[1]) &&
               !tdBody_IsAwake(world, links[2]));
        tdVec3 before = Position(world, links[2]);
        if (way == 0)
        {
            brake.positionTarget = 0.5f;
            brake.stiffness = 50;
            tdJoint_SetDrive(world, joints[0], 0, brake);
        }
        else if (way == 1)
        {
            tdJoint_SetLimit(world, joints[2], 2, tdMakeAngularLimit(TD_AXIS_Z, 0.5f, 1));
        }
        else if (way == 2)
        {
            tdBody_ApplyImpulseToCenter(world, links[2], V(1, 0, 0));
        }
        else if (way == 3)
        {
            tdJointLimit rope = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0.5f);
            tdJointDef def = tdDefaultJointDef();
            def.bodyB = links[2];
            def.frameA.position = V(1, -1.25, 0);
            def.limits = &rope;
            def.limitCount = 1;
            tdCreateJoint(world, &def);
        }
        else
        {
            tdDestroyJoint(world, joints[0]);
        }
        ENSURE(tdBody_IsAwake(world, links[0]) && tdBody_IsAwake(world, links[1]) &&
               tdBody_IsAwake(world, links[2]));
        StepFor(world, 0.5);
        ENSURE(Length(tdSub(Position(world, links[2]), before)) > 0.02);
        tdDestroyWorld(world);
    }
}

TEST(JoinedBodiesCollideOnlyWhenAllowed)
{
    // Two overlapping boxes on a slack rope: pushed apart only if they may collide. With several joints on
    // the pair, any joint that forbids collision decides, also after changes.
    for (int i = 0; i < 7; ++i)
    {
        tdWorld* world = MakeStill(0);
        tdBodyId a = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(1, 1, 1), plain);
        bool isStatic = i == 6;
        tdBodyId b = AddBox(world, isStatic ? TD_MOTION_STATIC : TD_MOTION_DYNAMIC, V(0.8, 0, 0), noTurn,
                            V(1, 1, 1), plain);
        tdJointLimit rope = tdMakeLinearLimit(TD_AXIS_ALL, 0, 5);
        tdJointDef def = tdDefaultJointDef();
        def.bodyA = a;
        def.bodyB = b;
        def.limits = &rope;
        def.limitCount = 1;
        def.enableCollision = i >= 1 && i != 6;
        tdJointId first = tdCreateJoint(world, &def);
        ENSURE(tdJoint_GetEnableCollision(world, first) == def.enableCollision);
        bool collides = def.enableCollision;
        if (i >= 2 && i < 6)
        {
            def.enableCollision = false;
            tdJointId second = tdCreateJoint(world, &def);
            collides = false;
            if (i == 3)
            {
                tdDestroyJoint(world, second);
                collides = true;
            }
            if (i == 4)
            {
                tdJoint_SetEnableCollision(world, second, true);
                collides = true;
            }
            if (i == 5)
            {
                tdJoint_SetEnableCollision(world, second, true);
                tdJoint_SetEnableCollision(world, first, false);
            }
        }
        StepFor(world, 1);
        double distance = Length(tdSub(Position(world, b), Position(world, a)));
        // Pushed out at least until they no longer overlap, or left in place.
        ENSURE(collides ? distance > 0.98 : fabs(distance - 0.8) < 1e-4);
        tdDestroyWorld(world);
    }
}

TEST(JointsBreakAtTheirTorqueAndLetBodiesCollide)
{
    // A cantilever of 5 kg, 0.8 m out: 39.2 N m. It breaks below that and not above it; the event has the
    // carried load, and the two overlapping boxes may collide after it.
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeStill(GRAVITY);
        tdBodyId wall = AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(1, 1, 1), plain);
        tdBodyId beam = AddBox(world, TD_MOTION_DYNAMIC, V(0.8, 0, 0), noTurn, V(1.6, 0.1, 0.1), plain);
        tdBody_SetMass(
            world, beam,
            (tdBodyMass){.mass = 5, .inertiaDiagonal = V(0.1, 1, 1), .inertiaOrientation = noTurn});
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        tdJointId joint = JoinAt(world, wall, beam, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
        double torque = 5 * GRAVITY * 0.8;
        StepFor(world, 0.5);
        tdJoint_SetBreakLimits(world, joint, INFINITY, (float)(torque * (i == 0 ? 1.05 : 0.95)));
        int events = 0;
        for (int n = 0; n < 30; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            int count = 0;
            const tdJointBreakEvent* event = tdWorld_GetJointBreakEvents(world, &count);
            events += count;
            if (count > 0)
            {
                ENSURE(event->joint.index1 == joint.index1 && event->joint.generation == joint.generation);
                ENSURE_NEAR(event->torque.z, torque, 0.02 * torque);
                ENSURE_NEAR(event->force.y, 5 * GRAVITY, 0.02 * 5 * GRAVITY);
            }
        }
        ENSURE_EQUAL_INT(events, i);
        ENSURE(tdJoint_IsBroken(world, joint) == (i == 1));
        ENSURE(tdJoint_IsValid(world, joint));
        StepFor(world, 1);
        // The wall's top is at -0.5; after the break the beam rests on its edge or slides off, but does not
        // pass it.
        ENSURE((Position(world, beam).y < -0.1f) == (i == 1));
        tdDestroyWorld(world);
    }
}

TEST(EveryFieldOfALimitMayChange)
{
    // One body on one limit (and a lock on the axes it does not measure), whose fields change one after the
    // other; each time the value moves to the new range.
    tdWorld* world = MakeStill(0);
    tdBodyId ball = AddBallMass(world, V(0.5, 0, 0), 1, 0.3);
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_X, 0.5f, 2), tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    tdJointDef def = tdDefaultJointDef();
    def.bodyB = ball;
    def.limits = limits;
    def.limitCount = 2;
    tdJointId joint = tdCreateJoint(world, &def);
    tdJointLimit limit = limits[0];
    limit.min = 1; // min
    tdJoint_SetLimit(world, joint, 0, limit);
    ENSURE(tdJoint_GetLimit(world, joint, 0).min == 1.0f);
    StepFor(world, 1);
    ENSURE_NEAR(Position(world, ball).x, 1, 0.05);
    limit.min = -INFINITY;
    limit.max = 0.25f; // max
    tdJoint_SetLimit(world, joint, 0, limit);
    StepFor(world, 1);
    ENSURE_NEAR(Position(world, ball).x, 0.25, 0.05);
    limit.linearAxes = TD_AXIS_Y; // axes
    limit.min = limit.max = 0.75f;
    tdJoint_SetLimit(world, joint, 0, limit);
    StepFor(world, 1);
    ENSURE_NEAR(Position(world, ball).y, 0.75, 0.01);
    limit.linearAxes = TD_AXIS_ALL; // a rod
    limit.min = limit.max = 2;
    tdJoint_SetLimit(world, joint, 0, limit);
    StepFor(world, 1);
    ENSURE_NEAR(Length(Position(world, ball)), 2, 0.01);
    limit.min = limit.max = 0;
    limit.stiffness = 100; // a spring: w = 10, undamped it returns
    tdJoint_SetLimit(world, joint, 0, limit);
    tdBody_SetLinearVelocity(world, ball, V(0, 0, 0));
    tdVec3 start = Position(world, ball);
    StepFor(world, PI / 10);
    ENSURE_NEAR(DotOf(Position(world, ball), start) / DotOf(start, start), -1, 0.1);
    limit.damping = 20; // critical
    tdJoint_SetLimit(world, joint, 0, limit);
    StepFor(world, 2);
    ENSURE_NEAR(Length(Position(world, ball)), 0, 0.01);
    limit.linearAxes = 0; // from linear to angular
    limit.angularAxes = TD_AXIS_Z;
    limit.min = limit.max = 0.5f;
    limit.stiffness = INFINITY;
    tdJoint_SetLimit(world, joint, 1, tdMakeAngularLimit(TD_AXIS_ALL, -INFINITY, INFINITY));
    tdJoint_SetLimit(world, joint, 0, limit);
    StepFor(world, 1);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 0), 0.5, 0.01);
    tdDestroyWorld(world);
}

TEST(EveryFieldOfADriveMayChange)
{
    tdWorld* world = MakeStill(0);
    double mass = 4;
    tdBodyId cart = AddBallMass(world, V(0, 0, 0), mass, 0.3);
    tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_FORCE, TD_AXIS_X);
    tdJointId joint = JoinAt(world, theWorld, cart, V(0, 0, 0), noTurn, NULL, 0, &drive, 1);
    StepFor(world, 0.5);
    ENSURE_NEAR(Length(Position(world, cart)), 0, 1e-6); // no effect yet
    drive.velocityTarget = 2;
    drive.damping = 40; // velocity target, damping: time constant m / c = 0.1 s
    tdJoint_SetDrive(world, joint, 0, drive);
    StepFor(world, 1);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, cart).x, 2, 0.02);
    drive.axis = TD_AXIS_Y; // axis
    tdJoint_SetDrive(world, joint, 0, drive);
    StepFor(world, 1);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, cart).y, 2, 0.02);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, cart).x, 2, 0.02); // nothing brakes it on x
    drive.axis = TD_AXIS_X;
    drive.velocityTarget = 0;
    drive.stiffness = 100; // position target, stiffness
    drive.positionTarget = 1;
    tdJoint_SetDrive(world, joint, 0, drive);
    StepFor(world, 3);
    ENSURE_NEAR(Position(world, cart).x, 1, 0.01);
    drive.positionTarget = 5;
    drive.maxForce = 2; // bound: x = 1 + F t^2 / 2 m for half a second
    tdJoint_SetDrive(world, joint, 0, drive);
    double x = (double)Position(world, cart).x;
    StepFor(world, 0.5);
    ENSURE_NEAR((double)Position(world, cart).x - x, 0.5 * 2 / mass * 0.25,
                0.03 * 0.5 * 2 / mass * 0.25 + 2e-3);
    drive.maxForce = INFINITY;
    drive.mode = TD_DRIVE_ACCELERATION; // mode: the response becomes that of 1 kg
    drive.stiffness = 0;
    drive.damping = 1;
    drive.velocityTarget = 3;
    tdJoint_SetDrive(world, joint, 0, drive);
    tdBody_SetLinearVelocity(world, cart, V(0, 0, 0));
    StepFor(world, 1);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, cart).x, 3 * (1 - exp(-1)), 0.03);
    drive.type = TD_DRIVE_ANGULAR; // type
    drive.axis = TD_AXIS_Z;
    tdJoint_SetDrive(world, joint, 0, drive);
    StepFor(world, 1);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, cart).z, 3 * (1 - exp(-1)), 0.03);
    ENSURE_NEAR(tdJoint_GetDrive(world, joint, 0).damping, 1, 0);
    tdDestroyWorld(world);
}

TEST(KinematicPartnersDriveJoints)
{
    // A kinematic turntable carries a body on a fixed joint, and drags a chain with a heavy end.
    tdWorld* world = MakeStill(0);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_KINEMATIC;
    def.angularVelocity = V(0, 2, 0);
    tdBodyId table = tdCreateBody(world, &def);
    tdBodyId rider = AddMass(world, V(1, 0, 0), 2, V(0.1, 0.2, 0.3));
    tdBody_SetLinearVelocity(world, rider, V(0, 0, -2));
    tdBody_SetAngularVelocity(world, rider, V(0, 2, 0));
    tdJointLimit weld[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    tdJointId joint = JoinAt(world, table, rider, V(1, 0, 0), noTurn, weld, 2, NULL, 0);
    StepFor(world, 2);
    ENSURE_NEAR(tdDistance(Position(world, rider), V(cos(4), 0, -sin(4))), 0, 0.02);
    // The centripetal force: m w^2 r.
    ENSURE_NEAR(tdLength(tdJoint_GetForce(world, joint)), 2 * 4, 0.05 * 8);
    tdDestroyWorld(world);

    world = MakeStill(GRAVITY);
    def.angularVelocity = V(0, 0, 0);
    def.linearVelocity = V(1, 0, 0);
    tdBodyId crane = tdCreateBody(world, &def);
    tdBodyId hook = AddBallMass(world, V(0, -1, 0), 1, 0.1),
             load = AddBallMass(world, V(0, -1.5, 0), 500, 0.3);
    tdJointId top = JoinBall(world, crane, hook, V(0, 0, 0));
    JoinBall(world, hook, load, V(0, -1, 0));
    tdBody_SetLinearVelocity(world, hook, V(1, 0, 0));
    tdBody_SetLinearVelocity(world, load, V(1, 0, 0));
    StepFor(world, 2);
    ENSURE_NEAR(tdDistance(Position(world, load), V(2, -1.5, 0)), 0, 2e-3);
    ENSURE_NEAR(tdJoint_GetForce(world, top).y, 501 * GRAVITY, 0.005 * 501 * GRAVITY);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(IslandsSleepAndWakeThroughJoints) RUN(JoinedBodiesCollideOnlyWhenAllowed)
              RUN(JointsBreakAtTheirTorqueAndLetBodiesCollide) RUN(EveryFieldOfALimitMayChange)
                  RUN(EveryFieldOfADriveMayChange) RUN(KinematicPartnersDriveJoints))
