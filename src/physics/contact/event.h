// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact and trigger events of a step.
#pragma once

#include <stdbool.h>

typedef struct tdWorld tdWorld;

/// Report the end of a contact whose begin was reported. Between two steps the event belongs to the next
/// step. If memory runs out, the event is lost and the status of the world is TD_STATUS_OUT_OF_MEMORY.
void tdWorld_ReportContactEnd(tdWorld* world, int contact);
/// Likewise for a shape that leaves a trigger.
void tdWorld_ReportTriggerExit(tdWorld* world, int contact);

/// Report in this step that a shape entered a trigger. If memory runs out, likewise.
void tdWorld_ReportTriggerEnter(tdWorld* world, int contact);
/// Report that a shape entered and left a trigger within the step. If memory runs out, likewise.
void tdWorld_ReportPassage(tdWorld* world, int trigger, int visitor);

/// Start the events of a step with the pending ones, and reserve memory for all others.
/// @param newTouchingCount contacts that begin to touch in this step
/// @return false if memory ran out
bool tdWorld_BeginEvents(tdWorld* world, int newTouchingCount);
/// Set world->touchingFlags to 1 if the reported state of a touching contact changes. The solver calls it
/// from any worker after it stored the impulses of the contact.
void tdWorld_TestTouching(tdWorld* world, int touching);
/// Report the contacts whose touchingFlags are set.
void tdWorld_CollectContactEvents(tdWorld* world);
/// Report the shapes that entered or left triggers, from world->triggerFlags (tdWorld_TestTriggers).
void tdWorld_CollectTriggerEvents(tdWorld* world);
