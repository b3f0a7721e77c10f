// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Animation pointers in a conversion.
#pragma once

#include "convert.h"

/// Rewrites animation pointers to the new objects; those without a counterpart are reported. After shapes
/// have their new indices.
void tdConverter_MovePointers(tdConverter* converter);
