// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory, reports, files and assets. A module without imports cannot request a file during a call. The caller
// adds the files it has, loads, asks for the missing ones and loads again.
#include "exports.h"

#include <stdlib.h>
#include <string.h>

double record[RECORD_SIZE];

static tdReport* report;

typedef struct File
{
    struct File* next;
    const void* data; // NULL: requested but missing
    size_t size;
    char uri[];
} File;

static File* files;

double* EXPORT(td_record)(void)
{
    return record;
}

void* EXPORT(td_allocate)(size_t size)
{
    return malloc(size != 0 ? size : 1);
}

void EXPORT(td_free)(void* memory)
{
    free(memory);
}

int EXPORT(td_version)(void)
{
    tdVersion version = tdGetVersion();
    return version.major << 16 | version.minor << 8 | version.patch;
}

bool EXPORT(td_has_simd)(void)
{
#if defined(__wasm_simd128__)
    return true;
#else
    return false;
#endif
}

tdReport* NewReport(void)
{
    tdDestroyReport(report);
    report = tdCreateReport(NULL);
    return report;
}

void AdoptReport(tdReport* adopted)
{
    tdDestroyReport(report);
    report = adopted;
}

int EXPORT(td_report_count)(void)
{
    return report != NULL ? tdReport_GetCount(report) : 0;
}

void EXPORT(td_report_get)(int index)
{
    FindingRecord* r = GET_RECORD(Finding);
    tdDiagnostic finding = tdReport_Get(report, index);
    r->severity = finding.severity;
    r->code = PutAddress(finding.code);
    r->source = PutAddress(finding.source);
    r->pointer = PutAddress(finding.pointer);
    r->line = finding.line;
    r->column = finding.column;
    r->offset = (double)finding.offset;
    r->message = PutAddress(finding.message);
}

// Files

static File* FindFile(const char* uri)
{
    File* file = files;
    while (file != NULL && strcmp(file->uri, uri) != 0)
    {
        file = file->next;
    }
    return file;
}

static File* AddFile(const char* uri)
{
    size_t length = strlen(uri);
    File* file = malloc(sizeof(File) + length + 1);
    if (file != NULL)
    {
        *file = (File){files, NULL, 0};
        memcpy(file->uri, uri, length + 1);
        files = file;
    }
    return file;
}

static bool ReadFile(void* context, const char* uri, const void** data, size_t* size)
{
    (void)context;
    File* file = FindFile(uri);
    if (file == NULL)
    {
        AddFile(uri); // when memory runs out, the file is not listed as missing
        return false;
    }
    *data = file->data;
    *size = file->size;
    return file->data != NULL;
}

/// Takes ownership of `data`. False when memory ran out; the data is freed then, too.
bool EXPORT(td_file_add)(const char* uri, void* data, size_t size)
{
    File* file = FindFile(uri);
    file = file != NULL ? file : AddFile(uri);
    if (file == NULL)
    {
        free(data);
        return false;
    }
    free((void*)(uintptr_t)file->data);
    file->data = data;
    file->size = size;
    return true;
}

/// URI of the missing file with that index; NULL behind the last one.
const char* EXPORT(td_file_missing)(int index)
{
    for (const File* file = files; file != NULL; file = file->next)
    {
        if (file->data == NULL && index-- == 0)
        {
            return file->uri;
        }
    }
    return NULL;
}

void EXPORT(td_file_clear)(void)
{
    while (files != NULL)
    {
        File* next = files->next;
        free((void*)(uintptr_t)files->data);
        free(files);
        files = next;
    }
}

// Limits of the next asset or stage

static tdLimits nextLimits;

void EXPORT(td_limits_reset)(void)
{
    nextLimits = (tdLimits){0};
}

bool EXPORT(td_limits_set)(const char* name, double value)
{
    return tdLimits_Set(&nextLimits, name, value);
}

tdLimits GetNextLimits(void)
{
    return nextLimits;
}

// Assets

tdAsset* EXPORT(td_asset_load)(const void* data, size_t size, const char* name, const char* boneMap,
                               float bvhUnit, int facing, int rest, int restFrame, double maxBytes)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.name = name;
    def.boneMap = boneMap;
    def.bvhUnit = bvhUnit;
    def.facing = (tdFacing)facing;
    def.rest = (tdRestPose)rest;
    def.restFrame1 = restFrame;
    def.limits = nextLimits;
    if (def.limits.memory == 0 || def.limits.memory > (int64_t)maxBytes)
    {
        def.limits.memory = (int64_t)maxBytes;
    }
    def.readFile = ReadFile;
    return NewReport() != NULL ? tdLoadAssetFromMemory(data, size, &def, report) : NULL;
}

void EXPORT(td_asset_destroy)(tdAsset* asset)
{
    tdDestroyAsset(asset);
}

int EXPORT(td_asset_find_node)(const tdAsset* asset, const char* name)
{
    return tdAsset_FindNode(asset, name);
}

int EXPORT(td_asset_find_bone)(const tdAsset* asset, const char* name)
{
    return tdAsset_FindBone(asset, name);
}

/// Leaves the size in bytes in the Size record. NULL when saving failed.
void* EXPORT(td_asset_save)(const tdAsset* asset, int format)
{
    size_t size = 0;
    void* data =
        NewReport() != NULL ? tdSaveAssetToMemory(asset, (tdSaveFormat)format, NULL, &size, report) : NULL;
    GET_RECORD(Size)->size = (double)size;
    return data;
}

void EXPORT(td_saved_free)(void* data, size_t size)
{
    tdFreeSaved(data, size, NULL);
}

/// Reports the findings that only appear when an actor is created from the asset. False when memory ran out.
bool EXPORT(td_asset_check)(const tdAsset* asset)
{
    tdStage* stage = NewReport() != NULL ? tdCreateStage(NULL) : NULL;
    bool isMade = stage != NULL && tdCreateActor(stage, asset, NULL, report) != NULL;
    tdDestroyStage(stage);
    return isMade;
}

// Clips

tdClip* EXPORT(td_clip_create)(const tdAsset* asset, int animation)
{
    return NewReport() != NULL ? tdCreateClip(asset, animation, NULL, report) : NULL;
}

tdClip* EXPORT(td_clip_retarget)(const tdAsset* source, int animation, const tdAsset* target, bool scaleHips,
                                 int root, unsigned contacts)
{
    tdRetargetDef def = tdDefaultRetargetDef();
    def.scaleHips = scaleHips;
    def.root = (tdRootMotion)root;
    def.contacts = contacts;
    return NewReport() != NULL ? tdRetargetClip(source, animation, target, &def, NULL, report) : NULL;
}

void EXPORT(td_clip_describe)(const tdClip* clip)
{
    ClipRecord* r = GET_RECORD(Clip);
    r->name = PutAddress(tdClip_GetName(clip));
    r->duration = (double)tdClip_GetDuration(clip);
    r->expressionCount = tdClip_GetExpressionCount(clip);
    r->contactCount = tdClip_GetContactCount(clip);
}

void EXPORT(td_clip_contact)(const tdClip* clip, int index)
{
    tdMotionContact contact = tdClip_GetContact(clip, index);
    MotionContactRecord* r = GET_RECORD(MotionContact);
    r->bone = PutAddress(tdGetBoneName(contact.bone));
    r->start = (double)contact.start;
    r->end = (double)contact.end;
}

const char* EXPORT(td_clip_expression)(const tdClip* clip, int index)
{
    return tdClip_GetExpressionName(clip, index);
}

void EXPORT(td_clip_destroy)(tdClip* clip)
{
    tdDestroyClip(clip);
}
