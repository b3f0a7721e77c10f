// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the example character: examples/mira.vrm with its dance and its song.
#include "harness.h"

#include "tendon/tendon.h"

typedef struct Performance
{
    tdAsset* avatar;
    tdAsset* motion;
    tdClip* clip;
    tdStage* stage;
    tdActor* actor;
} Performance;

// The examples have no errors and no warnings.
static void EndReport(tdReport* report)
{
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 0);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_WARNING), 0);
    tdDestroyReport(report);
}

static tdAsset* LoadClean(const char* path)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, NULL, report);
    ENSURE(asset != NULL);
    EndReport(report);
    return asset;
}

static Performance StartPerformance(const char* motion)
{
    Performance p = {.avatar = LoadClean("examples/mira.vrm"), .motion = LoadClean(motion)};
    tdReport* report = tdCreateReport(NULL);
    p.clip = tdRetargetClip(p.motion, 0, p.avatar, NULL, NULL, report);
    ENSURE(p.clip != NULL);
    p.stage = tdCreateStage(NULL);
    p.actor = tdCreateActor(p.stage, p.avatar, NULL, report);
    tdActor_Play(p.actor, p.clip, NULL);
    EndReport(report);
    return p;
}

static void EndPerformance(Performance* p)
{
    tdDestroyStage(p->stage);
    tdDestroyClip(p->clip);
    tdDestroyAsset(p->motion);
    tdDestroyAsset(p->avatar);
}

// Position of a node in the world, m.
static tdVec3 GetPlace(const Performance* p, const char* name)
{
    int node = tdAsset_FindNode(p->avatar, name);
    ENSURE(node >= 0);
    const tdMat4* global = tdActor_GetGlobals(p->actor) + (node >= 0 ? node : 0);
    return (tdVec3){global->m[12], global->m[13], global->m[14]};
}

// Inverse kinematics places the ankles: none goes below 0.08 m, where a shoe stands on the ground, and one
// of them stands except in a jump. The spin turns the hips once.
TEST(TheDanceStandsOnTheGround)
{
    Performance p = StartPerformance("examples/dance.vrma");
    int standing = 0, frames = 0;
    float highest = 0.0f;
    bool hasFacedBack = false;
    for (double time = 0.0; time < 8.0; time += 0.05, ++frames)
    {
        tdStage_Evaluate(p.stage, time);
        float left = GetPlace(&p, "leftFoot").y, right = GetPlace(&p, "rightFoot").y;
        float lower = left < right ? left : right;
        ENSURE(lower > 0.078f);
        standing += lower < 0.085f;
        highest = lower > highest ? lower : highest;
        hasFacedBack =
            hasFacedBack || GetPlace(&p, "leftUpperLeg").x < GetPlace(&p, "rightUpperLeg").x - 0.1f;
    }
    ENSURE(standing > frames / 2);
    ENSURE(highest > 0.12f);
    ENSURE(hasFacedBack);
    EndPerformance(&p);
}

TEST(TheDanceRepeatsWithoutAJump)
{
    Performance p = StartPerformance("examples/dance.vrma");
    tdStage_Evaluate(p.stage, 0.0);
    tdVec3 first = GetPlace(&p, "rightHand"), hips = GetPlace(&p, "hips");
    tdStage_Evaluate(p.stage, 7.999);
    tdVec3 last = GetPlace(&p, "rightHand"), lastHips = GetPlace(&p, "hips");
    ENSURE_NEAR((double)last.x, (double)first.x, 2e-3);
    ENSURE_NEAR((double)last.y, (double)first.y, 2e-3);
    ENSURE_NEAR((double)last.z, (double)first.z, 2e-3);
    ENSURE_NEAR((double)lastHips.y, (double)hips.y, 1e-3);
    EndPerformance(&p);
}

// Targets in the order of the face's mesh: blinkLeft, blinkRight, aa, ih, ou, ee, oh, happy, angry, sad,
// relaxed, surprised.
TEST(TheSongMovesTheFace)
{
    Performance p = StartPerformance("examples/sing.vrma");
    int face = tdAsset_FindNode(p.avatar, "Face"), count = 0;
    tdStage_Evaluate(p.stage, 0.62); // the first vowel
    const float* weights = tdActor_GetMorphWeights(p.actor, face, &count);
    ENSURE_EQUAL_INT(count, 12);
    ENSURE_NEAR((double)weights[2], 0.9, 1e-5);
    ENSURE_NEAR((double)weights[4], 0.0, 0.0);
    tdStage_Evaluate(p.stage, 2.29); // both lids are closed
    weights = tdActor_GetMorphWeights(p.actor, face, &count);
    ENSURE_NEAR((double)weights[0], 1.0, 1e-4);
    ENSURE_NEAR((double)weights[1], 1.0, 1e-4);
    tdStage_Evaluate(p.stage, 7.3); // a smile blocks blinking
    ENSURE_NEAR((double)tdActor_GetExpressionOutput(p.actor, "happy"), 1.0, 0.0);
    tdActor_SetExpression(p.actor, "blink", 1.0f);
    tdStage_Evaluate(p.stage, 7.3);
    ENSURE_NEAR((double)tdActor_GetExpressionOutput(p.actor, "blink"), 0.0, 0.0);
    EndPerformance(&p);
}

TEST_MAIN(RUN(TheDanceStandsOnTheGround) RUN(TheDanceRepeatsWithoutAJump) RUN(TheSongMovesTheFace))
