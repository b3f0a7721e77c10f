// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory of a step: arrays aligned to 64 bytes that only grow.
#pragma once

#include "tendon/physics.h"

/// Grow `*memory`, keeping the first `count` elements. False: out of memory, nothing changed.
bool tdWorld_GrowScratch(tdWorld* world, void** memory, int* capacity, int count, int wanted,
                         size_t elementSize);
