// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts: pairs of shapes whose fat boxes overlap. Each has one cold record with a stable index, and while
// one of its bodies is awake one entry in one of three dense arrays:
//
//   world->separatedContacts    no manifold at the last test: 16 bytes, skipped until the bodies travelled
//   far enough world->touches   has manifolds: solved world->triggers  one of the two is a trigger: overlap
//   test only, same 16 bytes
//
// Manifolds live in a pool of their own (world->manifolds), the ones of a contact one after the other, and
// stay where they are through sleep and wake.
#pragma once

#include "math/vecmath.h"
#include "physics/data/manifold_data.h"

typedef struct tdWorld tdWorld;

/// Points are kept while closer than this: what the solver may see coming. m
#define TD_SPECULATIVE_MARGIN 0.02f
/// Overlap that is left alone, so that contacts persist. m
#define TD_LINEAR_SLOP 0.005f
/// A manifold sticks (static friction) while the speed of its friction centre along the surface is at most
/// this; it starts to slip when the friction needed exceeds the static bound, and sticks again when the speed
/// measured at the end of a step is below the threshold. m/s
#define TD_STICKING_SPEED 0.01f
/// Radius of the patch that a contact point stands for: friction against twisting acts at least at this
/// lever. m
#define TD_PATCH_RADIUS 0.003f
/// Manifolds of one contact are at most this many (mesh against mesh).
#define TD_MAX_CONTACT_MANIFOLDS 64
/// Blocks of manifolds are 1, 2, 4 ... 64 long.
#define TD_MANIFOLD_CLASSES 7
/// Values of tdTouchingContact.sizeKey are below this.
#define TD_SIZE_KEY_COUNT (TD_MAX_CONTACT_MANIFOLDS + TD_MAX_MANIFOLD_POINTS + 1)

typedef struct tdContactPoint
{
    tdVec3 anchorA;      // on the surface of A, from A's centre of mass, in A's axes
    float normalImpulse; // N s per sub-step: warm start; written by the solver when a step ends
    tdVec3 anchorB;      // on the surface of B, from B's centre of mass, in B's axes
    uint32_t feature;
} tdContactPoint;

/// 192 bytes. The separation of a point in any pose is dot(cB + RB anchorB - cA - RA anchorA, RA normal):
/// exact when the manifold was made, first order while it is kept.
///
/// A point of a ball, capsule, cylinder or cone on something else is not fixed on the body: it stays where
/// the other surface is while the body rolls on. A line along the normal through a point of a surface of
/// revolution meets the axis, and that point on the axis does not move when the body turns about it. So its
/// anchor lies there, `roll` away from the surface, and the normal is in the axes of the other body.
typedef struct tdContactManifold
{
    tdVec3 normal; // unit, from A to B, in A's axes; if isRollingA in B's
    uint8_t pointCount;
    bool isSticking; // state: hashed and saved; a new manifold sticks
    uint16_t padding0;
    tdVec3 frictionImpulse; // N s, world, on B along the surface: warm start; written by the solver
    float twistImpulse;     // N m s about the normal
    float staticFriction, dynamicFriction, restitution; // combined
    float totalImpulse;  // N s along the normal during the whole step, all points: for events; written by the
                         // solver
    float minSeparation; // m at the begin of the step: written by the solver when it prepares
    float isRollingA;    // 1: A is the round body, 0: B is, if any
    float roll[2];       // m of the first two points: from the anchor to the surface of the round body
    tdContactPoint points[TD_MAX_MANIFOLD_POINTS];
} tdContactManifold;

_Static_assert(sizeof(tdContactManifold) == 192, "three cache lines");

/// No manifold at the last test. `expiry` is in travel units (see TD_DISPLACEMENT_UNIT): as long as
/// (int32_t)(expiry - travelA - travelB) >= 0 the shapes cannot have come within the margin.
typedef struct tdSeparatedContact
{
    int contact;
    int simA, simB; // sim references, body.h invariant 3
    uint32_t expiry;
} tdSeparatedContact;

/// Has manifolds and one awake body. Order of the array is part of the state.
typedef struct tdTouchingContact
{
    int contact;
    int simA, simB;    // sim references
    int firstManifold; // in world->manifolds
    uint8_t manifoldCount, manifoldCapacity;
    uint8_t color;   // of the constraint graph
    uint8_t sizeKey; // place inside the colour: contacts of like size next to each other (tdComputeSizeKey)
    uint32_t flags;
    tdQuat rotation; // pose of the smaller body in the larger one at the last narrow phase
    tdVec3 position;
    float radius;       // of the smaller shape about the origin of its body
    float keepDistance; // the manifolds hold while no point of the smaller shape moved farther
    uint32_t expiry;    // travel up to which the pose need not even be looked at
} tdTouchingContact;

/// Unit, from A to B, in the world. The rotations are those of the bodies.
static inline tdVec3 tdContactManifold_GetNormal(const tdContactManifold* manifold, tdQuat a, tdQuat b)
{
    return tdRotate(manifold->isRollingA > 0.0f ? b : a, manifold->normal);
}

/// From the centres of A and B to the point on their surfaces, in the world.
static inline void tdContactManifold_GetPoint(const tdContactManifold* manifold, int index, tdQuat a,
                                              tdQuat b, tdVec3* armA, tdVec3* armB)
{
    tdVec3 normal = tdContactManifold_GetNormal(manifold, a, b);
    float roll = index < 2 ? manifold->roll[index] : 0.0f;
    bool isA = manifold->isRollingA > 0.0f;
    *armA = tdMulAdd(tdRotate(a, manifold->points[index].anchorA), isA ? roll : 0.0f, normal);
    *armB = tdMulAdd(tdRotate(b, manifold->points[index].anchorB), isA ? 0.0f : -roll, normal);
}

_Static_assert(sizeof(tdSeparatedContact) == 16, "four to a cache line");
_Static_assert(sizeof(tdTouchingContact) == 64, "one cache line");

/// Many manifolds first, then many points first, so that the lanes of a group do like work.
static inline uint8_t tdComputeSizeKey(int manifoldCount, int pointCount)
{
    return (uint8_t)(manifoldCount > 1 ? TD_MAX_CONTACT_MANIFOLDS - manifoldCount
                                       : TD_MAX_CONTACT_MANIFOLDS + TD_MAX_MANIFOLD_POINTS - pointCount);
}

enum // tdTouchingContact.flags
{
    TD_TOUCHING_STALE = 1,    // narrow phase at the next step whatever the pose
    TD_TOUCHING_SWAPPED = 2,  // the pose kept is that of A in B, because A is the smaller one
    TD_TOUCHING_EVENTS = 4,   // mirrors TD_CONTACT_EVENTS
    TD_TOUCHING_BEGAN = 8,    // mirrors TD_CONTACT_BEGAN
    TD_TOUCHING_BOUNCES = 16, // its manifolds have restitution
};

typedef enum tdContactKind
{
    TD_CONTACT_FREE,
    TD_CONTACT_SEPARATED,
    TD_CONTACT_TOUCHING,
    TD_CONTACT_TRIGGER,
} tdContactKind;

enum // tdContact.flags
{
    TD_CONTACT_BEGAN = 1,     // touching was reported: contact events, or trigger overlap
    TD_CONTACT_EVENTS = 2,    // one of the shapes asks for contact events
    TD_CONTACT_TRIGGER_B = 4, // the trigger is shape B
    TD_CONTACT_LINKED = 8,    // both dynamic and in kind TOUCH: counts in the island
    TD_CONTACT_HAS_MESH = 16,
    TD_CONTACT_IN_GRAPH = 32, // solver knows it
};

typedef struct tdContactEdge
{
    int body;
    int previous, next; // contact keys in the body's list, -1: none
} tdContactEdge;

/// The cold record. Shape A has the lower index.
typedef struct tdContact
{
    int shapeA, shapeB;
    tdContactEdge edges[2]; // body of A, body of B
    uint8_t kind;           // tdContactKind
    uint8_t color;          // of the constraint graph, solver's
    uint16_t flags;
    int denseIndex; // in the dense array of its kind; -1 while nobody awake is in it
    int firstManifold, manifoldCount, manifoldCapacity; // while the kind is TOUCH and denseIndex is -1
    int nextFree;
    // The last test that found the shapes apart: nothing was nearer than testMargin in that pose, and
    // cache.separation bounds the distance from below.
    float testMargin; // 0: there was none
    tdTransform pose; // of the smaller shape's body in the larger one's
    tdManifoldCache cache;
} tdContact;

/// Travel counters: how far any point of a body moved at most, summed over all steps, in units of 2^-20 m,
/// modulo 2^32. Two's complement differences stay right as long as no single slack exceeds
/// TD_DISPLACEMENT_MAX_SLACK.
#define TD_DISPLACEMENT_UNIT 9.5367431640625e-7f
#define TD_DISPLACEMENT_MAX_SLACK 256.0f
#define TD_DISPLACEMENT_MAX_STEP 400.0f
