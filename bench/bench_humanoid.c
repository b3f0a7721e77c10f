// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures retargeting: a clip of a full humanoid skeleton on an avatar with different rest rotations and ten
// constraints. Prints JSON lines:
//
//   us_convert   conversion of one normalised pose to the avatar's locals (tdRig_ApplyPose)
//   us_pose      one actor, sampling of the retargeted clip: a step without the cost of the globals
//   us_frame     one actor: sampling, constraints, all globals
//   us_played    a pose of a retargeted clip: its share of the retargeting, sampling, all globals
//   us_contacts  the same with contacts of feet and hands; `ratio` is the quotient
//   ms_crowd     a step of many actors with constraints, each at its own clip time; also on threads, with the
//                speed-up
//
// usage: tendon_bench_humanoid [--actors N] [--threads N] [--write FOLDER]
// --write saves avatar.vrm and motion.vrma in the folder, for other programs.
#include "crowd_stage.h"

#include "base/memory.h"
#include "pose/node_pose.h"
#include "scene/asset.h"
#include "scene/humanoid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tendon/pose.h>

#define KEYS 31
#define CONSTRAINTS 10
#define CONTACT_RATE 120 // Hz, of contacts where legs are as fast as in this motion

static char text[1 << 18];
static size_t length;
static float buffer[KEYS + TD_BONE_COUNT * KEYS * 4 + KEYS * 3];

static void Print(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof(text) - length, format, arguments);
    va_end(arguments);
}

static bool ReadBuffer(void* context, const char* uri, const void** data, size_t* size)
{
    (void)context;
    (void)uri;
    *data = buffer;
    *size = sizeof(buffer);
    return true;
}

static bool IsEye(int bone)
{
    return bone == TD_BONE_LEFT_EYE || bone == TD_BONE_RIGHT_EYE;
}

// Every bone is node 1 + bone below one root; `phase` varies the rest rotations.
static void PrintNodes(double phase, bool hasConstraints)
{
    int extra = hasConstraints ? CONSTRAINTS : 0;
    Print("\"scenes\":[{\"nodes\":[0]}],\"scene\":0,\"nodes\":[{\"name\":\"root\",\"children\":[1]}");
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        const tdBoneInfo* info = tdBone_GetInfo((tdBone)i);
        double angle = 0.3 * sin(phase + 1.7 * i), s = sin(angle);
        Print(",{\"name\":\"%s\",\"translation\":[%g,%g,%g],\"rotation\":[%.9g,0,%.9g,%.9g]", info->name,
              strncmp(info->name, "left", 4) == 0 ? 0.08
                                                  : (strncmp(info->name, "right", 5) == 0 ? -0.08 : 0.0),
              i == 0 ? 0.9 : 0.1, 0.01, s * 0.6, s * 0.8, cos(angle));
        const char* separator = ",\"children\":[";
        for (int child = i + 1; child < TD_BONE_COUNT; ++child)
        {
            if (tdBone_GetInfo((tdBone)child)->parent == (tdBone)i)
            {
                Print("%s%d", separator, 1 + child);
                separator = ",";
            }
        }
        if (i < 20 && i / 2 < extra &&
            i % 2 == 1) // a constrained node below every second one of the first bones
        {
            Print("%s%d", separator, 1 + TD_BONE_COUNT + i / 2);
            separator = ",";
        }
        Print("%s}", *separator == ',' && separator[1] == '\0' ? "]" : "");
    }
    static const char* const kinds[3] = {"\"roll\":{\"rollAxis\":\"X\",", "\"rotation\":{",
                                         "\"aim\":{\"aimAxis\":\"PositiveX\","};
    for (int i = 0; i < extra; ++i)
    {
        Print(
            ",{\"name\":\"helper%d\",\"translation\":[0.05,0.02,0],\"extensions\":{\"VRMC_node_constraint\":{"
            "\"specVersion\":\"1.0\",\"constraint\":{%s\"source\":%d,\"weight\":%g}}}}}",
            i, kinds[i % 3], 1 + (7 * i + 13) % TD_BONE_COUNT, i % 2 == 0 ? 1.0 : 0.5);
    }
    Print("]");
}

static void PrintBones(bool withEyes)
{
    Print("\"humanoid\":{\"humanBones\":{");
    for (int i = 0, count = 0; i < TD_BONE_COUNT; ++i)
    {
        if (withEyes || !IsEye(i))
        {
            Print("%s\"%s\":{\"node\":%d}", count++ > 0 ? "," : "", tdBone_GetInfo((tdBone)i)->name, 1 + i);
        }
    }
    Print("}}");
}

static tdAsset* MakeAvatar(void)
{
    length = 0;
    Print("{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\",\"VRMC_node_constraint\"],"
          "\"extensions\":{\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"meta\":{\"name\":\"Bench\",\"authors\":["
          "\"Tendon contributors\"],\"licenseUrl\":\"https://vrm.dev/licenses/1.0/\"},");
    PrintBones(true);
    Print("}},");
    PrintNodes(0.0, true);
    Print("}");
    return tdLoadAssetFromMemory(text, length, NULL, NULL);
}

static tdAsset* MakeMotion(void)
{
    float* at = buffer;
    for (int k = 0; k < KEYS; ++k)
    {
        *at++ = (float)k / 30.0f;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        for (int k = 0; k < KEYS; ++k)
        {
            double angle = 0.4 * sin(6.2831853 * k / (KEYS - 1) + i), s = sin(angle);
            *at++ = (float)(s * 0.48);
            *at++ = (float)(s * 0.6);
            *at++ = (float)(s * 0.64);
            *at++ = (float)cos(angle);
        }
    }
    for (int k = 0; k < KEYS; ++k)
    {
        *at++ = 0.0f;
        *at++ = 0.9f + 0.02f * (float)sin(0.4 * k);
        *at++ = 0.01f * (float)k;
    }
    length = 0;
    Print("{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"extensions\":{"
          "\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",");
    PrintBones(false);
    Print("}},");
    PrintNodes(2.0, false);
    Print(",\"animations\":[{\"samplers\":[");
    for (int i = 0; i <= TD_BONE_COUNT; ++i)
    {
        Print("%s{\"input\":0,\"output\":%d}", i > 0 ? "," : "", 1 + i);
    }
    Print("],\"channels\":[");
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (!IsEye(i))
        {
            Print("{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"rotation\"}},", i, 1 + i);
        }
    }
    Print("{\"sampler\":%d,\"target\":{\"node\":1,\"path\":\"translation\"}}]}],\"buffers\":[{\"byteLength\":"
          "%d,"
          "\"uri\":\"keys.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}",
          TD_BONE_COUNT, (int)sizeof(buffer), KEYS * 4);
    for (int i = 0; i <= TD_BONE_COUNT; ++i)
    {
        Print(",{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}", KEYS * 4 + i * KEYS * 16,
              i < TD_BONE_COUNT ? KEYS * 16 : KEYS * 12);
    }
    Print("],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\","
          "\"min\":[0],"
          "\"max\":[1]}",
          KEYS);
    for (int i = 0; i <= TD_BONE_COUNT; ++i)
    {
        Print(",{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"}", 1 + i, KEYS,
              i < TD_BONE_COUNT ? "VEC4" : "VEC3");
    }
    Print("]}");
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadBuffer;
    return tdLoadAssetFromMemory(text, length, &def, NULL);
}

// Microseconds of one conversion, minimum of many rounds of a hundred.
static double MeasureConvert(const tdAsset* avatar)
{
    tdRig* rig = tdCreateRig(avatar, NULL);
    static tdTrs locals[TD_BONE_COUNT + CONSTRAINTS + 1];
    tdPose pose = tdMakeRestPose();
    double best = 1e9;
    for (int round = 0; round < 1500; ++round)
    {
        for (int i = 0; i < TD_BONE_COUNT; ++i)
        {
            double angle = 0.01 * (round + i);
            pose.rotations[i] = (tdQuat){(float)sin(angle), 0.0f, 0.0f, (float)cos(angle)};
        }
        double start = tdBenchNow();
        for (int i = 0; i < 100; ++i)
        {
            tdRig_ApplyPose(rig, &pose, locals);
        }
        double seconds = tdBenchNow() - start;
        best = seconds < best ? seconds : best;
    }
    tdDestroyRig(rig);
    return best / 100 * 1e6;
}

// Microseconds to compute all globals of one avatar.
static double MeasureGlobals(const tdAsset* avatar)
{
    tdArena arena;
    tdArena_Init(&arena, NULL, 0);
    tdNodePose pose;
    double best = 1e9;
    if (tdNodePose_Init(&pose, &avatar->scene.nodes, tdTransform_identity, &arena))
    {
        for (int round = 0; round < 3000; ++round)
        {
            double start = tdBenchNow();
            for (int i = 0; i < 20; ++i)
            {
                tdNodePose_MarkDirty(&pose, 0);
                tdNodePose_Sweep(&pose);
            }
            double seconds = tdBenchNow() - start;
            best = seconds < best ? seconds : best;
        }
    }
    tdArena_Free(&arena);
    return best / 20 * 1e6;
}

// Microseconds of a step of one actor.
static double MeasureOne(const tdAsset* avatar, const tdClip* clip, bool enableConstraints)
{
    tdStage* stage = tdMakeCrowdStage(avatar, clip, 1, NULL, enableConstraints);
    double seconds;
    tdMeasureStages(&stage, 1, 0.1, &seconds);
    tdDestroyStage(stage);
    return seconds * 1e6;
}

// Microseconds of retargeting the motion, minimum of many rounds.
static double MeasureRetarget(const tdAsset* avatar, const tdAsset* motion, unsigned contacts)
{
    double best = 1e9;
    for (int round = 0; round < 100; ++round)
    {
        tdRetargetDef def = tdDefaultRetargetDef();
        def.contacts = contacts;
        double start = tdBenchNow();
        tdClip* clip = tdRetargetClip(motion, 0, avatar, &def, NULL, NULL);
        double seconds = tdBenchNow() - start;
        best = seconds < best ? seconds : best;
        tdDestroyClip(clip);
    }
    return best * 1e6;
}

// Prints the cost of a pose with contacts, at their rate, and of the same pose without.
static void MeasureContacts(const tdAsset* avatar, const tdAsset* motion, double pose)
{
    int samples = CONTACT_RATE * (KEYS - 1) / 30 + 1;
    double plain = MeasureRetarget(avatar, motion, 0);
    double kept = MeasureRetarget(avatar, motion, TD_KEEP_FEET | TD_KEEP_HANDS);
    double without = pose + plain / samples, with = pose + kept / samples;
    printf("{\"samples\":%d,\"us_played\":%.3f,\"us_contacts\":%.3f,\"ratio\":%.2f}\n", samples, without,
           with, with / without);
}

static void MeasureCrowd(const tdAsset* avatar, const tdClip* clip, const tdCrowdOptions* options)
{
    const tdTasks* tasks = options->threads > 1 ? tdCreateThreads(options->threads) : NULL;
    tdStage* stages[2] = {tdMakeCrowdStage(avatar, clip, options->actorCount, NULL, true),
                          tdMakeCrowdStage(avatar, clip, options->actorCount, tasks, true)};
    double seconds[2];
    tdMeasureStages(stages, tasks != NULL ? 2 : 1, tasks != NULL ? 3.0 : 0.5, seconds);
    printf("{\"actors\":%d,\"constraints\":%d,\"ms_crowd\":%.3f", options->actorCount, CONSTRAINTS,
           seconds[0] * 1e3);
    if (tasks != NULL)
    {
        printf(",\"threads\":%d,\"ms_crowd_threads\":%.3f,\"factor\":%.2f", options->threads,
               seconds[1] * 1e3, seconds[0] / seconds[1]);
    }
    printf("}\n");
    tdDestroyStage(stages[0]);
    tdDestroyStage(stages[1]);
    tdDestroyThreads(tasks);
}

int main(int argc, char** argv)
{
    tdCrowdOptions options = tdReadCrowdOptions(argc, argv);
    tdAsset *avatar = MakeAvatar(), *motion = MakeMotion();
    tdClip* clip = tdRetargetClip(motion, 0, avatar, NULL, NULL, NULL);
    if (clip == NULL)
    {
        fprintf(stderr, "cannot create the avatar\n");
        return 1;
    }
    if (options.folder != NULL && !(tdWriteBenchAsset(avatar, options.folder, "avatar.vrm") &&
                                    tdWriteBenchAsset(motion, options.folder, "motion.vrma")))
    {
        fprintf(stderr, "cannot write to %s\n", options.folder);
        return 1;
    }
    double globals = MeasureGlobals(avatar);
    double plain = MeasureOne(avatar, clip, false);
    double frame = MeasureOne(avatar, clip, true);
    printf("{\"bones\":%d,\"us_convert\":%.3f,\"us_pose\":%.3f,\"us_frame\":%.3f}\n", TD_BONE_COUNT,
           MeasureConvert(avatar), plain - globals, frame);
    MeasureContacts(avatar, motion, plain);
    MeasureCrowd(avatar, clip, &options);
    tdDestroyClip(clip);
    tdDestroyAsset(motion);
    tdDestroyAsset(avatar);
    return 0;
}
