// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compilation of limits and drives into blocks.
#pragma once

#include "physics/data/joint_data.h"

/// Number of axes in a bit set.
int tdCountAxes(unsigned axes);
/// The axis of a one-axis set, the missing axis of a two-axis set.
int tdGetAxisOfSet(unsigned axes);
/// A limit with min > max cannot be satisfied: it becomes a lock at the midpoint. Other limits are unchanged.
tdJointLimit tdSettleLimit(const tdJointLimit* limit);
/// Compiles the limits and drives of a joint into blocks. The blocks start without impulses.
void tdJoint_Compile(tdJoint* joint);
