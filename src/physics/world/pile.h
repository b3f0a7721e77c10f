// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Piles: islands that are too large for a direct solution. Their contacts are springs, and a pile whose
// springs sag by much of a body collapses. It gets stiffer springs, and the sub-steps that these need. See
// docs/decisions/085.
#pragma once

#include "physics/data/world_data.h"

/// Frequency of the springs of contacts in a step, Hz.
float tdWorld_GetContactHertz(const tdWorld* world, float timeStep);
/// Sag of a contact of a pile, relative to the inner radius of a body, that asks for stiffer springs.
float tdWorld_GetSoftSag(const tdWorld* world);
/// Choose springs and sub-steps of the next step from the sag that this one found.
void tdWorld_StiffenPiles(tdWorld* world);
