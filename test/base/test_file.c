// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of file access in a temporary folder: reading, atomic writing, links, errors.
// Labels: posix
#define _XOPEN_SOURCE 700 // setitimer
#define _DEFAULT_SOURCE   // flock

#include "harness.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];
static char pathBuffers[4][128];

static const char* Path(int buffer, const char* name)
{
    snprintf(pathBuffers[buffer], sizeof(pathBuffers[buffer]), "%s/%s", folder, name);
    return pathBuffers[buffer];
}

static int CountFiles(void)
{
    int count = 0;
    DIR* directory = opendir(folder);
    while (directory != NULL && readdir(directory) != NULL)
    {
        ++count;
    }
    closedir(directory);
    return count - 2; // . and ..
}

static void EnsureContent(const char* path, const char* expected)
{
    void* data = NULL;
    size_t size = 0;
    ENSURE_EQUAL_INT(tdReadFile(path, NULL, 1000, NULL, &data, &size), TD_FILE_OK);
    ENSURE_EQUAL_TEXT(data, expected);
    ENSURE(data != NULL && size == strlen(expected));
    free(data);
}

TEST(WritesAndReads)
{
    const char* path = Path(0, "a.txt");
    ENSURE_EQUAL_INT(tdWriteFile(path, "hello", 5, NULL), TD_FILE_OK);
    EnsureContent(path, "hello");
    ENSURE_EQUAL_INT(tdWriteFilePieces(path, (const tdFilePiece[]){{"ab", 2}, {"", 0}, {"cde", 3}}, 3, NULL),
                     TD_FILE_OK);
    EnsureContent(path, "abcde");
    ENSURE_EQUAL_INT(tdWriteFile(path, NULL, 0, NULL), TD_FILE_OK);
    EnsureContent(path, "");
    ENSURE_EQUAL_INT(CountFiles(), 1); // no temporary file remains

    size_t big = 300000;
    char* bytes = malloc(big);
    for (size_t i = 0; i < big; ++i)
    {
        bytes[i] = (char)(i * 7);
    }
    void* data;
    size_t size;
    ENSURE_EQUAL_INT(tdWriteFile(path, bytes, big, NULL), TD_FILE_OK);
    ENSURE_EQUAL_INT(tdReadFile(path, NULL, big, NULL, &data, &size), TD_FILE_OK);
    ENSURE(size == big && memcmp(data, bytes, big) == 0);
    free(data);
    ENSURE_EQUAL_INT(tdReadFile(path, NULL, big - 1, NULL, &data, &size), TD_FILE_TOO_LARGE);
    free(bytes);
}

TEST(ReadsFilesWithoutASize)
{
    void* data = NULL;
    size_t size = 0;
    // A pipe with more data than the first buffer holds.
    const char* path = Path(0, "pipe");
    ENSURE(mkfifo(path, 0600) == 0);
    pid_t child = fork();
    if (child == 0)
    {
        int file = open(path, O_WRONLY);
        char block[1000];
        memset(block, 'p', sizeof(block));
        for (int i = 0; i < 200; ++i)
        {
            if (write(file, block, sizeof(block)) < 0)
            {
                break;
            }
        }
        close(file);
        _exit(0);
    }
    ENSURE_EQUAL_INT(tdReadFile(path, NULL, 1000000, NULL, &data, &size), TD_FILE_OK);
    ENSURE_EQUAL_INT(size, 200000);
    ENSURE(data != NULL && ((char*)data)[199999] == 'p' && ((char*)data)[200000] == 0);
    free(data);
    ENSURE(unlink(path) == 0);
    ENSURE_EQUAL_INT(tdReadFile("/dev/zero", NULL, 100000, NULL, &data, &size), TD_FILE_TOO_LARGE);
    ENSURE_EQUAL_INT(tdReadFile("/dev/null", NULL, 0, NULL, &data, &size), TD_FILE_OK);
    ENSURE_EQUAL_INT(size, 0);
    free(data);
}

TEST(TheLongestNameCanBeWritten)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    char path[400];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    ENSURE_EQUAL_INT(tdWriteFile(path, "x", 1, NULL), TD_FILE_OK);
    ENSURE_EQUAL_INT(tdWriteFile(path, "y", 1, NULL), TD_FILE_OK);
    EnsureContent(path, "y");
    ENSURE(unlink(path) == 0);
}

TEST(Refusals)
{
    void* data;
    size_t size;
    ENSURE_EQUAL_INT(tdReadFile(Path(0, "missing"), NULL, 10, NULL, &data, &size), TD_FILE_NOT_FOUND);
    ENSURE_EQUAL_INT(tdReadFile(Path(0, "a.txt/x"), NULL, 10, NULL, &data, &size), TD_FILE_NOT_FOUND);
    ENSURE_EQUAL_INT(tdReadFile(folder, NULL, 10, NULL, &data, &size), TD_FILE_IS_FOLDER);
    ENSURE_EQUAL_INT(tdWriteFile(folder, "x", 1, NULL), TD_FILE_IS_FOLDER);
    ENSURE_EQUAL_INT(tdWriteFile(Path(0, "no/such/place"), "x", 1, NULL), TD_FILE_NOT_FOUND);
    ENSURE_EQUAL_INT(tdWriteFile("/dev/full", "x", 1, NULL), TD_FILE_NO_SPACE);
    ENSURE_EQUAL_INT(tdWriteFile("/dev/null", "x", 1, NULL), TD_FILE_OK);
    for (int status = TD_FILE_OK; status <= TD_FILE_ERROR; ++status)
    {
        ENSURE(strlen(tdFileStatus_GetText((tdFileStatus)status)) > 5);
    }
}

TEST(AFailedWriteLeavesTheOldFile)
{
    // A limit on the file size simulates a full disk: the write fails in the middle.
    const char* path = Path(0, "precious");
    ENSURE_EQUAL_INT(tdWriteFile(path, "old", 3, NULL), TD_FILE_OK);
    int before = CountFiles();
    size_t size = 200000;
    char* bytes = calloc(size, 1);
    struct rlimit limit, small;
    ENSURE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    small = limit;
    small.rlim_cur = 100000;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, oldAction;
    sigaction(SIGXFSZ, &ignore, &oldAction);
    ENSURE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    tdFileStatus status = tdWriteFile(path, bytes, size, NULL);
    tdFileStatus newStatus = tdWriteFile(Path(1, "never"), bytes, size, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    sigaction(SIGXFSZ, &oldAction, NULL);
    free(bytes);
    ENSURE_EQUAL_INT(status, TD_FILE_NO_SPACE);
    ENSURE_EQUAL_INT(newStatus, TD_FILE_NO_SPACE);
    EnsureContent(path, "old");
    ENSURE_EQUAL_INT(CountFiles(), before);
    unlink(path);
}

static volatile sig_atomic_t alarmCount;

static void CountAlarm(int number)
{
    (void)number;
    alarmCount += 1;
}

/// Sends bytes through both standard streams of a child process, which reads slowly and in small blocks.
TEST(StandardStreamsAndInterruptions)
{
    int in[2], out[2];
    ENSURE(pipe(in) == 0 && pipe(out) == 0);
    size_t size = 300000; // more than a pipe holds
    char* bytes = malloc(size);
    for (size_t i = 0; i < size; ++i)
    {
        bytes[i] = (char)(i * 31 >> 3);
    }
    pid_t child = fork();
    if (child == 0)
    {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        // Alarms interrupt reads and writes constantly (no SA_RESTART).
        struct sigaction action = {.sa_handler = CountAlarm};
        sigaction(SIGALRM, &action, NULL);
        struct itimerval timer = {{0, 500}, {0, 500}};
        setitimer(ITIMER_REAL, &timer, NULL);
        void* data;
        size_t length;
        bool good = tdReadFile("-", NULL, size, NULL, &data, &length) == TD_FILE_OK && length == size &&
                    tdWriteFile("-", data, length, NULL) == TD_FILE_OK;
        _exit(good && alarmCount > 0 ? 0 : 1);
    }
    close(in[0]);
    close(out[1]);
    struct timespec pause = {0, 2000000};
    for (size_t done = 0; done < size;)
    {
        size_t bite = size - done < 30000 ? size - done : 30000;
        ssize_t count = write(in[1], bytes + done, bite);
        if (!ENSURE(count > 0))
        {
            break;
        }
        done += (size_t)count;
        nanosleep(&pause, NULL);
    }
    close(in[1]);
    size_t got = 0;
    bool same = true;
    for (ssize_t count = 1; count > 0;)
    {
        char bite[8192];
        count = read(out[0], bite, sizeof(bite));
        same = same && (count <= 0 || memcmp(bite, bytes + got, (size_t)count) == 0);
        got += count > 0 ? (size_t)count : 0;
    }
    ENSURE(same && got == size);
    close(out[0]);
    int status = 0;
    ENSURE(waitpid(child, &status, 0) == child);
    ENSURE_EQUAL_INT(status, 0);
    free(bytes);
}

TEST(LinksAndModesSurvive)
{
    const char* target = Path(0, "target");
    const char* link = Path(1, "link");
    ENSURE_EQUAL_INT(tdWriteFile(target, "old", 3, NULL), TD_FILE_OK);
    ENSURE(chmod(target, 0640) == 0 && symlink("target", link) == 0);
    ENSURE_EQUAL_INT(tdWriteFile(link, "new", 3, NULL), TD_FILE_OK);
    EnsureContent(target, "new");
    struct stat info;
    ENSURE(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    ENSURE(stat(target, &info) == 0 && (info.st_mode & 07777) == 0640);
    unlink(link);
    unlink(target);
}

TEST(OutOfMemory)
{
    const char* path = Path(0, "a.txt");
    ENSURE_EQUAL_INT(tdWriteFile(path, "hello", 5, NULL), TD_FILE_OK);
    for (int64_t failAt = 0;; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        void* data = NULL;
        size_t size = 0;
        tdFileStatus status = tdReadFile(path, &allocator, 100, NULL, &data, &size);
        if (status == TD_FILE_OK)
        {
            ENSURE_EQUAL_INT(failAt, 1); // a file of known size takes one allocation
            tdRelease(&allocator, data, size + 1);
            ENSURE_EQUAL_INT(state.liveBytes, 0);
            break;
        }
        ENSURE_EQUAL_INT(status, TD_FILE_OUT_OF_MEMORY);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        if (failAt > 10)
        {
            break;
        }
    }
}

TEST(PathQueries)
{
    tdText text;
    tdText_Init(&text, NULL);
    const char* const cases[][2] = {{"a/b/c.gltf", "a/b"}, {"c.gltf", "."}, {"/c.gltf", "/"}, {"a/", "a"}};
    for (int i = 0; i < 4; ++i)
    {
        tdText_Clear(&text);
        tdAppendFolderOf(&text, cases[i][0]);
        ENSURE_EQUAL_TEXT(text.data, cases[i][1]);
    }
    tdText_Free(&text);
    ENSURE_EQUAL_TEXT(tdGetFileName("a/b/c.gltf"), "c.gltf");
    ENSURE_EQUAL_TEXT(tdGetFileName("c.gltf"), "c.gltf");
}

TEST(InsideFolderFollowsLinks)
{
    ENSURE(mkdir(Path(0, "in"), 0700) == 0 && mkdir(Path(1, "inside"), 0700) == 0);
    const char* in = Path(0, "in");
    ENSURE_EQUAL_INT(tdWriteFile(Path(1, "in/x"), "x", 1, NULL), TD_FILE_OK);
    ENSURE_EQUAL_INT(tdWriteFile(Path(1, "inside/y"), "y", 1, NULL), TD_FILE_OK);
    ENSURE(symlink("../inside/y", Path(1, "in/leaves")) == 0 && symlink("x", Path(2, "in/stays")) == 0);
    bool lacksMemory = false;
    ENSURE(tdIsInsideFolder(Path(1, "in/x"), in, &lacksMemory));
    ENSURE(tdIsInsideFolder(Path(1, "in/stays"), in, &lacksMemory));
    ENSURE(tdIsInsideFolder(Path(1, "inside/../in/x"), in, &lacksMemory));
    ENSURE(!tdIsInsideFolder(Path(1, "in/leaves"), in, &lacksMemory));
    ENSURE(!tdIsInsideFolder(Path(1, "inside/y"), in,
                             &lacksMemory)); // a common prefix of the name is not enough
    ENSURE(!tdIsInsideFolder(Path(1, "in/../inside/y"), in, &lacksMemory));
    ENSURE(!tdIsInsideFolder(Path(1, "in/missing"), in, &lacksMemory));
    ENSURE(!tdIsInsideFolder(in, in, &lacksMemory));
    ENSURE(tdIsInsideFolder(in, "/", &lacksMemory));
    const char* const left[] = {"in/x", "in/leaves", "in/stays", "inside/y", "in", "inside", "a.txt"};
    for (int i = 0; i < 7; ++i)
    {
        ENSURE(remove(Path(1, left[i])) == 0);
    }
    ENSURE_EQUAL_INT(CountFiles(), 0);
}

static bool CanLock(const char* path)
{
    int file = open(path, O_RDONLY);
    bool isFree = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return isFree;
}

TEST(NewFilesAreLockedUntilTheirRename)
{
    tdFilePiece piece = {"text", 4};
    tdNewFile file;
    ENSURE_EQUAL_INT(tdNewFile_Write(&file, Path(0, "a.txt"), &piece, 1, NULL), TD_FILE_OK);
    ENSURE(!CanLock(file.name));
    ENSURE_EQUAL_INT(tdNewFile_Keep(&file), TD_FILE_OK);
    ENSURE(CanLock(Path(0, "a.txt")));

    ENSURE_EQUAL_INT(tdNewFile_Write(&file, Path(0, "a.txt"), &piece, 1, NULL), TD_FILE_OK);
    tdNewFile_Unlock(&file);
    ENSURE(CanLock(file.name));
    tdNewFile_Drop(&file);
    ENSURE(remove(Path(0, "a.txt")) == 0);
    ENSURE_EQUAL_INT(CountFiles(), 0);
}

static void MakeFolder(void)
{
    snprintf(folder, sizeof(folder), "/tmp/tendon-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
    {
        folder[0] = 0;
    }
}

TEST_MAIN(MakeFolder(); RUN(WritesAndReads) RUN(ReadsFilesWithoutASize) RUN(TheLongestNameCanBeWritten)
              RUN(Refusals) RUN(AFailedWriteLeavesTheOldFile) RUN(StandardStreamsAndInterruptions)
                  RUN(LinksAndModesSurvive) RUN(OutOfMemory) RUN(PathQueries) RUN(InsideFolderFollowsLinks)
                      RUN(NewFilesAreLockedUntilTheirRename) rmdir(folder);)
