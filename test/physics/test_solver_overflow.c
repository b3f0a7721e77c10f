// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of overflow contacts, more on one body than there are colours: the lanes of a group share the body
// and must not lose each other's impulse, for any vector width, number of workers and partitioning.
#include "harness.h"

#include "physics/bodies.h"
#include "physics/data/color.h"
#include "physics/data/world_data.h"
#include "physics/solver/solver_data.h"

#define SIDE 12
#define COUNT (SIDE * SIDE)
#define PITCH 0.11
#define SIZE (SIDE * PITCH)

static tdVec3 PlaceOf(int i, double x, double y)
{
    return V(x + PITCH * (i % SIDE - 0.5 * (SIDE - 1)), y, PITCH * (i / SIDE - 0.5 * (SIDE - 1)));
}

// A plate of the given density; small bodies rest on it, lie under it, or hit it from both sides.
typedef struct Crowd
{
    tdWorld* world;
    tdBodyId plate, small[COUNT];
    tdVec3 starts[COUNT];
} Crowd;

static void AddCrowd(Crowd* crowd, double x, double plateY, double smallY, double density, bool balls)
{
    const Material plateMaterial = {0.6f, 0.6f, 0.0f, (float)density};
    crowd->plate =
        AddBox(crowd->world, TD_MOTION_DYNAMIC, V(x, plateY, 0), noTurn, V(SIZE, 0.1, SIZE), plateMaterial);
    for (int i = 0; i < COUNT; ++i)
    {
        tdVec3 p = crowd->starts[i] = PlaceOf(i, x, smallY);
        crowd->small[i] = balls ? AddSphere(crowd->world, TD_MOTION_DYNAMIC, p, 0.05, plain)
                                : AddBox(crowd->world, TD_MOTION_DYNAMIC, p, noTurn, V(0.1, 0.1, 0.1), plain);
    }
}

static tdWorld* MakeGround(void)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(100, 2, 100), plain);
    return world;
}

// A soft contact at rest is as deep as its load requires (decision 070): with b the rate at which overlap is
// removed and relax removing the velocity of that, load and rate balance at m g h / (b h m') of some tenths
// of a millimetre per layer; one millimetre per layer is allowed.
static void CheckRest(double plateY, double smallY, double density)
{
    Crowd crowd = {.world = MakeGround()};
    AddCrowd(&crowd, 0, plateY, smallY, density, false);
    StepFor(crowd.world, 1);
    ENSURE(crowd.world->solver->overflowCount >= COUNT - TD_COLOR_COUNT);
    tdVec3 p = Position(crowd.world, crowd.plate);
    ENSURE_NEAR(p.x, 0, 5e-4);
    ENSURE_NEAR(p.z, 0, 5e-4);
    ENSURE_NEAR(p.y, plateY, 2e-3);
    ENSURE(RotateBy(tdBody_GetTransform(crowd.world, crowd.plate).rotation, V(0, 1, 0)).y > 0.999999f);
    for (int i = 0; i < COUNT; ++i)
    {
        tdVec3 q = Position(crowd.world, crowd.small[i]);
        ENSURE_NEAR(q.x, crowd.starts[i].x, 5e-4);
        ENSURE_NEAR(q.y, crowd.starts[i].y, 2e-3);
        ENSURE_NEAR(q.z, crowd.starts[i].z, 5e-4);
        ENSURE(Length(tdBody_GetLinearVelocity(crowd.world, crowd.small[i])) < 1e-3);
    }
    tdDestroyWorld(crowd.world);
}

TEST(BoxesRestOnAPlate)
{
    CheckRest(0.05, 0.15, 1000);
    CheckRest(0.05, 0.15, 200);
}

TEST(APlateRestsOnBoxes)
{
    CheckRest(0.15, 0.05, 1000);
    CheckRest(0.15, 0.05, 50);
}

// Without gravity all momentum comes from the balls. If one lane overwrote the plate's velocity after another
// had changed it, that impulse would be lost: the plate must have all the momentum of the balls. The same
// holds for angular momentum about the origin, because the balls hit one half of the plate.
TEST(ImpulsesOfAllLanesCount)
{
    Crowd crowd = {.world = MakeWorld(V(0, 0, 0), false)};
    AddCrowd(&crowd, 0, 0, 0.12, 500, true);
    double ballMass = (double)tdBody_GetMass(crowd.world, crowd.small[0]).mass;
    double momentum = 0, turn = 0, share = 0;
    for (int i = 0; i < COUNT; ++i)
    {
        double speed = crowd.starts[i].x > 0 ? -2.0 : 0.0;
        tdBody_SetLinearVelocity(crowd.world, crowd.small[i], V(0, speed, 0));
        momentum += ballMass * speed;
        turn += ballMass * (double)crowd.starts[i].x * speed;
    }
    int most = 0;
    for (int i = 0; i < 30; ++i)
    {
        tdWorld_Step(crowd.world, (float)STEP);
        most = crowd.world->solver->overflowCount > most ? crowd.world->solver->overflowCount : most;
        double sum = 0, turnSum = 0;
        for (int k = 0; k <= COUNT; ++k)
        {
            tdBodyId body = k < COUNT ? crowd.small[k] : crowd.plate;
            double m = (double)tdBody_GetMass(crowd.world, body).mass;
            tdVec3 c = tdBody_GetWorldCenterOfMass(crowd.world, body);
            tdVec3 v = tdBody_GetLinearVelocity(crowd.world, body);
            sum += m * (double)v.y;
            turnSum += m * ((double)c.x * (double)v.y - (double)c.y * (double)v.x) +
                       (double)AngularMomentum(crowd.world, body).z;
            share = (double)v.y;
        }
        // Rounding of some hundred impulses: 300 * 6e-8. Angular: anchors are those of the start of the step,
        // so it is conserved to first order, v h / size = 2 %.
        ENSURE_NEAR(sum, momentum, 2e-5 * fabs(momentum));
        ENSURE_NEAR(turnSum, turn, 0.02 * fabs(turn));
    }
    ENSURE(most > 0 && share < -0.1);
    tdDestroyWorld(crowd.world);
}

// Two distant plates: one worker solves them in one partition, several in one each.
static uint64_t HashOf(tdSimd simd, const tdTasks* tasks)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = V(0, -GRAVITY, 0);
    def.simd = simd;
    def.tasks = tasks;
    Crowd crowd = {.world = tdCreateWorld(&def)};
    AddBox(crowd.world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(100, 2, 100), plain);
    AddCrowd(&crowd, -5, 0.3, 0.45, 300, false);
    AddCrowd(&crowd, 5, 0.3, 0.45, 1000, true);
    tdBody_SetAngularVelocity(crowd.world, crowd.plate, V(0.3, 0, 0.7));
    StepFor(crowd.world, 0.6);
    ENSURE(crowd.world->solver->overflowCount > COUNT);
    uint64_t hash = tdWorld_GetStateHash(crowd.world);
    tdDestroyWorld(crowd.world);
    return hash;
}

TEST(WidthsAndWorkersGiveTheSameBits)
{
    uint64_t expected = HashOf(TD_SIMD_AUTO, NULL);
    ENSURE(HashOf(TD_SIMD_SCALAR, NULL) == expected);
    ENSURE(HashOf(TD_SIMD_SSE2, NULL) == expected);
    const tdTasks* threads = tdCreateThreads(3);
    ENSURE(threads != NULL);
    ENSURE(HashOf(TD_SIMD_AUTO, threads) == expected);
    tdDestroyThreads(threads);
}

TEST_MAIN(RUN(BoxesRestOnAPlate) RUN(APlateRestsOnBoxes) RUN(ImpulsesOfAllLanesCount)
              RUN(WidthsAndWorkersGiveTheSameBits))
