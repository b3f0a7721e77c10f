// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// KHR_animation_pointer: the property that a JSON pointer refers to.
#pragma once

#include "import.h"

typedef enum tdPointerStatus
{
    TD_POINTER_OK,
    TD_POINTER_INVALID,     // not a JSON pointer, or to an object that does not exist
    TD_POINTER_UNSUPPORTED, // a property that Tendon does not play
} tdPointerStatus;

/// Whether a pointer has the form of a material value that expressions of VRM change, and how many floats it
/// has.
bool tdIsMaterialPointer(const char* pointer, size_t length, int* width);
/// @param width floats per value; -1 when it depends on the object (morph weights)
tdPointerStatus tdResolveAnimationPointer(const tdImport* import, const char* pointer, size_t length,
                                          tdProperty* property, int* width);
