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
