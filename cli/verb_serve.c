// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon serve: shows a folder or a file in the browser of this computer, and again when the file changes.
// Every request is handled by a worker process, so that a crash ends one answer only.
//
// See docs/decisions/118-gallery.md.
#include "interrupt.h"
#include "memory.h"
#include "platform.h"
#include "terminal.h"
#include "viewer_page.h"
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 4096
#define REQUEST_SIZE 16384
#define MAX_CHILDREN 8
#define REQUEST_SECONDS 5 // a client that sends nothing for so long is dropped
#define PORT_TRIES 20

typedef struct Server
{
    Session* session;
    char root[PATH_SIZE]; // resolved
    const char* only;     // name of the single file that is served; NULL: the whole folder
    int port;
} Server;

// One request, and what it asks for.
typedef struct Request
{
    intptr_t connection;
    bool isHead;
    char path[PATH_SIZE]; // decoded, starts with a slash
    const char* query;    // without the question mark; "" for none
} Request;

// --- answers ----------------------------------------------------------------------------------------------

static void SendHead(const Request* request, const char* status, const char* type, size_t size)
{
    char head[512];
    int count =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
                 "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                 "Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
                 status, type, size);
    SendBytes(request->connection, head, (size_t)count);
}

// After a failed allocation something may be missing: the answer says so instead.
static void SendText(const Request* request, const char* status, const char* type, const char* text,
                     size_t size)
{
    static const char failure[] = "Out of memory. (OUT_OF_MEMORY)\n";
    if (HasMemoryFailed())
    {
        status = "500 Internal Server Error";
        type = "text/plain; charset=utf-8";
        text = failure;
        size = sizeof failure - 1;
    }
    SendHead(request, status, type, size);
    if (!request->isHead)
    {
        SendBytes(request->connection, text, size);
    }
}

static void Refuse(const Request* request, const char* status)
{
    char text[128];
    int size = snprintf(text, sizeof text, "%s\n", status);
    SendText(request, status, "text/plain; charset=utf-8", text, (size_t)size);
}

// Functions of the system allocate too.
static void NoteSystemMemory(void)
{
    if (errno == ENOMEM)
    {
        NoteMemoryFailure();
    }
}

// Closes a page in memory and sends it.
static void SendMemory(const Request* request, MemoryStream* memory)
{
    CloseMemoryStream(memory);
    if (memory->text == NULL)
    {
        NoteMemoryFailure();
    }
    SendText(request, "200 OK", "text/html; charset=utf-8", memory->text, memory->size);
    free(memory->text);
}

static void PrintHtml(FILE* out, const char* text)
{
    for (; *text != '\0'; ++text)
    {
        switch (*text)
        {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
            break;
        }
    }
}

static void PrintHref(FILE* out, const char* name)
{
    for (; *name != '\0'; ++name)
    {
        unsigned char c = (unsigned char)*name;
        bool isSafe = isalnum(c) != 0 || strchr("-._~", c) != NULL;
        fprintf(out, isSafe ? "%c" : "%%%02X", c);
    }
}

static const char pageHead[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\"><style>:root{color-scheme:light dark}body{font:16px/1.5 "
    "system-ui,sans-serif;max-width:1200px;margin:2em auto;padding:0 "
    "1em}ul{list-style:none;padding:0;display:grid;"
    "gap:14px;grid-template-columns:repeat(auto-fill,minmax(220px,1fr))}a{color:inherit;text-decoration:none;"
    "display:"
    "block;border:1px solid "
    "#8886;border-radius:10px;overflow:hidden}a:hover,a:focus{border-color:#e2683c}img{display:"
    "block;width:100%;aspect-ratio:16/9;background:#8882}span{display:block;padding:8px "
    "12px;overflow-wrap:anywhere}"
    "pre{white-space:pre-wrap}</style>";

// Asks once per second whether the file changed, and loads the page again if it did.
static void FormatWatch(char script[512], uint64_t stamp)
{
    snprintf(script, 512,
             "<script>setInterval(async () => { try { const answer = await fetch(location.pathname + "
             "\"?changed\"); "
             "if (answer.ok && await answer.text() !== \"%llx\") location.reload(); } catch { /* the server "
             "ended */ } }, "
             "1000);</script>",
             (unsigned long long)stamp);
}

// The same for the viewer's page, whose policy allows its own script only: that reads the block and asks.
static void FormatWatchBlock(char block[512], uint64_t stamp)
{
    snprintf(block, 512, "<script id=\"watch\" type=\"text/plain\">%llx</script>\n",
             (unsigned long long)stamp);
}

// --- files ------------------------------------------------------------------------------------------------

static bool IsShown(const char* name)
{
    static const char* const endings[] = {".gltf", ".glb", ".vrm", ".vrma", ".bvh"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
    {
        if (length > strlen(endings[i]) && HasExtension(name, endings[i]))
        {
            return true;
        }
    }
    return false;
}

static uint64_t MixInfo(uint64_t stamp, const PathInfo* info)
{
    const uint64_t parts[3] = {info->modified, info->size, info->index};
    for (int i = 0; i < 3; ++i)
    {
        stamp = (stamp ^ parts[i]) * UINT64_C(0x9E3779B97F4A7C15);
        stamp ^= stamp >> 29;
    }
    return stamp;
}

// Information about a visible entry of a folder.
static bool GetEntryInfo(const char* folder, const char* name, PathInfo* info)
{
    char path[2 * PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return name[0] != '.' && length < (int)sizeof path && GetPathInfo(path, info);
}

// A number that changes with the file and the files of its folder. The order of a folder's entries is
// arbitrary, so their stamps are added.
static uint64_t GetStamp(const char* path)
{
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", path);
    char* slash = strrchr(folder, '/');
    slash[slash == folder ? 1 : 0] = '\0';
    PathInfo info;
    uint64_t stamp = GetPathInfo(path, &info) ? MixInfo(1, &info) : 0;
    Folder* directory = OpenFolder(folder);
    if (directory == NULL)
    {
        NoteSystemMemory();
    }
    for (const char* name = directory != NULL ? ReadFolder(directory) : NULL; name != NULL;
         name = ReadFolder(directory))
    {
        if (GetEntryInfo(folder, name, &info) && info.kind == PATH_FILE)
        {
            stamp += MixInfo(2, &info);
        }
    }
    if (directory != NULL)
    {
        CloseFolder(directory);
    }
    return stamp;
}

// Decodes percent escapes; false for broken ones and control characters.
static bool DecodePath(const char* from, size_t length, char* to, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < length; ++i)
    {
        int c = (unsigned char)from[i];
        if (c == '%')
        {
            char digits[3] = {0};
            if (i + 2 >= length || !isxdigit((unsigned char)from[i + 1]) ||
                !isxdigit((unsigned char)from[i + 2]))
            {
                return false;
            }
            memcpy(digits, from + i + 1, 2);
            c = (int)strtol(digits, NULL, 16);
            i += 2;
        }
        if (c < 32 || c == 127 || used + 1 >= size)
        {
            return false;
        }
        to[used++] = (char)c;
    }
    to[used] = '\0';
    return true;
}

// Whether every part of a path is a visible name: not "..", not hidden.
static bool HasPlainParts(const char* path)
{
    for (const char* part = path; part != NULL; part = strchr(part, '/'))
    {
        part += *part == '/' ? 1 : 0;
        if (*part == '.')
        {
            return false;
        }
    }
    return true;
}

// The file of a request, resolved; false when there is none, or it lies outside of the folder.
static bool FindTarget(const Server* server, const Request* request, char target[PATH_SIZE])
{
    char path[2 * PATH_SIZE];
    const char* name =
        server->only != NULL && strcmp(request->path, "/") == 0 ? server->only : request->path + 1;
    if (!HasPlainParts(request->path) || (server->only != NULL && strcmp(name, server->only) != 0))
    {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", server->root, name);
    char* resolved = ResolvePath(path);
    bool isFound = resolved != NULL && strlen(resolved) < PATH_SIZE;
    memcpy(target, isFound ? resolved : "", isFound ? strlen(resolved) + 1 : 1);
    if (!isFound)
    {
        NoteSystemMemory();
        free(resolved);
        return false;
    }
    free(resolved);
    size_t length = strlen(server->root);
    bool isRoot = server->root[length - 1] == '/';
    length -= isRoot ? 1 : 0;
    return strncmp(target, server->root, length) == 0 && (target[length] == '/' || target[length] == '\0');
}

// --- pages ------------------------------------------------------------------------------------------------

static int CompareNames(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static void PrintEntry(FILE* out, const char* name, bool isFolder)
{
    fprintf(out, "<li><a href=\"");
    PrintHref(out, name);
    fprintf(out, isFolder ? "/\">" : "\">");
    if (!isFolder)
    {
        fprintf(out, "<img loading=\"lazy\" alt=\"\" src=\"");
        PrintHref(out, name);
        fprintf(out, "?picture\">");
    }
    fprintf(out, "<span>");
    PrintHtml(out, name);
    fprintf(out, isFolder ? "/</span></a></li>\n" : "</span></a></li>\n");
}

static void SendListing(const Request* request, const char* folder)
{
    char** names = NULL;
    int count = 0, capacity = 0;
    Folder* directory = OpenFolder(folder);
    MemoryStream memory;
    if (directory == NULL || !OpenMemoryStream(&memory))
    {
        NoteSystemMemory();
        if (directory != NULL)
        {
            CloseFolder(directory);
        }
        Refuse(request, "403 Forbidden");
        return;
    }
    FILE* out = memory.stream;
    for (const char* entry = ReadFolder(directory); entry != NULL; entry = ReadFolder(directory))
    {
        PathInfo info;
        bool isThere = GetEntryInfo(folder, entry, &info);
        if (!isThere || !(info.kind == PATH_FOLDER || (info.kind == PATH_FILE && IsShown(entry))))
        {
            continue;
        }
        if (count == capacity)
        {
            capacity = 2 * capacity + 64;
            char** grown = ResizeBytes((void*)names, sizeof(char*) * (size_t)capacity);
            if (grown == NULL)
            {
                break;
            }
            names = grown;
        }
        names[count] = AllocateBytes(strlen(entry) + 2);
        if (names[count] == NULL)
        {
            break;
        }
        // A leading byte sorts folders before files.
        names[count][0] = info.kind == PATH_FOLDER ? 'a' : 'b';
        memcpy(names[count] + 1, entry, strlen(entry) + 1);
        count += 1;
    }
    CloseFolder(directory);
    if (count > 0)
    {
        qsort((void*)names, (size_t)count, sizeof(char*), CompareNames);
    }
    fprintf(out, "%s<title>", pageHead);
    PrintHtml(out, request->path);
    fprintf(out, "</title><h1>");
    PrintHtml(out, request->path);
    fprintf(out, "</h1><ul>\n");
    if (strcmp(request->path, "/") != 0)
    {
        fprintf(out, "<li><a href=\"../\"><span>../</span></a></li>\n");
    }
    for (int i = 0; i < count; ++i)
    {
        PrintEntry(out, names[i] + 1, names[i][0] == 'a');
        free(names[i]);
    }
    fprintf(out, "</ul>%s</html>\n", count == 0 ? "<p>No files that Tendon reads.</p>" : "");
    free((void*)names);
    SendMemory(request, &memory);
}

// The viewer's policy forbids every connection; a served page asks its own server for changes.
static void AllowOwnServer(Bytes* page)
{
    static const char old[] = "connect-src blob: data:", new[] = "connect-src 'self' blob: data:";
    char* at = strstr(page->data, old);
    size_t extra = sizeof new - sizeof old;
    char* grown = at != NULL ? AllocateBytes(page->size + extra + 1) : NULL;
    if (grown == NULL)
    {
        return;
    }
    size_t before = (size_t)(at - page->data), after = before + sizeof old - 1;
    memcpy(grown, page->data, before);
    memcpy(grown + before, new, sizeof new - 1);
    memcpy(grown + before + sizeof new - 1, page->data + after, page->size - after + 1);
    free(page->data);
    page->data = grown;
    page->size += extra;
}

// A page that names the errors of a file, and waits for a better one.
static void SendFindings(const Request* request, const char* name, const tdReport* report, const char* script)
{
    MemoryStream memory;
    if (!OpenMemoryStream(&memory))
    {
        NoteSystemMemory();
        Refuse(request, "500 Internal Server Error");
        return;
    }
    FILE* out = memory.stream;
    fprintf(out, "%s<title>", pageHead);
    PrintHtml(out, name);
    fprintf(out, "</title><h1>");
    PrintHtml(out, name);
    fprintf(out, " cannot be read.</h1><pre>");
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        fprintf(out, "%s: ", tdSeverity_GetName(finding.severity));
        PrintHtml(out, finding.message);
        fprintf(out, " (%s%s", finding.code, finding.pointer[0] != '\0' ? ", " : "");
        PrintHtml(out, finding.pointer);
        fprintf(out, ")\n");
    }
    fprintf(out, "</pre>%s</html>\n", script);
    SendMemory(request, &memory);
}

static void SendPage(const Server* server, const Request* request, const char* target)
{
    const Options* options = server->session->options;
    const char* motionPath = options->values[OPTION_MOTION].text;
    char script[512];
    FormatWatch(script, GetStamp(target));
    tdReport* report = tdCreateReport(GetMemory());
    tdAsset* asset = LoadFile(server->session, target, TD_LOAD_SCENE, report);
    tdAsset* motion = motionPath != NULL && asset != NULL
                          ? LoadFile(server->session, motionPath, TD_LOAD_SCENE, report)
                          : NULL;
    char motionName[PAGE_NAME_SIZE] = "";
    if (motion != NULL)
    {
        PreparePageMotion(server->session, &motion, asset, motionName, report);
    }
    Bytes page = ReadViewer(server->session);
    int besideCount = 0;
    MemoryStream memory;
    if (page.data == NULL)
    {
        Refuse(request, "500 Internal Server Error");
    }
    else if (asset == NULL || (motionPath != NULL && motion == NULL))
    {
        SendFindings(request, strrchr(target, '/') + 1, report, script);
    }
    else if (!OpenMemoryStream(&memory))
    {
        NoteSystemMemory();
        Refuse(request, "500 Internal Server Error");
    }
    else
    {
        AllowOwnServer(&page);
        FormatWatchBlock(script, GetStamp(target));
        OutputFile file = {.stream = memory.stream, .path = "page"};
        PageContent content = {
            .path = target, .asset = asset, .motionPath = motionName, .motion = motion, .script = script};
        bool isWhole = WritePage(&file, &page, &content, &besideCount, report);
        if (isWhole)
        {
            SendMemory(request, &memory);
        }
        else
        {
            CloseMemoryStream(&memory);
            free(memory.text);
            Refuse(request, "500 Internal Server Error");
        }
    }
    free(page.data);
    tdDestroyAsset(motion);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

static void SendPicture(const Server* server, const Request* request, const char* target)
{
    Options options = *server->session->options;
    Session session = *server->session;
    options.values[OPTION_THUMBNAIL].isGiven = true;
    options.values[OPTION_SIZE] = (OptionValue){.isGiven = true, .text = "320x180"};
    options.values[OPTION_MOTION] = (OptionValue){0};
    session.options = &options;
    session.isQuiet = true;
    MemoryStream memory;
    if (!OpenMemoryStream(&memory))
    {
        NoteSystemMemory();
        Refuse(request, "500 Internal Server Error");
        return;
    }
    DiscardErrors(); // errors of the file are for its page
    int result = RenderToStream(&session, target, memory.stream);
    CloseMemoryStream(&memory);
    if (result <= EXIT_FOUND_ERRORS && memory.text != NULL && memory.size > 0)
    {
        SendText(request, "200 OK", "image/png", memory.text, memory.size);
    }
    else
    {
        Refuse(request, "422 Unprocessable Content");
    }
    free(memory.text);
}

// --- requests ---------------------------------------------------------------------------------------------

// Reads up to the empty line. False when it does not come.
static bool ReadRequest(intptr_t connection, char text[REQUEST_SIZE])
{
    size_t used = 0;
    while (used + 1 < REQUEST_SIZE)
    {
        size_t count = ReceiveBytes(connection, text + used, REQUEST_SIZE - 1 - used, REQUEST_SECONDS * 1000);
        if (count == 0)
        {
            return false;
        }
        used += count;
        text[used] = '\0';
        if (strstr(text, "\r\n\r\n") != NULL)
        {
            return true;
        }
    }
    return false;
}

// Whether the Host header names this server. A page of another site that reaches this address by DNS
// rebinding sends the name of its own site.
static bool IsOwnHost(const Server* server, const char* text)
{
    static const char* const names[] = {"127.0.0.1", "localhost"};
    int hostCount = 0;
    bool isOwn = false;
    for (const char* line = strstr(text, "\r\n"); line != NULL && line[2] != '\r';
         line = strstr(line + 2, "\r\n"))
    {
        if (!StartsWithWord(line + 2, "Host:", 5))
        {
            continue;
        }
        hostCount += 1;
        const char* value = line + 7 + strspn(line + 7, " \t");
        size_t length = strcspn(value, " \t\r");
        for (int i = 0; i < 2; ++i)
        {
            char expected[64];
            int size = snprintf(expected, sizeof expected, "%s:%d", names[i], server->port);
            isOwn = isOwn || ((size_t)size == length && StartsWithWord(value, expected, length));
        }
    }
    return isOwn && hostCount == 1;
}

static void Answer(void* context, intptr_t connection)
{
    const Server* server = context;
    char text[REQUEST_SIZE], target[PATH_SIZE];
    Request request = {.connection = connection, .query = ""};
    if (!ReadRequest(connection, text))
    {
        return;
    }
    bool isGet = strncmp(text, "GET ", 4) == 0;
    request.isHead = strncmp(text, "HEAD ", 5) == 0;
    char* start = text + (isGet ? 4 : 5);
    size_t length = strcspn(start, " \r\n");
    if (!isGet && !request.isHead)
    {
        Refuse(&request, "405 Method Not Allowed");
        return;
    }
    if (!IsOwnHost(server, text))
    {
        Refuse(&request, "403 Forbidden");
        return;
    }
    start[length] = '\0';
    char* question = strchr(start, '?');
    if (question != NULL)
    {
        *question = '\0';
        request.query = question + 1;
    }
    if (start[0] != '/' || !DecodePath(start, strlen(start), request.path, sizeof request.path))
    {
        Refuse(&request, "400 Bad Request");
        return;
    }
    PathInfo info;
    if (!FindTarget(server, &request, target) || !GetPathInfo(target, &info))
    {
        Refuse(&request, "404 Not Found");
    }
    else if (info.kind == PATH_FOLDER && request.path[strlen(request.path) - 1] == '/')
    {
        SendListing(&request, target);
    }
    else if (info.kind != PATH_FILE || !IsShown(target))
    {
        Refuse(&request, "404 Not Found");
    }
    else if (strcmp(request.query, "changed") == 0)
    {
        char stamp[32];
        int size = snprintf(stamp, sizeof stamp, "%llx", (unsigned long long)GetStamp(target));
        SendText(&request, "200 OK", "text/plain; charset=utf-8", stamp, (size_t)size);
    }
    else if (strcmp(request.query, "picture") == 0)
    {
        SendPicture(server, &request, target);
    }
    else
    {
        SendPage(server, &request, target);
    }
}

// --- the server -------------------------------------------------------------------------------------------

// Listens on 127.0.0.1, on the given port or one of the next. -1 when that fails.
static intptr_t Listen(const Session* session, int* port)
{
    bool isFixed = IsGiven(session->options, OPTION_PORT);
    int first = *port;
    intptr_t listener = -1;
    for (int i = 0; i < (isFixed ? 1 : PORT_TRIES) && listener < 0; ++i)
    {
        *port = first + i;
        listener = ListenOnPort(port);
    }
    *port = listener < 0 ? first : *port;
    return listener;
}

static void AnswerAsChild(void* context, intptr_t connection)
{
    BecomeChild();
    AllowInterrupts();
    Answer(context, connection);
}

static void AcceptClients(Server* server, intptr_t listener)
{
    for (;;)
    {
        intptr_t client = AcceptConnection(listener, CountAnswers(MAX_CHILDREN) > 0 ? 200 : -1);
        if (client < 0)
        {
            continue;
        }
        HoldInterrupts();
        ForgetMemoryFailure();
        AnswerInWorker(listener, client, AnswerAsChild, server);
        AllowInterrupts();
    }
}

// Splits the file or folder of the command line into root and name. False after an error message.
static bool SetRoot(Server* server, const char* path)
{
    PathInfo info;
    char* resolved = ResolvePath(path);
    bool isFound = resolved != NULL && strlen(resolved) < PATH_SIZE && GetPathInfo(resolved, &info);
    int error = errno;
    memcpy(server->root, isFound ? resolved : "", isFound ? strlen(resolved) + 1 : 1);
    if (!isFound)
    {
        NoteSystemMemory();
        free(resolved);
        Complain(server->session, "cannot read \"%s\": %s.", path, strerror(error));
        return false;
    }
    free(resolved);
    if (info.kind == PATH_FOLDER)
    {
        return true;
    }
    char* slash = strrchr(server->root, '/');
    if (!IsShown(slash + 1))
    {
        Complain(server->session, "\"%s\" is no glTF, GLB, VRM, VRMA or BVH file.", path);
        return false;
    }
    *slash = '\0';
    server->only = slash + 1;
    return true;
}

int RunServe(Session* session)
{
    static Server server;
    const Options* options = session->options;
    server.session = session;
    server.port = (int)options->values[OPTION_PORT].number;
    Bytes page = ReadViewer(session);
    if (page.data == NULL || !SetRoot(&server, options->files[0]))
    {
        free(page.data);
        return EXIT_IO;
    }
    free(page.data);
    if (GetWorkerRequest() != NULL)
    {
        // "serve CONNECTION PORT", see AnswerInWorker
        char* end = NULL;
        intptr_t connection = (intptr_t)strtoll(GetWorkerRequest() + strlen("serve "), &end, 10);
        server.port = atoi(end);
        BecomeChild();
        Answer(&server, connection);
        CloseConnection(connection);
        return EXIT_FINE;
    }
    intptr_t listener = Listen(session, &server.port);
    if (listener < 0)
    {
        Complain(session, "cannot listen on port %d: %s.", server.port, strerror(errno));
        return EXIT_IO;
    }
    char address[64];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/", server.port);
    printf("%s\n", address);
    fflush(stdout);
    if (!session->isQuiet)
    {
        PrintClean(stderr, "Serving %s on this computer only; Ctrl-C ends it.\n", options->files[0]);
    }
    if (IsGiven(options, OPTION_OPEN))
    {
        OpenInBrowser(session, address);
    }
    AcceptClients(&server, listener);
    return EXIT_FINE;
}
