// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The two halves of a load, and saves without a checksum, for stages: a stage validates its own part of a
// block between them.
#pragma once

#include "physics/data/world_data.h"

/// Facts about a block.
typedef enum tdBlockOrigin
{
    TD_BLOCK_UNKNOWN, // nothing: checksum and indices are validated
    TD_BLOCK_WHOLE,   // it is part of a larger one whose checksum is right: indices are validated
    TD_BLOCK_OWN,     // tdWorld_WriteState of this world wrote it, and it never left the library's memory
} tdBlockOrigin;

/// tdWorld_SaveState, with or without a checksum.
size_t tdWorld_WriteState(const tdWorld* world, void* data, size_t size, bool hasChecksum);
/// Reads a block into a second world, with the number of the first, and validates it. The first one keeps its
/// state.
/// @return NULL if the block is invalid or memory ran out. The second world has no filters and geometries, so
///         it answers questions about ids and nothing else
tdWorld* tdWorld_ReadState(tdWorld* world, const void* data, size_t size, tdBlockOrigin origin);
/// Gives a world the contents of the second one, which is destroyed.
void tdWorld_AdoptState(tdWorld* world, tdWorld* twin);
