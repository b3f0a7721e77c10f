// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joint presets: the classical joints as defs made of limits.
#include "base/assert.h"
#include "math/vecmath.h"

#include "tendon/joint.h"

// A frame of the world in a body's own space; in the world itself for the null id.
static tdTransform PlaceFrame(const tdWorld* world, tdBodyId body, tdTransform frame)
{
    return body.index1 != 0 ? tdInvMulTransform(tdBody_GetTransform(world, body), frame) : frame;
}

// Two frames that coincide at the anchor, with X along the axis.
static tdJointDef MakePresetDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                tdVec3 axis)
{
    TD_ASSERT(tdIsFiniteVec3(anchor) && tdLengthSquared(axis) > 0.0f);
    tdTransform frame = {anchor, tdQuatFromTo((tdVec3){1.0f, 0.0f, 0.0f}, tdNormalize(axis))};
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = bodyA;
    def.bodyB = bodyB;
    def.frameA = PlaceFrame(world, bodyA, frame);
    def.frameB = PlaceFrame(world, bodyB, frame);
    return def;
}

static void AddPresetLimit(tdJointDef* def, tdJointLimit limit)
{
    def->presetLimits[def->presetLimitCount++] = limit;
}

static bool IsRangeBounded(float min, float max)
{
    return min > -INFINITY || max < INFINITY;
}

tdJointDef tdMakeFixedJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor)
{
    tdJointDef def = MakePresetDef(world, bodyA, bodyB, anchor, (tdVec3){1.0f, 0.0f, 0.0f});
    AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f));
    AddPresetLimit(&def, tdMakeAngularLimit(TD_AXIS_ALL, 0.0f, 0.0f));
    return def;
}

tdJointDef tdMakeHingeJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                               tdVec3 axis, float minAngle, float maxAngle)
{
    tdJointDef def = MakePresetDef(world, bodyA, bodyB, anchor, axis);
    AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f));
    AddPresetLimit(&def, tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, 0.0f));
    if (IsRangeBounded(minAngle, maxAngle))
    {
        AddPresetLimit(&def, tdMakeAngularLimit(TD_AXIS_X, minAngle, maxAngle));
    }
    return def;
}

tdJointDef tdMakeSliderJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                tdVec3 axis, float minTravel, float maxTravel)
{
    tdJointDef def = MakePresetDef(world, bodyA, bodyB, anchor, axis);
    AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, 0.0f));
    AddPresetLimit(&def, tdMakeAngularLimit(TD_AXIS_ALL, 0.0f, 0.0f));
    if (IsRangeBounded(minTravel, maxTravel))
    {
        AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_X, minTravel, maxTravel));
    }
    return def;
}

tdJointDef tdMakeBallJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor)
{
    tdJointDef def = MakePresetDef(world, bodyA, bodyB, anchor, (tdVec3){1.0f, 0.0f, 0.0f});
    AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f));
    return def;
}

tdJointDef tdMakeConeTwistJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                   tdVec3 axis, float coneAngle, float minTwist, float maxTwist)
{
    TD_ASSERT(coneAngle >= 0.0f);
    tdJointDef def = MakePresetDef(world, bodyA, bodyB, anchor, axis);
    AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f));
    AddPresetLimit(&def, tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, coneAngle));
    AddPresetLimit(&def, tdMakeAngularLimit(TD_AXIS_X, minTwist, maxTwist));
    return def;
}

tdJointDef tdMakeDistanceJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchorA,
                                  tdVec3 anchorB, float minDistance, float maxDistance)
{
    TD_ASSERT(minDistance >= 0.0f && maxDistance >= 0.0f);
    tdJointDef def = MakePresetDef(world, bodyA, bodyB, anchorA, (tdVec3){1.0f, 0.0f, 0.0f});
    def.frameB = PlaceFrame(world, bodyB, (tdTransform){anchorB, tdQuat_identity});
    AddPresetLimit(&def, tdMakeLinearLimit(TD_AXIS_ALL, minDistance, maxDistance));
    return def;
}
