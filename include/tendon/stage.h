// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// stage.h: the place where assets come to life. NULL handles are accepted: commands do nothing,
// queries return zero values.
#pragma once

#include "clip.h"
#include "physics.h"

/// Owns the clock, the physics world and the actors. One thread at a time per stage.
typedef struct tdStage tdStage;

/// One living copy of an asset: its pose, its playing clips, its bodies in the world.
/// Owned by its stage.
typedef struct tdActor tdActor;

typedef struct tdStageDef
{
    tdWorldDef world;
    const tdTasks* tasks;
    double stepRate; // Hz, default 60; time is step index / step rate, never a sum
} tdStageDef;

TD_API tdStageDef tdDefaultStageDef(void);
TD_API tdStage* tdCreateStage(const tdStageDef* def);
TD_API void tdDestroyStage(tdStage* stage);

typedef struct tdActorDef
{
    int scene;             // default -1: the file's own choice
    tdTransform placement; // of the scene's root on the stage
    bool enableConstraints, enablePhysics;
} tdActorDef;

TD_API tdActorDef tdDefaultActorDef(void);
TD_API tdActor* tdCreateActor(tdStage* stage, const tdAsset* asset, const tdActorDef* def, tdReport* report);

typedef struct tdPlayDef
{
    float start, speed, weight;
    bool loop;
} tdPlayDef;

TD_API tdPlayDef tdDefaultPlayDef(void);

typedef struct tdPlayId
{
    uint32_t index1, generation;
} tdPlayId;

TD_API tdPlayId tdActor_Play(tdActor* actor, const tdClip* clip, const tdPlayDef* def);

/// One step: clips, constraints, physics, constraints that follow physics.
/// @return false if memory ran out; the stage keeps its last state
TD_API bool tdStage_Step(tdStage* stage);
TD_API double tdStage_GetTime(const tdStage* stage);

/// Pose all actors at any time between the last two steps: clips and constraints exactly there,
/// simulated bodies between their last two poses (lerp, slerp), clip-driven bodies from the clip.
/// Changes no simulation state. At step 0 it gives the file's state after clips and constraints.
TD_API void tdStage_Evaluate(tdStage* stage, double time);

/// All nodes of an actor, by node index. The arrays belong to the actor, stay where they
/// are for its whole life and are rewritten by tdStage_Step.
TD_API const tdTrs* tdActor_GetLocals(const tdActor* actor);
TD_API const tdMat4* tdActor_GetGlobals(const tdActor* actor);

typedef struct tdContactEvent
{
    tdActor *actorA, *actorB;
    int nodeA, nodeB;
    tdVec3 point, normal; // in the world, normal from A to B
    float impulse;        // N s
    bool began;           // false: ended
} tdContactEvent;

typedef struct tdTriggerEvent
{
    tdActor *trigger, *visitor;
    int triggerNode, visitorNode;
    int visitorBodyNode; // -1: none, the visitor is static
    bool entered;        // false: left
} tdTriggerEvent;

/// What happened during the last step. Valid until the next one.
typedef struct tdStageEvents
{
    const tdContactEvent* contacts;
    int contactCount;
    const tdTriggerEvent* triggers;
    int triggerCount;
} tdStageEvents;

TD_API tdStageEvents tdStage_GetEvents(const tdStage* stage);

/// The engine underneath, for forces, ray casts and bodies of the application's own.
TD_API tdWorld* tdStage_GetWorld(tdStage* stage);
TD_API tdBodyId tdActor_GetBody(const tdActor* actor, int node);
