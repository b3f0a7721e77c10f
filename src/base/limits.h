// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of limits and their findings.
//
// See docs/decisions/145-limits.md.
#pragma once

#include "report.h"

#include "tendon/limits.h"

typedef enum tdLimitId
{
#define TD_LIMIT(member, value, what) TD_LIMIT_##member,
#include "limits.def"
#undef TD_LIMIT
    TD_LIMIT_COUNT
} tdLimitId;

/// The limits with defaults in place of zeros, except those that depend on their use.
tdLimits tdLimits_Resolve(const tdLimits* limits);

/// Bytes of an asset if tdLimits.memory is 0.
#define TD_ASSET_MEMORY (INT64_C(4) << 30)

/// Memory limit in bytes that fits the address space.
/// @param otherwise if `limits->memory` is 0
size_t tdLimits_GetMemory(const tdLimits* limits, int64_t otherwise);

/// Value of a limit.
double tdLimits_Get(const tdLimits* limits, tdLimitId id);

/// Reports LIMIT_EXCEEDED if a quantity of a file is above its limit; 0 is no limit.
/// @return false if it is
bool tdLimits_Allow(const tdLimits* limits, tdLimitId id, double quantity, tdReport* report,
                    const tdPath* path);

/// Reports LIMIT_REACHED at a time of a run.
/// @param limit value of the limit that was reached
void tdReportLimitReached(tdReport* report, tdLimitId id, double limit, double time);

/// Reports MEMORY_LIMIT.
void tdReportMemoryLimit(tdReport* report, size_t bytes);
