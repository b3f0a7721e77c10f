// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The table of options.def as data, and the parser: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, several
// flags in one word (-jq), and -- before file names that start with a dash.
#include "options.h"

#include "input_files.h"
#include "memory.h"
#include "output_kind.h"
#include "platform.h"
#include "suggest.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const VerbInfo verbs[VERB_COUNT] = {
#define TD_VERB(id, name, arguments, least, most, summary, examples, description)                            \
    [VERB_##id] = {name, arguments, least, most, summary, examples, description},
#include "options.def"
#undef TD_VERB
};

const VerbInfo* GetVerbInfo(Verb verb)
{
    return &verbs[verb];
}

OptionInfo GetOptionInfo(OptionId option)
{
#define VERB(id) (1u << VERB_##id)
#define EVERY_VERB (~0u)
#define NONE NULL, (double)NAN
#define WORD(text) text, (double)NAN
#define NUMBER(value) NULL, (double)(value)
    switch (option)
    {
#define MAIN(group) GROUP_##group, true
#define MORE(group) GROUP_##group, false
#define TD_OPTION(id, group, name, letter, kind, value, fallback, least, most, verbs, summary, detail)       \
    case OPTION_##id:                                                                                        \
        return (OptionInfo){group, name, letter, KIND_##kind, value, fallback,                               \
                            least, most, verbs,  summary,     detail};
#include "options.def"
#undef TD_OPTION
    default:
        return (OptionInfo){0};
    }
#undef MAIN
#undef MORE
#undef VERB
#undef EVERY_VERB
#undef NONE
#undef WORD
#undef NUMBER
}

// --- finding names ----------------------------------------------------------------------------------------

static bool BelongsTo(const OptionInfo* info, Verb verb)
{
    return verb == VERB_NONE ? info->verbs == ~0u : (info->verbs >> verb & 1u) != 0;
}

static Verb FindVerb(const char* name)
{
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        if (strcmp(verbs[i].name, name) == 0)
        {
            return (Verb)i;
        }
    }
    return VERB_NONE;
}

// Finds an option of the verb, else of another verb, which is then refused by name. Two verbs may have
// options of one name with different defaults.
static OptionId FindOption(const char* name, size_t length, Verb verb)
{
    OptionId found = OPTION_COUNT;
    for (int i = OPTION_COUNT - 1; i >= 0; --i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        bool isNamed = strlen(info.name) == length && strncmp(info.name, name, length) == 0;
        if (isNamed && (found == OPTION_COUNT || BelongsTo(&info, verb)))
        {
            found = (OptionId)i;
        }
    }
    return found;
}

static OptionId FindLetter(char letter, Verb verb)
{
    OptionId found = OPTION_COUNT;
    for (int i = OPTION_COUNT - 1; i >= 0; --i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        if (info.letter == letter && (found == OPTION_COUNT || BelongsTo(&info, verb)))
        {
            found = (OptionId)i;
        }
    }
    return found;
}

// --- complaining ------------------------------------------------------------------------------------------

#define ECHO_SIZE 256

// A copy of an argument without control characters, which would change the terminal.
static const char* CleanEcho(char clean[ECHO_SIZE], const char* typed)
{
    CleanText(clean, ECHO_SIZE, typed, ECHO_SIZE);
    return clean;
}

static void StartComplaint(FILE* errors, Verb verb)
{
    fprintf(errors,
            verb == VERB_NONE ? "tendon: " : "tendon %s: ", verb == VERB_NONE ? "" : verbs[verb].name);
}

static bool EndComplaint(FILE* errors, Verb verb)
{
    fprintf(errors, verb == VERB_NONE ? "\nTry: tendon --help\n" : "\nTry: tendon %s --help\n",
            verb == VERB_NONE ? "" : verbs[verb].name);
    return false;
}

static bool RefuseVerb(const char* typed, FILE* errors)
{
    if (strpbrk(typed, "./\\") != NULL)
    {
        char file[ECHO_SIZE];
        CleanEcho(file, typed);
        fprintf(errors,
                "tendon: a verb comes before the file, such as: tendon view %s, or: tendon inspect %s", file,
                file);
        return EndComplaint(errors, VERB_NONE);
    }
    Suggestion suggestion = StartSuggestion(typed);
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        ConsiderName(&suggestion, verbs[i].name);
    }
    char clean[ECHO_SIZE];
    fprintf(errors, "tendon: there is no verb \"%s\"", CleanEcho(clean, typed));
    if (suggestion.best != NULL)
    {
        fprintf(errors, "; did you mean \"%s\"?", suggestion.best);
    }
    else
    {
        fprintf(errors, "; there are");
        for (int i = 0; i < VERB_COUNT; ++i)
        {
            fprintf(errors, "%s %s", i == 0 ? "" : ",", verbs[i].name);
        }
        fprintf(errors, ".");
    }
    return EndComplaint(errors, VERB_NONE);
}

static bool RefuseName(const char* typed, size_t length, Verb verb, FILE* errors)
{
    char name[64] = {0};
    memcpy(name, typed, length < sizeof name - 1 ? length : sizeof name - 1);
    Suggestion suggestion = StartSuggestion(name);
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        if (BelongsTo(&info, verb))
        {
            ConsiderName(&suggestion, info.name);
        }
    }
    StartComplaint(errors, verb);
    char clean[ECHO_SIZE];
    fprintf(errors, "there is no option \"--%s\"", CleanEcho(clean, name));
    fprintf(errors, suggestion.best != NULL ? "; did you mean \"--%s\"?" : ".%s",
            suggestion.best != NULL ? suggestion.best : "");
    return EndComplaint(errors, verb);
}

static bool RefuseOption(const OptionInfo* info, Verb verb, FILE* errors)
{
    StartComplaint(errors, verb);
    fprintf(errors, "\"--%s\" is an option of", info->name);
    const char* separator = "";
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        OptionId own = FindOption(info->name, strlen(info->name), (Verb)i);
        OptionInfo ownInfo = GetOptionInfo(own);
        if (BelongsTo(&ownInfo, (Verb)i))
        {
            fprintf(errors, "%s %s", separator, verbs[i].name);
            separator = " and";
        }
    }
    fprintf(errors, ".");
    return EndComplaint(errors, verb);
}

static bool RefuseValue(const OptionInfo* info, const char* text, Verb verb, FILE* errors)
{
    StartComplaint(errors, verb);
    fprintf(errors, "--%s takes ", info->name);
    switch (info->kind)
    {
    case KIND_COUNT:
        fprintf(errors, "a whole number from %g to %g", info->least, info->most);
        break;
    case KIND_NUMBER:
        fprintf(errors, "a number from %g to %g", info->least, info->most);
        break;
    case KIND_LIST:
        fprintf(errors, "ascending numbers from %g to %g such as 0,0.5,1", info->least, info->most);
        break;
    case KIND_PART:
        fprintf(errors, "a part of the whole such as 1/4");
        break;
    case KIND_VECTOR:
        fprintf(errors, "three numbers such as %s", info->fallback != NULL ? info->fallback : "0,0,0");
        break;
    case KIND_TEXT:
        fprintf(errors, "%s", info->value);
        break;
    default:
        fprintf(errors, "one of %s", info->value);
        break;
    }
    char clean[ECHO_SIZE];
    fprintf(errors, ", not \"%s\".", CleanEcho(clean, text));
    return EndComplaint(errors, verb);
}

// --- values -----------------------------------------------------------------------------------------------

static bool ParseNumber(const char** text, const OptionInfo* info, double* number)
{
    // strtod also accepts hexadecimal, "inf" and leading blanks; here a number starts with a digit, sign or
    // dot.
    const char* start = *text;
    char* end = NULL;
    if (*start == '\0' || strchr("+-.0123456789", *start) == NULL || strpbrk(start, "xX") != NULL)
    {
        return false;
    }
    *number = strtod(start, &end);
    *text = end;
    return end != start && isfinite(*number) && *number >= info->least && *number <= info->most;
}

static bool ParseNumbers(const char* text, const OptionInfo* info, OptionValue* value)
{
    int capacity = 1;
    for (const char* c = text; *c != '\0'; ++c)
    {
        capacity += *c == ',' || *c == '/' ? 1 : 0;
    }
    free(value->numbers);
    value->numbers = AllocateBytes(sizeof(double) * (size_t)capacity);
    value->numberCount = 0;
    while (value->numbers != NULL)
    {
        double* number = &value->numbers[value->numberCount];
        if (!ParseNumber(&text, info, number) ||
            (info->kind == KIND_LIST && value->numberCount > 0 && *number <= number[-1]))
        {
            return false;
        }
        value->numberCount += 1;
        if (*text == '\0')
        {
            const double* numbers = value->numbers;
            return info->kind == KIND_PART ? value->numberCount == 2 && floor(numbers[0]) == numbers[0] &&
                                                 floor(numbers[1]) == numbers[1] && numbers[0] <= numbers[1]
                                           : info->kind == KIND_LIST || value->numberCount == 3;
        }
        if (*text++ != (info->kind == KIND_PART ? '/' : ','))
        {
            return false;
        }
    }
    return false;
}

static bool HasWord(const char* words, const char* word)
{
    size_t length = strlen(word);
    while (words != NULL)
    {
        const char* end = strchr(words, '|');
        size_t wordLength = end != NULL ? (size_t)(end - words) : strlen(words);
        if (wordLength == length && strncmp(words, word, length) == 0)
        {
            return true;
        }
        words = end != NULL ? end + 1 : NULL;
    }
    return false;
}

static bool ParseValue(const OptionInfo* info, const char* text, OptionValue* value)
{
    value->text = text;
    const char* rest = text;
    switch (info->kind)
    {
    case KIND_COUNT:
        return ParseNumber(&rest, info, &value->number) && *rest == '\0' &&
               floor(value->number) == value->number;
    case KIND_NUMBER:
        return ParseNumber(&rest, info, &value->number) && *rest == '\0';
    case KIND_LIST:
    case KIND_VECTOR:
    case KIND_PART:
        return ParseNumbers(text, info, value);
    case KIND_CHOICE:
        return HasWord(info->value, text);
    case KIND_TEXT:
        return text[0] != '\0'; // of files, folders, nodes and animations
    default:
        return true;
    }
}

static bool SetValue(Options* options, OptionId id, const char* text, FILE* errors)
{
    OptionInfo info = GetOptionInfo(id);
    if (!BelongsTo(&info, options->verb) && options->verb != VERB_NONE)
    {
        return RefuseOption(&info, options->verb, errors);
    }
    options->values[id].isGiven = true;
    if (info.kind != KIND_FLAG && !ParseValue(&info, text, &options->values[id]))
    {
        return !HasMemoryFailed() && RefuseValue(&info, text, options->verb, errors);
    }
    if (id == OPTION_ALLOW_OUTSIDE)
    {
        options->allowedFolders[options->allowedFolderCount++] = text;
    }
    return true;
}

static void SetDefaults(Options* options)
{
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        OptionValue* value = &options->values[i];
        value->number = info.fallbackNumber;
        if (info.fallback != NULL)
        {
            ParseValue(&info, info.fallback, value);
        }
    }
}

// --- the command line -------------------------------------------------------------------------------------

typedef struct Cursor
{
    char** arguments;
    int count, index;
} Cursor;

// The value of an option: the rest of the word, else the next word.
static bool TakeValue(Options* options, Cursor* cursor, OptionId id, const char* attached, FILE* errors)
{
    OptionInfo info = GetOptionInfo(id);
    if (info.kind == KIND_FLAG)
    {
        if (attached != NULL)
        {
            StartComplaint(errors, options->verb);
            fprintf(errors, "--%s takes no value.", info.name);
            return EndComplaint(errors, options->verb);
        }
        return SetValue(options, id, NULL, errors);
    }
    if (attached == NULL)
    {
        if (cursor->index >= cursor->count)
        {
            StartComplaint(errors, options->verb);
            fprintf(errors, "--%s needs a value: %s.", info.name, info.value);
            return EndComplaint(errors, options->verb);
        }
        attached = cursor->arguments[cursor->index++];
    }
    bool isRest = id == OPTION_REST || id == OPTION_AVATAR_REST;
    const char* next = cursor->index < cursor->count ? cursor->arguments[cursor->index] : "";
    if (isRest && strcmp(attached, "frame") == 0 && next[0] >= '0' && next[0] <= '9' &&
        next[strspn(next, "0123456789")] == '\0')
    {
        // "--rest frame 8" is one value of two words.
        static char texts[2][32];
        char* text = texts[id == OPTION_REST ? 0 : 1];
        snprintf(text, sizeof texts[0], "frame %s", next);
        attached = text;
        cursor->index += 1;
    }
    return SetValue(options, id, attached, errors);
}

static bool ParseLongOption(Options* options, Cursor* cursor, const char* word, FILE* errors)
{
    const char* equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    OptionId id = FindOption(word, length, options->verb);
    if (id == OPTION_COUNT)
    {
        return RefuseName(word, length, options->verb, errors);
    }
    options->wantsLongHelp = options->wantsLongHelp || id == OPTION_HELP;
    return TakeValue(options, cursor, id, equals != NULL ? equals + 1 : NULL, errors);
}

static bool ParseLetters(Options* options, Cursor* cursor, const char* word, FILE* errors)
{
    for (const char* letter = word; *letter != '\0'; ++letter)
    {
        OptionId id = FindLetter(*letter, options->verb);
        if (id == OPTION_COUNT)
        {
            StartComplaint(errors, options->verb);
            char clean[ECHO_SIZE], typed[2] = {*letter, '\0'};
            fprintf(errors, "there is no option \"-%s\".", CleanEcho(clean, typed));
            return EndComplaint(errors, options->verb);
        }
        if (GetOptionInfo(id).kind != KIND_FLAG)
        {
            return TakeValue(options, cursor, id, letter[1] != '\0' ? letter + 1 : NULL, errors);
        }
        if (!TakeValue(options, cursor, id, NULL, errors))
        {
            return false;
        }
    }
    return true;
}

// Finds the verb, the first word that is not an option, before options are parsed.
static bool ParseVerb(Options* options, int argumentCount, char** arguments, int* verbIndex, FILE* errors)
{
    *verbIndex = 0;
    for (int i = 1; i < argumentCount; ++i)
    {
        const char* word = arguments[i];
        if (word[0] == '-' && word[1] != '\0')
        {
            // Options before the verb are global; skip their values.
            OptionId id = word[1] == '-' ? FindOption(word + 2, strlen(word + 2), VERB_NONE)
                                         : FindLetter(word[1], VERB_NONE);
            i += id != OPTION_COUNT && GetOptionInfo(id).kind != KIND_FLAG &&
                         (word[1] == '-' || word[2] == '\0')
                     ? 1
                     : 0;
            continue;
        }
        *verbIndex = i;
        options->verb = FindVerb(word);
        if (options->verb == VERB_NONE && strcmp(word, "help") == 0)
        {
            options->values[OPTION_HELP].isGiven = true;
            options->wantsLongHelp = true;
            options->verb = i + 1 < argumentCount ? FindVerb(arguments[i + 1]) : VERB_NONE;
            return i + 1 == argumentCount || options->verb != VERB_NONE ||
                   RefuseVerb(arguments[i + 1], errors);
        }
        return options->verb != VERB_NONE || RefuseVerb(word, errors);
    }
    return true;
}

static bool CheckFileCount(const Options* options, FILE* errors)
{
    const VerbInfo* info = &verbs[options->verb];
    int leastFiles = IsGiven(options, OPTION_ONTO) ? 1 : info->leastFiles; // --onto names the avatar
    if (options->fileCount < leastFiles)
    {
        StartComplaint(errors, options->verb);
        if (options->fileCount > 0)
        {
            fprintf(errors, "the second file is missing; usage: tendon %s %s", info->name, info->arguments);
        }
        else
        {
            fputs(IsGiven(options, OPTION_FILES_FROM) ? "the list of --files-from has no names."
                                                      : "name a file, or - for standard input.",
                  errors);
        }
        return EndComplaint(errors, options->verb);
    }
    if (info->mostFiles >= 0 && options->fileCount > info->mostFiles)
    {
        StartComplaint(errors, options->verb);
        PrintClean(errors, "%s at a time; \"%s\" is too many.",
                   info->mostFiles == 1 ? "one file" : "two files", options->files[info->mostFiles]);
        return EndComplaint(errors, options->verb);
    }
    int standardInputs = (IsWord(options, OPTION_MOTION, "-") ? 1 : 0) +
                         (IsWord(options, OPTION_ONTO, "-") ? 1 : 0) +
                         (IsWord(options, OPTION_FILES_FROM, "-") ? 1 : 0);
    for (int i = 0; i < options->fileCount; ++i)
    {
        standardInputs += strcmp(options->files[i], "-") == 0 ? 1 : 0;
    }
    if (standardInputs > 1)
    {
        StartComplaint(errors, options->verb);
        fprintf(errors, "standard input can be read only once.");
        return EndComplaint(errors, options->verb);
    }
    return true;
}

static bool HasStandardInput(const Options* options)
{
    if (IsWord(options, OPTION_MOTION, "-") || IsWord(options, OPTION_ONTO, "-"))
    {
        return true;
    }
    for (int i = 0; i < options->fileCount; ++i)
    {
        if (strcmp(options->files[i], "-") == 0)
        {
            return true;
        }
    }
    return false;
}

// The second of two files is probably meant as the output if it does not exist: `tendon convert in out`.
static bool HasMisplacedOutput(const Options* options)
{
    bool needsOutput = options->verb == VERB_CONVERT || options->verb == VERB_BAKE ||
                       options->verb == VERB_TRACE || options->verb == VERB_RENDER;
    if (!needsOutput || options->fileCount != 2 || IsGiven(options, OPTION_OUTPUT) ||
        IsGiven(options, OPTION_OUT_DIR))
    {
        return false;
    }
    FILE* second = OpenStream(options->files[1], "rb");
    if (second != NULL)
    {
        fclose(second);
    }
    return second == NULL;
}

static bool CheckContradictions(const Options* options, FILE* errors)
{
    bool hasOutput = IsGiven(options, OPTION_OUTPUT), hasFolder = IsGiven(options, OPTION_OUT_DIR);
    const struct
    {
        bool isWrong;
        const char* sentence;
    } rules[] = {
        {IsGiven(options, OPTION_TIMES) &&
             (IsGiven(options, OPTION_SECONDS) || IsGiven(options, OPTION_RATE)),
         "--times says exactly when to write; --seconds and --rate contradict it."},
        {IsGiven(options, OPTION_MOTION) && IsGiven(options, OPTION_ANIMATION) &&
             !IsWord(options, OPTION_ANIMATION, "none"),
         "--motion plays instead of the file's own animation; leave out --animation."},
        {IsGiven(options, OPTION_QUIET) && IsGiven(options, OPTION_VERBOSE),
         "-q prints only errors and -v also infos; give one of them."},
        {IsGiven(options, OPTION_JSON) && IsGiven(options, OPTION_CHECK_FORMAT) &&
             !IsWord(options, OPTION_CHECK_FORMAT, "json"),
         "--json and --format name two forms of the report; give one of them."},
        {IsGiven(options, OPTION_THUMBNAIL) && IsGiven(options, OPTION_RENDER_FORMAT) &&
             !IsWord(options, OPTION_RENDER_FORMAT, "png"),
         "--thumbnail is a PNG; leave out --format."},
        {IsGiven(options, OPTION_CAMERA) && IsGiven(options, OPTION_ORBIT),
         "--camera and --orbit both place the camera; give one of them."},
        {IsGiven(options, OPTION_UNTIL) && IsGiven(options, OPTION_LOOP_BLEND),
         "--loop-blend needs to know the end beforehand; --until rest does not tell it."},
        {options->verb == VERB_BAKE && IsGiven(options, OPTION_SECONDS) &&
             options->values[OPTION_SECONDS].number == 0.0,
         "--seconds 0 leaves nothing to bake."},
        {hasOutput && hasFolder, "-o names one file and --out-dir a folder for many; give one of them."},
        {options->fileCount > (options->verb == VERB_RETARGET && !IsGiven(options, OPTION_ONTO) ? 2 : 1) &&
             !hasFolder && options->verb != VERB_CHECK && options->verb != VERB_INSPECT &&
             options->verb != VERB_DIFF,
         "several files need a folder for their outputs: --out-dir DIR."},
        {(options->verb == VERB_CONVERT || options->verb == VERB_BAKE || options->verb == VERB_RETARGET ||
          options->verb == VERB_RENDER) &&
             !hasOutput && !hasFolder,
         "name the file to write with -o, or - for standard output."},
        {options->verb == VERB_TRACE && IsGiven(options, OPTION_NODES) &&
             !IsWord(options, OPTION_TRACE_FORMAT, "csv"),
         "--nodes chooses the columns of --format csv; JSON Lines hold every node."},
        {hasFolder && IsGiven(options, OPTION_RECORD), "--record names one file; leave out --out-dir."},
        {IsGiven(options, OPTION_SUMMARY) && IsWord(options, OPTION_OUTPUT, "-"),
         "--summary and the trace would both go to standard output; give -o a file."},
        {IsGiven(options, OPTION_FULL) && options->verb == VERB_TRACE && !IsGiven(options, OPTION_SUMMARY),
         "--full is for the tables of --summary."},
        {hasFolder && HasStandardInput(options),
         "standard input has no name for --out-dir, and is read once; use -o."},
        {!hasFolder && IsGiven(options, OPTION_RESUME), "--resume looks into --out-dir; name one."},
        {!hasFolder && options->verb != VERB_CHECK && IsGiven(options, OPTION_SHARD),
         "--shard shares the files of --out-dir; name one."},
        {!hasFolder && (IsGiven(options, OPTION_FORMAT) || IsGiven(options, OPTION_MOTION_FORMAT) ||
                        IsGiven(options, OPTION_RENDER_FORMAT)),
         "--format is for --out-dir; with -o the name of the file tells."},
    };
    if (HasMisplacedOutput(options))
    {
        StartComplaint(errors, options->verb);
        PrintClean(errors, "there is no file \"%s\"; to write it, use -o: tendon %s %s -o %s",
                   options->files[1], verbs[options->verb].name, options->files[0], options->files[1]);
        return EndComplaint(errors, options->verb);
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i)
    {
        if (rules[i].isWrong)
        {
            StartComplaint(errors, options->verb);
            fprintf(errors, "%s", rules[i].sentence);
            return EndComplaint(errors, options->verb);
        }
    }
    return true;
}

bool ParseOptions(Options* options, int argumentCount, char** arguments, FILE* errors)
{
    *options = (Options){.verb = VERB_NONE};
    options->files = AllocateZeroed((size_t)argumentCount + 1, sizeof(char*));
    options->allowedFolders = AllocateZeroed((size_t)argumentCount + 1, sizeof(char*));
    if (options->files == NULL || options->allowedFolders == NULL)
    {
        return false;
    }
    SetDefaults(options);
    if (HasMemoryFailed())
    {
        return false;
    }
    int verbIndex = 0;
    if (!ParseVerb(options, argumentCount, arguments, &verbIndex, errors))
    {
        return false;
    }
    Cursor cursor = {arguments, argumentCount, 1};
    bool onlyFiles = false;
    while (cursor.index < cursor.count)
    {
        int at = cursor.index++;
        const char* word = arguments[at];
        if (at == verbIndex)
        {
            continue;
        }
        if (word[0] == '\0')
        {
            StartComplaint(errors, options->verb);
            fprintf(errors, "a file name is empty.");
            return EndComplaint(errors, options->verb);
        }
        if (onlyFiles || word[0] != '-' || word[1] == '\0')
        {
            options->files[options->fileCount++] = word;
        }
        else if (strcmp(word, "--") == 0)
        {
            onlyFiles = true;
        }
        else if (!(word[1] == '-' ? ParseLongOption(options, &cursor, word + 2, errors)
                                  : ParseLetters(options, &cursor, word + 1, errors)))
        {
            return false;
        }
    }
    if (IsGiven(options, OPTION_CHECK_FORMAT))
    {
        options->values[OPTION_JSON].isGiven =
            IsGiven(options, OPTION_JSON) || IsWord(options, OPTION_CHECK_FORMAT, "json");
    }
    if (options->verb == VERB_NONE && !IsGiven(options, OPTION_HELP) && !IsGiven(options, OPTION_VERSION))
    {
        PrintHelp(errors, VERB_NONE, false);
        return false;
    }
    return true;
}

bool CheckOptions(Options* options, FILE* errors)
{
    return ChooseOutputKind(options, errors) && CheckFileCount(options, errors) &&
           CheckContradictions(options, errors);
}

void FreeOptions(Options* options)
{
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        free(options->values[i].numbers);
    }
    if (options->inputs != NULL)
    {
        FreeInputs(options->inputs); // with `files`
    }
    else
    {
        free((void*)options->files);
    }
    free((void*)options->allowedFolders);
}

bool IsGiven(const Options* options, OptionId option)
{
    return options->values[option].isGiven;
}

bool IsWord(const Options* options, OptionId option, const char* word)
{
    const char* text = options->values[option].text;
    return text != NULL && strcmp(text, word) == 0;
}
