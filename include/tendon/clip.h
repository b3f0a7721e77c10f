// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// clip.h: an animation prepared for one asset.
#pragma once

#include "asset.h"

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
