// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// One line of text: "tendon 0.1.0 build 0011223344556677 from 0123456789abcdef to fedcba9876543210".
#include "build_record.h"

#include "build_id.h"
#include "memory.h"
#include "output_file.h"
#include "platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 160

// FNV-1a: the texts are short.
static uint64_t HashBytes(uint64_t hash, const char* bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t HashText(uint64_t hash, const char* text)
{
    text = text != NULL ? text : "";
    return HashBytes(hash, text, strlen(text) + 1);
}

static bool HashFile(const Session* session, const char* path, uint64_t* hash)
{
    tdLoadDef def = MakeLoadDef(session);
    uint64_t content = 0;
    char text[32];
    bool isRead = tdHashAssetFile(path, &def, &content);
    snprintf(text, sizeof text, "%016" PRIx64, content);
    *hash = HashText(*hash, text);
    return isRead;
}

// Whether an option can change the output.
static bool Matters(OptionId option)
{
    switch (option)
    {
    case OPTION_OUT_DIR:
    case OPTION_SHARD:
    case OPTION_RESUME:
    case OPTION_JSON:
    case OPTION_THREADS:
    case OPTION_QUIET:
    case OPTION_COLOR:
    case OPTION_VERBOSE:
    case OPTION_RECURSIVE:
    case OPTION_FILES_FROM:
    case OPTION_MAP: // by content
    case OPTION_AVATAR_MAP:
        return false;
    default:
        return true;
    }
}

bool MakeBuildRecord(const Session* session, const char* input, BuildRecord* record)
{
    const Options* options = session->options;
    uint64_t hash = HashText(UINT64_C(0xcbf29ce484222325), GetVerbInfo(options->verb)->name);
    for (int i = 0; i < OPTION_COUNT; ++i)
    {
        const OptionValue* value = &options->values[i];
        if (value->isGiven && Matters((OptionId)i))
        {
            hash = HashText(hash, GetOptionInfo((OptionId)i).name);
            hash = HashText(hash, value->text);
        }
    }
    hash = HashText(hash, session->boneMap);
    hash = session->avatarMap != NULL ? HashText(hash, session->avatarMap) : hash;
    bool isRead = strcmp(input, "-") != 0 && HashFile(session, input, &hash);
    const char* onto = options->values[OPTION_ONTO].text;
    const char* motion = onto != NULL                     ? onto // the input is the motion
                         : options->verb == VERB_RETARGET ? options->files[0]
                                                          : options->values[OPTION_MOTION].text;
    isRead = isRead && (motion == NULL || (strcmp(motion, "-") != 0 && HashFile(session, motion, &hash)));
    *record = (BuildRecord){hash};
    return isRead;
}

static char* MakeStampPath(const char* output)
{
    size_t size = strlen(output) + sizeof ".stamp";
    char* path = AllocateBytes(size);
    if (path != NULL)
    {
        snprintf(path, size, "%s.stamp", output);
    }
    return path;
}

// The text of the record of an up-to-date output. Reads the output with all files it refers to.
static bool FormatLine(char line[LINE_SIZE], const BuildRecord* record, const char* output)
{
    uint64_t made = 0;
    tdVersion version = tdGetVersion();
    bool isRead = tdHashAssetFile(output, NULL, &made);
    snprintf(line, LINE_SIZE, "tendon %d.%d.%d build %s from %016" PRIx64 " to %016" PRIx64 "\n",
             version.major, version.minor, version.patch, GetBuildId(), record->madeFrom, made);
    return isRead;
}

bool IsUpToDate(const BuildRecord* record, const char* output)
{
    char expected[LINE_SIZE], line[LINE_SIZE] = "";
    char* path = MakeStampPath(output);
    FILE* file = path != NULL ? OpenStream(path, "rb") : NULL;
    bool isSame = file != NULL && fgets(line, sizeof line, file) != NULL &&
                  FormatLine(expected, record, output) && strcmp(line, expected) == 0;
    if (file != NULL)
    {
        fclose(file);
    }
    free(path);
    return isSame;
}

bool WriteBuildRecord(const BuildRecord* record, const char* output)
{
    char line[LINE_SIZE];
    OutputFile file;
    char* path = MakeStampPath(output);
    bool isWritten = path != NULL && FormatLine(line, record, output) && OpenOutput(&file, path);
    if (isWritten)
    {
        bool isWhole = WriteOutput(&file, line, strlen(line));
        isWritten = CloseOutput(&file, isWhole);
    }
    free(path);
    return isWritten;
}
