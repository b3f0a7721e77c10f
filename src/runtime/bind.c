// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Binding: the writer of every node property, the tracks of all playing clips, and the split of the
// constraints into those before and those after physics. tdActor_Play has reserved all memory. See
// docs/decisions/030 and 033.
#include "bind.h"

#include "actor_springs.h"
#include "body_drive.h"
#include "face.h"
#include "stage.h"

#include "base/heap_sort.h"
#include "constraint/constraint_list.h"

#include <string.h>

/// Total order, so that the result of the sort depends on the inputs alone.
static bool IsInputBefore(const void* left, const void* right, const void* context)
{
    (void)context;
    const tdTrackInput *a = left, *b = right;
    if (a->target.kind != b->target.kind)
    {
        return a->target.kind < b->target.kind;
    }
    if (a->target.object != b->target.object)
    {
        return a->target.object < b->target.object;
    }
    if (a->target.element != b->target.element)
    {
        return a->target.element < b->target.element;
    }
    return a->play != b->play ? a->play < b->play : a->channel < b->channel;
}

static int FindFaceEntry(tdActor* actor, const char* name)
{
    int place = tdNameTable_Find(&actor->faceTable, name);
    if (place >= 0)
    {
        return place;
    }
    TD_ASSERT(actor->face.count < actor->face.capacity); // tdActor_Play reserved it
    actor->face.data[actor->face.count] = (tdFaceEntry){.name = name};
    tdNameTable_Add(&actor->faceTable, actor->face.count);
    return actor->face.count++;
}

static void CollectInputs(tdActor* actor)
{
    actor->inputs.count = 0;
    tdActor_ForgetClipFace(actor);
    actor->hasClipGaze = false;
    for (int i = 0; i < actor->face.count; ++i)
    {
        actor->face.data[i].isAnimated = false;
    }
    for (int p = 0; p < actor->plays.count; ++p)
    {
        const tdClip* clip = actor->plays.data[p].clip;
        for (int c = 0; clip != NULL && c < clip->channelCount; ++c)
        {
            tdTrackInput input = {clip->channels[c].target, p, c};
            if (input.target.kind == TD_PROPERTY_EXPRESSION)
            {
                input.target.object = FindFaceEntry(actor, clip->expressions[input.target.object].name);
                actor->face.data[input.target.object].isAnimated = true;
            }
            actor->hasClipGaze = actor->hasClipGaze || input.target.kind == TD_PROPERTY_LOOK_AT;
            actor->inputs.data[actor->inputs.count++] = input;
        }
    }
}

void tdActor_BindTracks(tdActor* actor)
{
    CollectInputs(actor);
    tdHeapSort(actor->inputs.data, actor->inputs.count, sizeof(tdTrackInput), IsInputBefore, NULL);
    actor->tracks.count = 0;
    for (int i = 0; i < actor->inputs.count; ++i)
    {
        const tdTrackInput* input = &actor->inputs.data[i];
        tdTrack* last = actor->tracks.count > 0 ? &actor->tracks.data[actor->tracks.count - 1] : NULL;
        const tdChannel* channel = &actor->plays.data[input->play].clip->channels[input->channel];
        if (last != NULL && memcmp(&last->target, &input->target, sizeof(tdProperty)) == 0)
        {
            last->inputCount += 1;
            continue;
        }
        actor->tracks.data[actor->tracks.count++] = (tdTrack){
            .target = input->target,
            .width = channel->width,
            .isRotation = channel->isRotation,
            .firstInput = i,
            .inputCount = 1,
        };
    }
}

static uint8_t* GetLocalWriter(tdNodeWriters* writers, tdPropertyKind kind)
{
    return kind == TD_PROPERTY_TRANSLATION ? &writers->translation
           : kind == TD_PROPERTY_ROTATION  ? &writers->rotation
                                           : &writers->scale;
}

static void BindWriters(tdActor* actor)
{
    int count = actor->scene->nodes.count;
    if (count > 0)
    {
        memset(actor->writers, TD_WRITER_REST, (size_t)count * sizeof(tdNodeWriters));
    }
    for (int i = 0; i < actor->tracks.count; ++i)
    {
        const tdProperty* target = &actor->tracks.data[i].target;
        switch (tdPropertyKind_GetClass(target->kind))
        {
        case TD_PROPERTY_CLASS_LOCAL:
            *GetLocalWriter(&actor->writers[target->object], target->kind) = TD_WRITER_CLIP;
            break;
        case TD_PROPERTY_CLASS_MORPH:
            actor->writers[target->object].weights = TD_WRITER_CLIP;
            break;
        case TD_PROPERTY_CLASS_EXPRESSION:
        case TD_PROPERTY_CLASS_LOOK_AT:
        case TD_PROPERTY_CLASS_MATERIAL_VALUE:
        case TD_PROPERTY_CLASS_MATERIAL:
        case TD_PROPERTY_CLASS_LIMIT:
        case TD_PROPERTY_CLASS_DRIVE:
        case TD_PROPERTY_CLASS_MOTION:
        case TD_PROPERTY_CLASS_JOINT:
        case TD_PROPERTY_CLASS_SHAPE:
            break; // clips alone write them
        }
    }
    for (int i = 0; i < actor->setCount; ++i)
    {
        int node = actor->setNodes[i];
        unsigned mask = actor->setMasks[node];
        tdNodeWriters* writers = &actor->writers[node];
        writers->translation = mask & TD_LOCAL_TRANSLATION ? TD_WRITER_APPLICATION : writers->translation;
        writers->rotation = mask & TD_LOCAL_ROTATION ? TD_WRITER_APPLICATION : writers->rotation;
        writers->scale = mask & TD_LOCAL_SCALE ? TD_WRITER_APPLICATION : writers->scale;
    }
    const tdConstraintList* list = actor->scene->constraints;
    for (int i = 0; list != NULL && actor->enableConstraints && i < list->count; ++i)
    {
        actor->writers[list->items[i].destination].rotation = TD_WRITER_CONSTRAINT;
    }
    tdActorSprings_Claim(actor);
    tdBodyDrive_Bind(actor);
    tdActorSprings_Bind(actor);
}

// Sets properties without a writer to the rest pose.
static void RestUnwritten(tdActor* actor)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    for (int i = 0; i < nodes->count; ++i)
    {
        const tdNodeWriters* writers = &actor->writers[i];
        if (writers->translation == TD_WRITER_REST)
        {
            tdNodePose_SetTranslation(&actor->pose, i, nodes->locals[i].translation);
        }
        if (writers->rotation == TD_WRITER_REST)
        {
            tdNodePose_SetRotation(&actor->pose, i, nodes->locals[i].rotation);
        }
        if (writers->scale == TD_WRITER_REST)
        {
            tdNodePose_SetScale(&actor->pose, i, nodes->locals[i].scale);
        }
        int start = nodes->weightStarts != NULL ? nodes->weightStarts[i] : 0;
        int end = nodes->weightStarts != NULL ? nodes->weightStarts[i + 1] : 0;
        if (writers->weights == TD_WRITER_REST && end > start)
        {
            memcpy(actor->weights + start, actor->baseWeights + start, (size_t)(end - start) * sizeof(float));
        }
    }
}

// A constraint runs after physics if physics moves its inputs: the local rotation of the source, or, for aim,
// the position of source or destination; directly, or through another constraint that runs after physics.
static bool FollowsPhysics(const tdActor* actor, const tdNodeConstraint* item, const bool* follows)
{
    const tdConstraintList* list = actor->scene->constraints;
    if (item->isInCycle)
    {
        return false;
    }
    if (item->kind != TD_CONSTRAINT_AIM)
    {
        int other = list->byNode[item->source];
        return actor->writers[item->source].rotation == TD_WRITER_BODY || (other >= 0 && follows[other]);
    }
    for (int end = 0; end < 2; ++end)
    {
        int node = end == 0 ? item->source : item->destination;
        if (tdBodyDrive_IsMoved(actor, node))
        {
            return true;
        }
        for (int above = actor->scene->nodes.parents[node]; above >= 0;
             above = actor->scene->nodes.parents[above])
        {
            if (list->byNode[above] >= 0 && follows[list->byNode[above]])
            {
                return true;
            }
        }
    }
    return false;
}

/// Bound on the iterations of the constraints after physics. Each iteration settles one more alternation of
/// constrained nodes and bodies on a path from the root; files have one or two. A constraint that reads
/// itself through a body never settles. See docs/decisions/033; test/runtime/test_constraint_oracle.c needs
/// several iterations.
#define MAX_CONSTRAINT_ITERATIONS 16

static void SplitConstraints(tdActor* actor)
{
    const tdConstraintList* list = actor->scene->constraints;
    actor->constraintsBefore = actor->constraintsAfter = 0;
    actor->constraintIterations = 1;
    if (list == NULL)
    {
        return;
    }
    // A constraint that a body overrules stays in the lists without a weight, because later constraints read
    // the globals that it refreshes.
    bool* follows = actor->constraintFollows;
    for (int i = 0; i < list->count; ++i)
    {
        const tdNodeConstraint* item = &list->items[i];
        bool runs = actor->writers[item->destination].rotation == TD_WRITER_CONSTRAINT;
        actor->constraintWeights[i] = runs ? actor->wantedWeights[i] : TD_CONSTRAINT_OVERRULED;
        follows[i] = actor->physics != NULL && FollowsPhysics(actor, item, follows);
        if (!follows[i])
        {
            actor->constraintPlaces[actor->constraintsBefore++] = i;
        }
    }
    for (int i = 0; i < list->count && actor->constraintsBefore < list->count; ++i)
    {
        if (follows[i])
        {
            actor->constraintPlaces[actor->constraintsBefore + actor->constraintsAfter++] = i;
            bool needsMore = actor->constraintIterations == 1 &&
                             tdBodyDrive_HasBodyBelow(actor, list->items[i].destination);
            actor->constraintIterations = needsMore ? MAX_CONSTRAINT_ITERATIONS : actor->constraintIterations;
        }
    }
}

void tdActor_Bind(tdActor* actor)
{
    tdActor_BindTracks(actor);
    BindWriters(actor);
    RestUnwritten(actor);
    SplitConstraints(actor);
    actor->isBound = true;
    actor->isPoseStale = true;
}
