// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact and trigger events of the world, by actor and node.
#pragma once

#include "stage.h"

/// Collects the events of the last step. An event that finds no memory is lost, and the next step fails.
void tdPhysicsEvents_Collect(tdStage* stage);
