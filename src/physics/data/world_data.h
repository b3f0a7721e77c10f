// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The world: all arrays of the engine. world/step.c runs the phases of a step over them:
//
//   1. PredictDisplacements    how far each body may move in this step                     (parallel)
//   2. UpdatePairs             broad phase: contacts for shapes that moved                 (parallel search)
//   3. TestPairs               narrow phase of separated contacts                          (parallel)
//   4. ReserveStepMemory       all memory of the rest of the step; on failure nothing visible changed
//   5. DriveKinematic          velocities of kinematic bodies from their targets
//   6. UpdateTouchingContacts  new and ended contacts, manifolds, islands, colours         (parallel)
//   7. RunSubSteps             constraint solver and body update                           (parallel)
//   8. SolveContinuous         fast bodies stop at their first impact                      (parallel search)
//   9. RefitTrees              enlarged fat boxes enter the trees
//  10. events, sleep test
//
// Parallel phases write only to the slot of the item they work on. Changes of structure are serial and visit
// items in index order. Results therefore do not depend on the number of workers. See docs/decisions/060.
#pragma once

#include "base/array.h"
#include "base/compiler.h"
#include "base/tasks.h"
#include "physics/data/body_data.h"
#include "physics/data/contact_data.h"
#include "physics/data/filter.h"
#include "physics/data/island_data.h"
#include "physics/data/pair_set.h"
#include "physics/data/shape_data.h"

typedef struct tdCallLog tdCallLog;     // data/call_log.h
typedef struct tdSolver tdSolver;       // solver/solver_data.h
typedef struct tdAabbTree tdAabbTree;   // broad_phase/aabb_tree.h
typedef struct tdJointSet tdJointSet;   // data/joint_data.h
typedef struct tdPartTrees tdPartTrees; // broad_phase/part_tree.h

/// Pairs that one worker found in the broad phase: (index in world->moved) << 32 | other shape.
typedef struct tdPairBuffer
{
    uint64_t* keys;
    int count, capacity; // count > capacity: the rest did not fit
} tdPairBuffer;

/// Result of the narrow phase for a separated contact that changes.
typedef struct tdPairChange
{
    int contact;
    int manifoldCount; // 0: the fat boxes no longer overlap
} tdPairChange;

enum // world->marks
{
    TD_MARK_FAST = 1,     // dynamic body that needs continuous collision
    TD_MARK_SWEEPS = 2,   // kinematic body that moved far
    TD_MARK_ENLARGED = 4, // a shape left its fat box
    TD_MARK_BULLET = 8,   // fast enough to pass through dynamic bodies
    TD_MARK_TRAVELS = 16, // fast enough to pass through a trigger, or its triggers through a body
};

typedef struct tdBodyMotion
{
    tdTransform pose;
    tdVec3 linearVelocity, angularVelocity;
} tdBodyMotion;

/// A body that needs continuous collision, and its first impact.
typedef struct tdFastBody
{
    int simIndex;
    float fraction;         // of the move up to the first impact; 1: none
    int targetBody;         // the body it hits
    int targetFast;         // index in fastBodies if that body is a bullet too, else -1
    tdTransform targetPose; // pose of that body at the impact
    bool isDeep;            // the core of the shape would pass through
    tdVec3 point;           // of the impact
    tdVec3 normal;          // of the impact: unit, out of the body that is hit
    tdVec3 velocity;        // m/s, of the body that is hit, at the point
    tdAabb box;             // swept box of the move; bullets only
    int shape, targetShape; // that hit each other
    bool isFollowed;        // the impact was solved and the rest of the step simulated
    bool isBlocked;         // another dynamic body is near the path after the impact: the body stays there
    bool isHeldUp;          // it stops because a body that it touches does
    int sweptPairs;         // pairs of shapes that were tested
    float impulse;          // N s of a bounce off the target, for its events; 0: none
    tdBodyMotion atImpact, atEnd; // if followed: after the impact, and at the end of the step
    tdAabb path;                  // if followed: swept box after the impact
} tdFastBody;

/// Largest factor of the frequency of contact springs.
#define TD_MAX_SPRING_SCALE 8

/// A body that moved farther than its thickness, for the sweep of triggers.
typedef struct tdTraveller
{
    tdAabb box; // of its whole way in the step
    int simIndex;
    bool hasTrigger, hasSolid;
} tdTraveller;

/// A fast body that is also swept against dynamic bodies.
typedef struct tdBullet
{
    tdAabb box;  // swept box of the move
    float start; // lower bound of the box along the axis of the list
    float reach; // largest upper bound of this and all earlier bullets
    int fast;    // index in fastBodies
} tdBullet;

struct tdWorld
{
    uint32_t number; // 1 to 255, in the top byte of the ids' generation
    tdAllocator allocator;
    const tdTasks* tasks;
    int workerCount;
    tdVec3 gravity;
    int subStepCount;
    // Springs of contacts that piles need (world/pile.c): factor of their frequency, the present factor,
    // which follows it, the factor of subStepCount, and the steps since a pile needed them.
    int springScale;
    float hertzScale;
    int subStepScale, firmSteps;
    bool enableSleep, enableContinuous;
    tdStatus status;
    bool isPairLimitReached; // shapes wait in the move buffer for room
    bool isLocked;           // inside a step
    uint64_t stepIndex;
    tdWorldDef def;
    tdCallLog* calls;     // of a recording; NULL: none
    bool refusesQuietly;  // calls with invalid numbers do not assert: they come from a file
    uint64_t fingerprint; // of what the world was built with (fingerprint.h)
    bool isFingerprintFixed;

    // Bodies: records by id, and dense arrays of the awake ones (body_data.h).
    tdArray(tdBody) bodies;
    int freeBody;
    int liveBodyCount;
    tdBodySim* restSims;              // by body index, bodies.capacity of them
    tdBodySim* sims;                  // 64-byte aligned, by awake index; slot 0 is the identity body
    tdBodyState* states;              // 64-byte aligned
    tdTilt* tilts;                    // by awake index
    uint32_t* displacements;          // counters by awake index (TD_DISPLACEMENT_UNIT)
    uint32_t* predictedDisplacements; // counters as they may be at the end of this step
    tdStartVelocity* startVelocities;
    uint8_t* marks; // TD_MARK_... by awake index, for the end of the step
    int awakeKinematicCount;
    int awakeCount;   // slots in use, slot 0 included: awake bodies are [1, awakeCount)
    int bodyCapacity; // of these arrays

    tdArray(tdShape) shapes;
    int freeShape;
    int liveShapeCount;
    int triggerShapeCount;           // triggers among them
    tdArray(int) unbounded;          // shapes without a finite box
    tdArray(const void*) geometries; // hulls and meshes in the order of their first use

    tdFilterTable filters;
    tdPairSet exclusions; // pairs that must not collide; value: how many joints exclude the pair

    // Broad phase (broad_phase/).
    tdAabbTree* trees;      // TD_AABB_TREE_COUNT of them
    tdPartTrees* partTrees; // of compound bodies; NULL: none yet
    tdArray(int) moved;     // move buffer: shapes that were created, teleported, or left their fat box
    tdPairSet pairs;        // pairs of shapes that have a contact; value: the contact

    // Contacts: records by index, and dense arrays of the awake ones (contact_data.h).
    tdArray(tdContact) contacts;
    int freeContact;
    int liveContactCount;
    int touchingTotal; // touching contacts, sleeping ones included
    int triggerTotal;  // trigger pairs, likewise
    tdArray(tdSeparatedContact) separatedContacts;
    tdArray(tdSeparatedContact) triggers;
    tdArray(tdTouchingContact) touchingContacts;
    tdContactManifold* manifolds; // 64-byte aligned pool of blocks of 1, 2, 4 ... manifolds
    int manifoldCount, manifoldCapacity;
    int freeManifolds[TD_MANIFOLD_CLASSES];      // first free block by log2 of its size, -1: none
    int freeManifoldCounts[TD_MANIFOLD_CLASSES]; // blocks in these lists
    int liveManifolds;                           // manifolds in acquired blocks

    // Islands.
    tdArray(tdIsland) islands;
    int freeIsland;
    int awakeIslandCount;
    int loadedIslandCount, smallIslandCount; // islands that may be stacks (solver/stack.c)

    tdJointSet* joints;
    tdSolver* solver;

    // Events of the last step.
    tdArray(tdWorldContactEvent) contactEvents;
    tdArray(tdWorldTriggerEvent) triggerEvents;
    tdArray(tdMovedBody) movedBodies;
    tdArray(tdWorldContactEvent) pendingContactEvents; // from changes between two steps
    tdArray(tdWorldTriggerEvent) pendingTriggerEvents;

    // Scratch memory of a step. It keeps its capacity.
    float timeStep;
    tdArray(uint8_t) pairFlags;        // by separated contact: result of the narrow phase
    tdArray(uint8_t) triggerFlags;     // by trigger pair: result of the overlap test
    tdArray(uint8_t) touchingFlags;    // by touching contact: it ends, needs a larger block, or has an event
    tdArray(tdPairChange) pairChanges; // separated contacts that change, in order
    tdArray(int) wantRoom;             // contacts whose manifolds do not fit their block
    tdArray(int) islandScratch;        // sleep test: three parts of one entry per body
    tdArray(atomic_int) islandRoots;   // sleep test: union-find by body index
    tdArray(tdFastBody) fastBodies;
    tdArray(tdBullet) bullets;       // sorted by start, then by index
    int bulletAxis;                  // the axis along which the bullets are spread farthest
    tdArray(tdTraveller) travellers; // bodies with TD_MARK_TRAVELS, if there are triggers
    tdArray(uint64_t) passages; // trigger << 32 | visitor: shapes that passed through a trigger in this step
    tdPairBuffer* pairBuffers;  // one per worker
    tdArray(uint64_t) newPairs, newPairScratch;
    tdStepStats stats;
};

/// Sag of a contact that makes its island a stack, relative to the inner radius of the smaller body.
#define TD_STACK_SAG 0.02f

/// Sag of a contact spring under the weight of a body, m: g / (2 pi f)^2, with f = 30 Hz or less if the
/// sub-steps are longer than 1/240 s.
static inline float tdGetSagPerWeight(const tdWorld* world)
{
    float softness = tdMaxFloat(240.0f * world->timeStep / (float)world->subStepCount, 1.0f);
    return 2.8145e-5f * tdLength(world->gravity) * (softness * softness);
}

/// Sub-steps of the current step.
static inline int tdWorld_GetSubStepCount(const tdWorld* world)
{
    return world->subStepCount * world->subStepScale;
}

/// The island of the awake dynamic bodies of a contact; NULL if none of its bodies is one.
static inline tdIsland* tdWorld_FindContactIsland(const tdWorld* world, const tdTouchingContact* touching)
{
    int sims[2] = {touching->simA, touching->simB};
    for (int i = 0; i < 2; ++i)
    {
        if (sims[i] > 0 && (world->sims[sims[i]].flags & TD_BODY_DYNAMIC) != 0)
        {
            return &world->islands.data[world->bodies.data[world->sims[sims[i]].body].island];
        }
    }
    return NULL;
}

/// Generation of an id: that of the record in the low 24 bits, the number of the world in the top byte. An id
/// of another world is therefore invalid.
static inline uint32_t tdWorld_MakeGeneration(const tdWorld* world, uint32_t generation)
{
    return (generation & UINT32_C(0xffffff)) | world->number << 24;
}

/// Whether a generation was made by this world; true for 0, the null id.
static inline bool tdWorld_OwnsGeneration(const tdWorld* world, uint32_t generation)
{
    return generation == 0 || generation >> 24 == world->number;
}

/// Id of a filter; number 0 is none.
static inline tdFilterId tdWorld_MakeFilterId(const tdWorld* world, uint32_t filter)
{
    return (tdFilterId){filter, filter != 0 ? world->number : 0};
}

/// Whether a filter is null or one of this world.
static inline bool tdWorld_OwnsFilter(const tdWorld* world, tdFilterId filter)
{
    return filter.index1 == 0 ||
           (filter.world == world->number && filter.index1 <= (uint32_t)world->filters.filters.count);
}

/// The body behind a sim reference (body_data.h, invariant 3).
static inline tdBodySim* tdWorld_GetSim(const tdWorld* world, int reference)
{
    return reference > 0 ? world->sims + reference : world->restSims + ~reference;
}

/// The sim reference of a body.
static inline int tdWorld_GetSimReference(const tdWorld* world, int body)
{
    int simIndex = world->bodies.data[body].simIndex;
    return simIndex > 0 ? simIndex : ~body;
}

static inline tdBodySim* tdWorld_GetBodySim(const tdWorld* world, int body)
{
    return tdWorld_GetSim(world, tdWorld_GetSimReference(world, body));
}
