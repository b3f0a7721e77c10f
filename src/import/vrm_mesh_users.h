// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The nodes of each mesh: VRM 0.x refers to meshes where VRM 1.0 refers to nodes.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

typedef struct tdMeshUsers
{
    int meshCount;
    int* first;  // by mesh: a node, -1: none
    int* next;   // by node: the next one with the same mesh
    int* counts; // by mesh
} tdMeshUsers;

/// Lists the nodes of every mesh, ascending. False when memory ran out.
bool tdMeshUsers_Init(tdMeshUsers* users, const tdNodeTree* nodes, tdArena* arena);
