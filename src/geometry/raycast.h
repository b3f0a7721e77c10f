// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rays against shapes of any kind.
#pragma once

#include "shape.h"

/// Hit of a ray or of a moving shape, in the frame of the target's body.
typedef struct tdCastHit
{
    float fraction;    // of the translation, 0 to maxFraction
    tdVec3 point;      // on the target
    tdVec3 normal;     // unit, out of the target, against the motion; zero if the cast starts inside
    uint32_t triangle; // of a mesh: index as given at cooking; 0 otherwise
} tdCastHit;

/// Casts a ray from `origin` to origin + maxFraction * translation. A ray that starts inside a solid hits at
/// fraction 0 with normal zero. One-sided meshes and sheets are hit from the front only.
/// @return false: no hit; `hit` is unchanged
bool tdRayCastShape(const tdShapeGeometry* shape, tdVec3 origin, tdVec3 translation, float maxFraction,
                    tdCastHit* hit);
/// Casts up to four rays. The results are those of tdRayCastShape.
/// @param lanes bit i: cast ray i
/// @return bit i: ray i hits, and hits[i] is set
unsigned tdRayCastLanes(const tdShapeGeometry* shape, const tdVec3* origins, const tdVec3* translations,
                        const float* maxFractions, unsigned lanes, tdCastHit* hits);
