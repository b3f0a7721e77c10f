// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stacks: small islands of bodies under load, such as towers, arches and a heavy body on light ones. Solved
// contact by contact, a load needs about n^2 passes to spread over n bodies, and its moment about n^4. So the
// contacts of a stack are solved together before each pass. See docs/decisions/075.
//
// An island becomes a stack when one of its contacts has carried many times the weight of the lighter of its
// bodies for several steps, and stays one while its contact graph is sparse enough. Large piles and walls do
// not: their bodies support each other sideways, and passes alone converge.
#pragma once

#include "physics/data/body_data.h"
#include "physics/data/contact_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"

/// Largest stack, bodies.
#define TD_MAX_STACK_BODIES 128
/// Degrees of freedom of a body, and numbers of a block of the matrix.
#define TD_STACK_DOF 6
#define TD_STACK_BLOCK (TD_STACK_DOF * TD_STACK_DOF)

/// A row of the Jacobian of a contact: linear and angular part of each side.
typedef struct tdStackRow
{
    double a[TD_STACK_DOF], b[TD_STACK_DOF];
    double weight;   // stiffness, kg
    double residual; // m/s
    double change;   // of its impulse
} tdStackRow;

/// Points, two tangents and twist.
#define TD_STACK_ROWS (TD_MAX_MANIFOLD_POINTS + 3)
/// Bit of tdStackContact.held after those of the points.
#define TD_STACK_FRICTION (1u << TD_MAX_MANIFOLD_POINTS)

/// A manifold of a stack.
typedef struct tdStackContact
{
    int stack;
    int contactRows, lane; // index in tdSolverStep.rows, lane in the group
    int a, b;              // positions of the bodies in the stack; -1: not dynamic
    int slotA, slotB;      // in the state array
    uint32_t held;         // bit k: point k is in the matrix; TD_STACK_FRICTION: tangents and twist are
    uint32_t wanted;       // those that should be by the solution of the round
    double slop;           // m, overlap that it keeps at rest
    float reach;           // m, gap up to which its points touch
    float sag;             // m, in the separations of its rows until they are made rigid
    bool isSplit;          // its group splits masses
    int pointCount, rowCount;
    tdStackRow rows[TD_STACK_ROWS]; // points, then tangents 1 and 2 and twist
} tdStackContact;

/// Mass and inertia of a body of a stack. Symmetric: xx yy zz xy xz yz, world axes.
typedef struct tdStackMass
{
    double mass, inertia[6], invInertia[6];
} tdStackMass;

typedef struct tdStackBody
{
    int slot;                   // in the state array
    int firstBlock, blockCount; // blocks of later bodies in its column
    tdStackMass mass;
    double diagonal[TD_STACK_BLOCK]; // Cholesky factor, row by row
    double value[TD_STACK_DOF];      // right-hand side, then solution
} tdStackBody;

typedef struct tdStackBlock
{
    int row; // position of the later body
    double value[TD_STACK_BLOCK];
} tdStackBlock;

typedef struct tdStack
{
    int firstBody, bodyCount;
    int firstContact, contactCount, contactEnd;
    int firstBlock, blockCount, blockLimit;
    int firstPair; // in tdStackSet.lookup
    int island;
    int solveCount, roundCount; // of this step: solutions, and new factors that they needed
    bool isFactored;            // the matrix is sparse and regular enough
} tdStack;

typedef struct tdStackSet
{
    tdStack* items;
    tdStackBody* bodies;
    tdStackContact* contacts;
    tdStackBlock* blocks;
    int *local, *stackOf; // by awake index: position in its stack, -1 for none; stack
    int* places;          // by touching contact: group * TD_LANES + lane; -1: not in partition 0
    int16_t* lookup;      // by stack and pair of positions: adjacency, then block
    int capacity, bodyCapacity, contactCapacity, blockCapacity, localCapacity, stackOfCapacity,
        lookupCapacity, placeCapacity;
    int count, bodyCount, contactCount, pairCount;
    // Of this step: from counts, because capacities depend on history.
    int stackLimit, bodyLimit, contactLimit, blockLimit, pairLimit;
} tdStackSet;

/// Reserve the memory of a step.
/// @return false if memory ran out
bool tdStackSet_Reserve(tdStackSet* stacks, tdWorld* world, int contactCount);
void tdStackSet_Free(tdStackSet* stacks, const tdAllocator* allocator);
/// Find the stacks and list their bodies.
void tdStackSet_LayOut(tdWorld* world);
/// Note the impulse of a contact over the step, so that its island may become a stack.
/// @param invMassA, invMassB 1/kg, 0 for a body that is not dynamic
void tdStackSet_NoteLoad(const tdSolverStep* step, const tdTouchingContact* touching, float invMassA,
                         float invMassB);
/// True if the body at an awake index is in a stack.
bool tdStackSet_HasBody(const tdStackSet* stacks, int sim);
/// True if the contacts of that stack were solved together in this step. Those of a stack with too many
/// contacts are not, and it needs what piles need.
bool tdStackSet_SolvesBody(const tdStackSet* stacks, int sim);

/// Let the island of a stack whose rounds did not settle wait before it may be a stack again.
void tdStack_Refuse(const tdStack* stack, const tdWorld* world);

/// Pass of one item: collect the contacts of all stacks.
tdKernelFcn tdStacks_Collect;
