// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Help texts made from the option table: -h fits a screen and starts with an example, --help tells
// everything.
#include "options.h"

#include <math.h>
#include <string.h>

#define SCREEN_WIDTH 79

// Prints words, broken at the screen's width; `column` is where the cursor is, later lines start at `indent`.
static void PrintWrapped(FILE* out, const char* text, int column, int indent)
{
    bool isLineStart = true;
    while (*text != '\0')
    {
        size_t length = strcspn(text, " ");
        if (!isLineStart && column + 1 + (int)length > SCREEN_WIDTH)
        {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            isLineStart = true;
        }
        fprintf(out, "%s%.*s", isLineStart ? "" : " ", (int)length, text);
        column += (int)length + (isLineStart ? 0 : 1);
        isLineStart = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static bool BelongsToAll(OptionId option)
{
    return GetOptionInfo(option).verbs == ~0u;
}

// "-o, --output FILE"
static int FormatSignature(const OptionInfo* info, char text[64])
{
    char letter[8] = "    ";
    if (info->letter != 0)
    {
        snprintf(letter, sizeof letter, "-%c, ", info->letter);
    }
    return snprintf(text, 64, "%s--%s%s%s", letter, info->name, info->value != NULL ? " " : "",
                    info->value != NULL ? info->value : "");
}

static void AppendDefault(const OptionInfo* info, char* text, size_t size)
{
    size_t length = strlen(text);
    if (info->fallback != NULL)
    {
        snprintf(text + length, size - length, " (default %s)", info->fallback);
    }
    else if (!isnan(info->fallbackNumber))
    {
        snprintf(text + length, size - length, " (default %g)", info->fallbackNumber);
    }
}

static void PrintOption(FILE* out, OptionId option, int width, bool isLong)
{
    OptionInfo info = GetOptionInfo(option);
    char signature[64], text[512];
    FormatSignature(&info, signature);
    snprintf(text, sizeof text, "%s", info.summary);
    AppendDefault(&info, text, sizeof text);
    fprintf(out, "  %-*s  ", width, signature);
    PrintWrapped(out, text, width + 4, width + 4);
    if (isLong && info.detail[0] != '\0')
    {
        fprintf(out, "%*s", width + 4, "");
        PrintWrapped(out, info.detail, width + 4, width + 4);
    }
}

static void PrintOptions(FILE* out, Verb verb, bool ofAllVerbs, bool isLong)
{
    OptionId options[OPTION_COUNT];
    int count = 0, width = 0;
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        bool belongs = BelongsToAll((OptionId)i) ? ofAllVerbs : !ofAllVerbs && (info.verbs >> verb & 1u) != 0;
        if (belongs)
        {
            char signature[64];
            int length = FormatSignature(&info, signature);
            width = length > width ? length : width;
            options[count++] = (OptionId)i;
        }
    }
    for (int i = 0; i < count; ++i)
    {
        PrintOption(out, options[i], width, isLong);
    }
}

static bool HasOwnOptions(Verb verb)
{
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        if (!BelongsToAll((OptionId)i) && (GetOptionInfo((OptionId)i).verbs >> verb & 1u) != 0)
        {
            return true;
        }
    }
    return false;
}

static void PrintExamples(FILE* out, const char* examples, bool onlyFirst)
{
    while (*examples != '\0')
    {
        size_t length = strcspn(examples, "\n");
        fprintf(out, "  %.*s\n", (int)length, examples);
        examples += length + (examples[length] == '\n' ? 1 : 0);
        if (onlyFirst)
        {
            return;
        }
    }
}

static void PrintVerbHelp(FILE* out, Verb verb, bool isLong)
{
    const VerbInfo* info = GetVerbInfo(verb);
    fprintf(out, "tendon %s: %s\n\n", info->name, info->summary);
    PrintExamples(out, info->examples, !isLong);
    fprintf(out, "\nusage: tendon %s %s [options]\n", info->name, info->arguments);
    if (isLong)
    {
        fprintf(out, "\n");
        PrintWrapped(out, info->description, 0, 0);
    }
    if (HasOwnOptions(verb))
    {
        fprintf(out, "\noptions of %s\n", info->name);
        PrintOptions(out, verb, false, isLong);
    }
    fprintf(out, "\noptions of every verb\n");
    PrintOptions(out, verb, true, isLong);
}

static void PrintExitCodes(FILE* out)
{
    fprintf(out, "\nexit codes\n"
                 "  0  fine\n"
                 "  1  an error was reported, even when the output was written\n"
                 "  2  wrong usage\n"
                 "  3  cannot read or write, or out of memory\n"
                 "  4  a bug in Tendon\n"
                 "  130  interrupted\n");
}

static void PrintProgramHelp(FILE* out, bool isLong)
{
    fprintf(out, "Tendon makes glTF files move.\n\n");
    PrintExamples(out, GetVerbInfo((Verb)0)->examples, true);
    fprintf(out, "\nusage: tendon VERB FILE... [options]\n\nverbs\n");
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        fprintf(out, "  %-9s %s\n", GetVerbInfo((Verb)i)->name, GetVerbInfo((Verb)i)->summary);
    }
    fprintf(out, "\noptions of every verb\n");
    PrintOptions(out, VERB_NONE, true, isLong);
    if (isLong)
    {
        fprintf(out, "\nA file named - is standard input or output.\n");
        PrintExitCodes(out);
    }
    fprintf(out, "\ntendon VERB -h tells about a verb.\n");
}

void PrintHelp(FILE* out, Verb verb, bool isLong)
{
    if (verb == VERB_NONE)
    {
        PrintProgramHelp(out, isLong);
        return;
    }
    PrintVerbHelp(out, verb, isLong);
    if (isLong)
    {
        PrintExitCodes(out);
    }
    else
    {
        fprintf(out, "\ntendon %s --help tells more.\n", GetVerbInfo(verb)->name);
    }
}
