// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joints against closed forms: pendulums, springs, drives, limits, reactions, breaking. Positions
// are integrated with sub-steps of 1/240 s, so the tolerance at speed v is at least v / 240.
#include "harness.h"

#include "math/trig.h"
#include "math/vecmath.h"

#include "tendon/joint.h"

#define STEP (1.0f / 60.0f)
#define GRAVITY 9.81

static const tdBodyId noBody = {0, 0};

static tdWorld* MakeWorld(float gravity)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = (tdVec3){0.0f, -gravity, 0.0f};
    def.enableSleep = false;
    return tdCreateWorld(&def);
}

/// A body without shape: joints depend only on mass and inertia.
static tdBodyId AddBody(tdWorld* world, tdVec3 position, float mass, tdVec3 inertia)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = position;
    def.mass = mass;
    def.inertiaDiagonal = inertia;
    return tdCreateBody(world, &def);
}

static tdBodyId AddBall(tdWorld* world, tdVec3 position, float mass)
{
    float inertia = 0.4f * mass * 0.01f; // radius 0.1
    return AddBody(world, position, mass, (tdVec3){inertia, inertia, inertia});
}

typedef struct Frames
{
    tdVec3 pointA, pointB;
    tdQuat turnA, turnB;
} Frames;

static Frames At(tdVec3 a, tdVec3 b)
{
    return (Frames){a, b, tdQuat_identity, tdQuat_identity};
}

static tdJointId Join(tdWorld* world, tdBodyId a, tdBodyId b, Frames frames, const tdJointLimit* limits,
                      int limitCount, const tdJointDrive* drives, int driveCount)
{
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = a;
    def.bodyB = b;
    def.frameA = (tdTransform){frames.pointA, frames.turnA};
    def.frameB = (tdTransform){frames.pointB, frames.turnB};
    def.limits = limits;
    def.limitCount = limitCount;
    def.drives = drives;
    def.driveCount = driveCount;
    return tdCreateJoint(world, &def);
}

static void StepFor(tdWorld* world, double seconds)
{
    int count = (int)(seconds * 60.0 + 0.5);
    for (int i = 0; i < count; ++i)
    {
        tdWorld_Step(world, STEP);
    }
}

static tdVec3 PositionOf(tdWorld* world, tdBodyId body)
{
    return tdBody_GetTransform(world, body).position;
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
static double EllipticK(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 20; ++i)
    {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 3.14159265358979 / (2.0 * a);
}

/// Time between two passages through x = 0 in the same direction, averaged over `count` of them.
static double MeasurePeriod(tdWorld* world, tdBodyId body, int count, double limit)
{
    double first = -1.0, last = -1.0, time = 0.0;
    int found = 0;
    double before = (double)PositionOf(world, body).x;
    while (found <= count && time < limit)
    {
        tdWorld_Step(world, STEP);
        time += 1.0 / 60.0;
        double x = (double)PositionOf(world, body).x;
        if (before > 0.0 && x <= 0.0)
        {
            double when = time - (1.0 / 60.0) * (-x / (before - x));
            first = found == 0 ? when : first;
            last = when;
            found += 1;
        }
        before = x;
    }
    return found > 1 ? (last - first) / (found - 1) : 0.0;
}

TEST(PendulumHasItsPeriodAndKeepsItsPivot)
{
    // The allowed pivot errors are the specified ones: 0.1 mm from 10 degrees, 0.3 mm from 30, 2 mm from 150.
    const double degrees[4] = {10, 30, 90, 150}, pivot[4] = {1e-4, 3e-4, 1e-3, 2e-3};
    for (int i = 0; i < 4; ++i)
    {
        double angle = degrees[i] * 3.14159265358979 / 180.0, mass = 1.0, inertia = 0.4 * mass * 0.01;
        tdWorld* world = MakeWorld((float)GRAVITY);
        tdVec3 start = {(float)sin(angle), (float)-cos(angle), 0.0f};
        tdBodyId ball = AddBall(world, start, (float)mass);
        tdJointLimit limit = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        tdJointId joint = Join(world, noBody, ball, At(tdVec3_zero, tdNegate(start)), &limit, 1, NULL, 0);
        double worst = 0.0;
        for (int k = 0; k < 300; ++k)
        {
            tdWorld_Step(world, STEP);
            worst = fmax(worst, (double)tdJoint_GetLimitValue(world, joint, 0));
        }
        ENSURE_NEAR(worst, 0.0, pivot[i]);
        // A compound pendulum: T = 4 K(sin(a / 2)) sqrt((I + m l^2) / (m g l)).
        double expected = 4.0 * EllipticK(sin(0.5 * angle)) * sqrt((inertia + mass) / (mass * GRAVITY));
        double period = MeasurePeriod(world, ball, 2, 20.0);
        ENSURE_NEAR(period, expected, (degrees[i] > 100 ? 0.02 : 0.005) * expected);
        tdDestroyWorld(world);
    }
}

TEST(RodSwingsAsACompoundPendulum)
{
    // A thin rod of length 1 attached at its end: I = m l^2 / 12 about the centre. Hinge made of separate
    // locks.
    double mass = 3.0, length = 1.0, inertia = mass * length * length / 12.0, angle = 0.2;
    tdWorld* world = MakeWorld((float)GRAVITY);
    tdBodyId rod = AddBody(world, (tdVec3){0.5f * sinf(0.2f), -0.5f * cosf(0.2f), 0.0f}, (float)mass,
                           (tdVec3){(float)inertia, 1.0e-3f, (float)inertia});
    tdBody_SetTransform(world, rod,
                        (tdTransform){PositionOf(world, rod), {0.0f, 0.0f, sinf(0.1f), cosf(0.1f)}});
    tdJointLimit limits[5] = {tdMakeLinearLimit(TD_AXIS_X, 0, 0), tdMakeLinearLimit(TD_AXIS_Y, 0, 0),
                              tdMakeLinearLimit(TD_AXIS_Z, 0, 0), tdMakeAngularLimit(TD_AXIS_X, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_Y, 0, 0)};
    Join(world, noBody, rod, At(tdVec3_zero, (tdVec3){0.0f, 0.5f, 0.0f}), limits, 5, NULL, 0);
    double expected = 4.0 * EllipticK(sin(0.5 * angle)) *
                      sqrt((inertia + mass * 0.25 * length * length) / (mass * GRAVITY * 0.5 * length));
    ENSURE_NEAR(MeasurePeriod(world, rod, 3, 20.0), expected, 0.005 * expected);
    tdDestroyWorld(world);
}

TEST(SoftLimitsAreSprings)
{
    // m x'' = -k x - c x' about x0 = -m g / k; started at the unloaded length the motion is
    // x0 (1 - exp(-b t) (cos(w t) + b / w sin(w t))), b = c / 2m, w^2 = k / m - b^2.
    const double stiffness[3] = {40, 400, 4000}, damping[3] = {0.5, 4, 0};
    for (int i = 0; i < 3; ++i)
    {
        double mass = 2.0, k = stiffness[i], c = damping[i], b = c / (2 * mass), w = sqrt(k / mass - b * b);
        tdWorld* world = MakeWorld((float)GRAVITY);
        tdBodyId ball = AddBall(world, tdVec3_zero, (float)mass);
        tdJointLimit limits[4] = {tdMakeLinearLimit(TD_AXIS_X, 0, 0), tdMakeLinearLimit(TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0), tdMakeLinearLimit(TD_AXIS_Y, 0, 0)};
        limits[3].stiffness = (float)k;
        limits[3].damping = (float)c;
        Join(world, noBody, ball, At(tdVec3_zero, tdVec3_zero), limits, 4, NULL, 0);
        double rest = -mass * GRAVITY / k, worst = 0.0;
        for (int n = 1; n <= 120; ++n)
        {
            tdWorld_Step(world, STEP);
            double t = n / 60.0;
            double expected = rest * (1 - exp(-b * t) * (cos(w * t) + b / w * sin(w * t)));
            worst = fmax(worst, fabs((double)PositionOf(world, ball).y - expected));
        }
        // The phase has an error of half a sub-step and a relative one of (w h)^2 / 24, that of the leap-frog
        // scheme.
        double step = w / 240.0;
        ENSURE_NEAR(worst, 0.0, fabs(rest) * (0.5 * step + 2.0 * w * step * step / 24.0 + 0.02));
        tdDestroyWorld(world);
    }
}

TEST(SpringsAreStableFromWeakToStiff)
{
    for (double k = 0.01; k <= 1.0e9; k *= 10.0)
    {
        tdWorld* world = MakeWorld((float)GRAVITY);
        tdBodyId ball = AddBall(world, (tdVec3){0.3f, 0.0f, 0.0f}, 1.0f);
        tdJointLimit limit = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        limit.stiffness = (float)k;
        limit.damping = (float)(0.2 * sqrt(k));
        tdJointId joint = Join(world, noBody, ball, At(tdVec3_zero, tdVec3_zero), &limit, 1, NULL, 0);
        double highest = 0.0;
        for (int n = 0; n < 600; ++n)
        {
            tdWorld_Step(world, STEP);
            highest = fmax(highest, (double)PositionOf(world, ball).y);
        }
        ENSURE(highest <= 0.3);
        if (k >= 100.0) // the others still swing or fall
        {
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 0), GRAVITY / k, 0.01 * GRAVITY / k + 1e-5);
        }
        tdDestroyWorld(world);
    }
}

static tdJointDrive MakeDrive(tdDriveType type, tdDriveMode mode, tdAxis axis)
{
    tdJointDrive drive = tdDefaultJointDrive();
    drive.type = type;
    drive.mode = mode;
    drive.axis = axis;
    return drive;
}

TEST(VelocityDriveRunsUpExponentially)
{
    // Acceleration mode: w = v (1 - exp(-c t)), angle = v (t - (1 - exp(-c t)) / c), independent of the
    // inertia, also for a body whose centre is off the axis.
    const float offsets[2] = {0.0f, 0.7f}, masses[2] = {0.2f, 50.0f};
    for (int i = 0; i < 4; ++i)
    {
        float offset = offsets[i % 2], mass = masses[i / 2];
        tdWorld* world = MakeWorld(0.0f);
        tdBodyId wheel = AddBall(world, (tdVec3){offset, 0.0f, 0.0f}, mass);
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
        tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Z);
        drive.velocityTarget = 0.5f * TD_PI;
        drive.damping = 1.0f;
        tdJointId joint =
            Join(world, noBody, wheel, At(tdVec3_zero, (tdVec3){-offset, 0.0f, 0.0f}), limits, 2, &drive, 1);
        for (int n = 1; n <= 300; ++n)
        {
            tdWorld_Step(world, STEP);
            if (n % 60 == 0)
            {
                double t = n / 60.0, v = 0.5 * 3.14159265358979;
                ENSURE_NEAR(tdBody_GetAngularVelocity(world, wheel).z, v * (1 - exp(-t)), 0.01 * v);
                ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), v * (t - 1 + exp(-t)), 0.01 * v * t);
            }
        }
        tdDestroyWorld(world);
    }
}

TEST(PositionDrivesCarryLoads)
{
    // At rest the spring carries the weight: m g / k short of the target in force mode, g / k in acceleration
    // mode.
    for (int i = 0; i < 2; ++i)
    {
        double mass = 4.0, k = 80.0;
        tdWorld* world = MakeWorld((float)GRAVITY);
        tdBodyId cart = AddBall(world, tdVec3_zero, (float)mass);
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        tdJointDrive drive =
            MakeDrive(TD_DRIVE_LINEAR, i == 0 ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION, TD_AXIS_Y);
        drive.positionTarget = 1.0f;
        drive.stiffness = (float)k;
        drive.damping = i == 0 ? 30.0f : 15.0f;
        tdJointId joint = Join(world, noBody, cart, At(tdVec3_zero, tdVec3_zero), limits, 2, &drive, 1);
        StepFor(world, 5.0);
        double sag = i == 0 ? mass * GRAVITY / k : GRAVITY / k;
        ENSURE_NEAR(1.0 - (double)PositionOf(world, cart).y, sag, 0.01 * sag);
        ENSURE_NEAR(tdJoint_GetDriveReaction(world, joint, 0).y, mass * GRAVITY, 0.01 * mass * GRAVITY);
        tdDestroyWorld(world);
    }
}

TEST(DrivesSaturateAndCountTurns)
{
    // A force-mode motor with a torque bound: angle = T t^2 / 2 I while the bound applies.
    tdWorld* world = MakeWorld(0.0f);
    double inertia = 0.25, torque = 0.5;
    tdBodyId wheel = AddBody(world, tdVec3_zero, 2.0f, (tdVec3){0.2f, 0.3f, (float)inertia});
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
    drive.positionTarget = 10.0f * TD_PI; // five turns away
    drive.stiffness = 20.0f;
    drive.damping = 5.0f;
    drive.maxForce = (float)torque;
    tdJointId joint = Join(world, noBody, wheel, At(tdVec3_zero, tdVec3_zero), limits, 2, &drive, 1);
    StepFor(world, 2.0);
    double expected = 0.5 * torque / inertia * 4.0;
    ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), expected, 0.01 * expected);
    ENSURE_NEAR(tdJoint_GetDriveReaction(world, joint, 0).z, torque, 1e-4);
    drive.maxForce = 1000.0f;
    tdJoint_SetDrive(world, joint, 0, drive);
    StepFor(world, 10.0);
    ENSURE_NEAR(tdJoint_GetDriveValue(world, joint, 0), 10.0 * 3.14159265358979, 1e-3);
    // Stall: the motor holds a load below its bound and yields to one above.
    tdDestroyWorld(world);
}

TEST(StallTorqueBalancesAWeight)
{
    // An arm with the weight m g l; the motor holds it level if its bound is above that, and the arm falls if
    // it is below.
    for (int i = 0; i < 2; ++i)
    {
        double mass = 2.0, length = 0.5, load = mass * GRAVITY * length;
        tdWorld* world = MakeWorld((float)GRAVITY);
        tdBodyId arm = AddBall(world, (tdVec3){(float)length, 0.0f, 0.0f}, (float)mass);
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
        tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
        drive.damping = 1.0e5f;
        drive.maxForce = (float)(load * (i == 0 ? 1.05 : 0.95));
        tdJointId joint = Join(world, noBody, arm, At(tdVec3_zero, (tdVec3){(float)-length, 0.0f, 0.0f}),
                               limits, 2, &drive, 1);
        StepFor(world, 1.0);
        double angle = (double)tdJoint_GetDriveValue(world, joint, 0);
        if (i == 0)
        {
            ENSURE_NEAR(angle, 0.0, 0.005); // the pivot's spring takes up the weight in the first steps
            ENSURE_NEAR(tdJoint_GetDriveReaction(world, joint, 0).z, load, 0.01 * load);
        }
        else
        {
            ENSURE(angle < -0.1);
        }
        tdDestroyWorld(world);
    }
}

TEST(SliderRunsDownASlope)
{
    // Along an axis tilted by a the acceleration is g sin(a), and the reaction of the other axes is m g
    // cos(a).
    double angle = 0.5, mass = 3.0;
    tdWorld* world = MakeWorld((float)GRAVITY);
    tdBodyId cart = AddBall(world, tdVec3_zero, (float)mass);
    tdQuat tilt = {0.0f, 0.0f, (float)-sin(0.5 * angle), (float)cos(0.5 * angle)};
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_Y, 0, 0), tdMakeLinearLimit(TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    tdJointId joint =
        Join(world, noBody, cart, (Frames){tdVec3_zero, tdVec3_zero, tilt, tilt}, limits, 3, NULL, 0);
    StepFor(world, 1.0);
    double distance = (double)tdLength(PositionOf(world, cart)), expected = 0.5 * GRAVITY * sin(angle);
    ENSURE_NEAR(distance, expected, 0.01 * expected);
    ENSURE_NEAR(tdLength(tdJoint_GetForce(world, joint)), mass * GRAVITY * cos(angle), 0.01 * mass * GRAVITY);
    tdVec3 first = tdJoint_GetLimitReaction(world, joint, 0);
    ENSURE_NEAR(tdLength(first), mass * GRAVITY * cos(angle), 0.01 * mass * GRAVITY);
    tdDestroyWorld(world);
}

TEST(ConicalPendulumRunsAtItsConeLimit)
{
    // A fast pendulum is limited to the cone's half angle a: below v^2 = g l sin(a) tan(a) it would fall
    // back.
    double angle = 0.6;
    tdWorld* world = MakeWorld((float)GRAVITY);
    tdBodyId ball = AddBall(world, (tdVec3){(float)sin(angle), (float)-cos(angle), 0.0f}, 1.0f);
    tdTransform pose = {PositionOf(world, ball),
                        {0.0f, 0.0f, (float)sin(0.5 * angle), (float)cos(0.5 * angle)}};
    tdBody_SetTransform(world, ball, pose);
    double speed = 1.5 * sqrt(GRAVITY * sin(angle) * tan(angle));
    tdBody_SetLinearVelocity(world, ball, (tdVec3){0.0f, 0.0f, (float)speed});
    // Rotates about -y as a whole: v = w x r with r = sin(a).
    tdBody_SetAngularVelocity(world, ball, (tdVec3){0.0f, (float)(-speed / sin(angle)), 0.0f});
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0.0f, (float)angle)};
    tdJointId joint =
        Join(world, noBody, ball, At(tdVec3_zero, (tdVec3){0.0f, 1.0f, 0.0f}), limits, 2, NULL, 0);
    double highest = 0.0, lowest = 10.0;
    for (int n = 0; n < 180; ++n)
    {
        tdWorld_Step(world, STEP);
        double value = (double)tdJoint_GetLimitValue(world, joint, 1);
        highest = fmax(highest, value);
        lowest = fmin(lowest, value);
    }
    ENSURE_NEAR(highest, angle, 0.01);
    ENSURE(lowest > angle - 0.05);
    tdDestroyWorld(world);
}

TEST(HardStopsDoNotBounce)
{
    // A door of 1 m width reaches its stop at 1 rad/s and stays: limits have no restitution.
    tdWorld* world = MakeWorld(0.0f);
    double mass = 10.0, inertia = mass / 12.0;
    tdBodyId door = AddBody(world, (tdVec3){0.5f, 0.0f, 0.0f}, (float)mass,
                            (tdVec3){0.8f, (float)inertia, (float)inertia});
    tdBody_SetAngularVelocity(world, door, (tdVec3){0.0f, 1.0f, 0.0f});
    tdBody_SetLinearVelocity(world, door, (tdVec3){0.0f, 0.0f, -0.5f});
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_Y, 0.0f, 0.5f * TD_PI)};
    tdJointId joint =
        Join(world, noBody, door, At(tdVec3_zero, (tdVec3){-0.5f, 0.0f, 0.0f}), limits, 3, NULL, 0);
    StepFor(world, 1.0);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 2), 1.0, 0.01);
    StepFor(world, 1.0);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 2), 0.5 * 3.14159265, 1e-3);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, door).y, 0.0, 1e-3);
    tdDestroyWorld(world);
}

TEST(JointsBreakAtTheirForce)
{
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeWorld((float)GRAVITY);
        tdBodyId ball = AddBall(world, (tdVec3){0.0f, -1.0f, 0.0f}, 1.0f);
        tdJointLimit limit = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        tdJointDef def = tdDefaultJointDef();
        def.bodyB = ball;
        def.frameB.position.y = 1.0f;
        def.limits = &limit;
        def.limitCount = 1;
        def.breakForce = (float)(GRAVITY * (i == 0 ? 1.1 : 0.9));
        tdJointId joint = tdCreateJoint(world, &def);
        int events = 0, count = 0;
        for (int n = 0; n < 60; ++n)
        {
            tdWorld_Step(world, STEP);
            const tdJointBreakEvent* event = tdWorld_GetJointBreakEvents(world, &count);
            events += count;
            if (count > 0)
            {
                ENSURE(event[0].joint.index1 == joint.index1);
                ENSURE(tdLength(event[0].force) > def.breakForce);
            }
        }
        ENSURE_EQUAL_INT(events, i);
        ENSURE(tdJoint_IsBroken(world, joint) == (i == 1));
        ENSURE((PositionOf(world, ball).y < -2.0f) == (i == 1));
        tdDestroyWorld(world);
    }
}

TEST(DestroyedBodiesDestroyTheirJoints)
{
    tdWorld* world = MakeWorld((float)GRAVITY);
    tdBodyId a = AddBall(world, tdVec3_zero, 1.0f), b = AddBall(world, (tdVec3){1.0f, 0.0f, 0.0f}, 1.0f);
    tdJointLimit limit = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 2.0f);
    tdJointId first = Join(world, a, b, At(tdVec3_zero, tdVec3_zero), &limit, 1, NULL, 0);
    tdJointId second = Join(world, noBody, b, At(tdVec3_zero, tdVec3_zero), &limit, 1, NULL, 0);
    ENSURE(tdJoint_IsValid(world, first) && tdJoint_IsValid(world, second));
    tdDestroyBody(world, a);
    ENSURE(!tdJoint_IsValid(world, first) && tdJoint_IsValid(world, second));
    StepFor(world, 0.1);
    tdDestroyJoint(world, second);
    ENSURE(!tdJoint_IsValid(world, second));
    tdJointId third = Join(world, noBody, b, At(tdVec3_zero, tdVec3_zero), &limit, 1, NULL, 0);
    ENSURE(tdJoint_IsValid(world, third) && !tdJoint_IsValid(world, second));
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(PendulumHasItsPeriodAndKeepsItsPivot) RUN(RodSwingsAsACompoundPendulum)
              RUN(SoftLimitsAreSprings) RUN(SpringsAreStableFromWeakToStiff)
                  RUN(VelocityDriveRunsUpExponentially) RUN(PositionDrivesCarryLoads)
                      RUN(DrivesSaturateAndCountTurns) RUN(StallTorqueBalancesAWeight)
                          RUN(SliderRunsDownASlope) RUN(ConicalPendulumRunsAtItsConeLimit)
                              RUN(HardStopsDoNotBounce) RUN(JointsBreakAtTheirForce)
                                  RUN(DestroyedBodiesDestroyTheirJoints))
