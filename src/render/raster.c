// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Clipping (Sutherland and Hodgman 1974) and scan conversion with edge functions (Pineda 1988).
#include "raster.h"

#define SUBSAMPLES 256 // fixed-point units per sample

// Triangles are cut this many half pictures away from the centre, so that fixed-point coordinates fit in 32
// bits and edge functions in 64.
#define GUARD_BAND 16.0f

// A corner of the polygon that remains of a triangle.
typedef struct ClipCorner
{
    tdViewVertex vertex;
    tdVec3 weights;
} ClipCorner;

#define MAX_CLIP_CORNERS 9

static ClipCorner MixCorners(const ClipCorner* a, const ClipCorner* b, float t)
{
    ClipCorner mixed;
    mixed.vertex.x = a->vertex.x + t * (b->vertex.x - a->vertex.x);
    mixed.vertex.y = a->vertex.y + t * (b->vertex.y - a->vertex.y);
    mixed.vertex.w = a->vertex.w + t * (b->vertex.w - a->vertex.w);
    mixed.vertex.depth = a->vertex.depth + t * (b->vertex.depth - a->vertex.depth);
    mixed.weights = tdLerp(a->weights, b->weights, t);
    return mixed;
}

// Signed distance to a clip plane, positive inside. 0: near, 1 to 4: sides of the guard band.
static float GetClipDistance(const tdViewVertex* vertex, int plane, float nearest)
{
    switch (plane)
    {
    case 0:
        return vertex->w - nearest;
    case 1:
        return GUARD_BAND * vertex->w - vertex->x;
    case 2:
        return GUARD_BAND * vertex->w + vertex->x;
    case 3:
        return GUARD_BAND * vertex->w - vertex->y;
    default:
        return GUARD_BAND * vertex->w + vertex->y;
    }
}

static int ClipPolygon(ClipCorner corners[MAX_CLIP_CORNERS], int count, float nearest)
{
    for (int plane = 0; plane < 5; ++plane)
    {
        ClipCorner kept[MAX_CLIP_CORNERS];
        int keptCount = 0;
        for (int i = 0; i < count; ++i)
        {
            const ClipCorner *a = &corners[i], *b = &corners[(i + 1) % count];
            float inside = GetClipDistance(&a->vertex, plane, nearest);
            float next = GetClipDistance(&b->vertex, plane, nearest);
            if (inside >= 0.0f)
            {
                kept[keptCount++] = *a;
            }
            if ((inside >= 0.0f) != (next >= 0.0f) && keptCount < MAX_CLIP_CORNERS)
            {
                kept[keptCount++] = MixCorners(a, b, inside / (inside - next));
            }
        }
        count = keptCount;
        for (int i = 0; i < count; ++i)
        {
            corners[i] = kept[i];
        }
        if (count < 3)
        {
            return 0;
        }
    }
    return count;
}

static int64_t GetEdge(const tdScreenTriangle* triangle, int from, int to, int64_t x, int64_t y)
{
    return ((int64_t)triangle->x[to] - triangle->x[from]) * (y - triangle->y[from]) -
           ((int64_t)triangle->y[to] - triangle->y[from]) * (x - triangle->x[from]);
}

static void PlaceCorner(const tdScreenTriangles* triangles, const tdViewVertex* vertex, tdScreenTriangle* to,
                        int corner)
{
    float scale = triangles->isOrthographic ? 1.0f : 1.0f / vertex->w;
    float x = (vertex->x * scale + 1.0f) * 0.5f * (float)triangles->width;
    float y = (1.0f - vertex->y * scale) * 0.5f * (float)triangles->height;
    to->x[corner] = (int32_t)(x * (float)SUBSAMPLES);
    to->y[corner] = (int32_t)(y * (float)SUBSAMPLES);
    to->depth[corner] = triangles->isOrthographic ? vertex->depth : scale;
}

bool tdScreenTriangles_Add(tdScreenTriangles* triangles, const tdAllocator* allocator,
                           const tdViewVertex corners[3], uint32_t triangle, bool keepsBack)
{
    ClipCorner polygon[MAX_CLIP_CORNERS];
    bool isInside = true;
    for (int i = 0; i < 3; ++i)
    {
        polygon[i] =
            (ClipCorner){corners[i], {i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f}};
        for (int plane = 0; plane < 5; ++plane)
        {
            isInside = isInside && GetClipDistance(&corners[i], plane, triangles->nearest) >= 0.0f;
        }
    }
    int count = isInside ? 3 : ClipPolygon(polygon, 3, triangles->nearest);
    for (int i = 1; i + 1 < count; ++i)
    {
        const int chosen[3] = {0, i, i + 1};
        tdScreenTriangle screen = {.cut = -1, .triangle = triangle};
        tdCutCorners cut;
        for (int k = 0; k < 3; ++k)
        {
            PlaceCorner(triangles, &polygon[chosen[k]].vertex, &screen, k);
            cut.weights[k] = polygon[chosen[k]].weights;
        }
        int64_t area = GetEdge(&screen, 0, 1, screen.x[2], screen.y[2]);
        if (area == 0 || (area > 0 && !keepsBack))
        {
            continue; // rows count downwards, so the front has a negative area
        }
        if (area < 0)
        {
            // Edge functions expect a positive area.
            int32_t x = screen.x[1], y = screen.y[1];
            float depth = screen.depth[1];
            tdVec3 weights = cut.weights[1];
            screen.x[1] = screen.x[2], screen.y[1] = screen.y[2], screen.depth[1] = screen.depth[2];
            cut.weights[1] = cut.weights[2];
            screen.x[2] = x, screen.y[2] = y, screen.depth[2] = depth;
            cut.weights[2] = weights;
        }
        screen.cut = triangles->cuts.count;
        if (!tdArray_Push(allocator, &triangles->cuts, cut) ||
            !tdArray_Push(allocator, &triangles->list, screen))
        {
            return false;
        }
    }
    return true;
}

static int FloorSample(int64_t fixed)
{
    return (int)(fixed >= 0 ? fixed / SUBSAMPLES : -((-fixed + SUBSAMPLES - 1) / SUBSAMPLES));
}

// An edge that a sample lies on belongs to the triangle if it is a top or left edge.
static int64_t GetEdgeBias(const tdScreenTriangle* triangle, int from, int to)
{
    int32_t dx = triangle->x[to] - triangle->x[from], dy = triangle->y[to] - triangle->y[from];
    bool isTopLeft = dy < 0 || (dy == 0 && dx > 0);
    return isTopLeft ? 0 : -1;
}

// Depth as a plane: depth = base + perX * x + perY * y at sample centres.
typedef struct DepthPlane
{
    double base, perX, perY;
} DepthPlane;

static DepthPlane GetDepthPlane(const tdScreenTriangle* t)
{
    double x0 = t->x[0], y0 = t->y[0];
    double ax = t->x[1] - x0, ay = t->y[1] - y0, bx = t->x[2] - x0, by = t->y[2] - y0;
    double a = (double)t->depth[1] - (double)t->depth[0], b = (double)t->depth[2] - (double)t->depth[0];
    double area = ax * by - ay * bx;
    double perX = (a * by - b * ay) / area, perY = (b * ax - a * bx) / area;
    double half = 0.5 * SUBSAMPLES;
    return (DepthPlane){(double)t->depth[0] + perX * (half - x0) + perY * (half - y0), perX * SUBSAMPLES,
                        perY * SUBSAMPLES};
}

static void RasterizeOne(const tdScreenTriangles* triangles, int index, int firstRow, int endRow,
                         float* depths, uint32_t* ids, tdCoverFcn* isCovered, const void* context)
{
    const tdScreenTriangle* t = &triangles->list.data[index];
    int32_t minX = tdMinInt(t->x[0], tdMinInt(t->x[1], t->x[2]));
    int32_t maxX = tdMaxInt(t->x[0], tdMaxInt(t->x[1], t->x[2]));
    int32_t minY = tdMinInt(t->y[0], tdMinInt(t->y[1], t->y[2]));
    int32_t maxY = tdMaxInt(t->y[0], tdMaxInt(t->y[1], t->y[2]));
    int top = tdMaxInt(FloorSample(minY), firstRow), bottom = tdMinInt(FloorSample(maxY), endRow - 1);
    int left = tdMaxInt(FloorSample(minX), 0), right = tdMinInt(FloorSample(maxX), triangles->width - 1);
    if (top > bottom || left > right)
    {
        return;
    }
    int64_t startX = (int64_t)left * SUBSAMPLES + SUBSAMPLES / 2;
    int64_t steps[3], biases[3];
    for (int i = 0; i < 3; ++i)
    {
        int from = (i + 1) % 3, to = (i + 2) % 3;
        steps[i] = -((int64_t)t->y[to] - t->y[from]) * SUBSAMPLES;
        biases[i] = GetEdgeBias(t, from, to);
    }
    DepthPlane plane = GetDepthPlane(t);
    for (int y = top; y <= bottom; ++y)
    {
        int64_t rowY = (int64_t)y * SUBSAMPLES + SUBSAMPLES / 2, edges[3];
        for (int i = 0; i < 3; ++i)
        {
            edges[i] = GetEdge(t, (i + 1) % 3, (i + 2) % 3, startX, rowY) + biases[i];
        }
        size_t row = (size_t)y * (size_t)triangles->width;
        double rowDepth = plane.base + plane.perY * y;
        for (int x = left; x <= right; ++x)
        {
            if ((edges[0] | edges[1] | edges[2]) >= 0)
            {
                float depth = (float)(rowDepth + plane.perX * x);
                if (depth > depths[row + (size_t)x] && (isCovered == NULL || isCovered(context, t, x, y)))
                {
                    depths[row + (size_t)x] = depth;
                    if (ids != NULL)
                    {
                        ids[row + (size_t)x] = (uint32_t)index + 1;
                    }
                }
            }
            edges[0] += steps[0];
            edges[1] += steps[1];
            edges[2] += steps[2];
        }
    }
}

void tdRasterize(const tdScreenTriangles* triangles, int firstRow, int endRow, float* depths, uint32_t* ids,
                 tdCoverFcn* isCovered, const void* context)
{
    for (int i = 0; i < triangles->list.count; ++i)
    {
        RasterizeOne(triangles, i, firstRow, endRow, depths, ids, isCovered, context);
    }
}

tdVec3 tdGetCornerWeights(const tdScreenTriangles* triangles, const tdScreenTriangle* t, int x, int y)
{
    int64_t atX = (int64_t)x * SUBSAMPLES + SUBSAMPLES / 2, atY = (int64_t)y * SUBSAMPLES + SUBSAMPLES / 2;
    float weights[3], sum = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        float edge = (float)GetEdge(t, (i + 1) % 3, (i + 2) % 3, atX, atY);
        weights[i] = tdMaxFloat(edge, 0.0f) * (triangles->isOrthographic ? 1.0f : t->depth[i]);
        sum += weights[i];
    }
    const tdCutCorners* cut = &triangles->cuts.data[t->cut];
    float scale = sum > 0.0f ? 1.0f / sum : 0.0f;
    tdVec3 result = tdScale(weights[0] * scale, cut->weights[0]);
    result = tdMulAdd(result, weights[1] * scale, cut->weights[1]);
    return tdMulAdd(result, weights[2] * scale, cut->weights[2]);
}

float tdGetDepthAt(const tdScreenTriangle* triangle, int x, int y)
{
    DepthPlane plane = GetDepthPlane(triangle);
    return (float)(plane.base + plane.perX * x + plane.perY * y);
}
