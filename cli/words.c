// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Comparison without case does not depend on the locale.
#include "words.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static int LowerCase(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

bool StartsWithWord(const char* text, const char* word, size_t length)
{
    for (size_t i = 0; i < length; ++i)
    {
        if (LowerCase(text[i]) != LowerCase(word[i]))
        {
            return false;
        }
        if (text[i] == '\0')
        {
            break;
        }
    }
    return true;
}

bool HasExtension(const char* path, const char* ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length >= size && StartsWithWord(path + length - size, ending, size);
}

const char* GetLastPart(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char* CopyText(const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = AllocateBytes(size);
    if (copy != NULL)
    {
        memcpy(copy, text, size);
    }
    return copy;
}
