// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests that sleep never changes motion: slow motions of every cause against their closed forms, in a world
// that may put bodies to sleep. Each scene runs a second time without sleep and must give the same pose.
#include "harness.h"

#include "physics/joints.h"

/// Values of a scene that a test compares with a closed form.
typedef struct Motion
{
    tdVec3 position; // m, of the body
    double turn;     // rad, about the axis of the scene, (-pi, pi]
} Motion;

typedef struct Scene
{
    tdWorld* world;
    tdBodyId body;
    tdVec3 axis; // unit, of the measured turn
} Scene;

static double GetTurn(tdQuat q, tdVec3 axis)
{
    double along = (double)q.x * (double)axis.x + (double)q.y * (double)axis.y + (double)q.z * (double)axis.z;
    return 2 * atan2(q.w < 0 ? -along : along, fabs((double)q.w));
}

static Motion Measure(const Scene* scene)
{
    tdTransform pose = tdBody_GetTransform(scene->world, scene->body);
    return (Motion){pose.position, GetTurn(pose.rotation, scene->axis)};
}

/// Runs a scene with and without sleep. The two must agree to `tolerance`, in m and rad.
static Motion RunBoth(Scene (*build)(bool enableSleep, double value), double value, double seconds,
                      double tolerance)
{
    Motion motions[2];
    for (int i = 0; i < 2; ++i)
    {
        Scene scene = build(i == 1, value);
        StepFor(scene.world, seconds);
        motions[i] = Measure(&scene);
        tdDestroyWorld(scene.world);
    }
    ENSURE(Length(tdSub(motions[0].position, motions[1].position)) <= tolerance);
    ENSURE_NEAR(motions[0].turn, motions[1].turn, tolerance);
    return motions[1];
}

static Scene MakeScene(bool enableSleep, tdVec3 gravity)
{
    return (Scene){.world = MakeWorld(gravity, enableSleep), .axis = V(0, 1, 0)};
}

static tdBodyId AddMoving(tdWorld* world, tdMotion motion, tdVec3 position, tdVec3 velocity, tdVec3 spin,
                          double gravityFactor, double size)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform.position = position;
    def.linearVelocity = velocity;
    def.angularVelocity = spin;
    def.gravityFactor = (float)gravityFactor;
    tdBodyId body = tdCreateBody(world, &def);
    tdCreateBox(world, body, NULL, V(size, size, size));
    return body;
}

static void Weld(tdWorld* world, tdBodyId a, tdBodyId b, tdVec3 point)
{
    tdJointDef def = tdMakeFixedJointDef(world, a, b, point);
    tdCreateJoint(world, &def);
}

// Motion of a partner: a kinematic body, joined or leaned on.

/// Three bodies welded in a row to a kinematic body that turns with `value` rad/s about y.
static Scene BuildWeldedChain(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    tdBodyId last =
        AddMoving(scene.world, TD_MOTION_KINEMATIC, V(0, 0, 0), V(0, 0, 0), V(0, value, 0), 1, 0.4);
    for (int i = 1; i <= 3; ++i)
    {
        tdBodyId next =
            AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0.5 * i, 0, 0), V(0, 0, 0), V(0, 0, 0), 1, 0.4);
        Weld(scene.world, last, next, V(0.5 * i - 0.25, 0, 0));
        last = next;
    }
    scene.body = last;
    return scene;
}

TEST(WeldsFollowASlowTurn)
{
    const double rates[] = {0.05, 0.01, 0.002};
    for (int i = 0; i < 3; ++i)
    {
        Motion end = RunBoth(BuildWeldedChain, rates[i], 20, 1e-6);
        double angle = 20 * rates[i];
        ENSURE_NEAR(end.position.x, 1.5 * cos(angle), 0.01);
        ENSURE_NEAR(end.position.z, -1.5 * sin(angle), 0.01);
        ENSURE_NEAR(end.turn, angle, 0.01);
    }
}

/// A tower of two boxes on a platform that moves sideways with `value` m/s.
static Scene BuildTransport(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_KINEMATIC;
    def.linearVelocity = V(value, 0, 0);
    tdCreateBox(scene.world, tdCreateBody(scene.world, &def), NULL, V(4, 0.2, 4));
    AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0.35, 0), V(value, 0, 0), V(0, 0, 0), 1, 0.5);
    scene.body = AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0.85, 0), V(value, 0, 0), V(0, 0, 0), 1, 0.5);
    return scene;
}

TEST(LoadsFollowASlowPlatform)
{
    const double speeds[] = {0.02, 0.001};
    for (int i = 0; i < 2; ++i)
    {
        Motion end = RunBoth(BuildTransport, speeds[i], 20, 1e-6);
        ENSURE_NEAR(end.position.x, 20 * speeds[i], 0.002);
    }
}

/// A kinematic body that is at rest for two seconds before its target moves, and a body welded to it.
TEST(WeldsWakeWithTheirPartner)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId hand = AddMoving(world, TD_MOTION_KINEMATIC, V(0, 0, 0), V(0, 0, 0), V(0, 0, 0), 1, 0.2);
    tdBodyId tool = AddMoving(world, TD_MOTION_DYNAMIC, V(0.5, 0, 0), V(0, 0, 0), V(0, 0, 0), 1, 0.2);
    Weld(world, hand, tool, V(0.2, 0, 0));
    StepFor(world, 2);
    ENSURE(!tdBody_IsAwake(world, hand) && !tdBody_IsAwake(world, tool));
    for (int i = 1; i <= 300; ++i)
    {
        tdBody_SetTarget(world, hand, (tdTransform){V(0, 0.0001 * i, 0), noTurn});
        tdWorld_Step(world, (float)STEP);
    }
    ENSURE_NEAR(Position(world, tool).y, 0.03, 0.001);
    tdDestroyWorld(world);
}

// Drives and springs.

/// A disc of radius 0.5 m on a hinge to the world, driven at `value` rad/s.
static Scene PlaceTurntable(bool enableSleep, double value, tdVec3 position)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.body = AddBody(scene.world, TD_MOTION_DYNAMIC, position, noTurn);
    tdCreateCylinder(scene.world, scene.body, NULL, 0.1f, 0.5f, 0.5f);
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0)};
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Y);
    drive.velocityTarget = (float)value;
    drive.damping = 50;
    JoinAt(scene.world, theWorld, scene.body, position, noTurn, limits, 2, &drive, 1);
    return scene;
}

static Scene BuildTurntable(bool enableSleep, double value)
{
    return PlaceTurntable(enableSleep, value, V(0, 0, 0));
}

/// The same 1 km from the origin, where positions have steps of 0.06 mm and rotations are as fine as ever.
static Scene BuildFarTurntable(bool enableSleep, double value)
{
    return PlaceTurntable(enableSleep, value, V(1000, 0, 0));
}

/// A heavy damper that sinks under its weight, 1 km from the origin along another axis. `value` is its speed.
static Scene BuildFarDamper(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.body = AddBox(scene.world, TD_MOTION_DYNAMIC, V(1000, 0, 0), noTurn, V(0.3, 0.3, 0.3), plain);
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_ACCELERATION, TD_AXIS_Y);
    drive.damping = (float)(GRAVITY / value);
    JoinAt(scene.world, theWorld, scene.body, V(1000, 0, 0), noTurn, limits, 2, &drive, 1);
    return scene;
}

TEST(DrivesActFarFromTheOrigin)
{
    const double rates[] = {0.02, 0.001};
    for (int i = 0; i < 2; ++i)
    {
        Motion end = RunBoth(BuildFarTurntable, rates[i], 10, 1e-6);
        ENSURE_NEAR(end.turn, rates[i] * (10 - 1.0 / 50), 0.02 * rates[i] * 10);
        end = RunBoth(BuildFarDamper, rates[i], 10, 1e-6);
        ENSURE_NEAR(end.position.y, -rates[i] * 10, 0.02 * rates[i] * 10);
    }
}

TEST(TurntablesTurn)
{
    const double rates[] = {0.25, 0.02, 0.001};
    for (int i = 0; i < 3; ++i)
    {
        // w = target (1 - exp(-c t)): the angle lags by target / c.
        Motion end = RunBoth(BuildTurntable, rates[i], 10, 1e-6);
        ENSURE_NEAR(end.turn, rates[i] * (10 - 1.0 / 50), 0.02 * rates[i] * 10);
    }
}

/// A door that a spring closes against a damper. `value` is the time constant c / k, s.
static Scene BuildDoor(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.body = AddBody(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn);
    tdShapeDef def = tdDefaultShapeDef();
    def.local.position = V(0.4, 0, 0);
    def.density = 50;
    tdCreateBox(scene.world, scene.body, &def, V(0.8, 1.5, 0.04));
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0)};
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Y);
    drive.positionTarget = 1;
    drive.stiffness = 20;
    drive.damping = (float)(20 * value);
    JoinAt(scene.world, theWorld, scene.body, V(0, 0, 0), noTurn, limits, 2, &drive, 1);
    return scene;
}

/// Overdamped: I x'' + c x' + k x = 0 from x = 1 at rest.
static double ComputeDoor(double inertia, double stiffness, double damping, double time)
{
    double half = damping / (2 * inertia), root = sqrt(half * half - stiffness / inertia);
    double slow = -half + root, fast = -half - root;
    return 1 - (slow * exp(fast * time) - fast * exp(slow * time)) / (slow - fast);
}

TEST(DoorsClose)
{
    const double times[] = {1, 5, 20};
    double mass = 50 * 0.8 * 1.5 * 0.04;
    double inertia = mass * ((0.8 * 0.8 + 0.04 * 0.04) / 12 + 0.4 * 0.4);
    for (int i = 0; i < 3; ++i)
    {
        for (double t = 0.5; t < 6; t += 2.5)
        {
            Motion end = RunBoth(BuildDoor, times[i], t * times[i], 1e-3);
            ENSURE_NEAR(end.turn, ComputeDoor(inertia, 20, 20 * times[i], t * times[i]), 0.01);
        }
    }
}

/// 1,000 kg on a slider that a force of `value` N drives: a velocity drive that never reaches its target.
static Scene BuildHeavySlider(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.body = AddBox(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(1, 1, 1), plain);
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_FORCE, TD_AXIS_X);
    drive.velocityTarget = 100;
    drive.damping = 1e6f;
    drive.maxForce = (float)value;
    JoinAt(scene.world, theWorld, scene.body, V(0, 0, 0), noTurn, limits, 2, &drive, 1);
    return scene;
}

TEST(WeakForcesMoveHeavyBodies)
{
    const double forces[] = {50, 2};
    for (int i = 0; i < 2; ++i)
    {
        Motion end = RunBoth(BuildHeavySlider, forces[i], 10, 1e-5);
        ENSURE_NEAR(end.position.x, 0.5 * forces[i] / 1000 * 100, 0.01 * forces[i] / 20);
    }
}

// Free motion.

/// A weightless body that drifts with `value` m/s and spins with as many rad/s.
static Scene BuildDrift(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.body =
        AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), V(value, 0, 0), V(0, value, 0), 0, 0.1);
    return scene;
}

/// Two weightless bodies that touch and drift together.
static Scene BuildDriftingPair(bool enableSleep, double value)
{
    Scene scene = BuildDrift(enableSleep, value);
    tdBody_SetAngularVelocity(scene.world, scene.body, V(0, 0, 0));
    AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0.0999, 0), V(value, 0, 0), V(0, 0, 0), 0, 0.1);
    return scene;
}

TEST(DriftContinues)
{
    const double speeds[] = {0.04, 0.002, 1e-4};
    for (int i = 0; i < 3; ++i)
    {
        Motion end = RunBoth(BuildDrift, speeds[i], 20, 1e-6);
        ENSURE_NEAR(end.position.x, 20 * speeds[i], 0.002 * 20 * speeds[i]);
        ENSURE_NEAR(end.turn, 20 * speeds[i], 0.002 * 20 * speeds[i]);
        end = RunBoth(BuildDriftingPair, speeds[i], 20, 1e-6);
        ENSURE_NEAR(end.position.x, 20 * speeds[i], 0.01 * 20 * speeds[i]);
    }
}

/// A body falls under a gravity of `value` m/s^2.
static Scene BuildFall(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -value, 0));
    scene.body = AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), V(0, 0, 0), V(0, 0, 0), 1, 0.5);
    return scene;
}

/// The same by the gravity factor of the body; the world has standard gravity.
static Scene BuildBuoyant(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.body =
        AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), V(0, 0, 0), V(0, 0, 0), value / GRAVITY, 0.5);
    return scene;
}

/// Thrown upwards under weak gravity: slow at the apex after 2 s.
static Scene BuildThrow(bool enableSleep, double value)
{
    Scene scene = BuildFall(enableSleep, value);
    tdBody_SetLinearVelocity(scene.world, scene.body, V(0, 2 * value, 0));
    return scene;
}

TEST(WeakGravityActs)
{
    const double strengths[] = {0.05, 0.005, 1e-4};
    for (int i = 0; i < 3; ++i)
    {
        double g = strengths[i];
        // The integrator falls by g t (t + h) / 2 with its sub-step h.
        ENSURE_NEAR(RunBoth(BuildFall, g, 8, 1e-6).position.y, -0.5 * g * 8 * (8 + SUB_STEP), 0.002 * 32 * g);
        ENSURE_NEAR(RunBoth(BuildBuoyant, g, 8, 1e-6).position.y, -0.5 * g * 8 * (8 + SUB_STEP),
                    0.002 * 32 * g);
        ENSURE_NEAR(RunBoth(BuildThrow, g, 8, 1e-6).position.y, 2 * g * 8 - 0.5 * g * 8 * (8 + SUB_STEP),
                    0.002 * 32 * g);
    }
}

// Slow motion over a support.

/// A box on a slope whose friction is too low by `value` m/s^2.
static Scene BuildSlide(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    double angle = 0.12, friction = tan(angle) - value / (GRAVITY * cos(angle));
    Material material = {(float)friction, (float)friction, 0, 1000};
    AddSlope(scene.world, -angle, material);
    scene.body = AddBox(scene.world, TD_MOTION_DYNAMIC, V(0.25 * sin(angle), 0.25 * cos(angle), 0),
                        Turn(0, 0, 1, -angle), V(0.8, 0.5, 0.8), material);
    return scene;
}

TEST(SlowSlidesContinue)
{
    const double accelerations[] = {0.03, 0.01, 0.005};
    for (int i = 0; i < 3; ++i)
    {
        Motion end = RunBoth(BuildSlide, accelerations[i], 6, 1e-6);
        // The first contact lets the box slip by up to 2 mm/s.
        double way = 0.5 * accelerations[i] * 36;
        ENSURE_NEAR(Length(tdSub(end.position, V(0.25 * sin(0.12), 0.25 * cos(0.12), 0))), way,
                    0.02 * way + 6 * 0.0025);
    }
}

/// A ball rolls on a level floor with `value` m/s.
static Scene BuildRoll(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    AddSlope(scene.world, 0, plain);
    scene.body = AddSphere(scene.world, TD_MOTION_DYNAMIC, V(0, 0.2, 0), 0.2, plain);
    tdBody_SetLinearVelocity(scene.world, scene.body, V(value, 0, 0));
    tdBody_SetAngularVelocity(scene.world, scene.body, V(0, 0, -value / 0.2));
    return scene;
}

TEST(SlowRollsContinue)
{
    const double speeds[] = {0.03, 0.005};
    for (int i = 0; i < 2; ++i)
    {
        Motion end = RunBoth(BuildRoll, speeds[i], 10, 1e-5);
        ENSURE_NEAR(end.position.x, 10 * speeds[i], 0.02 * 10 * speeds[i]);
    }
}

/// A box slides on ice with `value` m/s.
static Scene BuildIce(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    Material ice = {0, 0, 0, 1000};
    AddSlope(scene.world, 0, ice);
    scene.body = AddBox(scene.world, TD_MOTION_DYNAMIC, V(0, 0.25, 0), noTurn, V(0.5, 0.5, 0.5), ice);
    tdBody_SetLinearVelocity(scene.world, scene.body, V(value, 0, 0));
    return scene;
}

TEST(SlowGlidesContinue)
{
    const double speeds[] = {0.03, 0.001};
    for (int i = 0; i < 2; ++i)
    {
        Motion end = RunBoth(BuildIce, speeds[i], 10, 1e-6);
        ENSURE_NEAR(end.position.x, 10 * speeds[i], 0.01 * 10 * speeds[i]);
    }
}

/// A ball rolls up a slope of 0.3 degrees with `value` m/s, stops, and returns.
static Scene BuildReturn(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    double angle = 0.3 * PI / 180;
    AddSlope(scene.world, angle, plain);
    scene.body =
        AddSphere(scene.world, TD_MOTION_DYNAMIC, V(-0.2 * sin(angle), 0.2 * cos(angle), 0), 0.2, plain);
    tdBody_SetLinearVelocity(scene.world, scene.body, V(value * cos(angle), value * sin(angle), 0));
    tdBody_SetAngularVelocity(scene.world, scene.body, V(0, 0, -value / 0.2));
    return scene;
}

TEST(BallsReturnFromASlope)
{
    // x = v t - 5/14 g sin(angle) t^2 along the slope.
    double deceleration = 5.0 / 7.0 * GRAVITY * sin(0.3 * PI / 180), speed = 0.04;
    double time = 2 * 2 * speed / deceleration; // twice the way up and down
    Motion end = RunBoth(BuildReturn, speed, time, 1e-5);
    time = floor(time / STEP + 0.5) * STEP;
    double way = speed * time - 0.5 * deceleration * time * time;
    ENSURE_NEAR(end.position.x, way * cos(0.3 * PI / 180) - 0.2 * sin(0.3 * PI / 180), 0.03 * fabs(way));
}

// Joints without drives.

/// A pendulum of 1 m, released at `value` rad.
static Scene BuildPendulum(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.axis = V(0, 0, 1);
    scene.body = AddBody(scene.world, TD_MOTION_DYNAMIC, V(sin(value), -cos(value), 0), Turn(0, 0, 1, value));
    tdCreateSphere(scene.world, scene.body, NULL, 0.05f);
    JoinHinge(scene.world, theWorld, scene.body, V(0, 0, 0), -PI, PI);
    return scene;
}

/// A balance whose centre of mass is off its hinge by `value` m, with a radius of gyration of 1 m.
static Scene BuildBalance(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.axis = V(0, 0, 1);
    scene.body = AddBox(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(2, 0.1, 0.3), plain);
    tdBody_SetMass(scene.world, scene.body, (tdBodyMass){1, V(value, 0, 0), V(1, 1, 1), tdQuat_identity});
    JoinHinge(scene.world, theWorld, scene.body, V(0, 0, 0), -PI, PI);
    return scene;
}

TEST(UnevenBalancesTip)
{
    const double offsets[] = {1e-3, 1e-4, 1e-5};
    for (int i = 0; i < 3; ++i)
    {
        Motion end = RunBoth(BuildBalance, offsets[i], 4, 1e-6);
        double angle = -0.5 * GRAVITY * offsets[i] * 4 * 4; // small angles
        ENSURE_NEAR(end.turn, angle, 0.02 * fabs(angle));
    }
}

TEST(SmallSwingsContinue)
{
    const double amplitudes[] = {0.02, 0.004};
    double rate = sqrt(GRAVITY / (1 + 0.4 * 0.05 * 0.05));
    for (int i = 0; i < 2; ++i)
    {
        for (double t = 9; t < 9.9; t += 0.4)
        {
            // Half a percent of the amplitude is lost per period; a frozen swing is off by all of it.
            Motion end = RunBoth(BuildPendulum, amplitudes[i], t, 1e-6);
            double time = floor(t / STEP + 0.5) * STEP;
            ENSURE_NEAR(end.turn, amplitudes[i] * cos(rate * time), 0.1 * amplitudes[i]);
        }
    }
}

/// A rod of 1 m that stands on a hinge, `value` rad off the vertical.
static Scene BuildTopple(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, -GRAVITY, 0));
    scene.axis = V(0, 0, 1);
    scene.body = AddBody(scene.world, TD_MOTION_DYNAMIC, V(-0.5 * sin(value), 0.5 * cos(value), 0),
                         Turn(0, 0, 1, value));
    tdCreateBox(scene.world, scene.body, NULL, V(0.05, 1, 0.05));
    JoinHinge(scene.world, theWorld, scene.body, V(0, 0, 0), -PI, PI);
    return scene;
}

TEST(UnstableRodsTopple)
{
    // x'' = x m g l / I while the angle is small: x = x0 cosh(t rate).
    double rate = sqrt(GRAVITY * 0.5 / ((1 + 0.05 * 0.05) / 12 + 0.25));
    Motion end = RunBoth(BuildTopple, 0.001, 1, 1e-6);
    ENSURE_NEAR(end.turn, 0.001 * cosh(rate), 0.05 * 0.001 * cosh(rate));
}

// Sizes: the same slow turn for a body of 2 mm and one of 200 m.

static Scene BuildScaledTurn(bool enableSleep, double value)
{
    Scene scene = MakeScene(enableSleep, V(0, 0, 0));
    scene.body =
        AddMoving(scene.world, TD_MOTION_DYNAMIC, V(0, 0, 0), V(0.01 * value, 0, 0), V(0, 0.01, 0), 1, value);
    return scene;
}

TEST(SlowMotionOfAnySize)
{
    const double sizes[] = {0.002, 200};
    for (int i = 0; i < 2; ++i)
    {
        Motion end = RunBoth(BuildScaledTurn, sizes[i], 10, 1e-6 * fmax(sizes[i], 1));
        ENSURE_NEAR(end.turn, 0.1, 0.001);
        ENSURE_NEAR(end.position.x, 0.1 * sizes[i], 0.001 * sizes[i]);
    }
}

// Bodies that would stay do sleep, and soon.

TEST(RestStillSleeps)
{
    // Boxes and round shapes at rest on the floor, under standard and weak gravity.
    const double gravities[] = {GRAVITY, 0.5};
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeWorld(V(0, -gravities[i], 0), true);
        AddSlope(world, 0, plain);
        AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.25, 0), noTurn, V(0.5, 0.5, 0.5), plain);
        AddSphere(world, TD_MOTION_DYNAMIC, V(2, 0.2, 0), 0.2, plain);
        StepFor(world, 1.5);
        ENSURE_EQUAL_INT(tdWorld_GetStats(world).awakeBodyCount, 0);
        tdDestroyWorld(world);
    }
}

TEST(MotorsAtTheirStopSleep)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(0.5, 0.5, 0.5), plain);
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_Y, -0.5f, 0.5f)};
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Y);
    drive.velocityTarget = 1;
    drive.damping = 50;
    JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 3, &drive, 1);
    StepFor(world, 3);
    ENSURE(!tdBody_IsAwake(world, body));
    ENSURE_NEAR(GetTurn(tdBody_GetTransform(world, body).rotation, V(0, 1, 0)), 0.5, 0.002);
    tdDestroyWorld(world);
}

TEST(HangingChainsSleep)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId last = theWorld;
    for (int i = 0; i < 5; ++i)
    {
        tdBodyId next =
            AddBox(world, TD_MOTION_DYNAMIC, V(0, -0.25 - 0.5 * i, 0), noTurn, V(0.1, 0.5, 0.1), plain);
        JoinBall(world, last, next, V(0, -0.5 * i, 0));
        last = next;
    }
    StepFor(world, 3);
    ENSURE(!tdBody_IsAwake(world, last));
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(WeldsFollowASlowTurn) RUN(LoadsFollowASlowPlatform) RUN(WeldsWakeWithTheirPartner)
              RUN(TurntablesTurn) RUN(DrivesActFarFromTheOrigin) RUN(UnevenBalancesTip) RUN(DoorsClose)
                  RUN(WeakForcesMoveHeavyBodies) RUN(DriftContinues) RUN(WeakGravityActs)
                      RUN(SlowSlidesContinue) RUN(SlowRollsContinue) RUN(SlowGlidesContinue)
                          RUN(BallsReturnFromASlope) RUN(SmallSwingsContinue) RUN(UnstableRodsTopple)
                              RUN(SlowMotionOfAnySize) RUN(RestStillSleeps) RUN(MotorsAtTheirStopSleep)
                                  RUN(HangingChainsSleep))
