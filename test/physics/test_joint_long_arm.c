// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joints far from the centre of mass of a body with little inertia: m r^2 / I from 1 to 1e8. Torques
// of drives, stops and locks balance the forces at the joint up to one part in this ratio. References are
// closed forms of a point mass.
#include "harness.h"
#include "joints.h"

static const double radii[] = {0.5, 0.1, 0.05, 0.01, 0.001};
enum
{
    RADIUS_COUNT = 5
};

#define ARM 5.0 // m

/// A load of a gram makes a joint part of a larger component.
static void AddLoad(tdWorld* world, tdBodyId body, tdVec3 place)
{
    tdBodyId load =
        AddBallMass(world, V((double)place.x, (double)place.y - 0.5, (double)place.z), 1.0e-3, 0.05);
    JoinBall(world, body, load, place);
}

static double AngleOf(const tdWorld* world, tdBodyId body)
{
    tdVec3 p = Position(world, body);
    return atan2(-(double)p.z, (double)p.x);
}

// A motor turns a ball at the end of an arm: v(t) = v (1 - exp(-c t)) in both modes, at any size of the ball.
TEST(MotorsTurnSmallBodiesOnLongArms)
{
    for (int n = 0; n < RADIUS_COUNT * 2 * 2 * 2; ++n)
    {
        double radius = radii[n % RADIUS_COUNT], mass = 3, damping = 20, target = 0.5;
        bool isForce = (n / RADIUS_COUNT & 1) != 0, hasLoad = (n / RADIUS_COUNT & 2) != 0;
        bool isPaired = (n / RADIUS_COUNT & 4) != 0;
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        tdBodyId body = AddBallMass(world, V(ARM, 0, 0), mass, radius);
        tdJointDrive drive =
            MakeDrive(TD_DRIVE_ANGULAR, isForce ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION, TD_AXIS_Y);
        drive.velocityTarget = (float)target;
        drive.damping = (float)(damping * (isForce ? mass * (ARM * ARM + 0.4 * radius * radius) : 1));
        tdJointLimit limits[3] = {
            tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
            tdMakeAngularLimit(isPaired ? TD_AXIS_X | TD_AXIS_Z : TD_AXIS_X, 0, 0),
            tdMakeAngularLimit(TD_AXIS_Z, 0, 0),
        };
        JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, isPaired ? 2 : 3, &drive, 1);
        if (hasLoad)
        {
            AddLoad(world, body, V(ARM, 0, 0));
        }
        StepFor(world, 4);
        double expected = target * (4 - (1 - exp(-4 * damping)) / damping);
        bool isClose = ENSURE_NEAR(AngleOf(world, body), expected, 0.01);
        isClose = ENSURE_NEAR((double)Position(world, body).y, 0, 0.005) && isClose;
        if (!isClose)
        {
            printf("    radius %g, force %d, load %d, pair %d\n", radius, isForce, hasLoad, isPaired);
        }
        tdDestroyWorld(world);
    }
}

// A hinge holds a ball beside its axis against gravity and lets it turn; its stop holds at any size.
TEST(HingesHoldSmallBodiesOnLongArms)
{
    for (int n = 0; n < RADIUS_COUNT; ++n)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        tdBodyId body = AddBallMass(world, V(ARM, 0, 0), 1, radii[n]);
        tdBody_SetLinearVelocity(world, body, V(0, 0, -0.5 * ARM));
        tdBody_SetAngularVelocity(world, body, V(0, 0.5, 0));
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Y, -1, 1)};
        JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 3, NULL, 0);
        StepFor(world, 1.5);
        bool isClose = ENSURE_NEAR(AngleOf(world, body), 0.75, 0.005);
        StepFor(world, 2.5);
        isClose = ENSURE_NEAR(AngleOf(world, body), 1, 0.005) && isClose;
        isClose = ENSURE_NEAR((double)Position(world, body).y, 0, 0.005) && isClose;
        if (!isClose)
        {
            printf("    radius %g\n", radii[n]);
        }
        tdDestroyWorld(world);
    }
}

/// A slider with locked rotation: its rail passes the centre of mass at `offset`.
static double DriveSlider(tdVec3 offset, double mass, double inertia, int locks, bool isForce, bool hasLoad)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId body = AddMass(world, V(0, 0, 0), mass, V(inertia, inertia, inertia));
    tdJointDrive drive =
        MakeDrive(TD_DRIVE_LINEAR, isForce ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION, TD_AXIS_X);
    double scale = isForce ? mass : 1;
    drive.positionTarget = 2;
    drive.stiffness = (float)(60 * scale);
    drive.damping = (float)(16 * scale);
    tdJointLimit limits[5] = {tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0)};
    int count = 1;
    for (int i = 0; locks == 0 && i < 3; ++i)
    {
        limits[count++] = tdMakeAngularLimit(1u << i, 0, 0);
    }
    if (locks == 1)
    {
        limits[count++] = tdMakeAngularLimit(TD_AXIS_ALL, 0, 0);
    }
    else if (locks == 2)
    {
        limits[count++] = tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_Z, 0, 0);
    }
    JoinAt(world, theWorld, body, offset, noTurn, limits, count, &drive, 1);
    if (hasLoad)
    {
        AddLoad(world, body, V(0, 0, 0));
    }
    StepFor(world, 3);
    tdVec3 p = Position(world, body);
    ENSURE_NEAR(Length(V(0, (double)p.y, (double)p.z)), 0, 0.003);
    tdDestroyWorld(world);
    return (double)p.x;
}

// A centre of mass that is off the rail by rounding, and rails far from a centre of mass with little inertia.
TEST(SlidersMoveWhereverTheCentreOfMassIs)
{
    static const double offsets[] = {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 0.3, 1, 5};
    for (int n = 0; n < 9 * 3 * 3 * 2 * 2; ++n)
    {
        double offset = offsets[n % 9], inertia = pow(10, -2 * (n / 9 % 3));
        int locks = n / 27 % 3;
        bool isForce = (n / 81 & 1) != 0, hasLoad = (n / 162 & 1) != 0;
        double x = DriveSlider(V(0, offset, -0.7 * offset), 10, inertia, locks, isForce, hasLoad);
        if (!ENSURE_NEAR(x, 2, 0.01))
        {
            printf("    offset %g, inertia %g, locks %d, force %d, load %d\n", offset, inertia, locks,
                   isForce, hasLoad);
        }
    }
    ENSURE_NEAR(DriveSlider(V(0, 1, 0), 1000, 1.0e-3, 1, true, false), 2, 0.01);
}

/// A body whose computed centre of mass is off its node by rounding moves along a rail through the node.
static double DriveShape(int kind, double offset)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.mass = 1;
    tdBodyId body = tdCreateBody(world, &def);
    tdShapeDef shape = tdDefaultShapeDef();
    shape.local.position = V(offset, -offset, 0.5 * offset);
    if (kind == 0)
    {
        tdCreateBox(world, body, &shape, V(0.3, 0.2, 0.4));
    }
    else if (kind == 1)
    {
        tdCreateCylinder(world, body, &shape, 0.4f, 0.2f, 0.2f);
    }
    else
    {
        tdCreateCapsule(world, body, &shape, 0.4f, 0.2f, 0.1f);
    }
    tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_ACCELERATION, TD_AXIS_X);
    drive.positionTarget = 2;
    drive.stiffness = 60;
    drive.damping = 16;
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_ALL, 0, 0)};
    JoinAt(world, theWorld, body, V(0, 0, 0), noTurn, limits, 2, &drive, 1);
    StepFor(world, 3);
    double x = (double)Position(world, body).x;
    tdDestroyWorld(world);
    return x;
}

TEST(SlidersMoveShapesOffCentreByRounding)
{
    static const double offsets[] = {0, 1e-9, 1e-8, 1e-7, 1e-6};
    for (int kind = 0; kind < 3; ++kind)
    {
        for (int i = 0; i < 5; ++i)
        {
            ENSURE_NEAR(DriveShape(kind, offsets[i]), 2, 0.01);
        }
    }
}

TEST_MAIN(RUN(MotorsTurnSmallBodiesOnLongArms) RUN(HingesHoldSmallBodiesOnLongArms)
              RUN(SlidersMoveWhereverTheCentreOfMassIs) RUN(SlidersMoveShapesOffCentreByRounding))
