// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies: the cold record per id, and the dense arrays of what is awake.
//
// Invariants
//   1. An awake body (kinematic or dynamic) has simIndex > 0; its tdBodySim, tdBodyState and travel counter
//   are
//      world->sims[simIndex], world->states[simIndex], world->displacements[simIndex]. Slot 0 of these arrays
//      is the identity dummy that stands for every body that cannot move; it is never written.
//   2. A static, sleeping or parked body has simIndex 0 and lives in world->restSims[body index].
//   3. Dense records (touch, apart pair) name a body by a "sim reference": the simIndex if it is awake, else
//      ~(body index), which is negative. tdWorld_GetSim resolves one; tdMaxInt(reference, 0) is the solver
//      slot.
//   4. bodyCapacity of the dense arrays is never below the number of bodies + 1, so that waking needs no
//   memory.
#pragma once

#include "math/vecmath.h"

#include "tendon/physics.h"

/// Symmetric 3 x 3 matrix.
typedef struct tdSym3
{
    float xx, yy, zz, xy, xz, yz;
} tdSym3;

enum // tdBodySim.flags
{
    TD_BODY_DYNAMIC = 1,     // written by constraints; kinematic bodies have a slot but are only read
    TD_BODY_KINEMATIC = 2,   // moves with its velocity
    TD_BODY_GYROSCOPIC = 4,  // principal inertias differ: the torque w x (I w) matters
    TD_BODY_HAS_TARGET = 32, // kinematic: the velocity of this step comes from a target
    TD_BODY_NO_SLEEP = 64,   // must not fall asleep
    TD_BODY_NO_CONTINUOUS = 128,
    TD_BODY_TARGET_DONE = 256, // kinematic: the target was reached in the last step, it rests now
};

/// What stays constant or is needed once per step: 192 bytes.
typedef struct tdBodySim
{
    tdTransform transform; // of the body's origin
    tdVec3 center;         // centre of mass in the world
    tdSym3 invInertia;     // in world axes about the centre, refreshed when the step ends
    tdVec3 localCenter;    // centre of mass in the body
    float invMass;
    tdVec3 invInertiaDiagonal; // principal; 0: no turning about that axis
    float gravityFactor;
    tdQuat inertiaOrientation; // of the principal axes in the body
    tdVec3 force;              // N, world; cleared when the step ends
    uint32_t flags;
    tdVec3 torque;      // N m, world
    int body;           // index of its tdBody
    float outerRadius;  // about the centre of mass, holds all solid shapes
    float innerRadius;  // smallest inner radius of its shapes: how far it may go without continuous collision
    float sleepTime;    // s below the sleep speed
    float sleepSpeed;   // m/s: fastest point of the last step, position correction included
    tdVec3 startCenter; // at the begin of the last step, for continuous collision
    tdQuat startRotation;
    float boxRoom; // how far it may go before one of its fat boxes has to be looked at
} tdBodySim;

/// What the sub-steps read and write: 64 bytes, 64-byte aligned. The first half is what constraints gather in
/// a velocity pass, the second what they add in a position-dependent one.
typedef struct tdBodyState
{
    tdVec3 linearVelocity; // of the centre of mass
    uint32_t flags;        // copy of tdBodySim.flags at the begin of the step
    tdVec3 angularVelocity;
    float padding0;
    tdVec3 deltaPosition; // of the centre of mass since the begin of the step
    float padding1;
    tdQuat deltaRotation; // since the begin of the step; rotation now = deltaRotation * rotation
} tdBodyState;

_Static_assert(sizeof(tdBodyState) == 64, "one cache line");
_Static_assert(sizeof(tdBodySim) == 192, "three cache lines");

/// The cold record, one per id. A free one has motion -1.
typedef struct tdBody
{
    uint32_t generation;
    int motion;   // tdMotion
    int simIndex; // > 0: awake
    int shapeHead, shapeCount;
    int contactHead, contactCount; // head is a contact key: contact * 2 + side; -1: none
    int jointHead, jointCount;     // kept by joint.c; head -1: none
    int island;                    // -1 for bodies that are not dynamic
    int islandPrevious, islandNext;
    int exclusionCount; // pair exclusions that name this body
    int nextFree;
    bool enableSleep, enableContinuous;
    bool hasMass, hasCenter, hasInertia, automaticMass;
    uint8_t padding[2];  // bodies are saved as they lie: no byte is left to chance
    float mass;          // as given or computed; INFINITY: immovable
    tdVec3 givenCenter;  // if hasCenter
    tdVec3 givenInertia; // if hasInertia
    tdQuat givenOrientation;
    float gravityFactor;
    tdTransform target; // kinematic: pose at the end of the next step
    uint64_t userData;
} tdBody;

/// Room for that many bodies in all arrays by body index and awake index. False: out of memory.
bool tdWorld_ReserveBodies(tdWorld* world, int count);

/// Rotate the principal inverse inertia into the world.
tdSym3 tdComputeWorldInvInertia(const tdBodySim* sim);
