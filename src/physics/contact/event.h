// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact and trigger events of a step.
#pragma once

#include <stdbool.h>

typedef struct tdWorld tdWorld;

/// A touch that was reported ends, or a visitor that was reported leaves. Inside a step the event belongs to
/// it, between two steps to the next one. If memory for it is missing the event is lost and the status says
/// so.
void tdWorld_ReportContactEnd(tdWorld* world, int contact);
void tdWorld_ReportTriggerExit(tdWorld* world, int contact);

/// Begins a step: what was pending becomes this step's.
/// @return false if memory ran out
bool tdWorld_BeginEvents(tdWorld* world, int newTouchingCount);
/// Does a touch begin or end to be one that is reported? Then 1 into world->touchingFlags, which is 0 before.
/// Called when the solver has stored the impulses of the touch.
void tdWorld_TestTouching(tdWorld* world, int touching);
/// After the solver: who touches now, who does not any more; who entered and left triggers.
void tdWorld_CollectContactEvents(tdWorld* world);
void tdWorld_CollectTriggerEvents(tdWorld* world);
