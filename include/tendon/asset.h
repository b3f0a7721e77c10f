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

/// Called for every file the asset refers to (buffers, images). Returns false when the
/// file is not to be had. The bytes are copied before the next call.
typedef bool tdReadFileFcn(void* context, const char* uri, const void** data, size_t* size);

typedef struct tdLoadDef
{
    const tdAllocator* allocator;       // default: malloc
    const tdTasks* tasks;               // default: the caller's thread
    tdReadFileFcn* readFile;            // default: files beside the asset, nothing outside its folder
    void* readContext;
    const char* const* allowedFolders;  // further folders that references may reach
    int allowedFolderCount;
    size_t maxBytes;                    // refuse to need more, default 4 GiB
    bool literalStiffness;              // read small OMI stiffness as N/m (physics.md 9.21)
    const char* name;                   // of an asset loaded from memory, for reports
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

/// Write an asset, .glb or .gltf by the name's ending. Everything the loader did not
/// understand is written back as it was read.
TD_API bool tdSaveAsset(const tdAsset* asset, const char* path, tdReport* report);

/// Nodes are named by their index in the file's "nodes" array. -1 means no node.
TD_API int tdAsset_GetNodeCount(const tdAsset* asset);
TD_API const char* tdAsset_GetNodeName(const tdAsset* asset, int node);
TD_API int tdAsset_FindNode(const tdAsset* asset, const char* name);
TD_API int tdAsset_FindBone(const tdAsset* asset, const char* vrmBoneName);
TD_API int tdAsset_GetAnimationCount(const tdAsset* asset);
