// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hash of bytes. It gives the same value on every platform, so that tests can pin it. Not cryptographic.
#pragma once

#include "tendon/base.h"

#define TD_HASH_INIT UINT64_C(0xcbf29ce484222325)

/// Continues `hash`, which starts as TD_HASH_INIT, with `size` bytes.
uint64_t tdHash(uint64_t hash, const void* data, size_t size);
