// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Proxies: the fat box of each shape, its leaf in a tree, and its place in the move buffer.
#pragma once

#include "math/vecmath.h"
#include "physics/data/shape_data.h"

#include "tendon/physics.h"

/// Recompute the fat box of a shape, update its tree and add it to the move buffer. Memory must have been
/// reserved.
void tdWorld_RefreshProxy(tdWorld* world, int shape);
/// Do the fat boxes of two shapes overlap? An unbounded plane is tested by its half-space.
bool tdWorld_TestFatBoxes(const tdWorld* world, int shapeA, int shapeB);
/// Does a box overlap an unbounded plane: a half-space, or a double-sided plane?
bool tdWorld_TestPlaneBox(const tdWorld* world, const tdShape* plane, tdAabb box);
/// Wake all dynamic bodies whose fat boxes overlap that of a shape that was placed there.
void tdWorld_WakeNear(tdWorld* world, int shape);
/// Enlarge the fat boxes that shapes of an awake body left. Writes only to the body and its shapes: callable
/// from any worker.
/// @param displacement of the body in the last step, m
void tdWorld_RefreshBoxes(tdWorld* world, int simIndex, tdVec3 displacement);
/// Enter enlarged fat boxes into the trees and their shapes into the move buffer.
void tdWorld_RefitTrees(tdWorld* world);
