// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The asset: a document and the scene made from it. Only import, gltf and output look behind `document`.
//
// A loaded asset has its scene from the start. The result of an edit (bake, convert, embed, a clip added) is
// a document alone: most of them are saved and forgotten. Its scene is imported when it is first asked for,
// once, by the thread that asks (decision 023).
#pragma once

#include "scene.h"

#include "base/arena.h"
#include "base/once.h"

#include "tendon/asset.h"

typedef struct tdDocument tdDocument;       // gltf/document.h
typedef struct tdMemoryLimit tdMemoryLimit; // base/memory_limit.h

/// Imports the scene of an asset's document. False when memory ran out.
typedef bool tdImportSceneFcn(tdAsset* asset, tdReport* report);

struct tdAsset
{
    tdAllocator outerAllocator; // the caller's: for the asset itself and the limit
    tdMemoryLimit* limit;       // tdLimits.memory
    tdAllocator allocator;      // through the limit: for all else
    tdArena arena;              // all of the scene, and the texts of `def`
    const char* name;           // for reports: the path as it was given
    tdLoadDef def; // the caller's options, for the import of this scene and of edits. The allocator is the
                   // asset's, texts are in its arena; name, folders and file reader are the document's alone
    tdDocument* document; // owned; NULL for a scene that never was glTF (BVH)
    uint8_t* text;        // of a BVH file, for recordings; owned, textSize + 1 bytes; NULL: none
    size_t textSize;
    tdImportSceneFcn* importScene; // NULL: the scene was made without a document and is there already
    tdOnce importOnce;             // guards the three below
    tdScene scene;                 // where it may not have been imported yet: through tdAsset_GetScene
    int importCount;               // 0 or 1; for tests
    bool isSceneUsable;            // false: the import failed and the scene is empty
};

/// Imports the scene unless that has been done. Any thread may call it.
/// @param report gets the findings of the import; may be NULL
/// @return false when memory ran out, now or at the first try
bool tdAsset_ImportScene(tdAsset* asset, tdReport* report);
/// The scene, imported first if need be; an empty one when memory ran out or there is no asset.
const tdScene* tdAsset_GetScene(const tdAsset* asset);
/// False when the scene is empty because memory ran out. Imports it if need be.
bool tdAsset_HasUsableScene(const tdAsset* asset);
