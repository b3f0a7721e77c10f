// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Ids of bodies and shapes, and the indices of their records.
#pragma once

#include "tendon/physics.h"

/// Index of the body behind a valid id; asserts on a stale one.
int tdWorld_GetBodyIndex(const tdWorld* world, tdBodyId id);
tdBodyId tdWorld_MakeBodyId(const tdWorld* world, int body);

int tdWorld_GetShapeIndex(const tdWorld* world, tdShapeId id);
tdShapeId tdWorld_MakeShapeId(const tdWorld* world, int shape);
