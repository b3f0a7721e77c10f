// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact manifolds between two shapes. Pure functions, no world, no allocation: callable from any worker.
#pragma once

#include "physics/data/manifold_data.h"

/// All manifolds of a pair, points farther apart than `margin` left out. Convex pairs give at most one,
/// meshes as many as they have distinct normals.
/// @param bodyBInA pose of B's body in the frame of A's body; the shapes carry their own pose in their bodies
/// @param velocityBInA relative linear velocity of B in A's frame: one-sided sheets use it, others ignore it
/// @return number of manifolds, at most `capacity`; when more exist the deepest are kept
int tdComputeManifolds(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA, float margin,
                       tdVec3 velocityBInA, tdManifoldCache* cache, tdManifold* manifolds, int capacity);
/// True if the two shapes overlap or touch. For triggers.
bool tdTestOverlap(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bodyBInA,
                   tdManifoldCache* cache);
