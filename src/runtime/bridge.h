// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The one place where nodes and bodies meet. Bodies, shapes and joints of an actor's scene are made here;
// poses go from nodes to animated bodies before a step, and from simulated bodies to nodes after it.
#pragma once

#include "stage.h"

tdWorldDef tdBridge_DefaultWorldDef(void);
/// @return false when memory ran out
bool tdBridge_CreateWorld(tdStage* stage, const tdStageDef* def);
void tdBridge_DestroyWorld(tdStage* stage);

bool tdBridge_CreateActor(tdActor* actor);
void tdBridge_DestroyActor(tdActor* actor);

/// Which nodes physics moves, after plays or switches changed: marks their writers.
void tdBridge_Bind(tdActor* actor);
/// True if physics may move the node: it, or a node above it, is a simulated body.
bool tdBridge_IsMoved(const tdActor* actor, int node);
/// True if a node below this one is a simulated body.
bool tdBridge_HasBodyBelow(const tdActor* actor, int node);

/// True when it has to be decided anew which bodies follow their nodes: something was bound anew, or a clip
/// that drove a body came to its end.
bool tdBridge_NeedsBinding(const tdActor* actor, double time);
/// Bodies that begin to follow their nodes take their place, after the nodes were posed at the time before
/// the step.
void tdBridge_StartDriven(tdActor* actor);

/// Globals to targets of kinematic and animated bodies, moved colliders; animated physics properties.
void tdBridge_Drive(tdStage* stage);
bool tdBridge_Step(tdStage* stage);
/// Poses of simulated bodies at a time between the last two steps become the nodes' drive.
void tdBridge_Follow(tdActor* actor, double time);
void tdBridge_CollectEvents(tdStage* stage);
/// What the file says of an animated property, to be mixed with clips of less than full weight. False when
/// the file says nothing, or an open end.
bool tdBridge_GetRestValue(const tdActor* actor, tdProperty property, float values[4]);
/// An animated property of physics (material, joint, motion, shape); takes effect in the step it was sampled
/// for.
void tdBridge_SetProperty(tdActor* actor, tdProperty property, const float* values);
