// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// When a compound trigger is entered and left: with the first of its parts that is entered and the last that
// is left.
#include "runtime/physics_stage.h"

#include "tendon/physics.h"

#define BALL "{'type':'sphere','sphere':{'radius':0.25}}"
#define PART(x) "{'translation':[" #x ",0,0]," RB("'trigger':{" SHAPE(1) "}") "}"

/// Step in which the ball entered or left the trigger of a node; -1: never.
typedef struct Visit
{
    int entered, left;
} Visit;

TEST(CompoundsAreLeftWithTheirLastPart)
{
    // A ball of radius 0.25 flies at 2 m/s along X from 0. Boxes of edge 1 at 2, 2.6 and 3.2: a part is
    // entered when its near side is a radius away and left when the ball's centre is a radius past the far
    // side.
    Play play = OpenScene("{" RB("'trigger':{'nodes':[1,2,3]}") ",'children':[1,2,3]}," PART(2) "," PART(
                              2.6) "," PART(3.2) ",{" RB("'motion':{'gravityFactor':0,'linearVelocity':[2,0,"
                                                         "0],'mass':1},'collider':{" SHAPE(0) "}") "}",
                          BALL ",{'type':'box'}", "", NULL, 0);
    Visit visits[4] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    int events = 0;
    for (int i = 1; i <= 180; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        tdStageEvents list = tdStage_GetEvents(play.stage);
        for (int k = 0; k < list.triggerCount; ++k)
        {
            Visit* visit = &visits[list.triggers[k].triggerNode];
            *(list.triggers[k].entered ? &visit->entered : &visit->left) = i;
            events += 1;
        }
    }
    ENSURE_EQUAL_INT(events, 8); // each of the four once in, once out
    static const double places[3] = {2.0, 2.6, 3.2};
    for (int part = 0; part < 3; ++part)
    {
        double enters = (places[part] - 0.5 - 0.25) / 2.0, leaves = (places[part] + 0.5 + 0.25) / 2.0;
        ENSURE_NEAR(visits[1 + part].entered / 60.0, enters, 1.6 / 60.0);
        ENSURE_NEAR(visits[1 + part].left / 60.0, leaves, 1.6 / 60.0);
    }
    ENSURE_EQUAL_INT(visits[0].entered, visits[1].entered);
    ENSURE_EQUAL_INT(visits[0].left, visits[3].left);
    ClosePlay(&play);
}

TEST(FastVisitorsPassCompoundsOnce)
{
    // A ball at 300 m/s moves 5 m in a step: it passes one, two or all of three parts that overlap.
    Play play =
        OpenScene("{" RB("'trigger':{'nodes':[1,2,3]}") ",'children':[1,2,3]}," PART(2) "," PART(
                      2.6) "," PART(3.2) ",{" RB("'motion':{'gravityFactor':0,'linearVelocity':[300,0,"
                                                 "0],'mass':1},'collider':{" SHAPE(0) "}") "}",
                  BALL ",{'type':'box'}", "", NULL, 0);
    int entered[4] = {0}, left[4] = {0};
    for (int i = 0; i < 5; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        tdStageEvents list = tdStage_GetEvents(play.stage);
        for (int k = 0; k < list.triggerCount; ++k)
        {
            int node = list.triggers[k].triggerNode;
            ENSURE(list.triggers[k].entered ? entered[node] == left[node] : entered[node] == left[node] + 1);
            *(list.triggers[k].entered ? &entered[node] : &left[node]) += 1;
        }
    }
    for (int node = 0; node < 4; ++node)
    {
        ENSURE_EQUAL_INT(entered[node], 1);
        ENSURE_EQUAL_INT(left[node], 1);
    }
    ClosePlay(&play);
}

static int CountEvents(Play* play, int steps)
{
    int count = 0;
    for (int i = 0; i < steps; ++i)
    {
        StepFor(play->stage, 1.0 / 60.0);
        count += tdStage_GetEvents(play->stage).triggerCount;
    }
    return count;
}

TEST(TriggersDoNotReportTheirOwnNode)
{
    // A collider and a trigger on one static node, and on the node of a compound with one part: only the part
    // reports the collider of the compound's node.
    Play play = OpenScene("{" RB("'trigger':{" SHAPE(1) "},'collider':{" SHAPE(0) "}") "}",
                          BALL ",{'type':'box'}", "", NULL, 0);
    ENSURE_EQUAL_INT(CountEvents(&play, 10), 0);
    ClosePlay(&play);
    play =
        OpenScene("{" RB("'trigger':{'nodes':[1]},'collider':{" SHAPE(0) "}") ",'children':[1]}," PART(0.1),
                  BALL ",{'type':'box'}", "", NULL, 0);
    StepFor(play.stage, 1.0 / 60.0);
    tdStageEvents events = tdStage_GetEvents(play.stage);
    ENSURE_EQUAL_INT(events.triggerCount, 1);
    ENSURE(events.triggerCount == 1 && events.triggers[0].triggerNode == 1 &&
           events.triggers[0].visitorNode == 0);
    ENSURE_EQUAL_INT(CountEvents(&play, 10), 0);
    ClosePlay(&play);
    // On a body that moves: neither.
    play = OpenScene("{" RB("'motion':{'mass':1},'trigger':{'nodes':[1]},'collider':{" SHAPE(
                         0) "}") ",'children':[1]}," PART(0.1),
                     BALL ",{'type':'box'}", "", NULL, 0);
    ENSURE_EQUAL_INT(CountEvents(&play, 10), 0);
    ClosePlay(&play);
}

TEST(AnimatedTriggersKeepTheirSleepers)
{
    // A ball sleeps on a floor inside a trigger, whose animation begins after two seconds and moves it by
    // 0.5 m: it stays around the ball.
    static const float times[] = {0.0f, 2.0f, 4.0f}, values[] = {0, 0, 0, 0, 0, 0, 0.5f, 0, 0};
    Channel channel = {
        .target = "/nodes/0/translation", .width = 3, .keyCount = 3, .times = times, .values = values};
    Play play = OpenScene(
        "{" RB("'trigger':{" SHAPE(2) "}") "},{'translation':[0,0.75,0]," RB(
            "'motion':{'mass':1},'collider':{" SHAPE(0) "}") "},{" RB("'collider':{" SHAPE(1) "}") "}",
        BALL ",{'type':'box'},{'type':'box','box':{'size':[4,4,4]}}", "", &channel, 1);
    int entered = 0, left = 0;
    for (int i = 0; i < 300; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        tdStageEvents events = tdStage_GetEvents(play.stage);
        for (int k = 0; k < events.triggerCount; ++k)
        {
            entered += events.triggers[k].entered ? 1 : 0;
            left += events.triggers[k].entered ? 0 : 1;
        }
    }
    ENSURE_EQUAL_INT(entered, 2); // the ball and the floor
    ENSURE_EQUAL_INT(left, 0);
    ClosePlay(&play);
}

TEST_MAIN(RUN(CompoundsAreLeftWithTheirLastPart) RUN(FastVisitorsPassCompoundsOnce)
              RUN(TriggersDoNotReportTheirOwnNode) RUN(AnimatedTriggersKeepTheirSleepers))
