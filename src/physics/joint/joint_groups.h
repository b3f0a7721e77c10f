// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Groups of eight joints for the vector kernels.
#pragma once

#include "physics/solver/kernels.h"

/// Fills the rows of the groups from their joints.
void tdJointGroups_Prepare(const tdSolverStep* step, int start, int end);
/// Stores the impulses and reactions of the groups in their joints.
void tdJointGroups_Store(const tdSolverStep* step, int start, int end);
