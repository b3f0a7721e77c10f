// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints in hashes and saved states.
#pragma once

#include "physics/data/state_stream.h"

#include "tendon/physics.h"

/// Continue the hash with what the solver remembers of joints (warm-start impulses, turn counts).
uint64_t tdWorld_HashJoints(const tdWorld* world, uint64_t hash);
/// Count, write or read everything the next step depends on: joints, colours in their order (state.h).
/// @return false if memory ran out or the bytes are not ours
bool tdWorld_StreamJoints(tdWorld* world, tdStateStream* stream);
