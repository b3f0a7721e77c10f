// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures node constraints in a crowd: many actors of one avatar with ten constraints each. Source and
// destination are the ends of two chains of eight nodes. Prints one JSON line per kind:
//
//   ns_per_constraint   the sorted list alone, `width` actors at a time, as a stage runs a crowd; for aim
//                       constraints including the update of both ancestor chains
//   ns_alone            the same, one actor at a time, as a stage runs actors outside of crowds
//   ns_one_by_one       the same without SIMD lanes: one actor and one constraint at a time
//   ns_in_step          difference between a step with and the same step without constraints
//   ns_all              whole step (sampling, constraints, all globals) per constraint
//   factor              speed-up of a whole step on `threads` threads
//
// usage: tendon_bench_constraints [--actors N] [--threads N] [--write FOLDER]
// --write saves the avatars in the folder as KIND_WEIGHT.glb, for other programs.
#include "crowd_stage.h"

#include "base/cpu.h"
#include "constraint/constraint_group.h"
#include "constraint/pose_group.h"
#include "scene/asset.h"

#include <stdio.h>
#include <string.h>

#define CHAIN 8
#define CONSTRAINTS 10

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

static void AppendConstraint(char** at, const char* kind, double weight, int source)
{
    const char* axis = strcmp(kind, "roll") == 0
                           ? ",\"rollAxis\":\"X\""
                           : (strcmp(kind, "aim") == 0 ? ",\"aimAxis\":\"PositiveX\"" : "");
    *at +=
        sprintf(*at,
                ",\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"%s\":"
                "{\"source\":%d,\"weight\":%g%s}}}}",
                kind, source, weight, axis);
}

// Pair p: source chain nodes 16 p to 16 p + 7, destination chain 16 p + 8 to 16 p + 15.
static tdAsset* MakeAvatar(const char* kind, double weight)
{
    static char text[1 << 20];
    char* at = text;
    at += sprintf(
        at, "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_node_constraint\"],\"nodes\":[");
    for (int i = 0; i < CONSTRAINTS * 2 * CHAIN; ++i)
    {
        bool isEnd = i % CHAIN == CHAIN - 1;
        at += sprintf(at, "%s{\"translation\":[%g,0.1,%g],\"rotation\":[0,0,0.0998334,0.9950042]",
                      i > 0 ? "," : "", i / CHAIN % 2 == 0 ? 0.1 : -0.1, 0.05);
        if (!isEnd)
        {
            at += sprintf(at, ",\"children\":[%d]", i + 1);
        }
        if (isEnd && i / CHAIN % 2 == 1)
        {
            AppendConstraint(&at, kind, weight, i - CHAIN);
        }
        at += sprintf(at, "}");
    }
    // Aim constraints read whole chains, so the first nodes of the chains turn. The others read the source
    // only.
    bool isAim = strcmp(kind, "aim") == 0;
    at += sprintf(at, "],\"scene\":0,\"scenes\":[{\"nodes\":[0");
    for (int i = CHAIN; i < CONSTRAINTS * 2 * CHAIN; i += CHAIN)
    {
        at += sprintf(at, ",%d", i);
    }
    at += sprintf(at, "]}],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[");
    for (int i = 0, count = 0; i < CONSTRAINTS * 2 * CHAIN; ++i)
    {
        if (isAim ? i % CHAIN == 0 : i % (2 * CHAIN) == CHAIN - 1)
        {
            at += sprintf(at, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"rotation\"}}",
                          count++ > 0 ? "," : "", i);
        }
    }
    at += sprintf(
        at,
        "]}],\"buffers\":[{\"byteLength\":40,\"uri\":\"keys.bin\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}]}");
    tdLoadDef def = tdDefaultLoadDef();
    def.readFile = ReadBuffer;
    return tdLoadAssetFromMemory(text, (size_t)(at - text), &def, NULL);
}

// Nanoseconds per constraint of the list alone, minimum of many rounds over a few poses that stay in the
// cache. Evaluates `width` poses at once; with width 1, `laneCount` constraints of one pose at once.
static double MeasureList(const tdAsset* avatar, int width, int laneCount)
{
    enum
    {
        POSES = 16
    };
    static tdNodePose poses[POSES];
    const tdConstraintList* list = avatar->scene.constraints;
    int places[CONSTRAINTS];
    float weights[CONSTRAINTS];
    const float* weightsOf[TD_POSE_GROUP_MAX_WIDTH];
    tdNodePose* group[TD_POSE_GROUP_MAX_WIDTH];
    tdArena arena;
    tdArena_Init(&arena, NULL, 1 << 20);
    for (int i = 0; i < list->count; ++i)
    {
        places[i] = i;
        weights[i] = list->items[i].weight;
    }
    void* scratch = tdArena_Allocate(&arena, tdPoseGroup_GetScratchSize(list, width), 64);
    for (int i = 0; i < TD_POSE_GROUP_MAX_WIDTH; ++i)
    {
        weightsOf[i] = weights;
    }
    for (int i = 0; i < POSES; ++i)
    {
        tdNodePose_Init(&poses[i], &avatar->scene.nodes, tdTransform_identity, &arena);
        tdNodePose_Sweep(&poses[i]);
    }
    double best = 1e9;
    for (int round = 0; round < 2000; ++round)
    {
        for (int i = 0; i < POSES; ++i)
        {
            for (int node = 0; node < avatar->scene.nodes.count; ++node)
            {
                float turn = 0.01f * (float)((round + i + node) % 50);
                poses[i].locals[node].rotation = tdNormalizeQuat((tdQuat){turn, 0.3f, -0.2f, 1.0f});
            }
        }
        double start = tdBenchNow();
        for (int i = 0; i < POSES && width == 1; ++i)
        {
            if (laneCount > 1)
            {
                tdRunConstraintPlan(list, weights, &poses[i], laneCount);
            }
            else
            {
                tdRunConstraints(list, places, list->count, weights, &poses[i]);
            }
        }
        for (int i = 0; i < POSES && width > 1; i += width)
        {
            for (int k = 0; k < width; ++k)
            {
                group[k] = &poses[i + k];
            }
            tdPoseGroup_Run(&(tdPoseGroup){list, group, weightsOf, scratch}, width);
        }
        double seconds = tdBenchNow() - start;
        best = seconds < best ? seconds : best;
    }
    tdArena_Free(&arena);
    return best / (POSES * CONSTRAINTS) * 1e9;
}

static bool WriteAvatar(const tdAsset* avatar, const char* folder, const char* kind, double weight)
{
    char name[64];
    snprintf(name, sizeof(name), "%s_%g.glb", kind, weight);
    return tdWriteBenchAsset(avatar, folder, name);
}

// Steps three whole stages in turns: with constraints, without, and on threads.
static void PrintSteps(const tdAsset* avatar, const tdClip* clip, const tdCrowdOptions* options,
                       const tdTasks* tasks)
{
    enum
    {
        WITH,
        WITHOUT,
        THREADS,
        STAGES
    };
    tdStage* stages[STAGES];
    double seconds[STAGES], count = (double)options->actorCount * CONSTRAINTS;
    for (int i = 0; i < STAGES; ++i)
    {
        stages[i] =
            tdMakeCrowdStage(avatar, clip, options->actorCount, i == THREADS ? tasks : NULL, i != WITHOUT);
    }
    tdMeasureStages(stages, tasks != NULL ? STAGES : THREADS, tasks != NULL ? 3.0 : 0.5, seconds);
    printf(",\"ns_in_step\":%.1f,\"ns_all\":%.1f,\"ms_step\":%.3f",
           (seconds[WITH] - seconds[WITHOUT]) / count * 1e9, seconds[WITH] / count * 1e9,
           seconds[WITH] * 1e3);
    if (tasks != NULL)
    {
        printf(",\"threads\":%d,\"ms_step_threads\":%.3f,\"factor\":%.2f", options->threads,
               seconds[THREADS] * 1e3, seconds[WITH] / seconds[THREADS]);
    }
    for (int i = 0; i < STAGES; ++i)
    {
        tdDestroyStage(stages[i]);
    }
}

int main(int argc, char** argv)
{
    static const char* const kinds[] = {"rotation", "roll", "aim"};
    tdCrowdOptions options = tdReadCrowdOptions(argc, argv);
    const tdTasks* tasks = options.threads > 1 ? tdCreateThreads(options.threads) : NULL;
    for (int k = 0; k < 6; ++k)
    {
        double weight = k < 3 ? 1.0 : 0.5;
        tdAsset* avatar = MakeAvatar(kinds[k % 3], weight);
        tdClip* clip = tdCreateClip(avatar, 0, NULL, NULL);
        if (clip == NULL)
        {
            fprintf(stderr, "cannot create the avatar\n");
            return 1;
        }
        if (options.folder != NULL && !WriteAvatar(avatar, options.folder, kinds[k % 3], weight))
        {
            fprintf(stderr, "cannot write to %s\n", options.folder);
            return 1;
        }
        int width = tdPoseGroup_GetWidth(avatar->scene.constraints, &avatar->scene.nodes, tdCpu_GetSimd());
        printf("{\"kind\":\"%s\",\"weight\":%g,\"actors\":%d,\"width\":%d", kinds[k % 3], weight,
               options.actorCount, width);
        printf(",\"ns_per_constraint\":%.1f,\"ns_alone\":%.1f,\"ns_one_by_one\":%.1f",
               MeasureList(avatar, width, width), MeasureList(avatar, 1, width), MeasureList(avatar, 1, 1));
        PrintSteps(avatar, clip, &options, tasks);
        printf("}\n");
        tdDestroyClip(clip);
        tdDestroyAsset(avatar);
    }
    tdDestroyThreads(tasks);
    return 0;
}
