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

TEST_MAIN(RUN(ErrorsHaveTheirLine) RUN(EulerOrdersAreIntrinsicLeftToRight) RUN(UnitsAreDetectedOrGiven)
              RUN(RestPoseBecomesATPose) RUN(OtherAxesAreConverted) RUN(NamesOfManyProgramsAreKnown)
                  RUN(JointsMapToOneBoneAtMost) RUN(NameMapsTakePrecedence) RUN(UnmappedJointsAreReported)
                      RUN(SurvivesAllocationFailures))
