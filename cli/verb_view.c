// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon view: writes one page with the viewer, a file and all files it refers to.
#include "json.h"
#include "memory.h"
#include "output_file.h"
#include "platform.h"
#include "player.h"
#include "terminal.h"
#include "viewer_page.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 4096

// "models/door.gltf" gives "door.html".
static void MakePagePath(char path[PATH_SIZE], const char* input)
{
    const char* name = strcmp(input, "-") == 0 ? "view" : GetLastPart(input);
    const char* dot = strrchr(name, '.');
    int length = dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, PATH_SIZE, "%.*s.html", length, name);
}

static void PrintPage(const Session* session, const tdAsset* asset, const tdAsset* motion,
                      const OutputFile* file, int besideCount, tdReport* report)
{
    const Options* options = session->options;
    if (IsGiven(options, OPTION_JSON))
    {
        printf("{\"input\":");
        PrintJsonText(stdout, options->files[0]);
        printf(",\"output\":");
        PrintJsonText(stdout, file->path);
        printf(",\"byteCount\":%zu,\"embeddedFiles\":%d,\"issues\":%s}\n", file->byteCount, besideCount,
               tdReport_GetJson(report, NULL));
        return;
    }
    printf("%s\n", file->path);
    fflush(stdout);
    if (!session->isQuiet)
    {
        char inputs[INPUT_TEXT_SIZE] = "", size[16], counts[96];
        AppendInput(inputs, options->files[0], asset);
        if (motion != NULL)
        {
            AppendInput(inputs, options->values[OPTION_MOTION].text, motion);
        }
        FormatSize(size, file->byteCount);
        FormatCounts(counts, report);
        PrintClean(stderr, "%s → %s (%s), ", inputs, file->path, size);
        if (besideCount > 0)
        {
            fprintf(stderr, "%d file%s it refers to embedded, ", besideCount, besideCount == 1 ? "" : "s");
        }
        fprintf(stderr, "%s\n", counts);
    }
}

// Progress of writing the page.
typedef struct PageWork
{
    const OutputFile* file;
    size_t expected; // grows with each file that is read
} PageWork;

static Work GetPageWork(const void* context)
{
    const PageWork* page = context;
    double done = (double)atomic_load_explicit(&page->file->byteCount, memory_order_relaxed);
    return (Work){"writing", done, (double)page->expected, 1e-6, "MB/s"};
}

static size_t ExpectSize(const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    size_t beside = info.kind == TD_FILE_KIND_GLTF ? info.bufferBytes : 0;
    return asset != NULL ? (info.byteCount + beside) / 3 * 4 : 0;
}

#define GAZE_TEXT_SIZE 160

// The script that tells the page what --look-at names; false when there is no such node. Empty without the
// option.
static bool DescribeGaze(const Session* session, const tdAsset* asset, char text[GAZE_TEXT_SIZE])
{
    static const char start[] = "<script type=\"application/octet-stream\" data-role=\"gaze\" data-name=";
    GazeTarget target;
    text[0] = '\0';
    if (asset == NULL || !IsGiven(session->options, OPTION_LOOK_AT))
    {
        return true;
    }
    if (!FindGazeTarget(session, asset, &target))
    {
        return false;
    }
    if (target.node >= 0)
    {
        snprintf(text, GAZE_TEXT_SIZE, "%s\"%d\"></script>\n", start, target.node);
    }
    else
    {
        snprintf(text, GAZE_TEXT_SIZE, "%s\"%.9g,%.9g,%.9g\"></script>\n", start, (double)target.point.x,
                 (double)target.point.y, (double)target.point.z);
    }
    return true;
}

static int SavePage(const Session* session, const tdAsset* asset, const tdAsset* motion,
                    const char* motionName, const char* gaze, const char* path, const Bytes* page,
                    tdReport* report)
{
    OutputFile file;
    int besideCount = 0;
    bool isOpen = OpenOutput(&file, path);
    ProgressLine line;
    PageWork work = {&file, page->size + ExpectSize(asset) + ExpectSize(motion)};
    StartProgressLine(&line, path, GetPageWork, &work, !session->isQuiet);
    PageContent content = {.path = session->options->files[0],
                           .asset = asset,
                           .motionPath = motionName,
                           .motion = motion,
                           .script = gaze,
                           .isSleepOff = IsWord(session->options, OPTION_SLEEP, "off")};
    bool isWhole = isOpen && WritePage(&file, page, &content, &besideCount, report);
    EndProgressLine(&line);
    bool isClosed = CloseOutput(&file, isWhole);
    int result = GetReportExit(report);
    if (isWhole && isClosed)
    {
        ReportFindings(session, report);
    }
    else
    {
        FailFile(session, session->options->files[0], report);
        if (!file.isBroken)
        {
            bool isStandard = strcmp(path, "-") == 0;
            Complain(session, isStandard ? "cannot write %s: %s." : "cannot write \"%s\": %s.",
                     isStandard ? "standard output" : path,
                     file.error != 0 ? strerror(file.error) : "a file could not be read");
        }
        return file.isBroken ? result : EXIT_IO;
    }
    if (strcmp(path, "-") != 0)
    {
        PrintPage(session, asset, motion, &file, besideCount, report);
        if (IsGiven(session->options, OPTION_OPEN))
        {
            char* full = ResolvePath(path);
            char address[PATH_SIZE + 8];
            snprintf(address, sizeof address, "file://%s", full != NULL ? full : path);
            OpenInBrowser(session, address);
            free(full);
        }
    }
    return result;
}

static bool IsSameFile(const char* a, const char* b)
{
    PathInfo first, second;
    return a != NULL && b != NULL && GetPathInfo(a, &first) && GetPathInfo(b, &second) &&
           first.kind == PATH_FILE && first.volume == second.volume && first.index == second.index;
}

int RunView(Session* session)
{
    const Options* options = session->options;
    char ownPath[PATH_SIZE];
    MakePagePath(ownPath, options->files[0]);
    const char* path = IsGiven(options, OPTION_OUTPUT) ? options->values[OPTION_OUTPUT].text : ownPath;
    if (strcmp(path, "-") == 0 && IsGiven(options, OPTION_OPEN))
    {
        Complain(session, "--open needs a file to open; name one with -o.");
        return EXIT_USAGE;
    }
    const char* motionPath = options->values[OPTION_MOTION].text;
    if (IsSameFile(path, options->files[0]) || IsSameFile(path, motionPath))
    {
        Complain(session, "the page would take the place of \"%s\"; name another file with -o.", path);
        return EXIT_USAGE;
    }
    tdReport* report = tdCreateReport(GetMemory());
    Bytes page = ReadViewer(session);
    if (page.data == NULL)
    {
        FailFile(session, options->files[0], report);
        tdDestroyReport(report);
        return EXIT_IO;
    }
    tdAsset* asset = LoadAvatar(session, options->files[0], TD_LOAD_SCENE, report);
    tdAsset* motion =
        motionPath != NULL && asset != NULL ? LoadFile(session, motionPath, TD_LOAD_SCENE, report) : NULL;
    int result;
    char gaze[GAZE_TEXT_SIZE], motionName[PAGE_NAME_SIZE] = "";
    if (!DescribeGaze(session, asset, gaze))
    {
        result = EXIT_USAGE;
    }
    else if (asset != NULL &&
             (motionPath == NULL ||
              (motion != NULL && PreparePageMotion(session, &motion, asset, motionName, report))))
    {
        result = SavePage(session, asset, motion, motionName, gaze, path, &page, report);
    }
    else
    {
        result = FailFile(session, options->files[0], report);
    }
    tdDestroyAsset(motion);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    free(page.data);
    return result;
}
