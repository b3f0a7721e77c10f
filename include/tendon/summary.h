// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// summary.h: statistics of a run: distance, speed and sleep of bodies, errors of joints, energy.
#pragma once

#include "stage.h"

/// Statistics of a body.
typedef struct tdBodySummary
{
    int node;
    double distance;     // m, path length of the centre of mass, summed step by step
    float maxSpeed;      // m/s, of the centre of mass
    double maxSpeedTime; // s
    float speed;         // m/s at the end
    tdTransform pose;    // of the body's node at the end, world space
    bool isDynamic;      // at the end
    double asleepSince;  // s; negative: awake at the end
} tdBodySummary;

/// Statistics of a joint.
typedef struct tdJointSummary
{
    int node;
    float maxLinearError;  // m beyond a hard limit
    float maxAngularError; // rad beyond a hard limit
    bool isBroken;
} tdJointSummary;

/// Energy of the actor's dynamic bodies, without springs.
typedef struct tdEnergySample
{
    double time;     // s
    float kinetic;   // J
    float potential; // J, 0 at the world's origin
} tdEnergySample;

/// Collects statistics while an actor runs.
typedef struct tdSummary tdSummary;

/// Create an empty summary. Uses the stage's allocator.
/// @param actor must outlive the summary
/// @return the summary, to be freed with tdDestroySummary; NULL if memory ran out or the actor is NULL
TD_API tdSummary* tdCreateSummary(const tdActor* actor);

/// Destroy a summary.
/// @param summary may be NULL
TD_API void tdDestroySummary(tdSummary* summary);

/// Add the current state. Call it once before the first step, then after every step; tdTraceActor does so for
/// the summary in its def. May allocate. Invalidates the array of tdSummary_GetEnergy.
/// @return false if memory ran out
TD_API bool tdSummary_AddSample(tdSummary* summary);

/// Number of bodies.
TD_API int tdSummary_GetBodyCount(const tdSummary* summary);

/// Statistics of a body.
/// @param index must be in range
TD_API tdBodySummary tdSummary_GetBody(const tdSummary* summary, int index);

/// Number of joints.
TD_API int tdSummary_GetJointCount(const tdSummary* summary);

/// Statistics of a joint.
/// @param index must be in range
TD_API tdJointSummary tdSummary_GetJoint(const tdSummary* summary, int index);

/// Energy over time, thinned out to at most 4,096 evenly spaced samples.
/// @param count receives the length of the array
/// @return an array of the summary's, valid until the next tdSummary_AddSample; NULL if there is no sample
TD_API const tdEnergySample* tdSummary_GetEnergy(const tdSummary* summary, int* count);

/// Number of times a body of the world exceeded TD_MAX_LINEAR_SPEED or TD_MAX_ANGULAR_SPEED, summed over the
/// steps of the run.
TD_API int64_t tdSummary_GetClampedCount(const tdSummary* summary);
