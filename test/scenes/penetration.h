// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Penetration of the bodies of a setup, for any engine: all pairs, without margin, in double precision. It
// shares no code with the engine, so that no engine is measured with its own geometry.
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

    /// Bodies that a joint connects, that filters keep apart or that cannot move are left out, so are
    /// triggers.
    /// @param poses of the bodies
    tdPenetration tdMeasurePenetration(const tdSetup* setup, const tdTransform* poses);

    /// Depth of the overlap of two parts, negative when they are apart (then it is minus the distance, or
    /// less if that is more than `limit`). Meshes count as their deepest triangle. For tests too.
    double tdMeasureDepth(const tdSetup* setup, int shapeA, tdTransform poseA, int shapeB, tdTransform poseB,
                          double limit);

#if defined(__cplusplus)
}
#endif
