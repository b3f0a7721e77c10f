// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the mass of several parts: inertia about the common centre by the parallel-axis theorem, in
// double.
#include "harness.h"

#include "geometry/mass.h"
#include "geometry/reference.h"
#include "math/vecmath.h"

#define PART_COUNT 5

TEST(PartsAtAnyPlaceAddUp)
{
    refRandomState = 31;
    for (int round = 0; round < 20; ++round)
    {
        // Boxes aligned with the body axes: m (b^2 + c^2) / 3 of half sizes, and zeros off the diagonal.
        tdMassData parts[PART_COUNT];
        double mass = 0, center[3] = {0, 0, 0}, inertia[3][3] = {{0}};
        tdVec3 halves[PART_COUNT], places[PART_COUNT];
        for (int i = 0; i < PART_COUNT; ++i)
        {
            halves[i] = tdAdd(tdAbs(RefRandomVec(0.5f)), (tdVec3){0.1f, 0.1f, 0.1f});
            places[i] = tdAdd(RefRandomVec(1.0f), (tdVec3){3, -2, 1}); // the centre is far from the origin
            tdShapeGeometry box = RefBox(halves[i].x, halves[i].y, halves[i].z);
            box.local.position = places[i];
            parts[i] = tdComputeMassData(&box, 1000.0f);
            double m = 8000.0 * (double)halves[i].x * (double)halves[i].y * (double)halves[i].z;
            ENSURE_NEAR(parts[i].mass, m, 1e-4 * m);
            mass += m;
            for (int k = 0; k < 3; ++k)
            {
                center[k] += m * (double)(&places[i].x)[k];
            }
        }
        for (int k = 0; k < 3; ++k)
        {
            center[k] /= mass;
        }
        for (int i = 0; i < PART_COUNT; ++i)
        {
            const float *h = &halves[i].x, *p = &places[i].x;
            double m = 8000.0 * (double)h[0] * (double)h[1] * (double)h[2], d[3], square = 0;
            for (int k = 0; k < 3; ++k)
            {
                d[k] = (double)p[k] - center[k];
                square += d[k] * d[k];
            }
            for (int r = 0; r < 3; ++r)
            {
                int b = (r + 1) % 3, c = (r + 2) % 3;
                inertia[r][r] +=
                    m * ((double)h[b] * (double)h[b] + (double)h[c] * (double)h[c]) / 3.0 + m * square;
                for (int k = 0; k < 3; ++k)
                {
                    inertia[r][k] -= m * d[r] * d[k];
                }
            }
        }
        tdMassData sum = tdCombineMassData(parts, PART_COUNT);
        ENSURE_NEAR(sum.mass, mass, 1e-4 * mass);
        const float* columns = &sum.inertia.cx.x;
        double scale = inertia[0][0] + inertia[1][1] + inertia[2][2];
        for (int r = 0; r < 3; ++r)
        {
            ENSURE_NEAR((&sum.center.x)[r], center[r], 1e-4);
            for (int k = 0; k < 3; ++k)
            {
                ENSURE_NEAR(columns[3 * k + r], inertia[r][k], 1e-4 * scale);
            }
        }
    }
}

TEST_MAIN(RUN(PartsAtAnyPlaceAddUp))
