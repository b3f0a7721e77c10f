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
    TD_JOINT_PASS_RESOLVE_TREES, // after the contacts: joint trees only
    TD_JOINT_PASS_RELAX,         // joints outside of trees
    TD_JOINT_PASS_RELAX_TREES,
    TD_JOINT_PASS_STORE,
} tdJointPass;

/// Colours the joints that act in this step and arranges them by colour and signature, in groups of eight
/// where the kernels support the signature.
void tdJointSet_LayOut(tdWorld* world);
/// Adds a pass over all joints to the schedule of the solver.
void tdJointSet_AddPass(tdWorld* world, tdJointPass pass);
/// After the last pass: breaks joints above their limits and records the events.
void tdJointSet_Finish(tdWorld* world);
/// True if the joint exists, is not broken and connects two different bodies.
bool tdJoint_CanAct(const tdJoint* joint);
/// True if the solver can move this body in this step: it is dynamic and awake. -1 is the fixed world.
bool tdJoint_IsMovable(const tdWorld* world, int body);
