// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// clip.h: an animation made ready for one asset.
#pragma once

#include "asset.h"

/// Immutable like an asset, and must not outlive the asset it was made for.
typedef struct tdClip tdClip;

/// A clip of one of the asset's own animations.
TD_API tdClip* tdCreateClip(const tdAsset* asset, int animation, tdReport* report);

typedef struct tdRetargetDef
{
    bool scaleHips; // scale hips travel by the ratio of hip heights, default true
} tdRetargetDef;

TD_API tdRetargetDef tdDefaultRetargetDef(void);

/// A clip for `target` out of a humanoid animation in `source` (VRMA). Bones are matched
/// by VRM bone name; bones that only one side has are named in the report.
TD_API tdClip* tdRetargetClip(const tdAsset* source, int animation, const tdAsset* target,
                              const tdRetargetDef* def, tdReport* report);
TD_API void tdDestroyClip(tdClip* clip);

TD_API float tdClip_GetDuration(const tdClip* clip);
