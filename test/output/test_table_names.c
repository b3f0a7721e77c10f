// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the headings of a trace as a table: names that need quotes are quoted, names that are not unique
// get the node index.
#include "harness.h"

#include "base/text.h"

#include "tendon/tendon.h"

static char text[1 << 14];
static size_t length;

static bool Write(void* context, const char* bytes, size_t size)
{
    (void)context;
    memcpy(text + length, bytes, size);
    length += size;
    text[length] = 0;
    return true;
}

/// Appends the seven columns of one field name, quoted according to RFC 4180.
static void AppendColumns(tdText* out, const char* field)
{
    static const char* const columns[7] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
    bool needsQuotes = strpbrk(field, ",\"\r\n") != NULL;
    for (int i = 0; i < 7; ++i)
    {
        tdText_AppendString(out, needsQuotes ? ",\"" : ",");
        for (const char* c = field; *c != 0; ++c)
        {
            tdText_AppendString(out, *c == '"' ? "\"" : "");
            tdText_AppendChar(out, *c);
        }
        tdText_AppendFormat(out, ".%s%s", columns[i], needsQuotes ? "\"" : "");
    }
}

TEST(HeadingsNameEveryNode)
{
    static const char* const source =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"plain\"},{\"name\":\"a,b\"},{"
        "\"name\":\"say \\\"hi\\\"\"},{\"name\":\"twin\"},{},{\"name\":\"twin\"},{\"name\":"
        "\"it's\"},{\"name\":\"triplet\"},{\"name\":\"triplet\"},{\"name\":\"triplet\"}]}";
    static const char* const fields[10] = {"plain",  "a,b",  "say \"hi\"", "twin#3",    "#4",
                                           "twin#5", "it's", "triplet#7",  "triplet#8", "triplet#9"};
    tdText expected;
    tdText_Init(&expected, NULL);
    tdText_AppendString(&expected, "time");
    for (int i = 0; i < 10; ++i)
    {
        AppendColumns(&expected, fields[i]);
    }
    tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdTraceDef def = tdDefaultTraceDef();
    def.format = TD_TRACE_CSV;
    def.seconds = 0.0;
    ENSURE(tdTraceActor(actor, &def, Write, NULL, NULL));
    char* end = strchr(text, '\n');
    ENSURE(end != NULL);
    if (end != NULL)
    {
        *end = 0;
        ENSURE_EQUAL_TEXT(text, expected.data);
    }
    tdText_Free(&expected);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(HeadingsNameEveryNode))
