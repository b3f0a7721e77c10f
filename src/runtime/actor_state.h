// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The part of a saved state that belongs to one actor. See docs/decisions/170.
#pragma once

#include "stage.h"

#include "physics/data/state_stream.h"

/// A hash of everything in the actor's file that a saved state relies on.
uint64_t tdActor_ComputeFingerprint(tdActor* actor);
/// Continues a hash with the local transforms and morph weights of the actor.
uint64_t tdActor_HashPose(const tdActor* actor, uint64_t hash);
/// Counts, writes or reads the state of an actor. A check reserves all memory, so that the read after it
/// cannot fail; memory for plays waits in stage->loadedCursors.
/// @param world of the state: the stage's, or the one that was read
/// @param nextCursors of stage->loadedCursors, for this and the following actors
void tdActor_Stream(tdActor* actor, tdStateStream* stream, const tdWorld* world, int* nextCursors);
