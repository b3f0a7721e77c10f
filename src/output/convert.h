// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// State of a conversion, private to the convert_*.c files.
#pragma once

#include "base/report.h"
#include "base/text.h"
#include "gltf/document_edit.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/convert.h"

typedef struct tdConverter
{
    const tdAsset* asset;
    const tdPhysicsScene* physics;
    const tdJson* json;
    tdDocumentEdit* edit;
    tdReport* report;
    tdPhysicsTarget target;
    tdArena scratch;
    const int* nodeValues; // JSON value of each node
    int* shapeIndices; // by shape, 4 entries: index in the new table as mesh or hull (2), as trigger (1); -1
    int* meshNodes;    // by mesh: node outside the scene that carries it (KHR); -1
    const int* bodyAt; // by node: its own body; -1
    const int* colliderAt;  // by node: its solid collider; -1
    const int* triggerAt;   // by node: its trigger; -1
    const int* compoundAt;  // by node: its compound trigger; -1
    const int* jointAt;     // by node: the joint it holds; -1
    bool* isKept;           // by body: in KHR, which has no static bodies, a static one becomes kinematic
    bool* hasSolid;         // by body: it owns a solid collider
    bool* needsStaticBody;  // by node: an end of an early OMI joint without a body
    const bool* isScaledAt; // by node: it or an ancestor scales
    const int* anchorAt;    // by node: index in anchorGlobals; -1
    const tdMat4* anchorGlobals; // global matrices of some nodes deep in the tree
    bool* isMoved;          // by node: its object of early OMI is moved elsewhere, or only early OMI needs it
    int nestedTriggerCount; // compound triggers that are part of another one
    int repeatedParts;      // comparisons and nodes of nested compound triggers so far
    bool hasFailed;
} tdConverter;

static inline bool tdIsOmiTarget(tdPhysicsTarget target)
{
    return target == TD_PHYSICS_OMI || target == TD_PHYSICS_OMI_EARLY;
}

/// Reports an approximation. `what` and `instead` are parts of a sentence.
void tdConverter_Report(tdConverter* converter, const tdPath* path, const char* what, const char* instead);

/// `,"key":` before every member but the first.
typedef struct tdMembers
{
    tdText* text;
    int count;
} tdMembers;

/// Whether a joint of early OMI needs nodes for its frames in a dialect with two frames; both ends of such
/// joints are bodies.
bool tdConverter_NeedsFrameNodes(const tdConverter* converter, const tdPhysicsJoint* joint);
/// An array of -1. NULL when memory ran out.
int* tdConverter_NewIndices(tdArena* arena, int count);

/// Texts of new objects.
typedef struct tdNewObjects
{
    tdText shapes, constraints; // tables being filled while nodes are written
    int shapeCount, constraintCount;
    tdText body, collider, joint; // extension objects of the current node; empty: none
} tdNewObjects;

/// A member of an "extensions" object; an empty text: none.
typedef struct tdNewMember
{
    const char* name;
    const tdText* text;
} tdNewMember;
