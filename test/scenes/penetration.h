// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures the penetration of the bodies of a setup, for any engine: all pairs, without margin, in double
// precision. It shares no code with the engine, so that no engine is measured with its own geometry.
#pragma once

#include "setup.h"

#if defined(__cplusplus)
extern "C"
{
#endif

    typedef struct tdPenetration
    {
        int pairCount;        // pairs of parts that overlap
        double p50, p99, max; // m, over those pairs
    } tdPenetration;

    /// Skips bodies that a joint connects, pairs that filters separate, pairs that cannot move, and triggers.
    /// @param poses of the bodies
    tdPenetration tdMeasurePenetration(const tdSetup* setup, const tdTransform* poses);

    /// Depth of the overlap of two parts; negative if they are separated (minus the distance, or less if that
    /// exceeds `limit`). A mesh counts as its deepest triangle. Also used by tests.
    double tdMeasureDepth(const tdSetup* setup, int shapeA, tdTransform poseA, int shapeB, tdTransform poseB,
                          double limit);

#if defined(__cplusplus)
}
#endif
