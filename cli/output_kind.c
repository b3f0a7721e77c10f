// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The table of output extensions.
#include "output_kind.h"

#include "terminal.h"

#include <ctype.h>
#include <string.h>

// Extensions by verb, separated by spaces; NULL: the verb has no -o.
static const char* const outputEndings[VERB_COUNT] = {
    [VERB_TRACE] = "jsonl ndjson csv",
    [VERB_BAKE] = "glb gltf vrm",
    [VERB_RETARGET] = "glb gltf vrm vrma",
    [VERB_CONVERT] = "glb gltf vrm",
    [VERB_VIEW] = "html htm",
    [VERB_RENDER] = "png gif webm mp4",
    [VERB_PLOT] = "svg",
};

// Longest extension. Longer endings, such as those that mktemp invents, are parts of a name.
#define LONGEST_ENDING 8

// Copies the extension of a path in lower case; "" if it has none.
static void CopyEnding(const char* path, char ending[LONGEST_ENDING + 1])
{
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? strlen(dot + 1) : 0;
    ending[0] = '\0';
    for (size_t i = 0; i < length && length <= LONGEST_ENDING; ++i)
    {
        ending[i] = (char)tolower((unsigned char)dot[1 + i]);
        ending[i + 1] = '\0';
    }
}

static bool HasEnding(const char* endings, const char* ending)
{
    size_t length = strlen(ending);
    for (const char* word = endings; word != NULL; word = strchr(word, ' '))
    {
        word += *word == ' ' ? 1 : 0;
        if (strncmp(word, ending, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
        {
            return true;
        }
    }
    return false;
}

// "glb, .gltf or .vrm" of "glb gltf vrm"
static void PrintEndings(FILE* out, const char* endings)
{
    for (const char* c = endings; *c != '\0'; ++c)
    {
        bool isLast = *c == ' ' && strchr(c + 1, ' ') == NULL;
        fprintf(out, "%s", c == endings ? "." : "");
        fprintf(out, "%s", *c != ' ' ? (char[2]){*c, '\0'} : isLast ? " or ." : ", .");
    }
}

bool ChooseOutputKind(Options* options, FILE* errors)
{
    const char* path = options->values[OPTION_OUTPUT].text;
    const char* endings = outputEndings[options->verb];
    const char* verb = GetVerbInfo(options->verb)->name;
    char ending[LONGEST_ENDING + 1];
    if (path == NULL || endings == NULL)
    {
        return true;
    }
    CopyEnding(path, ending);
    if (ending[0] == '\0')
    {
        return true;
    }
    if (!HasEnding(endings, ending))
    {
        PrintClean(errors, "tendon %s: cannot write \".%s\"; the name of the output ends in ", verb, ending);
        PrintEndings(errors, endings);
        fprintf(errors, ", or has no extension.\nTry: tendon %s --help\n", verb);
        return false;
    }
    OptionValue* format = &options->values[OPTION_TRACE_FORMAT];
    const char* implied = strcmp(ending, "csv") == 0 ? "csv" : "jsonl";
    if (options->verb == VERB_TRACE && format->isGiven && strcmp(format->text, implied) != 0)
    {
        PrintClean(
            errors,
            "tendon trace: --format %s contradicts the extension of \"%s\".\nTry: tendon trace --help\n",
            format->text, path);
        return false;
    }
    if (options->verb == VERB_TRACE)
    {
        format->text = implied;
    }
    return true;
}
