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
    tdWorldDef world;     // its allocator serves the stage and its actors too
    const tdTasks* tasks; // default: the caller's thread; also handed to the world if that has none
    double stepRate;      // Hz, default 60; time is step index / step rate, never a sum
} tdStageDef;

TD_API tdStageDef tdDefaultStageDef(void);
/// @param def may be NULL for the defaults
/// @return NULL when memory ran out
TD_API tdStage* tdCreateStage(const tdStageDef* def);
/// Also destroys its actors.
TD_API void tdDestroyStage(tdStage* stage);

typedef struct tdActorDef
{
    int scene; // whose bodies the actor has; default -1: the file's own choice. Reports are about that one;
               // tdDescribeScene… (describe.h) describe the others, of which eight may have physics
    tdTransform placement;  // of the scene's root on the stage, default identity
    bool enableConstraints; // default true
    bool enablePhysics;     // default true
} tdActorDef;

TD_API tdActorDef tdDefaultActorDef(void);
/// An actor in the file's rest pose, constraints not yet run: the first tdStage_Step or tdStage_Evaluate
/// does.
/// @param asset must outlive the actor
/// @param def may be NULL for the defaults
/// @return NULL when memory ran out; belongs to the stage
TD_API tdActor* tdCreateActor(tdStage* stage, const tdAsset* asset, const tdActorDef* def, tdReport* report);
TD_API void tdDestroyActor(tdActor* actor);
TD_API const tdAsset* tdActor_GetAsset(const tdActor* actor);
TD_API tdStage* tdActor_GetStage(const tdActor* actor);

typedef struct tdPlayDef
{
    float start;  // s into the clip at the moment of the call, default 0
    float speed;  // default 1; negative plays backwards, 0 holds
    float weight; // default 1; see tdActor_Play
    bool loop;    // default false: the first and last keys are held
} tdPlayDef;

TD_API tdPlayDef tdDefaultPlayDef(void);

/// A clip that plays on one actor. Zero is null; stale ids are detected and ignored.
typedef struct tdPlayId
{
    uint32_t index1, generation;
} tdPlayId;

/// Start a clip. Where several clips drive one property they are averaged by weight; weights that sum to less
/// than 1 leave the rest to the rest pose.
/// @param clip made for the actor's asset; must outlive its playing
/// @return null when memory ran out
TD_API tdPlayId tdActor_Play(tdActor* actor, const tdClip* clip, const tdPlayDef* def);
/// What it drove goes back to rest unless another clip drives it.
TD_API void tdActor_Stop(tdActor* actor, tdPlayId play);
/// From now on: time in the clip, speed and weight.
TD_API void tdActor_SetPlay(tdActor* actor, tdPlayId play, float time, float speed, float weight);
/// Time in the clip at the stage's time, looping included; 0 for a stale id.
TD_API float tdActor_GetPlayTime(const tdActor* actor, tdPlayId play);
TD_API bool tdActor_IsPlaying(const tdActor* actor, tdPlayId play);

/// Properties of a node's local transform, as bits.
typedef enum tdLocal
{
    TD_LOCAL_TRANSLATION = 1,
    TD_LOCAL_ROTATION = 2,
    TD_LOCAL_SCALE = 4,
    TD_LOCAL_ALL = 7,
} tdLocal;

/// The application writes a node's local transform, or parts of it, from the next step on and until cleared.
/// It wins over clips; constraints and bodies win over it. The rotation is normalised; values that are not
/// finite are ignored.
/// @param properties bits of tdLocal
TD_API void tdActor_SetLocal(tdActor* actor, int node, unsigned properties, tdTrs local);
TD_API void tdActor_ClearLocal(tdActor* actor, int node, unsigned properties);
/// Where the root stands on the stage from the next step on.
TD_API void tdActor_SetPlacement(tdActor* actor, tdTransform placement);

/// Node constraints, by destination node. Weights are clamped to 0..1; a file's own is the default.
TD_API void tdActor_EnableConstraints(tdActor* actor, bool enable);
TD_API bool tdActor_AreConstraintsEnabled(const tdActor* actor);
/// Clamped to 0 to 1, unless the asset was loaded with wideWeights.
TD_API void tdActor_SetConstraintWeight(tdActor* actor, int node, float weight);
/// 0 when the node has no constraint.
TD_API float tdActor_GetConstraintWeight(const tdActor* actor, int node);

/// Expressions of a VRM, by name ("happy", "blink", or a custom name). The application's weight wins over
/// clips until cleared. isBinary and overrides apply on the way to the morph weights.
TD_API void tdActor_SetExpression(tdActor* actor, const char* name, float weight);
TD_API void tdActor_ClearExpression(tdActor* actor, const char* name);
/// Weight after clips and the application, clamped, before isBinary and overrides; 0 for an unknown name.
TD_API float tdActor_GetExpression(const tdActor* actor, const char* name);
/// Weight that acts in the pose of the last step: with the gaze, isBinary and overrides. For what Tendon does
/// not move, such as colours of materials. 0 for a name that is none of the model's.
TD_API float tdActor_GetExpressionOutput(const tdActor* actor, const char* name);
/// Gaze in the head's frame, rad: yaw to the character's left, pitch down. Wins over clips until cleared.
TD_API void tdActor_SetGaze(tdActor* actor, float yaw, float pitch);
TD_API void tdActor_ClearGaze(tdActor* actor);

/// One step: clips, constraints, physics, constraints that follow physics.
/// @return false if memory ran out; the stage keeps its last state
TD_API bool tdStage_Step(tdStage* stage);
/// Time of the last step, s; 0 before the first one.
TD_API double tdStage_GetTime(const tdStage* stage);

/// Pose all actors at any time between the last two steps: clips and constraints exactly there,
/// simulated bodies between their last two poses (lerp, slerp), clip-driven bodies from the clip.
/// Changes no simulation state. At step 0 it gives the file's state after clips and constraints.
TD_API void tdStage_Evaluate(tdStage* stage, double time);

/// All nodes of an actor, by node index. The arrays belong to the actor, stay where they
/// are for its whole life and are rewritten by tdStage_Step and tdStage_Evaluate.
TD_API const tdTrs* tdActor_GetLocals(const tdActor* actor);
TD_API const tdMat4* tdActor_GetGlobals(const tdActor* actor);
/// Morph weights of one node; the array behaves like the ones above.
TD_API const float* tdActor_GetMorphWeights(const tdActor* actor, int node, int* count);

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

/// Physics by node. A node stands for the body it belongs to: its own motion, or the nearest one above it.
/// Nodes without one are ignored; queries give zero.
///
/// Impulses change the velocity at once (N s, N m s, in the world): at the centre of mass, or at a point.
TD_API void tdActor_ApplyImpulse(tdActor* actor, int node, tdVec3 linearImpulse, tdVec3 angularImpulse);
TD_API void tdActor_ApplyPointImpulse(tdActor* actor, int node, tdVec3 impulse, tdVec3 point);
/// Velocities as files have them: of the centre of mass, in the space of the body's node without its scale.
TD_API tdVec3 tdActor_GetLinearVelocity(const tdActor* actor, int node);
TD_API tdVec3 tdActor_GetAngularVelocity(const tdActor* actor, int node);
TD_API void tdActor_SetLinearVelocity(tdActor* actor, int node, tdVec3 velocity);
TD_API void tdActor_SetAngularVelocity(tdActor* actor, int node, tdVec3 velocity);

typedef struct tdStageHit
{
    tdActor* actor; // NULL: a shape of the application's own
    int node;       // of the collider; -1 likewise
    int bodyNode;   // of its motion; -1: static
    float fraction; // of the way from start to end
    tdVec3 point;   // in the world
    tdVec3 normal;  // unit, out of the collider; zero when the ray starts inside
} tdStageHit;

/// Nearest collider between two points of the world. Triggers are not hit.
/// @param filterActor whose file's table `collisionFilter` counts in (KHR's, else OMI's); may be NULL
/// @param collisionFilter -1: the ray meets everything; else what this filter lets meet
/// @param hit may be NULL; untouched when nothing is hit
TD_API bool tdStage_CastRay(const tdStage* stage, tdVec3 start, tdVec3 end, const tdActor* filterActor,
                            int collisionFilter, tdStageHit* hit);

/// The engine underneath, for forces, other queries and bodies of the application's own.
TD_API tdWorld* tdStage_GetWorld(tdStage* stage);
/// The body a node belongs to; null when it has none.
TD_API tdBodyId tdActor_GetBody(const tdActor* actor, int node);
/// What became of a collider or joint of the actor's scene (by their indices in describe.h); null when
/// nothing did.
TD_API tdShapeId tdActor_GetShape(const tdActor* actor, int collider);
TD_API tdJointId tdActor_GetJoint(const tdActor* actor, int joint);
