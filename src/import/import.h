// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Document to scene. Each file of this folder reads one noun or one extension, reports what is wrong with it
// and leaves out what cannot be used: what comes out is sound, what goes in is suspect.
#pragma once

#include "gltf/accessor.h"
#include "scene/asset.h"

/// Everything an importer needs; lives for the time of one load.
typedef struct tdImport
{
    tdAsset* asset;
    tdScene* scene;     // &asset->scene, being filled
    tdArena* arena;     // the asset's: for what stays
    tdArena scratch;    // for what goes with the load
    tdReport* report;   // may be NULL
    const tdJson* json; // of the document
    const tdLoadDef* def;
    tdLoadLevel level; // never TD_LOAD_DOCUMENT
    tdAccessors accessors;
    const int* nodeValues;  // JSON value of each node
    const int* morphCounts; // morph targets of each mesh
} tdImport;

/// The JSON values of a root array's elements, such as "nodes"; in scratch. `count` is 0 and the result NULL
/// when there is none, or when it is no array (reported).
const int* tdImport_GetElements(tdImport* import, const char* key, int* count);

/// A copy of a string member in the asset's arena, "" when it is none (wrong types are reported). NULL when
/// memory ran out.
const char* tdImport_GetText(tdImport* import, const tdPath* path, int object, const char* key);

/// Makes the scene of asset->document, with the options of asset->def. Call it through tdAsset_ImportScene.
/// @return false when nothing usable is in it, or memory ran out (both reported)
bool tdImportDocument(tdAsset* asset, tdReport* report);
