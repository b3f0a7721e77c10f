// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reading the files a document refers to.
#pragma once

#include "document.h"

typedef enum tdResolveStatus
{
    TD_RESOLVE_OK,
    TD_RESOLVE_INVALID, // malformed reference
    TD_RESOLVE_SCHEME,  // absolute, or another scheme than data:
    TD_RESOLVE_OUTSIDE, // leaves the folder
    TD_RESOLVE_MISSING, // cannot be read: `why` gives the reason
    TD_RESOLVE_TOO_LARGE,
    TD_RESOLVE_OUT_OF_MEMORY,
} tdResolveStatus;

typedef struct tdResolved
{
    uint8_t* data; // tdRelease(allocator, data, capacity)
    size_t size, capacity;
    const char* why; // constant text
} tdResolved;

/// Reads the file of a relative reference.
tdResolveStatus tdResolver_Read(const tdResolver* resolver, const tdAllocator* allocator, const char* uri,
                                size_t length, tdResolved* out);
/// Reports a status other than OK at a path.
void tdReportResolveStatus(tdReport* report, const tdPath* path, tdResolveStatus status, const char* uri,
                           size_t length, const char* why, size_t maxBytes);
