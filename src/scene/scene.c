// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lookups in the scene, and the public asset functions that need nothing else.
#include "asset.h"

#include "base/assert.h"

#include <string.h>

const char* tdPropertyKind_GetPath(tdPropertyKind kind)
{
    static const char* const paths[] = {[TD_PROPERTY_TRANSLATION] = "translation",
                                        [TD_PROPERTY_ROTATION] = "rotation",
                                        [TD_PROPERTY_SCALE] = "scale",
                                        [TD_PROPERTY_WEIGHTS] = "weights"};
    return kind <= TD_PROPERTY_WEIGHTS ? paths[kind] : NULL;
}

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
    case TD_PROPERTY_MATERIAL_VALUE:
        return TD_PROPERTY_CLASS_MATERIAL_VALUE;
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
    return tdAsset_GetScene(asset)->nodes.count;
}

const char* tdAsset_GetNodeName(const tdAsset* asset, int node)
{
    const tdNodeTree* nodes = &tdAsset_GetScene(asset)->nodes;
    return node >= 0 && node < nodes->count ? nodes->names[node] : NULL;
}

int tdAsset_FindNode(const tdAsset* asset, const char* name)
{
    const tdNodeTree* nodes = &tdAsset_GetScene(asset)->nodes;
    for (int i = 0; name != NULL && i < nodes->count; ++i)
    {
        if (strcmp(nodes->names[i], name) == 0)
        {
            return i;
        }
    }
    return -1;
}

int tdAsset_GetAnimationCount(const tdAsset* asset)
{
    return tdAsset_GetScene(asset)->animationCount;
}

const char* tdAsset_GetAnimationName(const tdAsset* asset, int animation)
{
    const tdScene* scene = tdAsset_GetScene(asset);
    return animation >= 0 && animation < scene->animationCount ? scene->animations[animation].name : NULL;
}

int tdAsset_FindAnimation(const tdAsset* asset, const char* name)
{
    const tdScene* scene = tdAsset_GetScene(asset);
    for (int i = 0; name != NULL && i < scene->animationCount; ++i)
    {
        if (strcmp(scene->animations[i].name, name) == 0)
        {
            return i;
        }
    }
    return -1;
}
