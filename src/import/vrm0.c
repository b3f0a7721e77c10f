// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports VRM 0.x (extensions.VRM). Bones are an array, thumbs are shifted by one segment, the model faces
// -Z.
#include "vrm0.h"

#include "vrm.h"
#include "vrm_expression.h"
#include "vrm_humanoid.h"

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

// Reads a range map of 0.x: xRange degrees give yRange degrees (bones) or weight (expressions). Its curve is
// ignored: the default is a straight line, and 1.0 has no other.
static tdRangeMap ReadDegreeMap(const tdImport* import, int firstPerson, const char* key, tdLookAtType type)
{
    int object = tdJson_Find(import->json, firstPerson, key);
    double input = tdJson_GetNumber(import->json, tdJson_Find(import->json, object, "xRange"), 90.0);
    double output = tdJson_GetNumber(import->json, tdJson_Find(import->json, object, "yRange"),
                                     type == TD_LOOK_AT_BONE ? 10.0 : 1.0);
    bool isSound = input >= 0.0 && input < 1.0e6 && output > -1.0e6 && output < 1.0e6;
    return isSound ? (tdRangeMap){(float)input, (float)output} : (tdRangeMap){90.0f, 10.0f};
}

static void ReadFirstPerson(const tdImport* import, tdHumanoid* humanoid, int firstPerson)
{
    if (firstPerson < 0)
    {
        return;
    }
    int type = tdJson_Find(import->json, firstPerson, "lookAtTypeName");
    tdLookAt* out = &humanoid->lookAt;
    out->type =
        tdJson_StringEquals(import->json, type, "BlendShape") ? TD_LOOK_AT_EXPRESSION : TD_LOOK_AT_BONE;
    int offset = tdJson_Find(import->json, firstPerson, "firstPersonBoneOffset");
    static const char* const keys[3] = {"x", "y", "z"};
    float* numbers = &out->offsetFromHeadBone.x;
    for (int i = 0; i < 3; ++i)
    {
        double number = tdJson_GetNumber(import->json, tdJson_Find(import->json, offset, keys[i]), 0.0);
        numbers[i] = number > -1.0e6 && number < 1.0e6 ? (float)number : 0.0f;
    }
    out->horizontalInner = ReadDegreeMap(import, firstPerson, "lookAtHorizontalInner", out->type);
    out->horizontalOuter = ReadDegreeMap(import, firstPerson, "lookAtHorizontalOuter", out->type);
    out->verticalDown = ReadDegreeMap(import, firstPerson, "lookAtVerticalDown", out->type);
    out->verticalUp = ReadDegreeMap(import, firstPerson, "lookAtVerticalUp", out->type);
}

bool tdImportVrm0(tdImport* import, int extension)
{
    tdPath root = tdPath_Root(), extensions = tdPath_Key(&root, "extensions"),
           path = tdPath_Key(&extensions, "VRM");
    tdPath humanoidPath = tdPath_Key(&path, "humanoid"), bonesPath = tdPath_Key(&humanoidPath, "humanBones");
    tdPath masterPath = tdPath_Key(&path, "blendShapeMaster");
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
    ReadFirstPerson(import, bones.humanoid,
                    tdImport_FindObject(import, &path, extension, "firstPerson", TD_DIAG_VH_TYPE));
    int master = tdImport_FindObject(import, &path, extension, "blendShapeMaster", TD_DIAG_VH_TYPE);
    return tdHumanoidImport_Finish(&bones) &&
           tdImportExpressions0(import, bones.humanoid, master, &masterPath);
}
