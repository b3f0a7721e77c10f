// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Continuous collision.
#pragma once

#include "tendon/physics.h"

/// Stop fast bodies at their first impact with static and kinematic ones.
void tdWorld_SolveContinuous(tdWorld* world);
