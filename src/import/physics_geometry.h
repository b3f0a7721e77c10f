// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Cooked hulls and meshes of colliders: distinct requests are collected first, then cooked in parallel.
#pragma once

#include "import.h"

#include "base/array.h"

#include "tendon/geometry.h"

/// A request for geometry. Colliders with equal requests share the result, so irrelevant fields must be -1 or
/// zero.
typedef struct tdGeometryRequest
{
    int node;         // all meshes of this node and its descendants, in its space; -1: one mesh
    int mesh;         // -1 when a node is given
    int skin;         // that deforms the mesh, relative to `colliderNode`; -1: none
    int colliderNode; // used with a skin or node weights; -1: neither
    bool useNodeWeights;
    bool isHull;
    const float* weights; // morph weights of the shape; NULL: those of the mesh, or of the node if requested
    int weightCount;
    tdMat3 stretch; // applied to every point
} tdGeometryRequest;

typedef struct tdCookedGeometry
{
    tdGeometryRequest request;
    tdGeometry* geometry; // NULL: see status, or the hull is left out
    tdGeometryStatus status;
    bool needsVolume;   // a collider of a body that can move has it
    bool isHullLeftOut; // TD_LOAD_SCENE: it exists for certain and was not built
    tdAabb box;         // of the points of a hull that is left out
} tdCookedGeometry;

typedef struct tdGeometryCache
{
    tdArray(tdCookedGeometry) entries;
    int* slots; // open addressing: entry + 1
    int slotCount;
} tdGeometryCache;

/// @return the entry, or -1 when memory ran out
int tdGeometryCache_Add(tdGeometryCache* cache, const tdAllocator* allocator,
                        const tdGeometryRequest* request);
/// Cooks all entries on the tasks of the load, with the allocator of the asset. Below TD_LOAD_SIMULATION
/// meshes are only measured, with their volume where a mass may depend on it; at TD_LOAD_SCENE hulls are only
/// built if their existence is uncertain.
/// @param globals world matrices of the nodes at load
/// @return false if there are too many triangles or points (reported)
bool tdGeometryCache_Cook(tdGeometryCache* cache, tdImport* import, const tdMat4* globals);
/// Builds a hull that was left out.
void tdGeometryCache_CookHull(tdGeometryCache* cache, int entry, const tdImport* import,
                              const tdMat4* globals);
/// Releases the cache, not the geometries.
void tdGeometryCache_Free(tdGeometryCache* cache, const tdAllocator* allocator);
