// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the parts of the solver: colours, springs as constraint coefficients, gyroscopic integration,
// vector widths.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/data/color.h"
#include "physics/solver/constraint_graph.h"
#include "physics/solver/softness.h"
#include "physics/solver/solver_data.h"

#include "tendon/physics.h"

TEST(ColorsNeverRepeatABody)
{
    uint64_t colors[20] = {0}, used[20] = {0};
    uint32_t state = 3;
    for (int i = 0; i < 400; ++i)
    {
        state = state * 1664525u + 1013904223u;
        int a = (int)(state >> 8) % 20, b = (int)(state >> 16) % 20;
        if (a == b)
        {
            continue;
        }
        int color = tdConstraintGraph_TakeColor(colors, a, b, true, true, 0);
        if (color != TD_COLOR_OVERFLOW)
        {
            ENSURE((used[a] >> color & 1u) == 0 && (used[b] >> color & 1u) == 0);
            used[a] |= (uint64_t)1 << color;
            used[b] |= (uint64_t)1 << color;
        }
        if (i % 3 == 0)
        {
            tdConstraintGraph_ReleaseColor(colors, a, b, true, true, color);
            if (color != TD_COLOR_OVERFLOW)
            {
                used[a] &= ~((uint64_t)1 << color);
                used[b] &= ~((uint64_t)1 << color);
            }
        }
        ENSURE(colors[a] == used[a] && colors[b] == used[b]);
    }
}

TEST(ColorsOfFixedPartnersComeLast)
{
    uint64_t colors[3] = {0};
    ENSURE_EQUAL_INT(tdConstraintGraph_TakeColor(colors, 0, 1, true, true, 0), 0);
    ENSURE_EQUAL_INT(tdConstraintGraph_TakeColor(colors, 0, 2, true, false, 0), TD_COLOR_COUNT - 1);
    ENSURE_EQUAL_INT(tdConstraintGraph_TakeColor(colors, 1, 2, true, false, 0),
                     TD_COLOR_COUNT - 1); // a fixed body takes none
    for (int i = 0; i < TD_COLOR_COUNT - 2; ++i)
    {
        ENSURE(tdConstraintGraph_TakeColor(colors, 0, 2, true, false, 0) < TD_COLOR_COUNT);
    }
    ENSURE_EQUAL_INT(tdConstraintGraph_TakeColor(colors, 0, 2, true, false, 0), TD_COLOR_OVERFLOW);
}

TEST(SoftnessIsAnImplicitSpring)
{
    // One mass on one soft row, integrated by the row and by implicit Euler: v' = (v - h o^2 x) / (1 + 2 z o
    // h + o^2 h^2).
    double h = 1.0 / 240.0, hertz = 20.0, ratio = 0.7, omega = 2.0 * 3.14159265358979 * hertz;
    tdSoftness soft = tdMakeSoftness((float)hertz, (float)ratio, (float)h);
    double mass = 3.0, x = 0.1, v = 0.0, rowX = 0.1, rowV = 0.0;
    for (int i = 0; i < 100; ++i)
    {
        v = (v - h * omega * omega * x) / (1.0 + 2.0 * ratio * omega * h + omega * omega * h * h);
        x += h * v;
        // Solved from zero impulse, the row needs one solve: P = -m ms (v + b x).
        double impulse = -mass * (double)soft.massScale * (rowV + (double)soft.biasRate * rowX);
        rowV += impulse / mass;
        rowX += h * rowV;
        ENSURE_NEAR(rowX, x, 1e-6);
    }
}

static tdVec3 Momentum(tdWorld* world, tdBodyId body, tdVec3 inertia)
{
    tdQuat q = tdBody_GetTransform(world, body).rotation;
    return tdRotate(q, tdMul(inertia, tdInvRotate(q, tdBody_GetAngularVelocity(world, body))));
}

TEST(FreeSpinKeepsMomentumAndFlips)
{
    tdVec3 inertia = {1.0f, 2.0f, 3.0f};
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = tdVec3_zero;
    def.enableSleep = false;
    tdWorld* world = tdCreateWorld(&def);
    tdBodyDef bodyDef = tdDefaultBodyDef();
    bodyDef.motion = TD_MOTION_DYNAMIC;
    bodyDef.mass = 1.0f;
    bodyDef.inertiaDiagonal = inertia;
    bodyDef.angularVelocity = (tdVec3){0.01f, 10.0f, 0.0f}; // about the middle axis: unstable
    tdBodyId body = tdCreateBody(world, &bodyDef);
    tdVec3 before = Momentum(world, body, inertia);
    int flips = 0;
    float sign = 1.0f;
    for (int i = 0; i < 600; ++i)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
        float local =
            tdInvRotate(tdBody_GetTransform(world, body).rotation, tdBody_GetAngularVelocity(world, body)).y;
        if (local * sign < 0.0f)
        {
            flips += 1;
            sign = -sign;
        }
    }
    tdVec3 after = Momentum(world, body, inertia);
    ENSURE_NEAR(tdDistance(after, before) / tdLength(before), 0.0, 1e-3);
    ENSURE(flips >= 2);
    tdDestroyWorld(world);
}

static uint64_t RunPile(tdSimd simd)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.simd = simd;
    tdWorld* world = tdCreateWorld(&def);
    tdBodyDef groundDef = tdDefaultBodyDef();
    tdBodyId ground = tdCreateBody(world, &groundDef);
    tdCreatePlane(world, ground, NULL, INFINITY, INFINITY, false);
    for (int i = 0; i < 24; ++i)
    {
        tdBodyDef bodyDef = tdDefaultBodyDef();
        bodyDef.motion = TD_MOTION_DYNAMIC;
        bodyDef.transform.position =
            (tdVec3){0.3f * (float)(i % 3), 0.6f + 0.7f * (float)(i / 3), 0.1f * (float)(i % 2)};
        bodyDef.angularVelocity = (tdVec3){1.0f, 0.5f * (float)i, 0.0f};
        tdBodyId body = tdCreateBody(world, &bodyDef);
        tdShapeDef shape = tdDefaultShapeDef();
        shape.restitution = i % 4 == 0 ? 0.5f : 0.0f;
        shape.staticFriction = 0.8f;
        if (i % 3 == 0)
        {
            tdCreateSphere(world, body, &shape, 0.3f);
        }
        else
        {
            tdCreateBox(world, body, &shape, (tdVec3){0.5f, 0.4f, 0.6f});
        }
    }
    for (int i = 0; i < 90; ++i)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
    }
    uint64_t hash = tdWorld_GetStateHash(world);
    tdDestroyWorld(world);
    return hash;
}

TEST(AllWidthsGiveTheSameBits)
{
    uint64_t hash = RunPile(TD_SIMD_SCALAR);
    ENSURE(RunPile(TD_SIMD_SSE2) == hash);
    ENSURE(RunPile(TD_SIMD_AVX2) == hash);
}

TEST_MAIN(RUN(ColorsNeverRepeatABody) RUN(ColorsOfFixedPartnersComeLast) RUN(SoftnessIsAnImplicitSpring)
              RUN(FreeSpinKeepsMomentumAndFlips) RUN(AllWidthsGiveTheSameBits))
