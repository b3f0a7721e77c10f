// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Skeletons from the wild: glTF files with joint names that face any way, hold any pose in their nodes and
// name their joints as one of many programs does. The T-pose is known by construction, so every retargeted
// rotation is compared with its definition: the rotation of a bone away from its T-pose, in the frame of the
// body, is the same on both skeletons.
#include "harness.h"

#include "anim/clip.h"
#include "anim/sampler.h"
#include "base/report.h"
#include "base/text.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"
#include "scene/asset.h"
#include "scene/humanoid.h"

#include "tendon/clip.h"
#include "tendon/describe.h"
#include "tendon/motion.h"

#include <math.h>
#include <stdlib.h>

// A skeleton in the T-pose of a body that faces +Z.
typedef struct JointSpec
{
    const char* bone; // VRM name
    int parent;
    float x, y, z; // relative to the parent
} JointSpec;

static const JointSpec joints[] = {
    {"hips", -1, 0, 0.95f, 0},
    {"spine", 0, 0, 0.1f, 0},
    {"chest", 1, 0, 0.15f, 0},
    {"neck", 2, 0, 0.25f, 0},
    {"head", 3, 0, 0.1f, 0},
    {"leftShoulder", 2, 0.03f, 0.2f, 0},
    {"leftUpperArm", 5, 0.14f, 0, 0},
    {"leftLowerArm", 6, 0.28f, 0, 0},
    {"leftHand", 7, 0.25f, 0, 0},
    {"rightShoulder", 2, -0.03f, 0.2f, 0},
    {"rightUpperArm", 9, -0.14f, 0, 0},
    {"rightLowerArm", 10, -0.28f, 0, 0},
    {"rightHand", 11, -0.25f, 0, 0},
    {"leftUpperLeg", 0, 0.1f, -0.05f, 0},
    {"leftLowerLeg", 13, 0, -0.42f, 0},
    {"leftFoot", 14, 0, -0.4f, 0},
    {"leftToes", 15, 0, -0.06f, 0.13f},
    {"rightUpperLeg", 0, -0.1f, -0.05f, 0},
    {"rightLowerLeg", 17, 0, -0.42f, 0},
    {"rightFoot", 18, 0, -0.4f, 0},
    {"rightToes", 19, 0, -0.06f, 0.13f},
    {"leftIndexProximal", 8, 0.09f, 0, 0.02f},
    {"leftThumbMetacarpal", 8, 0.03f, 0, 0.03f},
};
enum
{
    JOINTS = sizeof(joints) / sizeof(joints[0])
};

// Names by joint, with %s for the side, and the words of both sides. An empty name leaves the joint out.
typedef struct Vocabulary
{
    const char* program;
    const char *left, *right;
    const char *hips, *spine, *chest, *neck, *head;
    const char *shoulder, *upperArm, *lowerArm, *hand, *upperLeg, *lowerLeg, *foot, *toes, *index, *thumb;
} Vocabulary;

static const Vocabulary vocabularies[] = {
    {"Mixamo", "Left", "Right", "mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Neck",
     "mixamorig:Head", "mixamorig:%sShoulder", "mixamorig:%sArm", "mixamorig:%sForeArm", "mixamorig:%sHand",
     "mixamorig:%sUpLeg", "mixamorig:%sLeg", "mixamorig:%sFoot", "mixamorig:%sToeBase",
     "mixamorig:%sHandIndex1", "mixamorig:%sHandThumb1"},
    {"VRM", "left", "right", "hips", "spine", "chest", "neck", "head", "%sShoulder", "%sUpperArm",
     "%sLowerArm", "%sHand", "%sUpperLeg", "%sLowerLeg", "%sFoot", "%sToes", "%sIndexProximal",
     "%sThumbMetacarpal"},
    {"VRoid", "L", "R", "J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_Neck", "J_Bip_C_Head",
     "J_Bip_%s_Shoulder", "J_Bip_%s_UpperArm", "J_Bip_%s_LowerArm", "J_Bip_%s_Hand", "J_Bip_%s_UpperLeg",
     "J_Bip_%s_LowerLeg", "J_Bip_%s_Foot", "J_Bip_%s_ToeBase", "J_Bip_%s_Index1", "J_Bip_%s_Thumb1"},
    {"Ready Player Me", "Left", "Right", "Hips", "Spine", "Spine1", "Neck", "Head", "%sShoulder", "%sArm",
     "%sForeArm", "%sHand", "%sUpLeg", "%sLeg", "%sFoot", "%sToeBase", "%sHandIndex1", "%sHandThumb1"},
    {"Unreal", "l", "r", "pelvis", "spine_01", "spine_02", "neck_01", "head", "clavicle_%s", "upperarm_%s",
     "lowerarm_%s", "hand_%s", "thigh_%s", "calf_%s", "foot_%s", "ball_%s", "index_01_%s", "thumb_01_%s"},
    {"Unity", "Left", "Right", "Hips", "Spine", "Chest", "Neck", "Head", "%sShoulder", "%sUpperArm",
     "%sLowerArm", "%sHand", "%sUpperLeg", "%sLowerLeg", "%sFoot", "%sToes", "%sIndexProximal",
     "%sThumbMetacarpal"},
    {"HumanIK", "Left", "Right", "Character1_Hips", "Character1_Spine", "Character1_Spine1",
     "Character1_Neck", "Character1_Head", "Character1_%sShoulder", "Character1_%sArm",
     "Character1_%sForeArm", "Character1_%sHand", "Character1_%sUpLeg", "Character1_%sLeg",
     "Character1_%sFoot", "Character1_%sToeBase", "Character1_%sHandIndex1", "Character1_%sHandThumb1"},
    {"Rigify", "L", "R", "DEF-spine", "DEF-spine.001", "DEF-spine.003", "DEF-spine.004", "DEF-spine.006",
     "DEF-shoulder.%s", "DEF-upper_arm.%s", "DEF-forearm.%s", "DEF-hand.%s", "DEF-thigh.%s", "DEF-shin.%s",
     "DEF-foot.%s", "DEF-toe.%s", "DEF-f_index.01.%s", "DEF-thumb.01.%s"},
    {"MikuMikuDance", "左", "右", "センター", "上半身", "上半身2", "首", "頭", "%s肩", "%s腕", "%sひじ",
     "%s手首", "%s足", "%sひざ", "%s足首", "%sつま先", "%s人指１", "%s親指０"},
    {"MikuMikuDance in English", "L", "R", "center", "upper body", "upper body2", "neck", "head",
     "shoulder_%s", "arm_%s", "elbow_%s", "wrist_%s", "leg_%s", "knee_%s", "ankle_%s", "toe_%s", "fore1_%s",
     "thumb0_%s"},
    {"MikuMikuDance in Latin letters", "hidari", "migi", "koshi", "jouhanshin", "jouhanshin2", "kubi",
     "atama", "%s_kata", "%s_ude", "%s_hiji", "%s_tekubi", "%s_ashi", "%s_hiza", "%s_ashikubi",
     "%s_tsumasaki", "%s_hitosashiyubi1", "%s_oyayubi0"},
    {"Rokoko", "Left", "Right", "Hips", "Spine1", "Spine2", "Neck", "Head", "%sShoulder", "%sArm",
     "%sForeArm", "%sHand", "%sThigh", "%sShin", "%sFoot", "%sToe", "%sFinger2Proximal",
     "%sFinger1Metacarpal"},
    {"SMPL", "left", "right", "pelvis", "spine1", "spine2", "neck", "head", "%s_collar", "%s_shoulder",
     "%s_elbow", "%s_wrist", "%s_hip", "%s_knee", "%s_ankle", "%s_foot", "%s_index1", "%s_thumb1"},
    {"SMPL of the FBX", "L", "R", "m_avg_Pelvis", "m_avg_Spine1", "m_avg_Spine2", "m_avg_Neck", "m_avg_Head",
     "m_avg_%s_Collar", "m_avg_%s_Shoulder", "m_avg_%s_Elbow", "m_avg_%s_Wrist", "m_avg_%s_Hip",
     "m_avg_%s_Knee", "m_avg_%s_Ankle", "m_avg_%s_Foot", "m_avg_%s_Index1", "m_avg_%s_Thumb1"},
    {"CMU", "Left", "Right", "Hips", "LowerBack", "Spine", "Neck", "Head", "%sShoulder", "%sArm", "%sForeArm",
     "%sHand", "%sUpLeg", "%sLeg", "%sFoot", "%sToeBase", "%sHandIndex1", "%sHandThumb1"},
    {"CMU of the ASF", "l", "r", "root", "lowerback", "thorax", "lowerneck", "head", "%sclavicle",
     "%shumerus", "%sradius", "%swrist", "%sfemur", "%stibia", "%sfoot", "%stoes", "%sIndex1", "%sThumb1"},
    {"Xsens", "Left", "Right", "Pelvis", "L5", "T8", "Neck", "Head", "%sShoulder", "%sUpperArm", "%sForeArm",
     "%sHand", "%sUpperLeg", "%sLowerLeg", "%sFoot", "%sToe", "%sIndex1", "%sThumb1"},
    {"MVN", "Left", "Right", "Hips", "Chest", "Chest2", "Neck", "Head", "%sCollar", "%sShoulder", "%sElbow",
     "%sWrist", "%sHip", "%sKnee", "%sAnkle", "%sToe", "%sIndex1", "%sThumb1"},
    {"3ds Max", "L", "R", "Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Neck", "Bip01 Head",
     "Bip01 %s Clavicle", "Bip01 %s UpperArm", "Bip01 %s Forearm", "Bip01 %s Hand", "Bip01 %s Thigh",
     "Bip01 %s Calf", "Bip01 %s Foot", "Bip01 %s Toe0", "Bip01 %s Finger1", "Bip01 %s Finger0"},
    {"Daz Genesis 8", "l", "r", "hip", "abdomenLower", "chestLower", "neckLower", "head", "%sCollar",
     "%sShldrBend", "%sForearmBend", "%sHand", "%sThighBend", "%sShin", "%sFoot", "%sToe", "%sIndex1",
     "%sThumb1"},
    {"Daz Genesis 9", "l", "r", "hip", "spine1", "spine2", "neck1", "head", "%s_shoulder", "%s_upperarm",
     "%s_forearm", "%s_hand", "%s_thigh", "%s_shin", "%s_foot", "%s_toes", "%s_index1", "%s_thumb1"},
    {"a game of its own", "Left", "Right", "Player_Hips", "Player_Spine", "Player_Spine1", "Player_Neck",
     "Player_Head", "Player_%sShoulder", "Player_%sArm", "Player_%sForeArm", "Player_%sHand",
     "Player_%sUpLeg", "Player_%sLeg", "Player_%sFoot", "Player_%sToes", "Player_%sIndex1",
     "Player_%sThumb1"},
};
enum
{
    VOCABULARIES = sizeof(vocabularies) / sizeof(vocabularies[0])
};

static void NameJoint(const Vocabulary* v, int joint, char name[64])
{
    static const char* const parts[] = {"Shoulder",      "UpperArm",       "LowerArm", "Hand",
                                        "UpperLeg",      "LowerLeg",       "Foot",     "Toes",
                                        "IndexProximal", "ThumbMetacarpal"};
    const char* const names[] = {v->shoulder, v->upperArm, v->lowerArm, v->hand,  v->upperLeg,
                                 v->lowerLeg, v->foot,     v->toes,     v->index, v->thumb};
    const char* const middle[] = {v->hips, v->spine, v->chest, v->neck, v->head};
    const char* bone = joints[joint].bone;
    bool isLeft = strncmp(bone, "left", 4) == 0, isRight = strncmp(bone, "right", 5) == 0;
    snprintf(name, 64, "%s", joint < 5 ? middle[joint] : "");
    for (int i = 0; i < 10; ++i)
    {
        if ((isLeft || isRight) && strcmp(bone + (isLeft ? 4 : 5), parts[i]) == 0)
        {
            const char* side = strstr(names[i], "%s");
            snprintf(name, 64, "%.*s%s%s", (int)(side - names[i]), names[i], isLeft ? v->left : v->right,
                     side + 2);
        }
    }
}

// A skeleton file: frame of the body, random frames of the joints, a pose in the nodes, and a random motion.
typedef struct SkeletonFile
{
    dQuat frame;                 // of the body
    dQuat rests[JOINTS];         // of the joints, relative to the body
    dQuat poses[JOINTS];         // rotation of the joint away from the T-pose in the nodes, body frame
    tdVec3 translations[JOINTS]; // local
    dQuat locals[JOINTS];        // of the nodes
    dQuat tposeLocals[JOINTS];
    tdText json;
    float bin[4096];
    size_t binSize;
} SkeletonFile;

static tdQuat ToFloat(dQuat q)
{
    return (tdQuat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static dQuat AxisTurn(double x, double y, double z, double angle)
{
    double s = sin(0.5 * angle);
    return (dQuat){x * s, y * s, z * s, cos(0.5 * angle)};
}

static bool ReadBin(void* context, const char* uri, const void** data, size_t* size)
{
    const SkeletonFile* file = context;
    *data = file->bin;
    *size = file->binSize * sizeof(float);
    return strcmp(uri, "a.bin") == 0;
}

// Rotation of a joint away from the T-pose, with those of its ancestors.
static dQuat PoseOf(const dQuat* poses, int joint)
{
    return poses[joint];
}

typedef enum RestKind
{
    REST_T,
    REST_A,
    REST_ARMS_DOWN,
    REST_SITTING,
    REST_BIND,   // the nodes hold a random pose, the skin the T-pose
    REST_BIND_A, // the nodes hold a random pose, the skin an A-pose
    REST_KINDS
} RestKind;

// World rotation of every joint away from the T-pose.
static void MakePose(RestKind kind, uint64_t* seed, dQuat* poses)
{
    for (int i = 0; i < JOINTS; ++i)
    {
        const char* bone = joints[i].bone;
        dQuat own = dIdentity;
        double side = strncmp(bone, "left", 4) == 0 ? 1.0 : -1.0;
        bool isUpperArm = strstr(bone, "UpperArm") != NULL, isUpperLeg = strstr(bone, "UpperLeg") != NULL;
        bool isLowerLeg = strstr(bone, "LowerLeg") != NULL;
        if (kind == REST_A || kind == REST_ARMS_DOWN)
        {
            own = isUpperArm ? AxisTurn(0, 0, 1, -side * (kind == REST_A ? 0.8 : 1.4)) : own;
        }
        else if (kind == REST_SITTING)
        {
            own = isUpperArm   ? AxisTurn(0, 0, 1, -side * 1.2)
                  : isUpperLeg ? AxisTurn(1, 0, 0, -1.5)
                  : isLowerLeg ? AxisTurn(1, 0, 0, 1.5)
                               : own;
        }
        else if (kind == REST_BIND || kind == REST_BIND_A)
        {
            tdQuat random = tdSlerp(tdQuat_identity, tdRandomQuat(seed), 0.25f);
            own = i == 0 ? AxisTurn(0, 1, 0, 0.2) : dFromQuat(random);
        }
        poses[i] = joints[i].parent >= 0 ? dMul(poses[joints[i].parent], own) : own;
    }
}

static void PutMatrix(SkeletonFile* file, dQuat rotation, const double p[3])
{
    // The inverse of a rotation and a translation, column-major.
    dQuat inverse = dConj(rotation);
    tdQuat q = ToFloat(inverse);
    tdVec3 t = tdRotate(q, (tdVec3){-(float)p[0], -(float)p[1], -(float)p[2]});
    tdVec3 columns[3] = {tdRotate(q, (tdVec3){1, 0, 0}), tdRotate(q, (tdVec3){0, 1, 0}),
                         tdRotate(q, (tdVec3){0, 0, 1})};
    for (int i = 0; i < 4; ++i)
    {
        tdVec3 c = i < 3 ? columns[i] : t;
        float numbers[4] = {c.x, c.y, c.z, i < 3 ? 0.0f : 1.0f};
        memcpy(file->bin + file->binSize, numbers, sizeof(numbers));
        file->binSize += 4;
    }
}

#define KEYS 3

// @param hasMotion adds a random animation of every joint
static tdAsset* MakeFile(SkeletonFile* file, dQuat frame, RestKind kind, const Vocabulary* names,
                         uint64_t* seed, bool hasMotion, const tdLoadDef* options, tdReport* report)
{
    memset(file, 0, sizeof(*file));
    file->frame = frame;
    dQuat worlds[JOINTS], tposeWorlds[JOINTS], binds[JOINTS], bindPoses[JOINTS];
    double bindPositions[JOINTS][3];
    MakePose(kind, seed, file->poses);
    bool isBind = kind == REST_BIND || kind == REST_BIND_A;
    MakePose(kind == REST_BIND_A ? REST_A : REST_T, seed, bindPoses);
    for (int i = 0; i < JOINTS; ++i)
    {
        int parent = joints[i].parent;
        file->rests[i] = i == 0 ? dIdentity : dFromQuat(tdRandomQuat(seed));
        tposeWorlds[i] = dMul(frame, file->rests[i]);
        worlds[i] = dMul(dMul(frame, PoseOf(file->poses, i)), file->rests[i]);
        binds[i] = dMul(dMul(frame, bindPoses[i]), file->rests[i]);
        dQuat above = parent >= 0 ? worlds[parent] : dIdentity;
        file->locals[i] = dMul(dConj(above), worlds[i]);
        file->tposeLocals[i] = dMul(dConj(parent >= 0 ? tposeWorlds[parent] : dIdentity), tposeWorlds[i]);
        tdVec3 offset = {joints[i].x, joints[i].y, joints[i].z};
        tdQuat toParent = ToFloat(parent >= 0 ? dConj(file->rests[parent]) : frame);
        file->translations[i] = tdRotate(toParent, offset);
        tdVec3 bindOffset = tdRotate(ToFloat(parent >= 0 ? dMul(frame, bindPoses[parent]) : frame), offset);
        for (int k = 0; k < 3; ++k)
        {
            bindPositions[i][k] = (double)(&bindOffset.x)[k] + (parent >= 0 ? bindPositions[parent][k] : 0.0);
        }
    }
    tdText* json = &file->json;
    tdText_Init(json, NULL);
    tdText_AppendString(
        json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (int i = 0; i < JOINTS; ++i)
    {
        char name[64];
        NameJoint(names, i, name);
        tdQuat q = ToFloat(file->locals[i]);
        tdVec3 t = file->translations[i];
        char numbers[512];
        snprintf(numbers, sizeof(numbers),
                 "%s{\"name\":\"%s\",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]",
                 i > 0 ? "," : "", name, (double)t.x, (double)t.y, (double)t.z, (double)q.x, (double)q.y,
                 (double)q.z, (double)q.w);
        tdText_AppendString(json, numbers);
        int count = 0;
        for (int k = i + 1; k < JOINTS; ++k)
        {
            if (joints[k].parent == i)
            {
                tdText_AppendFormat(json, count++ == 0 ? ",\"children\":[%d" : ",%d", k);
            }
        }
        tdText_AppendString(json, count > 0 ? "]}" : "}");
    }
    tdText_AppendChar(json, ']');
    int accessors = 0;
    size_t start = 0;
    tdText views, list;
    tdText_Init(&views, NULL);
    tdText_Init(&list, NULL);
    if (isBind)
    {
        for (int i = 0; i < JOINTS; ++i)
        {
            PutMatrix(file, binds[i], bindPositions[i]);
        }
        tdText_AppendFormat(&views, "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%d}", JOINTS * 64);
        tdText_AppendFormat(&list, "{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"MAT4\"}",
                            JOINTS);
        tdText_AppendString(json, ",\"skins\":[{\"inverseBindMatrices\":0,\"joints\":[");
        for (int i = 0; i < JOINTS; ++i)
        {
            tdText_AppendFormat(json, "%s%d", i > 0 ? "," : "", i);
        }
        tdText_AppendString(json, "]}]");
        accessors = 1;
    }
    if (hasMotion)
    {
        tdText channels, samplers;
        tdText_Init(&channels, NULL);
        tdText_Init(&samplers, NULL);
        start = file->binSize;
        for (int k = 0; k < KEYS; ++k)
        {
            file->bin[file->binSize++] = (float)k;
        }
        tdText_AppendFormat(&views, "%s{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}",
                            accessors > 0 ? "," : "", (int)start * 4, KEYS * 4);
        tdText_AppendFormat(&list,
                            "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\","
                            "\"min\":[0],\"max\":[%d]}",
                            accessors > 0 ? "," : "", accessors, KEYS, KEYS - 1);
        int times = accessors++;
        for (int i = 0; i < JOINTS; ++i)
        {
            start = file->binSize;
            for (int k = 0; k < KEYS; ++k)
            {
                tdQuat turn = tdSlerp(tdQuat_identity, tdRandomQuat(seed), 0.4f);
                tdQuat q = ToFloat(dMul(file->tposeLocals[i], dFromQuat(turn)));
                memcpy(file->bin + file->binSize, &q, sizeof(q));
                file->binSize += 4;
            }
            tdText_AppendFormat(&views, ",{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}", (int)start * 4,
                                KEYS * 16);
            tdText_AppendFormat(&list,
                                ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC4\"}",
                                accessors, KEYS);
            tdText_AppendFormat(&channels,
                                "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"rotation\"}}",
                                i > 0 ? "," : "", i, i);
            tdText_AppendFormat(&samplers, "%s{\"input\":%d,\"output\":%d}", i > 0 ? "," : "", times,
                                accessors);
            accessors += 1;
        }
        tdText_AppendFormat(json, ",\"animations\":[{\"channels\":[%s],\"samplers\":[%s]}]", channels.data,
                            samplers.data);
        tdText_Free(&channels);
        tdText_Free(&samplers);
    }
    if (accessors > 0)
    {
        tdText_AppendFormat(
            json,
            ",\"accessors\":[%s],\"bufferViews\":[%s],\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":%d}]",
            list.data, views.data, (int)file->binSize * 4);
    }
    tdText_AppendChar(json, '}');
    tdText_Free(&views);
    tdText_Free(&list);
    tdLoadDef def = options != NULL ? *options : tdDefaultLoadDef();
    def.readFile = ReadBin;
    def.readContext = file;
    tdAsset* asset = tdLoadAssetFromMemory(json->data, json->length, &def, report);
    tdText_Free(json);
    return asset;
}

// Rotation of a joint away from its T-pose in the frame of the body, at a time.
static dQuat TurnOf(const SkeletonFile* file, const tdChannel* channels, int count, int joint, double time)
{
    dQuat world = dIdentity;
    for (int i = joint; i >= 0; i = joints[i].parent)
    {
        tdQuat q = ToFloat(file->locals[i]);
        for (int c = 0; c < count; ++c)
        {
            if (channels[c].target.kind == TD_PROPERTY_ROTATION && channels[c].target.object == i)
            {
                int cursor = 0;
                tdSampleChannel(&channels[c], time, &cursor, &q.x);
            }
        }
        world = dMul(dFromQuat(q), world);
    }
    return dMul(dMul(dConj(file->frame), world), dConj(file->rests[joint]));
}

static double WorstTurn(const SkeletonFile* a, const tdAsset* source, const SkeletonFile* b,
                        const tdAsset* target, int* worstJoint)
{
    tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
    if (!ENSURE(clip != NULL))
    {
        return 10.0;
    }
    const tdAnimation* animation = &source->scene.animations[0];
    double worst = 0.0;
    for (int i = 0; i < JOINTS; ++i)
    {
        for (int k = 0; k < KEYS; ++k)
        {
            dQuat from = TurnOf(a, animation->channels, animation->channelCount, i, k);
            dQuat to = TurnOf(b, clip->channels, clip->channelCount, i, k);
            double angle = dAngle(from, to);
            *worstJoint = angle > worst ? i : *worstJoint;
            worst = angle > worst ? angle : worst;
        }
    }
    tdDestroyClip(clip);
    return worst;
}

static const double yaws[] = {0.0, 3.14159265358979, 1.5707963267949, -1.5707963267949, 0.6};

TEST(AnyFacingAndRestPose)
{
    uint64_t seed = 7;
    static SkeletonFile plain, other;
    for (size_t y = 0; y < sizeof(yaws) / sizeof(yaws[0]); ++y)
    {
        for (int kind = 0; kind < REST_KINDS; ++kind)
        {
            dQuat frame = AxisTurn(0, 1, 0, yaws[y]);
            int joint = 0;
            tdReport* report = tdCreateReport(NULL);
            tdAsset* target = MakeFile(&plain, dIdentity, REST_T, &vocabularies[0], &seed, true, NULL, NULL);
            tdAsset* asset =
                MakeFile(&other, frame, (RestKind)kind, &vocabularies[3], &seed, true, NULL, report);
            double angle = WorstTurn(&other, asset, &plain, target, &joint);
            if (!ENSURE(angle < 2e-3))
            {
                printf("  source turned by %g, rest %d: %g rad at %s\n", yaws[y], kind, angle,
                       joints[joint].bone);
            }
            angle = WorstTurn(&plain, target, &other, asset, &joint);
            if (!ENSURE(angle < 2e-3))
            {
                printf("  target turned by %g, rest %d: %g rad at %s\n", yaws[y], kind, angle,
                       joints[joint].bone);
            }
            tdHumanoidInfo info = tdDescribeHumanoid(asset);
            ENSURE_NEAR(info.forward.x, sin(yaws[y]), 1e-3);
            ENSURE_NEAR(info.forward.z, cos(yaws[y]), 1e-3);
            // Sitting: the body stands up on straight legs.
            ENSURE_NEAR(info.hipsHeight, kind == REST_SITTING ? 0.95 + 0.39 : 0.95, 1e-3);
            ENSURE_EQUAL_INT(info.facesBackward, yaws[y] > 3.0);
            bool isBind = kind == REST_BIND || kind == REST_BIND_A;
            ENSURE_EQUAL_INT(info.restSource, isBind ? TD_REST_SOURCE_BIND : TD_REST_SOURCE_NODES);
            ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_FACING), yaws[y] != 0.0);
            ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_REST_BIND), isBind);
            ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_REST_CORRECTED),
                             kind != REST_T && kind != REST_BIND);
            ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_MIRRORED), 0);
            tdDestroyAsset(asset);
            tdDestroyAsset(target);
            tdDestroyReport(report);
        }
    }
}

// A motion written as .vrma for a skeleton that is turned and in an A-pose, and retargeted to a plain one.
TEST(WrittenMotionsAreInTPose)
{
    uint64_t seed = 17;
    static SkeletonFile a, b;
    for (int kind = 0; kind < REST_KINDS; ++kind)
    {
        tdAsset* plain = MakeFile(&a, dIdentity, REST_T, &vocabularies[0], &seed, true, NULL, NULL);
        tdAsset* avatar = MakeFile(&b, AxisTurn(0, 1, 0, yaws[1]), (RestKind)kind, &vocabularies[4], &seed,
                                   false, NULL, NULL);
        tdClip* clip = tdRetargetClip(plain, 0, avatar, NULL, NULL, NULL);
        tdAsset* motion = tdMakeMotion(avatar, clip, NULL);
        tdHumanoidInfo info = tdDescribeHumanoid(motion);
        ENSURE_EQUAL_INT(info.kind, TD_HUMANOID_VRMA);
        ENSURE_NEAR(info.forward.z, 1.0, 1e-5);
        ENSURE_NEAR(info.armAngles[0], 0.0, 0.1);
        ENSURE_NEAR(info.legAngles[0], 0.0, 0.1);
        tdClip* back = tdRetargetClip(motion, 0, plain, NULL, NULL, NULL);
        for (int i = 0; i < JOINTS; ++i)
        {
            for (int k = 0; k < KEYS; ++k)
            {
                dQuat from = TurnOf(&a, plain->scene.animations[0].channels,
                                    plain->scene.animations[0].channelCount, i, k);
                dQuat to = TurnOf(&a, back->channels, back->channelCount, i, k);
                ENSURE_NEAR(dAngle(from, to), 0.0, 2e-3);
            }
        }
        tdDestroyClip(back);
        tdDestroyAsset(motion);
        tdDestroyClip(clip);
        tdDestroyAsset(avatar);
        tdDestroyAsset(plain);
    }
}

TEST(OptionsOverrideTheSkeleton)
{
    uint64_t seed = 3;
    static SkeletonFile file;
    tdLoadDef def = tdDefaultLoadDef();
    static const struct
    {
        tdFacing facing;
        float x, z;
    } facings[] = {{TD_FACING_PLUS_Z, 0, 1},
                   {TD_FACING_MINUS_Z, 0, -1},
                   {TD_FACING_PLUS_X, 1, 0},
                   {TD_FACING_MINUS_X, -1, 0}};
    for (int i = 0; i < 4; ++i)
    {
        def.facing = facings[i].facing;
        tdAsset* asset = MakeFile(&file, dIdentity, REST_T, &vocabularies[0], &seed, true, &def, NULL);
        tdHumanoidInfo info = tdDescribeHumanoid(asset);
        ENSURE_NEAR(info.forward.x, facings[i].x, 1e-6);
        ENSURE_NEAR(info.forward.z, facings[i].z, 1e-6);
        tdDestroyAsset(asset);
    }
    def = tdDefaultLoadDef();
    def.rest = TD_REST_NODES;
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = MakeFile(&file, dIdentity, REST_A, &vocabularies[0], &seed, true, &def, report);
    ENSURE_EQUAL_INT(tdDescribeHumanoid(asset).restCorrections, 0);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_REST_CORRECTED), 0);
    ENSURE(asset->scene.humanoid->tpose == NULL);
    tdDestroyAsset(asset);
    // A bind pose on demand, or a finding if there is none.
    def.rest = TD_REST_BIND;
    asset = MakeFile(&file, dIdentity, REST_T, &vocabularies[0], &seed, true, &def, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_NO_BIND), 1);
    tdDestroyAsset(asset);
    asset = MakeFile(&file, dIdentity, REST_BIND, &vocabularies[0], &seed, true, &def, NULL);
    ENSURE_EQUAL_INT(tdDescribeHumanoid(asset).restSource, TD_REST_SOURCE_BIND);
    tdDestroyAsset(asset);
    // A frame of the animation: its rotations are the rest.
    def.rest = TD_REST_FRAME;
    def.restFrame1 = 2;
    asset = MakeFile(&file, dIdentity, REST_A, &vocabularies[0], &seed, true, &def, NULL);
    ENSURE_EQUAL_INT(tdDescribeHumanoid(asset).restSource, TD_REST_SOURCE_FRAME);
    const tdChannel* channel = &asset->scene.animations[0].channels[6];
    ENSURE_NEAR(tdAngleBetween(asset->scene.humanoid->tpose->rotations[6],
                               *(const tdQuat*)(const void*)(channel->values + 4)),
                0.0, 1e-3);
    tdDestroyAsset(asset);
    def.restFrame1 = 9;
    asset = MakeFile(&file, dIdentity, REST_T, &vocabularies[0], &seed, true, &def, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_NO_FRAME), 1);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(NamesOfManyPrograms)
{
    uint64_t seed = 2;
    static SkeletonFile file;
    for (int v = 0; v < VOCABULARIES; ++v)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = MakeFile(&file, dIdentity, REST_T, &vocabularies[v], &seed, false, NULL, report);
        if (!ENSURE_EQUAL_INT(tdDescribeHumanoid(asset).kind, TD_HUMANOID_BY_NAME))
        {
            printf("  %s is no humanoid\n", vocabularies[v].program);
        }
        for (int i = 0; i < JOINTS; ++i)
        {
            int node = tdAsset_FindBone(asset, joints[i].bone);
            if (!ENSURE_EQUAL_INT(node, i))
            {
                printf("  %s: %s is \"%s\", not \"%s\"\n", vocabularies[v].program, joints[i].bone,
                       node >= 0 ? tdAsset_GetNodeName(asset, node) : "missing",
                       tdAsset_GetNodeName(asset, i));
            }
        }
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_TIE), 0);
        for (int bone = 0; bone < 55; ++bone)
        {
            tdHumanBoneInfo info = tdDescribeBone(asset, bone);
            ENSURE(info.node < 0
                       ? info.confidence == 0.0f && info.evidence[0] == 0
                       : info.confidence >= 0.39f && info.confidence <= 1.0f && info.evidence[0] != 0);
        }
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

// BVH

// A body of text: joints with an offset, with end sites or without.
typedef struct BvhSpec
{
    int upAxis; // 1: Y, 2: Z
    bool isLeftHanded;
    bool hasEnds, hasToes;
    float unit; // units per metre
    const char* order;
    const char* motion; // numbers of one frame after the root's
    const char* root;   // six numbers per frame
    bool hasDuplicate;
} BvhSpec;

static void AppendBvhOffset(tdText* text, const BvhSpec* spec, tdVec3 p)
{
    p.x = spec->isLeftHanded ? -p.x : p.x;
    tdVec3 q = spec->upAxis == 2 ? (tdVec3){p.x, -p.z, p.y} : p;
    char numbers[128];
    snprintf(numbers, sizeof(numbers), "OFFSET %.6f %.6f %.6f\n", (double)(q.x * spec->unit),
             (double)(q.y * spec->unit), (double)(q.z * spec->unit));
    tdText_AppendString(text, numbers);
}

static void AppendBvhJoint(tdText* text, const BvhSpec* spec, int joint)
{
    char name[64];
    NameJoint(&vocabularies[3], joint, name);
    bool isToes = strstr(joints[joint].bone, "Toes") != NULL, isRoot = joints[joint].parent < 0;
    if ((isToes && !spec->hasToes) || joint > 20)
    {
        return;
    }
    if (spec->hasDuplicate && strcmp(joints[joint].bone, "head") == 0)
    {
        snprintf(name, sizeof(name), "Neck");
    }
    tdText_AppendFormat(text, "%s %s\n{\n", isRoot ? "ROOT" : "JOINT", name);
    AppendBvhOffset(text, spec,
                    isRoot ? tdVec3_zero : (tdVec3){joints[joint].x, joints[joint].y, joints[joint].z});
    tdText_AppendFormat(text, "CHANNELS %d %s%crotation %crotation %crotation\n", isRoot ? 6 : 3,
                        isRoot ? "Xposition Yposition Zposition " : "", spec->order[0], spec->order[1],
                        spec->order[2]);
    int children = 0;
    for (int i = 0; i < JOINTS; ++i)
    {
        if (joints[i].parent == joint)
        {
            size_t before = text->length;
            AppendBvhJoint(text, spec, i);
            children += text->length > before;
        }
    }
    if (children == 0 && spec->hasEnds)
    {
        tdText_AppendString(text, "End Site\n{\n");
        bool isFoot = isToes || strstr(joints[joint].bone, "Foot") != NULL;
        tdVec3 end = isFoot ? (tdVec3){0, -0.05f, 0.1f} : (tdVec3){0, 0.1f, 0};
        AppendBvhOffset(text, spec, end);
        tdText_AppendString(text, "}\n");
    }
    tdText_AppendString(text, "}\n");
}

static tdAsset* MakeBvh(const BvhSpec* spec, const tdLoadDef* def, tdReport* report)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text, "HIERARCHY\n");
    AppendBvhJoint(&text, spec, 0);
    tdText_AppendFormat(&text, "MOTION\nFrames: 1\nFrame Time: 0.1\n%s", spec->root);
    for (int i = 1; i < 21; ++i)
    {
        bool isLeftArm = strcmp(joints[i].bone, "leftUpperArm") == 0;
        bool isToes = strstr(joints[i].bone, "Toes") != NULL;
        if (!isToes || spec->hasToes)
        {
            tdText_AppendString(&text, isLeftArm ? spec->motion : " 0 0 0");
        }
    }
    tdText_AppendChar(&text, '\n');
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, def, report);
    tdText_Free(&text);
    return asset;
}

static tdVec3 HipsAt(const tdAsset* asset)
{
    const tdAnimation* animation = &asset->scene.animations[0];
    for (int c = 0; c < animation->channelCount; ++c)
    {
        if (animation->channels[c].target.kind == TD_PROPERTY_TRANSLATION)
        {
            return *(const tdVec3*)(const void*)animation->channels[c].values;
        }
    }
    return tdVec3_zero;
}

TEST(BvhAxesHandednessAndUnits)
{
    // Height of the hips above the toes' ends: 0.05 + 0.42 + 0.4 + 0.06 + 0.05.
    const double height = 0.98;
    static const float units[] = {1.0f, 100.0f, 39.3701f, 1000.0f, 17.7165f};
    for (int axis = 1; axis <= 2; ++axis)
    {
        for (int hand = 0; hand < 2; ++hand)
        {
            for (int u = 0; u < 5; ++u)
            {
                char root[128];
                float lift = 0.9f * units[u];
                snprintf(root, sizeof(root), axis == 2 ? "0 0 %g 0 0 0" : "0 %g 0 0 0 0", (double)lift);
                // The left arm is raised by 90 degrees about the axis that points forward in the file.
                bool isLeft = hand == 1;
                const char* motion =
                    axis == 2 ? (isLeft ? " 0 0 90" : " 0 0 -90") : (isLeft ? " -90 0 0" : " 90 0 0");
                BvhSpec spec = {axis,   isLeft, true, true, units[u], axis == 2 ? "ZXY" : "ZXY",
                                motion, root,   false};
                tdReport* report = tdCreateReport(NULL);
                tdAsset* asset = MakeBvh(&spec, NULL, report);
                ENSURE(asset != NULL);
                ENSURE_NEAR(asset->scene.humanoid->hipsHeight, height, 2e-3);
                ENSURE_NEAR(HipsAt(asset).y, 0.9, 2e-3);
                ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_LEFT_HANDED), hand);
                ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_FACING), axis == 2);
                // The raised arm: the forearm points up.
                int arm = tdAsset_FindBone(asset, "leftUpperArm"),
                    forearm = tdAsset_FindBone(asset, "leftLowerArm");
                const tdAnimation* animation = &asset->scene.animations[0];
                for (int c = 0; c < animation->channelCount; ++c)
                {
                    const tdChannel* channel = &animation->channels[c];
                    if (channel->target.object == arm && channel->target.kind == TD_PROPERTY_ROTATION)
                    {
                        tdQuat q = *(const tdQuat*)(const void*)channel->values;
                        tdVec3 way = tdRotate(q, tdNormalize(asset->scene.nodes.locals[forearm].translation));
                        if (!ENSURE_NEAR(way.y, 1.0, 1e-4))
                        {
                            printf("  axis %d, hand %d, unit %d: %g %g %g\n", axis, hand, u, (double)way.x,
                                   (double)way.y, (double)way.z);
                        }
                    }
                }
                tdDestroyAsset(asset);
                tdDestroyReport(report);
            }
        }
    }
}

TEST(BvhRootsWithoutPositions)
{
    BvhSpec spec = {1, false, true, true, 100.0f, "ZXY", " 0 0 0", "0 0 0 0 0 0", false};
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = MakeBvh(&spec, NULL, report);
    ENSURE_NEAR(HipsAt(asset).y, 0.98, 1e-4); // stands at its rest height
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_ROOT_RELATIVE), 1);
    tdDestroyAsset(asset);
    spec.root = "0 98 0 0 0 0";
    asset = MakeBvh(&spec, NULL, report);
    ENSURE_NEAR(HipsAt(asset).y, 0.98, 1e-4);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_ROOT_RELATIVE), 1);
    tdDestroyAsset(asset);
    // Without end sites and toes, the height of the ankles is assumed.
    spec.hasEnds = spec.hasToes = false;
    asset = MakeBvh(&spec, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_NO_END_SITES), 1);
    ENSURE_NEAR(asset->scene.humanoid->hipsHeight, 0.87 / (1.0 - 0.074), 1e-3);
    tdDestroyAsset(asset);
    spec.hasDuplicate = true;
    asset = MakeBvh(&spec, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_DUPLICATE_NAME), 1);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "neck"), tdAsset_FindNode(asset, "Neck")); // the upper one
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

// Maps

TEST(MapsNameNodesAndRemarks)
{
    BvhSpec spec = {1, false, true, true, 100.0f, "ZXY", " 0 0 0", "0 0 0 0 0 0", true};
    tdLoadDef def = tdDefaultLoadDef();
    char map[256];
    tdAsset* asset = MakeBvh(&spec, NULL, NULL);
    int upper = tdAsset_FindNode(asset, "Neck"), lower = -1;
    for (int node = upper + 1; node < tdAsset_GetNodeCount(asset); ++node)
    {
        lower = lower < 0 && strcmp(tdAsset_GetNodeName(asset, node), "Neck") == 0 ? node : lower;
    }
    tdDestroyAsset(asset);
    snprintf(map, sizeof(map),
             "{\"$remark\": 1, \"head\": {\"joint\": \"Neck\", \"node\": %d, \"confidence\": 1}, "
             "\"leftToes\": null}",
             lower);
    def.boneMap = map;
    tdReport* report = tdCreateReport(NULL);
    asset = MakeBvh(&spec, &def, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_MAP), 0);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "head"), lower);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "neck"), upper);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "leftToes"), -1);
    ENSURE_EQUAL_TEXT(tdDescribeBone(asset, 5).evidence, "map");
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

// Hierarchies that decide between names.
TEST(HierarchyIsEvidence)
{
    static const struct
    {
        const char* names[8]; // of a chain below the hips
        const char* bones[8]; // NULL: none
    } chains[] = {
        {{"LeftHip", "LeftKnee", "LeftAnkle", "LeftFoot"},
         {"leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes"}},
        {{"LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"},
         {"leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes"}},
        {{"LeftLeg", "LeftKnee", "LeftFoot", "LeftToe"},
         {"leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes"}},
        {{"LHipJoint", "LeftUpLeg", "LeftLeg", "LeftFoot"},
         {NULL, "leftUpperLeg", "leftLowerLeg", "leftFoot"}},
        {{"LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist"},
         {"leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand"}},
        {{"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"},
         {"leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand"}},
        {{"LeftShoulder", "LeftElbow", "LeftWrist", "LeftHand"},
         {"leftUpperArm", "leftLowerArm", "leftHand", NULL}},
        {{"lShldrBend", "lShldrTwist", "lForearmBend", "lForearmTwist", "lHand"},
         {"leftUpperArm", NULL, "leftLowerArm", NULL, "leftHand"}},
        {{"thigh_l", "thigh_twist_01_l", "ik_foot_l", "calf_l", "foot_l"},
         {"leftUpperLeg", NULL, NULL, "leftLowerLeg", "leftFoot"}},
    };
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); ++i)
    {
        tdText text;
        tdText_Init(&text, NULL);
        tdText_AppendString(&text, "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 0\n");
        int count = 0;
        for (; count < 8 && chains[i].names[count] != NULL; ++count)
        {
            tdText_AppendFormat(&text, "JOINT %s\n{\nOFFSET 0 -0.3 0\nCHANNELS 0\n", chains[i].names[count]);
        }
        for (int k = 0; k <= count; ++k)
        {
            tdText_AppendString(&text, "}\n");
        }
        tdText_AppendString(&text, "MOTION\nFrames: 0\nFrame Time: 0.1\n");
        tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
        for (int k = 0; k < count; ++k)
        {
            const char* bone = chains[i].bones[k];
            int found = asset->scene.humanoid->boneOfNode[k + 1];
            const char* name = found >= 0 ? tdBone_GetInfo((tdBone)found)->name : "none";
            if (!ENSURE(bone != NULL ? strcmp(name, bone) == 0 : found < 0))
            {
                printf("  %s is %s, not %s\n", chains[i].names[k], name, bone != NULL ? bone : "none");
            }
        }
        tdDestroyAsset(asset);
        tdText_Free(&text);
    }
}

TEST(TiesAreReported)
{
    static const char text[] =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT LeftUpLeg\n{\nOFFSET 0.1 0 0\nCHANNELS "
        "0\n}\n"
        "JOINT LeftThigh\n{\nOFFSET 0.1 0 0\nCHANNELS 0\n}\n}\nMOTION\nFrames: 0\nFrame Time: 0.1\n";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text, sizeof(text) - 1, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_TIE), 1);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "leftUpperLeg"), 1);
    ENSURE_NEAR(tdDescribeBone(asset, 9).confidence, 0.5, 1e-6);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(ExchangedSidesAreReported)
{
    // The feet point backward: the sides of the names are those of somebody who looks at the body.
    static SkeletonFile file;
    uint64_t seed = 6;
    Vocabulary mirrored = vocabularies[0];
    mirrored.left = "Right";
    mirrored.right = "Left";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = MakeFile(&file, dIdentity, REST_T, &mirrored, &seed, true, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_MIRRORED), 1);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(BodiesThatShowNoFacing)
{
    // Arms and legs on one spot: no side.
    static const char text[] =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 0\nJOINT Head\n{\nOFFSET 0 0.6 0\nCHANNELS 0\n}\n"
        "JOINT LeftUpLeg\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nJOINT RightUpLeg\n{\nOFFSET 0 0 0\nCHANNELS "
        "0\n}\n}\n"
        "MOTION\nFrames: 0\nFrame Time: 0.1\n";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text, sizeof(text) - 1, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_SK_FACING_UNKNOWN), 1);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

// A node between hips and spine of a VRM Animation turns by 90 degrees: the spine of the avatar does.
TEST(NodesBetweenBonesOfAVrmaAreFolded)
{
    static SkeletonFile file;
    static const char motion[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
        "{\"name\":\"h\",\"translation\":[0,1,0],\"children\":[1]},"
        "{\"name\":\"between\",\"rotation\":[0.6,0,0,0.8],\"children\":[2]},"
        "{\"name\":\"s\",\"translation\":[0,0.2,0]}],"
        "\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":"
        "\"1.0\","
        "\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":0},\"spine\":{\"node\":2}}}}},"
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}],"
        "\"samplers\":[{\"input\":0,\"output\":1}]}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],\"bufferViews\":["
        "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],"
        "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":40}]}";
    uint64_t seed = 5;
    tdAsset* avatar = MakeFile(&file, dIdentity, REST_T, &vocabularies[1], &seed, false, NULL, NULL);
    dQuat rest = {0.6, 0, 0, 0.8}, turn = AxisTurn(0, 0, 1, 1.5707963267949);
    static SkeletonFile source;
    tdQuat first = ToFloat(rest), second = ToFloat(dMul(turn, rest)); // about an axis of the model
    source.bin[1] = 1.0f;
    memcpy(source.bin + 2, &first, sizeof(first));
    memcpy(source.bin + 6, &second, sizeof(second));
    source.binSize = 10;
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadBin;
    def.readContext = &source;
    tdAsset* asset = tdLoadAssetFromMemory(motion, sizeof(motion) - 1, &def, NULL);
    tdClip* clip = tdRetargetClip(asset, 0, avatar, NULL, NULL, NULL);
    ENSURE_NEAR(dAngle(TurnOf(&file, clip->channels, clip->channelCount, 1, 0.0), dIdentity), 0.0, 1e-3);
    ENSURE_NEAR(dAngle(TurnOf(&file, clip->channels, clip->channelCount, 1, 1.0), turn), 0.0, 1e-3);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
    tdDestroyAsset(avatar);
}

TEST(SurvivesAllocationFailures)
{
    static SkeletonFile file;
    bool done = false;
    for (int64_t failAt = 0; failAt < 600 && !done; ++failAt)
    {
        uint64_t seed = 3;
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdLoadDef def = tdDefaultLoadDef();
        def.allocator = &allocator;
        tdAsset* asset = MakeFile(&file, dIdentity, REST_BIND_A, &vocabularies[0], &seed, true, &def, NULL);
        done = asset != NULL;
        tdDestroyAsset(asset);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(done);
}

TEST_MAIN(RUN(AnyFacingAndRestPose) RUN(WrittenMotionsAreInTPose) RUN(OptionsOverrideTheSkeleton)
              RUN(NamesOfManyPrograms) RUN(BvhAxesHandednessAndUnits) RUN(BvhRootsWithoutPositions)
                  RUN(MapsNameNodesAndRemarks) RUN(HierarchyIsEvidence) RUN(TiesAreReported)
                      RUN(ExchangedSidesAreReported) RUN(BodiesThatShowNoFacing)
                          RUN(NodesBetweenBonesOfAVrmaAreFolded) RUN(SurvivesAllocationFailures))
