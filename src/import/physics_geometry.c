// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Collects triangles and points of meshes for colliders (morphed, skinned, in the space of the collider) and
// cooks them. Entries are independent and cooked in parallel; the result does not depend on the number of
// workers.
#include "physics_geometry.h"

#include "base/hash.h"
#include "base/progress.h"
#include "base/tasks.h"
#include "geometry/geometry.h"
#include "geometry/quickhull.h"

#include <string.h>

static bool RequestsEqual(const tdGeometryRequest* a, const tdGeometryRequest* b)
{
    return a->node == b->node && a->mesh == b->mesh && a->skin == b->skin &&
           a->colliderNode == b->colliderNode && a->useNodeWeights == b->useNodeWeights &&
           a->isHull == b->isHull && a->weights == b->weights &&
           memcmp(&a->stretch, &b->stretch, sizeof(tdMat3)) == 0;
}

static uint64_t HashRequest(const tdGeometryRequest* request)
{
    int numbers[5] = {request->node, request->mesh, request->skin, request->colliderNode,
                      request->isHull ? 1 : 0};
    uint64_t hash = tdHash(TD_HASH_INIT, numbers, sizeof(numbers));
    return tdHash(hash, &request->stretch, sizeof(tdMat3));
}

static bool GrowRequestSlots(tdGeometryCache* cache, const tdAllocator* allocator)
{
    int count = cache->slotCount > 0 ? 2 * cache->slotCount : 64;
    int* slots = tdAllocateZeroed(allocator, sizeof(int) * (size_t)count, _Alignof(int));
    if (slots == NULL)
    {
        return false;
    }
    for (int i = 0; i < cache->entries.count; ++i)
    {
        uint64_t slot = HashRequest(&cache->entries.data[i].request) & (uint64_t)(count - 1);
        while (slots[slot] != 0)
        {
            slot = (slot + 1) & (uint64_t)(count - 1);
        }
        slots[slot] = i + 1;
    }
    tdRelease(allocator, cache->slots, sizeof(int) * (size_t)cache->slotCount);
    cache->slots = slots;
    cache->slotCount = count;
    return true;
}

int tdGeometryCache_Add(tdGeometryCache* cache, const tdAllocator* allocator,
                        const tdGeometryRequest* request)
{
    if (2 * (cache->entries.count + 1) > cache->slotCount && !GrowRequestSlots(cache, allocator))
    {
        return -1;
    }
    uint64_t mask = (uint64_t)(cache->slotCount - 1);
    uint64_t slot = HashRequest(request) & mask;
    for (; cache->slots[slot] != 0; slot = (slot + 1) & mask)
    {
        int entry = cache->slots[slot] - 1;
        if (RequestsEqual(&cache->entries.data[entry].request, request))
        {
            return entry;
        }
    }
    tdCookedGeometry cooked = {.request = *request};
    if (!tdArray_Push(allocator, &cache->entries, cooked))
    {
        return -1;
    }
    cache->slots[slot] = cache->entries.count;
    return cache->entries.count - 1;
}

void tdGeometryCache_Free(tdGeometryCache* cache, const tdAllocator* allocator)
{
    tdArray_Free(allocator, &cache->entries);
    tdRelease(allocator, cache->slots, sizeof(int) * (size_t)cache->slotCount);
    *cache = (tdGeometryCache){0};
}

/// Points and triangles of one entry being collected.
typedef struct Soup
{
    tdAllocator allocator;
    bool isHull;
    tdArray(tdVec3) points;
    tdArray(uint32_t) indices;
    bool ranOutOfMemory;
} Soup;

typedef struct PrimitiveJob
{
    const tdScene* scene;
    const tdMat4* globals;
    const tdPrimitive* primitive;
    const float* weights;
    int weightCount;
    const tdSkin* skin; // NULL: none
    tdMat4 toCollider;  // from mesh space if not skinned, from the world if skinned
    tdMat3 stretch;
} PrimitiveJob;

static tdVec3 MorphPoint(const PrimitiveJob* job, int vertex)
{
    tdVec3 p = job->primitive->positions[vertex];
    for (int t = 0; t < job->primitive->targetCount && t < job->weightCount; ++t)
    {
        if (job->weights[t] != 0.0f && job->primitive->targets[t] != NULL)
        {
            p = tdMulAdd(p, job->weights[t], job->primitive->targets[t][vertex]);
        }
    }
    return p;
}

/// The skinned point in the world: weighted sum over its joints.
static tdVec3 SkinPoint(const PrimitiveJob* job, int vertex, tdVec3 p)
{
    const uint16_t* joints = job->primitive->joints + 4 * (size_t)vertex;
    const float* weights = job->primitive->jointWeights + 4 * (size_t)vertex;
    tdVec3 sum = tdVec3_zero;
    float total = 0.0f;
    for (int k = 0; k < 4; ++k)
    {
        if (weights[k] == 0.0f || joints[k] >= job->skin->jointCount)
        {
            continue;
        }
        int node = job->skin->joints[joints[k]];
        tdVec3 bound = job->skin->inverseBindMatrices != NULL
                           ? tdMat4Point(job->skin->inverseBindMatrices[joints[k]], p)
                           : p;
        sum = tdMulAdd(sum, weights[k], tdMat4Point(job->globals[node], bound));
        total += weights[k];
    }
    return total > 0.0f ? tdScale(1.0f / total, sum) : p;
}

static tdVec3 PlacePoint(const PrimitiveJob* job, int vertex)
{
    tdVec3 p = MorphPoint(job, vertex);
    if (job->skin != NULL && job->primitive->joints != NULL)
    {
        p = SkinPoint(job, vertex, p);
    }
    return tdMulMat3Vec3(job->stretch, tdMat4Point(job->toCollider, p));
}

/// Adds the vertices of a primitive, and its triangles unless a hull is requested.
static void AddPrimitive(Soup* soup, const PrimitiveJob* job)
{
    const tdPrimitive* primitive = job->primitive;
    if (primitive->vertexCount == 0 || (!soup->isHull && primitive->mode != TD_PRIMITIVE_TRIANGLES))
    {
        return;
    }
    size_t size = sizeof(int) * (size_t)primitive->vertexCount;
    int* places = tdAllocate(&soup->allocator, size, _Alignof(int)); // vertex -> point + 1
    if (places == NULL)
    {
        soup->ranOutOfMemory = true;
        return;
    }
    memset(places, 0, size);
    bool isMirrored = tdDeterminant(tdMat4Linear(job->toCollider)) * tdDeterminant(job->stretch) < 0.0f;
    // Growing step by step would need half as much memory again.
    int most = tdMinInt(primitive->vertexCount, primitive->indexCount);
    bool isGood = tdArray_Reserve(&soup->allocator, &soup->points, soup->points.count + most) &&
                  (soup->isHull || tdArray_Reserve(&soup->allocator, &soup->indices,
                                                   soup->indices.count + primitive->indexCount));
    for (int i = 0; i < primitive->indexCount && isGood; ++i)
    {
        int corner = i;
        if (isMirrored && primitive->mode == TD_PRIMITIVE_TRIANGLES && i % 3 != 0)
        {
            corner = i % 3 == 1 ? i + 1 : i - 1; // swap the last two corners
        }
        int vertex = primitive->indices != NULL ? (int)primitive->indices[corner] : corner;
        if (places[vertex] == 0)
        {
            isGood = tdArray_Push(&soup->allocator, &soup->points, PlacePoint(job, vertex));
            places[vertex] = soup->points.count;
        }
        if (!soup->isHull)
        {
            isGood = isGood && tdArray_Push(&soup->allocator, &soup->indices, (uint32_t)(places[vertex] - 1));
        }
    }
    soup->ranOutOfMemory = soup->ranOutOfMemory || !isGood;
    tdRelease(&soup->allocator, places, size);
}

static void AddMeshTriangles(Soup* soup, PrimitiveJob job, int mesh)
{
    const tdMesh* source = &job.scene->meshes[mesh];
    for (int i = 0; i < source->primitiveCount; ++i)
    {
        job.primitive = &source->primitives[i];
        AddPrimitive(soup, &job);
    }
}

/// Adds all meshes of a node and its descendants, in the space of the node.
static void AddSubtree(Soup* soup, const tdScene* scene, const tdMat4* globals,
                       const tdGeometryRequest* request)
{
    const tdNodeTree* nodes = &scene->nodes;
    tdMat4 toNode = tdInverseAffine(globals[request->node]);
    int first = nodes->positions[request->node];
    for (int position = first; position < nodes->subtreeEnds[first]; ++position)
    {
        int node = nodes->order[position];
        if (nodes->meshes[node] < 0)
        {
            continue;
        }
        int skin = nodes->skins[node];
        PrimitiveJob job = {
            .scene = scene,
            .globals = globals,
            .weights = nodes->weights + nodes->weightStarts[node],
            .weightCount = nodes->weightStarts[node + 1] - nodes->weightStarts[node],
            .skin = skin >= 0 ? &scene->skins[skin] : NULL,
            .toCollider = skin >= 0
                              ? toNode
                              : (node == request->node ? tdMat4_identity : tdMulMat4(toNode, globals[node])),
            .stretch = request->stretch,
        };
        AddMeshTriangles(soup, job, nodes->meshes[node]);
    }
}

static void AddSingleMesh(Soup* soup, const tdScene* scene, const tdMat4* globals,
                          const tdGeometryRequest* request)
{
    const tdMesh* mesh = &scene->meshes[request->mesh];
    PrimitiveJob job = {
        .scene = scene,
        .globals = globals,
        .weights = mesh->weights,
        .weightCount = mesh->weightCount,
        .toCollider = tdMat4_identity,
        .stretch = request->stretch,
    };
    if (request->weights != NULL)
    {
        job.weights = request->weights;
        job.weightCount = request->weightCount;
    }
    else if (request->useNodeWeights)
    {
        const int* starts = scene->nodes.weightStarts + request->colliderNode;
        job.weights = scene->nodes.weights + starts[0];
        job.weightCount = starts[1] - starts[0];
    }
    if (request->skin >= 0)
    {
        job.skin = &scene->skins[request->skin];
        job.toCollider = tdInverseAffine(globals[request->colliderNode]);
    }
    AddMeshTriangles(soup, job, request->mesh);
}

typedef struct CookTask
{
    tdGeometryCache* cache;
    const tdImport* import;
    const tdMat4* globals;
    tdLoadLevel level;
} CookTask;

/// The triangles of an entry that need no copy, because the collider has them as the file has them: one list
/// of triangles without morph targets and skin, in the space of the collider. NULL: they need one.
static const tdPrimitive* GetPlainPrimitive(const tdScene* scene, const tdGeometryRequest* request)
{
    if (request->node >= 0 || request->skin >= 0 || request->isHull ||
        memcmp(&request->stretch, &tdMat3_identity, sizeof(tdMat3)) != 0)
    {
        return NULL;
    }
    const tdMesh* mesh = &scene->meshes[request->mesh];
    const tdPrimitive* primitive = mesh->primitives;
    bool isPlain = mesh->primitiveCount == 1 && primitive->mode == TD_PRIMITIVE_TRIANGLES &&
                   primitive->targetCount == 0 && primitive->vertexCount > 0;
    return isPlain ? primitive : NULL;
}

static bool NeedsVolume(const CookTask* task, const tdCookedGeometry* entry)
{
    return task->level == TD_LOAD_MASSES && entry->needsVolume;
}

/// Measures an entry for a level that cooks no meshes.
/// @return false if its triangles have to be collected first
static bool MeasurePlainEntry(const CookTask* task, tdCookedGeometry* entry)
{
    const tdPrimitive* primitive =
        task->level == TD_LOAD_SIMULATION ? NULL : GetPlainPrimitive(task->import->scene, &entry->request);
    if (primitive == NULL)
    {
        return false;
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = primitive->positions;
    def.positionCount = primitive->vertexCount;
    def.indices = primitive->indices;
    def.indexCount = primitive->indexCount;
    def.allocator = &task->import->asset->allocator;
    def.progress = task->import->def->progress;
    entry->geometry = tdMeasureMeshGeometry(&def, NeedsVolume(task, entry), &entry->status);
    return true;
}

static void CookEntry(const CookTask* task, tdCookedGeometry* entry)
{
    if (MeasurePlainEntry(task, entry))
    {
        return;
    }
    const tdAllocator* allocator = &task->import->asset->allocator;
    tdProgress* progress = task->import->def->progress;
    Soup soup = {.allocator = *allocator, .isHull = entry->request.isHull};
    if (entry->request.node >= 0)
    {
        AddSubtree(&soup, task->import->scene, task->globals, &entry->request);
    }
    else
    {
        AddSingleMesh(&soup, task->import->scene, task->globals, &entry->request);
    }
    if (soup.ranOutOfMemory)
    {
        entry->status = TD_GEOMETRY_OUT_OF_MEMORY;
    }
    else if (entry->request.isHull)
    {
        entry->isHullLeftOut = task->level == TD_LOAD_SCENE &&
                               tdIsFullDimensional(soup.points.data, soup.points.count, &entry->box);
        if (!entry->isHullLeftOut)
        {
            entry->geometry =
                tdCookHullGeometry(soup.points.data, soup.points.count, allocator, &entry->status);
        }
        tdProgress_Add(progress, TD_PROGRESS_TRIANGLE * (uint64_t)soup.points.count);
    }
    else
    {
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = soup.points.data;
        def.positionCount = soup.points.count;
        def.indices = soup.indices.data;
        def.indexCount = soup.indices.count;
        def.allocator = allocator;
        def.tasks = task->import->def->tasks; // a large mesh uses idle workers
        def.progress = progress;
        entry->geometry = task->level == TD_LOAD_SIMULATION
                              ? tdCreateMeshGeometry(&def, &entry->status)
                              : tdMeasureMeshGeometry(&def, NeedsVolume(task, entry), &entry->status);
    }
    tdArray_Free(&soup.allocator, &soup.points);
    tdArray_Free(&soup.allocator, &soup.indices);
}

static void CookRange(void* context, int startIndex, int endIndex, int worker)
{
    (void)worker;
    const CookTask* task = context;
    for (int i = startIndex; i < endIndex; ++i)
    {
        CookEntry(task, &task->cache->entries.data[i]);
    }
}

/// Counts triangles of meshes and points of hulls to cook.
static void CountWork(const tdGeometryCache* cache, const tdScene* scene, uint64_t* triangles,
                      uint64_t* points)
{
    const tdNodeTree* nodes = &scene->nodes;
    *triangles = *points = 0;
    for (int i = 0; i < cache->entries.count; ++i)
    {
        const tdGeometryRequest* request = &cache->entries.data[i].request;
        int first = request->node >= 0 ? nodes->positions[request->node] : 0;
        int end = request->node >= 0 ? nodes->subtreeEnds[first] : 1;
        for (int position = first; position < end; ++position)
        {
            int mesh = request->node >= 0 ? nodes->meshes[nodes->order[position]] : request->mesh;
            for (int k = 0; mesh >= 0 && k < scene->meshes[mesh].primitiveCount; ++k)
            {
                const tdPrimitive* primitive = &scene->meshes[mesh].primitives[k];
                *points += request->isHull ? (uint64_t)primitive->vertexCount : 0;
                *triangles += request->isHull ? 0 : (uint64_t)(primitive->indexCount / 3);
            }
        }
    }
}

bool tdGeometryCache_Cook(tdGeometryCache* cache, tdImport* import, const tdMat4* globals)
{
    uint64_t triangles, points;
    CountWork(cache, import->scene, &triangles, &points);
    if (!tdImport_Allow(import, TD_LIMIT_triangles, (double)triangles, NULL) ||
        !tdImport_Allow(import, TD_LIMIT_hullPoints, (double)points, NULL))
    {
        return false;
    }
    CookTask task = {cache, import, globals, import->level};
    tdProgress* progress = import->def->progress;
    if (progress != NULL)
    {
        tdProgress_Start(progress, TD_PROGRESS_COOKING, TD_PROGRESS_TRIANGLE * (triangles + points));
    }
    tdTasks_For(import->def->tasks, CookRange, &task, cache->entries.count, 1);
    return true;
}

void tdGeometryCache_CookHull(tdGeometryCache* cache, int entry, const tdImport* import,
                              const tdMat4* globals)
{
    CookTask task = {cache, import, globals, TD_LOAD_MASSES};
    CookEntry(&task, &cache->entries.data[entry]);
}
