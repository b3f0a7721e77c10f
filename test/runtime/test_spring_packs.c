// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs of actors that share lanes: every actor moves as it does alone, whatever its neighbours do.
#include "runtime/actor_springs.h"
#include "runtime/stage.h"
#include "spring/spring_scene.h"

#define MAX_ACTORS 11
#define STEPS 40

// Actors differ in motion, parameters, scale, handedness and collisions with the stage.
static tdActor* AddActor(tdStage* stage, const tdAsset* asset, int index)
{
    tdActorDef def = tdDefaultActorDef();
    def.springsHitStage = index == 4;
    tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
    if (index % 3 == 1)
    {
        tdSpringParameters parameters = tdActor_GetSpringParameters(actor, 0);
        parameters.stiffness = 0.1f * (float)index;
        parameters.gravityPower = 0.5f;
        tdActor_SetSpringParameters(actor, 0, &parameters);
    }
    return actor;
}

static void MoveActor(tdActor* actor, int index, int step)
{
    ShakeRoot(actor, (double)(step + 7 * index) / 60.0);
    tdTrs local = tdActor_GetLocals(actor)[0];
    local.scale = index == 2   ? (tdVec3){-1.0f, 1.0f, 1.0f}
                  : index == 5 ? (tdVec3){1.0f, 1.5f, 0.8f}
                  : index == 6 ? (tdVec3){1.2f, 1.2f, 1.2f}
                               : tdVec3_one;
    tdActor_SetLocal(actor, 0, TD_LOCAL_SCALE, local);
    // A tail that is lost returns to rest, and its neighbours do not notice.
    if (index == 7 && step == 20)
    {
        local.translation = (tdVec3){3.0e37f, 0.0f, 3.0e37f};
        tdActor_SetLocal(actor, 0, TD_LOCAL_TRANSLATION, local);
    }
}

static bool AreSameStates(tdActor* a, tdActor* b)
{
    tdSpringState *first = &a->springs->state, *second = &b->springs->state;
    size_t groups = (size_t)first->plan->groupCount;
    tdSpringState_Normalize(first);
    tdSpringState_Normalize(second);
    return memcmp(first->tails, second->tails, groups * sizeof(tdSpringTails)) == 0 &&
           memcmp(first->previousTails, second->previousTails, groups * sizeof(tdSpringTails)) == 0 &&
           memcmp(first->rotations, second->rotations, groups * sizeof(tdSpringRotations)) == 0 &&
           memcmp(first->previousRotations, second->previousRotations, groups * sizeof(tdSpringRotations)) ==
               0;
}

static tdStage* MakePackStage(tdSimd simd)
{
    tdStageDef def = tdDefaultStageDef();
    def.world.simd = simd;
    tdStage* stage = tdCreateStage(&def);
    tdWorld* world = tdStage_GetWorld(stage);
    tdBodyDef body = tdDefaultBodyDef();
    body.motion = TD_MOTION_STATIC;
    body.transform.position = (tdVec3){0.0f, 0.2f, 0.0f};
    tdCreateBox(world, tdCreateBody(world, &body), NULL, (tdVec3){4.0f, 1.0f, 4.0f});
    return stage;
}

static void CompareWithAlone(tdAsset* asset, const int* counts, int countCount)
{
    tdStage* alone[MAX_ACTORS];
    tdActor* references[MAX_ACTORS];
    for (int i = 0; i < MAX_ACTORS; ++i)
    {
        alone[i] = MakePackStage(TD_SIMD_SCALAR);
        references[i] = AddActor(alone[i], asset, i);
        for (int step = 0; step < STEPS; ++step)
        {
            MoveActor(references[i], i, step);
            ENSURE(tdStage_Step(alone[i]));
        }
    }
    for (int k = 0; k < countCount; ++k)
    {
        for (tdSimd simd = TD_SIMD_SCALAR; simd <= TD_SIMD_AVX2; ++simd)
        {
            tdStage* stage = MakePackStage(simd);
            tdActor* actors[MAX_ACTORS];
            // The last actors, so that small crowds have the unusual ones as well.
            int first = k % 2 == 0 ? 0 : MAX_ACTORS - counts[k];
            for (int i = 0; i < counts[k]; ++i)
            {
                actors[i] = AddActor(stage, asset, first + i);
            }
            for (int step = 0; step < STEPS; ++step)
            {
                for (int i = 0; i < counts[k]; ++i)
                {
                    MoveActor(actors[i], first + i, step);
                }
                ENSURE(tdStage_Step(stage));
            }
            for (int i = 0; i < counts[k]; ++i)
            {
                ENSURE(AreSamePoses(actors[i], references[first + i]));
                ENSURE(AreSameStates(actors[i], references[first + i]));
            }
            tdDestroyStage(stage);
        }
    }
    for (int i = 0; i < MAX_ACTORS; ++i)
    {
        tdDestroyStage(alone[i]);
    }
    tdDestroyAsset(asset);
}

TEST(ActorsMoveAsAlone)
{
    static const int counts[] = {2, 3, 8, 5, 11};
    static const int chains[] = {1, 2, 3, 5, 6, 7, 9};
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); ++i)
    {
        CompareWithAlone(LoadHair(chains[i], 3, ALL_COLLIDERS, i % 2 == 0, NULL), counts, 5);
    }
}

// Colliders on joints, so that lanes of a row have different ones, and centers.
TEST(CollidersOnJointsAreThoseOfTheActor)
{
    static const int counts[] = {3, 8, 11};
    CompareWithAlone(
        LoadHair(5, 4,
                 "'colliders':[{'node':3,'shape':{'sphere':{'radius':0.05}}},{'node':16,'shape':{"
                 "'capsule':{'tail':[0,-0.1,0],'radius':0.03}}}],'colliderGroups':[{'colliders':[0,1]}],",
                 true, NULL),
        counts, 3);
}

// Chains of different lengths: packs of a level are not those of the level above. Limits, bodies, nodes
// beside the joints and below the tips.
static tdAsset* LoadUnequalChains(const char* extras)
{
    char nodes[2048];
    snprintf(nodes, sizeof(nodes),
             "{'children':[1,4,8]},{'translation':[0.1,0,0],'children':[2,12]},"
             "{'translation':[0,-0.1,0]%s,'children':[3]},{'translation':[0,-0.1,0],'children':[13]},"
             "{'translation':[-0.1,0,0],'children':[5]},{'translation':[0,-0.1,0],'children':[6]},"
             "{'translation':[0.01,-0.1,0],'children':[7]},{'translation':[0,-0.1,0.02]},"
             "{'translation':[0,0,0.1],'children':[9]},{'translation':[0,-0.1,0],'children':[10]},"
             "{'translation':[0,-0.1,0],'children':[11]},{'translation':[0,-0.1,0],'rotation':[0.6,0,0,0.8],"
             "'scale':[1,2,1]},{'translation':[0.2,0,0]},{'translation':[0,0,0.1],'rotation':[0,0.6,0,0.8]}",
             extras);
    return LoadSprings(
        nodes,
        "{'joints':[{'node':1,'gravityPower':0.3},{'node':2},{'node':3}]},"
        "{'joints':[{'node':4,'gravityPower':0.2,'extensions':{'VRMC_springBone_limit':{'specVersion':"
        "'1.0-draft','limit':{'cone':{'angle':0.3}}}}},{'node':5},{'node':6},{'node':7}]},"
        "{'joints':[{'node':8,'gravityPower':0.1},{'node':9},{'node':10},{'node':11}],'center':0}",
        NULL, NULL, NULL);
}

TEST(ChainsOfDifferentLengths)
{
    static const int counts[] = {2, 8, 7, 11};
    CompareWithAlone(LoadUnequalChains(""), counts, 4);
    // A body without colliders turns the second joint of a chain.
    CompareWithAlone(LoadUnequalChains(",'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':1}}}"),
                     counts, 4);
}

// The kernel writes the globals of joints and tips; they have the bits of a sweep.
TEST(GlobalsAreThoseOfASweep)
{
    tdAsset* asset = LoadUnequalChains("");
    tdStage* stage = MakePackStage(TD_SIMD_AUTO);
    tdActor* actors[3];
    for (int i = 0; i < 3; ++i)
    {
        actors[i] = AddActor(stage, asset, i);
    }
    for (int step = 0; step < STEPS; ++step)
    {
        for (int i = 0; i < 3; ++i)
        {
            MoveActor(actors[i], i, step);
        }
        ENSURE(tdStage_Step(stage));
    }
    for (int i = 0; i < 3; ++i)
    {
        tdMat4 before[14];
        ENSURE_EQUAL_INT(tdAsset_GetNodeCount(asset), 14);
        memcpy(before, tdActor_GetGlobals(actors[i]), sizeof(before));
        tdNodePose_SetPlacement(&actors[i]->pose, tdTransform_identity);
        tdNodePose_Sweep(&actors[i]->pose);
        ENSURE(memcmp(before, tdActor_GetGlobals(actors[i]), sizeof(before)) == 0);
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

// Whether the global of a node is its parent's times its local.
static bool IsComposed(const tdActor* actor, int parent, int node)
{
    const tdMat4* globals = tdActor_GetGlobals(actor);
    tdMat4 wanted = tdMulMat4(globals[parent], tdMat4FromTrs(tdActor_GetLocals(actor)[node]));
    float worst = 0.0f;
    for (int i = 0; i < 16; ++i)
    {
        worst = tdMaxFloat(worst, tdAbsFloat(wanted.m[i] - globals[node].m[i]));
    }
    return worst < 1.0e-5f;
}

// The kernel takes locals from the file where nobody has changed them. Joints and tips that move are
// followed, and after their return the springs have the same bits as if nothing had happened.
TEST(LocalsThatChangeAreFollowed)
{
    static const int counts[] = {1, 3};
    tdAsset* asset = LoadHair(3, 3, ALL_COLLIDERS, true, NULL);
    for (int c = 0; c < 2; ++c)
    {
        tdStage* stages[2] = {tdCreateStage(NULL), tdCreateStage(NULL)};
        tdActor* actors[2][3];
        for (int s = 0; s < 2; ++s)
        {
            for (int i = 0; i < counts[c]; ++i)
            {
                actors[s][i] = tdCreateActor(stages[s], asset, NULL, NULL);
            }
        }
        tdActor* moved = actors[0][0];
        tdTrs joint = tdActor_GetLocals(moved)[2], tip = tdActor_GetLocals(moved)[4];
        for (int step = 0; step < 40; ++step)
        {
            float a = step < 20 ? 0.01f * (float)step : 0.0f;
            tdTrs local = {{joint.translation.x + a, joint.translation.y, joint.translation.z},
                           joint.rotation,
                           {1.0f + a, 1.0f + a, 1.0f + a}};
            tdTrs end = {{tip.translation.x, tip.translation.y + a, tip.translation.z},
                         step % 2 == 0 && step < 20 ? (tdQuat){0.6f, 0.0f, 0.0f, 0.8f} : tip.rotation,
                         tip.scale};
            tdActor_SetLocal(moved, 2, TD_LOCAL_TRANSLATION | TD_LOCAL_SCALE, local);
            tdActor_SetLocal(moved, 4, TD_LOCAL_TRANSLATION | TD_LOCAL_ROTATION, end);
            for (int s = 0; s < 2; ++s)
            {
                for (int i = 0; i < counts[c]; ++i)
                {
                    ShakeRoot(actors[s][i], (double)(step + 7 * i) / 60.0);
                    if (step == 21)
                    {
                        tdActor_ResetSprings(actors[s][i]);
                    }
                }
                ENSURE(tdStage_Step(stages[s]));
            }
            ENSURE(IsComposed(moved, 1, 2) && IsComposed(moved, 2, 3) && IsComposed(moved, 3, 4));
            for (int i = step > 21 ? 0 : 1; i < counts[c]; ++i)
            {
                ENSURE(AreSamePoses(actors[0][i], actors[1][i]) && AreSameStates(actors[0][i], actors[1][i]));
            }
        }
        tdDestroyStage(stages[0]);
        tdDestroyStage(stages[1]);
    }
    tdDestroyAsset(asset);
}

// Crowds of different avatars, in any order and more than step together. The chain of one asset starts at a
// root, which follows the placement of its actor.
TEST(ActorsOfSeveralAssetsMoveAsAlone)
{
    enum
    {
        ASSETS = 4,
        ACTORS = TD_SPRING_BATCH + 6
    };
    tdAsset* assets[ASSETS] = {
        LoadHair(3, 3, ALL_COLLIDERS, true, NULL), LoadUnequalChains(""), LoadHair(9, 2, NULL, false, NULL),
        LoadSprings(
            "{'children':[1]},{'translation':[0.02,-0.1,0],'children':[2]},{'translation':[0,-0.1,0]}",
            "{'joints':[{'node':0,'gravityPower':0.3},{'node':1},{'node':2}]}", NULL, NULL, NULL)};
    tdStage *together = tdCreateStage(NULL), *alone[ACTORS];
    tdActor *actors[ACTORS], *references[ACTORS];
    for (int i = 0; i < ACTORS; ++i)
    {
        const tdAsset* asset = assets[i * i % 7 % ASSETS];
        alone[i] = tdCreateStage(NULL);
        actors[i] = AddActor(together, asset, i);
        references[i] = AddActor(alone[i], asset, i);
    }
    for (int step = 0; step < STEPS; ++step)
    {
        for (int i = 0; i < ACTORS; ++i)
        {
            float a = 0.05f * (float)(step + i);
            tdTransform placement = {{a * (1.0f - 0.2f * a), 0.0f, (float)i},
                                     tdNormalizeQuat((tdQuat){0.1f * a, 0.3f, -0.2f * a, 1.0f})};
            tdActor_SetPlacement(actors[i], placement);
            tdActor_SetPlacement(references[i], placement);
            ENSURE(tdStage_Step(alone[i]));
        }
        ENSURE(tdStage_Step(together));
    }
    for (int i = 0; i < ACTORS; ++i)
    {
        ENSURE(AreSamePoses(actors[i], references[i]) && AreSameStates(actors[i], references[i]));
        tdDestroyStage(alone[i]);
    }
    tdDestroyStage(together);
    for (int i = 0; i < ASSETS; ++i)
    {
        tdDestroyAsset(assets[i]);
    }
}

TEST_MAIN(RUN(ActorsMoveAsAlone) RUN(ActorsOfSeveralAssetsMoveAsAlone) RUN(LocalsThatChangeAreFollowed)
              RUN(CollidersOnJointsAreThoseOfTheActor) RUN(ChainsOfDifferentLengths)
                  RUN(GlobalsAreThoseOfASweep))
