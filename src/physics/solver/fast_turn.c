// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rotation of fast bodies: the splitting of body_kernels.inl in double precision and in inner steps. Angular
// momentum and energy are restored at the end, so that no error of the inner steps accumulates.
#include "physics/solver/fast_turn.h"

#include "math/trig.h"

#include <math.h>

/// Largest rotation of an inner step, rad.
#define INNER_TURN 0.4
/// Largest number of inner steps. Faster bodies turn less far than their speed demands: the phase of a body
/// that turns by more than 400 rad in a sub-step is not visible, its energy is.
#define MAX_INNER_STEPS 1024
/// Iterations of the restoration of the energy.
#define ENERGY_ITERATIONS 3

typedef struct Vec
{
    double x, y, z;
} Vec;

typedef struct Rotation // a unit quaternion
{
    Vec v;
    double w;
} Rotation;

static double DotDoubles(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec CrossDoubles(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// a + s b
static Vec AddScaledVec(Vec a, double s, Vec b)
{
    return (Vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static Rotation MulRotations(Rotation a, Rotation b)
{
    Vec v = AddScaledVec(CrossDoubles(a.v, b.v), a.w, b.v);
    return (Rotation){AddScaledVec(v, b.w, a.v), a.w * b.w - DotDoubles(a.v, b.v)};
}

static Rotation NormalizeRotation(Rotation q)
{
    double s = 1.0 / sqrt(DotDoubles(q.v, q.v) + q.w * q.w);
    return (Rotation){{s * q.v.x, s * q.v.y, s * q.v.z}, s * q.w};
}

static Vec RotateVec(Rotation q, Vec a)
{
    return AddScaledVec(a, 2.0, CrossDoubles(q.v, AddScaledVec(CrossDoubles(q.v, a), q.w, a)));
}

static Vec RotateVecBack(Rotation q, Vec a)
{
    return RotateVec((Rotation){{-q.v.x, -q.v.y, -q.v.z}, q.w}, a);
}

/// Sine and cosine of an angle of at most INNER_TURN.
static void ComputeSmallSineCosine(double angle, double* sine, double* cosine)
{
    double x = angle * angle;
    *sine = angle * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0))));
    *cosine = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0))));
}

/// Rotate (a, b), two components of the momentum, by minus twice the angle of the given sine and cosine.
static void TurnMomentumBack(double sine, double cosine, double* a, double* b)
{
    double c = 1.0 - 2.0 * sine * sine, s = 2.0 * sine * cosine, old = *a;
    *a = c * old + s * *b;
    *b = c * *b - s * old;
}

/// Move the momentum on its sphere to the given energy: along the gradient, which is zero on principal axes,
/// where an error of the energy is of second order.
static Vec RestoreEnergy(Vec l, Vec inv, double energy)
{
    double square = DotDoubles(l, l);
    for (int i = 0; i < ENERGY_ITERATIONS; ++i)
    {
        Vec w = {inv.x * l.x, inv.y * l.y, inv.z * l.z};
        double error = energy - 0.5 * DotDoubles(w, l);
        Vec gradient = AddScaledVec(w, -DotDoubles(w, l) / square, l);
        double slope = DotDoubles(gradient, gradient);
        // Steps beyond a tenth of the momentum leave the range where the energy is nearly linear.
        double scale = slope > 0.0 ? error / slope : 0.0;
        if (!(scale * scale * slope < 0.01 * square))
        {
            break;
        }
        l = AddScaledVec(l, scale, gradient);
        double length = sqrt(square / DotDoubles(l, l));
        l = (Vec){length * l.x, length * l.y, length * l.z};
    }
    return l;
}

/// Rotate q so that it maps `l` to `target`, which has the same length.
static Rotation AlignRotation(Rotation q, Vec l, Vec target)
{
    Vec now = RotateVec(q, l);
    double square = DotDoubles(target, target);
    Rotation turn = {CrossDoubles(now, target), square + DotDoubles(now, target)};
    return turn.w > 0.5 * square ? MulRotations(NormalizeRotation(turn), q) : q;
}

/// A body without gyroscopic torque: it rotates about its angular velocity.
static void TurnSphere(const tdBodyState* from, float subStep, tdBodyState* to)
{
    tdVec3 w = from->angularVelocity;
    float speed = tdLength(w);
    tdSinCos half = tdComputeSinCos(0.5f * subStep * speed);
    tdVec3 axis = tdScale(half.sine / speed, w);
    tdQuat turn = {axis.x, axis.y, axis.z, half.cosine};
    to->deltaRotation = tdNormalizeQuat(tdMulQuat(turn, from->deltaRotation));
}

void tdTurnFastBody(const tdBodyRow* row, int lane, float subStep, const tdBodyState* from, tdBodyState* to)
{
    if (!(row->gyroscopic[lane] > 0.5f))
    {
        TurnSphere(from, subStep, to);
        return;
    }
    Vec inv = {(double)row->invInertia[0][lane], (double)row->invInertia[1][lane],
               (double)row->invInertia[2][lane]};
    tdQuat delta = from->deltaRotation;
    Rotation rotation = {{(double)delta.x, (double)delta.y, (double)delta.z}, (double)delta.w};
    Rotation frame0 = {
        {(double)row->frame[0][lane], (double)row->frame[1][lane], (double)row->frame[2][lane]},
        (double)row->frame[3][lane]};
    frame0 = NormalizeRotation(frame0);
    Rotation frame = NormalizeRotation(MulRotations(rotation, frame0));
    Vec w = {(double)from->angularVelocity.x, (double)from->angularVelocity.y,
             (double)from->angularVelocity.z};
    Vec own = RotateVecBack(frame, w);
    Vec l = {own.x / inv.x, own.y / inv.y, own.z / inv.z};
    Vec momentum = RotateVec(frame, l);
    double energy = 0.5 * DotDoubles(own, l), square = DotDoubles(l, l);

    double length = sqrt(square), rate = length * inv.y, h = (double)subStep;
    double speed = sqrt(DotDoubles(w, w)) + rate;
    double wanted = speed * h / INNER_TURN;
    int count = wanted < MAX_INNER_STEPS ? (int)wanted + 1 : MAX_INNER_STEPS;
    double inner = wanted < MAX_INNER_STEPS ? h / count : INNER_TURN / speed;
    double kx = 0.25 * inner * (inv.x - inv.y), kz = 0.5 * inner * (inv.z - inv.y);
    // The first term of the energy rotates the body about its momentum, which is constant in the world: all
    // inner steps have the same rotation.
    double sine, cosine;
    ComputeSmallSineCosine(0.5 * inner * rate, &sine, &cosine);
    Rotation about = {{sine / length * momentum.x, sine / length * momentum.y, sine / length * momentum.z},
                      cosine};
    for (int i = 0; i < count; ++i)
    {
        double s1, c1, s2, c2, s3, c3;
        ComputeSmallSineCosine(kx * l.x, &s1, &c1);
        TurnMomentumBack(s1, c1, &l.y, &l.z);
        ComputeSmallSineCosine(kz * l.z, &s2, &c2);
        TurnMomentumBack(s2, c2, &l.x, &l.y);
        ComputeSmallSineCosine(kx * l.x, &s3, &c3);
        TurnMomentumBack(s3, c3, &l.y, &l.z);
        // (s1, 0, 0, c1) (0, 0, s2, c2) (s3, 0, 0, c3)
        double x = s1 * c2, y = -s1 * s2, z = c1 * s2, t = c1 * c2;
        Rotation turned = {{t * s3 + c3 * x, c3 * y + z * s3, c3 * z - y * s3}, t * c3 - x * s3};
        frame = MulRotations(about, MulRotations(frame, turned));
    }
    double scale = sqrt(square / DotDoubles(l, l));
    l = RestoreEnergy((Vec){scale * l.x, scale * l.y, scale * l.z}, inv, energy);
    frame = AlignRotation(NormalizeRotation(frame), l, momentum);
    w = RotateVec(frame, (Vec){inv.x * l.x, inv.y * l.y, inv.z * l.z});
    Rotation back = {{-frame0.v.x, -frame0.v.y, -frame0.v.z}, frame0.w};
    rotation = NormalizeRotation(MulRotations(frame, back));
    to->angularVelocity = (tdVec3){(float)w.x, (float)w.y, (float)w.z};
    to->deltaRotation =
        (tdQuat){(float)rotation.v.x, (float)rotation.v.y, (float)rotation.v.z, (float)rotation.w};
}
