// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Direct solver for joint trees (docs/decisions/072-joint-trees.md): all rows of all joints at once, in
// linear time.
//
// Bodies have inverse masses W (6 x 6) and velocities v; an edge has rows Jc on its child, Jp on its parent:
//   Jc vc + Jp vp + offset + compliance L = 0,   vc += W Jc^T L,  vp += W Jp^T L.
// Edges are eliminated from the leaves. With W and v of the child including its subtree,
//   S = Jc Wc Jc^T + Jp Wp Jp^T + compliance,   L0 = -S^-1 (Jc vc + Jp vp + offset)
// and the parent including this subtree has
//   Wp' = Wp - Wp Jp^T S^-1 Jp Wp,   vp' = vp + Wp Jp^T L0.
// Back substitution runs from the root: with P the impulse of the later edges on the parent, L = L0 - S^-1 Jp
// Wp P. Inverse masses may be zero, partly or entirely, because only S is inverted. The computation is in
// double precision: the difference in Wp' cancels by the mass ratio.
//
// Joints that close loops form a border: with v* the velocities without them and R the velocities of the tree
// per unit impulse on their rows, (J R + compliance) L = -(J v* + offset).
//
// Springs and drives are rows with their own compliance and therefore implicit in the masses of the whole
// tree. Bounds (one-sided limits, maximum forces of drives) are found by pivoting: rows at a bound have a
// fixed impulse, all other rows satisfy their equation, until no row changes its state.
#include "physics/joint/joint_tree.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_rows.h"
#include "physics/joint/joint_solve.h"
#include "physics/joint/joint_tree_bodies.h"
#include "physics/joint/joint_tree_rows.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

/// A row at a bound becomes free when its equation is violated by more than this, in m/s or rad/s.
#define RELEASE_SPEED 1.0e-6
/// Rounds of pivoting: in the first ones all rows pivot together, then one row at a time, which always
/// terminates.
#define MAX_JOINT_PIVOT_ROUNDS 4
#define MAX_PIVOT_ROUNDS 24
/// Work that the rigid rows of a tree may return after having absorbed it, relative to the kinetic energy of
/// the tree (docs/decisions/073-joint-energy.md).
#define WORK_CREDIT 0.01

static void MulAdd6(double* x, double s, const double* y)
{
    for (int i = 0; i < 6; ++i)
    {
        x[i] += s * y[i];
    }
}

/// x += W y, with W the inverse mass of the body alone.
static void AddResponse(const tdJointTreeBody* body, double* x, const double* y)
{
    const double* m = body->invInertia;
    x[0] += body->invMass * y[0];
    x[1] += body->invMass * y[1];
    x[2] += body->invMass * y[2];
    x[3] += m[0] * y[3] + m[3] * y[4] + m[4] * y[5];
    x[4] += m[3] * y[3] + m[1] * y[4] + m[5] * y[5];
    x[5] += m[4] * y[3] + m[5] * y[4] + m[2] * y[5];
}

/// Adds an impulse on a row that is at a bound or closes a loop.
static void AddGivenImpulse(const tdJointTreeEdge* edge, tdJointTreeBody* bodies, const tdJointTreeRow* row,
                            double impulse)
{
    MulAdd6(bodies[edge->parent].given, impulse, row->parent);
    if (edge->child >= 0)
    {
        MulAdd6(bodies[edge->child].given, impulse, row->child);
    }
}

/// Resets the bodies and applies the impulses of the rows at their bounds.
static void BeginRound(const tdJointForest* forest, const tdJointTree* tree, tdJointTreeBody* bodies)
{
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdJointTreeBody* body = bodies + i;
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
    for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            if (row->state != TD_ROW_FREE)
            {
                row->change = (row->state == TD_ROW_LOW ? row->low : row->high) - row->before;
                AddGivenImpulse(edge, bodies, row, row->change);
            }
        }
    }
}

/// Factors S = L D L^T in place: the lower triangle by rows, 1 / D on the diagonal.
static void FactorMatrix(double* s, int count)
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

static int CollectFreeRows(const tdJointForest* forest, const tdJointTreeEdge* edge, tdJointTreeRow** rows)
{
    int count = 0;
    for (int r = 0; r < edge->rowCount; ++r)
    {
        tdJointTreeRow* row = forest->rows + edge->firstRow + r;
        if (row->state == TD_ROW_FREE)
        {
            rows[count] = row;
            count += 1;
        }
    }
    return count;
}

/// Eliminates the child of an edge: adds its subtree to the inverse mass of the parent.
static void EliminateEdge(const tdJointForest* forest, const tdJointTreeEdge* edge, tdJointTreeBody* bodies)
{
    tdJointTreeRow* rows[TD_MAX_EDGE_ROWS];
    double* s = forest->factors + edge->firstFactor;
    int count = CollectFreeRows(forest, edge, rows);
    tdJointTreeBody* parent = bodies + edge->parent;
    const tdJointTreeBody* child = edge->child >= 0 ? bodies + edge->child : NULL;
    for (int r = 0; r < count; ++r)
    {
        double onChild[6] = {0.0};
        for (int i = 0; i < 6; ++i)
        {
            rows[r]->onParent[i] = tdDot6(parent->spread[i], rows[r]->parent);
            onChild[i] = child != NULL ? tdDot6(child->spread[i], rows[r]->child) : 0.0;
        }
        double* line = s + r * (r + 1) / 2;
        for (int k = 0; k <= r; ++k)
        {
            line[k] = tdDot6(rows[k]->parent, rows[r]->onParent) + tdDot6(rows[k]->child, onChild);
        }
        line[r] += rows[r]->compliance;
    }
    FactorMatrix(s, count);
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

/// Eliminates the child of an edge: adds the response of its subtree to the velocity of the parent.
static void EliminateEdgeVelocity(const tdJointForest* forest, const tdJointTreeEdge* edge,
                                  tdJointTreeBody* bodies, bool hasOffset)
{
    tdJointTreeRow* rows[TD_MAX_EDGE_ROWS];
    double x[TD_MAX_EDGE_ROWS] = {0.0};
    int count = CollectFreeRows(forest, edge, rows);
    tdJointTreeBody* parent = bodies + edge->parent;
    const tdJointTreeBody* child = edge->child >= 0 ? bodies + edge->child : NULL;
    for (int r = 0; r < count; ++r)
    {
        x[r] = -(tdDot6(rows[r]->parent, parent->mean) + (hasOffset ? rows[r]->offset : 0.0));
        x[r] -= child != NULL ? tdDot6(rows[r]->child, child->mean) : 0.0;
    }
    SolveFactored(forest->factors + edge->firstFactor, count, x);
    for (int r = 0; r < count; ++r)
    {
        rows[r]->estimate = x[r];
        MulAdd6(parent->mean, x[r], rows[r]->onParent);
    }
}

/// Computes the impulses of an edge from those of all later edges.
static void BackSubstitute(const tdJointForest* forest, const tdJointTreeEdge* edge, tdJointTreeBody* bodies)
{
    tdJointTreeRow* rows[TD_MAX_EDGE_ROWS];
    int count = CollectFreeRows(forest, edge, rows);
    double* parent = bodies[edge->parent].impulse;
    for (int r = 0; r < count; ++r)
    {
        rows[r]->change = rows[r]->estimate - tdDot6(rows[r]->answer, parent);
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

/// Velocities of the tree after the given impulses.
/// @param isResponse true: starts from rest and without offsets; false: from the velocities of the pass
static void PropagateImpulses(const tdJointForest* forest, const tdJointTree* tree, tdJointTreeBody* bodies,
                              bool isResponse)
{
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdJointTreeBody* body = bodies + i;
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
        EliminateEdgeVelocity(forest, forest->edges + tree->firstEdge + e, bodies, !isResponse);
    }
    for (int e = tree->edgeCount - 1; e >= 0; --e)
    {
        BackSubstitute(forest, forest->edges + tree->firstEdge + e, bodies);
    }
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdJointTreeBody* body = bodies + i;
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

static double GetResultSpeed(const tdJointTreeEdge* edge, const tdJointTreeBody* bodies,
                             const tdJointTreeRow* row)
{
    double speed = tdDot6(row->parent, bodies[edge->parent].result);
    return edge->child >= 0 ? speed + tdDot6(row->child, bodies[edge->child].result) : speed;
}

/// Computes and applies the impulses of the free rows of joints that close loops.
static void CloseLoops(const tdJointForest* forest, const tdJointTree* tree, tdJointTreeBody* bodies)
{
    tdJointTreeRow* rows[TD_MAX_LOOP_ROWS];
    const tdJointTreeEdge* edges[TD_MAX_LOOP_ROWS];
    double matrix[TD_MAX_LOOP_ROWS * (TD_MAX_LOOP_ROWS + 1) / 2] = {0.0}, x[TD_MAX_LOOP_ROWS] = {0.0};
    int count = 0;
    for (int e = 0; e < tree->loopCount; ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + tree->edgeCount + e;
        int added = CollectFreeRows(forest, edge, rows + count);
        for (int r = 0; r < added; ++r)
        {
            edges[count + r] = edge;
        }
        count += added;
    }
    PropagateImpulses(forest, tree, bodies, false);
    for (int r = 0; r < count; ++r)
    {
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): `count` rows and edges were collected
        x[r] = -(GetResultSpeed(edges[r], bodies, rows[r]) + rows[r]->offset);
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
        AddGivenImpulse(edges[r], bodies, rows[r], 1.0);
        PropagateImpulses(forest, tree, bodies, true);
        for (int k = 0; k <= r; ++k)
        {
            matrix[r * (r + 1) / 2 + k] = GetResultSpeed(edges[k], bodies, rows[k]);
        }
        matrix[r * (r + 1) / 2 + r] += rows[r]->compliance;
    }
    FactorMatrix(matrix, count);
    SolveFactored(matrix, count, x);
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        memcpy(bodies[i].given, bodies[i].kept, sizeof(bodies[i].given));
    }
    for (int r = 0; r < count; ++r)
    {
        rows[r]->change = x[r];
        AddGivenImpulse(edges[r], bodies, rows[r], x[r]);
    }
}

static void SolveRound(const tdJointForest* forest, const tdJointTree* tree, tdJointTreeBody* bodies)
{
    BeginRound(forest, tree, bodies);
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        EliminateEdge(forest, forest->edges + tree->firstEdge + e, bodies);
    }
    if (tree->loopCount > 0)
    {
        CloseLoops(forest, tree, bodies);
    }
    PropagateImpulses(forest, tree, bodies, false);
}

/// State of a row after a round.
static int ChooseState(const tdJointTreeEdge* edge, const tdJointTreeBody* bodies, const tdJointTreeRow* row)
{
    if (row->state == TD_ROW_FREE)
    {
        double sum = row->before + row->change;
        return sum < row->low ? TD_ROW_LOW : (sum > row->high ? TD_ROW_HIGH : TD_ROW_FREE);
    }
    double rest = GetResultSpeed(edge, bodies, row) + row->offset + row->compliance * row->change;
    bool staysLow = row->state == TD_ROW_LOW && rest >= -RELEASE_SPEED;
    bool staysHigh = row->state == TD_ROW_HIGH && rest <= RELEASE_SPEED;
    return staysLow || staysHigh ? row->state : TD_ROW_FREE;
}

/// Moves rows that violate their bounds or release to their new state.
/// @return true if a row has changed its state
static bool PivotRows(const tdJointForest* forest, const tdJointTree* tree, const tdJointTreeBody* bodies,
                      bool isOneAtATime)
{
    bool isChanged = false;
    for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = forest->rows + edge->firstRow + r;
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

static void FindImpulses(const tdJointForest* forest, const tdJointTree* tree, tdJointTreeBody* bodies)
{
    for (int round = 0; round < MAX_PIVOT_ROUNDS; ++round)
    {
        SolveRound(forest, tree, bodies);
        if (!PivotRows(forest, tree, bodies, round >= MAX_JOINT_PIVOT_ROUNDS))
        {
            break;
        }
    }
}

// Work (docs/decisions/073-joint-energy.md). Ideal rigid rows do no work, and bounds absorb energy. The
// result of solve and relax deviates from that: position correction adds velocity along the rows of one pose
// and removes it along those of the next, and light links under tension respond with more than their inertia.
// Where the rows of a loop are nearly dependent a small correction is a large velocity, and where the
// direction of a row jumps the velocity is not removed. Therefore the work of the rigid rows of a tree is
// summed, and when it becomes positive the velocities move towards those of a pure projection,
//   v = v0 + W J^T L,  J v = 0 (bounds: >= 0, L >= 0):  work L J (v0 + v) / 2 = -(J v0)^T L / 2 ... <= 0,
// as far as needed. Both ends satisfy the rows of the pose, hence every velocity between them does.

/// Work of all rigid rows in a pass, in joules.
static double SumRigidWork(const tdJointForest* forest, const tdJointTree* tree,
                           const tdJointTreeBody* bodies)
{
    double work = tdJointTree_GetEnergyGain(tree, bodies);
    for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            if (row->isSoft)
            {
                double after = GetResultSpeed(edge, bodies, row);
                double before = tdDot6(row->parent, bodies[edge->parent].velocity);
                before += edge->child >= 0 ? tdDot6(row->child, bodies[edge->child].velocity) : 0.0;
                work -= 0.5 * row->change * (before + after);
            }
            else
            {
                work += row->change * row->fixedSpeed;
            }
        }
    }
    return work;
}

static void StoreImpulses(const tdJointForest* forest, const tdJointTree* tree)
{
    for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            *row->impulse = (float)(row->before + row->change);
        }
    }
}

/// Bounds the work of the relax pass: blends its result with the projection.
static void BoundWork(const tdSolverStep* step, tdJointTree* tree, double workBefore)
{
    tdJointForest* forest = &step->world->joints->forest;
    tdJointTreeBody* bodies = forest->bodies + tree->firstBody;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        memcpy(bodies[i].eager, bodies[i].result, sizeof(bodies[i].eager));
    }
    tdJointTree_LoadBodies(step, bodies, tree->bodyCount);
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        MulAdd6(bodies[i].velocity, -1.0, bodies[i].gain);
    }
    tdJointTree_GatherRows(step, tree, TD_JOINT_TREE_PROJECT);
    FindImpulses(forest, tree, bodies);
    double least = workBefore + SumRigidWork(forest, tree, bodies);
    // The energy is convex along the blend, so it stays below the line between both ends.
    double share = least < 0.0 ? least / (least - tree->work) : 0.0;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            bodies[i].result[k] += share * (bodies[i].eager[k] - bodies[i].result[k]);
        }
    }
    for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
    {
        const tdJointTreeEdge* edge = forest->edges + tree->firstEdge + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = forest->rows + edge->firstRow + r;
            row->change += share * ((double)*row->impulse - row->change);
        }
    }
    tree->work = 0.0;
}

static void SolveTree(const tdSolverStep* step, tdJointTree* tree, tdJointTreePass pass)
{
    tdJointForest* forest = &step->world->joints->forest;
    tdJointTreeBody* bodies = forest->bodies + tree->firstBody;
    tdJointTree_LoadBodies(step, bodies, tree->bodyCount);
    tdJointTree_StiffenBodies(step, tree, bodies);
    tdJointTree_GatherRows(step, tree, pass);
    FindImpulses(forest, tree, bodies);
    StoreImpulses(forest, tree);
    double workBefore = tree->workBefore;
    tree->work += SumRigidWork(forest, tree, bodies);
    if (pass == TD_JOINT_TREE_SOLVE)
    {
        for (int i = 0; i < tree->bodyCount; ++i)
        {
            memcpy(bodies[i].gain, bodies[i].result, sizeof(bodies[i].gain));
            MulAdd6(bodies[i].gain, -1.0, bodies[i].velocity);
        }
    }
    else
    {
        if (tree->work > 0.0)
        {
            BoundWork(step, tree, workBefore);
            StoreImpulses(forest, tree);
        }
        double energy = 0.0;
        for (int i = 0; i < tree->bodyCount; ++i)
        {
            energy += bodies[i].energy;
        }
        double credit = -WORK_CREDIT * energy;
        tree->workBefore = tree->work = tree->work > credit ? tree->work : credit;
    }
    tdJointTree_StoreBodies(step, bodies, tree->bodyCount);
}

// Passes.

void tdJointForest_Prepare(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->joints;
    for (int t = start; t < end; ++t)
    {
        tdJointTree* tree = set->forest.trees + set->forest.active[t];
        tree->work = tree->workBefore = set->joints.data[set->forest.edges[tree->firstEdge].joint].work;
        for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
        {
            tdJoint_Prepare(step, set->joints.data + set->forest.edges[tree->firstEdge + e].joint);
        }
    }
}

void tdJointForest_Solve(const tdSolverStep* step, int start, int end)
{
    const tdJointForest* forest = &step->world->joints->forest;
    for (int t = start; t < end; ++t)
    {
        SolveTree(step, forest->trees + forest->active[t], TD_JOINT_TREE_SOLVE);
    }
}

void tdJointForest_Relax(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->joints;
    for (int t = start; t < end; ++t)
    {
        tdJointTree* tree = set->forest.trees + set->forest.active[t];
        const tdJointTreeEdge* edges = set->forest.edges + tree->firstEdge;
        tdJointPose pose;
        for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
        {
            tdJoint_BeginRelax(step, set->joints.data + edges[e].joint, &pose);
        }
        SolveTree(step, tree, TD_JOINT_TREE_RELAX);
        for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
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
    tdJointSet* set = step->world->joints;
    for (int t = start; t < end; ++t)
    {
        const tdJointTree* tree = set->forest.trees + set->forest.active[t];
        for (int e = 0; e < tdJointTree_CountEdges(tree); ++e)
        {
            tdJoint* joint = set->joints.data + set->forest.edges[tree->firstEdge + e].joint;
            joint->work = e == 0 ? tree->work : 0.0;
            tdJoint_Store(step, joint);
        }
    }
}
