// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The measuring program, shared by all engines. An engine is a few functions around a setup; everything else
// is the same, so results of two engines are comparable.
#pragma once

#include "scenes/setup.h"

#if defined(__cplusplus)
extern "C"
{
#endif

    typedef struct tdBenchOptions
    {
        const char* scene; // NULL: all benchmark scenes
        const char* file;  // NULL, or a scene in text form
        const char* simd;  // NULL: the widest
        int threads;
        int repeat;
        int steps;        // 0: the scene's own count
        bool json;        // else a human-readable line
        bool isQuick;     // skips accuracy
        bool isWhole;     // prints the whole run and its windows
        bool isSecondSet; // without a scene: runs tdSecondSetups
    } tdBenchOptions;

    /// Functions and name of a measured engine.
    typedef struct tdBenchEngine
    {
        const char* name;
        const char* version;
        /// NULL if the engine cannot run this setup with these options; the run is then skipped with a
        /// message.
        void* (*create)(const tdSetup* setup, const tdBenchOptions* options);
        void (*destroy)(void* instance);
        void (*step)(void* instance);
        /// Poses of all bodies, in setup order.
        void (*getPoses)(void* instance, tdTransform* poses);
        /// The vector width in use: "scalar", "sse2", "avx2" or "unknown".
        const char* (*getSimd)(void* instance);
        /// May be NULL. Bytes requested from the allocator since creation.
        uint64_t (*getAllocatedBytes)(void* instance);
        /// May be NULL. Hash of the whole state; without it the poses are hashed.
        uint64_t (*getStateHash)(void* instance);
        /// May be NULL. Bytes that are allocated now.
        uint64_t (*getLiveBytes)(void* instance);
    } tdBenchEngine;

    /// Runs the whole program. @return the exit code: 0 success, 1 a run failed or its repetitions differ, 2
    /// wrong usage
    int tdRunBench(const tdBenchEngine* engine, int argc, char** argv);

#if defined(__cplusplus)
}
#endif
