// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The sub-steps: lays out the constraints of a step and runs the passes of the soft-constraint solver. See
// docs/decisions/070.
//
//   once      prepare bodies, joints, contacts
//   sub-step  integrate velocities: gravity, forces
//             impacts: contacts with restitution that close in this sub-step bounce
//             warm start: apply the impulses of the last sub-step
//             solve: velocities satisfy the constraints; position errors decay like damped springs
//             integrate positions
//             relax: solve without springs, with friction; removes the velocity that the springs added
//   once      store impulses, update bodies
//
// Joints precede contacts in each pass; contacts with immovable bodies are last. Joint trees are solved again
// after the contacts, so that bodies move as their joints allow, and relaxed after them. The scheme of one
// iteration per small sub-step with soft constraints and relaxation follows E. Catto, "Solver2D" (2024).
#include "physics/world/sub_steps.h"

#include "base/cpu.h"
#include "base/prefetch.h"
#include "math/trig.h"
#include "physics/contact/event.h"
#include "physics/data/color.h"
#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_step.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/impact.h"
#include "physics/solver/kernels.h"
#include "physics/solver/partition.h"
#include "physics/solver/schedule.h"
#include "physics/solver/softness.h"
#include "physics/solver/solver_data.h"
#include "physics/solver/solver_overflow.h"
#include "physics/solver/stack.h"
#include "physics/solver/stack_solve.h"
#include "physics/world/body_update.h"
#include "physics/world/pile.h"

#include <string.h>

/// Damping ratio of contact springs. Found by trial; test_stability and test_determinism notice a change.
#define CONTACT_DAMPING_RATIO 10.0f
/// Upper limit of the speed at which contacts correct overlap, m/s.
#define MAX_PUSH_SPEED 3.0f
/// Springs of hard joint rows: frequency as a fraction of the sub-step rate, and damping ratio.
#ifndef JOINT_HERTZ_FRACTION
#define JOINT_HERTZ_FRACTION 0.25f
#define JOINT_DAMPING_RATIO 2.0f
#endif
/// Share of the sag that asks for stiffer springs with which they stay: half of the frequency lets the sag
/// grow fourfold.
#define KEPT_SHARE 0.2f
/// Impacts below this speed have no restitution, so that bodies come to rest. m/s
#define RESTITUTION_THRESHOLD 0.25f
/// Smaller steps run on one worker: starting the others costs more than it saves.
#define MIN_GROUPS_FOR_THREADS 16
#define MIN_BODY_ROWS_FOR_THREADS 32

/// How many groups ahead of the current one are prefetched.
#define GROUPS_AHEAD 2

static void FillContactGroup(const tdWorld* world, tdContactGroup* group)
{
    const tdBodyState* states = world->states;
    const int *touchingContacts = world->solver->sorted + group->firstContact, *slots = world->solver->slots;
    group->writeA = group->writeB = group->piecesA = group->piecesB = 0;
    for (int i = 0; i < TD_LANES; ++i)
    {
        if (i >= group->contactCount)
        {
            group->touching[i] = -1;
            group->bodyA[i] = group->bodyB[i] = 0;
            continue;
        }
        const tdTouchingContact* touching = world->touchingContacts.data + touchingContacts[i];
        int simA = tdMaxInt(touching->simA, 0), simB = tdMaxInt(touching->simB, 0);
        tdPrefetch(world->manifolds + touching->firstManifold, sizeof(tdContactManifold));
        tdPrefetch(world->sims + simA, 128);
        tdPrefetch(world->sims + simB, 128);
        group->touching[i] = touchingContacts[i];
        group->bodyA[i] = slots != NULL ? slots[simA] : simA;
        group->bodyB[i] = slots != NULL ? slots[simB] : simB;
        group->writeA |= simA > 0 && (states[simA].flags & TD_BODY_DYNAMIC) != 0 ? 1u << i : 0u;
        group->writeB |= simB > 0 && (states[simB].flags & TD_BODY_DYNAMIC) != 0 ? 1u << i : 0u;
    }
    if (world->touchingContacts.data[touchingContacts[0]].color == TD_COLOR_OVERFLOW)
    {
        tdContactGroup_CountPieces(group);
    }
}

static void FillContactGroups(const tdSolverStep* step, int start, int end)
{
    for (int g = start; g < end; ++g)
    {
        FillContactGroup(step->world, step->groups + g);
    }
}

static void PrepareContactGroups(const tdSolverStep* step, int start, int end)
{
    const tdKernels* kernels = step->world->solver->kernels;
    FillContactGroups(step, start, tdMinInt(start + GROUPS_AHEAD, end));
    for (int g = start; g < end; g += GROUPS_AHEAD)
    {
        int next = tdMinInt(g + GROUPS_AHEAD, end);
        FillContactGroups(step, next, tdMinInt(next + GROUPS_AHEAD, end));
        kernels->prepareContacts(step, g, next);
    }
}

static void StoreContactGroups(const tdSolverStep* step, int start, int end)
{
    const tdKernels* kernels = step->world->solver->kernels;
    for (int g = start; g < end; ++g)
    {
        const tdContactGroup* ahead = step->groups + tdMinInt(g + GROUPS_AHEAD, end - 1);
        for (int i = 0; i < ahead->contactCount; ++i)
        {
            tdPrefetch(step->manifolds + step->touchingContacts[ahead->touching[i]].firstManifold,
                       sizeof(tdContactManifold));
        }
        kernels->storeContacts(step, g, g + 1);
        const tdContactGroup* group = step->groups + g;
        for (int i = 0; i < group->contactCount; ++i)
        {
            tdWorld_TestTouching(step->world, group->touching[i]);
            const tdContactRow* row = &step->rows[group->firstRow].part[i / TD_ROW_LANES];
            int at = i % TD_ROW_LANES;
            tdStackSet_NoteLoad(step, &step->touchingContacts[group->touching[i]], row->invMassA[at],
                                row->invMassB[at]);
        }
    }
}

/// Rename the principal axes cyclically, so that y has the middle inertia.
static void RotatePrincipalAxes(tdQuat* frame, tdVec3* diagonal)
{
    tdVec3 d = *diagonal;
    if (!((d.x < d.y && d.x < d.z) || (d.x > d.y && d.x > d.z)) && d.x != d.y && d.x != d.z)
    {
        *frame = tdMulQuat(*frame, (tdQuat){-0.5f, -0.5f, -0.5f, 0.5f}); // z x y
        *diagonal = (tdVec3){d.z, d.x, d.y};
    }
    else if (d.x == d.z || (d.z > d.x && d.z < d.y) || (d.z < d.x && d.z > d.y))
    {
        *frame = tdMulQuat(*frame, (tdQuat){0.5f, 0.5f, 0.5f, 0.5f}); // y z x
        *diagonal = (tdVec3){d.y, d.z, d.x};
    }
}

static void PrepareBodyRows(const tdSolverStep* step, int start, int end)
{
    const tdWorld* world = step->world;
    float h = step->subStep;
    for (int r = start; r < end; ++r)
    {
        tdBodyRow* row = step->bodyRows + r;
        int32_t bodies[TD_LANES];
        memset(row, 0, sizeof(*row));
        tdPartitionSet_GetBodies(&world->solver->partitions, r, step->awakeCount, bodies);
        for (int i = 0; i < TD_LANES; ++i)
        {
            int body = row->body[i] = bodies[i];
            if (body > 0 && world->solver->slots != NULL)
            {
                row->body[i] = world->solver->slots[body];
                world->solver->slotStates[row->body[i]] = world->states[body];
            }
            row->frame[3][i] = 1.0f;
            row->lanes |= body > 0 ? 1u << i : 0u;
            if (body == 0 || (step->sims[body].flags & TD_BODY_DYNAMIC) == 0)
            {
                continue;
            }
            const tdBodySim* sim = step->sims + body;
            tdVec3 linear = {0.0f, 0.0f, 0.0f};
            if (sim->invMass > 0.0f)
            {
                linear =
                    tdMulAdd(tdScale(h * sim->gravityFactor, world->gravity), h * sim->invMass, sim->force);
            }
            const tdSym3* inv = &sim->invInertia;
            tdVec3 t = sim->torque;
            tdVec3 angular = {h * (inv->xx * t.x + inv->xy * t.y + inv->xz * t.z),
                              h * (inv->xy * t.x + inv->yy * t.y + inv->yz * t.z),
                              h * (inv->xz * t.x + inv->yz * t.y + inv->zz * t.z)};
            row->linearStep[0][i] = linear.x;
            row->linearStep[1][i] = linear.y;
            row->linearStep[2][i] = linear.z;
            row->angularStep[0][i] = angular.x;
            row->angularStep[1][i] = angular.y;
            row->angularStep[2][i] = angular.z;
            tdVec3 diagonal = sim->invInertiaDiagonal;
            bool turns = diagonal.x > 0.0f && diagonal.y > 0.0f && diagonal.z > 0.0f;
            if ((sim->flags & TD_BODY_GYROSCOPIC) != 0 && turns)
            {
                tdQuat frame = tdMulQuat(sim->transform.rotation, sim->inertiaOrientation);
                RotatePrincipalAxes(&frame, &diagonal);
                row->frame[0][i] = frame.x;
                row->frame[1][i] = frame.y;
                row->frame[2][i] = frame.z;
                row->frame[3][i] = frame.w;
                row->inertia[0][i] = 1.0f / diagonal.x;
                row->inertia[1][i] = 1.0f / diagonal.y;
                row->inertia[2][i] = 1.0f / diagonal.z;
                row->invInertia[0][i] = diagonal.x;
                row->invInertia[1][i] = diagonal.y;
                row->invInertia[2][i] = diagonal.z;
                row->gyroscopic[i] = 1.0f;
                row->anyGyroscopic = 1;
            }
        }
    }
}

static void UpdateBodyRows(const tdSolverStep* step, int start, int end)
{
    tdWorld* world = step->world;
    tdSolver* solver = world->solver;
    for (int r = start; r < end; ++r)
    {
        int32_t bodies[TD_LANES];
        uint32_t clamped = step->bodyRows[r].clamped;
        tdPartitionSet_GetBodies(&solver->partitions, r, step->awakeCount, bodies);
        for (int i = 0; i < TD_LANES && bodies[i] > 0; ++i)
        {
            if (solver->slots != NULL)
            {
                world->states[bodies[i]] = solver->slotStates[solver->slots[bodies[i]]];
            }
            clamped |= tdBodyState_ClampSpeeds(&world->states[bodies[i]]) ? 1u << i : 0u;
            tdWorld_UpdateBodies(world, bodies[i], bodies[i] + 1);
        }
        for (; clamped != 0; clamped &= clamped - 1)
        {
            atomic_fetch_add_explicit(&solver->clampedCount, 1, memory_order_relaxed);
        }
    }
}

// Partitions other than 0: one worker runs all passes of one.

static void SolvePartitions(const tdSolverStep* step, int start, int end)
{
    const tdWorld* world = step->world;
    const tdSolver* solver = world->solver;
    const tdKernels* kernels = solver->kernels;
    for (int p = start; p < end; ++p)
    {
        const tdPartition* partition = solver->partitions.items + p;
        int group = partition->firstGroup, groupEnd = group + partition->groupCount;
        int overflow = groupEnd - partition->overflowCount;
        int row = partition->firstBodyRow, rowEnd = row + partition->bodyRowCount;
        tdPartition_WriteGroups(world, partition, NULL);
        PrepareBodyRows(step, row, rowEnd);
        PrepareContactGroups(step, group, groupEnd);
        for (int i = 0; i < tdWorld_GetSubStepCount(world); ++i)
        {
            kernels->integrateVelocities(step, row, rowEnd);
            if (partition->bounces)
            {
                kernels->findImpacts(step, group, groupEnd);
                tdResolveImpacts(step, group, groupEnd);
            }
            kernels->warmStartContacts(step, group, overflow);
            tdOverflow_WarmStart(step, overflow, groupEnd);
            kernels->solveContacts(step, group, overflow);
            tdOverflow_Solve(step, overflow, groupEnd);
            kernels->integratePositions(step, row, rowEnd);
            kernels->relaxContacts(step, group, overflow);
            tdOverflow_Relax(step, overflow, groupEnd);
        }
        StoreContactGroups(step, group, groupEnd);
        UpdateBodyRows(step, row, rowEnd);
    }
}

// Partition 0: all workers, colour by colour.

/// The work ranges of a colour, one per worker. Only split colours have them; index TD_COLOR_COUNT is that of
/// the body rows.
static int* GetWorkRanges(const tdSolver* solver, int color)
{
    return solver->workRanges + color * (solver->schedule.workerCount + 1);
}

static bool IsSplitColor(const tdSolver* solver, int color)
{
    int count = solver->colorStart[color + 1] - solver->colorStart[color];
    return color != TD_COLOR_OVERFLOW && count > TD_GROUPS_PER_BLOCK;
}

static void SplitColors(const tdSolver* solver)
{
    for (int color = 0; color < TD_COLOR_COUNT; ++color)
    {
        if (IsSplitColor(solver, color))
        {
            tdSchedule_SplitRange(&solver->schedule, solver->colorStart[color], solver->colorStart[color + 1],
                                  solver->groupCosts, GetWorkRanges(solver, color));
        }
    }
}

/// Add a pass over all colours of contacts. Consecutive small colours run as one block on one worker.
static void AddContactPass(tdSolver* solver, tdKernelFcn* run, tdKernelFcn* runOverflow)
{
    int serialStart = 0;
    for (int color = 0; color < TD_COLOR_COUNT; ++color)
    {
        if (IsSplitColor(solver, color))
        {
            int start = solver->colorStart[color];
            tdSchedule_AddPass(&solver->schedule, run, serialStart, start, tdMaxInt(start - serialStart, 1));
            tdSchedule_AddSplitPass(&solver->schedule, run, GetWorkRanges(solver, color),
                                    TD_GROUPS_PER_BLOCK);
            serialStart = solver->colorStart[color + 1];
        }
    }
    int overflow = solver->colorStart[TD_COLOR_OVERFLOW], end = solver->colorStart[TD_COLOR_OVERFLOW + 1];
    tdSchedule_AddPass(&solver->schedule, run, serialStart, overflow, tdMaxInt(overflow - serialStart, 1));
    tdSchedule_AddPass(&solver->schedule, runOverflow, overflow, end, tdMaxInt(end - overflow, 1));
}

static void AddBodyPass(tdSolver* solver, tdKernelFcn* run)
{
    tdSchedule_AddSplitPass(&solver->schedule, run, GetWorkRanges(solver, TD_COLOR_COUNT),
                            TD_BODY_ROWS_PER_BLOCK);
}

/// The search for impacts by all workers, then their resolution by one.
static void AddImpactPasses(tdSolver* solver, const tdPartition* shared)
{
    int start = shared->firstGroup, end = start + shared->groupCount;
    if (shared->bounces && end > start)
    {
        tdSchedule_AddPass(&solver->schedule, solver->kernels->findImpacts, start, end, TD_GROUPS_PER_BLOCK);
        tdSchedule_AddPass(&solver->schedule, tdResolveImpacts, start, end, end - start);
    }
}

static void LayOutPasses(tdWorld* world)
{
    tdSolver* solver = world->solver;
    tdSchedule* schedule = &solver->schedule;
    const tdKernels* kernels = solver->kernels;
    const tdPartition* shared = &solver->partitions.items[0];
    int bodyRows = shared->bodyRowCount;
    tdPartition_WriteGroups(world, shared, solver->colorStart);
    SplitColors(solver);
    tdSchedule_SplitRange(schedule, 0, bodyRows, NULL, GetWorkRanges(solver, TD_COLOR_COUNT));
    tdSchedule_Begin(schedule, &solver->step);
    tdSchedule_AddPass(schedule, SolvePartitions, 1, solver->partitions.count, 1);
    int first = schedule->count;
    AddBodyPass(solver, PrepareBodyRows);
    tdJointSet_AddPass(world, TD_JOINT_PASS_PREPARE);
    // By colour, so that the worker that solves a row also prepares it.
    AddContactPass(solver, PrepareContactGroups, PrepareContactGroups);
    tdSchedule_RunTogether(schedule, first);
    int stackCount = solver->stacks.count;
    tdSchedule_AddPass(schedule, tdStacks_Collect, 0, stackCount > 0 ? 1 : 0, 1);
    tdSchedule_AddPass(schedule, tdStacks_Factor, 0, stackCount, 1);
    for (int i = 0; i < tdWorld_GetSubStepCount(world); ++i)
    {
        AddBodyPass(solver, kernels->integrateVelocities);
        AddImpactPasses(solver, shared);
        tdJointSet_AddPass(world, TD_JOINT_PASS_WARM_START);
        AddContactPass(solver, kernels->warmStartContacts, tdOverflow_WarmStart);
        tdSchedule_AddPass(schedule, tdStacks_Solve, 0, stackCount, 1);
        tdJointSet_AddPass(world, TD_JOINT_PASS_SOLVE);
        AddContactPass(solver, kernels->solveContacts, tdOverflow_Solve);
        tdJointSet_AddPass(world, TD_JOINT_PASS_RESOLVE_TREES);
        AddBodyPass(solver, kernels->integratePositions);
        tdJointSet_AddPass(world, TD_JOINT_PASS_RELAX);
        AddContactPass(solver, kernels->relaxContacts, tdOverflow_Relax);
        tdJointSet_AddPass(world, TD_JOINT_PASS_RELAX_TREES);
    }
    tdSchedule_AddPass(schedule, tdStacks_Push, 0, stackCount, 1);
    tdJointSet_AddPass(world, TD_JOINT_PASS_STORE);
    // Contacts read velocities that the update of the bodies may clamp: not together.
    AddContactPass(solver, StoreContactGroups, StoreContactGroups);
    AddBodyPass(solver, UpdateBodyRows);
    if (first > 0)
    {
        // The other partitions are independent of partition 0: wait for them only at the end.
        schedule->passes[0].waitFrom = -1;
        schedule->passes[schedule->count - 1].waitFrom = 0;
    }
}

void tdWorld_RunSubSteps(tdWorld* world, float timeStep)
{
    tdSolver* solver = world->solver;
    if (world->awakeCount <= 1)
    {
        return;
    }
    float subStep = timeStep / (float)tdWorld_GetSubStepCount(world);
    float invSubStep = subStep > 0.0f ? 1.0f / subStep : 0.0f;
    float hertz = tdWorld_GetContactHertz(world, timeStep);
    solver->step = (tdSolverStep){
        .timeStep = timeStep,
        .subStep = subStep,
        .invSubStep = invSubStep,
        .contactSoftness = tdMakeSoftness(hertz, CONTACT_DAMPING_RATIO, subStep),
        .staticSoftness = tdMakeSoftness(2.0f * hertz, 0.5f * CONTACT_DAMPING_RATIO, subStep),
        .jointSoftness = tdMakeSoftness(JOINT_HERTZ_FRACTION * invSubStep, JOINT_DAMPING_RATIO, subStep),
        .maxLinearCorrection = TD_MAX_LINEAR_CORRECTION,
        .maxTurnCorrection = TD_MAX_TURN_CORRECTION,
        .maxPushSpeed = MAX_PUSH_SPEED,
        .restitutionThreshold = RESTITUTION_THRESHOLD,
        .states = (float*)world->states,
        .sims = world->sims,
        .restSims = world->restSims,
        .tilts = world->tilts,
        .touchingContacts = world->touchingContacts.data,
        .manifolds = world->manifolds,
        .groups = solver->groups,
        .rows = solver->rows,
        .bodyRows = solver->bodyRows,
        .softSag = tdWorld_GetSoftSag(world),
        .keptSag = KEPT_SHARE * tdWorld_GetSoftSag(world),
        .needsSprings = &solver->needsSprings,
        .awakeCount = world->awakeCount,
        .world = world,
    };
    solver->step.contactCompliance = tdSoftness_GetCompliance(&solver->step.contactSoftness);
    solver->step.staticCompliance = tdSoftness_GetCompliance(&solver->step.staticSoftness);
    atomic_store_explicit(&solver->clampedCount, 0, memory_order_relaxed);
    tdStackSet_LayOut(world);
    tdPartitionSet_LayOut(world);
    // Joints index states by awake index, so they exclude the order by regions.
    bool hasSlots =
        solver->partitions.isWhole && solver->partitions.regionCount > 1 && world->joints->liveCount == 0;
    solver->slots = hasSlots ? solver->partitions.slots : NULL;
    if (hasSlots)
    {
        solver->slotStates[0] = world->states[0];
        solver->step.states = (float*)solver->slotStates;
    }
    tdJointSet_LayOut(world);
    LayOutPasses(world);
    bool isLarge = world->touchingContacts.count >= MIN_GROUPS_FOR_THREADS * TD_LANES ||
                   world->awakeCount >= MIN_BODY_ROWS_FOR_THREADS * TD_LANES;
    tdSchedule_Run(&solver->schedule, isLarge ? world->tasks : NULL);
    tdJointSet_Finish(world);
    world->stats.clampedCount = atomic_load_explicit(&solver->clampedCount, memory_order_relaxed);
}
