// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reports what a file asks for and the order of writers overrules.
#pragma once

#include "actor.h"

/// Reports constraints that a simulated body overrules (CLAIM_OVERRULED) or that would move a kinematic body
/// a step late (NC_FEEDS_BODY).
/// @return false when memory ran out
bool tdActor_ReportClaims(tdActor* actor, tdReport* report);
