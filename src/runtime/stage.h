// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The stage: clock, actors, and the engine's world behind the bridge.
#pragma once

#include "actor.h"

struct tdStage
{
    tdAllocator allocator;
    const tdTasks* tasks;
    double stepRate;
    int64_t stepIndex; // time = stepIndex / stepRate
    tdArray(tdActor*) actors;
    tdWorld* world;
    tdArray(tdContactEvent) contacts; // of the last step
    tdArray(tdTriggerEvent) triggers;
};
