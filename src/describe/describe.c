// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Descriptions of an asset (tendon/describe.h): plain structs filled from the scene. See docs/decisions/041.
#include "tendon/describe.h"

#include "constraint/constraint_list.h"
#include "scene/asset.h"
#include "scene/humanoid.h"
#include "scene/physics_scene.h"

static const char* GetText(const char* text)
{
    return text != NULL ? text : "";
}

static int64_t CountTriangles(const tdMesh* mesh)
{
    int64_t count = 0;
    for (int i = 0; i < mesh->primitiveCount; ++i)
    {
        const tdPrimitive* primitive = &mesh->primitives[i];
        count += primitive->mode == TD_PRIMITIVE_TRIANGLES ? primitive->indexCount / 3 : 0;
    }
    return count;
}

static int64_t CountVertices(const tdMesh* mesh)
{
    int64_t count = 0;
    for (int i = 0; i < mesh->primitiveCount; ++i)
    {
        count += mesh->primitives[i].vertexCount;
    }
    return count;
}

static int ComputeTreeDepth(const tdNodeTree* nodes)
{
    // In pre-order the next node is a child of the last one, or its parent is an ancestor of the last one.
    int deepest = 0, depth = 0;
    for (int i = 0; i < nodes->count; ++i)
    {
        int parent = nodes->parents[nodes->order[i]];
        if (i > 0 && parent == nodes->order[i - 1])
        {
            depth += 1;
        }
        else if (i > 0)
        {
            for (int above = nodes->order[i - 1]; above >= 0 && nodes->parents[above] != parent;
                 above = nodes->parents[above])
            {
                depth -= 1;
            }
        }
        deepest = depth + 1 > deepest ? depth + 1 : deepest;
    }
    return deepest;
}

tdAssetInfo tdDescribeAsset(const tdAsset* asset)
{
    if (asset == NULL)
    {
        return (tdAssetInfo){.version = "", .generator = ""};
    }
    const tdScene* scene = tdAsset_GetScene(asset);
    const tdFileFacts* file = &scene->file;
    tdAssetInfo info = {
        .kind = (tdFileKind)file->kind,
        .byteCount = file->byteCount,
        .version = GetText(file->version),
        .generator = GetText(file->generator),
        .sceneCount = scene->rootsCount,
        .activeScene = scene->activeScene,
        .nodeCount = scene->nodes.count,
        .treeDepth = ComputeTreeDepth(&scene->nodes),
        .meshCount = scene->meshCount,
        .skinCount = scene->skinCount,
        .animationCount = scene->animationCount,
        .materialCount = file->materialCount,
        .textureCount = file->textureCount,
        .imageCount = file->imageCount,
        .bufferCount = file->bufferCount,
        .bufferBytes = file->bufferBytes,
        .extensionCount = file->extensionCount,
    };
    for (int i = 0; i < scene->meshCount; ++i)
    {
        info.vertexCount += CountVertices(&scene->meshes[i]);
        info.triangleCount += CountTriangles(&scene->meshes[i]);
    }
    info.constraintCount = scene->constraints != NULL ? scene->constraints->count : 0;
    for (int i = 0; scene->humanoid != NULL && i < TD_BONE_COUNT; ++i)
    {
        info.boneCount += scene->humanoid->nodes[i] >= 0 ? 1 : 0;
    }
    info.expressionCount = scene->humanoid != NULL ? scene->humanoid->expressionCount : 0;
    if (scene->physics != NULL)
    {
        info.bodyCount = scene->physics->bodyCount;
        info.colliderCount = scene->physics->colliderCount;
        info.jointCount = scene->physics->jointCount;
        info.physicsMaterialCount = scene->physics->materialCount;
        info.filterCount = scene->physics->filterCount;
        info.compoundTriggerCount = scene->physics->triggerCount;
    }
    return info;
}

const char* tdSupport_GetName(tdSupport support)
{
    static const char* const names[] = {
        [TD_SUPPORT_UNKNOWN] = "unknown", [TD_SUPPORT_PLAYED] = "played",   [TD_SUPPORT_READ] = "read",
        [TD_SUPPORT_KEPT] = "kept",       [TD_SUPPORT_REFUSED] = "refused",
    };
    return names[support];
}

tdExtensionInfo tdDescribeExtension(const tdAsset* asset, int extension)
{
    if (!tdIsIndex(extension, tdAsset_GetScene(asset)->file.extensionCount))
    {
        return (tdExtensionInfo){.name = ""};
    }
    const tdExtensionUse* use = &tdAsset_GetScene(asset)->file.extensions[extension];
    return (tdExtensionInfo){GetText(use->name), use->support, use->isRequired};
}

tdSceneInfo tdDescribeScene(const tdAsset* asset, int scene)
{
    if (!tdIsIndex(scene, tdAsset_GetScene(asset)->rootsCount))
    {
        return (tdSceneInfo){.name = ""};
    }
    const tdPhysicsScene* physics = tdScene_GetPhysics(tdAsset_GetScene(asset), scene);
    tdSceneInfo info = {.name = GetText(tdAsset_GetScene(asset)->roots[scene].name),
                        .rootCount = tdAsset_GetScene(asset)->roots[scene].count};
    if (physics != NULL)
    {
        info.bodyCount = physics->bodyCount;
        info.colliderCount = physics->colliderCount;
        info.jointCount = physics->jointCount;
    }
    return info;
}

tdNodeInfo tdDescribeNode(const tdAsset* asset, int node)
{
    if (!tdIsIndex(node, tdAsset_GetScene(asset)->nodes.count))
    {
        return (tdNodeInfo){.name = ""};
    }
    const tdNodeTree* nodes = &tdAsset_GetScene(asset)->nodes;
    tdNodeInfo info = {
        .name = GetText(nodes->names[node]),
        .parent = nodes->parents[node],
        .mesh = nodes->meshes != NULL ? nodes->meshes[node] : -1,
        .skin = nodes->skins != NULL ? nodes->skins[node] : -1,
        .body = -1,
        .local = nodes->locals[node],
    };
    const tdPhysicsScene* physics = tdAsset_GetScene(asset)->physics;
    int body = physics != NULL && physics->bodyOfNode != NULL ? physics->bodyOfNode[node] : -1;
    if (body >= 0 && physics->bodies[body].node == node)
    {
        info.body = body;
    }
    return info;
}

int tdAsset_GetOrderedNode(const tdAsset* asset, int position)
{
    return tdIsIndex(position, tdAsset_GetScene(asset)->nodes.count)
               ? tdAsset_GetScene(asset)->nodes.order[position]
               : -1;
}

tdMeshInfo tdDescribeMesh(const tdAsset* asset, int mesh)
{
    if (!tdIsIndex(mesh, tdAsset_GetScene(asset)->meshCount))
    {
        return (tdMeshInfo){.name = ""};
    }
    const tdMesh* source = &tdAsset_GetScene(asset)->meshes[mesh];
    tdMeshInfo info = {.name = GetText(source->name), .primitiveCount = source->primitiveCount};
    info.vertexCount = CountVertices(source);
    info.triangleCount = CountTriangles(source);
    for (int i = 0; i < source->primitiveCount; ++i)
    {
        int count = source->primitives[i].targetCount;
        info.morphTargetCount = count > info.morphTargetCount ? count : info.morphTargetCount;
    }
    return info;
}

/// Channels of one node are nearly always next to each other in a file; further apart they count as two
/// nodes.
#define MAX_CHANNEL_DISTANCE 64

// Counts a channel unless one of the MAX_CHANNEL_DISTANCE before it moves the same node. Linear in time.
static int CountMovedNodes(const tdAnimation* animation)
{
    int count = 0;
    for (int i = 0; i < animation->channelCount; ++i)
    {
        const tdProperty* target = &animation->channels[i].target;
        bool isNew = target->kind <= TD_PROPERTY_WEIGHT;
        for (int j = i - 1; isNew && j >= 0 && j >= i - MAX_CHANNEL_DISTANCE; --j)
        {
            const tdProperty* other = &animation->channels[j].target;
            isNew = !(other->kind <= TD_PROPERTY_WEIGHT && other->object == target->object);
        }
        count += isNew ? 1 : 0;
    }
    return count;
}

tdAnimationInfo tdDescribeAnimation(const tdAsset* asset, int animation)
{
    if (!tdIsIndex(animation, tdAsset_GetScene(asset)->animationCount))
    {
        return (tdAnimationInfo){.name = ""};
    }
    const tdAnimation* source = &tdAsset_GetScene(asset)->animations[animation];
    tdAnimationInfo info = {
        .name = GetText(source->name), .duration = source->duration, .channelCount = source->channelCount};
    info.nodeCount = CountMovedNodes(source);
    for (int i = 0; i < source->channelCount; ++i)
    {
        info.keyCount += source->channels[i].keyCount;
    }
    return info;
}
