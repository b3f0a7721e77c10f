// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// describe.h: contents of a file as plain structs, for tools, viewers and bindings. A NULL asset or an index
// out of range gives a struct of zeros with empty strings. Strings and arrays belong to the asset. Names of
// enumerators are static strings. Nothing here allocates.
#pragma once

#include "asset.h"
#include "joint.h"

/// Kind of file.
typedef enum tdFileKind
{
    TD_FILE_KIND_GLTF,
    TD_FILE_KIND_GLB,
    TD_FILE_KIND_BVH,
} tdFileKind;

/// Counts and properties of a whole file.
typedef struct tdAssetInfo
{
    tdFileKind kind;
    size_t byteCount;            // of the file itself, without the files it refers to
    const char* version;         // of glTF, such as "2.0"
    const char* generator;       // program that wrote the file
    int sceneCount, activeScene; // activeScene -1: the file names none
    int nodeCount, treeDepth;    // treeDepth 1: only roots
    int meshCount, skinCount, animationCount;
    int materialCount, textureCount, imageCount;
    int bufferCount;
    size_t bufferBytes; // of all buffers, as declared
    int64_t vertexCount, triangleCount;
    int extensionCount;
    int bodyCount, colliderCount, jointCount;
    int physicsMaterialCount, filterCount, compoundTriggerCount;
    int constraintCount, boneCount, expressionCount;
} tdAssetInfo;

/// Describe a whole file.
TD_API tdAssetInfo tdDescribeAsset(const tdAsset* asset);

/// How Tendon treats an extension.
typedef enum tdSupport
{
    TD_SUPPORT_UNKNOWN, // preserved
    TD_SUPPORT_PLAYED,  // acted on: moves, simulates, retargets
    TD_SUPPORT_READ,    // read for geometry or keys
    TD_SUPPORT_KEPT,    // known, irrelevant to motion (rendering, metadata); preserved
    TD_SUPPORT_REFUSED, // concerns motion, but Tendon does not act on it; preserved
} tdSupport;

/// Name of a treatment: "unknown", "played", "read", "kept" or "refused".
TD_API const char* tdSupport_GetName(tdSupport support);

/// An extension that the file names.
typedef struct tdExtensionInfo
{
    const char* name;
    tdSupport support;
    bool isRequired;
} tdExtensionInfo;

/// Describe an extension, 0 to extensionCount - 1.
TD_API tdExtensionInfo tdDescribeExtension(const tdAsset* asset, int extension);

/// A scene.
typedef struct tdSceneInfo
{
    const char* name;
    int rootCount;
    int bodyCount, colliderCount, jointCount; // of actors of this scene (tdActorDef.scene)
} tdSceneInfo;

/// Describe a scene, 0 to sceneCount - 1.
TD_API tdSceneInfo tdDescribeScene(const tdAsset* asset, int scene);

/// A node.
typedef struct tdNodeInfo
{
    const char* name;
    int parent;     // -1: root
    int mesh, skin; // -1: none
    int body;       // body of this node; -1: none
    tdTrs local;    // rest pose
} tdNodeInfo;

/// Describe a node, 0 to nodeCount - 1.
TD_API tdNodeInfo tdDescribeNode(const tdAsset* asset, int node);

/// Node at a position of the tree order, in which parents precede their children; -1 out of range.
TD_API int tdAsset_GetOrderedNode(const tdAsset* asset, int position);

/// A mesh.
typedef struct tdMeshInfo
{
    const char* name;
    int primitiveCount, morphTargetCount;
    int64_t vertexCount, triangleCount;
} tdMeshInfo;

/// Describe a mesh, 0 to meshCount - 1.
TD_API tdMeshInfo tdDescribeMesh(const tdAsset* asset, int mesh);

/// An animation.
typedef struct tdAnimationInfo
{
    const char* name;
    float duration; // s
    int channelCount;
    int nodeCount; // nodes it animates
    int64_t keyCount;
} tdAnimationInfo;

/// Describe an animation, 0 to animationCount - 1.
TD_API tdAnimationInfo tdDescribeAnimation(const tdAsset* asset, int animation);

/// Kind of a node constraint.
typedef enum tdConstraintKind
{
    TD_CONSTRAINT_ROLL,
    TD_CONSTRAINT_AIM,
    TD_CONSTRAINT_ROTATION,
} tdConstraintKind;

/// Name of a kind of constraint: "roll", "aim" or "rotation".
TD_API const char* tdConstraintKind_GetName(tdConstraintKind kind);

/// Axis of a node constraint.
typedef enum tdConstraintAxis
{
    TD_CONSTRAINT_AXIS_NONE, // rotation constraints
    TD_CONSTRAINT_AXIS_X,    // roll constraints
    TD_CONSTRAINT_AXIS_Y,
    TD_CONSTRAINT_AXIS_Z,
    TD_CONSTRAINT_AXIS_POSITIVE_X, // aim constraints
    TD_CONSTRAINT_AXIS_POSITIVE_Y,
    TD_CONSTRAINT_AXIS_POSITIVE_Z,
    TD_CONSTRAINT_AXIS_NEGATIVE_X,
    TD_CONSTRAINT_AXIS_NEGATIVE_Y,
    TD_CONSTRAINT_AXIS_NEGATIVE_Z,
} tdConstraintAxis;

/// Name of an axis as files spell it: "X", "PositiveX", "NegativeX", ...; "" for none.
TD_API const char* tdConstraintAxis_GetName(tdConstraintAxis axis);

/// A node constraint.
typedef struct tdConstraintInfo
{
    int node, source; // destination node, and the node it follows
    tdConstraintKind kind;
    tdConstraintAxis axis;
    float weight;   // 0 to 1
    bool isInCycle; // depends on itself and stays at rest
} tdConstraintInfo;

/// Describe a constraint, 0 to constraintCount - 1 in the order of evaluation.
TD_API tdConstraintInfo tdDescribeConstraint(const tdAsset* asset, int constraint);

/// Constraints that a constraint depends on, as ascending indices in the order of evaluation.
/// @param places receives at most `capacity` indices; may be NULL if that is 0
/// @return number of dependencies, which may exceed `capacity`
TD_API int tdAsset_GetConstraintDependencies(const tdAsset* asset, int constraint, int* places, int capacity);

/// A range map of the gaze: angles from 0 to inputMax map linearly to 0 to outputScale.
typedef struct tdGazeRange
{
    float inputMax;    // degrees
    float outputScale; // degrees of an eye, or weight of an expression
} tdGazeRange;

/// Origin of a humanoid.
typedef enum tdHumanoidKind
{
    TD_HUMANOID_NONE,    // the file has no humanoid
    TD_HUMANOID_VRM1,    // VRMC_vrm
    TD_HUMANOID_VRM0,    // VRM; faces -Z
    TD_HUMANOID_VRMA,    // VRMC_vrm_animation
    TD_HUMANOID_BY_NAME, // found by names of joints
} tdHumanoidKind;

/// Name of a kind of humanoid: "VRM 1.0", "VRM 0.x", "VRM Animation" or "joint names"; "" for none.
TD_API const char* tdHumanoidKind_GetName(tdHumanoidKind kind);

/// Output of the gaze.
typedef enum tdLookAtType
{
    TD_LOOK_AT_NONE,
    TD_LOOK_AT_BONE,       // rotates the eyes
    TD_LOOK_AT_EXPRESSION, // sets the expressions lookLeft, lookRight, lookUp, lookDown
} tdLookAtType;

/// Name of a gaze output: "bone" or "expression"; "" for none.
TD_API const char* tdLookAtType_GetName(tdLookAtType type);

/// Origin of the T-pose that retargeting starts from.
typedef enum tdRestSource
{
    TD_REST_SOURCE_NODES, // the rest pose of the nodes; of a BVH: the zero pose
    TD_REST_SOURCE_BIND,  // the inverse bind matrices of a skin
    TD_REST_SOURCE_FRAME, // a frame of an animation
} tdRestSource;

/// Name of an origin: "nodes", "bind" or "frame".
TD_API const char* tdRestSource_GetName(tdRestSource source);

/// The humanoid of a VRM, of a VRM Animation, or found by joint names.
typedef struct tdHumanoidInfo
{
    tdHumanoidKind kind;
    int boneCount;      // bones that the model has
    float hipsHeight;   // m, at rest
    bool facesBackward; // faces -Z, as VRM 0.x does
    float armAngles[2]; // left, right: deviation of the arm from the T-pose, degrees; -1: no arm
    float legAngles[2]; // left, right: deviation of the leg from straight down, degrees; -1: no leg
    tdLookAtType lookAt;
    tdVec3 gazeOffset;         // m, of the gaze's origin from the head, in the head's frame, +Z forward
    tdGazeRange gazeRanges[4]; // inner, outer, down, up
    int expressionCount;       // of the model
    int materialValueCount;    // as tdAsset_GetMaterialValueCount
    int metaCount;             // entries of the model's meta
    int firstPersonCount;      // meshes with a first-person flag
    int motionExpressions;     // of a VRM Animation
    bool hasMotionGaze;        // of a VRM Animation
    tdVec3 forward;            // unit vector: where the body faces at rest, model space
    tdRestSource restSource;   // of the T-pose
    int restCorrections;       // limbs that were turned to the T-pose
} tdHumanoidInfo;

/// Describe the humanoid.
TD_API tdHumanoidInfo tdDescribeHumanoid(const tdAsset* asset);

/// One of the 55 VRM bones (pose.h gives their names).
typedef struct tdHumanBoneInfo
{
    const char* name;
    int node;             // -1: the model lacks the bone
    int parent;           // nearest ancestor bone that the model has; -1: none
    bool isRequired;      // by VRM 1.0
    tdQuat restRotation;  // of the node
    int foldCount;        // missing bone: number of bones that its rotation is folded into
    int foldsInto[8];     // the first of those bones
    float confidence;     // 0 to 1: how well the node fits the bone; 1 where the file maps it
    const char* evidence; // "file", "name", "place" or "map"; "" for a missing bone. A static string
} tdHumanBoneInfo;

/// Describe a bone, 0 to TD_POSE_BONE_COUNT - 1.
TD_API tdHumanBoneInfo tdDescribeBone(const tdAsset* asset, int bone);

/// Effect of an expression on a group of others (blink, lookAt, mouth).
typedef enum tdExpressionOverride
{
    TD_OVERRIDE_NONE,
    TD_OVERRIDE_BLOCK, // any weight above 0 turns the group off
    TD_OVERRIDE_BLEND, // the group fades by the weight
} tdExpressionOverride;

/// Name of an override: "none", "block" or "blend".
TD_API const char* tdExpressionOverride_GetName(tdExpressionOverride override);

/// An expression of a VRM.
typedef struct tdExpressionInfo
{
    const char* name;
    bool isPreset, isBinary;
    int morphBindCount, materialBindCount;
    tdExpressionOverride overrideBlink, overrideLookAt, overrideMouth;
} tdExpressionInfo;

/// Describe an expression of the model, 0 to expressionCount - 1 in file order.
TD_API tdExpressionInfo tdDescribeExpression(const tdAsset* asset, int expression);

/// A morph target that an expression drives.
typedef struct tdMorphBindInfo
{
    int node;     // -1 out of range
    int target;   // index of the node's morph weight
    float weight; // added at the full weight of the expression
} tdMorphBindInfo;

/// Describe a morph target bind of an expression, 0 to morphBindCount - 1.
TD_API tdMorphBindInfo tdDescribeMorphBind(const tdAsset* asset, int expression, int bind);

/// Value of a material that expressions change.
typedef enum tdMaterialValueKind
{
    TD_MATERIAL_VALUE_COLOR, // base colour with alpha
    TD_MATERIAL_VALUE_EMISSION_COLOR,
    TD_MATERIAL_VALUE_SHADE_COLOR, // this one and the next three: of MToon
    TD_MATERIAL_VALUE_MATCAP_COLOR,
    TD_MATERIAL_VALUE_RIM_COLOR,
    TD_MATERIAL_VALUE_OUTLINE_COLOR,
    TD_MATERIAL_VALUE_TEXTURE_OFFSET, // KHR_texture_transform of one texture
    TD_MATERIAL_VALUE_TEXTURE_SCALE,
} tdMaterialValueKind;

/// Name of a kind of value: "color", "emissionColor", "shadeColor", "matcapColor", "rimColor",
/// "outlineColor", "textureOffset" or "textureScale".
TD_API const char* tdMaterialValueKind_GetName(tdMaterialValueKind kind);

/// A value of a material that at least one expression changes.
typedef struct tdMaterialValueInfo
{
    int material;        // index in the file; -1 out of range
    const char* texture; // such as "baseColorTexture"; "" for colours
    tdMaterialValueKind kind;
    int width;           // components: 4 for COLOR, 3 for other colours, 2 for offset and scale
    float base[4];       // value without expressions; colours are linear
    const char* pointer; // JSON pointer of the value in the file
} tdMaterialValueInfo;

/// Number of values of materials that expressions or animations change. Files without a humanoid can have
/// some.
TD_API int tdAsset_GetMaterialValueCount(const tdAsset* asset);
/// Describe a material value, 0 to tdAsset_GetMaterialValueCount - 1. tdActor_GetMaterialValues gives the
/// current ones.
TD_API tdMaterialValueInfo tdDescribeMaterialValue(const tdAsset* asset, int value);

/// A material value that an expression drives.
typedef struct tdMaterialBindInfo
{
    int value;       // index of tdDescribeMaterialValue; -1 out of range
    float target[4]; // at the full weight of the expression
} tdMaterialBindInfo;

/// Describe a material bind of an expression, 0 to materialBindCount - 1. A texture transform of the file is
/// two binds per texture of its material.
TD_API tdMaterialBindInfo tdDescribeMaterialBind(const tdAsset* asset, int expression, int bind);

/// An entry of a VRM's meta: name, authors, licence, permissions.
typedef struct tdMetaInfo
{
    const char* key;   // as in the file, such as "name", "authors", "licenseUrl"
    const char* value; // text of a string, number or boolean
    bool isText;       // a JSON string
    bool isElement;    // of a list; its elements follow each other with the same key
} tdMetaInfo;

/// Describe an entry of the meta, 0 to metaCount - 1 in file order. Nested objects are left out.
TD_API tdMetaInfo tdDescribeMeta(const tdAsset* asset, int entry);

/// Visibility of a mesh in first-person view.
typedef enum tdFirstPersonType
{
    TD_FIRST_PERSON_AUTO, // hides what is skinned to the head or below it
    TD_FIRST_PERSON_BOTH,
    TD_FIRST_PERSON_THIRD_PERSON_ONLY,
    TD_FIRST_PERSON_FIRST_PERSON_ONLY,
} tdFirstPersonType;

/// Name of a visibility: "auto", "both", "thirdPersonOnly" or "firstPersonOnly".
TD_API const char* tdFirstPersonType_GetName(tdFirstPersonType type);

/// A node whose mesh has a first-person flag. Meshes without one are auto.
typedef struct tdFirstPersonInfo
{
    int node; // -1 out of range
    tdFirstPersonType type;
} tdFirstPersonInfo;

/// Describe a first-person flag, 0 to firstPersonCount - 1.
TD_API tdFirstPersonInfo tdDescribeFirstPerson(const tdAsset* asset, int index);

/// Name of an expression that a VRM Animation animates, 0 to motionExpressions - 1; "" out of range.
TD_API const char* tdDescribeMotionExpression(const tdAsset* asset, int index);

// Physics. `dialect` names the draft that an object was written in, such as "KHR release candidate". Bodies,
// colliders and joints belong to one scene: the file's own, or the one given to tdDescribeScene...

/// A body.
typedef struct tdBodyInfo
{
    int node;
    const char* dialect;
    tdMotion motion;
    float mass;   // kg, computed from the colliders if the file gives none; INFINITY: immovable
    bool hasMass; // the file gives it
    int colliderCount;
    tdVec3 linearVelocity;  // m/s, node space
    tdVec3 angularVelocity; // rad/s, node space
    float gravityFactor;
    tdVec3 centerOfMass;    // m, in the body: its node without scale
    tdVec3 inertiaDiagonal; // kg m^2, principal; INFINITY in a component locks the rotation about that axis
    tdQuat inertiaOrientation; // of the principal axes in the body
} tdBodyInfo;

/// Describe a body of the file's own scene.
TD_API tdBodyInfo tdDescribeBody(const tdAsset* asset, int body);

/// Describe a body of a scene.
/// @param scene -1: the file's own
TD_API tdBodyInfo tdDescribeSceneBody(const tdAsset* asset, int scene, int body);

/// A collider.
typedef struct tdColliderInfo
{
    int node, body; // body -1: static
    const char* dialect;
    tdShapeKind shape;
    bool isTrigger;
    int material, filter; // -1: none
    float size[3];    // m, scale applied; sphere: radius; box: lengths; capsule (between the sphere centres)
                      // and cylinder: height, bottom radius, top radius; plane: X and Z, INFINITY: unbounded
    bool isStretched; // has non-uniform scale or shear on top of `size`
    int elementCount; // vertices of a hull, triangles of a mesh; else 0
} tdColliderInfo;

/// Describe a collider of the file's own scene.
TD_API tdColliderInfo tdDescribeCollider(const tdAsset* asset, int collider);

/// Describe a collider of a scene.
/// @param scene -1: the file's own
TD_API tdColliderInfo tdDescribeSceneCollider(const tdAsset* asset, int scene, int collider);

/// A trigger made of several others.
typedef struct tdCompoundTriggerInfo
{
    int node;
    int partCount; // see tdDescribeTriggerPart
    int parent;    // compound that this one is a part of; -1: none
} tdCompoundTriggerInfo;

/// Describe a compound trigger, 0 to compoundTriggerCount - 1.
TD_API tdCompoundTriggerInfo tdDescribeCompoundTrigger(const tdAsset* asset, int trigger);

/// Collider of a part of a compound trigger; -1 out of range.
TD_API int tdDescribeTriggerPart(const tdAsset* asset, int trigger, int part);

/// A physics material.
typedef struct tdMaterialInfo
{
    float staticFriction, dynamicFriction, restitution;
    tdCombine frictionCombine, restitutionCombine;
    const char* dialect;
} tdMaterialInfo;

/// Describe a physics material, 0 to physicsMaterialCount - 1.
TD_API tdMaterialInfo tdDescribeMaterial(const tdAsset* asset, int material);

/// A collision filter: sizes of its lists of systems. tdDescribeFilterSystem gives the names.
typedef struct tdFilterInfo
{
    int systemCount, collideWithCount, notCollideWithCount;
    const char* dialect;
} tdFilterInfo;

/// List of a collision filter.
typedef enum tdFilterList
{
    TD_FILTER_SYSTEMS,
    TD_FILTER_COLLIDE_WITH,
    TD_FILTER_NOT_COLLIDE_WITH,
} tdFilterList;

/// Describe a collision filter, 0 to filterCount - 1.
TD_API tdFilterInfo tdDescribeFilter(const tdAsset* asset, int filter);

/// Name of a system in a list of a filter; "" out of range.
TD_API const char* tdDescribeFilterSystem(const tdAsset* asset, int filter, tdFilterList list, int index);

/// Whether colliders with these filters collide; -1 stands for a collider without a filter.
TD_API bool tdAsset_DoFiltersCollide(const tdAsset* asset, int filterA, int filterB);

/// A joint.
typedef struct tdJointInfo
{
    int node,
        connectedNode; // connectedNode -1: the file names none, the joint holds to the world (MSFT_physics)
    const char* dialect;
    int bodyA, bodyB; // -1: the fixed world
    bool enableCollision;
    const tdJointLimit* limits; // of the asset; tdClassifyJoint finds the equivalent classical joint
    int limitCount;
    const tdJointDrive* drives; // of the asset
    int driveCount;
} tdJointInfo;

/// Describe a joint of the file's own scene.
TD_API tdJointInfo tdDescribeJoint(const tdAsset* asset, int joint);

/// Describe a joint of a scene.
/// @param scene -1: the file's own
TD_API tdJointInfo tdDescribeSceneJoint(const tdAsset* asset, int scene, int joint);
