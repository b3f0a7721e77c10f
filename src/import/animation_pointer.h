// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// KHR_animation_pointer: from a JSON pointer to the property id that a channel drives.
#pragma once

#include "import.h"

typedef enum tdPointerStatus
{
    TD_POINTER_OK,
    TD_POINTER_INVALID,     // no JSON pointer, or an object that does not exist
    TD_POINTER_UNSUPPORTED, // a property that Tendon does not play
} tdPointerStatus;

/// @param width floats per value; -1 when it depends on the object (morph weights)
tdPointerStatus tdResolveAnimationPointer(const tdImport* import, const char* pointer, size_t length,
                                          tdProperty* property, int* width);
