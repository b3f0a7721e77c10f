// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Makes a scene from a BVH. Axes are rotated so that the skeleton stands along Y and faces +Z, lengths are
// converted to metres, and the rest pose becomes a T-pose. Channels are absolute rotations, so only the rest
// rotations of nodes change, and retargeting computes D = R R_T^-1 as usual.
#include "bvh_scene.h"

#include "bone_names.h"
#include "bvh.h"
#include "vrm.h"

#include "base/report.h"
#include "json/json.h"
#include "math/trig.h"

#include "tendon/describe.h"

#include <string.h>

typedef struct BvhScene
{
    const tdBvh* bvh;
    tdAsset* asset;
    const tdLoadDef* def;
    tdReport* report;
    tdHumanoid* humanoid;
    tdQuat axes;  // from the axes of the file
    float unit;   // m
    tdVec3* rest; // positions of the zero pose in rotated axes, in units of the file
    int* parents;
    tdTrs* locals;
} BvhScene;

static bool MakeTree(BvhScene* s)
{
    tdArena* arena = &s->asset->arena;
    int count = s->bvh->jointCount;
    tdNodeTree* nodes = &s->asset->scene.nodes;
    const char** names = tdArena_NewArray(arena, const char*, count);
    int* order = tdArena_NewArray(arena, int, count);
    int* ends = tdArena_NewArray(arena, int, count);
    int* none = tdArena_NewArray(arena, int, count);
    int* starts = tdArena_NewArray(arena, int, count + 1);
    float* weights = tdArena_NewArray(arena, float, 1);
    int* roots = tdArena_NewArray(arena, int, count);
    tdSceneRoots* scene = tdArena_New(arena, tdSceneRoots);
    s->parents = tdArena_NewArray(arena, int, count);
    s->locals = tdArena_NewArray(arena, tdTrs, count);
    s->rest = tdArena_NewArray(arena, tdVec3, count);
    if (names == NULL || order == NULL || ends == NULL || none == NULL || starts == NULL || weights == NULL ||
        roots == NULL || scene == NULL || s->parents == NULL || s->locals == NULL || s->rest == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        const tdBvhJoint* joint = &s->bvh->joints[i];
        names[i] = joint->name;
        order[i] = i; // joints are in depth-first order
        ends[i] = i + 1;
        none[i] = -1;
        s->parents[i] = joint->parent;
        s->locals[i] = tdTrs_identity;
        if (joint->parent < 0)
        {
            roots[scene->count++] = i;
        }
    }
    for (int i = count - 1; i >= 0; --i)
    {
        int parent = s->parents[i];
        if (parent >= 0)
        {
            ends[parent] = tdMaxInt(ends[parent], ends[i]);
        }
    }
    scene->name = "";
    scene->nodes = roots;
    *nodes = (tdNodeTree){.count = count,
                          .names = names,
                          .parents = s->parents,
                          .locals = s->locals,
                          .order = order,
                          .positions = order,
                          .subtreeEnds = ends,
                          .meshes = none,
                          .skins = none,
                          .weightStarts = starts,
                          .weights = weights};
    s->asset->scene.roots = scene;
    s->asset->scene.rootsCount = 1;
    s->asset->scene.activeScene = 0;
    return true;
}

static void ComputeZeroPose(BvhScene* s)
{
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        const tdBvhJoint* joint = &s->bvh->joints[i];
        tdVec3 offset = tdRotate(s->axes, joint->offset);
        s->rest[i] = joint->parent >= 0 ? tdAdd(s->rest[joint->parent], offset) : offset;
    }
}

static bool GetJointPosition(const BvhScene* s, tdBone bone, tdVec3* position)
{
    int node = s->humanoid->nodes[bone];
    *position = node >= 0 ? s->rest[node] : tdVec3_zero;
    return node >= 0;
}

// The dominant axis of a vector, 0 to 2, and its sign.
static tdVec3 SnapToAxis(tdVec3 v)
{
    tdVec3 a = tdAbs(v);
    if (a.x >= a.y && a.x >= a.z)
    {
        return (tdVec3){v.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f};
    }
    if (a.y >= a.z)
    {
        return (tdVec3){0.0f, v.y < 0.0f ? -1.0f : 1.0f, 0.0f};
    }
    return (tdVec3){0.0f, 0.0f, v.z < 0.0f ? -1.0f : 1.0f};
}

// Up points from hips to head, left from the right to the left thigh. Both snap to axes, so that rounding
// does not change a well-made file.
static void FindAxes(BvhScene* s)
{
    tdVec3 hips, head, left, right;
    s->axes = tdQuat_identity;
    ComputeZeroPose(s);
    bool hasHips = GetJointPosition(s, TD_BONE_HIPS, &hips),
         hasHead = GetJointPosition(s, TD_BONE_HEAD, &head);
    bool hasLegs = GetJointPosition(s, TD_BONE_LEFT_UPPER_LEG, &left) &&
                   GetJointPosition(s, TD_BONE_RIGHT_UPPER_LEG, &right);
    bool hasArms = !hasLegs && GetJointPosition(s, TD_BONE_LEFT_UPPER_ARM, &left) &&
                   GetJointPosition(s, TD_BONE_RIGHT_UPPER_ARM, &right);
    if (!hasHips || !hasHead || !(hasLegs || hasArms))
    {
        return;
    }
    tdVec3 up = SnapToAxis(tdSub(head, hips)), side = SnapToAxis(tdSub(left, right));
    if (tdAbsFloat(tdDot(up, side)) > 0.5f)
    {
        return;
    }
    // Rows of the matrix that takes side to X, up to Y and their cross product to Z.
    tdMat3 rows = {side, up, tdCross(side, up)};
    s->axes = tdQuatFromMat3(tdTranspose(rows));
    ComputeZeroPose(s);
}

static void FindUnit(BvhScene* s)
{
    static const struct
    {
        float unit;
        const char* name;
    } units[] = {{1.0f, "metres"}, {0.01f, "centimetres"}, {0.0254f, "inches"}, {0.001f, "millimetres"}};
    float low = 0.0f, high = 0.0f;
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        low = i == 0 ? s->rest[i].y : tdMinFloat(low, s->rest[i].y);
        high = i == 0 ? s->rest[i].y : tdMaxFloat(high, s->rest[i].y);
    }
    float height = high - low;
    int best = 1;
    float bestMiss = INFINITY;
    for (int i = 0; i < 4 && height > 0.0f; ++i)
    {
        // Ratio to a height of 1.6 m.
        float size = height * units[i].unit / 1.6f;
        float miss = size > 1.0f ? size : 1.0f / size;
        if (miss < bestMiss)
        {
            bestMiss = miss;
            best = i;
        }
    }
    if (s->def->bvhUnit > 0.0f)
    {
        s->unit = s->def->bvhUnit;
        return;
    }
    s->unit = units[best].unit;
    tdReport_AddAt(s->report, TD_DIAG_BVH_UNITS, 0, 1, 1, units[best].name, (double)height);
}

// Rest pose

static const struct
{
    tdBone bone, child;
    tdVec3 direction; // in the T-pose
} limbs[] = {
    {TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_LOWER_ARM, {1, 0, 0}},
    {TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND, {1, 0, 0}},
    {TD_BONE_RIGHT_UPPER_ARM, TD_BONE_RIGHT_LOWER_ARM, {-1, 0, 0}},
    {TD_BONE_RIGHT_LOWER_ARM, TD_BONE_RIGHT_HAND, {-1, 0, 0}},
    {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, {0, -1, 0}},
    {TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT, {0, -1, 0}},
    {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, {0, -1, 0}},
    {TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT, {0, -1, 0}},
};

// Rotates limbs that deviate by more than 10 degrees, with their subtrees. Returns their number.
static int CorrectRest(BvhScene* s, tdQuat* turns)
{
    int corrected = 0;
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        int parent = s->parents[i];
        tdQuat above = parent >= 0 ? turns[parent] : tdQuat_identity;
        turns[i] = above;
        for (size_t k = 0; k < sizeof(limbs) / sizeof(limbs[0]); ++k)
        {
            int child = s->humanoid->nodes[limbs[k].child];
            if (s->humanoid->nodes[limbs[k].bone] != i || child < 0)
            {
                continue;
            }
            tdVec3 direction = tdRotate(above, tdNormalize(tdSub(s->rest[child], s->rest[i])));
            if (tdLengthSquared(direction) > 0.5f && tdDot(direction, limbs[k].direction) < 0.98480775f)
            {
                turns[i] = tdMulQuat(tdQuatFromTo(direction, limbs[k].direction), above);
                corrected += 1;
            }
        }
        s->locals[i].rotation = tdNormalizeQuat(tdInvMulQuat(above, turns[i]));
    }
    return corrected;
}

// Euler angles of one joint, degrees, first channel outermost.
static tdQuat ReadRotation(const BvhScene* s, const tdBvhJoint* joint, const float* frame)
{
    tdQuat q = tdQuat_identity;
    for (int c = 0; c < joint->channelCount; ++c)
    {
        if (joint->channels[c] < TD_BVH_X_ROTATION)
        {
            continue;
        }
        int axis = (int)joint->channels[c] - (int)TD_BVH_X_ROTATION;
        float half = (float)((double)frame[joint->firstChannel + c] * (3.14159265358979323846 / 360.0));
        tdSinCos part = tdComputeSinCos(half);
        tdQuat turn = {axis == 0 ? part.sine : 0.0f, axis == 1 ? part.sine : 0.0f,
                       axis == 2 ? part.sine : 0.0f, part.cosine};
        q = tdMulQuat(q, turn);
    }
    return tdNormalizeQuat(tdMulQuat(tdMulQuat(s->axes, q), tdConjugate(s->axes)));
}

// In rotated axes and units of the file; components without a channel are those of the offset.
static tdVec3 ReadPosition(const BvhScene* s, const tdBvhJoint* joint, const float* frame, bool addsOffset)
{
    tdVec3 position = joint->offset;
    float* numbers = &position.x;
    for (int c = 0; c < joint->channelCount; ++c)
    {
        if (joint->channels[c] < TD_BVH_X_ROTATION)
        {
            int axis = (int)joint->channels[c];
            numbers[axis] = frame[joint->firstChannel + c] + (addsOffset ? numbers[axis] : 0.0f);
        }
    }
    return tdRotate(s->axes, position);
}

static bool HasChannels(const tdBvhJoint* joint, bool rotations)
{
    for (int c = 0; c < joint->channelCount; ++c)
    {
        if ((joint->channels[c] >= TD_BVH_X_ROTATION) == rotations)
        {
            return true;
        }
    }
    return false;
}

// Exporters disagree on whether position channels include OFFSET. The interpretation whose first frame is
// closer to the expected position wins: standing height for a root, the offset for others.
static bool AddsOffset(const BvhScene* s, int index)
{
    const tdBvhJoint* joint = &s->bvh->joints[index];
    tdVec3 with = ReadPosition(s, joint, s->bvh->frames, true),
           without = ReadPosition(s, joint, s->bvh->frames, false);
    if (joint->parent < 0)
    {
        float height = s->locals[index].translation.y / s->unit;
        return tdAbsFloat(with.y - height) < tdAbsFloat(without.y - height);
    }
    tdVec3 offset = tdRotate(s->axes, joint->offset);
    return tdDistance(with, offset) < tdDistance(without, offset);
}

static bool PlaceRest(BvhScene* s)
{
    int count = s->bvh->jointCount;
    tdQuat* turns = tdArena_NewArray(&s->asset->arena, tdQuat, count);
    if (turns == NULL)
    {
        return false;
    }
    int frame = s->def->bvhTposeFrame1 - 1;
    if (frame >= 0 && frame < s->bvh->frameCount)
    {
        const float* numbers = s->bvh->frames + (size_t)frame * (size_t)s->bvh->channelCount;
        for (int i = 0; i < count; ++i)
        {
            s->locals[i].rotation = ReadRotation(s, &s->bvh->joints[i], numbers);
            turns[i] = s->parents[i] >= 0 ? tdMulQuat(turns[s->parents[i]], s->locals[i].rotation)
                                          : s->locals[i].rotation;
        }
    }
    else
    {
        int corrected = CorrectRest(s, turns);
        if (corrected > 0)
        {
            tdReport_AddAt(s->report, TD_DIAG_BVH_REST_CORRECTED, 0, 1, 1, corrected);
        }
    }
    // Positions of the T-pose; the lowest joint stands on the ground.
    float lowest = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        int parent = s->parents[i];
        tdVec3 offset = tdRotate(s->axes, s->bvh->joints[i].offset);
        s->locals[i].translation = tdScale(s->unit, offset);
        s->rest[i] = parent >= 0 ? tdAdd(s->rest[parent], tdRotate(turns[parent], offset)) : offset;
        lowest = tdMinFloat(lowest, s->rest[i].y);
    }
    for (int i = 0; i < count; ++i)
    {
        if (s->parents[i] < 0)
        {
            s->locals[i].translation.y -= lowest * s->unit;
        }
    }
    s->humanoid->hipsHeight = 0.0f;
    if (s->humanoid->nodes[TD_BONE_HIPS] >= 0)
    {
        s->humanoid->hipsHeight = (s->rest[s->humanoid->nodes[TD_BONE_HIPS]].y - lowest) * s->unit;
    }
    return true;
}

// Animation

static bool MakeChannel(BvhScene* s, int index, bool isRotation, const float* times, tdChannel* channel)
{
    const tdBvh* bvh = s->bvh;
    const tdBvhJoint* joint = &bvh->joints[index];
    int width = isRotation ? 4 : 3;
    float* values = tdArena_NewArray(&s->asset->arena, float, (size_t)bvh->frameCount*(size_t)width);
    if (values == NULL)
    {
        return false;
    }
    bool addsOffset = !isRotation && AddsOffset(s, index);
    for (int frame = 0; frame < bvh->frameCount; ++frame)
    {
        const float* numbers = bvh->frames + (size_t)frame * (size_t)bvh->channelCount;
        float* out = values + (size_t)frame * (size_t)width;
        if (isRotation)
        {
            tdQuat q = ReadRotation(s, joint, numbers);
            memcpy(out, &q, sizeof(q));
        }
        else
        {
            tdVec3 p = tdScale(s->unit, ReadPosition(s, joint, numbers, addsOffset));
            memcpy(out, &p, sizeof(p));
        }
    }
    *channel = (tdChannel){.target = {isRotation ? TD_PROPERTY_ROTATION : TD_PROPERTY_TRANSLATION, index, -1},
                           .interpolation = TD_INTERPOLATION_LINEAR,
                           .isRotation = isRotation,
                           .width = width,
                           .keyCount = bvh->frameCount,
                           .times = times,
                           .values = values,
                           .fileChannel = -1};
    return true;
}

static bool MakeAnimation(BvhScene* s)
{
    const tdBvh* bvh = s->bvh;
    tdArena* arena = &s->asset->arena;
    if (bvh->frameCount == 0)
    {
        return true;
    }
    float* times = tdArena_NewArray(arena, float, bvh->frameCount);
    tdChannel* channels = tdArena_NewArray(arena, tdChannel, 2 * (size_t)bvh->jointCount);
    tdAnimation* animation = tdArena_New(arena, tdAnimation);
    if (times == NULL || channels == NULL || animation == NULL)
    {
        return false;
    }
    int keys = 0;
    for (; keys < bvh->frameCount; ++keys)
    {
        times[keys] = (float)((double)keys * bvh->frameTime);
        if (keys > 0 && !(times[keys] > times[keys - 1]))
        {
            break; // float32 cannot represent the next frame time
        }
    }
    int count = 0;
    for (int i = 0; i < bvh->jointCount; ++i)
    {
        for (int pass = 0; pass < 2; ++pass)
        {
            if (HasChannels(&bvh->joints[i], pass == 1) &&
                !MakeChannel(s, i, pass == 1, times, &channels[count++]))
            {
                return false;
            }
        }
    }
    for (int i = 0; i < count; ++i)
    {
        channels[i].keyCount = keys;
    }
    *animation = (tdAnimation){"", channels, count, times[keys - 1]};
    s->asset->scene.animations = animation;
    s->asset->scene.animationCount = 1;
    return true;
}

// Bones

static void ReportUnmapped(const BvhScene* s)
{
    const int* bones = s->humanoid->boneOfNode;
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        const tdBvhJoint* joint = &s->bvh->joints[i];
        if (!joint->isEnd && bones[i] == TD_BONE_NONE && HasChannels(joint, true))
        {
            tdReport_AddAt(s->report, TD_DIAG_BVH_BONE_UNMAPPED, 0, 1, 1, joint->name);
        }
    }
}

static bool MakeHumanoid(BvhScene* s)
{
    tdHumanoid* humanoid = tdArena_New(&s->asset->arena, tdHumanoid);
    int* boneOfNode = tdArena_NewArray(&s->asset->arena, int, s->bvh->jointCount);
    if (humanoid == NULL || boneOfNode == NULL)
    {
        return false;
    }
    s->humanoid = humanoid;
    humanoid->kind = TD_HUMANOID_BY_NAME;
    humanoid->gazeNode = -1;
    humanoid->foldsUnmapped = true;
    tdMapBonesByName(&s->asset->scene, humanoid);
    if (!tdApplyBoneMap(&s->asset->scene, humanoid, s->def, s->report))
    {
        return false;
    }
    if (humanoid->nodes[TD_BONE_HIPS] < 0)
    {
        humanoid->nodes[TD_BONE_HIPS] = 0; // the root is the hips, whatever its name
    }
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        boneOfNode[i] = TD_BONE_NONE;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (humanoid->nodes[i] >= 0)
        {
            boneOfNode[humanoid->nodes[i]] = i;
        }
    }
    humanoid->boneOfNode = boneOfNode;
    s->asset->scene.humanoid = humanoid;
    ReportUnmapped(s);
    return true;
}

bool tdImportBvh(tdAsset* asset, const char* text, size_t size, tdReport* report)
{
    tdBvh bvh;
    if (!tdParseBvh(text, size, &asset->arena, report, &bvh))
    {
        return false;
    }
    asset->scene.file.kind = TD_FILE_KIND_BVH;
    asset->scene.file.byteCount = size;
    asset->scene.file.version = "";
    asset->scene.file.generator = "";
    BvhScene scene = {.bvh = &bvh, .asset = asset, .def = &asset->def, .report = report};
    bool hasMemory = MakeTree(&scene) && MakeHumanoid(&scene);
    if (hasMemory)
    {
        FindAxes(&scene);
        FindUnit(&scene);
        hasMemory = PlaceRest(&scene) && MakeAnimation(&scene);
    }
    if (!hasMemory)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading BVH");
    }
    return hasMemory;
}
