// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of visiting the files that an asset refers to: the set of files, their bytes, and the references that
// are never requested.
#include "harness.h"

#include "tendon/tendon.h"

#include <string.h>

typedef struct Log
{
    char text[512]; // "path=bytes;" for each visited file
    int stopAfter;  // -1: never
    int count;
} Log;

static bool Serve(void* context, const char* uri, const void** data, size_t* size)
{
    (void)context;
    if (strcmp(uri, "gone.png") == 0)
    {
        return false;
    }
    *data = uri;
    *size = strlen(uri);
    return true;
}

static bool Note(void* context, const char* uri, const void* data, size_t size)
{
    Log* log = context;
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s=%.*s;", uri, (int)size, (const char*)data);
    log->count += 1;
    return log->stopAfter < 0 || log->count < log->stopAfter;
}

static const char file[] =
    "{\"asset\":{\"version\":\"2.0\"},"
    "\"buffers\":[{\"byteLength\":5,\"uri\":\"a%20b.bin\"},{\"byteLength\":1,\"uri\":\"data:;base64,QQ==\"}],"
    "\"images\":[{\"uri\":\"skin/x.png\"},{\"uri\":\"gone.png\"},{\"uri\":\"https://example.org/y.png\"},"
    "{\"uri\":\"../outside.png\"},{\"uri\":\"skin/x.png\",\"extras\":{\"uri\":\"no.png\"}}]}";

static tdAsset* Load(tdReport* report)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = Serve;
    def.name = "memory.gltf";
    return tdLoadAssetFromMemory(file, strlen(file), &def, report);
}

TEST(Files)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(report);
    ENSURE(asset != NULL);
    Log log = {.stopAfter = -1};
    int warnings = tdReport_CountSeverity(report, TD_SEVERITY_WARNING);
    ENSURE(tdAsset_VisitFiles(asset, Note, &log, report));
    ENSURE_EQUAL_TEXT(log.text, "a b.bin=a b.bin;skin/x.png=skin/x.png;skin/x.png=skin/x.png;");
    // One file is missing, one is outside; URLs are never requested.
    ENSURE(tdReport_CountSeverity(report, TD_SEVERITY_WARNING) == warnings + 2);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(Stop)
{
    tdAsset* asset = Load(NULL);
    Log log = {.stopAfter = 1};
    ENSURE(!tdAsset_VisitFiles(asset, Note, &log, NULL));
    ENSURE(log.count == 1);
    tdDestroyAsset(asset);
    ENSURE(!tdAsset_VisitFiles(NULL, Note, &log, NULL));
}

TEST_MAIN(RUN(Files) RUN(Stop))
