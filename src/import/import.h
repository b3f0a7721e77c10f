// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import: from document to scene. Each file of this folder reads one kind of object or one extension. It
// reports errors and leaves out unusable objects: documents are untrusted, scenes keep their invariants.
#pragma once

#include "base/limits.h"
#include "gltf/accessor.h"
#include "scene/asset.h"

/// State of one import.
typedef struct tdImport
{
    tdAsset* asset;
    tdScene* scene;        // &asset->scene, being filled
    tdArena* arena;        // of the asset: lives as long as the scene
    tdArena scratch;       // freed at the end of the import
    tdReport* report;      // may be NULL
    tdReport* limitReport; // of findings about limits, also where `report` is set aside; may be NULL
    const tdJson* json;    // of the document
    const tdLoadDef* def;
    tdLoadLevel level; // never TD_LOAD_DOCUMENT
    tdAccessors accessors;
    const int* nodeValues;   // JSON value of each node
    const int* morphCounts;  // morph targets of each mesh
    tdAnimation* animations; // scene->animations, until they are linked
    int64_t keyCount;        // of all channels so far
    bool isOverLimit;        // a limit was exceeded (reported): the import fails
} tdImport;

/// The JSON values of the elements of a root array such as "nodes"; in scratch. `count` is 0 and the result
/// NULL if it is absent or not an array (reported).
const int* tdImport_GetElements(tdImport* import, const char* key, int* count);

/// Reports a quantity above its limit. The importer then returns false.
/// @return false if it is above
bool tdImport_Allow(tdImport* import, tdLimitId limit, double quantity, const tdPath* path);

/// A copy of a string member in the arena of the asset, "" if it is absent or not a string (reported). NULL
/// when memory ran out.
const char* tdImport_GetText(tdImport* import, const tdPath* path, int object, const char* key);

/// Imports the scene of asset->document with the options of asset->def. Called by tdAsset_ImportScene.
/// @return false if the document is not glTF 2, exceeds a limit or memory ran out (all reported)
bool tdImportDocument(tdAsset* asset, tdReport* report);
