// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A ring of saved states. They never leave the library, so they have no checksums and are not validated when
// they are loaded (docs/decisions/171).
#include "tendon/history.h"

#include "stage_state.h"

/// A new block of the ring has room for this much more than the state needs, in parts of it: states grow with
/// their contacts, and the next ones should fit.
#define SPARE_PART 8

typedef struct KeptState
{
    uint8_t* bytes;
    size_t size, capacity;
} KeptState;

struct tdHistory
{
    tdStage* stage;
    KeptState* states; // a ring
    int capacity;
    int first, count; // the oldest state, and how many there are
    bool isBegun;     // the state behind them is kept, and its step is not made yet
};

tdHistory* tdCreateHistory(tdStage* stage, int capacity)
{
    if (stage == NULL || capacity < 1)
    {
        return NULL;
    }
    const tdAllocator* allocator = &stage->allocator;
    tdHistory* history = tdAllocateZeroed(allocator, sizeof(tdHistory), _Alignof(tdHistory));
    size_t size;
    if (history != NULL && tdMultiplySizes((size_t)capacity, sizeof(KeptState), &size))
    {
        history->states = tdAllocateZeroed(allocator, size, _Alignof(KeptState));
        history->stage = stage;
        history->capacity = capacity;
    }
    if (history != NULL && history->states == NULL)
    {
        tdRelease(allocator, history, sizeof(tdHistory));
        history = NULL;
    }
    return history;
}

void tdDestroyHistory(tdHistory* history)
{
    if (history == NULL)
    {
        return;
    }
    const tdAllocator* allocator = &history->stage->allocator;
    for (int i = 0; i < history->capacity; ++i)
    {
        tdRelease(allocator, history->states[i].bytes, history->states[i].capacity);
    }
    tdRelease(allocator, history->states, (size_t)history->capacity * sizeof(KeptState));
    tdRelease(allocator, history, sizeof(tdHistory));
}

/// Saves the state of the stage into a place of the ring.
static bool KeepState(const tdHistory* history, KeptState* kept)
{
    const tdAllocator* allocator = &history->stage->allocator;
    kept->size = tdStage_SaveTrusted(history->stage, kept->bytes, kept->capacity);
    if (kept->size <= kept->capacity)
    {
        return true;
    }
    size_t capacity = kept->size + kept->size / SPARE_PART;
    uint8_t* bytes = tdAllocate(allocator, capacity, TD_MAX_ALIGNMENT);
    if (bytes == NULL)
    {
        return false;
    }
    tdRelease(allocator, kept->bytes, kept->capacity);
    kept->bytes = bytes;
    kept->capacity = capacity;
    tdStage_SaveTrusted(history->stage, bytes, capacity);
    return true;
}

/// The place of the ring for the state before the next step.
static KeptState* GetNextState(const tdHistory* history)
{
    return &history->states[(history->first + history->count) % history->capacity];
}

bool tdHistory_KeepState(tdHistory* history)
{
    if (history == NULL)
    {
        return false;
    }
    if (history->count == history->capacity)
    {
        // The oldest state is lost even if the step fails: its memory holds the new one.
        history->first = (history->first + 1) % history->capacity;
        history->count -= 1;
    }
    history->isBegun = KeepState(history, GetNextState(history));
    return history->isBegun;
}

bool tdHistory_MakeStep(tdHistory* history)
{
    if (history == NULL || !history->isBegun)
    {
        return false;
    }
    history->isBegun = false;
    if (!tdStage_Step(history->stage))
    {
        // The inputs are undone, so that the caller may repeat the whole step.
        const KeptState* kept = GetNextState(history);
        tdStage_LoadTrusted(history->stage, kept->bytes, kept->size);
        return false;
    }
    history->count += 1;
    return true;
}

bool tdHistory_Step(tdHistory* history, tdStepInputFcn* apply, void* context)
{
    if (!tdHistory_KeepState(history))
    {
        return false;
    }
    if (apply != NULL)
    {
        apply(context, history->stage, tdStage_GetStepIndex(history->stage));
    }
    return tdHistory_MakeStep(history);
}

bool tdHistory_Undo(tdHistory* history, int steps)
{
    if (history == NULL || steps < 0 || steps > history->count)
    {
        return false;
    }
    if (steps == 0)
    {
        return true;
    }
    int place = (history->first + history->count - steps) % history->capacity;
    const KeptState* kept = &history->states[place];
    if (!tdStage_LoadTrusted(history->stage, kept->bytes, kept->size))
    {
        return false;
    }
    history->count -= steps;
    history->isBegun = false;
    return true;
}

bool tdHistory_Rollback(tdHistory* history, int steps, tdStepInputFcn* apply, void* context)
{
    bool isGood = tdHistory_Undo(history, steps);
    for (int i = 0; i < steps && isGood; ++i)
    {
        isGood = tdHistory_Step(history, apply, context);
    }
    return isGood;
}

int tdHistory_GetCount(const tdHistory* history)
{
    return history != NULL ? history->count : 0;
}

size_t tdHistory_GetByteCount(const tdHistory* history)
{
    size_t total = 0;
    for (int i = 0; history != NULL && i < history->count; ++i)
    {
        total += history->states[(history->first + i) % history->capacity].size;
    }
    return total;
}
