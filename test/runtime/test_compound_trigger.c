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

TEST_MAIN(RUN(CompoundsAreLeftWithTheirLastPart))
