// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Animated scale resizes colliders: platforms that grow and shrink, of every kind of shape and wherever the
// scale is in the hierarchy; masses that follow and masses that stay. References are the heights and volumes
// of the scaled shapes.
#include "runtime/physics_stage.h"

#include "tendon/physics.h"

#define SECONDS 3.0
/// The platforms start and stop at up to 0.38 m/s: a box flies or falls v^2 / 2 g = 7 mm.
#define TOLERANCE 8e-3
static const float keyTimes[3] = {0.0f, 0.5f, 2.5f};

#define BOX_ABOVE(y)                                                                                         \
    "{'translation':[0.1," #y ",0.05]," RB("'motion':{'mass':2},'collider':{" SHAPE(0) "}") "}"
#define SHAPES                                                                                               \
    "{'type':'box','box':{'size':[0.4,0.4,0.4]}},{'type':'box','box':{'size':[2,1,2]}},"                     \
    "{'type':'cylinder','cylinder':{'height':1,'radiusTop':2,'radiusBottom':2}},"                            \
    "{'type':'plane','plane':{'sizeX':4,'sizeZ':4}},{'type':'sphere','sphere':{'radius':0.5}},"              \
    "{'type':'capsule','capsule':{'height':4,'radiusTop':0.5,'radiusBottom':0.5}}"

/// Largest distance of a box of 0.4 m from its place on the platform, over all steps: y = 0.5 scale + 0.2.
static double FollowTop(Play* play, int box, const float* scales)
{
    double worst = 0.0;
    for (int i = 1; i <= (int)(SECONDS * 60.0); ++i)
    {
        StepFor(play->stage, 1.0 / 60.0);
        double t = i / 60.0, u = t < 0.5 ? 0.0 : (t > 2.5 ? 1.0 : (t - 0.5) / 2.0);
        double top = 0.5 * (double)(scales[3] + (scales[6] - scales[3]) * (float)u);
        worst = fmax(worst, fabs((double)GetPosition(play, box).y - (top < 0 ? -top : top) - 0.2));
    }
    return worst;
}

/// Y scale of the platform at the three keys; its rest scale is the first one.
static const float grow[9] = {1, 1, 1, 1, 1, 1, 1.2f, 2.5f, 1.2f},
                   shrink[9] = {1, 3, 1, 1, 3, 1, 0.9f, 1.5f, 0.9f},
                   mirror[9] = {1, -1, 1, 1, -1, 1, 1.2f, -2.5f, 1.2f};

static double RunPlatform(const char* platform, const char* box, const char* target, const float* scales)
{
    char nodes[1024];
    snprintf(nodes, sizeof(nodes), "%s,%s", platform, box);
    Channel channel = {target, 3, 3, keyTimes, scales, false};
    Play play = OpenScene(nodes, SHAPES, "", &channel, 1);
    // FollowTop reads the y of the keys.
    float heights[9] = {0, 0, 0, scales[4], 0, 0, scales[7], 0, 0};
    double worst = FollowTop(&play, strstr(platform, "children") != NULL ? 2 : 1, heights);
    tdVec3 p = GetPosition(&play, strstr(platform, "children") != NULL ? 2 : 1);
    ENSURE_NEAR(p.x, 0.1, 0.01); // a surface that rises straight pushes nothing aside
    ENSURE_NEAR(p.z, 0.05, 0.01);
    ClosePlay(&play);
    return worst;
}

#define COLLIDE(index) RB("'collider':{" SHAPE(index) "}")
#define ON_MESH(more) RB("'collider':{'geometry':{'mesh':0" more "}}")

TEST(GrowingPlatformsLiftBoxes)
{
    static const char* const platforms[] = {
        "{" COLLIDE(1) "}",
        "{" COLLIDE(2) "}",
        "{'rotation':[0,0,0,1]," ON_MESH(",'convexHull':true") "}",
        "{" ON_MESH("") "}",
        "{" RB("'motion':{'isKinematic':true},'collider':{" SHAPE(1) "}") "}",
        "{" RB("'motion':{'isKinematic':true},'collider':{'geometry':{'mesh':0}}") "}"};
    for (int i = 0; i < 6; ++i)
    {
        ENSURE_NEAR(RunPlatform(platforms[i], BOX_ABOVE(0.7), "/nodes/0/scale", grow), 0.0, TOLERANCE);
    }
}

TEST(InheritedScaleCounts)
{
    static const char* const platforms[] = {
        "{'children':[1]},{" COLLIDE(1) "}",
        "{'children':[1]," RB("'motion':{'isKinematic':true}") "},{" COLLIDE(1) "}",
        "{'children':[1]},{" RB("'motion':{'isKinematic':true},'collider':{" SHAPE(2) "}") "}",
        "{'children':[1]},{'rotation':[0,0.6,0,0.8]," ON_MESH("") "}"};
    for (int i = 0; i < 4; ++i)
    {
        ENSURE_NEAR(RunPlatform(platforms[i], BOX_ABOVE(0.7), "/nodes/0/scale", grow), 0.0, TOLERANCE);
    }
}

TEST(ShrinkingPlatformsLowerBoxes)
{
    static const char* const platforms[] = {"{'scale':[1,3,1]," COLLIDE(1) "}",
                                            "{'scale':[1,3,1]," ON_MESH("") "}",
                                            "{'scale':[1,3,1]," ON_MESH(",'convexHull':true") "}"};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE_NEAR(RunPlatform(platforms[i], BOX_ABOVE(1.7), "/nodes/0/scale", shrink), 0.0, TOLERANCE);
    }
}

TEST(MirroredPlatformsGrow)
{
    static const char* const platforms[] = {"{'scale':[1,-1,1]," COLLIDE(1) "}",
                                            "{'scale':[1,-1,1]," ON_MESH("") "}",
                                            "{'scale':[1,-1,1]," ON_MESH(",'convexHull':true") "}"};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE_NEAR(RunPlatform(platforms[i], BOX_ABOVE(0.7), "/nodes/0/scale", mirror), 0.0, TOLERANCE);
    }
}

TEST(PlatformsStartAtTheFirstKey)
{
    // The rest scale is 1, both keys are 2: the box stands on the platform of the first key.
    static const float scales[9] = {1, 2, 1, 1, 2, 1, 1, 2, 1};
    ENSURE_NEAR(RunPlatform("{" COLLIDE(1) "}", BOX_ABOVE(1.2), "/nodes/0/scale", scales), 0.0, 2e-3);
    // The same of a translation, where the box would be hit at 60 m/s.
    static const float places[9] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
    Channel channel = {"/nodes/0/translation", 3, 3, keyTimes, places, false};
    Play play = OpenScene("{" COLLIDE(1) "}," BOX_ABOVE(1.7), SHAPES, "", &channel, 1);
    tdStage_Evaluate(play.stage, 0.0); // as programs do that record the first frame
    for (int i = 0; i < 60; ++i)
    {
        StepFor(play.stage, 1.0 / 60.0);
        ENSURE_NEAR(GetPosition(&play, 1).y, 1.7, 2e-3);
    }
    ClosePlay(&play);
}

TEST(FlatCollidersCollideWithNothing)
{
    // The platform vanishes between 0.5 s and 2.5 s by STEP keys; the box falls g t^2 / 2 from 0.5 s on. A
    // second box is lowered onto the platform after its return.
    static const float scales[9] = {1, 1, 1, 1, 0, 1, 1, 1, 1};
    Channel channel = {"/nodes/0/scale", 3, 3, keyTimes, scales, true};
    Play play = OpenScene("{" COLLIDE(1) "}," BOX_ABOVE(0.7), SHAPES, "", &channel, 1);
    StepFor(play.stage, 0.5);
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.7, 2e-3);
    StepFor(play.stage, 1.0);
    // A step has the pose of its end, so the platform is gone in the step that ends at 0.5 s.
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.7 - 0.5 * 9.81 * (61.0 / 60.0) * (61.0 / 60.0), 0.05);
    tdActor_SetLinearVelocity(play.actor, 1, (tdVec3){0, 40, 0});
    StepFor(play.stage, 0.95); // above the platform before it returns
    ENSURE(GetPosition(&play, 1).y > 1.0f);
    tdActor_SetLinearVelocity(play.actor, 1, (tdVec3){0, -20, 0});
    StepFor(play.stage, 3.0);
    ENSURE_NEAR(GetPosition(&play, 1).y, 0.7, 5e-3);
    ClosePlay(&play);
}

/// One body whose node, or the node below it, is scaled to (2, 3, 1) at 0.5 s.
static Play OpenBody(const char* body, const char* target, double seconds)
{
    static const float scales[9] = {1, 1, 1, 1, 1, 1, 2, 3, 1};
    static const float times[3] = {0.0f, 0.4f, 0.5f};
    Channel channel = {target, 3, 3, times, scales, false};
    Play play = OpenScene(body, SHAPES ",{'type':'box'}", "", &channel, 1);
    StepFor(play.stage, seconds);
    return play;
}

TEST(ComputedMassesFollowAndGivenOnesStay)
{
    Play play =
        OpenBody("{" RB("'motion':{'gravityFactor':0},'collider':{" SHAPE(6) "}") "}", "/nodes/0/scale", 1.0);
    ENSURE_NEAR(GetMass(&play, 0).mass, 1000.0 * 6.0, 0.5);
    tdVec3 d = GetMass(&play, 0).inertiaDiagonal;
    double moments[3] = {6000.0 / 12.0 * (9 + 1), 6000.0 / 12.0 * (4 + 1), 6000.0 / 12.0 * (9 + 4)};
    ENSURE_NEAR(d.x + d.y + d.z, moments[0] + moments[1] + moments[2], 2.0);
    ENSURE_NEAR((double)(d.x * d.y * d.z) / (moments[0] * moments[1] * moments[2]), 1.0, 1e-3);
    ClosePlay(&play);
    play = OpenBody("{" RB("'motion':{'mass':3,'gravityFactor':0},'collider':{" SHAPE(6) "}") "}",
                    "/nodes/0/scale", 1.0);
    ENSURE_NEAR(GetMass(&play, 0).mass, 3.0, 0.0);
    d = GetMass(&play, 0).inertiaDiagonal; // of the new shape, at the given mass
    ENSURE_NEAR(d.x + d.y + d.z, 3.0 / 12.0 * (10 + 5 + 13), 1e-3);
    ClosePlay(&play);
    play =
        OpenBody("{" RB("'motion':{'mass':3,'inertiaDiagonal':[1,2,3],'gravityFactor':0},'collider':{" SHAPE(
                     6) "}") "}",
                 "/nodes/0/scale", 1.0);
    d = GetMass(&play, 0).inertiaDiagonal;
    ENSURE_NEAR(d.x, 1.0, 1e-6);
    ENSURE_NEAR(d.z, 3.0, 1e-6);
    ClosePlay(&play);
}

TEST(CentresOfMassFollow)
{
    // A cube at the body, and one at x = 2 below a node that is scaled to (2, 3, 1): volumes 1 and 6 at x = 0
    // and 4.
    Play play = OpenBody("{'children':[1]," RB("'motion':{'gravityFactor':0},'collider':{" SHAPE(
                             6) "}") "},"
                                     "{'children':[2]},{'translation':[2,0,0]," COLLIDE(6) "}",
                         "/nodes/1/scale", 1.0);
    tdBodyMass mass = GetMass(&play, 0);
    ENSURE_NEAR(mass.mass, 7000.0, 0.5);
    ENSURE_NEAR(mass.centerOfMass.x, 6.0 * 4.0 / 7.0, 1e-4);
    ClosePlay(&play);
    // A given centre is a point of the node's space.
    play =
        OpenBody("{" RB("'motion':{'mass':1,'centerOfMass':[0.5,0.1,0],'gravityFactor':0},'collider':{" SHAPE(
                     6) "}") "}",
                 "/nodes/0/scale", 1.0);
    ENSURE_NEAR(GetMass(&play, 0).centerOfMass.x, 1.0, 1e-5);
    ENSURE_NEAR(GetMass(&play, 0).centerOfMass.y, 0.3, 1e-5);
    ClosePlay(&play);
    // Before the scale changes, the mass properties are those of the load to the bit.
    play = OpenBody("{" RB("'motion':{'gravityFactor':0},'collider':{" SHAPE(6) "}") "}", "/nodes/0/scale",
                    0.25);
    tdBodyMass before = GetMass(&play, 0);
    Play fixed = OpenScene("{" RB("'motion':{'gravityFactor':0},'collider':{" SHAPE(6) "}") "}",
                           SHAPES ",{'type':'box'}", "", NULL, 0);
    tdBodyMass atLoad = GetMass(&fixed, 0);
    ENSURE(memcmp(&before, &atLoad, sizeof(before)) == 0);
    ClosePlay(&fixed);
    ClosePlay(&play);
}

TEST(DynamicBodiesGrow)
{
    // A ball of a dynamic body grows from 0.5 m to 1 m on the floor and lifts its own centre; so do a capsule
    // that stands, a hull and a mesh.
    static const char* const bodies[] = {
        RB("'motion':{'mass':2},'collider':{" SHAPE(4) "}"),
        RB("'motion':{'mass':2},'collider':{'geometry':{'mesh':0,'convexHull':true}}"),
        RB("'motion':{'mass':2},'collider':{'geometry':{'mesh':0}}"),
        RB("'motion':{'mass':2},'collider':{" SHAPE(6) "}")};
    static const float scales[9] = {1, 1, 1, 1, 1, 1, 2, 2, 2};
    for (int i = 0; i < 4; ++i)
    {
        char nodes[512];
        snprintf(nodes, sizeof(nodes),
                 "{'translation':[0,-0.5,0],'scale':[20,1,20],%s},{'translation':[0,0.5,0],%s}", COLLIDE(1),
                 bodies[i]);
        Channel channel = {"/nodes/1/scale", 3, 3, keyTimes, scales, false};
        Play play = OpenScene(nodes, SHAPES ",{'type':'box'}", "", &channel, 1);
        StepFor(play.stage, 3.5);
        ENSURE_NEAR(GetPosition(&play, 1).y, 1.0, 5e-3);
        ClosePlay(&play);
    }
}

TEST(FastGrowingBodiesStayOnTheFloor)
{
    // Boxes, balls and cylinders of 6 to 60 m grow to 2.5 times their size in 2 s: their surfaces move at up
    // to 22 m/s, faster than contacts push. The bottom stays on the floor: y = size * scale / 2. A body that
    // floats grows about its centre.
    static const float scales[9] = {1, 1, 1, 1, 1, 1, 2.5f, 2.5f, 2.5f};
    static const double sizes[3] = {6.0, 20.0, 60.0};
    static const char* const kinds[3] = {"'type':'box','box':{'size':[%g,%g,%g]}",
                                         "'type':'sphere','sphere':{'radius':%g}",
                                         ("'type':'cylinder','cylinder':{'height':%g,'radiusTop':%g,"
                                          "'radiusBottom':%g}")};
    for (int i = 0; i < 18; ++i)
    {
        double size = sizes[i % 3];
        int kind = i / 3 % 3;
        bool isFloating = i >= 9;
        char nodes[512], shape[256], shapes[384];
        snprintf(shape, sizeof(shape), kinds[kind], kind == 1 ? 0.5 * size : size, size, size);
        snprintf(shapes, sizeof(shapes), "{'type':'box','box':{'size':[900,2,900]}},{%s}", shape);
        snprintf(nodes, sizeof(nodes),
                 "{'translation':[0,-1,0]," COLLIDE(0) "},{'translation':[0,%g,0]," RB(
                     "'motion':{'mass':3,'gravityFactor':%d},'collider':{" SHAPE(1) "}") "}",
                 isFloating ? 4.0 * size : 0.5 * size, isFloating ? 0 : 1);
        Channel channel = {"/nodes/1/scale", 3, 3, keyTimes, scales, false};
        Play play = OpenScene(nodes, shapes, "", &channel, 1);
        double worst = 0.0;
        for (int k = 1; k <= 180; ++k)
        {
            StepFor(play.stage, 1.0 / 60.0);
            double u = fmin(fmax((k / 60.0 - 0.5) / 2.0, 0.0), 1.0);
            double y = isFloating ? 4.0 * size : 0.5 * size * (1.0 + 1.5 * u);
            worst = fmax(worst, fabs((double)GetPosition(&play, 1).y - y));
        }
        ENSURE_NEAR(worst / size, 0.0, 5e-3);
        ClosePlay(&play);
    }
}

TEST_MAIN(RUN(GrowingPlatformsLiftBoxes) RUN(InheritedScaleCounts) RUN(ShrinkingPlatformsLowerBoxes)
              RUN(MirroredPlatformsGrow) RUN(PlatformsStartAtTheFirstKey) RUN(FlatCollidersCollideWithNothing)
                  RUN(ComputedMassesFollowAndGivenOnesStay) RUN(CentresOfMassFollow) RUN(DynamicBodiesGrow)
                      RUN(FastGrowingBodiesStayOnTheFloor))
