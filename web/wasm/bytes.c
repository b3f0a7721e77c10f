// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// memcpy, memmove and memset for WebAssembly. The bulk-memory instructions leave the module, which is slow for the few
// dozen bytes of a struct, and the C library copies byte by byte. Short blocks are copied vector by vector, long ones
// with the instruction. Compiled without builtins and link-time optimisation: the compiler would otherwise recognise
// the loops and turn them into calls to themselves.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define LOAD(p) wasm_v128_load(p)
#define STORE(p, a) wasm_v128_store(p, a)
#define SPLAT(byte) wasm_i8x16_splat((int8_t)(byte))
typedef v128_t Word;
#else
typedef struct __attribute__((packed, may_alias)) Word
{
    uint64_t bits;
} Word;
#define LOAD(p) (*(const Word*)(p))
#define STORE(p, a) (*(Word*)(p) = (a))
#define SPLAT(byte) ((Word){(uint8_t)(byte)*UINT64_C(0x0101010101010101)})
#endif

#define WORD sizeof(Word)
#define LONG 256 // bytes from which the bulk instruction is faster

void* memcpy(void* restrict to, const void* restrict from, size_t size)
{
    char* target = to;
    const char* source = from;
    if (size >= LONG)
    {
        return __builtin_memcpy(to, from, size);
    }
    if (size < WORD)
    {
        for (size_t i = 0; i < size; ++i)
        {
            target[i] = source[i];
        }
        return to;
    }
    for (size_t i = 0; i < size - WORD; i += WORD)
    {
        STORE(target + i, LOAD(source + i));
    }
    STORE(target + size - WORD, LOAD(source + size - WORD)); // may overlap the previous word
    return to;
}

void* memmove(void* to, const void* from, size_t size)
{
    return __builtin_memmove(to, from, size);
}

void* memset(void* to, int value, size_t size)
{
    char* target = to;
    if (size >= LONG)
    {
        return __builtin_memset(to, value, size);
    }
    if (size < WORD)
    {
        for (size_t i = 0; i < size; ++i)
        {
            target[i] = (char)value;
        }
        return to;
    }
    Word word = SPLAT(value);
    for (size_t i = 0; i < size - WORD; i += WORD)
    {
        STORE(target + i, word);
    }
    STORE(target + size - WORD, word);
    return to;
}
