// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The constraint graph: which colour each constraint has.
#pragma once

#include "physics/data/state_stream.h"

#include "tendon/physics.h"

/// Room for the colour sets of body indices below `bodyCount`.
bool tdConstraintGraph_Reserve(tdWorld* world, int bodyCount);
/// The colour for a constraint between two bodies, taken at once.
int tdConstraintGraph_TakeColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB);
void tdConstraintGraph_ReleaseColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB,
                                    int color);

/// A contact has manifolds and a dense touch now / no longer. Colours are chosen here, from the bodies of the
/// contact (stable body indices); called serially, in an order that depends on data only. The number of
/// manifolds of a contact may change from step to step without a call.
void tdConstraintGraph_AddContact(tdWorld* world, int contact);
void tdConstraintGraph_RemoveContact(tdWorld* world, int contact);
/// Count, write or read the colours of contacts (data/state_stream.h).
/// @return false if memory ran out or the bytes do not fit
bool tdConstraintGraph_Stream(tdWorld* world, tdStateStream* stream);
