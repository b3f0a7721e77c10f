// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Constraint groups of one pose against the list in order, which test_node_constraint.c compares with the
// formulas: the same bits in locals and globals. The rigs have parallel chains (so that lanes fill),
// constraints that depend on each other, non-uniform scale, aims between roots, and cycles.
#include "harness.h"

#include "base/cpu.h"
#include "constraint/constraint_group.h"
#include "constraint/pose_group.h"
#include "runtime/builder.h"

enum
{
    NODES = 120,
    CONSTRAINTS = 40,
};

static void MakeRig(tdBuilder* rig, uint64_t* seed, int round)
{
    int chain = 3 + round % 6; // nodes per chain; the chains start at a few nodes near the root
    tdBuilder_Init(rig, NULL);
    for (int i = 0; i < NODES; ++i)
    {
        float scale = round % 2 == 0 ? 1.0f : 0.5f + (float)tdRandom(seed);
        tdTrs local = {{(float)tdRandom(seed) - 0.5f, (float)tdRandom(seed), (float)tdRandom(seed) - 0.5f},
                       tdRandomQuat(seed),
                       {scale, scale, scale}};
        local.scale.y *= round % 3 == 0 && tdRandom(seed) < 0.1 ? -2.0f : 1.0f;
        bool isTop = i % chain == 0;
        int above = isTop ? (int)(tdRandom(seed) * (i < 4 ? i : 4)) : i - 1;
        tdBuilder_AddNode(rig, i < 2 ? -1 : above, local);
    }
    for (int i = 0; i < CONSTRAINTS; ++i)
    {
        int axis = (int)(tdRandom(seed) * 3), node = i * NODES / CONSTRAINTS + (int)(tdRandom(seed) * 3);
        tdNodeConstraint c = {.kind = (tdConstraintKind)(int)(tdRandom(seed) * 3), .destination = node};
        // In most rounds sources come before destinations, so that cycles are rare.
        c.source = round % 4 == 0 || node == 0 ? (node + 1 + (int)(tdRandom(seed) * (NODES - 1))) % NODES
                                               : (int)(tdRandom(seed) * node);
        c.weight = tdRandom(seed) < 0.5 ? 1.0f : (float)tdRandom(seed);
        c.axis = (tdVec3){axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
        rig->constraints[rig->constraintCount++] = c;
    }
}

TEST(GroupsGiveTheBitsOfTheList)
{
    static tdBuilder rig;
    static const int widths[3] = {1, 4, 8};
    uint64_t seed = 3;
    int lanes[TD_CONSTRAINT_GROUP_ANY + 1] = {0};
    for (int round = 0; round < 80; ++round)
    {
        MakeRig(&rig, &seed, round);
        const tdAsset* asset = tdBuilder_Finish(&rig);
        const tdConstraintList* list = asset->scene.constraints;
        tdNodePose poses[3];
        float weights[CONSTRAINTS];
        int places[CONSTRAINTS];
        for (int i = 0; i < CONSTRAINTS; ++i)
        {
            double kind = tdRandom(&seed); // whole, parts, none, overruled
            weights[i] = kind < 0.5 ? 1.0f
                                    : (kind < 0.8 ? (float)tdRandom(&seed)
                                                  : (kind < 0.9 ? 0.0f : TD_CONSTRAINT_OVERRULED));
            places[i] = i;
        }
        for (int w = 0; w < 3; ++w)
        {
            uint64_t random = seed;
            tdTransform placement = {{(float)tdRandom(&random), 2.0f, 3.0f}, tdRandomQuat(&random)};
            ENSURE(tdNodePose_Init(&poses[w], &asset->scene.nodes,
                                   round % 2 == 0 ? placement : tdTransform_identity, &rig.asset.arena));
            for (int step = 0; step < 3; ++step) // the later steps change a part of the nodes only
            {
                for (int i = 0; i < NODES; ++i)
                {
                    double kind = tdRandom(&random);
                    if (kind < (step == 0 ? 0.7 : 0.1))
                    {
                        tdNodePose_SetRotation(&poses[w], i, tdRandomQuat(&random));
                    }
                    if (kind < 0.05)
                    {
                        tdNodePose_SetTranslation(&poses[w], i, tdVec3_zero);
                    }
                }
                if (widths[w] == 1)
                {
                    tdRunConstraints(list, places, CONSTRAINTS, weights, &poses[w]);
                }
                else if (tdPoseGroup_GetWidth(list, &asset->scene.nodes, tdCpu_GetSimd()) >= widths[w])
                {
                    tdRunConstraintPlan(list, weights, &poses[w], widths[w]);
                }
                else
                {
                    break;
                }
                tdNodePose_Sweep(&poses[w]);
                ENSURE(w == 0 || step < 2 ||
                       memcmp(poses[w].locals, poses[0].locals, NODES * sizeof(tdTrs)) == 0);
                ENSURE(w == 0 || step < 2 ||
                       memcmp(poses[w].globals, poses[0].globals, NODES * sizeof(tdMat4)) == 0);
            }
        }
        for (int i = 0; i < list->plan->count; ++i)
        {
            lanes[list->plan->groups[i].kind] += list->plan->groups[i].width > 1;
        }
        tdBuilder_Free(&rig);
    }
    // Lanes of every kind were filled.
    ENSURE(lanes[TD_CONSTRAINT_GROUP_REFRESH] > 80 && lanes[TD_CONSTRAINT_GROUP_ROLL] > 80 &&
           lanes[TD_CONSTRAINT_GROUP_ROTATION] > 80 && lanes[TD_CONSTRAINT_GROUP_AIM] > 40);
}

TEST_MAIN(RUN(GroupsGiveTheBitsOfTheList))
