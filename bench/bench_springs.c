// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures spring bones: avatars with few and many, short and long chains below a root that turns, without
// colliders and with four (two spheres, two capsules) that every joint meets. Prints one JSON line per
// avatar:
//
//   ns_crowd       the springs of eight actors that step together, world matrices of all nodes included
//   ns_per_joint   the same for one actor at a time
//   ns_scalar      the same without SIMD instructions
//   ns_in_step     difference between a step of a crowd with and the same step without springs
//   ns_all         whole step of a crowd (sampling, springs, all globals) per joint
//   factor         speed-up of a whole step on `threads` threads
//
// usage: tendon_bench_springs [--actors N] [--threads N] [--write FOLDER]
// --write saves the avatars in the folder as springs_CHAINS_LENGTH_COLLIDERS.glb, for other programs.
#include "crowd_stage.h"

#include "base/cpu.h"
#include "scene/asset.h"
#include "spring/spring_step.h"

#include "tendon/tendon.h"

#include <stdio.h>
#include <string.h>

// Keys at 0 and 1 s, then two rotations.
static const float buffer[10] = {0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.3f, 0.4f, 0.2f, 0.842615f};

static bool ReadBuffer(void* context, const char* uri, const void** data, size_t* size)
{
    (void)context;
    (void)uri;
    *data = buffer;
    *size = sizeof(buffer);
    return true;
}

// Node 0 turns; chain c has `length` joints and one node more, from node 1 + c (length + 1) on.
static tdAsset* MakeSpringAvatar(int chains, int length, int colliders)
{
    static char text[1 << 20];
    char* at = text;
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_springBone\"],\"nodes\":["
                      "{\"children\":[");
    for (int c = 0; c < chains; ++c)
    {
        at += sprintf(at, "%s%d", c > 0 ? "," : "", 1 + c * (length + 1));
    }
    at += sprintf(at, "]}");
    for (int c = 0; c < chains; ++c)
    {
        float x = 0.1f + 0.01f * (float)(c % 5), z = 0.1f - 0.02f * (float)(c % 7);
        for (int i = 0; i <= length; ++i)
        {
            at += sprintf(at, ",{\"translation\":[%g,%g,%g]", i == 0 ? (double)x : 0.01, i == 0 ? 0.0 : -0.06,
                          i == 0 ? (double)z : 0.005);
            at +=
                i < length ? sprintf(at, ",\"children\":[%d]}", 2 + c * (length + 1) + i) : sprintf(at, "}");
        }
    }
    at += sprintf(at, "],\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"extensions\":{\"VRMC_springBone\":{"
                      "\"specVersion\":\"1.0\",\"colliders\":[");
    for (int i = 0; i < colliders; ++i)
    {
        double y = -0.1 * i;
        at += i % 2 == 0 ? sprintf(at,
                                   "%s{\"node\":0,\"shape\":{\"sphere\":{\"offset\":[0.05,%g,0],"
                                   "\"radius\":0.06}}}",
                                   i > 0 ? "," : "", y)
                         : sprintf(at,
                                   ",{\"node\":0,\"shape\":{\"capsule\":{\"offset\":[0,%g,0],\"tail\":"
                                   "[0.1,%g,0.1],\"radius\":0.05}}}",
                                   y, y);
    }
    at += sprintf(at, "],\"colliderGroups\":[");
    for (int i = 0; i < colliders; ++i)
    {
        at += sprintf(at, i == 0 ? "{\"colliders\":[0" : ",%d", i);
    }
    at += sprintf(at, "%s],\"springs\":[", colliders > 0 ? "]}" : "");
    for (int c = 0; c < chains; ++c)
    {
        at += sprintf(at, "%s{\"joints\":[", c > 0 ? "," : "");
        for (int i = 0; i <= length; ++i)
        {
            at += sprintf(at, "%s{\"node\":%d,\"stiffness\":0.8,\"gravityPower\":0.2,\"hitRadius\":0.02}",
                          i > 0 ? "," : "", 1 + c * (length + 1) + i);
        }
        at += sprintf(at, "]%s}", colliders > 0 ? ",\"colliderGroups\":[0]" : "");
    }
    at += sprintf(
        at,
        "]}},\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,"
        "\"target\":{\"node\":0,\"path\":\"rotation\"}}]}],"
        "\"buffers\":[{\"byteLength\":40,\"uri\":\"keys.bin\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}]}");
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadBuffer;
    return tdLoadAssetFromMemory(text, (size_t)(at - text), &def, NULL);
}

// A pose with springs at rest.
static bool MakeSpringRun(const tdAsset* avatar, tdArena* arena, tdSpringRun* run)
{
    tdNodePose* pose = tdArena_New(arena, tdNodePose);
    tdSpringState* state = tdArena_New(arena, tdSpringState);
    if (pose == NULL || state == NULL ||
        !tdNodePose_Init(pose, &avatar->scene.nodes, tdTransform_identity, arena) ||
        !tdSpringState_Init(state, avatar->scene.springs, &avatar->scene.nodes, arena))
    {
        return false;
    }
    tdNodePose_Sweep(pose);
    tdSpringState_SetWritten(state, state->plan->jointBits);
    tdSpringState_Reset(state, pose);
    *run = (tdSpringRun){.state = state, .pose = pose, .seconds = 1.0f / 60.0f};
    return true;
}

// Nanoseconds per joint of the springs of poses that step together: the minimum of many rounds.
static double MeasureSprings(const tdAsset* avatar, int count, tdSimd simd)
{
    tdArena arena;
    tdArena_Init(&arena, NULL, 1 << 20);
    tdSpringRun runs[TD_SPRING_MAX_RUNS];
    bool isGood = true;
    for (int i = 0; i < count; ++i)
    {
        isGood = isGood && MakeSpringRun(avatar, &arena, &runs[i]);
    }
    double best = 1.0e9;
    tdSpringKernelFcn* kernel = tdChooseSpringKernel(simd);
    for (int round = 0; round < 20000 / count && isGood; ++round)
    {
        float turn = 0.3f * (float)(round % 60 < 30 ? round % 60 : 60 - round % 60) / 30.0f;
        for (int i = 0; i < count; ++i)
        {
            tdNodePose_SetRotation(runs[i].pose, 0, tdNormalizeQuat((tdQuat){turn, 0.3f * turn, 0.0f, 1.0f}));
            tdNodePose_Sweep(runs[i].pose);
        }
        double start = tdBenchNow();
        tdStepSprings(runs, count, kernel);
        double seconds = tdBenchNow() - start;
        best = seconds < best ? seconds : best;
    }
    tdArena_Free(&arena);
    return best * 1.0e9 / count / avatar->scene.springs->jointCount;
}

static tdStage* MakeSpringCrowd(const tdAsset* avatar, const tdClip* clip, int count, const tdTasks* tasks,
                                bool enableSprings)
{
    tdStageDef stageDef = tdDefaultStageDef();
    stageDef.tasks = tasks;
    tdStage* stage = tdCreateStage(&stageDef);
    for (int i = 0; i < count; ++i)
    {
        tdActorDef def = tdDefaultActorDef();
        def.enableSprings = enableSprings;
        tdActor* actor = tdCreateActor(stage, avatar, &def, NULL);
        tdPlayDef play = tdDefaultPlayDef();
        play.loop = true;
        play.start = (float)i / (float)count;
        tdActor_Play(actor, clip, &play);
    }
    return stage;
}

// The shape of an avatar.
typedef struct SpringShape
{
    int chains, length, colliders;
} SpringShape;

static void MeasureCrowd(const tdAsset* avatar, SpringShape shape, const tdCrowdOptions* options)
{
    static const char* const names[] = {"auto", "scalar", "sse2", "avx2"};
    tdClip* clip = tdCreateClip(avatar, 0, NULL, NULL);
    const tdTasks* threads = tdCreateThreads(options->threads);
    tdStage* stages[3] = {MakeSpringCrowd(avatar, clip, options->actorCount, NULL, true),
                          MakeSpringCrowd(avatar, clip, options->actorCount, NULL, false),
                          MakeSpringCrowd(avatar, clip, options->actorCount, threads, true)};
    double seconds[3];
    tdMeasureStages(stages, 3, 1.0, seconds);
    double total = (double)options->actorCount * avatar->scene.springs->jointCount * 1.0e-9;
    tdSimd simd = tdCpu_GetSimd();
    printf("{\"chains\":%d,\"length\":%d,\"joints\":%d,\"colliders\":%d,\"actors\":%d,\"threads\":%d,"
           "\"simd\":\"%s\",\"ns_"
           "crowd\":%.1f,"
           "\"ns_per_joint\":%.1f,"
           "\"ns_scalar\":%.1f,\"ns_in_step\":%.1f,\"ns_all\":%.1f,\"factor\":%.2f}\n",
           shape.chains, shape.length, avatar->scene.springs->jointCount, shape.colliders,
           options->actorCount, options->threads, names[simd],
           MeasureSprings(avatar, TD_SPRING_MAX_RUNS, simd), MeasureSprings(avatar, 1, simd),
           MeasureSprings(avatar, 1, TD_SIMD_SCALAR), (seconds[0] - seconds[1]) / total, seconds[0] / total,
           seconds[0] / seconds[2]);
    for (int i = 0; i < 3; ++i)
    {
        tdDestroyStage(stages[i]);
    }
    tdDestroyThreads(threads);
    tdDestroyClip(clip);
}

int main(int argc, char** argv)
{
    tdCrowdOptions options = tdReadCrowdOptions(argc, argv);
    static const SpringShape shapes[] = {{16, 8, 0}, {16, 8, 4}, {3, 8, 0},   {3, 8, 4},
                                         {3, 3, 0},  {3, 3, 4},  {5, 6, 0},   {5, 6, 4},
                                         {33, 3, 0}, {33, 3, 4}, {12, 30, 0}, {12, 30, 4}};
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
    {
        SpringShape shape = shapes[i];
        tdAsset* avatar = MakeSpringAvatar(shape.chains, shape.length, shape.colliders);
        char name[48];
        snprintf(name, sizeof(name), "springs_%d_%d_%d.glb", shape.chains, shape.length, shape.colliders);
        if (avatar == NULL || (options.folder != NULL && !tdWriteBenchAsset(avatar, options.folder, name)))
        {
            fprintf(stderr, "cannot make the avatar\n");
            return 1;
        }
        MeasureCrowd(avatar, shape, &options);
        tdDestroyAsset(avatar);
    }
    return 0;
}
