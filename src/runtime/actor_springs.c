// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The springs of an actor between the phases of a step, and the public functions of springs.
#include "actor_springs.h"

#include "face.h"
#include "stage.h"

#include "constraint/constraint_list.h"
#include "physics/data/call_log.h"
#include "physics/data/refusal.h"

#include <string.h>

bool tdActorSprings_AreActive(const tdActor* actor)
{
    return actor->springs != NULL && actor->enableSprings;
}

// True if a constraint reads the rotation or position of a node that a joint moves.
static bool FeedsConstraints(const tdActor* actor, const bool* isMoved)
{
    const tdConstraintList* constraints = actor->scene->constraints;
    const int* jointOfNode = actor->scene->springs->jointOfNode;
    bool feeds = false;
    for (int i = 0; constraints != NULL && i < constraints->count && !feeds; ++i)
    {
        const tdNodeConstraint* item = &constraints->items[i];
        feeds = item->kind == TD_CONSTRAINT_AIM ? isMoved[item->source] || isMoved[item->destination]
                                                : jointOfNode[item->source] >= 0;
    }
    return feeds;
}

bool tdActorSprings_Create(tdActor* actor, const tdActorDef* def)
{
    const tdSpringList* list = actor->scene->springs;
    const tdNodeTree* nodes = &actor->scene->nodes;
    if (list == NULL || list->plan == NULL)
    {
        return true;
    }
    tdActorSprings* springs = tdArena_New(&actor->arena, tdActorSprings);
    bool* isMoved = tdArena_NewArray(&actor->arena, bool, nodes->count);
    if (springs == NULL || isMoved == NULL ||
        !tdSpringState_Init(&springs->state, list, nodes, &actor->arena))
    {
        return false;
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        isMoved[node] = list->jointOfNode[node] >= 0 || (parent >= 0 && isMoved[parent]);
    }
    springs->needsReset = true;
    springs->feedsConstraints = FeedsConstraints(actor, isMoved);
    springs->hitsStage = def->springsHitStage;
    actor->springs = springs;
    return true;
}

void tdActorSprings_Claim(tdActor* actor)
{
    const tdSpringList* list = actor->scene->springs;
    for (int i = 0; tdActorSprings_AreActive(actor) && i < list->jointCount; ++i)
    {
        const tdSpringJoint* joint = &list->joints[i];
        actor->writers[joint->node].rotation = (uint8_t)(joint->isInert ? TD_WRITER_REST : TD_WRITER_SPRING);
    }
}

void tdActorSprings_Bind(tdActor* actor)
{
    if (!tdActorSprings_AreActive(actor))
    {
        return;
    }
    tdSpringState* state = &actor->springs->state;
    for (int g = 0; g < state->plan->groupCount; ++g)
    {
        const int* nodes = state->plan->infos[g].nodes;
        unsigned bits = 0;
        for (int lane = 0; lane < state->plan->groups[g].count; ++lane)
        {
            bits |= actor->writers[nodes[lane]].rotation == TD_WRITER_SPRING ? 1u << lane : 0u;
        }
        state->written[g] = (uint8_t)bits;
    }
    tdSpringState_SetWritten(state, state->written);
}

// Part of the last step that has passed at a time.
static float GetShownPart(const tdActor* actor, double time)
{
    const tdStage* stage = actor->stage;
    if (stage->isVariable)
    {
        return 1.0f;
    }
    double behind = (double)stage->stepIndex - time * stage->stepRate;
    return behind <= 0.0 ? 1.0f : (behind >= 1.0 ? 0.0f : (float)(1.0 - behind));
}

bool tdActorSprings_AreReadLast(const tdActor* actor)
{
    return tdActorSprings_AreActive(actor) && !actor->springs->needsReset &&
           !actor->springs->feedsConstraints && actor->physics == NULL && !tdActor_FollowsGazeTarget(actor) &&
           !actor->springs->state.plan->readsMovedNodes;
}

void tdActorSprings_SkipSweep(tdActor* actor)
{
    // A pose that is not dirty is not swept, and its fresh bits would not be cleared.
    for (int word = 0; word < actor->pose.wordCount && actor->pose.isDirty; ++word)
    {
        actor->pose.fresh[word] |= actor->springs->state.plan->movedBits[word];
    }
}

void tdActorSprings_MarkDirty(tdActor* actor)
{
    for (int word = 0; word < actor->pose.wordCount && tdActorSprings_AreActive(actor); ++word)
    {
        actor->pose.dirty[word] |= actor->springs->state.plan->turnedBits[word];
        actor->pose.isDirty = true;
    }
}

void tdActorSprings_Prepare(tdActor* actor, double time, bool isStep)
{
    if (!tdActorSprings_AreActive(actor))
    {
        return;
    }
    const tdActorSprings* springs = actor->springs;
    if (springs->needsReset)
    {
        tdSpringState_ShowRest(&springs->state, &actor->pose);
        return;
    }
    // Constraints read springs as of the step before: its end is the start of the step that is shown.
    float part = isStep ? 1.0f : (springs->feedsConstraints ? 0.0f : GetShownPart(actor, time));
    tdSpringState_Show(&springs->state, &actor->pose, part);
}

void tdActorSprings_Show(tdActor* actor, double time)
{
    if (tdActorSprings_AreActive(actor) && actor->springs->feedsConstraints && !actor->springs->needsReset)
    {
        tdSpringState_Show(&actor->springs->state, &actor->pose, GetShownPart(actor, time));
        tdNodePose_Sweep(&actor->pose);
        actor->isPoseStale = true;
    }
}

void tdActorSprings_Start(tdActor* actor)
{
    if (tdActorSprings_AreActive(actor) && actor->springs->needsReset)
    {
        tdSpringState_Reset(&actor->springs->state, &actor->pose);
        actor->springs->needsReset = false;
    }
}

// Moves a tail out of the colliders of the stage. A ray from the head finds those that the tail has passed
// into, where the nearest point has no direction.
static bool HitStage(void* context, tdVec3 head, tdVec3* tail, float hitRadius)
{
    const tdWorld* world = context;
    tdQueryHit hit;
    tdQueryPoint nearest;
    bool isHit = tdWorld_CastRay(world, (tdRay){head, tdSub(*tail, head)}, NULL, &hit) &&
                 tdLengthSquared(hit.normal) > 0.0f;
    if (isHit)
    {
        *tail = tdMulAdd(hit.point, hitRadius, hit.normal);
    }
    if (hitRadius > 0.0f && tdWorld_FindClosestPoint(world, *tail, hitRadius, NULL, &nearest) &&
        nearest.distance > 0.0f)
    {
        tdVec3 out = tdSub(*tail, nearest.point);
        *tail = tdMulAdd(nearest.point, hitRadius / nearest.distance, out);
        isHit = true;
    }
    return isHit;
}

static tdSpringRun StartSpringRun(tdActor* actor, float seconds)
{
    tdWorld* world = actor->stage->world;
    // Constraints that read springs have to run in the next step, although no local changes before it.
    actor->isPoseStale = actor->isPoseStale || actor->springs->feedsConstraints;
    return (tdSpringRun){.state = &actor->springs->state,
                         .pose = &actor->pose,
                         .seconds = seconds,
                         .hit = actor->springs->hitsStage && world != NULL ? HitStage : NULL,
                         .hitContext = world};
}

void tdActorSprings_Step(tdActor* const* actors, int count, float seconds)
{
    bool isDone[TD_SPRING_BATCH] = {false};
    for (int first = 0; first < count;)
    {
        // Actors of one asset share lanes.
        tdSpringRun runs[TD_SPRING_MAX_RUNS];
        int runCount = 0;
        for (int i = first; i < count && runCount < TD_SPRING_MAX_RUNS; ++i)
        {
            if (!isDone[i] && actors[i]->scene == actors[first]->scene)
            {
                isDone[i] = true;
                runs[runCount++] = StartSpringRun(actors[i], seconds);
            }
        }
        tdStepSprings(runs, runCount, actors[0]->stage->springKernel);
        while (first < count && isDone[first])
        {
            first += 1;
        }
    }
}

// Memory for parameters of the application, with those of the file in it.
static bool ReserveSpringParameters(tdActor* actor)
{
    tdActorSprings* springs = actor->springs;
    const tdSpringPlan* plan = springs->state.plan;
    if (springs->setParameters != NULL)
    {
        return true;
    }
    tdSpringParameters* set =
        tdArena_NewArray(&actor->arena, tdSpringParameters, (size_t)plan->groupCount * TD_SPRING_LANES);
    if (set == NULL || !tdSpringState_OwnParameters(&springs->state, &actor->arena))
    {
        return false;
    }
    for (int i = 0; i < springs->state.list->jointCount; ++i)
    {
        if (plan->slots[i] >= 0)
        {
            set[plan->slots[i]] = springs->state.list->joints[i].parameters;
        }
    }
    springs->setParameters = set;
    return true;
}

// True if a joint has other parameters than in the file.
static bool HasSetParameters(const tdActorSprings* springs)
{
    const tdSpringList* list = springs->state.list;
    for (int i = 0; i < list->jointCount && springs->setParameters != NULL; ++i)
    {
        int slot = springs->state.plan->slots[i];
        if (slot >= 0 && memcmp(&springs->setParameters[slot], &list->joints[i].parameters,
                                sizeof(tdSpringParameters)) != 0)
        {
            return true;
        }
    }
    return false;
}

// Parameters that the application set, by joint. Without any, those of the file hold.
static void StreamSpringParameters(tdActor* actor, tdStateStream* stream)
{
    tdActorSprings* springs = actor->springs;
    const tdSpringPlan* plan = springs->state.plan;
    bool isReading = stream->mode == TD_STATE_READ;
    int isSet = tdState_Count(stream, HasSetParameters(springs), 1);
    if (isReading && !stream->failed && isSet != 0 && !ReserveSpringParameters(actor))
    {
        stream->failed = true;
    }
    for (int i = 0; i < springs->state.list->jointCount && springs->setParameters != NULL; ++i)
    {
        int slot = plan->slots[i];
        if (slot < 0)
        {
            continue;
        }
        tdSpringParameters* set = &springs->setParameters[slot];
        if (isSet != 0)
        {
            tdState_Value(stream, set);
        }
        else if (tdState_Stores(stream))
        {
            *set = springs->state.list->joints[i].parameters;
        }
        if (tdState_Stores(stream))
        {
            tdSpringPlan_SetParameters(plan, slot, set, springs->state.ownParameters);
        }
    }
}

void tdActorSprings_Stream(tdActor* actor, tdStateStream* stream)
{
    tdActorSprings* springs = actor->springs;
    if (springs == NULL)
    {
        return;
    }
    tdSpringState* state = &springs->state;
    size_t groups = (size_t)state->plan->groupCount;
    uint8_t flags[2] = {actor->enableSprings, springs->needsReset};
    tdSpringState_Normalize(state);
    tdState_Bytes(stream, flags, sizeof(flags));
    tdState_Bytes(stream, state->tails, groups * sizeof(tdSpringTails));
    tdState_Bytes(stream, state->previousTails, groups * sizeof(tdSpringTails));
    tdState_Bytes(stream, state->rotations, groups * sizeof(tdSpringRotations));
    tdState_Bytes(stream, state->previousRotations, groups * sizeof(tdSpringRotations));
    StreamSpringParameters(actor, stream);
    if (tdState_Stores(stream))
    {
        actor->isBound = actor->isBound && actor->enableSprings == (flags[0] != 0);
        actor->enableSprings = flags[0] != 0;
        springs->needsReset = flags[1] != 0;
    }
}

// Public functions

void tdActor_EnableSprings(tdActor* actor, bool enable)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_ENABLE_SPRINGS, TD_CALL_PART(actor->recordNumber),
                TD_CALL_PART(enable));
    if (actor != NULL && actor->enableSprings != enable)
    {
        actor->enableSprings = enable;
        actor->isBound = false;
        tdActor_ResetSprings(actor);
    }
}

bool tdActor_AreSpringsEnabled(const tdActor* actor)
{
    return actor != NULL && actor->enableSprings;
}

void tdActor_ResetSprings(tdActor* actor)
{
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_RESET_SPRINGS, TD_CALL_PART(actor->recordNumber));
    if (actor != NULL && actor->springs != NULL)
    {
        actor->springs->needsReset = true;
    }
}

void tdActor_Teleport(tdActor* actor, tdTransform placement)
{
    if (actor != NULL && TD_ACCEPT(actor->stage->world, tdIsFiniteTransform(placement)))
    {
        tdActor_SetPlacement(actor, placement);
        tdActor_ResetSprings(actor);
    }
}

static const tdSpringJoint* FindSpringJoint(const tdActor* actor, int joint)
{
    const tdSpringList* list = actor != NULL ? actor->scene->springs : NULL;
    return list != NULL && joint >= 0 && joint < list->jointCount ? &list->joints[joint] : NULL;
}

tdVec3 tdActor_GetSpringTail(const tdActor* actor, int joint)
{
    const tdSpringJoint* item = FindSpringJoint(actor, joint);
    return item != NULL ? tdMat4Point(actor->pose.globals[item->node], item->child) : tdVec3_zero;
}

// Place of a joint in the groups of an actor; -1: none.
static int FindSpringSlot(const tdActor* actor, int joint)
{
    bool isThere = FindSpringJoint(actor, joint) != NULL && actor->springs != NULL;
    return isThere ? actor->springs->state.plan->slots[joint] : -1;
}

tdSpringParameters tdActor_GetSpringParameters(const tdActor* actor, int joint)
{
    const tdSpringJoint* item = FindSpringJoint(actor, joint);
    int slot = FindSpringSlot(actor, joint);
    if (item == NULL)
    {
        return (tdSpringParameters){0};
    }
    return slot >= 0 && actor->springs->setParameters != NULL ? actor->springs->setParameters[slot]
                                                              : item->parameters;
}

static bool AreFiniteParameters(const tdSpringParameters* p)
{
    return isfinite(p->hitRadius) && isfinite(p->stiffness) && isfinite(p->gravityPower) &&
           tdIsFiniteVec3(p->gravityDir) && isfinite(p->dragForce);
}

/// Bound on parameters that the application sets, as on those of files.
#define MAX_SPRING_PARAMETER 1.0e6f

static tdSpringParameters ClampParameters(tdSpringParameters p)
{
    tdVec3 most = {MAX_SPRING_PARAMETER, MAX_SPRING_PARAMETER, MAX_SPRING_PARAMETER};
    p.hitRadius = tdClampFloat(p.hitRadius, 0.0f, MAX_SPRING_PARAMETER);
    p.stiffness = tdClampFloat(p.stiffness, 0.0f, MAX_SPRING_PARAMETER);
    p.gravityPower = tdClampFloat(p.gravityPower, 0.0f, MAX_SPRING_PARAMETER);
    p.gravityDir = tdMin(tdMax(p.gravityDir, tdNegate(most)), most);
    p.dragForce = tdClampFloat(p.dragForce, 0.0f, 1.0f);
    return p;
}

void tdActor_SetSpringParameters(tdActor* actor, int joint, const tdSpringParameters* parameters)
{
    bool hasParameters = parameters != NULL;
    TD_LOG_CALL(tdActor_GetCalls(actor), TD_CALL_ACTOR_SET_SPRING_PARAMETERS,
                TD_CALL_PART(actor->recordNumber), TD_CALL_PART(joint), TD_CALL_PART(hasParameters),
                {parameters, hasParameters ? sizeof(*parameters) : 0});
    int slot = FindSpringSlot(actor, joint);
    if (slot < 0 || !TD_ACCEPT(actor->stage->world, parameters == NULL || AreFiniteParameters(parameters)))
    {
        return;
    }
    if (!ReserveSpringParameters(actor))
    {
        actor->stage->isOutOfMemory = true;
        return;
    }
    tdSpringState* state = &actor->springs->state;
    tdSpringParameters* set = &actor->springs->setParameters[slot];
    *set = parameters != NULL ? ClampParameters(*parameters) : state->list->joints[joint].parameters;
    tdSpringPlan_SetParameters(state->plan, slot, set, state->ownParameters);
}
