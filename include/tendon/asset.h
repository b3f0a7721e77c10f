// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// asset.h: glTF, GLB, VRM, VRMA and BVH files: loading, lookup, saving. All functions accept a NULL asset and
// a NULL report.
#pragma once

#include "limits.h"
#include "report.h"
#include "vecmath.h"

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
    TD_LOAD_MASSES,     // the scene with masses of bodies; actors only without physics
    TD_LOAD_SCENE,      // the scene; masses leave out hulls and meshes; actors only without physics
    TD_LOAD_DOCUMENT,   // the document, for saving; the scene is imported on first use, for simulation and
                        // without findings
} tdLoadLevel;

/// Direction in which a humanoid faces at rest. The up direction follows from its skeleton.
typedef enum tdFacing
{
    TD_FACING_AUTO, // from the skeleton: left and right, hips and head, feet
    TD_FACING_PLUS_Z,
    TD_FACING_MINUS_Z,
    TD_FACING_PLUS_X,
    TD_FACING_MINUS_X,
    TD_FACING_PLUS_Y, // of files whose up axis is Z
    TD_FACING_MINUS_Y,
} tdFacing;

/// Source of the T-pose of a humanoid that is found by joint names.
typedef enum tdRestPose
{
    TD_REST_AUTO,  // the inverse bind matrices if the nodes hold a pose, else the nodes; limbs are corrected
    TD_REST_BIND,  // the inverse bind matrices; limbs are corrected
    TD_REST_NODES, // the nodes, taken as a T-pose
    TD_REST_FRAME, // a frame of the first animation, taken as a T-pose
} tdRestPose;

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
    tdLimits limits;       // upper bounds of what the file may make the load do, default {0}: limits.h
    bool literalStiffness; // read small OMI stiffness as N/m (docs/spec/physics.md 9.21), default false
    bool wideWeights;     // accept constraint weights outside 0 to 1, which extrapolate or invert the effect;
                          // default false. They are reported either way, as VRM forbids them
    tdProgress* progress; // of loading, converting and saving; must outlive the asset; default NULL: none
    const char* name;     // of an asset loaded from memory, for reports; default NULL
    const char* boneMap;  // JSON object {"VRM bone": "joint name" or null, ...} for BVH and plain glTF
    float bvhUnit;        // m per unit of a BVH; default 0: estimated from the size of the skeleton
    int bvhTposeFrame1; // 1-based frame of a BVH that shows the T-pose; default 0: the rest pose is corrected
                        // by the directions of the limbs
    tdFacing facing;    // of the humanoid, default TD_FACING_AUTO
    tdRestPose rest;    // of a BVH or a glTF with joint names, default TD_REST_AUTO
    int restFrame1;     // 1-based frame of TD_REST_FRAME; of a glTF: key of the channel with most keys
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
