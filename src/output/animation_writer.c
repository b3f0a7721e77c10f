// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes curves as accessors of two shared views, samplers and channels.
//
// See docs/decisions/103-output-validation.md.
#include "animation_writer.h"

#include "base/hash.h"

#include <string.h>

void tdAnimationWriter_Init(tdAnimationWriter* writer, tdDocumentEdit* edit, const tdAllocator* allocator)
{
    *writer = (tdAnimationWriter){.allocator = *allocator, .edit = edit, .hasFailed = edit == NULL};
}

void tdAnimationWriter_Free(tdAnimationWriter* writer)
{
    tdArray_Free(&writer->allocator, &writer->times);
    tdArray_Free(&writer->allocator, &writer->values);
    tdArray_Free(&writer->allocator, &writer->curves);
    tdArray_Free(&writer->allocator, &writer->lists);
    tdArray_Free(&writer->allocator, &writer->slots);
}

/// The slot of a list of times: that of an equal list, or a free one.
static int* FindSlot(const tdAnimationWriter* writer, const float* times, int count)
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
static bool GrowTimeSlots(tdAnimationWriter* writer)
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
    if (!GrowTimeSlots(writer))
    {
        return -1;
    }
    int* slot = FindSlot(writer, times, count);
    if (*slot == 0)
    {
        tdTimeList list = {.start = writer->times.count, .count = count};
        float* copy = tdArray_Add(&writer->allocator, &writer->times, count);
        if (copy == NULL || !tdArray_Push(&writer->allocator, &writer->lists, list))
        {
            return -1;
        }
        memcpy(copy, times, sizeof(float) * (size_t)count);
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
        .pointer = curve->pointer,
        .interpolation = curve->interpolation,
        .timeList = writer->hasFailed ? -1 : UseTimes(writer, curve->times, curve->keyCount),
        .elementWidth = isWeights ? 1 : curve->width,
        .elementCount = isWeights ? valueCount * curve->width : valueCount,
        .valueStart = writer->values.count,
    };
    float* copy = written.timeList >= 0
                      ? tdArray_Add(&writer->allocator, &writer->values, valueCount * curve->width)
                      : NULL;
    if (copy == NULL || !tdArray_Push(&writer->allocator, &writer->curves, written))
    {
        writer->hasFailed = true;
        return;
    }
    memcpy(copy, curve->values, sizeof(float) * (size_t)valueCount * (size_t)curve->width);
}

static void AddTimes(tdAnimationWriter* writer, int view)
{
    for (int i = 0; i < writer->lists.count; ++i)
    {
        tdTimeList* list = &writer->lists.data[i];
        tdNewAccessor accessor = {.values = writer->times.data + list->start,
                                  .count = list->count,
                                  .componentCount = 1,
                                  .writeBounds = true};
        list->accessor =
            tdDocumentEdit_AddAccessorIn(writer->edit, &accessor, view, sizeof(float) * (size_t)list->start);
    }
}

static int AddValues(tdAnimationWriter* writer, const tdWrittenCurve* curve, int view)
{
    tdNewAccessor accessor = {.values = writer->values.data + curve->valueStart,
                              .count = curve->elementCount,
                              .componentCount = curve->elementWidth};
    return tdDocumentEdit_AddAccessorIn(writer->edit, &accessor, view,
                                        sizeof(float) * (size_t)curve->valueStart);
}

bool tdAnimationWriter_Finish(tdAnimationWriter* writer, const char* name, size_t nameLength)
{
    static const char* const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    if (writer->hasFailed || writer->curves.count == 0)
    {
        return !writer->hasFailed;
    }
    int timeView =
        tdDocumentEdit_AddView(writer->edit, writer->times.data, sizeof(float) * (size_t)writer->times.count);
    int valueView = tdDocumentEdit_AddView(writer->edit, writer->values.data,
                                           sizeof(float) * (size_t)writer->values.count);
    AddTimes(writer, timeView);
    tdText text, channels;
    tdText_InitPart(&text, &writer->allocator, &writer->hasFailed);
    tdText_InitPart(&channels, &writer->allocator, &writer->hasFailed);
    tdText_AppendString(&text, "{\"name\":");
    tdText_AppendJsonString(&text, name, nameLength);
    tdText_AppendString(&text, ",\"samplers\":[");
    for (int i = 0; i < writer->curves.count; ++i)
    {
        const tdWrittenCurve* curve = &writer->curves.data[i];
        const char* comma = i > 0 ? "," : "";
        int output = AddValues(writer, curve, valueView);
        tdText_AppendFormat(&text, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", comma,
                            writer->lists.data[curve->timeList].accessor, output,
                            interpolations[curve->interpolation]);
        tdText_AppendFormat(&channels, "%s{\"sampler\":%d,\"target\":{", comma, i);
        if (curve->pointer != NULL)
        {
            tdText_AppendString(
                &channels, "\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":");
            tdText_AppendJsonString(&channels, curve->pointer, strlen(curve->pointer));
            tdText_AppendString(&channels, "}}}}");
        }
        else
        {
            tdText_AppendFormat(&channels, "\"node\":%d,\"path\":\"%s\"}}", curve->node, curve->path);
        }
    }
    tdText_AppendString(&text, "],\"channels\":[");
    tdText_Append(&text, channels.data, channels.length);
    tdText_AppendString(&text, "]}");
    bool isWhole = !text.failed && !channels.failed &&
                   tdDocumentEdit_AddElement(writer->edit, "animations", text.data, text.length) >= 0;
    tdText_Free(&channels);
    tdText_Free(&text);
    return isWhole;
}
