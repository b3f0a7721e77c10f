// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// State of the construction of a physics scene from raw objects.
#pragma once

#include "physics_geometry.h"
#include "physics_raw.h"

typedef struct tdPhysicsBuild
{
    tdImport* import;
    tdPhysicsReader reader;
    tdRawPhysics raw;
    const tdMat4* globals; // world matrices at load, by node
    bool* isReachable;     // by node: in the active scene
    int* bodyOfNode;       // by node: nearest motion at or above it; -1
    int* colliderOfNode;   // by node: its solid collider; -1
    int* triggerOfNode;    // by node: its trigger collider; -1
    tdPhysicsScene* scene; // being filled
    tdPhysicsBody* bodies;
    tdPhysicsShape* shapes;
    tdPhysicsCollider* colliders;
    tdGeometryCache cache;
} tdPhysicsBuild;

/// "/nodes/<node>/extensions/<extension>" as a path.
typedef struct tdNodePath
{
    tdPath root, nodes, node, extensions, extension;
} tdNodePath;
