// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joint frames on animated nodes: a frame follows its node from its pose at time 0, with or without a motion,
// a collider or an ancestor that is animated. References are the animated poses.
#include "runtime/physics_stage.h"

#include "tendon/physics.h"

#define WELD                                                                                                 \
    "'physicsJoints':[{'limits':[{'linearAxes':[0,1,2],'min':0,'max':0},{'angularAxes':[0,1,2],'min':0,"     \
    "'max':0}]},{'limits':[{'linearAxes':[0,1,2],'min':0,'max':0}]}]"
#define JOINT(index, other) "'joint':{'joint':" #index ",'connectedNode':" #other "}"
#define LAMP(more) RB("'motion':{'mass':1,'gravityFactor':0.5},'collider':{" SHAPE(0) "}" more)
#define SMALL_BOX "{'type':'box','box':{'size':[0.2,0.2,0.2]}}"

static const float times[3] = {0.0f, 1.0f, 2.0f};

/// Largest distance of two nodes over some seconds, after `settled` seconds.
static double FindGap(Play* play, int a, int b, double seconds, double settled)
{
    double worst = 0.0;
    for (int i = 1; i <= (int)(seconds * 60.0 + 0.5); ++i)
    {
        StepFor(play->stage, 1.0 / 60.0);
        if (i / 60.0 > settled)
        {
            worst = fmax(worst, (double)tdDistance(GetPosition(play, a), GetPosition(play, b)));
        }
    }
    return worst;
}

TEST(WeldsFollowPlainNodes)
{
    // The frame's own node moves; the lamp is welded to it.
    static const float way[9] = {0, 0, 0, 0.5f, 0.2f, 0, 0.5f, 1, -1};
    Channel channel = {"/nodes/0/translation", 3, 3, times, way, false};
    Play play = OpenScene("{" RB(JOINT(0, 1)) "},{" LAMP("") "}", SMALL_BOX, WELD, &channel, 1);
    ENSURE_NEAR(FindGap(&play, 0, 1, 3.0, 0.0), 0.0, 3e-3);
    tdVec3 p = GetPosition(&play, 1);
    ENSURE_NEAR(p.x, 0.5, 1e-3);
    ENSURE_NEAR(p.y, 1.0, 1e-3);
    ENSURE_NEAR(p.z, -1.0, 1e-3);
    ClosePlay(&play);
}

TEST(WeldsFollowAnimatedAncestors)
{
    // An ancestor turns by 1.2 rad about y in two seconds, twice as large on the way: the socket at x = 0.8
    // goes to 1.6 (cos, 0, -sin).
    static const float turn[12] = {0, 0,           0, 1,           0, 0.29552021f,
                                   0, 0.95533649f, 0, 0.56464247f, 0, 0.82533561f};
    static const float size[9] = {1, 1, 1, 1.5f, 1.5f, 1.5f, 2, 2, 2};
    Channel channels[2] = {{"/nodes/0/rotation", 4, 3, times, turn, false},
                           {"/nodes/0/scale", 3, 3, times, size, false}};
    Play play =
        OpenScene("{'children':[1]},{'translation':[0,0.1,0],'children':[2]},"
                  "{'translation':[0.8,-0.1,0]," RB(JOINT(0, 3)) "},{'translation':[0.8,0,0]," LAMP("") "}",
                  SMALL_BOX, WELD, channels, 2);
    ENSURE_NEAR(FindGap(&play, 2, 3, 3.0, 0.0), 0.0, 5e-3);
    tdVec3 p = GetPosition(&play, 3);
    ENSURE_NEAR(p.x, 1.6 * cos(1.2), 2e-3);
    ENSURE_NEAR(p.z, -1.6 * sin(1.2), 2e-3);
    tdQuat q = tdRotationOfMat4(tdActor_GetGlobals(play.actor)[3]);
    ENSURE_NEAR(fabsf(q.y * turn[9] + q.w * turn[11]), 1.0, 1e-4);
    ClosePlay(&play);
}

TEST(FramesStartAtTheFirstKey)
{
    // The first key is 0.7 m above the rest pose, where the lamp is: nothing is pulled back to the rest pose.
    static const float way[9] = {0, 0.7f, 0, 0, 0.7f, 0, 0.4f, 0.7f, 0};
    Channel channel = {"/nodes/0/translation", 3, 3, times, way, false};
    Play play = OpenScene("{" RB(JOINT(0, 1)) "},{'translation':[0,0.7,0]," LAMP("") "}", SMALL_BOX, WELD,
                          &channel, 1);
    tdStage_Evaluate(play.stage, 0.0); // as programs do that record the first frame
    ENSURE_NEAR(FindGap(&play, 0, 1, 3.0, 0.0), 0.0, 2e-3);
    ENSURE_NEAR(GetPosition(&play, 1).x, 0.4, 1e-3);
    ClosePlay(&play);
}

TEST(StepsMoveFramesAtOnce)
{
    static const float way[9] = {0, 0, 0, 0.3f, 0, 0, 0.3f, 0.3f, 0};
    Channel channel = {"/nodes/0/translation", 3, 3, times, way, true};
    Play play = OpenScene("{" RB(JOINT(0, 1)) "},{" LAMP("") "}", SMALL_BOX, WELD, &channel, 1);
    ENSURE_NEAR(FindGap(&play, 0, 1, 0.9, 0.0), 0.0, 1e-3);
    StepFor(play.stage, 0.6); // half a second after the jump
    ENSURE_NEAR(FindGap(&play, 0, 1, 0.4, 0.0), 0.0, 5e-3);
    StepFor(play.stage, 0.6);
    ENSURE_NEAR(FindGap(&play, 0, 1, 0.5, 0.0), 0.0, 5e-3);
    ClosePlay(&play);
}

TEST(FramesBelowBodiesMoveWithinThem)
{
    // The frame of B moves by -1 m along x within its body, the frame of A stands still: the body moves +1 m.
    static const float way[9] = {0.5f, 0, 0, 0, 0, 0, -0.5f, 0, 0};
    Channel channel = {"/nodes/2/translation", 3, 3, times, way, false};
    Play play = OpenScene(
        "{'translation':[0.5,0,0]," RB(JOINT(0, 2)) "},{'children':[2]," LAMP("") "},"
                                                                                  "{'translation':[0.5,0,0]}",
        SMALL_BOX, WELD, &channel, 1);
    ENSURE_NEAR(FindGap(&play, 0, 2, 2.5, 0.0), 0.0, 1e-2);
    ENSURE_NEAR(GetPosition(&play, 1).x, 1.0, 1e-3);
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.0, 1e-3);
    ClosePlay(&play);
}

TEST(BothSidesMove)
{
    static const float wayA[9] = {0, 0, 0, 0, 0.5f, 0, 0, 1, 0}, wayB[9] = {0.5f, 0, 0, 0, 0, 0, -0.5f, 0, 0};
    Channel channels[2] = {{"/nodes/0/translation", 3, 3, times, wayA, false},
                           {"/nodes/2/translation", 3, 3, times, wayB, false}};
    Play play = OpenScene("{" RB(JOINT(0, 2)) "},{'translation':[-0.5,0,0],'children':[2]," LAMP(
                              "") "},"
                                  "{'translation':[0.5,0,0]}",
                          SMALL_BOX, WELD, channels, 2);
    ENSURE_NEAR(FindGap(&play, 0, 2, 2.5, 0.0), 0.0, 1e-2);
    ENSURE_NEAR(GetPosition(&play, 1).x, 0.5, 2e-3);
    ENSURE_NEAR(GetPosition(&play, 1).y, 1.0, 2e-3);
    ClosePlay(&play);
}

TEST(ScaleOfABodyMovesItsJointPoints)
{
    // The frame is 0.5 m right of the body's node, which is scaled to twice its size: the body hangs 1 m left
    // of the fixed frame of A.
    static const float size[9] = {1, 1, 1, 1.5f, 1.5f, 1.5f, 2, 2, 2};
    Channel channel = {"/nodes/1/scale", 3, 3, times, size, false};
    Play play = OpenScene(
        "{'translation':[0.5,0,0]," RB(JOINT(0, 2)) "},{'children':[2]," LAMP("") "},"
                                                                                  "{'translation':[0.5,0,0]}",
        SMALL_BOX, WELD, &channel, 1);
    ENSURE_NEAR(FindGap(&play, 0, 2, 2.5, 0.0), 0.0, 1e-2);
    ENSURE_NEAR(GetPosition(&play, 1).x, -0.5, 2e-3);
    ClosePlay(&play);
}

TEST(FramesBelowStaticCollidersKeepTheirExclusion)
{
    // The frame moves within the wall, whose collider stands still, and takes the lamp through the wall; a
    // second lamp without a joint rests on the wall.
    static const float way[9] = {0, 2, 0, 0, 0, 0, 0, -2, 0};
    Channel channel = {"/nodes/1/translation", 3, 3, times, way, false};
    const char* nodes = "{'children':[1]," RB("'collider':{" SHAPE(1) "}") "},{'translation':[0,2,0]," RB(
        JOINT(1, 2)) "},{'translation':[0,2,0]," LAMP("") "},{'translation':[0.4,0.6,0]," LAMP("") "}";
    Play play = OpenScene(nodes, SMALL_BOX ",{'type':'box'}", WELD, &channel, 1);
    ENSURE_NEAR(FindGap(&play, 1, 2, 2.5, 0.0), 0.0, 1e-2);
    ENSURE_NEAR(GetPosition(&play, 2).y, -2.0, 5e-3);
    ENSURE_NEAR(GetPosition(&play, 3).y, 0.6, 5e-3);
    ClosePlay(&play);
}

TEST(FramesRideOnAnimatedColliders)
{
    // The collider's own node moves; the frame is below it and stands still there.
    static const float way[9] = {0, 0, 0, 0.5f, 0.5f, 0, 1, 0, 0};
    Channel channel = {"/nodes/0/translation", 3, 3, times, way, false};
    Play play = OpenScene("{'children':[1]," RB("'collider':{" SHAPE(1) "}") "},{'translation':[0,1,0]," RB(
                              JOINT(0, 2)) "},{'translation':[0,1,0]," LAMP("") "}",
                          SMALL_BOX ",{'type':'box'}", WELD, &channel, 1);
    ENSURE_NEAR(FindGap(&play, 1, 2, 2.5, 0.0), 0.0, 3e-3);
    ENSURE_NEAR(GetPosition(&play, 2).x, 1.0, 1e-3);
    ClosePlay(&play);
}

TEST(ApplicationsMoveFrames)
{
    Play play = OpenScene("{" RB(JOINT(0, 1)) "},{" LAMP("") "}", SMALL_BOX, WELD, NULL, 0);
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.0, 1e-3);
    for (int i = 1; i <= 60; ++i)
    {
        tdTrs local = tdTrs_identity;
        local.translation.y = (float)i / 60.0f;
        tdActor_SetLocal(play.actor, 0, TD_LOCAL_TRANSLATION, local);
        StepFor(play.stage, 1.0 / 60.0);
    }
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(GetPosition(&play, 1).y, 1.0, 1e-3);
    ClosePlay(&play);
}

TEST(BodiesBelowAnimatedNodesStartAtTheFirstKey)
{
    // The parent's first key is 1 m above its rest pose and a quarter turn about y from it: the body starts
    // there, with its velocity of 1 m/s along its own x, which is -z now.
    static const float way[9] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
    static const float turn[12] = {0, 0.70710678f, 0, 0.70710678f, 0, 0.70710678f,
                                   0, 0.70710678f, 0, 0.70710678f, 0, 0.70710678f};
    Channel channels[2] = {{"/nodes/0/translation", 3, 3, times, way, false},
                           {"/nodes/0/rotation", 4, 3, times, turn, false}};
    Play play = OpenScene("{'children':[1]},{'translation':[2,0,0]," RB(
                              "'motion':{'mass':1,'gravityFactor':0,'linearVelocity':[1,0,0]}") "}",
                          SMALL_BOX, "", channels, 2);
    tdStage_Evaluate(play.stage, 0.0);
    tdVec3 p = GetPosition(&play, 1);
    ENSURE_NEAR(p.x, 0.0, 1e-5);
    ENSURE_NEAR(p.y, 1.0, 1e-5);
    ENSURE_NEAR(p.z, -2.0, 1e-5);
    StepFor(play.stage, 1.0);
    p = GetPosition(&play, 1);
    ENSURE_NEAR(p.x, 0.0, 1e-4);
    ENSURE_NEAR(p.y, 1.0, 1e-4);
    ENSURE_NEAR(p.z, -3.0, 1e-4);
    ClosePlay(&play);
}

static int CountBodies(const Play* play)
{
    return tdWorld_GetStats(tdStage_GetWorld(play->stage)).bodyCount;
}

TEST(UnmovedFramesMakeNoBodies)
{
    Play play = OpenScene("{" RB(JOINT(0, 1)) "},{" LAMP("") "}", SMALL_BOX, WELD, NULL, 0);
    int before = CountBodies(&play);
    StepFor(play.stage, 0.5);
    ENSURE_EQUAL_INT(CountBodies(&play), before);
    ClosePlay(&play);
}

TEST_MAIN(RUN(WeldsFollowPlainNodes) RUN(WeldsFollowAnimatedAncestors) RUN(FramesStartAtTheFirstKey)
              RUN(StepsMoveFramesAtOnce) RUN(FramesBelowBodiesMoveWithinThem) RUN(BothSidesMove)
                  RUN(ScaleOfABodyMovesItsJointPoints) RUN(FramesBelowStaticCollidersKeepTheirExclusion)
                      RUN(FramesRideOnAnimatedColliders) RUN(ApplicationsMoveFrames)
                          RUN(BodiesBelowAnimatedNodesStartAtTheFirstKey) RUN(UnmovedFramesMakeNoBodies))
