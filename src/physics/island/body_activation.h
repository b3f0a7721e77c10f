// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Waking bodies, and their slots in the dense arrays of what is awake.
#pragma once

#include "tendon/physics.h"

/// Make the body and everything in its island awake. Static bodies: nothing. Needs no memory.
void tdWorld_WakeBody(tdWorld* world, int body);
/// Wake all dynamic bodies that touch it (support moved or went away).
void tdWorld_WakeTouching(tdWorld* world, int body);
/// Give the body a slot in the dense arrays / take it out. Contacts follow; islands do not.
void tdWorld_ActivateBody(tdWorld* world, int body);
void tdWorld_DeactivateBody(tdWorld* world, int body);
