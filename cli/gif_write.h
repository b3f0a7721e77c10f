// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes animated GIF files.
#pragma once

#include "output_file.h"

#include <stdint.h>

typedef struct GifWriter GifWriter;

/// Starts a GIF that repeats for ever.
/// @param rate frames per second
/// @return NULL when memory ran out or the sides exceed 65,535
GifWriter* StartGif(OutputFile* file, int width, int height, double rate);
/// Appends a frame of red, green, blue and alpha; alpha is ignored. False when writing failed.
bool AddGifFrame(GifWriter* gif, const uint8_t* pixels);
/// Ends the file and frees the writer. False when writing failed.
bool EndGif(GifWriter* gif);
