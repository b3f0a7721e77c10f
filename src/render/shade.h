// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colours of samples: surfaces under one light with shadows and a sky, the ground, the background.
#pragma once

#include "frame.h"
#include "raster.h"

#define TD_SHADOW_SIZE 2048 // samples along a side of the shadow map

/// The light's view: an orthographic projection of a sphere around the scene.
typedef struct tdShadowMap
{
    tdVec3 center, right, up, toLight; // unit vectors
    float radius;                      // m
    float* depths;                     // larger is nearer to the light
} tdShadowMap;

/// The camera's view.
typedef struct tdView
{
    tdVec3 eye, right, up, forward; // unit vectors
    float scaleX, scaleY;           // cotangents of half the field of view
    float range;                    // m, distance from the eye to the target
    float ground;                   // m
    bool hasGround;
} tdView;

typedef struct tdShading
{
    const tdModel* model;
    const tdFrame* frame;
    const tdView* view;
    const tdShadowMap* shadows;
    const tdScreenTriangles* triangles;
    tdBackground background;
} tdShading;

/// Vertex in the view of the camera or of the light.
tdViewVertex tdView_Project(const tdView* view, tdVec3 position);
tdViewVertex tdShadowMap_Project(const tdShadowMap* shadows, tdVec3 position);

/// Colour of a surface at a sample, before the background.
tdColor tdShadeSurface(const tdShading* shading, const tdScreenTriangle* triangle, int x, int y);
/// Alpha of the base colour at a sample.
float tdGetSurfaceAlpha(const tdShading* shading, const tdScreenTriangle* triangle, int x, int y);
/// Depth (1 / w) of the ground at a sample; 0 where there is none.
float tdGetGroundDepth(const tdShading* shading, int x, int y);
/// Colour of the background at a sample, or of the ground.
tdColor tdShadeBackground(const tdShading* shading, int x, int y);
