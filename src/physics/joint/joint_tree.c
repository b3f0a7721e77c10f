// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Direct solver for joint trees (docs/decisions/072-joint-trees.md, 028-joint-nets.md): all rows of all
// joints at once.
//
// Rows J with compliance C change the velocities of bodies with inverse masses W = F F^T by W J^T L, where
//   J v + offset + C L = 0.
// With v = v0 + F z and the scaled rows G = C^-1/2 J F the change z is the solution of
//   (1 + G^T G) z = -G^T C^-1/2 (J v0 + offset),      L = -C^-1 (J v + offset).
// The matrix has a block of 6 x 6 per body and one per pair of joined bodies (joint_matrix.h). It is at least
// the identity, so it is regular for any rows: redundant ones, and bodies with infinite mass or inertia about
// an axis, whose columns of F are zero. The computation is in double precision, because the matrix has a
// condition of about the inverse relative compliance.
//
// Refinement removes the error of the compliance: with r the residual of the rigid rows,
//   z += -(1 + G^T G)^-1 G^T C^-1/2 r,
// which converges to the exact velocities also if rows are redundant or contradict each other; then r is what
// no velocity can satisfy. In the solve pass r is measured along the curved path of the sub-step: the value
// at the predicted pose instead of J v. Thus the rows hold at the end of the sub-step, and solve and relax
// together are the RATTLE integrator of constrained motion (H. C. Andersen, 1983).
//
// Springs and drives are rows with their own compliance and therefore implicit in the masses of the whole
// tree. Rows at a bound (one-sided limits, maximum forces of drives) have a fixed impulse; all other rows
// satisfy their equation.
#include "physics/joint/joint_tree.h"

#include "base/simd_pair.h"
#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_matrix.h"
#include "physics/joint/joint_rows.h"
#include "physics/joint/joint_solve.h"
#include "physics/joint/joint_tree_bodies.h"
#include "physics/joint/joint_tree_rows.h"
#include "physics/solver/kernels.h"

#include <math.h>
#include <string.h>

/// A row changes its state when it violates it by more than this, in m/s or rad/s.
#define RELEASE_SPEED 1.0e-9
/// Rounds of Newton's method, and bisections of its line search.
#define MAX_NEWTON_ROUNDS 40
#define LINE_SEARCH_ROUNDS 20
/// Refinements of a pass, and the residual in m/s or rad/s below which none is needed.
#define MAX_REFINEMENTS 6
#define MIN_RESIDUAL 1.0e-4
/// Share of the sum of squared residuals above which a refinement is not worth having.
#define REFINED_SHARE 0.8
/// Work that the rigid rows of a tree may return after having absorbed it, relative to the kinetic energy of
/// the tree (docs/decisions/073-joint-energy.md).
#define WORK_CREDIT 0.01

/// The data of a tree during a pass.
typedef struct TreePass
{
    const tdSolverStep* step;
    tdJointForest* forest;
    tdJointTree* tree;
    tdJointTreeBody* bodies;
    tdJointTreeEdge* edges;
    tdJointMatrix matrix;
    double* unknowns; // z
} TreePass;

static TreePass BeginTreePass(const tdSolverStep* step, tdJointTree* tree)
{
    tdJointForest* forest = &step->world->joints->forest;
    return (TreePass){step,
                      forest,
                      tree,
                      forest->bodies + tree->firstBody,
                      forest->edges + tree->firstEdge,
                      tdJointForest_GetMatrix(forest, tree),
                      forest->unknowns + (size_t)tree->firstBody * 18};
}

/// Rows that are added to the matrix at a time.
#define ROWS_AT_A_TIME 8

static void AddRowsToMatrix(const tdJointMatrixKernels* kernels, const tdJointMatrix* matrix,
                            const tdJointTreeEdge* edge, const double* const* parent,
                            const double* const* child, int count)
{
    kernels->addProducts(matrix->diagonal + edge->parent * TD_BLOCK_SIZE, parent, parent, count);
    if (edge->child >= 0)
    {
        kernels->addProducts(matrix->diagonal + edge->child * TD_BLOCK_SIZE, child, child, count);
        kernels->addProducts(matrix->below + (size_t)edge->block * TD_BLOCK_SIZE, parent, child, count);
    }
}

static void FactorTree(const TreePass* pass)
{
    const tdJointMatrix* matrix = &pass->matrix;
    const tdJointMatrixKernels* kernels = pass->forest->kernels;
    tdJointMatrix_Clear(matrix);
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        const double *parent[ROWS_AT_A_TIME], *child[ROWS_AT_A_TIME];
        int count = 0;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (row->state != TD_ROW_FREE)
            {
                continue;
            }
            if (count == ROWS_AT_A_TIME)
            {
                AddRowsToMatrix(kernels, matrix, edge, parent, child, count);
                count = 0;
            }
            parent[count] = row->parent;
            child[count] = row->child;
            count += 1;
        }
        AddRowsToMatrix(kernels, matrix, edge, parent, child, count);
    }
    kernels->factor(matrix);
    pass->tree->isFactored = true;
}

/// J F z of a row times its weight.
static double GetScaledSpeed(const tdJointTreeEdge* edge, const double* unknowns, const tdJointTreeRow* row)
{
    double speed = tdDot6(row->parent, unknowns + 6 * edge->parent);
    return edge->child >= 0 ? speed + tdDot6(row->child, unknowns + 6 * edge->child) : speed;
}

static double GetResultSpeed(const tdJointTreeEdge* edge, const double* unknowns, const tdJointTreeRow* row)
{
    return row->speed + GetScaledSpeed(edge, unknowns, row) / row->weight;
}

static void AddToUnknowns(const tdJointTreeEdge* edge, double* unknowns, const tdJointTreeRow* row, double s)
{
    tdMulAdd6(unknowns + 6 * edge->parent, s, row->parent);
    if (edge->child >= 0)
    {
        tdMulAdd6(unknowns + 6 * edge->child, s, row->child);
    }
}

/// Solves for the current states of the rows.
static void SolveRound(const TreePass* pass)
{
    if (!pass->tree->isFactored)
    {
        FactorTree(pass);
    }
    memset(pass->unknowns, 0, (size_t)pass->tree->bodyCount * 6 * sizeof(double));
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (row->state == TD_ROW_FREE)
            {
                AddToUnknowns(edge, pass->unknowns, row, -row->weight * (row->speed + row->offset));
            }
            else
            {
                row->change = (row->state == TD_ROW_LOW ? row->low : row->high) - row->before;
                AddToUnknowns(edge, pass->unknowns, row, row->change / row->weight);
            }
        }
    }
    pass->forest->kernels->solve(&pass->matrix, pass->unknowns);
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (row->state == TD_ROW_FREE)
            {
                double scaled = GetScaledSpeed(edge, pass->unknowns, row);
                row->change = -row->weight * (row->weight * (row->speed + row->offset) + scaled);
            }
        }
    }
}

// Bounds. The unknowns minimise a convex function that is quadratic where no row changes its state:
//   |z|^2 / 2 + sum of C^-1 r(z)^2 / 2 over the rows in their bounds, linear beyond them.
// Newton's method with line search finds its minimum from any start. Mostly the states of the last pass are
// the right ones, and one solution is all.

/// Impulse of a row in this pass without its bounds, at a scaled speed G z.
static double GetFreeChange(const tdJointTreeRow* row, double scaled)
{
    return -row->weight * (row->weight * (row->speed + row->offset) + scaled);
}

static double ClampChange(const tdJointTreeRow* row, double change)
{
    double sum = row->before + change;
    return sum < row->low ? row->low - row->before : (sum > row->high ? row->high - row->before : change);
}

static bool IsBoundedRow(const tdJointTreeRow* row)
{
    return isfinite(row->low) || isfinite(row->high);
}

/// Sets the states of the bounded rows from the unknowns.
/// @return true if a row has changed its state
static bool UpdateStates(const TreePass* pass)
{
    bool isChanged = false;
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (!IsBoundedRow(row))
            {
                continue;
            }
            double change = GetFreeChange(row, GetScaledSpeed(edge, pass->unknowns, row));
            // A row keeps its state until it is violated by more than rounding errors.
            double sum = row->before + change, slack = RELEASE_SPEED * row->weight * row->weight;
            double low = row->low + (row->state == TD_ROW_FREE ? -slack : slack);
            double high = row->high + (row->state == TD_ROW_FREE ? slack : -slack);
            int8_t state = sum < low ? TD_ROW_LOW : (sum > high ? TD_ROW_HIGH : TD_ROW_FREE);
            isChanged |= state != row->state;
            row->state = state;
        }
    }
    return isChanged;
}

/// Derivative of the convex function along the line from `from` to the unknowns, at the share t of the way.
static double GetSlope(const TreePass* pass, const double* from, double t)
{
    double slope = 0.0;
    for (int i = 0; i < pass->tree->bodyCount * 6; ++i)
    {
        double way = pass->unknowns[i] - from[i];
        slope += way * (from[i] + t * way);
    }
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            double scaled = row->start + t * (row->end - row->start);
            slope -= (row->end - row->start) / row->weight * ClampChange(row, GetFreeChange(row, scaled));
        }
    }
    return slope;
}

/// Moves the unknowns back to the least value on the line from `from`.
static void SearchLine(const TreePass* pass, const double* from)
{
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            row->start = GetScaledSpeed(edge, from, row);
            row->end = GetScaledSpeed(edge, pass->unknowns, row);
        }
    }
    double low = 0.0, high = 1.0;
    if (!(GetSlope(pass, from, 1.0) > 0.0))
    {
        return;
    }
    for (int i = 0; i < LINE_SEARCH_ROUNDS; ++i)
    {
        double middle = 0.5 * (low + high);
        bool isRising = GetSlope(pass, from, middle) > 0.0;
        low = isRising ? low : middle;
        high = isRising ? middle : high;
    }
    for (int i = 0; i < pass->tree->bodyCount * 6; ++i)
    {
        pass->unknowns[i] = from[i] + high * (pass->unknowns[i] - from[i]);
    }
}

/// Finds the states of the bounded rows, and the unknowns.
static void FindStates(const TreePass* pass)
{
    double* from = pass->unknowns + 12 * pass->tree->bodyCount;
    SolveRound(pass);
    for (int round = 0; round < MAX_NEWTON_ROUNDS && UpdateStates(pass); ++round)
    {
        pass->tree->isFactored = false;
        memcpy(from, pass->unknowns, (size_t)pass->tree->bodyCount * 6 * sizeof(double));
        SolveRound(pass);
        SearchLine(pass, from);
    }
}

/// Residuals of the rigid rows.
/// @return sum of their squares, weighted by their stiffness; 0: no residual is above MIN_RESIDUAL
static double ComputeResiduals(const TreePass* pass, bool isCurved, bool isFirst)
{
    if (isCurved)
    {
        tdJointTree_ApplyUnknowns(pass->bodies, pass->tree->bodyCount, pass->unknowns);
        tdJointTree_PredictBodies(pass->step, pass->bodies, pass->tree->bodyCount);
        tdJointTree_MeasureResiduals(pass->step, pass->tree);
    }
    double sum = 0.0, most = 0.0;
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (row->isSoft || row->state != TD_ROW_FREE)
            {
                continue;
            }
            if (!isCurved || !row->isCurved)
            {
                row->residual = isFirst ? -row->change / (row->weight * row->weight)
                                        : GetResultSpeed(edge, pass->unknowns, row) + row->offset;
            }
            double size = fabs(row->residual);
            most = size > most ? size : most;
            sum += row->weight * row->residual * row->weight * row->residual;
        }
    }
    return most > MIN_RESIDUAL ? sum : 0.0;
}

/// Computes the change of the unknowns that the residuals ask for.
static void ComputeRefinement(const TreePass* pass, double* response)
{
    memset(response, 0, (size_t)pass->tree->bodyCount * 6 * sizeof(double));
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (!row->isSoft && row->state == TD_ROW_FREE)
            {
                row->applied = row->residual;
                AddToUnknowns(edge, response, row, -row->weight * row->residual);
            }
        }
    }
    pass->forest->kernels->solve(&pass->matrix, response);
}

/// Moves the unknowns and impulses by a share of the response.
static void ApplyRefinement(const TreePass* pass, const double* response, double share)
{
    for (int i = 0; i < pass->tree->bodyCount * 6; ++i)
    {
        pass->unknowns[i] += share * response[i];
    }
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (row->state == TD_ROW_FREE)
            {
                double residual = row->isSoft ? 0.0 : row->weight * row->applied;
                row->change -= share * row->weight * (residual + GetScaledSpeed(edge, response, row));
            }
        }
    }
}

static void RefineImpulses(const TreePass* pass, bool isCurved)
{
    double* response = pass->unknowns + 6 * pass->tree->bodyCount;
    double size = ComputeResiduals(pass, isCurved, true);
    for (int i = 0; i < MAX_REFINEMENTS && size > 0.0; ++i)
    {
        ComputeRefinement(pass, response);
        ApplyRefinement(pass, response, 1.0);
        double next = ComputeResiduals(pass, isCurved, false);
        if (!(next < REFINED_SHARE * size))
        {
            // Along straight rows a refinement is never worse; it stops where rows contradict each other.
            ApplyRefinement(pass, response, isCurved ? -1.0 : 0.0);
            break;
        }
        size = next;
    }
}

static void FindImpulses(const TreePass* pass, bool isCurved)
{
    FindStates(pass);
    RefineImpulses(pass, isCurved);
    tdJointTree_ApplyUnknowns(pass->bodies, pass->tree->bodyCount, pass->unknowns);
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
static double SumRigidWork(const TreePass* pass)
{
    double work = -tdJointTree_GetStiffWork(pass->tree, pass->bodies, pass->unknowns);
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (!row->isSoft)
            {
                double after = GetResultSpeed(edge, pass->unknowns, row);
                work += 0.5 * row->change * (row->speed + after);
            }
        }
    }
    return work;
}

static void StoreImpulses(const TreePass* pass)
{
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            *row->impulse = (float)(row->before + row->change);
        }
    }
}

/// Impulses of rigid rows that depend on each other are not unique. Those of the solver contain the
/// contradictions of such rows, divided by their small compliance. Replaces them by the least ones with the
/// same effect: with y the solution for the right-hand side z they are C^-1/2 G y.
static void ReduceImpulses(const TreePass* pass)
{
    double* effect = pass->unknowns + 6 * pass->tree->bodyCount;
    memcpy(effect, pass->unknowns, (size_t)pass->tree->bodyCount * 6 * sizeof(double));
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            const tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (row->isSoft || row->state != TD_ROW_FREE)
            {
                AddToUnknowns(edge, effect, row, -row->change / row->weight);
            }
        }
    }
    pass->forest->kernels->solve(&pass->matrix, effect);
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            if (!row->isSoft && row->state == TD_ROW_FREE)
            {
                double change = row->weight * GetScaledSpeed(edge, effect, row);
                row->change = row->before + change < row->low ? row->low - row->before : change;
            }
        }
    }
}

/// Loads masses at the current pose. The rows must be built anew.
static void LoadPose(const TreePass* pass, bool isStiffened)
{
    tdJointTree* tree = pass->tree;
    tdJointTree_LoadMasses(pass->step, pass->bodies, tree->bodyCount);
    tree->isStiff = isStiffened && tdJointTree_StiffenBodies(pass->step, tree, pass->bodies);
    tdJointTree_FactorMasses(pass->bodies, tree->bodyCount);
    tree->isBuilt = tree->isFactored = false;
}

/// Bounds the work of the relax pass: blends its result with the projection.
static void BoundWork(const TreePass* pass)
{
    tdJointTree* tree = pass->tree;
    tdJointTreeBody* bodies = pass->bodies;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        memcpy(bodies[i].eager, bodies[i].result, sizeof(bodies[i].eager));
    }
    bool wasStiff = tree->isStiff;
    if (wasStiff)
    {
        LoadPose(pass, false);
    }
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        tdMulAdd6(bodies[i].velocity, -1.0, bodies[i].gain);
    }
    tdJointTree_GatherRows(pass->step, tree, TD_JOINT_TREE_PROJECT);
    FindImpulses(pass, false);
    // The energy is convex along the blend, so it stays below the line between both ends.
    double least = tree->workBefore + SumRigidWork(pass);
    double share = least < 0.0 ? least / (least - tree->work) : 0.0;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            bodies[i].result[k] += share * (bodies[i].eager[k] - bodies[i].result[k]);
        }
    }
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass->forest->rows + edge->firstRow + r;
            row->change += share * ((double)*row->impulse - row->change);
        }
    }
    tree->work = 0.0;
    tree->isBuilt = !wasStiff && tree->isBuilt;
}

/// Sets the speeds of the rows after the solve pass, from its unknowns.
static void HoldSpeeds(const tdSolverStep* step, tdJointTree* tree)
{
    TreePass pass = BeginTreePass(step, tree);
    for (int e = 0; e < tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass.edges + e;
        for (int r = 0; r < edge->rowCount; ++r)
        {
            tdJointTreeRow* row = pass.forest->rows + edge->firstRow + r;
            row->held = GetResultSpeed(edge, pass.unknowns, row);
        }
    }
}

/// Bounds the work of the rigid rows of a sub-step at its end.
static void FinishWork(const TreePass* pass)
{
    tdJointTree* tree = pass->tree;
    if (tree->work > 0.0)
    {
        BoundWork(pass);
        StoreImpulses(pass);
    }
    double energy = 0.0;
    for (int i = 0; i < tree->bodyCount; ++i)
    {
        energy += pass->bodies[i].energy;
    }
    double credit = -WORK_CREDIT * energy;
    tree->workBefore = tree->work = tree->work > credit ? tree->work : credit;
}

/// True if a joint holds a tree at the world or at a body that is not dynamic.
/// @param isMoving set if that body moves
static bool IsTreeHeld(const TreePass* pass, bool* isMoving)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)pass->step->states;
    bool isHeld = false;
    *isMoving = false;
    for (int e = 0; e < pass->tree->edgeCount; ++e)
    {
        const tdJointTreeEdge* edge = pass->edges + e;
        if (edge->child < 0)
        {
            const tdJoint* joint = pass->step->world->joints->joints.data + edge->joint;
            const tdBodyState* state = states + (edge->isChildA ? joint->slotA : joint->slotB);
            isHeld = true;
            *isMoving |= tdDot(state->linearVelocity, state->linearVelocity) > 0.0f ||
                         tdDot(state->angularVelocity, state->angularVelocity) > 0.0f;
        }
    }
    return isHeld;
}

/// Bounds the energy of a tree with fast bodies at the end of a sub-step.
static void BoundFastTree(const TreePass* pass)
{
    bool isMoving, isHeld = IsTreeHeld(pass, &isMoving);
    if (!isMoving && !pass->tree->hasSoft)
    {
        tdJointTree_BoundFastEnergy(pass->step, pass->bodies, pass->tree->bodyCount, pass->tree->fastEnergy,
                                    !isHeld);
    }
}

static void SolveTree(const tdSolverStep* step, tdJointTree* tree, tdJointTreePass kind)
{
    TreePass pass = BeginTreePass(step, tree);
    // Solve runs at the pose of the relax pass before it: only soft rows have changed.
    bool isSolve = kind == TD_JOINT_TREE_SOLVE;
    if (kind == TD_JOINT_TREE_RELAX || (isSolve && (!tree->isBuilt || tree->hasSoft)))
    {
        LoadPose(&pass, true);
    }
    tdJointTree_LoadVelocities(step, pass.bodies, tree->bodyCount);
    if (isSolve)
    {
        tree->fastEnergy = tdJointTree_SumFastEnergy(step, pass.bodies, tree->bodyCount);
    }
    tdJointTree_GatherRows(step, tree, kind);
    FindImpulses(&pass, isSolve);
    tree->work += SumRigidWork(&pass);
    if (tree->hasLoops)
    {
        ReduceImpulses(&pass);
    }
    StoreImpulses(&pass);
    if (kind == TD_JOINT_TREE_RELAX)
    {
        FinishWork(&pass);
    }
    else
    {
        tdJointTree_RecordGains(step, pass.bodies, tree->bodyCount, isSolve);
    }
    tdJointTree_StoreBodies(step, pass.bodies, tree->bodyCount);
    if (kind == TD_JOINT_TREE_RELAX && tree->fastEnergy >= 0.0)
    {
        BoundFastTree(&pass);
    }
}

// Passes.

void tdJointForest_Prepare(const tdSolverStep* step, int start, int end)
{
    tdJointSet* set = step->world->joints;
    for (int t = start; t < end; ++t)
    {
        tdJointTree* tree = set->forest.trees + set->forest.active[t];
        tree->work = tree->workBefore = set->joints.data[set->forest.edges[tree->firstEdge].joint].work;
        tree->isBuilt = tree->hasSoft = false;
        for (int e = 0; e < tree->edgeCount; ++e)
        {
            tdJoint* joint = set->joints.data + set->forest.edges[tree->firstEdge + e].joint;
            tdJoint_Prepare(step, joint);
            tree->hasSoft |= tdJoint_HasSoftRows(joint);
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

void tdJointForest_Resolve(const tdSolverStep* step, int start, int end)
{
    const tdJointForest* forest = &step->world->joints->forest;
    for (int t = start; t < end; ++t)
    {
        tdJointTree* tree = forest->trees + forest->active[t];
        if (tdJointTree_IsDisturbed(step, forest->bodies + tree->firstBody, tree->bodyCount))
        {
            HoldSpeeds(step, tree);
            SolveTree(step, tree, TD_JOINT_TREE_RESOLVE);
        }
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
        for (int e = 0; e < tree->edgeCount; ++e)
        {
            tdJoint_BeginRelax(step, set->joints.data + edges[e].joint, tree->hasSoft, &pose);
        }
        SolveTree(step, tree, TD_JOINT_TREE_RELAX);
        for (int e = 0; e < tree->edgeCount; ++e)
        {
            tdJoint* joint = set->joints.data + edges[e].joint;
            if (tree->hasSoft)
            {
                pose = tdJoint_ComputePose(step, joint);
                tdJoint_FactorLocks(joint);
            }
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
        for (int e = 0; e < tree->edgeCount; ++e)
        {
            tdJoint* joint = set->joints.data + set->forest.edges[tree->firstEdge + e].joint;
            joint->work = e == 0 ? tree->work : 0.0;
            tdJoint_Store(step, joint);
        }
    }
}
