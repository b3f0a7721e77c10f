// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// All kernels of one vector width, and their table. Include after one of base/simd_*.h, with GET_KERNELS
// defined as the name of the function that returns the table.

#include "physics/solver/fast_turn.h"

// Later files use definitions of earlier ones.
// clang-format off
#include "base/simd_vec3.inl"
#include "physics/solver/contact_kernels.inl"
#include "physics/solver/impact_kernels.inl"
#include "physics/solver/body_kernels.inl"
#include "physics/solver/joint_kernels.inl"
#include "physics/solver/joint_group_kernels.inl"
// clang-format on

const tdKernels* GET_KERNELS(void)
{
    static const tdKernels kernels = {
        .prepareContacts = PrepareContacts,
        .warmStartContacts = WarmStartContacts,
        .solveContacts = SolveContacts,
        .relaxContacts = RelaxContacts,
        .findImpacts = FindImpacts,
        .storeContacts = StoreContacts,
        .integrateVelocities = IntegrateVelocities,
        .integratePositions = IntegratePositions,
        .prepareJoints = PrepareJoints8,
        .warmStartJoints = WarmStartJoints8,
        .solveJoints = SolveJoints8,
        .relaxJoints = RelaxJoints8,
    };
    return &kernels;
}
