// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints in a step: colours and groups of the joints that act, their solver passes, and breaking.
#include "physics/joint/joint_step.h"

#include "physics/data/color.h"
#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/island/island.h"
#include "physics/joint/joint.h"
#include "physics/joint/joint_forest.h"
#include "physics/joint/joint_groups.h"
#include "physics/joint/joint_solve.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/constraint_graph.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/joint_group.h"
#include "physics/solver/kernels.h"
#include "physics/solver/schedule.h"
#include "physics/solver/solver_data.h"

#include <math.h>

bool tdJoint_IsMovable(const tdWorld* world, int body)
{
    if (body < 0)
    {
        return false;
    }
    int simIndex = world->bodies.data[body].simIndex;
    return simIndex > 0 && (world->sims[simIndex].flags & TD_BODY_DYNAMIC) != 0;
}

bool tdJoint_CanAct(const tdJoint* joint)
{
    return joint->isLive && !joint->isBroken && joint->bodyA != joint->bodyB;
}

/// Generic joints per block of the schedule.
#define JOINTS_PER_BLOCK 16
#define SORT_KEYS ((TD_COLOR_COUNT + 1) * TD_SIGNATURE_COUNT)

static int GetSortKey(const tdJoint* joint)
{
    bool isSerial = joint->color == TD_COLOR_OVERFLOW;
    return joint->color * TD_SIGNATURE_COUNT + (isSerial ? TD_SIGNATURE_GENERIC : joint->signature);
}

/// Colours all joints that act in this step, greedily in the order of the joints. Joints are few, so
/// colouring them in every step is cheaper than updating colours when bodies sleep, wake or change their
/// motion type.
static void ColorJoints(tdWorld* world, int* counts)
{
    tdSolver* solver = world->solver;
    tdJointSet* set = world->joints;
    uint64_t* colors = solver->jointColors;
    for (int i = 0; i < set->joints.count; ++i)
    {
        const tdJoint* joint = set->joints.data + i;
        if (joint->isLive && joint->bodyA >= 0)
        {
            colors[joint->bodyA] = 0;
        }
        if (joint->isLive && joint->bodyB >= 0)
        {
            colors[joint->bodyB] = 0;
        }
    }
    for (int i = 0; i < set->joints.count; ++i)
    {
        tdJoint* joint = set->joints.data + i;
        joint->color = TD_COLOR_NONE;
        if (!tdJoint_CanAct(joint))
        {
            continue;
        }
        bool movableA = tdJoint_IsMovable(world, joint->bodyA),
             movableB = tdJoint_IsMovable(world, joint->bodyB);
        if (joint->tree >= 0)
        {
            joint->color = movableA || movableB ? TD_COLOR_TREE : TD_COLOR_NONE;
        }
        else if (movableA || movableB)
        {
            joint->color = (uint8_t)tdConstraintGraph_TakeColor(colors, joint->bodyA, joint->bodyB, movableA,
                                                                movableB, 0);
            counts[GetSortKey(joint)] += 1;
        }
    }
}

void tdJointSet_LayOut(tdWorld* world)
{
    tdJointSet* set = world->joints;
    int counts[SORT_KEYS] = {0}, starts[SORT_KEYS + 1];
    ColorJoints(world, counts);
    int total = 0;
    for (int key = 0; key < SORT_KEYS; ++key)
    {
        starts[key] = total;
        total += counts[key];
        counts[key] = starts[key];
    }
    starts[SORT_KEYS] = total;
    set->activeCount = total;
    for (int i = 0; i < set->joints.count; ++i)
    {
        const tdJoint* joint = set->joints.data + i;
        if (joint->color < TD_COLOR_TREE)
        {
            set->active[counts[GetSortKey(joint)]++] = i;
        }
    }
    set->groupCount = set->limitCount = set->turnCount = 0;
    for (int color = 0; color <= TD_COLOR_COUNT; ++color)
    {
        set->groupStart[color] = set->groupCount;
        for (int signature = 0; signature < TD_SIGNATURE_GENERIC; ++signature)
        {
            int key = color * TD_SIGNATURE_COUNT + signature;
            for (int at = starts[key]; at < starts[key + 1]; at += TD_LANES)
            {
                tdJointGroup* group = set->groups + set->groupCount;
                *group = (tdJointGroup){.limitRow = -1, .turnRow = -1};
                for (int lane = 0; lane < TD_LANES; ++lane)
                {
                    group->joint[lane] = at + lane < starts[key + 1] ? set->active[at + lane] : -1;
                }
                if (signature == TD_SIGNATURE_LIMITED)
                {
                    group->limitRow = set->limitCount;
                    set->limitCount += 1;
                }
                if (signature == TD_SIGNATURE_HINGE || signature == TD_SIGNATURE_FIXED ||
                    signature == TD_SIGNATURE_MOTOR)
                {
                    group->turnRow = set->turnCount;
                    group->isDriven = signature == TD_SIGNATURE_MOTOR;
                    group->isFixed = signature == TD_SIGNATURE_FIXED;
                    set->turnCount += 1;
                }
                set->groupCount += 1;
            }
        }
        int generic = color * TD_SIGNATURE_COUNT + TD_SIGNATURE_GENERIC;
        set->genericStart[color] = starts[generic];
        set->genericEnd[color] = starts[generic + 1];
    }
    set->groupStart[TD_COLOR_COUNT + 1] = set->groupCount;
    world->solver->step.jointGroups = set->groups;
    world->solver->step.ballRows = set->ballRows;
    world->solver->step.limitRows = set->limitRows;
    world->solver->step.turnRows = set->turnRows;
    tdJointForest_LayOut(world);
}

#define JOINT_PASS(name)                                                                                     \
    static void name##Joints(const tdSolverStep* step, int start, int end)                                   \
    {                                                                                                        \
        tdJointSet* set = step->world->joints;                                                               \
        for (int i = start; i < end; ++i)                                                                    \
        {                                                                                                    \
            tdJoint_##name(step, set->joints.data + set->active[i]);                                         \
        }                                                                                                    \
    }

JOINT_PASS(Prepare)
JOINT_PASS(WarmStart)
JOINT_PASS(Solve)
JOINT_PASS(Relax)
JOINT_PASS(Store)

void tdJointSet_AddPass(tdWorld* world, tdJointPass pass)
{
    tdSolver* solver = world->solver;
    const tdJointSet* set = world->joints;
    const tdKernels* kernels = solver->kernels;
    // By pass; NULL: none.
    tdKernelFcn* const singles[] = {PrepareJoints, WarmStartJoints, SolveJoints, NULL, RelaxJoints,
                                    NULL,          StoreJoints};
    tdKernelFcn* const groups[] = {tdJointGroups_Prepare, kernels->warmStartJoints,
                                   kernels->solveJoints,  NULL,
                                   kernels->relaxJoints,  NULL,
                                   tdJointGroups_Store};
    tdKernelFcn* const trees[] = {tdJointForest_Prepare, NULL, tdJointForest_Solve,
                                  tdJointForest_Resolve, NULL, tdJointForest_Relax,
                                  tdJointForest_Store};
    if (trees[pass] != NULL)
    {
        tdSchedule_AddPass(&solver->schedule, trees[pass], 0, set->forest.activeCount, 1);
    }
    if (groups[pass] == NULL)
    {
        return;
    }
    bool isFree = pass == TD_JOINT_PASS_PREPARE || pass == TD_JOINT_PASS_STORE; // order does not matter
    if (isFree)
    {
        tdSchedule_AddPass(&solver->schedule, groups[pass], 0, set->groupCount, TD_GROUPS_PER_BLOCK);
    }
    int serialStart = 0;
    for (int color = 0; color <= TD_COLOR_COUNT; ++color)
    {
        int start = set->groupStart[color], end = set->groupStart[color + 1];
        bool isLast = color == TD_COLOR_OVERFLOW;
        bool hasGenerics = set->genericStart[color] < set->genericEnd[color];
        bool isShared = end - start > TD_GROUPS_PER_BLOCK;
        if (!isFree && (isShared || hasGenerics || isLast))
        {
            // Consecutive colours that are too small for several workers run as one block.
            int serialEnd = isShared ? start : end;
            tdSchedule_AddPass(&solver->schedule, groups[pass], serialStart, serialEnd,
                               tdMaxInt(serialEnd - serialStart, 1));
            tdSchedule_AddPass(&solver->schedule, groups[pass], serialEnd, end, TD_GROUPS_PER_BLOCK);
            serialStart = end;
        }
        int size = isLast && !isFree ? tdMaxInt(set->activeCount, 1) : JOINTS_PER_BLOCK;
        tdSchedule_AddPass(&solver->schedule, singles[pass], set->genericStart[color], set->genericEnd[color],
                           size);
    }
}

void tdJointSet_Finish(tdWorld* world)
{
    tdJointSet* set = world->joints;
    set->breakEvents.count = 0;
    for (int i = 0; i < set->joints.count; ++i)
    {
        tdJoint* joint = set->joints.data + i;
        bool isActive = tdJoint_CanAct(joint) && joint->color != TD_COLOR_NONE;
        if (isActive && joint->isSeparated)
        {
            tdJointForest_Rejoin(world, joint);
        }
        if (!isActive || (!(tdLength(joint->force) > joint->breakForce) &&
                          !(tdLength(joint->torque) > joint->breakTorque)))
        {
            continue;
        }
        set->breakEvents.data[set->breakEvents.count++] =
            (tdJointBreakEvent){tdWorld_MakeJointId(world, i), joint->force, joint->torque};
        joint->isBroken = true;
        set->forest.isStale = true;
        tdJoint_AllowCollision(world, joint);
        if (joint->bodyA >= 0 && joint->bodyB >= 0)
        {
            tdWorld_UnlinkBodies(world, joint->bodyA, joint->bodyB);
        }
    }
}
