// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creation and destruction of contacts, and their change between separated and touching.
#pragma once

#include "tendon/physics.h"

/// A new pair; shapeA < shapeB. Room for it must be there.
int tdWorld_CreateContact(tdWorld* world, int shapeA, int shapeB);
/// The pair has manifolds now: it becomes a touch with room for `manifoldCount`, bodies wake and islands
/// merge.
void tdWorld_BeginTouching(tdWorld* world, int contact, int manifoldCount);
/// No manifold is left.
void tdWorld_EndTouching(tdWorld* world, int contact);
/// Forget the contact, whatever its kind. `wake`: sleepers that leaned on it wake up.
void tdWorld_DestroyContact(tdWorld* world, int contact, bool wake);
/// All contacts of a body or of one of its shapes (-1: all).
void tdWorld_DestroyContactsOf(tdWorld* world, int body, int shape, bool wake);
