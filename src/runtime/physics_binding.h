// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The scene physics binding: which bodies, shapes and joints of the world belong to which nodes of an actor.
// This file declares the binding and makes and destroys it; body_drive.c moves poses from nodes to bodies,
// collider_drive.c to colliders, frame_drive.c to joint frames, body_follow.c from bodies to nodes,
// physics_properties.c animates properties, physics_events.c collects events by node, physics_api.c is the
// public part. Nodes and bodies meet nowhere else.
#pragma once

#include "stage.h"

#include "scene/physics_scene.h"

/// Which of a body's mass properties are animated: bits.
enum
{
    TD_ANIMATED_MASS = 1,
    TD_ANIMATED_CENTER = 2,
    TD_ANIMATED_INERTIA = 4,
    TD_ANIMATED_ORIENTATION = 8,
};

/// A body of the scene and its body in the world.
typedef struct tdBoundBody
{
    tdActor* actor;
    int index; // in the scene's bodies
    int node;
    tdBodyId id;
    tdMotion motion; // the file's, or that of an animated isKinematic; driven bodies are kinematic meanwhile
    bool isDriven;   // driven: the body follows its node. Else simulated: the node follows the body
    bool wasDriven;  // in the last step
    int driveTracks[2];                // tracks of the node's translation and rotation; -1
    int64_t movedStep;                 // step in which `current` changed last
    tdTransform previous, current;     // poses of the last two steps
    tdVec3 drivenVelocity, drivenSpin; // of a driven body in the last step: it keeps them when it is released
    tdVec3 centerOfMass;               // in the body
    bool isMovedFromAbove;             // a writer other than physics moves its node or an ancestor
    bool isScaledFromAbove;            // a writer scales its node or an ancestor
    tdMat3 stretch;                    // from node space to the body: the scale at its node, symmetric
    bool isStretched;                  // `stretch` changed in this step
    bool isMassStale;                  // a collider changed its size
    bool isCarryingTop;                // its velocity is that of the top of a collider that changes its size
    float tops[2];                     // of its solid colliders, before and after they changed; m
    tdVec3 support;    // normal of the surface that a dynamic body of changing size rests on; zero: none
    tdBodyMass base;   // mass properties with no animated property: given, or of the colliders
    unsigned animated; // TD_ANIMATED_*: which of the following are animated, in the units of the file
    float mass;
    tdVec3 center, inertia;
    tdQuat orientation;
} tdBoundBody;

/// A moving ancestor: a node between a body and a collider or joint frame below it, their own node included.
/// Its motion moves them within the body.
typedef struct tdMovingAncestor
{
    int node;
    int parent; // moving ancestor above it; -1: its parent is the body's own node
    tdTrs local;
    bool hasMoved; // in this step, itself or one above it
} tdMovingAncestor;

/// A collider of the scene and its shape in the world. A static collider has a body of its own, so that it
/// can move and be excluded from collisions by joints.
typedef struct tdBoundShape
{
    tdActor* actor;
    int index; // in the scene's colliders
    int node;
    int body; // in the actor's bodies; -1: static
    tdShapeId id;
    tdBodyId staticBody;
    bool isStaticMoving; // staticBody is kinematic, because the node moved
    bool movedLastStep;
    float lastTravel;   // of a static one in the last step that drove it; m + rad, see tdComputePoseTravel
    tdMat4 lastGlobal;  // of a static one's node
    int movingAncestor; // of the collider's own node; -1: it is on the body's node, or static
    tdMat3 stretch;     // S of its placement in effect
    bool isHidden;      // its scale is 0 on an axis: it collides with nothing
    struct tdTriangles* scaledMesh; // of a mesh that was resized: its own copy; NULL: that of the asset
} tdBoundShape;

/// One side of a joint of the scene: the node whose pose is the frame.
typedef struct tdBoundFrame
{
    int node;              // -1: the frame stays where it is
    int body;              // in the actor's bodies; -1: no motion at or above the node
    int staticCollider;    // the collider that the side does not collide with; -1
    int movingAncestor;    // of the node, below a body; -1
    tdBodyId attachment;   // kinematic body made for a node without motion that moves; index1 0: none
    tdMat4 lastGlobal;     // of the node
    float lastTravel;      // as in tdBoundShape
    bool movedLastStep;    //
    bool excludesCollider; // an exclusion from staticCollider stands in for that of the joint
} tdBoundFrame;

/// A shape inside a compound trigger, and in how many parts of the trigger it is.
typedef struct tdVisitor
{
    tdShapeId shape;
    int count;
} tdVisitor;

typedef struct tdBoundTrigger
{
    tdArray(tdVisitor) visitors;
} tdBoundTrigger;

/// An animated physics property, sampled and applied before a step.
typedef struct tdPendingProperty
{
    tdProperty property;
    float values[4];     // as sampled last
    float applied[4];    // as handed to the engine last
    int64_t sampledStep; // step that `values` are for
    bool isApplied;      // the engine has `applied`; else the file's value
} tdPendingProperty;

/// Lists of items by key: items[starts[key]] to items[starts[key + 1] - 1], ascending.
typedef struct tdIndexLists
{
    const int *starts, *items;
} tdIndexLists;

struct tdActorPhysics
{
    const tdPhysicsScene* scene;
    tdBoundBody* bodies;
    tdBoundShape* shapes;
    tdJointId* joints;            // by joint of the scene
    tdBoundFrame* frames;         // two by joint of the scene: A, B
    tdFilterId* filters;          // by filter of the scene
    tdPhysicsMaterial* materials; // with animated values
    tdBoundTrigger* triggers;
    const int** triggersOfShape; // by collider: compound triggers it belongs to, ended by -1; NULL: none
    tdMovingAncestor* movingAncestors; // parents before children
    int movingAncestorCount;
    int movingAncestorChecks; // 2: a writer moves them; 1: check once more, they returned to rest; 0: at rest
    tdPendingProperty* pending; // every property that a clip of the asset drives, sorted; NULL: none
    int pendingCount;
    tdShapeParameters* parameters; // of the scene's shapes, with animated values
    tdJointLimit* limits;          // of the scene's joint descriptions, with animated values
    int* limitStarts;
    tdIndexLists collidersOfMaterial, collidersOfShape, jointsOfDesc, jointsOfNode;
    bool hasStarted;   // the first step has begun: bodies below animated nodes are at their pose of its start
    bool needsStart;   // bound since the last step: bodies, colliders and frames may start to be driven
    int stretchChecks; // as movingAncestorChecks, for isScaledFromAbove of bodies
    uint64_t* driven;  // bits by position: nodes that follow their body
    int64_t poseStep;  // step of the `current` poses
    double followFraction; // 1: current, 0: previous
};

static inline bool tdIsSameShape(tdShapeId a, tdShapeId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

/// Creates the stage's world.
/// @return false when memory ran out
bool tdPhysicsBinding_CreateWorld(tdStage* stage, const tdStageDef* def);
/// Destroys the world and the tables that belong to it. Safe when the stage has none.
void tdPhysicsBinding_DestroyWorld(tdStage* stage);

/// Creates the bodies, shapes and joints of the actor's scene; none when the scene has no physics.
/// @return false when memory ran out; then nothing is left behind
bool tdPhysicsBinding_CreateActor(tdActor* actor);
/// Removes everything of the actor from the world. Safe when the actor has no physics.
void tdPhysicsBinding_DestroyActor(tdActor* actor);

/// Steps the world once and records the poses of the bodies that moved.
/// @return false when memory ran out; then the world is as before
bool tdPhysicsBinding_StepWorld(tdStage* stage);

/// When a clip loops, a driven body, collider or frame that travels more than this in a step is teleported to
/// its target instead of swept there: the last frame of the clip is not its first one. Found by trial;
/// test/runtime/test_body_drive.c has loops on both sides of it.
#define TD_TELEPORT_TRAVEL_RATIO 3.0f    // times the travel of the step before
#define TD_TELEPORT_TRAVEL_MINIMUM 0.02f // m + rad, for bodies that hardly moved

/// Distance in m plus angle in rad between two poses.
static inline float tdComputePoseTravel(tdTransform from, tdTransform to)
{
    return tdDistance(from.position, to.position) + tdAngleBetween(from.rotation, to.rotation);
}

/// Whether a travel of tdComputePoseTravel, in a step in which a clip wraps, is a jump.
static inline bool tdIsTeleport(float travel, float lastTravel)
{
    return travel > TD_TELEPORT_TRAVEL_RATIO * lastTravel + TD_TELEPORT_TRAVEL_MINIMUM;
}

/// Pose of a node in the world, without scale.
tdTransform tdPhysicsBinding_GetNodeFrame(const tdActor* actor, int node);
/// The bound body behind an id; NULL when the application made the body itself.
tdBoundBody* tdPhysicsBinding_FindBody(const tdStage* stage, tdBodyId id);
/// The bound shape behind an id; NULL when the application made the shape itself.
tdBoundShape* tdPhysicsBinding_FindShape(const tdStage* stage, tdShapeId id);
