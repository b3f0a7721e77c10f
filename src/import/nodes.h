// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of nodes and scenes.
#pragma once

#include "import.h"

/// Fills scene->nodes. After meshes and skins. False when memory ran out.
bool tdImportNodes(tdImport* import);
/// Fills scene->roots and scene->activeScene. After nodes. False when memory ran out.
bool tdImportScenes(tdImport* import);
