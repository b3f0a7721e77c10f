// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Picture files: PNG, GIF, and videos by ffmpeg. All frames have the same size; pixels are red, green, blue
// and alpha, rows from top to bottom.
#pragma once

#include "output_file.h"

#include <stdint.h>

typedef enum PictureKind
{
    PICTURE_PNG, // one frame
    PICTURE_GIF,
    PICTURE_WEBM,
    PICTURE_MP4,
} PictureKind;

typedef struct Picture Picture;

/// Starts a picture file in an open output. Videos are encoded by ffmpeg into a temporary file beside it.
/// @param rate frames per second; a GIF rounds the delay to 1/100 s
/// @return NULL when memory ran out or ffmpeg cannot be started; `why` then has a sentence
Picture* StartPicture(PictureKind kind, OutputFile* file, int width, int height, double rate,
                      const char** why);
/// Appends a frame. False when writing failed.
bool AddFrame(Picture* picture, const uint8_t* pixels);
/// Ends the file and frees the picture.
/// @return false when writing failed; `why` then has a sentence, or NULL if the output has the reason
bool EndPicture(Picture* picture, const char** why);
