// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Records a stage. The stage calls the functions of tdStageRecorder; calls of the application arrive in the
// call log of its world.
#include "record_file.h"

#include "base/def.h"
#include "base/hash.h"
#include "base/report.h"
#include "geometry/geometry.h"
#include "physics/data/call_log.h"
#include "physics/data/world_data.h"
#include "runtime/physics_binding.h"

#include <string.h>

#define DEFAULT_ASSET_BYTES (INT64_C(256) << 20)

/// A hull or mesh. The world tells geometries apart by their address, so a replay must make as many.
typedef struct RecordedGeometry
{
    const tdGeometry* geometry;
    uint64_t hash; // a geometry at the address of a destroyed one is another one
} RecordedGeometry;

struct tdRecorder
{
    tdAllocator allocator;
    tdStage* stage; // NULL: finished
    tdStageRecorder functions;
    tdCallLog calls;
    tdWriteFcn* write;
    void* context;
    tdReport* report;
    int64_t maximumAssetBytes;
    tdRecordBytes part; // being written, with its header
    uint64_t offset;    // in the file
    int64_t stepCount;
    bool failed;
    tdArray(const tdAsset*) assets; // by number
    struct
    {
        const tdClip* clip;
        uint64_t fingerprint; // a clip at the address of a destroyed one is another one
    } * clips;                // by number
    int clipCount, clipCapacity;
    tdArray(RecordedGeometry) geometries; // by number
    uint32_t actorCount;
    tdBodyTracks tracks;
};

tdRecorderDef tdDefaultRecorderDef(void)
{
    return (tdRecorderDef){.maximumAssetBytes = DEFAULT_ASSET_BYTES, .cookie = TD_DEF_COOKIE};
}

// Parts

static void StartPart(tdRecorder* recorder)
{
    recorder->part.count = 0;
    recorder->failed =
        recorder->failed || tdArray_Add(&recorder->allocator, &recorder->part, TD_RECORD_PART_SIZE) == NULL;
}

static void Append(tdRecorder* recorder, const void* data, size_t size)
{
    uint8_t* at = recorder->failed || size > (size_t)(INT32_MAX - recorder->part.count)
                      ? NULL
                      : tdArray_Add(&recorder->allocator, &recorder->part, (int)size);
    if (at == NULL)
    {
        recorder->failed = true;
    }
    else if (size > 0)
    {
        memcpy(at, data, size);
    }
}

#define APPEND(recorder, value) Append((recorder), &(value), sizeof(value))

static void AppendText(tdRecorder* recorder, const char* text)
{
    uint32_t length = (uint32_t)strlen(text);
    APPEND(recorder, length);
    Append(recorder, text, length);
}

static void WriteBytes(tdRecorder* recorder, const void* data, size_t size)
{
    recorder->failed = recorder->failed || !recorder->write(recorder->context, data, size);
    recorder->offset += size;
}

static void FinishPart(tdRecorder* recorder, uint32_t tag)
{
    if (!recorder->failed)
    {
        tdFinishRecordPart(recorder->part.data, (size_t)recorder->part.count, tag, recorder->offset);
        WriteBytes(recorder, recorder->part.data, (size_t)recorder->part.count);
    }
}

static void WriteHead(tdRecorder* recorder, const char* build)
{
    uint8_t header[TD_RECORD_HEADER_SIZE];
    uint32_t version = TD_RECORDING_VERSION;
    memcpy(header, tdRecordMagic, TD_RECORD_MAGIC_SIZE);
    memcpy(header + TD_RECORD_MAGIC_SIZE, &version, sizeof(version));
    uint32_t check = tdComputeRecordCheck(header, 12, 0);
    memcpy(header + 12, &check, sizeof(check));
    WriteBytes(recorder, header, sizeof(header));

    const tdWorld* world = recorder->stage->world;
    tdVersion library = tdGetVersion();
    int32_t numbers[3] = {library.major, library.minor, library.patch};
    int32_t counts[3] = {world->def.subStepCount, world->def.maxPairs, world->def.maxContacts};
    uint8_t flags[2] = {world->enableSleep, world->enableContinuous};
    StartPart(recorder);
    APPEND(recorder, numbers);
    APPEND(recorder, recorder->stage->stepRate);
    APPEND(recorder, world->gravity);
    APPEND(recorder, counts);
    APPEND(recorder, flags);
    AppendText(recorder, build != NULL ? build : "");
    FinishPart(recorder, TD_RECORD_HEAD);
}

// Assets

static bool AppendFile(void* context, const char* uri, const void* data, size_t size)
{
    tdRecorder* recorder = context;
    AppendText(recorder, uri);
    uint32_t fileSize = (uint32_t)size;
    APPEND(recorder, fileSize);
    Append(recorder, data, size);
    return !recorder->failed && recorder->part.count <= recorder->maximumAssetBytes;
}

static void WriteAsset(tdRecorder* recorder, const tdAsset* asset)
{
    const char* name = asset->name != NULL ? asset->name : "";
    const char* slash = strrchr(name, '/');
    name = slash != NULL ? slash + 1 : name;
    size_t size = asset->textSize;
    void* saved = NULL;
    if (asset->text == NULL)
    {
        saved = tdSaveAssetToMemory(asset, TD_SAVE_SAME, &recorder->allocator, &size, NULL);
    }
    const void* bytes = asset->text != NULL ? asset->text : saved;
    bool isSmall = (int64_t)size <= recorder->maximumAssetBytes && size < INT32_MAX;
    const tdLoadDef* def = &asset->def;
    uint8_t flags[4] = {def->literalStiffness, def->wideWeights, (uint8_t)def->facing, (uint8_t)def->rest};
    int32_t frames[2] = {def->bvhTposeFrame1, def->restFrame1};
    uint32_t fileSize = (uint32_t)size;
    StartPart(recorder);
    AppendText(recorder, name);
    APPEND(recorder, flags);
    APPEND(recorder, frames);
    APPEND(recorder, def->bvhUnit);
    AppendText(recorder, def->boneMap != NULL ? def->boneMap : "");
    APPEND(recorder, fileSize);
    if (bytes != NULL && isSmall)
    {
        Append(recorder, bytes, size);
        isSmall = saved == NULL || tdAsset_VisitFiles(asset, AppendFile, recorder, recorder->report) ||
                  recorder->failed;
    }
    if (bytes == NULL || !isSmall)
    {
        tdReport_Add(recorder->report, TD_DIAG_RECORDING_ASSET, NULL, name,
                     bytes == NULL ? "its bytes are not available" : "it is larger than the limit");
        recorder->failed = true;
    }
    tdFreeSaved(saved, size, &recorder->allocator);
    FinishPart(recorder, TD_RECORD_ASST);
}

static uint32_t RecordAsset(void* context, const tdAsset* asset)
{
    tdRecorder* recorder = context;
    for (int i = 0; i < recorder->assets.count; ++i)
    {
        if (recorder->assets.data[i] == asset)
        {
            return (uint32_t)i;
        }
    }
    if (recorder->failed)
    {
        return 0;
    }
    WriteAsset(recorder, asset);
    recorder->failed = recorder->failed || !tdArray_Push(&recorder->allocator, &recorder->assets, asset);
    return (uint32_t)recorder->assets.count - 1;
}

// Clips

static void AppendChannels(tdRecorder* recorder, const tdClip* clip)
{
    uint32_t counts[2] = {(uint32_t)clip->expressionCount, (uint32_t)clip->channelCount};
    AppendText(recorder, clip->name);
    APPEND(recorder, clip->duration);
    APPEND(recorder, counts);
    for (int i = 0; i < clip->expressionCount; ++i)
    {
        AppendText(recorder, clip->expressions[i].name);
    }
    for (int i = 0; i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        int32_t facts[6] = {(int32_t)channel->target.kind,   channel->target.object, channel->target.element,
                            (int32_t)channel->interpolation, channel->width,         channel->keyCount};
        size_t keys = (size_t)channel->keyCount;
        size_t perKey = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 3 : 1;
        APPEND(recorder, facts);
        Append(recorder, channel->times, keys * sizeof(float));
        Append(recorder, channel->values, keys * perKey * (size_t)channel->width * sizeof(float));
    }
}

static uint32_t RecordPlayedClip(void* context, const tdClip* clip)
{
    tdRecorder* recorder = context;
    uint64_t fingerprint = tdClip_ComputeFingerprint(clip);
    for (int i = 0; i < recorder->clipCount; ++i)
    {
        if (recorder->clips[i].clip == clip && recorder->clips[i].fingerprint == fingerprint)
        {
            return (uint32_t)i;
        }
    }
    uint32_t asset = RecordAsset(recorder, clip->asset);
    int32_t animation = clip->animation;
    StartPart(recorder);
    APPEND(recorder, asset);
    APPEND(recorder, animation);
    if (animation < 0)
    {
        AppendChannels(recorder, clip);
    }
    FinishPart(recorder, TD_RECORD_CLIP);
    if (recorder->clipCount == recorder->clipCapacity &&
        !tdArray_Grow(&recorder->allocator, (void**)&recorder->clips, &recorder->clipCapacity,
                      recorder->clipCount, recorder->clipCount + 1, sizeof(*recorder->clips),
                      _Alignof(max_align_t)))
    {
        recorder->failed = true;
        return 0;
    }
    recorder->clips[recorder->clipCount].clip = clip;
    recorder->clips[recorder->clipCount].fingerprint = fingerprint;
    return (uint32_t)recorder->clipCount++;
}

// Geometries

// The triangles of a cooked mesh in the order in which they were given. Triangles that cooking dropped have
// no area here, either, so cooking again gives the same mesh.
static void AppendTriangles(tdRecorder* recorder, const tdTriangles* mesh)
{
    uint32_t inputCount = 0;
    for (int i = 0; i < mesh->triangleCount; ++i)
    {
        inputCount = mesh->sources[i] >= inputCount ? mesh->sources[i] + 1 : inputCount;
    }
    uint32_t vertexCount = (uint32_t)mesh->vertexCount;
    APPEND(recorder, vertexCount);
    APPEND(recorder, inputCount);
    Append(recorder, mesh->vertices, vertexCount * sizeof(tdVec3));
    size_t size = 3 * sizeof(uint32_t) * inputCount;
    uint8_t* at = recorder->failed || size > (size_t)(INT32_MAX - recorder->part.count)
                      ? NULL
                      : tdArray_Add(&recorder->allocator, &recorder->part, (int)size);
    if (at == NULL)
    {
        recorder->failed = true;
        return;
    }
    memset(at, 0, size);
    for (int i = 0; i < mesh->triangleCount; ++i)
    {
        memcpy(at + 3 * sizeof(uint32_t) * mesh->sources[i], mesh->indices + 3 * (size_t)i,
               3 * sizeof(uint32_t));
    }
}

static uint32_t RecordGeometry(void* context, const tdGeometry* geometry)
{
    tdRecorder* recorder = context;
    if (recorder->failed || (geometry->hull != NULL && geometry->points == NULL))
    {
        return UINT32_MAX;
    }
    StartPart(recorder);
    uint8_t flags[3] = {geometry->hull != NULL, 0, 0};
    if (geometry->hull != NULL)
    {
        uint32_t count = (uint32_t)geometry->pointCount;
        APPEND(recorder, flags);
        APPEND(recorder, count);
        Append(recorder, geometry->points, count * sizeof(tdVec3));
    }
    else
    {
        flags[1] = geometry->triangles->isDoubleSided;
        flags[2] = geometry->triangles->isOneSided;
        APPEND(recorder, flags);
        AppendTriangles(recorder, geometry->triangles);
    }
    if (recorder->failed)
    {
        return UINT32_MAX;
    }
    uint64_t hash = tdHash(TD_HASH_INIT, recorder->part.data + TD_RECORD_PART_SIZE,
                           (size_t)recorder->part.count - TD_RECORD_PART_SIZE);
    for (int i = 0; i < recorder->geometries.count; ++i)
    {
        const RecordedGeometry* known = &recorder->geometries.data[i];
        if (known->geometry == geometry && known->hash == hash)
        {
            return (uint32_t)i;
        }
    }
    FinishPart(recorder, TD_RECORD_GEOM);
    RecordedGeometry recorded = {geometry, hash};
    recorder->failed =
        recorder->failed || !tdArray_Push(&recorder->allocator, &recorder->geometries, recorded);
    return (uint32_t)recorder->geometries.count - 1;
}

static void RecordActor(void* context, tdActor* actor)
{
    tdRecorder* recorder = context;
    actor->recordNumber = recorder->actorCount++;
    if (actor->physics == NULL)
    {
        return;
    }
    StartPart(recorder);
    APPEND(recorder, actor->recordNumber);
    for (int i = 0; i < actor->physics->scene->bodyCount; ++i)
    {
        const tdBoundBody* body = &actor->physics->bodies[i];
        if (body->id.index1 > 0)
        {
            int32_t facts[2] = {(int32_t)body->id.index1 - 1, body->node};
            APPEND(recorder, facts);
            const char* name = tdAsset_GetNodeName(actor->asset, body->node);
            AppendText(recorder, name != NULL ? name : "");
        }
    }
    FinishPart(recorder, TD_RECORD_BODY);
}

// Steps

static void BeginStep(void* context)
{
    tdRecorder* recorder = context;
    tdCallLog* calls = &recorder->calls;
    recorder->failed = recorder->failed || calls->isOutOfMemory;
    if (calls->bytes.count > 0)
    {
        StartPart(recorder);
        Append(recorder, calls->bytes.data, (size_t)calls->bytes.count);
        FinishPart(recorder, TD_RECORD_CALL);
        calls->bytes.count = 0;
    }
}

static void EndStep(void* context, double seconds)
{
    tdRecorder* recorder = context;
    int count = 0;
    const tdMovedBody* moved = tdWorld_GetMovedBodies(recorder->stage->world, &count);
    tdRecordedStep step = {seconds, tdStage_GetStateHash(recorder->stage), (uint32_t)count};
    StartPart(recorder);
    APPEND(recorder, step.seconds);
    APPEND(recorder, step.hash);
    APPEND(recorder, step.bodyCount);
    int greatest = recorder->stage->world->bodies.count - 1;
    if (recorder->failed || count > INT32_MAX / (2 * TD_BODY_TRACK_BYTES) ||
        greatest >= TD_RECORD_MAX_BODIES ||
        !tdArray_Reserve(&recorder->allocator, &recorder->part,
                         recorder->part.count + count * TD_BODY_TRACK_BYTES) ||
        !tdBodyTracks_Reserve(&recorder->tracks, &recorder->allocator, greatest))
    {
        recorder->failed = true;
        return;
    }
    uint8_t* at = recorder->part.data + recorder->part.count;
    for (int i = 0, last = 0; i < count; ++i)
    {
        int body = (int)moved[i].body.index1 - 1;
        at = tdBodyTracks_Write(&recorder->tracks, body, last, moved[i].transform, at);
        last = body;
    }
    recorder->part.count = (int)(at - recorder->part.data);
    FinishPart(recorder, TD_RECORD_STEP);
    recorder->stepCount += 1;
}

// Life

static bool IsNew(const tdStage* stage)
{
    return stage->recorder == NULL && stage->stepIndex == 0 && !stage->isVariable &&
           stage->actors.count == 0 && stage->world->bodies.count == 0 && stage->world->stepIndex == 0 &&
           stage->world->filters.filters.count == 0;
}

tdRecorder* tdCreateRecorder(tdStage* stage, const tdRecorderDef* def, tdWriteFcn* write, void* context,
                             tdReport* report)
{
    tdRecorderDef defaults = tdDefaultRecorderDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    if (stage == NULL || write == NULL || !IsNew(stage))
    {
        return NULL;
    }
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    tdRecorder* recorder = tdAllocateZeroed(&allocator, sizeof(tdRecorder), _Alignof(tdRecorder));
    if (recorder == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "recording");
        return NULL;
    }
    recorder->allocator = allocator;
    recorder->stage = stage;
    recorder->calls =
        (tdCallLog){.allocator = allocator, .noteGeometry = RecordGeometry, .context = recorder};
    recorder->write = write;
    recorder->context = context;
    recorder->report = report;
    recorder->maximumAssetBytes = def->maximumAssetBytes;
    recorder->functions =
        (tdStageRecorder){recorder, RecordAsset, RecordPlayedClip, RecordActor, BeginStep, EndStep};
    WriteHead(recorder, def->build);
    if (recorder->failed)
    {
        recorder->stage = NULL;
        tdDestroyRecorder(recorder);
        return NULL;
    }
    stage->recorder = &recorder->functions;
    stage->world->calls = &recorder->calls;
    return recorder;
}

bool tdRecorder_Finish(tdRecorder* recorder)
{
    if (recorder == NULL || recorder->stage == NULL)
    {
        return false;
    }
    BeginStep(recorder);
    StartPart(recorder);
    APPEND(recorder, recorder->stepCount);
    FinishPart(recorder, TD_RECORD_END);
    recorder->stage->recorder = NULL;
    recorder->stage->world->calls = NULL;
    recorder->stage = NULL;
    return !recorder->failed;
}

void tdDestroyRecorder(tdRecorder* recorder)
{
    if (recorder == NULL)
    {
        return;
    }
    if (recorder->stage != NULL)
    {
        recorder->stage->recorder = NULL;
        recorder->stage->world->calls = NULL;
    }
    tdAllocator allocator = recorder->allocator;
    tdArray_Free(&allocator, &recorder->calls.bytes);
    tdArray_Free(&allocator, &recorder->part);
    tdArray_Free(&allocator, &recorder->assets);
    tdArray_Free(&allocator, &recorder->geometries);
    tdArray_Free(&allocator, &recorder->tracks);
    tdRelease(&allocator, recorder->clips, (size_t)recorder->clipCapacity * sizeof(*recorder->clips));
    tdRelease(&allocator, recorder, sizeof(tdRecorder));
}
