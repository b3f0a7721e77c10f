// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports VRMC_vrm, and humanoid bones: the object form (VRM 1.0 and VRMA) and the checks of all forms.
#include "vrm_humanoid.h"

#include "body_frame.h"
#include "vrm.h"
#include "vrm_expression.h"
#include "vrm_look_at.h"
#include "vrm_meta.h"

#include "math/trig.h"
#include "pose/node_pose.h"

#include <string.h>

bool tdHumanoidImport_Init(tdHumanoidImport* bones, tdImport* import, tdHumanoidKind kind,
                           const tdPath* bonesPath)
{
    *bones = (tdHumanoidImport){.import = import, .bonesPath = bonesPath};
    tdHumanoid* humanoid = tdArena_New(import->arena, tdHumanoid);
    if (humanoid == NULL)
    {
        return false;
    }
    humanoid->kind = kind;
    humanoid->gazeNode = -1;
    humanoid->isHalfTurned = kind == TD_HUMANOID_VRM0;
    humanoid->foldsUnmapped = true;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        humanoid->nodes[i] = -1;
    }
    bones->humanoid = humanoid;
    return true;
}

// Builds the path of a bone; paths are chains on the stack, so the caller provides two links. `key` NULL: the
// bone itself.
static const tdPath* MakeBonePath(const tdHumanoidImport* bones, tdBone bone, const char* key,
                                  tdPath links[2])
{
    tdBonePlace place = bones->places[bone];
    links[0] = place.key != NULL ? tdPath_Key(bones->bonesPath, place.key)
                                 : tdPath_Index(bones->bonesPath, place.index);
    if (key == NULL)
    {
        return &links[0];
    }
    links[1] = tdPath_Key(&links[0], key);
    return &links[1];
}

void tdHumanoidImport_Map(tdHumanoidImport* bones, tdBone bone, tdBonePlace place, int value)
{
    tdImport* import = bones->import;
    int node = tdImport_ReadNodeIndex(import, value);
    tdPath links[2];
    bones->places[bone] = place;
    const tdPath* path = MakeBonePath(bones, bone, "node", links);
    if (node < 0)
    {
        tdReport_Add(import->report, TD_DIAG_VH_NODE_INVALID, path, tdBone_GetInfo(bone)->name);
        return;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (bones->humanoid->nodes[i] == node)
        {
            tdReport_Add(import->report, TD_DIAG_VH_NODE_SHARED, path, node, tdBone_GetInfo((tdBone)i)->name,
                         tdBone_GetInfo(bone)->name);
            return;
        }
    }
    bones->humanoid->nodes[bone] = node;
}

// Proximal, Intermediate, Distal of 1.0-beta and 0.x are Metacarpal, Proximal, Distal of 1.0.
static tdBone RenameThumb(tdBone bone, const char* key, size_t length)
{
    static const struct
    {
        const char* old;
        tdBone bone;
    } names[] = {
        {"leftThumbProximal", TD_BONE_LEFT_THUMB_METACARPAL},
        {"leftThumbIntermediate", TD_BONE_LEFT_THUMB_PROXIMAL},
        {"rightThumbProximal", TD_BONE_RIGHT_THUMB_METACARPAL},
        {"rightThumbIntermediate", TD_BONE_RIGHT_THUMB_PROXIMAL},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (strlen(names[i].old) == length && memcmp(names[i].old, key, length) == 0)
        {
            return names[i].bone;
        }
    }
    return bone;
}

tdBone tdFindOldBone(const char* key, size_t length)
{
    return RenameThumb(tdBone_Find(key, length), key, length);
}

void tdHumanoidImport_ReadObject(tdHumanoidImport* bones, int object)
{
    tdImport* import = bones->import;
    bool hasOldThumbs = tdJson_Find(import->json, object, "leftThumbIntermediate") >= 0 ||
                        tdJson_Find(import->json, object, "rightThumbIntermediate") >= 0;
    if (hasOldThumbs)
    {
        tdReport_Add(import->report, TD_DIAG_VH_THUMB_NAMES_OLD, bones->bonesPath);
    }
    for (int child = tdJson_GetFirst(import->json, object); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        size_t length = 0;
        const char* text = tdJson_GetKey(import->json, child, &length);
        const char* key = tdArena_CopyText(&import->scratch, text, length);
        if (key == NULL)
        {
            return; // the next allocation fails too and reports it
        }
        tdPath here = tdPath_Key(bones->bonesPath, key);
        tdBone bone = hasOldThumbs ? tdFindOldBone(text, length) : tdBone_Find(text, length);
        bool isEye = bone == TD_BONE_LEFT_EYE || bone == TD_BONE_RIGHT_EYE;
        if (bone == TD_BONE_NONE)
        {
            bool isOther = strcmp(key, "extensions") == 0 || strcmp(key, "extras") == 0;
            if (!isOther)
            {
                tdReport_Add(import->report, TD_DIAG_VH_UNKNOWN_BONE, &here, key);
            }
        }
        else if (!tdJson_IsObject(import->json, child))
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "an object");
        }
        else if (isEye && bones->humanoid->kind == TD_HUMANOID_VRMA)
        {
            tdReport_Add(import->report, TD_DIAG_VA_EYE_BONE, &here, tdBone_GetInfo(bone)->name);
        }
        else
        {
            tdHumanoidImport_Map(bones, bone, (tdBonePlace){key, 0},
                                 tdJson_Find(import->json, child, "node"));
        }
    }
}

// Checks

static void CheckPresence(const tdHumanoidImport* bones)
{
    const tdHumanoid* humanoid = bones->humanoid;
    tdReport* report = bones->import->report;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        const tdBoneInfo* info = tdBone_GetInfo((tdBone)i);
        bool isMissing = humanoid->nodes[i] < 0;
        bool isRequired0 = humanoid->kind == TD_HUMANOID_VRM0 && (i == TD_BONE_CHEST || i == TD_BONE_NECK);
        if (isMissing && info->isRequired)
        {
            tdReport_Add(report, TD_DIAG_VH_REQUIRED_BONE, bones->bonesPath, info->name);
        }
        else if (isMissing && isRequired0)
        {
            tdReport_AddAs(report, TD_SEVERITY_WARNING, TD_DIAG_VH_REQUIRED_BONE, bones->bonesPath,
                           info->name);
        }
        else if (!isMissing && info->needsParent && humanoid->nodes[info->parent] < 0)
        {
            tdPath links[2];
            tdReport_Add(report, TD_DIAG_VH_PARENT_REQUIRED, MakeBonePath(bones, (tdBone)i, NULL, links),
                         info->name, tdBone_GetInfo(info->parent)->name);
        }
    }
}

static void CheckOrder(const tdHumanoidImport* bones)
{
    const tdHumanoid* humanoid = bones->humanoid;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        tdBone parent = tdHumanoid_GetParent(humanoid, (tdBone)i);
        if (humanoid->nodes[i] < 0 || parent == TD_BONE_NONE ||
            tdNodeTree_IsAncestor(&bones->import->scene->nodes, humanoid->nodes[parent], humanoid->nodes[i]))
        {
            continue;
        }
        tdPath links[2];
        tdReport_Add(bones->import->report, TD_DIAG_VH_PARENT_ORDER,
                     MakeBonePath(bones, (tdBone)i, "node", links), humanoid->nodes[i],
                     tdBone_GetInfo((tdBone)i)->name, humanoid->nodes[parent], tdBone_GetInfo(parent)->name);
    }
}

static void CheckNodes(const tdHumanoidImport* bones)
{
    const tdHumanoid* humanoid = bones->humanoid;
    tdReport* report = bones->import->report;
    tdPath root = tdPath_Root(), nodesPath = tdPath_Key(&root, "nodes");
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (humanoid->nodes[i] < 0)
        {
            continue;
        }
        const tdTrs* local = &bones->import->scene->nodes.locals[humanoid->nodes[i]];
        tdPath node = tdPath_Index(&nodesPath, humanoid->nodes[i]);
        tdPath scalePath = tdPath_Key(&node, "scale"), rotationPath = tdPath_Key(&node, "rotation");
        tdVec3 s = local->scale;
        const char* name = tdBone_GetInfo((tdBone)i)->name;
        float limit = 1.0e-4f * tdAbsFloat(s.x);
        bool isPositive = s.x > 0.0f && s.y > 0.0f && s.z > 0.0f;
        if (!isPositive || tdAbsFloat(s.y - s.x) > limit || tdAbsFloat(s.z - s.x) > limit)
        {
            tdReport_AddAs(report, isPositive ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR, TD_DIAG_VH_SCALE,
                           &scalePath, (double)s.x, (double)s.y, (double)s.z, name);
        }
        if (humanoid->kind == TD_HUMANOID_VRM0 && tdAngleBetween(local->rotation, tdQuat_identity) > 1.0e-3f)
        {
            tdReport_Add(report, TD_DIAG_VH_REST_ROTATION, &rotationPath, name);
        }
    }
}

static bool GetBonePosition(const tdHumanoidImport* bones, const tdNodePose* rest, tdBone bone,
                            tdVec3* position)
{
    int node = bones->humanoid->nodes[bone];
    *position = node >= 0 ? tdMat4Translation(rest->globals[node]) : tdVec3_zero;
    return node >= 0;
}

// The skeleton overrules the facing of the specification if arms, legs and hands agree against it: such a
// model would be animated inside out.
static void CheckFacing(const tdHumanoidImport* bones, const tdNodePose* rest)
{
    static const tdBone pairs[][2] = {{TD_BONE_LEFT_UPPER_ARM, TD_BONE_RIGHT_UPPER_ARM},
                                      {TD_BONE_LEFT_UPPER_LEG, TD_BONE_RIGHT_UPPER_LEG},
                                      {TD_BONE_LEFT_HAND, TD_BONE_RIGHT_HAND}};
    float sum = 0.0f; // of left minus right
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; ++i)
    {
        tdVec3 left, right;
        if (GetBonePosition(bones, rest, pairs[i][0], &left) &&
            GetBonePosition(bones, rest, pairs[i][1], &right))
        {
            sum += left.x - right.x;
            positive += left.x > right.x;
            negative += left.x < right.x;
        }
    }
    bool isHalfTurned = bones->humanoid->isHalfTurned;
    if ((isHalfTurned && sum > 1.0e-3f) || (!isHalfTurned && sum < -1.0e-3f))
    {
        tdReport_Add(bones->import->report, TD_DIAG_VH_FACING, NULL, sum > 0.0f ? "+X" : "-X",
                     sum > 0.0f ? "+Z" : "-Z");
        bool agrees = isHalfTurned ? negative == 0 && positive == 3 : positive == 0 && negative == 3;
        bones->humanoid->isHalfTurned = agrees ? !isHalfTurned : isHalfTurned;
    }
}

// Applies the facing of tdLoadDef.
static bool SetFacing(const tdHumanoidImport* bones, tdFacing facing, tdVec3 hips)
{
    tdHumanoid* humanoid = bones->humanoid;
    humanoid->isHalfTurned = facing == TD_FACING_MINUS_Z;
    if (facing == TD_FACING_PLUS_Z || facing == TD_FACING_MINUS_Z)
    {
        return true;
    }
    tdTpose* tpose = tdArena_New(bones->import->arena, tdTpose);
    if (tpose != NULL)
    {
        *tpose = (tdTpose){tdMakeBodyFrame(facing, (tdVec3){0.0f, 1.0f, 0.0f}), NULL, hips};
        humanoid->tpose = tpose;
    }
    return tpose != NULL;
}

static void CheckArms(const tdHumanoidImport* bones, const tdNodePose* rest)
{
    for (int side = 0; side < 2; ++side)
    {
        tdBone upper = side == 0 ? TD_BONE_LEFT_UPPER_ARM : TD_BONE_RIGHT_UPPER_ARM;
        tdVec3 start, end;
        if (!GetBonePosition(bones, rest, upper, &start) ||
            !GetBonePosition(bones, rest, side == 0 ? TD_BONE_LEFT_HAND : TD_BONE_RIGHT_HAND, &end))
        {
            continue;
        }
        tdVec3 direction = tdNormalize(tdSub(end, start));
        tdVec3 left = tdRotate(tdHumanoid_GetFrame(bones->humanoid), (tdVec3){1.0f, 0.0f, 0.0f});
        float outward = side == 0 ? tdDot(direction, left) : -tdDot(direction, left);
        float angle = tdAcos(outward) * (180.0f / TD_PI);
        tdPath links[2];
        if (tdLengthSquared(direction) > 0.0f && angle > 10.0f)
        {
            tdReport_Add(bones->import->report, TD_DIAG_VH_TPOSE_ARM, MakeBonePath(bones, upper, NULL, links),
                         tdBone_GetInfo(upper)->name, (double)floorf(angle + 0.5f));
        }
    }
}

bool tdHumanoidImport_Finish(tdHumanoidImport* bones)
{
    tdImport* import = bones->import;
    tdHumanoid* humanoid = bones->humanoid;
    int nodeCount = import->scene->nodes.count;
    int* boneOfNode = tdArena_NewArray(import->arena, int, nodeCount);
    tdNodePose rest;
    if (boneOfNode == NULL ||
        !tdNodePose_Init(&rest, &import->scene->nodes, tdTransform_identity, &import->scratch))
    {
        return false;
    }
    tdNodePose_Sweep(&rest);
    for (int i = 0; i < nodeCount; ++i)
    {
        boneOfNode[i] = TD_BONE_NONE;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (humanoid->nodes[i] >= 0)
        {
            boneOfNode[humanoid->nodes[i]] = i;
        }
    }
    humanoid->boneOfNode = boneOfNode;
    import->scene->humanoid = humanoid;
    tdVec3 hips;
    bool hasHips = GetBonePosition(bones, &rest, TD_BONE_HIPS, &hips);
    humanoid->hipsHeight = hips.y;
    if (humanoid->kind == TD_HUMANOID_BY_NAME)
    {
        return true; // no specification applies
    }
    CheckPresence(bones);
    CheckOrder(bones);
    CheckNodes(bones);
    if (import->def->facing == TD_FACING_AUTO)
    {
        CheckFacing(bones, &rest);
    }
    else if (!SetFacing(bones, import->def->facing, hips))
    {
        return false;
    }
    CheckArms(bones, &rest);
    if (hasHips && !(hips.y > 0.001f))
    {
        tdPath links[2];
        tdReport_Add(import->report, TD_DIAG_VH_HIPS_HEIGHT, MakeBonePath(bones, TD_BONE_HIPS, "node", links),
                     (double)hips.y);
    }
    return true;
}

// VRMC_vrm

bool tdImportVrm1(tdImport* import, int extension)
{
    tdPath root = tdPath_Root(), extensions = tdPath_Key(&root, "extensions");
    tdPath path = tdPath_Key(&extensions, "VRMC_vrm"), humanoidPath = tdPath_Key(&path, "humanoid");
    tdPath bonesPath = tdPath_Key(&humanoidPath, "humanBones"),
           versionPath = tdPath_Key(&path, "specVersion");
    tdPath expressionsPath = tdPath_Key(&path, "expressions"), lookAtPath = tdPath_Key(&path, "lookAt");
    int version = tdJson_Find(import->json, extension, "specVersion");
    if (version < 0)
    {
        tdReport_Add(import->report, TD_DIAG_VM_REQUIRED, &path, "specVersion");
    }
    else if (tdJson_GetType(import->json, version) != TD_JSON_STRING)
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &versionPath, "a string");
    }
    else if (!tdJson_StringEquals(import->json, version, "1.0"))
    {
        char text[32];
        tdReport_Add(import->report, TD_DIAG_VH_SPEC_VERSION, &versionPath,
                     tdImport_CopyShort(import, version, text, sizeof(text)));
    }
    int humanoid = tdImport_FindObject(import, &path, extension, "humanoid", TD_DIAG_VH_TYPE);
    if (tdJson_Find(import->json, extension, "humanoid") < 0)
    {
        tdReport_Add(import->report, TD_DIAG_VM_REQUIRED, &path, "humanoid");
    }
    int object = tdImport_FindObject(import, &humanoidPath, humanoid, "humanBones", TD_DIAG_VH_TYPE);
    tdHumanoidImport bones;
    if (!tdHumanoidImport_Init(&bones, import, TD_HUMANOID_VRM1, &bonesPath))
    {
        return false;
    }
    tdHumanoidImport_ReadObject(&bones, object);
    int expressions = tdImport_FindObject(import, &path, extension, "expressions", TD_DIAG_VH_TYPE);
    if (!tdImportMeta1(import, bones.humanoid, extension, &path) ||
        !tdImportLookAt1(import, bones.humanoid, extension, &path) || !tdHumanoidImport_Finish(&bones) ||
        !tdImportExpressions1(import, bones.humanoid, expressions, &expressionsPath))
    {
        return false;
    }
    tdCheckLookAt(import, bones.humanoid, &lookAtPath);
    return true;
}
