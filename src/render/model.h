// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The model of a renderer: which primitives of which nodes are drawn, with which attributes and surfaces.
#pragma once

#include "surface.h"

#include "scene/asset.h"

/// A primitive of a node.
typedef struct tdPart
{
    int node;
    int skin; // -1: none
    const tdPrimitive* primitive;
    const tdVec3* normals; // NULL: those of the faces
    const float* uvs;      // two per vertex; NULL: none
    const float* colors;   // `colorSize` per vertex, linear; NULL: none
    int colorSize;         // 3 or 4
    int surface;           // of tdModel.surfaces
    int firstVertex;       // in the arrays of a frame
    int firstTriangle;
} tdPart;

typedef struct tdModelCamera
{
    int node;
    float fieldOfView; // vertical, rad
} tdModelCamera;

typedef struct tdModel
{
    const tdScene* scene;
    tdPart* parts;
    int partCount;
    int vertexCount, triangleCount;
    tdSurfaces surfaces;
    tdModelCamera* cameras;
    int cameraCount;
} tdModel;

/// Reads the model of an asset.
/// @param arena keeps everything
/// @return false when memory ran out
bool tdReadModel(tdModel* model, const tdAsset* asset, tdArena* arena, tdReport* report);
