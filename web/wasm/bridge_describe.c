// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What a file holds, one record at a time.
#include "bridge.h"

void EXPORT(td_asset_describe)(const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    record[0] = info.kind;
    record[1] = info.activeScene;
    record[2] = info.nodeCount;
    record[3] = info.animationCount;
    record[4] = info.constraintCount;
    record[5] = info.expressionCount;
    record[6] = info.bodyCount;
    record[7] = info.colliderCount;
    record[8] = info.jointCount;
    record[9] = info.sceneCount;
    record[10] = PutText(info.generator);
    record[11] = info.extensionCount;
}

void EXPORT(td_node_describe)(const tdAsset* asset, int node)
{
    tdNodeInfo info = tdDescribeNode(asset, node);
    record[0] = PutText(info.name);
    record[1] = info.parent;
    record[2] = info.mesh;
    record[3] = info.skin;
    record[4] = info.body;
    PutVec3(record + 5, info.local.translation);
    PutQuat(record + 8, info.local.rotation);
    PutVec3(record + 12, info.local.scale);
}

void EXPORT(td_animation_describe)(const tdAsset* asset, int animation)
{
    tdAnimationInfo info = tdDescribeAnimation(asset, animation);
    record[0] = PutText(info.name);
    record[1] = (double)info.duration;
    record[2] = info.channelCount;
    record[3] = info.nodeCount;
}

void EXPORT(td_extension_describe)(const tdAsset* asset, int extension)
{
    tdExtensionInfo info = tdDescribeExtension(asset, extension);
    record[0] = PutText(info.name);
    record[1] = PutText(info.support);
    record[2] = info.isRequired;
}

void EXPORT(td_constraint_describe)(const tdAsset* asset, int constraint)
{
    tdConstraintInfo info = tdDescribeConstraint(asset, constraint);
    record[0] = info.node;
    record[1] = info.source;
    record[2] = PutText(info.kind);
    record[3] = PutText(info.axis);
    record[4] = (double)info.weight;
    record[5] = info.isInCycle;
}

void EXPORT(td_humanoid_describe)(const tdAsset* asset)
{
    tdHumanoidInfo info = tdDescribeHumanoid(asset);
    record[0] = PutText(info.kind);
    record[1] = (double)info.hipsHeight;
    record[2] = info.facesBackward;
    record[3] = PutText(info.lookAt);
    record[4] = TD_POSE_BONE_COUNT;
}

void EXPORT(td_bone_describe)(const tdAsset* asset, int bone)
{
    tdHumanBoneInfo info = tdDescribeBone(asset, bone);
    record[0] = PutText(info.name);
    record[1] = info.node;
    record[2] = info.parent;
}

void EXPORT(td_expression_describe)(const tdAsset* asset, int expression)
{
    tdExpressionInfo info = tdDescribeExpression(asset, expression);
    record[0] = PutText(info.name);
    record[1] = info.isPreset;
    record[2] = info.isBinary;
}

void EXPORT(td_body_describe)(const tdAsset* asset, int body)
{
    tdBodyInfo info = tdDescribeBody(asset, body);
    record[0] = info.node;
    record[1] = info.motion;
    record[2] = (double)info.mass;
    record[3] = info.colliderCount;
    record[4] = (double)info.gravityFactor;
    record[5] = PutText(info.dialect);
}

void EXPORT(td_collider_describe)(const tdAsset* asset, int collider)
{
    tdColliderInfo info = tdDescribeCollider(asset, collider);
    record[0] = info.node;
    record[1] = info.body;
    record[2] = PutText(info.shape);
    record[3] = info.isTrigger;
    record[4] = PutText(info.dialect);
    record[5] = info.material;
    record[6] = info.filter;
}

void EXPORT(td_joint_describe)(const tdAsset* asset, int joint)
{
    tdJointInfo info = tdDescribeJoint(asset, joint);
    tdJointClass class = tdClassifyJoint(info.limits, info.limitCount);
    record[0] = info.node;
    record[1] = info.connectedNode;
    record[2] = info.bodyA;
    record[3] = info.bodyB;
    record[4] = info.enableCollision;
    record[5] = PutText(info.dialect);
    record[6] = info.limitCount;
    record[7] = info.driveCount;
    record[8] = PutText(tdJointType_GetName(class.type));
    record[9] = class.axis;
}

void EXPORT(td_limit_describe)(const tdAsset* asset, int joint, int limit)
{
    tdJointLimit info = tdDescribeJoint(asset, joint).limits[limit];
    record[0] = info.linearAxes;
    record[1] = info.angularAxes;
    record[2] = (double)info.min;
    record[3] = (double)info.max;
    record[4] = (double)info.stiffness;
    record[5] = (double)info.damping;
}

void EXPORT(td_drive_describe)(const tdAsset* asset, int joint, int drive)
{
    tdJointDrive info = tdDescribeJoint(asset, joint).drives[drive];
    record[0] = info.type;
    record[1] = info.mode;
    record[2] = info.axis == TD_AXIS_Z ? 2 : info.axis == TD_AXIS_Y ? 1 : 0;
    record[3] = (double)info.positionTarget;
    record[4] = (double)info.velocityTarget;
    record[5] = (double)info.stiffness;
    record[6] = (double)info.damping;
    record[7] = (double)info.maxForce;
}
