// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saved states of stages, and the ring of the last states for rollback.
#include "exports.h"

#include <stdlib.h>

/// The caller frees the block. Leaves its size in bytes in the Size record. NULL when memory ran out.
void* EXPORT(td_stage_save)(const tdStage* stage)
{
    size_t size = tdStage_Save(stage, NULL, 0);
    void* block = malloc(size);
    GET_RECORD(Size)->size = block != NULL ? (double)tdStage_Save(stage, block, size) : 0.0;
    return block;
}

/// Packs a block, alone or against another one. The caller frees the result. Leaves its size in bytes in the Size
/// record. NULL when memory ran out or there is no block.
void* EXPORT(td_state_pack)(const void* block, size_t size, const void* base, size_t baseSize)
{
    size_t packedSize = tdPackState(block, size, base, baseSize, NULL, 0);
    void* packed = packedSize > 0 ? malloc(packedSize) : NULL;
    GET_RECORD(Size)->size =
        packed != NULL ? (double)tdPackState(block, size, base, baseSize, packed, packedSize) : 0.0;
    return packed;
}

/// Unpacks a block. The caller frees the result. Leaves its size in the Size record: 0 if the packed block is invalid,
/// and the size that memory is missing for.
void* EXPORT(td_state_unpack)(const void* packed, size_t size, const void* base, size_t baseSize)
{
    size_t blockSize = tdUnpackState(packed, size, base, baseSize, NULL, 0);
    void* block = blockSize > 0 ? malloc(blockSize) : NULL;
    bool isUnpacked =
        block != NULL && tdUnpackState(packed, size, base, baseSize, block, blockSize) == blockSize;
    if (block != NULL && !isUnpacked)
    {
        free(block);
        block = NULL;
        blockSize = 0;
    }
    GET_RECORD(Size)->size = (double)blockSize;
    return block;
}

bool EXPORT(td_stage_load)(tdStage* stage, const void* block, size_t size)
{
    return tdStage_Load(stage, block, size);
}

tdHistory* EXPORT(td_history_create)(tdStage* stage, int capacity)
{
    return tdCreateHistory(stage, capacity);
}

void EXPORT(td_history_destroy)(tdHistory* history)
{
    tdDestroyHistory(history);
}

bool EXPORT(td_history_keep)(tdHistory* history)
{
    return tdHistory_KeepState(history);
}

bool EXPORT(td_history_step)(tdHistory* history)
{
    return tdHistory_MakeStep(history);
}

bool EXPORT(td_history_undo)(tdHistory* history, int steps)
{
    return tdHistory_Undo(history, steps);
}

int EXPORT(td_history_count)(const tdHistory* history)
{
    return tdHistory_GetCount(history);
}

double EXPORT(td_history_byte_count)(const tdHistory* history)
{
    return (double)tdHistory_GetByteCount(history);
}
