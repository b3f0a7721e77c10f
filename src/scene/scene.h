// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The scene: the content of a file as plain immutable arrays by glTF index. No JSON, no files, no state that
// changes. Import makes it; describe, anim, runtime and output read it. All memory belongs to the asset's
// arena.
//
// Invariants that import establishes:
// 1. `order` holds every node once, in depth-first pre-order: parents before children, subtrees contiguous.
// 2. Indices are in range or -1. Numbers are finite. Rotations are unit length.
// 3. A channel's key times increase strictly and start at 0 or later; its values fit its target.
#pragma once

#include "math/vecmath.h"

#include "tendon/describe.h"

typedef struct tdPhysicsScene tdPhysicsScene; // scene/physics_scene.h: bodies, colliders, joints, materials
typedef struct tdConstraintList tdConstraintList; // constraint/constraint_list.h: node constraints
typedef struct tdSpringList tdSpringList;         // spring/spring_list.h: spring bones
typedef struct tdHumanoid tdHumanoid;             // scene/humanoid.h: bones, expressions, look-at

typedef struct tdNodeTree
{
    int count;
    const char* const* names; // by node; "" when the file gives none
    const int* parents;       // by node; -1: root
    const tdTrs* locals;      // by node: rest pose; a matrix is decomposed
    const tdMat4* matrices;   // by node; NULL when no node shears; else the file's matrix where `isSheared`
    const bool* isSheared;    // by node; NULL when none: the matrix replaces the local until a local is set
    const int* order;         // position -> node
    const int* positions;     // node -> position in `order`
    const int* subtreeEnds;   // position -> one past the last position of that node's subtree
    const int* meshes;        // by node; -1: none
    const int* skins;         // by node; -1: none
    const int* weightStarts;  // by node, count + 1 entries: its morph weights are [start, next start)
    const float* weights;     // rest values of all nodes' morph weights (node's own, else the mesh's)
} tdNodeTree;

typedef struct tdSceneRoots
{
    const char* name;
    const int* nodes;
    int count;
} tdSceneRoots;

typedef enum tdPrimitiveMode
{
    TD_PRIMITIVE_POINTS,
    TD_PRIMITIVE_LINES,
    TD_PRIMITIVE_TRIANGLES, // strips and fans are turned into lists
} tdPrimitiveMode;

typedef struct tdPrimitive
{
    tdPrimitiveMode mode;
    int fileIndex; // in the file's mesh
    const tdVec3* positions;
    int vertexCount;
    const uint32_t* indices; // NULL: 0, 1, 2, …
    int indexCount;          // of `indices`, or vertexCount
    const tdVec3* const*
        targets; // morph targets' position differences; an entry is NULL when the target has none
    int targetCount;
    const uint16_t* joints; // 4 per vertex, NULL when not skinned
    const float* jointWeights;
} tdPrimitive;

typedef struct tdMesh
{
    const char* name;
    const tdPrimitive* primitives;
    int primitiveCount;
    int packedPrimitive;  // index in the file of the first one that only Draco contains; -1: none
    const float* weights; // default morph weights
    int weightCount;
} tdMesh;

typedef struct tdSkin
{
    const int* joints;                 // nodes
    const tdMat4* inverseBindMatrices; // NULL: identity
    int jointCount;
} tdSkin;

/// Properties that a channel can drive. Those of nodes come first; for those of physics see
/// docs/spec/physics.md, section 11.
typedef enum tdPropertyKind
{
    TD_PROPERTY_TRANSLATION, // object = node
    TD_PROPERTY_ROTATION,
    TD_PROPERTY_SCALE,
    TD_PROPERTY_WEIGHTS,                  // all of a node's morph weights
    TD_PROPERTY_WEIGHT,                   // one of them: element
    TD_PROPERTY_EXPRESSION,               // object = expression of the humanoid
    TD_PROPERTY_LOOK_AT,                  // rotation of the gaze
    TD_PROPERTY_MATERIAL_VALUE,           // object = material value
    TD_PROPERTY_MATERIAL_STATIC_FRICTION, // object = material
    TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION,
    TD_PROPERTY_MATERIAL_RESTITUTION,
    TD_PROPERTY_LIMIT_MIN, // object = joint description, element = limit
    TD_PROPERTY_LIMIT_MAX,
    TD_PROPERTY_LIMIT_STIFFNESS,
    TD_PROPERTY_LIMIT_DAMPING,
    TD_PROPERTY_DRIVE_MAX_FORCE, // object = joint description, element = drive
    TD_PROPERTY_DRIVE_POSITION_TARGET,
    TD_PROPERTY_DRIVE_VELOCITY_TARGET,
    TD_PROPERTY_DRIVE_STIFFNESS,
    TD_PROPERTY_DRIVE_DAMPING,
    TD_PROPERTY_MOTION_IS_KINEMATIC, // object = node
    TD_PROPERTY_MOTION_MASS,
    TD_PROPERTY_MOTION_CENTER_OF_MASS,
    TD_PROPERTY_MOTION_INERTIA_DIAGONAL,
    TD_PROPERTY_MOTION_INERTIA_ORIENTATION,
    TD_PROPERTY_MOTION_LINEAR_VELOCITY,
    TD_PROPERTY_MOTION_ANGULAR_VELOCITY,
    TD_PROPERTY_MOTION_GRAVITY_FACTOR,
    TD_PROPERTY_JOINT_ENABLE_COLLISION, // object = node that holds the joint
    TD_PROPERTY_SHAPE_SIZE,             // object = shape; element = component, or -1 for a whole box size
    TD_PROPERTY_SHAPE_RADIUS,
    TD_PROPERTY_SHAPE_HEIGHT,
    TD_PROPERTY_SHAPE_RADIUS_TOP,
    TD_PROPERTY_SHAPE_RADIUS_BOTTOM,
    TD_PROPERTY_SHAPE_SIZE_X,
    TD_PROPERTY_SHAPE_SIZE_Z,
    TD_PROPERTY_SHAPE_DOUBLE_SIDED,
    TD_PROPERTY_KIND_COUNT
} tdPropertyKind;

/// Properties that are sampled and applied in one way.
typedef enum tdPropertyClass
{
    TD_PROPERTY_CLASS_LOCAL, // translation, rotation or scale of a node
    TD_PROPERTY_CLASS_MORPH,
    TD_PROPERTY_CLASS_EXPRESSION,
    TD_PROPERTY_CLASS_LOOK_AT,
    TD_PROPERTY_CLASS_MATERIAL_VALUE,
    TD_PROPERTY_CLASS_MATERIAL, // this one and those below: physics
    TD_PROPERTY_CLASS_LIMIT,
    TD_PROPERTY_CLASS_DRIVE,
    TD_PROPERTY_CLASS_MOTION,
    TD_PROPERTY_CLASS_JOINT,
    TD_PROPERTY_CLASS_SHAPE,
} tdPropertyClass;

/// Class of a kind. Code that handles properties switches over the class without `default`, so that the
/// compiler finds it when a kind or class is added.
tdPropertyClass tdPropertyKind_GetClass(tdPropertyKind kind);

/// The path of a channel target that drives a node property ("translation", "rotation", "scale", "weights");
/// NULL for other kinds.
const char* tdPropertyKind_GetPath(tdPropertyKind kind);

typedef struct tdProperty
{
    tdPropertyKind kind;
    int object;
    int element; // -1 when the kind has no parts
} tdProperty;

typedef enum tdInterpolation
{
    TD_INTERPOLATION_STEP,
    TD_INTERPOLATION_LINEAR,
    TD_INTERPOLATION_CUBICSPLINE, // values: in-tangent, value, out-tangent per key
} tdInterpolation;

/// One animated property. Values are floats, normalised integers already converted; `width` of them per
/// value.
typedef struct tdChannel
{
    tdProperty target;
    tdInterpolation interpolation;
    bool isRotation; // interpolate as unit quaternions
    int width;       // floats per value
    int keyCount;
    const float* times; // s
    const float* values;
    int fileChannel; // index in the file's animation, for diagnostics; -1 when made by Tendon
} tdChannel;

typedef struct tdAnimation
{
    const char* name; // "" when the file gives none
    const tdChannel* channels;
    int channelCount;
    float duration; // s, time of the last key of any channel
} tdAnimation;

/// An extension that the file names.
typedef struct tdExtensionUse
{
    const char* name;
    tdSupport support;
    bool isRequired;
} tdExtensionUse;

/// Facts about the file itself; zeros where unknown.
typedef struct tdFileFacts
{
    int kind;         // tdFileKind (describe.h)
    size_t byteCount; // of the file itself
    const char* version;
    const char* generator;
    int materialCount, textureCount, imageCount, bufferCount;
    size_t bufferBytes;               // of all buffers, by their byteLength
    const tdExtensionUse* extensions; // in the file's order
    int extensionCount;
} tdFileFacts;

typedef struct tdScene
{
    tdFileFacts file;
    tdNodeTree nodes;
    const tdSceneRoots* roots; // one entry per scene of the file
    int rootsCount;
    int activeScene; // the file's `scene`, else 0; -1 when the file has no scenes: then all roots count
    const tdMesh* meshes;
    int meshCount;
    const tdSkin* skins;
    int skinCount;
    const tdAnimation* animations;
    int animationCount;
    const tdPhysicsScene* physics; // of the active scene. NULL: none
    const tdPhysicsScene* const*
        otherPhysics;                    // by scene: of the other scenes, entries may be NULL. NULL: none
    const tdConstraintList* constraints; // NULL: none
    const tdHumanoid* humanoid;          // NULL: none
    const struct tdMaterialValue* materialValues; // those that expressions or animations change
    int materialValueCount;
    const tdSpringList* springs; // NULL: none
} tdScene;

static inline bool tdIsIndex(int index, int count)
{
    return index >= 0 && index < count;
}

/// Physics of one of the file's scenes.
/// @param index out of range: the active scene
/// @return NULL: none
const tdPhysicsScene* tdScene_GetPhysics(const tdScene* scene, int index);

/// True if `ancestor` is a proper ancestor of `node`.
bool tdNodeTree_IsAncestor(const tdNodeTree* nodes, int ancestor, int node);
