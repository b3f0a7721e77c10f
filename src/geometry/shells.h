// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shells of a mesh: sets of triangles that are connected over edges of two triangles. Each has one
// orientation, whatever the windings of its triangles. Decision: docs/decisions/047-thin-shells.md.
#pragma once

#include "triangles.h"

/// True if two neighbours have opposite windings: both run along their common edge in the same direction.
bool tdIsEdgeReversed(const uint32_t* indices, uint32_t triangle, int edge, uint32_t neighbor);
/// Finds the shells of a mesh whose vertices, indices and neighbours are known. A closed shell is oriented
/// outward, an open one as most of its area. A shell without orientation, such as a Moebius strip, becomes
/// one shell per triangle.
/// @param shells one per triangle
/// @param scratch one per triangle
/// @return true if neighbours have opposite windings
bool tdFindShells(const tdTriangles* mesh, uint32_t* shells, uint32_t* scratch);
