// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of a step: arrays aligned to 64 bytes that only grow.
#pragma once

#include "tendon/physics.h"

/// Grow an array to at least `wanted` elements. The first `count` elements are kept, the others are
/// undefined.
/// @return false if memory ran out; nothing changed
bool tdWorld_GrowScratch(tdWorld* world, void** memory, int* capacity, int count, int wanted,
                         size_t elementSize);
