// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Entries of contacts in the dense arrays of what is awake.
#pragma once

#include "tendon/physics.h"

/// The body's place changed (sleep, wake, swap in the dense array): correct the sim references of its
/// contacts.
void tdWorld_MoveSimReferences(tdWorld* world, int body);
/// A contact enters or leaves the dense arrays; both do nothing if it is there already.
void tdContact_Activate(tdWorld* world, int contact);
void tdContact_Deactivate(tdWorld* world, int contact);
/// Narrow phase anew at the next step for everything on this body (shape moved, centre of mass moved,
/// teleport).
void tdWorld_InvalidateContacts(tdWorld* world, int body);
