// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Short ways to join bodies, for the joint tests. Bodies have no shape unless a test needs one: mass and
// inertia are all a joint sees.
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

/// A joint whose frames coincide now: at a point and turned as given, in the world.
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

/// A rod of 1 m that is hinged at its end and falls from level, 3/2 g cos(angle), against a rigid stop that
/// takes all its speed.
typedef struct StoppedRod
{
    double angle, speed;
} StoppedRod;

/// After its first fall the rod swings about the vertical and comes back to the stop at no speed. With a stop
/// that gives way by `give` it arrives with the speed of that: w sqrt((A + give)^2 - A^2), which is lost, and
/// from then on is off by that divided by w. So far may an oracle be off.
static inline double OffAfterGive(double stop, double give)
{
    return sqrt(2 * (-stop - PI / 2) * give + give * give);
}

/// The rod one step of the world later, by steps so small that their error does not matter here (1e-4 rad).
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
