// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Decoding of PNG images.
#pragma once

#include "base/memory.h"

/// Pixels of an image: red, green, blue, alpha, rows from top to bottom.
typedef struct tdPixels
{
    int width, height;
    uint8_t* rgba; // width * height * 4 bytes
} tdPixels;

/// Reads width and height of a PNG without decoding it.
/// @return false if it is no PNG that tdDecodePng can read
bool tdReadPngSize(const uint8_t* bytes, size_t size, int* width, int* height);

/// Decodes a PNG of any colour type and depth, interlaced or not; 16-bit channels lose their low byte.
/// @param pixels receives the image; release rgba with tdRelease(allocator, rgba, width * height * 4)
/// @return false if it is no PNG, is broken, exceeds 16,384 pixels along a side, or memory ran out
bool tdDecodePng(const uint8_t* bytes, size_t size, const tdAllocator* allocator, tdPixels* pixels);
