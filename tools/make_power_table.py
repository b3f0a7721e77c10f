#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Prints src/base/number_table.c: the leading 128 bits of the powers of ten, rounded down.
LOWEST, HIGHEST = -342, 324


def leading_bits(exponent):
    if exponent >= 0:
        power = 5**exponent
        shift = power.bit_length() - 128
        return power >> shift if shift >= 0 else power << -shift
    power = 5**-exponent
    return (1 << (127 + power.bit_length())) // power


print("""// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Leading 128 bits of 10^e for e = %d to %d, rounded down. Made by tools/make_power_table.py; a test works
// every entry out anew.
#include "number_table.h"

// clang-format off
const uint64_t tdPowersOfTen[TD_HIGHEST_POWER - TD_LOWEST_POWER + 1][2] = {""" % (LOWEST, HIGHEST))
line = []
for e in range(LOWEST, HIGHEST + 1):
    bits = leading_bits(e)
    assert 1 << 127 <= bits < 1 << 128
    line.append("{0x%016xu, 0x%016xu}," % (bits >> 64, bits & (1 << 64) - 1))
    if len(line) == 2 or e == HIGHEST:
        print("    " + " ".join(line))
        line = []
print("};")
