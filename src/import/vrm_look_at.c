// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports the gaze and the first-person flags of both versions of VRM. See docs/spec/expressions.md 3 and 6.
#include "vrm_look_at.h"

#include "vrm_mesh_users.h"

#include <string.h>

/// Range of the numbers of range maps and offsets. Larger ones have no meaning in degrees, weights or metres.
#define MAX_LOOK_AT_NUMBER 1.0e6

/// inputMaxValue of a range map that gives none, in degrees, as three-vrm and UniVRM have it.
#define DEFAULT_INPUT_MAX 90.0

/// Reads a number that defaults to the one that `number` holds. False if it cannot be used (reported).
static bool ReadMapNumber(tdImport* import, const tdPath* path, int object, const char* key, double lowest,
                          double highest, double* number)
{
    int value = tdJson_Find(import->json, object, key);
    *number = tdJson_GetNumber(import->json, value, *number);
    bool isUsable = *number > -MAX_LOOK_AT_NUMBER && *number < MAX_LOOK_AT_NUMBER && *number >= lowest;
    tdPath here = tdPath_Key(path, key);
    if (value >= 0 && tdJson_GetType(import->json, value) != TD_JSON_NUMBER)
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "a number");
    }
    else if (!isUsable || *number > highest)
    {
        tdReport_Add(import->report, TD_DIAG_VL_RANGE_MAP, &here, *number);
    }
    return isUsable;
}

/// Reads a range map of either version. A map with a number that cannot be used counts as absent.
static tdRangeMap ReadRangeMap(tdImport* import, const tdPath* path, int parent, const char* key,
                               const char* inputKey, const char* outputKey, tdLookAtType type)
{
    double fullOutput = type == TD_LOOK_AT_BONE ? 10.0 : 1.0; // degrees or weight
    double input = DEFAULT_INPUT_MAX, output = fullOutput;
    tdPath here = tdPath_Key(path, key);
    int object = tdImport_FindObject(import, path, parent, key, TD_DIAG_VH_TYPE);
    bool isUsable = ReadMapNumber(import, &here, object, inputKey, 0.0, 180.0, &input);
    isUsable =
        ReadMapNumber(import, &here, object, outputKey, -MAX_LOOK_AT_NUMBER, MAX_LOOK_AT_NUMBER, &output) &&
        isUsable;
    return isUsable ? (tdRangeMap){(float)input, (float)output}
                    : (tdRangeMap){(float)DEFAULT_INPUT_MAX, (float)fullOutput};
}

/// Reads the word that names the output of the gaze; bone if it is absent or unknown (reported).
static tdLookAtType ReadLookAtType(tdImport* import, const tdPath* path, int object, const char* key,
                                   const char* boneWord, const char* expressionWord)
{
    int value = tdJson_Find(import->json, object, key);
    tdPath here = tdPath_Key(path, key);
    if (tdJson_StringEquals(import->json, value, expressionWord))
    {
        return TD_LOOK_AT_EXPRESSION;
    }
    if (value >= 0 && tdJson_GetType(import->json, value) != TD_JSON_STRING)
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "a string");
    }
    else if (value >= 0 && !tdJson_StringEquals(import->json, value, boneWord))
    {
        char text[64];
        tdReport_Add(import->report, TD_DIAG_VL_LOOK_AT_TYPE, &here,
                     tdImport_CopyShort(import, value, text, sizeof(text)), boneWord, expressionWord);
    }
    return TD_LOOK_AT_BONE;
}

static float ReadOffsetNumber(tdImport* import, const tdPath* path, int value)
{
    double number = tdJson_GetNumber(import->json, value, 0.0);
    bool isUsable = number > -MAX_LOOK_AT_NUMBER && number < MAX_LOOK_AT_NUMBER;
    if (value >= 0 && (tdJson_GetType(import->json, value) != TD_JSON_NUMBER || !isUsable))
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, path, "a number of metres");
    }
    return isUsable ? (float)number : 0.0f;
}

// First person

/// Annotations by node, the first of each node.
typedef struct AnnotationList
{
    tdMeshAnnotation* items;
    int count;
    bool* isAnnotated; // by node
} AnnotationList;

static bool StartAnnotations(tdImport* import, AnnotationList* list)
{
    // A node has one annotation, so that the list never outgrows the nodes.
    int room = import->scene->nodes.count;
    list->count = 0;
    list->items = tdArena_NewArray(import->arena, tdMeshAnnotation, room);
    list->isAnnotated = tdArena_NewArray(&import->scratch, bool, room);
    return list->items != NULL && list->isAnnotated != NULL;
}

static void Annotate(tdImport* import, AnnotationList* list, int node, tdFirstPersonType type,
                     const tdPath* path)
{
    if (list->isAnnotated[node])
    {
        tdReport_Add(import->report, TD_DIAG_VF_DUPLICATE, path, node);
        return;
    }
    list->isAnnotated[node] = true;
    list->items[list->count++] = (tdMeshAnnotation){node, type};
}

/// Compares a string with a word, where the case of the first letter does not count: 0.x writes "Both" for
/// "both".
static bool IsAnnotationWord(const tdImport* import, int value, const char* word)
{
    size_t length = 0;
    const char* text = tdJson_GetString(import->json, value, &length);
    return text != NULL && length == strlen(word) && (text[0] | 0x20) == word[0] &&
           memcmp(text + 1, word + 1, length - 1) == 0;
}

/// False if the value is no type (reported).
static bool ReadAnnotationType(tdImport* import, const tdPath* path, int object, const char* key, bool isOld,
                               tdFirstPersonType* type)
{
    static const char* const words[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};
    int value = tdJson_Find(import->json, object, key);
    for (int i = 0; i < 4; ++i)
    {
        if (isOld ? IsAnnotationWord(import, value, words[i])
                  : tdJson_StringEquals(import->json, value, words[i]))
        {
            *type = (tdFirstPersonType)i;
            return true;
        }
    }
    char text[64];
    tdPath here = tdPath_Key(path, key);
    tdReport_Add(import->report, TD_DIAG_VF_TYPE, &here,
                 tdImport_CopyShort(import, value, text, sizeof(text)));
    return false;
}

/// The list of annotations; TD_JSON_NONE if there is none.
static int FindAnnotations(tdImport* import, const tdPath* path, int firstPerson)
{
    int list = tdJson_Find(import->json, firstPerson, "meshAnnotations");
    if (list >= 0 && !tdJson_IsArray(import->json, list))
    {
        tdPath here = tdPath_Key(path, "meshAnnotations");
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "an array");
        return TD_JSON_NONE;
    }
    return list;
}

static bool ReadAnnotations1(tdImport* import, tdHumanoid* humanoid, int firstPerson, const tdPath* path)
{
    const tdJson* json = import->json;
    AnnotationList annotations;
    int list = FindAnnotations(import, path, firstPerson);
    if (list < 0)
    {
        return true;
    }
    if (!StartAnnotations(import, &annotations))
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "meshAnnotations");
    int index = 0;
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++index)
    {
        tdPath here = tdPath_Index(&listPath, index), nodePath = tdPath_Key(&here, "node");
        tdFirstPersonType type = TD_FIRST_PERSON_AUTO;
        int node = tdImport_ReadNodeIndex(import, tdJson_Find(json, child, "node"));
        if (!tdJson_IsObject(json, child))
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "an object");
        }
        else if (node < 0 || import->scene->nodes.meshes[node] < 0)
        {
            tdReport_Add(import->report, TD_DIAG_VF_MESH, &nodePath,
                         node < 0 ? "there is no such node" : "the node has no mesh");
        }
        else if (ReadAnnotationType(import, &here, child, "type", false, &type))
        {
            Annotate(import, &annotations, node, type, &nodePath);
        }
    }
    humanoid->annotations = annotations.items;
    humanoid->annotationCount = annotations.count;
    return true;
}

/// Annotations of 0.x refer to meshes and apply to every node with that mesh.
static bool ReadAnnotations0(tdImport* import, tdHumanoid* humanoid, int firstPerson, const tdPath* path)
{
    const tdJson* json = import->json;
    const tdNodeTree* nodes = &import->scene->nodes;
    AnnotationList annotations;
    tdMeshUsers users;
    int list = FindAnnotations(import, path, firstPerson);
    if (list < 0)
    {
        return true;
    }
    if (!StartAnnotations(import, &annotations) || !tdMeshUsers_Init(&users, nodes, &import->scratch))
    {
        return false;
    }
    bool* isSeen = tdArena_NewArray(&import->scratch, bool, users.meshCount); // by mesh
    if (isSeen == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "meshAnnotations");
    int index = 0;
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++index)
    {
        tdPath here = tdPath_Index(&listPath, index), meshPath = tdPath_Key(&here, "mesh");
        tdFirstPersonType type = TD_FIRST_PERSON_AUTO;
        int64_t mesh = -1;
        if (!tdJson_IsObject(json, child))
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "an object");
            continue;
        }
        if (!tdJson_GetInteger(json, tdJson_Find(json, child, "mesh"), &mesh) || mesh < 0 ||
            mesh >= users.meshCount || users.counts[mesh] == 0)
        {
            tdReport_Add(import->report, TD_DIAG_VF_MESH, &meshPath, "no node has such a mesh");
            continue;
        }
        if (!ReadAnnotationType(import, &here, child, "firstPersonFlag", true, &type))
        {
            continue;
        }
        if (isSeen[mesh])
        {
            tdReport_Add(import->report, TD_DIAG_VF_DUPLICATE, &meshPath, users.first[mesh]);
            continue;
        }
        isSeen[mesh] = true;
        for (int node = users.first[mesh]; node >= 0; node = users.next[node])
        {
            Annotate(import, &annotations, node, type, &meshPath);
        }
    }
    humanoid->annotations = annotations.items;
    humanoid->annotationCount = annotations.count;
    return true;
}

// VRM 1.0

static void ReadLookAt1(tdImport* import, tdLookAt* out, int lookAt, const tdPath* path)
{
    out->type = ReadLookAtType(import, path, lookAt, "type", "bone", "expression");
    int offset = tdJson_Find(import->json, lookAt, "offsetFromHeadBone");
    tdPath offsetPath = tdPath_Key(path, "offsetFromHeadBone");
    if (offset >= 0 && (!tdJson_IsArray(import->json, offset) || tdJson_GetCount(import->json, offset) != 3))
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &offsetPath, "an array of three numbers");
        offset = TD_JSON_NONE;
    }
    float numbers[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3 && offset >= 0; ++i)
    {
        tdPath here = tdPath_Index(&offsetPath, i);
        numbers[i] = ReadOffsetNumber(import, &here, tdJson_At(import->json, offset, i));
    }
    out->offsetFromHeadBone = (tdVec3){numbers[0], numbers[1], numbers[2]};
    static const char* const keys[4] = {"rangeMapHorizontalInner", "rangeMapHorizontalOuter",
                                        "rangeMapVerticalDown", "rangeMapVerticalUp"};
    tdRangeMap* maps[4] = {&out->horizontalInner, &out->horizontalOuter, &out->verticalDown,
                           &out->verticalUp};
    for (int i = 0; i < 4; ++i)
    {
        *maps[i] = ReadRangeMap(import, path, lookAt, keys[i], "inputMaxValue", "outputScale", out->type);
    }
}

bool tdImportLookAt1(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path)
{
    tdPath lookAtPath = tdPath_Key(path, "lookAt"), firstPersonPath = tdPath_Key(path, "firstPerson");
    int lookAt = tdImport_FindObject(import, path, extension, "lookAt", TD_DIAG_VH_TYPE);
    int firstPerson = tdImport_FindObject(import, path, extension, "firstPerson", TD_DIAG_VH_TYPE);
    if (lookAt >= 0)
    {
        ReadLookAt1(import, &humanoid->lookAt, lookAt, &lookAtPath);
    }
    return ReadAnnotations1(import, humanoid, firstPerson, &firstPersonPath);
}

// VRM 0.x

/// Unity's curve: time, value, tangent in, tangent out of each key. Tendon plays the straight line from 0, 0
/// to 1, 1, which is all that 1.0 has.
static void CheckCurve(tdImport* import, const tdPath* path, int firstPerson, const char* key)
{
    static const double line[8] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    const tdJson* json = import->json;
    int curve = tdJson_Find(json, tdJson_Find(json, firstPerson, key), "curve");
    if (curve < 0 || tdJson_GetCount(json, curve) == 0)
    {
        return;
    }
    bool isLine = tdJson_GetCount(json, curve) == 8;
    int index = 0;
    for (int child = tdJson_GetFirst(json, curve); child >= 0 && isLine;
         child = tdJson_GetNext(json, child), ++index)
    {
        isLine = tdJson_GetNumber(json, child, -1.0) == line[index];
    }
    if (!isLine)
    {
        tdPath mapPath = tdPath_Key(path, key), here = tdPath_Key(&mapPath, "curve");
        tdReport_Add(import->report, TD_DIAG_VL_CURVE, &here);
    }
}

static void CheckFirstPersonBone(tdImport* import, const tdPath* path, int firstPerson)
{
    int value = tdJson_Find(import->json, firstPerson, "firstPersonBone");
    int64_t index = -1;
    bool isHead = tdJson_GetInteger(import->json, value, &index) && index == -1;
    if (value >= 0 && !isHead && tdImport_ReadNodeIndex(import, value) < 0)
    {
        tdPath here = tdPath_Key(path, "firstPersonBone");
        tdReport_Add(import->report, TD_DIAG_VF_BONE, &here);
    }
}

/// Reads firstPersonBoneOffset, which is in Unity's axes: glTF's are (x, y, -z), and a half turn to face +Z
/// gives (-x, y, z).
static tdVec3 ReadBoneOffset(tdImport* import, const tdPath* path, int firstPerson)
{
    static const char* const keys[3] = {"x", "y", "z"};
    tdPath offsetPath = tdPath_Key(path, "firstPersonBoneOffset");
    int offset = tdImport_FindObject(import, path, firstPerson, "firstPersonBoneOffset", TD_DIAG_VH_TYPE);
    float numbers[3];
    for (int i = 0; i < 3; ++i)
    {
        tdPath here = tdPath_Key(&offsetPath, keys[i]);
        numbers[i] = ReadOffsetNumber(import, &here, tdJson_Find(import->json, offset, keys[i]));
    }
    return (tdVec3){0.0f - numbers[0], numbers[1], numbers[2]};
}

bool tdImportLookAt0(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path)
{
    static const char* const keys[4] = {"lookAtHorizontalInner", "lookAtHorizontalOuter",
                                        "lookAtVerticalDown", "lookAtVerticalUp"};
    tdPath here = tdPath_Key(path, "firstPerson");
    int firstPerson = tdImport_FindObject(import, path, extension, "firstPerson", TD_DIAG_VH_TYPE);
    if (firstPerson < 0)
    {
        return true;
    }
    tdLookAt* out = &humanoid->lookAt;
    tdRangeMap* maps[4] = {&out->horizontalInner, &out->horizontalOuter, &out->verticalDown,
                           &out->verticalUp};
    out->type = ReadLookAtType(import, &here, firstPerson, "lookAtTypeName", "Bone", "BlendShape");
    out->offsetFromHeadBone = ReadBoneOffset(import, &here, firstPerson);
    CheckFirstPersonBone(import, &here, firstPerson);
    for (int i = 0; i < 4; ++i)
    {
        *maps[i] = ReadRangeMap(import, &here, firstPerson, keys[i], "xRange", "yRange", out->type);
        CheckCurve(import, &here, firstPerson, keys[i]);
    }
    return ReadAnnotations0(import, humanoid, firstPerson, &here);
}

void tdCheckLookAt(tdImport* import, const tdHumanoid* humanoid, const tdPath* path)
{
    bool hasOutput = humanoid->lookAt.type == TD_LOOK_AT_NONE ||
                     (humanoid->lookAt.type == TD_LOOK_AT_BONE &&
                      (humanoid->nodes[TD_BONE_LEFT_EYE] >= 0 || humanoid->nodes[TD_BONE_RIGHT_EYE] >= 0));
    for (int i = 0; i < humanoid->expressionCount && !hasOutput; ++i)
    {
        hasOutput = humanoid->lookAt.type == TD_LOOK_AT_EXPRESSION &&
                    tdExpressionPreset_GetGroup(humanoid->expressions[i].preset) == TD_GROUP_LOOK_AT;
    }
    if (!hasOutput)
    {
        bool isBone = humanoid->lookAt.type == TD_LOOK_AT_BONE;
        tdReport_Add(import->report, TD_DIAG_VL_NO_OUTPUT, path,
                     isBone ? "eye bone" : "lookUp, lookDown, lookLeft or lookRight expression");
    }
}
