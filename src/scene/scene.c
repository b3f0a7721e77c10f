// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lookups in the scene, and the public asset functions that need nothing else.
#include "asset.h"

#include "base/assert.h"

#include <string.h>

const tdPhysicsScene* tdScene_GetPhysics(const tdScene* scene, int index)
{
    if (index < 0 || index >= scene->rootsCount || index == scene->activeScene)
    {
        return scene->physics;
    }
    return scene->otherPhysics != NULL ? scene->otherPhysics[index] : NULL;
}

tdPropertyClass tdPropertyKind_GetClass(tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_TRANSLATION:
    case TD_PROPERTY_ROTATION:
    case TD_PROPERTY_SCALE:
        return TD_PROPERTY_CLASS_LOCAL;
    case TD_PROPERTY_WEIGHTS:
    case TD_PROPERTY_WEIGHT:
        return TD_PROPERTY_CLASS_MORPH;
    case TD_PROPERTY_EXPRESSION:
        return TD_PROPERTY_CLASS_EXPRESSION;
    case TD_PROPERTY_LOOK_AT:
        return TD_PROPERTY_CLASS_LOOK_AT;
    case TD_PROPERTY_MATERIAL_STATIC_FRICTION:
    case TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION:
    case TD_PROPERTY_MATERIAL_RESTITUTION:
        return TD_PROPERTY_CLASS_MATERIAL;
    case TD_PROPERTY_LIMIT_MIN:
    case TD_PROPERTY_LIMIT_MAX:
    case TD_PROPERTY_LIMIT_STIFFNESS:
    case TD_PROPERTY_LIMIT_DAMPING:
        return TD_PROPERTY_CLASS_LIMIT;
    case TD_PROPERTY_DRIVE_MAX_FORCE:
    case TD_PROPERTY_DRIVE_POSITION_TARGET:
    case TD_PROPERTY_DRIVE_VELOCITY_TARGET:
    case TD_PROPERTY_DRIVE_STIFFNESS:
    case TD_PROPERTY_DRIVE_DAMPING:
        return TD_PROPERTY_CLASS_DRIVE;
    case TD_PROPERTY_MOTION_IS_KINEMATIC:
    case TD_PROPERTY_MOTION_MASS:
    case TD_PROPERTY_MOTION_CENTER_OF_MASS:
    case TD_PROPERTY_MOTION_INERTIA_DIAGONAL:
    case TD_PROPERTY_MOTION_INERTIA_ORIENTATION:
    case TD_PROPERTY_MOTION_LINEAR_VELOCITY:
    case TD_PROPERTY_MOTION_ANGULAR_VELOCITY:
    case TD_PROPERTY_MOTION_GRAVITY_FACTOR:
        return TD_PROPERTY_CLASS_MOTION;
    case TD_PROPERTY_JOINT_ENABLE_COLLISION:
        return TD_PROPERTY_CLASS_JOINT;
    case TD_PROPERTY_SHAPE_SIZE:
    case TD_PROPERTY_SHAPE_RADIUS:
    case TD_PROPERTY_SHAPE_HEIGHT:
    case TD_PROPERTY_SHAPE_RADIUS_TOP:
    case TD_PROPERTY_SHAPE_RADIUS_BOTTOM:
    case TD_PROPERTY_SHAPE_SIZE_X:
    case TD_PROPERTY_SHAPE_SIZE_Z:
    case TD_PROPERTY_SHAPE_DOUBLE_SIDED:
        return TD_PROPERTY_CLASS_SHAPE;
    case TD_PROPERTY_KIND_COUNT:
        break;
    }
    TD_ASSERT(false);
    return TD_PROPERTY_CLASS_LOCAL;
}

bool tdNodeTree_IsAncestor(const tdNodeTree* nodes, int ancestor, int node)
{
    int a = nodes->positions[ancestor], b = nodes->positions[node];
    return a < b && b < nodes->subtreeEnds[a];
}

int tdAsset_GetNodeCount(const tdAsset* asset)
{
    return asset != NULL ? asset->scene.nodes.count : 0;
}

const char* tdAsset_GetNodeName(const tdAsset* asset, int node)
{
    if (asset == NULL || node < 0 || node >= asset->scene.nodes.count)
    {
        return NULL;
    }
    return asset->scene.nodes.names[node];
}

int tdAsset_FindNode(const tdAsset* asset, const char* name)
{
    for (int i = 0; asset != NULL && name != NULL && i < asset->scene.nodes.count; ++i)
    {
        if (strcmp(asset->scene.nodes.names[i], name) == 0)
        {
            return i;
        }
    }
    return -1;
}

int tdAsset_GetAnimationCount(const tdAsset* asset)
{
    return asset != NULL ? asset->scene.animationCount : 0;
}

const char* tdAsset_GetAnimationName(const tdAsset* asset, int animation)
{
    if (asset == NULL || animation < 0 || animation >= asset->scene.animationCount)
    {
        return NULL;
    }
    return asset->scene.animations[animation].name;
}

int tdAsset_FindAnimation(const tdAsset* asset, const char* name)
{
    for (int i = 0; asset != NULL && name != NULL && i < asset->scene.animationCount; ++i)
    {
        if (strcmp(asset->scene.animations[i].name, name) == 0)
        {
            return i;
        }
    }
    return -1;
}
