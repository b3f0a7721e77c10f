// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The table of extensions, and the checks of extensionsUsed and extensionsRequired.
#include "extensions.h"

#include "animations.h"
#include "meshes.h"
#include "physics.h"
#include "read.h"
#include "vrm.h"

#include <string.h>

static const tdExtension extensionTable[] = {
#define TD_PHYSICS_EXTENSION(name_, role_, dialect_, table_, key_)                                           \
    {name_,                                                                                                  \
     TD_SUPPORT_PLAYED,                                                                                      \
     TD_DECLARATION_PHYSICS,                                                                                 \
     TD_ROLE_##role_,                                                                                        \
     TD_DIALECT_##dialect_,                                                                                  \
     TD_TABLE_##table_,                                                                                      \
     key_,                                                                                                   \
     tdImportPhysics},
#define TD_EXTENSION(name_, support_, check_, importer_)                                                     \
    {.name = (name_),                                                                                        \
     .support = TD_SUPPORT_##support_,                                                                       \
     .check = TD_DECLARATION_##check_,                                                                       \
     .shapeTable = TD_TABLE_NONE,                                                                            \
     .importer = (importer_)},
#include "extensions.def"
#undef TD_EXTENSION
#undef TD_PHYSICS_EXTENSION
};
#define EXTENSION_COUNT ((int)(sizeof(extensionTable) / sizeof(extensionTable[0])))

// More names than any legal file declares: the searches below are quadratic.
#define MAX_DECLARATIONS 1000

static bool NameMatches(const tdExtension* extension, const char* name, size_t length)
{
    size_t ownLength = strlen(extension->name);
    if (extension->name[ownLength - 1] == '*')
    {
        return length >= ownLength - 1 && memcmp(extension->name, name, ownLength - 1) == 0;
    }
    return length == ownLength && memcmp(extension->name, name, length) == 0;
}

const tdExtension* tdGetExtensions(int* count)
{
    *count = EXTENSION_COUNT;
    return extensionTable;
}

const tdExtension* tdFindExtension(const char* name, size_t length)
{
    for (int i = 0; i < EXTENSION_COUNT; ++i)
    {
        if (NameMatches(&extensionTable[i], name, length))
        {
            return &extensionTable[i];
        }
    }
    return NULL;
}

bool tdIsPhysicsExtension(const char* name, size_t length)
{
    const tdExtension* extension = name != NULL ? tdFindExtension(name, length) : NULL;
    return extension != NULL && extension->role != TD_ROLE_NONE;
}

bool tdIsSpringExtension(const char* name, size_t length)
{
    static const char start[] = "VRMC_springBone";
    return name != NULL && length >= sizeof(start) - 1 && memcmp(name, start, sizeof(start) - 1) == 0;
}

const tdExtension* tdNextExtension(tdExtensionRole role, const tdExtension* after)
{
    const tdExtension* extension = after != NULL ? after + 1 : extensionTable;
    while (extension < extensionTable + EXTENSION_COUNT && extension->role != role)
    {
        extension += 1;
    }
    return extension < extensionTable + EXTENSION_COUNT ? extension : NULL;
}

const tdExtension* tdGetShapeExtension(tdShapeTable table)
{
    for (int i = 0; i < EXTENSION_COUNT; ++i)
    {
        if (extensionTable[i].shapeTable == table)
        {
            return &extensionTable[i];
        }
    }
    return NULL;
}

static tdSupport FindSupport(const char* name, size_t length)
{
    const tdExtension* extension = tdFindExtension(name, length);
    return extension != NULL ? extension->support : TD_SUPPORT_UNKNOWN;
}

static bool IsCheckedElsewhere(const char* name, size_t length)
{
    const tdExtension* extension = tdFindExtension(name, length);
    return extension != NULL && extension->check != TD_DECLARATION_GENERAL;
}

static bool ListContains(const tdJson* json, int list, const char* name, size_t length)
{
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child))
    {
        size_t otherLength = 0;
        const char* other = tdJson_GetString(json, child, &otherLength);
        if (other != NULL && otherLength == length && memcmp(other, name, length) == 0)
        {
            return true;
        }
    }
    return false;
}

/// Reports extension objects of one object that extensionsUsed does not list.
static void CheckDeclared(tdImport* import, int object, const tdPath* path, int used)
{
    int extensions = tdJson_Find(import->json, object, "extensions");
    if (!tdJson_IsObject(import->json, extensions))
    {
        return;
    }
    tdPath extensionsPath = tdPath_Key(path, "extensions");
    for (int child = tdJson_GetFirst(import->json, extensions); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        size_t length = 0;
        const char* name = tdJson_GetKey(import->json, child, &length);
        if (ListContains(import->json, used, name, length) || IsCheckedElsewhere(name, length))
        {
            continue;
        }
        const char* copy = tdArena_CopyText(&import->scratch, name, length);
        tdPath extensionPath = tdPath_Key(&extensionsPath, copy != NULL ? copy : "");
        tdReport_Add(import->report, TD_DIAG_UNDECLARED_EXTENSION, &extensionPath, (int)length, name);
    }
}

/// Levels of objects and arrays below the root in which glTF has `extensions`: the deepest is the target of
/// an animation channel.
#define MAX_EXTENSIONS_DEPTH 6

/// Whether `extensions` of a value, or of anything below it outside of extras and extensions, is no object.
static bool HasBadExtensions(const tdJson* json, int value, int depth)
{
    bool isBad = false;
    for (int child = tdJson_GetFirst(json, value); child >= 0 && !isBad; child = tdJson_GetNext(json, child))
    {
        bool isContainer = tdJson_IsObject(json, child) || tdJson_IsArray(json, child);
        if (tdJson_KeyEquals(json, child, "extensions"))
        {
            isBad = !tdJson_IsObject(json, child);
        }
        else if (isContainer && depth < MAX_EXTENSIONS_DEPTH && !tdJson_KeyEquals(json, child, "extras"))
        {
            isBad = HasBadExtensions(json, child, depth + 1);
        }
    }
    return isBad;
}

/// Reports every `extensions` that is not an object.
static void CheckExtensionsObjects(tdImport* import, int value, const tdPath* path, int depth)
{
    const tdJson* json = import->json;
    if (!HasBadExtensions(json, value, depth))
    {
        return;
    }
    int index = 0;
    for (int child = tdJson_GetFirst(json, value); child >= 0; child = tdJson_GetNext(json, child))
    {
        size_t length = 0;
        const char* name = tdJson_GetKey(json, child, &length);
        const char* copy = name != NULL ? tdArena_CopyText(&import->scratch, name, length) : "";
        tdPath here = name != NULL ? tdPath_Key(path, copy != NULL ? copy : "") : tdPath_Index(path, index++);
        if (tdJson_KeyEquals(json, child, "extensions"))
        {
            if (!tdJson_IsObject(json, child))
            {
                tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &here, "an object");
            }
        }
        else if (depth < MAX_EXTENSIONS_DEPTH && !tdJson_KeyEquals(json, child, "extras"))
        {
            CheckExtensionsObjects(import, child, &here, depth + 1);
        }
    }
}

static bool CheckList(tdImport* import, const char* key, int* list)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    if (tdReadArray(&reader, &tdPath_root, 0, key, list) != TD_READ_OK)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(&tdPath_root, key);
    if (tdJson_GetCount(import->json, *list) == 0)
    {
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &listPath);
    }
    return true;
}

bool tdImportExtensions(tdImport* import)
{
    const tdJson* json = import->json;
    int used = TD_JSON_NONE, required = TD_JSON_NONE;
    CheckList(import, "extensionsUsed", &used);
    CheckList(import, "extensionsRequired", &required);
    int count = tdMinInt(tdJson_GetCount(json, used), MAX_DECLARATIONS);
    tdExtensionUse* uses = tdArena_NewArray(import->arena, tdExtensionUse, count + 1);
    if (uses == NULL)
    {
        return false;
    }
    tdPath usedPath = tdPath_Key(&tdPath_root, "extensionsUsed");
    int index = 0;
    for (int child = tdJson_GetFirst(json, used); child >= 0 && index < count;
         child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&usedPath, index++);
        size_t length = 0;
        const char* name = tdJson_GetString(json, child, &length);
        if (name == NULL)
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &path, "a string");
            continue;
        }
        tdExtensionUse* use = &uses[import->scene->file.extensionCount++];
        tdSupport support = FindSupport(name, length);
        use->name = tdArena_CopyText(import->arena, name, length);
        use->support = support;
        use->isRequired = ListContains(json, required, name, length);
        if (use->name == NULL)
        {
            return false;
        }
        if (support == TD_SUPPORT_UNKNOWN)
        {
            tdReport_Add(import->report, TD_DIAG_UNSUPPORTED_EXTENSION, &path, use->name);
        }
    }
    import->scene->file.extensions = uses;

    tdPath requiredPath = tdPath_Key(&tdPath_root, "extensionsRequired");
    index = 0;
    for (int child = tdJson_GetFirst(json, required); child >= 0 && index < MAX_DECLARATIONS;
         child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&requiredPath, index++);
        size_t length = 0;
        const char* name = tdJson_GetString(json, child, &length);
        if (name == NULL)
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &path, "a string");
            continue;
        }
        if (FindSupport(name, length) == TD_SUPPORT_UNKNOWN)
        {
            tdReport_Add(import->report, TD_DIAG_UNSUPPORTED_REQUIRED_EXTENSION, &path, (int)length, name);
        }
        if (!ListContains(json, used, name, length))
        {
            tdReport_Add(import->report, TD_DIAG_UNUSED_EXTENSION_REQUIRED, &path, (int)length, name);
        }
    }

    CheckExtensionsObjects(import, 0, &tdPath_root, 0);
    // Extensions that Tendon reads are at the root and at nodes.
    CheckDeclared(import, 0, &tdPath_root, count < MAX_DECLARATIONS ? used : TD_JSON_NONE);
    tdPath nodesPath = tdPath_Key(&tdPath_root, "nodes");
    index = 0;
    for (int child = tdJson_GetFirst(json, tdJson_Find(json, 0, "nodes"));
         child >= 0 && count < MAX_DECLARATIONS; child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&nodesPath, index++);
        CheckDeclared(import, child, &path, used);
    }
    return true;
}
