// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Loading and reporting, the same for every verb.
#include "session.h"

#include "interrupt.h"
#include "json.h"
#include "memory.h"
#include "output_file.h"
#include "platform.h"
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int WorseExit(int a, int b)
{
    return a > b ? a : b;
}

const char* NameFile(const char* path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

void StartThreads(Session* session, int count)
{
    HoldInterrupts();
    session->threads = count > 1 ? tdCreateThreads(count) : NULL;
    AllowInterrupts();
}

Progress StartWork(const Session* session, const char* label)
{
    Progress progress = StartProgress(label, !session->isQuiet);
    progress.fraction = session->fraction;
    return progress;
}

void StartLoadProgress(ProgressLine* line, const Session* session, const char* path)
{
    *session->work = (tdProgress){0}; // discard the progress of the previous call
    StartProgressLine(line, NameFile(path), GetLibraryWork, session->work, !session->isQuiet);
}

static tdFacing ParseFacing(const char* text)
{
    return strcmp(text, "+Z") == 0   ? TD_FACING_PLUS_Z
           : strcmp(text, "-Z") == 0 ? TD_FACING_MINUS_Z
           : strcmp(text, "+X") == 0 ? TD_FACING_PLUS_X
           : strcmp(text, "-X") == 0 ? TD_FACING_MINUS_X
           : strcmp(text, "+Y") == 0 ? TD_FACING_PLUS_Y
           : strcmp(text, "-Y") == 0 ? TD_FACING_MINUS_Y
                                     : TD_FACING_AUTO;
}

// Parses "auto", "bind", "nodes" or "frame N", with a space, a colon or an equals sign.
static bool ParseRest(const char* text, tdLoadDef* def)
{
    static const char* const words[] = {
        [TD_REST_AUTO] = "auto", [TD_REST_BIND] = "bind", [TD_REST_NODES] = "nodes"};
    for (int i = 0; i < 3; ++i)
    {
        if (strcmp(text, words[i]) == 0)
        {
            def->rest = (tdRestPose)i;
            return true;
        }
    }
    char* end = NULL;
    bool isFrame = strncmp(text, "frame", 5) == 0 && text[5] != '\0' && strchr(" :=", text[5]) != NULL;
    long frame = isFrame ? strtol(text + 6, &end, 10) : 0;
    def->rest = TD_REST_FRAME;
    def->restFrame1 = (int)frame;
    return isFrame && end != text + 6 && *end == '\0' && frame >= 1 && frame <= 1000000;
}

tdLoadDef MakeLoadDef(const Session* session)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = GetMemory();
    def.tasks = session->threads;
    def.limits = session->limits;
    def.progress = session->work;
    def.allowedFolders = session->options->allowedFolders;
    def.allowedFolderCount = session->options->allowedFolderCount;
    def.literalStiffness = IsWord(session->options, OPTION_OMI_STIFFNESS, "literal");
    def.wideWeights = IsGiven(session->options, OPTION_WIDE_WEIGHTS);
    def.boneMap = session->boneMap;
    if (IsGiven(session->options, OPTION_BVH_UNIT))
    {
        def.bvhUnit = (float)session->options->values[OPTION_BVH_UNIT].number;
    }
    if (IsGiven(session->options, OPTION_TPOSE_FRAME))
    {
        def.bvhTposeFrame1 = (int)session->options->values[OPTION_TPOSE_FRAME].number;
    }
    if (IsGiven(session->options, OPTION_FACING))
    {
        def.facing = ParseFacing(session->options->values[OPTION_FACING].text);
    }
    if (IsGiven(session->options, OPTION_REST))
    {
        ParseRest(session->options->values[OPTION_REST].text, &def);
    }
    return def;
}

bool ParseContacts(const char* text, unsigned* contacts)
{
    static const struct
    {
        const char* text;
        unsigned contacts;
    } values[] = {{"off", 0},
                  {"auto", TD_KEEP_FEET | TD_KEEP_HANDS},
                  {"feet", TD_KEEP_FEET},
                  {"hands", TD_KEEP_HANDS},
                  {"feet,hands", TD_KEEP_FEET | TD_KEEP_HANDS},
                  {"hands,feet", TD_KEEP_FEET | TD_KEEP_HANDS}};
    *contacts = 0;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        if (strcmp(text, values[i].text) == 0)
        {
            *contacts = values[i].contacts;
            return true;
        }
    }
    return false;
}

bool ReadLimits(Session* session)
{
    const char* text = session->options->values[OPTION_LIMIT].text;
    while (text != NULL && *text != '\0')
    {
        char name[32], clean[64];
        size_t length = strcspn(text, "=,");
        const char* number = text[length] == '=' ? text + length + 1 : "";
        char* end = NULL;
        double value = isdigit((unsigned char)*number) ? strtod(number, &end) : -1.0;
        bool isNumber = end != NULL && (*end == ',' || *end == '\0');
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), text);
        if (!isNumber || length >= sizeof name || !tdLimits_Set(&session->limits, name, value))
        {
            char names[256] = "";
            for (int i = 0; tdGetLimitName(i) != NULL; ++i)
            {
                size_t used = strlen(names);
                snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", tdGetLimitName(i));
            }
            CleanText(clean, sizeof clean, text, sizeof clean);
            Complain(session, "--limit takes NAME=N, not \"%s\". The names are %s.", clean, names);
            return false;
        }
        text = *end == ',' ? end + 1 : end;
    }
    return true;
}

bool CheckHumanoidOptions(const Session* session)
{
    static const OptionId rests[] = {OPTION_REST, OPTION_AVATAR_REST};
    for (int i = 0; i < 2; ++i)
    {
        const char* text = session->options->values[rests[i]].text;
        tdLoadDef def = tdDefaultLoadDef();
        if (text != NULL && !ParseRest(text, &def))
        {
            Complain(session, "--%s takes auto, bind, nodes or \"frame N\", not \"%s\".",
                     GetOptionInfo(rests[i]).name, text);
            return false;
        }
    }
    unsigned contacts = 0;
    const char* text = session->options->values[OPTION_CONTACTS].text;
    if (text != NULL && !ParseContacts(text, &contacts))
    {
        Complain(session, "--contacts takes auto, off, feet, hands or feet,hands, not \"%s\".", text);
        return false;
    }
    return true;
}

/// Functions of the system allocate too: what the report says counts like a refusal of our own.
static void NoteReportedMemory(const tdReport* report)
{
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        if (strcmp(tdReport_Get(report, i).code, "OUT_OF_MEMORY") == 0)
        {
            NoteMemoryFailure();
        }
    }
}

tdAsset* LoadAvatar(const Session* session, const char* path, tdLoadLevel level, tdReport* report)
{
    const Options* options = session->options;
    tdLoadDef def = MakeLoadDef(session);
    def.level = level;
    def.boneMap = session->avatarMap != NULL ? session->avatarMap : def.boneMap;
    if (IsGiven(options, OPTION_AVATAR_REST))
    {
        ParseRest(options->values[OPTION_AVATAR_REST].text, &def);
    }
    bool hasFacing = IsGiven(options, OPTION_AVATAR_FACING);
    def.facing = hasFacing ? ParseFacing(options->values[OPTION_AVATAR_FACING].text) : def.facing;
    ProgressLine line;
    StartLoadProgress(&line, session, path);
    // --facing is about skeletons with joint names; a VRM says where it faces.
    bool mayReload = !hasFacing && def.facing != TD_FACING_AUTO && strcmp(path, "-") != 0;
    tdAsset* asset = tdLoadAsset(path, &def, mayReload ? NULL : report);
    if (mayReload)
    {
        tdHumanoidKind kind = asset != NULL ? tdDescribeHumanoid(asset).kind : TD_HUMANOID_NONE;
        def.facing = kind == TD_HUMANOID_BY_NAME ? def.facing : TD_FACING_AUTO;
        tdDestroyAsset(asset);
        asset = tdLoadAsset(path, &def, report);
    }
    EndProgressLine(&line);
    NoteReportedMemory(report);
    return asset;
}

tdAsset* LoadFile(const Session* session, const char* path, tdLoadLevel level, tdReport* report)
{
    tdLoadDef def = MakeLoadDef(session);
    def.level = level;
    ProgressLine line;
    StartLoadProgress(&line, session, path);
    tdAsset* asset = tdLoadAsset(path, &def, report);
    EndProgressLine(&line);
    NoteReportedMemory(report);
    return asset;
}

void NoteMemory(tdReport* report)
{
    if (HasMemoryFailed())
    {
        tdReport_AddOutOfMemory(report);
    }
}

int ReportMemory(int result)
{
    if (!HasMemoryFailed())
    {
        return result;
    }
    fprintf(stderr, "tendon: error: Out of memory. (OUT_OF_MEMORY)\n");
    return WorseExit(result, EXIT_IO);
}

int GetReportExit(const tdReport* report)
{
    static const char* const machineCodes[] = {"IO_ERROR", "IO_WRITE_ERROR", "RESOURCE_IN_THE_WAY",
                                               "OUT_OF_MEMORY", "MEMORY_LIMIT"};
    if (HasMemoryFailed())
    {
        return EXIT_IO;
    }
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        for (size_t j = 0; j < sizeof machineCodes / sizeof machineCodes[0]; ++j)
        {
            if (finding.severity == TD_SEVERITY_ERROR && strcmp(finding.code, machineCodes[j]) == 0)
            {
                return EXIT_IO;
            }
        }
    }
    return tdReport_HasErrors(report) ? EXIT_FOUND_ERRORS : EXIT_FINE;
}

bool HasOutputFolder(const Session* session)
{
    const char* path = session->options->values[OPTION_OUTPUT].text;
    const char* slash = path != NULL ? strrchr(path, '/') : NULL;
    PathInfo info;
    char folder[INPUT_TEXT_SIZE];
    int length = slash != NULL ? (int)(slash - path) : 0;
    if (length == 0 || length >= INPUT_TEXT_SIZE)
    {
        return true; // the working folder or the root; failures of long names show when the file is opened
    }
    snprintf(folder, sizeof folder, "%.*s", length, path);
    if (GetPathInfo(folder, &info) || errno != ENOENT)
    {
        return true;
    }
    Complain(session, "cannot write \"%s\": the folder \"%s\" does not exist.", path, folder);
    const Options* options = session->options;
    bool isPair = options->verb == VERB_RETARGET && !IsGiven(options, OPTION_ONTO);
    FailFile(session, options->files[isPair ? 1 : 0], NULL); // its line with --json
    return false;
}

bool IsTerminalOutput(const Session* session, const char* path)
{
    bool isTerminal = strcmp(path, "-") == 0 && IsTerminal(stdout);
    if (isTerminal)
    {
        Complain(session,
                 "binary glTF is not for a terminal; name a file with -o or send standard output to one.");
    }
    return isTerminal;
}

static size_t GetFileSize(const char* path)
{
    PathInfo info;
    return GetPathInfo(path, &info) ? (size_t)info.size : 0;
}

void AppendInput(char text[INPUT_TEXT_SIZE], const char* path, const tdAsset* asset)
{
    char size[16], name[INPUT_TEXT_SIZE];
    size_t length = strlen(text);
    FormatSize(size, tdDescribeAsset(asset).byteCount);
    CleanText(name, sizeof name, NameFile(path), INPUT_TEXT_SIZE);
    snprintf(text + length, INPUT_TEXT_SIZE - length, "%s%s (%s)", length > 0 ? " + " : "", name, size);
}

/// The line of a file with --json.
/// @param output NULL: none was written
static void PrintJsonLine(const char* input, const char* output, tdReport* report)
{
    printf("{\"input\":");
    PrintJsonText(stdout, input);
    printf(",\"output\":");
    if (output != NULL)
    {
        PrintJsonText(stdout, output);
        printf(",\"byteCount\":%zu", GetFileSize(output));
    }
    else
    {
        printf("null");
    }
    printf(",\"issues\":%s}\n", tdReport_GetJson(report, NULL));
}

static void PrintSaved(const char* path, const char* inputs, const char* facts, tdReport* report)
{
    char size[16], counts[96], name[INPUT_TEXT_SIZE];
    FormatSize(size, GetFileSize(path));
    FormatCounts(counts, report);
    CleanText(name, sizeof name, path, INPUT_TEXT_SIZE);
    fprintf(stderr, "%s → %s (%s)%s%s, %s\n", inputs, name, size, facts[0] != '\0' ? ", " : "", facts,
            counts);
}

// The format that tdSaveAsset derives from a path.
static tdSaveFormat GetFormat(const char* path)
{
    bool isGlb = HasExtension(path, ".glb") || HasExtension(path, ".vrm") || strcmp(path, "-") == 0;
    return HasExtension(path, ".gltf") ? TD_SAVE_GLTF : isGlb ? TD_SAVE_GLB : TD_SAVE_SAME;
}

// Whether a path is a regular file, which must not be left incomplete. Writing to a pipe may be interrupted.
static bool IsReplaced(const char* path)
{
    PathInfo info;
    return strcmp(path, "-") != 0 && (!GetPathInfo(path, &info) || info.kind == PATH_FILE);
}

int SaveFile(const Session* session, const tdAsset* asset, const char* input, const char* path,
             const char* inputs, const char* facts, tdReport* report)
{
    if (IsGiven(session->options, OPTION_JSON))
    {
        tdReport_GetJson(report, NULL); // allocates before the file appears
    }
    NoteReportedMemory(report);
    if (HasMemoryFailed())
    {
        return FailFile(session, input, report); // something may be missing
    }
    fflush(stdout);
    int exitBefore = GetReportExit(report);
    bool isEmbedded = IsGiven(session->options, OPTION_EMBED);
    ProgressLine line;
    StartLoadProgress(&line, session, strcmp(path, "-") == 0 ? "standard output" : path);
    tdAsset* whole = isEmbedded ? tdEmbedFiles(asset, GetFormat(path), report) : NULL;
    intptr_t lock = LockFolder(session->lockFolder);
    if (IsReplaced(path))
    {
        BeginWriting();
    }
    bool isSaved = (!isEmbedded || whole != NULL) && tdSaveAsset(isEmbedded ? whole : asset, path, report);
    EndProgressLine(&line);
    EndWriting();
    tdDestroyAsset(whole);
    UnlockFolder(lock);
    if (!isSaved && strcmp(path, "-") == 0 && HasNoReader(stdout))
    {
        return exitBefore; // the reader closed the pipe
    }
    if (!isSaved)
    {
        NoteReportedMemory(report);
        return FailFile(session, input, report);
    }
    ReportFindings(session, report);
    if (strcmp(path, "-") != 0 && IsGiven(session->options, OPTION_JSON))
    {
        PrintJsonLine(input, path, report);
    }
    else if (strcmp(path, "-") != 0 && !session->isQuiet)
    {
        PrintSaved(path, inputs, facts, report);
    }
    return GetReportExit(report);
}

int FailFile(const Session* session, const char* input, tdReport* report)
{
    NoteMemory(report);
    ReportFindings(session, report);
    if (IsGiven(session->options, OPTION_JSON))
    {
        PrintJsonLine(input, NULL, report);
    }
    return WorseExit(GetReportExit(report), EXIT_FOUND_ERRORS);
}

// Prints text from files: replaces control characters and cuts long texts.
#define TEXT_SIZE 4096

static void PrintFinding(const Screen* screen, const tdDiagnostic* finding)
{
    static const Paint paints[] = {PAINT_RED, PAINT_YELLOW, PAINT_BLUE, PAINT_FAINT};
    const char* source = finding->source == NULL || finding->source[0] == '\0' ? "tendon"
                         : strcmp(finding->source, "-") != 0                   ? finding->source
                         : strcmp(finding->code, "IO_WRITE_ERROR") == 0        ? "standard output"
                                                                               : "standard input";
    char clean[TEXT_SIZE];
    CleanText(clean, sizeof clean, source, TEXT_SIZE);
    PrintPainted(screen, PAINT_BOLD, "%s", clean);
    if (finding->line > 0)
    {
        PrintPainted(screen, PAINT_BOLD, ":%d:%d", finding->line, finding->column);
    }
    PrintPainted(screen, PAINT_NONE, ": ");
    PrintPainted(screen, paints[finding->severity], "%s", tdSeverity_GetName(finding->severity));
    CleanText(clean, sizeof clean, finding->message, TEXT_SIZE);
    PrintPainted(screen, PAINT_NONE, ": %s ", clean);
    if (finding->offset >= 0)
    {
        PrintPainted(screen, PAINT_FAINT, "(%s, byte %lld)", finding->code, (long long)finding->offset);
    }
    else if (finding->pointer != NULL && finding->pointer[0] != '\0')
    {
        CleanText(clean, sizeof clean, finding->pointer, TEXT_SIZE);
        PrintPainted(screen, PAINT_FAINT, "(%s, %s)", finding->code, clean);
    }
    else
    {
        PrintPainted(screen, PAINT_FAINT, "(%s)", finding->code);
    }
    PrintPainted(screen, PAINT_NONE, "\n");
}

void PrintFindings(const Screen* screen, const tdReport* report, tdSeverity least)
{
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        if (finding.severity <= least)
        {
            PrintFinding(screen, &finding);
        }
    }
    if (tdReport_IsTruncated(report))
    {
        PrintPainted(screen, PAINT_FAINT, "More findings were left out.\n");
    }
}

void ReportFindings(const Session* session, const tdReport* report)
{
    PrintFindings(&session->err, report,
                  session->isQuiet     ? TD_SEVERITY_ERROR
                  : session->isVerbose ? TD_SEVERITY_HINT
                                       : TD_SEVERITY_WARNING);
}

void FormatCounts(char text[96], const tdReport* report)
{
    static const char* const names[][2] = {
        {"error", "errors"}, {"warning", "warnings"}, {"info", "infos"}, {"hint", "hints"}};
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < 4; ++i)
    {
        int count = tdReport_CountSeverity(report, (tdSeverity)i);
        if (count > 0)
        {
            length += (size_t)snprintf(text + length, 96 - length, "%s%d %s", length > 0 ? ", " : "", count,
                                       names[i][count == 1 ? 0 : 1]);
        }
    }
    if (length == 0)
    {
        snprintf(text, 96, "no findings");
    }
}

void Complain(const Session* session, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "tendon %s: ", GetVerbInfo(session->options->verb)->name);
    PrintCleanList(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
