// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Quaternions and matrices in double with libm, from textbook formulas: the reference for float code.
#pragma once

#include "math/vecmath.h"

#include <math.h>

typedef struct dVec3
{
    double x, y, z;
} dVec3;

typedef struct dQuat
{
    double x, y, z, w;
} dQuat;

static const dQuat dIdentity = {0, 0, 0, 1};

static inline dQuat dFromQuat(tdQuat q)
{
    return (dQuat){(double)q.x, (double)q.y, (double)q.z, (double)q.w};
}

static inline dVec3 dFromVec3(tdVec3 v)
{
    return (dVec3){(double)v.x, (double)v.y, (double)v.z};
}

static inline dQuat dMul(dQuat a, dQuat b)
{
    return (dQuat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline dQuat dConj(dQuat q)
{
    return (dQuat){-q.x, -q.y, -q.z, q.w};
}

static inline double dDotQuat(dQuat a, dQuat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline dQuat dNormalizeQuat(dQuat q)
{
    double s = 1.0 / sqrt(dDotQuat(q, q));
    return (dQuat){s * q.x, s * q.y, s * q.z, s * q.w};
}

static inline dVec3 dRotate(dQuat q, dVec3 v)
{
    dQuat r = dMul(dMul(q, (dQuat){v.x, v.y, v.z, 0}), dConj(q));
    return (dVec3){r.x, r.y, r.z};
}

static inline dVec3 dCross(dVec3 a, dVec3 b)
{
    return (dVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dDot(dVec3 a, dVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dQuat dSlerp(dQuat a, dQuat b, double t)
{
    double c = dDotQuat(a, b);
    if (c < 0)
    {
        b = (dQuat){-b.x, -b.y, -b.z, -b.w};
        c = -c;
    }
    double angle = acos(c < 1 ? c : 1), u = 1 - t, v = t;
    if (angle > 1e-9)
    {
        u = sin((1 - t) * angle) / sin(angle);
        v = sin(t * angle) / sin(angle);
    }
    return dNormalizeQuat(
        (dQuat){u * a.x + v * b.x, u * a.y + v * b.y, u * a.z + v * b.z, u * a.w + v * b.w});
}

// Smallest rotation from unit u to unit v.
static inline dQuat dFromTo(dVec3 u, dVec3 v)
{
    dVec3 c = dCross(u, v);
    return dNormalizeQuat((dQuat){c.x, c.y, c.z, 1 + dDot(u, v)});
}

static inline double dAngle(dQuat a, dQuat b)
{
    double minus = 0, plus = 0;
    const double* p = &a.x;
    const double* q = &b.x;
    for (int i = 0; i < 4; ++i)
    {
        minus += (p[i] - q[i]) * (p[i] - q[i]);
        plus += (p[i] + q[i]) * (p[i] + q[i]);
    }
    double less = minus < plus ? minus : plus, more = minus < plus ? plus : minus;
    return 4 * atan2(sqrt(less), sqrt(more));
}

// Column-major 3 x 4 of an affine map.
typedef struct dAffine
{
    double m[12];
} dAffine;

static inline dAffine dFromTrs(dVec3 t, dQuat q, dVec3 s)
{
    dVec3 x = dRotate(q, (dVec3){s.x, 0, 0}), y = dRotate(q, (dVec3){0, s.y, 0}),
          z = dRotate(q, (dVec3){0, 0, s.z});
    return (dAffine){{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, t.x, t.y, t.z}};
}

static inline dVec3 dPoint(const dAffine* a, dVec3 p)
{
    const double* m = a->m;
    return (dVec3){m[0] * p.x + m[3] * p.y + m[6] * p.z + m[9], m[1] * p.x + m[4] * p.y + m[7] * p.z + m[10],
                   m[2] * p.x + m[5] * p.y + m[8] * p.z + m[11]};
}

static inline dAffine dMulAffine(const dAffine* a, const dAffine* b)
{
    dAffine r;
    for (int c = 0; c < 4; ++c)
    {
        dVec3 column = {b->m[3 * c], b->m[3 * c + 1], b->m[3 * c + 2]};
        dVec3 p = dPoint(a, column);
        double w = c == 3 ? 1 : 0; // directions have no translation
        r.m[3 * c] = p.x - (1 - w) * a->m[9];
        r.m[3 * c + 1] = p.y - (1 - w) * a->m[10];
        r.m[3 * c + 2] = p.z - (1 - w) * a->m[11];
    }
    return r;
}

// Matrix of a rotation from its orthonormal columns, as a quaternion.
static inline dQuat dQuatOfColumns(const double m[9])
{
    // The component with the largest magnitude divides the others.
    double squares[4] = {1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8],
                         1 + m[0] + m[4] + m[8]};
    int best = 0;
    for (int i = 1; i < 4; ++i)
    {
        best = squares[i] > squares[best] ? i : best;
    }
    double xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
    double xw = m[5] - m[7], yw = m[6] - m[2], zw = m[1] - m[3];
    dQuat rows[4] = {{squares[0], xy, xz, xw},
                     {xy, squares[1], yz, yw},
                     {xz, yz, squares[2], zw},
                     {xw, yw, zw, squares[3]}};
    return dNormalizeQuat(rows[best]);
}

// World rotation of a matrix: its orthogonal polar factor by Newton's iteration, negated where it mirrors.
static inline dQuat dWorldRotation(const dAffine* a)
{
    double x[9];
    for (int i = 0; i < 9; ++i)
    {
        x[i] = a->m[i];
    }
    double determinant = 1;
    for (int round = 0; round < 100; ++round)
    {
        dVec3 c[3] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}};
        dVec3 f[3] = {dCross(c[1], c[2]), dCross(c[2], c[0]), dCross(c[0], c[1])};
        determinant = dDot(c[0], f[0]);
        for (int i = 0; i < 3; ++i)
        {
            x[3 * i] = 0.5 * (x[3 * i] + f[i].x / determinant);
            x[3 * i + 1] = 0.5 * (x[3 * i + 1] + f[i].y / determinant);
            x[3 * i + 2] = 0.5 * (x[3 * i + 2] + f[i].z / determinant);
        }
    }
    for (int i = 0; i < 9 && determinant < 0; ++i)
    {
        x[i] = -x[i];
    }
    return dQuatOfColumns(x);
}

static inline dAffine dFromMat4(tdMat4 m)
{
    tdVec3 columns[4] = {tdMat4Direction(m, (tdVec3){1, 0, 0}), tdMat4Direction(m, (tdVec3){0, 1, 0}),
                         tdMat4Direction(m, (tdVec3){0, 0, 1}), tdMat4Translation(m)};
    dAffine a;
    for (int i = 0; i < 4; ++i)
    {
        a.m[3 * i] = (double)columns[i].x;
        a.m[3 * i + 1] = (double)columns[i].y;
        a.m[3 * i + 2] = (double)columns[i].z;
    }
    return a;
}
