// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Packed states: blocks of worlds and stages, compressed without loss, alone or against an earlier block
// (docs/decisions/172). A block tells where its arrays are.
#pragma once

#include "physics/data/state_stream.h"

/// The start of every block, of worlds and of stages.
typedef struct tdBlockHead
{
    uint32_t magic, version;
    uint64_t sectionsAt; // offset of the tdStateSections
} tdBlockHead;

/// Offset of the tdStateSections in a world's block: after its header.
#define TD_SECTIONS_OFFSET 80
