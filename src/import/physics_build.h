// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// From raw objects to the physics scene: who owns what, where it sits, what it weighs.
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

/// Pose of a node in the world, scale dropped.
tdTransform tdPhysicsBuild_GetFrame(const tdPhysicsBuild* build, int node);

/// False for a node whose place or scale in the world is beyond TD_MAX_COORDINATE or no number at all.
bool tdPhysicsBuild_IsInRange(const tdPhysicsBuild* build, int node);

/// Bodies, and who rides on which. False when memory ran out; likewise below.
bool tdBuildBodies(tdPhysicsBuild* build);
/// Colliders and triggers with their shapes placed and scaled, geometry cooked.
bool tdBuildColliders(tdPhysicsBuild* build);
/// Mass, centre and inertia of every body from its colliders and what the file gives.
bool tdBuildMasses(tdPhysicsBuild* build);
bool tdBuildJoints(tdPhysicsBuild* build);
bool tdBuildTriggers(tdPhysicsBuild* build);

/// "/nodes/<node>/extensions/<extension>" as three frames of a path.
typedef struct tdNodePath
{
    tdPath root, nodes, node, extensions, extension;
} tdNodePath;
/// Fills a path in place, since its frames point at each other.
void tdNodePath_Init(tdNodePath* path, int node, const char* extension);
