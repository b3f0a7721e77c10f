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

/// How the translation of the hips is transferred.
typedef enum tdRootMotion
{
    TD_ROOT_KEEP,     // as the motion travels, scaled by the ratio of hip heights
    TD_ROOT_IN_PLACE, // without horizontal travel
    TD_ROOT_SCALE,    // scaled by the ratio of leg lengths
} tdRootMotion;

/// Contacts of a motion that a retarget keeps; bits of tdRetargetDef.contacts.
typedef enum tdMotionContactKind
{
    TD_KEEP_FEET = 1,  // feet on the ground
    TD_KEEP_HANDS = 2, // hands that touch each other or the body
} tdMotionContactKind;

/// A contact that was found in the source of a retarget.
typedef struct tdMotionContact
{
    int bone;         // index of a foot or hand (tdGetBoneName)
    float start, end; // s
} tdMotionContact;

/// Settings of a retarget. Start from tdDefaultRetargetDef.
typedef struct tdRetargetDef
{
    bool scaleHips;    // scale hips translation by the ratio of hip heights, default true
    tdRootMotion root; // default TD_ROOT_KEEP
    unsigned
        contacts; // bits of tdMotionContactKind, default 0. With contacts, hips translation is scaled by the
                  // ratio of leg lengths, and arms and legs are sampled at 60 Hz at least
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

/// Destroy a clip. Stop its plays first, and call tdActor_ForgetClip if states of the stage are loaded.
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

/// Number of contacts that a retarget with tdRetargetDef.contacts found and kept; 0 for other clips.
TD_API int tdClip_GetContactCount(const tdClip* clip);

/// A contact by index, in order of bones and times; zeros out of range.
TD_API tdMotionContact tdClip_GetContact(const tdClip* clip, int index);
