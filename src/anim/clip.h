// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The clip: channels on properties of one asset. A clip of the asset's own animation borrows the scene's
// channels, a retargeted one holds its own in its arena.
#pragma once

#include "scene/asset.h"

#include "tendon/clip.h"

/// An expression the clip carries. Channels of kind TD_PROPERTY_EXPRESSION name it by its place in the clip's
/// list.
typedef struct tdClipExpression
{
    const char* name;
} tdClipExpression;

struct tdClip
{
    tdArena arena; // holds this struct, too
    const tdAsset* asset;
    int animation; // of the asset; -1 for a retargeted clip
    const char* name;
    float duration;
    const tdChannel* channels;
    int channelCount;
    const tdClipExpression* expressions;
    int expressionCount;
    bool hasGaze; // a channel of kind TD_PROPERTY_LOOK_AT is there
};

/// An empty clip for `asset`; the caller fills it. NULL: out of memory.
tdClip* tdClip_New(const tdAsset* asset, const tdAllocator* allocator);
