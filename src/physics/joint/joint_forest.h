// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The forest of joint trees.
#pragma once

#include "physics/data/joint_data.h"

/// Find the trees that are to be solved directly, if something changed. False: memory ran out.
bool tdJointForest_Update(tdWorld* world);
/// After a step: a joint that was apart may be together again.
void tdJointForest_Rejoin(tdWorld* world, tdJoint* joint);
void tdJointForest_Free(tdWorld* world, tdJointForest* forest);
/// Which trees are awake.
void tdJointForest_LayOut(tdWorld* world);
