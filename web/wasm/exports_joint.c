// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints between bodies: presets, limits, drives, reactions.
#include "exports_world.h"

#include <stdlib.h>

/// Joint presets, in the order of JOINT_TYPES in web/module/joint.js.
enum
{
    PRESET_GENERIC,
    PRESET_FIXED,
    PRESET_HINGE,
    PRESET_SLIDER,
    PRESET_BALL,
    PRESET_CONE_TWIST,
    PRESET_DISTANCE,
};

static tdJointLimit TakeLimit(const double* v)
{
    return (tdJointLimit){(unsigned)v[0], (unsigned)v[1], (float)v[2], (float)v[3], (float)v[4], (float)v[5]};
}

static tdJointDrive TakeDrive(const double* v)
{
    tdJointDrive drive = tdDefaultJointDrive();
    drive.type = (tdDriveType)v[0];
    drive.mode = (tdDriveMode)v[1];
    drive.axis = (tdAxis)v[2];
    drive.positionTarget = (float)v[3];
    drive.velocityTarget = (float)v[4];
    drive.stiffness = (float)v[5];
    drive.damping = (float)v[6];
    drive.maxForce = (float)v[7];
    return drive;
}

static tdJointDef MakePreset(const tdWorld* world, const JointDefRecord* r, tdBodyId a, tdBodyId b)
{
    tdVec3 anchor = TakeVec3(r->anchor), axis = TakeVec3(r->axis);
    float min = (float)r->min, max = (float)r->max;
    switch ((int)r->preset)
    {
    case PRESET_FIXED:
        return tdMakeFixedJointDef(world, a, b, anchor);
    case PRESET_HINGE:
        return tdMakeHingeJointDef(world, a, b, anchor, axis, min, max);
    case PRESET_SLIDER:
        return tdMakeSliderJointDef(world, a, b, anchor, axis, min, max);
    case PRESET_BALL:
        return tdMakeBallJointDef(world, a, b, anchor);
    case PRESET_CONE_TWIST:
        return tdMakeConeTwistJointDef(world, a, b, anchor, axis, (float)r->cone, min, max);
    case PRESET_DISTANCE:
        return tdMakeDistanceJointDef(world, a, b, anchor, TakeVec3(r->anchorB), min, max);
    }
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = a;
    def.bodyB = b;
    def.frameA = (tdTransform){TakeVec3(r->positionA), TakeQuat(r->rotationA)};
    def.frameB = (tdTransform){TakeVec3(r->positionB), TakeQuat(r->rotationB)};
    return def;
}

/// Limits have 6 numbers, drives 8, in the order of the Limit and Drive records. Leaves the id in the Id record.
/// @return 0: a stale body, 1: done, 2: memory ran out
int EXPORT(td_joint_create)(tdWorld* world, const double* limits, int limitCount, const double* drives, int driveCount)
{
    const JointDefRecord* r = GET_RECORD(JointDef);
    tdBodyId a = {(uint32_t)r->bodyA[0], (uint32_t)r->bodyA[1]}, b = {(uint32_t)r->bodyB[0], (uint32_t)r->bodyB[1]};
    if ((a.index1 != 0 && !tdBody_IsValid(world, a)) || (b.index1 != 0 && !tdBody_IsValid(world, b)))
    {
        return 0;
    }
    tdJointLimit* someLimits = malloc(sizeof(tdJointLimit) * (size_t)(limitCount + 1));
    tdJointDrive* someDrives = malloc(sizeof(tdJointDrive) * (size_t)(driveCount + 1));
    tdJointId joint = {0, 0};
    if (someLimits != NULL && someDrives != NULL)
    {
        for (int i = 0; i < limitCount; ++i)
        {
            someLimits[i] = TakeLimit(limits + 6 * i);
        }
        for (int i = 0; i < driveCount; ++i)
        {
            someDrives[i] = TakeDrive(drives + 8 * i);
        }
        tdJointDef def = MakePreset(world, r, a, b);
        def.limits = someLimits;
        def.limitCount = limitCount;
        def.drives = someDrives;
        def.driveCount = driveCount;
        def.enableCollision = r->enableCollision != 0.0;
        def.breakForce = (float)r->breakForce;
        def.breakTorque = (float)r->breakTorque;
        def.userData = OWN_USER_DATA;
        joint = tdCreateJoint(world, &def);
    }
    free(someLimits);
    free(someDrives);
    PutId(joint.index1, joint.generation);
    return joint.index1 != 0 ? 1 : 2;
}

bool EXPORT(td_joint_is_valid)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    return tdJoint_IsValid(world, (tdJointId){index1, generation});
}

bool EXPORT(td_joint_destroy)(tdWorld* world, uint32_t index1, uint32_t generation)
{
    tdJointId joint = {index1, generation};
    bool isValid = tdJoint_IsValid(world, joint);
    if (isValid)
    {
        tdDestroyJoint(world, joint);
    }
    return isValid;
}

static tdJointType ClassifyJoint(const tdWorld* world, tdJointId joint, int count)
{
    tdJointLimit* limits = malloc(sizeof(tdJointLimit) * (size_t)(count + 1));
    if (limits == NULL)
    {
        return TD_JOINT_GENERIC;
    }
    for (int i = 0; i < count; ++i)
    {
        limits[i] = tdJoint_GetLimit(world, joint, i);
    }
    tdJointType type = tdClassifyJoint(limits, count).type;
    free(limits);
    return type;
}

bool EXPORT(td_joint_get)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    WorldJointRecord* r = GET_RECORD(WorldJoint);
    tdJointId joint = {index1, generation};
    if (!tdJoint_IsValid(world, joint))
    {
        return false;
    }
    tdBodyId a = tdJoint_GetBodyA(world, joint), b = tdJoint_GetBodyB(world, joint);
    uint32_t all[4] = {a.index1, a.generation, b.index1, b.generation};
    PutIds(r->ids, all, 4);
    r->isOwn = tdJoint_GetUserData(world, joint) == OWN_USER_DATA;
    RecordTransform(r->positionA, r->rotationA, tdJoint_GetFrameA(world, joint));
    RecordTransform(r->positionB, r->rotationB, tdJoint_GetFrameB(world, joint));
    r->enableCollision = tdJoint_GetEnableCollision(world, joint);
    r->breakForce = (double)tdJoint_GetBreakForce(world, joint);
    r->breakTorque = (double)tdJoint_GetBreakTorque(world, joint);
    r->isBroken = tdJoint_IsBroken(world, joint);
    PutVec3(r->force, tdJoint_GetForce(world, joint));
    PutVec3(r->torque, tdJoint_GetTorque(world, joint));
    r->limitCount = tdJoint_GetLimitCount(world, joint);
    r->driveCount = tdJoint_GetDriveCount(world, joint);
    r->type = PutAddress(tdJointType_GetName(ClassifyJoint(world, joint, (int)r->limitCount)));
    return true;
}

/// @return 0: stale id, 1: done, 2: memory ran out
int EXPORT(td_joint_set_collision)(tdWorld* world, uint32_t index1, uint32_t generation, bool enable)
{
    tdJointId joint = {index1, generation};
    if (!tdJoint_IsValid(world, joint))
    {
        return 0;
    }
    tdJoint_SetEnableCollision(world, joint, enable);
    return tdJoint_GetEnableCollision(world, joint) == enable ? 1 : 2;
}

bool EXPORT(td_joint_set_break_limits)(tdWorld* world, uint32_t index1, uint32_t generation, float force, float torque)
{
    tdJointId joint = {index1, generation};
    bool isValid = tdJoint_IsValid(world, joint);
    if (isValid)
    {
        tdJoint_SetBreakLimits(world, joint, force, torque);
    }
    return isValid;
}

static bool HasLimit(const tdWorld* world, tdJointId joint, int limit)
{
    return tdJoint_IsValid(world, joint) && limit >= 0 && limit < tdJoint_GetLimitCount(world, joint);
}

static bool HasDrive(const tdWorld* world, tdJointId joint, int drive)
{
    return tdJoint_IsValid(world, joint) && drive >= 0 && drive < tdJoint_GetDriveCount(world, joint);
}

/// False for a stale id and an index out of range, as the three calls below.
bool EXPORT(td_joint_get_limit)(const tdWorld* world, uint32_t index1, uint32_t generation, int index)
{
    LimitStateRecord* r = GET_RECORD(LimitState);
    tdJointId joint = {index1, generation};
    if (!HasLimit(world, joint, index))
    {
        return false;
    }
    tdJointLimit limit = tdJoint_GetLimit(world, joint, index);
    r->linearAxes = limit.linearAxes;
    r->angularAxes = limit.angularAxes;
    r->min = (double)limit.min;
    r->max = (double)limit.max;
    r->stiffness = (double)limit.stiffness;
    r->damping = (double)limit.damping;
    r->value = (double)tdJoint_GetLimitValue(world, joint, index);
    PutVec3(r->reaction, tdJoint_GetLimitReaction(world, joint, index));
    return true;
}

bool EXPORT(td_joint_set_limit)(tdWorld* world, uint32_t index1, uint32_t generation, int index)
{
    tdJointId joint = {index1, generation};
    bool isThere = HasLimit(world, joint, index);
    if (isThere)
    {
        tdJoint_SetLimit(world, joint, index, TakeLimit(GET_RECORD(Values)->values));
    }
    return isThere;
}

bool EXPORT(td_joint_get_drive)(const tdWorld* world, uint32_t index1, uint32_t generation, int index)
{
    DriveStateRecord* r = GET_RECORD(DriveState);
    tdJointId joint = {index1, generation};
    if (!HasDrive(world, joint, index))
    {
        return false;
    }
    tdJointDrive drive = tdJoint_GetDrive(world, joint, index);
    r->type = drive.type;
    r->mode = drive.mode;
    r->axis = drive.axis;
    r->positionTarget = (double)drive.positionTarget;
    r->velocityTarget = (double)drive.velocityTarget;
    r->stiffness = (double)drive.stiffness;
    r->damping = (double)drive.damping;
    r->maxForce = (double)drive.maxForce;
    r->value = (double)tdJoint_GetDriveValue(world, joint, index);
    PutVec3(r->reaction, tdJoint_GetDriveReaction(world, joint, index));
    return true;
}

bool EXPORT(td_joint_set_drive)(tdWorld* world, uint32_t index1, uint32_t generation, int index)
{
    tdJointId joint = {index1, generation};
    bool isThere = HasDrive(world, joint, index);
    if (isThere)
    {
        tdJoint_SetDrive(world, joint, index, TakeDrive(GET_RECORD(Values)->values));
    }
    return isThere;
}
