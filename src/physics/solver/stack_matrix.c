// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The matrix of a stack: 6 x 6 blocks per body and per pair of touching bodies, Cholesky factor in the order
// of least degree. stack_solve.c says what it is for.
#include "physics/solver/stack_matrix.h"

#include "math/vecmath.h"

#include <math.h>
#include <string.h>

/// Most products of blocks per body: denser stacks cost more than passes.
#define MAX_PRODUCTS_PER_BODY 24

/// Find the order of least degree and the blocks of the factor: on return order[p] is the body at position p,
/// and lookup has a block index for each pair of positions (later, earlier), -1 for none.
/// @return false if the factor has too many blocks
static bool OrderBodies(const tdStackSet* stacks, tdStack* stack, int16_t* order)
{
    int n = stack->bodyCount, products = 0;
    int16_t* touches = stacks->lookup + stack->firstPair; // by pair of bodies: 1 if adjacent
    memset(touches, 0, (size_t)(n * n) * sizeof(int16_t));
    int16_t degree[TD_MAX_STACK_BODIES] = {0};
    int16_t position[TD_MAX_STACK_BODIES];
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        if (contact->a >= 0 && contact->b >= 0 && touches[contact->a * n + contact->b] == 0)
        {
            touches[contact->a * n + contact->b] = touches[contact->b * n + contact->a] = 1;
            degree[contact->a] += 1;
            degree[contact->b] += 1;
        }
    }
    for (int i = 0; i < n; ++i)
    {
        position[i] = -1;
    }
    stack->blockCount = 0;
    for (int p = 0; p < n; ++p)
    {
        int pivot = -1;
        for (int i = 0; i < n; ++i)
        {
            if (position[i] < 0 && (pivot < 0 || degree[i] < degree[pivot]))
            {
                pivot = i;
            }
        }
        int neighbours[TD_MAX_STACK_BODIES], count = 0;
        for (int i = 0; i < n; ++i)
        {
            if (position[i] < 0 && touches[pivot * n + i] != 0)
            {
                neighbours[count++] = i;
            }
        }
        stack->blockCount += count;
        products += count * count;
        if (stack->blockCount > stack->blockLimit || products > MAX_PRODUCTS_PER_BODY * n)
        {
            return false;
        }
        for (int i = 0; i < count; ++i)
        {
            degree[neighbours[i]] -= 1;
            for (int k = 0; k < count; ++k)
            {
                if (k != i && touches[neighbours[i] * n + neighbours[k]] == 0)
                {
                    touches[neighbours[i] * n + neighbours[k]] = 1;
                    degree[neighbours[i]] += 1;
                }
            }
        }
        position[pivot] = (int16_t)p;
        order[p] = (int16_t)pivot;
    }
    return true;
}

/// Move bodies, contacts and the pattern of the blocks to the order of elimination.
static void ApplyOrder(const tdStackSet* stacks, tdStack* stack, const int16_t* order)
{
    int n = stack->bodyCount, block = 0;
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    int16_t position[TD_MAX_STACK_BODIES];
    const int16_t* touches = stacks->lookup + stack->firstPair;
    for (int p = 0; p < n; ++p)
    {
        position[order[p]] = (int16_t)p;
    }
    for (int p = 0; p < n; ++p)
    {
        tdStackBody* body = &bodies[p];
        body->firstBlock = stack->firstBlock + block;
        for (int q = p + 1; q < n; ++q)
        {
            if (touches[order[p] * n + order[q]] != 0)
            {
                stacks->blocks[stack->firstBlock + block].row = q;
                block += 1;
            }
        }
        body->blockCount = stack->firstBlock + block - body->firstBlock;
    }
    int16_t* lookup = stacks->lookup + stack->firstPair;
    memset(lookup, -1, (size_t)(n * n) * sizeof(int16_t));
    for (int p = 0; p < n; ++p)
    {
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            int at = bodies[p].firstBlock + k;
            lookup[stacks->blocks[at].row * n + p] = (int16_t)(at - stack->firstBlock);
        }
    }
    for (int i = 0; i < stack->contactCount; ++i)
    {
        tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        contact->a = contact->a >= 0 ? position[contact->a] : -1;
        contact->b = contact->b >= 0 ? position[contact->b] : -1;
    }
}

// Blocks of 6 x 6, row by row.

/// Add w * x y^T.
static void AddProduct(double* block, double w, const double* x, const double* y)
{
    for (int i = 0; i < TD_STACK_DOF; ++i)
    {
        double f = w * x[i];
        for (int k = 0; k < TD_STACK_DOF; ++k)
        {
            block[TD_STACK_DOF * i + k] += f * y[k];
        }
    }
}

/// Subtract p q^T.
static void SubtractBlockProduct(double* block, const double* p, const double* q)
{
    for (int i = 0; i < TD_STACK_DOF; ++i)
    {
        for (int k = 0; k < TD_STACK_DOF; ++k)
        {
            double sum = 0.0;
            for (int j = 0; j < TD_STACK_DOF; ++j)
            {
                sum += p[TD_STACK_DOF * i + j] * q[TD_STACK_DOF * k + j];
            }
            block[TD_STACK_DOF * i + k] -= sum;
        }
    }
}

/// Replace the lower triangle of a block by its Cholesky factor, the diagonal inverted.
static bool FactorBlock(double* m)
{
    for (int k = 0; k < TD_STACK_DOF; ++k)
    {
        double d = m[TD_STACK_DOF * k + k];
        for (int j = 0; j < k; ++j)
        {
            d -= m[TD_STACK_DOF * k + j] * m[TD_STACK_DOF * k + j];
        }
        if (!(d > 0.0))
        {
            return false;
        }
        double inverse = 1.0 / sqrt(d);
        m[TD_STACK_DOF * k + k] = inverse;
        for (int i = k + 1; i < TD_STACK_DOF; ++i)
        {
            double sum = m[TD_STACK_DOF * i + k];
            for (int j = 0; j < k; ++j)
            {
                sum -= m[TD_STACK_DOF * i + j] * m[TD_STACK_DOF * k + j];
            }
            m[TD_STACK_DOF * i + k] = sum * inverse;
        }
    }
    return true;
}

/// x := L^-1 x
static void SolveLower(const double* m, double* x)
{
    for (int i = 0; i < TD_STACK_DOF; ++i)
    {
        double sum = x[i];
        for (int j = 0; j < i; ++j)
        {
            sum -= m[TD_STACK_DOF * i + j] * x[j];
        }
        x[i] = sum * m[TD_STACK_DOF * i + i];
    }
}

/// x := L^-T x
static void SolveUpper(const double* m, double* x)
{
    for (int i = TD_STACK_DOF - 1; i >= 0; --i)
    {
        double sum = x[i];
        for (int j = i + 1; j < TD_STACK_DOF; ++j)
        {
            sum -= m[TD_STACK_DOF * j + i] * x[j];
        }
        x[i] = sum * m[TD_STACK_DOF * i + i];
    }
}

static void SetMassBlock(double* block, const tdStackBody* body)
{
    memset(block, 0, TD_STACK_BLOCK * sizeof(double));
    const double* m = body->mass.inertia;
    double angular[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    for (int i = 0; i < 3; ++i)
    {
        block[TD_STACK_DOF * i + i] = body->mass.mass;
        for (int k = 0; k < 3; ++k)
        {
            block[TD_STACK_DOF * (3 + i) + 3 + k] = angular[i][k];
        }
    }
}

static void AssembleStack(const tdStackSet* stacks, const tdStack* stack)
{
    int n = stack->bodyCount;
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    const int16_t* lookup = stacks->lookup + stack->firstPair;
    for (int p = 0; p < n; ++p)
    {
        SetMassBlock(bodies[p].diagonal, &bodies[p]);
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            tdStackBlock* block = &stacks->blocks[bodies[p].firstBlock + k];
            memset(block->value, 0, sizeof(block->value));
        }
    }
    for (int i = 0; i < stack->contactCount; ++i)
    {
        const tdStackContact* contact = &stacks->contacts[stack->firstContact + i];
        const tdStackRow* rows = contact->rows;
        int a = contact->a, b = contact->b;
        for (int k = 0; k < contact->rowCount; ++k)
        {
            if (!tdStackContact_Holds(contact, k))
            {
                continue;
            }
            if (a >= 0)
            {
                AddProduct(bodies[a].diagonal, rows[k].weight, rows[k].a, rows[k].a);
            }
            if (b >= 0)
            {
                AddProduct(bodies[b].diagonal, rows[k].weight, rows[k].b, rows[k].b);
            }
            if (a >= 0 && b >= 0)
            {
                tdStackBlock* block =
                    &stacks->blocks[stack->firstBlock + lookup[tdMaxInt(a, b) * n + tdMinInt(a, b)]];
                AddProduct(block->value, rows[k].weight, a > b ? rows[k].a : rows[k].b,
                           a > b ? rows[k].b : rows[k].a);
            }
        }
    }
}

/// Right-looking Cholesky factorization.
static bool FactorBlocks(const tdStackSet* stacks, const tdStack* stack)
{
    int n = stack->bodyCount;
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    const int16_t* lookup = stacks->lookup + stack->firstPair;
    for (int p = 0; p < n; ++p)
    {
        if (!FactorBlock(bodies[p].diagonal))
        {
            return false;
        }
        tdStackBlock* column = stacks->blocks + bodies[p].firstBlock;
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            for (int i = 0; i < TD_STACK_DOF; ++i)
            {
                SolveLower(bodies[p].diagonal, column[k].value + TD_STACK_DOF * i);
            }
        }
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            SubtractBlockProduct(bodies[column[k].row].diagonal, column[k].value, column[k].value);
            for (int j = 0; j < k; ++j)
            {
                int later = column[k].row, earlier = column[j].row;
                SubtractBlockProduct(stacks->blocks[stack->firstBlock + lookup[later * n + earlier]].value,
                                     column[k].value, column[j].value);
            }
        }
    }
    return true;
}

/// Move masses and slots from the order of the island to that of elimination.
static void SortBodies(tdStackBody* bodies, int count, const int16_t* order)
{
    tdStackMass masses[TD_MAX_STACK_BODIES];
    int slots[TD_MAX_STACK_BODIES];
    for (int i = 0; i < count; ++i)
    {
        masses[i] = bodies[i].mass;
        slots[i] = bodies[i].slot;
    }
    for (int p = 0; p < count; ++p)
    {
        bodies[p].slot = slots[order[p]];
        bodies[p].mass = masses[order[p]];
    }
}

void tdStack_SolveMatrix(const tdStackSet* stacks, const tdStack* stack)
{
    tdStackBody* bodies = stacks->bodies + stack->firstBody;
    for (int p = 0; p < stack->bodyCount; ++p)
    {
        SolveLower(bodies[p].diagonal, bodies[p].value);
        const tdStackBlock* column = stacks->blocks + bodies[p].firstBlock;
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            double* target = bodies[column[k].row].value;
            for (int i = 0; i < TD_STACK_DOF; ++i)
            {
                target[i] -= tdDotStackRow(column[k].value + TD_STACK_DOF * i, bodies[p].value);
            }
        }
    }
    for (int p = stack->bodyCount - 1; p >= 0; --p)
    {
        const tdStackBlock* column = stacks->blocks + bodies[p].firstBlock;
        double* x = bodies[p].value;
        for (int k = 0; k < bodies[p].blockCount; ++k)
        {
            const double* y = bodies[column[k].row].value;
            for (int i = 0; i < TD_STACK_DOF; ++i)
            {
                for (int j = 0; j < TD_STACK_DOF; ++j)
                {
                    x[j] -= column[k].value[TD_STACK_DOF * i + j] * y[i];
                }
            }
        }
        SolveUpper(bodies[p].diagonal, x);
    }
}

bool tdStack_OrderMatrix(const tdStackSet* stacks, tdStack* stack)
{
    int16_t order[TD_MAX_STACK_BODIES];
    if (!OrderBodies(stacks, stack, order))
    {
        return false;
    }
    ApplyOrder(stacks, stack, order);
    SortBodies(stacks->bodies + stack->firstBody, stack->bodyCount, order);
    return true;
}

bool tdStack_FactorMatrix(const tdStackSet* stacks, const tdStack* stack)
{
    AssembleStack(stacks, stack);
    return FactorBlocks(stacks, stack);
}
