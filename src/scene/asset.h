// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The asset: a document and the scene made from it. Only import, gltf and output look behind `document`.
#pragma once

#include "scene.h"

#include "base/arena.h"

#include "tendon/asset.h"

typedef struct tdDocument tdDocument;       // gltf/document.h
typedef struct tdMemoryLimit tdMemoryLimit; // import/memory_limit.h

struct tdAsset
{
    tdAllocator outerAllocator; // the caller's: for the asset itself and the limit
    tdMemoryLimit* limit;       // tdLoadDef.maxBytes
    tdAllocator allocator;      // through the limit: for all else
    tdArena arena;              // all of `scene`
    const char* name;           // for reports: the path as it was given
    tdScene scene;
    tdDocument* document; // owned; NULL for a scene that never was glTF (BVH)
    tdProgress* progress; // the document's, for who makes something of the scene; NULL: nobody looks
};
