// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The constraint graph: it colours constraints so that no dynamic body occurs twice in a colour. The
// constraints of a colour can then be solved in any order, in SIMD lanes and on any worker, with the same
// result.
//
// Each body has a 64-bit set of the colours of its constraints. A new constraint takes the lowest colour that
// is free at both bodies, or the highest if only one body is dynamic: contacts with immovable bodies are
// solved last, so that they hold. If no colour is free, the constraint gets the overflow colour
// (solver_overflow.h).
#pragma once

#include "physics/data/state_stream.h"

#include "tendon/physics.h"

/// Reserve the colour sets of body indices below `bodyCount`.
/// @return false if memory ran out; nothing changed
bool tdConstraintGraph_Reserve(tdWorld* world, int bodyCount);
/// Choose the colour of a new constraint between two bodies and mark it as taken.
/// @param first the colour that two dynamic bodies try first, below TD_COLOR_COUNT
int tdConstraintGraph_TakeColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB,
                                int first);
/// Mark the colour of a removed constraint as free.
void tdConstraintGraph_ReleaseColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB,
                                    int color);

/// Choose the colour of a contact that becomes touching and awake. Calls are serial and in an order that
/// depends on data only.
void tdConstraintGraph_AddContact(tdWorld* world, int contact);
/// Release the colour of a contact.
void tdConstraintGraph_RemoveContact(tdWorld* world, int contact);
/// Count, write or read the colours of contacts (data/state_stream.h).
/// @return false if memory ran out or the bytes do not fit
bool tdConstraintGraph_Stream(tdWorld* world, tdStateStream* stream);
