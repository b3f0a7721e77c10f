// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of animations.
#pragma once

#include "import.h"

/// Fills scene->animations. After physics, whose objects pointers may name. False when memory ran out.
bool tdImportAnimations(tdImport* import);
