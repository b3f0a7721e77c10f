// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Changes of shapes.
#pragma once

#include "geometry/shape.h"

#include "tendon/physics.h"

/// Gives an implicit shape other measures; its place in the body goes with them. Mass stays as it is, and so
/// does the kind; planes cannot become unbounded, nor bounded.
/// @return false when nothing changed
bool tdShape_SetGeometry(tdWorld* world, tdShapeId shape, const tdShapeGeometry* geometry);
/// Without updating the mass of its body.
void tdWorld_RemoveShape(tdWorld* world, int shape, bool wake);
