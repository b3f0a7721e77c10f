// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of the physics extensions.
#pragma once

#include "import.h"

#include "scene/physics_scene.h"

/// Fills scene->physics. After nodes, meshes, skins and scenes; before animations, whose pointers may refer
/// to it.
/// @return false when memory ran out
bool tdImportPhysics(tdImport* import);
/// Reports animated bodies and colliders. After animations.
void tdCheckPhysicsAnimations(tdImport* import);
/// Frees cooked geometry; the arena of the asset owns everything else. `physics` may be NULL.
void tdFreePhysicsScene(const tdPhysicsScene* physics);

/// Extras that tdConvertAsset writes in early OMI, so that the conversion back restores the same bits: the
/// node that is the frame of side B of a joint, and the mark of a static body that exists only because the
/// ends of joints have to be bodies. Readers that ignore them get nearly the same file.
#define TD_EXTRA_CONNECTED_NODE "tendonConnectedNode"
#define TD_EXTRA_JOINT_END "tendonJointEnd"
