// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The direct solution of the contacts of a stack. With the velocities v of its bodies, rows J of the contacts
// that hold, their residuals r = J v + b, and a stiffness w of each row, the impulses P of a sub-step change
// by
//
//   dP = -w (r + J dv),   (M + sum w J^T J) dv = -sum w r J^T
//
// This is a step of the method of multipliers: with w many times the mass of a row, one step makes r almost
// zero, and the impulses that are left over from the sub-step before make up for the rest. Rows may depend on
// each other, as the four points of a face do. The matrix has a 6 x 6 block per body and per pair of touching
// bodies. It is factored once per step, in the order of least degree.
//
// Which points hold is found in rounds: points whose impulse would be negative are released, released points
// that would approach hold again, and friction beyond its cone slides. Most sub-steps need one round and no
// new factor. If the rounds do not end, the impulses are clamped; the step d that is left decreases the
// kinetic energy of the residuals by  -(r d) t - (d A d) t^2 / 2  with A = J M^-1 J^T, so it is shortened to
// the minimum over 0 <= t <= 1: it never adds energy. The pass over the contacts follows in any case.
//
// All numbers are doubles and all sums have a fixed order, so the result does not depend on vector width or
// workers.
#include "physics/solver/stack_solve.h"

#include "physics/data/world_data.h"
#include "physics/solver/solver_data.h"
#include "physics/solver/stack_matrix.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/// Rate at which overlap beyond the slop decays, 1/s.
#define PUSH_RATE 12.0f
/// Rounds that each solution may take, and rounds of all solutions of a step up to which one may take more:
/// a tower of 30 boxes that lands with gaps needs about 60 in its first step, at rest it needs none.
#define MAX_HOLD_ROUNDS 12
#define MAX_STEP_ROUNDS 160
/// Rounds without progress after which rows change one at a time.
#define EXCHANGE_CHANCES 3
/// Rounds per solution from which on a dense stack is refused: its contacts then have springs, which cost
/// less. Towers, arches and card houses need two at most.
#define UNSETTLED_ROUNDS 3
/// Contacts per body from which on a stack is dense: its bodies have several supports beside each other.
#define DENSE_CONTACTS 2
/// Points from which on a contact is a face.
#define STACK_FACE_POINTS 3
/// Approach of a released point above which it holds again, m/s.
#define HOLD_SPEED 1.0e-5
/// Share of the energy that the impulses of a warm start would give to bodies at rest, above which it is
/// taken back.
#define MAX_WARM_GAIN 0.5
/// Work of a warm start, as a share of a lower bound of p.M^-1 p, up to which it is kept without the sum over
/// all rows. Less than 1/2 + MAX_WARM_GAIN / 2, so that rounding does not matter.
#define KEPT_WORK 0.7
/// Stiffness of rows in their masses, and least stiffness in masses of the stack: a light body below a
/// heavy one bears the weight of all that is above it.
#define STACK_STIFFNESS 1.0e5
#define LEAST_STIFFNESS 1.0e3

#define AT(array) ((double)(array)[at])
#define VEC_AT(array)                                                                                        \
    {                                                                                                        \
        AT((array)[0]), AT((array)[1]), AT((array)[2])                                                       \
    }

static void SetStackRow(tdStackRow* row, const double* linear, const double* rA, const double* rB,
                        double mass)
{
    for (int i = 0; i < 3; ++i)
    {
        row->a[i] = -linear[i];
        row->a[3 + i] = -rA[i];
        row->b[i] = linear[i];
        row->b[3 + i] = rB[i];
    }
    row->weight = STACK_STIFFNESS * mass;
}

static tdContactRow* GetContactRow(const tdSolverStep* step, const tdStackContact* contact)
{
    return &step->rows[contact->contactRows].part[contact->lane / TD_ROW_LANES];
}

static void MakeStackRows(const tdSolverStep* step, tdStackContact* contact)
{
    const tdContactRow* row = GetContactRow(step, contact);
    tdStackRow* rows = contact->rows;
    int at = contact->lane % TD_ROW_LANES, count = 0;
    double n[3] = VEC_AT(row->normal);
    for (int k = 0; k < TD_MAX_MANIFOLD_POINTS; ++k)
    {
        const tdPointRow* point = &row->points[k];
        double rA[3] = VEC_AT(point->rAn), rB[3] = VEC_AT(point->rBn);
        if (k < row->pointCount && point->mass[at] > 0.0f)
        {
            SetStackRow(&rows[count++], n, rA, rB, AT(point->mass));
        }
    }
    contact->pointCount = count;
    if (row->inv11[at] > 0.0f && row->twistMass[at] > 0.0f)
    {
        double t1[3] = VEC_AT(row->tangent1), zero[3] = {0.0, 0.0, 0.0};
        double t2[3] = {n[1] * t1[2] - n[2] * t1[1], n[2] * t1[0] - n[0] * t1[2],
                        n[0] * t1[1] - n[1] * t1[0]};
        double rA1[3] = VEC_AT(row->rAt1), rB1[3] = VEC_AT(row->rBt1);
        double rA2[3] = VEC_AT(row->rAt2), rB2[3] = VEC_AT(row->rBt2);
        double mass = 0.5 * (AT(row->inv11) + AT(row->inv22));
        SetStackRow(&rows[count++], t1, rA1, rB1, mass);
        SetStackRow(&rows[count++], t2, rA2, rB2, mass);
        SetStackRow(&rows[count++], zero, n, n, AT(row->twistMass));
    }
    contact->rowCount = count;
}

/// Raise the stiffness of a contact to the least one.
/// @param total mass of the stack, kg
static void StiffenStackRows(tdStackContact* contact, double total)
{
    double ratio = LEAST_STIFFNESS * total / contact->rows[0].weight;
    for (int i = 0; i < contact->rowCount && ratio > 1.0; ++i)
    {
        contact->rows[i].weight *= ratio;
    }
}

/// Progress of the rounds of a solution: least number of rows that should change, and rounds that are left to
/// find fewer.
typedef struct StackRounds
{
    int least, chances;
} StackRounds;

/// Friction of a contact: impulses, and their bounds by given normal impulses.
typedef struct StackFriction
{
    double impulse[3]; // tangents and twist
    double bound, twistBound;
} StackFriction;

static StackFriction GetFriction(const tdContactRow* row, const tdStackContact* contact, const double* normal)
{
    int at = contact->lane % TD_ROW_LANES;
    double sum = 0.0, leverSum = 0.0;
    for (int k = 0; k < contact->pointCount; ++k)
    {
        sum += normal[k];
        leverSum += normal[k] * AT(row->points[k].lever);
    }
    double coefficient = AT(row->staticFriction);
    return (StackFriction){
        {AT(row->friction1), AT(row->friction2), AT(row->twist)}, coefficient * sum, coefficient * leverSum};
}

static bool IsInCone(const StackFriction* friction)
{
    const double* f = friction->impulse;
    return f[0] * f[0] + f[1] * f[1] < friction->bound * friction->bound && fabs(f[2]) < friction->twistBound;
}

/// Rows that hold at first: points with an impulse, and friction that is not at its bound. Of a new contact
/// of a stack on faces all that touch or will touch in this sub-step: found in rounds, the contacts of a
/// new tower would hold one after the other from its foot on.
static uint32_t FindHeldRows(const tdSolverStep* step, const tdStackContact* contact, bool isOnFaces)
{
    const tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    uint32_t held = 0, near = 0;
    double normal[TD_MAX_MANIFOLD_POINTS];
    double fall = (double)(step->subStep * step->subStep * tdLength(step->world->gravity));
    for (int k = 0; k < contact->pointCount; ++k)
    {
        normal[k] = AT(row->points[k].impulse);
        held |= normal[k] > 0.0 ? 1u << k : 0u;
        near |= AT(row->points[k].separation) < fall ? 1u << k : 0u;
    }
    bool hasFriction = contact->rowCount > contact->pointCount;
    if (held == 0 && isOnFaces)
    {
        return near | (hasFriction && near != 0 ? TD_STACK_FRICTION : 0u);
    }
    StackFriction friction = GetFriction(row, contact, normal);
    return held | (hasFriction && IsInCone(&friction) ? TD_STACK_FRICTION : 0u);
}

/// Mass of all bodies of a stack, kg.
static double ComputeStackMass(const tdStackSet* stacks, const tdStack* stack)
{
    double mass = 0.0;
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        mass += stacks->bodies[stack->firstBody + p].mass.mass;
    }
    return mass;
}

static bool IsDense(const tdStack* stack)
{
    return stack->contactCount >= DENSE_CONTACTS * stack->bodyCount;
}

static bool HasImpulse(const tdSolverStep* step, const tdStackContact* contact)
{
    const tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    float sum = 0.0f;
    for (int k = 0; k < contact->pointCount; ++k)
    {
        sum += row->points[k].impulse[at];
    }
    return sum > 0.0f;
}

/// True if no contact of a stack has carried load.
static bool HasNoLoad(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack)
{
    for (int i = 0; i < stack->contactCount; ++i)
    {
        if (HasImpulse(step, &stacks->contacts[stack->firstContact + i]))
        {
            return false;
        }
    }
    return true;
}

/// Points that have opened start without impulse: rigid points touch while they carry load, so one that is
/// open was pushed, and its warm start would push it again. Bodies with several supports then rattle.
static void ReleaseOpenPoints(const tdSolverStep* step, const tdStackContact* contact)
{
    tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    for (int k = 0; k < contact->pointCount; ++k)
    {
        tdPointRow* point = &row->points[k];
        bool isOpen = !(point->separation[at] + contact->sag < contact->reach);
        point->impulse[at] = isOpen ? 0.0f : point->impulse[at];
    }
}

/// Take the springs and their sag from a contact: the passes keep what the direct solution found. Gaps up
/// to the reach of a contact count as closed, because positions are rounded: at a height of 40 m by 4e-6 m,
/// which is 1e-3 m/s in a sub-step.
static void MakeRigid(const tdSolverStep* step, const tdStackContact* contact)
{
    tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    row->biasRate[at] = 0.0f;
    row->massScale[at] = 1.0f;
    row->impulseScale[at] = 0.0f;
    for (int k = 0; k < contact->pointCount; ++k)
    {
        row->points[k].separation[at] += contact->sag - contact->reach;
    }
}

void tdStacks_Factor(const tdSolverStep* step, int start, int end)
{
    const tdStackSet* stacks = &step->world->solver->stacks;
    for (int s = start; s < end; ++s)
    {
        tdStack* stack = &stacks->items[s];
        bool isSplit = false, isOnFaces = true;
        for (int i = 0; i < stack->contactCount; ++i)
        {
            tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
            MakeStackRows(step, contact);
            isSplit = isSplit || contact->isSplit;
            isOnFaces = isOnFaces && contact->pointCount >= STACK_FACE_POINTS;
        }
        // Bodies that stand on edges, as cards do, lean on friction: springs find out how before rigid
        // contacts hold it.
        stack->isFactored = stack->isFactored && !isSplit && (isOnFaces || !HasNoLoad(step, stacks, stack)) &&
                            tdStack_OrderMatrix(stacks, stack);
        double total = ComputeStackMass(stacks, stack);
        for (int i = 0; i < stack->contactCount && stack->isFactored; ++i)
        {
            tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
            if (isOnFaces)
            {
                StiffenStackRows(contact, total);
            }
            else
            {
                contact->reach = 0.0f;
            }
            if (IsDense(stack))
            {
                ReleaseOpenPoints(step, contact);
            }
            contact->held = FindHeldRows(step, contact, isOnFaces);
        }
        stack->isFactored = stack->isFactored && tdStack_FactorMatrix(stacks, stack);
        for (int i = 0; i < stack->contactCount && stack->isFactored; ++i)
        {
            MakeRigid(step, &stacks->contacts[stack->firstContact + i]);
        }
    }
}

static void LoadVelocity(const tdSolverStep* step, int slot, double* v)
{
    const tdBodyState* state = (const tdBodyState*)(const void*)step->states + slot;
    v[0] = (double)state->linearVelocity.x;
    v[1] = (double)state->linearVelocity.y;
    v[2] = (double)state->linearVelocity.z;
    v[3] = (double)state->angularVelocity.x;
    v[4] = (double)state->angularVelocity.y;
    v[5] = (double)state->angularVelocity.z;
}

/// Displacement since the start of the step: of the centre, and the rotation vector.
static void LoadDisplacement(const tdBodyState* state, double* d)
{
    d[0] = (double)state->deltaPosition.x;
    d[1] = (double)state->deltaPosition.y;
    d[2] = (double)state->deltaPosition.z;
    d[3] = 2.0 * (double)state->deltaRotation.x;
    d[4] = 2.0 * (double)state->deltaRotation.y;
    d[5] = 2.0 * (double)state->deltaRotation.z;
}

/// Separation of a point now, m.
static double ComputeSeparation(const tdSolverStep* step, const tdStackContact* contact,
                                const tdStackRow* row, double start)
{
    const tdBodyState* a = (const tdBodyState*)(const void*)step->states + contact->slotA;
    const tdBodyState* b = (const tdBodyState*)(const void*)step->states + contact->slotB;
    double dA[TD_STACK_DOF], dB[TD_STACK_DOF];
    LoadDisplacement(a, dA);
    LoadDisplacement(b, dB);
    return start + tdDotStackRow(row->a, dA) + tdDotStackRow(row->b, dB);
}

static void AddToRightSide(double* target, const double* row, double impulse)
{
    for (int i = 0; i < TD_STACK_DOF; ++i)
    {
        target[i] += impulse * row[i];
    }
}

/// Add the impulse of a row to the right-hand side.
static void AddRowImpulse(const tdStackContact* contact, const tdStackRow* row, double impulse,
                          tdStackBody* bodies)
{
    if (contact->a >= 0)
    {
        AddToRightSide(bodies[contact->a].value, row->a, impulse);
    }
    if (contact->b >= 0)
    {
        AddToRightSide(bodies[contact->b].value, row->b, impulse);
    }
}

/// Impulse of a row before the step.
static double GetImpulse(const tdContactRow* row, const tdStackContact* contact, int i)
{
    int at = contact->lane % TD_ROW_LANES;
    if (i < contact->pointCount)
    {
        return AT(row->points[i].impulse);
    }
    return i == contact->pointCount ? AT(row->friction1)
                                    : (i == contact->pointCount + 1 ? AT(row->friction2) : AT(row->twist));
}

/// Residuals of all rows of a contact, and their changes before the first round: points that do not hold lose
/// their impulse.
/// @return the impulses times the velocities of the rows, J
static double ComputeStackResiduals(const tdSolverStep* step, tdStackContact* contact)
{
    const tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    double vA[TD_STACK_DOF], vB[TD_STACK_DOF], work = 0.0;
    LoadVelocity(step, contact->slotA, vA);
    LoadVelocity(step, contact->slotB, vB);
    for (int i = 0; i < contact->rowCount; ++i)
    {
        tdStackRow* target = &contact->rows[i];
        target->residual = tdDotStackRow(target->a, vA) + tdDotStackRow(target->b, vB);
        double impulse = GetImpulse(row, contact, i);
        work += impulse * target->residual;
        target->change = 0.0;
        if (i < contact->pointCount)
        {
            target->change = tdStackContact_Holds(contact, i) ? 0.0 : -impulse;
            double s = ComputeSeparation(step, contact, target, AT(row->points[i].separation));
            target->residual += s > 0.0 ? s * (double)step->invSubStep : 0.0;
        }
    }
    return work;
}

/// Residuals and changes of all rows of a stack.
/// @return the impulses times the velocities of the rows, J
static double ComputeAllResiduals(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack)
{
    double work = 0.0;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        work += ComputeStackResiduals(step, &stacks->contacts[stack->firstContact + i]);
    }
    return work;
}

/// Impulse changes of the rows of a contact from the solution of the round, and the rows that hold in the
/// next round.
static void FinishRound(const tdSolverStep* step, tdStackContact* contact, const tdStackBody* bodies)
{
    const tdContactRow* row = GetContactRow(step, contact);
    tdStackRow* rows = contact->rows;
    uint32_t held = contact->held;
    int points = contact->pointCount;
    double normal[TD_MAX_MANIFOLD_POINTS] = {0.0};
    for (int i = 0; i < contact->rowCount; ++i)
    {
        double residual = rows[i].residual;
        residual += contact->a >= 0 ? tdDotStackRow(rows[i].a, bodies[contact->a].value) : 0.0;
        residual += contact->b >= 0 ? tdDotStackRow(rows[i].b, bodies[contact->b].value) : 0.0;
        if (tdStackContact_Holds(contact, i))
        {
            rows[i].change = -rows[i].weight * residual;
        }
        if (i >= points)
        {
            continue;
        }
        double old = GetImpulse(row, contact, i);
        bool pulls =
            tdStackContact_Holds(contact, i) ? old + rows[i].change < 0.0 : !(residual < -HOLD_SPEED);
        held = pulls ? held & ~(1u << i) : held | 1u << i;
        rows[i].change = pulls ? -old : (tdStackContact_Holds(contact, i) ? rows[i].change : -old);
        normal[i] = old + rows[i].change;
    }
    if (contact->rowCount > points)
    {
        StackFriction friction = GetFriction(row, contact, normal);
        double* f = friction.impulse;
        double old[3] = {f[0], f[1], f[2]};
        for (int i = 0; i < 3; ++i)
        {
            f[i] += rows[points + i].change;
        }
        double length = sqrt(f[0] * f[0] + f[1] * f[1]);
        double scale = length > friction.bound ? friction.bound / length : 1.0;
        double limit = friction.twistBound, twist = f[2] > limit ? limit : (f[2] < -limit ? -limit : f[2]);
        if (scale < 1.0 || twist != f[2])
        {
            held &= ~TD_STACK_FRICTION;
        }
        rows[points].change = scale * f[0] - old[0];
        rows[points + 1].change = scale * f[1] - old[1];
        rows[points + 2].change = twist - old[2];
    }
    contact->wanted = held;
}

static int CountChangedRows(uint32_t bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
    {
        count += 1;
    }
    return count;
}

/// The rows that hold in the next round. All that should change do so, as long as they become fewer within a
/// few rounds; then one at a time does, the last one, which ends for any start (Judice and Pires 1994).
/// @return true if none should change
static bool ExchangeRows(const tdStackSet* stacks, const tdStack* stack, StackRounds* rounds)
{
    tdStackContact* contacts = stacks->contacts + stack->firstContact;
    int count = 0;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        count += CountChangedRows(contacts[i].held ^ contacts[i].wanted);
    }
    bool isBetter = count < rounds->least;
    rounds->least = isBetter ? count : rounds->least;
    rounds->chances = isBetter ? EXCHANGE_CHANCES : rounds->chances - 1;
    bool isSingle = rounds->chances < 0;
    for (int i = stack->contactCount - 1; i >= 0; --i)
    {
        uint32_t change = contacts[i].held ^ contacts[i].wanted;
        if (isSingle && change != 0)
        {
            uint32_t bit = 1u;
            while (bit <= change >> 1)
            {
                bit <<= 1;
            }
            contacts[i].held ^= bit;
            return false;
        }
        contacts[i].held = contacts[i].wanted;
    }
    return count == 0;
}

/// Add a share of the impulse changes to the rows of a contact.
static void ApplyChanges(const tdSolverStep* step, const tdStackContact* contact, double share)
{
    tdContactRow* row = GetContactRow(step, contact);
    int at = contact->lane % TD_ROW_LANES;
    for (int i = 0; i < contact->rowCount; ++i)
    {
        double impulse = GetImpulse(row, contact, i) + share * contact->rows[i].change;
        if (i < contact->pointCount)
        {
            row->points[i].impulse[at] = impulse > 0.0 ? (float)impulse : 0.0f;
            continue;
        }
        float* target = i == contact->pointCount
                            ? row->friction1
                            : (i == contact->pointCount + 1 ? row->friction2 : row->twist);
        target[at] = (float)impulse;
    }
}

/// Replace an impulse on a body by the change of its velocity.
/// @return the product of both
static double DivideByMass(const tdStackMass* mass, double* x)
{
    const double* m = mass->invInertia;
    double v[TD_STACK_DOF] = {x[0] / mass->mass,
                              x[1] / mass->mass,
                              x[2] / mass->mass,
                              m[0] * x[3] + m[3] * x[4] + m[4] * x[5],
                              m[3] * x[3] + m[1] * x[4] + m[5] * x[5],
                              m[4] * x[3] + m[5] * x[4] + m[2] * x[5]};
    double product = tdDotStackRow(x, v);
    memcpy(x, v, sizeof(v));
    return product;
}

static void ChangeStackVelocity(const tdSolverStep* step, const tdStackBody* body, double share)
{
    tdBodyState* state = (tdBodyState*)(void*)step->states + body->slot;
    const double* v = body->value;
    state->linearVelocity.x = (float)((double)state->linearVelocity.x + share * v[0]);
    state->linearVelocity.y = (float)((double)state->linearVelocity.y + share * v[1]);
    state->linearVelocity.z = (float)((double)state->linearVelocity.z + share * v[2]);
    state->angularVelocity.x = (float)((double)state->angularVelocity.x + share * v[3]);
    state->angularVelocity.y = (float)((double)state->angularVelocity.y + share * v[4]);
    state->angularVelocity.z = (float)((double)state->angularVelocity.z + share * v[5]);
}

static void ClearValues(tdStackBody* bodies, int count)
{
    for (int i = 0; i < count; ++i)
    {
        memset(bodies[i].value, 0, sizeof(bodies[i].value));
    }
}

/// One round: the solution for the rows that hold. Rows that do not hold lose their impulse or keep the
/// change that the round before gave them.
/// @return true if the same rows hold after it
static bool RunRound(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack,
                     StackRounds* rounds)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    tdStackContact* contacts = stacks->contacts + stack->firstContact;
    ClearValues(bodies, stack->bodyCount);
    for (int i = 0; i < stack->contactCount; ++i)
    {
        for (int k = 0; k < contacts[i].rowCount; ++k)
        {
            const tdStackRow* row = &contacts[i].rows[k];
            AddRowImpulse(&contacts[i], row,
                          tdStackContact_Holds(&contacts[i], k) ? -row->weight * row->residual : row->change,
                          bodies);
        }
    }
    tdStack_SolveMatrix(stacks, stack);
    for (int i = 0; i < stack->contactCount; ++i)
    {
        FinishRound(step, &contacts[i], bodies);
    }
    return ExchangeRows(stacks, stack, rounds);
}

/// True if a side of a contact that is not in the stack moves: its impulses may do work.
static bool HasMovingSupport(const tdSolverStep* step, const tdStackContact* contact)
{
    double v[TD_STACK_DOF] = {0.0};
    if (contact->a < 0)
    {
        LoadVelocity(step, contact->slotA, v);
    }
    else if (contact->b < 0)
    {
        LoadVelocity(step, contact->slotB, v);
    }
    return tdDotStackRow(v, v) > 0.0;
}

/// True if the work v.p of a warm start, with v the velocities after its impulses p, is so small that it is
/// kept. p.M^-1 p is at least the square of the impulse from outside the stack over its mass: about that for
/// bodies at rest.
static bool IsGoodWarmStart(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack,
                            double work)
{
    double mass = ComputeStackMass(stacks, stack), outer[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        if (contact->a >= 0 && contact->b >= 0)
        {
            continue;
        }
        const tdContactRow* row = GetContactRow(step, contact);
        for (int k = 0; k < contact->rowCount; ++k)
        {
            const double* linear = contact->a >= 0 ? contact->rows[k].a : contact->rows[k].b;
            double impulse = GetImpulse(row, contact, k);
            outer[0] += impulse * linear[0];
            outer[1] += impulse * linear[1];
            outer[2] += impulse * linear[2];
        }
    }
    double square = outer[0] * outer[0] + outer[1] * outer[1] + outer[2] * outer[2];
    return work * mass <= KEPT_WORK * square;
}

/// Take back a warm start that adds energy. Impulses of an impact do: they would throw the bodies that they
/// have just stopped, and bodies of unequal mass need many passes to undo that.
/// @return true if it was taken back
static bool RejectBadWarmStart(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    tdStackContact* contacts = stacks->contacts + stack->firstContact;
    ClearValues(bodies, stack->bodyCount);
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdContactRow* row = GetContactRow(step, &contacts[i]);
        if (HasMovingSupport(step, &contacts[i]))
        {
            return false;
        }
        for (int k = 0; k < contacts[i].rowCount; ++k)
        {
            AddRowImpulse(&contacts[i], &contacts[i].rows[k], GetImpulse(row, &contacts[i], k), bodies);
        }
    }
    // Impulses p change the energy by v.p - p.M^-1 p / 2, with v the velocity after them.
    double work = 0.0, square = 0.0;
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        double v[TD_STACK_DOF];
        LoadVelocity(step, bodies[p].slot, v);
        work += tdDotStackRow(bodies[p].value, v);
        square += DivideByMass(&bodies[p].mass, bodies[p].value);
    }
    if (!(work - 0.5 * square > MAX_WARM_GAIN * 0.5 * square))
    {
        return false;
    }
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdContactRow* row = GetContactRow(step, &contacts[i]);
        for (int k = 0; k < contacts[i].rowCount; ++k)
        {
            contacts[i].rows[k].change = -GetImpulse(row, &contacts[i], k);
        }
        ApplyChanges(step, &contacts[i], 1.0);
    }
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        ChangeStackVelocity(step, &bodies[p], -1.0);
    }
    return true;
}

static void SolveStack(const tdSolverStep* step, const tdStackSet* stacks, tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    tdStackContact* contacts = stacks->contacts + stack->firstContact;
    double work = ComputeAllResiduals(step, stacks, stack);
    if (!(work <= 0.0) && !IsGoodWarmStart(step, stacks, stack, work) &&
        RejectBadWarmStart(step, stacks, stack))
    {
        ComputeAllResiduals(step, stacks, stack);
    }
    stack->solveCount += 1;
    StackRounds rounds = {.least = INT_MAX};
    for (int round = 0; (round < MAX_HOLD_ROUNDS || stack->roundCount < MAX_STEP_ROUNDS) &&
                        !RunRound(step, stacks, stack, &rounds);
         ++round)
    {
        stack->roundCount += 1;
        if (!tdStack_FactorMatrix(stacks, stack))
        {
            stack->isFactored = false;
            return;
        }
    }
    ClearValues(bodies, stack->bodyCount);
    double slope = 0.0, curvature = 0.0;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        for (int k = 0; k < contacts[i].rowCount; ++k)
        {
            const tdStackRow* row = &contacts[i].rows[k];
            slope += row->residual * row->change;
            AddRowImpulse(&contacts[i], row, row->change, bodies);
        }
    }
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        curvature += DivideByMass(&bodies[p].mass, bodies[p].value);
    }
    if (!(slope < 0.0) || !(curvature > 0.0))
    {
        return;
    }
    double share = -slope / curvature < 1.0 ? -slope / curvature : 1.0;
    for (int i = 0; i < stack->contactCount; ++i)
    {
        ApplyChanges(step, &contacts[i], share);
    }
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        ChangeStackVelocity(step, &bodies[p], share);
    }
}

/// Remove a share of the overlap of the points that hold.
static void PushStack(const tdSolverStep* step, const tdStackSet* stacks, const tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    double most = 0.0;
    ClearValues(bodies, stack->bodyCount);
    for (int i = 0; i < stack->contactCount; ++i)
    {
        tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        const tdContactRow* row = GetContactRow(step, contact);
        int at = contact->lane % TD_ROW_LANES;
        for (int k = 0; k < contact->pointCount; ++k)
        {
            double s = ComputeSeparation(step, contact, &contact->rows[k], AT(row->points[k].separation));
            s += contact->slop + (double)contact->reach;
            if (tdStackContact_Holds(contact, k) && s < 0.0)
            {
                double share = (double)tdMinFloat(PUSH_RATE * step->timeStep, 0.5f) * s;
                double limit = -(double)(step->maxPushSpeed * step->timeStep);
                AddRowImpulse(contact, &contact->rows[k],
                              -contact->rows[k].weight * (share > limit ? share : limit), bodies);
                most = s < most ? s : most;
            }
        }
    }
    if (!(most < 0.0))
    {
        return;
    }
    tdStack_SolveMatrix(stacks, stack);
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        tdBodyState* state = (tdBodyState*)(void*)step->states + bodies[p].slot;
        const double* d = bodies[p].value;
        state->deltaPosition = tdAdd(state->deltaPosition, (tdVec3){(float)d[0], (float)d[1], (float)d[2]});
        tdQuat turn = {(float)(0.5 * d[3]), (float)(0.5 * d[4]), (float)(0.5 * d[5]), 1.0f};
        state->deltaRotation = tdNormalizeQuat(tdMulQuat(turn, state->deltaRotation));
    }
}

/// True if a dense stack changes so much that it should not be solved directly.
static bool IsUnsettled(const tdStack* stack)
{
    return IsDense(stack) && stack->roundCount >= UNSETTLED_ROUNDS * stack->solveCount;
}

void tdStacks_Push(const tdSolverStep* step, int start, int end)
{
    const tdStackSet* stacks = &step->world->solver->stacks;
    for (int s = start; s < end; ++s)
    {
        if (stacks->items[s].isFactored)
        {
            PushStack(step, stacks, &stacks->items[s]);
            if (IsUnsettled(&stacks->items[s]))
            {
                tdStack_Refuse(&stacks->items[s], step->world);
            }
        }
    }
}

void tdStacks_Solve(const tdSolverStep* step, int start, int end)
{
    const tdStackSet* stacks = &step->world->solver->stacks;
    for (int s = start; s < end; ++s)
    {
        if (stacks->items[s].isFactored)
        {
            SolveStack(step, stacks, &stacks->items[s]);
        }
    }
}
