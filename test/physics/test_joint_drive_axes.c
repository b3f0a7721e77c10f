// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of angular drives on one to three axes: they act on the angular velocity of B relative to A, along
// the axes of frame A, and several position targets are the components of a rotation vector
// (docs/spec/physics.md 6.4). The reference integrates the equations of two rigid bodies in double with small
// steps.
#include "harness.h"
#include "joints.h"

#include <string.h>

typedef struct Vec
{
    double v[3];
} Vec;

typedef struct Turning // a free body
{
    Vec inertia; // kg m^2, about its own axes
    double q[4]; // x y z w
    Vec w;       // rad/s, world
} Turning;

typedef struct Law // of the drive about one axis
{
    bool isDriven, isAcceleration;
    double x, v, k, c, most;
} Law;

typedef struct Pair
{
    bool isFixedA;
    Turning a, b;
    double frame[4]; // of the joint in both bodies, which start aligned
    Law laws[3];
} Pair;

static void MulTurns(const double* a, const double* b, double* out)
{
    double r[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                   a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                   a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                   a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, r, sizeof(r));
}

static Vec TurnVec(const double* q, Vec p, double sign)
{
    double x = sign * q[0], y = sign * q[1], z = sign * q[2], w = q[3];
    double tx = 2 * (y * p.v[2] - z * p.v[1]), ty = 2 * (z * p.v[0] - x * p.v[2]),
           tz = 2 * (x * p.v[1] - y * p.v[0]);
    return (Vec){{p.v[0] + w * tx + y * tz - z * ty, p.v[1] + w * ty + z * tx - x * tz,
                  p.v[2] + w * tz + x * ty - y * tx}};
}

static double DotVec(Vec a, Vec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

/// I^-1 p, world.
static Vec DivideInertia(const Turning* body, Vec p)
{
    Vec local = TurnVec(body->q, p, -1);
    for (int i = 0; i < 3; ++i)
    {
        local.v[i] /= body->inertia.v[i];
    }
    return TurnVec(body->q, local, 1);
}

/// Torque on B.
static Vec ComputeTorque(const Pair* pair)
{
    double frameA[4], frameB[4], q[4];
    MulTurns(pair->a.q, pair->frame, frameA);
    MulTurns(pair->b.q, pair->frame, frameB);
    double inverse[4] = {-frameA[0], -frameA[1], -frameA[2], frameA[3]};
    MulTurns(inverse, frameB, q);
    double sign = q[3] < 0 ? -1 : 1, sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    double angle = 2 * atan2(sine, fabs(q[3])), scale = sine > 1e-12 ? sign * angle / sine : 2;
    int driven = 0;
    for (int i = 0; i < 3; ++i)
    {
        driven += pair->laws[i].isDriven ? 1 : 0;
    }
    Vec torque = {{0, 0, 0}};
    for (int i = 0; i < 3; ++i)
    {
        const Law* law = &pair->laws[i];
        Vec axis = {{i == 0, i == 1, i == 2}};
        axis = TurnVec(frameA, axis, 1);
        double x = driven > 1 ? scale * q[i] : 2 * atan2(sign * q[i], fabs(q[3]));
        double v = DotVec(axis, pair->b.w) - (pair->isFixedA ? 0 : DotVec(axis, pair->a.w));
        double force = law->k * (law->x - x) + law->c * (law->v - v);
        if (law->isAcceleration)
        {
            double k = DotVec(axis, DivideInertia(&pair->b, axis));
            force /= k + (pair->isFixedA ? 0 : DotVec(axis, DivideInertia(&pair->a, axis)));
        }
        force = law->isDriven ? fmax(-law->most, fmin(law->most, force)) : 0;
        for (int j = 0; j < 3; ++j)
        {
            torque.v[j] += force * axis.v[j];
        }
    }
    return torque;
}

/// Semi-implicit in the angular momentum; the error is of the order of the step.
static void AdvanceTurning(Turning* body, Vec torque, double sign, double h)
{
    Vec local = TurnVec(body->q, body->w, -1), momentum;
    for (int i = 0; i < 3; ++i)
    {
        momentum.v[i] = body->inertia.v[i] * local.v[i];
    }
    momentum = TurnVec(body->q, momentum, 1);
    for (int i = 0; i < 3; ++i)
    {
        momentum.v[i] += sign * h * torque.v[i];
    }
    // Midpoint of the rotation.
    Vec w = DivideInertia(body, momentum);
    double start[4];
    memcpy(start, body->q, sizeof(start));
    for (int round = 0; round < 2; ++round)
    {
        double part = round == 0 ? 0.5 * h : h;
        double half[4] = {0.5 * part * w.v[0], 0.5 * part * w.v[1], 0.5 * part * w.v[2], 1};
        MulTurns(half, start, body->q);
        double length = sqrt(body->q[0] * body->q[0] + body->q[1] * body->q[1] + body->q[2] * body->q[2] +
                             body->q[3] * body->q[3]);
        for (int i = 0; i < 4; ++i)
        {
            body->q[i] /= length;
        }
        w = DivideInertia(body, momentum);
    }
    body->w = w;
}

static void AdvancePair(Pair* pair, double seconds)
{
    enum
    {
        PARTS = 20000 // per second
    };
    for (int n = 0; n < (int)(seconds * PARTS + 0.5); ++n)
    {
        Vec torque = ComputeTorque(pair);
        AdvanceTurning(&pair->b, torque, 1, 1.0 / PARTS);
        if (!pair->isFixedA)
        {
            AdvanceTurning(&pair->a, torque, -1, 1.0 / PARTS);
        }
    }
}

typedef enum Kind
{
    KIND_FREE,  // drives alone
    KIND_POINT, // beside a point lock
    KIND_TREE,  // beside a line lock, which makes the joint a tree
    KIND_COUNT,
} Kind;

static tdBodyId AddTurning(tdWorld* world, const Turning* from)
{
    tdBodyId body =
        AddMass(world, V(0, 0, 0), 2, V(from->inertia.v[0], from->inertia.v[1], from->inertia.v[2]));
    tdBody_SetAngularVelocity(world, body, V(from->w.v[0], from->w.v[1], from->w.v[2]));
    return body;
}

static double AngleTo(tdQuat q, const double* r)
{
    double dot = (double)q.x * r[0] + (double)q.y * r[1] + (double)q.z * r[2] + (double)q.w * r[3];
    return 2 * acos(fmin(1, fabs(dot)));
}

/// Runs the pair in a world and in the reference.
static void ComparePair(Pair pair, Kind kind, double seconds, double angleTolerance, double speedTolerance)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId b = AddTurning(world, &pair.b), a = pair.isFixedA ? theWorld : AddTurning(world, &pair.a);
    tdJointDrive drives[3];
    int driveCount = 0;
    for (int i = 0; i < 3; ++i)
    {
        const Law* law = &pair.laws[i];
        if (law->isDriven)
        {
            tdJointDrive* drive = &drives[driveCount++];
            *drive = MakeDrive(TD_DRIVE_ANGULAR, law->isAcceleration ? TD_DRIVE_ACCELERATION : TD_DRIVE_FORCE,
                               (tdAxis)(1 << i));
            drive->positionTarget = (float)law->x;
            drive->velocityTarget = (float)law->v;
            drive->stiffness = (float)law->k;
            drive->damping = (float)law->c;
            drive->maxForce = (float)law->most;
        }
    }
    tdJointLimit lock = tdMakeLinearLimit(kind == KIND_POINT ? TD_AXIS_ALL : TD_AXIS_X | TD_AXIS_Y, 0, 0);
    tdQuat frame = {(float)pair.frame[0], (float)pair.frame[1], (float)pair.frame[2], (float)pair.frame[3]};
    JoinAt(world, a, b, V(0, 0, 0), frame, &lock, kind == KIND_FREE ? 0 : 1, drives, driveCount);
    StepFor(world, seconds);
    AdvancePair(&pair, seconds);
    tdVec3 w = tdBody_GetAngularVelocity(world, b);
    double off = Length(tdSub(w, V(pair.b.w.v[0], pair.b.w.v[1], pair.b.w.v[2])));
    ENSURE_NEAR(AngleTo(tdBody_GetTransform(world, b).rotation, pair.b.q), 0, angleTolerance);
    ENSURE_NEAR(off, 0, speedTolerance);
    if (!pair.isFixedA)
    {
        ENSURE_NEAR(AngleTo(tdBody_GetTransform(world, a).rotation, pair.a.q), 0, angleTolerance);
    }
    tdDestroyWorld(world);
}

static Pair MakePair(double w0, double w1, double w2)
{
    Pair pair = {.isFixedA = true,
                 .a = {{{1, 1, 1}}, {0, 0, 0, 1}, {{0, 0, 0}}},
                 .b = {{{1, 1, 1}}, {0, 0, 0, 1}, {{w0, w1, w2}}},
                 .frame = {0, 0, 0, 1}};
    for (int i = 0; i < 3; ++i)
    {
        pair.laws[i] = (Law){.isDriven = true, .c = 0.5, .most = (double)INFINITY};
    }
    return pair;
}

// Three equal dampers of c on a ball of inertia I: w = w0 exp(-c t / I), along its own direction.
TEST(ThreeEqualDampersKeepTheDirectionOfASpin)
{
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int mode = 0; mode < 2; ++mode)
        {
            tdWorld* world = MakeWorld(V(0, 0, 0), false);
            tdBodyId body = AddMass(world, V(0, 0, 0), 2, V(1, 1, 1));
            tdBody_SetAngularVelocity(world, body, V(3, 2, 1));
            tdJointDrive drives[3];
            for (int i = 0; i < 3; ++i)
            {
                drives[i] = MakeDrive(TD_DRIVE_ANGULAR, mode == 0 ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION,
                                      (tdAxis)(1 << i));
                drives[i].damping = 0.5f;
            }
            tdJointLimit lock =
                tdMakeLinearLimit(kind == KIND_POINT ? TD_AXIS_ALL : TD_AXIS_X | TD_AXIS_Y, 0, 0);
            JoinAt(world, theWorld, body, V(0, 0, 0), Turn(0.6, 0, 0.8, 1.1), &lock,
                   kind == KIND_FREE ? 0 : 1, drives, 3);
            StepFor(world, 3);
            tdVec3 w = tdBody_GetAngularVelocity(world, body);
            double left = exp(-1.5);
            ENSURE_NEAR((double)w.x, 3 * left, 0.01);
            ENSURE_NEAR((double)w.y, 2 * left, 0.01);
            ENSURE_NEAR((double)w.z, left, 0.01);
            tdDestroyWorld(world);
        }
    }
}

// Unequal inertia, frames that are aligned with nothing, unequal dampers and speeds, on one to three axes.
TEST(DampersAndMotorsFollowTheEquations)
{
    static const double inertias[3][3] = {{1, 1, 1}, {0.2, 1, 1.1}, {0.05, 2, 2}};
    for (int n = 0; n < 3 * 3 * KIND_COUNT; ++n)
    {
        int axes = 1 + n % 3, which = n / 3 % 3, kind = n / 9;
        Pair pair = MakePair(1.5, -1, 0.5);
        memcpy(pair.b.inertia.v, inertias[which], sizeof(inertias[which]));
        double frame[4] = {0.36, -0.48, 0.0, 0.8};
        memcpy(pair.frame, frame, sizeof(frame));
        for (int i = 0; i < 3; ++i)
        {
            pair.laws[i].isDriven = i < axes;
            pair.laws[i].isAcceleration = n % 2 == 1;
            pair.laws[i].c = (i + 1) * (n % 2 == 1 ? 1.0 : 0.4);
            pair.laws[i].v = i == 1 ? 1.2 : -0.3;
        }
        ComparePair(pair, (Kind)kind, 1.5, 0.04, 0.06);
    }
}

// Strong drives on a rod, whose inertia couples the axes of the frame by a factor of 40.
TEST(StrongDrivesOnARodFollowTheEquations)
{
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        Pair pair = MakePair(2, 1, -1);
        pair.b.inertia = (Vec){{0.05, 2, 2}};
        double frame[4] = {0.36, -0.48, 0.0, 0.8};
        memcpy(pair.frame, frame, sizeof(frame));
        for (int i = 0; i < 3; ++i)
        {
            pair.laws[i].c = 20 * (i + 1);
            pair.laws[i].v = i == 2 ? 1 : 0;
        }
        ComparePair(pair, (Kind)kind, 1, 0.03, 0.03);
    }
}

// Position targets are components of the rotation vector; both bodies move.
TEST(PositionTargetsAreTheRotationVector)
{
    for (int n = 0; n < 2 * KIND_COUNT; ++n)
    {
        Pair pair = MakePair(0, 0, 0);
        pair.isFixedA = false;
        pair.a.inertia = (Vec){{2, 1.5, 1}};
        pair.b.inertia = (Vec){{0.5, 1, 0.8}};
        double frame[4] = {0, 0.6, 0, 0.8};
        memcpy(pair.frame, frame, sizeof(frame));
        static const double targets[3] = {0.9, -0.7, 0.5};
        for (int i = 0; i < 3; ++i)
        {
            pair.laws[i].isAcceleration = n % 2 == 1;
            pair.laws[i].k = 6 + i;
            pair.laws[i].c = 3;
            pair.laws[i].x = targets[i];
        }
        ComparePair(pair, (Kind)(n / 2), 0.7, 0.03, 0.06);
        ComparePair(pair, (Kind)(n / 2), 8, 0.03, 0.03);
    }
}

TEST(TheValuesOfDrivesAreTheRotationVector)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(1, 1, 1));
    static const double targets[3] = {1.4, -0.9, 1.1};
    tdJointDrive drives[3];
    for (int i = 0; i < 3; ++i)
    {
        drives[i] = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_ACCELERATION, (tdAxis)(1 << i));
        drives[i].stiffness = 40;
        drives[i].damping = 12;
        drives[i].positionTarget = (float)targets[i];
    }
    tdJointId joint = JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, NULL, 0, drives, 3);
    StepFor(world, 4);
    double length = sqrt(1.4 * 1.4 + 0.9 * 0.9 + 1.1 * 1.1);
    double expected[4] = {0, 0, 0, cos(length / 2)};
    for (int i = 0; i < 3; ++i)
    {
        expected[i] = targets[i] / length * sin(length / 2);
        ENSURE_NEAR((double)tdJoint_GetDriveValue(world, joint, i), targets[i], 0.005);
    }
    ENSURE_NEAR(AngleTo(tdBody_GetTransform(world, body).rotation, expected), 0, 0.005);
    tdDestroyWorld(world);
}

// maxForce bounds each axis on its own. On one axis the spin falls by maxForce / I per second.
TEST(MaximumForcesBoundEachAxis)
{
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        Pair pair = MakePair(4, 3, -2);
        pair.b.inertia = (Vec){{0.4, 1, 1.2}};
        double frame[4] = {0.36, -0.48, 0.0, 0.8};
        memcpy(pair.frame, frame, sizeof(frame));
        for (int i = 0; i < 3; ++i)
        {
            pair.laws[i].c = 8;
            pair.laws[i].most = 0.6 + 0.5 * i;
            pair.laws[i].isAcceleration = kind == KIND_POINT;
        }
        ComparePair(pair, (Kind)kind, 0.8, 0.06, 0.1);
        Pair one = MakePair(4, 0, 0);
        one.laws[1].isDriven = one.laws[2].isDriven = false;
        one.laws[0].c = 1000;
        one.laws[0].most = 2;
        ComparePair(one, (Kind)kind, 1, 0.02, 0.02);
    }
}

// Drives beside limits: a cone of 0.4 rad stops the drives, which push on.
TEST(DrivesStopAtLimits)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId body = AddMass(world, V(0, 0, 0), 1, V(0.3, 1, 0.8));
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0.4f)};
    tdJointDrive drives[3];
    for (int i = 0; i < 3; ++i)
    {
        drives[i] = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, (tdAxis)(1 << i));
        drives[i].stiffness = 20;
        drives[i].damping = 6;
        drives[i].positionTarget = i == 0 ? 0.0f : 0.6f;
    }
    tdJointId joint = JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 2, drives, 3);
    for (int i = 0; i < 240; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        ENSURE((double)tdJoint_GetLimitValue(world, joint, 1) < 0.41);
    }
    ENSURE_NEAR((double)tdJoint_GetLimitValue(world, joint, 1), 0.4, 0.01);
    ENSURE_NEAR((double)tdJoint_GetDriveValue(world, joint, 1), 0.4 / sqrt(2), 0.02);
    ENSURE_NEAR((double)tdJoint_GetDriveValue(world, joint, 2), 0.4 / sqrt(2), 0.02);
    ENSURE_NEAR(Length(tdBody_GetAngularVelocity(world, body)), 0, 0.01);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(ThreeEqualDampersKeepTheDirectionOfASpin) RUN(DampersAndMotorsFollowTheEquations)
              RUN(StrongDrivesOnARodFollowTheEquations) RUN(PositionTargetsAreTheRotationVector)
                  RUN(TheValuesOfDrivesAreTheRotationVector) RUN(MaximumForcesBoundEachAxis)
                      RUN(DrivesStopAtLimits))
