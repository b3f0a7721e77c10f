// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon 0.1.0, the library in one file. Made by tools/amalgamate.
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

// ---- include/tendon/asset.h ----

// asset.h: glTF, GLB, VRM, VRMA and BVH files: loading, lookup, saving. All functions accept a NULL asset and
// a NULL report.

/// A loaded file, or the result of an edit. Immutable: any number of threads may read it, and any number of
/// actors may be made from it. It must outlive them.
///
/// An asset made from another one (tdBakeActor, tdConvertAsset, tdAddClip, tdMakeMotion, tdEmbedFiles) keeps
/// the options of its origin. Its scene is imported on first use, once: the thread that uses it first does
/// the work, others wait. The allocator and the tasks of tdLoadDef must outlive such assets and be usable
/// from any thread that uses them.
typedef struct tdAsset tdAsset;

/// Reads a file that the asset refers to: buffers during loading, other files when the asset is saved into
/// another folder, so the context must outlive an asset that is saved. The bytes are copied before the next
/// call.
/// @param uri relative path, percent escapes decoded. URIs with a scheme, absolute paths and paths that leave
///        the folder never reach this function
/// @return false if the file is not available
typedef bool tdReadFileFcn(void* context, const char* uri, const void** data, size_t* size);

/// How much of a file a load prepares. The findings are the same at every level except TD_LOAD_DOCUMENT,
/// which reports only on the container and the JSON text.
typedef enum tdLoadLevel
{
    TD_LOAD_SIMULATION, // everything, hulls and meshes ready for simulation
    TD_LOAD_MASSES,     // the scene with masses and volumes; actors only without physics
    TD_LOAD_SCENE,      // the scene; masses leave out hulls and meshes; actors only without physics
    TD_LOAD_DOCUMENT,   // the document, for saving; the scene is imported on first use, for simulation and
                        // without findings
} tdLoadLevel;

/// Settings of a load. Start from tdDefaultLoadDef.
typedef struct tdLoadDef
{
    const tdAllocator* allocator; // copied, its context must outlive the asset; default NULL: malloc
    const tdTasks* tasks;         // default NULL: the caller's thread
    tdReadFileFcn* readFile;      // default NULL: files beside the asset, nothing outside its folder
    void* readContext;
    const char* const* allowedFolders; // further folders that references may reach, default none
    int allowedFolderCount;
    tdLoadLevel level;     // how much to prepare, default TD_LOAD_SIMULATION
    size_t maxBytes;       // memory that loading may use, default 4 GiB
    bool literalStiffness; // read small OMI stiffness as N/m (docs/spec/physics.md 9.21), default false
    bool wideWeights;     // accept constraint weights outside 0 to 1, which extrapolate or invert the effect;
                          // default false. They are reported either way, as VRM forbids them
    tdProgress* progress; // of loading, converting and saving; must outlive the asset; default NULL: none
    const char* name;     // of an asset loaded from memory, for reports; default NULL
    const char* boneMap;  // JSON object {"VRM bone": "joint name" or null, ...} for BVH and plain glTF
    float bvhUnit;        // m per unit of a BVH; default 0: estimated from the size of the skeleton
    int bvhTposeFrame1; // 1-based frame of a BVH that shows the T-pose; default 0: the rest pose is corrected
                        // by the directions of the limbs
    uint32_t cookie;    // internal: set by tdDefaultLoadDef
} tdLoadDef;

/// Default settings of a load. Does not allocate.
TD_API tdLoadDef tdDefaultLoadDef(void);

/// Load an asset from a file. The content determines the kind of file, not the name.
/// @param def NULL for the defaults
/// @param report receives the findings; may be NULL
/// @return the asset, to be freed with tdDestroyAsset; NULL if nothing usable could be read or memory
///         ran out. Objects with errors are reported and left out
TD_API tdAsset* tdLoadAsset(const char* path, const tdLoadDef* def, tdReport* report);

/// Load an asset from memory. The content determines the kind of file.
/// @param data copied
/// @param def NULL for the defaults; `readFile` provides the files it refers to
/// @param report receives the findings; may be NULL
/// @return as tdLoadAsset
TD_API tdAsset* tdLoadAssetFromMemory(const void* data, size_t size, const tdLoadDef* def, tdReport* report);

/// Destroy an asset. Destroy its actors, clips and rigs first.
/// @param asset may be NULL
TD_API void tdDestroyAsset(tdAsset* asset);

/// Hash of the bytes of a file and of every file it refers to, to detect whether a result made from it is up
/// to date. Equal on every platform; not for security.
/// @param def NULL for the defaults
/// @return false if a file cannot be read or memory ran out
TD_API bool tdHashAssetFile(const char* path, const tdLoadDef* def, uint64_t* hash);

/// Write an asset to a file. The extension selects .gltf, .glb or .vrm; "-" writes GLB to standard output;
/// any other name keeps the kind of file that was read. Content that the loader did not interpret is written
/// back unchanged; an unchanged asset of the same kind gives the same bytes. Files that a .gltf refers to are
/// copied into another folder, but never over different files.
/// @param report receives the findings; may be NULL
/// @return false on any failure; an existing file is then untouched
TD_API bool tdSaveAsset(const tdAsset* asset, const char* path, tdReport* report);

/// Format of a saved asset.
typedef enum tdSaveFormat
{
    TD_SAVE_SAME, // as it was read
    TD_SAVE_GLB,
    TD_SAVE_GLTF,
} tdSaveFormat;

/// Write an asset to memory.
/// @param allocator of the result; NULL for malloc
/// @param size receives the number of bytes
/// @param report receives the findings; may be NULL
/// @return the bytes of the file, to be freed with tdFreeSaved and the same allocator; NULL on failure
TD_API void* tdSaveAssetToMemory(const tdAsset* asset, tdSaveFormat format, const tdAllocator* allocator,
                                 size_t* size, tdReport* report);

/// Free the result of tdSaveAssetToMemory.
/// @param data may be NULL
/// @param size, allocator those of the call that made it
TD_API void tdFreeSaved(void* data, size_t size, const tdAllocator* allocator);

/// Receives a file that an asset refers to. The bytes are valid during the call.
/// @param uri relative path, percent escapes decoded
/// @return false to stop
typedef bool tdVisitFileFcn(void* context, const char* uri, const void* data, size_t size);

/// Visit every file that the asset refers to, in file order, buffers first. A file with two references is
/// visited twice. Unreadable files are skipped with a warning. May allocate.
/// @return false if the visitor stopped, the asset is NULL or memory ran out
TD_API bool tdAsset_VisitFiles(const tdAsset* asset, tdVisitFileFcn* visit, void* context, tdReport* report);

/// Embed every file that the asset refers to, for saving in the given format. Images of a GLB become views of
/// its binary chunk; other files become data URIs. Unreadable files are reported and left out.
/// @return a new asset, to be freed with tdDestroyAsset, independent of `asset`; NULL if memory ran out or
///         `asset` is a BVH
TD_API tdAsset* tdEmbedFiles(const tdAsset* asset, tdSaveFormat format, tdReport* report);

/// Number of nodes. A node is identified by its index in the file's "nodes" array; -1 means no node.
TD_API int tdAsset_GetNodeCount(const tdAsset* asset);

/// Name of a node; "" if it has none, NULL out of range. Belongs to the asset.
TD_API const char* tdAsset_GetNodeName(const tdAsset* asset, int node);

/// First node of a name; -1 if there is none.
TD_API int tdAsset_FindNode(const tdAsset* asset, const char* name);

/// Node of a VRM bone such as "leftUpperArm"; -1 if the asset lacks it or has no humanoid.
TD_API int tdAsset_FindBone(const tdAsset* asset, const char* vrmBoneName);

/// Number of animations.
TD_API int tdAsset_GetAnimationCount(const tdAsset* asset);

/// Name of an animation; "" if it has none, NULL out of range. Belongs to the asset.
TD_API const char* tdAsset_GetAnimationName(const tdAsset* asset, int animation);

/// First animation of a name; -1 if there is none.
TD_API int tdAsset_FindAnimation(const tdAsset* asset, const char* name);

// ---- include/tendon/clip.h ----

// clip.h: an animation prepared for one asset.

/// An animation prepared for one asset. Immutable: any number of actors and threads may share it. The asset
/// must outlive it; a retargeted clip depends on the target asset, not on the source.
typedef struct tdClip tdClip;

/// Create a clip from one of the asset's own animations.
/// @param allocator for the clip's memory, NULL: malloc. It must outlive the clip, and its release must be
///        safe on the thread that destroys the clip
/// @param report receives the findings; may be NULL
/// @return the clip, to be freed with tdDestroyClip; NULL if there is no such animation or memory ran out
TD_API tdClip* tdCreateClip(const tdAsset* asset, int animation, const tdAllocator* allocator,
                            tdReport* report);

/// Settings of a retarget. Start from tdDefaultRetargetDef.
typedef struct tdRetargetDef
{
    bool scaleHips;       // scale hips translation by the ratio of hip heights, default true
    float angleTolerance; // rad, bound on the error between keys where bones are folded; default 2e-5
    int maximumKeyCount;  // per folded bone; refinement stops there with a warning; default 100000
    uint32_t cookie;      // internal: set by tdDefaultRetargetDef
} tdRetargetDef;

/// Default settings of a retarget. Does not allocate.
TD_API tdRetargetDef tdDefaultRetargetDef(void);

/// Create a clip for `target` from a humanoid animation of `source` (VRMA, VRM, BVH, or glTF with common bone
/// names). Bones are matched by VRM bone name. Rotations of bones that the target lacks are folded into their
/// children.
/// @param def NULL for the defaults
/// @param allocator for the clip and the work on it, NULL: malloc. It must outlive the clip, and its release
///        must be safe on the thread that destroys the clip
/// @param report receives the findings; may be NULL
/// @return the clip, to be freed with tdDestroyClip; NULL if an asset has no humanoid, there is no such
///         animation, or memory ran out
TD_API tdClip* tdRetargetClip(const tdAsset* source, int animation, const tdAsset* target,
                              const tdRetargetDef* def, const tdAllocator* allocator, tdReport* report);

/// Destroy a clip. Stop its plays first.
/// @param clip may be NULL
TD_API void tdDestroyClip(tdClip* clip);

/// Duration, s; 0 for NULL.
TD_API float tdClip_GetDuration(const tdClip* clip);

/// Name; "" if the file gives none. Belongs to the clip.
TD_API const char* tdClip_GetName(const tdClip* clip);

/// Number of channels.
TD_API int tdClip_GetChannelCount(const tdClip* clip);

/// Number of VRM expressions that the clip animates.
TD_API int tdClip_GetExpressionCount(const tdClip* clip);

/// Name of an expression that the clip animates; NULL out of range. Belongs to the clip.
TD_API const char* tdClip_GetExpressionName(const tdClip* clip, int index);

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

// ---- include/tendon/stage.h ----

// stage.h: running assets: the clock, the physics world and the actors. All functions accept NULL handles:
// commands do nothing, queries return zeros.
//
// Numbers must be finite. A call with a NaN or an infinity changes nothing: checked builds assert, others set
// TD_STATUS_INVALID_NUMBER in the stage's world (tdWorld_GetStatus).

/// Owns the clock, the physics world and the actors. One thread at a time may use a stage.
typedef struct tdStage tdStage;

/// A running instance of an asset: its pose, its playing clips, its bodies. Owned by its stage.
typedef struct tdActor tdActor;

/// Settings of a stage. Start from tdDefaultStageDef.
typedef struct tdStageDef
{
    tdWorldDef world;     // its allocator also serves the stage and its actors
    const tdTasks* tasks; // also used by the world if that has none; default NULL: the caller's thread
    double stepRate;      // Hz, > 0, default 60; time is step index / step rate, never a sum
    uint32_t cookie;      // internal: set by tdDefaultStageDef
} tdStageDef;

/// Default settings of a stage. Does not allocate.
TD_API tdStageDef tdDefaultStageDef(void);

/// Create an empty stage at time 0.
/// @param def NULL for the defaults
/// @return the stage, to be freed with tdDestroyStage; NULL if memory ran out or a number is not finite
TD_API tdStage* tdCreateStage(const tdStageDef* def);

/// Destroy a stage with its actors and its world.
/// @param stage may be NULL
TD_API void tdDestroyStage(tdStage* stage);

/// Settings of an actor. Start from tdDefaultActorDef.
typedef struct tdActorDef
{
    int scene; // scene whose bodies the actor has, default -1: the file's own choice. Reports cover that
               // scene; tdDescribeScene... (describe.h) describe the others. At most eight scenes may have
               // physics
    tdTransform placement;  // of the scene's root in the world, default identity
    bool enableConstraints; // default true
    bool enablePhysics;     // default true
    bool enableSprings;     // VRM spring bones (spring.h), default true
    bool springsHitStage;   // springs also collide with the solid colliders of the stage, default false
    uint32_t cookie;        // internal: set by tdDefaultActorDef
} tdActorDef;

/// Default settings of an actor. Does not allocate.
TD_API tdActorDef tdDefaultActorDef(void);

/// Create an actor in the file's rest pose. Constraints first run in tdStage_Step or tdStage_Evaluate.
/// @param asset must outlive the actor
/// @param def NULL for the defaults
/// @param report receives the findings; may be NULL
/// @return the actor, owned by the stage; NULL if the stage or asset is NULL, the placement is not finite or
///         memory ran out
TD_API tdActor* tdCreateActor(tdStage* stage, const tdAsset* asset, const tdActorDef* def, tdReport* report);

/// Destroy an actor with its bodies. Its arrays and play ids become invalid.
/// @param actor may be NULL
TD_API void tdDestroyActor(tdActor* actor);

/// Asset that the actor was made from.
TD_API const tdAsset* tdActor_GetAsset(const tdActor* actor);

/// Stage that owns the actor.
TD_API tdStage* tdActor_GetStage(const tdActor* actor);

// Clips

/// Settings of a play. Start from tdDefaultPlayDef.
typedef struct tdPlayDef
{
    float start;     // s into the clip at the time of the call, default 0
    float speed;     // default 1; negative plays backwards, 0 holds
    float weight;    // default 1; see tdActor_Play
    bool loop;       // default false: the first and last keys are held
    uint32_t cookie; // internal: set by tdDefaultPlayDef
} tdPlayDef;

/// Default settings of a play. Does not allocate.
TD_API tdPlayDef tdDefaultPlayDef(void);

/// Handle of a clip that plays on one actor. All zero is the null id. Stale ids are detected and ignored.
typedef struct tdPlayId
{
    uint32_t index1, generation;
} tdPlayId;

/// Play a clip. Clips that drive the same property are averaged by weight; if their weights sum to less than
/// 1, the rest pose has the remaining weight. Allocates.
/// @param clip made for the actor's asset; must outlive the play
/// @param def NULL for the defaults
/// @return the null id if the actor or clip is NULL, a number is not finite or memory ran out
TD_API tdPlayId tdActor_Play(tdActor* actor, const tdClip* clip, const tdPlayDef* def);

/// Stop a clip. Its targets return to the rest pose unless another clip drives them. The id becomes stale.
TD_API void tdActor_Stop(tdActor* actor, tdPlayId play);

/// Set the time in the clip (s), the speed and the weight from the stage's current time on.
TD_API void tdActor_SetPlay(tdActor* actor, tdPlayId play, float time, float speed, float weight);

/// Time in the clip at the stage's time, s, looping included; 0 for a stale id.
TD_API float tdActor_GetPlayTime(const tdActor* actor, tdPlayId play);

/// Speed of a play; 0 for a stale id.
TD_API float tdActor_GetPlaySpeed(const tdActor* actor, tdPlayId play);

/// Weight of a play; 0 for a stale id.
TD_API float tdActor_GetPlayWeight(const tdActor* actor, tdPlayId play);

/// Whether the clip still plays; false for a stale id and after the end of a clip that does not loop.
TD_API bool tdActor_IsPlaying(const tdActor* actor, tdPlayId play);

// Input of the application

/// Properties of a node's local transform, as bits.
typedef enum tdLocal
{
    TD_LOCAL_TRANSLATION = 1,
    TD_LOCAL_ROTATION = 2,
    TD_LOCAL_SCALE = 4,
    TD_LOCAL_ALL = 7,
} tdLocal;

/// Override a node's local transform, or parts of it, from the next step on until cleared. Overrides clips;
/// constraints and bodies override it. The rotation is normalised.
/// The first call allocates; if memory runs out, the next tdStage_Step returns false.
/// @param properties bits of tdLocal
TD_API void tdActor_SetLocal(tdActor* actor, int node, unsigned properties, tdTrs local);

/// Overrides of a node's local transform. tdActor_GetLocals gives the transform in effect.
/// @param local receives the overridden properties, and identity for the others; may be NULL
/// @return bits of tdLocal: the properties that are overridden
TD_API unsigned tdActor_GetLocal(const tdActor* actor, int node, tdTrs* local);

/// Remove overrides of a node's local transform.
/// @param properties bits of tdLocal
TD_API void tdActor_ClearLocal(tdActor* actor, int node, unsigned properties);

/// Set the transform of the scene's root in the world from the next step on. The rotation is normalised.
TD_API void tdActor_SetPlacement(tdActor* actor, tdTransform placement);

/// Transform of the scene's root in the world; identity for NULL.
TD_API tdTransform tdActor_GetPlacement(const tdActor* actor);

/// Enable or disable all node constraints of the actor.
TD_API void tdActor_EnableConstraints(tdActor* actor, bool enable);

/// Whether node constraints are enabled.
TD_API bool tdActor_AreConstraintsEnabled(const tdActor* actor);

/// Set the weight of the constraint on a destination node. The file's weight is the default. The weight is
/// clamped to 0 to 1, unless the asset was loaded with wideWeights.
TD_API void tdActor_SetConstraintWeight(tdActor* actor, int node, float weight);

/// Weight of the constraint on a destination node; 0 if there is none.
TD_API float tdActor_GetConstraintWeight(const tdActor* actor, int node);

/// Set the weight of a VRM expression, clamped to 0 to 1, until cleared. It overrides clips. isBinary and
/// overrides then apply to it. Unknown names are ignored.
/// @param name preset ("happy", "blink") or custom name
TD_API void tdActor_SetExpression(tdActor* actor, const char* name, float weight);

/// Remove the application's weight of an expression, so that clips drive it again.
TD_API void tdActor_ClearExpression(tdActor* actor, const char* name);

/// Weight of an expression from clips and the application, clamped, before isBinary and overrides; 0 for an
/// unknown name.
TD_API float tdActor_GetExpression(const tdActor* actor, const char* name);

/// Effective weight of an expression in the pose of the last step, after gaze, isBinary and overrides. Use it
/// for effects that Tendon does not apply, such as material colours. 0 for an unknown name.
TD_API float tdActor_GetExpressionOutput(const tdActor* actor, const char* name);

/// Set the gaze in the head's frame until cleared. It overrides clips.
/// @param yaw rad, positive to the character's left
/// @param pitch rad, positive down
TD_API void tdActor_SetGaze(tdActor* actor, float yaw, float pitch);

/// Gaze in the head's frame, from the application or, if it sets none, from clips in the last step.
/// @param yaw, pitch receive rad as in tdActor_SetGaze; 0 if there is no gaze
/// @return false if neither the application nor a clip sets the gaze
TD_API bool tdActor_GetGaze(const tdActor* actor, float* yaw, float* pitch);

/// Remove the application's gaze, so that clips drive it again.
TD_API void tdActor_ClearGaze(tdActor* actor);

// Running

/// Advance all actors by one step: clips, constraints, physics, constraints that depend on physics, then
/// springs. May allocate. Replaces the arrays of tdStage_GetEvents.
/// @return false if memory ran out; the stage keeps its state, and the step may be retried
TD_API bool tdStage_Step(tdStage* stage);

/// Time of the last step, s; 0 before the first one.
TD_API double tdStage_GetTime(const tdStage* stage);

/// Steps per second, Hz; 0 for NULL.
TD_API double tdStage_GetStepRate(const tdStage* stage);

/// Pose all actors at any time between the last two steps. Clips and constraints are evaluated at that exact
/// time, simulated bodies and springs are interpolated (lerp, slerp), clip-driven bodies follow the clip.
/// Changes no simulation state. Before the first step it gives the file's state after clips and constraints,
/// with springs at rest.
/// @param time s
TD_API void tdStage_Evaluate(tdStage* stage, double time);

/// Local transforms of all nodes, by node index. The array belongs to the actor, keeps its address for the
/// actor's lifetime and is rewritten by tdStage_Step and tdStage_Evaluate.
TD_API const tdTrs* tdActor_GetLocals(const tdActor* actor);

/// Global matrices of all nodes, by node index. The array behaves like that of tdActor_GetLocals.
TD_API const tdMat4* tdActor_GetGlobals(const tdActor* actor);

/// Morph weights of a node. The array behaves like that of tdActor_GetLocals.
/// @param count receives the length of the array; may be NULL
TD_API const float* tdActor_GetMorphWeights(const tdActor* actor, int node, int* count);

/// Two solid colliders began or ceased to touch.
typedef struct tdContactEvent
{
    tdActor *actorA, *actorB;
    int nodeA, nodeB;     // of the colliders
    tdVec3 point, normal; // world space, normal from A to B
    float impulse;        // N s
    bool began;           // false: ended
} tdContactEvent;

/// A solid collider entered or left a trigger.
typedef struct tdTriggerEvent
{
    tdActor *trigger, *visitor;
    int triggerNode, visitorNode; // of the colliders
    int visitorBodyNode;          // -1: the visitor is static
    bool entered;                 // false: left
} tdTriggerEvent;

/// Events of the last step.
typedef struct tdStageEvents
{
    const tdContactEvent* contacts;
    int contactCount;
    const tdTriggerEvent* triggers;
    int triggerCount;
} tdStageEvents;

/// Events of the last step, in deterministic order. The arrays belong to the stage and are valid until the
/// next step.
TD_API tdStageEvents tdStage_GetEvents(const tdStage* stage);

// Physics by node. A node stands for the body it belongs to: its own, or that of the nearest ancestor with
// motion. Commands ignore nodes without a body; queries give zero for them.

/// Apply an impulse (N s) and an angular impulse (N m s) at the centre of mass of a node's body, world space.
/// They change the velocity at once.
TD_API void tdActor_ApplyImpulse(tdActor* actor, int node, tdVec3 linearImpulse, tdVec3 angularImpulse);

/// Apply an impulse (N s) at a point of a node's body, both in world space. It changes the velocity at once.
TD_API void tdActor_ApplyPointImpulse(tdActor* actor, int node, tdVec3 impulse, tdVec3 point);

/// Velocity of the centre of mass, m/s, in the space of the body's node without its scale, as in files.
TD_API tdVec3 tdActor_GetLinearVelocity(const tdActor* actor, int node);

/// Angular velocity, rad/s, in the space of the body's node without its scale, as in files.
TD_API tdVec3 tdActor_GetAngularVelocity(const tdActor* actor, int node);

/// Set the velocity of the centre of mass, m/s, in the space of the body's node without its scale.
TD_API void tdActor_SetLinearVelocity(tdActor* actor, int node, tdVec3 velocity);

/// Set the angular velocity, rad/s, in the space of the body's node without its scale.
TD_API void tdActor_SetAngularVelocity(tdActor* actor, int node, tdVec3 velocity);

/// Hit of a ray.
typedef struct tdStageHit
{
    tdActor* actor; // NULL: a shape that the application created in the world
    int node;       // of the collider; -1 if actor is NULL
    int bodyNode;   // of its body; -1: static
    float fraction; // of the way from start to end
    tdVec3 point;   // m, world space
    tdVec3 normal;  // unit, out of the collider; zero if the ray starts inside
} tdStageHit;

/// Find the nearest collider between two points of the world. Triggers are not hit. Does not allocate.
/// @param filterActor actor whose file's filter table `collisionFilter` indexes (KHR's, else OMI's); may be
///        NULL if `collisionFilter` is -1
/// @param collisionFilter filter that the ray has; -1: the ray hits everything
/// @param hit may be NULL; untouched if nothing is hit
/// @return whether something was hit; false for a filter out of range
TD_API bool tdStage_CastRay(const tdStage* stage, tdVec3 start, tdVec3 end, const tdActor* filterActor,
                            int collisionFilter, tdStageHit* hit);

/// Physics world of the stage, for forces, other queries and bodies of the application's own. The stage owns
/// and steps it.
TD_API tdWorld* tdStage_GetWorld(tdStage* stage);

/// Body that a node belongs to; the null id if there is none.
TD_API tdBodyId tdActor_GetBody(const tdActor* actor, int node);

/// Shape of a collider of the actor's scene (index as in describe.h); the null id if it has none.
TD_API tdShapeId tdActor_GetShape(const tdActor* actor, int collider);

/// Joint of the actor's scene (index as in describe.h); the null id if it was not created.
TD_API tdJointId tdActor_GetJoint(const tdActor* actor, int joint);

// ---- include/tendon/bake.h ----

// bake.h: records an actor's motion as a glTF animation that every viewer can play.

/// Settings of a bake. Start from tdDefaultBakeDef.
typedef struct tdBakeDef
{
    double seconds; // duration; default -1, as any negative value: until the last playing clip ends, or 10 s
                    // if none plays. 0 captures the current pose
    double frameRate; // captures per second, > 0, default 30
    double warmup;    // s to simulate before recording starts, default 0
    bool untilRest;   // stop early once every body sleeps and no clip plays; default false
    double loopBlend; // s at the end that are blended into the first pose, so that the clip loops without a
                      // jump; default 0; ignored with untilRest, whose end is not known in advance
    float
        positionTolerance; // m; keys within this distance of their neighbours' line are dropped; default 1e-4
    float angleTolerance;  // rad, likewise; default 5e-4
    float weightTolerance; // of morph weights, likewise; default 1e-3
    const char* name;      // of the animation, default "baked"; a number is appended if it is taken
    bool stripPhysics;     // remove the objects and names of the physics extensions; default false
    bool stripSprings; // remove the spring bones, so that programs that play them show the recorded motion;
                       // default false
    bool replaceAnimations; // remove the animations that were played; default false
    float* duration;        // receives the length of the new animation, s, 0 if nothing moved; default NULL
    tdProgress* progress;   // of the recording; its update function may stop it; default NULL: the asset's
    uint32_t cookie;        // internal: set by tdDefaultBakeDef
} tdBakeDef;

/// Default settings of a bake. Does not allocate.
TD_API tdBakeDef tdDefaultBakeDef(void);

/// Step the actor's stage and record the actor. All actors of the stage advance with it.
/// @param def NULL for the defaults
/// @param report receives the findings; may be NULL
/// @return a new asset, to be freed with tdDestroyAsset: the actor's asset with one more animation,
///         independent of the actor and its asset. NULL if memory ran out, the progress function stopped, or
///         the asset is a BVH
TD_API tdAsset* tdBakeActor(tdActor* actor, const tdBakeDef* def, tdReport* report);

/// A recording in progress, for applications that step the stage themselves.
typedef struct tdTape tdTape;

/// Create an empty tape.
/// @param actor must outlive the tape
/// @param def name, tolerances and output options; its times are ignored; NULL for the defaults
/// @param allocator of the tape, copied; NULL for malloc. Its context must outlive the tape
/// @return the tape, to be freed with tdDestroyTape; NULL if memory ran out or the actor is NULL
TD_API tdTape* tdCreateTape(const tdActor* actor, const tdBakeDef* def, const tdAllocator* allocator);

/// Record the actor's current pose at the stage's current time. Allocates.
/// @return false if memory ran out or the time is not later than the last one; the tape keeps its frames
TD_API bool tdTape_Capture(tdTape* tape);

/// Record the actor's current pose at a given time. Allocates.
/// @param time s, ascending from call to call
/// @return false if memory ran out or the time is not later than the last one; the tape keeps its frames
TD_API bool tdTape_CaptureAt(tdTape* tape, double time);

/// Number of recorded frames.
TD_API int tdTape_GetFrameCount(const tdTape* tape);

/// Write the recording as an animation. The tape is unchanged and can record more.
/// @param report receives the findings; may be NULL
/// @return as tdBakeActor
TD_API tdAsset* tdTape_Bake(const tdTape* tape, tdReport* report);

/// Destroy a tape.
/// @param tape may be NULL
TD_API void tdDestroyTape(tdTape* tape);

// ---- include/tendon/convert.h ----

// convert.h: conversion between physics dialects.

/// Physics dialect to write.
typedef enum tdPhysicsTarget
{
    TD_PHYSICS_KHR,       // KHR_physics_rigid_bodies + KHR_implicit_shapes, release candidate
    TD_PHYSICS_KHR_DRAFT, // KHR_physics_rigid_bodies + KHR_collision_shapes, March 2024
    TD_PHYSICS_OMI,       // OMI_physics_body + OMI_physics_shape + OMI_physics_joint, current
    TD_PHYSICS_OMI_EARLY, // OMI_physics_body + OMI_collider + OMI_physics_joint, early 2023
} tdPhysicsTarget;

/// Write all physics of the active scene in one dialect, whatever dialect the asset uses. Defaults that
/// differ between dialects become explicit. Properties that the target cannot express are approximated and
/// reported (CONVERT_APPROXIMATED). Unknown members and the rest of the file stay as they are.
/// @param report receives the findings; may be NULL
/// @return a new asset, to be freed with tdDestroyAsset, independent of `asset`; NULL if memory ran out
TD_API tdAsset* tdConvertAsset(const tdAsset* asset, tdPhysicsTarget target, tdReport* report);

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

// ---- include/tendon/describe.h ----

// describe.h: contents of a file as plain structs, for tools, viewers and bindings. A NULL asset or an index
// out of range gives a struct of zeros with empty strings. Strings and arrays belong to the asset. Names of
// enumerators are static strings. Nothing here allocates.

/// Kind of file.
typedef enum tdFileKind
{
    TD_FILE_KIND_GLTF,
    TD_FILE_KIND_GLB,
    TD_FILE_KIND_BVH,
} tdFileKind;

/// Counts and properties of a whole file.
typedef struct tdAssetInfo
{
    tdFileKind kind;
    size_t byteCount;            // of the file itself, without the files it refers to
    const char* version;         // of glTF, such as "2.0"
    const char* generator;       // program that wrote the file
    int sceneCount, activeScene; // activeScene -1: the file names none
    int nodeCount, treeDepth;    // treeDepth 1: only roots
    int meshCount, skinCount, animationCount;
    int materialCount, textureCount, imageCount;
    int bufferCount;
    size_t bufferBytes; // of all buffers, as declared
    int64_t vertexCount, triangleCount;
    int extensionCount;
    int bodyCount, colliderCount, jointCount;
    int physicsMaterialCount, filterCount, compoundTriggerCount;
    int constraintCount, boneCount, expressionCount;
} tdAssetInfo;

/// Describe a whole file.
TD_API tdAssetInfo tdDescribeAsset(const tdAsset* asset);

/// How Tendon treats an extension.
typedef enum tdSupport
{
    TD_SUPPORT_UNKNOWN, // preserved
    TD_SUPPORT_PLAYED,  // acted on: moves, simulates, retargets
    TD_SUPPORT_READ,    // read for geometry or keys
    TD_SUPPORT_KEPT,    // known, irrelevant to motion (rendering, metadata); preserved
    TD_SUPPORT_REFUSED, // concerns motion, but Tendon does not act on it; preserved
} tdSupport;

/// Name of a treatment: "unknown", "played", "read", "kept" or "refused".
TD_API const char* tdSupport_GetName(tdSupport support);

/// An extension that the file names.
typedef struct tdExtensionInfo
{
    const char* name;
    tdSupport support;
    bool isRequired;
} tdExtensionInfo;

/// Describe an extension, 0 to extensionCount - 1.
TD_API tdExtensionInfo tdDescribeExtension(const tdAsset* asset, int extension);

/// A scene.
typedef struct tdSceneInfo
{
    const char* name;
    int rootCount;
    int bodyCount, colliderCount, jointCount; // of actors of this scene (tdActorDef.scene)
} tdSceneInfo;

/// Describe a scene, 0 to sceneCount - 1.
TD_API tdSceneInfo tdDescribeScene(const tdAsset* asset, int scene);

/// A node.
typedef struct tdNodeInfo
{
    const char* name;
    int parent;     // -1: root
    int mesh, skin; // -1: none
    int body;       // body of this node; -1: none
    tdTrs local;    // rest pose
} tdNodeInfo;

/// Describe a node, 0 to nodeCount - 1.
TD_API tdNodeInfo tdDescribeNode(const tdAsset* asset, int node);

/// Node at a position of the tree order, in which parents precede their children; -1 out of range.
TD_API int tdAsset_GetOrderedNode(const tdAsset* asset, int position);

/// A mesh.
typedef struct tdMeshInfo
{
    const char* name;
    int primitiveCount, morphTargetCount;
    int64_t vertexCount, triangleCount;
} tdMeshInfo;

/// Describe a mesh, 0 to meshCount - 1.
TD_API tdMeshInfo tdDescribeMesh(const tdAsset* asset, int mesh);

/// An animation.
typedef struct tdAnimationInfo
{
    const char* name;
    float duration; // s
    int channelCount;
    int nodeCount; // nodes it animates
    int64_t keyCount;
} tdAnimationInfo;

/// Describe an animation, 0 to animationCount - 1.
TD_API tdAnimationInfo tdDescribeAnimation(const tdAsset* asset, int animation);

/// Kind of a node constraint.
typedef enum tdConstraintKind
{
    TD_CONSTRAINT_ROLL,
    TD_CONSTRAINT_AIM,
    TD_CONSTRAINT_ROTATION,
} tdConstraintKind;

/// Name of a kind of constraint: "roll", "aim" or "rotation".
TD_API const char* tdConstraintKind_GetName(tdConstraintKind kind);

/// Axis of a node constraint.
typedef enum tdConstraintAxis
{
    TD_CONSTRAINT_AXIS_NONE, // rotation constraints
    TD_CONSTRAINT_AXIS_X,    // roll constraints
    TD_CONSTRAINT_AXIS_Y,
    TD_CONSTRAINT_AXIS_Z,
    TD_CONSTRAINT_AXIS_POSITIVE_X, // aim constraints
    TD_CONSTRAINT_AXIS_POSITIVE_Y,
    TD_CONSTRAINT_AXIS_POSITIVE_Z,
    TD_CONSTRAINT_AXIS_NEGATIVE_X,
    TD_CONSTRAINT_AXIS_NEGATIVE_Y,
    TD_CONSTRAINT_AXIS_NEGATIVE_Z,
} tdConstraintAxis;

/// Name of an axis as files spell it: "X", "PositiveX", "NegativeX", ...; "" for none.
TD_API const char* tdConstraintAxis_GetName(tdConstraintAxis axis);

/// A node constraint.
typedef struct tdConstraintInfo
{
    int node, source; // destination node, and the node it follows
    tdConstraintKind kind;
    tdConstraintAxis axis;
    float weight;   // 0 to 1
    bool isInCycle; // depends on itself and stays at rest
} tdConstraintInfo;

/// Describe a constraint, 0 to constraintCount - 1 in the order of evaluation.
TD_API tdConstraintInfo tdDescribeConstraint(const tdAsset* asset, int constraint);

/// Constraints that a constraint depends on, as ascending indices in the order of evaluation.
/// @param places receives at most `capacity` indices; may be NULL if that is 0
/// @return number of dependencies, which may exceed `capacity`
TD_API int tdAsset_GetConstraintDependencies(const tdAsset* asset, int constraint, int* places, int capacity);

/// A range map of the gaze: angles from 0 to inputMax map linearly to 0 to outputScale.
typedef struct tdGazeRange
{
    float inputMax;    // degrees
    float outputScale; // degrees of an eye, or weight of an expression
} tdGazeRange;

/// Origin of a humanoid.
typedef enum tdHumanoidKind
{
    TD_HUMANOID_NONE,    // the file has no humanoid
    TD_HUMANOID_VRM1,    // VRMC_vrm
    TD_HUMANOID_VRM0,    // VRM; faces -Z
    TD_HUMANOID_VRMA,    // VRMC_vrm_animation
    TD_HUMANOID_BY_NAME, // found by names of joints
} tdHumanoidKind;

/// Name of a kind of humanoid: "VRM 1.0", "VRM 0.x", "VRM Animation" or "joint names"; "" for none.
TD_API const char* tdHumanoidKind_GetName(tdHumanoidKind kind);

/// Output of the gaze.
typedef enum tdLookAtType
{
    TD_LOOK_AT_NONE,
    TD_LOOK_AT_BONE,       // rotates the eyes
    TD_LOOK_AT_EXPRESSION, // sets the expressions lookLeft, lookRight, lookUp, lookDown
} tdLookAtType;

/// Name of a gaze output: "bone" or "expression"; "" for none.
TD_API const char* tdLookAtType_GetName(tdLookAtType type);

/// The humanoid of a VRM, of a VRM Animation, or found by joint names.
typedef struct tdHumanoidInfo
{
    tdHumanoidKind kind;
    int boneCount;      // bones that the model has
    float hipsHeight;   // m, at rest
    bool facesBackward; // faces -Z, as VRM 0.x does
    float armAngles[2]; // left, right: deviation of the arm from the T-pose, degrees; -1: no arm
    float legAngles[2]; // left, right: deviation of the leg from straight down, degrees; -1: no leg
    tdLookAtType lookAt;
    tdVec3 gazeOffset;         // m, of the gaze's origin from the head, in the head's frame, +Z forward
    tdGazeRange gazeRanges[4]; // inner, outer, down, up
    int expressionCount;       // of the model
    int materialValueCount;    // values of materials that expressions change
    int metaCount;             // entries of the model's meta
    int firstPersonCount;      // meshes with a first-person flag
    int motionExpressions;     // of a VRM Animation
    bool hasMotionGaze;        // of a VRM Animation
} tdHumanoidInfo;

/// Describe the humanoid.
TD_API tdHumanoidInfo tdDescribeHumanoid(const tdAsset* asset);

/// One of the 55 VRM bones (pose.h gives their names).
typedef struct tdHumanBoneInfo
{
    const char* name;
    int node;            // -1: the model lacks the bone
    int parent;          // nearest ancestor bone that the model has; -1: none
    bool isRequired;     // by VRM 1.0
    tdQuat restRotation; // of the node
    int foldCount;       // missing bone: number of bones that its rotation is folded into
    int foldsInto[8];    // the first of those bones
} tdHumanBoneInfo;

/// Describe a bone, 0 to TD_POSE_BONE_COUNT - 1.
TD_API tdHumanBoneInfo tdDescribeBone(const tdAsset* asset, int bone);

/// Effect of an expression on a group of others (blink, lookAt, mouth).
typedef enum tdExpressionOverride
{
    TD_OVERRIDE_NONE,
    TD_OVERRIDE_BLOCK, // any weight above 0 turns the group off
    TD_OVERRIDE_BLEND, // the group fades by the weight
} tdExpressionOverride;

/// Name of an override: "none", "block" or "blend".
TD_API const char* tdExpressionOverride_GetName(tdExpressionOverride override);

/// An expression of a VRM.
typedef struct tdExpressionInfo
{
    const char* name;
    bool isPreset, isBinary;
    int morphBindCount, materialBindCount;
    tdExpressionOverride overrideBlink, overrideLookAt, overrideMouth;
} tdExpressionInfo;

/// Describe an expression of the model, 0 to expressionCount - 1 in file order.
TD_API tdExpressionInfo tdDescribeExpression(const tdAsset* asset, int expression);

/// A morph target that an expression drives.
typedef struct tdMorphBindInfo
{
    int node;     // -1 out of range
    int target;   // index of the node's morph weight
    float weight; // added at the full weight of the expression
} tdMorphBindInfo;

/// Describe a morph target bind of an expression, 0 to morphBindCount - 1.
TD_API tdMorphBindInfo tdDescribeMorphBind(const tdAsset* asset, int expression, int bind);

/// Value of a material that expressions change.
typedef enum tdMaterialValueKind
{
    TD_MATERIAL_VALUE_COLOR, // base colour with alpha
    TD_MATERIAL_VALUE_EMISSION_COLOR,
    TD_MATERIAL_VALUE_SHADE_COLOR, // this one and the next three: of MToon
    TD_MATERIAL_VALUE_MATCAP_COLOR,
    TD_MATERIAL_VALUE_RIM_COLOR,
    TD_MATERIAL_VALUE_OUTLINE_COLOR,
    TD_MATERIAL_VALUE_TEXTURE_OFFSET, // KHR_texture_transform of one texture
    TD_MATERIAL_VALUE_TEXTURE_SCALE,
} tdMaterialValueKind;

/// Name of a kind of value: "color", "emissionColor", "shadeColor", "matcapColor", "rimColor",
/// "outlineColor", "textureOffset" or "textureScale".
TD_API const char* tdMaterialValueKind_GetName(tdMaterialValueKind kind);

/// A value of a material that at least one expression changes.
typedef struct tdMaterialValueInfo
{
    int material;        // index in the file; -1 out of range
    const char* texture; // such as "baseColorTexture"; "" for colours
    tdMaterialValueKind kind;
    int width;           // components: 4 for COLOR, 3 for other colours, 2 for offset and scale
    float base[4];       // value without expressions; colours are linear
    const char* pointer; // JSON pointer of the value in the file
} tdMaterialValueInfo;

/// Describe a material value, 0 to materialValueCount - 1. tdActor_GetMaterialValues gives the current ones.
TD_API tdMaterialValueInfo tdDescribeMaterialValue(const tdAsset* asset, int value);

/// A material value that an expression drives.
typedef struct tdMaterialBindInfo
{
    int value;       // index of tdDescribeMaterialValue; -1 out of range
    float target[4]; // at the full weight of the expression
} tdMaterialBindInfo;

/// Describe a material bind of an expression, 0 to materialBindCount - 1. A texture transform of the file is
/// two binds per texture of its material.
TD_API tdMaterialBindInfo tdDescribeMaterialBind(const tdAsset* asset, int expression, int bind);

/// An entry of a VRM's meta: name, authors, licence, permissions.
typedef struct tdMetaInfo
{
    const char* key;   // as in the file, such as "name", "authors", "licenseUrl"
    const char* value; // text of a string, number or boolean
    bool isText;       // a JSON string
    bool isElement;    // of a list; its elements follow each other with the same key
} tdMetaInfo;

/// Describe an entry of the meta, 0 to metaCount - 1 in file order. Nested objects are left out.
TD_API tdMetaInfo tdDescribeMeta(const tdAsset* asset, int entry);

/// Visibility of a mesh in first-person view.
typedef enum tdFirstPersonType
{
    TD_FIRST_PERSON_AUTO, // hides what is skinned to the head or below it
    TD_FIRST_PERSON_BOTH,
    TD_FIRST_PERSON_THIRD_PERSON_ONLY,
    TD_FIRST_PERSON_FIRST_PERSON_ONLY,
} tdFirstPersonType;

/// Name of a visibility: "auto", "both", "thirdPersonOnly" or "firstPersonOnly".
TD_API const char* tdFirstPersonType_GetName(tdFirstPersonType type);

/// A node whose mesh has a first-person flag. Meshes without one are auto.
typedef struct tdFirstPersonInfo
{
    int node; // -1 out of range
    tdFirstPersonType type;
} tdFirstPersonInfo;

/// Describe a first-person flag, 0 to firstPersonCount - 1.
TD_API tdFirstPersonInfo tdDescribeFirstPerson(const tdAsset* asset, int index);

/// Name of an expression that a VRM Animation animates, 0 to motionExpressions - 1; "" out of range.
TD_API const char* tdDescribeMotionExpression(const tdAsset* asset, int index);

// Physics. `dialect` names the draft that an object was written in, such as "KHR release candidate". Bodies,
// colliders and joints belong to one scene: the file's own, or the one given to tdDescribeScene...

/// A body.
typedef struct tdBodyInfo
{
    int node;
    const char* dialect;
    tdMotion motion;
    float mass;   // kg, computed from the colliders if the file gives none; INFINITY: immovable
    bool hasMass; // the file gives it
    int colliderCount;
    tdVec3 linearVelocity;  // m/s, node space
    tdVec3 angularVelocity; // rad/s, node space
    float gravityFactor;
    tdVec3 centerOfMass;    // m, in the body: its node without scale
    tdVec3 inertiaDiagonal; // kg m^2, principal; INFINITY in a component locks the rotation about that axis
    tdQuat inertiaOrientation; // of the principal axes in the body
} tdBodyInfo;

/// Describe a body of the file's own scene.
TD_API tdBodyInfo tdDescribeBody(const tdAsset* asset, int body);

/// Describe a body of a scene.
/// @param scene -1: the file's own
TD_API tdBodyInfo tdDescribeSceneBody(const tdAsset* asset, int scene, int body);

/// A collider.
typedef struct tdColliderInfo
{
    int node, body; // body -1: static
    const char* dialect;
    tdShapeKind shape;
    bool isTrigger;
    int material, filter; // -1: none
    float size[3];    // m, scale applied; sphere: radius; box: lengths; capsule (between the sphere centres)
                      // and cylinder: height, bottom radius, top radius; plane: X and Z, INFINITY: unbounded
    bool isStretched; // has non-uniform scale or shear on top of `size`
    int elementCount; // vertices of a hull, triangles of a mesh; else 0
} tdColliderInfo;

/// Describe a collider of the file's own scene.
TD_API tdColliderInfo tdDescribeCollider(const tdAsset* asset, int collider);

/// Describe a collider of a scene.
/// @param scene -1: the file's own
TD_API tdColliderInfo tdDescribeSceneCollider(const tdAsset* asset, int scene, int collider);

/// A trigger made of several others.
typedef struct tdCompoundTriggerInfo
{
    int node;
    int partCount; // see tdDescribeTriggerPart
    int parent;    // compound that this one is a part of; -1: none
} tdCompoundTriggerInfo;

/// Describe a compound trigger, 0 to compoundTriggerCount - 1.
TD_API tdCompoundTriggerInfo tdDescribeCompoundTrigger(const tdAsset* asset, int trigger);

/// Collider of a part of a compound trigger; -1 out of range.
TD_API int tdDescribeTriggerPart(const tdAsset* asset, int trigger, int part);

/// A physics material.
typedef struct tdMaterialInfo
{
    float staticFriction, dynamicFriction, restitution;
    tdCombine frictionCombine, restitutionCombine;
    const char* dialect;
} tdMaterialInfo;

/// Describe a physics material, 0 to physicsMaterialCount - 1.
TD_API tdMaterialInfo tdDescribeMaterial(const tdAsset* asset, int material);

/// A collision filter: sizes of its lists of systems. tdDescribeFilterSystem gives the names.
typedef struct tdFilterInfo
{
    int systemCount, collideWithCount, notCollideWithCount;
    const char* dialect;
} tdFilterInfo;

/// List of a collision filter.
typedef enum tdFilterList
{
    TD_FILTER_SYSTEMS,
    TD_FILTER_COLLIDE_WITH,
    TD_FILTER_NOT_COLLIDE_WITH,
} tdFilterList;

/// Describe a collision filter, 0 to filterCount - 1.
TD_API tdFilterInfo tdDescribeFilter(const tdAsset* asset, int filter);

/// Name of a system in a list of a filter; "" out of range.
TD_API const char* tdDescribeFilterSystem(const tdAsset* asset, int filter, tdFilterList list, int index);

/// Whether colliders with these filters collide; -1 stands for a collider without a filter.
TD_API bool tdAsset_DoFiltersCollide(const tdAsset* asset, int filterA, int filterB);

/// A joint.
typedef struct tdJointInfo
{
    int node,
        connectedNode; // connectedNode -1: the file names none, the joint holds to the world (MSFT_physics)
    const char* dialect;
    int bodyA, bodyB; // -1: the fixed world
    bool enableCollision;
    const tdJointLimit* limits; // of the asset; tdClassifyJoint finds the equivalent classical joint
    int limitCount;
    const tdJointDrive* drives; // of the asset
    int driveCount;
} tdJointInfo;

/// Describe a joint of the file's own scene.
TD_API tdJointInfo tdDescribeJoint(const tdAsset* asset, int joint);

/// Describe a joint of a scene.
/// @param scene -1: the file's own
TD_API tdJointInfo tdDescribeSceneJoint(const tdAsset* asset, int scene, int joint);

// ---- include/tendon/motion.h ----

// motion.h: clips written into files: as an animation of an avatar, or alone as a VRM Animation.

/// Add a clip to an asset as one more animation. Keys and interpolation are those of the clip. Expressions
/// and gaze, which a plain glTF animation cannot express, become morph weights and eye rotations, sampled at
/// 60 Hz and reduced. The motion of spring bones is left out; tdAddMotion can add it.
/// @param clip made for `asset`
/// @param name of the animation; NULL: the clip's own name, else "motion". A number is appended if it is
/// taken
/// @param report receives the findings; may be NULL
/// @return a new asset, to be freed with tdDestroyAsset, independent of `asset`; NULL if memory ran out
TD_API tdAsset* tdAddClip(const tdAsset* asset, const tdClip* clip, const char* name, tdReport* report);

/// Settings of tdAddMotion. Start from tdDefaultMotionDef.
typedef struct tdMotionDef
{
    const char* name;  // as in tdAddClip, default NULL
    bool bakeSprings;  // add the motion of spring bones, simulated at 60 Hz and reduced; default true
    bool stripSprings; // remove the spring bones from the file; default false
    uint32_t cookie;   // internal: set by tdDefaultMotionDef
} tdMotionDef;

/// Default settings of tdAddMotion. Does not allocate.
TD_API tdMotionDef tdDefaultMotionDef(void);

/// Add a clip to an asset as tdAddClip does, with more settings.
/// @param def NULL for the defaults
/// @return as tdAddClip
TD_API tdAsset* tdAddMotion(const tdAsset* asset, const tdClip* clip, const tdMotionDef* def,
                            tdReport* report);

/// Make a VRM Animation (.vrma) from a clip, on the asset's own skeleton: bones, expressions and gaze.
/// @param clip made for `asset`, which must have a humanoid
/// @param report receives the findings; may be NULL
/// @return a new asset, to be freed with tdDestroyAsset, independent of `asset`; NULL if the asset has no
///         humanoid or memory ran out
TD_API tdAsset* tdMakeMotion(const tdAsset* asset, const tdClip* clip, tdReport* report);

// ---- include/tendon/pose.h ----

// pose.h: live humanoid poses. A pose is independent of any skeleton: rotations of the 55 VRM bones of a body
// in T-pose that faces +Z and whose bones have no rest rotation. A rig converts between poses and the local
// transforms of one avatar.

/// Number of VRM bones.
#define TD_POSE_BONE_COUNT 55

/// VRM name of a bone ("hips", "spine", ...) in the order of tdPose; NULL out of range. A static string.
TD_API const char* tdGetBoneName(int bone);

/// Index of a bone by its VRM name; -1 if there is none.
TD_API int tdFindBoneIndex(const char* name);

/// A skeleton-independent pose.
typedef struct tdPose
{
    tdQuat rotations[TD_POSE_BONE_COUNT]; // relative to the parent bone; identity is the T-pose
    tdVec3 hipsTravel; // translation of the hips from the T-pose, in units of the hips' rest height
} tdPose;

/// The T-pose.
TD_API tdPose tdMakeRestPose(void);

/// Constants for converting between poses and one avatar's nodes. Immutable: any number of threads may share
/// it. Its asset must outlive it.
typedef struct tdRig tdRig;

/// Create the rig of an asset.
/// @param allocator copied, its context must outlive the rig; NULL for malloc
/// @return the rig, to be freed with tdDestroyRig; NULL if the asset has no humanoid or memory ran out
TD_API tdRig* tdCreateRig(const tdAsset* asset, const tdAllocator* allocator);

/// Destroy a rig.
/// @param rig may be NULL
TD_API void tdDestroyRig(tdRig* rig);

/// Node of a bone; -1 if the avatar lacks it.
TD_API int tdRig_GetNode(const tdRig* rig, int bone);

/// Convert a pose to local transforms. Writes the rotations of the bones' nodes and the translation of the
/// hips, nothing else. Rotations of bones that the avatar lacks are folded into their children. Does not
/// allocate.
/// @param locals by node index, such as a copy of tdActor_GetLocals
TD_API void tdRig_ApplyPose(const tdRig* rig, const tdPose* pose, tdTrs* locals);

/// Convert local transforms to a pose. Bones that the avatar lacks are at rest. Does not allocate.
/// @param locals by node index
TD_API void tdRig_ReadPose(const tdRig* rig, const tdTrs* locals, tdPose* pose);

/// Convert many poses at once: poses[i] with rigs[i] into locals[i]. A rig may appear repeatedly. Does not
/// allocate.
/// @param tasks NULL: the caller's thread
TD_API void tdRig_ApplyPoses(const tdRig* const* rigs, const tdPose* poses, tdTrs* const* locals, int count,
                             const tdTasks* tasks);

/// Set the locals of the actor's bones (tdActor_SetLocal) from a pose, from the next step on. The first call
/// allocates; if memory runs out, the next tdStage_Step returns false.
/// @param rig of the actor's asset
TD_API void tdActor_SetPose(tdActor* actor, const tdRig* rig, const tdPose* pose);

// ---- include/tendon/spring.h ----

// spring.h: spring bones of VRM: VRMC_springBone with VRMC_springBone_extended_collider and
// VRMC_springBone_limit, and secondaryAnimation of VRM 0.x. Descriptions follow the rules of describe.h,
// functions of actors those of stage.h. tdActorDef has the switches of an actor's springs.

/// Shape of a spring collider.
typedef enum tdSpringShape
{
    TD_SPRING_SPHERE,
    TD_SPRING_CAPSULE,
    TD_SPRING_PLANE,
    TD_SPRING_INSIDE_SPHERE,  // keeps joints inside
    TD_SPRING_INSIDE_CAPSULE, // likewise
} tdSpringShape;

/// Name of a shape: "sphere", "capsule", "plane", "inside sphere" or "inside capsule".
TD_API const char* tdSpringShape_GetName(tdSpringShape shape);

/// A spring collider. Vectors are in the frame of its node; the node's scale does not change the radius.
typedef struct tdSpringColliderInfo
{
    int node;
    tdSpringShape shape;
    tdVec3 offset; // of the centre, of the first end of a capsule, or of a point of a plane
    tdVec3 tail;   // second end of a capsule
    tdVec3 normal; // of a plane, unit
    float radius;  // m; 0 for a plane
} tdSpringColliderInfo;

/// A group of spring colliders. VRM 0.x: the colliders of one node.
typedef struct tdSpringColliderGroupInfo
{
    const char* name;
    const int* colliders; // indices as in tdDescribeSpringCollider
    int colliderCount;
} tdSpringColliderGroupInfo;

/// A spring: a chain of joints, or a bone group of VRM 0.x, which may branch.
typedef struct tdSpringInfo
{
    const char* name;
    int firstJoint, jointCount; // its joints, as in tdDescribeSpringJoint
    int center;                 // node whose motion causes no inertia; -1: none
    const int* colliderGroups;  // indices as in tdDescribeSpringColliderGroup
    int colliderGroupCount;
} tdSpringInfo;

/// Parameters of a spring joint.
typedef struct tdSpringParameters
{
    float hitRadius;    // m, >= 0
    float stiffness;    // >= 0; displacement towards rest, m/s
    float gravityPower; // >= 0; displacement along gravityDir, m/s
    tdVec3 gravityDir;  // world space, need not be unit
    float dragForce;    // 0 to 1: the part of the motion that is lost in each step
} tdSpringParameters;

/// Kind of a limit of a spring joint (VRMC_springBone_limit, a draft).
typedef enum tdSpringLimitKind
{
    TD_SPRING_LIMIT_NONE,
    TD_SPRING_LIMIT_CONE,      // angles[0]: from the axis
    TD_SPRING_LIMIT_HINGE,     // angles[0]: from the axis, in the YZ plane
    TD_SPRING_LIMIT_SPHERICAL, // angles: pitch, yaw
} tdSpringLimitKind;

/// Name of a kind of limit: "cone", "hinge" or "spherical"; "" for none.
TD_API const char* tdSpringLimitKind_GetName(tdSpringLimitKind kind);

/// Limit of a spring joint. Its Y axis is the direction of the tail at rest.
typedef struct tdSpringLimit
{
    tdSpringLimitKind kind;
    float angles[2]; // rad
    tdQuat rotation; // of the limit's frame, from its default
} tdSpringLimit;

/// A joint that turns, with its tail.
typedef struct tdSpringJointInfo
{
    int spring;
    int node;     // that turns
    int tailNode; // -1: a virtual tail (VRM 0.x)
    tdVec3 tail;  // rest position of the tail in the frame of the node
    bool isInert; // the tail is at the node's origin; the joint keeps its rest rotation
    tdSpringParameters parameters;
    tdSpringLimit limit;
} tdSpringJointInfo;

/// Number of springs of a file.
TD_API int tdAsset_GetSpringCount(const tdAsset* asset);
/// Number of spring joints of a file: nodes that springs turn.
TD_API int tdAsset_GetSpringJointCount(const tdAsset* asset);
/// Number of spring colliders of a file.
TD_API int tdAsset_GetSpringColliderCount(const tdAsset* asset);
/// Number of groups of spring colliders of a file.
TD_API int tdAsset_GetSpringColliderGroupCount(const tdAsset* asset);

/// Describe a spring, 0 to tdAsset_GetSpringCount - 1.
TD_API tdSpringInfo tdDescribeSpring(const tdAsset* asset, int spring);
/// Describe a spring joint, 0 to tdAsset_GetSpringJointCount - 1, those of a spring side by side.
TD_API tdSpringJointInfo tdDescribeSpringJoint(const tdAsset* asset, int joint);
/// Describe a spring collider, 0 to tdAsset_GetSpringColliderCount - 1.
TD_API tdSpringColliderInfo tdDescribeSpringCollider(const tdAsset* asset, int collider);
/// Describe a group of spring colliders, 0 to tdAsset_GetSpringColliderGroupCount - 1.
TD_API tdSpringColliderGroupInfo tdDescribeSpringColliderGroup(const tdAsset* asset, int group);

// Springs of an actor

/// Enable or disable the springs of an actor. Disabled joints follow clips and the rest pose. Enabled springs
/// start at rest, as after tdActor_ResetSprings.
TD_API void tdActor_EnableSprings(tdActor* actor, bool enable);

/// Whether springs are enabled.
TD_API bool tdActor_AreSpringsEnabled(const tdActor* actor);

/// Let the springs start at rest with the next step: joints hang as modelled, without motion. Call it after a
/// change that is no motion, such as a jump of the placement. Creating an actor, enabling its springs, a jump
/// of a clip by tdActor_SetPlay and tdActor_Teleport do it themselves.
TD_API void tdActor_ResetSprings(tdActor* actor);

/// Set the placement as tdActor_SetPlacement does, and let the springs start at rest there.
TD_API void tdActor_Teleport(tdActor* actor, tdTransform placement);

/// Position of the tail of a spring joint in the current pose, m, world space.
TD_API tdVec3 tdActor_GetSpringTail(const tdActor* actor, int joint);

/// Parameters of a spring joint: those of the file until they are set.
TD_API tdSpringParameters tdActor_GetSpringParameters(const tdActor* actor, int joint);

/// Set the parameters of a spring joint from the next step on. They are clamped to their ranges; values that
/// are not finite are ignored. The first call allocates; if memory runs out, the next tdStage_Step returns
/// false.
/// @param parameters NULL: those of the file
TD_API void tdActor_SetSpringParameters(tdActor* actor, int joint, const tdSpringParameters* parameters);

/// Advance all actors by one frame of any length, for hosts that need springs to behave as in programs that
/// advance them once per frame, such as three-vrm. Clips and constraints are evaluated at the new time,
/// physics takes the fixed steps that reach it and is interpolated, and springs take one step of exactly
/// `seconds`. The motion of springs then depends on the frame rate; tdStage_Step and tdStage_Evaluate give a
/// motion that does not. The time of the first call counts from tdStage_GetTime. May allocate.
/// @param seconds length of the frame; 0 or less, or not finite: nothing changes
/// @return false if memory ran out; the stage keeps its state, and the step may be retried
TD_API bool tdStage_StepVariable(tdStage* stage, double seconds);

// ---- include/tendon/summary.h ----

// summary.h: statistics of a run: distance, speed and sleep of bodies, errors of joints, energy.

/// Statistics of a body.
typedef struct tdBodySummary
{
    int node;
    double distance;     // m, path length of the centre of mass, summed step by step
    float maxSpeed;      // m/s, of the centre of mass
    double maxSpeedTime; // s
    float speed;         // m/s at the end
    tdTransform pose;    // of the body's node at the end, world space
    bool isDynamic;      // at the end
    double asleepSince;  // s; negative: awake at the end
} tdBodySummary;

/// Statistics of a joint.
typedef struct tdJointSummary
{
    int node;
    float maxLinearError;  // m beyond a hard limit
    float maxAngularError; // rad beyond a hard limit
    bool isBroken;
} tdJointSummary;

/// Energy of the actor's dynamic bodies, without springs.
typedef struct tdEnergySample
{
    double time;     // s
    float kinetic;   // J
    float potential; // J, 0 at the world's origin
} tdEnergySample;

/// Collects statistics while an actor runs.
typedef struct tdSummary tdSummary;

/// Create an empty summary. Uses the stage's allocator.
/// @param actor must outlive the summary
/// @return the summary, to be freed with tdDestroySummary; NULL if memory ran out or the actor is NULL
TD_API tdSummary* tdCreateSummary(const tdActor* actor);

/// Destroy a summary.
/// @param summary may be NULL
TD_API void tdDestroySummary(tdSummary* summary);

/// Add the current state. Call it once before the first step, then after every step; tdTraceActor does so for
/// the summary in its def. May allocate. Invalidates the array of tdSummary_GetEnergy.
/// @return false if memory ran out
TD_API bool tdSummary_AddSample(tdSummary* summary);

/// Number of bodies.
TD_API int tdSummary_GetBodyCount(const tdSummary* summary);

/// Statistics of a body.
/// @param index must be in range
TD_API tdBodySummary tdSummary_GetBody(const tdSummary* summary, int index);

/// Number of joints.
TD_API int tdSummary_GetJointCount(const tdSummary* summary);

/// Statistics of a joint.
/// @param index must be in range
TD_API tdJointSummary tdSummary_GetJoint(const tdSummary* summary, int index);

/// Energy over time, thinned out to at most 4,096 evenly spaced samples.
/// @param count receives the length of the array
/// @return an array of the summary's, valid until the next tdSummary_AddSample; NULL if there is no sample
TD_API const tdEnergySample* tdSummary_GetEnergy(const tdSummary* summary, int* count);

/// Number of times a body of the world exceeded TD_MAX_LINEAR_SPEED or TD_MAX_ANGULAR_SPEED, summed over the
/// steps of the run.
TD_API int64_t tdSummary_GetClampedCount(const tdSummary* summary);

// ---- include/tendon/trace.h ----

// trace.h: writes an actor's motion as JSON Lines, one object per recorded frame and per event:
//
//     {"time":0,"nodes":[[tx,ty,tz,qx,qy,qz,qw],…],"locals":[[…],…],"expressions":{"happy":0.4},
//      "outputs":{"happy":0.4,"blink":0},"weights":[null,[0.4,0],…]}
//     {"time":0.25,"event":"trigger_enter","a":7,"b":12}
//
// or as a table for spreadsheets:
//
//     time,Ball.x,Ball.y,Ball.z,Ball.qx,Ball.qy,Ball.qz,Ball.qw
//     0,0,2,0,0,0,0,1

/// Format of a trace.
typedef enum tdTraceFormat
{
    TD_TRACE_JSON_LINES,
    TD_TRACE_CSV, // world transforms of the nodes, without locals, expressions and events
} tdTraceFormat;

/// Settings of a trace. Start from tdDefaultTraceDef.
typedef struct tdTraceDef
{
    double seconds; // duration; default -1, as any negative value: until the last playing clip ends, or 10 s
                    // if none plays. The last frame is at exactly this time; 0 writes the current pose
    double frameRate;    // Hz, > 0, default 60: frames at 0, 1/rate, 2/rate, ... and at `seconds`
    const double* times; // s, ascending: record these times instead of rate and seconds; default NULL
    int timeCount;
    tdTraceFormat format; // default TD_TRACE_JSON_LINES
    const int* nodes;     // columns of a table; default NULL: every node
    int nodeCount;
    tdSummary* summary; // of the same actor, updated at every step; default NULL: none
    uint32_t cookie;    // internal: set by tdDefaultTraceDef
} tdTraceDef;

/// Default settings of a trace. Does not allocate.
TD_API tdTraceDef tdDefaultTraceDef(void);

/// Receives the next bytes of a trace. Returns false to stop.
typedef bool tdWriteFcn(void* context, const char* bytes, size_t size);

/// Step the actor's stage from its current time (0 for a new stage) and write the actor's motion. Earlier
/// times cannot be recorded. Recording never changes the motion: physics steps at the stage's rate, and
/// frames between two steps are interpolated.
/// @param def NULL for the defaults
/// @param write may be NULL if `def` has a summary
/// @param report receives the findings; may be NULL
/// @return false if memory ran out (reported), the writer stopped, or there is nothing to write to
TD_API bool tdTraceActor(tdActor* actor, const tdTraceDef* def, tdWriteFcn* write, void* context,
                         tdReport* report);
