// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints in hashes and saved states.
#pragma once

#include "physics/data/state_stream.h"

#include "tendon/physics.h"

/// Continues the hash with the state of the joints between steps: impulses and turn counts.
uint64_t tdWorld_HashJoints(const tdWorld* world, uint64_t hash);
/// Counts, writes or reads the joints of a saved state.
/// @return false: out of memory, or the bytes are invalid
bool tdWorld_StreamJoints(tdWorld* world, tdStateStream* stream);
