// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The growing text and its formatting, independent of the locale.
#include "text.h"

#include "number.h"

#include <math.h>
#include <string.h>

void tdText_Init(tdText* text, const tdAllocator* allocator)
{
    *text = (tdText){.allocator = tdAllocator_Resolve(allocator)};
}

void tdText_InitPart(tdText* text, const tdAllocator* allocator, bool* ownerFailed)
{
    tdText_Init(text, allocator);
    text->ownerFailed = ownerFailed;
}

static void FailText(tdText* text)
{
    text->failed = true;
    if (text->ownerFailed != NULL)
    {
        *text->ownerFailed = true;
    }
}

void tdText_Free(tdText* text)
{
    tdRelease(&text->allocator, text->data, text->capacity);
    text->data = NULL;
    text->length = text->capacity = 0;
    text->failed = false;
}

void tdText_Clear(tdText* text)
{
    text->length = 0;
    text->failed = false;
    if (text->data != NULL)
    {
        text->data[0] = 0;
    }
}

bool tdText_Reserve(tdText* text, size_t capacity)
{
    // `capacity` excludes the zero byte, text->capacity includes it.
    if (capacity < text->capacity)
    {
        return true;
    }
    if (capacity == SIZE_MAX)
    {
        FailText(text);
        return false;
    }
    size_t larger = text->capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * text->capacity;
    size_t wanted = capacity + 1 > larger ? capacity + 1 : larger;
    wanted = wanted < 64 ? 64 : wanted;
    char* data = tdAllocate(&text->allocator, wanted, 1);
    if (data == NULL)
    {
        FailText(text);
        return false;
    }
    if (text->length > 0)
    {
        memcpy(data, text->data, text->length);
    }
    data[text->length] = 0;
    tdRelease(&text->allocator, text->data, text->capacity);
    text->data = data;
    text->capacity = wanted;
    return true;
}

void tdText_Append(tdText* text, const char* bytes, size_t length)
{
    if (text->failed)
    {
        return; // no gaps: nothing follows a failed append
    }
    if (length > SIZE_MAX - text->length)
    {
        FailText(text);
        return;
    }
    if (!tdText_Reserve(text, text->length + length))
    {
        return;
    }
    if (length > 0)
    {
        memcpy(text->data + text->length, bytes, length);
    }
    text->length += length;
    text->data[text->length] = 0;
}

void tdText_AppendString(tdText* text, const char* zeroTerminated)
{
    tdText_Append(text, zeroTerminated, strlen(zeroTerminated));
}

void tdText_AppendChar(tdText* text, char c)
{
    tdText_Append(text, &c, 1);
}

static void AppendInteger(tdText* text, int64_t value)
{
    char digits[TD_NUMBER_TEXT_SIZE];
    size_t length = tdWriteInteger(digits, value);
    tdText_Append(text, digits, length);
}

static void AppendUnsigned(tdText* text, uint64_t value)
{
    if (value >= 10)
    {
        AppendInteger(text, (int64_t)(value / 10));
    }
    tdText_AppendChar(text, (char)('0' + value % 10));
}

static void AppendDouble(tdText* text, double value)
{
    if (!isfinite(value))
    {
        tdText_AppendString(text, isnan(value) ? "nan" : (value < 0.0 ? "-inf" : "inf"));
        return;
    }
    char digits[TD_NUMBER_TEXT_SIZE];
    bool isFloat = fabs(value) <= 3.4028234663852886e38 && (double)(float)value == value;
    size_t length = isFloat ? tdWriteFloat(digits, (float)value) : tdWriteDouble(digits, value);
    tdText_Append(text, digits, length);
}

void tdText_AppendFormat(tdText* text, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tdText_AppendFormatList(text, format, arguments);
    va_end(arguments);
}

void tdText_AppendFormatList(tdText* text, const char* format, va_list arguments)
{
    const char* p = format;
    while (*p != 0)
    {
        const char* percent = strchr(p, '%');
        size_t plain = percent != NULL ? (size_t)(percent - p) : strlen(p);
        tdText_Append(text, p, plain);
        p += plain;
        if (*p == 0)
        {
            break;
        }
        ++p;
        if (strncmp(p, ".*s", 3) == 0)
        {
            int length = va_arg(arguments, int);
            const char* bytes = va_arg(arguments, const char*);
            tdText_Append(text, bytes, length > 0 ? (size_t)length : 0);
            p += 3;
        }
        else if (strncmp(p, "lld", 3) == 0)
        {
            AppendInteger(text, va_arg(arguments, long long));
            p += 3;
        }
        else if (strncmp(p, "llu", 3) == 0)
        {
            AppendUnsigned(text, va_arg(arguments, unsigned long long));
            p += 3;
        }
        else if (strncmp(p, "zu", 2) == 0)
        {
            AppendUnsigned(text, va_arg(arguments, size_t));
            p += 2;
        }
        else
        {
            switch (*p)
            {
            case 's':
            {
                const char* string = va_arg(arguments, const char*);
                tdText_AppendString(text, string != NULL ? string : "(null)");
                break;
            }
            case 'd':
                AppendInteger(text, va_arg(arguments, int));
                break;
            case 'u':
                AppendUnsigned(text, va_arg(arguments, unsigned));
                break;
            case 'c':
                tdText_AppendChar(text, (char)va_arg(arguments, int));
                break;
            case 'g':
                AppendDouble(text, va_arg(arguments, double));
                break;
            case '%':
                tdText_AppendChar(text, '%');
                break;
            default:
                TD_ASSERT(false && "unknown conversion in a format");
                return;
            }
            ++p;
        }
    }
}

/// Bytes of the UTF-8 sequence at `p`, 0 if it is invalid.
static size_t GetSequenceLength(const unsigned char* p, size_t available)
{
    if (p[0] < 0x80)
    {
        return 1;
    }
    size_t length = p[0] >= 0xf0 ? 4 : (p[0] >= 0xe0 ? 3 : 2);
    if (p[0] < 0xc2 || p[0] > 0xf4 || length > available)
    {
        return 0;
    }
    for (size_t i = 1; i < length; ++i)
    {
        if ((p[i] & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool tooLarge = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || tooLarge ? 0 : length;
}

void tdText_AppendJsonString(tdText* text, const char* bytes, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    tdText_AppendChar(text, '"');
    size_t start = 0; // first byte that needs no escape and is not yet appended
    for (size_t i = 0; i < length;)
    {
        unsigned char c = (unsigned char)bytes[i];
        size_t sequence = GetSequenceLength((const unsigned char*)bytes + i, length - i);
        if (sequence != 0 && c >= 0x20 && c != '"' && c != '\\')
        {
            i += sequence;
            continue;
        }
        tdText_Append(text, bytes + start, i - start);
        const char* shortForm = c != 0 ? strchr("\"\"\\\\b\bf\fn\nr\rt\t", (char)c) : NULL;
        if (sequence == 0)
        {
            tdText_AppendString(text, "\xef\xbf\xbd"); // U+FFFD, so that the output is always valid UTF-8
        }
        else if (shortForm != NULL)
        {
            tdText_AppendChar(text, '\\');
            tdText_AppendChar(text, c == '"' || c == '\\' ? (char)c : shortForm[-1]);
        }
        else
        {
            char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            tdText_Append(text, escape, 6);
        }
        i += 1;
        start = i;
    }
    tdText_Append(text, bytes + start, length - start);
    tdText_AppendChar(text, '"');
}

bool tdStringsEqual(const char* a, const char* b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool tdHasWord(const char* list, const char* word, size_t length)
{
    for (const char* at = list; *at != 0;)
    {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, length) == 0)
        {
            return true;
        }
        at += size + (at[size] != 0 ? 1 : 0);
    }
    return false;
}

bool tdStartsWith(const char* text, const char* prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool tdEndsWith(const char* text, const char* ending)
{
    size_t length = strlen(text), endingLength = strlen(ending);
    return length >= endingLength && memcmp(text + length - endingLength, ending, endingLength) == 0;
}
