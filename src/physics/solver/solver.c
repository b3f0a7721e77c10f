// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The sub-stepped soft-constraint solver: colours, the layout of a step's constraints, and the order of its
// passes.
//
//   once        prepare bodies, joints, contacts
//   sub-step    velocities: gravity, forces
//               warm start: the impulses of the last sub-step again
//               solve:      velocities satisfy the constraints, errors of position decay as soft springs
//               positions:  deltas of all bodies
//               relax:      the same without springs, with friction: takes out the speed the springs put in
//   once        restitution, impulses stored, bodies finalised
//
// Joints come before contacts in each pass, contact with what cannot move comes last. The idea of solving
// soft constraints once per small sub-step and relaxing is that of E. Catto's "Solver2D" comparison (2024).
#include "base/cpu.h"
#include "base/prefetch.h"
#include "math/trig.h"
#include "physics/joint/joint.h"
#include "physics/solver/solver_data.h"

#include <string.h>

/// Contact springs. Hertz is cut to an eighth of the sub-step rate.
#define CONTACT_HERTZ 30.0f
#define CONTACT_DAMPING_RATIO 10.0f
#define MAX_PUSH_SPEED 3.0f
/// Springs of hard joint rows: this share of the sub-step rate.
#ifndef JOINT_HERTZ_SHARE
#define JOINT_HERTZ_SHARE 0.25f
#define JOINT_DAMPING_RATIO 2.0f
#endif
/// Slower impacts do not bounce, so that bodies come to rest. m/s
#define RESTITUTION_THRESHOLD 0.25f
#define RESTITUTION_PASSES 4
/// Below this many groups and body rows a step is not worth sharing.
#define MIN_GROUPS_FOR_THREADS 16
#define MIN_BODY_ROWS_FOR_THREADS 32

// A mass m on a spring with angular frequency o and damping ratio z, implicit Euler over h:
//   v' = v - h (o^2 (x + h v') + 2 z o v')
// As a constraint with accumulated impulse P = m (v' - v):  P = -m ms (v + b x) - is P0 with
//   a1 = 2 z + h o,  a2 = h o a1,  b = o / a1,  ms = a2 / (1 + a2),  is = 1 / (1 + a2)
tdSoftness tdMakeSoftness(float hertz, float dampingRatio, float timeStep)
{
    if (!(hertz > 0.0f))
    {
        return (tdSoftness){0.0f, 1.0f, 0.0f};
    }
    float omega = 2.0f * TD_PI * hertz;
    float a1 = 2.0f * dampingRatio + timeStep * omega;
    float a2 = timeStep * omega * a1;
    float a3 = 1.0f / (1.0f + a2);
    return (tdSoftness){omega / a1, a2 * a3, a3};
}

const tdKernels* tdGetKernels(tdSimd simd)
{
    const tdKernels* kernels = NULL;
    if (simd == TD_SIMD_AVX2)
    {
        kernels = tdGetKernelsAvx2();
    }
    if (kernels == NULL && (simd == TD_SIMD_SSE2 || simd == TD_SIMD_AVX2))
    {
        kernels = tdGetKernelsSse2();
    }
    return kernels != NULL ? kernels : tdGetKernelsScalar();
}

// Memory.

bool tdSolver_Grow(tdWorld* world, void** memory, int* capacity, int count, int wanted, size_t elementSize)
{
    if (wanted <= *capacity)
    {
        return true;
    }
    int larger = tdMaxInt(wanted, *capacity + *capacity / 2);
    size_t bytes;
    if (!tdMultiplySizes((size_t)larger, elementSize, &bytes))
    {
        return false;
    }
    void* grown = tdAllocate(&world->allocator, bytes, 64);
    if (grown == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(grown, *memory, (size_t)count * elementSize);
    }
    tdRelease(&world->allocator, *memory, (size_t)*capacity * elementSize);
    *memory = grown;
    *capacity = larger;
    return true;
}

bool tdSolver_Create(tdWorld* world)
{
    tdSolver* solver = tdAllocateZeroed(&world->allocator, sizeof(tdSolver), 64);
    if (solver == NULL)
    {
        return false;
    }
    solver->kernels = tdGetKernels(tdCpu_ResolveSimd(world->def.simd));
    world->solver = solver;
    if (!tdJointSet_Create(world))
    {
        tdSolver_Destroy(world);
        return false;
    }
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
    tdJointSet_Destroy(world);
    tdRelease(allocator, solver->contactColors, (size_t)solver->bodyCapacity * sizeof(uint64_t));
    tdRelease(allocator, solver->jointColors, (size_t)solver->bodyCapacity * sizeof(uint64_t));
    tdRelease(allocator, solver->sorted, (size_t)solver->sortedCapacity * sizeof(int));
    tdRelease(allocator, solver->groups, (size_t)solver->groupCapacity * sizeof(tdContactGroup));
    tdRelease(allocator, solver->groupCosts, (size_t)solver->groupCostCapacity * sizeof(int));
    tdRelease(allocator, solver->shares, (size_t)solver->shareCapacity * sizeof(int));
    tdRelease(allocator, solver->rows, (size_t)solver->rowCapacity * sizeof(tdContactRows));
    tdRelease(allocator, solver->slotStates, (size_t)solver->slotStateCapacity * sizeof(tdBodyState));
    tdRelease(allocator, solver->bodyRows, (size_t)solver->bodyRowCapacity * sizeof(tdBodyRow));
    tdStages_Free(&solver->stages, allocator);
    tdParts_Free(&solver->parts, allocator);
    tdRelease(allocator, solver, sizeof(tdSolver));
    world->solver = NULL;
}

bool tdSolver_ReserveBodies(tdWorld* world, int bodyCount)
{
    tdSolver* solver = world->solver;
    int old = solver->bodyCapacity;
    if (bodyCount <= old)
    {
        return true;
    }
    int capacity = tdMaxInt(bodyCount, old + old / 2 + 16);
    size_t bytes = (size_t)capacity * sizeof(uint64_t), oldBytes = (size_t)old * sizeof(uint64_t);
    uint64_t* contactColors = tdAllocateZeroed(&world->allocator, bytes, 64);
    uint64_t* jointColors = tdAllocateZeroed(&world->allocator, bytes, 64);
    if (contactColors == NULL || jointColors == NULL)
    {
        tdRelease(&world->allocator, contactColors, bytes);
        tdRelease(&world->allocator, jointColors, bytes);
        return false;
    }
    if (old > 0)
    {
        memcpy(contactColors, solver->contactColors, oldBytes);
        memcpy(jointColors, solver->jointColors, oldBytes);
    }
    tdRelease(&world->allocator, solver->contactColors, oldBytes);
    tdRelease(&world->allocator, solver->jointColors, oldBytes);
    solver->contactColors = contactColors;
    solver->jointColors = jointColors;
    solver->bodyCapacity = capacity;
    return true;
}

/// Most groups and rows a step may use. Touches of a colour are sorted by their number of manifolds, so the
/// rows of a group are at most the mean of the group before it; the first group of each colour comes on top.
static int MaxGroups(const tdSolver* solver, int contactCount)
{
    int perLane =
        contactCount / TD_LANES + contactCount / (4 * TD_LANES); // parts have groups that are not full
    return tdMinInt(contactCount, perLane + TD_COLOR_COUNT + solver->overflowCount + 256);
}

static int MaxRows(const tdSolver* solver, int manifoldCount)
{
    int perLane = manifoldCount / TD_LANES + manifoldCount / (4 * TD_LANES);
    return tdMinInt(manifoldCount, perLane + TD_COLOR_COUNT + solver->overflowCount + 1024);
}

bool tdSolver_Reserve(tdWorld* world, int bodyCount, int contactCount, int manifoldCount)
{
    tdSolver* solver = world->solver;
    // Per sub-step three passes over at most all colours: contacts, single joints, two stages of joint
    // groups.
    solver->groupLimit = MaxGroups(solver, contactCount);
    solver->rowLimit = MaxRows(solver, manifoldCount);
    int perPass = tdMinInt(4 * (TD_COLOR_COUNT + 1), solver->groupLimit + tdJointSet_GetCount(world) + 1);
    int stages = (3 * world->subStepCount + 2 + RESTITUTION_PASSES) * perPass + 2 * world->subStepCount +
                 TD_STAGE_CAPACITY_MARGIN;
    if (!tdParts_Reserve(&solver->parts, world, contactCount))
    {
        return false;
    }
    int bodyRows = world->bodyCapacity / TD_LANES + 1 + solver->parts.capacity; // each part begins a row
    return tdSolver_ReserveBodies(world, bodyCount) &&
           tdSolver_Grow(world, (void**)&solver->sorted, &solver->sortedCapacity, 0, contactCount,
                         sizeof(int)) &&
           tdSolver_Grow(world, (void**)&solver->groups, &solver->groupCapacity, 0, solver->groupLimit,
                         sizeof(tdContactGroup)) &&
           tdSolver_Grow(world, (void**)&solver->groupCosts, &solver->groupCostCapacity, 0,
                         solver->groupLimit + 1, sizeof(int)) &&
           tdSolver_Grow(world, (void**)&solver->shares, &solver->shareCapacity, 0,
                         (TD_COLOR_COUNT + 1) * (world->workerCount + 1), sizeof(int)) &&
           tdSolver_Grow(world, (void**)&solver->rows, &solver->rowCapacity, 0, solver->rowLimit,
                         sizeof(tdContactRows)) &&
           tdSolver_Grow(world, (void**)&solver->bodyRows, &solver->bodyRowCapacity, 0, bodyRows,
                         sizeof(tdBodyRow)) &&
           tdSolver_Grow(world, (void**)&solver->slotStates, &solver->slotStateCapacity, 0,
                         world->workerCount > 1 ? world->bodyCapacity : 0, sizeof(tdBodyState)) &&
           tdStages_Reserve(&solver->stages, world, stages) && tdJointSet_Reserve(world);
}

// Colours.

int tdSolver_TakeColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB)
{
    uint64_t taken = (isDynamicA ? colors[bodyA] : 0) | (isDynamicB ? colors[bodyB] : 0);
    if (taken == UINT64_MAX)
    {
        return TD_COLOR_OVERFLOW;
    }
    int color = 0;
    if (isDynamicA && isDynamicB)
    {
        while ((taken >> color & 1u) != 0)
        {
            color += 1;
        }
    }
    else
    {
        color = TD_COLOR_COUNT - 1;
        while ((taken >> color & 1u) != 0)
        {
            color -= 1;
        }
    }
    uint64_t bit = (uint64_t)1 << color;
    if (isDynamicA)
    {
        colors[bodyA] |= bit;
    }
    if (isDynamicB)
    {
        colors[bodyB] |= bit;
    }
    return color;
}

void tdSolver_GiveColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB, int color)
{
    if (color == TD_COLOR_OVERFLOW)
    {
        return;
    }
    uint64_t bit = (uint64_t)1 << color;
    if (isDynamicA)
    {
        colors[bodyA] &= ~bit;
    }
    if (isDynamicB)
    {
        colors[bodyB] &= ~bit;
    }
}

static bool IsDynamic(const tdWorld* world, int body)
{
    return world->bodies.data[body].motion == TD_MOTION_DYNAMIC;
}

void tdSolver_AddContact(tdWorld* world, int contactIndex)
{
    tdSolver* solver = world->solver;
    tdContact* contact = world->contacts.data + contactIndex;
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    int color = tdSolver_TakeColor(solver->contactColors, bodyA, bodyB, IsDynamic(world, bodyA),
                                   IsDynamic(world, bodyB));
    contact->color = (uint8_t)color;
    solver->overflowCount += color == TD_COLOR_OVERFLOW ? 1 : 0;
}

void tdSolver_RemoveContact(tdWorld* world, int contactIndex)
{
    tdSolver* solver = world->solver;
    tdContact* contact = world->contacts.data + contactIndex;
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    tdSolver_GiveColor(solver->contactColors, bodyA, bodyB, IsDynamic(world, bodyA), IsDynamic(world, bodyB),
                       contact->color);
    solver->overflowCount -= contact->color == TD_COLOR_OVERFLOW ? 1 : 0;
}

// The layout of a step.

/// Groups whose memory is asked for while the ones before are worked on.
#define GROUPS_AHEAD 2

static void FillGroup(const tdWorld* world, tdContactGroup* group)
{
    const tdBodyState* states = world->states;
    const int *touches = world->solver->sorted + group->firstTouch, *slots = world->solver->slots;
    group->writeA = group->writeB = group->piecesA = group->piecesB = 0;
    for (int i = 0; i < TD_LANES; ++i)
    {
        if (i >= group->touchCount)
        {
            group->touch[i] = -1;
            group->bodyA[i] = group->bodyB[i] = 0;
            continue;
        }
        const tdTouch* touch = world->touches.data + touches[i];
        int simA = tdMaxInt(touch->simA, 0), simB = tdMaxInt(touch->simB, 0);
        tdPrefetch(world->manifolds + touch->firstManifold, sizeof(tdContactManifold));
        tdPrefetch(world->sims + simA, 128);
        tdPrefetch(world->sims + simB, 128);
        group->touch[i] = touches[i];
        group->bodyA[i] = slots != NULL ? slots[simA] : simA;
        group->bodyB[i] = slots != NULL ? slots[simB] : simB;
        group->writeA |= simA > 0 && (states[simA].flags & TD_BODY_DYNAMIC) != 0 ? 1u << i : 0u;
        group->writeB |= simB > 0 && (states[simB].flags & TD_BODY_DYNAMIC) != 0 ? 1u << i : 0u;
    }
    if (world->touches.data[touches[0]].color == TD_COLOR_OVERFLOW)
    {
        tdContactGroup_CountPieces(group);
    }
}

static void FillGroups(const tdSolverStep* step, int start, int end)
{
    for (int g = start; g < end; ++g)
    {
        FillGroup(step->world, step->groups + g);
    }
}

static void PrepareContacts(const tdSolverStep* step, int start, int end)
{
    const tdKernels* kernels = step->world->solver->kernels;
    FillGroups(step, start, tdMinInt(start + GROUPS_AHEAD, end));
    for (int g = start; g < end; g += GROUPS_AHEAD)
    {
        int next = tdMinInt(g + GROUPS_AHEAD, end);
        FillGroups(step, next, tdMinInt(next + GROUPS_AHEAD, end));
        kernels->prepareContacts(step, g, next);
    }
}

static void StoreContacts(const tdSolverStep* step, int start, int end)
{
    const tdKernels* kernels = step->world->solver->kernels;
    for (int g = start; g < end; ++g)
    {
        const tdContactGroup* ahead = step->groups + tdMinInt(g + GROUPS_AHEAD, end - 1);
        for (int i = 0; i < ahead->touchCount; ++i)
        {
            tdPrefetch(step->manifolds + step->touches[ahead->touch[i]].firstManifold,
                       sizeof(tdContactManifold));
        }
        kernels->storeContacts(step, g, g + 1);
        const tdContactGroup* group = step->groups + g;
        for (int i = 0; i < group->touchCount; ++i)
        {
            tdWorld_TestTouching(step->world, group->touch[i]);
        }
    }
}

/// Name the principal axes anew, in turn, so that y has the middle one of the inertias.
static void PutMiddleAxisSecond(tdQuat* frame, tdVec3* diagonal)
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

static void PrepareBodies(const tdSolverStep* step, int start, int end)
{
    const tdWorld* world = step->world;
    float h = step->subStep;
    for (int r = start; r < end; ++r)
    {
        tdBodyRow* row = step->bodyRows + r;
        int32_t bodies[TD_LANES];
        memset(row, 0, sizeof(*row));
        tdParts_GetBodies(&world->solver->parts, r, step->awakeCount, bodies);
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
                PutMiddleAxisSecond(&frame, &diagonal);
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

static void FinalizeBodies(const tdSolverStep* step, int start, int end)
{
    tdWorld* world = step->world;
    const tdSolver* solver = world->solver;
    for (int r = start; r < end; ++r)
    {
        int32_t bodies[TD_LANES];
        tdParts_GetBodies(&solver->parts, r, step->awakeCount, bodies);
        for (int i = 0; i < TD_LANES && bodies[i] > 0; ++i)
        {
            if (solver->slots != NULL)
            {
                world->states[bodies[i]] = solver->slotStates[solver->slots[bodies[i]]];
            }
            tdWorld_FinalizeBodies(world, bodies[i], bodies[i] + 1, 0);
        }
    }
}

// Parts that one worker solves alone: all passes in a row.

static void SolveParts(const tdSolverStep* step, int start, int end)
{
    const tdWorld* world = step->world;
    const tdSolver* solver = world->solver;
    const tdKernels* kernels = solver->kernels;
    for (int p = start; p < end; ++p)
    {
        const tdPart* part = solver->parts.parts + p;
        int group = part->firstGroup, groupEnd = group + part->groupCount;
        int overflow = groupEnd - part->overflowCount;
        int row = part->firstBodyRow, rowEnd = row + part->bodyRowCount;
        tdPart_WriteGroups(world, part, NULL);
        PrepareBodies(step, row, rowEnd);
        PrepareContacts(step, group, groupEnd);
        for (int i = 0; i < world->subStepCount; ++i)
        {
            kernels->integrateVelocities(step, row, rowEnd);
            kernels->warmStartContacts(step, group, overflow);
            tdOverflow_WarmStart(step, overflow, groupEnd);
            kernels->solveContacts(step, group, overflow);
            tdOverflow_Solve(step, overflow, groupEnd);
            kernels->integratePositions(step, row, rowEnd);
            kernels->relaxContacts(step, group, overflow);
            tdOverflow_Relax(step, overflow, groupEnd);
        }
        for (int i = 0; part->bounces && i < RESTITUTION_PASSES; ++i)
        {
            kernels->restituteContacts(step, group, overflow);
            tdOverflow_Restitute(step, overflow, groupEnd);
        }
        StoreContacts(step, group, groupEnd);
        FinalizeBodies(step, row, rowEnd);
    }
}

// Part 0, colour by colour.

/// What each worker does of a colour; colours too small to share have none.
static int* GetShares(const tdSolver* solver, int color)
{
    return solver->shares + color * (solver->stages.workerCount + 1);
}

static bool IsShared(const tdSolver* solver, int color)
{
    int count = solver->colorStart[color + 1] - solver->colorStart[color];
    return color != TD_COLOR_OVERFLOW && count > TD_GROUPS_PER_BLOCK;
}

static void SplitColors(const tdSolver* solver)
{
    for (int color = 0; color < TD_COLOR_COUNT; ++color)
    {
        if (IsShared(solver, color))
        {
            tdStages_Split(&solver->stages, solver->colorStart[color], solver->colorStart[color + 1],
                           solver->groupCosts, GetShares(solver, color));
        }
    }
}

/// One pass over all colours of contacts. Neighbouring colours too small to share run as one block.
static void AddContactPass(tdSolver* solver, tdKernelFcn* run, tdKernelFcn* runOverflow)
{
    int serialStart = 0;
    for (int color = 0; color < TD_COLOR_COUNT; ++color)
    {
        if (IsShared(solver, color))
        {
            int start = solver->colorStart[color];
            tdStages_Add(&solver->stages, run, serialStart, start, tdMaxInt(start - serialStart, 1));
            tdStages_AddShares(&solver->stages, run, GetShares(solver, color), TD_GROUPS_PER_BLOCK);
            serialStart = solver->colorStart[color + 1];
        }
    }
    int overflow = solver->colorStart[TD_COLOR_OVERFLOW], end = solver->colorStart[TD_COLOR_OVERFLOW + 1];
    tdStages_Add(&solver->stages, run, serialStart, overflow, tdMaxInt(overflow - serialStart, 1));
    tdStages_Add(&solver->stages, runOverflow, overflow, end, tdMaxInt(end - overflow, 1));
}

static void AddBodyPass(tdSolver* solver, tdKernelFcn* run)
{
    tdStages_AddShares(&solver->stages, run, GetShares(solver, TD_COLOR_COUNT), TD_BODY_ROWS_PER_BLOCK);
}

static void LayOutStages(tdWorld* world)
{
    tdSolver* solver = world->solver;
    tdStageList* stages = &solver->stages;
    const tdKernels* kernels = solver->kernels;
    const tdPart* shared = &solver->parts.parts[0];
    int bodyRows = shared->bodyRowCount;
    tdPart_WriteGroups(world, shared, solver->colorStart);
    SplitColors(solver);
    tdStages_Split(stages, 0, bodyRows, NULL, GetShares(solver, TD_COLOR_COUNT));
    tdStages_Begin(stages, &solver->step);
    tdStages_Add(stages, SolveParts, 1, solver->parts.count, 1);
    int first = stages->count;
    AddBodyPass(solver, PrepareBodies);
    tdJointSet_AddPass(world, TD_JOINT_PASS_PREPARE);
    // By colour, as it is solved, so that rows are made where they will be used.
    AddContactPass(solver, PrepareContacts, PrepareContacts);
    tdStages_RunTogether(stages, first);
    for (int i = 0; i < world->subStepCount; ++i)
    {
        AddBodyPass(solver, kernels->integrateVelocities);
        tdJointSet_AddPass(world, TD_JOINT_PASS_WARM_START);
        AddContactPass(solver, kernels->warmStartContacts, tdOverflow_WarmStart);
        tdJointSet_AddPass(world, TD_JOINT_PASS_SOLVE);
        AddContactPass(solver, kernels->solveContacts, tdOverflow_Solve);
        AddBodyPass(solver, kernels->integratePositions);
        tdJointSet_AddPass(world, TD_JOINT_PASS_RELAX);
        AddContactPass(solver, kernels->relaxContacts, tdOverflow_Relax);
    }
    for (int i = 0; shared->bounces && i < RESTITUTION_PASSES; ++i)
    {
        AddContactPass(solver, kernels->restituteContacts, tdOverflow_Restitute);
    }
    tdJointSet_AddPass(world, TD_JOINT_PASS_STORE);
    int last = stages->count;
    AddContactPass(solver, StoreContacts, StoreContacts);
    AddBodyPass(solver, FinalizeBodies);
    tdStages_RunTogether(stages, last);
    if (first > 0)
    {
        // The other parts have nothing to do with this one; only the end is common.
        stages->stages[0].waitFrom = -1;
        stages->stages[stages->count - 1].waitFrom = 0;
    }
}

void tdSolver_Solve(tdWorld* world, float timeStep)
{
    tdSolver* solver = world->solver;
    if (world->awakeCount <= 1)
    {
        return;
    }
    float subStep = timeStep / (float)world->subStepCount;
    float invSubStep = subStep > 0.0f ? 1.0f / subStep : 0.0f;
    float hertz = tdMinFloat(CONTACT_HERTZ, 0.125f * invSubStep);
    solver->step = (tdSolverStep){
        .timeStep = timeStep,
        .subStep = subStep,
        .invSubStep = invSubStep,
        .contactSoftness = tdMakeSoftness(hertz, CONTACT_DAMPING_RATIO, subStep),
        .staticSoftness = tdMakeSoftness(2.0f * hertz, 0.5f * CONTACT_DAMPING_RATIO, subStep),
        .jointSoftness = tdMakeSoftness(JOINT_HERTZ_SHARE * invSubStep, JOINT_DAMPING_RATIO, subStep),
        .maxLinearCorrection = TD_MAX_LINEAR_CORRECTION,
        .maxTurnCorrection = TD_MAX_TURN_CORRECTION,
        .maxPushSpeed = MAX_PUSH_SPEED,
        .restitutionThreshold = RESTITUTION_THRESHOLD,
        .states = (float*)world->states,
        .sims = world->sims,
        .restSims = world->restSims,
        .touches = world->touches.data,
        .manifolds = world->manifolds,
        .groups = solver->groups,
        .rows = solver->rows,
        .bodyRows = solver->bodyRows,
        .awakeCount = world->awakeCount,
        .world = world,
    };
    tdParts_LayOut(world);
    // Joints find their bodies by awake index.
    bool hasSlots = solver->parts.isWhole && solver->parts.slabCount > 1 && tdJointSet_GetCount(world) == 0;
    solver->slots = hasSlots ? solver->parts.slots : NULL;
    if (hasSlots)
    {
        solver->slotStates[0] = world->states[0];
        solver->step.states = (float*)solver->slotStates;
    }
    tdJointSet_LayOut(world);
    LayOutStages(world);
    bool isLarge = world->touches.count >= MIN_GROUPS_FOR_THREADS * TD_LANES ||
                   world->awakeCount >= MIN_BODY_ROWS_FOR_THREADS * TD_LANES;
    tdStages_Run(&solver->stages, isLarge ? world->tasks : NULL);
    tdJointSet_Finish(world);
}
