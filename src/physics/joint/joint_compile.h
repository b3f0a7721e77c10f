// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compilation of limits and drives into blocks.
#pragma once

#include "physics/data/joint_data.h"

/// Number of axes in a bit set.
int tdCountAxes(unsigned axes);
/// True if a bit set contains an axis.
bool tdHasAxis(unsigned axes, int axis);
/// The axis of a one-axis set, the missing axis of a two-axis set.
int tdGetAxisOfSet(unsigned axes);
/// A limit with min > max cannot be satisfied: it becomes a lock at the midpoint. Other limits are unchanged.
tdJointLimit tdSettleLimit(const tdJointLimit* limit);
/// A full turn in radians, in double: counts of turns multiply its error.
#define TD_FULL_TURN 6.283185307179586

/// The angle minus whole turns, in [-pi, pi].
float tdRemoveTurns(float angle);
/// True if a one-axis angular limit compares its twist counted over turns: on a hinge, and wherever a bound
/// lies beyond half a turn or is missing. Other twists, which jump at half a turn of swing, take the short
/// way round.
bool tdJoint_CountsLimit(const tdJoint* joint, int axis, float min, float max);
/// Compiles the limits and drives of a joint into blocks. The blocks start without impulses.
void tdJoint_Compile(tdJoint* joint);
