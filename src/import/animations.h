// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of animations.
#pragma once

#include "import.h"

/// Fills scene->animations. After physics, whose objects pointers may name. False when memory ran out.
bool tdImportAnimations(tdImport* import);
/// Finds the material values that channels animate, after the humanoid is read. Channels without one are
/// reported and left out.
/// @return false when memory ran out
bool tdLinkMaterialChannels(tdImport* import);
