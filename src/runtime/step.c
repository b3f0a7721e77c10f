// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The phases of a step. Actors interact only through the world, so the phases before and after the step of
// the world run in parallel over actors. docs/architecture.md lists the phases; docs/decisions/031 explains
// the actor groups.
#include "actor_springs.h"
#include "bind.h"
#include "body_drive.h"
#include "body_follow.h"
#include "face.h"
#include "physics_binding.h"
#include "physics_events.h"
#include "tracks.h"

#include "base/tasks.h"
#include "constraint/constraint_group.h"
#include "constraint/pose_group.h"
#include "physics/data/call_log.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"

#include "tendon/spring.h"

#include <math.h>

typedef enum Phase
{
    BEFORE_PHYSICS,
    AFTER_PHYSICS,
} Phase;

typedef struct PhaseTask
{
    tdStage* stage;
    Phase phase;
    double sampleTime;   // of clips; BEFORE_PHYSICS only
    double bodyTime;     // of bodies
    bool isStep;         // false: the pose is shown between two steps
    bool stepsSprings;   // springs run after physics; BEFORE_PHYSICS only
    float springSeconds; // > 0: springs advance by this after physics; AFTER_PHYSICS only
} PhaseTask;

// @param stepsSprings the springs of this step run after physics
static void SampleActor(tdActor* actor, double time, bool isStep, bool stepsSprings)
{
    if (!actor->isBound)
    {
        tdActor_Bind(actor);
    }
    tdActor_Sample(actor, time);
    if (stepsSprings && tdActorSprings_AreReadLast(actor))
    {
        tdActorSprings_SkipSweep(actor);
    }
    else
    {
        tdActorSprings_Prepare(actor, time, isStep);
    }
}

static void RunConstraints(tdActor* actor, int start, int count)
{
    const tdConstraintList* list = actor->scene->constraints;
    if (count == 0 || !actor->enableConstraints)
    {
        return;
    }
    if (count == list->count && actor->groupWidth > 1)
    {
        tdRunConstraintPlan(list, actor->constraintWeights, &actor->pose, actor->groupWidth);
    }
    else
    {
        tdRunConstraints(list, actor->constraintPlaces + start, count, actor->constraintWeights,
                         &actor->pose);
    }
}

// Head and target are where clips, constraints and bodies put them; constraints that read the eyes run again.
// See docs/decisions/036.
static void FollowGazeTarget(tdActor* actor)
{
    if (actor->scene->humanoid == NULL || !tdActor_FollowsGazeTarget(actor))
    {
        return;
    }
    tdActor_ApplyFace(actor);
    if (actor->pose.isDirty)
    {
        RunConstraints(actor, 0, actor->constraintsBefore);
        tdNodePose_Sweep(&actor->pose);
    }
}

// Constraints are functions of locals, so they run only if a local changed since the last run.
static void UpdateActorBefore(tdActor* actor, double bodyTime)
{
    if (actor->physics != NULL)
    {
        tdBodyFollow_Start(actor, bodyTime);
    }
    else if (!actor->pose.isDirty && !actor->isPoseStale && !tdActor_FollowsGazeTarget(actor))
    {
        return;
    }
    RunConstraints(actor, 0, actor->constraintsBefore);
    tdNodePose_Sweep(&actor->pose);
    FollowGazeTarget(actor);
    actor->isPoseStale =
        actor->isPoseStale && actor->physics != NULL; // the constraints after physics are still to run
}

static void UpdateActorAfter(tdActor* actor, double bodyTime)
{
    if (actor->physics == NULL)
    {
        return;
    }
    actor->isPoseStale = false;
    tdBodyFollow_Start(actor, bodyTime);
    tdNodePose_Sweep(&actor->pose);
    // A body keeps its pose in the world when a constraint turns an ancestor of its node. The node's local
    // changes instead, and constraints that read it have to run again. A constraint that reads itself this
    // way never settles, so the number of iterations is bounded.
    bool isChanged = true;
    for (int i = 0; i < actor->constraintIterations && isChanged; ++i)
    {
        RunConstraints(actor, actor->constraintsBefore, actor->constraintsAfter);
        isChanged = actor->pose.isDirty;
        tdNodePose_Sweep(&actor->pose);
    }
}

// An actor joins a group if all of its constraints run before physics.
static bool CanJoinGroup(const tdActor* actor)
{
    const tdStage* stage = actor->stage;
    return actor->groupWidth > 1 && actor->physics == NULL && actor->enableConstraints &&
           !tdActor_FollowsGazeTarget(actor) && (actor->pose.isDirty || actor->isPoseStale) &&
           actor->constraintsBefore == actor->scene->constraints->count &&
           tdPoseGroup_GetScratchSize(actor->scene->constraints, actor->groupWidth) <=
               stage->groupScratchSize;
}

static void UpdateActorGroup(tdActor* const* actors, int worker)
{
    tdNodePose* poses[TD_POSE_GROUP_MAX_WIDTH];
    const float* weights[TD_POSE_GROUP_MAX_WIDTH];
    const tdStage* stage = actors[0]->stage;
    int width = actors[0]->groupWidth;
    for (int i = 0; i < width; ++i)
    {
        poses[i] = &actors[i]->pose;
        weights[i] = actors[i]->constraintWeights;
    }
    char* scratch = stage->groupScratch;
    tdPoseGroup group = {.list = actors[0]->scene->constraints, .poses = poses, .weights = weights};
    group.scratch = scratch != NULL ? scratch + (size_t)worker * stage->groupScratchSize : NULL;
    tdPoseGroup_Run(&group, width);
    for (int i = 0; i < width; ++i)
    {
        tdNodePose_Sweep(poses[i]);
        actors[i]->isPoseStale = false;
    }
}

// Samples clips, runs constraints and updates globals for one actor group at a time, while its data is in
// the cache.
static void UpdateRangeBefore(const PhaseTask* phase, int start, int end, int worker)
{
    tdActor* waiting[TD_POSE_GROUP_MAX_WIDTH]; // actors of one asset, fewer than a group
    int count = 0;
    for (int i = start; i < end; ++i)
    {
        tdActor* actor = phase->stage->actors.data[i];
        SampleActor(actor, phase->sampleTime, phase->isStep, phase->stepsSprings);
        if (!CanJoinGroup(actor))
        {
            UpdateActorBefore(actor, phase->bodyTime);
            continue;
        }
        for (; count > 0 && waiting[0]->scene != actor->scene; --count)
        {
            UpdateActorBefore(waiting[count - 1], phase->bodyTime);
        }
        waiting[count++] = actor;
        if (count == actor->groupWidth)
        {
            UpdateActorGroup(waiting, worker);
            count = 0;
        }
    }
    for (int i = 0; i < count; ++i)
    {
        UpdateActorBefore(waiting[i], phase->bodyTime);
    }
}

// Springs of consecutive actors step together.
static void UpdateRangeAfter(const PhaseTask* phase, int start, int end)
{
    tdActor* waiting[TD_SPRING_BATCH];
    int count = 0;
    for (int i = start; i < end; ++i)
    {
        tdActor* actor = phase->stage->actors.data[i];
        UpdateActorAfter(actor, phase->bodyTime);
        if (phase->springSeconds > 0.0f && tdActorSprings_AreActive(actor))
        {
            if (count == TD_SPRING_BATCH)
            {
                tdActorSprings_Step(waiting, count, phase->springSeconds);
                count = 0;
            }
            waiting[count++] = actor;
        }
        else if (phase->springSeconds <= 0.0f && !phase->isStep)
        {
            tdActorSprings_Show(actor, phase->bodyTime);
        }
    }
    if (count > 0)
    {
        tdActorSprings_Step(waiting, count, phase->springSeconds);
    }
}

// Ranges count blocks of TD_POSE_GROUP_MAX_WIDTH actors, so that only the last range can leave a group
// unfilled.
static void UpdateRange(void* task, int start, int end, int worker)
{
    const PhaseTask* phase = task;
    start *= TD_POSE_GROUP_MAX_WIDTH;
    end = tdMinInt(end * TD_POSE_GROUP_MAX_WIDTH, phase->stage->actors.count);
    if (phase->phase == BEFORE_PHYSICS)
    {
        UpdateRangeBefore(phase, start, end, worker);
        return;
    }
    UpdateRangeAfter(phase, start, end);
}

static void RunPhase(tdStage* stage, PhaseTask task)
{
    int groupCount = (stage->actors.count + TD_POSE_GROUP_MAX_WIDTH - 1) / TD_POSE_GROUP_MAX_WIDTH;
    tdTasks_For(stage->tasks, UpdateRange, &task, groupCount, 1);
}

// @param isStep the pose starts a step; else it is shown
// @param stepsSprings RunAfterPhysics with springs follows
static void RunBeforePhysics(tdStage* stage, double sampleTime, double bodyTime, bool isStep,
                             bool stepsSprings)
{
    RunPhase(stage, (PhaseTask){.stage = stage,
                                .phase = BEFORE_PHYSICS,
                                .sampleTime = sampleTime,
                                .bodyTime = bodyTime,
                                .isStep = isStep,
                                .stepsSprings = stepsSprings});
}

// Only actors with bodies or springs have work after physics.
static void RunAfterPhysics(tdStage* stage, double time, bool isStep, float springSeconds)
{
    if (stage->bodyActorCount > 0 || stage->springActorCount > 0)
    {
        RunPhase(stage, (PhaseTask){.stage = stage,
                                    .phase = AFTER_PHYSICS,
                                    .sampleTime = time,
                                    .bodyTime = time,
                                    .isStep = isStep,
                                    .springSeconds = springSeconds});
    }
}

// A body that a clip starts to drive starts at the clip's pose of the time before the step, so that its
// velocity in the step is that of the clip.
static void StartDrivenBodies(tdStage* stage, double time)
{
    for (int i = 0; i < stage->actors.count && stage->bodyActorCount > 0; ++i)
    {
        tdActor* actor = stage->actors.data[i];
        if (actor->physics != NULL && tdBodyDrive_NeedsBinding(actor, time))
        {
            tdActor_Bind(actor);
            tdActor_Sample(actor, time);
            UpdateActorBefore(actor, time);
            tdBodyDrive_StartDriven(actor);
        }
    }
}

// Springs that are to start at rest start in the pose before the step.
static void StartSprings(tdStage* stage, double time)
{
    for (int i = 0; i < stage->actors.count && stage->springActorCount > 0; ++i)
    {
        tdActor* actor = stage->actors.data[i];
        if (tdActorSprings_AreActive(actor) && actor->springs->needsReset)
        {
            SampleActor(actor, time, true, false);
            UpdateActorBefore(actor, time);
            UpdateActorAfter(actor, time);
            tdActorSprings_Start(actor);
        }
    }
}

// One step of the fixed rate.
// @param springSeconds length of the step of springs; 0: they do not advance
static bool StepOnce(tdStage* stage, float springSeconds)
{
    if (atomic_exchange_explicit(&stage->isOutOfMemory, false, memory_order_relaxed))
    {
        return false;
    }
    double before = tdStage_GetTime(stage);
    StartDrivenBodies(stage, before);
    if (springSeconds > 0.0f)
    {
        StartSprings(stage, before);
    }
    stage->stepIndex += 1;
    double time = tdStage_GetTime(stage);
    // Clips to locals, weights and animated physics properties; constraints before physics; bodies at the
    // start of the step.
    RunBeforePhysics(stage, time, before, true, springSeconds > 0.0f);
    tdBodyDrive_Apply(stage);
    if (!tdPhysicsBinding_StepWorld(stage))
    {
        stage->stepIndex -= 1;
        for (int i = 0; i < stage->actors.count; ++i)
        {
            tdActorSprings_MarkDirty(stage->actors.data[i]);
        }
        tdStage_Evaluate(stage, before);
        return false;
    }
    // Bodies to locals; constraints after physics; globals of dirty subtrees; springs.
    RunAfterPhysics(stage, time, true, springSeconds);
    tdPhysicsEvents_Collect(stage);
    return true;
}

// Calls until the end of the step are not inputs.
static void BeginRecord(tdStage* stage)
{
    if (stage->recorder != NULL)
    {
        stage->recorder->beginStep(stage->recorder->context);
        tdCallLog_Pause(stage->world->calls);
    }
}

// @param seconds of a variable step; 0: a fixed one
// @return `isMade`
static bool EndRecord(tdStage* stage, bool isMade, double seconds)
{
    if (stage->recorder != NULL)
    {
        tdCallLog_Resume(stage->world->calls);
        if (isMade)
        {
            stage->recorder->endStep(stage->recorder->context, seconds);
        }
    }
    return isMade;
}

bool tdStage_Step(tdStage* stage)
{
    if (stage == NULL)
    {
        return false;
    }
    stage->isVariable = false;
    BeginRecord(stage);
    return EndRecord(stage, StepOnce(stage, tdStage_GetStepSeconds(stage)), 0.0);
}

static bool StepVariable(tdStage* stage, double seconds)
{
    if (!stage->isVariable)
    {
        stage->isVariable = true;
        stage->variableTime = tdStage_GetTime(stage);
    }
    StartSprings(stage, stage->variableTime);
    double time = stage->variableTime + seconds;
    while (tdStage_GetTime(stage) < time)
    {
        if (!StepOnce(stage, 0.0f))
        {
            return false;
        }
    }
    stage->variableTime = time;
    RunBeforePhysics(stage, time, time, true, true);
    RunAfterPhysics(stage, time, true, (float)seconds);
    return true;
}

bool tdStage_StepVariable(tdStage* stage, double seconds)
{
    if (stage == NULL || !TD_ACCEPT(stage->world, isfinite(seconds)))
    {
        return false;
    }
    if (seconds <= 0.0)
    {
        return true;
    }
    BeginRecord(stage);
    return EndRecord(stage, StepVariable(stage, seconds), seconds);
}

void tdStage_Evaluate(tdStage* stage, double time)
{
    if (stage == NULL || !TD_ACCEPT(stage->world, isfinite(time)))
    {
        return;
    }
    RunBeforePhysics(stage, time, time, false, false);
    RunAfterPhysics(stage, time, false, 0.0f);
}
