// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows and headings. Fields are quoted only where they must be (RFC 4180).
#include "trace_table.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

void tdAppendFloat(tdText* line, float value)
{
    char text[TD_NUMBER_TEXT_SIZE];
    tdText_Append(line, text, tdWriteFloat(text, value));
}

void tdAppendPose(tdText* line, tdVec3 position, tdQuat rotation)
{
    const float numbers[7] = {position.x, position.y, position.z, rotation.x,
                              rotation.y, rotation.z, rotation.w};
    for (int i = 0; i < 7; ++i)
    {
        tdText_AppendString(line, i > 0 ? "," : "");
        tdAppendFloat(line, numbers[i]);
    }
}

// Spreadsheets run a field that begins with one of =@+- as a formula; an apostrophe makes it text. Control
// characters become blanks.
static void AppendField(tdText* line, const char* text)
{
    bool isFormula = text[0] != 0 && strchr("=@+-\t\r\n", text[0]) != NULL;
    bool isPlain = strpbrk(text, ",\"\r\n") == NULL && !isFormula;
    tdText_AppendString(line, isPlain ? "" : "\"");
    tdText_AppendString(line, isFormula ? "'" : "");
    for (; *text != 0; ++text)
    {
        if (*text == '"')
        {
            tdText_AppendChar(line, '"');
        }
        bool isControl = (unsigned char)*text < 0x20 || *text == 0x7f;
        tdText_AppendChar(line, isControl ? ' ' : *text);
    }
    tdText_AppendString(line, isPlain ? "" : "\"");
}

static int CompareNames(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

/// All names, sorted, so that duplicates are neighbours. NULL when memory ran out.
static const char** SortNames(const tdActor* actor)
{
    const tdNodeTree* nodes = &actor->asset->scene.nodes;
    const char** names =
        tdAllocate(&actor->asset->outerAllocator, sizeof(char*) * (size_t)nodes->count, _Alignof(char*));
    if (names != NULL && nodes->count > 0)
    {
        memcpy(names, nodes->names, sizeof(char*) * (size_t)nodes->count);
        qsort(names, (size_t)nodes->count, sizeof(char*), CompareNames);
    }
    return names;
}

static bool IsUnique(const char** names, int count, const char* name)
{
    const char** found = bsearch(&name, names, (size_t)count, sizeof(char*), CompareNames);
    ptrdiff_t at = found - names;
    return name[0] != 0 && (at == 0 || strcmp(found[-1], name) != 0) &&
           (at + 1 == count || strcmp(found[1], name) != 0);
}

void tdAppendTableHeading(tdText* line, const tdActor* actor, const int* nodes, int nodeCount)
{
    static const char* const columns[7] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
    const tdNodeTree* tree = &actor->asset->scene.nodes;
    const char** names = SortNames(actor);
    line->failed = line->failed || names == NULL;
    tdText field;
    tdText_Init(&field, &actor->asset->outerAllocator);
    tdText_AppendString(line, "time");
    int count = nodes != NULL ? nodeCount : tree->count;
    for (int i = 0; i < count && !line->failed; ++i)
    {
        int node = nodes != NULL ? nodes[i] : i;
        const char* name = tree->names[node];
        for (int k = 0; k < 7 && !line->failed; ++k)
        {
            tdText_Clear(&field);
            tdText_AppendString(&field, name);
            if (!IsUnique(names, tree->count, name))
            {
                tdText_AppendFormat(&field, "#%d", node);
            }
            tdText_AppendFormat(&field, ".%s", columns[k]);
            tdText_AppendChar(line, ',');
            line->failed = line->failed || field.failed;
            AppendField(line, field.failed ? "" : field.data);
        }
    }
    tdText_Free(&field);
    if (names != NULL)
    {
        tdRelease(&actor->asset->outerAllocator, names, sizeof(char*) * (size_t)tree->count);
    }
}

void tdAppendTableRow(tdText* line, const tdActor* actor, double time, const int* nodes, int nodeCount)
{
    const tdNodePose* pose = &actor->pose;
    int count = nodes != NULL ? nodeCount : actor->asset->scene.nodes.count;
    tdAppendFloat(line, (float)time);
    for (int i = 0; i < count; ++i)
    {
        const tdMat4 global = pose->globals[nodes != NULL ? nodes[i] : i];
        tdText_AppendChar(line, ',');
        tdAppendPose(line, tdMat4Translation(global), tdRotationOfMat4(global));
    }
}
