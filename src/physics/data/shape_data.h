// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes: geometry, material, filter, and the proxy in the broad phase.
#pragma once

#include "geometry/shape.h"

#include "tendon/physics.h"

enum // tdShape.flags
{
    TD_SHAPE_TRIGGER = 1,
    TD_SHAPE_CONTACT_EVENTS = 2,
    TD_SHAPE_ENLARGED = 4,  // the fat box grew in this step and the tree still has the old one
    TD_SHAPE_UNBOUNDED = 8, // infinite plane: not in a tree, tested against every moved shape
    TD_SHAPE_QUEUED = 16,   // in the move buffer (world->moved)
    TD_SHAPE_FRESH = 32,    // queued, and pairs with its previous box may be missing
    TD_SHAPE_DISABLED = 64, // collides with nothing, and queries pass it
    TD_SHAPE_MEMBER = 128,  // a part of a compound: its body has the leaf (broad_phase/part_tree.h)
};

typedef struct tdShape
{
    tdShapeGeometry geometry;
    uint32_t generation;
    int body;     // -1: free
    int next;     // in the body's list; also the free list
    int previous; // in the body's list; -1: first
    int proxy;    // leaf in a tree, or node of the part tree of a member; -1: none
    uint8_t tree; // tdAabbTreeKind
    uint8_t frictionCombine, restitutionCombine;
    uint8_t flags;
    float density; // kg/m^3
    float staticFriction, dynamicFriction, restitution;
    uint32_t filter;    // index1 of the filter, 0: none
    int exclusionCount; // pair exclusions that refer to this shape
    int moveIndex;      // while queued: index in world->moved
    int geometryIndex;  // hull or mesh: index in world->geometries, stored in saved states
    tdAabb fatAabb;
    tdAabb previousAabb; // while queued and not fresh: the fat box whose pairs all exist
    float outerRadius;   // m, of a sphere about the body's origin that contains the shape
    float innerRadius;   // m, of a sphere inside the shape; 0 for meshes
    _Alignas(8) uint64_t userData;
} tdShape;
