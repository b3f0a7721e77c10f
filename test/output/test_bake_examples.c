// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of baking every example scene: played without physics and constraints it must match the live run
// within the tolerances, and the bytes must not depend on the number of threads; a tape filled by the caller
// gives the same bytes.
//
// Labels: threads
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <dirent.h>
#include <stdlib.h>

#define SECONDS 2.0
#define RATE 30

typedef struct Live
{
    tdStage* stage;
    tdClip* clip;
    tdActor* actor;
} Live;

// Plays the file like the command line: its first animation if it has one.
static Live Start(const tdAsset* asset, int animation, bool isLive, const tdTasks* tasks)
{
    Live live = {0};
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.tasks = tasks;
    live.stage = tdCreateStage(&stageDef);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = isLive;
    actorDef.enableConstraints = isLive;
    live.actor = tdCreateActor(live.stage, asset, &actorDef, NULL);
    if (animation >= 0 && animation < tdAsset_GetAnimationCount(asset))
    {
        live.clip = tdCreateClip(asset, animation, NULL, NULL);
        tdActor_Play(live.actor, live.clip, NULL);
    }
    return live;
}

static void End(Live* live)
{
    tdDestroyStage(live->stage);
    tdDestroyClip(live->clip);
}

static void GoTo(Live* live, double time)
{
    while (tdStage_GetTime(live->stage) < time)
    {
        tdStage_Step(live->stage);
    }
    tdStage_Evaluate(live->stage, time);
}

// Largest distance and angle between the local transforms of the two at the captured times, where the
// reduction keeps the tolerance exactly.
static void Compare(const tdAsset* asset, const tdAsset* baked, const char* name)
{
    tdBakeDef def = tdDefaultBakeDef();
    Live live = Start(asset, 0, true, NULL);
    Live played = Start(baked, tdAsset_FindAnimation(baked, "baked"), false, NULL);
    float worstPlace = 0.0f, worstAngle = 0.0f, worstWeight = 0.0f;
    for (int frame = 0; frame <= (int)(SECONDS * RATE); ++frame)
    {
        double time = (double)frame / RATE;
        GoTo(&live, time);
        GoTo(&played, time);
        const tdTrs *a = tdActor_GetLocals(live.actor), *b = tdActor_GetLocals(played.actor);
        for (int node = 0; node < tdAsset_GetNodeCount(asset); ++node)
        {
            worstPlace = tdMaxFloat(worstPlace, tdLength(tdSub(a[node].translation, b[node].translation)));
            worstPlace = tdMaxFloat(worstPlace, tdLength(tdSub(a[node].scale, b[node].scale)));
            worstAngle = tdMaxFloat(worstAngle, tdAngleBetween(a[node].rotation, b[node].rotation));
            int count = 0, otherCount = 0;
            const float* weights = tdActor_GetMorphWeights(live.actor, node, &count);
            const float* others = tdActor_GetMorphWeights(played.actor, node, &otherCount);
            for (int i = 0; i < count && i < otherCount; ++i)
            {
                worstWeight = tdMaxFloat(worstWeight, tdAbsFloat(weights[i] - others[i]));
            }
        }
    }
    // Key times are float32: 2 s have a resolution of 2e-7 s, which is 4e-6 at 20 m/s and 20 rad/s; the rest
    // is float32 sums.
    bool isNear = ENSURE_NEAR(worstPlace, 0.0, (double)def.positionTolerance + 1e-5) &&
                  ENSURE_NEAR(worstAngle, 0.0, (double)def.angleTolerance + 1e-5) &&
                  ENSURE_NEAR(worstWeight, 0.0, (double)def.weightTolerance + 1e-5);
    if (!isNear)
    {
        printf("in %s\n", name);
    }
    End(&live);
    End(&played);
}

static void* Save(const tdAsset* asset, size_t* size)
{
    return tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, size, NULL);
}

static void EnsureSame(const tdAsset* a, const tdAsset* b, const char* name)
{
    size_t sizeA = 0, sizeB = 0;
    void *dataA = Save(a, &sizeA), *dataB = Save(b, &sizeB);
    bool isSame = dataA != NULL && sizeA == sizeB && memcmp(dataA, dataB, sizeA) == 0;
    if (!ENSURE(isSame))
    {
        printf("in %s\n", name);
    }
    tdFreeSaved(dataA, sizeA, NULL);
    tdFreeSaved(dataB, sizeB, NULL);
}

static tdAsset* Bake(const tdAsset* asset, int workerCount)
{
    const tdTasks* tasks = workerCount > 1 ? tdCreateThreads(workerCount) : NULL;
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = SECONDS;
    def.frameRate = RATE;
    Live live = Start(asset, 0, true, tasks);
    tdAsset* baked = tdBakeActor(live.actor, &def, NULL);
    End(&live);
    tdDestroyThreads(tasks);
    return baked;
}

static tdAsset* BakeByTape(const tdAsset* asset)
{
    Live live = Start(asset, 0, true, NULL);
    tdTape* tape = tdCreateTape(live.actor, NULL, NULL);
    for (int frame = 0; frame <= (int)(SECONDS * RATE); ++frame)
    {
        GoTo(&live, (double)frame / RATE);
        ENSURE(tdTape_CaptureAt(tape, (double)frame / RATE));
    }
    tdAsset* baked = tdTape_Bake(tape, NULL);
    tdDestroyTape(tape);
    End(&live);
    return baked;
}

static void TryExample(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "examples/%s", name);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    ENSURE(asset != NULL);
    tdAsset* baked = Bake(asset, 1);
    tdAsset* threaded = Bake(asset, 4);
    tdAsset* taped = BakeByTape(asset);
    ENSURE(baked != NULL && threaded != NULL && taped != NULL);
    EnsureSame(baked, threaded, name);
    EnsureSame(baked, taped, name);
    Compare(asset, baked, name);
    tdDestroyAsset(taped);
    tdDestroyAsset(threaded);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
}

TEST(EveryExamplePlaysLikeTheLiveRun)
{
    DIR* folder = opendir("examples");
    ENSURE(folder != NULL);
    int count = 0;
    for (struct dirent* entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot != NULL &&
            (strcmp(dot, ".gltf") == 0 || strcmp(dot, ".glb") == 0 || strcmp(dot, ".vrm") == 0))
        {
            TryExample(entry->d_name);
            count += 1;
        }
    }
    ENSURE(count >= 11);
    if (folder != NULL)
    {
        closedir(folder);
    }
}

TEST_MAIN(RUN(EveryExamplePlaysLikeTheLiveRun))
