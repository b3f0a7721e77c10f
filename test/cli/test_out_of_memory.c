// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Failing allocations in the program, for every verb: one at a time, and all from one on. The exit code is 3,
// standard error says OUT_OF_MEMORY, no file appears and an existing one keeps its bytes; or everything is as
// without the failure. A server that has started answers with 500 and OUT_OF_MEMORY instead. A sample of the
// allocations; TENDON_ALLOCATIONS=N fails N per command, 0 all.
// Labels: posix
#include "files.h"
#include "harness.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

typedef struct Command
{
    const char* words;  // separated by blanks; "@" is the output folder, "%" that of recordings
    const char* target; // file in it that exists before; NULL: none
    bool isBatch;       // outputs of other files may be there
} Command;

static const Command commands[] = {
    {"check examples/swing_door.gltf", NULL, false},
    {"check --json fuzz/corpus/import/physics_omi.gltf", NULL, false},
    {"check --format sarif examples/catapult.gltf examples/swing_door.gltf", NULL, false},
    {"check examples", NULL, false},
    {"check -R examples", NULL, false},
    {"check --files-from test/data/files_from.txt", NULL, false},
    {"inspect examples/swing_door.gltf", NULL, false},
    {"inspect --json examples/mira.vrm", NULL, false},
    {"inspect --full examples/mira.vrm", NULL, false},
    {"inspect --skeleton examples/wave.bvh", NULL, false},
    {"inspect --json examples/wave.bvh examples/dance.vrma", NULL, false},
    {"check --json --shard 1/2 examples", NULL, false},
    {"check --limit nodes=3 examples/mira.vrm", NULL, false},
    {"trace examples/swing_door.gltf --seconds 0.2 -o @/o.jsonl", "o.jsonl", false},
    {"trace examples/swing_door.gltf --times 0,0.1 --nodes 0,1 --format csv -o @/o.csv", "o.csv", false},
    {"trace examples/newtons_cradle.gltf --seconds 0.2 --summary", NULL, false},
    {"trace examples/lanky.vrm --motion examples/wave.bvh --seconds 0.1 -o @/o.jsonl", "o.jsonl", false},
    {"trace examples/newtons_cradle.gltf --seconds 0.1 --record @/r.tdrec -o @/o.jsonl", "o.jsonl", false},
    {"trace --files-from test/data/files_from.txt --seconds 0.1 --format csv --out-dir @/d", NULL, true},
    {"trace examples/mira.vrm --look-at 1,1,1 --seconds 0.1 -o -", NULL, false},
    {"replay %/a.tdrec", NULL, false},
    {"replay %/a.tdrec --from 2 --until 5 --bake @/o.glb", "o.glb", false},
    {"replay --json %/c.tdrec", NULL, false},
    {"diff %/a.tdrec %/b.tdrec", NULL, false},
    {"diff --json --full examples/swing_door.gltf examples/swing_door.gltf --seconds 0.1", NULL, false},
    {"bake examples/catapult.gltf --seconds 0.3 -o @/o.glb", "o.glb", false},
    {"bake examples/swing_door.gltf --warmup 0.1 --loop-blend 0.1 --seconds 0.3 --strip-physics "
     "--replace-animations -o @/o.gltf",
     "o.gltf", false},
    {"bake examples/keepsake.gltf --seconds 0.3 -o @/o.gltf", "o.gltf", false},
    {"bake examples/keepsake.gltf --embed --seconds 0.3 --json -o @/o.gltf", "o.gltf", false},
    {"bake examples/mira.vrm --motion examples/dance.vrma --animate-materials --seconds 0.1 -o @/o.vrm",
     "o.vrm", false},
    {"bake examples/catapult.gltf --seconds 0.1 -o -", NULL, false},
    {"bake examples/swing_door.gltf examples/catapult.gltf --seconds 0.1 --out-dir @/d", NULL, true},
    {"retarget examples/wave.bvh examples/lanky.vrm -o @/o.vrm", "o.vrm", false},
    {"retarget examples/wave.bvh examples/lanky.vrm -o @/o.vrma", "o.vrma", false},
    {"retarget examples/walk.bvh examples/mannequin.gltf --contacts auto -o @/o.glb", "o.glb", false},
    {"retarget examples/wave.bvh examples/walk.bvh --onto examples/lanky.vrm --format vrma --out-dir @/d",
     NULL, true},
    {"convert examples/keepsake.gltf -o @/o.glb", "o.glb", false},
    {"convert --embed --json examples/keepsake.gltf -o @/o.gltf", "o.gltf", false},
    {"convert examples/lanky.vrm -o @/o.gltf", "o.gltf", false},
    {"convert examples/swing_door.gltf --to khr -o @/o.glb", "o.glb", false},
    {"convert examples/swing_door.gltf --to omi -o @/o.gltf", "o.gltf", false},
    {"convert fuzz/corpus/import/physics_omi.gltf --to khr-draft -o @/o.gltf", "o.gltf", false},
    {"convert fuzz/corpus/import/physics_khr.gltf --to omi-early -o @/o.gltf", "o.gltf", false},
    {"convert examples/swing_door.gltf examples/catapult.gltf --to omi --resume --out-dir @/d", NULL, true},
    {"retarget examples/wave.bvh examples/stocky.vrm -o @/o.gltf", "o.gltf", false},
    {"retarget examples/dance.vrma examples/mannequin.gltf --springs off -o @/o.glb", "o.glb", false},
    {"convert examples/lanky.vrm --embed -o @/o.gltf", "o.gltf", false},
    {"convert examples/robot_arm.gltf --to khr-draft -o @/o.gltf", "o.gltf", false},
    {"bake examples/newtons_cradle.gltf --seconds 0.1 --embed --strip-physics -o @/o.gltf", "o.gltf", false},
    {"trace examples/rope_bridge.gltf --seconds 0.1 --format csv --record @/r.tdrec -o @/o.csv", "o.csv",
     false},
    {"render examples/swing_door.gltf --thumbnail --size 24x24 --colliders -o @/o.png", "o.png", false},
    {"render examples/mira.vrm --motion examples/dance.vrma --size 16x16 -o @/o.png", "o.png", false},
    {"plot examples/swing_door.gltf --what height,speed,energy,joint-error --seconds 0.1 -o @/o.svg", "o.svg",
     false},
    {"check --format sarif test/data/fuzz", NULL, false},
    {"view examples/keepsake.gltf -o @/o.html", "o.html", false},
    {"view examples/swing_door.gltf -o @/o.html", "o.html", false},
    {"view examples/mira.vrm --motion examples/dance.vrma -o @/o.html", "o.html", false},
    {"render examples/swing_door.gltf --size 48x48 -o @/o.png", "o.png", false},
    {"render examples/swing_door.gltf --size 32x32 --seconds 0.1 -o @/o.gif", "o.gif", false},
    {"render examples/swing_door.gltf examples/catapult.gltf --size 16x16 --colliders --out-dir @/d", NULL,
     true},
    {"plot examples/swing_door.gltf --seconds 0.2", NULL, false},
    {"plot examples/swing_door.gltf --seconds 0.2 -o @/o.svg", "o.svg", false},
    {"diff examples/swing_door.gltf examples/catapult.gltf", NULL, false},
};

// Makes the recordings that commands read.
static const char* const preparations[] = {
    "trace examples/newtons_cradle.gltf --seconds 0.1 --record %/a.tdrec -o %/a.jsonl",
    "trace examples/newtons_cradle.gltf --seconds 0.1 --gravity 0,-9,0 --record %/b.tdrec -o %/b.jsonl",
    "trace examples/lanky.vrm --motion examples/wave.bvh --seconds 0.1 --record %/c.tdrec -o %/c.jsonl",
};

static const char oldBytes[] = "old";
static char recordingFolder[64];

// A folder for one run: out/, stdout and stderr.
typedef struct Run
{
    char folder[64];
    int exitCode;
} Run;

static void FormatPath(char path[256], const Run* run, const char* name)
{
    snprintf(path, 256, "%s/%s", run->folder, name);
}

static void WriteText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    if (ENSURE(file != NULL))
    {
        fputs(text, file);
        fclose(file);
    }
}

static void Redirect(const Run* run, const char* name, int stream)
{
    char path[256];
    FormatPath(path, run, name);
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(file, stream);
    close(file);
}

static void Execute(const Run* run, const Command* command)
{
    static char words[512];
    char* arguments[32] = {"tendon"};
    int count = 1;
    size_t length = 0;
    for (const char* c = command->words; *c != 0; ++c)
    {
        const char letter[2] = {*c, 0};
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s",
                                   *c == '@'   ? run->folder
                                   : *c == '%' ? recordingFolder
                                               : letter,
                                   *c == '@' ? "/out" : "");
    }
    for (char* word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
    {
        arguments[count++] = word;
    }
    arguments[count++] = "--threads";
    arguments[count++] = "1";
    Redirect(run, "stdout", STDOUT_FILENO);
    Redirect(run, "stderr", STDERR_FILENO);
    execv(TD_FAILING_PROGRAM, arguments);
    _exit(126);
}

/// @param failure value of TENDON_FAIL_ALLOCATION; NULL: nothing fails
static pid_t StartCommand(Run* run, const Command* command, const char* failure)
{
    char path[256];
    MakeFolder(run->folder);
    FormatPath(path, run, "out");
    mkdir(path, 0700);
    if (command->target != NULL)
    {
        FormatPath(path, run, "out/");
        strncat(path, command->target, 64);
        WriteText(path, oldBytes);
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        char viewer[256], count[256];
        FormatPath(viewer, run, "viewer.html");
        FormatPath(count, run, "count");
        WriteText(viewer, "<p><!--tendon:files--></p>");
        setenv("TENDON_VIEWER", viewer, 1);
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
        setenv("TENDON_COUNT_ALLOCATIONS", count, 1);
        unsetenv("TENDON_FAIL_ALLOCATION");
        if (failure != NULL)
        {
            setenv("TENDON_FAIL_ALLOCATION", failure, 1);
        }
        Execute(run, command);
    }
    return child;
}

static void SetExit(Run* run, int status)
{
    run->exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void RunCommand(Run* run, const Command* command, const char* failure)
{
    int status = 0;
    waitpid(StartCommand(run, command, failure), &status, 0);
    SetExit(run, status);
}

// The whole file; the caller frees it. NULL: there is none.
static char* ReadWhole(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char* bytes = calloc(*size + 1, 1);
    *size = fread(bytes, 1, *size, file);
    fclose(file);
    return bytes;
}

static bool IsSameFile(const char* pathA, const char* pathB)
{
    size_t sizeA = 0, sizeB = 0;
    char *a = ReadWhole(pathA, &sizeA), *b = ReadWhole(pathB, &sizeB);
    bool isSame = a != NULL && b != NULL && sizeA == sizeB && memcmp(a, b, sizeA) == 0;
    free(a);
    free(b);
    return isSame;
}

static bool HasText(const char* path, const char* text)
{
    size_t size = 0;
    char* bytes = ReadWhole(path, &size);
    bool isFound = bytes != NULL && strstr(bytes, text) != NULL;
    free(bytes);
    return isFound;
}

static bool IsAny(const char* name)
{
    (void)name;
    return true;
}

// Whether both runs made the same files with the same bytes. A page contains the path of its viewer's folder
// nowhere, so all outputs compare.
static bool HasSameFiles(const Run* run, const Run* whole)
{
    char folderA[256], folderB[256];
    FormatPath(folderA, run, "out");
    FormatPath(folderB, whole, "out");
    FileList a = {0}, b = {0};
    CollectFiles(&a, folderA, IsAny);
    CollectFiles(&b, folderB, IsAny);
    SortFiles(&a);
    SortFiles(&b);
    bool isSame = a.paths.count == b.paths.count;
    for (int i = 0; isSame && i < a.paths.count; ++i)
    {
        isSame = strcmp(a.paths.data[i] + strlen(folderA), b.paths.data[i] + strlen(folderB)) == 0 &&
                 IsSameFile(a.paths.data[i], b.paths.data[i]);
    }
    FreeFiles(&a);
    FreeFiles(&b);
    return isSame;
}

// Whether a folder of a run has a temporary file.
static bool HasTemporary(const Run* run, const char* name)
{
    char path[256];
    FormatPath(path, run, name);
    DIR* directory = opendir(path);
    bool isFound = false;
    for (struct dirent* entry = directory != NULL ? readdir(directory) : NULL; entry != NULL;
         entry = readdir(directory))
    {
        isFound = isFound || (entry->d_name[0] == '.' && tdEndsWith(entry->d_name, ".tmp"));
    }
    if (directory != NULL)
    {
        closedir(directory);
    }
    return isFound;
}

// Whether a run left only files as they were before it. In a batch, complete outputs are allowed.
static bool LeftNothing(const Run* run, const Run* whole, const Command* command)
{
    char folder[256], other[512], target[256];
    FormatPath(folder, run, "out");
    FormatPath(target, run, "out/");
    strncat(target, command->target != NULL ? command->target : "", 64);
    FileList list = {0};
    CollectFiles(&list, folder, IsAny);
    bool isFine = command->target == NULL || HasText(target, oldBytes);
    for (int i = 0; i < list.paths.count; ++i)
    {
        snprintf(other, sizeof other, "%s/out%s", whole->folder, list.paths.data[i] + strlen(folder));
        bool isOld = command->target != NULL && strcmp(list.paths.data[i], target) == 0;
        isFine = isFine && (isOld || (command->isBatch && IsSameFile(list.paths.data[i], other)));
    }
    FreeFiles(&list);
    return isFine;
}

static void FailOne(const Command* command, const Run* whole, const char* failure)
{
    Run run;
    char outputA[256], outputB[256], errors[256];
    RunCommand(&run, command, failure);
    FormatPath(outputA, &run, "stdout");
    FormatPath(outputB, whole, "stdout");
    FormatPath(errors, &run, "stderr");
    bool isRefused =
        run.exitCode == 3 && HasText(errors, "OUT_OF_MEMORY") && LeftNothing(&run, whole, command);
    // Standard output may name the folder of the run, so only runs without one compare it.
    isRefused = isRefused && !HasTemporary(&run, "out") && !HasTemporary(&run, "out/d");
    bool isSame = run.exitCode == whole->exitCode && HasSameFiles(&run, whole) &&
                  (strchr(command->words, '@') != NULL || IsSameFile(outputA, outputB));
    if (!ENSURE(isRefused || isSame))
    {
        printf("  TENDON_FAIL_ALLOCATION=%s tendon %s: exit code %d\n", failure, command->words,
               run.exitCode);
    }
    RemoveFolder(run.folder);
}

static long long ReadCount(const Run* run)
{
    char path[256];
    FormatPath(path, run, "count");
    size_t size = 0;
    char* bytes = ReadWhole(path, &size);
    long long count = 0;
    if (ENSURE(size == sizeof count))
    {
        memcpy(&count, bytes, size);
    }
    free(bytes);
    ENSURE(count > 0);
    return count;
}

// Distance between the allocations that fail.
static long long GetStride(long long count)
{
    const char* given = getenv("TENDON_ALLOCATIONS");
    long long wanted = given != NULL ? strtoll(given, NULL, 10) : 8;
    return wanted > 0 && count > wanted ? count / wanted : 1;
}

TEST(EveryAllocationMayFail)
{
    MakeFolder(recordingFolder);
    for (size_t i = 0; i < sizeof preparations / sizeof preparations[0]; ++i)
    {
        Run run;
        RunCommand(&run, &(Command){preparations[i], NULL, false}, NULL);
        ENSURE(run.exitCode == 0);
        RemoveFolder(run.folder);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i)
    {
        Run whole;
        RunCommand(&whole, &commands[i], NULL);
        ENSURE(whole.exitCode <= 1);
        long long count = ReadCount(&whole), stride = GetStride(count);
        for (long long k = (long long)i % stride; k < count; k += stride) // other places for each command
        {
            char failure[32];
            snprintf(failure, sizeof failure, "%lld", k);
            FailOne(&commands[i], &whole, failure);
            strcat(failure, "+");
            FailOne(&commands[i], &whole, failure);
        }
        RemoveFolder(whole.folder);
    }
    RemoveFolder(recordingFolder);
}

// --- the server -------------------------------------------------------------------------------------------

typedef struct Visit
{
    Command command;
    const char* target; // of the request
} Visit;

static const Visit visits[] = {
    {{"serve examples --port 0", NULL, false}, "/"},
    {{"serve examples --port 0", NULL, false}, "/swing_door.gltf"},
    {{"serve examples --port 0", NULL, false}, "/keepsake.gltf?picture"},
    {{"serve examples/swing_door.gltf --port 0", NULL, false}, "/swing_door.gltf?changed"},
    {{"serve test/data/fuzz --port 0", NULL, false}, "/node_array.gltf"},
    {{"serve examples/lanky.vrm --motion examples/wave.bvh --port 0", NULL, false}, "/lanky.vrm"},
};

// Waits for the address of a server. 0: it has ended, and run->exitCode is set.
static int AwaitPort(Run* run, pid_t server)
{
    char path[256];
    FormatPath(path, run, "stdout");
    for (int i = 0; i < 6000; ++i)
    {
        size_t size = 0;
        char* text = ReadWhole(path, &size);
        int port = 0;
        bool isReady =
            text != NULL && strchr(text, '\n') != NULL && sscanf(text, "http://127.0.0.1:%d/", &port) == 1;
        free(text);
        if (isReady)
        {
            return port;
        }
        int status = 0;
        if (waitpid(server, &status, WNOHANG) == server)
        {
            SetExit(run, status);
            return 0;
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return 0;
}

// The whole answer, in the file "answer" of the run.
static void SendRequest(const Run* run, int port, const char* target)
{
    char path[256], text[256];
    FormatPath(path, run, "answer");
    FILE* file = fopen(path, "wb");
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", target, port);
    if (ENSURE(file != NULL) && ENSURE(connection >= 0) &&
        ENSURE(connect(connection, (struct sockaddr*)&address, sizeof address) == 0) &&
        ENSURE(send(connection, text, (size_t)length, MSG_NOSIGNAL) == length))
    {
        char bytes[4096];
        for (ssize_t count = 1; (count = recv(connection, bytes, sizeof bytes, 0)) > 0;)
        {
            fwrite(bytes, 1, (size_t)count, file);
        }
    }
    close(connection);
    fclose(file);
}

// Starts a server, asks it once and ends it. True if it answered.
static bool MakeVisit(Run* run, const Visit* visit, const char* failure)
{
    pid_t server = StartCommand(run, &visit->command, failure);
    int port = AwaitPort(run, server);
    if (port == 0)
    {
        return false;
    }
    SendRequest(run, port, visit->target);
    int status = 0;
    kill(server, SIGTERM);
    waitpid(server, &status, 0);
    return true;
}

static void FailVisit(const Visit* visit, const Run* whole, const char* failure)
{
    Run run;
    char answer[256], wholeAnswer[256], errors[256];
    bool isAnswered = MakeVisit(&run, visit, failure);
    FormatPath(answer, &run, "answer");
    FormatPath(wholeAnswer, whole, "answer");
    FormatPath(errors, &run, "stderr");
    bool isRefused = isAnswered ? HasText(answer, "HTTP/1.1 500 ") && HasText(answer, "OUT_OF_MEMORY")
                                : run.exitCode == 3 && HasText(errors, "OUT_OF_MEMORY");
    if (!ENSURE(isRefused || (isAnswered && IsSameFile(answer, wholeAnswer))))
    {
        printf("  TENDON_FAIL_ALLOCATION=%s tendon %s, GET %s\n", failure, visit->command.words,
               visit->target);
    }
    RemoveFolder(run.folder);
}

TEST(ServersAnswerOutOfMemory)
{
    for (size_t i = 0; i < sizeof visits / sizeof visits[0]; ++i)
    {
        Run whole;
        char answer[256];
        if (ENSURE(MakeVisit(&whole, &visits[i], NULL)))
        {
            FormatPath(answer, &whole, "answer");
            ENSURE(HasText(answer, "HTTP/1.1 200 "));
            long long count = ReadCount(&whole), stride = GetStride(count);
            for (long long k = (long long)i % stride; k < count; k += stride)
            {
                char failure[32];
                snprintf(failure, sizeof failure, "%lld", k);
                FailVisit(&visits[i], &whole, failure);
                strcat(failure, "+");
                FailVisit(&visits[i], &whole, failure);
            }
        }
        RemoveFolder(whole.folder);
    }
}

TEST_MAIN(RUN(EveryAllocationMayFail) RUN(ServersAnswerOutOfMemory))
