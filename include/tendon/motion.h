// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// motion.h: clips written into files: as an animation of an avatar, or alone as a VRM Animation.
#pragma once

#include "clip.h"

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
    const char* name;      // as in tdAddClip, default NULL
    bool bakeSprings;      // add the motion of spring bones, simulated at 60 Hz and reduced; default true
    bool stripSprings;     // remove the spring bones from the file; default false
    bool animateMaterials; // write the materials that expressions change, as in tdBakeDef; default false
    uint32_t cookie;       // internal: set by tdDefaultMotionDef
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
