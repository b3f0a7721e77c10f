// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and destruction of joints, and their updates when bodies change.
#pragma once

#include "physics/data/joint_data.h"

/// Allocates world->joints. False: out of memory.
bool tdJointSet_Create(tdWorld* world);
void tdJointSet_Destroy(tdWorld* world);
/// Reserves the memory of a step: groups, rows, break events, joint trees. False: out of memory.
bool tdJointSet_Reserve(tdWorld* world);
/// Allocates the arrays of limits, drives and blocks. False: out of memory, the joint then has no arrays.
bool tdJoint_AllocateArrays(tdWorld* world, tdJoint* joint, int limitCount, int driveCount);
void tdJoint_FreeArrays(tdWorld* world, tdJoint* joint);
/// Removes the exclusion of the two bodies, so that they collide again.
void tdJoint_AllowCollision(tdWorld* world, tdJoint* joint);
/// Public id of a joint.
tdJointId tdWorld_MakeJointId(const tdWorld* world, int joint);
/// Current transform of frame B in frame A.
tdTransform tdJoint_GetRelative(const tdWorld* world, const tdJoint* joint);

/// Moves one side of a joint to a body, or changes its frame there. The joint keeps its turn counts and
/// impulses.
/// @param side 0: A, 1: B
/// @return false when memory ran out: the joint has moved, but its bodies may collide
bool tdJoint_SetSide(tdWorld* world, tdJointId joint, int side, tdBodyId body, tdTransform frame);

/// Destroys all joints of a body that is about to be destroyed.
void tdWorld_DestroyJointsOf(tdWorld* world, int body);
/// Removes the joints of a body from the islands, before its motion type changes.
void tdWorld_DetachJointsOf(tdWorld* world, int body);
/// Adds the joints of a body to the islands, after its motion type has changed.
void tdWorld_AttachJointsOf(tdWorld* world, int body);
/// Marks the joint trees for a rebuild, because the mass or inertia of the body has changed.
void tdWorld_MarkJointTreesStale(tdWorld* world, int body);
/// Wakes the bodies that joints connect to a body that starts to move.
void tdWorld_WakeJointsOf(tdWorld* world, int body);
/// Updates the joints of a body that was teleported: wakes the joined bodies, and has the joints assemble
/// their frames again if these are separated (docs/decisions/074-joint-assembly.md).
void tdWorld_MoveJointsOf(tdWorld* world, int body);
