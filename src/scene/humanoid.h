// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The humanoid of an asset: bones, expressions and gaze. It comes from VRM 1.0, VRM 0.x or VRM Animation, or
// is found by joint names (BVH, Mixamo-style glTF). See docs/spec/vrm.md and docs/decisions/030.
#pragma once

#include "scene.h"

#include "tendon/describe.h"

/// The 55 bones of VRM 1.0, parents before children.
typedef enum tdBone
{
#define TD_BONE(identifier, name, parent, isRequired, needsParent) TD_BONE_##identifier,
#include "bones.def"
#undef TD_BONE
    TD_BONE_COUNT,
    TD_BONE_NONE = -1,
} tdBone;

typedef struct tdBoneInfo
{
    const char* name;
    tdBone parent; // of the table; TD_BONE_NONE for hips
    bool isRequired;
    bool needsParent; // upperChest, finger segments
} tdBoneInfo;

const tdBoneInfo* tdBone_GetInfo(tdBone bone);
/// Bone of a VRM bone name; TD_BONE_NONE if there is none.
tdBone tdBone_Find(const char* name, size_t length);

typedef enum tdExpressionPreset
{
#define TD_PRESET(identifier, name, group) TD_PRESET_##identifier,
#include "presets.def"
#undef TD_PRESET
    TD_PRESET_COUNT,
    TD_PRESET_NONE = -1, // a custom expression
} tdExpressionPreset;

/// Groups of presets that other expressions can override.
typedef enum tdExpressionGroup
{
    TD_GROUP_NONE,
    TD_GROUP_BLINK,
    TD_GROUP_LOOK_AT,
    TD_GROUP_MOUTH,
    TD_GROUP_COUNT
} tdExpressionGroup;

const char* tdExpressionPreset_GetName(tdExpressionPreset preset);
tdExpressionGroup tdExpressionPreset_GetGroup(tdExpressionPreset preset);
tdExpressionPreset tdExpressionPreset_Find(const char* name, size_t length);

typedef struct tdMorphBind
{
    int node;   // with a mesh
    int target; // of its morph weights
    float weight;
} tdMorphBind;

/// A value of a material that expressions or animations change. Components beyond `width` are 0.
typedef struct tdMaterialValue
{
    int material;
    const char* texture; // "" for colours
    tdMaterialValueKind kind;
    int width;
    float base[4];
    const char* pointer; // of the value in the document
} tdMaterialValue;

/// value = base + sum over expressions of output * (target - base)
typedef struct tdMaterialBind
{
    int value; // of tdScene.materialValues
    float target[4];
} tdMaterialBind;

/// A string, number or boolean of the model's meta, or an element of a list.
typedef struct tdMetaEntry
{
    const char *key, *value;
    bool isText, isElement;
} tdMetaEntry;

typedef struct tdMeshAnnotation
{
    int node; // with a mesh
    tdFirstPersonType type;
} tdMeshAnnotation;

typedef struct tdExpression
{
    const char* name;
    tdExpressionPreset preset;
    bool isBinary;
    tdExpressionOverride overrides[TD_GROUP_COUNT]; // of the group
    const tdMorphBind* binds;
    int bindCount;
    const tdMaterialBind* materialBinds;
    int materialBindCount;
} tdExpression;

/// output = min(|angle|, inputMaxValue) / inputMaxValue * outputScale, sign kept. Degrees in; degrees out for
/// bones, weights for expressions.
typedef struct tdRangeMap
{
    float inputMaxValue, outputScale;
} tdRangeMap;

typedef struct tdLookAt
{
    tdLookAtType type;
    tdVec3 offsetFromHeadBone; // m, in the head's frame; of VRM 0.x turned to face +Z
    tdRangeMap horizontalInner, horizontalOuter, verticalDown, verticalUp;
} tdLookAt;

/// VRMC_vrm_animation: a node whose translation along X is the weight of an expression.
typedef struct tdExpressionNode
{
    const char* name;
    tdExpressionPreset preset;
    int node;
} tdExpressionNode;

/// The T-pose of a humanoid whose nodes hold another pose or whose body faces another way.
typedef struct tdTpose
{
    tdQuat frame; // takes a body that faces +Z and stands along +Y to that of the file, model space
    const tdQuat* rotations; // local, by node; NULL: those of the nodes
    tdVec3 hips;             // position of the hips, model space
} tdTpose;

/// Where the map of a bone comes from.
typedef enum tdBoneEvidence
{
    TD_BONE_BY_FILE, // the file's own map, or no map at all
    TD_BONE_BY_NAME,
    TD_BONE_BY_PLACE, // the hierarchy
    TD_BONE_BY_MAP,   // tdLoadDef.boneMap
} tdBoneEvidence;

/// How sure a bone's map is.
typedef struct tdBoneMatch
{
    tdBoneEvidence evidence;
    float confidence; // 0 to 1
} tdBoneMatch;

struct tdHumanoid
{
    tdHumanoidKind kind;
    int nodes[TD_BONE_COUNT];   // -1: the model lacks the bone
    const int* boneOfNode;      // by node; TD_BONE_NONE for other nodes
    bool isHalfTurned;          // faces -Z (VRM 0.x)
    bool foldsUnmapped;         // rotations of nodes between two bones belong to the lower bone
    const tdTpose* tpose;       // NULL: the rest pose of the nodes; isHalfTurned gives the facing
    tdRestSource restSource;    // of the T-pose
    int restCorrections;        // limbs that were turned to the T-pose
    const tdBoneMatch* matches; // by bone; NULL: the file maps the bones
    const tdExpression* expressions;
    int expressionCount;
    tdLookAt lookAt;
    const tdMetaEntry* meta; // in file order
    int metaCount;
    const tdMeshAnnotation* annotations; // one per node at most
    int annotationCount;
    const tdExpressionNode* expressionNodes; // VRMA
    int expressionNodeCount;
    int gazeNode;     // VRMA: -1 when there is none
    float hipsHeight; // m, model space at rest
};

/// Nearest ancestor in the bone table that the model has; TD_BONE_NONE if there is none.
tdBone tdHumanoid_GetParent(const tdHumanoid* humanoid, tdBone bone);
/// Rotation that takes a body that faces +Z and stands along +Y to that of the file, model space.
tdQuat tdHumanoid_GetFrame(const tdHumanoid* humanoid);
/// Local rotation of a node in the T-pose.
tdQuat tdHumanoid_GetRestRotation(const tdHumanoid* humanoid, const tdNodeTree* nodes, int node);
