// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// One atomic word: not begun, under way, done. The store of "done" releases what the work wrote.
#include "once.h"

#include "cpu.h"

enum
{
    NOT_BEGUN,
    UNDER_WAY,
    DONE,
};

bool tdOnce_Begin(tdOnce* once)
{
    int expected = NOT_BEGUN;
    if (atomic_load_explicit(&once->state, memory_order_acquire) == DONE)
    {
        return false;
    }
    if (atomic_compare_exchange_strong(&once->state, &expected, UNDER_WAY))
    {
        return true;
    }
    for (int spinCount = 1; atomic_load_explicit(&once->state, memory_order_acquire) != DONE; ++spinCount)
    {
        tdCpu_Pause(spinCount);
    }
    return false;
}

void tdOnce_End(tdOnce* once)
{
    atomic_store_explicit(&once->state, DONE, memory_order_release);
}
