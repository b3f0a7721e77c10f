// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Replaces numbers of a JSON text by extreme ones, for the hostile-input tests and the simulation fuzzer.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t NextRandom(uint32_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/// Replaces one number of the text, chosen at random, by an extreme one.
/// @return the new length; 0 if there is no number or no room
static inline size_t ReplaceNumber(char* text, size_t length, size_t capacity, uint32_t* random)
{
    static const char* const hostile[] = {
        "0",     "-0",    "1",          "-1",         "2",     "0.5",   "1e-3",  "1e3",  "-1e3",
        "1e6",   "1e9",   "-1e9",       "1e12",       "1e18",  "1e30",  "-1e30", "1e37", "3e38",
        "-3e38", "1e-9",  "1e-18",      "1e-30",      "1e-38", "1e-44", "1e999", "7",    "255",
        "65535", "65536", "2147483647", "4294967296", "1e-6",  "100",
    };
    size_t count = 0, chosen = 0;
    for (size_t i = 0; i < length; ++i)
    {
        int isStart = (text[i] == '-' || (text[i] >= '0' && text[i] <= '9')) && i > 0 &&
                      (text[i - 1] == ':' || text[i - 1] == '[' || text[i - 1] == ',' || text[i - 1] == ' ');
        if (isStart)
        {
            count += 1;
            chosen = NextRandom(random) % count == 0 ? i : chosen;
        }
    }
    if (count == 0)
    {
        return 0;
    }
    size_t end = chosen;
    while (end < length && strchr("+-.eE0123456789", text[end]) != NULL && text[end] != 0)
    {
        end += 1;
    }
    const char* number = hostile[NextRandom(random) % (sizeof(hostile) / sizeof(hostile[0]))];
    size_t size = strlen(number);
    if (length - (end - chosen) + size > capacity)
    {
        return 0;
    }
    memmove(text + chosen + size, text + end, length - end);
    memcpy(text + chosen, number, size);
    return length - (end - chosen) + size;
}
