// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mass, centre and inertia of every kind of shape, exact (closed forms, signed tetrahedra), matrix included.
#pragma once

#include "shape.h"

typedef struct tdMassData
{
    float mass;     // kg; 0 for what has no volume (planes, flat meshes)
    tdVec3 center;  // in the body
    tdMat3 inertia; // kg m^2 about the centre, axes of the body
} tdMassData;

tdMassData tdComputeMassData(const tdShapeGeometry* shape, float density);

/// Sum of several, about the common centre.
tdMassData tdCombineMassData(const tdMassData* parts, int count);

/// The tensor of `mass` with inertia `inertia` about its centre, moved so that it is about a point `offset`
/// away.
tdMat3 tdShiftInertia(tdMat3 inertia, float mass, tdVec3 offset);

// Accumulates signed tetrahedra (apex at the origin) in double. Used by hulls and meshes.
typedef struct tdVolumeSum
{
    double volume6;   // six times the volume
    double first[3];  // 24 times the first moment
    double second[6]; // 120 times the second moment: xx yy zz xy xz yz
} tdVolumeSum;

void tdVolumeSum_AddTriangle(tdVolumeSum* sum, tdVec3 a, tdVec3 b, tdVec3 c);

/// Volume properties at density 1. `inertia` is about the centroid.
typedef struct tdVolumeData
{
    float volume;
    tdVec3 centroid;
    tdMat3 inertia;
} tdVolumeData;

/// @param origin what the triangles were measured from; added to the centroid
tdVolumeData tdVolumeSum_Finish(const tdVolumeSum* sum, tdVec3 origin);
