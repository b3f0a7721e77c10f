// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// bake.h: what an actor did, written down as a glTF animation.
#pragma once

#include "stage.h"

typedef struct tdBakeDef
{
    float seconds;           // default 0: until the last playing clip ends
    float frameRate;         // default 30
    float positionTolerance; // m, keys closer than this to their neighbours' line are dropped
    float angleTolerance;    // rad, likewise
    const char* name;        // of the animation, default "baked"
} tdBakeDef;

TD_API tdBakeDef tdDefaultBakeDef(void);

/// Step the actor's stage and write down the actor.
/// @return a new asset: the actor's asset with one animation more
TD_API tdAsset* tdBakeActor(tdActor* actor, const tdBakeDef* def, tdReport* report);

/// The same in three calls, for an application that steps the stage itself.
typedef struct tdTape tdTape;
TD_API tdTape* tdCreateTape(const tdActor* actor, const tdBakeDef* def);
TD_API void tdTape_Capture(tdTape* tape);
TD_API tdAsset* tdTape_Bake(const tdTape* tape, tdReport* report);
TD_API void tdDestroyTape(tdTape* tape);
