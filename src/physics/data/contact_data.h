// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts: pairs of shapes whose fat boxes overlap. Each contact has one record with a stable index. While
// one of its bodies is awake, it also has an entry in one of three dense arrays. See docs/decisions/060 and
// 061.
//
//   world->separatedContacts   no manifold at the last test; skipped until the bodies may have come closer
//   world->touchingContacts    has manifolds; the solver solves them
//   world->triggers            one of the shapes is a trigger; overlap test only
//
// Manifolds are in a pool of their own (data/manifold_pool.h). Those of one contact are consecutive and stay
// in place while the contact sleeps.
#pragma once

#include "math/vecmath.h"
#include "physics/data/body_data.h"
#include "physics/data/manifold_data.h"

typedef struct tdWorld tdWorld;

/// Contact points up to this distance are kept, so that the solver can prevent the impact of the next step. m
/// The margin of a small body is a part of its outer radius (docs/decisions/026).
#define TD_SPECULATIVE_MARGIN 0.02f
#define TD_SPECULATIVE_SHARE 0.065f
/// Overlap that the solver does not correct, so that resting contacts persist. m
#define TD_LINEAR_SLOP 0.005f
/// A sliding manifold returns to static friction when the tangential speed of its friction centre at the end
/// of a step is at most this. It leaves static friction when the required friction exceeds the static bound.
/// m/s
#define TD_STICKING_SPEED 0.01f
/// Radius of the surface patch that one contact point represents: the least lever arm of twist friction. m
/// At most TD_PATCH_SHARE of the distance between the contact and the nearer centre of mass.
#define TD_PATCH_RADIUS 0.003f
#define TD_PATCH_SHARE 0.06f
/// Most manifolds of one contact. Only mesh against mesh has more than a few.
#define TD_MAX_CONTACT_MANIFOLDS 64
/// Sizes of manifold blocks: 1, 2, 4 ... 64.
#define TD_MANIFOLD_CLASSES 7
/// Values of tdTouchingContact.sizeKey are below this.
#define TD_SIZE_KEY_COUNT (TD_MAX_CONTACT_MANIFOLDS + TD_MAX_MANIFOLD_POINTS + 1)

/// Speculative margin of a body of this outer radius, m. A contact has the margin of its smaller body.
static inline float tdGetSpeculativeMargin(float outerRadius)
{
    return tdMinFloat(TD_SPECULATIVE_MARGIN, TD_SPECULATIVE_SHARE * outerRadius);
}

/// Displacement of a step, m, up to which a body cannot pass through a surface: its core overlaps the surface
/// at the start or at the end, and contacts stop it. Bodies of open meshes and sheets have no core;
/// speculative contacts stop them.
static inline float tdBodySim_GetSlowDistance(const tdBodySim* sim)
{
    return sim->innerRadius > 0.0f ? 0.5f * sim->innerRadius : tdGetSpeculativeMargin(sim->outerRadius);
}

typedef struct tdContactPoint
{
    tdVec3 anchorA;      // on the surface of A, from A's centre of mass, in A's axes
    float normalImpulse; // N s per sub-step, for the warm start; the solver writes it at the end of a step
    tdVec3 anchorB;      // on the surface of B, from B's centre of mass, in B's axes
    uint32_t feature;    // id of the touching features, stable from step to step
} tdContactPoint;

/// Springs that a manifold of a pile needs (world/pile.c).
typedef enum tdSpringNeed
{
    TD_SPRINGS_ANY,
    TD_SPRINGS_KEPT, // not softer ones
    TD_SPRINGS_STIFFER
} tdSpringNeed;

/// 192 bytes. The separation of a point in any pose is dot(cB + RB anchorB - cA - RA anchorA, RA normal). It
/// is exact in the pose of the narrow phase and a first-order estimate while the manifold is kept.
///
/// Rolling contacts (docs/decisions/056): a contact point on a sphere, capsule, cylinder or cone does not
/// move with the surface when the body rolls. The line along the normal through the point meets the axis of
/// revolution in a point that rotation about the axis leaves in place. The anchor of such a body is that
/// point, `roll` away from the surface, and the normal is in the axes of the other body.
typedef struct tdContactManifold
{
    tdVec3 normal; // unit, from A to B, in A's axes; in B's axes if isRollingA
    uint8_t pointCount;
    bool isSticking;        // static friction holds; part of the hashed state; true in a new manifold
    bool isOverlapping;     // at the start of the step; the solver writes it
    uint8_t springNeed;     // a tdSpringNeed of this step; the solver writes it
    tdVec3 frictionImpulse; // N s on B along the surface, world axes; the solver writes it for the warm start
    float twistImpulse;     // N m s about the normal, likewise
    float staticFriction, dynamicFriction, restitution; // combined from both materials
    float totalImpulse; // N s along the normal in the whole step, all points; the solver writes it
    float sag;          // m, overlap of the contact springs under its mean load; the solver writes it
    float isRollingA;   // 1: A is the round body, 0: B is, if any
    float roll[2];      // m from the anchor to the surface of the round body, for the first two points
    tdContactPoint points[TD_MAX_MANIFOLD_POINTS];
} tdContactManifold;

_Static_assert(sizeof(tdContactManifold) == 192, "three cache lines");

/// A contact without manifold at the last test, or a trigger pair. `expiry` is in units of
/// TD_DISPLACEMENT_UNIT: while (int32_t)(expiry - displacementA - displacementB) >= 0 the shapes cannot be
/// closer than the margin.
typedef struct tdSeparatedContact
{
    int contact;
    int simA, simB; // sim references, body_data.h invariant 3
    uint32_t expiry;
} tdSeparatedContact;

/// A contact with manifolds and at least one awake body. The order of the array is part of the state.
typedef struct tdTouchingContact
{
    int contact;
    int simA, simB;    // sim references
    int firstManifold; // in world->manifolds
    uint8_t manifoldCount, manifoldCapacity;
    uint8_t color;   // of the constraint graph
    uint8_t sizeKey; // order inside a colour (tdComputeSizeKey)
    uint32_t flags;
    tdQuat rotation; // pose of the smaller body in the frame of the larger one at the last test
    tdVec3 position;
    float radius;       // m, of the smaller shape about the origin of its body
    float keepDistance; // m, the manifolds are kept while no point of the smaller shape moved farther
    uint32_t expiry;    // sum of displacements up to which the pose needs no test
} tdTouchingContact;

/// The normal in world axes: unit, from A to B.
/// @param a, b rotations of the bodies
static inline tdVec3 tdContactManifold_GetNormal(const tdContactManifold* manifold, tdQuat a, tdQuat b)
{
    return tdRotate(manifold->isRollingA > 0.0f ? b : a, manifold->normal);
}

/// Vectors from the centres of mass of A and B to a contact point on their surfaces, in world axes.
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

/// Sorts contacts with many manifolds first, then those with many points, so that the lanes of a SIMD group
/// have equal work.
static inline uint8_t tdComputeSizeKey(int manifoldCount, int pointCount)
{
    return (uint8_t)(manifoldCount > 1 ? TD_MAX_CONTACT_MANIFOLDS - manifoldCount
                                       : TD_MAX_CONTACT_MANIFOLDS + TD_MAX_MANIFOLD_POINTS - pointCount);
}

enum // tdTouchingContact.flags
{
    TD_TOUCHING_STALE = 1,    // needs the narrow phase in the next step, whatever its pose
    TD_TOUCHING_SWAPPED = 2,  // `rotation` and `position` place A in B, because A is smaller
    TD_TOUCHING_EVENTS = 4,   // mirrors TD_CONTACT_EVENTS
    TD_TOUCHING_BEGAN = 8,    // mirrors TD_CONTACT_BEGAN
    TD_TOUCHING_BOUNCES = 16, // a manifold has restitution
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
    TD_CONTACT_BEGAN = 1,     // the begin of the contact or trigger overlap was reported
    TD_CONTACT_EVENTS = 2,    // a shape has contact events enabled
    TD_CONTACT_TRIGGER_B = 4, // the trigger is shape B
    TD_CONTACT_LINKED = 8,    // both bodies are dynamic and touch: the contact links their islands
    TD_CONTACT_HAS_MESH = 16, // a shape is a mesh
    TD_CONTACT_IN_GRAPH = 32, // has a colour
    TD_CONTACT_UNTESTED = 64, // trigger: no test knows whether the shapes overlap at the start of the step
};

typedef struct tdContactEdge
{
    int body;
    int previous, next; // contact keys in the body's list, -1: none
} tdContactEdge;

/// The record of a contact. Shape A has the lower index.
typedef struct tdContact
{
    int shapeA, shapeB;
    tdContactEdge edges[2]; // body of A, body of B
    uint8_t kind;           // tdContactKind
    uint8_t color;          // of the constraint graph
    uint16_t flags;
    int denseIndex; // in the dense array of its kind; -1 while both bodies sleep
    int firstManifold, manifoldCount, manifoldCapacity; // of a sleeping touching contact
    int nextFree;
    // The last test without manifold: in that pose the shapes were farther apart than testMargin, and
    // cache.separation is a lower bound of their distance.
    float testMargin; // m; 0: no such test
    tdTransform pose; // of the smaller shape's body in the frame of the larger one's
    tdManifoldCache cache;
} tdContact;

/// Displacement counters: an upper bound of how far any point of a body moved, summed over all steps, modulo
/// 2^32, in units of 2^-20 m. The sum of two counters gives the relative displacement since the last test of
/// a pair.
#define TD_DISPLACEMENT_UNIT 9.5367431640625e-7f
/// Largest distance of a pair that an expiry encodes, m: differences of counters stay below half of their
/// range.
#define TD_DISPLACEMENT_MAX_SLACK 256.0f
/// Largest displacement counted per step, m, for the same reason.
#define TD_DISPLACEMENT_MAX_STEP 400.0f
