// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon check: all findings about a file, as text or as a report in the form of the Khronos validator.
#include "batch.h"
#include "json.h"
#include "memory.h"
#include "platform.h"
#include "sarif.h"

#include <string.h>

static bool EndsWith(const char* text, const char* ending)
{
    size_t length = strlen(text), endingLength = strlen(ending);
    return length >= endingLength && strcmp(text + length - endingLength, ending) == 0;
}

// MIME type by content if the file could be read, else by name.
static const char* GetMimeType(const tdAsset* asset, const char* path)
{
    tdFileKind kind = asset != NULL             ? tdDescribeAsset(asset).kind
                      : EndsWith(path, ".gltf") ? TD_FILE_KIND_GLTF
                      : EndsWith(path, ".bvh")  ? TD_FILE_KIND_BVH
                                                : TD_FILE_KIND_GLB;
    return kind == TD_FILE_KIND_GLTF  ? "model/gltf+json"
           : kind == TD_FILE_KIND_GLB ? "model/gltf-binary"
                                      : "model/bvh";
}

static void PrintExtensionNames(FILE* out, const tdAsset* asset, int count, bool onlyRequired)
{
    const char* separator = "";
    fputc('[', out);
    for (int i = 0; i < count; ++i)
    {
        tdExtensionInfo extension = tdDescribeExtension(asset, i);
        if (extension.isRequired || !onlyRequired)
        {
            fputs(separator, out);
            PrintJsonText(out, extension.name);
            separator = ",";
        }
    }
    fputc(']', out);
}

static void PrintInfo(FILE* out, const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    fprintf(out, "{\"version\":");
    PrintJsonText(out, info.version);
    fprintf(out, ",\"generator\":");
    PrintJsonText(out, info.generator);
    fprintf(out, ",\"extensionsUsed\":");
    PrintExtensionNames(out, asset, info.extensionCount, false);
    fprintf(out, ",\"extensionsRequired\":");
    PrintExtensionNames(out, asset, info.extensionCount, true);
    fprintf(out,
            ",\"animationCount\":%d,\"materialCount\":%d,\"hasSkins\":%s,\"hasTextures\":%s,"
            "\"hasDefaultScene\":%s",
            info.animationCount, info.materialCount, info.skinCount > 0 ? "true" : "false",
            info.textureCount > 0 ? "true" : "false", info.activeScene >= 0 ? "true" : "false");
    fprintf(out, ",\"totalVertexCount\":%lld,\"totalTriangleCount\":%lld,\"nodeCount\":%d",
            (long long)info.vertexCount, (long long)info.triangleCount, info.nodeCount);
    fprintf(out, ",\"bodyCount\":%d,\"colliderCount\":%d,\"jointCount\":%d}", info.bodyCount,
            info.colliderCount, info.jointCount);
}

static void PrintReport(FILE* out, const tdAsset* asset, const char* path, tdReport* report)
{
    tdVersion version = tdGetVersion();
    const char* issues = tdReport_GetJson(report, NULL);
    fprintf(out, "{\"uri\":");
    PrintJsonText(out, path);
    fprintf(out, ",\"mimeType\":\"%s\",\"validatorVersion\":\"%d.%d.%d\",\"issues\":%s",
            GetMimeType(asset, path), version.major, version.minor, version.patch,
            issues != NULL ? issues : "null");
    if (asset != NULL)
    {
        fprintf(out, ",\"info\":");
        PrintInfo(out, asset);
    }
    fprintf(out, "}\n");
}

static void PrintText(const Session* session, const char* path, const tdReport* report)
{
    char counts[96];
    PrintFindings(&session->out, report, session->isQuiet ? TD_SEVERITY_ERROR : TD_SEVERITY_HINT);
    if (!session->isQuiet)
    {
        FormatCounts(counts, report);
        Paint paint = tdReport_HasErrors(report)                                ? PAINT_RED
                      : tdReport_CountSeverity(report, TD_SEVERITY_WARNING) > 0 ? PAINT_YELLOW
                                                                                : PAINT_GREEN;
        char name[INPUT_TEXT_SIZE];
        CleanText(name, sizeof name, NameFile(path), INPUT_TEXT_SIZE);
        PrintPainted(&session->out, PAINT_BOLD, "%s", name);
        PrintPainted(&session->out, PAINT_NONE, ": ");
        PrintPainted(&session->out, paint, "%s\n", counts);
    }
}

static int CheckFile(const Session* session, const char* path, const char* output)
{
    (void)output;
    tdReport* report = tdCreateReport(GetMemory());
    tdAsset* asset = LoadFile(session, path, TD_LOAD_SCENE, report);
    NoteMemory(report);
    int exitCode = GetReportExit(report);
    if (exitCode == EXIT_FINE && IsGiven(session->options, OPTION_STRICT) &&
        tdReport_CountSeverity(report, TD_SEVERITY_WARNING) > 0)
    {
        exitCode = EXIT_FOUND_ERRORS;
    }
    if (IsGiven(session->options, OPTION_JSON))
    {
        PrintReport(stdout, asset, path, report);
    }
    else if (IsWord(session->options, OPTION_CHECK_FORMAT, "sarif"))
    {
        PrintSarifResults(stdout, report);
    }
    else
    {
        PrintText(session, path, report);
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return exitCode;
}

int RunCheck(Session* session)
{
    // The results of a worker become part of the document of the process that started it.
    bool isSarif = IsWord(session->options, OPTION_CHECK_FORMAT, "sarif") && GetWorkerRequest() == NULL;
    if (isSarif)
    {
        PrintSarifStart(stdout);
    }
    int result = IsBatch(session->options) ? RunBatch(session, 0, CheckFile)
                                           : CheckFile(session, session->options->files[0], NULL);
    if (isSarif)
    {
        PrintSarifEnd(stdout);
    }
    return result;
}
