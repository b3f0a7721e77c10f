// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Order of elimination of the bodies of a joint tree.
#pragma once

#include "physics/data/joint_data.h"

/// Bodies that remain after all leaves, the leaves of the rest and so on are eliminated: those on loops and
/// between loops. Larger components are solved iteratively. The order of n such bodies takes n^2 bits.
#define TD_MAX_CORE_BODIES 1024

/// The bodies of a component and their order. Arrays have one element per body.
typedef struct tdJointOrder
{
    int count;
    int* degrees;                // neighbours that are not eliminated
    int* links;                  // exclusive or of these neighbours
    int* bodies;                 // by place in the order: the body
    int* places;                 // by body: its place
    int* parents;                // by body: the only neighbour of a leaf when it is eliminated, else -1
    int leafCount;               // places before this one are leaves, later ones core bodies
    uint64_t* sets;              // by core body: neighbours among the core bodies that follow it
    int words;                   // per set
    int lineCount, productCount; // of the matrix (joint_matrix.h)
} tdJointOrder;

/// Puts leaves before the bodies that they hang on. Sets leafCount; the other bodies follow in their own
/// order.
void tdJointOrder_EliminateLeaves(tdJointOrder* order);
/// Orders the core bodies by least degree. The sets hold the neighbours of each core body on entry.
/// @param maxProducts gives up when the matrix has more block products than this
bool tdJointOrder_EliminateCore(tdJointOrder* order, int maxProducts);
/// Writes the structure of the matrix: count + 1 starts, lineCount lines, productCount products.
void tdJointOrder_WriteStructure(const tdJointOrder* order, int* starts, int* lines, int* products);
