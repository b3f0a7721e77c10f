// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes as the world keeps them: geometry, material, filter, and the leaf in the broad phase.
#pragma once

#include "geometry/shape.h"
#include "physics/broad_phase/tree.h"

#include "tendon/physics.h"

enum // tdShape.flags
{
    TD_SHAPE_TRIGGER = 1,
    TD_SHAPE_CONTACT_EVENTS = 2,
    TD_SHAPE_ENLARGED = 4,  // the fat box grew in this step, the tree does not know yet
    TD_SHAPE_UNBOUNDED = 8, // infinite plane: kept out of the tree, looked at one by one
    TD_SHAPE_QUEUED = 16,   // is in world->moved
    TD_SHAPE_FRESH = 32,    // queued, and may lack contacts with what its box overlapped before
};

typedef struct tdShape
{
    tdShapeGeometry geometry;
    uint32_t generation;
    int body;     // -1: free
    int next;     // in the body's list; also the free list
    int previous; // in the body's list, -1: it is the head
    int proxy;    // leaf in a tree, -1: none
    uint8_t tree; // tdTreeKind
    uint8_t frictionCombine, restitutionCombine;
    uint8_t flags;
    float density;
    float staticFriction, dynamicFriction, restitution;
    uint32_t filter;    // index1 of the filter, 0: none
    int exclusionCount; // pair exclusions that name this shape
    int moveIndex;      // while queued: in world->moved
    int geometryIndex;  // hull or mesh: in world->geometries, which saved states refer to
    tdAabb fatAabb;
    tdAabb previousAabb; // while queued and not fresh: the fat box for which all pairs are known
    float outerRadius;   // about the body's origin; how far rotation can move its points
    float innerRadius;
    uint64_t userData;
} tdShape;

int tdWorld_GetShapeIndex(const tdWorld* world, tdShapeId id);
tdShapeId tdWorld_MakeShapeId(const tdWorld* world, int shape);

/// Gives an implicit shape other measures; its place in the body goes with them. Mass stays as it is, and so
/// does the kind; planes cannot become unbounded, nor bounded.
/// @return false when nothing changed
bool tdShape_SetGeometry(tdWorld* world, tdShapeId shape, const tdShapeGeometry* geometry);

/// Friction and restitution of a pair by the rules of docs/spec/physics.md 5.3.
float tdCombineMaterial(float a, tdCombine combineA, float b, tdCombine combineB);

/// Without updating the mass of its body.
void tdWorld_RemoveShape(tdWorld* world, int shape, bool wake);
/// Fat box anew, into its tree and into the move buffer. Room for both must be there.
void tdWorld_RefreshProxy(tdWorld* world, int shape);
/// Put the shape into the move buffer. All its pairs are looked for, or, if it only moved, those its previous
/// box did not have.
void tdWorld_QueueShape(tdWorld* world, int shape);
void tdWorld_QueueMovedShape(tdWorld* world, int shape);
/// The tree it belongs to, by the motion of its body.
tdTreeKind tdShape_ChooseTree(const tdWorld* world, int shape);
/// Whether the fat boxes of two shapes overlap; unbounded planes by their half-space.
bool tdWorld_TestFatBoxes(const tdWorld* world, int shapeA, int shapeB);
/// A tight box with the room around it that moving shapes get.
tdAabb tdMakeFatAabb(tdAabb tight, tdVec3 displacement);
