// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and clock of a stage.
#include "stage.h"

#include "physics_binding.h"

#include "base/cpu.h"
#include "base/def.h"
#include "base/tasks.h"

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
    stage->allocator = allocator;
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
    tdAllocator allocator = stage->allocator;
    tdRelease(&allocator, stage, sizeof(tdStage));
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
