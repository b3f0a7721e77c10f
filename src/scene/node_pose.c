// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Globals from locals, parents first, dirty subtrees only.
#include "node_pose.h"

#include <string.h>

static bool IsIdentity(tdTransform t)
{
    return memcmp(&t, &tdTransform_identity, sizeof(t)) == 0;
}

static uint64_t BitOf(int position)
{
    return UINT64_C(1) << (position & 63);
}

bool tdNodePose_Init(tdNodePose* pose, const tdNodeTree* nodes, tdTransform placement, tdArena* arena)
{
    int count = nodes->count;
    *pose = (tdNodePose){.nodes = nodes, .wordCount = (count + 63) / 64};
    pose->locals = tdArena_NewArray(arena, tdTrs, count);
    pose->globals = tdArena_AllocateArray(arena, (size_t)count, sizeof(tdMat4), 64);
    pose->dirty = tdArena_NewArray(arena, uint64_t, pose->wordCount);
    pose->fresh = tdArena_NewArray(arena, uint64_t, pose->wordCount);
    if (pose->locals == NULL || pose->globals == NULL || pose->dirty == NULL || pose->fresh == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(pose->locals, nodes->locals, (size_t)count * sizeof(tdTrs));
    }
    tdNodePose_SetPlacement(pose, placement);
    return true;
}

void tdNodePose_SetPlacement(tdNodePose* pose, tdTransform placement)
{
    pose->placement = placement;
    pose->isPlaced = !IsIdentity(placement);
    pose->placementMatrix = tdMat4FromTrs((tdTrs){placement.position, placement.rotation, tdVec3_one});
    // Every subtree is out of date: mark the roots.
    for (int position = 0; position < pose->nodes->count; position = pose->nodes->subtreeEnds[position])
    {
        pose->dirty[position >> 6] |= BitOf(position);
        pose->isDirty = true;
    }
}

// parent * T R S, with the matrix of T R S never stored: its columns are made and used one by one. Four lanes
// per column; the fourth carries 0 0 0 1.
static inline void ComposeGlobal(tdMat4* restrict out, const tdMat4* restrict parent,
                                 const tdTrs* restrict local)
{
    tdQuat q = local->rotation;
    tdVec3 s = local->scale;
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    float a0 = (1.0f - (yy + zz)) * s.x, a1 = (xy + wz) * s.x, a2 = (xz - wy) * s.x;
    float b0 = (xy - wz) * s.y, b1 = (1.0f - (xx + zz)) * s.y, b2 = (yz + wx) * s.y;
    float c0 = (xz + wy) * s.z, c1 = (yz - wx) * s.z, c2 = (1.0f - (xx + yy)) * s.z;
    tdVec3 t = local->translation;
    const float* p = parent->m;
    float* m = out->m;
    for (int i = 0; i < 4; ++i)
    {
        m[i] = p[i] * a0 + p[4 + i] * a1 + p[8 + i] * a2;
        m[4 + i] = p[i] * b0 + p[4 + i] * b1 + p[8 + i] * b2;
        m[8 + i] = p[i] * c0 + p[4 + i] * c1 + p[8 + i] * c2;
        m[12 + i] = p[i] * t.x + p[4 + i] * t.y + p[8 + i] * t.z + p[12 + i];
    }
}

// The file's matrix stands for a sheared node while nothing has written its local.
static bool IsShearedAtRest(const tdNodePose* pose, int node)
{
    const tdNodeTree* nodes = pose->nodes;
    return nodes->isSheared[node] && memcmp(&pose->locals[node], &nodes->locals[node], sizeof(tdTrs)) == 0;
}

static inline void UpdateGlobal(tdNodePose* pose, int node)
{
    const tdNodeTree* nodes = pose->nodes;
    int parent = nodes->parents[node];
    tdMat4* global = &pose->globals[node];
    const tdMat4* above = parent >= 0 ? &pose->globals[parent] : &pose->placementMatrix;
    if (nodes->isSheared != NULL && IsShearedAtRest(pose, node))
    {
        *global = tdMulMat4(*above, nodes->matrices[node]);
    }
    else
    {
        ComposeGlobal(global, above, &pose->locals[node]);
    }
}

void tdNodePose_Refresh(tdNodePose* pose, const int* list, int count)
{
    const tdNodeTree* nodes = pose->nodes;
    for (int i = 0; i < count; ++i)
    {
        int node = list[i], position = nodes->positions[node];
        UpdateGlobal(pose, node);
        pose->fresh[position >> 6] |= BitOf(position);
    }
}

static int FindFirstBit(uint64_t word)
{
    int bit = 0;
    for (int half = 32; half > 0; half /= 2)
    {
        if ((word & ((UINT64_C(1) << half) - 1)) == 0)
        {
            word >>= half;
            bit += half;
        }
    }
    return bit;
}

static bool HasBit(const uint64_t* bits, int position)
{
    return (bits[position >> 6] >> (position & 63) & 1) != 0;
}

// One subtree; all of it is out of date, but for what is fresh.
static void SweepSubtree(tdNodePose* pose, int start, int end)
{
    const int* order = pose->nodes->order;
    for (int position = start; position < end; ++position)
    {
        int node = order[position];
        if (pose->driven != NULL && HasBit(pose->driven, position))
        {
            pose->drive(pose->driveContext, pose, node);
            UpdateGlobal(pose, node);
        }
        else if (!HasBit(pose->fresh, position))
        {
            UpdateGlobal(pose, node);
        }
    }
}

void tdNodePose_Sweep(tdNodePose* pose)
{
    if (!pose->isDirty && pose->driven == NULL)
    {
        return;
    }
    const int* order = pose->nodes->order;
    int end = 0; // positions before it are done
    for (int word = 0; word < pose->wordCount; ++word)
    {
        uint64_t driven = pose->driven != NULL ? pose->driven[word] : 0;
        uint64_t bits = pose->dirty[word] | driven;
        while (bits != 0)
        {
            int position = word * 64 + FindFirstBit(bits);
            bits &= bits - 1;
            if (position < end)
            {
                continue;
            }
            bool isDriven = (driven & BitOf(position)) != 0;
            if (isDriven)
            {
                pose->drive(pose->driveContext, pose, order[position]);
            }
            if (isDriven && (pose->dirty[word] & BitOf(position)) == 0)
            {
                continue; // nothing moved it
            }
            end = pose->nodes->subtreeEnds[position];
            SweepSubtree(pose, position, end);
        }
        pose->dirty[word] = 0;
        pose->fresh[word] = 0;
    }
    pose->isDirty = false;
}
