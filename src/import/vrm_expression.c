// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports the morph weights of expressions of VRM 1.0 (expressions) and 0.x (blendShapeMaster). Material and
// texture binds are for renderers and stay in the document.
#include "vrm_expression.h"

#include "vrm.h"

#include <string.h>

static bool AddBind(tdImport* import, tdMorphBind* binds, int* count, int node, int target, double weight,
                    const char* name, const tdPath* path)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    int weights = node >= 0 ? nodes->weightStarts[node + 1] - nodes->weightStarts[node] : 0;
    if (node < 0 || target < 0 || target >= weights || !(weight > -1.0e6 && weight < 1.0e6))
    {
        tdReport_Add(import->report, TD_DIAG_VH_EXPRESSION_BIND, path, name,
                     node < 0 ? "there is no such node" : "the node has no such morph target");
        return false;
    }
    binds[(*count)++] = (tdMorphBind){node, target, (float)weight};
    return true;
}

static int ReadBindIndex(const tdImport* import, int object, const char* key)
{
    int64_t value = -1;
    bool isWhole = tdJson_GetInteger(import->json, tdJson_Find(import->json, object, key), &value);
    return isWhole && value >= 0 && value < INT32_MAX ? (int)value : -1;
}

static tdExpressionOverride ReadOverride(const tdImport* import, int object, const char* key)
{
    int value = tdJson_Find(import->json, object, key);
    if (tdJson_StringEquals(import->json, value, "block"))
    {
        return TD_OVERRIDE_BLOCK;
    }
    return tdJson_StringEquals(import->json, value, "blend") ? TD_OVERRIDE_BLEND : TD_OVERRIDE_NONE;
}

static bool ReadExpression1(tdImport* import, tdExpression* out, int object, const char* name,
                            tdExpressionPreset preset, const tdPath* path)
{
    int list = tdJson_Find(import->json, object, "morphTargetBinds");
    int room = tdJson_IsArray(import->json, list) ? tdJson_GetCount(import->json, list) : 0;
    tdMorphBind* binds = tdArena_NewArray(import->arena, tdMorphBind, room);
    if (binds == NULL)
    {
        return false;
    }
    *out = (tdExpression){.name = name, .preset = preset, .binds = binds};
    out->isBinary =
        tdJson_GetType(import->json, tdJson_Find(import->json, object, "isBinary")) == TD_JSON_TRUE;
    out->overrides[TD_GROUP_BLINK] = ReadOverride(import, object, "overrideBlink");
    out->overrides[TD_GROUP_LOOK_AT] = ReadOverride(import, object, "overrideLookAt");
    out->overrides[TD_GROUP_MOUTH] = ReadOverride(import, object, "overrideMouth");
    tdPath listPath = tdPath_Key(path, "morphTargetBinds");
    int index = 0;
    for (int bind = room > 0 ? tdJson_GetFirst(import->json, list) : -1; bind >= 0;
         bind = tdJson_GetNext(import->json, bind), ++index)
    {
        tdPath bindPath = tdPath_Index(&listPath, index);
        AddBind(import, binds, &out->bindCount,
                tdImport_ReadNodeIndex(import, tdJson_Find(import->json, bind, "node")),
                ReadBindIndex(import, bind, "index"),
                tdJson_GetNumber(import->json, tdJson_Find(import->json, bind, "weight"), 1.0), name,
                &bindPath);
    }
    return true;
}

bool tdImportExpressions1(tdImport* import, tdHumanoid* humanoid, int expressions, const tdPath* path)
{
    const tdJson* json = import->json;
    int groups[2] = {tdImport_FindObject(import, path, expressions, "preset", TD_DIAG_VH_TYPE),
                     tdImport_FindObject(import, path, expressions, "custom", TD_DIAG_VH_TYPE)};
    int count = tdJson_GetCount(json, groups[0]) + tdJson_GetCount(json, groups[1]);
    tdExpression* out = tdArena_NewArray(import->arena, tdExpression, count);
    if (out == NULL)
    {
        return false;
    }
    humanoid->expressions = out;
    for (int g = 0; g < 2; ++g)
    {
        tdPath groupPath = tdPath_Key(path, g == 0 ? "preset" : "custom");
        for (int child = tdJson_GetFirst(json, groups[g]); child >= 0; child = tdJson_GetNext(json, child))
        {
            size_t length = 0;
            const char* key = tdJson_GetKey(json, child, &length);
            const char* name = tdArena_CopyText(import->arena, key, length);
            if (name == NULL)
            {
                return false;
            }
            tdPath here = tdPath_Key(&groupPath, name);
            tdExpressionPreset preset = g == 0 ? tdExpressionPreset_Find(key, length) : TD_PRESET_NONE;
            if (!tdJson_IsObject(json, child) || (g == 0 && preset == TD_PRESET_NONE))
            {
                tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here,
                             g == 0 && preset == TD_PRESET_NONE ? "a preset expression" : "an object");
                continue;
            }
            if (!ReadExpression1(import, &out[humanoid->expressionCount], child, name, preset, &here))
            {
                return false;
            }
            humanoid->expressionCount += 1;
        }
    }
    return true;
}

// VRM 0.x

static tdExpressionPreset FindPreset0(const char* name)
{
    static const struct
    {
        const char* name;
        tdExpressionPreset preset;
    } names[] = {
        {"joy", TD_PRESET_HAPPY},
        {"sorrow", TD_PRESET_SAD},
        {"fun", TD_PRESET_RELAXED},
        {"angry", TD_PRESET_ANGRY},
        {"neutral", TD_PRESET_NEUTRAL},
        {"a", TD_PRESET_AA},
        {"i", TD_PRESET_IH},
        {"u", TD_PRESET_OU},
        {"e", TD_PRESET_EE},
        {"o", TD_PRESET_OH},
        {"blink", TD_PRESET_BLINK},
        {"blink_l", TD_PRESET_BLINK_LEFT},
        {"blink_r", TD_PRESET_BLINK_RIGHT},
        {"lookup", TD_PRESET_LOOK_UP},
        {"lookdown", TD_PRESET_LOOK_DOWN},
        {"lookleft", TD_PRESET_LOOK_LEFT},
        {"lookright", TD_PRESET_LOOK_RIGHT},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        size_t k = 0;
        while (name[k] != 0 &&
               names[i].name[k] == (name[k] >= 'A' && name[k] <= 'Z' ? name[k] + 32 : name[k]))
        {
            k += 1;
        }
        if (name[k] == 0 && names[i].name[k] == 0)
        {
            return names[i].preset;
        }
    }
    return TD_PRESET_NONE;
}

// Binds of 0.x refer to meshes and apply to every node with that mesh: a list of nodes per mesh.
typedef struct MeshUsers
{
    int meshCount;
    int* first;  // by mesh: a node, -1: none
    int* next;   // by node: the next one with the same mesh
    int* counts; // by mesh
    int room;    // remaining number of binds, far above that of real files
} MeshUsers;

#define MAX_BINDS (1 << 20)

static bool ListUsers(tdImport* import, MeshUsers* users)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    *users = (MeshUsers){.room = MAX_BINDS};
    for (int node = 0; node < nodes->count; ++node)
    {
        users->meshCount = tdMaxInt(users->meshCount, nodes->meshes[node] + 1);
    }
    users->first = tdArena_NewArray(&import->scratch, int, users->meshCount);
    users->counts = tdArena_NewArray(&import->scratch, int, users->meshCount);
    users->next = tdArena_NewArray(&import->scratch, int, nodes->count);
    if (users->first == NULL || users->counts == NULL || users->next == NULL)
    {
        return false;
    }
    for (int mesh = 0; mesh < users->meshCount; ++mesh)
    {
        users->first[mesh] = -1;
    }
    for (int node = nodes->count - 1; node >= 0; --node)
    {
        int mesh = nodes->meshes[node];
        if (mesh >= 0)
        {
            users->next[node] = users->first[mesh];
            users->first[mesh] = node;
            users->counts[mesh] += 1;
        }
    }
    return true;
}

static bool ReadBinds0(tdImport* import, tdExpression* out, int group, const tdPath* path, MeshUsers* users)
{
    int list = tdJson_Find(import->json, group, "binds");
    list = tdJson_IsArray(import->json, list) ? list : TD_JSON_NONE;
    int room = 0;
    for (int bind = tdJson_GetFirst(import->json, list); bind >= 0; bind = tdJson_GetNext(import->json, bind))
    {
        int mesh = ReadBindIndex(import, bind, "mesh");
        int count = mesh >= 0 && mesh < users->meshCount ? users->counts[mesh] : 0;
        room += count <= users->room - room ? count : 0;
    }
    tdMorphBind* binds = tdArena_NewArray(import->arena, tdMorphBind, room);
    if (binds == NULL)
    {
        return false;
    }
    out->binds = binds;
    tdPath listPath = tdPath_Key(path, "binds");
    int index = 0, used = 0;
    for (int bind = tdJson_GetFirst(import->json, list); bind >= 0;
         bind = tdJson_GetNext(import->json, bind), ++index)
    {
        tdPath bindPath = tdPath_Index(&listPath, index);
        int mesh = ReadBindIndex(import, bind, "mesh"), target = ReadBindIndex(import, bind, "index");
        double weight =
            tdJson_GetNumber(import->json, tdJson_Find(import->json, bind, "weight"), 100.0) / 100.0;
        int count = mesh >= 0 && mesh < users->meshCount ? users->counts[mesh] : 0;
        if (count == 0 || count > room - used)
        {
            AddBind(import, binds, &out->bindCount, -1, target, weight, out->name, &bindPath);
            continue;
        }
        used += count;
        for (int node = users->first[mesh]; node >= 0; node = users->next[node])
        {
            AddBind(import, binds, &out->bindCount, node, target, weight, out->name, &bindPath);
        }
    }
    users->room -= used;
    return true;
}

bool tdImportExpressions0(tdImport* import, tdHumanoid* humanoid, int master, const tdPath* path)
{
    const tdJson* json = import->json;
    int list = tdJson_Find(json, master, "blendShapeGroups");
    list = tdJson_IsArray(json, list) ? list : TD_JSON_NONE;
    tdExpression* out = tdArena_NewArray(import->arena, tdExpression, tdJson_GetCount(json, list));
    MeshUsers users;
    if (out == NULL || !ListUsers(import, &users))
    {
        return false;
    }
    humanoid->expressions = out;
    tdPath listPath = tdPath_Key(path, "blendShapeGroups");
    int index = 0;
    for (int group = tdJson_GetFirst(json, list); group >= 0; group = tdJson_GetNext(json, group), ++index)
    {
        tdPath here = tdPath_Index(&listPath, index);
        if (!tdJson_IsObject(json, group))
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "an object");
            continue;
        }
        char text[64];
        tdExpressionPreset preset = FindPreset0(
            tdImport_CopyShort(import, tdJson_Find(json, group, "presetName"), text, sizeof(text)));
        tdExpression* expression = &out[humanoid->expressionCount++];
        *expression = (tdExpression){.preset = preset};
        if (preset != TD_PRESET_NONE)
        {
            expression->name = tdExpressionPreset_GetName(preset);
        }
        else
        {
            size_t length = 0;
            const char* name = tdJson_GetString(json, tdJson_Find(json, group, "name"), &length);
            expression->name =
                tdArena_CopyText(import->arena, name != NULL ? name : "", name != NULL ? length : 0);
        }
        expression->isBinary = tdJson_GetType(json, tdJson_Find(json, group, "isBinary")) == TD_JSON_TRUE;
        if (expression->name == NULL || !ReadBinds0(import, expression, group, &here, &users))
        {
            return false;
        }
    }
    return true;
}
