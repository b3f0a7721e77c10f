// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Curves become accessors of two shared views, samplers and channels.
#include "animation_writer.h"

#include "base/hash.h"
#include "base/number.h"

#include <string.h>

void tdAnimationWriter_Init(tdAnimationWriter* writer, tdDocumentEdit* edit, const tdAllocator* allocator)
{
    *writer = (tdAnimationWriter){.allocator = *allocator, .edit = edit, .hasFailed = edit == NULL};
    tdText_Init(&writer->times, allocator);
    tdText_Init(&writer->values, allocator);
}

void tdAnimationWriter_Free(tdAnimationWriter* writer)
{
    tdText_Free(&writer->times);
    tdText_Free(&writer->values);
    tdArray_Free(&writer->allocator, &writer->curves);
    tdArray_Free(&writer->allocator, &writer->lists);
    tdArray_Free(&writer->allocator, &writer->slots);
}

/// The slot of a list of times: that of an equal one, or a free one.
static int* FindSlot(const tdAnimationWriter* writer, const void* times, int count)
{
    size_t size = sizeof(float) * (size_t)count;
    uint64_t mask = (uint64_t)writer->slots.count - 1;
    uint64_t slot = tdHash(TD_HASH_INIT, times, size) & mask;
    for (; writer->slots.data[slot] != 0; slot = (slot + 1) & mask)
    {
        const tdTimeList* list = &writer->lists.data[writer->slots.data[slot] - 1];
        if (list->count == count && memcmp(writer->times.data + list->start, times, size) == 0)
        {
            break;
        }
    }
    return &writer->slots.data[slot];
}

/// Keeps the table at most half full.
static bool GrowSlots(tdAnimationWriter* writer)
{
    if (2 * (writer->lists.count + 1) <= writer->slots.count)
    {
        return true;
    }
    int count = writer->slots.count == 0 ? 64 : 2 * writer->slots.count;
    writer->slots.count = 0;
    int* slots = tdArray_Add(&writer->allocator, &writer->slots, count);
    if (slots == NULL)
    {
        return false;
    }
    memset(slots, 0, sizeof(int) * (size_t)count);
    for (int i = 0; i < writer->lists.count; ++i)
    {
        const tdTimeList* list = &writer->lists.data[i];
        *FindSlot(writer, writer->times.data + list->start, list->count) = i + 1;
    }
    return true;
}

/// The index of these key times; -1 when memory ran out.
static int UseTimes(tdAnimationWriter* writer, const float* times, int count)
{
    if (!GrowSlots(writer))
    {
        return -1;
    }
    int* slot = FindSlot(writer, times, count);
    if (*slot == 0)
    {
        tdTimeList list = {.start = writer->times.length, .count = count};
        if (!tdArray_Push(&writer->allocator, &writer->lists, list))
        {
            return -1;
        }
        tdText_Append(&writer->times, (const char*)times, sizeof(float) * (size_t)count);
        *slot = writer->lists.count;
    }
    return *slot - 1;
}

void tdAnimationWriter_Add(tdAnimationWriter* writer, const tdCurveKeys* curve)
{
    bool isWeights = strcmp(curve->path, "weights") == 0;
    int valueCount = curve->keyCount * (curve->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 3 : 1);
    tdWrittenCurve written = {
        .node = curve->node,
        .path = curve->path,
        .interpolation = curve->interpolation,
        .timeList = writer->hasFailed ? -1 : UseTimes(writer, curve->times, curve->keyCount),
        .elementWidth = isWeights ? 1 : curve->width,
        .elementCount = isWeights ? valueCount * curve->width : valueCount,
        .valueStart = writer->values.length,
    };
    tdText_Append(&writer->values, (const char*)curve->values,
                  sizeof(float) * (size_t)valueCount * (size_t)curve->width);
    writer->hasFailed = writer->hasFailed || written.timeList < 0 || writer->times.failed ||
                        writer->values.failed || !tdArray_Push(&writer->allocator, &writer->curves, written);
}

/// A number that reads back as the same float32, also for readers that keep it in a double.
static void AppendExact(tdText* text, float value)
{
    char number[TD_NUMBER_TEXT_SIZE];
    tdWriteDouble(number, (double)value);
    tdText_AppendString(text, number);
}

/// @param bounds least and largest value; NULL: not written
static int AddAccessor(tdAnimationWriter* writer, int view, size_t offset, int count, int width,
                       const float* bounds)
{
    static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    tdText text;
    tdText_Init(&text, &writer->allocator);
    tdText_AppendFormat(
        &text, "{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"",
        view, offset, count, types[width]);
    if (bounds != NULL)
    {
        tdText_AppendString(&text, ",\"min\":[");
        AppendExact(&text, bounds[0]);
        tdText_AppendString(&text, "],\"max\":[");
        AppendExact(&text, bounds[1]);
        tdText_AppendChar(&text, ']');
    }
    tdText_AppendChar(&text, '}');
    int index =
        text.failed ? -1 : tdDocumentEdit_AddElement(writer->edit, "accessors", text.data, text.length);
    writer->hasFailed = writer->hasFailed || index < 0;
    tdText_Free(&text);
    return index;
}

static void AddTimes(tdAnimationWriter* writer, int view)
{
    for (int i = 0; i < writer->lists.count; ++i)
    {
        tdTimeList* list = &writer->lists.data[i];
        const char* first = writer->times.data + list->start;
        float bounds[2];
        memcpy(&bounds[0], first, sizeof(float));
        memcpy(&bounds[1], first + sizeof(float) * (size_t)(list->count - 1), sizeof(float));
        list->accessor = AddAccessor(writer, view, list->start, list->count, 1, bounds);
    }
}

bool tdAnimationWriter_Finish(tdAnimationWriter* writer, const char* name, size_t nameLength)
{
    static const char* const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    if (writer->hasFailed || writer->curves.count == 0)
    {
        return !writer->hasFailed;
    }
    int timeView = tdDocumentEdit_AddView(writer->edit, writer->times.data, writer->times.length);
    int valueView = tdDocumentEdit_AddView(writer->edit, writer->values.data, writer->values.length);
    AddTimes(writer, timeView);
    tdText text, channels;
    tdText_Init(&text, &writer->allocator);
    tdText_Init(&channels, &writer->allocator);
    tdText_AppendString(&text, "{\"name\":");
    tdText_AppendJsonString(&text, name, nameLength);
    tdText_AppendString(&text, ",\"samplers\":[");
    for (int i = 0; i < writer->curves.count; ++i)
    {
        const tdWrittenCurve* curve = &writer->curves.data[i];
        const char* comma = i > 0 ? "," : "";
        int output =
            AddAccessor(writer, valueView, curve->valueStart, curve->elementCount, curve->elementWidth, NULL);
        tdText_AppendFormat(&text, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", comma,
                            writer->lists.data[curve->timeList].accessor, output,
                            interpolations[curve->interpolation]);
        tdText_AppendFormat(&channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", comma,
                            i, curve->node, curve->path);
    }
    tdText_AppendString(&text, "],\"channels\":[");
    tdText_Append(&text, channels.data, channels.length);
    tdText_AppendString(&text, "]}");
    bool isWhole = !writer->hasFailed && timeView >= 0 && valueView >= 0 && !text.failed &&
                   !channels.failed &&
                   tdDocumentEdit_AddElement(writer->edit, "animations", text.data, text.length) >= 0;
    tdText_Free(&channels);
    tdText_Free(&text);
    return isWhole;
}
