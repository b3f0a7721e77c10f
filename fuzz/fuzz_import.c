// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the import with any text as a .gltf and a JSON-aware mutator: most inputs are valid JSON with
// one value replaced, removed or duplicated. A file that loads must keep the invariants of the scene, save
// byte for byte, survive an edit, and allocate no more memory than its size justifies.
#include "mutate_json.h"

#include "gltf/document_edit.h"
#include "import/create_asset.h"
#include "import/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void Require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

/// Invariants 1 to 3 of scene/scene.h.
static void CheckScene(const tdScene* scene)
{
    const tdNodeTree* nodes = &scene->nodes;
    for (int position = 0; position < nodes->count; ++position)
    {
        int node = nodes->order[position];
        Require(node >= 0 && node < nodes->count && nodes->positions[node] == position);
        Require(nodes->parents[node] < nodes->count && nodes->meshes[node] < scene->meshCount &&
                nodes->skins[node] < scene->skinCount);
        Require(nodes->parents[node] < 0 || nodes->positions[nodes->parents[node]] < position);
        Require(nodes->subtreeEnds[position] > position && nodes->subtreeEnds[position] <= nodes->count);
        Require(nodes->weightStarts[node] <= nodes->weightStarts[node + 1] && nodes->names[node] != NULL);
        const tdTrs* local = &nodes->locals[node];
        Require(tdIsFiniteVec3(local->translation) && tdIsFiniteVec3(local->scale));
        Require(fabsf(tdDotQuat(local->rotation, local->rotation) - 1.0f) < 1.0e-4f);
    }
    for (int s = 0; s < scene->skinCount; ++s)
    {
        for (int k = 0; k < scene->skins[s].jointCount; ++k)
        {
            Require(scene->skins[s].joints[k] >= 0 && scene->skins[s].joints[k] < nodes->count);
        }
    }
    Require(scene->activeScene < scene->rootsCount);
    for (int r = 0; r < scene->rootsCount; ++r)
    {
        for (int k = 0; k < scene->roots[r].count; ++k)
        {
            Require(scene->roots[r].nodes[k] >= 0 && scene->roots[r].nodes[k] < nodes->count);
        }
    }
    for (int m = 0; m < scene->meshCount; ++m)
    {
        for (int p = 0; p < scene->meshes[m].primitiveCount; ++p)
        {
            const tdPrimitive* primitive = &scene->meshes[m].primitives[p];
            for (int i = 0; i < primitive->indexCount; ++i)
            {
                Require(primitive->indices == NULL
                            ? i < primitive->vertexCount
                            : primitive->indices[i] < (uint32_t)primitive->vertexCount);
            }
            for (int i = 0; i < primitive->vertexCount; ++i)
            {
                Require(tdIsFiniteVec3(primitive->positions[i]));
            }
        }
    }
    for (int a = 0; a < scene->animationCount; ++a)
    {
        for (int c = 0; c < scene->animations[a].channelCount; ++c)
        {
            const tdChannel* channel = &scene->animations[a].channels[c];
            Require(channel->keyCount > 0 && channel->width > 0 && channel->times[0] >= 0.0f);
            int perKey = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE ? 3 : 1;
            for (int k = 0; k < channel->keyCount; ++k)
            {
                Require(k == 0 || channel->times[k] > channel->times[k - 1]);
                Require(channel->times[k] <= scene->animations[a].duration);
            }
            for (int k = 0; k < channel->keyCount * perKey * channel->width; ++k)
            {
                Require(isfinite(channel->values[k]));
            }
        }
    }
}

static void EditAndLoad(const tdAsset* asset)
{
    static const float values[] = {0.0f, 1.0f};
    tdDocumentEdit* edit = tdCreateDocumentEdit(asset->document, NULL);
    tdNewAccessor accessor = {.values = values, .count = 2, .componentCount = 1, .writeBounds = true};
    Require(tdDocumentEdit_AddAccessor(edit, &accessor) >= 0);
    Require(tdDocumentEdit_AddElement(edit, "animations", "{\"channels\":[],\"samplers\":[]}", 29) >= 0);
    tdDocument* document = tdDocumentEdit_Finish(edit, NULL);
    tdDestroyDocumentEdit(edit);
    Require(document != NULL);
    tdAsset* edited = tdFinishEditedAsset(tdCreateEditedAsset(asset, asset->name, NULL), document, NULL);
    Require(edited != NULL && tdAsset_GetScene(edited)->animationCount == asset->scene.animationCount + 1);
    tdDestroyAsset(edited);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = &allocator;
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(data, size, &def, report);
    Require(asset != NULL || tdReport_HasErrors(report));
    // Twice the decode budget (arenas double their blocks), some bytes per character of JSON, and a floor.
    Require(state.peakBytes < 2 * (size * TD_DECODE_FACTOR + TD_DECODE_FLOOR) + 200 * size + (1 << 20));
    if (asset != NULL)
    {
        CheckScene(&asset->scene);
        if (asset->document != NULL)
        {
            size_t savedSize = 0;
            void* saved = tdSaveAssetToMemory(asset, TD_SAVE_SAME, NULL, &savedSize, NULL);
            Require(saved != NULL && savedSize == size && memcmp(saved, data, size) == 0);
            tdFreeSaved(saved, savedSize, NULL);
            EditAndLoad(asset);
        }
    }
    tdReport_GetText(report);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    Require(state.liveBlocks == 0);
    return 0;
}
