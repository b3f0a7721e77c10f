// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of rollback: late inputs give the run in which they came in time, and a ring forgets the oldest
// states.
#include "base/memory.h"
#include "runtime/physics_stage.h"

#include "tendon/tendon.h"

#define STEPS 60

/// Impulses by step. Those of `lateFrom` on come late.
typedef struct Inputs
{
    tdActor* actor;
    int64_t lateFrom; // inputs of this step and later are not known yet
    int calls;
} Inputs;

static void ApplyInputs(void* context, tdStage* stage, int64_t step)
{
    Inputs* inputs = context;
    inputs->calls += 1;
    ENSURE(tdStage_GetStepIndex(stage) == step);
    if (step % 7 == 3 && step < inputs->lateFrom)
    {
        tdActor_ApplyImpulse(inputs->actor, 1, (tdVec3){0.1f * (float)(step % 3), 1.5f, 0.2f}, tdVec3_zero);
    }
}

static Play OpenBoxes(const tdAllocator* allocator)
{
    Play play = {0};
    play.asset = LoadScene(
        FLOOR ",{'translation':[0,0.6,0]," RB("'motion':{'mass':1},'collider':{" SHAPE(
            1) "}") "},"
                    "{'translation':[0.2,1.8,0]," RB("'motion':{'mass':1},'collider':{" SHAPE(1) "}") "}",
        FLOOR_SHAPE ",{'type':'box'}", "", NULL, 0, NULL);
    tdStageDef def = tdDefaultStageDef();
    def.world.allocator = allocator;
    play.stage = tdCreateStage(&def);
    play.actor = tdCreateActor(play.stage, play.asset, NULL, NULL);
    return play;
}

TEST(LateInputsGiveTheSameRun)
{
    Play timely = OpenBoxes(NULL), late = OpenBoxes(NULL);
    tdHistory* a = tdCreateHistory(timely.stage, 1);
    tdHistory* b = tdCreateHistory(late.stage, 8);
    Inputs known = {timely.actor, INT64_MAX, 0}, delayed = {late.actor, 0, 0};
    bool haveDiffered = false;
    for (int i = 0; i < STEPS; ++i)
    {
        ENSURE(tdHistory_Step(a, ApplyInputs, &known));
        // The inputs of the last eight steps arrive every eighth step.
        ENSURE(tdHistory_Step(b, ApplyInputs, &delayed));
        haveDiffered = haveDiffered || tdStage_GetStateHash(timely.stage) != tdStage_GetStateHash(late.stage);
        if (i % 8 == 7)
        {
            delayed.lateFrom = i + 1;
            delayed.calls = 0;
            ENSURE(tdHistory_Rollback(b, 8, ApplyInputs, &delayed));
            ENSURE_EQUAL_INT(delayed.calls, 8);
            ENSURE(tdStage_GetStateHash(timely.stage) == tdStage_GetStateHash(late.stage));
            ENSURE(tdStage_GetStepIndex(late.stage) == i + 1);
        }
    }
    ENSURE(haveDiffered);
    ENSURE_EQUAL_INT(tdHistory_GetCount(a), 1);
    ENSURE_EQUAL_INT(tdHistory_GetCount(b), 8);
    tdDestroyHistory(a);
    tdDestroyHistory(b);
    ClosePlay(&timely);
    ClosePlay(&late);
}

TEST(UndoGoesBackAsFarAsTheRing)
{
    Play play = OpenBoxes(NULL);
    tdHistory* history = tdCreateHistory(play.stage, 5);
    uint64_t hashes[21];
    for (int i = 0; i < 20; ++i)
    {
        hashes[i] = tdStage_GetStateHash(play.stage);
        ENSURE(tdHistory_Step(history, NULL, NULL));
        ENSURE_EQUAL_INT(tdHistory_GetCount(history), i < 5 ? i + 1 : 5);
    }
    hashes[20] = tdStage_GetStateHash(play.stage);
    ENSURE(!tdHistory_Undo(history, 6));
    ENSURE(!tdHistory_Undo(history, -1));
    ENSURE(tdHistory_Undo(history, 0));
    ENSURE(tdStage_GetStateHash(play.stage) == hashes[20]);
    size_t bytes = tdHistory_GetByteCount(history);
    ENSURE(bytes >= 5 * 1000);
    ENSURE(tdHistory_Undo(history, 2));
    ENSURE(tdStage_GetStateHash(play.stage) == hashes[18]);
    ENSURE(tdHistory_GetByteCount(history) < bytes);
    ENSURE_EQUAL_INT(tdHistory_GetCount(history), 3);
    ENSURE(!tdHistory_Undo(history, 4));
    ENSURE(tdHistory_Undo(history, 3));
    ENSURE(tdStage_GetStateHash(play.stage) == hashes[15]);
    ENSURE(!tdHistory_Rollback(history, 1, NULL, NULL));
    for (int i = 15; i < 20; ++i)
    {
        ENSURE(tdHistory_Step(history, NULL, NULL));
        ENSURE(tdStage_GetStateHash(play.stage) == hashes[i + 1]);
    }
    tdDestroyHistory(history);
    ClosePlay(&play);
}

TEST(NullIsAccepted)
{
    ENSURE(tdCreateHistory(NULL, 3) == NULL);
    tdStage* stage = tdCreateStage(NULL);
    ENSURE(tdCreateHistory(stage, 0) == NULL);
    tdDestroyStage(stage);
    tdDestroyHistory(NULL);
    ENSURE(!tdHistory_Step(NULL, NULL, NULL) && !tdHistory_Undo(NULL, 0));
    ENSURE(!tdHistory_Rollback(NULL, 0, NULL, NULL));
    ENSURE(tdHistory_GetCount(NULL) == 0 && tdHistory_GetByteCount(NULL) == 0);
    ENSURE(tdStage_GetStepIndex(NULL) == 0);
}

TEST(FailedAllocationsKeepTheStage)
{
    tdFailingAllocator counters;
    tdAllocator allocator = tdFailingAllocator_Make(&counters, -1);
    Play play = OpenBoxes(&allocator);
    Inputs inputs = {play.actor, INT64_MAX, 0};
    StepFor(play.stage, 0.2);
    for (int64_t fail = 0, done = 0; done == 0 && fail < 1000; ++fail)
    {
        counters.failAt = counters.count + fail;
        tdHistory* history = tdCreateHistory(play.stage, 2);
        done = history != NULL;
        counters.failAt = -1;
        tdDestroyHistory(history);
    }
    tdHistory* history = tdCreateHistory(play.stage, 4);
    int failures = 0;
    for (int i = 0; i < 12; ++i)
    {
        bool isUndo = i % 3 == 2;
        uint64_t hash = tdStage_GetStateHash(play.stage);
        bool isDone = false;
        for (int64_t fail = 0; !isDone && fail < 1000; ++fail)
        {
            counters.failAt = counters.count + fail;
            counters.failsOnce = true;
            isDone = isUndo ? tdHistory_Undo(history, 1) : tdHistory_Step(history, ApplyInputs, &inputs);
            counters.failAt = -1;
            failures += !isDone;
            ENSURE(isDone || tdStage_GetStateHash(play.stage) == hash);
        }
        ENSURE(isDone);
    }
    ENSURE(failures > 20);
    // In a warm ring, a step allocates nothing.
    for (int i = 0; i < 40; ++i)
    {
        ENSURE(tdHistory_Step(history, NULL, NULL));
    }
    int64_t count = counters.count;
    ENSURE(tdHistory_Step(history, NULL, NULL));
    ENSURE_EQUAL_INT(counters.count, count);
    tdDestroyHistory(history);
    ClosePlay(&play);
    ENSURE_EQUAL_INT(counters.liveBlocks, 0);
}

TEST(HalvesOfAStep)
{
    Play whole = OpenBoxes(NULL), halves = OpenBoxes(NULL);
    tdHistory* a = tdCreateHistory(whole.stage, 4);
    tdHistory* b = tdCreateHistory(halves.stage, 4);
    Inputs inputs = {whole.actor, INT64_MAX, 0}, others = {halves.actor, INT64_MAX, 0};
    ENSURE(!tdHistory_MakeStep(b)); // not begun
    for (int i = 0; i < 10; ++i)
    {
        ENSURE(tdHistory_Step(a, ApplyInputs, &inputs));
        ENSURE(tdHistory_KeepState(b));
        ENSURE_EQUAL_INT(tdHistory_GetCount(b), i < 3 ? i : 3);
        ApplyInputs(&others, halves.stage, i);
        ENSURE(tdHistory_MakeStep(b));
        ENSURE(!tdHistory_MakeStep(b));
        ENSURE(tdStage_GetStateHash(whole.stage) == tdStage_GetStateHash(halves.stage));
    }
    ENSURE_EQUAL_INT(tdHistory_GetCount(b), 4);
    ENSURE(tdHistory_KeepState(b));
    ENSURE(tdHistory_Undo(b, 2)); // drops the state that was kept
    ENSURE(!tdHistory_MakeStep(b));
    ENSURE(tdHistory_Undo(a, 3)); // one of the four was dropped for the state that was kept
    ENSURE(tdStage_GetStepIndex(whole.stage) == 7 && tdStage_GetStepIndex(halves.stage) == 8);
    ENSURE(!tdHistory_KeepState(NULL) && !tdHistory_MakeStep(NULL));
    tdDestroyHistory(a);
    tdDestroyHistory(b);
    ClosePlay(&whole);
    ClosePlay(&halves);
}

TEST_MAIN(RUN(LateInputsGiveTheSameRun) RUN(UndoGoesBackAsFarAsTheRing) RUN(NullIsAccepted)
              RUN(FailedAllocationsKeepTheStage) RUN(HalvesOfAStep))
