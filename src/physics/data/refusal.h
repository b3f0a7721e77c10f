// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Numbers from outside. A call with a number that is not finite asserts in checked builds; without asserts it
// changes nothing and sets TD_STATUS_INVALID_NUMBER.
#pragma once

#include "tendon/physics.h"

/// Whether a condition on the numbers of a call holds. If not, the caller must return without a change.
#define TD_ACCEPT(world, condition)                                                                          \
    ((condition) || tdWorld_RefuseNumbers(world, #condition, __FILE__, __LINE__))

/// Report a refused call: assert, and set the status of the world.
/// @return false
bool tdWorld_RefuseNumbers(tdWorld* world, const char* condition, const char* file, int line);
