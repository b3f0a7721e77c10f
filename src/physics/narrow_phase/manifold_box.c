// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Two boxes: the 15 axes of the separating axis theorem (Gottschalk 1996), then the incident face is clipped
// in the plane of the reference face, where all clipping lines are parallel to the axes. Decision:
// docs/decisions/050-narrow-phase.md.
//
// Cache: words[0] holds 1 + the index of the last separating or contact axis. It is tested first; a contact
// keeps its axis while no other one is clearly better.
#include "physics/narrow_phase/manifold_box.h"

#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/separating_axis.h"

/// Separation that a face axis must gain over earlier ones, relative to the smallest half size: rounding
/// noise, so that equal axes resolve to the first.
#define FACE_TIE 1.0e-5f

typedef struct tdBoxPair
{
    float halfA[3], halfB[3];
    float r[3][3];        // r[i][j] = dot(axis i of A, axis j of B)
    float absolute[3][3]; // of r
    float t[3];           // centre of B in A
    float margin;
} tdBoxPair;

/// @param axis 0 to 2: face normals of A; 3 to 5: of B
static float GetBoxFaceSeparation(const tdBoxPair* p, int axis)
{
    if (axis < 3)
    {
        const float* row = p->absolute[axis];
        return tdAbsFloat(p->t[axis]) -
               (p->halfA[axis] + row[0] * p->halfB[0] + row[1] * p->halfB[1] + row[2] * p->halfB[2]);
    }
    int j = axis - 3;
    float distance = tdAbsFloat(p->t[0] * p->r[0][j] + p->t[1] * p->r[1][j] + p->t[2] * p->r[2][j]);
    return distance - (p->halfB[j] + p->absolute[0][j] * p->halfA[0] + p->absolute[1][j] * p->halfA[1] +
                       p->absolute[2][j] * p->halfA[2]);
}

/// Separation along axis i of A cross axis j of B; -INFINITY if they are parallel, where face axes suffice.
static float GetBoxEdgeSeparation(const tdBoxPair* p, int i, int j)
{
    float squared = 1.0f - p->r[i][j] * p->r[i][j];
    if (squared < TD_PARALLEL_SINE_SQUARED)
    {
        return -INFINITY;
    }
    int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
    int j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
    float distance = tdAbsFloat(p->t[i2] * p->r[i1][j] - p->t[i1] * p->r[i2][j]);
    float reach = p->halfA[i1] * p->absolute[i2][j] + p->halfA[i2] * p->absolute[i1][j] +
                  p->halfB[j1] * p->absolute[i][j2] + p->halfB[j2] * p->absolute[i][j1];
    return (distance - reach) / sqrtf(squared);
}

static float GetAxisSeparation(const tdBoxPair* p, int axis)
{
    return axis < 6 ? GetBoxFaceSeparation(p, axis) : GetBoxEdgeSeparation(p, (axis - 6) / 3, (axis - 6) % 3);
}

typedef struct tdFlatPoint
{
    float u, v, depth; // depth: height over the reference face
    uint32_t id;
} tdFlatPoint;

/// Clips a polygon to sign * coordinate <= limit. `isU` selects the coordinate.
static int ClipFlat(const tdFlatPoint* in, int count, bool isU, float sign, float limit, uint32_t tag,
                    tdFlatPoint* out)
{
    int kept = 0;
    const tdFlatPoint* from = in + count - 1;
    float previous = sign * (isU ? from->u : from->v) - limit;
    for (int i = 0; i < count; ++i)
    {
        const tdFlatPoint* to = in + i;
        float current = sign * (isU ? to->u : to->v) - limit;
        if ((previous < 0.0f && current > 0.0f) || (previous > 0.0f && current < 0.0f))
        {
            float t = previous / (previous - current);
            out[kept].u = from->u + t * (to->u - from->u);
            out[kept].v = from->v + t * (to->v - from->v);
            out[kept].depth = from->depth + t * (to->depth - from->depth);
            // The id is that of the incident edge (its first corner) and of the clipping line.
            out[kept++].id = ((previous < 0.0f ? from->id : to->id) & 0xFFu) | (tag << 8) |
                             (previous < 0.0f ? 0x1000u : 0x2000u);
        }
        if (current <= 0.0f)
        {
            out[kept++] = *to;
        }
        previous = current;
        from = to;
    }
    return kept;
}

/// The incident box in the frame of the reference box.
typedef struct tdIncident
{
    tdVec3 center;
    tdVec3 axes[3];
    float half[3];
} tdIncident;

/// Four corners of the incident face: the one most opposed to the reference normal.
static int GetIncidentFace(const tdIncident* box, int w, float sign, int u, int v, tdFlatPoint* points)
{
    float d[3];
    for (int k = 0; k < 3; ++k)
    {
        d[k] = sign * tdGetComponent(box->axes[k], w);
    }
    float a0 = tdAbsFloat(d[0]), a1 = tdAbsFloat(d[1]), a2 = tdAbsFloat(d[2]);
    int k = a0 >= a1 && a0 >= a2 ? 0 : (a1 >= a2 ? 1 : 2);
    int k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
    tdVec3 c = tdMulAdd(box->center, d[k] > 0.0f ? -box->half[k] : box->half[k], box->axes[k]);
    tdVec3 e1 = tdScale(box->half[k1], box->axes[k1]), e2 = tdScale(box->half[k2], box->axes[k2]);
    tdVec3 corners[4] = {tdAdd(tdAdd(c, e1), e2), tdAdd(tdSub(c, e1), e2), tdSub(tdSub(c, e1), e2),
                         tdSub(tdAdd(c, e1), e2)};
    uint32_t face = (uint32_t)(2 * k + (d[k] > 0.0f ? 1 : 0)) << 2;
    for (uint32_t i = 0; i < 4; ++i)
    {
        points[i].u = tdGetComponent(corners[i], u);
        points[i].v = tdGetComponent(corners[i], v);
        points[i].depth = sign * tdGetComponent(corners[i], w);
        points[i].id = face | i;
    }
    return 4;
}

/// Contact points on face `w` (side `sign`) of the reference box, in its frame.
static int CollideBoxFace(const float half[3], const tdIncident* incident, int w, float sign, float margin,
                          tdClipPoint* out)
{
    int u = w == 2 ? 0 : w + 1, v = w == 0 ? 2 : w - 1;
    tdFlatPoint a[16], b[16];
    int count = GetIncidentFace(incident, w, sign, u, v, a);
    count = ClipFlat(a, count, true, 1.0f, half[u], 0, b);
    count = count > 0 ? ClipFlat(b, count, true, -1.0f, half[u], 1, a) : 0;
    count = count > 0 ? ClipFlat(a, count, false, 1.0f, half[v], 2, b) : 0;
    count = count > 0 ? ClipFlat(b, count, false, -1.0f, half[v], 3, a) : 0;
    uint32_t face = (uint32_t)(2 * w + (sign > 0.0f ? 0 : 1)) << 16;
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        float separation = a[i].depth - half[w];
        if (separation > margin)
        {
            continue;
        }
        float p[3];
        p[u] = a[i].u;
        p[v] = a[i].v;
        p[w] = sign * (half[w] + 0.5f * separation);
        out[kept++] = (tdClipPoint){{p[0], p[1], p[2]}, separation, a[i].id | face};
    }
    return kept;
}

/// Contact point of edge i of A and edge j of B.
static int CollideBoxEdges(const tdBoxPair* p, int i, int j, float separation, tdManifold* manifold)
{
    tdVec3 columns[3] = {{p->r[0][0], p->r[1][0], p->r[2][0]},
                         {p->r[0][1], p->r[1][1], p->r[2][1]},
                         {p->r[0][2], p->r[1][2], p->r[2][2]}};
    tdVec3 u = {i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f}, v = columns[j];
    tdVec3 t = {p->t[0], p->t[1], p->t[2]};
    tdVec3 n = tdNormalize(tdCross(u, v));
    n = tdDot(n, t) < 0.0f ? tdNegate(n) : n;
    // Midpoints of the two edges that face each other.
    float a[3] = {n.x > 0.0f ? p->halfA[0] : -p->halfA[0], n.y > 0.0f ? p->halfA[1] : -p->halfA[1],
                  n.z > 0.0f ? p->halfA[2] : -p->halfA[2]};
    uint32_t id = 0x40000000u | (uint32_t)(i << 4) | (uint32_t)(j << 8) | (n.x > 0.0f ? 1u : 0u) |
                  (n.y > 0.0f ? 2u : 0u) | (n.z > 0.0f ? 4u : 0u);
    a[i] = 0.0f;
    tdVec3 pointA = {a[0], a[1], a[2]};
    tdVec3 pointB = t;
    for (int k = 0; k < 3; ++k)
    {
        if (k != j)
        {
            float side = tdDot(columns[k], n) > 0.0f ? -p->halfB[k] : p->halfB[k];
            pointB = tdMulAdd(pointB, side, columns[k]);
            id |= side > 0.0f ? 0x1000u << k : 0u;
        }
    }
    // Closest points of the two lines.
    tdVec3 d = tdSub(pointB, pointA);
    float uv = tdDot(u, v), ud = tdDot(u, d), vd = tdDot(v, d);
    float s = 1.0f / (1.0f - uv * uv);
    tdVec3 onA = tdMulAdd(pointA, tdClampFloat(s * (ud - uv * vd), -p->halfA[i], p->halfA[i]), u);
    tdVec3 onB = tdMulAdd(pointB, tdClampFloat(s * (uv * ud - vd), -p->halfB[j], p->halfB[j]), v);
    manifold->normal = n;
    manifold->pointCount = 1;
    manifold->points[0].position = tdLerp(onA, onB, 0.5f);
    manifold->points[0].separation = separation;
    manifold->points[0].feature = id;
    return 1;
}

static void InitBoxPair(tdBoxPair* p, tdVec3 halfA, tdVec3 halfB, const tdMat3* rotation, tdVec3 t,
                        float margin)
{
    tdVec3 columns[3] = {rotation->cx, rotation->cy, rotation->cz};
    for (int j = 0; j < 3; ++j)
    {
        p->r[0][j] = columns[j].x;
        p->r[1][j] = columns[j].y;
        p->r[2][j] = columns[j].z;
        p->absolute[0][j] = tdAbsFloat(columns[j].x);
        p->absolute[1][j] = tdAbsFloat(columns[j].y);
        p->absolute[2][j] = tdAbsFloat(columns[j].z);
    }
    p->halfA[0] = halfA.x;
    p->halfA[1] = halfA.y;
    p->halfA[2] = halfA.z;
    p->halfB[0] = halfB.x;
    p->halfB[1] = halfB.y;
    p->halfB[2] = halfB.z;
    p->t[0] = t.x;
    p->t[1] = t.y;
    p->t[2] = t.z;
    p->margin = margin;
}

/// The contact axis: the one of least overlap, with a preference for the last one and for faces.
/// @return -1: the boxes are separated; `separating` is the axis of the largest separation of its kind
static int ChooseAxis(const tdBoxPair* p, int last, float* separation, int* separating)
{
    float minHalf = tdMinFloat(tdMinFloat(p->halfA[0], tdMinFloat(p->halfA[1], p->halfA[2])),
                               tdMinFloat(p->halfB[0], tdMinFloat(p->halfB[1], p->halfB[2])));
    float gain = TD_AXIS_GAIN * minHalf;
    int best = -1;
    float bestSeparation = -INFINITY;
    float widest = p->margin;
    for (int axis = 0; axis < 6; ++axis)
    {
        float s = GetBoxFaceSeparation(p, axis);
        if (s > widest)
        {
            *separating = axis;
            *separation = widest = s;
        }
        float bonus = axis == last ? gain : 0.0f;
        if (best < 0 || s + bonus > bestSeparation + FACE_TIE * minHalf)
        {
            bestSeparation = s + bonus;
            best = axis;
        }
    }
    if (*separating >= 0)
    {
        return -1;
    }
    float edgeSeparation = -INFINITY;
    int edge = -1;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            float s = GetBoxEdgeSeparation(p, i, j);
            if (s > p->margin)
            {
                *separating = 6 + 3 * i + j;
                *separation = s;
                return -1;
            }
            if (s > edgeSeparation)
            {
                edgeSeparation = s;
                edge = 6 + 3 * i + j;
            }
        }
    }
    bestSeparation = GetBoxFaceSeparation(p, best);
    float hysteresis = edge == last ? TD_EDGE_HYSTERESIS : 1.0f;
    if (edge >= 0 &&
        edgeSeparation > bestSeparation + hysteresis * (TD_EDGE_DEPTH_GAIN * tdAbsFloat(bestSeparation) +
                                                        TD_EDGE_GAINS * gain))
    {
        best = edge;
        bestSeparation = edgeSeparation;
    }
    *separation = bestSeparation;
    return best;
}

int tdCollideBoxes(tdVec3 halfA, tdVec3 halfB, tdTransform bInA, float margin, tdManifoldCache* cache,
                   tdManifold* manifold)
{
    manifold->pointCount = 0;
    tdMat3 rotation = tdMat3FromQuat(bInA.rotation);
    tdVec3 t = bInA.position;
    tdBoxPair pair;
    InitBoxPair(&pair, halfA, halfB, &rotation, t, margin);
    int last = cache != NULL ? (int)(cache->words[0] & 15u) - 1 : -1;
    float lastSeparation = last >= 0 ? GetAxisSeparation(&pair, last) : -INFINITY;
    if (cache != NULL && lastSeparation > margin)
    {
        cache->separation = lastSeparation;
        return 0;
    }
    float separation = 0.0f;
    int separating = -1;
    int axis = ChooseAxis(&pair, last, &separation, &separating);
    if (cache != NULL)
    {
        cache->words[0] = (uint32_t)(axis < 0 ? separating : axis) + 1u;
        cache->separation = separation;
    }
    if (axis < 0)
    {
        return 0;
    }
    if (axis >= 6)
    {
        return CollideBoxEdges(&pair, (axis - 6) / 3, (axis - 6) % 3, separation, manifold);
    }
    tdClipPoint points[16];
    int count;
    if (axis < 3)
    {
        tdIncident incident = {t, {rotation.cx, rotation.cy, rotation.cz}, {halfB.x, halfB.y, halfB.z}};
        float sign = pair.t[axis] >= 0.0f ? 1.0f : -1.0f;
        count = CollideBoxFace(pair.halfA, &incident, axis, sign, margin, points);
        manifold->normal =
            (tdVec3){axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f};
    }
    else
    {
        // B has the reference face: the same with exchanged roles, in the frame of B.
        tdMat3 inverse = tdTranspose(rotation);
        tdVec3 center = tdNegate(tdMulMat3Vec3(inverse, t));
        tdIncident incident = {center, {inverse.cx, inverse.cy, inverse.cz}, {halfA.x, halfA.y, halfA.z}};
        int w = axis - 3;
        float sign = tdGetComponent(center, w) >= 0.0f ? 1.0f : -1.0f;
        count = CollideBoxFace(pair.halfB, &incident, w, sign, margin, points);
        tdVec3 column = w == 0 ? rotation.cx : (w == 1 ? rotation.cy : rotation.cz);
        manifold->normal = tdScale(-sign, column);
        for (int i = 0; i < count; ++i)
        {
            points[i].position = tdAdd(t, tdMulMat3Vec3(rotation, points[i].position));
            points[i].id |= 0x80000000u;
        }
    }
    if (count > 0)
    {
        tdFillManifold(manifold, manifold->normal, points, count);
    }
    return manifold->pointCount;
}
