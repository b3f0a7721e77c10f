// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds the second set of benchmark scenes: situations beside S1 to S7, measured from the first step to the
// last. No constant of the engine was chosen with one of them.
#include "setup_numbers.h"

/// Edge of a cell of a compound, m.
#define CELL_SIZE 0.2
/// Largest number of parts of a compound of this file.
#define MAX_CELLS 320

typedef struct Cell
{
    int x, y, z;
} Cell;

static void AddGround(tdSetup* setup, float halfSize)
{
    int ground = tdSetup_AddBox(setup, halfSize, 1.0f, halfSize);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, ground, RoundVec3(0, -1, 0), RoundQuat(noTurn));
}

// Walks at random over the cells of a lattice until it has been in `count` of them: a branched body with
// gaps, about count^0.6 cells across.
static int WalkCells(Random* random, Cell* cells, int count)
{
    Cell at = {0, 0, 0};
    int found = 0;
    while (found < count)
    {
        bool isNew = true;
        for (int i = 0; i < found && isNew; ++i)
        {
            isNew = cells[i].x != at.x || cells[i].y != at.y || cells[i].z != at.z;
        }
        if (isNew)
        {
            cells[found++] = at;
        }
        int way = (int)(NextRandom(random) * 6.0);
        int sign = way % 2 == 0 ? 1 : -1;
        at.x += way / 2 == 0 ? sign : 0;
        at.y += way / 2 == 1 ? sign : 0;
        at.z += way / 2 == 2 ? sign : 0;
    }
    return found;
}

// Bodies of `partCount` parts each that fall onto a plane floor: 5 x 5 x `layers`.
static void BuildCompounds(tdSetup* setup, int partCount, int layers, const int* shapes, int shapeCount)
{
    Random random = {99};
    AddGround(setup, 60.0f);
    double spacing = 1.2 * CELL_SIZE * (2.0 + 1.6 * pow(partCount, 0.5));
    for (int i = 0; i < 25 * layers; ++i)
    {
        Cell cells[MAX_CELLS];
        double q[4];
        WalkCells(&random, cells, partCount);
        NextQuat(&random, q);
        int body = tdSetup_AddBody(
            setup, TD_MOTION_DYNAMIC,
            RoundVec3((i % 5 - 2) * spacing, (1.0 + i / 25) * spacing, (i / 5 % 5 - 2) * spacing));
        setup->bodies[body].transform.rotation = RoundQuat(q);
        for (int k = 0; k < partCount; ++k)
        {
            tdSetup_AddPart(setup, body, shapes[k % shapeCount],
                            At(CELL_SIZE * cells[k].x, CELL_SIZE * cells[k].y, CELL_SIZE * cells[k].z));
        }
    }
}

static void BuildBoxCompounds(tdSetup* setup, int partCount)
{
    Begin(setup, 360, 0, false, -2.0f);
    float half = Round7(0.5 * CELL_SIZE);
    int box = tdSetup_AddBox(setup, half, half, half);
    BuildCompounds(setup, partCount, 6, &box, 1);
}

static void BuildCompounds10(tdSetup* setup)
{
    BuildBoxCompounds(setup, 10);
}

static void BuildCompounds30(tdSetup* setup)
{
    BuildBoxCompounds(setup, 30);
}

static void BuildCompounds100(tdSetup* setup)
{
    BuildBoxCompounds(setup, 100);
}

static void BuildCompounds300(tdSetup* setup)
{
    BuildBoxCompounds(setup, 300);
}

// Eight to twenty corners on an ellipsoid about the middle of a cell.
static int AddPebble(tdSetup* setup, Random* random, int count, double radius)
{
    tdVec3 points[32];
    for (int i = 0; i < count; ++i)
    {
        double x, y, z, square;
        do
        {
            x = NextRange(random, -1, 1);
            y = NextRange(random, -1, 1);
            z = NextRange(random, -1, 1);
            square = x * x + y * y + z * z;
        } while (!(0.01 < square && square < 1));
        double scale = radius / sqrt(square);
        points[i] = RoundVec3(scale * x, 0.9 * scale * y, scale * z);
    }
    return tdSetup_AddHull(setup, points, count);
}

// Convex decompositions: 400 bodies of 12 hulls.
static void BuildDecompositions(tdSetup* setup)
{
    Begin(setup, 360, 0, false, -2.0f);
    Random random = {31};
    int hulls[12];
    for (int i = 0; i < 12; ++i)
    {
        hulls[i] = AddPebble(setup, &random, 10 + i % 8, 0.6 * CELL_SIZE);
    }
    BuildCompounds(setup, 12, 16, hulls, 12);
}

// Wheels of 16 boxes about an axle that roll down a slope: 120 of them.
static void BuildRollingCompounds(tdSetup* setup)
{
    Begin(setup, 360, 0, false, -100.0f);
    const double tilt = 0.15;
    const double slope[4] = {0, 0, sin(-tilt / 2), cos(tilt / 2)};
    int ground = tdSetup_AddBox(setup, 200.0f, 1.0f, 40.0f);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, ground, RoundVec3(0, -1, 0), RoundQuat(slope));
    int tooth = tdSetup_AddBox(setup, 0.1f, 0.08f, 0.3f);
    for (int i = 0; i < 120; ++i)
    {
        double x = (i / 12 - 5) * 3.0, z = (i % 12 - 5.5) * 2.0;
        int body = tdSetup_AddBody(setup, TD_MOTION_DYNAMIC, RoundVec3(x, 0.9 - x * tan(tilt), z));
        setup->bodies[body].angularVelocity = RoundVec3(0, 0, -10);
        setup->bodies[body].linearVelocity = RoundVec3(6, -6 * tan(tilt), 0);
        for (int k = 0; k < 16; ++k)
        {
            double angle = 2 * PI * k / 16;
            const double turn[4] = {0, 0, sin(angle / 2), cos(angle / 2)};
            tdTransform local = {RoundVec3(0.5 * cos(angle), 0.5 * sin(angle), 0), RoundQuat(turn)};
            tdSetup_AddPart(setup, body, tooth, local);
        }
    }
}

// Blocks of boxes whose parts fly apart at up to 30 m/s inside a walled yard.
static void BuildExplosions(tdSetup* setup)
{
    Begin(setup, 300, 0, false, -2.0f);
    AddGround(setup, 40.0f);
    int wallX = tdSetup_AddBox(setup, 0.25f, 6.0f, 30.0f), wallZ = tdSetup_AddBox(setup, 30.0f, 6.0f, 0.25f);
    for (int i = 0; i < 2; ++i)
    {
        double side = i == 0 ? -30.0 : 30.0;
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wallX, RoundVec3(side, 6, 0), RoundQuat(noTurn));
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wallZ, RoundVec3(0, 6, side), RoundQuat(noTurn));
    }
    int box = tdSetup_AddBox(setup, 0.2f, 0.2f, 0.2f);
    for (int block = 0; block < 9; ++block)
    {
        double cx = (block % 3 - 1) * 15.0, cz = (block / 3 - 1) * 15.0;
        for (int i = 0; i < 216; ++i)
        {
            double x = (i % 6 - 2.5) * 0.41, y = 0.21 + i / 6 % 6 * 0.41, z = (i / 36 - 2.5) * 0.41;
            int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, RoundVec3(cx + x, y, cz + z),
                                             RoundQuat(noTurn));
            double speed = 30.0 / (1.0 + x * x + y * y + z * z);
            setup->bodies[body].linearVelocity = RoundVec3(speed * x, speed * (y + 0.3), speed * z);
            setup->bodies[body].angularVelocity = RoundVec3(speed * z, 0, -speed * x);
        }
    }
}

// 3,000 separate piles of three bodies.
static void BuildIslands(tdSetup* setup)
{
    Begin(setup, 240, 0, false, -2.0f);
    Random random = {5};
    AddGround(setup, 100.0f);
    int shapes[3] = {tdSetup_AddBox(setup, 0.3f, 0.2f, 0.3f), tdSetup_AddSphere(setup, 0.25f),
                     tdSetup_AddCapsule(setup, 0.2f, 0.15f, 0.15f)};
    for (int i = 0; i < 3000; ++i)
    {
        double x = (i % 60 - 29.5) * 2.0, z = (i / 60 - 24.5) * 2.0;
        for (int k = 0; k < 3; ++k)
        {
            double q[4];
            NextQuat(&random, q);
            double px = x + NextRange(&random, -.1, .1), pz = z + NextRange(&random, -.1, .1);
            tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[k], RoundVec3(px, 0.5 + 0.8 * k, pz),
                                  RoundQuat(q));
        }
    }
}

// A world of 10,000 bodies of which 90 % sleep: stacks, and a bin that a kinematic paddle stirs.
static void BuildMostlyAsleep(tdSetup* setup)
{
    Begin(setup, 480, 300, true, -2.0f);
    Random random = {17};
    AddGround(setup, 150.0f);
    int box = tdSetup_AddBox(setup, 0.25f, 0.25f, 0.25f);
    for (int i = 0; i < 3000; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box,
                                  RoundVec3((i % 60 - 29.5) * 1.5, 0.25 + k * 0.501, 15 + i / 60 * 1.5),
                                  RoundQuat(noTurn));
        }
    }
    int wall = tdSetup_AddBox(setup, 6.0f, 2.0f, 0.5f);
    const double turn[4] = {0, sin(PI / 4), 0, cos(PI / 4)};
    for (int i = 0; i < 2; ++i)
    {
        double side = i == 0 ? -6.5 : 6.5;
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wall, RoundVec3(0, 2, side), RoundQuat(noTurn));
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wall, RoundVec3(side, 2, 0), RoundQuat(turn));
    }
    int bar = tdSetup_AddBox(setup, 5.5f, 0.4f, 0.2f);
    int paddle =
        tdSetup_AddSimpleBody(setup, TD_MOTION_KINEMATIC, bar, RoundVec3(0, 0.5, 0), RoundQuat(noTurn));
    setup->bodies[paddle].angularVelocity = RoundVec3(0, 1, 0);
    for (int i = 0; i < 1000; ++i)
    {
        double q[4];
        NextQuat(&random, q);
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box,
                              RoundVec3((i % 10 - 4.5) * 1.0, 1.5 + i / 100 * 0.7, (i / 10 % 10 - 4.5) * 1.0),
                              RoundQuat(q));
    }
}

// 2,000 bodies among 16 kinematic turnstiles.
static void BuildTurnstiles(tdSetup* setup)
{
    Begin(setup, 360, 0, false, -2.0f);
    Random random = {23};
    AddGround(setup, 40.0f);
    int wall = tdSetup_AddBox(setup, 10.0f, 3.0f, 0.5f);
    const double turn[4] = {0, sin(PI / 4), 0, cos(PI / 4)};
    for (int i = 0; i < 2; ++i)
    {
        double side = i == 0 ? -10.5 : 10.5;
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wall, RoundVec3(0, 3, side), RoundQuat(noTurn));
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wall, RoundVec3(side, 3, 0), RoundQuat(turn));
    }
    int bar = tdSetup_AddBox(setup, 2.2f, 0.6f, 0.1f);
    for (int i = 0; i < 16; ++i)
    {
        int body = tdSetup_AddBody(setup, TD_MOTION_KINEMATIC,
                                   RoundVec3((i % 4 - 1.5) * 5.0, 0.7, (i / 4 - 1.5) * 5.0));
        tdSetup_AddPart(setup, body, bar, At(0, 0, 0));
        tdSetup_AddPart(setup, body, bar, (tdTransform){RoundVec3(0, 0, 0), RoundQuat(turn)});
        setup->bodies[body].angularVelocity = RoundVec3(0, i % 2 == 0 ? 2 : -2, 0);
    }
    int shapes[4] = {tdSetup_AddBox(setup, 0.25f, 0.2f, 0.3f), tdSetup_AddSphere(setup, 0.25f),
                     tdSetup_AddCapsule(setup, 0.2f, 0.2f, 0.2f), AddPebble(setup, &random, 16, 0.3)};
    for (int i = 0; i < 2000; ++i)
    {
        double q[4];
        NextQuat(&random, q);
        tdSetup_AddSimpleBody(
            setup, TD_MOTION_DYNAMIC, shapes[i % 4],
            RoundVec3((i % 20 - 9.5) * 0.95, 2.0 + i / 400 * 0.9, (i / 20 % 20 - 9.5) * 0.95), RoundQuat(q));
    }
}

// 1,500 hulls that fall into a pile.
static void BuildHullPile(tdSetup* setup)
{
    Begin(setup, 240, 0, false, -2.0f);
    Random random = {77};
    AddGround(setup, 40.0f);
    int hulls[6];
    for (int i = 0; i < 6; ++i)
    {
        hulls[i] = AddPebble(setup, &random, 12 + 3 * i, 0.3);
    }
    for (int i = 0; i < 1500; ++i)
    {
        double q[4];
        NextQuat(&random, q);
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, hulls[i % 6],
                              RoundVec3((i % 10 - 4.5) * 0.7, 0.6 + i / 100 * 0.7, (i / 10 % 10 - 4.5) * 0.7),
                              RoundQuat(q));
    }
}

// `count` mixed bodies at constant density over a plane, three layers.
static void BuildGrowth(tdSetup* setup, int count)
{
    Begin(setup, 80, 20, false, -2.0f);
    Random random = {2024};
    int side = (int)ceil(sqrt(count / 3.0));
    AddGround(setup, (float)side + 20.0f);
    int shapes[4] = {tdSetup_AddBox(setup, 0.3f, 0.25f, 0.35f), tdSetup_AddSphere(setup, 0.3f),
                     tdSetup_AddCapsule(setup, 0.25f, 0.2f, 0.2f), AddPebble(setup, &random, 14, 0.35)};
    for (int i = 0; i < count; ++i)
    {
        double q[4];
        NextQuat(&random, q);
        int cell = i / 3;
        double x = (cell % side - 0.5 * (side - 1)) * 1.2 + NextRange(&random, -.1, .1);
        double z = (cell / side - 0.5 * (side - 1)) * 1.2 + NextRange(&random, -.1, .1);
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[(int)(NextRandom(&random) * 4)],
                              RoundVec3(x, 0.6 + 0.9 * (i % 3), z), RoundQuat(q));
    }
}

static void BuildGrowth1000(tdSetup* setup)
{
    BuildGrowth(setup, 1000);
}

static void BuildGrowth10000(tdSetup* setup)
{
    BuildGrowth(setup, 10000);
}

static void BuildGrowth100000(tdSetup* setup)
{
    BuildGrowth(setup, 100000);
}

// 250 cars with four driven hinges each on a hilly mesh.
static void BuildCars(tdSetup* setup)
{
    Begin(setup, 360, 0, false, -20.0f);
    int terrain = AddTerrain(setup, 128, 128, 0.6);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, terrain, RoundVec3(0, 0, 0), RoundQuat(noTurn));
    int chassis = tdSetup_AddBox(setup, 0.9f, 0.25f, 0.45f),
        wheel = tdSetup_AddCylinder(setup, 0.12f, 0.35f, 0.35f);
    const double lying[4] = {sin(PI / 4), 0, 0, cos(PI / 4)}, axle[4] = {0, sin(PI / 4), 0, cos(PI / 4)};
    for (int i = 0; i < 250; ++i)
    {
        double x = (i % 25 - 12) * 4.0, z = (i / 25 - 4.5) * 6.0, y = 1.8;
        int body =
            tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, chassis, RoundVec3(x, y, z), RoundQuat(noTurn));
        setup->bodies[body].density = 400.0f;
        for (int k = 0; k < 4; ++k)
        {
            double dx = k % 2 == 0 ? -0.65 : 0.65, dz = k / 2 == 0 ? -0.6 : 0.6;
            int round = tdSetup_AddBody(setup, TD_MOTION_DYNAMIC, RoundVec3(x + dx, y - 0.3, z + dz));
            setup->bodies[round].staticFriction = setup->bodies[round].dynamicFriction = 0.9f;
            tdSetup_AddPart(setup, round, wheel, (tdTransform){RoundVec3(0, 0, 0), RoundQuat(lying)});
            tdTransform frameA = {RoundVec3(dx, -0.3, dz), RoundQuat(axle)},
                        frameB = {RoundVec3(0, 0, 0), RoundQuat(axle)};
            int joint = tdSetup_AddJoint(setup, TD_SETUP_JOINT_MOTOR, body, round, frameA, frameB);
            setup->joints[joint].speed = i % 2 == 0 ? 8.0f : -8.0f;
            setup->joints[joint].maxTorque = 80.0f;
        }
    }
}

// 20 rails of 50 motors whose arms bat falling boxes.
static void BuildMotorRails(tdSetup* setup)
{
    Begin(setup, 360, 0, false, -2.0f);
    Random random = {31};
    AddGround(setup, 60.0f);
    int arm = tdSetup_AddBox(setup, 0.45f, 0.08f, 0.08f), box = tdSetup_AddBox(setup, 0.2f, 0.15f, 0.25f);
    const double axle[4] = {0, sin(PI / 4), 0, cos(PI / 4)};
    for (int i = 0; i < 1000; ++i)
    {
        double x = (i % 50 - 24.5) * 1.0, z = (i / 50 - 9.5) * 0.6;
        int body =
            tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, arm, RoundVec3(x, 1.5, z), RoundQuat(noTurn));
        int joint = tdSetup_AddJoint(setup, TD_SETUP_JOINT_MOTOR, -1, body,
                                     (tdTransform){RoundVec3(x, 1.5, z), RoundQuat(axle)},
                                     (tdTransform){RoundVec3(0, 0, 0), RoundQuat(axle)});
        setup->joints[joint].speed = i % 3 == 0 ? -6.0f : 6.0f;
        setup->joints[joint].maxTorque = 100.0f;
    }
    for (int i = 0; i < 600; ++i)
    {
        double q[4];
        NextQuat(&random, q);
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box,
                              RoundVec3((i % 40 - 19.5) * 1.2, 3.0 + i / 600.0, (i / 40 - 7) * 0.7),
                              RoundQuat(q));
    }
}

// Two conveyors of 60 turning rollers carry 96 boxes into a heap.
static void BuildConveyors(tdSetup* setup)
{
    Begin(setup, 240, 0, false, -4.0f);
    AddGround(setup, 60.0f);
    int roller = tdSetup_AddCylinder(setup, 0.9f, 0.15f, 0.15f),
        box = tdSetup_AddBox(setup, 0.3f, 0.2f, 0.3f);
    const double across[4] = {sin(PI / 4), 0, 0, cos(PI / 4)};
    for (int i = 0; i < 2 * 60; ++i)
    {
        int body = tdSetup_AddBody(setup, TD_MOTION_KINEMATIC,
                                   RoundVec3((i % 60 - 45) * 0.32, 1.5, (i / 60 - 0.5) * 2.2));
        tdSetup_AddPart(setup, body, roller, (tdTransform){RoundVec3(0, 0, 0), RoundQuat(across)});
        setup->bodies[body].angularVelocity = RoundVec3(0, 0, -10);
    }
    for (int i = 0; i < 96; ++i)
    {
        double x = (i / 2 % 12 - 19) * 0.7, y = 1.9 + i / 24 % 2 * 0.45, z = (i / 48 % 2 - 0.5) * 2.2;
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, RoundVec3(x, y, z + (i % 2 == 0 ? -0.35 : 0.35)),
                              RoundQuat(noTurn));
    }
}

// A heap in which each step destroys the oldest body and creates one above.
static void BuildRenewal(tdSetup* setup)
{
    Begin(setup, 900, 0, false, -2.0f);
    Random random = {47};
    AddGround(setup, 30.0f);
    setup->firstReplaced = setup->bodyCount;
    int shapes[4] = {tdSetup_AddBox(setup, 0.3f, 0.25f, 0.35f), tdSetup_AddSphere(setup, 0.3f),
                     tdSetup_AddCapsule(setup, 0.25f, 0.2f, 0.2f), AddPebble(setup, &random, 14, 0.35)};
    for (int i = 0; i < 600; ++i)
    {
        double q[4];
        NextQuat(&random, q);
        tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[i % 4],
                              RoundVec3((i % 5 - 2) * 0.9, 6.0 + i / 25 * 0.9, (i / 5 % 5 - 2) * 0.9),
                              RoundQuat(q));
    }
}

const tdSetupEntry tdSecondSetups[] = {
    {"compounds10", "150 bodies of 10 boxes fall onto a floor", BuildCompounds10},
    {"compounds30", "150 bodies of 30 boxes", BuildCompounds30},
    {"compounds100", "150 bodies of 100 boxes", BuildCompounds100},
    {"compounds300", "150 bodies of 300 boxes", BuildCompounds300},
    {"hulls12", "convex decompositions: 400 bodies of 12 hulls", BuildDecompositions},
    {"wheels16", "120 wheels of 16 boxes roll down a slope", BuildRollingCompounds},
    {"explosions", "1,944 boxes fly apart in a walled yard", BuildExplosions},
    {"islands", "3,000 islands of three bodies", BuildIslands},
    {"mostasleep", "10,000 bodies, 90 % of them asleep", BuildMostlyAsleep},
    {"turnstiles", "2,000 bodies stirred by 16 kinematic turnstiles", BuildTurnstiles},
    {"hullpile", "1,500 hulls fall into a pile", BuildHullPile},
    {"cars", "250 cars with four driven hinges each on a mesh", BuildCars},
    {"motorrails", "20 rails of 50 motors bat 600 falling boxes", BuildMotorRails},
    {"conveyors", "96 boxes on 120 turning rollers", BuildConveyors},
    {"renewal", "a heap of 600 bodies: each step destroys one and creates one", BuildRenewal},
    {"growth1000", "1,000 mixed bodies at constant density", BuildGrowth1000},
    {"growth10000", "10,000 mixed bodies at the same density", BuildGrowth10000},
    {"growth100000", "100,000 mixed bodies at the same density", BuildGrowth100000},
    {NULL, NULL, NULL},
};
