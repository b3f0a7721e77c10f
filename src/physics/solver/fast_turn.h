// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rotation of bodies that turn far in one sub-step. See docs/decisions/057.
#pragma once

#include "physics/data/body_data.h"
#include "physics/solver/contact_rows.h"

/// Bodies that turn farther than this in a sub-step, in rad, need tdTurnFastBody. The splitting of
/// body_kernels.inl has an energy error of about 0.03 % there; test_spin notices a change.
#define TD_FAST_TURN 0.3f

/// Rotate a body by one sub-step in double precision, with as many inner steps as its speed needs.
/// @param row, lane its inertia
/// @param from state before the sub-step
/// @param to out: angular velocity and rotation; the rest is left as it is
void tdTurnFastBody(const tdBodyRow* row, int lane, float subStep, const tdBodyState* from, tdBodyState* to);
