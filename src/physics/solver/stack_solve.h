// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The passes over stacks.
#pragma once

#include "physics/solver/kernels.h"

/// Factor, solve and push: one item per stack.
tdKernelFcn tdStacks_Factor, tdStacks_Solve, tdStacks_Push;
