// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the edit layer: exact bytes of single edits, and random edits against a simple model of the
// document.
#include "harness.h"

#include "json/edit.h"
#include "json/parse.h"

#include <stdlib.h>

static tdText output;

typedef struct Change
{
    char kind;           // r replace, d remove, a add, i insert before, s set
    const char* pointer; // of the value, container or sibling
    const char* key;
    const char* text;
} Change;

static const char* Apply(const char* text, const Change* changes, int count)
{
    tdJson* json = tdParseJson(text, strlen(text), NULL, NULL);
    tdJsonEdit* edit = tdCreateJsonEdit(json, NULL);
    for (int i = 0; i < count; ++i)
    {
        const Change* change = &changes[i];
        int value = tdJson_Resolve(json, change->pointer);
        size_t length = change->text != NULL ? strlen(change->text) : 0;
        switch (change->kind)
        {
        case 'r':
            tdJsonEdit_Replace(edit, value, change->text, length);
            break;
        case 'd':
            tdJsonEdit_Remove(edit, value);
            break;
        case 'i':
            tdJsonEdit_InsertBefore(edit, value, change->key, change->text, length);
            break;
        case 's':
            tdJsonEdit_Set(edit, value, change->key, change->text, length);
            break;
        default:
            if (change->key != NULL)
            {
                tdJsonEdit_AddMember(edit, value, change->key, change->text, length);
            }
            else
            {
                tdJsonEdit_AddElement(edit, value, change->text, length);
            }
        }
    }
    ENSURE(tdJsonEdit_IsEmpty(edit) == (count == 0));
    tdText_Clear(&output);
    ENSURE(tdJsonEdit_Write(edit, &output));
    tdDestroyJsonEdit(edit);
    tdDestroyJson(json);
    return output.data;
}

#define APPLY(text, ...)                                                                                     \
    Apply(text, (const Change[]){__VA_ARGS__}, (int)(sizeof((const Change[]){__VA_ARGS__}) / sizeof(Change)))

TEST(NoEditGivesTheSameBytes)
{
    const char* const texts[] = {"1", " [ ] ", "{\"a\" :1 , \"b\":[ 1,2 ]}\n",
                                 "\xef\xbb\xbf{\r\n\t\"x\":1e5}", "\"\\u0041\""};
    for (int i = 0; i < 5; ++i)
    {
        ENSURE_EQUAL_TEXT(Apply(texts[i], NULL, 0), texts[i]);
    }
}

TEST(Replaces)
{
    ENSURE_EQUAL_TEXT(APPLY(" 1 ", {'r', "", NULL, "[2]"}), " [2] ");
    ENSURE_EQUAL_TEXT(APPLY("{\"a\" : 1.0 ,\"b\":2}", {'r', "/a", NULL, "\"x\""}),
                      "{\"a\" : \"x\" ,\"b\":2}");
    ENSURE_EQUAL_TEXT(APPLY("[1,2,3]", {'r', "/2", NULL, "9"}, {'r', "/0", NULL, "7"}), "[7,2,9]");
    // The last edit of a value wins, and edits inside a replaced value are dropped.
    ENSURE_EQUAL_TEXT(APPLY("[[1]]", {'r', "/0/0", NULL, "5"}, {'r', "/0", NULL, "2"}, {'r', "/0", NULL, "3"},
                            {'a', "/0", NULL, "4"}),
                      "[3]");
    ENSURE_EQUAL_TEXT(APPLY("[1,2]", {'d', "/0", NULL, NULL}, {'r', "/0", NULL, "3"}), "[3,2]");
    ENSURE_EQUAL_TEXT(APPLY("[1,2]", {'r', "/0", NULL, "3"}, {'d', "/0", NULL, NULL}), "[2]");
}

TEST(Removes)
{
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'d', "/0", NULL, NULL}), "[2, 3]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'d', "/1", NULL, NULL}), "[1, 3]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'d', "/2", NULL, NULL}), "[1, 2]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'d', "/0", NULL, NULL}, {'d', "/1", NULL, NULL}), "[3]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'d', "/1", NULL, NULL}, {'d', "/2", NULL, NULL}), "[1]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'d', "/0", NULL, NULL}, {'d', "/2", NULL, NULL}), "[2]");
    ENSURE_EQUAL_TEXT(APPLY("[ 1, 2 ]", {'d', "/0", NULL, NULL}, {'d', "/1", NULL, NULL}), "[]");
    ENSURE_EQUAL_TEXT(APPLY("{\n  \"a\": 1,\n  \"b\": 2\n}", {'d', "/a", NULL, NULL}), "{\n  \"b\": 2\n}");
    ENSURE_EQUAL_TEXT(APPLY("{\n  \"a\": 1,\n  \"b\": 2\n}", {'d', "/b", NULL, NULL}), "{\n  \"a\": 1\n}");
    ENSURE_EQUAL_TEXT(APPLY("{\n  \"a\": 1\n}", {'d', "/a", NULL, NULL}), "{}");
}

TEST(AddsInTheStyleOfTheNeighbours)
{
    ENSURE_EQUAL_TEXT(APPLY("[1,2]", {'a', "", NULL, "3"}, {'a', "", NULL, "4"}), "[1,2,3,4]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2]", {'a', "", NULL, "3"}), "[1, 2, 3]");
    ENSURE_EQUAL_TEXT(APPLY("[\n 1,\n 2\n]", {'a', "", NULL, "3"}), "[\n 1,\n 2,\n 3\n]");
    ENSURE_EQUAL_TEXT(APPLY("{\"a\":1}", {'a', "", "b", "2"}), "{\"a\":1,\"b\":2}");
    ENSURE_EQUAL_TEXT(APPLY("{\"a\": 1}", {'a', "", "b", "2"}), "{\"a\": 1, \"b\": 2}");
    ENSURE_EQUAL_TEXT(APPLY("{ \"a\" : 1 }", {'a', "", "b", "2"}), "{ \"a\" : 1, \"b\" : 2 }");
    ENSURE_EQUAL_TEXT(APPLY("{\n\t\"a\": 1\n}", {'a', "", "b\"\n", "2"}),
                      "{\n\t\"a\": 1,\n\t\"b\\\"\\n\": 2\n}");
    ENSURE_EQUAL_TEXT(APPLY("{\r\n  \"a\": 1\r\n}", {'a', "", "b", "2"}),
                      "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}");
}

TEST(AddsToEmptyContainers)
{
    ENSURE_EQUAL_TEXT(APPLY("{}", {'a', "", "a", "1"}, {'a', "", "b", "2"}), "{\"a\":1,\"b\":2}");
    ENSURE_EQUAL_TEXT(APPLY("[ ]", {'a', "", NULL, "1"}, {'a', "", NULL, "2"}), "[1,2]");
    ENSURE_EQUAL_TEXT(APPLY("{\"x\": {}}", {'a', "/x", "a", "1"}, {'a', "/x", "b", "2"}),
                      "{\"x\": {\"a\": 1, \"b\": 2}}");
    ENSURE_EQUAL_TEXT(APPLY("{\n  \"x\": {},\n  \"y\": []\n}", {'a', "/x", "a", "1"}, {'a', "/y", NULL, "1"},
                            {'a', "/y", NULL, "2"}),
                      "{\n  \"x\": {\n    \"a\": 1\n  },\n  \"y\": [\n    1,\n    2\n  ]\n}");
    ENSURE_EQUAL_TEXT(APPLY("{\n\t\"x\": [\n\t\t{}\n\t]\n}", {'a', "/x/0", "a", "1"}),
                      "{\n\t\"x\": [\n\t\t{\n\t\t\t\"a\": 1\n\t\t}\n\t]\n}");
    // A container that becomes empty keeps its style.
    ENSURE_EQUAL_TEXT(APPLY("[ 1, 2 ]", {'d', "/0", NULL, NULL}, {'d', "/1", NULL, NULL},
                            {'a', "", NULL, "8"}, {'a', "", NULL, "9"}),
                      "[ 8, 9 ]");
    ENSURE_EQUAL_TEXT(APPLY("{\n  \"a\": 1\n}", {'d', "/a", NULL, NULL}, {'a', "", "a", "2"}),
                      "{\n  \"a\": 2\n}");
}

TEST(InsertsBefore)
{
    ENSURE_EQUAL_TEXT(APPLY("[1, 2]", {'i', "/0", NULL, "0"}), "[0, 1, 2]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2]", {'i', "/1", NULL, "8"}, {'i', "/1", NULL, "9"}), "[1, 8, 9, 2]");
    ENSURE_EQUAL_TEXT(APPLY("{\n \"a\": 1\n}", {'i', "/a", "z", "0"}), "{\n \"z\": 0,\n \"a\": 1\n}");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'i', "/1", NULL, "9"}, {'d', "/1", NULL, NULL}), "[1, 9, 3]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2, 3]", {'i', "/0", NULL, "9"}, {'d', "/0", NULL, NULL}), "[9, 2, 3]");
    ENSURE_EQUAL_TEXT(
        APPLY("[1, 2]", {'d', "/0", NULL, NULL}, {'i', "/1", NULL, "9"}, {'d', "/1", NULL, NULL}), "[9]");
    ENSURE_EQUAL_TEXT(APPLY("[1, 2]", {'i', "/1", NULL, "9"}, {'r', "/1", NULL, "7"}), "[1, 9, 7]");
    ENSURE_EQUAL_TEXT(APPLY("[[1],2]", {'i', "/0", NULL, "9"}, {'a', "/0", NULL, "5"}), "[9,[1,5],2]");
}

TEST(SetReplacesOrAdds)
{
    ENSURE_EQUAL_TEXT(APPLY("{\"a\":1}", {'s', "", "a", "2"}, {'s', "", "b", "3"}), "{\"a\":2,\"b\":3}");
}

TEST(EditsInDepthLeaveTheRestAlone)
{
    ENSURE_EQUAL_TEXT(APPLY("{ \"a\":[ {\"b\" :[1 ,2]}, {\"c\":{ }} ] ,\"d\": 1.50 }",
                            {'a', "/a/1/c", "e", "5"}, {'d', "/a/0/b/0", NULL, NULL},
                            {'r', "/d", NULL, "2.50"}),
                      "{ \"a\":[ {\"b\" :[2]}, {\"c\":{\"e\":5}} ] ,\"d\": 2.50 }");
    static char deep[2 * TD_JSON_MAX_DEPTH + 1], expected[2 * TD_JSON_MAX_DEPTH + 2];
    memset(deep, '[', TD_JSON_MAX_DEPTH);
    memset(deep + TD_JSON_MAX_DEPTH, ']', TD_JSON_MAX_DEPTH);
    memcpy(expected, deep, TD_JSON_MAX_DEPTH);
    expected[TD_JSON_MAX_DEPTH] = '1';
    memset(expected + TD_JSON_MAX_DEPTH + 1, ']', TD_JSON_MAX_DEPTH);
    static char pointer[2 * TD_JSON_MAX_DEPTH];
    for (int i = 0; i < TD_JSON_MAX_DEPTH - 1; ++i)
    {
        memcpy(pointer + 2 * i, "/0", 2);
    }
    ENSURE_EQUAL_TEXT(APPLY(deep, {'a', pointer, NULL, "1"}), expected);
}

// Random edits against a model: both sides are converted to a canonical compact form and compared.

static uint32_t randomState;

static int NextInt(int limit)
{
    randomState ^= randomState << 13;
    randomState ^= randomState >> 17;
    randomState ^= randomState << 5;
    return (int)(randomState % (uint32_t)limit);
}

static const char* NextSpace(void)
{
    const char* const spaces[] = {"", "", " ", "\n  ", "\t", "  \r\n"};
    return spaces[NextInt(6)];
}

static void MakeRandom(tdText* text, int depth)
{
    int kind = NextInt(depth > 0 ? 5 : 3);
    if (kind < 3)
    {
        const char* const scalars[] = {"1", "-2.50e3", "true", "null", "\"x\\ny\"", "\"\""};
        tdText_AppendString(text, scalars[NextInt(6)]);
        return;
    }
    int count = NextInt(5);
    tdText_AppendFormat(text, "%c%s", kind == 3 ? '[' : '{', NextSpace());
    for (int i = 0; i < count; ++i)
    {
        if (i > 0)
        {
            tdText_AppendFormat(text, ",%s", NextSpace());
        }
        if (kind == 4)
        {
            tdText_AppendFormat(text, "\"%s%d\"%s:%s", NextInt(3) == 0 ? "\\u006b" : "k", i, NextSpace(),
                                NextSpace());
        }
        MakeRandom(text, depth - 1);
        tdText_AppendString(text, NextSpace());
    }
    tdText_AppendChar(text, kind == 3 ? ']' : '}');
}

#define MAX_VALUES 2000

/// The change of each value of the document.
static struct
{
    struct
    {
        const char* fate; // replacement text; "" removes
        int inserted, added;
    } changes[MAX_VALUES];
} model;

/// Canonical form of a value; applies the changes if `edited`.
static void WriteCanonical(tdText* out, const tdJson* json, int value, bool edited)
{
    size_t start, end;
    tdJson_GetRange(json, value, &start, &end);
    size_t size;
    const char* source = tdJson_GetSource(json, &size);
    if (edited && model.changes[value].fate != NULL)
    {
        tdText_AppendString(out, model.changes[value].fate);
        return;
    }
    tdJsonType type = tdJson_GetType(json, value);
    if (type != TD_JSON_ARRAY && type != TD_JSON_OBJECT)
    {
        tdText_Append(out, source + start, end - start);
        return;
    }
    bool isObject = type == TD_JSON_OBJECT;
    tdText_AppendChar(out, isObject ? '{' : '[');
    for (int child = tdJson_GetFirst(json, value); child >= 0; child = tdJson_GetNext(json, child))
    {
        for (int i = 0; edited && i < model.changes[child].inserted; ++i)
        {
            if (isObject)
            {
                tdText_AppendFormat(out, "\"i%d.%d\":", child, i);
            }
            tdText_AppendFormat(out, "%d;", i);
        }
        if (edited && model.changes[child].fate != NULL && model.changes[child].fate[0] == 0)
        {
            continue;
        }
        if (isObject)
        {
            size_t length;
            const char* key = tdJson_GetKey(json, child, &length);
            tdText_AppendFormat(out, "\"%.*s\":", (int)length, key);
        }
        WriteCanonical(out, json, child, edited);
        tdText_AppendChar(out, ';');
    }
    for (int i = 0; edited && i < model.changes[value].added; ++i)
    {
        if (isObject)
        {
            tdText_AppendFormat(out, "\"a%d\":", i);
        }
        tdText_AppendFormat(out, "%d;", i);
    }
    tdText_AppendChar(out, isObject ? '}' : ']');
}

static void ChangeAtRandom(tdJsonEdit* edit, const tdJson* json)
{
    int value = NextInt(tdJson_GetValueCount(json));
    size_t keyStart, keyEnd;
    tdJson_GetKeyRange(json, value, &keyStart, &keyEnd);
    bool isObject = tdJson_IsObject(json, value);
    char key[32], text[16];
    switch (NextInt(4))
    {
    case 0:
        model.changes[value].fate = "77";
        tdJsonEdit_Replace(edit, value, "77", 2);
        break;
    case 1:
        if (value != 0)
        {
            model.changes[value].fate = "";
            tdJsonEdit_Remove(edit, value);
        }
        break;
    case 2:
        if (value != 0)
        {
            int number = model.changes[value].inserted++;
            snprintf(key, sizeof(key), "i%d.%d", value, number);
            int length = snprintf(text, sizeof(text), "%d", number);
            tdJsonEdit_InsertBefore(edit, value, keyEnd > keyStart ? key : NULL, text, (size_t)length);
        }
        break;
    default:
        if (isObject || tdJson_IsArray(json, value))
        {
            int number = model.changes[value].added++;
            snprintf(key, sizeof(key), "a%d", number);
            int length = snprintf(text, sizeof(text), "%d", number);
            if (isObject)
            {
                tdJsonEdit_AddMember(edit, value, key, text, (size_t)length);
            }
            else
            {
                tdJsonEdit_AddElement(edit, value, text, (size_t)length);
            }
        }
    }
}

TEST(RandomEditsFollowTheModel)
{
    randomState = 31u;
    tdText source, expected, actual;
    tdText_Init(&source, NULL);
    tdText_Init(&expected, NULL);
    tdText_Init(&actual, NULL);
    int wrong = 0;
    for (int round = 0; round < 5000; ++round)
    {
        tdText_Clear(&source);
        tdText_Clear(&expected);
        tdText_Clear(&actual);
        tdText_Clear(&output);
        MakeRandom(&source, 4);
        tdJson* json = tdParseJson(source.data, source.length, NULL, NULL);
        if (!ENSURE(json != NULL && tdJson_GetValueCount(json) <= MAX_VALUES))
        {
            break;
        }
        memset(&model, 0, sizeof(model));
        tdJsonEdit* edit = tdCreateJsonEdit(json, NULL);
        int count = NextInt(8);
        for (int i = 0; i < count; ++i)
        {
            ChangeAtRandom(edit, json);
        }
        WriteCanonical(&expected, json, 0, true);
        ENSURE(tdJsonEdit_Write(edit, &output));
        tdJsonError error;
        tdJson* edited = tdParseJson(output.data, output.length, NULL, &error);
        if (edited != NULL)
        {
            WriteCanonical(&actual, edited, 0, false);
        }
        if (!ENSURE(edited != NULL) || !ENSURE_EQUAL_TEXT(actual.data, expected.data))
        {
            printf("  source %s\n  output %s\n", source.data, output.data);
            wrong += 1;
        }
        tdDestroyJson(edited);
        tdDestroyJsonEdit(edit);
        tdDestroyJson(json);
        if (wrong > 3)
        {
            break;
        }
    }
    tdText_Free(&source);
    tdText_Free(&expected);
    tdText_Free(&actual);
}

TEST(ManyEditsStayFast)
{
    // 100,000 edits in one document, from the back: no quadratic search.
    int count = 50000;
    tdText source;
    tdText_Init(&source, NULL);
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendFormat(&source, "%c[%d]", i == 0 ? '[' : ',', i);
    }
    tdText_AppendChar(&source, ']');
    tdJson* json = tdParseJson(source.data, source.length, NULL, NULL);
    tdJsonEdit* edit = tdCreateJsonEdit(json, NULL);
    for (int i = count - 1; i >= 0; --i)
    {
        int element = 1 + 2 * i;
        if (i % 2 == 0)
        {
            tdJsonEdit_Remove(edit, element);
        }
        else
        {
            tdJsonEdit_Replace(edit, element + 1, "0", 1);
            tdJsonEdit_AddElement(edit, element, "7", 1);
        }
    }
    tdText_Clear(&output);
    ENSURE(tdJsonEdit_Write(edit, &output));
    tdText_Clear(&source);
    for (int i = 1; i < count; i += 2)
    {
        tdText_AppendFormat(&source, "%c[0,7]", i == 1 ? '[' : ',');
    }
    tdText_AppendChar(&source, ']');
    ENSURE(source.length == output.length && memcmp(source.data, output.data, output.length) == 0);
    tdDestroyJsonEdit(edit);
    tdDestroyJson(json);
    tdText_Free(&source);
}

TEST(MemoryRunsOut)
{
    const char* text = "{\"a\":[1,2,{\"b\":{}}],\"c\":null}";
    tdJson* json = tdParseJson(text, strlen(text), NULL, NULL);
    for (int64_t failAt = 0;; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdText out;
        tdText_Init(&out, &allocator);
        bool written = false;
        tdJsonEdit* edit = tdCreateJsonEdit(json, &allocator);
        if (edit != NULL)
        {
            for (int i = 0; i < 30; ++i)
            {
                tdJsonEdit_AddElement(edit, tdJson_Find(json, 0, "a"), "\"an element\"", 12);
            }
            tdJsonEdit_Remove(edit, tdJson_Find(json, 0, "c"));
            written = tdJsonEdit_Write(edit, &out);
        }
        ENSURE(written == (state.count <= failAt));
        if (written)
        {
            tdJson* edited = tdParseJson(out.data, out.length, NULL, NULL);
            ENSURE_EQUAL_INT(tdJson_GetCount(edited, tdJson_Find(edited, 0, "a")), 33);
            tdDestroyJson(edited);
        }
        tdDestroyJsonEdit(edit);
        tdText_Free(&out);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        ENSURE_EQUAL_INT(state.liveBytes, 0);
        if (written || !ENSURE(failAt < 100))
        {
            ENSURE(failAt > 4);
            break;
        }
    }
    tdDestroyJson(json);
    tdDestroyJsonEdit(NULL);
}

TEST_MAIN(tdText_Init(&output, NULL); RUN(NoEditGivesTheSameBytes) RUN(Replaces) RUN(Removes)
              RUN(AddsInTheStyleOfTheNeighbours) RUN(AddsToEmptyContainers) RUN(InsertsBefore)
                  RUN(SetReplacesOrAdds) RUN(EditsInDepthLeaveTheRestAlone) RUN(RandomEditsFollowTheModel)
                      RUN(ManyEditsStayFast) RUN(MemoryRunsOut) tdText_Free(&output);)
