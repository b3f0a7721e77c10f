// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The springs of one pose: where the tails are and how far the joints have turned. The state is plain arrays
// in the order of the plan, ready to be copied or saved. See docs/decisions/034.
#pragma once

#include "spring_plan.h"

#include "pose/node_pose.h"

/// Tails of the joints of a group in the space of their centers, at the end of the last two steps.
typedef struct tdSpringTails
{
    tdSpringLanes current[3], previous[3];
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

typedef struct tdSpringState
{
    const tdSpringList* list;
    const tdSpringPlan* plan;
    tdSpringTails* tails;                     // by group
    tdQuat* rotations;                        // by slot: of the nodes at the end of the last step
    tdQuat* previousRotations;                // by slot: at the end of the step before
    uint8_t* written;                         // by group: bits of the lanes whose nodes springs write
    const tdSpringLaneParameters* parameters; // by group: the plan's or ownParameters
    tdSpringLaneParameters* ownParameters;    // NULL until a parameter is set
    // Scratch memory of a step
    tdWorldSpringCollider* colliders; // by place in the plan
    tdSpringCenter* centers;          // by place in the plan
} tdSpringState;

/// Moves a tail out of obstacles that are not spring colliders. Called by several threads.
/// @param head position of the joint
/// @return false: the tail touches nothing and is unchanged
typedef bool tdSpringHitFcn(void* context, tdVec3 head, tdVec3* tail, float hitRadius);

/// Makes a state; its memory comes from the arena. tdSpringState_Reset gives it values.
/// @param list has a plan
/// @return false when memory ran out
bool tdSpringState_Init(tdSpringState* state, const tdSpringList* list, tdArena* arena);
/// Turns all joints to rest and lets the tails rest there. The pose is swept before and after.
void tdSpringState_Reset(tdSpringState* state, tdNodePose* pose);
/// Turns all joints to rest without changing the state.
void tdSpringState_ShowRest(const tdSpringState* state, tdNodePose* pose);
/// Turns the joints as they were at a part of the last step.
/// @param part 0: at its start, 1: at its end
void tdSpringState_Show(const tdSpringState* state, tdNodePose* pose, float part);
/// Copies the parameters of the plan, so that they can be set.
/// @return false when memory ran out
bool tdSpringState_OwnParameters(tdSpringState* state, tdArena* arena);
