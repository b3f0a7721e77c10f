// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Classification of a set of limits as a classical joint type (hinge, slider, ...). Locked, limited and free
// axes decide the type, as the special cases of OMI_physics_joint list them.
#include "physics/joint/joint_compile.h"

#include <math.h>

typedef struct JointFreedom
{
    bool isLocked[3], isBounded[3], isSoft[3];
    float min[3], max[3]; // intersection of the one-axis limits
    bool hasDistance;     // a three-axis limit that is not a lock
    float distanceMin, distanceMax;
    bool hasPair; // a two-axis limit that is not a lock
} JointFreedom;

static void AddLimitToFreedom(JointFreedom* freedom, unsigned axes, const tdJointLimit* limit)
{
    int count = tdCountAxes(axes);
    // A soft limit on one axis is a spring: a self-closing door is a hinge.
    bool isSpring = count == 1 && limit->stiffness < INFINITY;
    bool isLock = count == 1 ? limit->min == limit->max && !isSpring : limit->max <= 0.0f;
    // A lower bound of at most zero has no effect on lengths and angles.
    bool isOpen = limit->max == INFINITY && (limit->min == -INFINITY || (count > 1 && limit->min <= 0.0f));
    if (count == 0 || (isOpen && !isLock))
    {
        return;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!tdHasAxis(axes, axis))
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
            // Ranges whose intersection is one value or empty lock the axis.
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

static unsigned GetLockedAxes(const JointFreedom* freedom)
{
    return (freedom->isLocked[0] ? 1u : 0u) | (freedom->isLocked[1] ? 2u : 0u) |
           (freedom->isLocked[2] ? 4u : 0u);
}

static unsigned GetLimitedAxes(const JointFreedom* freedom)
{
    unsigned bounded = (freedom->isBounded[0] ? 1u : 0u) | (freedom->isBounded[1] ? 2u : 0u) |
                       (freedom->isBounded[2] ? 4u : 0u);
    return bounded & ~GetLockedAxes(freedom);
}

static int GetSoleAxis(unsigned axes)
{
    return axes == 1u ? 0 : (axes == 2u ? 1 : (axes == 4u ? 2 : -1));
}

static tdJointType ChooseJointType(const JointFreedom* linear, const JointFreedom* angular, int* axis)
{
    unsigned lockedLinear = GetLockedAxes(linear), lockedAngular = GetLockedAxes(angular);
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
        *axis = GetSoleAxis(freeAngular);
        return TD_JOINT_HINGE;
    }
    if (linearCount == 0 && angularCount == 2)
    {
        *axis = GetSoleAxis(lockedAngular);
        return TD_JOINT_UNIVERSAL;
    }
    if (linearCount == 1 && angularCount == 0)
    {
        *axis = GetSoleAxis(freeLinear);
        return TD_JOINT_SLIDER;
    }
    if (linearCount == 1 && angularCount == 1 && freeLinear == freeAngular)
    {
        // OMI_physics_joint calls it a slider if both the translation and the rotation are limited.
        *axis = GetSoleAxis(freeLinear);
        bool isStopped = GetLimitedAxes(linear) == freeLinear && GetLimitedAxes(angular) == freeAngular;
        return isStopped ? TD_JOINT_SLIDER : TD_JOINT_CYLINDRICAL;
    }
    bool turnsInPlane = angularCount == 0 || (angularCount == 1 && freeAngular == lockedLinear);
    if (linearCount == 2 && turnsInPlane && isPlain)
    {
        *axis = GetSoleAxis(lockedLinear);
        return TD_JOINT_PLANAR;
    }
    bool isAngularFree = angularCount == 3 && GetLimitedAxes(angular) == 0;
    if (linearCount == 3 && linear->hasDistance && isAngularFree)
    {
        return TD_JOINT_DISTANCE;
    }
    if (linearCount == 3 && isAngularFree && GetLimitedAxes(linear) == 0)
    {
        return TD_JOINT_FREE;
    }
    return TD_JOINT_GENERIC;
}

tdJointClass tdClassifyJoint(const tdJointLimit* limits, int limitCount)
{
    JointFreedom open = {.min = {-INFINITY, -INFINITY, -INFINITY},
                         .max = {INFINITY, INFINITY, INFINITY},
                         .distanceMax = INFINITY};
    JointFreedom linear = open, angular = open;
    tdJointClass result = {
        .linearMin = -INFINITY, .linearMax = INFINITY, .angularMin = -INFINITY, .angularMax = INFINITY};
    for (int i = 0; i < limitCount; ++i)
    {
        tdJointLimit limit = tdSettleLimit(limits + i);
        AddLimitToFreedom(&linear, limit.linearAxes, &limit);
        AddLimitToFreedom(&angular, limit.angularAxes, &limit);
        result.isSoft |= limits[i].stiffness < INFINITY;
    }
    result.type = ChooseJointType(&linear, &angular, &result.axis);
    result.lockedLinear = GetLockedAxes(&linear);
    result.lockedAngular = GetLockedAxes(&angular);
    result.limitedLinear = GetLimitedAxes(&linear);
    result.limitedAngular = GetLimitedAxes(&angular);
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
