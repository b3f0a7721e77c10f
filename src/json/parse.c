// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The JSON parser: one pass over the source, strict RFC 8259, no recursion. Commas and brackets are counted
// first: they bound the number of values, which are allocated once.
//
// The keys of all open objects are on one stack. Few keys of an object are compared with each other directly;
// many are sorted by hash when the object closes, in O(n log n).
//
// See docs/decisions/011-json.md.
#include "parse.h"

#include "document.h"

#include "base/compiler.h"
#include "base/heap_sort.h"
#include "base/number.h"

#include <string.h>

#define FEW_KEYS 16

typedef struct Key
{
    uint32_t start; // of the quote in the source
    uint32_t length;
    uint32_t hash;
    int32_t decoded; // index into json->decoded, -1: the source's own bytes
} Key;

typedef struct Level
{
    int container;
    int childCount;
    int lastChild;
    int firstKey; // on the stack of keys
    bool isObject;
    uint64_t hashBits; // bit hash >> 26 of each key so far: most keys need no comparison
} Level;

typedef struct JsonParser
{
    tdJson* json;
    const char* source;
    const char* end;
    tdArray(Key) keys;
    int depth; // of open containers
    tdJsonError error;
    Level levels[TD_JSON_MAX_DEPTH];
} JsonParser;

static bool FailParsing(JsonParser* parser, tdJsonErrorCode code, const char* at, const char* message)
{
    parser->error = (tdJsonError){code, message, (size_t)(at - parser->source), 0};
    return false;
}

static bool FailParsingMemory(JsonParser* parser)
{
    return FailParsing(parser, TD_JSON_ERROR_OUT_OF_MEMORY, parser->source, "out of memory");
}

/// Eight bytes, the first in the lowest bits; compilers turn this into one load.
static inline uint64_t LoadEightBytes(const char* text)
{
    const unsigned char* p = (const unsigned char*)text;
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static const char* SkipJsonSpaces(const char* p, const char* end)
{
    while (p < end)
    {
        if (*p == ' ')
        {
            // Indentation is mostly runs of spaces.
            while (end - p >= 8 && LoadEightBytes(p) == UINT64_C(0x2020202020202020))
            {
                p += 8;
            }
            while (p < end && *p == ' ')
            {
                ++p;
            }
        }
        else if (*p == '\n' || *p == '\r' || *p == '\t')
        {
            ++p;
        }
        else
        {
            break;
        }
    }
    return p;
}

/// The first byte that is no white space. In documents without indentation that is mostly the first one.
static inline const char* SkipJsonSpace(const char* p, const char* end)
{
    return p < end && (unsigned char)*p > ' ' ? p : SkipJsonSpaces(p, end);
}

// Strings.

/// Marks the quotes, backslashes, control characters and bytes beyond ASCII among eight bytes by their
/// highest bits. Marks above the lowest one may be wrong.
static uint64_t MarkSpecialBytes(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = UINT64_C(0x8080808080808080);
    uint64_t quote = word ^ (ones * '"'), backslash = word ^ (ones * '\\');
    // A byte x is below n exactly if subtracting n from it borrows; a borrow reaches the next byte only after
    // a hit.
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | (word - ones * 0x20) | word) &
           highs;
}

/// Length of the UTF-8 sequence at p, whose first byte is beyond ASCII; 0 when it is invalid.
static int CheckSequence(const unsigned char* p, const unsigned char* end)
{
    int length = p[0] >= 0xf0 ? 4 : (p[0] >= 0xe0 ? 3 : 2);
    if (p[0] < 0xc2 || p[0] > 0xf4 || end - p < length)
    {
        return 0;
    }
    for (int i = 1; i < length; ++i)
    {
        if ((p[i] & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // Overlong forms, surrogates, beyond U+10FFFF.
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] >= 0x90))
    {
        return 0;
    }
    return length;
}

/// Values of hexadecimal digits plus one by their character; 0 for others.
static const uint8_t hexDigits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/// Characters of the escapes of two bytes by their second byte; 0 for others.
static const char shortEscapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

/// Value of four hexadecimal digits; -1 if they are not.
static inline int ReadHex(const char* p, const char* end)
{
    if (end - p < 4)
    {
        return -1;
    }
    int a = hexDigits[(unsigned char)p[0]], b = hexDigits[(unsigned char)p[1]],
        c = hexDigits[(unsigned char)p[2]], d = hexDigits[(unsigned char)p[3]];
    bool isHex = a != 0 && b != 0 && c != 0 && d != 0;
    return isHex ? (a - 1) << 12 | (b - 1) << 8 | (c - 1) << 4 | (d - 1) : -1;
}

/// Checks the escape at p (a backslash). Returns its end, NULL on error.
static const char* CheckEscape(JsonParser* parser, const char* p)
{
    const char* end = parser->end;
    if (end - p < 2)
    {
        FailParsing(parser, TD_JSON_ERROR_STRING, end, "the string does not end");
        return NULL;
    }
    if (p[1] != 'u')
    {
        if (shortEscapes[(unsigned char)p[1]] == 0)
        {
            FailParsing(parser, TD_JSON_ERROR_STRING, p, "unknown escape");
            return NULL;
        }
        return p + 2;
    }
    int code = ReadHex(p + 2, end);
    if (code < 0)
    {
        FailParsing(parser, TD_JSON_ERROR_STRING, p, "expected four hexadecimal digits after \\u");
        return NULL;
    }
    if (code >= 0xd800 && code < 0xe000)
    {
        bool isPair = code < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u';
        int low = isPair ? ReadHex(p + 8, end) : -1;
        if (low < 0xdc00 || low >= 0xe000)
        {
            FailParsing(parser, TD_JSON_ERROR_STRING, p, "half of a surrogate pair");
            return NULL;
        }
        return p + 12;
    }
    return p + 6;
}

/// Checks a string from the byte after its opening quote. Returns the closing quote, NULL on error.
static const char* ScanString(JsonParser* parser, const char* p, bool* escaped)
{
    const char* end = parser->end;
    *escaped = false;
    for (;;)
    {
        while (end - p >= 8)
        {
            uint64_t marks = MarkSpecialBytes(LoadEightBytes(p));
            if (marks != 0)
            {
                p += tdFindLowestBit(marks) / 8;
                break;
            }
            p += 8;
        }
        // Up to the special byte, and past it unless it ends the string.
        while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80)
        {
            ++p;
        }
        if (p >= end)
        {
            FailParsing(parser, TD_JSON_ERROR_STRING, end, "the string does not end");
            return NULL;
        }
        if (*p == '"')
        {
            return p;
        }
        if (*p == '\\')
        {
            *escaped = true;
            do
            {
                p = CheckEscape(parser, p);
                if (p == NULL)
                {
                    return NULL;
                }
            } while (p < end && *p == '\\');
        }
        else if ((unsigned char)*p < 0x20)
        {
            FailParsing(parser, TD_JSON_ERROR_STRING, p, "control character in a string");
            return NULL;
        }
        else
        {
            do
            {
                int length = CheckSequence((const unsigned char*)p, (const unsigned char*)end);
                if (length == 0)
                {
                    FailParsing(parser, TD_JSON_ERROR_UTF8, p, "invalid UTF-8");
                    return NULL;
                }
                p += length;
            } while (p < end && (unsigned char)*p >= 0x80);
        }
    }
}

/// Marks the backslashes among eight bytes by their highest bits. Marks above the lowest one may be wrong.
static inline uint64_t MarkBackslashes(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = UINT64_C(0x8080808080808080);
    uint64_t backslash = word ^ (ones * '\\');
    return (backslash - ones) & ~backslash & highs;
}

/// Writes the UTF-8 sequence of a code point. Returns its end.
static inline char* WriteCodePoint(char* out, uint32_t code)
{
    if (code < 0x80)
    {
        *out++ = (char)code;
        return out;
    }
    int length = code < 0x800 ? 2 : (code < 0x10000 ? 3 : 4);
    static const unsigned char leads[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = length - 1; i > 0; --i)
    {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(leads[length] | code);
    return out + length;
}

/// Writes what the escape at p stands for and returns its end; p is the end of the escape afterwards.
static inline char* WriteEscape(char* out, const char** p, const char* end)
{
    const char* at = *p;
    if (at[1] != 'u')
    {
        *out = shortEscapes[(unsigned char)at[1]];
        *p = at + 2;
        return out + 1;
    }
    uint32_t code = (uint32_t)ReadHex(at + 2, end);
    at += 6;
    if (code >= 0xd800 && code < 0xdc00)
    {
        code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)ReadHex(at + 2, end) - 0xdc00);
        at += 6;
    }
    *p = at;
    return WriteCodePoint(out, code);
}

/// Decodes a checked string [p, end) into the pool, as the text of `owner`.
static bool DecodeString(JsonParser* parser, const char* p, const char* end, uint32_t owner)
{
    tdJson* json = parser->json;
    size_t offset = json->pool.length;
    // No text is longer than its source, so that words of eight bytes of the source fit too.
    if (!tdText_Reserve(&json->pool, offset + (size_t)(end - p)))
    {
        return false;
    }
    char* out = json->pool.data + offset;
    while (p < end)
    {
        while (end - p >= 8)
        {
            uint64_t marks = MarkBackslashes(LoadEightBytes(p));
            memcpy(out, p, 8);
            int length = marks != 0 ? tdFindLowestBit(marks) / 8 : 8;
            out += length;
            p += length;
            if (marks != 0)
            {
                break;
            }
        }
        while (p < end && *p != '\\')
        {
            *out++ = *p++;
        }
        while (p < end && *p == '\\')
        {
            out = WriteEscape(out, &p, end);
        }
    }
    *out = 0;
    json->pool.length = (size_t)(out - json->pool.data);
    tdJsonDecoded decoded = {owner, (uint32_t)offset, (uint32_t)(json->pool.length - offset)};
    return tdArray_Push(&json->allocator, &json->decoded, decoded);
}

// Keys.

static const char* GetKeyText(const JsonParser* parser, const Key* key)
{
    return key->decoded >= 0 ? parser->json->pool.data + parser->json->decoded.data[key->decoded].offset
                             : parser->source + key->start + 1;
}

/// Order by hash, then by content. 0 means the same key.
static int CompareKeys(const JsonParser* parser, const Key* a, const Key* b)
{
    if (a->hash != b->hash)
    {
        return a->hash < b->hash ? -1 : 1;
    }
    if (a->length != b->length)
    {
        return a->length < b->length ? -1 : 1;
    }
    return memcmp(GetKeyText(parser, a), GetKeyText(parser, b), a->length);
}

/// @param end of readable bytes
static inline uint32_t HashMemberKey(const char* text, size_t length, const char* end)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) * (length + 1);
    size_t i = 0;
    for (; length - i >= 8; i += 8)
    {
        hash = (hash ^ LoadEightBytes(text + i)) * UINT64_C(0xd6e8feb86659fd93);
        hash ^= hash >> 32;
    }
    uint64_t tail = 0;
    if (i < length && end - (text + i) >= 8)
    {
        tail = LoadEightBytes(text + i) << (64 - 8 * (length - i));
    }
    else if (i < length)
    {
        for (size_t k = i; k < length; ++k)
        {
            tail = tail >> 8 | (uint64_t)(unsigned char)text[k] << 56;
        }
    }
    hash = (hash ^ tail) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(hash >> 32);
}

static bool FailDuplicate(JsonParser* parser, uint32_t first, uint32_t second)
{
    FailParsing(parser, TD_JSON_ERROR_DUPLICATE_KEY, parser->source + second,
                "the object has this key already");
    parser->error.otherOffset = first;
    return false;
}

/// Pushes a key of the innermost object; while the object has few, compares it with the others.
static bool PushMemberKey(JsonParser* parser, const char* open, const char* close, uint32_t value,
                          bool escaped)
{
    tdJson* json = parser->json;
    Key key = {(uint32_t)(open - parser->source), (uint32_t)(close - open - 1), 0, -1};
    if (escaped)
    {
        if (!DecodeString(parser, open + 1, close, 2 * value))
        {
            return FailParsingMemory(parser);
        }
        key.decoded = json->decoded.count - 1;
        key.length = json->decoded.data[key.decoded].length;
    }
    key.hash = HashMemberKey(GetKeyText(parser, &key), key.length,
                             escaped ? json->pool.data + json->pool.length : parser->end);
    Level* level = &parser->levels[parser->depth - 1];
    int first = level->firstKey;
    int count = parser->keys.count - first;
    uint64_t bit = UINT64_C(1) << (key.hash >> 26);
    bool isNew = (level->hashBits & bit) == 0;
    level->hashBits |= bit;
    for (int i = 0; !isNew && count < FEW_KEYS && i < count; ++i)
    {
        const Key* other = &parser->keys.data[first + i];
        if (other->hash == key.hash && CompareKeys(parser, other, &key) == 0)
        {
            return FailDuplicate(parser, other->start, key.start);
        }
    }
    return tdArray_Push(&json->allocator, &parser->keys, key) || FailParsingMemory(parser);
}

static bool IsKeyBefore(const void* left, const void* right, const void* context)
{
    const Key *a = left, *b = right;
    int order = CompareKeys(context, a, b);
    return order < 0 || (order == 0 && a->start < b->start);
}

/// Pops the keys of the object that closes; if there are many, looks for duplicates.
static bool PopKeys(JsonParser* parser, const Level* level)
{
    int count = parser->keys.count - level->firstKey;
    parser->keys.count = level->firstKey;
    if (count <= FEW_KEYS)
    {
        return true;
    }
    Key* keys = parser->keys.data + level->firstKey;
    tdHeapSort(keys, count, sizeof(Key), IsKeyBefore, parser);
    const Key* found = NULL; // the first of all repeated keys
    for (int i = 1; i < count; ++i)
    {
        if (CompareKeys(parser, &keys[i - 1], &keys[i]) == 0 &&
            (found == NULL || keys[i].start < found->start))
        {
            found = &keys[i];
        }
    }
    if (found == NULL)
    {
        return true;
    }
    const Key* first = found;
    while (first > keys && CompareKeys(parser, first - 1, found) == 0)
    {
        --first;
    }
    return FailDuplicate(parser, first->start, found->start);
}

// Numbers and words.

static inline bool IsDigitAt(const char* p, const char* end)
{
    return p < end && tdIsDigit(*p);
}

/// The first byte that is no digit.
static inline const char* SkipDigits(const char* p, const char* end)
{
    while (end - p >= 8)
    {
        // The upper half of a digit is 3; ':' to '?' are the other bytes with it.
        uint64_t word = LoadEightBytes(p);
        const uint64_t highs = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
        uint64_t other = ((word & highs) ^ zeros) | (((word + UINT64_C(0x0606060606060606)) & highs) ^ zeros);
        if (other != 0)
        {
            return p + tdFindLowestBit(other) / 8;
        }
        p += 8;
    }
    while (IsDigitAt(p, end))
    {
        ++p;
    }
    return p;
}

/// Checks a number at p (a minus or a digit). Returns its end, NULL on error.
static const char* ScanNumber(JsonParser* parser, const char* p)
{
    const char* end = parser->end;
    p += *p == '-';
    if (!IsDigitAt(p, end))
    {
        FailParsing(parser, TD_JSON_ERROR_NUMBER, p, "expected a digit after '-'");
        return NULL;
    }
    if (*p == '0' && IsDigitAt(p + 1, end))
    {
        FailParsing(parser, TD_JSON_ERROR_NUMBER, p, "a number must not begin with a zero");
        return NULL;
    }
    while (IsDigitAt(p, end))
    {
        ++p;
    }
    if (p < end && *p == '.')
    {
        ++p;
        if (!IsDigitAt(p, end))
        {
            FailParsing(parser, TD_JSON_ERROR_NUMBER, p, "expected a digit after '.'");
            return NULL;
        }
        p = SkipDigits(p, end);
    }
    if (p < end && (*p == 'e' || *p == 'E'))
    {
        ++p;
        p += p < end && (*p == '+' || *p == '-');
        if (!IsDigitAt(p, end))
        {
            FailParsing(parser, TD_JSON_ERROR_NUMBER, p, "expected a digit in the exponent");
            return NULL;
        }
        while (IsDigitAt(p, end))
        {
            ++p;
        }
    }
    return p;
}

static const char* ScanWord(JsonParser* parser, const char* p, tdJsonType* type)
{
    static const struct
    {
        const char* text;
        size_t length;
        tdJsonType type;
    } words[] = {{"true", 4, TD_JSON_TRUE}, {"false", 5, TD_JSON_FALSE}, {"null", 4, TD_JSON_NULL}};
    for (int i = 0; i < 3; ++i)
    {
        if ((size_t)(parser->end - p) >= words[i].length && memcmp(p, words[i].text, words[i].length) == 0)
        {
            *type = words[i].type;
            return p + words[i].length;
        }
    }
    FailParsing(parser, TD_JSON_ERROR_SYNTAX, p,
                p < parser->end ? "expected a value" : "the document ends too soon");
    return NULL;
}

// Structure.

static int AddValue(JsonParser* parser, const char* start, uint32_t key, uint32_t flags)
{
    tdJson* json = parser->json;
    int index = json->valueCount++;
    TD_ASSERT(index < json->valueCapacity);
    json->values[index] = (tdJsonValue){
        .start = (uint32_t)(start - parser->source), .key = key, .next = (uint32_t)index + 1, .info = flags};
    if (parser->depth > 0)
    {
        Level* level = &parser->levels[parser->depth - 1];
        level->childCount += 1;
        level->lastChild = index;
    }
    return index;
}

/// Reads `"key" :` of a member. Returns where its value starts, NULL on error.
static const char* ReadKey(JsonParser* parser, const char* p, const char* expected, uint32_t* key,
                           uint32_t* flags)
{
    if (p >= parser->end || *p != '"')
    {
        FailParsing(parser, TD_JSON_ERROR_SYNTAX, p,
                    p < parser->end ? expected : "the document ends too soon");
        return NULL;
    }
    bool escaped;
    const char* close = ScanString(parser, p + 1, &escaped);
    if (close == NULL || !PushMemberKey(parser, p, close, (uint32_t)parser->json->valueCount, escaped))
    {
        return NULL;
    }
    *key = (uint32_t)(p - parser->source);
    *flags = escaped ? TD_JSON_KEY_ESCAPED : 0;
    p = SkipJsonSpace(close + 1, parser->end);
    if (p >= parser->end || *p != ':')
    {
        FailParsing(parser, TD_JSON_ERROR_SYNTAX, p, "expected ':' after the key");
        return NULL;
    }
    return SkipJsonSpace(p + 1, parser->end);
}

/// Reads a scalar value. Returns its end, NULL on error.
static const char* ReadScalar(JsonParser* parser, const char* p, uint32_t key, uint32_t flags)
{
    const char* start = p;
    tdJsonType type = TD_JSON_NUMBER;
    if (p < parser->end && *p == '"')
    {
        bool escaped;
        p = ScanString(parser, p + 1, &escaped);
        if (p == NULL)
        {
            return NULL;
        }
        uint32_t owner = 2 * (uint32_t)parser->json->valueCount + 1;
        if (escaped && !DecodeString(parser, start + 1, p, owner))
        {
            FailParsingMemory(parser);
            return NULL;
        }
        flags |= escaped ? TD_JSON_ESCAPED : 0;
        type = TD_JSON_STRING;
        ++p;
    }
    else if (p < parser->end && (*p == '-' || (*p >= '0' && *p <= '9')))
    {
        p = ScanNumber(parser, p);
    }
    else
    {
        p = ScanWord(parser, p, &type);
    }
    if (p != NULL)
    {
        int index = AddValue(parser, start, key, flags | (uint32_t)type);
        parser->json->values[index].end = (uint32_t)(p - parser->source);
    }
    return p;
}

static bool OpenContainer(JsonParser* parser, const char* p, uint32_t key, uint32_t flags)
{
    if (parser->depth == TD_JSON_MAX_DEPTH)
    {
        return FailParsing(parser, TD_JSON_ERROR_DEPTH, p, "nested too deeply");
    }
    bool isObject = *p == '{';
    int index = AddValue(parser, p, key, flags | (uint32_t)(isObject ? TD_JSON_OBJECT : TD_JSON_ARRAY));
    parser->levels[parser->depth++] = (Level){index, 0, -1, parser->keys.count, isObject, 0};
    return true;
}

static bool CloseContainer(JsonParser* parser, const char* end)
{
    Level* level = &parser->levels[--parser->depth];
    tdJsonValue* values = parser->json->values;
    tdJsonValue* container = &values[level->container];
    container->end = (uint32_t)(end - parser->source);
    container->next = (uint32_t)parser->json->valueCount;
    uint32_t count = (uint32_t)level->childCount;
    container->info |= (count < TD_JSON_COUNT_MANY ? count : TD_JSON_COUNT_MANY) << TD_JSON_COUNT_SHIFT;
    if (level->lastChild >= 0)
    {
        values[level->lastChild].info |= TD_JSON_LAST;
    }
    return !level->isObject || PopKeys(parser, level);
}

static bool ParseDocument(JsonParser* parser, const char* p)
{
    const char* end = parser->end;
    uint32_t key = 0, flags = 0;
    p = SkipJsonSpace(p, end);
    for (;;)
    {
        // A value starts here.
        if (p < end && (*p == '{' || *p == '['))
        {
            if (!OpenContainer(parser, p, key, flags))
            {
                return false;
            }
            bool isObject = *p == '{';
            key = flags = 0;
            p = SkipJsonSpace(p + 1, end);
            bool isEmpty = p < end && *p == (isObject ? '}' : ']');
            if (!isEmpty)
            {
                p = isObject ? ReadKey(parser, p, "expected a key or '}'", &key, &flags) : p;
                if (p == NULL)
                {
                    return false;
                }
                continue;
            }
            ++p;
            if (!CloseContainer(parser, p))
            {
                return false;
            }
        }
        else
        {
            p = ReadScalar(parser, p, key, flags);
            if (p == NULL)
            {
                return false;
            }
        }

        // A value ended here, and perhaps its parents.
        for (;;)
        {
            p = SkipJsonSpace(p, end);
            if (parser->depth == 0)
            {
                parser->json->values[0].info |= TD_JSON_LAST;
                return p == end || FailParsing(parser, TD_JSON_ERROR_TRAILING, p,
                                               "something follows the document's value");
            }
            bool isObject = parser->levels[parser->depth - 1].isObject;
            if (p < end && *p == ',')
            {
                p = SkipJsonSpace(p + 1, end);
                key = flags = 0;
                p = isObject ? ReadKey(parser, p, "expected a key after ','", &key, &flags) : p;
                if (p == NULL)
                {
                    return false;
                }
                break;
            }
            if (p >= end || *p != (isObject ? '}' : ']'))
            {
                const char* message = isObject ? "expected ',' or '}'" : "expected ',' or ']'";
                return FailParsing(parser, TD_JSON_ERROR_SYNTAX, p,
                                   p < end ? message : "the document ends too soon");
            }
            ++p;
            if (!CloseContainer(parser, p))
            {
                return false;
            }
        }
    }
}

/// Upper bound for the number of values: the root, and one after each comma and each opening bracket. Also at
/// most half the bytes, because each value takes two, itself and a comma; unclosed brackets at the end are
/// the exception.
static size_t CountValues(const char* source, size_t size)
{
    size_t count = 1;
    for (size_t i = 0; i < size;)
    {
        // Bytes add up in blocks that cannot overflow a byte, so that compilers count sixteen at once.
        size_t end = size - i < 240 ? size : i + 240;
        uint8_t found = 0;
        for (; i < end; ++i)
        {
            found = (uint8_t)(found + (source[i] == ',' || (source[i] | 0x20) == '{' ? 1 : 0));
        }
        count += found;
    }
    size_t most = size / 2 + 1 + TD_JSON_MAX_DEPTH;
    return count < most ? count : most;
}

/// Shrinks the array of values if much of it is unused. A failure is not an error.
static void TrimValues(tdJson* json)
{
    if (json->valueCapacity - json->valueCount > json->valueCount / 8 + 16)
    {
        size_t size = (size_t)json->valueCount * sizeof(tdJsonValue);
        tdJsonValue* values = tdAllocate(&json->allocator, size, _Alignof(tdJsonValue));
        if (values != NULL)
        {
            memcpy(values, json->values, size);
            tdRelease(&json->allocator, json->values, (size_t)json->valueCapacity * sizeof(tdJsonValue));
            json->values = values;
            json->valueCapacity = json->valueCount;
        }
    }
}

static bool ParseText(JsonParser* parser)
{
    tdJson* json = parser->json;
    if (json->size >= (size_t)1 << 31)
    {
        return FailParsing(parser, TD_JSON_ERROR_TOO_LARGE, parser->source, "2 GiB or more");
    }
    json->valueCapacity = (int)CountValues(json->source, json->size);
    size_t size;
    if (tdMultiplySizes((size_t)json->valueCapacity, sizeof(tdJsonValue), &size))
    {
        json->values = tdAllocate(&json->allocator, size, _Alignof(tdJsonValue));
    }
    if (json->values == NULL)
    {
        return FailParsingMemory(parser);
    }
    json->hasByteOrderMark = json->size >= 3 && memcmp(json->source, "\xef\xbb\xbf", 3) == 0;
    if (!ParseDocument(parser, parser->source + (json->hasByteOrderMark ? 3 : 0)))
    {
        return false;
    }
    TrimValues(json);
    return true;
}

tdJson* tdParseJson(const char* source, size_t size, const tdAllocator* allocator, tdJsonError* error)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdJson* json = tdAllocateZeroed(&resolved, sizeof(tdJson), _Alignof(tdJson));
    JsonParser parser; // the levels need no clearing
    parser.json = json;
    parser.source = size > 0 ? source : "";
    parser.end = parser.source + size;
    parser.keys.data = NULL;
    parser.keys.count = parser.keys.capacity = 0;
    parser.depth = 0;
    parser.error = (tdJsonError){TD_JSON_OK, "", 0, 0};
    bool parsed = false;
    if (json != NULL)
    {
        json->allocator = resolved;
        json->source = parser.source;
        json->size = size;
        tdText_Init(&json->pool, &resolved);
        parsed = ParseText(&parser);
        tdArray_Free(&resolved, &parser.keys);
    }
    else
    {
        FailParsingMemory(&parser);
    }
    if (error != NULL)
    {
        *error = parser.error;
    }
    if (!parsed)
    {
        tdDestroyJson(json);
        return NULL;
    }
    return json;
}

void tdDestroyJson(tdJson* json)
{
    if (json == NULL)
    {
        return;
    }
    tdAllocator allocator = json->allocator;
    tdRelease(&allocator, json->values, (size_t)json->valueCapacity * sizeof(tdJsonValue));
    tdArray_Free(&allocator, &json->decoded);
    tdText_Free(&json->pool);
    tdRelease(&allocator, json, sizeof(tdJson));
}
