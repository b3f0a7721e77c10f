// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pair exclusions: pairs of bodies or shapes that joints keep from colliding, and the test of whether two
// shapes may collide at all.
#pragma once

#include "tendon/physics.h"

/// One side of an exclusion: a body with all its shapes, or one shape.
typedef struct tdPairSide
{
    int body;  // index, or -1
    int shape; // index, or -1
} tdPairSide;

/// Exclude a pair from collision and destroy its contacts. Exclusions are counted: several joints may exclude
/// the same pair.
/// @return false if memory ran out
bool tdWorld_AddPairExclusion(tdWorld* world, tdPairSide a, tdPairSide b);
/// Undo one exclusion of a pair. After the last one the pair collides again.
void tdWorld_RemovePairExclusion(tdWorld* world, tdPairSide a, tdPairSide b);
/// Remove all exclusions of a body or shape before it is destroyed.
void tdWorld_ForgetExclusions(tdWorld* world, tdPairSide side);
/// May two shapes collide? Tests filters, exclusions, motion types, triggers and whether they share a body.
bool tdWorld_ShouldCollide(const tdWorld* world, int shapeA, int shapeB);
