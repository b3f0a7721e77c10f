// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The table of animated properties. One line per pointer; "{}" stands for an index.
#include "animation_pointer.h"

#include <string.h>

/// What the first or second "{}" of a pattern counts.
typedef enum Noun
{
    NO_NOUN,
    NODE,
    WEIGHT_OF_NODE,
} Noun;

typedef struct Pattern
{
    const char* text;
    tdPropertyKind kind;
    Noun object, element;
    int width; // -1: as many as the object has
} Pattern;

static const Pattern patterns[] = {
    {"/nodes/{}/translation", TD_PROPERTY_TRANSLATION, NODE, NO_NOUN, 3},
    {"/nodes/{}/rotation", TD_PROPERTY_ROTATION, NODE, NO_NOUN, 4},
    {"/nodes/{}/scale", TD_PROPERTY_SCALE, NODE, NO_NOUN, 3},
    {"/nodes/{}/weights", TD_PROPERTY_WEIGHTS, NODE, NO_NOUN, -1},
    {"/nodes/{}/weights/{}", TD_PROPERTY_WEIGHT, NODE, WEIGHT_OF_NODE, 1},
};

/// Reads a JSON pointer's index: digits without leading zeros.
static size_t ReadIndex(const char* text, size_t length, int* index)
{
    size_t i = 0;
    int64_t value = 0;
    while (i < length && text[i] >= '0' && text[i] <= '9' && value < INT32_MAX)
    {
        value = value * 10 + (text[i] - '0');
        i += 1;
    }
    if (i == 0 || (i > 1 && text[0] == '0') || value > INT32_MAX)
    {
        return 0;
    }
    *index = (int)value;
    return i;
}

static bool Matches(const char* pattern, const char* pointer, size_t length, int indices[2])
{
    int count = 0;
    size_t at = 0;
    while (*pattern != 0)
    {
        if (pattern[0] == '{')
        {
            size_t read = ReadIndex(pointer + at, length - at, &indices[count]);
            if (read == 0)
            {
                return false;
            }
            count += 1;
            at += read;
            pattern += 2;
            continue;
        }
        if (at >= length || pointer[at] != *pattern)
        {
            return false;
        }
        at += 1;
        pattern += 1;
    }
    return at == length;
}

static int CountNoun(const tdImport* import, Noun noun, int object)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    switch (noun)
    {
    case NO_NOUN:
        break;
    case NODE:
        return nodes->count;
    case WEIGHT_OF_NODE:
        return nodes->weightStarts[object + 1] - nodes->weightStarts[object];
    }
    return 0;
}

tdPointerStatus tdResolveAnimationPointer(const tdImport* import, const char* pointer, size_t length,
                                          tdProperty* property, int* width)
{
    if (length == 0 || pointer[0] != '/')
    {
        return TD_POINTER_INVALID;
    }
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); ++i)
    {
        const Pattern* pattern = &patterns[i];
        int indices[2] = {-1, -1};
        if (!Matches(pattern->text, pointer, length, indices))
        {
            continue;
        }
        if (indices[0] >= CountNoun(import, pattern->object, -1) ||
            (pattern->element != NO_NOUN && indices[1] >= CountNoun(import, pattern->element, indices[0])))
        {
            return TD_POINTER_INVALID;
        }
        *property = (tdProperty){.kind = pattern->kind, .object = indices[0], .element = indices[1]};
        *width = pattern->width;
        return TD_POINTER_OK;
    }
    return TD_POINTER_UNSUPPORTED;
}
