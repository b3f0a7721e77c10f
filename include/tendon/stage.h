// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// stage.h: running assets: the clock, the physics world and the actors. All functions accept NULL handles:
// commands do nothing, queries return zeros.
//
// Numbers must be finite. A call with a NaN or an infinity changes nothing: checked builds assert, others set
// TD_STATUS_INVALID_NUMBER in the stage's world (tdWorld_GetStatus).
#pragma once

#include "clip.h"
#include "limits.h"
#include "physics.h"

/// Owns the clock, the physics world and the actors. One thread at a time may use a stage.
typedef struct tdStage tdStage;

/// A running instance of an asset: its pose, its playing clips, its bodies. Owned by its stage.
typedef struct tdActor tdActor;

/// Settings of a stage. Start from tdDefaultStageDef.
typedef struct tdStageDef
{
    tdWorldDef world;     // its allocator also serves the stage and its actors
    const tdTasks* tasks; // also used by the world if that has none; default NULL: the caller's thread
    tdLimits limits;      // of runs and memory, default {0}: limits.h
    double stepRate;      // Hz, > 0, default 60; time is step index / step rate, never a sum
    uint32_t cookie;      // internal: set by tdDefaultStageDef
} tdStageDef;

/// Default settings of a stage. Does not allocate.
TD_API tdStageDef tdDefaultStageDef(void);

/// Create an empty stage at time 0.
/// @param def NULL for the defaults
/// @return the stage, to be freed with tdDestroyStage; NULL if memory ran out or a number is not finite
TD_API tdStage* tdCreateStage(const tdStageDef* def);

/// Destroy a stage with its actors and its world.
/// @param stage may be NULL
TD_API void tdDestroyStage(tdStage* stage);

/// Settings of an actor. Start from tdDefaultActorDef.
typedef struct tdActorDef
{
    int scene; // scene whose bodies the actor has, default -1: the file's own choice. Reports cover that
               // scene; tdDescribeScene... (describe.h) describe the others. At most eight scenes may have
               // physics
    tdTransform placement;  // of the scene's root in the world, default identity
    bool enableConstraints; // default true
    bool enablePhysics;     // default true
    bool enableSprings;     // VRM spring bones (spring.h), default true
    bool springsHitStage;   // springs also collide with the solid colliders of the stage, default false
    bool
        overrideBoneGaze; // overrideLookAt of expressions also fades the turn of eye bones, default false: it
                          // acts on the four look expressions only
    uint32_t cookie;      // internal: set by tdDefaultActorDef
} tdActorDef;

/// Default settings of an actor. Does not allocate.
TD_API tdActorDef tdDefaultActorDef(void);

/// Create an actor in the file's rest pose. Constraints first run in tdStage_Step or tdStage_Evaluate.
/// @param asset must outlive the actor
/// @param def NULL for the defaults
/// @param report receives the findings; may be NULL
/// @return the actor, owned by the stage; NULL if the stage or asset is NULL, the placement is not finite or
///         memory ran out
TD_API tdActor* tdCreateActor(tdStage* stage, const tdAsset* asset, const tdActorDef* def, tdReport* report);

/// Destroy an actor with its bodies. Its arrays and play ids become invalid.
/// @param actor may be NULL
TD_API void tdDestroyActor(tdActor* actor);

/// Asset that the actor was made from.
TD_API const tdAsset* tdActor_GetAsset(const tdActor* actor);

/// Stage that owns the actor.
TD_API tdStage* tdActor_GetStage(const tdActor* actor);

// Clips

/// Settings of a play. Start from tdDefaultPlayDef.
typedef struct tdPlayDef
{
    float start;     // s into the clip at the time of the call, default 0
    float speed;     // default 1; negative plays backwards, 0 holds
    float weight;    // default 1; see tdActor_Play
    bool loop;       // default false: the first and last keys are held
    uint32_t cookie; // internal: set by tdDefaultPlayDef
} tdPlayDef;

/// Default settings of a play. Does not allocate.
TD_API tdPlayDef tdDefaultPlayDef(void);

/// Handle of a clip that plays on one actor. All zero is the null id. Stale ids are detected and ignored.
typedef struct tdPlayId
{
    uint32_t index1, generation;
} tdPlayId;

/// Play a clip. Clips that drive the same property are averaged by weight; if their weights sum to less than
/// 1, the rest pose has the remaining weight. Allocates.
/// @param clip made for the actor's asset; must outlive the play. If states of the stage are loaded, it must
///        outlive the actor, or tdActor_ForgetClip is called before it is destroyed
/// @param def NULL for the defaults
/// @return the null id if the actor or clip is NULL, a number is not finite or memory ran out
TD_API tdPlayId tdActor_Play(tdActor* actor, const tdClip* clip, const tdPlayDef* def);

/// Stop a clip. Its targets return to the rest pose unless another clip drives them. The id becomes stale.
TD_API void tdActor_Stop(tdActor* actor, tdPlayId play);

/// Forget a clip that played on the actor, so that it may be destroyed: tdStage_Load refuses states in which
/// it plays. Stop its plays first.
TD_API void tdActor_ForgetClip(tdActor* actor, const tdClip* clip);

/// Set the time in the clip (s), the speed and the weight from the stage's current time on.
TD_API void tdActor_SetPlay(tdActor* actor, tdPlayId play, float time, float speed, float weight);

/// Time in the clip at the stage's time, s, looping included; 0 for a stale id.
TD_API float tdActor_GetPlayTime(const tdActor* actor, tdPlayId play);

/// Speed of a play; 0 for a stale id.
TD_API float tdActor_GetPlaySpeed(const tdActor* actor, tdPlayId play);

/// Weight of a play; 0 for a stale id.
TD_API float tdActor_GetPlayWeight(const tdActor* actor, tdPlayId play);

/// Clip of a play; NULL for a stale id. A stopped play is stale until a state in which it ran is loaded.
TD_API const tdClip* tdActor_GetPlayClip(const tdActor* actor, tdPlayId play);

/// Plays that were not stopped, in the order of their slots. Does not allocate.
/// @param plays receives at most `capacity` ids; may be NULL if that is 0
/// @return the number of plays, which may be greater than `capacity`
TD_API int tdActor_GetPlays(const tdActor* actor, tdPlayId* plays, int capacity);

/// Whether the clip still plays; false for a stale id and after the end of a clip that does not loop.
TD_API bool tdActor_IsPlaying(const tdActor* actor, tdPlayId play);

// Input of the application

/// Properties of a node's local transform, as bits.
typedef enum tdLocal
{
    TD_LOCAL_TRANSLATION = 1,
    TD_LOCAL_ROTATION = 2,
    TD_LOCAL_SCALE = 4,
    TD_LOCAL_ALL = 7,
} tdLocal;

/// Override a node's local transform, or parts of it, from the next step on until cleared. Overrides clips;
/// constraints and bodies override it. The rotation is normalised.
/// The first call allocates; if memory runs out, the next tdStage_Step returns false.
/// @param properties bits of tdLocal
TD_API void tdActor_SetLocal(tdActor* actor, int node, unsigned properties, tdTrs local);

/// Overrides of a node's local transform. tdActor_GetLocals gives the transform in effect.
/// @param local receives the overridden properties, and identity for the others; may be NULL
/// @return bits of tdLocal: the properties that are overridden
TD_API unsigned tdActor_GetLocal(const tdActor* actor, int node, tdTrs* local);

/// Remove overrides of a node's local transform.
/// @param properties bits of tdLocal
TD_API void tdActor_ClearLocal(tdActor* actor, int node, unsigned properties);

/// Set the transform of the scene's root in the world from the next step on. The rotation is normalised.
TD_API void tdActor_SetPlacement(tdActor* actor, tdTransform placement);

/// Transform of the scene's root in the world; identity for NULL.
TD_API tdTransform tdActor_GetPlacement(const tdActor* actor);

/// Enable or disable all node constraints of the actor.
TD_API void tdActor_EnableConstraints(tdActor* actor, bool enable);

/// Whether node constraints are enabled.
TD_API bool tdActor_AreConstraintsEnabled(const tdActor* actor);

/// Set the weight of the constraint on a destination node. The file's weight is the default. The weight is
/// clamped to 0 to 1, unless the asset was loaded with wideWeights.
TD_API void tdActor_SetConstraintWeight(tdActor* actor, int node, float weight);

/// Weight of the constraint on a destination node; 0 if there is none.
TD_API float tdActor_GetConstraintWeight(const tdActor* actor, int node);

/// Set the weight of a VRM expression, clamped to 0 to 1, until cleared. It overrides clips. isBinary and
/// overrides then apply to it. Unknown names are ignored.
/// @param name preset ("happy", "blink") or custom name
TD_API void tdActor_SetExpression(tdActor* actor, const char* name, float weight);

/// Remove the application's weight of an expression, so that clips drive it again.
TD_API void tdActor_ClearExpression(tdActor* actor, const char* name);

/// Weight of an expression from clips and the application, clamped, before isBinary and overrides; 0 for an
/// unknown name.
TD_API float tdActor_GetExpression(const tdActor* actor, const char* name);

/// Effective weight of an expression in the pose of the last step, after gaze, isBinary and overrides; 0 for
/// an unknown name.
TD_API float tdActor_GetExpressionOutput(const tdActor* actor, const char* name);

/// Material values that expressions or animations (KHR_animation_pointer) change, four floats each: base
/// colour, emission, MToon colours, texture offsets and scales. tdDescribeMaterialValue says what each of
/// them is. The array behaves like that of tdActor_GetLocals.
/// @param count receives the number of values; may be NULL
/// @return NULL if no expression and no animation changes a material
TD_API const float* tdActor_GetMaterialValues(const tdActor* actor, int* count);

/// Set the gaze in the head's frame until cleared. It overrides clips.
/// @param yaw rad, positive to the character's left
/// @param pitch rad, positive down
TD_API void tdActor_SetGaze(tdActor* actor, float yaw, float pitch);

/// Make the gaze follow a point of the world until cleared. It overrides clips and earlier calls. A point
/// that is not finite is refused. The file's offset from the head is the origin of the gaze.
/// @param point m
TD_API void tdActor_SetGazeTarget(tdActor* actor, tdVec3 point);

/// Make the gaze follow the origin of a node of the actor until cleared. It overrides clips and earlier
/// calls. A node out of range is ignored.
TD_API void tdActor_SetGazeNode(tdActor* actor, int node);

/// Gaze in the head's frame, from the application or, if it sets none, from clips in the last step. If the
/// gaze follows a target: its direction in the last step or evaluation.
/// @param yaw, pitch receive rad as in tdActor_SetGaze; 0 if there is no gaze
/// @return false if neither the application nor a clip sets the gaze, and for a model without a head
TD_API bool tdActor_GetGaze(const tdActor* actor, float* yaw, float* pitch);

/// Remove the application's gaze, so that clips drive it again.
TD_API void tdActor_ClearGaze(tdActor* actor);

// Running

/// Advance all actors by one step: clips, constraints, physics, constraints that depend on physics, then
/// springs. May allocate. Replaces the arrays of tdStage_GetEvents.
/// @return false if memory ran out; the stage keeps its state, and the step may be retried
TD_API bool tdStage_Step(tdStage* stage);

/// Report LIMIT_REACHED if the last step reached the limit of pairs or contacts. The stage may go on: the
/// first pairs collide, the others pass through each other.
/// @param report may be NULL
/// @return false if a limit was reached
TD_API bool tdStage_CheckLimits(const tdStage* stage, tdReport* report);

/// Time of the last step, s; 0 before the first one.
TD_API double tdStage_GetTime(const tdStage* stage);

/// Number of fixed steps made so far: time is this / step rate; 0 for NULL.
TD_API int64_t tdStage_GetStepIndex(const tdStage* stage);

/// Steps per second, Hz; 0 for NULL.
TD_API double tdStage_GetStepRate(const tdStage* stage);

/// Pose all actors at any time between the last two steps. Clips and constraints are evaluated at that exact
/// time, simulated bodies and springs are interpolated (lerp, slerp), clip-driven bodies follow the clip.
/// Changes no simulation state. Before the first step it gives the file's state after clips and constraints,
/// with springs at rest.
/// @param time s
TD_API void tdStage_Evaluate(tdStage* stage, double time);

/// Local transforms of all nodes, by node index. The array belongs to the actor, keeps its address for the
/// actor's lifetime and is rewritten by tdStage_Step and tdStage_Evaluate.
TD_API const tdTrs* tdActor_GetLocals(const tdActor* actor);

/// Global matrices of all nodes, by node index. The array behaves like that of tdActor_GetLocals.
TD_API const tdMat4* tdActor_GetGlobals(const tdActor* actor);

/// Morph weights of a node. The array behaves like that of tdActor_GetLocals.
/// @param count receives the length of the array; may be NULL
TD_API const float* tdActor_GetMorphWeights(const tdActor* actor, int node, int* count);

/// Two solid colliders began or ceased to touch.
typedef struct tdContactEvent
{
    tdActor *actorA, *actorB;
    int nodeA, nodeB;     // of the colliders
    tdVec3 point, normal; // world space, normal from A to B
    float impulse;        // N s
    bool began;           // false: ended
} tdContactEvent;

/// A solid collider entered or left a trigger.
typedef struct tdTriggerEvent
{
    tdActor *trigger, *visitor;
    int triggerNode, visitorNode; // of the colliders
    int visitorBodyNode;          // -1: the visitor is static
    bool entered;                 // false: left
} tdTriggerEvent;

/// Events of the last step.
typedef struct tdStageEvents
{
    const tdContactEvent* contacts;
    int contactCount;
    const tdTriggerEvent* triggers;
    int triggerCount;
} tdStageEvents;

/// Events of the last step, in deterministic order. The arrays belong to the stage and are valid until the
/// next step.
TD_API tdStageEvents tdStage_GetEvents(const tdStage* stage);

// Saved states

/// Write the complete state of the stage into one flat block without pointers: world, clock, poses, plays,
/// values that the application set, constraints, springs, expressions, gaze, triggers entered and events.
/// Assets, clips, filters and geometries are not in it. Does not allocate.
/// @param data may be NULL if `size` is 0
/// @param size capacity of `data`, bytes
/// @return size of the block, bytes; nothing is written if `size` is less. 0 for NULL
TD_API size_t tdStage_Save(const tdStage* stage, void* data, size_t size);

/// Restore a saved state. Later steps are bit-identical to those after the save, on any number of workers and
/// every vector width. Ids of that moment are valid again; a play id is valid if the play was running then.
/// The stage must have the actors that it had at the save, made from the same files in the same order, or be
/// one built by the same calls. Every clip that plays in the block must have played on its actor before, and
/// must exist still. Blocks may come from anywhere: version, fingerprint of the content, checksum and every
/// index are validated first. Events of the stage are those of the save; tdWorld_GetEvents and
/// tdWorld_GetMovedBodies are empty until the next step. Allocates memory for a second state of the world.
/// @return false if the block is invalid or memory ran out; the stage is then unchanged
TD_API bool tdStage_Load(tdStage* stage, const void* data, size_t size);

/// Hash of the world's state (tdWorld_GetStateHash), the clock, and the local transforms and morph weights of
/// all actors. Equal calls give equal hashes on every platform; 0 for NULL.
TD_API uint64_t tdStage_GetStateHash(const tdStage* stage);

// Physics by node. A node stands for the body it belongs to: its own, or that of the nearest ancestor with
// motion. Commands ignore nodes without a body; queries give zero for them.

/// Apply an impulse (N s) and an angular impulse (N m s) at the centre of mass of a node's body, world space.
/// They change the velocity at once.
TD_API void tdActor_ApplyImpulse(tdActor* actor, int node, tdVec3 linearImpulse, tdVec3 angularImpulse);

/// Apply an impulse (N s) at a point of a node's body, both in world space. It changes the velocity at once.
TD_API void tdActor_ApplyPointImpulse(tdActor* actor, int node, tdVec3 impulse, tdVec3 point);

/// Velocity of the centre of mass, m/s, in the space of the body's node without its scale, as in files.
TD_API tdVec3 tdActor_GetLinearVelocity(const tdActor* actor, int node);

/// Angular velocity, rad/s, in the space of the body's node without its scale, as in files.
TD_API tdVec3 tdActor_GetAngularVelocity(const tdActor* actor, int node);

/// Set the velocity of the centre of mass, m/s, in the space of the body's node without its scale.
TD_API void tdActor_SetLinearVelocity(tdActor* actor, int node, tdVec3 velocity);

/// Set the angular velocity, rad/s, in the space of the body's node without its scale.
TD_API void tdActor_SetAngularVelocity(tdActor* actor, int node, tdVec3 velocity);

/// Hit of a ray.
typedef struct tdStageHit
{
    tdActor* actor; // NULL: a shape that the application created in the world
    int node;       // of the collider; -1 if actor is NULL
    int bodyNode;   // of its body; -1: static
    float fraction; // of the way from start to end
    tdVec3 point;   // m, world space
    tdVec3 normal;  // unit, out of the collider; zero if the ray starts inside
} tdStageHit;

/// Find the nearest collider between two points of the world. Triggers are not hit. Does not allocate.
/// @param filterActor actor whose file's filter table `collisionFilter` indexes (KHR's, else OMI's); may be
///        NULL if `collisionFilter` is -1
/// @param collisionFilter filter that the ray has; -1: the ray hits everything
/// @param hit may be NULL; untouched if nothing is hit
/// @return whether something was hit; false for a filter out of range
TD_API bool tdStage_CastRay(const tdStage* stage, tdVec3 start, tdVec3 end, const tdActor* filterActor,
                            int collisionFilter, tdStageHit* hit);

/// Physics world of the stage, for forces, other queries and bodies of the application's own. The stage owns
/// and steps it.
TD_API tdWorld* tdStage_GetWorld(tdStage* stage);

/// Body that a node belongs to; the null id if there is none.
TD_API tdBodyId tdActor_GetBody(const tdActor* actor, int node);

/// Shape of a collider of the actor's scene (index as in describe.h); the null id if it has none.
TD_API tdShapeId tdActor_GetShape(const tdActor* actor, int collider);

/// Joint of the actor's scene (index as in describe.h); the null id if it was not created.
TD_API tdJointId tdActor_GetJoint(const tdActor* actor, int joint);
