// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The broad phase of a step: new contacts for shapes that moved.
#pragma once

#include "tendon/physics.h"

/// Find all pairs of what moved since the last call and make contacts for new ones.
/// @return false if memory ran out; what was found so far is kept, the rest is found next time
bool tdWorld_UpdatePairs(tdWorld* world);
