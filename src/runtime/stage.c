// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and clock of a stage.
#include "stage.h"

#include "physics_binding.h"

#include "base/cpu.h"
#include "base/def.h"
#include "base/tasks.h"

// Bytes of a stage if tdLimits.memory is 0: 100,000 bodies in a pile take about 2 GiB.
#define DEFAULT_MEMORY (INT64_C(16) << 30)

tdStageDef tdDefaultStageDef(void)
{
    return (tdStageDef){.world = tdDefaultWorldDef(), .stepRate = 60.0, .cookie = TD_DEF_COOKIE};
}

// All vector widths give the same bits.
static void ChooseKernels(tdStage* stage, tdSimd wish)
{
    stage->simd = tdCpu_ResolveSimd(wish);
    stage->slerpMany = stage->simd == TD_SIMD_AVX2 ? tdGetSlerpAvx2() : NULL;
    stage->slerpWidth = stage->slerpMany != NULL ? 8 : 4;
    stage->springKernel = tdChooseSpringKernel(stage->simd);
    if (stage->slerpMany == NULL && stage->simd != TD_SIMD_SCALAR)
    {
        stage->slerpMany = tdGetSlerpQuad();
    }
}

tdStage* tdCreateStage(const tdStageDef* def)
{
    tdStageDef defaults = tdDefaultStageDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    bool isRateValid = def->stepRate > 0.0 && isfinite(def->stepRate);
    TD_ASSERT(isRateValid);
    if (!isRateValid)
    {
        return NULL;
    }
    tdAllocator allocator = tdAllocator_Resolve(def->world.allocator);
    tdStage* stage = tdAllocateZeroed(&allocator, sizeof(tdStage), _Alignof(tdStage));
    if (stage == NULL)
    {
        return NULL;
    }
    stage->outerAllocator = allocator;
    stage->limits = tdLimits_Resolve(&def->limits);
    stage->memoryLimit = tdCreateMemoryLimit(&allocator, tdLimits_GetMemory(&def->limits, DEFAULT_MEMORY));
    if (stage->memoryLimit == NULL)
    {
        tdRelease(&allocator, stage, sizeof(tdStage));
        return NULL;
    }
    stage->allocator = tdMemoryLimit_MakeAllocator(stage->memoryLimit);
    stage->tasks = def->tasks;
    ChooseKernels(stage, def->world.simd);
    stage->stepRate = def->stepRate;
    if (!tdPhysicsBinding_CreateWorld(stage, def))
    {
        tdDestroyStage(stage);
        return NULL;
    }
    return stage;
}

void tdDestroyStage(tdStage* stage)
{
    if (stage == NULL)
    {
        return;
    }
    while (stage->actors.count > 0)
    {
        tdDestroyActor(stage->actors.data[stage->actors.count - 1]);
    }
    tdPhysicsBinding_DestroyWorld(stage);
    tdStage_ReserveGroupScratch(stage, 0);
    tdArray_Free(&stage->allocator, &stage->actors);
    tdArray_Free(&stage->allocator, &stage->contacts);
    tdArray_Free(&stage->allocator, &stage->triggers);
    tdArray_Free(&stage->allocator, &stage->loadedCursors);
    tdDestroyMemoryLimit(stage->memoryLimit);
    tdAllocator allocator = stage->outerAllocator;
    tdRelease(&allocator, stage, sizeof(tdStage));
}

bool tdStage_CheckLimits(const tdStage* stage, tdReport* report)
{
    if (stage == NULL)
    {
        return true;
    }
    tdStatus status = tdWorld_GetStatus(stage->world);
    if (status != TD_STATUS_PAIR_LIMIT && status != TD_STATUS_CONTACT_LIMIT)
    {
        return true;
    }
    bool isPair = status == TD_STATUS_PAIR_LIMIT;
    tdStepStats stats = tdWorld_GetStats(stage->world);
    tdReportLimitReached(report, isPair ? TD_LIMIT_pairs : TD_LIMIT_contacts,
                         isPair ? stats.contactCount : stats.touchCount, tdStage_GetTime(stage));
    return false;
}

void tdStage_ReportMemory(const tdStage* stage, tdReport* report, const char* doing)
{
    if (tdMemoryLimit_IsReached(stage->memoryLimit))
    {
        tdReportMemoryLimit(report, tdMemoryLimit_GetMaximum(stage->memoryLimit));
    }
    tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, doing);
}

bool tdStage_ReserveGroupScratch(tdStage* stage, size_t size)
{
    size_t workers = (size_t)tdTasks_GetWorkerCount(stage->tasks);
    if (size > 0 && size <= stage->groupScratchSize)
    {
        return true;
    }
    tdRelease(&stage->allocator, stage->groupScratch, workers * stage->groupScratchSize);
    stage->groupScratch = size > 0 ? tdAllocate(&stage->allocator, workers * size, 64) : NULL;
    stage->groupScratchSize = stage->groupScratch != NULL ? size : 0;
    return stage->groupScratchSize == size;
}

double tdStage_GetTime(const tdStage* stage)
{
    return stage != NULL ? (double)stage->stepIndex / stage->stepRate : 0.0;
}

int64_t tdStage_GetStepIndex(const tdStage* stage)
{
    return stage != NULL ? stage->stepIndex : 0;
}

double tdStage_GetStepRate(const tdStage* stage)
{
    return stage != NULL ? stage->stepRate : 0.0;
}

tdStageEvents tdStage_GetEvents(const tdStage* stage)
{
    if (stage == NULL)
    {
        return (tdStageEvents){NULL, 0, NULL, 0};
    }
    return (tdStageEvents){stage->contacts.data, stage->contacts.count, stage->triggers.data,
                           stage->triggers.count};
}

tdWorld* tdStage_GetWorld(tdStage* stage)
{
    return stage != NULL ? stage->world : NULL;
}
