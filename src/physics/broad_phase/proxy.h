// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Proxies: the fat box of each shape, its leaf in a tree, and its place in the move buffer.
#pragma once

#include "math/vecmath.h"

#include "tendon/physics.h"

/// Fat box anew, into its tree and into the move buffer. Room for both must be there.
void tdWorld_RefreshProxy(tdWorld* world, int shape);
/// Whether the fat boxes of two shapes overlap; unbounded planes by their half-space.
bool tdWorld_TestFatBoxes(const tdWorld* world, int shapeA, int shapeB);
/// Wake all dynamic bodies whose boxes the shape's box overlaps (it was put there).
void tdWorld_WakeNear(tdWorld* world, int shape);
/// Fat boxes of an awake body that may have left them. Touches only the body and its shapes.
void tdWorld_RefreshBoxes(tdWorld* world, int simIndex, tdVec3 displacement);
/// Fat boxes that grew into the trees and into the move buffer.
void tdWorld_RefitTrees(tdWorld* world);
