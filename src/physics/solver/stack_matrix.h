// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a stack.
#pragma once

#include "physics/solver/stack.h"

static inline double tdDotStackRow(const double* row, const double* v)
{
    return row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3] + row[4] * v[4] + row[5] * v[5];
}

/// True if row i of a contact is in the matrix.
static inline bool tdStackContact_Holds(const tdStackContact* contact, int i)
{
    uint32_t bit = i < contact->pointCount ? 1u << i : TD_STACK_FRICTION;
    return (contact->held & bit) != 0;
}

/// Find the order of elimination and move bodies and contacts to it.
/// @return false if the factor has too many blocks; nothing moved
bool tdStack_OrderMatrix(const tdStackSet* stacks, tdStack* stack);
/// Assemble and factor the matrix of the rows that hold.
/// @return false if it is singular
bool tdStack_FactorMatrix(const tdStackSet* stacks, const tdStack* stack);
/// Replace the values of the bodies, impulses, by the solution, velocities.
void tdStack_SolveMatrix(const tdStackSet* stacks, const tdStack* stack);
