// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The equations of a joint tree: the rows of all its joints from the rows and laws of their blocks.
#include "physics/joint/joint_tree_rows.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_solve.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

/// Compliance of hard rows, relative to their own k. It keeps the matrix regular where rows depend on each
/// other (two hinges of a door, a closed mechanism) and bounds the speed that their inconsistent errors
/// cause. The error that it leaves is removed by refinement, so that it does not yield under load.
#define HARD_COMPLIANCE 1.0e-7
/// Largest k of a rigid linear row that its compliance follows, relative to the k without rotation.
#define MAX_ARM_SHARE 10.0
/// Least damping coefficient of a spring row, in N s/m or N m s/rad, so that its compliance is finite.
#define MIN_SPRING_DAMPING 1.0e-12f
/// Maximum correction velocity of a bound, in m/s or rad/s. It is lower than in the iteration
/// (TD_MAX_BOUND_CORRECTION), because the direct solver applies it in full.
#define MAX_TREE_BOUND_CORRECTION 1.0f
/// Offset of a bound that is infinitely far away, m/s or rad/s.
#define OPEN_BOUND_OFFSET 1.0e30

/// Largest turn of a body in a sub-step with which the refinement follows the rows along their path, rad:
/// beyond about a radian it does not converge.
#define MAX_CURVED_TURN 1.2

/// Input of the rows of an edge.
typedef struct RowSource
{
    const tdSolverStep* step;
    tdJointTreeEdge* edge;
    tdJointTreeRow* rows;
    tdJointTreePass pass;
    bool isNew; // directions, weights and states are not known yet
    bool isCurved;
    const tdJointTreeBody *child, *parent; // child NULL: fixed
    const double* childVelocity;           // also of a fixed or kinematic child
    const tdJointBlock* block;
    int blockIndex;
} RowSource;

/// F^T j of a body.
static void ScaleDirection(const tdJointTreeBody* body, double weight, tdVec3 n, tdVec3 a, double sign,
                           double* out)
{
    const double* f = body->root;
    double m = sign * weight * body->rootMass, w = sign * weight;
    double x = w * (double)a.x, y = w * (double)a.y, z = w * (double)a.z;
    out[0] = m * (double)n.x;
    out[1] = m * (double)n.y;
    out[2] = m * (double)n.z;
    out[3] = f[0] * x + f[1] * y + f[3] * z;
    out[4] = f[2] * y + f[4] * z;
    out[5] = f[5] * z;
}

static double ComputeSpeed(tdVec3 n, tdVec3 a, const double* v)
{
    return ((double)n.x * v[0] + (double)n.y * v[1] + (double)n.z * v[2]) +
           ((double)a.x * v[3] + (double)a.y * v[4] + (double)a.z * v[5]);
}

/// Compliance of a rigid row. A long arm makes k large, but other rows of the joint may keep it from turning.
static double GetHardCompliance(const RowSource* source, const tdJointRow* from)
{
    double k = (double)from->k, mass = source->parent->invMass;
    mass += source->child != NULL ? source->child->invMass : 0.0;
    double linear = MAX_ARM_SHARE * mass * (double)tdDot(from->n, from->n);
    return HARD_COMPLIANCE * (linear > 0.0 && linear < k ? linear : k);
}

/// Velocities of the frames of a point lock: parent minus child.
static void ComputePointSpeed(const RowSource* source, const tdJointBlock* block, double* speed)
{
    // The rows are (arm x e_r).w = (w x arm)_r.
    const double *child = source->childVelocity, *parent = source->parent->velocity;
    const tdJointRow* r = block->rows;
    bool isChildA = source->edge->isChildA;
    tdVec3 armA = {r[1].aA.z, -r[0].aA.z, r[0].aA.y}, armB = {r[1].aB.z, -r[0].aB.z, r[0].aB.y};
    tdVec3 c = isChildA ? armA : armB, p = isChildA ? armB : armA;
    double cx = (double)c.x, cy = (double)c.y, cz = (double)c.z;
    double px = (double)p.x, py = (double)p.y, pz = (double)p.z;
    speed[0] = (parent[0] - child[0]) + ((parent[4] * pz - parent[5] * py) - (child[4] * cz - child[5] * cy));
    speed[1] = (parent[1] - child[1]) + ((parent[5] * px - parent[3] * pz) - (child[5] * cx - child[3] * cz));
    speed[2] = (parent[2] - child[2]) + ((parent[3] * py - parent[4] * px) - (child[3] * cy - child[4] * cx));
}

/// Adds a row: the equation velocity + offset + compliance * impulse = 0, times `sign`.
/// @param pointSpeed of a row of a point lock; NULL: computed here
static tdJointTreeRow* AddTreeRow(RowSource* source, const tdJointRow* from, int sign, double compliance,
                                  float* impulse, const double* pointSpeed)
{
    tdJointTreeRow* row = source->rows + source->edge->firstRow + source->edge->rowCount;
    source->edge->rowCount += 1;
    bool isChildA = source->edge->isChildA;
    // The velocity is that of B minus that of A.
    double parentSign = isChildA ? (double)sign : -(double)sign;
    tdVec3 childArm = isChildA ? from->aA : from->aB, parentArm = isChildA ? from->aB : from->aA;
    if (source->isNew)
    {
        row->weight = 1.0 / sqrt(compliance);
        ScaleDirection(source->parent, row->weight, from->n, parentArm, parentSign, row->parent);
        memset(row->child, 0, sizeof(row->child));
        if (source->child != NULL)
        {
            ScaleDirection(source->child, row->weight, from->n, childArm, -parentSign, row->child);
        }
        row->impulse = impulse;
        row->sign = (int8_t)sign;
        row->isSoft = false;
        row->state = TD_ROW_FREE;
    }
    if (pointSpeed != NULL)
    {
        row->speed = parentSign * *pointSpeed;
    }
    else
    {
        row->speed = parentSign * (ComputeSpeed(from->n, parentArm, source->parent->velocity) -
                                   ComputeSpeed(from->n, childArm, source->childVelocity));
    }
    bool isLater = source->pass == TD_JOINT_TREE_RELAX || source->pass == TD_JOINT_TREE_RESOLVE;
    row->before = isLater ? (double)*impulse : 0.0;
    row->low = -(double)INFINITY;
    row->high = (double)INFINITY;
    row->offset = 0.0;
    row->change = 0.0;
    row->error = from->error;
    row->block = (int16_t)source->blockIndex;
    row->line = (int8_t)(from - source->block->rows);
    row->isCurved = source->isCurved;
    return row;
}

/// After the contacts a rigid row returns to the speed of the solve pass.
static void HoldSpeed(const RowSource* source, tdJointTreeRow* row)
{
    if (source->pass == TD_JOINT_TREE_RESOLVE && row->state == TD_ROW_FREE)
    {
        row->offset = -row->held;
    }
}

static void AddLockRows(RowSource* source, tdJointBlock* block)
{
    float correction[3] = {0.0f, 0.0f, 0.0f};
    if (source->pass == TD_JOINT_TREE_SOLVE)
    {
        tdJoint_AddCorrection(source->step, block, correction);
    }
    bool isPoint = block->kind == TD_BLOCK_POINT;
    double speed[3] = {0.0, 0.0, 0.0};
    if (isPoint)
    {
        ComputePointSpeed(source, block, speed);
    }
    for (int r = 0; r < block->rowCount; ++r)
    {
        const tdJointRow* from = block->rows + r;
        if (from->k > 0.0f)
        {
            double compliance = source->isNew ? GetHardCompliance(source, from) : 0.0;
            tdJointTreeRow* row =
                AddTreeRow(source, from, 1, compliance, block->impulse + r, isPoint ? speed + r : NULL);
            // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): a block has at most 3 rows
            row->offset = (double)correction[r];
            HoldSpeed(source, row);
        }
    }
}

static void AddBoundRow(RowSource* source, tdJointBlock* block, float gap, int sign, float* impulse)
{
    const tdJointRow* from = block->rows;
    if (!(from->k > 0.0f))
    {
        *impulse = 0.0f;
        return;
    }
    bool didPush = *impulse > 0.0f;
    tdJointTreeRow* row = AddTreeRow(source, from, sign, GetHardCompliance(source, from), impulse, NULL);
    // In the relax pass a bound with an impulse stays active, even if its value has jumped into the range.
    if (!(gap < INFINITY))
    {
        row->offset = OPEN_BOUND_OFFSET;
        row->isCurved = false;
    }
    else if (gap > 0.0f && !(source->pass == TD_JOINT_TREE_RELAX && didPush))
    {
        row->offset = (double)(gap * source->step->invSubStep);
    }
    else if (source->pass == TD_JOINT_TREE_SOLVE || source->pass == TD_JOINT_TREE_RESOLVE)
    {
        float speed = source->step->jointSoftness.biasRate * gap;
        row->offset = (double)tdMaxFloat(speed, -MAX_TREE_BOUND_CORRECTION);
    }
    HoldSpeed(source, row);
    row->low = 0.0;
    if (source->isNew)
    {
        row->state = didPush || row->speed + row->offset < 0.0 ? TD_ROW_FREE : TD_ROW_LOW;
    }
}

/// Adds a row with the force -stiffness x - damping (v - velocity).
/// @param limit maximum impulse
static void AddSpringRow(RowSource* source, const tdJointRow* from, float x, float velocity, float stiffness,
                         float damping, float limit, float* impulse)
{
    float h = source->step->subStep;
    float z = stiffness * h * h * from->effective;
    float c = damping + z * z / (1.0f + z * z) * h * stiffness;
    if (!(c > 0.0f) && !(stiffness > 0.0f))
    {
        *impulse = 0.0f;
        return;
    }
    // L = -(h k x - h d u) - h c v, solved for v.
    double hc = (double)h * (double)tdMaxFloat(c, MIN_SPRING_DAMPING);
    tdJointTreeRow* row = AddTreeRow(source, from, 1, 1.0 / hc, impulse, NULL);
    row->offset = (double)h * ((double)stiffness * (double)x - (double)damping * (double)velocity) / hc +
                  row->before / hc;
    row->low = -(double)limit;
    row->high = (double)limit;
    row->isSoft = true;
    row->isCurved = false;
}

static void AddSpringRows(RowSource* source, tdJointBlock* block)
{
    if (block->rowCount > 1)
    {
        for (int r = 0; r < block->rowCount; ++r)
        {
            AddSpringRow(source, block->rows + r, block->rows[r].error, 0.0f, block->stiffness,
                         block->damping, INFINITY, block->impulse + r);
        }
        return;
    }
    float lower, upper;
    tdJoint_GetGaps(block, block->rows[0].error, &lower, &upper);
    if (lower < 0.0f || upper < 0.0f || block->min == block->max)
    {
        AddSpringRow(source, block->rows, lower < 0.0f ? lower : -upper, 0.0f, block->stiffness,
                     block->damping, INFINITY, block->impulse);
    }
    else
    {
        block->impulse[0] = 0.0f;
    }
}

static void AddBlockRows(RowSource* source, tdJointBlock* block)
{
    float lower, upper;
    const tdJointRow* row = block->rows;
    switch (block->law)
    {
    case TD_LAW_LOCK:
        AddLockRows(source, block);
        break;
    case TD_LAW_RANGE:
        tdJoint_GetGaps(block, row->error, &lower, &upper);
        AddBoundRow(source, block, lower, 1, block->impulse);
        AddBoundRow(source, block, upper, -1, block->impulse + 1);
        break;
    case TD_LAW_SPRING:
        AddSpringRows(source, block);
        break;
    case TD_LAW_DRIVE:
        if (row->effective > 0.0f)
        {
            float scale = block->isAcceleration ? 1.0f / row->effective : 1.0f;
            AddSpringRow(source, row, row->error - block->positionTarget, block->velocityTarget,
                         scale * block->stiffness, scale * block->damping,
                         source->step->subStep * block->maxForce, block->impulse);
        }
        break;
    }
}

/// Velocity of the fixed world or kinematic body of an edge without child.
static void LoadFixedVelocity(const tdSolverStep* step, const tdJointTreeEdge* edge, const tdJoint* joint,
                              double* fixed)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState* state = states + (edge->isChildA ? joint->slotA : joint->slotB);
    tdVec3 v = state->linearVelocity, w = state->angularVelocity;
    const double velocity[6] = {(double)v.x, (double)v.y, (double)v.z, (double)w.x, (double)w.y, (double)w.z};
    memcpy(fixed, velocity, sizeof(velocity));
}

static bool TurnsSlowly(const tdSolverStep* step, const tdJointTreeBody* body)
{
    const double* w = body->velocity + 3;
    double turn = MAX_CURVED_TURN * (double)step->invSubStep;
    return w[0] * w[0] + w[1] * w[1] + w[2] * w[2] < turn * turn;
}

// The number of rows of an edge is the same in all passes at one pose, except for soft rows, with which a
// tree is built anew in every pass.
void tdJointTree_GatherRows(const tdSolverStep* step, tdJointTree* tree, tdJointTreePass pass)
{
    tdJointSet* set = step->world->joints;
    tdJointForest* forest = &set->forest;
    tdJointTreeBody* bodies = forest->bodies + tree->firstBody;
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        tdJoint* joint = set->joints.data + edge->joint;
        double fixed[6] = {0.0};
        if (edge->child < 0)
        {
            LoadFixedVelocity(step, edge, joint, fixed);
        }
        RowSource source = {.step = step,
                            .edge = edge,
                            .rows = forest->rows,
                            .pass = pass,
                            .isNew = !tree->isBuilt,
                            .isCurved = pass == TD_JOINT_TREE_SOLVE && !joint->isSeparated &&
                                        TurnsSlowly(step, bodies + edge->parent) &&
                                        (edge->child < 0 || TurnsSlowly(step, bodies + edge->child)),
                            .child = edge->child >= 0 ? bodies + edge->child : NULL,
                            .parent = bodies + edge->parent,
                            .childVelocity = edge->child >= 0 ? bodies[edge->child].velocity : fixed};
        edge->rowCount = 0;
        for (int i = 0; i < joint->blockCount; ++i)
        {
            source.block = joint->blocks + i;
            source.blockIndex = i;
            AddBlockRows(&source, joint->blocks + i);
        }
    }
    tree->isBuilt = true;
}

/// Pose of the frames of a joint at the end of the sub-step.
static tdJointPose PredictPose(const tdSolverStep* step, const tdJointTreeEdge* edge, const tdJoint* joint,
                               const tdJointTreeBody* bodies)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdJointTreeBody* parent = bodies + edge->parent;
    tdVec3 childPosition;
    tdQuat childRotation;
    if (edge->child >= 0)
    {
        childPosition = bodies[edge->child].nextPosition;
        childRotation = bodies[edge->child].nextRotation;
    }
    else
    {
        const tdBodyState* state = states + (edge->isChildA ? joint->slotA : joint->slotB);
        childPosition = tdMulAdd(state->deltaPosition, step->subStep, state->linearVelocity);
        childRotation = tdAdvanceRotation(state->deltaRotation, state->angularVelocity, step->subStep);
    }
    tdQuat turnA = edge->isChildA ? childRotation : parent->nextRotation;
    tdQuat turnB = edge->isChildA ? parent->nextRotation : childRotation;
    tdVec3 moveA = edge->isChildA ? childPosition : parent->nextPosition;
    tdVec3 moveB = edge->isChildA ? parent->nextPosition : childPosition;
    tdJointPose pose;
    pose.hasInertia = false;
    pose.rA = tdRotate(turnA, joint->armA);
    pose.rB = tdRotate(turnB, joint->armB);
    pose.d = tdAdd(tdAdd(joint->centerOffset, tdSub(moveB, moveA)), tdSub(pose.rB, pose.rA));
    tdQuat qA = tdMulQuat(turnA, joint->turnA);
    pose.q = tdInvMulQuat(qA, tdMulQuat(turnB, joint->turnB));
    pose.axes = tdMat3FromQuat(qA);
    return pose;
}

void tdJointTree_MeasureResiduals(const tdSolverStep* step, const tdJointTree* tree)
{
    const tdJointSet* set = step->world->joints;
    const tdJointForest* forest = &set->forest;
    const tdJointTreeBody* bodies = forest->bodies + tree->firstBody;
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        const tdJoint* joint = set->joints.data + edge->joint;
        if (joint->isSeparated)
        {
            continue;
        }
        tdJointPose pose = PredictPose(step, edge, joint, bodies);
        float errors[3] = {0.0f, 0.0f, 0.0f};
        int measured = -1;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            if (!row->isCurved)
            {
                continue;
            }
            if (row->block != measured)
            {
                measured = row->block;
                tdJoint_MeasureBlock(joint, &pose, joint->blocks + measured, errors);
            }
            double moved = (double)(errors[row->line] - row->error);
            row->residual = (double)row->sign * moved * (double)step->invSubStep + row->offset;
        }
    }
}
