// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Boxes and balls around shapes.
#pragma once

#include "shape.h"

/// Tight box of the shape on a body at `body`. A plane that is unbounded gives +-INFINITY where it is; a
/// half-space is unbounded downwards too. Exact for round shapes, for hulls and meshes it is that of the
/// vertices (meshes: of their box, turned).
tdAabb tdShape_ComputeAabb(const tdShapeGeometry* shape, tdTransform body);

/// Radius of the ball about `point` (in the body) that holds the whole shape; INFINITY for unbounded planes.
float tdShape_ComputeOuterRadius(const tdShapeGeometry* shape, tdVec3 point);

/// Radius of a ball somewhere inside the shape; a body that moves less than this in a step cannot pass a wall
/// unseen. 0 for meshes and planes.
float tdShape_ComputeInnerRadius(const tdShapeGeometry* shape);
