// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The direct solution of a tree of joints: all rows of all its joints at once, in time proportional to their
// number.
//
// Bodies have inverse masses W (6 x 6) and velocities v; an edge has rows Jc on its child, Jp on its parent:
//   Jc vc + Jp vp + offset + compliance L = 0,   vc += W Jc^T L,  vp += W Jp^T L.
// Edges are eliminated from the leaves. With W, v of the child standing for its whole subtree,
//   S = Jc Wc Jc^T + Jp Wp Jp^T + compliance,   L0 = -S^-1 (Jc vc + Jp vp + offset)
// and the parent with this subtree on it is a body with
//   Wp' = Wp - Wp Jp^T S^-1 Jp Wp,   vp' = vp + Wp Jp^T L0.
// Back from the root: if the later edges give the parent the impulse P, L = L0 - S^-1 Jp Wp P. Inverse masses
// may be zero, in part or as a whole: nothing but S is inverted. That is done in double precision, because
// the difference in Wp' cancels by the ratio of the masses.
//
// Joints that close loops are a border: with v* the velocities without them and R those that unit impulses on
// their rows give to the tree, (J R + compliance) L = -(J v* + offset).
//
// Springs and drives are rows of their own with their compliance, implicit in everything that hangs on them.
// Bounds (limits push only, drives saturate) are found by pivoting: rows at a bound give their impulse
// beforehand, the others hold their equation, until no row wants to change sides.
#include "joint_tree.h"

#include "joint_rows.h"
#include "solver_data.h"
#include "world.h"

#include <math.h>
#include <string.h>

/// Softness of hard rows, as a share of their own inverse mass: shares the load among rows that say the same
/// (two hinges of a door, a closed mechanism), and is a thousand times stiffer than the iteration's.
#define HARD_COMPLIANCE 1.0e-4
/// A row at a bound comes free when its equation fails by more, m/s or rad/s.
#define RELEASE_SPEED 1.0e-6
/// Fastest correction of a bound, m/s or rad/s: less than the iteration's, because a tree carries it out.
#define MAX_BOUND_CORRECTION 1.0f
/// Rounds of pivoting: first all rows that want to, then one at a time, which always ends.
#define ROUNDS_AT_ONCE 4
#define ROUNDS 24

static double Dot6(const double* a, const double* b)
{
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

static void MulAdd6(double* x, double s, const double* y)
{
    for (int i = 0; i < 6; ++i)
    {
        x[i] += s * y[i];
    }
}

static int CountEdges(const tdJointTree* tree)
{
    return tree->edgeCount + tree->loopCount;
}

/// x += W y, W of the body alone.
static void AddResponse(const tdTreeBody* body, double* x, const double* y)
{
    const double* m = body->invInertia;
    x[0] += body->invMass * y[0];
    x[1] += body->invMass * y[1];
    x[2] += body->invMass * y[2];
    x[3] += m[0] * y[3] + m[3] * y[4] + m[4] * y[5];
    x[4] += m[3] * y[3] + m[1] * y[4] + m[5] * y[5];
    x[5] += m[4] * y[3] + m[5] * y[4] + m[2] * y[5];
}

static void LoadBodies(const tdSolverStep* step, tdTreeBody* bodies, int count)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        tdTreeBody* body = bodies + i;
        const tdBodyState* state = states + body->slot;
        tdVec3 v = state->linearVelocity, w = state->angularVelocity;
        const double velocity[6] = {(double)v.x, (double)v.y, (double)v.z,
                                    (double)w.x, (double)w.y, (double)w.z};
        memcpy(body->velocity, velocity, sizeof(velocity));
        body->invMass = 0.0;
        memset(body->stiffness, 0, sizeof(body->stiffness));
        memset(body->invInertia, 0, sizeof(body->invInertia));
        if (body->slot > 0)
        {
            const tdBodySim* sim = step->sims + body->slot;
            tdSym3 m = tdTurnSym3(state->deltaRotation, &sim->invInertia);
            body->invMass = (double)sim->invMass;
            const double inertia[6] = {(double)m.xx, (double)m.yy, (double)m.zz,
                                       (double)m.xy, (double)m.xz, (double)m.yz};
            memcpy(body->invInertia, inertia, sizeof(inertia));
        }
    }
}

// Geometric stiffness. A force f at the arm r of a body turns it back with the stiffness f.r about the axes
// across the arm. The force follows from the last sub-step, so this spring is explicit, and light links under
// a heavy load would swing faster than a sub-step can follow: with G the sum of f.r (1 - r r^T / r^2), about
// sqrt(G / I). Where that is more than one radian per sub-step the body answers the joints with the inertia
// I + c h^2 G that slows the swing to one radian, c = 1 - 1 / g, g = h^2 G / I. What hangs on such a link has
// many times that inertia, so the tree as a whole moves as before.

/// Add h^2 G of an end of a joint, from the impulse p = h f.
static void AddTension(double (*stiffness)[3], tdVec3 p, tdVec3 r, float h)
{
    double along = (double)h * (double)tdDot(p, r), square = (double)tdDot(r, r);
    if (!(along > 0.0) || !(square > 0.0))
    {
        return;
    }
    const double arm[3] = {(double)r.x, (double)r.y, (double)r.z};
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            stiffness[i][j] += along * ((i == j ? 1.0 : 0.0) - arm[i] * arm[j] / square);
        }
    }
}

/// Force of a joint as the impulse of the last sub-step.
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

/// W = W (1 + c S W)^-1 with S = h^2 G.
static void StiffenBody(tdTreeBody* body)
{
    const double* m = body->invInertia;
    const double w[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    double b[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            const double* s = body->stiffness[i];
            b[i][j] = s[0] * w[0][j] + s[1] * w[1][j] + s[2] * w[2][j];
        }
    }
    // About the two axes across the arm.
    double g = 0.5 * (b[0][0] + b[1][1] + b[2][2]);
    if (!(g > 1.0))
    {
        return;
    }
    double c = 1.0 - 1.0 / g;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            b[i][j] = c * b[i][j] + (i == j ? 1.0 : 0.0);
        }
    }
    double inverse[3][3];
    for (int i = 0; i < 3; ++i)
    {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j)
        {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            inverse[j][i] = b[i1][j1] * b[i2][j2] - b[i1][j2] * b[i2][j1];
        }
    }
    double determinant = b[0][0] * inverse[0][0] + b[0][1] * inverse[1][0] + b[0][2] * inverse[2][0];
    double full[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double sum = w[i][0] * inverse[0][j] + w[i][1] * inverse[1][j] + w[i][2] * inverse[2][j];
            full[i][j] = sum / determinant;
        }
    }
    const double symmetric[6] = {full[0][0],
                                 full[1][1],
                                 full[2][2],
                                 0.5 * (full[0][1] + full[1][0]),
                                 0.5 * (full[0][2] + full[2][0]),
                                 0.5 * (full[1][2] + full[2][1])};
    memcpy(body->invInertia, symmetric, sizeof(symmetric));
}

static void StiffenBodies(const tdSolverStep* step, const tdJointTree* tree, tdTreeBody* bodies)
{
    const tdJointSet* set = step->world->solver->joints;
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    for (int e = 0; e < CountEdges(tree); ++e)
    {
        const tdTreeEdge* edge = set->forest.edges + tree->firstEdge + e;
        const tdJoint* joint = set->joints.data + edge->joint;
        int bodyA = edge->isChildA ? edge->child : edge->parent;
        int bodyB = edge->isChildA ? edge->parent : edge->child;
        tdVec3 impulse = SumImpulse(joint);
        if (bodyA >= 0)
        {
            tdVec3 arm = tdRotate(states[joint->slotA].deltaRotation, joint->armA);
            AddTension(bodies[bodyA].stiffness, tdNegate(impulse), arm, step->subStep);
        }
        if (bodyB >= 0)
        {
            tdVec3 arm = tdRotate(states[joint->slotB].deltaRotation, joint->armB);
            AddTension(bodies[bodyB].stiffness, impulse, arm, step->subStep);
        }
    }
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        StiffenBody(bodies + i);
    }
}

static void StoreBodies(const tdSolverStep* step, const tdTreeBody* bodies, int count)
{
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    for (int i = 0; i < count; ++i)
    {
        const tdTreeBody* body = bodies + i;
        if (body->slot > 0)
        {
            const double* v = body->result;
            states[body->slot].linearVelocity = (tdVec3){(float)v[0], (float)v[1], (float)v[2]};
            states[body->slot].angularVelocity = (tdVec3){(float)v[3], (float)v[4], (float)v[5]};
        }
    }
}

// Rows.

/// What the rows of an edge are made from.
typedef struct Source
{
    const tdSolverStep* step;
    tdTreeEdge* edge;
    tdTreeRow* rows;
    bool isRelax;
    const double *childVelocity, *parentVelocity;
} Source;

/// Add a row: the equation speed + bias + compliance * impulse = 0 times `sign`.
static tdTreeRow* AddRow(Source* source, const tdJointRow* from, int sign, float* impulse)
{
    tdTreeRow* row = source->rows + source->edge->firstRow + source->edge->rowCount;
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
    row->before = source->isRelax ? (double)*impulse : 0.0;
    row->low = -(double)INFINITY;
    row->high = (double)INFINITY;
    row->offset = 0.0;
    row->compliance = HARD_COMPLIANCE * (double)from->k;
    row->change = 0.0;
    row->state = TD_ROW_FREE;
    return row;
}

static double RowSpeed(const Source* source, const tdTreeRow* row)
{
    return Dot6(row->child, source->childVelocity) + Dot6(row->parent, source->parentVelocity);
}

static void AddLocks(Source* source, tdJointBlock* block)
{
    float correction[3] = {0.0f, 0.0f, 0.0f};
    if (!source->isRelax)
    {
        tdJoint_AddCorrection(source->step, block, correction);
    }
    for (int r = 0; r < block->rowCount; ++r)
    {
        if (block->rows[r].k > 0.0f)
        {
            AddRow(source, block->rows + r, 1, block->impulse + r)->offset = (double)correction[r];
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
    tdTreeRow* row = AddRow(source, from, sign, impulse);
    if (gap > 0.0f)
    {
        row->offset = (double)(gap * source->step->invSubStep);
    }
    else if (!source->isRelax)
    {
        float speed = source->step->jointSoftness.biasRate * gap;
        row->offset = (double)tdMaxFloat(speed, -MAX_BOUND_CORRECTION);
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
    tdTreeRow* row = AddRow(source, from, 1, impulse);
    // L = -(h k x - h d u) - h c v, solved for v. A spring too weak to have an implicit share gets a trace.
    double hc = (double)h * (double)tdMaxFloat(c, 1.0e-12f);
    row->compliance = 1.0 / hc;
    row->offset = (double)h * ((double)stiffness * (double)x - (double)damping * (double)velocity) / hc +
                  row->compliance * row->before;
    row->low = -(double)limit;
    row->high = (double)limit;
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

static const double* VelocityOf(const tdTreeBody* bodies, int body, const double* fixed)
{
    return body >= 0 ? bodies[body].velocity : fixed;
}

/// Velocity of what an edge without child is fastened to.
static void LoadFixed(const tdSolverStep* step, const tdTreeEdge* edge, const tdJoint* joint, double* fixed)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState* state = states + (edge->isChildA ? joint->slotA : joint->slotB);
    tdVec3 v = state->linearVelocity, w = state->angularVelocity;
    const double velocity[6] = {(double)v.x, (double)v.y, (double)v.z, (double)w.x, (double)w.y, (double)w.z};
    memcpy(fixed, velocity, sizeof(velocity));
}

static void GatherRows(const tdSolverStep* step, const tdJointTree* tree, bool isRelax)
{
    tdJointSet* set = step->world->solver->joints;
    tdJointForest* forest = &set->forest;
    tdTreeBody* bodies = forest->bodies + tree->firstBody;
    for (int e = 0; e < CountEdges(tree); ++e)
    {
        tdTreeEdge* edge = forest->edges + tree->firstEdge + e;
        tdJoint* joint = set->joints.data + edge->joint;
        double fixed[6] = {0.0};
        if (edge->child < 0)
        {
            LoadFixed(step, edge, joint, fixed);
        }
        Source source = {step,
                         edge,
                         forest->rows,
                         isRelax,
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
            tdTreeRow* row = forest->rows + edge->firstRow + r;
            row->offset += Dot6(row->child, fixed);
        }
    }
}

// Elimination.

/// An impulse on a row that is not part of the tree's equations.
static void Give(const tdTreeEdge* edge, tdTreeBody* bodies, const tdTreeRow* row, double impulse)
{
    MulAdd6(bodies[edge->parent].given, impulse, row->parent);
    if (edge->child >= 0)
    {
        MulAdd6(bodies[edge->child].given, impulse, row->child);
    }
}

/// Impulses of rows at their bounds, and the bodies as they are with nothing on them.
static void BeginRound(const tdJointForest* forest, const tdJointTree* tree, tdTreeBody* bodies)
{
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdTreeBody* body = bodies + i;
        memset(body->given, 0, sizeof(body->given));
        memset(body->spread, 0, sizeof(body->spread));
        const double* m = body->invInertia;
        for (int k = 0; k < 3; ++k)
        {
            body->spread[k][k] = body->invMass;
            body->spread[3 + k][3 + k] = m[k];
        }
        body->spread[3][4] = body->spread[4][3] = m[3];
        body->spread[3][5] = body->spread[5][3] = m[4];
        body->spread[4][5] = body->spread[5][4] = m[5];
    }
    for (int e = 0; e < CountEdges(tree); ++e)
    {
        const tdTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdTreeRow* row = forest->rows + edge->firstRow + r;
            if (row->state != TD_ROW_FREE)
            {
                row->change = (row->state == TD_ROW_LOW ? row->low : row->high) - row->before;
                Give(edge, bodies, row, row->change);
            }
        }
    }
}

/// S = L D L^T in place, the lower triangle by rows, 1 / D on the diagonal.
static void Factor(double* s, int count)
{
    double pivots[TD_MAX_LOOP_ROWS];
    for (int i = 0; i < count; ++i)
    {
        double* row = s + i * (i + 1) / 2;
        for (int j = 0; j <= i; ++j)
        {
            const double* other = s + j * (j + 1) / 2;
            double sum = row[j];
            for (int k = 0; k < j; ++k)
            {
                sum -= row[k] * other[k] * pivots[k];
            }
            row[j] = j < i ? sum * other[j] : sum;
        }
        pivots[i] = row[i];
        row[i] = row[i] > 0.0 ? 1.0 / row[i] : 0.0;
    }
}

static void SolveFactored(const double* s, int count, double* x)
{
    for (int i = 0; i < count; ++i)
    {
        const double* row = s + i * (i + 1) / 2;
        for (int k = 0; k < i; ++k)
        {
            x[i] -= row[k] * x[k];
        }
    }
    for (int i = count - 1; i >= 0; --i)
    {
        x[i] *= s[i * (i + 1) / 2 + i];
        for (int k = i + 1; k < count; ++k)
        {
            x[i] -= s[k * (k + 1) / 2 + i] * x[k];
        }
    }
}

static int FreeRows(const tdJointForest* forest, const tdTreeEdge* edge, tdTreeRow** rows)
{
    int count = 0;
    for (int r = 0; r < edge->rowCount; ++r)
    {
        tdTreeRow* row = forest->rows + edge->firstRow + r;
        if (row->state == TD_ROW_FREE)
        {
            rows[count] = row;
            count += 1;
        }
    }
    return count;
}

/// Put the subtree of the edge's child onto its parent: masses.
static void Eliminate(const tdJointForest* forest, const tdTreeEdge* edge, tdTreeBody* bodies)
{
    tdTreeRow* rows[TD_MAX_EDGE_ROWS];
    double* s = forest->factors + edge->firstFactor;
    int count = FreeRows(forest, edge, rows);
    tdTreeBody* parent = bodies + edge->parent;
    const tdTreeBody* child = edge->child >= 0 ? bodies + edge->child : NULL;
    for (int r = 0; r < count; ++r)
    {
        double onChild[6] = {0.0};
        for (int i = 0; i < 6; ++i)
        {
            rows[r]->onParent[i] = Dot6(parent->spread[i], rows[r]->parent);
            onChild[i] = child != NULL ? Dot6(child->spread[i], rows[r]->child) : 0.0;
        }
        double* line = s + r * (r + 1) / 2;
        for (int k = 0; k <= r; ++k)
        {
            line[k] = Dot6(rows[k]->parent, rows[r]->onParent) + Dot6(rows[k]->child, onChild);
        }
        line[r] += rows[r]->compliance;
    }
    Factor(s, count);
    for (int i = 0; i < 6; ++i)
    {
        double x[TD_MAX_EDGE_ROWS] = {0.0};
        for (int r = 0; r < count; ++r)
        {
            x[r] = rows[r]->onParent[i];
        }
        SolveFactored(s, count, x);
        for (int r = 0; r < count; ++r)
        {
            rows[r]->answer[i] = x[r];
        }
    }
    for (int i = 0; i < 6; ++i)
    {
        for (int j = 0; j <= i; ++j)
        {
            double sum = 0.0;
            for (int r = 0; r < count; ++r)
            {
                sum += rows[r]->onParent[i] * rows[r]->answer[j];
            }
            parent->spread[i][j] -= sum;
            parent->spread[j][i] = parent->spread[i][j];
        }
    }
}

/// The same for velocities.
static void Advance(const tdJointForest* forest, const tdTreeEdge* edge, tdTreeBody* bodies, bool hasOffset)
{
    tdTreeRow* rows[TD_MAX_EDGE_ROWS];
    double x[TD_MAX_EDGE_ROWS] = {0.0};
    int count = FreeRows(forest, edge, rows);
    tdTreeBody* parent = bodies + edge->parent;
    const tdTreeBody* child = edge->child >= 0 ? bodies + edge->child : NULL;
    for (int r = 0; r < count; ++r)
    {
        x[r] = -(Dot6(rows[r]->parent, parent->mean) + (hasOffset ? rows[r]->offset : 0.0));
        x[r] -= child != NULL ? Dot6(rows[r]->child, child->mean) : 0.0;
    }
    SolveFactored(forest->factors + edge->firstFactor, count, x);
    for (int r = 0; r < count; ++r)
    {
        rows[r]->estimate = x[r];
        MulAdd6(parent->mean, x[r], rows[r]->onParent);
    }
}

/// The impulses of an edge once all later ones are known.
static void Substitute(const tdJointForest* forest, const tdTreeEdge* edge, tdTreeBody* bodies)
{
    tdTreeRow* rows[TD_MAX_EDGE_ROWS];
    int count = FreeRows(forest, edge, rows);
    double* parent = bodies[edge->parent].impulse;
    for (int r = 0; r < count; ++r)
    {
        rows[r]->change = rows[r]->estimate - Dot6(rows[r]->answer, parent);
    }
    for (int r = 0; r < count; ++r)
    {
        MulAdd6(parent, rows[r]->change, rows[r]->parent);
        if (edge->child >= 0)
        {
            MulAdd6(bodies[edge->child].impulse, rows[r]->change, rows[r]->child);
        }
    }
}

/// Velocities that the given impulses leave in the tree, from rest or from the velocities of the pass.
static void Propagate(const tdJointForest* forest, const tdJointTree* tree, tdTreeBody* bodies,
                      bool isResponse)
{
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdTreeBody* body = bodies + i;
        memset(body->impulse, 0, sizeof(body->impulse));
        memset(body->mean, 0, sizeof(body->mean));
        if (!isResponse)
        {
            memcpy(body->mean, body->velocity, sizeof(body->mean));
        }
        AddResponse(body, body->mean, body->given);
    }
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        Advance(forest, forest->edges + tree->firstEdge + e, bodies, !isResponse);
    }
    for (int e = tree->edgeCount - 1; e >= 0; --e)
    {
        Substitute(forest, forest->edges + tree->firstEdge + e, bodies);
    }
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdTreeBody* body = bodies + i;
        double sum[6];
        memset(body->result, 0, sizeof(body->result));
        if (!isResponse)
        {
            memcpy(body->result, body->velocity, sizeof(body->result));
        }
        memcpy(sum, body->given, sizeof(sum));
        MulAdd6(sum, 1.0, body->impulse);
        AddResponse(body, body->result, sum);
    }
}

static double ResultSpeed(const tdTreeEdge* edge, const tdTreeBody* bodies, const tdTreeRow* row)
{
    double speed = Dot6(row->parent, bodies[edge->parent].result);
    return edge->child >= 0 ? speed + Dot6(row->child, bodies[edge->child].result) : speed;
}

/// Impulses of the free rows of joints that close loops, given to the bodies.
static void CloseLoops(const tdJointForest* forest, const tdJointTree* tree, tdTreeBody* bodies)
{
    tdTreeRow* rows[TD_MAX_LOOP_ROWS];
    const tdTreeEdge* edges[TD_MAX_LOOP_ROWS];
    double matrix[TD_MAX_LOOP_ROWS * (TD_MAX_LOOP_ROWS + 1) / 2] = {0.0}, x[TD_MAX_LOOP_ROWS] = {0.0};
    int count = 0;
    for (int e = 0; e < tree->loopCount; ++e)
    {
        const tdTreeEdge* edge = forest->edges + tree->firstEdge + tree->edgeCount + e;
        int added = FreeRows(forest, edge, rows + count);
        for (int r = 0; r < added; ++r)
        {
            edges[count + r] = edge;
        }
        count += added;
    }
    Propagate(forest, tree, bodies, false);
    for (int r = 0; r < count; ++r)
    {
        x[r] = -(ResultSpeed(edges[r], bodies, rows[r]) + rows[r]->offset);
    }
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        memcpy(bodies[i].kept, bodies[i].given, sizeof(bodies[i].kept));
    }
    for (int r = 0; r < count; ++r)
    {
        for (int i = 0; i < tree->bodyCount; ++i)
        {
            memset(bodies[i].given, 0, sizeof(bodies[i].given));
        }
        Give(edges[r], bodies, rows[r], 1.0);
        Propagate(forest, tree, bodies, true);
        for (int k = 0; k <= r; ++k)
        {
            matrix[r * (r + 1) / 2 + k] = ResultSpeed(edges[k], bodies, rows[k]);
        }
        matrix[r * (r + 1) / 2 + r] += rows[r]->compliance;
    }
    Factor(matrix, count);
    SolveFactored(matrix, count, x);
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        memcpy(bodies[i].given, bodies[i].kept, sizeof(bodies[i].given));
    }
    for (int r = 0; r < count; ++r)
    {
        rows[r]->change = x[r];
        Give(edges[r], bodies, rows[r], x[r]);
    }
}

static void SolveRound(const tdJointForest* forest, const tdJointTree* tree, tdTreeBody* bodies)
{
    BeginRound(forest, tree, bodies);
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        Eliminate(forest, forest->edges + tree->firstEdge + e, bodies);
    }
    if (tree->loopCount > 0)
    {
        CloseLoops(forest, tree, bodies);
    }
    Propagate(forest, tree, bodies, false);
}

/// The side a row belongs to after a round.
static int ChooseState(const tdTreeEdge* edge, const tdTreeBody* bodies, const tdTreeRow* row)
{
    if (row->state == TD_ROW_FREE)
    {
        double sum = row->before + row->change;
        return sum < row->low ? TD_ROW_LOW : (sum > row->high ? TD_ROW_HIGH : TD_ROW_FREE);
    }
    double rest = ResultSpeed(edge, bodies, row) + row->offset + row->compliance * row->change;
    bool staysLow = row->state == TD_ROW_LOW && rest >= -RELEASE_SPEED;
    bool staysHigh = row->state == TD_ROW_HIGH && rest <= RELEASE_SPEED;
    return staysLow || staysHigh ? row->state : TD_ROW_FREE;
}

/// @return whether some row changed sides
static bool Pivot(const tdJointForest* forest, const tdJointTree* tree, const tdTreeBody* bodies,
                  bool isOneAtATime)
{
    bool isChanged = false;
    for (int e = 0; e < CountEdges(tree); ++e)
    {
        const tdTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdTreeRow* row = forest->rows + edge->firstRow + r;
            if (!isfinite(row->low) && !isfinite(row->high))
            {
                continue;
            }
            int state = ChooseState(edge, bodies, row);
            isChanged |= state != row->state;
            row->state = state;
            if (isChanged && isOneAtATime)
            {
                return true;
            }
        }
    }
    return isChanged;
}

static void SolveTree(const tdSolverStep* step, const tdJointTree* tree, bool isRelax)
{
    tdJointForest* forest = &step->world->solver->joints->forest;
    tdTreeBody* bodies = forest->bodies + tree->firstBody;
    LoadBodies(step, bodies, tree->bodyCount);
    StiffenBodies(step, tree, bodies);
    GatherRows(step, tree, isRelax);
    for (int round = 0; round < ROUNDS; ++round)
    {
        SolveRound(forest, tree, bodies);
        if (!Pivot(forest, tree, bodies, round >= ROUNDS_AT_ONCE))
        {
            break;
        }
    }
    for (int e = 0; e < CountEdges(tree); ++e)
    {
        const tdTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdTreeRow* row = forest->rows + edge->firstRow + r;
            *row->impulse = (float)(row->before + row->change);
        }
    }
    StoreBodies(step, bodies, tree->bodyCount);
}

// Passes.

void tdJointForest_Prepare(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->solver->joints;
    for (int t = start; t < end; ++t)
    {
        const tdJointTree* tree = set->forest.trees + set->forest.active[t];
        for (int e = 0; e < CountEdges(tree); ++e)
        {
            tdJoint_Prepare(step, set->joints.data + set->forest.edges[tree->firstEdge + e].joint);
        }
    }
}

void tdJointForest_Solve(const tdSolverStep* step, int start, int end)
{
    const tdJointForest* forest = &step->world->solver->joints->forest;
    for (int t = start; t < end; ++t)
    {
        SolveTree(step, forest->trees + forest->active[t], false);
    }
}

void tdJointForest_Relax(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->solver->joints;
    for (int t = start; t < end; ++t)
    {
        const tdJointTree* tree = set->forest.trees + set->forest.active[t];
        const tdTreeEdge* edges = set->forest.edges + tree->firstEdge;
        tdJointPose pose;
        for (int e = 0; e < CountEdges(tree); ++e)
        {
            tdJoint_BeginRelax(step, set->joints.data + edges[e].joint, &pose);
        }
        SolveTree(step, tree, true);
        for (int e = 0; e < CountEdges(tree); ++e)
        {
            tdJoint* joint = set->joints.data + edges[e].joint;
            pose = tdJoint_ComputePose(step, joint);
            tdJoint_FactorLocks(joint);
            tdJoint_EndRelax(joint, &pose);
        }
    }
}

void tdJointForest_Store(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->solver->joints;
    for (int t = start; t < end; ++t)
    {
        const tdJointTree* tree = set->forest.trees + set->forest.active[t];
        for (int e = 0; e < CountEdges(tree); ++e)
        {
            tdJoint_Store(step, set->joints.data + set->forest.edges[tree->firstEdge + e].joint);
        }
    }
}
