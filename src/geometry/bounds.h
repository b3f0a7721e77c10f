// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bounding boxes, bounding spheres and inner radii of shapes.
#pragma once

#include "shape.h"

/// Replaces infinity in boxes, in metres, so that surface areas and their sums stay finite.
#define TD_UNBOUNDED 1.0e15f

/// Bounding box of the shape on a body at `body`. An unbounded plane extends to +-TD_UNBOUNDED, a half-space
/// also downwards. Tight for all convex kinds except hulls of more than 256 vertices. For those and for
/// meshes it is the bounds of their rotated box.
tdAabb tdShape_ComputeAabb(const tdShapeGeometry* shape, tdTransform body);

/// Radius of the ball about `point`, in the frame of the body, that contains the shape. INFINITY for
/// half-spaces and for unbounded planes.
float tdShape_ComputeOuterRadius(const tdShapeGeometry* shape, tdVec3 point);

/// Centre of the shape in the frame of its body: the point that decides on which side of a face the shape is
/// (docs/decisions/053-continuous-collision.md). It is tdConvex_GetCenter of a convex shape, the centroid of
/// a mesh with an inner radius, else the centre of the mesh's box.
tdVec3 tdShape_GetCenter(const tdShapeGeometry* shape);

/// Radius of a ball about the centre that lies inside the shape. A body that moves less than this in a step
/// cannot tunnel. 0 for planes, open meshes and meshes whose centroid is outside.
float tdShape_ComputeInnerRadius(const tdShapeGeometry* shape);
