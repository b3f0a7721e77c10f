// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of free rotation at any speed: energy and angular momentum stay, and the rotation of symmetric bodies
// follows the closed form.
#include "harness.h"

#include "physics/bodies.h"

static tdBodyId AddTop(tdWorld* world, tdVec3 inertia, tdVec3 velocity)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.rotation = Turn(0.48, 0.6, -0.64, 1.1);
    tdBodyId body = tdCreateBody(world, &def);
    tdBodyMass mass = {
        .mass = 1.0f, .inertiaDiagonal = inertia, .inertiaOrientation = {0.0f, 0.0f, 0.0f, 1.0f}};
    tdBody_SetMass(world, body, mass);
    tdBody_SetAngularVelocity(world, body, velocity);
    return body;
}

typedef struct Drift
{
    double least, most; // energy relative to that at the start
    double momentum;    // largest change of the angular momentum relative to its size
} Drift;

static Drift MeasureDrift(tdVec3 inertia, tdVec3 velocity, double seconds)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId body = AddTop(world, inertia, velocity);
    double start = Energy(world, body);
    tdVec3 momentum = AngularMomentum(world, body);
    Drift drift = {1, 1, 0};
    for (int i = 0; i < (int)(seconds / STEP); ++i)
    {
        tdWorld_Step(world, (float)STEP);
        double energy = Energy(world, body) / start;
        tdVec3 now = AngularMomentum(world, body);
        tdVec3 change = {now.x - momentum.x, now.y - momentum.y, now.z - momentum.z};
        drift.least = fmin(drift.least, energy);
        drift.most = fmax(drift.most, energy);
        drift.momentum = fmax(drift.momentum, Length(change) / Length(momentum));
    }
    tdDestroyWorld(world);
    return drift;
}

TEST(FreeSpinsKeepEnergyAndMomentum)
{
    // Tops from needles to discs, the middle axis last: it is unstable, and the body tumbles.
    const tdVec3 inertias[6] = {V(1, 1, 1),      V(0.02, 1, 1),      V(1, 1, 1.99),
                                V(0.3, 1, 1.15), V(0.01, 1, 1.0099), V(0.5, 1, 0.7)};
    const double speeds[7] = {1, 10, 50, 100, 500, 1000, 5000};
    for (int i = 0; i < 6; ++i)
    {
        for (int k = 0; k < 7; ++k)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                double w[3] = {0.1 * speeds[k], 0.07 * speeds[k], 0.2 * speeds[k]};
                w[axis] = speeds[k];
                Drift drift = MeasureDrift(inertias[i], V(w[0], w[1], w[2]), 10);
                ENSURE(drift.least > 0.999);
                ENSURE(drift.most < 1.001);
                ENSURE(drift.momentum < 0.001);
            }
        }
    }
}

TEST(LongSpinsGainNoEnergy)
{
    const double speeds[5] = {3, 40, 120, 700, 5000};
    for (int i = 0; i < 5; ++i)
    {
        double w = speeds[i];
        Drift needle = MeasureDrift(V(0.01, 1, 1.005), V(w, 0.1 * w, 0.1 * w), 60);
        ENSURE(needle.most < 1.001);
        ENSURE(needle.least > 0.997);
        Drift box = MeasureDrift(V(0.3, 1, 1.15), V(0.1 * w, w, 0.1 * w), 60);
        ENSURE(box.most < 1.001);
        ENSURE(box.least > 0.997);
    }
}

TEST(FastSymmetricTopsPrecessByTheClosedForm)
{
    // A symmetric top turns about its momentum at |L| / I and about its own axis at (1 / I_axis - 1 / I)
    // L_axis. Where its axis points after a second follows from the first alone.
    const double speeds[3] = {20, 90, 400};
    for (int i = 0; i < 3; ++i)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId body = AddTop(world, V(0.4, 1, 1), V(speeds[i], 0.4 * speeds[i], -0.2 * speeds[i]));
        tdVec3 momentum = AngularMomentum(world, body);
        double length = Length(momentum);
        tdVec3 axis = RotateBy(tdBody_GetTransform(world, body).rotation, V(1, 0, 0));
        StepFor(world, 1);
        tdQuat turn = Turn((double)momentum.x / length, (double)momentum.y / length,
                           (double)momentum.z / length, fmod(length, 4 * PI));
        tdVec3 expected = RotateBy(turn, axis);
        tdVec3 found = RotateBy(tdBody_GetTransform(world, body).rotation, V(1, 0, 0));
        double tolerance = 1e-4 * length;
        ENSURE_NEAR(found.x, expected.x, tolerance);
        ENSURE_NEAR(found.y, expected.y, tolerance);
        ENSURE_NEAR(found.z, expected.z, tolerance);
        tdDestroyWorld(world);
    }
}

TEST(FastSpheresTurnByTheirSpeed)
{
    const double speeds[3] = {100, 1000, 4000};
    for (int i = 0; i < 3; ++i)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 0, 0), 0.5, plain);
        tdBody_SetAngularVelocity(world, ball, V(0, 0, speeds[i]));
        StepFor(world, 0.1);
        double angle = fmod(speeds[i] * 0.1, 2 * PI);
        tdVec3 x = RotateBy(tdBody_GetTransform(world, ball).rotation, V(1, 0, 0));
        ENSURE_NEAR(x.x, cos(angle), 2e-3);
        ENSURE_NEAR(x.y, sin(angle), 2e-3);
        ENSURE_NEAR(x.z, 0, 1e-5);
        tdDestroyWorld(world);
    }
}

static uint64_t RunTops(tdSimd simd)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.simd = simd;
    def.gravity = V(0, -GRAVITY, 0);
    tdWorld* world = tdCreateWorld(&def);
    AddSlope(world, 0, plain);
    for (int i = 0; i < 20; ++i)
    {
        tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(1.5 * i, 1, 0), noTurn,
                               V(0.2 + 0.04 * i, 0.5, 0.1 + 0.02 * i), plain);
        tdBody_SetAngularVelocity(world, body, V(5 * i * i, 100 - 10 * i, 7 * i));
    }
    StepFor(world, 1);
    uint64_t hash = tdWorld_GetStateHash(world);
    tdDestroyWorld(world);
    return hash;
}

TEST(FastTopsAreBitIdenticalOnEveryWidth)
{
    uint64_t scalar = RunTops(TD_SIMD_SCALAR);
    ENSURE(RunTops(TD_SIMD_SSE2) == scalar);
    ENSURE(RunTops(TD_SIMD_AUTO) == scalar);
}

TEST_MAIN(RUN(FreeSpinsKeepEnergyAndMomentum) RUN(LongSpinsGainNoEnergy)
              RUN(FastSymmetricTopsPrecessByTheClosedForm) RUN(FastSpheresTurnByTheirSpeed)
                  RUN(FastTopsAreBitIdenticalOnEveryWidth))
