// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The format of recordings: a file header, then parts. Every part has a tag, its size, a checksum of its
// bytes, and a checksum of these three with its place in the file, so that damage is told from a file that
// was cut off. See docs/decisions/195.
//
//     HEAD   version of the library, build, settings of the stage
//     ASST   an asset with its load options and the files it refers to
//     CLIP   a clip: an animation of an asset, or channels
//     GEOM   a hull or mesh that the application cooked
//     BODY   an actor's bodies: index, node and name
//     CALL   calls since the last step (physics/data/call_log.h)
//     STEP   state hash and moved bodies of a step
//     END    number of steps
#pragma once

#include "base/array.h"

#include "tendon/record.h"

#define TD_RECORD_MAGIC_SIZE 8
static const uint8_t tdRecordMagic[TD_RECORD_MAGIC_SIZE] = {0x89, 'T', 'D', 'R', 'E', 'C', '\r', '\n'};
#define TD_RECORD_HEADER_SIZE 16 // magic, version, checksum
#define TD_RECORD_PART_SIZE 16   // tag, size, checksum of the bytes, checksum of this

enum
{
    TD_RECORD_HEAD = 0x44414548,
    TD_RECORD_ASST = 0x54535341,
    TD_RECORD_CLIP = 0x50494c43,
    TD_RECORD_GEOM = 0x4d4f4547,
    TD_RECORD_BODY = 0x59444f42,
    TD_RECORD_CALL = 0x4c4c4143,
    TD_RECORD_STEP = 0x50455453,
    TD_RECORD_END = 0x20444e45,
};

/// Bodies of a recording have indices below this.
#define TD_RECORD_MAX_BODIES (1 << 22)

typedef tdArray(uint8_t) tdRecordBytes;

/// Reads values from bytes. After a read beyond the end `failed` is set and values are zero.
typedef struct tdRecordReader
{
    const uint8_t *at, *end;
    bool failed;
} tdRecordReader;

void tdRecordReader_Read(tdRecordReader* reader, void* value, size_t size);
/// Gives `size` bytes in place. NULL: there are not as many.
const uint8_t* tdRecordReader_Take(tdRecordReader* reader, uint64_t size);
#define TD_READ(reader, value) tdRecordReader_Read((reader), &(value), sizeof(value))

/// A part of a recording.
typedef struct tdRecordPart
{
    uint32_t tag;
    const uint8_t* bytes;
    size_t size;
} tdRecordPart;

/// Checksum of bytes.
uint32_t tdComputeRecordCheck(const void* data, size_t size, uint64_t seed);
/// Fills in the header of a part whose bytes follow it.
/// @param part header and bytes, `size` in all
/// @param offset of the header in the file
void tdFinishRecordPart(uint8_t* part, size_t size, uint32_t tag, uint64_t offset);

/// The last two transforms of every body, as bits, from which the next one is predicted.
typedef struct tdBodyTrack
{
    uint32_t last[7], before[7];
} tdBodyTrack;

typedef tdArray(tdBodyTrack) tdBodyTracks;

/// Makes room for a body. False when memory ran out.
bool tdBodyTracks_Reserve(tdBodyTracks* tracks, const tdAllocator* allocator, int body);
/// Last transform of a body; identity if it never moved.
tdTransform tdBodyTracks_Get(const tdBodyTracks* tracks, int body);
/// Most bytes that tdBodyTracks_Write writes for one body.
#define TD_BODY_TRACK_BYTES 40
/// Writes the next transform of a body, which has room.
/// @param lastBody body that was written before it in this step, or 0
/// @return the end of the written bytes
uint8_t* tdBodyTracks_Write(tdBodyTracks* tracks, int body, int lastBody, tdTransform transform, uint8_t* at);

/// Head of a STEP part.
typedef struct tdRecordedStep
{
    double seconds; // of a variable step; 0: a fixed one
    uint64_t hash;
    uint32_t bodyCount;
} tdRecordedStep;

/// Reads the head of a STEP part. `reader` fails if it is invalid.
tdRecordedStep tdReadRecordedStep(tdRecordReader* reader);
/// Reads the next transform of a body into the tracks, which grow.
/// @param body the body before it in this step, or 0; receives this one
/// @return false when memory ran out; invalid bytes make `reader` fail
bool tdBodyTracks_Read(tdBodyTracks* tracks, const tdAllocator* allocator, tdRecordReader* reader, int* body);
