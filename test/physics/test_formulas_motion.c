// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of free bodies against closed forms: falling, throwing, spinning, pushing, and infinite mass and
// inertia.
#include "harness.h"

#include "physics/bodies.h"

// Semi-implicit Euler with sub-step h leads the parabola by exactly g t h / 2.
static double EulerLead(double t)
{
    return 0.5 * GRAVITY * t * SUB_STEP;
}

TEST(FreeFallFollowsTheParabola)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId body = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 100, 0), 0.5, plain);
    for (int second = 1; second <= 3; ++second)
    {
        StepFor(world, 1);
        double t = second;
        ENSURE_NEAR(Position(world, body).y, 100 - 0.5 * GRAVITY * t * t, 1.01 * EulerLead(t) + 1e-4);
        // Velocity is exact except for the rounding of 240 additions per second: an ulp of 30 is 2e-6.
        ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).y, -GRAVITY * t, 240 * t * 2e-6);
        ENSURE_NEAR(Position(world, body).x, 0, 1e-6);
    }
    tdDestroyWorld(world);
}

TEST(GravityFactorScalesTheFall)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    const float factors[4] = {0.0f, 0.5f, 2.0f, -1.0f};
    for (int i = 0; i < 4; ++i)
    {
        tdBodyId body = AddSphere(world, TD_MOTION_DYNAMIC, V(3 * i, 0, 0), 0.5, plain);
        tdBody_SetGravityFactor(world, body, factors[i]);
        tdBody_SetUserData(world, body, (uint64_t)i);
    }
    StepFor(world, 0.5);
    int count = 0, checked = 0;
    const tdMovedBody* moved = tdWorld_GetMovedBodies(world, &count);
    for (int i = 0; i < count; ++i)
    {
        double expected = -(double)factors[moved[i].userData] * GRAVITY * 0.5;
        ENSURE_NEAR(tdBody_GetLinearVelocity(world, moved[i].body).y, expected, 1e-3);
        checked += 1;
    }
    ENSURE(checked >= 3); // the weightless one may sleep
    tdDestroyWorld(world);
}

TEST(ProjectileLandsAtItsRange)
{
    // Range on level ground v^2 sin(2a) / g, apex v^2 sin^2(a) / 2g. The Euler lead at the time of landing
    // moves the range by vx * lead / vy, and the landing time has an error of one step.
    const double speed = 20, angle = PI / 3, vx = speed * cos(angle), vy = speed * sin(angle),
                 time = 2 * vy / GRAVITY;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(1, 1, 1), plain);
    tdBody_SetLinearVelocity(world, body, V(vx, vy, 0));
    tdBody_SetAngularVelocity(world, body, V(1, 2, 3)); // has no effect
    double apex = 0, before = 0, range = 0;
    for (int i = 0; i < 400 && range <= 0; ++i)
    {
        before = (double)Position(world, body).y;
        double x = (double)Position(world, body).x;
        tdWorld_Step(world, (float)STEP);
        double y = (double)Position(world, body).y;
        apex = fmax(apex, y);
        range = y < 0 ? x + ((double)Position(world, body).x - x) * before / (before - y) : 0;
    }
    ENSURE_NEAR(apex, vy * vy / (2 * GRAVITY), 1.1 * EulerLead(time / 2) + 1e-3);
    ENSURE_NEAR(range, speed * speed * sin(2 * angle) / GRAVITY, 1.1 * vx * EulerLead(time) / vy + 2e-2);
    tdDestroyWorld(world);
}

TEST(ForcesAndImpulsesObeyNewton)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    Material half = plain;
    half.density = 500;
    tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(2, 1, 0.5), half);
    tdBodyMass mass = tdBody_GetMass(world, body);
    ENSURE_NEAR(mass.mass, 500, 1e-3);
    // A box turns about X with m (b^2 + c^2) / 12.
    double inertia = 500 * (1 * 1 + 0.5 * 0.5) / 12;
    tdBody_ApplyAngularImpulse(world, body, V(10, 0, 0));
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).x, 10 / inertia, 1e-5);
    tdBody_ApplyImpulseToCenter(world, body, V(0, 250, 0));
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).y, 0.5, 1e-5);
    for (int i = 0; i < 60; ++i)
    {
        tdBody_ApplyForceToCenter(world, body, V(100, 0, 0));
        tdWorld_Step(world, (float)STEP);
    }
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).x, 100.0 / 500 * 1, 1e-4);
    // A force lasts for one step.
    tdWorld_Step(world, (float)STEP);
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).x, 100.0 / 500 * 1, 1e-4);
    // Off-centre impulse: v = J / m, w = r x J / I about Z, I = m (a^2 + b^2) / 12.
    tdBodyId other = AddBox(world, TD_MOTION_DYNAMIC, V(100, 0, 0), noTurn, V(2, 1, 0.5), half);
    tdBody_ApplyImpulse(world, other, V(0, 50, 0), V(101, 0, 0));
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, other).y, 0.1, 1e-6);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, other).z, 50 / (500 * (4 + 1) / 12.0), 1e-5);
    tdDestroyWorld(world);
}

TEST(TorqueFreeSymmetricTopPrecesses)
{
    // A cylinder about Y with spin w and tilted momentum: the axis circles the momentum at L /
    // I_perpendicular.
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn);
    tdShapeDef def = MakeShapeDef(plain);
    tdCreateCylinder(world, body, &def, 0.2f, 0.5f, 0.5f);
    double mass = 1000 * PI * 0.25 * 0.2, along = 0.5 * mass * 0.25, across = mass * (3 * 0.25 + 0.04) / 12;
    tdBody_SetAngularVelocity(world, body, V(1.5, 6, 0));
    const double momentum[2] = {across * 1.5, along * 6};
    double size = sqrt(momentum[0] * momentum[0] + momentum[1] * momentum[1]), rate = size / across;
    tdVec3 start = AngularMomentum(world, body);
    ENSURE_NEAR(start.x, momentum[0], 1e-3 * size);
    ENSURE_NEAR(start.y, momentum[1], 1e-3 * size);
    const double n[3] = {momentum[0] / size, momentum[1] / size, 0};
    for (int quarter = 1; quarter <= 8; ++quarter)
    {
        StepFor(world, 0.25);
        // Rodrigues: the axis (0, 1, 0) rotated about n by rate * t.
        double angle = rate * 0.25 * quarter, c = cos(angle), s = sin(angle), dot = n[1];
        double expected[3] = {n[0] * dot * (1 - c), c + n[1] * dot * (1 - c), n[0] * s};
        tdVec3 axis = RotateBy(tdBody_GetTransform(world, body).rotation, V(0, 1, 0));
        // Second-order integration of a rate near 9 rad/s in steps of 1/240 s: phase error well below 1
        // degree per second.
        double tolerance = 0.02 * 0.25 * quarter + 0.005;
        ENSURE_NEAR(axis.x, expected[0], tolerance);
        ENSURE_NEAR(axis.y, expected[1], tolerance);
        ENSURE_NEAR(axis.z, expected[2], tolerance);
    }
    tdDestroyWorld(world);
}

TEST(FreeBodyKeepsItsAngularMomentumForTenSeconds)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    const tdVec3 sizes[3] = {{1, 0.2f, 0.6f}, {0.1f, 2, 0.1f}, {1, 1, 0.1f}};
    for (int i = 0; i < 3; ++i)
    {
        tdBodyId body =
            AddBox(world, TD_MOTION_DYNAMIC, V(10 * i, 0, 0), Turn(0.6, 0.8, 0, 1), sizes[i], plain);
        tdBody_SetAngularVelocity(world, body, V(3, -4, 5));
        tdVec3 start = AngularMomentum(world, body);
        double worst = 0;
        for (int k = 0; k < 600; ++k)
        {
            tdWorld_Step(world, (float)STEP);
            tdVec3 now = AngularMomentum(world, body);
            worst = fmax(worst,
                         Length((tdVec3){now.x - start.x, now.y - start.y, now.z - start.z}) / Length(start));
        }
        ENSURE_NEAR(worst, 0, 1e-3); // the limit: 0.1 % in 10 s, direction included
        tdDestroyBody(world, body);
    }
    tdDestroyWorld(world);
}

TEST(SpinAboutTheIntermediateAxisFlips)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, V(1, 0.2, 0.5), plain);
    // Inertias: X smallest, Z intermediate, Y largest.
    tdBody_SetAngularVelocity(world, body, V(0.01, 0, 8));
    double least = 1, energy = Energy(world, body), energyError = 0;
    int flips = 0;
    bool up = true;
    for (int i = 0; i < 600; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        double axis = (double)RotateBy(tdBody_GetTransform(world, body).rotation, V(0, 0, 1)).z;
        least = fmin(least, axis);
        if ((up && axis < -0.9) || (!up && axis > 0.9))
        {
            up = !up;
            flips += 1;
        }
        energyError = fmax(energyError, fabs(Energy(world, body) / energy - 1));
    }
    ENSURE_NEAR(least, -1, 0.02);
    ENSURE(flips >= 2); // it flips repeatedly
    ENSURE_NEAR(energyError, 0, 0.01);
    tdDestroyWorld(world);
}

TEST(SpinAboutTheOtherAxesIsStable)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    for (int i = 0; i < 2; ++i)
    {
        tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(10 * i, 0, 0), noTurn, V(1, 0.2, 0.5), plain);
        tdBody_SetAngularVelocity(world, body, i == 0 ? V(8, 0.01, 0.01) : V(0.01, 8, 0.01));
        double least = 1;
        for (int k = 0; k < 600; ++k)
        {
            tdWorld_Step(world, (float)STEP);
            tdVec3 axis =
                RotateBy(tdBody_GetTransform(world, body).rotation, i == 0 ? V(1, 0, 0) : V(0, 1, 0));
            least = fmin(least, i == 0 ? (double)axis.x : (double)axis.y);
        }
        ENSURE(least > 0.999);
    }
    tdDestroyWorld(world);
}

TEST(InfiniteMassStillTurns)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.mass = INFINITY;
    def.inertiaDiagonal = V(2, 2, 2);
    tdBodyId body = tdCreateBody(world, &def);
    tdShapeDef shape = MakeShapeDef(plain);
    tdCreateBox(world, body, &shape, V(1, 1, 1));
    tdBody_ApplyAngularImpulse(world, body, V(0, 4, 0));
    tdBody_ApplyImpulseToCenter(world, body, V(1e6, 0, 0));
    StepFor(world, 1);
    ENSURE(Length(Position(world, body)) == 0);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).y, 2, 1e-4);
    tdDestroyWorld(world);
}

TEST(InfiniteInertiaAboutOneAxisStopsOnlyThat)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    for (int axis = 0; axis < 3; ++axis)
    {
        tdBodyDef def = tdDefaultBodyDef();
        def.motion = TD_MOTION_DYNAMIC;
        def.mass = 2;
        def.transform.position = V(10 * axis, 0, 0);
        def.inertiaDiagonal =
            (tdVec3){axis == 0 ? INFINITY : 2.0f, axis == 1 ? INFINITY : 2.0f, axis == 2 ? INFINITY : 2.0f};
        tdBodyId body = tdCreateBody(world, &def);
        tdShapeDef shape = MakeShapeDef(plain);
        tdCreateBox(world, body, &shape, V(1, 1, 1));
        tdBody_ApplyAngularImpulse(world, body, V(0.2, 0.2, 0.2));
        tdBody_ApplyImpulseToCenter(world, body, V(0, 2, 0));
        tdVec3 w = tdBody_GetAngularVelocity(world, body);
        const double spin[3] = {(double)w.x, (double)w.y, (double)w.z};
        for (int k = 0; k < 3; ++k)
        {
            ENSURE_NEAR(spin[k], k == axis ? 0.0 : 0.1, 1e-6);
        }
        StepFor(world, 1);
        ENSURE_NEAR(tdBody_GetLinearVelocity(world, body).y, 1, 1e-5);
        // No rotation about the locked body axis: its angular velocity component stays zero.
        tdQuat q = tdBody_GetTransform(world, body).rotation, inverse = {-q.x, -q.y, -q.z, q.w};
        tdVec3 local = RotateBy(inverse, tdBody_GetAngularVelocity(world, body));
        const double values[3] = {(double)local.x, (double)local.y, (double)local.z};
        ENSURE_NEAR(values[axis], 0, 1e-4);
        tdDestroyBody(world, body);
    }
    tdDestroyWorld(world);
}

// A rod a hundred times as long as thick: its rate about its length carries little energy, and errors of the
// other rates feed it. Angular momentum and energy are conserved, and no such spin develops.
TEST(ThinRodsKeepTheirEnergy)
{
    const double sizes[3][3] = {{4, 0.04, 0.04}, {0.05, 6, 0.04}, {0.03, 0.08, 5}};
    for (int i = 0; i < 3; ++i)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId rod = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), Turn(0.6, 0, 0.8, 0.7),
                              V(sizes[i][0], sizes[i][1], sizes[i][2]), plain);
        // Perpendicular to its length within a few hundredths.
        tdQuat turn = tdBody_GetTransform(world, rod).rotation;
        tdVec3 along = V(i == 0, i == 1, i == 2), across = V(i == 1, i == 2, i == 0);
        tdVec3 w =
            V(9 * (double)across.x + 0.5 * (double)along.x, 9 * (double)across.y + 0.5 * (double)along.y,
              9 * (double)across.z + 0.5 * (double)along.z);
        tdBody_SetAngularVelocity(world, rod, RotateBy(turn, w));
        double energy = Energy(world, rod), momentum = Length(AngularMomentum(world, rod));
        for (int k = 0; k < 120; ++k)
        {
            tdWorld_Step(world, (float)STEP);
            // Second order: (w h)^2 / 12 of each sub-step, oscillating.
            ENSURE_NEAR(Energy(world, rod), energy, 1e-3 * energy);
            ENSURE_NEAR(Length(AngularMomentum(world, rod)), momentum, 1e-4 * momentum);
        }
        tdDestroyWorld(world);
    }
}

TEST_MAIN(RUN(FreeFallFollowsTheParabola) RUN(GravityFactorScalesTheFall) RUN(ProjectileLandsAtItsRange)
              RUN(ForcesAndImpulsesObeyNewton) RUN(TorqueFreeSymmetricTopPrecesses)
                  RUN(FreeBodyKeepsItsAngularMomentumForTenSeconds) RUN(SpinAboutTheIntermediateAxisFlips)
                      RUN(SpinAboutTheOtherAxesIsStable) RUN(InfiniteMassStillTurns)
                          RUN(InfiniteInertiaAboutOneAxisStopsOnlyThat) RUN(ThinRodsKeepTheirEnergy))
