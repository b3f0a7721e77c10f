// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds small scenes, one for each feature of the engine. The determinism test pins their state hashes. The
// code avoids the platform's sine and cosine: rotations are normalised integers.
#include "setup.h"

#include <math.h>

static const tdQuat noTurn = {0.0f, 0.0f, 0.0f, 1.0f};
static const tdTransform identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};

// sqrtf rounds correctly on every platform, so the result has the same bits.
static tdQuat Turn(float x, float y, float z, float w)
{
    float length = sqrtf(x * x + y * y + z * z + w * w);
    return (tdQuat){x / length, y / length, z / length, w / length};
}

static tdTransform At(float x, float y, float z)
{
    return (tdTransform){{x, y, z}, noTurn};
}

static uint32_t NextRandom(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// In [low, high).
static float NextFloat(uint32_t* state, float low, float high)
{
    return low + (high - low) * ((float)NextRandom(state) / 16777216.0f);
}

static void AddGround(tdSetup* setup)
{
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, tdSetup_AddBox(setup, 20.0f, 1.0f, 20.0f),
                          (tdVec3){0.0f, -1.0f, 0.0f}, noTurn);
}

static void SetFriction(tdSetup* setup, int body, float staticFriction, float dynamicFriction)
{
    setup->bodies[body].staticFriction = staticFriction;
    setup->bodies[body].dynamicFriction = dynamicFriction;
}

// Ten boxes, dropped slightly misaligned.
static void BuildStack(tdSetup* setup)
{
    AddGround(setup);
    int box = tdSetup_AddBox(setup, 0.5f, 0.5f, 0.5f);
    for (int i = 0; i < 10; ++i)
    {
        tdVec3 position = {0.01f * (float)(i % 3), 0.52f + 1.02f * (float)i, 0.01f * (float)(i % 2)};
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, position,
                              Turn(0.0f, (float)(i % 5) * 0.05f, 0.0f, 1.0f));
    }
}

// Boxes on a 25 degree slope with different frictions: some stick, some slide, some slide only when pushed.
static void BuildSlope(tdSetup* setup)
{
    int slope = tdSetup_AddBox(setup, 20.0f, 0.5f, 20.0f), box = tdSetup_AddBox(setup, 0.3f, 0.2f, 0.3f);
    tdQuat tilt = Turn(0.0f, 0.0f, -0.2217f, 1.0f);
    int ground = tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, slope, (tdVec3){0.0f, 0.0f, 0.0f}, tilt);
    SetFriction(setup, ground, 1.0f, 1.0f);
    for (int i = 0; i < 8; ++i)
    {
        tdVec3 position = {0.33f, 0.66f, -4.0f + (float)i};
        int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, position, tilt);
        SetFriction(setup, body, 0.1f * (float)(i + 1), 0.05f * (float)(i + 1));
        setup->bodies[body].linearVelocity.z = i % 2 == 0 ? 1.0f : 0.0f;
    }
}

// Free bodies that spin about non-principal axes; gravity off.
static void BuildSpin(tdSetup* setup)
{
    setup->gravity = (tdVec3){0.0f, 0.0f, 0.0f};
    int shapes[3] = {tdSetup_AddBox(setup, 0.5f, 0.1f, 0.3f), tdSetup_AddCylinder(setup, 0.5f, 0.2f, 0.2f),
                     tdSetup_AddCapsule(setup, 0.5f, 0.1f, 0.3f)};
    for (int i = 0; i < 9; ++i)
    {
        int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[i % 3],
                                         (tdVec3){3.0f * (float)i, 0.0f, 0.0f},
                                         Turn((float)(i % 4), 1.0f, (float)(i % 2), 2.0f));
        setup->bodies[body].angularVelocity = (tdVec3){0.01f * (float)i, 5.0f, 1.0f + (float)i};
    }
}

static const tdVec3 rock[10] = {{0.3f, 0.0f, 0.1f},   {-0.3f, 0.05f, 0.0f}, {0.1f, 0.25f, -0.1f},
                                {0.0f, -0.25f, 0.1f}, {0.05f, 0.0f, 0.35f}, {0.1f, 0.05f, -0.3f},
                                {0.2f, 0.2f, 0.2f},   {-0.2f, -0.2f, 0.2f}, {-0.2f, 0.15f, 0.2f},
                                {0.2f, -0.2f, -0.2f}};

static int AddMixedShape(tdSetup* setup, const int shapes[8], uint32_t* random, int i, tdVec3 position)
{
    // In separate statements, because C does not specify the order in which arguments are evaluated.
    float x = NextFloat(random, -1.0f, 1.0f);
    float y = NextFloat(random, -1.0f, 1.0f);
    float z = NextFloat(random, -1.0f, 1.0f);
    return tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[i % 8], position, Turn(x, y, z, 1.0f));
}

static void AddMixedShapes(tdSetup* setup, int shapes[8])
{
    shapes[0] = tdSetup_AddSphere(setup, 0.25f);
    shapes[1] = tdSetup_AddBox(setup, 0.25f, 0.2f, 0.3f);
    shapes[2] = tdSetup_AddCapsule(setup, 0.2f, 0.2f, 0.2f);
    shapes[3] = tdSetup_AddCapsule(setup, 0.25f, 0.25f, 0.1f);
    shapes[4] = tdSetup_AddCylinder(setup, 0.2f, 0.25f, 0.25f);
    shapes[5] = tdSetup_AddCylinder(setup, 0.25f, 0.3f, 0.15f);
    shapes[6] = tdSetup_AddCylinder(setup, 0.25f, 0.3f, 0.0f);
    shapes[7] = tdSetup_AddHull(setup, rock, 10);
}

// Every convex shape in a pile inside four walls.
static void BuildMixed(tdSetup* setup)
{
    int shapes[8];
    uint32_t random = 99;
    setup->stepCount = 150;
    AddMixedShapes(setup, shapes);
    int ground = tdSetup_AddBody(setup, TD_MOTION_STATIC, (tdVec3){0.0f, 0.0f, 0.0f});
    tdSetup_AddPart(setup, ground, tdSetup_AddPlane(setup), identity);
    int wall = tdSetup_AddBox(setup, 0.2f, 2.0f, 2.0f), side = tdSetup_AddBox(setup, 2.0f, 2.0f, 0.2f);
    tdSetup_AddPart(setup, ground, wall, At(-1.7f, 2.0f, 0.0f));
    tdSetup_AddPart(setup, ground, wall, At(1.7f, 2.0f, 0.0f));
    tdSetup_AddPart(setup, ground, side, At(0.0f, 2.0f, -1.7f));
    tdSetup_AddPart(setup, ground, side, At(0.0f, 2.0f, 1.7f));
    for (int i = 0; i < 48; ++i)
    {
        tdVec3 position = {-0.9f + 0.6f * (float)(i % 4), 0.6f + 0.7f * (float)(i / 16),
                           -0.9f + 0.6f * (float)(i / 4 % 4)};
        AddMixedShape(setup, shapes, &random, i, position);
    }
}

// A bumpy mesh of 2 x 24 x 24 triangles under every convex shape.
static void BuildTerrain(tdSetup* setup)
{
    static const int side = 24;
    tdVec3 points[25 * 25];
    int triangles[2 * 24 * 24][3], n = 0, shapes[8];
    uint32_t random = 5;
    setup->stepCount = 150;
    for (int i = 0; i < 25 * 25; ++i)
    {
        points[i] = (tdVec3){0.5f * (float)(i / 25 - 12), NextFloat(&random, -0.2f, 0.2f),
                             0.5f * (float)(i % 25 - 12)};
    }
    for (int i = 0; i < side * side; ++i)
    {
        int a = i / side * 25 + i % side;
        triangles[n][0] = a, triangles[n][1] = a + 1, triangles[n++][2] = a + 25;
        triangles[n][0] = a + 1, triangles[n][1] = a + 26, triangles[n++][2] = a + 25;
    }
    int mesh = tdSetup_AddMesh(setup, points, 25 * 25, (const int(*)[3])triangles, n);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, mesh, (tdVec3){0.0f, 0.0f, 0.0f}, noTurn);
    AddMixedShapes(setup, shapes);
    for (int i = 0; i < 32; ++i)
    {
        tdVec3 position = {-3.0f + 0.9f * (float)(i % 8), 1.0f, -1.5f + 0.9f * (float)(i / 8)};
        int body = AddMixedShape(setup, shapes, &random, i, position);
        setup->bodies[body].linearVelocity.x = 1.0f;
    }
}

// Two dynamic triangle meshes (an octahedron and a tetrahedron, closed) falling on a mesh and on each other.
static void BuildMeshes(tdSetup* setup)
{
    const tdVec3 diamond[6] = {{0.5f, 0, 0},  {-0.5f, 0, 0}, {0, 0.5f, 0},
                               {0, -0.5f, 0}, {0, 0, 0.5f},  {0, 0, -0.5f}};
    const int diamondFaces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    const tdVec3 wedge[4] = {{0.4f, -0.3f, -0.3f}, {-0.4f, -0.3f, -0.3f}, {0, -0.3f, 0.5f}, {0, 0.5f, 0}};
    const int wedgeFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const tdVec3 sheet[4] = {{-5, 0, -5}, {-5, 0, 5}, {5, 0, -5}, {5, 0, 5}};
    const int sheetFaces[2][3] = {{0, 1, 2}, {1, 3, 2}};
    int ground = tdSetup_AddMesh(setup, sheet, 4, sheetFaces, 2);
    int shapes[2] = {tdSetup_AddMesh(setup, diamond, 6, diamondFaces, 8),
                     tdSetup_AddMesh(setup, wedge, 4, wedgeFaces, 4)};
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, ground, (tdVec3){0, 0, 0}, noTurn);
    for (int i = 0; i < 8; ++i)
    {
        tdVec3 position = {0.7f * (float)(i % 2), 0.8f + 0.9f * (float)(i / 2), 0.1f * (float)i};
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[i % 2], position,
                              Turn((float)i, 1.0f, 2.0f, 3.0f));
    }
}

// One joint of each type, attached to the world or to each other.
static void BuildJoints(tdSetup* setup)
{
    int box = tdSetup_AddBox(setup, 0.4f, 0.1f, 0.1f);
    static const tdSetupJointKind kinds[7] = {
        TD_SETUP_JOINT_BALL,   TD_SETUP_JOINT_RAGDOLL, TD_SETUP_JOINT_HINGE, TD_SETUP_JOINT_MOTOR,
        TD_SETUP_JOINT_SLIDER, TD_SETUP_JOINT_FIXED,   TD_SETUP_JOINT_SPRING};
    for (int i = 0; i < 7; ++i)
    {
        int previous = -1;
        for (int k = 0; k < 4; ++k)
        {
            tdVec3 position = {0.5f + 1.0f * (float)k, 5.0f, 1.5f * (float)i};
            int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, position, noTurn);
            tdTransform frameA = previous < 0 ? At(0.0f, 5.0f, 1.5f * (float)i) : At(0.5f, 0.0f, 0.0f);
            tdTransform frameB = At(-0.5f, 0.0f, 0.0f);
            if (kinds[i] == TD_SETUP_JOINT_HINGE || kinds[i] == TD_SETUP_JOINT_MOTOR)
            {
                frameA.rotation = frameB.rotation = Turn(0.0f, 1.0f, 0.0f, 1.0f); // X of the frame along -Z
            }
            int joint = tdSetup_AddJoint(setup, kinds[i], previous, body, frameA, frameB);
            setup->joints[joint].cone = 0.5f;
            setup->joints[joint].lower = -0.3f;
            setup->joints[joint].upper = 0.4f;
            setup->joints[joint].speed = 2.0f;
            setup->joints[joint].maxTorque = 200.0f;
            setup->joints[joint].stiffness = 2000.0f;
            setup->joints[joint].damping = 20.0f;
            previous = body;
        }
    }
}

// Balls fall through a static and a moving trigger.
static void BuildTriggers(tdSetup* setup)
{
    AddGround(setup);
    int zone = tdSetup_AddBox(setup, 2.0f, 0.5f, 2.0f), ball = tdSetup_AddSphere(setup, 0.3f);
    int fixed = tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, zone, (tdVec3){0.0f, 2.0f, 0.0f}, noTurn);
    int moving = tdSetup_AddSimpleBody(setup, TD_MOTION_KINEMATIC, zone, (tdVec3){-4.0f, 0.5f, 0.0f}, noTurn);
    setup->bodies[fixed].isTrigger = setup->bodies[moving].isTrigger = true;
    setup->bodies[moving].linearVelocity.x = 2.0f;
    for (int i = 0; i < 8; ++i)
    {
        int body = tdSetup_AddSimpleBody(
            setup, TD_MOTION_DYNAMIC, ball,
            (tdVec3){-1.75f + 0.5f * (float)i, 3.0f + 0.6f * (float)(i % 3), 0.0f}, noTurn);
        setup->bodies[body].restitution = 0.1f * (float)i;
    }
}

// A kinematic wall pushes boxes across the ground, a kinematic turntable carries others.
static void BuildPusher(tdSetup* setup)
{
    AddGround(setup);
    int wall = tdSetup_AddBox(setup, 0.2f, 1.0f, 4.0f), table = tdSetup_AddCylinder(setup, 0.2f, 2.0f, 2.0f);
    int box = tdSetup_AddBox(setup, 0.3f, 0.3f, 0.3f);
    int pusher = tdSetup_AddSimpleBody(setup, TD_MOTION_KINEMATIC, wall, (tdVec3){-3.0f, 1.0f, 0.0f}, noTurn);
    int turntable =
        tdSetup_AddSimpleBody(setup, TD_MOTION_KINEMATIC, table, (tdVec3){6.0f, 0.21f, 0.0f}, noTurn);
    setup->bodies[pusher].linearVelocity.x = 1.5f;
    setup->bodies[turntable].angularVelocity.y = 1.0f;
    for (int i = 0; i < 12; ++i)
    {
        tdVec3 position = {-2.0f + 0.8f * (float)(i % 4), 0.31f, -1.5f + 1.2f * (float)(i / 4)};
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, position, noTurn);
    }
    for (int i = 0; i < 4; ++i)
    {
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box,
                              (tdVec3){6.0f + (i % 2 == 0 ? 0.8f : -0.8f), 0.72f, i < 2 ? 0.8f : -0.8f},
                              noTurn);
    }
}

// Small fast bodies against thin walls: continuous collision.
static void BuildBullets(tdSetup* setup)
{
    AddGround(setup);
    int wall = tdSetup_AddBox(setup, 0.005f, 2.0f, 4.0f);
    int bullets[2] = {tdSetup_AddSphere(setup, 0.05f), tdSetup_AddBox(setup, 0.05f, 0.05f, 0.05f)};
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wall, (tdVec3){5.0f, 2.0f, 0.0f}, noTurn);
    for (int i = 0; i < 8; ++i)
    {
        int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, bullets[i % 2],
                                         (tdVec3){-0.3f * (float)i, 1.0f, -2.0f + 0.5f * (float)i}, noTurn);
        setup->bodies[body].linearVelocity = (tdVec3){100.0f + 50.0f * (float)i, 1.0f, 0.0f};
        setup->bodies[body].angularVelocity = (tdVec3){0.0f, 3.0f * (float)i, 0.0f};
    }
}

// Stacks that go to sleep; a late ball wakes one of them.
static void BuildSleep(tdSetup* setup)
{
    setup->enableSleep = true;
    setup->stepCount = 240;
    AddGround(setup);
    int box = tdSetup_AddBox(setup, 0.4f, 0.4f, 0.4f), ball = tdSetup_AddSphere(setup, 0.3f);
    for (int i = 0; i < 12; ++i)
    {
        tdVec3 position = {-6.0f + 4.0f * (float)(i / 3), 0.41f + 0.81f * (float)(i % 3), 0.0f};
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, position, noTurn);
    }
    tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, ball, (tdVec3){-2.1f, 40.0f, 0.1f}, noTurn);
}

// Compound bodies: dumbbells of three shapes with offset centres of mass.
static void BuildCompounds(tdSetup* setup)
{
    AddGround(setup);
    int bar = tdSetup_AddCapsule(setup, 0.4f, 0.08f, 0.08f), ball = tdSetup_AddSphere(setup, 0.25f);
    int block = tdSetup_AddBox(setup, 0.15f, 0.2f, 0.25f);
    for (int i = 0; i < 12; ++i)
    {
        int body = tdSetup_AddBody(
            setup, TD_MOTION_DYNAMIC,
            (tdVec3){-1.0f + 1.0f * (float)(i % 3), 1.0f + 0.9f * (float)(i / 3), 0.1f * (float)i});
        setup->bodies[body].transform.rotation = Turn((float)(i % 3), 0.5f, (float)(i % 2), 1.0f);
        tdSetup_AddPart(setup, body, bar, identity);
        tdSetup_AddPart(setup, body, ball, At(0.0f, 0.5f, 0.0f));
        tdSetup_AddPart(setup, body, block, At(0.0f, -0.5f, 0.0f));
    }
}

const tdSetupEntry tdSmallSetups[] = {
    {"stack", "ten slightly misaligned boxes", BuildStack},
    {"slope", "static and dynamic friction on 25 degrees", BuildSlope},
    {"spin", "free rotation about all axes", BuildSpin},
    {"mixed", "every convex shape on a plane between walls", BuildMixed},
    {"terrain", "every convex shape on a triangle mesh", BuildTerrain},
    {"meshes", "dynamic triangle meshes on each other", BuildMeshes},
    {"joints", "a chain of every joint type", BuildJoints},
    {"triggers", "triggers at rest and in motion", BuildTriggers},
    {"pusher", "kinematic wall and turntable", BuildPusher},
    {"bullets", "continuous collision with a thin wall", BuildBullets},
    {"sleep", "stacks go to sleep, one is woken", BuildSleep},
    {"compounds", "bodies of three shapes", BuildCompounds},
    {NULL, NULL, NULL},
};
