// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// One page with the viewer, a file and all files it refers to. The viewer without a file is a page
// (web/viewer, built by ./run view); files are inserted as base64 at its mark:
//
//     <script type="application/octet-stream" data-role="main" data-name="door.gltf">…</script>
//
// The page has three.js' decoders between marks: <!--tendon:draco--> to <!--/tendon:draco-->, and the same
// with ktx2. A page with a file keeps those whose extension the file names.
//
// Roles: main (the file), beside (a referenced file, by relative path), motion, and gaze, whose name is the
// index of a node or the three coordinates of a point. The main file carries data-sleep="off" for --sleep
// off.
#include "viewer_page.h"

#include "memory.h"
#include "platform.h"
#include "player.h"
#include "terminal.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 4096

static const char fileMark[] = "<!--tendon:files-->";

// --- the page without a file
// ------------------------------------------------------------------------------------------

static bool IsFile(const char* path)
{
    PathInfo info;
    return GetPathInfo(path, &info) && info.kind == PATH_FILE;
}

// Reads a file; data is NULL and errno set when it cannot be read.
static Bytes ReadBytes(const char* path)
{
    Bytes bytes = {NULL, 0};
    PathInfo info;
    FILE* file = GetPathInfo(path, &info) ? OpenStream(path, "rb") : NULL;
    if (file == NULL)
    {
        return bytes;
    }
    bytes.size = (size_t)info.size;
    bytes.data = AllocateBytes(bytes.size + 1);
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
    const char* given = GetVariable("TENDON_VIEWER");
    if (given != NULL && given[0] != '\0')
    {
        snprintf(path, PATH_SIZE, "%s", given);
        return true;
    }
    char program[PATH_SIZE];
    char* slash = GetProgramPath(program, sizeof program) ? strrchr(program, '/') : NULL;
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

Bytes ReadViewer(const Session* session)
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

// The role of an embedded file, and the options that its script element carries.
typedef struct Role
{
    const char* name;
    bool isSleepOff;
} Role;

static bool WriteFile(OutputFile* file, Role role, const char* name, const void* data, size_t size)
{
    return WriteText(file, "<script type=\"application/octet-stream\" data-role=\"") &&
           WriteText(file, role.name) && WriteText(file, "\" data-name=\"") && WriteAttribute(file, name) &&
           WriteText(file, role.isSleepOff ? "\" data-sleep=\"off\">" : "\">") &&
           WriteBase64(file, data, size) && WriteText(file, "</script>\n");
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
        char** names = ResizeBytes((void*)self->names, (size_t)capacity * sizeof(char*));
        if (names == NULL)
        {
            return false;
        }
        self->names = names;
        self->capacity = capacity;
    }
    char* name = CopyText(uri);
    if (name == NULL)
    {
        return false;
    }
    self->names[self->count++] = name;
    return WriteFile(self->file, (Role){"beside", false}, uri, data, size);
}

static const char* GetShownName(const char* path)
{
    return strcmp(path, "-") == 0 ? "standard input" : GetLastPart(path);
}

// Writes the bytes of a file: an unchanged asset saves as it was read; BVH files are read again.
static bool WriteAsset(OutputFile* file, Role role, const char* path, const tdAsset* asset, tdReport* report)
{
    bool isFine = false;
    if (tdDescribeAsset(asset).kind == TD_FILE_KIND_BVH)
    {
        Bytes bytes = ReadBytes(path);
        isFine = bytes.data != NULL && WriteFile(file, role, GetShownName(path), bytes.data, bytes.size);
        free(bytes.data);
        return isFine;
    }
    size_t size = 0;
    void* data = tdSaveAssetToMemory(asset, TD_SAVE_SAME, GetMemory(), &size, report);
    isFine = data != NULL && WriteFile(file, role, GetShownName(path), data, size);
    tdFreeSaved(data, size, GetMemory());
    return isFine;
}

static bool HasExtensionNamed(const tdAsset* asset, const char* name)
{
    int count = tdDescribeAsset(asset).extensionCount;
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(tdDescribeExtension(asset, i).name, name) == 0)
        {
            return true;
        }
    }
    return false;
}

// Writes the end of the page, without the decoders that the file does not need.
static bool WriteRest(OutputFile* file, const char* rest, const char* end, const tdAsset* asset)
{
    static const struct
    {
        const char *extension, *start, *end;
    } decoders[] = {
        {"KHR_draco_mesh_compression", "<!--tendon:draco-->", "<!--/tendon:draco-->"},
        {"KHR_texture_basisu", "<!--tendon:ktx2-->", "<!--/tendon:ktx2-->"},
    };
    bool isFine = true;
    for (size_t i = 0; i < sizeof decoders / sizeof decoders[0] && isFine; ++i)
    {
        const char* start = strstr(rest, decoders[i].start);
        const char* stop = start != NULL ? strstr(start, decoders[i].end) : NULL;
        if (stop == NULL || HasExtensionNamed(asset, decoders[i].extension))
        {
            continue; // an older page, or a decoder that stays
        }
        isFine = WriteOutput(file, rest, (size_t)(start - rest));
        rest = stop + strlen(decoders[i].end);
    }
    return isFine && WriteOutput(file, rest, (size_t)(end - rest));
}

bool WritePage(OutputFile* file, const Bytes* page, const PageContent* content, int* besideCount,
               tdReport* report)
{
    const char* mark = strstr(page->data, fileMark);
    Embedding embedding = {.file = file};
    bool isFine =
        WriteOutput(file, page->data, (size_t)(mark - page->data)) &&
        WriteText(file, content->script != NULL ? content->script : "") &&
        WriteAsset(file, (Role){"main", content->isSleepOff}, content->path, content->asset, report) &&
        tdAsset_VisitFiles(content->asset, EmbedFile, &embedding, report);
    if (isFine && content->motion != NULL)
    {
        isFine = WriteAsset(file, (Role){"motion", false}, content->motionPath, content->motion, report) &&
                 tdAsset_VisitFiles(content->motion, EmbedFile, &embedding, report);
    }
    mark += strlen(fileMark);
    isFine = isFine && WriteRest(file, mark, page->data + page->size, content->asset);
    *besideCount = embedding.count;
    for (int i = 0; i < embedding.count; ++i)
    {
        free(embedding.names[i]);
    }
    free((void*)embedding.names);
    return isFine;
}

// Whether the page reads the motion itself: a VRMA or BVH by its name, without options that the page lacks.
static bool IsPageMotion(const Options* options)
{
    static const OptionId own[] = {OPTION_CONTACTS,    OPTION_ROOT,          OPTION_FACING,
                                   OPTION_REST,        OPTION_AVATAR_FACING, OPTION_AVATAR_REST,
                                   OPTION_MAP,         OPTION_AVATAR_MAP,    OPTION_BVH_UNIT,
                                   OPTION_TPOSE_FRAME, OPTION_NO_SCALE_HIPS};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
    {
        if (IsGiven(options, own[i]))
        {
            return false;
        }
    }
    const char* path = options->values[OPTION_MOTION].text;
    return HasExtension(path, ".vrma") || HasExtension(path, ".bvh");
}

bool PreparePageMotion(const Session* session, tdAsset** motion, const tdAsset* asset,
                       char name[PAGE_NAME_SIZE], tdReport* report)
{
    const Options* options = session->options;
    const char* path = options->values[OPTION_MOTION].text;
    tdRetargetDef def = MakeRetargetDef(options);
    tdClip* clip = tdRetargetClip(*motion, 0, asset, &def, GetMemory(), report);
    bool isMade = clip != NULL && !IsPageMotion(options);
    if (isMade)
    {
        tdAsset* made = tdMakeMotion(asset, clip, report);
        tdDestroyAsset(*motion);
        *motion = made;
    }
    snprintf(name, PAGE_NAME_SIZE, isMade ? "%s.vrma" : "%s", path);
    tdDestroyClip(clip);
    return clip != NULL && *motion != NULL;
}

void OpenInBrowser(const Session* session, const char* address)
{
    // A path works with more programs than an address of a file.
    const char* place = strncmp(address, "file://", 7) == 0 ? address + 7 : address;
    if (!OpenOnDesktop(place) && !session->isQuiet)
    {
        PrintClean(stderr, "No program opened the page (%s); open %s in a browser.\n", GetDesktopOpener(),
                   address);
    }
}
