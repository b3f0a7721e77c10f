// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// base.h: version, export macro, allocator. Every other header includes this one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_MSC_VER)
#define TD_EXPORT
#else
#define TD_EXPORT __attribute__((visibility("default")))
#endif

#if defined(__cplusplus)
#define TD_API extern "C" TD_EXPORT
#else
#define TD_API TD_EXPORT
#endif

/// Version of the headers. Compare with tdGetVersion to catch a stale library.
#define TD_VERSION_MAJOR 0
#define TD_VERSION_MINOR 1
#define TD_VERSION_PATCH 0

typedef struct tdVersion
{
    int major, minor, patch;
} tdVersion;

/// Version of the library that is linked.
TD_API tdVersion tdGetVersion(void);

/// Memory functions of one owner (asset, stage, world). The allocator is copied, its
/// context must outlive the owner. NULL anywhere an allocator is asked for means malloc.
typedef struct tdAllocator
{
    void* (*allocate)(void* context, size_t size, size_t alignment);
    void (*release)(void* context, void* memory, size_t size);
    void* context;
} tdAllocator;

/// Work split over threads. Results never depend on workerCount. NULL anywhere tasks are asked
/// for means the caller's own thread.
typedef void tdTaskFcn(void* task, int startIndex, int endIndex, int worker);
typedef struct tdTasks
{
    int workerCount;
    void* (*enqueue)(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange);
    void (*finish)(void* context, void* handle);
    void* context;
} tdTasks;

/// Tasks backed by pthreads.
TD_API const tdTasks* tdCreateThreads(int workerCount);
TD_API void tdDestroyThreads(const tdTasks* threads);

/// What a long call is at.
typedef enum tdProgressStage
{
    TD_PROGRESS_NONE,     // nothing that counts
    TD_PROGRESS_READING,  // bytes of a file
    TD_PROGRESS_PARSING,  // bytes of JSON: the first half is the text, the second what is made of it
    TD_PROGRESS_COOKING,  // triangles of collision meshes, points of hulls
    TD_PROGRESS_BUILDING, // bodies (twice: for their mass, too), colliders and joints of an actor
    TD_PROGRESS_REDUCING, // captured values of a recording that becomes keys
    TD_PROGRESS_WRITING,  // bytes of a file
} tdProgressStage;

/// How far a call is, for another thread to look at while it runs (tdProgress_Get). To begin with all zero.
/// tdLoadDef takes one; it goes on with whatever is made from that asset, and must outlive it.
typedef struct tdProgress
{
    uint64_t words[3];
} tdProgress;

typedef struct tdProgressInfo
{
    tdProgressStage stage;
    double done, total; // of this stage; total 0: not known
} tdProgressInfo;

/// From any thread, at any time.
TD_API tdProgressInfo tdProgress_Get(const tdProgress* progress);

/// Vector width of the engine. All give the same bits; a wish the processor cannot fulfil falls back to the
/// next below.
typedef enum tdSimd
{
    TD_SIMD_AUTO,   // the widest there is
    TD_SIMD_SCALAR, // one float at a time
    TD_SIMD_SSE2,   // four (WASM: simd128)
    TD_SIMD_AVX2,   // eight
} tdSimd;

/// "auto", "scalar", "sse2", "avx2".
TD_API const char* tdSimd_GetName(tdSimd simd);

/// Called when an assertion fails, that is when a caller broke a rule of the API. Return true to stop the
/// program (abort), false to go on at one's own risk. Process-wide; set it before anything else. NULL
/// restores the default, which prints to stderr and stops.
typedef bool tdAssertFcn(const char* condition, const char* file, int line);
TD_API void tdSetAssertHandler(tdAssertFcn* handler);
