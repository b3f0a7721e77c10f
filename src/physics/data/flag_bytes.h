// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Arrays of one flag byte per item, most of them zero.
#pragma once

#include <stdint.h>

/// Index of the next byte that is not zero, `count` if there is none.
int tdFindFlag(const uint8_t* flags, int at, int count);
