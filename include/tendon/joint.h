// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// joint.h: joints of the rigid-body engine. A joint is a list of limits and drives between two frames: the
// shape the glTF extensions give it, and general enough to build every classical joint.
//
// Every measured value is "B seen from A": p = R_a^T (t_b - t_a), angles of q = conj(q_a) * q_b, and rates
// are those of B less those of A, in frame A.
#pragma once

#include "physics.h"

/// Axes as bits, so that one limit can hold several.
typedef enum tdAxis
{
    TD_AXIS_X = 1,
    TD_AXIS_Y = 2,
    TD_AXIS_Z = 4,
    TD_AXIS_ALL = 7,
} tdAxis;

/// Bounds one value between min and max. Which value, follows from the axes (one of the two sets is empty):
///
///  - linear, 1 axis: coordinate of p on it, signed
///  - linear, 2 axes: distance to the line of the third
///  - linear, 3 axes: distance of the two origins
///  - angular, 1 axis: twist about it, signed, (-pi, pi]
///  - angular, 2 axes: angle between the third axes (cone), 0 to pi
///  - angular, 3 axes: whole angle of q, 0 to pi
///
/// The unsigned values take min <= 0 as no lower bound; min > 0 is a forbidden core. min > max, which nothing
/// can follow, holds the value in the middle.
typedef struct tdJointLimit
{
    unsigned linearAxes, angularAxes; // bits of tdAxis
    float min, max;                   // m or rad; -INFINITY and INFINITY leave an end open
    float stiffness;                  // N/m or N m/rad outside the range; INFINITY (default): a hard limit
    float damping;                    // N s/m or N m s/rad outside the range; no meaning for a hard limit
} tdJointLimit;

typedef enum tdDriveType
{
    TD_DRIVE_LINEAR,
    TD_DRIVE_ANGULAR,
} tdDriveType;

typedef enum tdDriveMode
{
    TD_DRIVE_FORCE,        // stiffness and damping act as forces
    TD_DRIVE_ACCELERATION, // they are scaled by the effective mass
} tdDriveMode;

/// Force = stiffness * (positionTarget - x) + damping * (velocityTarget - v), clamped to maxForce.
/// An angular x counts whole turns: a target of 10 pi is five turns away.
typedef struct tdJointDrive
{
    tdDriveType type;
    tdDriveMode mode;
    tdAxis axis;          // one of X, Y, Z of frame A
    float positionTarget; // m or rad
    float velocityTarget; // m/s or rad/s
    float stiffness, damping;
    float maxForce; // N or N m, default INFINITY
} tdJointDrive;

typedef struct tdJointDef
{
    tdBodyId bodyA, bodyB;      // a null id is the fixed world
    tdTransform frameA, frameB; // in their bodies, relative to the origin, not the centre of mass
    const tdJointLimit* limits; // copied
    int limitCount;
    const tdJointDrive* drives; // copied
    int driveCount;
    bool enableCollision;          // between the two bodies, default false
    float breakForce, breakTorque; // N, N m; default INFINITY: never
    uint64_t userData;
} tdJointDef;

/// A hard limit on some axes. min == max == 0 locks them.
TD_API tdJointLimit tdMakeLinearLimit(unsigned axes, float min, float max);
TD_API tdJointLimit tdMakeAngularLimit(unsigned axes, float min, float max);
TD_API tdJointDrive tdDefaultJointDrive(void);
TD_API tdJointDef tdDefaultJointDef(void);

/// At least one of the two bodies must be given. Frames may start apart: hard limits pull them together.
/// @return the null id when memory ran out
TD_API tdJointId tdCreateJoint(tdWorld* world, const tdJointDef* def);
/// Destroying a body destroys its joints too.
TD_API void tdDestroyJoint(tdWorld* world, tdJointId joint);
TD_API bool tdJoint_IsValid(const tdWorld* world, tdJointId joint);

TD_API tdBodyId tdJoint_GetBodyA(const tdWorld* world, tdJointId joint);
TD_API tdBodyId tdJoint_GetBodyB(const tdWorld* world, tdJointId joint);
TD_API tdTransform tdJoint_GetFrameA(const tdWorld* world, tdJointId joint);
TD_API tdTransform tdJoint_GetFrameB(const tdWorld* world, tdJointId joint);
TD_API uint64_t tdJoint_GetUserData(const tdWorld* world, tdJointId joint);
TD_API bool tdJoint_GetEnableCollision(const tdWorld* world, tdJointId joint);
TD_API void tdJoint_SetEnableCollision(tdWorld* world, tdJointId joint, bool enableCollision);

/// Every field may change while running, the axes included; both bodies wake up.
TD_API int tdJoint_GetLimitCount(const tdWorld* world, tdJointId joint);
TD_API tdJointLimit tdJoint_GetLimit(const tdWorld* world, tdJointId joint, int limit);
TD_API void tdJoint_SetLimit(tdWorld* world, tdJointId joint, int limit, tdJointLimit value);
TD_API int tdJoint_GetDriveCount(const tdWorld* world, tdJointId joint);
TD_API tdJointDrive tdJoint_GetDrive(const tdWorld* world, tdJointId joint, int drive);
TD_API void tdJoint_SetDrive(tdWorld* world, tdJointId joint, int drive, tdJointDrive value);

/// Current value of a limit's metric, m or rad.
TD_API float tdJoint_GetLimitValue(const tdWorld* world, tdJointId joint, int limit);
/// Current value of a drive's axis, m or rad, whole turns counted.
TD_API float tdJoint_GetDriveValue(const tdWorld* world, tdJointId joint, int drive);

/// Mean over the last step of what the joint did to body B, in world space; body A got the opposite.
/// Force in N for linear limits and drives, torque in N m for angular ones.
TD_API tdVec3 tdJoint_GetLimitReaction(const tdWorld* world, tdJointId joint, int limit);
TD_API tdVec3 tdJoint_GetDriveReaction(const tdWorld* world, tdJointId joint, int drive);
/// All of the joint: force at the origin of frame B, and torque about it.
TD_API tdVec3 tdJoint_GetForce(const tdWorld* world, tdJointId joint);
TD_API tdVec3 tdJoint_GetTorque(const tdWorld* world, tdJointId joint);

/// A joint whose force or torque exceeded its bound in a step stops acting; it stays until destroyed.
TD_API void tdJoint_SetBreakLimits(tdWorld* world, tdJointId joint, float breakForce, float breakTorque);
TD_API bool tdJoint_IsBroken(const tdWorld* world, tdJointId joint);

typedef struct tdJointBreakEvent
{
    tdJointId joint;
    tdVec3 force, torque; // what it carried in the step that broke it
} tdJointBreakEvent;

/// Joints that broke in the last step, in the order of their creation slots. Valid until the next step.
TD_API const tdJointBreakEvent* tdWorld_GetJointBreakEvents(const tdWorld* world, int* count);

/// What a set of limits amounts to. Axes are those of frame A.
typedef enum tdJointType
{
    TD_JOINT_FREE,        // nothing is limited
    TD_JOINT_FIXED,       // everything is locked
    TD_JOINT_BALL,        // the origins coincide, turning is free (pin)
    TD_JOINT_HINGE,       // turns about one axis only
    TD_JOINT_SLIDER,      // slides along one axis only, or between stops with a turn about it between stops
    TD_JOINT_CYLINDRICAL, // slides along and turns about one axis, at least one of them without stops
    TD_JOINT_UNIVERSAL,   // the origins coincide, turning about one axis (given) is locked
    TD_JOINT_DISTANCE,    // the distance of the origins is bounded: rod (min = max), rope (min = 0)
    TD_JOINT_PLANAR,      // slides in a plane, turns about its normal (the axis) or not at all
    TD_JOINT_GENERIC,     // anything else
} tdJointType;

typedef struct tdJointClass
{
    tdJointType type;
    int axis;                     // 0, 1, 2 where the type has one, else -1
    float linearMin, linearMax;   // range of the slide along it or of the distance; open ends infinite
    float angularMin, angularMax; // range of the turn about it
    unsigned lockedLinear;        // bits of tdAxis
    unsigned lockedAngular;
    unsigned limitedLinear; // bounded, not locked
    unsigned limitedAngular;
    bool isSoft; // some limit has a finite stiffness
} tdJointClass;

/// Ranges of a free motion are (-INFINITY, INFINITY).
TD_API tdJointClass tdClassifyJoint(const tdJointLimit* limits, int limitCount);
/// "fixed", "ball", "hinge", ...: a word for people.
TD_API const char* tdJointType_GetName(tdJointType type);
