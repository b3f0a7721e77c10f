// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Samples playing clips into locals, morph weights, expressions and physics properties.
//
// Several clips on one property are averaged by weight. Weights that sum to less than 1 blend with the rest
// value. Rotations are averaged one after the other by slerp, so that a cross-fade of two clips turns at
// constant speed; with three or more clips the result depends slightly on their order. See
// docs/decisions/030.
#include "tracks.h"

#include "face.h"
#include "physics_properties.h"

#include "anim/sampler.h"
#include "math/slerp.h"
#include "scene/humanoid.h"

#include <math.h>
#include <string.h>

double tdPlay_GetClipTime(const tdPlay* play, double time)
{
    double duration = (double)play->clip->duration;
    double clipTime = play->start + (time - play->startTime) * (double)play->speed;
    if (!play->loop)
    {
        return clipTime < 0.0 ? 0.0 : (clipTime > duration ? duration : clipTime);
    }
    if (!(duration > 0.0))
    {
        return 0.0;
    }
    // Choice: the specification leaves open which value a loop has at its end; here it is that of the start.
    double turns = floor(clipTime / duration);
    double rest = clipTime - turns * duration;
    return rest < 0.0 ? 0.0 : (rest > duration ? duration : rest);
}

double tdPlay_GetEnd(const tdPlay* play)
{
    if (play->loop || play->speed == 0.0f)
    {
        return (double)INFINITY;
    }
    double last = play->speed < 0.0f ? 0.0 : (double)play->clip->duration;
    return play->startTime + (last - play->start) / (double)play->speed;
}

bool tdPlay_IsFinished(const tdPlay* play, double time)
{
    double clipTime = play->start + (time - play->startTime) * (double)play->speed;
    return !play->loop && (play->speed < 0.0f ? clipTime <= 0.0 : clipTime >= (double)play->clip->duration);
}

// Blends one input into the average of those before it, whose weights add up to `sum`.
static void BlendValue(float* value, const float* added, int width, bool isRotation, float sum, float weight)
{
    float part = weight / (sum + weight);
    if (isRotation)
    {
        tdQuat a = {value[0], value[1], value[2], value[3]};
        tdQuat b = {added[0], added[1], added[2], added[3]};
        tdQuat q = tdSlerpSeries(a, b, part);
        memcpy(value, &q, sizeof(q));
        return;
    }
    for (int i = 0; i < width; ++i)
    {
        value[i] += part * (added[i] - value[i]);
    }
}

// Samples a track into actor->values.
// @param rest value to blend with when the weights add up to less than 1; NULL: none
// @return false when no input has any weight and there is no rest value
static bool SampleTrack(tdActor* actor, const tdTrack* track, const float* rest)
{
    float* value = actor->values;
    float* added = actor->values + actor->valueWidth;
    float sum = 0.0f;
    for (int i = 0; i < track->inputCount; ++i)
    {
        const tdTrackInput* input = &actor->inputs.data[track->firstInput + i];
        tdPlay* play = &actor->plays.data[input->play];
        float weight = play->weight;
        if (!(weight > 0.0f))
        {
            continue;
        }
        const tdChannel* channel = &play->clip->channels[input->channel];
        tdSampleChannel(channel, play->clipTime, &play->cursors[input->channel], sum > 0.0f ? added : value);
        if (sum > 0.0f)
        {
            BlendValue(value, added, track->width, track->isRotation, sum, weight);
        }
        sum += weight;
    }
    if (rest == NULL)
    {
        return sum > 0.0f;
    }
    if (sum <= 0.0f)
    {
        memcpy(value, rest, (size_t)track->width * sizeof(float));
    }
    else if (sum < 1.0f)
    {
        BlendValue(value, rest, track->width, track->isRotation, sum, 1.0f - sum);
    }
    return true;
}

static const float zeros[4] = {0.0f, 0.0f, 0.0f, 0.0f};
static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};

static void ApplyNodeTrack(tdActor* actor, const tdTrack* track)
{
    int node = track->target.object;
    const tdTrs* rest = &actor->scene->nodes.locals[node];
    const tdNodeWriters* writers = &actor->writers[node];
    const float* value = actor->values;
    switch (track->target.kind)
    {
    case TD_PROPERTY_TRANSLATION:
        if (writers->translation == TD_WRITER_CLIP)
        {
            SampleTrack(actor, track, &rest->translation.x);
            tdNodePose_SetTranslation(&actor->pose, node, (tdVec3){value[0], value[1], value[2]});
        }
        break;
    case TD_PROPERTY_ROTATION:
        if (writers->rotation == TD_WRITER_CLIP)
        {
            SampleTrack(actor, track, &rest->rotation.x);
            tdNodePose_SetRotation(&actor->pose, node, (tdQuat){value[0], value[1], value[2], value[3]});
        }
        break;
    default: // scale
        if (writers->scale == TD_WRITER_CLIP)
        {
            SampleTrack(actor, track, &rest->scale.x);
            tdNodePose_SetScale(&actor->pose, node, (tdVec3){value[0], value[1], value[2]});
        }
        break;
    }
}

static void ApplyTrack(tdActor* actor, const tdTrack* track)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    switch (tdPropertyKind_GetClass(track->target.kind))
    {
    case TD_PROPERTY_CLASS_LOCAL:
        ApplyNodeTrack(actor, track);
        break;
    case TD_PROPERTY_CLASS_MORPH:
    {
        int start = nodes->weightStarts[track->target.object];
        start += track->target.kind == TD_PROPERTY_WEIGHT ? track->target.element : 0;
        SampleTrack(actor, track, actor->baseWeights + start);
        memcpy(actor->weights + start, actor->values, (size_t)track->width * sizeof(float));
        break;
    }
    case TD_PROPERTY_CLASS_EXPRESSION:
        SampleTrack(actor, track, zeros);
        actor->face.data[track->target.object].clipWeight = tdClampFloat(actor->values[0], 0.0f, 1.0f);
        break;
    case TD_PROPERTY_CLASS_LOOK_AT:
        SampleTrack(actor, track, identity);
        memcpy(&actor->clipGaze, actor->values, sizeof(tdQuat));
        break;
    case TD_PROPERTY_CLASS_MATERIAL_VALUE: // expressions add to it
        SampleTrack(actor, track, actor->scene->materialValues[track->target.object].base);
        memcpy(actor->materialValues + 4 * (size_t)track->target.object, actor->values,
               (size_t)track->width * sizeof(float));
        break;
    case TD_PROPERTY_CLASS_MATERIAL:
    case TD_PROPERTY_CLASS_LIMIT:
    case TD_PROPERTY_CLASS_DRIVE:
    case TD_PROPERTY_CLASS_MOTION:
    case TD_PROPERTY_CLASS_JOINT:
    case TD_PROPERTY_CLASS_SHAPE:
    {
        float rest[4];
        bool hasRest = tdPhysicsProperties_GetRestValue(actor, track->target, rest);
        if (SampleTrack(actor, track, hasRest ? rest : NULL))
        {
            tdPhysicsProperties_Set(actor, track->target, actor->values);
        }
        break;
    }
    }
}

/// Lanes of the widest slerp kernel.
#define MAX_ROTATIONS 8

// Rotations of one play between the same two keys, for one call of the slerp kernel. The channels of most
// clips share one array of key times, so the groups fill.
typedef struct RotationGroup
{
    const tdPlay* play;
    const float* times; // NULL: empty
    int keyCount, key;
    float part; // of the interval, 0 to 1
    bool isBetween;
    int count;
    int nodes[MAX_ROTATIONS];
    const float* pairs[MAX_ROTATIONS]; // values of both keys
} RotationGroup;

static void FlushGroup(tdActor* actor, RotationGroup* group)
{
    const tdStage* stage = actor->stage;
    tdQuat rotations[MAX_ROTATIONS];
    for (int i = group->count; i < stage->slerpWidth && group->count > 0; ++i)
    {
        group->pairs[i] = group->pairs[0];
    }
    if (group->count > 0)
    {
        stage->slerpMany(group->pairs, group->part, rotations);
    }
    for (int i = 0; i < group->count; ++i)
    {
        tdNodePose_SetRotation(&actor->pose, group->nodes[i], rotations[i]);
    }
    group->count = 0;
}

// Starts a group with the key times of a channel.
static void StartGroup(tdActor* actor, RotationGroup* group, const tdPlay* play, int channelIndex)
{
    const tdChannel* channel = &play->clip->channels[channelIndex];
    FlushGroup(actor, group);
    int key = tdFindKey(channel->times, channel->keyCount, play->clipTime, play->cursors[channelIndex]);
    play->cursors[channelIndex] = key;
    group->play = play;
    group->times = channel->times;
    group->keyCount = channel->keyCount;
    group->key = key;
    double start = (double)channel->times[key];
    group->isBetween = play->clipTime > start && key + 1 < channel->keyCount;
    if (group->isBetween)
    {
        group->part = (float)((play->clipTime - start) / ((double)channel->times[key + 1] - start));
    }
}

// Adds a track to the group.
// @return false unless the track is a rotation that one clip alone drives and that is between two keys
static bool AddToGroup(tdActor* actor, RotationGroup* group, const tdTrack* track)
{
    if (track->target.kind != TD_PROPERTY_ROTATION || track->inputCount != 1)
    {
        return false;
    }
    const tdTrackInput* input = &actor->inputs.data[track->firstInput];
    const tdPlay* play = &actor->plays.data[input->play];
    const tdChannel* channel = &play->clip->channels[input->channel];
    if (channel->interpolation != TD_INTERPOLATION_LINEAR || !channel->isRotation ||
        !(play->weight >= 1.0f) || actor->writers[track->target.object].rotation != TD_WRITER_CLIP)
    {
        return false;
    }
    if (group->play != play || group->times != channel->times || group->keyCount != channel->keyCount)
    {
        StartGroup(actor, group, play, input->channel);
    }
    if (!group->isBetween)
    {
        return false;
    }
    group->nodes[group->count] = track->target.object;
    group->pairs[group->count++] = channel->values + 4 * (size_t)group->key;
    if (group->count == actor->stage->slerpWidth)
    {
        FlushGroup(actor, group);
    }
    return true;
}

static void ApplySetLocals(tdActor* actor)
{
    for (int i = 0; i < actor->setCount; ++i)
    {
        int node = actor->setNodes[i];
        const tdNodeWriters* writers = &actor->writers[node];
        if (writers->translation == TD_WRITER_APPLICATION)
        {
            tdNodePose_SetTranslation(&actor->pose, node, actor->setLocals[node].translation);
        }
        if (writers->rotation == TD_WRITER_APPLICATION)
        {
            tdNodePose_SetRotation(&actor->pose, node, actor->setLocals[node].rotation);
        }
        if (writers->scale == TD_WRITER_APPLICATION)
        {
            tdNodePose_SetScale(&actor->pose, node, actor->setLocals[node].scale);
        }
    }
}

void tdActor_Sample(tdActor* actor, double time)
{
    tdActor_ResetFace(actor);
    for (int i = 0; i < actor->plays.count; ++i)
    {
        tdPlay* play = &actor->plays.data[i];
        play->clipTime = play->clip != NULL ? tdPlay_GetClipTime(play, time) : 0.0;
    }
    RotationGroup group = {.times = NULL};
    bool canGroup = actor->stage->slerpMany != NULL;
    for (int i = 0; i < actor->tracks.count; ++i)
    {
        const tdTrack* track = &actor->tracks.data[i];
        if (!canGroup || !AddToGroup(actor, &group, track))
        {
            ApplyTrack(actor, track);
        }
    }
    FlushGroup(actor, &group);
    ApplySetLocals(actor);
    if (actor->scene->humanoid != NULL && !tdActor_FollowsGazeTarget(actor))
    {
        tdActor_ApplyFace(actor);
    }
}
