// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Recognises files of other kinds by their first bytes, to name them in a finding.
#pragma once

#include <stddef.h>

/// Name of the kind of a file that is no glTF, such as "a PNG image". No valid JSON text, GLB or BVH matches.
/// @return NULL if the kind is not known
const char* tdNameForeignFile(const void* bytes, size_t size);
