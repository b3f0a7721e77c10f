// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The fingerprint of a world: a hash of the bodies, shapes and joints it was built with. A saved state is
// accepted only by a world of the same fingerprint.
#pragma once

#include "physics/data/world_data.h"

typedef enum tdCreationKind
{
    TD_CREATED_BODY,
    TD_CREATED_SHAPE,
    TD_CREATED_JOINT,
} tdCreationKind;

/// Adds a created object to the fingerprint, until it is fixed.
/// @param kindOfIt motion of a body, kind of a shape, number of limits of a joint
/// @param bodyA, bodyB indices; -1: none
void tdWorld_NoteCreation(tdWorld* world, tdCreationKind created, int kindOfIt, int bodyA, int bodyB,
                          tdTransform place);
/// Fixes the fingerprint: with the first step, save or load, whichever comes first. Later changes do not
/// count, so that a world keeps its states.
void tdWorld_FixFingerprint(tdWorld* world);
/// Hash of the first `filterCount` filters, which saved states refer to by number.
uint64_t tdWorld_HashFilters(const tdWorld* world, int filterCount);
