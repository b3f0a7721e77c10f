// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The joint trees that are solved directly (docs/decisions/072-joint-trees.md).
#pragma once

#include "physics/data/joint_data.h"

/// Finds the joint trees to solve directly, if joints, masses or motion types have changed. False: out of
/// memory.
bool tdJointForest_Update(tdWorld* world);
/// After a step: clears isSeparated if the frames of the joint are assembled again.
void tdJointForest_Rejoin(tdWorld* world, tdJoint* joint);
void tdJointForest_Free(tdWorld* world, tdJointForest* forest);
/// Lists the trees that are awake in this step.
void tdJointForest_LayOut(tdWorld* world);
