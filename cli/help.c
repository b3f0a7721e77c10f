// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Help texts from the option table: -h fits a screen and starts with an example, --help is complete.
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

// Names of option groups: short, and as a heading.
static const char* const groupNames[GROUP_COUNT][2] = {
    [GROUP_RESULT] = {"result", "what is written"},  [GROUP_RUN] = {"run", "the run"},
    [GROUP_HUMANOID] = {"humanoid", "humanoids"},    [GROUP_BATCH] = {"batch", "many files, many machines"},
    [GROUP_INPUT] = {"input", "how files are read"}, [GROUP_PROGRAM] = {"program", "the program"},
};

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

typedef enum Choice
{
    CHOOSE_MAIN,
    CHOOSE_MORE,
    CHOOSE_ALL,
} Choice;

// Options of a verb (VERB_NONE: of every verb) in one group; returns how many.
static int ListOptions(Verb verb, OptionGroup group, Choice choice, OptionId options[OPTION_COUNT])
{
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        bool belongs = verb == VERB_NONE ? info.verbs == ~0u : (info.verbs >> verb & 1u) != 0;
        bool isChosen = choice == CHOOSE_ALL || info.isMain == (choice == CHOOSE_MAIN);
        if (belongs && isChosen && info.group == group)
        {
            options[count++] = (OptionId)i;
        }
    }
    return count;
}

static int MeasureOptions(Verb verb, Choice choice)
{
    int width = 0;
    for (int group = 0; group < GROUP_COUNT; ++group)
    {
        OptionId options[OPTION_COUNT];
        int count = ListOptions(verb, (OptionGroup)group, choice, options);
        for (int i = 0; i < count; ++i)
        {
            char signature[64];
            OptionInfo info = GetOptionInfo(options[i]);
            int length = FormatSignature(&info, signature);
            width = length > width ? length : width;
        }
    }
    return width;
}

// Options that -h explains, without headings.
static void PrintMainOptions(FILE* out, Verb verb)
{
    int width = MeasureOptions(verb, CHOOSE_MAIN);
    for (int group = 0; group < GROUP_COUNT; ++group)
    {
        OptionId options[OPTION_COUNT];
        int count = ListOptions(verb, (OptionGroup)group, CHOOSE_MAIN, options);
        for (int i = 0; i < count; ++i)
        {
            PrintOption(out, options[i], width, false);
        }
    }
}

// Options that -h only names, one or two lines per group.
static void PrintNamedOptions(FILE* out, Verb verb)
{
    for (int group = 0; group < GROUP_COUNT; ++group)
    {
        OptionId options[OPTION_COUNT];
        char text[512] = "";
        int count = ListOptions(verb, (OptionGroup)group, CHOOSE_MORE, options);
        for (int i = 0; i < count; ++i)
        {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s--%s", i > 0 ? " " : "",
                     GetOptionInfo(options[i]).name);
        }
        if (count > 0)
        {
            fprintf(out, "  %-9s ", groupNames[group][0]);
            PrintWrapped(out, text, 12, 12);
        }
    }
}

// All options by group.
static void PrintAllOptions(FILE* out, Verb verb)
{
    int width = MeasureOptions(verb, CHOOSE_ALL);
    for (int group = 0; group < GROUP_COUNT; ++group)
    {
        OptionId options[OPTION_COUNT];
        int count = ListOptions(verb, (OptionGroup)group, CHOOSE_ALL, options);
        if (count > 0)
        {
            fprintf(out, "\n%s\n", groupNames[group][1]);
        }
        for (int i = 0; i < count; ++i)
        {
            PrintOption(out, options[i], width, true);
        }
    }
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
    if (isLong)
    {
        PrintAllOptions(out, verb);
        return;
    }
    fprintf(out, "\n");
    PrintMainOptions(out, verb);
    fprintf(out, "\nmore, explained by tendon %s --help\n", info->name);
    PrintNamedOptions(out, verb);
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
    if (isLong)
    {
        PrintAllOptions(out, VERB_NONE);
    }
    else
    {
        fprintf(out, "\noptions of every verb, explained by tendon --help\n");
        PrintNamedOptions(out, VERB_NONE);
    }
    if (isLong)
    {
        fprintf(out, "\nA file named - is standard input or output.\n");
        PrintExitCodes(out);
    }
    fprintf(out, "\ntendon VERB -h describes a verb.\n");
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
}
