// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Driven bodies and moved colliders: velocities, loops that teleport, moving ancestors, joint sides, first
// contacts.
#include "runtime/physics_stage.h"

#include "tendon/physics.h"

static const float second[2] = {0.0f, 1.0f};

#define PHYSICS(members) "'extensions':{'KHR_physics_rigid_bodies':{" members "}}"
#define AT(x, y, z) "'translation':[" #x "," #y "," #z "]"
#define COLLIDER(shape) "'collider':{'geometry':{'shape':" #shape "}}"
#define UNIT_BOX "{'type':'box'}"
#define SMALL_BALL "{'type':'sphere','sphere':{'radius':0.25}}"

static int CountTriggers(const Play* play, int triggerNode, int visitorNode, bool entered)
{
    tdStageEvents events = tdStage_GetEvents(play->stage);
    int count = 0;
    for (int i = 0; i < events.triggerCount; ++i)
    {
        const tdTriggerEvent* e = &events.triggers[i];
        count += e->triggerNode == triggerNode && e->visitorNode == visitorNode && e->entered == entered;
    }
    return count;
}

TEST(TriggersBelowABodyFollowClips)
{
    // The sensor is 2 m above its weightless body and is lowered by 4 m in a second: it meets the wall below
    // (top at -0.5) when its own lower side, 0.25 below its centre, gets there, at 2 - 4 t - 0.25 = -0.5.
    static const float way[6] = {0, 2, 0, 0, -2, 0};
    Channel channel = {"/nodes/1/translation", 3, 2, second, way, false};
    Play play =
        OpenScene("{" PHYSICS("'motion':{'mass':1,'gravityFactor':0}") ",'children':[1]},"
                                                                       "{" AT(0, 2, 0) "," PHYSICS(
                                                                           "'trigger':{'geometry':{'shape':0}"
                                                                           "}") "},"
                                                                                "{" AT(0, -1, 0) "," PHYSICS(
                                                                                    COLLIDER(1)) "}",
                  SMALL_BALL "," UNIT_BOX, "", &channel, 1);
    int entered = -1, count = 0;
    for (int i = 1; i <= 60; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        int now = CountTriggers(&play, 1, 2, true);
        count += now;
        entered = now > 0 ? i : entered;
    }
    ENSURE_EQUAL_INT(count, 1);
    ENSURE_NEAR(entered / 60.0, 2.25 / 4.0, 1.01 / 60.0); // at most a step later
    ENSURE_NEAR(GetPosition(&play, 0).y, 0.0, 0.0);       // the body itself stays
    ClosePlay(&play);
}

TEST(CollidersFollowConstraintsInsideTheirBody)
{
    // A rotation constraint copies the turn of node 0 (animated, no part of the body) to node 2 below the
    // body; the collider 2 m out on it goes along: a ray finds it where the lever points.
    static const float turn[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    Channel channel = {"/nodes/0/rotation", 4, 2, second, turn, false};
    Play play = OpenScene(
        "{},"
        "{" PHYSICS("'motion':{'mass':1,'gravityFactor':0}") ",'children':[2]},"
                                                             "{'extensions':{'VRMC_node_constraint':{'"
                                                             "specVersion':'1.0','constraint':"
                                                             "{'rotation':{'source':0}}}},'children':[3]},"
                                                             "{" AT(2, 0, 0) "," PHYSICS(COLLIDER(0)) "}",
        SMALL_BALL, "", &channel, 1);
    StepFor(play.stage, 1.0 / 60.0);
    tdStageHit hit;
    ENSURE(tdStage_CastRay(play.stage, (tdVec3){2, 5, 0}, (tdVec3){2, -5, 0}, NULL, -1, &hit));
    ENSURE_EQUAL_INT(hit.node, 3);
    StepFor(play.stage, 1.0);
    ENSURE(!tdStage_CastRay(play.stage, (tdVec3){2, 5, 0}, (tdVec3){2, -5, 0}, NULL, -1, &hit));
    ENSURE(tdStage_CastRay(play.stage, (tdVec3){-5, 2, 0}, (tdVec3){5, 2, 0}, NULL, -1, &hit));
    ENSURE_EQUAL_INT(hit.node, 3);
    ENSURE_NEAR(hit.point.x, -0.25, 0.01);
    ClosePlay(&play);
}

/// Speed of a body after a clip moved it at 2 m/s and 3 rad/s for some seconds.
static void EnsureGoesOn(float seconds)
{
    float times[2] = {0.0f, seconds};
    float way[6] = {0, 0, 0, 2.0f * seconds, 0, 0};
    float turn[8] = {0, 0, 0, 1, 0, sinf(1.5f * seconds), 0, cosf(1.5f * seconds)};
    Channel channels[2] = {{"/nodes/0/translation", 3, 2, times, way, false},
                           {"/nodes/0/rotation", 4, 2, times, turn, false}};
    Play play = OpenScene("{" PHYSICS("'motion':{'mass':1,'gravityFactor':0}," COLLIDER(0)) "}", SMALL_BALL,
                          "", channels, 2);
    StepFor(play.stage, 1.5);
    // In node space, whose Y axis is the one it turns about.
    tdVec3 velocity = tdActor_GetLinearVelocity(play.actor, 0);
    ENSURE_NEAR(tdLength(velocity), 2.0, 1e-3);
    ENSURE_NEAR(tdActor_GetAngularVelocity(play.actor, 0).y, 3.0, 2e-3);
    ClosePlay(&play);
}

// The clip ends with a step, in the middle of one, or just after one.
TEST(BodiesGoOnWithTheirClipsVelocity)
{
    EnsureGoesOn(1.0f);
    EnsureGoesOn(1.01f);
    EnsureGoesOn(1.0002f);
    EnsureGoesOn(0.9999f);
}

/// Moves a box up by 3 m and right by 4 m in a loop, with a ball between the last and the first position.
/// Gives the highest speed of the box and the position of the ball after two loops.
static void PlayLoop(const char* box, const float way[12], double* fastest, tdVec3* ball)
{
    static const float times[4] = {0.0f, 0.5f, 1.0f, 1.5f};
    Channel channel = {"/nodes/0/translation", 3, 4, times, way, false};
    char nodes[512];
    snprintf(nodes, sizeof(nodes),
             "{%s},{" AT(2, 1.5, 0) "," PHYSICS("'motion':{'mass':1,'gravityFactor':0}," COLLIDER(0)) "}",
             box);
    Play play = OpenScene(nodes, SMALL_BALL "," UNIT_BOX, "", &channel, 1);
    tdActor_Stop(play.actor, play.id);
    tdPlayDef def = tdDefaultPlayDef();
    def.loop = true;
    tdActor_Play(play.actor, play.clip, &def);
    *fastest = 0.0;
    for (int i = 1; i <= 200; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        *fastest = fmax(*fastest, (double)tdLength(tdActor_GetLinearVelocity(play.actor, 0)));
        double t = fmod(i / 60.0, 1.5) / 0.5;
        int key = (int)t < 2 ? (int)t : 2;
        double x = (double)way[3 * key] + (t - key) * (double)(way[3 * key + 3] - way[3 * key]);
        ENSURE_NEAR(GetPosition(&play, 0).x, x, 1e-3); // the clip overrides physics
    }
    *ball = GetPosition(&play, 1);
    ClosePlay(&play);
}

TEST(LoopsThatJumpPushNothing)
{
    static const float jump[12] = {0, 0, 0, 0, 3, 0, 2, 3, 0, 4, 3, 0};
    static const float seamless[12] = {0, 0, 0, 0, 3, 0, 0, 1.5f, 0, 0, 0, 0};
    double fastest;
    tdVec3 ball;
    PlayLoop(PHYSICS("'motion':{'isKinematic':true}," COLLIDER(1)), jump, &fastest, &ball);
    ENSURE_NEAR(fastest, 6.0, 0.01); // 3 m in half a second; the teleport adds no speed
    ENSURE_NEAR(tdDistance(ball, (tdVec3){2, 1.5f, 0}), 0.0, 0.0);
    PlayLoop(PHYSICS(COLLIDER(1)), jump, &fastest, &ball); // without a motion
    ENSURE_NEAR(tdDistance(ball, (tdVec3){2, 1.5f, 0}), 0.0, 0.0);
    PlayLoop(PHYSICS("'motion':{'isKinematic':true}," COLLIDER(1)), seamless, &fastest, &ball);
    ENSURE_NEAR(fastest, 6.0, 0.01);
}

TEST(KinematicBodiesDragJoints)
{
    // A hand without shape moves at 1 m/s, in its own space to the right, in the world upwards; a ball hangs
    // on it by a metre of rope and comes along.
    Play play =
        OpenScene("{'rotation':[0,0,0.70710678,0.70710678],"
                  "'children':[1]},{" PHYSICS(
                      "'motion':{'isKinematic':true,'linearVelocity':[1,0,0]},"
                      "'joint':{'joint':0,'connectedNode':2}") "},"
                                                               "{" AT(0, -1, 0) "," PHYSICS(
                                                                   "'motion':{'mass':2}," COLLIDER(0)) "}",
                  SMALL_BALL, "'physicsJoints':[{'limits':[{'linearAxes':[0,1,2],'max':1}]}]", NULL, 0);
    StepFor(play.stage, 2.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 2.0, 1e-4);
    ENSURE_NEAR(GetPosition(&play, 1).x, 0.0, 1e-5);
    ENSURE_NEAR(GetPosition(&play, 2).y, 1.0, 0.005);
    ClosePlay(&play);
}

TEST(KinematicSpinIsConstantInTheWorld)
{
    // About the node's Y axis, which points along X of the world: a quarter turn in half a second.
    Play play = OpenScene("{'rotation':[0,0,-0.70710678,0.70710678]," PHYSICS(
                              "'motion':{'isKinematic':true,'angularVelocity':[0,3.14159265,0],"
                              "'gravityFactor':5}," COLLIDER(0)) "}",
                          UNIT_BOX, "", NULL, 0);
    StepFor(play.stage, 0.5);
    tdQuat q = tdRotationOfMat4(tdActor_GetGlobals(play.actor)[0]);
    tdQuat start = {0, 0, -0.70710678f, 0.70710678f};
    tdQuat turn = {0.70710678f, 0, 0, 0.70710678f}; // about X by 90 degrees
    ENSURE_NEAR(tdAngleBetween(q, tdMulQuat(turn, start)), 0.0, 1e-3);
    ENSURE_NEAR(tdLength(GetPosition(&play, 0)), 0.0, 0.0);
    ClosePlay(&play);
}

TEST(InfiniteMassWithFiniteInertiaTurns)
{
    // A wheel fixed in space: mass 0, moments 2. An impulse of 4 N s at 0.5 m from its centre gives it
    // 4 * 0.5 / 2 = 1 rad/s, and no gravity pulls it down.
    Play play = OpenScene("{" PHYSICS("'motion':{'mass':0,'inertiaDiagonal':[2,2,2]}," COLLIDER(0)) "}",
                          UNIT_BOX, "", NULL, 0);
    tdActor_ApplyPointImpulse(play.actor, 0, (tdVec3){0, 4, 0}, (tdVec3){0.5f, 0, 0});
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(tdActor_GetAngularVelocity(play.actor, 0).z, 1.0, 1e-4);
    ENSURE_NEAR(tdLength(GetPosition(&play, 0)), 0.0, 0.0);
    ClosePlay(&play);
}

/// Distance of two boxes that overlap by half and are held near each other by a joint.
static bool PushApart(const char* joints)
{
    char nodes[1024];
    snprintf(
        nodes, sizeof(nodes),
        "{" PHYSICS("'motion':{'mass':1,'gravityFactor':0}," COLLIDER(
            0)) ",'children':[2,3]},"
                "{" AT(0.5, 0, 0) "," PHYSICS("'motion':{'mass':1,'gravityFactor':0}," COLLIDER(0)) "},%s",
        joints);
    Play play =
        OpenScene(nodes, UNIT_BOX, "'physicsJoints':[{'limits':[{'linearAxes':[0],'max':2}]}]", NULL, 0);
    StepFor(play.stage, 1.0);
    float apart = GetPosition(&play, 1).x - GetPosition(&play, 0).x;
    ClosePlay(&play);
    ENSURE(fabsf(apart - 0.5f) < 0.01f || apart > 0.95f);
    return apart > 0.9f;
}

TEST(AnyJointThatForbidsCollisionDoes)
{
#define JOINT(enable) "{" PHYSICS("'joint':{'joint':0,'connectedNode':1,'enableCollision':" enable "}") "}"
    ENSURE(PushApart(JOINT("true") "," JOINT("true")));
    ENSURE(!PushApart(JOINT("true") "," JOINT("false")));
    ENSURE(!PushApart(JOINT("false") "," JOINT("true")));
}

/// Lowest height of a ball on a vertical rail that starts at a static box.
static float SlideDown(const char* enable)
{
    char nodes[1024];
    snprintf(nodes, sizeof(nodes),
             "{" PHYSICS(COLLIDER(1)) ",'children':[1]},{'children':[2]},"
                                      "{" PHYSICS("'joint':{'joint':0,'connectedNode':3,'enableCollision':%"
                                                  "s}") "},"
                                                        "{" AT(0, 2, 0) "," PHYSICS(
                                                            "'motion':{'mass':1}," COLLIDER(0)) "}",
             enable);
    Play play = OpenScene(nodes, SMALL_BALL "," UNIT_BOX,
                          "'physicsJoints':[{'limits':[{'linearAxes':[0,2],'min':0,'max':0},"
                          "{'linearAxes':[1],'min':-2}]}]",
                          NULL, 0);
    StepFor(play.stage, 2.0);
    float y = GetPosition(&play, 3).y;
    ClosePlay(&play);
    return y;
}

// The joint's node is two levels below the box: the box is the side without a motion
// (docs/spec/physics.md 6.5).
TEST(StaticSideOfAJointDoesNotCollideEither)
{
    ENSURE_NEAR(SlideDown("false"), -2.0, 0.005);
    ENSURE_NEAR(SlideDown("true"), 0.75, 0.005); // rests on the box
}

/// Height after 0.6 s of a ball thrown up at 6 m/s from 1 m below a sheet; without the sheet -1 + 3.6 - 1.8
/// m.
static float ThrowUp(const char* plane)
{
    char shapes[256];
    snprintf(shapes, sizeof(shapes), SMALL_BALL ",{'type':'plane','plane':{'sizeX':4,'sizeZ':4%s}}", plane);
    Play play =
        OpenScene("{" AT(0, -1, 0) "," PHYSICS("'motion':{'mass':1,'linearVelocity':[0,6,0]}," COLLIDER(
                      0)) "},"
                          "{" PHYSICS(COLLIDER(1)) "}",
                  shapes, "", NULL, 0);
    StepFor(play.stage, 0.6);
    float y = GetPosition(&play, 0).y;
    StepFor(play.stage, 2.0);
    ENSURE(y < 0.0f ||
           fabsf(GetPosition(&play, 0).y - 0.25f) < 0.005f); // the other ball comes to rest on the sheet
    ClosePlay(&play);
    return y;
}

TEST(SheetsStopWhatComesFromAbove)
{
    ENSURE_NEAR(ThrowUp(""), -1.0 + 3.6 - 0.5 * 9.81 * 0.36, 0.03);
    ENSURE(ThrowUp(",'doubleSided':true") < -0.25f);
}

// Overlap with static geometry that exists at load is reported once, by the first step
// (docs/spec/physics.md 9.16).
TEST(OverlapAtLoadIsReportedOnce)
{
    Play play = OpenScene("{" PHYSICS("'trigger':{'geometry':{'shape':0}}") "},{" PHYSICS(COLLIDER(1)) "}",
                          SMALL_BALL "," UNIT_BOX, "", NULL, 0);
    for (int i = 0; i < 30; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        ENSURE_EQUAL_INT(tdStage_GetEvents(play.stage).triggerCount, i == 0 ? 1 : 0);
        ENSURE(i > 0 || CountTriggers(&play, 0, 1, true) == 1);
        ENSURE(i > 0 || tdStage_GetEvents(play.stage).triggers[0].visitorBodyNode == -1);
    }
    ClosePlay(&play);
}

TEST_MAIN(RUN(TriggersBelowABodyFollowClips) RUN(CollidersFollowConstraintsInsideTheirBody)
              RUN(BodiesGoOnWithTheirClipsVelocity) RUN(LoopsThatJumpPushNothing)
                  RUN(KinematicBodiesDragJoints) RUN(KinematicSpinIsConstantInTheWorld)
                      RUN(InfiniteMassWithFiniteInertiaTurns) RUN(AnyJointThatForbidsCollisionDoes)
                          RUN(StaticSideOfAJointDoesNotCollideEither) RUN(SheetsStopWhatComesFromAbove)
                              RUN(OverlapAtLoadIsReportedOnce))
