// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Animations (glTF 2.0, sections 3.11 and 5.8). A channel that cannot be played is reported and left out.
#include "animations.h"

#include "animation_pointer.h"
#include "import.h"
#include "read.h"
#include "vrm_material.h"

#include "base/hash.h"
#include "scene/humanoid.h"

#include <string.h>

/// One animation while it is being read.
typedef struct Reading
{
    tdImport* import;
    tdReader reader;
    const tdPath* path; // of the animation
    const int* samplers;
    int samplerCount;
    tdProperty* targets; // by channel of the file
    int* slots;          // hash table of channels by target, for duplicates; -1 empty
    uint32_t slotMask;
} Reading;

/// Reads the target of a channel. False if the channel is left out (reported).
static bool ReadTarget(Reading* reading, int target, const tdPath* path, tdProperty* property, int* width)
{
    tdImport* import = reading->import;
    const tdJson* json = import->json;
    const tdNodeTree* nodes = &import->scene->nodes;
    int pathValue = TD_JSON_NONE;
    tdReadResult result = tdReadString(&reading->reader, path, target, "path", &pathValue);
    if (result != TD_READ_OK)
    {
        if (result == TD_READ_ABSENT)
        {
            tdReportMissing(&reading->reader, path, "path");
        }
        return false;
    }
    int node = -1;
    tdReadResult nodeResult = tdReadInt(&reading->reader, path, target, "node", 0, &node);
    if (tdJson_StringEquals(json, pathValue, "pointer"))
    {
        tdPath extensionsPath = tdPath_Key(path, "extensions");
        tdPath extensionPath = tdPath_Key(&extensionsPath, "KHR_animation_pointer");
        int extension = tdJson_Find(json, tdJson_Find(json, target, "extensions"), "KHR_animation_pointer");
        size_t length = 0;
        const char* pointer = tdJson_GetString(json, tdJson_Find(json, extension, "pointer"), &length);
        if (pointer == NULL)
        {
            tdReportMissing(&reading->reader, &extensionPath, "pointer");
            return false;
        }
        tdPath pointerPath = tdPath_Key(&extensionPath, "pointer");
        switch (tdResolveAnimationPointer(import, pointer, length, property, width))
        {
        case TD_POINTER_OK:
            return true;
        case TD_POINTER_INVALID:
            tdReport_Add(import->report, TD_DIAG_KHR_ANIMATION_POINTER_INVALID, &pointerPath, (int)length,
                         pointer);
            return false;
        case TD_POINTER_UNSUPPORTED:
            // Expressions list their material values first; see tdLinkMaterialChannels.
            if (tdIsMaterialPointer(pointer, length, width))
            {
                *property = (tdProperty){.kind = TD_PROPERTY_MATERIAL_VALUE,
                                         .object = tdJson_Find(json, extension, "pointer"),
                                         .element = -1};
                return true;
            }
            tdReport_Add(import->report, TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED, &pointerPath, (int)length,
                         pointer);
            return false;
        }
    }
    static const struct
    {
        const char* name;
        tdPropertyKind kind;
        int width;
    } paths[] = {{"translation", TD_PROPERTY_TRANSLATION, 3},
                 {"rotation", TD_PROPERTY_ROTATION, 4},
                 {"scale", TD_PROPERTY_SCALE, 3},
                 {"weights", TD_PROPERTY_WEIGHTS, -1}};
    int found = -1;
    for (int i = 0; i < 4; ++i)
    {
        found = tdJson_StringEquals(json, pathValue, paths[i].name) ? i : found;
    }
    if (found < 0)
    {
        tdPath keyPath = tdPath_Key(path, "path");
        size_t length = 0;
        const char* text = tdJson_GetString(json, pathValue, &length);
        tdReport_Add(import->report, TD_DIAG_VALUE_NOT_IN_LIST, &keyPath, (int)length, text);
        return false;
    }
    if (nodeResult != TD_READ_OK)
    {
        if (nodeResult == TD_READ_ABSENT)
        {
            // Legal: an unknown extension may give the channel a target.
            tdReport_Add(import->report, TD_DIAG_ANIMATION_CHANNEL_TARGET, path);
        }
        return false;
    }
    tdPath nodePath = tdPath_Key(path, "node");
    if (node >= nodes->count)
    {
        tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &nodePath, "node", (long long)node);
        return false;
    }
    *property = (tdProperty){.kind = paths[found].kind, .object = node, .element = -1};
    *width = paths[found].width;
    return true;
}

/// Checks that depend on the node a channel drives. False if the channel is left out.
static bool CheckTarget(Reading* reading, tdProperty property, int* width, const tdPath* path)
{
    tdImport* import = reading->import;
    const tdNodeTree* nodes = &import->scene->nodes;
    if (property.kind > TD_PROPERTY_WEIGHT)
    {
        return true;
    }
    int node = property.object;
    if (property.kind == TD_PROPERTY_WEIGHTS)
    {
        *width = nodes->weightStarts[node + 1] - nodes->weightStarts[node];
        if (*width == 0)
        {
            tdReport_Add(import->report, TD_DIAG_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, path, node);
            return false;
        }
    }
    else if (property.kind != TD_PROPERTY_WEIGHT &&
             tdJson_Find(import->json, import->nodeValues[node], "matrix") >= 0)
    {
        tdReport_Add(import->report, TD_DIAG_ANIMATION_CHANNEL_TARGET_NODE_MATRIX, path, node);
    }
    return true;
}

/// The channel that already drives a property; else -1, and this channel is stored.
static int FindDuplicate(Reading* reading, tdProperty p, int fileIndex)
{
    reading->targets[fileIndex] = p;
    int key[3] = {(int)p.kind, p.object, p.element};
    uint64_t hash = tdHash(TD_HASH_INIT, key, sizeof(key));
    for (uint32_t slot = (uint32_t)(hash ^ hash >> 32) & reading->slotMask;;
         slot = (slot + 1) & reading->slotMask)
    {
        int other = reading->slots[slot];
        if (other < 0)
        {
            reading->slots[slot] = fileIndex;
            return -1;
        }
        tdProperty q = reading->targets[other];
        if (q.kind == p.kind && q.object == p.object && q.element == p.element)
        {
            return other;
        }
    }
}

/// An accessor of a sampler; NULL if it cannot be used (reported).
static const tdAccessor* ReadAccessor(Reading* reading, int sampler, const tdPath* path, const char* key,
                                      int* index)
{
    tdImport* import = reading->import;
    tdReadResult result = tdReadInt(&reading->reader, path, sampler, key, 0, index);
    if (result == TD_READ_ABSENT)
    {
        tdReportMissing(&reading->reader, path, key);
    }
    if (result != TD_READ_OK)
    {
        return NULL;
    }
    if (*index >= import->accessors.accessorCount)
    {
        tdPath keyPath = tdPath_Key(path, key);
        tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &keyPath, "accessor", (long long)*index);
        return NULL;
    }
    return tdAccessors_Get(&import->accessors, *index); // broken accessors are reported already
}

static bool ReadInterpolation(Reading* reading, int sampler, const tdPath* path,
                              tdInterpolation* interpolation)
{
    static const char* const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    int value = TD_JSON_NONE;
    *interpolation = TD_INTERPOLATION_LINEAR;
    tdReadResult result = tdReadString(&reading->reader, path, sampler, "interpolation", &value);
    if (result != TD_READ_OK)
    {
        return result == TD_READ_ABSENT;
    }
    for (int i = 0; i < 3; ++i)
    {
        if (tdJson_StringEquals(reading->import->json, value, names[i]))
        {
            *interpolation = (tdInterpolation)i;
            return true;
        }
    }
    tdPath keyPath = tdPath_Key(path, "interpolation");
    size_t length = 0;
    const char* text = tdJson_GetString(reading->import->json, value, &length);
    tdReport_Add(reading->import->report, TD_DIAG_VALUE_NOT_IN_LIST, &keyPath, (int)length, text);
    return false;
}

static bool CheckTimes(Reading* reading, const tdPath* samplerPath, const float* times, int count)
{
    tdPath path = tdPath_Key(samplerPath, "input");
    if (times[0] < 0.0f)
    {
        tdReport_Add(reading->import->report, TD_DIAG_ACCESSOR_ANIMATION_INPUT_NEGATIVE, &path, 0,
                     (double)times[0]);
        return false;
    }
    for (int i = 1; i < count; ++i)
    {
        if (!(times[i] > times[i - 1]))
        {
            tdReport_Add(reading->import->report, TD_DIAG_ACCESSOR_ANIMATION_INPUT_NON_INCREASING, &path, i,
                         (double)times[i], (double)times[i - 1]);
            return false;
        }
    }
    return true;
}

/// Rotations of unit length: the array of the file if they are, else a copy. NULL when memory or the budget
/// ran out.
static const float* NormaliseRotations(Reading* reading, const tdPath* samplerPath, const tdChannel* channel,
                                       const tdAccessor* accessor, const float* values)
{
    tdImport* import = reading->import;
    tdPath path = tdPath_Key(samplerPath, "output");
    int stride = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 12 : 4;
    int first = stride == 12 ? 4 : 0;
    // Tolerance: one quantisation step for integers, rounding for floats.
    float tolerance = accessor->componentType == TD_COMPONENT_FLOAT ? 5.0e-4f : 2.0e-2f;
    float* copy = NULL;
    bool isReported = false;
    for (int i = 0; i < channel->keyCount; ++i)
    {
        const float* v = values + (size_t)i * (size_t)stride + first;
        float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
        if (tdAbsFloat(length - 1.0f) <= 1.0e-6f)
        {
            continue;
        }
        if (!(tdAbsFloat(length - 1.0f) <= tolerance) && !isReported)
        {
            isReported = true;
            tdReport_Add(import->report, TD_DIAG_ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION,
                         &path, i, (double)length);
        }
        if (copy == NULL)
        {
            size_t floats = (size_t)channel->keyCount * (size_t)stride;
            if (!tdAccessors_Claim(&import->accessors, floats * 4, &path, "This sampler"))
            {
                return NULL;
            }
            copy = tdArena_Allocate(import->arena, floats * 4, 16);
            if (copy == NULL)
            {
                tdReport_Add(import->report, TD_DIAG_OUT_OF_MEMORY, &path, "reading an animation");
                return NULL;
            }
            memcpy(copy, values, floats * 4);
        }
        float* out = copy + (size_t)i * (size_t)stride + first;
        float largest = tdMaxFloat(tdMaxFloat(tdAbsFloat(v[0]), tdAbsFloat(v[1])),
                                   tdMaxFloat(tdAbsFloat(v[2]), tdAbsFloat(v[3])));
        float scale = largest > 0.0f ? 1.0f / largest : 1.0f;
        tdQuat q = tdNormalizeQuat((tdQuat){v[0] * scale, v[1] * scale, v[2] * scale, v[3] * scale});
        out[0] = q.x;
        out[1] = q.y;
        out[2] = q.z;
        out[3] = q.w;
    }
    return copy != NULL ? copy : values;
}

/// Checks the type of the output: one SCALAR per weight, else a vector of the property's width; translation
/// and scale are floats, the others may be normalised integers.
static bool CheckOutputFormat(const tdChannel* channel, const tdAccessor* output)
{
    bool isScalar = channel->target.kind == TD_PROPERTY_WEIGHTS || channel->width == 1;
    bool isFloat = output->componentType == TD_COMPONENT_FLOAT;
    bool needsFloat =
        channel->target.kind == TD_PROPERTY_TRANSLATION || channel->target.kind == TD_PROPERTY_SCALE;
    // Booleans are written as unsigned bytes (KHR_animation_pointer).
    bool isBoolean = channel->target.kind == TD_PROPERTY_MOTION_IS_KINEMATIC ||
                     channel->target.kind == TD_PROPERTY_JOINT_ENABLE_COLLISION ||
                     channel->target.kind == TD_PROPERTY_SHAPE_DOUBLE_SIDED;
    return output->columns == 1 && output->rows == (isScalar ? 1 : channel->width) &&
           (isFloat || isBoolean || (output->isNormalized && !needsFloat));
}

/// Reads keys and values of a channel. False if the channel is left out.
static bool ReadSampler(Reading* reading, int sampler, const tdPath* path, tdChannel* channel)
{
    tdImport* import = reading->import;
    int inputIndex = -1, outputIndex = -1;
    const tdAccessor* input = ReadAccessor(reading, sampler, path, "input", &inputIndex);
    const tdAccessor* output = ReadAccessor(reading, sampler, path, "output", &outputIndex);
    if (input == NULL || output == NULL ||
        !ReadInterpolation(reading, sampler, path, &channel->interpolation))
    {
        return false;
    }
    if (input->componentType != TD_COMPONENT_FLOAT || input->componentCount != 1)
    {
        tdPath key = tdPath_Key(path, "input");
        tdReport_Add(import->report, TD_DIAG_ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, &key,
                     inputIndex);
        return false;
    }
    tdPath outputPath = tdPath_Key(path, "output");
    if (!CheckOutputFormat(channel, output))
    {
        tdReport_Add(import->report, TD_DIAG_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, &outputPath,
                     outputIndex);
        return false;
    }
    bool isCubic = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE;
    int64_t perKey = (int64_t)(channel->width / output->componentCount) * (isCubic ? 3 : 1);
    int64_t expected = (int64_t)input->count * perKey;
    if (output->count != expected)
    {
        tdReport_Add(import->report, TD_DIAG_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, &outputPath,
                     (long long)output->count, (long long)expected);
        return false;
    }
    import->keyCount += input->count;
    if (!tdImport_Allow(import, TD_LIMIT_keys, (double)import->keyCount, path))
    {
        return false;
    }
    channel->keyCount = input->count;
    channel->times = tdAccessors_GetFloats(&import->accessors, inputIndex);
    channel->values = tdAccessors_GetFloats(&import->accessors, outputIndex);
    if (channel->times == NULL || channel->values == NULL ||
        !CheckTimes(reading, path, channel->times, channel->keyCount))
    {
        return false;
    }
    if (isCubic && channel->keyCount < 2)
    {
        tdPath key = tdPath_Key(path, "input");
        tdReport_Add(import->report, TD_DIAG_ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, &key,
                     channel->keyCount);
    }
    if (channel->isRotation)
    {
        channel->values = NormaliseRotations(reading, path, channel, output, channel->values);
    }
    return channel->values != NULL;
}

/// Reads a channel. True if it can be played.
static bool ReadChannel(Reading* reading, int value, const tdPath* path, tdChannel* channel, int fileIndex)
{
    tdImport* import = reading->import;
    *channel = (tdChannel){.fileChannel = fileIndex};
    int target = TD_JSON_NONE, sampler = -1;
    tdReadResult targetResult = tdReadObject(&reading->reader, path, value, "target", &target);
    tdReadResult samplerResult = tdReadInt(&reading->reader, path, value, "sampler", 0, &sampler);
    if (targetResult == TD_READ_ABSENT || samplerResult == TD_READ_ABSENT)
    {
        tdReportMissing(&reading->reader, path, targetResult == TD_READ_ABSENT ? "target" : "sampler");
    }
    if (targetResult != TD_READ_OK || samplerResult != TD_READ_OK)
    {
        return false;
    }
    tdPath targetPath = tdPath_Key(path, "target");
    if (sampler >= reading->samplerCount)
    {
        tdPath samplerPath = tdPath_Key(path, "sampler");
        tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &samplerPath, "sampler",
                     (long long)sampler);
        return false;
    }
    if (!ReadTarget(reading, target, &targetPath, &channel->target, &channel->width) ||
        !CheckTarget(reading, channel->target, &channel->width, &targetPath))
    {
        return false;
    }
    int other = FindDuplicate(reading, channel->target, fileIndex);
    if (other >= 0)
    {
        tdReport_Add(import->report, TD_DIAG_ANIMATION_DUPLICATE_TARGETS, &targetPath, other);
        return false;
    }
    channel->isRotation = channel->target.kind == TD_PROPERTY_ROTATION ||
                          channel->target.kind == TD_PROPERTY_MOTION_INERTIA_ORIENTATION;
    tdPath samplersPath = tdPath_Key(reading->path, "samplers");
    tdPath samplerPath = tdPath_Index(&samplersPath, sampler);
    return ReadSampler(reading, reading->samplers[sampler], &samplerPath, channel);
}

/// Reports an array that the schema wants to have an element.
static void CheckNotEmpty(tdImport* import, const tdPath* path, const char* key, int list)
{
    if (list >= 0 && tdJson_GetCount(import->json, list) == 0)
    {
        tdPath listPath = tdPath_Key(path, key);
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &listPath);
    }
}

static bool StartReading(Reading* reading, int samplers, int channelCount)
{
    tdImport* import = reading->import;
    reading->samplerCount = tdJson_GetCount(import->json, samplers);
    int* values = tdArena_NewArray(&import->scratch, int, reading->samplerCount + 1);
    uint32_t slotCount = 4;
    while (slotCount < (uint32_t)channelCount * 2u)
    {
        slotCount *= 2;
    }
    reading->slots = tdArena_Allocate(&import->scratch, slotCount * sizeof(int), _Alignof(int));
    reading->targets = tdArena_NewArray(&import->scratch, tdProperty, channelCount + 1);
    if (values == NULL || reading->slots == NULL || reading->targets == NULL)
    {
        return false;
    }
    memset(reading->slots, 0xFF, slotCount * sizeof(int));
    reading->slotMask = slotCount - 1;
    int index = 0;
    for (int child = tdJson_GetFirst(import->json, samplers); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        values[index++] = child;
    }
    reading->samplers = values;
    return true;
}

static bool ReadAnimation(tdImport* import, int value, int index, const tdPath* path, tdAnimation* animation)
{
    Reading reading = {.import = import, .reader = tdMakeReader(import->json, import->report), .path = path};
    animation->name = tdImport_GetText(import, path, value, "name");
    if (animation->name == NULL)
    {
        return false;
    }
    if (!tdJson_IsObject(import->json, value))
    {
        tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, path, "an object");
        return true;
    }
    int samplers = TD_JSON_NONE, list = TD_JSON_NONE;
    if (tdReadArray(&reading.reader, path, value, "samplers", &samplers) == TD_READ_ABSENT)
    {
        tdReportMissing(&reading.reader, path, "samplers");
    }
    if (tdReadArray(&reading.reader, path, value, "channels", &list) == TD_READ_ABSENT)
    {
        tdReportMissing(&reading.reader, path, "channels");
    }
    CheckNotEmpty(import, path, "samplers", samplers);
    CheckNotEmpty(import, path, "channels", list);
    int count = tdJson_GetCount(import->json, list);
    tdChannel* channels = tdArena_NewArray(import->arena, tdChannel, count + 1);
    if (channels == NULL || !StartReading(&reading, samplers, count))
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "channels");
    int fileIndex = 0;
    for (int child = tdJson_GetFirst(import->json, list); child >= 0 && !import->isOverLimit;
         child = tdJson_GetNext(import->json, child))
    {
        tdPath channelPath = tdPath_Index(&listPath, fileIndex);
        int at = animation->channelCount;
        if (!tdJson_IsObject(import->json, child))
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &channelPath, "an object");
        }
        else if (ReadChannel(&reading, child, &channelPath, &channels[at], fileIndex))
        {
            float end = channels[at].times[channels[at].keyCount - 1];
            animation->duration = tdMaxFloat(animation->duration, end);
            animation->channelCount += 1;
        }
        fileIndex += 1;
    }
    animation->channels = channels;
    if (import->isOverLimit || !tdImport_Allow(import, TD_LIMIT_duration, (double)animation->duration, path))
    {
        return false;
    }
    if (animation->channelCount == 0)
    {
        tdReport_Add(import->report, TD_DIAG_ANIMATION_EMPTY, path, index);
    }
    return true;
}

static void ReportUnlinked(tdImport* import, const tdPath* animation, int fileChannel, const char* pointer,
                           size_t length)
{
    tdPath channels = tdPath_Key(animation, "channels");
    tdPath channel = tdPath_Index(&channels, fileChannel);
    tdPath target = tdPath_Key(&channel, "target");
    tdPath extensions = tdPath_Key(&target, "extensions");
    tdPath extension = tdPath_Key(&extensions, "KHR_animation_pointer");
    tdPath path = tdPath_Key(&extension, "pointer");
    tdReport_Add(import->report, TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED, &path, (int)length, pointer);
}

/// Copies the channels of an animation with the indices of their material values. False when memory ran out.
static bool LinkChannels(tdMaterialImport* materials, tdAnimation* animation, const tdPath* path)
{
    tdImport* import = materials->import;
    tdChannel* channels = tdArena_NewArray(import->arena, tdChannel, animation->channelCount);
    int count = 0;
    for (int i = 0; i < animation->channelCount && channels != NULL; ++i)
    {
        tdChannel channel = animation->channels[i];
        bool isLinked = true;
        if (channel.target.kind == TD_PROPERTY_MATERIAL_VALUE)
        {
            size_t length = 0;
            const char* pointer = tdJson_GetString(import->json, channel.target.object, &length);
            channel.target.object = tdMaterialImport_UsePointer(materials, pointer, length);
            if (channel.target.object == -2)
            {
                return false;
            }
            isLinked = channel.target.object >= 0;
            if (!isLinked)
            {
                ReportUnlinked(import, path, channel.fileChannel, pointer, length);
            }
        }
        channels[count] = channel;
        count += isLinked ? 1 : 0;
    }
    animation->channels = channels;
    animation->channelCount = channels != NULL ? count : 0;
    return channels != NULL;
}

static bool HasMaterialChannels(const tdAnimation* animation)
{
    bool has = false;
    for (int c = 0; c < animation->channelCount && !has; ++c)
    {
        has = animation->channels[c].target.kind == TD_PROPERTY_MATERIAL_VALUE;
    }
    return has;
}

bool tdLinkMaterialChannels(tdImport* import)
{
    tdPath listPath = tdPath_Key(&tdPath_root, "animations");
    int first = 0, count = import->scene->animationCount;
    while (first < count && !HasMaterialChannels(&import->animations[first]))
    {
        first += 1;
    }
    if (first == count)
    {
        return true;
    }
    tdMaterialImport materials;
    bool isGood =
        tdMaterialImport_Init(&materials, import, TD_JSON_NONE) && tdMaterialImport_Resume(&materials);
    for (int i = first; i < count && isGood; ++i)
    {
        tdPath path = tdPath_Index(&listPath, i);
        isGood = !HasMaterialChannels(&import->animations[i]) ||
                 LinkChannels(&materials, &import->animations[i], &path);
    }
    isGood = isGood && tdMaterialImport_Finish(&materials);
    tdMaterialImport_Free(&materials);
    return isGood;
}

bool tdImportAnimations(tdImport* import)
{
    int count = 0;
    const int* values = tdImport_GetElements(import, "animations", &count);
    tdAnimation* animations = tdArena_NewArray(import->arena, tdAnimation, count + 1);
    if (animations == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(&tdPath_root, "animations");
    for (int i = 0; i < count; ++i)
    {
        tdPath path = tdPath_Index(&listPath, i);
        if (!ReadAnimation(import, values[i], i, &path, &animations[i]))
        {
            return false;
        }
    }
    import->animations = animations;
    import->scene->animations = animations;
    import->scene->animationCount = count;
    return true;
}
