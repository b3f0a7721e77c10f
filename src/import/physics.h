// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Physics extensions of a document into scene->physics.
#pragma once

#include "import.h"

#include "scene/physics_scene.h"

/// After nodes, meshes, skins and scenes; before animations, whose pointers may name what this makes.
/// @return false when memory ran out
bool tdImportPhysics(tdImport* import);
/// After animations: notes about animated bodies and colliders.
void tdCheckPhysicsAnimations(tdImport* import);
/// Cooked geometry; all else goes with the asset's arena. `physics` may be NULL.
void tdFreePhysicsScene(const tdPhysicsScene* physics);
/// True for the names whose declaration this module checks itself.
bool tdIsPhysicsExtension(const char* name);
