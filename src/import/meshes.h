// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of meshes.
#pragma once

#include "import.h"

/// Fills scene->meshes. False when memory ran out.
bool tdImportMeshes(tdImport* import);
/// Number of morph targets of a mesh of the file, 0 if there is no such mesh.
int tdImport_CountMorphTargets(const tdImport* import, int mesh);
