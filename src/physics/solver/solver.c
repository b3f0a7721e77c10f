// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation, destruction and memory of the constraint solver.
#include "physics/solver/solver.h"

#include "base/cpu.h"
#include "physics/data/color.h"
#include "physics/data/joint_data.h"
#include "physics/data/scratch.h"
#include "physics/data/world_data.h"
#include "physics/solver/constraint_graph.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"
#include "physics/solver/partition.h"
#include "physics/solver/schedule.h"
#include "physics/solver/solver_data.h"

bool tdSolver_Create(tdWorld* world)
{
    tdSolver* solver = tdAllocateZeroed(&world->allocator, sizeof(tdSolver), 64);
    if (solver == NULL)
    {
        return false;
    }
    solver->kernels = tdGetKernels(tdCpu_ResolveSimd(world->def.simd));
    world->solver = solver;
    return true;
}

void tdSolver_Destroy(tdWorld* world)
{
    tdSolver* solver = world->solver;
    if (solver == NULL)
    {
        return;
    }
    const tdAllocator* allocator = &world->allocator;
    tdRelease(allocator, solver->contactColors, (size_t)solver->bodyCapacity * sizeof(uint64_t));
    tdRelease(allocator, solver->jointColors, (size_t)solver->bodyCapacity * sizeof(uint64_t));
    tdRelease(allocator, solver->sorted, (size_t)solver->sortedCapacity * sizeof(int));
    tdRelease(allocator, solver->groups, (size_t)solver->groupCapacity * sizeof(tdContactGroup));
    tdRelease(allocator, solver->groupCosts, (size_t)solver->groupCostCapacity * sizeof(int));
    tdRelease(allocator, solver->workRanges, (size_t)solver->workRangeCapacity * sizeof(int));
    tdRelease(allocator, solver->rows, (size_t)solver->rowCapacity * sizeof(tdContactRows));
    tdRelease(allocator, solver->slotStates, (size_t)solver->slotStateCapacity * sizeof(tdBodyState));
    tdRelease(allocator, solver->bodyRows, (size_t)solver->bodyRowCapacity * sizeof(tdBodyRow));
    tdRelease(allocator, solver->impacts, (size_t)solver->impactCapacity * sizeof(tdImpactContact));
    tdRelease(allocator, solver->impactHeap, (size_t)solver->impactHeapCapacity * sizeof(int));
    tdSchedule_Free(&solver->schedule, allocator);
    tdPartitionSet_Free(&solver->partitions, allocator);
    tdStackSet_Free(&solver->stacks, allocator);
    tdRelease(allocator, solver, sizeof(tdSolver));
    world->solver = NULL;
}

/// Limits of groups and rows of a step. Contacts of a colour are sorted by their number of manifolds, so a
/// group has at most as many rows as the mean of the group before it; the first group of each colour is
/// extra.
static int GetMaxGroups(const tdSolver* solver, int contactCount)
{
    int perLane =
        contactCount / TD_LANES + contactCount / (4 * TD_LANES); // partitions have partly filled groups
    return tdMinInt(contactCount, perLane + TD_COLOR_COUNT + solver->overflowCount + 256);
}

static int GetMaxRows(const tdSolver* solver, int manifoldCount)
{
    int perLane = manifoldCount / TD_LANES + manifoldCount / (4 * TD_LANES);
    return tdMinInt(manifoldCount, perLane + TD_COLOR_COUNT + solver->overflowCount + 1024);
}

bool tdSolver_Reserve(tdWorld* world, int bodyCount, int contactCount, int manifoldCount)
{
    tdSolver* solver = world->solver;
    // Each of the three passes of a sub-step has up to four entries per colour: contacts, single joints and
    // two for joint groups.
    solver->groupLimit = GetMaxGroups(solver, contactCount);
    solver->rowLimit = GetMaxRows(solver, manifoldCount);
    int perPass = tdMinInt(4 * (TD_COLOR_COUNT + 1), solver->groupLimit + world->joints->liveCount + 1);
    int subSteps = tdWorld_GetSubStepCount(world);
    int schedule = (3 * subSteps + 2) * perPass + 5 * subSteps + TD_PASS_CAPACITY_MARGIN;
    if (!tdPartitionSet_Reserve(&solver->partitions, world, contactCount) ||
        !tdStackSet_Reserve(&solver->stacks, world, contactCount))
    {
        return false;
    }
    int bodyRows =
        world->bodyCapacity / TD_LANES + 1 + solver->partitions.capacity; // each partition begins a row
    return tdConstraintGraph_Reserve(world, bodyCount) &&
           tdWorld_GrowScratch(world, (void**)&solver->sorted, &solver->sortedCapacity, 0, contactCount,
                               sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&solver->impacts, &solver->impactCapacity, 0, contactCount,
                               sizeof(tdImpactContact)) &&
           tdWorld_GrowScratch(world, (void**)&solver->impactHeap, &solver->impactHeapCapacity, 0,
                               contactCount, sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&solver->groups, &solver->groupCapacity, 0, solver->groupLimit,
                               sizeof(tdContactGroup)) &&
           tdWorld_GrowScratch(world, (void**)&solver->groupCosts, &solver->groupCostCapacity, 0,
                               solver->groupLimit + 1, sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&solver->workRanges, &solver->workRangeCapacity, 0,
                               (TD_COLOR_COUNT + 1) * (world->workerCount + 1), sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&solver->rows, &solver->rowCapacity, 0, solver->rowLimit,
                               sizeof(tdContactRows)) &&
           tdWorld_GrowScratch(world, (void**)&solver->bodyRows, &solver->bodyRowCapacity, 0, bodyRows,
                               sizeof(tdBodyRow)) &&
           tdWorld_GrowScratch(world, (void**)&solver->slotStates, &solver->slotStateCapacity, 0,
                               world->workerCount > 1 ? world->bodyCapacity : 0, sizeof(tdBodyState)) &&
           tdSchedule_Reserve(&solver->schedule, world, schedule);
}
