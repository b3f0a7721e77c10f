// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Support mappings and features. A linear map L takes the frame of the shape to the common frame. The support
// of the image in direction d is L s(L^T d), with s the support of the shape; this is exact for every L.
#include "support.h"

#include "hull.h"

tdConvex tdMakeConvex(const tdShapeGeometry* shape, tdTransform pose)
{
    tdTransform placed = tdMulTransform(pose, shape->local);
    tdConvex convex;
    convex.shape = shape;
    convex.pointCount = 0;
    convex.points[0] = convex.points[1] = convex.points[2] = placed.position;
    convex.origin = placed.position;
    convex.radius = 0.0f;
    convex.linear = tdMat3FromQuat(placed.rotation);
    convex.isRigid = !shape->hasMatrix;
    if (shape->hasMatrix)
    {
        convex.linear = tdMulMat3(convex.linear, shape->matrix);
    }
    else if (shape->kind == TD_SHAPE_SPHERE)
    {
        convex.radius = shape->sphere.radius;
        convex.shape = NULL;
        convex.pointCount = 1;
    }
    else if (shape->kind == TD_SHAPE_CAPSULE)
    {
        float bottom = shape->capsule.radiusBottom, top = shape->capsule.radiusTop;
        convex.radius = tdMinFloat(bottom, top);
        if (bottom == top)
        {
            tdVec3 half = tdScale(shape->capsule.halfHeight, convex.linear.cy);
            convex.shape = NULL;
            convex.points[0] = tdSub(placed.position, half);
            convex.points[1] = tdAdd(placed.position, half);
            convex.pointCount = 2;
        }
    }
    convex.transpose = tdTranspose(convex.linear);
    return convex;
}

static tdConvex MakePointSet(int count, tdVec3 a, tdVec3 b, tdVec3 c)
{
    tdConvex convex;
    convex.shape = NULL;
    convex.points[0] = a;
    convex.points[1] = b;
    convex.points[2] = c;
    convex.pointCount = count;
    convex.linear = convex.transpose = tdMat3_identity;
    convex.origin = tdVec3_zero;
    convex.radius = 0.0f;
    convex.isRigid = true;
    return convex;
}

tdConvex tdMakeTriangleConvex(tdVec3 a, tdVec3 b, tdVec3 c)
{
    return MakePointSet(3, a, b, c);
}

tdConvex tdMakeSegmentConvex(tdVec3 a, tdVec3 b)
{
    return MakePointSet(2, a, b, b);
}

tdConvex tdMakePointConvex(tdVec3 point)
{
    return MakePointSet(1, point, point, point);
}

/// Radial components of a direction below this have no direction of their own.
#define MIN_RADIAL 1.0e-12f

static tdVec3 GetCapsuleSupport(const tdShapeGeometry* shape, float removed, tdVec3 d)
{
    // The support of two balls is the farther one of their supports.
    float length = tdLength(d);
    float bottom = shape->capsule.radiusBottom - removed, top = shape->capsule.radiusTop - removed;
    float half = shape->capsule.halfHeight;
    bool isTop = half * d.y + top * length > bottom * length - half * d.y;
    tdVec3 center = {0.0f, isTop ? half : -half, 0.0f};
    float radius = isTop ? top : bottom;
    return length > TD_MIN_LENGTH ? tdMulAdd(center, radius / length, d) : center;
}

static tdVec3 GetCylinderSupport(const tdShapeGeometry* shape, tdVec3 d)
{
    float length = sqrtf(d.x * d.x + d.z * d.z);
    float half = shape->cylinder.halfHeight;
    float top = shape->cylinder.radiusTop, bottom = shape->cylinder.radiusBottom;
    bool isTop = half * d.y + top * length > bottom * length - half * d.y;
    float s = length > TD_MIN_LENGTH ? (isTop ? top : bottom) / length : 0.0f;
    return (tdVec3){s * d.x, isTop ? half : -half, s * d.z};
}

/// Support in the frame of the shape.
/// @param removed radius that tdMakeConvex has moved from the core to tdConvex.radius
static tdVec3 GetShapeSupport(const tdShapeGeometry* shape, float removed, tdVec3 d)
{
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        return tdScale(shape->sphere.radius - removed, tdNormalize(d));
    case TD_SHAPE_BOX:
    {
        tdVec3 h = shape->box.halfSize;
        return (tdVec3){d.x >= 0.0f ? h.x : -h.x, d.y >= 0.0f ? h.y : -h.y, d.z >= 0.0f ? h.z : -h.z};
    }
    case TD_SHAPE_CAPSULE:
        return GetCapsuleSupport(shape, removed, d);
    case TD_SHAPE_CYLINDER:
        return GetCylinderSupport(shape, d);
    case TD_SHAPE_HULL:
        return tdHull_GetVertex(shape->hull, tdHull_FindSupport(shape->hull, d));
    case TD_SHAPE_PLANE:
    case TD_SHAPE_MESH:
        break;
    }
    return tdVec3_zero;
}

tdVec3 tdConvex_SupportOffset(const tdConvex* convex, tdVec3 direction)
{
    if (convex->shape == NULL)
    {
        tdVec3 best = convex->points[0];
        float bestDot = tdDot(best, direction);
        for (int i = 1; i < convex->pointCount; ++i)
        {
            float dot = tdDot(convex->points[i], direction);
            if (dot > bestDot)
            {
                bestDot = dot;
                best = convex->points[i];
            }
        }
        return best;
    }
    tdVec3 d = tdMulMat3Vec3(convex->transpose, direction);
    tdVec3 s = GetShapeSupport(convex->shape, convex->radius, d);
    return tdMulMat3Vec3(convex->linear, s);
}

tdVec3 tdConvex_Support(const tdConvex* convex, tdVec3 direction)
{
    return tdAdd(tdConvex_GetBase(convex), tdConvex_SupportOffset(convex, direction));
}

float tdShape_GetAxisCenter(const tdShapeGeometry* shape)
{
    if (shape->kind == TD_SHAPE_CYLINDER && shape->cylinder.radiusBottom != shape->cylinder.radiusTop)
    {
        float h = shape->cylinder.halfHeight, b = shape->cylinder.radiusBottom, t = shape->cylinder.radiusTop;
        return h * (t * t - b * b) / (2.0f * (b * b + b * t + t * t));
    }
    if (shape->kind == TD_SHAPE_CAPSULE && shape->capsule.radiusBottom != shape->capsule.radiusTop)
    {
        // Two half balls and the frustum between the centres, without the common factor 2 pi / 3.
        float h = shape->capsule.halfHeight, b = shape->capsule.radiusBottom, t = shape->capsule.radiusTop;
        float low = b * b * b, high = t * t * t, middle = h * (b * b + b * t + t * t);
        float sum = high * (h + 0.375f * t) - low * (h + 0.375f * b) + 0.5f * h * h * (t * t - b * b);
        return tdClampFloat(sum / (low + middle + high), -h, h);
    }
    return 0.0f;
}

tdVec3 tdConvex_GetCenter(const tdConvex* convex)
{
    if (convex->shape == NULL)
    {
        tdVec3 sum = convex->points[0];
        for (int i = 1; i < convex->pointCount; ++i)
        {
            sum = tdAdd(sum, convex->points[i]);
        }
        return tdScale(1.0f / (float)convex->pointCount, sum);
    }
    if (convex->shape->kind == TD_SHAPE_HULL)
    {
        return tdAdd(convex->origin, tdMulMat3Vec3(convex->linear, convex->shape->hull->volume.centroid));
    }
    return tdMulAdd(convex->origin, tdShape_GetAxisCenter(convex->shape), convex->linear.cy);
}

// Features. The caller removes points that are too far away, so both angles below may be generous: a larger
// feature gives tilted shapes more contact points.

/// Cosine of the angle up to which a face faces the direction: about 18 degrees.
#define FACE_COSINE 0.95f
/// Sine of the angle up to which an edge is perpendicular to the direction: about 11 degrees.
#define EDGE_SINE 0.2f
/// Sine of the tilt below which all points of a rim are equally deep: a thousandth of a radian.
#define LEVEL_RIM_SINE 0.001f

/// From the frame of the shape to the common frame.
static tdVec3 PlaceLocalPoint(const tdConvex* convex, tdVec3 p)
{
    return tdAdd(convex->origin, tdMulMat3Vec3(convex->linear, p));
}

/// Cosine between `normal` and the image of a face whose normal in the shape's frame is `faceNormal`.
static float GetFaceCosine(const tdMat3* cofactor, tdVec3 faceNormal, tdVec3 normal)
{
    tdVec3 image = tdMulMat3Vec3(*cofactor, faceNormal);
    float length = tdLength(image);
    return length > TD_MIN_LENGTH ? tdDot(image, normal) / length : -1.0f;
}

/// Matrix that transforms face normals: the inverse transpose times the absolute value of the determinant.
static tdMat3 GetCofactor(const tdConvex* convex)
{
    if (convex->isRigid)
    {
        return convex->linear;
    }
    tdMat3 m = convex->linear;
    tdMat3 cofactor = {tdCross(m.cy, m.cz), tdCross(m.cz, m.cx), tdCross(m.cx, m.cy)};
    return tdDot(m.cx, cofactor.cx) < 0.0f ? tdScaleMat3(-1.0f, cofactor) : cofactor;
}

static bool IsMirrored(const tdConvex* convex)
{
    return !convex->isRigid && tdDeterminant(convex->linear) < 0.0f;
}

static void ReversePoints(tdVec3* points, uint32_t* ids, int count)
{
    for (int i = 0, j = count - 1; i < j; ++i, --j)
    {
        tdVec3 point = points[i];
        points[i] = points[j];
        points[j] = point;
        uint32_t id = ids[i];
        ids[i] = ids[j];
        ids[j] = id;
    }
}

/// |sine| of the angle between the segment and the plane perpendicular to `normal`.
static float GetEdgeSine(tdVec3 a, tdVec3 b, tdVec3 normal)
{
    tdVec3 d = tdSub(b, a);
    float length = tdLength(d);
    return length > TD_MIN_LENGTH ? tdAbsFloat(tdDot(d, normal)) / length : 1.0f;
}

static int GetBoxFeature(const tdConvex* convex, tdVec3 normal, tdVec3* points, uint32_t* ids)
{
    tdVec3 h = convex->shape->box.halfSize;
    tdMat3 cofactor = GetCofactor(convex);
    static const tdVec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    int best = 0;
    float bestCosine = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        float cosine = GetFaceCosine(&cofactor, axes[i], normal);
        if (tdAbsFloat(cosine) > tdAbsFloat(bestCosine))
        {
            best = i;
            bestCosine = cosine;
        }
    }
    float half[3] = {h.x, h.y, h.z};
    tdVec3 d = tdMulMat3Vec3(convex->transpose, normal);
    float side[3] = {d.x >= 0.0f ? 1.0f : -1.0f, d.y >= 0.0f ? 1.0f : -1.0f, d.z >= 0.0f ? 1.0f : -1.0f};
    if (tdAbsFloat(bestCosine) >= FACE_COSINE)
    {
        int u = (best + 1) % 3, v = (best + 2) % 3;
        float sign = bestCosine >= 0.0f ? 1.0f : -1.0f;
        static const float us[4] = {1.0f, -1.0f, -1.0f, 1.0f}, vs[4] = {1.0f, 1.0f, -1.0f, -1.0f};
        for (int i = 0; i < 4; ++i)
        {
            float p[3];
            p[best] = sign * half[best];
            p[u] = us[i] * half[u];
            p[v] = vs[i] * half[v];
            points[i] = PlaceLocalPoint(convex, (tdVec3){p[0], p[1], p[2]});
            ids[i] = (uint32_t)((p[0] > 0.0f ? 1 : 0) | (p[1] > 0.0f ? 2 : 0) | (p[2] > 0.0f ? 4 : 0));
        }
        if ((sign < 0.0f) != IsMirrored(convex))
        {
            ReversePoints(points, ids, 4);
        }
        return 4;
    }
    tdVec3 corner = {side[0] * h.x, side[1] * h.y, side[2] * h.z};
    points[0] = PlaceLocalPoint(convex, corner);
    ids[0] = (uint32_t)((side[0] > 0.0f ? 1 : 0) | (side[1] > 0.0f ? 2 : 0) | (side[2] > 0.0f ? 4 : 0));
    float bestSine = EDGE_SINE;
    int count = 1;
    for (int i = 0; i < 3; ++i)
    {
        float p[3] = {corner.x, corner.y, corner.z};
        p[i] = -p[i];
        tdVec3 other = PlaceLocalPoint(convex, (tdVec3){p[0], p[1], p[2]});
        float sine = GetEdgeSine(points[0], other, normal);
        if (sine < bestSine)
        {
            bestSine = sine;
            points[1] = other;
            ids[1] = ids[0] ^ (1u << i);
            count = 2;
        }
    }
    return count;
}

static int GetHullFeature(const tdConvex* convex, tdVec3 normal, tdVec3* points, uint32_t* ids)
{
    const tdHull* hull = convex->shape->hull;
    tdMat3 cofactor = GetCofactor(convex);
    int best = -1;
    float bestCosine = FACE_COSINE;
    tdVec3 d = tdMulMat3Vec3(convex->transpose, normal);
    for (int i = 0; i < hull->faceCount; ++i)
    {
        float cosine = convex->isRigid ? tdDot(hull->faces[i].normal, d)
                                       : GetFaceCosine(&cofactor, hull->faces[i].normal, normal);
        if (cosine > bestCosine)
        {
            bestCosine = cosine;
            best = i;
        }
    }
    if (best >= 0)
    {
        // A face with too many vertices is thinned out evenly.
        const tdHullFace* face = hull->faces + best;
        int count = tdMinInt(face->edgeCount, TD_MAX_FEATURE_POINTS);
        for (int i = 0; i < count; ++i)
        {
            int vertex = hull->edges[face->firstEdge + i * face->edgeCount / count].origin;
            points[i] = PlaceLocalPoint(convex, tdHull_GetVertex(hull, vertex));
            ids[i] = (uint32_t)vertex;
        }
        if (IsMirrored(convex))
        {
            ReversePoints(points, ids, count);
        }
        return count;
    }
    int vertex = tdHull_FindSupport(hull, d);
    points[0] = PlaceLocalPoint(convex, tdHull_GetVertex(hull, vertex));
    ids[0] = (uint32_t)vertex;
    float bestSine = EDGE_SINE;
    int count = 1;
    int first = hull->vertexEdges[vertex], edge = first;
    do
    {
        int twin = hull->edges[edge].twin;
        int end = hull->edges[twin].origin;
        tdVec3 other = PlaceLocalPoint(convex, tdHull_GetVertex(hull, end));
        float sine = GetEdgeSine(points[0], other, normal);
        if (sine < bestSine)
        {
            bestSine = sine;
            points[1] = other;
            ids[1] = (uint32_t)end;
            count = 2;
        }
        const tdHullFace* face = hull->faces + hull->edges[twin].face;
        edge = twin + 1 < face->firstEdge + face->edgeCount ? twin + 1 : face->firstEdge;
    } while (edge != first);
    return count;
}

/// Line on the side of a cylinder, cone or tapered capsule that faces `d`: both ends and the normal there.
/// @return false: the shape has no side line in that direction
static bool GetSideLine(const tdConvex* convex, tdVec3 d, tdVec3* low, tdVec3* high, tdVec3* sideNormal)
{
    const tdShapeGeometry* shape = convex->shape;
    bool isCapsule = shape->kind == TD_SHAPE_CAPSULE;
    float half = isCapsule ? shape->capsule.halfHeight : shape->cylinder.halfHeight;
    float bottom = (isCapsule ? shape->capsule.radiusBottom : shape->cylinder.radiusBottom) - convex->radius;
    float top = (isCapsule ? shape->capsule.radiusTop : shape->cylinder.radiusTop) - convex->radius;
    float radial = sqrtf(d.x * d.x + d.z * d.z);
    if (!(radial > MIN_RADIAL) || !(half > 0.0f))
    {
        return false;
    }
    tdVec3 r = {d.x / radial, 0.0f, d.z / radial};
    float fall = bottom - top, height = 2.0f * half;
    if (isCapsule)
    {
        // The line is tangent to both balls: its normal is tilted by asin((bottom - top) / height).
        float sine = fall / height;
        if (!(tdAbsFloat(sine) < 1.0f))
        {
            return false;
        }
        float cosine = sqrtf(1.0f - sine * sine);
        *sideNormal = (tdVec3){cosine * r.x, sine, cosine * r.z};
        *low = tdMulAdd((tdVec3){0.0f, -half, 0.0f}, bottom, *sideNormal);
        *high = tdMulAdd((tdVec3){0.0f, half, 0.0f}, top, *sideNormal);
        return true;
    }
    float length = sqrtf(height * height + fall * fall);
    *sideNormal = (tdVec3){height / length * r.x, fall / length, height / length * r.z};
    *low = (tdVec3){bottom * r.x, -half, bottom * r.z};
    *high = (tdVec3){top * r.x, half, top * r.z};
    return true;
}

/// The rim of a cap as eight fixed points plus the one farthest in `d`, where contact is exact.
static int GetCapFeature(const tdConvex* convex, bool isTop, tdVec3 d, tdVec3* points, uint32_t* ids)
{
    static const float cosines[8] = {1.0f,  0.70710678f,  0.0f, -0.70710678f,
                                     -1.0f, -0.70710678f, 0.0f, 0.70710678f};
    const tdShapeGeometry* shape = convex->shape;
    float radius = isTop ? shape->cylinder.radiusTop : shape->cylinder.radiusBottom;
    float y = isTop ? shape->cylinder.halfHeight : -shape->cylinder.halfHeight;
    float radial = sqrtf(d.x * d.x + d.z * d.z);
    float length = tdLength(d);
    bool hasDeepest = radial > LEVEL_RIM_SINE * length;
    float dx = hasDeepest ? d.x / radial : 0.0f, dz = hasDeepest ? d.z / radial : 0.0f;
    int count = 0;
    // Counter-clockwise seen from +Y: from +x to -z.
    for (int i = 0; i < 8; ++i)
    {
        float x = cosines[i], z = -cosines[(i + 6) % 8];
        points[count] = (tdVec3){radius * x, y, radius * z};
        ids[count++] = (uint32_t)(i + (isTop ? 8 : 0));
        if (hasDeepest)
        {
            float nx = cosines[(i + 1) % 8], nz = -cosines[(i + 7) % 8];
            // d lies between this point and the next if both cross products of the rotation from x to -z are
            // positive.
            bool after = z * dx - x * dz > 0.0f, before = dz * nx - dx * nz >= 0.0f;
            if (after && before && x * dx + z * dz > 0.0f)
            {
                points[count] = (tdVec3){radius * dx, y, radius * dz};
                ids[count++] = 16u;
                hasDeepest = false;
            }
        }
    }
    for (int i = 0; i < count; ++i)
    {
        points[i] = PlaceLocalPoint(convex, points[i]);
    }
    if (isTop == IsMirrored(convex))
    {
        ReversePoints(points, ids, count);
    }
    return count;
}

static int GetRoundFeature(const tdConvex* convex, tdVec3 normal, tdVec3* points, uint32_t* ids)
{
    tdVec3 d = tdMulMat3Vec3(convex->transpose, normal);
    tdMat3 cofactor = GetCofactor(convex);
    float capCosine = -1.0f;
    if (convex->shape->kind == TD_SHAPE_CYLINDER)
    {
        tdVec3 axis = {0.0f, d.y >= 0.0f ? 1.0f : -1.0f, 0.0f};
        float radius = d.y >= 0.0f ? convex->shape->cylinder.radiusTop : convex->shape->cylinder.radiusBottom;
        capCosine = radius > 0.0f ? GetFaceCosine(&cofactor, axis, normal) : -1.0f;
    }
    tdVec3 low, high, sideNormal;
    if (GetSideLine(convex, d, &low, &high, &sideNormal))
    {
        float sideCosine = GetFaceCosine(&cofactor, sideNormal, normal);
        tdVec3 a = PlaceLocalPoint(convex, low), b = PlaceLocalPoint(convex, high);
        if (sideCosine > capCosine && sideCosine > FACE_COSINE && GetEdgeSine(a, b, normal) < EDGE_SINE)
        {
            points[0] = a;
            points[1] = b;
            ids[0] = 17u;
            ids[1] = 18u;
            return 2;
        }
    }
    if (capCosine > FACE_COSINE)
    {
        return GetCapFeature(convex, d.y >= 0.0f, d, points, ids);
    }
    points[0] = tdConvex_Support(convex, normal);
    ids[0] = d.y >= 0.0f ? 19u : 20u;
    return 1;
}

int tdConvex_GetFeature(const tdConvex* convex, tdVec3 normal, tdVec3* points, uint32_t* ids)
{
    if (convex->shape == NULL)
    {
        for (int i = 0; i < convex->pointCount; ++i)
        {
            points[i] = convex->points[i];
            ids[i] = (uint32_t)i;
        }
        if (convex->pointCount == 2 && GetEdgeSine(points[0], points[1], normal) >= EDGE_SINE)
        {
            int far = tdDot(points[1], normal) > tdDot(points[0], normal) ? 1 : 0;
            points[0] = points[far];
            ids[0] = (uint32_t)far;
            return 1;
        }
        return convex->pointCount;
    }
    switch (convex->shape->kind)
    {
    case TD_SHAPE_BOX:
        return GetBoxFeature(convex, normal, points, ids);
    case TD_SHAPE_HULL:
        return GetHullFeature(convex, normal, points, ids);
    case TD_SHAPE_SPHERE:
    case TD_SHAPE_CAPSULE:
    case TD_SHAPE_CYLINDER:
    case TD_SHAPE_PLANE:
    case TD_SHAPE_MESH:
        break;
    }
    return GetRoundFeature(convex, normal, points, ids);
}
