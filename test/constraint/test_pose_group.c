// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pose groups against single poses, which test_node_constraint.c compares with the formulas: every width
// gives the same bits in locals and globals.
//
// Labels: threads
#include "harness.h"

#include "base/cpu.h"
#include "constraint/pose_group.h"
#include "runtime/builder.h"

#include "tendon/stage.h"

enum
{
    NODES = 40,
    CONSTRAINTS = 14,
};

static void MakeRig(tdBuilder* rig, uint64_t* seed, bool hasUnevenScale)
{
    tdBuilder_Init(rig, NULL);
    for (int i = 0; i < NODES; ++i)
    {
        float scale = 0.5f + (float)tdRandom(seed);
        tdTrs local = {{(float)tdRandom(seed) - 0.5f, (float)tdRandom(seed), (float)tdRandom(seed) - 0.5f},
                       tdRandomQuat(seed),
                       {scale, scale, scale}};
        if (hasUnevenScale && i % 3 == 1)
        {
            local.scale.y *= i % 2 == 0 ? -1.0f : 2.0f;
        }
        // Two roots, so that some aims are between roots.
        tdBuilder_AddNode(rig, i < 2 ? -1 : (int)(tdRandom(seed) * i), local);
    }
    for (int i = 0; i < CONSTRAINTS; ++i)
    {
        int axis = (int)(tdRandom(seed) * 3), node = 1 + i * (NODES - 1) / CONSTRAINTS;
        tdNodeConstraint c = {.kind = (tdConstraintKind)(int)(tdRandom(seed) * 3), .destination = node};
        // Any source: some of these make cycles.
        c.source = (node + 1 + (int)(tdRandom(seed) * (NODES - 1))) % NODES;
        c.weight = tdRandom(seed) < 0.5 ? 1.0f : (float)tdRandom(seed);
        c.axis = (tdVec3){axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f};
        rig->constraints[rig->constraintCount++] = c;
    }
}

static void PoseRandomly(tdNodePose* pose, uint64_t* seed)
{
    for (int i = 0; i < NODES; ++i)
    {
        double kind = tdRandom(seed);
        if (kind < 0.7)
        {
            tdNodePose_SetRotation(pose, i, tdRandomQuat(seed));
        }
        if (kind < 0.1) // source and destination of some aims meet
        {
            tdNodePose_SetTranslation(pose, i, tdVec3_zero);
        }
    }
}

// Runs the same eight poses through all widths and compares.
static void CompareWidths(const tdAsset* asset, uint64_t seed, float weights[8][CONSTRAINTS])
{
    const tdConstraintList* list = asset->scene.constraints;
    tdNodePose poses[3][8];
    static const int widths[3] = {1, 4, 8};
    int places[CONSTRAINTS];
    tdArena arena;
    tdArena_Init(&arena, NULL, 0);
    void* scratch = tdArena_Allocate(&arena, tdPoseGroup_GetScratchSize(list, 8) + 1, 64);
    for (int i = 0; i < CONSTRAINTS; ++i)
    {
        places[i] = i;
    }
    for (int w = 0; w < 3; ++w)
    {
        uint64_t random = seed;
        tdNodePose* pointers[8];
        const float* weightsOf[8];
        for (int i = 0; i < 8; ++i)
        {
            tdTransform placement = {{(float)tdRandom(&random), 2.0f, 3.0f}, tdRandomQuat(&random)};
            tdNodePose_Init(&poses[w][i], &asset->scene.nodes, i % 2 == 0 ? placement : tdTransform_identity,
                            &arena);
            PoseRandomly(&poses[w][i], &random);
            pointers[i] = &poses[w][i];
            weightsOf[i] = weights[i];
        }
        if (widths[w] > 1 && tdPoseGroup_GetWidth(list, &asset->scene.nodes, tdCpu_GetSimd()) < widths[w])
        {
            continue;
        }
        for (int i = 0; i < 8; i += widths[w])
        {
            if (widths[w] == 1)
            {
                tdRunConstraints(list, places, CONSTRAINTS, weights[i], pointers[i]);
            }
            else
            {
                tdPoseGroup_Run(&(tdPoseGroup){list, pointers + i, weightsOf + i, scratch}, widths[w]);
            }
        }
        for (int i = 0; i < 8; ++i)
        {
            tdNodePose_Sweep(&poses[w][i]);
            ENSURE(memcmp(poses[w][i].locals, poses[0][i].locals, NODES * sizeof(tdTrs)) == 0);
            ENSURE(memcmp(poses[w][i].globals, poses[0][i].globals, NODES * sizeof(tdMat4)) == 0);
        }
    }
    tdArena_Free(&arena);
}

TEST(EveryWidthGivesTheSameBits)
{
    static tdBuilder rig;
    uint64_t seed = 5;
    for (int round = 0; round < 60; ++round)
    {
        MakeRig(&rig, &seed, round % 3 == 0);
        const tdAsset* asset = tdBuilder_Finish(&rig);
        float weights[8][CONSTRAINTS];
        for (int i = 0; i < 8 * CONSTRAINTS; ++i)
        {
            double kind = tdRandom(&seed); // whole, parts, none, overruled
            weights[i / CONSTRAINTS][i % CONSTRAINTS] =
                kind < 0.5
                    ? 1.0f
                    : (kind < 0.8 ? (float)tdRandom(&seed) : (kind < 0.9 ? 0.0f : TD_CONSTRAINT_OVERRULED));
        }
        CompareWidths(asset, seed, weights);
        tdBuilder_Free(&rig);
    }
}

TEST(OppositeAimsMakeTheSameHalfTurn)
{
    static tdBuilder rig;
    tdBuilder_Init(&rig, NULL);
    for (int i = 0; i < NODES; ++i)
    {
        tdBuilder_AddNode(&rig, -1, tdTrs_identity);
    }
    for (int i = 0; i < CONSTRAINTS; ++i) // opposite direction, or the same position
    {
        rig.locals[2 * i + 1].translation = (tdVec3){0.0f, 0.0f, i % 2 == 0 ? -3.0f : 0.0f};
        rig.constraints[rig.constraintCount++] = (tdNodeConstraint){
            TD_CONSTRAINT_AIM, 2 * i, 2 * i + 1, (tdVec3){0.0f, 0.0f, 1.0f}, 1.0f, false, -1};
    }
    const tdAsset* asset = tdBuilder_Finish(&rig);
    const tdConstraintList* list = asset->scene.constraints;
    float weights[CONSTRAINTS];
    const float* weightsOf[4] = {weights, weights, weights, weights};
    tdNodePose poses[4], *pointers[4];
    for (int i = 0; i < CONSTRAINTS; ++i)
    {
        weights[i] = 1.0f;
    }
    for (int i = 0; i < 4; ++i)
    {
        ENSURE(tdNodePose_Init(&poses[i], &asset->scene.nodes, tdTransform_identity, &rig.asset.arena));
        pointers[i] = &poses[i];
    }
    bool hasKernel = tdGetPoseGroupQuad() != NULL;
    if (hasKernel)
    {
        tdPoseGroup_Run(&(tdPoseGroup){list, pointers, weightsOf, NULL}, 4);
    }
    for (int i = 0; i < CONSTRAINTS && hasKernel; ++i)
    {
        tdQuat q = poses[i % 4].locals[2 * i].rotation;
        tdVec3 aims = tdRotate(q, (tdVec3){0.0f, 0.0f, 1.0f});
        ENSURE_NEAR(aims.z, i % 2 == 0 ? -1.0 : 1.0, 1e-6);
        ENSURE(i % 2 == 0 || memcmp(&q, &tdQuat_identity, sizeof(q)) == 0);
    }
    tdBuilder_Free(&rig);
}

// On a stage: 21 actors of two assets, some with constraints off, some with other weights, some at rest.
// Results do not depend on the vector width and the number of workers.
TEST(StagesOfAnyWidthAgree)
{
    static tdBuilder rigs[2];
    uint64_t seed = 11;
    MakeRig(&rigs[0], &seed, false);
    MakeRig(&rigs[1], &seed, true);
    const tdAsset* assets[2] = {tdBuilder_Finish(&rigs[0]), tdBuilder_Finish(&rigs[1])};
    enum
    {
        ACTORS = 21
    };
    static const tdSimd widths[4] = {TD_SIMD_SCALAR, TD_SIMD_SSE2, TD_SIMD_AVX2, TD_SIMD_AUTO};
    tdActor* actors[4][ACTORS];
    tdStage* stages[4];
    const tdTasks* threads = tdCreateThreads(3);
    for (int s = 0; s < 4; ++s)
    {
        uint64_t random = 99;
        tdStageDef def = tdDefaultStageDef();
        def.world.simd = widths[s];
        def.tasks = s == 3 ? threads : NULL;
        stages[s] = tdCreateStage(&def);
        for (int i = 0; i < ACTORS; ++i)
        {
            tdActorDef actorDef = tdDefaultActorDef();
            actorDef.enableConstraints = i % 7 != 3;
            actors[s][i] = tdCreateActor(stages[s], assets[i % 5 == 0], &actorDef, NULL);
            ENSURE(actors[s][i] != NULL);
            for (int node = 0; node < NODES && i % 6 != 5; ++node)
            {
                tdTrs local = tdTrs_identity;
                local.rotation = tdRandomQuat(&random);
                tdActor_SetLocal(actors[s][i], node, TD_LOCAL_ROTATION, local);
            }
            if (i % 4 == 0)
            {
                tdActor_SetConstraintWeight(actors[s][i], rigs[i % 5 == 0].constraints[0].destination, 0.25f);
            }
        }
        for (int step = 0; step < 3; ++step)
        {
            ENSURE(tdStage_Step(stages[s]));
        }
        for (int i = 0; i < ACTORS; ++i)
        {
            ENSURE(memcmp(tdActor_GetLocals(actors[s][i]), tdActor_GetLocals(actors[0][i]),
                          NODES * sizeof(tdTrs)) == 0);
            ENSURE(memcmp(tdActor_GetGlobals(actors[s][i]), tdActor_GetGlobals(actors[0][i]),
                          NODES * sizeof(tdMat4)) == 0);
        }
    }
    for (int s = 0; s < 4; ++s)
    {
        tdDestroyStage(stages[s]);
    }
    tdDestroyThreads(threads);
    tdBuilder_Free(&rigs[0]);
    tdBuilder_Free(&rigs[1]);
}

// Nineteen actors: two groups and some alone, with weights that change. No step allocates.
TEST(StepsWithConstraintsAllocateNothing)
{
    static tdBuilder rig;
    uint64_t seed = 31;
    MakeRig(&rig, &seed, false);
    const tdAsset* asset = tdBuilder_Finish(&rig);
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdStageDef def = tdDefaultStageDef();
    def.world.allocator = &allocator;
    tdStage* stage = tdCreateStage(&def);
    tdActor* actors[19];
    for (int i = 0; i < 19; ++i)
    {
        actors[i] = tdCreateActor(stage, asset, NULL, NULL);
        ENSURE(actors[i] != NULL);
        tdActor_SetLocal(actors[i], i, TD_LOCAL_ROTATION, tdTrs_identity);
    }
    int64_t before = state.count;
    tdQuat last = tdQuat_identity;
    for (int step = 0; step < 5; ++step)
    {
        for (int i = 0; i < 19; ++i)
        {
            tdTrs local = tdTrs_identity;
            local.rotation = tdRandomQuat(&seed);
            tdActor_SetLocal(actors[i], i, TD_LOCAL_ROTATION, local);
            tdActor_SetConstraintWeight(actors[i], rig.constraints[step].destination, (float)tdRandom(&seed));
            last = local.rotation;
        }
        ENSURE(tdStage_Step(stage));
    }
    ENSURE(tdAngleBetween(tdActor_GetLocals(actors[18])[18].rotation, last) < 1.0e-3f); // the pose changed
    ENSURE_EQUAL_INT(state.count, before);
    tdDestroyStage(stage);
    ENSURE_EQUAL_INT(state.liveBlocks, 0);
    tdBuilder_Free(&rig);
}

TEST_MAIN(RUN(StepsWithConstraintsAllocateNothing) RUN(EveryWidthGivesTheSameBits)
              RUN(OppositeAimsMakeTheSameHalfTurn) RUN(StagesOfAnyWidthAgree))
