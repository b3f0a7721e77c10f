// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds scenes without import, for tests of anim, constraint and runtime. The asset owns its arena.
#pragma once

#include "constraint/constraint_list.h"
#include "scene/asset.h"
#include "scene/humanoid.h"

#include <string.h>

typedef struct tdBuilder
{
    tdAsset asset;
    int nodeCount;
    int parents[256];
    tdTrs locals[256];
    int weightCounts[256];
    tdMat4 matrices[256];
    bool isSheared[256];
    tdChannel channels[256];
    int channelCount;
    float duration;
    tdNodeConstraint constraints[64];
    int constraintCount;
} tdBuilder;

static inline void tdBuilder_Init(tdBuilder* b, const tdAllocator* allocator)
{
    memset(b, 0, sizeof(*b));
    b->asset.allocator = tdAllocator_Resolve(allocator);
    b->asset.name = "built";
    tdArena_Init(&b->asset.arena, allocator, 0);
}

static inline int tdBuilder_AddNode(tdBuilder* b, int parent, tdTrs local)
{
    b->parents[b->nodeCount] = parent;
    b->locals[b->nodeCount] = local;
    return b->nodeCount++;
}

static inline void tdBuilder_AddChannel(tdBuilder* b, tdPropertyKind kind, int object,
                                        tdInterpolation interpolation, int width, int keyCount,
                                        const float* times, const float* values)
{
    b->channels[b->channelCount++] = (tdChannel){
        .target = {kind, object, -1},
        .interpolation = interpolation,
        .isRotation = kind == TD_PROPERTY_ROTATION,
        .width = width,
        .keyCount = keyCount,
        .times = times,
        .values = values,
        .fileChannel = b->channelCount - 1,
    };
    b->duration = tdMaxFloat(b->duration, times[keyCount - 1]);
}

// Depth-first pre-order, children in index order, without recursion.
static inline void tdBuilder_Order(const tdBuilder* b, int* order, int* positions, int* ends)
{
    int count = 0;
    int stack[256], depth = 0;
    for (int root = 0; root < b->nodeCount; ++root)
    {
        if (b->parents[root] >= 0)
        {
            continue;
        }
        stack[depth++] = root;
        while (depth > 0)
        {
            int node = stack[--depth];
            positions[node] = count;
            order[count++] = node;
            for (int child = b->nodeCount - 1; child >= 0; --child)
            {
                if (b->parents[child] == node)
                {
                    stack[depth++] = child;
                }
            }
        }
    }
    for (int i = count - 1; i >= 0; --i)
    {
        ends[i] = i + 1;
        for (int k = i + 1; k < count; k = ends[k])
        {
            if (b->parents[order[k]] != order[i])
            {
                break;
            }
            ends[i] = ends[k];
        }
    }
}

static inline tdAsset* tdBuilder_Finish(tdBuilder* b)
{
    tdArena* arena = &b->asset.arena;
    int n = b->nodeCount;
    tdNodeTree* tree = &b->asset.scene.nodes;
    const char** names = tdArena_NewArray(arena, const char*, n);
    int* order = tdArena_NewArray(arena, int, n);
    int* positions = tdArena_NewArray(arena, int, n);
    int* ends = tdArena_NewArray(arena, int, n);
    int* meshes = tdArena_NewArray(arena, int, n);
    int* starts = tdArena_NewArray(arena, int, n + 1);
    bool anyShear = false;
    for (int i = 0; i < n; ++i)
    {
        names[i] = "";
        meshes[i] = -1;
        starts[i + 1] = starts[i] + b->weightCounts[i];
        anyShear = anyShear || b->isSheared[i];
    }
    tdBuilder_Order(b, order, positions, ends);
    *tree = (tdNodeTree){
        .count = n,
        .names = names,
        .parents = b->parents,
        .locals = b->locals,
        .matrices = anyShear ? b->matrices : NULL,
        .isSheared = anyShear ? b->isSheared : NULL,
        .order = order,
        .positions = positions,
        .subtreeEnds = ends,
        .meshes = meshes,
        .skins = meshes,
        .weightStarts = starts,
        .weights = tdArena_NewArray(arena, float, starts[n] + 1),
    };
    tdAnimation* animation = tdArena_New(arena, tdAnimation);
    *animation = (tdAnimation){"built", b->channels, b->channelCount, b->duration};
    b->asset.scene.animations = animation;
    b->asset.scene.animationCount = b->channelCount > 0 ? 1 : 0;
    b->asset.scene.activeScene = -1;
    if (b->constraintCount > 0)
    {
        b->asset.scene.constraints = tdConstraintList_Build(tree, b->constraints, b->constraintCount, arena);
    }
    return &b->asset;
}

static inline void tdBuilder_Free(tdBuilder* b)
{
    tdArena_Free(&b->asset.arena);
}

// Numbers in [0, 1), the same everywhere.
static inline double tdRandom(uint64_t* state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static inline tdQuat tdRandomQuat(uint64_t* state)
{
    tdQuat q;
    do
    {
        q = (tdQuat){(float)(2 * tdRandom(state) - 1), (float)(2 * tdRandom(state) - 1),
                     (float)(2 * tdRandom(state) - 1), (float)(2 * tdRandom(state) - 1)};
    } while (tdDotQuat(q, q) < 0.01f || tdDotQuat(q, q) > 1.0f);
    return tdNormalizeQuat(q);
}
