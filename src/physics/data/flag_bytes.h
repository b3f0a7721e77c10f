// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Arrays of one flag byte per item, most of them zero.
#pragma once

#include <stdint.h>

/// Find the first byte that is not zero in [at, count).
/// @return its index, `count` if there is none
int tdFindFlag(const uint8_t* flags, int at, int count);
