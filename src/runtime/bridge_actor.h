// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What an actor has in the world: its bodies, shapes and joints, and what the bridge remembers of them.
// Private to bridge.c (life), bridge_step.c (poses, events) and bridge_properties.c (animated physics
// properties).
#pragma once

#include "bridge.h"

#include "scene/physics_scene.h"

/// Which of a body's mass properties are animated: bits.
enum
{
    TD_ANIMATED_MASS = 1,
    TD_ANIMATED_CENTER = 2,
    TD_ANIMATED_INERTIA = 4,
    TD_ANIMATED_ORIENTATION = 8,
};

/// A body of the scene.
typedef struct tdBridgeBody
{
    tdActor* actor;
    int index; // in the scene's bodies
    int node;
    tdBodyId id;
    tdMotion motion;                   // wanted: the file's, or what an animated isKinematic says
    bool isDriven;                     // the body follows its node; else the node follows the body
    bool wasDriven;                    // in the last step
    int driveTracks[2];                // tracks of the node's translation and rotation; -1
    int64_t movedStep;                 // step in which `current` changed last
    tdTransform previous, current;     // poses of the last two steps
    tdVec3 drivenVelocity, drivenSpin; // of a driven body in the last step, to go on with
    tdVec3 centerOfMass;               // in the body
    bool isMovedFromAbove;             // something but physics writes its node or one above it
    unsigned animated;                 // which of the following are, in the file's terms
    float mass;
    tdVec3 center, inertia;
    tdQuat orientation;
} tdBridgeBody;

/// A node between a body and a collider below it, whose motion moves the collider in its body.
typedef struct tdCarrier
{
    int node;
    int parent; // carrier above it; -1: the body's own node is
    tdTrs local;
    bool hasMoved; // in this step, itself or one above it
} tdCarrier;

/// A collider of the scene. A static one has a body of the engine to itself, so that it can move and be
/// excluded.
typedef struct tdBridgeShape
{
    tdActor* actor;
    int index; // in the scene's colliders
    int node;
    int body;           // in the actor's bodies; -1: static
    tdTransform offset; // of the collider in its node's frame, as at load
    tdShapeId id;
    tdBodyId staticBody;
    bool isStaticMoving; // its own body is kinematic since it moved
    bool movedLastStep;
    float lastTravel;  // of a static one, in the last step that it was driven in; m, and rad as if they were
    tdMat4 lastGlobal; // of a static one's node
    int carrier;       // of the collider's own node; -1: it is on the body's node, or static
} tdBridgeShape;

/// A compound trigger counts how many of its parts each visitor is in.
typedef struct tdVisitor
{
    tdShapeId shape;
    int count;
} tdVisitor;

typedef struct tdBridgeTrigger
{
    tdArray(tdVisitor) visitors;
} tdBridgeTrigger;

/// An animated physics property, sampled before a step and applied in it.
typedef struct tdPendingProperty
{
    tdProperty property;
    float values[4];     // as sampled last
    float applied[4];    // as told to the engine last
    int64_t sampledStep; // step that `values` are for
    bool isApplied;      // the engine has `applied`, not the file's value
} tdPendingProperty;

/// Items by key: items[starts[key]] to items[starts[key + 1] - 1].
typedef struct tdBridgeIndex
{
    const int *starts, *items;
} tdBridgeIndex;

struct tdActorPhysics
{
    const tdPhysicsScene* scene;
    tdBridgeBody* bodies;
    tdBridgeShape* shapes;
    tdJointId* joints;            // by joint of the scene
    tdFilterId* filters;          // by filter of the scene
    tdPhysicsMaterial* materials; // as they are now
    tdBridgeTrigger* triggers;
    const int** triggersOfShape; // by collider: compound triggers it belongs to, ended by -1; NULL: none
    tdCarrier* carriers;         // parents before children
    int carrierCount;
    int carrierChecks; // 2: something may move them; 1: look once more, they went back to rest; 0: they rest
    tdPendingProperty*
        pending; // every property that a clip of the asset drives, sorted. 0: none, and no indices
    int pendingCount;
    tdShapeParameters* parameters; // of the scene's shapes, as they are now
    tdJointLimit* limits;          // of the scene's joint descriptions, as they are now
    int* limitStarts;
    tdBridgeIndex collidersOfMaterial, collidersOfShape, jointsOfDesc, jointsOfNode;
    uint64_t* driven;      // bits by position: nodes that follow their body
    int64_t poseStep;      // step of the `current` poses
    double followFraction; // 1: current, 0: previous
};

static inline bool tdIsSameShape(tdShapeId a, tdShapeId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

/// Pose of a node in the world, scale dropped.
tdTransform tdBridge_GetNodeFrame(const tdActor* actor, int node);
/// The body of the engine behind an id, or NULL when it is not one of ours.
tdBridgeBody* tdBridge_FindBody(const tdStage* stage, tdBodyId id);
tdBridgeShape* tdBridge_FindShape(const tdStage* stage, tdShapeId id);

/// Room for everything that the asset's clips may animate. False when memory ran out.
bool tdBridge_PrepareProperties(tdActor* actor);
/// Apply what was sampled. Serial, before the world steps.
void tdBridge_ApplyProperties(tdActor* actor);
