// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Manifolds of a mesh or sheet and a convex shape.
#pragma once

#include "geometry/mesh_side.h"
#include "physics/data/manifold_data.h"

/// The side of a mesh that the shape of a contact is on, kept in tdManifoldCache.words. Zero:
/// nothing, the side is decided by the centre of the shape.
typedef struct tdSideMemory
{
    uint32_t flags; // TD_SIDE bits
    uint32_t shell; // whose side is known
    tdVec3 origin;  // point on the side that the shape came from, in the frame of the mesh
} tdSideMemory;

#define TD_SIDE_KNOWN 1u
#define TD_SIDE_BACK 2u
#define TD_SIDE_HELD 4u // the centre of the shape has passed a face

/// True if a shape that has passed a face since the last test is on another side than before. A body that
/// moves around a corner of a mesh, or a mesh that turns, may pass two faces and be on the same side again.
/// @param sides of the point where the shape is
bool tdIsOnOtherSide(const tdMeshSides* sides, const tdPassedFace* passed, const tdSideMemory* memory);
/// @param cache may be NULL: no memory
tdSideMemory tdLoadSideMemory(const tdManifoldCache* cache);
/// @param cache may be NULL
void tdStoreSideMemory(tdManifoldCache* cache, tdSideMemory memory);

/// Manifolds of a mesh or sheet and a convex shape, in the frame of the mesh. Normals point from the mesh to
/// the convex shape.
/// @param pose of the convex shape's body in the frame of the mesh
/// @param cache memory of the side; NULL: none
/// @return number of manifolds, at most `capacity`
int tdCollideMesh(const tdShapeGeometry* mesh, const tdShapeGeometry* convex, tdTransform pose, float margin,
                  tdManifoldCache* cache, tdManifold* manifolds, int capacity);
