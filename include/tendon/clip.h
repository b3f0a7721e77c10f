// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// clip.h: an animation made ready for one asset.
#pragma once

#include "asset.h"

/// Immutable like an asset, any number of actors and threads may share it. Must not outlive the asset it was
/// made for (a retargeted clip: the target; the source may go).
typedef struct tdClip tdClip;

/// A clip of one of the asset's own animations.
/// @param report may be NULL
/// @return to be freed with tdDestroyClip; NULL when there is no such animation or memory ran out
TD_API tdClip* tdCreateClip(const tdAsset* asset, int animation, tdReport* report);

typedef struct tdRetargetDef
{
    bool scaleHips;       // scale hips travel by the ratio of hip heights, default true
    float angleTolerance; // rad, default 2e-5: bound on the error between keys where bones fold together
    int maximumKeyCount;  // per folded bone, default 100000: stops refining there, with a warning
} tdRetargetDef;

TD_API tdRetargetDef tdDefaultRetargetDef(void);

/// A clip for `target` out of a humanoid animation in `source` (VRMA, VRM, BVH, or glTF with common bone
/// names). Bones are matched by VRM bone name; rotations of bones the target lacks go to their children.
/// @param def may be NULL for the defaults
/// @return to be freed with tdDestroyClip; NULL when one side is no humanoid, there is no such animation, or
///         memory ran out
TD_API tdClip* tdRetargetClip(const tdAsset* source, int animation, const tdAsset* target,
                              const tdRetargetDef* def, tdReport* report);
TD_API void tdDestroyClip(tdClip* clip);

TD_API float tdClip_GetDuration(const tdClip* clip);
/// "" when the file gives none. Belongs to the clip.
TD_API const char* tdClip_GetName(const tdClip* clip);
TD_API int tdClip_GetChannelCount(const tdClip* clip);
/// Expressions (VRM) the clip carries, by name. The names belong to the clip.
TD_API int tdClip_GetExpressionCount(const tdClip* clip);
TD_API const char* tdClip_GetExpressionName(const tdClip* clip, int index);
