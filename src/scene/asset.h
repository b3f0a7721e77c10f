// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The asset: a document and the scene made from it. Only import, gltf and output look behind `document`.
#pragma once

#include "scene.h"

#include "base/arena.h"

#include "tendon/asset.h"

typedef struct tdDocument tdDocument; // gltf/document.h

struct tdAsset
{
    tdAllocator allocator;
    tdArena arena;    // all of `scene`
    const char* name; // for reports: the path as it was given
    tdScene scene;
    tdDocument* document; // owned; NULL for a scene that never was glTF (BVH)
};
