// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constraint groups against their invariants: every item once, inputs first, unused lanes repeat lane 0; and
// how many lanes are filled on a rig that allows it.
#include "harness.h"

#include "constraint/constraint_plan.h"
#include "runtime/builder.h"

static void CheckPlan(const tdAsset* asset)
{
    const tdConstraintList* list = asset->scene.constraints;
    const tdNodeTree* nodes = &asset->scene.nodes;
    int ran[64], refreshed[256]; // number of the group; -1: not yet
    int refreshCount = 0, runCount = 0;
    memset(ran, -1, sizeof(ran));
    memset(refreshed, -1, sizeof(refreshed));
    for (int b = 0; b < list->plan->count; ++b)
    {
        const tdConstraintGroup* group = &list->plan->groups[b];
        ENSURE(group->width == 1 || group->width == 4 || group->width == 8);
        ENSURE(group->count >= 1 && group->count <= group->width);
        for (int k = 0; k < group->length * group->width; ++k)
        {
            int lane = k % group->width;
            ENSURE(lane < group->count || group->numbers[k] == group->numbers[k - lane]);
        }
        if (group->kind == TD_CONSTRAINT_GROUP_REFRESH)
        {
            for (int k = 0; k < group->length * group->width; ++k)
            {
                int node = group->numbers[k], parent = nodes->parents[node], place = list->byNode[node];
                if (k % group->width >= group->count)
                {
                    continue;
                }
                ENSURE(refreshed[node] == -1);
                ENSURE(parent < 0 || refreshed[parent] >= 0);
                // A lane keeps its last global, which is that of the parent.
                ENSURE(group->width == 1 || k < group->width || parent == group->numbers[k - group->width]);
                ENSURE(group->width == 1 || k >= group->width || parent < 0 || refreshed[parent] < b);
                ENSURE(place < 0 || (ran[place] >= 0 && ran[place] < b));
                refreshed[node] = b;
                refreshCount += 1;
            }
            continue;
        }
        for (int lane = 0; lane < group->count; ++lane)
        {
            int place = group->numbers[lane], needed[64];
            const tdConstraintStep* step = &list->steps[place];
            ENSURE(ran[place] == -1);
            int count = tdConstraintList_GetDependencies(list, nodes, place, needed, 64);
            for (int i = 0; i < count && !step->isInCycle; ++i)
            {
                ENSURE(ran[needed[i]] >= 0 && ran[needed[i]] < b);
            }
            if (step->kind == TD_CONSTRAINT_AIM && !step->isInCycle)
            {
                ENSURE(step->sourceParent < 0 ||
                       (refreshed[step->sourceParent] >= 0 && refreshed[step->sourceParent] < b));
                ENSURE(step->destinationParent < 0 ||
                       (refreshed[step->destinationParent] >= 0 && refreshed[step->destinationParent] < b));
                ENSURE(group->kind == TD_CONSTRAINT_GROUP_ANY ||
                       (step->sourceParent >= 0 && step->destinationParent >= 0));
            }
            ran[place] = b;
            runCount += 1;
        }
    }
    ENSURE(runCount == list->count && refreshCount == list->refreshCount);
}

TEST(EveryGroupComesAfterWhatItReads)
{
    static tdBuilder rig;
    uint64_t seed = 21;
    for (int round = 0; round < 200; ++round)
    {
        int nodeCount = 10 + (int)(tdRandom(&seed) * 60);
        tdBuilder_Init(&rig, NULL);
        for (int i = 0; i < nodeCount; ++i)
        {
            bool isNext = i > 0 && tdRandom(&seed) < 0.6; // long chains in some, many branches in others
            tdBuilder_AddNode(&rig, i < 2 ? -1 : (isNext ? i - 1 : (int)(tdRandom(&seed) * i)),
                              tdTrs_identity);
        }
        for (int node = 1; node < nodeCount && rig.constraintCount < 50; ++node)
        {
            if (tdRandom(&seed) < 0.5)
            {
                int source = (int)(tdRandom(&seed) * (round % 3 == 0 ? nodeCount : node));
                rig.constraints[rig.constraintCount++] =
                    (tdNodeConstraint){(tdConstraintKind)(int)(tdRandom(&seed) * 3),
                                       node,
                                       source == node ? 0 : source,
                                       {1, 0, 0},
                                       1.0f,
                                       false,
                                       -1};
            }
        }
        CheckPlan(tdBuilder_Finish(&rig));
        tdBuilder_Free(&rig);
    }
}

// Ten aims between twenty chains of eight: seven rows of 8 + 8 + 4 chains, then 8 + 2 aims.
TEST(LikeChainsShareLanes)
{
    static tdBuilder rig;
    tdBuilder_Init(&rig, NULL);
    for (int i = 0; i < 160; ++i)
    {
        tdBuilder_AddNode(&rig, i % 8 == 0 ? -1 : i - 1, tdTrs_identity);
    }
    for (int i = 0; i < 10; ++i)
    {
        rig.constraints[rig.constraintCount++] =
            (tdNodeConstraint){TD_CONSTRAINT_AIM, 16 * i + 15, 16 * i + 7, {1, 0, 0}, 1.0f, false, -1};
    }
    const tdAsset* asset = tdBuilder_Finish(&rig);
    CheckPlan(asset);
    const tdConstraintPlan* plan = asset->scene.constraints->plan;
    ENSURE(plan->count == 5);
    static const int widths[5] = {8, 8, 4, 8, 4}, counts[5] = {8, 8, 4, 8, 2};
    for (int i = 0; i < plan->count; ++i)
    {
        const tdConstraintGroup* group = &plan->groups[i];
        ENSURE(group->kind == (i < 3 ? TD_CONSTRAINT_GROUP_REFRESH : TD_CONSTRAINT_GROUP_AIM));
        ENSURE(group->width == widths[i] && group->count == counts[i] && (i >= 3 || group->length == 7));
    }
    tdBuilder_Free(&rig);
}

TEST_MAIN(RUN(EveryGroupComesAfterWhatItReads) RUN(LikeChainsShareLanes))
