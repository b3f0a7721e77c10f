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

/// What tdConvertAsset notes in the extras of early OMI, so that the way back leads to the bits it came from:
/// the node that is the frame of a joint's side B, and that a static body was added only because the ends of
/// joints have to be bodies. Whoever does not know them reads a file that says nearly the same.
#define TD_EXTRA_CONNECTED_NODE "tendonConnectedNode"
#define TD_EXTRA_JOINT_END "tendonJointEnd"
