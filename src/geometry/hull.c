// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Second half of hull cooking: coplanar triangles of quickhull are merged into faces, vertices between only
// two faces are removed, and the result is packed into one block. Decision: docs/decisions/052-hulls.md.
#include "hull.h"

#include "quickhull.h"

#include "base/sse2.h"

#include <stdlib.h>
#include <string.h>

/// Distance from a face's plane, relative to the extent of the hull, up to which neighbouring triangles are
/// merged into the face. If merging does not give a closed polyhedron, the second tolerance is tried, then no
/// merging. test_hull covers both: boxes with points on faces and edges, rotated by arbitrary angles, get 6
/// faces.
#define MERGE_TOLERANCE 1.0e-5
#define FINE_MERGE_TOLERANCE 1.0e-6
/// Half-edges that a hull may have: their indices have 16 bits.
#define MAX_HALF_EDGES 65536

typedef struct tdFaceOrder
{
    double area; // a monotonic measure of it: |cross product|^2
    int face;
} tdFaceOrder;

/// State of the merge: the polygons as loops of vertices.
typedef struct tdMergeState
{
    const tdQuickHull* quick;
    tdFaceOrder* order; // faces of the quickhull surface, largest first
    int faceCount;
    int* regions;  // per quick face: its region
    int* stack;    // of the flood fill; later the polygon of each half-edge
    int* degrees;  // per point: number of polygons that use it; later its vertex index
    int* firstOut; // per point: first half-edge leaving it, -1
    int* loop;     // origins of the half-edges, polygon after polygon
    int* nextOut;  // per half-edge: the next one leaving the same point
    int* twins;    // per half-edge
    int* polygonFirst;
    int polygonCount, edgeCount;
    int regionCount;
} tdMergeState;

static double GetSquaredFaceArea(const tdQuickHull* quick, const tdQuickFace* face)
{
    tdVec3 a = quick->points[face->vertices[0]], b = quick->points[face->vertices[1]];
    tdVec3 c = quick->points[face->vertices[2]];
    double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
    double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    return nx * nx + ny * ny + nz * nz;
}

static int CompareFaceOrder(const void* a, const void* b)
{
    const tdFaceOrder *left = a, *right = b;
    if (left->area != right->area)
    {
        return left->area > right->area ? -1 : 1;
    }
    return left->face - right->face;
}

static bool IsInPlane(const tdQuickHull* quick, const tdQuickFace* plane, const tdQuickFace* face,
                      double tolerance)
{
    double dot = plane->normal[0] * face->normal[0] + plane->normal[1] * face->normal[1] +
                 plane->normal[2] * face->normal[2];
    for (int i = 0; i < 3 && dot > 0.0; ++i)
    {
        tdVec3 p = quick->points[face->vertices[i]];
        double distance = plane->normal[0] * (double)p.x + plane->normal[1] * (double)p.y +
                          plane->normal[2] * (double)p.z - plane->offset;
        if (fabs(distance) > tolerance)
        {
            return false;
        }
    }
    return dot > 0.0;
}

/// Flood fill from the largest face on: every face joins the region of the largest face whose plane it lies
/// in.
static void GrowRegions(tdMergeState* state, double tolerance)
{
    const tdQuickHull* quick = state->quick;
    for (int i = 0; i < quick->faces.count; ++i)
    {
        state->regions[i] = -1;
    }
    state->regionCount = 0;
    for (int i = 0; i < state->faceCount; ++i)
    {
        int seed = state->order[i].face;
        if (state->regions[seed] >= 0)
        {
            continue;
        }
        int region = state->regionCount++, depth = 0;
        state->regions[seed] = region;
        state->stack[depth++] = seed;
        while (depth > 0)
        {
            const tdQuickFace* face = quick->faces.data + state->stack[--depth];
            for (int e = 0; e < 3; ++e)
            {
                int other = face->neighbors[e];
                if (state->regions[other] < 0 && tolerance > 0.0 &&
                    IsInPlane(quick, quick->faces.data + seed, quick->faces.data + other, tolerance))
                {
                    state->regions[other] = region;
                    state->stack[depth++] = other;
                }
            }
        }
    }
}

static int FindEdgeTo(const tdQuickFace* face, int neighbor)
{
    return face->neighbors[0] == neighbor ? 0 : (face->neighbors[1] == neighbor ? 1 : 2);
}

/// Collects the boundary of each region as a loop.
/// @return false if a region does not have exactly one boundary loop
static bool WalkLoops(tdMergeState* state)
{
    const tdQuickHull* quick = state->quick;
    // The stack is unused here: it holds one boundary edge per region. polygonFirst holds the edge counts.
    int* starts = state->stack;
    int total = 0;
    for (int i = 0; i < state->regionCount; ++i)
    {
        starts[i] = -1;
        state->polygonFirst[i] = 0;
    }
    for (int k = 0; k < state->faceCount; ++k)
    {
        int i = state->order[k].face;
        const tdQuickFace* face = quick->faces.data + i;
        for (int e = 0; e < 3; ++e)
        {
            int region = state->regions[i];
            if (state->regions[face->neighbors[e]] != region)
            {
                starts[region] = starts[region] < 0 ? 3 * i + e : starts[region];
                state->polygonFirst[region] += 1;
                total += 1;
            }
        }
    }
    state->edgeCount = 0;
    for (int region = 0; region < state->regionCount; ++region)
    {
        int expected = state->polygonFirst[region];
        int first = state->edgeCount;
        state->polygonFirst[region] = first;
        if (starts[region] < 0)
        {
            return false;
        }
        int face = starts[region] / 3, edge = starts[region] % 3;
        do
        {
            if (state->edgeCount - first >= expected)
            {
                return false;
            }
            const tdQuickFace* current = quick->faces.data + face;
            state->loop[state->edgeCount++] = current->vertices[edge];
            edge = (edge + 1) % 3;
            while (state->regions[quick->faces.data[face].neighbors[edge]] == region)
            {
                int other = quick->faces.data[face].neighbors[edge];
                edge = (FindEdgeTo(quick->faces.data + other, face) + 1) % 3;
                face = other;
            }
        } while (3 * face + edge != starts[region]);
        if (state->edgeCount - first != expected)
        {
            return false;
        }
    }
    state->polygonCount = state->regionCount;
    state->polygonFirst[state->polygonCount] = state->edgeCount;
    return total == state->edgeCount;
}

/// Removes the points between only two polygons, which lie inside an edge, and finds the twins of the
/// half-edges.
/// @return false if the result is not a closed polyhedron
static bool SimplifyLoops(tdMergeState* state)
{
    int pointCount = state->quick->pointCount;
    for (int i = 0; i < pointCount; ++i)
    {
        state->degrees[i] = 0;
        state->firstOut[i] = -1;
    }
    for (int i = 0; i < state->edgeCount; ++i)
    {
        state->degrees[state->loop[i]] += 1;
    }
    int kept = 0;
    for (int polygon = 0; polygon < state->polygonCount; ++polygon)
    {
        int first = state->polygonFirst[polygon], end = state->polygonFirst[polygon + 1];
        state->polygonFirst[polygon] = kept;
        int start = kept;
        for (int i = first; i < end; ++i)
        {
            if (state->degrees[state->loop[i]] >= 3)
            {
                state->loop[kept++] = state->loop[i];
            }
        }
        if (kept - start < 3)
        {
            return false;
        }
    }
    state->polygonFirst[state->polygonCount] = kept;
    state->edgeCount = kept;
    int vertices = 0;
    for (int i = 0; i < kept; ++i)
    {
        vertices += state->firstOut[state->loop[i]] < 0 ? 1 : 0;
        state->nextOut[i] = state->firstOut[state->loop[i]];
        state->firstOut[state->loop[i]] = i;
    }
    for (int polygon = 0; polygon < state->polygonCount; ++polygon)
    {
        int first = state->polygonFirst[polygon], end = state->polygonFirst[polygon + 1];
        for (int i = first; i < end; ++i)
        {
            // The twin starts at the target, and its successor starts at the origin.
            int origin = state->loop[i], target = state->loop[i + 1 < end ? i + 1 : first];
            int twin = -1;
            for (int out = state->firstOut[target]; out >= 0; out = state->nextOut[out])
            {
                int owner = state->stack[out]; // polygon of the half-edge, set by MergeFaces
                int last = state->polygonFirst[owner + 1];
                int after = out + 1 < last ? out + 1 : state->polygonFirst[owner];
                if (state->loop[after] == origin)
                {
                    twin = twin < 0 ? out : -2;
                }
            }
            if (twin < 0)
            {
                return false;
            }
            state->twins[i] = twin;
        }
    }
    return vertices - kept / 2 + state->polygonCount == 2 && kept < MAX_HALF_EDGES;
}

static bool MergeFaces(tdMergeState* state, double tolerance)
{
    GrowRegions(state, tolerance);
    if (!WalkLoops(state))
    {
        return false;
    }
    // Polygons of the half-edges that SimplifyLoops keeps; it removes the same points in the same order.
    int pointCount = state->quick->pointCount;
    for (int i = 0; i < pointCount; ++i)
    {
        state->degrees[i] = 0;
    }
    for (int i = 0; i < state->edgeCount; ++i)
    {
        state->degrees[state->loop[i]] += 1;
    }
    int kept = 0;
    for (int polygon = 0; polygon < state->polygonCount; ++polygon)
    {
        for (int i = state->polygonFirst[polygon]; i < state->polygonFirst[polygon + 1]; ++i)
        {
            if (state->degrees[state->loop[i]] >= 3)
            {
                state->stack[kept++] = polygon;
            }
        }
    }
    return SimplifyLoops(state);
}

/// Normal by Newell's method; the plane passes through the outermost corner.
static void SetFacePlane(tdHullFace* face, const tdHull* hull)
{
    double n[3] = {0.0, 0.0, 0.0};
    tdVec3 o = tdHull_GetVertex(hull, hull->edges[face->firstEdge].origin);
    for (int i = 0; i < face->edgeCount; ++i)
    {
        int j = i + 1 < face->edgeCount ? i + 1 : 0;
        tdVec3 p = tdHull_GetVertex(hull, hull->edges[face->firstEdge + i].origin);
        tdVec3 q = tdHull_GetVertex(hull, hull->edges[face->firstEdge + j].origin);
        double px = (double)p.x - (double)o.x, py = (double)p.y - (double)o.y, pz = (double)p.z - (double)o.z;
        double qx = (double)q.x - (double)o.x, qy = (double)q.y - (double)o.y, qz = (double)q.z - (double)o.z;
        n[0] += py * qz - pz * qy;
        n[1] += pz * qx - px * qz;
        n[2] += px * qy - py * qx;
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double s = length > 0.0 ? 1.0 / length : 0.0;
    face->normal = (tdVec3){(float)(s * n[0]), (float)(s * n[1]), (float)(s * n[2])};
    face->offset = tdDot(face->normal, o);
    for (int i = 1; i < face->edgeCount; ++i)
    {
        tdVec3 p = tdHull_GetVertex(hull, hull->edges[face->firstEdge + i].origin);
        face->offset = tdMaxFloat(face->offset, tdDot(face->normal, p));
    }
}

static void ComputeHullVolume(tdHull* hull)
{
    // Relative to the first vertex: large offsets from the origin would cancel.
    tdVec3 origin = tdHull_GetVertex(hull, 0);
    tdVolumeSum sum = {0};
    for (int f = 0; f < hull->faceCount; ++f)
    {
        const tdHullEdge* edges = hull->edges + hull->faces[f].firstEdge;
        tdVec3 a = tdSub(tdHull_GetVertex(hull, edges[0].origin), origin);
        for (int i = 2; i < hull->faces[f].edgeCount; ++i)
        {
            tdVolumeSum_AddTriangle(&sum, a, tdSub(tdHull_GetVertex(hull, edges[i - 1].origin), origin),
                                    tdSub(tdHull_GetVertex(hull, edges[i].origin), origin));
        }
    }
    hull->volume = tdVolumeSum_Finish(&sum, origin);
    tdVec3 lower = origin, upper = origin;
    float outer = 0.0f, inner = INFINITY;
    for (int i = 0; i < hull->vertexCount; ++i)
    {
        tdVec3 p = tdHull_GetVertex(hull, i);
        lower = tdMin(lower, p);
        upper = tdMax(upper, p);
        outer = tdMaxFloat(outer, tdDistance(hull->volume.centroid, p));
    }
    for (int f = 0; f < hull->faceCount; ++f)
    {
        inner =
            tdMinFloat(inner, hull->faces[f].offset - tdDot(hull->faces[f].normal, hull->volume.centroid));
    }
    hull->aabb = (tdAabb){lower, upper};
    hull->innerRadius = tdMaxFloat(inner, 0.0f);
    hull->outerRadius = outer;
}

static tdHull* PackHull(const tdMergeState* state, const tdAllocator* allocator)
{
    int edgeCount = state->edgeCount, faceCount = state->polygonCount;
    int vertexCount = 2 + edgeCount / 2 - faceCount;
    int padded = (vertexCount + 7) & ~7;
    size_t coordinates = tdAlign32((size_t)padded * sizeof(float));
    size_t faceBytes = tdAlign32((size_t)faceCount * sizeof(tdHullFace));
    size_t edgeBytes = tdAlign32((size_t)edgeCount * sizeof(tdHullEdge));
    size_t fullBytes = tdAlign32((size_t)(edgeCount / 2) * sizeof(tdHullFullEdge));
    size_t vertexBytes = tdAlign32((size_t)vertexCount * sizeof(uint16_t));
    size_t size =
        tdAlign32(sizeof(tdHull)) + 3 * coordinates + faceBytes + edgeBytes + fullBytes + vertexBytes;
    char* block = tdAllocateZeroed(allocator, size, 32);
    if (block == NULL)
    {
        return NULL;
    }
    tdHull* hull = (tdHull*)(void*)block;
    block += tdAlign32(sizeof(tdHull));
    float* x = (float*)(void*)block;
    float* y = (float*)(void*)(block + coordinates);
    float* z = (float*)(void*)(block + 2 * coordinates);
    tdHullFace* faces = (tdHullFace*)(void*)(block + 3 * coordinates);
    tdHullEdge* edges = (tdHullEdge*)(void*)((char*)faces + faceBytes);
    tdHullFullEdge* fullEdges = (tdHullFullEdge*)(void*)((char*)edges + edgeBytes);
    uint16_t* vertexEdges = (uint16_t*)(void*)((char*)fullEdges + fullBytes);

    // Vertices keep the order of the input points. `degrees` is unused here: it holds the vertex indices.
    int count = 0;
    for (int i = 0; i < state->quick->pointCount; ++i)
    {
        if (state->firstOut[i] >= 0)
        {
            x[count] = state->quick->points[i].x;
            y[count] = state->quick->points[i].y;
            z[count] = state->quick->points[i].z;
            state->degrees[i] = count++;
        }
    }
    TD_ASSERT(count == vertexCount);
    for (int i = count; i < padded; ++i)
    {
        x[i] = x[0];
        y[i] = y[0];
        z[i] = z[0];
    }
    for (int f = 0; f < faceCount; ++f)
    {
        faces[f].firstEdge = (uint16_t)state->polygonFirst[f];
        faces[f].edgeCount = (uint16_t)(state->polygonFirst[f + 1] - state->polygonFirst[f]);
        for (int i = state->polygonFirst[f]; i < state->polygonFirst[f + 1]; ++i)
        {
            edges[i] = (tdHullEdge){(uint16_t)state->degrees[state->loop[i]], (uint16_t)state->twins[i],
                                    (uint16_t)f};
        }
    }
    int full = 0;
    for (int i = edgeCount - 1; i >= 0; --i)
    {
        vertexEdges[edges[i].origin] = (uint16_t)i;
    }
    for (int i = 0; i < edgeCount; ++i)
    {
        if (i < edges[i].twin)
        {
            const tdHullEdge* twin = &edges[edges[i].twin];
            fullEdges[full++] = (tdHullFullEdge){.edge = (uint16_t)i,
                                                 .origin = edges[i].origin,
                                                 .end = twin->origin,
                                                 .face = edges[i].face,
                                                 .otherFace = twin->face};
        }
    }
    *hull = (tdHull){.x = x,
                     .y = y,
                     .z = z,
                     .vertexCount = vertexCount,
                     .paddedCount = padded,
                     .faces = faces,
                     .faceCount = faceCount,
                     .edges = edges,
                     .edgeCount = edgeCount,
                     .fullEdges = fullEdges,
                     .vertexEdges = vertexEdges,
                     .size = size};
    for (int f = 0; f < faceCount; ++f)
    {
        SetFacePlane(faces + f, hull);
    }
    ComputeHullVolume(hull);
    return hull;
}

static tdHull* MergeAndPack(const tdQuickHull* quick, const tdAllocator* allocator, tdGeometryStatus* status)
{
    int alive = 0;
    for (int i = 0; i < quick->faces.count; ++i)
    {
        alive += quick->faces.data[i].isAlive ? 1 : 0;
    }
    int points = quick->pointCount, faces = quick->faces.count, edges = 3 * alive;
    size_t intCount =
        (size_t)faces + (size_t)(edges + 1) + 2 * (size_t)points + 3 * (size_t)edges + (size_t)alive + 1;
    size_t orderBytes = (size_t)alive * sizeof(tdFaceOrder), size = orderBytes + intCount * sizeof(int);
    char* block = tdAllocate(allocator, size, 16);
    if (block == NULL)
    {
        *status = TD_GEOMETRY_OUT_OF_MEMORY;
        return NULL;
    }
    tdMergeState state = {.quick = quick, .order = (tdFaceOrder*)(void*)block, .faceCount = alive};
    int* ints = (int*)(void*)(block + orderBytes);
    state.regions = ints;
    state.stack = state.regions + faces;
    state.degrees = state.stack + edges + 1;
    state.firstOut = state.degrees + points;
    state.loop = state.firstOut + points;
    state.nextOut = state.loop + edges;
    state.twins = state.nextOut + edges;
    state.polygonFirst = state.twins + edges;
    int count = 0;
    for (int i = 0; i < faces; ++i)
    {
        if (quick->faces.data[i].isAlive)
        {
            state.order[count++] = (tdFaceOrder){GetSquaredFaceArea(quick, quick->faces.data + i), i};
        }
    }
    qsort(state.order, (size_t)count, sizeof(tdFaceOrder), CompareFaceOrder);
    tdHull* hull = NULL;
    *status = TD_GEOMETRY_FLAT;
    if (MergeFaces(&state, MERGE_TOLERANCE * quick->extent) ||
        MergeFaces(&state, FINE_MERGE_TOLERANCE * quick->extent) || MergeFaces(&state, 0.0))
    {
        hull = PackHull(&state, allocator);
        *status = hull != NULL ? TD_GEOMETRY_OK : TD_GEOMETRY_OUT_OF_MEMORY;
    }
    tdRelease(allocator, block, size);
    if (hull != NULL && !(hull->volume.volume > 0.0f))
    {
        tdFreeHull(hull, allocator);
        hull = NULL;
        *status = TD_GEOMETRY_FLAT;
    }
    return hull;
}

tdHull* tdCookHull(const tdVec3* points, int count, const tdAllocator* allocator, tdGeometryStatus* status)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdQuickHull quick;
    tdGeometryStatus result = tdQuickHull_Build(&quick, points, count, TD_HULL_MAX_VERTICES, &resolved);
    tdHull* hull = result == TD_GEOMETRY_OK ? MergeAndPack(&quick, &resolved, &result) : NULL;
    tdQuickHull_Free(&quick);
    if (status != NULL)
    {
        *status = result;
    }
    return hull;
}

void tdFreeHull(tdHull* hull, const tdAllocator* allocator)
{
    if (hull != NULL)
    {
        tdAllocator resolved = tdAllocator_Resolve(allocator);
        tdRelease(&resolved, hull, hull->size);
    }
}

int tdHull_FindSupport(const tdHull* hull, tdVec3 direction)
{
    // Four candidates, one per index modulo 4. The scalar path does the same, so both give the same vertex.
#if defined(TD_SSE2)
    __m128 dx = _mm_set1_ps(direction.x), dy = _mm_set1_ps(direction.y), dz = _mm_set1_ps(direction.z);
    __m128 best = _mm_set1_ps(-INFINITY);
    __m128i bestIndex = _mm_setzero_si128(), index = _mm_setr_epi32(0, 1, 2, 3), four = _mm_set1_epi32(4);
    for (int i = 0; i < hull->paddedCount; i += 4)
    {
        __m128 dot = _mm_add_ps(
            _mm_add_ps(_mm_mul_ps(_mm_load_ps(hull->x + i), dx), _mm_mul_ps(_mm_load_ps(hull->y + i), dy)),
            _mm_mul_ps(_mm_load_ps(hull->z + i), dz));
        __m128 isBetter = _mm_cmpgt_ps(dot, best);
        best = _mm_or_ps(_mm_and_ps(isBetter, dot), _mm_andnot_ps(isBetter, best));
        __m128i mask = _mm_castps_si128(isBetter);
        bestIndex = _mm_or_si128(_mm_and_si128(mask, index), _mm_andnot_si128(mask, bestIndex));
        index = _mm_add_epi32(index, four);
    }
    float values[4];
    int indices[4];
    _mm_storeu_ps(values, best);
    _mm_storeu_si128((__m128i*)(void*)indices, bestIndex);
#else
    float values[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int indices[4] = {0, 0, 0, 0};
    for (int i = 0; i < hull->paddedCount; ++i)
    {
        float dot = hull->x[i] * direction.x + hull->y[i] * direction.y + hull->z[i] * direction.z;
        if (dot > values[i & 3])
        {
            values[i & 3] = dot;
            indices[i & 3] = i;
        }
    }
#endif
    int result = indices[0];
    float value = values[0];
    for (int lane = 1; lane < 4; ++lane)
    {
        if (values[lane] > value || (values[lane] == value && indices[lane] < result))
        {
            value = values[lane];
            result = indices[lane];
        }
    }
    return result < hull->vertexCount ? result : 0;
}
