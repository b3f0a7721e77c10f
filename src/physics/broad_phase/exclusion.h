// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pair exclusions: pairs of bodies or shapes that joints keep from colliding, and the test of whether two
// shapes may collide at all.
#pragma once

#include "tendon/physics.h"

/// One side of an exclusion: a whole body, or one shape (static colliders that belong to a joint's world
/// side).
typedef struct tdPairSide
{
    int body;  // index, or -1
    int shape; // index, or -1
} tdPairSide;

/// Keep two things from colliding; counted, so that several joints may ask for the same pair and the pair
/// collides again when the last one lets go. Contacts between them end. A side is a body or one shape of it.
/// @return false if memory ran out
bool tdWorld_AddPairExclusion(tdWorld* world, tdPairSide a, tdPairSide b);
void tdWorld_RemovePairExclusion(tdWorld* world, tdPairSide a, tdPairSide b);
/// The body or shape is about to be destroyed.
void tdWorld_ForgetExclusions(tdWorld* world, tdPairSide side);
/// False when filter, exclusion, motion or ownership forbid that two shapes meet.
bool tdWorld_ShouldCollide(const tdWorld* world, int shapeA, int shapeB);
