// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nodes to joint frames before a step: a frame on an animated node follows it. See docs/decisions/049 and
// docs/spec/physics.md, section 6.1.
#pragma once

#include "stage.h"

/// Finds the nodes of the joint frames, before the joints are made. The actor has its bodies' array.
void tdFrameDrive_Prepare(tdActor* actor);
/// Moves the frames whose nodes moved since the last call, after tdColliderDrive_Apply. A frame on a node
/// without a motion gets a kinematic body of its own when it moves for the first time.
/// @param isStart the nodes jumped: moves give no velocity
/// @param hasWrapped a clip looped in the step
void tdFrameDrive_Apply(tdActor* actor, bool isStart, bool hasWrapped);
/// Follows a change of a joint's enableCollision.
void tdFrameDrive_SetEnableCollision(tdActor* actor, int joint, bool enable);
