// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Expressions and gaze of a VRM: inputs of clips and application go through range maps, isBinary and
// overrides to eye bones and morph weights. See docs/spec/vrm.md.
//
// An override of the expression's own group (a blink that blocks blinking) has no effect: the specification
// calls it invalid (docs/spec/expressions.md 2).
//
// Choice: a clip that drives a bound morph target itself (a baked animation) replaces the 0 that expressions
// add to, so that the clip shows. See docs/decisions/030.
#include "face.h"

#include "stage.h"

#include "math/trig.h"
#include "physics/data/call_log.h"
#include "physics/data/refusal.h"

#include <string.h>

#define DEGREES_PER_RADIAN (180.0f / TD_PI)
/// Smallest inputMaxValue of a range map, in degrees: files may give 0.
#define MIN_INPUT_RANGE 0.001f
/// Weight above which a binary expression is on (VRMC_vrm, isBinary).
#define BINARY_THRESHOLD 0.5f

float tdFaceEntry_GetWeight(const tdFaceEntry* entry)
{
    return entry->isSet ? entry->setWeight : (entry->isAnimated ? entry->clipWeight : 0.0f);
}

static float MapRange(tdRangeMap map, float degrees)
{
    float limit = tdMaxFloat(map.inputMaxValue, MIN_INPUT_RANGE);
    return tdMinFloat(tdAbsFloat(degrees), limit) / limit * map.outputScale;
}

static void TurnEye(tdActor* actor, int side, float yaw, float pitch)
{
    int node = actor->eyes[side].node;
    if (node < 0 || actor->writers[node].rotation > TD_WRITER_CLIP)
    {
        return;
    }
    const tdLookAt* lookAt = &actor->scene->humanoid->lookAt;
    bool isOuter = (yaw > 0.0f) == (side == 0);
    float y = MapRange(isOuter ? lookAt->horizontalOuter : lookAt->horizontalInner, yaw) / DEGREES_PER_RADIAN;
    float p = MapRange(pitch > 0.0f ? lookAt->verticalDown : lookAt->verticalUp, pitch) / DEGREES_PER_RADIAN;
    tdSinCos halfYaw = tdComputeSinCos(0.5f * (yaw > 0.0f ? y : -y));
    tdSinCos halfPitch = tdComputeSinCos(0.5f * (pitch > 0.0f ? p : -p));
    // Ry(yaw) Rx(pitch)
    tdQuat turn = tdMulQuat((tdQuat){0.0f, halfYaw.sine, 0.0f, halfYaw.cosine},
                            (tdQuat){halfPitch.sine, 0.0f, 0.0f, halfPitch.cosine});
    tdQuat local = tdMulQuat(tdMulQuat(actor->eyes[side].left, turn), actor->eyes[side].right);
    tdNodePose_SetRotation(&actor->pose, node, tdNormalizeQuat(local));
}

// Returns an eye to rest when the gaze ends, unless a clip writes it.
static void RestEye(tdActor* actor, int side)
{
    int node = actor->eyes[side].node;
    if (node >= 0 && actor->writers[node].rotation == TD_WRITER_REST)
    {
        tdNodePose_SetRotation(&actor->pose, node, actor->scene->nodes.locals[node].rotation);
    }
}

bool tdActor_FollowsGazeTarget(const tdActor* actor)
{
    return actor->gazeSource == TD_GAZE_POINT || actor->gazeSource == TD_GAZE_NODE;
}

// The frame of the gaze is a child of the head, at the offset of the file (docs/spec/expressions.md 4).
static void AimGaze(tdActor* actor)
{
    const tdMat4* globals = actor->pose.globals;
    tdVec3 offset = actor->scene->humanoid->lookAt.offsetFromHeadBone;
    actor->isGazeAimed = actor->headNode >= 0;
    if (!actor->isGazeAimed)
    {
        return;
    }
    if (actor->scene->humanoid->isHalfTurned)
    {
        offset = (tdVec3){-offset.x, offset.y, -offset.z};
    }
    tdVec3 target =
        actor->gazeSource == TD_GAZE_NODE ? tdMat4Translation(globals[actor->gazeNode]) : actor->gazePoint;
    // The difference comes first, so that a scene far from the origin loses no digits.
    tdVec3 away = tdSub(target, tdMat4Translation(globals[actor->headNode]));
    tdMat3 inverse = tdInverse(tdMat4Linear(globals[actor->headNode]));
    tdVec3 p = tdRotate(actor->gazeTurn, tdSub(tdMulMat3Vec3(inverse, away), offset));
    // Scaled, so that the squares below neither overflow nor vanish.
    float size = tdMaxFloat(tdAbsFloat(p.x), tdMaxFloat(tdAbsFloat(p.y), tdAbsFloat(p.z)));
    bool isSound = tdIsFiniteVec3(p) && tdLengthSquared(inverse.cx) > 0.0f && size > 0.0f;
    // Straight ahead for a head without size and a target at the origin of the gaze.
    p = isSound ? tdScale(1.0f / size, p) : (tdVec3){0.0f, 0.0f, 1.0f};
    actor->setYaw = tdAtan2(p.x, p.z);
    actor->setPitch = tdAtan2(-p.y, tdSqrt(p.x * p.x + p.z * p.z));
}

static bool GetGaze(const tdActor* actor, float* yaw, float* pitch)
{
    bool isAimed = tdActor_FollowsGazeTarget(actor);
    if (isAimed && !actor->isGazeAimed)
    {
        return false;
    }
    if (isAimed || actor->gazeSource == TD_GAZE_ANGLES)
    {
        *yaw = actor->setYaw * DEGREES_PER_RADIAN;
        *pitch = actor->setPitch * DEGREES_PER_RADIAN;
        return true;
    }
    if (actor->hasClipGaze)
    {
        tdVec3 f = tdRotate(actor->clipGaze, (tdVec3){0.0f, 0.0f, 1.0f});
        *yaw = tdAtan2(f.x, f.z) * DEGREES_PER_RADIAN;
        *pitch = tdAtan2(-f.y, tdSqrt(f.x * f.x + f.z * f.z)) * DEGREES_PER_RADIAN;
        return true;
    }
    return false;
}

// Weight that the gaze gives a preset; -1 for presets that are no look direction.
static float GetGazeWeight(const tdLookAt* lookAt, tdExpressionPreset preset, float yaw, float pitch)
{
    switch (preset)
    {
    case TD_PRESET_LOOK_LEFT:
        return yaw > 0.0f ? MapRange(lookAt->horizontalOuter, yaw) : 0.0f;
    case TD_PRESET_LOOK_RIGHT:
        return yaw < 0.0f ? MapRange(lookAt->horizontalOuter, yaw) : 0.0f;
    case TD_PRESET_LOOK_DOWN:
        return pitch > 0.0f ? MapRange(lookAt->verticalDown, pitch) : 0.0f;
    case TD_PRESET_LOOK_UP:
        return pitch < 0.0f ? MapRange(lookAt->verticalUp, pitch) : 0.0f;
    default:
        return -1.0f;
    }
}

// Computes outputs before overrides, and in `sums` by how much each group is overridden.
static void ComputeOutputs(tdActor* actor, bool hasGaze, float yaw, float pitch, float sums[TD_GROUP_COUNT])
{
    const tdHumanoid* humanoid = actor->scene->humanoid;
    for (int i = 0; i < actor->modelExpressionCount; ++i)
    {
        const tdExpression* expression = &humanoid->expressions[i];
        tdFaceEntry* entry = &actor->face.data[i];
        float weight = tdFaceEntry_GetWeight(entry);
        if (hasGaze && !entry->isSet)
        {
            float gaze = GetGazeWeight(&humanoid->lookAt, expression->preset, yaw, pitch);
            weight = gaze >= 0.0f ? tdClampFloat(gaze, 0.0f, 1.0f) : weight;
        }
        entry->output = expression->isBinary ? (weight > BINARY_THRESHOLD ? 1.0f : 0.0f) : weight;
        for (int group = TD_GROUP_NONE + 1; group < TD_GROUP_COUNT; ++group)
        {
            if (expression->overrides[group] == TD_OVERRIDE_NONE ||
                tdExpressionPreset_GetGroup(expression->preset) == (tdExpressionGroup)group)
            {
                continue;
            }
            bool isBlock = expression->overrides[group] == TD_OVERRIDE_BLOCK;
            sums[group] += isBlock ? (entry->output > 0.0f ? 1.0f : 0.0f) : entry->output;
        }
    }
}

// Sets the morph weights and material values from the outputs.
static void ApplyOutputs(tdActor* actor, const float sums[TD_GROUP_COUNT])
{
    const tdHumanoid* humanoid = actor->scene->humanoid;
    const int* starts = actor->scene->nodes.weightStarts;
    for (int i = 0; i < actor->modelExpressionCount; ++i)
    {
        const tdExpression* expression = &humanoid->expressions[i];
        tdFaceEntry* entry = &actor->face.data[i];
        float scale = 1.0f - tdMinFloat(1.0f, sums[tdExpressionPreset_GetGroup(expression->preset)]);
        if (scale < 1.0f && expression->isBinary)
        {
            scale = 0.0f;
        }
        entry->output *= scale;
        for (int k = 0; k < expression->bindCount && entry->output > 0.0f; ++k)
        {
            const tdMorphBind* bind = &expression->binds[k];
            actor->weights[starts[bind->node] + bind->target] += entry->output * bind->weight;
        }
        for (int k = 0; k < expression->materialBindCount && entry->output > 0.0f; ++k)
        {
            const tdMaterialBind* bind = &expression->materialBinds[k];
            const tdMaterialValue* value = &actor->scene->materialValues[bind->value];
            float* current = actor->materialValues + 4 * (size_t)bind->value;
            for (int c = 0; c < value->width; ++c)
            {
                current[c] += entry->output * (bind->target[c] - value->base[c]);
            }
        }
    }
}

void tdActor_ResetFace(tdActor* actor)
{
    const int* starts = actor->scene->nodes.weightStarts;
    const tdHumanoid* humanoid = actor->scene->humanoid;
    for (int i = 0; i < actor->modelExpressionCount; ++i)
    {
        const tdExpression* expression = &humanoid->expressions[i];
        for (int k = 0; k < expression->bindCount; ++k)
        {
            actor->weights[starts[expression->binds[k].node] + expression->binds[k].target] = 0.0f;
        }
    }
    const tdScene* scene = actor->scene;
    for (int i = 0; i < scene->materialValueCount; ++i)
    {
        memcpy(actor->materialValues + 4 * (size_t)i, scene->materialValues[i].base, 4 * sizeof(float));
    }
    // Until the target is known the eyes are at rest, so that the pose depends on the time alone.
    for (int side = 0; side < 2 && tdActor_FollowsGazeTarget(actor); ++side)
    {
        RestEye(actor, side);
    }
}

void tdActor_ApplyFace(tdActor* actor)
{
    float yaw = 0.0f, pitch = 0.0f;
    const tdHumanoid* humanoid = actor->scene->humanoid;
    if (humanoid == NULL)
    {
        return;
    }
    if (tdActor_FollowsGazeTarget(actor))
    {
        AimGaze(actor);
    }
    bool hasGaze = GetGaze(actor, &yaw, &pitch);
    bool turnsEyes = hasGaze && humanoid->lookAt.type == TD_LOOK_AT_BONE;
    float sums[TD_GROUP_COUNT] = {0.0f};
    ComputeOutputs(actor, hasGaze && humanoid->lookAt.type == TD_LOOK_AT_EXPRESSION, yaw, pitch, sums);
    float share = actor->overrideBoneGaze ? 1.0f - tdMinFloat(1.0f, sums[TD_GROUP_LOOK_AT]) : 1.0f;
    for (int side = 0; side < 2; ++side)
    {
        if (turnsEyes)
        {
            TurnEye(actor, side, share * yaw, share * pitch);
        }
        else if (actor->isGazing)
        {
            RestEye(actor, side);
        }
    }
    actor->isGazing = turnsEyes;
    ApplyOutputs(actor, sums);
}

bool tdActor_ReserveFace(tdActor* actor, int count)
{
    const tdAllocator* allocator = &actor->stage->allocator;
    if (count == 0)
    {
        return true;
    }
    if (!tdArray_Reserve(allocator, &actor->face, count))
    {
        return false;
    }
    tdNameTable* table = &actor->faceTable;
    int slotCount = tdNameTable_GetSlotCount(count);
    if (slotCount > table->slotCount)
    {
        int* slots = tdAllocate(allocator, (size_t)slotCount * sizeof(int), _Alignof(int));
        if (slots == NULL)
        {
            return false;
        }
        tdRelease(allocator, table->slots, (size_t)table->slotCount * sizeof(int));
        table->slots = slots;
        table->slotCount = slotCount;
    }
    tdNameTable_Fill(table, actor->face.data, sizeof(tdFaceEntry),
                     actor->face.count); // the array may have moved
    return true;
}

void tdActor_ForgetClipFace(tdActor* actor)
{
    actor->face.count = actor->modelExpressionCount;
    tdNameTable_Fill(&actor->faceTable, actor->face.data, sizeof(tdFaceEntry), actor->face.count);
}

// Public functions

static tdFaceEntry* FindModelEntry(const tdActor* actor, const char* name)
{
    int place = actor != NULL && name != NULL ? tdNameTable_Find(&actor->faceTable, name) : -1;
    return place >= 0 && place < actor->modelExpressionCount ? &actor->face.data[place] : NULL;
}

void tdActor_SetExpression(tdActor* actor, const char* name, float weight)
{
    if (name != NULL && tdCallLog_IsOn(tdActor_GetCalls(actor)))
    {
        uint32_t length = (uint32_t)strlen(name);
        TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_EXPRESSION, TD_CALL_PART(actor->recordNumber),
                    TD_CALL_PART(weight), TD_CALL_PART(length), {name, length});
    }
    tdFaceEntry* entry = FindModelEntry(actor, name);
    if (entry != NULL && TD_ACCEPT(actor->stage->world, isfinite(weight)))
    {
        entry->isSet = true;
        entry->setWeight = tdClampFloat(weight, 0.0f, 1.0f);
    }
}

void tdActor_ClearExpression(tdActor* actor, const char* name)
{
    if (name != NULL && tdCallLog_IsOn(tdActor_GetCalls(actor)))
    {
        uint32_t length = (uint32_t)strlen(name);
        TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_CLEAR_EXPRESSION,
                    TD_CALL_PART(actor->recordNumber), TD_CALL_PART(length), {name, length});
    }
    tdFaceEntry* entry = FindModelEntry(actor, name);
    if (entry != NULL)
    {
        entry->isSet = false;
    }
}

float tdActor_GetExpressionOutput(const tdActor* actor, const char* name)
{
    const tdFaceEntry* entry = FindModelEntry(actor, name);
    return entry != NULL ? entry->output : 0.0f;
}

float tdActor_GetExpression(const tdActor* actor, const char* name)
{
    int place = actor != NULL && name != NULL ? tdNameTable_Find(&actor->faceTable, name) : -1;
    return place >= 0 ? tdFaceEntry_GetWeight(&actor->face.data[place]) : 0.0f;
}

void tdActor_SetGaze(tdActor* actor, float yaw, float pitch)
{
    float values[2] = {yaw, pitch};
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_GAZE, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(values));
    if (actor != NULL && TD_ACCEPT(actor->stage->world, isfinite(yaw) && isfinite(pitch)))
    {
        actor->gazeSource = TD_GAZE_ANGLES;
        actor->setYaw = yaw;
        actor->setPitch = pitch;
    }
}

void tdActor_SetGazeTarget(tdActor* actor, tdVec3 point)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_GAZE_TARGET, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(point));
    if (actor != NULL && TD_ACCEPT(actor->stage->world, tdIsFiniteVec3(point)))
    {
        actor->isGazeAimed = actor->isGazeAimed && tdActor_FollowsGazeTarget(actor);
        actor->gazeSource = TD_GAZE_POINT;
        actor->gazePoint = point;
    }
}

void tdActor_SetGazeNode(tdActor* actor, int node)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_GAZE_NODE, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(node));
    if (actor != NULL && tdIsIndex(node, actor->scene->nodes.count))
    {
        actor->isGazeAimed = actor->isGazeAimed && tdActor_FollowsGazeTarget(actor);
        actor->gazeSource = TD_GAZE_NODE;
        actor->gazeNode = node;
    }
}

bool tdActor_GetGaze(const tdActor* actor, float* yaw, float* pitch)
{
    float yawDegrees = 0.0f, pitchDegrees = 0.0f;
    bool hasGaze = actor != NULL && GetGaze(actor, &yawDegrees, &pitchDegrees);
    bool isSet = hasGaze && actor->gazeSource != TD_GAZE_CLIPS;
    *yaw = isSet ? actor->setYaw : yawDegrees / DEGREES_PER_RADIAN;
    *pitch = isSet ? actor->setPitch : pitchDegrees / DEGREES_PER_RADIAN;
    return hasGaze;
}

void tdActor_ClearGaze(tdActor* actor)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_CLEAR_GAZE, TD_CALL_PART(actor->recordNumber));
    if (actor != NULL)
    {
        actor->gazeSource = TD_GAZE_CLIPS;
    }
}

const float* tdActor_GetMaterialValues(const tdActor* actor, int* count)
{
    int valueCount = actor != NULL ? actor->scene->materialValueCount : 0;
    if (count != NULL)
    {
        *count = valueCount;
    }
    return valueCount > 0 ? actor->materialValues : NULL;
}
