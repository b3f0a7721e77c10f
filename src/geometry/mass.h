// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mass, centre of mass and inertia of shapes of every kind, in closed form or from signed tetrahedra. The
// shape's matrix is included.
#pragma once

#include "shape.h"

typedef struct tdMassData
{
    float mass;     // kg; 0 for shapes without volume (planes, flat meshes)
    tdVec3 center;  // centre of mass in the frame of the body, m
    tdMat3 inertia; // kg m^2 about the centre of mass, axes of the body
} tdMassData;

/// @param density kg/m^3
tdMassData tdComputeMassData(const tdShapeGeometry* shape, float density);

/// Sum of several bodies of the same frame, about their common centre of mass.
tdMassData tdCombineMassData(const tdMassData* parts, int count);

/// Parallel axis theorem: inertia about a point at `offset` from the centre of mass.
tdMat3 tdShiftInertia(tdMat3 inertia, float mass, tdVec3 offset);

/// Sum of signed tetrahedra with their apex at the origin, in double. Hulls and meshes use it.
typedef struct tdVolumeSum
{
    double volume6;   // six times the volume
    double first[3];  // 24 times the first moment
    double second[6]; // 120 times the second moment: xx yy zz xy xz yz
} tdVolumeSum;

/// Adds the tetrahedron of the origin and a triangle, counter-clockwise seen from outside.
void tdVolumeSum_AddTriangle(tdVolumeSum* sum, tdVec3 a, tdVec3 b, tdVec3 c);

/// Mass properties at density 1: volume in m^3, centroid, inertia about the centroid.
typedef struct tdVolumeData
{
    float volume;
    tdVec3 centroid;
    tdMat3 inertia;
} tdVolumeData;

/// Mass properties of the volume after a linear map, which may mirror.
tdVolumeData tdTransformVolume(tdVolumeData data, tdMat3 map);

/// @param origin origin of the tetrahedra; added to the centroid
tdVolumeData tdVolumeSum_Finish(const tdVolumeSum* sum, tdVec3 origin);
