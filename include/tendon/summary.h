// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// summary.h: what a run came to: how far and fast every body went and when it fell asleep, how far joints
// came apart, and how much energy there was.
#pragma once

#include "stage.h"

typedef struct tdBodySummary
{
    int node;
    double distance;     // m that the centre of mass travelled, step by step
    float maxSpeed;      // m/s, of the centre of mass
    double maxSpeedTime; // s
    float speed;         // m/s at the end
    tdTransform pose;    // of the body's node at the end, in the world
    bool isDynamic;      // moves by forces, as it is at the end
    double asleepSince;  // s; negative: awake at the end
} tdBodySummary;

typedef struct tdJointSummary
{
    int node;
    float maxLinearError;  // m beyond a hard limit
    float maxAngularError; // rad, likewise
    bool isBroken;
} tdJointSummary;

/// Of the actor's dynamic bodies. Springs are not counted.
typedef struct tdEnergySample
{
    double time;     // s
    float kinetic;   // J
    float potential; // J, 0 in the world's origin
} tdEnergySample;

/// Looks on while an actor runs.
typedef struct tdSummary tdSummary;

/// The actor must outlive the summary.
/// @return NULL when memory ran out, or for a NULL actor
TD_API tdSummary* tdCreateSummary(const tdActor* actor);
TD_API void tdDestroySummary(tdSummary* summary);
/// Take the present state in: once before the first step, then after every one. tdTraceActor does it by
/// itself for the summary in its def.
/// @return false when memory ran out
TD_API bool tdSummary_Look(tdSummary* summary);

TD_API int tdSummary_GetBodyCount(const tdSummary* summary);
TD_API tdBodySummary tdSummary_GetBody(const tdSummary* summary, int index);
TD_API int tdSummary_GetJointCount(const tdSummary* summary);
TD_API tdJointSummary tdSummary_GetJoint(const tdSummary* summary, int index);
/// One sample per look, thinned out to at most 4,096 at equal distances. Valid until the next look.
TD_API const tdEnergySample* tdSummary_GetEnergy(const tdSummary* summary, int* count);
