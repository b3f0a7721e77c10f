// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nodes to bodies: decides which bodies follow their nodes (driven) and which move their nodes (simulated),
// and hands the poses of nodes to driven bodies and moved colliders before a step. See docs/decisions/033 and
// docs/spec/physics.md, section 11.
#pragma once

#include "stage.h"

/// Decides for each body whether it is driven, after plays or switches changed, and makes simulated bodies
/// the writers of their nodes. Part of tdActor_Bind.
void tdBodyDrive_Bind(tdActor* actor);
/// Finds the tracks that move the bodies' own nodes. The actor has physics. Part of tdActor_Bind.
void tdBodyDrive_FindTracks(tdActor* actor);
/// True if physics may move the node: the node, or one above it, is a simulated body.
bool tdBodyDrive_IsMoved(const tdActor* actor, int node);
/// True if a node below this one is a simulated body.
bool tdBodyDrive_HasBodyBelow(const tdActor* actor, int node);

/// True when tdActor_Bind has to run before the step: something else changed, or a clip that drives a body
/// starts or ends. The actor has physics.
bool tdBodyDrive_NeedsBinding(const tdActor* actor, double time);
/// Places the bodies that start to be driven, and the colliders and joint frames whose nodes jumped since the
/// last step, at their nodes, which are posed at the time before the step. The move gives them no velocity.
void tdBodyDrive_StartDriven(tdActor* actor);
/// Before a step: applies the animated physics properties of all actors, sets the targets of driven bodies,
/// and moves colliders and joint frames whose nodes moved.
void tdBodyDrive_Apply(tdStage* stage);
