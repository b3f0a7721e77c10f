// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Entries of contacts in the dense arrays of awake contacts (data/contact_data.h).
#pragma once

#include "tendon/physics.h"

/// Update the sim references of all contacts of a body whose slot changed.
void tdWorld_MoveSimReferences(tdWorld* world, int body);
/// Add the contact to the dense array of its kind, unless it is there already.
void tdContact_Activate(tdWorld* world, int contact);
/// Remove the contact from its dense array, if it is in one.
void tdContact_Deactivate(tdWorld* world, int contact);
/// Make the next step test all contacts of a body: it was teleported, or a shape or its centre of mass moved.
void tdWorld_InvalidateContacts(tdWorld* world, int body);
