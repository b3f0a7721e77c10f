// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Work that is done once, by the first thread that needs its result; others wait for it.
#pragma once

#include "compiler.h"

#include <stdbool.h>

/// All zero: not done yet.
typedef struct tdOnce
{
    atomic_int state;
} tdOnce;

/// True: the caller does the work and calls tdOnce_End. False: it is done, and its results are visible.
/// Threads that arrive meanwhile spin until it is done.
bool tdOnce_Begin(tdOnce* once);
void tdOnce_End(tdOnce* once);
