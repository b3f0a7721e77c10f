// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The narrow phase of a step: manifolds of contacts and overlap tests of triggers.
#pragma once

#include "physics/data/contact_data.h"

/// First half: tests the separated contacts whose distance bound has expired. Contacts that begin to touch
/// are listed and stay unchanged, so that a step repeated after an allocation failure gives bit-identical
/// results.
/// @return false: out of memory
bool tdWorld_TestPairs(tdWorld* world);
/// Counts the memory that the second half needs: new touching contacts, and manifold blocks by class.
/// @return number of contacts that begin to touch
int tdWorld_CountNewTouching(const tdWorld* world, int blockCounts[TD_MANIFOLD_CLASSES]);
/// Second half: contacts begin to touch (islands merge, sleeping islands wake), the manifolds of all touching
/// contacts are computed or kept, and contacts without manifolds become separated. The caller has reserved
/// all memory.
void tdWorld_UpdateTouchingContacts(tdWorld* world);
/// Tests all trigger pairs and stores the results in world->triggerFlags: 0 not tested, 1 overlapping, 2
/// separated, 3 separated after an overlap at the start of the step that no event reported, 255 the fat boxes
/// no longer overlap.
void tdWorld_TestTriggers(tdWorld* world);
