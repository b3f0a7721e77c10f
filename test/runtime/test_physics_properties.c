// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// KHR_animation_pointer on physics: an animated property changes the simulation and returns to the file's
// value when the clip stops. References are formulas of free fall, friction and drives.
#include "runtime/physics_stage.h"

#define GRAVITY 9.81

static const float ends[2] = {0.0f, 1.0f};
static const float halves[2] = {0.0f, 0.5f};

TEST(GravityFactorFollowsTheClip)
{
    // Weightless for half a second, then as the file says until the clip is stopped: the step at 0.5 s
    // switches.
    static const float values[2] = {0.0f, 2.0f};
    Channel channel = {
        "/nodes/0/extensions/KHR_physics_rigid_bodies/motion/gravityFactor", 1, 2, halves, values, true};
    Play play = OpenScene("{" RB("'motion':{'mass':1},'collider':{" SHAPE(0) "}") "}",
                          "{'type':'sphere','sphere':{'radius':0.5}}", "", &channel, 1);
    StepFor(play.stage, 29.0 / 60.0);
    ENSURE_NEAR(GetPosition(&play, 0).y, 0.0, 0.0);
    StepFor(play.stage, 31.0 / 60.0); // 31 steps of twice the gravity
    double v = -2.0 * GRAVITY * 31.0 / 60.0;
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).y, v, 1e-4 * -v);
    tdActor_Stop(play.actor, play.id);
    StepFor(play.stage, 0.5);
    v -= GRAVITY * 0.5;
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).y, v, 1e-4 * -v);
    ClosePlay(&play);
}

TEST(ClipsOfHalfWeightMixWithTheFile)
{
    static const float values[2] = {3.0f, 3.0f};
    Channel channel = {
        "/nodes/0/extensions/KHR_physics_rigid_bodies/motion/gravityFactor", 1, 2, ends, values, false};
    Play play = OpenScene("{" RB("'motion':{'mass':1},'collider':{" SHAPE(0) "}") "}", "{'type':'sphere'}",
                          "", &channel, 1);
    tdActor_SetPlay(play.actor, play.id, 0.0f, 1.0f, 0.5f);
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).y, -2.0 * GRAVITY * 0.5, 1e-3); // (3 + 1) / 2
    ClosePlay(&play);
}

TEST(DriveTargetMovesASlider)
{
    // Acceleration mode, critically damped: settles at the target.
    static const float values[2] = {0.0f, 2.0f};
    static const char nodes[] =
        "{" RB("'joint':{'joint':0,'connectedNode':1}") "},"
                                                        "{" RB("'motion':{'mass':3,'gravityFactor':0},'"
                                                               "collider':{" SHAPE(0) "}") "}";
    static const char root[] =
        "'physicsJoints':[{'limits':[{'linearAxes':[1,2],'min':0,'max':0},{'angularAxes':[0,1,2],"
        "'min':0,'max':0}],'drives':[{'type':'linear','mode':'nonsense','axis':0},{'type':'linear','mode':"
        "'acceleration','axis':0,'positionTarget':0,'stiffness':100,'damping':20}]}]";
    Channel channel = {"/extensions/KHR_physics_rigid_bodies/physicsJoints/0/drives/1/positionTarget",
                       1,
                       2,
                       halves,
                       values,
                       false};
    Play play = OpenScene(nodes, "{'type':'box'}", root, &channel, 1);
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(GetPosition(&play, 1).x, 2.0, 1e-3);
    tdActor_Stop(play.actor, play.id);
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(GetPosition(&play, 1).x, 0.0, 1e-3);
    ClosePlay(&play);
}

TEST(LimitsFollowTheClip)
{
    // A ball hangs by a rope whose length grows from 1 to 2 m; bounds that cross count as the lower one.
    static const float values[2] = {1.0f, 2.0f};
    static const float crossing[2] = {3.0f, 3.0f};
    static const char nodes[] = "{" RB(
        "'joint':{'joint':0,'connectedNode':1}") "},"
                                                 "{'translation':[0,-1,0]," RB(
                                                     "'motion':{'mass':3},'collider':{" SHAPE(0) "}") "}";
    static const char root[] = "'physicsJoints':[{'limits':[{'linearAxes':[0,1,2],'min':0,'max':1}]}]";
    Channel channels[2] = {
        {"/extensions/KHR_physics_rigid_bodies/physicsJoints/0/limits/0/max", 1, 2, ends, values, false},
        {"/extensions/KHR_physics_rigid_bodies/physicsJoints/0/limits/0/min", 1, 2, ends, crossing, false}};
    Play play = OpenScene(nodes, "{'type':'sphere','sphere':{'radius':0.1}}", root, channels, 1);
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, -2.0, 0.01); // half a degree of swing, and the solver's slop
    ClosePlay(&play);
    play = OpenScene(nodes, "{'type':'sphere','sphere':{'radius':0.1}}", root, channels, 2);
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(tdLength(GetPosition(&play, 1)), 3.0, 0.01);
    tdActor_Stop(play.actor, play.id);
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(tdLength(GetPosition(&play, 1)), 1.0, 0.02);
    ClosePlay(&play);
}

TEST(FrictionFollowsTheClip)
{
    // A box at 4 m/s on ice; from 0.5 s on with friction 0.8 against 0.8: it stops within v^2 / (2 mu g).
    static const float values[2] = {0.0f, 0.8f};
    static const char nodes[] = "{'translation':[0,-0.5,0]," RB("'collider':{" SHAPE(
        0) ",'physicsMaterial':0}") "},"
                                    "{'translation':[0,0.1,0]," RB(
                                        "'motion':{'linearVelocity':[4,0,0]},"
                                        "'collider':{" SHAPE(1) ",'physicsMaterial':0}") "}";
    static const char root[] = "'physicsMaterials':[{'staticFriction':0,'dynamicFriction':0}]";
    Channel channels[2] = {{"/extensions/KHR_physics_rigid_bodies/physicsMaterials/0/staticFriction", 1, 2,
                            halves, values, true},
                           {"/extensions/KHR_physics_rigid_bodies/physicsMaterials/0/dynamicFriction", 1, 2,
                            halves, values, true}};
    Play play = OpenScene(nodes, FLOOR_SHAPE ",{'type':'box','box':{'size':[1,0.2,1]}}", root, channels, 2);
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(GetPosition(&play, 1).x, 2.0, 0.02);
    StepFor(play.stage, 2.0);
    double stop = 2.0 + 16.0 / (2.0 * 0.8 * GRAVITY);
    ENSURE_NEAR(GetPosition(&play, 1).x, stop, 0.05 * (stop - 2.0) + 0.07); // a step of 4 m/s is 67 mm
    ENSURE_NEAR(tdLength(tdActor_GetLinearVelocity(play.actor, 1)), 0.0, 1e-3);
    ClosePlay(&play);
}

TEST(KinematicOnAndOff)
{
    // Kinematic for half a second it keeps its velocity; then it falls with it.
    static const float values[2] = {1.0f, 0.0f};
    Channel channel = {
        "/nodes/0/extensions/KHR_physics_rigid_bodies/motion/isKinematic", 1, 2, halves, values, true};
    Play play =
        OpenScene("{" RB("'motion':{'mass':2,'linearVelocity':[1,0,0]},'collider':{" SHAPE(0) "}") "}",
                  "{'type':'sphere'}", "", &channel, 1);
    StepFor(play.stage, 29.0 / 60.0);
    ENSURE_NEAR(GetPosition(&play, 0).x, 29.0 / 60.0, 1e-4);
    ENSURE_NEAR(GetPosition(&play, 0).y, 0.0, 1e-6);
    StepFor(play.stage, 31.0 / 60.0);
    ENSURE_NEAR(GetPosition(&play, 0).x, 1.0, 1e-3);
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).y, -GRAVITY * 31.0 / 60.0, 1e-3);
    ClosePlay(&play);
}

TEST(MassPropertiesFollowTheClip)
{
    static const float mass[2] = {4.0f, 4.0f};
    static const float center[6] = {1, 0, 0, 1, 0, 0};
    static const float inertia[6] = {2, 3, 0, 2, 3, 0};
    Channel channels[3] = {
        {"/nodes/0/extensions/KHR_physics_rigid_bodies/motion/mass", 1, 2, ends, mass, false},
        {"/nodes/0/extensions/KHR_physics_rigid_bodies/motion/centerOfMass", 3, 2, ends, center, false},
        {"/nodes/0/extensions/KHR_physics_rigid_bodies/motion/inertiaDiagonal", 3, 2, ends, inertia, false}};
    Play play = OpenScene(
        "{'scale':[2,2,2]," RB("'motion':{'mass':2,'gravityFactor':0},'collider':{" SHAPE(0) "}") "}",
        "{'type':'sphere','sphere':{'radius':0.5}}", "", channels, 3);
    tdWorld* world = tdStage_GetWorld(play.stage);
    tdBodyId body = tdActor_GetBody(play.actor, 0);
    StepFor(play.stage, 0.1);
    tdBodyMass now = tdBody_GetMass(world, body);
    ENSURE_NEAR(now.mass, 4.0, 1e-6);
    ENSURE_NEAR(now.centerOfMass.x, 2.0, 1e-6); // the node's scale moves it
    ENSURE_NEAR(now.inertiaDiagonal.x, 2.0, 1e-6);
    ENSURE(isinf(now.inertiaDiagonal.z)); // zero is infinite in KHR
    tdActor_Stop(play.actor, play.id);
    StepFor(play.stage, 0.1);
    now = tdBody_GetMass(world, body);
    ENSURE_NEAR(now.mass, 2.0, 1e-6);
    ENSURE_NEAR(now.centerOfMass.x, 0.0, 1e-6);
    ENSURE_NEAR(now.inertiaDiagonal.z, 0.4 * 2.0 * 1.0, 1e-5); // a ball of radius 1
    ClosePlay(&play);
}

TEST(VelocityIsToldEveryStep)
{
    static const float values[6] = {0, 0, 2, 0, 0, 2};
    Channel channel = {
        "/nodes/0/extensions/KHR_physics_rigid_bodies/motion/linearVelocity", 3, 2, ends, values, false};
    // Turned by 90 degrees about Y: node z is world x.
    Play play = OpenScene(
        "{'rotation':[0,0.70710678,0,0.70710678]," RB("'motion':{'mass':2},'collider':{" SHAPE(0) "}") "}",
        "{'type':'sphere'}", "", &channel, 1);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(GetPosition(&play, 0).x, 2.0, 1e-3);
    // Gravity acts within each step only: g dt^2 / 2 (1 + 1/4) and less a step.
    ENSURE(GetPosition(&play, 0).y > -0.2f && GetPosition(&play, 0).y < 0.0f);
    ClosePlay(&play);
}

TEST(ShapesGrowWithTheClip)
{
    // A ball at rest on the floor grows from 0.5 to 1 m and lifts itself; a box and a capsule likewise.
    static const float radius[2] = {0.5f, 1.0f};
    static const float size[6] = {1, 1, 1, 1, 2, 1};
    static const float height[2] = {0.5f, 1.5f};
    static const char nodes[] =
        FLOOR ","
              "{'translation':[0,0.5,0]," RB("'motion':{'mass':1},'collider':{" SHAPE(
                  1) "}") "},"
                          "{'translation':[4,0.5,0]," RB("'motion':{'mass':1},'collider':{" SHAPE(
                              2) "}") "},"
                                      "{'translation':[8,0.5,0]," RB(
                                          "'motion':{'mass':1,'inertiaDiagonal':[0,0,0]},'collider':{" SHAPE(
                                              3) "}") "}";
    Channel channels[3] = {
        {"/extensions/KHR_implicit_shapes/shapes/1/sphere/radius", 1, 2, ends, radius, false},
        {"/extensions/KHR_implicit_shapes/shapes/2/box/size", 3, 2, ends, size, false},
        {"/extensions/KHR_implicit_shapes/shapes/3/capsule/height", 1, 2, ends, height, false}};
    Play play = OpenScene(nodes,
                          FLOOR_SHAPE ",{'type':'sphere','sphere':{'radius':0.5}},{'type':'box'},"
                                      "{'type':'capsule','capsule':{'height':0.5}}",
                          "", channels, 3);
    StepFor(play.stage, 4.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 1.0, 0.01);
    ENSURE_NEAR(GetPosition(&play, 2).y, 1.0, 0.01);
    ENSURE_NEAR(GetPosition(&play, 3).y, 1.0, 0.01); // 1.5 / 2 + 0.25
    tdActor_Stop(play.actor, play.id);
    StepFor(play.stage, 2.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.5, 0.01);
    ClosePlay(&play);
}

TEST(EnableCollisionFollowsTheClip)
{
    // Two balls joined by a drive that presses them together: through each other, then apart.
    static const float values[2] = {0.0f, 1.0f};
    static const char nodes[] = "{" RB("'motion':{'isKinematic':true},'collider':{" SHAPE(
        0) "},'joint':{'joint':0,'connectedNode':1}") "},"
                                                      "{'translation':[2,0,0]," RB(
                                                          "'motion':{'mass':1,'gravityFactor':0},'collider':"
                                                          "{" SHAPE(0) "}") "}";
    static const char root[] =
        "'physicsJoints':[{'limits':[{'linearAxes':[1,2],'min':0,'max':0}],'drives':[{'type':'linear','mode':"
        "'force','axis':0,'positionTarget':0,'stiffness':50,'damping':15}]}]";
    Channel channel = {
        "/nodes/0/extensions/KHR_physics_rigid_bodies/joint/enableCollision", 1, 2, ends, values, true};
    Play play = OpenScene(nodes, "{'type':'sphere'}", root, &channel, 1);
    StepFor(play.stage, 0.9);
    ENSURE(GetPosition(&play, 1).x < 0.6f);
    StepFor(play.stage, 3.0);
    ENSURE(GetPosition(&play, 1).x > 0.95f);
    ClosePlay(&play);
}

TEST_MAIN(RUN(GravityFactorFollowsTheClip) RUN(ClipsOfHalfWeightMixWithTheFile) RUN(DriveTargetMovesASlider)
              RUN(LimitsFollowTheClip) RUN(FrictionFollowsTheClip) RUN(KinematicOnAndOff)
                  RUN(MassPropertiesFollowTheClip) RUN(VelocityIsToldEveryStep) RUN(ShapesGrowWithTheClip)
                      RUN(EnableCollisionFollowsTheClip))
