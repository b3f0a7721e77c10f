// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A slow, independent reference for convex shapes: a second implementation of the support functions in
// double, and the largest separation over all directions by sampling the sphere and refining. A positive
// separation is the distance; a negative one is minus the penetration depth.
#pragma once

#include "geometry/hull.h"
#include "geometry/shape.h"

#include <math.h>
#include <stdint.h>

typedef struct RefVec
{
    double x, y, z;
} RefVec;

static inline RefVec RefOf(tdVec3 v)
{
    return (RefVec){(double)v.x, (double)v.y, (double)v.z};
}

static inline double RefDot(RefVec a, RefVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline RefVec RefRotate(tdQuat q, RefVec v, int inverse)
{
    double s = inverse ? -1.0 : 1.0;
    double x = s * (double)q.x, y = s * (double)q.y, z = s * (double)q.z, w = (double)q.w;
    double tx = 2.0 * (y * v.z - z * v.y), ty = 2.0 * (z * v.x - x * v.z), tz = 2.0 * (x * v.y - y * v.x);
    return (RefVec){v.x + w * tx + y * tz - z * ty, v.y + w * ty + z * tx - x * tz,
                    v.z + w * tz + x * ty - y * tx};
}

/// max of dot(d, p) over the shape in its own frame.
static inline double RefOwnReach(const tdShapeGeometry* shape, RefVec d)
{
    double length = sqrt(RefDot(d, d));
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        return (double)shape->sphere.radius * length;
    case TD_SHAPE_BOX:
        return fabs(d.x) * (double)shape->box.halfSize.x + fabs(d.y) * (double)shape->box.halfSize.y +
               fabs(d.z) * (double)shape->box.halfSize.z;
    case TD_SHAPE_CAPSULE:
    {
        double h = (double)shape->capsule.halfHeight * d.y;
        double bottom = (double)shape->capsule.radiusBottom * length - h;
        double top = (double)shape->capsule.radiusTop * length + h;
        return bottom > top ? bottom : top;
    }
    case TD_SHAPE_CYLINDER:
    {
        double h = (double)shape->cylinder.halfHeight * d.y, radial = sqrt(d.x * d.x + d.z * d.z);
        double bottom = (double)shape->cylinder.radiusBottom * radial - h;
        double top = (double)shape->cylinder.radiusTop * radial + h;
        return bottom > top ? bottom : top;
    }
    case TD_SHAPE_HULL:
    {
        double best = -HUGE_VAL;
        for (int i = 0; i < shape->hull->vertexCount; ++i)
        {
            double dot = RefDot(d, RefOf(tdHull_GetVertex(shape->hull, i)));
            best = dot > best ? dot : best;
        }
        return best;
    }
    default:
        return 0.0;
    }
}

/// max of dot(d, p) over the shape on a body at `pose`.
static inline double RefReach(const tdShapeGeometry* shape, tdTransform pose, RefVec d)
{
    RefVec inBody = RefRotate(pose.rotation, d, 1);
    RefVec inShape = RefRotate(shape->local.rotation, inBody, 1);
    double offset = RefDot(d, RefOf(pose.position)) + RefDot(inBody, RefOf(shape->local.position));
    if (shape->hasMatrix)
    {
        tdMat3 m = shape->matrix;
        inShape = (RefVec){RefDot(RefOf(m.cx), inShape), RefDot(RefOf(m.cy), inShape),
                           RefDot(RefOf(m.cz), inShape)};
    }
    return offset + RefOwnReach(shape, inShape);
}

/// Gap between the two along unit d: positive if a plane perpendicular to d separates them.
static inline double RefGap(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, RefVec d)
{
    tdTransform identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    return -RefReach(a, identity, d) - RefReach(b, bInA, (RefVec){-d.x, -d.y, -d.z});
}

static inline RefVec RefUnit(RefVec d)
{
    double s = 1.0 / sqrt(RefDot(d, d));
    return (RefVec){s * d.x, s * d.y, s * d.z};
}

static inline RefVec RefSpiral(int i, int count)
{
    double z = 1.0 - 2.0 * ((double)i + 0.5) / count, r = sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
    return (RefVec){r * cos(angle), r * sin(angle), z};
}

/// Compass search from `d` with shrinking steps.
static inline double RefClimb(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA, RefVec* d,
                              double step)
{
    double best = RefGap(a, b, bInA, *d);
    for (int iteration = 0; step > 1.0e-6 && iteration < 300; ++iteration)
    {
        RefVec other = fabs(d->x) < 0.6 ? (RefVec){1, 0, 0} : (RefVec){0, 1, 0};
        RefVec u = RefUnit((RefVec){d->y * other.z - d->z * other.y, d->z * other.x - d->x * other.z,
                                    d->x * other.y - d->y * other.x});
        RefVec v = {d->y * u.z - d->z * u.y, d->z * u.x - d->x * u.z, d->x * u.y - d->y * u.x};
        int improved = 0;
        for (int k = 0; k < 8; ++k)
        {
            double c = step * cos(0.78539816339744831 * k), s = step * sin(0.78539816339744831 * k);
            RefVec trial = RefUnit(
                (RefVec){d->x + c * u.x + s * v.x, d->y + c * u.y + s * v.y, d->z + c * u.z + s * v.z});
            double gap = RefGap(a, b, bInA, trial);
            if (gap > best + 1.0e-4 * step * step)
            {
                best = gap;
                *d = trial;
                improved = 1;
                break;
            }
        }
        step = improved ? step : 0.5 * step;
    }
    return best;
}

/// The largest gap over all directions, and the direction.
static inline double RefSeparation(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA,
                                   int samples, RefVec* direction)
{
    RefVec top[4] = {{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
    double gaps[4] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < samples; ++i)
    {
        RefVec d = RefSpiral(i, samples);
        double gap = RefGap(a, b, bInA, d);
        for (int k = 0; k < 4; ++k)
        {
            if (gap > gaps[k])
            {
                for (int m = 3; m > k; --m)
                {
                    gaps[m] = gaps[m - 1];
                    top[m] = top[m - 1];
                }
                gaps[k] = gap;
                top[k] = d;
                break;
            }
        }
    }
    double best = -HUGE_VAL;
    *direction = (RefVec){0.0, 1.0, 0.0};
    for (int k = 0; k < 4; ++k)
    {
        RefVec d = top[k];
        double gap = RefClimb(a, b, bInA, &d, 3.0 / sqrt((double)samples));
        if (gap > best)
        {
            best = gap;
            *direction = d;
        }
    }
    return best;
}

/// The largest gap over a + y v (unit v, |y| <= radius), by golden section, and its direction.
static inline double RefBestOnLine(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA,
                                   RefVec start, RefVec v, double radius, RefVec* direction)
{
    const double golden = 0.61803398874989485;
    double low = -radius, high = radius, best = -HUGE_VAL, gaps[2] = {0.0, 0.0};
    RefVec trials[2];
    for (int i = 0, fresh = 2; i < 14; ++i)
    {
        // One of the two remaining inner points is known already.
        for (int k = 0; k < 2; ++k)
        {
            if (fresh == 2 || fresh == k)
            {
                double y = k == 0 ? high - golden * (high - low) : low + golden * (high - low);
                trials[k] = RefUnit((RefVec){start.x + y * v.x, start.y + y * v.y, start.z + y * v.z});
                gaps[k] = RefGap(a, b, bInA, trials[k]);
                *direction = gaps[k] > best ? trials[k] : *direction;
                best = gaps[k] > best ? gaps[k] : best;
            }
        }
        fresh = gaps[0] < gaps[1] ? 1 : 0;
        double width = golden * (high - low);
        low = fresh == 1 ? high - width : low;
        high = fresh == 0 ? low + width : high;
        gaps[1 - fresh] = gaps[fresh];
    }
    return best;
}

/// Nested golden-section searches about `d`, on smaller and smaller patches. The compass search stops on a
/// ridge (an edge against an edge or a rim) when all its directions leave the ridge, several mm short of the
/// peak; a line across the patch meets the ridge. The gap has one peak on the line: it is quasi-concave where
/// the shapes are separated, and near its peak where they overlap.
static inline double RefPolish(const tdShapeGeometry* a, const tdShapeGeometry* b, tdTransform bInA,
                               RefVec* d)
{
    const double golden = 0.61803398874989485;
    double best = RefGap(a, b, bInA, *d);
    for (double radius = 0.2; radius > 1.0e-6;)
    {
        RefVec c = *d, other = fabs(c.x) < 0.6 ? (RefVec){1, 0, 0} : (RefVec){0, 1, 0};
        RefVec u = RefUnit((RefVec){c.y * other.z - c.z * other.y, c.z * other.x - c.x * other.z,
                                    c.x * other.y - c.y * other.x});
        RefVec v = {c.y * u.z - c.z * u.y, c.z * u.x - c.x * u.z, c.x * u.y - c.y * u.x};
        double low = -radius, high = radius, before = best, gaps[2] = {0.0, 0.0};
        for (int i = 0, fresh = 2; i < 14; ++i)
        {
            for (int k = 0; k < 2; ++k)
            {
                if (fresh == 2 || fresh == k)
                {
                    double x = k == 0 ? high - golden * (high - low) : low + golden * (high - low);
                    RefVec start = {c.x + x * u.x, c.y + x * u.y, c.z + x * u.z}, found = c;
                    gaps[k] = RefBestOnLine(a, b, bInA, start, v, radius, &found);
                    *d = gaps[k] > best ? found : *d;
                    best = gaps[k] > best ? gaps[k] : best;
                }
            }
            fresh = gaps[0] < gaps[1] ? 1 : 0;
            double width = golden * (high - low);
            low = fresh == 1 ? high - width : low;
            high = fresh == 0 ? low + width : high;
            gaps[1 - fresh] = gaps[fresh];
        }
        radius = best > before + 0.01 * radius ? radius : 0.1 * radius;
    }
    return best;
}

/// Distance of a point outside of the shape, by sampled directions: 0 or less means inside.
static inline double RefOutside(const tdShapeGeometry* shape, tdTransform pose, tdVec3 p, int samples)
{
    double worst = -HUGE_VAL;
    for (int i = 0; i < samples; ++i)
    {
        RefVec d = RefSpiral(i, samples);
        double out = RefDot(d, RefOf(p)) - RefReach(shape, pose, d);
        worst = out > worst ? out : worst;
    }
    return worst;
}

// Random numbers and shapes for property tests.

static uint32_t refRandomState = 1;

static inline float RefRandom(void)
{
    refRandomState = refRandomState * 1664525u + 1013904223u;
    return (float)(refRandomState >> 8) / 16777216.0f;
}

static inline float RefBetween(float low, float high)
{
    return low + (high - low) * RefRandom();
}

static inline tdVec3 RefRandomVec(float half)
{
    float x = RefBetween(-half, half), y = RefBetween(-half, half), z = RefBetween(-half, half);
    return (tdVec3){x, y, z};
}

static inline tdQuat RefRandomQuat(void)
{
    for (;;)
    {
        tdQuat q = {RefBetween(-1, 1), RefBetween(-1, 1), RefBetween(-1, 1), RefBetween(-1, 1)};
        float squared = tdDotQuat(q, q);
        if (squared > 0.01f && squared < 1.0f)
        {
            return tdNormalizeQuat(q);
        }
    }
}

static inline tdShapeGeometry RefPlainShape(tdShapeKind kind)
{
    tdShapeGeometry shape = {.kind = kind, .local = {{0, 0, 0}, {0, 0, 0, 1}}};
    return shape;
}

static inline tdShapeGeometry RefSphere(float radius)
{
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_SPHERE);
    shape.sphere.radius = radius;
    return shape;
}

static inline tdShapeGeometry RefBox(float x, float y, float z)
{
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_BOX);
    shape.box.halfSize = (tdVec3){x, y, z};
    return shape;
}

static inline tdShapeGeometry RefCapsule(float half, float bottom, float top)
{
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_CAPSULE);
    shape.capsule.halfHeight = half;
    shape.capsule.radiusBottom = bottom;
    shape.capsule.radiusTop = top;
    return shape;
}

static inline tdShapeGeometry RefCylinder(float half, float bottom, float top)
{
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_CYLINDER);
    shape.cylinder.halfHeight = half;
    shape.cylinder.radiusBottom = bottom;
    shape.cylinder.radiusTop = top;
    return shape;
}

static inline tdShapeGeometry RefPlane(float halfX, float halfZ, bool isDoubleSided)
{
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_PLANE);
    shape.plane.halfX = halfX;
    shape.plane.halfZ = halfZ;
    shape.plane.isDoubleSided = isDoubleSided;
    return shape;
}

/// Hull of random points on an ellipsoid.
static inline tdHull* RefRandomHull(int points, float radius)
{
    tdVec3 list[128];
    for (int i = 0; i < points && i < 128; ++i)
    {
        RefVec d = RefUnit(
            (RefVec){(double)RefBetween(-1, 1), (double)RefBetween(-1, 1), (double)RefBetween(-1, 1)});
        list[i] = (tdVec3){radius * (float)d.x, 0.8f * radius * (float)d.y, radius * (float)d.z};
    }
    return tdCookHull(list, points < 128 ? points : 128, NULL, NULL);
}
