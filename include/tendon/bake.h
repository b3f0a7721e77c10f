// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// bake.h: what an actor did, written down as a glTF animation that every viewer plays.
#pragma once

#include "stage.h"

typedef struct tdBakeDef
{
    double seconds;   // how long to run, default 0: until the last playing clip ends, else 10
    double frameRate; // captures per second, default 30
    double warmup;    // s to run before recording starts, default 0
    bool untilRest;   // stop early, once every body sleeps and no clip plays; default false
    double loopBlend; // s at the end that are blended into the first pose, so that the clip loops without a
                      // jump; default 0; not with untilRest, whose end is not known beforehand
    float positionTolerance; // m, keys closer than this to their neighbours' line are dropped; default 1e-4
    float angleTolerance;    // rad, likewise; default 5e-4
    float weightTolerance;   // of morph weights, likewise; default 1e-3
    const char* name;        // of the animation, default "baked"; "baked 2" … if taken
    bool stripPhysics;       // remove the physics extensions' objects and names; default false
    bool replaceAnimations;  // remove the animations that were played; default false
    bool (*progress)(void* context, double fraction); // return false to stop; may be NULL
    void* progressContext;
} tdBakeDef;

TD_API tdBakeDef tdDefaultBakeDef(void);

/// Step the actor's stage and write down the actor. It is the stage's clock that runs: all its actors move.
/// @param def may be NULL for the defaults
/// @return a new asset: the actor's asset with one animation more, independent of the actor and its asset
TD_API tdAsset* tdBakeActor(tdActor* actor, const tdBakeDef* def, tdReport* report);

/// The same in three calls, for an application that steps the stage itself.
typedef struct tdTape tdTape;

/// The actor must outlive the tape. `def` gives tolerances and name; its times are not used.
TD_API tdTape* tdCreateTape(const tdActor* actor, const tdBakeDef* def);
/// Write down the actor's present pose at the stage's present time, or at a time of the caller's (s,
/// ascending).
/// @return false if memory ran out or the time does not ascend; what was captured before stays
TD_API bool tdTape_Capture(tdTape* tape);
TD_API bool tdTape_CaptureAt(tdTape* tape, double time);
TD_API int tdTape_GetFrameCount(const tdTape* tape);
/// The tape stays as it is and can go on capturing.
TD_API tdAsset* tdTape_Bake(const tdTape* tape, tdReport* report);
TD_API void tdDestroyTape(tdTape* tape);
