// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes one animation into a document: all key times in one buffer view, each distinct list once, and all
// values in another.
#pragma once

#include "anim/clip.h"
#include "base/array.h"
#include "gltf/document_edit.h"

/// Keys of one property. Copied.
typedef struct tdCurveKeys
{
    int node;
    const char* path;    // "translation", "rotation", "scale", "weights", "pointer"; constant text
    const char* pointer; // with the path "pointer": JSON pointer of the property; it outlives the writer
    tdInterpolation interpolation;
    int width; // floats per value; cubic splines have three values per key
    int keyCount;
    const float* times;
    const float* values;
} tdCurveKeys;

/// The place of the keys of a written curve.
typedef struct tdWrittenCurve
{
    int node;
    const char *path, *pointer;
    tdInterpolation interpolation;
    int timeList;
    int elementWidth, elementCount; // of the values' accessor
    int valueStart;
} tdWrittenCurve;

typedef struct tdTimeList
{
    int start, count; // in the writer's times
    int accessor;
} tdTimeList;

typedef struct tdAnimationWriter
{
    tdAllocator allocator;
    tdDocumentEdit* edit;
    tdArray(float) times, values;
    tdArray(tdWrittenCurve) curves;
    tdArray(tdTimeList) lists;
    tdArray(int) slots; // open addressing: list + 1
    bool hasFailed;
} tdAnimationWriter;

void tdAnimationWriter_Init(tdAnimationWriter* writer, tdDocumentEdit* edit, const tdAllocator* allocator);
void tdAnimationWriter_Free(tdAnimationWriter* writer);
void tdAnimationWriter_Add(tdAnimationWriter* writer, const tdCurveKeys* curve);
/// Adds the animation to the edit, unless it has no curves. False when memory ran out, also in an earlier
/// call.
bool tdAnimationWriter_Finish(tdAnimationWriter* writer, const char* name, size_t nameLength);
