// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of hinge angles beyond half a turn: limits and targets of several revolutions count the turns
// (docs/spec/physics.md 6.2, 6.4), in SIMD groups, one joint at a time and in joint trees, over saved states
// and sleep.
#include "harness.h"
#include "joints.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"

#include <stdlib.h>

typedef enum Solver
{
    SOLVER_LANES,   // the stops alone
    SOLVER_MOTOR,   // a drive beside the stops, in lanes
    SOLVER_GENERIC, // two drives, one of them without force
    SOLVER_TREE,    // the hinge carries a body that is ten times as heavy
    SOLVER_COUNT,
} Solver;

typedef struct Wheel
{
    tdWorld* world;
    tdBodyId body;
    tdJointId joint;
} Wheel;

/// A wheel of 1 kg m^2 about an axis of its hinge, with stops and perhaps a drive about the same axis.
static Wheel MakeWheel(Solver solver, int axis, double low, double high, const tdJointDrive* drive)
{
    Wheel wheel = {.world = MakeWorld(V(0, 0, 0), false)};
    unsigned own = 1u << axis;
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(7u & ~own, 0, 0),
                              tdMakeAngularLimit(own, (float)low, (float)high)};
    double inertia = solver == SOLVER_TREE ? 0.5 : 1;
    wheel.body = AddMass(wheel.world, V(0, 0, 0), 1, V(inertia, inertia, inertia));
    tdJointDrive drives[2] = {drive != NULL ? *drive : (tdJointDrive){0},
                              MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, (tdAxis)own)};
    wheel.joint =
        JoinAt(wheel.world, theWorld, wheel.body, V(0, 0, 0), Turn(0.6, 0, 0.8, 0.9), limits, 3, drives,
               drive == NULL              ? 0
               : solver == SOLVER_GENERIC ? 2
                                          : 1);
    int signature = wheel.world->joints->joints.data[wheel.joint.index1 - 1].signature;
    bool isMotor = drive != NULL && solver != SOLVER_GENERIC && isfinite(low) && isfinite(high);
    ENSURE((signature == TD_SIGNATURE_MOTOR) == isMotor);
    if (solver == SOLVER_TREE)
    {
        tdBodyId load = AddMass(wheel.world, V(0, 0, 0), 10, V(inertia, inertia, inertia));
        tdJointLimit locks[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
        JoinAt(wheel.world, wheel.body, load, V(0, 0, 0), noTurn, locks, 2, NULL, 0);
    }
    return wheel;
}

static tdVec3 AxisOf(int axis)
{
    return RotateBy(Turn(0.6, 0, 0.8, 0.9), V(axis == 0, axis == 1, axis == 2));
}

static void SpinWheel(const Wheel* wheel, int axis, double speed)
{
    tdVec3 e = AxisOf(axis);
    tdVec3 w = V(speed * (double)e.x, speed * (double)e.y, speed * (double)e.z);
    tdBody_SetAngularVelocity(wheel->world, wheel->body, w);
}

static double SpeedOf(const Wheel* wheel, int axis)
{
    return DotOf(tdBody_GetAngularVelocity(wheel->world, wheel->body), AxisOf(axis));
}

static double AngleOf(const Wheel* wheel)
{
    return (double)tdJoint_GetLimitValue(wheel->world, wheel->joint, 2);
}

static tdJointDrive MakeMotor(int axis, double speed, double damping)
{
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, (tdAxis)(1 << axis));
    drive.velocityTarget = (float)speed;
    drive.damping = (float)damping;
    return drive;
}

// The wheel turns at a constant speed up to its stop and stays there, one way and then the other.
TEST(AStopBeyondATurnHolds)
{
    static const double stops[4] = {4, 2 * PI, 9.5, 40};
    for (int n = 0; n < 4 * SOLVER_COUNT * 2; ++n)
    {
        int axis = n % 3;
        Solver solver = (Solver)(n / 4 % SOLVER_COUNT);
        double stop = stops[n % 4], sign = n / (4 * SOLVER_COUNT) == 0 ? 1 : -1, speed = sign * stop / 2;
        tdJointDrive drive = MakeMotor(axis, speed, 1000);
        bool hasDrive = solver != SOLVER_LANES;
        Wheel wheel = MakeWheel(solver, axis, -stop, stop, hasDrive ? &drive : NULL);
        double most = 0;
        SpinWheel(&wheel, axis, speed);
        for (int i = 0; i < 360; ++i)
        {
            tdWorld_Step(wheel.world, (float)STEP);
            most = fmax(most, sign * AngleOf(&wheel));
            // On the way: the angle is that of the constant speed.
            double expected = (i + 1) * STEP * fabs(speed);
            if (solver == SOLVER_LANES && expected < 0.98 * stop)
            {
                ENSURE_NEAR(sign * AngleOf(&wheel), expected, 0.002 * stop);
            }
        }
        ENSURE_NEAR(sign * AngleOf(&wheel), stop, 0.01);
        ENSURE(most < stop + 0.03);
        ENSURE_NEAR(SpeedOf(&wheel, axis), 0, 0.02);
        // Back over the whole range to the other stop.
        if (hasDrive)
        {
            drive.velocityTarget = -drive.velocityTarget;
            tdJoint_SetDrive(wheel.world, wheel.joint, 0, drive);
        }
        SpinWheel(&wheel, axis, -speed);
        StepFor(wheel.world, 7);
        ENSURE_NEAR(sign * AngleOf(&wheel), -stop, 0.01);
        tdDestroyWorld(wheel.world);
    }
}

// A bound on one side only: the other way is free for any number of turns, and the bound is where it was.
TEST(AOneSidedStopCountsTurns)
{
    for (int n = 0; n < 2 * SOLVER_COUNT; ++n)
    {
        Solver solver = (Solver)(n / 2);
        bool isUpper = n % 2 == 0;
        double sign = isUpper ? 1 : -1;
        tdJointDrive drive = MakeMotor(2, -sign * 10, 1000);
        Wheel wheel = MakeWheel(solver, 2, isUpper ? (double)-INFINITY : -2, isUpper ? 2 : (double)INFINITY,
                                solver != SOLVER_LANES ? &drive : NULL);
        SpinWheel(&wheel, 2, -sign * 10);
        StepFor(wheel.world, 3);
        ENSURE_NEAR(sign * AngleOf(&wheel), -30, 0.3);
        drive.velocityTarget = -drive.velocityTarget;
        if (solver != SOLVER_LANES)
        {
            tdJoint_SetDrive(wheel.world, wheel.joint, 0, drive);
        }
        SpinWheel(&wheel, 2, sign * 10);
        StepFor(wheel.world, 2.9);
        ENSURE_NEAR(sign * AngleOf(&wheel), -1, 0.5);
        StepFor(wheel.world, 2);
        ENSURE_NEAR(sign * AngleOf(&wheel), 2, 0.01);
        tdDestroyWorld(wheel.world);
    }
}

// A critically damped drive: x = X (1 - (1 + w t) exp(-w t)).
TEST(TargetsBeyondATurnAreReached)
{
    static const double targets[4] = {4, 8, -25, 100};
    for (int n = 0; n < 8; ++n)
    {
        double target = targets[n % 4], w = 4;
        tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, TD_AXIS_Y);
        drive.positionTarget = (float)target;
        drive.stiffness = (float)(w * w);
        drive.damping = (float)(2 * w);
        Wheel wheel = MakeWheel(n >= 4       ? SOLVER_TREE
                                : n % 2 == 0 ? SOLVER_MOTOR
                                             : SOLVER_GENERIC,
                                1, -1000, 1000, &drive);
        // In a tree the effective mass of the drive is that of its own joint, so only the end is known.
        for (int i = 1; i <= 180; ++i)
        {
            tdWorld_Step(wheel.world, (float)STEP);
            double t = i * STEP, expected = target * (1 - (1 + w * t) * exp(-w * t));
            if (n < 4)
            {
                ENSURE_NEAR(AngleOf(&wheel), expected, 0.02 * fabs(target));
            }
        }
        StepFor(wheel.world, 4);
        ENSURE_NEAR(AngleOf(&wheel), target, 0.01);
        ENSURE_NEAR((double)tdJoint_GetDriveValue(wheel.world, wheel.joint, 0), target, 0.01);
        tdDestroyWorld(wheel.world);
    }
}

// Fast motors turn by more than half a turn in a sub-step, slow ones by little.
TEST(FastAndSlowMotorsCountTurns)
{
    static const double speeds[4] = {0.4, 30, 700, 1500};
    static const double stops[4] = {3.5, 60, 2000, 5000};
    for (int n = 0; n < 4; ++n)
    {
        tdJointDrive drive = MakeMotor(0, speeds[n], 1e5);
        Wheel wheel = MakeWheel(SOLVER_MOTOR, 0, -stops[n], stops[n], &drive);
        for (int i = 1; i <= 60; ++i)
        {
            tdWorld_Step(wheel.world, (float)STEP);
            ENSURE_NEAR(AngleOf(&wheel), speeds[n] * i * STEP, 0.01 * speeds[n]);
        }
        StepFor(wheel.world, stops[n] / speeds[n] + 1);
        ENSURE_NEAR(AngleOf(&wheel), stops[n], 0.02);
        tdDestroyWorld(wheel.world);
    }
    Wheel lanes = MakeWheel(SOLVER_LANES, 0, -3000, 3000, NULL);
    SpinWheel(&lanes, 0, 1200);
    StepFor(lanes.world, 1);
    ENSURE_NEAR(AngleOf(&lanes), 1200, 12);
    StepFor(lanes.world, 3);
    ENSURE_NEAR(AngleOf(&lanes), 3000, 0.05);
    tdDestroyWorld(lanes.world);
}

TEST(TurnsAreInSavedStates)
{
    for (int n = 0; n < SOLVER_COUNT; ++n)
    {
        tdJointDrive drive = MakeMotor(2, 3, 1000);
        Wheel wheel = MakeWheel((Solver)n, 2, -16, 16, n != SOLVER_LANES ? &drive : NULL);
        SpinWheel(&wheel, 2, 3);
        StepFor(wheel.world, 4);
        double there = AngleOf(&wheel);
        ENSURE_NEAR(there, 12, 0.2);
        size_t size = tdWorld_SaveState(wheel.world, NULL, 0);
        void* block = malloc(size);
        tdWorld_SaveState(wheel.world, block, size);
        StepFor(wheel.world, 3);
        ENSURE_NEAR(AngleOf(&wheel), 16, 0.01);
        uint64_t hash = tdWorld_GetStateHash(wheel.world);
        // Two turns back, then restored.
        SpinWheel(&wheel, 2, -8);
        StepFor(wheel.world, 2);
        ENSURE(tdWorld_LoadState(wheel.world, block, size));
        ENSURE_NEAR(AngleOf(&wheel), there, 0.0);
        StepFor(wheel.world, 3);
        ENSURE_NEAR(AngleOf(&wheel), 16, 0.01);
        ENSURE(tdWorld_GetStateHash(wheel.world) == hash);
        free(block);
        tdDestroyWorld(wheel.world);
    }
}

TEST(TurnsSurviveSleep)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId body = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 0, 0), 0.5, plain);
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_Z, -9, 9)};
    tdJointId joint = JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 3, NULL, 0);
    tdBody_SetAngularVelocity(world, body, V(0, 0, 4));
    StepFor(world, 10);
    ENSURE_NEAR((double)tdJoint_GetLimitValue(world, joint, 2), 9, 0.01);
    ENSURE(!tdBody_IsAwake(world, body));
    tdBody_SetAngularVelocity(world, body, V(0, 0, -4));
    StepFor(world, 4);
    ENSURE_NEAR((double)tdJoint_GetLimitValue(world, joint, 2), -7, 0.1);
    StepFor(world, 10);
    ENSURE_NEAR((double)tdJoint_GetLimitValue(world, joint, 2), -9, 0.01);
    tdDestroyWorld(world);
}

// A frame at half a turn is inside the range from a quarter to three quarters of a turn and stays there.
TEST(RangesAroundHalfATurnHoldTheirStart)
{
    for (int n = 0; n < 12; ++n)
    {
        double start = PI / 2 + 0.1 + (PI - 0.2) * n / 11;
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(1, 1, 1));
        tdJointDef def = tdDefaultJointDef();
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Z, (float)(PI / 2), (float)(1.5 * PI))};
        def.bodyB = body;
        def.frameB.rotation = Turn(0, 0, 1, start);
        def.limits = limits;
        def.limitCount = 3;
        tdJointId joint = tdCreateJoint(world, &def);
        StepFor(world, 0.5);
        ENSURE_NEAR((double)tdJoint_GetLimitValue(world, joint, 2), start, 0.001);
        ENSURE_NEAR(Length(tdBody_GetAngularVelocity(world, body)), 0, 0.001);
        tdBody_SetAngularVelocity(world, body, V(0, 0, n % 2 == 0 ? 5 : -5));
        StepFor(world, 2);
        ENSURE_NEAR((double)tdJoint_GetLimitValue(world, joint, 2), n % 2 == 0 ? 1.5 * PI : PI / 2, 0.01);
        tdDestroyWorld(world);
    }
}

// Locks beyond half a turn are the pose one turn less; no wheel spins.
TEST(LocksBeyondHalfATurnAreReached)
{
    static const double angles[5] = {4, -5.5, 7, 50, 1e7};
    for (int n = 0; n < 10; ++n)
    {
        double angle = angles[n % 5];
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(1, 1, 1));
        tdJointLimit limits[4] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(TD_AXIS_X, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Y, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Z, (float)angle, (float)angle)};
        if (n >= 5) // a twist beside an axis lock
        {
            limits[1] = tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0);
            limits[2] = limits[3];
        }
        JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, n >= 5 ? 3 : 4, NULL, 0);
        StepFor(world, 6);
        tdQuat q = tdBody_GetTransform(world, body).rotation;
        double held = remainder((double)(float)angle, 2 * PI),
               off = 2 * atan2((double)q.z, (double)q.w) - held;
        ENSURE_NEAR(remainder(off, 2 * PI), 0, 0.01);
        ENSURE_NEAR(Length(tdBody_GetAngularVelocity(world, body)), 0, 0.01);
        tdDestroyWorld(world);
    }
}

// Thirteen wheels against their stops, one group of eight and a part of one.
static uint64_t HashWheels(tdSimd simd)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = V(0, 0, 0);
    def.simd = simd;
    tdWorld* world = tdCreateWorld(&def);
    for (int i = 0; i < 13; ++i)
    {
        tdVec3 place = V(2 * i, 0, 0);
        tdBodyId body = AddMass(world, place, 1, V(1, 0.7 + 0.05 * i, 1.2));
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X, (float)(-3 - i), (float)(4 + 2 * i))};
        JoinAt(world, theWorld, body, place, Turn(0, 0.6, 0.8, 0.3 * i), limits, 3, NULL, 0);
        tdBody_SetAngularVelocity(world, body, V(i % 2 == 0 ? 9 : -7, 1, i));
    }
    StepFor(world, 4);
    uint64_t hash = tdWorld_GetStateHash(world);
    tdDestroyWorld(world);
    return hash;
}

TEST(VectorWidthsCountTheSameTurns)
{
    uint64_t scalar = HashWheels(TD_SIMD_SCALAR);
    ENSURE(HashWheels(TD_SIMD_SSE2) == scalar);
    ENSURE(HashWheels(TD_SIMD_AVX2) == scalar);
}

TEST_MAIN(RUN(AStopBeyondATurnHolds) RUN(AOneSidedStopCountsTurns) RUN(TargetsBeyondATurnAreReached)
              RUN(FastAndSlowMotorsCountTurns) RUN(TurnsAreInSavedStates) RUN(TurnsSurviveSleep)
                  RUN(RangesAroundHalfATurnHoldTheirStart) RUN(LocksBeyondHalfATurnAreReached)
                      RUN(VectorWidthsCountTheSameTurns))
