// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The struct behind the public handle tdGeometry.
#pragma once

#include "hull.h"
#include "triangles.h"

struct tdGeometry
{
    tdAllocator allocator;
    tdHull* hull; // one of the two is NULL
    tdTriangles* triangles;
};

/// A mesh that is only measured (tdMeasureTriangles): it can be described, but no shape can be made of it.
tdGeometry* tdMeasureMeshGeometry(const tdMeshGeometryDef* def, bool withVolume, tdGeometryStatus* status);
/// False for a mesh that is only measured.
bool tdGeometry_IsCooked(const tdGeometry* geometry);
