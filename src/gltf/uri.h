// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// References from a glTF file to others: what kind they are, percent-decoding, data URIs.
#pragma once

#include "base/text.h"

typedef enum tdUriKind
{
    TD_URI_RELATIVE,
    TD_URI_DATA,
    TD_URI_SCHEME,   // http:, file:, C:, …
    TD_URI_ABSOLUTE, // starts with a slash or backslash
} tdUriKind;

tdUriKind tdClassifyUri(const char* uri, size_t length);

/// Appends the path with percent escapes decoded. False for a broken escape, an encoded zero byte, or
/// nothing.
bool tdDecodeUriPath(const char* uri, size_t length, tdText* out);

/// True when a decoded relative path climbs out of the folder it starts in. Backslashes count as slashes, and
/// so do drive letters and leading slashes that only show after decoding.
bool tdLeavesFolder(const char* path);

/// Bytes behind a data URI. `data` is released with tdRelease(allocator, data, capacity).
typedef struct tdDataUri
{
    uint8_t* data;
    size_t size, capacity;
    const char* mediaType; // inside the URI
    size_t mediaTypeLength;
} tdDataUri;

typedef enum tdUriStatus
{
    TD_URI_OK,
    TD_URI_INVALID,
    TD_URI_OUT_OF_MEMORY,
} tdUriStatus;

/// Base64 or percent-encoded.
tdUriStatus tdDecodeDataUri(const char* uri, size_t length, const tdAllocator* allocator, tdDataUri* out);

/// How much of a reference to show in a message: a data URI may be megabytes long. Cuts between characters.
int tdGetShownLength(const char* uri, size_t length);

/// Appends bytes as base64.
void tdAppendBase64(tdText* out, const uint8_t* bytes, size_t size);
/// Appends a file name as a URI reference: everything but unreserved characters and '/' escaped.
void tdAppendUriPath(tdText* out, const char* path);
