// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes, reads and compares recordings.
#include "recording.h"

#include "build_id.h"
#include "json.h"
#include "memory.h"
#include "platform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIFFERENCE_ROWS 20
#define MAX_DIFFERENCES 100000
#define FIRST_BYTES (1 << 16)

bool StartRecord(RecordFile* record, const Session* session, tdStage* stage, tdReport* report)
{
    const char* path = session->options->values[OPTION_RECORD].text;
    if (!OpenOutput(&record->file, path))
    {
        Complain(session, "cannot write \"%s\": %s.", path, strerror(record->file.error));
        CloseOutput(&record->file, false);
        return false;
    }
    tdRecorderDef def = tdDefaultRecorderDef();
    def.build = GetBuildId();
    def.allocator = GetMemory();
    record->recorder = tdCreateRecorder(stage, &def, WriteOutput, &record->file, report);
    if (record->recorder == NULL)
    {
        CloseOutput(&record->file, false);
        Complain(session, "cannot record to \"%s\".", path);
    }
    return record->recorder != NULL;
}

bool FinishRecord(RecordFile* record, const Session* session, bool isWhole)
{
    if (record->recorder == NULL)
    {
        return true;
    }
    bool isComplete = tdRecorder_Finish(record->recorder);
    tdDestroyRecorder(record->recorder);
    record->recorder = NULL;
    const char* path = session->options->values[OPTION_RECORD].text;
    bool isWritten = CloseOutput(&record->file, isWhole && isComplete);
    if (!isWritten)
    {
        Complain(session, "cannot write \"%s\": %s.", path, strerror(record->file.error));
    }
    else if (isWhole && !isComplete)
    {
        Complain(session, "\"%s\" is not written: the recording is incomplete.", path);
    }
    return isWritten && isComplete;
}

void DropRecord(RecordFile* record)
{
    if (record->recorder != NULL)
    {
        tdDestroyRecorder(record->recorder);
        CloseOutput(&record->file, false);
        record->recorder = NULL;
    }
}

bool IsRecordingFile(const char* path)
{
    char head[8] = {0};
    FILE* file = strcmp(path, "-") != 0 ? OpenStream(path, "rb") : NULL;
    size_t size = file != NULL ? fread(head, 1, sizeof(head), file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    return tdIsRecording(head, size);
}

// Reads a whole file, which the caller frees. NULL after an error message.
static char* ReadBytes(const Session* session, const char* path, size_t* size)
{
    bool isStandard = strcmp(path, "-") == 0;
    errno = 0;
    FILE* file = isStandard ? stdin : OpenStream(path, "rb");
    size_t capacity = FIRST_BYTES;
    char* bytes = file != NULL ? AllocateBytes(capacity) : NULL;
    *size = 0;
    while (bytes != NULL)
    {
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity)
        {
            break;
        }
        char* more = ResizeBytes(bytes, 2 * capacity);
        if (more == NULL)
        {
            free(bytes);
        }
        bytes = more;
        capacity *= 2;
    }
    bool isRead = bytes != NULL && ferror(file) == 0;
    int error = errno;
    if (file != NULL && !isStandard)
    {
        fclose(file);
    }
    if (!isRead)
    {
        Complain(session, "cannot read \"%s\": %s.", NameFile(path),
                 error != 0 ? strerror(error) : "out of memory");
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

tdRecording* ReadRecording(const Session* session, const char* path, tdReport* report, int* result)
{
    size_t size;
    char* bytes = ReadBytes(session, path, &size);
    *result = EXIT_IO;
    if (bytes == NULL)
    {
        return NULL;
    }
    tdRecording* recording = tdLoadRecording(bytes, size, GetMemory(), report);
    free(bytes);
    if (recording == NULL)
    {
        *result = WorseExit(GetReportExit(report), EXIT_FOUND_ERRORS);
    }
    return recording;
}

// The part of both transforms that differs: position, or rotation.
static void FormatSides(const tdBodyDifference* difference, char a[96], char b[96])
{
    const tdTransform* sides[2] = {&difference->a, &difference->b};
    bool isPosition = memcmp(&sides[0]->position, &sides[1]->position, sizeof(tdVec3)) != 0;
    for (int i = 0; i < 2; ++i)
    {
        tdVec3 p = sides[i]->position;
        tdQuat q = sides[i]->rotation;
        char* text = i == 0 ? a : b;
        if (isPosition)
        {
            snprintf(text, 96, "%.9g, %.9g, %.9g", (double)p.x, (double)p.y, (double)p.z);
        }
        else
        {
            snprintf(text, 96, "%.9g, %.9g, %.9g, %.9g", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
        }
    }
}

static void PrintSides(const Session* session, const tdBodyDifference* differences,
                       const tdRecordingComparison* comparison, int count)
{
    const Screen* out = &session->out;
    if (comparison->inputStep > 0)
    {
        PrintPainted(out, PAINT_NONE, "inputs differ from step %lld on\n", (long long)comparison->inputStep);
    }
    PrintPainted(out, PAINT_NONE, "states differ from step %lld on, of %d %s\n",
                 (long long)comparison->stateStep, comparison->differenceCount,
                 comparison->differenceCount == 1 ? "body" : "bodies");
    static const char* const headings[] = {">step", ">body", "name", "A", "B"};
    Table table = StartTable(headings, 5);
    for (int i = 0; i < count; ++i)
    {
        char name[64], a[96], b[96];
        CleanText(name, sizeof name, differences[i].name, 24);
        FormatSides(&differences[i], a, b);
        AddCell(&table, "%lld", (long long)differences[i].step);
        AddCell(&table, "%d", differences[i].body);
        AddCell(&table, "%s", name);
        AddCell(&table, "%s", a);
        AddCell(&table, "%s", b);
    }
    FinishTable(&table, out, IsGiven(session->options, OPTION_FULL) ? -1 : DIFFERENCE_ROWS);
}

static void PrintTransformJson(const tdTransform* transform)
{
    const float* numbers = &transform->position.x;
    const float* rotation = &transform->rotation.x;
    printf("[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g]", (double)numbers[0], (double)numbers[1], (double)numbers[2],
           (double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]);
}

static void PrintSidesJson(const Session* session, const tdBodyDifference* differences,
                           const tdRecordingComparison* comparison, int count, bool isSame)
{
    const Options* options = session->options;
    printf("{\"a\":");
    PrintJsonText(stdout, options->files[0]);
    printf(",\"b\":");
    PrintJsonText(stdout, options->files[1]);
    printf(",\"isSame\":%s,\"steps\":%lld,\"inputStep\":%lld,\"stateStep\":%lld,\"bodies\":[",
           isSame ? "true" : "false", (long long)comparison->stepCount, (long long)comparison->inputStep,
           (long long)comparison->stateStep);
    for (int i = 0; i < count; ++i)
    {
        printf("%s{\"step\":%lld,\"body\":%d,\"node\":%d,\"name\":", i > 0 ? "," : "",
               (long long)differences[i].step, differences[i].body, differences[i].node);
        PrintJsonText(stdout, differences[i].name);
        printf(",\"a\":");
        PrintTransformJson(&differences[i].a);
        printf(",\"b\":");
        PrintTransformJson(&differences[i].b);
        printf("}");
    }
    printf("]}\n");
}

static int CompareSides(const Session* session, const tdRecording* a, const tdRecording* b)
{
    tdRecordingComparison comparison;
    tdBodyDifference* differences = AllocateZeroed(MAX_DIFFERENCES, sizeof(tdBodyDifference));
    if (differences == NULL || !tdCompareRecordings(a, b, differences, MAX_DIFFERENCES, &comparison))
    {
        Complain(session, "out of memory.");
        free(differences);
        return EXIT_IO;
    }
    int count = comparison.differenceCount < MAX_DIFFERENCES ? comparison.differenceCount : MAX_DIFFERENCES;
    int64_t steps[2] = {tdRecording_GetInfo(a).stepCount, tdRecording_GetInfo(b).stepCount};
    bool isSame = comparison.inputStep == 0 && comparison.stateStep == 0 && steps[0] == steps[1];
    if (IsGiven(session->options, OPTION_JSON))
    {
        PrintSidesJson(session, differences, &comparison, count, isSame);
    }
    else if (comparison.stateStep > 0)
    {
        PrintSides(session, differences, &comparison, count);
    }
    else if (comparison.inputStep > 0)
    {
        PrintPainted(&session->out, PAINT_NONE, "inputs differ from step %lld on, all states are equal\n",
                     (long long)comparison.inputStep);
    }
    else if (!session->isQuiet || !isSame)
    {
        PrintPainted(&session->out, PAINT_NONE, "no differences in %lld steps\n",
                     (long long)comparison.stepCount);
    }
    if (steps[0] != steps[1] && !IsGiven(session->options, OPTION_JSON))
    {
        PrintPainted(&session->out, PAINT_NONE, "A has %lld steps, B has %lld\n", (long long)steps[0],
                     (long long)steps[1]);
    }
    free(differences);
    return isSame ? EXIT_FINE : EXIT_FOUND_ERRORS;
}

int DiffRecordings(const Session* session)
{
    const Options* options = session->options;
    tdReport* report = tdCreateReport(GetMemory());
    int result = EXIT_IO;
    tdRecording* a = ReadRecording(session, options->files[0], report, &result);
    tdRecording* b = a != NULL ? ReadRecording(session, options->files[1], report, &result) : NULL;
    result = b != NULL ? CompareSides(session, a, b) : result;
    fflush(stdout);
    ReportFindings(session, report);
    tdDestroyRecording(a);
    tdDestroyRecording(b);
    tdDestroyReport(report);
    return result;
}
