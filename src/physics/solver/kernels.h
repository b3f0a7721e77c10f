// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernels of the solver: passes over SIMD groups, compiled once per vector width.
#pragma once

#include "base/compiler.h"
#include "physics/data/body_data.h"
#include "physics/data/contact_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/joint_group.h"
#include "physics/solver/softness.h"

/// The data that all kernels of a step share.
typedef struct tdSolverStep
{
    float timeStep, subStep, invSubStep;
    tdSoftness contactSoftness, staticSoftness, jointSoftness;
    float contactCompliance, staticCompliance; // of the springs of contacts, s
    float maxPushSpeed;
    float restitutionThreshold;
    float* states; // array of tdBodyState as floats, by solver slot
    const tdBodySim* sims;
    const tdBodySim* restSims;
    const tdTilt* tilts;
    const tdTouchingContact* touchingContacts;
    tdContactManifold* manifolds;
    tdContactGroup* groups;
    tdContactRows* rows;
    tdBodyRow* bodyRows;
    const tdJointGroup* jointGroups;
    tdBallRow* ballRows;
    tdLimitRow* limitRows;
    tdTurnRow* turnRows;
    float maxLinearCorrection, maxTurnCorrection; // of joints, in m/s and rad/s
    // Sag of a contact of a pile, relative to the inner radius of a body, that asks for stiffer springs,
    // and for the present ones; the flag is set if a contact has it (world/pile.c).
    float softSag, keptSag;
    atomic_int* needsSprings;
    int awakeCount;
    tdWorld* world;
} tdSolverStep;

/// A pass over the items [start, end): groups of eight contacts or joints, or rows of eight bodies.
typedef void tdKernelFcn(const tdSolverStep* step, int start, int end);

typedef struct tdKernels
{
    tdKernelFcn *prepareContacts, *warmStartContacts, *solveContacts, *relaxContacts, *findImpacts,
        *storeContacts;
    tdKernelFcn *integrateVelocities, *integratePositions;
    tdKernelFcn *prepareJoints, *warmStartJoints, *solveJoints, *relaxJoints; // groups of eight
} tdKernels;

/// The kernels of a vector width that tdCpu_ResolveSimd returned.
const tdKernels* tdGetKernels(tdSimd simd);
