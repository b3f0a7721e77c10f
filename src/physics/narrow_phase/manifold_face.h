// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The faces of meshes and finite sheets, one at a time, each knowing which normals its edges allow; and the
// clusters that collect contacts of many faces into few manifolds.
#pragma once

#include "geometry/triangles.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

#define TD_FACE_MAX_CLUSTERS 24
#define TD_CLUSTER_MAX_POINTS 48

/// A triangle of a mesh or the rectangle of a sheet, in the frame of its shape.
typedef struct tdFace
{
    tdVec3 points[4];
    int count;
    tdVec3 normal;
    float offset;
    uint32_t index;          // triangle
    const tdTriangles* mesh; // NULL: a sheet
    bool isInner[4];         // sheets: the edge is a cut, not a border
    // Filled by tdFace_FindEdges:
    bool hasEdges;
    bool isActive[4]; // edge may give contacts of its own
    float cosines[4]; // of active edges: normals down to this cosine to the face's normal belong to it
    bool isSharp;     // some active edge bends by more than about 11 degrees
} tdFace;

typedef struct tdFaceSource
{
    const tdShapeGeometry* shape;
    tdTriangleQuery query;
    bool isDone; // sheets
    bool isDoubleSided;
} tdFaceSource;

/// @param box what is asked for, in the frame of the shape
void tdFaceSource_Init(tdFaceSource* source, const tdShapeGeometry* shape, tdAabb box);
bool tdFaceSource_Next(tdFaceSource* source, tdFace* face);

/// Turn a face of something double-sided round so that `point` is in front.
void tdFace_TurnTowards(tdFace* face, tdVec3 point);
void tdFace_FindEdges(tdFace* face);
/// Does it have an active edge of more than about 11 degrees? Finds the edges only then.
bool tdFace_IsSharp(tdFace* face);
/// May a contact have this normal (unit, out of the face)? Decided by the part of the face that reaches
/// farthest along it: the face itself, an edge, or a corner.
bool tdFace_AllowsNormal(const tdFace* face, tdVec3 normal);

typedef struct tdCluster
{
    tdVec3 seed, normal; // of the first, and of the deepest contact
    float deepest;
    int count;
    tdClipPoint points[TD_CLUSTER_MAX_POINTS];
} tdCluster;

typedef struct tdClusters
{
    int count;
    float weld;  // points nearer than this are one
    float limit; // overlaps beyond this are not contacts but far sides
    tdCluster list[TD_FACE_MAX_CLUSTERS];
} tdClusters;

/// Half of the least extent of a mesh that is one; INFINITY for flat meshes and sheets.
float tdGetThickness(const tdShapeGeometry* shape);

void tdClusters_Add(tdClusters* clusters, tdVec3 normal, tdClipPoint* points, int count);
/// Deepest first. @return number of manifolds
int tdClusters_Finish(tdClusters* clusters, tdManifold* manifolds, int capacity);
