// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The platform layer of the program for Windows. Paths and arguments are converted between UTF-8 and UTF-16;
// absolute paths get the prefix that lifts the limit of 260 characters. Processes cannot be forked: a worker
// is the same program once more, with its request in the environment.
#if defined(_WIN32)

#include "platform_windows.h"

#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <shellapi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define REQUEST_VARIABLE L"TENDON_WORKER" // "HANDLE REQUEST": the shared memory and the request
#define LONGEST_PATH 32768                // characters, with the prefix
#define RENAME_ATTEMPTS 20                // a virus scanner may hold a new file for a moment
#define RENAME_WAIT 10                    // ms
#define LOCK_OFFSET_HIGH 0x7fffffffu      // upper half of the offset of the locked byte, as in the library
#define WORKER_WAIT 10000                 // ms for an interrupted worker to finish its file

// --- texts ------------------------------------------------------------------------------------------------

static void SetErrno(DWORD error)
{
    switch (error)
    {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_INVALID_DRIVE:
        errno = ENOENT;
        break;
    case ERROR_DIRECTORY:
        errno = ENOTDIR;
        break;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        errno = EACCES;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        errno = ENOMEM;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
        errno = EPIPE;
        break;
    default:
        errno = EIO;
    }
}

/// For free(); NULL with errno.
static wchar_t* MakeWide(const char* text)
{
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t* wide = length > 0 ? malloc(sizeof(wchar_t) * (size_t)length) : NULL;
    if (wide == NULL)
    {
        errno = length > 0 ? ENOMEM : ENOENT;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

/// For free(); NULL with errno.
static char* MakeNarrow(const wchar_t* wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char* text = size > 0 ? malloc((size_t)size) : NULL;
    if (text == NULL)
    {
        errno = ENOMEM;
        return NULL;
    }
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

static void TurnBackslashes(char* text)
{
    for (; *text != '\0'; ++text)
    {
        *text = *text == '\\' ? '/' : *text;
    }
}

wchar_t* MakeWidePath(const char* path)
{
    wchar_t* wide = MakeWide(path);
    if (wide == NULL)
    {
        return NULL;
    }
    for (wchar_t* c = wide; *c != 0; ++c)
    {
        *c = *c == L'/' ? L'\\' : *c;
    }
    bool isNet = wcsncmp(wide, L"\\\\", 2) == 0;
    if (wcslen(wide) < 200 || wcsncmp(wide, L"\\\\?\\", 4) == 0)
    {
        return wide;
    }
    DWORD length = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t* full = length > 0 ? malloc(sizeof(wchar_t) * (length + 8)) : NULL;
    if (full != NULL)
    {
        const wchar_t* prefix = isNet ? L"\\\\?\\UNC\\" : L"\\\\?\\";
        size_t offset = wcslen(prefix);
        GetFullPathNameW(wide, length, full + offset - (isNet ? 2 : 0), NULL);
        memcpy(full, prefix, sizeof(wchar_t) * offset);
    }
    free(wide);
    return full;
}

// --- the process ------------------------------------------------------------------------------------------

static UINT oldCodePage;

static void RestoreConsole(void)
{
    SetConsoleOutputCP(oldCodePage);
}

void PrepareStreams(void)
{
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    static const DWORD outputs[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (int i = 0; i < 2; ++i)
    {
        HANDLE console = GetStdHandle(outputs[i]);
        DWORD mode;
        if (GetConsoleMode(console, &mode) != 0)
        {
            SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            if (oldCodePage == 0)
            {
                oldCodePage = GetConsoleOutputCP();
                SetConsoleOutputCP(CP_UTF8);
                atexit(RestoreConsole);
            }
        }
    }
}

char** GetArguments(int* count, char** arguments)
{
    int wideCount = 0;
    wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &wideCount);
    char** texts = wide != NULL ? calloc((size_t)wideCount + 1, sizeof(char*)) : NULL;
    for (int i = 0; i < wideCount && texts != NULL; ++i)
    {
        texts[i] = MakeNarrow(wide[i]);
        if (texts[i] == NULL)
        {
            texts = NULL; // out of memory: the arguments in the code page of the system
            break;
        }
        TurnBackslashes(texts[i]);
    }
    LocalFree(wide);
    *count = texts != NULL ? wideCount : *count;
    return texts != NULL ? texts : arguments;
}

const char* GetVariable(const char* name)
{
    static char* value;
    free(value);
    value = NULL;
    wchar_t* wideName = MakeWide(name);
    DWORD size = wideName != NULL ? GetEnvironmentVariableW(wideName, NULL, 0) : 0;
    wchar_t* wide = size > 0 ? malloc(sizeof(wchar_t) * size) : NULL;
    if (wide != NULL && GetEnvironmentVariableW(wideName, wide, size) < size)
    {
        value = MakeNarrow(wide);
    }
    free(wide);
    free(wideName);
    return value;
}

bool GetProgramPath(char* path, size_t size)
{
    wchar_t wide[4096];
    DWORD length = GetModuleFileNameW(NULL, wide, 4096);
    bool isFound = length > 0 && length < 4096 &&
                   WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) > 0;
    path[0] = isFound ? path[0] : '\0';
    TurnBackslashes(path);
    return isFound;
}

uint64_t GetOwnProcessId(void)
{
    return GetCurrentProcessId();
}

int CountProcessors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors < 1 ? 1 : (int)info.dwNumberOfProcessors;
}

double GetMonotonicSeconds(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

static HANDLE GetStreamHandle(FILE* stream)
{
    return (HANDLE)_get_osfhandle(_fileno(stream));
}

bool IsTerminal(FILE* stream)
{
    DWORD mode;
    return GetConsoleMode(GetStreamHandle(stream), &mode) != 0;
}

bool HasNoReader(FILE* stream)
{
    // A blocking pipe fails for no other reason. The error of the first failed write may be gone by now, and
    // writing nothing to a closed pipe succeeds on some systems.
    return GetFileType(GetStreamHandle(stream)) == FILE_TYPE_PIPE;
}

_Noreturn void EndProcess(int exitCode)
{
    TerminateProcess(GetCurrentProcess(), (UINT)exitCode);
    for (;;)
    {
        Sleep(INFINITE);
    }
}

void PrintFromHandler(const char* text)
{
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, (DWORD)strlen(text), &written, NULL);
}

// --- files ------------------------------------------------------------------------------------------------

static bool ReadPathInfo(const char* path, PathInfo* info, DWORD flags)
{
    wchar_t* wide = MakeWidePath(path);
    if (wide == NULL)
    {
        return false;
    }
    HANDLE file =
        CreateFileW(wide, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    free(wide);
    BY_HANDLE_FILE_INFORMATION found;
    if (file == INVALID_HANDLE_VALUE)
    {
        SetErrno(GetLastError());
        return false;
    }
    *info = (PathInfo){.kind = PATH_STREAM};
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &found) != 0)
    {
        bool isFolder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
        bool isLink = flags != 0 && (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
        info->kind = isLink ? PATH_LINK : isFolder ? PATH_FOLDER : PATH_FILE;
        info->size = isFolder ? 0 : (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
        info->volume = found.dwVolumeSerialNumber;
        info->index = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
        info->modified =
            (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    }
    CloseHandle(file);
    return true;
}

bool GetPathInfo(const char* path, PathInfo* info)
{
    return ReadPathInfo(path, info, 0);
}

bool GetLinkInfo(const char* path, PathInfo* info)
{
    return ReadPathInfo(path, info, FILE_FLAG_OPEN_REPARSE_POINT);
}

FILE* OpenStream(const char* path, const char* mode)
{
    wchar_t* wide = MakeWidePath(path);
    if (wide == NULL)
    {
        return NULL;
    }
    bool isRead = strchr(mode, 'r') != NULL, isExclusive = strchr(mode, 'x') != NULL;
    int flags = (isRead ? _O_RDONLY : _O_WRONLY | _O_CREAT | _O_TRUNC) | _O_BINARY;
    int descriptor = -1;
    if (isExclusive)
    {
        // Unlike _wopen, this permits to rename the file while it is open.
        HANDLE file =
            CreateFileW(wide, GENERIC_WRITE, SHARE_ALL, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE)
        {
            SetErrno(GetLastError());
        }
        else
        {
            descriptor = _open_osfhandle((intptr_t)file, _O_WRONLY | _O_BINARY);
        }
    }
    else
    {
        descriptor = _wopen(wide, flags | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    }
    int error = errno;
    free(wide);
    errno = error;
    FILE* stream = descriptor >= 0 ? _fdopen(descriptor, isRead ? "rb" : "wb") : NULL;
    if (stream == NULL && descriptor >= 0)
    {
        _close(descriptor);
    }
    return stream;
}

bool SyncStream(FILE* stream)
{
    return _commit(_fileno(stream)) == 0;
}

char* ResolvePath(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    if (wide == NULL)
    {
        return NULL;
    }
    HANDLE file = CreateFileW(wide, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
    {
        SetErrno(GetLastError());
        free(wide);
        return NULL;
    }
    wchar_t* full = malloc(sizeof(wchar_t) * LONGEST_PATH);
    DWORD written =
        full != NULL ? GetFinalPathNameByHandleW(file, full, LONGEST_PATH, FILE_NAME_NORMALIZED) : 0;
    if (full != NULL && written == 0 && GetLastError() == ERROR_MORE_DATA)
    {
        written = GetFullPathNameW(wide, LONGEST_PATH, full, NULL); // wine 8: its long paths keep their links
    }
    free(wide);
    CloseHandle(file);
    char* resolved = NULL;
    errno = EIO;
    if (written > 0 && written < LONGEST_PATH)
    {
        bool isNet = wcsncmp(full, L"\\\\?\\UNC\\", 8) == 0, isLong = wcsncmp(full, L"\\\\?\\", 4) == 0;
        wchar_t* start = isNet ? full + 6 : isLong ? full + 4 : full;
        start[0] = isNet ? L'\\' : start[0];
        resolved = MakeNarrow(start);
    }
    free(full);
    if (resolved != NULL)
    {
        TurnBackslashes(resolved);
    }
    return resolved;
}

bool IsWritable(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    DWORD attributes = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    errno = attributes == INVALID_FILE_ATTRIBUTES ? ENOENT : EACCES;
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) == 0;
}

void CopyPermissions(const char* from, const char* to)
{
    // A new file inherits the access rights of its folder.
    (void)from;
    (void)to;
}

bool RenameOver(const char* path, const char* target)
{
    wchar_t *from = MakeWidePath(path), *to = from != NULL ? MakeWidePath(target) : NULL;
    DWORD error = ERROR_OUTOFMEMORY;
    for (int attempt = 0; to != NULL && attempt < RENAME_ATTEMPTS; ++attempt)
    {
        bool isMoved = MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
        error = isMoved ? 0 : GetLastError();
        if (error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED)
        {
            break;
        }
        Sleep(RENAME_WAIT);
    }
    free(from);
    free(to);
    if (error != 0)
    {
        SetErrno(error);
    }
    return error == 0;
}

void RemoveFile(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    if (wide != NULL)
    {
        DeleteFileW(wide);
    }
    free(wide);
}

bool MakeOneFolder(const char* path)
{
    wchar_t* wide = MakeWidePath(path);
    bool isMade = wide != NULL && CreateDirectoryW(wide, NULL) != 0;
    if (wide != NULL && !isMade)
    {
        SetErrno(GetLastError());
    }
    free(wide);
    return isMade;
}

struct Folder
{
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool hasFound;
    char name[4 * MAX_PATH];
};

Folder* OpenFolder(const char* path)
{
    size_t size = strlen(path) + 3;
    char* pattern = malloc(size);
    Folder* folder = malloc(sizeof *folder);
    wchar_t* wide = NULL;
    if (pattern != NULL && folder != NULL)
    {
        snprintf(pattern, size, "%s/*", path);
        wide = MakeWidePath(pattern);
    }
    folder = wide != NULL ? folder : (free(folder), NULL);
    if (folder != NULL)
    {
        folder->search = FindFirstFileW(wide, &folder->found);
        folder->hasFound = folder->search != INVALID_HANDLE_VALUE;
        if (!folder->hasFound)
        {
            SetErrno(GetLastError());
            free(folder);
            folder = NULL;
        }
    }
    free(wide);
    free(pattern);
    return folder;
}

const char* ReadFolder(Folder* folder)
{
    while (folder->hasFound)
    {
        bool isName = WideCharToMultiByte(CP_UTF8, 0, folder->found.cFileName, -1, folder->name,
                                          sizeof folder->name, NULL, NULL) > 0;
        folder->hasFound = FindNextFileW(folder->search, &folder->found) != 0;
        if (isName && strcmp(folder->name, ".") != 0 && strcmp(folder->name, "..") != 0)
        {
            return folder->name;
        }
    }
    return NULL;
}

void CloseFolder(Folder* folder)
{
    FindClose(folder->search);
    free(folder);
}

bool OpenMemoryStream(MemoryStream* memory)
{
    // A temporary file that the system keeps in its cache and removes when it is closed.
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    *memory = (MemoryStream){NULL, NULL, 0};
    if (GetTempPathW(MAX_PATH + 1, folder) == 0 || GetTempFileNameW(folder, L"tdn", 0, path) == 0)
    {
        errno = EIO;
        return false;
    }
    int flags = _O_RDWR | _O_CREAT | _O_TRUNC | _O_BINARY | _O_TEMPORARY | _O_SHORT_LIVED | _O_NOINHERIT;
    int descriptor = _wopen(path, flags, _S_IREAD | _S_IWRITE);
    memory->stream = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
    return memory->stream != NULL;
}

void CloseMemoryStream(MemoryStream* memory)
{
    fflush(memory->stream);
    long size = fseek(memory->stream, 0, SEEK_END) == 0 ? ftell(memory->stream) : -1;
    memory->size = size > 0 ? (size_t)size : 0;
    memory->text = malloc(memory->size + 1);
    rewind(memory->stream);
    if (memory->text != NULL && fread(memory->text, 1, memory->size, memory->stream) == memory->size &&
        size >= 0)
    {
        memory->text[memory->size] = '\0';
    }
    else
    {
        free(memory->text);
        memory->text = NULL;
    }
    fclose(memory->stream);
    memory->stream = NULL;
}

// --- interrupts -------------------------------------------------------------------------------------------

static Handlers installed;
static SRWLOCK interruptLock = SRWLOCK_INIT;
static DWORD holder; // thread that blocks interrupts; only it reads its own id here

static BOOL WINAPI HandleConsole(DWORD event)
{
    (void)event;
    AcquireSRWLockExclusive(&interruptLock); // waits for UnblockInterrupts
    ReleaseSRWLockExclusive(&interruptLock);
    installed.interrupt();
    return TRUE;
}

static LONG WINAPI HandleException(EXCEPTION_POINTERS* exception)
{
    (void)exception;
    installed.crash(false);
    return EXCEPTION_EXECUTE_HANDLER;
}

static void HandleAbort(int signal)
{
    (void)signal;
    installed.crash(true);
}

void InstallSystemHandlers(const Handlers* handlers)
{
    installed = *handlers;
    SetConsoleCtrlHandler(HandleConsole, TRUE);
    SetUnhandledExceptionFilter(HandleException);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    signal(SIGABRT, HandleAbort);
}

void BlockInterrupts(void)
{
    if (holder != GetCurrentThreadId())
    {
        AcquireSRWLockExclusive(&interruptLock);
        holder = GetCurrentThreadId();
    }
}

void UnblockInterrupts(void)
{
    if (holder == GetCurrentThreadId())
    {
        holder = 0;
        ReleaseSRWLockExclusive(&interruptLock);
    }
}

// --- a thread in the background ---------------------------------------------------------------------------

struct Background
{
    HANDLE end; // an event
    HANDLE thread;
    RunBackgroundFcn* run;
    void* context;
};

static unsigned __stdcall RunBackgroundThread(void* argument)
{
    Background* background = argument;
    background->run(background, background->context);
    return 0;
}

Background* StartBackground(RunBackgroundFcn* run, void* context)
{
    Background* background = malloc(sizeof *background);
    if (background == NULL)
    {
        return NULL;
    }
    *background = (Background){CreateEventW(NULL, TRUE, FALSE, NULL), NULL, run, context};
    background->thread = (HANDLE)_beginthreadex(NULL, 0, RunBackgroundThread, background, 0, NULL);
    if (background->thread == NULL)
    {
        CloseHandle(background->end);
        free(background);
        return NULL;
    }
    return background;
}

bool WaitForEnd(Background* background, int milliseconds)
{
    return WaitForSingleObject(background->end, (DWORD)milliseconds) != WAIT_TIMEOUT;
}

void EndBackground(Background* background)
{
    if (background != NULL)
    {
        SetEvent(background->end);
        WaitForSingleObject(background->thread, INFINITE);
        CloseHandle(background->thread);
        CloseHandle(background->end);
        free(background);
    }
}

// --- worker processes -------------------------------------------------------------------------------------

static HANDLE sharedMemory; // inherited by workers

/// All workers belong to a job that ends with this process, so that none outlives it.
static HANDLE GetJob(void)
{
    static HANDLE job;
    if (job == NULL)
    {
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
        memset(&limits, 0, sizeof limits);
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        job = CreateJobObjectW(NULL, NULL);
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    }
    return job;
}

/// Starts a process that inherits exactly the given handles.
static HANDLE StartProcess(const wchar_t* program, wchar_t* commandLine, HANDLE streams[3], HANDLE other)
{
    HANDLE inherited[4];
    DWORD count = 0;
    for (int i = 0; i < 3; ++i)
    {
        bool isNew = streams[i] != NULL && streams[i] != INVALID_HANDLE_VALUE;
        for (DWORD k = 0; k < count && isNew; ++k)
        {
            isNew = inherited[k] != streams[i];
        }
        if (isNew && SetHandleInformation(streams[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != 0)
        {
            inherited[count++] = streams[i];
        }
    }
    if (other != NULL && SetHandleInformation(other, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != 0)
    {
        inherited[count++] = other;
    }
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    LPPROC_THREAD_ATTRIBUTE_LIST attributes = malloc(size);
    bool isReady = attributes != NULL && InitializeProcThreadAttributeList(attributes, 1, 0, &size) != 0;
    if (isReady && count > 0)
    {
        UpdateProcThreadAttribute(attributes, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited,
                                  count * sizeof(HANDLE), NULL, NULL);
    }
    STARTUPINFOEXW start;
    memset(&start, 0, sizeof start);
    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = streams[0];
    start.StartupInfo.hStdOutput = streams[1];
    start.StartupInfo.hStdError = streams[2];
    start.lpAttributeList = attributes;
    PROCESS_INFORMATION process = {NULL, NULL, 0, 0};
    bool isStarted =
        isReady && CreateProcessW(program, commandLine, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT, NULL,
                                  NULL, &start.StartupInfo, &process) != 0;
    DWORD error = GetLastError();
    if (isReady)
    {
        DeleteProcThreadAttributeList(attributes);
    }
    free(attributes);
    if (!isStarted)
    {
        SetErrno(error);
        return NULL;
    }
    AssignProcessToJobObject(GetJob(), process.hProcess);
    CloseHandle(process.hThread);
    return process.hProcess;
}

void* StartSelf(const char* request, void* streams[3], void* other)
{
    wchar_t program[4096];
    size_t size = strlen(request) + 64;
    char* text = malloc(size);
    wchar_t *wide = NULL, *commandLine = _wcsdup(GetCommandLineW());
    HANDLE process = NULL;
    if (text != NULL)
    {
        snprintf(text, size, "%lld %s", (long long)(intptr_t)other, request);
        wide = MakeWide(text);
    }
    if (wide != NULL && commandLine != NULL && GetModuleFileNameW(NULL, program, 4096) > 0)
    {
        SetEnvironmentVariableW(REQUEST_VARIABLE, wide);
        process = StartProcess(program, commandLine, streams, other);
        SetEnvironmentVariableW(REQUEST_VARIABLE, NULL);
    }
    free(commandLine);
    free(wide);
    free(text);
    return process;
}

bool StartWorkerProcess(WorkerProcess* worker, const char* request, RunWorkerFcn* run, void* context)
{
    (void)run;
    (void)context;
    HANDLE ends[4] = {NULL, NULL, NULL, NULL};
    bool isPiped = CreatePipe(&ends[0], &ends[1], NULL, 1 << 16) != 0 &&
                   CreatePipe(&ends[2], &ends[3], NULL, 1 << 16) != 0;
    fflush(stdout);
    fflush(stderr);
    HANDLE streams[3] = {GetStdHandle(STD_INPUT_HANDLE), ends[1], ends[3]};
    HANDLE process = isPiped ? StartSelf(request, streams, sharedMemory) : NULL;
    int error = errno;
    for (int i = 0; i < 4; ++i)
    {
        bool isKept = process != NULL && (i == 0 || i == 2);
        if (ends[i] != NULL && !isKept)
        {
            CloseHandle(ends[i]);
        }
    }
    errno = error;
    if (process != NULL)
    {
        *worker = (WorkerProcess){(intptr_t)process, {(intptr_t)ends[0], (intptr_t)ends[2]}};
    }
    return process != NULL;
}

const char* GetWorkerRequest(void)
{
    static char* request;
    static bool isRead;
    if (!isRead)
    {
        isRead = true;
        const char* text = GetVariable("TENDON_WORKER");
        char* end = NULL;
        intptr_t handle = text != NULL ? (intptr_t)strtoll(text, &end, 10) : 0;
        if (text != NULL && end != text && *end == ' ')
        {
            sharedMemory = (HANDLE)handle;
            request = CopyText(end + 1);
        }
        SetEnvironmentVariableW(REQUEST_VARIABLE, NULL); // programs that this process starts are no workers
    }
    return request;
}

void WaitForStreams(const intptr_t* streams, int count, int milliseconds, bool* isReady)
{
    // Pipes cannot be waited for together; looking every 2 ms costs less than a percent of a processor.
    bool isAny = false;
    for (int waited = 0; waited <= milliseconds && !isAny; waited += 2)
    {
        for (int i = 0; i < count; ++i)
        {
            DWORD available = 0;
            bool isOpen = PeekNamedPipe((HANDLE)streams[i], NULL, 0, NULL, &available, NULL) != 0;
            isReady[i] = !isOpen || available > 0;
            isAny = isAny || isReady[i];
        }
        if (!isAny)
        {
            Sleep(2);
        }
    }
}

long ReadWorkerStream(intptr_t stream, char* data, size_t size)
{
    DWORD count = 0;
    bool isRead = ReadFile((HANDLE)stream, data, size < 1 << 20 ? (DWORD)size : 1 << 20, &count, NULL) != 0;
    return isRead ? (long)count : 0;
}

void CloseWorkerStream(intptr_t stream)
{
    CloseHandle((HANDLE)stream);
}

int EndWorkerProcess(WorkerProcess* worker, int* signal)
{
    DWORD code = 0;
    WaitForSingleObject((HANDLE)worker->process, INFINITE);
    bool isKnown = GetExitCodeProcess((HANDLE)worker->process, &code) != 0;
    CloseHandle((HANDLE)worker->process);
    *signal = isKnown && code > 0xff ? (int)(code & 0xffff) : 0; // an exception
    return isKnown && code <= 0xff ? (int)code : -1;
}

void InterruptWorker(intptr_t process)
{
    (void)process; // the console sends Ctrl-C to every process
}

void AwaitWorker(intptr_t process)
{
    if (WaitForSingleObject((HANDLE)process, WORKER_WAIT) != WAIT_OBJECT_0)
    {
        TerminateProcess((HANDLE)process, 1);
    }
}

void* ShareMemory(size_t size)
{
    if (sharedMemory == NULL)
    {
        sharedMemory = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0, (DWORD)size, NULL);
    }
    return sharedMemory != NULL ? MapViewOfFile(sharedMemory, FILE_MAP_ALL_ACCESS, 0, 0, size) : NULL;
}

void UnshareMemory(void* memory, size_t size)
{
    (void)size;
    UnmapViewOfFile(memory);
    CloseHandle(sharedMemory);
    sharedMemory = NULL;
}

// --- other programs ---------------------------------------------------------------------------------------

/// Appends an argument in the quoting of the C runtime.
static size_t QuoteArgument(char* out, const char* argument)
{
    size_t length = 0, backslashes = 0;
    out[length++] = '"';
    for (; *argument != '\0'; ++argument)
    {
        backslashes = *argument == '\\' ? backslashes + 1 : 0;
        if (*argument == '"')
        {
            out[length++] = '\\';
        }
        out[length++] = *argument;
    }
    for (; backslashes > 0; --backslashes)
    {
        out[length++] = '\\';
    }
    out[length++] = '"';
    out[length++] = ' ';
    out[length] = '\0';
    return length;
}

FILE* StartProgram(const char* const* arguments, intptr_t* process)
{
    size_t size = 1;
    for (int i = 0; arguments[i] != NULL; ++i)
    {
        size += 2 * strlen(arguments[i]) + 4;
    }
    char* text = malloc(size);
    size_t length = 0;
    for (int i = 0; text != NULL && arguments[i] != NULL; ++i)
    {
        length += QuoteArgument(text + length, arguments[i]);
    }
    wchar_t* commandLine = text != NULL ? MakeWide(text) : NULL;
    free(text);
    HANDLE ends[2] = {NULL, NULL}, child = NULL;
    if (commandLine != NULL && CreatePipe(&ends[0], &ends[1], NULL, 1 << 20) != 0)
    {
        HANDLE streams[3] = {ends[0], GetStdHandle(STD_OUTPUT_HANDLE), GetStdHandle(STD_ERROR_HANDLE)};
        child = StartProcess(NULL, commandLine, streams, NULL);
        CloseHandle(ends[0]);
    }
    free(commandLine);
    int descriptor = child != NULL ? _open_osfhandle((intptr_t)ends[1], _O_BINARY) : -1;
    FILE* stream = descriptor >= 0 ? _fdopen(descriptor, "wb") : NULL;
    if (stream == NULL && ends[1] != NULL)
    {
        CloseHandle(ends[1]);
    }
    *process = (intptr_t)child;
    return stream;
}

bool AwaitProgram(intptr_t process)
{
    DWORD code = 1;
    WaitForSingleObject((HANDLE)process, INFINITE);
    GetExitCodeProcess((HANDLE)process, &code);
    CloseHandle((HANDLE)process);
    return code == 0;
}

const char* GetDesktopOpener(void)
{
    return "the shell";
}

bool OpenOnDesktop(const char* place)
{
    wchar_t* wide = MakeWide(place);
    bool isOpened =
        wide != NULL && (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > 32;
    free(wide);
    return isOpened;
}

#else
typedef int PlatformWindowsIsEmpty; // ISO C forbids an empty source
#endif
