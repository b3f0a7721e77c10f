// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Retargeting: makes a clip of one asset from a humanoid animation of another.
//
// A rotation is multiplied by constants from the left and the right (rig.h). That commutes with slerp and
// with cubic splines, so keys and tangents are mapped one by one and interpolations stay as they are. Where
// the target lacks bones, the rotations of several source bones multiply. A product of animated rotations
// does not interpolate like its factors, so it is resampled within an angle tolerance. See
// docs/decisions/030.
#include "clip.h"
#include "motion_contacts.h"
#include "rig.h"
#include "sampler.h"

#include "base/array.h"
#include "base/def.h"
#include "base/name_table.h"
#include "base/report.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/// Rotations that one target bone can combine: a chain of missing bones and the unmapped nodes between them.
/// Further ones are left out.
#define MAX_FACTORS 64
/// Halvings of the interval between two source keys. 4,096 parts of an interval of one second are finer than
/// the step of any simulation.
#define MAX_REFINE_DEPTH 12

// An animated rotation of the source: N = left q right.
typedef struct RotationFactor
{
    const tdChannel* channel;
    int cursor;
    tdQuat left, right;
} RotationFactor;

typedef struct Retarget
{
    const tdAsset* source;
    const tdAsset* target;
    const tdAnimation* animation;
    const tdRetargetDef* def;
    tdAllocator allocator; // of the clip and of everything needed to make it
    tdReport* report;
    struct tdRig rigA, rigB;
    float travelScale;           // of the hips translation
    const tdChannel** rotations; // of the source, by node
    tdClip* clip;
    tdArray(tdChannel) channels;
    tdArray(tdClipExpression) expressions;
    tdArray(float) times; // keys of the product that is being resampled
    tdArray(tdQuat) values;
} Retarget;

tdRetargetDef tdDefaultRetargetDef(void)
{
    return (tdRetargetDef){
        .scaleHips = true, .angleTolerance = 2.0e-5f, .maximumKeyCount = 100000, .cookie = TD_DEF_COOKIE};
}

// Factors of a bone's rotation. Constant factors are part of the animated one next to them.
typedef struct FactorList
{
    RotationFactor factors[MAX_FACTORS];
    int count;
    bool hasPrefix; // `prefix` is not the identity
    tdQuat prefix;  // constant before the first factor; with no factor, the whole rotation
} FactorList;

/// Angle in rad below which two rest rotations are the same.
#define SAME_ROTATION 1.0e-5f

// A node that is not animated keeps the rotation of the file, which differs from its T-pose if the nodes hold
// another pose.
static void AddConstant(const Retarget* r, int node, tdQuat left, tdQuat right, FactorList* list)
{
    const tdHumanoid* humanoid = r->source->scene.humanoid;
    const tdNodeTree* nodes = &r->source->scene.nodes;
    tdQuat local = nodes->locals[node].rotation;
    if (tdAngleBetween(local, tdHumanoid_GetRestRotation(humanoid, nodes, node)) <= SAME_ROTATION)
    {
        return;
    }
    tdQuat turn = tdMulQuat(tdInvMulQuat(left, local), tdConjugate(right));
    if (list->count > 0)
    {
        RotationFactor* last = &list->factors[list->count - 1];
        last->right = tdNormalizeQuat(tdMulQuat(last->right, turn));
        return;
    }
    list->prefix = tdNormalizeQuat(list->hasPrefix ? tdMulQuat(list->prefix, turn) : turn);
    list->hasPrefix = true;
}

static void AddFactor(const Retarget* r, int node, tdQuat left, tdQuat right, FactorList* list)
{
    if (r->rotations[node] == NULL)
    {
        AddConstant(r, node, left, right, list);
        return;
    }
    if (list->count == MAX_FACTORS)
    {
        return;
    }
    tdQuat start = tdConjugate(left);
    if (list->count == 0 && list->hasPrefix)
    {
        start = tdMulQuat(list->prefix, start);
    }
    list->factors[list->count++] = (RotationFactor){r->rotations[node], 0, start, tdConjugate(right)};
}

// Adds the rotations of nodes between two bones, which belong to the lower bone.
static void AddUnmappedNodes(const Retarget* r, tdBone bone, FactorList* list)
{
    const tdHumanoid* humanoid = r->source->scene.humanoid;
    const tdNodeTree* nodes = &r->source->scene.nodes;
    tdBone parent = tdHumanoid_GetParent(humanoid, bone);
    if (!humanoid->foldsUnmapped || parent == TD_BONE_NONE)
    {
        return;
    }
    int between[MAX_FACTORS], betweenCount = 0;
    int node = nodes->parents[humanoid->nodes[bone]];
    for (; node >= 0 && node != humanoid->nodes[parent]; node = nodes->parents[node])
    {
        // Even a bone of another limb: some rigs hang the legs on the spine.
        if (betweenCount < MAX_FACTORS)
        {
            between[betweenCount++] = node;
        }
    }
    for (int i = betweenCount - 1; i >= 0 && node >= 0; --i)
    {
        // N = W L^-1 q W^-1 for this node, as for a bone.
        tdQuat world = tdQuat_identity;
        for (int above = between[i]; above >= 0; above = nodes->parents[above])
        {
            world = tdMulQuat(tdHumanoid_GetRestRotation(humanoid, nodes, above), world);
        }
        world = tdNormalizeQuat(world);
        tdQuat turn = r->rigA.frame;
        tdQuat rest = tdHumanoid_GetRestRotation(humanoid, nodes, between[i]);
        tdQuat left = tdMulQuat(tdMulQuat(rest, tdConjugate(world)), turn);
        AddFactor(r, between[i], left, tdMulQuat(tdConjugate(turn), world), list);
    }
}

static void AddBone(const Retarget* r, tdBone bone, FactorList* list)
{
    const tdRigBone* source = &r->rigA.bones[bone];
    if (source->node >= 0)
    {
        AddUnmappedNodes(r, bone, list);
        AddFactor(r, source->node, source->left, source->right, list);
    }
}

// Mapped keys

// A channel with one key.
static bool AddConstantChannel(Retarget* r, tdProperty target, const float* value, int width)
{
    float* numbers = tdArena_NewArray(&r->clip->arena, float, (size_t)width + 1);
    if (numbers == NULL)
    {
        return false;
    }
    numbers[0] = 0.0f; // the time
    memcpy(numbers + 1, value, (size_t)width * sizeof(float));
    tdChannel channel = {.target = target,
                         .interpolation = TD_INTERPOLATION_LINEAR,
                         .isRotation = width == 4,
                         .width = width,
                         .keyCount = 1,
                         .times = numbers,
                         .values = numbers + 1,
                         .fileChannel = -1};
    return tdArray_Push(&r->allocator, &r->channels, channel);
}

// Channels with equal times share one array, so that sampling them reads it once.
static bool CopyTimes(Retarget* r, const tdChannel* from, tdChannel* to)
{
    size_t size = (size_t)from->keyCount * sizeof(float);
    if (r->channels.count > 0)
    {
        const tdChannel* last = &r->channels.data[r->channels.count - 1];
        if (last->keyCount == from->keyCount && memcmp(last->times, from->times, size) == 0)
        {
            to->times = last->times;
            return true;
        }
    }
    float* times = tdArena_NewArray(&r->clip->arena, float, from->keyCount);
    if (times != NULL)
    {
        memcpy(times, from->times, size);
    }
    to->times = times;
    return times != NULL;
}

static bool AddMappedRotation(Retarget* r, const RotationFactor* factor, const tdRigBone* bone)
{
    const tdChannel* from = factor->channel;
    bool isSpline = from->interpolation == TD_INTERPOLATION_CUBICSPLINE;
    int count = from->keyCount * (isSpline ? 3 : 1);
    tdQuat* values = tdArena_NewArray(&r->clip->arena, tdQuat, count);
    tdChannel channel = *from;
    if (values == NULL || !CopyTimes(r, from, &channel))
    {
        return false;
    }
    tdQuat left = tdNormalizeQuat(tdMulQuat(bone->left, factor->left));
    tdQuat right = tdNormalizeQuat(tdMulQuat(factor->right, bone->right));
    for (int i = 0; i < count; ++i)
    {
        tdQuat q;
        memcpy(&q, from->values + 4 * i, sizeof(q));
        values[i] = tdMulQuat(tdMulQuat(left, q), right);
        bool isValue = !isSpline || i % 3 == 1;
        values[i] = isValue ? tdNormalizeQuat(values[i]) : values[i];
    }
    channel.target = (tdProperty){TD_PROPERTY_ROTATION, bone->node, -1};
    channel.values = &values[0].x;
    channel.fileChannel = -1;
    return tdArray_Push(&r->allocator, &r->channels, channel);
}

// Resampled products

static tdQuat SampleProduct(RotationFactor* factors, int count, const tdRigBone* bone, double time)
{
    tdQuat product = bone->left;
    for (int i = 0; i < count; ++i)
    {
        tdQuat q;
        tdSampleChannel(factors[i].channel, time, &factors[i].cursor, &q.x);
        product = tdMulQuat(tdMulQuat(product, factors[i].left), tdMulQuat(q, factors[i].right));
    }
    return tdNormalizeQuat(tdMulQuat(product, bone->right));
}

static bool PushRotationKey(Retarget* r, float time, tdQuat value)
{
    return tdArray_Push(&r->allocator, &r->times, time) && tdArray_Push(&r->allocator, &r->values, value);
}

// Adds keys strictly between two others until slerp is within the tolerance at the quarters of each interval.
static bool RefineKeys(Retarget* r, RotationFactor* factors, int count, const tdRigBone* bone, float start,
                       tdQuat from, float end, tdQuat to, int depth, bool* isLimited)
{
    float middle = start + 0.5f * (end - start);
    if (!(start < middle && middle < end))
    {
        return true;
    }
    float worst = 0.0f;
    tdQuat center = tdQuat_identity;
    for (int i = 1; i <= 3; ++i)
    {
        double u = 0.25 * i;
        double time = i == 2 ? (double)middle : (double)start + u * ((double)end - (double)start);
        tdQuat exact = SampleProduct(factors, count, bone, time);
        center = i == 2 ? exact : center;
        float part = (float)((time - (double)start) / ((double)end - (double)start));
        worst = tdMaxFloat(worst, tdAngleBetween(exact, tdSlerp(from, to, part)));
    }
    if (worst <= r->def->angleTolerance)
    {
        return true;
    }
    if (depth == MAX_REFINE_DEPTH || r->times.count >= r->def->maximumKeyCount)
    {
        *isLimited = true;
        return true;
    }
    return RefineKeys(r, factors, count, bone, start, from, middle, center, depth + 1, isLimited) &&
           PushRotationKey(r, middle, center) &&
           RefineKeys(r, factors, count, bone, middle, center, end, to, depth + 1, isLimited);
}

// The next key time of any factor after `time`; INFINITY if there is none.
static float FindNextTime(const RotationFactor* factors, int count, float time, bool* isStep)
{
    float next = INFINITY;
    *isStep = false;
    for (int i = 0; i < count; ++i)
    {
        const tdChannel* channel = factors[i].channel;
        int key = tdFindKey(channel->times, channel->keyCount, (double)time, factors[i].cursor);
        key = channel->times[key] > time ? key : key + 1;
        if (key >= channel->keyCount)
        {
            continue;
        }
        if (channel->times[key] < next)
        {
            next = channel->times[key];
            *isStep = false;
        }
        bool jumps = channel->interpolation == TD_INTERPOLATION_STEP && channel->times[key] == next;
        *isStep = *isStep || jumps;
    }
    return next;
}

static bool SampleKeys(Retarget* r, RotationFactor* factors, int count, const tdRigBone* bone, bool isAllStep,
                       bool* isLimited)
{
    float time = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        time = tdMinFloat(time, factors[i].channel->times[0]);
    }
    tdQuat value = SampleProduct(factors, count, bone, (double)time);
    if (!PushRotationKey(r, time, value))
    {
        return false;
    }
    for (;;)
    {
        bool isStep;
        float next = FindNextTime(factors, count, time, &isStep);
        if (next == INFINITY)
        {
            return true;
        }
        // A STEP among smooth factors: the value before the step gets a key at the last float before it.
        float end = isStep && !isAllStep ? nextafterf(next, 0.0f) : next;
        tdQuat before = SampleProduct(factors, count, bone, (double)end);
        tdQuat after = SampleProduct(factors, count, bone, (double)next);
        if (!isAllStep && end > time &&
            (!RefineKeys(r, factors, count, bone, time, value, end, before, 0, isLimited) ||
             (end < next && !PushRotationKey(r, end, before))))
        {
            return false;
        }
        if (!PushRotationKey(r, next, after))
        {
            return false;
        }
        time = next;
        value = after;
    }
}

static bool AddSampledRotation(Retarget* r, RotationFactor* factors, int count, tdBone boneIndex)
{
    const tdRigBone* bone = &r->rigB.bones[boneIndex];
    bool isAllStep = true, isLimited = false;
    for (int i = 0; i < count; ++i)
    {
        isAllStep = isAllStep && factors[i].channel->interpolation == TD_INTERPOLATION_STEP;
    }
    r->times.count = r->values.count = 0;
    if (!SampleKeys(r, factors, count, bone, isAllStep, &isLimited))
    {
        return false;
    }
    if (isLimited)
    {
        tdReport_Add(r->report, TD_DIAG_RT_KEY_LIMIT, NULL, tdBone_GetInfo(boneIndex)->name, r->times.count,
                     (double)r->def->angleTolerance);
    }
    int keys = r->times.count;
    float* times = tdArena_NewArray(&r->clip->arena, float, keys);
    tdQuat* values = tdArena_NewArray(&r->clip->arena, tdQuat, keys);
    if (times == NULL || values == NULL)
    {
        return false;
    }
    memcpy(times, r->times.data, (size_t)keys * sizeof(float));
    memcpy(values, r->values.data, (size_t)keys * sizeof(tdQuat));
    tdChannel channel = {
        .target = {TD_PROPERTY_ROTATION, bone->node, -1},
        .interpolation = isAllStep ? TD_INTERPOLATION_STEP : TD_INTERPOLATION_LINEAR,
        .isRotation = true,
        .width = 4,
        .keyCount = keys,
        .times = times,
        .values = &values[0].x,
        .fileChannel = -1,
    };
    return tdArray_Push(&r->allocator, &r->channels, channel);
}

// A bone that the motion does not animate takes its T-pose where the nodes of the target hold another pose.
static bool AddConstantRotation(Retarget* r, const FactorList* list, const tdRigBone* bone)
{
    tdQuat turn = list->hasPrefix ? list->prefix : tdQuat_identity;
    tdQuat local = tdNormalizeQuat(tdMulQuat(tdMulQuat(bone->left, turn), bone->right));
    if (tdAngleBetween(local, r->target->scene.nodes.locals[bone->node].rotation) <= SAME_ROTATION)
    {
        return true;
    }
    tdProperty target = {TD_PROPERTY_ROTATION, bone->node, -1};
    return AddConstantChannel(r, target, &local.x, 4);
}

static bool AddRotations(Retarget* r)
{
    bool hasTpose = r->target->scene.humanoid->tpose != NULL || r->source->scene.humanoid->tpose != NULL;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        const tdRigBone* bone = &r->rigB.bones[i];
        FactorList list = {.count = 0};
        if (bone->node < 0 || i == TD_BONE_LEFT_EYE || i == TD_BONE_RIGHT_EYE)
        {
            continue;
        }
        for (int k = 0; k < bone->chainCount; ++k)
        {
            AddBone(r, (tdBone)bone->chain[k], &list);
        }
        AddBone(r, (tdBone)i, &list);
        bool done = list.count == 0   ? !hasTpose || AddConstantRotation(r, &list, bone)
                    : list.count == 1 ? AddMappedRotation(r, &list.factors[0], bone)
                                      : AddSampledRotation(r, list.factors, list.count, (tdBone)i);
        if (!done)
        {
            return false;
        }
    }
    return true;
}

// Hips: p_B = r_B + k Y (p_A - r_A), an affine map of the translation

// Factor of the hips translation: ratio of hip heights, or of leg lengths where the feet matter.
static float FindTravelScale(const Retarget* r)
{
    const struct tdRig *a = &r->rigA, *b = &r->rigB;
    float from = a->hipsHeight, to = b->hipsHeight;
    if (r->def->contacts != 0 || r->def->root == TD_ROOT_SCALE)
    {
        float legA = tdRig_MeasureLeg(a), legB = tdRig_MeasureLeg(b);
        bool hasLegs = legA > TD_RIG_MIN_HIPS_HEIGHT && legB > TD_RIG_MIN_HIPS_HEIGHT;
        from = hasLegs ? legA : from;
        to = hasLegs ? legB : to;
    }
    float ratio = r->def->scaleHips && from > TD_RIG_MIN_HIPS_HEIGHT ? to / from : 1.0f;
    return isfinite(ratio) ? ratio : 1.0f;
}

// Contacts are found and kept on the way that the feet travel; the travel is removed afterwards.
static bool KeepsFeet(const Retarget* r)
{
    return (r->def->contacts & TD_KEEP_FEET) != 0 && r->animation->duration > 0.0f &&
           r->rigA.bones[TD_BONE_HIPS].node >= 0 && tdRig_MeasureLeg(&r->rigA) > 0.0f &&
           tdRig_MeasureLeg(&r->rigB) > 0.0f;
}

static bool AddHipsTravel(Retarget* r, const tdChannel* from)
{
    const struct tdRig *a = &r->rigA, *b = &r->rigB;
    float k = r->travelScale;
    float side = r->def->root == TD_ROOT_IN_PLACE && !KeepsFeet(r) ? 0.0f : 1.0f; // of horizontal travel
    bool isSpline = from->interpolation == TD_INTERPOLATION_CUBICSPLINE;
    int count = from->keyCount * (isSpline ? 3 : 1);
    tdVec3* values = tdArena_NewArray(&r->clip->arena, tdVec3, count);
    tdChannel channel = *from;
    if (values == NULL || !CopyTimes(r, from, &channel))
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        tdVec3 t;
        memcpy(&t, from->values + 3 * i, sizeof(t));
        if (isSpline && i % 3 != 1)
        {
            tdVec3 v = tdScale(k, tdRig_ToBody(a, tdMat4Direction(a->hipsParent, t)));
            v = (tdVec3){side * v.x, v.y, side * v.z};
            values[i] = tdMat4Direction(b->hipsParentInverse, tdRig_FromBody(b, v));
        }
        else
        {
            tdVec3 d = tdSub(tdMat4Point(a->hipsParent, t), a->hipsRest);
            tdVec3 p = tdScale(k, tdRig_ToBody(a, d));
            p = tdRig_FromBody(b, (tdVec3){side * p.x, p.y, side * p.z});
            values[i] = tdMat4Point(b->hipsParentInverse, tdAdd(b->hipsRest, p));
        }
    }
    channel.target = (tdProperty){TD_PROPERTY_TRANSLATION, b->bones[TD_BONE_HIPS].node, -1};
    channel.values = &values[0].x;
    channel.fileChannel = -1;
    return tdArray_Push(&r->allocator, &r->channels, channel);
}

// Expressions and gaze

// @param known the target's expressions
static bool AddExpression(Retarget* r, const tdChannel* from, const tdExpressionNode* node,
                          const tdNameTable* known)
{
    bool isSpline = from->interpolation == TD_INTERPOLATION_CUBICSPLINE;
    int count = from->keyCount * (isSpline ? 3 : 1);
    float* values = tdArena_NewArray(&r->clip->arena, float, count);
    const char* name = tdArena_CopyText(&r->clip->arena, node->name, strlen(node->name));
    tdChannel channel = *from;
    if (values == NULL || name == NULL || !CopyTimes(r, from, &channel))
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        values[i] = from->values[3 * i]; // X of the translation; the runtime clamps it
    }
    if (tdNameTable_Find(known, name) < 0)
    {
        tdReport_Add(r->report, TD_DIAG_RT_EXPRESSION_MISSING, NULL, name);
    }
    channel.target = (tdProperty){TD_PROPERTY_EXPRESSION, r->expressions.count, -1};
    channel.width = 1;
    channel.isRotation = false;
    channel.values = values;
    channel.fileChannel = -1;
    return tdArray_Push(&r->allocator, &r->expressions, (tdClipExpression){name}) &&
           tdArray_Push(&r->allocator, &r->channels, channel);
}

static bool AddGaze(Retarget* r, const tdChannel* from)
{
    size_t size = (size_t)from->keyCount * (from->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 12 : 4);
    float* values = tdArena_NewArray(&r->clip->arena, float, size);
    tdChannel channel = *from;
    if (values == NULL || !CopyTimes(r, from, &channel))
    {
        return false;
    }
    memcpy(values, from->values, size * sizeof(float));
    const tdHumanoid* target = r->target->scene.humanoid;
    bool hasEyes = target->nodes[TD_BONE_LEFT_EYE] >= 0 || target->nodes[TD_BONE_RIGHT_EYE] >= 0;
    if (target->lookAt.type == TD_LOOK_AT_NONE || (target->lookAt.type == TD_LOOK_AT_BONE && !hasEyes))
    {
        tdReport_Add(r->report, TD_DIAG_RT_NO_GAZE, NULL);
    }
    channel.target = (tdProperty){TD_PROPERTY_LOOK_AT, -1, -1};
    channel.values = values;
    channel.fileChannel = -1;
    r->clip->hasGaze = true;
    return tdArray_Push(&r->allocator, &r->channels, channel);
}

static bool AddTravelAndFace(Retarget* r, tdArena* scratch)
{
    const tdHumanoid* source = r->source->scene.humanoid;
    const tdExpressionNode** expressions =
        tdArena_NewArray(scratch, const tdExpressionNode*, r->source->scene.nodes.count);
    const tdHumanoid* target = r->target->scene.humanoid;
    tdNameTable known = {.slotCount = tdNameTable_GetSlotCount(target->expressionCount)};
    known.slots = tdArena_NewArray(scratch, int, known.slotCount);
    if (expressions == NULL || known.slots == NULL)
    {
        return false;
    }
    tdNameTable_Fill(&known, target->expressions, sizeof(tdExpression), target->expressionCount);
    for (int i = 0; i < source->expressionNodeCount; ++i)
    {
        expressions[source->expressionNodes[i].node] = &source->expressionNodes[i];
    }
    for (int c = 0; c < r->animation->channelCount; ++c)
    {
        const tdChannel* channel = &r->animation->channels[c];
        int node = channel->target.object;
        bool done = true;
        if (channel->target.kind == TD_PROPERTY_TRANSLATION)
        {
            if (node == r->rigA.bones[TD_BONE_HIPS].node)
            {
                done = AddHipsTravel(r, channel);
            }
            else if (expressions[node] != NULL)
            {
                done = AddExpression(r, channel, expressions[node], &known);
            }
        }
        else if (channel->target.kind == TD_PROPERTY_ROTATION && node == source->gazeNode)
        {
            done = AddGaze(r, channel);
        }
        if (!done)
        {
            return false;
        }
    }
    return true;
}

// Contacts

// Replaces the channel of a property by keys at the times of the samples.
static bool ReplaceChannel(Retarget* r, tdProperty target, const float* times, int count, const float* values)
{
    int kept = 0;
    for (int i = 0; i < r->channels.count; ++i)
    {
        const tdProperty* other = &r->channels.data[i].target;
        if (other->kind != target.kind || other->object != target.object)
        {
            r->channels.data[kept++] = r->channels.data[i];
        }
    }
    r->channels.count = kept;
    bool isRotation = target.kind == TD_PROPERTY_ROTATION;
    size_t width = isRotation ? 4 : 3;
    float* copy = tdArena_NewArray(&r->clip->arena, float, width*(size_t)count);
    tdChannel channel = {.target = target,
                         .interpolation = TD_INTERPOLATION_LINEAR,
                         .isRotation = isRotation,
                         .width = (int)width,
                         .keyCount = count,
                         .times = times,
                         .values = copy,
                         .fileChannel = -1};
    if (copy == NULL || !CopyTimes(r, &channel, &channel))
    {
        return false;
    }
    memcpy(copy, values, width * (size_t)count * sizeof(float));
    for (int i = 1; i < count && isRotation; ++i)
    {
        // Neighbouring keys on one half of the sphere, for players that do not take the short way.
        tdQuat before, here;
        memcpy(&before, copy + 4 * (i - 1), sizeof(before));
        memcpy(&here, copy + 4 * i, sizeof(here));
        here = tdDotQuat(before, here) < 0.0f ? tdNegateQuat(here) : here;
        memcpy(copy + 4 * i, &here, sizeof(here));
    }
    return tdArray_Push(&r->allocator, &r->channels, channel);
}

static bool KeepContacts(Retarget* r, tdArena* scratch)
{
    if (r->def->contacts == 0 || r->rigA.bones[TD_BONE_HIPS].node < 0)
    {
        return true;
    }
    tdContactDef def = {.source = &r->rigA,
                        .target = &r->rigB,
                        .sourceChannels = r->animation->channels,
                        .sourceChannelCount = r->animation->channelCount,
                        .targetChannels = r->channels.data,
                        .targetChannelCount = r->channels.count,
                        .duration = r->animation->duration,
                        .travelScale = r->travelScale,
                        .kinds = r->def->contacts,
                        .isInPlace = r->def->root == TD_ROOT_IN_PLACE};
    tdContactKeys keys;
    if (!tdKeepContacts(&def, scratch, &keys))
    {
        return false;
    }
    int feet = 0;
    tdMotionContact* contacts = tdArena_NewArray(&r->clip->arena, tdMotionContact, keys.contactCount + 1);
    bool done = contacts != NULL;
    for (int i = 0; i < keys.contactCount && done; ++i)
    {
        contacts[i] = keys.contacts[i];
        feet += contacts[i].bone == TD_BONE_LEFT_FOOT || contacts[i].bone == TD_BONE_RIGHT_FOOT;
    }
    for (int i = 0; i < TD_CONTACT_BONES && done; ++i)
    {
        if (keys.rotations[i] != NULL)
        {
            tdProperty target = {TD_PROPERTY_ROTATION, r->rigB.bones[keys.bones[i]].node, -1};
            done = ReplaceChannel(r, target, keys.times, keys.count, &keys.rotations[i][0].x);
        }
    }
    if (done && keys.hips != NULL)
    {
        tdProperty target = {TD_PROPERTY_TRANSLATION, r->rigB.bones[TD_BONE_HIPS].node, -1};
        done = ReplaceChannel(r, target, keys.times, keys.count, &keys.hips[0].x);
    }
    if (done)
    {
        r->clip->contacts = contacts;
        r->clip->contactCount = keys.contactCount;
        tdReport_Add(r->report, TD_DIAG_RT_CONTACTS, NULL, feet, keys.contactCount - feet);
    }
    return done;
}

// Findings

static void ReportFoldedBone(const Retarget* r, tdBone bone)
{
    tdText text;
    tdText_Init(&text, &r->allocator);
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        const tdRigBone* target = &r->rigB.bones[i];
        for (int k = 0; k < target->chainCount && target->node >= 0; ++k)
        {
            if (target->chain[k] == (int)bone)
            {
                tdText_AppendFormat(&text, text.length > 0 ? ", %s" : "%s", tdBone_GetInfo((tdBone)i)->name);
            }
        }
    }
    if (text.length > 0)
    {
        tdReport_Add(r->report, TD_DIAG_RT_BONE_FOLDED, NULL, tdBone_GetInfo(bone)->name, text.data);
    }
    else
    {
        tdReport_Add(r->report, TD_DIAG_RT_BONE_DROPPED, NULL, tdBone_GetInfo(bone)->name);
    }
    tdText_Free(&text);
}

// Reports animated ancestors of the hips: their motion belongs to no bone.
static bool ReportAboveHips(const Retarget* r, tdArena* scratch)
{
    const tdNodeTree* nodes = &r->source->scene.nodes;
    int hips = r->rigA.bones[TD_BONE_HIPS].node;
    bool* isAnimated = tdArena_NewArray(scratch, bool, nodes->count);
    for (int c = 0; c < r->animation->channelCount && isAnimated != NULL; ++c)
    {
        const tdProperty* target = &r->animation->channels[c].target;
        if (target->kind <= TD_PROPERTY_SCALE)
        {
            isAnimated[target->object] = true;
        }
    }
    for (int node = hips >= 0 ? nodes->parents[hips] : -1; node >= 0 && isAnimated != NULL;
         node = nodes->parents[node])
    {
        if (isAnimated[node])
        {
            tdReport_Add(r->report, TD_DIAG_RT_HIPS_PARENT_ANIMATED, NULL, node);
        }
    }
    return isAnimated != NULL;
}

static void ReportBones(const Retarget* r)
{
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        int node = r->rigA.bones[i].node;
        bool isEye = i == TD_BONE_LEFT_EYE || i == TD_BONE_RIGHT_EYE;
        if (node >= 0 && r->rotations[node] != NULL && r->rigB.bones[i].node < 0 && !isEye)
        {
            ReportFoldedBone(r, (tdBone)i);
        }
    }
}

static bool FindRotations(Retarget* r, tdArena* scratch)
{
    r->rotations = tdArena_NewArray(scratch, const tdChannel*, r->source->scene.nodes.count);
    for (int c = 0; c < r->animation->channelCount && r->rotations != NULL; ++c)
    {
        const tdChannel* channel = &r->animation->channels[c];
        if (channel->target.kind == TD_PROPERTY_ROTATION && r->rotations[channel->target.object] == NULL)
        {
            r->rotations[channel->target.object] = channel;
        }
    }
    return r->rotations != NULL;
}

// Moves the arrays into the clip.
static bool FinishClip(Retarget* r)
{
    tdClip* clip = r->clip;
    tdChannel* channels = tdArena_NewArray(&clip->arena, tdChannel, r->channels.count);
    tdClipExpression* expressions = tdArena_NewArray(&clip->arena, tdClipExpression, r->expressions.count);
    const char* name = r->animation->name != NULL ? r->animation->name : "";
    clip->name = tdArena_CopyText(&clip->arena, name, strlen(name));
    if (channels == NULL || expressions == NULL || clip->name == NULL)
    {
        return false;
    }
    for (int i = 0; i < r->channels.count; ++i)
    {
        channels[i] = r->channels.data[i];
    }
    for (int i = 0; i < r->expressions.count; ++i)
    {
        expressions[i] = r->expressions.data[i];
    }
    clip->channels = channels;
    clip->channelCount = r->channels.count;
    clip->expressions = expressions;
    clip->expressionCount = r->expressions.count;
    clip->duration = r->animation->duration;
    return true;
}

// A VRM Animation may have expressions and gaze and no bones.
static bool InitFaceRig(struct tdRig* rig, const tdAsset* source)
{
    const tdHumanoid* humanoid = tdAsset_GetScene(source)->humanoid;
    if (humanoid == NULL || (humanoid->expressionNodeCount == 0 && humanoid->gazeNode < 0))
    {
        return false;
    }
    *rig = (struct tdRig){.asset = source};
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        rig->bones[i] = (tdRigBone){
            .node = -1, .left = tdQuat_identity, .right = tdQuat_identity, .rest = tdQuat_identity};
    }
    return true;
}

tdClip* tdRetargetClip(const tdAsset* source, int animation, const tdAsset* target, const tdRetargetDef* def,
                       const tdAllocator* allocator, tdReport* report)
{
    if (source == NULL || target == NULL)
    {
        return NULL;
    }
    tdRetargetDef defaults = tdDefaultRetargetDef();
    Retarget r = {.source = source,
                  .target = target,
                  .def = def != NULL ? def : &defaults,
                  .allocator = tdAllocator_Resolve(allocator),
                  .report = report};
    TD_ASSERT_DEF(r.def);
    const char* sourceName = source->name != NULL ? source->name : "";
    const char* targetName = target->name != NULL ? target->name : "";
    bool hasRigs = tdRig_Init(&r.rigA, source) || InitFaceRig(&r.rigA, source);
    if (!hasRigs || !tdRig_Init(&r.rigB, target))
    {
        tdReport_Add(report, TD_DIAG_RT_NO_HUMANOID, NULL, hasRigs ? targetName : sourceName);
        return NULL;
    }
    if (animation < 0 || animation >= tdAsset_GetScene(source)->animationCount)
    {
        tdReport_Add(report, TD_DIAG_RT_NO_ANIMATION, NULL, sourceName, animation);
        return NULL;
    }
    r.animation = &source->scene.animations[animation];
    r.travelScale = FindTravelScale(&r);
    tdArena scratch;
    tdArena_Init(&scratch, &r.allocator, 0);
    r.clip = tdClip_New(target, &r.allocator);
    bool done = r.clip != NULL && FindRotations(&r, &scratch) && AddRotations(&r) &&
                AddTravelAndFace(&r, &scratch) && KeepContacts(&r, &scratch) && FinishClip(&r) &&
                ReportAboveHips(&r, &scratch);
    if (done)
    {
        ReportBones(&r);
    }
    else
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "retargeting");
        tdDestroyClip(r.clip);
        r.clip = NULL;
    }
    tdArray_Free(&r.allocator, &r.channels);
    tdArray_Free(&r.allocator, &r.expressions);
    tdArray_Free(&r.allocator, &r.times);
    tdArray_Free(&r.allocator, &r.values);
    tdArena_Free(&scratch);
    return r.clip;
}
