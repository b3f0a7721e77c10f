// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Implicit shapes by the numbers a file gives, and where they end up under their node's scale. Import uses it
// once, the runtime again when an animation changes the numbers.
#pragma once

#include "geometry/shape.h"

/// Numbers of an implicit shape, as files give them.
typedef struct tdShapeParameters
{
    tdShapeKind kind;   // sphere, box, capsule, cylinder or plane; others: not implicit
    float values[3];    // sphere: radius; box: sizes; capsule, cylinder: height, radiusBottom, radiusTop;
                        // plane: sizeX, sizeZ (INFINITY where unbounded)
    bool isDoubleSided; // plane
} tdShapeParameters;

/// The shape these numbers make, unscaled, in its node's space. A capsule whose one ball swallows the other,
/// or that has no height, is a ball.
/// @return false when they make none: something is negative or not finite, or zero where that leaves no
/// extent
bool tdMakeShapeGeometry(const tdShapeParameters* parameters, tdShapeGeometry* geometry);
/// Whether a placed shape measures at least a nanometre wherever it must have an extent. Less is no shape to
/// any purpose, and halved or scaled it may round to nothing.
bool tdHasExtent(const tdShapeGeometry* geometry);
/// Whether one ball of a capsule lies inside the other.
bool tdIsCapsuleSwallowed(const tdShapeParameters* parameters);

/// The map of a node's space into its body's (or the world's): x -> R S x + t.
typedef struct tdShapePlacement
{
    tdTransform pose; // R and t
    tdMat3 stretch;   // S, symmetric; positive for implicit shapes
} tdShapePlacement;

/// Applies a placement. S goes into the shape's measures where the result is a shape of the same kind, and
/// into its matrix otherwise; nothing is approximated.
/// @return true when a round shape is scaled unevenly
bool tdPlaceShape(const tdShapePlacement* placement, tdShapeGeometry* geometry);
