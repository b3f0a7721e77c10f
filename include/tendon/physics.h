// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// physics.h: the rigid-body engine. Knows nothing of files, nodes or glTF.
#pragma once

#include "vecmath.h"

/// Owns all bodies, shapes and joints. One thread at a time per world; different worlds
/// are independent. The same calls give the same bits on every platform.
typedef struct tdWorld tdWorld;

/// Handles. Cheap to copy, zero is null, stale handles are detected (tdBody_IsValid).
typedef struct tdBodyId
{
    uint32_t index1, generation;
} tdBodyId;
typedef struct tdShapeId
{
    uint32_t index1, generation;
} tdShapeId;
typedef struct tdJointId
{
    uint32_t index1, generation;
} tdJointId;
typedef struct tdFilterId
{
    uint32_t index1; // filters live as long as their world
} tdFilterId;

typedef struct tdWorldDef
{
    tdVec3 gravity;   // m/s^2, default {0, -9.81, 0}
    int subStepCount; // solver sub-steps per step, default 4
    int bodyCapacity; // bodies to make room for at once, default 0: grow on demand
    const tdAllocator* allocator;
    const tdTasks* tasks;
} tdWorldDef;

TD_API tdWorldDef tdDefaultWorldDef(void);

/// @param def may be NULL for the defaults
TD_API tdWorld* tdCreateWorld(const tdWorldDef* def);
TD_API void tdDestroyWorld(tdWorld* world);

/// Advance by one fixed step. Feed it a constant, usually 1/60.
/// @return false if memory ran out; the world keeps its last state
TD_API bool tdWorld_Step(tdWorld* world, float timeStep);

/// Hash of all positions and velocities. Equal calls give equal hashes, on every platform.
TD_API uint64_t tdWorld_GetStateHash(const tdWorld* world);

typedef enum tdMotion
{
    TD_MOTION_STATIC,    // never moves
    TD_MOTION_KINEMATIC, // moves as told, pushed by nothing
    TD_MOTION_DYNAMIC,   // moves by forces
} tdMotion;

typedef struct tdBodyDef
{
    tdMotion motion;
    tdTransform transform;  // of the body's origin, in the world
    tdVec3 linearVelocity;  // m/s
    tdVec3 angularVelocity; // rad/s
    float mass;             // kg; 0 (default) takes it from the shapes, INFINITY: immovable
    bool hasCenterOfMass;   // default false: from the shapes
    tdVec3 centerOfMass;    // in the body
    tdVec3 inertiaDiagonal; // kg m^2; zero vector (default): from the shapes; a component INFINITY: no turning about it
    tdQuat inertiaOrientation;
    float gravityFactor;    // default 1
    uint64_t userData;
} tdBodyDef;

TD_API tdBodyDef tdDefaultBodyDef(void);
TD_API tdBodyId tdCreateBody(tdWorld* world, const tdBodyDef* def);
TD_API void tdDestroyBody(tdWorld* world, tdBodyId body);
TD_API bool tdBody_IsValid(const tdWorld* world, tdBodyId body);
TD_API tdTransform tdBody_GetTransform(const tdWorld* world, tdBodyId body);

/// Move a kinematic body so that it arrives at `target` at the end of the next step.
TD_API void tdBody_SetTarget(tdWorld* world, tdBodyId body, tdTransform target);

/// How two materials meet. Unspecified leaves the choice to the other side.
typedef enum tdCombine
{
    TD_COMBINE_UNSPECIFIED,
    TD_COMBINE_AVERAGE,
    TD_COMBINE_MINIMUM,
    TD_COMBINE_MAXIMUM,
    TD_COMBINE_MULTIPLY,
} tdCombine;

typedef struct tdShapeDef
{
    tdTransform local; // in the body
    float density;     // kg/m^3, default 1000
    float staticFriction, dynamicFriction, restitution;
    tdCombine frictionCombine, restitutionCombine; // default TD_COMBINE_UNSPECIFIED
    tdFilterId filter; // null: collides with everybody; a filter in no system is another thing
    bool isTrigger;    // reports overlaps, pushes nothing
    uint64_t userData;
} tdShapeDef;

TD_API tdShapeDef tdDefaultShapeDef(void);
TD_API tdShapeId tdCreateSphere(tdWorld* world, tdBodyId body, const tdShapeDef* def, float radius);
TD_API tdShapeId tdCreateBox(tdWorld* world, tdBodyId body, const tdShapeDef* def, tdVec3 size);
