// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Cooking of triangle meshes: welds equal positions, drops degenerate triangles, builds the BVH, finds the
// neighbour and the kind of each edge, sums up the volume, and packs all of it into one block. Decision:
// docs/decisions/051-meshes.md.
//
// See docs/decisions/065-loading.md.
#include "triangles.h"

#include "bvh.h"
#include "hull.h"
#include "inner_radius.h"
#include "shells.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/sse2.h"
#include "base/tasks.h"

#include <string.h>

/// Sine of the angle between the normals below which an edge is flat: a tenth of a degree.
#define FLAT_SINE 0.00175f
/// A triangle whose cross product is below this, relative to its squared longest side, has no reliable
/// normal; the absolute minimum, in m^2, protects against denormal products.
#define MIN_TRIANGLE_AREA 1.0e-6f
#define MIN_TRIANGLE_AREA_ABSOLUTE 1.0e-30f
/// Largest coordinate in metres; its square is a finite float.
#define MAX_POSITION 1.0e18f
/// Least items per parallel range of the cooking loops.
#define MIN_COOK_RANGE 4096

/// Scratch memory of one cooking, all arrays in one block.
typedef struct tdMeshCook
{
    tdVec3* vertices; // welded
    int vertexCount;
    uint32_t* corners; // three welded vertices per kept triangle
    uint32_t* sources; // per kept triangle; NULL: no BVH is built
    int triangleCount;
    uint32_t* welded; // per input position: its vertex, UINT32_MAX: not yet welded
    uint32_t* table;  // first the hash table of the vertices, then the half-edges by vertex
    uint32_t tableMask;
    tdBvhItem* items; // NULL: no BVH is built
    tdBvhNode* nodes;
    int nodeCount;
    tdAabb box;           // of the kept triangles; only if no BVH is built
    uint64_t edgeBalance; // sum of SignEdge over all half-edges; only if no BVH is built
} tdMeshCook;

static uint32_t GetFloatBits(float value)
{
    value += 0.0f; // -0 becomes 0
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint32_t HashPosition(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t h = ((uint64_t)a * 0x9E3779B97F4A7C15u) ^ ((uint64_t)b * 0xC2B2AE3D27D4EB4Fu) ^
                 ((uint64_t)c * 0x165667B19E3779F9u);
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    h ^= h >> 32;
    return (uint32_t)h;
}

static uint32_t WeldVertex(tdMeshCook* cook, tdVec3 p)
{
    uint32_t slot = HashPosition(GetFloatBits(p.x), GetFloatBits(p.y), GetFloatBits(p.z)) & cook->tableMask;
    while (cook->table[slot] != UINT32_MAX)
    {
        tdVec3 q = cook->vertices[cook->table[slot]];
        if (p.x == q.x && p.y == q.y && p.z == q.z)
        {
            return cook->table[slot];
        }
        slot = (slot + 1) & cook->tableMask;
    }
    cook->table[slot] = (uint32_t)cook->vertexCount;
    cook->vertices[cook->vertexCount] = p;
    return (uint32_t)cook->vertexCount++;
}

/// The vertex of an input position. Each position is looked up once.
static uint32_t WeldIndex(tdMeshCook* cook, const tdMeshGeometryDef* def, uint32_t index)
{
    if (cook->welded[index] == UINT32_MAX)
    {
        cook->welded[index] = WeldVertex(cook, def->positions[index]);
    }
    return cook->welded[index];
}

static bool HasArea(tdVec3 a, tdVec3 b, tdVec3 c)
{
    tdVec3 u = tdSub(b, a), v = tdSub(c, a), w = tdSub(c, b);
    float longest = tdMaxFloat(tdLengthSquared(u), tdMaxFloat(tdLengthSquared(v), tdLengthSquared(w)));
    tdVec3 n = tdCross(u, v);
    float length = tdLength(n);
    return length > MIN_TRIANGLE_AREA * longest && length > MIN_TRIANGLE_AREA_ABSOLUTE;
}

static void GrowBox(tdAabb* box, bool isFirst, const tdVec3 p[3])
{
    tdVec3 lower = tdMin(p[0], tdMin(p[1], p[2])), upper = tdMax(p[0], tdMax(p[1], p[2]));
    box->lower = isFirst ? lower : tdMin(box->lower, lower);
    box->upper = isFirst ? upper : tdMax(box->upper, upper);
}

/// A hash of the ends of a half-edge, negated for the opposite direction. The sum over a closed surface is 0.
static uint64_t SignEdge(uint32_t from, uint32_t to)
{
    uint64_t low = from < to ? from : to, high = from < to ? to : from;
    uint64_t hash = (low << 32 | high) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32) * 0xBF58476D1CE4E5B9u;
    return from < to ? hash : 0 - hash;
}

static void CollectTriangles(tdMeshCook* cook, const tdMeshGeometryDef* def)
{
    for (int i = 0; i < def->indexCount / 3; ++i)
    {
        if ((i + 1) % TD_PROGRESS_STEP == 0)
        {
            tdProgress_Add(def->progress, TD_PROGRESS_STEP);
        }
        uint32_t welded[3], source[3];
        tdVec3 p[3];
        for (int k = 0; k < 3; ++k)
        {
            int corner = 3 * i + k;
            source[k] = def->indices != NULL ? def->indices[corner] : (uint32_t)corner;
            p[k] = def->positions[source[k]];
        }
        if (!HasArea(p[0], p[1], p[2]))
        {
            continue;
        }
        for (int k = 0; k < 3; ++k)
        {
            welded[k] = WeldIndex(cook, def, source[k]);
        }
        int t = cook->triangleCount++;
        memcpy(cook->corners + 3 * (size_t)t, welded, sizeof(welded));
        if (cook->items == NULL)
        {
            GrowBox(&cook->box, t == 0, p);
            cook->edgeBalance += SignEdge(welded[0], welded[1]) + SignEdge(welded[1], welded[2]) +
                                 SignEdge(welded[2], welded[0]);
        }
        else
        {
            cook->sources[t] = (uint32_t)i;
            cook->items[t].lower = tdMin(p[0], tdMin(p[1], p[2]));
            cook->items[t].upper = tdMax(p[0], tdMax(p[1], p[2]));
            cook->items[t].triangle = (uint32_t)t;
            cook->items[t].unused = 0;
        }
    }
}

static bool IsPositionGood(tdVec3 position)
{
    tdVec3 p = tdAbs(position);
    return p.x < MAX_POSITION && p.y < MAX_POSITION && p.z < MAX_POSITION;
}

/// Whether all positions are good. Without a branch per position, so that compilers compare several at once.
static bool ArePositionsGood(const tdMeshGeometryDef* def)
{
    const float* numbers = &def->positions[0].x;
    unsigned bad = 0;
    for (size_t i = 0; i < 3 * (size_t)def->positionCount; ++i)
    {
        bad |= fabsf(numbers[i]) < MAX_POSITION ? 0u : 1u;
    }
    return bad == 0;
}

static bool AreIndicesGood(const tdMeshGeometryDef* def)
{
    uint32_t most = def->indices != NULL ? 0 : (uint32_t)def->indexCount - 1;
    for (int i = 0; i < def->indexCount && def->indices != NULL; ++i)
    {
        most = def->indices[i] > most ? def->indices[i] : most;
    }
    return most < (uint32_t)def->positionCount;
}

static tdGeometryStatus CheckMesh(const tdMeshGeometryDef* def)
{
    if (def->indexCount % 3 != 0 || def->indexCount < 0 || def->positionCount < 0)
    {
        return TD_GEOMETRY_BAD_INDEX;
    }
    if (def->indexCount == 0 || def->positionCount == 0)
    {
        return TD_GEOMETRY_TOO_FEW;
    }
    if (def->indices == NULL && def->indexCount > def->positionCount)
    {
        return TD_GEOMETRY_BAD_INDEX;
    }
    if (AreIndicesGood(def) && ArePositionsGood(def))
    {
        return TD_GEOMETRY_OK;
    }
    // The first bad corner decides; positions that no corner has may be bad.
    for (int i = 0; i < def->indexCount; ++i)
    {
        uint32_t index = def->indices != NULL ? def->indices[i] : (uint32_t)i;
        if (index >= (uint32_t)def->positionCount)
        {
            return TD_GEOMETRY_BAD_INDEX;
        }
        if (!IsPositionGood(def->positions[index]))
        {
            return TD_GEOMETRY_NOT_FINITE;
        }
    }
    return TD_GEOMETRY_OK;
}

typedef struct LinkTask
{
    const uint32_t* indices;
    uint32_t* neighbors;
    const uint32_t* starts; // per vertex: its first half-edge in `edges`
    const uint32_t* edges;  // half-edges 3 t + e, grouped by the vertex that owns them, ascending
    atomic_bool isOpen;     // an edge does not join exactly two triangles of the same winding
} LinkTask;

static uint32_t GetNextCorner(uint32_t halfEdge)
{
    return halfEdge % 3 == 2 ? halfEdge - 2 : halfEdge + 1;
}

/// The end with fewer triangles owns an edge, which keeps the lists short.
static uint32_t ChooseEnd(const uint32_t* indices, const uint32_t* degrees, uint32_t halfEdge)
{
    uint32_t a = indices[halfEdge], b = indices[GetNextCorner(halfEdge)];
    return degrees[a] < degrees[b] || (degrees[a] == degrees[b] && a < b) ? a : b;
}

static uint32_t GetOtherEnd(const uint32_t* indices, uint32_t halfEdge, uint32_t end)
{
    return indices[halfEdge] == end ? indices[GetNextCorner(halfEdge)] : indices[halfEdge];
}

/// Links the edges that the vertices of the range own. Two half-edges of an edge are neighbours; a single
/// one, and three or more, have none.
static void LinkRange(void* context, int start, int end, int worker)
{
    (void)worker;
    LinkTask* task = context;
    const uint32_t* indices = task->indices;
    bool isOpen = false;
    for (uint32_t i = task->starts[start]; i < task->starts[end]; ++i)
    {
        task->neighbors[task->edges[i]] = TD_NO_TRIANGLE;
    }
    for (int vertex = start; vertex < end; ++vertex)
    {
        uint32_t last = task->starts[vertex + 1];
        for (uint32_t i = task->starts[vertex]; i < last; ++i)
        {
            uint32_t one = task->edges[i], end1 = GetOtherEnd(indices, one, (uint32_t)vertex), other = 0;
            int partners = 0;
            for (uint32_t k = task->starts[vertex]; k < last && partners < 2; ++k)
            {
                if (k != i && GetOtherEnd(indices, task->edges[k], (uint32_t)vertex) == end1)
                {
                    other = task->edges[k];
                    partners += 1;
                }
            }
            if (partners == 1)
            {
                task->neighbors[one] = other / 3;
            }
            isOpen = isOpen || partners != 1 || indices[one] == indices[other];
        }
    }
    if (isOpen)
    {
        atomic_store(&task->isOpen, true);
    }
}

/// Fills neighbors[3 t + e].
/// @return true if the mesh is closed
static bool LinkTriangles(tdMeshCook* cook, const uint32_t* indices, uint32_t* neighbors,
                          const tdTasks* tasks)
{
    uint32_t count = 3u * (uint32_t)cook->triangleCount, vertexCount = (uint32_t)cook->vertexCount;
    // Counting sort; `starts` is shifted by one while the edges are placed.
    uint32_t *starts = cook->table, *degrees = starts + vertexCount + 2, *edges = degrees + vertexCount;
    memset(starts, 0, (2 * (size_t)vertexCount + 2) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i)
    {
        degrees[indices[i]] += 1;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        starts[ChooseEnd(indices, degrees, i) + 2] += 1;
    }
    for (uint32_t i = 2; i < vertexCount + 2; ++i)
    {
        starts[i] += starts[i - 1];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        edges[starts[ChooseEnd(indices, degrees, i) + 1]++] = i;
    }
    LinkTask task = {.indices = indices, .neighbors = neighbors, .starts = starts, .edges = edges};
    tdTasks_For(tasks, LinkRange, &task, (int)vertexCount, MIN_COOK_RANGE);
    return !atomic_load(&task.isOpen);
}

/// Tests exactly whether every edge joins two triangles of the same winding, as LinkTriangles does, without
/// storing the neighbours. Most open meshes are known by the balance of their edges.
static bool AreEdgesPaired(const tdMeshCook* cook)
{
    if (cook->edgeBalance != 0)
    {
        return false;
    }
    uint32_t count = 3u * (uint32_t)cook->triangleCount, vertexCount = (uint32_t)cook->vertexCount;
    // Counting sort as in LinkTriangles. An entry is the end that does not own the half-edge, and its
    // direction in the lowest bit.
    uint32_t *starts = cook->table, *degrees = starts + vertexCount + 2, *ends = degrees + vertexCount;
    const uint32_t* corners = cook->corners;
    memset(starts, 0, (2 * (size_t)vertexCount + 2) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i)
    {
        degrees[corners[i]] += 1;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        starts[ChooseEnd(corners, degrees, i) + 2] += 1;
    }
    for (uint32_t i = 2; i < vertexCount + 2; ++i)
    {
        starts[i] += starts[i - 1];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t owner = ChooseEnd(corners, degrees, i);
        ends[starts[owner + 1]++] = 2 * GetOtherEnd(corners, i, owner) + (corners[i] == owner ? 1u : 0u);
    }
    for (uint32_t vertex = 0; vertex < vertexCount; ++vertex)
    {
        // The only other entry of the same edge has the opposite direction and moves beside the first.
        uint32_t last = starts[vertex + 1];
        for (uint32_t one = starts[vertex]; one < last; one += 2)
        {
            uint32_t partner = 0, partners = 0;
            for (uint32_t other = one + 1; other < last; ++other)
            {
                bool isSame = (ends[other] ^ ends[one]) <= 1;
                partner = isSame ? other : partner;
                partners += isSame ? 1u : 0u;
            }
            if (partners != 1 || ends[partner] == ends[one])
            {
                return false;
            }
            ends[partner] = ends[one + 1];
        }
    }
    return true;
}

static tdVec3 ComputeNormal(const tdTriangles* mesh, int triangle)
{
    tdVec3 p[3];
    tdTriangles_GetCorners(mesh, triangle, p);
    return tdNormalize(tdCross(tdSub(p[1], p[0]), tdSub(p[2], p[0])));
}

tdVec3 tdTriangles_GetNeighborNormal(const tdTriangles* mesh, int triangle, int edge)
{
    uint32_t neighbor = mesh->neighbors[3 * (size_t)triangle + (size_t)edge];
    tdVec3 normal = mesh->normals[neighbor];
    return tdIsEdgeReversed(mesh->indices, (uint32_t)triangle, edge, neighbor) ? tdNegate(normal) : normal;
}

static tdEdgeKind ClassifyEdge(const tdTriangles* mesh, int triangle, int edge)
{
    if (mesh->neighbors[3 * (size_t)triangle + (size_t)edge] == TD_NO_TRIANGLE)
    {
        return TD_EDGE_BORDER;
    }
    const uint32_t* indices = mesh->indices + 3 * (size_t)triangle;
    uint32_t ia = indices[edge], ib = indices[(edge + 1) % 3];
    tdVec3 n = mesh->normals[triangle], m = tdTriangles_GetNeighborNormal(mesh, triangle, edge);
    tdVec3 along = tdNormalize(tdSub(mesh->vertices[ib], mesh->vertices[ia]));
    float sine = tdDot(tdCross(n, m), along);
    if (tdAbsFloat(sine) < FLAT_SINE && tdDot(n, m) > 0.0f)
    {
        return TD_EDGE_FLAT;
    }
    return sine >= 0.0f ? TD_EDGE_CONVEX : TD_EDGE_CONCAVE;
}

typedef struct FaceTask
{
    const tdTriangles* mesh;
    tdVec3* normals;
    uint8_t* kinds;
} FaceTask;

static void ComputeNormals(void* context, int start, int end, int worker)
{
    (void)worker;
    const FaceTask* task = context;
    for (int i = start; i < end; ++i)
    {
        task->normals[i] = ComputeNormal(task->mesh, i);
    }
}

static void ClassifyEdges(void* context, int start, int end, int worker)
{
    (void)worker;
    const FaceTask* task = context;
    const tdTriangles* mesh = task->mesh;
    const tdVec3* normals = mesh->normals;
    for (int i = start; i < end; ++i)
    {
        uint32_t bits = 0;
        for (int e = 0; e < 3; ++e)
        {
            tdEdgeKind kind = ClassifyEdge(mesh, i, e);
            bits |= (uint32_t)kind << (2 * e);
            bool isSharp = kind == TD_EDGE_BORDER ||
                           (kind != TD_EDGE_FLAT &&
                            tdDot(normals[i], tdTriangles_GetNeighborNormal(mesh, i, e)) < TD_SHARP_COSINE);
            bits |= isSharp && kind != TD_EDGE_CONCAVE ? TD_TRIANGLE_SHARP : 0u;
            bits |= isSharp && kind != TD_EDGE_CONVEX ? TD_TRIANGLE_SHARP_BACK : 0u;
        }
        task->kinds[i] = (uint8_t)bits;
    }
}

/// Summed in the order of the triangles as given, so that a mesh without a BVH has the same volume to the
/// bit.
static tdVolumeData ComputeMeshVolume(const tdMeshCook* cook)
{
    tdVolumeSum sum = {0};
    tdVec3 origin = cook->vertices[0];
    for (int i = 0; i < cook->triangleCount; ++i)
    {
        const uint32_t* corners = cook->corners + 3 * (size_t)i;
        tdVolumeSum_AddTriangle(&sum, tdSub(cook->vertices[corners[0]], origin),
                                tdSub(cook->vertices[corners[1]], origin),
                                tdSub(cook->vertices[corners[2]], origin));
    }
    return tdVolumeSum_Finish(&sum, origin);
}

static tdTriangles* PackMesh(tdMeshCook* cook, const tdMeshGeometryDef* def, const tdAllocator* allocator)
{
    size_t triangleCount = (size_t)cook->triangleCount;
    size_t header = tdAlign32(sizeof(tdTriangles)),
           vertexBytes = tdAlign32((size_t)cook->vertexCount * sizeof(tdVec3));
    size_t cornerBytes = tdAlign32(3 * triangleCount * sizeof(uint32_t));
    size_t normalBytes = tdAlign32(triangleCount * sizeof(tdVec3));
    size_t sourceBytes = tdAlign32(triangleCount * sizeof(uint32_t)), kindBytes = tdAlign32(triangleCount);
    size_t nodeBytes = tdAlign32((size_t)cook->nodeCount * sizeof(tdBvhNode));
    size_t size =
        header + vertexBytes + 2 * cornerBytes + normalBytes + 2 * sourceBytes + kindBytes + nodeBytes;
    char* block = tdAllocate(allocator, size, 32);
    if (block == NULL)
    {
        return NULL;
    }
    memset(block, 0, size);
    tdTriangles* mesh = (tdTriangles*)(void*)block;
    tdBvhNode* nodes = (tdBvhNode*)(void*)(block + header);
    tdVec3* vertices = (tdVec3*)(void*)((char*)nodes + nodeBytes);
    uint32_t* indices = (uint32_t*)(void*)((char*)vertices + vertexBytes);
    uint32_t* neighbors = (uint32_t*)(void*)((char*)indices + cornerBytes);
    tdVec3* normals = (tdVec3*)(void*)((char*)neighbors + cornerBytes);
    uint32_t* sources = (uint32_t*)(void*)((char*)normals + normalBytes);
    uint32_t* shells = (uint32_t*)(void*)((char*)sources + sourceBytes);
    uint8_t* kinds = (uint8_t*)((char*)shells + sourceBytes);
    memcpy(nodes, cook->nodes, (size_t)cook->nodeCount * sizeof(tdBvhNode));
    memcpy(vertices, cook->vertices, (size_t)cook->vertexCount * sizeof(tdVec3));
    for (size_t i = 0; i < triangleCount; ++i)
    {
        uint32_t t = cook->items[i].triangle;
        memcpy(indices + 3 * i, cook->corners + 3 * (size_t)t, 3 * sizeof(uint32_t));
        sources[i] = cook->sources[t];
    }
    bool isClosed = LinkTriangles(cook, indices, neighbors, def->tasks);
    *mesh = (tdTriangles){.vertices = vertices,
                          .vertexCount = cook->vertexCount,
                          .indices = indices,
                          .triangleCount = cook->triangleCount,
                          .neighbors = neighbors,
                          .normals = normals,
                          .edgeKinds = kinds,
                          .shells = shells,
                          .sources = sources,
                          .nodes = nodes,
                          .nodeCount = cook->nodeCount,
                          .aabb = {nodes[0].lower, nodes[0].upper},
                          .isDoubleSided = def->isDoubleSided,
                          .isOneSided = def->isOneSided,
                          .size = size};
    mesh->isMixed = tdFindShells(mesh, shells, cook->table); // the half-edges are no longer needed
    FaceTask faces = {mesh, normals, kinds};
    tdTasks_For(def->tasks, ComputeNormals, &faces, mesh->triangleCount, MIN_COOK_RANGE);
    tdTasks_For(def->tasks, ClassifyEdges, &faces, mesh->triangleCount, MIN_COOK_RANGE);
    if (isClosed)
    {
        mesh->volume = ComputeMeshVolume(cook);
        mesh->isClosed = mesh->volume.volume > 0.0f;
        mesh->innerRadius = tdTriangles_ComputeInnerRadius(mesh);
        tdTriangles_FindCores(mesh);
    }
    return mesh;
}

static bool AllocateCook(tdMeshCook* cook, const tdMeshGeometryDef* def, bool hasBvh,
                         const tdAllocator* allocator, char** block, size_t* size)
{
    size_t triangles = (size_t)def->indexCount / 3, corners = 3 * triangles;
    size_t positions = (size_t)def->positionCount, vertices = positions < corners ? positions : corners;
    size_t slots = 16;
    while (slots < 2 * vertices)
    {
        slots *= 2;
    }
    // The table holds first the hash table of the vertices, then the half-edges by vertex.
    size_t linkSize = 2 * vertices + corners + 2;
    size_t tableSize = slots > linkSize ? slots : linkSize;
    size_t parts[7] = {
        hasBvh ? tdAlign32(triangles * sizeof(tdBvhItem)) : 0,
        hasBvh ? tdAlign32((2 * triangles + TD_BVH_SPARE_NODES) * sizeof(tdBvhNode)) : 0,
        tdAlign32(vertices * sizeof(tdVec3)),
        tdAlign32(corners * sizeof(uint32_t)),
        hasBvh ? tdAlign32(triangles * sizeof(uint32_t)) : 0,
        tdAlign32(tableSize * sizeof(uint32_t)),
        tdAlign32(positions * sizeof(uint32_t)),
    };
    *size = 0;
    for (int i = 0; i < 7; ++i)
    {
        *size += parts[i];
    }
    char* memory = tdAllocate(allocator, *size, 32);
    *block = memory;
    if (memory == NULL)
    {
        return false;
    }
    *cook = (tdMeshCook){0};
    cook->items = hasBvh ? (tdBvhItem*)(void*)memory : NULL;
    cook->nodes = (tdBvhNode*)(void*)(memory += parts[0]);
    cook->vertices = (tdVec3*)(void*)(memory += parts[1]);
    cook->corners = (uint32_t*)(void*)(memory += parts[2]);
    memory += parts[3];
    cook->sources = hasBvh ? (uint32_t*)(void*)memory : NULL;
    cook->table = (uint32_t*)(void*)(memory += parts[4]);
    cook->tableMask = (uint32_t)(slots - 1);
    memset(cook->table, 0xFF, slots * sizeof(uint32_t));
    cook->welded = (uint32_t*)(void*)(memory + parts[5]);
    memset(cook->welded, 0xFF, positions * sizeof(uint32_t));
    return true;
}

/// Volume of an open mesh: that of its hull; none if it is flat. False when memory ran out.
static bool MeasureHull(const tdVec3* vertices, int count, const tdAllocator* allocator, tdVolumeData* volume)
{
    tdGeometryStatus status;
    tdHull* hull = tdCookHull(vertices, count, allocator, &status);
    *volume = hull != NULL ? hull->volume : (tdVolumeData){0};
    tdFreeHull(hull, allocator);
    return hull != NULL || status != TD_GEOMETRY_OUT_OF_MEMORY;
}

tdTriangles* tdCookTriangles(const tdMeshGeometryDef* def, tdGeometryStatus* status)
{
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    tdGeometryStatus result = CheckMesh(def);
    tdTriangles* mesh = NULL;
    char* block = NULL;
    size_t size = 0;
    tdMeshCook cook;
    if (result == TD_GEOMETRY_OK && !AllocateCook(&cook, def, true, &allocator, &block, &size))
    {
        result = TD_GEOMETRY_OUT_OF_MEMORY;
    }
    if (result == TD_GEOMETRY_OK)
    {
        CollectTriangles(&cook, def);
        result = cook.triangleCount > 0 ? TD_GEOMETRY_OK : TD_GEOMETRY_TOO_FEW;
    }
    if (result == TD_GEOMETRY_OK)
    {
        tdProgress_Add(def->progress, (uint64_t)(def->indexCount / 3 % TD_PROGRESS_STEP));
        cook.nodeCount = tdBuildBvh(cook.items, cook.triangleCount, cook.nodes, def->tasks, def->progress);
        mesh = PackMesh(&cook, def, &allocator);
        result = mesh != NULL ? TD_GEOMETRY_OK : TD_GEOMETRY_OUT_OF_MEMORY;
    }
    tdRelease(&allocator, block, size);
    tdProgress_Add(def->progress, mesh != NULL ? (uint64_t)cook.triangleCount : 0);
    if (mesh != NULL && !mesh->isClosed &&
        !MeasureHull(mesh->vertices, mesh->vertexCount, &allocator, &mesh->volume))
    {
        tdFreeTriangles(mesh, &allocator);
        mesh = NULL;
        result = TD_GEOMETRY_OUT_OF_MEMORY;
    }
    if (status != NULL)
    {
        *status = result;
    }
    return mesh;
}

/// Number and box of the triangles that have an area.
static void MeasureBox(const tdMeshGeometryDef* def, tdTriangles* mesh)
{
    for (int i = 0; i < def->indexCount / 3; ++i)
    {
        tdVec3 p[3];
        for (int k = 0; k < 3; ++k)
        {
            int corner = 3 * i + k;
            p[k] = def->positions[def->indices != NULL ? def->indices[corner] : (uint32_t)corner];
        }
        if (HasArea(p[0], p[1], p[2]))
        {
            GrowBox(&mesh->aabb, mesh->triangleCount++ == 0, p);
        }
    }
}

/// Number, box and volume of the triangles that have an area, which are welded and paired for its sake. False
/// when memory ran out.
static bool MeasureVolume(const tdMeshGeometryDef* def, const tdAllocator* allocator, tdTriangles* mesh)
{
    char* block = NULL;
    size_t size = 0;
    tdMeshCook cook;
    if (!AllocateCook(&cook, def, false, allocator, &block, &size))
    {
        return false;
    }
    CollectTriangles(&cook, def);
    mesh->triangleCount = cook.triangleCount;
    mesh->vertexCount = cook.vertexCount;
    mesh->aabb = cook.box;
    if (cook.triangleCount > 0 && AreEdgesPaired(&cook))
    {
        mesh->volume = ComputeMeshVolume(&cook);
        mesh->isClosed = mesh->volume.volume > 0.0f;
    }
    bool isGood = cook.triangleCount == 0 || mesh->isClosed ||
                  MeasureHull(cook.vertices, cook.vertexCount, allocator, &mesh->volume);
    tdRelease(allocator, block, size);
    return isGood;
}

tdTriangles* tdMeasureTriangles(const tdMeshGeometryDef* def, bool withVolume, tdGeometryStatus* status)
{
    tdAllocator allocator = tdAllocator_Resolve(def->allocator);
    tdTriangles measured = {
        .isDoubleSided = def->isDoubleSided, .isOneSided = def->isOneSided, .size = sizeof(tdTriangles)};
    *status = CheckMesh(def);
    if (*status == TD_GEOMETRY_OK && withVolume)
    {
        *status = MeasureVolume(def, &allocator, &measured) ? TD_GEOMETRY_OK : TD_GEOMETRY_OUT_OF_MEMORY;
    }
    else if (*status == TD_GEOMETRY_OK)
    {
        MeasureBox(def, &measured);
    }
    if (*status == TD_GEOMETRY_OK && measured.triangleCount == 0)
    {
        *status = TD_GEOMETRY_TOO_FEW;
    }
    tdTriangles* mesh = NULL;
    if (*status == TD_GEOMETRY_OK)
    {
        mesh = tdAllocate(&allocator, sizeof(tdTriangles), _Alignof(tdTriangles));
        *status = mesh != NULL ? TD_GEOMETRY_OK : TD_GEOMETRY_OUT_OF_MEMORY;
    }
    if (mesh != NULL)
    {
        *mesh = measured;
    }
    return mesh;
}

void tdFreeTriangles(tdTriangles* triangles, const tdAllocator* allocator)
{
    if (triangles != NULL)
    {
        tdAllocator resolved = tdAllocator_Resolve(allocator);
        tdRelease(&resolved, triangles, triangles->size);
    }
}

/// The same place in another block of the same layout.
static void* FindCopied(const tdTriangles* source, const tdTriangles* copy, const void* member)
{
    return (char*)(uintptr_t)copy + ((const char*)member - (const char*)source);
}

tdTriangles* tdCopyTriangles(const tdTriangles* source, const tdAllocator* allocator)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdTriangles* copy = tdAllocate(&resolved, source->size, 32);
    if (copy == NULL)
    {
        return NULL;
    }
    memcpy(copy, source, source->size);
    copy->vertices = FindCopied(source, copy, source->vertices);
    copy->indices = FindCopied(source, copy, source->indices);
    copy->neighbors = FindCopied(source, copy, source->neighbors);
    copy->normals = FindCopied(source, copy, source->normals);
    copy->edgeKinds = FindCopied(source, copy, source->edgeKinds);
    copy->shells = FindCopied(source, copy, source->shells);
    copy->sources = FindCopied(source, copy, source->sources);
    copy->nodes = FindCopied(source, copy, source->nodes);
    return copy;
}

/// Fits the boxes of the BVH to the vertices. Children come after their parents.
static void FitBoxes(const tdTriangles* mesh, tdBvhNode* nodes)
{
    for (int i = mesh->nodeCount - 1; i >= 0; --i)
    {
        tdBvhNode* node = &nodes[i];
        if (node->count == 0)
        {
            node->lower = tdMin(nodes[i + 1].lower, nodes[node->next].lower);
            node->upper = tdMax(nodes[i + 1].upper, nodes[node->next].upper);
            continue;
        }
        for (uint32_t k = 0; k < node->count; ++k)
        {
            tdVec3 p[3];
            tdTriangles_GetCorners(mesh, (int)(node->next + k), p);
            tdVec3 lower = tdMin(p[0], tdMin(p[1], p[2])), upper = tdMax(p[0], tdMax(p[1], p[2]));
            node->lower = k == 0 ? lower : tdMin(node->lower, lower);
            node->upper = k == 0 ? upper : tdMax(node->upper, upper);
        }
    }
}

void tdScaleTriangles(tdTriangles* copy, const tdTriangles* source, tdMat3 map)
{
    tdVec3* vertices = FindCopied(source, copy, source->vertices);
    for (int i = 0; i < source->vertexCount; ++i)
    {
        vertices[i] = tdMulMat3Vec3(map, source->vertices[i]);
    }
    // Normals follow the cofactors. A mirrored triangle swaps two corners, which keeps its outer side: its
    // first edge becomes the last.
    bool isMirrored = tdDeterminant(map) < 0.0f;
    float sign = isMirrored ? -1.0f : 1.0f;
    tdMat3 cofactors = {tdScale(sign, tdCross(map.cy, map.cz)), tdScale(sign, tdCross(map.cz, map.cx)),
                        tdScale(sign, tdCross(map.cx, map.cy))};
    uint32_t* indices = FindCopied(source, copy, source->indices);
    uint32_t* neighbors = FindCopied(source, copy, source->neighbors);
    tdVec3* normals = FindCopied(source, copy, source->normals);
    for (int i = 0; i < source->triangleCount; ++i)
    {
        size_t first = 3 * (size_t)i, second = first + (isMirrored ? 2 : 1),
               third = first + (isMirrored ? 1 : 2);
        indices[first] = source->indices[first];
        indices[first + 1] = source->indices[second];
        indices[first + 2] = source->indices[third];
        neighbors[first] = source->neighbors[isMirrored ? first + 2 : first];
        neighbors[first + 1] = source->neighbors[first + 1];
        neighbors[first + 2] = source->neighbors[isMirrored ? first : first + 2];
        normals[i] = tdNormalize(tdMulMat3Vec3(cofactors, source->normals[i]));
    }
    FaceTask faces = {copy, normals, FindCopied(source, copy, source->edgeKinds)};
    ClassifyEdges(&faces, 0, copy->triangleCount, 0);
    tdBvhNode* nodes = FindCopied(source, copy, source->nodes);
    FitBoxes(copy, nodes);
    copy->aabb = (tdAabb){nodes[0].lower, nodes[0].upper};
    copy->volume = tdTransformVolume(source->volume, map);
    copy->innerRadius = source->innerRadius > 0.0f ? tdTriangles_ComputeInnerRadius(copy) : 0.0f;
    tdTriangles_MapCores(copy, source, map);
}

void tdTriangleQuery_Init(tdTriangleQuery* query, const tdTriangles* mesh, tdAabb box)
{
    query->mesh = mesh;
    query->box = box;
    query->next = query->end = 0;
    query->depth = tdOverlapAabb(box, mesh->aabb) ? 1 : 0;
    query->stack[0] = 0;
}

static bool OverlapsTriangle(tdTriangleQuery* query, uint32_t triangle)
{
    tdVec3* p = query->corners;
    tdTriangles_GetCorners(query->mesh, (int)triangle, p);
    return tdOverlapAabb(query->box,
                         (tdAabb){tdMin(p[0], tdMin(p[1], p[2])), tdMax(p[0], tdMax(p[1], p[2]))});
}

#if defined(TD_SSE2)
static bool OverlapsBvhNode(const tdBvhNode* node, __m128 lower, __m128 upper)
{
    __m128 a = _mm_cmple_ps(_mm_loadu_ps(&node->lower.x), upper);
    __m128 b = _mm_cmple_ps(lower, _mm_loadu_ps(&node->upper.x));
    return (_mm_movemask_ps(_mm_and_ps(a, b)) & 7) == 7;
}
#endif

int tdTriangleQuery_Next(tdTriangleQuery* query)
{
    const tdBvhNode* nodes = query->mesh->nodes;
#if defined(TD_SSE2)
    __m128 lower = _mm_setr_ps(query->box.lower.x, query->box.lower.y, query->box.lower.z, 0.0f);
    __m128 upper = _mm_setr_ps(query->box.upper.x, query->box.upper.y, query->box.upper.z, 0.0f);
#endif
    for (;;)
    {
        while (query->next < query->end)
        {
            uint32_t triangle = query->next++;
            if (OverlapsTriangle(query, triangle))
            {
                return (int)triangle;
            }
        }
        if (query->depth == 0)
        {
            return -1;
        }
        uint32_t index = query->stack[--query->depth];
        const tdBvhNode* node = nodes + index;
        if (node->count > 0)
        {
            query->next = node->next;
            query->end = node->next + node->count;
            continue;
        }
        // Pushes only children that overlap the box; the left one is visited first.
        const tdBvhNode *left = node + 1, *right = nodes + node->next;
#if defined(TD_SSE2)
        bool overlapsLeft = OverlapsBvhNode(left, lower, upper),
             overlapsRight = OverlapsBvhNode(right, lower, upper);
#else
        bool overlapsLeft = tdOverlapAabb(query->box, (tdAabb){left->lower, left->upper});
        bool overlapsRight = tdOverlapAabb(query->box, (tdAabb){right->lower, right->upper});
#endif
        query->stack[query->depth] = node->next;
        query->depth += overlapsRight ? 1 : 0;
        query->stack[query->depth] = index + 1;
        query->depth += overlapsLeft ? 1 : 0;
    }
}
