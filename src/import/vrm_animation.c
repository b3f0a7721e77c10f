// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports VRMC_vrm_animation 1.0: the nodes that are bones, expressions and gaze. Channels without meaning
// are reported; the channels stay unchanged, and retargeting selects those that count.
#include "vrm_animation.h"

#include "vrm.h"
#include "vrm_humanoid.h"

#include <string.h>

typedef struct MotionImport
{
    tdImport* import;
    tdHumanoid* humanoid;
    tdExpressionNode* nodes;
    int* expressionOfNode;              // index in `nodes`, -1: none
    int *channelValues, *samplerValues; // of the animation being checked: values by index
    int samplerCount;
} MotionImport;

static bool IsLookPreset(tdExpressionPreset preset)
{
    return preset == TD_PRESET_LOOK_UP || preset == TD_PRESET_LOOK_DOWN || preset == TD_PRESET_LOOK_LEFT ||
           preset == TD_PRESET_LOOK_RIGHT;
}

// The role a node already has; NULL: none.
static const char* FindRole(const MotionImport* motion, int node)
{
    const tdHumanoid* humanoid = motion->humanoid;
    if (humanoid->boneOfNode != NULL && humanoid->boneOfNode[node] != TD_BONE_NONE)
    {
        return tdBone_GetInfo((tdBone)humanoid->boneOfNode[node])->name;
    }
    int expression = motion->expressionOfNode[node];
    return expression >= 0 ? motion->nodes[expression].name : NULL;
}

static bool ReadExpression(MotionImport* motion, int value, bool isPreset, const tdPath* group)
{
    tdImport* import = motion->import;
    size_t length = 0;
    const char* key = tdJson_GetKey(import->json, value, &length);
    const char* name = tdArena_CopyText(import->arena, key, length);
    if (name == NULL)
    {
        return false;
    }
    tdPath here = tdPath_Key(group, name), nodePath = tdPath_Key(&here, "node");
    tdExpressionPreset preset = tdExpressionPreset_Find(key, length);
    if (!tdJson_IsObject(import->json, value))
    {
        tdReport_Add(import->report, TD_DIAG_VA_TYPE, &here, "an object");
        return true;
    }
    if (isPreset && preset == TD_PRESET_NONE)
    {
        tdReport_Add(import->report, TD_DIAG_VA_EXPRESSION_UNKNOWN_PRESET, &here, name);
        return true;
    }
    if (isPreset && IsLookPreset(preset))
    {
        tdReport_Add(import->report, TD_DIAG_VA_EXPRESSION_PRESET_FORBIDDEN, &here, name);
        return true;
    }
    if (!isPreset && preset != TD_PRESET_NONE)
    {
        tdReport_Add(import->report, TD_DIAG_VA_EXPRESSION_NAME_CLASH, &here, name);
        return true;
    }
    int node = tdImport_ReadNodeIndex(import, tdJson_Find(import->json, value, "node"));
    const char* role = node >= 0 ? FindRole(motion, node) : NULL;
    if (node < 0)
    {
        tdReport_Add(import->report, TD_DIAG_VA_NODE_INVALID, &nodePath, name);
    }
    else if (role != NULL)
    {
        tdReport_Add(import->report, TD_DIAG_VA_NODE_SHARED, &nodePath, node, role, name);
    }
    else
    {
        int place = motion->humanoid->expressionNodeCount++;
        motion->nodes[place] = (tdExpressionNode){name, isPreset ? preset : TD_PRESET_NONE, node};
        motion->expressionOfNode[node] = place;
    }
    return true;
}

static bool ReadExpressions(MotionImport* motion, int extension, const tdPath* path)
{
    tdImport* import = motion->import;
    tdPath here = tdPath_Key(path, "expressions");
    int object = tdImport_FindObject(import, path, extension, "expressions", TD_DIAG_VA_TYPE);
    int groups[2] = {tdImport_FindObject(import, &here, object, "preset", TD_DIAG_VA_TYPE),
                     tdImport_FindObject(import, &here, object, "custom", TD_DIAG_VA_TYPE)};
    int count = tdJson_GetCount(import->json, groups[0]) + tdJson_GetCount(import->json, groups[1]);
    int nodeCount = import->scene->nodes.count;
    motion->nodes = tdArena_NewArray(import->arena, tdExpressionNode, count);
    motion->expressionOfNode = tdArena_NewArray(&import->scratch, int, nodeCount);
    if (motion->nodes == NULL || motion->expressionOfNode == NULL)
    {
        return false;
    }
    for (int i = 0; i < nodeCount; ++i)
    {
        motion->expressionOfNode[i] = -1;
    }
    motion->humanoid->expressionNodes = motion->nodes;
    for (int g = 0; g < 2; ++g)
    {
        tdPath group = tdPath_Key(&here, g == 0 ? "preset" : "custom");
        for (int value = tdJson_GetFirst(import->json, groups[g]); value >= 0;
             value = tdJson_GetNext(import->json, value))
        {
            if (!ReadExpression(motion, value, g == 0, &group))
            {
                return false;
            }
        }
    }
    return true;
}

static void ReadMotionLookAt(MotionImport* motion, int extension, const tdPath* path)
{
    tdImport* import = motion->import;
    int object = tdImport_FindObject(import, path, extension, "lookAt", TD_DIAG_VA_TYPE);
    if (object < 0)
    {
        return;
    }
    tdPath here = tdPath_Key(path, "lookAt"), nodePath = tdPath_Key(&here, "node");
    int node = tdImport_ReadNodeIndex(import, tdJson_Find(import->json, object, "node"));
    const char* role = node >= 0 ? FindRole(motion, node) : NULL;
    if (node < 0)
    {
        tdReport_Add(import->report, TD_DIAG_VA_LOOKAT_NODE, &nodePath);
    }
    else if (role != NULL)
    {
        tdReport_Add(import->report, TD_DIAG_VA_NODE_SHARED, &nodePath, node, role, "lookAt");
    }
    else
    {
        motion->humanoid->gazeNode = node;
    }
}

// Channels

static const char* GetPathName(tdPropertyKind kind)
{
    const char* path = tdPropertyKind_GetPath(kind);
    return path != NULL ? path : "weights"; // a single weight, by pointer
}

static void CheckWeights(MotionImport* motion, const tdChannel* channel, const char* name)
{
    tdImport* import = motion->import;
    const tdJson* json = import->json;
    bool isSpline = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE;
    for (int key = 0; key < channel->keyCount; ++key)
    {
        float weight = channel->values[(isSpline ? 3 * key + 1 : key) * channel->width];
        if (weight >= 0.0f && weight <= 1.0f)
        {
            continue;
        }
        // The accessor of the sampler's output.
        int64_t sampler = -1, output = -1;
        int entry = motion->channelValues[channel->fileChannel];
        tdJson_GetInteger(json, tdJson_Find(json, entry, "sampler"), &sampler);
        if (sampler >= 0 && sampler < motion->samplerCount)
        {
            int value = motion->samplerValues[sampler];
            tdJson_GetInteger(json, tdJson_Find(json, value, "output"), &output);
        }
        tdPath root = tdPath_Root(), accessors = tdPath_Key(&root, "accessors");
        tdPath here = tdPath_Index(&accessors, (int)output);
        tdReport_Add(import->report, TD_DIAG_VA_EXPRESSION_RANGE, &here, (double)weight, name);
        return;
    }
}

static void CheckChannel(MotionImport* motion, const tdChannel* channel, const tdPath* path)
{
    tdReport* report = motion->import->report;
    const tdHumanoid* humanoid = motion->humanoid;
    tdPropertyKind kind = channel->target.kind;
    int node = channel->target.object;
    if (kind > TD_PROPERTY_WEIGHT)
    {
        return; // not a node property
    }
    tdBone bone = (tdBone)humanoid->boneOfNode[node];
    int expression = motion->expressionOfNode[node];
    if (expression >= 0)
    {
        const char* name = motion->nodes[expression].name;
        if (kind == TD_PROPERTY_TRANSLATION)
        {
            CheckWeights(motion, channel, name);
        }
        else
        {
            tdReport_Add(report, TD_DIAG_VA_EXPRESSION_PATH, path, GetPathName(kind), name);
        }
    }
    else if (humanoid->gazeNode == node)
    {
        if (kind != TD_PROPERTY_ROTATION)
        {
            tdReport_Add(report, TD_DIAG_VA_LOOKAT_PATH, path, GetPathName(kind));
        }
    }
    else if (bone == TD_BONE_NONE)
    {
        tdReport_Add(report, TD_DIAG_VA_NON_HUMANOID_CHANNEL, path, node);
    }
    else if (kind == TD_PROPERTY_TRANSLATION && bone != TD_BONE_HIPS)
    {
        tdReport_Add(report, TD_DIAG_VA_TRANSLATION_NOT_HIPS, path, tdBone_GetInfo(bone)->name);
    }
    else if (kind == TD_PROPERTY_SCALE)
    {
        tdReport_Add(report, TD_DIAG_VA_SCALE_CHANNEL, path, tdBone_GetInfo(bone)->name);
    }
}

// Values of an array by index, to find each once.
static int* ListValues(tdImport* import, int array)
{
    int* values = tdArena_NewArray(&import->scratch, int, tdJson_GetCount(import->json, array));
    int count = 0;
    for (int value = values != NULL ? tdJson_GetFirst(import->json, array) : -1; value >= 0;
         value = tdJson_GetNext(import->json, value))
    {
        values[count++] = value;
    }
    return values;
}

static bool CheckChannels(MotionImport* motion)
{
    tdImport* import = motion->import;
    const tdScene* scene = motion->import->scene;
    tdPath root = tdPath_Root(), animations = tdPath_Key(&root, "animations");
    if (scene->animationCount == 0)
    {
        tdReport_Add(motion->import->report, TD_DIAG_VA_NO_ANIMATION, &animations);
    }
    int object = tdJson_GetFirst(import->json, tdJson_Find(import->json, 0, "animations"));
    for (int a = 0; a < scene->animationCount; ++a, object = tdJson_GetNext(import->json, object))
    {
        int samplers = tdJson_Find(import->json, object, "samplers");
        motion->channelValues = ListValues(import, tdJson_Find(import->json, object, "channels"));
        motion->samplerValues = ListValues(import, samplers);
        motion->samplerCount = tdJson_GetCount(import->json, samplers);
        if (motion->channelValues == NULL || motion->samplerValues == NULL)
        {
            return false;
        }
        tdPath animation = tdPath_Index(&animations, a), channels = tdPath_Key(&animation, "channels");
        for (int c = 0; c < scene->animations[a].channelCount; ++c)
        {
            const tdChannel* channel = &scene->animations[a].channels[c];
            tdPath here = tdPath_Index(&channels, channel->fileChannel);
            CheckChannel(motion, channel, &here);
        }
    }
    return true;
}

// Checks the scale of bones and their ancestors.
static bool CheckScales(MotionImport* motion)
{
    const tdNodeTree* nodes = &motion->import->scene->nodes;
    bool* isSeen = tdArena_NewArray(&motion->import->scratch, bool, nodes->count);
    tdPath root = tdPath_Root(), nodesPath = tdPath_Key(&root, "nodes");
    for (int i = 0; i < TD_BONE_COUNT && isSeen != NULL; ++i)
    {
        for (int node = motion->humanoid->nodes[i]; node >= 0 && !isSeen[node]; node = nodes->parents[node])
        {
            isSeen[node] = true;
            tdVec3 s = nodes->locals[node].scale;
            if (tdAbsFloat(s.x - 1.0f) > 1.0e-5f || tdAbsFloat(s.y - 1.0f) > 1.0e-5f ||
                tdAbsFloat(s.z - 1.0f) > 1.0e-5f)
            {
                tdPath here = tdPath_Index(&nodesPath, node), scale = tdPath_Key(&here, "scale");
                tdReport_Add(motion->import->report, TD_DIAG_VA_HIERARCHY_SCALE, &scale, (double)s.x,
                             (double)s.y, (double)s.z);
            }
        }
    }
    return isSeen != NULL;
}

static void CheckVersion(tdImport* import, int extension, const tdPath* path)
{
    int value = tdJson_Find(import->json, extension, "specVersion");
    tdPath here = tdPath_Key(path, "specVersion");
    char text[32];
    if (tdJson_StringEquals(import->json, value, "1.0"))
    {
        return;
    }
    bool isDraft = value < 0 || tdJson_StringEquals(import->json, value, "1.0-draft");
    tdReport_AddAs(import->report, isDraft ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR, TD_DIAG_VA_SPEC_VERSION,
                   &here, tdImport_CopyShort(import, value, text, sizeof(text)));
}

bool tdImportVrmAnimation(tdImport* import, int extension)
{
    tdPath root = tdPath_Root(), extensions = tdPath_Key(&root, "extensions");
    tdPath path = tdPath_Key(&extensions, "VRMC_vrm_animation"), humanoidPath = tdPath_Key(&path, "humanoid");
    tdPath bonesPath = tdPath_Key(&humanoidPath, "humanBones");
    CheckVersion(import, extension, &path);
    int humanoid = tdImport_FindObject(import, &path, extension, "humanoid", TD_DIAG_VA_TYPE);
    int object = tdImport_FindObject(import, &humanoidPath, humanoid, "humanBones", TD_DIAG_VA_TYPE);
    const tdHumanoid* avatar = import->scene->humanoid; // if the file is also an avatar
    tdHumanoidImport bones;
    if (!tdHumanoidImport_Init(&bones, import, TD_HUMANOID_VRMA, &bonesPath))
    {
        return false;
    }
    if (avatar != NULL)
    {
        *bones.humanoid = *avatar;
        import->scene->humanoid = bones.humanoid;
    }
    else
    {
        tdReport* report = import->report;
        tdHumanoidImport_ReadObject(&bones, object);
        if (humanoid < 0)
        {
            import->report = NULL; // expressions or gaze only: missing bones are not an error
        }
        bool finished = tdHumanoidImport_Finish(&bones);
        import->report = report;
        if (!finished)
        {
            return false;
        }
    }
    MotionImport motion = {.import = import, .humanoid = bones.humanoid};
    if (!ReadExpressions(&motion, extension, &path))
    {
        return false;
    }
    ReadMotionLookAt(&motion, extension, &path);
    return CheckChannels(&motion) && CheckScales(&motion);
}
