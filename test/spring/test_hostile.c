// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files with springs in which numbers are replaced by extreme ones: they load or are refused, and what they
// show stays finite.
#include "harness.h"
#include "hostile.h"

#include "base/file.h"
#include "base/memory.h"
#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <stdlib.h>

static void PlayHostile(const char* text, size_t length)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 64 << 20;
    tdAsset* asset = tdLoadAssetFromMemory(text, length, &def, NULL);
    tdStage* stage = asset != NULL ? tdCreateStage(NULL) : NULL;
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    tdActor* actor = tdCreateActor(stage, asset, &actorDef, NULL);
    for (int step = 0; step < 6 && actor != NULL; ++step)
    {
        ENSURE(step < 4 ? tdStage_Step(stage) : tdStage_StepVariable(stage, step == 4 ? 1.0e-9 : 10.0));
        tdStage_Evaluate(stage, tdStage_GetTime(stage) - 0.004);
    }
    for (int node = 0; actor != NULL && node < tdAsset_GetNodeCount(asset); ++node)
    {
        tdQuat q = tdActor_GetLocals(actor)[node].rotation;
        ENSURE(tdAbsFloat(tdDotQuat(q, q) - 1.0f) < 1.0e-3f);
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(ExtremeNumbersAreHarmless)
{
    static const char* const names[] = {"fine",         "limit_draft",      "old_fine",     "normal_not_unit",
                                        "old_center",   "center_on_spring", "joint_shared", "zero_length",
                                        "joint_is_bone"};
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    uint32_t random = 7;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        char path[512];
        snprintf(path, sizeof(path), "%s/spring/%s.gltf", TD_TEST_DATA, names[i]);
        void* bytes = NULL;
        size_t size = 0;
        ENSURE_EQUAL_INT(tdReadFile(path, &allocator, 1 << 20, NULL, &bytes, &size), TD_FILE_OK);
        size_t capacity = size + 256;
        char* text = malloc(capacity);
        for (int round = 0; round < 300; ++round)
        {
            memcpy(text, bytes, size);
            size_t length = size;
            for (int change = 0; change <= round % 4 && length > 0; ++change)
            {
                length = ReplaceNumber(text, length, capacity, &random);
            }
            PlayHostile(text, length);
        }
        free(text);
        tdRelease(&allocator, bytes, size + 1);
    }
}

TEST_MAIN(RUN(ExtremeNumbersAreHarmless))
