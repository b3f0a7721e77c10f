// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints in a step.
#pragma once

#include "physics/data/joint_data.h"

typedef enum tdJointPass
{
    TD_JOINT_PASS_PREPARE,
    TD_JOINT_PASS_WARM_START,
    TD_JOINT_PASS_SOLVE,
    TD_JOINT_PASS_RELAX,
    TD_JOINT_PASS_STORE,
} tdJointPass;

/// Which joints act in this step, in the order of their colours.
void tdJointSet_LayOut(tdWorld* world);
void tdJointSet_AddPass(tdWorld* world, tdJointPass pass);
/// After the last stage: breaking.
void tdJointSet_Finish(tdWorld* world);
/// Not broken, and not between a body and itself, which nothing can move apart.
bool tdJoint_CanAct(const tdJoint* joint);
/// Can the solver move this body in this step? -1 is the fixed world.
bool tdJoint_IsMovable(const tdWorld* world, int body);
