// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// joint.h: joints of the rigid-body engine. A joint is a list of limits and drives between two frames. This
// is the form of the glTF extensions, and general enough for every classical joint.
//
// Every measured value is of frame B relative to frame A: p = R_a^T (t_b - t_a), angles of
// q = conj(q_a) * q_b. Rates are those of B minus those of A, in frame A.
#pragma once

#include "physics.h"

/// Axes of a frame as bits, so that one limit can bound several.
typedef enum tdAxis
{
    TD_AXIS_X = 1,
    TD_AXIS_Y = 2,
    TD_AXIS_Z = 4,
    TD_AXIS_ALL = 7,
} tdAxis;

/// Bounds one value between min and max. The axes select the value; one of the two sets is empty:
///
///  - linear, 1 axis: coordinate of p on the axis, signed
///  - linear, 2 axes: distance to the line of the third axis
///  - linear, 3 axes: distance of the two origins
///  - angular, 1 axis: twist about the axis, signed. A hinge counts full turns from the start, as do limits
///    with a bound beyond half a turn or without one; other twists are in (-pi, pi]
///  - angular, 2 axes: angle between the third axes (cone), 0 to pi
///  - angular, 3 axes: total angle of q, 0 to pi
///
/// Unsigned values treat min <= 0 as no lower bound; min > 0 excludes a core. If min > max, the value is held
/// in the middle.
typedef struct tdJointLimit
{
    unsigned linearAxes, angularAxes; // bits of tdAxis
    float min, max;                   // m or rad; -INFINITY and INFINITY leave an end open
    float stiffness;                  // N/m or N m/rad outside the range; default INFINITY: a hard limit
    float damping;                    // N s/m or N m s/rad outside the range; ignored by hard limits
} tdJointLimit;

/// Kind of motion that a drive acts on.
typedef enum tdDriveType
{
    TD_DRIVE_LINEAR,
    TD_DRIVE_ANGULAR,
} tdDriveType;

/// Unit of a drive's stiffness and damping.
typedef enum tdDriveMode
{
    TD_DRIVE_FORCE,        // N/m, N s/m, or N m/rad, N m s/rad
    TD_DRIVE_ACCELERATION, // 1/s^2, 1/s: scaled by the effective mass
} tdDriveMode;

/// A motor or spring along one axis: force = stiffness * (positionTarget - x) + damping * (velocityTarget -
/// v), clamped to maxForce. Angular: v is the angular velocity of B relative to A about an axis of frame A. x
/// counts full turns (a target of 10 pi is five turns away), or, with drives on several angular axes, is a
/// component of the rotation vector, at most pi long. Start from tdDefaultJointDrive.
typedef struct tdJointDrive
{
    tdDriveType type;         // default TD_DRIVE_LINEAR
    tdDriveMode mode;         // default TD_DRIVE_FORCE
    tdAxis axis;              // one axis of frame A, default TD_AXIS_X
    float positionTarget;     // m or rad, default 0
    float velocityTarget;     // m/s or rad/s, default 0
    float stiffness, damping; // unit by `mode`, default 0
    float maxForce;           // N or N m, default INFINITY
} tdJointDrive;

/// Largest number of limits of a joint preset.
#define TD_MAX_PRESET_LIMITS 3

/// Settings of a joint. Start from tdDefaultJointDef or from a preset such as tdMakeHingeJointDef.
typedef struct tdJointDef
{
    tdBodyId bodyA, bodyB;      // default null: the fixed world; at least one must be given
    tdTransform frameA, frameB; // in their bodies, relative to the body's origin; default identity
    tdJointLimit presetLimits[TD_MAX_PRESET_LIMITS]; // filled by the presets; the joint's first limits
    int presetLimitCount;                            // default 0
    const tdJointLimit* limits;                      // further limits, copied by tdCreateJoint; default NULL
    int limitCount;
    const tdJointDrive* drives; // copied by tdCreateJoint; default NULL
    int driveCount;
    bool enableCollision;          // between the two bodies, default false
    float breakForce, breakTorque; // N, N m; default INFINITY: never
    uint64_t userData;             // default 0
    uint32_t cookie;               // internal: set by tdDefaultJointDef
} tdJointDef;

/// A hard limit on linear axes. min == max == 0 locks them.
/// @param axes bits of tdAxis
/// @param min, max m
TD_API tdJointLimit tdMakeLinearLimit(unsigned axes, float min, float max);

/// A hard limit on angular axes. min == max == 0 locks them.
/// @param axes bits of tdAxis
/// @param min, max rad
TD_API tdJointLimit tdMakeAngularLimit(unsigned axes, float min, float max);

/// Default settings of a drive: it does nothing until it gets stiffness or damping.
TD_API tdJointDrive tdDefaultJointDrive(void);

/// Default settings of a joint: no limits, no drives. Does not allocate.
TD_API tdJointDef tdDefaultJointDef(void);

// Presets: defs of the classical joints, made of limits. Both frames have their origin at the anchor and the
// same orientation, so every value starts at 0 in the bodies' current pose. Their X axis is the joint's axis.
// A null body is the fixed world. Anchors and axes are in world space; an axis need not be a unit vector, but
// must not be zero. Nothing here allocates. Fields of the def, drives for example, may be changed before
// tdCreateJoint.

/// Hold body B fixed relative to body A.
/// @param anchor m, world space: where tdJoint_GetForce acts
TD_API tdJointDef tdMakeFixedJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor);

/// Let body B rotate about one axis through the anchor. Limits: position, axis, and the angle (the third,
/// only if one of the bounds is finite).
/// @param minAngle, maxAngle rad, of the rotation of B relative to A about `axis`, within -pi to pi;
///        -INFINITY and INFINITY: unbounded
TD_API tdJointDef tdMakeHingeJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                      tdVec3 axis, float minAngle, float maxAngle);

/// Let body B slide along one axis through the anchor, without rotation. Limits: line, rotation, and the
/// travel (the third, only if one of the bounds is finite).
/// @param minTravel, maxTravel m, of B relative to A along `axis`; -INFINITY and INFINITY: unbounded
TD_API tdJointDef tdMakeSliderJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                       tdVec3 axis, float minTravel, float maxTravel);

/// Let body B rotate freely about the anchor. Limit: position.
TD_API tdJointDef tdMakeBallJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor);

/// Let body B rotate about the anchor within a cone, with a limited twist: a shoulder or a hip. Limits:
/// position, cone, and twist.
/// @param axis of the cone and the twist
/// @param coneAngle rad, 0 to pi: largest angle between the axes of A and B
/// @param minTwist, maxTwist rad, of the rotation of B relative to A about `axis`, within -pi to pi
TD_API tdJointDef tdMakeConeTwistJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                          tdVec3 axis, float coneAngle, float minTwist, float maxTwist);

/// Keep the distance of a point of body A and a point of body B in a range: a rod if both ends are equal, a
/// rope if minDistance is 0. The frames are at their own anchors. Limit: distance.
/// @param anchorA, anchorB m, world space
/// @param minDistance, maxDistance m, >= 0; INFINITY: unbounded
TD_API tdJointDef tdMakeDistanceJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchorA,
                                         tdVec3 anchorB, float minDistance, float maxDistance);

/// Create a joint. The world owns it; both bodies wake. The frames may start apart: hard limits pull them
/// together. May allocate.
/// @return the null id if memory ran out or a number is invalid
TD_API tdJointId tdCreateJoint(tdWorld* world, const tdJointDef* def);

/// Destroy a joint. Its id becomes invalid, and both bodies wake. Destroying a body destroys its joints too.
TD_API void tdDestroyJoint(tdWorld* world, tdJointId joint);

/// Whether an id names a living joint. Accepts any id, null and stale ones included.
TD_API bool tdJoint_IsValid(const tdWorld* world, tdJointId joint);

/// First body; the null id for the fixed world.
TD_API tdBodyId tdJoint_GetBodyA(const tdWorld* world, tdJointId joint);

/// Second body; the null id for the fixed world.
TD_API tdBodyId tdJoint_GetBodyB(const tdWorld* world, tdJointId joint);

/// Frame A, relative to the origin of body A.
TD_API tdTransform tdJoint_GetFrameA(const tdWorld* world, tdJointId joint);

/// Frame B, relative to the origin of body B.
TD_API tdTransform tdJoint_GetFrameB(const tdWorld* world, tdJointId joint);

/// Value that the application attached to the joint.
TD_API uint64_t tdJoint_GetUserData(const tdWorld* world, tdJointId joint);

/// Attach a value of the application to the joint.
TD_API void tdJoint_SetUserData(tdWorld* world, tdJointId joint, uint64_t userData);

/// Whether the two bodies collide with each other.
TD_API bool tdJoint_GetEnableCollision(const tdWorld* world, tdJointId joint);

/// Permit or forbid collision between the two bodies. Wakes both. Forbidding may allocate; if memory runs
/// out, tdWorld_GetStatus says so and the bodies still collide.
TD_API void tdJoint_SetEnableCollision(tdWorld* world, tdJointId joint, bool enableCollision);

/// Number of limits, those of the preset included.
TD_API int tdJoint_GetLimitCount(const tdWorld* world, tdJointId joint);

/// A limit.
/// @param limit index, must be in range
TD_API tdJointLimit tdJoint_GetLimit(const tdWorld* world, tdJointId joint, int limit);

/// Replace a limit; every field may change, the axes included. Wakes both bodies.
/// @param limit index, must be in range
TD_API void tdJoint_SetLimit(tdWorld* world, tdJointId joint, int limit, tdJointLimit value);

/// Number of drives.
TD_API int tdJoint_GetDriveCount(const tdWorld* world, tdJointId joint);

/// A drive.
/// @param drive index, must be in range
TD_API tdJointDrive tdJoint_GetDrive(const tdWorld* world, tdJointId joint, int drive);

/// Replace a drive; every field may change, the axis included. Wakes both bodies.
/// @param drive index, must be in range
TD_API void tdJoint_SetDrive(tdWorld* world, tdJointId joint, int drive, tdJointDrive value);

/// Current value that a limit bounds, m or rad.
/// @param limit index, must be in range
TD_API float tdJoint_GetLimitValue(const tdWorld* world, tdJointId joint, int limit);

/// Current value on a drive's axis, m or rad: a coordinate, a twist with full turns, or a component of the
/// rotation vector.
/// @param drive index, must be in range
TD_API float tdJoint_GetDriveValue(const tdWorld* world, tdJointId joint, int drive);

/// Mean reaction of a limit on body B over the last step, world space: N for linear limits, N m for angular
/// ones. Body A receives the opposite.
/// @param limit index, must be in range
TD_API tdVec3 tdJoint_GetLimitReaction(const tdWorld* world, tdJointId joint, int limit);

/// Mean reaction of a drive on body B over the last step, world space: N for linear drives, N m for angular
/// ones. Body A receives the opposite.
/// @param drive index, must be in range
TD_API tdVec3 tdJoint_GetDriveReaction(const tdWorld* world, tdJointId joint, int drive);

/// Mean force of the whole joint on body B over the last step, N, world space. It acts at the origin of
/// frame B.
TD_API tdVec3 tdJoint_GetForce(const tdWorld* world, tdJointId joint);

/// Mean torque of the whole joint on body B over the last step, about the origin of frame B, N m, world
/// space.
TD_API tdVec3 tdJoint_GetTorque(const tdWorld* world, tdJointId joint);

/// Set the force (N) and torque (N m) that break the joint; INFINITY: never. A joint that exceeds one of them
/// in a step stops acting and reports a tdJointBreakEvent. It exists until it is destroyed.
TD_API void tdJoint_SetBreakLimits(tdWorld* world, tdJointId joint, float breakForce, float breakTorque);

/// Force that breaks the joint, N; INFINITY: never.
TD_API float tdJoint_GetBreakForce(const tdWorld* world, tdJointId joint);

/// Torque that breaks the joint, N m; INFINITY: never.
TD_API float tdJoint_GetBreakTorque(const tdWorld* world, tdJointId joint);

/// Whether the joint has broken and no longer acts.
TD_API bool tdJoint_IsBroken(const tdWorld* world, tdJointId joint);

/// A joint broke.
typedef struct tdJointBreakEvent
{
    tdJointId joint;
    tdVec3 force, torque; // N, N m: load of the step that broke it
} tdJointBreakEvent;

/// Joints that broke in the last step, in ascending order of their ids' index.
/// @param count receives the length of the array
/// @return an array of the world's, valid until the next step
TD_API const tdJointBreakEvent* tdWorld_GetJointBreakEvents(const tdWorld* world, int* count);

/// Classical joint that a set of limits is equivalent to. Axes are those of frame A.
typedef enum tdJointType
{
    TD_JOINT_FREE,        // nothing is limited
    TD_JOINT_FIXED,       // everything is locked
    TD_JOINT_BALL,        // the origins coincide, rotation is free or limited
    TD_JOINT_HINGE,       // rotates about one axis only
    TD_JOINT_SLIDER,      // slides along one axis only, or along and about it with both ranges bounded
    TD_JOINT_CYLINDRICAL, // slides along and rotates about one axis, at least one of them unbounded
    TD_JOINT_UNIVERSAL,   // the origins coincide, rotation about one axis (the given one) is locked
    TD_JOINT_DISTANCE,    // the distance of the origins is bounded: rod (min = max), rope (min = 0)
    TD_JOINT_PLANAR,      // slides in a plane; rotates about its normal (the axis) or not at all
    TD_JOINT_GENERIC,     // any other set
} tdJointType;

/// Description of a set of limits as a classical joint.
typedef struct tdJointClass
{
    tdJointType type;
    int axis;                     // 0, 1, 2 where the type has one, else -1
    float linearMin, linearMax;   // m, range along the axis or of the distance; infinite where unbounded
    float angularMin, angularMax; // rad, range about the axis; infinite where unbounded
    unsigned lockedLinear;        // bits of tdAxis
    unsigned lockedAngular;
    unsigned limitedLinear; // bounded, not locked
    unsigned limitedAngular;
    bool isSoft; // some limit has a finite stiffness
} tdJointClass;

/// Find the classical joint that a set of limits is equivalent to. Does not allocate.
/// @param limits may be NULL if `limitCount` is 0
TD_API tdJointClass tdClassifyJoint(const tdJointLimit* limits, int limitCount);

/// Name of a joint type: "fixed", "ball", "hinge", ...; "unknown" out of range. A static string.
TD_API const char* tdJointType_GetName(tdJointType type);
