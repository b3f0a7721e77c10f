// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Surfaces: the materials of a file as far as the renderer shows them.
#pragma once

#include "texture.h"

#include "gltf/accessor.h"
#include "math/vecmath.h"

typedef enum tdAlphaMode
{
    TD_ALPHA_OPAQUE,
    TD_ALPHA_MASK,
    TD_ALPHA_BLEND,
} tdAlphaMode;

typedef struct tdSurface
{
    tdColor baseColor;
    tdVec3 emission;
    float metallic, roughness;
    tdAlphaMode alphaMode;
    float alphaCutoff;
    bool isDoubleSided;
    bool isUnlit;
    bool isToon;       // MToon: two tones
    tdVec3 shadeColor; // of a toon surface
    int texture;       // of the base colour; -1: none
    int texCoord;
    float uvOffset[2], uvScale[2], uvSin, uvCos; // KHR_texture_transform
} tdSurface;

typedef struct tdSurfaces
{
    tdSurface* surfaces; // by material of the file; the last one is the default
    int count;           // without the default
    tdTexture* textures; // by texture of the file
    int textureCount;
} tdSurfaces;

/// Reads the materials and decodes the images that they use. Images that cannot be decoded are reported.
/// @param limits resolved
/// @param arena keeps everything
/// @return false when memory ran out
bool tdReadSurfaces(tdSurfaces* surfaces, tdAccessors* accessors, const tdLimits* limits, tdArena* arena,
                    tdReport* report);
