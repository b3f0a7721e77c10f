// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The world: every array of the engine, and the phases of a step in their order.
//
//   1. UpdatePairs     broad phase: new contacts for what moved last time          (parallel queries, serial
//   births)
//   2. TestPairs       narrow phase of pairs that may have come together           (parallel, into scratch)
//   3. Reserve         all memory the rest of the step needs; if it fails nothing visible has changed
//   4. UpdateTouches   births, manifolds (parallel), deaths, islands, graph colours
//   5. Solve           sub-steps, then bodies are finalised                        (parallel, solver.h)
//   6. Continuous      fast bodies are stopped at their first impact               (parallel per body)
//   7. Refit           fat boxes that grew go into the trees
//   8. Events, sleep
//
// Everything that runs on several workers writes only to the item's own slot; everything that changes
// structure is serial and walks items in index order. So results do not depend on the number of workers.
#pragma once

#include "base/array.h"
#include "base/tasks.h"
#include "physics/data/body_data.h"
#include "physics/data/contact_data.h"
#include "physics/data/filter.h"
#include "physics/data/island_data.h"
#include "physics/data/pair_set.h"
#include "physics/data/shape_data.h"

typedef struct tdSolver tdSolver;     // solver/solver_data.h
typedef struct tdAabbTree tdAabbTree; // broad_phase/aabb_tree.h
typedef struct tdJointSet tdJointSet; // data/joint_data.h

/// Pairs one worker found: (index in world->moved) << 32 | other shape.
typedef struct tdPairBuffer
{
    uint64_t* keys;
    int count, capacity; // count beyond capacity: these did not fit
} tdPairBuffer;

/// What the narrow phase found out about an apart pair.
typedef struct tdPairChange
{
    int contact;
    int manifoldCount; // 0: the boxes do not overlap any more
} tdPairChange;

enum // world->marks
{
    TD_MARK_FAST = 1,     // dynamic, needs continuous collision
    TD_MARK_SWEEPS = 2,   // kinematic, moved far
    TD_MARK_ENLARGED = 4, // one of its fat boxes has to grow
    TD_MARK_BULLET = 8,   // fast enough to pass through dynamic bodies
};

/// A body that continuous collision looks at, and what it found.
typedef struct tdFastBody
{
    int simIndex;
    float fraction;         // of the first impact, 1: none
    int targetBody;         // what was hit there
    int targetFast;         // and if that is a bullet too its index among the fast bodies, else -1
    tdTransform targetPose; // at the impact
    bool isDeep;            // it is the core that would get through
    tdVec3 point;           // where they met
    tdVec3 normal;          // of that: unit, out of what was hit
    tdVec3 velocity;        // of what was hit, at the body
    tdAabb box;             // of the whole way; bullets only
} tdFastBody;

struct tdWorld
{
    tdAllocator allocator;
    const tdTasks* tasks;
    int workerCount;
    tdVec3 gravity;
    int subStepCount;
    bool enableSleep, enableContinuous;
    tdStatus status;
    bool isLocked; // inside a step
    uint64_t stepIndex;
    tdWorldDef def;

    // Bodies: cold records by id, and the awake ones dense. See body.h.
    tdArray(tdBody) bodies;
    int freeBody;
    int liveBodyCount;
    tdBodySim* restSims;              // by body index, bodies.capacity of them
    tdBodySim* sims;                  // 64-byte aligned, by awake index; slot 0 is the dummy
    tdBodyState* states;              // 64-byte aligned
    uint32_t* displacements;          // how far each awake body went (contact.h)
    uint32_t* predictedDisplacements; // displacements, and how far it may go in this step
    uint8_t* marks;                   // TD_MARK_..., what the end of the step has to look at
    int awakeKinematicCount;
    int awakeCount;   // slots in use, slot 0 included: awake bodies are [1, awakeCount)
    int bodyCapacity; // of these arrays

    tdArray(tdShape) shapes;
    int freeShape;
    int liveShapeCount;
    tdArray(int) unbounded;          // shapes without a box
    tdArray(const void*) geometries; // hulls and meshes in order of their first use

    tdFilterTable filters;
    tdPairSet exclusions; // value: how often asked for

    // Broad phase.
    tdAabbTree* trees;  // TD_AABB_TREE_COUNT of them
    tdArray(int) moved; // shapes to pair: created, teleported, or out of their fat box
    tdPairSet pairs;

    // Contacts: cold records by index, and the dense arrays of what is awake. See contact.h.
    tdArray(tdContact) contacts;
    int freeContact;
    int liveContactCount;
    int touchingTotal; // contacts of kind TOUCH, asleep ones included
    int triggerTotal;  // contacts of kind TRIGGER, likewise
    tdArray(tdSeparatedContact) separatedContacts;
    tdArray(tdSeparatedContact) triggers;
    tdArray(tdTouchingContact) touchingContacts;
    tdContactManifold* manifolds; // 64-byte aligned pool of blocks of 1, 2, 4 ... manifolds
    int manifoldCount, manifoldCapacity;
    int freeManifolds[TD_MANIFOLD_CLASSES]; // by log2 of the block's size, linked through points[0].feature;
                                            // -1: none
    int freeManifoldCounts[TD_MANIFOLD_CLASSES]; // blocks in these lists
    int liveManifolds;                           // in blocks handed out

    // Islands.
    tdArray(tdIsland) islands;
    int freeIsland;
    int awakeIslandCount;

    tdJointSet* joints;
    tdSolver* solver;

    // Events of the last step.
    tdArray(tdWorldContactEvent) contactEvents;
    tdArray(tdWorldTriggerEvent) triggerEvents;
    tdArray(tdMovedBody) movedBodies;
    tdArray(tdWorldContactEvent) pendingContactEvents; // from destruction between steps
    tdArray(tdWorldTriggerEvent) pendingTriggerEvents;

    // Scratch of a step, kept from step to step.
    float timeStep;
    tdArray(uint8_t) pairFlags;        // per apart pair: came together
    tdArray(uint8_t) triggerFlags;     // per trigger pair: overlaps now
    tdArray(uint8_t) touchingFlags;    // per touch: came apart, wants room
    tdArray(tdPairChange) pairChanges; // apart pairs that came together or whose boxes parted, in order
    tdArray(int) wantRoom;             // contacts with more manifolds than fit into their block
    tdArray(int) islandScratch;
    tdArray(tdFastBody) fastBodies;
    tdArray(int) bullets;      // indices into fastBodies, by the left end of their boxes
    tdPairBuffer* pairBuffers; // one per worker
    tdArray(uint64_t) newPairs, newPairScratch;
    tdStepStats stats;
};

/// Body behind a sim reference (body.h, invariant 3).
static inline tdBodySim* tdWorld_GetSim(const tdWorld* world, int reference)
{
    return reference > 0 ? world->sims + reference : world->restSims + ~reference;
}

/// Sim reference of a body.
static inline int tdWorld_GetSimReference(const tdWorld* world, int body)
{
    int simIndex = world->bodies.data[body].simIndex;
    return simIndex > 0 ? simIndex : ~body;
}

static inline tdBodySim* tdWorld_GetBodySim(const tdWorld* world, int body)
{
    return tdWorld_GetSim(world, tdWorld_GetSimReference(world, body));
}
