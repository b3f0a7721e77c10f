// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The springs of one pose: where the tails are and how far the joints have turned. The state is plain arrays
// in the order of the plan, ready to be copied or saved. See docs/decisions/034.
#pragma once

#include "spring_plan.h"

#include "pose/node_pose.h"

/// Tails of the joints of a group in the space of their centers.
typedef struct tdSpringTails
{
    tdSpringLanes xyz[3];
} tdSpringTails;

/// A collider in world space. Its size is that of three rows of a gather.
typedef struct tdWorldSpringCollider
{
    tdVec3 origin;
    float radius;        // negative: nothing touches it
    tdVec3 span;         // capsule: from the origin to the other end; plane: the normal
    float inverseSquare; // 1 / span^2; 0 if the span is zero or a normal
    float side;          // 1: outside, -1: inside
    float isPlane;       // 1 or 0
    float unused[2];
} tdWorldSpringCollider;

/// The space of a center.
typedef struct tdSpringCenter
{
    tdMat4 toWorld, fromWorld;
} tdSpringCenter;

/// Rotations of the joints of a group.
typedef struct tdSpringRotations
{
    tdSpringLanes xyzw[4];
} tdSpringRotations;

/// Global matrices of the joints of a group: three rows for each of four columns.
typedef struct tdSpringFrames
{
    _Alignas(TD_SPRING_ALIGNMENT) tdSpringLanes columns[12];
    unsigned uneven; // bits of lanes that are not known to be similarities
} tdSpringFrames;

/// The product of the rotations from the placement down to a node, if `stepNumber` is that of the state.
typedef struct tdSpringTurn
{
    tdQuat rotation;
    uint32_t stepNumber;
} tdSpringTurn;

typedef struct tdSpringState
{
    const tdSpringList* list;
    const tdSpringPlan* plan;
    tdSpringTails* tails;                     // by group: at the end of the last step
    tdSpringTails* previousTails;             // by group: at the end of the step before
    tdSpringRotations* rotations;             // by group: of the nodes at the end of the last step
    tdSpringRotations* previousRotations;     // by group: at the end of the step before
    uint8_t* written;                         // by group: bits of the lanes whose nodes springs write
    bool writesAll;                           // all lanes of joints are written
    const tdSpringLaneParameters* parameters; // by group: the plan's or ownParameters
    tdSpringLaneParameters* ownParameters;    // NULL until a parameter is set
    // Scratch memory of a step
    tdWorldSpringCollider* colliders; // by place in the plan
    tdSpringCenter* centers;          // by place in the plan
    tdSpringFrames* frames;           // by tdSpringGroup.frames
    tdSpringTurn* turns;              // by node
    int* turnPath;                    // nodes
    uint32_t stepNumber;              // never 0 during a step
} tdSpringState;

/// Moves a tail out of obstacles that are not spring colliders. Called by several threads.
/// @param head position of the joint
/// @return false: the tail touches nothing and is unchanged
typedef bool tdSpringHitFcn(void* context, tdVec3 head, tdVec3* tail, float hitRadius);

/// Makes a state; its memory comes from the arena. tdSpringState_Reset gives it values.
/// @param list has a plan
/// @return false when memory ran out
bool tdSpringState_Init(tdSpringState* state, const tdSpringList* list, const tdNodeTree* nodes,
                        tdArena* arena);
/// Sets which joints springs write; bodies write the others.
/// @param written by group: bits of lanes
void tdSpringState_SetWritten(tdSpringState* state, const uint8_t* written);
/// Turns all joints to rest and lets the tails rest there. The pose is swept before and after.
void tdSpringState_Reset(tdSpringState* state, tdNodePose* pose);
/// Gives the lanes that are no joints the values of the first lane, so that equal states have equal bytes.
void tdSpringState_Normalize(tdSpringState* state);
/// Product of the rotations from the placement of a pose down to a node (-1: of the placement alone). The
/// joints at and above the node have turned in this step. Under scales that are uneven or mirror it is not
/// the rotation of the node's global. All calls of a step together are linear in the number of nodes.
tdQuat tdSpringState_ComputeRotation(tdSpringState* state, const tdNodePose* pose, int node);
/// Turns all joints to rest without changing the state.
void tdSpringState_ShowRest(const tdSpringState* state, tdNodePose* pose);
/// Turns the joints as they were at a part of the last step.
/// @param part 0: at its start, 1: at its end
void tdSpringState_Show(const tdSpringState* state, tdNodePose* pose, float part);
/// Copies the parameters of the plan, so that they can be set.
/// @return false when memory ran out
bool tdSpringState_OwnParameters(tdSpringState* state, tdArena* arena);
