// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// spring.h: spring bones of VRM: VRMC_springBone with VRMC_springBone_extended_collider and
// VRMC_springBone_limit, and secondaryAnimation of VRM 0.x. Descriptions follow the rules of describe.h,
// functions of actors those of stage.h. tdActorDef has the switches of an actor's springs.
#pragma once

#include "stage.h"

/// Shape of a spring collider.
typedef enum tdSpringShape
{
    TD_SPRING_SPHERE,
    TD_SPRING_CAPSULE,
    TD_SPRING_PLANE,
    TD_SPRING_INSIDE_SPHERE,  // keeps joints inside
    TD_SPRING_INSIDE_CAPSULE, // likewise
} tdSpringShape;

/// Name of a shape: "sphere", "capsule", "plane", "inside sphere" or "inside capsule".
TD_API const char* tdSpringShape_GetName(tdSpringShape shape);

/// A spring collider. Vectors are in the frame of its node; the node's scale does not change the radius.
typedef struct tdSpringColliderInfo
{
    int node;
    tdSpringShape shape;
    tdVec3 offset; // of the centre, of the first end of a capsule, or of a point of a plane
    tdVec3 tail;   // second end of a capsule
    tdVec3 normal; // of a plane, unit
    float radius;  // m; 0 for a plane
} tdSpringColliderInfo;

/// A group of spring colliders. VRM 0.x: the colliders of one node.
typedef struct tdSpringColliderGroupInfo
{
    const char* name;
    const int* colliders; // indices as in tdDescribeSpringCollider
    int colliderCount;
} tdSpringColliderGroupInfo;

/// A spring: a chain of joints, or a bone group of VRM 0.x, which may branch.
typedef struct tdSpringInfo
{
    const char* name;
    int firstJoint, jointCount; // its joints, as in tdDescribeSpringJoint
    int center;                 // node whose motion causes no inertia; -1: none
    const int* colliderGroups;  // indices as in tdDescribeSpringColliderGroup
    int colliderGroupCount;
} tdSpringInfo;

/// Parameters of a spring joint.
typedef struct tdSpringParameters
{
    float hitRadius;    // m, >= 0
    float stiffness;    // >= 0; displacement towards rest, m/s
    float gravityPower; // >= 0; displacement along gravityDir, m/s
    tdVec3 gravityDir;  // world space, need not be unit
    float dragForce;    // 0 to 1: the part of the motion that is lost in each step
} tdSpringParameters;

/// Kind of a limit of a spring joint (VRMC_springBone_limit, a draft).
typedef enum tdSpringLimitKind
{
    TD_SPRING_LIMIT_NONE,
    TD_SPRING_LIMIT_CONE,      // angles[0]: from the axis
    TD_SPRING_LIMIT_HINGE,     // angles[0]: from the axis, in the YZ plane
    TD_SPRING_LIMIT_SPHERICAL, // angles: pitch, yaw
} tdSpringLimitKind;

/// Name of a kind of limit: "cone", "hinge" or "spherical"; "" for none.
TD_API const char* tdSpringLimitKind_GetName(tdSpringLimitKind kind);

/// Limit of a spring joint. Its Y axis is the direction of the tail at rest.
typedef struct tdSpringLimit
{
    tdSpringLimitKind kind;
    float angles[2]; // rad
    tdQuat rotation; // of the limit's frame, from its default
} tdSpringLimit;

/// A joint that turns, with its tail.
typedef struct tdSpringJointInfo
{
    int spring;
    int node;     // that turns
    int tailNode; // -1: a virtual tail (VRM 0.x)
    tdVec3 tail;  // rest position of the tail in the frame of the node
    bool isInert; // the tail is at the node's origin; the joint keeps its rest rotation
    tdSpringParameters parameters;
    tdSpringLimit limit;
} tdSpringJointInfo;

/// Number of springs of a file.
TD_API int tdAsset_GetSpringCount(const tdAsset* asset);
/// Number of spring joints of a file: nodes that springs turn.
TD_API int tdAsset_GetSpringJointCount(const tdAsset* asset);
/// Number of spring colliders of a file.
TD_API int tdAsset_GetSpringColliderCount(const tdAsset* asset);
/// Number of groups of spring colliders of a file.
TD_API int tdAsset_GetSpringColliderGroupCount(const tdAsset* asset);

/// Describe a spring, 0 to tdAsset_GetSpringCount - 1.
TD_API tdSpringInfo tdDescribeSpring(const tdAsset* asset, int spring);
/// Describe a spring joint, 0 to tdAsset_GetSpringJointCount - 1, those of a spring side by side.
TD_API tdSpringJointInfo tdDescribeSpringJoint(const tdAsset* asset, int joint);
/// Describe a spring collider, 0 to tdAsset_GetSpringColliderCount - 1.
TD_API tdSpringColliderInfo tdDescribeSpringCollider(const tdAsset* asset, int collider);
/// Describe a group of spring colliders, 0 to tdAsset_GetSpringColliderGroupCount - 1.
TD_API tdSpringColliderGroupInfo tdDescribeSpringColliderGroup(const tdAsset* asset, int group);

// Springs of an actor

/// Enable or disable the springs of an actor. Disabled joints follow clips and the rest pose. Enabled springs
/// start at rest, as after tdActor_ResetSprings.
TD_API void tdActor_EnableSprings(tdActor* actor, bool enable);

/// Whether springs are enabled.
TD_API bool tdActor_AreSpringsEnabled(const tdActor* actor);

/// Let the springs start at rest with the next step: joints hang as modelled, without motion. Call it after a
/// change that is no motion, such as a jump of the placement. Creating an actor, enabling its springs, a jump
/// of a clip by tdActor_SetPlay and tdActor_Teleport do it themselves.
TD_API void tdActor_ResetSprings(tdActor* actor);

/// Set the placement as tdActor_SetPlacement does, and let the springs start at rest there.
TD_API void tdActor_Teleport(tdActor* actor, tdTransform placement);

/// Position of the tail of a spring joint in the current pose, m, world space.
TD_API tdVec3 tdActor_GetSpringTail(const tdActor* actor, int joint);

/// Parameters of a spring joint: those of the file until they are set.
TD_API tdSpringParameters tdActor_GetSpringParameters(const tdActor* actor, int joint);

/// Set the parameters of a spring joint from the next step on. They are clamped to their ranges; a call with
/// a value that is not finite is refused (see stage.h). The first call allocates; if memory runs out, the
/// next tdStage_Step returns false.
/// @param parameters NULL: those of the file
TD_API void tdActor_SetSpringParameters(tdActor* actor, int joint, const tdSpringParameters* parameters);

/// Advance all actors by one frame of any length, for hosts that need springs to behave as in programs that
/// advance them once per frame, such as three-vrm. Clips and constraints are evaluated at the new time,
/// physics takes the fixed steps that reach it and is interpolated, and springs take one step of exactly
/// `seconds`. The motion of springs then depends on the frame rate; tdStage_Step and tdStage_Evaluate give a
/// motion that does not. The time of the first call counts from tdStage_GetTime. May allocate.
/// @param seconds length of the frame; 0 or less: nothing changes
/// @return false if memory ran out or `seconds` is not finite (see stage.h); the stage keeps its state, and
///         the step may be retried
TD_API bool tdStage_StepVariable(tdStage* stage, double seconds);
