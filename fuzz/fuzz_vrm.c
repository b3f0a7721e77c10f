// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes VRM 1.0, VRM 0.x, VRM Animation, node constraints and spring bones: glTF text through a JSON-aware
// mutator. A file that loads is described, retargeted to and from an avatar, posed both ways and played by a
// crowd; rotations must stay unit.
#include "avatar.h"
#include "mutate_json.h"

#include "constraint/constraint_list.h"
#include "scene/asset.h"
#include "scene/humanoid.h"
#include "spring/spring_list.h"

#include "tendon/tendon.h"

#include <math.h>

static void Require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

static void CheckScene(const tdScene* scene)
{
    int count = scene->nodes.count;
    const tdHumanoid* humanoid = scene->humanoid;
    for (int i = 0; i < TD_BONE_COUNT && humanoid != NULL; ++i)
    {
        int node = humanoid->nodes[i];
        Require(node >= -1 && node < count && (node < 0 || humanoid->boneOfNode[node] == i));
    }
    for (int i = 0; humanoid != NULL && i < humanoid->expressionCount; ++i)
    {
        for (int k = 0; k < humanoid->expressions[i].bindCount; ++k)
        {
            const tdMorphBind* bind = &humanoid->expressions[i].binds[k];
            const int* starts = scene->nodes.weightStarts;
            Require(bind->node >= 0 && bind->node < count && bind->target >= 0);
            Require(bind->target < starts[bind->node + 1] - starts[bind->node]);
        }
        for (int k = 0; k < humanoid->expressions[i].materialBindCount; ++k)
        {
            int value = humanoid->expressions[i].materialBinds[k].value;
            Require(value >= 0 && value < scene->materialValueCount);
        }
    }
    for (int i = 0; humanoid != NULL && i < humanoid->annotationCount; ++i)
    {
        int node = humanoid->annotations[i].node;
        Require(node >= 0 && node < count && scene->nodes.meshes[node] >= 0);
    }
    const tdConstraintList* list = scene->constraints;
    for (int i = 0; list != NULL && i < list->count; ++i)
    {
        int places[16];
        const tdNodeConstraint* item = &list->items[i];
        Require(item->source != item->destination && item->weight >= 0.0f && item->weight <= 1.0f);
        int found = tdConstraintList_GetDependencies(list, &scene->nodes, i, places, 16);
        for (int k = 0; k < found && k < 16; ++k)
        {
            Require(places[k] < i || item->isInCycle || list->items[places[k]].isInCycle);
        }
    }
}

static void CheckSprings(const tdScene* scene)
{
    const tdSpringList* list = scene->springs;
    for (int i = 0; list != NULL && i < list->jointCount; ++i)
    {
        const tdSpringJoint* joint = &list->joints[i];
        Require(joint->node >= 0 && joint->node < scene->nodes.count && list->jointOfNode[joint->node] == i);
        Require(joint->spring >= 0 && joint->spring < list->springCount);
        Require(joint->parameters.dragForce >= 0.0f && joint->parameters.dragForce <= 1.0f);
        Require(joint->parameters.hitRadius >= 0.0f && joint->parameters.stiffness >= 0.0f);
    }
    for (int i = 0; list != NULL && i < list->springCount; ++i)
    {
        const tdSpring* spring = &list->springs[i];
        Require(spring->firstJoint >= 0 && spring->firstJoint + spring->jointCount <= list->jointCount);
        Require(spring->center >= -1 && spring->center < scene->nodes.count);
        for (int k = 0; k < spring->groupCount; ++k)
        {
            Require(spring->groups[k] >= 0 && spring->groups[k] < list->groupCount);
        }
    }
}

static void Describe(const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    tdHumanoidInfo humanoid = tdDescribeHumanoid(asset);
    for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
    {
        Require(tdDescribeBone(asset, i).name != NULL);
    }
    for (int i = 0; i < humanoid.expressionCount; ++i)
    {
        Require(tdDescribeExpression(asset, i).name != NULL);
    }
    for (int i = 0; i < humanoid.materialValueCount; ++i)
    {
        tdMaterialValueInfo value = tdDescribeMaterialValue(asset, i);
        Require(value.pointer[0] == '/' && value.width >= 2 && value.width <= 4);
    }
    for (int i = 0; i < humanoid.metaCount; ++i)
    {
        Require(tdDescribeMeta(asset, i).value != NULL);
    }
    for (int i = 0; i < info.constraintCount; ++i)
    {
        Require(tdConstraintKind_GetName(tdDescribeConstraint(asset, i).kind) != NULL);
    }
}

// Ten actors, so that an actor group and single actors run side by side; all must agree.
static void Play(const tdAsset* asset, const tdClip* clip)
{
    enum
    {
        ACTORS = 10
    };
    tdActor* actors[ACTORS];
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef def = tdDefaultActorDef();
    def.enablePhysics = false;
    for (int i = 0; i < ACTORS; ++i)
    {
        actors[i] = tdCreateActor(stage, asset, &def, NULL);
        if (clip != NULL)
        {
            tdActor_Play(actors[i], clip, NULL);
        }
        tdActor_SetGazeTarget(actors[i], (tdVec3){0.3f, 1.2f, 2.0f});
        for (int k = 0; k < tdDescribeHumanoid(asset).expressionCount && k < 100; ++k)
        {
            tdActor_SetExpression(actors[i], tdDescribeExpression(asset, k).name, 0.75f);
        }
    }
    size_t size = (size_t)asset->scene.nodes.count * sizeof(tdTrs);
    int valueCount = 0;
    const float* values = tdActor_GetMaterialValues(actors[0], &valueCount);
    for (int step = 0; step < 4; ++step)
    {
        bool isVariable = step == 3;
        Require(isVariable ? tdStage_StepVariable(stage, 0.03) : tdStage_Step(stage));
        for (int i = 0; i < ACTORS && step == 0; ++i)
        {
            tdActor_SetGaze(actors[i], 0.3f, -0.2f); // then in actor groups
        }
        for (int i = 0; i < 4 * valueCount; ++i)
        {
            Require(isfinite(values[i]));
        }
        for (int i = 1; i < ACTORS; ++i)
        {
            Require(size == 0 ||
                    memcmp(tdActor_GetLocals(actors[0]), tdActor_GetLocals(actors[i]), size) == 0);
        }
    }
    for (int i = 0; i < asset->scene.nodes.count; ++i)
    {
        tdQuat q = tdActor_GetLocals(actors[0])[i].rotation;
        Require(fabsf(tdDotQuat(q, q) - 1.0f) < 1.0e-3f);
    }
    tdRig* rig = tdCreateRig(asset, NULL);
    if (rig != NULL)
    {
        tdPose pose;
        tdRig_ReadPose(rig, tdActor_GetLocals(actors[0]), &pose);
        tdActor_SetPose(actors[1], rig, &pose);
        tdStage_Step(stage);
        tdDestroyRig(rig);
    }
    tdDestroyStage(stage);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tdAsset* avatar; // kept for all inputs
    avatar = avatar != NULL ? avatar : LoadAvatar();
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 64u << 20;
    tdAsset* asset = tdLoadAssetFromMemory(data, size, &def, NULL);
    if (asset == NULL || tdAsset_GetNodeCount(asset) > 500)
    {
        tdDestroyAsset(asset);
        return 0;
    }
    CheckScene(&asset->scene);
    CheckSprings(&asset->scene);
    Describe(asset);
    tdRetargetDef retarget = tdDefaultRetargetDef();
    retarget.maximumKeyCount = 1000;
    tdClip* own = tdCreateClip(asset, 0, NULL, NULL);
    tdClip* outward = tdRetargetClip(asset, 0, avatar, &retarget, NULL, NULL);
    tdClip* inward = tdRetargetClip(asset, 0, asset, &retarget, NULL, NULL);
    Play(asset, own);
    if (outward != NULL)
    {
        Play(avatar, outward);
    }
    if (inward != NULL)
    {
        Play(asset, inward);
        tdAsset* alone = tdMakeMotion(asset, inward, NULL);
        Require(alone != NULL);
        tdDestroyAsset(alone);
    }
    tdDestroyClip(inward);
    tdDestroyClip(outward);
    tdDestroyClip(own);
    tdDestroyAsset(asset);
    return 0;
}
