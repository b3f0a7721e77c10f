// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rules that hold for stages, actors and outputs alike: one meaning of `seconds`, defs that start from their
// defaults, getters that give back what setters took.
#include "assert_count.h"
#include "harness.h"

#include "tendon/tendon.h"

// A node that moves by 1 m in two seconds.
static const char* const source =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"name\":\"arm\"}],"
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
    "\"samplers\":[{\"input\":0,\"output\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],"
    "\"max\":["
    "2]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24}],"
    "\"buffers\":[{\"byteLength\":32,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAEAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=\"}]}";

typedef struct Fixture
{
    tdAsset* asset;
    tdClip* clip;
    tdStage* stage;
    tdActor* actor;
} Fixture;

static Fixture Start(void)
{
    Fixture f = {.asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL)};
    f.clip = tdCreateClip(f.asset, 0, NULL, NULL);
    f.stage = tdCreateStage(NULL);
    f.actor = tdCreateActor(f.stage, f.asset, NULL, NULL);
    ENSURE(f.actor != NULL && f.clip != NULL);
    ENSURE_NEAR(tdClip_GetDuration(f.clip), 2.0, 0.0);
    return f;
}

static void Finish(Fixture* f)
{
    tdDestroyStage(f->stage);
    tdDestroyClip(f->clip);
    tdDestroyAsset(f->asset);
}

static bool CountLines(void* context, const char* bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        *(int*)context += bytes[i] == '\n';
    }
    return true;
}

static double TraceSeconds(bool plays, double seconds)
{
    Fixture f = Start();
    tdTraceDef def = tdDefaultTraceDef();
    ENSURE(def.seconds < 0.0);
    def.seconds = seconds;
    def.frameRate = 10.0;
    int lines = 0;
    if (plays)
    {
        tdActor_Play(f.actor, f.clip, NULL);
    }
    ENSURE(tdTraceActor(f.actor, &def, CountLines, &lines, NULL));
    Finish(&f);
    return (lines - 1) / def.frameRate;
}

static double BakeSeconds(bool plays, double seconds)
{
    Fixture f = Start();
    tdBakeDef def = tdDefaultBakeDef();
    ENSURE(def.seconds < 0.0);
    def.seconds = seconds;
    def.frameRate = 10.0;
    if (plays)
    {
        tdActor_Play(f.actor, f.clip, NULL);
    }
    tdReport* report = tdCreateReport(NULL);
    tdAsset* baked = tdBakeActor(f.actor, &def, report);
    ENSURE(baked != NULL && !tdReport_HasErrors(report));
    double end = tdStage_GetTime(f.stage);
    tdDestroyReport(report);
    tdDestroyAsset(baked);
    Finish(&f);
    return end;
}

TEST(SecondsMeanTheSameInBakeAndTrace)
{
    ENSURE_NEAR(TraceSeconds(true, -1.0), 2.0, 1e-9);
    ENSURE_NEAR(BakeSeconds(true, -1.0), 2.0, 1e-9);
    ENSURE_NEAR(TraceSeconds(true, -7.0), 2.0, 1e-9);
    ENSURE_NEAR(BakeSeconds(true, -7.0), 2.0, 1e-9);
    ENSURE_NEAR(TraceSeconds(false, -1.0), 10.0, 1e-9);
    ENSURE_NEAR(BakeSeconds(false, -1.0), 10.0, 1e-9);
    ENSURE_NEAR(TraceSeconds(true, 0.0), 0.0, 0.0);
    ENSURE_NEAR(BakeSeconds(true, 0.0), 0.0, 0.0);
    ENSURE_NEAR(TraceSeconds(true, 0.5), 0.5, 1e-9);
    ENSURE_NEAR(BakeSeconds(true, 0.5), 0.5, 1e-9);
}

// Defs of zeros, with the few values that the functions need to continue after the assert.
TEST(DefsWithoutDefaultsAssert)
{
    Fixture f = Start();
    tdStageDef stageDef = {.world = tdDefaultWorldDef(), .stepRate = 60.0};
    StartCountingAsserts();
    tdDestroyStage(tdCreateStage(&stageDef));
    ENSURE(StopCountingAsserts("cookie"));
    tdActorDef actorDef = {.placement = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}}};
    StartCountingAsserts();
    tdDestroyActor(tdCreateActor(f.stage, f.asset, &actorDef, NULL));
    ENSURE(StopCountingAsserts("cookie"));
    tdPlayDef playDef = {.speed = 1.0f};
    StartCountingAsserts();
    tdActor_Stop(f.actor, tdActor_Play(f.actor, f.clip, &playDef));
    ENSURE(StopCountingAsserts("cookie"));
    tdLoadDef loadDef = {.limits.memory = 1000000};
    StartCountingAsserts();
    tdDestroyAsset(tdLoadAssetFromMemory(source, strlen(source), &loadDef, NULL));
    ENSURE(StopCountingAsserts("cookie"));
    uint64_t hash;
    StartCountingAsserts();
    tdHashAssetFile("examples/hello.c", &loadDef, &hash);
    ENSURE(StopCountingAsserts("cookie"));
    tdRetargetDef retargetDef = {.scaleHips = true};
    StartCountingAsserts();
    tdDestroyClip(tdRetargetClip(f.asset, 0, f.asset, &retargetDef, NULL, NULL));
    ENSURE(StopCountingAsserts("cookie"));
    tdBakeDef bakeDef = {.seconds = 0.1, .frameRate = 30.0};
    StartCountingAsserts();
    tdDestroyAsset(tdBakeActor(f.actor, &bakeDef, NULL));
    ENSURE(StopCountingAsserts("cookie"));
    StartCountingAsserts();
    tdDestroyTape(tdCreateTape(f.actor, &bakeDef, NULL));
    ENSURE(StopCountingAsserts("cookie"));
    tdTraceDef traceDef = {.seconds = 0.1, .frameRate = 30.0};
    int lines = 0;
    StartCountingAsserts();
    tdTraceActor(f.actor, &traceDef, CountLines, &lines, NULL);
    ENSURE(StopCountingAsserts("cookie"));
    Finish(&f);
}

TEST(PlayGetters)
{
    Fixture f = Start();
    tdPlayId play = tdActor_Play(f.actor, f.clip, NULL);
    ENSURE_NEAR(tdActor_GetPlaySpeed(f.actor, play), 1.0, 0.0);
    ENSURE_NEAR(tdActor_GetPlayWeight(f.actor, play), 1.0, 0.0);
    tdActor_SetPlay(f.actor, play, 0.5f, -2.0f, 0.25f);
    ENSURE_NEAR(tdActor_GetPlayTime(f.actor, play), 0.5, 0.0);
    ENSURE_NEAR(tdActor_GetPlaySpeed(f.actor, play), -2.0, 0.0);
    ENSURE_NEAR(tdActor_GetPlayWeight(f.actor, play), 0.25, 0.0);
    tdActor_Stop(f.actor, play);
    ENSURE_NEAR(tdActor_GetPlaySpeed(f.actor, play), 0.0, 0.0);
    ENSURE_NEAR(tdActor_GetPlayWeight(f.actor, play), 0.0, 0.0);
    ENSURE_NEAR(tdStage_GetStepRate(f.stage), 60.0, 0.0);
    ENSURE_NEAR(tdStage_GetStepRate(NULL), 0.0, 0.0);
    Finish(&f);
}

TEST(LocalAndPlacementGetters)
{
    Fixture f = Start();
    tdTrs local = {{1.0f, 2.0f, 3.0f}, {0.0f, 2.0f, 0.0f, 0.0f}, {4.0f, 5.0f, 6.0f}}, read;
    ENSURE_EQUAL_INT(tdActor_GetLocal(f.actor, 0, &read), 0);
    ENSURE_NEAR(read.scale.x, 1.0, 0.0);
    tdActor_SetLocal(f.actor, 0, TD_LOCAL_TRANSLATION | TD_LOCAL_ROTATION, local);
    ENSURE_EQUAL_INT(tdActor_GetLocal(f.actor, 0, &read), TD_LOCAL_TRANSLATION | TD_LOCAL_ROTATION);
    ENSURE_NEAR(read.translation.z, 3.0, 0.0);
    ENSURE_NEAR(read.rotation.y, 1.0, 0.0); // normalised
    ENSURE_NEAR(read.scale.y, 1.0, 0.0);    // not overridden
    tdActor_ClearLocal(f.actor, 0, TD_LOCAL_TRANSLATION);
    ENSURE_EQUAL_INT(tdActor_GetLocal(f.actor, 0, NULL), TD_LOCAL_ROTATION);
    ENSURE_EQUAL_INT(tdActor_GetLocal(f.actor, 5, &read), 0);
    ENSURE_EQUAL_INT(tdActor_GetLocal(NULL, 0, &read), 0);
    ENSURE_NEAR(tdActor_GetPlacement(f.actor).rotation.w, 1.0, 0.0);
    tdActor_SetPlacement(f.actor, (tdTransform){{0.0f, 7.0f, 0.0f}, {0.0f, 0.0f, 3.0f, 0.0f}});
    ENSURE_NEAR(tdActor_GetPlacement(f.actor).position.y, 7.0, 0.0);
    ENSURE_NEAR(tdActor_GetPlacement(f.actor).rotation.z, 1.0, 0.0);
    Finish(&f);
}

TEST(GazeGetter)
{
    Fixture f = Start();
    float yaw = 9.0f, pitch = 9.0f;
    ENSURE(!tdActor_GetGaze(f.actor, &yaw, &pitch));
    ENSURE_NEAR(yaw, 0.0, 0.0);
    tdActor_SetGaze(f.actor, 0.3f, -0.2f);
    ENSURE(tdActor_GetGaze(f.actor, &yaw, &pitch));
    ENSURE_NEAR(yaw, 0.3f, 0.0);
    ENSURE_NEAR(pitch, -0.2f, 0.0);
    tdActor_ClearGaze(f.actor);
    ENSURE(!tdActor_GetGaze(f.actor, &yaw, &pitch));
    Finish(&f);
}

TEST_MAIN(RUN(SecondsMeanTheSameInBakeAndTrace) RUN(DefsWithoutDefaultsAssert) RUN(PlayGetters)
              RUN(LocalAndPlacementGetters) RUN(GazeGetter))
