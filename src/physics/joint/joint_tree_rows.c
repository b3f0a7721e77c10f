// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The equations of a joint tree: all rows of its joints from their poses and laws.
#include "physics/joint/joint_tree_rows.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_solve.h"
#include "physics/joint/joint_tree.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

/// Softness of hard rows, as a share of their own inverse mass: shares the load among rows that say the same
/// (two hinges of a door, a closed mechanism), and is a thousand times stiffer than the iteration's.
#define HARD_COMPLIANCE 1.0e-4
/// Fastest correction of a bound, m/s or rad/s: less than the iteration's, because a tree carries it out.
#define MAX_BOUND_CORRECTION 1.0f

/// What the rows of an edge are made from.
typedef struct Source
{
    const tdSolverStep* step;
    tdJointTreeEdge* edge;
    tdJointTreeRow* rows;
    tdJointTreePass pass;
    const double *childVelocity, *parentVelocity;
} Source;

/// Add a row: the equation speed + bias + compliance * impulse = 0 times `sign`.
static tdJointTreeRow* AddRow(Source* source, const tdJointRow* from, int sign, float* impulse)
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

static double RowSpeed(const Source* source, const tdJointTreeRow* row)
{
    return tdDot6(row->child, source->childVelocity) + tdDot6(row->parent, source->parentVelocity);
}

static void AddLocks(Source* source, tdJointBlock* block)
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
            AddRow(source, block->rows + r, 1, block->impulse + r)->offset += (double)correction[r];
        }
    }
}

static void AddBound(Source* source, tdJointBlock* block, float gap, int sign, float* impulse)
{
    const tdJointRow* from = block->rows;
    if (!(gap < INFINITY) || !(from->k > 0.0f))
    {
        *impulse = 0.0f;
        return;
    }
    bool didPush = *impulse > 0.0f;
    tdJointTreeRow* row = AddRow(source, from, sign, impulse);
    // A bound that pushed stays where it is in relax, even if its value has jumped to where there is a gap.
    if (gap > 0.0f && !(source->pass == TD_JOINT_TREE_RELAX && didPush))
    {
        row->offset += (double)(gap * source->step->invSubStep);
    }
    else if (source->pass == TD_JOINT_TREE_SOLVE)
    {
        float speed = source->step->jointSoftness.biasRate * gap;
        row->offset += (double)tdMaxFloat(speed, -MAX_BOUND_CORRECTION);
    }
    row->low = 0.0;
    row->state = didPush || RowSpeed(source, row) + row->offset < 0.0 ? TD_ROW_FREE : TD_ROW_LOW;
}

/// A force -stiffness x - damping (v - velocity), at most `limit` as an impulse.
static void AddSpring(Source* source, const tdJointRow* from, float x, float velocity, float stiffness,
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
    tdJointTreeRow* row = AddRow(source, from, 1, impulse);
    // L = -(h k x - h d u) - h c v, solved for v. A spring too weak to have an implicit share gets a trace.
    double hc = (double)h * (double)tdMaxFloat(c, 1.0e-12f);
    row->compliance = 1.0 / hc;
    row->offset = (double)h * ((double)stiffness * (double)x - (double)damping * (double)velocity) / hc +
                  row->compliance * row->before;
    row->low = -(double)limit;
    row->high = (double)limit;
    row->isSoft = true;
}

static void AddSprings(Source* source, tdJointBlock* block)
{
    if (block->rowCount > 1)
    {
        for (int r = 0; r < block->rowCount; ++r)
        {
            AddSpring(source, block->rows + r, block->rows[r].error, 0.0f, block->stiffness, block->damping,
                      INFINITY, block->impulse + r);
        }
        return;
    }
    float lower, upper;
    tdJoint_GetGaps(block, block->rows[0].error, &lower, &upper);
    if (lower < 0.0f || upper < 0.0f || block->min == block->max)
    {
        AddSpring(source, block->rows, lower < 0.0f ? lower : -upper, 0.0f, block->stiffness, block->damping,
                  INFINITY, block->impulse);
    }
    else
    {
        block->impulse[0] = 0.0f;
    }
}

static void AddBlock(Source* source, tdJointBlock* block)
{
    float lower, upper;
    const tdJointRow* row = block->rows;
    switch (block->law)
    {
    case TD_LAW_LOCK:
        AddLocks(source, block);
        break;
    case TD_LAW_RANGE:
        tdJoint_GetGaps(block, row->error, &lower, &upper);
        AddBound(source, block, lower, 1, block->impulse);
        AddBound(source, block, upper, -1, block->impulse + 1);
        break;
    case TD_LAW_SPRING:
        AddSprings(source, block);
        break;
    default:
        if (row->effective > 0.0f)
        {
            float scale = block->isAcceleration ? 1.0f / row->effective : 1.0f;
            AddSpring(source, row, row->error - block->positionTarget, block->velocityTarget,
                      scale * block->stiffness, scale * block->damping,
                      source->step->subStep * block->maxForce, block->impulse);
        }
        break;
    }
}

static const double* VelocityOf(const tdJointTreeBody* bodies, int body, const double* fixed)
{
    return body >= 0 ? bodies[body].velocity : fixed;
}

/// Velocity of what an edge without child is fastened to.
static void LoadFixed(const tdSolverStep* step, const tdJointTreeEdge* edge, const tdJoint* joint,
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
            LoadFixed(step, edge, joint, fixed);
        }
        Source source = {step,
                         edge,
                         forest->rows,
                         pass,
                         VelocityOf(bodies, edge->child, fixed),
                         VelocityOf(bodies, edge->parent, fixed)};
        edge->rowCount = 0;
        for (int i = 0; i < joint->blockCount; ++i)
        {
            AddBlock(&source, joint->blocks + i);
        }
        // What the world does, it does whatever happens.
        for (int r = 0; edge->child < 0 && r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            row->fixedSpeed = tdDot6(row->child, fixed);
            row->offset += row->fixedSpeed;
        }
    }
}
