// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The broad phase of a step: contacts for shapes that moved.
#pragma once

#include "tendon/physics.h"

/// Number of pairs that a world may have: tdWorldDef.maxPairs or its default.
int tdWorld_GetPairLimit(const tdWorld* world);
/// Find the pairs of all shapes in the move buffer and create contacts for new pairs.
/// @return false if memory ran out; the move buffer is kept, so the next call finds the missing pairs
bool tdWorld_UpdatePairs(tdWorld* world);
/// Create the contact of a shape that entered a trigger before their boxes met, and report that it entered.
/// @return false if memory ran out
bool tdWorld_CreateTriggerPair(tdWorld* world, int trigger, int visitor);
