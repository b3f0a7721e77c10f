// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Literal stepping of springs (tdStage_StepVariable) against vectors with steps of varying length.
#include "assert_count.h"
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

#define JOINTS 3
#define FIRST_NODE 17

/// Rotations of the joints after a number of steps.
typedef struct Expected
{
    int step;
    tdQuat rotations[JOINTS];
} Expected;

#include "variable_steps.inc"

static void Run(const char* file, const double* seconds, int stepCount, const Expected* expected,
                int expectedCount, float tolerance)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/spring/%s.vrm", TD_TEST_DATA, file);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdStage_Evaluate(stage, 0.0);
    int checked = 0;
    for (int step = 0; step <= stepCount; ++step)
    {
        for (int i = 0; i < expectedCount; ++i)
        {
            for (int k = 0; k < JOINTS && expected[i].step == step; ++k)
            {
                tdQuat got = tdActor_GetLocals(actor)[FIRST_NODE + k].rotation;
                ENSURE_NEAR(tdAngleBetween(got, expected[i].rotations[k]), 0.0f, tolerance);
                checked += 1;
            }
        }
        if (step < stepCount)
        {
            ENSURE(tdStage_StepVariable(stage, seconds[step]));
        }
    }
    ENSURE_EQUAL_INT(checked, expectedCount * JOINTS);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define RUN_CASE(file, name, tolerance)                                                                      \
    Run(file, name##Seconds, COUNT(name##Seconds), name##Expected, COUNT(name##Expected), tolerance)

TEST(StepsOfVaryingLengthFollowTheVectors)
{
    RUN_CASE("variable_dt", variableDt, 3.0e-4f);
    RUN_CASE("variable_dt_rest", variableDtRest, 3.63e-4f);
}

TEST(StepsOfNoLengthChangeNothing)
{
    RUN_CASE("zero_dt", zeroDt, 4.74e-4f);
}

TEST(InvalidLengthsChangeNothing)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/spring/variable_dt.vrm", TD_TEST_DATA);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 10; ++i)
    {
        ENSURE(tdStage_StepVariable(stage, 0.02));
    }
    size_t size = (size_t)tdAsset_GetNodeCount(asset) * sizeof(tdTrs);
    tdTrs before[64];
    memcpy(before, tdActor_GetLocals(actor), size);
    ENSURE(tdStage_StepVariable(stage, -1.0) && tdStage_StepVariable(stage, 0.0));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(stage)), TD_STATUS_OK);
    StartCountingAsserts();
    ENSURE(!tdStage_StepVariable(stage, (double)NAN) && !tdStage_StepVariable(stage, (double)INFINITY));
    ENSURE(StopCountingAsserts("isfinite(seconds)"));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(stage)), TD_STATUS_INVALID_NUMBER);
    ENSURE(!tdStage_StepVariable(NULL, 0.1));
    ENSURE(memcmp(before, tdActor_GetLocals(actor), size) == 0);
    ENSURE(tdStage_StepVariable(stage, 0.02));
    ENSURE(memcmp(before, tdActor_GetLocals(actor), size) != 0);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(EqualLengthsGiveTheFixedSteps)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/spring/variable_dt.vrm", TD_TEST_DATA);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    tdStage* stages[2];
    tdActor* actors[2];
    for (int i = 0; i < 2; ++i)
    {
        stages[i] = tdCreateStage(NULL);
        actors[i] = tdCreateActor(stages[i], asset, NULL, NULL);
    }
    for (int step = 0; step < 60; ++step)
    {
        tdStage_Step(stages[0]);
        tdStage_StepVariable(stages[1], 1.0 / 60.0);
    }
    size_t size = (size_t)tdAsset_GetNodeCount(asset) * sizeof(tdTrs);
    ENSURE(memcmp(tdActor_GetLocals(actors[0]), tdActor_GetLocals(actors[1]), size) == 0);
    tdDestroyStage(stages[0]);
    tdDestroyStage(stages[1]);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(StepsOfVaryingLengthFollowTheVectors) RUN(StepsOfNoLengthChangeNothing)
              RUN(InvalidLengthsChangeNothing) RUN(EqualLengthsGiveTheFixedSteps))
