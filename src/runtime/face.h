// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Expressions and gaze of an actor.
#pragma once

#include "actor.h"

/// Sets the morph weights that expressions drive to 0 and material values to their base. Called by
/// tdActor_Sample before clips.
void tdActor_ResetFace(tdActor* actor);
/// Turns expression and gaze inputs into eye rotations, morph weights and material values. Called once per
/// sample: by tdActor_Sample after clips, or, if the gaze follows a target, when the globals are current.
void tdActor_ApplyFace(tdActor* actor);
/// Whether the gaze follows a point or node, so that it depends on the globals of head and target.
bool tdActor_FollowsGazeTarget(const tdActor* actor);
/// Reserves face entries and their name table.
/// @return false when memory ran out
bool tdActor_ReserveFace(tdActor* actor, int count);
/// Removes the face entries that clips added.
void tdActor_ForgetClipFace(tdActor* actor);
/// Weight of a face entry from application and clips, 0 to 1.
float tdFaceEntry_GetWeight(const tdFaceEntry* entry);
