// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stage and actors without physics: playing, blending, one writer per property, dirty subtrees, memory.
#include "assert_count.h"
#include "harness.h"

#include "anim/clip.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"
#include "runtime/stage.h"

#include "tendon/stage.h"

static const float linearTimes[2] = {0.0f, 2.0f};
static const float travel[6] = {0, 0, 0, 4, 0, 0};
static const float turn[8] = {0, 0, 0, 1, 0, 1, 0, 0}; // half a turn about Y

// 0 root, 1 child (travels), 2 its child (turns), 3 second root, 4 with three morph weights.
static tdAsset* MakeAsset(tdBuilder* b, const tdAllocator* allocator)
{
    tdBuilder_Init(b, allocator);
    tdTrs up = {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    tdBuilder_AddNode(b, -1, tdTrs_identity);
    tdBuilder_AddNode(b, 0, up);
    tdBuilder_AddNode(b, 1, up);
    tdBuilder_AddNode(b, -1, up);
    tdBuilder_AddNode(b, 3, up);
    b->weightCounts[4] = 3;
    static const float weights[6] = {0, 0, 0, 1, 2, 3};
    tdBuilder_AddChannel(b, TD_PROPERTY_TRANSLATION, 1, TD_INTERPOLATION_LINEAR, 3, 2, linearTimes, travel);
    tdBuilder_AddChannel(b, TD_PROPERTY_ROTATION, 2, TD_INTERPOLATION_LINEAR, 4, 2, linearTimes, turn);
    tdBuilder_AddChannel(b, TD_PROPERTY_WEIGHTS, 4, TD_INTERPOLATION_LINEAR, 3, 2, linearTimes, weights);
    return tdBuilder_Finish(b);
}

TEST(NullHandlesDoNothing)
{
    tdDestroyStage(NULL);
    tdDestroyActor(NULL);
    tdDestroyClip(NULL);
    ENSURE(tdCreateActor(NULL, NULL, NULL, NULL) == NULL);
    ENSURE(tdCreateClip(NULL, 0, NULL, NULL) == NULL);
    ENSURE(!tdStage_Step(NULL));
    tdStage_Evaluate(NULL, 1.0);
    ENSURE_NEAR(tdStage_GetTime(NULL), 0, 0);
    ENSURE_EQUAL_INT(tdActor_Play(NULL, NULL, NULL).index1, 0);
    tdActor_Stop(NULL, (tdPlayId){1, 1});
    tdActor_SetLocal(NULL, 0, TD_LOCAL_ALL, tdTrs_identity);
    tdActor_ClearLocal(NULL, 0, TD_LOCAL_ALL);
    ENSURE(tdActor_GetLocals(NULL) == NULL && tdActor_GetGlobals(NULL) == NULL);
    int count = 5;
    ENSURE(tdActor_GetMorphWeights(NULL, 0, &count) == NULL);
    ENSURE_EQUAL_INT(count, 0);
    ENSURE_EQUAL_INT(tdStage_GetEvents(NULL).contactCount, 0);
    ENSURE_NEAR(tdClip_GetDuration(NULL), 0, 0);
}

TEST(PlaysAClipByTheStagesClock)
{
    static tdBuilder b;
    tdAsset* asset = MakeAsset(&b, NULL);
    ENSURE(tdCreateClip(asset, 1, NULL, NULL) == NULL);
    ENSURE(tdCreateClip(asset, -1, NULL, NULL) == NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    ENSURE_NEAR(tdClip_GetDuration(clip), 2.0, 0);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdPlayId play = tdActor_Play(actor, clip, NULL);
    for (int i = 0; i < 90; ++i)
    {
        ENSURE(tdStage_Step(stage));
    }
    ENSURE_NEAR(tdStage_GetTime(stage), 1.5, 0);
    ENSURE_NEAR(tdActor_GetPlayTime(actor, play), 1.5, 0);
    const tdTrs* locals = tdActor_GetLocals(actor);
    const tdMat4* globals = tdActor_GetGlobals(actor);
    ENSURE_NEAR(locals[1].translation.x, 3.0, 1e-6); // 4 m in 2 s
    ENSURE_NEAR(locals[2].rotation.y, sin(0.75 * 3.14159265358979 / 2), 1e-6);
    ENSURE_NEAR(globals[2].m[12], 3.0, 1e-6);
    ENSURE_NEAR(globals[2].m[13], 1.0, 1e-6); // the clip puts node 1 at height 0
    int count;
    const float* weights = tdActor_GetMorphWeights(actor, 4, &count);
    ENSURE_EQUAL_INT(count, 3);
    ENSURE_NEAR(weights[2], 2.25, 1e-6);

    // Evaluating between the last two steps does not change later steps.
    tdStage_Evaluate(stage, 1.49);
    ENSURE_NEAR(locals[1].translation.x, 2.98, 1e-6);
    tdStage_Step(stage);
    ENSURE_NEAR(locals[1].translation.x, 4.0 / 2.0 * 91.0 / 60.0, 1e-6);

    // After the end the value is that of the last key.
    for (int i = 0; i < 60; ++i)
    {
        tdStage_Step(stage);
    }
    ENSURE_NEAR(locals[1].translation.x, 4.0, 0);
    ENSURE(!tdActor_IsPlaying(actor, play));
    tdActor_Stop(actor, play);
    tdActor_Stop(actor, play); // the id is stale
    tdStage_Step(stage);
    ENSURE_NEAR(locals[1].translation.x, 0.0, 0); // rest
    ENSURE_NEAR(locals[1].translation.y, 1.0, 0);
    ENSURE_NEAR(weights[2], 0.0, 0);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST(LoopsAtAnySpeed)
{
    static tdBuilder b;
    tdAsset* asset = MakeAsset(&b, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    const float speeds[] = {1.0f, 2.5f, -1.0f, -3.0f, 0.0f};
    for (int i = 0; i < 5; ++i)
    {
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdPlayDef def = tdDefaultPlayDef();
        def.loop = true;
        def.speed = speeds[i];
        def.start = 0.3f;
        tdActor_Play(actor, clip, &def);
        for (int k = 0; k < 200; ++k)
        {
            tdStage_Step(stage);
            double time = fmod((double)0.3f + (double)speeds[i] * tdStage_GetTime(stage), 2.0);
            time = time < 0 ? time + 2.0 : time;
            if (!ENSURE_NEAR(tdActor_GetLocals(actor)[1].translation.x, 2.0 * time, 1e-5))
            {
                break;
            }
        }
        tdDestroyStage(stage);
    }
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST(ClipsAreAveragedByWeight)
{
    static tdBuilder b;
    tdAsset* asset = MakeAsset(&b, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdPlayDef def = tdDefaultPlayDef();
    def.speed = 0.0f;
    def.start = 2.0f;
    def.weight = 0.25f;
    tdPlayId first = tdActor_Play(actor, clip, &def);
    tdStage_Step(stage);
    const tdTrs* locals = tdActor_GetLocals(actor);
    // A quarter of the clip, the rest from the rest pose (0, 1, 0).
    ENSURE_NEAR(locals[1].translation.x, 1.0, 1e-6);
    ENSURE_NEAR(locals[1].translation.y, 0.75, 1e-6);
    ENSURE_NEAR(locals[2].rotation.y, sin(0.25 * 3.14159265358979 / 2), 1e-6);
    def.start = 1.0f;
    def.weight = 0.75f;
    tdPlayId second = tdActor_Play(actor, clip, &def);
    tdStage_Step(stage);
    ENSURE_NEAR(locals[1].translation.x, 0.25 * 4 + 0.75 * 2, 1e-6);
    ENSURE_NEAR(locals[2].rotation.y, sin((0.25 + 0.75 * 0.5) * 3.14159265358979 / 2), 1e-6);
    // Sums above 1 are normalised.
    tdActor_SetPlay(actor, first, 2.0f, 0.0f, 3.0f);
    tdActor_SetPlay(actor, second, 1.0f, 0.0f, 1.0f);
    tdStage_Step(stage);
    ENSURE_NEAR(locals[1].translation.x, 0.75 * 4 + 0.25 * 2, 1e-6);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST(OneWriterPerProperty)
{
    static tdBuilder b;
    MakeAsset(&b, NULL);
    // Node 2 also gets a constraint: it follows node 4.
    b.constraints[b.constraintCount++] =
        (tdNodeConstraint){TD_CONSTRAINT_ROTATION, 2, 4, {0, 0, 0}, 1.0f, false, -1};
    tdAsset* asset = tdBuilder_Finish(&b);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdTrs mine = {{7, 8, 9}, {1, 0, 0, 0}, {2, 2, 2}};
    tdActor_SetLocal(actor, 1, TD_LOCAL_TRANSLATION, mine); // over the clip
    tdActor_SetLocal(actor, 2, TD_LOCAL_ALL, mine);         // rotation under the constraint
    tdActor_SetLocal(actor, 4, TD_LOCAL_ROTATION, mine);    // drives the constraint
    tdStage_Step(stage);
    const tdTrs* locals = tdActor_GetLocals(actor);
    ENSURE_NEAR(locals[1].translation.x, 7.0, 0);
    ENSURE_NEAR(locals[1].scale.x, 1.0, 0);
    ENSURE_NEAR(locals[2].translation.z, 9.0, 0);
    ENSURE_NEAR(locals[2].scale.z, 2.0, 0);
    ENSURE_NEAR(locals[2].rotation.x, 1.0, 1e-6);
    tdActor_EnableConstraints(actor, false);
    mine.rotation = (tdQuat){0, 0, 3, 0}; // normalised
    tdActor_SetLocal(actor, 2, TD_LOCAL_ROTATION, mine);
    tdStage_Step(stage);
    ENSURE_NEAR(locals[2].rotation.z, 1.0, 0);
    tdActor_ClearLocal(actor, 2, TD_LOCAL_ROTATION);
    tdActor_ClearLocal(actor, 1, TD_LOCAL_ALL);
    tdStage_Step(stage);
    ENSURE_NEAR(locals[2].rotation.y, sin(0.05 / 2 * 3.14159265358979 / 2), 1e-6); // the clip again
    ENSURE_NEAR(locals[1].translation.x, 0.1, 1e-6);
    ENSURE_NEAR(locals[2].translation.z, 9.0, 0); // still the application's
    tdActor_EnableConstraints(actor, true);
    tdActor_SetConstraintWeight(actor, 2, 0.5f);
    ENSURE_NEAR(tdActor_GetConstraintWeight(actor, 2), 0.5, 0);
    tdStage_Step(stage);
    ENSURE_NEAR(locals[2].rotation.x, sqrt(0.5), 1e-6); // half of half a turn about X
    tdActor_SetConstraintWeight(actor, 2, 7.0f);        // clamped
    tdStage_Step(stage);
    ENSURE_NEAR(locals[2].rotation.x, 1.0, 1e-6);
    mine.translation.x = NAN;
    StartCountingAsserts();
    tdActor_SetLocal(actor, 1, TD_LOCAL_TRANSLATION, mine); // refused
    ENSURE(StopCountingAsserts("IsFiniteTrs"));
    StartCountingAsserts();
    tdActor_SetPlacement(actor, (tdTransform){{0, 0, 0}, {0, INFINITY, 0, 1}});
    tdStage_Evaluate(stage, (double)NAN);
    ENSURE(StopCountingAsserts("inite"));
    ENSURE_NEAR(tdActor_GetPlacement(actor).rotation.w, 1.0, 0);
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(stage)), TD_STATUS_INVALID_NUMBER);
    tdStage_Step(stage);
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(stage)), TD_STATUS_OK);
    ENSURE_NEAR(locals[1].translation.x, 2.0 * tdStage_GetTime(stage), 1e-6);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST(PlacementMovesRootsOnly)
{
    static tdBuilder b;
    tdAsset* asset = MakeAsset(&b, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef def = tdDefaultActorDef();
    def.placement = (tdTransform){{10, 0, 0}, {0, 0, 1, 0}};
    tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
    tdStage_Evaluate(stage, 0.0);
    const tdMat4* globals = tdActor_GetGlobals(actor);
    ENSURE_NEAR(globals[2].m[12], 10.0, 1e-6);
    ENSURE_NEAR(globals[2].m[13], -2.0, 1e-6);
    ENSURE_NEAR(tdActor_GetLocals(actor)[0].translation.x, 0.0, 0);
    tdActor_SetPlacement(actor, tdTransform_identity);
    tdStage_Step(stage);
    ENSURE_NEAR(globals[2].m[13], 2.0, 0);
    tdDestroyStage(stage);
    tdBuilder_Free(&b);
}

TEST(UntouchedSubtreesStay)
{
    static tdBuilder b;
    tdAsset* asset = MakeAsset(&b, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdStage_Step(stage);
    // Overwrites globals: only those of dirty subtrees are computed again.
    tdMat4* globals = actor->pose.globals;
    globals[0].m[12] = globals[2].m[12] = globals[3].m[12] = -99.0f;
    tdStage_Step(stage);
    ENSURE_NEAR(globals[0].m[12], -99.0, 0); // root: nothing writes it
    ENSURE_NEAR(globals[3].m[12], -99.0, 0); // other tree: its weights play, its nodes do not move
    ENSURE(globals[2].m[12] > -99.0f);       // below the travelling node
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST(ShearedMatrixStandsWhileUntouched)
{
    static tdBuilder b;
    tdBuilder_Init(&b, NULL);
    tdBuilder_AddNode(&b, -1, tdTrs_identity);
    tdBuilder_AddNode(&b, 0, tdTrs_identity);
    b.isSheared[0] = true;
    b.matrices[0] = tdMat4_identity;
    b.matrices[0].m[4] = 0.5f; // x += y / 2
    b.locals[1].translation = (tdVec3){0, 2, 0};
    tdAsset* asset = tdBuilder_Finish(&b);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdStage_Step(stage);
    ENSURE_NEAR(tdActor_GetGlobals(actor)[1].m[12], 1.0, 0);
    tdTrs moved = {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    tdActor_SetLocal(actor, 0, TD_LOCAL_TRANSLATION, moved);
    tdStage_Step(stage);
    ENSURE_NEAR(tdActor_GetGlobals(actor)[1].m[12], 1.0, 0); // moved by 1, not sheared
    ENSURE_NEAR(tdActor_GetGlobals(actor)[0].m[4], 0.0, 0);
    tdActor_ClearLocal(actor, 0, TD_LOCAL_ALL);
    tdStage_Step(stage);
    ENSURE_NEAR(tdActor_GetGlobals(actor)[0].m[4], 0.5, 0);
    tdDestroyStage(stage);
    tdBuilder_Free(&b);
}

TEST(ManyActorsGiveTheSameOnAnyNumberOfThreads)
{
    static tdBuilder b;
    tdAsset* asset = MakeAsset(&b, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    float results[2][40];
    for (int run = 0; run < 2; ++run)
    {
        const tdTasks* threads = run == 1 ? tdCreateThreads(3) : NULL;
        tdStageDef stageDef = tdDefaultStageDef();
        stageDef.tasks = threads;
        tdStage* stage = tdCreateStage(&stageDef);
        tdActor* actors[40];
        for (int i = 0; i < 40; ++i)
        {
            tdPlayDef def = tdDefaultPlayDef();
            def.start = 0.04f * (float)i;
            actors[i] = tdCreateActor(stage, asset, NULL, NULL);
            tdActor_Play(actors[i], clip, &def);
        }
        tdDestroyActor(actors[7]);
        for (int i = 0; i < 20; ++i)
        {
            tdStage_Step(stage);
        }
        for (int i = 0; i < 40; ++i)
        {
            results[run][i] = i == 7 ? 0.0f : tdActor_GetGlobals(actors[i])[2].m[12];
        }
        tdDestroyStage(stage);
        tdDestroyThreads(threads);
    }
    ENSURE(memcmp(results[0], results[1], sizeof(results[0])) == 0);
    ENSURE_NEAR(results[0][10], 2.0 * (0.4 + 20.0 / 60.0), 1e-5);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

// The calls of an application, with every allocation failing once.
TEST(MemoryMayRunOut)
{
    static tdBuilder b;
    bool finished = false;
    for (int64_t failAt = 0; failAt < 200 && !finished; ++failAt)
    {
        tdAsset* asset = MakeAsset(&b, NULL);
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdStageDef def = tdDefaultStageDef();
        def.world.allocator = &allocator;
        tdStage* stage = tdCreateStage(&def);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdClip* clip = tdCreateClip(asset, 0, &allocator, NULL);
        tdPlayId play = tdActor_Play(actor, clip, NULL);
        tdActor_SetLocal(actor, 1, TD_LOCAL_ALL, tdTrs_identity);
        bool stepped = tdStage_Step(stage);
        finished = stepped && play.index1 != 0;
        if (finished)
        {
            int64_t before = state.count;
            for (int i = 0; i < 10; ++i)
            {
                tdStage_Step(stage);
            }
            ENSURE_EQUAL_INT(state.count, before); // a warm step allocates nothing
        }
        tdDestroyStage(stage);
        tdDestroyClip(clip);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        tdBuilder_Free(&b);
    }
    ENSURE(finished);
}

TEST_MAIN(RUN(NullHandlesDoNothing) RUN(PlaysAClipByTheStagesClock) RUN(LoopsAtAnySpeed)
              RUN(ClipsAreAveragedByWeight) RUN(OneWriterPerProperty) RUN(PlacementMovesRootsOnly)
                  RUN(UntouchedSubtreesStay) RUN(ShearedMatrixStandsWhileUntouched)
                      RUN(ManyActorsGiveTheSameOnAnyNumberOfThreads) RUN(MemoryMayRunOut))
