// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compilation of limits and drives into blocks.
#pragma once

#include "physics/data/joint_data.h"

int tdCountAxes(unsigned axes);
/// The axis of a one-axis set, the missing one of a two-axis set.
int tdGetAxisOfSet(unsigned axes);
/// A limit that says min > max, which nothing can follow, holds its value in the middle.
tdJointLimit tdSettleLimit(const tdJointLimit* limit);
/// Compile limits and drives into blocks. Impulses are kept where a block stays what it was.
void tdJoint_Compile(tdJoint* joint);
