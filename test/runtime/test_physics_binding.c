// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The scene physics binding: scale, hierarchy, velocities, masses, animated bodies, triggers, several actors.
#include "assert_count.h"

#include "geometry/mass.h"
#include "runtime/physics_stage.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#define GRAVITY 9.81
#define BALL "{'type':'sphere','sphere':{'radius':0.5}}"
#define BODY(motion, shape) RB("'motion':{" motion "},'collider':{" SHAPE(shape) "}")
#define QUARTER_Z "[0,0,0.70710678,0.70710678]" // +X becomes +Y

static const float second[2] = {0.0f, 1.0f};

static tdTransform GetPose(const Play* play, int node)
{
    tdMat4 m = tdActor_GetGlobals(play->actor)[node];
    return (tdTransform){tdMat4Translation(m), tdRotationOfMat4(m)};
}

static void EnsureSamePose(tdTransform a, tdTransform b, double tolerance)
{
    ENSURE_NEAR(tdLength(tdSub(a.position, b.position)), 0.0, tolerance);
    ENSURE_NEAR(tdAngleBetween(a.rotation, b.rotation), 0.0, tolerance);
}

/// Distance fallen after n steps from rest; the engine's sub-steps make it g t^2 / 2 (1 + 1 / (4 n)).
static double Fall(double t)
{
    return 0.5 * GRAVITY * t * t;
}

TEST(LocalsAreRewrittenWithScaleKept)
{
    // The parent is rotated, moved and scaled non-uniformly; the body spins about all axes.
    Play play = OpenScene(
        "{'translation':[1,2,3],'rotation':[0,0,0.38268343,0.92387953],'scale':[1,2,0.5],'children':[1]},"
        "{'translation':[0.5,0,0],'scale':[3,1,2]," RB(
            "'motion':{'mass':1,'angularVelocity':[1,2,3]},'collider':{" SHAPE(
                0) "}") ",'children':[2]},"
                        "{'translation':[1,0,0],'scale':[1,1,5]}",
        BALL, "", NULL, 0);
    tdWorld* world = tdStage_GetWorld(play.stage);
    for (int i = 0; i < 60; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        tdTransform body = tdBody_GetTransform(world, tdActor_GetBody(play.actor, 1));
        EnsureSamePose(GetPose(&play, 1), body, 2e-3); // the angle: what float32 polar factors give
    }
    const tdTrs* locals = tdActor_GetLocals(play.actor);
    ENSURE_NEAR(locals[1].scale.x, 3.0, 0.0);
    ENSURE_NEAR(locals[2].scale.z, 5.0, 0.0);
    ENSURE_NEAR(locals[2].translation.x, 1.0, 0.0); // follows its parent
    tdMat4 expected = tdMulMat4(tdActor_GetGlobals(play.actor)[1], tdMat4FromTrs(locals[2]));
    ENSURE_NEAR(tdLength(tdSub(tdMat4Translation(expected), GetPosition(&play, 2))), 0.0, 1e-5);
    ClosePlay(&play);
}

TEST(NestedBodiesAreIndependent)
{
    // The outer one falls, the inner one is weightless: its world pose stays.
    Play play = OpenScene(
        "{" RB("'motion':{'mass':1,'angularVelocity':[0,1,0]},'collider':{" SHAPE(
            0) "}") ",'children':[1]},"
                    "{'translation':[3,0,0]," RB("'motion':{'mass':1,'gravityFactor':0},'collider':{" SHAPE(
                        0) "}") ",'children':[2]},{'translation':[0,1,0]}",
        BALL, "", NULL, 0);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(GetPosition(&play, 0).y, -Fall(1.0), 0.01 * Fall(1.0));
    ENSURE_NEAR(tdLength(tdSub(GetPosition(&play, 1), (tdVec3){3, 0, 0})), 0.0, 1e-4);
    ENSURE_NEAR(tdLength(tdSub(GetPosition(&play, 2), (tdVec3){3, 1, 0})), 0.0, 1e-4);
    ClosePlay(&play);
}

TEST(VelocitiesAreInNodeSpace)
{
    // A quarter turn about Z above, scale 3: 2 m/s along node X is 2 m/s along world Y. Kinematic: forever.
    Play play = OpenScene("{'rotation':" QUARTER_Z ",'scale':[3,3,3],'children':[1]},{" RB(
                              "'motion':{'isKinematic':true,'linearVelocity':[2,0,0],'angularVelocity':[0,1,"
                              "0]},'collider':{" SHAPE(0) "}") "}",
                          BALL, "", NULL, 0);
    tdVec3 v = tdActor_GetLinearVelocity(play.actor, 1);
    ENSURE_NEAR(v.x, 2.0, 1e-5);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 2.0, 1e-4);
    tdVec3 w = tdBody_GetAngularVelocity(tdStage_GetWorld(play.stage), tdActor_GetBody(play.actor, 1));
    ENSURE_NEAR(w.x, -1.0, 1e-5); // node Y is world -X
    ClosePlay(&play);
}

static const tdPhysicsBody* GetSceneBody(const Play* play, int index)
{
    return &play->asset->scene.physics->bodies[index];
}

#define COMPUTED "{" BODY("", 0) "},"
#define GIVEN_MASS "{'translation':[2,0,0]," BODY("'mass':7", 0) "},"
#define GIVEN_CENTER "{'translation':[4,0,0],'scale':[2,1,1]," BODY(CENTERED, 1) "},"
#define CENTERED "'mass':1,'centerOfMass':[1,0,0]"
#define GIVEN_INERTIA "{'translation':[8,0,0],'scale':[2,2,2]," BODY(TURNED, 0) "},"
#define TURNED "'mass':1,'inertiaDiagonal':[1,2,0],'inertiaOrientation':" QUARTER_Z
#define INFINITE "{'translation':[12,0,0]," BODY(MASSLESS, 0) "},"
#define MASSLESS "'mass':0,'inertiaDiagonal':[1,1,1],'linearVelocity':[0,0,1]"
#define EMPTY "{'translation':[16,0,0]," RB("'motion':{}") "},"
#define TWO_COLLIDERS "{'translation':[20,0,0]," BODY("", 1) ",'children':[7]},"
#define SECOND_COLLIDER "{'translation':[0,1,0]," RB("'collider':{" SHAPE(1) "}") "}"

TEST(MassesByTheRules)
{
    // 0: all computed; 1: mass given, inertia scaled; 2: centre given, tensor unshifted; 3: diagonal as it
    // is; 4: infinite mass; 5: nothing at all; 6: two colliders, one below.
    Play play =
        OpenScene(COMPUTED GIVEN_MASS GIVEN_CENTER GIVEN_INERTIA INFINITE EMPTY TWO_COLLIDERS SECOND_COLLIDER,
                  BALL ",{'type':'box'}", "", NULL, 0);
    double ball = 1000.0 * 4.0 / 3.0 * 3.14159265358979 * 0.125;
    const tdPhysicsBody* b = GetSceneBody(&play, 0);
    ENSURE_NEAR(b->mass, ball, 1e-3 * ball);
    ENSURE_NEAR(b->inertiaDiagonal.x, 0.4 * ball * 0.25, 1e-3 * ball * 0.1);
    ENSURE_NEAR(GetSceneBody(&play, 1)->inertiaDiagonal.y, 0.4 * 7 * 0.25, 1e-4);
    b = GetSceneBody(&play, 2);
    ENSURE_NEAR(b->centerOfMass.x, 2.0, 1e-6); // scaled
    float moments = b->inertiaDiagonal.x + b->inertiaDiagonal.y + b->inertiaDiagonal.z;
    ENSURE_NEAR(moments, (2.0 + 5.0 + 5.0) / 12.0, 1e-4); // of a box 2 x 1 x 1 about its own centre
    b = GetSceneBody(&play, 3);
    ENSURE_NEAR(b->inertiaDiagonal.y, 2.0, 0.0); // no scale
    ENSURE(isinf(b->inertiaDiagonal.z));
    ENSURE_NEAR(b->inertiaOrientation.z, 0.70710678, 1e-6);
    b = GetSceneBody(&play, 5);
    ENSURE_NEAR(b->mass, 1.0, 0.0);
    ENSURE_NEAR(b->inertiaDiagonal.x, 1.0, 1e-6); // no shape: mass times 1 m^2
    b = GetSceneBody(&play, 6);
    ENSURE_NEAR(b->mass, 2000.0, 0.1);
    ENSURE_NEAR(b->centerOfMass.y, 0.5, 1e-5);
    // A rod of two unit cubes: about Y m/6 each; about X and Z 1000/6 + 1000/4 each.
    float largest = tdMaxFloat(b->inertiaDiagonal.x, tdMaxFloat(b->inertiaDiagonal.y, b->inertiaDiagonal.z));
    ENSURE_NEAR(largest, 2.0 * (1000.0 / 6.0 + 250.0), 0.5);

    StepFor(play.stage, 1.0);
    ENSURE_NEAR(GetPosition(&play, 4).y, 0.0,
                0.0); // infinite mass: no gravity, but its velocity carries it on
    ENSURE_NEAR(GetPosition(&play, 4).z, 1.0, 1e-4);
    tdActor_ApplyImpulse(play.actor, 4, (tdVec3){5, 0, 0}, (tdVec3){0, 1, 0});
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 4).x, 0.0, 0.0);
    ENSURE_NEAR(tdActor_GetAngularVelocity(play.actor, 4).y, 1.0, 1e-5); // finite inertia turns
    ClosePlay(&play);
}

TEST(SmallBodiesKeepTheirInertia)
{
    // Cubes of 2 and 10 mm at 1,000 kg/m^3: m a^2 / 6. The last one has a given diagonal.
    Play play = OpenScene("{'scale':[0.002,0.002,0.002]," BODY("", 1) "},{'scale':[0.01,0.01,0.01]," BODY(
                              "", 1) "},{" BODY("'mass':1e-5,'inertiaDiagonal':[1e-11,2e-11,2e-11]", 0) "}",
                          BALL ",{'type':'box'}", "", NULL, 0);
    const double sizes[] = {0.002, 0.01};
    for (int i = 0; i < 2; ++i)
    {
        double moment = 1000.0 * pow(sizes[i], 5.0) / 6.0;
        ENSURE_NEAR(GetSceneBody(&play, i)->inertiaDiagonal.x, moment, 1e-4 * moment);
        ENSURE_NEAR(GetSceneBody(&play, i)->inertiaDiagonal.z, moment, 1e-4 * moment);
    }
    ENSURE_NEAR(GetSceneBody(&play, 2)->inertiaDiagonal.x, 1e-11, 1e-16);
    ClosePlay(&play);
}

TEST(ScaledShapesAreExact)
{
    // Bodies rest on the floor at heights that follow from their scale.
    Play play = OpenScene(
        FLOOR
        ","
        "{'translation':[0,3,0],'scale':[1,2,1]," RB(
            "'motion':{'inertiaDiagonal':[0,0,0],'mass':1},'collider':{" SHAPE(
                1) "}") "},"
                        "{'translation':[5,3,0],'scale':[-2,-2,-2]," RB(
                            "'motion':{'mass':1},'collider':{" SHAPE(
                                2) "}") "},"
                                        "{'translation':[10,0,0],'scale':[-1,1,1],'children':[4]},"
                                        "{'translation':[0,3,0]," RB(
                                            "'motion':{'inertiaDiagonal':[0,0,0],'mass':1},'collider':"
                                            "{" SHAPE(3) "}") "},"
                                                              "{'translation':[15,3,0],'scale':[0,1,1]," RB(
                                                                  "'motion':{'mass':1},'collider':{" SHAPE(
                                                                      2) "}") "}",
        FLOOR_SHAPE
        "," BALL
        ",{'type':'box'},{'type':'capsule','capsule':{'height':1,'radiusBottom':0.2,'radiusTop':0.6}}",
        "", NULL, 0);
    StepFor(play.stage, 2.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 1.0, 0.01);
    ENSURE_NEAR(GetPosition(&play, 2).y, 1.0, 0.01);
    ENSURE_NEAR(GetPosition(&play, 4).y, 0.7, 0.01); // bottom stays below, though the parent mirrors
    ENSURE(GetPosition(&play, 5).y < -5.0f);         // no extent: disabled, falls through
    ClosePlay(&play);
}

TEST(ShearedBoxesHaveTheRightMass)
{
    // Parent scale (2, 1, 1) over a turn of 30 degrees shears the child: volume is |det|, 2.
    Play play = OpenScene("{'scale':[2,1,1],'children':[1]},{'rotation':[0,0,0.25881905,0.96592583]," RB(
                              "'motion':{},'collider':{" SHAPE(0) "}") "}",
                          "{'type':'box'}", "", NULL, 0);
    ENSURE_NEAR(GetSceneBody(&play, 0)->mass, 2000.0, 0.5);
    // The tensor of a mapped cube: second moments A (I / 12) A^T, A the node's matrix; its trace is kept.
    double c = 0.86602540, s = 0.5, m = 2000.0;
    double xx = (4 * c * c + 4 * s * s) / 12, yy = (s * s + c * c) / 12, zz = 1.0 / 12;
    tdVec3 d = GetSceneBody(&play, 0)->inertiaDiagonal;
    ENSURE_NEAR(d.x + d.y + d.z, 2.0 * m * (xx + yy + zz), 2.0);
    ClosePlay(&play);
}

TEST(CollidersDeepBelowFollowClips)
{
    // The collider two nodes below its body slides out by 1 m: the body comes to rest 1 m higher.
    static const float slide[6] = {0, 0, 0, 0, -1, 0};
    Channel channel = {"/nodes/2/translation", 3, 2, second, slide, false};
    Play play =
        OpenScene(FLOOR ",{'translation':[0,1,0]," RB(
                      "'motion':{'mass':1,'inertiaDiagonal':[0,0,0]}") ",'children':[2]},"
                                                                       "{'children':[3]},{" RB(
                                                                           "'collider':{" SHAPE(1) "}") "}",
                  FLOOR_SHAPE "," BALL, "", &channel, 1);
    tdBodyMass before = tdBody_GetMass(tdStage_GetWorld(play.stage), tdActor_GetBody(play.actor, 1));
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 1.5, 0.01);
    tdBodyMass after = tdBody_GetMass(tdStage_GetWorld(play.stage), tdActor_GetBody(play.actor, 1));
    ENSURE_NEAR(before.centerOfMass.y, after.centerOfMass.y, 0.0); // mass properties stay as at load
    tdActor_Stop(play.actor, play.id);
    StepFor(play.stage, 2.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.5, 0.01); // back at rest
    ClosePlay(&play);
}

TEST(AnimatedBodiesPushAndGoOn)
{
    // A clip moves body 0 at 2 m/s for a second; it hits ball 1 and goes on with its velocity afterwards.
    static const float way[6] = {0, 0, 0, 2, 0, 0};
    Channel channel = {"/nodes/0/translation", 3, 2, second, way, false};
    Play play =
        OpenScene("{" RB("'motion':{'mass':100,'gravityFactor':0},'collider':{" SHAPE(
                      0) "}") "},"
                              "{'translation':[1.5,0,0]," RB(
                                  "'motion':{'mass':1,'gravityFactor':0},'collider':{" SHAPE(0) "}") "}",
                  BALL, "", &channel, 1);
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(GetPosition(&play, 0).x, 1.0, 1e-4); // the clip overrides physics
    ENSURE(GetPosition(&play, 1).x > 1.95f);
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(GetPosition(&play, 0).x, 2.0, 1e-4);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(GetPosition(&play, 0).x, 4.0, 0.05);
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).x, 2.0, 0.05);
    ClosePlay(&play);
}

TEST(AnimatedStaticCollidersPush)
{
    // A static collider rises by 2 m in a second and lifts a box.
    static const float way[6] = {0, -0.5f, 0, 0, 1.5f, 0};
    Channel channel = {"/nodes/0/translation", 3, 2, second, way, false};
    Play play =
        OpenScene(FLOOR ",{'translation':[0,0.5,0]," RB("'motion':{'mass':1},'collider':{" SHAPE(1) "}") "}",
                  "{'type':'box','box':{'size':[4,1,4]}},{'type':'box'}", "", &channel, 1);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(GetPosition(&play, 0).y, 1.5, 1e-5);
    ENSURE_NEAR(GetPosition(&play, 1).y, 2.5, 0.02);
    StepFor(play.stage, 2.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 2.5,
                0.01); // it leaves the collider when that stops, and lands again
    ClosePlay(&play);
}

static int CountTriggers(const tdStage* stage, int triggerNode, int visitorNode, bool entered)
{
    tdStageEvents events = tdStage_GetEvents(stage);
    int count = 0;
    for (int i = 0; i < events.triggerCount; ++i)
    {
        const tdTriggerEvent* e = &events.triggers[i];
        count +=
            e->triggerNode == triggerNode && e->visitorNode == visitorNode && e->entered == entered ? 1 : 0;
    }
    return count;
}

TEST(CompoundTriggersActAsOne)
{
    // A ball at 2 m/s through two overlapping boxes: each part by itself, the whole once. The collider sits
    // below its body.
    Play play = OpenScene(
        "{" RB("'trigger':{'nodes':[1,2]}") ",'children':[1,2]},"
                                            "{'translation':[2,0,0]," RB(
                                                "'trigger':"
                                                "{" SHAPE(
                                                    1) "}") "},{'translation':[2.5,0,"
                                                            "0]," RB(
                                                                "'trigger':"
                                                                "{" SHAPE(
                                                                    1) "}") "},"
                                                                            "{" RB(
                                                                                "'motion':{'gravityFactor':"
                                                                                "0,'"
                                                                                "linearVelocity':[2,0,0],'"
                                                                                "mass':"
                                                                                "1}") ",'children':[4]},"
                                                                                      "{" RB("'collider':"
                                                                                             "{" SHAPE(
                                                                                                 0) "}") "}",
        BALL ",{'type':'box'}", "", NULL, 0);
    int entered[3] = {0}, left[3] = {0};
    for (int i = 0; i < 180; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        for (int t = 0; t < 3; ++t)
        {
            entered[t] += CountTriggers(play.stage, t, 4, true);
            left[t] += CountTriggers(play.stage, t, 4, false);
        }
        tdStageEvents events = tdStage_GetEvents(play.stage);
        for (int k = 0; k < events.triggerCount; ++k)
        {
            ENSURE_EQUAL_INT(events.triggers[k].visitorBodyNode, 3);
            ENSURE(events.triggers[k].trigger == play.actor && events.triggers[k].visitor == play.actor);
        }
    }
    for (int t = 0; t < 3; ++t)
    {
        ENSURE_EQUAL_INT(entered[t], 1);
        ENSURE_EQUAL_INT(left[t], 1);
    }
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 3).x, 2.0, 1e-6); // nothing pushed
    ClosePlay(&play);
}

TEST(ContactEventsByNode)
{
    Play play =
        OpenScene(FLOOR ",{'translation':[0,1,0]," RB("'motion':{'mass':1},'collider':{" SHAPE(1) "}") "}",
                  FLOOR_SHAPE "," BALL, "", NULL, 0);
    int began = 0;
    for (int i = 0; i < 60; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        tdStageEvents events = tdStage_GetEvents(play.stage);
        for (int k = 0; k < events.contactCount; ++k)
        {
            ENSURE_EQUAL_INT(events.contacts[k].nodeA, 0);
            ENSURE_EQUAL_INT(events.contacts[k].nodeB, 1);
            ENSURE(!events.contacts[k].began || events.contacts[k].normal.y > 0.99f); // from A to B
            began += events.contacts[k].began ? 1 : 0;
        }
    }
    ENSURE_EQUAL_INT(began, 1);
    ClosePlay(&play);
}

TEST(TwoActorsMeetInOneWorld)
{
    // One file's crates on another file's ramp (20 degrees, friction 0.6 > tan 20): they stay on it.
    tdReport* report = tdCreateReport(NULL);
    tdAsset* ramp = LoadScene(
        "{'rotation':[0,0,0.17364818,0.98480775]," RB("'collider':{" SHAPE(0) ",'collisionFilter':0}") "}",
        FLOOR_SHAPE, "'collisionFilters':[{'collisionSystems':['ground']}]", NULL, 0, report);
    tdAsset* crates = LoadScene("{'translation':[0,1.2,0]," RB("'motion':{},'collider':{" SHAPE(
                                    0) "}") "},"
                                            "{'translation':[3,6,0]," RB("'motion':{},'collider':{" SHAPE(
                                                0) ",'collisionFilter':0}") "}",
                                "{'type':'box'}", "'collisionFilters':[{'notCollideWithSystems':['ground']}]",
                                NULL, 0, report);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* first = tdCreateActor(stage, ramp, NULL, report);
    tdActorDef def = tdDefaultActorDef();
    def.placement.position = (tdVec3){0, 1, 0};
    tdActor* second_ = tdCreateActor(stage, crates, &def, report);
    StepFor(stage, 3.0);
    tdVec3 crate = tdMat4Translation(tdActor_GetGlobals(second_)[0]);
    tdVec3 other = tdMat4Translation(tdActor_GetGlobals(second_)[1]);
    tdMat4 slope = tdActor_GetGlobals(first)[0];
    tdVec3 normal = tdNormalize(tdMat4Direction(slope, (tdVec3){0, 1, 0}));
    ENSURE_NEAR(tdDot(tdSub(crate, tdMat4Translation(slope)), normal), 1.0, 0.02); // half of each thickness
    ENSURE(other.y < -20.0f); // its filter names a system of the other file
    tdDestroyActor(first);
    StepFor(stage, 1.0);
    ENSURE(tdMat4Translation(tdActor_GetGlobals(second_)[0]).y < crate.y - 4.0f); // the ramp was destroyed
    tdDestroyStage(stage);
    tdDestroyAsset(ramp);
    tdDestroyAsset(crates);
    tdDestroyReport(report);
}

TEST(ImpulsesByNode)
{
    // A rod of two balls, 2 kg in all, at rest in free space; node 1 belongs to the body of node 0.
    Play play = OpenScene(
        "{" RB(
            "'motion':{'mass':2,'inertiaDiagonal':[4,4,4],'gravityFactor':0}") ",'children':[1]},"
                                                                               "{'translation':[1,0,0]," RB(
                                                                                   "'collider':{" SHAPE(
                                                                                       0) "}") "},{}",
        BALL, "", NULL, 0);
    tdVec3 center = tdBody_GetWorldCenterOfMass(tdStage_GetWorld(play.stage), tdActor_GetBody(play.actor, 1));
    tdActor_ApplyImpulse(play.actor, 1, (tdVec3){4, 0, 0}, (tdVec3){0, 2, 0});
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).x, 2.0, 1e-6);
    ENSURE_NEAR(tdActor_GetAngularVelocity(play.actor, 0).y, 0.5, 1e-6);
    tdActor_ApplyPointImpulse(play.actor, 0, (tdVec3){0, 0, 8}, tdAdd(center, (tdVec3){1, 0, 0}));
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).z, 4.0, 1e-5);
    ENSURE_NEAR(tdActor_GetAngularVelocity(play.actor, 0).y, 0.5 - 2.0, 1e-5); // r x p / I = -8 / 4
    tdActor_SetLinearVelocity(play.actor, 0, (tdVec3){1, 0, 0});
    tdActor_SetAngularVelocity(play.actor, 0, tdVec3_zero);
    StepFor(play.stage, 1.0);
    ENSURE_NEAR(tdBody_GetWorldCenterOfMass(tdStage_GetWorld(play.stage), tdActor_GetBody(play.actor, 0)).x,
                center.x + 1.0f, 1e-4);
    // Nodes without a body, wrong numbers and NULL are ignored.
    tdActor_ApplyImpulse(play.actor, 2, (tdVec3){1, 1, 1}, tdVec3_zero);
    tdActor_ApplyImpulse(play.actor, 99, (tdVec3){1, 1, 1}, tdVec3_zero);
    StartCountingAsserts();
    tdActor_ApplyImpulse(play.actor, 0, (tdVec3){NAN, 1, 1}, tdVec3_zero);
    ENSURE(StopCountingAsserts("tdIsFiniteVec3"));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(play.stage)), TD_STATUS_INVALID_NUMBER);
    tdActor_ApplyPointImpulse(NULL, 0, tdVec3_zero, tdVec3_zero);
    ENSURE_NEAR(tdLength(tdActor_GetLinearVelocity(play.actor, 2)), 0.0, 0.0);
    ENSURE_NEAR(tdActor_GetLinearVelocity(play.actor, 0).x, 1.0, 1e-6);
    ClosePlay(&play);
}

TEST(RaysByNode)
{
    Play play = OpenScene(
        FLOOR ",{'translation':[0,5,0]," RB(
            "'motion':{'mass':1,'gravityFactor':0}") ",'children':[2]},"
                                                     "{" RB("'collider':{" SHAPE(
                                                         1) ",'collisionFilter':0}") "},"
                                                                                     "{'translation':[0,8,0]"
                                                                                     "," RB(
                                                                                         "'trigger':{" SHAPE(
                                                                                             1) "}") "}",
        FLOOR_SHAPE "," BALL,
        "'collisionFilters':[{'collisionSystems':['ball']},{'notCollideWithSystems':['ball']}]", NULL, 0);
    StepFor(play.stage, 1.0 / 60.0);
    tdStageHit hit;
    tdVec3 above = {0, 10, 0}, below = {0, -10, 0};
    ENSURE(tdStage_CastRay(play.stage, above, below, NULL, -1, &hit));
    ENSURE(hit.actor == play.actor);
    ENSURE_EQUAL_INT(hit.node, 2);
    ENSURE_EQUAL_INT(hit.bodyNode, 1);
    ENSURE_NEAR(hit.fraction, 4.5 / 20.0, 1e-5);
    ENSURE_NEAR(hit.normal.y, 1.0, 1e-5);
    ENSURE(tdStage_CastRay(play.stage, above, below, play.actor, 1, &hit)); // a filter that sees no balls
    ENSURE_EQUAL_INT(hit.node, 0);
    ENSURE_EQUAL_INT(hit.bodyNode, -1);
    ENSURE_NEAR(hit.fraction, 0.5, 1e-5);
    ENSURE(!tdStage_CastRay(play.stage, above, (tdVec3){0, 6, 0}, NULL, -1, &hit)); // triggers are not hit
    ENSURE(!tdStage_CastRay(play.stage, above, below, play.actor, 7, &hit));
    ENSURE(!tdStage_CastRay(NULL, above, below, NULL, -1, &hit));
    ClosePlay(&play);
}

TEST(GravityAndSwitches)
{
    static const char nodes[] = "{" RB("'motion':{'mass':1},'collider':{" SHAPE(0) "}") "}";
    Play play = OpenScene(nodes, BALL, "", NULL, 0);
    tdStageDef def = tdDefaultStageDef();
    def.world.gravity = (tdVec3){3, 0, 0};
    tdStage* stage = tdCreateStage(&def);
    tdActor* moved = tdCreateActor(stage, play.asset, NULL, NULL);
    tdActorDef off = tdDefaultActorDef();
    off.enablePhysics = false;
    tdActor* still = tdCreateActor(stage, play.asset, &off, NULL);
    StepFor(stage, 1.0);
    ENSURE_NEAR(tdMat4Translation(tdActor_GetGlobals(moved)[0]).x, 1.5, 0.02);
    ENSURE_NEAR(tdLength(tdMat4Translation(tdActor_GetGlobals(still)[0])), 0.0, 0.0);
    ENSURE_EQUAL_INT(tdActor_GetBody(still, 0).index1, 0);
    tdDestroyStage(stage);
    ClosePlay(&play);
}

TEST_MAIN(RUN(LocalsAreRewrittenWithScaleKept) RUN(NestedBodiesAreIndependent) RUN(VelocitiesAreInNodeSpace)
              RUN(MassesByTheRules) RUN(SmallBodiesKeepTheirInertia) RUN(ScaledShapesAreExact)
                  RUN(ShearedBoxesHaveTheRightMass) RUN(CollidersDeepBelowFollowClips)
                      RUN(AnimatedBodiesPushAndGoOn) RUN(AnimatedStaticCollidersPush)
                          RUN(CompoundTriggersActAsOne) RUN(ContactEventsByNode) RUN(TwoActorsMeetInOneWorld)
                              RUN(ImpulsesByNode) RUN(RaysByNode) RUN(GravityAndSwitches))
