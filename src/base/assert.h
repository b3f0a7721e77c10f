// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Assertions report misuse of an API. Invalid files are never an assertion: they are diagnostics.
#pragma once

#include "tendon/base.h"

#ifndef TD_ENABLE_ASSERT
#define TD_ENABLE_ASSERT 0
#endif
#ifndef TD_ENABLE_VALIDATE
#define TD_ENABLE_VALIDATE 0
#endif

/// Calls the assert handler and aborts if it returns true.
void tdAssertFailed(const char* condition, const char* file, int line);

#if TD_ENABLE_ASSERT
#define TD_ASSERT(x) ((x) ? (void)0 : tdAssertFailed(#x, __FILE__, __LINE__))
#else
#define TD_ASSERT(x) ((void)sizeof(x))
#endif

#if TD_ENABLE_VALIDATE
#define TD_VALIDATE(x) TD_ASSERT(x)
#else
#define TD_VALIDATE(x) ((void)sizeof(x))
#endif
