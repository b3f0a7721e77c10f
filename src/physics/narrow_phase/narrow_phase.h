// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The narrow phase of a step: manifolds of contacts and overlaps of triggers.
#pragma once

#include "physics/data/contact_data.h"

/// Narrow phase, first half: tests apart pairs whose bound expired. Pairs that came together go into scratch
/// and are left as they were; what is noted of those that did not is the same if the step is repeated.
/// @return false if memory ran out
bool tdWorld_TestPairs(tdWorld* world);
/// How much room the second half needs: touches that may be added, and blocks of manifolds by class.
/// @return the number of touches
int tdWorld_CountNewTouching(const tdWorld* world, int blockCounts[TD_MANIFOLD_CLASSES]);
/// Second half: pairs that came together become touches (islands merge, sleepers wake), manifolds of all
/// touches are renewed or kept, touches that came apart become pairs. Everything it needs was reserved.
void tdWorld_UpdateTouchingContacts(tdWorld* world);
/// Overlap tests of all trigger pairs, into world->triggerFlags (collide.c): 0 as before, 1 inside, 2
/// outside, 255 their boxes parted.
void tdWorld_TestTriggers(tdWorld* world);
