// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and destruction of contacts, and their change between separated and touching.
#pragma once

#include "tendon/physics.h"

/// Create a separated contact or trigger pair. Memory must have been reserved.
/// @param shapeA, shapeB indices, shapeA < shapeB
/// @return index of the contact
int tdWorld_CreateContact(tdWorld* world, int shapeA, int shapeB);
/// Change a separated contact to touching: acquire a block for `manifoldCount` manifolds, wake sleeping
/// bodies and merge islands.
void tdWorld_BeginTouching(tdWorld* world, int contact, int manifoldCount);
/// Change a touching contact to separated: release its manifolds and report the end.
void tdWorld_EndTouching(tdWorld* world, int contact);
/// Destroy a contact of any kind.
/// @param wake wake the bodies if they touched
void tdWorld_DestroyContact(tdWorld* world, int contact, bool wake);
/// Destroy all contacts of a body.
/// @param shape -1, or only those of this shape
void tdWorld_DestroyContactsOf(tdWorld* world, int body, int shape, bool wake);
/// Destroy all contacts of a body but its trigger pairs, which do not depend on its motion type, and wake
/// what it touched.
void tdWorld_DestroySolidContactsOf(tdWorld* world, int body);
