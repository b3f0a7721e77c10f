// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Allocation functions that fail on demand, linked around the program by the option --wrap of the linker.
//
//     TENDON_FAIL_ALLOCATION=7     the allocation of index 7 fails, counted from 0
//     TENDON_FAIL_ALLOCATION=7+    that one and all later ones fail
//     TENDON_COUNT_ALLOCATIONS=F   counts in the file F, together with the child processes
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
char* __real_strdup(const char* text);
char* __real_realpath(const char* path, char* resolved);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
char* __wrap_strdup(const char* text);
char* __wrap_realpath(const char* path, char* resolved);

static atomic_llong ownCount;
static atomic_llong* allocationCount = &ownCount;
static long long failAt = -1;
static bool failsOnwards;

static void CountInFile(const char* path)
{
    int file = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
    void* shared = file >= 0 && ftruncate(file, sizeof ownCount) == 0
                       ? mmap(NULL, sizeof ownCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
    allocationCount = shared != MAP_FAILED ? shared : allocationCount;
    close(file);
}

__attribute__((constructor)) static void ReadEnvironment(void)
{
    const char* text = getenv("TENDON_FAIL_ALLOCATION");
    if (text != NULL)
    {
        char* end = NULL;
        failAt = strtoll(text, &end, 10);
        failsOnwards = *end == '+';
    }
    const char* path = getenv("TENDON_COUNT_ALLOCATIONS");
    if (path != NULL)
    {
        CountInFile(path);
    }
}

static bool MayAllocate(void)
{
    long long index = atomic_fetch_add(allocationCount, 1);
    bool isRefused = failAt >= 0 && (index == failAt || (failsOnwards && index > failAt));
    if (isRefused)
    {
        errno = ENOMEM;
    }
    return !isRefused;
}

void* __wrap_malloc(size_t size)
{
    return MayAllocate() ? __real_malloc(size) : NULL;
}

void* __wrap_calloc(size_t count, size_t size)
{
    return MayAllocate() ? __real_calloc(count, size) : NULL;
}

void* __wrap_realloc(void* memory, size_t size)
{
    return MayAllocate() ? __real_realloc(memory, size) : NULL;
}

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
    return MayAllocate() ? __real_aligned_alloc(alignment, size) : NULL;
}

char* __wrap_strdup(const char* text)
{
    return MayAllocate() ? __real_strdup(text) : NULL;
}

char* __wrap_realpath(const char* path, char* resolved)
{
    return resolved != NULL || MayAllocate() ? __real_realpath(path, resolved) : NULL;
}
