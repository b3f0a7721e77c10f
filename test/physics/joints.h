// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Helpers of the joint tests that connect bodies. Bodies have no shape unless a test needs one, because
// joints depend only on mass and inertia.
#pragma once

#include "bodies.h"

#include "math/vecmath.h"

#include "tendon/joint.h"

static const tdBodyId theWorld = {0, 0};

static inline tdBodyId AddMass(tdWorld* world, tdVec3 position, double mass, tdVec3 inertia)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = position;
    def.mass = (float)mass;
    def.inertiaDiagonal = inertia;
    return tdCreateBody(world, &def);
}

/// As heavy as a ball of that radius.
static inline tdBodyId AddBallMass(tdWorld* world, tdVec3 position, double mass, double radius)
{
    double i = 0.4 * mass * radius * radius;
    return AddMass(world, position, mass, V(i, i, i));
}

/// A joint whose frames coincide at creation, at a point and with a rotation given in world space.
static inline tdJointId JoinAt(tdWorld* world, tdBodyId a, tdBodyId b, tdVec3 point, tdQuat turn,
                               const tdJointLimit* limits, int limitCount, const tdJointDrive* drives,
                               int driveCount)
{
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = a;
    def.bodyB = b;
    def.frameA = def.frameB = (tdTransform){point, turn};
    if (a.index1 != 0)
    {
        def.frameA = tdInvMulTransform(tdBody_GetTransform(world, a), def.frameA);
    }
    if (b.index1 != 0)
    {
        def.frameB = tdInvMulTransform(tdBody_GetTransform(world, b), def.frameB);
    }
    def.limits = limits;
    def.limitCount = limitCount;
    def.drives = drives;
    def.driveCount = driveCount;
    return tdCreateJoint(world, &def);
}

/// Hinge about the z axis of the frames; -pi..pi: no stop.
static inline tdJointId JoinHinge(tdWorld* world, tdBodyId a, tdBodyId b, tdVec3 point, double low,
                                  double high)
{
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_Z, (float)low, (float)high)};
    return JoinAt(world, a, b, point, noTurn, limits, high < PI ? 3 : 2, NULL, 0);
}

static inline tdJointId JoinBall(tdWorld* world, tdBodyId a, tdBodyId b, tdVec3 point)
{
    tdJointLimit limit = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0);
    return JoinAt(world, a, b, point, noTurn, &limit, 1, NULL, 0);
}

static inline tdJointDrive MakeDrive(tdDriveType type, tdDriveMode mode, tdAxis axis)
{
    tdJointDrive drive = tdDefaultJointDrive();
    drive.type = type;
    drive.mode = mode;
    drive.axis = axis;
    return drive;
}

/// A rod of 1 m, hinged at its end, falls from horizontal with 3/2 g cos(angle) against a rigid stop that
/// takes all its speed.
typedef struct StoppedRod
{
    double angle, speed;
} StoppedRod;

/// After its first fall the rod swings about the vertical and returns to the stop at zero speed. With a stop
/// that yields by `give` it arrives at w sqrt((A + give)^2 - A^2), loses that speed, and its position then
/// differs by that speed divided by w. This is the tolerance of an oracle.
static inline double OffAfterGive(double stop, double give)
{
    return sqrt(2 * (-stop - PI / 2) * give + give * give);
}

/// Advances the rod by one world step, in steps so small that their error is negligible here (1e-4 rad).
static inline void AdvanceStoppedRod(StoppedRod* rod, double stop)
{
    enum
    {
        PARTS = 1000
    };
    for (int i = 0; i < PARTS; ++i)
    {
        rod->speed -= 1.5 * GRAVITY * cos(rod->angle) * (STEP / PARTS);
        rod->angle += rod->speed * (STEP / PARTS);
        if (rod->angle < stop)
        {
            rod->angle = stop;
            rod->speed = fmax(rod->speed, 0);
        }
    }
}
