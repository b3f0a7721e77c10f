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

/// Read one family. Materials, filters and joint tables are appended.
void tdReadKhrPhysics(tdPhysicsReader* reader, tdRawPhysics* raw);
void tdReadOmiPhysics(tdPhysicsReader* reader, tdRawPhysics* raw);

// Parts both families share (physics_tables.c, physics_joint_limits.c).

/// A table of materials or filters, appended. `isOmi`: empty lists are notes.
void tdReadPhysicsMaterials(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject,
                            const tdPath* rootPath, tdDialect dialect);
void tdReadPhysicsFilters(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject, const tdPath* rootPath,
                          tdDialect dialect);
/// A table of joints with limits and drives, appended.
void tdReadPhysicsJoints(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject, const char* key,
                         const tdPath* rootPath, tdDialect dialect);
/// The constraints that an O1 joint node lists, as one description of its own; -1 when memory ran out.
/// @param constraints JSON values of the table's entries
/// @param mergesLocks locks of all entries, which early files write axis by axis, become one; false: those of
/// one entry only, since tdConvertAsset told the entries apart
int tdReadEarlyJointDesc(tdPhysicsReader* reader, tdRawPhysics* raw, const int* constraints,
                         int constraintCount, int indices, const tdPath* indicesPath, bool mergesLocks);
/// The constraints that an MSFT_physics joint holds itself, as one description of its own; -1 when memory ran
/// out.
int tdReadInlineJointDesc(tdPhysicsReader* reader, tdRawPhysics* raw, int constraints, const tdPath* path);
/// What a collider of MSFT_physics says about layers and systems, as a filter of its own; -1 when nothing.
int tdReadInlineFilter(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const tdPath* path);
/// Checks of the table O1 keeps its constraints in, each once.
void tdCheckEarlyConstraints(tdPhysicsReader* reader, const tdRawPhysics* raw, int constraintTable,
                             const tdPath* path);

/// The list under trigger.nodes; wrong entries are reported and left out. NULL when there is none.
const int* tdReadTriggerNodes(tdPhysicsReader* reader, const tdRawPhysics* raw, int object,
                              const tdPath* path, int* count);
/// Early OMI and MSFT_physics: number[9]; all zero counts as absent.
void tdReadInertiaTensor(tdPhysicsReader* reader, int object, const tdPath* path, tdRawMotion* motion);
/// Warns when no body can have these principal moments.
void tdCheckInertiaTriangle(tdPhysicsReader* reader, const tdPath* path, tdVec3 diagonal);

static inline bool tdDialect_IsOmi(tdDialect dialect)
{
    return dialect >= TD_DIALECT_OMI_EARLY;
}

/// The drafts of before November 2023: upper case combine modes, springConstant, joints by their limits.
static inline bool tdDialect_IsAncestor(tdDialect dialect)
{
    return dialect == TD_DIALECT_KHR_2023_08 || dialect == TD_DIALECT_MSFT || dialect == TD_DIALECT_MSFT_2022;
}

/// "KHR_physics_rigid_bodies of March 2024" and so on, for people.
const char* tdDialect_GetName(tdDialect dialect);
