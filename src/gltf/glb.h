// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The GLB container: a 12-byte header and chunks. Nothing is copied; what is wrong is reported and read as
// far as it can be.
#pragma once

#include "base/report.h"

#define TD_GLB_MAGIC 0x46546C67u
#define TD_GLB_JSON 0x4E4F534Au
#define TD_GLB_BIN 0x004E4942u

/// Where things are in the bytes of a GLB.
typedef struct tdGlb
{
    size_t jsonOffset, jsonSize; // the JSON chunk's data
    size_t binOffset, binSize;   // the first BIN chunk's data
    bool hasBin;
} tdGlb;

/// One chunk as it lies in the file.
typedef struct tdGlbChunk
{
    uint32_t type;
    size_t dataOffset, size; // size is cut at the end of the file
} tdGlbChunk;

/// True when the bytes begin as a GLB does.
bool tdIsGlb(const uint8_t* bytes, size_t size);

/// Bytes of the file that belong to the container: header length, cut at the file's own.
size_t tdGlb_GetEnd(const uint8_t* bytes, size_t size);

/// The chunk whose header is at *offset (12 for the first); *offset moves behind it. False at the end.
bool tdGlb_NextChunk(const uint8_t* bytes, size_t end, size_t* offset, tdGlbChunk* chunk);

/// False when there is no JSON chunk to go on with.
bool tdReadGlb(const uint8_t* bytes, size_t size, tdGlb* glb, tdReport* report);

uint32_t tdLoadU32(const uint8_t* bytes);
void tdStoreU32(uint8_t* bytes, uint32_t value);
