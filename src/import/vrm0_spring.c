// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports secondaryAnimation. Every node at and below a root of a bone group turns; its tail is its first
// child, and leaves have a virtual tail. Vectors are in Unity's axes: z has the other sign.
#include "vrm0_spring.h"

#include "spring_build.h"

/// Distance of a leaf's virtual tail, m.
#define VIRTUAL_TAIL 0.07f

static int CountColliders(const tdJson* json, int groups)
{
    int64_t count = 0;
    for (int group = tdJson_GetFirst(json, groups); group >= 0; group = tdJson_GetNext(json, group))
    {
        count += tdJson_GetCount(json, tdJson_Find(json, group, "colliders"));
    }
    return (int)count; // at most the number of JSON values
}

// Colliders of one group of VRM 0.x: spheres of one node.
static bool ReadOldGroup(tdSpringBuild* build, const tdPath* path, int object, tdSpringCollider* colliders,
                         tdSpringColliderGroup* out)
{
    tdImport* import = build->import;
    const tdJson* json = import->json;
    int node = tdImport_ReadNodeIndex(import, tdJson_Find(json, object, "node"));
    *out = (tdSpringColliderGroup){.name = ""};
    if (!tdJson_IsObject(json, object))
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, path, "an object");
        return true;
    }
    if (node < 0)
    {
        tdPath here = tdPath_Key(path, "node");
        tdReport_Add(import->report, TD_DIAG_SB_NODE_INVALID, &here);
        return true;
    }
    int list = tdSpringBuild_FindArray(build, path, object, "colliders"), place = 0;
    int* indices = tdArena_NewArray(import->arena, int, tdJson_GetCount(json, list));
    if (indices == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "colliders");
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        if (!tdJson_IsObject(json, child))
        {
            tdReport_Add(import->report, TD_DIAG_SB_TYPE, &here, "an object");
            continue;
        }
        indices[out->colliderCount++] = build->list->colliderCount;
        colliders[build->list->colliderCount++] = (tdSpringCollider){
            .node = node,
            .shape = TD_SPRING_SPHERE,
            .offset = tdSpringBuild_ReadUnityVec3(build, &here, child, "offset", tdVec3_zero),
            .radius =
                tdSpringBuild_ReadNumber(build, &here, child, "radius", 0.0f, 0.0f, TD_MAX_SPRING_NUMBER)};
    }
    out->colliders = indices;
    return true;
}

static bool ReadOldGroups(tdSpringBuild* build, const tdPath* path, int secondary)
{
    tdImport* import = build->import;
    const tdJson* json = import->json;
    int list = tdSpringBuild_FindArray(build, path, secondary, "colliderGroups"), place = 0;
    tdSpringCollider* colliders =
        tdArena_NewArray(import->arena, tdSpringCollider, CountColliders(json, list));
    tdSpringColliderGroup* groups =
        tdArena_NewArray(import->arena, tdSpringColliderGroup, tdJson_GetCount(json, list));
    if (colliders == NULL || groups == NULL)
    {
        return false;
    }
    build->list->colliders = colliders;
    build->list->groups = groups;
    tdPath listPath = tdPath_Key(path, "colliderGroups");
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        if (!ReadOldGroup(build, &here, child, colliders, &groups[build->list->groupCount++]))
        {
            return false;
        }
    }
    return true;
}

static tdSpringParameters ReadOldParameters(const tdSpringBuild* build, const tdPath* path, int group)
{
    float most = TD_MAX_SPRING_NUMBER;
    return (tdSpringParameters){
        .stiffness = tdSpringBuild_ReadNumber(build, path, group, "stiffiness", 1.0f, 0.0f, most),
        .gravityPower = tdSpringBuild_ReadNumber(build, path, group, "gravityPower", 0.0f, 0.0f, most),
        .gravityDir =
            tdSpringBuild_ReadUnityVec3(build, path, group, "gravityDir", (tdVec3){0.0f, -1.0f, 0.0f}),
        .dragForce = tdSpringBuild_ReadNumber(build, path, group, "dragForce", 0.4f, 0.0f, 1.0f),
        .hitRadius = tdSpringBuild_ReadNumber(build, path, group, "hitRadius", 0.0f, 0.0f, most)};
}

// Finds the tail of a node: its first child, else a virtual one.
static void FindOldTail(const tdSpringBuild* build, const int* firstChildren, tdSpringJoint* joint)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    joint->tailNode = firstChildren[joint->node];
    tdVec3 own = nodes->locals[joint->node].translation;
    float length = tdLength(own);
    joint->child = joint->tailNode >= 0 ? nodes->locals[joint->tailNode].translation
                   : length > 0.0f      ? tdScale(VIRTUAL_TAIL / length, own)
                                        : tdVec3_zero;
}

// Adds the joints of one root. Subtrees that an earlier group has are passed over; every node is visited
// once, or once as the top of such a subtree.
static void AddRoot(tdSpringBuild* build, const tdPath* path, int root, const int* firstChildren,
                    const tdSpringJoint* model)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    int position = nodes->positions[root], end = nodes->subtreeEnds[position];
    while (position < end)
    {
        int node = nodes->order[position];
        if (build->owners[node] != 0)
        {
            tdReport_AddAs(build->import->report, TD_SEVERITY_WARNING, TD_DIAG_SB_JOINT_SHARED, path, node);
            position = nodes->subtreeEnds[position];
            continue;
        }
        tdSpringJoint joint = *model;
        joint.node = node;
        build->owners[node] = model->spring + 1;
        FindOldTail(build, firstChildren, &joint);
        tdSpringBuild_AddJoint(build, path, &joint);
        position += 1;
    }
}

static int ReadOldCenter(const tdSpringBuild* build, const tdPath* path, int group)
{
    int64_t center = -1;
    int value = tdJson_Find(build->import->json, group, "center");
    if (value < 0 || (tdJson_GetInteger(build->import->json, value, &center) && center == -1))
    {
        return -1;
    }
    int node = tdImport_ReadNodeIndex(build->import, value);
    if (node < 0)
    {
        tdPath here = tdPath_Key(path, "center");
        tdReport_Add(build->import->report, TD_DIAG_SB_NODE_INVALID, &here);
    }
    return node;
}

static bool ReadOldSpring(tdSpringBuild* build, const tdPath* path, int group, const int* firstChildren,
                          tdSpring* spring)
{
    tdImport* import = build->import;
    const tdJson* json = import->json;
    *spring = (tdSpring){.name = "", .center = -1, .firstNode = -1, .firstJoint = build->jointCount};
    if (!tdJson_IsObject(json, group))
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, path, "an object");
        return true;
    }
    size_t length = 0;
    const char* name = tdJson_GetString(json, tdJson_Find(json, group, "comment"), &length);
    spring->name = name != NULL ? tdArena_CopyText(import->arena, name, length) : "";
    spring->groupCount =
        tdSpringBuild_ReadIndices(build, path, group, "colliderGroups", build->list->groupCount,
                                  TD_DIAG_SB_GROUP_INVALID, &spring->groups);
    if (spring->name == NULL || spring->groupCount < 0)
    {
        return false;
    }
    spring->center = ReadOldCenter(build, path, group);
    tdSpringJoint model = {.spring = build->list->springCount,
                           .parameters = ReadOldParameters(build, path, group),
                           .limit = {.rotation = tdQuat_identity}};
    int roots = tdSpringBuild_FindArray(build, path, group, "bones"), place = 0;
    tdPath rootsPath = tdPath_Key(path, "bones");
    for (int child = tdJson_GetFirst(json, roots); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&rootsPath, place);
        int root = tdImport_ReadNodeIndex(import, child);
        if (root < 0)
        {
            tdReport_Add(import->report, TD_DIAG_SB_NODE_INVALID, &here);
            continue;
        }
        AddRoot(build, &here, root, firstChildren, &model);
    }
    spring->jointCount = build->jointCount - spring->firstJoint;
    return true;
}

// A center of 0.x may be any node. One that moves with a spring must be above all joints that use it: only
// then is it known when they move.
static bool CheckOldCenters(const tdSpringBuild* build, tdSpring* springs, const tdPath* path)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    bool* isMoved = tdArena_NewArray(&build->import->scratch, bool, nodes->count);
    if (isMoved == NULL)
    {
        return false;
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        isMoved[node] = build->owners[node] != 0 || (parent >= 0 && isMoved[parent]);
    }
    for (int s = 0; s < build->list->springCount; ++s)
    {
        tdSpring* spring = &springs[s];
        for (int i = 0; i < spring->jointCount && spring->center >= 0 && isMoved[spring->center]; ++i)
        {
            int node = build->joints[spring->firstJoint + i].node;
            if (node != spring->center && !tdNodeTree_IsAncestor(nodes, spring->center, node))
            {
                tdPath springPath = tdPath_Index(path, s), here = tdPath_Key(&springPath, "center");
                tdReport_Add(build->import->report, TD_DIAG_SB_CENTER_INVALID, &here, spring->center, node);
                spring->center = -1;
            }
        }
    }
    return true;
}

bool tdImportSprings0(tdImport* import, int vrm)
{
    tdPath root = tdPath_Root(), extensions = tdPath_Key(&root, "extensions"),
           vrmPath = tdPath_Key(&extensions, "VRM"), path = tdPath_Key(&vrmPath, "secondaryAnimation");
    const tdJson* json = import->json;
    int secondary = tdImport_FindObject(import, &vrmPath, vrm, "secondaryAnimation", TD_DIAG_SB_TYPE);
    tdSpringBuild build;
    if (secondary < 0)
    {
        return true;
    }
    if (!tdSpringBuild_Init(&build, import) || !ReadOldGroups(&build, &path, secondary))
    {
        return false;
    }
    // First children in the order of the file, which is that of the node order.
    const tdNodeTree* nodes = &import->scene->nodes;
    int* firstChildren = tdArena_NewArray(&import->scratch, int, nodes->count);
    int list = tdSpringBuild_FindArray(&build, &path, secondary, "boneGroups"), place = 0;
    tdSpring* springs = tdArena_NewArray(import->arena, tdSpring, tdJson_GetCount(json, list));
    if (firstChildren == NULL || springs == NULL)
    {
        return false;
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        firstChildren[i] = -1;
    }
    for (int i = nodes->count - 1; i >= 0; --i)
    {
        int node = nodes->order[i];
        if (nodes->parents[node] >= 0)
        {
            firstChildren[nodes->parents[node]] = node;
        }
    }
    build.list->springs = springs;
    tdPath listPath = tdPath_Key(&path, "boneGroups");
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        if (!ReadOldSpring(&build, &here, child, firstChildren, &springs[place]))
        {
            return false;
        }
        build.list->springCount += 1;
    }
    return CheckOldCenters(&build, springs, &listPath) && tdSpringBuild_Finish(&build, &listPath);
}
