// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Faces of meshes and finite sheets with the contact normals that their edges allow, and clusters that merge
// the contacts of many faces into few manifolds. Decision: docs/decisions/051-meshes.md.
#pragma once

#include "geometry/triangles.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"

#define TD_FACE_MAX_CLUSTERS 24  // distinct normals; more faces join the cluster of the nearest normal
#define TD_CLUSTER_MAX_POINTS 48 // a full cluster is thinned out to its outermost points

/// A triangle of a mesh or the rectangle of a sheet, in the frame of its shape.
typedef struct tdFace
{
    tdVec3 points[4];
    int count;
    tdVec3 normal;
    float offset;
    uint32_t index;          // of the triangle
    const tdTriangles* mesh; // NULL: a sheet
    bool isFlipped;          // turned to its back
    bool isInner[4];         // sheets: the edge comes from cutting the sheet to the box, it is no border
    // Set by tdFace_FindEdges:
    bool hasEdges;
    bool isActive[4]; // the edge allows contact normals other than the face normal
    float
        cosines[4]; // of active edges: least cosine between a contact normal of the edge and the face normal
    bool isSharp;   // an active edge is sharp (TD_SHARP_COSINE)
} tdFace;

typedef struct tdFaceSource
{
    const tdShapeGeometry* shape;
    tdTriangleQuery query;
    bool isDone;        // sheets
    bool isDoubleSided; // sheets; the sides of meshes are those of geometry/mesh_side.h
} tdFaceSource;

/// Starts an iteration over the faces near `box`, which is in the frame of the shape.
void tdFaceSource_Init(tdFaceSource* source, const tdShapeGeometry* shape, tdAabb box);
/// Gets the next face. False: none is left.
bool tdFaceSource_Next(tdFaceSource* source, tdFace* face);

/// Turns a face to its back: from there concave edges are convex and convex edges concave; borders stay.
void tdFace_Flip(tdFace* face);
/// Flips a face of a double-sided shape if `point` is behind it.
void tdFace_FlipTowards(tdFace* face, tdVec3 point);
/// Index of a corner among the vertices of the mesh.
uint32_t tdFace_GetVertex(const tdFace* face, int corner);
/// Normal of the face across a convex edge, seen from the same side. False: there is none.
bool tdFace_GetNeighborNormal(const tdFace* face, int edge, tdVec3* normal);
/// Computes the edge members of a face, once.
void tdFace_FindEdges(tdFace* face);
/// True if an active edge is sharp. Computes the edge members unless the cooked mesh excludes it.
bool tdFace_IsSharp(tdFace* face);
/// True if a contact may have this unit normal, which points out of the face. The part of the face that is
/// farthest along the normal decides: the face itself, an edge or a corner.
bool tdFace_AllowsNormal(const tdFace* face, tdVec3 normal);

typedef struct tdCluster
{
    tdVec3 seed, normal; // of the first and of the deepest contact
    float deepest;       // separation of the deepest contact
    int count;
    tdClipPoint points[TD_CLUSTER_MAX_POINTS];
} tdCluster;

typedef struct tdClusters
{
    int count;
    float weld;  // points closer than this are merged, m
    float limit; // deeper overlaps belong to the far side of a mesh and are no contacts, m
    tdCluster list[TD_FACE_MAX_CLUSTERS];
} tdClusters;

/// Half of the smallest extent of a mesh, half of the largest if the mesh is flat; INFINITY for sheets.
float tdGetThickness(const tdShapeGeometry* shape);

/// Adds contacts with one normal to the cluster of the nearest normal, or to a new one. May reorder `points`.
void tdClusters_Add(tdClusters* clusters, tdVec3 normal, tdClipPoint* points, int count);
/// Keeps the two ends of each cluster whose points lie on a line and are equally deep, as those of a cylinder
/// that lies across several faces. A manifold of two points can roll (docs/decisions/056).
void tdClusters_JoinLines(tdClusters* clusters);
/// Makes the manifolds, deepest cluster first.
/// @return number of manifolds, at most `capacity`
int tdClusters_Finish(tdClusters* clusters, tdManifold* manifolds, int capacity);
