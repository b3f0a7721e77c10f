// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts of the overflow colour, eight at a time. All contacts of a group share one body, the hub: a tray
// full of balls, a plate on many boxes. In parallel lanes each contact would counteract the others. So the
// mass of a body that occurs n times in a group is split: each lane has a copy with 1/n of mass and inertia
// and the velocity of the body, and the body continues with the mean velocity of its copies. Momentum is
// conserved and the copies do not overshoot (R. Tonge, F. Benevolenski, A. Voroshilov: "Mass splitting for
// jitter-free parallel rigid body simulation", 2012). Groups run serially. See docs/decisions/055.
//
// Hub, size and order decide which contacts share a group (partition.c), and lanes are summed in order, so
// the result is the same for all vector widths and workers.
#include "physics/solver/solver_overflow.h"

#include "physics/data/world_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"
#include "physics/solver/solver_data.h"

#include <stdalign.h>

/// Occurrences of a body in a group - 1.
static uint32_t CountOtherOccurrences(const tdContactGroup* group, int body)
{
    uint32_t count = 0;
    for (int i = 0; i < group->contactCount; ++i)
    {
        count += (group->writeA >> i & 1u) != 0 && group->bodyA[i] == body ? 1u : 0u;
        count += (group->writeB >> i & 1u) != 0 && group->bodyB[i] == body ? 1u : 0u;
    }
    return count - 1;
}

void tdContactGroup_CountPieces(tdContactGroup* group)
{
    for (int i = 0; i < group->contactCount; ++i)
    {
        if ((group->writeA >> i & 1u) != 0)
        {
            group->piecesA |= CountOtherOccurrences(group, group->bodyA[i]) << 4 * i;
        }
        if ((group->writeB >> i & 1u) != 0)
        {
            group->piecesB |= CountOtherOccurrences(group, group->bodyB[i]) << 4 * i;
        }
    }
}

/// Add the mean velocity change of the copies of one side to their bodies.
static void AddCopies(tdBodyState* states, const int32_t* bodies, const tdBodyState* before,
                      const tdBodyState* after, int count, uint32_t lanes, uint32_t pieces)
{
    for (int i = 0; i < count; ++i)
    {
        if ((lanes >> i & 1u) == 0)
        {
            continue;
        }
        tdBodyState* state = states + bodies[i];
        uint32_t others = pieces >> 4 * i & 15u;
        if (others == 0)
        {
            state->linearVelocity = after[i].linearVelocity;
            state->angularVelocity = after[i].angularVelocity;
            continue;
        }
        float share = 1.0f / (float)(others + 1u);
        tdVec3 linear = tdSub(after[i].linearVelocity, before[i].linearVelocity);
        tdVec3 angular = tdSub(after[i].angularVelocity, before[i].angularVelocity);
        state->linearVelocity = tdMulAdd(state->linearVelocity, share, linear);
        state->angularVelocity = tdMulAdd(state->angularVelocity, share, angular);
    }
}

static void RunWithSplitMass(const tdSolverStep* step, int start, int end, tdKernelFcn* run)
{
    // The kernel runs on sixteen copies: A and B of each lane.
    alignas(64) tdBodyState pieces[2 * TD_LANES];
    tdBodyState before[2 * TD_LANES];
    tdContactGroup group;
    tdSolverStep local = *step;
    local.states = (float*)pieces;
    local.groups = &group;
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    for (int g = start; g < end; ++g)
    {
        const tdContactGroup* source = step->groups + g;
        group = *source;
        for (int i = 0; i < TD_LANES; ++i)
        {
            pieces[i] = before[i] = states[source->bodyA[i]];
            pieces[TD_LANES + i] = before[TD_LANES + i] = states[source->bodyB[i]];
            group.bodyA[i] = i;
            group.bodyB[i] = TD_LANES + i;
        }
        run(&local, 0, 1);
        AddCopies(states, source->bodyA, before, pieces, source->contactCount, source->writeA,
                  source->piecesA);
        AddCopies(states, source->bodyB, before + TD_LANES, pieces + TD_LANES, source->contactCount,
                  source->writeB, source->piecesB);
    }
}

void tdOverflow_WarmStart(const tdSolverStep* step, int start, int end)
{
    RunWithSplitMass(step, start, end, step->world->solver->kernels->warmStartContacts);
}

void tdOverflow_Solve(const tdSolverStep* step, int start, int end)
{
    RunWithSplitMass(step, start, end, step->world->solver->kernels->solveContacts);
}

void tdOverflow_Relax(const tdSolverStep* step, int start, int end)
{
    RunWithSplitMass(step, start, end, step->world->solver->kernels->relaxContacts);
}
