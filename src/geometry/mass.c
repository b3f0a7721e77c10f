// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mass properties from the second moments S = integral of x x^T dV about the centroid. A linear map M
// transforms them as V' = |det M| V and S' = |det M| M S M^T; the inertia tensor is tr(S) 1 - S.
#include "mass.h"

#include "hull.h"
#include "triangles.h"

#include <math.h>

void tdVolumeSum_AddTriangle(tdVolumeSum* sum, tdVec3 a, tdVec3 b, tdVec3 c)
{
    double ax = (double)a.x, ay = (double)a.y, az = (double)a.z;
    double bx = (double)b.x, by = (double)b.y, bz = (double)b.z;
    double cx = (double)c.x, cy = (double)c.y, cz = (double)c.z;
    double det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    double sx = ax + bx + cx, sy = ay + by + cy, sz = az + bz + cz;
    sum->volume6 += det;
    sum->first[0] += det * sx;
    sum->first[1] += det * sy;
    sum->first[2] += det * sz;
    sum->second[0] += det * (ax * ax + bx * bx + cx * cx + sx * sx);
    sum->second[1] += det * (ay * ay + by * by + cy * cy + sy * sy);
    sum->second[2] += det * (az * az + bz * bz + cz * cz + sz * sz);
    sum->second[3] += det * (ax * ay + bx * by + cx * cy + sx * sy);
    sum->second[4] += det * (ax * az + bx * bz + cx * cz + sx * sz);
    sum->second[5] += det * (ay * az + by * bz + cy * cz + sy * sz);
}

tdVolumeData tdVolumeSum_Finish(const tdVolumeSum* sum, tdVec3 origin)
{
    double volume = sum->volume6 / 6.0;
    if (!(volume > 0.0))
    {
        return (tdVolumeData){0.0f, origin, tdMat3_zero};
    }
    double x = sum->first[0] / 24.0 / volume, y = sum->first[1] / 24.0 / volume;
    double z = sum->first[2] / 24.0 / volume;
    double xx = sum->second[0] / 120.0 - volume * x * x, yy = sum->second[1] / 120.0 - volume * y * y;
    double zz = sum->second[2] / 120.0 - volume * z * z, xy = sum->second[3] / 120.0 - volume * x * y;
    double xz = sum->second[4] / 120.0 - volume * x * z, yz = sum->second[5] / 120.0 - volume * y * z;
    tdVolumeData data;
    data.volume = (float)volume;
    data.centroid =
        (tdVec3){(float)((double)origin.x + x), (float)((double)origin.y + y), (float)((double)origin.z + z)};
    data.inertia.cx = (tdVec3){(float)(yy + zz), (float)-xy, (float)-xz};
    data.inertia.cy = (tdVec3){(float)-xy, (float)(xx + zz), (float)-yz};
    data.inertia.cz = (tdVec3){(float)-xz, (float)-yz, (float)(xx + yy)};
    return data;
}

tdMat3 tdShiftInertia(tdMat3 inertia, float mass, tdVec3 offset)
{
    // Parallel axis theorem: I + m (|o|^2 1 - o o^T)
    float xx = offset.x * offset.x, yy = offset.y * offset.y, zz = offset.z * offset.z;
    tdMat3 added = {
        {mass * (yy + zz), -mass * offset.x * offset.y, -mass * offset.x * offset.z},
        {-mass * offset.x * offset.y, mass * (xx + zz), -mass * offset.y * offset.z},
        {-mass * offset.x * offset.z, -mass * offset.y * offset.z, mass * (xx + yy)},
    };
    return tdAddMat3(inertia, added);
}

/// Moments of a body of revolution about the y axis.
typedef struct tdRoundMoments
{
    double volume;
    double first;  // moment of y about y = 0
    double across; // second moment of x, equal to that of z
    double along;  // second moment of y about y = 0
} tdRoundMoments;

/// Adds a frustum from height `start` to start + height, with radii r0 and r1.
static void AddFrustum(tdRoundMoments* sum, double start, double height, double r0, double r1)
{
    double pi = 3.14159265358979323846;
    double volume = pi * height / 3.0 * (r0 * r0 + r0 * r1 + r1 * r1);
    double first = pi * height * height / 12.0 * (r0 * r0 + 2.0 * r0 * r1 + 3.0 * r1 * r1);
    double second = pi * height * height * height / 30.0 * (r0 * r0 + 3.0 * r0 * r1 + 6.0 * r1 * r1);
    sum->volume += volume;
    sum->first += first + start * volume;
    sum->along += second + 2.0 * start * first + start * start * volume;
    sum->across +=
        pi * height / 20.0 *
        (r0 * r0 * r0 * r0 + r0 * r0 * r0 * r1 + r0 * r0 * r1 * r1 + r0 * r1 * r1 * r1 + r1 * r1 * r1 * r1);
}

/// Adds the slice of a ball of radius r about height `center`, from `low` to `high` relative to its centre.
static void AddBallSlice(tdRoundMoments* sum, double center, double r, double low, double high)
{
    double pi = 3.14159265358979323846;
    double d1 = high - low, d2 = high * high - low * low, d3 = high * high * high - low * low * low;
    double d4 = high * high * high * high - low * low * low * low;
    double d5 = high * high * high * high * high - low * low * low * low * low;
    double volume = pi * (r * r * d1 - d3 / 3.0);
    double first = pi * (r * r * d2 / 2.0 - d4 / 4.0);
    double second = pi * (r * r * d3 / 3.0 - d5 / 5.0);
    sum->volume += volume;
    sum->first += first + center * volume;
    sum->along += second + 2.0 * center * first + center * center * volume;
    sum->across += pi / 4.0 * (r * r * r * r * d1 - 2.0 * r * r * d3 / 3.0 + d5 / 5.0);
}

/// A straight or tapered capsule: two ball slices and the frustum between their tangent circles.
static tdRoundMoments ComputeCapsuleMoments(const tdShapeGeometry* shape)
{
    tdRoundMoments sum = {0.0, 0.0, 0.0, 0.0};
    double half = (double)shape->capsule.halfHeight;
    double bottom = (double)shape->capsule.radiusBottom, top = (double)shape->capsule.radiusTop;
    double sine = half > 0.0 ? (bottom - top) / (2.0 * half) : 2.0;
    if (!(sine < 1.0 && sine > -1.0))
    {
        // One ball contains the other.
        double r = bottom >= top ? bottom : top;
        AddBallSlice(&sum, bottom >= top ? -half : half, r, -r, r);
        return sum;
    }
    double cosine = sqrt(1.0 - sine * sine);
    double y0 = -half + bottom * sine, y1 = half + top * sine;
    AddBallSlice(&sum, -half, bottom, -bottom, bottom * sine);
    AddFrustum(&sum, y0, y1 - y0, bottom * cosine, top * cosine);
    AddBallSlice(&sum, half, top, top * sine, top);
    return sum;
}

/// Volume below which a body of triangles is flat, in cubes of its radius of gyration: a sheet of 1 m that is
/// 0.1 um thick. Coordinates are rounded by as much.
#define FLAT_SHARE 2.0e-6f

/// Whether the volume of a hull or mesh is that of rounding errors alone.
static bool IsFlat(const tdVolumeData* data)
{
    float second = 0.5f * (data->inertia.cx.x + data->inertia.cy.y + data->inertia.cz.z); // m^5
    float radius = data->volume > 0.0f ? sqrtf(second / data->volume) : 0.0f;
    return !(data->volume > FLAT_SHARE * radius * radius * radius);
}

/// Mass properties at density 1 in the frame of the shape, before its matrix.
static tdVolumeData ComputeVolume(const tdShapeGeometry* shape)
{
    tdVolumeData none = {0.0f, {0.0f, 0.0f, 0.0f}, tdMat3_zero};
    tdRoundMoments moments = {0.0, 0.0, 0.0, 0.0};
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        AddBallSlice(&moments, 0.0, (double)shape->sphere.radius, -(double)shape->sphere.radius,
                     (double)shape->sphere.radius);
        break;
    case TD_SHAPE_BOX:
    {
        tdVec3 h = shape->box.halfSize;
        float volume = 8.0f * h.x * h.y * h.z, third = volume / 3.0f;
        tdVec3 s = {third * h.x * h.x, third * h.y * h.y, third * h.z * h.z};
        return (tdVolumeData){volume, tdVec3_zero, tdDiagonal((tdVec3){s.y + s.z, s.x + s.z, s.x + s.y})};
    }
    case TD_SHAPE_CAPSULE:
        moments = ComputeCapsuleMoments(shape);
        break;
    case TD_SHAPE_CYLINDER:
        AddFrustum(&moments, -(double)shape->cylinder.halfHeight, 2.0 * (double)shape->cylinder.halfHeight,
                   (double)shape->cylinder.radiusBottom, (double)shape->cylinder.radiusTop);
        break;
    case TD_SHAPE_HULL:
        return IsFlat(&shape->hull->volume) ? none : shape->hull->volume;
    case TD_SHAPE_MESH:
        return IsFlat(&shape->mesh->volume) ? none : shape->mesh->volume;
    case TD_SHAPE_PLANE:
        return none;
    }
    if (!(moments.volume > 0.0))
    {
        return none;
    }
    double y = moments.first / moments.volume;
    double along = moments.along - moments.volume * y * y;
    float across = (float)(moments.across + along), around = (float)(2.0 * moments.across);
    return (tdVolumeData){
        (float)moments.volume, {0.0f, (float)y, 0.0f}, tdDiagonal((tdVec3){across, around, across})};
}

tdVolumeData tdTransformVolume(tdVolumeData data, tdMat3 m)
{
    float scale = tdAbsFloat(tdDeterminant(m));
    float half = 0.5f * (data.inertia.cx.x + data.inertia.cy.y + data.inertia.cz.z);
    tdMat3 second = tdAddMat3(tdDiagonal((tdVec3){half, half, half}), tdScaleMat3(-1.0f, data.inertia));
    second = tdScaleMat3(scale, tdMulMat3(tdMulMat3(m, second), tdTranspose(m)));
    float trace = second.cx.x + second.cy.y + second.cz.z;
    data.volume *= scale;
    data.centroid = tdMulMat3Vec3(m, data.centroid);
    data.inertia = tdAddMat3(tdDiagonal((tdVec3){trace, trace, trace}), tdScaleMat3(-1.0f, second));
    return data;
}

tdMassData tdComputeMassData(const tdShapeGeometry* shape, float density)
{
    tdVolumeData data = ComputeVolume(shape);
    if (shape->hasMatrix && shape->kind != TD_SHAPE_PLANE && shape->kind != TD_SHAPE_MESH)
    {
        data = tdTransformVolume(data, shape->matrix);
    }
    tdMat3 rotation = tdMat3FromQuat(shape->local.rotation);
    tdMassData mass;
    mass.mass = density * data.volume;
    mass.center = tdTransformPoint(shape->local, data.centroid);
    mass.inertia = tdScaleMat3(density, tdMulMat3(tdMulMat3(rotation, data.inertia), tdTranspose(rotation)));
    // Rounding must not make the tensor asymmetric.
    mass.inertia.cy.x = mass.inertia.cx.y;
    mass.inertia.cz.x = mass.inertia.cx.z;
    mass.inertia.cz.y = mass.inertia.cy.z;
    return mass;
}

tdMassData tdCombineMassData(const tdMassData* parts, int count)
{
    tdMassData sum = {0.0f, {0.0f, 0.0f, 0.0f}, tdMat3_zero};
    for (int i = 0; i < count; ++i)
    {
        sum.mass += parts[i].mass;
        sum.center = tdMulAdd(sum.center, parts[i].mass, parts[i].center);
    }
    if (!(sum.mass > 0.0f))
    {
        return (tdMassData){0.0f, {0.0f, 0.0f, 0.0f}, tdMat3_zero};
    }
    sum.center = tdScale(1.0f / sum.mass, sum.center);
    for (int i = 0; i < count; ++i)
    {
        tdVec3 offset = tdSub(parts[i].center, sum.center);
        sum.inertia = tdAddMat3(sum.inertia, tdShiftInertia(parts[i].inertia, parts[i].mass, offset));
    }
    return sum;
}
