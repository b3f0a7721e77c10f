// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Extension objects of nodes and of the root, and the lists of extension names.
#include "convert_extensions.h"

#include "convert.h"
#include "convert_members.h"

#include "import/extensions.h"

#include <string.h>

static bool HasPhysicsKey(const tdJson* json, int value)
{
    size_t length = 0;
    const char* key = tdJson_GetKey(json, value, &length);
    return tdIsPhysicsExtension(key, length);
}

/// A node that is no object, such as an end of a joint, becomes one with its extensions.
static void ReplaceOwner(tdConverter* converter, int owner, const char* extensions, size_t length)
{
    tdText text;
    tdText_InitPart(&text, &converter->asset->outerAllocator, &converter->hasFailed);
    tdText_AppendString(&text, "{\"extensions\":");
    tdText_Append(&text, extensions, length);
    tdText_AppendChar(&text, '}');
    converter->hasFailed = converter->hasFailed || text.failed;
    if (!text.failed)
    {
        tdJsonEdit_Replace(tdDocumentEdit_GetJson(converter->edit), owner, text.data, text.length);
    }
    tdText_Free(&text);
}

void tdConverter_ReplaceExtensions(tdConverter* converter, int owner, const tdNewMember* added,
                                   int addedCount)
{
    tdJsonEdit* edit = tdDocumentEdit_GetJson(converter->edit);
    const tdJson* json = converter->json;
    int found = tdJson_Find(json, owner, "extensions");
    int extensions = tdJson_IsObject(json, found) ? found : TD_JSON_NONE; // anything else is replaced
    int kept = 0, written = 0;
    for (int i = 0; i < addedCount; ++i)
    {
        written += added[i].text->length > 0 ? 1 : 0;
    }
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        kept += HasPhysicsKey(json, value) ? 0 : 1;
    }
    if (kept == 0 && written == 0)
    {
        if (extensions >= 0 && tdJson_GetCount(json, extensions) > 0)
        {
            tdJsonEdit_Remove(edit, extensions);
        }
        return;
    }
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        const tdText* text = NULL;
        for (int i = 0; i < addedCount; ++i)
        {
            bool isNamed = tdJson_KeyEquals(json, value, added[i].name);
            text = isNamed && added[i].text->length > 0 ? added[i].text : text;
        }
        if (text != NULL)
        {
            tdJsonEdit_Replace(edit, value, text->data, text->length);
        }
        else if (HasPhysicsKey(json, value))
        {
            tdJsonEdit_Remove(edit, value);
        }
    }
    tdText whole;
    tdText_InitPart(&whole, &converter->asset->outerAllocator, &converter->hasFailed);
    tdMembers members = {&whole, 0};
    for (int i = 0; i < addedCount; ++i)
    {
        bool isThere = tdJson_Find(json, extensions, added[i].name) >= 0;
        if (added[i].text->length == 0 || isThere)
        {
            continue;
        }
        if (extensions >= 0)
        {
            tdJsonEdit_AddMember(edit, extensions, added[i].name, added[i].text->data, added[i].text->length);
            continue;
        }
        tdText_AppendString(&whole, members.count == 0 ? "{" : "");
        tdMembers_Key(&members, added[i].name);
        tdText_Append(&whole, added[i].text->data, added[i].text->length);
    }
    if (members.count > 0)
    {
        tdText_AppendChar(&whole, '}');
        converter->hasFailed = converter->hasFailed || whole.failed;
        const char* text = whole.failed ? "{}" : whole.data;
        size_t length = whole.failed ? 2 : whole.length;
        if (found >= 0)
        {
            tdJsonEdit_Replace(edit, found, text, length);
        }
        else if (tdJson_IsObject(json, owner))
        {
            tdJsonEdit_AddMember(edit, owner, "extensions", text, length);
        }
        else
        {
            ReplaceOwner(converter, owner, text, length);
        }
    }
    tdText_Free(&whole);
}

bool tdHasPhysics(const tdJson* json, int owner)
{
    int extensions = tdJson_Find(json, owner, "extensions");
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        if (HasPhysicsKey(json, value))
        {
            return true;
        }
    }
    return false;
}

void tdConverter_RewriteNames(tdConverter* converter, const char* const* names, int count)
{
    tdJsonEdit* edit = tdDocumentEdit_GetJson(converter->edit);
    const tdJson* json = converter->json;
    static const char* const keys[] = {"extensionsUsed", "extensionsRequired"};
    for (int k = 0; k < 2; ++k)
    {
        int list = tdJson_Find(json, 0, keys[k]);
        if (!tdJson_IsArray(json, list))
        {
            continue; // missing, or a broken value
        }
        int kept = 0;
        unsigned found = 0; // a bit for each name
        for (int value = tdJson_GetFirst(json, list); value >= 0; value = tdJson_GetNext(json, value))
        {
            size_t length = 0;
            const char* text = tdJson_GetString(json, value, &length);
            bool isWanted = !tdIsPhysicsExtension(text, length);
            for (int i = 0; i < count; ++i)
            {
                bool isNamed = tdJson_StringEquals(json, value, names[i]);
                found |= isNamed ? 1u << i : 0;
                isWanted = isWanted || isNamed;
            }
            if (!isWanted)
            {
                tdJsonEdit_Remove(edit, value);
            }
            kept += isWanted ? 1 : 0;
        }
        for (int i = 0; i < count && k == 0 && list >= 0; ++i)
        {
            if ((found & 1u << i) == 0)
            {
                char quoted[80] = "\"";
                strncat(quoted, names[i], 64);
                strncat(quoted, "\"", 2);
                tdJsonEdit_AddElement(edit, list, quoted, strlen(quoted));
                kept += 1;
            }
        }
        if (list >= 0 && kept == 0)
        {
            tdJsonEdit_Remove(edit, list);
        }
    }
    int used = tdJson_Find(json, 0, "extensionsUsed");
    if (!tdJson_IsArray(json, used) && count > 0)
    {
        tdText text;
        tdText_InitPart(&text, &converter->asset->outerAllocator, &converter->hasFailed);
        for (int i = 0; i < count; ++i)
        {
            tdText_AppendFormat(&text, "%s\"%s\"", i > 0 ? "," : "[", names[i]);
        }
        tdText_AppendChar(&text, ']');
        converter->hasFailed = converter->hasFailed || text.failed;
        if (!text.failed && used >= 0)
        {
            tdJsonEdit_Replace(edit, used, text.data, text.length);
        }
        else if (!text.failed)
        {
            tdJsonEdit_AddMember(edit, 0, "extensionsUsed", text.data, text.length);
        }
        tdText_Free(&text);
    }
}
