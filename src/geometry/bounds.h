// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Boxes and balls around shapes.
#pragma once

#include "shape.h"

/// Stands for infinity in boxes, so that areas and sums of them stay finite.
#define TD_UNBOUNDED 1.0e15f

/// Box of the shape on a body at `body`. An unbounded plane reaches to +-TD_UNBOUNDED; a half-space does so
/// downwards too. Tight for all convex kinds (hulls of up to 256 vertices); for meshes it is their own box,
/// turned.
tdAabb tdShape_ComputeAabb(const tdShapeGeometry* shape, tdTransform body);

/// Radius of the ball about `point` (in the body) that holds the whole shape; INFINITY for unbounded planes.
float tdShape_ComputeOuterRadius(const tdShapeGeometry* shape, tdVec3 point);

/// The point that tells on which side of a face a shape is, in the frame of its body: tdConvex_GetCenter of
/// convex ones, the centroid of meshes that hold it, else the middle of their box.
tdVec3 tdShape_GetMiddle(const tdShapeGeometry* shape);

/// Radius of a ball about the middle that is inside the shape; a body that moves less than this in a step
/// cannot pass a wall unseen. 0 for planes, open meshes and those whose middle is not inside.
float tdShape_ComputeInnerRadius(const tdShapeGeometry* shape);
