// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Validation of a loaded state: every index, list and count.
#pragma once

#include "physics/data/world_data.h"

/// Whether every index of the world refers to something that exists, every list ends, and counts agree. The
/// world was read from a block of unknown origin, so nothing is trusted but the lengths of the arrays.
bool tdWorld_IsSound(const tdWorld* world);
