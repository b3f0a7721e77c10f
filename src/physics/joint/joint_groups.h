// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Groups of eight joints.
#pragma once

#include "physics/solver/kernels.h"

/// Fill the rows of groups of eight / bring their impulses back (joint_groups.c).
void tdJointGroups_Prepare(const tdSolverStep* step, int start, int end);
void tdJointGroups_Store(const tdSolverStep* step, int start, int end);
