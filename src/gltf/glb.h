// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The GLB container: a 12-byte header and chunks. Nothing is copied. A damaged container is reported and read
// as far as possible.
#pragma once

#include "base/report.h"

#define TD_GLB_MAGIC 0x46546C67u
#define TD_GLB_JSON 0x4E4F534Au
#define TD_GLB_BIN 0x004E4942u

/// Offsets of the parts of a GLB.
typedef struct tdGlb
{
    size_t jsonOffset, jsonSize; // the JSON chunk's data
    size_t binOffset, binSize;   // the first BIN chunk's data
    bool hasBin;
} tdGlb;

/// One chunk of the file.
typedef struct tdGlbChunk
{
    uint32_t type;
    size_t dataOffset, size; // size is cut at the end of the file
} tdGlbChunk;

/// True if the bytes start with the header of a GLB.
bool tdIsGlb(const uint8_t* bytes, size_t size);

/// Bytes that belong to the container: the length of the header, at most the size of the file.
size_t tdGlb_GetEnd(const uint8_t* bytes, size_t size);

/// Reads the chunk whose header is at *offset (12 for the first) and advances *offset. False at the end.
bool tdGlb_NextChunk(const uint8_t* bytes, size_t end, size_t* offset, tdGlbChunk* chunk);

/// Reads the container. False if there is no JSON chunk.
bool tdReadGlb(const uint8_t* bytes, size_t size, tdGlb* glb, tdReport* report);

uint32_t tdLoadU32(const uint8_t* bytes);
void tdStoreU32(uint8_t* bytes, uint32_t value);
