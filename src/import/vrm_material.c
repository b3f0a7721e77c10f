// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Base values of the material colours and texture transforms that expressions or animations change.
#include "vrm_material.h"

#include <string.h>

/// Base values beyond this have no meaning as colours or texture coordinates; the default replaces them.
#define MAX_BASE_VALUE 1.0e6

/// Where the value of a kind of colour is.
typedef struct ColorPlace
{
    const char* container; // members of the material, with "/" between them
    const char* member;
    const char* oldMember; // of vectorProperties in 0.x; NULL: `member` counts there, too
    int width;
    float base; // of all components, if the file gives none
} ColorPlace;

#define MTOON "extensions/VRMC_materials_mtoon"

static const ColorPlace colorPlaces[] = {
    [TD_MATERIAL_VALUE_COLOR] = {"pbrMetallicRoughness", "baseColorFactor", NULL, 4, 1.0f},
    [TD_MATERIAL_VALUE_EMISSION_COLOR] = {"", "emissiveFactor", NULL, 3, 0.0f},
    [TD_MATERIAL_VALUE_SHADE_COLOR] = {MTOON, "shadeColorFactor", "_ShadeColor", 3, 1.0f},
    [TD_MATERIAL_VALUE_MATCAP_COLOR] = {MTOON, "matcapFactor", "", 3, 1.0f},
    [TD_MATERIAL_VALUE_RIM_COLOR] = {MTOON, "parametricRimColorFactor", "_RimColor", 3, 0.0f},
    [TD_MATERIAL_VALUE_OUTLINE_COLOR] = {MTOON, "outlineColorFactor", "_OutlineColor", 3, 0.0f},
};

static const struct
{
    const char *container, *name;
} texturePlaces[TD_MATERIAL_TEXTURE_COUNT] = {
    {"pbrMetallicRoughness", "baseColorTexture"},
    {"pbrMetallicRoughness", "metallicRoughnessTexture"},
    {"", "normalTexture"},
    {"", "occlusionTexture"},
    {"", "emissiveTexture"},
    {MTOON, "shadeMultiplyTexture"},
    {MTOON, "shadingShiftTexture"},
    {MTOON, "rimMultiplyTexture"},
    {MTOON, "outlineWidthMultiplyTexture"},
    {MTOON, "uvAnimationMaskTexture"},
};

#define TEXTURE_OFFSET "extensions/KHR_texture_transform/offset"
#define TEXTURE_SCALE "extensions/KHR_texture_transform/scale"

/// A part of a text.
typedef struct PointerRest
{
    const char* text;
    size_t length;
} PointerRest;

/// The object at a path of members; TD_JSON_NONE if there is none.
static int FindContainer(const tdJson* json, int object, const char* container)
{
    while (*container != 0)
    {
        char key[32];
        size_t length = strcspn(container, "/");
        memcpy(key, container, length);
        key[length] = 0;
        object = tdJson_Find(json, object, key);
        container += length + (container[length] == '/' ? 1 : 0);
    }
    return tdJson_IsObject(json, object) ? object : TD_JSON_NONE;
}

/// Reads the components that an array gives; others keep their value.
static void ReadBase(const tdJson* json, int array, int width, float base[4])
{
    int index = 0;
    for (int child = tdJson_IsArray(json, array) ? tdJson_GetFirst(json, array) : -1;
         child >= 0 && index < width; child = tdJson_GetNext(json, child), ++index)
    {
        double number = tdJson_GetNumber(json, child, (double)base[index]);
        base[index] = number >= -MAX_BASE_VALUE && number <= MAX_BASE_VALUE ? (float)number : base[index];
    }
}

static bool ReadMaterialNames(tdMaterialImport* materials)
{
    tdImport* import = materials->import;
    materials->table.slotCount = tdNameTable_GetSlotCount(materials->count);
    materials->table.slots = tdArena_NewArray(&import->scratch, int, materials->table.slotCount);
    materials->names = tdArena_NewArray(&import->scratch, tdMaterialName, materials->count);
    if (materials->table.slots == NULL || materials->names == NULL)
    {
        return false;
    }
    for (int i = 0; i < materials->count; ++i)
    {
        size_t length = 0;
        const char* name = tdJson_GetString(
            import->json, tdJson_Find(import->json, materials->elements[i], "name"), &length);
        materials->names[i].name =
            tdArena_CopyText(&import->scratch, name != NULL ? name : "", name != NULL ? length : 0);
        if (materials->names[i].name == NULL)
        {
            return false;
        }
    }
    tdNameTable_Fill(&materials->table, materials->names, sizeof(tdMaterialName), materials->count);
    return true;
}

/// The JSON values of an array's elements, in scratch. NULL when memory ran out.
static const int* ListElements(tdImport* import, int array, int* count)
{
    *count = tdJson_IsArray(import->json, array) ? tdJson_GetCount(import->json, array) : 0;
    int* elements = tdArena_NewArray(&import->scratch, int, *count);
    int index = 0;
    for (int child = elements != NULL && *count > 0 ? tdJson_GetFirst(import->json, array) : -1; child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        elements[index++] = child;
    }
    return elements;
}

bool tdMaterialImport_Init(tdMaterialImport* materials, tdImport* import, int extension)
{
    *materials = (tdMaterialImport){.import = import, .isOld = extension >= 0};
    materials->elements = ListElements(import, tdJson_Find(import->json, 0, "materials"), &materials->count);
    materials->oldElements = ListElements(import, tdJson_Find(import->json, extension, "materialProperties"),
                                          &materials->oldCount);
    materials->firstValues = tdArena_NewArray(&import->scratch, int, materials->count);
    if (materials->elements == NULL || materials->oldElements == NULL || materials->firstValues == NULL)
    {
        return false;
    }
    for (int i = 0; i < materials->count; ++i)
    {
        materials->firstValues[i] = -1;
    }
    return !materials->isOld || ReadMaterialNames(materials);
}

void tdMaterialImport_Free(tdMaterialImport* materials)
{
    tdArray_Free(&materials->import->asset->allocator, &materials->values);
}

bool tdMaterialImport_Finish(tdMaterialImport* materials)
{
    int count = materials->values.count;
    tdMaterialValue* values = tdArena_NewArray(materials->import->arena, tdMaterialValue, count);
    if (values == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        values[i] = materials->values.data[i].value;
    }
    materials->import->scene->materialValues = values;
    materials->import->scene->materialValueCount = count;
    return true;
}

static bool PushMaterialValue(tdMaterialImport* materials, tdMaterialValue value)
{
    tdImportedValue entry = {value, materials->firstValues[value.material]};
    if (!tdArray_Push(&materials->import->asset->allocator, &materials->values, entry))
    {
        return false;
    }
    materials->firstValues[value.material] = materials->values.count - 1;
    return true;
}

bool tdMaterialImport_Resume(tdMaterialImport* materials)
{
    const tdScene* scene = materials->import->scene;
    bool isGood = true;
    for (int i = 0; i < scene->materialValueCount && isGood; ++i)
    {
        isGood = PushMaterialValue(materials, scene->materialValues[i]);
    }
    return isGood;
}

int tdMaterialImport_Find(const tdMaterialImport* materials, const char* name)
{
    return tdNameTable_Find(&materials->table, name);
}

static int FindTexture(const tdMaterialImport* materials, int material, int place)
{
    const tdJson* json = materials->import->json;
    bool isMToon = strcmp(texturePlaces[place].container, MTOON) == 0; // 0.x has these elsewhere
    int container = isMToon && materials->isOld
                        ? TD_JSON_NONE
                        : FindContainer(json, materials->elements[material], texturePlaces[place].container);
    int texture = tdJson_Find(json, container, texturePlaces[place].name);
    return tdJson_IsObject(json, texture) ? texture : TD_JSON_NONE;
}

int tdMaterialImport_CountTextures(const tdMaterialImport* materials, int material)
{
    int count = 0;
    for (int i = 0; i < TD_MATERIAL_TEXTURE_COUNT; ++i)
    {
        count += FindTexture(materials, material, i) >= 0;
    }
    return count;
}

/// The value of a material with this kind and texture; -1 if it is not listed yet.
static int FindMaterialValue(const tdMaterialImport* materials, int material, const char* texture,
                             tdMaterialValueKind kind)
{
    int index = materials->firstValues[material];
    while (index >= 0)
    {
        const tdMaterialValue* value = &materials->values.data[index].value;
        if (value->kind == kind && strcmp(value->texture, texture) == 0)
        {
            break;
        }
        index = materials->values.data[index].next;
    }
    return index;
}

/// Adds a value. Its pointer is a start, the index of the material, and texts with "/" between them; empty
/// ones are left out. -2 when memory ran out.
static int AddMaterialValue(tdMaterialImport* materials, tdMaterialValue value, const char* const parts[4])
{
    tdImport* import = materials->import;
    tdText text;
    tdText_Init(&text, &import->asset->allocator);
    tdText_AppendFormat(&text, "%s%d", parts[0], value.material);
    for (int i = 1; i < 4; ++i)
    {
        tdText_AppendString(&text, parts[i][0] != 0 ? "/" : "");
        tdText_AppendString(&text, parts[i]);
    }
    value.pointer = text.failed ? NULL : tdArena_CopyText(import->arena, text.data, text.length);
    tdText_Free(&text);
    return value.pointer != NULL && PushMaterialValue(materials, value) ? materials->values.count - 1 : -2;
}

int tdMaterialImport_UseColor(tdMaterialImport* materials, int material, tdMaterialValueKind kind)
{
    const tdJson* json = materials->import->json;
    const ColorPlace* place = &colorPlaces[kind];
    bool isOldPlace = materials->isOld && place->oldMember != NULL;
    int container = FindContainer(json, materials->elements[material], place->container);
    const char* member = place->member;
    const char* parts[4] = {"/materials/", place->container, member, ""};
    if (isOldPlace)
    {
        member = place->oldMember;
        container = material < materials->oldCount
                        ? tdJson_Find(json, materials->oldElements[material], "vectorProperties")
                        : TD_JSON_NONE;
        parts[0] = "/extensions/VRM/materialProperties/";
        parts[1] = "vectorProperties";
        parts[2] = member;
    }
    int array = tdJson_Find(json, container, member);
    // glTF's own factors have a default; MToon's have one where the material is of that kind.
    bool isThere = isOldPlace ? array >= 0 : place->oldMember == NULL || container >= 0;
    if (!isThere)
    {
        return -1;
    }
    int index = FindMaterialValue(materials, material, "", kind);
    if (index >= 0)
    {
        return index;
    }
    tdMaterialValue value = {.material = material, .texture = "", .kind = kind, .width = place->width};
    for (int i = 0; i < place->width; ++i)
    {
        value.base[i] = place->base;
    }
    ReadBase(json, array, place->width, value.base);
    return AddMaterialValue(materials, value, parts);
}

static int UseTexturePlace(tdMaterialImport* materials, int material, int place, tdMaterialValueKind kind)
{
    const tdJson* json = materials->import->json;
    bool isScale = kind == TD_MATERIAL_VALUE_TEXTURE_SCALE;
    const char* name = texturePlaces[place].name;
    int index = FindMaterialValue(materials, material, name, kind);
    if (index >= 0)
    {
        return index;
    }
    const char* parts[4] = {"/materials/", texturePlaces[place].container, name,
                            isScale ? TEXTURE_SCALE : TEXTURE_OFFSET};
    tdMaterialValue value = {.material = material, .texture = name, .kind = kind, .width = 2};
    value.base[0] = value.base[1] = isScale ? 1.0f : 0.0f;
    int object = FindTexture(materials, material, place);
    int transform = FindContainer(json, object, "extensions/KHR_texture_transform");
    ReadBase(json, tdJson_Find(json, transform, isScale ? "scale" : "offset"), 2, value.base);
    return AddMaterialValue(materials, value, parts);
}

int tdMaterialImport_UseTexture(tdMaterialImport* materials, int material, int texture,
                                tdMaterialValueKind kind)
{
    int place = -1;
    for (int left = texture; left >= 0; left -= FindTexture(materials, material, place) >= 0)
    {
        place += 1;
    }
    return UseTexturePlace(materials, material, place, kind);
}

/// Removes a text and the "/" before it from the start of a pointer. An empty text is always there.
static bool SkipPart(PointerRest* pointer, const char* part)
{
    size_t length = strlen(part);
    if (length == 0)
    {
        return true;
    }
    if (pointer->length <= length || pointer->text[0] != '/' || memcmp(pointer->text + 1, part, length) != 0)
    {
        return false;
    }
    pointer->text += length + 1;
    pointer->length -= length + 1;
    return true;
}

/// The index at the start of a pointer, without leading zeros; -1: none below `count`.
static int SkipIndex(PointerRest* pointer, int count)
{
    int index = 0;
    size_t digits = 0;
    for (; digits + 1 < pointer->length && pointer->text[digits + 1] >= '0' &&
           pointer->text[digits + 1] <= '9' && index < count;
         ++digits)
    {
        index = index * 10 + (pointer->text[digits + 1] - '0');
    }
    bool isIndex = digits > 0 && pointer->text[0] == '/' && (digits == 1 || pointer->text[1] != '0');
    pointer->text += isIndex ? digits + 1 : 0;
    pointer->length -= isIndex ? digits + 1 : 0;
    return isIndex && index < count ? index : -1;
}

int tdMaterialImport_UsePointer(tdMaterialImport* materials, const char* pointer, size_t length)
{
    PointerRest rest = {pointer, length};
    int material = SkipPart(&rest, "materials") ? SkipIndex(&rest, materials->count) : -1;
    int index = -1;
    for (int kind = 0; kind < (int)(sizeof(colorPlaces) / sizeof(colorPlaces[0])) && material >= 0; ++kind)
    {
        PointerRest end = rest;
        if (SkipPart(&end, colorPlaces[kind].container) && SkipPart(&end, colorPlaces[kind].member) &&
            end.length == 0)
        {
            index = tdMaterialImport_UseColor(materials, material, (tdMaterialValueKind)kind);
        }
    }
    for (int place = 0; place < TD_MATERIAL_TEXTURE_COUNT && material >= 0; ++place)
    {
        PointerRest end = rest;
        if (SkipPart(&end, texturePlaces[place].container) && SkipPart(&end, texturePlaces[place].name) &&
            FindTexture(materials, material, place) >= 0)
        {
            PointerRest offset = end, scale = end;
            bool isOffset = SkipPart(&offset, TEXTURE_OFFSET) && offset.length == 0;
            bool isScale = SkipPart(&scale, TEXTURE_SCALE) && scale.length == 0;
            index = isOffset  ? UseTexturePlace(materials, material, place, TD_MATERIAL_VALUE_TEXTURE_OFFSET)
                    : isScale ? UseTexturePlace(materials, material, place, TD_MATERIAL_VALUE_TEXTURE_SCALE)
                              : index;
        }
    }
    // Colours of MToon in VRM 0.x are elsewhere.
    const char* own = index >= 0 ? materials->values.data[index].value.pointer : "";
    return index < 0 || (strlen(own) == length && memcmp(own, pointer, length) == 0) ? index : -1;
}
