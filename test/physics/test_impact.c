// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of impacts with restitution: rows and racks of touching balls, bouncing balls and boxes, mixed
// masses. Momentum and energy are computed here from masses and velocities.
#include "harness.h"

#include "physics/bodies.h"

#include "tendon/joint.h"

#define MAX_BALLS 32

typedef struct Balls
{
    tdWorld* world;
    tdBodyId ids[MAX_BALLS];
    int count;
} Balls;

static double ComputeKinetic(const Balls* balls)
{
    double energy = 0;
    for (int i = 0; i < balls->count; ++i)
    {
        tdVec3 v = tdBody_GetLinearVelocity(balls->world, balls->ids[i]);
        tdVec3 w = tdBody_GetAngularVelocity(balls->world, balls->ids[i]);
        energy += 0.5 * (double)tdBody_GetMass(balls->world, balls->ids[i]).mass * DotOf(v, v);
        energy += 0.5 * DotOf(w, AngularMomentum(balls->world, balls->ids[i]));
    }
    return energy;
}

/// Momentum along an axis.
static double ComputeMomentum(const Balls* balls, tdVec3 axis)
{
    double momentum = 0;
    for (int i = 0; i < balls->count; ++i)
    {
        tdVec3 v = tdBody_GetLinearVelocity(balls->world, balls->ids[i]);
        momentum += (double)tdBody_GetMass(balls->world, balls->ids[i]).mass * DotOf(v, axis);
    }
    return momentum;
}

static void AddBall(Balls* balls, tdVec3 position, double radius, Material material)
{
    balls->ids[balls->count++] = AddSphere(balls->world, TD_MOTION_DYNAMIC, position, radius, material);
}

/// A row of touching balls along a direction. The first `incoming` fly towards the others.
static Balls MakeRow(int count, int incoming, double speed, double radius, tdVec3 direction, double gap)
{
    const Material elastic = {0.0f, 0.0f, 1.0f, 1000.0f};
    Balls balls = {.world = MakeWorld(V(0, 0, 0), false)};
    for (int i = 0; i < count; ++i)
    {
        double x = 2 * radius * i - (i < incoming ? gap : 0);
        AddBall(&balls, V(x * (double)direction.x, x * (double)direction.y, x * (double)direction.z), radius,
                elastic);
        if (i < incoming)
        {
            tdBody_SetLinearVelocity(
                balls.world, balls.ids[i],
                V(speed * (double)direction.x, speed * (double)direction.y, speed * (double)direction.z));
        }
    }
    return balls;
}

static void CheckRow(int count, int incoming, double speed, double radius, tdVec3 direction, double gap)
{
    Balls balls = MakeRow(count, incoming, speed, radius, direction, gap);
    double before = ComputeKinetic(&balls), momentum = ComputeMomentum(&balls, direction), most = before;
    int steps = (int)(gap / speed / STEP) + 10;
    for (int i = 0; i < steps; ++i)
    {
        tdWorld_Step(balls.world, (float)STEP);
        most = fmax(most, ComputeKinetic(&balls));
    }
    for (int i = 0; i < count; ++i)
    {
        double v = DotOf(tdBody_GetLinearVelocity(balls.world, balls.ids[i]), direction);
        ENSURE_NEAR(v, i >= count - incoming ? speed : 0, 0.01 * speed);
    }
    ENSURE(most <= 1.0001 * before);
    ENSURE(ComputeKinetic(&balls) >= 0.99 * before);
    ENSURE_NEAR(ComputeMomentum(&balls, direction), momentum, 1e-5 * momentum);
    tdDestroyWorld(balls.world);
}

TEST(RowsSendOutAsManyBallsAsComeIn)
{
    const tdVec3 tilted = V(0.48, 0.6, -0.64);
    for (int count = 2; count <= 10; ++count)
    {
        for (int incoming = 1; incoming <= 3 && incoming < count; ++incoming)
        {
            CheckRow(count, incoming, 2, 0.5, V(1, 0, 0), 0.3);
            CheckRow(count, incoming, 2, 0.5, V(1, 0, 0), 0);
            CheckRow(count, incoming, 5, 0.1, tilted, 0.05);
        }
    }
}

TEST(RowsOfEverySizeAndSpeed)
{
    const tdVec3 tilted = V(0.48, 0.6, -0.64);
    const double speeds[4] = {0.5, 2, 10, 30}, radii[4] = {0.01, 0.1, 1, 10};
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            CheckRow(5, 1, speeds[i], radii[k], tilted, 0.3 * radii[k]);
            CheckRow(7, 1, speeds[i], radii[k], V(0, 0, 1), 0);
            CheckRow(10, 2, speeds[i], radii[k], V(0, 1, 0), 0);
            CheckRow(10, 3, speeds[i], radii[k], tilted, 0);
            // Small balls fly by several radii in a step, and continuous collision stops the first of them.
            CheckRow(6, 2, speeds[i], radii[k], V(1, 0, 0), radii[k]);
            CheckRow(4, 3, speeds[i], radii[k], tilted, 0.7 * radii[k]);
        }
    }
}

TEST(UnequalMassesKeepMomentumAndEnergy)
{
    // Densities of 1 : 1,000 in both orders, and light balls between heavy ones.
    for (int round = 0; round < 4; ++round)
    {
        Balls balls = {.world = MakeWorld(V(0, 0, 0), false)};
        for (int i = 0; i < 6; ++i)
        {
            const double orders[4] = {pow(4, i), pow(4, 5 - i), i % 2 == 0 ? 1 : 1000, i % 3 == 0 ? 300 : 1};
            Material material = {0.0f, 0.0f, 1.0f, (float)(100 * orders[round])};
            AddBall(&balls, V(0.4 * i - (i == 0 ? 0.1 : 0), 0, 0), 0.2, material);
        }
        tdBody_SetLinearVelocity(balls.world, balls.ids[0], V(6, 0, 0));
        double before = ComputeKinetic(&balls), momentum = ComputeMomentum(&balls, V(1, 0, 0)), most = before;
        for (int i = 0; i < 30; ++i)
        {
            tdWorld_Step(balls.world, (float)STEP);
            most = fmax(most, ComputeKinetic(&balls));
        }
        ENSURE(most <= 1.0001 * before);
        ENSURE(ComputeKinetic(&balls) >= 0.97 * before);
        ENSURE_NEAR(ComputeMomentum(&balls, V(1, 0, 0)), momentum, 1e-5 * momentum);
        tdDestroyWorld(balls.world);
    }
}

static Balls MakeRack(double restitution, double friction, double radius, double speed, double offset)
{
    Material material = {(float)friction, (float)friction, (float)restitution, 1700.0f};
    Balls balls = {.world = MakeWorld(V(0, 0, 0), false)};
    for (int i = 0; i < 5; ++i)
    {
        for (int k = 0; k <= i; ++k)
        {
            AddBall(&balls, V(sqrt(3) * radius * i, 0, (2 * k - i) * radius), radius, material);
        }
    }
    AddBall(&balls, V(-2.5 * radius, 0, offset * radius), radius, material);
    tdBody_SetLinearVelocity(balls.world, balls.ids[15], V(speed, 0, 0));
    return balls;
}

TEST(RacksKeepMomentumAndGainNoEnergy)
{
    for (int i = 0; i <= 10; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            double restitution = 0.1 * i, friction = k < 3 ? 0 : 0.4, offset = 0.3 * (k % 3);
            Balls balls =
                MakeRack(restitution, friction, k % 2 == 0 ? 0.0286 : 0.5, k % 2 == 0 ? 3 : 8, offset);
            double before = ComputeKinetic(&balls), last = before;
            double momentum = ComputeMomentum(&balls, V(1, 0, 0));
            for (int j = 0; j < 60; ++j)
            {
                tdWorld_Step(balls.world, (float)STEP);
                double energy = ComputeKinetic(&balls);
                ENSURE(energy <= last + 1e-3 * before); // overlap recovery may return a thousandth
                ENSURE(energy <= 1.0001 * before);
                last = energy;
            }
            ENSURE_NEAR(ComputeMomentum(&balls, V(1, 0, 0)), momentum, 1e-4 * momentum);
            ENSURE_NEAR(ComputeMomentum(&balls, V(0, 1, 0)), 0, 1e-4 * momentum);
            ENSURE_NEAR(ComputeMomentum(&balls, V(0, 0, 1)), 0, 1e-4 * momentum);
            ENSURE(i < 10 || k >= 3 || last > 0.99 * before); // e = 1 without friction
            tdDestroyWorld(balls.world);
        }
    }
}

TEST(SymmetricBreaksStaySymmetric)
{
    Balls balls = MakeRack(0.9, 0, 0.5, 5, 0);
    StepFor(balls.world, 0.5);
    int ball = 0;
    for (int i = 0; i < 5; ++i)
    {
        for (int k = 0; k <= i; ++k)
        {
            tdVec3 left = tdBody_GetLinearVelocity(balls.world, balls.ids[ball + k]);
            tdVec3 right = tdBody_GetLinearVelocity(balls.world, balls.ids[ball + i - k]);
            ENSURE_NEAR(left.x, right.x, 0.02);
            ENSURE_NEAR(left.z, -right.z, 0.02);
        }
        ball += i + 1;
    }
    tdDestroyWorld(balls.world);
}

TEST(ElasticBallsKeepTheirHeight)
{
    // Closed form: the height stays. Ten bounces, bodies that move less than their radius in a step.
    const double heights[4] = {0.5, 1, 2, 5}, rates[3] = {60, 120, 240};
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            const Material elastic = {0.5f, 0.5f, 1.0f, 1000.0f};
            const double radius = 0.3, height = heights[i];
            tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
            AddSlope(world, 0, elastic);
            tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, height + radius, 0), radius, elastic);
            double apex = 0, start = Energy(world, ball);
            int bounces = 0;
            bool rises = false;
            while (bounces < 10)
            {
                tdWorld_Step(world, (float)(1 / rates[k]));
                double speed = (double)tdBody_GetLinearVelocity(world, ball).y;
                double bound =
                    (double)tdBody_GetMass(world, ball).mass * GRAVITY * fabs(speed) / rates[k] / 4;
                ENSURE(Energy(world, ball) <= 1.001 * start + bound);
                if (speed > 0)
                {
                    apex = fmax(rises ? apex : 0, (double)Position(world, ball).y - radius);
                }
                bounces += rises && speed <= 0 ? 1 : 0;
                rises = speed > 0;
            }
            ENSURE_NEAR(apex, height, 0.005 * height);
            tdDestroyWorld(world);
        }
    }
}

TEST(SmallBallsKeepTheirHeight)
{
    // They move by more than their radius in a step, so that continuous collision bounces them.
    const double radii[3] = {0.005, 0.02, 0.05};
    for (int i = 0; i < 3; ++i)
    {
        const Material elastic = {0.5f, 0.5f, 1.0f, 1000.0f};
        const double height = 0.6;
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddSlope(world, 0, elastic);
        tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, height + radii[i], 0), radii[i], elastic);
        double apex = 0, last = 0;
        bool rises = false;
        for (int bounces = 0; bounces < 10;)
        {
            tdWorld_Step(world, (float)STEP);
            double speed = (double)tdBody_GetLinearVelocity(world, ball).y;
            last = rises && speed <= 0 ? apex : last;
            bounces += rises && speed <= 0 ? 1 : 0;
            apex = speed > 0 ? fmax(rises ? apex : 0, (double)Position(world, ball).y - radii[i]) : apex;
            rises = speed > 0;
        }
        ENSURE_NEAR(last, height, 0.02 * height);
        tdDestroyWorld(world);
    }
}

TEST(FlatLandingsDoNotSpin)
{
    // A box with four points on one contact, and a table with four legs.
    for (int i = 0; i < 6; ++i)
    {
        const Material material = {0.5f, 0.5f, (float)(0.3 + 0.35 * (i / 2)), 1000.0f};
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(0, -0.5, 0), noTurn, V(10, 1, 10), material);
        tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0, 1.5, 0), noTurn);
        tdShapeDef def = MakeShapeDef(material);
        if (i % 2 == 0)
        {
            tdCreateBox(world, body, &def, V(2, 0.6, 1));
        }
        else
        {
            def.local.position = V(0, 0.3, 0);
            tdCreateBox(world, body, &def, V(2, 0.2, 1));
            for (int k = 0; k < 4; ++k)
            {
                def.local.position = V(k % 2 == 0 ? 0.8 : -0.8, 0, k < 2 ? 0.35 : -0.35);
                tdCreateBox(world, body, &def, V(0.3, 0.4, 0.3));
            }
        }
        double start = Energy(world, body);
        for (int k = 0; k < 120; ++k)
        {
            tdWorld_Step(world, (float)STEP);
            double speed = Length(tdBody_GetLinearVelocity(world, body));
            double bound = (double)tdBody_GetMass(world, body).mass * GRAVITY * speed * SUB_STEP;
            ENSURE(Energy(world, body) <= 1.001 * start + bound);
            ENSURE(Length(tdBody_GetAngularVelocity(world, body)) < 0.1);
        }
        tdDestroyWorld(world);
    }
}

typedef enum Suspension
{
    SUSPENSION_HINGE,
    SUSPENSION_BALL,
    SUSPENSION_STRINGS, // two, in a V across the row
    SUSPENSION_COUNT,
} Suspension;

static void Suspend(tdWorld* world, tdBodyId ball, tdVec3 top, double length, Suspension kind)
{
    tdJointDef def;
    if (kind != SUSPENSION_STRINGS)
    {
        def = kind == SUSPENSION_BALL
                  ? tdMakeBallJointDef(world, (tdBodyId){0}, ball, top)
                  : tdMakeHingeJointDef(world, (tdBodyId){0}, ball, top, V(0, 0, 1), -INFINITY, INFINITY);
        tdCreateJoint(world, &def);
        return;
    }
    for (int side = -1; side <= 1; side += 2)
    {
        tdVec3 anchor = V((double)top.x, (double)top.y, 0.3 * length * side), end = Position(world, ball);
        float distance = (float)Length(
            V((double)(anchor.x - end.x), (double)(anchor.y - end.y), (double)(anchor.z - end.z)));
        def = tdMakeDistanceJointDef(world, (tdBodyId){0}, ball, anchor, end, distance, distance);
        tdCreateJoint(world, &def);
    }
}

TEST(CradlesSendOutAsManyBallsAsComeIn)
{
    // The last balls rise to the height of the first ones, the others hang still. Pendulums of any shape: the
    // balls are small or nearly half as large as their rods.
    for (int i = 0; i < 3 * SUSPENSION_COUNT; ++i)
    {
        const Material elastic = {0.0f, 0.0f, 1.0f, 7800.0f};
        const int count = 5 + i % 3, incoming = 1 + i % 3;
        const double length = 2, radius = i % 2 == 0 ? 0.1 : 0.6, lift = 0.6;
        Balls balls = {.world = MakeWorld(V(0, -GRAVITY, 0), false)};
        for (int k = 0; k < count; ++k)
        {
            double x = 2 * radius * k, angle = k < incoming ? lift : 0;
            AddBall(&balls, V(x - length * sin(angle), -length * cos(angle), 0), radius, elastic);
            Suspend(balls.world, balls.ids[k], V(x, 0, 0), length, (Suspension)(i / 3));
        }
        double height = length * (1 - cos(lift)),
               mass = (double)tdBody_GetMass(balls.world, balls.ids[0]).mass;
        double period = 2 * PI * sqrt(length / GRAVITY), apex = 0, rest = 0, start = 0;
        for (int k = 0; k < count; ++k)
        {
            start += Energy(balls.world, balls.ids[k]) + mass * GRAVITY * length;
        }
        for (int k = 0; k < (int)(0.6 * period / STEP); ++k)
        {
            tdWorld_Step(balls.world, (float)STEP);
            apex = fmax(apex, (double)Position(balls.world, balls.ids[count - 1]).y + length);
            double energy = 0, speeds = 0;
            for (int j = 0; j < count; ++j)
            {
                double speed = Length(tdBody_GetLinearVelocity(balls.world, balls.ids[j]));
                energy += Energy(balls.world, balls.ids[j]) + mass * GRAVITY * length;
                speeds += speed;
                bool isMiddle = j >= incoming && j < count - incoming;
                rest = fmax(rest, isMiddle ? speed : 0);
            }
            ENSURE(energy <= 1.001 * start + mass * GRAVITY * speeds * SUB_STEP);
        }
        ENSURE_NEAR(apex, height, 0.01 * height);
        ENSURE(rest < 0.02 * sqrt(2 * GRAVITY * height));
        tdDestroyWorld(balls.world);
    }
}

static uint32_t randomState;

static double NextDouble(double low, double high)
{
    randomState = randomState * 1664525u + 1013904223u;
    return low + (high - low) * (double)(randomState >> 8) / 16777216.0;
}

/// Up to 32 balls, boxes and capsules of different masses that fly towards each other.
static Balls MakeCrash(double gravity, double restitution, double friction, double size, double speed)
{
    Balls balls = {.world = MakeWorld(V(0, -gravity, 0), false)};
    int count = (int)NextDouble(2, MAX_BALLS);
    for (int i = 0; i < count; ++i)
    {
        Material material = {(float)friction, (float)friction, (float)restitution,
                             (float)(1000 * pow(10, NextDouble(-1, 1)))};
        double x = i % 3 - 1 + NextDouble(-0.1, 0.1), y = 1.1 * (i / 9 - 1);
        double z = i / 3 % 3 - 1 + NextDouble(-0.1, 0.1), d = NextDouble(0.5, 1) * size;
        tdBodyId body = AddBody(balls.world, TD_MOTION_DYNAMIC, V(2 * size * x, 2 * size * y, 2 * size * z),
                                Turn(0, 0.6, 0.8, NextDouble(0, 6)));
        tdShapeDef def = MakeShapeDef(material);
        if (i % 3 == 0)
        {
            tdCreateSphere(balls.world, body, &def, (float)(0.5 * d));
        }
        else if (i % 3 == 1)
        {
            tdCreateBox(balls.world, body, &def, V(d, NextDouble(0.4, 1) * d, 0.6 * d));
        }
        else
        {
            tdCreateCapsule(balls.world, body, &def, (float)(0.5 * d), (float)(0.25 * d), (float)(0.25 * d));
        }
        tdBody_SetLinearVelocity(balls.world, body,
                                 V(-speed * x + NextDouble(-1, 1), -speed * y, -speed * z));
        tdBody_SetAngularVelocity(balls.world, body, V(NextDouble(-5, 5), 3, -2));
        balls.ids[balls.count++] = body;
    }
    return balls;
}

TEST(RandomCrashesGainNoEnergy)
{
    for (int round = 0; round < 40; ++round)
    {
        randomState = (uint32_t)round * 7919u + 1u;
        const double gravity = round % 2 == 0 ? 0 : GRAVITY, size = round % 3 == 0 ? 0.5 : NextDouble(0.1, 1);
        const double restitution = round % 4 == 0 ? 1 : NextDouble(0, 1);
        const double friction = round % 5 < 2 ? 0 : NextDouble(0, 1), floor = -9 * size;
        Balls balls = MakeCrash(gravity, restitution, friction, size, NextDouble(1, 12));
        const Material material = {(float)friction, (float)friction, (float)restitution, 1000.0f};
        AddBox(balls.world, TD_MOTION_STATIC, V(0, floor - 0.5, 0), noTurn, V(40 * size, 1, 40 * size),
               material);
        double start = 0;
        for (int step = 0; step <= 120; ++step)
        {
            double energy = 0, momentum = 0;
            for (int i = 0; i < balls.count; ++i)
            {
                double mass = (double)tdBody_GetMass(balls.world, balls.ids[i]).mass;
                energy += Energy(balls.world, balls.ids[i]) - mass * gravity * floor;
                momentum += mass * Length(tdBody_GetLinearVelocity(balls.world, balls.ids[i]));
            }
            start = step == 0 ? energy : start;
            // Overlap recovery may add two thousandths; the integrator oscillates by h g sum(m v).
            ENSURE(energy <= 1.002 * start + momentum * gravity * SUB_STEP);
            tdWorld_Step(balls.world, (float)STEP);
        }
        tdDestroyWorld(balls.world);
    }
}

static uint64_t RunGas(tdSimd simd, int workers)
{
    const tdTasks* threads = workers > 1 ? tdCreateThreads(workers) : NULL;
    tdWorldDef def = tdDefaultWorldDef();
    def.simd = simd;
    def.tasks = threads;
    tdWorld* world = tdCreateWorld(&def);
    AddBox(world, TD_MOTION_STATIC, V(0, -0.5, 0), noTurn, V(40, 1, 40), plain);
    for (int i = 0; i < 200; ++i)
    {
        const Material bouncy = {0.3f, 0.2f, (float)(0.1 * (i % 11)), 1000.0f};
        tdVec3 position = V(0.45 * (i % 8) + 0.01 * (i % 3), 1 + 0.5 * (i / 64), 0.45 * (i / 8 % 8));
        tdBodyId body = i % 2 == 0
                            ? AddSphere(world, TD_MOTION_DYNAMIC, position, 0.2, bouncy)
                            : AddBox(world, TD_MOTION_DYNAMIC, position, noTurn, V(0.4, 0.35, 0.4), bouncy);
        tdBody_SetLinearVelocity(world, body, V(0.3 * (i % 5) - 0.6, -3, 0.2 * (i % 7) - 0.6));
    }
    StepFor(world, 1);
    uint64_t hash = tdWorld_GetStateHash(world);
    tdDestroyWorld(world);
    if (threads != NULL)
    {
        tdDestroyThreads(threads);
    }
    return hash;
}

TEST(ImpactsAreBitIdenticalOnEveryWidthAndNumberOfWorkers)
{
    uint64_t one = RunGas(TD_SIMD_AUTO, 1);
    ENSURE(RunGas(TD_SIMD_SCALAR, 1) == one);
    ENSURE(RunGas(TD_SIMD_SSE2, 1) == one);
    ENSURE(RunGas(TD_SIMD_AUTO, 2) == one);
    ENSURE(RunGas(TD_SIMD_AUTO, 4) == one);
}

TEST_MAIN(RUN(RowsSendOutAsManyBallsAsComeIn) RUN(RowsOfEverySizeAndSpeed)
              RUN(UnequalMassesKeepMomentumAndEnergy) RUN(RacksKeepMomentumAndGainNoEnergy)
                  RUN(SymmetricBreaksStaySymmetric) RUN(ElasticBallsKeepTheirHeight)
                      RUN(SmallBallsKeepTheirHeight) RUN(FlatLandingsDoNotSpin)
                          RUN(CradlesSendOutAsManyBallsAsComeIn) RUN(RandomCrashesGainNoEnergy)
                              RUN(ImpactsAreBitIdenticalOnEveryWidthAndNumberOfWorkers))
