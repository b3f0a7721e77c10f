// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and destruction of joints, and their part in the life of bodies.
#pragma once

#include "physics/data/joint_data.h"

bool tdJointSet_Create(tdWorld* world);
void tdJointSet_Destroy(tdWorld* world);
bool tdJointSet_Reserve(tdWorld* world);
/// Arrays for that many limits and drives. False: memory ran out, the joint has no arrays then.
bool tdJoint_AllocateArrays(tdWorld* world, tdJoint* joint, int limitCount, int driveCount);
void tdJoint_FreeArrays(tdWorld* world, tdJoint* joint);
/// Let the two bodies collide again.
void tdJoint_Admit(tdWorld* world, tdJoint* joint);
tdJointId tdWorld_MakeJointId(const tdWorld* world, int joint);
/// Frame B in frame A, now.
tdTransform tdJoint_GetRelative(const tdWorld* world, const tdJoint* joint);

/// The body is about to be destroyed.
void tdWorld_DestroyJointsOf(tdWorld* world, int body);
/// The body's motion is about to change: its joints leave graph and islands / has changed: they come back.
void tdWorld_DetachJointsOf(tdWorld* world, int body);
void tdWorld_AttachJointsOf(tdWorld* world, int body);
/// Mass or inertia of the body changed.
void tdWorld_MarkJointTreesStale(tdWorld* world, int body);
/// A body was put elsewhere: its joints wake what hangs on them, and draw it together if they are apart now.
void tdWorld_MoveJointsOf(tdWorld* world, int body);
