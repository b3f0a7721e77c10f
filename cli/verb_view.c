// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon view: writes one page with the viewer, a file and all files it refers to. The viewer without a file
// is a page (web/viewer, built by ./run view); files are inserted as base64 at its mark:
//
//     <script type="application/octet-stream" data-role="main" data-name="door.gltf">…</script>
//
// Roles: main (the file), beside (a referenced file, by relative path), motion.
#define _XOPEN_SOURCE 700 // realpath, readlink

#include "json.h"
#include "output_file.h"
#include "session.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_SIZE 4096

extern char** environ;

static const char fileMark[] = "<!--tendon:files-->";

// --- the page without a file
// ------------------------------------------------------------------------------------------

typedef struct Bytes
{
    char* data; // `size` bytes and a terminating zero
    size_t size;
} Bytes;

static bool IsFile(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Reads a file; data is NULL and errno set when it cannot be read.
static Bytes ReadBytes(const char* path)
{
    Bytes bytes = {NULL, 0};
    struct stat status;
    FILE* file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0 || status.st_size < 0)
    {
        if (file != NULL)
        {
            fclose(file);
        }
        return bytes;
    }
    bytes.size = (size_t)status.st_size;
    bytes.data = malloc(bytes.size + 1);
    if (bytes.data != NULL && fread(bytes.data, 1, bytes.size, file) != bytes.size)
    {
        free(bytes.data);
        bytes.data = NULL;
        errno = ferror(file) != 0 && errno != 0 ? errno : EIO;
    }
    if (bytes.data != NULL)
    {
        bytes.data[bytes.size] = '\0';
    }
    fclose(file);
    return bytes;
}

// Finds the viewer: $TENDON_VIEWER, the installed page, the page of the source tree.
static bool FindViewer(char path[PATH_SIZE])
{
    static const char* const places[] = {"/../share/tendon/viewer.html", "/../viewer/viewer.html"};
    const char* given = getenv("TENDON_VIEWER");
    if (given != NULL && given[0] != '\0')
    {
        snprintf(path, PATH_SIZE, "%s", given);
        return true;
    }
    char program[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(program, '/');
    if (slash == NULL)
    {
        return false;
    }
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i)
    {
        int size = snprintf(path, PATH_SIZE, "%s%s", program, places[i]);
        if (size < PATH_SIZE && IsFile(path))
        {
            return true;
        }
    }
    return false;
}

// Data is NULL after an error message.
static Bytes ReadViewer(const Session* session)
{
    char path[PATH_SIZE];
    if (!FindViewer(path))
    {
        Complain(session, "the viewer page is not built; `./run view FILE` in the source tree builds it, and "
                          "$TENDON_VIEWER can name one.");
        return (Bytes){NULL, 0};
    }
    Bytes page = ReadBytes(path);
    if (page.data == NULL)
    {
        Complain(session, "cannot read the viewer page \"%s\": %s.", path, strerror(errno));
    }
    else if (strstr(page.data, fileMark) == NULL)
    {
        Complain(session, "\"%s\" is no viewer page: it has no %s.", path, fileMark);
        free(page.data);
        page.data = NULL;
    }
    return page;
}

// --- files as text
// ----------------------------------------------------------------------------------------------------

static bool WriteText(OutputFile* file, const char* text)
{
    return WriteOutput(file, text, strlen(text));
}

// Escapes names for an attribute in double quotes.
static bool WriteAttribute(OutputFile* file, const char* text)
{
    bool isFine = true;
    for (; *text != '\0' && isFine; ++text)
    {
        const char* escaped = *text == '&' ? "&amp;" : *text == '"' ? "&quot;" : *text == '<' ? "&lt;" : NULL;
        isFine = escaped != NULL ? WriteText(file, escaped) : WriteOutput(file, text, 1);
    }
    return isFine;
}

static bool WriteBase64(OutputFile* file, const uint8_t* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4096];
    size_t length = 0;
    bool isFine = true;
    for (size_t i = 0; i < size && isFine; i += 3)
    {
        size_t rest = size - i;
        unsigned bits = (unsigned)bytes[i] << 16 | (rest > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (rest > 2 ? (unsigned)bytes[i + 2] : 0);
        text[length++] = digits[bits >> 18];
        text[length++] = digits[bits >> 12 & 63];
        text[length++] = rest > 1 ? digits[bits >> 6 & 63] : '=';
        text[length++] = rest > 2 ? digits[bits & 63] : '=';
        if (length == sizeof text)
        {
            isFine = WriteOutput(file, text, length);
            length = 0;
        }
    }
    return isFine && WriteOutput(file, text, length);
}

static bool WriteFile(OutputFile* file, const char* role, const char* name, const void* data, size_t size)
{
    return WriteText(file, "<script type=\"application/octet-stream\" data-role=\"") &&
           WriteText(file, role) && WriteText(file, "\" data-name=\"") && WriteAttribute(file, name) &&
           WriteText(file, "\">") && WriteBase64(file, data, size) && WriteText(file, "</script>\n");
}

// --- the page with the file
// -------------------------------------------------------------------------------------------

typedef struct Embedding
{
    OutputFile* file;
    char** names; // of the embedded files
    int count, capacity;
} Embedding;

static bool EmbedFile(void* context, const char* uri, const void* data, size_t size)
{
    Embedding* self = context;
    for (int i = 0; i < self->count; ++i)
    {
        if (strcmp(self->names[i], uri) == 0)
        {
            return true;
        }
    }
    if (self->count == self->capacity)
    {
        int capacity = 2 * self->capacity + 16;
        char** names = realloc((void*)self->names, (size_t)capacity * sizeof(char*));
        if (names == NULL)
        {
            return false;
        }
        self->names = names;
        self->capacity = capacity;
    }
    char* name = strdup(uri);
    if (name == NULL)
    {
        return false;
    }
    self->names[self->count++] = name;
    return WriteFile(self->file, "beside", uri, data, size);
}

static const char* GetFileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "standard input" : slash != NULL ? slash + 1 : path;
}

// Writes the bytes of a file: an unchanged asset saves as it was read; BVH files are read again.
static bool WriteAsset(OutputFile* file, const char* role, const char* path, const tdAsset* asset,
                       tdReport* report)
{
    bool isFine = false;
    if (tdDescribeAsset(asset).kind == TD_FILE_KIND_BVH)
    {
        Bytes bytes = ReadBytes(path);
        isFine = bytes.data != NULL && WriteFile(file, role, GetFileName(path), bytes.data, bytes.size);
        free(bytes.data);
        return isFine;
    }
    size_t size = 0;
    void* data = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, &size, report);
    isFine = data != NULL && WriteFile(file, role, GetFileName(path), data, size);
    tdFreeSaved(data, size, NULL);
    return isFine;
}

// Embeds a file with all files it refers to. A name is embedded once, so a motion adds only files whose names
// the main file does not use.
static bool WritePage(const Session* session, OutputFile* file, const Bytes* page, const tdAsset* asset,
                      const tdAsset* motion, int* besideCount, tdReport* report)
{
    const Options* options = session->options;
    const char* mark = strstr(page->data, fileMark);
    Embedding embedding = {.file = file};
    bool isFine = WriteOutput(file, page->data, (size_t)(mark - page->data)) &&
                  WriteAsset(file, "main", options->files[0], asset, report) &&
                  tdAsset_VisitFiles(asset, EmbedFile, &embedding, report);
    if (isFine && motion != NULL)
    {
        isFine = WriteAsset(file, "motion", options->values[OPTION_MOTION].text, motion, report) &&
                 tdAsset_VisitFiles(motion, EmbedFile, &embedding, report);
    }
    mark += strlen(fileMark);
    isFine = isFine && WriteOutput(file, mark, (size_t)(page->data + page->size - mark));
    *besideCount = embedding.count;
    for (int i = 0; i < embedding.count; ++i)
    {
        free(embedding.names[i]);
    }
    free((void*)embedding.names);
    return isFine;
}

// --- the verb
// ---------------------------------------------------------------------------------------------------------

// "models/door.gltf" gives "door.html".
static void MakePagePath(char path[PATH_SIZE], const char* input)
{
    const char* name = strcmp(input, "-") == 0 ? "view" : GetFileName(input);
    const char* dot = strrchr(name, '.');
    int length = dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, PATH_SIZE, "%.*s.html", length, name);
}

static bool OpenPage(const Session* session, const char* path)
{
    char* full = realpath(path, NULL);
    char* arguments[] = {(char*)"xdg-open", full != NULL ? full : (char*)(uintptr_t)path, NULL};
    pid_t child = 0;
    int status = 0;
    int error = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
    bool isOpened = error == 0 && waitpid(child, &status, 0) == child && status == 0;
    if (!isOpened)
    {
        Complain(session, "xdg-open did not open the page; open \"%s\" in a browser.", path);
    }
    free(full);
    return isOpened;
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
        fprintf(stderr, "%s → %s (%s), ", inputs, file->path, size);
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
    double done = (double)__atomic_load_n(&page->file->byteCount, __ATOMIC_RELAXED);
    return (Work){"writing", done, (double)page->expected, 1e-6, "MB/s"};
}

static size_t ExpectSize(const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    size_t beside = info.kind == TD_FILE_KIND_GLTF ? info.bufferBytes : 0;
    return asset != NULL ? (info.byteCount + beside) / 3 * 4 : 0;
}

static int SavePage(const Session* session, const tdAsset* asset, const tdAsset* motion, const char* path,
                    const Bytes* page, tdReport* report)
{
    OutputFile file;
    int besideCount = 0;
    bool isOpen = OpenOutput(&file, path);
    ProgressLine line;
    PageWork work = {&file, page->size + ExpectSize(asset) + ExpectSize(motion)};
    StartProgressLine(&line, path, GetPageWork, &work, !session->isQuiet);
    bool isWhole = isOpen && WritePage(session, &file, page, asset, motion, &besideCount, report);
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
        bool isOpened = !IsGiven(session->options, OPTION_OPEN) || OpenPage(session, path);
        result = isOpened ? result : WorseExit(result, EXIT_IO);
    }
    return result;
}

static bool IsSameFile(const char* a, const char* b)
{
    struct stat first, second;
    return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// The page retargets the motion. One that cannot be retargeted is reported here, as by `tendon retarget`.
static bool CanPlayMotion(const tdAsset* motion, const tdAsset* asset, tdReport* report)
{
    tdClip* clip = tdRetargetClip(motion, 0, asset, NULL, NULL, report);
    tdDestroyClip(clip);
    return clip != NULL;
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
    tdReport* report = tdCreateReport(NULL);
    Bytes page = ReadViewer(session);
    if (page.data == NULL)
    {
        FailFile(session, options->files[0], report);
        tdDestroyReport(report);
        return EXIT_IO;
    }
    tdAsset* asset = LoadFile(session, options->files[0], TD_LOAD_SCENE, report);
    tdAsset* motion =
        motionPath != NULL && asset != NULL ? LoadFile(session, motionPath, TD_LOAD_SCENE, report) : NULL;
    int result;
    if (asset != NULL && (motionPath == NULL || (motion != NULL && CanPlayMotion(motion, asset, report))))
    {
        result = SavePage(session, asset, motion, path, &page, report);
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
