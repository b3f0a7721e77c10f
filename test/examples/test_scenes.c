// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The physical scenes of examples/ do what their names promise.
#include "harness.h"

#include "tendon/tendon.h"

typedef struct Show
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actor;
} Show;

static Show Open(const char* name)
{
    char path[128];
    snprintf(path, sizeof path, "examples/%s.gltf", name);
    tdReport* report = tdCreateReport(NULL);
    Show show = {.asset = tdLoadAsset(path, NULL, report), .stage = tdCreateStage(NULL)};
    show.actor = tdCreateActor(show.stage, show.asset, NULL, report);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    tdDestroyReport(report);
    return show;
}

static void Close(Show* show)
{
    tdDestroyStage(show->stage);
    tdDestroyAsset(show->asset);
}

static void Run(Show* show, double seconds)
{
    double end = tdStage_GetTime(show->stage) + seconds;
    while (tdStage_GetTime(show->stage) < end - 1e-9)
    {
        tdStage_Step(show->stage);
    }
}

static const float* GetMatrix(const Show* show, const char* name)
{
    int node = tdAsset_FindNode(show->asset, name);
    return ENSURE(node >= 0) ? tdActor_GetGlobals(show->actor)[node].m : tdActor_GetGlobals(show->actor)[0].m;
}

static double GetHeight(const Show* show, const char* name)
{
    return (double)GetMatrix(show, name)[13];
}

// A domino that fell has its long axis, Y, nearer to the ground than to the sky.
TEST(AllDominoesFall)
{
    Show show = Open("domino_run");
    Run(&show, 8.0);
    for (int i = 1; i <= 16; ++i)
    {
        char name[32];
        snprintf(name, sizeof name, "Domino %d", i);
        ENSURE(fabsf(GetMatrix(&show, name)[5]) < 0.71f);
        ENSURE(GetHeight(&show, name) > 0.04); // half of its thickness, less a centimetre
    }
    Close(&show);
}

// Half a period after the first ball is let go the last one is as high as the first was, the others hang.
// Time: twice a quarter period T/4 of a pendulum of 1 m from 40 degrees, which is pi/2 sqrt(L/g) / AGM(1, cos
// 20 deg), plus the flight of the impulse over four gaps of 4 cm. Height: a step of 1/60 s costs some energy
// at each of the five hits, so 80 percent are asked for; more than the start would be energy from nowhere.
TEST(CradlePassesTheImpulseOn)
{
    Show show = Open("newtons_cradle");
    double start = 1.0 - cos(40.0 * 3.14159265358979 / 180.0);
    double a = 1.0, b = cos(20.0 * 3.14159265358979 / 180.0);
    for (int i = 0; i < 5; ++i)
    {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double half = 3.14159265358979 * sqrt(1.0 / 9.81) / a;
    Run(&show, half);
    double highest = 0.0;
    for (int i = 0; i < 12; ++i)
    {
        Run(&show, 1.0 / 60.0);
        highest = fmax(highest, GetHeight(&show, "Ball 5") - 0.95);
    }
    ENSURE(highest > 0.5 * start);
    ENSURE(highest < 1.02 * start);
    ENSURE_NEAR(GetHeight(&show, "Ball 2"), 0.95, 0.02);
    ENSURE_NEAR(GetHeight(&show, "Ball 3"), 0.95, 0.02);
    ENSURE_NEAR(GetHeight(&show, "Ball 4"), 0.95, 0.02);
    Close(&show);
}

TEST(CatapultHitsTheTower)
{
    Show show = Open("catapult");
    Run(&show, 3.0);
    ENSURE(GetMatrix(&show, "Stone")[12] > 4.0f);
    ENSURE(GetHeight(&show, "Crate 4") < 2.6); // of 3.5 when it stood on the others
    Close(&show);
}

// Every rope's two ends stay together within a centimetre, and the crate stays on the bridge.
TEST(BridgeHolds)
{
    Show show = Open("rope_bridge");
    Run(&show, 6.0);
    int jointCount = tdDescribeAsset(show.asset).jointCount;
    ENSURE_EQUAL_INT(jointCount, 26);
    for (int i = 0; i < jointCount; ++i)
    {
        tdJointInfo joint = tdDescribeJoint(show.asset, i);
        const float* from = tdActor_GetGlobals(show.actor)[joint.node].m;
        const float* to = tdActor_GetGlobals(show.actor)[joint.connectedNode].m;
        double dx = (double)(from[12] - to[12]), dy = (double)(from[13] - to[13]),
               dz = (double)(from[14] - to[14]);
        ENSURE_NEAR(sqrt(dx * dx + dy * dy + dz * dz), 0.0, 0.01);
    }
    ENSURE(GetHeight(&show, "Crate") > GetHeight(&show, "Plank 7"));
    Close(&show);
}

TEST(MarblesPassTheGate)
{
    Show show = Open("marble_run");
    int entered = 0, left = 0;
    for (int i = 0; i < 600; ++i)
    {
        tdStage_Step(show.stage);
        tdStageEvents events = tdStage_GetEvents(show.stage);
        for (int j = 0; j < events.triggerCount; ++j)
        {
            // The gate also touches the trough, which is no body and stays.
            bool isMarble = events.triggers[j].visitorBodyNode >= 0;
            entered += isMarble && events.triggers[j].entered ? 1 : 0;
            left += isMarble && !events.triggers[j].entered ? 1 : 0;
        }
    }
    ENSURE_EQUAL_INT(entered, 4);
    ENSURE_EQUAL_INT(left, 4);
    for (int i = 1; i <= 4; ++i)
    {
        char name[32];
        snprintf(name, sizeof name, "Marble %d", i);
        ENSURE_NEAR(GetHeight(&show, name), -2.0, 0.02); // on the tray, whose top is at -2.1; radius 0.1
    }
    Close(&show);
}

// The ball gets through and the soft limits close the doors again: their swing decays with exp(-c t / 2 I), c
// = 4, I = 15 * 0.95^2 / 3 = 4.5, so that of 1.5 rad less than 0.02 are left after ten seconds. Sleep may
// come earlier, at a turning point: half a second below 0.05 m/s at the door's edge holds for swings of w =
// sqrt(12 / I) = 1.63 rad/s up to 0.05 / (0.95 w sin(w / 4)) = 0.08 rad.
TEST(DoorsSwingAndClose)
{
    Show show = Open("swing_door");
    double widest = 0.0;
    for (int i = 0; i < 660; ++i)
    {
        tdStage_Step(show.stage);
        for (int node = 0; node < tdAsset_GetNodeCount(show.asset); ++node)
        {
            if (strcmp(tdAsset_GetNodeName(show.asset, node), "Door") == 0)
            {
                const float* m = tdActor_GetGlobals(show.actor)[node].m;
                double angle = fabs(atan2((double)m[8], (double)m[10]));
                widest = fmax(widest, angle);
                ENSURE(i < 659 || angle < 0.08);
            }
        }
    }
    ENSURE(widest > 0.5);
    ENSURE(GetMatrix(&show, "Ball")[14] < -2.0f);
    Close(&show);
}

TEST(FiltersDecideWhoFalls)
{
    static const struct
    {
        const char* name;
        bool falls;
    } balls[] = {
        {"Red on red only", false},     {"Blue on red only", true},     {"Grey on red only", false},
        {"Red on all but blue", false}, {"Blue on all but blue", true}, {"Grey on all but blue", false},
        {"Red on everybody", false},    {"Blue on everybody", false},   {"Grey on everybody", false},
    };
    Show show = Open("who_collides");
    Run(&show, 2.0);
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; ++i)
    {
        if (balls[i].falls)
        {
            ENSURE(GetHeight(&show, balls[i].name) < -5.0);
        }
        else
        {
            // Radius 0.3 on a floor whose top is at 0.1.
            ENSURE_NEAR(GetHeight(&show, balls[i].name), 0.4, 0.01);
        }
    }
    Close(&show);
}

TEST_MAIN(RUN(AllDominoesFall) RUN(CradlePassesTheImpulseOn) RUN(CatapultHitsTheTower) RUN(BridgeHolds)
              RUN(MarblesPassTheGate) RUN(DoorsSwingAndClose) RUN(FiltersDecideWhoFalls))
