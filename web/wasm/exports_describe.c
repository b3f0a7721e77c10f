// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contents of an asset, one record at a time.
#include "exports.h"

void EXPORT(td_asset_describe)(const tdAsset* asset)
{
    AssetRecord* r = GET_RECORD(Asset);
    tdAssetInfo info = tdDescribeAsset(asset);
    r->kind = info.kind;
    r->activeScene = info.activeScene;
    r->nodeCount = info.nodeCount;
    r->animationCount = info.animationCount;
    r->constraintCount = info.constraintCount;
    r->expressionCount = info.expressionCount;
    r->bodyCount = info.bodyCount;
    r->colliderCount = info.colliderCount;
    r->jointCount = info.jointCount;
    r->sceneCount = info.sceneCount;
    r->generator = PutAddress(info.generator);
    r->extensionCount = info.extensionCount;
}

void EXPORT(td_node_describe)(const tdAsset* asset, int node)
{
    NodeRecord* r = GET_RECORD(Node);
    tdNodeInfo info = tdDescribeNode(asset, node);
    r->name = PutAddress(info.name);
    r->parent = info.parent;
    r->mesh = info.mesh;
    r->skin = info.skin;
    r->body = info.body;
    PutVec3(r->translation, info.local.translation);
    PutQuat(r->rotation, info.local.rotation);
    PutVec3(r->scale, info.local.scale);
}

void EXPORT(td_animation_describe)(const tdAsset* asset, int animation)
{
    AnimationRecord* r = GET_RECORD(Animation);
    tdAnimationInfo info = tdDescribeAnimation(asset, animation);
    r->name = PutAddress(info.name);
    r->duration = (double)info.duration;
    r->channelCount = info.channelCount;
    r->nodeCount = info.nodeCount;
}

void EXPORT(td_extension_describe)(const tdAsset* asset, int extension)
{
    ExtensionRecord* r = GET_RECORD(Extension);
    tdExtensionInfo info = tdDescribeExtension(asset, extension);
    r->name = PutAddress(info.name);
    r->support = PutAddress(tdSupport_GetName(info.support));
    r->isRequired = info.isRequired;
}

void EXPORT(td_constraint_describe)(const tdAsset* asset, int constraint)
{
    ConstraintRecord* r = GET_RECORD(Constraint);
    tdConstraintInfo info = tdDescribeConstraint(asset, constraint);
    r->node = info.node;
    r->source = info.source;
    r->kind = PutAddress(tdConstraintKind_GetName(info.kind));
    r->axis = PutAddress(tdConstraintAxis_GetName(info.axis));
    r->weight = (double)info.weight;
    r->isInCycle = info.isInCycle;
}

void EXPORT(td_humanoid_describe)(const tdAsset* asset)
{
    HumanoidRecord* r = GET_RECORD(Humanoid);
    tdHumanoidInfo info = tdDescribeHumanoid(asset);
    r->kind = PutAddress(tdHumanoidKind_GetName(info.kind));
    r->hipsHeight = (double)info.hipsHeight;
    r->facesBackward = info.facesBackward;
    r->lookAt = PutAddress(tdLookAtType_GetName(info.lookAt));
    r->boneCount = TD_POSE_BONE_COUNT;
    r->materialValueCount = info.materialValueCount;
    r->metaCount = info.metaCount;
    r->firstPersonCount = info.firstPersonCount;
}

void EXPORT(td_bone_describe)(const tdAsset* asset, int bone)
{
    BoneRecord* r = GET_RECORD(Bone);
    tdHumanBoneInfo info = tdDescribeBone(asset, bone);
    r->name = PutAddress(info.name);
    r->node = info.node;
    r->parent = info.parent;
}

void EXPORT(td_expression_describe)(const tdAsset* asset, int expression)
{
    ExpressionRecord* r = GET_RECORD(Expression);
    tdExpressionInfo info = tdDescribeExpression(asset, expression);
    r->name = PutAddress(info.name);
    r->isPreset = info.isPreset;
    r->isBinary = info.isBinary;
    r->overrideBlink = PutAddress(tdExpressionOverride_GetName(info.overrideBlink));
    r->overrideLookAt = PutAddress(tdExpressionOverride_GetName(info.overrideLookAt));
    r->overrideMouth = PutAddress(tdExpressionOverride_GetName(info.overrideMouth));
    r->morphBindCount = info.morphBindCount;
    r->materialBindCount = info.materialBindCount;
}

int EXPORT(td_material_value_count)(const tdAsset* asset)
{
    return tdAsset_GetMaterialValueCount(asset);
}

void EXPORT(td_material_value_describe)(const tdAsset* asset, int value)
{
    MaterialValueRecord* r = GET_RECORD(MaterialValue);
    tdMaterialValueInfo info = tdDescribeMaterialValue(asset, value);
    r->material = info.material;
    r->texture = PutAddress(info.texture);
    r->kind = PutAddress(tdMaterialValueKind_GetName(info.kind));
    r->width = info.width;
    for (int i = 0; i < 4; ++i)
    {
        r->base[i] = (double)info.base[i];
    }
    r->pointer = PutAddress(info.pointer);
}

void EXPORT(td_meta_describe)(const tdAsset* asset, int entry)
{
    MetaRecord* r = GET_RECORD(Meta);
    tdMetaInfo info = tdDescribeMeta(asset, entry);
    r->key = PutAddress(info.key);
    r->value = PutAddress(info.value);
    r->isText = info.isText;
    r->isElement = info.isElement;
}

void EXPORT(td_first_person_describe)(const tdAsset* asset, int index)
{
    FirstPersonRecord* r = GET_RECORD(FirstPerson);
    tdFirstPersonInfo info = tdDescribeFirstPerson(asset, index);
    r->node = info.node;
    r->type = PutAddress(tdFirstPersonType_GetName(info.type));
}

void EXPORT(td_body_describe)(const tdAsset* asset, int body)
{
    BodyRecord* r = GET_RECORD(Body);
    tdBodyInfo info = tdDescribeBody(asset, body);
    r->node = info.node;
    r->motion = info.motion;
    r->mass = (double)info.mass;
    r->colliderCount = info.colliderCount;
    r->gravityFactor = (double)info.gravityFactor;
    r->dialect = PutAddress(info.dialect);
}

void EXPORT(td_collider_describe)(const tdAsset* asset, int collider)
{
    ColliderRecord* r = GET_RECORD(Collider);
    tdColliderInfo info = tdDescribeCollider(asset, collider);
    r->node = info.node;
    r->body = info.body;
    r->shape = PutAddress(tdShapeKind_GetName(info.shape));
    r->isTrigger = info.isTrigger;
    r->dialect = PutAddress(info.dialect);
    r->material = info.material;
    r->filter = info.filter;
}

void EXPORT(td_joint_describe)(const tdAsset* asset, int joint)
{
    JointRecord* r = GET_RECORD(Joint);
    tdJointInfo info = tdDescribeJoint(asset, joint);
    tdJointClass class = tdClassifyJoint(info.limits, info.limitCount);
    r->node = info.node;
    r->connectedNode = info.connectedNode;
    r->bodyA = info.bodyA;
    r->bodyB = info.bodyB;
    r->enableCollision = info.enableCollision;
    r->dialect = PutAddress(info.dialect);
    r->limitCount = info.limitCount;
    r->driveCount = info.driveCount;
    r->type = PutAddress(tdJointType_GetName(class.type));
    r->axis = class.axis;
}

void EXPORT(td_limit_describe)(const tdAsset* asset, int joint, int limit)
{
    LimitRecord* r = GET_RECORD(Limit);
    tdJointLimit info = tdDescribeJoint(asset, joint).limits[limit];
    r->linearAxes = info.linearAxes;
    r->angularAxes = info.angularAxes;
    r->min = (double)info.min;
    r->max = (double)info.max;
    r->stiffness = (double)info.stiffness;
    r->damping = (double)info.damping;
}

void EXPORT(td_drive_describe)(const tdAsset* asset, int joint, int drive)
{
    DriveRecord* r = GET_RECORD(Drive);
    tdJointDrive info = tdDescribeJoint(asset, joint).drives[drive];
    r->type = info.type;
    r->mode = info.mode;
    r->axis = info.axis == TD_AXIS_Z ? 2 : info.axis == TD_AXIS_Y ? 1 : 0;
    r->positionTarget = (double)info.positionTarget;
    r->velocityTarget = (double)info.velocityTarget;
    r->stiffness = (double)info.stiffness;
    r->damping = (double)info.damping;
    r->maxForce = (double)info.maxForce;
}
