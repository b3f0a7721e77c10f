// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// history.h: the last states of a stage, for rollback: go back some steps, apply inputs that came late, and
// repeat the steps. All functions accept NULL: commands do nothing and return false, queries return zeros.
#pragma once

#include "stage.h"

/// The states before each of the last steps of a stage, in a ring.
typedef struct tdHistory tdHistory;

/// Create an empty history. Its memory comes from the stage's allocator.
/// @param stage must outlive the history, and keeps its actors while the history has states
/// @param capacity number of steps that can be undone, at least 1
/// @return the history, to be freed with tdDestroyHistory; NULL if memory ran out or an argument is invalid
TD_API tdHistory* tdCreateHistory(tdStage* stage, int capacity);

/// Destroy a history. The stage stays as it is.
/// @param history may be NULL
TD_API void tdDestroyHistory(tdHistory* history);

/// Applies the inputs of a step: everything that the application does to the stage before it.
/// @param step index of the step: tdStage_GetStepIndex before it
typedef void tdStepInputFcn(void* context, tdStage* stage, int64_t step);

/// Keep the state, apply the inputs of the next step, and make the step (tdStage_Step). If the ring is full,
/// the oldest state is dropped. Allocates until the states of the ring have reached their size.
/// @param apply NULL: no inputs
/// @return false if memory ran out; the stage is then as before the call
TD_API bool tdHistory_Step(tdHistory* history, tdStepInputFcn* apply, void* context);

/// Keep the state of this moment as the one before the next step: the first half of tdHistory_Step, for
/// bindings that cannot pass a function. Then apply the inputs and call tdHistory_MakeStep. If the ring is
/// full, the oldest state is dropped.
/// @return false if memory ran out; the stage is unchanged
TD_API bool tdHistory_KeepState(tdHistory* history);

/// Make the step that tdHistory_KeepState began.
/// @return false if there was no tdHistory_KeepState before or memory ran out; in the second case the stage
///         is as before that call
TD_API bool tdHistory_MakeStep(tdHistory* history);

/// Undo the last steps that tdHistory_Step made. Allocates memory for a second state of the world.
/// @param steps 0 to tdHistory_GetCount
/// @return false if there are not as many states or memory ran out; the stage is then unchanged
TD_API bool tdHistory_Undo(tdHistory* history, int steps);

/// Undo steps and make as many again, with the inputs that `apply` gives now.
/// @param steps 0 to tdHistory_GetCount
/// @param apply as in tdHistory_Step
/// @return false if there are not as many states, or memory ran out; in the second case the stage is at the
///         last step that was made, and tdHistory_Step continues from there
TD_API bool tdHistory_Rollback(tdHistory* history, int steps, tdStepInputFcn* apply, void* context);

/// Number of steps that can be undone.
TD_API int tdHistory_GetCount(const tdHistory* history);

/// Memory of all kept states, bytes.
TD_API size_t tdHistory_GetByteCount(const tdHistory* history);
