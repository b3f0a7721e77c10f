// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The pose of one instance of a scene: local and global transforms of all nodes. Globals are updated in
// subtrees whose locals changed, and nowhere else. See docs/decisions/030.
//
// Invariants:
// 1. If a global is out of date, the node or an ancestor has its bit in `dirty`.
// 2. If a node has its bit in `fresh`, its global was refreshed since the last sweep, and neither the node
//    nor an ancestor has changed since.
// 3. If a node has no bit in `shifted`, its translation and scale have the bits of the file; if it has none
//    in `turned` and is no spring joint, its rotation has.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

#include <string.h>

typedef struct tdNodePose tdNodePose;

/// Sets the local of a driven node with the setters below; the parent's global is current. See `driven`.
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
    uint64_t* shifted;      // bits by position: nodes whose translation or scale was changed by the setters
    uint64_t* turned;       // bits by position: nodes whose rotation was changed by the setters
    int wordCount;          // of each bit set
    bool isDirty;           // some bit of `dirty` is set
    int mirrorCount;        // nodes with a negative scale. See docs/decisions/033
    const uint64_t* driven; // bits by position: nodes that `drive` sets during a sweep. NULL: none
    tdDriveNodeFcn* drive;
    void* driveContext;
};

/// Sets all nodes to rest and marks everything dirty. Memory comes from the arena.
/// @return false when memory ran out
bool tdNodePose_Init(tdNodePose* pose, const tdNodeTree* nodes, tdTransform placement, tdArena* arena);
/// Places the roots of the tree in the world and marks everything dirty.
void tdNodePose_SetPlacement(tdNodePose* pose, tdTransform placement);

// The setters mark the node dirty only if the value differs. They compare bits, so that -0 and 0 differ; that
// costs an update and nothing else. Inline, because every channel and constraint calls them.

static inline void tdNodePose_MarkDirty(tdNodePose* pose, int node)
{
    int position = pose->nodes->positions[node];
    pose->dirty[position >> 6] |= UINT64_C(1) << (position & 63);
    pose->isDirty = true;
}

static inline void tdNodePose_MarkShifted(tdNodePose* pose, int node)
{
    int position = pose->nodes->positions[node];
    pose->shifted[position >> 6] |= UINT64_C(1) << (position & 63);
    tdNodePose_MarkDirty(pose, node);
}

static inline void tdNodePose_MarkTurned(tdNodePose* pose, int node)
{
    int position = pose->nodes->positions[node];
    pose->turned[position >> 6] |= UINT64_C(1) << (position & 63);
    tdNodePose_MarkDirty(pose, node);
}

static inline void tdNodePose_SetTranslation(tdNodePose* pose, int node, tdVec3 translation)
{
    tdVec3* local = &pose->locals[node].translation;
    if (memcmp(local, &translation, sizeof(translation)) != 0)
    {
        *local = translation;
        tdNodePose_MarkShifted(pose, node);
    }
}

static inline void tdNodePose_SetRotation(tdNodePose* pose, int node, tdQuat rotation)
{
    tdQuat* local = &pose->locals[node].rotation;
    if (memcmp(local, &rotation, sizeof(rotation)) != 0)
    {
        *local = rotation;
        tdNodePose_MarkTurned(pose, node);
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
        tdNodePose_MarkShifted(pose, node);
    }
}

/// Derives from the locals everything that the setters keep up to date beside dirty bits. Call it after
/// locals were written in another way.
void tdNodePose_AdoptLocals(tdNodePose* pose);

/// Updates the globals of some nodes. The list has parents before children, and the globals of other
/// ancestors are current.
void tdNodePose_Refresh(tdNodePose* pose, const int* list, int count);
/// Product of the local rotations from the placement down to a node (-1: of the placement alone). Under
/// scales that are uneven or mirror it is not the rotation of the node's global.
tdQuat tdNodePose_ComputeRotation(const tdNodePose* pose, int node);
/// Updates the global of one node, whose parent's global is current. A driven node is set first.
/// @param isFinal neither the node nor an ancestor changes before the next sweep
void tdNodePose_RefreshNode(tdNodePose* pose, int node, bool isFinal);
/// Updates all globals that are out of date and sets the locals of driven nodes on the way.
void tdNodePose_Sweep(tdNodePose* pose);
