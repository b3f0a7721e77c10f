// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Balls inside a closed mesh.
#pragma once

#include "triangles.h"

/// Distance from the centroid of a closed mesh to its surface, 0 if the mesh is open or its centroid is
/// outside. A mesh with an inner radius has a core that keeps it on its side of a wall
/// (docs/decisions/051-meshes.md).
float tdTriangles_ComputeInnerRadius(const tdTriangles* mesh);

/// Finds balls inside a closed mesh that are spread over it: both arms of an L have some. No part of a body
/// with cores passes a wall while they do not. Open meshes and those that the ball of the inner radius
/// represents have none.
void tdTriangles_FindCores(tdTriangles* mesh);
/// Maps the cores of a mesh to a copy of it under a linear map.
void tdTriangles_MapCores(tdTriangles* copy, const tdTriangles* source, tdMat3 map);
