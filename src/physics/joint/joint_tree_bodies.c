// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies of a joint tree: velocities, inverse masses with geometric stiffness, and energy.
#include "physics/joint/joint_tree_bodies.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_rows.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

void tdJointTree_LoadVelocities(const tdSolverStep* step, tdJointTreeBody* bodies, int count)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        tdJointTreeBody* body = bodies + i;
        tdVec3 v = states[body->slot].linearVelocity, w = states[body->slot].angularVelocity;
        const double velocity[6] = {(double)v.x, (double)v.y, (double)v.z,
                                    (double)w.x, (double)w.y, (double)w.z};
        memcpy(body->velocity, velocity, sizeof(velocity));
        double trace = body->invInertia[0] + body->invInertia[1] + body->invInertia[2];
        body->energy = body->invMass > 0.0 ? 0.5 * (double)tdDot(v, v) / body->invMass : 0.0;
        body->energy += trace > 0.0 ? 1.5 * (double)tdDot(w, w) / trace : 0.0;
    }
}

void tdJointTree_LoadMasses(const tdSolverStep* step, tdJointTreeBody* bodies, int count)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        tdJointTreeBody* body = bodies + i;
        body->invMass = 0.0;
        memset(body->invInertia, 0, sizeof(body->invInertia));
        body->isStiff = false;
        if (body->slot > 0)
        {
            const tdBodySim* sim = step->sims + body->slot;
            tdSym3 m = tdTurnSym3(states[body->slot].deltaRotation, &sim->invInertia);
            body->invMass = (double)sim->invMass;
            const double inertia[6] = {(double)m.xx, (double)m.yy, (double)m.zz,
                                       (double)m.xy, (double)m.xz, (double)m.yz};
            memcpy(body->invInertia, inertia, sizeof(inertia));
        }
    }
}

/// Relative pivot below which an inverse inertia is singular: a body that cannot turn about some axis.
#define MIN_INERTIA_PIVOT 1.0e-6

void tdJointTree_FactorMasses(tdJointTreeBody* bodies, int count)
{
    for (int i = 0; i < count; ++i)
    {
        tdJointTreeBody* body = bodies + i;
        const double* m = body->invInertia;
        // Values of single precision have errors relative to the largest one. Geometric stiffness is computed
        // in double and may divide those of a thin link by more than that, except about its axis.
        double trace = m[0] + m[1] + m[2], *f = body->root;
        double floors[3];
        for (int k = 0; k < 3; ++k)
        {
            floors[k] = MIN_INERTIA_PIVOT * (body->isStiff ? m[k] : trace);
        }
        double xx = m[0] > floors[0] ? m[0] : 0.0, x = xx > 0.0 ? 1.0 / sqrt(xx) : 0.0;
        f[0] = xx * x;
        f[1] = m[3] * x;
        f[3] = m[4] * x;
        double yy = m[1] - f[1] * f[1];
        yy = yy > floors[1] ? yy : 0.0;
        double y = yy > 0.0 ? 1.0 / sqrt(yy) : 0.0;
        f[2] = yy * y;
        f[4] = (m[5] - f[1] * f[3]) * y;
        double zz = m[2] - f[3] * f[3] - f[4] * f[4];
        f[5] = zz > floors[2] ? sqrt(zz) : 0.0;
        body->rootMass = sqrt(body->invMass);
    }
}

void tdJointTree_ApplyUnknowns(tdJointTreeBody* bodies, int count, const double* unknowns)
{
    for (int i = 0; i < count; ++i)
    {
        tdJointTreeBody* body = bodies + i;
        const double *z = unknowns + 6 * i, *f = body->root, *v = body->velocity;
        const double result[6] = {
            v[0] + body->rootMass * z[0],       v[1] + body->rootMass * z[1],
            v[2] + body->rootMass * z[2],       v[3] + f[0] * z[3],
            v[4] + (f[1] * z[3] + f[2] * z[4]), v[5] + (f[3] * z[3] + f[4] * z[4] + f[5] * z[5])};
        memcpy(body->result, result, sizeof(result));
    }
}

static bool IsGyroscopic(const tdBodySim* sim)
{
    tdVec3 inv = sim->invInertiaDiagonal;
    return (sim->flags & TD_BODY_GYROSCOPIC) != 0 && inv.x > 0.0f && inv.y > 0.0f && inv.z > 0.0f;
}

/// Mean angular velocity of a free body over a sub-step: its angular momentum is constant, so that w' = I^-1
/// (I w x w).
static tdVec3 GetMeanTurn(const tdBodySim* sim, const tdBodyState* state, tdVec3 w, float h)
{
    tdVec3 inv = sim->invInertiaDiagonal;
    if (!IsGyroscopic(sim))
    {
        return w;
    }
    tdQuat frame =
        tdMulQuat(tdMulQuat(state->deltaRotation, sim->transform.rotation), sim->inertiaOrientation);
    tdVec3 own = tdInvRotate(frame, w);
    tdVec3 momentum = {own.x / inv.x, own.y / inv.y, own.z / inv.z};
    tdVec3 torque = tdCross(momentum, own);
    tdVec3 rate = {torque.x * inv.x, torque.y * inv.y, torque.z * inv.z};
    return tdMulAdd(w, 0.5f * h, tdRotate(frame, rate));
}

/// Angular velocity of a gyroscopic body after the sub-step, with the angular momentum of `w`.
static tdVec3 AdvanceTurn(const tdBodySim* sim, const tdBodyState* state, tdVec3 w, float h)
{
    tdVec3 inv = sim->invInertiaDiagonal;
    tdQuat rest = tdMulQuat(sim->transform.rotation, sim->inertiaOrientation);
    tdQuat frame = tdMulQuat(state->deltaRotation, rest);
    tdQuat next = tdMulQuat(tdAdvanceRotation(state->deltaRotation, GetMeanTurn(sim, state, w, h), h), rest);
    tdVec3 own = tdInvRotate(frame, w);
    tdVec3 momentum = tdRotate(frame, (tdVec3){own.x / inv.x, own.y / inv.y, own.z / inv.z});
    tdVec3 later = tdInvRotate(next, momentum);
    return tdRotate(next, (tdVec3){later.x * inv.x, later.y * inv.y, later.z * inv.z});
}

static tdVec3 GetTurn(const double* velocity)
{
    return (tdVec3){(float)velocity[3], (float)velocity[4], (float)velocity[5]};
}

// The integrator rotates the angular velocity of a gyroscopic body. Without the solve pass it would have
// rotated the one before the pass.
void tdJointTree_RecordGains(const tdSolverStep* step, tdJointTreeBody* bodies, int count, bool isFirst)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        tdJointTreeBody* body = bodies + i;
        double gain[6];
        for (int k = 0; k < 6; ++k)
        {
            gain[k] = body->result[k] - body->velocity[k];
        }
        const tdBodySim* sim = step->sims + body->slot;
        if (body->slot > 0 && IsGyroscopic(sim))
        {
            const tdBodyState* state = states + body->slot;
            tdVec3 with = AdvanceTurn(sim, state, GetTurn(body->result), step->subStep);
            tdVec3 without = AdvanceTurn(sim, state, GetTurn(body->velocity), step->subStep);
            gain[3] = (double)(with.x - without.x);
            gain[4] = (double)(with.y - without.y);
            gain[5] = (double)(with.z - without.z);
        }
        for (int k = 0; k < 6; ++k)
        {
            body->gain[k] = isFirst ? gain[k] : body->gain[k] + gain[k];
        }
    }
}

void tdJointTree_PredictBodies(const tdSolverStep* step, tdJointTreeBody* bodies, int count)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        tdJointTreeBody* body = bodies + i;
        const tdBodyState* state = states + body->slot;
        const double* r = body->result;
        tdVec3 v = {(float)r[0], (float)r[1], (float)r[2]}, w = {(float)r[3], (float)r[4], (float)r[5]};
        if (body->slot > 0)
        {
            w = GetMeanTurn(step->sims + body->slot, state, w, step->subStep);
        }
        body->nextPosition = tdMulAdd(state->deltaPosition, step->subStep, v);
        body->nextRotation = tdAdvanceRotation(state->deltaRotation, w, step->subStep);
    }
}

// Geometric stiffness (docs/decisions/072-joint-trees.md). A force f at the arm r of a body rotates it back
// with the stiffness f.r about the axes perpendicular to the arm. The force comes from the last sub-step, so
// this spring is explicit, and light links under a heavy load oscillate with about sqrt(G / I), G the sum of
// f.r (1 - r r^T / r^2), which can be faster than a sub-step resolves. Where it exceeds half a radian per
// sub-step, the body responds to its joints with the inertia I + c h^2 G that slows the oscillation to half a
// radian: c = 1 / g0 - 1 / g, g = h^2 G / I. The bodies that hang on such a link have many times that
// inertia, so the motion of the whole tree hardly changes. Bodies on which contacts act keep their inertia:
// trees and contacts are solved in turns, which converges only if both see the same one.

/// g0, the square of half a radian. The links of a chain oscillate against each other at up to twice the
/// frequency of one link, and an explicit integrator is stable up to 2 radians.
#define MAX_TENSION 0.25

/// Adds h^2 G of one end of a joint, from the impulse p = h f.
static void AddTension(tdJointTreeBody* body, tdVec3 p, tdVec3 r, float h)
{
    float along = h * tdDot(p, r), square = tdDot(r, r);
    if (!(along > 0.0f) || !(square > 0.0f))
    {
        return;
    }
    // Sums of squares and no differences: a stiffness that rounding made negative about the arm would exceed
    // the inertia of a thin link.
    double x = (double)r.x, y = (double)r.y, z = (double)r.z;
    double share = (double)along / (x * x + y * y + z * z), *s = body->stiffness;
    s[0] += share * (y * y + z * z);
    s[1] += share * (x * x + z * z);
    s[2] += share * (x * x + y * y);
    s[3] -= share * (x * y);
    s[4] -= share * (x * z);
    s[5] -= share * (y * z);
}

/// Half of the trace of h^2 G W: the mean over the two axes perpendicular to the arm.
static double GetTension(const tdJointTreeBody* body)
{
    const double *s = body->stiffness, *m = body->invInertia;
    return 0.5 * (s[0] * m[0] + s[1] * m[1] + s[2] * m[2]) + (s[3] * m[3] + s[4] * m[4] + s[5] * m[5]);
}

/// Linear impulse of a joint in the last sub-step.
static tdVec3 SumImpulse(const tdJoint* joint)
{
    tdVec3 sum = tdVec3_zero;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        for (int r = 0; block->kind <= TD_BLOCK_DISTANCE && r < block->rowCount; ++r)
        {
            bool isRange = block->law == TD_LAW_RANGE;
            float impulse = isRange ? block->impulse[0] - block->impulse[1] : block->impulse[r];
            sum = tdMulAdd(sum, impulse, block->rows[r].n);
        }
    }
    return sum;
}

/// W = W (1 + c S W)^-1 with S = h^2 G. An impulse y changes the momentum by (1 + c S W)^-1 y.
static void StiffenBody(tdJointTreeBody* body, double tension)
{
    const double *m = body->invInertia, *g = body->stiffness;
    const double w[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    const double s[3][3] = {{g[0], g[3], g[4]}, {g[3], g[1], g[5]}, {g[4], g[5], g[2]}};
    double b[3][3], inverse[3][3], c = 1.0 / MAX_TENSION - 1.0 / tension;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            b[i][j] = c * (s[i][0] * w[0][j] + s[i][1] * w[1][j] + s[i][2] * w[2][j]) + (i == j ? 1.0 : 0.0);
        }
    }
    inverse[0][0] = b[1][1] * b[2][2] - b[1][2] * b[2][1];
    inverse[0][1] = b[0][2] * b[2][1] - b[0][1] * b[2][2];
    inverse[0][2] = b[0][1] * b[1][2] - b[0][2] * b[1][1];
    inverse[1][0] = b[1][2] * b[2][0] - b[1][0] * b[2][2];
    inverse[1][1] = b[0][0] * b[2][2] - b[0][2] * b[2][0];
    inverse[1][2] = b[0][2] * b[1][0] - b[0][0] * b[1][2];
    inverse[2][0] = b[1][0] * b[2][1] - b[1][1] * b[2][0];
    inverse[2][1] = b[0][1] * b[2][0] - b[0][0] * b[2][1];
    inverse[2][2] = b[0][0] * b[1][1] - b[0][1] * b[1][0];
    double scale = 1.0 / (b[0][0] * inverse[0][0] + b[0][1] * inverse[1][0] + b[0][2] * inverse[2][0]);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            body->share[i][j] = scale * inverse[i][j];
        }
    }
    double(*t)[3] = body->share;
    const double stiff[6] = {w[0][0] * t[0][0] + w[0][1] * t[1][0] + w[0][2] * t[2][0],
                             w[1][0] * t[0][1] + w[1][1] * t[1][1] + w[1][2] * t[2][1],
                             w[2][0] * t[0][2] + w[2][1] * t[1][2] + w[2][2] * t[2][2],
                             w[0][0] * t[0][1] + w[0][1] * t[1][1] + w[0][2] * t[2][1],
                             w[0][0] * t[0][2] + w[0][1] * t[1][2] + w[0][2] * t[2][2],
                             w[1][0] * t[0][2] + w[1][1] * t[1][2] + w[1][2] * t[2][2]};
    memcpy(body->invInertia, stiff, sizeof(stiff));
    body->isStiff = true;
}

bool tdJointTree_StiffenBodies(const tdSolverStep* step, const tdJointTree* tree, tdJointTreeBody* bodies)
{
    const tdJointSet* set = step->world->joints;
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        memset(bodies[i].stiffness, 0, sizeof(bodies[i].stiffness));
    }
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = set->forest.edges + tree->firstEdge + e;
        const tdJoint* joint = set->joints.data + edge->joint;
        int bodyA = edge->isChildA ? edge->child : edge->parent;
        int bodyB = edge->isChildA ? edge->parent : edge->child;
        tdVec3 impulse = SumImpulse(joint);
        if (bodyA >= 0)
        {
            tdVec3 arm = tdRotate(states[joint->slotA].deltaRotation, joint->armA);
            AddTension(bodies + bodyA, tdNegate(impulse), arm, step->subStep);
        }
        if (bodyB >= 0)
        {
            tdVec3 arm = tdRotate(states[joint->slotB].deltaRotation, joint->armB);
            AddTension(bodies + bodyB, impulse, arm, step->subStep);
        }
    }
    bool isStiff = false;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        double tension = GetTension(bodies + i);
        if (tension > MAX_TENSION && !bodies[i].isTouched)
        {
            StiffenBody(bodies + i, tension);
            isStiff = true;
        }
    }
    return isStiff;
}

bool tdJointTree_IsDisturbed(const tdSolverStep* step, const tdJointTreeBody* bodies, int count)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    bool isDisturbed = false;
    for (int i = 0; i < count; ++i)
    {
        const tdBodyState* state = states + bodies[i].slot;
        const double* r = bodies[i].result;
        tdVec3 v = {(float)r[0], (float)r[1], (float)r[2]}, w = {(float)r[3], (float)r[4], (float)r[5]};
        isDisturbed |= bodies[i].slot > 0 && (memcmp(&v, &state->linearVelocity, sizeof(v)) != 0 ||
                                              memcmp(&w, &state->angularVelocity, sizeof(w)) != 0);
    }
    return isDisturbed;
}

// Energy of fast trees. Where a body turns by most of a radian in a sub-step, the rows of its joints mean
// nothing at the end of it, and the bound of rigid work (docs/decisions/073-joint-energy.md), which predicts
// that rotation, is wrong. Rigid rows of a tree without springs, drives and moving partners still do no work.

/// Rotation of a body in a sub-step from which a tree is fast, rad.
#define FAST_TREE_TURN 0.6f
/// Growth of the energy of a fast tree per sub-step that counts as rounding.
#define ENERGY_ROUNDING 1.0e-6

static double GetKineticEnergy(const tdBodySim* sim, const tdBodyState* state)
{
    tdQuat frame =
        tdMulQuat(tdMulQuat(state->deltaRotation, sim->transform.rotation), sim->inertiaOrientation);
    tdVec3 own = tdInvRotate(frame, state->angularVelocity), v = state->linearVelocity;
    tdVec3 inv = sim->invInertiaDiagonal;
    const double rates[4][2] = {{(double)own.x * (double)own.x, (double)inv.x},
                                {(double)own.y * (double)own.y, (double)inv.y},
                                {(double)own.z * (double)own.z, (double)inv.z},
                                {(double)tdDot(v, v), (double)sim->invMass}};
    double energy = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        energy += rates[i][1] > 0.0 ? 0.5 * rates[i][0] / rates[i][1] : 0.0;
    }
    return energy;
}

double tdJointTree_SumFastEnergy(const tdSolverStep* step, const tdJointTreeBody* bodies, int count)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    float limit = FAST_TREE_TURN * step->invSubStep;
    bool isFast = false;
    for (int i = 0; i < count && !isFast; ++i)
    {
        const tdBodyState* state = states + bodies[i].slot;
        isFast = tdDot(state->angularVelocity, state->angularVelocity) > limit * limit;
    }
    if (!isFast)
    {
        return -1.0;
    }
    double energy = 0.0;
    for (int i = 0; i < count; ++i)
    {
        const tdBodyState* state = states + bodies[i].slot;
        energy += bodies[i].slot > 0 ? GetKineticEnergy(step->sims + bodies[i].slot, state) : 0.0;
    }
    return energy;
}

// Velocities shrink about the mean velocity of a free tree, and about zero if the world holds the tree: the
// rows hold for both.
void tdJointTree_BoundFastEnergy(const tdSolverStep* step, const tdJointTreeBody* bodies, int count,
                                 double before, bool isFree)
{
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    double mass = 0.0, mean[3] = {0.0, 0.0, 0.0}, energy = 0.0;
    for (int i = 0; i < count; ++i)
    {
        const tdBodyState* state = states + bodies[i].slot;
        if (bodies[i].slot <= 0)
        {
            continue;
        }
        energy += GetKineticEnergy(step->sims + bodies[i].slot, state);
        float inverse = step->sims[bodies[i].slot].invMass;
        double m = inverse > 0.0f ? 1.0 / (double)inverse : 0.0;
        mass += m;
        mean[0] += m * (double)state->linearVelocity.x;
        mean[1] += m * (double)state->linearVelocity.y;
        mean[2] += m * (double)state->linearVelocity.z;
    }
    if (!(energy > before * (1.0 + ENERGY_ROUNDING)))
    {
        return;
    }
    tdVec3 center = tdVec3_zero;
    double kept = 0.0; // energy of the mean velocity
    if (isFree && mass > 0.0)
    {
        center = (tdVec3){(float)(mean[0] / mass), (float)(mean[1] / mass), (float)(mean[2] / mass)};
        kept = 0.5 * (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / mass;
    }
    float scale = before > kept && energy > kept ? (float)sqrt((before - kept) / (energy - kept)) : 0.0f;
    for (int i = 0; i < count; ++i)
    {
        tdBodyState* state = states + bodies[i].slot;
        if (bodies[i].slot > 0)
        {
            state->linearVelocity = tdMulAdd(center, scale, tdSub(state->linearVelocity, center));
            state->angularVelocity = tdScale(scale, state->angularVelocity);
        }
    }
}

void tdJointTree_StoreBodies(const tdSolverStep* step, const tdJointTreeBody* bodies, int count)
{
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        const tdJointTreeBody* body = bodies + i;
        if (body->slot > 0)
        {
            const double* v = body->result;
            states[body->slot].linearVelocity = (tdVec3){(float)v[0], (float)v[1], (float)v[2]};
            states[body->slot].angularVelocity = (tdVec3){(float)v[3], (float)v[4], (float)v[5]};
        }
    }
}

// An impulse y on a stiff body changes its momentum by `share` y only. With z = F^T y the impulse is F^-T z.
double tdJointTree_GetStiffWork(const tdJointTree* tree, const tdJointTreeBody* bodies,
                                const double* unknowns)
{
    double work = 0.0;
    for (int i = 0; tree->isStiff && i < tree->bodyCount; ++i)
    {
        const tdJointTreeBody* body = bodies + i;
        const double *z = unknowns + 6 * i + 3, *f = body->root;
        if (!body->isStiff || !(f[0] > 0.0 && f[2] > 0.0 && f[5] > 0.0))
        {
            continue;
        }
        double y[3];
        y[2] = z[2] / f[5];
        y[1] = (z[1] - f[4] * y[2]) / f[2];
        y[0] = (z[0] - f[1] * y[1] - f[3] * y[2]) / f[0];
        for (int k = 0; k < 3; ++k)
        {
            const double* share = body->share[k];
            double lost = y[k] - (share[0] * y[0] + share[1] * y[1] + share[2] * y[2]);
            work += 0.5 * lost * (body->velocity[3 + k] + body->result[3 + k]);
        }
    }
    return work;
}
