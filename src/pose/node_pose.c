// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Globals from locals, parents first, in dirty subtrees.
#include "node_pose.h"

#include "base/compiler.h"
#include "math/quad.h"

#include <string.h>

static bool IsIdentityTransform(tdTransform t)
{
    return memcmp(&t, &tdTransform_identity, sizeof(t)) == 0;
}

static uint64_t GetPositionBit(int position)
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
    pose->shifted = tdArena_NewArray(arena, uint64_t, pose->wordCount);
    pose->turned = tdArena_NewArray(arena, uint64_t, pose->wordCount);
    if (pose->locals == NULL || pose->globals == NULL || pose->dirty == NULL || pose->fresh == NULL ||
        pose->shifted == NULL || pose->turned == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(pose->locals, nodes->locals, (size_t)count * sizeof(tdTrs));
    }
    tdNodePose_AdoptLocals(pose);
    tdNodePose_SetPlacement(pose, placement);
    return true;
}

void tdNodePose_AdoptLocals(tdNodePose* pose)
{
    const tdNodeTree* nodes = pose->nodes;
    pose->mirrorCount = 0;
    for (int position = 0; position < nodes->count; ++position)
    {
        const tdTrs *local = &pose->locals[nodes->order[position]],
                    *rest = &nodes->locals[nodes->order[position]];
        bool isShifted = memcmp(&local->translation, &rest->translation, sizeof(tdVec3)) != 0 ||
                         memcmp(&local->scale, &rest->scale, sizeof(tdVec3)) != 0;
        bool isTurned = memcmp(&local->rotation, &rest->rotation, sizeof(tdQuat)) != 0;
        uint64_t bit = GetPositionBit(position);
        uint64_t *shifted = &pose->shifted[position >> 6], *turned = &pose->turned[position >> 6];
        *shifted = isShifted ? *shifted | bit : *shifted & ~bit;
        *turned = isTurned ? *turned | bit : *turned & ~bit;
        pose->mirrorCount += tdIsMirror(local->scale);
    }
}

void tdNodePose_SetPlacement(tdNodePose* pose, tdTransform placement)
{
    pose->placement = placement;
    pose->isPlaced = !IsIdentityTransform(placement);
    pose->placementMatrix = tdMat4FromTrs((tdTrs){placement.position, placement.rotation, tdVec3_one});
    // Marking the roots makes every subtree dirty.
    for (int position = 0; position < pose->nodes->count; position = pose->nodes->subtreeEnds[position])
    {
        pose->dirty[position >> 6] |= GetPositionBit(position);
        pose->isDirty = true;
    }
}

// parent * T R S, with the matrix of T R S never stored. The elements of R S come in three quads:
//
//     diagonal   1 - 2 (yy + zz), 1 - 2 (xx + zz), 1 - 2 (xx + yy)
//     sums       2 (xy + wz) of column 0, 2 (yz + wx) of column 1, 2 (zx + wy) of column 2
//     gaps       2 (xy - wz) of column 1, 2 (yz - wx) of column 2, 2 (zx - wy) of column 0
//
// The fourth lane of the columns carries 0 0 0 1; products with negative numbers would leave -0 there.
static inline void ComposeGlobal(tdMat4* restrict out, const tdMat4* restrict parent,
                                 const tdTrs* restrict local)
{
    tdQuad q = tdQuad_Load(&local->rotation.x);
    tdQuad end = tdQuad_Load(&local->rotation.w); // w, then the scale
    tdQuad t = tdQuad_Load(&local->translation.x);
    tdQuad scale = TD_QUAD_PICK(end, 1, 2, 3, 3);
    tdQuad twice = q + q;
    tdQuad squares = q * twice;
    tdQuad mixed = q * TD_QUAD_PICK(twice, 1, 2, 0, 3);
    tdQuad spins = TD_QUAD_ALL(end, 0) * TD_QUAD_PICK(twice, 2, 0, 1, 3);
    tdQuad diagonal =
        (tdQuad_Splat(1.0f) - (TD_QUAD_PICK(squares, 1, 0, 0, 3) + TD_QUAD_PICK(squares, 2, 2, 1, 3))) *
        scale;
    tdQuad sums = (mixed + spins) * scale;
    tdQuad gaps = (mixed - spins) * TD_QUAD_PICK(scale, 1, 2, 0, 3);
    tdQuad x = tdQuad_Load(parent->m), y = tdQuad_Load(parent->m + 4), z = tdQuad_Load(parent->m + 8);
    tdQuad origin = tdQuad_Load(parent->m + 12);
    tdQuad cx = x * TD_QUAD_ALL(diagonal, 0) + y * TD_QUAD_ALL(sums, 0) + z * TD_QUAD_ALL(gaps, 2);
    tdQuad cy = x * TD_QUAD_ALL(gaps, 0) + y * TD_QUAD_ALL(diagonal, 1) + z * TD_QUAD_ALL(sums, 1);
    tdQuad cz = x * TD_QUAD_ALL(sums, 2) + y * TD_QUAD_ALL(gaps, 1) + z * TD_QUAD_ALL(diagonal, 2);
    tdQuad_Store(out->m, tdQuad_ClearLast(cx));
    tdQuad_Store(out->m + 4, tdQuad_ClearLast(cy));
    tdQuad_Store(out->m + 8, tdQuad_ClearLast(cz));
    tdQuad_Store(out->m + 12, x * TD_QUAD_ALL(t, 0) + y * TD_QUAD_ALL(t, 1) + z * TD_QUAD_ALL(t, 2) + origin);
}

// True if the file's matrix still replaces the local of a sheared node.
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
        pose->fresh[position >> 6] |= GetPositionBit(position);
    }
}

static bool HasBit(const uint64_t* bits, int position)
{
    return (bits[position >> 6] >> (position & 63) & 1) != 0;
}

tdQuat tdNodePose_ComputeRotation(const tdNodePose* pose, int node)
{
    tdQuat product = tdQuat_identity;
    for (; node >= 0; node = pose->nodes->parents[node])
    {
        product = tdMulQuat(pose->locals[node].rotation, product);
    }
    return tdNormalizeQuat(tdMulQuat(pose->placement.rotation, product));
}

void tdNodePose_RefreshNode(tdNodePose* pose, int node, bool isFinal)
{
    int position = pose->nodes->positions[node];
    if (pose->driven != NULL && HasBit(pose->driven, position))
    {
        pose->drive(pose->driveContext, pose, node);
    }
    UpdateGlobal(pose, node);
    if (isFinal)
    {
        pose->fresh[position >> 6] |= GetPositionBit(position);
    }
}

// The bits of a word of positions that are at or after `start` and before `end`, which is not before the
// word.
static uint64_t GetRangeBits(int word, int start, int end)
{
    int first = start - word * 64, last = end - word * 64;
    uint64_t bits = first >= 64 ? 0 : first > 0 ? ~UINT64_C(0) << first : ~UINT64_C(0);
    return last < 64 ? bits & ~(~UINT64_C(0) << last) : bits;
}

// One subtree; all of it is out of date, but for what is fresh.
static void SweepSubtree(tdNodePose* pose, int start, int end)
{
    const int* order = pose->nodes->order;
    for (int word = start >> 6; word << 6 < end; ++word)
    {
        uint64_t driven = pose->driven != NULL ? pose->driven[word] : 0;
        uint64_t bits = (~pose->fresh[word] | driven) & GetRangeBits(word, start, end);
        for (; bits != 0; bits &= bits - 1)
        {
            int bit = tdFindLowestBit(bits), node = order[word * 64 + bit];
            if ((driven >> bit & 1) != 0)
            {
                pose->drive(pose->driveContext, pose, node);
            }
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
    int end = 0; // all positions before it are up to date
    for (int word = 0; word < pose->wordCount; ++word)
    {
        uint64_t driven = pose->driven != NULL ? pose->driven[word] : 0;
        uint64_t bits = pose->dirty[word] | driven;
        while ((bits &= GetRangeBits(word, end, pose->nodes->count)) != 0)
        {
            int position = word * 64 + tdFindLowestBit(bits);
            bits &= bits - 1;
            bool isDriven = (driven & GetPositionBit(position)) != 0;
            if (isDriven)
            {
                pose->drive(pose->driveContext, pose, order[position]);
            }
            if (isDriven && (pose->dirty[word] & GetPositionBit(position)) == 0)
            {
                continue; // its local did not change
            }
            end = pose->nodes->subtreeEnds[position];
            SweepSubtree(pose, position, end);
        }
        pose->dirty[word] = 0;
        pose->fresh[word] = 0;
    }
    pose->isDirty = false;
}
