// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies: one record per id, and dense arrays of the awake bodies. See docs/decisions/060.
//
// Invariants
// 1. An awake body (kinematic or dynamic) has simIndex > 0. Its tdBodySim, tdBodyState, tilt and displacement
//      counter are world->sims[simIndex], world->states[simIndex] and world->displacements[simIndex]. Slot 0
//      of these arrays is an identity body that stands for every immovable body; nothing writes to it.
//   2. A static, sleeping or parked body has simIndex 0; its tdBodySim is world->restSims[body index].
//   3. Dense records (touching and separated contacts) refer to a body by a "sim reference": the simIndex
//      of an awake body, else ~(body index), which is negative. tdWorld_GetSim resolves a reference;
//      tdMaxInt(reference, 0) is the solver slot.
//   4. The capacity of the dense arrays is at least the number of bodies + 1, so waking never allocates.
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
    TD_BODY_DYNAMIC = 1, // constraints change its velocity; a kinematic body has a slot too but is only read
    TD_BODY_KINEMATIC = 2,       // moves with its velocity
    TD_BODY_GYROSCOPIC = 4,      // principal inertias differ: the gyroscopic torque w x (I w) is not zero
    TD_BODY_HAS_TARGET = 32,     // kinematic: the velocity of this step comes from a target
    TD_BODY_NO_SLEEP = 64,       // never falls asleep
    TD_BODY_NO_CONTINUOUS = 128, // no continuous collision
    TD_BODY_TARGET_DONE = 256,   // kinematic: it reached its target in the last step and stops
    TD_BODY_HAS_SURFACE = 512,   // a shape is a trigger or a mesh: only its surface meets small shapes
};

/// Data that is constant during a step or used once per step: 192 bytes.
typedef struct tdBodySim
{
    tdTransform transform; // of the body's origin
    tdVec3 center;         // centre of mass in the world
    tdSym3 invInertia;     // 1/(kg m^2) in world axes about the centre of mass; updated at the end of a step
    tdVec3 localCenter;    // centre of mass in the body
    float invMass;         // 1/kg; 0: cannot be accelerated
    tdVec3 invInertiaDiagonal; // 1/(kg m^2) about the principal axes; 0: cannot turn about that axis
    float gravityFactor;
    tdQuat inertiaOrientation; // of the principal axes, in the frame of the body
    tdVec3 force;              // N, world axes; cleared at the end of a step
    uint32_t flags;
    tdVec3 torque;      // N m, world axes; cleared at the end of a step
    int body;           // index of its tdBody
    float outerRadius;  // m, of a sphere about the centre of mass that contains all shapes
    float innerRadius;  // m, smallest inner radius of its shapes; a longer move needs continuous collision
    float sleepTime;    // s since the body came to rest
    float sleepSpeed;   // m/s, fastest point in the last step, position correction included
    tdVec3 startCenter; // pose at the start of the last step, for continuous collision
    tdQuat startRotation;
    float boxRoom; // m the body may move before one of its shapes can leave its fat box
} tdBodySim;

/// Data that the sub-steps read and write: 64 bytes, 64-byte aligned. Velocity passes gather the first half;
/// passes that depend on positions gather both halves.
typedef struct tdBodyState
{
    tdVec3 linearVelocity;  // m/s, of the centre of mass
    uint32_t flags;         // copy of tdBodySim.flags at the start of the step
    tdVec3 angularVelocity; // rad/s
    float padding0;
    tdVec3 deltaPosition; // m, of the centre of mass since the start of the step
    float padding1;
    tdQuat deltaRotation; // since the start of the step: current rotation = deltaRotation * rotation
} tdBodyState;

/// Rotation of a body since its lever arms were taken. Contacts of large piles keep the arms of a body that
/// hardly turns (docs/decisions/085).
typedef struct tdTilt
{
    tdVec3 turn;      // rotation vector, rad, world axes; zero: the arms follow the body
    float pileRadius; // m, inner radius of a body of a pile; 0: the body is in none
} tdTilt;

/// Velocity at the start of a step, for continuous collision.
typedef struct tdStartVelocity
{
    tdVec3 linear, angular; // m/s, rad/s
} tdStartVelocity;

_Static_assert(sizeof(tdBodyState) == 64, "one cache line");
_Static_assert(sizeof(tdBodySim) == 192, "three cache lines");

/// The record behind an id. Its array index never changes.
typedef struct tdBody
{
    uint32_t generation;
    int motion;   // tdMotion; -1: free
    int simIndex; // > 0: awake
    int shapeHead, shapeCount;
    int contactHead, contactCount; // head is a contact key: contact * 2 + side; -1: none
    int jointHead, jointCount;     // likewise a joint key; -1: none
    int island;                    // -1 for bodies that are not dynamic
    int islandPrevious, islandNext;
    int exclusionCount; // pair exclusions that refer to this body
    int nextFree;
    bool enableSleep, enableContinuous;
    bool hasMass, hasCenter, hasInertia;
    uint8_t padding[3];  // explicit: the record is saved byte by byte
    float mass;          // kg, as given or computed; INFINITY: immovable
    tdVec3 givenCenter;  // if hasCenter
    tdVec3 givenInertia; // kg m^2, if hasInertia
    tdQuat givenOrientation;
    float gravityFactor;
    tdTransform target;   // kinematic bodies: pose at the end of the next step
    uint32_t morePadding; // likewise explicit
    _Alignas(8) uint64_t userData;
} tdBody;

/// Grow all arrays by body index and awake index to hold `count` bodies.
/// @return false if memory ran out; nothing changed
bool tdWorld_ReserveBodies(tdWorld* world, int count);

/// Clamp the velocities of a body to TD_MAX_LINEAR_SPEED and TD_MAX_ANGULAR_SPEED. A velocity that is not a
/// number becomes zero.
/// @return whether a velocity changed
bool tdBodyState_ClampSpeeds(tdBodyState* state);

/// The inverse inertia of a body in world axes, from its principal values and its rotation.
tdSym3 tdComputeWorldInvInertia(const tdBodySim* sim);
