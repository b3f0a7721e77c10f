// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs of actors: when they step, what they show between steps, and which nodes they write. They run last
// in a step, after constraints and physics. See docs/decisions/034 and
// docs/decisions/035.
#pragma once

#include "actor.h"

#include "physics/data/state_stream.h"
#include "spring/spring_step.h"

struct tdActorSprings
{
    tdSpringState state;
    bool needsReset;       // joints are shown at rest; the next step starts there
    bool feedsConstraints; // a constraint reads a node that springs move, as of the step before
    bool hitsStage;
    tdSpringParameters* setParameters; // by slot; NULL until the application sets one
};

/// Creates the springs of an actor, if its file has any. False when memory ran out.
bool tdActorSprings_Create(tdActor* actor, const tdActorDef* def);
/// Claims the rotations of joints, below bodies and above constraints. Part of tdActor_Bind.
void tdActorSprings_Claim(tdActor* actor);
/// Finds the joints that springs write after bodies have claimed theirs. Part of tdActor_Bind.
void tdActorSprings_Bind(tdActor* actor);

/// Turns joints before constraints run.
/// @param isStep the pose starts a step; else it is shown at `time`
void tdActorSprings_Prepare(tdActor* actor, double time, bool isStep);
/// True if nothing reads the joints and the nodes below them before the springs of a step run. Then neither
/// their locals nor their globals have to be updated before.
bool tdActorSprings_AreReadLast(const tdActor* actor);
/// Leaves the nodes that springs move out of the next sweep. tdActorSprings_Step or tdActorSprings_MarkDirty
/// follows it.
void tdActorSprings_SkipSweep(tdActor* actor);
/// Marks the globals of all nodes that springs move as out of date.
void tdActorSprings_MarkDirty(tdActor* actor);
/// Starts at rest in the current pose, if a reset is due. The pose is that of the start of the step.
void tdActorSprings_Start(tdActor* actor);
/// Actors whose springs may step together. Avatars of up to eight assets in any order fill lanes.
#define TD_SPRING_BATCH 64
/// Runs the springs of actors in their current poses; those of one asset share lanes.
/// @param count 1 to TD_SPRING_BATCH
void tdActorSprings_Step(tdActor* const* actors, int count, float seconds);
/// Turns joints to where they are at `time`, if constraints needed them elsewhere.
void tdActorSprings_Show(tdActor* actor, double time);

/// Counts, writes or reads the state of the springs of an actor.
void tdActorSprings_Stream(tdActor* actor, tdStateStream* stream);
/// True if the actor has springs that run.
bool tdActorSprings_AreActive(const tdActor* actor);
