// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// URI references of a glTF file: their kind, percent-decoding, data URIs.
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

/// Appends the path with percent escapes decoded. False for a broken escape, an encoded zero byte, or an
/// empty path.
bool tdDecodeUriPath(const char* uri, size_t length, tdText* out);

/// True if a decoded relative path leaves its folder. Backslashes count as slashes; drive letters and leading
/// slashes that appear after decoding leave it too.
bool tdLeavesFolder(const char* path);

/// The bytes of a data URI. Release `data` with tdRelease(allocator, data, capacity).
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

/// Number of bytes of a reference to show in a message, cut between characters: a data URI may be megabytes
/// long.
int tdGetShownLength(const char* uri, size_t length);

/// Appends bytes as base64.
void tdAppendBase64(tdText* out, const uint8_t* bytes, size_t size);
/// Appends a file name as a URI reference: everything but unreserved characters and '/' escaped.
void tdAppendUriPath(tdText* out, const char* path);
