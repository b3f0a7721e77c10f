// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon 0.1.0, the engine in one file. Made by tools/amalgamate.
#pragma once

// ---- include/tendon/base.h ----

// base.h: version, export macro, allocator, tasks, progress, assertions. Every other header includes it.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_MSC_VER)
#define TD_EXPORT
#else
#define TD_EXPORT __attribute__((visibility("default")))
#endif

#if defined(__cplusplus)
#define TD_API extern "C" TD_EXPORT
#else
#define TD_API TD_EXPORT
#endif

/// Version of the headers. Compare with tdGetVersion to detect a mismatched library.
#define TD_VERSION_MAJOR 0
#define TD_VERSION_MINOR 1
#define TD_VERSION_PATCH 0

/// A version number.
typedef struct tdVersion
{
    int major, minor, patch;
} tdVersion;

/// Version of the linked library.
TD_API tdVersion tdGetVersion(void);

/// Memory functions of one owner (asset, stage, world). The struct is copied; its context must outlive the
/// owner. A NULL allocator means malloc.
typedef struct tdAllocator
{
    void* (*allocate)(void* context, size_t size, size_t alignment); // NULL if memory ran out
    void (*release)(void* context, void* memory, size_t size);       // `size` as allocated
    void* context;
} tdAllocator;

/// One range of a parallel loop: items startIndex to endIndex - 1, on worker 0 to workerCount - 1.
typedef void tdTaskFcn(void* task, int startIndex, int endIndex, int worker);

/// A scheduler that splits loops over threads. Results never depend on workerCount. NULL tasks mean the
/// caller's thread.
typedef struct tdTasks
{
    int workerCount;
    // Start a loop over itemCount items in ranges of at least minRange. Returns a handle for `finish`, or
    // NULL if the loop is done already.
    void* (*enqueue)(void* context, tdTaskFcn* run, void* task, int itemCount, int minRange);
    void (*finish)(void* context, void* handle); // wait for the loop to end
    void* context;
} tdTasks;

/// Create a pool of threads. Starts fewer threads if the system refuses some.
/// @param workerCount number of workers with the calling thread; < 1: one per processor
/// @return the tasks, to be freed with tdDestroyThreads; NULL if memory ran out, which is valid wherever
///         tasks are expected
TD_API const tdTasks* tdCreateThreads(int workerCount);

/// End the threads of a pool. Destroy its users first.
/// @param threads made by tdCreateThreads; may be NULL
TD_API void tdDestroyThreads(const tdTasks* threads);

/// Phase of a long call.
typedef enum tdProgressStage
{
    TD_PROGRESS_NONE,       // no long call is running
    TD_PROGRESS_READING,    // counts bytes of a file
    TD_PROGRESS_PARSING,    // counts bytes of JSON: first half the text, second half the objects made from it
    TD_PROGRESS_COOKING,    // counts triangles of collision meshes and points of hulls
    TD_PROGRESS_BUILDING,   // counts bodies (twice: once for their mass), colliders and joints of an actor
    TD_PROGRESS_SIMULATING, // counts seconds of simulated time
    TD_PROGRESS_REDUCING,   // counts captured values of a recording that are reduced to keys
    TD_PROGRESS_WRITING,    // counts bytes of a file
} tdProgressStage;

/// Reading of a tdProgress.
typedef struct tdProgressInfo
{
    tdProgressStage stage;
    double done, total; // of this stage, in its own unit; total 0: unknown
} tdProgressInfo;

/// Called on the working thread after each frame of TD_PROGRESS_SIMULATING.
/// @return false to stop the call
typedef bool tdProgressFcn(void* context, tdProgressInfo info);

/// Progress of a call. Initialise it with zeros. Another thread reads it with tdProgress_Get; for work that
/// is done frame by frame, `update` is called as well. tdLoadDef takes one; calls on the loaded asset report
/// to it too, so it must outlive the asset.
typedef struct tdProgress
{
    uint64_t words[3];     // private
    tdProgressFcn* update; // may be NULL
    void* context;         // of `update`
} tdProgress;

/// Read the progress of a running call. Any thread may call it at any time. Does not allocate.
TD_API tdProgressInfo tdProgress_Get(const tdProgress* progress);

/// Vector width of the engine. All widths give the same bits. Unsupported widths fall back to the next
/// narrower one.
typedef enum tdSimd
{
    TD_SIMD_AUTO,   // the widest supported
    TD_SIMD_SCALAR, // one float at a time
    TD_SIMD_SSE2,   // four floats (WebAssembly: simd128)
    TD_SIMD_AVX2,   // eight floats
} tdSimd;

/// Name of a vector width: "auto", "scalar", "sse2" or "avx2". A static string.
TD_API const char* tdSimd_GetName(tdSimd simd);

/// Called when an assertion fails because the caller broke a rule of the API. Return true to abort the
/// program, false to continue with undefined results.
typedef bool tdAssertFcn(const char* condition, const char* file, int line);

/// Set the process-wide assert handler. Not thread-safe: call it before other functions. Only checked builds
/// (TD_ENABLE_ASSERT) call the handler.
/// @param handler NULL restores the default, which prints to stderr and aborts
TD_API void tdSetAssertHandler(tdAssertFcn* handler);

// ---- include/tendon/vecmath.h ----

// vecmath.h: vectors, quaternions, transforms and matrices. Passed and returned by value; memory layout as in
// glTF. Nothing here allocates. Operations run in the order written, so results are bit-identical wherever
// the compiler neither contracts nor reorders them (-ffp-contract=off, no -ffast-math).

#include <math.h>

/// Vector or point.
typedef struct tdVec3
{
    float x, y, z;
} tdVec3;

/// Unit quaternion in glTF component order.
typedef struct tdQuat
{
    float x, y, z, w;
} tdQuat;

/// Rigid transform: rotation, then translation. The physics engine has no scale.
typedef struct tdTransform
{
    tdVec3 position;
    tdQuat rotation;
} tdTransform;

/// Local transform of a glTF node: scale, then rotation, then translation.
typedef struct tdTrs
{
    tdVec3 translation;
    tdQuat rotation;
    tdVec3 scale;
} tdTrs;

/// Column-major 4 x 4 matrix. Global transforms are matrices: a rotation under a non-uniform scale shears,
/// and a tdTrs cannot express shear.
typedef struct tdMat4
{
    float m[16];
} tdMat4;

static const tdVec3 tdVec3_zero = {0.0f, 0.0f, 0.0f};
static const tdVec3 tdVec3_one = {1.0f, 1.0f, 1.0f};
static const tdQuat tdQuat_identity = {0.0f, 0.0f, 0.0f, 1.0f};
static const tdTransform tdTransform_identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
static const tdTrs tdTrs_identity = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};

/// Shortest vector that has a direction, and shortest quaternion, squared: their squares are above the
/// denormals.
#define TD_MIN_LENGTH 1.0e-20f
#define TD_MIN_QUAT_SQUARED 1.0e-30f

// Vectors

/// a + b
static inline tdVec3 tdAdd(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.x + b.x, a.y + b.y, a.z + b.z};
    return result;
}

/// a - b
static inline tdVec3 tdSub(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.x - b.x, a.y - b.y, a.z - b.z};
    return result;
}

/// Component-wise product.
static inline tdVec3 tdMul(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.x * b.x, a.y * b.y, a.z * b.z};
    return result;
}

/// s * a
static inline tdVec3 tdScale(float s, tdVec3 a)
{
    tdVec3 result = {s * a.x, s * a.y, s * a.z};
    return result;
}

/// a + s * b
static inline tdVec3 tdMulAdd(tdVec3 a, float s, tdVec3 b)
{
    tdVec3 result = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return result;
}

/// a - s * b
static inline tdVec3 tdMulSub(tdVec3 a, float s, tdVec3 b)
{
    tdVec3 result = {a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
    return result;
}

/// -a
static inline tdVec3 tdNegate(tdVec3 a)
{
    tdVec3 result = {-a.x, -a.y, -a.z};
    return result;
}

/// Dot product.
static inline float tdDot(tdVec3 a, tdVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Cross product.
static inline tdVec3 tdCross(tdVec3 a, tdVec3 b)
{
    tdVec3 result = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return result;
}

/// Squared length.
static inline float tdLengthSquared(tdVec3 a)
{
    return tdDot(a, a);
}

/// Length.
static inline float tdLength(tdVec3 a)
{
    return sqrtf(tdDot(a, a));
}

/// Distance of two points.
static inline float tdDistance(tdVec3 a, tdVec3 b)
{
    return tdLength(tdSub(b, a));
}

/// Unit vector of the same direction; zero if `a` is too short to have one.
static inline tdVec3 tdNormalize(tdVec3 a)
{
    float length = tdLength(a);
    return length > TD_MIN_LENGTH ? tdScale(1.0f / length, a) : tdVec3_zero;
}

/// Linear interpolation from a (t = 0) to b (t = 1).
static inline tdVec3 tdLerp(tdVec3 a, tdVec3 b, float t)
{
    tdVec3 result = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    return result;
}

// Quaternions

/// Product of two rotations: applies b, then a.
static inline tdQuat tdMulQuat(tdQuat a, tdQuat b)
{
    tdQuat result = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return result;
}

/// Inverse of a unit quaternion.
static inline tdQuat tdConjugate(tdQuat q)
{
    tdQuat result = {-q.x, -q.y, -q.z, q.w};
    return result;
}

/// inverse(a) * b
static inline tdQuat tdInvMulQuat(tdQuat a, tdQuat b)
{
    return tdMulQuat(tdConjugate(a), b);
}

/// Dot product of two quaternions.
static inline float tdDotQuat(tdQuat a, tdQuat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// -q, the same rotation.
static inline tdQuat tdNegateQuat(tdQuat q)
{
    tdQuat result = {-q.x, -q.y, -q.z, -q.w};
    return result;
}

/// Vector part of a quaternion.
static inline tdVec3 tdQuatVector(tdQuat q)
{
    tdVec3 result = {q.x, q.y, q.z};
    return result;
}

/// Rotate a vector.
static inline tdVec3 tdRotate(tdQuat q, tdVec3 v)
{
    // v + 2 u x (u x v + w v)
    tdVec3 u = tdQuatVector(q);
    tdVec3 t = tdMulAdd(tdCross(u, v), q.w, v);
    return tdMulAdd(v, 2.0f, tdCross(u, t));
}

/// Rotate a vector by the inverse.
static inline tdVec3 tdInvRotate(tdQuat q, tdVec3 v)
{
    tdVec3 u = tdQuatVector(q);
    tdVec3 t = tdMulSub(tdCross(u, v), q.w, v);
    return tdMulAdd(v, 2.0f, tdCross(u, t));
}

/// Unit quaternion; identity if `q` is too short or too long to have a direction.
static inline tdQuat tdNormalizeQuat(tdQuat q)
{
    float squared = tdDotQuat(q, q);
    if (!(squared > TD_MIN_QUAT_SQUARED && squared < INFINITY))
    {
        return tdQuat_identity;
    }
    float s = 1.0f / sqrtf(squared);
    tdQuat result = {s * q.x, s * q.y, s * q.z, s * q.w};
    return result;
}

/// Normalised linear interpolation along the shorter arc.
static inline tdQuat tdNlerp(tdQuat a, tdQuat b, float t)
{
    if (tdDotQuat(a, b) < 0.0f)
    {
        b = tdNegateQuat(b);
    }
    tdQuat q = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z), a.w + t * (b.w - a.w)};
    return tdNormalizeQuat(q);
}

/// Spherical linear interpolation along the shorter arc; normalised lerp if the rotations are close.
TD_API tdQuat tdSlerp(tdQuat a, tdQuat b, float t);

/// Rotation about a unit axis.
/// @param angle rad
TD_API tdQuat tdQuatFromAxisAngle(tdVec3 unitAxis, float angle);

/// Smallest rotation that carries the unit vector `from` onto the unit vector `to`; half a turn about some
/// perpendicular axis if they are opposite.
TD_API tdQuat tdQuatFromTo(tdVec3 from, tdVec3 to);

// Transforms

/// Transform a point.
static inline tdVec3 tdTransformPoint(tdTransform t, tdVec3 p)
{
    return tdAdd(t.position, tdRotate(t.rotation, p));
}

/// Transform a point by the inverse.
static inline tdVec3 tdInvTransformPoint(tdTransform t, tdVec3 p)
{
    return tdInvRotate(t.rotation, tdSub(p, t.position));
}

/// Product of two transforms: applies b, then a.
static inline tdTransform tdMulTransform(tdTransform a, tdTransform b)
{
    tdTransform result = {tdTransformPoint(a, b.position), tdMulQuat(a.rotation, b.rotation)};
    return result;
}

/// Inverse of a transform.
static inline tdTransform tdInvTransform(tdTransform t)
{
    tdTransform result = {tdNegate(tdInvRotate(t.rotation, t.position)), tdConjugate(t.rotation)};
    return result;
}

/// inverse(a) * b
static inline tdTransform tdInvMulTransform(tdTransform a, tdTransform b)
{
    tdTransform result = {tdInvTransformPoint(a, b.position), tdInvMulQuat(a.rotation, b.rotation)};
    return result;
}

// Matrices

/// Matrix of a local transform.
TD_API tdMat4 tdMat4FromTrs(tdTrs trs);

/// Product of two matrices: applies b, then a.
TD_API tdMat4 tdMulMat4(tdMat4 a, tdMat4 b);

/// Inverse of an affine matrix (last row 0 0 0 1); identity if it is singular.
TD_API tdMat4 tdInverseAffine(tdMat4 m);

/// Transform a point by an affine matrix.
TD_API tdVec3 tdMat4Point(tdMat4 m, tdVec3 p);

/// Transform a direction by an affine matrix, without its translation.
TD_API tdVec3 tdMat4Direction(tdMat4 m, tdVec3 v);

// ---- include/tendon/geometry.h ----

// geometry.h: convex hulls and triangle meshes, cooked once, shared by any number of shapes and worlds.

/// Kind of a shape.
typedef enum tdShapeKind
{
    TD_SHAPE_SPHERE,
    TD_SHAPE_BOX,
    TD_SHAPE_CAPSULE,  // straight or tapered
    TD_SHAPE_CYLINDER, // straight, tapered or a cone
    TD_SHAPE_PLANE,    // half-space or finite sheet
    TD_SHAPE_HULL,
    TD_SHAPE_MESH,
} tdShapeKind;

/// Name of a kind of shape: "sphere", "box", "capsule", "cylinder", "plane", "hull" or "mesh". A static
/// string.
TD_API const char* tdShapeKind_GetName(tdShapeKind kind);

/// A cooked convex hull or triangle mesh. Immutable: threads and worlds may share it. It must outlive every
/// shape made from it.
typedef struct tdGeometry tdGeometry;

/// Result of cooking.
typedef enum tdGeometryStatus
{
    TD_GEOMETRY_OK,
    TD_GEOMETRY_TOO_FEW,    // hull: fewer than 4 distinct points; mesh: no triangle
    TD_GEOMETRY_FLAT,       // hull: all points lie in one plane or line, so there is no volume
    TD_GEOMETRY_NOT_FINITE, // a coordinate is infinite or not a number, or its square overflows
    TD_GEOMETRY_BAD_INDEX,  // mesh: an index is out of range, or their count is not a multiple of 3
    TD_GEOMETRY_OUT_OF_MEMORY,
} tdGeometryStatus;

/// Input of tdCreateMeshGeometry. The arrays are copied. Start from tdDefaultMeshGeometryDef.
typedef struct tdMeshGeometryDef
{
    const tdVec3* positions; // m
    int positionCount;
    const uint32_t*
        indices; // three per triangle, counter-clockwise from the front; default NULL: 0, 1, 2, ...
    int indexCount;
    bool isDoubleSided;           // default false: an open mesh collides with the front of its triangles only
    const tdAllocator* allocator; // copied, its context must outlive the geometry; default NULL: malloc
    const tdTasks* tasks;         // for cooking only, the result does not depend on it; default NULL: none
    tdProgress* progress;         // default NULL: none
} tdMeshGeometryDef;

/// Default settings of a mesh, without positions. Does not allocate.
TD_API tdMeshGeometryDef tdDefaultMeshGeometryDef(void);

/// Cook the convex hull of any number of points, in any order, duplicates allowed.
/// @param points m; copied
/// @param allocator copied, its context must outlive the geometry; NULL for malloc
/// @param status may be NULL
/// @return the hull, to be freed with tdDestroyGeometry; NULL if the status is not TD_GEOMETRY_OK
TD_API tdGeometry* tdCreateHullGeometry(const tdVec3* points, int count, const tdAllocator* allocator,
                                        tdGeometryStatus* status);

/// Cook a triangle mesh. Triangles without area are dropped.
/// @param status may be NULL
/// @return the mesh, to be freed with tdDestroyGeometry; NULL if the status is not TD_GEOMETRY_OK
TD_API tdGeometry* tdCreateMeshGeometry(const tdMeshGeometryDef* def, tdGeometryStatus* status);

/// Destroy a geometry. Destroy the shapes made from it first.
/// @param geometry may be NULL
TD_API void tdDestroyGeometry(tdGeometry* geometry);

/// Whether the geometry is a convex hull; otherwise it is a triangle mesh.
TD_API bool tdGeometry_IsHull(const tdGeometry* geometry);

/// Whether the geometry encloses a volume: hulls, and meshes whose every edge joins exactly two triangles.
TD_API bool tdGeometry_IsClosed(const tdGeometry* geometry);

/// Volume, m^3; for an open mesh, that of its convex hull.
TD_API float tdGeometry_GetVolume(const tdGeometry* geometry);

/// Number of vertices.
TD_API int tdGeometry_GetVertexCount(const tdGeometry* geometry);

/// Number of faces of a hull or triangles of a mesh.
TD_API int tdGeometry_GetFaceCount(const tdGeometry* geometry);

/// Position of a vertex, m.
/// @param vertex index, must be in range
TD_API tdVec3 tdGeometry_GetVertex(const tdGeometry* geometry, int vertex);

// ---- include/tendon/physics.h ----

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

/// Result of the calls since the last step. The next step that succeeds sets TD_STATUS_OK.
typedef enum tdStatus
{
    TD_STATUS_OK,
    TD_STATUS_OUT_OF_MEMORY,  // the last step, load or create call failed; the world is as before it
    TD_STATUS_INVALID_NUMBER, // a call was given a number that is not finite, and changed nothing
} tdStatus;

/// Settings of a world. Start from tdDefaultWorldDef.
typedef struct tdWorldDef
{
    tdVec3 gravity;        // m/s^2, default {0, -9.81, 0}
    int subStepCount;      // solver sub-steps per step, > 0, default 4
    int bodyCapacity;      // bodies to reserve memory for, default 0: grow on demand
    int contactCapacity;   // contacts to reserve memory for, half of them touching; default 0: grow on demand
    bool enableSleep;      // islands at rest go to sleep and cost nothing, default true
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

/// Reason why the last tdWorld_Step returned false or the last create function returned a null id, and whether
/// a call since the last step was given a number that is not finite.
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
/// ids of that other world stay invalid here.
/// Events and moved bodies of the last step are cleared. May allocate.
/// @return false if the block is invalid or memory ran out; if memory ran out, destroy the world
TD_API bool tdWorld_LoadState(tdWorld* world, const void* data, size_t size);

/// Gravity, m/s^2.
TD_API tdVec3 tdWorld_GetGravity(const tdWorld* world);

/// Set gravity, m/s^2. Wakes every dynamic body if the value changes.
TD_API void tdWorld_SetGravity(tdWorld* world, tdVec3 gravity);

/// Enable or disable sleeping. Disabling wakes every dynamic body.
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
/// follow. A body without any shape that has volume gets the inertia of a ball of radius 0.1 m, and mass 1 kg
/// unless one is given.
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

// ---- include/tendon/debug.h ----

// debug.h: shapes of the engine as wireframes, for debug drawing.

/// Description of a shape.
typedef struct tdShapeInfo
{
    bool isValid; // false for a null or stale id; the other fields are zero then
    tdShapeKind kind;
    float dimensions[3]; // m; sphere: radius; box: lengths; capsule and cylinder: height, bottom radius, top
                         // radius; plane: sizes along X and Z, may be INFINITY
    int dimensionCount;  // 0 for hulls and meshes
} tdShapeInfo;

/// Describe a shape. Accepts any id, null and stale ones included. Does not allocate.
TD_API tdShapeInfo tdDescribeShape(const tdWorld* world, tdShapeId shape);

/// Wireframe of a shape in its own frame; tdShape_GetLocal places it in the body. Round parts are drawn with
/// chords, unbounded planes as a square of 20 m. Does not allocate.
/// @param points receives at most `capacity` points, two per line; may be NULL if that is 0
/// @return number of points, which may exceed `capacity`
TD_API int tdShape_GetLines(const tdWorld* world, tdShapeId shape, tdVec3* points, int capacity);

// ---- include/tendon/joint.h ----

// joint.h: joints of the rigid-body engine. A joint is a list of limits and drives between two frames. This
// is the form of the glTF extensions, and general enough for every classical joint.
//
// Every measured value is of frame B relative to frame A: p = R_a^T (t_b - t_a), angles of
// q = conj(q_a) * q_b. Rates are those of B minus those of A, in frame A.

/// Axes of a frame as bits, so that one limit can bound several.
typedef enum tdAxis
{
    TD_AXIS_X = 1,
    TD_AXIS_Y = 2,
    TD_AXIS_Z = 4,
    TD_AXIS_ALL = 7,
} tdAxis;

/// Bounds one value between min and max. The axes select the value; one of the two sets is empty:
///
///  - linear, 1 axis: coordinate of p on the axis, signed
///  - linear, 2 axes: distance to the line of the third axis
///  - linear, 3 axes: distance of the two origins
///  - angular, 1 axis: twist about the axis, signed, (-pi, pi]
///  - angular, 2 axes: angle between the third axes (cone), 0 to pi
///  - angular, 3 axes: total angle of q, 0 to pi
///
/// Unsigned values treat min <= 0 as no lower bound; min > 0 excludes a core. If min > max, the value is held
/// in the middle.
typedef struct tdJointLimit
{
    unsigned linearAxes, angularAxes; // bits of tdAxis
    float min, max;                   // m or rad; -INFINITY and INFINITY leave an end open
    float stiffness;                  // N/m or N m/rad outside the range; default INFINITY: a hard limit
    float damping;                    // N s/m or N m s/rad outside the range; ignored by hard limits
} tdJointLimit;

/// Kind of motion that a drive acts on.
typedef enum tdDriveType
{
    TD_DRIVE_LINEAR,
    TD_DRIVE_ANGULAR,
} tdDriveType;

/// Unit of a drive's stiffness and damping.
typedef enum tdDriveMode
{
    TD_DRIVE_FORCE,        // N/m, N s/m, or N m/rad, N m s/rad
    TD_DRIVE_ACCELERATION, // 1/s^2, 1/s: scaled by the effective mass
} tdDriveMode;

/// A motor or spring along one axis: force = stiffness * (positionTarget - x) + damping *
/// (velocityTarget - v), clamped to maxForce. An angular x counts full turns: a target of 10 pi is five
/// turns away. Start from tdDefaultJointDrive.
typedef struct tdJointDrive
{
    tdDriveType type;         // default TD_DRIVE_LINEAR
    tdDriveMode mode;         // default TD_DRIVE_FORCE
    tdAxis axis;              // one axis of frame A, default TD_AXIS_X
    float positionTarget;     // m or rad, default 0
    float velocityTarget;     // m/s or rad/s, default 0
    float stiffness, damping; // unit by `mode`, default 0
    float maxForce;           // N or N m, default INFINITY
} tdJointDrive;

/// Largest number of limits of a joint preset.
#define TD_MAX_PRESET_LIMITS 3

/// Settings of a joint. Start from tdDefaultJointDef or from a preset such as tdMakeHingeJointDef.
typedef struct tdJointDef
{
    tdBodyId bodyA, bodyB;      // default null: the fixed world; at least one must be given
    tdTransform frameA, frameB; // in their bodies, relative to the body's origin; default identity
    tdJointLimit presetLimits[TD_MAX_PRESET_LIMITS]; // filled by the presets; the joint's first limits
    int presetLimitCount;                            // default 0
    const tdJointLimit* limits;                      // further limits, copied by tdCreateJoint; default NULL
    int limitCount;
    const tdJointDrive* drives; // copied by tdCreateJoint; default NULL
    int driveCount;
    bool enableCollision;          // between the two bodies, default false
    float breakForce, breakTorque; // N, N m; default INFINITY: never
    uint64_t userData;             // default 0
    uint32_t cookie;               // internal: set by tdDefaultJointDef
} tdJointDef;

/// A hard limit on linear axes. min == max == 0 locks them.
/// @param axes bits of tdAxis
/// @param min, max m
TD_API tdJointLimit tdMakeLinearLimit(unsigned axes, float min, float max);

/// A hard limit on angular axes. min == max == 0 locks them.
/// @param axes bits of tdAxis
/// @param min, max rad
TD_API tdJointLimit tdMakeAngularLimit(unsigned axes, float min, float max);

/// Default settings of a drive: it does nothing until it gets stiffness or damping.
TD_API tdJointDrive tdDefaultJointDrive(void);

/// Default settings of a joint: no limits, no drives. Does not allocate.
TD_API tdJointDef tdDefaultJointDef(void);

// Presets: defs of the classical joints, made of limits. Both frames have their origin at the anchor and the
// same orientation, so every value starts at 0 in the bodies' current pose. Their X axis is the joint's axis.
// A null body is the fixed world. Anchors and axes are in world space; an axis need not be a unit vector, but
// must not be zero. Nothing here allocates. Fields of the def, drives for example, may be changed before
// tdCreateJoint.

/// Hold body B fixed relative to body A.
/// @param anchor m, world space: where tdJoint_GetForce acts
TD_API tdJointDef tdMakeFixedJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor);

/// Let body B rotate about one axis through the anchor. Limits: position, axis, and the angle (the third,
/// only if one of the bounds is finite).
/// @param minAngle, maxAngle rad, of the rotation of B relative to A about `axis`, within -pi to pi;
///        -INFINITY and INFINITY: unbounded
TD_API tdJointDef tdMakeHingeJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                      tdVec3 axis, float minAngle, float maxAngle);

/// Let body B slide along one axis through the anchor, without rotation. Limits: line, rotation, and the
/// travel (the third, only if one of the bounds is finite).
/// @param minTravel, maxTravel m, of B relative to A along `axis`; -INFINITY and INFINITY: unbounded
TD_API tdJointDef tdMakeSliderJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                       tdVec3 axis, float minTravel, float maxTravel);

/// Let body B rotate freely about the anchor. Limit: position.
TD_API tdJointDef tdMakeBallJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor);

/// Let body B rotate about the anchor within a cone, with a limited twist: a shoulder or a hip. Limits:
/// position, cone, and twist.
/// @param axis of the cone and the twist
/// @param coneAngle rad, 0 to pi: largest angle between the axes of A and B
/// @param minTwist, maxTwist rad, of the rotation of B relative to A about `axis`, within -pi to pi
TD_API tdJointDef tdMakeConeTwistJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchor,
                                          tdVec3 axis, float coneAngle, float minTwist, float maxTwist);

/// Keep the distance of a point of body A and a point of body B in a range: a rod if both ends are equal, a
/// rope if minDistance is 0. The frames are at their own anchors. Limit: distance.
/// @param anchorA, anchorB m, world space
/// @param minDistance, maxDistance m, >= 0; INFINITY: unbounded
TD_API tdJointDef tdMakeDistanceJointDef(const tdWorld* world, tdBodyId bodyA, tdBodyId bodyB, tdVec3 anchorA,
                                         tdVec3 anchorB, float minDistance, float maxDistance);

/// Create a joint. The world owns it; both bodies wake. The frames may start apart: hard limits pull them
/// together. May allocate.
/// @return the null id if memory ran out or a number is invalid
TD_API tdJointId tdCreateJoint(tdWorld* world, const tdJointDef* def);

/// Destroy a joint. Its id becomes invalid, and both bodies wake. Destroying a body destroys its joints too.
TD_API void tdDestroyJoint(tdWorld* world, tdJointId joint);

/// Whether an id names a living joint. Accepts any id, null and stale ones included.
TD_API bool tdJoint_IsValid(const tdWorld* world, tdJointId joint);

/// First body; the null id for the fixed world.
TD_API tdBodyId tdJoint_GetBodyA(const tdWorld* world, tdJointId joint);

/// Second body; the null id for the fixed world.
TD_API tdBodyId tdJoint_GetBodyB(const tdWorld* world, tdJointId joint);

/// Frame A, relative to the origin of body A.
TD_API tdTransform tdJoint_GetFrameA(const tdWorld* world, tdJointId joint);

/// Frame B, relative to the origin of body B.
TD_API tdTransform tdJoint_GetFrameB(const tdWorld* world, tdJointId joint);

/// Value that the application attached to the joint.
TD_API uint64_t tdJoint_GetUserData(const tdWorld* world, tdJointId joint);

/// Attach a value of the application to the joint.
TD_API void tdJoint_SetUserData(tdWorld* world, tdJointId joint, uint64_t userData);

/// Whether the two bodies collide with each other.
TD_API bool tdJoint_GetEnableCollision(const tdWorld* world, tdJointId joint);

/// Permit or forbid collision between the two bodies. Wakes both. Forbidding may allocate; if memory runs
/// out, tdWorld_GetStatus says so and the bodies still collide.
TD_API void tdJoint_SetEnableCollision(tdWorld* world, tdJointId joint, bool enableCollision);

/// Number of limits, those of the preset included.
TD_API int tdJoint_GetLimitCount(const tdWorld* world, tdJointId joint);

/// A limit.
/// @param limit index, must be in range
TD_API tdJointLimit tdJoint_GetLimit(const tdWorld* world, tdJointId joint, int limit);

/// Replace a limit; every field may change, the axes included. Wakes both bodies.
/// @param limit index, must be in range
TD_API void tdJoint_SetLimit(tdWorld* world, tdJointId joint, int limit, tdJointLimit value);

/// Number of drives.
TD_API int tdJoint_GetDriveCount(const tdWorld* world, tdJointId joint);

/// A drive.
/// @param drive index, must be in range
TD_API tdJointDrive tdJoint_GetDrive(const tdWorld* world, tdJointId joint, int drive);

/// Replace a drive; every field may change, the axis included. Wakes both bodies.
/// @param drive index, must be in range
TD_API void tdJoint_SetDrive(tdWorld* world, tdJointId joint, int drive, tdJointDrive value);

/// Current value that a limit bounds, m or rad.
/// @param limit index, must be in range
TD_API float tdJoint_GetLimitValue(const tdWorld* world, tdJointId joint, int limit);

/// Current value on a drive's axis, m or rad, full turns included.
/// @param drive index, must be in range
TD_API float tdJoint_GetDriveValue(const tdWorld* world, tdJointId joint, int drive);

/// Mean reaction of a limit on body B over the last step, world space: N for linear limits, N m for angular
/// ones. Body A receives the opposite.
/// @param limit index, must be in range
TD_API tdVec3 tdJoint_GetLimitReaction(const tdWorld* world, tdJointId joint, int limit);

/// Mean reaction of a drive on body B over the last step, world space: N for linear drives, N m for angular
/// ones. Body A receives the opposite.
/// @param drive index, must be in range
TD_API tdVec3 tdJoint_GetDriveReaction(const tdWorld* world, tdJointId joint, int drive);

/// Mean force of the whole joint on body B over the last step, N, world space. It acts at the origin of
/// frame B.
TD_API tdVec3 tdJoint_GetForce(const tdWorld* world, tdJointId joint);

/// Mean torque of the whole joint on body B over the last step, about the origin of frame B, N m, world
/// space.
TD_API tdVec3 tdJoint_GetTorque(const tdWorld* world, tdJointId joint);

/// Set the force (N) and torque (N m) that break the joint; INFINITY: never. A joint that exceeds one of them
/// in a step stops acting and reports a tdJointBreakEvent. It exists until it is destroyed.
TD_API void tdJoint_SetBreakLimits(tdWorld* world, tdJointId joint, float breakForce, float breakTorque);

/// Force that breaks the joint, N; INFINITY: never.
TD_API float tdJoint_GetBreakForce(const tdWorld* world, tdJointId joint);

/// Torque that breaks the joint, N m; INFINITY: never.
TD_API float tdJoint_GetBreakTorque(const tdWorld* world, tdJointId joint);

/// Whether the joint has broken and no longer acts.
TD_API bool tdJoint_IsBroken(const tdWorld* world, tdJointId joint);

/// A joint broke.
typedef struct tdJointBreakEvent
{
    tdJointId joint;
    tdVec3 force, torque; // N, N m: load of the step that broke it
} tdJointBreakEvent;

/// Joints that broke in the last step, in ascending order of their ids' index.
/// @param count receives the length of the array
/// @return an array of the world's, valid until the next step
TD_API const tdJointBreakEvent* tdWorld_GetJointBreakEvents(const tdWorld* world, int* count);

/// Classical joint that a set of limits is equivalent to. Axes are those of frame A.
typedef enum tdJointType
{
    TD_JOINT_FREE,        // nothing is limited
    TD_JOINT_FIXED,       // everything is locked
    TD_JOINT_BALL,        // the origins coincide, rotation is free or limited
    TD_JOINT_HINGE,       // rotates about one axis only
    TD_JOINT_SLIDER,      // slides along one axis only, or along and about it with both ranges bounded
    TD_JOINT_CYLINDRICAL, // slides along and rotates about one axis, at least one of them unbounded
    TD_JOINT_UNIVERSAL,   // the origins coincide, rotation about one axis (the given one) is locked
    TD_JOINT_DISTANCE,    // the distance of the origins is bounded: rod (min = max), rope (min = 0)
    TD_JOINT_PLANAR,      // slides in a plane; rotates about its normal (the axis) or not at all
    TD_JOINT_GENERIC,     // any other set
} tdJointType;

/// Description of a set of limits as a classical joint.
typedef struct tdJointClass
{
    tdJointType type;
    int axis;                     // 0, 1, 2 where the type has one, else -1
    float linearMin, linearMax;   // m, range along the axis or of the distance; infinite where unbounded
    float angularMin, angularMax; // rad, range about the axis; infinite where unbounded
    unsigned lockedLinear;        // bits of tdAxis
    unsigned lockedAngular;
    unsigned limitedLinear; // bounded, not locked
    unsigned limitedAngular;
    bool isSoft; // some limit has a finite stiffness
} tdJointClass;

/// Find the classical joint that a set of limits is equivalent to. Does not allocate.
/// @param limits may be NULL if `limitCount` is 0
TD_API tdJointClass tdClassifyJoint(const tdJointLimit* limits, int limitCount);

/// Name of a joint type: "fixed", "ball", "hinge", ...; "unknown" out of range. A static string.
TD_API const char* tdJointType_GetName(tdJointType type);

// ---- include/tendon/report.h ----

// report.h: findings about a file, with stable codes and messages.

/// Severity of a finding.
typedef enum tdSeverity
{
    TD_SEVERITY_ERROR,   // a rule is broken; the object is left out, the rest is used
    TD_SEVERITY_WARNING, // the result differs from the file's intent
    TD_SEVERITY_INFO,    // for information, nothing to fix
    TD_SEVERITY_HINT,    // could be better
} tdSeverity;

/// One finding. The strings belong to the report.
typedef struct tdDiagnostic
{
    tdSeverity severity;
    const char* code;    // stable, such as "PHYS_JOINT_NO_BODY"; listed in docs/diagnostics.md
    const char* source;  // file of the finding, as passed to the load call
    const char* pointer; // JSON pointer into that file, such as "/nodes/4"; "" for the whole file
    int line, column;    // 1-based, 0 if unknown
    int64_t offset;      // byte offset into that file; -1 if `pointer` locates the finding
    const char* message; // one sentence with the values concerned
} tdDiagnostic;

/// A growing list of findings. One report may collect those of many calls. Not thread-safe: use one report
/// per thread. All functions accept a NULL report.
typedef struct tdReport tdReport;

/// Create an empty report.
/// @param allocator copied, its context must outlive the report; NULL for malloc
/// @return the report, to be freed with tdDestroyReport; NULL if memory ran out
TD_API tdReport* tdCreateReport(const tdAllocator* allocator);

/// Destroy a report with all its strings.
/// @param report may be NULL
TD_API void tdDestroyReport(tdReport* report);

/// Whether the report has an error, or lost a finding because memory ran out. False for NULL.
TD_API bool tdReport_HasErrors(const tdReport* report);

/// Number of findings kept with their text. A hostile file may cause more (tdReport_IsTruncated). 0 for NULL.
TD_API int tdReport_GetCount(const tdReport* report);

/// A finding. Its strings belong to the report.
/// @param index out of range gives empty strings
TD_API tdDiagnostic tdReport_Get(const tdReport* report, int index);

/// Number of all findings of a severity, including those that were not kept. 0 for NULL.
TD_API int tdReport_CountSeverity(const tdReport* report, tdSeverity severity);

/// Whether findings were dropped because there were too many or memory ran out. False for NULL.
TD_API bool tdReport_IsTruncated(const tdReport* report);

/// Name of a severity: "error", "warning", "info" or "hint". A static string.
TD_API const char* tdSeverity_GetName(tdSeverity severity);

/// The report as lines of text. Allocates from the report.
/// @return a string of the report's, valid until its next change or text; "" for NULL or if memory ran out
TD_API const char* tdReport_GetText(tdReport* report);

/// The report as the "issues" object of the Khronos validator's report, with line and column added (schema:
/// docs/report.schema.json). Allocates from the report.
/// @param source findings about this file only; NULL: all
/// @return a string of the report's, valid until its next change or text; "{}" for NULL or if memory ran out
TD_API const char* tdReport_GetJson(tdReport* report, const char* source);
