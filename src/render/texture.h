// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Textures: an image with its smaller levels, sampled bilinearly. Texels are linear colours.
#pragma once

#include "png_decode.h"

#include "base/arena.h"

#define TD_TEXTURE_LEVELS 15

typedef struct tdTexture
{
    tdPixels levels[TD_TEXTURE_LEVELS]; // each half as large as the one before; rgba in the arena
    int levelCount;                     // 0: not available
    bool isClamped[2];                  // along u and v; else repeated
} tdTexture;

/// A linear colour with alpha.
typedef struct tdColor
{
    float r, g, b, a;
} tdColor;

/// Linear value of an sRGB byte.
float tdDecodeSrgb(uint8_t value);
/// sRGB byte of a linear value, clamped.
uint8_t tdEncodeSrgb(float value);
/// Fills the tables of the two functions above. Call it before them; any number of threads may.
void tdPrepareSrgb(void);

/// Makes the smaller levels. The first level must be set.
/// @return false when memory ran out
bool tdTexture_MakeLevels(tdTexture* texture, tdArena* arena);
/// The colour at texture coordinates, from one level.
tdColor tdTexture_Sample(const tdTexture* texture, int level, float u, float v);
