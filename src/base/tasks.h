// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Running work on a tdTasks, or on the caller's thread when there is none.
#pragma once

#include "tendon/base.h"

/// Split [0, itemCount) into ranges of at least minRange items, run them, wait for all.
void tdTasks_For(const tdTasks* tasks, tdTaskFcn* run, void* task, int itemCount, int minRange);
/// 1 when tasks is NULL.
int tdTasks_GetWorkerCount(const tdTasks* tasks);
