// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rate at which the contacts of a motion are sampled.
#pragma once

#include "motion_contacts.h"

/// Samples per second: 60, or 120 if keys are denser or legs are fast.
double tdChooseContactRate(const tdContactDef* def);
