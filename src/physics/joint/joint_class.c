// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What a set of limits amounts to, in the words of classical joints. Follows the special cases the
// specification OMI_physics_joint lists: which axes are locked, limited or free decides the name.
#include "physics/joint/joint_compile.h"

#include <math.h>

typedef struct Freedom
{
    bool isLocked[3], isBounded[3], isSoft[3];
    float min[3], max[3]; // of one-axis limits, intersected
    bool hasDistance;     // a three-axis limit that is not a lock
    float distanceMin, distanceMax;
    bool hasPair; // a two-axis limit that is not a lock
} Freedom;

static void AddLimit(Freedom* freedom, unsigned axes, const tdJointLimit* limit)
{
    int count = tdCountAxes(axes);
    // One axis held softly is a spring about its place: the door that closes itself is a hinge.
    bool isSpring = count == 1 && limit->stiffness < INFINITY;
    bool isLock = count == 1 ? limit->min == limit->max && !isSpring : limit->max <= 0.0f;
    // Lengths and angles have no lower bound at or below zero.
    bool isOpen = limit->max == INFINITY && (limit->min == -INFINITY || (count > 1 && limit->min <= 0.0f));
    if (count == 0 || (isOpen && !isLock))
    {
        return;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if ((axes >> axis & 1u) == 0)
        {
            continue;
        }
        freedom->isLocked[axis] |= isLock;
        freedom->isBounded[axis] = true;
        freedom->isSoft[axis] |= limit->stiffness < INFINITY;
        if (count == 1)
        {
            freedom->min[axis] = limit->min > freedom->min[axis] ? limit->min : freedom->min[axis];
            freedom->max[axis] = limit->max < freedom->max[axis] ? limit->max : freedom->max[axis];
            // Ranges that have one value in common, or none, leave nothing free.
            freedom->isLocked[axis] |= !freedom->isSoft[axis] && freedom->min[axis] >= freedom->max[axis];
        }
    }
    if (count == 3 && !isLock)
    {
        freedom->hasDistance = true;
        freedom->distanceMin = limit->min > freedom->distanceMin ? limit->min : freedom->distanceMin;
        freedom->distanceMax = limit->max < freedom->distanceMax ? limit->max : freedom->distanceMax;
    }
    freedom->hasPair |= count == 2 && !isLock;
}

static unsigned Locked(const Freedom* freedom)
{
    return (freedom->isLocked[0] ? 1u : 0u) | (freedom->isLocked[1] ? 2u : 0u) |
           (freedom->isLocked[2] ? 4u : 0u);
}

static unsigned Limited(const Freedom* freedom)
{
    unsigned bounded = (freedom->isBounded[0] ? 1u : 0u) | (freedom->isBounded[1] ? 2u : 0u) |
                       (freedom->isBounded[2] ? 4u : 0u);
    return bounded & ~Locked(freedom);
}

static int SoleAxis(unsigned axes)
{
    return axes == 1u ? 0 : (axes == 2u ? 1 : (axes == 4u ? 2 : -1));
}

static tdJointType Name(const Freedom* linear, const Freedom* angular, int* axis)
{
    unsigned lockedLinear = Locked(linear), lockedAngular = Locked(angular);
    unsigned freeLinear = ~lockedLinear & 7u, freeAngular = ~lockedAngular & 7u;
    int linearCount = tdCountAxes(freeLinear), angularCount = tdCountAxes(freeAngular);
    bool isPlain = !linear->hasPair && !linear->hasDistance && !angular->hasPair && !angular->hasDistance;
    *axis = -1;
    if (linearCount == 0 && angularCount == 0)
    {
        return TD_JOINT_FIXED;
    }
    if (linearCount == 0 && angularCount == 3)
    {
        return TD_JOINT_BALL;
    }
    if (linearCount == 0 && angularCount == 1)
    {
        *axis = SoleAxis(freeAngular);
        return TD_JOINT_HINGE;
    }
    if (linearCount == 0 && angularCount == 2)
    {
        *axis = SoleAxis(lockedAngular);
        return TD_JOINT_UNIVERSAL;
    }
    if (linearCount == 1 && angularCount == 0)
    {
        *axis = SoleAxis(freeLinear);
        return TD_JOINT_SLIDER;
    }
    if (linearCount == 1 && angularCount == 1 && freeLinear == freeAngular)
    {
        // The specification calls it a slider when both the travel and the turn about it have stops.
        *axis = SoleAxis(freeLinear);
        bool isStopped = Limited(linear) == freeLinear && Limited(angular) == freeAngular;
        return isStopped ? TD_JOINT_SLIDER : TD_JOINT_CYLINDRICAL;
    }
    bool turnsInPlane = angularCount == 0 || (angularCount == 1 && freeAngular == lockedLinear);
    if (linearCount == 2 && turnsInPlane && isPlain)
    {
        *axis = SoleAxis(lockedLinear);
        return TD_JOINT_PLANAR;
    }
    bool isAngularFree = angularCount == 3 && Limited(angular) == 0;
    if (linearCount == 3 && linear->hasDistance && isAngularFree)
    {
        return TD_JOINT_DISTANCE;
    }
    if (linearCount == 3 && isAngularFree && Limited(linear) == 0)
    {
        return TD_JOINT_FREE;
    }
    return TD_JOINT_GENERIC;
}

tdJointClass tdClassifyJoint(const tdJointLimit* limits, int limitCount)
{
    Freedom open = {.min = {-INFINITY, -INFINITY, -INFINITY},
                    .max = {INFINITY, INFINITY, INFINITY},
                    .distanceMax = INFINITY};
    Freedom linear = open, angular = open;
    tdJointClass result = {
        .linearMin = -INFINITY, .linearMax = INFINITY, .angularMin = -INFINITY, .angularMax = INFINITY};
    for (int i = 0; i < limitCount; ++i)
    {
        tdJointLimit limit = tdSettleLimit(limits + i);
        AddLimit(&linear, limit.linearAxes, &limit);
        AddLimit(&angular, limit.angularAxes, &limit);
        result.isSoft |= limits[i].stiffness < INFINITY;
    }
    result.type = Name(&linear, &angular, &result.axis);
    result.lockedLinear = Locked(&linear);
    result.lockedAngular = Locked(&angular);
    result.limitedLinear = Limited(&linear);
    result.limitedAngular = Limited(&angular);
    bool slides = result.type == TD_JOINT_SLIDER || result.type == TD_JOINT_CYLINDRICAL;
    bool turns = result.type == TD_JOINT_HINGE || result.type == TD_JOINT_SLIDER ||
                 result.type == TD_JOINT_CYLINDRICAL || result.type == TD_JOINT_PLANAR;
    if (slides)
    {
        result.linearMin = linear.min[result.axis];
        result.linearMax = linear.max[result.axis];
    }
    if (result.type == TD_JOINT_DISTANCE)
    {
        result.linearMin = linear.distanceMin;
        result.linearMax = linear.distanceMax;
    }
    if (turns)
    {
        result.angularMin = angular.min[result.axis];
        result.angularMax = angular.max[result.axis];
    }
    return result;
}

const char* tdJointType_GetName(tdJointType type)
{
    static const char* const names[] = {"free",        "fixed",     "ball",     "hinge",  "slider",
                                        "cylindrical", "universal", "distance", "planar", "generic"};
    return (unsigned)type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown";
}
