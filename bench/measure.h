// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// One way of measuring for every engine: an engine is a few functions around a setup, the program around them
// is the same, so that two lines of two engines can be compared.
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
        int steps;    // 0: as the scene says
        bool json;    // else a line for people
        bool isQuick; // no accuracy
    } tdBenchOptions;

    /// What the measuring program needs to know of an engine.
    typedef struct tdBenchEngine
    {
        const char* name;
        const char* version;
        /// NULL if the engine cannot run this setup with these options: the run is then skipped with a
        /// message.
        void* (*create)(const tdSetup* setup, const tdBenchOptions* options);
        void (*destroy)(void* instance);
        void (*step)(void* instance);
        /// Poses of all bodies in the order of the setup.
        void (*getPoses)(void* instance, tdTransform* poses);
        /// The vector width in use: "scalar", "sse2", "avx2" or "unknown".
        const char* (*getSimd)(void* instance);
        /// May be NULL. Bytes asked from the allocator since creation.
        uint64_t (*getAllocatedBytes)(void* instance);
        /// May be NULL. Hash of the whole state; otherwise the poses are hashed.
        uint64_t (*getStateHash)(void* instance);
    } tdBenchEngine;

    /// The whole program. @return the exit code: 0 fine, 1 a run failed or its repetitions differ, 2 wrong
    /// usage
    int tdRunBench(const tdBenchEngine* engine, int argc, char** argv);

#if defined(__cplusplus)
}
#endif
