// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the physical scenes of examples/: each behaves as its name says.
#include "harness.h"

#include "tendon/tendon.h"

#define PI 3.14159265358979
#define GRAVITY 9.81

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

static int FindNode(const Show* show, const char* name)
{
    int node = tdAsset_FindNode(show->asset, name);
    ENSURE(node >= 0);
    return node >= 0 ? node : 0;
}

static int FindNumbered(const Show* show, const char* name, int number)
{
    char text[32];
    snprintf(text, sizeof text, "%s %d", name, number);
    return FindNode(show, text);
}

static const float* GetMatrixOf(const Show* show, int node)
{
    return tdActor_GetGlobals(show->actor)[node].m;
}

static const float* GetMatrix(const Show* show, const char* name)
{
    return GetMatrixOf(show, FindNode(show, name));
}

static double GetHeight(const Show* show, const char* name)
{
    return (double)GetMatrix(show, name)[13];
}

// The dominoes fall one after the other, about a tenth of a second apart. Each comes to rest on the next, the
// last one flat, and none moves farther from its place than a little over its own height of 0.5 m.
TEST(DominoesFallOneAfterTheOther)
{
    Show show = Open("domino_run");
    int nodes[17];
    double fell[17] = {0}, starts[17][2];
    for (int i = 1; i <= 16; ++i)
    {
        nodes[i] = FindNumbered(&show, "Domino", i);
        starts[i][0] = (double)GetMatrixOf(&show, nodes[i])[12];
        starts[i][1] = (double)GetMatrixOf(&show, nodes[i])[14];
    }
    for (int step = 1; step <= 480; ++step)
    {
        tdStage_Step(show.stage);
        for (int i = 1; i <= 16; ++i)
        {
            // The long axis, Y, leans by more than 45 degrees.
            if (fell[i] == 0.0 && GetMatrixOf(&show, nodes[i])[5] < 0.7071f)
            {
                fell[i] = step / 60.0;
            }
        }
    }
    for (int i = 1; i <= 16; ++i)
    {
        const float* m = GetMatrixOf(&show, nodes[i]);
        ENSURE(fell[i] > 1.0 && fell[i] < 4.0); // the ball arrives after a second
        // The first ones are hit hard rather than leaned on, and may pass 45 degrees a moment before their
        // predecessor.
        ENSURE(i == 1 || (fell[i] > fell[i - 1] - 0.05 && fell[i] < fell[i - 1] + 0.25));
        ENSURE(fabsf(m[5]) < 0.35f && m[13] > 0.04f); // half of its thickness minus a centimetre
        ENSURE(hypot((double)m[12] - starts[i][0], (double)m[14] - starts[i][1]) < 0.6);
    }
    ENSURE_NEAR(GetMatrixOf(&show, nodes[16])[5], 0.0, 0.02);
    Close(&show);
}

#define ROD 4.0

/// Height of a ball above its lowest point.
static double GetRise(const Show* show, int ball)
{
    return (double)GetMatrixOf(show, ball)[13] - 0.9;
}

/// Kinetic and potential energy per kg of the five balls (0.3 m) on their rods.
static double GetEnergy(const Show* show, const int* balls)
{
    double energy = 0.0;
    for (int i = 0; i < 5; ++i)
    {
        tdVec3 v = tdActor_GetLinearVelocity(show->actor, balls[i]);
        double square = (double)(v.x * v.x + v.y * v.y + v.z * v.z);
        energy += 0.5 * square * (1.0 + 0.4 * 0.09 / (ROD * ROD)) + GRAVITY * GetRise(show, balls[i]);
    }
    return energy;
}

// The last ball rises as high as the first one was lifted, then the first again, while the others hang.
TEST(CradlePassesTheImpulseToAndFro)
{
    Show show = Open("newtons_cradle");
    int balls[5];
    for (int i = 0; i < 5; ++i)
    {
        balls[i] = FindNumbered(&show, "Ball", i + 1);
    }
    tdStage_Evaluate(show.stage, 0.0);
    double start = ROD * (1.0 - cos(30.0 * PI / 180.0)), energy = GRAVITY * start;
    ENSURE_NEAR(GetRise(&show, balls[0]), start, 1e-4);
    // Half a period of a pendulum: pi sqrt(L/g) / AGM(1, cos 15 deg).
    double half = PI * sqrt(ROD / GRAVITY) / (0.5 * (1.0 + cos(15.0 * PI / 180.0)));
    double rises[4] = {0}; // of the ball that should swing out, per half period
    double middle = 0.0;   // largest deflection of the balls between in the first two half periods
    for (int step = 0; step < (int)(4.0 * half * 60.0); ++step)
    {
        tdStage_Step(show.stage);
        // Each outward swing takes half a period about the times half, 2 half, ...
        int swing = (int)(tdStage_GetTime(show.stage) / half - 0.5);
        if (tdStage_GetTime(show.stage) > 0.5 * half && swing < 4)
        {
            rises[swing] = fmax(rises[swing], GetRise(&show, balls[swing % 2 == 0 ? 4 : 0]));
        }
        for (int i = 1; i < 4 && swing < 2; ++i)
        {
            middle = fmax(middle, fabs((double)GetMatrixOf(&show, balls[i])[12] - 0.6 * (i - 2)));
        }
        ENSURE(GetEnergy(&show, balls) < 1.005 * energy); // no energy is created
    }
    ENSURE(rises[0] > 0.99 * start && rises[0] < 1.002 * start);
    ENSURE(rises[1] > 0.98 * start && rises[1] < 1.002 * start);
    ENSURE(rises[2] > 0.97 * start && rises[3] > 0.96 * start);
    ENSURE(middle < 0.005);
    ENSURE(GetEnergy(&show, balls) > 0.96 * energy);
    Close(&show);
}

// The stone flies freely from the arm (a parabola between two times of its flight) and topples the tower.
TEST(CatapultFellsTheTower)
{
    Show show = Open("catapult");
    int stone = FindNode(&show, "Stone");
    Run(&show, 0.5);
    const float* m = GetMatrixOf(&show, stone);
    double x = (double)m[12], y = (double)m[13];
    tdVec3 v = tdActor_GetLinearVelocity(show.actor, FindNode(&show, "Arm"));
    ENSURE_NEAR(v.x, 0.0, 0.1); // the stop holds the arm
    Run(&show, 0.25);
    double vx = ((double)m[12] - x) / 0.25, vy = ((double)m[13] - y + 0.5 * GRAVITY * 0.0625) / 0.25;
    ENSURE(vx > 10.0 && vy > 0.5);
    Run(&show, 0.25);
    ENSURE_NEAR((double)m[12], x + vx * 0.5, 0.01);
    ENSURE_NEAR((double)m[13], y + vy * 0.5 - 0.5 * GRAVITY * 0.25, 0.01);
    ENSURE_NEAR(GetHeight(&show, "Crate 4"), 3.5, 0.01); // still in flight
    Run(&show, 4.0);
    for (int i = 1; i <= 4; ++i)
    {
        // On the ground, flat or leaning against another; on top of another crate its centre would be at 1 m
        // or above.
        float height = GetMatrixOf(&show, FindNumbered(&show, "Crate", i))[13];
        ENSURE(height > 0.49f && height < 0.87f); // half of a side to half of a space diagonal
    }
    ENSURE(GetMatrix(&show, "Crate 4")[12] > 14.0f); // thrown over from x = 11
    Close(&show);
}

// Both ends of every rope stay joined, and the bridge, which sags by 0.6 m, carries the crate: the crate is
// still on it after ten seconds.
TEST(BridgeCarriesTheCrate)
{
    Show show = Open("rope_bridge");
    int jointCount = tdDescribeAsset(show.asset).jointCount;
    ENSURE_EQUAL_INT(jointCount, 26);
    double widest = 0.0, now = 0.0;
    for (int step = 0; step < 600; ++step)
    {
        tdStage_Step(show.stage);
        now = 0.0;
        for (int i = 0; i < jointCount; ++i)
        {
            tdJointInfo joint = tdDescribeJoint(show.asset, i);
            const float* from = GetMatrixOf(&show, joint.node);
            const float* to = GetMatrixOf(&show, joint.connectedNode);
            double dx = (double)(from[12] - to[12]), dy = (double)(from[13] - to[13]),
                   dz = (double)(from[14] - to[14]);
            now = fmax(now, sqrt(dx * dx + dy * dy + dz * dz));
        }
        widest = fmax(widest, now);
    }
    ENSURE(widest < 0.02); // while 20 kg land from 1.5 m above
    ENSURE(now < 0.003);
    double crate = GetHeight(&show, "Crate");
    ENSURE(crate > GetHeight(&show, "Plank 7") + 0.25 && crate < GetHeight(&show, "Plank 7") + 0.35);
    ENSURE(GetHeight(&show, "Plank 7") > -0.75 && GetHeight(&show, "Plank 7") < -0.5);
    ENSURE(fabsf(GetMatrix(&show, "Crate")[14]) < 0.2f); // in the middle
    Run(&show, 0.1);
    ENSURE_NEAR(GetHeight(&show, "Crate"), crate, 0.03); // nothing damps the bridge: it still swings a little
    Close(&show);
}

// The wall stands until the ball arrives with the speed of its fall. Then the middle gives way, the lowest
// course stays, and the chain holds.
TEST(BallBreaksTheWall)
{
    Show show = Open("wrecking_ball");
    double top = 0.36 * 11.5, fall = 8.0 - 6.1 * cos(65.0 * PI / 180.0), fastest = 0.0, widest = 0.0;
    ENSURE_NEAR(GetHeight(&show, "Ball"), fall, 1e-4);
    for (int step = 0; step < 240; ++step)
    {
        const float* ball = GetMatrix(&show, "Ball");
        float x = ball[12], y = ball[13], z = ball[14];
        tdStage_Step(show.stage);
        ball = GetMatrix(&show, "Ball");
        double dx = (double)(ball[12] - x), dy = (double)(ball[13] - y), dz = (double)(ball[14] - z);
        fastest = fmax(fastest, 60.0 * sqrt(dx * dx + dy * dy + dz * dz));
        for (int i = 0; i < tdDescribeAsset(show.asset).jointCount; ++i)
        {
            tdJointInfo joint = tdDescribeJoint(show.asset, i);
            const float* from = GetMatrixOf(&show, joint.node);
            const float* to = GetMatrixOf(&show, joint.connectedNode);
            widest = fmax(widest, fabs((double)(from[12] - to[12])) + fabs((double)(from[13] - to[13])) +
                                      fabs((double)(from[14] - to[14])));
        }
        if (step == 60)
        {
            ENSURE_NEAR(GetHeight(&show, "Brick 12.6"), top, 0.012); // a millimetre per course
            ENSURE_NEAR(GetMatrix(&show, "Brick 5.5")[12], 0.4, 0.005);
        }
    }
    // The chain is massive: its links exchange energy with the ball. Within a tenth of free fall.
    ENSURE_NEAR(fastest, sqrt(2.0 * GRAVITY * (fall - 1.9)), 0.1 * fastest);
    ENSURE(widest < 0.005);
    ENSURE(GetMatrix(&show, "Brick 6.5")[12] > 1.5f || GetHeight(&show, "Brick 6.5") < 1.0);
    ENSURE_NEAR(GetHeight(&show, "Brick 1.1"), 0.18, 0.02);
    ENSURE_NEAR(GetHeight(&show, "Brick 1.9"), 0.18, 0.02);
    Close(&show);
}

// The marbles pass the gate once each, in the order of their start, then reach the tray.
TEST(MarblesPassTheGateInTurn)
{
    Show show = Open("marble_run");
    int gate = FindNode(&show, "Gate"), entered = 0, left = 0;
    for (int i = 0; i < 600; ++i)
    {
        tdStage_Step(show.stage);
        tdStageEvents events = tdStage_GetEvents(show.stage);
        for (int j = 0; j < events.triggerCount; ++j)
        {
            const tdTriggerEvent* event = &events.triggers[j];
            ENSURE_EQUAL_INT(event->triggerNode, gate);
            if (event->visitorBodyNode < 0)
            {
                continue; // the trough, which has no body and does not move
            }
            int* count = event->entered ? &entered : &left;
            ENSURE_EQUAL_INT(event->visitorBodyNode,
                             FindNumbered(&show, "Marble", 4 - (*count < 4 ? *count : 3)));
            *count += 1;
        }
    }
    ENSURE_EQUAL_INT(entered, 4);
    ENSURE_EQUAL_INT(left, 4);
    for (int i = 1; i <= 4; ++i)
    {
        // On the tray, whose top is at -2.1; radius 0.1.
        ENSURE_NEAR(GetMatrixOf(&show, FindNumbered(&show, "Marble", i))[13], -2.0, 0.01);
    }
    Close(&show);
}

// Moment of inertia of a door about its hinge: I = 15 * 0.95^2 / 3 + the offset's = 4.6. Stiffness 12 and
// damping 10 give a damping ratio of c / (2 sqrt(k I)) = 0.67, so a released door overshoots its frame by
// exp(-pi 0.67 / sqrt(1 - 0.67^2)) = 6 percent of its release angle, and then closes.
TEST(DoorsOpenWideAndCloseSoftly)
{
    Show show = Open("swing_door");
    int doors[2] = {-1, -1};
    for (int node = 0; node < tdAsset_GetNodeCount(show.asset); ++node)
    {
        if (strcmp(tdAsset_GetNodeName(show.asset, node), "Door") == 0)
        {
            doors[doors[0] < 0 ? 0 : 1] = node;
        }
    }
    double widest[2] = {0}, back[2] = {0}, angles[2] = {0};
    for (int i = 0; i < 480; ++i)
    {
        tdStage_Step(show.stage);
        for (int k = 0; k < 2; ++k)
        {
            const float* m = GetMatrixOf(&show, doors[k]);
            angles[k] = (k == 0 ? 1.0 : -1.0) * atan2((double)m[8], (double)m[10]);
            widest[k] = fmax(widest[k], angles[k]);
            back[k] = fmax(back[k], -angles[k]);
        }
    }
    for (int k = 0; k < 2; ++k)
    {
        ENSURE(widest[k] > 0.85 && widest[k] < 1.2); // rad: about fifty degrees
        ENSURE(back[k] < 0.08 * widest[k]);
        ENSURE_NEAR(angles[k], 0.0, 0.005);
    }
    ENSURE_NEAR(widest[0], widest[1], 0.03);
    ENSURE(GetMatrix(&show, "Ball")[14] < -4.0f); // it passed the doors
    ENSURE_NEAR(GetHeight(&show, "Ball"), 0.4, 0.01);
    Close(&show);
}

TEST(FiltersDecideCollision)
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
            // Free fall from the start, 1 m above the middle of the floor.
            ENSURE(GetHeight(&show, balls[i].name) < -15.0);
        }
        else
        {
            // Radius 0.3 on a floor whose top is at 0.1.
            ENSURE_NEAR(GetHeight(&show, balls[i].name), 0.4, 0.005);
        }
    }
    Close(&show);
}

TEST_MAIN(RUN(DominoesFallOneAfterTheOther) RUN(CradlePassesTheImpulseToAndFro) RUN(CatapultFellsTheTower)
              RUN(BridgeCarriesTheCrate) RUN(BallBreaksTheWall) RUN(MarblesPassTheGateInTurn)
                  RUN(DoorsOpenWideAndCloseSoftly) RUN(FiltersDecideCollision))
