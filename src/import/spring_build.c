// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Values of springs, and the checks that are the same for VRM 1.0 and 0.x.
#include "spring_build.h"

#include "constraint/constraint_list.h"
#include "scene/humanoid.h"
#include "spring/spring_plan.h"

#include <string.h>

bool tdSpringBuild_Init(tdSpringBuild* build, tdImport* import)
{
    int count = import->scene->nodes.count;
    *build = (tdSpringBuild){.import = import,
                             .list = tdArena_New(import->arena, tdSpringList),
                             .joints = tdArena_NewArray(&import->scratch, tdSpringJoint, count),
                             .owners = tdArena_NewArray(&import->scratch, int, count),
                             .jointOfNode = tdArena_NewArray(import->arena, int, count)};
    if (build->list == NULL || build->joints == NULL || build->owners == NULL || build->jointOfNode == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        build->jointOfNode[i] = -1;
    }
    return true;
}

// A finite number; false (reported at `path`) if the value is none.
static bool ReadFinite(const tdSpringBuild* build, const tdPath* path, int value, const char* expected,
                       float* out)
{
    if (tdJson_GetType(build->import->json, value) != TD_JSON_NUMBER)
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_TYPE, path, expected);
        return false;
    }
    double number = tdJson_GetNumber(build->import->json, value, 0.0), most = (double)TD_MAX_SPRING_NUMBER;
    *out = (float)(number > most ? most : (number > -most ? number : -most));
    return true;
}

float tdSpringBuild_ReadNumber(const tdSpringBuild* build, const tdPath* path, int object, const char* key,
                               float otherwise, float least, float most)
{
    int value = tdJson_Find(build->import->json, object, key);
    tdPath here = tdPath_Key(path, key);
    float number = otherwise;
    if (value < 0 || !ReadFinite(build, &here, value, "a number", &number))
    {
        return otherwise;
    }
    double given = tdJson_GetNumber(build->import->json, value, 0.0);
    if (!(given >= (double)least && given <= (double)most))
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_RANGE, &here, key, given, (double)least, (double)most);
        return tdClampFloat(number, least, most);
    }
    return number;
}

tdVec3 tdSpringBuild_ReadVec3(const tdSpringBuild* build, const tdPath* path, int object, const char* key,
                              tdVec3 otherwise)
{
    const tdJson* json = build->import->json;
    int value = tdJson_Find(json, object, key), child = tdJson_GetFirst(json, value);
    tdPath here = tdPath_Key(path, key);
    if (value < 0)
    {
        return otherwise;
    }
    if (!tdJson_IsArray(json, value) || tdJson_GetCount(json, value) != 3)
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_TYPE, &here, "three numbers");
        return otherwise;
    }
    float numbers[3];
    for (int i = 0; i < 3; ++i, child = tdJson_GetNext(json, child))
    {
        if (!ReadFinite(build, &here, child, "three numbers", &numbers[i]))
        {
            return otherwise;
        }
    }
    return (tdVec3){numbers[0], numbers[1], numbers[2]};
}

tdVec3 tdSpringBuild_ReadUnityVec3(const tdSpringBuild* build, const tdPath* path, int object,
                                   const char* key, tdVec3 otherwise)
{
    static const char* const names[3] = {"x", "y", "z"};
    const tdJson* json = build->import->json;
    int value = tdJson_Find(json, object, key);
    tdPath here = tdPath_Key(path, key);
    if (value < 0)
    {
        return otherwise;
    }
    if (!tdJson_IsObject(json, value))
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_TYPE, &here, "an object with x, y and z");
        return otherwise;
    }
    float numbers[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; ++i)
    {
        int member = tdJson_Find(json, value, names[i]);
        tdPath memberPath = tdPath_Key(&here, names[i]);
        if (member >= 0 && !ReadFinite(build, &memberPath, member, "a number", &numbers[i]))
        {
            return otherwise;
        }
    }
    return (tdVec3){numbers[0], numbers[1], -numbers[2]};
}

int tdSpringBuild_FindArray(const tdSpringBuild* build, const tdPath* path, int object, const char* key)
{
    int value = tdJson_Find(build->import->json, object, key);
    if (value >= 0 && !tdJson_IsArray(build->import->json, value))
    {
        tdPath here = tdPath_Key(path, key);
        tdReport_Add(build->import->report, TD_DIAG_SB_TYPE, &here, "an array");
        return TD_JSON_NONE;
    }
    return value;
}

int tdSpringBuild_ReadIndices(const tdSpringBuild* build, const tdPath* path, int object, const char* key,
                              int count, tdDiagnosticCode code, const int** out)
{
    const tdJson* json = build->import->json;
    int list = tdSpringBuild_FindArray(build, path, object, key);
    int* indices = tdArena_NewArray(build->import->arena, int, tdJson_GetCount(json, list));
    if (indices == NULL)
    {
        return -1;
    }
    int found = 0, place = 0;
    tdPath listPath = tdPath_Key(path, key);
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        int64_t index = -1;
        if (!tdJson_GetInteger(json, child, &index) || index < 0 || index >= count)
        {
            tdReport_Add(build->import->report, code, &here);
            continue;
        }
        indices[found++] = (int)index;
    }
    *out = indices;
    return found;
}

void tdSpringBuild_AddJoint(tdSpringBuild* build, const tdPath* path, const tdSpringJoint* joint)
{
    tdSpringJoint* out = &build->joints[build->jointCount];
    *out = *joint;
    // Squares of shorter vectors round to nothing.
    out->isInert = !(tdLengthSquared(joint->child) > 1.0e-30f);
    if (out->isInert)
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_ZERO_LENGTH, path, joint->node);
    }
    build->jointOfNode[joint->node] = build->jointCount++;
}

// Checks of the whole list

static void CheckSpringAnimations(const tdSpringBuild* build)
{
    const tdScene* scene = build->import->scene;
    tdPath root = tdPath_Root(), animations = tdPath_Key(&root, "animations");
    for (int a = 0; a < scene->animationCount; ++a)
    {
        tdPath animation = tdPath_Index(&animations, a), channels = tdPath_Key(&animation, "channels");
        for (int c = 0; c < scene->animations[a].channelCount; ++c)
        {
            const tdChannel* channel = &scene->animations[a].channels[c];
            if (channel->target.kind == TD_PROPERTY_ROTATION &&
                build->jointOfNode[channel->target.object] >= 0)
            {
                tdPath here = tdPath_Index(&channels, channel->fileChannel),
                       target = tdPath_Key(&here, "target");
                tdReport_Add(build->import->report, TD_DIAG_SB_JOINT_ANIMATED, &target,
                             channel->target.object);
            }
        }
    }
}

// Springs run after constraints and overrule them and the motion of bones.
static void CheckOtherWriters(const tdSpringBuild* build)
{
    const tdScene* scene = build->import->scene;
    const tdConstraintList* constraints = scene->constraints;
    const tdHumanoid* humanoid = scene->humanoid;
    tdPath root = tdPath_Root(), nodesPath = tdPath_Key(&root, "nodes");
    for (int node = 0; node < scene->nodes.count; ++node)
    {
        tdPath here = tdPath_Index(&nodesPath, node);
        if (build->jointOfNode[node] < 0)
        {
            continue;
        }
        if (constraints != NULL && constraints->byNode[node] >= 0)
        {
            tdReport_Add(build->import->report, TD_DIAG_NC_DESTINATION_IS_SPRING, &here, node);
        }
        if (humanoid != NULL && humanoid->kind != TD_HUMANOID_BY_NAME &&
            humanoid->boneOfNode[node] != TD_BONE_NONE)
        {
            tdReport_Add(build->import->report, TD_DIAG_SB_JOINT_IS_BONE, &here, node,
                         tdBone_GetInfo((tdBone)humanoid->boneOfNode[node])->name);
        }
    }
}

static bool HasUnitScale(tdVec3 scale)
{
    return tdAbsFloat(scale.x - 1.0f) <= 1.0e-4f && tdAbsFloat(scale.y - 1.0f) <= 1.0e-4f &&
           tdAbsFloat(scale.z - 1.0f) <= 1.0e-4f;
}

// Radii are in metres whatever the scale above them is; some programs scale them.
static bool CheckRadii(const tdSpringBuild* build)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    bool* isScaled = tdArena_NewArray(&build->import->scratch, bool, nodes->count);
    if (isScaled == NULL)
    {
        return false;
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        isScaled[node] = (parent >= 0 && isScaled[parent]) || !HasUnitScale(nodes->locals[node].scale);
    }
    tdPath root = tdPath_Root(), nodesPath = tdPath_Key(&root, "nodes");
    for (int i = 0; i < build->list->colliderCount; ++i)
    {
        const tdSpringCollider* collider = &build->list->colliders[i];
        if (isScaled[collider->node] && collider->radius > 0.0f)
        {
            tdPath here = tdPath_Index(&nodesPath, collider->node);
            tdReport_Add(build->import->report, TD_DIAG_SB_SCALED_RADIUS, &here, collider->node);
            return true; // once: the scale of an avatar's root concerns all of them
        }
    }
    return true;
}

bool tdSpringBuild_Finish(tdSpringBuild* build, const tdPath* springsPath)
{
    tdImport* import = build->import;
    tdSpringList* list = build->list;
    list->joints = tdArena_NewArray(import->arena, tdSpringJoint, build->jointCount);
    if (list->joints == NULL)
    {
        return false;
    }
    if (build->jointCount > 0)
    {
        memcpy(list->joints, build->joints, (size_t)build->jointCount * sizeof(tdSpringJoint));
    }
    list->jointCount = build->jointCount;
    list->jointOfNode = build->jointOfNode;
    int without = tdSpringList_CountPairs(list);
    if (without >= 0)
    {
        tdPath here = tdPath_Index(springsPath, without);
        tdReport_Add(import->report, TD_DIAG_SB_TOO_MANY_PAIRS, &here, TD_MAX_SPRING_PAIRS);
    }
    import->scene->springs = list;
    CheckSpringAnimations(build);
    CheckOtherWriters(build);
    if (!CheckRadii(build) ||
        !tdSpringPlan_Build(list, &import->scene->nodes, import->arena, &import->scratch))
    {
        return false;
    }
    if (list->plan != NULL && list->plan->cutsCycles)
    {
        tdReport_Add(import->report, TD_DIAG_SB_LONG_CYCLES, springsPath, TD_MAX_SPRING_PATHS);
    }
    return true;
}
