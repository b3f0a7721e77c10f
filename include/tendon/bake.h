// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// bake.h: records an actor's motion as a glTF animation that every viewer can play.
#pragma once

#include "stage.h"

/// Settings of a bake. Start from tdDefaultBakeDef.
typedef struct tdBakeDef
{
    double seconds; // duration; default -1, as any negative value: until the last playing clip ends, or 10 s
                    // if none plays. 0 captures the current pose
    double frameRate; // captures per second, > 0, default 30
    double warmup;    // s to simulate before recording starts, default 0
    bool untilRest;   // stop early once every body sleeps and no clip plays; default false
    double loopBlend; // s at the end that are blended into the first pose, so that the clip loops without a
                      // jump; default 0; ignored with untilRest, whose end is not known in advance
    float
        positionTolerance; // m; keys within this distance of their neighbours' line are dropped; default 1e-4
    float angleTolerance;  // rad, likewise; default 5e-4
    float weightTolerance; // of morph weights and material values, likewise; default 1e-3
    const char* name;      // of the animation, default "baked"; a number is appended if it is taken
    bool stripPhysics;     // remove the objects and names of the physics extensions; default false
    bool stripSprings; // remove the spring bones, so that programs that play them show the recorded motion;
                       // default false
    bool replaceAnimations; // remove the animations that were played; default false
    bool animateMaterials;  // write material values that expressions change, through KHR_animation_pointer;
                            // default false: few players know that extension
    float* duration;        // receives the length of the new animation, s, 0 if nothing moved; default NULL
    tdProgress* progress;   // of the recording; its update function may stop it; default NULL: the asset's
    uint32_t cookie;        // internal: set by tdDefaultBakeDef
} tdBakeDef;

/// Default settings of a bake. Does not allocate.
TD_API tdBakeDef tdDefaultBakeDef(void);

/// Step the actor's stage and record the actor. All actors of the stage advance with it. A run that reaches
/// a limit of the stage ends there with LIMIT_REACHED.
/// @param def NULL for the defaults
/// @param report receives the findings; may be NULL
/// @return a new asset, to be freed with tdDestroyAsset: the actor's asset with one more animation,
///         independent of the actor and its asset. NULL if memory ran out, the progress function stopped, or
///         the asset is a BVH
TD_API tdAsset* tdBakeActor(tdActor* actor, const tdBakeDef* def, tdReport* report);

/// A recording in progress, for applications that step the stage themselves.
typedef struct tdTape tdTape;

/// Create an empty tape.
/// @param actor must outlive the tape
/// @param def name, tolerances and output options; its times are ignored; NULL for the defaults
/// @param allocator of the tape, copied; NULL for malloc. Its context must outlive the tape
/// @return the tape, to be freed with tdDestroyTape; NULL if memory ran out or the actor is NULL
TD_API tdTape* tdCreateTape(const tdActor* actor, const tdBakeDef* def, const tdAllocator* allocator);

/// Record the actor's current pose at the stage's current time. Allocates.
/// @return false if memory ran out or the time is not later than the last one; the tape keeps its frames
TD_API bool tdTape_Capture(tdTape* tape);

/// Record the actor's current pose at a given time. Allocates.
/// @param time s, ascending from call to call
/// @return false if memory ran out or the time is not later than the last one; the tape keeps its frames
TD_API bool tdTape_CaptureAt(tdTape* tape, double time);

/// Number of recorded frames.
TD_API int tdTape_GetFrameCount(const tdTape* tape);

/// Write the recording as an animation. The tape is unchanged and can record more.
/// @param report receives the findings; may be NULL
/// @return as tdBakeActor
TD_API tdAsset* tdTape_Bake(const tdTape* tape, tdReport* report);

/// Destroy a tape.
/// @param tape may be NULL
TD_API void tdDestroyTape(tdTape* tape);
