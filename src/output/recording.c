// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Loading and comparing recordings. Recordings are untrusted: every part is validated here, except assets and
// the arguments of calls, which replay_calls.c validates when it makes them.
#include "recording.h"

#include "base/hash.h"
#include "base/report.h"
#include "math/vecmath.h"

#include <string.h>

bool tdIsRecording(const void* data, size_t size)
{
    return data != NULL && size >= TD_RECORD_MAGIC_SIZE &&
           memcmp(data, tdRecordMagic, TD_RECORD_MAGIC_SIZE) == 0;
}

static bool RefuseFile(tdReport* report, size_t offset, const char* reason)
{
    tdReport_Add(report, TD_DIAG_RECORDING_DAMAGED, NULL, (long long)offset, reason);
    return false;
}

static bool LackMemoryToRead(tdReport* report)
{
    tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading a recording");
    return false;
}

static bool CheckFileHeader(const tdRecording* recording, tdReport* report)
{
    uint32_t version, check;
    if (!tdIsRecording(recording->bytes, recording->size))
    {
        return RefuseFile(report, 0, "it does not start as one");
    }
    if (recording->size < TD_RECORD_HEADER_SIZE)
    {
        return RefuseFile(report, recording->size, "it ends inside its header");
    }
    memcpy(&version, recording->bytes + TD_RECORD_MAGIC_SIZE, sizeof(version));
    memcpy(&check, recording->bytes + 12, sizeof(check));
    if (check != tdComputeRecordCheck(recording->bytes, 12, 0))
    {
        return RefuseFile(report, TD_RECORD_MAGIC_SIZE, "its header has a wrong checksum");
    }
    if (version != TD_RECORDING_VERSION)
    {
        tdReport_Add(report, TD_DIAG_RECORDING_VERSION, NULL, version, (unsigned)TD_RECORDING_VERSION);
        return false;
    }
    return true;
}

/// Finds all parts. A part that the end of the file cuts off is left out.
static bool FindParts(tdRecording* recording, tdReport* report)
{
    size_t at = TD_RECORD_HEADER_SIZE;
    while (recording->size - at >= TD_RECORD_PART_SIZE)
    {
        uint32_t header[4];
        memcpy(header, recording->bytes + at, sizeof(header));
        if (header[3] != tdComputeRecordCheck(header, 12, at))
        {
            return RefuseFile(report, at, "the head of a part has a wrong checksum");
        }
        const uint8_t* bytes = recording->bytes + at + TD_RECORD_PART_SIZE;
        if (header[1] > recording->size - at - TD_RECORD_PART_SIZE)
        {
            break;
        }
        if (header[2] != tdComputeRecordCheck(bytes, header[1], 0))
        {
            return RefuseFile(report, at, "a part has a wrong checksum");
        }
        tdRecordPart part = {header[0], bytes, header[1]};
        if (!tdArray_Push(&recording->allocator, &recording->parts, part))
        {
            return LackMemoryToRead(report);
        }
        at += TD_RECORD_PART_SIZE + header[1];
        if (header[0] == TD_RECORD_END && at < recording->size)
        {
            return RefuseFile(report, at, "it goes on after its end");
        }
    }
    return true;
}

static size_t GetOffset(const tdRecording* recording, const tdRecordPart* part)
{
    return (size_t)(part->bytes - recording->bytes) - TD_RECORD_PART_SIZE;
}

static bool ReadHead(tdRecording* recording, tdReport* report)
{
    bool hasHead = recording->parts.count > 0 && recording->parts.data[0].tag == TD_RECORD_HEAD;
    if (!hasHead)
    {
        return RefuseFile(report, TD_RECORD_HEADER_SIZE, "its first part is missing");
    }
    const tdRecordPart* part = &recording->parts.data[0];
    tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
    int32_t version[3];
    uint32_t length;
    TD_READ(&reader, version);
    TD_READ(&reader, recording->info.stepRate);
    TD_READ(&reader, recording->stage.gravity);
    TD_READ(&reader, recording->stage.subStepCount);
    TD_READ(&reader, recording->stage.maxPairs);
    TD_READ(&reader, recording->stage.maxContacts);
    TD_READ(&reader, recording->stage.enableSleep);
    TD_READ(&reader, recording->stage.enableContinuous);
    TD_READ(&reader, length);
    const uint8_t* build = tdRecordReader_Take(&reader, length);
    bool isValid = !reader.failed && reader.at == reader.end && recording->info.stepRate >= 1.0e-3 &&
                   recording->info.stepRate <= 1.0e6 && tdIsFiniteVec3(recording->stage.gravity) &&
                   recording->stage.subStepCount > 0 && recording->stage.subStepCount <= 1000 &&
                   recording->stage.maxPairs >= 0 && recording->stage.maxContacts >= 0;
    if (!isValid)
    {
        return RefuseFile(report, GetOffset(recording, part), "its settings are invalid");
    }
    recording->info.version = (tdVersion){version[0], version[1], version[2]};
    recording->buildSize = (size_t)length + 1;
    recording->build = tdAllocateZeroed(&recording->allocator, recording->buildSize, 1);
    if (recording->build == NULL)
    {
        return LackMemoryToRead(report);
    }
    memcpy(recording->build, build, length);
    recording->info.build = recording->build;
    return true;
}

/// Reads the names of an actor's bodies: counts them and their texts, or stores both.
static bool ReadBodies(tdRecording* recording, const tdRecordPart* part, size_t* nameSize)
{
    tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
    uint32_t actor;
    TD_READ(&reader, actor);
    while (!reader.failed && reader.at < reader.end)
    {
        int32_t facts[2];
        uint32_t length;
        TD_READ(&reader, facts);
        TD_READ(&reader, length);
        const uint8_t* name = tdRecordReader_Take(&reader, length);
        reader.failed = reader.failed || facts[0] < 0 || facts[0] >= TD_RECORD_MAX_BODIES || facts[1] < -1 ||
                        actor > INT32_MAX;
        if (!reader.failed && recording->names != NULL)
        {
            char* text = recording->names + *nameSize;
            memcpy(text, name, length);
            tdNamedBody* named = &recording->bodies.data[recording->bodies.count++];
            *named = (tdNamedBody){facts[0], (int)actor, facts[1], text};
        }
        *nameSize += (size_t)length + 1;
    }
    return !reader.failed;
}

static int CountBodies(const tdRecording* recording)
{
    int count = 0;
    for (int i = 0; i < recording->parts.count; ++i)
    {
        // Every body takes 12 bytes at least.
        count +=
            recording->parts.data[i].tag == TD_RECORD_BODY ? (int)(recording->parts.data[i].size / 12) : 0;
    }
    return count;
}

static bool ReadAllBodies(tdRecording* recording, tdReport* report)
{
    for (int pass = 0; pass < 2; ++pass)
    {
        size_t nameSize = 0;
        for (int i = 0; i < recording->parts.count; ++i)
        {
            const tdRecordPart* part = &recording->parts.data[i];
            if (part->tag == TD_RECORD_BODY && !ReadBodies(recording, part, &nameSize))
            {
                return RefuseFile(report, GetOffset(recording, part), "names of bodies are invalid");
            }
        }
        if (pass == 0 && nameSize > 0)
        {
            recording->names = tdAllocateZeroed(&recording->allocator, nameSize, 1);
            recording->nameSize = recording->names != NULL ? nameSize : 0;
            if (recording->names == NULL ||
                !tdArray_Reserve(&recording->allocator, &recording->bodies, CountBodies(recording)))
            {
                return LackMemoryToRead(report);
            }
        }
        if (nameSize == 0)
        {
            return true;
        }
    }
    return true;
}

/// Reads the moved bodies of a step into the tracks.
static bool ReadStep(const tdRecordPart* part, tdBodyTracks* tracks, const tdAllocator* allocator,
                     tdRecordReader* reader, tdRecordedStep* step)
{
    *reader = (tdRecordReader){part->bytes, part->bytes + part->size, false};
    *step = tdReadRecordedStep(reader);
    int body = 0;
    for (uint32_t i = 0; i < step->bodyCount && !reader->failed; ++i)
    {
        if (!tdBodyTracks_Read(tracks, allocator, reader, &body))
        {
            return false;
        }
    }
    return true;
}

static bool CheckSteps(tdRecording* recording, tdReport* report)
{
    tdBodyTracks tracks = {0};
    bool isGood = true, hasMemory = true;
    for (int i = 1; i < recording->parts.count && isGood && hasMemory; ++i)
    {
        const tdRecordPart* part = &recording->parts.data[i];
        const char* reason = "a step is invalid";
        tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
        tdRecordedStep step;
        int64_t count;
        switch (part->tag)
        {
        case TD_RECORD_STEP:
            hasMemory = ReadStep(part, &tracks, &recording->allocator, &reader, &step);
            isGood = !hasMemory || (!reader.failed && reader.at == reader.end);
            recording->info.stepCount += 1;
            break;
        case TD_RECORD_END:
            TD_READ(&reader, count);
            isGood = !reader.failed && reader.at == reader.end && count == recording->info.stepCount;
            reason = "its number of steps is wrong";
            recording->info.isComplete = true;
            break;
        case TD_RECORD_ASST:
            recording->info.assetBytes += (int64_t)part->size;
            break;
        case TD_RECORD_CLIP:
        case TD_RECORD_GEOM:
        case TD_RECORD_BODY:
        case TD_RECORD_CALL:
            break;
        default:
            isGood = false;
            reason = "a part is of an unknown kind";
            break;
        }
        if (!isGood)
        {
            RefuseFile(report, GetOffset(recording, part), reason);
        }
    }
    recording->info.bodyCount = tracks.count;
    tdArray_Free(&recording->allocator, &tracks);
    return isGood && (hasMemory || LackMemoryToRead(report));
}

tdRecording* tdLoadRecording(const void* data, size_t size, const tdAllocator* outer, tdReport* report)
{
    tdAllocator allocator = tdAllocator_Resolve(outer);
    if (data == NULL && size > 0)
    {
        return NULL;
    }
    tdRecording* recording = tdAllocateZeroed(&allocator, sizeof(tdRecording), _Alignof(tdRecording));
    uint8_t* bytes = recording != NULL ? tdAllocate(&allocator, size + 1, TD_MAX_ALIGNMENT) : NULL;
    if (bytes == NULL)
    {
        tdRelease(&allocator, recording, sizeof(tdRecording));
        LackMemoryToRead(report);
        return NULL;
    }
    if (size > 0)
    {
        memcpy(bytes, data, size);
    }
    recording->allocator = allocator;
    recording->bytes = bytes;
    recording->size = size;
    recording->capacity = size + 1;
    recording->info.build = "";
    if (!CheckFileHeader(recording, report) || !FindParts(recording, report) ||
        !ReadHead(recording, report) || !ReadAllBodies(recording, report) || !CheckSteps(recording, report))
    {
        tdDestroyRecording(recording);
        return NULL;
    }
    if (!recording->info.isComplete)
    {
        tdReport_Add(report, TD_DIAG_RECORDING_CUT, NULL, (long long)recording->info.stepCount);
    }
    return recording;
}

void tdDestroyRecording(tdRecording* recording)
{
    if (recording == NULL)
    {
        return;
    }
    tdAllocator allocator = recording->allocator;
    tdRelease(&allocator, recording->bytes, recording->capacity);
    tdArray_Free(&allocator, &recording->parts);
    tdArray_Free(&allocator, &recording->bodies);
    tdRelease(&allocator, recording->build, recording->buildSize);
    tdRelease(&allocator, recording->names, recording->nameSize);
    tdRelease(&allocator, recording, sizeof(tdRecording));
}

tdRecordingInfo tdRecording_GetInfo(const tdRecording* recording)
{
    return recording != NULL ? recording->info : (tdRecordingInfo){.build = ""};
}

int tdRecording_GetAssetCount(const tdRecording* recording)
{
    int count = 0;
    for (int i = 0; recording != NULL && i < recording->parts.count; ++i)
    {
        count += recording->parts.data[i].tag == TD_RECORD_ASST ? 1 : 0;
    }
    return count;
}

void tdRecording_NameBody(const tdRecording* recording, tdBodyDifference* difference)
{
    difference->actor = difference->node = -1;
    difference->name = "";
    for (int i = recording->bodies.count - 1; i >= 0; --i)
    {
        const tdNamedBody* named = &recording->bodies.data[i];
        if (named->body == difference->body)
        {
            difference->actor = named->actor;
            difference->node = named->node;
            difference->name = named->name;
            return;
        }
    }
}

// Comparison

/// A recording that is read step by step.
typedef struct ComparedSide
{
    const tdRecording* recording;
    int part;
    tdBodyTracks tracks;
    uint64_t inputs; // hash of the calls before the step
    uint64_t hash;
} ComparedSide;

/// Reads the next step. False when memory ran out.
static bool ReadSide(ComparedSide* side, const tdAllocator* allocator)
{
    side->inputs = TD_HASH_INIT;
    if (side->part == 0)
    {
        side->inputs = tdHash(side->inputs, &side->recording->info.stepRate, sizeof(double));
        side->inputs = tdHash(side->inputs, &side->recording->stage.gravity, sizeof(tdVec3));
        int32_t settings[3] = {side->recording->stage.subStepCount, side->recording->stage.enableSleep,
                               side->recording->stage.enableContinuous};
        side->inputs = tdHash(side->inputs, settings, sizeof(settings));
    }
    for (bool isStep = false; !isStep; side->part += 1)
    {
        const tdRecordPart* part = &side->recording->parts.data[side->part];
        isStep = part->tag == TD_RECORD_STEP;
        if (part->tag == TD_RECORD_CALL || part->tag == TD_RECORD_ASST || part->tag == TD_RECORD_CLIP)
        {
            side->inputs = tdHash(side->inputs, part->bytes, part->size);
        }
        tdRecordReader reader;
        tdRecordedStep step;
        if (isStep)
        {
            if (!ReadStep(part, &side->tracks, allocator, &reader, &step))
            {
                return false;
            }
            side->hash = step.hash;
            side->inputs = tdHash(side->inputs, &step.seconds, sizeof(step.seconds));
        }
    }
    return true;
}

static void CompareBodies(const ComparedSide* a, const ComparedSide* b, uint8_t* isDifferent, int64_t step,
                          tdBodyDifference* differences, int capacity, tdRecordingComparison* comparison)
{
    int count = a->tracks.count > b->tracks.count ? a->tracks.count : b->tracks.count;
    for (int i = 0; i < count; ++i)
    {
        tdTransform one = tdBodyTracks_Get(&a->tracks, i), other = tdBodyTracks_Get(&b->tracks, i);
        if (isDifferent[i] || memcmp(&one, &other, sizeof(one)) == 0)
        {
            continue;
        }
        isDifferent[i] = 1;
        if (comparison->differenceCount < capacity)
        {
            tdBodyDifference* difference = &differences[comparison->differenceCount];
            *difference = (tdBodyDifference){.step = step, .body = i, .a = one, .b = other};
            tdRecording_NameBody(a->recording, difference);
        }
        comparison->differenceCount += 1;
    }
}

bool tdCompareRecordings(const tdRecording* a, const tdRecording* b, tdBodyDifference* differences,
                         int capacity, tdRecordingComparison* comparison)
{
    *comparison = (tdRecordingComparison){0};
    if (a == NULL || b == NULL)
    {
        return false;
    }
    const tdAllocator* allocator = &a->allocator;
    ComparedSide sides[2] = {{.recording = a}, {.recording = b}};
    int bodyCount = a->info.bodyCount > b->info.bodyCount ? a->info.bodyCount : b->info.bodyCount;
    uint8_t* isDifferent = tdAllocateZeroed(allocator, (size_t)bodyCount + 1, 1);
    bool hasMemory = isDifferent != NULL;
    int64_t count = a->info.stepCount < b->info.stepCount ? a->info.stepCount : b->info.stepCount;
    for (int64_t step = 1; step <= count && hasMemory; ++step)
    {
        hasMemory = ReadSide(&sides[0], allocator) && ReadSide(&sides[1], allocator);
        if (!hasMemory)
        {
            break;
        }
        comparison->stepCount = step;
        if (comparison->inputStep == 0 && sides[0].inputs != sides[1].inputs)
        {
            comparison->inputStep = step;
        }
        if (comparison->stateStep == 0 && sides[0].hash != sides[1].hash)
        {
            comparison->stateStep = step;
        }
        if (sides[0].hash != sides[1].hash)
        {
            CompareBodies(&sides[0], &sides[1], isDifferent, step, differences, capacity, comparison);
        }
    }
    tdRelease(allocator, isDifferent, (size_t)bodyCount + 1);
    tdArray_Free(allocator, &sides[0].tracks);
    tdArray_Free(allocator, &sides[1].tracks);
    return hasMemory;
}
