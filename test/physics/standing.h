// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Structures that must stand, shared by the short and the long stability tests. Bodies may sink by the
// overlap that a soft contact needs to carry its load, millimetres, and must not creep.
#pragma once

#include "physics/bodies.h"

static const Material stone = {0.6f, 0.6f, 0.0f, 1000.0f};

static inline tdWorld* MakeGroundedWorld(Material material)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(100, 2, 100), material);
    return world;
}

// Compares a body with its start position: sideways at most `sideways`, down at most `down`, never up.
static inline void EnsureStayed(const tdWorld* world, tdBodyId body, tdVec3 start, double sideways,
                                double down)
{
    tdVec3 p = Position(world, body);
    ENSURE_NEAR(p.x, start.x, sideways);
    ENSURE_NEAR(p.z, start.z, sideways);
    ENSURE(p.y > start.y - (float)down && p.y < start.y + 0.002f);
}

static inline void CheckStack(double seconds)
{
    tdWorld* world = MakeGroundedWorld(stone);
    tdBodyId boxes[10];
    for (int i = 0; i < 10; ++i)
    {
        boxes[i] = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5 + i, 0), noTurn, V(1, 1, 1), stone);
    }
    StepFor(world, seconds);
    for (int i = 0; i < 10; ++i)
    {
        EnsureStayed(world, boxes[i], V(0, 0.5 + i, 0), 0.01, 0.005 * (i + 1));
        ENSURE(RotateBy(tdBody_GetTransform(world, boxes[i]).rotation, V(0, 1, 0)).y > 0.9999f);
        ENSURE(Length(tdBody_GetLinearVelocity(world, boxes[i])) < 0.01);
    }
    tdDestroyWorld(world);
}

static inline void CheckPyramid(int rows, double seconds)
{
    tdWorld* world = MakeGroundedWorld(stone);
    tdBodyId boxes[210];
    tdVec3 starts[210];
    int n = 0;
    for (int i = 0; i < rows; ++i)
    {
        for (int j = 0; j < rows - i; ++j)
        {
            starts[n] = V(1.05 * (j - 0.5 * (rows - i - 1)), 0.5 + i, 0);
            boxes[n] = AddBox(world, TD_MOTION_DYNAMIC, starts[n], noTurn, V(1, 1, 1), stone);
            n += 1;
        }
    }
    StepFor(world, seconds);
    for (int i = 0; i < n; ++i)
    {
        EnsureStayed(world, boxes[i], starts[i], 0.05, 0.005 * ((double)starts[i].y + 1));
    }
    tdDestroyWorld(world);
}

// A mass ratio of 100: 1000 kg on 10 kg; three layers light, heavy, and both again.
static inline void CheckHeavyOnLight(double seconds)
{
    tdWorld* world = MakeGroundedWorld(stone);
    Material light = stone;
    light.density = 10;
    tdBodyId boxes[2];
    for (int i = 0; i < 2; ++i)
    {
        boxes[i] =
            AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5 + i, 0), noTurn, V(1, 1, 1), i == 0 ? light : stone);
    }
    StepFor(world, seconds);
    for (int i = 0; i < 2; ++i)
    {
        EnsureStayed(world, boxes[i], V(0, 0.5 + i, 0), 0.01, 0.02 * (i + 1));
        ENSURE(RotateBy(tdBody_GetTransform(world, boxes[i]).rotation, V(0, 1, 0)).y > 0.999f);
        ENSURE(Length(tdBody_GetLinearVelocity(world, boxes[i])) < 0.02);
    }
    tdDestroyWorld(world);
}

// Three storeys: three tents, two cards across, two tents, one card, one tent. Cards are 0.5 m long and 2 cm
// thick, lean by 20 degrees and touch edge to edge; friction 0.8.
static inline void CheckCardHouse(double seconds)
{
    const Material card = {0.8f, 0.8f, 0.0f, 300.0f};
    const double length = 0.5, thick = 0.02, lean = 20 * PI / 180, pitch = 1.01 * length;
    const double reach =
        0.5 * length * sin(lean) + 0.5 * thick * cos(lean); // centre of a leaning card to the ridge
    const double rise = length * cos(lean) + thick * sin(lean);
    tdWorld* world = MakeGroundedWorld(card);
    tdBodyId cards[16];
    tdVec3 starts[16];
    int n = 0;
    for (int storey = 0; storey < 3; ++storey)
    {
        double base = storey * (rise + thick);
        for (int tent = 0; tent < 3 - storey; ++tent)
        {
            double x = pitch * (tent - 0.5 * (2 - storey));
            for (int side = -1; side <= 1; side += 2)
            {
                starts[n] = V(x + side * reach, base + 0.5 * rise, 0);
                cards[n] = AddBox(world, TD_MOTION_DYNAMIC, starts[n], Turn(0, 0, 1, side * lean),
                                  V(thick, length, 0.3), card);
                n += 1;
            }
        }
        for (int flat = 0; flat < 2 - storey; ++flat)
        {
            starts[n] = V(pitch * (flat - 0.5 * (1 - storey)), base + rise + 0.5 * thick, 0);
            cards[n] = AddBox(world, TD_MOTION_DYNAMIC, starts[n], noTurn, V(length, thick, 0.3), card);
            n += 1;
        }
    }
    StepFor(world, seconds);
    for (int i = 0; i < n; ++i)
    {
        // A fallen card has dropped by most of a storey.
        EnsureStayed(world, cards[i], starts[i], 0.05, 0.05);
    }
    tdDestroyWorld(world);
}
