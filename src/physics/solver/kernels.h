// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The passes of the solver over groups of rows, and the data all passes of a step share.
#pragma once

#include "physics/data/body_data.h"
#include "physics/data/contact_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/joint_group.h"
#include "physics/solver/softness.h"

/// What all kernels of a step share.
typedef struct tdSolverStep
{
    float timeStep, subStep, invSubStep;
    tdSoftness contactSoftness, staticSoftness, jointSoftness;
    float maxPushSpeed;
    float restitutionThreshold;
    float* states; // tdBodyState as floats
    const tdBodySim* sims;
    const tdBodySim* restSims;
    const tdTouchingContact* touchingContacts;
    tdContactManifold* manifolds;
    tdContactGroup* groups;
    tdContactRows* rows;
    tdBodyRow* bodyRows;
    const tdJointGroup* jointGroups;
    tdBallRow* ballRows;
    tdLimitRow* limitRows;
    tdTurnRow* turnRows;
    float maxLinearCorrection, maxTurnCorrection; // of joints, m/s and rad/s
    int awakeCount;
    tdWorld* world;
} tdSolverStep;

/// Ranges are half-open. Contact kernels take groups, body kernels rows of eight bodies.
typedef void tdKernelFcn(const tdSolverStep* step, int start, int end);

typedef struct tdKernels
{
    tdKernelFcn *prepareContacts, *warmStartContacts, *solveContacts, *relaxContacts, *restituteContacts,
        *storeContacts;
    tdKernelFcn *integrateVelocities, *integratePositions;
    tdKernelFcn *prepareJoints, *warmStartJoints, *solveJoints, *relaxJoints; // groups of eight
} tdKernels;

/// The kernels of a width that was resolved (tdCpu_ResolveSimd).
const tdKernels* tdGetKernels(tdSimd simd);
