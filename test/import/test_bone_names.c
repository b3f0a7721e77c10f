// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bones that are found by the names of joints.
#include "harness.h"

#include "base/text.h"
#include "scene/asset.h"
#include "scene/humanoid.h"

#include "tendon/asset.h"
#include "tendon/describe.h"

#include <ctype.h>

// A joint named as the head above the legs and arms must not become the hips too.
TEST(NoNodeIsTwoBones)
{
    tdAsset* asset = tdLoadAsset(TD_TEST_DATA "/fuzz/head_above_hips.gltf", NULL, NULL);
    if (!ENSURE(asset != NULL && asset->scene.humanoid != NULL))
    {
        tdDestroyAsset(asset);
        return;
    }
    const tdHumanoid* humanoid = asset->scene.humanoid;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        ENSURE(humanoid->nodes[i] < 0 || humanoid->boneOfNode[humanoid->nodes[i]] == i);
    }
    ENSURE(humanoid->nodes[TD_BONE_HEAD] >= 0);
    tdDestroyAsset(asset);
}

// A joint of a skeleton; %s stands for the side.
typedef struct NamedJoint
{
    const char* bone; // VRM name, of the left side; NULL: none
    const char* name;
    int parent;
    float x, y, z;
} NamedJoint;

static const NamedJoint unrealJoints[] = {
    {NULL, "root", -1, 0, 0, 0},
    {"hips", "pelvis", 0, 0, 0.95f, 0},
    {"spine", "spine_01", 1, 0, 0.1f, 0},
    {"chest", "spine_02", 2, 0, 0.1f, 0},
    {"neck", "neck_01", 3, 0, 0.25f, 0},
    {"head", "head", 4, 0, 0.1f, 0},
    {"leftShoulder", "clavicle_%s", 3, 0.03f, 0.2f, 0},
    {"leftUpperArm", "upperarm_%s", 6, 0.14f, 0, 0},
    {NULL, "upperarm_twist_01_%s", 7, 0.1f, 0, 0},
    {"leftLowerArm", "lowerarm_%s", 7, 0.28f, 0, 0},
    {"leftHand", "hand_%s", 9, 0.25f, 0, 0},
    {"leftRingProximal", "ring_%s_01", 10, 0.1f, 0, 0},
    {"leftRingIntermediate", "ring_%s_02", 11, 0.03f, 0, 0},
    {"leftUpperLeg", "thigh_%s", 1, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "calf_%s", 13, 0, -0.42f, 0},
    {"leftFoot", "foot_%s", 14, 0, -0.4f, 0},
    {"leftToes", "ball_%s", 15, 0, -0.06f, 0.13f},
};

static const NamedJoint genesisJoints[] = {
    {"hips", "hip", -1, 0, 0.95f, 0},
    {"spine", "abdomenLower", 0, 0, 0.1f, 0},
    {"chest", "chestLower", 1, 0, 0.1f, 0},
    {"neck", "neckLower", 2, 0, 0.25f, 0},
    {"head", "head", 3, 0, 0.1f, 0},
    {"leftEye", "%sEye", 4, 0.03f, 0.1f, 0.1f},
    {"leftShoulder", "%sCollar", 2, 0.03f, 0.2f, 0},
    {"leftUpperArm", "%sShldrBend", 6, 0.14f, 0, 0},
    {NULL, "%sShldrTwist", 7, 0.1f, 0, 0},
    {"leftLowerArm", "%sForearmBend", 8, 0.18f, 0, 0},
    {"leftHand", "%sHand", 9, 0.25f, 0, 0},
    {"leftRingProximal", "%sRing1", 10, 0.1f, 0, 0},
    {"leftRingIntermediate", "%sRing2", 11, 0.03f, 0, 0},
    {"leftUpperLeg", "%sThighBend", 0, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "%sShin", 13, 0, -0.42f, 0},
    {"leftFoot", "%sFoot", 14, 0, -0.4f, 0},
    {"leftToes", "%sToe", 15, 0, -0.06f, 0.13f},
};

// Names of Unity and VRM 0.x: the first segment of a thumb is its proximal one.
static const NamedJoint unityJoints[] = {
    {"hips", "Hips", -1, 0, 0.95f, 0},
    {"spine", "Spine", 0, 0, 0.1f, 0},
    {"chest", "Chest", 1, 0, 0.1f, 0},
    {"upperChest", "UpperChest", 2, 0, 0.1f, 0},
    {"neck", "Neck", 3, 0, 0.25f, 0},
    {"head", "Head", 4, 0, 0.1f, 0},
    {"leftUpperArm", "UpperArm_%s", 3, 0.14f, 0, 0},
    {"leftLowerArm", "LowerArm_%s", 6, 0.28f, 0, 0},
    {"leftHand", "Hand_%s", 7, 0.25f, 0, 0},
    {"leftThumbMetacarpal", "ThumbProximal_%s", 8, 0.03f, 0, 0.03f},
    {"leftThumbProximal", "ThumbIntermediate_%s", 9, 0.03f, 0, 0},
    {"leftThumbDistal", "ThumbDistal_%s", 10, 0.03f, 0, 0},
    {"leftUpperLeg", "UpperLeg_%s", 0, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "LowerLeg_%s", 12, 0, -0.42f, 0},
    {"leftFoot", "Foot_%s", 13, 0, -0.4f, 0},
};

// English names of MikuMikuDance: the hips carry the body, and the toes are called a tip.
static const NamedJoint mikuJoints[] = {
    {NULL, "Center", -1, 0, 0.6f, 0},
    {"hips", "LowerBody", 0, 0, 0.35f, 0},
    {"spine", "UpperBody", 1, 0, 0.1f, 0},
    {"neck", "Neck", 2, 0, 0.25f, 0},
    {"head", "Head", 3, 0, 0.1f, 0},
    {"leftUpperArm", "Arm_%s", 2, 0.14f, 0, 0},
    {"leftLowerArm", "Elbow_%s", 5, 0.28f, 0, 0},
    {"leftHand", "Wrist_%s", 6, 0.25f, 0, 0},
    {"leftUpperLeg", "Leg_%s", 1, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "Knee_%s", 8, 0, -0.42f, 0},
    {"leftFoot", "Ankle_%s", 9, 0, -0.4f, 0},
    {"leftToes", "ToeTip_%s", 10, 0, -0.06f, 0.13f},
};

// Character Creator: two words before every name, hips above a pelvis, a neck of twist joints.
static const NamedJoint creatorJoints[] = {
    {NULL, "CC_Base_BoneRoot", -1, 0, 0, 0},
    {"hips", "CC_Base_Hip", 0, 0, 0.95f, 0},
    {NULL, "CC_Base_Pelvis", 1, 0, 0, 0},
    {"spine", "CC_Base_Waist", 1, 0, 0.1f, 0},
    {"chest", "CC_Base_Spine01", 3, 0, 0.1f, 0},
    {"upperChest", "CC_Base_Spine02", 4, 0, 0.1f, 0},
    {"neck", "CC_Base_NeckTwist01", 5, 0, 0.2f, 0},
    {NULL, "CC_Base_NeckTwist02", 6, 0, 0.05f, 0},
    {"head", "CC_Base_Head", 7, 0, 0.05f, 0},
    {"leftShoulder", "CC_Base_%s_Clavicle", 5, 0.03f, 0.15f, 0},
    {"leftUpperArm", "CC_Base_%s_Upperarm", 9, 0.14f, 0, 0},
    {"leftLowerArm", "CC_Base_%s_Forearm", 10, 0.28f, 0, 0},
    {"leftHand", "CC_Base_%s_Hand", 11, 0.25f, 0, 0},
    {"leftUpperLeg", "CC_Base_%s_Thigh", 2, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "CC_Base_%s_Calf", 13, 0, -0.42f, 0},
    {"leftFoot", "CC_Base_%s_Foot", 14, 0, -0.4f, 0},
    {"leftToes", "CC_Base_%s_ToeBase", 15, 0, -0.06f, 0.13f},
};

// Rigify after a program that removes dots from names.
static const NamedJoint dotlessJoints[] = {
    {"hips", "DEF-spine", -1, 0, 0.95f, 0},
    {"spine", "DEF-spine001", 0, 0, 0.1f, 0},
    {"chest", "DEF-spine002", 1, 0, 0.1f, 0},
    {"upperChest", "DEF-spine003", 2, 0, 0.1f, 0},
    {"neck", "DEF-spine004", 3, 0, 0.2f, 0},
    {"head", "DEF-spine006", 4, 0, 0.1f, 0},
    {"leftUpperArm", "DEF-upper_arm%s", 3, 0.14f, 0.15f, 0},
    {"leftLowerArm", "DEF-forearm%s", 6, 0.28f, 0, 0},
    {"leftHand", "DEF-hand%s", 7, 0.25f, 0, 0},
    {"leftRingProximal", "DEF-f_ring01%s", 8, 0.1f, 0, 0},
    {"leftUpperLeg", "DEF-thigh%s", 0, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "DEF-shin%s", 10, 0, -0.42f, 0},
    {"leftFoot", "DEF-foot%s", 11, 0, -0.4f, 0},
    {"leftToes", "DEF-toe%s", 12, 0, -0.06f, 0.13f},
};

// Japanese names of MikuMikuDance with the side at the end, without a separator.
static const NamedJoint japaneseJoints[] = {
    {"hips", "腰", -1, 0, 0.95f, 0},
    {"spine", "上半身", 0, 0, 0.1f, 0},
    {"neck", "首", 1, 0, 0.25f, 0},
    {"head", "頭", 2, 0, 0.1f, 0},
    {"leftUpperArm", "腕%s", 1, 0.14f, 0, 0},
    {"leftLowerArm", "ひじ%s", 4, 0.28f, 0, 0},
    {"leftHand", "手首%s", 5, 0.25f, 0, 0},
    {"leftUpperLeg", "足%s", 0, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "ひざ%s", 7, 0, -0.42f, 0},
    {"leftFoot", "足首%s", 8, 0, -0.4f, 0},
    {"leftToes", "足先EX_%s", 9, 0, -0.06f, 0.13f},
};

// VRoid after a program that replaces underscores: central bones have a letter of their own.
static const NamedJoint spacedJoints[] = {
    {NULL, "Root", -1, 0, 0, 0},
    {"hips", "J Bip C Hips", 0, 0, 0.95f, 0},
    {"spine", "J Bip C Spine", 1, 0, 0.1f, 0},
    {"chest", "J Bip C Chest", 2, 0, 0.1f, 0},
    {"neck", "J Bip C Neck", 3, 0, 0.25f, 0},
    {"head", "J Bip C Head", 4, 0, 0.1f, 0},
    {"leftEye", "J Adj %s FaceEye", 5, 0.03f, 0.06f, 0.08f},
    {"leftUpperArm", "J Bip %s UpperArm", 3, 0.14f, 0.2f, 0},
    {"leftLowerArm", "J Bip %s LowerArm", 7, 0.28f, 0, 0},
    {"leftHand", "J Bip %s Hand", 8, 0.25f, 0, 0},
    {"leftUpperLeg", "J Bip %s UpperLeg", 1, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "J Bip %s LowerLeg", 10, 0, -0.42f, 0},
    {"leftFoot", "J Bip %s Foot", 11, 0, -0.4f, 0},
    {"leftToes", "J Bip %s ToeBase", 12, 0, -0.06f, 0.13f},
};

// The fingers share the name of the hand, which is no prefix of the file.
static const NamedJoint fingerJoints[] = {
    {"hips", "pelvis", -1, 0, 0.95f, 0},
    {"leftUpperArm", "upperarm_%s", 20, 0.14f, 0.2f, 0},
    {"leftLowerArm", "lowerarm_%s", 1, 0.28f, 0, 0},
    {"leftHand", "hand_%s", 2, 0.25f, 0, 0},
    {"leftIndexProximal", "hand_index_01_%s", 3, 0.1f, 0, 0.02f},
    {"leftIndexIntermediate", "hand_index_02_%s", 4, 0.03f, 0, 0},
    {"leftIndexDistal", "hand_index_03_%s", 5, 0.03f, 0, 0},
    {"leftMiddleProximal", "hand_middle_01_%s", 3, 0.1f, 0, 0.01f},
    {"leftMiddleIntermediate", "hand_middle_02_%s", 7, 0.03f, 0, 0},
    {"leftMiddleDistal", "hand_middle_03_%s", 8, 0.03f, 0, 0},
    {"leftRingProximal", "hand_ring_01_%s", 3, 0.1f, 0, 0},
    {"leftRingIntermediate", "hand_ring_02_%s", 10, 0.03f, 0, 0},
    {"leftRingDistal", "hand_ring_03_%s", 11, 0.03f, 0, 0},
    {"leftLittleProximal", "hand_pinky_01_%s", 3, 0.1f, 0, -0.01f},
    {"leftLittleIntermediate", "hand_pinky_02_%s", 13, 0.03f, 0, 0},
    {"leftLittleDistal", "hand_pinky_03_%s", 14, 0.03f, 0, 0},
    {"leftUpperLeg", "thigh_%s", 0, 0.1f, -0.05f, 0},
    {"leftLowerLeg", "calf_%s", 16, 0, -0.42f, 0},
    {"leftFoot", "foot_%s", 17, 0, -0.4f, 0},
    {"head", "head", 20, 0, 0.4f, 0},
    {"spine", "spine_01", 0, 0, 0.2f, 0},
};

typedef enum Decoration
{
    DECORATION_NONE,
    DECORATION_UPPER,
    DECORATION_LOWER,
    DECORATION_NAMESPACE,
    DECORATION_PREFIX,
    DECORATION_SUFFIX,
    DECORATION_COPY,    // second armature of a Blender file
    DECORATION_NUMBERS, // names that an exporter makes unique
    DECORATION_FIRST_NUMBERS,
    DECORATION_INNER_NUMBERS, // the same after a namespace
    DECORATION_TWO_SUFFIXES,
    DECORATION_NUMBERED_COPY,
    DECORATION_COUNT,
} Decoration;

static void DecorateName(char* name, size_t size, Decoration decoration, int node)
{
    char plain[96];
    snprintf(plain, sizeof(plain), "%.80s", name);
    for (char* c = name; *c != 0 && (decoration == DECORATION_UPPER || decoration == DECORATION_LOWER); ++c)
    {
        *c = (char)(decoration == DECORATION_UPPER ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
    }
    switch (decoration)
    {
    case DECORATION_NAMESPACE:
        snprintf(name, size, "scene:rig1:%s", plain);
        break;
    case DECORATION_PREFIX:
        snprintf(name, size, "Player_%s", plain);
        break;
    case DECORATION_SUFFIX:
        snprintf(name, size, "%s_jnt", plain);
        break;
    case DECORATION_COPY:
        snprintf(name, size, "%s.001", plain);
        break;
    case DECORATION_NUMBERS:
        snprintf(name, size, "%s_%02d", plain, node + 3);
        break;
    case DECORATION_FIRST_NUMBERS:
        snprintf(name, size, "%02d_%s", node, plain);
        break;
    case DECORATION_INNER_NUMBERS:
        snprintf(name, size, "group|rig:%d-%s", node, plain);
        break;
    case DECORATION_TWO_SUFFIXES:
        snprintf(name, size, "%s_1_jnt", plain);
        break;
    case DECORATION_NUMBERED_COPY:
        snprintf(name, size, "%s_%d.001", plain, node + 3);
        break;
    case DECORATION_NONE:
    case DECORATION_UPPER:
    case DECORATION_LOWER:
    case DECORATION_COUNT:
        break;
    }
}

typedef struct NamedSkeleton
{
    const NamedJoint* joints;
    int count;
    const char *left, *right;
} NamedSkeleton;

// Node 2 i is the joint of the left side or the middle, 2 i + 1 that of the right side, if there is one.
static void CheckSkeletonMap(const NamedSkeleton* skeleton, Decoration decoration)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(
        &text, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (int i = 0; i < 2 * skeleton->count; ++i)
    {
        const NamedJoint* joint = &skeleton->joints[i / 2];
        const char* side = strstr(joint->name, "%s");
        char name[128];
        bool isUnused = side == NULL && i % 2 == 1;
        if (side != NULL)
        {
            snprintf(name, sizeof(name), "%.*s%s%s", (int)(side - joint->name), joint->name,
                     i % 2 == 0 ? skeleton->left : skeleton->right, side + 2);
        }
        else
        {
            snprintf(name, sizeof(name), "%s", isUnused ? "mesh" : joint->name);
        }
        DecorateName(name, sizeof(name), decoration, i);
        tdText_AppendFormat(&text, "%s{\"name\":\"%s\",\"translation\":[%g,%g,%g],\"children\":[",
                            i > 0 ? "," : "", name, (double)(i % 2 == 0 ? joint->x : -joint->x),
                            (double)joint->y, (double)joint->z);
        bool isFirst = true;
        for (int k = 0; k < 2 * skeleton->count && !isUnused; ++k)
        {
            const NamedJoint* child = &skeleton->joints[k / 2];
            bool hasSides = strstr(child->name, "%s") != NULL;
            bool parentHasSides =
                child->parent >= 0 && strstr(skeleton->joints[child->parent].name, "%s") != NULL;
            if (child->parent >= 0 && (hasSides || k % 2 == 0) &&
                2 * child->parent + (parentHasSides ? k % 2 : 0) == i)
            {
                tdText_AppendFormat(&text, "%s%d", isFirst ? "" : ",", k);
                isFirst = false;
            }
        }
        tdText_AppendString(&text, "]}");
    }
    tdText_AppendString(&text, "]}");
    // glTF does not permit empty arrays of children; the reader reports them and goes on.
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    ENSURE(asset != NULL && asset->scene.humanoid != NULL);
    for (int i = 0; i < skeleton->count && asset != NULL && asset->scene.humanoid != NULL; ++i)
    {
        const char* bone = skeleton->joints[i].bone;
        bool hasSides = bone != NULL && strncmp(bone, "left", 4) == 0;
        if (bone != NULL && !ENSURE_EQUAL_INT(tdAsset_FindBone(asset, bone), 2 * i))
        {
            printf("%s, decoration %d\n", skeleton->joints[i].name, (int)decoration);
        }
        if (hasSides)
        {
            char right[64];
            snprintf(right, sizeof(right), "right%s", bone + 4);
            ENSURE_EQUAL_INT(tdAsset_FindBone(asset, right), 2 * i + 1);
        }
    }
    tdDestroyAsset(asset);
    tdText_Free(&text);
}

#define SKELETON(joints, left, right)                                                                        \
    {                                                                                                        \
        joints, (int)(sizeof(joints) / sizeof(joints[0])), left, right                                       \
    }

TEST(DecoratedNames)
{
    static const NamedSkeleton skeletons[] = {
        SKELETON(unrealJoints, "l", "r"), SKELETON(genesisJoints, "l", "r"),
        SKELETON(unityJoints, "Left", "Right"), SKELETON(mikuJoints, "L", "R")};
    for (size_t i = 0; i < sizeof(skeletons) / sizeof(skeletons[0]); ++i)
    {
        for (int decoration = 0; decoration < DECORATION_COUNT; ++decoration)
        {
            CheckSkeletonMap(&skeletons[i], (Decoration)decoration);
        }
    }
}

// Names whose parts are shared, or not set apart.
TEST(SharedWordsAndMissingSeparators)
{
    static const NamedSkeleton skeletons[] = {
        SKELETON(creatorJoints, "L", "R"), SKELETON(dotlessJoints, "L", "R"),
        SKELETON(japaneseJoints, "L", "R"), SKELETON(fingerJoints, "l", "r"),
        SKELETON(spacedJoints, "L", "R")};
    for (size_t i = 0; i < sizeof(skeletons) / sizeof(skeletons[0]); ++i)
    {
        CheckSkeletonMap(&skeletons[i], DECORATION_NONE);
        CheckSkeletonMap(&skeletons[i], DECORATION_NAMESPACE);
    }
}

TEST_MAIN(RUN(NoNodeIsTwoBones) RUN(DecoratedNames) RUN(SharedWordsAndMissingSeparators))
