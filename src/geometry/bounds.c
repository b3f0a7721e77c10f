// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bounding boxes and bounding spheres of shapes. The extent along a world axis is the support in that
// direction; every kind has a closed form in the rows of its transform.
#include "bounds.h"

#include "hull.h"
#include "support.h"
#include "triangles.h"

#include "base/sse2.h"

/// Largest hull whose box is computed from all vertices. Larger hulls use the bounds of their rotated box,
/// which are looser and cost the same for every hull.
#define MAX_TIGHT_VERTICES 256
/// Matrix elements below this are rounding noise of a rotation, not a tilt: they must not multiply an extent
/// of more than FAR_EXTENT metres.
#define ROTATION_NOISE 1.0e-6f
#define FAR_EXTENT 1.0e6f

/// Extent along one axis of a half length in metres, scaled by a matrix element. Infinity times 0 gives 0.
static float GetExtent(float half, float factor)
{
    float absolute = tdAbsFloat(factor);
    if (absolute < ROTATION_NOISE && half > FAR_EXTENT)
    {
        return 0.0f;
    }
    return tdMinFloat(half * absolute, TD_UNBOUNDED);
}

static tdAabb BoundPlane(const tdShapeGeometry* shape, const tdMat3* rotation, tdVec3 origin)
{
    float halfX = tdMinFloat(shape->plane.halfX, TD_UNBOUNDED),
          halfZ = tdMinFloat(shape->plane.halfZ, TD_UNBOUNDED);
    tdVec3 extent = {
        GetExtent(halfX, rotation->cx.x) + GetExtent(halfZ, rotation->cz.x),
        GetExtent(halfX, rotation->cx.y) + GetExtent(halfZ, rotation->cz.y),
        GetExtent(halfX, rotation->cx.z) + GetExtent(halfZ, rotation->cz.z),
    };
    tdAabb box = {tdSub(origin, extent), tdAdd(origin, extent)};
    if (tdShape_IsHalfSpace(shape))
    {
        tdVec3 down = tdNegate(rotation->cy);
        tdVec3 reach = {GetExtent(TD_UNBOUNDED, down.x), GetExtent(TD_UNBOUNDED, down.y),
                        GetExtent(TD_UNBOUNDED, down.z)};
        box.lower.x -= down.x < 0.0f ? reach.x : 0.0f;
        box.lower.y -= down.y < 0.0f ? reach.y : 0.0f;
        box.lower.z -= down.z < 0.0f ? reach.z : 0.0f;
        box.upper.x += down.x > 0.0f ? reach.x : 0.0f;
        box.upper.y += down.y > 0.0f ? reach.y : 0.0f;
        box.upper.z += down.z > 0.0f ? reach.z : 0.0f;
    }
    tdVec3 limit = {TD_UNBOUNDED, TD_UNBOUNDED, TD_UNBOUNDED};
    box.lower = tdMax(box.lower, tdNegate(limit));
    box.upper = tdMin(box.upper, limit);
    return box;
}

/// @param center in the common frame
static tdAabb BoundCenteredBox(const tdMat3* m, tdVec3 center, tdVec3 half)
{
    tdVec3 ex = tdAbs(tdScale(half.x, m->cx)), ey = tdAbs(tdScale(half.y, m->cy)),
           ez = tdAbs(tdScale(half.z, m->cz));
    tdVec3 extent = tdAdd(ex, tdAdd(ey, ez));
    return (tdAabb){tdSub(center, extent), tdAdd(center, extent)};
}

static tdAabb BoundBox(const tdMat3* m, tdVec3 origin, tdVec3 center, tdVec3 half)
{
    return BoundCenteredBox(m, tdAdd(origin, tdMulMat3Vec3(*m, center)), half);
}

typedef struct LaneRange
{
    float least, most;
} LaneRange;

/// LaneRange of a x + b y + c z over the vertices of a hull, in four lanes by the index modulo 4.
static LaneRange BoundAlong(const tdHull* hull, float a, float b, float c)
{
    float least[4], most[4];
#if defined(TD_SSE2)
    __m128 low = _mm_set1_ps(INFINITY), high = _mm_set1_ps(-INFINITY);
    __m128 wideA = _mm_set1_ps(a), wideB = _mm_set1_ps(b), wideC = _mm_set1_ps(c);
    for (int i = 0; i < hull->paddedCount; i += 4)
    {
        __m128 sum = _mm_add_ps(_mm_add_ps(_mm_mul_ps(wideA, _mm_load_ps(hull->x + i)),
                                           _mm_mul_ps(wideB, _mm_load_ps(hull->y + i))),
                                _mm_mul_ps(wideC, _mm_load_ps(hull->z + i)));
        low = _mm_min_ps(low, sum);
        high = _mm_max_ps(high, sum);
    }
    _mm_storeu_ps(least, low);
    _mm_storeu_ps(most, high);
#else
    for (int i = 0; i < 4; ++i)
    {
        least[i] = INFINITY;
        most[i] = -INFINITY;
    }
    for (int i = 0; i < hull->paddedCount; ++i)
    {
        float sum = a * hull->x[i] + b * hull->y[i] + c * hull->z[i];
        least[i & 3] = tdMinFloat(least[i & 3], sum);
        most[i & 3] = tdMaxFloat(most[i & 3], sum);
    }
#endif
    return (LaneRange){tdMinFloat(tdMinFloat(least[0], least[1]), tdMinFloat(least[2], least[3])),
                       tdMaxFloat(tdMaxFloat(most[0], most[1]), tdMaxFloat(most[2], most[3]))};
}

static tdAabb BoundHull(const tdHull* hull, const tdMat3* m, tdVec3 origin)
{
    if (hull->vertexCount > MAX_TIGHT_VERTICES)
    {
        return BoundBox(m, origin, tdScale(0.5f, tdAdd(hull->aabb.lower, hull->aabb.upper)),
                        tdScale(0.5f, tdSub(hull->aabb.upper, hull->aabb.lower)));
    }
    LaneRange x = BoundAlong(hull, m->cx.x, m->cy.x, m->cz.x),
              y = BoundAlong(hull, m->cx.y, m->cy.y, m->cz.y),
              z = BoundAlong(hull, m->cx.z, m->cy.z, m->cz.z);
    tdAabb box = {{x.least, y.least, z.least}, {x.most, y.most, z.most}};
    return (tdAabb){tdAdd(origin, box.lower), tdAdd(origin, box.upper)};
}

/// Two discs or balls about points of the y axis.
/// @param size extent per axis of a disc or ball of radius 1
static tdAabb BoundRound(const tdMat3* m, tdVec3 origin, float half, float bottom, float top, tdVec3 size)
{
    tdVec3 axis = tdScale(half, m->cy);
    tdVec3 low = tdSub(origin, axis), high = tdAdd(origin, axis);
    tdVec3 lowExtent = tdScale(bottom, size), highExtent = tdScale(top, size);
    return (tdAabb){tdMin(tdSub(low, lowExtent), tdSub(high, highExtent)),
                    tdMax(tdAdd(low, lowExtent), tdAdd(high, highExtent))};
}

tdAabb tdShape_ComputeAabb(const tdShapeGeometry* shape, tdTransform body)
{
    tdTransform placed = tdMulTransform(body, shape->local);
    tdVec3 origin = placed.position;
    if (shape->kind == TD_SHAPE_SPHERE && !shape->hasMatrix)
    {
        tdVec3 extent = {shape->sphere.radius, shape->sphere.radius, shape->sphere.radius};
        return (tdAabb){tdSub(origin, extent), tdAdd(origin, extent)};
    }
    tdMat3 m = tdMat3FromQuat(placed.rotation);
    tdVec3 ball = tdVec3_one;
    if (shape->kind == TD_SHAPE_PLANE)
    {
        return BoundPlane(shape, &m, origin);
    }
    if (shape->kind == TD_SHAPE_MESH)
    {
        const tdAabb* box = &shape->mesh->aabb;
        return BoundBox(&m, origin, tdScale(0.5f, tdAdd(box->lower, box->upper)),
                        tdScale(0.5f, tdSub(box->upper, box->lower)));
    }
    if (shape->hasMatrix)
    {
        m = tdMulMat3(m, shape->matrix);
        ball = (tdVec3){sqrtf(m.cx.x * m.cx.x + m.cy.x * m.cy.x + m.cz.x * m.cz.x),
                        sqrtf(m.cx.y * m.cx.y + m.cy.y * m.cy.y + m.cz.y * m.cz.y),
                        sqrtf(m.cx.z * m.cx.z + m.cy.z * m.cy.z + m.cz.z * m.cz.z)};
    }
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        return BoundRound(&m, origin, 0.0f, shape->sphere.radius, shape->sphere.radius, ball);
    case TD_SHAPE_BOX:
        return BoundCenteredBox(&m, origin, shape->box.halfSize);
    case TD_SHAPE_CAPSULE:
        return BoundRound(&m, origin, shape->capsule.halfHeight, shape->capsule.radiusBottom,
                          shape->capsule.radiusTop, ball);
    case TD_SHAPE_CYLINDER:
    {
        tdVec3 disc = {sqrtf(m.cx.x * m.cx.x + m.cz.x * m.cz.x), sqrtf(m.cx.y * m.cx.y + m.cz.y * m.cz.y),
                       sqrtf(m.cx.z * m.cx.z + m.cz.z * m.cz.z)};
        return BoundRound(&m, origin, shape->cylinder.halfHeight, shape->cylinder.radiusBottom,
                          shape->cylinder.radiusTop, disc);
    }
    case TD_SHAPE_HULL:
        return BoundHull(shape->hull, &m, origin);
    case TD_SHAPE_PLANE:
    case TD_SHAPE_MESH:
        break; // handled above
    }
    return (tdAabb){origin, origin};
}

float tdShape_ComputeOuterRadius(const tdShapeGeometry* shape, tdVec3 point)
{
    tdVec3 p = tdInvTransformPoint(shape->local, point);
    float radius = 0.0f;
    switch (shape->kind)
    {
    case TD_SHAPE_PLANE:
    {
        tdVec3 far = {tdAbsFloat(p.x) + shape->plane.halfX, p.y, tdAbsFloat(p.z) + shape->plane.halfZ};
        return tdShape_IsHalfSpace(shape) ? INFINITY : tdLength(far);
    }
    case TD_SHAPE_MESH:
        for (int i = 0; i < shape->mesh->vertexCount; ++i)
        {
            radius = tdMaxFloat(radius, tdLengthSquared(tdSub(shape->mesh->vertices[i], p)));
        }
        return sqrtf(radius);
    case TD_SHAPE_SPHERE:
    case TD_SHAPE_BOX:
    case TD_SHAPE_CAPSULE:
    case TD_SHAPE_CYLINDER:
    case TD_SHAPE_HULL:
        break;
    }
    tdMat3 m = shape->hasMatrix ? shape->matrix : tdMat3_identity;
    if (shape->kind == TD_SHAPE_HULL)
    {
        for (int i = 0; i < shape->hull->vertexCount; ++i)
        {
            tdVec3 v = tdMulMat3Vec3(m, tdHull_GetVertex(shape->hull, i));
            radius = tdMaxFloat(radius, tdLengthSquared(tdSub(v, p)));
        }
        return sqrtf(radius);
    }
    if (shape->kind == TD_SHAPE_BOX)
    {
        for (int i = 0; i < 8; ++i)
        {
            tdVec3 h = shape->box.halfSize;
            tdVec3 v = {(i & 1) ? h.x : -h.x, (i & 2) ? h.y : -h.y, (i & 4) ? h.z : -h.z};
            radius = tdMaxFloat(radius, tdLengthSquared(tdSub(tdMulMat3Vec3(m, v), p)));
        }
        return sqrtf(radius);
    }
    // Round kinds: each end is a ball, scaled by the largest stretch (at most the Frobenius norm). For a
    // cylinder without matrix the farthest point is a corner of its profile.
    float stretch = 1.0f;
    if (shape->hasMatrix)
    {
        stretch = sqrtf(tdLengthSquared(m.cx) + tdLengthSquared(m.cy) + tdLengthSquared(m.cz));
    }
    if (shape->kind == TD_SHAPE_SPHERE)
    {
        return tdLength(p) + stretch * shape->sphere.radius;
    }
    float half = shape->kind == TD_SHAPE_CAPSULE ? shape->capsule.halfHeight : shape->cylinder.halfHeight;
    float bottom =
        shape->kind == TD_SHAPE_CAPSULE ? shape->capsule.radiusBottom : shape->cylinder.radiusBottom;
    float top = shape->kind == TD_SHAPE_CAPSULE ? shape->capsule.radiusTop : shape->cylinder.radiusTop;
    if (shape->kind == TD_SHAPE_CYLINDER && !shape->hasMatrix)
    {
        float across = sqrtf(p.x * p.x + p.z * p.z);
        float low = (across + bottom) * (across + bottom) + (p.y + half) * (p.y + half);
        float high = (across + top) * (across + top) + (p.y - half) * (p.y - half);
        return sqrtf(tdMaxFloat(low, high));
    }
    tdVec3 axis = tdScale(half, m.cy);
    return tdMaxFloat(tdLength(tdAdd(p, axis)) + stretch * bottom, tdLength(tdSub(p, axis)) + stretch * top);
}

tdVec3 tdShape_GetCenter(const tdShapeGeometry* shape)
{
    if (shape->kind == TD_SHAPE_MESH)
    {
        const tdTriangles* mesh = shape->mesh;
        tdVec3 middle = tdScale(0.5f, tdAdd(mesh->aabb.lower, mesh->aabb.upper));
        return tdTransformPoint(shape->local, mesh->innerRadius > 0.0f ? mesh->volume.centroid : middle);
    }
    if (shape->kind == TD_SHAPE_PLANE)
    {
        return shape->local.position;
    }
    tdConvex convex = tdMakeConvex(shape, tdTransform_identity);
    return tdConvex_GetCenter(&convex);
}

float tdShape_ComputeInnerRadius(const tdShapeGeometry* shape)
{
    float radius = 0.0f;
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        radius = shape->sphere.radius;
        break;
    case TD_SHAPE_BOX:
        radius = tdMinFloat(shape->box.halfSize.x, tdMinFloat(shape->box.halfSize.y, shape->box.halfSize.z));
        break;
    case TD_SHAPE_CAPSULE:
    {
        // About a point of the axis, a ball of the interpolated radius fits inside the hull of both end
        // balls.
        float half = shape->capsule.halfHeight, bottom = shape->capsule.radiusBottom;
        float part = half > 0.0f ? 0.5f + 0.5f * tdShape_GetAxisCenter(shape) / half : 0.5f;
        radius = bottom + part * (shape->capsule.radiusTop - bottom);
        break;
    }
    case TD_SHAPE_CYLINDER:
    {
        // Ball about the centroid: the distances of the caps, and the radius there times the cosine of the
        // slanted side.
        float half = shape->cylinder.halfHeight, center = tdShape_GetAxisCenter(shape);
        float fall = shape->cylinder.radiusBottom - shape->cylinder.radiusTop;
        float length = sqrtf(4.0f * half * half + fall * fall);
        float across =
            shape->cylinder.radiusBottom - (half > 0.0f ? fall * (0.5f + 0.5f * center / half) : 0.0f);
        radius = length > 0.0f ? tdMinFloat(half - tdAbsFloat(center), across * 2.0f * half / length) : 0.0f;
        break;
    }
    case TD_SHAPE_HULL:
        radius = shape->hull->innerRadius;
        break;
    case TD_SHAPE_MESH:
        return shape->mesh->innerRadius;
    case TD_SHAPE_PLANE:
        return 0.0f;
    }
    if (shape->hasMatrix)
    {
        // The smallest stretch is at least the inverse of the Frobenius norm of the inverse matrix.
        tdMat3 inverse = tdInverse(shape->matrix);
        float norm =
            sqrtf(tdLengthSquared(inverse.cx) + tdLengthSquared(inverse.cy) + tdLengthSquared(inverse.cz));
        radius = norm > 0.0f ? radius / norm : 0.0f;
    }
    return radius;
}
