// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// physics.h: the rigid-body engine. Knows nothing of files, nodes or glTF.
//
//   world    tdCreateWorld tdWorld_Step tdWorld_GetEvents tdWorld_GetMovedBodies tdWorld_SaveState
//   bodies   tdCreateBody tdBody_GetTransform tdBody_SetTarget tdBody_ApplyForce ...
//   shapes   tdCreateSphere tdCreateBox tdCreateCapsule tdCreateCylinder tdCreatePlane tdCreateHull
//   tdCreateMesh filters  tdCreateFilter queries  tdWorld_CastRay tdWorld_CastShape tdWorld_OverlapShape
//   tdWorld_FindClosestPoint joints   joint.h
//
// Functions assert on ids that are null or stale, unless they say otherwise. Everything may be created,
// changed and destroyed in any order between two steps.
#pragma once

#include "geometry.h"
#include "vecmath.h"

/// Owns all bodies, shapes and joints. One thread at a time per world; different worlds are independent;
/// queries (const functions) may run on several threads at once while nobody changes the world. The same
/// calls give the same bits on every platform.
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

typedef enum tdStatus
{
    TD_STATUS_OK,
    TD_STATUS_OUT_OF_MEMORY, // the last step, load or maker had no memory; the world is as before it
} tdStatus;

typedef struct tdWorldDef
{
    tdVec3 gravity;      // m/s^2, default {0, -9.81, 0}
    int subStepCount;    // solver sub-steps per step, default 4
    int bodyCapacity;    // bodies to make room for at once, default 0: grow on demand
    int contactCapacity; // pairs of shapes near each other to make room for, half of them touching; default 0
    bool enableSleep;    // default true: islands at rest cost nothing
    bool enableContinuous; // default true: fast bodies do not pass thin walls
    tdSimd simd;           // default TD_SIMD_AUTO; a width the machine lacks falls back to a narrower one
    const tdAllocator* allocator; // NULL: malloc
    const tdTasks* tasks;         // NULL: the caller's thread; must outlive the world
} tdWorldDef;

TD_API tdWorldDef tdDefaultWorldDef(void);

/// @param def may be NULL for the defaults
/// @return NULL if memory ran out
TD_API tdWorld* tdCreateWorld(const tdWorldDef* def);
/// `world` may be NULL.
TD_API void tdDestroyWorld(tdWorld* world);

/// Advance by one fixed step. Feed it a constant, usually 1/60. Zero does collision and events without
/// motion.
/// @return false if memory ran out; the world keeps its last state
TD_API bool tdWorld_Step(tdWorld* world, float timeStep);

/// Why the last tdWorld_Step returned false or a maker returned a null id.
TD_API tdStatus tdWorld_GetStatus(const tdWorld* world);

/// Hash of all positions, velocities and friction regimes. Equal calls give equal hashes, on every platform.
TD_API uint64_t tdWorld_GetStateHash(const tdWorld* world);

/// The width of the solver's vector code that is in use.
TD_API tdSimd tdWorld_GetSimd(const tdWorld* world);

/// Write everything the future of the world depends on into one flat block without pointers.
/// @param data may be NULL when size is 0
/// @return the size of the block; nothing was written if `size` is less
TD_API size_t tdWorld_SaveState(const tdWorld* world, void* data, size_t size);
/// Back to a saved state: steps from there repeat to the bit, handles of that moment are valid again. The
/// block must come from this world, or from one that was built by the same calls with the same geometries
/// (and filters).
/// @return false if the block is not one of ours or memory ran out; in the latter case destroy the world
TD_API bool tdWorld_LoadState(tdWorld* world, const void* data, size_t size);

TD_API tdVec3 tdWorld_GetGravity(const tdWorld* world);
/// Wakes everybody if it changes.
TD_API void tdWorld_SetGravity(tdWorld* world, tdVec3 gravity);
/// Switching off wakes everybody.
TD_API void tdWorld_EnableSleep(tdWorld* world, bool enable);
TD_API void tdWorld_EnableContinuous(tdWorld* world, bool enable);

/// What is in the world, and what the last step did.
typedef struct tdStepStats
{
    int bodyCount, awakeBodyCount; // static ones are never awake
    int shapeCount;
    int contactCount; // pairs of shapes near each other
    int touchCount;   // of them awake and with contact points
    int islandCount, awakeIslandCount;
    int pairsTested;     // apart pairs that went through the narrow phase
    int manifoldsMade;   // touches that went through the narrow phase
    int manifoldsKept;   // touches whose bodies hardly moved relative to each other
    int movedProxyCount; // shapes that left their fat box
    int continuousCount; // bodies that needed continuous collision
} tdStepStats;

TD_API tdStepStats tdWorld_GetStats(const tdWorld* world);

// Bodies

typedef enum tdMotion
{
    TD_MOTION_STATIC,    // never moves
    TD_MOTION_KINEMATIC, // moves as told, pushed by nothing
    TD_MOTION_DYNAMIC,   // moves by forces
} tdMotion;

typedef struct tdBodyDef
{
    tdMotion motion;           // default TD_MOTION_STATIC
    tdTransform transform;     // of the body's origin, in the world
    tdVec3 linearVelocity;     // m/s, of the centre of mass
    tdVec3 angularVelocity;    // rad/s
    float mass;                // kg; 0 (default) takes it from the shapes, INFINITY: immovable
    bool hasCenterOfMass;      // default false: from the shapes
    tdVec3 centerOfMass;       // in the body
    tdVec3 inertiaDiagonal;    // kg m^2; zero vector (default): from the shapes; INFINITY in one: no turning
                               // about it
    tdQuat inertiaOrientation; // of the principal axes, in the body
    float gravityFactor;       // default 1
    bool enableSleep;          // default true
    bool enableContinuous;     // default true
    bool isAwake;              // default true
    uint64_t userData;
} tdBodyDef;

TD_API tdBodyDef tdDefaultBodyDef(void);
/// @return a null id if memory ran out
TD_API tdBodyId tdCreateBody(tdWorld* world, const tdBodyDef* def);
/// Its shapes and joints go with it.
TD_API void tdDestroyBody(tdWorld* world, tdBodyId body);
/// Any id, null and stale ones included.
TD_API bool tdBody_IsValid(const tdWorld* world, tdBodyId body);

TD_API tdMotion tdBody_GetMotion(const tdWorld* world, tdBodyId body);
/// Keeps shapes, joints and velocity (static: velocity zero).
/// @return false if memory ran out, nothing changed
TD_API bool tdBody_SetMotion(tdWorld* world, tdBodyId body, tdMotion motion);

TD_API tdTransform tdBody_GetTransform(const tdWorld* world, tdBodyId body);
/// Teleport: no velocity comes of it, nothing on the way is pushed. Wakes the body and what leaned on it.
TD_API void tdBody_SetTransform(tdWorld* world, tdBodyId body, tdTransform transform);
/// Move a kinematic body so that it arrives at `target` at the end of the next step, pushing what is in the
/// way. It rests afterwards unless a new target or velocity is set.
TD_API void tdBody_SetTarget(tdWorld* world, tdBodyId body, tdTransform target);

TD_API tdVec3 tdBody_GetLinearVelocity(const tdWorld* world, tdBodyId body);
TD_API tdVec3 tdBody_GetAngularVelocity(const tdWorld* world, tdBodyId body);
/// Of the centre of mass, m/s, and rad/s, in the world. Anything but zero wakes the body. Static bodies:
/// ignored.
TD_API void tdBody_SetLinearVelocity(tdWorld* world, tdBodyId body, tdVec3 velocity);
TD_API void tdBody_SetAngularVelocity(tdWorld* world, tdBodyId body, tdVec3 velocity);
/// Velocity of the body's matter at a point of the world.
TD_API tdVec3 tdBody_GetPointVelocity(const tdWorld* world, tdBodyId body, tdVec3 point);

/// Forces (N) and torques (N m) act during the next step and are then forgotten. In the world; `point` too.
/// All of these wake the body; bodies that are not dynamic ignore them.
TD_API void tdBody_ApplyForce(tdWorld* world, tdBodyId body, tdVec3 force, tdVec3 point);
TD_API void tdBody_ApplyForceToCenter(tdWorld* world, tdBodyId body, tdVec3 force);
TD_API void tdBody_ApplyTorque(tdWorld* world, tdBodyId body, tdVec3 torque);
/// Impulses (N s, N m s) change the velocity at once.
TD_API void tdBody_ApplyImpulse(tdWorld* world, tdBodyId body, tdVec3 impulse, tdVec3 point);
TD_API void tdBody_ApplyImpulseToCenter(tdWorld* world, tdBodyId body, tdVec3 impulse);
TD_API void tdBody_ApplyAngularImpulse(tdWorld* world, tdBodyId body, tdVec3 impulse);

/// Mass, centre and inertia of a body.
typedef struct tdBodyMass
{
    float mass;                // kg; INFINITY: immovable
    tdVec3 centerOfMass;       // in the body
    tdVec3 inertiaDiagonal;    // kg m^2, principal; INFINITY where it does not turn
    tdQuat inertiaOrientation; // of the principal axes in the body
} tdBodyMass;

/// What is in force. Bodies that are not dynamic: infinite.
TD_API tdBodyMass tdBody_GetMass(const tdWorld* world, tdBodyId body);
/// Takes the place of what was given or computed.
TD_API void tdBody_SetMass(tdWorld* world, tdBodyId body, tdBodyMass mass);
/// From shapes and densities, with what tdBodyDef gave as overrides. Runs by itself when shapes come and go;
/// needed after tdShape_SetLocal if the mass should follow. Without any shape that has volume: as a ball of
/// 0.1 m, mass 1 unless given.
TD_API void tdBody_ComputeMass(tdWorld* world, tdBodyId body);
TD_API tdVec3 tdBody_GetWorldCenterOfMass(const tdWorld* world, tdBodyId body);

TD_API float tdBody_GetGravityFactor(const tdWorld* world, tdBodyId body);
TD_API void tdBody_SetGravityFactor(tdWorld* world, tdBodyId body, float factor);
TD_API bool tdBody_IsAwake(const tdWorld* world, tdBodyId body);
/// Wake the body with its island, or lay the whole island to sleep at once.
TD_API void tdBody_SetAwake(tdWorld* world, tdBodyId body, bool isAwake);
TD_API void tdBody_EnableSleep(tdWorld* world, tdBodyId body, bool enable);
TD_API void tdBody_EnableContinuous(tdWorld* world, tdBodyId body, bool enable);
TD_API uint64_t tdBody_GetUserData(const tdWorld* world, tdBodyId body);
TD_API void tdBody_SetUserData(tdWorld* world, tdBodyId body, uint64_t userData);
/// @return how many shapes it has; at most `capacity` are written
TD_API int tdBody_GetShapes(const tdWorld* world, tdBodyId body, tdShapeId* shapes, int capacity);

/// A body that is or was awake in the last step.
typedef struct tdMovedBody
{
    tdBodyId body;
    tdTransform transform;
    uint64_t userData;
    bool fellAsleep;
} tdMovedBody;

/// All bodies the last step may have moved; a sleeping world gives none. Valid until the next step or change.
TD_API const tdMovedBody* tdWorld_GetMovedBodies(const tdWorld* world, int* count);

// Filters

/// Which shapes meet. A passes B if B's collideWith list is empty or shares a system with A's
/// collisionSystems, and B's notCollideWith list shares none. Two shapes meet if each passes the other.
typedef struct tdFilterDef
{
    const uint32_t* collisionSystems; // numbers of any size, in any order; copied
    int collisionSystemCount;
    const uint32_t* collideWith;
    int collideWithCount;
    const uint32_t* notCollideWith;
    int notCollideWithCount;
} tdFilterDef;

/// Equal sets give the same filter. Without any list it belongs to no system: a partner's collideWith never
/// admits it.
/// @return a null id if memory ran out
TD_API tdFilterId tdCreateFilter(tdWorld* world, const tdFilterDef* def);
/// Whether shapes with these filters meet; null ids are "no filter".
TD_API bool tdWorld_TestFilters(const tdWorld* world, tdFilterId a, tdFilterId b);

// Shapes

/// How two materials meet. Unspecified leaves the choice to the other side; average > minimum > maximum >
/// multiply.
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
    bool hasMatrix;    // default false; sphere, box, capsule, cylinder and hull only
    tdVec3 matrix[3];  // columns of a scale or shear that points of the shape go through before `local`
    float density;     // kg/m^3, default 1000
    float staticFriction, dynamicFriction;         // default 0.6
    float restitution;                             // default 0
    tdCombine frictionCombine, restitutionCombine; // default TD_COMBINE_UNSPECIFIED
    tdFilterId filter;        // null: collides with everybody; a filter in no system is another thing
    bool isTrigger;           // reports overlaps, pushes nothing, has no mass
    bool enableContactEvents; // default true
    bool deferMass; // default false; true: the body's mass waits for tdBody_ComputeMass, to be called before
                    // the next step. For bodies of very many shapes: each new one would walk all others
    uint64_t userData;
} tdShapeDef;

TD_API tdShapeDef tdDefaultShapeDef(void);

/// Makers of shapes. Heights are along Y, sizes are whole, not half. `def` may be NULL for the defaults.
/// @return a null id if memory ran out
TD_API tdShapeId tdCreateSphere(tdWorld* world, tdBodyId body, const tdShapeDef* def, float radius);
TD_API tdShapeId tdCreateBox(tdWorld* world, tdBodyId body, const tdShapeDef* def, tdVec3 size);
/// @param height between the centres of the two balls
TD_API tdShapeId tdCreateCapsule(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                                 float radiusBottom, float radiusTop);
/// One radius may be zero: a cone.
TD_API tdShapeId tdCreateCylinder(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                                  float radiusBottom, float radiusTop);
/// Through the origin of its frame, normal +Y. Unbounded on both axes and single-sided it is a half-space,
/// solid below; otherwise a thin sheet.
/// @param sizeX, sizeZ INFINITY where it is unbounded
TD_API tdShapeId tdCreatePlane(tdWorld* world, tdBodyId body, const tdShapeDef* def, float sizeX, float sizeZ,
                               bool isDoubleSided);
/// @param hull made by tdCreateHullGeometry; must outlive the shape
TD_API tdShapeId tdCreateHull(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* hull);
/// @param mesh made by tdCreateMeshGeometry; must outlive the shape. Any motion.
TD_API tdShapeId tdCreateMesh(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* mesh);
/// The body's mass follows, unless it was given.
TD_API void tdDestroyShape(tdWorld* world, tdShapeId shape);
TD_API bool tdShape_IsValid(const tdWorld* world, tdShapeId shape);

TD_API tdBodyId tdShape_GetBody(const tdWorld* world, tdShapeId shape);
TD_API tdTransform tdShape_GetLocal(const tdWorld* world, tdShapeId shape);
/// Move the shape in its body. Mass stays as it is (tdBody_ComputeMass).
TD_API void tdShape_SetLocal(tdWorld* world, tdShapeId shape, tdTransform local);
TD_API void tdShape_SetMaterial(tdWorld* world, tdShapeId shape, float staticFriction, float dynamicFriction,
                                float restitution, tdCombine frictionCombine, tdCombine restitutionCombine);
TD_API tdFilterId tdShape_GetFilter(const tdWorld* world, tdShapeId shape);
/// Contacts that the new filter forbids end, others begin at the next step.
TD_API void tdShape_SetFilter(tdWorld* world, tdShapeId shape, tdFilterId filter);
TD_API bool tdShape_IsTrigger(const tdWorld* world, tdShapeId shape);
TD_API uint64_t tdShape_GetUserData(const tdWorld* world, tdShapeId shape);
TD_API void tdShape_SetUserData(tdWorld* world, tdShapeId shape, uint64_t userData);

// Events and contacts

/// Two solid shapes began or ceased to touch: separation <= 0 or an impulse between them.
typedef struct tdWorldContactEvent
{
    tdShapeId shapeA, shapeB; // at the end of contacts a shape may be destroyed already (tdShape_IsValid)
    tdBodyId bodyA, bodyB;
    uint64_t userDataA, userDataB; // of the shapes
    tdVec3 point, normal; // in the world, normal from A to B; of the deepest point. Zero when it ended
    float impulse;        // N s along the normal during the step
    bool began;           // false: ended
} tdWorldContactEvent;

/// A solid shape entered or left a trigger.
typedef struct tdWorldTriggerEvent
{
    tdShapeId trigger, visitor;
    tdBodyId triggerBody, visitorBody;
    uint64_t triggerUserData, visitorUserData; // of the shapes
    bool entered;                              // false: left
} tdWorldTriggerEvent;

/// What happened during the last step and between it and the one before, in an order that depends on the
/// calls only.
typedef struct tdWorldEvents
{
    const tdWorldContactEvent* contacts;
    int contactCount;
    const tdWorldTriggerEvent* triggers;
    int triggerCount;
} tdWorldEvents;

/// Valid until the next step.
TD_API tdWorldEvents tdWorld_GetEvents(const tdWorld* world);

typedef struct tdContactData
{
    tdShapeId shapeA, shapeB;
    tdVec3 normal; // in the world, from A to B
    int pointCount;
    tdVec3 points[4];     // in the world, between the surfaces
    float separations[4]; // m, negative: overlap
    float impulse;        // N s along the normal during the last step, all points
    bool isSticking;      // static friction holds
} tdContactData;

/// All manifolds a body is part of, sleeping ones included; those merely near (no impulse, apart) too.
/// @return how many there are; at most `capacity` are written
TD_API int tdBody_GetContacts(const tdWorld* world, tdBodyId body, tdContactData* contacts, int capacity);

// Queries. They see the world as the last step left it, with all changes since. Thread-safe against each
// other.

typedef struct tdQueryFilter
{
    tdFilterId filter;                                 // null: everything passes, whatever its filter
    bool includeTriggers;                              // default false
    bool ignoreStatic, ignoreKinematic, ignoreDynamic; // default false
    tdBodyId ignoreBody;                               // null: none
} tdQueryFilter;

TD_API tdQueryFilter tdDefaultQueryFilter(void);

typedef struct tdQueryHit
{
    tdShapeId shape; // null: nothing was hit
    tdBodyId body;
    tdVec3 point;      // in the world
    tdVec3 normal;     // unit, out of the shape; zero if the query started inside
    float fraction;    // of the translation
    uint32_t triangle; // of a mesh, else 0
} tdQueryHit;

typedef struct tdRay
{
    tdVec3 origin, translation;
} tdRay;

/// Nearest hit between origin and origin + translation. `filter` may be NULL in all queries.
TD_API bool tdWorld_CastRay(const tdWorld* world, tdRay ray, const tdQueryFilter* filter, tdQueryHit* hit);
/// One hit per shape, nearest first.
/// @return how many there are; at most `capacity`, the nearest, are written
TD_API int tdWorld_CastRayAll(const tdWorld* world, tdRay ray, const tdQueryFilter* filter, tdQueryHit* hits,
                              int capacity);
/// Many rays at once, on the world's tasks. hits[i] belongs to rays[i]. One call at a time when there are
/// tasks.
TD_API void tdWorld_CastRays(const tdWorld* world, const tdRay* rays, int count, const tdQueryFilter* filter,
                             tdQueryHit* hits);

/// A shape to ask with. Make one with the functions below.
typedef struct tdQueryShape
{
    int kind;
    float values[3];
    const tdGeometry* geometry;
} tdQueryShape;

TD_API tdQueryShape tdMakeSphereQuery(float radius);
TD_API tdQueryShape tdMakeBoxQuery(tdVec3 size);
TD_API tdQueryShape tdMakeCapsuleQuery(float height, float radiusBottom, float radiusTop);
TD_API tdQueryShape tdMakeCylinderQuery(float height, float radiusBottom, float radiusTop);
TD_API tdQueryShape tdMakeHullQuery(const tdGeometry* hull);

/// Nearest hit of a shape that travels without turning.
TD_API bool tdWorld_CastShape(const tdWorld* world, const tdQueryShape* shape, tdTransform start,
                              tdVec3 translation, const tdQueryFilter* filter, tdQueryHit* hit);
/// Shapes that overlap or touch, in ascending order of their ids' index.
/// @return how many there are; at most `capacity` are written
TD_API int tdWorld_OverlapShape(const tdWorld* world, const tdQueryShape* shape, tdTransform transform,
                                const tdQueryFilter* filter, tdShapeId* shapes, int capacity);

typedef struct tdQueryPoint
{
    tdShapeId shape;
    tdBodyId body;
    tdVec3 point; // nearest point of the shape; inside a solid it is the question's point
    float distance;
} tdQueryPoint;

TD_API bool tdWorld_FindClosestPoint(const tdWorld* world, tdVec3 point, float maxDistance,
                                     const tdQueryFilter* filter, tdQueryPoint* closest);

#include "joint.h" // IWYU pragma: export
