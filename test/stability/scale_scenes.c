// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The same structures in other sizes, step rates and gravities. Lengths are judged in edges of a box, speeds
// in the speed of a fall by an edge: marbles behave like boulders.
#include "stability.h"

#include "math/vecmath.h"

#include <stdio.h>

#define MOST_SCALED_BODIES 128
#define SCALED_SECONDS 15.0 // times the root of the edge over gravity, in units of 1 m and 9.81 m/s^2
/// Way, in edges, and speed, in falls by an edge, that a structure at rest stays below. 4.43 m/s is the speed
/// of a fall by 1 m, so that 5e-4 are 2.2 mm/s for boxes of 1 m.
#define MOST_WAY 0.02
#define MOST_FALLS 5.0e-4
/// Way by which a structure that must fall has moved.
#define FALL_WAY 0.5

typedef struct Scale
{
    double size, rate, gravity;
} Scale;

typedef struct ScaledScene
{
    tdWorld* world;
    Scale scale;
    tdBodyId bodies[MOST_SCALED_BODIES];
    tdVec3 starts[MOST_SCALED_BODIES];
    int count;
    uint32_t seed;
} ScaledScene;

static ScaledScene scaled;

static double DrawScaled(void)
{
    scaled.seed = scaled.seed * 1664525u + 1013904223u;
    return (double)(scaled.seed >> 8) / 8388608.0 - 1.0;
}

static void BeginScaled(const Scale* scale, uint32_t seed)
{
    scaled.world = MakeWorld(V(0, -scale->gravity, 0), false);
    scaled.scale = *scale;
    scaled.count = 0;
    scaled.seed = seed;
    AddBox(scaled.world, TD_MOTION_STATIC, V(0, -scale->size, 0), noTurn,
           V(100 * scale->size, 2 * scale->size, 100 * scale->size), plain);
}

/// Add a box; position and edges in edges of the scale.
static void AddScaled(double x, double y, double z, tdQuat turn, tdVec3 edges, double density)
{
    double s = scaled.scale.size;
    Material material = plain;
    material.density = (float)density;
    tdVec3 at = V(s * x, s * y, s * z);
    tdVec3 size = V(s * (double)edges.x, s * (double)edges.y, s * (double)edges.z);
    scaled.starts[scaled.count] = at;
    scaled.bodies[scaled.count++] = AddBox(scaled.world, TD_MOTION_DYNAMIC, at, turn, size, material);
}

/// @param gap height by which the highest body starts above its place, in edges
static void RunScaled(bool mustStand, double gap)
{
    double s = scaled.scale.size, fall = sqrt(2.0 * scaled.scale.gravity * s);
    double seconds = SCALED_SECONDS * sqrt(s * GRAVITY / scaled.scale.gravity);
    int steps = (int)(fmax(seconds, 2.0) * scaled.scale.rate + 0.5);
    for (int i = 0; i < steps; ++i)
    {
        tdWorld_Step(scaled.world, (float)(1.0 / scaled.scale.rate));
    }
    double way = 0.0, speed = 0.0;
    for (int i = 0; i < scaled.count; ++i)
    {
        double moved = Length(tdSub(Position(scaled.world, scaled.bodies[i]), scaled.starts[i])) / s;
        way = fmax(way, isfinite(moved) ? moved : 1e9);
        speed = fmax(speed, Length(tdBody_GetLinearVelocity(scaled.world, scaled.bodies[i])) / fall);
    }
    PrintRow(mustStand ? way < MOST_WAY + gap && speed < MOST_FALLS : way > FALL_WAY,
             mustStand ? "0.02 edges and gaps, 5e-4 falls" : "falls", "%.3g edges, %.2g falls", way, speed);
    tdDestroyWorld(scaled.world);
    scaled.world = NULL;
}

static void BuildScaledTower(int count, double lean, bool isJittered, double top, double odd)
{
    for (int i = 0; i < count; ++i)
    {
        double jitter = isJittered ? 0.02 : 0.0, x = lean * i + jitter * DrawScaled(),
               z = jitter * DrawScaled(), yaw = 2.5 * jitter * DrawScaled();
        double gap = isJittered ? 0.001 * (i + 1) : 0.0;
        AddScaled(x, 0.5 + i + gap, z, Turn(0, 1, 0, yaw), V(1, 1, 1),
                  1000.0 * (i + 1 == count ? top : 1.0) * (i % 2 == 1 ? odd : 1.0));
    }
}

static void BuildScaledWall(int courses, int perCourse)
{
    for (int i = 0; i < courses; ++i)
    {
        bool isOdd = i % 2 == 1;
        for (int k = 0; k < perCourse + (isOdd ? 1 : 0); ++k)
        {
            bool isFirst = isOdd && k == 0, isLast = isOdd && k == perCourse;
            double x = 2.01 * (k - 0.5 * perCourse + (isOdd ? 0.0 : 0.5));
            x += isFirst ? 0.5 : (isLast ? -0.5 : 0.0);
            AddScaled(x, 0.25 + 0.5 * i, 0, noTurn, V(isFirst || isLast ? 1 : 2, 0.5, 1), 1000);
        }
    }
}

static void MeasureScale(const Scale* scale, const char* name)
{
    static const struct
    {
        const char* name;
        int count;
        bool isJittered;
        double top, odd;
    } towers[] = {{"tower of 4", 4, true, 1, 1},
                  {"tower of 10", 10, false, 1, 1},
                  {"tower of 10, jittered", 10, true, 1, 1},
                  {"tower of 30", 30, false, 1, 1},
                  {"tower of 30, jittered", 30, true, 1, 1},
                  {"ten, top 100 times", 10, true, 100, 1},
                  {"ten, top 1000 times", 10, false, 1000, 1},
                  {"ten, alternating 100 times", 10, true, 1, 100}};
    for (int i = 0; i < (int)(sizeof(towers) / sizeof(towers[0])); ++i)
    {
        if (WantScene("scaled %s, %s", towers[i].name, name))
        {
            BeginScaled(scale, 7);
            BuildScaledTower(towers[i].count, 0, towers[i].isJittered, towers[i].top, towers[i].odd);
            RunScaled(true, towers[i].isJittered ? 0.001 * towers[i].count : 0.0);
        }
    }
    static const int leaning[] = {2, 3, 5, 10, 20};
    for (int i = 0; i < 10; ++i)
    {
        int count = leaning[i / 2];
        double share = i % 2 == 0 ? 0.98 : 1.02;
        if (WantScene("scaled %d leaning by %g, %s", count, share, name))
        {
            BeginScaled(scale, 1);
            BuildScaledTower(count, share / count, false, 1, 1);
            RunScaled(i % 2 == 0, 0);
        }
    }
    if (WantScene("scaled wall of 44 bricks, %s", name))
    {
        BeginScaled(scale, 1);
        BuildScaledWall(8, 5);
        RunScaled(true, 0);
    }
}

void MeasureScales(void)
{
    static const double sizes[] = {0.001, 0.01, 0.05, 0.3, 1, 10, 100}, rates[] = {30, 60, 120, 240},
                        gravities[] = {1, GRAVITY, 30};
    for (int i = 0; i < 7 * 4 * 3; ++i)
    {
        Scale scale = {sizes[i / 12], rates[i / 3 % 4], gravities[i % 3]};
        char name[64];
        (void)snprintf(name, sizeof(name), "%g m, %g Hz, %g m/s2", scale.size, scale.rate, scale.gravity);
        MeasureScale(&scale, name);
    }
}
