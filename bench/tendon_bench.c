// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs Tendon's engine on the benchmark scenes.
#include "measure.h"

#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Instance
{
    tdSetupWorld world;
    const tdTasks* threads;
    tdSimd simd;
    uint64_t allocatedBytes, liveBytes;
} Instance;

static void* Allocate(void* context, size_t size, size_t alignment)
{
    Instance* instance = context;
    instance->allocatedBytes += size;
    instance->liveBytes += size;
    alignment = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    return tdPlatform_Allocate(size, alignment);
}

static void Release(void* context, void* memory, size_t size)
{
    ((Instance*)context)->liveBytes -= memory != NULL ? size : 0;
    tdPlatform_Free(memory);
}

static void* Create(const tdSetup* setup, const tdBenchOptions* options)
{
    static const struct
    {
        const char* name;
        tdSimd simd;
    } widths[] = {{"scalar", TD_SIMD_SCALAR}, {"sse2", TD_SIMD_SSE2}, {"avx2", TD_SIMD_AVX2}};
    Instance* instance = calloc(1, sizeof(Instance));
    if (instance == NULL)
    {
        return NULL;
    }
    tdAllocator allocator = {Allocate, Release, instance};
    instance->threads = options->threads > 1 ? tdCreateThreads(options->threads) : NULL;
    tdWorldDef def = tdDefaultWorldDef();
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); ++i)
    {
        if (options->simd != NULL && strcmp(options->simd, widths[i].name) == 0)
        {
            def.simd = widths[i].simd;
        }
    }
    def.allocator = &allocator;
    def.tasks = instance->threads;
    instance->world = tdInstantiateSetup(setup, &def);
    return instance;
}

static void Destroy(void* context)
{
    Instance* instance = context;
    tdDestroySetupWorld(&instance->world);
    if (instance->threads != NULL)
    {
        tdDestroyThreads(instance->threads);
    }
    free(instance);
}

static void Step(void* context)
{
    Instance* instance = context;
    if (!tdSetupWorld_Step(&instance->world))
    {
        fprintf(stderr, "out of memory\n");
        abort();
    }
}

static void GetPoses(void* context, tdTransform* poses)
{
    const tdSetupWorld* world = &((Instance*)context)->world;
    for (int i = 0; i < world->setup->bodyCount; ++i)
    {
        poses[i] = tdBody_GetTransform(world->world, world->bodies[i]);
    }
}

static const char* GetSimd(void* context)
{
    return tdSimd_GetName(tdWorld_GetSimd(((Instance*)context)->world.world));
}

static uint64_t GetAllocatedBytes(void* context)
{
    return ((Instance*)context)->allocatedBytes;
}

static uint64_t GetLiveBytes(void* context)
{
    return ((Instance*)context)->liveBytes;
}

static uint64_t GetStateHash(void* context)
{
    return tdWorld_GetStateHash(((Instance*)context)->world.world);
}

int main(int argc, char** argv)
{
    char version[32];
    tdVersion linked = tdGetVersion();
    snprintf(version, sizeof(version), "%d.%d.%d", linked.major, linked.minor, linked.patch);
    tdBenchEngine engine = {
        "tendon", version,           Create,       Destroy,      Step, GetPoses,
        GetSimd,  GetAllocatedBytes, GetStateHash, GetLiveBytes,
    };
    return tdRunBench(&engine, argc, argv);
}
