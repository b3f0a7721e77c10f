// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tables of bones and expression presets, and lookups in them.
#include "humanoid.h"

#include "asset.h"

#include <string.h>

static const tdBoneInfo boneTable[] = {
#define TD_BONE(identifier, name, parent, isRequired, needsParent) {name, parent, isRequired, needsParent},
#include "bones.def"
#undef TD_BONE
};

static const struct
{
    const char* name;
    tdExpressionGroup group;
} presetTable[] = {
#define TD_PRESET(identifier, name, group) {name, group},
#include "presets.def"
#undef TD_PRESET
};

static bool IsSameName(const char* name, const char* text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

const tdBoneInfo* tdBone_GetInfo(tdBone bone)
{
    return &boneTable[bone];
}

tdBone tdBone_Find(const char* name, size_t length)
{
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (IsSameName(boneTable[i].name, name, length))
        {
            return (tdBone)i;
        }
    }
    return TD_BONE_NONE;
}

const char* tdExpressionPreset_GetName(tdExpressionPreset preset)
{
    return presetTable[preset].name;
}

tdExpressionGroup tdExpressionPreset_GetGroup(tdExpressionPreset preset)
{
    return preset == TD_PRESET_NONE ? TD_GROUP_NONE : presetTable[preset].group;
}

tdExpressionPreset tdExpressionPreset_Find(const char* name, size_t length)
{
    for (int i = 0; i < TD_PRESET_COUNT; ++i)
    {
        if (IsSameName(presetTable[i].name, name, length))
        {
            return (tdExpressionPreset)i;
        }
    }
    return TD_PRESET_NONE;
}

tdBone tdHumanoid_GetParent(const tdHumanoid* humanoid, tdBone bone)
{
    tdBone parent = boneTable[bone].parent;
    while (parent != TD_BONE_NONE && humanoid->nodes[parent] < 0)
    {
        parent = boneTable[parent].parent;
    }
    return parent;
}

tdQuat tdHumanoid_GetFrame(const tdHumanoid* humanoid)
{
    if (humanoid->tpose != NULL)
    {
        return humanoid->tpose->frame;
    }
    return humanoid->isHalfTurned ? (tdQuat){0.0f, 1.0f, 0.0f, 0.0f} : tdQuat_identity;
}

tdQuat tdHumanoid_GetRestRotation(const tdHumanoid* humanoid, const tdNodeTree* nodes, int node)
{
    bool isNodes = humanoid->tpose == NULL || humanoid->tpose->rotations == NULL;
    return isNodes ? nodes->locals[node].rotation : humanoid->tpose->rotations[node];
}

int tdAsset_FindBone(const tdAsset* asset, const char* vrmBoneName)
{
    if (tdAsset_GetScene(asset)->humanoid == NULL || vrmBoneName == NULL)
    {
        return -1;
    }
    tdBone bone = tdBone_Find(vrmBoneName, strlen(vrmBoneName));
    return bone != TD_BONE_NONE ? tdAsset_GetScene(asset)->humanoid->nodes[bone] : -1;
}
