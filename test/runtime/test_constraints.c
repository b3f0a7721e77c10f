// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints on a stage with physics, clips, retargeted motion and locals that the application sets.
// The expected rotation is computed in double from the locals of the same step. A constraint that reads the
// step before would be off by the motion of a step, and the tests ensure that this motion is large.
#include "double_math.h"
#include "physics_stage.h"

#include "tendon/clip.h"
#include "tendon/pose.h"

#define BALL "{'type':'sphere','sphere':{'radius':0.5}}"
#define ROLL(source, weight)                                                                                 \
    "'VRMC_node_constraint':{'specVersion':'1.0','constraint':{'roll':{'source':" source                     \
    ",'rollAxis':'X','weight':" weight "}}}"
#define AIM(source)                                                                                          \
    "'VRMC_node_constraint':{'specVersion':'1.0','constraint':{'aim':{'source':" source                      \
    ",'aimAxis':'PositiveZ'}}}"
#define ROTATION(source)                                                                                     \
    "'VRMC_node_constraint':{'specVersion':'1.0','constraint':{'rotation':{'source':" source "}}}"

static dQuat LocalOf(const Play* play, int node)
{
    return dFromQuat(tdActor_GetLocals(play->actor)[node].rotation);
}

// Rest rotations are the identity in these scenes.
static dQuat ComputeRoll(dQuat source, double weight)
{
    dQuat twist = dNormalizeQuat((dQuat){source.x, 0, 0, source.w});
    return dSlerp(dIdentity, twist, weight);
}

// A limb on a hinge falls and spins about its own axis; two twist bones on its parent follow its roll, and an
// eye aims at its end.
TEST(ConstraintsFollowASimulatedLimbInTheSameStep)
{
    Play play = OpenScene(
        "{'children':[1,2,3]},"
        "{'translation':[0,3,0]," RB("'motion':{'mass':2,'angularVelocity':[3,0.5,1]},'collider':{" SHAPE(
            0) "}") ",'children':[5]},"
                    "{'translation':[0,3,0.2],'extensions':{" ROLL(
                        "1", "0.5") "}},"
                                    "{'translation':[0,3,-0.2],'extensions':{" ROLL(
                                        "1", "1") "}},"
                                                  "{'translation':[4,1,0],'extensions':{" AIM(
                                                      "5") "}},"
                                                           "{'translation':[0.4,0,0]}",
        BALL, "", NULL, 0);
    double worst = 0, lag = 0, worstAim = 0, lagAim = 0;
    dQuat before = dIdentity;
    tdVec3 endBefore = GetPosition(&play, 5);
    for (int i = 0; i < 60; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        dQuat limb = LocalOf(&play, 1);
        worst = fmax(worst, dAngle(LocalOf(&play, 2), ComputeRoll(limb, 0.5)));
        worst = fmax(worst, dAngle(LocalOf(&play, 3), ComputeRoll(limb, 1.0)));
        lag = fmax(lag, dAngle(LocalOf(&play, 3), ComputeRoll(before, 1.0)));
        before = limb;
        // The eye's Z axis goes through the limb's end, where it is now.
        tdVec3 way = tdSub(GetPosition(&play, 5), GetPosition(&play, 4));
        tdVec3 late = tdSub(endBefore, GetPosition(&play, 4));
        dVec3 axis = dRotate(LocalOf(&play, 4), (dVec3){0, 0, 1});
        dVec3 off = dCross(axis, dFromVec3(tdNormalize(way))),
              offLate = dCross(axis, dFromVec3(tdNormalize(late)));
        worstAim = fmax(worstAim, sqrt(dDot(off, off)));
        lagAim = fmax(lagAim, sqrt(dDot(offLate, offLate)));
        endBefore = GetPosition(&play, 5);
    }
    ENSURE_NEAR(worst, 0.0, 1e-5);
    ENSURE(lag > 0.02); // 3 rad/s for a sixtieth of a second
    ENSURE_NEAR(worstAim, 0.0, 1e-5);
    ENSURE(lagAim > 0.005);
    ClosePlay(&play);
}

// A constraint that a clip drives moves a kinematic body, which pushes a ball in the same step.
TEST(ConstraintsBeforePhysicsCarryBodies)
{
    static const float times[2] = {0, 1};
    static const float turn[8] = {0, 0, 0, 1, 0, 0.70710678f, 0, 0.70710678f}; // 90 degrees about Y
    Channel channel = {"/nodes/0/rotation", 4, 2, times, turn, false};
    Play play = OpenScene(
        "{},"
        "{'extensions':{" ROTATION(
            "0") "},'children':[2]},"
                 "{'translation':[2,0,0]," RB("'motion':{'isKinematic':true},'collider':{" SHAPE(
                     0) "}") "},"
                             "{'translation':[0,0,-2]," RB(
                                 "'motion':{'mass':1,'gravityFactor':0},'collider':{" SHAPE(0) "}") "}",
        BALL, "", &channel, 1);
    for (int i = 0; i < 30; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        double angle = 3.14159265358979 / 2 * (i + 1) / 60.0;
        ENSURE_NEAR(GetPosition(&play, 2).x, 2.0 * cos(angle), 1e-4);
        ENSURE_NEAR(GetPosition(&play, 2).z, -2.0 * sin(angle), 1e-4);
    }
    tdVec3 before = GetPosition(&play, 3);
    StepFor(play.stage, 0.5);
    ENSURE(tdDistance(before, GetPosition(&play, 3)) > 0.1f); // the body hit it
    ClosePlay(&play);
}

// Off for one actor, on for another; weights of one at run time; locals of the application as sources. All
// eight actors have one asset, so most of them run in an actor group.
TEST(SwitchesAndWeightsArePerActor)
{
    Play play =
        OpenScene("{},{'extensions':{" ROLL("0", "0.5") "}},{'translation':[0,0,1],'extensions':{" AIM(
                      "3") "}},"
                           "{'translation':[0,0,3]}",
                  BALL, "", NULL, 0);
    enum
    {
        COUNT = 12
    };
    tdActor* actors[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        actors[i] = i == 0 ? play.actor : tdCreateActor(play.stage, play.asset, NULL, NULL);
        tdActor_EnableConstraints(actors[i], i % 5 != 4);
        ENSURE_EQUAL_INT(tdActor_AreConstraintsEnabled(actors[i]), i % 5 != 4);
        if (i % 3 == 1)
        {
            tdActor_SetConstraintWeight(actors[i], 1, 0.1f * (float)i);
        }
    }
    for (int step = 0; step < 5; ++step)
    {
        for (int i = 0; i < COUNT; ++i)
        {
            double half = 0.1 * (step + 1) + 0.02 * i;
            tdTrs local = {{0, 0, 0}, {(float)sin(half), 0, 0, (float)cos(half)}, {1, 1, 1}};
            tdActor_SetLocal(actors[i], 0, TD_LOCAL_ROTATION, local);
            local.translation = (tdVec3){(float)(i - 6), (float)step, 3.0f};
            tdActor_SetLocal(actors[i], 3, TD_LOCAL_TRANSLATION, local);
        }
        ENSURE(tdStage_Step(play.stage));
        for (int i = 0; i < COUNT; ++i)
        {
            double half = 0.1 * (step + 1) + 0.02 * i;
            double weight = i % 5 == 4 ? 0.0 : (i % 3 == 1 ? 0.1 * i : 0.5);
            weight = weight > 1 ? 1 : weight;
            const tdTrs* locals = tdActor_GetLocals(actors[i]);
            ENSURE_NEAR(
                dAngle(dFromQuat(locals[1].rotation), (dQuat){sin(half * weight), 0, 0, cos(half * weight)}),
                0.0, 1e-5);
            dVec3 way = {i - 6, step, 2};
            double length = sqrt(dDot(way, way));
            dQuat aim = i % 5 == 4 ? dIdentity
                                   : dFromTo((dVec3){0, 0, 1},
                                             (dVec3){way.x / length, way.y / length, way.z / length});
            ENSURE_NEAR(dAngle(dFromQuat(locals[2].rotation), aim), 0.0, 1e-5);
        }
    }
    // Back to the file's weight of 0.5 by number, and to rest when the application lets go.
    tdActor_SetConstraintWeight(actors[1], 1, 0.5f);
    tdActor_ClearLocal(actors[0], 0, TD_LOCAL_ALL);
    ENSURE(tdStage_Step(play.stage));
    ENSURE_NEAR(dAngle(dFromQuat(tdActor_GetLocals(actors[0])[1].rotation), dIdentity), 0.0, 0.0);
    ENSURE_NEAR(
        dAngle(dFromQuat(tdActor_GetLocals(actors[1])[1].rotation), (dQuat){sin(0.26), 0, 0, cos(0.26)}), 0.0,
        1e-5);
    ClosePlay(&play);
}

// Weights outside 0 to 1 are clamped unless tdLoadDef.wideWeights is set: then a weight is a power of the
// rotation.
TEST(WideWeightsAreAnOption)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_node_constraint\"],\"nodes\":[{},"
        "{\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"roll\":{"
        "\"source\":0,\"rollAxis\":\"X\",\"weight\":-0.5}}}}},"
        "{\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"rotation\":{"
        "\"source\":0,\"weight\":1.75}}}}},"
        "{\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"aim\":{"
        "\"source\":4,\"aimAxis\":\"PositiveZ\",\"weight\":2}}}}},{\"translation\":[0.6,0,0.8]}]}";
    for (int pass = 0; pass < 2; ++pass)
    {
        tdLoadDef def = tdDefaultLoadDef();
        def.wideWeights = pass == 1;
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAssetFromMemory(text, sizeof(text) - 1, &def, report);
        ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_WARNING), 3); // in both cases
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdTrs local = {{0, 0, 0}, {(float)sin(0.4), 0, 0, (float)cos(0.4)}, {1, 1, 1}};
        tdActor_SetLocal(actor, 0, TD_LOCAL_ROTATION, local);
        ENSURE(tdStage_Step(stage));
        const tdTrs* locals = tdActor_GetLocals(actor);
        double roll = pass == 1 ? -0.5 : 0.0, rotation = pass == 1 ? 1.75 : 1.0, aim = pass == 1 ? 2.0 : 1.0;
        double turn = atan2(0.6, 0.8) / 2 * aim;
        ENSURE_NEAR(dAngle(dFromQuat(locals[1].rotation), (dQuat){sin(0.4 * roll), 0, 0, cos(0.4 * roll)}),
                    0.0, 1e-5);
        ENSURE_NEAR(
            dAngle(dFromQuat(locals[2].rotation), (dQuat){sin(0.4 * rotation), 0, 0, cos(0.4 * rotation)}),
            0.0, 1e-5);
        ENSURE_NEAR(dAngle(dFromQuat(locals[3].rotation), (dQuat){0, sin(turn), 0, cos(turn)}), 0.0, 1e-5);
        tdActor_SetConstraintWeight(actor, 1, 40.0f);
        ENSURE_NEAR(tdActor_GetConstraintWeight(actor, 1), pass == 1 ? 10.0 : 1.0, 0.0);
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

TEST_MAIN(RUN(ConstraintsFollowASimulatedLimbInTheSameStep) RUN(ConstraintsBeforePhysicsCarryBodies)
              RUN(SwitchesAndWeightsArePerActor) RUN(WideWeightsAreAnOption))
