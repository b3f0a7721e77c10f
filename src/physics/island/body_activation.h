// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Waking bodies, and their slots in the dense arrays of awake bodies.
#pragma once

#include "tendon/physics.h"

/// Wake a body and its island. Does nothing for static bodies. Does not allocate.
void tdWorld_WakeBody(tdWorld* world, int body);
/// Wake all dynamic bodies that touch the body, because it moves or disappears.
void tdWorld_WakeTouching(tdWorld* world, int body);
/// Give the body a slot in the dense arrays and activate its contacts. Its island is not changed.
void tdWorld_ActivateBody(tdWorld* world, int body);
/// Free the slot of the body, and deactivate contacts whose other body is not awake either.
void tdWorld_DeactivateBody(tdWorld* world, int body);
