// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The solver passes over one joint at a time (docs/decisions/070-soft-step-solver.md,
// 071-joints-from-limits.md).
//
// Hard rows correct a share of their error per sub-step; the relax pass removes the velocity of that
// correction. Drives and stops beyond a turn: docs/decisions/046-turns-and-angular-drives.md.
//
// Springs and drives are forces F = -k (x + s h v') - c v', with v' the velocity at the end of the sub-step,
// s = z^2 / (1 + z^2) and z = k h^2 / m. A soft spring (z << 1) is integrated without energy loss, a stiff
// one fully implicitly. With C = c + s h k the impulse is L = -(h k x + h C v'), and with v' = v0 + K L
//   L = -(h k x + h C v0) / (1 + h C K),    v0 = v - K L_old the velocity without the row.
#include "physics/joint/joint_solve.h"

#include "math/trig.h"
#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_compile.h"
#include "physics/joint/joint_rows.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

typedef struct PairVelocity
{
    tdVec3 vA, wA, vB, wB;
} PairVelocity;

static PairVelocity LoadPairVelocity(const tdSolverStep* step, const tdJoint* joint)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState* a = states + joint->slotA;
    const tdBodyState* b = states + joint->slotB;
    return (PairVelocity){a->linearVelocity, a->angularVelocity, b->linearVelocity, b->angularVelocity};
}

static void StorePairVelocity(const tdSolverStep* step, const tdJoint* joint, const PairVelocity* v)
{
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    if (joint->writesA)
    {
        states[joint->slotA].linearVelocity = v->vA;
        states[joint->slotA].angularVelocity = v->wA;
    }
    if (joint->writesB)
    {
        states[joint->slotB].linearVelocity = v->vB;
        states[joint->slotB].angularVelocity = v->wB;
    }
}

static float GetRowVelocity(const tdJointRow* row, const PairVelocity* v)
{
    return tdDot(row->n, tdSub(v->vB, v->vA)) + (tdDot(row->aB, v->wB) - tdDot(row->aA, v->wA));
}

static void ApplyRow(const tdJoint* joint, const tdJointRow* row, PairVelocity* v, float impulse)
{
    v->vA = tdMulSub(v->vA, joint->invMassA * impulse, row->n);
    v->vB = tdMulAdd(v->vB, joint->invMassB * impulse, row->n);
    v->wA = tdMulSub(v->wA, impulse, row->iA);
    v->wB = tdMulAdd(v->wB, impulse, row->iB);
}

/// Applies an impulse to a row that is no lock, and the response of the locks of the joint.
static void ApplyCoupledRow(tdJoint* joint, const tdJointRow* row, PairVelocity* v, float impulse)
{
    ApplyRow(joint, row, v, impulse);
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = tdJoint_GetLockRows(joint, locks, impulses);
    for (int l = 0; l < count; ++l)
    {
        float response = -row->couple[l] * impulse;
        *impulses[l] += response;
        ApplyRow(joint, locks[l], v, response);
    }
}

static float GetMaxCorrection(const tdJointBlock* block)
{
    return block->kind <= TD_BLOCK_DISTANCE ? TD_MAX_LINEAR_CORRECTION : TD_MAX_TURN_CORRECTION;
}

void tdJoint_AddCorrection(const tdSolverStep* step, const tdJointBlock* block, float* rhs)
{
    float bias[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f, limit = GetMaxCorrection(block);
    for (int r = 0; r < block->rowCount; ++r)
    {
        bias[r] = step->jointSoftness.biasRate * block->rows[r].error;
        square += bias[r] * bias[r];
    }
    float scale = square > limit * limit ? limit / tdSqrt(square) : 1.0f;
    for (int r = 0; r < block->rowCount; ++r)
    {
        rhs[r] += scale * bias[r];
    }
}

/// Solves a lock that is not coupled with others.
static void SolveLock(const tdSolverStep* step, const tdJoint* joint, tdJointBlock* block, PairVelocity* v,
                      bool isRelax)
{
    float rhs[3] = {0.0f, 0.0f, 0.0f};
    float massScale = isRelax ? 1.0f : step->jointSoftness.massScale;
    float impulseScale = isRelax ? 0.0f : step->jointSoftness.impulseScale;
    for (int r = 0; r < block->rowCount; ++r)
    {
        rhs[r] = GetRowVelocity(block->rows + r, v);
    }
    if (!isRelax)
    {
        tdJoint_AddCorrection(step, block, rhs);
    }
    const float* m = block->inverse;
    float impulse[3] = {-(m[0] * rhs[0] + m[3] * rhs[1] + m[4] * rhs[2]),
                        -(m[3] * rhs[0] + m[1] * rhs[1] + m[5] * rhs[2]),
                        -(m[4] * rhs[0] + m[5] * rhs[1] + m[2] * rhs[2])};
    for (int r = 0; r < block->rowCount; ++r)
    {
        float delta = massScale * impulse[r] - impulseScale * block->impulse[r];
        block->impulse[r] += delta;
        ApplyRow(joint, block->rows + r, v, delta);
    }
}

/// Solves all coupled locks of the joint at once.
static void SolveLocks(const tdSolverStep* step, tdJoint* joint, PairVelocity* v, bool isRelax)
{
    tdJointRow* rows[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    float x[TD_MAX_LOCK_ROWS];
    int count = tdJoint_GetLockRows(joint, rows, impulses);
    for (int i = 0; i < count; ++i)
    {
        x[i] = GetRowVelocity(rows[i], v);
    }
    float massScale = 1.0f, impulseScale = 0.0f;
    if (!isRelax)
    {
        massScale = step->jointSoftness.massScale;
        impulseScale = step->jointSoftness.impulseScale;
        int first = 0;
        for (int i = 0; i < joint->blockCount; ++i)
        {
            if (joint->blocks[i].isCoupled)
            {
                tdJoint_AddCorrection(step, joint->blocks + i, x + first);
                first += joint->blocks[i].rowCount;
            }
        }
    }
    tdSolveFactor(joint->lockFactor, count, x);
    for (int i = 0; i < count; ++i)
    {
        float delta = -massScale * x[i] - impulseScale * *impulses[i];
        *impulses[i] += delta;
        ApplyRow(joint, rows[i], v, delta);
    }
}

void tdJoint_GetGaps(const tdJointBlock* block, float value, float* lower, float* upper)
{
    *lower = value - block->min;
    *upper = block->max - value;
    if (block->kind == TD_BLOCK_TWIST && !block->countsTurns)
    {
        float turn = 2.0f * TD_PI;
        if (*lower < 0.0f && block->max < INFINITY && value + turn - block->max < -*lower)
        {
            *upper = block->max - (value + turn);
            *lower = INFINITY;
        }
        else if (*upper < 0.0f && block->min > -INFINITY && block->min - (value - turn) < -*upper)
        {
            *lower = value - turn - block->min;
            *upper = INFINITY;
        }
    }
}

bool tdJoint_IsSeparated(const tdWorld* world, const tdJoint* joint, float distance, float angle)
{
    tdTransform relative = tdJoint_GetRelative(world, joint);
    for (int i = 0; i < joint->limitCount; ++i)
    {
        tdJointLimit limit = tdSettleLimit(joint->limits + i);
        bool isLinear = limit.linearAxes != 0;
        unsigned axes = isLinear ? limit.linearAxes : limit.angularAxes;
        if (axes == 0 || limit.stiffness < INFINITY)
        {
            continue;
        }
        bool isSigned = tdCountAxes(axes) == 1, isTwist = !isLinear && isSigned;
        tdJointBlock block = {.kind = isTwist ? TD_BLOCK_TWIST : TD_BLOCK_DISTANCE,
                              .min = isSigned || limit.min > 0.0f ? limit.min : -INFINITY,
                              .max = limit.max};
        int axis = tdGetAxisOfSet(axes);
        block.countsTurns = isTwist && limit.min < limit.max &&
                            tdJoint_CountsLimit(joint, axis, limit.min, limit.max) &&
                            tdHasAxis(joint->turnAxes, axis);
        float value = block.countsTurns ? tdJoint_MeasureCounted(joint, relative.rotation, axis)
                                        : tdMeasureLimit(&limit, relative.position, relative.rotation);
        float lower, upper;
        tdJoint_GetGaps(&block, value, &lower, &upper);
        if (tdMinFloat(lower, upper) < (isLinear ? -distance : -angle))
        {
            return true;
        }
    }
    return false;
}

/// @param isRigid the bound does not yield to its load
static void SolveBound(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, PairVelocity* v,
                       float gap, float sign, float* accumulated, bool isRelax, bool isRigid)
{
    const tdJointRow* row = block->rows;
    if (!(row->effective > 0.0f))
    {
        return;
    }
    float bias = 0.0f, massScale = 1.0f, impulseScale = 0.0f;
    if (gap > 0.0f)
    {
        // In the relax pass a bound with an impulse stays active, even if its value has jumped into the
        // range.
        bias = isRelax && *accumulated > 0.0f ? 0.0f : gap * step->invSubStep;
    }
    else if (!isRelax)
    {
        bias = tdMaxFloat(step->jointSoftness.biasRate * gap, -TD_MAX_BOUND_CORRECTION);
        massScale = isRigid ? 1.0f : step->jointSoftness.massScale;
        impulseScale = isRigid ? 0.0f : step->jointSoftness.impulseScale;
    }
    float speed = sign * GetRowVelocity(row, v);
    float impulse = *accumulated - massScale * (speed + bias) / row->effective - impulseScale * *accumulated;
    impulse = tdMaxFloat(impulse, 0.0f);
    float delta = impulse - *accumulated;
    *accumulated = impulse;
    ApplyCoupledRow(joint, row, v, sign * delta);
}

static void SolveRange(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, PairVelocity* v,
                       bool isRelax)
{
    float lower, upper;
    tdJoint_GetGaps(block, block->rows[0].error, &lower, &upper);
    // A soft bound gives way by a share of its load in each sub-step, and its correction is limited: a strong
    // drive of the same joint would push it on and on. The drive is known, so the bound bears it in full.
    bool isRigid = joint->driveCount > 0;
    if (lower < INFINITY)
    {
        SolveBound(step, joint, block, v, lower, 1.0f, &block->impulse[0], isRelax, isRigid);
    }
    if (upper < INFINITY)
    {
        SolveBound(step, joint, block, v, upper, -1.0f, &block->impulse[1], isRelax, isRigid);
    }
}

/// Solves a force -stiffness x - damping (v - velocity) on one row.
/// @param limit maximum impulse
static void SolveSpringRow(const tdSolverStep* step, tdJoint* joint, const tdJointRow* row, PairVelocity* v,
                           float x, float velocity, float stiffness, float damping, float limit,
                           float* accumulated)
{
    float h = step->subStep;
    float z = stiffness * h * h * row->effective;
    float implicit = z * z / (1.0f + z * z);
    float c = damping + implicit * h * stiffness;
    float before = GetRowVelocity(row, v) - row->effective * *accumulated;
    float impulse =
        (h * damping * velocity - h * stiffness * x - h * c * before) / (1.0f + h * c * row->effective);
    impulse = tdClampFloat(impulse, -limit, limit);
    float delta = impulse - *accumulated;
    *accumulated = impulse;
    ApplyCoupledRow(joint, row, v, delta);
}

static void SolveSpring(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, PairVelocity* v)
{
    if (block->rowCount > 1)
    {
        // A soft lock of several rows has the same spring on each row: the metric is the length of the error.
        for (int r = 0; r < block->rowCount; ++r)
        {
            SolveSpringRow(step, joint, block->rows + r, v, block->rows[r].error, 0.0f, block->stiffness,
                           block->damping, INFINITY, &block->impulse[r]);
        }
        return;
    }
    float lower, upper;
    tdJoint_GetGaps(block, block->rows[0].error, &lower, &upper);
    if (lower < 0.0f || upper < 0.0f || block->min == block->max)
    {
        float x = lower < 0.0f ? lower : -upper;
        SolveSpringRow(step, joint, block->rows, v, x, 0.0f, block->stiffness, block->damping, INFINITY,
                       &block->impulse[0]);
    }
    else if (block->impulse[0] != 0.0f)
    {
        ApplyCoupledRow(joint, block->rows, v, -block->impulse[0]);
        block->impulse[0] = 0.0f;
    }
}

static void SolveDrive(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, PairVelocity* v)
{
    const tdJointRow* row = block->rows;
    float scale = block->isAcceleration ? 1.0f / row->effective : 1.0f;
    SolveSpringRow(step, joint, row, v, row->error - block->positionTarget, block->velocityTarget,
                   scale * block->stiffness, scale * block->damping, step->subStep * block->maxForce,
                   &block->impulse[0]);
}

/// Drives of one joint that are solved together: one per degree of freedom.
#define MAX_DRIVE_ROWS 6
/// Rounds of the search for the drives that act with their maximum force. Each round changes one of them; the
/// search ends after a few.
#define MAX_DRIVE_ROUNDS 24

/// Several drives of a joint: impulses L = clamp(push - resistance v'), v' = speed + response (L - before).
typedef struct DriveSystem
{
    int count;
    tdJointBlock* blocks[MAX_DRIVE_ROWS];
    double response[MAX_DRIVE_ROWS][MAX_DRIVE_ROWS]; // J M^-1 J^T with the response of the locks
    double push[MAX_DRIVE_ROWS];                     // N s or N m s at zero speed
    double resistance[MAX_DRIVE_ROWS];               // impulse per speed
    double limit[MAX_DRIVE_ROWS];
    double speed[MAX_DRIVE_ROWS]; // without the drives
    double impulse[MAX_DRIVE_ROWS];
} DriveSystem;

/// Velocities that a unit impulse on a row and the response of the locks cause.
static PairVelocity ComputeRowResponse(tdJoint* joint, const tdJointRow* row)
{
    PairVelocity v = {tdVec3_zero, tdVec3_zero, tdVec3_zero, tdVec3_zero};
    ApplyRow(joint, row, &v, 1.0f);
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = tdJoint_GetLockRows(joint, locks, impulses);
    for (int l = 0; l < count; ++l)
    {
        ApplyRow(joint, locks[l], &v, -row->couple[l]);
    }
    return v;
}

static void BuildDriveSystem(const tdSolverStep* step, tdJoint* joint, const PairVelocity* v,
                             DriveSystem* system)
{
    double h = (double)step->subStep;
    for (int j = 0; j < system->count; ++j)
    {
        PairVelocity response = ComputeRowResponse(joint, system->blocks[j]->rows);
        for (int i = 0; i < system->count; ++i)
        {
            system->response[i][j] = (double)GetRowVelocity(system->blocks[i]->rows, &response);
        }
    }
    for (int i = 0; i < system->count; ++i)
    {
        const tdJointBlock* block = system->blocks[i];
        const tdJointRow* row = block->rows;
        double effective = (double)row->effective, scale = block->isAcceleration ? 1.0 / effective : 1.0;
        double k = scale * (double)block->stiffness, c = scale * (double)block->damping;
        double z = k * h * h * effective, x = (double)row->error - (double)block->positionTarget;
        system->push[i] = h * (c * (double)block->velocityTarget - k * x);
        system->resistance[i] = h * (c + z * z / (1.0 + z * z) * h * k);
        system->limit[i] = h * (double)block->maxForce;
        system->speed[i] = (double)GetRowVelocity(row, v);
        for (int j = 0; j < system->count; ++j)
        {
            system->speed[i] -= system->response[i][j] * (double)system->blocks[j]->impulse[0];
        }
    }
}

/// Impulse that drive i asks for beside the impulses of the others.
static double GetDriveDemand(const DriveSystem* system, int i)
{
    double speed = system->speed[i];
    for (int j = 0; j < system->count; ++j)
    {
        speed += system->response[i][j] * system->impulse[j];
    }
    return system->push[i] - system->resistance[i] * speed;
}

/// Solves (1 + resistance response) L = push - resistance speed for the drives that are not held at their
/// limit. The principal minors of this matrix are at least 1, so it needs no pivoting.
static void SolveFreeDrives(DriveSystem* system, const bool* isHeld)
{
    double m[MAX_DRIVE_ROWS][MAX_DRIVE_ROWS + 1];
    int order[MAX_DRIVE_ROWS], count = 0;
    for (int i = 0; i < system->count; ++i)
    {
        if (!isHeld[i])
        {
            order[count++] = i;
        }
    }
    for (int r = 0; r < count; ++r)
    {
        int i = order[r];
        double speed = system->speed[i];
        for (int j = 0; j < system->count; ++j)
        {
            speed += isHeld[j] ? system->response[i][j] * system->impulse[j] : 0.0;
        }
        m[r][count] = system->push[i] - system->resistance[i] * speed;
        for (int c = 0; c < count; ++c)
        {
            m[r][c] = system->resistance[i] * system->response[i][order[c]] + (r == c ? 1.0 : 0.0);
        }
    }
    for (int p = 0; p < count; ++p)
    {
        for (int r = p + 1; r < count; ++r)
        {
            double factor = m[r][p] / m[p][p];
            for (int c = p; c <= count; ++c)
            {
                m[r][c] -= factor * m[p][c];
            }
        }
    }
    for (int p = count - 1; p >= 0; --p)
    {
        double x = m[p][count];
        for (int c = p + 1; c < count; ++c)
        {
            x -= m[p][c] * system->impulse[order[c]];
        }
        system->impulse[order[p]] = x / m[p][p];
    }
}

/// Finds the drives that act with their maximum force: one that asks for more is held at it, one that asks
/// for less is released.
static void FindDriveImpulses(DriveSystem* system)
{
    bool isHeld[MAX_DRIVE_ROWS] = {false};
    for (int round = 0; round < MAX_DRIVE_ROUNDS; ++round)
    {
        SolveFreeDrives(system, isHeld);
        int worst = -1;
        double most = 0.0;
        for (int i = 0; i < system->count; ++i)
        {
            double limit = system->limit[i], excess = fabs(system->impulse[i]) - limit;
            if (isHeld[i])
            {
                double sign = system->impulse[i] < 0.0 ? -1.0 : 1.0;
                excess = limit - sign * GetDriveDemand(system, i);
            }
            if (excess > most)
            {
                most = excess;
                worst = i;
            }
        }
        if (worst < 0)
        {
            break;
        }
        isHeld[worst] = !isHeld[worst];
        if (isHeld[worst])
        {
            double limit = system->limit[worst];
            system->impulse[worst] = system->impulse[worst] < 0.0 ? -limit : limit;
        }
    }
    for (int i = 0; i < system->count; ++i)
    {
        double limit = system->limit[i], impulse = system->impulse[i];
        system->impulse[i] = impulse > limit ? limit : (impulse < -limit ? -limit : impulse);
    }
}

/// Solves the drives of a joint. Several drives act on each other through the inertia of the bodies, so that
/// they are solved as one system: one after the other they would turn a spin away from its axis.
static void SolveDrives(const tdSolverStep* step, tdJoint* joint, PairVelocity* v)
{
    DriveSystem system = {.count = 0};
    for (int i = joint->blockCount - 1; i >= 0 && joint->blocks[i].law == TD_LAW_DRIVE; --i)
    {
        tdJointBlock* block = joint->blocks + i;
        bool acts = block->rows[0].effective > 0.0f;
        if (acts && system.count < MAX_DRIVE_ROWS)
        {
            system.blocks[system.count++] = block;
        }
        else if (acts)
        {
            SolveDrive(step, joint, block, v);
        }
    }
    if (system.count == 1)
    {
        SolveDrive(step, joint, system.blocks[0], v);
    }
    if (system.count < 2)
    {
        return;
    }
    BuildDriveSystem(step, joint, v, &system);
    FindDriveImpulses(&system);
    for (int i = 0; i < system.count; ++i)
    {
        tdJointBlock* block = system.blocks[i];
        float impulse = (float)system.impulse[i], delta = impulse - block->impulse[0];
        block->impulse[0] = impulse;
        ApplyCoupledRow(joint, block->rows, v, delta);
    }
}

static void SolveJointBlock(const tdSolverStep* step, tdJoint* joint, tdJointBlock* block, PairVelocity* v,
                            bool isRelax)
{
    switch (block->law)
    {
    case TD_LAW_LOCK:
        if (!block->isCoupled)
        {
            SolveLock(step, joint, block, v, isRelax);
        }
        break;
    case TD_LAW_RANGE:
        SolveRange(step, joint, block, v, isRelax);
        break;
    case TD_LAW_SPRING:
        SolveSpring(step, joint, block, v);
        break;
    default: // drives are solved together
        break;
    }
}

static float GetRowImpulse(const tdJointBlock* block, int row)
{
    return block->law == TD_LAW_RANGE ? block->impulse[0] - block->impulse[1] : block->impulse[row];
}

void tdJoint_PrepareFrames(const tdSolverStep* step, tdJoint* joint)
{
    const tdWorld* world = step->world;
    static const tdBodySim fixed = {.transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}};
    const tdBodySim* a = joint->bodyA >= 0 ? tdWorld_GetBodySim(world, joint->bodyA) : &fixed;
    const tdBodySim* b = joint->bodyB >= 0 ? tdWorld_GetBodySim(world, joint->bodyB) : &fixed;
    joint->slotA = joint->bodyA >= 0 ? world->bodies.data[joint->bodyA].simIndex : 0;
    joint->slotB = joint->bodyB >= 0 ? world->bodies.data[joint->bodyB].simIndex : 0;
    joint->writesA = joint->slotA > 0 && (a->flags & TD_BODY_DYNAMIC) != 0;
    joint->writesB = joint->slotB > 0 && (b->flags & TD_BODY_DYNAMIC) != 0;
    joint->turnA = tdMulQuat(a->transform.rotation, joint->frameA.rotation);
    joint->turnB = tdMulQuat(b->transform.rotation, joint->frameB.rotation);
    joint->armA = tdRotate(a->transform.rotation, tdSub(joint->frameA.position, a->localCenter));
    joint->armB = tdRotate(b->transform.rotation, tdSub(joint->frameB.position, b->localCenter));
    joint->centerOffset = tdSub(b->center, a->center);
    joint->invMassA = joint->writesA ? a->invMass : 0.0f;
    joint->invMassB = joint->writesB ? b->invMass : 0.0f;
    joint->invInertiaA = joint->writesA ? a->invInertia : (tdSym3){0};
    joint->invInertiaB = joint->writesB ? b->invInertia : (tdSym3){0};
}

void tdJoint_Prepare(const tdSolverStep* step, tdJoint* joint)
{
    tdJoint_PrepareFrames(step, joint);
    tdJointPose pose = tdJoint_ComputePose(step, joint);
    tdJoint_CountTurns(joint, pose.q, tdVec3_zero);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        block->linearSum = block->angularSum = tdVec3_zero;
        tdJoint_EvaluateBlock(joint, &pose, block);
    }
    tdJoint_FactorLocks(joint);
    tdJoint_CoupleRows(joint, &pose);
}

void tdJoint_WarmStart(const tdSolverStep* step, tdJoint* joint)
{
    PairVelocity v = LoadPairVelocity(step, joint);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int r = 0; r < block->rowCount; ++r)
        {
            ApplyRow(joint, block->rows + r, &v, GetRowImpulse(block, r));
        }
    }
    StorePairVelocity(step, joint, &v);
}

// Locks first, then the rows that keep the locks satisfied: drives, then limits from last to first.
void tdJoint_Solve(const tdSolverStep* step, tdJoint* joint)
{
    PairVelocity v = LoadPairVelocity(step, joint);
    SolveLocks(step, joint, &v, false);
    SolveDrives(step, joint, &v);
    for (int i = joint->blockCount - 1; i >= 0; --i)
    {
        SolveJointBlock(step, joint, joint->blocks + i, &v, false);
    }
    StorePairVelocity(step, joint, &v);
}

static bool IsSoftBlock(const tdJointBlock* block)
{
    return block->law == TD_LAW_SPRING || block->law == TD_LAW_DRIVE;
}

static void AddBlockReaction(tdJointBlock* block)
{
    for (int r = 0; r < block->rowCount; ++r)
    {
        float impulse = GetRowImpulse(block, r);
        const tdJointRow* row = block->rows + r;
        block->linearSum = tdMulAdd(block->linearSum, impulse, row->n);
        if (block->kind > TD_BLOCK_DISTANCE)
        {
            block->angularSum = tdMulAdd(block->angularSum, impulse, row->aB);
        }
    }
}

/// Counts the turns of a sub-step after the integration. The velocities of the relax pass are still close to
/// those that were integrated.
static void CountSubStepTurns(const tdSolverStep* step, tdJoint* joint, const tdJointPose* pose)
{
    if (joint->turnAxes != 0)
    {
        PairVelocity v = LoadPairVelocity(step, joint);
        tdVec3 travel = tdScale(step->subStep, tdSub(v.wB, v.wA));
        tdJoint_CountTurns(joint, pose->q, tdMulMat3Vec3(tdTranspose(pose->axes), travel));
    }
}

bool tdJoint_HasSoftRows(const tdJoint* joint)
{
    bool hasSoft = false;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        hasSoft |= IsSoftBlock(joint->blocks + i);
    }
    return hasSoft;
}

void tdJoint_BeginRelax(const tdSolverStep* step, tdJoint* joint, bool hasSoft, tdJointPose* pose)
{
    *pose = hasSoft ? tdJoint_ComputePose(step, joint) : tdJoint_ComputeFrames(step, joint);
    CountSubStepTurns(step, joint, pose);
    // Soft rows use the pose at the start of the sub-step, rigid rows the pose at its end.
    for (int i = 0; i < joint->blockCount; ++i)
    {
        if (!IsSoftBlock(joint->blocks + i))
        {
            tdJoint_EvaluateBlock(joint, pose, joint->blocks + i);
        }
    }
}

/// The rows of ranges rotate with the bodies, and jump where their value does (a twist at half a turn of
/// swing, an angle at half a turn). The impulse of a bound along the old row is projected onto the new row:
/// L' = L (J' M^-1 J^T) / (J' M^-1 J'^T). The response of the locks changes accordingly.
static void ProjectImpulses(tdJoint* joint, tdJointBlock* block, const tdJointRow* old)
{
    const tdJointRow* row = block->rows;
    float m = joint->invMassA + joint->invMassB;
    float both = m * tdDot(row->n, old->n) + tdDot(row->iA, old->aA) + tdDot(row->iB, old->aB);
    float share = row->k > 0.0f ? tdClampFloat(both / row->k, 0.0f, 1.0f) : 0.0f;
    float lost = (1.0f - share) * (block->impulse[0] - block->impulse[1]);
    block->impulse[0] *= share;
    block->impulse[1] *= share;
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = tdJoint_GetLockRows(joint, locks, impulses);
    for (int l = 0; l < count; ++l)
    {
        *impulses[l] += old->couple[l] * lost;
    }
}

void tdJoint_EndRelax(tdJoint* joint, const tdJointPose* pose)
{
    bool hasSoft = false;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        AddBlockReaction(block);
        if (IsSoftBlock(block))
        {
            tdJoint_EvaluateBlock(joint, pose, block);
            hasSoft = true;
        }
    }
    if (hasSoft)
    {
        tdJoint_CoupleRows(joint, pose);
    }
}

/// A bound that is hit has a large impulse once, which is a bad warm start for the next sub-step. Only the
/// smaller one of the impulses of two successive sub-steps is kept. The response of the locks changes
/// accordingly.
static void DropImpacts(tdJoint* joint)
{
    tdJointRow* locks[TD_MAX_LOCK_ROWS];
    float* impulses[TD_MAX_LOCK_ROWS];
    int count = tdJoint_GetLockRows(joint, locks, impulses);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int b = 0; block->law == TD_LAW_RANGE && b < 2; ++b)
        {
            float now = block->impulse[b], kept = tdMinFloat(now, block->last[b]);
            float dropped = b == 0 ? now - kept : kept - now;
            block->last[b] = now;
            block->impulse[b] = kept;
            for (int l = 0; l < count && dropped != 0.0f; ++l)
            {
                *impulses[l] += block->rows[0].couple[l] * dropped;
            }
        }
    }
}

void tdJoint_Relax(const tdSolverStep* step, tdJoint* joint)
{
    PairVelocity v = LoadPairVelocity(step, joint);
    tdJointPose pose = tdJoint_ComputePose(step, joint);
    CountSubStepTurns(step, joint, &pose);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        tdJointRow old = block->rows[0];
        if (!IsSoftBlock(block))
        {
            tdJoint_EvaluateBlock(joint, &pose, block);
        }
        if (block->law == TD_LAW_RANGE && (block->impulse[0] > 0.0f || block->impulse[1] > 0.0f))
        {
            ProjectImpulses(joint, block, &old);
        }
    }
    tdJoint_FactorLocks(joint);
    tdJoint_CoupleRows(joint, NULL);
    SolveLocks(step, joint, &v, true);
    SolveDrives(step, joint, &v);
    for (int i = joint->blockCount - 1; i >= 0; --i)
    {
        SolveJointBlock(step, joint, joint->blocks + i, &v, true);
    }
    tdJoint_EndRelax(joint, &pose);
    DropImpacts(joint);
    StorePairVelocity(step, joint, &v);
}

/// Impulses above this are not kept for the next step, N s or N m s: their products would overflow.
#define MAX_KEPT_IMPULSE 1.0e24f

// Forget impulses that are not numbers or too large. Warm starting would bring them back in every step.
static void BoundKeptImpulses(tdJointBlock* block)
{
    bool isBounded = true;
    for (int k = 0; k < 3; ++k)
    {
        isBounded = isBounded && tdAbsFloat(block->impulse[k]) <= MAX_KEPT_IMPULSE;
    }
    isBounded = isBounded && tdAbsFloat(block->last[0]) <= MAX_KEPT_IMPULSE &&
                tdAbsFloat(block->last[1]) <= MAX_KEPT_IMPULSE;
    if (!isBounded)
    {
        memset(block->impulse, 0, sizeof(block->impulse));
        memset(block->last, 0, sizeof(block->last));
        block->linearSum = block->angularSum = tdVec3_zero;
    }
}

void tdJoint_Store(const tdSolverStep* step, tdJoint* joint)
{
    float invTime = step->timeStep > 0.0f ? 1.0f / step->timeStep : 0.0f;
    joint->force = joint->torque = tdVec3_zero;
    for (int l = 0; l < joint->limitCount; ++l)
    {
        joint->limitReactions[l] = tdVec3_zero;
    }
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        BoundKeptImpulses(block);
        joint->force = tdMulAdd(joint->force, invTime, block->linearSum);
        joint->torque = tdMulAdd(joint->torque, invTime, block->angularSum);
        bool isLinear = block->kind <= TD_BLOCK_DISTANCE;
        tdVec3 sum = tdScale(invTime, isLinear ? block->linearSum : block->angularSum);
        if (block->drive >= 0)
        {
            joint->driveReactions[block->drive] = sum;
        }
        else if (block->rowCount == 1 || block->limits[0] == block->limits[1])
        {
            joint->limitReactions[block->limits[0]] = sum;
        }
        else
        {
            // A lock combined from one-axis limits: each limit gets the part along its axis.
            tdJointPose pose = tdJoint_ComputePose(step, joint);
            for (int r = 0; r < block->rowCount; ++r)
            {
                const tdJointLimit* limit = joint->limits + block->limits[r];
                tdVec3 axis =
                    tdGetAxis(&pose.axes, tdGetAxisOfSet(isLinear ? limit->linearAxes : limit->angularAxes));
                joint->limitReactions[block->limits[r]] = tdScale(tdDot(sum, axis), axis);
            }
        }
    }
}
