// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// describe.h: what a file holds, as plain structs to read: for tools, viewers and bindings. A NULL asset or
// an index out of range gives a struct of zeros; all strings are then "". Strings belong to the asset.
#pragma once

#include "asset.h"
#include "physics.h"

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

typedef struct tdBodyInfo
{
    int node;
    tdMotion motion;
    float mass;   // kg, computed from the colliders where the file is silent; INFINITY: immovable
    bool hasMass; // the file gives it
    int colliderCount;
    tdVec3 linearVelocity;  // m/s
    tdVec3 angularVelocity; // rad/s
    float gravityFactor;
} tdBodyInfo;

TD_API tdBodyInfo tdDescribeBody(const tdAsset* asset, int body);

typedef struct tdColliderInfo
{
    int node, body;    // body -1: static
    const char* shape; // "sphere", "box", "capsule", "cylinder", "hull", "mesh", "plane"
    bool isTrigger;
} tdColliderInfo;

TD_API tdColliderInfo tdDescribeCollider(const tdAsset* asset, int collider);

typedef struct tdJointInfo
{
    int node, connectedNode;
    int bodyA, bodyB; // -1: fixed in the world
    int limitCount, driveCount;
} tdJointInfo;

TD_API tdJointInfo tdDescribeJoint(const tdAsset* asset, int joint);
