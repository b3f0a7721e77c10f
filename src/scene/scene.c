// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Queries of the public asset API that need nothing but the scene.
#include "asset.h"

#include <string.h>

const tdPhysicsScene* tdScene_GetPhysics(const tdScene* scene, int index)
{
    if (index < 0 || index >= scene->rootsCount || index == scene->activeScene)
    {
        return scene->physics;
    }
    return scene->otherPhysics != NULL ? scene->otherPhysics[index] : NULL;
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
