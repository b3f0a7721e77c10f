// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// describe.h: what a file holds, as plain structs to read: for tools, viewers and bindings. A NULL asset or
// an index out of range gives a struct of zeros; all strings are then "". Strings belong to the asset.
#pragma once

#include "asset.h"
#include "joint.h"

typedef enum tdFileKind
{
    TD_FILE_KIND_GLTF,
    TD_FILE_KIND_GLB,
    TD_FILE_KIND_BVH,
} tdFileKind;

typedef struct tdAssetInfo
{
    tdFileKind kind;
    size_t byteCount;            // of the file itself, without the files it refers to
    const char* version;         // of glTF, such as "2.0"
    const char* generator;       // the program that wrote the file
    int sceneCount, activeScene; // active -1: the file names none
    int nodeCount, treeDepth;    // depth 1: roots alone
    int meshCount, skinCount, animationCount;
    int materialCount, textureCount, imageCount;
    int bufferCount;
    size_t bufferBytes; // of all buffers, as the file says
    int64_t vertexCount, triangleCount;
    int extensionCount;
    int bodyCount, colliderCount, jointCount;
    int physicsMaterialCount, filterCount, compoundTriggerCount;
    int constraintCount, boneCount, expressionCount;
} tdAssetInfo;

TD_API tdAssetInfo tdDescribeAsset(const tdAsset* asset);

/// An extension that the file names, and what Tendon does about it: "played", "read", "kept", "refused" or
/// "unknown".
typedef struct tdExtensionInfo
{
    const char* name;
    const char* support;
    bool isRequired;
} tdExtensionInfo;

TD_API tdExtensionInfo tdDescribeExtension(const tdAsset* asset, int extension);

typedef struct tdSceneInfo
{
    const char* name;
    int rootCount;
    int bodyCount, colliderCount, jointCount; // of actors of this scene (tdActorDef.scene)
} tdSceneInfo;

TD_API tdSceneInfo tdDescribeScene(const tdAsset* asset, int scene);

typedef struct tdNodeInfo
{
    const char* name;
    int parent;     // -1: root
    int mesh, skin; // -1: none
    int body;       // that this node is; -1: none
    tdTrs local;    // rest pose
} tdNodeInfo;

TD_API tdNodeInfo tdDescribeNode(const tdAsset* asset, int node);
/// Nodes in tree order, parents before their children: position -> node; -1 out of range.
TD_API int tdAsset_GetOrderedNode(const tdAsset* asset, int position);

typedef struct tdMeshInfo
{
    const char* name;
    int primitiveCount, morphTargetCount;
    int64_t vertexCount, triangleCount;
} tdMeshInfo;

TD_API tdMeshInfo tdDescribeMesh(const tdAsset* asset, int mesh);

typedef struct tdAnimationInfo
{
    const char* name;
    float duration; // s
    int channelCount;
    int nodeCount; // nodes it moves
    int64_t keyCount;
} tdAnimationInfo;

TD_API tdAnimationInfo tdDescribeAnimation(const tdAsset* asset, int animation);

typedef struct tdConstraintInfo
{
    int node, source; // the node that is turned, and the one it follows
    const char* kind; // "roll", "aim" or "rotation"
    const char* axis; // as the file spells it ("X", "NegativeZ"), "" for rotation
    float weight;     // 0 to 1
    bool isInCycle;   // stays at rest
} tdConstraintInfo;

/// In order of evaluation.
TD_API tdConstraintInfo tdDescribeConstraint(const tdAsset* asset, int constraint);
/// The constraints (by place in the order of evaluation, ascending) that one depends on.
/// @return how many there are; at most `capacity` are written
TD_API int tdAsset_GetConstraintDependencies(const tdAsset* asset, int constraint, int* places, int capacity);

/// A range map of the gaze: angles up to `inputMax` degrees give up to `outputScale`, degrees of an eye or
/// weight of an expression.
typedef struct tdGazeRange
{
    float inputMax, outputScale;
} tdGazeRange;

/// The humanoid of a VRM, a VRM Animation, or of joint names.
typedef struct tdHumanoidInfo
{
    const char* kind;   // "VRM 1.0", "VRM 0.x", "VRM Animation", "joint names"; "" when there is none
    int boneCount;      // bones the model has
    float hipsHeight;   // m, at rest
    bool facesBackward; // -Z, as VRM 0.x does
    float armAngles[2]; // left, right: how far the arm points away from the T-pose, degrees; -1: no arm
    float legAngles[2]; // the same of the legs, which point down
    const char* lookAt; // "bone", "expression", "" for none
    tdVec3 gazeOffset;  // of the gaze from the head, m; the head's frame, +Z forward
    tdGazeRange gazeRanges[4]; // inner, outer, down, up
    int expressionCount;       // of the model
    int motionExpressions;     // of a VRM Animation
    bool hasMotionGaze;        // of a VRM Animation
} tdHumanoidInfo;

TD_API tdHumanoidInfo tdDescribeHumanoid(const tdAsset* asset);

/// One of the 55 VRM bones (pose.h gives their names).
typedef struct tdHumanBoneInfo
{
    const char* name;
    int node;            // -1: the model lacks it
    int parent;          // bone it hangs on, of those the model has; -1: none
    bool isRequired;     // by VRM 1.0
    tdQuat restRotation; // of the node
    int foldCount;       // missing bone: how many bones take over its rotation
    int foldsInto[8];    // those bones, the first of them
} tdHumanBoneInfo;

TD_API tdHumanBoneInfo tdDescribeBone(const tdAsset* asset, int bone);

typedef struct tdExpressionInfo
{
    const char* name;
    bool isPreset, isBinary;
    int morphBindCount;
    const char* overrideBlink; // "none", "block" or "blend"
    const char* overrideLookAt;
    const char* overrideMouth;
} tdExpressionInfo;

/// Of the model, in the order of the file.
TD_API tdExpressionInfo tdDescribeExpression(const tdAsset* asset, int expression);
/// Name of an expression that a VRM Animation carries; "" out of range.
TD_API const char* tdDescribeMotionExpression(const tdAsset* asset, int index);

/// Physics. `dialect` names the draft an object was written in, such as "KHR release candidate". Bodies,
/// colliders and joints are those of one scene: of the file's own, or of the one given to tdDescribeScene….
typedef struct tdBodyInfo
{
    int node;
    const char* dialect;
    tdMotion motion;
    float mass;   // kg, computed from the colliders where the file is silent; INFINITY: immovable
    bool hasMass; // the file gives it
    int colliderCount;
    tdVec3 linearVelocity;  // m/s
    tdVec3 angularVelocity; // rad/s
    float gravityFactor;
    tdVec3 centerOfMass;       // in the body: its node without scale
    tdVec3 inertiaDiagonal;    // kg m^2 about the centre of mass; a component INFINITY: no turning about it
    tdQuat inertiaOrientation; // of its axes in the body
} tdBodyInfo;

TD_API tdBodyInfo tdDescribeBody(const tdAsset* asset, int body);
/// @param scene -1: the file's own
TD_API tdBodyInfo tdDescribeSceneBody(const tdAsset* asset, int scene, int body);

typedef struct tdColliderInfo
{
    int node, body; // body -1: static
    const char* dialect;
    const char* shape; // "sphere", "box", "capsule", "cylinder", "plane", "hull", "mesh"
    bool isTrigger;
    int material, filter; // -1: none
    float size[3]; // m, scale applied: sphere radius; box lengths; capsule (between the balls) and cylinder
                   // height, bottom and top radius; plane X, Z, INFINITY where it has no end
    bool isStretched; // uneven scale or shear on top of `size`
    int elementCount; // corners of a hull, triangles of a mesh; else 0
} tdColliderInfo;

TD_API tdColliderInfo tdDescribeCollider(const tdAsset* asset, int collider);
/// @param scene -1: the file's own
TD_API tdColliderInfo tdDescribeSceneCollider(const tdAsset* asset, int scene, int collider);

/// A trigger that acts as one for several others.
typedef struct tdCompoundTriggerInfo
{
    int node;
    int partCount; // colliders that are triggers, by tdDescribeTriggerPart
    int parent;    // the compound that this one is itself a part of; -1: none
} tdCompoundTriggerInfo;

TD_API tdCompoundTriggerInfo tdDescribeCompoundTrigger(const tdAsset* asset, int trigger);
/// @return the collider; -1 out of range
TD_API int tdDescribeTriggerPart(const tdAsset* asset, int trigger, int part);

typedef struct tdMaterialInfo
{
    float staticFriction, dynamicFriction, restitution;
    tdCombine frictionCombine, restitutionCombine;
    const char* dialect;
} tdMaterialInfo;

TD_API tdMaterialInfo tdDescribeMaterial(const tdAsset* asset, int material);

/// A collision filter: how many systems it is in, must and must not meet. Names by tdDescribeFilterSystem.
typedef struct tdFilterInfo
{
    int systemCount, collideWithCount, notCollideWithCount;
    const char* dialect;
} tdFilterInfo;

typedef enum tdFilterList
{
    TD_FILTER_SYSTEMS,
    TD_FILTER_COLLIDE_WITH,
    TD_FILTER_NOT_COLLIDE_WITH,
} tdFilterList;

TD_API tdFilterInfo tdDescribeFilter(const tdAsset* asset, int filter);
TD_API const char* tdDescribeFilterSystem(const tdAsset* asset, int filter, tdFilterList list, int index);
/// Whether colliders with these filters collide; -1 stands for a collider without one.
TD_API bool tdAsset_DoFiltersCollide(const tdAsset* asset, int filterA, int filterB);

typedef struct tdJointInfo
{
    int node, connectedNode; // -1: no far side is named, the joint is fixed in the world (MSFT_physics)
    const char* dialect;
    int bodyA, bodyB; // -1: fixed in the world
    bool enableCollision;
    const tdJointLimit* limits; // belong to the asset; tdClassifyJoint says what they amount to
    int limitCount;
    const tdJointDrive* drives;
    int driveCount;
} tdJointInfo;

TD_API tdJointInfo tdDescribeJoint(const tdAsset* asset, int joint);
/// @param scene -1: the file's own
TD_API tdJointInfo tdDescribeSceneJoint(const tdAsset* asset, int scene, int joint);
