// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The node arrays of one living copy of a scene, and how globals follow from locals. Only subtrees whose
// locals changed are touched.
//
// Invariants:
// 1. A global is out of date only if the node or a node above it has its bit in `dirty`.
// 2. A bit in `fresh` says that the global was brought up to date since the last sweep, and that nothing at
// or
//    above the node has changed since.
#pragma once

#include "scene.h"

#include "base/arena.h"

typedef struct tdNodePose tdNodePose;

/// Writes pose->locals[node] of a driven node; the parent's global is current. See `driven`.
typedef void tdDriveNodeFcn(void* context, tdNodePose* pose, int node);

struct tdNodePose
{
    const tdNodeTree* nodes;
    tdTransform placement; // of the roots
    bool isPlaced;         // placement is not the identity
    tdMat4 placementMatrix;
    tdTrs* locals;
    tdMat4* globals;
    tdQuat*
        rotations;   // product of local rotations from the root on; of refreshed nodes only. NULL: not wanted
    uint64_t* dirty; // bits by position in nodes->order
    uint64_t* fresh; // bits by position
    int wordCount;   // of each bit set
    bool isDirty;    // some bit of `dirty` is set
    const uint64_t* driven; // bits by position: nodes whose local follows from outside (bodies). NULL: none
    tdDriveNodeFcn* drive;
    void* driveContext;
};

/// All nodes at rest, everything dirty.
/// @return false when memory ran out
bool tdNodePose_Init(tdNodePose* pose, const tdNodeTree* nodes, tdTransform placement, bool wantsRotations,
                     tdArena* arena);
void tdNodePose_SetPlacement(tdNodePose* pose, tdTransform placement);

void tdNodePose_MarkDirty(tdNodePose* pose, int node);
/// The setters mark the node only when the value differs.
void tdNodePose_SetTranslation(tdNodePose* pose, int node, tdVec3 translation);
void tdNodePose_SetRotation(tdNodePose* pose, int node, tdQuat rotation);
void tdNodePose_SetScale(tdNodePose* pose, int node, tdVec3 scale);

/// Bring one node's global and rotation up to date. Its parent's must be.
void tdNodePose_Refresh(tdNodePose* pose, int node);
/// Bring all globals up to date.
void tdNodePose_Sweep(tdNodePose* pose);
