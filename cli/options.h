// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The command line: the table of verbs and options, its parser and the generated texts.
#pragma once

#include "tendon/tendon.h"

#include <stdio.h>

typedef enum Verb
{
#define TD_VERB(id, name, arguments, least, most, summary, examples, description) VERB_##id,
#include "options.def"
#undef TD_VERB
    VERB_COUNT,
    VERB_NONE = VERB_COUNT
} Verb;

typedef enum OptionId
{
#define TD_OPTION(id, group, name, letter, kind, value, fallback, least, most, verbs, summary, detail)       \
    OPTION_##id,
#include "options.def"
#undef TD_OPTION
    OPTION_COUNT
} OptionId;

typedef enum OptionKind
{
    KIND_FLAG,
    KIND_TEXT,
    KIND_NUMBER,
    KIND_COUNT,  // a whole number
    KIND_LIST,   // ascending numbers, separated by commas
    KIND_VECTOR, // three numbers
    KIND_PART,   // I/N: two whole numbers, the first from 1 to the second
    KIND_CHOICE, // one of the words of `value`
} OptionKind;

/// Groups of options, in the order of the help texts.
typedef enum OptionGroup
{
    GROUP_RESULT,
    GROUP_RUN,
    GROUP_HUMANOID,
    GROUP_BATCH,
    GROUP_INPUT,
    GROUP_PROGRAM,
    GROUP_COUNT
} OptionGroup;

typedef struct VerbInfo
{
    const char* name;
    const char* arguments;
    int leastFiles, mostFiles; // most -1: any number
    const char* summary;
    const char* examples; // one per line
    const char* description;
} VerbInfo;

typedef struct OptionInfo
{
    OptionGroup group;
    bool isMain; // -h explains it
    const char* name;
    char letter; // 0: none
    OptionKind kind;
    const char* value;     // name of its value, or the words of a choice; NULL for a flag
    const char* fallback;  // text of the default; NULL: none, or a number
    double fallbackNumber; // NAN: none
    double least, most;    // of every number in the value
    unsigned verbs;        // bits by Verb
    const char* summary;
    const char* detail; // "" when the summary says it all
} OptionInfo;

const VerbInfo* GetVerbInfo(Verb verb);
OptionInfo GetOptionInfo(OptionId option);

/// A value from the command line, with its numbers parsed.
typedef struct OptionValue
{
    bool isGiven;
    const char* text; // as given, else the default, else NULL
    double number;    // of a NUMBER; NAN when there is no default
    double* numbers;  // of a LIST or VECTOR
    int numberCount;
} OptionValue;

typedef struct Options
{
    Verb verb;
    OptionValue values[OPTION_COUNT];
    const char** files;
    const char** outputNames; // of each file below --out-dir: its name, or its path inside a given folder
    int fileCount;
    struct InputList* inputs;    // memory of `files` and `outputNames` after ExpandInputs; NULL before
    const char** allowedFolders; // every --allow-outside
    int allowedFolderCount;
    bool wantsLongHelp; // --help rather than -h
} Options;

/// Parses the command line. Prints errors to `errors`, with suggestions for unknown names.
/// @return false for wrong usage (exit code 2), or if memory ran out (HasMemoryFailed, exit code 3)
bool ParseOptions(Options* options, int argumentCount, char** arguments, FILE* errors);
/// Checks the number of files and combinations of options, after ExpandInputs.
/// @return false for wrong usage, after an error message
bool CheckOptions(Options* options, FILE* errors);
void FreeOptions(Options* options);

bool IsGiven(const Options* options, OptionId option);
/// True if the text of a choice is this word.
bool IsWord(const Options* options, OptionId option, const char* word);

/// Help of the program (VERB_NONE) or of a verb; short fits a screen.
void PrintHelp(FILE* out, Verb verb, bool isLong);
/// Print the table as a manual page and as Markdown.
void PrintManual(FILE* out);
void PrintMarkdown(FILE* out);
