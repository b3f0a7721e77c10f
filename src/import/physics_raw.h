// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Raw objects of physics extensions, in the terms of the file: the step between JSON and
// scene/physics_scene.h. khr_physics.c and omi_physics.c fill them; physics_bodies.c, physics_colliders.c and
// physics_links.c build the scene from them.
#pragma once

#include "physics_read.h"

#include "scene/physics_scene.h"

typedef struct tdRawShape
{
    tdShapeTable table;
    tdDialect dialect;
    int index; // in its table
    bool isUsable;
    tdShapeParameters parameters;
    tdShapeGeometry geometry; // of implicit kinds; for HULL and MESH see `mesh`
    int mesh;                 // index into meshes, for hulls and meshes
    int skin;                 // K1a: skin that deforms the mesh; -1
    const float* weights;     // K1a: morph weights; NULL: those of the mesh
    int weightCount;
    bool useNodeWeights; // K1b: the collider node's weights
    bool isTrigger;      // O1: on the shape
} tdRawShape;

/// The geometry of a collider or trigger.
typedef struct tdRawGeometry
{
    bool isGiven;    // it is usable
    int shape;       // in tdRawPhysics.shapes; -1: by node or mesh
    int node, mesh;  // -1: none
    bool convexHull; // with node, mesh, or a mesh shape
    bool useNodeWeights;
} tdRawGeometry;

typedef struct tdRawMotion
{
    bool isGiven;
    tdMotion motion;
    bool isTriggerBody;  // O1 type "trigger"
    bool zeroIsInfinite; // KHR
    bool hasMass, hasCenterOfMass, hasInertia, hasTensor;
    float mass;
    tdVec3 centerOfMass; // node space
    tdVec3 inertiaDiagonal;
    tdQuat inertiaOrientation;
    tdMat3 inertiaTensor;                   // O1, MSFT_physics: number[9]
    tdVec3 linearVelocity, angularVelocity; // node space
    float gravityFactor;
} tdRawMotion;

typedef struct tdRawJoint
{
    bool isGiven;
    int desc;          // in tdRawPhysics.jointDescs
    int connectedNode; // O1: nodeB; -1: the world (MSFT_physics)
    int nodeA;         // O1: nodeA; -1: the joint node is the frame of side A
    int frameNode;     // O1 made by tdConvertAsset: the node that is the frame of side B; -1: the joint node
    bool enableCollision;
} tdRawJoint;

/// The physics objects of one node.
typedef struct tdRawNode
{
    const char* extension;         // extension that was read, for pointers: of body, collider and trigger
    const char* colliderExtension; // O1: OMI_collider, O1s: OMI_physics_shape; else the same
    const char* jointExtension;
    tdDialect dialect;
    tdRawMotion motion;
    bool hasCollider, hasTrigger;
    tdRawGeometry collider, trigger;
    int colliderMaterial, colliderFilter, triggerFilter; // -1: none
    bool isCompound;
    const int* triggerNodes;
    int triggerNodeCount;
    bool isJointEnd;        // O1 made by tdConvertAsset: a static body that stands for the world
    bool unitesDescendants; // O2: a trigger group without shape and nodes
    tdRawJoint joint;
} tdRawNode;

typedef struct tdRawPhysics
{
    tdRawShape* shapes;
    int shapeCount, shapeCapacity;
    int tableStarts[TD_TABLE_COUNT], tableCounts[TD_TABLE_COUNT]; // count -1: the table is missing
    tdPhysicsMaterial* materials;
    int materialCount, khrMaterialCount; // KHR's first, then OMI's
    tdPhysicsFilter* filters;
    int filterCount, filterCapacity, khrFilterCount;
    const char** systemNames;
    int systemCount;
    int* systemSlots; // open addressing: system + 1, 0: free
    int systemSlotCount;
    tdPhysicsJointDesc* jointDescs; // KHR's, one per MSFT_physics joint, OMI's table, one per O1 joint node
    bool* jointIsUsed;
    int jointDescCount, jointDescCapacity, khrJointCount, omiJointCount;
    tdRawNode* nodes; // by node
    int nodeCount, meshCount, skinCount;
    int nodesValue;      // JSON array of nodes; TD_JSON_NONE when there is none
    const char* khrRoot; // root extension with the KHR tables, for pointers; NULL: none
    bool isAny;          // the file has physics
    bool literalStiffness;
} tdRawPhysics;

static inline bool tdDialect_IsOmi(tdDialect dialect)
{
    return dialect >= TD_DIALECT_OMI_EARLY;
}

/// The drafts before November 2023: upper case combine modes, springConstant, joints that refer to limits.
static inline bool tdDialect_IsAncestor(tdDialect dialect)
{
    return dialect == TD_DIALECT_KHR_2023_08 || dialect == TD_DIALECT_MSFT || dialect == TD_DIALECT_MSFT_2022;
}
