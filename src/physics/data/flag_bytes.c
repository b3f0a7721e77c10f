// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Search in arrays of flag bytes, eight at a time.
#include "physics/data/flag_bytes.h"

#include <string.h>

int tdFindFlag(const uint8_t* flags, int at, int count)
{
    while (at < count)
    {
        uint64_t eight;
        if (at + 8 <= count && (memcpy(&eight, flags + at, 8), eight == 0))
        {
            at += 8;
            continue;
        }
        if (flags[at] != 0)
        {
            return at;
        }
        ++at;
    }
    return count;
}
