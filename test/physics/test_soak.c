// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Long stability runs: a minute each of standing structures, and of a thousand random bodies of which none
// may be lost.
//
// Labels: soak
#include "harness.h"

#include "physics/standing.h"
#include "scenes/penetration.h"

#include <stdlib.h>

TEST(TenBoxesStandForAMinute)
{
    CheckStack(60);
}

TEST(TwentyRowPyramidStandsForAMinute)
{
    CheckPyramid(20, 60);
}

TEST(HeavyOnLightStandsForAMinute)
{
    CheckHeavyOnLight(60);
}

static uint32_t randomState = 2024;

static float NextFloat(double low, double high)
{
    randomState = randomState * 1664525u + 1013904223u;
    return (float)(low + (high - low) * (double)(randomState >> 8) / 16777216.0);
}

// One draw per statement, because the compiler chooses the order in which arguments are evaluated.
static tdVec3 NextVector(double size)
{
    tdVec3 v;
    v.x = NextFloat(-size, size);
    v.y = NextFloat(-size, size);
    v.z = NextFloat(-size, size);
    return v;
}

// Random shapes of random sizes (1 : 8), densities (1 : 100), frictions and restitutions, thrown into a bin
// with a mesh floor.
static tdSetup* BuildBin(int bodyCount)
{
    const tdQuat level = {0, 0, 0, 1};
    tdSetup* setup = tdCreateEmptySetup("bin");
    tdVec3 points[41 * 41];
    int(*triangles)[3] = malloc(40 * 40 * 2 * sizeof(triangles[0])), n = 0;
    for (int i = 0; i < 41 * 41; ++i)
    {
        points[i] = V(0.5 * (i / 41 - 20), (double)NextFloat(-0.15, 0.15), 0.5 * (i % 41 - 20));
    }
    for (int i = 0; i < 40 * 40; ++i)
    {
        int a = i / 40 * 41 + i % 40;
        triangles[n][0] = a, triangles[n][1] = a + 1, triangles[n++][2] = a + 41;
        triangles[n][0] = a + 1, triangles[n][1] = a + 42, triangles[n++][2] = a + 41;
    }
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC,
                          tdSetup_AddMesh(setup, points, 41 * 41, (const int(*)[3])triangles, n), V(0, 0, 0),
                          level);
    free(triangles);
    int wallX = tdSetup_AddBox(setup, 1, 20, 11), wallZ = tdSetup_AddBox(setup, 11, 20, 1);
    for (int side = -1; side <= 1; side += 2)
    {
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wallX, V(side * 10.5, 18, 0), level);
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, wallZ, V(0, 18, side * 10.5), level);
    }
    for (int i = 0; i < bodyCount; ++i)
    {
        float size = NextFloat(0.1, 0.4), other = NextFloat(0.1, 0.4);
        int shape = 0;
        switch (i % 8)
        {
        case 0:
            shape = tdSetup_AddSphere(setup, size);
            break;
        case 1:
        case 2:
            shape = tdSetup_AddBox(setup, size, other, NextFloat(0.1, 0.4));
            break;
        case 3:
            shape = tdSetup_AddCapsule(setup, size, other, NextFloat(0.1, 0.4));
            break;
        case 4:
            shape = tdSetup_AddCylinder(setup, size, other, other);
            break;
        case 5:
            shape = tdSetup_AddCylinder(setup, size, other, 0);
            break;
        default:
        {
            tdVec3 rock[12];
            for (int k = 0; k < 12; ++k)
            {
                rock[k] = NextVector(0.3);
            }
            shape = tdSetup_AddHull(setup, rock, 12);
            break;
        }
        }
        double x = (i % 10 - 4.5) * 1.6, z = (i / 10 % 10 - 4.5) * 1.6, y = 1.5 + i / 100 * 1.2;
        int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shape, V(x, y, z),
                                         Turn(0.6, 0.8, 0, (double)NextFloat(0, 6)));
        tdSetupBody* b = &setup->bodies[body];
        b->density = NextFloat(100, 10000);
        b->staticFriction = NextFloat(0.2, 1);
        b->dynamicFriction = 0.8f * b->staticFriction;
        b->restitution = NextFloat(0, 0.5);
        b->linearVelocity = NextVector(10);
        b->angularVelocity = NextVector(10);
    }
    return setup;
}

TEST(ThousandRandomBodiesStayInsideForAMinute)
{
    randomState = 2024;
    tdSetup* setup = BuildBin(1000);
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    tdTransform* poses = malloc((size_t)setup->bodyCount * sizeof(tdTransform));
    double energyBefore = 0, highest = 0;
    int lost = 0;
    for (int second = 0; second < 60; ++second)
    {
        double energy = 0;
        StepFor(instance.world, 1);
        for (int i = 0; i < setup->bodyCount; ++i)
        {
            poses[i] = tdBody_GetTransform(instance.world, instance.bodies[i]);
            if (setup->bodies[i].motion == TD_MOTION_DYNAMIC)
            {
                tdVec3 p = poses[i].position;
                bool inside = p.y > -0.3f && fabsf(p.x) < 10 && fabsf(p.z) < 10; // false for NaN too
                lost += !inside;
                energy += Energy(instance.world, instance.bodies[i]);
                highest = fmax(highest, (double)p.y);
            }
        }
        // Nothing adds energy. Recovery from overlap may lift bodies slightly: a thousandth of the total.
        ENSURE(second == 0 || energy <= energyBefore * 1.001);
        energyBefore = energy;
    }
    ENSURE_EQUAL_INT(lost, 0);
    ENSURE(highest < 30);
    tdPenetration penetration = tdMeasurePenetration(setup, poses);
    ENSURE(penetration.p50 < 0.005);
    ENSURE(penetration.p99 < 0.03);
    printf("1,000 bodies after 60 s: overlap p50 %.1f, p99 %.1f, max %.1f mm\n", 1e3 * penetration.p50,
           1e3 * penetration.p99, 1e3 * penetration.max);
    free(poses);
    tdDestroySetupWorld(&instance);
    tdDestroySetup(setup);
}

// Only gravity acts, friction and restitution dissipate: per half second the energy of all bodies may grow by
// a thousandth at most (recovery from overlap lifts slightly), and no body may be faster than a fall from the
// initial top of the pile plus the initial speeds.
TEST(NoSampleGainsEnergy)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        randomState = seed * 7919;
        tdSetup* setup = BuildBin(150);
        tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
        double before = 0;
        for (int half = 0; half < 30; ++half)
        {
            double energy = 0, fastest = 0;
            StepFor(instance.world, 0.5);
            for (int i = 0; i < setup->bodyCount; ++i)
            {
                if (setup->bodies[i].motion == TD_MOTION_DYNAMIC)
                {
                    energy += Energy(instance.world, instance.bodies[i]);
                    fastest =
                        fmax(fastest, Length(tdBody_GetLinearVelocity(instance.world, instance.bodies[i])));
                }
            }
            if (!ENSURE(half == 0 || energy <= before * 1.001) || !ENSURE(fastest < 40))
            {
                printf("    seed %u, %g s: %g after %g J, fastest %g m/s\n", seed, 0.5 * (half + 1), energy,
                       before, fastest);
            }
            before = energy;
        }
        tdDestroySetupWorld(&instance);
        tdDestroySetup(setup);
    }
}

/// True if a body that is no ball is awake.
static bool IsPileAwake(const tdWorld* world, const tdBodyId* bodies, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (i % 4 != 0 && tdBody_IsAwake(world, bodies[i]))
        {
            return true;
        }
    }
    return false;
}

// A hundred balls, boxes, capsules and cylinders poured into a bin come to rest: all sleep within 30 s
// (measured: 5 to 11 s), except for balls: one that rolls on free ground at some mm/s goes on to the wall.
TEST(PilesGoToSleep)
{
    tdBodyId bodies[100];
    for (int sample = 0; sample < 6; ++sample)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
        AddBox(world, TD_MOTION_STATIC, V(0, -0.5, 0), noTurn, V(20, 1, 20), plain);
        for (int side = -1; side <= 1; side += 2)
        {
            AddBox(world, TD_MOTION_STATIC, V(side * 1.6, 1, 0), noTurn, V(0.2, 4, 3.4), plain);
            AddBox(world, TD_MOTION_STATIC, V(0, 1, side * 1.6), noTurn, V(3.4, 4, 0.2), plain);
        }
        for (int i = 0; i < 100; ++i)
        {
            int column = i % 4, row = i / 4 % 4, layer = i / 16;
            tdVec3 position = V(0.7 * column - 1.05 + 0.01 * sample, 0.4 + 0.7 * layer, 0.7 * row - 1.05);
            tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, position, Turn(0.6, 0, 0.8, i + sample));
            tdShapeDef def = MakeShapeDef(plain);
            bodies[i] = body;
            switch (i % 4)
            {
            case 0:
                tdCreateSphere(world, body, &def, 0.25f);
                break;
            case 1:
                tdCreateBox(world, body, &def, V(0.5, 0.4, 0.3));
                break;
            case 2:
                tdCreateCapsule(world, body, &def, 0.3f, 0.2f, 0.2f);
                break;
            default:
                tdCreateCylinder(world, body, &def, 0.4f, 0.2f, 0.2f);
                break;
            }
        }
        int steps = 0;
        do
        {
            tdWorld_Step(world, (float)STEP);
            steps += 1;
        } while (IsPileAwake(world, bodies, 100) && steps < 1800);
        ENSURE(steps < 1800 && tdWorld_GetStats(world).awakeBodyCount <= 1);
        tdDestroyWorld(world);
    }
}

/// Steps after which every body of a benchmark scene sleeps.
static int CountStepsToSleep(const char* name, int most)
{
    tdSetup* setup = tdCreateSetup(name);
    setup->enableSleep = true;
    tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
    int steps = 0;
    do
    {
        tdSetupWorld_Step(&instance);
        ++steps;
    } while (tdWorld_GetStats(instance.world).awakeBodyCount > 0 && steps < most);
    printf("%s asleep after %d steps\n", name, steps);
    tdDestroySetupWorld(&instance);
    tdDestroySetup(setup);
    return steps;
}

// The bin of S2, 2,000 bodies in one island: some jammed bodies jitter forever, but none travels. Twice the
// 20 s that the island needs to sleep.
TEST(ABinOfTwoThousandGoesToSleep)
{
    ENSURE(CountStepsToSleep("pile", 2400) < 2400);
}

// The 2,500 stacks of S7 rest from the start: the time to sleep, half a second, and three steps.
TEST(StacksGoToSleepAtOnce)
{
    ENSURE(CountStepsToSleep("sleepers", 60) <= 33);
}

TEST_MAIN(RUN(TenBoxesStandForAMinute) RUN(TwentyRowPyramidStandsForAMinute) RUN(HeavyOnLightStandsForAMinute)
              RUN(ThousandRandomBodiesStayInsideForAMinute) RUN(NoSampleGainsEnergy) RUN(PilesGoToSleep)
                  RUN(ABinOfTwoThousandGoesToSleep) RUN(StacksGoToSleepAtOnce))
