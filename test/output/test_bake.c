// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of baking: the baked file, played by Tendon without physics, must match the live run within the
// tolerances; existing content must stay; the same run must give the same bytes on any number of threads.
#include "harness.h"

#include "anim/clip.h"
#include "math/vecmath.h"
#include "scenes/pyramid_file.h"

#include "tendon/tendon.h"

#include <stdlib.h>

// A box that falls on a floor and tumbles off a wedge, below a scaled and rotated parent; a moving matrix
// node; a motionless node with an unknown extension; an existing animation.
static const char* const source =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
    "shapes\",\"X_y\"],"
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,2,3,4]}],"
    "\"nodes\":[{\"name\":\"parent\",\"children\":[1],\"scale\":[2,2,2],\"rotation\":[0,0.6,0,0.8]},"
    "{\"name\":\"box\",\"translation\":[0.3,1.5,0],\"rotation\":[0.1,0.2,0.3,0.9273618],\"scale\":[0.5,0.5,0."
    "5],"
    "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":2,\"angularVelocity\":[1,2,0.5]},"
    "\"collider\":{\"geometry\":{\"shape\":0}}}}},"
    "{\"name\":\"floor\",\"translation\":[0,-0.5,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
    "\"collider\":"
    "{\"geometry\":{\"shape\":1}}},\"X_y\":{\"keep\":[1, 2]}}},"
    "{\"name\":\"ball\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,3,2,0,1],\"extensions\":{\"KHR_physics_rigid_"
    "bodies\":"
    "{\"motion\":{\"mass\":1},\"collider\":{\"geometry\":{\"shape\":2}}}}},"
    "{\"name\":\"still\",\"extras\":{\"a\":1.50}}],"
    "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\"},{\"type\":\"box\",\"box\":{"
    "\"size\":[40,1,40]}},"
    "{\"type\":\"sphere\",\"sphere\":{\"radius\":0.25}}]},\"KHR_physics_rigid_bodies\":{}}}";

static tdAsset* LoadSource(void)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, report);
    ENSURE(asset != NULL);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 0);
    tdDestroyReport(report);
    return asset;
}

static tdAsset* Bake(const tdAsset* asset, const tdBakeDef* def, const tdTasks* tasks, tdReport* report)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.tasks = tasks;
    tdStage* stage = tdCreateStage(&stageDef);
    tdActor* actor = tdCreateActor(stage, asset, NULL, report);
    tdAsset* baked = tdBakeActor(actor, def, report);
    tdDestroyStage(stage);
    return baked;
}

static char* SaveText(const tdAsset* asset, size_t* size)
{
    char* text = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, size, NULL);
    ENSURE(text != NULL);
    return text;
}

static float PoseError(tdMat4 a, tdMat4 b)
{
    float worst = 0.0f;
    for (int i = 0; i < 16; ++i)
    {
        worst = tdMaxFloat(worst, tdAbsFloat(a.m[i] - b.m[i]));
    }
    return worst;
}

TEST(PlaybackMatchesTheLiveRun)
{
    tdAsset* asset = LoadSource();
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 3.0;
    tdAsset* baked = Bake(asset, &def, NULL, NULL);
    ENSURE(baked != NULL);
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(baked), 1);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, 0), "baked");

    tdStage* live = tdCreateStage(NULL);
    tdActor* liveActor = tdCreateActor(live, asset, NULL, NULL);
    tdStage* played = tdCreateStage(NULL);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    tdActor* playedActor = tdCreateActor(played, baked, &actorDef, NULL);
    tdClip* clip = tdCreateClip(baked, 0, NULL, NULL);
    ENSURE_NEAR(tdClip_GetDuration(clip), 3.0, 1e-6);
    tdActor_Play(playedActor, clip, NULL);
    // Positions of the matrices differ by the position tolerance under a parent of scale 2, directions by the
    // angle tolerance, plus one unit in the last digit for float32.
    float allowed = 2.0f * def.positionTolerance + def.angleTolerance + 1.0e-5f;
    float worst = 0.0f;
    for (int frame = 0; frame <= 90; ++frame)
    {
        double time = (double)frame / 30.0;
        while (tdStage_GetTime(live) < time)
        {
            tdStage_Step(live);
        }
        tdStage_Evaluate(live, time);
        while (tdStage_GetTime(played) < time)
        {
            tdStage_Step(played);
        }
        tdStage_Evaluate(played, time);
        for (int node = 0; node < tdAsset_GetNodeCount(asset); ++node)
        {
            worst = tdMaxFloat(
                worst, PoseError(tdActor_GetGlobals(liveActor)[node], tdActor_GetGlobals(playedActor)[node]));
        }
    }
    ENSURE_NEAR(worst, 0.0f, allowed);
    ENSURE(tdActor_GetGlobals(liveActor)[1].m[13] < 1.0f); // it fell
    tdDestroyStage(live);
    tdDestroyStage(played);
    tdDestroyClip(clip);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
}

TEST(KeepsExistingContent)
{
    tdAsset* asset = LoadSource();
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 1.0;
    tdAsset* baked = Bake(asset, &def, NULL, NULL);
    tdDestroyAsset(asset); // the new one shares no data with it
    size_t size;
    char* text = SaveText(baked, &size);
    ENSURE(strstr(text, "\"X_y\":{\"keep\":[1, 2]}") != NULL);
    ENSURE(strstr(text, "\"extras\":{\"a\":1.50}") != NULL);
    ENSURE(strstr(text, "KHR_physics_rigid_bodies") != NULL);
    ENSURE(strstr(text, "\"matrix\"") == NULL); // the moving node has TRS instead
    tdFreeSaved(text, size, NULL);
    tdDestroyAsset(baked);
}

TEST(StripsPhysicsAndNothingElse)
{
    tdAsset* asset = LoadSource();
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.5;
    def.stripPhysics = true;
    def.name = "fall";
    tdAsset* baked = Bake(asset, &def, NULL, NULL);
    size_t size;
    char* text = SaveText(baked, &size);
    ENSURE(strstr(text, "KHR_physics_rigid_bodies") == NULL);
    ENSURE(strstr(text, "KHR_implicit_shapes") == NULL);
    ENSURE(strstr(text, "\"extensionsUsed\":[\"X_y\"]") != NULL);
    ENSURE(strstr(text, "\"extensions\":{\"X_y\":{\"keep\":[1, 2]}}") != NULL);
    ENSURE(strstr(text, "\"extensions\":{}") == NULL);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(baked, 0), "fall");
    tdFreeSaved(text, size, NULL);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
}

TEST(SecondBakeFindsAnotherName)
{
    tdAsset* asset = LoadSource();
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.2;
    tdAsset* once = Bake(asset, &def, NULL, NULL);
    tdAsset* twice = Bake(once, &def, NULL, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(twice), 2);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(twice, 0), "baked");
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(twice, 1), "baked 2");
    tdDestroyAsset(twice);

    // With the first one played and replaced, one remains.
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, once, NULL, NULL);
    tdClip* clip = tdCreateClip(once, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    def.replaceAnimations = true;
    tdAsset* replaced = tdBakeActor(actor, &def, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetAnimationCount(replaced), 1);
    tdDestroyAsset(replaced);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(once);
    tdDestroyAsset(asset);
}

// The caller may free the name before the tape is baked.
TEST(TapesKeepTheirName)
{
    tdAsset* asset = LoadSource();
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    char name[] = "tumble";
    tdBakeDef def = tdDefaultBakeDef();
    def.name = name;
    tdTape* named = tdCreateTape(actor, &def, NULL);
    def.name = NULL;
    tdTape* unnamed = tdCreateTape(actor, &def, NULL);
    memset(name, 'x', sizeof(name) - 1);
    for (int i = 0; i < 5; ++i)
    {
        tdStage_Step(stage);
        ENSURE(tdTape_Capture(named) && tdTape_Capture(unnamed));
    }
    tdAsset *first = tdTape_Bake(named, NULL), *second = tdTape_Bake(unnamed, NULL);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(first, 0), "tumble");
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(second, 0), "baked");
    tdDestroyTape(named);
    tdDestroyTape(unnamed);
    tdDestroyAsset(first);
    tdDestroyAsset(second);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(SameBytesOnAnyNumberOfThreads)
{
    tdAsset* asset = LoadSource();
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 2.0;
    const tdTasks* threads = tdCreateThreads(3);
    tdAsset* a = Bake(asset, &def, NULL, NULL);
    tdAsset* b = Bake(asset, &def, threads, NULL);
    size_t sizeA, sizeB;
    char* textA = SaveText(a, &sizeA);
    char* textB = SaveText(b, &sizeB);
    ENSURE_EQUAL_INT(sizeA, sizeB);
    ENSURE(sizeA == sizeB && memcmp(textA, textB, sizeA) == 0);
    tdFreeSaved(textA, sizeA, NULL);
    tdFreeSaved(textB, sizeB, NULL);
    tdDestroyAsset(a);
    tdDestroyAsset(b);
    tdDestroyThreads(threads);
    tdDestroyAsset(asset);
}

TEST(LoopBlendEndsWhereItBegan)
{
    tdAsset* asset = LoadSource();
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 1.0;
    def.loopBlend = 0.3;
    tdAsset* baked = Bake(asset, &def, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    tdActor* actor = tdCreateActor(stage, baked, &actorDef, NULL);
    tdClip* clip = tdCreateClip(baked, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdStage_Evaluate(stage, 0.0);
    tdMat4 first = tdActor_GetGlobals(actor)[1];
    for (int i = 0; i < 60; ++i)
    {
        tdStage_Step(stage);
    }
    ENSURE_NEAR(PoseError(first, tdActor_GetGlobals(actor)[1]), 0.0, 1e-5);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
}

TEST(ReportsThatNothingMoved)
{
    static const char* const still = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}]}";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(still, strlen(still), NULL, report);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.1;
    tdAsset* baked = Bake(asset, &def, NULL, report);
    ENSURE(baked != NULL);
    ENSURE(strstr(tdReport_GetText(report), "BAKE_NOTHING_MOVED") != NULL);
    size_t size;
    char* text = SaveText(baked, &size);
    ENSURE(size == strlen(still) && memcmp(text, still, size) == 0);
    tdFreeSaved(text, size, NULL);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(RestingHalfKeepsFewKeys)
{
    size_t size = 0;
    char* text = WritePyramidFile(5, &size);
    tdAsset* asset = tdLoadAssetFromMemory(text, size, NULL, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 10.0;
    tdAsset* baked = Bake(asset, &def, NULL, NULL);
    tdClip* clip = tdCreateClip(baked, 0, NULL, NULL);
    ENSURE(clip != NULL && clip->channelCount >= 15);
    int64_t keys = 0, samples = 0;
    for (int i = 0; clip != NULL && i < clip->channelCount; ++i)
    {
        const tdChannel* channel = &clip->channels[i];
        samples += 5 * 30 + 1; // captured from 5 s to 10 s
        for (int k = 0; k < channel->keyCount; ++k)
        {
            keys += channel->times[k] >= 5.0f ? 1 : 0;
        }
        // First and last frame are keys of every channel that changes.
        ENSURE_NEAR(channel->times[0], 0.0, 0.0);
        ENSURE(channel->keyCount == 1 || channel->times[channel->keyCount - 1] == 10.0f);
    }
    ENSURE(samples >= 10 * keys);
    tdDestroyClip(clip);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
    free(text);
}

typedef struct Calls
{
    int count, stopAt;
    double last, total;
} Calls;

static bool CountCalls(void* context, tdProgressInfo info)
{
    Calls* calls = context;
    ENSURE_EQUAL_INT(info.stage, TD_PROGRESS_SIMULATING);
    ENSURE(info.done >= calls->last);
    calls->last = info.done;
    calls->total = info.total;
    calls->count += 1;
    return calls->count != calls->stopAt;
}

TEST(ProgressCountsSimulatedTimeAndStops)
{
    tdAsset* asset = tdLoadAsset("examples/swing_door.gltf", NULL, NULL);
    for (int stopAt = 0; stopAt < 8; stopAt += 4)
    {
        Calls calls = {.stopAt = stopAt};
        tdProgress progress = {.update = CountCalls, .context = &calls};
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdBakeDef def = tdDefaultBakeDef();
        def.seconds = 0.5;
        def.warmup = 0.1;
        def.frameRate = 20.0;
        def.progress = &progress;
        tdReport* report = tdCreateReport(NULL);
        tdAsset* baked = tdBakeActor(actor, &def, report);
        ENSURE((baked == NULL) == (stopAt > 0));
        ENSURE(!tdReport_HasErrors(report));                     // being stopped is no error
        ENSURE_EQUAL_INT(calls.count, stopAt > 0 ? stopAt : 12); // one of the warm-up, eleven frames
        ENSURE_NEAR(calls.total, 0.6, 1e-6);
        ENSURE_NEAR(calls.last, stopAt > 0 ? 0.2 : 0.6, 1e-6);
        tdDestroyAsset(baked);
        tdDestroyReport(report);
        tdDestroyStage(stage);
    }
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(PlaybackMatchesTheLiveRun) RUN(KeepsExistingContent) RUN(StripsPhysicsAndNothingElse)
              RUN(SecondBakeFindsAnotherName) RUN(TapesKeepTheirName) RUN(SameBytesOnAnyNumberOfThreads)
                  RUN(LoopBlendEndsWhereItBegan) RUN(ReportsThatNothingMoved) RUN(RestingHalfKeepsFewKeys)
                      RUN(ProgressCountsSimulatedTimeAndStops))
