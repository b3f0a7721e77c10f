// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes a clip as a VRM Animation, a new GLB: the skeleton of the avatar in its rest pose, and the motion of
// its bones, expressions and gaze (VRMC_vrm_animation 1.0).
//
// The file contains the bones and all their ancestors, so that every bone keeps its parent and its rest pose.
// A model that does not face +Z (VRM 0.x) gets a root that turns it to +Z; local rotations are unchanged. The
// rest pose is the T-pose of the humanoid, even if the nodes of the asset hold another pose.
#include "animation_writer.h"

#include "anim/rig.h"
#include "base/number.h"
#include "base/report.h"
#include "import/create_asset.h"
#include "scene/humanoid.h"

#include "tendon/motion.h"

#include <string.h>

#define MOTION_NAME "motion.vrma" // in reports

typedef struct MotionWriter
{
    const tdAsset* asset;
    const tdClip* clip;
    const tdHumanoid* humanoid;
    int* newIndex; // by node of the asset; -1: left out
    int nodeCount; // of the file
    int turnNode, gazeNode, firstExpressionNode;
    tdText json;
    tdAnimationWriter animation;
} MotionWriter;

static void AppendNumbers(tdText* text, const float* values, int count)
{
    tdText_AppendChar(text, '[');
    for (int i = 0; i < count; ++i)
    {
        char number[TD_NUMBER_TEXT_SIZE];
        tdWriteFloat(number, values[i]);
        tdText_AppendFormat(text, "%s%s", i > 0 ? "," : "", number);
    }
    tdText_AppendChar(text, ']');
}

/// Selects the bones and their ancestors, in the order of the nodes of the asset.
static bool ChooseNodes(MotionWriter* writer)
{
    const tdNodeTree* nodes = &writer->asset->scene.nodes;
    writer->newIndex =
        tdAllocate(&writer->asset->outerAllocator, sizeof(int) * (size_t)nodes->count, _Alignof(int));
    if (writer->newIndex == NULL)
    {
        return false;
    }
    memset(writer->newIndex, 0xff, sizeof(int) * (size_t)nodes->count); // all -1
    for (int bone = 0; bone < TD_BONE_COUNT; ++bone)
    {
        bool isEye = bone == TD_BONE_LEFT_EYE || bone == TD_BONE_RIGHT_EYE;
        for (int node = isEye ? -1 : writer->humanoid->nodes[bone]; node >= 0; node = nodes->parents[node])
        {
            writer->newIndex[node] = 0;
        }
    }
    for (int node = 0; node < nodes->count; ++node)
    {
        if (writer->newIndex[node] == 0)
        {
            writer->newIndex[node] = writer->nodeCount++;
        }
    }
    int next = writer->nodeCount;
    tdQuat frame = tdHumanoid_GetFrame(writer->humanoid);
    writer->turnNode = tdAngleBetween(frame, tdQuat_identity) > 0.0f ? next++ : -1;
    writer->gazeNode = writer->clip->hasGaze ? next++ : -1;
    writer->firstExpressionNode = next;
    return true;
}

static void AppendChildren(MotionWriter* writer, int parent)
{
    const tdNodeTree* nodes = &writer->asset->scene.nodes;
    int count = 0;
    int first = parent >= 0 ? nodes->positions[parent] + 1 : 0;
    int end = parent >= 0 ? nodes->subtreeEnds[first - 1] : nodes->count;
    for (int position = first; position < end; position = nodes->subtreeEnds[position])
    {
        int child = nodes->order[position];
        if (writer->newIndex[child] >= 0)
        {
            tdText_AppendFormat(&writer->json, "%s%d", count > 0 ? "," : "", writer->newIndex[child]);
            count += 1;
        }
    }
}

static bool HasChildren(const MotionWriter* writer, int node)
{
    const tdNodeTree* nodes = &writer->asset->scene.nodes;
    int first = nodes->positions[node];
    for (int position = first + 1; position < nodes->subtreeEnds[first]; ++position)
    {
        if (writer->newIndex[nodes->order[position]] >= 0)
        {
            return true;
        }
    }
    return false;
}

static void AppendNode(MotionWriter* writer, int node)
{
    const tdNodeTree* nodes = &writer->asset->scene.nodes;
    tdText* json = &writer->json;
    tdTrs local = nodes->locals[node];
    local.rotation = tdHumanoid_GetRestRotation(writer->humanoid, nodes, node);
    if (writer->humanoid->tpose != NULL && node == writer->humanoid->nodes[TD_BONE_HIPS])
    {
        struct tdRig rig;
        tdRig_Init(&rig, writer->asset);
        local.translation = rig.hipsLocalRest;
    }
    tdText_AppendString(json, writer->newIndex[node] > 0 ? ",{\"name\":" : "{\"name\":");
    tdText_AppendJsonString(json, nodes->names[node], strlen(nodes->names[node]));
    tdText_AppendString(json, ",\"translation\":");
    AppendNumbers(json, &local.translation.x, 3);
    tdText_AppendString(json, ",\"rotation\":");
    AppendNumbers(json, &local.rotation.x, 4);
    if (memcmp(&local.scale, &tdVec3_one, sizeof(tdVec3)) != 0)
    {
        tdText_AppendString(json, ",\"scale\":");
        AppendNumbers(json, &local.scale.x, 3);
    }
    if (HasChildren(writer, node))
    {
        tdText_AppendString(json, ",\"children\":[");
        AppendChildren(writer, node);
        tdText_AppendChar(json, ']');
    }
    tdText_AppendChar(json, '}');
}

static void AppendNodes(MotionWriter* writer)
{
    tdText* json = &writer->json;
    const tdNodeTree* nodes = &writer->asset->scene.nodes;
    tdText_AppendString(json, ",\"nodes\":[");
    for (int node = 0; node < nodes->count; ++node)
    {
        if (writer->newIndex[node] >= 0)
        {
            AppendNode(writer, node);
        }
    }
    if (writer->turnNode >= 0)
    {
        tdQuat turn = tdConjugate(tdHumanoid_GetFrame(writer->humanoid));
        turn = writer->humanoid->tpose == NULL ? (tdQuat){0.0f, 1.0f, 0.0f, 0.0f} : turn;
        tdText_AppendString(json, ",{\"name\":\"facing\",\"rotation\":");
        AppendNumbers(json, &turn.x, 4);
        tdText_AppendString(json, ",\"children\":[");
        AppendChildren(writer, -1);
        tdText_AppendString(json, "]}");
    }
    if (writer->gazeNode >= 0)
    {
        tdText_AppendString(json, ",{\"name\":\"lookAt\"}");
    }
    for (int i = 0; i < writer->clip->expressionCount; ++i)
    {
        const char* name = writer->clip->expressions[i].name;
        tdText_AppendString(json, ",{\"name\":");
        tdText_AppendJsonString(json, name, strlen(name));
        tdText_AppendChar(json, '}');
    }
    tdText_AppendString(json, "],\"scene\":0,\"scenes\":[{\"nodes\":[");
    if (writer->turnNode >= 0)
    {
        tdText_AppendFormat(json, "%d", writer->turnNode);
    }
    else
    {
        AppendChildren(writer, -1);
    }
    for (int i = writer->gazeNode >= 0 ? -1 : 0; i < writer->clip->expressionCount; ++i)
    {
        tdText_AppendFormat(json, ",%d", i < 0 ? writer->gazeNode : writer->firstExpressionNode + i);
    }
    tdText_AppendString(json, "]}]");
}

static void AddChannel(MotionWriter* writer, int node, const char* path, const tdChannel* channel,
                       const float* values, int width)
{
    tdAnimationWriter_Add(&writer->animation, &(tdCurveKeys){.node = node,
                                                             .path = path,
                                                             .interpolation = channel->interpolation,
                                                             .width = width,
                                                             .keyCount = channel->keyCount,
                                                             .times = channel->times,
                                                             .values = values});
}

/// Writes weights as the X of a translation.
static bool AddExpressionChannel(MotionWriter* writer, const tdChannel* channel)
{
    int perKey = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    int count = channel->keyCount * perKey;
    size_t size = 3 * sizeof(float) * (size_t)count;
    float* values = tdAllocateZeroed(&writer->asset->outerAllocator, size, _Alignof(float));
    if (values == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        values[3 * i] = channel->values[i];
    }
    AddChannel(writer, writer->firstExpressionNode + channel->target.object, "translation", channel, values,
               3);
    tdRelease(&writer->asset->outerAllocator, values, size);
    return true;
}

static bool AddChannels(MotionWriter* writer)
{
    const tdHumanoid* humanoid = writer->humanoid;
    for (int i = 0; i < writer->clip->channelCount; ++i)
    {
        const tdChannel* channel = &writer->clip->channels[i];
        int node = channel->target.object;
        bool isNode = channel->target.kind <= TD_PROPERTY_SCALE;
        int bone = isNode ? humanoid->boneOfNode[node] : TD_BONE_NONE;
        bool isEye = bone == TD_BONE_LEFT_EYE || bone == TD_BONE_RIGHT_EYE;
        if (channel->target.kind == TD_PROPERTY_ROTATION && bone != TD_BONE_NONE && !isEye)
        {
            AddChannel(writer, writer->newIndex[node], "rotation", channel, channel->values, 4);
        }
        else if (channel->target.kind == TD_PROPERTY_TRANSLATION && bone == TD_BONE_HIPS)
        {
            AddChannel(writer, writer->newIndex[node], "translation", channel, channel->values, 3);
        }
        else if (channel->target.kind == TD_PROPERTY_LOOK_AT)
        {
            AddChannel(writer, writer->gazeNode, "rotation", channel, channel->values, 4);
        }
        else if (channel->target.kind == TD_PROPERTY_EXPRESSION && !AddExpressionChannel(writer, channel))
        {
            return false;
        }
    }
    return true;
}

static void AppendExpressionMap(MotionWriter* writer, const char* key, bool isPreset, bool* isFirst)
{
    tdText* json = &writer->json;
    int count = 0;
    for (int i = 0; i < writer->clip->expressionCount; ++i)
    {
        const char* name = writer->clip->expressions[i].name;
        if ((tdExpressionPreset_Find(name, strlen(name)) != TD_PRESET_NONE) != isPreset)
        {
            continue;
        }
        if (count == 0)
        {
            tdText_AppendFormat(json, "%s\"%s\":{", *isFirst ? "" : ",", key);
            *isFirst = false;
        }
        tdText_AppendString(json, count > 0 ? "," : "");
        tdText_AppendJsonString(json, name, strlen(name));
        tdText_AppendFormat(json, ":{\"node\":%d}", writer->firstExpressionNode + i);
        count += 1;
    }
    tdText_AppendString(json, count > 0 ? "}" : "");
}

static void AppendExtension(MotionWriter* writer)
{
    tdText* json = &writer->json;
    tdText_AppendString(
        json,
        ",\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{");
    bool isFirst = true;
    for (int bone = 0; bone < TD_BONE_COUNT; ++bone)
    {
        int node = writer->humanoid->nodes[bone];
        if (node < 0 || bone == TD_BONE_LEFT_EYE || bone == TD_BONE_RIGHT_EYE)
        {
            continue;
        }
        tdText_AppendFormat(json, "%s\"%s\":{\"node\":%d}", isFirst ? "" : ",",
                            tdBone_GetInfo((tdBone)bone)->name, writer->newIndex[node]);
        isFirst = false;
    }
    tdText_AppendString(json, "}}");
    if (writer->clip->expressionCount > 0)
    {
        bool isFirstMap = true;
        tdText_AppendString(json, ",\"expressions\":{");
        AppendExpressionMap(writer, "preset", true, &isFirstMap);
        AppendExpressionMap(writer, "custom", false, &isFirstMap);
        tdText_AppendChar(json, '}');
    }
    if (writer->gazeNode >= 0)
    {
        tdVec3 offset = writer->humanoid->lookAt.offsetFromHeadBone;
        tdText_AppendFormat(json, ",\"lookAt\":{\"node\":%d,\"offsetFromHeadBone\":", writer->gazeNode);
        AppendNumbers(json, &offset.x, 3);
        tdText_AppendChar(json, '}');
    }
    tdText_AppendString(json, "}}");
}

/// The document of the skeleton, without motion.
static tdDocument* MakeSkeleton(MotionWriter* writer, const tdAllocator* allocator, tdReport* report)
{
    tdText* json = &writer->json;
    tdText_AppendString(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Tendon\"},\"extensionsUsed\":["
                              "\"VRMC_vrm_animation\"]");
    AppendNodes(writer);
    AppendExtension(writer);
    tdText_AppendChar(json, '}');
    size_t size = 0;
    uint8_t* bytes =
        json->failed ? NULL : tdMakeGlb(NULL, allocator, json->data, json->length, NULL, 0, &size, report);
    tdDocumentDef def = {.allocator = allocator, .name = MOTION_NAME};
    return bytes != NULL ? tdCreateDocument(bytes, size, &def, NULL) : NULL;
}

/// The document with the clip as its animation; NULL when memory ran out.
static tdDocument* AddMotion(MotionWriter* writer, const tdDocument* skeleton, const tdAllocator* allocator,
                             tdReport* report)
{
    const tdClip* clip = writer->clip;
    const char* name = clip->name != NULL && clip->name[0] != 0 ? clip->name : "motion";
    tdDocumentEdit* edit = tdCreateDocumentEdit(skeleton, allocator);
    tdAnimationWriter_Init(&writer->animation, edit, allocator);
    bool isGood = AddChannels(writer) && tdAnimationWriter_Finish(&writer->animation, name, strlen(name));
    tdDocument* document = isGood ? tdDocumentEdit_Finish(edit, report) : NULL;
    tdAnimationWriter_Free(&writer->animation);
    tdDestroyDocumentEdit(edit);
    return document;
}

tdAsset* tdMakeMotion(const tdAsset* asset, const tdClip* clip, tdReport* report)
{
    if (asset == NULL || clip == NULL)
    {
        return NULL;
    }
    TD_ASSERT(clip->asset == asset);
    if (tdAsset_GetScene(asset)->humanoid == NULL)
    {
        tdReport_Add(report, TD_DIAG_RT_NO_HUMANOID, NULL, asset->name);
        return NULL;
    }
    const tdAllocator* allocator = &asset->outerAllocator;
    MotionWriter writer = {.asset = asset, .clip = clip, .humanoid = asset->scene.humanoid};
    tdText_Init(&writer.json, allocator);
    tdAsset* result = tdCreateEditedAsset(asset, MOTION_NAME, report);
    if (result != NULL)
    {
        result->def.facing = TD_FACING_AUTO; // the file is a T-pose that faces +Z
        result->def.rest = TD_REST_AUTO;
    }
    tdDocument* skeleton =
        result != NULL && ChooseNodes(&writer) ? MakeSkeleton(&writer, allocator, report) : NULL;
    tdDocument* document = skeleton != NULL ? AddMotion(&writer, skeleton, &result->allocator, report) : NULL;
    if (document == NULL)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "writing a motion");
    }
    tdDestroyDocument(skeleton);
    tdText_Free(&writer.json);
    tdRelease(allocator, writer.newIndex, sizeof(int) * (size_t)asset->scene.nodes.count);
    return tdFinishEditedAsset(result, document, report);
}
