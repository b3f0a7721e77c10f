// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Spring bones: descriptions, switches and parameters.
#include "exports.h"

int EXPORT(td_spring_count)(const tdAsset* asset)
{
    return tdAsset_GetSpringCount(asset);
}

int EXPORT(td_spring_joint_count)(const tdAsset* asset)
{
    return tdAsset_GetSpringJointCount(asset);
}

int EXPORT(td_spring_collider_count)(const tdAsset* asset)
{
    return tdAsset_GetSpringColliderCount(asset);
}

int EXPORT(td_spring_collider_group_count)(const tdAsset* asset)
{
    return tdAsset_GetSpringColliderGroupCount(asset);
}

void EXPORT(td_spring_describe)(const tdAsset* asset, int spring)
{
    SpringRecord* r = GET_RECORD(Spring);
    tdSpringInfo info = tdDescribeSpring(asset, spring);
    r->name = PutAddress(info.name);
    r->firstJoint = info.firstJoint;
    r->jointCount = info.jointCount;
    r->center = info.center;
    r->colliderGroups = PutAddress(info.colliderGroups);
    r->colliderGroupCount = info.colliderGroupCount;
}

static void PutParameters(SpringParametersRecord* r, tdSpringParameters parameters)
{
    r->hitRadius = (double)parameters.hitRadius;
    r->stiffness = (double)parameters.stiffness;
    r->gravityPower = (double)parameters.gravityPower;
    PutVec3(r->gravityDir, parameters.gravityDir);
    r->dragForce = (double)parameters.dragForce;
}

void EXPORT(td_spring_joint_describe)(const tdAsset* asset, int joint)
{
    SpringJointRecord* r = GET_RECORD(SpringJoint);
    tdSpringJointInfo info = tdDescribeSpringJoint(asset, joint);
    r->spring = info.spring;
    r->node = info.node;
    r->tailNode = info.tailNode;
    PutVec3(r->tail, info.tail);
    r->isInert = info.isInert;
    r->limit = PutAddress(tdSpringLimitKind_GetName(info.limit.kind));
    r->limitAngles[0] = (double)info.limit.angles[0];
    r->limitAngles[1] = (double)info.limit.angles[1];
    PutQuat(r->limitRotation, info.limit.rotation);
}

/// Parameters of the file.
void EXPORT(td_spring_joint_parameters)(const tdAsset* asset, int joint)
{
    PutParameters(GET_RECORD(SpringParameters), tdDescribeSpringJoint(asset, joint).parameters);
}

void EXPORT(td_spring_collider_describe)(const tdAsset* asset, int collider)
{
    SpringColliderRecord* r = GET_RECORD(SpringCollider);
    tdSpringColliderInfo info = tdDescribeSpringCollider(asset, collider);
    r->node = info.node;
    r->shape = PutAddress(tdSpringShape_GetName(info.shape));
    PutVec3(r->offset, info.offset);
    PutVec3(r->tail, info.tail);
    PutVec3(r->normal, info.normal);
    r->radius = (double)info.radius;
}

void EXPORT(td_spring_collider_group_describe)(const tdAsset* asset, int group)
{
    SpringColliderGroupRecord* r = GET_RECORD(SpringColliderGroup);
    tdSpringColliderGroupInfo info = tdDescribeSpringColliderGroup(asset, group);
    r->name = PutAddress(info.name);
    r->colliders = PutAddress(info.colliders);
    r->colliderCount = info.colliderCount;
}

void EXPORT(td_actor_enable_springs)(Actor* actor, bool enable)
{
    tdActor_EnableSprings(actor->actor, enable);
}

bool EXPORT(td_actor_are_springs_enabled)(const Actor* actor)
{
    return tdActor_AreSpringsEnabled(actor->actor);
}

void EXPORT(td_actor_reset_springs)(Actor* actor)
{
    tdActor_ResetSprings(actor->actor);
}

void EXPORT(td_actor_teleport)(Actor* actor)
{
    const PlacementRecord* placement = GET_RECORD(Placement);
    tdActor_Teleport(actor->actor,
                     (tdTransform){TakeVec3(placement->position), TakeQuat(placement->rotation)});
}

void EXPORT(td_actor_spring_tail)(const Actor* actor, int joint)
{
    PutVec3(GET_RECORD(Vector)->value, tdActor_GetSpringTail(actor->actor, joint));
}

void EXPORT(td_actor_get_spring_parameters)(const Actor* actor, int joint)
{
    PutParameters(GET_RECORD(SpringParameters), tdActor_GetSpringParameters(actor->actor, joint));
}

void EXPORT(td_actor_set_spring_parameters)(Actor* actor, int joint)
{
    const NewSpringParametersRecord* r = GET_RECORD(NewSpringParameters);
    tdSpringParameters parameters = {.hitRadius = (float)r->hitRadius,
                                     .stiffness = (float)r->stiffness,
                                     .gravityPower = (float)r->gravityPower,
                                     .gravityDir = TakeVec3(r->gravityDir),
                                     .dragForce = (float)r->dragForce};
    tdActor_SetSpringParameters(actor->actor, joint, &parameters);
}

void EXPORT(td_actor_clear_spring_parameters)(Actor* actor, int joint)
{
    tdActor_SetSpringParameters(actor->actor, joint, NULL);
}

bool EXPORT(td_stage_step_variable)(tdStage* stage, double seconds)
{
    return tdStage_StepVariable(stage, seconds);
}
