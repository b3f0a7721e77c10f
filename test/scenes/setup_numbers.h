// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Random numbers and rounding of the benchmark scenes. Numbers are computed in double and rounded to seven
// significant digits, then to float, so the scenes do not depend on the last bit of the platform's sine and
// equal their text form.
#pragma once

#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const double noTurn[4] = {0.0, 0.0, 0.0, 1.0};

typedef struct Random
{
    uint32_t state;
} Random;

static inline double NextRandom(Random* random)
{
    random->state = random->state * 1664525u + 1013904223u;
    return (double)(random->state >> 8) / 16777216.0;
}

static inline double NextRange(Random* random, double low, double high)
{
    return low + (high - low) * NextRandom(random);
}

// Uniform random rotation after Shoemake.
static inline void NextQuat(Random* random, double q[4])
{
    double u1 = NextRandom(random), u2 = NextRandom(random), u3 = NextRandom(random);
    double a = sqrt(1.0 - u1), b = sqrt(u1);
    q[0] = a * sin(2.0 * PI * u2);
    q[1] = a * cos(2.0 * PI * u2);
    q[2] = b * sin(2.0 * PI * u3);
    q[3] = b * cos(2.0 * PI * u3);
}

static inline float Round7(double x)
{
    char text[40];
    snprintf(text, sizeof(text), "%.7g", x);
    return strtof(text, NULL);
}

static inline tdVec3 RoundVec3(double x, double y, double z)
{
    return (tdVec3){Round7(x), Round7(y), Round7(z)};
}

static inline tdQuat RoundQuat(const double q[4])
{
    return (tdQuat){Round7(q[0]), Round7(q[1]), Round7(q[2]), Round7(q[3])};
}

static inline tdTransform At(double x, double y, double z)
{
    return (tdTransform){RoundVec3(x, y, z), RoundQuat(noTurn)};
}

/// Standard gravity and time step of the benchmark scenes.
static inline void Begin(tdSetup* setup, int steps, int windowStart, bool enableSleep, float floorHeight)
{
    setup->timeStep = strtof("0.0166666667", NULL);
    setup->gravity = (tdVec3){0.0f, -9.81f, 0.0f};
    setup->stepCount = steps;
    setup->windowStart = windowStart;
    setup->enableSleep = enableSleep;
    setup->floorHeight = floorHeight;
}

static inline int AddTerrain(tdSetup* setup, int count, double size, double amplitude)
{
    int side = count + 1;
    tdVec3* points = malloc((size_t)(side * side) * sizeof(tdVec3));
    int(*triangles)[3] = malloc((size_t)(count * count * 2) * sizeof(triangles[0]));
    if (points == NULL || triangles == NULL)
    {
        abort();
    }
    for (int i = 0; i < side; ++i)
    {
        for (int j = 0; j < side; ++j)
        {
            double x = -size / 2 + size * i / count, z = -size / 2 + size * j / count;
            double y =
                amplitude * (sin(0.35 * x) * cos(0.27 * z) + 0.4 * sin(1.1 * x + 0.5) * sin(0.9 * z + 1.3));
            points[i * side + j] = RoundVec3(x, y, z);
        }
    }
    int n = 0;
    for (int i = 0; i < count; ++i)
    {
        for (int j = 0; j < count; ++j)
        {
            int a = i * side + j, b = a + 1, c = a + side, d = c + 1;
            triangles[n][0] = a, triangles[n][1] = b, triangles[n++][2] = c;
            triangles[n][0] = b, triangles[n][1] = d, triangles[n++][2] = c;
        }
    }
    int shape = tdSetup_AddMesh(setup, points, side * side, (const int(*)[3])triangles, n);
    free(points);
    free(triangles);
    return shape;
}
