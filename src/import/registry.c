// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The one table of extensions, and the check of a file's declarations against it.
#include "registry.h"

#include "import.h"
#include "read.h"

#include <string.h>

static const tdPath rootPath = {NULL, NULL, -1};

typedef struct Entry
{
    const char* name; // a star at the end: any name that begins so
    tdSupport support;
} Entry;

static const Entry entries[] = {
    {"KHR_animation_pointer", TD_SUPPORT_PLAYED},
    {"KHR_physics_rigid_bodies", TD_SUPPORT_PLAYED},
    {"KHR_implicit_shapes", TD_SUPPORT_PLAYED},
    {"KHR_collision_shapes", TD_SUPPORT_PLAYED},
    {"KHR_rigid_bodies", TD_SUPPORT_PLAYED},
    {"MSFT_rigid_bodies", TD_SUPPORT_PLAYED},
    {"MSFT_collision_primitives", TD_SUPPORT_PLAYED},
    {"MSFT_physics", TD_SUPPORT_PLAYED},
    {"OMI_collider", TD_SUPPORT_PLAYED},
    {"OMI_physics_body", TD_SUPPORT_PLAYED},
    {"OMI_physics_shape", TD_SUPPORT_PLAYED},
    {"OMI_physics_joint", TD_SUPPORT_PLAYED},
    {"OMI_physics_gravity", TD_SUPPORT_REFUSED},
    {"OMI_vehicle_*", TD_SUPPORT_REFUSED},
    {"VRMC_node_constraint", TD_SUPPORT_PLAYED},
    {"VRMC_vrm", TD_SUPPORT_PLAYED},
    {"VRMC_vrm_animation", TD_SUPPORT_PLAYED},
    {"VRM", TD_SUPPORT_PLAYED},
    {"VRMC_springBone*", TD_SUPPORT_REFUSED},
    {"VRMC_materials_*", TD_SUPPORT_KEPT},
    {"EXT_meshopt_compression", TD_SUPPORT_READ},
    {"KHR_mesh_quantization", TD_SUPPORT_READ},
    {"KHR_draco_mesh_compression", TD_SUPPORT_REFUSED},
    {"EXT_mesh_gpu_instancing", TD_SUPPORT_KEPT},
    {"EXT_lights_image_based", TD_SUPPORT_KEPT},
    {"EXT_texture_*", TD_SUPPORT_KEPT},
    {"KHR_audio*", TD_SUPPORT_KEPT},
    {"KHR_lights_*", TD_SUPPORT_KEPT},
    {"KHR_materials_*", TD_SUPPORT_KEPT},
    {"KHR_node_*", TD_SUPPORT_KEPT},
    {"KHR_techniques_webgl", TD_SUPPORT_KEPT},
    {"KHR_texture_*", TD_SUPPORT_KEPT},
    {"KHR_xmp*", TD_SUPPORT_KEPT},
    {"MSFT_lod", TD_SUPPORT_KEPT},
    {"MSFT_texture_dds", TD_SUPPORT_KEPT},
};

static bool EntryMatches(const Entry* entry, const char* name, size_t length)
{
    size_t entryLength = strlen(entry->name);
    if (entry->name[entryLength - 1] == '*')
    {
        return length >= entryLength - 1 && memcmp(entry->name, name, entryLength - 1) == 0;
    }
    return length == entryLength && memcmp(entry->name, name, length) == 0;
}

tdSupport tdFindSupport(const char* name, size_t length)
{
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); ++i)
    {
        if (EntryMatches(&entries[i], name, length))
        {
            return entries[i].support;
        }
    }
    return TD_SUPPORT_UNKNOWN;
}

const char* tdSupport_GetName(tdSupport support)
{
    static const char* const names[] = {"played", "read", "kept", "refused", "unknown"};
    return names[support];
}

bool tdHasOwnDeclarationCheck(const char* name, size_t length)
{
    static const Entry own[] = {
        {"KHR_physics_rigid_bodies", 0},
        {"KHR_implicit_shapes", 0},
        {"KHR_collision_shapes", 0},
        {"KHR_rigid_bodies", 0},
        {"MSFT_rigid_bodies", 0},
        {"MSFT_collision_primitives", 0},
        {"MSFT_physics", 0},
        {"OMI_collider", 0},
        {"OMI_physics_*", 0},
        {"OMI_vehicle_*", 0},
        {"VRMC_node_constraint", 0},
    };
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); ++i)
    {
        if (EntryMatches(&own[i], name, length))
        {
            return true;
        }
    }
    return false;
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

/// Extension objects of one object that extensionsUsed does not list. `limit` bounds the work for hostile
/// lists.
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
        if (ListContains(import->json, used, name, length) || tdHasOwnDeclarationCheck(name, length))
        {
            continue;
        }
        const char* copy = tdArena_CopyText(&import->scratch, name, length);
        tdPath extensionPath = tdPath_Key(&extensionsPath, copy != NULL ? copy : "");
        tdReport_Add(import->report, TD_DIAG_UNDECLARED_EXTENSION, &extensionPath, (int)length, name);
    }
}

static bool CheckList(tdImport* import, const char* key, int* list)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    if (tdReadArray(&reader, &rootPath, 0, key, list) != TD_READ_OK)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(&rootPath, key);
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
    // A list of thousands is an attack on the quadratic search below; nothing legal comes near.
    int count = tdMinInt(tdJson_GetCount(json, used), 1000);
    tdExtensionUse* uses = tdArena_NewArray(import->arena, tdExtensionUse, count + 1);
    if (uses == NULL)
    {
        return false;
    }
    tdPath usedPath = tdPath_Key(&rootPath, "extensionsUsed");
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
        tdSupport support = tdFindSupport(name, length);
        use->name = tdArena_CopyText(import->arena, name, length);
        use->support = tdSupport_GetName(support);
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

    tdPath requiredPath = tdPath_Key(&rootPath, "extensionsRequired");
    index = 0;
    for (int child = tdJson_GetFirst(json, required); child >= 0 && index < 1000;
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
        if (tdFindSupport(name, length) == TD_SUPPORT_UNKNOWN)
        {
            tdReport_Add(import->report, TD_DIAG_UNSUPPORTED_REQUIRED_EXTENSION, &path, (int)length, name);
        }
        if (!ListContains(json, used, name, length))
        {
            tdReport_Add(import->report, TD_DIAG_UNUSED_EXTENSION_REQUIRED, &path, (int)length, name);
        }
    }

    // Where extensions that concern us sit: the root and the nodes.
    CheckDeclared(import, 0, &rootPath, count < 1000 ? used : TD_JSON_NONE);
    tdPath nodesPath = tdPath_Key(&rootPath, "nodes");
    index = 0;
    for (int child = tdJson_GetFirst(json, tdJson_Find(json, 0, "nodes")); child >= 0 && count < 1000;
         child = tdJson_GetNext(json, child))
    {
        tdPath path = tdPath_Index(&nodesPath, index++);
        CheckDeclared(import, child, &path, used);
    }
    return true;
}
