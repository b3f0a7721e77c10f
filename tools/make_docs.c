// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes one generated file of the tree to standard output: cli.md, tendon.1, completion.bash,
// completion.zsh, completion.fish (from cli/options.def), diagnostics.md (from src/base/diagnostics.def) or
// records.js (from web/wasm/records.def).
// tools/generate calls it.
#include "cli/completion.h"
#include "cli/options.h"

#include <string.h>

typedef struct Row
{
    const char* code;
    const char* severity;
    const char* message;
    const char* help;
} Row;

static const Row rows[] = {
#define TD_DIAGNOSTIC(code, severity, message, help) {#code, #severity, message, help},
#include "base/diagnostics.def"
#undef TD_DIAGNOSTIC
};

// Replaces conversion specifiers by an ellipsis and escapes the column separator of Markdown tables.
static void PrintCell(FILE* out, const char* text, bool isFormat)
{
    for (; *text != '\0'; ++text)
    {
        if (*text == '|')
        {
            fputs("\\|", out);
        }
        else if (isFormat && text[0] == '%' && text[1] == '%')
        {
            fputc('%', out);
            text += 1;
        }
        else if (isFormat && *text == '%')
        {
            text += 1 + strspn(text + 1, ".*0123456789lz");
            fputs("…", out);
        }
        else
        {
            fputc(*text, out);
        }
    }
}

static void PrintDiagnostics(FILE* out)
{
    fprintf(out, "<!-- Made by tools/make_docs.c from src/base/diagnostics.def. Do not edit. -->\n\n"
                 "# Diagnostics\n\nEvery finding carries a stable code, a severity, its place (a JSON "
                 "pointer or a byte "
                 "offset, with line and column) and a sentence. Errors break a rule: the object concerned is "
                 "left out and "
                 "the rest goes on. Warnings: the result differs from what the file asks. Infos are worth "
                 "knowing, hints "
                 "could be better. Problems of core glTF carry the code that the Khronos validator gives "
                 "them where it has "
                 "one.\n\n| code | severity | message | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    {
        fprintf(out, "| `%s` | ", rows[i].code);
        for (const char* c = rows[i].severity; *c != '\0'; ++c)
        {
            fputc(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c, out);
        }
        fprintf(out, " | ");
        PrintCell(out, rows[i].message, true);
        fprintf(out, " | ");
        PrintCell(out, rows[i].help, false);
        fprintf(out, " |\n");
    }
}

// Records between C and JavaScript (web/wasm/records.def)

typedef enum FieldKind
{
    FIELD_NUMBER,
    FIELD_FLAG,
    FIELD_TEXT,
    FIELD_NUMBERS,
    FIELD_CHOICE,
} FieldKind;

typedef struct Field
{
    const char* record; // set on the first row of a record, whose `name` lists the calls that use it
    const char* name;
    FieldKind kind;
    int count;         // of FIELD_NUMBERS
    const char* names; // of FIELD_CHOICE, separated by spaces
    bool isArgument;   // first row only: JavaScript writes the record
} Field;

static const Field fields[] = {
#define RECORD(name, calls) {#name, calls, FIELD_NUMBER, 0, NULL, false},
#define ARGUMENTS(name, calls) {#name, calls, FIELD_NUMBER, 0, NULL, true},
#define END(name)
#define NUMBER(field) {NULL, #field, FIELD_NUMBER, 1, NULL, false},
#define FLAG(field) {NULL, #field, FIELD_FLAG, 1, NULL, false},
#define TEXT(field) {NULL, #field, FIELD_TEXT, 1, NULL, false},
#define ADDRESS(field) {NULL, #field, FIELD_NUMBER, 1, NULL, false},
#define NUMBERS(field, count) {NULL, #field, FIELD_NUMBERS, count, NULL, false},
#define CHOICE(field, names) {NULL, #field, FIELD_CHOICE, 1, names, false},
#include "web/wasm/records.def"
#undef RECORD
#undef ARGUMENTS
#undef END
#undef NUMBER
#undef FLAG
#undef TEXT
#undef ADDRESS
#undef NUMBERS
#undef CHOICE
};
enum
{
    FIELD_COUNT = sizeof fields / sizeof fields[0]
};

static void PrintChoices(FILE* out, const char* names)
{
    fputs("[\"", out);
    for (; *names != '\0'; ++names)
    {
        fputs(*names == ' ' ? "\", \"" : (char[2]){*names, '\0'}, out);
    }
    fputs("\"]", out);
}

static void PrintReadField(FILE* out, const Field* field, int offset)
{
    fprintf(out, "    %s: ", field->name);
    switch (field->kind)
    {
    case FIELD_NUMBER:
        fprintf(out, "r[%d],\n", offset);
        break;
    case FIELD_FLAG:
        fprintf(out, "r[%d] !== 0,\n", offset);
        break;
    case FIELD_TEXT:
        fprintf(out, "instance.readText(r[%d]),\n", offset);
        break;
    case FIELD_NUMBERS:
        fprintf(out, "Array.from(r.subarray(%d, %d)),\n", offset, offset + field->count);
        break;
    case FIELD_CHOICE:
        PrintChoices(out, field->names);
        fprintf(out, "[r[%d]],\n", offset);
        break;
    }
}

static void PrintWriteField(FILE* out, const Field* field, int offset)
{
    if (field->kind == FIELD_NUMBERS)
    {
        fprintf(out, "  r.set(values.%s, %d);\n", field->name, offset);
    }
    else
    {
        fprintf(out, "  r[%d] = values.%s;\n", offset, field->name);
    }
}

static void PrintRecords(FILE* out)
{
    fputs(
        "// SPDX-FileCopyrightText: Tendon contributors\n// SPDX-License-Identifier: MIT\n//\n"
        "// Made by tools/make_docs.c from web/wasm/records.def. Do not edit.\n"
        "// Reads and writes the records that the WebAssembly exports exchange with this module. A record is "
        "valid until the\n// next call into the instance.\n",
        out);
    for (int i = 0; i < FIELD_COUNT;)
    {
        const Field* record = &fields[i];
        fprintf(out, "\n/** %s %s. */\nexport function %s%s(instance%s) {\n  const r = instance.record;\n%s",
                record->isArgument ? "Arguments of" : "Result of", record->name,
                record->isArgument ? "write" : "read", record->record, record->isArgument ? ", values" : "",
                record->isArgument ? "" : "  return {\n");
        int offset = 0;
        for (i += 1; i < FIELD_COUNT && fields[i].record == NULL; ++i)
        {
            (record->isArgument ? PrintWriteField : PrintReadField)(out, &fields[i], offset);
            offset += fields[i].count;
        }
        fputs(record->isArgument ? "}\n" : "  };\n}\n", out);
    }
}

int main(int argumentCount, char** arguments)
{
    static const struct
    {
        const char* name;
        void (*print)(FILE* out);
    } pages[] = {
        {"cli.md", PrintMarkdown},
        {"tendon.1", PrintManual},
        {"completion.bash", PrintBashCompletion},
        {"completion.zsh", PrintZshCompletion},
        {"completion.fish", PrintFishCompletion},
        {"diagnostics.md", PrintDiagnostics},
        {"records.js", PrintRecords},
    };
    for (size_t i = 0; argumentCount == 2 && i < sizeof pages / sizeof pages[0]; ++i)
    {
        if (strcmp(arguments[1], pages[i].name) == 0)
        {
            pages[i].print(stdout);
            return ferror(stdout) ? 3 : 0;
        }
    }
    fprintf(stderr, "usage: tendon_docs cli.md|tendon.1|completion.bash|completion.zsh|completion.fish|"
                    "diagnostics.md|records.js\n");
    return 2;
}
