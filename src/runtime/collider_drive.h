// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nodes to colliders before a step: pose and size of the colliders whose nodes moved, and the mass of their
// bodies. See docs/decisions/049.
#pragma once

#include "stage.h"

/// Moves and resizes the colliders whose nodes moved since the last call. A static collider becomes
/// kinematic, so that it pushes other bodies.
/// @param isStart the nodes jumped: moves give no velocity
/// @param hasWrapped a clip looped in the step
void tdColliderDrive_Apply(tdActor* actor, bool isStart, bool hasWrapped);
/// Gives a collider a mesh of its own, which can be scaled. Keeps the one it has.
/// @return false when memory ran out or the collider is no mesh
bool tdColliderDrive_CopyMesh(tdActor* actor, int collider);
/// Scales the mesh of a collider, if it has one of its own, to the stretch of the collider.
void tdColliderDrive_RestoreMesh(tdActor* actor, int collider);
/// Pose of a node in its body, for colliders and joint frames below it: the matrix, with the scale of the
/// body's node, from the space of the node to the frame of the body.
tdMat4 tdColliderDrive_GetMatrixInBody(const tdActor* actor, int node, int body);
