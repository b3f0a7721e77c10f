// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Makes a scene from a BVH. Axes are rotated so that the skeleton stands along Y and faces +Z, lengths are
// converted to metres, and the rest pose becomes a T-pose. Channels are absolute rotations, so only the rest
// rotations of nodes change, and retargeting computes D = R R_T^-1 as usual.
#include "bvh_scene.h"

#include "body_frame.h"
#include "bone_names.h"
#include "bvh.h"
#include "rest_pose.h"
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
    bool isMirrored; // the axes of the file are left-handed: X is negated
    tdQuat axes;     // from the axes of the file, after mirroring
    float unit;      // m
    tdVec3* rest;    // positions of the zero pose in rotated axes, in units of the file
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

// A vector of the file in the axes of the scene.
static tdVec3 ConvertVector(const BvhScene* s, tdVec3 v)
{
    v.x = s->isMirrored ? -v.x : v.x;
    return tdRotate(s->axes, v);
}

static void ComputeZeroPose(BvhScene* s)
{
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        const tdBvhJoint* joint = &s->bvh->joints[i];
        tdVec3 offset = ConvertVector(s, joint->offset);
        s->rest[i] = joint->parent >= 0 ? tdAdd(s->rest[joint->parent], offset) : offset;
    }
}

// Rotation of a joint by its Euler angles, degrees, first channel outermost, in the axes of the file.
static tdQuat ReadFileRotation(const tdBvhJoint* joint, const float* frame)
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
    return q;
}

// Handedness

/// Frames that are looked at for bends, spread over the motion.
#define BEND_FRAMES 64
/// Mean height of the bends over the length of the limb below which they say nothing: a knee bent by 5
/// degrees.
#define LEAST_BEND 0.01f
/// Joints between hips and the end of a limb. Bodies have about ten; a chain of thousands would cost time.
#define MAX_LIMB_DEPTH 64
/// Share of the bends that must agree on a direction.
#define BEND_AGREEMENT 0.5f

// Position of a joint in a frame of the motion, relative to the hips, in the axes of the file.
static tdVec3 FindPosedJoint(const BvhScene* s, int joint, const float* frame)
{
    int hips = s->humanoid->nodes[TD_BONE_HIPS];
    tdVec3 p = s->bvh->joints[joint].offset;
    int i = s->parents[joint];
    for (int depth = 0; depth < MAX_LIMB_DEPTH && i >= 0 && i != hips; ++depth, i = s->parents[i])
    {
        p = tdAdd(s->bvh->joints[i].offset, tdRotate(ReadFileRotation(&s->bvh->joints[i], frame), p));
    }
    return p;
}

// How the middle joints of two limbs bend: 1 if they stick out along a direction of the body, -1 if against
// it, 0 if they do not tell.
static int JudgeBends(const BvhScene* s, const tdBone limbs[2][3], tdVec3 direction)
{
    float sum = 0.0f, total = 0.0f;
    int count = 0, frames = tdMinInt(s->bvh->frameCount, BEND_FRAMES);
    for (int side = 0; side < 2; ++side)
    {
        const int* nodes = s->humanoid->nodes;
        bool isThere = nodes[limbs[side][0]] >= 0 && nodes[limbs[side][1]] >= 0 && nodes[limbs[side][2]] >= 0;
        for (int k = 0; k < frames && isThere; ++k)
        {
            size_t frame = (size_t)k * (size_t)s->bvh->frameCount / (size_t)frames;
            const float* numbers = s->bvh->frames + frame * (size_t)s->bvh->channelCount;
            tdVec3 p[3];
            for (int i = 0; i < 3; ++i)
            {
                p[i] = FindPosedJoint(s, nodes[limbs[side][i]], numbers);
            }
            float length = tdDistance(p[0], p[1]) + tdDistance(p[1], p[2]);
            tdVec3 axis = tdNormalize(tdSub(p[2], p[0])), first = tdSub(p[1], p[0]);
            tdVec3 bend = tdMulSub(first, tdDot(first, axis), axis);
            if (length > 0.0f)
            {
                sum += tdDot(bend, direction) / length;
                total += tdLength(bend) / length;
                count += 1;
            }
        }
    }
    bool isClear = count > 0 && total > LEAST_BEND * (float)count && tdAbsFloat(sum) > BEND_AGREEMENT * total;
    return !isClear ? 0 : sum > 0.0f ? 1 : -1;
}

// The evidence that the axes are left-handed, as the beginning of a sentence; NULL if they are right-handed.
static const char* FindLeftHand(const BvhScene* s, const tdBodyFrame* frame, bool isBody)
{
    static const tdBone legs[2][3] = {
        {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT},
        {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT},
    };
    static const tdBone arms[2][3] = {
        {TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND},
        {TD_BONE_RIGHT_UPPER_ARM, TD_BONE_RIGHT_LOWER_ARM, TD_BONE_RIGHT_HAND},
    };
    tdVec3 up = tdRotate(frame->rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    tdVec3 forward = tdRotate(frame->rotation, (tdVec3){0.0f, 0.0f, 1.0f});
    if (!frame->isFound)
    {
        return NULL;
    }
    if (s->def->facing != TD_FACING_AUTO)
    {
        tdQuat given = tdMakeBodyFrame(s->def->facing, up);
        return tdDot(tdRotate(given, (tdVec3){0.0f, 0.0f, 1.0f}), forward) < -0.5f ? "The given direction is"
                                                                                   : NULL;
    }
    if (frame->hasFeet)
    {
        return frame->isMirrored ? "The feet point" : NULL;
    }
    int knees = JudgeBends(s, legs, forward);
    if (knees != 0)
    {
        return knees < 0 ? "The knees bend" : NULL;
    }
    int elbows = JudgeBends(s, arms, tdNegate(forward));
    if (elbows == 0 && isBody)
    {
        tdReport_AddAt(s->report, TD_DIAG_BVH_HAND_UNKNOWN, 0, 1, 1);
    }
    return elbows < 0 ? "The elbows bend" : NULL;
}

// The given direction after mirroring, which negates X.
static tdFacing MirrorFacing(tdFacing facing)
{
    return facing == TD_FACING_PLUS_X    ? TD_FACING_MINUS_X
           : facing == TD_FACING_MINUS_X ? TD_FACING_PLUS_X
                                         : facing;
}

// Finds the axes of the file. The zero pose is that of the file as it is; a left-handed one is mirrored at
// the plane of up and forward, so that left and right stay what the names say.
static void FindAxes(BvhScene* s)
{
    s->axes = tdQuat_identity;
    ComputeZeroPose(s);
    tdBodyFrame frame = tdFindBodyFrame(s->humanoid, &s->asset->scene.nodes, s->rest);
    // A skeleton of two joints shows nothing and needs nothing.
    bool isBody =
        s->humanoid->nodes[TD_BONE_LEFT_UPPER_LEG] >= 0 || s->humanoid->nodes[TD_BONE_LEFT_UPPER_ARM] >= 0;
    tdFacing facing = s->def->facing;
    const char* evidence = FindLeftHand(s, &frame, isBody);
    if (evidence != NULL)
    {
        s->isMirrored = true;
        facing = MirrorFacing(facing);
        ComputeZeroPose(s);
        frame = tdFindBodyFrame(s->humanoid, &s->asset->scene.nodes, s->rest);
        tdReport_AddAt(s->report, TD_DIAG_BVH_LEFT_HANDED, 0, 1, 1, evidence);
    }
    tdVec3 up = tdRotate(frame.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    tdQuat rotation = facing != TD_FACING_AUTO ? tdMakeBodyFrame(facing, up) : frame.rotation;
    if (!frame.isFound && isBody && facing == TD_FACING_AUTO)
    {
        tdReport_AddAt(s->report, TD_DIAG_SK_FACING_UNKNOWN, 0, 1, 1);
    }
    s->axes = rotation.w == 1.0f ? tdQuat_identity : tdConjugate(rotation); // no negative zeros
    tdVec3 forward = tdRotate(rotation, (tdVec3){0.0f, 0.0f, 1.0f});
    up = tdRotate(rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    if (forward.z < 0.999f || up.y < 0.999f)
    {
        char forwardText[48], upText[48];
        tdReport_AddAt(s->report, TD_DIAG_SK_FACING, 0, 1, 1, tdDescribeDirection(forward, forwardText),
                       tdDescribeDirection(up, upText));
    }
    ComputeZeroPose(s);
}

/// m: the recordings of the CMU motion database are in inches divided by 0.45.
#define CMU_UNIT 0.056444444f

// Length of the joints from the lower bone up to the upper one; 0 if one is missing.
static float MeasureChain(const BvhScene* s, tdBone upper, tdBone lower)
{
    int from = s->humanoid->nodes[upper], node = s->humanoid->nodes[lower];
    float length = 0.0f;
    if (from < 0 || node < 0)
    {
        return 0.0f;
    }
    for (; node >= 0 && node != from; node = s->parents[node])
    {
        length += tdLength(s->bvh->joints[node].offset);
    }
    return node == from ? length : 0.0f;
}

// Height of a body that stands upright, whatever its zero pose: legs and spine.
static float MeasureBody(const BvhScene* s)
{
    float leg = tdMaxFloat(MeasureChain(s, TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_FOOT),
                           MeasureChain(s, TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_FOOT));
    float spine = MeasureChain(s, TD_BONE_HIPS, TD_BONE_HEAD);
    return leg > 0.0f && spine > 0.0f ? leg + spine : 0.0f;
}

static void FindUnit(BvhScene* s)
{
    static const struct
    {
        float unit;
        const char* name;
    } units[] = {{1.0f, "metres"},
                 {0.01f, "centimetres"},
                 {0.0254f, "inches"},
                 {0.001f, "millimetres"},
                 {CMU_UNIT, "units of the CMU motion database"}};
    const int unitCount = (int)(sizeof(units) / sizeof(units[0]));
    float low = 0.0f, high = 0.0f;
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        low = i == 0 ? s->rest[i].y : tdMinFloat(low, s->rest[i].y);
        high = i == 0 ? s->rest[i].y : tdMaxFloat(high, s->rest[i].y);
    }
    float height = tdMaxFloat(high - low, MeasureBody(s));
    int best = 1;
    float bestMiss = INFINITY;
    for (int i = 0; i < unitCount && height > 0.0f; ++i)
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

// Rotates limbs that deviate by more than 10 degrees, with their subtrees. Returns their number.
static int CorrectRest(BvhScene* s, tdQuat* turns)
{
    int corrected = 0;
    for (int i = 0; i < s->bvh->jointCount; ++i)
    {
        int parent = s->parents[i];
        tdQuat above = parent >= 0 ? turns[parent] : tdQuat_identity;
        turns[i] = above;
        for (int k = 0; k < TD_LIMB_COUNT; ++k)
        {
            int child = s->humanoid->nodes[tdLimbs[k].child];
            if (s->humanoid->nodes[tdLimbs[k].bone] != i || child < 0)
            {
                continue;
            }
            tdVec3 direction = tdRotate(above, tdNormalize(tdSub(s->rest[child], s->rest[i])));
            if (tdLengthSquared(direction) > 0.5f && tdDot(direction, tdLimbs[k].direction) < TD_LIMB_COSINE)
            {
                turns[i] = tdMulQuat(tdQuatFromTo(direction, tdLimbs[k].direction), above);
                corrected += 1;
            }
        }
        s->locals[i].rotation = tdNormalizeQuat(tdInvMulQuat(above, turns[i]));
    }
    return corrected;
}

// Rotation of a joint in the axes of the scene.
static tdQuat ReadRotation(const BvhScene* s, const tdBvhJoint* joint, const float* frame)
{
    tdQuat q = ReadFileRotation(joint, frame);
    if (s->isMirrored)
    {
        q = (tdQuat){q.x, -q.y, -q.z, q.w};
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
    return ConvertVector(s, position);
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

/// How position channels are read.
typedef enum PositionRule
{
    POSITION_ABSOLUTE,
    POSITION_ADDS_OFFSET,
    POSITION_FROM_REST, // relative to the rest pose: the first frame of a root is zero
} PositionRule;

// Exporters disagree on whether position channels include OFFSET. The interpretation whose first frame is
// closer to the expected position wins: standing height for a root, the offset for others. A root that starts
// at zero, below both, is relative to the rest pose: a body does not start inside the ground.
static PositionRule FindPositionRule(const BvhScene* s, int index)
{
    const tdBvhJoint* joint = &s->bvh->joints[index];
    tdVec3 with = ReadPosition(s, joint, s->bvh->frames, true),
           without = ReadPosition(s, joint, s->bvh->frames, false);
    if (joint->parent >= 0)
    {
        tdVec3 offset = ConvertVector(s, joint->offset);
        return tdDistance(with, offset) < tdDistance(without, offset) ? POSITION_ADDS_OFFSET
                                                                      : POSITION_ABSOLUTE;
    }
    float height = s->locals[index].translation.y / s->unit;
    bool startsAtZero = true;
    for (int c = 0; c < joint->channelCount; ++c)
    {
        startsAtZero = startsAtZero && (joint->channels[c] >= TD_BVH_X_ROTATION ||
                                        s->bvh->frames[joint->firstChannel + c] == 0.0f);
    }
    bool addsOffset = tdAbsFloat(with.y - height) < tdAbsFloat(without.y - height);
    float miss = tdAbsFloat((addsOffset ? with.y : without.y) - height);
    if (startsAtZero && miss > 0.25f * tdAbsFloat(height))
    {
        tdReport_AddAt(s->report, TD_DIAG_BVH_ROOT_RELATIVE, 0, 1, 1, joint->name,
                       (double)(height * s->unit));
        return POSITION_FROM_REST;
    }
    return addsOffset ? POSITION_ADDS_OFFSET : POSITION_ABSOLUTE;
}

/// Height of the ankle over that of the hips of an average body.
#define ANKLE_SHARE 0.074f

// A skeleton that ends at the ankles lacks the height of its feet, in units of the file.
static float AssumeAnkleHeight(const BvhScene* s)
{
    int left = s->humanoid->nodes[TD_BONE_LEFT_FOOT], right = s->humanoid->nodes[TD_BONE_RIGHT_FOOT];
    int hips = s->humanoid->nodes[TD_BONE_HIPS];
    const int* ends = s->asset->scene.nodes.subtreeEnds;
    if (left < 0 || right < 0 || hips < 0 || ends[left] > left + 1 || ends[right] > right + 1)
    {
        return 0.0f;
    }
    float leg = s->rest[hips].y - 0.5f * (s->rest[left].y + s->rest[right].y);
    float height = leg > 0.0f ? leg * (ANKLE_SHARE / (1.0f - ANKLE_SHARE)) : 0.0f;
    tdReport_AddAt(s->report, TD_DIAG_BVH_NO_END_SITES, 0, 1, 1, (double)(height * s->unit));
    return height;
}

static bool PlaceRest(BvhScene* s)
{
    int count = s->bvh->jointCount;
    tdQuat* turns = tdArena_NewArray(&s->asset->arena, tdQuat, count);
    if (turns == NULL)
    {
        return false;
    }
    int frame = s->def->rest == TD_REST_FRAME ? s->def->restFrame1 - 1 : s->def->bvhTposeFrame1 - 1;
    bool isFrame = frame >= 0 && frame < s->bvh->frameCount;
    if (s->def->rest == TD_REST_FRAME && !isFrame)
    {
        tdReport_AddAt(s->report, TD_DIAG_SK_NO_FRAME, 0, 1, 1, s->def->restFrame1, s->bvh->frameCount);
    }
    if (isFrame)
    {
        s->humanoid->restSource = TD_REST_SOURCE_FRAME;
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
        bool isTpose = s->def->rest == TD_REST_NODES;
        for (int i = 0; i < count; ++i)
        {
            turns[i] = tdQuat_identity;
        }
        int corrected = isTpose ? 0 : CorrectRest(s, turns);
        s->humanoid->restCorrections = corrected;
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
        tdVec3 offset = ConvertVector(s, s->bvh->joints[i].offset);
        s->locals[i].translation = tdScale(s->unit, offset);
        s->rest[i] = parent >= 0 ? tdAdd(s->rest[parent], tdRotate(turns[parent], offset)) : offset;
        lowest = tdMinFloat(lowest, s->rest[i].y);
    }
    lowest -= AssumeAnkleHeight(s);
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
    PositionRule rule = isRotation ? POSITION_ABSOLUTE : FindPositionRule(s, index);
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
            tdVec3 p = tdScale(s->unit, ReadPosition(s, joint, numbers, rule == POSITION_ADDS_OFFSET));
            if (rule == POSITION_FROM_REST)
            {
                tdBvhJoint bare = *joint;
                bare.offset = tdVec3_zero;
                p = tdAdd(s->locals[index].translation,
                          tdScale(s->unit, ReadPosition(s, &bare, numbers, false)));
            }
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

/// Joints whose names are compared with each other. Skeletons have a few hundred.
#define MAX_COMPARED_NAMES 2000

static void ReportDuplicates(const BvhScene* s)
{
    int count = tdMinInt(s->bvh->jointCount, MAX_COMPARED_NAMES);
    for (int i = 0; i < count; ++i)
    {
        for (int k = 0; k < i && !s->bvh->joints[i].isEnd; ++k)
        {
            if (!s->bvh->joints[k].isEnd && strcmp(s->bvh->joints[i].name, s->bvh->joints[k].name) == 0)
            {
                tdReport_AddAt(s->report, TD_DIAG_BVH_DUPLICATE_NAME, 0, 1, 1, s->bvh->joints[i].name);
                break;
            }
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
    if (!tdMapBonesByName(&s->asset->scene, humanoid, &s->asset->arena, s->report) ||
        !tdApplyBoneMap(&s->asset->scene, humanoid, s->def, s->report))
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
    ReportDuplicates(s);
    return true;
}

bool tdImportBvh(tdAsset* asset, const char* text, size_t size, tdReport* report)
{
    tdBvh bvh;
    if (!tdParseBvh(text, size, &asset->arena, report, &bvh))
    {
        return false;
    }
    if (!tdLimits_Allow(&asset->def.limits, TD_LIMIT_nodes, bvh.jointCount, report, NULL) ||
        !tdLimits_Allow(&asset->def.limits, TD_LIMIT_keys, (double)bvh.frameCount * bvh.channelCount, report,
                        NULL) ||
        !tdLimits_Allow(&asset->def.limits, TD_LIMIT_duration, (bvh.frameCount - 1) * (double)bvh.frameTime,
                        report, NULL))
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
