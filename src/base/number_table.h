// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Powers of ten for the conversions in number.c.
#pragma once

#include "tendon/base.h"

#define TD_LOWEST_POWER (-342)
#define TD_HIGHEST_POWER 324

/// Leading 128 bits of 10^(TD_LOWEST_POWER + i), high word first, rounded down. The highest bit is set; the
/// lowest counts 2^(floor(log2(10^e)) - 127).
extern const uint64_t tdPowersOfTen[TD_HIGHEST_POWER - TD_LOWEST_POWER + 1][2];
