// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports the meta of a VRM and checks its members against the schemas of 1.0 and 0.x. Everything that is a
// string, number, boolean or a list of those can be described; wrong members are reported and described all
// the same.
#include "vrm_meta.h"

#include <string.h>

/// The licence that VRM 1.0 was published with. three-vrm refuses others unless the application allows them.
#define VRM_LICENSE_URL "https://vrm.dev/licenses/1.0/"

typedef enum MetaType
{
    META_STRING,
    META_STRINGS, // a list of at least one string
    META_FLAG,
    META_WORD,    // one of `words`
    META_IMAGE,   // index of an image
    META_TEXTURE, // index of a texture; -1: none
} MetaType;

typedef struct MetaMember
{
    const char* key;
    MetaType type;
    bool isRequired; // then a string must not be empty
    const char* words;
} MetaMember;

static const MetaMember metaMembers1[] = {
    {"name", META_STRING, true, NULL},
    {"version", META_STRING, false, NULL},
    {"authors", META_STRINGS, true, NULL},
    {"copyrightInformation", META_STRING, false, NULL},
    {"contactInformation", META_STRING, false, NULL},
    {"references", META_STRINGS, false, NULL},
    {"thirdPartyLicenses", META_STRING, false, NULL},
    {"thumbnailImage", META_IMAGE, false, NULL},
    {"licenseUrl", META_STRING, true, NULL},
    {"avatarPermission", META_WORD, false, "onlyAuthor, onlySeparatelyLicensedPerson, everyone"},
    {"allowExcessivelyViolentUsage", META_FLAG, false, NULL},
    {"allowExcessivelySexualUsage", META_FLAG, false, NULL},
    {"commercialUsage", META_WORD, false, "personalNonProfit, personalProfit, corporation"},
    {"allowPoliticalOrReligiousUsage", META_FLAG, false, NULL},
    {"allowAntisocialOrHateUsage", META_FLAG, false, NULL},
    {"creditNotation", META_WORD, false, "required, unnecessary"},
    {"allowRedistribution", META_FLAG, false, NULL},
    {"modification", META_WORD, false, "prohibited, allowModification, allowModificationRedistribution"},
    {"otherLicenseUrl", META_STRING, false, NULL},
    {NULL, META_STRING, false, NULL},
};

static const MetaMember metaMembers0[] = {
    {"title", META_STRING, false, NULL},
    {"version", META_STRING, false, NULL},
    {"author", META_STRING, false, NULL},
    {"contactInformation", META_STRING, false, NULL},
    {"reference", META_STRING, false, NULL},
    {"texture", META_TEXTURE, false, NULL},
    {"allowedUserName", META_WORD, false, "OnlyAuthor, ExplicitlyLicensedPerson, Everyone"},
    {"violentUssageName", META_WORD, false, "Disallow, Allow"},
    {"sexualUssageName", META_WORD, false, "Disallow, Allow"},
    {"commercialUssageName", META_WORD, false, "Disallow, Allow"},
    {"otherPermissionUrl", META_STRING, false, NULL},
    {"licenseName", META_WORD, false,
     "Redistribution_Prohibited, CC0, CC_BY, CC_BY_NC, CC_BY_SA, CC_BY_NC_SA, CC_BY_ND, CC_BY_NC_ND, Other"},
    {"otherLicenseUrl", META_STRING, false, NULL},
    {NULL, META_STRING, false, NULL},
};

/// Whether a word is one of a list with ", " between them.
static bool IsListedWord(const char* words, const char* word, size_t length)
{
    for (const char* at = words; *at != 0;)
    {
        const char* end = strchr(at, ',');
        size_t size = end != NULL ? (size_t)(end - at) : strlen(at);
        if (size == length && memcmp(at, word, length) == 0)
        {
            return true;
        }
        at += size + (end != NULL ? 2 : 0);
    }
    return false;
}

static void CheckMetaString(tdImport* import, const tdPath* path, int value, bool isRequired)
{
    size_t length = 0;
    if (tdJson_GetString(import->json, value, &length) == NULL)
    {
        tdReport_Add(import->report, TD_DIAG_VH_TYPE, path, "a string");
    }
    else if (isRequired && length == 0)
    {
        tdReport_Add(import->report, TD_DIAG_VM_EMPTY, path);
    }
}

static void CheckMetaMember(tdImport* import, const MetaMember* member, const tdPath* path, int value)
{
    const tdJson* json = import->json;
    tdReport* report = import->report;
    tdJsonType type = tdJson_GetType(json, value);
    switch (member->type)
    {
    case META_STRING:
        CheckMetaString(import, path, value, member->isRequired);
        break;
    case META_STRINGS:
        if (type != TD_JSON_ARRAY)
        {
            tdReport_Add(report, TD_DIAG_VH_TYPE, path, "an array");
        }
        else if (tdJson_GetCount(json, value) == 0)
        {
            tdReport_Add(report, TD_DIAG_VM_EMPTY, path);
        }
        for (int child = type == TD_JSON_ARRAY ? tdJson_GetFirst(json, value) : -1, i = 0; child >= 0;
             child = tdJson_GetNext(json, child), ++i)
        {
            tdPath here = tdPath_Index(path, i);
            CheckMetaString(import, &here, child, member->isRequired);
        }
        break;
    case META_FLAG:
        if (type != TD_JSON_TRUE && type != TD_JSON_FALSE)
        {
            tdReport_Add(report, TD_DIAG_VH_TYPE, path, "true or false");
        }
        break;
    case META_WORD:
    {
        size_t length = 0;
        const char* word = tdJson_GetString(json, value, &length);
        char shown[64];
        if (word == NULL)
        {
            tdReport_Add(report, TD_DIAG_VH_TYPE, path, "a string");
        }
        else if (!IsListedWord(member->words, word, length))
        {
            tdReport_Add(report, TD_DIAG_VM_META_VALUE, path,
                         tdImport_CopyShort(import, value, shown, sizeof(shown)), member->words);
        }
        break;
    }
    case META_IMAGE:
    case META_TEXTURE:
    {
        int64_t index = -2;
        bool isImage = member->type == META_IMAGE;
        int count = isImage ? import->scene->file.imageCount : import->scene->file.textureCount;
        if (!tdJson_GetInteger(json, value, &index) || index < (isImage ? 0 : -1) || index >= count)
        {
            tdReport_Add(report, TD_DIAG_VM_THUMBNAIL, path, isImage ? "image" : "texture");
        }
        break;
    }
    }
}

static void CheckMeta(tdImport* import, const MetaMember* members, int meta, const tdPath* path)
{
    for (const MetaMember* member = members; member->key != NULL; ++member)
    {
        int value = tdJson_Find(import->json, meta, member->key);
        tdPath here = tdPath_Key(path, member->key);
        if (value >= 0)
        {
            CheckMetaMember(import, member, &here, value);
        }
        else if (member->isRequired)
        {
            tdReport_Add(import->report, TD_DIAG_VM_REQUIRED, path, member->key);
        }
    }
}

/// Adds a string, number or boolean; others are left out. False when memory ran out.
static bool AddMetaEntry(tdImport* import, tdMetaEntry* entries, int* count, const char* key, int value,
                         bool isElement)
{
    const tdJson* json = import->json;
    tdJsonType type = tdJson_GetType(json, value);
    bool isText = type == TD_JSON_STRING;
    if (!isText && type != TD_JSON_NUMBER && type != TD_JSON_TRUE && type != TD_JSON_FALSE)
    {
        return true;
    }
    size_t length = 0, start = 0, end = 0;
    const char* text = isText ? tdJson_GetString(json, value, &length) : tdJson_GetSource(json, &length);
    if (!isText)
    {
        tdJson_GetRange(json, value, &start, &end);
        length = end - start;
    }
    const char* copy = tdArena_CopyText(import->arena, text + start, length);
    if (copy == NULL)
    {
        return false;
    }
    entries[(*count)++] = (tdMetaEntry){key, copy, isText, isElement};
    return true;
}

static bool StoreMeta(tdImport* import, tdHumanoid* humanoid, int meta)
{
    const tdJson* json = import->json;
    int room = 0;
    for (int child = tdJson_GetFirst(json, meta); child >= 0; child = tdJson_GetNext(json, child))
    {
        room += tdJson_IsArray(json, child) ? tdJson_GetCount(json, child) : 1;
    }
    tdMetaEntry* entries = tdArena_NewArray(import->arena, tdMetaEntry, room);
    if (entries == NULL)
    {
        return false;
    }
    humanoid->meta = entries;
    for (int child = tdJson_GetFirst(json, meta); child >= 0; child = tdJson_GetNext(json, child))
    {
        size_t length = 0;
        const char* text = tdJson_GetKey(json, child, &length);
        const char* key = tdArena_CopyText(import->arena, text, length);
        bool isList = tdJson_IsArray(json, child);
        if (key == NULL)
        {
            return false;
        }
        for (int value = isList ? tdJson_GetFirst(json, child) : child; value >= 0;
             value = isList ? tdJson_GetNext(json, value) : -1)
        {
            if (!AddMetaEntry(import, entries, &humanoid->metaCount, key, value, isList))
            {
                return false;
            }
        }
    }
    return true;
}

bool tdImportMeta1(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path)
{
    tdPath metaPath = tdPath_Key(path, "meta"), urlPath = tdPath_Key(&metaPath, "licenseUrl");
    int meta = tdImport_FindObject(import, path, extension, "meta", TD_DIAG_VH_TYPE);
    if (meta < 0)
    {
        if (tdJson_Find(import->json, extension, "meta") < 0)
        {
            tdReport_Add(import->report, TD_DIAG_VM_REQUIRED, path, "meta");
        }
        return true;
    }
    CheckMeta(import, metaMembers1, meta, &metaPath);
    int url = tdJson_Find(import->json, meta, "licenseUrl");
    size_t length = 0;
    if (tdJson_GetString(import->json, url, &length) != NULL && length > 0 &&
        !tdJson_StringEquals(import->json, url, VRM_LICENSE_URL))
    {
        char text[64];
        tdReport_Add(import->report, TD_DIAG_VM_LICENSE_URL, &urlPath,
                     tdImport_CopyShort(import, url, text, sizeof(text)));
    }
    return StoreMeta(import, humanoid, meta);
}

bool tdImportMeta0(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path)
{
    tdPath metaPath = tdPath_Key(path, "meta");
    int meta = tdImport_FindObject(import, path, extension, "meta", TD_DIAG_VH_TYPE);
    if (meta < 0)
    {
        return true; // 0.x does not require it
    }
    CheckMeta(import, metaMembers0, meta, &metaPath);
    return StoreMeta(import, humanoid, meta);
}
