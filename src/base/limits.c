// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Limits by name, their defaults and their findings.
#include "limits.h"

#include <math.h>
#include <string.h>

static const struct
{
    const char* name;
    const char* what;
} limitTexts[TD_LIMIT_COUNT] = {
#define TD_LIMIT(member, value, what) {#member, what},
#include "limits.def"
#undef TD_LIMIT
};

tdLimits tdDefaultLimits(void)
{
    return (tdLimits){
#define TD_LIMIT(member, value, what) .member = (value),
#include "limits.def"
#undef TD_LIMIT
    };
}

tdLimits tdLimits_Resolve(const tdLimits* limits)
{
    tdLimits resolved = *limits;
    tdLimits defaults = tdDefaultLimits();
#define TD_LIMIT(member, value, what)                                                                        \
    resolved.member = resolved.member > 0 ? resolved.member : defaults.member;
#include "limits.def"
#undef TD_LIMIT
    return resolved;
}

const char* tdGetLimitName(int index)
{
    return index >= 0 && index < TD_LIMIT_COUNT ? limitTexts[index].name : NULL;
}

double tdLimits_Get(const tdLimits* limits, tdLimitId id)
{
    switch (id)
    {
#define TD_LIMIT(member, value, what)                                                                        \
    case TD_LIMIT_##member:                                                                                  \
        return (double)limits->member;
#include "limits.def"
#undef TD_LIMIT
    case TD_LIMIT_COUNT:
        break;
    }
    return 0.0;
}

bool tdLimits_Set(tdLimits* limits, const char* name, double value)
{
    // Whole numbers up to 2^53 are exact.
    if (limits == NULL || name == NULL || !isfinite(value) || value < 0.0)
    {
        return false;
    }
    double seconds = value, whole = value < 9007199254740992.0 ? floor(value) : 9007199254740992.0;
#define TD_LIMIT(member, value, what)                                                                        \
    if (strcmp(name, #member) == 0)                                                                          \
    {                                                                                                        \
        limits->member = _Generic(limits->member, double : seconds, default : (int64_t)whole);               \
        return true;                                                                                         \
    }
#include "limits.def"
#undef TD_LIMIT
    return false;
}

size_t tdLimits_GetMemory(const tdLimits* limits, int64_t otherwise)
{
    int64_t bytes = limits->memory > 0 ? limits->memory : otherwise;
    return (uint64_t)bytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)bytes;
}

bool tdLimits_Allow(const tdLimits* limits, tdLimitId id, double quantity, tdReport* report,
                    const tdPath* path)
{
    double limit = tdLimits_Get(limits, id);
    if (limit <= 0.0 || quantity <= limit)
    {
        return true;
    }
    tdReport_Add(report, TD_DIAG_LIMIT_EXCEEDED, path, limitTexts[id].what, quantity, limit,
                 limitTexts[id].name);
    return false;
}

void tdReportLimitReached(tdReport* report, tdLimitId id, double limit, double time)
{
    tdReport_Add(report, TD_DIAG_LIMIT_REACHED, NULL, limitTexts[id].what, limit, (double)(float)time,
                 limitTexts[id].name);
}

void tdReportMemoryLimit(tdReport* report, size_t bytes)
{
    tdReport_Add(report, TD_DIAG_MEMORY_LIMIT, NULL, (unsigned long long)bytes);
}
