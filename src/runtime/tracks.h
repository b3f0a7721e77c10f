// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sampling the playing clips of an actor.
#pragma once

#include "actor.h"

/// Samples clips, application, gaze and expressions at a stage time into locals, morph weights and animated
/// physics properties.
void tdActor_Sample(tdActor* actor, double time);
/// Time in the clip at a stage time: wrapped while looping, else held at both ends. In seconds.
double tdPlay_GetClipTime(const tdPlay* play, double time);
/// Stage time at which a play that does not loop reaches its end, in seconds; INFINITY for one that never
/// does.
double tdPlay_GetEnd(const tdPlay* play);
/// True when the play has reached an end that it will not leave.
bool tdPlay_IsFinished(const tdPlay* play, double time);
