// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Detection of defs that did not start from their defaults. Every tdDefault...Def function whose defaults are
// not all zero sets `cookie`; functions that take the def assert it.
#pragma once

#include "base/assert.h"

/// An arbitrary value that zeroed or uninitialised memory is unlikely to hold.
#define TD_DEF_COOKIE UINT32_C(0x7d0def17)

/// Asserts that a def started from its tdDefault...Def function.
#define TD_ASSERT_DEF(def) TD_ASSERT((def)->cookie == TD_DEF_COOKIE)
