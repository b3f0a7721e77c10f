// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Loading and reporting, the same for every verb.
#include "session.h"

#include "interrupt.h"
#include "json.h"
#include "output_file.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

tdLoadDef MakeLoadDef(const Session* session)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.tasks = session->threads;
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
    return def;
}

tdAsset* LoadFile(const Session* session, const char* path, tdLoadLevel level, tdReport* report)
{
    tdLoadDef def = MakeLoadDef(session);
    def.level = level;
    ProgressLine line;
    StartLoadProgress(&line, session, path);
    tdAsset* asset = tdLoadAsset(path, &def, report);
    EndProgressLine(&line);
    return asset;
}

int GetReportExit(const tdReport* report)
{
    static const char* const machineCodes[] = {"IO_ERROR", "IO_WRITE_ERROR", "RESOURCE_IN_THE_WAY",
                                               "OUT_OF_MEMORY", "TOO_LARGE"};
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

bool IsTerminalOutput(const Session* session, const char* path)
{
    bool isTerminal = strcmp(path, "-") == 0 && isatty(STDOUT_FILENO) != 0;
    if (isTerminal)
    {
        Complain(session,
                 "binary glTF is not for a terminal; name a file with -o or send standard output to one.");
    }
    return isTerminal;
}

static size_t GetFileSize(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (size_t)status.st_size : 0;
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

// Keeps workers from choosing the same file name. Closing the descriptor releases the lock.
static int LockFolder(const char* folder)
{
    int file = folder != NULL ? open(folder, O_RDONLY) : -1;
    if (file >= 0)
    {
        flock(file, LOCK_EX); // file systems without locks are accepted
    }
    return file;
}

static bool HasEnding(const char* path, const char* ending)
{
    size_t length = strlen(path), endingLength = strlen(ending);
    return length >= endingLength && strcasecmp(path + length - endingLength, ending) == 0;
}

// The format that tdSaveAsset derives from a path.
static tdSaveFormat GetFormat(const char* path)
{
    bool isGlb = HasEnding(path, ".glb") || HasEnding(path, ".vrm") || strcmp(path, "-") == 0;
    return HasEnding(path, ".gltf") ? TD_SAVE_GLTF : isGlb ? TD_SAVE_GLB : TD_SAVE_SAME;
}

// Whether a path is a regular file, which must not be left incomplete. Writing to a pipe may be interrupted.
static bool IsReplaced(const char* path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

int SaveFile(const Session* session, const tdAsset* asset, const char* input, const char* path,
             const char* inputs, const char* facts, tdReport* report)
{
    fflush(stdout);
    int exitBefore = GetReportExit(report);
    bool isEmbedded = IsGiven(session->options, OPTION_EMBED);
    ProgressLine line;
    StartLoadProgress(&line, session, strcmp(path, "-") == 0 ? "standard output" : path);
    tdAsset* whole = isEmbedded ? tdEmbedFiles(asset, GetFormat(path), report) : NULL;
    int lock = LockFolder(session->lockFolder);
    if (IsReplaced(path))
    {
        BeginWriting();
    }
    bool isSaved = (!isEmbedded || whole != NULL) && tdSaveAsset(isEmbedded ? whole : asset, path, report);
    EndProgressLine(&line);
    EndWriting();
    tdDestroyAsset(whole);
    if (lock >= 0)
    {
        close(lock);
    }
    if (!isSaved && strcmp(path, "-") == 0 && HasNoReader(STDOUT_FILENO))
    {
        return exitBefore; // the reader closed the pipe
    }
    if (!isSaved)
    {
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
    const char* source = finding->source == NULL                        ? "tendon"
                         : strcmp(finding->source, "-") != 0            ? finding->source
                         : strcmp(finding->code, "IO_WRITE_ERROR") == 0 ? "standard output"
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
    PrintFindings(&session->err, report, session->isQuiet ? TD_SEVERITY_ERROR : TD_SEVERITY_WARNING);
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
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
