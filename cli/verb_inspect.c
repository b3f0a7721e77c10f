// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon inspect: contents of a file as tables or as one JSON object.
#include "inspect.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS 40
#define DEEPEST_INDENT 12

int GetRowLimit(const Session* session)
{
    const int shortLimit = 24;
    return IsGiven(session->options, OPTION_FULL) ? -1 : shortLimit;
}

void PrintTitle(const Session* session, const char* title)
{
    PrintPainted(&session->out, PAINT_NONE, "\n");
    PrintPainted(&session->out, PAINT_BOLD, "%s\n", title);
}

void AddName(Table* table, const char* name)
{
    char text[256];
    CleanText(text, sizeof text, name, NAME_COLUMNS);
    AddCell(table, "%s", text);
}

static void PrintHead(const Session* session, const char* path, const tdAssetInfo* info)
{
    static const char* const kinds[] = {"glTF", "binary glTF", "BVH motion"};
    char size[16], generator[256];
    FormatSize(size, info->byteCount);
    CleanText(generator, sizeof generator, info->generator, 60);
    PrintPainted(&session->out, PAINT_BOLD, "%s", NameFile(path));
    PrintPainted(&session->out, PAINT_NONE, "  %s%s%s, %s%s%s\n", kinds[info->kind],
                 info->version[0] != '\0' ? " " : "", info->version, size,
                 generator[0] != '\0' ? ", by " : "", generator);
}

static void PrintCounts(const tdAsset* asset, const tdAssetInfo* info)
{
    const struct
    {
        const char *one, *name;
        int count;
    } counts[] = {
        {"scene", "scenes", info->sceneCount},
        {"node", "nodes", info->nodeCount},
        {"mesh", "meshes", info->meshCount},
        {"material", "materials", info->materialCount},
        {"texture", "textures", info->textureCount},
        {"skin", "skins", info->skinCount},
        {"animation", "animations", info->animationCount},
        {"body", "bodies", info->bodyCount},
        {"collider", "colliders", info->colliderCount},
        {"joint", "joints", info->jointCount},
        {"constraint", "constraints", info->constraintCount},
        {"bone", "bones", info->boneCount},
        {"expression", "expressions", info->expressionCount},
        {"spring", "springs", tdAsset_GetSpringCount(asset)},
    };
    const char* separator = "  ";
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        if (counts[i].count > 0)
        {
            printf("%s%d %s", separator, counts[i].count,
                   counts[i].count == 1 ? counts[i].one : counts[i].name);
            separator = ", ";
        }
    }
    printf(separator[0] == ' ' ? "  nothing\n" : "\n");
    char size[16];
    FormatSize(size, info->bufferBytes);
    if (info->vertexCount > 0)
    {
        printf("  %lld triangles, %lld vertices, %s in buffers\n", (long long)info->triangleCount,
               (long long)info->vertexCount, size);
    }
    else if (info->bufferBytes > 0)
    {
        printf("  %s in buffers\n", size);
    }
}

static const char* ExplainSupport(tdSupport support)
{
    static const char* const words[] = {
        [TD_SUPPORT_PLAYED] = "plays it",
        [TD_SUPPORT_READ] = "reads it",
        [TD_SUPPORT_KEPT] = "keeps it as it is",
        [TD_SUPPORT_REFUSED] = "cannot use it, keeps it as it is",
        [TD_SUPPORT_UNKNOWN] = "does not know it, keeps it as it is",
    };
    return words[support];
}

static void PrintExtensions(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {"extension", "required", "what Tendon does"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Extensions");
    Table table = StartTable(headings, 3);
    for (int i = 0; i < count; ++i)
    {
        tdExtensionInfo extension = tdDescribeExtension(asset, i);
        AddName(&table, extension.name);
        AddCell(&table, "%s", extension.isRequired ? "yes" : "no");
        AddCell(&table, "%s", ExplainSupport(extension.support));
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintAnimations(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "animation", ">seconds", ">channels", ">nodes", ">keys"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Animations");
    Table table = StartTable(headings, 6);
    for (int i = 0; i < count; ++i)
    {
        tdAnimationInfo info = tdDescribeAnimation(asset, i);
        AddCell(&table, "%d", i);
        AddName(&table, info.name);
        AddCell(&table, "%.4g", (double)info.duration);
        AddCell(&table, "%d", info.channelCount);
        AddCell(&table, "%d", info.nodeCount);
        AddCell(&table, "%lld", (long long)info.keyCount);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintMeshes(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#",         "mesh",      ">parts",
                                           ">triangles", ">vertices", ">morph targets"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Meshes");
    Table table = StartTable(headings, 6);
    for (int i = 0; i < count; ++i)
    {
        tdMeshInfo info = tdDescribeMesh(asset, i);
        AddCell(&table, "%d", i);
        AddName(&table, info.name);
        AddCell(&table, "%d", info.primitiveCount);
        AddCell(&table, "%lld", (long long)info.triangleCount);
        AddCell(&table, "%lld", (long long)info.vertexCount);
        AddCell(&table, "%d", info.morphTargetCount);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

// "mesh 3, skin 0, body 1"
static void AddHolding(Table* table, const tdNodeInfo* info)
{
    const struct
    {
        const char* name;
        int index;
    } things[] = {{"mesh", info->mesh}, {"skin", info->skin}, {"body", info->body}};
    char text[96] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof things / sizeof things[0]; ++i)
    {
        if (things[i].index >= 0)
        {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %d", length > 0 ? ", " : "",
                                       things[i].name, things[i].index);
        }
    }
    AddCell(table, "%s", text);
}

// The node tree in pre-order, indented by depth.
static void PrintNodes(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "node", "at", "holds"};
    int* depths = AllocateZeroed((size_t)count + 1, sizeof(int));
    if (count == 0 || depths == NULL)
    {
        free(depths);
        return;
    }
    PrintTitle(session, "Nodes");
    Table table = StartTable(headings, 4);
    for (int i = 0; i < count; ++i)
    {
        int node = tdAsset_GetOrderedNode(asset, i);
        tdNodeInfo info = tdDescribeNode(asset, node);
        depths[node] = info.parent >= 0 ? depths[info.parent] + 1 : 0;
        int indent = depths[node] < DEEPEST_INDENT ? depths[node] : DEEPEST_INDENT;
        char name[256];
        CleanText(name, sizeof name, info.name[0] != '\0' ? info.name : "(no name)", NAME_COLUMNS);
        AddCell(&table, "%d", node);
        AddCell(&table, "%*s%s", 2 * indent, "", name);
        AddCell(&table, "%.4g, %.4g, %.4g", (double)info.local.translation.x,
                (double)info.local.translation.y, (double)info.local.translation.z);
        AddHolding(&table, &info);
    }
    free(depths);
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintTables(const Session* session, const char* path, const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    PrintHead(session, path, &info);
    PrintCounts(asset, &info);
    PrintExtensions(session, asset, info.extensionCount);
    PrintAnimations(session, asset, info.animationCount);
    PrintHumanoid(session, asset);
    PrintConstraints(session, asset, info.constraintCount);
    PrintSprings(session, asset);
    PrintPhysics(session, asset, &info);
    PrintMeshes(session, asset, info.meshCount);
    PrintNodes(session, asset, info.nodeCount);
}

int RunInspect(Session* session)
{
    const Options* options = session->options;
    int result = EXIT_FINE;
    for (int i = 0; i < options->fileCount; ++i)
    {
        tdReport* report = tdCreateReport(GetMemory());
        tdAsset* asset = LoadFile(session, options->files[i], TD_LOAD_MASSES, report);
        if (asset != NULL && IsGiven(options, OPTION_SKELETON))
        {
            PrintSkeleton(session, options->files[i], asset);
        }
        else if (asset != NULL && IsGiven(options, OPTION_JSON))
        {
            PrintInspectionJson(stdout, options->files[i], asset);
        }
        else if (asset != NULL)
        {
            printf(i > 0 ? "\n" : "");
            PrintTables(session, options->files[i], asset);
        }
        else if (IsGiven(options, OPTION_JSON))
        {
            PrintNoInspectionJson(stdout, options->files[i], report);
        }
        fflush(stdout);
        NoteMemory(report);
        ReportFindings(session, report);
        result = WorseExit(result, GetReportExit(report));
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
    return result;
}
