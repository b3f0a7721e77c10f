// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Memory, reports, files and assets. A module without imports cannot ask for a file in the middle of a call:
// the files that are known are handed over first, those that were missed are listed afterwards, and the
// caller tries again.
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

double record[RECORD_SIZE];

static tdReport* report;

typedef struct File
{
    struct File* next;
    const void* data; // NULL: was asked for and is not there
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

int EXPORT(td_report_count)(void)
{
    return report != NULL ? tdReport_GetCount(report) : 0;
}

void EXPORT(td_report_get)(int index)
{
    tdDiagnostic finding = tdReport_Get(report, index);
    record[0] = finding.severity;
    record[1] = PutText(finding.code);
    record[2] = PutText(finding.source);
    record[3] = PutText(finding.pointer);
    record[4] = finding.line;
    record[5] = finding.column;
    record[6] = (double)finding.offset;
    record[7] = PutText(finding.message);
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
        AddFile(uri); // out of memory: then nobody is asked for it
        return false;
    }
    *data = file->data;
    *size = file->size;
    return file->data != NULL;
}

/// The memory of a file belongs to the list from now on.
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

/// The uri of the n-th file that was missed; NULL when there are no more.
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

// Assets

tdAsset* EXPORT(td_asset_load)(const void* data, size_t size, const char* name, const char* boneMap,
                               float bvhUnit, double maxBytes)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.name = name;
    def.boneMap = boneMap;
    def.bvhUnit = bvhUnit;
    def.maxBytes = (size_t)maxBytes;
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

/// The size is record[0].
void* EXPORT(td_asset_save)(const tdAsset* asset, int format)
{
    size_t size = 0;
    void* data =
        NewReport() != NULL ? tdSaveAssetToMemory(asset, (tdSaveFormat)format, NULL, &size, report) : NULL;
    record[0] = (double)size;
    return data;
}

void EXPORT(td_saved_free)(void* data, size_t size)
{
    tdFreeSaved(data, size, NULL);
}

/// What only shows when an asset comes to life: the findings of making an actor of it.
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
    return NewReport() != NULL ? tdCreateClip(asset, animation, report) : NULL;
}

tdClip* EXPORT(td_clip_retarget)(const tdAsset* source, int animation, const tdAsset* target, bool scaleHips)
{
    tdRetargetDef def = tdDefaultRetargetDef();
    def.scaleHips = scaleHips;
    return NewReport() != NULL ? tdRetargetClip(source, animation, target, &def, report) : NULL;
}

void EXPORT(td_clip_describe)(const tdClip* clip)
{
    record[0] = PutText(tdClip_GetName(clip));
    record[1] = (double)tdClip_GetDuration(clip);
    record[2] = tdClip_GetExpressionCount(clip);
}

const char* EXPORT(td_clip_expression)(const tdClip* clip, int index)
{
    return tdClip_GetExpressionName(clip, index);
}

void EXPORT(td_clip_destroy)(tdClip* clip)
{
    tdDestroyClip(clip);
}
