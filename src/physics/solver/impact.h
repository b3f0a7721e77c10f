// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The impact phase of a sub-step: restitution, one impact after the other. See docs/decisions/024.
#pragma once

#include "physics/solver/kernels.h"

/// The state of a touching contact with restitution in the impact phase.
typedef struct tdImpactContact
{
    int slot;        // group * TD_LANES + lane
    int heapIndex;   // place in the heap; -1: not in it
    float speed;     // m/s of its fastest approaching point; 0: no impact
    float time;      // s from the start of the sub-step until its first point closes
    int interval;    // of the sub-step in which it closes: impacts of one interval are simultaneous
    float notBefore; // s, time of the last impact of one of its bodies
    float threshold; // m/s: slower impacts are left to the solver
    int count;       // impacts in this sub-step
    float remaining; // fraction of the energy of its first impact that restitution returned each time
    int cluster;     // number of the cluster that contains it; 0: none
} tdImpactContact;

/// Resolve the impacts that tdKernels.findImpacts found among the groups [start, end), which must be all
/// groups of a partition. Serial inside a partition.
tdKernelFcn tdResolveImpacts;
