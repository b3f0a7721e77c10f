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

#include "base/arena.h"
#include "scene/scene.h"

#include <string.h>

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
    uint64_t* dirty;        // bits by position in nodes->order
    uint64_t* fresh;        // bits by position
    int wordCount;          // of each bit set
    bool isDirty;           // some bit of `dirty` is set
    int mirrorCount;        // nodes with a negative scale: two mirrors look like a rotation, but are none
    const uint64_t* driven; // bits by position: nodes whose local follows from outside (bodies). NULL: none
    tdDriveNodeFcn* drive;
    void* driveContext;
};

/// All nodes at rest, everything dirty.
/// @return false when memory ran out
bool tdNodePose_Init(tdNodePose* pose, const tdNodeTree* nodes, tdTransform placement, tdArena* arena);
void tdNodePose_SetPlacement(tdNodePose* pose, tdTransform placement);

// The setters mark the node only when the value differs. Bits are compared, not numbers: -0 and 0 differ,
// which only costs an update. Inline, because every channel and every constraint ends here.

static inline void tdNodePose_MarkDirty(tdNodePose* pose, int node)
{
    int position = pose->nodes->positions[node];
    pose->dirty[position >> 6] |= UINT64_C(1) << (position & 63);
    pose->isDirty = true;
}

static inline void tdNodePose_SetTranslation(tdNodePose* pose, int node, tdVec3 translation)
{
    tdVec3* local = &pose->locals[node].translation;
    if (memcmp(local, &translation, sizeof(translation)) != 0)
    {
        *local = translation;
        tdNodePose_MarkDirty(pose, node);
    }
}

static inline void tdNodePose_SetRotation(tdNodePose* pose, int node, tdQuat rotation)
{
    tdQuat* local = &pose->locals[node].rotation;
    if (memcmp(local, &rotation, sizeof(rotation)) != 0)
    {
        *local = rotation;
        tdNodePose_MarkDirty(pose, node);
    }
}

static inline bool tdIsMirror(tdVec3 scale)
{
    return scale.x < 0.0f || scale.y < 0.0f || scale.z < 0.0f;
}

static inline void tdNodePose_SetScale(tdNodePose* pose, int node, tdVec3 scale)
{
    tdVec3* local = &pose->locals[node].scale;
    if (memcmp(local, &scale, sizeof(scale)) != 0)
    {
        pose->mirrorCount += (int)tdIsMirror(scale) - (int)tdIsMirror(*local);
        *local = scale;
        tdNodePose_MarkDirty(pose, node);
    }
}

/// Bring the globals of some nodes up to date, parents before children. What is above them must
/// be.
void tdNodePose_Refresh(tdNodePose* pose, const int* list, int count);
/// Bring all globals up to date.
void tdNodePose_Sweep(tdNodePose* pose);
