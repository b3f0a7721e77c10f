// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports the expressions of VRM 1.0 (expressions) and 0.x (blendShapeMaster) with their binds to morph
// targets, material colours and texture transforms.
#include "vrm_expression.h"

#include "read.h"
#include "vrm_material.h"
#include "vrm_mesh_users.h"

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

/// Most material binds of a file, far above those of real files: a texture transform of the file becomes up
/// to 20 binds.
#define MAX_MATERIAL_BINDS (1 << 20)
/// Colours and texture coordinates beyond this have no meaning; their binds are left out.
#define MAX_BIND_VALUE 1.0e6f

/// The expressions of a file during their import.
typedef struct ExpressionImport
{
    tdImport* import;
    tdHumanoid* humanoid;
    tdMaterialImport materials;
    int materialRoom; // remaining number of material binds
} ExpressionImport;

/// Reads exactly `count` numbers that a material can have. False if they are absent or wrong (reported).
static bool ReadBindValues(const ExpressionImport* e, const tdPath* path, int object, const char* key,
                           int count, float* values)
{
    tdReader reader = tdMakeReader(e->import->json, e->import->report);
    reader.codes.type = TD_DIAG_VH_TYPE;
    reader.codes.required = TD_DIAG_VM_REQUIRED;
    tdReadResult result = tdReadNumbers(&reader, path, object, key, count, values);
    for (int i = 0; i < count && result == TD_READ_OK; ++i)
    {
        if (tdAbsFloat(values[i]) > MAX_BIND_VALUE)
        {
            tdPath here = tdPath_Key(path, key);
            tdReport_Add(e->import->report, TD_DIAG_VALUE_NOT_IN_RANGE, &here, (double)values[i]);
            return false;
        }
    }
    return result == TD_READ_OK;
}

static void ReportMaterialBind(const ExpressionImport* e, const tdPath* path, const char* name,
                               const char* problem)
{
    tdReport_Add(e->import->report, TD_DIAG_VE_MATERIAL_BIND, path, name, problem);
}

/// The material of a bind in 1.0; -1 if there is none (reported).
static int ReadBindMaterial(const ExpressionImport* e, const tdPath* path, int bind, const char* name)
{
    int material = ReadBindIndex(e->import, bind, "material");
    if (material >= 0 && material < e->materials.count)
    {
        return material;
    }
    tdPath here = tdPath_Key(path, "material");
    ReportMaterialBind(e, &here, name, "there is no such material");
    return -1;
}

/// Adds a colour bind to an expression that has room. False when memory ran out.
static bool AddColorBind(ExpressionImport* e, tdExpression* out, tdMaterialBind* binds, int material,
                         tdMaterialValueKind kind, const float target[4], const tdPath* path)
{
    int value = tdMaterialImport_UseColor(&e->materials, material, kind);
    if (value == -1)
    {
        tdReport_Add(e->import->report, TD_DIAG_VE_MATERIAL_LACKS, path, out->name, material,
                     tdMaterialValueKind_GetName(kind));
    }
    if (value < 0)
    {
        return value == -1;
    }
    tdMaterialBind* bind = &binds[out->materialBindCount++];
    bind->value = value;
    memcpy(bind->target, target, (size_t)e->materials.values.data[value].value.width * sizeof(float));
    return true;
}

/// Adds the offset and scale of all textures to an expression that has room. False when memory ran out.
static bool AddTextureBinds(ExpressionImport* e, tdExpression* out, tdMaterialBind* binds, int material,
                            const float offset[2], const float scale[2], const tdPath* path)
{
    int count = tdMaterialImport_CountTextures(&e->materials, material);
    if (count == 0)
    {
        tdReport_Add(e->import->report, TD_DIAG_VE_MATERIAL_LACKS, path, out->name, material, "texture");
    }
    for (int i = 0; i < 2 * count; ++i)
    {
        bool isScale = i % 2 == 1;
        int value = tdMaterialImport_UseTexture(&e->materials, material, i / 2,
                                                isScale ? TD_MATERIAL_VALUE_TEXTURE_SCALE
                                                        : TD_MATERIAL_VALUE_TEXTURE_OFFSET);
        if (value < 0)
        {
            return false;
        }
        const float* target = isScale ? scale : offset;
        binds[out->materialBindCount++] = (tdMaterialBind){value, {target[0], target[1], 0.0f, 0.0f}};
    }
    return true;
}

/// Takes room for the binds of one expression. NULL when memory ran out; then, and when the file has too many
/// (reported), *hasRoom is false.
static tdMaterialBind* NewMaterialBinds(ExpressionImport* e, int count, const tdPath* path, const char* name,
                                        bool* hasRoom)
{
    *hasRoom = count <= e->materialRoom;
    if (!*hasRoom)
    {
        ReportMaterialBind(e, path, name, "the file has too many binds");
    }
    e->materialRoom -= *hasRoom ? count : 0;
    return tdArena_NewArray(e->import->arena, tdMaterialBind, *hasRoom ? count : 0);
}

/// An array member; TD_JSON_NONE if it is absent or no array (reported).
static int FindBinds(const ExpressionImport* e, const tdPath* path, int object, const char* key)
{
    int list = tdJson_Find(e->import->json, object, key);
    if (list >= 0 && !tdJson_IsArray(e->import->json, list))
    {
        tdPath here = tdPath_Key(path, key);
        tdReport_Add(e->import->report, TD_DIAG_VH_TYPE, &here, "an array");
        return TD_JSON_NONE;
    }
    return list;
}

static bool ReadIsBinary(const ExpressionImport* e, const tdPath* path, int object)
{
    int value = tdJson_Find(e->import->json, object, "isBinary");
    tdJsonType type = tdJson_GetType(e->import->json, value);
    if (value >= 0 && type != TD_JSON_TRUE && type != TD_JSON_FALSE)
    {
        tdPath here = tdPath_Key(path, "isBinary");
        tdReport_Add(e->import->report, TD_DIAG_VH_TYPE, &here, "true or false");
    }
    return type == TD_JSON_TRUE;
}

// VRM 1.0

static tdExpressionOverride ReadOverride(const tdImport* import, const tdPath* path, int object,
                                         const char* key, const tdExpression* expression,
                                         tdExpressionGroup group)
{
    int value = tdJson_Find(import->json, object, key);
    tdPath here = tdPath_Key(path, key);
    if (value < 0 || tdJson_StringEquals(import->json, value, "none"))
    {
        return TD_OVERRIDE_NONE;
    }
    bool isBlock = tdJson_StringEquals(import->json, value, "block");
    if (tdJson_GetType(import->json, value) != TD_JSON_STRING)
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, &here, "a string");
        return TD_OVERRIDE_NONE;
    }
    if (!isBlock && !tdJson_StringEquals(import->json, value, "blend"))
    {
        char text[64];
        tdReport_Add(import->report, TD_DIAG_VE_OVERRIDE, &here, key,
                     tdImport_CopyShort(import, value, text, sizeof(text)));
        return TD_OVERRIDE_NONE;
    }
    if (tdExpressionPreset_GetGroup(expression->preset) == group)
    {
        tdReport_Add(import->report, TD_DIAG_VE_OVERRIDE_OWN_GROUP, &here, key, expression->name);
    }
    return isBlock ? TD_OVERRIDE_BLOCK : TD_OVERRIDE_BLEND;
}

static bool ReadMorphBinds1(ExpressionImport* e, tdExpression* out, int object, const tdPath* path)
{
    tdImport* import = e->import;
    int list = FindBinds(e, path, object, "morphTargetBinds");
    tdMorphBind* binds = tdArena_NewArray(import->arena, tdMorphBind, tdJson_GetCount(import->json, list));
    if (binds == NULL)
    {
        return false;
    }
    out->binds = binds;
    tdPath listPath = tdPath_Key(path, "morphTargetBinds");
    int index = 0;
    for (int bind = tdJson_GetFirst(import->json, list); bind >= 0;
         bind = tdJson_GetNext(import->json, bind), ++index)
    {
        tdPath bindPath = tdPath_Index(&listPath, index), weightPath = tdPath_Key(&bindPath, "weight");
        int value = tdJson_Find(import->json, bind, "weight");
        double weight = tdJson_GetNumber(import->json, value, 1.0);
        if (!tdJson_IsObject(import->json, bind))
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &bindPath, "an object");
            continue;
        }
        if (value < 0)
        {
            tdReport_Add(import->report, TD_DIAG_VM_REQUIRED, &bindPath, "weight");
        }
        else if (tdJson_GetType(import->json, value) != TD_JSON_NUMBER)
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &weightPath, "a number");
        }
        else if (!(weight >= 0.0 && weight <= 1.0))
        {
            tdReport_Add(import->report, TD_DIAG_VE_BIND_WEIGHT, &weightPath, weight, "0 to 1");
        }
        AddBind(import, binds, &out->bindCount,
                tdImport_ReadNodeIndex(import, tdJson_Find(import->json, bind, "node")),
                ReadBindIndex(import, bind, "index"), weight, out->name, &bindPath);
    }
    return true;
}

static bool ReadColorBind1(ExpressionImport* e, tdExpression* out, tdMaterialBind* binds, int bind,
                           const tdPath* path)
{
    const tdJson* json = e->import->json;
    tdPath typePath = tdPath_Key(path, "type");
    int type = tdJson_Find(json, bind, "type"), kind = 0;
    float target[4];
    while (kind <= TD_MATERIAL_VALUE_OUTLINE_COLOR &&
           !tdJson_StringEquals(json, type, tdMaterialValueKind_GetName((tdMaterialValueKind)kind)))
    {
        kind += 1;
    }
    int material = ReadBindMaterial(e, path, bind, out->name);
    if (kind > TD_MATERIAL_VALUE_OUTLINE_COLOR)
    {
        ReportMaterialBind(e, &typePath, out->name, "type is no colour of a material");
        return true;
    }
    if (tdJson_Find(json, bind, "targetValue") < 0)
    {
        tdReport_Add(e->import->report, TD_DIAG_VM_REQUIRED, path, "targetValue");
        return true;
    }
    return material < 0 || !ReadBindValues(e, path, bind, "targetValue", 4, target) ||
           AddColorBind(e, out, binds, material, (tdMaterialValueKind)kind, target, path);
}

static bool ReadTextureBind1(ExpressionImport* e, tdExpression* out, tdMaterialBind* binds, int bind,
                             const tdPath* path)
{
    const tdJson* json = e->import->json;
    float scale[2] = {1.0f, 1.0f}, offset[2] = {0.0f, 0.0f};
    int material = ReadBindMaterial(e, path, bind, out->name);
    bool isGood = tdJson_Find(json, bind, "scale") < 0 || ReadBindValues(e, path, bind, "scale", 2, scale);
    isGood = (tdJson_Find(json, bind, "offset") < 0 || ReadBindValues(e, path, bind, "offset", 2, offset)) &&
             isGood;
    return material < 0 || !isGood || AddTextureBinds(e, out, binds, material, offset, scale, path);
}

/// Most binds that the texture transforms of an expression become.
static int CountTextureBinds(const ExpressionImport* e, int list)
{
    const tdJson* json = e->import->json;
    int64_t count = 0;
    for (int bind = tdJson_GetFirst(json, list); bind >= 0; bind = tdJson_GetNext(json, bind))
    {
        int material = ReadBindIndex(e->import, bind, "material");
        bool isThere = material >= 0 && material < e->materials.count;
        count += isThere ? 2 * tdMaterialImport_CountTextures(&e->materials, material) : 0;
    }
    return (int)(count < INT32_MAX / 2 ? count : INT32_MAX / 2);
}

static bool ReadMaterialBinds1(ExpressionImport* e, tdExpression* out, int object, const tdPath* path)
{
    static const char* const keys[2] = {"materialColorBinds", "textureTransformBinds"};
    const tdJson* json = e->import->json;
    int lists[2] = {FindBinds(e, path, object, keys[0]), FindBinds(e, path, object, keys[1])};
    bool hasRoom = true;
    tdMaterialBind* binds = NewMaterialBinds(
        e, tdJson_GetCount(json, lists[0]) + CountTextureBinds(e, lists[1]), path, out->name, &hasRoom);
    out->materialBinds = binds;
    for (int k = 0; k < 2 && binds != NULL && hasRoom; ++k)
    {
        tdPath listPath = tdPath_Key(path, keys[k]);
        int index = 0;
        for (int bind = tdJson_GetFirst(json, lists[k]); bind >= 0;
             bind = tdJson_GetNext(json, bind), ++index)
        {
            tdPath here = tdPath_Index(&listPath, index);
            if (!tdJson_IsObject(json, bind))
            {
                tdReport_Add(e->import->report, TD_DIAG_VH_TYPE, &here, "an object");
            }
            else if (!(k == 0 ? ReadColorBind1 : ReadTextureBind1)(e, out, binds, bind, &here))
            {
                return false;
            }
        }
    }
    return binds != NULL;
}

static bool ReadExpression1(ExpressionImport* e, tdExpression* out, int object, const char* name,
                            tdExpressionPreset preset, const tdPath* path)
{
    const tdImport* import = e->import;
    *out = (tdExpression){.name = name, .preset = preset};
    out->isBinary = ReadIsBinary(e, path, object);
    static const char* const keys[TD_GROUP_COUNT] = {[TD_GROUP_BLINK] = "overrideBlink",
                                                     [TD_GROUP_LOOK_AT] = "overrideLookAt",
                                                     [TD_GROUP_MOUTH] = "overrideMouth"};
    for (int group = TD_GROUP_NONE + 1; group < TD_GROUP_COUNT; ++group)
    {
        out->overrides[group] =
            ReadOverride(import, path, object, keys[group], out, (tdExpressionGroup)group);
    }
    return ReadMorphBinds1(e, out, object, path) && ReadMaterialBinds1(e, out, object, path);
}

/// Whether an expression of 1.0 can be used; reports why not.
static bool CheckExpression1(tdImport* import, int value, const char* name, bool isPreset,
                             tdExpressionPreset preset, const tdPath* path)
{
    if (isPreset && preset == TD_PRESET_NONE)
    {
        tdReport_Add(import->report, TD_DIAG_VE_UNKNOWN_PRESET, path, name);
        return false;
    }
    if (!isPreset && preset != TD_PRESET_NONE)
    {
        tdReport_Add(import->report, TD_DIAG_VE_NAME_CLASH, path, name);
        return false;
    }
    if (!tdJson_IsObject(import->json, value))
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, path, "an object");
        return false;
    }
    return true;
}

static bool ReadExpressions1(ExpressionImport* e, int expressions, const tdPath* path)
{
    tdImport* import = e->import;
    const tdJson* json = import->json;
    int groups[2] = {tdImport_FindObject(import, path, expressions, "preset", TD_DIAG_VH_TYPE),
                     tdImport_FindObject(import, path, expressions, "custom", TD_DIAG_VH_TYPE)};
    int count = tdJson_GetCount(json, groups[0]) + tdJson_GetCount(json, groups[1]);
    tdExpression* out = tdArena_NewArray(import->arena, tdExpression, count);
    if (out == NULL)
    {
        return false;
    }
    e->humanoid->expressions = out;
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
            tdExpressionPreset preset = tdExpressionPreset_Find(key, length);
            if (!CheckExpression1(import, child, name, g == 0, preset, &here))
            {
                continue;
            }
            if (!ReadExpression1(e, &out[e->humanoid->expressionCount], child, name, preset, &here))
            {
                return false;
            }
            e->humanoid->expressionCount += 1;
        }
    }
    return true;
}

/// Reads expressions with a reader of either version.
static bool ImportExpressions(tdImport* import, tdHumanoid* humanoid, int oldExtension, int object,
                              const tdPath* path, bool (*read)(ExpressionImport*, int, const tdPath*))
{
    ExpressionImport e = {.import = import, .humanoid = humanoid, .materialRoom = MAX_MATERIAL_BINDS};
    bool hasMemory = tdMaterialImport_Init(&e.materials, import, oldExtension) && read(&e, object, path) &&
                     tdMaterialImport_Finish(&e.materials);
    tdMaterialImport_Free(&e.materials);
    return hasMemory;
}

bool tdImportExpressions1(tdImport* import, tdHumanoid* humanoid, int expressions, const tdPath* path)
{
    return ImportExpressions(import, humanoid, TD_JSON_NONE, expressions, path, ReadExpressions1);
}

// VRM 0.x

/// Names of 0.x compare without case.
static void FoldCase(char* text)
{
    for (; *text != 0; ++text)
    {
        *text = (char)(*text >= 'A' && *text <= 'Z' ? *text + 32 : *text);
    }
}

/// @param name in lower case
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
        if (strcmp(names[i].name, name) == 0)
        {
            return names[i].preset;
        }
    }
    return TD_PRESET_NONE;
}

/// Most morph binds of a file of 0.x, far above those of real files: a bind applies to every node with its
/// mesh.
#define MAX_BINDS (1 << 20)

/// The nodes of meshes, and how many more binds the file may have.
typedef struct BindRoom
{
    tdMeshUsers users;
    int room;
} BindRoom;

static bool ReadMorphBinds0(ExpressionImport* e, tdExpression* out, int group, const tdPath* path,
                            BindRoom* limit)
{
    tdImport* import = e->import;
    const tdMeshUsers* users = &limit->users;
    int list = FindBinds(e, path, group, "binds");
    int room = 0;
    for (int bind = tdJson_GetFirst(import->json, list); bind >= 0; bind = tdJson_GetNext(import->json, bind))
    {
        int mesh = ReadBindIndex(import, bind, "mesh");
        int count = mesh >= 0 && mesh < users->meshCount ? users->counts[mesh] : 0;
        room += count <= limit->room - room ? count : 0;
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
        tdPath bindPath = tdPath_Index(&listPath, index), weightPath = tdPath_Key(&bindPath, "weight");
        int mesh = ReadBindIndex(import, bind, "mesh"), target = ReadBindIndex(import, bind, "index");
        int value = tdJson_Find(import->json, bind, "weight");
        double weight = tdJson_GetNumber(import->json, value, 100.0);
        int count = mesh >= 0 && mesh < users->meshCount ? users->counts[mesh] : 0;
        if (value >= 0 && tdJson_GetType(import->json, value) != TD_JSON_NUMBER)
        {
            tdReport_Add(import->report, TD_DIAG_VH_TYPE, &weightPath, "a number");
        }
        else if (!(weight >= 0.0 && weight <= 100.0))
        {
            tdReport_Add(import->report, TD_DIAG_VE_BIND_WEIGHT, &weightPath, weight, "0 to 100");
        }
        weight /= 100.0;
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
    limit->room -= used;
    return true;
}

/// The colour of a material property of 0.x; TD_MATERIAL_VALUE_TEXTURE_SCALE for the transform of the
/// textures; -1 for others.
static int FindProperty0(const tdJson* json, int value)
{
    static const struct
    {
        const char* name;
        tdMaterialValueKind kind;
    } names[] = {
        {"_Color", TD_MATERIAL_VALUE_COLOR},
        {"_EmissionColor", TD_MATERIAL_VALUE_EMISSION_COLOR},
        {"_ShadeColor", TD_MATERIAL_VALUE_SHADE_COLOR},
        {"_RimColor", TD_MATERIAL_VALUE_RIM_COLOR},
        {"_OutlineColor", TD_MATERIAL_VALUE_OUTLINE_COLOR},
        {"_MainTex_ST", TD_MATERIAL_VALUE_TEXTURE_SCALE},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (tdJson_StringEquals(json, value, names[i].name))
        {
            return (int)names[i].kind;
        }
    }
    return -1;
}

/// The material that a bind of 0.x names; -1 if there is none. False when memory ran out.
static bool FindBindMaterial0(ExpressionImport* e, int bind, int* material)
{
    size_t length = 0;
    const char* text =
        tdJson_GetString(e->import->json, tdJson_Find(e->import->json, bind, "materialName"), &length);
    *material = -1;
    if (text == NULL)
    {
        return true;
    }
    const char* name = tdArena_CopyText(&e->import->scratch, text, length);
    *material = name != NULL ? tdMaterialImport_Find(&e->materials, name) : -1;
    return name != NULL;
}

static bool ReadMaterialBind0(ExpressionImport* e, tdExpression* out, tdMaterialBind* binds, int bind,
                              const tdPath* path)
{
    const tdJson* json = e->import->json;
    tdPath namePath = tdPath_Key(path, "materialName"), propertyPath = tdPath_Key(path, "propertyName");
    int property = tdJson_Find(json, bind, "propertyName"), material = -1;
    int kind = FindProperty0(json, property);
    if (!FindBindMaterial0(e, bind, &material))
    {
        return false;
    }
    float v[4];
    if (material < 0)
    {
        ReportMaterialBind(e, &namePath, out->name, "there is no such material");
        return true;
    }
    if (kind < 0)
    {
        char text[64];
        tdReport_Add(e->import->report, TD_DIAG_VE_PROPERTY_UNKNOWN, &propertyPath, out->name,
                     tdImport_CopyShort(e->import, property, text, sizeof(text)));
        return true;
    }
    if (!ReadBindValues(e, path, bind, "targetValue", 4, v))
    {
        if (tdJson_Find(json, bind, "targetValue") < 0)
        {
            tdReport_Add(e->import->report, TD_DIAG_VM_REQUIRED, path, "targetValue");
        }
        return true;
    }
    if (kind != TD_MATERIAL_VALUE_TEXTURE_SCALE)
    {
        return AddColorBind(e, out, binds, material, (tdMaterialValueKind)kind, v, path);
    }
    // Unity's texture coordinates count from the bottom.
    return AddTextureBinds(e, out, binds, material, (float[2]){v[2], 1.0f - v[3] - v[1]},
                           (float[2]){v[0], v[1]}, path);
}

static bool ReadMaterialBinds0(ExpressionImport* e, tdExpression* out, int group, const tdPath* path)
{
    const tdJson* json = e->import->json;
    int list = FindBinds(e, path, group, "materialValues");
    int64_t count = 0;
    for (int bind = tdJson_GetFirst(json, list); bind >= 0; bind = tdJson_GetNext(json, bind))
    {
        int material = -1;
        bool isTexture =
            FindProperty0(json, tdJson_Find(json, bind, "propertyName")) == TD_MATERIAL_VALUE_TEXTURE_SCALE;
        if (isTexture && !FindBindMaterial0(e, bind, &material))
        {
            return false;
        }
        count += material >= 0 ? 2 * tdMaterialImport_CountTextures(&e->materials, material) : 1;
    }
    bool hasRoom = true;
    tdMaterialBind* binds =
        NewMaterialBinds(e, (int)(count < INT32_MAX ? count : INT32_MAX), path, out->name, &hasRoom);
    out->materialBinds = binds;
    tdPath listPath = tdPath_Key(path, "materialValues");
    int index = 0;
    for (int bind = binds != NULL && hasRoom ? tdJson_GetFirst(json, list) : -1; bind >= 0;
         bind = tdJson_GetNext(json, bind), ++index)
    {
        tdPath here = tdPath_Index(&listPath, index);
        if (!tdJson_IsObject(json, bind))
        {
            tdReport_Add(e->import->report, TD_DIAG_VH_TYPE, &here, "an object");
        }
        else if (!ReadMaterialBind0(e, out, binds, bind, &here))
        {
            return false;
        }
    }
    return binds != NULL;
}

/// An expression's name in lower case, for comparisons.
typedef struct LowerName
{
    const char* name; // first, for tdNameTable
} LowerName;

/// The names that were read already.
typedef struct KnownNames
{
    LowerName* names;
    int count;
    tdNameTable table;
} KnownNames;

static bool InitKnownNames(KnownNames* known, tdArena* arena, int capacity)
{
    known->count = 0;
    known->table = (tdNameTable){.slotCount = tdNameTable_GetSlotCount(capacity)};
    known->table.slots = tdArena_NewArray(arena, int, known->table.slotCount);
    known->names = tdArena_NewArray(arena, LowerName, capacity);
    if (known->table.slots == NULL || known->names == NULL)
    {
        return false;
    }
    tdNameTable_Fill(&known->table, known->names, sizeof(LowerName), 0);
    return true;
}

/// Sets name and preset of a group. False if memory ran out (the name is NULL) or the group is left out.
static bool NameExpression0(ExpressionImport* e, tdExpression* out, int group, const tdPath* path,
                            KnownNames* known)
{
    tdImport* import = e->import;
    const tdJson* json = import->json;
    char preset[64];
    tdImport_CopyShort(import, tdJson_Find(json, group, "presetName"), preset, sizeof(preset));
    FoldCase(preset);
    out->preset = FindPreset0(preset);
    size_t length = 0;
    const char* text = tdJson_GetString(json, tdJson_Find(json, group, "name"), &length);
    out->name = out->preset != TD_PRESET_NONE
                    ? tdExpressionPreset_GetName(out->preset)
                    : tdArena_CopyText(import->arena, text != NULL ? text : "", text != NULL ? length : 0);
    char* lower = out->name != NULL ? tdArena_CopyText(&import->scratch, out->name, strlen(out->name)) : NULL;
    if (lower == NULL)
    {
        out->name = NULL;
        return false;
    }
    if (out->preset == TD_PRESET_NONE && preset[0] != 0 && strcmp(preset, "unknown") != 0)
    {
        tdPath presetPath = tdPath_Key(path, "presetName");
        tdReport_AddAs(import->report, TD_SEVERITY_WARNING, TD_DIAG_VE_UNKNOWN_PRESET, &presetPath, preset);
    }
    if (out->name[0] == 0)
    {
        tdReport_Add(import->report, TD_DIAG_VE_NAME_MISSING, path);
        return false;
    }
    FoldCase(lower);
    if (tdNameTable_Find(&known->table, lower) >= 0)
    {
        tdReport_Add(import->report, TD_DIAG_VE_DUPLICATE, path, out->name);
        return false;
    }
    known->names[known->count].name = lower;
    tdNameTable_Add(&known->table, known->count++);
    return true;
}

static bool ReadExpressions0(ExpressionImport* e, int master, const tdPath* path)
{
    tdImport* import = e->import;
    const tdJson* json = import->json;
    int list = FindBinds(e, path, master, "blendShapeGroups");
    int count = tdJson_GetCount(json, list);
    tdExpression* out = tdArena_NewArray(import->arena, tdExpression, count);
    BindRoom limit = {.room = MAX_BINDS};
    KnownNames known;
    if (out == NULL || !tdMeshUsers_Init(&limit.users, &import->scene->nodes, &import->scratch) ||
        !InitKnownNames(&known, &import->scratch, count))
    {
        return false;
    }
    e->humanoid->expressions = out;
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
        tdExpression* expression = &out[e->humanoid->expressionCount];
        *expression = (tdExpression){0};
        if (!NameExpression0(e, expression, group, &here, &known))
        {
            if (expression->name == NULL)
            {
                return false;
            }
            continue;
        }
        expression->isBinary = ReadIsBinary(e, &here, group);
        if (!ReadMorphBinds0(e, expression, group, &here, &limit) ||
            !ReadMaterialBinds0(e, expression, group, &here))
        {
            return false;
        }
        e->humanoid->expressionCount += 1;
    }
    return true;
}

bool tdImportExpressions0(tdImport* import, tdHumanoid* humanoid, int extension, int master,
                          const tdPath* path)
{
    return ImportExpressions(import, humanoid, extension, master, path, ReadExpressions0);
}
