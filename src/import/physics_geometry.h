// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Cooked hulls and meshes of a file's colliders: collected first, each distinct one once, then cooked in
// parallel.
#pragma once

#include "import.h"

#include "base/array.h"

#include "tendon/geometry.h"

/// What to cook. Two colliders that ask for the same share the result, so the parts that do not matter for a
/// request are to be left at -1 or zero.
typedef struct tdGeometryRequest
{
    int node;         // all meshes of this node and of those below it, in its space; -1: one mesh
    int mesh;         // -1 when a node is given
    int skin;         // of a mesh: deforms it, as seen from `colliderNode`; -1: none
    int colliderNode; // where a skin or a node's weights matter; -1: they do not
    bool useNodeWeights;
    bool isHull;
    const float* weights; // own morph weights of a mesh; NULL: the mesh's, or the node's if asked for
    int weightCount;
    tdMat3 stretch; // applied to every point
} tdGeometryRequest;

typedef struct tdCookedGeometry
{
    tdGeometryRequest request;
    tdGeometry* geometry; // NULL: status says why, or the hull is left out
    tdGeometryStatus status;
    bool isHullLeftOut; // TD_LOAD_SCENE: there is one for certain, so that it was not built
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
/// Cooks all entries on the load's tasks, as far as its level asks for: meshes are only measured and hulls
/// only built where it is uncertain that there is one. The asset's allocator serves the results.
/// @param globals world matrices of the nodes at load
void tdGeometryCache_Cook(tdGeometryCache* cache, const tdImport* import, const tdMat4* globals);
/// Builds a hull that was left out.
void tdGeometryCache_CookHull(tdGeometryCache* cache, int entry, const tdImport* import,
                              const tdMat4* globals);
/// Releases the cache, not the geometries.
void tdGeometryCache_Free(tdGeometryCache* cache, const tdAllocator* allocator);
