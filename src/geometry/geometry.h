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
    tdVec3* points; // that tdCreateHullGeometry was given, for recordings; NULL: not kept
    int pointCount;
};

/// Cooks a hull like tdCreateHullGeometry, but does not keep the points: those of files are kept by the
/// files.
tdGeometry* tdCookHullGeometry(const tdVec3* points, int count, const tdAllocator* allocator,
                               tdGeometryStatus* status);

/// A mesh that is only measured (tdMeasureTriangles): it can be described, but no shape can be made of it.
tdGeometry* tdMeasureMeshGeometry(const tdMeshGeometryDef* def, bool withVolume, tdGeometryStatus* status);
/// False for a mesh that is only measured.
bool tdGeometry_IsCooked(const tdGeometry* geometry);
