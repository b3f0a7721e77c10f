// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The GLB container (glTF 2.0, section 4.4), read from untrusted bytes.
#include "glb.h"

uint32_t tdLoadU32(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void tdStoreU32(uint8_t* bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}

bool tdIsGlb(const uint8_t* bytes, size_t size)
{
    return size >= 4 && tdLoadU32(bytes) == TD_GLB_MAGIC;
}

size_t tdGlb_GetEnd(const uint8_t* bytes, size_t size)
{
    if (size < 12)
    {
        return size;
    }
    size_t length = tdLoadU32(bytes + 8);
    return length >= 12 && length < size ? length : size;
}

bool tdGlb_NextChunk(const uint8_t* bytes, size_t end, size_t* offset, tdGlbChunk* chunk)
{
    if (*offset > end || end - *offset < 8)
    {
        return false;
    }
    size_t length = tdLoadU32(bytes + *offset);
    size_t room = end - *offset - 8;
    chunk->type = tdLoadU32(bytes + *offset + 4);
    chunk->dataOffset = *offset + 8;
    chunk->size = length < room ? length : room;
    *offset = chunk->dataOffset + chunk->size;
    return true;
}

static void CheckHeader(const uint8_t* bytes, size_t size, tdReport* report)
{
    uint32_t length = tdLoadU32(bytes + 8);
    if (length < 12)
    {
        tdReport_AddAt(report, TD_DIAG_GLB_LENGTH_TOO_SMALL, 8, 0, 0, length);
    }
    else if (length > size)
    {
        tdReport_AddAt(report, TD_DIAG_GLB_LENGTH_MISMATCH, 8, 0, 0, (unsigned long long)length,
                       (unsigned long long)size);
    }
    else if (length < size)
    {
        tdReport_AddAt(report, TD_DIAG_GLB_EXTRA_DATA, (int64_t)length, 0, 0,
                       (unsigned long long)(size - length));
    }
}

static void AppendTypeName(uint32_t type, char text[9])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 8; ++i)
    {
        text[i] = digits[type >> (28 - 4 * i) & 15];
    }
    text[8] = 0;
}

bool tdReadGlb(const uint8_t* bytes, size_t size, tdGlb* glb, tdReport* report)
{
    *glb = (tdGlb){0};
    if (size < 12)
    {
        tdReport_AddAt(report, TD_DIAG_GLB_UNEXPECTED_END_OF_HEADER, (int64_t)size, 0, 0);
        return false;
    }
    uint32_t version = tdLoadU32(bytes + 4);
    if (version != 2)
    {
        tdReport_AddAt(report, TD_DIAG_GLB_INVALID_VERSION, 4, 0, 0, version);
        return false;
    }
    CheckHeader(bytes, size, report);

    size_t end = tdGlb_GetEnd(bytes, size);
    size_t offset = 12;
    bool hasJson = false;
    for (int index = 0; offset < end; ++index)
    {
        tdGlbChunk chunk;
        size_t header = offset;
        if (!tdGlb_NextChunk(bytes, end, &offset, &chunk))
        {
            tdReport_AddAt(report, TD_DIAG_GLB_UNEXPECTED_END_OF_CHUNK_HEADER, (int64_t)offset, 0, 0);
            break;
        }
        uint32_t claimed = tdLoadU32(bytes + header);
        if (claimed % 4 != 0)
        {
            tdReport_AddAt(report, TD_DIAG_GLB_CHUNK_LENGTH_UNALIGNED, (int64_t)header, 0, 0, claimed);
        }
        if (claimed > chunk.size)
        {
            tdReport_AddAt(report, TD_DIAG_GLB_CHUNK_TOO_BIG, (int64_t)header, 0, 0, claimed,
                           (unsigned long long)chunk.size);
        }
        if (index == 0 && chunk.type != TD_GLB_JSON)
        {
            tdReport_AddAt(report, TD_DIAG_GLB_UNEXPECTED_FIRST_CHUNK, (int64_t)header, 0, 0);
        }
        if (chunk.type == TD_GLB_JSON && !hasJson)
        {
            hasJson = true;
            glb->jsonOffset = chunk.dataOffset;
            glb->jsonSize = chunk.size;
        }
        else if (chunk.type == TD_GLB_BIN && !glb->hasBin)
        {
            glb->hasBin = true;
            glb->binOffset = chunk.dataOffset;
            glb->binSize = chunk.size;
            if (index > 1)
            {
                tdReport_AddAt(report, TD_DIAG_GLB_UNEXPECTED_BIN_CHUNK, (int64_t)header, 0, 0);
            }
        }
        else if (chunk.type == TD_GLB_JSON || chunk.type == TD_GLB_BIN)
        {
            tdReport_AddAt(report, TD_DIAG_GLB_DUPLICATE_CHUNK, (int64_t)header, 0, 0,
                           chunk.type == TD_GLB_JSON ? "JSON" : "BIN");
        }
        else
        {
            char name[9];
            AppendTypeName(chunk.type, name);
            tdReport_AddAt(report, TD_DIAG_GLB_UNKNOWN_CHUNK_TYPE, (int64_t)header, 0, 0, name);
        }
    }
    if (!hasJson)
    {
        tdReport_AddAt(report, TD_DIAG_GLB_NO_JSON, 12, 0, 0);
    }
    return hasJson;
}
