// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The longer functions of vecmath.h: interpolation, matrices, polar decomposition, eigenvectors. Computations
// that could cancel or overflow in float run in double and round once at the end.
#include "vecmath.h"

#include "trig.h"

/// Sine below which two unit vectors are parallel and have no common perpendicular; a few double ulp.
#define PARALLEL_SINE 1.0e-14
/// Squared chord below which slerp and normalised lerp agree to float precision.
#define NEAR_CHORD_SQUARED 1.0e-6f
/// Off-diagonal elements below this, relative to the largest element, count as zero in the Jacobi sweeps.
#define JACOBI_TOLERANCE 1.0e-17
/// Newton's iteration converges quadratically: after a change below this the error is below its square.
#define POLAR_TOLERANCE 1.0e-9
/// Bound of both iterations, which need about six rounds, against NaN.
#define MAX_ROUNDS 24
/// Gap of the two largest eigenvalues, relative to the norm, below which a matrix has rank one.
#define RANK_ONE_GAP 1.0e-6
/// Determinant, relative to the product of the column lengths, up to which its sign is rounding noise of
/// floats.
#define FLAT_DETERMINANT 4.0e-7
/// Determinant, relative to the cubed norm, above which Newton's iteration is well-conditioned.
#define REGULAR_DETERMINANT 1.0e-4

typedef struct DoubleMat3
{
    double m[3][3]; // row, column
} DoubleMat3;

static DoubleMat3 ToDoubleMat3(tdMat3 m)
{
    return (DoubleMat3){{
        {(double)m.cx.x, (double)m.cy.x, (double)m.cz.x},
        {(double)m.cx.y, (double)m.cy.y, (double)m.cz.y},
        {(double)m.cx.z, (double)m.cy.z, (double)m.cz.z},
    }};
}

static tdMat3 FromDoubleMat3(const DoubleMat3* m)
{
    return (tdMat3){
        {(float)m->m[0][0], (float)m->m[1][0], (float)m->m[2][0]},
        {(float)m->m[0][1], (float)m->m[1][1], (float)m->m[2][1]},
        {(float)m->m[0][2], (float)m->m[1][2], (float)m->m[2][2]},
    };
}

/// Cofactor matrix: the inverse transpose times the determinant.
static DoubleMat3 ComputeCofactors(const DoubleMat3* a)
{
    DoubleMat3 c;
    for (int i = 0; i < 3; ++i)
    {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c.m[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
        }
    }
    return c;
}

static double ComputeDeterminant(const DoubleMat3* a, const DoubleMat3* cofactors)
{
    return a->m[0][0] * cofactors->m[0][0] + a->m[0][1] * cofactors->m[0][1] +
           a->m[0][2] * cofactors->m[0][2];
}

static double SumSquares(const DoubleMat3* a)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            sum += a->m[i][j] * a->m[i][j];
        }
    }
    return sum;
}

/// Normalises q = {x, y, z, w}, makes w positive and rounds.
static tdQuat RoundQuat(const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.0))
    {
        return tdQuat_identity;
    }
    double s = (q[3] < 0.0 ? -1.0 : 1.0) / length;
    return (tdQuat){(float)(s * q[0]), (float)(s * q[1]), (float)(s * q[2]), (float)(s * q[3])};
}

/// Shepperd's method: divides by the largest of the four components.
static tdQuat MakeQuatOfRotation(const DoubleMat3* r)
{
    const double(*m)[3] = r->m;
    double trace = m[0][0] + m[1][1] + m[2][2];
    double q[4];
    if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2])
    {
        q[0] = m[2][1] - m[1][2];
        q[1] = m[0][2] - m[2][0];
        q[2] = m[1][0] - m[0][1];
        q[3] = 1.0 + trace;
    }
    else
    {
        int i = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : (m[1][1] >= m[2][2] ? 1 : 2);
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    return RoundQuat(q);
}

tdQuat tdQuatFromTo(tdVec3 from, tdVec3 to)
{
    // Sine and cosine of half the angle are half the lengths of to - from and from + to; the axis is their
    // cross product. Both stay accurate near 0 and near half a turn, unlike 1 + dot.
    double f[3] = {(double)from.x, (double)from.y, (double)from.z};
    double t[3] = {(double)to.x, (double)to.y, (double)to.z};
    double invF = 1.0 / sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    double invT = 1.0 / sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    double sum = 0.0, difference = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        f[i] *= invF;
        t[i] *= invT;
        sum += (f[i] + t[i]) * (f[i] + t[i]);
        difference += (t[i] - f[i]) * (t[i] - f[i]);
    }
    double axis[3] = {f[1] * t[2] - f[2] * t[1], f[2] * t[0] - f[0] * t[2], f[0] * t[1] - f[1] * t[0]};
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > PARALLEL_SINE))
    {
        if (sum >= difference || !(sum == sum))
        {
            return tdQuat_identity;
        }
        tdVec3 halfTurn = tdPerpendicular(from);
        return (tdQuat){halfTurn.x, halfTurn.y, halfTurn.z, 0.0f};
    }
    double s = sqrt(difference) / length;
    return RoundQuat((const double[4]){s * axis[0], s * axis[1], s * axis[2], sqrt(sum)});
}

tdQuat tdSlerp(tdQuat a, tdQuat b, float t)
{
    if (tdDotQuat(a, b) < 0.0f)
    {
        b = tdNegateQuat(b);
    }
    tdQuat difference = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
    float chordSquared = tdDotQuat(difference, difference);
    if (chordSquared < NEAR_CHORD_SQUARED)
    {
        return tdNlerp(a, b, t);
    }
    tdQuat sum = {b.x + a.x, b.y + a.y, b.z + a.z, b.w + a.w};
    float angle = 2.0f * tdAtan2(sqrtf(chordSquared), sqrtf(tdDotQuat(sum, sum)));
    float sine = tdSin(angle);
    float weightA = tdSin((1.0f - t) * angle) / sine;
    float weightB = tdSin(t * angle) / sine;
    return tdNormalizeQuat((tdQuat){weightA * a.x + weightB * b.x, weightA * a.y + weightB * b.y,
                                    weightA * a.z + weightB * b.z, weightA * a.w + weightB * b.w});
}

tdQuat tdQuatFromAxisAngle(tdVec3 unitAxis, float angle)
{
    tdSinCos half = tdComputeSinCos(0.5f * angle);
    return (tdQuat){half.sine * unitAxis.x, half.sine * unitAxis.y, half.sine * unitAxis.z, half.cosine};
}

tdQuat tdQuatFromMat3(tdMat3 rotation)
{
    DoubleMat3 m = ToDoubleMat3(rotation);
    return MakeQuatOfRotation(&m);
}

float tdAngleBetween(tdQuat a, tdQuat b)
{
    // In double the products of floats are exact, so nearly equal ones cancel without loss.
    double ax = (double)a.x, ay = (double)a.y, az = (double)a.z, aw = (double)a.w;
    double bx = (double)b.x, by = (double)b.y, bz = (double)b.z, bw = (double)b.w;
    double x = aw * bx - ax * bw - ay * bz + az * by;
    double y = aw * by - ay * bw - az * bx + ax * bz;
    double z = aw * bz - az * bw - ax * by + ay * bx;
    double w = aw * bw + ax * bx + ay * by + az * bz;
    return 2.0f * tdAtan2((float)sqrt(x * x + y * y + z * z), (float)fabs(w));
}

tdMat4 tdMat4FromTrs(tdTrs trs)
{
    tdMat3 r = tdMat3FromQuat(trs.rotation);
    tdVec3 s = trs.scale, t = trs.translation;
    return (tdMat4){{
        s.x * r.cx.x,
        s.x * r.cx.y,
        s.x * r.cx.z,
        0.0f, // X
        s.y * r.cy.x,
        s.y * r.cy.y,
        s.y * r.cy.z,
        0.0f, // Y
        s.z * r.cz.x,
        s.z * r.cz.y,
        s.z * r.cz.z,
        0.0f, // Z
        t.x,
        t.y,
        t.z,
        1.0f,
    }};
}

tdMat4 tdMulMat4(tdMat4 a, tdMat4 b)
{
    tdMat4 product;
    for (int column = 0; column < 4; ++column)
    {
        const float* v = &b.m[4 * column];
        for (int row = 0; row < 4; ++row)
        {
            product.m[4 * column + row] =
                a.m[row] * v[0] + a.m[4 + row] * v[1] + a.m[8 + row] * v[2] + a.m[12 + row] * v[3];
        }
    }
    return product;
}

tdMat4 tdInverseAffine(tdMat4 m)
{
    DoubleMat3 a = ToDoubleMat3(tdMat4Linear(m));
    DoubleMat3 cofactors = ComputeCofactors(&a);
    double determinant = ComputeDeterminant(&a, &cofactors);
    if (!(fabs(determinant) > 0.0))
    {
        return tdMat4_identity;
    }
    double s = 1.0 / determinant;
    double t[3] = {(double)m.m[12], (double)m.m[13], (double)m.m[14]};
    tdMat4 inverse = tdMat4_identity;
    for (int row = 0; row < 3; ++row)
    {
        double translation = 0.0;
        for (int column = 0; column < 3; ++column)
        {
            double element = s * cofactors.m[column][row];
            inverse.m[4 * column + row] = (float)element;
            translation -= element * t[column];
        }
        inverse.m[12 + row] = (float)translation;
    }
    return inverse;
}

tdVec3 tdMat4Point(tdMat4 m, tdVec3 p)
{
    return (tdVec3){
        m.m[0] * p.x + m.m[4] * p.y + m.m[8] * p.z + m.m[12],
        m.m[1] * p.x + m.m[5] * p.y + m.m[9] * p.z + m.m[13],
        m.m[2] * p.x + m.m[6] * p.y + m.m[10] * p.z + m.m[14],
    };
}

tdVec3 tdMat4Direction(tdMat4 m, tdVec3 v)
{
    return (tdVec3){
        m.m[0] * v.x + m.m[4] * v.y + m.m[8] * v.z,
        m.m[1] * v.x + m.m[5] * v.y + m.m[9] * v.z,
        m.m[2] * v.x + m.m[6] * v.y + m.m[10] * v.z,
    };
}

tdVec3 tdMat4Translation(tdMat4 m)
{
    return (tdVec3){m.m[12], m.m[13], m.m[14]};
}

tdMat3 tdMat4Linear(tdMat4 m)
{
    return (tdMat3){{m.m[0], m.m[1], m.m[2]}, {m.m[4], m.m[5], m.m[6]}, {m.m[8], m.m[9], m.m[10]}};
}

/// Applies the Jacobi rotation that clears a[p][q] to the symmetric n x n matrix `a` (row stride n) and to
/// the columns of `vectors`.
static void RotateJacobi(double* a, double* vectors, int n, int p, int q)
{
    double apq = a[p * n + q];
    double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
    t = theta < 0.0 ? -t : t;
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; ++k)
    {
        double akp = a[k * n + p], akq = a[k * n + q];
        a[k * n + p] = c * akp - s * akq;
        a[k * n + q] = s * akp + c * akq;
    }
    for (int k = 0; k < n; ++k)
    {
        double apk = a[p * n + k], aqk = a[q * n + k];
        a[p * n + k] = c * apk - s * aqk;
        a[q * n + k] = s * apk + c * aqk;
    }
    a[p * n + q] = a[q * n + p] = 0.0;
    for (int k = 0; k < n; ++k)
    {
        double vkp = vectors[k * n + p], vkq = vectors[k * n + q];
        vectors[k * n + p] = c * vkp - s * vkq;
        vectors[k * n + q] = s * vkp + c * vkq;
    }
}

/// Cyclic Jacobi method. It leaves the eigenvalues on the diagonal of `a` and the eigenvectors in the columns
/// of `vectors`.
static void DiagonalizeJacobi(double* a, double* vectors, int n)
{
    double scale = 0.0;
    for (int i = 0; i < n * n; ++i)
    {
        vectors[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        scale = fabs(a[i]) > scale ? fabs(a[i]) : scale;
    }
    for (int sweep = 0; sweep < MAX_ROUNDS; ++sweep)
    {
        bool changed = false;
        for (int p = 0; p < n - 1; ++p)
        {
            for (int q = p + 1; q < n; ++q)
            {
                if (fabs(a[p * n + q]) > JACOBI_TOLERANCE * scale)
                {
                    RotateJacobi(a, vectors, n, p, q);
                    changed = true;
                }
            }
        }
        if (!changed)
        {
            return;
        }
    }
}

/// Scaled Newton iteration X <- (g X + X^-T / g) / 2 for the polar factor of a well-conditioned matrix with
/// positive determinant (Higham 1986).
static DoubleMat3 IteratePolar(DoubleMat3 x)
{
    for (int i = 0; i < MAX_ROUNDS; ++i)
    {
        DoubleMat3 cofactors = ComputeCofactors(&x);
        double determinant = ComputeDeterminant(&x, &cofactors);
        double gamma = sqrt(sqrt(SumSquares(&cofactors) / SumSquares(&x)) / determinant);
        double forward = 0.5 * gamma, backward = 0.5 / (gamma * determinant);
        double change = 0.0;
        for (int row = 0; row < 3; ++row)
        {
            for (int column = 0; column < 3; ++column)
            {
                double next = forward * x.m[row][column] + backward * cofactors.m[row][column];
                double step = fabs(next - x.m[row][column]);
                change = step > change ? step : change;
                x.m[row][column] = next;
            }
        }
        if (change < POLAR_TOLERANCE)
        {
            break;
        }
    }
    return x;
}

/// The rotation R that maximises trace(R^T M), as a quaternion q. The trace is q^T K q, so q is the
/// eigenvector of the greatest eigenvalue of K (Davenport's q-method). It exists for singular M too. With M =
/// U diag(s) V^T the gap to the next eigenvalue is 2 (s2 + s3). If it vanishes, M has rank one and the result
/// is the smallest rotation.
static tdQuat FindNearestRotation(const DoubleMat3* matrix, double norm)
{
    const double(*m)[3] = matrix->m;
    double xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
    double xw = m[2][1] - m[1][2], yw = m[0][2] - m[2][0], zw = m[1][0] - m[0][1];
    double k[16] = {
        m[0][0] - m[1][1] - m[2][2],
        xy,
        xz,
        xw, //
        xy,
        m[1][1] - m[0][0] - m[2][2],
        yz,
        yw, //
        xz,
        yz,
        m[2][2] - m[0][0] - m[1][1],
        zw, //
        xw,
        yw,
        zw,
        m[0][0] + m[1][1] + m[2][2],
    };
    double vectors[16];
    DiagonalizeJacobi(k, vectors, 4);
    int best = 3;
    for (int i = 0; i < 3; ++i)
    {
        best = k[5 * i] > k[5 * best] ? i : best;
    }
    double second = (double)-INFINITY;
    for (int i = 0; i < 4; ++i)
    {
        second = i != best && k[5 * i] > second ? k[5 * i] : second;
    }
    if (k[5 * best] - second > RANK_ONE_GAP * norm)
    {
        return RoundQuat(
            (const double[4]){vectors[best], vectors[4 + best], vectors[8 + best], vectors[12 + best]});
    }

    // Rank one: M = s u v^T. Every rotation of v onto u has the same trace; this one has no twist.
    int column = 0;
    double largest = -1.0, u[3], v[3];
    for (int j = 0; j < 3; ++j)
    {
        double length = m[0][j] * m[0][j] + m[1][j] * m[1][j] + m[2][j] * m[2][j];
        if (length > largest)
        {
            largest = length;
            column = j;
        }
    }
    double s = 1.0 / sqrt(largest);
    for (int i = 0; i < 3; ++i)
    {
        u[i] = s * m[i][column];
    }
    for (int j = 0; j < 3; ++j)
    {
        v[j] = (m[0][j] * u[0] + m[1][j] * u[1] + m[2][j] * u[2]) / norm;
    }
    return tdQuatFromTo((tdVec3){(float)v[0], (float)v[1], (float)v[2]},
                        (tdVec3){(float)u[0], (float)u[1], (float)u[2]});
}

tdPolar tdComputePolar(tdMat3 m)
{
    tdPolar polar = {.rotation = tdQuat_identity, .stretch = m};
    DoubleMat3 a = ToDoubleMat3(m);
    double squared = SumSquares(&a);
    if (!(squared > 0.0) || !isfinite(squared))
    {
        return polar;
    }

    DoubleMat3 cofactors = ComputeCofactors(&a);
    double determinant = ComputeDeterminant(&a, &cofactors);
    double volume = 1.0;
    for (int j = 0; j < 3; ++j)
    {
        volume *= sqrt(a.m[0][j] * a.m[0][j] + a.m[1][j] * a.m[1][j] + a.m[2][j] * a.m[2][j]);
    }
    polar.isMirrored = determinant < -FLAT_DETERMINANT * volume;
    DoubleMat3 positive = a;
    for (int i = 0; polar.isMirrored && i < 9; ++i)
    {
        positive.m[i / 3][i % 3] = -a.m[i / 3][i % 3];
    }

    DoubleMat3 r;
    double norm = sqrt(squared);
    if (fabs(determinant) > REGULAR_DETERMINANT * norm * norm * norm)
    {
        r = IteratePolar(positive);
        polar.rotation = MakeQuatOfRotation(&r);
    }
    else
    {
        polar.rotation = FindNearestRotation(&positive, norm);
        r = ToDoubleMat3(tdMat3FromQuat(polar.rotation));
    }
    DoubleMat3 stretch;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            stretch.m[i][j] = r.m[0][i] * a.m[0][j] + r.m[1][i] * a.m[1][j] + r.m[2][i] * a.m[2][j];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < i; ++j)
        {
            stretch.m[i][j] = stretch.m[j][i] = 0.5 * (stretch.m[i][j] + stretch.m[j][i]);
        }
    }
    polar.stretch = FromDoubleMat3(&stretch);
    return polar;
}

tdQuat tdRotationOfMat4(tdMat4 m)
{
    return tdComputePolar(tdMat4Linear(m)).rotation;
}

void tdDiagonalize(tdMat3 symmetric, tdQuat* rotation, tdVec3* values)
{
    DoubleMat3 a = ToDoubleMat3(symmetric), vectors;
    DiagonalizeJacobi(&a.m[0][0], &vectors.m[0][0], 3); // a product of rotations: the determinant stays 1
    *rotation = MakeQuatOfRotation(&vectors);
    *values = (tdVec3){(float)a.m[0][0], (float)a.m[1][1], (float)a.m[2][2]};
}
