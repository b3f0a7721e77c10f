// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// motion.h: clips written into files: an avatar with a dance, or the dance alone as a VRM Animation.
#pragma once

#include "clip.h"

/// The asset with the clip as one more animation. Keys and interpolation stay as they are in the clip; what a
/// plain glTF animation cannot say (expressions, gaze) becomes morph weights and eye rotations, sampled 60
/// times a second and reduced.
/// @param clip made for `asset`
/// @param name of the animation; NULL: the clip's own, else "motion". "name 2" … if taken
/// @return a new asset that borrows nothing; NULL when memory ran out
TD_API tdAsset* tdAddClip(const tdAsset* asset, const tdClip* clip, const char* name, tdReport* report);

/// The clip alone as a VRM Animation (.vrma) on the asset's own skeleton: bones, expressions and gaze.
/// @param clip made for `asset`, which must be a humanoid
/// @return a new asset that borrows nothing; NULL when the asset is no humanoid or memory ran out
TD_API tdAsset* tdMakeMotion(const tdAsset* asset, const tdClip* clip, tdReport* report);
