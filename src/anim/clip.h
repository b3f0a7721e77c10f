// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The clip: channels on properties of one asset. A clip of an animation of the asset borrows the channels of
// the scene; a retargeted clip has its own in its arena.
#pragma once

#include "scene/asset.h"

#include "tendon/clip.h"

/// An expression that the clip animates. Channels of kind TD_PROPERTY_EXPRESSION have its index as object.
typedef struct tdClipExpression
{
    const char* name;
} tdClipExpression;

struct tdClip
{
    tdArena arena; // also holds this struct
    const tdAsset* asset;
    int animation; // of the asset; -1 for a retargeted clip
    const char* name;
    float duration;
    const tdChannel* channels;
    int channelCount;
    const tdClipExpression* expressions;
    int expressionCount;
    bool hasGaze;                    // has a channel of kind TD_PROPERTY_LOOK_AT
    const tdMotionContact* contacts; // that a retarget found and kept
    int contactCount;
};

/// A hash by which a saved state finds the clip again: duration, targets, and numbers, first and last values
/// of the keys of all channels.
uint64_t tdClip_ComputeFingerprint(const tdClip* clip);
/// Creates an empty clip for `asset`.
/// @return NULL when memory ran out
tdClip* tdClip_New(const tdAsset* asset, const tdAllocator* allocator);
