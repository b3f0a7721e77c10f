// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Prints the completion scripts of bash, zsh and fish: verbs, options of each verb, words of choices, files.
#include "completion.h"

#include "options.h"

#include <string.h>

static const char madeBy[] = "# Made by tools/make_docs.c from cli/options.def. Do not edit.\n";

static bool HasOption(Verb verb, OptionId option)
{
    return (GetOptionInfo(option).verbs >> verb & 1u) != 0;
}

/// Kind of completion of the value of an option.
typedef enum Completion
{
    COMPLETE_NOTHING,
    COMPLETE_WORDS,
    COMPLETE_FOLDERS,
    COMPLETE_FILES,
} Completion;

// The name of a value tells what it is: FILE, DIR, or words in lower case.
static Completion GetCompletion(const OptionInfo* info)
{
    if (info->kind == KIND_CHOICE)
    {
        return COMPLETE_WORDS;
    }
    if (info->kind != KIND_TEXT)
    {
        return COMPLETE_NOTHING;
    }
    if (strcmp(info->value, "DIR") == 0)
    {
        return COMPLETE_FOLDERS;
    }
    if (strcmp(info->value, "FILE") == 0 || strcmp(info->value, "OUT") == 0 ||
        strcmp(info->value, "AVATAR") == 0)
    {
        return COMPLETE_FILES;
    }
    return 'a' <= info->value[0] && info->value[0] <= 'z' ? COMPLETE_WORDS : COMPLETE_NOTHING;
}

// Prints the words between the bars. A word with a blank has a part that the user fills in, and is left out.
static void PrintWords(FILE* out, const char* words)
{
    const char* separator = "";
    while (*words != '\0')
    {
        size_t length = strcspn(words, "|");
        if (memchr(words, ' ', length) == NULL)
        {
            fprintf(out, "%s%.*s", separator, (int)length, words);
            separator = " ";
        }
        words += length + (words[length] == '|' ? 1 : 0);
    }
}

static void PrintVerbNames(FILE* out)
{
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        fprintf(out, "%s%s", i > 0 ? " " : "", GetVerbInfo((Verb)i)->name);
    }
}

// --- bash -------------------------------------------------------------------------------------------------

static void PrintOptionNames(FILE* out, Verb verb)
{
    const char* separator = "";
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        if (HasOption(verb, (OptionId)i))
        {
            fprintf(out, "%s--%s", separator, GetOptionInfo((OptionId)i).name);
            separator = " ";
        }
    }
}

// An option of a choice may belong to some verbs only: two verbs may give one name different words.
static void PrintBashChoices(FILE* out)
{
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        Completion completion = GetCompletion(&info);
        if (info.kind == KIND_FLAG || completion == COMPLETE_FILES)
        {
            continue;
        }
        fprintf(out, "        ");
        const char* separator = "";
        for (int verb = 0; verb < VERB_COUNT; ++verb)
        {
            if (HasOption((Verb)verb, (OptionId)i))
            {
                fprintf(out, "%s%s:--%s", separator, GetVerbInfo((Verb)verb)->name, info.name);
                separator = "|";
            }
        }
        if (completion == COMPLETE_WORDS)
        {
            fprintf(out, ") COMPREPLY=($(compgen -W \"");
            PrintWords(out, info.value);
            fprintf(out, "\" -- \"$word\")); return ;;\n");
        }
        else if (completion == COMPLETE_FOLDERS)
        {
            fprintf(out, ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n");
        }
        else
        {
            fprintf(out, ") return ;;\n");
        }
    }
}

void PrintBashCompletion(FILE* out)
{
    fprintf(out,
            "%s# bash completion of tendon: verbs, options, words of choices, and files.\n"
            "_tendon()\n{\n"
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= i\n"
            "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
            "        case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac\n"
            "    done\n"
            "    COMPREPLY=()\n"
            "    case $verb:$before in\n",
            madeBy);
    PrintBashChoices(out);
    fprintf(out, "    esac\n    case $verb:$word in\n        :*) COMPREPLY=($(compgen -W \"");
    PrintVerbNames(out);
    fprintf(out,
            " help --help --version\" -- \"$word\")); return ;;\n        help:*) COMPREPLY=($(compgen -W \"");
    PrintVerbNames(out);
    fprintf(out, "\" -- \"$word\")); return ;;\n");
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        fprintf(out, "        %s:-*) COMPREPLY=($(compgen -W \"", GetVerbInfo((Verb)i)->name);
        PrintOptionNames(out, (Verb)i);
        fprintf(out, "\" -- \"$word\")); return ;;\n");
    }
    fprintf(out, "    esac\n    COMPREPLY=($(compgen -f -- \"$word\"))\n}\n"
                 "complete -o filenames -F _tendon tendon\n");
}

// --- zsh --------------------------------------------------------------------------------------------------

// Text inside single quotes of a shell; `special` characters get a backslash.
static void PrintQuoted(FILE* out, const char* text, const char* special)
{
    for (; *text != '\0'; ++text)
    {
        if (*text == '\'')
        {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *text) != NULL)
        {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

static void PrintZshOption(FILE* out, const OptionInfo* info)
{
    fprintf(out, "                ");
    if (info->letter != 0)
    {
        fprintf(out, "'(-%c --%s)'{-%c,--%s}'", info->letter, info->name, info->letter, info->name);
    }
    else
    {
        fprintf(out, "'--%s", info->name);
    }
    fprintf(out, "[");
    PrintQuoted(out, info->summary, "[]:\\");
    fprintf(out, "]");
    if (info->kind != KIND_FLAG)
    {
        fprintf(out, ":");
        PrintQuoted(out, GetCompletion(info) == COMPLETE_WORDS ? info->name : info->value, ":\\");
        fprintf(out, ":");
    }
    switch (GetCompletion(info))
    {
    case COMPLETE_WORDS:
        fprintf(out, "(");
        PrintWords(out, info->value);
        fprintf(out, ")");
        break;
    case COMPLETE_FOLDERS:
        fprintf(out, "_files -/");
        break;
    case COMPLETE_FILES:
        fprintf(out, "_files");
        break;
    case COMPLETE_NOTHING:
        break;
    }
    fprintf(out, "' \\\n");
}

void PrintZshCompletion(FILE* out)
{
    fprintf(out,
            "#compdef tendon\n%s# zsh completion of tendon: verbs, options, words of choices, and files.\n"
            "_tendon()\n{\n"
            "    local -a verbs\n"
            "    verbs=(\n",
            madeBy);
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        fprintf(out, "        '%s:", GetVerbInfo((Verb)i)->name);
        PrintQuoted(out, GetVerbInfo((Verb)i)->summary, "");
        fprintf(out, "'\n");
    }
    fprintf(out, "        'help:explain a verb'\n    )\n"
                 "    if ((CURRENT == 2)); then\n"
                 "        _describe -t commands verb verbs -- \"$@\"\n"
                 "        return\n"
                 "    fi\n"
                 "    local verb=${words[2]}\n"
                 "    shift words\n"
                 "    ((CURRENT -= 1))\n"
                 "    case $verb in\n"
                 "        help) _describe -t commands verb verbs ;;\n");
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        fprintf(out, "        %s)\n            _arguments -s \\\n", GetVerbInfo((Verb)i)->name);
        for (int k = 0; k < OPTION_COUNT; ++k)
        {
            if (HasOption((Verb)i, (OptionId)k))
            {
                OptionInfo info = GetOptionInfo((OptionId)k);
                PrintZshOption(out, &info);
            }
        }
        fprintf(out, "                '*:file:_files'\n            ;;\n");
    }
    fprintf(out, "    esac\n}\n_tendon \"$@\"\n");
}

// --- fish -------------------------------------------------------------------------------------------------

void PrintFishCompletion(FILE* out)
{
    fprintf(out, "%s# fish completion of tendon: verbs, options, words of choices, and files.\n", madeBy);
    for (int i = 0; i < VERB_COUNT; ++i)
    {
        fprintf(out, "complete -c tendon -n __fish_use_subcommand -f -a %s -d '", GetVerbInfo((Verb)i)->name);
        PrintQuoted(out, GetVerbInfo((Verb)i)->summary, "");
        fprintf(out, "'\n");
    }
    fprintf(out, "complete -c tendon -n __fish_use_subcommand -f -a help -d 'explain a verb'\n"
                 "complete -c tendon -n '__fish_seen_subcommand_from help' -f -a '");
    PrintVerbNames(out);
    fprintf(out, "'\n");
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        OptionInfo info = GetOptionInfo((OptionId)i);
        fprintf(out, "complete -c tendon -n '__fish_seen_subcommand_from");
        for (int verb = 0; verb < VERB_COUNT; ++verb)
        {
            if (HasOption((Verb)verb, (OptionId)i))
            {
                fprintf(out, " %s", GetVerbInfo((Verb)verb)->name);
            }
        }
        fprintf(out, "' -l %s", info.name);
        if (info.letter != 0)
        {
            fprintf(out, " -s %c", info.letter);
        }
        switch (GetCompletion(&info))
        {
        case COMPLETE_WORDS:
            fprintf(out, " -x -a '");
            PrintWords(out, info.value);
            fprintf(out, "'");
            break;
        case COMPLETE_FOLDERS:
            fprintf(out, " -x -a '(__fish_complete_directories)'");
            break;
        case COMPLETE_FILES:
            fprintf(out, " -r -F");
            break;
        case COMPLETE_NOTHING:
            if (info.kind != KIND_FLAG)
            {
                fprintf(out, " -x");
            }
            break;
        }
        fprintf(out, " -d '");
        PrintQuoted(out, info.summary, "");
        fprintf(out, "'\n");
    }
}
