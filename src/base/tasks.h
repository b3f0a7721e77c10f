// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parallel loops over a tdTasks, or over the calling thread when there is none.
#pragma once

#include "tendon/base.h"

/// Splits [0, itemCount) into ranges of at least `minRange` items, runs them and waits for all of them.
void tdTasks_For(const tdTasks* tasks, tdTaskFcn* run, void* task, int itemCount, int minRange);
/// Number of workers; 1 when `tasks` is NULL.
int tdTasks_GetWorkerCount(const tdTasks* tasks);
