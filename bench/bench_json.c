// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures speed and memory of reading, editing and writing a large glTF JSON document. Compares with jansson
// where the build has it. Prints one JSON line per measurement.
#include "json/edit.h"
#include "json/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(TD_HAVE_JANSSON)
#include <jansson.h>
#endif

#define NODE_COUNT 28000
#define DOCUMENT_SIZE 20000000

static double GetSeconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint32_t randomState = 12345u;

/// In (-1, 1), printed like an exported float.
static double NextNumber(void)
{
    randomState ^= randomState << 13;
    randomState ^= randomState >> 17;
    randomState ^= randomState << 5;
    return (double)((float)(int32_t)randomState / 2147483648.0f);
}

static void AppendNumbers(tdText* text, const char* name, int count, const char* end)
{
    tdText_AppendFormat(text, "            \"%s\": [", name);
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendFormat(text, "%s\n                %g", i > 0 ? "," : "", NextNumber());
    }
    tdText_AppendFormat(text, "\n            ]%s\n", end);
}

/// An indented document like those of exporters: nodes with names, transforms and children, then accessors up
/// to the full size.
static void MakeDocument(tdText* text)
{
    tdText_Reserve(text, DOCUMENT_SIZE + 1000000);
    tdText_AppendString(text,
                        "{\n    \"asset\": {\n        \"version\": \"2.0\"\n    },\n    \"nodes\": [\n");
    for (int i = 0; i < NODE_COUNT; ++i)
    {
        tdText_AppendFormat(text, "        {\n            \"name\": \"Armature.%d|Bone \xc3\xa9 %d\",\n",
                            i / 50, i);
        AppendNumbers(text, "rotation", 4, ",");
        AppendNumbers(text, "translation", 3, 2 * i + 2 < NODE_COUNT ? "," : "");
        if (2 * i + 2 < NODE_COUNT)
        {
            tdText_AppendFormat(
                text, "            \"children\": [\n                %d,\n                %d\n            ]\n",
                2 * i + 1, 2 * i + 2);
        }
        tdText_AppendFormat(text, "        }%s\n", i + 1 < NODE_COUNT ? "," : "");
    }
    tdText_AppendString(text, "    ],\n    \"accessors\": [\n");
    for (int i = 0; text->length < DOCUMENT_SIZE; ++i)
    {
        tdText_AppendFormat(text,
                            "%s        {\n            \"bufferView\": %d,\n            \"byteOffset\": %d,\n"
                            "            \"componentType\": 5126,\n            \"count\": %d,\n"
                            "            \"type\": \"VEC3\",\n",
                            i > 0 ? ",\n" : "", i, 12 * i, 24 + i % 1000);
        AppendNumbers(text, "max", 3, ",");
        AppendNumbers(text, "min", 3, "");
        tdText_AppendString(text, "        }");
    }
    tdText_AppendString(text, "\n    ]\n}\n");
}

/// The same without white space between values: more values per byte, the worst case for memory.
static void MakeCompact(tdText* text, const tdText* indented)
{
    tdText_Reserve(text, indented->length);
    bool inString = false; // the document has no escapes
    for (size_t i = 0; i < indented->length; ++i)
    {
        char c = indented->data[i];
        inString = inString != (c == '"');
        if (inString || (c != ' ' && c != '\n'))
        {
            tdText_AppendChar(text, c);
        }
    }
}

static void PrintSpeed(const char* name, size_t bytes, double seconds, double peakOfSource)
{
    printf("{\"measurement\": \"%s\", \"bytes\": %zu, \"ms\": %.2f, \"MB_per_s\": %.1f", name, bytes,
           1e3 * seconds, 1e-6 * (double)bytes / seconds);
    if (peakOfSource > 0.0)
    {
        printf(", \"peak_memory_of_source\": %.2f", peakOfSource);
    }
    printf("}\n");
}

static bool BenchParse(const char* name, const tdText* text, int repeat)
{
    double best = 1e9;
    tdFailingAllocator state;
    int valueCount = 0;
    for (int i = 0; i < repeat; ++i)
    {
        tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
        double start = GetSeconds();
        tdJson* json = tdParseJson(text->data, text->length, &allocator, NULL);
        double seconds = GetSeconds() - start;
        best = seconds < best ? seconds : best;
        if (json == NULL)
        {
            return false;
        }
        valueCount = tdJson_GetValueCount(json);
        tdDestroyJson(json);
    }
    // The source text counts too: the document keeps it.
    PrintSpeed(name, text->length, best, 1.0 + (double)state.peakBytes / (double)text->length);
    printf("{\"measurement\": \"document\", \"bytes\": %zu, \"values\": %d, \"nodes\": %d}\n", text->length,
           valueCount, NODE_COUNT);
    return true;
}

static bool BenchNumbers(const tdText* text, int repeat)
{
    tdJson* json = tdParseJson(text->data, text->length, NULL, NULL);
    double best = 1e9, sum = 0.0;
    for (int i = 0; i < repeat; ++i)
    {
        double start = GetSeconds();
        for (int value = 0; value < tdJson_GetValueCount(json); ++value)
        {
            sum += tdJson_GetNumber(json, value, 0.0);
        }
        double seconds = GetSeconds() - start;
        best = seconds < best ? seconds : best;
    }
    tdDestroyJson(json);
    PrintSpeed("convert all numbers", text->length, best, 0.0);
    return sum == sum;
}

/// Parses and converts every number: the work of parsers that convert while they read.
static bool BenchParseAndConvert(const char* name, const tdText* text, int repeat)
{
    double best = 1e9, sum = 0.0;
    for (int i = 0; i < repeat; ++i)
    {
        double start = GetSeconds();
        tdJson* json = tdParseJson(text->data, text->length, NULL, NULL);
        for (int value = 0; value < tdJson_GetValueCount(json); ++value)
        {
            sum += tdJson_GetNumber(json, value, 0.0);
        }
        tdDestroyJson(json);
        double seconds = GetSeconds() - start;
        best = seconds < best ? seconds : best;
    }
    PrintSpeed(name, text->length, best, 0.0);
    return sum == sum;
}

/// Renames a thousand nodes and adds one member to each.
static bool BenchWrite(const tdText* text, int repeat)
{
    double best = 1e9;
    tdFailingAllocator state;
    size_t written = 0;
    bool whole = true;
    for (int i = 0; i < repeat && whole; ++i)
    {
        tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
        tdJson* json = tdParseJson(text->data, text->length, &allocator, NULL);
        tdJsonEdit* edit = tdCreateJsonEdit(json, &allocator);
        int number = 0, nodes = tdJson_Find(json, 0, "nodes");
        for (int node = tdJson_GetFirst(json, nodes); node >= 0; node = tdJson_GetNext(json, node), ++number)
        {
            if (number % (NODE_COUNT / 1000) == 0)
            {
                tdJsonEdit_Set(edit, node, "name", "\"renamed\"", 9);
                tdJsonEdit_Set(edit, node, "extras", "{\"touched\": true}", 17);
            }
        }
        tdText out;
        tdText_Init(&out, &allocator);
        double start = GetSeconds();
        whole = tdJsonEdit_Write(edit, &out);
        double seconds = GetSeconds() - start;
        best = seconds < best ? seconds : best;
        written = out.length;
        tdText_Free(&out);
        tdDestroyJsonEdit(edit);
        tdDestroyJson(json);
    }
    PrintSpeed("write with 2000 edits", written, best, 1.0 + (double)state.peakBytes / (double)text->length);
    return whole;
}

#if defined(TD_HAVE_JANSSON)
static void BenchJansson(const tdText* text, int repeat)
{
    double bestParse = 1e9, bestWrite = 1e9;
    size_t written = 0;
    for (int i = 0; i < repeat; ++i)
    {
        double start = GetSeconds();
        json_t* root = json_loadb(text->data, text->length, JSON_REJECT_DUPLICATES, NULL);
        double middle = GetSeconds();
        char* out = json_dumps(root, JSON_INDENT(4));
        double end = GetSeconds();
        bestParse = middle - start < bestParse ? middle - start : bestParse;
        bestWrite = end - middle < bestWrite ? end - middle : bestWrite;
        written = out != NULL ? strlen(out) : 0;
        free(out);
        json_decref(root);
    }
    PrintSpeed("jansson parse", text->length, bestParse, 0.0);
    PrintSpeed("jansson write", written, bestWrite, 0.0);
}
#endif

int main(int argc, char** argv)
{
    int repeat = argc > 1 ? atoi(argv[1]) : 5;
    repeat = repeat < 1 ? 1 : repeat;
    tdText text;
    tdText_Init(&text, NULL);
    MakeDocument(&text);
    tdText compact;
    tdText_Init(&compact, NULL);
    MakeCompact(&compact, &text);
    bool whole = !text.failed && !compact.failed && BenchParse("parse", &text, repeat) &&
                 BenchParse("parse compact", &compact, repeat) && BenchNumbers(&text, repeat) &&
                 BenchParseAndConvert("parse and convert", &text, repeat) &&
                 BenchParseAndConvert("parse and convert compact", &compact, repeat) &&
                 BenchWrite(&text, repeat);
    tdText_Free(&compact);
#if defined(TD_HAVE_JANSSON)
    BenchJansson(&text, repeat < 2 ? repeat : 2);
#endif
    tdText_Free(&text);
    return whole ? 0 : 1;
}
