// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies to nodes: poses of simulated bodies become the locals of their nodes.
#pragma once

#include "stage.h"

/// Makes the pose of the actor, which has physics, follow its simulated bodies as they are at a stage time.
/// Times between the last two steps are interpolated, later ones show the last step, earlier ones the step
/// before it.
void tdBodyFollow_Start(tdActor* actor, double time);
