// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rigid frames and colliders of springs in double precision, from the formulas of docs/spec/springbone.md.
#pragma once

#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <math.h>

typedef struct Vec
{
    double x, y, z;
} Vec;

typedef struct Quat
{
    double x, y, z, w;
} Quat;

static inline Vec ToVec(tdVec3 v)
{
    return (Vec){(double)v.x, (double)v.y, (double)v.z};
}

static inline Quat ToQuat(tdQuat q)
{
    double s = 1.0 / sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                          (double)q.w * (double)q.w);
    return (Quat){s * (double)q.x, s * (double)q.y, s * (double)q.z, s * (double)q.w};
}

static inline Vec Plus(Vec a, double s, Vec b)
{
    return (Vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double Dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec Cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Vec Unit(Vec a)
{
    double s = 1.0 / sqrt(Dot(a, a));
    return (Vec){s * a.x, s * a.y, s * a.z};
}

static inline Vec Turn(Quat q, Vec v)
{
    Vec u = {q.x, q.y, q.z};
    Vec t = Plus(Cross(u, v), q.w, v);
    return Plus(v, 2.0, Cross(u, t));
}

static inline Quat Conjugate(Quat q)
{
    return (Quat){-q.x, -q.y, -q.z, q.w};
}

static inline Quat Times(Quat a, Quat b)
{
    return (Quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline Quat FromTo(Vec a, Vec b)
{
    Vec c = Cross(a, b);
    Quat q = {c.x, c.y, c.z, 1.0 + Dot(a, b)};
    double s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (Quat){s * q.x, s * q.y, s * q.z, s * q.w};
}

typedef struct Frame
{
    Quat rotation;
    Vec position;
} Frame;

static inline Vec ToWorld(Frame f, Vec v)
{
    return Plus(f.position, 1.0, Turn(f.rotation, v));
}

static inline Vec FromWorld(Frame f, Vec v)
{
    return Turn(Conjugate(f.rotation), Plus(v, -1.0, f.position));
}

static inline Vec Push(const tdSpringColliderInfo* c, Frame body, Vec next, double hitRadius)
{
    Vec o = ToWorld(body, ToVec(c->offset)), d = Plus(next, -1.0, o);
    if (c->shape == TD_SPRING_PLANE)
    {
        Vec n = Turn(body.rotation, ToVec(c->normal));
        double distance = Dot(d, n) - hitRadius;
        return distance < 0.0 ? Plus(next, -distance, n) : next;
    }
    if (c->shape == TD_SPRING_CAPSULE || c->shape == TD_SPRING_INSIDE_CAPSULE)
    {
        Vec a = Plus(ToWorld(body, ToVec(c->tail)), -1.0, o);
        double s = Dot(a, d) / Dot(a, a);
        s = s < 0.0 ? 0.0 : (s > 1.0 ? 1.0 : s);
        d = Plus(d, -s, a);
    }
    double length = sqrt(Dot(d, d));
    bool isInside = c->shape == TD_SPRING_INSIDE_SPHERE || c->shape == TD_SPRING_INSIDE_CAPSULE;
    double distance =
        isInside ? (double)c->radius - hitRadius - length : length - (double)c->radius - hitRadius;
    double side = isInside ? -1.0 : 1.0;
    return distance < 0.0 ? Plus(next, -distance * side / length, d) : next;
}
