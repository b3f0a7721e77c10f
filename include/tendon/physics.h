// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// physics.h: the rigid-body engine, independent of files, nodes and glTF. Joints are in joint.h.
//
//  - World: tdCreateWorld, tdWorld_Step, tdWorld_GetEvents, tdWorld_GetMovedBodies, tdWorld_SaveState
//  - Bodies: tdCreateBody, tdBody_GetTransform, tdBody_SetTarget, tdBody_ApplyForce
//  - Shapes: tdCreateSphere, tdCreateBox, tdCreateCapsule, tdCreateCylinder, tdCreatePlane, tdCreateHull,
//    tdCreateMesh
//  - Filters: tdCreateFilter, tdWorld_TestFilters
//  - Queries: tdWorld_CastRay, tdWorld_CastShape, tdWorld_OverlapShape, tdWorld_FindClosestPoint
//
// Numbers must be finite, except where a comment allows INFINITY. A call with a NaN or another infinity
// changes nothing: checked builds assert, others set TD_STATUS_INVALID_NUMBER; functions that create return
// the null id, queries find nothing.
//
// Units are metres, kilograms, seconds and radians; vectors and points are in world space unless a comment
// says otherwise. A world pointer must not be NULL, and ids must be valid, unless a comment says otherwise:
// checked builds (TD_ENABLE_ASSERT) assert, others have undefined behaviour. Bodies, shapes and joints may be
// created, changed and destroyed in any order between two steps, but not during one.
#pragma once

#include "geometry.h"
#include "vecmath.h"

/// Owns all bodies, shapes, joints and filters. One thread at a time may change a world; different worlds are
/// independent. Functions that take a const world may run on several threads at once while no thread changes
/// it. The same calls give bit-identical results on every platform.
typedef struct tdWorld tdWorld;

/// Handle of a body. Cheap to copy; all zero is the null id. tdBody_IsValid detects stale ids and ids of
/// another world; in checked builds, functions that get such an id assert.
typedef struct tdBodyId
{
    uint32_t index1, generation;
} tdBodyId;

/// Handle of a shape. Cheap to copy; all zero is the null id. tdShape_IsValid detects stale ids and ids of
/// another world.
typedef struct tdShapeId
{
    uint32_t index1, generation;
} tdShapeId;

/// Handle of a joint. Cheap to copy; all zero is the null id. tdJoint_IsValid detects stale ids and ids of
/// another world.
typedef struct tdJointId
{
    uint32_t index1, generation;
} tdJointId;

/// Handle of a collision filter. All zero is the null id. Filters live as long as their world.
typedef struct tdFilterId
{
    uint32_t index1;
    uint32_t world; // internal: number of the world
} tdFilterId;

/// Result of the last step and of the calls since then. A step that succeeds sets TD_STATUS_OK or the limit
/// that it reached.
typedef enum tdStatus
{
    TD_STATUS_OK,
    TD_STATUS_OUT_OF_MEMORY,  // the last step, load or create call failed; the world is as before it
    TD_STATUS_INVALID_NUMBER, // a call was given a number that is not finite, and changed nothing
    TD_STATUS_PAIR_LIMIT,     // the last step succeeded, but shapes overlap that have no contact (maxPairs)
    TD_STATUS_CONTACT_LIMIT,  // the last step succeeded, but touching shapes do not collide (maxContacts)
} tdStatus;

/// Settings of a world. Start from tdDefaultWorldDef.
typedef struct tdWorldDef
{
    tdVec3 gravity;      // m/s^2, default {0, -9.81, 0}
    int subStepCount;    // solver sub-steps per step, > 0, default 4
    int bodyCapacity;    // bodies to reserve memory for, default 0: grow on demand
    int maxPairs;        // pairs of shapes with overlapping fat boxes, default 0: 65,536 + 24 per shape. The
                         // first pairs by shape are kept; TD_STATUS_PAIR_LIMIT
    int maxContacts;     // touching pairs, default 0: as many as pairs. TD_STATUS_CONTACT_LIMIT
    int contactCapacity; // contacts to reserve memory for, half of them touching; default 0: grow on demand
    bool enableSleep;    // islands at rest go to sleep and cost nothing, default true
    bool enableContinuous; // continuous collision: fast bodies do not tunnel through thin walls, default true
    tdSimd simd;           // default TD_SIMD_AUTO; unsupported widths fall back to the next narrower one
    const tdAllocator* allocator; // copied, its context must outlive the world; default NULL: malloc
    const tdTasks* tasks;         // must outlive the world; default NULL: the caller's thread
    uint32_t cookie;              // internal: set by tdDefaultWorldDef
} tdWorldDef;

/// Default settings of a world. Does not allocate.
TD_API tdWorldDef tdDefaultWorldDef(void);

/// Create an empty world.
/// @param def NULL for the defaults
/// @return the world, to be freed with tdDestroyWorld; NULL if memory ran out or gravity is not finite
TD_API tdWorld* tdCreateWorld(const tdWorldDef* def);

/// Destroy a world with everything in it. All its ids become invalid.
/// @param world may be NULL
TD_API void tdDestroyWorld(tdWorld* world);

/// Advance the world by one step. Pass a constant time step, usually 1/60 s, for repeatable results. Zero
/// updates collision and events without motion. Arrays from tdWorld_GetEvents, tdWorld_GetMovedBodies and
/// tdWorld_GetJointBreakEvents are replaced. May allocate.
/// @param timeStep s, >= 0
/// @return false if memory ran out or the time step is not finite or negative; the world keeps its state, and
///         the step may be retried
TD_API bool tdWorld_Step(tdWorld* world, float timeStep);

/// Reason why the last tdWorld_Step returned false or the last create function returned a null id, and
/// whether a call since the last step was given a number that is not finite.
TD_API tdStatus tdWorld_GetStatus(const tdWorld* world);

/// Hash of all positions, velocities and friction states. Equal calls give equal hashes on every platform.
TD_API uint64_t tdWorld_GetStateHash(const tdWorld* world);

/// Vector width that the solver uses after fallback; never TD_SIMD_AUTO.
TD_API tdSimd tdWorld_GetSimd(const tdWorld* world);

/// Write the complete simulation state into one flat block without pointers. Does not allocate.
/// @param data may be NULL if `size` is 0
/// @param size capacity of `data`, bytes
/// @return size of the block, bytes; nothing is written if `size` is less
TD_API size_t tdWorld_SaveState(const tdWorld* world, void* data, size_t size);

/// Restore a saved state. Steps from there are bit-identical, and ids of that moment are valid again. The
/// block must come from this world, or from one built by the same calls with the same geometries and filters;
/// an empty new world takes any block whose geometries and filters it has. Ids of another world stay invalid
/// here. A world counts as built with its first step or save. Blocks may
/// come from anywhere: version, world, checksum and every index are validated first.
/// Events and moved bodies of the last step are cleared. Allocates memory for a second state.
/// @return false if the block is invalid or memory ran out; the world is then unchanged
TD_API bool tdWorld_LoadState(tdWorld* world, const void* data, size_t size);

/// Pack a block of tdWorld_SaveState or tdStage_Save without loss, alone or as the difference from an earlier
/// block of the same world or stage. Does not allocate.
/// @param base the earlier block, which tdUnpackState needs, too; NULL: none
/// @param packed may be NULL if `capacity` is 0
/// @return size of the packed block, bytes; `packed` is incomplete if `capacity` is less; 0 without a block
TD_API size_t tdPackState(const void* block, size_t size, const void* base, size_t baseSize, void* packed,
                          size_t capacity);

/// Unpack a block. Packed blocks may come from anywhere: the unpacked one is validated when it is loaded.
/// Does not allocate.
/// @param base the earlier block of tdPackState; NULL: there was none
/// @param block may be NULL if `capacity` is 0
/// @return size of the block, bytes; nothing is written if `capacity` is less. 0: the packed block is invalid
///         or belongs to another base. A forged one can ask for any size
TD_API size_t tdUnpackState(const void* packed, size_t packedSize, const void* base, size_t baseSize,
                            void* block, size_t capacity);

/// Gravity, m/s^2.
TD_API tdVec3 tdWorld_GetGravity(const tdWorld* world);

/// Set gravity, m/s^2. Wakes every dynamic body if the value changes.
TD_API void tdWorld_SetGravity(tdWorld* world, tdVec3 gravity);

/// Enable or disable sleeping. Bodies sleep only if they would stay where they are, so sleep changes
/// positions by rest noise only. Disabling wakes every dynamic body.
TD_API void tdWorld_EnableSleep(tdWorld* world, bool enable);

/// Whether sleeping is enabled.
TD_API bool tdWorld_IsSleepEnabled(const tdWorld* world);

/// Enable or disable continuous collision from the next step on.
TD_API void tdWorld_EnableContinuous(tdWorld* world, bool enable);

/// Whether continuous collision is enabled.
TD_API bool tdWorld_IsContinuousEnabled(const tdWorld* world);

/// Bound of the speed of a body's centre of mass, m/s. A step clamps faster bodies to it.
#define TD_MAX_LINEAR_SPEED 1.0e5f

/// Bound of the angular speed of a body, rad/s. A step clamps bodies that spin faster to it.
#define TD_MAX_ANGULAR_SPEED 1.0e7f

/// Counts of the world and of the last step.
typedef struct tdStepStats
{
    int bodyCount, awakeBodyCount; // static bodies are never awake
    int shapeCount;
    int contactCount; // pairs of shapes whose fat boxes overlap
    int touchCount;   // awake contacts with contact points
    int islandCount, awakeIslandCount;
    int pairsTested;     // separated contacts that the narrow phase tested
    int manifoldsMade;   // touching contacts that the narrow phase updated
    int manifoldsKept;   // touching contacts that kept their manifold, as their bodies hardly moved
    int movedProxyCount; // shapes that left their fat box
    int continuousCount; // bodies that needed continuous collision
    int sweptPairCount;  // pairs of shapes that continuous collision tested
    int clampedCount;    // bodies that exceeded TD_MAX_LINEAR_SPEED or TD_MAX_ANGULAR_SPEED
} tdStepStats;

/// Counts of the world and of the last step.
TD_API tdStepStats tdWorld_GetStats(const tdWorld* world);

// Bodies

/// How a body moves.
typedef enum tdMotion
{
    TD_MOTION_STATIC,    // never moves
    TD_MOTION_KINEMATIC, // follows its velocity or target; forces and contacts do not move it
    TD_MOTION_DYNAMIC,   // moves by forces, contacts and joints
} tdMotion;

/// Settings of a body. Start from tdDefaultBodyDef.
typedef struct tdBodyDef
{
    tdMotion motion;           // default TD_MOTION_STATIC
    tdTransform transform;     // of the body's origin, world space; default identity
    tdVec3 linearVelocity;     // m/s, of the centre of mass, world space; default zero
    tdVec3 angularVelocity;    // rad/s, world space; default zero
    float mass;                // kg; default 0: from the shapes; INFINITY: immovable
    bool hasCenterOfMass;      // use `centerOfMass`; default false: from the shapes
    tdVec3 centerOfMass;       // m, body space
    tdVec3 inertiaDiagonal;    // kg m^2, principal; default zero: from the shapes; INFINITY in a component
                               // locks the rotation about that axis
    tdQuat inertiaOrientation; // of the principal axes in the body, default identity
    float gravityFactor;       // scale of gravity, default 1
    bool enableSleep;          // default true
    bool enableContinuous;     // default true
    bool isAwake;              // default true
    uint64_t userData;         // default 0
    uint32_t cookie;           // internal: set by tdDefaultBodyDef
} tdBodyDef;

/// Default settings of a body. Does not allocate.
TD_API tdBodyDef tdDefaultBodyDef(void);

/// Create a body. The world owns it. May allocate.
/// @param def NULL for the defaults
/// @return the null id if memory ran out or a number is invalid
TD_API tdBodyId tdCreateBody(tdWorld* world, const tdBodyDef* def);

/// Destroy a body with its shapes and joints. Their ids become invalid. Touching bodies wake.
TD_API void tdDestroyBody(tdWorld* world, tdBodyId body);

/// Whether an id names a living body. Accepts any id, null and stale ones included.
TD_API bool tdBody_IsValid(const tdWorld* world, tdBodyId body);

/// How the body moves.
TD_API tdMotion tdBody_GetMotion(const tdWorld* world, tdBodyId body);

/// Change how the body moves. Keeps shapes, joints and velocity; a static body gets velocity zero. May
/// allocate.
/// @return false if memory ran out; nothing changes then
TD_API bool tdBody_SetMotion(tdWorld* world, tdBodyId body, tdMotion motion);

/// Transform of the body's origin, world space.
TD_API tdTransform tdBody_GetTransform(const tdWorld* world, tdBodyId body);

/// Teleport a body. The jump causes no velocity and pushes nothing on the way. Wakes the body and the bodies
/// that touch it. The rotation is normalised.
TD_API void tdBody_SetTransform(tdWorld* world, tdBodyId body, tdTransform transform);

/// Move a kinematic body so that it reaches `target` at the end of the next step and pushes bodies in its
/// way. It then rests unless a new target or velocity is set. The rotation is normalised.
/// @param body must be kinematic
TD_API void tdBody_SetTarget(tdWorld* world, tdBodyId body, tdTransform target);

/// Target of a kinematic body for the next step.
/// @param target receives it; untouched if there is none
/// @return false if no target is set
TD_API bool tdBody_GetTarget(const tdWorld* world, tdBodyId body, tdTransform* target);

/// Velocity of the centre of mass, m/s, world space. Zero for static and sleeping bodies.
TD_API tdVec3 tdBody_GetLinearVelocity(const tdWorld* world, tdBodyId body);

/// Angular velocity, rad/s, world space. Zero for static and sleeping bodies.
TD_API tdVec3 tdBody_GetAngularVelocity(const tdWorld* world, tdBodyId body);

/// Set the velocity of the centre of mass, m/s, world space. Any value but zero wakes the body. Cancels a
/// target. Static bodies ignore it.
TD_API void tdBody_SetLinearVelocity(tdWorld* world, tdBodyId body, tdVec3 velocity);

/// Set the angular velocity, rad/s, world space. Any value but zero wakes the body. Cancels a target. Static
/// bodies ignore it.
TD_API void tdBody_SetAngularVelocity(tdWorld* world, tdBodyId body, tdVec3 velocity);

/// Velocity of the body at a point, m/s, world space.
TD_API tdVec3 tdBody_GetPointVelocity(const tdWorld* world, tdBodyId body, tdVec3 point);

/// Apply a force (N) at a point, both in world space. It acts during the next step only. Wakes the body;
/// static and kinematic bodies ignore it.
TD_API void tdBody_ApplyForce(tdWorld* world, tdBodyId body, tdVec3 force, tdVec3 point);

/// Apply a force (N, world space) at the centre of mass. It acts during the next step only. Wakes the body;
/// static and kinematic bodies ignore it.
TD_API void tdBody_ApplyForceToCenter(tdWorld* world, tdBodyId body, tdVec3 force);

/// Apply a torque (N m, world space). It acts during the next step only. Wakes the body; static and kinematic
/// bodies ignore it.
TD_API void tdBody_ApplyTorque(tdWorld* world, tdBodyId body, tdVec3 torque);

/// Apply an impulse (N s) at a point, both in world space. It changes the velocity at once. Wakes the body;
/// static and kinematic bodies ignore it.
TD_API void tdBody_ApplyImpulse(tdWorld* world, tdBodyId body, tdVec3 impulse, tdVec3 point);

/// Apply an impulse (N s, world space) at the centre of mass. It changes the velocity at once. Wakes the
/// body; static and kinematic bodies ignore it.
TD_API void tdBody_ApplyImpulseToCenter(tdWorld* world, tdBodyId body, tdVec3 impulse);

/// Apply an angular impulse (N m s, world space). It changes the angular velocity at once. Wakes the body;
/// static and kinematic bodies ignore it.
TD_API void tdBody_ApplyAngularImpulse(tdWorld* world, tdBodyId body, tdVec3 impulse);

/// Mass properties of a body.
typedef struct tdBodyMass
{
    float mass;                // kg; INFINITY: immovable
    tdVec3 centerOfMass;       // m, body space
    tdVec3 inertiaDiagonal;    // kg m^2, principal; INFINITY: no rotation about that axis
    tdQuat inertiaOrientation; // of the principal axes in the body
} tdBodyMass;

/// Mass properties in effect. Those of static and kinematic bodies are infinite.
TD_API tdBodyMass tdBody_GetMass(const tdWorld* world, tdBodyId body);

/// Override the given or computed mass properties.
TD_API void tdBody_SetMass(tdWorld* world, tdBodyId body, tdBodyMass mass);

/// Compute the mass properties from shapes and densities, with the values given in tdBodyDef as overrides.
/// Runs automatically when shapes are created or destroyed; call it after tdShape_SetLocal if the mass should
/// follow. A body without any shape that has volume gets mass 1 kg unless one is given, and the inertia of
/// that mass at a distance of 1 m about every axis.
TD_API void tdBody_ComputeMass(tdWorld* world, tdBodyId body);

/// Centre of mass, m, world space.
TD_API tdVec3 tdBody_GetWorldCenterOfMass(const tdWorld* world, tdBodyId body);

/// Scale of gravity on the body.
TD_API float tdBody_GetGravityFactor(const tdWorld* world, tdBodyId body);

/// Set the scale of gravity on the body. Wakes the body if the value changes.
TD_API void tdBody_SetGravityFactor(tdWorld* world, tdBodyId body, float factor);

/// Whether the body is awake. Static bodies never are.
TD_API bool tdBody_IsAwake(const tdWorld* world, tdBodyId body);

/// Wake the body with its island, or put its whole island to sleep at once. Static bodies ignore it.
TD_API void tdBody_SetAwake(tdWorld* world, tdBodyId body, bool isAwake);

/// Allow or forbid the body to sleep. Forbidding wakes it.
TD_API void tdBody_EnableSleep(tdWorld* world, tdBodyId body, bool enable);

/// Whether the body may sleep.
TD_API bool tdBody_IsSleepEnabled(const tdWorld* world, tdBodyId body);

/// Enable or disable continuous collision of the body.
TD_API void tdBody_EnableContinuous(tdWorld* world, tdBodyId body, bool enable);

/// Whether continuous collision of the body is enabled.
TD_API bool tdBody_IsContinuousEnabled(const tdWorld* world, tdBodyId body);

/// Value that the application attached to the body.
TD_API uint64_t tdBody_GetUserData(const tdWorld* world, tdBodyId body);

/// Attach a value of the application to the body.
TD_API void tdBody_SetUserData(tdWorld* world, tdBodyId body, uint64_t userData);

/// Shapes of a body, the last created one first.
/// @param shapes receives at most `capacity` ids; may be NULL if that is 0
/// @return number of shapes, which may exceed `capacity`
TD_API int tdBody_GetShapes(const tdWorld* world, tdBodyId body, tdShapeId* shapes, int capacity);

/// A body that was awake in the last step.
typedef struct tdMovedBody
{
    tdBodyId body;
    tdTransform transform; // of its origin at the end of the step, world space
    uint64_t userData;
    bool fellAsleep; // in the last step
} tdMovedBody;

/// Bodies that the last step may have moved; none in a sleeping world.
/// @param count receives the length of the array
/// @return an array of the world's, valid until the next step or change of the world
TD_API const tdMovedBody* tdWorld_GetMovedBodies(const tdWorld* world, int* count);

// Filters

/// Collision filter. Filter A passes filter B if B's collideWith list is empty or shares a system with A's
/// collisionSystems, and B's notCollideWith list shares none. Two shapes collide if each filter passes the
/// other.
typedef struct tdFilterDef
{
    const uint32_t* collisionSystems; // arbitrary numbers in any order, copied; default none
    int collisionSystemCount;
    const uint32_t* collideWith; // likewise
    int collideWithCount;
    const uint32_t* notCollideWith; // likewise
    int notCollideWithCount;
} tdFilterDef;

/// Create a filter. Equal sets give the same filter. A filter without lists belongs to no system, so no
/// partner's collideWith list admits it. The filter lives as long as the world. May allocate.
/// @return the null id if memory ran out
TD_API tdFilterId tdCreateFilter(tdWorld* world, const tdFilterDef* def);

/// Whether shapes with these filters collide. A null id stands for a shape without a filter.
TD_API bool tdWorld_TestFilters(const tdWorld* world, tdFilterId a, tdFilterId b);

// Shapes

/// How the coefficients of two materials are combined. If the two shapes differ, the first in the order
/// average, minimum, maximum, multiply wins; "unspecified" leaves the choice to the other shape.
typedef enum tdCombine
{
    TD_COMBINE_UNSPECIFIED,
    TD_COMBINE_AVERAGE,
    TD_COMBINE_MINIMUM,
    TD_COMBINE_MAXIMUM,
    TD_COMBINE_MULTIPLY,
} tdCombine;

/// Settings of a shape. Start from tdDefaultShapeDef.
typedef struct tdShapeDef
{
    tdTransform local; // in the body, default identity
    bool hasMatrix;    // use `matrix`, default false; sphere, box, capsule, cylinder and hull only
    tdVec3 matrix[3];  // columns of a scale or shear, applied to points of the shape before `local`
    float density;     // kg/m^3, default 1000
    float staticFriction, dynamicFriction;         // default 0.6
    float restitution;                             // default 0
    tdCombine frictionCombine, restitutionCombine; // default TD_COMBINE_UNSPECIFIED
    tdFilterId filter;        // default null: no filter; differs from a filter that is in no system
    bool isTrigger;           // reports overlaps, has no contacts and no mass; default false
    bool enableContactEvents; // default true
    /// The body's mass waits for tdBody_ComputeMass, to be called before the next step; default false.
    /// Avoids quadratic cost for bodies of very many shapes.
    bool deferMass;
    uint64_t userData; // default 0
    uint32_t cookie;   // internal: set by tdDefaultShapeDef
} tdShapeDef;

/// Default settings of a shape. Does not allocate.
TD_API tdShapeDef tdDefaultShapeDef(void);

/// Create a sphere about the origin of its frame. The body owns it. May allocate.
/// @param def NULL for the defaults
/// @param radius m, > 0
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreateSphere(tdWorld* world, tdBodyId body, const tdShapeDef* def, float radius);

/// Create a box about the origin of its frame. The body owns it. May allocate.
/// @param def NULL for the defaults
/// @param size edge lengths (not half of them), m, > 0
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreateBox(tdWorld* world, tdBodyId body, const tdShapeDef* def, tdVec3 size);

/// Create a capsule along the Y axis of its frame. The body owns it. May allocate.
/// @param def NULL for the defaults
/// @param height distance of the centres of the two spheres, m, >= 0
/// @param radiusBottom, radiusTop of the spheres at -Y and +Y, m, >= 0; at least one is > 0
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreateCapsule(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                                 float radiusBottom, float radiusTop);

/// Create a cylinder along the Y axis of its frame; a cone if one radius is zero. The body owns it. May
/// allocate.
/// @param def NULL for the defaults
/// @param height m, > 0
/// @param radiusBottom, radiusTop at -Y and +Y, m, >= 0; at least one is > 0
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreateCylinder(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                                  float radiusBottom, float radiusTop);

/// Create a plane through the origin of its frame, normal +Y. A single-sided plane that is unbounded on both
/// axes is a half-space, solid below; any other plane is a thin sheet. The body owns it. May allocate.
/// @param def NULL for the defaults
/// @param sizeX, sizeZ m, > 0; INFINITY: unbounded
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreatePlane(tdWorld* world, tdBodyId body, const tdShapeDef* def, float sizeX, float sizeZ,
                               bool isDoubleSided);

/// Create a convex hull. The body owns the shape, the caller keeps the geometry. May allocate.
/// @param def NULL for the defaults
/// @param hull made by tdCreateHullGeometry; must outlive the shape
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreateHull(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* hull);

/// Create a triangle mesh, for bodies of any motion. The body owns the shape, the caller keeps the geometry.
/// May allocate.
/// @param def NULL for the defaults; `hasMatrix` must be false
/// @param mesh made by tdCreateMeshGeometry; must outlive the shape
/// @return the null id if memory ran out or a number is invalid
TD_API tdShapeId tdCreateMesh(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* mesh);

/// Destroy a shape. Its id becomes invalid, its contacts end, touching bodies wake. The body's mass is
/// computed again unless it was given.
TD_API void tdDestroyShape(tdWorld* world, tdShapeId shape);

/// Whether an id names a living shape. Accepts any id, null and stale ones included.
TD_API bool tdShape_IsValid(const tdWorld* world, tdShapeId shape);

/// Body that owns the shape.
TD_API tdBodyId tdShape_GetBody(const tdWorld* world, tdShapeId shape);

/// Transform of the shape in its body.
TD_API tdTransform tdShape_GetLocal(const tdWorld* world, tdShapeId shape);

/// Move the shape in its body. The mass stays as it is (see tdBody_ComputeMass). Wakes the body and the
/// bodies nearby. The rotation is normalised.
TD_API void tdShape_SetLocal(tdWorld* world, tdShapeId shape, tdTransform local);

/// Surface of a shape. The coefficients have no unit.
typedef struct tdShapeMaterial
{
    float staticFriction, dynamicFriction;
    float restitution;
    tdCombine frictionCombine, restitutionCombine;
} tdShapeMaterial;

/// Material of the shape.
TD_API tdShapeMaterial tdShape_GetMaterial(const tdWorld* world, tdShapeId shape);

/// Set the material. Wakes the body and the bodies that touch it.
TD_API void tdShape_SetMaterial(tdWorld* world, tdShapeId shape, tdShapeMaterial material);

/// Filter of the shape; the null id if it has none.
TD_API tdFilterId tdShape_GetFilter(const tdWorld* world, tdShapeId shape);

/// Set the filter. The shape's contacts end; permitted ones begin again at the next step.
/// @param filter a filter of this world; the null id removes the filter
TD_API void tdShape_SetFilter(tdWorld* world, tdShapeId shape, tdFilterId filter);

/// Whether the shape is a trigger.
TD_API bool tdShape_IsTrigger(const tdWorld* world, tdShapeId shape);

/// Value that the application attached to the shape.
TD_API uint64_t tdShape_GetUserData(const tdWorld* world, tdShapeId shape);

/// Attach a value of the application to the shape.
TD_API void tdShape_SetUserData(tdWorld* world, tdShapeId shape, uint64_t userData);

// Events and contacts

/// Two solid shapes began or ceased to touch. Touching means separation <= 0 or an impulse between them.
typedef struct tdWorldContactEvent
{
    tdShapeId shapeA, shapeB; // an end event may name a destroyed shape (tdShape_IsValid)
    tdBodyId bodyA, bodyB;
    uint64_t userDataA, userDataB; // of the shapes
    tdVec3 point, normal; // of the deepest contact point, world space, normal from A to B; zero in end events
    float impulse;        // N s along the normal during the step
    bool began;           // false: ended
} tdWorldContactEvent;

/// A solid shape entered or left a trigger.
typedef struct tdWorldTriggerEvent
{
    tdShapeId trigger, visitor; // an exit event may name a destroyed shape (tdShape_IsValid)
    tdBodyId triggerBody, visitorBody;
    uint64_t triggerUserData, visitorUserData; // of the shapes
    bool entered;                              // false: left
} tdWorldTriggerEvent;

/// Events of the last step and of the changes before it, in deterministic order.
typedef struct tdWorldEvents
{
    const tdWorldContactEvent* contacts;
    int contactCount;
    const tdWorldTriggerEvent* triggers;
    int triggerCount;
} tdWorldEvents;

/// Events of the last step and of the changes before it. The arrays belong to the world and are valid until
/// the next step.
TD_API tdWorldEvents tdWorld_GetEvents(const tdWorld* world);

/// One manifold between two shapes.
typedef struct tdContactData
{
    tdShapeId shapeA, shapeB;
    tdVec3 normal; // unit, world space, from A to B
    int pointCount;
    tdVec3 points[4];     // m, world space, midway between the surfaces
    float separations[4]; // m; negative: overlap
    float impulse;        // N s along the normal during the last step, sum of all points
    bool isSticking;      // static friction holds
} tdContactData;

/// All manifolds of a body, sleeping ones included. Manifolds of shapes that are close but do not touch are
/// included too; their impulse is 0.
/// @param contacts receives at most `capacity` manifolds; may be NULL if that is 0
/// @return number of manifolds, which may exceed `capacity`
TD_API int tdBody_GetContacts(const tdWorld* world, tdBodyId body, tdContactData* contacts, int capacity);

// Queries. They see the world after the last step with all changes since. Several threads may query at once.
// They do not allocate.

/// Shapes that a query considers. Start from tdDefaultQueryFilter.
typedef struct tdQueryFilter
{
    tdFilterId filter;    // shapes must pass this filter; default null: all shapes, whatever their filter
    bool includeTriggers; // default false
    bool ignoreStatic, ignoreKinematic, ignoreDynamic; // default false
    tdBodyId ignoreBody;                               // default null: none
} tdQueryFilter;

/// A query filter that admits all solid shapes.
TD_API tdQueryFilter tdDefaultQueryFilter(void);

/// Hit of a cast.
typedef struct tdQueryHit
{
    tdShapeId shape; // null: no hit
    tdBodyId body;
    tdVec3 point;      // m, world space
    tdVec3 normal;     // unit, out of the shape; zero if the cast starts inside
    float fraction;    // of the translation, 0 to 1; 1 if there is no hit
    uint32_t triangle; // index in a mesh; 0 for other shapes
} tdQueryHit;

/// A ray from `origin` to `origin` + `translation`.
typedef struct tdRay
{
    tdVec3 origin, translation; // m, world space
} tdRay;

/// Find the nearest hit of a ray.
/// @param filter NULL: all solid shapes
/// @param hit receives the hit, or a null shape if there is none
/// @return whether something was hit
TD_API bool tdWorld_CastRay(const tdWorld* world, tdRay ray, const tdQueryFilter* filter, tdQueryHit* hit);

/// Find all hits of a ray, one per shape, nearest first.
/// @param filter NULL: all solid shapes
/// @param hits receives the nearest hits, at most `capacity`; may be NULL if that is 0
/// @return number of hits, which may exceed `capacity`
TD_API int tdWorld_CastRayAll(const tdWorld* world, tdRay ray, const tdQueryFilter* filter, tdQueryHit* hits,
                              int capacity);

/// Find the nearest hits of many rays, in parallel on the world's tasks. A world with tasks permits one such
/// call at a time.
/// @param filter NULL: all solid shapes
/// @param hits receives `count` hits; hits[i] belongs to rays[i], with a null shape if there is none
TD_API void tdWorld_CastRays(const tdWorld* world, const tdRay* rays, int count, const tdQueryFilter* filter,
                             tdQueryHit* hits);

/// Shape of a query. Made by the tdMake...Query functions; the fields are internal.
typedef struct tdQueryShape
{
    int kind;
    float values[3];
    const tdGeometry* geometry;
} tdQueryShape;

/// A sphere for queries. Does not allocate.
/// @param radius m
TD_API tdQueryShape tdMakeSphereQuery(float radius);

/// A box for queries. Does not allocate.
/// @param size edge lengths, m
TD_API tdQueryShape tdMakeBoxQuery(tdVec3 size);

/// A capsule for queries, with the dimensions of tdCreateCapsule. Does not allocate.
TD_API tdQueryShape tdMakeCapsuleQuery(float height, float radiusBottom, float radiusTop);

/// A cylinder for queries, with the dimensions of tdCreateCylinder. Does not allocate.
TD_API tdQueryShape tdMakeCylinderQuery(float height, float radiusBottom, float radiusTop);

/// A convex hull for queries. Does not allocate.
/// @param hull made by tdCreateHullGeometry; must outlive the query shape
TD_API tdQueryShape tdMakeHullQuery(const tdGeometry* hull);

/// Find the nearest hit of a shape that moves without rotation.
/// @param start transform of the shape at the start
/// @param translation m, world space
/// @param filter NULL: all solid shapes
/// @param hit receives the hit, or a null shape if there is none
/// @return whether something was hit
TD_API bool tdWorld_CastShape(const tdWorld* world, const tdQueryShape* shape, tdTransform start,
                              tdVec3 translation, const tdQueryFilter* filter, tdQueryHit* hit);

/// Find shapes that overlap or touch a shape, in ascending order of their ids' index.
/// @param filter NULL: all solid shapes
/// @param shapes receives at most `capacity` ids; may be NULL if that is 0
/// @return number of shapes, which may exceed `capacity`
TD_API int tdWorld_OverlapShape(const tdWorld* world, const tdQueryShape* shape, tdTransform transform,
                                const tdQueryFilter* filter, tdShapeId* shapes, int capacity);

/// Closest point of the world.
typedef struct tdQueryPoint
{
    tdShapeId shape; // null: none within the distance
    tdBodyId body;
    tdVec3 point;   // m, world space, of the shape; the query's own point if that is inside a solid
    float distance; // m; 0 inside a solid
} tdQueryPoint;

/// Find the point of any shape that is closest to a point.
/// @param maxDistance m
/// @param filter NULL: all solid shapes
/// @param closest receives the point, or a null shape if there is none within `maxDistance`
/// @return whether there is one
TD_API bool tdWorld_FindClosestPoint(const tdWorld* world, tdVec3 point, float maxDistance,
                                     const tdQueryFilter* filter, tdQueryPoint* closest);
