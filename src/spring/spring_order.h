// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The order of spring joints: ranks in which joints turn one after the other, and levels of joints that may
// turn at the same time with the same result. See docs/decisions/034.
#pragma once

#include "spring_list.h"

/// Joints that are inert are left out of everything.
typedef struct tdSpringOrder
{
    const tdSpringList* list;
    const tdNodeTree* nodes;
    int* above;     // by node: nearest joint at or above it; -1: none
    int* component; // by joint: strongly connected component of the dependencies
    int* joints;    // by rank
    int jointCount; // joints that move
    int* ranks;     // by joint
    int* levels;    // by joint
    int levelCount;
    int* depths; // by joint: joints above it
    int* jumps;  // by joint: a joint above it, for searches in logarithmic time; a top joint has itself
} tdSpringOrder;

/// Walks the colliders of a joint in the order of the file.
typedef struct tdSpringColliderWalk
{
    const tdSpringList* list;
    const tdSpring* spring;
    int group, place, left;
} tdSpringColliderWalk;

/// Sorts the joints of a list. Joints turn after the joints above them and after the joints that move their
/// colliders. Where these dependencies form a cycle, only the joints above count, and joints turn in the
/// order of the file.
/// @return false when memory ran out
bool tdSpringOrder_Build(tdSpringOrder* order, const tdSpringList* list, const tdNodeTree* nodes,
                         tdArena* scratch);
/// Whether a joint (-1: none) is not inert.
bool tdSpringOrder_Moves(const tdSpringOrder* order, int joint);
/// The last joint at or above a collider's node that turns before `joint`; -1: none. The joints between it
/// and the node still have the rotations of the step before.
int tdSpringOrder_FindTurned(const tdSpringOrder* order, int joint, int collider);
/// Starts a walk.
tdSpringColliderWalk tdStartSpringColliders(const tdSpringList* list, int joint);
/// The next collider; -1 at the end.
int tdNextSpringCollider(tdSpringColliderWalk* walk);
