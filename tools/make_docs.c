// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes one generated file of the tree to standard output: cli.md, tendon.1, completion.bash (from
// cli/options.def) or diagnostics.md (from src/base/diagnostics.def). tools/generate calls it.
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

// The message's conversions become dots, and what Markdown would read as a table's border is escaped.
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

int main(int argumentCount, char** arguments)
{
    static const struct
    {
        const char* name;
        void (*print)(FILE* out);
    } pages[] = {
        {"cli.md", PrintMarkdown},
        {"tendon.1", PrintManual},
        {"completion.bash", PrintCompletion},
        {"diagnostics.md", PrintDiagnostics},
    };
    for (size_t i = 0; argumentCount == 2 && i < sizeof pages / sizeof pages[0]; ++i)
    {
        if (strcmp(arguments[1], pages[i].name) == 0)
        {
            pages[i].print(stdout);
            return ferror(stdout) ? 3 : 0;
        }
    }
    fprintf(stderr, "usage: tendon_docs cli.md|tendon.1|completion.bash|diagnostics.md\n");
    return 2;
}
