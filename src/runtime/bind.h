// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Binding: who writes each node property, which tracks the playing clips make, and which constraints run
// before and after physics.
#pragma once

#include "actor.h"

/// Makes the tracks of all playing clips. Part of tdActor_Bind.
void tdActor_BindTracks(tdActor* actor);
/// Works out writers, tracks and the constraint split. Never allocates: tdActor_Play reserves all of it.
void tdActor_Bind(tdActor* actor);
