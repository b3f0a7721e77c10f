// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Decompression of zlib streams (RFC 1950, RFC 1951).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decompresses a zlib stream into exactly `outSize` bytes. The checksum is not verified.
/// @return false if the stream is broken or does not give `outSize` bytes; `out` is then undefined
bool tdInflate(const uint8_t* in, size_t inSize, uint8_t* out, size_t outSize);
