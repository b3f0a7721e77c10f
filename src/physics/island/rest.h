// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rest test: has a body been slow for long enough, and would its island stay where it is?
#pragma once

#include "physics/data/body_data.h"

/// Rest time after which an island may sleep, s. test_island notices a change.
#define TD_TIME_TO_SLEEP 0.5f

/// Update the rest time of an awake dynamic body at the end of a step: its pose and sleepSpeed must be those
/// of the end. Callable from any worker for different bodies.
void tdWorld_UpdateRest(tdWorld* world, tdBodySim* sim, float timeStep);
/// Whether all bodies of an awake island would stay where they are: in the last two rest windows of each,
/// displacement and rotation were at noise level. Call it only if every body has rested for TD_TIME_TO_SLEEP.
bool tdWorld_WouldIslandStay(const tdWorld* world, int island);
