// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Changes of shapes that the runtime and other files of this folder need.
#pragma once

#include "geometry/shape.h"

#include "tendon/physics.h"

/// Change the dimensions and the local pose of an implicit shape. The mass of the body does not change.
/// @return false if the kind differs, the shape is a hull or mesh, or a plane would become bounded or
/// unbounded
bool tdShape_SetGeometry(tdWorld* world, tdShapeId shape, const tdShapeGeometry* geometry);
/// Remove a shape without updating the mass of its body.
/// @param wake wake the bodies that touched it
void tdWorld_RemoveShape(tdWorld* world, int shape, bool wake);
