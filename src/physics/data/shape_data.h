// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes as the world keeps them: geometry, material, filter, and the leaf in the broad phase.
#pragma once

#include "geometry/shape.h"

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
    uint8_t tree; // tdAabbTreeKind
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
