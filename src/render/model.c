// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads normals, texture coordinates and colours beside the positions that the scene has.
#include "model.h"

#include <string.h>

// The accessor of an attribute if it has the right size and count, as floats; NULL otherwise.
static const float* GetAttribute(tdAccessors* accessors, int attributes, const char* name, int vertexCount,
                                 int least, int most, int* size)
{
    int64_t index = -1;
    const tdJson* json = accessors->document->json;
    if (!tdJson_GetInteger(json, tdJson_Find(json, attributes, name), &index))
    {
        return NULL;
    }
    const tdAccessor* accessor = tdAccessors_Get(accessors, index);
    if (accessor == NULL || accessor->count != vertexCount || accessor->columns != 1 ||
        accessor->rows < least || accessor->rows > most)
    {
        return NULL;
    }
    *size = accessor->rows;
    return tdAccessors_GetFloats(accessors, (int)index);
}

static void ReadPart(tdPart* part, tdModel* model, tdAccessors* accessors, int value)
{
    const tdJson* json = accessors->document->json;
    int attributes = tdJson_Find(json, value, "attributes"), size = 0;
    int vertexCount = part->primitive->vertexCount;
    int64_t material = -1;
    tdJson_GetInteger(json, tdJson_Find(json, value, "material"), &material);
    part->surface = material >= 0 && material < model->surfaces.count ? (int)material : model->surfaces.count;
    part->normals =
        (const tdVec3*)(const void*)GetAttribute(accessors, attributes, "NORMAL", vertexCount, 3, 3, &size);
    char name[16] = "TEXCOORD_0";
    name[9] = (char)('0' + model->surfaces.surfaces[part->surface].texCoord);
    part->uvs = GetAttribute(accessors, attributes, name, vertexCount, 2, 2, &size);
    part->colors = GetAttribute(accessors, attributes, "COLOR_0", vertexCount, 3, 4, &part->colorSize);
}

// Marks the nodes of the active scene.
static void MarkNodes(const tdScene* scene, bool* isDrawn)
{
    const tdNodeTree* nodes = &scene->nodes;
    memset(isDrawn, scene->activeScene < 0 ? 1 : 0, (size_t)nodes->count);
    const tdSceneRoots* roots = scene->activeScene >= 0 ? &scene->roots[scene->activeScene] : NULL;
    for (int i = 0; roots != NULL && i < roots->count; ++i)
    {
        int start = nodes->positions[roots->nodes[i]];
        for (int position = start; position < nodes->subtreeEnds[start]; ++position)
        {
            isDrawn[nodes->order[position]] = true;
        }
    }
}

static int CountParts(const tdScene* scene, const bool* isDrawn)
{
    int count = 0;
    for (int i = 0; i < scene->nodes.count; ++i)
    {
        int mesh = scene->nodes.meshes[i];
        count += isDrawn[i] && mesh >= 0 ? scene->meshes[mesh].primitiveCount : 0;
    }
    return count;
}

static void AddParts(tdModel* model, tdAccessors* accessors, const bool* isDrawn)
{
    const tdScene* scene = model->scene;
    const tdJson* json = accessors->document->json;
    int meshes = tdJson_Find(json, 0, "meshes");
    for (int i = 0; i < scene->nodes.count; ++i)
    {
        int mesh = scene->nodes.meshes[i];
        int list = isDrawn[i] && mesh >= 0 ? tdJson_Find(json, tdJson_At(json, meshes, mesh), "primitives")
                                           : TD_JSON_NONE;
        for (int k = 0; list >= 0 && k < scene->meshes[mesh].primitiveCount; ++k)
        {
            const tdPrimitive* primitive = &scene->meshes[mesh].primitives[k];
            if (primitive->mode != TD_PRIMITIVE_TRIANGLES || primitive->indexCount < 3)
            {
                continue;
            }
            bool isSkinned = scene->nodes.skins[i] >= 0 && primitive->joints != NULL;
            tdPart* part = &model->parts[model->partCount++];
            *part = (tdPart){.node = i,
                             .skin = isSkinned ? scene->nodes.skins[i] : -1,
                             .primitive = primitive,
                             .firstVertex = model->vertexCount,
                             .firstTriangle = model->triangleCount};
            ReadPart(part, model, accessors, tdJson_At(json, list, primitive->fileIndex));
            model->vertexCount += primitive->vertexCount;
            model->triangleCount += primitive->indexCount / 3;
        }
    }
}

static void ReadCameras(tdModel* model, const tdJson* json, const bool* isDrawn)
{
    int list = tdJson_Find(json, 0, "nodes"), cameras = tdJson_Find(json, 0, "cameras"), node = 0;
    for (int child = tdJson_GetFirst(json, list); child >= 0 && node < model->scene->nodes.count;
         child = tdJson_GetNext(json, child), ++node)
    {
        int64_t index = -1;
        if (!isDrawn[node] || !tdJson_GetInteger(json, tdJson_Find(json, child, "camera"), &index) ||
            index < 0 || index >= tdJson_GetCount(json, cameras))
        {
            continue;
        }
        int perspective = tdJson_Find(json, tdJson_At(json, cameras, (int)index), "perspective");
        double angle = tdJson_GetNumber(json, tdJson_Find(json, perspective, "yfov"), 0.0);
        if (angle > 0.0 && angle < 3.0)
        {
            model->cameras[model->cameraCount++] = (tdModelCamera){node, (float)angle};
        }
    }
}

bool tdReadModel(tdModel* model, const tdAsset* asset, tdArena* arena, tdReport* report)
{
    const tdScene* scene = tdAsset_GetScene(asset);
    *model = (tdModel){.scene = scene};
    if (asset->document == NULL)
    {
        return true; // a BVH has no meshes
    }
    tdAccessors accessors;
    bool* isDrawn = tdArena_NewArray(arena, bool, scene->nodes.count + 1);
    if (isDrawn == NULL || !tdAccessors_Init(&accessors, asset->document, arena, NULL) ||
        !tdReadSurfaces(&model->surfaces, &accessors, &asset->def.limits, arena, report))
    {
        return false;
    }
    MarkNodes(scene, isDrawn);
    model->parts = tdArena_NewArray(arena, tdPart, CountParts(scene, isDrawn) + 1);
    model->cameras = tdArena_NewArray(arena, tdModelCamera, scene->nodes.count + 1);
    if (model->parts == NULL || model->cameras == NULL)
    {
        return false;
    }
    AddParts(model, &accessors, isDrawn);
    ReadCameras(model, asset->document->json, isDrawn);
    return true;
}
