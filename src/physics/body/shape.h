// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Changes of shapes that the runtime and other files of this folder need.
#pragma once

#include "geometry/shape.h"

#include "tendon/physics.h"

/// Take a shape out of collisions and queries, or back. It starts enabled. The mass of the body does not
/// change.
void tdShape_SetEnabled(tdWorld* world, tdShapeId shape, bool isEnabled);
/// The geometry of a shape in its body.
tdShapeGeometry tdShape_GetGeometry(const tdWorld* world, tdShapeId shape);
/// Change the dimensions, the matrix and the local pose of a shape. A mesh may be replaced by a scaled copy
/// (tdScaleTriangles). The mass of the body does not change. Allocates when a mesh is replaced.
/// @return false if the kind differs, a plane would become bounded or unbounded, or memory ran out
bool tdShape_SetGeometry(tdWorld* world, tdShapeId shape, const tdShapeGeometry* geometry);
/// Remove a shape without updating the mass of its body.
/// @param wake wake the bodies that touched it
void tdWorld_RemoveShape(tdWorld* world, int shape, bool wake);
