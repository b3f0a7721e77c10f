// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the BVH reader: any text, with and without options, retargeted to an avatar and played. A motion
// that loads has unit rotations and finite numbers, and becomes a VRM Animation that loads again.
#include "avatar.h"

#include "scene/asset.h"

#include "tendon/clip.h"
#include "tendon/motion.h"
#include "tendon/stage.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void Require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

static void CheckRest(const tdAsset* asset)
{
    for (int i = 0; i < asset->scene.nodes.count; ++i)
    {
        const tdTrs* local = &asset->scene.nodes.locals[i];
        Require(tdIsFiniteVec3(local->translation));
        Require(fabsf(tdDotQuat(local->rotation, local->rotation) - 1.0f) < 1.0e-4f);
    }
}

static void Move(const tdAsset* motion, const tdAsset* avatar)
{
    tdClip* clip = tdRetargetClip(motion, 0, avatar, NULL, NULL, NULL);
    if (clip == NULL)
    {
        return;
    }
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, avatar, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    for (int i = 0; i < 3; ++i)
    {
        tdStage_Step(stage);
        const tdTrs* locals = tdActor_GetLocals(actor);
        for (int node = 0; node < avatar->scene.nodes.count; ++node)
        {
            Require(fabsf(tdDotQuat(locals[node].rotation, locals[node].rotation) - 1.0f) < 1.0e-3f);
        }
    }
    tdDestroyStage(stage);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* alone = tdMakeMotion(avatar, clip, report);
    Require(alone != NULL && !tdReport_HasErrors(report));
    tdClip* again = tdRetargetClip(alone, 0, avatar, NULL, NULL, NULL);
    Require((again != NULL) == (tdAsset_GetAnimationCount(alone) > 0));
    tdDestroyClip(again);
    tdDestroyAsset(alone);
    tdDestroyReport(report);
    tdDestroyClip(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tdAsset* avatar; // kept for all inputs
    avatar = avatar != NULL ? avatar : LoadAvatar();
    // The last byte chooses options; an empty input has none.
    unsigned options = size > 0 ? data[size - 1] : 0;
    tdLoadDef def = tdDefaultLoadDef();
    def.limits.memory = 64u << 20;
    def.bvhTposeFrame1 = (options & 3) == 1 ? 1 : 0;
    def.bvhUnit = (options & 3) == 2 ? 0.01f : 0.0f;
    def.boneMap = (options & 3) == 3 ? "{\"hips\":\"a\",\"spine\":\"b\",\"head\":null}" : NULL;
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(data, size, &def, report);
    Require(asset != NULL || tdReport_HasErrors(report));
    if (asset != NULL && asset->scene.nodes.count < 2000)
    {
        CheckRest(asset);
        Move(asset, avatar);
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return 0;
}
