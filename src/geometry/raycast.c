// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rays against every kind of shape, in closed form. The ray is transformed by the inverse of the shape's
// matrix: fractions stay the same, and normals are transformed by the inverse transpose. Round kinds measure
// from the point of the ray nearest to the centre, so that far origins do not lose precision.
#include "raycast.h"

#include "hull.h"
#include "support.h"
#include "triangles.h"

#include "base/sse2.h"

/// The quadratic equation of a cone is linear if its leading coefficient is smaller than this, relative to
/// the squared direction.
#define LINEAR_TOLERANCE 1.0e-7f
/// Slack of the slab test, relative and in fractions: a few ulp, so that it never misses triangles in the
/// faces of a box.
#define SLAB_SLACK 1.0e-6f
#define MIN_SLAB_SLACK 1.0e-7f
/// Smallest direction component that is inverted, in metres. The inverse stays finite, which avoids 0 *
/// infinity where the origin lies on the plane of a slab.
#define MIN_INVERTIBLE 1.0e-18f

/// A ray in the frame of the shape, before its matrix.
typedef struct tdLocalRay
{
    tdVec3 origin, direction; // the direction is the translation: the ray parameter is the fraction
    float maxFraction;
} tdLocalRay;

typedef struct tdRayResult
{
    bool isHit;
    float fraction;
    tdVec3 normal;
    uint32_t triangle;
    int position; // of the triangle in the mesh
} tdRayResult;

static tdVec3 GetRayPoint(const tdLocalRay* ray, float t)
{
    return tdMulAdd(ray->origin, t, ray->direction);
}

static void OfferHit(tdRayResult* result, const tdLocalRay* ray, float t, tdVec3 normal)
{
    if (t >= 0.0f && t <= ray->maxFraction && (!result->isHit || t < result->fraction))
    {
        result->isHit = true;
        result->fraction = t;
        result->normal = normal;
    }
}

/// Ball about (0, y, 0). Accepts hits whose height above its centre is in [low, high].
static void CastBall(const tdLocalRay* ray, float y, float radius, float low, float high, tdRayResult* result)
{
    float dd = tdDot(ray->direction, ray->direction);
    if (!(dd > 0.0f) || !(radius > 0.0f))
    {
        return;
    }
    tdVec3 m = {ray->origin.x, ray->origin.y - y, ray->origin.z};
    float middle = -tdDot(m, ray->direction) / dd;
    tdVec3 nearest = tdMulAdd(m, middle, ray->direction);
    float squared = radius * radius - tdDot(nearest, nearest);
    if (squared < 0.0f)
    {
        return;
    }
    float half = sqrtf(squared / dd);
    tdVec3 p = tdMulAdd(nearest, -half, ray->direction);
    if (p.y >= low && p.y <= high)
    {
        OfferHit(result, ray, middle - half, tdScale(1.0f / radius, p));
    }
}

/// Side of a cone: radius a + b y for y in [low, high].
static void CastSide(const tdLocalRay* ray, float a, float b, float low, float high, tdRayResult* result)
{
    // Solves |xz|^2 = (a + b y)^2 along o + t d, with o the point of the ray nearest to the axis.
    float across = ray->direction.x * ray->direction.x + ray->direction.z * ray->direction.z;
    float middle = across > 0.0f
                       ? -(ray->origin.x * ray->direction.x + ray->origin.z * ray->direction.z) / across
                       : (ray->direction.y != 0.0f ? -ray->origin.y / ray->direction.y : 0.0f);
    tdVec3 o = GetRayPoint(ray, middle), d = ray->direction;
    float radius = a + b * o.y, change = b * d.y;
    float A = across - change * change, B = o.x * d.x + o.z * d.z - radius * change;
    float C = o.x * o.x + o.z * o.z - radius * radius;
    float roots[2];
    int count = 0;
    float scale = across + change * change;
    if (tdAbsFloat(A) <= LINEAR_TOLERANCE * scale)
    {
        if (B != 0.0f)
        {
            roots[count++] = -0.5f * C / B;
        }
    }
    else
    {
        float discriminant = B * B - A * C;
        if (discriminant < 0.0f)
        {
            return;
        }
        float root = sqrtf(discriminant);
        float q = B >= 0.0f ? -(B + root) : root - B;
        roots[count++] = q / A;
        if (q != 0.0f)
        {
            roots[count++] = C / q;
        }
    }
    for (int i = 0; i < count; ++i)
    {
        tdVec3 p = tdMulAdd(o, roots[i], d);
        float r = a + b * p.y;
        tdVec3 normal = tdNormalize((tdVec3){p.x, -b * r, p.z});
        // Only where the ray enters, and not on the mirror image of the cone beyond its apex.
        if (p.y >= low && p.y <= high && r >= 0.0f && tdDot(normal, d) <= 0.0f)
        {
            OfferHit(result, ray, middle + roots[i], normal);
        }
    }
}

static void CastCap(const tdLocalRay* ray, float y, float radius, float up, tdRayResult* result)
{
    if (up * ray->direction.y >= 0.0f)
    {
        return;
    }
    float t = (y - ray->origin.y) / ray->direction.y;
    tdVec3 p = GetRayPoint(ray, t);
    if (p.x * p.x + p.z * p.z <= radius * radius)
    {
        OfferHit(result, ray, t, (tdVec3){0.0f, up, 0.0f});
    }
}

static void CastCylinder(const tdLocalRay* ray, const tdShapeGeometry* shape, tdRayResult* result)
{
    float h = shape->cylinder.halfHeight, bottom = shape->cylinder.radiusBottom,
          top = shape->cylinder.radiusTop;
    float a = 0.5f * (bottom + top), b = h > 0.0f ? (top - bottom) / (2.0f * h) : 0.0f;
    tdVec3 o = ray->origin;
    float r = a + b * o.y;
    if (tdAbsFloat(o.y) <= h && o.x * o.x + o.z * o.z <= r * r)
    {
        *result = (tdRayResult){true, 0.0f, tdVec3_zero, 0, 0};
        return;
    }
    CastCap(ray, h, top, 1.0f, result);
    CastCap(ray, -h, bottom, -1.0f, result);
    CastSide(ray, a, b, -h, h, result);
}

static void CastCapsule(const tdLocalRay* ray, const tdShapeGeometry* shape, tdRayResult* result)
{
    float h = shape->capsule.halfHeight, bottom = shape->capsule.radiusBottom, top = shape->capsule.radiusTop;
    float sine = h > 0.0f ? (bottom - top) / (2.0f * h) : 2.0f;
    tdVec3 o = ray->origin;
    tdVec3 toBottom = {o.x, o.y + h, o.z}, toTop = {o.x, o.y - h, o.z};
    bool isInside = tdLengthSquared(toBottom) <= bottom * bottom || tdLengthSquared(toTop) <= top * top;
    bool hasSide = sine < 1.0f && sine > -1.0f;
    float low = 0.0f, high = 0.0f, a = 0.0f, b = 0.0f;
    if (hasSide)
    {
        // The side lies between the circles where the common tangents touch the two balls.
        float cosine = sqrtf(1.0f - sine * sine);
        low = -h + bottom * sine;
        high = h + top * sine;
        b = (top - bottom) * cosine / (high - low);
        a = bottom * cosine - b * low;
        float r = a + b * o.y;
        isInside = isInside || (o.y >= low && o.y <= high && r >= 0.0f && o.x * o.x + o.z * o.z <= r * r);
    }
    if (isInside)
    {
        *result = (tdRayResult){true, 0.0f, tdVec3_zero, 0, 0};
        return;
    }
    if (!hasSide)
    {
        CastBall(ray, bottom >= top ? -h : h, tdMaxFloat(bottom, top), -INFINITY, INFINITY, result);
        return;
    }
    CastBall(ray, -h, bottom, -INFINITY, INFINITY, result);
    CastBall(ray, h, top, -INFINITY, INFINITY, result);
    CastSide(ray, a, b, low, high, result);
}

/// Clips the ray by the planes of a convex polyhedron: it is inside between the last entry and the first
/// exit.
typedef struct tdPolyhedronCut
{
    float enter, exit;
    tdVec3 normal;
    bool isInside;
} tdPolyhedronCut;

/// @return false: the ray misses the polyhedron
static inline bool CutByPlane(tdPolyhedronCut* slab, const tdLocalRay* ray, tdVec3 normal, float offset)
{
    float distance = tdDot(normal, ray->origin) - offset, speed = tdDot(normal, ray->direction);
    if (distance > 0.0f)
    {
        slab->isInside = false;
        if (speed >= 0.0f)
        {
            return false; // outside, and not getting nearer
        }
    }
    if (speed == 0.0f)
    {
        return true;
    }
    float t = -distance / speed;
    if (speed < 0.0f)
    {
        if (t > slab->enter)
        {
            slab->enter = t;
            slab->normal = normal;
        }
    }
    else
    {
        slab->exit = tdMinFloat(slab->exit, t);
    }
    return slab->enter <= slab->exit && slab->enter <= ray->maxFraction;
}

static void FinishCut(const tdPolyhedronCut* slab, const tdLocalRay* ray, tdRayResult* result)
{
    if (slab->isInside)
    {
        *result = (tdRayResult){true, 0.0f, tdVec3_zero, 0, 0};
    }
    else if (slab->enter <= slab->exit)
    {
        OfferHit(result, ray, slab->enter, slab->normal);
    }
}

/// Clips the ray by the two faces across one axis of a box, with the bits of CutByPlane.
/// @return false: the ray misses the box
static inline bool CutByFaces(tdPolyhedronCut* slab, float origin, float direction, float half, tdVec3 axis)
{
    float above = origin - half, below = -origin - half;
    if ((above > 0.0f && direction >= 0.0f) || (below > 0.0f && direction <= 0.0f))
    {
        return false;
    }
    slab->isInside = slab->isInside && above <= 0.0f && below <= 0.0f;
    if (direction == 0.0f)
    {
        return true;
    }
    float upper = -above / direction, lower = below / direction;
    bool isUp = direction > 0.0f;
    float enter = isUp ? lower : upper;
    slab->exit = tdMinFloat(slab->exit, isUp ? upper : lower);
    if (enter > slab->enter)
    {
        slab->enter = enter;
        slab->normal = isUp ? tdNegate(axis) : axis;
    }
    return true;
}

static void CastBox(const tdLocalRay* ray, tdVec3 h, tdRayResult* result)
{
    tdPolyhedronCut slab = {-INFINITY, INFINITY, {0.0f, 0.0f, 0.0f}, true};
    tdVec3 o = ray->origin, d = ray->direction;
    if (CutByFaces(&slab, o.x, d.x, h.x, (tdVec3){1.0f, 0.0f, 0.0f}) &&
        CutByFaces(&slab, o.y, d.y, h.y, (tdVec3){0.0f, 1.0f, 0.0f}) &&
        CutByFaces(&slab, o.z, d.z, h.z, (tdVec3){0.0f, 0.0f, 1.0f}))
    {
        FinishCut(&slab, ray, result);
    }
}

static void CastHull(const tdLocalRay* ray, const tdHull* hull, tdRayResult* result)
{
    tdPolyhedronCut slab = {-INFINITY, INFINITY, {0.0f, 0.0f, 0.0f}, true};
    for (int i = 0; i < hull->faceCount; ++i)
    {
        if (!CutByPlane(&slab, ray, hull->faces[i].normal, hull->faces[i].offset))
        {
            return;
        }
    }
    FinishCut(&slab, ray, result);
}

static void CastPlane(const tdLocalRay* ray, const tdShapeGeometry* shape, tdRayResult* result)
{
    if (tdShape_IsHalfSpace(shape) && ray->origin.y <= 0.0f)
    {
        *result = (tdRayResult){true, 0.0f, tdVec3_zero, 0, 0};
        return;
    }
    bool isFromAbove = ray->direction.y < 0.0f && ray->origin.y >= 0.0f;
    bool isFromBelow = ray->direction.y > 0.0f && ray->origin.y <= 0.0f && shape->plane.isDoubleSided;
    if (isFromAbove || isFromBelow)
    {
        float t = -ray->origin.y / ray->direction.y;
        tdVec3 p = GetRayPoint(ray, t);
        if (tdAbsFloat(p.x) <= shape->plane.halfX && tdAbsFloat(p.z) <= shape->plane.halfZ)
        {
            OfferHit(result, ray, t, (tdVec3){0.0f, isFromAbove ? 1.0f : -1.0f, 0.0f});
        }
    }
}

/// Signed volumes of the ray and the edges (Moeller and Trumbore 1997, without the early division). Both
/// triangles of a shared edge evaluate the same expression, so that no ray passes between them.
static void CastTriangle(const tdLocalRay* ray, const tdTriangles* mesh, int triangle, tdRayResult* result)
{
    tdVec3 p[3];
    tdTriangles_GetCorners(mesh, triangle, p);
    tdVec3 a = tdSub(p[0], ray->origin), b = tdSub(p[1], ray->origin), c = tdSub(p[2], ray->origin);
    tdVec3 n = tdCross(tdSub(b, a), tdSub(c, a));
    float facing = tdDot(n, ray->direction);
    if (facing == 0.0f || (facing > 0.0f && !mesh->isDoubleSided))
    {
        return;
    }
    float u = tdDot(tdCross(b, c), ray->direction), v = tdDot(tdCross(c, a), ray->direction);
    float w = tdDot(tdCross(a, b), ray->direction);
    bool isInside = facing < 0.0f ? u <= 0.0f && v <= 0.0f && w <= 0.0f : u >= 0.0f && v >= 0.0f && w >= 0.0f;
    if (!isInside)
    {
        return;
    }
    float t = tdDot(n, a) / facing;
    // Of two triangles at the same fraction the first one in the mesh counts, whatever the order of the walk.
    bool isNearer =
        !result->isHit || t < result->fraction || (t == result->fraction && triangle < result->position);
    if (t >= 0.0f && t <= ray->maxFraction && isNearer)
    {
        *result = (tdRayResult){true, t, tdNormalize(facing < 0.0f ? n : tdNegate(n)),
                                mesh->sources[triangle], triangle};
    }
}

/// Slab test: fraction at which the ray enters the box of a node, INFINITY for a miss.
static float EnterBvhNode(const tdBvhNode* node, tdVec3 origin, tdVec3 inverse, float limit)
{
    float x0 = (node->lower.x - origin.x) * inverse.x, x1 = (node->upper.x - origin.x) * inverse.x;
    float y0 = (node->lower.y - origin.y) * inverse.y, y1 = (node->upper.y - origin.y) * inverse.y;
    float z0 = (node->lower.z - origin.z) * inverse.z, z1 = (node->upper.z - origin.z) * inverse.z;
    float enter = tdMaxFloat(tdMaxFloat(tdMinFloat(x0, x1), tdMinFloat(y0, y1)), tdMinFloat(z0, z1));
    float exit = tdMinFloat(tdMinFloat(tdMaxFloat(x0, x1), tdMaxFloat(y0, y1)), tdMaxFloat(z0, z1));
    enter -= SLAB_SLACK * tdAbsFloat(enter) + MIN_SLAB_SLACK;
    exit += SLAB_SLACK * tdAbsFloat(exit) + MIN_SLAB_SLACK;
    return enter <= exit && exit >= 0.0f && enter <= limit ? enter : INFINITY;
}

/// EnterBvhNode for two nodes.
static void EnterBvhChildren(const tdBvhNode* one, const tdBvhNode* two, tdVec3 origin, tdVec3 inverse,
                             float limit, float fractions[2])
{
#if defined(TD_SSE2)
    // Loads four floats per corner; the fourth is ignored.
    __m128 o = _mm_setr_ps(origin.x, origin.y, origin.z, 0.0f);
    __m128 scale = _mm_setr_ps(inverse.x, inverse.y, inverse.z, 0.0f);
    __m128 a0 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&one->lower.x), o), scale);
    __m128 a1 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&one->upper.x), o), scale);
    __m128 b0 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&two->lower.x), o), scale);
    __m128 b1 = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(&two->upper.x), o), scale);
    __m128 a = _mm_min_ps(a0, a1), b = _mm_min_ps(b0, b1);
    __m128 xy = _mm_unpacklo_ps(a, b);
    __m128 enter = _mm_max_ps(_mm_max_ps(xy, _mm_movehl_ps(xy, xy)), _mm_unpackhi_ps(a, b));
    a = _mm_max_ps(a0, a1);
    b = _mm_max_ps(b0, b1);
    xy = _mm_unpacklo_ps(a, b);
    __m128 leave = _mm_min_ps(_mm_min_ps(xy, _mm_movehl_ps(xy, xy)), _mm_unpackhi_ps(a, b));
    __m128 sign = _mm_set1_ps(-0.0f), slack = _mm_set1_ps(SLAB_SLACK), least = _mm_set1_ps(MIN_SLAB_SLACK);
    enter = _mm_sub_ps(enter, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, enter)), least));
    leave = _mm_add_ps(leave, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, leave)), least));
    __m128 isHit = _mm_and_ps(_mm_and_ps(_mm_cmple_ps(enter, leave), _mm_cmpge_ps(leave, _mm_setzero_ps())),
                              _mm_cmple_ps(enter, _mm_set1_ps(limit)));
    enter = _mm_or_ps(_mm_and_ps(isHit, enter), _mm_andnot_ps(isHit, _mm_set1_ps(INFINITY)));
    fractions[0] = _mm_cvtss_f32(enter);
    fractions[1] = _mm_cvtss_f32(_mm_shuffle_ps(enter, enter, 1));
#else
    fractions[0] = EnterBvhNode(one, origin, inverse, limit);
    fractions[1] = EnterBvhNode(two, origin, inverse, limit);
#endif
}

typedef struct BvhEntry
{
    uint32_t node;
    float fraction; // at which the ray enters it
} BvhEntry;

static float InvertSafely(float x)
{
    float tiny = MIN_INVERTIBLE;
    return 1.0f / (tdAbsFloat(x) > tiny ? x : (x < 0.0f ? -tiny : tiny));
}

static void CastMesh(const tdLocalRay* ray, const tdTriangles* mesh, tdRayResult* result)
{
    tdVec3 inverse = {InvertSafely(ray->direction.x), InvertSafely(ray->direction.y),
                      InvertSafely(ray->direction.z)};
    BvhEntry stack[TD_BVH_MAX_DEPTH];
    int depth = 0;
    float limit = ray->maxFraction;
    BvhEntry entry = {0, EnterBvhNode(mesh->nodes, ray->origin, inverse, limit)};
    for (;;)
    {
        if (entry.fraction <= limit)
        {
            const tdBvhNode* node = mesh->nodes + entry.node;
            if (node->count == 0)
            {
                float fractions[2];
                EnterBvhChildren(mesh->nodes + entry.node + 1, mesh->nodes + node->next, ray->origin, inverse,
                                 limit, fractions);
                BvhEntry left = {entry.node + 1, fractions[0]}, right = {node->next, fractions[1]};
                bool isLeftFirst = left.fraction <= right.fraction;
                // The nearer child is next; the stack has the other one if it is hit at all.
                stack[depth] = isLeftFirst ? right : left;
                depth += stack[depth].fraction <= limit ? 1 : 0;
                entry = isLeftFirst ? left : right;
                continue;
            }
            for (uint32_t i = 0; i < node->count; ++i)
            {
                CastTriangle(ray, mesh, (int)(node->next + i), result);
            }
            limit = result->isHit ? result->fraction : limit;
        }
        if (depth == 0)
        {
            return;
        }
        entry = stack[--depth];
    }
}

static void SetRayHit(const tdShapeGeometry* shape, tdVec3 origin, tdVec3 translation,
                      const tdRayResult* result, tdCastHit* hit)
{
    hit->fraction = result->fraction;
    hit->point = tdMulAdd(origin, result->fraction, translation);
    hit->normal = tdRotate(shape->local.rotation, result->normal);
    hit->triangle = result->triangle;
}

/// The shape is at the origin of its body.
static bool IsUnplaced(const tdShapeGeometry* shape)
{
    tdVec3 p = shape->local.position;
    tdQuat q = shape->local.rotation;
    return p.x == 0.0f && p.y == 0.0f && p.z == 0.0f && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f;
}

bool tdRayCastShape(const tdShapeGeometry* shape, tdVec3 origin, tdVec3 translation, float maxFraction,
                    tdCastHit* hit)
{
    tdLocalRay ray = {origin, translation, maxFraction};
    if (!IsUnplaced(shape))
    {
        ray.origin = tdInvTransformPoint(shape->local, origin);
        ray.direction = tdInvRotate(shape->local.rotation, translation);
    }
    bool hasMatrix = shape->hasMatrix && tdShape_IsConvex(shape);
    tdMat3 inverse = tdMat3_identity;
    if (hasMatrix)
    {
        inverse = tdInverse(shape->matrix);
        ray.origin = tdMulMat3Vec3(inverse, ray.origin);
        ray.direction = tdMulMat3Vec3(inverse, ray.direction);
    }
    tdRayResult result = {false, 0.0f, {0.0f, 0.0f, 0.0f}, 0, 0};
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        if (tdLengthSquared(ray.origin) <= shape->sphere.radius * shape->sphere.radius)
        {
            result.isHit = true;
            break;
        }
        CastBall(&ray, 0.0f, shape->sphere.radius, -INFINITY, INFINITY, &result);
        break;
    case TD_SHAPE_BOX:
        CastBox(&ray, shape->box.halfSize, &result);
        break;
    case TD_SHAPE_CAPSULE:
        CastCapsule(&ray, shape, &result);
        break;
    case TD_SHAPE_CYLINDER:
        CastCylinder(&ray, shape, &result);
        break;
    case TD_SHAPE_PLANE:
        CastPlane(&ray, shape, &result);
        break;
    case TD_SHAPE_HULL:
        CastHull(&ray, shape->hull, &result);
        break;
    case TD_SHAPE_MESH:
        CastMesh(&ray, shape->mesh, &result);
        break;
    }
    if (!result.isHit)
    {
        return false;
    }
    if (hasMatrix)
    {
        result.normal = tdNormalize(tdMulMat3Vec3(tdTranspose(inverse), result.normal));
    }
    SetRayHit(shape, origin, translation, &result, hit);
    return true;
}

#if defined(TD_SSE2)
typedef struct BvhLanes
{
    __m128 originX, originY, originZ, inverseX, inverseY, inverseZ;
} BvhLanes;

// EnterBvhNode for four rays. Lanes that miss the node get infinity.
static __m128 EnterBvhNodeLanes(const tdBvhNode* node, const BvhLanes* rays, __m128 limit)
{
    __m128 x0 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(node->lower.x), rays->originX), rays->inverseX);
    __m128 x1 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(node->upper.x), rays->originX), rays->inverseX);
    __m128 y0 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(node->lower.y), rays->originY), rays->inverseY);
    __m128 y1 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(node->upper.y), rays->originY), rays->inverseY);
    __m128 z0 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(node->lower.z), rays->originZ), rays->inverseZ);
    __m128 z1 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(node->upper.z), rays->originZ), rays->inverseZ);
    __m128 enter = _mm_max_ps(_mm_max_ps(_mm_min_ps(x0, x1), _mm_min_ps(y0, y1)), _mm_min_ps(z0, z1));
    __m128 leave = _mm_min_ps(_mm_min_ps(_mm_max_ps(x0, x1), _mm_max_ps(y0, y1)), _mm_max_ps(z0, z1));
    __m128 sign = _mm_set1_ps(-0.0f), slack = _mm_set1_ps(SLAB_SLACK), least = _mm_set1_ps(MIN_SLAB_SLACK);
    enter = _mm_sub_ps(enter, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, enter)), least));
    leave = _mm_add_ps(leave, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, leave)), least));
    __m128 isHit = _mm_and_ps(_mm_and_ps(_mm_cmple_ps(enter, leave), _mm_cmpge_ps(leave, _mm_setzero_ps())),
                              _mm_cmple_ps(enter, limit));
    return _mm_or_ps(_mm_and_ps(isHit, enter), _mm_andnot_ps(isHit, _mm_set1_ps(INFINITY)));
}

static float GetLeastLane(__m128 v)
{
    v = _mm_min_ps(v, _mm_movehl_ps(v, v));
    v = _mm_min_ps(v, _mm_shuffle_ps(v, v, 1));
    return _mm_cvtss_f32(v);
}

typedef struct BvhLanesEntry
{
    __m128 fractions; // at which the rays enter the node
    uint32_t node;
} BvhLanesEntry;

static void CastMeshLanes(const tdLocalRay* rays, const tdTriangles* mesh, tdRayResult* results)
{
    BvhLanes lanes = {
        _mm_setr_ps(rays[0].origin.x, rays[1].origin.x, rays[2].origin.x, rays[3].origin.x),
        _mm_setr_ps(rays[0].origin.y, rays[1].origin.y, rays[2].origin.y, rays[3].origin.y),
        _mm_setr_ps(rays[0].origin.z, rays[1].origin.z, rays[2].origin.z, rays[3].origin.z),
        _mm_setr_ps(InvertSafely(rays[0].direction.x), InvertSafely(rays[1].direction.x),
                    InvertSafely(rays[2].direction.x), InvertSafely(rays[3].direction.x)),
        _mm_setr_ps(InvertSafely(rays[0].direction.y), InvertSafely(rays[1].direction.y),
                    InvertSafely(rays[2].direction.y), InvertSafely(rays[3].direction.y)),
        _mm_setr_ps(InvertSafely(rays[0].direction.z), InvertSafely(rays[1].direction.z),
                    InvertSafely(rays[2].direction.z), InvertSafely(rays[3].direction.z)),
    };
    float limits[4] = {rays[0].maxFraction, rays[1].maxFraction, rays[2].maxFraction, rays[3].maxFraction};
    __m128 limit = _mm_loadu_ps(limits);
    BvhLanesEntry stack[TD_BVH_MAX_DEPTH];
    int depth = 0;
    BvhLanesEntry entry = {EnterBvhNodeLanes(mesh->nodes, &lanes, limit), 0};
    for (;;)
    {
        int active = _mm_movemask_ps(_mm_cmple_ps(entry.fractions, limit));
        if (active != 0)
        {
            const tdBvhNode* node = mesh->nodes + entry.node;
            if (node->count == 0)
            {
                BvhLanesEntry left = {EnterBvhNodeLanes(mesh->nodes + entry.node + 1, &lanes, limit),
                                      entry.node + 1};
                BvhLanesEntry right = {EnterBvhNodeLanes(mesh->nodes + node->next, &lanes, limit),
                                       node->next};
                bool isLeftFirst = GetLeastLane(left.fractions) <= GetLeastLane(right.fractions);
                stack[depth] = isLeftFirst ? right : left;
                depth += _mm_movemask_ps(_mm_cmple_ps(stack[depth].fractions, limit)) != 0 ? 1 : 0;
                entry = isLeftFirst ? left : right;
                continue;
            }
            for (int lane = 0; lane < 4; ++lane)
            {
                for (uint32_t i = 0; i < node->count && (active >> lane & 1) != 0; ++i)
                {
                    CastTriangle(&rays[lane], mesh, (int)(node->next + i), &results[lane]);
                }
                limits[lane] = results[lane].isHit ? results[lane].fraction : limits[lane];
            }
            limit = _mm_loadu_ps(limits);
        }
        if (depth == 0)
        {
            return;
        }
        entry = stack[--depth];
    }
}
#endif

unsigned tdRayCastLanes(const tdShapeGeometry* shape, const tdVec3* origins, const tdVec3* translations,
                        const float* maxFractions, unsigned lanes, tdCastHit* hits)
{
    unsigned found = 0;
#if defined(TD_SSE2)
    // With fewer rays the lanes do not pay.
    if (shape->kind == TD_SHAPE_MESH && (lanes & (lanes - 1)) != 0)
    {
        tdLocalRay rays[4];
        tdRayResult results[4];
        for (int i = 0; i < 4; ++i)
        {
            rays[i] = (tdLocalRay){tdInvTransformPoint(shape->local, origins[i]),
                                   tdInvRotate(shape->local.rotation, translations[i]),
                                   (lanes >> i & 1) != 0 ? maxFractions[i] : -1.0f};
            results[i] = (tdRayResult){false, 0.0f, {0.0f, 0.0f, 0.0f}, 0, 0};
        }
        CastMeshLanes(rays, shape->mesh, results);
        for (int i = 0; i < 4; ++i)
        {
            if (results[i].isHit)
            {
                SetRayHit(shape, origins[i], translations[i], &results[i], &hits[i]);
                found |= 1u << i;
            }
        }
        return found;
    }
#endif
    for (unsigned i = 0; i < 4; ++i)
    {
        if ((lanes >> i & 1) != 0 &&
            tdRayCastShape(shape, origins[i], translations[i], maxFractions[i], &hits[i]))
        {
            found |= 1u << i;
        }
    }
    return found;
}
