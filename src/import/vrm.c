// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports the parts of VRM in the order of their dependencies; helpers that their readers share.
#include "vrm.h"

#include "bone_names.h"
#include "rest_pose.h"
#include "vrm0.h"
#include "vrm_animation.h"
#include "vrm_constraint.h"
#include "vrm_humanoid.h"
#include "vrm_spring.h"

#include <string.h>

int tdImport_FindObject(tdImport* import, const tdPath* path, int object, const char* key,
                        tdDiagnosticCode code)
{
    int value = tdJson_Find(import->json, object, key);
    if (value >= 0 && !tdJson_IsObject(import->json, value))
    {
        tdPath here = tdPath_Key(path, key);
        tdReport_Add(import->report, code, &here, "an object");
        return TD_JSON_NONE;
    }
    return value;
}

int tdImport_ReadNodeIndex(const tdImport* import, int value)
{
    int64_t index = -1;
    if (!tdJson_GetInteger(import->json, value, &index) || index < 0 || index >= import->scene->nodes.count)
    {
        return -1;
    }
    return (int)index;
}

const char* tdImport_CopyShort(const tdImport* import, int value, char* text, size_t size)
{
    size_t length = 0;
    const char* string = tdJson_GetString(import->json, value, &length);
    length = string == NULL ? 0 : (length < size - 1 ? length : size - 1);
    if (length > 0)
    {
        memcpy(text, string, length);
    }
    text[length] = 0;
    return text;
}

// Joint names make a humanoid if the limbs are found; fewer matches are accidental.
static bool ImportByName(tdImport* import)
{
    static const tdBone core[] = {
        TD_BONE_HIPS,
        TD_BONE_SPINE,
        TD_BONE_LEFT_UPPER_LEG,
        TD_BONE_LEFT_LOWER_LEG,
        TD_BONE_LEFT_UPPER_ARM,
        TD_BONE_LEFT_LOWER_ARM,
        TD_BONE_RIGHT_UPPER_LEG,
        TD_BONE_RIGHT_LOWER_LEG,
        TD_BONE_RIGHT_UPPER_ARM,
        TD_BONE_RIGHT_LOWER_ARM,
    };
    tdHumanoidImport bones;
    tdHumanoid candidate = {0};
    if (!tdMapBonesByName(import->scene, &candidate, &import->scratch, NULL) ||
        !tdApplyBoneMap(import->scene, &candidate, import->def, import->report))
    {
        return false;
    }
    for (size_t i = 0; i < sizeof(core) / sizeof(core[0]); ++i)
    {
        if (candidate.nodes[core[i]] < 0)
        {
            return true;
        }
    }
    tdPath root = tdPath_Root();
    if (!tdHumanoidImport_Init(&bones, import, TD_HUMANOID_BY_NAME, &root))
    {
        return false;
    }
    // A file that is a humanoid reports its ties, and keeps how sure its bones are.
    tdBoneMatch* matches = tdArena_NewArray(import->arena, tdBoneMatch, TD_BONE_COUNT);
    if (matches == NULL || !tdMapBonesByName(import->scene, &candidate, &import->scratch, import->report) ||
        !tdApplyBoneMap(import->scene, &candidate, import->def, NULL))
    {
        return false;
    }
    memcpy(bones.humanoid->nodes, candidate.nodes, sizeof(candidate.nodes));
    memcpy(matches, candidate.matches, TD_BONE_COUNT * sizeof(tdBoneMatch));
    bones.humanoid->matches = matches;
    bones.humanoid->foldsUnmapped = true;
    return tdHumanoidImport_Finish(&bones) && tdImportRestPose(import, bones.humanoid);
}

bool tdImportVrm(tdImport* import)
{
    tdPath root = tdPath_Root(), extensionsPath = tdPath_Key(&root, "extensions");
    int extensions = tdJson_Find(import->json, 0, "extensions");
    int vrm1 = tdImport_FindObject(import, &extensionsPath, extensions, "VRMC_vrm", TD_DIAG_VH_TYPE);
    int vrm0 = tdImport_FindObject(import, &extensionsPath, extensions, "VRM", TD_DIAG_VH_TYPE);
    int motion =
        tdImport_FindObject(import, &extensionsPath, extensions, "VRMC_vrm_animation", TD_DIAG_VA_TYPE);
    bool hasMemory = true;
    if (vrm1 >= 0)
    {
        hasMemory = tdImportVrm1(import, vrm1); // 1.0 takes precedence over 0.x
    }
    else if (vrm0 >= 0)
    {
        hasMemory = tdImportVrm0(import, vrm0);
    }
    if (hasMemory && motion >= 0)
    {
        if (vrm1 >= 0)
        {
            tdReport_Add(import->report, TD_DIAG_VA_WITH_VRM, &extensionsPath);
        }
        hasMemory = tdImportVrmAnimation(import, motion);
    }
    if (hasMemory && import->scene->humanoid == NULL && vrm1 < 0 && vrm0 < 0 && motion < 0)
    {
        hasMemory = ImportByName(import);
    }
    return hasMemory && tdImportNodeConstraints(import) && tdImportSprings(import);
}
