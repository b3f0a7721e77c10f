// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Radius of the ball inside a closed mesh.
#pragma once

#include "triangles.h"

/// Distance from the centroid of a closed mesh to its surface, 0 if the mesh is open or its centroid is
/// outside. A mesh with an inner radius has a core that keeps it on its side of a wall
/// (docs/decisions/051-meshes.md).
float tdTriangles_ComputeInnerRadius(const tdTriangles* mesh);
