// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hashing of bytes: stable across platforms, so results may be pinned in tests. Not for security.
#pragma once

#include "tendon/base.h"

#define TD_HASH_INIT UINT64_C(0xcbf29ce484222325)

/// Continue `hash` (TD_HASH_INIT at first) with some bytes.
uint64_t tdHash(uint64_t hash, const void* data, size_t size);
