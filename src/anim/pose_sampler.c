// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A skeleton posed by channels at a time, outside a stage.
#include "pose_sampler.h"

#include "sampler.h"

#include "tendon/ik.h"

#include <string.h>

bool tdPoseSampler_Init(tdPoseSampler* s, const struct tdRig* rig, const tdChannel* channels, int count,
                        tdArena* arena)
{
    const tdNodeTree* nodes = &rig->asset->scene.nodes;
    *s = (tdPoseSampler){.rig = rig, .channels = channels};
    s->cursors = tdArena_NewArray(arena, int, count + 1);
    s->used = tdArena_NewArray(arena, int, count + 1);
    s->nodes = tdArena_NewArray(arena, int, nodes->count);
    s->locals = tdArena_NewArray(arena, tdTrs, nodes->count);
    s->globals = tdArena_NewArray(arena, tdMat4, nodes->count);
    bool* isUsed = tdArena_NewArray(arena, bool, nodes->count);
    if (s->cursors == NULL || s->used == NULL || s->nodes == NULL || s->locals == NULL ||
        s->globals == NULL || isUsed == NULL)
    {
        return false;
    }
    for (int i = 0; i < TD_BONE_LEFT_THUMB_METACARPAL; ++i)
    {
        for (int node = rig->bones[i].node; node >= 0 && !isUsed[node]; node = nodes->parents[node])
        {
            isUsed[node] = true;
        }
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        if (isUsed[nodes->order[i]])
        {
            s->nodes[s->nodeCount++] = nodes->order[i];
        }
    }
    for (int i = 0; i < count; ++i)
    {
        bool isLocal = channels[i].target.kind <= TD_PROPERTY_SCALE && isUsed[channels[i].target.object];
        s->used[s->usedCount] = i;
        s->usedCount += isLocal;
    }
    memcpy(s->locals, nodes->locals, (size_t)nodes->count * sizeof(tdTrs));
    return true;
}

// Product of two matrices whose last row is 0 0 0 1.
static tdMat4 MulPlacements(const tdMat4* a, const tdMat4* b)
{
    tdMat4 m;
    for (int column = 0; column < 4; ++column)
    {
        const float* v = &b->m[4 * column];
        for (int row = 0; row < 3; ++row)
        {
            float sum = a->m[row] * v[0] + a->m[4 + row] * v[1] + a->m[8 + row] * v[2];
            m.m[4 * column + row] = column == 3 ? sum + a->m[12 + row] : sum;
        }
        m.m[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    }
    return m;
}

void tdPoseSampler_Update(tdPoseSampler* s)
{
    const int* parents = s->rig->asset->scene.nodes.parents;
    for (int i = 0; i < s->nodeCount; ++i)
    {
        int node = s->nodes[i];
        tdMat4 local = tdMat4FromTrs(s->locals[node]);
        s->globals[node] = parents[node] >= 0 ? MulPlacements(&s->globals[parents[node]], &local) : local;
    }
}

// Poses the skeleton at a time. Times must not decrease from call to call, for speed alone.
void tdPoseSampler_Sample(tdPoseSampler* s, double time)
{
    for (int k = 0; k < s->usedCount; ++k)
    {
        int i = s->used[k];
        const tdChannel* channel = &s->channels[i];
        int node = channel->target.object;
        float* value = channel->target.kind == TD_PROPERTY_TRANSLATION ? &s->locals[node].translation.x
                       : channel->target.kind == TD_PROPERTY_ROTATION  ? &s->locals[node].rotation.x
                                                                       : &s->locals[node].scale.x;
        tdSampleChannel(channel, time, &s->cursors[i], value);
    }
}

// Above the hips, only the rest pose counts, as in retargeting.
void tdPoseSampler_ResetRoot(tdPoseSampler* s)
{
    const tdNodeTree* nodes = &s->rig->asset->scene.nodes;
    for (int node = nodes->parents[s->rig->bones[TD_BONE_HIPS].node]; node >= 0; node = nodes->parents[node])
    {
        s->locals[node] = nodes->locals[node];
    }
}

bool tdPoseSampler_HasBone(const tdPoseSampler* s, tdBone bone)
{
    return s->rig->bones[bone].node >= 0;
}

// Position of a bone in the frame of a body that faces +Z.
tdVec3 tdPoseSampler_GetBone(const tdPoseSampler* s, tdBone bone)
{
    int node = s->rig->bones[bone].node;
    return node >= 0 ? tdRig_ToBody(s->rig, tdMat4Translation(s->globals[node])) : tdVec3_zero;
}

// Rotation of a bone away from its T-pose, in the frame of the body: D = R W^-1.
tdQuat tdPoseSampler_GetTurn(const tdPoseSampler* s, tdBone bone)
{
    const tdNodeTree* nodes = &s->rig->asset->scene.nodes;
    tdQuat rotation = tdQuat_identity;
    for (int node = s->rig->bones[bone].node; node >= 0; node = nodes->parents[node])
    {
        rotation = tdMulQuat(s->locals[node].rotation, rotation);
    }
    // right = Y^-1 W
    tdQuat turn = tdMulQuat(tdInvMulQuat(s->rig->frame, rotation), tdConjugate(s->rig->bones[bone].right));
    return tdNormalizeQuat(turn);
}

tdVec3 tdRig_FindRestPosition(const struct tdRig* rig, tdBone bone)
{
    const tdHumanoid* humanoid = rig->asset->scene.humanoid;
    const tdNodeTree* nodes = &rig->asset->scene.nodes;
    tdVec3 p = tdVec3_zero;
    int hips = rig->bones[TD_BONE_HIPS].node;
    for (int node = rig->bones[bone].node; node >= 0; node = nodes->parents[node])
    {
        tdTrs local = nodes->locals[node];
        local.rotation = tdHumanoid_GetRestRotation(humanoid, nodes, node);
        local.translation = node == hips ? rig->hipsLocalRest : local.translation;
        p = tdMat4Point(tdMat4FromTrs(local), p);
    }
    return tdRig_ToBody(rig, p);
}

tdVec3 tdPoseSampler_FindBend(const tdPoseSampler* s, const tdBone* bones, tdVec3 bias)
{
    tdVec3 joints[3];
    for (int i = 0; i < 3; ++i)
    {
        joints[i] = tdMat4Translation(s->globals[s->rig->bones[bones[i]].node]);
    }
    tdVec3 axis = tdNormalize(tdSub(joints[2], joints[0])), arm = tdSub(joints[1], joints[0]);
    float length = tdLength(arm);
    tdVec3 bend = tdMulSub(arm, tdDot(arm, axis), axis);
    return length > 0.0f ? tdAdd(tdScale(1.0f / length, bend), bias) : bias;
}

void tdPoseSampler_MoveLimb(tdPoseSampler* s, const tdBone* bones, tdVec3 target, tdVec3 pole, float softness)
{
    tdTwoBoneDef limb = tdDefaultTwoBoneDef();
    limb.target = tdRig_FromBody(s->rig, target);
    limb.pole = pole;
    limb.softness = softness;
    tdRig_MoveLimb(s->rig, s->locals, (int)bones[2], &limb);
}
