// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The URIs of glTF: RFC 3986 references, RFC 2397 data URIs, RFC 4648 base64.
#include "uri.h"

#include "base/number.h"

#include <string.h>

static bool IsLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

tdUriKind tdClassifyUri(const char* uri, size_t length)
{
    if (length > 0 && (uri[0] == '/' || uri[0] == '\\'))
    {
        return TD_URI_ABSOLUTE;
    }
    // scheme = letter *( letter / digit / "+" / "-" / "." ) ":"
    size_t i = 0;
    while (i < length && (IsLetter(uri[i]) ||
                          (i > 0 && (tdIsDigit(uri[i]) || uri[i] == '+' || uri[i] == '-' || uri[i] == '.'))))
    {
        i += 1;
    }
    if (i == 0 || i >= length || uri[i] != ':')
    {
        return TD_URI_RELATIVE;
    }
    bool isData = i == 4;
    for (size_t k = 0; k < 4 && isData; ++k)
    {
        isData = (uri[k] | 0x20) == "data"[k];
    }
    return isData ? TD_URI_DATA : TD_URI_SCHEME;
}

static int HexValue(char c)
{
    if (tdIsDigit(c))
    {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool tdDecodeUriPath(const char* uri, size_t length, tdText* out)
{
    if (length == 0)
    {
        return false;
    }
    for (size_t i = 0; i < length; ++i)
    {
        char c = uri[i];
        if (c == '%')
        {
            int high = i + 2 < length ? HexValue(uri[i + 1]) : -1;
            int low = i + 2 < length ? HexValue(uri[i + 2]) : -1;
            if (high < 0 || low < 0)
            {
                return false;
            }
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (c == 0)
        {
            return false;
        }
        tdText_AppendChar(out, c);
    }
    return true;
}

bool tdLeavesFolder(const char* path)
{
    if (path[0] == '/' || path[0] == '\\' || (IsLetter(path[0]) && path[1] == ':'))
    {
        return true;
    }
    int depth = 0;
    for (const char* part = path; *part != 0;)
    {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && part[0] == '.' && part[1] == '.')
        {
            depth -= 1;
            if (depth < 0)
            {
                return true;
            }
        }
        else if (length > 0 && !(length == 1 && part[0] == '.'))
        {
            depth += 1;
        }
        part += length;
        part += *part != 0 ? 1 : 0;
    }
    return false;
}

static int Base64Value(char c)
{
    if (c >= 'A' && c <= 'Z')
    {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z')
    {
        return c - 'a' + 26;
    }
    if (tdIsDigit(c))
    {
        return c - '0' + 52;
    }
    return c == '+' || c == '-' ? 62 : (c == '/' || c == '_' ? 63 : -1);
}

/// Returns the number of bytes written; SIZE_MAX if the text is not base64.
static size_t DecodeBase64(const char* text, size_t length, uint8_t* out)
{
    while (length > 0 && text[length - 1] == '=')
    {
        length -= 1;
    }
    size_t size = 0;
    uint32_t bits = 0;
    int bitCount = 0;
    for (size_t i = 0; i < length; ++i)
    {
        int value = Base64Value(text[i]);
        if (value < 0)
        {
            return SIZE_MAX;
        }
        bits = bits << 6 | (uint32_t)value;
        bitCount += 6;
        if (bitCount >= 8)
        {
            bitCount -= 8;
            out[size++] = (uint8_t)(bits >> bitCount);
        }
    }
    return bitCount == 6 ? SIZE_MAX : size;
}

tdUriStatus tdDecodeDataUri(const char* uri, size_t length, const tdAllocator* allocator, tdDataUri* out)
{
    *out = (tdDataUri){0};
    const char* comma = memchr(uri, ',', length);
    if (tdClassifyUri(uri, length) != TD_URI_DATA || comma == NULL)
    {
        return TD_URI_INVALID;
    }
    static const char marker[] = ";base64";
    size_t markerLength = sizeof(marker) - 1;
    size_t headLength = (size_t)(comma - uri);
    bool isBase64 = headLength >= 5 + markerLength && memcmp(comma - markerLength, marker, markerLength) == 0;
    out->mediaType = uri + 5;
    out->mediaTypeLength = headLength - 5 - (isBase64 ? markerLength : 0);

    const char* payload = comma + 1;
    size_t payloadLength = length - headLength - 1;
    out->capacity = isBase64 ? payloadLength / 4 * 3 + 3 : payloadLength + 1;
    out->data = tdAllocate(allocator, out->capacity, 16);
    if (out->data == NULL)
    {
        return TD_URI_OUT_OF_MEMORY;
    }
    if (isBase64)
    {
        out->size = DecodeBase64(payload, payloadLength, out->data);
    }
    for (size_t i = 0; !isBase64 && i < payloadLength; ++i)
    {
        uint8_t byte = (uint8_t)payload[i];
        if (payload[i] == '%')
        {
            int high = i + 2 < payloadLength ? HexValue(payload[i + 1]) : -1;
            int low = i + 2 < payloadLength ? HexValue(payload[i + 2]) : -1;
            if (high < 0 || low < 0)
            {
                out->size = SIZE_MAX;
                break;
            }
            byte = (uint8_t)(high * 16 + low);
            i += 2;
        }
        out->data[out->size++] = byte;
    }
    if (out->size == SIZE_MAX)
    {
        tdRelease(allocator, out->data, out->capacity);
        *out = (tdDataUri){0};
        return TD_URI_INVALID;
    }
    return TD_URI_OK;
}

int tdGetShownLength(const char* uri, size_t length)
{
    size_t shown = length > 200 ? 200 : length;
    while (shown > 0 && shown < length && ((uint8_t)uri[shown] & 0xC0) == 0x80)
    {
        shown -= 1;
    }
    return (int)shown;
}

void tdAppendBase64(tdText* out, const uint8_t* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    tdText_Reserve(out, out->length + size / 3 * 4 + 5);
    for (size_t i = 0; i < size; i += 3)
    {
        size_t rest = size - i;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= rest > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= rest > 2 ? (uint32_t)bytes[i + 2] : 0;
        char group[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                         digits[bits & 63]};
        group[2] = rest > 1 ? group[2] : '=';
        group[3] = rest > 2 ? group[3] : '=';
        tdText_Append(out, group, 4);
    }
}

void tdAppendUriPath(tdText* out, const char* path)
{
    static const char digits[] = "0123456789ABCDEF";
    for (const char* c = path; *c != 0; ++c)
    {
        if (IsLetter(*c) || tdIsDigit(*c) || strchr("-._~/", *c) != NULL)
        {
            tdText_AppendChar(out, *c);
            continue;
        }
        char escape[3] = {'%', digits[(uint8_t)*c >> 4], digits[(uint8_t)*c & 15]};
        tdText_Append(out, escape, 3);
    }
}
