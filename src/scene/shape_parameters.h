// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parameters of implicit shapes, and the geometry they make under the scale of their node. Pure functions:
// import calls them once, the runtime again when an animation changes a parameter. See docs/decisions/092.
#pragma once

#include "geometry/shape.h"

/// Parameters of an implicit shape, in the units of the file (m).
typedef struct tdShapeParameters
{
    tdShapeKind kind;   // sphere, box, capsule, cylinder or plane; others: not implicit
    float values[3];    // sphere: radius; box: sizes; capsule, cylinder: height, radiusBottom, radiusTop;
                        // plane: sizeX, sizeZ (INFINITY where unbounded)
    bool isDoubleSided; // plane
} tdShapeParameters;

/// Makes the unscaled geometry in the space of the node. A capsule without height, or with one end sphere
/// inside the other, becomes a sphere.
/// @return false if a parameter is negative or not finite, or is zero where the shape needs an extent
bool tdMakeShapeGeometry(const tdShapeParameters* parameters, tdShapeGeometry* geometry);
/// Smallest extent of a shape, in m. Smaller shapes round to nothing when they are halved or scaled.
#define TD_MIN_EXTENT 1.0e-9f

/// True if a placed shape measures at least TD_MIN_EXTENT wherever it must have an extent.
bool tdHasExtent(const tdShapeGeometry* geometry);
/// True if one end sphere of a capsule lies inside the other.
bool tdIsCapsuleSwallowed(const tdShapeParameters* parameters);

/// Map from the space of a node to that of its body, or of the world: x -> R S x + t.
typedef struct tdShapePlacement
{
    tdTransform pose; // R and t
    tdMat3 stretch;   // S, symmetric; positive for implicit shapes
} tdShapePlacement;

/// Computes the placement of a node's shape from the matrix of the node relative to its body, or in the
/// world. Rounding noise is removed from S, so that equal scales give equal bits.
/// @param ownScale of the node itself: implicit shapes take its absolute value
/// @param zeroAxes receives the number of axes whose scale is 0
/// @return false if the matrix is singular
bool tdComputePlacement(tdMat4 matrix, tdVec3 ownScale, bool isImplicit, tdShapePlacement* placement,
                        int* zeroAxes);
/// Applies a placement exactly. S goes into the sizes if the result is a shape of the same kind, else into
/// the matrix of the shape.
/// @return true if a round shape is scaled non-uniformly
bool tdPlaceShape(const tdShapePlacement* placement, tdShapeGeometry* geometry);
