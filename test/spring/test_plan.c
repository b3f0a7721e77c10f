// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The order of spring joints: levels, cycles through colliders, and large files.
#include "runtime/actor_springs.h"
#include "scene/asset.h"
#include "spring/spring_plan.h"
#include "spring/spring_scene.h"

static int GetLevel(const tdAsset* asset, int joint)
{
    const tdSpringPlan* plan = asset->scene.springs->plan;
    int group = plan->slots[joint] / TD_SPRING_LANES;
    for (int i = 0; i < plan->levelCount; ++i)
    {
        if (group >= plan->levels[i].groupStart && group < plan->levels[i].groupEnd)
        {
            return i;
        }
    }
    return -1;
}

// Two chains 1-2-3 and 4-5-6 below node 0; a collider on `node`, met by the springs with `groups`.
static tdAsset* LoadPair(int node, const char* firstGroups, const char* secondGroups)
{
    char springs[512], more[256];
    snprintf(springs, sizeof(springs),
             "{'joints':[{'node':1},{'node':2},{'node':3}],'colliderGroups':[%s]},"
             "{'joints':[{'node':4},{'node':5},{'node':6}],'colliderGroups':[%s]}",
             firstGroups, secondGroups);
    snprintf(more, sizeof(more),
             "'colliders':[{'node':%d,'shape':{'sphere':{'radius':0.1}}},{'node':2,'shape':{'sphere':{'"
             "radius':0.1}}}],"
             "'colliderGroups':[{'colliders':[0]},{'colliders':[1]}],",
             node);
    return LoadSprings("{'children':[1,4]},{'translation':[0.1,0,0],'children':[2]},"
                       "{'translation':[0,-0.1,0],'children':[3]},{'translation':[0,-0.1,0]},"
                       "{'translation':[-0.1,0,0],'children':[5]},{'translation':[0,-0.1,0],'children':[6]},"
                       "{'translation':[0,-0.1,0]}",
                       springs, more, NULL, NULL);
}

TEST(JointsWaitForTheirColliders)
{
    tdAsset* asset = LoadPair(5, "0", "");
    // Joints 2 and 3 are nodes 4 and 5, at levels 0 and 1; the first chain meets a collider on node 5.
    ENSURE_EQUAL_INT(GetLevel(asset, 2), 0);
    ENSURE_EQUAL_INT(GetLevel(asset, 3), 1);
    ENSURE_EQUAL_INT(GetLevel(asset, 0), 2);
    ENSURE_EQUAL_INT(GetLevel(asset, 1), 3);
    tdDestroyAsset(asset);
}

// The globals of a level are kept for the level after it. A spring on the second joint of a chain waits for a
// collider on another chain, so that its parent ran several levels before it.
TEST(FramesOfEarlierLevelsAreNotKept)
{
    tdText nodes, springs;
    tdText_Init(&nodes, NULL);
    tdText_Init(&springs, NULL);
    tdText_AppendString(&nodes, "{'children':[1,10]}");
    for (int i = 1; i <= 17; ++i)
    {
        // Nodes 1 to 9, then 10 to 15; 16 and 17 hang on node 2.
        bool isEnd = i == 9 || i == 15 || i == 17;
        tdText_AppendString(&nodes, ",{'translation':[0,-0.1,0]");
        tdText_AppendString(&nodes, isEnd ? "}" : ",'children':[");
        if (!isEnd)
        {
            tdText_AppendFormat(&nodes, "%d%s]}", i + 1, i == 2 ? ",16" : "");
        }
    }
    static const int ends[3][2] = {{1, 9}, {10, 15}, {16, 17}};
    for (int k = 0; k < 3; ++k)
    {
        tdText_AppendString(&springs, k > 0 ? ",{'joints':[" : "{'joints':[");
        for (int i = ends[k][0]; i <= ends[k][1]; ++i)
        {
            tdText_AppendFormat(&springs, "%s{'node':%d}", i > ends[k][0] ? "," : "", i);
        }
        tdText_AppendString(&springs, k == 2 ? "],'colliderGroups':[0]}" : "]}");
    }
    tdAsset* asset = LoadSprings(nodes.data, springs.data,
                                 "'colliders':[{'node':13,'shape':{'sphere':{'radius':0.1}}}],"
                                 "'colliderGroups':[{'colliders':[0]}],",
                                 NULL, NULL);
    const tdSpringPlan* plan = asset->scene.springs->plan;
    int joint = asset->scene.springs->jointOfNode[16], above = asset->scene.springs->jointOfNode[2];
    ENSURE(GetLevel(asset, joint) > GetLevel(asset, above) + 1);
    ENSURE_EQUAL_INT(plan->slots[joint] % TD_SPRING_LANES, plan->slots[above] % TD_SPRING_LANES);
    ENSURE_EQUAL_INT(plan->groups[plan->slots[joint] / TD_SPRING_LANES].parentFrames, -1);
    tdDestroyAsset(asset);
    tdText_Free(&nodes);
    tdText_Free(&springs);
}

TEST(CyclesRunInTheOrderOfTheFile)
{
    // Each chain meets a collider on the other, the second one on joint 1 (node 2).
    tdAsset* asset = LoadPair(5, "0", "1");
    ENSURE_EQUAL_INT(GetLevel(asset, 0), 0);
    ENSURE_EQUAL_INT(GetLevel(asset, 1), 1);
    ENSURE_EQUAL_INT(GetLevel(asset, 2), 2);
    ENSURE_EQUAL_INT(GetLevel(asset, 3), 3);
    const tdSpringPlan* plan = asset->scene.springs->plan;
    ENSURE_EQUAL_INT(plan->levels[0].colliderEnd - plan->levels[0].colliderStart, 1);
    ENSURE_EQUAL_INT(plan->levels[2].colliderEnd - plan->levels[2].colliderStart, 1);
    tdDestroyAsset(asset);
    // A chain that meets a collider on itself.
    asset = LoadPair(2, "0", "");
    ENSURE_EQUAL_INT(GetLevel(asset, 0), 0);
    ENSURE_EQUAL_INT(GetLevel(asset, 1), 1);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 20; ++i)
    {
        ShakeRoot(actor, 0.1 * i);
        ENSURE(tdStage_Step(stage));
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

// One spring of `count` joints in one chain, or `count` springs of one joint each.
static tdAsset* LoadLarge(int count, bool isChain)
{
    tdText nodes, springs;
    tdText_Init(&nodes, NULL);
    tdText_Init(&springs, NULL);
    if (isChain)
    {
        tdText_AppendString(&springs, "{'joints':[{'node':0}");
        for (int i = 0; i <= count; ++i)
        {
            tdText_AppendFormat(&nodes,
                                i < count ? "%s{'translation':[0,-0.01,0],'children':[%d]}"
                                          : "%s{'translation':[0,-0.01,0]}",
                                i > 0 ? "," : "", i + 1);
            if (i > 0)
            {
                tdText_AppendFormat(&springs, ",{'node':%d}", i);
            }
        }
        tdText_AppendString(&springs, "],'colliderGroups':[0]}");
    }
    else
    {
        tdText_AppendString(&nodes, "{'children':[1");
        for (int i = 1; i < count; ++i)
        {
            tdText_AppendFormat(&nodes, ",%d", 1 + 2 * i);
        }
        tdText_AppendString(&nodes, "]}");
        for (int i = 0; i < count; ++i)
        {
            tdText_AppendFormat(
                &nodes, ",{'translation':[0.1,0,0],'children':[%d]},{'translation':[0,-0.1,0]}", 2 + 2 * i);
            tdText_AppendFormat(&springs, "%s{'joints':[{'node':%d},{'node':%d}],'colliderGroups':[0]}",
                                i > 0 ? "," : "", 1 + 2 * i, 2 + 2 * i);
        }
    }
    tdAsset* asset = LoadSprings(
        nodes.data, springs.data,
        "'colliders':[{'node':0,'shape':{'sphere':{'radius':0.05}}}],'colliderGroups':[{'colliders':[0]}],",
        NULL, NULL);
    tdText_Free(&nodes);
    tdText_Free(&springs);
    return asset;
}

TEST(LargeFilesAreLinear)
{
    for (int isChain = 0; isChain < 2; ++isChain)
    {
        tdAsset* asset = LoadLarge(20000, isChain != 0);
        ENSURE_EQUAL_INT(tdAsset_GetSpringJointCount(asset), 20000);
        const tdSpringPlan* plan = asset->scene.springs->plan;
        ENSURE_EQUAL_INT(plan->levelCount, isChain != 0 ? 20000 : 1);
        ENSURE_EQUAL_INT(plan->groupCount, isChain != 0 ? 20000 : 2500);
        tdStage* stage = tdCreateStage(NULL);
        ENSURE(tdCreateActor(stage, asset, NULL, NULL) != NULL && tdStage_Step(stage));
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
    }
}

// Under uneven scale, the rotation above a joint is the product of all rotations above it. A step computes it
// from that of the joint above, so that a deep chain costs linear time.
TEST(UnevenChainsAreLinear)
{
    tdAsset* asset = LoadLarge(3000, true);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdTrs local = tdActor_GetLocals(actor)[0];
    local.scale = (tdVec3){1.0f, 1.3f, 0.7f};
    tdActor_SetLocal(actor, 0, TD_LOCAL_SCALE, local);
    tdSpringState* state = &actor->springs->state;
    state->turnPath[1] = -1;
    for (int step = 0; step < 3; ++step)
    {
        ENSURE(tdStage_Step(stage));
    }
    ENSURE_EQUAL_INT(state->turnPath[1], -1); // no walk had a second node
    for (int node = 0; node < 2999; ++node)
    {
        ENSURE(state->turns[node].stepNumber == state->stepNumber);
        tdQuat above = node > 0 ? state->turns[node - 1].rotation : tdQuat_identity;
        tdQuat product = tdMulQuat(above, tdActor_GetLocals(actor)[node].rotation);
        tdQuat difference = tdMulQuat(tdConjugate(product), state->turns[node].rotation);
        ENSURE(fabsf(difference.w) > 1.0f - 1.0e-5f);
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(DescriptionsAreComplete)
{
    tdAsset* asset = LoadHair(2, 3, ALL_COLLIDERS, true, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetSpringCount(asset), 2);
    ENSURE_EQUAL_INT(tdAsset_GetSpringColliderCount(asset), 5);
    ENSURE_EQUAL_INT(tdAsset_GetSpringColliderGroupCount(asset), 1);
    tdSpringInfo spring = tdDescribeSpring(asset, 1);
    ENSURE_EQUAL_INT(spring.firstJoint, 3);
    ENSURE_EQUAL_INT(spring.jointCount, 3);
    ENSURE_EQUAL_INT(spring.center, -1);
    tdSpringJointInfo joint = tdDescribeSpringJoint(asset, 4);
    ENSURE_EQUAL_INT(joint.node, 6);
    ENSURE_EQUAL_INT(joint.tailNode, 7);
    ENSURE_NEAR(joint.tail.y, -0.12f, 1.0e-6f);
    ENSURE_NEAR(joint.parameters.dragForce, 0.3f, 1.0e-6f);
    tdSpringColliderInfo plane = tdDescribeSpringCollider(asset, 4);
    ENSURE_EQUAL_INT(plane.shape, TD_SPRING_PLANE);
    ENSURE_NEAR(plane.normal.y, 1.0f, 0.0f);
    ENSURE(strcmp(tdSpringShape_GetName(tdDescribeSpringCollider(asset, 3).shape), "inside capsule") == 0);
    ENSURE(strcmp(tdSpringLimitKind_GetName(joint.limit.kind), "") == 0);
    ENSURE_EQUAL_INT(tdDescribeSpringColliderGroup(asset, 0).colliderCount, 5);
    ENSURE(strcmp(tdDescribeSpring(asset, 2).name, "") == 0 &&
           strcmp(tdDescribeSpringColliderGroup(NULL, 0).name, "") == 0);
    ENSURE_EQUAL_INT(tdDescribeSpringJoint(asset, -1).node, 0);
    ENSURE_EQUAL_INT(tdDescribeSpringCollider(asset, 5).node, 0);
    ENSURE_EQUAL_INT(tdAsset_GetSpringCount(NULL) + tdAsset_GetSpringJointCount(NULL), 0);
    tdDestroyAsset(asset);
}

TEST(OldSpringsAreConverted)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/spring/old_fine.gltf", TD_TEST_DATA);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetSpringJointCount(asset), 3);
    tdSpringJointInfo first = tdDescribeSpringJoint(asset, 0), leaf = tdDescribeSpringJoint(asset, 2);
    ENSURE_EQUAL_INT(first.tailNode, tdDescribeSpringJoint(asset, 1).node);
    ENSURE_EQUAL_INT(leaf.tailNode, -1);
    ENSURE_NEAR(tdDistance(leaf.tail, (tdVec3){0.0f, -0.07f, 0.0f}), 0.0f, 1.0e-6f);
    ENSURE_NEAR(first.parameters.hitRadius, 0.02f, 1.0e-6f);
    // Unity's z is -z.
    ENSURE_NEAR(tdDistance(tdDescribeSpringCollider(asset, 0).offset, (tdVec3){0.0f, 0.1f, 0.1f}), 0.0f,
                1.0e-6f);
    ENSURE_EQUAL_INT(tdDescribeSpring(asset, 0).center, 0);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(JointsWaitForTheirColliders) RUN(FramesOfEarlierLevelsAreNotKept)
              RUN(CyclesRunInTheOrderOfTheFile) RUN(LargeFilesAreLinear) RUN(UnevenChainsAreLinear)
                  RUN(DescriptionsAreComplete) RUN(OldSpringsAreConverted))
