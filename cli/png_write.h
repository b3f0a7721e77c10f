// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes PNG files.
#pragma once

#include "output_file.h"

#include <stdint.h>

/// Writes an image of red, green, blue and alpha; without alpha if all pixels are opaque.
/// @return false when writing failed or memory ran out
bool WritePng(OutputFile* file, const uint8_t* pixels, int width, int height);
