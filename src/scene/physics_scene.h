// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Physics of a file: every dialect turned into one model (docs/spec/physics.md, section 3; docs/decisions/090
// and 101). Immutable. Import makes it; runtime/physics_binding.c creates bodies, shapes and joints from it.
//
// Spaces: the frame of a body is the world translation and rotation of its node at load. The scale of the
// nodes is part of the shapes, the centre of mass and the joint frames.
//
// Invariants that import establishes: indices are in range or -1; numbers are finite; every collider is
// usable (its scale is not zero, its geometry is cooked, or
// checked if the load does not simulate); every joint has at least one limit or drive.
//
// See docs/decisions/101-physics-model.md.
#pragma once

#include "scene.h"
#include "shape_parameters.h"

#include "geometry/mass.h"
#include "geometry/shape.h"

#include "tendon/joint.h"
#include "tendon/physics.h"

/// Bounds of what floats can simulate. Import leaves out objects beyond them; animated values are clamped to
/// them. See docs/decisions/091.
#define TD_MAX_COORDINATE 1.0e7f // m; sizes, places, centres of mass, targets and bounds of joints (rad too)
#define TD_MAX_VELOCITY 1.0e5f   // m/s, rad/s
#define TD_MIN_MASS 1.0e-9f      // kg
#define TD_MIN_INERTIA 1.0e-12f // kg m^2: the cube of its inverse, which locks of two bodies need, is a float
#define TD_MAX_MASS 1.0e15f
#define TD_MAX_FACTOR 1.0e4f      // of gravity
#define TD_MAX_STRENGTH 1.0e12f   // N/m, N s/m, N m/rad, N m s/rad, and forces
#define TD_MAX_COEFFICIENT 1.0e4f // of friction

#define TD_BODY_DENSITY 1000.0f // kg/m^3, where the file gives no mass

/// Which draft an object was written in (docs/spec/physics.md 2).
typedef enum tdDialect
{
    TD_DIALECT_KHR_2023_08, // K0
    TD_DIALECT_KHR_SEED,    // K1
    TD_DIALECT_KHR_2024_06, // K1a
    TD_DIALECT_KHR_2024_07, // K1b
    TD_DIALECT_KHR_RC,      // K2
    TD_DIALECT_KHR_2026,    // K3
    TD_DIALECT_MSFT,        // M, MSFT_rigid_bodies
    TD_DIALECT_MSFT_2022,   // M, MSFT_physics
    TD_DIALECT_OMI_EARLY,   // O1
    TD_DIALECT_OMI_2023_06, // O1s
    TD_DIALECT_OMI_CURRENT, // O2
    TD_DIALECT_COUNT
} tdDialect;

/// Shape tables of a file. The shapes of one table are contiguous.
typedef enum tdShapeTable
{
    TD_TABLE_NONE = -1,
    TD_TABLE_IMPLICIT_SHAPES,  // KHR_implicit_shapes.shapes
    TD_TABLE_COLLISION_SHAPES, // KHR_collision_shapes.shapes
    TD_TABLE_MSFT_PRIMITIVES,  // MSFT_collision_primitives.colliders
    TD_TABLE_OMI_SHAPES,       // OMI_physics_shape.shapes
    TD_TABLE_OMI_COLLIDERS,    // OMI_collider.colliders
    TD_TABLE_INLINE,           // MSFT_physics: on the node itself, in no table
    TD_TABLE_COUNT
} tdShapeTable;

/// A body of the file. Static ones own their colliders (OMI) and can be a side of a joint, but never move.
typedef struct tdPhysicsBody
{
    int node;
    tdDialect dialect;
    tdMotion motion;
    tdTransform frame;      // of the node in the world at load; scale dropped
    bool hasMass;           // the file gives it; else it is computed from the colliders
    float mass;             // kg; may be INFINITY. Always set: given or computed
    tdVec3 centerOfMass;    // in the body's frame, scale applied. Always set
    tdVec3 inertiaDiagonal; // kg m^2; INFINITY: no rotation about that axis. Always set
    tdQuat inertiaOrientation;
    tdVec3 linearVelocity;  // of the centre of mass, in the world, m/s
    tdVec3 angularVelocity; // in the world, rad/s
    float gravityFactor;
    bool isNested;     // an ancestor has a motion, too
    int colliderCount; // triggers included
    // Values of the file itself, for animated properties and conversion; NAN where it gives none.
    float fileMass;
    tdVec3 fileCenterOfMass, fileInertiaDiagonal;
    tdQuat fileInertiaOrientation;
    bool hasTensor; // early OMI: the inertia comes from a tensor of nine numbers
    tdVec3 fileLinearVelocity, fileAngularVelocity; // in node space
} tdPhysicsBody;

/// A shape entry of the file (KHR_implicit_shapes.shapes[i] and peers), or a geometry given by node or mesh.
typedef struct tdPhysicsShape
{
    tdDialect dialect;
    int fileShape; // index in the file's table; -1: in none (geometry by node or mesh, MSFT_physics)
    int geometryNode, geometryMesh; // -1: none
    bool isConvexHull;              // for mesh geometry: the file asks for its hull
    int skin;                       // for mesh geometry: skin that deforms it; -1
    const float* weights;           // for mesh geometry: morph weights; NULL: those of the mesh
    int weightCount;
    bool useNodeWeights;          // for mesh geometry: morph weights of the collider's node
    tdShapeParameters parameters; // implicit kinds: the file's numbers; hull and mesh: the kind alone
    tdShapeGeometry geometry;     // of the parameters, unscaled, in the node's space
} tdPhysicsShape;

typedef struct tdPhysicsCollider
{
    int node;
    tdDialect dialect;
    int body; // nearest body at or above the node; -1: static
    bool isTrigger;
    int shape;                  // in tdPhysicsScene.shapes
    bool useNodeWeights;        // mesh geometry has the morph weights of the node
    tdShapePlacement placement; // of the shape in its body, or in the world
    /// Ready for the engine: in the body's frame (static: in the world), scale applied. The asset owns
    /// hulls and meshes, which are cooked with this scale.
    tdShapeGeometry geometry;
    const struct tdGeometry* cooked; // hull and mesh kinds: the handle behind `geometry`
    int material;                    // -1: default (0.6, 0.6, 0, unspecified)
    int filter;                      // -1: collides with everything
} tdPhysicsCollider;

typedef struct tdPhysicsMaterial
{
    tdDialect dialect;
    int fileMaterial;
    float staticFriction, dynamicFriction, restitution;
    tdCombine frictionCombine, restitutionCombine;
} tdPhysicsMaterial;

/// System names are interned: numbers index tdPhysicsScene.systemNames.
typedef struct tdPhysicsFilter
{
    tdDialect dialect;
    int fileFilter;     // -1: written at its collider (MSFT_physics)
    const int* systems; // ascending
    int systemCount;
    const int* collideWith; // NULL: absent (an empty list counts as absent)
    int collideWithCount;
    const int* notCollideWith; // NULL: absent
    int notCollideWithCount;
} tdPhysicsFilter;

/// Limits and drives of a joint, shared by all nodes that refer to it. Angles in rad, open ends are infinite.
typedef struct tdPhysicsJointDesc
{
    tdDialect dialect;
    int fileJoint; // index in the file's table; -1: made from O1 or MSFT_physics constraints of one node
    const tdJointLimit* limits;
    const int* fileLimits; // per limit: index in the file's limit list (a limit may be split)
    int limitCount;
    const tdJointDrive* drives;
    const int* fileDrives; // per drive: index in the file's list
    int driveCount;
} tdPhysicsJointDesc;

typedef struct tdPhysicsJoint
{
    int node, connectedNode; // O1: nodeA and nodeB of the joint node `fileNode`; -1: the world (MSFT_physics)
    int fileNode;            // the node that holds the joint
    bool hasTwoFrames; // `node` and `connectedNode` are the frames; O1: usually false, `fileNode` is both
    tdDialect dialect;
    int desc;
    int bodyA, bodyB;           // -1: fixed in the world
    tdTransform frameA, frameB; // in their bodies, or in the world
    int staticColliderA,
        staticColliderB; // the collider excluded on a side without a motion (docs/spec/physics.md 6.5); -1
    bool enableCollision;
} tdPhysicsJoint;

/// A compound trigger: the union of several trigger colliders, with events of its own node.
typedef struct tdPhysicsTrigger
{
    int node;
    const int* colliders; // its parts
    int colliderCount;
    int parent; // the compound trigger that this one is part of; -1: none
} tdPhysicsTrigger;

struct tdPhysicsScene
{
    const tdPhysicsBody* bodies;
    int bodyCount;
    const tdPhysicsShape* shapes;
    int shapeCount;
    int shapeTableStarts[TD_TABLE_COUNT], shapeTableCounts[TD_TABLE_COUNT]; // 0 where there is none
    const tdPhysicsCollider* colliders;
    int colliderCount;
    const tdPhysicsMaterial* materials;
    int materialCount, khrMaterialCount; // KHR's first, then OMI's; likewise below
    const tdPhysicsFilter* filters;
    int filterCount, khrFilterCount;
    const char* const* systemNames;
    int systemCount;
    const tdPhysicsJointDesc* jointDescs;
    int jointDescCount, khrJointDescCount,
        omiJointDescCount; // KHR's with one per MSFT_physics joint; at last one per early OMI joint
    const tdPhysicsJoint* joints;
    int jointCount;
    const tdPhysicsTrigger* triggers;
    int triggerCount;
    struct tdGeometry* const*
        geometries; // cooked hulls and meshes, freed with the asset; entries may be NULL
    int geometryCount;
    bool isCooked; // hulls and meshes can be simulated (TD_LOAD_SIMULATION); else `cooked` of a collider
                   // is a mesh without triangles, or NULL for a hull
    const int* bodyOfNode; // by node: the nearest body at or above it; -1: none
};
