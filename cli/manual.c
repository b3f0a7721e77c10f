// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The option table as a manual page (man) and as docs/cli.md.
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char* const exitCodes[][2] = {
    {"0", "fine"},
    {"1",
     "an error was reported, even when the output was written: a bad object is left out, the rest goes on"},
    {"2", "wrong usage"},
    {"3", "cannot read or write, or out of memory"},
    {"4", "a bug in Tendon"},
    {"130", "interrupted with Ctrl-C; no half file is left"},
};
#define EXIT_CODE_COUNT ((int)(sizeof exitCodes / sizeof exitCodes[0]))

static const char* const variables[][2] = {
    {"NO_COLOR", "if set, text has no colours unless --color always is given"},
    {"TENDON_PROGRESS_AFTER", "seconds until a progress bar is shown on a terminal; 1 if it is not set"},
    {"TENDON_VIEWER", "the page that view puts files into"},
};
#define VARIABLE_COUNT ((int)(sizeof variables / sizeof variables[0]))

static bool IsListed(OptionId option, Verb verb)
{
    unsigned mask = GetOptionInfo(option).verbs;
    return verb == VERB_NONE ? mask == ~0u : mask != ~0u && (mask >> verb & 1u) != 0;
}

static bool HasListed(Verb verb)
{
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        if (IsListed((OptionId)i, verb))
        {
            return true;
        }
    }
    return false;
}

static void PrintDefault(FILE* out, const OptionInfo* info)
{
    if (info->fallback != NULL)
    {
        fprintf(out, " Default: %s.", info->fallback);
    }
    else if (!isnan(info->fallbackNumber))
    {
        fprintf(out, " Default: %g.", info->fallbackNumber);
    }
}

// Prints a summary as a sentence.
static void PrintSentence(FILE* out, const char* text)
{
    fprintf(out, "%c%s.", toupper((unsigned char)text[0]), text + 1);
}

// --- man --------------------------------------------------------------------------------------------------

// Escapes text for roff: a dot or quote at the start of a line, backslashes, and dashes that users type.
static void PrintRoff(FILE* out, const char* text)
{
    bool isLineStart = true;
    for (; *text != '\0'; ++text)
    {
        if (isLineStart && (*text == '.' || *text == '\''))
        {
            fputs("\\&", out);
        }
        fputs(*text == '-' ? "\\-" : *text == '\\' ? "\\e" : (char[2]){*text, 0}, out);
        isLineStart = *text == '\n';
    }
}

static void PrintRoffOptions(FILE* out, Verb verb)
{
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        if (!IsListed((OptionId)i, verb))
        {
            continue;
        }
        fprintf(out, ".TP\n");
        if (info.letter != 0)
        {
            fprintf(out, "\\fB\\-%c\\fR, ", info.letter);
        }
        fprintf(out, "\\fB\\-\\-");
        PrintRoff(out, info.name);
        fprintf(out, "\\fR");
        if (info.value != NULL)
        {
            fprintf(out, " \\fI%s\\fR", info.value);
        }
        fprintf(out, "\n");
        char text[1024];
        snprintf(text, sizeof text, "%c%s.%s%s", toupper((unsigned char)info.summary[0]), info.summary + 1,
                 info.detail[0] != '\0' ? "\n" : "", info.detail);
        PrintRoff(out, text);
        PrintDefault(out, &info);
        fprintf(out, "\n");
    }
}

static void PrintRoffExamples(FILE* out, const char* examples)
{
    fprintf(out, ".PP\n.nf\n.RS\n");
    PrintRoff(out, examples);
    fprintf(out, "\n.RE\n.fi\n");
}

void PrintManual(FILE* out)
{
    tdVersion version = {TD_VERSION_MAJOR, TD_VERSION_MINOR, TD_VERSION_PATCH};
    fprintf(out, ".\\\" Made by tools/make_docs.c from cli/options.def. Do not edit.\n");
    fprintf(out, ".TH TENDON 1 \"\" \"tendon %d.%d.%d\"\n", version.major, version.minor, version.patch);
    fprintf(out, ".SH NAME\ntendon \\- make glTF files move: physics, VRM constraints, retargeting\n");
    fprintf(out, ".SH SYNOPSIS\n");
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        const VerbInfo* info = GetVerbInfo((Verb)i);
        fprintf(out, "%s\\fBtendon %s\\fR \\fI%s\\fR [options]\n", i > 0 ? ".br\n" : "", info->name,
                info->arguments);
    }
    fprintf(
        out,
        ".SH DESCRIPTION\nTendon reads glTF, GLB, VRM, VRMA and BVH files, plays them and writes the result. "
        "Parts of a file that it does not understand stay unchanged. The same file and the same "
        "options give the same bytes on every machine and with any number of threads.\n.PP\n"
        "A file named \\fB\\-\\fR is standard input or standard output.\n");
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        const VerbInfo* info = GetVerbInfo((Verb)i);
        fprintf(out, ".SH TENDON ");
        for (const char* c = info->name; *c != '\0'; ++c)
        {
            fputc(toupper((unsigned char)*c), out);
        }
        fprintf(out, "\n");
        PrintRoff(out, info->description);
        fprintf(out, "\n");
        PrintRoffExamples(out, info->examples);
        PrintRoffOptions(out, (Verb)i);
    }
    fprintf(out, ".SH OPTIONS OF EVERY VERB\n");
    PrintRoffOptions(out, VERB_NONE);
    fprintf(out, ".SH EXIT STATUS\n");
    for (int i = 0; i < EXIT_CODE_COUNT; ++i)
    {
        fprintf(out, ".TP\n\\fB%s\\fR\n%s\n", exitCodes[i][0], exitCodes[i][1]);
    }
    fprintf(out, ".SH ENVIRONMENT\n");
    for (int i = 0; i < VARIABLE_COUNT; ++i)
    {
        fprintf(out, ".TP\n\\fB%s\\fR\n", variables[i][0]);
        PrintRoff(out, variables[i][1]);
        fprintf(out, "\n");
    }
}

// --- Markdown ---------------------------------------------------------------------------------------------

static void PrintMarkdownOptions(FILE* out, Verb verb)
{
    if (!HasListed(verb))
    {
        return;
    }
    fprintf(out, "\n| option | what it does |\n|---|---|\n");
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        if (!IsListed((OptionId)i, verb))
        {
            continue;
        }
        fprintf(out, "| ");
        if (info.letter != 0)
        {
            fprintf(out, "`-%c`, ", info.letter);
        }
        fprintf(out, "`--%s", info.name);
        for (const char* c = info.value != NULL ? info.value : ""; *c != '\0'; ++c)
        {
            fprintf(out, "%s%s", c == info.value ? " " : "", *c == '|' ? "\\|" : (char[2]){*c, 0});
        }
        fprintf(out, "` | ");
        PrintSentence(out, info.summary);
        fprintf(out, "%s%s", info.detail[0] != '\0' ? " " : "", info.detail);
        PrintDefault(out, &info);
        fprintf(out, " |\n");
    }
}

void PrintMarkdown(FILE* out)
{
    fprintf(out,
            "<!-- Made by tools/make_docs.c from cli/options.def. Do not edit. -->\n\n# The command line\n\n"
            "`tendon VERB FILE... [options]`. A file named `-` is standard input or output. Standard output "
            "carries "
            "the result and nothing else, standard error the rest.\n\n| verb | what it does |\n|---|---|\n");
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        const VerbInfo* info = GetVerbInfo((Verb)i);
        fprintf(out, "| [`%s`](#tendon-%s) | ", info->name, info->name);
        PrintSentence(out, info->summary);
        fprintf(out, " |\n");
    }
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        const VerbInfo* info = GetVerbInfo((Verb)i);
        fprintf(out, "\n## tendon %s\n\n`tendon %s %s [options]`\n\n%s\n\n```sh\n%s\n```\n", info->name,
                info->name, info->arguments, info->description, info->examples);
        PrintMarkdownOptions(out, (Verb)i);
    }
    fprintf(out, "\n## Options of every verb\n");
    PrintMarkdownOptions(out, VERB_NONE);
    fprintf(out, "\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (int i = 0; i < EXIT_CODE_COUNT; ++i)
    {
        fprintf(out, "| %s | %s |\n", exitCodes[i][0], exitCodes[i][1]);
    }
    fprintf(out, "\n## Environment\n\n| variable | meaning |\n|---|---|\n");
    for (int i = 0; i < VARIABLE_COUNT; ++i)
    {
        fprintf(out, "| `%s` | %s |\n", variables[i][0], variables[i][1]);
    }
}
