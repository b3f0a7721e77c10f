// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The part of a saved state that connects the nodes of an actor with its bodies. See docs/decisions/170.
#pragma once

#include "stage.h"

#include "physics/data/state_stream.h"

/// Counts, writes or reads the physics of an actor. A check validates ids against the world that was read.
/// @param world of the state: the stage's, or the one that was read
void tdActorPhysics_Stream(tdActor* actor, tdStateStream* stream, const tdWorld* world);
