// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What physics extensions say, object by object and still in the file's terms: the step between JSON and
// scene/physics_scene.h. Readers of each family (khr_physics.c, omi_physics.c) fill it; physics_build.c makes
// bodies, colliders and joints of it.
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
    tdShapeGeometry geometry; // implicit kinds; kind HULL or MESH: `mesh` says of what
    int mesh;                 // index into meshes, for hulls and meshes
    int skin;                 // K1a: skin that deforms the mesh; -1
    const float* weights;     // K1a: morph weights of its own; NULL: the mesh's
    int weightCount;
    bool useNodeWeights; // K1b: the collider node's weights
    bool isTrigger;      // O1: on the shape
} tdRawShape;

/// The source of a collider's or trigger's form.
typedef struct tdRawGeometry
{
    bool isGiven;    // something usable was named
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
    int nodeA;         // O1: nodeA; -1: the joint's own node is the frame of side A
    int frameNode;     // O1 made by tdConvertAsset: the node that is the frame of side B; -1: the joint's own
    bool enableCollision;
} tdRawJoint;

/// All that one node carries.
typedef struct tdRawNode
{
    const char* extension; // the one that counted, for pointers: node extension of body, collider and trigger
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
    const char* khrRoot; // root extension that holds KHR's tables, for pointers; NULL: none
    bool isAny;          // any physics at all
    bool literalStiffness;
} tdRawPhysics;

static inline bool tdDialect_IsOmi(tdDialect dialect)
{
    return dialect >= TD_DIALECT_OMI_EARLY;
}

/// The drafts of before November 2023: upper case combine modes, springConstant, joints by their limits.
static inline bool tdDialect_IsAncestor(tdDialect dialect)
{
    return dialect == TD_DIALECT_KHR_2023_08 || dialect == TD_DIALECT_MSFT || dialect == TD_DIALECT_MSFT_2022;
}
