// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of stacks: towers, mass ratios, an arch. Statics decides what stands. Sleep is off unless a test is
// about it. The overlap that a stack keeps is a thousandth of the inner radius of the smaller body per
// contact.
#include "harness.h"

#include "physics/bodies.h"
#include "physics/standing.h"

#define MOST_BOXES 64

typedef struct Tower
{
    int count;
    double offset;  // m, amplitude of random offsets
    double lean;    // m, offset of each box from the one below
    double topMass; // factor on the density of the top box
    double oddMass; // factor on the density of every second box
    double growth;  // factor on the density from box to box
    double size;    // m
    bool enableSleep;
    uint32_t seed;
} Tower;

static double Random(uint32_t* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static tdWorld* BuildTower(const Tower* tower, tdBodyId* boxes)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), tower->enableSleep);
    uint32_t seed = tower->seed;
    double size = tower->size, density = 1000.0;
    AddBox(world, TD_MOTION_STATIC, V(0, -size, 0), noTurn, V(100 * size, 2 * size, 100 * size), stone);
    for (int i = 0; i < tower->count; ++i)
    {
        Material material = stone;
        material.density = (float)(density * (i + 1 == tower->count ? tower->topMass : 1.0) *
                                   (i % 2 == 1 ? tower->oddMass : 1.0));
        double x = tower->lean * i + tower->offset * Random(&seed), z = tower->offset * Random(&seed);
        double gap = tower->offset > 0.0 ? 0.001 * size * (i + 1) : 0.0;
        double yaw = tower->offset > 0.0 ? 0.05 * Random(&seed) : 0.0;
        boxes[i] = AddBox(world, TD_MOTION_DYNAMIC, V(x, size * (0.5 + i) + gap, z), Turn(0, 1, 0, yaw),
                          V(size, size, size), material);
        density *= tower->growth;
    }
    return world;
}

static double FindFastest(const tdWorld* world, const tdBodyId* bodies, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
    {
        double v = Length(tdBody_GetLinearVelocity(world, bodies[i])) +
                   Length(tdBody_GetAngularVelocity(world, bodies[i]));
        most = v > most ? v : most;
    }
    return most;
}

static void EnsureStands(Tower tower, double seconds)
{
    tdBodyId boxes[MOST_BOXES];
    tdWorld* world = BuildTower(&tower, boxes);
    StepFor(world, seconds);
    double size = tower.size, top = (double)Position(world, boxes[tower.count - 1]).y;
    ENSURE(top > size * (0.999 * tower.count - 0.5));
    ENSURE(top < size * (1.0001 * tower.count - 0.5));
    ENSURE(FindFastest(world, boxes, tower.count) < 0.002);
    for (int i = 0; i < tower.count; ++i)
    {
        ENSURE(RotateBy(tdBody_GetTransform(world, boxes[i]).rotation, V(0, 1, 0)).y > 0.999f);
    }
    tdDestroyWorld(world);
}

static const Tower plainTower = {.count = 10, .topMass = 1, .oddMass = 1, .growth = 1, .size = 1, .seed = 1};

TEST(TowersStand)
{
    const int counts[] = {10, 20, 30, 50};
    for (int i = 0; i < 4; ++i)
    {
        Tower tower = plainTower;
        tower.count = counts[i];
        EnsureStands(tower, 20);
        for (uint32_t seed = 1; seed <= 3; ++seed)
        {
            tower.offset = 0.02;
            tower.seed = seed;
            EnsureStands(tower, 20);
        }
    }
}

TEST(TowersStandAtEverySize)
{
    const double sizes[] = {0.05, 0.3, 10};
    for (int i = 0; i < 3; ++i)
    {
        Tower tower = plainTower;
        tower.count = 15;
        tower.size = sizes[i];
        tower.offset = 0.01 * sizes[i];
        EnsureStands(tower, 20);
    }
}

// The points that hold are found by principal pivoting: with rounds that only exchange all of them, some of
// these towers shake and fall.
TEST(SmallJitteredTowersStand)
{
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        Tower tower = plainTower;
        tower.count = 30;
        tower.size = 0.05;
        tower.offset = 0.02 * tower.size;
        tower.seed = seed;
        EnsureStands(tower, 10);
    }
}

TEST(SleepingTowerStands)
{
    Tower tower = plainTower;
    tower.count = 50;
    tower.offset = 0.02;
    tower.enableSleep = true;
    EnsureStands(tower, 20);
}

TEST(HeavyTopsStand)
{
    const double masses[] = {20, 50, 100, 1000};
    for (int i = 0; i < 4; ++i)
    {
        Tower tower = plainTower;
        tower.topMass = masses[i];
        EnsureStands(tower, 15);
    }
}

TEST(AlternatingMassesStand)
{
    for (double mass = 10; mass <= 100; mass *= 10)
    {
        Tower tower = plainTower;
        tower.oddMass = mass;
        EnsureStands(tower, 15);
    }
}

// The lowest box of the last tower bears 350,000 times its weight.
TEST(GrowingMassesStand)
{
    for (int growth = 2; growth <= 4; ++growth)
    {
        const double sizes[] = {0.05, 1, 10};
        for (int i = 0; i < 3; ++i)
        {
            Tower tower = plainTower;
            tower.growth = growth;
            tower.size = sizes[i];
            EnsureStands(tower, 15);
            tower.offset = 0.02 * sizes[i];
            EnsureStands(tower, 15);
        }
    }
}

// Rigid contacts hold from the first step on, so a tower that touches does not sink into its springs first.
TEST(NewTowersDoNotSink)
{
    for (int count = 8; count <= 40; count += 16)
    {
        Tower tower = plainTower;
        tower.count = count;
        tdBodyId boxes[MOST_BOXES];
        tdWorld* world = BuildTower(&tower, boxes);
        StepFor(world, 20);
        ENSURE_NEAR(Position(world, boxes[count - 1]).y, count - 0.5, 1.0e-4);
        tdDestroyWorld(world);
    }
}

/// How far the highest box of a tower has sunk, in boxes.
static double FindDrop(const Tower* tower, double seconds)
{
    tdBodyId boxes[MOST_BOXES];
    tdWorld* world = BuildTower(tower, boxes);
    StepFor(world, seconds);
    double top = (double)Position(world, boxes[tower->count - 1]).y / tower->size;
    tdDestroyWorld(world);
    return tower->count - 0.5 - top;
}

// Each of n boxes is shifted by d against the one below. The centre of the n - 1 upper ones is n d / 2 beside
// the middle of the lowest box, and leaves its face at d = 1 / n.
TEST(LeaningTowersFallAtTheirLimit)
{
    const int counts[] = {2, 3, 5, 8, 12, 20};
    const double sizes[] = {0.05, 1, 10};
    for (int i = 0; i < 6; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            Tower tower = plainTower;
            tower.count = counts[i];
            tower.size = sizes[k];
            tower.lean = 0.98 * tower.size / tower.count;
            ENSURE(FindDrop(&tower, 20) < 0.01);
            tower.lean = 1.02 * tower.size / tower.count;
            ENSURE(FindDrop(&tower, 40) > 0.5);
        }
    }
}

/// A hull of the four corners of a ring sector, extruded by `depth` along z.
static tdBodyId AddVoussoir(tdWorld* world, double inner, double outer, double from, double to, double depth,
                            tdGeometry** hull)
{
    double middle = 0.5 * (from + to), radius = 0.5 * (inner + outer);
    tdVec3 center = V(radius * cos(middle), radius * sin(middle), 0), points[8];
    for (int i = 0; i < 8; ++i)
    {
        double r = (i & 1) != 0 ? outer : inner, angle = (i & 2) != 0 ? to : from;
        points[i] = V(r * cos(angle) - (double)center.x, r * sin(angle) - (double)center.y,
                      (i & 4) != 0 ? 0.5 * depth : -0.5 * depth);
    }
    Material material = {0.7f, 0.7f, 0.0f, 2000.0f};
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, center, noTurn);
    tdShapeDef def = MakeShapeDef(material);
    *hull = tdCreateHullGeometry(points, 8, NULL, NULL);
    ENSURE(*hull != NULL);
    ENSURE(tdShape_IsValid(world, tdCreateHull(world, body, &def, *hull)));
    return body;
}

// A semicircular arch stands if its thickness is at least 0.107 of its radius (Milankovitch).
TEST(ArchStands)
{
    enum
    {
        COUNT = 15
    };
    Material ground = {0.7f, 0.7f, 0.0f, 1000.0f};
    tdWorld* world = MakeGroundedWorld(ground);
    tdBodyId stones[COUNT];
    tdVec3 starts[COUNT];
    tdGeometry* hulls[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        stones[i] = AddVoussoir(world, 4.5, 5.5, PI * i / COUNT, PI * (i + 1) / COUNT, 1.0, &hulls[i]);
        starts[i] = Position(world, stones[i]);
    }
    StepFor(world, 60);
    for (int i = 0; i < COUNT; ++i)
    {
        EnsureStayed(world, stones[i], starts[i], 1.0e-4, 1.0e-4);
    }
    ENSURE(FindFastest(world, stones, COUNT) < 0.002);
    tdDestroyWorld(world);
    for (int i = 0; i < COUNT; ++i)
    {
        tdDestroyGeometry(hulls[i]);
    }
}

TEST_MAIN(RUN(TowersStand) RUN(TowersStandAtEverySize) RUN(SmallJitteredTowersStand) RUN(SleepingTowerStands)
              RUN(HeavyTopsStand) RUN(AlternatingMassesStand) RUN(GrowingMassesStand) RUN(NewTowersDoNotSink)
                  RUN(LeaningTowersFallAtTheirLimit) RUN(ArchStands))
