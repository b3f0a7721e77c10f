// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports VRM 0.x (extensions.VRM). Bones are an array, thumbs are shifted by one segment, the model faces
// -Z.
#include "vrm0.h"

#include "vrm.h"
#include "vrm_expression.h"
#include "vrm_humanoid.h"
#include "vrm_look_at.h"
#include "vrm_meta.h"

#include <string.h>

static void ReadBones(tdHumanoidImport* bones, int list)
{
    tdImport* import = bones->import;
    const tdJson* json = import->json;
    bool isSeen[TD_BONE_COUNT] = {false};
    int index = 0;
    for (int entry = tdJson_GetFirst(json, list); entry >= 0; entry = tdJson_GetNext(json, entry), ++index)
    {
        tdPath here = tdPath_Index(bones->bonesPath, index);
        if (!tdJson_IsObject(json, entry))
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "an object");
            continue;
        }
        char name[64];
        tdImport_CopyShort(import, tdJson_Find(json, entry, "bone"), name, sizeof(name));
        tdBone bone = tdFindOldBone(name, strlen(name));
        if (bone == TD_BONE_NONE)
        {
            tdReport_Add(import->report, TD_DIAG_VH_UNKNOWN_BONE, &here, name);
        }
        else if (isSeen[bone])
        {
            tdReport_Add(import->report, TD_DIAG_VH_DUPLICATE_BONE, &here, tdBone_GetInfo(bone)->name);
        }
        else
        {
            isSeen[bone] = true;
            tdHumanoidImport_Map(bones, bone, (tdBonePlace){NULL, index}, tdJson_Find(json, entry, "node"));
        }
    }
}

bool tdImportVrm0(tdImport* import, int extension)
{
    tdPath root = tdPath_Root(), extensions = tdPath_Key(&root, "extensions"),
           path = tdPath_Key(&extensions, "VRM");
    tdPath humanoidPath = tdPath_Key(&path, "humanoid"), bonesPath = tdPath_Key(&humanoidPath, "humanBones");
    tdPath masterPath = tdPath_Key(&path, "blendShapeMaster"),
           firstPersonPath = tdPath_Key(&path, "firstPerson");
    int humanoid = tdImport_FindObject(import, &path, extension, "humanoid", TD_DIAG_VH_TYPE);
    int list = tdJson_Find(import->json, humanoid, "humanBones");
    if (list >= 0 && !tdJson_IsArray(import->json, list))
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &bonesPath, "an array");
        list = TD_JSON_NONE;
    }
    tdHumanoidImport bones;
    if (!tdHumanoidImport_Init(&bones, import, TD_HUMANOID_VRM0, &bonesPath))
    {
        return false;
    }
    ReadBones(&bones, list);
    int master = tdImport_FindObject(import, &path, extension, "blendShapeMaster", TD_DIAG_VH_TYPE);
    if (!tdImportMeta0(import, bones.humanoid, extension, &path) ||
        !tdImportLookAt0(import, bones.humanoid, extension, &path) || !tdHumanoidImport_Finish(&bones) ||
        !tdImportExpressions0(import, bones.humanoid, extension, master, &masterPath))
    {
        return false;
    }
    tdCheckLookAt(import, bones.humanoid, &firstPersonPath);
    return true;
}
