// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of BVH import: every error with its line, Euler orders against products of rotations, units, axes,
// rest pose, names.
#include "harness.h"

#include "anim/sampler.h"
#include "base/report.h"
#include "import/bvh.h"
#include "import/vrm.h"
#include "runtime/double_math.h"

#include "tendon/describe.h"

#include <stdlib.h>

static tdAsset* Load(const char* text, const tdLoadDef* def, tdReport* report)
{
    return tdLoadAssetFromMemory(text, strlen(text), def, report);
}

TEST(ErrorsHaveTheirLine)
{
    static const struct
    {
        const char* file;
        int line, column;
        bool isLoaded;
    } cases[] = {
        {"no_root", 2, 1, false},     {"unknown_channel", 5, 13, false}, {"channel_count", 5, 11, false},
        {"bad_number", 4, 11, false}, {"missing_brace", 9, 1, false},    {"no_site", 5, 2, false},
        {"stray_word", 6, 2, false},  {"short_motion", 17, 1, true},     {"bad_frame_time", 13, 13, true},
        {"bad_frames", 12, 9, true},  {"no_frames", 12, 1, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        char path[512];
        snprintf(path, sizeof(path), "%s/bvh/%s.bvh", TD_TEST_DATA, cases[i].file);
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAsset(path, NULL, report);
        ENSURE_EQUAL_INT(asset != NULL, cases[i].isLoaded);
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_SYNTAX), 1);
        ENSURE_EQUAL_INT(tdReport_Get(report, 0).line, cases[i].line);
        ENSURE_EQUAL_INT(tdReport_Get(report, 0).column, cases[i].column);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

static const char body[] = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS %d %s\n"
                           " End Site\n {\n OFFSET 0 1.6 0\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.5\n%s\n";

TEST(EulerOrdersAreIntrinsicLeftToRight)
{
    static const char* const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
    const double degrees[3] = {30, -70, 110};
    for (int i = 0; i < 6; ++i)
    {
        char channels[64], text[512];
        snprintf(channels, sizeof(channels), "%crotation %crotation %crotation", orders[i][0], orders[i][1],
                 orders[i][2]);
        snprintf(text, sizeof(text), body, 3, channels, "30 -70 110");
        tdAsset* asset = Load(text, NULL, NULL);
        dQuat expected = dIdentity;
        for (int k = 0; k < 3; ++k)
        {
            double half = degrees[k] * 3.14159265358979323846 / 360.0;
            dQuat turn = {0, 0, 0, cos(half)};
            double* axis = orders[i][k] == 'X' ? &turn.x : (orders[i][k] == 'Y' ? &turn.y : &turn.z);
            *axis = sin(half);
            expected = dMul(expected, turn);
        }
        ENSURE_EQUAL_INT(asset->scene.animations[0].channelCount, 1);
        tdQuat q;
        memcpy(&q, asset->scene.animations[0].channels[0].values, sizeof(q));
        ENSURE_NEAR(dAngle(dFromQuat(q), expected), 0.0, 1e-6);
        tdDestroyAsset(asset);
    }
}

TEST(UnitsAreDetectedOrGiven)
{
    static const struct
    {
        const char* height;
        double metres;
    } cases[] = {{"1.7", 1.7}, {"172", 1.72}, {"65", 65 * 0.0254}, {"1650", 1.65}};
    for (int i = 0; i < 4; ++i)
    {
        char text[512];
        snprintf(text, sizeof(text),
                 "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n End "
                 "Site\n {\n OFFSET "
                 "0 %s 0\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n",
                 cases[i].height);
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = Load(text, NULL, report);
        ENSURE_NEAR(asset->scene.nodes.locals[1].translation.y, cases[i].metres, 1e-5);
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_UNITS), 1);
        tdDestroyAsset(asset);
        tdLoadDef def = tdDefaultLoadDef();
        def.bvhUnit = 0.5f;
        asset = Load(text, &def, NULL);
        ENSURE_NEAR(asset->scene.nodes.locals[1].translation.y, 0.5 * atof(cases[i].height), 1e-3);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

TEST(RestPoseBecomesATPose)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/bvh/walk.bvh", TD_TEST_DATA);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_REST_CORRECTED), 1);
    tdHumanoidInfo info = tdDescribeHumanoid(asset);
    ENSURE_EQUAL_INT(info.kind, TD_HUMANOID_BY_NAME);
    ENSURE_EQUAL_TEXT(tdHumanoidKind_GetName(info.kind), "joint names");
    ENSURE_EQUAL_INT(info.boneCount, 22);
    ENSURE_NEAR(info.armAngles[0], 0.0, 0.1); // they hang down in the file
    ENSURE_NEAR(info.armAngles[1], 0.0, 0.1);
    ENSURE_NEAR(info.hipsHeight, 0.93, 1e-4); // 4 + 42 + 41 + 6 cm above the toes
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "spine"), tdAsset_FindNode(asset, "LowerBack"));
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "upperChest"), tdAsset_FindNode(asset, "Spine1"));
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "rightLowerArm"), tdAsset_FindNode(asset, "RightForeArm"));
    tdDestroyAsset(asset);
    // With a frame as T-pose, its rotations are the rest rotations.
    tdLoadDef def = tdDefaultLoadDef();
    def.bvhTposeFrame1 = 8;
    asset = tdLoadAsset(path, &def, NULL);
    const tdAnimation* animation = &asset->scene.animations[0];
    for (int c = 0; c < animation->channelCount; ++c)
    {
        const tdChannel* channel = &animation->channels[c];
        if (channel->isRotation)
        {
            ENSURE(memcmp(&asset->scene.nodes.locals[channel->target.object].rotation,
                          channel->values + 4 * 7, sizeof(tdQuat)) == 0);
        }
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

// Z up, facing -Y: a quarter turn about X converts it to Y up.
TEST(OtherAxesAreConverted)
{
    const char text[] =
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\n"
        " JOINT Head\n {\n OFFSET 0 0 0.7\n End Site\n {\n OFFSET 0 0 0.2\n }\n }\n"
        " JOINT LeftUpLeg\n {\n OFFSET 0.1 0 0\n JOINT LeftLeg\n {\n OFFSET 0 0 -0.4\n JOINT LeftFoot\n"
        " {\n OFFSET 0 0 -0.4\n End Site\n {\n OFFSET 0 -0.1 0\n }\n }\n }\n }\n"
        " JOINT RightUpLeg\n {\n OFFSET -0.1 0 0\n End Site\n {\n OFFSET 0 0 -0.4\n }\n }\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 0.9 90 0 0\n";
    tdAsset* asset = Load(text, NULL, NULL);
    ENSURE_NEAR(asset->scene.nodes.locals[tdAsset_FindNode(asset, "Head")].translation.y, 0.7, 1e-6);
    const tdChannel* travel = &asset->scene.animations[0].channels[0];
    ENSURE_EQUAL_INT(travel->target.kind, TD_PROPERTY_TRANSLATION);
    ENSURE_NEAR(travel->values[0], 1.0, 1e-6); // x stays, z becomes up, y becomes -z
    ENSURE_NEAR(travel->values[1], 0.9, 1e-6);
    ENSURE_NEAR(travel->values[2], -2.0, 1e-6);
    tdQuat q;
    memcpy(&q, asset->scene.animations[0].channels[1].values,
           sizeof(q)); // about the file's Z: about +Y of the result
    ENSURE_NEAR(q.y, sqrt(0.5), 1e-6);
    ENSURE_NEAR(q.w, sqrt(0.5), 1e-6);
    tdDestroyAsset(asset);
}

TEST(NamesOfManyProgramsAreKnown)
{
    static const char* const vocabularies[][4] = {
        // hips, left upper arm, left lower arm, left upper leg
        {"mixamorig:Hips", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftUpLeg"},
        {"mixamorig1Hips", "mixamorig1LeftArm", "mixamorig1LeftForeArm", "mixamorig1LeftUpLeg"},
        {"Pelvis", "LeftUpperArm", "LeftForeArm", "LeftUpperLeg"},
        {"Hips", "LeftArm", "LeftForeArm", "LeftThigh"},
        {"hip", "lShldr", "lForeArm", "lThigh"},
        {"Bip01 Pelvis", "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Thigh"},
        {"hips", "leftUpperArm", "leftLowerArm", "leftUpperLeg"},
        {"pelvis", "upperarm_l", "lowerarm_l", "thigh_l"},
        {"Hips", "LeftShoulder", "LeftElbow", "LeftHip"},
        {"hips", "upper_arm.L", "forearm.L", "thigh.L"},
    };
    for (size_t i = 0; i < sizeof(vocabularies) / sizeof(vocabularies[0]); ++i)
    {
        const char* const* v = vocabularies[i];
        char text[1024];
        snprintf(text, sizeof(text),
                 "HIERARCHY\nROOT %s\n{\n OFFSET 0 1 0\n CHANNELS 0\n JOINT Chest\n {\n OFFSET 0 0.2 0\n "
                 "JOINT %s\n {\n "
                 "OFFSET 0.2 0 0\n JOINT %s\n {\n OFFSET 0.3 0 0\n }\n }\n }\n JOINT %s\n {\n OFFSET 0.1 0 "
                 "0\n }\n}\n"
                 "MOTION\nFrames: 0\nFrame Time: 0.1\n",
                 v[0], v[1], v[2], v[3]);
        tdAsset* asset = Load(text, NULL, NULL);
        ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "hips"), 0);
        if (!ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "leftUpperArm"), 2))
        {
            printf("  %s\n", v[1]);
        }
        if (!ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "leftLowerArm"), 3) ||
            !ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "leftUpperLeg"), 4))
        {
            printf("  %s %s\n", v[2], v[3]);
        }
        tdDestroyAsset(asset);
    }
}

TEST(JointsMapToOneBoneAtMost)
{
    // Positions identify the spine and the upper arm only among joints whose names identify nothing.
    static const char text[] =
        "HIERARCHY\nROOT hips\n{\n OFFSET 0 1 0\n CHANNELS 0\n JOINT rightFoot\n {\n OFFSET 0 0.2 0\n "
        "JOINT leftUpperArm\n {\n OFFSET 0.2 0 0\n }\n JOINT rightShoulder\n {\n OFFSET -0.2 0 0\n }\n "
        "JOINT rightLowerArm\n {\n OFFSET -0.4 0 0\n }\n }\n}\nMOTION\nFrames: 0\nFrame Time: 0.1\n";
    tdAsset* asset = Load(text, NULL, NULL);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "rightFoot"), 1);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "spine"), -1);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "rightUpperArm"), -1);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "rightShoulder"), 3);
    tdDestroyAsset(asset);
}

TEST(NameMapsTakePrecedence)
{
    const char text[] =
        "HIERARCHY\nROOT Base\n{\n OFFSET 0 0 0\n CHANNELS 0\n JOINT Stick\n {\n OFFSET 0 1 0\n JOINT Hat\n"
        " {\n OFFSET 0 0.5 0\n }\n }\n}\nMOTION\nFrames: 0\nFrame Time: 0.1\n";
    tdLoadDef def = tdDefaultLoadDef();
    def.boneMap = "{\"spine\": \"Stick\", \"head\": \"Hat\"}";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(text, &def, report);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "spine"), 1);
    ENSURE_EQUAL_INT(tdAsset_FindBone(asset, "head"), 2);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_MAP), 0);
    tdDestroyAsset(asset);
    static const char* const wrong[] = {"[]", "{", "{\"tail\": \"Hat\"}", "{\"head\": \"Nobody\"}"};
    for (int i = 0; i < 4; ++i)
    {
        def.boneMap = wrong[i];
        asset = Load(text, &def, report);
        ENSURE(asset != NULL);
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_MAP), i + 1);
        tdDestroyAsset(asset);
    }
    tdDestroyReport(report);
}

TEST(UnmappedJointsAreReported)
{
    // "Antenna" rotates but is not a bone; "Hips" is one; a joint without rotation channels is ignored.
    const char text[] =
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n JOINT Antenna\n"
        " {\n OFFSET 0 0.5 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n JOINT Knob\n {\n OFFSET 0 0.1 0\n"
        " CHANNELS 0\n }\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 10 0 0\n";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(text, NULL, report);
    ENSURE(asset != NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_BONE_UNMAPPED), 1);
    ENSURE(strstr(tdReport_GetText(report), "\"Antenna\"") != NULL);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(SurvivesAllocationFailures)
{
    char text[512];
    snprintf(text, sizeof(text), body, 3, "Xrotation Yrotation Zrotation", "1 2 3");
    bool done = false;
    for (int64_t failAt = 0; failAt < 200 && !done; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdLoadDef def = tdDefaultLoadDef();
        def.allocator = &allocator;
        tdAsset* asset = Load(text, &def, NULL);
        done = asset != NULL;
        tdDestroyAsset(asset);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(done);
}

// Handedness without feet

typedef enum Bend
{
    BENDS_NOTHING,
    BENDS_KNEES,
    BENDS_ELBOWS
} Bend;

// A body without toes and end sites. Left-handed axes negate X, and with it the rotations about the others.
typedef struct Footless
{
    bool isLeftHanded, isZUp;
    Bend bend;
} Footless;

static int AppendFootlessJoint(const Footless* f, char* text, size_t size, const char* name, double x,
                               double y)
{
    x = f->isLeftHanded ? -x : x;
    return snprintf(text, size, "%s %s { OFFSET %g %g %g CHANNELS %d %sZrotation Xrotation Yrotation\n",
                    strcmp(name, "Hips") == 0 ? "ROOT" : "JOINT", name, x, f->isZUp ? 0.0 : y,
                    f->isZUp ? y : 0.0, strcmp(name, "Hips") == 0 ? 6 : 3,
                    strcmp(name, "Hips") == 0 ? "Xposition Yposition Zposition " : "");
}

static tdAsset* MakeFootless(const Footless* f, const tdLoadDef* def, tdReport* report)
{
    static const struct
    {
        const char* name;
        double x, y;
        int closes;           // braces after it
        double knees, elbows; // degrees about the side, and about the up axis
    } parts[] = {
        {"Hips", 0, 95, 0, 0, 0},           {"Spine", 0, 10, 0, 0, 0},
        {"Neck", 0, 45, 0, 0, 0},           {"Head", 0, 10, 2, 0, 0},
        {"LeftArm", 17, 40, 0, 0, 0},       {"LeftForeArm", 28, 0, 0, 0, -60},
        {"LeftHand", 25, 0, 3, 0, 0},       {"RightArm", -17, 40, 0, 0, 0},
        {"RightForeArm", -28, 0, 0, 0, 60}, {"RightHand", -25, 0, 4, 0, 0},
        {"LeftUpLeg", 10, -5, 0, -40, 0},   {"LeftLeg", 0, -42, 0, 60, 0},
        {"LeftFoot", 0, -40, 3, -20, 0},    {"RightUpLeg", -10, -5, 0, -30, 0},
        {"RightLeg", 0, -42, 0, 50, 0},     {"RightFoot", 0, -40, 4, -20, 0},
    };
    static char text[8192];
    int length = snprintf(text, sizeof(text), "HIERARCHY\n");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i)
    {
        length += AppendFootlessJoint(f, text + length, sizeof(text) - (size_t)length, parts[i].name,
                                      parts[i].x, parts[i].y);
        for (int k = 0; k < parts[i].closes; ++k)
        {
            length += snprintf(text + length, sizeof(text) - (size_t)length, "}\n");
        }
    }
    length += snprintf(text + length, sizeof(text) - (size_t)length, "MOTION\nFrames: 1\nFrame Time: 0.1\n%s",
                       f->isZUp ? "0 0 95" : "0 95 0");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i)
    {
        double x = f->bend == BENDS_KNEES ? parts[i].knees : 0.0;
        double up = f->bend == BENDS_ELBOWS ? parts[i].elbows : 0.0;
        up = f->isLeftHanded ? -up : up;
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %g %g %g", f->isZUp ? up : 0.0, x,
                           f->isZUp ? 0.0 : up);
    }
    snprintf(text + length, sizeof(text) - (size_t)length, "\n");
    return Load(text, def, report);
}

// Position of a bone in the first frame.
static tdVec3 FindBoneInFrame(const tdAsset* asset, const char* bone)
{
    tdVec3 p = tdVec3_zero;
    for (int n = tdAsset_FindBone(asset, bone); n >= 0; n = asset->scene.nodes.parents[n])
    {
        tdTrs local = asset->scene.nodes.locals[n];
        const tdAnimation* animation = &asset->scene.animations[0];
        for (int c = 0; c < animation->channelCount; ++c)
        {
            const tdChannel* channel = &animation->channels[c];
            if (channel->target.object == n)
            {
                bool isRotation = channel->target.kind == TD_PROPERTY_ROTATION;
                memcpy(isRotation ? &local.rotation.x : &local.translation.x, channel->values,
                       sizeof(float) * (isRotation ? 4 : 3));
            }
        }
        p = tdAdd(local.translation, tdRotate(local.rotation, p));
    }
    return p;
}

// Knees bend forward and elbows backward; without them, the given direction decides.
TEST(HandednessWithoutFeet)
{
    for (int i = 0; i < 12; ++i)
    {
        Footless f = {i % 2 == 1, i / 2 % 2 == 1, (Bend)(i / 4)};
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = MakeFootless(&f, NULL, report);
        bool isKnown = f.bend != BENDS_NOTHING;
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_LEFT_HANDED), isKnown && f.isLeftHanded);
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_HAND_UNKNOWN), !isKnown);
        if (isKnown)
        {
            tdVec3 knee = FindBoneInFrame(asset, "leftLowerLeg"), hand = FindBoneInFrame(asset, "leftHand");
            ENSURE_NEAR(knee.x, 0.1, 1e-4); // the left is the left, and the front the front
            ENSURE_NEAR(knee.z, f.bend == BENDS_KNEES ? 0.42 * sin(40.0 * 0.017453293) : 0.0, 1e-4);
            ENSURE_NEAR(hand.x, f.bend == BENDS_ELBOWS ? 0.45 + 0.25 * 0.5 : 0.7, 1e-4);
            ENSURE_NEAR(hand.z, f.bend == BENDS_ELBOWS ? 0.25 * sin(60.0 * 0.017453293) : 0.0, 1e-4);
        }
        tdDestroyAsset(asset);
        // The direction in which the body of the file faces, and the opposite one.
        for (int opposite = 0; opposite < 2; ++opposite)
        {
            tdLoadDef def = tdDefaultLoadDef();
            def.facing = f.isZUp ? (opposite == 0 ? TD_FACING_MINUS_Y : TD_FACING_PLUS_Y)
                                 : (opposite == 0 ? TD_FACING_PLUS_Z : TD_FACING_MINUS_Z);
            tdDestroyReport(report);
            report = tdCreateReport(NULL);
            asset = MakeFootless(&f, &def, report);
            bool isMirrored = f.isLeftHanded == (opposite == 0);
            ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_LEFT_HANDED), isMirrored);
            ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_BVH_HAND_UNKNOWN), 0);
            ENSURE_NEAR(FindBoneInFrame(asset, "leftLowerLeg").x, 0.1, 1e-4);
            if (f.bend == BENDS_KNEES)
            {
                float knee = FindBoneInFrame(asset, "leftLowerLeg").z;
                ENSURE(opposite == 0 ? knee > 0.2f : knee < -0.2f);
            }
            tdDestroyAsset(asset);
        }
        tdDestroyReport(report);
    }
}

TEST_MAIN(RUN(ErrorsHaveTheirLine) RUN(EulerOrdersAreIntrinsicLeftToRight) RUN(UnitsAreDetectedOrGiven)
              RUN(RestPoseBecomesATPose) RUN(OtherAxesAreConverted) RUN(NamesOfManyProgramsAreKnown)
                  RUN(JointsMapToOneBoneAtMost) RUN(NameMapsTakePrecedence) RUN(UnmappedJointsAreReported)
                      RUN(SurvivesAllocationFailures) RUN(HandednessWithoutFeet))
