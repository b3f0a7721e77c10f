// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of run summaries against closed forms: a ball thrown without gravity, a falling one, one that goes to
// sleep, a joint whose frames are forced apart.
#include "harness.h"

#include "tendon/tendon.h"

#include <stdlib.h>

#define HEAD                                                                                                 \
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"      \
    "shapes\"],\"scene\":0,"
#define SPHERE "\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"sphere\",\"sphere\":{\"radius\":0.5}}]}"

static const char* const ball = HEAD "\"scenes\":[{\"nodes\":[0]}],\"extensions\":{" SPHERE
                                     "},\"nodes\":[{\"name\":\"ball\",\"extensions\":{"
                                     "\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":3,"
                                     "\"linearVelocity\":[2,0,0],\"angularVelocity\":[0,4,0]},"
                                     "\"collider\":{\"geometry\":{\"shape\":0}}}}}]}";

// Two balls at rest, connected by a rigid joint, 0.2 m farther apart than its length.
static const char* const pair =
    HEAD "\"scenes\":[{\"nodes\":[0,2]}],\"extensions\":{" SPHERE
         ",\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0,1,2],\"min\":0,"
         "\"max\":0}]}]}},"
         "\"nodes\":[{\"children\":[1],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},"
         "\"collider\":{"
         "\"geometry\":{\"shape\":0}}}}},{\"translation\":[1,0,0],\"extensions\":{\"KHR_physics_rigid_"
         "bodies\":{\"joint\":{"
         "\"connectedNode\":3,\"joint\":0}}}},{\"translation\":[2.2,0,0],\"children\":[3],\"extensions\":{"
         "\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{\"geometry\":{\"shape\":0}}}}},"
         "{\"translation\":[-1,0,0]}]}";

typedef struct Run
{
    tdAsset* asset;
    tdStage* stage;
    tdSummary* summary;
} Run;

static Run Play(const char* text, tdVec3 gravity, double seconds)
{
    Run run = {.asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL)};
    tdStageDef def = tdDefaultStageDef();
    def.world.gravity = gravity;
    run.stage = tdCreateStage(&def);
    tdActor* actor = tdCreateActor(run.stage, run.asset, NULL, NULL);
    run.summary = tdCreateSummary(actor);
    ENSURE(run.summary != NULL);
    tdTraceDef trace = tdDefaultTraceDef();
    trace.seconds = seconds;
    trace.summary = run.summary;
    ENSURE(tdTraceActor(actor, &trace, NULL, NULL, NULL));
    return run;
}

static void End(Run* run)
{
    tdDestroySummary(run->summary);
    tdDestroyStage(run->stage);
    tdDestroyAsset(run->asset);
}

TEST(MeasuresAThrow)
{
    Run run = Play(ball, (tdVec3){0, 0, 0}, 1.0);
    ENSURE_EQUAL_INT(tdSummary_GetBodyCount(run.summary), 1);
    ENSURE_EQUAL_INT(tdSummary_GetJointCount(run.summary), 0);
    tdBodySummary body = tdSummary_GetBody(run.summary, 0);
    // 60 steps of float32 sums.
    ENSURE_NEAR(body.distance, 2.0, 1e-5);
    ENSURE_NEAR(body.maxSpeed, 2.0, 1e-5);
    ENSURE_NEAR(body.speed, 2.0, 1e-5);
    ENSURE_NEAR(body.pose.position.x, 2.0, 1e-5);
    ENSURE(body.isDynamic);
    ENSURE(body.asleepSince < 0.0);
    int count = 0;
    const tdEnergySample* energy = tdSummary_GetEnergy(run.summary, &count);
    ENSURE_EQUAL_INT(count, 61);
    double kinetic = 0.5 * 3.0 * 4.0 + 0.5 * (0.4 * 3.0 * 0.25) * 16.0;
    for (int i = 0; i < count; ++i)
    {
        ENSURE_NEAR(energy[i].time, i / 60.0, 1e-12);
        ENSURE_NEAR(energy[i].kinetic, kinetic, 1e-4);
        ENSURE_NEAR(energy[i].potential, 0.0, 0.0);
    }
    End(&run);
}

TEST(BalancesAFall)
{
    // Apart from the sideways velocity: v = g t at every step, and kinetic energy gained equals potential
    // energy lost, within half a sub-step of the integration: m g v dt / 2 with dt <= 1/60 s.
    Run run = Play(ball, (tdVec3){0, -10.0f, 0}, 1.0);
    int count = 0;
    const tdEnergySample* energy = tdSummary_GetEnergy(run.summary, &count);
    const tdEnergySample* last = &energy[count - 1];
    double start = (double)energy[0].kinetic;
    ENSURE_NEAR(last->kinetic, start + 0.5 * 3.0 * 100.0, 0.01);
    ENSURE_NEAR((double)last->kinetic + (double)last->potential, start, 3.0 * 10.0 * 10.0 / 60.0 / 2.0);
    ENSURE(last->potential < -140.0f);
    tdBodySummary body = tdSummary_GetBody(run.summary, 0);
    ENSURE_NEAR(body.maxSpeed, sqrt(104.0), 1e-3);
    ENSURE_NEAR(body.maxSpeedTime, 1.0, 1e-9);
    // Not shorter than the straight line, not longer than its two components.
    ENSURE(body.distance > sqrt(4.0 + 25.0) - 0.1 && body.distance < 7.2);
    End(&run);
}

TEST(CountsSleepAndJointErrors)
{
    Run run = Play(pair, (tdVec3){0, 0, 0}, 10.0);
    ENSURE_EQUAL_INT(tdSummary_GetJointCount(run.summary), 1);
    tdJointSummary joint = tdSummary_GetJoint(run.summary, 0);
    ENSURE_EQUAL_INT(joint.node, 1);
    ENSURE_NEAR(joint.maxLinearError, 0.2, 1e-6); // the initial error
    ENSURE_NEAR(joint.maxAngularError, 0.0, 0.0);
    ENSURE(!joint.isBroken);
    for (int i = 0; i < 2; ++i)
    {
        tdBodySummary body = tdSummary_GetBody(run.summary, i);
        ENSURE(body.asleepSince > 0.0 && body.asleepSince < 10.0);
        ENSURE_NEAR(body.distance, 0.1, 0.01); // each moves half of the distance
        ENSURE_NEAR(body.speed, 0.0, 0.0);
    }
    End(&run);
}

TEST(LimitsTheCurveLength)
{
    Run run = Play(ball, (tdVec3){0, 0, 0}, 100.0); // 6,001 samples
    int count = 0;
    const tdEnergySample* energy = tdSummary_GetEnergy(run.summary, &count);
    ENSURE(count > 2048 && count <= 4096);
    for (int i = 1; i < count; ++i)
    {
        ENSURE_NEAR(energy[i].time - energy[i - 1].time, 2.0 / 60.0, 1e-9);
    }
    ENSURE(tdCreateSummary(NULL) == NULL);
    ENSURE(!tdSummary_AddSample(NULL));
    End(&run);
}

TEST_MAIN(RUN(MeasuresAThrow) RUN(BalancesAFall) RUN(CountsSleepAndJointErrors) RUN(LimitsTheCurveLength))
