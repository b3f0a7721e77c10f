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

/// Compliance of hard rows, relative to their own k. It distributes the load among redundant rows (two hinges
/// of a door, a closed mechanism) and is a thousand times stiffer than the rows of the iteration.
#define HARD_COMPLIANCE 1.0e-4
/// Least damping coefficient of a spring row, in N s/m or N m s/rad, so that its compliance is finite.
#define MIN_SPRING_DAMPING 1.0e-12f
/// Maximum correction velocity of a bound, in m/s or rad/s. It is lower than in the iteration
/// (TD_MAX_BOUND_CORRECTION), because the direct solver applies it in full.
#define MAX_TREE_BOUND_CORRECTION 1.0f

/// Input of the rows of an edge.
typedef struct RowSource
{
    const tdSolverStep* step;
    tdJointTreeEdge* edge;
    tdJointTreeRow* rows;
    tdJointTreePass pass;
    const double *childVelocity, *parentVelocity;
} RowSource;

/// Adds a row: the equation velocity + offset + compliance * impulse = 0, times `sign`.
static tdJointTreeRow* AddTreeRow(RowSource* source, const tdJointRow* from, int sign, float* impulse)
{
    tdJointTreeRow* row = source->rows + source->edge->firstRow + source->edge->rowCount;
    source->edge->rowCount += 1;
    double s = (double)sign;
    const double a[6] = {-s * (double)from->n.x,  -s * (double)from->n.y,  -s * (double)from->n.z,
                         -s * (double)from->aA.x, -s * (double)from->aA.y, -s * (double)from->aA.z};
    const double b[6] = {s * (double)from->n.x,  s * (double)from->n.y,  s * (double)from->n.z,
                         s * (double)from->aB.x, s * (double)from->aB.y, s * (double)from->aB.z};
    memcpy(row->child, source->edge->isChildA ? a : b, sizeof(a));
    memcpy(row->parent, source->edge->isChildA ? b : a, sizeof(a));
    row->impulse = impulse;
    row->sign = sign;
    row->fixedSpeed = 0.0;
    row->before = source->pass == TD_JOINT_TREE_RELAX ? (double)*impulse : 0.0;
    row->low = -(double)INFINITY;
    row->high = (double)INFINITY;
    row->compliance = HARD_COMPLIANCE * (double)from->k;
    row->offset = 0.0;
    row->isSoft = false;
    row->change = 0.0;
    row->state = TD_ROW_FREE;
    return row;
}

static double GetTreeRowSpeed(const RowSource* source, const tdJointTreeRow* row)
{
    return tdDot6(row->child, source->childVelocity) + tdDot6(row->parent, source->parentVelocity);
}

static void AddLockRows(RowSource* source, tdJointBlock* block)
{
    float correction[3] = {0.0f, 0.0f, 0.0f};
    if (source->pass == TD_JOINT_TREE_SOLVE)
    {
        tdJoint_AddCorrection(source->step, block, correction);
    }
    for (int r = 0; r < block->rowCount; ++r)
    {
        if (block->rows[r].k > 0.0f)
        {
            // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): a block has at most 3 rows
            AddTreeRow(source, block->rows + r, 1, block->impulse + r)->offset += (double)correction[r];
        }
    }
}

static void AddBoundRow(RowSource* source, tdJointBlock* block, float gap, int sign, float* impulse)
{
    const tdJointRow* from = block->rows;
    if (!(gap < INFINITY) || !(from->k > 0.0f))
    {
        *impulse = 0.0f;
        return;
    }
    bool didPush = *impulse > 0.0f;
    tdJointTreeRow* row = AddTreeRow(source, from, sign, impulse);
    // In the relax pass a bound with an impulse stays active, even if its value has jumped into the range.
    if (gap > 0.0f && !(source->pass == TD_JOINT_TREE_RELAX && didPush))
    {
        row->offset += (double)(gap * source->step->invSubStep);
    }
    else if (source->pass == TD_JOINT_TREE_SOLVE)
    {
        float speed = source->step->jointSoftness.biasRate * gap;
        row->offset += (double)tdMaxFloat(speed, -MAX_TREE_BOUND_CORRECTION);
    }
    row->low = 0.0;
    row->state = didPush || GetTreeRowSpeed(source, row) + row->offset < 0.0 ? TD_ROW_FREE : TD_ROW_LOW;
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
    tdJointTreeRow* row = AddTreeRow(source, from, 1, impulse);
    // L = -(h k x - h d u) - h c v, solved for v.
    double hc = (double)h * (double)tdMaxFloat(c, MIN_SPRING_DAMPING);
    row->compliance = 1.0 / hc;
    row->offset = (double)h * ((double)stiffness * (double)x - (double)damping * (double)velocity) / hc +
                  row->compliance * row->before;
    row->low = -(double)limit;
    row->high = (double)limit;
    row->isSoft = true;
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

static const double* GetBodyVelocity(const tdJointTreeBody* bodies, int body, const double* fixed)
{
    return body >= 0 ? bodies[body].velocity : fixed;
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

void tdJointTree_GatherRows(const tdSolverStep* step, const tdJointTree* tree, tdJointTreePass pass)
{
    tdJointSet* set = step->world->joints;
    tdJointForest* forest = &set->forest;
    tdJointTreeBody* bodies = forest->bodies + tree->firstBody;
    for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
    {
        tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        tdJoint* joint = set->joints.data + edge->joint;
        double fixed[6] = {0.0};
        if (edge->child < 0)
        {
            LoadFixedVelocity(step, edge, joint, fixed);
        }
        RowSource source = {step,
                            edge,
                            forest->rows,
                            pass,
                            GetBodyVelocity(bodies, edge->child, fixed),
                            GetBodyVelocity(bodies, edge->parent, fixed)};
        edge->rowCount = 0;
        for (int i = 0; i < joint->blockCount; ++i)
        {
            AddBlockRows(&source, joint->blocks + i);
        }
        // A fixed or kinematic child keeps its velocity: its part of the row velocity is a constant.
        for (int r = 0; edge->child < 0 && r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            row->fixedSpeed = tdDot6(row->child, fixed);
            row->offset += row->fixedSpeed;
        }
    }
}
