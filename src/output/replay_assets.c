// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Assets, clips and geometries of a recording. All are untrusted: assets are imported like any file,
// geometries are cooked, and the channels of clips are validated here.
#include "replay_assets.h"

#include "base/report.h"
#include "geometry/geometry.h"
#include "scene/asset.h"

#include <math.h>
#include <string.h>

#define MAX_TEXT 4095

static bool FailPart(tdReplay* replay, const tdRecordPart* part, const char* reason)
{
    long long place = part->bytes - replay->recording->bytes;
    tdReport_Add(replay->report, TD_DIAG_RECORDING_DAMAGED, NULL, place, reason);
    return false;
}

static bool LackMemory(tdReplay* replay)
{
    tdReport_Add(replay->report, TD_DIAG_OUT_OF_MEMORY, NULL, "replaying");
    return false;
}

/// Reads a text into `text`, zero-terminated. Longer ones make the reader fail.
static void ReadText(tdRecordReader* reader, char text[MAX_TEXT + 1])
{
    uint32_t length;
    TD_READ(reader, length);
    const uint8_t* bytes = length <= MAX_TEXT ? tdRecordReader_Take(reader, length) : NULL;
    reader->failed = reader->failed || bytes == NULL;
    length = bytes != NULL ? length : 0;
    if (length > 0)
    {
        memcpy(text, bytes, length);
    }
    text[length] = '\0';
}

/// An ASST part.
typedef struct RecordedAsset
{
    char name[MAX_TEXT + 1];
    uint8_t flags[4];
    int32_t frames[2];
    float unit;
    const uint8_t *map, *bytes;
    uint32_t mapLength, size;
    tdRecordReader files; // that it refers to
} RecordedAsset;

/// @return false if the part is invalid
static bool ReadAssetPart(const tdRecordPart* part, RecordedAsset* asset)
{
    tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
    ReadText(&reader, asset->name);
    TD_READ(&reader, asset->flags);
    TD_READ(&reader, asset->frames);
    TD_READ(&reader, asset->unit);
    TD_READ(&reader, asset->mapLength);
    asset->map = tdRecordReader_Take(&reader, asset->mapLength);
    TD_READ(&reader, asset->size);
    asset->bytes = tdRecordReader_Take(&reader, asset->size);
    asset->files = reader;
    return !reader.failed && asset->flags[2] <= TD_FACING_MINUS_Y && asset->flags[3] <= TD_REST_FRAME &&
           asset->frames[0] >= 0 && asset->frames[1] >= 0 && asset->unit >= 0.0f && isfinite(asset->unit);
}

/// Reads a file that an asset refers to.
static const uint8_t* ReadFilePart(tdRecordReader* reader, char uri[MAX_TEXT + 1], uint32_t* size)
{
    ReadText(reader, uri);
    TD_READ(reader, *size);
    return tdRecordReader_Take(reader, *size);
}

bool tdRecording_VisitFiles(const tdRecording* recording, int index, tdVisitFileFcn* visit, void* context)
{
    const tdRecordPart* part = NULL;
    for (int i = 0; recording != NULL && i < recording->parts.count && index >= 0; ++i)
    {
        part = &recording->parts.data[i];
        index -= part->tag == TD_RECORD_ASST ? 1 : 0;
    }
    RecordedAsset asset;
    if (part == NULL || index >= 0 || part->tag != TD_RECORD_ASST || !ReadAssetPart(part, &asset) ||
        !visit(context, asset.name, asset.bytes, asset.size))
    {
        return false;
    }
    while (asset.files.at < asset.files.end)
    {
        uint32_t size;
        const uint8_t* bytes = ReadFilePart(&asset.files, asset.name, &size);
        if (bytes == NULL || !visit(context, asset.name, bytes, size))
        {
            return false;
        }
    }
    return true;
}

/// A tdReadFileFcn; the context is a tdReplayAsset.
static bool ReadRecordedFile(void* context, const char* uri, const void** data, size_t* size)
{
    tdRecordReader reader = ((const tdReplayAsset*)context)->files;
    while (reader.at < reader.end && !reader.failed)
    {
        char name[MAX_TEXT + 1];
        uint32_t fileSize;
        const uint8_t* bytes = ReadFilePart(&reader, name, &fileSize);
        if (!reader.failed && strcmp(uri, name) == 0)
        {
            *data = bytes;
            *size = fileSize;
            return true;
        }
    }
    return false;
}

bool tdReplay_LoadAsset(tdReplay* replay, const tdRecordPart* part)
{
    RecordedAsset recorded;
    bool isValid = ReadAssetPart(part, &recorded);
    if (!isValid)
    {
        return FailPart(replay, part, "an asset is invalid");
    }
    tdReplayAsset* asset =
        tdAllocateZeroed(&replay->allocator, sizeof(tdReplayAsset), _Alignof(tdReplayAsset));
    char* boneMap = tdAllocateZeroed(&replay->allocator, (size_t)recorded.mapLength + 1, 1);
    bool hasMemory =
        asset != NULL && boneMap != NULL && tdArray_Push(&replay->allocator, &replay->assets, asset);
    if (hasMemory)
    {
        memcpy(boneMap, recorded.map, recorded.mapLength);
        asset->files = recorded.files;
        tdLoadDef def = tdDefaultLoadDef();
        def.allocator = &replay->allocator;
        def.tasks = replay->tasks;
        def.limits = replay->limits;
        def.name = recorded.name;
        def.readFile = ReadRecordedFile;
        def.readContext = asset;
        def.literalStiffness = recorded.flags[0] != 0;
        def.wideWeights = recorded.flags[1] != 0;
        def.facing = (tdFacing)recorded.flags[2];
        def.rest = (tdRestPose)recorded.flags[3];
        def.bvhTposeFrame1 = recorded.frames[0];
        def.restFrame1 = recorded.frames[1];
        def.bvhUnit = recorded.unit;
        def.boneMap = recorded.mapLength > 0 ? boneMap : NULL;
        // Findings about the file are not about the recording.
        tdReport* findings = tdCreateReport(&replay->allocator);
        asset->asset = tdLoadAssetFromMemory(recorded.bytes, recorded.size, &def, findings);
        hasMemory = findings != NULL && tdReport_CountCode(findings, TD_DIAG_OUT_OF_MEMORY) == 0;
        isValid = asset->asset != NULL;
        tdDestroyReport(findings);
    }
    else
    {
        tdRelease(&replay->allocator, asset, sizeof(tdReplayAsset));
    }
    tdRelease(&replay->allocator, boneMap, (size_t)recorded.mapLength + 1);
    return !hasMemory ? LackMemory(replay) : isValid || FailPart(replay, part, "an asset cannot be loaded");
}

/// Number of floats of a channel's values that recordings of clips may have; 0: the target is invalid.
static int GetTargetWidth(const tdClip* clip, const tdProperty* target)
{
    int nodeCount = clip->asset->scene.nodes.count;
    switch (target->kind)
    {
    case TD_PROPERTY_TRANSLATION:
    case TD_PROPERTY_SCALE:
        return tdIsIndex(target->object, nodeCount) ? 3 : 0;
    case TD_PROPERTY_ROTATION:
        return tdIsIndex(target->object, nodeCount) ? 4 : 0;
    case TD_PROPERTY_EXPRESSION:
        return tdIsIndex(target->object, clip->expressionCount) ? 1 : 0;
    case TD_PROPERTY_LOOK_AT:
        return 4;
    default:
        return 0;
    }
}

static bool AreKeysValid(const tdChannel* channel, size_t valueCount)
{
    for (int i = 0; i < channel->keyCount; ++i)
    {
        float previous = i > 0 ? channel->times[i - 1] : -1.0f;
        if (!isfinite(channel->times[i]) || !(channel->times[i] > previous))
        {
            return false;
        }
    }
    for (size_t i = 0; i < valueCount; ++i)
    {
        if (!isfinite(channel->values[i]))
        {
            return false;
        }
    }
    return true;
}

/// Copies floats into the clip. NULL when memory ran out (`hasMemory`) or there are not as many.
static const float* TakeFloats(tdRecordReader* reader, tdClip* clip, size_t count, bool* hasMemory)
{
    const uint8_t* bytes =
        count <= INT32_MAX / sizeof(float) ? tdRecordReader_Take(reader, count * sizeof(float)) : NULL;
    reader->failed = reader->failed || bytes == NULL;
    float* floats = bytes != NULL ? tdArena_NewArray(&clip->arena, float, count) : NULL;
    *hasMemory = *hasMemory && (bytes == NULL || floats != NULL);
    if (floats != NULL)
    {
        memcpy(floats, bytes, count * sizeof(float));
    }
    return floats;
}

static bool ReadClipChannel(tdRecordReader* reader, tdClip* clip, tdChannel* channel, bool* hasMemory)
{
    int32_t facts[6];
    TD_READ(reader, facts);
    *channel = (tdChannel){.target = {(tdPropertyKind)facts[0], facts[1], facts[2]},
                           .interpolation = (tdInterpolation)facts[3],
                           .width = facts[4],
                           .keyCount = facts[5],
                           .fileChannel = -1};
    channel->isRotation =
        facts[0] == (int32_t)TD_PROPERTY_ROTATION || facts[0] == (int32_t)TD_PROPERTY_LOOK_AT;
    if (reader->failed || facts[0] < 0 || facts[0] >= (int32_t)TD_PROPERTY_KIND_COUNT || facts[3] < 0 ||
        facts[3] > (int32_t)TD_INTERPOLATION_CUBICSPLINE || facts[5] < 1 || facts[4] < 1 ||
        facts[4] != GetTargetWidth(clip, &channel->target))
    {
        return false;
    }
    size_t perKey = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    size_t valueCount = (size_t)channel->keyCount * perKey * (size_t)channel->width;
    channel->times = TakeFloats(reader, clip, (size_t)channel->keyCount, hasMemory);
    channel->values = TakeFloats(reader, clip, valueCount, hasMemory);
    clip->hasGaze = clip->hasGaze || channel->target.kind == TD_PROPERTY_LOOK_AT;
    return channel->times != NULL && channel->values != NULL && AreKeysValid(channel, valueCount);
}

static char* TakeText(tdRecordReader* reader, tdClip* clip, bool* hasMemory)
{
    char text[MAX_TEXT + 1];
    ReadText(reader, text);
    size_t size = strlen(text) + 1;
    char* copy = tdArena_NewArray(&clip->arena, char, size);
    *hasMemory = *hasMemory && copy != NULL;
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static bool ReadClipChannels(tdRecordReader* reader, tdClip* clip, bool* hasMemory)
{
    uint32_t counts[2];
    clip->name = TakeText(reader, clip, hasMemory);
    TD_READ(reader, clip->duration);
    TD_READ(reader, counts);
    size_t left = (size_t)(reader->end - reader->at);
    // An expression takes 4 bytes at least, a channel 24.
    if (reader->failed || !*hasMemory || !isfinite(clip->duration) || clip->duration < 0.0f ||
        counts[0] > left / 4 || counts[1] > left / 24)
    {
        return false;
    }
    tdClipExpression* expressions = tdArena_NewArray(&clip->arena, tdClipExpression, counts[0]);
    tdChannel* channels = tdArena_NewArray(&clip->arena, tdChannel, counts[1]);
    *hasMemory = expressions != NULL && channels != NULL;
    for (uint32_t i = 0; i < counts[0] && *hasMemory; ++i)
    {
        expressions[i].name = TakeText(reader, clip, hasMemory);
    }
    clip->expressions = expressions;
    clip->expressionCount = (int)counts[0];
    bool isValid = !reader->failed;
    for (uint32_t i = 0; i < counts[1] && *hasMemory && isValid; ++i)
    {
        isValid = ReadClipChannel(reader, clip, &channels[i], hasMemory);
    }
    clip->channels = channels;
    clip->channelCount = (int)counts[1];
    return isValid;
}

bool tdReplay_MakeClip(tdReplay* replay, const tdRecordPart* part)
{
    tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
    uint32_t number;
    int32_t animation;
    TD_READ(&reader, number);
    TD_READ(&reader, animation);
    const tdAsset* asset =
        number < (uint32_t)replay->assets.count ? replay->assets.data[number]->asset : NULL;
    if (reader.failed || asset == NULL || animation < -1 ||
        animation >= tdAsset_GetScene(asset)->animationCount)
    {
        return FailPart(replay, part, "a clip is invalid");
    }
    tdClip* clip = animation >= 0 ? tdCreateClip(asset, animation, &replay->allocator, NULL)
                                  : tdClip_New(asset, &replay->allocator);
    bool hasMemory = clip != NULL;
    bool isValid = hasMemory && (animation >= 0 || ReadClipChannels(&reader, clip, &hasMemory));
    if (hasMemory && isValid && !tdArray_Push(&replay->allocator, &replay->clips, clip))
    {
        hasMemory = false;
    }
    if (!hasMemory || !isValid)
    {
        tdDestroyClip(clip);
        return !hasMemory ? LackMemory(replay) : FailPart(replay, part, "a clip is invalid");
    }
    return true;
}

bool tdReplay_CookGeometry(tdReplay* replay, const tdRecordPart* part)
{
    tdRecordReader reader = {part->bytes, part->bytes + part->size, false};
    uint8_t flags[3];
    uint32_t pointCount, triangleCount = 0;
    TD_READ(&reader, flags);
    TD_READ(&reader, pointCount);
    if (flags[0] == 0)
    {
        TD_READ(&reader, triangleCount);
    }
    const uint8_t* bytes = tdRecordReader_Take(&reader, (uint64_t)pointCount * sizeof(tdVec3));
    const uint8_t* indices = tdRecordReader_Take(&reader, (uint64_t)triangleCount * 3 * sizeof(uint32_t));
    if (reader.failed || reader.at != reader.end)
    {
        return FailPart(replay, part, "a hull or mesh is invalid");
    }
    // Bytes of a recording are not aligned.
    size_t pointSize = pointCount * sizeof(tdVec3), size = (size_t)(reader.end - bytes);
    uint8_t* memory = tdAllocate(&replay->allocator, size + 1, TD_MAX_ALIGNMENT);
    if (memory == NULL)
    {
        return LackMemory(replay);
    }
    memcpy(memory, bytes, pointSize);
    memcpy(memory + pointSize, indices, size - pointSize);
    tdGeometryStatus status;
    tdGeometry* geometry;
    if (flags[0] != 0)
    {
        geometry = tdCookHullGeometry((const tdVec3*)memory, (int)pointCount, &replay->allocator, &status);
    }
    else
    {
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = (const tdVec3*)memory;
        def.positionCount = (int)pointCount;
        def.indices = (const uint32_t*)(memory + pointSize);
        def.indexCount = 3 * (int)triangleCount;
        def.isDoubleSided = flags[1] != 0;
        def.isOneSided = flags[2] != 0;
        def.allocator = &replay->allocator;
        def.tasks = replay->tasks;
        geometry = tdCreateMeshGeometry(&def, &status);
    }
    tdRelease(&replay->allocator, memory, size + 1);
    bool hasMemory = status != TD_GEOMETRY_OUT_OF_MEMORY;
    if (geometry != NULL && !tdArray_Push(&replay->allocator, &replay->geometries, geometry))
    {
        tdDestroyGeometry(geometry);
        hasMemory = false;
    }
    return !hasMemory ? LackMemory(replay)
                      : geometry != NULL || FailPart(replay, part, "a hull or mesh cannot be cooked");
}
