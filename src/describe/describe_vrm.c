// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Descriptions of node constraints and humanoids (tendon/describe.h).
#include "constraint/constraint_list.h"
#include "math/trig.h"
#include "scene/asset.h"
#include "scene/humanoid.h"

#include "tendon/describe.h"

#include <string.h>

const char* tdConstraintKind_GetName(tdConstraintKind kind)
{
    static const char* const names[] = {
        [TD_CONSTRAINT_ROLL] = "roll", [TD_CONSTRAINT_AIM] = "aim", [TD_CONSTRAINT_ROTATION] = "rotation"};
    return names[kind];
}

const char* tdConstraintAxis_GetName(tdConstraintAxis axis)
{
    static const char* const names[] = {"",          "X",         "Y",         "Z",         "PositiveX",
                                        "PositiveY", "PositiveZ", "NegativeX", "NegativeY", "NegativeZ"};
    return names[axis];
}

const char* tdHumanoidKind_GetName(tdHumanoidKind kind)
{
    static const char* const names[] = {[TD_HUMANOID_NONE] = "",
                                        [TD_HUMANOID_VRM1] = "VRM 1.0",
                                        [TD_HUMANOID_VRM0] = "VRM 0.x",
                                        [TD_HUMANOID_VRMA] = "VRM Animation",
                                        [TD_HUMANOID_BY_NAME] = "joint names"};
    return names[kind];
}

const char* tdRestSource_GetName(tdRestSource source)
{
    static const char* const names[] = {
        [TD_REST_SOURCE_NODES] = "nodes", [TD_REST_SOURCE_BIND] = "bind", [TD_REST_SOURCE_FRAME] = "frame"};
    return names[source];
}

const char* tdLookAtType_GetName(tdLookAtType type)
{
    static const char* const names[] = {
        [TD_LOOK_AT_NONE] = "", [TD_LOOK_AT_BONE] = "bone", [TD_LOOK_AT_EXPRESSION] = "expression"};
    return names[type];
}

const char* tdExpressionOverride_GetName(tdExpressionOverride override)
{
    static const char* const names[] = {
        [TD_OVERRIDE_NONE] = "none", [TD_OVERRIDE_BLOCK] = "block", [TD_OVERRIDE_BLEND] = "blend"};
    return names[override];
}

static tdConstraintAxis GetConstraintAxis(const tdNodeConstraint* item)
{
    tdVec3 a = item->axis;
    int axis = a.x != 0.0f ? 0 : (a.y != 0.0f ? 1 : 2);
    bool isNegative = a.x + a.y + a.z < 0.0f;
    switch (item->kind)
    {
    case TD_CONSTRAINT_ROLL:
        return (tdConstraintAxis)(TD_CONSTRAINT_AXIS_X + axis);
    case TD_CONSTRAINT_AIM:
        return (
            tdConstraintAxis)((isNegative ? TD_CONSTRAINT_AXIS_NEGATIVE_X : TD_CONSTRAINT_AXIS_POSITIVE_X) +
                              axis);
    case TD_CONSTRAINT_ROTATION:
        break;
    }
    return TD_CONSTRAINT_AXIS_NONE;
}

tdConstraintInfo tdDescribeConstraint(const tdAsset* asset, int constraint)
{
    const tdConstraintList* list = tdAsset_GetScene(asset)->constraints;
    if (list == NULL || constraint < 0 || constraint >= list->count)
    {
        return (tdConstraintInfo){0};
    }
    const tdNodeConstraint* item = &list->items[constraint];
    return (tdConstraintInfo){.node = item->destination,
                              .source = item->source,
                              .kind = item->kind,
                              .axis = GetConstraintAxis(item),
                              .weight = item->weight,
                              .isInCycle = item->isInCycle};
}

int tdAsset_GetConstraintDependencies(const tdAsset* asset, int constraint, int* places, int capacity)
{
    const tdConstraintList* list = tdAsset_GetScene(asset)->constraints;
    if (list == NULL || constraint < 0 || constraint >= list->count)
    {
        return 0;
    }
    return tdConstraintList_GetDependencies(list, &tdAsset_GetScene(asset)->nodes, constraint, places,
                                            places != NULL ? capacity : 0);
}

static tdVec3 ComputeRestPosition(const tdNodeTree* nodes, int node)
{
    tdVec3 p = nodes->locals[node].translation;
    for (int above = nodes->parents[node]; above >= 0; above = nodes->parents[above])
    {
        const tdTrs* local = &nodes->locals[above];
        p = tdAdd(local->translation, tdRotate(local->rotation, tdMul(local->scale, p)));
    }
    return p;
}

// Angle in degrees between the direction from one bone to another and that of a T-pose; -1 if a bone is
// missing.
static float ComputeLimbAngle(const tdScene* scene, tdBone from, tdBone to, tdVec3 wanted)
{
    int start = scene->humanoid->nodes[from], end = scene->humanoid->nodes[to];
    if (start < 0 || end < 0)
    {
        return -1.0f;
    }
    tdVec3 direction = tdNormalize(
        tdSub(ComputeRestPosition(&scene->nodes, end), ComputeRestPosition(&scene->nodes, start)));
    return tdAcos(tdClampFloat(tdDot(direction, wanted), -1.0f, 1.0f)) * (180.0f / TD_PI);
}

static void ComputeLimbAngles(const tdScene* scene, tdHumanoidInfo* info)
{
    tdQuat frame = tdHumanoid_GetFrame(scene->humanoid);
    tdVec3 left = tdRotate(frame, (tdVec3){1.0f, 0.0f, 0.0f});
    tdVec3 down = tdRotate(frame, (tdVec3){0.0f, -1.0f, 0.0f});
    info->armAngles[0] = ComputeLimbAngle(scene, TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_HAND, left);
    info->armAngles[1] = ComputeLimbAngle(scene, TD_BONE_RIGHT_UPPER_ARM, TD_BONE_RIGHT_HAND, tdNegate(left));
    info->legAngles[0] = ComputeLimbAngle(scene, TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_FOOT, down);
    info->legAngles[1] = ComputeLimbAngle(scene, TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_FOOT, down);
}

static tdGazeRange GetGazeRange(tdRangeMap map)
{
    return (tdGazeRange){map.inputMaxValue, map.outputScale};
}

tdHumanoidInfo tdDescribeHumanoid(const tdAsset* asset)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    if (humanoid == NULL)
    {
        return (tdHumanoidInfo){.kind = TD_HUMANOID_NONE};
    }
    tdHumanoidInfo info = {.kind = humanoid->kind,
                           .hipsHeight = humanoid->hipsHeight,
                           .facesBackward = humanoid->isHalfTurned,
                           .lookAt = humanoid->lookAt.type,
                           .expressionCount = humanoid->expressionCount,
                           .materialValueCount = tdAsset_GetScene(asset)->materialValueCount,
                           .metaCount = humanoid->metaCount,
                           .firstPersonCount = humanoid->annotationCount,
                           .motionExpressions = humanoid->expressionNodeCount,
                           .hasMotionGaze = humanoid->gazeNode >= 0,
                           .restSource = humanoid->restSource,
                           .restCorrections = humanoid->restCorrections};
    info.forward = tdRotate(tdHumanoid_GetFrame(humanoid), (tdVec3){0.0f, 0.0f, 1.0f});
    const tdLookAt* lookAt = &humanoid->lookAt;
    info.gazeOffset = lookAt->offsetFromHeadBone;
    info.gazeRanges[0] = GetGazeRange(lookAt->horizontalInner);
    info.gazeRanges[1] = GetGazeRange(lookAt->horizontalOuter);
    info.gazeRanges[2] = GetGazeRange(lookAt->verticalDown);
    info.gazeRanges[3] = GetGazeRange(lookAt->verticalUp);
    ComputeLimbAngles(tdAsset_GetScene(asset), &info);
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        info.boneCount += humanoid->nodes[i] >= 0;
    }
    return info;
}

// Finds the bones of the model that a missing bone folds into: those with only missing bones between.
static void FindFoldTargets(const tdHumanoid* humanoid, tdBone missing, tdHumanBoneInfo* info)
{
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (humanoid->nodes[i] < 0)
        {
            continue;
        }
        tdBone above = tdBone_GetInfo((tdBone)i)->parent;
        while (above != TD_BONE_NONE && above != missing && humanoid->nodes[above] < 0)
        {
            above = tdBone_GetInfo(above)->parent;
        }
        if (above != missing)
        {
            continue;
        }
        if (info->foldCount < (int)(sizeof(info->foldsInto) / sizeof(info->foldsInto[0])))
        {
            info->foldsInto[info->foldCount] = i;
        }
        info->foldCount += 1;
    }
}

tdHumanBoneInfo tdDescribeBone(const tdAsset* asset, int bone)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    if (humanoid == NULL || bone < 0 || bone >= TD_BONE_COUNT)
    {
        return (tdHumanBoneInfo){
            .name = "", .node = -1, .parent = -1, .restRotation = tdQuat_identity, .evidence = ""};
    }
    static const char* const evidence[] = {[TD_BONE_BY_FILE] = "file",
                                           [TD_BONE_BY_NAME] = "name",
                                           [TD_BONE_BY_PLACE] = "place",
                                           [TD_BONE_BY_MAP] = "map"};
    int node = humanoid->nodes[bone];
    tdBoneMatch match =
        humanoid->matches != NULL ? humanoid->matches[bone] : (tdBoneMatch){TD_BONE_BY_FILE, 1.0f};
    tdHumanBoneInfo info = {.name = tdBone_GetInfo((tdBone)bone)->name,
                            .node = node,
                            .parent = (int)tdHumanoid_GetParent(humanoid, (tdBone)bone),
                            .isRequired = tdBone_GetInfo((tdBone)bone)->isRequired,
                            .restRotation = node >= 0 ? tdAsset_GetScene(asset)->nodes.locals[node].rotation
                                                      : tdQuat_identity,
                            .confidence = node >= 0 ? match.confidence : 0.0f,
                            .evidence = node >= 0 ? evidence[match.evidence] : ""};
    if (node < 0)
    {
        FindFoldTargets(humanoid, (tdBone)bone, &info);
    }
    return info;
}

static const tdExpression* FindExpression(const tdAsset* asset, int expression)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    bool isThere = humanoid != NULL && tdIsIndex(expression, humanoid->expressionCount);
    return isThere ? &humanoid->expressions[expression] : NULL;
}

tdExpressionInfo tdDescribeExpression(const tdAsset* asset, int expression)
{
    const tdExpression* source = FindExpression(asset, expression);
    if (source == NULL)
    {
        return (tdExpressionInfo){.name = ""};
    }
    return (tdExpressionInfo){.name = source->name,
                              .isPreset = source->preset != TD_PRESET_NONE,
                              .isBinary = source->isBinary,
                              .morphBindCount = source->bindCount,
                              .materialBindCount = source->materialBindCount,
                              .overrideBlink = source->overrides[TD_GROUP_BLINK],
                              .overrideLookAt = source->overrides[TD_GROUP_LOOK_AT],
                              .overrideMouth = source->overrides[TD_GROUP_MOUTH]};
}

tdMorphBindInfo tdDescribeMorphBind(const tdAsset* asset, int expression, int bind)
{
    const tdExpression* source = FindExpression(asset, expression);
    if (source == NULL || !tdIsIndex(bind, source->bindCount))
    {
        return (tdMorphBindInfo){.node = -1};
    }
    return (tdMorphBindInfo){source->binds[bind].node, source->binds[bind].target,
                             source->binds[bind].weight};
}

const char* tdMaterialValueKind_GetName(tdMaterialValueKind kind)
{
    static const char* const names[] = {[TD_MATERIAL_VALUE_COLOR] = "color",
                                        [TD_MATERIAL_VALUE_EMISSION_COLOR] = "emissionColor",
                                        [TD_MATERIAL_VALUE_SHADE_COLOR] = "shadeColor",
                                        [TD_MATERIAL_VALUE_MATCAP_COLOR] = "matcapColor",
                                        [TD_MATERIAL_VALUE_RIM_COLOR] = "rimColor",
                                        [TD_MATERIAL_VALUE_OUTLINE_COLOR] = "outlineColor",
                                        [TD_MATERIAL_VALUE_TEXTURE_OFFSET] = "textureOffset",
                                        [TD_MATERIAL_VALUE_TEXTURE_SCALE] = "textureScale"};
    return names[kind];
}

int tdAsset_GetMaterialValueCount(const tdAsset* asset)
{
    return tdAsset_GetScene(asset)->materialValueCount;
}

tdMaterialValueInfo tdDescribeMaterialValue(const tdAsset* asset, int value)
{
    const tdScene* scene = tdAsset_GetScene(asset);
    if (!tdIsIndex(value, scene->materialValueCount))
    {
        return (tdMaterialValueInfo){.material = -1, .texture = "", .pointer = ""};
    }
    const tdMaterialValue* source = &scene->materialValues[value];
    tdMaterialValueInfo info = {.material = source->material,
                                .texture = source->texture,
                                .kind = source->kind,
                                .width = source->width,
                                .pointer = source->pointer};
    memcpy(info.base, source->base, sizeof(info.base));
    return info;
}

tdMaterialBindInfo tdDescribeMaterialBind(const tdAsset* asset, int expression, int bind)
{
    const tdExpression* source = FindExpression(asset, expression);
    if (source == NULL || !tdIsIndex(bind, source->materialBindCount))
    {
        return (tdMaterialBindInfo){.value = -1};
    }
    tdMaterialBindInfo info = {.value = source->materialBinds[bind].value};
    memcpy(info.target, source->materialBinds[bind].target, sizeof(info.target));
    return info;
}

tdMetaInfo tdDescribeMeta(const tdAsset* asset, int entry)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    if (humanoid == NULL || !tdIsIndex(entry, humanoid->metaCount))
    {
        return (tdMetaInfo){.key = "", .value = ""};
    }
    const tdMetaEntry* source = &humanoid->meta[entry];
    return (tdMetaInfo){source->key, source->value, source->isText, source->isElement};
}

const char* tdFirstPersonType_GetName(tdFirstPersonType type)
{
    static const char* const names[] = {[TD_FIRST_PERSON_AUTO] = "auto",
                                        [TD_FIRST_PERSON_BOTH] = "both",
                                        [TD_FIRST_PERSON_THIRD_PERSON_ONLY] = "thirdPersonOnly",
                                        [TD_FIRST_PERSON_FIRST_PERSON_ONLY] = "firstPersonOnly"};
    return names[type];
}

tdFirstPersonInfo tdDescribeFirstPerson(const tdAsset* asset, int index)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    if (humanoid == NULL || !tdIsIndex(index, humanoid->annotationCount))
    {
        return (tdFirstPersonInfo){.node = -1};
    }
    return (tdFirstPersonInfo){humanoid->annotations[index].node, humanoid->annotations[index].type};
}

const char* tdDescribeMotionExpression(const tdAsset* asset, int index)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(asset)->humanoid;
    bool isThere = humanoid != NULL && index >= 0 && index < humanoid->expressionNodeCount;
    return isThere ? humanoid->expressionNodes[index].name : "";
}
