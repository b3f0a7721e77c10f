// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Defines animated members of materials. A pointer must lead to something: players that resolve it in the
// JSON find the member with the value it has by default.
#include "material_members.h"

#include "trace_table.h"

#include <limits.h>
#include <string.h>

static void AppendArray(tdText* text, const float* values, int count)
{
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendChar(text, i > 0 ? ',' : '[');
        tdAppendFloat(text, values[i]);
    }
    tdText_AppendChar(text, ']');
}

/// The number that a token of a pointer into an array names; -1: none.
static int ParseIndex(const char* token)
{
    int index = 0;
    for (; *token >= '0' && *token <= '9' && index < INT_MAX / 10; ++token)
    {
        index = index * 10 + (*token - '0');
    }
    return *token == 0 ? index : -1;
}

/// Adds what is missing of the members that a pointer names, below the document's root. The innermost one
/// gets `value`, the others are objects.
/// @return false when memory ran out
static bool DefinePointer(const tdJson* json, tdJsonEdit* edit, const char* pointer, const tdText* value,
                          const tdAllocator* allocator)
{
    int object = 0;
    const char* at = pointer;
    while (*at == '/')
    {
        char key[64];
        size_t length = strcspn(at + 1, "/");
        TD_ASSERT(length < sizeof(key)); // the longest is the name of an extension
        memcpy(key, at + 1, length);
        key[length] = 0;
        int child = tdJson_IsArray(json, object) ? tdJson_At(json, object, ParseIndex(key))
                                                 : tdJson_Find(json, object, key);
        at += 1 + length;
        if (child >= 0)
        {
            object = child;
            continue;
        }
        if (!tdJson_IsObject(json, object))
        {
            break; // a broken value stays as it is
        }
        tdText text;
        tdText_Init(&text, allocator);
        int depth = 0;
        for (const char* rest = at; *rest == '/'; ++depth)
        {
            size_t size = strcspn(rest + 1, "/");
            tdText_AppendChar(&text, '{');
            tdText_AppendJsonString(&text, rest + 1, size);
            tdText_AppendChar(&text, ':');
            rest += 1 + size;
        }
        tdText_Append(&text, value->data, value->length);
        for (; depth > 0; --depth)
        {
            tdText_AppendChar(&text, '}');
        }
        bool isWhole = !text.failed && !value->failed;
        if (isWhole)
        {
            tdJsonEdit_AddMember(edit, object, key, text.data, text.length);
        }
        tdText_Free(&text);
        return isWhole;
    }
    return !value->failed;
}

/// A texture's transform is one new object with both members; two edits would add it twice.
/// @return false if the texture has one already
static bool DefineTextureTransform(const tdJson* json, tdJsonEdit* edit, const tdMaterialValue* value,
                                   const tdAllocator* allocator, bool* hasMemory)
{
    static const char ending[] = "/KHR_texture_transform";
    const char* found = strstr(value->pointer, ending);
    char pointer[160];
    size_t length = (size_t)(found - value->pointer) + sizeof(ending) - 1;
    memcpy(pointer, value->pointer, length);
    pointer[length] = 0;
    if (tdJson_Resolve(json, pointer) >= 0)
    {
        return false;
    }
    tdText text;
    tdText_Init(&text, allocator);
    tdText_AppendString(&text, "{\"offset\":[0,0],\"scale\":[1,1]}");
    *hasMemory = DefinePointer(json, edit, pointer, &text, allocator);
    tdText_Free(&text);
    return true;
}

static void ListExtension(const tdJson* json, tdDocumentEdit* edit, const char* name)
{
    int list = tdJson_Find(json, 0, "extensionsUsed");
    for (int value = tdJson_GetFirst(json, list); value >= 0; value = tdJson_GetNext(json, value))
    {
        if (tdJson_StringEquals(json, value, name))
        {
            return;
        }
    }
    char text[64];
    size_t length = strlen(name);
    text[0] = text[length + 1] = '"';
    for (size_t i = 0; i < length; ++i)
    {
        text[1 + i] = name[i];
    }
    tdDocumentEdit_AddElement(edit, "extensionsUsed", text, length + 2);
}

bool tdDefineMaterialValues(const tdJson* json, tdDocumentEdit* edit, const tdScene* scene,
                            const tdBakedTracks* tracks, const tdAllocator* allocator)
{
    tdJsonEdit* jsonEdit = tdDocumentEdit_GetJson(edit);
    const tdMaterialValue* transformed = NULL; // value whose texture has its transform already
    bool isAny = false, hasTransform = false, hasMemory = true;
    for (int i = 0; i < tracks->count && hasMemory; ++i)
    {
        if (tracks->tracks[i].kind != TD_TRACK_MATERIAL)
        {
            continue;
        }
        const tdMaterialValue* value = &scene->materialValues[tracks->tracks[i].node];
        isAny = true;
        hasTransform = hasTransform || value->texture[0] != 0;
        if (value->texture[0] != 0 && transformed != NULL && transformed->material == value->material &&
            strcmp(transformed->texture, value->texture) == 0)
        {
            continue;
        }
        if (value->texture[0] != 0 && DefineTextureTransform(json, jsonEdit, value, allocator, &hasMemory))
        {
            transformed = value;
            continue;
        }
        tdText text;
        tdText_Init(&text, allocator);
        AppendArray(&text, value->base, value->width);
        hasMemory = DefinePointer(json, jsonEdit, value->pointer, &text, allocator);
        tdText_Free(&text);
    }
    if (isAny)
    {
        ListExtension(json, edit, "KHR_animation_pointer");
    }
    if (hasTransform)
    {
        ListExtension(json, edit, "KHR_texture_transform");
    }
    return hasMemory;
}
