// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// base.h: version, export macro, allocator, tasks, progress, assertions. Every other header includes it.
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

/// Version of the headers. Compare with tdGetVersion to detect a mismatched library.
#define TD_VERSION_MAJOR 0
#define TD_VERSION_MINOR 1
#define TD_VERSION_PATCH 0

/// A version number.
typedef struct tdVersion
{
    int major, minor, patch;
} tdVersion;

/// Version of the linked library.
TD_API tdVersion tdGetVersion(void);

/// Memory functions of one owner (asset, stage, world). The struct is copied; its context must outlive the
/// owner. A NULL allocator means malloc.
typedef struct tdAllocator
{
    void* (*allocate)(void* context, size_t size, size_t alignment); // NULL if memory ran out
    void (*release)(void* context, void* memory, size_t size);       // `size` as allocated
    void* context;
} tdAllocator;

/// One range of a parallel loop: items startIndex to endIndex - 1, on worker 0 to workerCount - 1.
typedef void tdTaskFcn(void* task, int startIndex, int endIndex, int worker);

/// A scheduler that splits loops over threads. Results never depend on workerCount. NULL tasks mean the
/// caller's thread.
typedef struct tdTasks
{
    int workerCount;
    // Start a loop over itemCount items in ranges of at least minRange. Returns a handle for `finish`, or
    // NULL if the loop is done already.
    void* (*enqueue)(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange);
    void (*finish)(void* context, void* handle); // wait for the loop to end
    void* context;
} tdTasks;

/// Create a pool of threads. Starts fewer threads if the system refuses some.
/// @param workerCount number of workers with the calling thread; < 1: one per processor
/// @return the tasks, to be freed with tdDestroyThreads; NULL if memory ran out, which is valid wherever
///         tasks are expected
TD_API const tdTasks* tdCreateThreads(int workerCount);

/// End the threads of a pool. Destroy its users first.
/// @param threads made by tdCreateThreads; may be NULL
TD_API void tdDestroyThreads(const tdTasks* threads);

/// Phase of a long call.
typedef enum tdProgressStage
{
    TD_PROGRESS_NONE,       // no long call is running
    TD_PROGRESS_READING,    // counts bytes of a file
    TD_PROGRESS_PARSING,    // counts bytes of JSON: first half the text, second half the objects made from it
    TD_PROGRESS_COOKING,    // counts triangles of collision meshes and points of hulls
    TD_PROGRESS_BUILDING,   // counts bodies (twice: once for their mass), colliders and joints of an actor
    TD_PROGRESS_SIMULATING, // counts seconds of simulated time
    TD_PROGRESS_REDUCING,   // counts captured values of a recording that are reduced to keys
    TD_PROGRESS_WRITING,    // counts bytes of a file
} tdProgressStage;

/// Reading of a tdProgress.
typedef struct tdProgressInfo
{
    tdProgressStage stage;
    double done, total; // of this stage, in its own unit; total 0: unknown
} tdProgressInfo;

/// Called on the working thread after each frame of TD_PROGRESS_SIMULATING.
/// @return false to stop the call
typedef bool tdProgressFcn(void* context, tdProgressInfo info);

/// Progress of a call. Initialise it with zeros. Another thread reads it with tdProgress_Get; for work that
/// is done frame by frame, `update` is called as well. tdLoadDef takes one; calls on the loaded asset report
/// to it too, so it must outlive the asset.
typedef struct tdProgress
{
    uint64_t words[3];     // private
    tdProgressFcn* update; // may be NULL
    void* context;         // of `update`
} tdProgress;

/// Read the progress of a running call. Any thread may call it at any time. Does not allocate.
TD_API tdProgressInfo tdProgress_Get(const tdProgress* progress);

/// Vector width of the engine. All widths give the same bits. Unsupported widths fall back to the next
/// narrower one.
typedef enum tdSimd
{
    TD_SIMD_AUTO,   // the widest supported
    TD_SIMD_SCALAR, // one float at a time
    TD_SIMD_SSE2,   // four floats (WebAssembly: simd128)
    TD_SIMD_AVX2,   // eight floats
} tdSimd;

/// Name of a vector width: "auto", "scalar", "sse2" or "avx2". A static string.
TD_API const char* tdSimd_GetName(tdSimd simd);

/// Called when an assertion fails because the caller broke a rule of the API. Return true to abort the
/// program, false to continue with undefined results.
typedef bool tdAssertFcn(const char* condition, const char* file, int line);

/// Set the process-wide assert handler. Not thread-safe: call it before other functions. Only checked builds
/// (TD_ENABLE_ASSERT) call the handler.
/// @param handler NULL restores the default, which prints to stderr and aborts
TD_API void tdSetAssertHandler(tdAssertFcn* handler);
