// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// asset.h: glTF, GLB, VRM and VRMA files. Load, look into, save.
#pragma once

#include "report.h"
#include "vecmath.h"

/// A loaded file. Immutable: any number of threads may read it, any number of actors
/// may be made from it. It must outlive them.
typedef struct tdAsset tdAsset;

/// Called for every file the asset refers to: buffers when it is loaded, other files when it is saved into
/// another folder (so the context must outlive the asset if it is). `uri` is a relative path, percent escapes
/// decoded; schemes, absolute paths and paths that leave the folder never get here. Returns false when the
/// file is not to be had. The bytes are copied before the next call.
typedef bool tdReadFileFcn(void* context, const char* uri, const void** data, size_t* size);

typedef struct tdLoadDef
{
    const tdAllocator* allocator; // default: malloc
    const tdTasks* tasks;         // default: the caller's thread
    tdReadFileFcn* readFile;      // default: files beside the asset, nothing outside its folder
    void* readContext;
    const char* const* allowedFolders; // further folders that references may reach
    int allowedFolderCount;
    size_t maxBytes;       // refuse to need more, default 4 GiB
    bool literalStiffness; // read small OMI stiffness as N/m (docs/spec/physics.md 9.21)
    bool wideWeights;      // take weights of constraints outside 0 to 1 as they are: past the effect, or its
                           // opposite. VRM says 0 to 1, so they are reported all the same
    tdProgress* progress;  // how far loading, converting and saving are, for another thread; default: none
    const char* name;      // of an asset loaded from memory, for reports
    const char* boneMap;   // JSON text {"VRM bone": "joint name" or null, …} for BVH and plain glTF
    float bvhUnit;         // m per unit of a BVH, default 0: told from the size of the skeleton
    int bvhTposeFrame1;    // frame of a BVH, from 1, that shows the T-pose; default 0: the rest pose is
                           // corrected from the directions of the limbs
} tdLoadDef;

TD_API tdLoadDef tdDefaultLoadDef(void);

/// Load an asset. The kind of file is told by its content, not by its name.
/// @param def may be NULL for the defaults
/// @param report may be NULL; findings are appended
/// @return the asset, to be freed with tdDestroyAsset; NULL only if nothing usable could be read. Errors
///         about single objects are in the report, and those objects are left out
TD_API tdAsset* tdLoadAsset(const char* path, const tdLoadDef* def, tdReport* report);
TD_API tdAsset* tdLoadAssetFromMemory(const void* data, size_t size, const tdLoadDef* def, tdReport* report);
TD_API void tdDestroyAsset(tdAsset* asset);

/// Hash of the bytes of a file and of every file it refers to, without making an asset: tells whether
/// something made from it is still up to date. Equal on every platform; not for security.
/// @param def may be NULL for the defaults
/// @return false when the file cannot be read
TD_API bool tdHashAssetFile(const char* path, const tdLoadDef* def, uint64_t* hash);

/// Write an asset: .gltf, .glb and .vrm by the name's ending, "-" as GLB to standard output, any other name
/// as the kind of file it was read from. Everything the loader did not understand is written back as it was
/// read; an unchanged asset of the same kind gives the same bytes. Files that a .gltf refers to are taken
/// along into another folder, never over different ones. False on any failure; an older file is then
/// untouched.
TD_API bool tdSaveAsset(const tdAsset* asset, const char* path, tdReport* report);

typedef enum tdSaveFormat
{
    TD_SAVE_SAME, // as it was read
    TD_SAVE_GLB,
    TD_SAVE_GLTF,
} tdSaveFormat;

/// The bytes of the file, to be freed with tdFreeSaved and the same allocator. NULL on failure.
TD_API void* tdSaveAssetToMemory(const tdAsset* asset, tdSaveFormat format, const tdAllocator* allocator,
                                 size_t* size, tdReport* report);
TD_API void tdFreeSaved(void* data, size_t size, const tdAllocator* allocator);

/// Takes one file that an asset refers to. `uri` is the relative path, percent escapes decoded; the bytes are
/// valid during the call. Returns false to stop.
typedef bool tdVisitFileFcn(void* context, const char* uri, const void* data, size_t size);

/// Every file the asset refers to, in the order of the file, buffers first; one that is referred to twice
/// comes twice. Files that cannot be read are left out, with a warning.
/// @return false when the visitor stopped, the asset is NULL or memory ran out
TD_API bool tdAsset_VisitFiles(const tdAsset* asset, tdVisitFileFcn* visit, void* context, tdReport* report);

/// The asset with every file it refers to inside, ready to be saved in this format: as views of the binary
/// chunk of a GLB where images are concerned, else as data URIs. Files that cannot be read are reported and
/// left out.
/// @return a new asset that borrows nothing; NULL when memory ran out, or for a BVH
TD_API tdAsset* tdEmbedFiles(const tdAsset* asset, tdSaveFormat format, tdReport* report);

/// Nodes are named by their index in the file's "nodes" array. -1 means no node.
TD_API int tdAsset_GetNodeCount(const tdAsset* asset);
TD_API const char* tdAsset_GetNodeName(const tdAsset* asset, int node);
TD_API int tdAsset_FindNode(const tdAsset* asset, const char* name);
TD_API int tdAsset_FindBone(const tdAsset* asset, const char* vrmBoneName);
TD_API int tdAsset_GetAnimationCount(const tdAsset* asset);
/// "" when it has none, NULL when there is no such animation.
TD_API const char* tdAsset_GetAnimationName(const tdAsset* asset, int animation);
/// -1 when there is none of that name.
TD_API int tdAsset_FindAnimation(const tdAsset* asset, const char* name);
